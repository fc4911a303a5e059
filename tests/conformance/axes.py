"""Grids, films, texts with pictures and times in other libraries, each with its conventions."""

import functools
import math
import types

import numpy as np

from pecode import axes, softmax
from tests.conformance.case import FLOAT32, load, sample
from tests.conformance.rotations import turned_by
from tests.conformance.tables import timesteps  # noqa: F401, among theirs

MANY_TIMES = {"positions": [k / 7 for k in range(7000)], "d_model": 64}


def rotated(times=1, **arguments):
    """Their angles are float32 of some hundreds; a pair is at most √2 long."""
    largest = max(max(arguments.get("shape", [0])), 600 if "parts" in arguments else 0)
    return times * np.sqrt(2) * FLOAT32 * (4 + 2 * largest)


def entries(**arguments):
    return FLOAT32 * (4 + 2 * max(arguments["shape"]))


def float32_times(positions, **_):
    return FLOAT32 * (4 + 4 * np.array(positions)[:, None])


# Our side.


def _rows(points, d_head):
    return sample(len(points), d_head)


def axial(shape, widths, base):
    points, omega = axes.grid_positions(shape), axes.axial_frequencies(widths, base)
    return axes.rotate_points(_rows(points, sum(widths)), points, omega)


def axial_halves(shape, d_head, base):
    """An axis for each half of the head, neighbors a pair."""
    return axial(shape, (d_head // 2, d_head // 2), base)


def _with_registers(n_first, points):
    """Class and register tokens stand at the point 0, in front of the patches."""
    return np.concatenate([np.zeros((n_first, points.shape[1])), points])


def normalized(shape, d_head, base, n_first=0):
    """Coordinates from -1 to 1, in turns; pairs a half apart."""
    points = _with_registers(n_first, axes.normalized_coordinates(shape))
    omega = math.tau * axes.axial_frequencies((d_head // 2, d_head // 2), base)
    return axes.rotate_points(_rows(points, d_head), points, omega, "half")


def attention_behind_registers(shape, d_head, base, n_first):
    points = _with_registers(n_first, axes.grid_positions(shape))
    x = _rows(points, d_head)
    turned = axes.rotate_points(x, points, axes.axial_frequencies((d_head // 2, d_head // 2), base))
    return softmax(turned @ turned.T / math.sqrt(d_head)) @ x


def mixed(shape, d_head, base):
    points, omega = axes.grid_positions(shape), axes.mixed_frequencies(d_head // 2, 2, base)
    return axes.rotate_points(_rows(points, d_head), points, omega)


def in_sections(parts, sections, base, interleaved):
    points, d_head = axes.joined_positions(parts), 2 * sum(sections)
    omega = axes.section_frequencies(d_head, sections, base, interleaved)
    return axes.rotate_points(_rows(points, d_head), points, omega, "half")


def mae(shape, d_model, base_size):
    return axes.grid_table(shape, d_model, style="mae")


def resized(shape, new_shape, align_corners):
    return axes.resize_table(sample(math.prod(shape), 2), shape, new_shape, align_corners)


def times(positions, d_model, flip, shift):
    options = {"flip_sin_to_cos": flip, "downscale_freq_shift": shift}
    return axes.timestep_embedding(positions, d_model, **options)


# Their side.


def _apply_rotary(x, cos, sin):
    torch, code = load("torch"), load("diffusers.models.embeddings")
    return code.apply_rotary_emb(torch.tensor(x)[None, None], (cos, sin))[0, 0].numpy()


def flux(shape, widths, base):
    torch, code = load("torch"), load("diffusers.models.transformers.transformer_flux")
    points = axes.grid_positions(shape)
    waves = code.FluxPosEmbed(base, widths)(torch.tensor(points))
    return _apply_rotary(_rows(points, sum(widths)), *waves)


def hunyuan_video(shape, widths, base):
    torch, code = load("torch"), load("diffusers.models.transformers.transformer_hunyuan_video")
    waves = code.HunyuanVideoRotaryPosEmbed(1, 1, widths, base)(torch.zeros(1, 1, *shape))
    return _apply_rotary(_rows(axes.grid_positions(shape), sum(widths)), *waves)


def wan(shape, widths, base):
    torch, code = load("torch"), load("diffusers.models.transformers.transformer_wan")
    made = code.WanRotaryPosEmbed(sum(widths), (1, 1, 1), 1024, base)
    assert [made.t_dim, made.h_dim, made.w_dim] == widths
    cos, sin = made(torch.zeros(1, 1, *shape))
    return _apply_rotary(_rows(axes.grid_positions(shape), sum(widths)), cos[0, :, 0], sin[0, :, 0])


def timm_axial(shape, d_head, base):
    torch, layers = load("torch"), load("timm.layers.pos_embed_sincos")
    sin, cos = layers.build_rotary_pos_embed(shape, dim=d_head, temperature=base, in_pixels=False)
    x = torch.tensor(_rows(axes.grid_positions(shape), d_head))
    return layers.apply_rot_embed(x, sin, cos).numpy()


def timm_mixed(shape, d_head, base):
    torch, layers = load("torch"), load("timm.layers.pos_embed_sincos")
    points = axes.grid_positions(shape)
    omega = torch.tensor(axes.mixed_frequencies(d_head // 2, 2, base).T).float()
    waves = layers.get_mixed_freqs(omega, *torch.tensor(points.T.copy()))
    return layers.apply_rot_embed_cat(torch.tensor(_rows(points, d_head)), waves).numpy()


def timm_table(shape, d_model, interleave):
    layers = load("timm.layers.pos_embed_sincos")
    return layers.build_sincos2d_pos_embed(shape, d_model, interleave_sin_cos=interleave).numpy()


def timm_attention(shape, d_head, base, n_first):
    """The queries, keys and values of its attention are the rows themselves."""
    torch, layers = load("torch"), load("timm.layers")
    sin, cos = layers.build_rotary_pos_embed(shape, dim=d_head, temperature=base, in_pixels=False)
    made = layers.AttentionRope(d_head, 1, qkv_bias=False, num_prefix_tokens=n_first)
    made.qkv.weight.data = torch.eye(d_head).repeat(3, 1)
    made.proj.weight.data, made.proj.bias.data = torch.eye(d_head), torch.zeros(d_head)
    x = torch.tensor(_rows(range(n_first + math.prod(shape)), d_head))
    with torch.no_grad():
        return made(x[None], rope=torch.cat([sin, cos], dim=-1))[0].numpy()


def dinov3(shape, d_head, base, n_first=0):
    torch, code = load("torch"), load("transformers.models.dinov3_vit.modeling_dinov3_vit")
    config = load("transformers.models.dinov3_vit").DINOv3ViTConfig(
        hidden_size=2 * d_head, num_attention_heads=2, patch_size=1, rope_theta=base
    )
    waves = code.DINOv3ViTRopePositionEmbedding(config).eval()(torch.zeros(1, 3, *shape))
    x = torch.tensor(_rows(range(n_first + math.prod(shape)), d_head))[None, None]
    return code.apply_rotary_pos_emb(x, x, *waves)[0][0, 0].numpy()


def qwen(parts, sections, base, **where):
    points = axes.joined_positions(parts).T  # (3, tokens)
    d_head = 2 * sum(sections)
    return turned_by(points, d_head, base, mrope_section=sections, **where)


def qwen_positions(parts):
    """The (time, row, column) of every token, as the model counts them; no weights are needed."""
    torch, code = load("torch"), load("transformers.models.qwen2_vl.modeling_qwen2_vl")
    model = code.Qwen2VLModel
    config = types.SimpleNamespace(vision_config=types.SimpleNamespace(spatial_merge_size=1))
    self = types.SimpleNamespace(config=config)
    self.get_vision_position_ids = functools.partial(model.get_vision_position_ids, None)
    kinds, grids = [], ([], [])  # of words 0, of pictures 1, of films 2
    for part in parts:
        if isinstance(part, int):
            kinds += [0] * part
        else:
            kinds += [1 + (part[0] > 1)] * math.prod(part)
            grids[part[0] > 1].append(part)
    kinds, grids = torch.tensor([kinds]), [torch.tensor(each).reshape(-1, 3) for each in grids]
    found, _ = model.get_rope_index(self, torch.zeros_like(kinds), kinds, *grids)
    return found[:, 0].T.numpy()


def diffusers_grid(shape, d_model, base_size):
    code = load("diffusers.models.embeddings")
    return code.get_2d_sincos_pos_embed(d_model, tuple(shape), base_size=base_size).numpy()


def detr(shape, d_model):
    torch, code = load("torch"), load("transformers.models.detr.modeling_detr")
    made = code.DetrSinePositionEmbedding(d_model // 2)
    table = made(torch.Size([1, 3, *shape]), "cpu", torch.float32)  # (1, d_model, rows, columns)
    return table[0].flatten(1).T.numpy()


def torch_resize(shape, new_shape, align_corners):
    torch = load("torch")
    grid = torch.tensor(sample(math.prod(shape), 2)).reshape(1, *shape, 2).movedim(-1, 1)
    resized = torch.nn.functional.interpolate(
        grid, new_shape, mode="bilinear", align_corners=align_corners
    )
    return resized[0].flatten(1).T.numpy()
