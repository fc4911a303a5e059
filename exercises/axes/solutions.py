"""Points that turn, a grid that is resized, a longer clip, sections in turns, and hexagons."""

import numpy as np


def turn_points(x, positions, frequencies):
    """Rows of x, (n, d_head), turned to points, (n, n_axes), by vectors (d_head / 2, n_axes)."""
    angles = np.asarray(positions) @ np.asarray(frequencies).T  # (n, d_head / 2)
    a, b = x[:, 0::2], x[:, 1::2]
    answer = np.empty(x.shape)
    answer[:, 0::2] = a * np.cos(angles) - b * np.sin(angles)
    answer[:, 1::2] = a * np.sin(angles) + b * np.cos(angles)
    return answer


def resized(table, n_new):
    """Rows of a table, (n_old, d), for n_new patches that cover the same length: (n_new, d)."""
    n_old = len(table)
    places = (np.arange(n_new) + 0.5) * n_old / n_new - 0.5  # the centers of the new patches
    places = np.clip(places, 0, n_old - 1)
    lower = places.astype(int)
    upper = np.minimum(lower + 1, n_old - 1)
    share = (places - lower)[:, None]
    return (1 - share) * table[lower] + share * table[upper]


def longer_clip(omega, trained, wanted):
    """Frequencies of the time pairs, with which a clip of `wanted` latent frames never restarts."""
    steps_for_a_turn = 2 * np.pi / omega
    starts_over = (steps_for_a_turn > trained - 1) & (steps_for_a_turn <= wanted - 1)
    return np.where(starts_over, 0.9 * 2 * np.pi / (wanted - 1), omega)


def axis_of_each_pair(sections):
    """The axis of each pair, the fastest first: 0 for the time, 1 for the row, 2 for the column."""
    axes = np.zeros(sum(sections), int)
    for axis in (1, 2):
        axes[axis : 3 * sections[axis] : 3] = axis  # every third pair, until the section is used up
    return axes


def hexagon_frequencies(speeds):
    """Frequency vectors for hexagonal cells: the same scores in all six directions."""
    directions = np.array([[1, 0], [0, 1], [1, 1]])  # each turns into the next, but for its sign
    return np.concatenate([speed * directions for speed in speeds])
