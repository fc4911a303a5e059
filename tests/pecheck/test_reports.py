"""What people met in public threads: the smallest settings, and the answer that was right."""

import math

import pytest

from pecheck import Unreadable, config
from tests.pecheck import KIMI, LLAMA, NEW, YARN

SIZES = {"hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 12}
TABLE = {**SIZES, "position_embedding_type": "absolute", "pad_token_id": 1}
PICTURE = {**SIZES, "image_size": 224, "patch_size": 16}
NOMIC = {"model_type": "nomic_bert", "n_embd": 768, "n_head": 12, "n_layer": 12,
         "rotary_emb_base": 1000, "n_positions": 8192}  # fmt: skip
MAKERS = {"dim": 4096, "n_layers": 32, "n_heads": 32, "rope_theta": 500000.0}
LATENT = {**LLAMA, "num_attention_heads": 32, "qk_rope_head_dim": 0, "qk_nope_head_dim": 0}
GROWN = 0.1 * math.log(4) + 1
OSS = {"num_hidden_layers": 2, "hidden_size": 2880, "head_dim": 64, "num_attention_heads": 64,
       "sliding_window": 128, "initial_context_length": 4096, "rope_theta": 150000,
       "rope_scaling_factor": 32.0, "rope_ntk_alpha": 1, "rope_ntk_beta": 32}  # fmt: skip
MISTRAL = {**MAKERS, "yarn": {"factor": 4, "original_max_position_embeddings": 4096, "alpha": 1,
                              "beta": 32, "apply_scale": False}}  # fmt: skip
DEEPSEEK = {**MAKERS, "rope_theta": 10000.0, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
            "rope_factor": 40, "original_seq_len": 4096, "beta_fast": 32, "beta_slow": 1,
            "mscale": 1.0}  # fmt: skip
EXAONE = {**LLAMA, "model_type": "exaone4_5_text", "sliding_window_pattern": "LLLG",
          "sliding_window": 64}  # fmt: skip
LILT = {**TABLE, "model_type": "lilt", "max_position_embeddings": 514}
STEP = {"rope_type": "llama3", "factor": 16.0, "low_freq_factor": 1.0, "high_freq_factor": 1.0,
        "original_max_position_embeddings": 8192}  # fmt: skip
LINEAR = {"rope_type": "linear", "factor": 2.0, "rope_theta": 3e4}
BASELESS = {k: v for k, v in LLAMA.items() if k != "rope_theta"}
GEMMA = {"model_type": "gemma3_text", "hidden_size": 1152, "num_attention_heads": 4,
         "num_hidden_layers": 26, "head_dim": 256}  # fmt: skip
KINDS = {kind: {"rope_type": "default", "rope_theta": 3e4}
         for kind in ("full_attention", "sliding_attention")}  # fmt: skip
FLUX = {"_class_name": "FluxTransformer2DModel", "attention_head_dim": 128}
BERT = {**SIZES, "model_type": "new", "type_vocab_size": 2, "max_position_embeddings": 512}
BARE = {k: v for k, v in KIMI.items() if not k.startswith(("qk_", "rope_s"))}
BARE["rope_parameters"] = KIMI["rope_scaling"]  # parts of a head are those of the class
PHI3 = {"model_type": "phi3", "rope_scaling": {
    "type": "longrope", "short_factor": [1.0] * 48, "long_factor": [2.0] * 48,
    "original_max_position_embeddings": 8192}}  # fmt: skip

FIELDS = [  # settings, fields of the last kind of layer
    ({**SIZES, "model_type": "roformer"}, {"layout": "interleaved", "rotary_dim": 64}),
    ({**TABLE, "model_type": "esm", "max_position_embeddings": 1026},
     {"scheme": "learned", "offset": 2, "trained_length": 1024}),
    (LILT, {"offset": 2, "rows": 514}),
    ({**LILT, "model_type": "layoutlmv3"}, {"offset": 2, "rows": 514}),
    ({**PICTURE, "model_type": "deit"}, {"rows": 198}),
    ({**PICTURE, "model_type": "beit"}, {"scheme": "none"}),
    ({**PICTURE, "model_type": "vit_mae"}, {"scheme": "sinusoidal", "rows": 197}),
    ({**SIZES, "model_type": "zamba2", "layers_block_type": ["hybrid"] * 12}, {"scheme": "none"}),
    ({**SIZES, "model_type": "zamba2", "use_mem_rope": True}, {"scheme": "rotary"}),
    ({**NOMIC, "rotary_scaling_factor": 2, "max_trained_positions": 2048},
     {"rule": "dynamic", "factor": 2, "trained_length": 2048}),
    ({**NOMIC, "rotary_emb_fraction": 0.5, "rotary_emb_interleaved": True},
     {"rotary_dim": 32, "layout": "interleaved"}),
    (OSS, {"rule": "yarn", "factor": 32, "window": None, "trained_length": 4096}),
    ({**LATENT, "use_mla": False}, {"head_dim": 128, "rotary_dim": 128, "layout": "half"}),
    (EXAONE, {"scheme": "none", "window": None}),
    ({**EXAONE, "model_type": "gpt_oss_text", "rope_scaling": YARN}, {"rule": "yarn"}),
    ({**LLAMA, "model_type": "ernie4_5_moe_vl", "rope_scaling": {"mrope_section": [22, 22, 20]}},
     {"layout": "interleaved", "order": "row and column in turn, then frame"}),
    (MAKERS, {"layout": "interleaved", "rotary_dim": 128}),
    ({**MAKERS, "use_scaled_rope": True}, {"rule": "llama3", "factor": 8}),
    (MISTRAL, {"rule": "yarn", "attention_scaling": 1.0}),
    (DEEPSEEK, {"rule": "yarn", "factor": 40, "trained_length": 4096, "attention_scaling": 1.0,
                "score_scaling": (0.1 * math.log(40) + 1) ** 2}),
    ({"model_type": "mpt", "d_model": 64, "n_heads": 4, "n_layers": 2,
      "attn_config": {"rope": True, "rope_theta": 5e5}}, {"scheme": "rotary", "base": 5e5}),
    ({**LLAMA, "model_type": "cohere2_moe", "first_k_dense_replace": 1},
     {"scheme": "none", "indices": (4, 8, 12, 16, 20, 24, 28)}),
    ({**LLAMA, "model_type": "cohere2_moe", "layer_types": ["full_attention"] * 32,
      "sliding_window": 8, "mlp_layer_types": ["dense"] * 32}, {"scheme": "rotary"}),
    ({"model_type": "llama"}, {"head_dim": 128, "base": 10000.0}),
    ({**LLAMA, "model_type": "hf_olmo", "rope": True}, {"scheme": "rotary"}),
    ({"model_type": "distilbert", "dim": 768, "n_heads": 12, "n_layers": 6,
      "max_position_embeddings": 512}, {"scheme": "learned", "rows": 512}),
    ({**NEW, "attn_type_list": [0, 1] * 16}, {"indices": tuple(range(1, 32, 2))}),
    ({**NEW, "linear_attn_config": {"full_attn_layers": [4, 8]}}, {"indices": (3, 7)}),
    ({**LLAMA, "model_type": "lfm2", "full_attn_idxs": [2, 5]}, {"indices": (2, 5)}),
    ({**LLAMA, "model_type": "mistral"}, {"kind": "sliding_attention", "window": 4096}),
    ({**LLAMA, "model_type": "mistral", "sliding_window": None}, {"kind": "full_attention"}),
    ({**LLAMA, "model_type": "granitemoehybrid", "layer_types": ["attention"] * 32},
     {"scheme": "none"}),
    ({**LLAMA, "model_type": "baichuan"}, {"scheme": "rotary"}),
    ({**SIZES, "model_type": "chatglm", "rope_ratio": 500},
     {"base": 5e6, "sources": {"layout": "from the family"}}),
    ({**LLAMA, "model_type": "baichuan", "hidden_size": 5120}, {"scheme": "ALiBi"}),
    ({**SIZES, "model_type": "jais", "position_embedding_type": "alibi"}, {"scheme": "ALiBi"}),
    ({**SIZES, "model_type": "xglm"}, {"kind": "full_attention", "offset": 2}),
    ({"model_type": "clip_text_model"}, {"rows": 77, "head_dim": 64}),
    ({**MAKERS, "use_scaled_rope": True, "nope_layer_interval": 4, "attention_chunk_size": 64,
      "rope_scaling_factor": 16.0}, {"scheme": "none", "indices": tuple(range(3, 32, 4))}),
    ({**MAKERS, "dim": 2048, "use_scaled_rope": True}, {"factor": 32.0}),
    ({"model_type": "bamba", "attn_layer_indices": [31]}, {"rotary_dim": 64}),
    ({"model_type": "dinov3_vit"}, {"base": 100.0}),
    ({"model_type": "eomt_dinov3"}, {"base": 100.0}),
    ({"model_type": "longcat_flash"}, {"base": 1e7}),
    ({"model_type": "lfm3", "rope_parameters": {
        "full_attention": {"rope_type": "default"}, "sliding_attention": {}}}, {"base": 1e6}),
    ({"model_type": "mimo_v2_flash", "rope_parameters": KINDS}, {"rotary_dim": 64, "base": 3e4}),
    ({"model_type": "mimo_v2_flash", "partial_rotary_factor": 0.5, "rope_parameters": {
        "full_attention": LINEAR, "sliding_attention": LINEAR}}, {"rotary_dim": 96}),
    ({"model_type": "gemma4_text"}, {"head_dim": 512, "rotary_dim": 128}),
    ({"model_type": "nomic_bert", "partial_rotary_factor": 0.5}, {"rotary_dim": 64}),
    ({"model_type": "glm4_moe_lite", "head_dim": 48}, {"rotary_dim": 48}),
    ({"model_type": "bailing_hybrid", "rope_scaling": {**YARN, "partial_rotary_factor": 0.5}},
     {"rotary_dim": 32}),
    ({"model_type": "deepseek_v4", "rope_scaling": {**YARN, "partial_rotary_factor": 0.5}},
     {"rotary_dim": 64}),
    ({"model_type": "olmo3", "rope_theta": 1e6, "layer_types": ["sliding_attention"] * 32},
     {"base": 5e5}),
    ({"model_type": "gemma3_text", "rope_parameters": KINDS,
      "rope_scaling": {**YARN, "rope_type": "yarn"},
      "layer_types": ["full_attention"] * 26}, {"base": 3e4, "rule": "yarn", "factor": 4.0}),
    ({**LLAMA, "model_type": "new", "swa_rope_theta": 10000.0, "sliding_window": 8,
      "layer_types": ["full_attention", "sliding_attention"] * 16}, {"base": 10000.0}),
    ({**LLAMA, "model_type": "modernbert", "local_attention": 128},
     {"kind": "sliding_attention", "window": 64, "base": 10000.0}),
    ({**LLAMA, "model_type": "mistral", "sliding_window": 128}, {"window": 128}),
    ({**BARE, "model_type": "deepseek_v3"}, {"rotary_dim": 64, "head_dim": 192}),
    ({**BARE, "model_type": "glm_moe_dsa"}, {"rotary_dim": 64, "head_dim": 256}),
    ({**BARE, "model_type": "mistral4"}, {"rotary_dim": 64, "head_dim": 128}),
    ({**BARE, "model_type": "minicpm3"}, {"rotary_dim": 32, "head_dim": 96}),
    ({**KIMI, "model_type": "brandnew", "head_dim": 256},
     {"rotary_dim": 64, "head_dim": 192, "layout": "interleaved"}),
    ({**KIMI, "model_type": "glm5_next_text", "qk_rope_head_dim": 0},
     {"scheme": "none", "head_dim": 128}),
    ({**KIMI, "qk_head_dim": 128}, {"head_dim": 192}),  # Megatron's name for one of the two parts
    (PHI3, {"trained_length": 4096}),
    ({**BERT, "position_embedding_type": "alibi"}, {"scheme": "ALiBi"}),
    ({**BERT, "position_embedding_type": "rotary"}, {"scheme": "rotary"}),
    ({**BERT, "position_embedding_type": "absolute"}, {"scheme": "learned"}),
    ({**BERT, "position_embedding_type": "rope"}, {"scheme": "rotary"}),
    ({**BERT, "position_embedding_type": "nope"}, {"scheme": "none"}),
    ({**BERT, "rope": True}, {"scheme": "rotary"}),
    ({**LLAMA, "model_type": "hf_olmo", "alibi": True}, {"scheme": "ALiBi"}),
    ({**LLAMA, "model_type": "hf_olmo", "position_embedding_type": "alibi"}, {"scheme": "ALiBi"}),
    ({**LLAMA, "model_type": "hf_olmo", "rope": False}, {"scheme": "learned"}),
    ({"model_type": "beit", "use_absolute_position_embeddings": True}, {"scheme": "learned"}),
    ({"model_type": "deberta"}, {"scheme": "learned"}),
    ({"model_type": "mpt", "attn_config": {}}, {"scheme": "learned"}),
    ({"model_type": "whisper"}, {"kind": "decoder", "head_dim": 64, "rows": 448}),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "expected"), FIELDS)
