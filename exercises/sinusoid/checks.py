"""Sines, their frequencies, and what sines alone are missing."""

from fractions import Fraction

import numpy as np

from exercises.registry import ChapterExercises
from pecode import frequencies, wavelengths

chapter = ChapterExercises("sinusoid")

_WIDTH, _PAIR = 64, 20
chapter.number(
    "same_wave_other_base",
    "The same wave on another ladder",
    {
        _PAIR * np.log(1e4) / np.log(1e5): (
            "Pair i of base b has the wavelength 2π · b^(i/32). For pair 20 of base 10,000 that "
            "is 2π · 10^(4 · 20/32) = 2π · 10^2.5, and 10^(5i/32) is 10^2.5 at i = 16. A larger "
            "base takes larger strides down the ladder, from the same first rung, and gets there "
            "sooner. The base 100 takes strides half as long: it would need pair 40, but the "
            "last of the 32 pairs is pair 31. Its slowest wave has "
            f"{wavelengths(_WIDTH, 100)[-1]:.0f} positions."
        ),
        _PAIR * np.log(1e5) / np.log(1e4): (
            "That is upside down. With a larger base the wavelengths grow faster from pair to "
            "pair, so a given wavelength comes earlier on the ladder."
        ),
        _PAIR: (
            "Only pair 0 keeps its wavelength: b^0 is 1 for every base. Pair 20 becomes slower, "
            f"with {wavelengths(_WIDTH, 1e5)[_PAIR]:,.0f} positions."
        ),
        _PAIR / 10: (
            "The base is ten times as large, but it is raised to a power. Only the limit at the "
            "slow end is ten times what it was; the fast end does not move at all."
        ),
        _PAIR * np.log(1e4) / np.log(1e2): (
            "That is for the base 100: its strides are half as long, so it would need twice the "
            "number. But the pairs end at 31, so with the base 100 no pair has this wavelength. "
            "Which pair is it with the base 100,000?"
        ),
    },
    kind="predict",
    level=1,
    teaches="what the base does",
    tolerance=0.1,
    otherwise="Write both wavelengths as 2π times a power of 10, one of them with i in the "
    "exponent. When are the exponents equal?",
)


@chapter.function(
    "Repair the ladder", kind="debug", level=1, teaches="the exponent of the frequencies"
)
def frequencies_of_pairs(attempt):
    for d_model, base in [(8, 10000.0), (6, 10000.0), (20, 500.0), (64, 500000.0), (2, 10000.0)]:
        n = d_model // 2
        got = attempt.array(
            d_model, base, shape=(n,), why="one frequency for each pair, and d_model / 2 pairs"
        )
        expected = frequencies(d_model, base)
        attempt.true(
            got[0] >= 1 or (np.diff(got) <= 0).all(),
            "the fastest frequency first",
            "the slowest first",
            "the ladder is upside down: pair 0 is the fastest, with the frequency 1",
        )
        attempt.close(got[0], 1, "the fastest frequency is 1, whatever the base")
        if n > 1:
            attempt.close(
                got[1] / got[0],
                expected[1],
                f"this is the ratio of the first two. {n} such steps, one more than there are, "
                f"should lead from 1 to 1/base, here 1/{base:,.0f}; where do yours lead?",
            )
        attempt.close(got, expected, "each frequency is the one before it, times the same number")


@frequencies_of_pairs.mistake(
    "the ratio of the first two is the square of the right one: the ladder comes down twice "
    "as fast as it should. What does the counter count?"
)
def factor_doubled(d_model, base=10000.0):
    return frequencies(d_model, base) ** 2


@frequencies_of_pairs.mistake("these are the frequencies for the base 10,000: is the base used?")
def base_ignored(d_model, base=10000.0):
    return frequencies(d_model)


@frequencies_of_pairs.mistake(
    "the ratio of the first two is the square root of the right one: the ladder stops "
    "half-way. Does each column have a frequency, or each pair?"
)
def factor_lost(d_model, base=10000.0):
    return frequencies(d_model, base) ** 0.5


