"""More than one axis: grids of patches, frames of a video, moments in time, headings, graphs.

An encoding over several axes has for each pair i a *frequency vector* ω_i with one number for each
axis. The angle of pair i at a point p is the sum ω_i · p, and two turned vectors see ω_i · (p - q)
alone. What tells one model from another is the array `frequencies`, of shape (n_pairs, n_axes):
which axes a pair listens to, and how fast it turns along each.
"""

from __future__ import annotations

import math

import numpy as np

from pecode import _check
from pecode._check import checked
from pecode._types import ArrayLike, Floats, Integers, Reals, RotaryLayout, Sequence, Style
from pecode.encodings import frequencies, sinusoidal
from pecode.rotary import rotate_by_angles

# Where things are


@checked()
def grid_positions(shape: Sequence[int]) -> Integers:
    """The places of a grid, row by row: the last axis runs fastest.

    `shape` holds ints, such as (rows, columns) or (frames, rows, columns); the result has the
    shape (prod(shape), n_axes).

    Examples
    --------
    >>> grid_positions((2, 3)).tolist()
    [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
    """
    return np.indices(shape).reshape(len(shape), -1).T.copy()


@checked(parts=_check.anything)
def joined_positions(parts: Sequence[int | Sequence[int]], n_axes: int = 3) -> Integers:
    """The places of words and pictures in one sequence, as M-RoPE counts (Wang et al., 2024).

    A word stands at (t, t, t), so that a text alone is as it always was. A picture of F frames, H
    rows and W columns begins at the next number on all axes and is a grid from there. What follows
    begins after the largest number so far: a picture of 1 × 24 × 32 patches holds 768 tokens and
    uses up 32 positions.

    Parameters
    ----------
    parts : list of ints and of shapes
        An int is a number of words; a shape, with a side for each axis, is a picture or a film.
    n_axes : int

    Returns
    -------
    ndarray of int64, shape (number of tokens, n_axes)

    Examples
    --------
    >>> joined_positions([2, (1, 2, 2), 1]).tolist()
    [[0, 0, 0], [1, 1, 1], [2, 2, 2], [2, 2, 3], [2, 3, 2], [2, 3, 3], [4, 4, 4]]
    """
    what = "a list of lengths and shapes"
    _check.require(isinstance(parts, (list, tuple)) and parts, "parts", what, parts)
    first, rows = 0, []
    for part in parts:
        if _check.as_array("parts", part).ndim == 0:
            side = _check.length("parts", part)
            places = np.repeat(np.arange(side)[:, None], n_axes, axis=1)
        else:
            shape = _check.grid_shape("parts", part)
            _check.size("parts", len(shape), n_axes, f"sides in the shape {shape}")
            side, places = max(shape), grid_positions(shape)
        rows.append(first + places)
        first += side
    return np.concatenate(rows)


@checked()
def normalized_coordinates(shape: Sequence[int]) -> Floats:
    """The centers of the patches, on axes that run from -1 to 1 whatever the size of the grid.

    A picture of more patches then has finer steps in place of further positions (DINOv3;
    Siméoni et al., 2025). Its rotation turns by 2π times frequency times coordinate. As in
    `grid_positions`, `shape` holds ints and the result has the shape (prod(shape), n_axes).

    Examples
    --------
    >>> normalized_coordinates((1, 4)).tolist()
    [[0.0, -0.75], [0.0, -0.25], [0.0, 0.25], [0.0, 0.75]]
    """
    return (2 * grid_positions(shape) + 1) / np.array(shape) - 1


# Frequency vectors


@checked(base=_check.anything)
def axial_frequencies(widths: Sequence[int], base: float | Sequence[float] = 10000.0) -> Floats:
    """Frequencies for each axis: every pair listens to one axis alone, axis after axis.

    Parameters
    ----------
    widths : even ints
        The columns that each axis gets: (16, 56, 56) in Flux and HunyuanVideo, (44, 42, 42) in
        Wan, the halves of the head in vision models.
    base : float > 1, or one for each axis
        The frequencies of an axis are base**(-2i / its width).

    Returns
    -------
    ndarray of float64, shape (sum(widths) / 2, n_axes)

    Examples
    --------
    >>> axial_frequencies((4, 2)).tolist()
    [[1.0, 0.0], [0.01, 0.0], [0.0, 1.0]]
    """
    bases = (base,) * len(widths) if _check.as_array("base", base).ndim == 0 else base
    _check.size("base", len(bases), len(widths), "numbers, one for each axis, or a single one")
    omegas = [frequencies(width, b) for width, b in zip(widths, bases, strict=True)]
    axis_of = np.repeat(np.arange(len(widths)), [len(omega) for omega in omegas])
    return _along(axis_of, np.concatenate(omegas), len(widths))


