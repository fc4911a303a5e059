"""What the code of each family of models knows and its config does not say: one row a family.

Read from transformers 5.23.0, and for the rows marked so from diffusers 0.42.1. A row says what
holds where the file is silent; what it says itself always goes first.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Family:
    """One row: the scheme of positions, and the values that a config may leave out."""

    scheme: str = "rotary"  # or "ALiBi", "buckets", "learned", "sinusoidal", "relative", "none"
    base: float = 10000.0
    local_base: float | None = None  # of the layers with a window, where they have one of their own
    layout: str = "half"
    partial: float = 1.0
    reads_partial: bool = False  # whether rotary without a rule looks at partial_rotary_factor
    head_dim: int | None = None  # None: the width divided by the number of heads
    length: int | None = None
    original: int | None = None  # the length before stretching, which goes before that of the rule
    n_layers: int | None = None
    sizes: tuple = ()  # width, heads, layers (image, patch) of its class: old files lack them
    switch: str = ""  # the key without which nothing turns
    window: int | None = None
    needs_rule: bool = False  # its rule has no usual form, so a config must say it
    attention: str = "full"  # which layers see how far: a key of ATTENTION in `patterns.py`
    period: int | None = None  # of that pattern, in layers
    unrotated: str = ""  # the layers without positions: "interval", "full", "all"
    scaled: str = "all"  # the layers that rope_scaling is for: "all" or "full"
    stretched: bool = False  # its checkpoints were trained with their YaRN
    decoupled: bool = False  # latent attention: a score has a turned part and one that is not
    head_parts: tuple = ()  # of such a head: columns that do not turn, and columns that do
    rows: str = ""  # of a table: "length", "patches", "patches + class"
    offset: int = 0  # the row of position 0
    spacing: str = "paper"
    two_stacks: bool = False  # an encoder and a decoder with a table each
    axes: str = ""  # the names of the coordinates, where a token has several
    split: tuple | str = ()  # columns of a head for each axis, or a key of SPLITS in `axial.py`
    frames: int | None = None  # latent frames of the clips of the training
    n_single: int | None = None  # blocks of a second kind, which turn as the others do
    span: str = ""  # "picture": coordinates run from -1 to 1, whatever the number of patches
    mrope_interleaved: bool = False  # the axes take pairs in turn, not section by section
    unread: str = ""  # a key of its configs that its code does not look at

    def size(self, what):
        """The default of its class for a size, or None."""
        names = ("width", "heads", "layers", "image_size", "patch_size")
        return dict(zip(names, self.sizes, strict=False)).get(what)


# fmt: off
ROWS = {
    # --- rotary, all columns, halves
    "llama": Family(length=2048, sizes=(4096, 32, 32)),
    "mistral voxtral_realtime_text": Family(
        attention="sliding", length=131072, window=4096, sizes=(4096, 32, 32)),
    "starcoder2": Family(attention="sliding", length=4096),
    "mixtral": Family(base=1000000.0, attention="sliding", length=131072, sizes=(4096, 32, 32)),
    "qwen2": Family(attention="late sliding", length=32768, sizes=(4096, 32, 32)),
    "qwen2_moe": Family(attention="late sliding", length=32768),
    "qwen2_vl qwen2_5_vl qwen2_vl_text qwen2_5_vl_text qwen2_5_omni_text": Family(
        base=1000000.0, attention="late sliding", length=32768),
    "qwen3": Family(head_dim=128, attention="late sliding", length=32768),
    "qwen3_moe": Family(attention="late sliding"),
    "emu3_text_model phimoe": Family(base=1000000.0),
    "qwen3_omni_moe_text": Family(base=1000000.0, mrope_interleaved=True),
    "qwen3_vl_text": Family(base=500000.0, head_dim=128, mrope_interleaved=True),
    "qwen3_vl_moe_text": Family(base=500000.0, mrope_interleaved=True),
    "internlm2 Yi aquila xverse olmo olmo2 olmoe granite granitemoe "
    "granitemoeshared arcee doge diffllama hunyuan_v1_dense hunyuan_v1_moe dots1 "
    "nanochat eurobert idefics chameleon minicpm exaone mimo aria_text esmc "
    "hunyuan_vl_text granite_docling_text hyperclovax granite4_vision_text falcon_h1 "
    "baichuan hf_olmo": Family(),
    "smollm3": Family(base=2000000.0, length=32768, unrotated="interval", period=4),
    "bitnet mllama_text_model flex_olmo csm evolla": Family(base=500000.0),
    "apertus": Family(base=12000000.0, needs_rule=True),
    "gte": Family(base=160000.0),
    "jina_embeddings_v3": Family(base=20000.0),
    "internlm3 seed_oss jetmoe molmo2_text": Family(head_dim=128),
    "ministral3": Family(head_dim=128, needs_rule=True),
    "cwm": Family(base=1000000.0, head_dim=128, needs_rule=True),
    "esm": Family(length=1026, offset=2),
    "dbrx falcon RefinedWeb RefinedWebModel": Family(length=2048),
    "gemma": Family(head_dim=256, length=8192, sizes=(3072, 16, 28)),
    "gemma2 vaultgemma": Family(head_dim=256, length=8192, attention="nth full", period=2,
                                window=4096),
    "gemma3 gemma3_text t5gemma2_text": Family(
        base=1000000.0, local_base=10000.0, head_dim=256, length=131072, attention="nth full",
        period=6, window=4096, scaled="full"),
    "gemma3n gemma3n_text": Family(
        base=1000000.0, local_base=10000.0, head_dim=256, length=32768, attention="nth full",
        period=5, window=512, scaled="full"),
    "gemma4 gemma4_text gemma4_unified_text": Family(
        head_dim=256, attention="nth full", period=6, window=512, needs_rule=True),
    "modernbert modernbert-decoder": Family(
        base=160000.0, local_base=10000.0, length=8192, attention="first of n full", period=3,
        window=64),
    "olmo3": Family(base=500000.0, attention="nth full", period=4, window=4096, scaled="full",
                    stretched=True),
    "gpt_oss": Family(base=150000.0, head_dim=64, attention="nth full", period=2, window=128,
                      needs_rule=True, stretched=True),
    "exaone4 exaone4_5_text exaone_moe": Family(
        attention="nth full", period=4, window=4096, unrotated="full"),
    "flint kolibri1": Family(attention="hybrid", window=513, unrotated="full"),
    "afmoe": Family(attention="nth full", period=4, window=1024, unrotated="full", head_dim=128),
    "lfm2 lfm2_moe minimax": Family(base=1000000.0, attention="hybrid"),
    "minicpm3": Family(decoupled=True, head_parts=(64, 32)),
    "nomic_bert": Family(base=1000.0, reads_partial=True),
    "granitemoehybrid olmo_hybrid": Family(attention="hybrid"),
    "zamba2": Family(attention="hybrid", switch="use_mem_rope"),
    # --- rotary, some of the columns
    "gpt_neox": Family(partial=0.25, reads_partial=True, length=2048),
    "gpt_neox_japanese": Family(reads_partial=True, attention="sliding"),
    "phi3 phi4_multimodal phi3_v": Family(reads_partial=True, attention="sliding", original=4096),
    "phi": Family(partial=0.5, reads_partial=True, length=2048),
    "phi-msft": Family(reads_partial=True, length=2048),
    "stablelm stablelm_epoch": Family(partial=0.25, reads_partial=True, length=4096),
    "persimmon": Family(partial=0.5, reads_partial=True),
    "nemotron": Family(partial=0.5, reads_partial=True, length=4096),
    "bamba": Family(partial=0.5, reads_partial=True, attention="hybrid"),
    "recurrent_gemma": Family(partial=0.5, reads_partial=True, attention="sliding"),
    "glm4_moe glm4v_moe_text": Family(partial=0.5, reads_partial=True, length=131072),
    "qwen3_next qwen3_5_text qwen3_5_moe_text qwen3_5 qwen3_5_moe": Family(
        partial=0.25, reads_partial=True, head_dim=256, attention="nth attends", period=4,
        mrope_interleaved=True),
    "minimax_m2": Family(base=5000000.0, reads_partial=True, head_dim=128),
    "minimax_m3_vl_text": Family(
        base=5000000.0, reads_partial=True, head_dim=128, unread="rotary_dim"),
    "mimo_v2_flash": Family(reads_partial=True, needs_rule=True, head_dim=192),
    "laguna mellum": Family(reads_partial=True, needs_rule=True, head_dim=128),
    "solar_open": Family(base=1000000.0, reads_partial=True, head_dim=128),
    # --- rotary, neighboring columns
    "gptj codegen": Family(layout="interleaved", reads_partial=True, length=2048),
    "moonshine": Family(layout="interleaved", partial=0.9, reads_partial=True, length=512),
    "moonshine_streaming": Family(
        layout="interleaved", partial=0.8, reads_partial=True, length=4096),
    "openai_privacy_filter": Family(base=150000.0, layout="interleaved", head_dim=64,
                                    attention="sliding", needs_rule=True, stretched=True),
    "glm glm4": Family(
        layout="interleaved", partial=0.5, reads_partial=True, head_dim=128, length=131072),
    "chatglm": Family(layout="interleaved", partial=0.5, reads_partial=True),
    "glm4v_text glm_ocr_text glm4v": Family(layout="interleaved", reads_partial=True),
    "cohere": Family(base=500000.0, layout="interleaved", length=8192),
    "cohere2": Family(layout="interleaved", attention="nth full", period=4, window=4096,
                      unrotated="full"),
    "cohere2_moe": Family(layout="interleaved", attention="nth full", period=4, window=4096,
                          unrotated="full", head_dim=128),
    "ernie4_5": Family(base=500000.0, layout="interleaved", head_dim=128),
    "ernie4_5_moe blt_local_encoder blt_local_decoder blt_global_transformer": Family(
        base=500000.0, layout="interleaved"),
    "ernie4_5_vl_moe_text ernie4_5_vl_moe ernie4_5_moe_vl": Family(
        base=500000.0, layout="interleaved", mrope_interleaved=True),
    "helium": Family(base=100000.0, layout="interleaved", head_dim=128),
    "roformer blt_patcher": Family(layout="interleaved"),
    "llama4 llama4_text": Family(base=500000.0, head_dim=128, layout="interleaved",
                                 attention="chunked", unrotated="interval", period=4,
                                 stretched=True),
    # --- rotary beside a part of the head that is not turned
    "deepseek_v2 deepseek_v3 deepseek_v32 youtu axk1": Family(
        layout="interleaved", decoupled=True, head_parts=(128, 64), stretched=True),
    "kimi_k2": Family(layout="interleaved", decoupled=True, stretched=True),
    "longcat_flash": Family(
        base=10000000.0, layout="interleaved", decoupled=True, head_parts=(128, 64)),
    "mistral4": Family(layout="interleaved", decoupled=True, head_parts=(64, 64), needs_rule=True,
                       stretched=True),
    "glm4_moe_lite glm_moe_dsa": Family(
        layout="interleaved", decoupled=True, head_parts=(192, 64), stretched=True),
    "deepseek_v4": Family(layout="interleaved", partial=0.125, reads_partial=True, head_dim=512,
                          local_base=10000.0, attention="compressed", stretched=True),
    "kimi_linear": Family(unrotated="all", decoupled=True, head_parts=(128, 64)),
    # --- no rotation in any layer
    "nemotron_h jamba zamba": Family("none", attention="hybrid"),
    "mamba mamba2 falcon_mamba rwkv xlstm": Family("none", attention="none"),
    # --- a bias for each distance
    "bloom mpt": Family("ALiBi"),
    "t5 mt5 umt5 longt5 switch_transformers": Family("buckets", two_stacks=True),
    "deberta deberta-v2": Family("relative", rows="length"),
    # --- a trained table
    "gpt2 gpt_bigcode gpt_neo openai-gpt gpt-sw3 bert distilbert electra albert mobilebert "
    "convbert ernie layoutlm bert-generation": Family("learned", rows="length"),
    "roberta xlm-roberta xlm-roberta-xl camembert roberta-prelayernorm longformer data2vec-text "
    "ibert layoutlmv3 luke mpnet xmod": Family("learned", rows="length", offset=2),
    "lilt markuplm": Family("learned", rows="length", offset=1),
    "opt biogpt": Family("learned", rows="length + 2", offset=2),
    "bart mbart plbart": Family("learned", rows="length + 2", offset=2, two_stacks=True),
    "clip_text_model": Family("learned", rows="length", length=77, sizes=(512, 8, 12)),
    "siglip_text_model": Family("learned", rows="length", length=64, n_layers=12),
    "vit vit_msn dinov2 dinov2_with_registers": Family("learned", rows="patches + class"),
    "clip_vision_model": Family("learned", rows="patches + class", sizes=(768, 12, 12, 224, 32)),
    "deit": Family("learned", rows="patches + class + distilled"),
    "vit_mae": Family("sinusoidal", layout="concatenated", axes="row column"),
    "beit data2vec-vision": Family("relative", rows="patches + class"),
    "siglip_vision_model": Family("learned", rows="patches", sizes=(768, 12, 12, 224, 16)),
    # --- a table of sines and cosines
    "whisper": Family("sinusoidal", rows="length", layout="concatenated", spacing="endpoint",
                      two_stacks=True),
    "xglm": Family("sinusoidal", rows="any", offset=2, layout="concatenated", spacing="endpoint"),
    "m2m_100 nllb-moe": Family("sinusoidal", rows="any", offset=2, layout="concatenated",
                                    spacing="endpoint", two_stacks=True),
    "marian pegasus": Family("sinusoidal", rows="length", layout="concatenated", two_stacks=True),
    # --- images and videos, a coordinate for each axis (diffusers)
    "FluxTransformer2DModel ChromaTransformer2DModel": Family(
        layout="interleaved", axes="index row column", split=(16, 56, 56), n_layers=19,
        n_single=38),
    "Flux2Transformer2DModel": Family(
        base=2000.0, layout="interleaved", axes="frame row column token", split=(32, 32, 32, 32),
        n_layers=8, n_single=48),
    "QwenImageTransformer2DModel": Family(
        layout="interleaved", axes="frame row column", split=(16, 56, 56), n_layers=60),
    "HunyuanVideoTransformer3DModel": Family(
        base=256.0, layout="interleaved", axes="frame row column", split=(16, 56, 56), frames=33,
        n_layers=20, n_single=40),
    "WanTransformer3DModel": Family(
        layout="interleaved", axes="frame row column", split="sixths", frames=21, n_layers=40),
    "CogVideoXTransformer3DModel": Family(
        layout="interleaved", axes="frame row column", split="eighths", n_layers=30),
    "CogView4Transformer2DModel": Family(
        axes="row column", split="halves", n_layers=30),
    "LTXVideoTransformer3DModel LTX2VideoTransformer3DModel": Family(
        layout="interleaved", axes="frame row column", n_layers=28, head_dim=64),
    # --- images (transformers), also as parts of models that read text
    "dinov3_vit eomt_dinov3": Family(base=100.0, axes="row column", split="halves", span="picture"),
    "qwen2_vl_vision qwen2_5_vl_vision qwen2_5_omni_vision_encoder qwen3_vl_vision "
    "qwen3_vl_moe_vision qwen3_omni_moe_vision_encoder qwen3_5_vision qwen3_5_moe_vision "
    "qwen4_exp_vision glm4v_vision glm4v_moe_vision glm_ocr_vision glm5_next_vision "
    "ernie4_5_vl_moe_vision paddleocr_vl_vision video_llama_3_vision exaone4_5_vision "
    "cohere_compass_vision dots3_note_vision_encoder mlcd_vision_model mlcd": Family(
        axes="row column", split="halves"),
    "gemma4_vision": Family(base=100.0, axes="row column", split="halves"),
    "step3p5_vision": Family(axes="column row", split="halves"),
    "sam3_vit_model": Family(layout="interleaved", axes="row column", split="halves"),
    "inkling2_vision llama4_vision_model": Family(
        layout="interleaved", axes="column row", split="halves"),
    "pixtral": Family(axes="row column", split="alternating"),
}
# fmt: on

FAMILIES = {name: family for names, family in ROWS.items() for name in names.split()}