@frequencies_of_pairs.mistake(
    "this is the ratio of the first two. With it the last frequency is exactly 1/base; on "
    "this ladder 1/base is a limit that no pair reaches"
)
def ends_at_one_over_base(d_model, base=10000.0):
    n = d_model // 2
    return base ** (-np.arange(n) / max(n - 1, 1))


@frequencies_of_pairs.mistake("this is a wavelength; a frequency is 2π divided by it")
def wavelengths_instead(d_model, base=10000.0):
    return wavelengths(d_model, base)


@chapter.function(
    "One present, two futures", kind="program", level=2, teaches="what sines alone do not say"
)
def two_futures(attempt):
    cases = [  # of the dials, the frequencies divided by π
        (["1/2", "1/4", "1/8"], 1, 16),
        (["1/10"], 1, 10),
        (["1/10"], 9, 10),  # every later position but one lies beyond length
        (["1/10"], 5, 10),  # what comes five later is not a row of the table begun anew
        (["1/7"], 3, 15),
        (["1/4", "1/6"], 4, 16),
        (["1/4", "1/6"], 6, 24),
        (["1/100"], 1, 52),  # near its top a sine hardly moves
        (["1/4", "3/4"], 2, 8),  # the sums of the sines agree at more places than the sines
    ]
    for dials, offset, length in cases:
        fractions = [Fraction(dial) for dial in dials]
        omegas = np.pi * np.array([float(each) for each in fractions])
        case = "The omegas here are " + ", ".join(map(_of_pi, fractions))
        pair = attempt.array(
            omegas,
            offset,
            length,
            shape=(2,),
            why="the answer is two positions, s and t",
            note="Did the search find nothing? There is at least one answer here. Are the "
            "comparisons exact? In floats sin π is 1e-16, not 0. Are later positions beyond length "
            f"left out, or counted from 0 again? {case}",
        )
        attempt.true(
            (pair == pair.round()).all() and (pair >= 0).all() and (pair < length).all(),
            f"two whole numbers from 0 to {length - 1}",
            pair,
            "they are positions below length",
        )
        both = " and ".join(str(int(t)) for t in pair)
        now = np.abs(np.subtract(*np.sin(np.outer(pair, omegas))))
        later = np.abs(np.subtract(*np.sin(np.outer(pair + offset, omegas))))
        attempt.true(
            now.max() <= 1e-9,
            "all sines equal at the two positions",
            f"positions {both}: sine {now.argmax()} differs by {now.max():.2g}",
            f"the two vectors must be the same, in every entry and to nine decimals. {case}",
        )
        attempt.true(
            later.max() > 0.001,
            f"another vector {offset} later",
            f"positions {both}: the same vector there, too",
            "these two have one future, so a matrix could still do it. Either all hands have come "
            f"around together, or the difference does not show at this offset. {case}",
        )


def _of_pi(fraction):
    """Write a multiple of π: 3π/4."""
    return f"{fraction.numerator if fraction.numerator > 1 else ''}π/{fraction.denominator}"


chapter.choice(
    "a_list_or_a_matrix",
    "A list or a matrix",
    {
        "A list, but no matrix.": (
            "Since all vectors differ, a list will do: after this vector comes that one. A matrix "
            "is much more limited. At position 0 all sines are zero, every matrix sends the zero "
            "vector to the zero vector, and the vector of position 4 is not zero."
        ),
        "A matrix: vectors that all differ can be sent wherever we like.": (
            "Vectors that are linearly independent can. With twelve entries, at most twelve are, "
            "and there are 1024 vectors. What a matrix does to a few of them decides what it does "
            "to all the others."
        ),
        "Neither: a sine does not say whether it is rising or falling.": (
            "A single sine does not. But where one sine repeats, the other eleven do not, so the "
            "whole vector is different. That is why a list will do."
        ),
        "A matrix, as soon as a constant 1 stands beside the sines.": (
            "That helps at position 0 only. Four positions ahead, a sine is a sum of the sine here "
            "and the cosine here, and no sum of the other sines and a constant is that cosine."
        ),
    },
    right="a",
    kind="prove",
    level=2,
    teaches="different is less than shiftable",
)