def _along(axis_of, omega, n_axes):
    """Frequency vectors (n_pairs, n_axes) of pairs that listen to one axis each."""
    return omega[:, None] * (axis_of[:, None] == np.arange(n_axes))


@checked()
def mixed_frequencies(
    n_pairs: int,
    n_axes: int = 2,
    base: float = 10.0,
    seed: int = 0,
    directions: ArrayLike | None = None,
) -> Floats:
    """Every pair has a direction of its own and turns along it (Heo et al., 2024).

    An axial encoding cannot tell a diagonal from its mirror image by one pair; a mixed one can.
    In models the frequencies are trained; this is a start for them. Pair i has the length
    base**(-i / n_pairs).

    Parameters
    ----------
    n_pairs, n_axes : int
    base : float > 1
        10 in the authors' code: pictures have few patches a side.
    seed : int
        Of the random directions.
    directions : floats, shape (n_pairs, n_axes), optional
        Directions of one's own; only where they point counts, not how long they are.

    Returns
    -------
    ndarray of float64, shape (n_pairs, n_axes)

    Examples
    --------
    >>> mixed_frequencies(2, base=100.0, directions=[[3, 4], [0, -1]]).round(3).tolist()
    [[0.6, 0.8], [0.0, -0.1]]
    """
    if directions is None:
        directions = np.random.default_rng(seed).normal(size=(n_pairs, n_axes))
    wanted = n_pairs, n_axes
    _check.require(directions.shape == wanted, "directions", f"shape {wanted}", directions.shape)
    longest = np.abs(directions).max(axis=1, keepdims=True)
    _check.require(longest.all(), "directions", "no direction of length 0", directions)
    directions = directions / longest  # no square overflows
    lengths = np.linalg.norm(directions, axis=1, keepdims=True)
    return frequencies(2 * n_pairs, base)[:, None] * directions / lengths


@checked(d_model=_check.even_width, sections=_check.counts)
def section_frequencies(
    d_model: int, sections: Sequence[int], base: float = 10000.0, interleaved: bool = False
) -> Floats:
    """The frequencies of rotary, each pair given to one of the axes (M-RoPE).

    Text stands at (t, t, t): there the sum over the axes is the ordinary rotation by ω_i t. A
    patch of a picture stands at (time, row, column).

    Parameters
    ----------
    d_model : int, even
        Width of a head.
    sections : ints
        Pairs of each axis; they add up to d_model / 2. `mrope_section` in a config.
    base : float > 1
    interleaved : bool
        False: the first axis has the fastest pairs, the last axis the slowest (Qwen2-VL). True:
        the axes take turns, and what the others leave is the first axis's (Qwen3-VL).

    Returns
    -------
    ndarray of float64, shape (d_model / 2, n_axes)

    Examples
    --------
    >>> section_frequencies(8, (2, 1, 1)).round(3).tolist()
    [[1.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.01, 0.0], [0.0, 0.0, 0.001]]
    >>> np.argmax(section_frequencies(12, (2, 2, 2), interleaved=True), axis=1).tolist()
    [0, 1, 2, 0, 1, 2]
    """
    n_pairs, n_axes = d_model // 2, len(sections)
    what = f"numbers that add up to {n_pairs}, the pairs of {d_model} columns"
    _check.require(sum(sections) == n_pairs, "sections", what, sections)
    if interleaved:
        axis_of = np.zeros(n_pairs, int)
        for axis, section in enumerate(sections[1:], start=1):
            its = np.arange(section) * n_axes + axis
            what = f"sections whose turns end before pair {n_pairs}"
            _check.require(its.max(initial=0) < n_pairs, "sections", what, sections)
            axis_of[its] = axis
    else:
        axis_of = np.repeat(np.arange(n_axes), sections)
    return _along(axis_of, frequencies(d_model, base), n_axes)


@checked()
def periodic_frequencies(n_pairs: int, period: float = math.tau) -> Floats:
    """Frequencies that close after a period: 2πk / period, k = 1 … n_pairs, shape (n_pairs,).

    A heading of 359° and one of 1° are neighbors. Only pairs that make a whole number of turns in
    a period know that; the usual frequencies have a seam. The `period` is 2π for angles in
    radians, 360 for degrees, 24 for hours, 7 for days. The frequencies are for `sine_only`,
    `rotate(…, frequencies=…)` and, as a column, for `rotate_points`.

    Examples
    --------
    >>> periodic_frequencies(3).tolist()
    [1.0, 2.0, 3.0]
    """
    with np.errstate(over="ignore"):
        return _check.no_overflow("period", math.tau / period * np.arange(1, n_pairs + 1))


# Encodings of points


