"""Layers whose tokens have several coordinates: frames, rows and columns."""

import numpy as np

from pecode.diagnose.configuration.reading import Unreadable, integer, real
from pecode.encodings import frequencies

# Columns of a head for each axis, where no key says them
SPLITS = {
    "sixths": lambda head: (head - 4 * (head // 6), 2 * (head // 6), 2 * (head // 6)),
    "eighths": lambda head: (head // 4, 3 * (head // 8), 3 * (head // 8)),
    "halves": lambda head: (head // 2, head // 2),
    "alternating": lambda head: (head // 2, head // 2),  # of one ladder, pair by pair
}


def axial(settings, length=None):
    """The fields of a layer with a ladder for each axis; diffusers' blocks are all alike."""
    family, own = settings.family, settings.own
    if length is not None:
        settings.note("A length is one of text: of several axes nothing is said about it.")
    blocks = settings.integer("layers")
    if blocks is None:
        settings.note("num_layers is absent: how many layers there are is not known.")
    found = {
        "kind": "full_attention",
        "indices": tuple(range((blocks or 0) + (settings.integer("num_single_layers", 0) or 0))),
        "layout": family.layout,
        "axes": tuple(family.axes.split()),
        "grid": _grid(settings),
        "rule": "default",
    }
    if family.scheme == "sinusoidal" or own.get("use_rotary_positional_embeddings") is False:
        return {**found, **_table(settings)}
    head = _head(settings)
    widths = _widths(settings, head)
    base = _base(settings)
    ladders = [frequencies(n, base) for n in widths]
    if family.split == "alternating":
        ladder = frequencies(head, base)
        ladders = [ladder[0::2], ladder[1::2]]
    omega = np.concatenate(ladders)
    turned = sum(widths)
    return {
        **found,
        "scheme": "rotary" if turned == head else "partial rotary",
        "head_dim": head,
        "rotary_dim": turned,
        "base": base,
        "frequencies": omega,
        "plain": omega,
        "sections": tuple(n // 2 for n in widths),
    }


def _head(settings):
    said = settings.integer("head")
    if said is not None:
        return said
    width = settings.integer("embed_dim") or settings.needed("width")  # Qwen2-VL's width of images
    return width // settings.needed("heads")


def _base(settings):
    """The base of every axis: a key, also inside rope_parameters, or that of the family."""
    rope = settings.own.get("rope_parameters") or {}
    if rope.get("rope_theta") is not None:
        return real("rope_theta", rope["rope_theta"], 1)
    return settings.real("base", 1) or settings.family.base


def _widths(settings, head):
    name, family = settings.key("axes") or "axes_dims_rope", settings.family
    said = settings.raw("axes")
    if said is None and isinstance(family.split, str):
        said = SPLITS[family.split](head)
    elif said is None:
        said = family.split
        settings.note(f"{name} is absent: {said} is the default of this class.")
    elif not isinstance(said, list):
        raise Unreadable(f"{name}: expected a list of integers, got {said!r:.60}")
    widths = [integer(name, n) for n in said]
    if sum(widths) > head or any(n % 2 for n in widths):
        raise Unreadable(f"{name}: expected even widths within {head}, got {widths}")
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
        if isinstance(own.get(key), int) and isinstance(own.get("patch_size"), int):
            known |= dict.fromkeys(names, own[key] // own["patch_size"])
    return tuple(known.get(axis) for axis in family.axes.split())


def compression(settings):
    """Frames of a video in one latent frame, after the first."""
    return settings.integer("temporal_compression_ratio") or 4


def _table(settings):
    """Sines and cosines that are added, a share of the columns for each axis."""
    family = settings.family
    width = _head(settings) * settings.needed("heads")
    axes = family.axes.split()
    shares = [width // 2] * 2 if len(axes) == 2 else [width // 4, 3 * width // 8, 3 * width // 8]
    omega = np.concatenate([frequencies(2 * (n // 2), family.base) for n in shares])
    side = settings.integer("pos_embed_max_size")
    return {
        "scheme": "sinusoidal",
        "layout": "concatenated",
        "base": family.base,
        "frequencies": omega,
        "plain": omega,
        "sections": tuple(n // 2 for n in shares),
        "rows": None if side is None else side**2,
    }
