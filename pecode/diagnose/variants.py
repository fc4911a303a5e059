"""Tables that differ from the paper's: mistakes of real code, and conventions that are as good.

Each stands here as plainly as it was written, so that a reader sees the mistake, with all that the
book says about it and with the shortest test that catches it. The chapter on debugging shows them,
`pecode.diagnose.identify` names them, and the figure of that chapter asks which one it is.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pecode import _check, formulas
from pecode.encodings import sinusoidal, sinusoidal_table
from pecode.precision import bfloat16
from pecode.translation import translate


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A way to make a table that is not the paper's.

    Attributes
    ----------
    name : str
    kind : str
        "mistake" or "convention". A convention is as good as the paper's; the trouble is to mix
        the two.
    summary : str
        What the code does.
    in_words : str
        The summary for readers and listeners without the formula; the summary itself unless given.
    symptom : str
        What one sees without looking at the table.
    fingerprint : str
        What to look at in a table of any size.
    effect : str
        What it does to the wavelengths or the order, for the figure of the chapter. It is empty
        where the figure leaves the variant out, because another one looks the same there.
    look_at : str
        Where it shows in the figure's table, which has base 10000 and 32 columns.
    reports : tuple of str
        Where people met it, owner/repository#number; empty where no report is known.
    make : function
        (length, d_model, base=10000.0) -> ndarray (length, d_model): the variant itself. d_model
        is even and at least 4. `inspect.getsource` shows it.
    test : function
        (make) -> bool: True where the given function makes the table of the paper, as far as this
        test looks. It is False for this variant.
    """

    name: str
    kind: str
    summary: str
    in_words: str = ""
    symptom: str
    fingerprint: str
    effect: str = ""
    look_at: str = ""
    reports: tuple
    make: Callable
    test: Callable

    def __post_init__(self):
        if not self.in_words:
            object.__setattr__(self, "in_words", self.summary)


# Tables, each with its mistake in plain sight


def _by_column(length, omega):
    """Sines and cosines in turn, with a frequency of its own for each column."""
    angles = np.arange(length)[:, None] * omega
    return np.where(np.arange(len(omega)) % 2, np.cos(angles), np.sin(angles))


def _factor_2_doubled(length, d_model, base):
    i = np.arange(0, d_model, 2)  # already 2i
    omega = base ** (-2 * i / d_model)
    return formulas.sinusoidal(np.arange(length), d_model, omega=omega)


