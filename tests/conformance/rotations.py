"""Rotary embeddings of other libraries, each with the layout that it follows."""

import numpy as np

from pecode import frequencies, rotate
from pecode.precision import bfloat16
from pecode.rotary import rotate_part, to_half
from tests.conformance.case import FLOAT32, HF, Case, load, sample

FEW = {"positions": [0, 1, 2, 31, 4999], "d_head": 8, "base": 10000.0}
FEW_500000 = FEW | {"base": 500000.0}
MANY = {"positions": list(range(2048)), "d_head": 64, "base": 10000.0}
MANY_500000 = MANY | {"base": 500000.0}


def tolerance(positions, d_head, base):
    """Their angles are float32; |x| is at most 1, so a pair is at most √2 long."""
    t = np.array(positions, dtype=np.float64)[:, None]
    return np.sqrt(2) * FLOAT32 * (4 + 2 * t)


def queries(positions, d_head):
    """The rows to be turned, shape (length, d_head)."""
    return sample(len(positions), d_head)


# Our side.


def interleaved(positions, d_head, base):
    return rotate(queries(positions, d_head), positions, base)


def half(positions, d_head, base):
    return rotate(queries(positions, d_head), positions, base, layout="half")


def interleaved_in_half_out(positions, d_head, base):
    """The pairs are neighbors in the checkpoint; the result has them a half apart."""
    return to_half(interleaved(positions, d_head, base))


def first_quarter(layout):
    """Only the first quarter of the columns is turned, with frequencies of that narrower width."""

    def ours(positions, d_head, base):
        return rotate_part(queries(positions, d_head), positions, 0.25, base, layout)

    return ours


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
    return torch.tensor(queries(positions, d_head))[None, None], torch.tensor([positions])


def _of_transformers(module, config, d_head, base, **settings):
    """The code of a model, and its configuration with a head of this width."""
    rope = {"rope_type": "default", "rope_theta": base} | settings
    made = getattr(load(f"transformers.models.{module}"), config)(
        hidden_size=2 * d_head, num_attention_heads=2, head_dim=d_head, rope_parameters=rope
    )
    return load(f"transformers.models.{module}.modeling_{module}"), made


def _turned_by(module, config, embedding, apply="apply_rotary_pos_emb", dtype=None, **settings):
    def theirs(positions, d_head, base):
        x, t = _heads(positions, d_head)
        code, made = _of_transformers(module, config, d_head, base, **settings)
        rotation = getattr(code, embedding)(made)
        if dtype:  # moves every buffer, the frequencies too
            rotation = rotation.to(getattr(load("torch"), dtype))
        return getattr(code, apply)(x, x, *rotation(x, t))[0][0, 0].numpy()

    return theirs


def llama4(positions, d_head, base):
    x, t = _heads(positions, d_head)
    code, made = _of_transformers("llama4", "Llama4TextConfig", d_head, base)
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


def x_transformers(share):
    def theirs(positions, d_head, base):
        x, t = _heads(positions, d_head)
        code = load("x_transformers.x_transformers")
        angles, scale = code.RotaryEmbedding(int(share * d_head), base=base)(t[0])
        return code.apply_rotary_pos_emb(x, angles, scale)[0, 0].numpy()

    return theirs


def diffusers(unbind):
    def theirs(positions, d_head, base):
        x, t = _heads(positions, d_head)
        code = load("diffusers.models.embeddings")
        hands = code.get_1d_rotary_pos_embed(
            d_head, t[0], theta=base, use_real=True, repeat_interleave_real=unbind == -1
        )
        return code.apply_rotary_emb(x, hands, use_real_unbind_dim=unbind)[0, 0].numpy()

    return theirs


def keras_hub(positions, d_head, base):
    layer = load("keras_hub").layers.RotaryEmbedding(max_wavelength=base)
    x = queries(positions, d_head)[None]  # (batch, length, d_head)
    return np.asarray(layer(x, positions=np.array(positions, np.float32)))[0]


def _rotation(name, function, theirs, ours, few=FEW, many=MANY):
    return Case(name, function, theirs, ours, few, many, tolerance)


CASES = [
    _rotation("Llama: half", HF.format("llama") + "apply_rotary_pos_emb",
              _turned_by("llama", "LlamaConfig", "LlamaRotaryEmbedding"), half, FEW_500000,
              MANY_500000),
    _rotation("GPT-NeoX: half, the first quarter of the columns",
              HF.format("gpt_neox") + "apply_rotary_pos_emb",
              _turned_by("gpt_neox", "GPTNeoXConfig", "GPTNeoXRotaryEmbedding",
                         partial_rotary_factor=0.25),
              first_quarter("half"), FEW | {"d_head": 16}),
    _rotation("x-transformers: interleaved, the first quarter of the columns",
              "x_transformers.x_transformers.apply_rotary_pos_emb", x_transformers(0.25),
              first_quarter("interleaved"), FEW | {"d_head": 16}),
    _rotation("Cohere: interleaved", HF.format("cohere") + "apply_rotary_pos_emb",
              _turned_by("cohere", "CohereConfig", "CohereRotaryEmbedding"), interleaved),
    _rotation("Llama 4: interleaved, as complex numbers",
              HF.format("llama4") + "apply_rotary_emb", llama4, interleaved, FEW_500000,
              MANY_500000),
    _rotation("DeepSeek-V3: interleaved in, half out",
              HF.format("deepseek_v3") + "apply_rotary_pos_emb_interleave",
              _turned_by("deepseek_v3", "DeepseekV3Config", "DeepseekV3RotaryEmbedding",
                         "apply_rotary_pos_emb_interleave"),
              interleaved_in_half_out),
    _rotation("GPT-J and CodeGen: interleaved", HF.format("gptj") + "apply_rotary_pos_emb", gptj,
              interleaved),
    _rotation("RoFormer: interleaved",
              HF.format("roformer") + "RoFormerSelfAttention.apply_rotary_position_embeddings",
              roformer, interleaved),
    _rotation("rotary-embedding-torch: interleaved", "rotary_embedding_torch.apply_rotary_emb",
              rotary_embedding_torch, interleaved),
    _rotation("diffusers, use_real_unbind_dim=-1: interleaved",
              "diffusers.models.embeddings.apply_rotary_emb", diffusers(-1), interleaved),
    _rotation("diffusers, use_real_unbind_dim=-2: half",
              "diffusers.models.embeddings.apply_rotary_emb", diffusers(-2), half),
    _rotation("Keras: half", "keras_hub.layers.RotaryEmbedding", keras_hub, half),
    # Two traps: what is meant for the activations is done to positions and frequencies too.
    Case("rotary-embedding-torch with bfloat16 queries: positions are rounded to bfloat16",
         "rotary_embedding_torch.RotaryEmbedding.rotate_queries_or_keys",
         rotary_embedding_torch_bfloat16, positions_in_bfloat16,
         FEW | {"positions": [0, 31, 255, 256, 257, 258, 259, 4999]}, MANY,
         lambda positions, d_head, base: 2.0**-8 + tolerance(positions, d_head, base)),
    _rotation("Llama after .to(bfloat16): frequencies are rounded to bfloat16",
              HF.format("llama") + "LlamaRotaryEmbedding",
              _turned_by("llama", "LlamaConfig", "LlamaRotaryEmbedding", dtype="bfloat16"),
              frequencies_in_bfloat16, FEW_500000 | {"d_head": 32}, MANY_500000),
]  # fmt: skip