@chapter.function(
    "A base for early and late", kind="extend", level=2, teaches="where the ladder ends"
)
def base_for(attempt):
    for length, d_model in [(129, 8), (1000, 12), (2049, 2), (50, 64), (100, 3)]:
        expected = quarter_turn(length, d_model)
        got = attempt.number(length, d_model, why="the answer is one number, the base")
        attempt.true(got > 1, "a base above 1", got, "with a base of 1 all sines are equally fast")
        angle = got ** (-(d_model - 1) / d_model) * (length - 1)
        attempt.close(
            got,
            expected,
            "this is the right base, rounded too far: return it with all its digits"
            if abs(got / expected - 1) < 1e-3
            else f"with this base the slowest of {d_model} sines has the angle {angle:.4f} at "
            f"position {length - 1}, the last one; its top is at π/2 = {np.pi / 2:.4f}. "
            + ("It has turned back before." if angle > np.pi / 2 else "A smaller base will do."),
        )


def quarter_turn(length, d_model):
    """Return the base with which the slowest sine makes a quarter turn at the last position."""
    return (2 * (length - 1) / np.pi) ** (d_model / (d_model - 1))


@base_for.mistake(
    "this would be right if the slowest frequency were 1/base. But that is a limit that no "
    "column reaches: what is the last of the exponents j/d_model?"
)
def the_limit(length, d_model):
    return 2 * (length - 1) / np.pi


@base_for.mistake("with this base the slowest sine makes a whole turn")
def a_whole_turn(length, d_model):
    return quarter_turn(1 + (length - 1) / 4, d_model)


@base_for.mistake("the last position is length - 1, since the first is 0")
def counted_to_length(length, d_model):
    return quarter_turn(length + 1, d_model)


@base_for.mistake(
    "this is for a ladder of pairs, two columns each. Here every column has a frequency of "
    "its own, and j goes up to d_model - 1"
)
def for_pairs(length, d_model):
    return (2 * (length - 1) / np.pi) ** (d_model / max(d_model - 2, 1))


@base_for.mistake(
    "this is the smallest whole number that will do. The base need not be whole, and a "
    "slightly smaller one will do as well"
)
def the_next_whole_number(length, d_model):
    return np.ceil(quarter_turn(length, d_model))


chapter.choice(
    "two_dead_columns",
    "Two dead columns",
    {
        "There is none: column 0 is zero because sin 0 = 0.": (
            "That accounts for row 0, where every sine is zero, and not for two whole columns."
        ),
        "The factor should be np.pi.": (
            "Then the wavelengths are 2, 4, 8, …: one dead column instead of two. The wave that "
            "repeats every two positions is still read at its zeros alone."
        ),
        "j should start at 2.": (
            "At j = 0 and j = 1 the wavelengths are 1 and 2, and both columns are read only at "
            "their zeros. With np.arange(2, n + 2) the wavelengths are 4, 8, 16, …"
        ),
        "np.outer should be given 2**j, not 1 / 2**j.": (
            "Then each frequency is a multiple of the first, whose wavelength is 1: every wave "
            "makes whole turns from position to position, and all columns are dead."
        ),
    },
    right="c",
    kind="debug",
    level=1,
    teaches="which frequencies are dead",
)

chapter.choice(
    "halving_or_ladder",
    "Halving or the ladder",
    {
        "With 12 columns only.": (
            "There halving is ahead: its nearest two positions are 0.37 apart, those of the ladder "
            "0.11. Its waves of 6, 13, 25, … positions are all in use, while the slow sines of the "
            "ladder have hardly left zero."
        ),
        "With 64 columns only.": (
            "Every factor of ten gets sixteen waves of the ladder. Halving spends 53 of its 64 "
            "columns on waves that never complete a turn in 10,000 positions."
        ),
        "With both.": (
            "With 12 columns halving is ahead, 0.37 against 0.11: neighboring waves of the ladder "
            "differ by a factor of 2.2, and its last two are longer than 10,000 positions."
        ),
        "With neither: the two are equally good.": (
            "Halving gains nothing from more columns. Does the ladder?"
        ),
    },
    right="b",
    kind="predict",
    level=1,
    teaches="who sets the last frequency",
)
