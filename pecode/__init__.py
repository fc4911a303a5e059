"""Positional encodings in numpy: the code of "Positional Encoding, from Counting to Rotation".

Begin with `pecode/formulas.py`: every formula as a few lines of numpy, on one page. The functions
here compute the same, and check their arguments: what is refused raises a `ValueError` or a
`TypeError` that names the argument, what was expected, and what came.
"""

from pecode.attention import attention_weights, causal_mask, self_attention, softmax
from pecode.axes import (
    axial_frequencies,
    grid_positions,
    grid_table,
    joined_positions,
    laplacian_vectors,
    mixed_frequencies,
    normalized_coordinates,
    periodic_frequencies,
    resize_table,
    rotate_points,
    section_frequencies,
    timestep_embedding,
)
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
from pecode.rotary import rotate, rotate_part, to_half, to_interleaved
from pecode.scaling import (
    dynamic_ntk,
    interpolated,
    llama3,
    longrope,
    longrope_temperature,
    ntk_aware,
    proportional,
    yarn,
    yarn_scales,
    yarn_temperature,
)
from pecode.translation import fit_translation, similarity, translate, translation_matrix

__version__ = "0.2.0"

__all__ = [
    "alibi_bias",
    "alibi_slopes",
    "attention_weights",
    "axial_frequencies",
    "bfloat16",
    "binary",
    "by_offset",
    "causal_mask",
    "clipped_relative_positions",
    "count",
    "dynamic_ntk",
    "fit_translation",
    "frequencies",
    "grid_positions",
    "grid_table",
    "interpolated",
    "joined_positions",
    "laplacian_vectors",
    "llama3",
    "longrope",
    "longrope_temperature",
    "mixed_frequencies",
    "normalized_coordinates",
    "normalized_count",
    "ntk_aware",
    "periodic_frequencies",
    "proportional",
    "relative_key_scores",
    "relative_positions",
    "resize_table",
    "rotate",
    "rotate_part",
    "rotate_points",
    "section_frequencies",
    "self_attention",
    "similarity",
    "sine_only",
    "sinusoidal",
    "sinusoidal_table",
    "softmax",
    "t5_bias",
    "t5_buckets",
    "timestep_embedding",
    "to_half",
    "to_interleaved",
    "translate",
    "translation_matrix",
    "wavelengths",
    "yarn",
    "yarn_scales",
    "yarn_temperature",
]