def test_settings_of_a_report_are_read_as_their_code_reads_them(settings, expected):
    layer = config(settings).layers[-1]
    assert {name: getattr(layer, name) for name in expected} == expected


def test_two_rules_of_makers_files_have_the_reported_wavelengths():
    nomic = {**NOMIC, "rotary_scaling_factor": 2, "max_trained_positions": 2048}
    assert config(nomic, 8192).layers[0].wavelengths.max() == pytest.approx(35443, abs=1)
    step = config({**LLAMA, "rope_scaling": STEP}).layers[0]
    plain = 2 * math.pi / step.plain
    assert (step.plain / step.frequencies).round(9).tolist() == [16 if w > 8192 else 1
                                                                 for w in plain]  # fmt: skip


SAID = [  # settings, words of the answer, words that must not be there
    ({**NEW, "use_dynamic_ntk": True}, "Not read: use_dynamic_ntk, which may", "!"),
    ({**NEW, "attention_window_kind": 3, "scale": 2}, "Not read: attention_window_kind, ", "!"),
    ({**NEW, "layer_types": ["full_attention", "funny"] * 16}, "funny: rotary (a guess)", "!"),
    ({**NEW, "rope_scaling_factor": 4, "hybrid_layer_pattern": [0, 1], "nope_layers": [3]},
     "Not read: hybrid_layer_pattern, nope_layers, rope_scaling_factor, which", "!"),
    ({**NEW, "use_rope": False, "use_xpos": True},
     "Not read: use_rope, use_xpos, which", "!"),
    ({**LLAMA, "model_type": "flint"}, "for 49 layers: repeated for 32.", "from the family"),
    ({**NEW, "layer_types": ["mamba"] * 32}, "none (it carries order itself)", "!"),
    (MAKERS, "layout interleaved (a guess), base 500,000,", "!"),
    ({**MAKERS, "use_scaled_rope": True},
     "factor 8 (a guess), original length 8,192 (a guess)", "!"),
    ({**MAKERS, "nope_layer_interval": 4, "attention_chunk_size": 64}, "chunks of 64", "Not read"),
    ({**MAKERS, "use_scaled_rope": True, "rope_scale_factor": 32},
     "factor 32, original length", "!"),
    ({"model_type": "mpt", "d_model": 64, "n_heads": 4, "n_layers": 2, "attn_config": {
        "alibi": True, "alibi_bias_max": 8, "attn_type": "multihead_attention"},
      "max_seq_len": 64}, "ALiBi", "·"),
    ({**LLAMA, "rope_scaling": {"type": "magic"}}, "frequencies are not computed", "pairs turn"),
    (OSS, "the ramp, from pair 8.09", "unknown"),
    ({**LLAMA, "model_type": None, "rope_theta": 1e4}, "layout half (a guess)", "!"),
    ({**LLAMA, "rope_theta": 10000.0, "n_positions": 8192},
     "max_position_embeddings 4,096, n_positions 8,192", "unknown"),
    ({**LLAMA, "model_type": "deepseek_v4", "head_dim": 512, "partial_rotary_factor": 0.125,
      "qk_rope_head_dim": 64}, "a program that applies both turns 8 columns", "unknown"),
    ({**LLAMA, "rope_scaling": {**YARN, "attention_factor": GROWN}},
     f"(SGLang before August 2026) get {GROWN**2:.4f}.", "no key says"),
    ({**LLAMA, "rope_scaling": {**YARN, "mscale": 1.0, "mscale_all_dim": 1.0}},
     f"Engines that skip these keys get {GROWN:.4f}", "multiplies their scores"),
    ({**LLAMA, "rope_scaling": {"type": "dynamic", "factor": 8.0}},
     "does nothing up to 4,096 tokens", "may be the length before"),
    ({**NOMIC, "rope_parameters": {"rope_theta": 1000.0}}, "base 1,000", "rope_parameters"),
    ({**LLAMA, "rope_scaling": YARN},
     f"× {GROWN:.4f}, which makes scores × {GROWN**2:.4f}", "sees all"),
    ({**LLAMA, "rope_scaling": YARN, "partial_rotary_factor": 0.5, "model_type": "glm4"},
     "which makes the turned part of scores × ", "and all scores"),
    ({**LLAMA, "model_type": "gemma2", "sliding_window": 64},
     "sees all, max length 4,096", "trained"),
    ({**LLAMA, "model_type": "falcon", "alibi": True}, "divides scores by √d after", "!"),
    ({**BARE, "model_type": "minicpm3"},
     "qk_rope_head_dim is absent: 32 is the default of minicpm3.", "qk_rope_head_dim 32"),
    ({**KIMI, "model_type": "brandnew", "head_dim": 256}, "neighboring columns turn", "halves"),
    ({"model_type": "moonshine", "hidden_size": 288, "encoder_num_hidden_layers": 5,
      "decoder_num_hidden_layers": 6, "decoder_num_attention_heads": 8},
     "The decoder was read; its encoder, of 5 layers, was not.", "!"),
    (FLUX, "num_single_layers is absent: 38 is the default of FluxTransformer2DModel.", "!"),
    ({**GEMMA, "rope_parameters": {"type": "linear", "factor": 8.0}},
     "no object for each kind of layer", "rule linear"),
    ({**GEMMA, "rope_scaling": {"type": "linear", "factor": 8.0}}, "looks at rope_type only", "Z"),
    ({**NEW, "dual_chunk_attention_config": {"chunk_size": 262144}, "use_logn_attn": False},
     "Not read: dual_chunk_attention_config, which", "!"),
    ({**LLAMA, "hidden_size": 4097}, "no multiple of 32 heads", "!"),
    ({**LLAMA, "model_type": "phi3", "original_max_position_embeddings": 4096, "rope_scaling": {
        "type": "su", "short_factor": [1.0] * 64, "long_factor": [2.0] * 64}},
     "su is longrope's old name: transformers", "may be"),
    (BASELESS, "No key that is read says the base of the full_attention layers: 10,000", "!"),
    ({**BASELESS, "rope_parameters": {"rope_type": "linear", "factor": 4.0}},
     "No key says the base. Readers take 10,000", "unknown-keys"),
    ({**LLAMA, "rope_parameters": {"rope_type": "dynamic", "factor": 4.0, "rope_theta": 1e6,
                                   "max_trained_positions": 2048}},
     "vLLM 0.32 without stretching, unless the rule has a max_trained_positions", "unknown-keys"),
    ({**LLAMA, "model_type": "brandnew"}, "'brandnew' is not in the table", "!"),
    ({"text_config": LLAMA, "vision_config": {"model_type": "eyes"}, "audio_config": {}},
     "Not read: audio_config, vision_config.", "images"),
    ({"model_type": "llava", "text_config": LLAMA},
     "The part for text, text_config, was read.", "!"),
    ({**BASELESS, "rope_parameters": {
        "rope_type": "longrope", "rope_theta": 10000.0, "short_factor": [1.0] * 64, "factor": 4.0,
        "long_factor": [2.0] * 64, "original_max_position_embeddings": 1024}},
     "drops the rule 'longrope', drops the factor 1.0954 of cosines and sines", "base 500,000"),
]  # fmt: skip