@checked(
    x=_check.pairs, positions=_check.points, frequencies=_check.rows, layout=_check.rotary_layout
)
def rotate_points(
    x: ArrayLike, positions: ArrayLike, frequencies: ArrayLike, layout: RotaryLayout = "interleaved"
) -> Reals:
    """Turn every pair of columns by ω_i · p: rotary positions over several axes.

    The score of a query turned at p and a key turned at q depends on p - q alone. An angle is
    rounded like any sum of floats: its error is about 1e-16 times the size of its terms.

    Parameters
    ----------
    x : floats, shape (..., d_head), d_head even
    positions : numbers, shape (..., n_axes)
        One point for each row of x: all axes but the last broadcast to x.shape[:-1].
    frequencies : floats, shape (d_head / 2, n_axes)
        Frequency vectors, in radians per step of each axis.
    layout : "interleaved" or "half"
        Which columns make a pair, as in `rotate`.

    Returns
    -------
    ndarray, shape of x; float32 stays float32, everything else is float64

    Examples
    --------
    >>> rotate_points([1.0, 0.0, 1.0, 0.0], [1, 2], axial_frequencies((2, 2))).round(3).tolist()
    [0.54, 0.841, -0.416, 0.909]
    """
    n_pairs, n_axes = frequencies.shape
    _check.size("frequencies", n_pairs, x.shape[-1] // 2, "rows, one for each pair of x")
    _check.size("positions", positions.shape[-1], n_axes, "columns, one for each axis")
    _check.broadcasts("positions", positions.shape[:-1], x.shape[:-1])
    with np.errstate(over="ignore", invalid="ignore"):
        angles = (positions[..., None, :] * frequencies).sum(axis=-1)  # (..., n_pairs)
    return rotate_by_angles(x, _check.no_overflow("positions, frequencies", angles), layout)


# Tables of grids


@checked(d_model=_check.even_width)
def grid_table(
    shape: Sequence[int], d_model: int, base: float = 10000.0, style: Style = "timm"
) -> Floats:
    """Sines and cosines for the places of a grid, in one of the orders that models use.

    All of them give each axis an equal share of the columns and frequencies of its own. They differ
    in which axis comes first, and in where its sines and cosines stand. A table of one order in a
    model of another is as wrong as a random one, and its shape does not say so.

    Parameters
    ----------
    shape : ints, such as (rows, columns)
    d_model : int
        A multiple of twice the number of axes.
    base : float > 1
    style : "timm", "mae", "blocks" or "detr"
        "timm": all sines, the row's before the column's, then all cosines. "mae": the column's
        sines and cosines, then the row's (the code of MAE and DiT, and diffusers). "blocks": the
        row's sines and cosines, then the column's (ViT-MAE in transformers). "detr": as "blocks",
        but sines and cosines side by side, and positions start at 1.

    Returns
    -------
    ndarray of float64, shape (prod(shape), d_model); row by row, as `grid_positions`

    Examples
    --------
    >>> grid_table((2, 2), 4)[1].round(3).tolist()
    [0.0, 0.841, 1.0, 0.54]
    >>> grid_table((2, 2), 4, style="mae")[1].round(3).tolist()
    [0.841, 0.54, 0.0, 1.0]
    """
    n_axes = len(shape)
    what = f"a multiple of {2 * n_axes}, two columns for each axis"
    _check.require(d_model % (2 * n_axes) == 0, "d_model", what, d_model)
    points, width = grid_positions(shape) + (style == "detr"), d_model // n_axes
    layout = "interleaved" if style == "detr" else "concatenated"
    axes = [sinusoidal(t, width, base, layout) for t in points.T]
    if style == "mae":
        axes.reverse()
    if style == "timm":
        sines, cosines = slice(None, width // 2), slice(width // 2, None)
        axes = [axis[:, half] for half in (sines, cosines) for axis in axes]
    return np.hstack(axes)


@checked(table=_check.rows, new_shape=_check.grid_shape)
def resize_table(
    table: ArrayLike, shape: Sequence[int], new_shape: Sequence[int], align_corners: bool = False
) -> Reals:
    """A table of a grid for another grid: linear interpolation along every axis.

    Vision models stretch a learned table when a picture has more patches. Which point of the old
    grid a new patch looks at is a convention. By centers of patches, the usual one, the new grid
    covers the same picture. With align_corners the outermost centers are nailed to each other,
    so everything between moves outward from the middle or inward.

    Parameters
    ----------
    table : floats, shape (prod(shape), d_model)
        Row by row, as `grid_positions`; without the row of a class token.
    shape, new_shape : ints, one for each axis
    align_corners : bool

    Returns
    -------
    ndarray, shape (prod(new_shape), d_model); float32 stays float32, everything else is float64

    Examples
    --------
    >>> resize_table([[0.0], [1.0]], (2,), (4,)).ravel().tolist()
    [0.0, 0.25, 0.75, 1.0]
    >>> resize_table([[0.0], [1.0]], (2,), (4,), align_corners=True).ravel().round(3).tolist()
    [0.0, 0.333, 0.667, 1.0]
    """
    _check.size("new_shape", len(new_shape), len(shape), "axes, as many as shape has")
    n = math.prod(shape)
    _check.size("table", len(table), n, f"rows, one for each place of a grid {shape}")
    grid = table.astype(np.float64).reshape(*shape, -1)
    for axis, (old, new) in enumerate(zip(shape, new_shape, strict=True)):
        k = np.arange(new)
        places = k * (old - 1) / max(new - 1, 1) if align_corners else (k + 0.5) * old / new - 0.5
        distances = np.abs(np.clip(places, 0, old - 1)[:, None] - np.arange(old))
        shares = np.maximum(1 - distances, 0)  # (new, old): of the two old cells around a place
        grid = np.moveaxis(np.tensordot(shares, grid, (1, axis)), 0, axis)
    return grid.reshape(-1, table.shape[1]).astype(table.dtype)


# Moments and graphs


@checked(d_model=_check.even_width)
def timestep_embedding(
    timesteps: ArrayLike,
    d_model: int,
    base: float = 10000.0,
    flip_sin_to_cos: bool = False,
    downscale_freq_shift: float = 1.0,
) -> Floats:
    """The moment of a diffusion model as sines and cosines, a real number allowed (DDPM).

    ω_i = base**(-i / (d_model / 2 - shift)). The formula is made for steps up to a thousand: times
    between 0 and 1 move most pairs hardly at all, so models that use them multiply by 1,000 first.

    Parameters
    ----------
    timesteps : numbers
    d_model : int, even
    base : float > 1
    flip_sin_to_cos : bool
        False: all sines, then all cosines. True: the cosines first, as in most of diffusers'
        models.
    downscale_freq_shift : float, below d_model / 2
        1: the slowest frequency is 1 / base (DDPM). 0: it stays above, as in a Transformer.

    Returns
    -------
    ndarray of float64, shape timesteps.shape + (d_model,)

    Examples
    --------
    >>> timestep_embedding(0.5, 4, downscale_freq_shift=0).round(3).tolist()
    [0.479, 0.005, 0.878, 1.0]
    """
    n, shift = d_model // 2, downscale_freq_shift
    what = f"a number below {n}, half of d_model"
    _check.require(shift < n or n == 1, "downscale_freq_shift", what, shift)
    # A single pair has frequency 1, whatever the shift.
    omega = base ** (-np.arange(n) / (n - shift if n > 1 else 1))
    angles = timesteps[..., None] * omega
    halves = [np.sin(angles), np.cos(angles)]
    return np.concatenate(halves[::-1] if flip_sin_to_cos else halves, axis=-1)


@checked(adjacency=_check.rows)
def laplacian_vectors(adjacency: ArrayLike, n_vectors: int) -> Floats:
    """Positions for the nodes of a graph: its slowest waves (Dwivedi and Bresson, 2020).

    The eigenvectors of I - D^(-1/2) A D^(-1/2) with the smallest eigenvalues, without the first.
    On a ring they are sines and cosines. Signs are arbitrary, and so are bases of equal
    eigenvalues: here the largest entry is positive, which is a choice and not a property.

    Parameters
    ----------
    adjacency : floats of at least 0, shape (n_nodes, n_nodes), symmetric
    n_vectors : int, below n_nodes

    Returns
    -------
    ndarray of float64, shape (n_nodes, n_vectors), columns of length 1

    Examples
    --------
    >>> laplacian_vectors([[0, 1, 0], [1, 0, 1], [0, 1, 0]], 1).ravel().round(3).tolist()
    [0.707, 0.0, -0.707]
    """
    n = len(adjacency)
    symmetric = np.array_equal(adjacency, adjacency.T)
    _check.require(symmetric, "adjacency", "a symmetric matrix", f"shape {adjacency.shape}")
    _check.require(adjacency.min() >= 0, "adjacency", "numbers of at least 0", adjacency.min())
    what = f"a number below {n}, the nodes"
    _check.require(n_vectors < n, "n_vectors", what, n_vectors)
    with np.errstate(over="ignore"):
        degrees = _check.no_overflow("adjacency", adjacency.astype(np.float64).sum(axis=1))
    scale = 1 / np.sqrt(np.where(degrees > 0, degrees, 1))  # a node alone is connected to nothing
    laplacian = np.eye(n) - scale[:, None] * adjacency * scale
    vectors = np.linalg.eigh(laplacian)[1][:, 1 : n_vectors + 1]
    # Of entries that are equal but for rounding, the first one counts.
    sizes = np.abs(vectors).round(9)
    largest = vectors[sizes.argmax(axis=0), np.arange(n_vectors)]
    return vectors * np.sign(largest)
