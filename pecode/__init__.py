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
from pecode.translation import fit_translation, similarity, translate, translation_matrix

__version__ = "0.1.0"

__all__ = [
    "attention_weights",
    "binary",
    "causal_mask",
    "count",
    "fit_translation",
    "frequencies",
    "normalized_count",
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