# By the kind of mistake: a key that this code does not read, a default of its class, what is nested
# wrongly, makers' own keys. Values are those of transformers 5.24, or read in its source.
PATTERN = ["full_attention", *["sliding_attention"] * 3]
QWEN3 = {"model_type": "qwen3", "sliding_window": 2048, "num_hidden_layers": 40}
GRANITE = {**LLAMA, "model_type": "granite_swa", "layer_rope_theta": [0, 10000, 10000, 10000] * 8}
LAGUNA = {"full_attention": {"rope_type": None, "factor": 32.0, "rope_theta": 5e5},
          "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}}  # fmt: skip
FUYU = {**LLAMA, "model_type": "fuyu", "rope_theta": 25000.0, "text_config": {
    "model_type": "persimmon"}}  # fmt: skip
V4 = {**LLAMA, "model_type": "deepseek_v4", "rope_theta": 9999, "compress_ratios": [0, 4] * 16}
MIMO = {**LLAMA, "model_type": "mimo_v2_flash", "rope_theta": 5e6, "swa_rope_theta": 10000.0,
        "head_dim": 192, "partial_rotary_factor": 0.334, "sliding_window_size": 128}  # fmt: skip
HUNYUAN = {**LLAMA, "model_type": "hunyuan_vl", "rope_scaling": {
    "type": "xdrope", "alpha": 1000.0, "factor": 1.0, "xdrope_section": [16] * 4}}  # fmt: skip
SECONDS = {**LLAMA, "model_type": "qwen2_5_vl", "vision_config": {"tokens_per_second": 2}}
SAID += [
    ({**LLAMA, "layer_types": PATTERN * 8, "sliding_window": 64},
     "sliding_window 64: not read by this code, llama's in transformers", "default, window"),
    ({**LLAMA, "layer_types": PATTERN * 8}, "and drops keys out of the window.", "window 64"),
    ({**LLAMA, "no_rope_layers": [1, 0] * 16}, "no_rope_layers (a list of 32): not read", "none\n"),
    ({**LLAMA, "rope_interleave": True}, "layout half", "neighbor"),
    ({**LLAMA, "alibi": True, "qk_rope_head_dim": 64}, "turned 128", "ALiBi\n"),
    ({**LLAMA, "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}},
     "rope_scaling.mrope_section (a list of 3): not read", "time, row"),
    ({**LLAMA, "rope_parameters": {"full_attention": YARN}}, "full_attention (an obj", "factor"),
    ({**LLAMA, "partial_rotary_factor": 0.5}, "partial_rotary_factor 0.5: not read", "turned 64"),
    ({**LLAMA, "partial_rotary_factor": 0.5, "rope_scaling": {"type": "linear", "factor": 2.0}},
     "turned 64", "not read"),
    ({**LLAMA, "model_type": "minimax_m2", "rotary_dim": 32, "partial_rotary_factor": 0.5},
     "turned 64", "not read"),
    ({**LLAMA, "hybrid_layer_pattern": [0] * 32, "no_rope_layers": [1] * 32}, "llama", "bert"),
    ({**QWEN3, "use_sliding_window": True}, "layers 28-39 sliding_attention", "!"),
    ({**QWEN3, "use_sliding_window": True, "num_hidden_layers": 28},
     "max_window_layers 28: layers below it see everything, so none of these 28", "window 2048"),
    (QWEN3, "sliding_window 2048 is not used: use_sliding_window is absent, and", "t, window"),
    (GRANITE, "only the zeros of layer_rope_theta say so", "rope_theta is inside"),
    ({**QWEN3, "use_sliding_window": True, "layer_types": PATTERN * 10},
     "windows to layers below max_window_layers 28: a program that knows only", "!"),
    ({**LLAMA, "model_type": "dots_ocr", "alibi": True}, "this code, qwen2's in", "ALiBi\n"),
    (GRANITE, "sliding_attention: rotary\n  head 128, turned 128, layout half (from the family), "
     "base 10,000, rule", "base 500,000"),
    ({**LLAMA, "model_type": "laguna", "rope_parameters": LAGUNA},
     "At the null in rope_type transformers", "rule yarn"),
    (FUYU, "rope_theta (above text_config) 25000.0: not read", "base 25,000"),
    (V4, "base 9,999, rule default, window 128", "of the sliding_attention layers"),
    ({"model_type": "deepseek_v4", "compress_ratios": [0, 4], "num_hidden_layers": 2},
     "base 10,000 (from the family), rule default, window 128", "!"),
    (V4, "base 160,000 (from the family)", "halves"),
    (MIMO, "turned 64, layout half (from the family), base 10,000 (from the family), rule default, "
     "window 129", "!"),
    ({**MIMO, "sliding_window_size": None}, "rule default, window 129", "!"),
    (HUNYUAN, f"in 6.28 to {2 * math.pi * (5e5 * 1000 ** (128 / 126)) ** (63 / 64):,.0f}", "!"),
    (SECONDS, "tokens_per_second 2: it multiplies the times of videos;", "!"),
    ({**MAKERS, "sliding_window": [750, None]}, "layers 0, 2, 4 … 30 (16) sliding_attention", "!"),
    ({**LLAMA, "model_type": "deepseek_v32", "rope_interleave": True, "qk_nope_head_dim": 128},
     "128 columns wide: 64 of them turn, in halves, unlike the main part", "!"),
    ({**LLAMA, "model_type": "glm_moe_dsa"}, "64 of them turn, in neighboring columns.", "unlike"),
    ({"model_type": "modernbert", "local_attention": 128}, "window 64 each way", "!"),
    ({**LLAMA, "model_type": "llama4_text"}, "chunks of 8,192", "window"),
    ({"model_type": "gpt_oss", "rope_theta": 5e5}, "base 500,000, rule yarn", "may be the length"),
    ({"model_type": "layoutxlm", "max_position_embeddings": 514}, "rows 514", "!"),
    ({**SIZES, "type_vocab_size": 1, "max_position_embeddings": 514},
     "If the guess is right: Position 0 is row 2", "rows 514,"),
    ({**LLAMA, "rope_scaling": {"type": "dynamic", "factor": 4.0}},
     "SGLang 0.5.23 for the stretched length", "llama3"),
    ({"_class_name": "ZImageTransformer2DModel", "axes_dims": [32, 48, 48], "dim": 3840,
      "n_heads": 30, "n_layers": 2, "rope_theta": 256.0}, "sections (16, 24, 24)", "!"),
    ({"num_layers": 2, "hidden_size": 1024, "num_attention_heads": 16, "rotary_percent": 0.5,
      "position_embedding_type": "rope", "rotary_base": 5000}, "base 5,000, rule", "Not read"),
    ({**LLAMA, "model_type": "qwen2_5_omni_dit"}, "Only the first head turns.", "half"),
    # sentences of which the rows above have none
    ({"model_type": "dinov3_vit"}, "Coordinates run from -1 to 1", "!"),
    ({"_class_name": "NewTransformer", "attention_head_dim": 96, "axes_dims_rope": [32, 64]},
     "num_layers is absent: how many layers there are is not known.", "!"),
    ({**SIZES, "model_type": "jais", "position_embedding_type": "absolute",
      "max_position_embeddings": 64}, "learned (a guess)", "!"),
    ({**SIZES, "model_type": "new", "position_embedding_type": "relative_key", "type_vocab_size": 2,
      "max_position_embeddings": 64}, "a trained vector for each distance", "!"),
    ({"model_type": "roformer", "rotary_value": True}, "rotary_value: values turn too", "!"),
    ({"model_type": "deberta", "relative_attention": True}, "a trained table is added.", "!"),
    ({**SIZES, "model_type": "new", "position_embedding_type": "absolute"},
     "the rows of the table are not known.", "!"),
    ({**NEW, "layer_types": ["full_attention"] * 2}, "names 2 layers, the model has 32.", "!"),
    ({**LATENT, "model_type": "new", "use_mla": False}, "use_mla is false: ordinary heads", "!"),
    ({"model_type": "zamba2", "rope_scaling": YARN}, "no layer of this model turns", "rotary\n"),
    ({"model_type": "new", "text_config": LLAMA, "vision_config": {"model_type": "pixtral"}},
     "vision_config was not read: hidden_size: missing", "images"),
    ({"model_type": "glm4_moe"}, "21 columns are to turn, an odd number: transformers ma", "!"),
    ({**LLAMA, "model_type": "deepseek_v4", "rope_parameters": {"rope_theta": 7e7}},
     "rope_parameters.rope_theta 70000000.0: not read by this code", "base 70"),
    ({**LLAMA, "model_type": "cwm", "rope_theta": 7e7, "rope_scaling": YARN}, "70,000,000", "e 1,"),
    ({**LLAMA, "model_type": "cwm", "rope_theta": 7e7}, "rope_theta 70000000.0: not", "e 70,"),
    ({**QWEN3, "use_sliding_window": False, "attention_chunk_size": 64}, "size 64: not read", "Z"),
    ({"model_type": "cohere2_moe", "partial_rotary_factor": 0.5, "rope_parameters": LINEAR},
     "partial_rotary_factor 0.5: not read", "turned 64"),
    ({**LLAMA, "model_type": "unlimited_ocr_text", "head_dim": 64}, "head_dim 64: not", "head 64"),
    ({**LLAMA, "model_type": "gemma3_text", "original_max_position_embeddings": 64,
      "rope_scaling": YARN}, "original_max_position_embeddings 64: not read by", "th 64"),
    ({**LLAMA, "model_type": "mistral", "layer_types": PATTERN * 8, "sliding_window": 64},
     "layer_types in a file of mistral: transformers' AutoConfig takes", "!"),
    ({**LLAMA, "model_type": "ministral3", "layer_types": PATTERN * 8}, "rope_theta 50", ", win"),
    ({**LLAMA, "model_type": "gemma3_text", "rope_parameters": {"full": {"rope_theta": 7e7}}},
     "rope_parameters.full (an object): not read", "base 70,"),
    ({"model_type": "dots3_note_audio_encoder"}, "turned 32", "indexer"),
    ({"model_type": "phi3"}, "max_position_embeddings is absent: 4,096", "!"),
    ({"attn_config": {"alibi": True}, "d_model": 64, "n_heads": 4, "n_layers": 2},
     "read by its keys, as a model like MPT.", "!"),
    ({**BERT, "alibi": True}, "read by its keys, as ALiBi.", "!"),
    ({"model_type": "gpt2"}, "n_layer is absent: 12 is the default of gpt2.", "num_hidden_layers"),
    ({"model_type": "nemotron_h", "layers_block_type": ["mamba", "moe"], "hidden_size": 64,
      "num_attention_heads": 4}, "layers 1 mlp: none", "num_hidden_layers"),
    ({"model_type": "phi3", "rope_scaling": {"rope_type": "yarn", "factor": 2.0}},
     "at the top: the default of this family, 4,096, goes before", "may be"),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "words", "absent"), SAID)
def test_the_answer_has_the_words_that_a_report_needed(settings, words, absent):
    said = str(config(settings))
    assert words in said
    assert absent not in said
    assert absent != "!" or words not in str(config(LLAMA))


FACTORS = [[], [1.0], "1.0", [None] * 64, ["a"] * 64, [0.0] * 64, [math.nan] * 64]


@pytest.mark.parametrize("factors", [*FACTORS, None])
@pytest.mark.parametrize("inside", [False, True])
def test_strange_lists_of_factors_are_refused_in_a_sentence(factors, inside):
    for name in ("short_factor", "long_factor"):
        rule = {"rope_type": "longrope", "short_factor": [1.0] * 64, "long_factor": [2.0] * 64,
                "original_max_position_embeddings": 1024, name: factors}  # fmt: skip
        own = {**NEW, "rope_scaling": {"full_attention": rule} if inside else rule}
        with pytest.raises(Unreadable, match=r"factors?: "):
            config(own, 4096 if name == "long_factor" else None)
        if factors is None:  # of the list that a text of this length does not need
            assert str(config(own, None if name == "long_factor" else 4096))
