"""Layers whose tokens have several coordinates: frames, rows and columns."""

from typing import Any

import numpy as np

from pecheck.configuration.settings import Settings, Unreadable, integer, listed, real
from pecode._check import require
from pecode.encodings import frequencies

# Columns of a head for each axis, where no key says them
SPLITS: dict[str, Any] = {
    "sixths": lambda head: (head - 4 * (head // 6), 2 * (head // 6), 2 * (head // 6)),
    "eighths": lambda head: (head // 4, 3 * (head // 8), 3 * (head // 8)),
    "halves": lambda head: (head // 2, head // 2),
    "alternating": lambda head: (head // 2, head // 2),  # of one ladder, pair by pair
}


def axial(settings: Settings, length: int | None = None) -> dict[str, Any]:
    """The fields of a layer with a ladder for each axis; diffusers' blocks are all alike."""
    family, own = settings.family, settings.own
    if length is not None:
        settings.says("length of axes")
    blocks = settings.usual("layers", 0)
    if blocks is None:
        settings.says("no layers")
    blocks = (blocks or 0) + (settings.usual("num_single_layers", 0) or 0)  # Flux has a second kind
    fields = {
        "kind": "full_attention",
        "indices": tuple(range(blocks)),
        "layout": family.layout,
        "axes": tuple(family.axes.split()),
        "grid": _grid(settings),
        "rule": "default",
    }
    if family.scheme == "sinusoidal" or own.get("use_rotary_positional_embeddings") is False:
        return {**fields, **_table(settings)}
    for name in ("num_position_embeddings", "position_embedding_size"):
        if own.get(name):
            settings.says("table beside", name, own[name])
    head = _head(settings)
    widths = _widths(settings, head)
    rope, key = own.get("rope_parameters") or {}, settings.key("base")
    base = family.base if key is None else real(key, own[key], 1)
    if rope.get("rope_theta") is not None:
        base = real("rope_theta", rope["rope_theta"], 1)
    omegas = [frequencies(n, base) for n in widths]
    if family.split == "alternating":
        omega = frequencies(head, base)
        omegas = [omega[0::2], omega[1::2]]
    omega = np.concatenate(omegas)
    if family.span == "picture":  # it reaches from -1 to 1, whatever the number of patches
        side = patches_in_a_row(settings)
        require(side, "patch_size", "at most image_size, so that there is a patch", "more")
        settings.says("picture", side)
        omega *= 4 * np.pi / side
    turned = sum(widths)
    return {
        **fields,
        "scheme": "rotary" if turned == head else "partial rotary",
        "head_dim": head,
        "rotary_dim": turned,
        "base": base,
        "frequencies": omega,
        "plain": omega,
        "sections": tuple(n // 2 for n in widths),
    }


def patches_in_a_row(settings: Settings) -> int:
    """The patches in a row of a square picture, and in a column."""
    return settings.needed("image_size") // settings.needed("patch_size")


def compression(settings: Settings) -> int:
    """Frames of a video in one latent frame, after the first."""
    return settings.integer("temporal_compression_ratio") or 4


def _head(settings):
    given = settings.integer("head")
    if given is not None:
        return given
    if settings.key("width") is None and "_class_name" in settings.own:  # of diffusers
        raise Unreadable(f"attention_head_dim: missing. Read: {listed(settings.own)}.")
    width = settings.integer("embed_dim") or settings.needed("width")  # Qwen2-VL's width of images
    return width // settings.needed("heads")


def _widths(settings, head):
    name, split = settings.key("axes") or "axes_dims_rope", settings.family.split
    given = settings.raw("axes")
    if isinstance(split, str):
        given = SPLITS[split](head)
    elif given is None:
        given = split
        settings.says("axes of the class", name, given)
    require(isinstance(given, (list, tuple)), name, "a list of integers", given)
    widths = [integer(name, n) for n in given]
    right = sum(widths) <= head and not any(n % 2 for n in widths)
    require(right, name, f"even widths within {head}", widths)
    return widths


def _grid(settings):
    """How many frames, rows and columns the training had, as far as keys or the family say it."""
    family, own = settings.family, settings.own
    known = {"frame": family.frames}
    if own.get("sample_frames") is not None:
        clip = settings.integer("sample_frames")
        known["frame"] = (clip - 1) // compression(settings) + 1
    for names, key in ((("row", "column"), "image_size"), (("row",), "sample_height"),
                       (("column",), "sample_width")):  # fmt: skip
        if isinstance(own.get(key), int) and isinstance(own.get("patch_size") or "", int):
            known |= dict.fromkeys(names, own[key] // own["patch_size"])
    return tuple(known.get(axis) for axis in family.axes.split())


def _table(settings):
    """Sines and cosines that are added, a share of the columns for each axis."""
    base, axes = settings.family.base, settings.family.axes.split()
    width, rows = _head(settings) * settings.needed("heads"), None
    shares = [width // 2] * 2 if len(axes) == 2 else [width // 4, 3 * width // 8, 3 * width // 8]
    omega = np.concatenate([frequencies(2 * (n // 2), base) for n in shares])
    if settings.key("image_size") and "_class_name" not in settings.own:  # and one for the class
        rows = patches_in_a_row(settings) ** 2 + 1
    return {
        "scheme": "sinusoidal",
        "layout": "concatenated",
        "base": base,
        "frequencies": omega,
        "plain": omega,
        "sections": tuple(n // 2 for n in shares),
        "rows": rows,
    }
