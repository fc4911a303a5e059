"""What the code of each family of models knows about positions and its config does not say.

`recorded.json` holds what `tools/record_families.py` reads off transformers: defaults of classes,
the keys that their code looks at, patterns of layers. A row below adds what no program reads there,
and families of other libraries (diffusers 0.42.1, makers' own code). What a file says goes first.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources

# The same thing under the names of each family, the usual one first.
KEYS = {
    "width": "hidden_size n_embd d_model n_embed dim",
    "heads": "num_attention_heads n_head n_heads num_heads encoder_attention_heads "
    "decoder_num_attention_heads",
    "layers": "num_hidden_layers n_layer n_layers num_layers encoder_layers depth "
    "decoder_num_hidden_layers",
    "decoders": "decoder_layers num_decoder_layers num_layers num_hidden_layers",
    "head": "head_dim attention_head_dim kv_channels d_kv",
    "length": "max_position_embeddings n_positions max_seq_len max_sequence_length "
    "max_source_positions seq_length n_ctx model_max_length",
    "base": "rotary_emb_base rope_theta global_rope_theta rope_base rope_embedding_base "
    "rotary_base",
    "local base": "rope_local_base_freq local_rope_theta swa_rope_theta",
    "partial": "rotary_pct partial_rotary_factor rope_pct rotary_emb_fraction rotary_percent",
    "window": "sliding_window sliding_window_size local_attention attention_window_size",
    "axes": "axes_dims_rope rope_axes_dim axes_dim_rope axes_dims",
}


@dataclass(frozen=True)
class Family:
    """The scheme of positions, and the values that a config may leave out."""

    scheme: str = "rotary"  # or "ALiBi", "buckets", "learned", "sinusoidal", "relative", "none"
    base: float = 10000.0
    local_base: float | None = None  # of the layers with a window, where they have one of their own
    layout: str = "half"
    partial: float = 1.0
    defaults: Mapping = field(default_factory=dict)  # of keys, by the names of its class
    reads: frozenset | None = None  # the keys about positions that its code reads, where known
    ignores: tuple = ()  # keys that its class replaces by what it has itself
    rule: Mapping | None = None  # that of its class, for a file without one
    scaled: str = "all"  # the layers that a rule is for: "all", "full", or "kinds": one for each
    attention: tuple = ()  # kinds of the layers of a pattern and of the others, its name, numbers
    both_sides: bool = False  # a window reaches as far ahead as back
    indexer: str | None = None  # the layout of the keys by which sparse attention chooses
    switch: str = ""  # the key without which nothing turns
    unrotated: str = ""  # the layers without positions: "interval", "full", "all"
    stretched: bool = False  # its checkpoints were trained with their YaRN
    latent: bool = False  # a score has a turned part and one that is not
    rows: str = ""  # of a table: "length", "patches", "patches + class"
    offset: int = 0  # the row of position 0
    spacing: str = "paper"
    two_stacks: bool = False  # an encoder and a decoder with a table each
    axes: str = ""  # the names of the coordinates, where a token has several
    split: tuple | str = ()  # columns of a head for each axis, or a key of SPLITS in `axial.py`
    frames: int | None = None  # latent frames of the clips of the training
    span: str = ""  # "picture": coordinates run from -1 to 1, whatever the number of patches
    mrope_interleaved: bool = False  # the axes take pairs in turn, not section by section
    also: str = ""  # keys that the code of its makers reads, beside transformers
    note: str = ""  # a sentence for every file

    def default(self, what):
        """What its class takes where a file does not say it, or None."""
        names = KEYS.get(what, what).split()
        return next((self.defaults[name] for name in names if name in self.defaults), None)


# fmt: off
ROWS = {
    # --- rotary: code that transformers does not have
    "internlm2 xverse minicpm exaone baichuan hf_olmo internlm3 iquestcoder sarvam_moe": Family(),
    "phi-msft": Family(defaults={"n_positions": 2048}),
    "chatglm": Family(layout="interleaved", partial=0.5),
    # --- rotary: what no program reads in transformers
    "qwen3_vl_text qwen3_vl_moe_text qwen3_omni_moe_text qwen3_next qwen3_5_text qwen3_5_moe_text "
    "cosmos3_edge_text": Family(mrope_interleaved=True),
    "ernie4_5_vl_moe_text": Family(mrope_interleaved=True),
    "smollm3": Family(unrotated="interval"),
    "cohere2 cohere2_moe": Family(layout="interleaved", unrotated="full"),
    "exaone4 exaone_moe lara_mini flint kolibri1 afmoe": Family(unrotated="full"),
    "esm": Family(offset=2),
    "gptj codegen roformer deepseek_v2": Family(layout="interleaved"),
    "gemma3n_text gemma4_text gemma4_unified_text diffusion_gemma_text": Family(),
    "nomic_bert": Family(also="rotary_emb_base rotary_emb_fraction rotary_emb_interleaved "
                         "rotary_scaling_factor max_trained_positions n_positions"),
    "zamba2": Family(switch="use_mem_rope"),
    "olmo3 gpt_oss deepseek_v3 deepseek_v32 youtu axk1 glm4_moe_lite glm_moe_dsa "
    "mistral4": Family(stretched=True),
    "openai_privacy_filter llama4_text deepseek_v4": Family(layout="interleaved", stretched=True),
    "kimi_linear": Family(unrotated="all"),
    "qwen2_5_omni_dit": Family(layout="interleaved", note="Only the first head turns."),
    # --- no rotation in any layer
    "nemotron_h jamba zamba": Family("none"),
    "mamba mamba2 falcon_mamba rwkv xlstm": Family(
        "none", attention=("linear_attention", "", "all")),
    # --- a bias for each distance
    "bloom": Family("ALiBi"),
    "mpt": Family("ALiBi", also="alibi rope learned_pos_emb"),
    "t5 mt5 umt5 longt5 switch_transformers": Family("buckets", two_stacks=True),
    "deberta deberta-v2": Family("relative", rows="length"),
    # --- a trained table
    "gpt2 gpt_bigcode gpt_neo openai-gpt gpt-sw3 bert distilbert electra albert mobilebert "
    "convbert ernie layoutlm layoutlmv2 layoutxlm bert-generation": Family(
        "learned", rows="length"),
    "roberta xlm-roberta xlm-roberta-xl camembert roberta-prelayernorm longformer data2vec-text "
    "ibert layoutlmv3 luke mpnet xmod": Family("learned", rows="length", offset=2),
    "lilt markuplm": Family("learned", rows="length", offset=1),
    "opt biogpt": Family("learned", rows="length + 2", offset=2),
    "bart mbart plbart": Family("learned", rows="length + 2", offset=2, two_stacks=True),
    "clip_text_model": Family("learned", rows="length"),
    "siglip_text_model": Family("learned", rows="length"),
    "vit vit_msn dinov2 dinov2_with_registers": Family("learned", rows="patches + class"),
    "clip_vision_model": Family("learned", rows="patches + class"),
    "deit": Family("learned", rows="patches + class + distilled"),
    "vit_mae": Family("sinusoidal", layout="concatenated", axes="row column"),
    "beit data2vec-vision": Family("relative", rows="patches + class"),
    "siglip_vision_model": Family("learned", rows="patches"),
    # --- a table of sines and cosines
    "whisper": Family("sinusoidal", rows="length", layout="concatenated", spacing="endpoint",
                      two_stacks=True),
    "xglm": Family("sinusoidal", rows="any", offset=2, layout="concatenated", spacing="endpoint"),
    "m2m_100 nllb-moe": Family("sinusoidal", rows="any", offset=2, layout="concatenated",
                                    spacing="endpoint", two_stacks=True),
    "marian pegasus": Family("sinusoidal", rows="length", layout="concatenated", two_stacks=True),
    # --- images and videos, a coordinate for each axis (diffusers)
    "FluxTransformer2DModel ChromaTransformer2DModel": Family(
        layout="interleaved", axes="index row column", split=(16, 56, 56),
        defaults={"num_layers": 19, "num_single_layers": 38}),
    "Flux2Transformer2DModel": Family(
        base=2000.0, layout="interleaved", axes="frame row column token", split=(32, 32, 32, 32),
        defaults={"num_layers": 8, "num_single_layers": 48}),
    "QwenImageTransformer2DModel": Family(
        layout="interleaved", axes="frame row column", split=(16, 56, 56),
        defaults={"num_layers": 60}),
    "HunyuanVideoTransformer3DModel": Family(
        base=256.0, layout="interleaved", axes="frame row column", split=(16, 56, 56), frames=33,
        defaults={"num_layers": 20, "num_single_layers": 40}),
    "WanTransformer3DModel": Family(
        layout="interleaved", axes="frame row column", split="sixths", frames=21,
        defaults={"num_layers": 40}),
    "CogVideoXTransformer3DModel": Family(
        layout="interleaved", axes="frame row column", split="eighths",
        defaults={"num_layers": 30}),
    "CogView4Transformer2DModel": Family(
        axes="row column", split="halves", defaults={"num_layers": 30}),
    "LTXVideoTransformer3DModel LTX2VideoTransformer3DModel": Family(
        layout="interleaved", axes="frame row column",
        defaults={"num_layers": 28, "attention_head_dim": 64}),
    # --- images (transformers), also as parts of models that read text
    "dinov3_vit eomt_dinov3": Family(base=100.0, axes="row column", split="halves", span="picture"),
    "qwen2_vl_vision qwen2_5_vl_vision qwen2_5_omni_vision_encoder qwen3_vl_vision "
    "qwen3_vl_moe_vision qwen3_omni_moe_vision_encoder qwen3_5_vision qwen3_5_moe_vision "
    "qwen4_exp_vision glm4v_vision glm4v_moe_vision glm_ocr_vision glm5_next_vision "
    "ernie4_5_vl_moe_vision paddleocr_vl_vision video_llama_3_vision exaone4_5_vision "
    "cohere_compass_vision dots3_note_vision_encoder dots_ocr_vision mlcd "
    "mlcd_vision_model": Family(axes="row column", split="halves"),
    "gemma4_vision": Family(base=100.0, axes="row column", split="halves"),
    "step3p5_vision": Family(axes="column row", split="halves"),
    "sam3_vit_model": Family(layout="interleaved", axes="row column", split="halves"),
    "inkling2_vision llama4_vision_model": Family(
        layout="interleaved", axes="column row", split="halves"),
    "pixtral": Family(axes="row column", split="alternating"),
}
# fmt: on
SAME = {  # makers' names of code that transformers has
    "Yi": "llama",
    "aquila": "llama",
    "mimo": "qwen2",
    "dots_ocr": "qwen2",
    "phi3_v": "phi3",
    "kimi_k2": "deepseek_v3",
    "stablelm_epoch": "stablelm",
    "RefinedWeb": "falcon",
    "RefinedWebModel": "falcon",
    "exaone4_5_text": "exaone4",
    "ernie4_5_moe_vl": "ernie4_5_vl_moe_text",
}  # fmt: skip


def _families():
    """Rows by model type, what was recorded first, and under it what a row adds."""
    record = json.loads(resources.files(__package__).joinpath("recorded.json").read_text("utf-8"))
    usual, found = vars(Family()), {}
    rows = {name: row for names, row in ROWS.items() for name in names.split()}
    for names, facts in record["families"].items():
        facts = {**facts, "reads": frozenset(record["reads"][facts["reads"]].split())}
        for name in names.split():
            row = vars(rows.pop(name, Family()))
            found[name] = Family(
                **{**usual, **facts, **{k: v for k, v in row.items() if v != usual[k]}}
            )
    found |= rows
    outer = {name: found[text] for text, names in record["outer"].items() for name in names.split()}
    same = {name: found[other] for name, other in SAME.items()}
    return outer | same | found, record["transformers"]


FAMILIES, TRANSFORMERS = _families()
