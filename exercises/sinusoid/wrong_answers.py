"""Popular wrong answers: the check must refuse each of them and say these words."""

import numpy as np


def factor_doubled(d_model, base=10000.0):
    return base ** (-2 * np.arange(0, d_model, 2) / d_model)


def base_ignored(d_model, base=10000.0):
    return 10000.0 ** (-2 * np.arange(d_model // 2) / d_model)


def both(d_model, base=10000.0):
    return 10000.0 ** (-2 * np.arange(0, d_model, 2) / d_model)


def factor_lost(d_model, base=10000.0):
    return base ** (-np.arange(d_model // 2) / d_model)


def one_a_column(d_model, base=10000.0):
    return base ** (-np.arange(d_model) / d_model)


def ends_at_one_over_base(d_model, base=10000.0):
    n = d_model // 2
    return base ** (-np.arange(n) / max(n - 1, 1))


def wavelengths_instead(d_model, base=10000.0):
    return 2 * np.pi * base ** (2 * np.arange(d_model // 2) / d_model)


def integer_division(d_model, base=10000.0):
    return base ** (-2.0 * (np.arange(d_model // 2) // d_model))


def slowest_first(d_model, base=10000.0):
    return base ** (-2 * np.arange(d_model // 2) / d_model)[::-1]


def _pairs(omegas, offset, length):
    rows = [np.sin(np.outer(np.arange(length) + extra, omegas)) for extra in (0, offset)]
    now, later = (np.abs(each[:, None] - each).max(axis=-1) for each in rows)
    return now, later, np.tri(length, k=-1, dtype=bool).T  # s < t


def first_pair_that_agrees(omegas, offset, length):
    now, _, above = _pairs(omegas, offset, length)
    return tuple(np.argwhere((now < 1e-9) & above)[0])


def first_dial_only(omegas, offset, length):
    now, later, above = _pairs(omegas[:1], offset, length)
    found = np.argwhere((now < 1e-9) & (later > 1e-3) & above)
    return tuple(found[0]) if len(found) else (0, 1)


def a_whole_round(omegas, offset, length):
    return 0, round(2 * np.pi / min(omegas)) % length


def as_in_the_chapter(omegas, offset, length):
    return 0, 8


def nearest_futures_swapped(omegas, offset, length):
    now, later, above = _pairs(omegas, offset, length)
    found = np.argwhere((now > 1e-3) & (later < 1e-9) & above)
    return tuple(found[0]) if len(found) else (0, 1)


def _search(omegas, offset, length, same, later=None):
    """The first pair for which `same` holds of the rows, and whose later rows differ."""
    rows = np.sin(np.outer(np.arange(length + offset), omegas))
    later = (lambda t: t + offset) if later is None else later
    for s in range(length):
        for t in range(s):
            if later(s) is None or later(t) is None:
                continue
            if same(rows[s], rows[t]) and np.abs(rows[later(s)] - rows[later(t)]).max() > 1e-3:
                return t, s
    return None


def _near(a, b):
    return np.abs(a - b).max() < 1e-9


def compared_exactly(omegas, offset, length):
    return _search(omegas, offset, length, lambda a, b: (a == b).all())


def within_length(omegas, offset, length):
    return _search(
        omegas, offset, length, _near, lambda t: t + offset if t + offset < length else None
    )


def begun_anew(omegas, offset, length):
    return _search(omegas, offset, length, _near, lambda t: (t + offset) % length)


def two_decimals(omegas, offset, length):
    return _search(omegas, offset, length, lambda a, b: np.abs(a - b).max() < 1e-2)


def sums_compared(omegas, offset, length):
    return _search(omegas, offset, length, lambda a, b: abs(a.sum() - b.sum()) < 1e-9)


def the_limit(length, d_model):
    return 2 * (length - 1) / np.pi


def a_whole_turn(length, d_model):
    return ((length - 1) / (2 * np.pi)) ** (d_model / (d_model - 1))


def half_a_turn(length, d_model):
    return ((length - 1) / np.pi) ** (d_model / (d_model - 1))


def counted_to_length(length, d_model):
    return (2 * length / np.pi) ** (d_model / (d_model - 1))


def for_pairs(length, d_model):
    return (2 * (length - 1) / np.pi) ** (d_model / max(d_model - 2, 1))


def always_ten_thousand(length, d_model):
    return 10000.0


def power_upside_down(length, d_model):
    return (2 * (length - 1) / np.pi) ** ((d_model - 1) / d_model)


def at_whole_positions(length, d_model):
    return (2 * (length - 1.5) / np.pi) ** (d_model / (d_model - 1))


def _base(length, d_model):
    return (2 * (length - 1) / np.pi) ** (d_model / (d_model - 1))


WRONG = {
    "ladder_of_pairs": [
        ("factor 2 doubled, base used", factor_doubled, "What does the counter count?"),
        ("base ignored", base_ignored, "is it used?"),
        ("both, as in the stub", both, "What does the counter count?"),
        ("factor 2 lost", factor_lost, "square root"),
        ("a frequency for each column", one_a_column, "one frequency for each pair"),
        ("last one exactly 1/base", ends_at_one_over_base, "a limit that no pair reaches"),
        ("wavelengths", wavelengths_instead, "this is a wavelength"),
        ("all ones", integer_division, "where do yours lead?"),
        ("slowest first", slowest_first, "upside down"),
    ],
    "two_futures": [
        ("future ignored", first_pair_that_agrees, "one future"),
        ("first dial only", first_dial_only, "in every entry"),
        ("a whole round", a_whole_round, "one future"),
        ("0 and 8", as_in_the_chapter, "in every entry"),
        ("past and future exchanged", nearest_futures_swapped, "in every entry"),
        ("floats compared with ==", compared_exactly, "Are the comparisons exact?"),
        ("later positions below length only", within_length, "beyond length"),
        ("later positions counted from 0 again", begun_anew, "counted from 0 again?"),
        ("equal to two decimals", two_decimals, "to nine decimals"),
        ("sums of entries compared", sums_compared, "omegas here are π/4, 3π/4"),
        ("one position twice", lambda omegas, offset, length: (3, 3), "two different positions"),
    ],
    "base_for": [
        ("1/base taken for the slowest", the_limit, "limit that no column reaches"),
        ("a whole turn", a_whole_turn, "a whole turn"),
        ("half a turn", half_a_turn, "falls again"),
        ("last position = length", counted_to_length, "the last of 129 positions is 128"),
        ("exponents of pairs", for_pairs, "ladder of pairs"),
        ("always 10,000", always_ten_thousand, "A smaller base will do"),
        ("rising at whole positions", at_whole_positions, "between the last two positions"),
        ("two decimals", lambda *args: round(_base(*args), 2), "rounded too far"),
        ("the next whole number", lambda *args: np.ceil(_base(*args)), "need not be whole"),
        ("exponent upside down", power_upside_down, "turned back"),
    ],
}
