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
from pecode.learned import LearnedEmbedding
from pecode.relative import (
    alibi_bias,
    alibi_slopes,
    clipped_relative_positions,
    relative_positions,
)
from pecode.rotary import rotate
from pecode.translation import fit_translation, similarity, translate, translation_matrix

__version__ = "0.1.0"

__all__ = [
    "LearnedEmbedding",
    "alibi_bias",
    "alibi_slopes",
    "attention_weights",
    "binary",
    "causal_mask",
    "clipped_relative_positions",
    "count",
    "fit_translation",
    "frequencies",
    "normalized_count",
    "relative_positions",
    "rotate",
    "self_attention",
    "similarity",
    "sine_only",
    "sinusoidal",
    "sinusoidal_table",
    "softmax",
    "translate",
    "translation_matrix",
    "wavelengths",
]
