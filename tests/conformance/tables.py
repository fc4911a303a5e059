"""Sinusoidal tables of other libraries, each with the convention that it follows."""

import math
from functools import partial
from operator import attrgetter

import numpy as np

from pecode import sinusoidal
from tests.conformance.case import FLOAT32, load

FEW = {"positions": [0, 1, 2, 5, 31, 1000, 4999], "d_model": 8}
FEW_ODD = {"positions": [0, 1, 2, 5, 31, 1000, 4999], "d_model": 7}
MANY = {"positions": list(range(2048)), "d_model": 64}
MANY_ODD = {"positions": list(range(2048)), "d_model": 63}
# The first rows of a table: enough to name what it is
FIRST_ROWS = {"positions": list(range(12)), "d_model": 16}


# How far off they may be.


def rounded_once(positions, d_model):
    """Computed in float64, then rounded to float32: half a unit in the last place below 1."""
    return np.full((len(positions), 1), FLOAT32 / 2 + 1e-12)


def float32_angles(positions, d_model):
    """Computed in float32. An angle of t radians has been rounded, and so has its frequency.

    The fastest pairs have the largest angles, and the frequencies of the others the largest
    relative errors. Together that is at most about one rounding of the position itself.
    """
    t = np.abs(np.array(positions, dtype=np.float64))[:, None]  # (length, 1)
    return FLOAT32 * (2 + 2 * t)


# Our side: every convention is a call of `sinusoidal`, or a rearrangement of its columns.


concatenated = partial(sinusoidal, layout="concatenated")


def from_two(positions, d_model):
    return concatenated(np.array(positions) + 2, d_model, spacing="endpoint")


def cosines_first(positions, d_model, spacing="paper"):
    """All cosines, then all sines."""
    encoding = concatenated(positions, d_model, spacing=spacing)
    return np.roll(encoding, encoding.shape[-1] // 2, axis=-1)


def from_two_padded_with_zero(positions, d_model):
    """An odd width holds the encoding of the even width below it, and a column of zeros."""
    return np.pad(from_two(positions, d_model - 1), ((0, 0), (0, 1)))


def cut_to_odd_width(positions, d_model):
    """An odd width holds the encoding of the even width above it, less its last column."""
    return sinusoidal(positions, d_model + 1)[:, :d_model]


def divided_by_root(positions, d_model):
    return concatenated(positions, d_model) / math.sqrt(d_model)


def mae_grid(height, width, d_model):
    """Rows in the first half of the columns, columns of the grid in the second."""
    y, x = (axis.ravel() for axis in np.indices((height, width)))
    return np.hstack([concatenated(y, d_model // 2), concatenated(x, d_model // 2)])


# Their side.


def torch_formula(positions, d_model):
    torch = load("torch")
    frequencies = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    angles = torch.tensor(positions).unsqueeze(1) * frequencies
    table = torch.zeros(len(positions), d_model)
    table[:, 0::2], table[:, 1::2] = torch.sin(angles), torch.cos(angles)
    return table.numpy()


def distilbert(positions, d_model):
    table = load("torch").empty(max(positions) + 1, d_model)
    code = load("transformers.models.distilbert.modeling_distilbert")
    return code._create_sinusoidal_embeddings(len(table), d_model, table).numpy()[positions]


def rows_of_table(positions, d_model, module, function, then=None):
    """Some rows of a table that is made for all positions up to the last."""
    table = attrgetter(function)(load(module))(max(positions) + 1, d_model)
    return np.asarray(getattr(table, then)() if then else table)[positions]


def _added_to_zeros(positions, d_model, layer):
    """The rows that a layer adds to a text."""
    return layer(load("torch").zeros(1, max(positions) + 1, d_model))[0][positions].numpy()


def diffusers_module(positions, d_model):
    code = load("diffusers.models.embeddings")
    layer = code.SinusoidalPositionalEmbedding(d_model, max(positions) + 1)
    return _added_to_zeros(positions, d_model, layer)


def positional_encodings(positions, d_model):
    layer = load("positional_encodings.torch_encodings").PositionalEncoding1D(d_model)
    return _added_to_zeros(positions, d_model, layer)


def m2m_100(positions, d_model):
    torch, padding = load("torch"), 1
    code = load("transformers.models.m2m_100.modeling_m2m_100")
    length = max(positions) + 1
    table = code.M2M100SinusoidalPositionalEmbedding(length + 1 + padding, d_model, padding)
    words = torch.full((1, length), 7)  # any word that is no padding
    return table(words)[0].numpy()[positions]


def vit_mae(height, width, d_model):
    module = load("transformers.models.vit_mae.modeling_vit_mae")
    return module.build_2d_sinusoidal_position_embedding(height, width, d_model).numpy()


def timesteps(positions, d_model, flip, shift):
    times, module = load("torch").tensor(positions), load("diffusers.models.embeddings")
    return module.get_timestep_embedding(times, d_model, flip, shift).numpy()


def x_transformers(positions, d_model):
    torch, module = load("torch"), load("x_transformers.x_transformers")
    with torch.no_grad():
        table = module.ScaledSinusoidalEmbedding(d_model)
        return table(torch.zeros(1, 1, d_model), pos=torch.tensor(positions)).numpy()


def keras_hub(positions, d_model):
    layer = load("keras_hub").layers.SinePositionEncoding()
    zeros = np.zeros((1, len(positions), d_model), np.float32)
    return np.asarray(layer(zeros, positions=np.array(positions, np.float32)))[0]
