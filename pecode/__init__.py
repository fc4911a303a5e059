"""Positional encodings: the module behind "Positional Encoding, from Counting to Rotation"."""

from pecode.attention import attention_weights, causal_mask, self_attention, softmax
from pecode.encodings import (
    binary,
    count,
    frequencies,
    normalized_count,
    sine_only,
    sinusoidal,
    sinusoidal_table,
    wavelengths,
)
from pecode.lab.learned import LearnedEmbedding
from pecode.precision import bfloat16
from pecode.relative import (
    alibi_bias,
    alibi_slopes,
    by_offset,
    clipped_relative_positions,
    relative_key_scores,
    relative_positions,
    t5_bias,
    t5_buckets,
)
from pecode.rotary import rotate, to_half, to_interleaved
from pecode.scaling import (
    dynamic_ntk,
    interpolated,
    llama3,
    longrope,
    longrope_temperature,
    ntk_aware,
    yarn,
    yarn_temperature,
)
from pecode.translation import fit_translation, similarity, translate, translation_matrix

__version__ = "0.1.0"

__all__ = [
    "LearnedEmbedding",
    "alibi_bias",
    "alibi_slopes",
    "attention_weights",
    "bfloat16",
    "binary",
    "by_offset",
    "causal_mask",
    "clipped_relative_positions",
    "count",
    "dynamic_ntk",
    "fit_translation",
    "frequencies",
    "interpolated",
    "llama3",
    "longrope",
    "longrope_temperature",
    "normalized_count",
    "ntk_aware",
    "relative_key_scores",
    "relative_positions",
    "rotate",
    "self_attention",
    "similarity",
    "sine_only",
    "sinusoidal",
    "sinusoidal_table",
    "softmax",
    "t5_bias",
    "t5_buckets",
    "to_half",
    "to_interleaved",
    "translate",
    "translation_matrix",
    "wavelengths",
    "yarn",
    "yarn_temperature",
]
