"""Rotary embeddings of other libraries, each with the layout that it follows."""

import numpy as np

from pecode import frequencies, rotate
from pecode.precision import bfloat16
from pecode.rotary import rotate_part, to_half
from tests.conformance.case import FLOAT32, load, sample, small

FEW = {"positions": [0, 1, 2, 31, 4999], "d_head": 8, "base": 10000.0}
MANY = {"positions": list(range(2048)), "d_head": 64, "base": 10000.0}


def tolerance(positions, d_head, base):
    """Their angles are float32; |x| is at most 1, so a pair is at most √2 long."""
    t = np.array(positions, dtype=np.float64)[:, None]
    return np.sqrt(2) * FLOAT32 * (4 + 2 * t)


def bfloat16_tolerance(**arguments):
    return 2.0**-8 + tolerance(**arguments)


def queries(positions, d_head):
    """The rows to be turned, shape (length, d_head); positions may have an axis in front."""
    return sample(np.shape(positions)[-1], d_head)


# Our side.


def turned(positions, d_head, base, layout):
    return rotate(queries(positions, d_head), positions, base, layout)


def interleaved_in_half_out(positions, d_head, base):
    """The pairs are neighbors in the checkpoint; the result has them a half apart."""
    return to_half(turned(positions, d_head, base, "interleaved"))


def first_quarter(positions, d_head, base, layout):
    """Only the first quarter of the columns is turned, with frequencies of that narrower width."""
    return rotate_part(queries(positions, d_head), positions, 0.25, base, layout)


def positions_in_bfloat16(positions, d_head, base):
    """Beyond 256 not every integer is a bfloat16: neighbors get the same angles."""
    rounded = bfloat16(np.array(positions)).astype(np.int64)
    return rotate(bfloat16(queries(positions, d_head)), rounded, base)


def frequencies_in_bfloat16(positions, d_head, base):
    """Off by up to one part in 256: the angles of far positions are another matter."""
    omega = bfloat16(frequencies(d_head, base)).astype(np.float64)
    return rotate(queries(positions, d_head), positions, layout="half", frequencies=omega)


# Their side. Most want (batch, heads, length, d_head).


def _heads(positions, d_head):
    torch = load("torch")
    x, t = torch.tensor(queries(positions, d_head)), torch.tensor(positions)
    return x[None, None], t[..., None, :]


def turned_by(positions, d_head, base, module, config, embedding, dtype="float32",
              apply="apply_rotary_pos_emb", **settings):  # fmt: skip
    x, t = _heads(positions, d_head)
    code, made = small(module, config, d_head, base, **settings)
    # To a type moves every buffer, the frequencies too.
    rotation = getattr(code, embedding)(made).to(getattr(load("torch"), dtype))
    return getattr(code, apply)(x, x, *rotation(x, t))[0][0, 0].numpy()


def llama4(positions, d_head, base):
    x, t = _heads(positions, d_head)
    code, made = small("llama4", "Llama4TextConfig", d_head, base)
    phasors = code.Llama4TextRotaryEmbedding(made)(x, t)  # complex
    x = x.transpose(1, 2)  # (batch, length, heads, d_head)
    return code.apply_rotary_emb(x, x, phasors)[0][0, :, 0].numpy()


def gptj(positions, d_head, base):
    x, _ = _heads(positions, d_head)
    code = load("transformers.models.gptj.modeling_gptj")
    table = code.create_sinusoidal_positions(max(positions) + 1, d_head)[None, positions]
    sin, cos = table.chunk(2, dim=-1)
    return code.apply_rotary_pos_emb(x.transpose(1, 2), sin, cos)[0, :, 0].numpy()


def roformer(positions, d_head, base):
    x, _ = _heads(positions, d_head)
    code = load("transformers.models.roformer.modeling_roformer")
    length = max(positions) + 1
    table = code.RoFormerSinusoidalPositionalEmbedding(length, d_head).create_weight()
    table = table[None, None, positions]
    attention = code.RoFormerSelfAttention
    return attention.apply_rotary_position_embeddings(table, x, x)[0][0, 0].numpy()


def rotary_embedding_torch(positions, d_head, base):
    x, t = _heads(positions, d_head)
    torch, code = load("torch"), load("rotary_embedding_torch")
    with torch.no_grad():
        angles = code.RotaryEmbedding(d_head, theta=base)(t[0].float())
        return code.apply_rotary_emb(angles, x)[0, 0].numpy()


def rotary_embedding_torch_bfloat16(positions, d_head, base):
    torch, code = load("torch"), load("rotary_embedding_torch")
    rows = torch.zeros(1, max(positions) + 1, d_head, dtype=torch.bfloat16)
    rows[0, positions] = torch.tensor(queries(positions, d_head)).bfloat16()
    turned = code.RotaryEmbedding(d_head, theta=base).rotate_queries_or_keys(rows)
    return turned[0, positions].float().detach().numpy()


def x_transformers(positions, d_head, base, share):
    x, t = _heads(positions, d_head)
    code = load("x_transformers.x_transformers")
    angles, scale = code.RotaryEmbedding(int(share * d_head), base=base)(t[0])
    return code.apply_rotary_pos_emb(x, angles, scale)[0, 0].numpy()


def diffusers(positions, d_head, base, unbind):
    x, t = _heads(positions, d_head)
    code = load("diffusers.models.embeddings")
    hands = code.get_1d_rotary_pos_embed(
        d_head, t[0], theta=base, use_real=True, repeat_interleave_real=unbind == -1
    )
    return code.apply_rotary_emb(x, hands, use_real_unbind_dim=unbind)[0, 0].numpy()


def keras_hub(positions, d_head, base):
    layer = load("keras_hub").layers.RotaryEmbedding(max_wavelength=base)
    x = queries(positions, d_head)[None]  # (batch, length, d_head)
    return np.asarray(layer(x, positions=np.array(positions, np.float32)))[0]
