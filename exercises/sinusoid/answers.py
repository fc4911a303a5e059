"""The solutions of the exercises, and wrong answers that the checks must refuse."""

import numpy as np

from exercises.sinusoid.checks import quarter_turn
from pecode import frequencies


def frequencies_of_pairs(d_model, base=10000.0):
    """Frequencies of the d_model / 2 pairs, fastest first: shape (d_model // 2,)."""
    return np.array([base ** (-2 * i / d_model) for i in range(d_model // 2)])


def two_futures(omegas, offset, length):
    """Two positions below length: same sines there, others `offset` later."""
    t = np.arange(length)

    def gaps(positions):  # the largest difference of each two rows: (length, length)
        rows = np.sin(np.outer(positions, omegas))  # (length, sines)
        return np.abs(rows[:, None] - rows[None, :]).max(axis=-1)

    found = np.argwhere((gaps(t) < 1e-9) & (gaps(t + offset) > 0.001))
    return tuple(found[0])


def base_for(length, d_model):
    """The smallest base whose slowest sine, of d_model, rises all through the text.

    A number; the positions are 0 to length - 1.
    """
    slowest = np.pi / 2 / (length - 1)  # a quarter turn at the last position
    return slowest ** (-d_model / (d_model - 1))


# Wrong answers


def one_a_column(d_model, base=10000.0):
    return base ** (-np.arange(d_model) / d_model)


def integer_division(d_model, base=10000.0):
    return base ** (-2.0 * (np.arange(d_model // 2) // d_model))


def equal_steps_down(d_model, base=10000.0):
    ratio = base ** (-2 / d_model)
    return 1 - (1 - ratio) * np.arange(d_model // 2)


def slowest_first(d_model, base=10000.0):
    return frequencies(d_model, base)[::-1]


def first_pair_that_agrees(omegas, offset, length):
    return next(
        (s, t) for t in range(length) for s in range(t)
        if np.allclose(np.sin(s * omegas), np.sin(t * omegas))
    )  # fmt: skip


def below_zero(omegas, offset, length):
    return 0, -1


def _search(omegas, offset, length, same):
    """Return the first pair of positions below length whose rows are the same, but not later."""
    rows = np.sin(np.outer(np.arange(length + offset), omegas))
    for s in range(length):
        for t in range(s):
            if same(rows[s], rows[t]) and np.abs(rows[s + offset] - rows[t + offset]).max() > 1e-3:
                return t, s
    return None


def compared_exactly(omegas, offset, length):
    return _search(omegas, offset, length, np.array_equal)


def sums_compared(omegas, offset, length):
    return _search(omegas, offset, length, lambda a, b: abs(a.sum() - b.sum()) < 1e-9)


def always_ten_thousand(length, d_model):
    return 10000.0


def two_decimals(length, d_model):
    return round(quarter_turn(length, d_model), 2)


def power_upside_down(length, d_model):
    return quarter_turn(length, d_model) ** (1 - 1 / d_model) ** 2


WRONG_ANSWERS = {  # of each exercise: the answer, and words that the check must say to it
    "frequencies_of_pairs": {
        one_a_column: "one frequency for each pair",
        integer_division: "where do yours lead?",
        equal_steps_down: "times the same number",
        slowest_first: "upside down",
    },
    "two_futures": {
        first_pair_that_agrees: "one future",
        below_zero: "they are positions below length",
        compared_exactly: "Are the comparisons exact?",
        sums_compared: "in every entry",
    },
    "base_for": {
        always_ten_thousand: "A smaller base will do",
        two_decimals: "rounded too far",
        power_upside_down: "turned back",
    },
}
