"""The solutions of the exercises, and wrong answers that the checks must refuse."""

import numpy as np

from exercises.axes.checks import centers, rows_at, slowed
from pecode.axes import rotate_points


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


# Wrong answers


def cosines_alone(x, positions, frequencies):
    return x * np.cos(np.repeat(positions @ frequencies.T, 2, axis=1))


def one_vector_for_all_pairs(x, positions, frequencies):
    return rotate_points(x, positions, np.tile(frequencies[:1], (len(frequencies), 1)))


def ends_run_on(table, n_new):
    places = (np.arange(n_new) + 0.5) * len(table) / n_new - 0.5
    return rows_at(table, centers(len(table), n_new)) + (places < 0)[:, None] * places[:, None]


def squeezed(omega, trained, wanted):
    return omega * (trained - 1) / (wanted - 1)


def all_slow_pairs(omega, trained, wanted):
    return np.where(2 * np.pi / omega > trained - 1, omega * trained / wanted, omega)


def one_pair_alone(omega, trained, wanted):
    answer = slowed(omega, trained - 1, wanted - 1)
    changed = np.flatnonzero(answer != omega)[1:]  # all but the fastest stay
    return np.where(np.isin(np.arange(len(omega)), changed), omega, answer)


def ends_too_early(sections):
    axes = np.zeros(sum(sections), int)
    axes[1 : sections[1] : 3], axes[2 : sections[2] : 3] = 1, 2  # the section taken for the end
    return axes


def an_axis_each_column(sections):
    return np.repeat(np.arange(sum(sections)) % 3, 2)


def as_on_squares(speeds):
    return np.concatenate([speed * np.eye(2) for speed in speeds])


def no_turns(speeds):
    return np.zeros((len(speeds), 2))


def without_the_speeds(speeds):
    return np.array([[1.0, 0], [0, -1], [-1, -1]])


WRONG_ANSWERS = {  # of each exercise: the answer, and words that the check must say to it
    "turn_points": {
        cosines_alone: "gives the angle 2 · 0.5",
        one_vector_for_all_pairs: "each times the coordinate",
    },
    "resized": {
        ends_run_on: "where it lies outside",
    },
    "longer_clip": {
        squeezed: "would blur the order",
        all_slow_pairs: "cannot start over",
        one_pair_alone: "makes 0.9 of a turn",
    },
    "axis_of_each_pair": {
        ends_too_early: "as many as its section says",
        an_axis_each_column: "one axis for each pair",
    },
    "hexagon_frequencies": {
        as_on_squares: "they must be equal",
        no_turns: "from one cell to the next",
        without_the_speeds: "vectors of its own",
    },
}