def _factor_2_lost(length, d_model, base):
    i = np.arange(d_model // 2)
    omega = base ** (-i / d_model)
    return formulas.sinusoidal(np.arange(length), d_model, omega=omega)


def _exponent_by_column(length, d_model, base):
    j = np.arange(d_model)  # a sine and its cosine have different j
    return _by_column(length, base ** (-j / d_model))


def _factor_2_by_column(length, d_model, base):
    j = np.arange(d_model)  # the columns, taken for the pairs
    return _by_column(length, base ** (-2 * j / d_model))


def _wrong_base(length, d_model, base):
    i = np.arange(d_model // 2)
    omega = (base / 10) ** (-2 * i / d_model)  # a zero is missing
    return formulas.sinusoidal(np.arange(length), d_model, omega=omega)


def _length_for_width(length, d_model, base):
    i = np.arange(d_model // 2)
    omega = base ** (-2 * i / length)
    return formulas.sinusoidal(np.arange(length), d_model, omega=omega)


def _precedence(length, d_model, base):
    two_i = np.arange(0, d_model, 2)
    # meant: / (d_model // 2), with pairs counted; reads: (… / d_model) // 2, rounded down to -1
    omega = np.exp(two_i * (-math.log(base) / d_model // 2))
    return formulas.sinusoidal(np.arange(length), d_model, omega=omega)


def _integer_division(length, d_model, base):
    two_i = np.arange(0, d_model, 2)
    omega = base ** -(two_i // d_model).astype(float)  # always 0
    return formulas.sinusoidal(np.arange(length), d_model, omega=omega)


def _divided_twice(length, d_model, base):
    div_term = formulas.frequencies(d_model, base)
    angles = np.arange(length)[:, None] / div_term  # div_term is a factor already
    return formulas.join(np.sin(angles), np.cos(angles), "interleaved")


def _along_the_batch(length, d_model, base):
    batch = np.zeros((2, length, d_model))
    batch += sinusoidal_table(len(batch), d_model, base)[:, None, :]  # meant for axis 1
    return batch[1]  # the second text


def _low_precision(length, d_model, base):
    t = bfloat16(np.arange(length)).astype(float)
    return formulas.sinusoidal(t, d_model, base)


def _concatenated(length, d_model, base):
    return sinusoidal_table(length, d_model, base, layout="concatenated")


def _endpoint(length, d_model, base):
    n = d_model // 2
    omega = base ** (-np.arange(n) / (n - 1))
    return formulas.sinusoidal(np.arange(length), d_model, omega=omega)


def _from_one(length, d_model, base):
    return sinusoidal(np.arange(1, length + 1), d_model, base)


def _cosine_first(length, d_model, base):
    table = sinusoidal_table(length, d_model, base)
    table[:, 0::2], table[:, 1::2] = table[:, 1::2].copy(), table[:, 0::2].copy()
    return table


# Tests of a table: short enough for anybody's test suite. `make` is a function of
# (length, d_model, base); widths are even and at least 4, for a single pair hides most mistakes.


def _made(make, length, d_model, base):
    """The table that a function makes, as float64."""
    if not callable(make):
        raise TypeError(f"make: expected a function, got {_check.shown(make)}")
    _check.two_pairs("d_model", d_model)
    _check.real("base", base, above=1)
    rows = _check.reals("make", make(length, d_model, base)).astype(np.float64)
    if rows.shape != (length, d_model):
        raise ValueError(
            f"make: expected a function that returns {(length, d_model)} numbers, got {rows.shape}"
        )
    return rows


def starts_with_zero_and_one(make, d_model=16, base=10000.0):
    """Row 0 is 0, 1, 0, 1, …: position 0 comes first, sines stand in the even columns.

    Parameters
    ----------
    make : callable (length, d_model, base) -> array-like of floats, (length, d_model)
    d_model : int, even, at least 4
    base : float > 1

    Returns
    -------
    bool

    Raises
    ------
    TypeError, ValueError
        make is not a function or returns no such table; d_model or base is out of range.

    Examples
    --------
    >>> starts_with_zero_and_one(sinusoidal_table)
    True
    >>> starts_with_zero_and_one(VARIANTS["concatenated"].make)
    False
    """
    row = _made(make, 2, d_model, base)[0]
    return bool(np.allclose(row[0::2], 0) and np.allclose(row[1::2], 1))


def pairs_lie_on_circles(make, d_model=16, base=10000.0):
    """sin² + cos² = 1 for every pair in every row: both have the same angle.

    Takes, returns and raises what `starts_with_zero_and_one` does.

    Examples
    --------
    >>> pairs_lie_on_circles(VARIANTS["exponent by column"].make)
    False
    """
    rows = _made(make, 64, d_model, base)
    return bool(np.allclose(rows[:, 0::2] ** 2 + rows[:, 1::2] ** 2, 1, atol=1e-5))


def slowest_pair_has_its_frequency(make, d_model=16, base=10000.0):
    """The last sine of row 1 is the sine of base**(-(d_model - 2) / d_model).

    Takes, returns and raises what `starts_with_zero_and_one` does.

    Examples
    --------
    >>> slowest_pair_has_its_frequency(VARIANTS["wrong base"].make)
    False
    """
    entry = _made(make, 64, d_model, base)[1, d_model - 2]
    return math.isclose(entry, math.sin(base ** (2 / d_model - 1)), rel_tol=1e-4)


def second_pair_has_its_frequency(make, d_model=16, base=10000.0):
    """The second sine of row 1 is the sine of base**(-2 / d_model).

    Takes, returns and raises what `starts_with_zero_and_one` does.

    Examples
    --------
    >>> second_pair_has_its_frequency(VARIANTS["integer division"].make)
    False
    """
    entry = _made(make, 64, d_model, base)[1, 2]
    return math.isclose(entry, math.sin(base ** (-2 / d_model)), rel_tol=1e-4)


def one_step_moves_each_row_to_the_next(make, d_model=16, base=10000.0):
    """T(1) turns row t into row t + 1, for 600 rows: chapter 5 as a test.

    Takes, returns and raises what `starts_with_zero_and_one` does.

    Examples
    --------
    >>> one_step_moves_each_row_to_the_next(VARIANTS["divided twice"].make)
    False
    """
    rows = _made(make, 600, d_model, base)
    return bool(np.allclose(translate(rows[:-1], 1, base), rows[1:], atol=1e-5))


def a_longer_table_begins_with_the_shorter(make, d_model=16, base=10000.0):
    """The first 20 rows of 64 are the table of length 20.

    Takes, returns and raises what `starts_with_zero_and_one` does.

    Examples
    --------
    >>> a_longer_table_begins_with_the_shorter(VARIANTS["length for width"].make)
    False
    """
    short, long = _made(make, 20, d_model, base), _made(make, 64, d_model, base)
    return bool(np.allclose(short, long[:20], atol=1e-5))


def neighbors_are_a_step_apart(make, d_model=16, base=10000.0):
    """Every row differs from the one before by more than 0.4 in some entry, for 512 rows.

    Takes, returns and raises what `starts_with_zero_and_one` does.

    Examples
    --------
    >>> neighbors_are_a_step_apart(VARIANTS["low precision"].make)
    False
    """
    rows = _made(make, 512, d_model, base)
    return bool((np.abs(np.diff(rows, axis=0)).max(axis=1) > 0.4).all())


def _checked(make):
    """The function behind checks of its arguments: it is wrong only in the way it is named."""

    @functools.wraps(make)  # so that inspect.getsource shows the mistake
    def checked(length, d_model, base=10000.0):
        length, d_model = _check.length("length", length), _check.two_pairs("d_model", d_model)
        base = _check.real("base", base, above=1)
        return make(length, d_model, base) if length else np.zeros((0, d_model))

    return checked


_ALL = [
    Variant(
        name="factor 2 doubled",
        kind="mistake",
        summary=(
            "The loop runs over even columns, which are 2i already, and the exponent doubles them."
        ),
        in_words=(
            "The loop runs over even columns, which are twice the number of the pair already, and "
            "the exponent doubles them again."
        ),
        symptom="It trains; half of the columns hardly move, so distant positions look alike.",
        fingerprint="Wide tables: the last sine of row 1 is near 1/base² instead of 1/base.",
        effect="wavelengths rise twice as steeply as in the right table.",
        look_at=(
            "columns 16 to 31, which hardly change from row 0 to row 63; their wavelengths are "
            "too long, from column 2 on."
        ),
        reports=("SamLynnEvans/Transformer#25",),
        make=_checked(_factor_2_doubled),
        test=slowest_pair_has_its_frequency,
    ),
    Variant(
        name="factor 2 lost",
        kind="mistake",
        summary="The exponent is i/d_model for pair i, half of the right one.",
        in_words="The exponent is half of the right one, so the slow pairs turn too fast.",
        symptom="It trains; a position computed by hand from one entry comes out wrong.",
        fingerprint=(
            "The last sine of row 1 is near 1/√base instead of 1/base, if the table is wide."
        ),
        effect="wavelengths rise half as steeply as in the right table.",
        look_at="the wavelength of the last columns, 471 rows instead of 35,300.",
        reports=(),
        make=_checked(_factor_2_lost),
        test=slowest_pair_has_its_frequency,
    ),
    Variant(
        name="exponent by column",
        kind="mistake",
        summary=(
            "Column j uses base**(-j/d_model), so a sine and its cosine turn at different speeds."
        ),
        in_words=(
            "Every column has an exponent of its own, so a sine and its cosine turn at different "
            "speeds."
        ),
        symptom="It trains; no matrix moves a row by one position.",
        fingerprint="The sum sin² + cos² of a pair is not 1.",
        effect="a sine and its cosine have different wavelengths.",
        look_at="the wavelengths: each column has its own, where the right ones come in pairs.",
        reports=("maxjcohen/transformer#62",),
        make=_checked(_exponent_by_column),
        test=pairs_lie_on_circles,
    ),
    Variant(
        name="factor 2 by column",
        kind="mistake",
        summary="Column j uses base**(-2j/d_model): columns were taken for pairs.",
        symptom="It trains; the matrix of dot products lacks its clean diagonal band.",
        fingerprint="The sum sin² + cos² of a pair is not 1, and the last columns hardly move.",
        reports=(
            "jadore801120/attention-is-all-you-need-pytorch#32",
            "Kyubyong/transformer#38",
            "SamLynnEvans/Transformer#25",
            "shenweichen/DeepCTR#379",
            "BrianPulfer/PapersReimplementations#9",
            "YutaroOgawa/pytorch_advanced#79",
        ),
        make=_checked(_factor_2_by_column),
        test=pairs_lie_on_circles,
    ),
    Variant(
        name="wrong base",
        kind="mistake",
        summary="A zero is missing: 1000 stands for 10000.",
        symptom="It trains; weights trained with the other base do not fit.",
        fingerprint="The last sine of row 1 is too large, up to ten times in a wide table.",
        effect="the base lost a zero; wavelengths rise 3/4 as steeply as in the right table.",
        look_at="the wavelength of the last columns, 4,080 rows instead of 35,300.",
        reports=("maxjcohen/transformer#62",),
        make=_checked(_wrong_base),
        test=slowest_pair_has_its_frequency,
    ),
    Variant(
        name="length for width",
        kind="mistake",
        summary="The exponent is divided by the length of the table instead of d_model.",
        symptom="The encoding of a position changes with the longest length.",
        fingerprint="Tables of two lengths disagree in their common rows.",
        reports=("warner-benjamin/commented-transformers#1",),
        make=_checked(_length_for_width),
        test=a_longer_table_begins_with_the_shorter,
    ),
    Variant(
        name="precedence",
        kind="mistake",
        summary=(
            "In `exp(two_i * (-log(base) / d // 2))` the division by d comes first, and `// 2` "
            "rounds down to -1."
        ),
        in_words=(
            "Precedence is which operation comes first: one division comes too early, and its "
            "result is rounded down."
        ),
        symptom="It trains; nearly all columns are constant.",
        fingerprint=(
            "From one pair to the next the frequency falls by a factor of e², whatever the base is."
        ),
        effect=(
            "two divisions were done in the wrong order; each wavelength is 7.39 times that of "
            "the pair before, where 1.78 times is right."
        ),
        look_at="the wavelengths, over a million rows from column 12 on.",
        reports=(
            "zju3dv/LoFTR#41",
            "GrumpyZhou/image-matching-toolbox#36",
        ),
        make=_checked(_precedence),
        test=second_pair_has_its_frequency,
    ),
    Variant(
        name="integer division",
        kind="mistake",
        summary="The exponent is computed in integers and is 0 for every pair.",
        symptom="Positions 44 and 710 apart are confused.",
        fingerprint="All sines are the same column, sin t, and all cosines are cos t.",
        effect="all pairs have the wavelength of the first.",
        look_at=(
            "the wavelengths, all alike: one sine stands in all even columns, one cosine in all "
            "odd ones."
        ),
        reports=(
            "codertimo/BERT-pytorch#18",
            "Kyubyong/transformer#81",
        ),
        make=_checked(_integer_division),
        test=second_pair_has_its_frequency,
    ),
    Variant(
        name="divided twice",
        kind="mistake",
        summary=(
            "`position / base**(-2i/d)`: the position is divided by its frequency, not multiplied."
        ),
        in_words="The position is divided by the frequency, where it should be multiplied by it.",
        symptom=(
            "It may train even better where neighbors need to differ; it finds no near position."
        ),
        fingerprint="Frequencies grow from 1 to nearly base; neighbors are nearly orthogonal.",
        effect=(
            "positions are divided by what they should be multiplied by; from pair to pair "
            "wavelengths fall, where they should rise."
        ),
        look_at="the wavelengths, which fall from column 2 on.",
        reports=(
            "harvardnlp/annotated-transformer#131",
            "goodfire-ai/spd#88",
        ),
        make=_checked(_divided_twice),
        test=one_step_moves_each_row_to_the_next,
    ),
    Variant(
        name="along the batch",
        kind="mistake",
        summary="The table is added along the batch axis.",
        in_words=(
            "The table is added along the batch, from text to text, instead of along the positions."
        ),
        symptom="The model is blind to order, and a text changes with its place in the batch.",
        fingerprint="All rows of one text get the same vector.",
        effect="all rows are the same.",
        look_at="the rows, all the same: every column is a straight line.",
        reports=(
            "KasperGroesLudvigsen/influenza_transformer#9",
            "cmu-l3/anlp-fall2025-code#1",
            "songyangco/GETNext#2",
        ),
        make=_checked(_along_the_batch),
        test=neighbors_are_a_step_apart,
    ),
    Variant(
        name="low precision",
        kind="mistake",
        summary="Positions are stored as bfloat16, which has 8 significant bits.",
        symptom="Short texts are fine; from position 257 on neighbors are confused.",
        fingerprint=(
            "Rows 256 and 257 are equal; from 512 to 1024, rows are equal in groups of 3 or 5."
        ),
        effect="positions are rounded; late rows, as 960 to 1023, are equal in groups.",
        look_at="rows 960 to 1023, equal in groups; in rows 0 to 63 nothing is wrong yet.",
        reports=(
            "EleutherAI/gpt-neox#1003",
            "huggingface/transformers#25681",
            "huggingface/transformers#29496",
        ),
        make=_checked(_low_precision),
        test=neighbors_are_a_step_apart,
    ),
    Variant(
        name="concatenated",
        kind="convention",
        summary="All sines first, then all cosines, where interleaved columns were expected.",
        symptom="As good as the paper's order, until weights or tests of the other order meet it.",
        fingerprint="Row 0 is 0, 0, …, 1, 1, …",
        effect="all sines stand left and all cosines right, where they should take turns.",
        look_at="row 0: 0 in columns 0 to 15, 1 in columns 16 to 31. The wavelengths rise twice.",
        reports=(
            "tensorflow/text#1122",
            "tensorflow/tensorflow#37191",
        ),
        make=_checked(_concatenated),
        test=starts_with_zero_and_one,
    ),
    Variant(
        name="endpoint spacing",
        kind="convention",
        summary="The exponents are i/(d_model/2 - 1): the slowest frequency is exactly 1/base.",
        in_words="The exponents end at exactly 1; the right ones end one step before.",
        symptom="As good as the paper's, until the two are mixed.",
        fingerprint="The last sine of row 1 is sin(1/base).",
        effect="wavelengths rise a little too steeply, and end at 62,800 rows.",
        look_at="the wavelength of the last columns, 62,800 rows instead of 35,300.",
        reports=(),
        make=_checked(_endpoint),
        test=slowest_pair_has_its_frequency,
    ),
    Variant(
        name="positions from 1",
        kind="convention",
        summary="The first token is position 1.",
        symptom=(
            "Harmless when used throughout; off by one when a cache or another module counts "
            "from 0."
        ),
        fingerprint="Row 0 starts with sin 1 = 0.841.",
        effect="the table is one row ahead; it lacks the row of position 0.",
        look_at="row 0, which begins with 0.84 and 0.54, as row 1 should.",
        reports=(),
        make=_checked(_from_one),
        test=starts_with_zero_and_one,
    ),
    Variant(
        name="cosine first",
        kind="convention",
        summary="Each pair is cosine, sine.",
        symptom="As good as the paper's, until the two are mixed.",
        fingerprint="Row 0 is 1, 0, 1, 0, …",
        effect="in each pair the cosine stands left of the sine.",
        look_at="row 0: 1, 0, 1, 0, …",
        reports=(),
        make=_checked(_cosine_first),
        test=starts_with_zero_and_one,
    ),
]
VARIANTS = {variant.name: variant for variant in _ALL}
