"""The gallery of mistakes: tables and uses that went wrong in real code, each with its test.

Every mistake is written as plainly as it was made, so that a reader can see it, and stands beside
the shortest test that an engineer would put into a test suite to catch it. `VARIANTS` holds
tables, `MISUSES` holds correct tables in wrong hands. `pecode.diagnose.identify` names the tables.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pecode import _check
from pecode.encodings import sinusoidal, sinusoidal_table
from pecode.precision import bfloat16
from pecode.rotary import rotate
from pecode.translation import translate


@dataclass(frozen=True)
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
    symptom : str
        What one sees without looking at the table.
    fingerprint : str
        What to look at in the table.
    reports : tuple of str
        Where people met it, owner/repository#number; empty where it comes from a text.
    make
        A function (length, d_model, base=10000.0) -> ndarray (length, d_model): the variant
        itself. d_model is even and at least 4. `inspect.getsource` shows it.
    test
        A function (make) -> bool: True where the given function makes the table of the paper, as
        far as this test looks. It is False for this variant.
    """

    name: str
    kind: str
    summary: str
    symptom: str
    fingerprint: str
    reports: tuple
    make: Callable
    test: Callable


@dataclass(frozen=True)
class Misuse:
    """A right table, or a right rotation, used wrongly.

    Attributes
    ----------
    name, summary, symptom, fingerprint, reports
        As in `Variant`.
    right, wrong
        Functions of the same arguments.
    test
        A function (function) -> bool: True where the given function does what `right` does, as
        far as this test looks. It is False for `wrong`.
    """

    name: str
    summary: str
    symptom: str
    fingerprint: str
    reports: tuple
    right: Callable
    wrong: Callable
    test: Callable


# Tables, each with its mistake in plain sight


def _filled(length, d_model, frequencies):
    """Sines of the angles in the even columns, cosines in the odd ones."""
    angles = np.arange(length)[:, None] * frequencies  # (length, d_model / 2)
    table = np.empty((length, d_model))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


def _filled_by_column(length, frequencies):
    """A frequency of its own for every column, and only then sines and cosines."""
    angles = np.arange(length)[:, None] * frequencies  # (length, d_model)
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return angles


def _factor_2_doubled(length, d_model, base):
    i = np.arange(0, d_model, 2)  # already 2i
    return _filled(length, d_model, base ** (-2 * i / d_model))


def _factor_2_lost(length, d_model, base):
    i = np.arange(d_model // 2)
    return _filled(length, d_model, base ** (-i / d_model))


def _exponent_by_column(length, d_model, base):
    j = np.arange(d_model)  # a sine and its cosine have different j
    return _filled_by_column(length, base ** (-j / d_model))


def _factor_2_by_column(length, d_model, base):
    j = np.arange(d_model)  # the columns, taken for the pairs
    return _filled_by_column(length, base ** (-2 * j / d_model))


def _wrong_base(length, d_model, base):
    i = np.arange(d_model // 2)
    return _filled(length, d_model, (base / 10) ** (-2 * i / d_model))  # a zero is missing


def _length_for_width(length, d_model, base):
    i = np.arange(d_model // 2)
    return _filled(length, d_model, base ** (-2 * i / length))


def _precedence(length, d_model, base):
    two_i = np.arange(0, d_model, 2)
    # meant: / (d_model // 2), with pairs counted; reads: (… / d_model) // 2, rounded down to -1
    return _filled(length, d_model, np.exp(two_i * (-math.log(base) / d_model // 2)))


def _integer_division(length, d_model, base):
    two_i = np.arange(0, d_model, 2)
    return _filled(length, d_model, base ** -(two_i // d_model).astype(float))  # always 0


def _divided_twice(length, d_model, base):
    div_term = base ** (-np.arange(0, d_model, 2) / d_model)
    angles = np.arange(length)[:, None] / div_term  # div_term is a factor already
    table = np.empty((length, d_model))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


def _along_the_batch(length, d_model, base):
    batch = np.zeros((2, length, d_model))
    batch += sinusoidal_table(len(batch), d_model, base)[:, None, :]  # meant for axis 1
    return batch[1]  # the second text


def _low_precision(length, d_model, base):
    t = bfloat16(np.arange(length)).astype(float)[:, None]
    omega = base ** (-np.arange(0, d_model, 2) / d_model)
    table = np.empty((length, d_model))
    table[:, 0::2], table[:, 1::2] = np.sin(t * omega), np.cos(t * omega)
    return table


def _concatenated(length, d_model, base):
    table = sinusoidal_table(length, d_model, base)
    return np.concatenate([table[:, 0::2], table[:, 1::2]], axis=1)


def _endpoint(length, d_model, base):
    n = d_model // 2
    return _filled(length, d_model, base ** (-np.arange(n) / (n - 1)))


def _from_one(length, d_model, base):
    return sinusoidal(np.arange(1, length + 1), d_model, base)


def _cosine_first(length, d_model, base):
    table = sinusoidal_table(length, d_model, base)
    table[:, 0::2], table[:, 1::2] = table[:, 1::2].copy(), table[:, 0::2].copy()
    return table


# Tests of a table: short enough for anybody's test suite. `table` is a function of
# (length, d_model, base); widths are even and at least 4, for a single pair hides most mistakes.


def _made(table, length, d_model, base):
    """The table that a function makes, as float64, if it is one."""
    if not callable(table):
        raise TypeError(f"table: expected a function, got {_check.shown(table)}")
    _at_least_two_pairs(d_model)
    _check.real("base", base, above=1)
    rows = _check.reals("table", table(length, d_model, base)).astype(np.float64)
    if rows.shape != (length, d_model):
        raise ValueError(
            f"table: expected a function that returns {(length, d_model)} when that is asked, "
            f"got {rows.shape}"
        )
    return rows


def _at_least_two_pairs(d_model):
    if _check.even_width("d_model", d_model) < 4:
        raise ValueError(f"d_model: expected at least 4, two pairs, got {d_model}")
    return d_model


def starts_with_zero_and_one(table, d_model=16, base=10000.0):
    """Row 0 is 0, 1, 0, 1, …: position 0 comes first, sines stand in the even columns.

    Parameters
    ----------
    table : callable (length, d_model, base) -> array-like of floats, (length, d_model)
    d_model : int, even, at least 4
    base : float > 1

    Returns
    -------
    bool

    Raises
    ------
    TypeError, ValueError
        table is no function or returns no such table; d_model or base are out of range.

    Examples
    --------
    >>> starts_with_zero_and_one(sinusoidal_table)
    True
    >>> starts_with_zero_and_one(VARIANTS["concatenated"].make)
    False
    """
    row = _made(table, 2, d_model, base)[0]
    return bool(np.allclose(row[0::2], 0) and np.allclose(row[1::2], 1))


def pairs_lie_on_circles(table, d_model=16, base=10000.0):
    """sin² + cos² = 1 for every pair in every row: both have the same angle.

    Takes, returns and raises what `starts_with_zero_and_one` does.

    Examples
    --------
    >>> pairs_lie_on_circles(VARIANTS["exponent by column"].make)
    False
    """
    rows = _made(table, 64, d_model, base)
    return bool(np.allclose(rows[:, 0::2] ** 2 + rows[:, 1::2] ** 2, 1, atol=1e-5))


def slowest_pair_has_its_frequency(table, d_model=16, base=10000.0):
    """The last sine of row 1 is the sine of base**(-(d_model - 2) / d_model).

    Takes, returns and raises what `starts_with_zero_and_one` does.

    Examples
    --------
    >>> slowest_pair_has_its_frequency(VARIANTS["wrong base"].make)
    False
    """
    entry = _made(table, 64, d_model, base)[1, d_model - 2]
    return math.isclose(entry, math.sin(base ** (2 / d_model - 1)), rel_tol=1e-4)


def second_pair_has_its_frequency(table, d_model=16, base=10000.0):
    """The second sine of row 1 is the sine of base**(-2 / d_model).

    Takes, returns and raises what `starts_with_zero_and_one` does.

    Examples
    --------
    >>> second_pair_has_its_frequency(VARIANTS["integer division"].make)
    False
    """
    entry = _made(table, 64, d_model, base)[1, 2]
    return math.isclose(entry, math.sin(base ** (-2 / d_model)), rel_tol=1e-4)


def one_step_moves_each_row_to_the_next(table, d_model=16, base=10000.0):
    """T(1) turns row t into row t + 1, for 600 rows: chapter 5 as a test.

    Takes, returns and raises what `starts_with_zero_and_one` does.

    Examples
    --------
    >>> one_step_moves_each_row_to_the_next(VARIANTS["divided twice"].make)
    False
    """
    rows = _made(table, 600, d_model, base)
    return bool(np.allclose(translate(rows[:-1], 1, base), rows[1:], atol=1e-5))


def a_longer_table_begins_with_the_shorter(table, d_model=16, base=10000.0):
    """The first 20 rows of 64 are the table of length 20.

    Takes, returns and raises what `starts_with_zero_and_one` does.

    Examples
    --------
    >>> a_longer_table_begins_with_the_shorter(VARIANTS["length for width"].make)
    False
    """
    short, long = _made(table, 20, d_model, base), _made(table, 64, d_model, base)
    return bool(np.allclose(short, long[:20], atol=1e-5))


def neighbors_are_a_step_apart(table, d_model=16, base=10000.0):
    """Every row differs from the one before by more than 0.4 in some entry, for 512 rows.

    Takes, returns and raises what `starts_with_zero_and_one` does.

    Examples
    --------
    >>> neighbors_are_a_step_apart(VARIANTS["low precision"].make)
    False
    """
    rows = _made(table, 512, d_model, base)
    return bool((np.abs(np.diff(rows, axis=0)).max(axis=1) > 0.4).all())


def _gallery(*rows):
    return {row.name: row for row in rows}


def _checked(make):
    """The mistake behind checks of its arguments: it may be wrong only in the way it is named."""

    @functools.wraps(make)  # so that inspect.getsource shows the mistake
    def table(length, d_model, base=10000.0):
        d_model = _at_least_two_pairs(_check.width("d_model", d_model))
        length, base = _check.length("length", length), _check.real("base", base, above=1)
        return make(length, d_model, base) if length else np.zeros((0, d_model))

    return table


VARIANTS = _gallery(
    Variant(
        "factor 2 doubled",
        "mistake",
        "The loop runs over even columns, which are 2i already, and the exponent doubles them.",
        "It trains; half of the columns hardly move, so distant positions look alike.",
        "Wide tables: the last sine of row 1 is near 1/base² instead of 1/base.",
        ("SamLynnEvans/Transformer#25",),  # the fix that its first post proposes
        _checked(_factor_2_doubled),
        slowest_pair_has_its_frequency,
    ),
    Variant(
        "factor 2 lost",
        "mistake",
        "The exponent is i/d_model for pair i: the frequencies stop half way.",
        "It trains; a position computed by hand from one entry comes out wrong.",
        "The last sine of row 1 is near 1/√base instead of 1/base, if the table is wide.",
        (),
        _checked(_factor_2_lost),
        slowest_pair_has_its_frequency,
    ),
    Variant(
        "exponent by column",
        "mistake",
        "Column j uses base**(-j/d_model), so a sine and its cosine turn at different speeds.",
        "It trains; no matrix moves a row by one position.",
        "The sum sin² + cos² of a pair is not 1.",
        ("maxjcohen/transformer#62",),
        _checked(_exponent_by_column),
        pairs_lie_on_circles,
    ),
    Variant(
        "factor 2 by column",
        "mistake",
        "Column j uses base**(-2j/d_model): columns were taken for pairs.",
        "It trains; the matrix of dot products lacks its clean diagonal band.",
        "The sum sin² + cos² of a pair is not 1, and the last columns hardly move.",
        (
            "jadore801120/attention-is-all-you-need-pytorch#32",
            "Kyubyong/transformer#38",
            "SamLynnEvans/Transformer#25",
            "shenweichen/DeepCTR#379",
            "BrianPulfer/PapersReimplementations#9",
            "YutaroOgawa/pytorch_advanced#79",
        ),
        _checked(_factor_2_by_column),
        pairs_lie_on_circles,
    ),
    Variant(
        "wrong base",
        "mistake",
        "A zero is missing: 1000 stands for 10000.",
        "It trains; weights trained with the other base do not fit.",
        "The last sine of row 1 is too large, up to ten times in a wide table.",
        ("maxjcohen/transformer#62",),
        _checked(_wrong_base),
        slowest_pair_has_its_frequency,
    ),
    Variant(
        "length for width",
        "mistake",
        "The exponent is divided by the length of the table instead of d_model.",
        "The encoding of a position changes with the longest length.",
        "Tables of two lengths disagree in their common rows.",
        ("warner-benjamin/commented-transformers#1",),
        _checked(_length_for_width),
        a_longer_table_begins_with_the_shorter,
    ),
    Variant(
        "precedence",
        "mistake",
        "`/ d // 2` is read from the left: the factor of the exponent becomes -1.",
        "It trains; nearly all columns are constant.",
        "From one pair to the next the frequency falls by e², whatever the base is.",
        ("zju3dv/LoFTR#41", "GrumpyZhou/image-matching-toolbox#36"),
        _checked(_precedence),
        second_pair_has_its_frequency,
    ),
    Variant(
        "integer division",
        "mistake",
        "The exponent is computed in integers and is 0 for every pair.",
        "Positions 44 and 710 apart are confused.",
        "All sines are the same column, sin t, and all cosines are cos t.",
        ("codertimo/BERT-pytorch#18", "Kyubyong/transformer#81"),
        _checked(_integer_division),
        second_pair_has_its_frequency,
    ),
    Variant(
        "divided twice",
        "mistake",
        "The position is divided by a term that is a factor already.",
        "It may train even better where neighbors need to differ; it finds no near position.",
        "Frequencies grow from 1 to base; neighboring rows are nearly orthogonal.",
        ("harvardnlp/annotated-transformer#131", "goodfire-ai/spd#88"),
        _checked(_divided_twice),
        one_step_moves_each_row_to_the_next,
    ),
    Variant(
        "along the batch",
        "mistake",
        "The table is added along the batch axis.",
        "The model is blind to order, and a text changes with its place in the batch.",
        "All rows of one text get the same vector.",
        (
            "KasperGroesLudvigsen/influenza_transformer#9",
            "cmu-l3/anlp-fall2025-code#1",
            "songyangco/GETNext#2",
        ),
        _checked(_along_the_batch),
        neighbors_are_a_step_apart,
    ),
    Variant(
        "low precision",
        "mistake",
        "Positions are stored as bfloat16, which has 8 significant bits.",
        "Short texts are fine; from position 257 on neighbors are confused.",
        "Rows 256 and 257 are equal; beyond 512 rows are equal in groups of 3 or 5.",
        (
            "EleutherAI/gpt-neox#1003",
            "huggingface/transformers#25681",
            "huggingface/transformers#29496",
        ),
        _checked(_low_precision),
        neighbors_are_a_step_apart,
    ),
    Variant(
        "concatenated",
        "convention",
        "All sines first, then all cosines, where interleaved columns were expected.",
        "As good as the paper's order, until weights or tests of the other order meet it.",
        "Row 0 is 0, 0, …, 1, 1, …",
        ("tensorflow/text#1122", "tensorflow/tensorflow#37191"),
        _checked(_concatenated),
        starts_with_zero_and_one,
    ),
    Variant(
        "endpoint spacing",
        "convention",
        "The exponents are i/(d_model/2 - 1): the slowest frequency is exactly 1/base.",
        "As good as the paper's, until the two are mixed.",
        "The last sine of row 1 is sin(1/base).",
        (),
        _checked(_endpoint),
        slowest_pair_has_its_frequency,
    ),
    Variant(
        "positions from 1",
        "convention",
        "The first token is position 1.",
        "Harmless when used throughout; off by one when a cache or another module counts from 0.",
        "Row 0 starts with sin 1 = 0.841.",
        (),
        _checked(_from_one),
        starts_with_zero_and_one,
    ),
    Variant(
        "cosine first",
        "convention",
        "Each pair is cosine, sine.",
        "As good as the paper's, until the two are mixed.",
        "Row 0 is 1, 0, 1, 0, …",
        (),
        _checked(_cosine_first),
        starts_with_zero_and_one,
    ),
)


# Uses. Scores are queries against keys, (length, length); `right` and `wrong` take the same.


def _scores(queries, keys, query_positions, key_positions, layouts=("half", "half")):
    turned_queries = rotate(queries, query_positions, layout=layouts[0])
    turned_keys = rotate(keys, key_positions, layout=layouts[1])
    return turned_queries @ turned_keys.T


def _all_at_once(queries, keys):
    t = np.arange(len(queries))
    return _scores(queries, keys, t, t)


def _step_by_step(queries, keys, late=0):
    """A prompt in one pass, then token by token: each key is turned once, and kept."""
    length = len(queries)
    prompt = length // 2
    cache = list(rotate(keys[:prompt], np.arange(prompt), layout="half"))
    scores = np.full((length, length), -np.inf)
    scores[:prompt, :prompt] = _all_at_once(queries[:prompt], keys[:prompt])
    for t in range(prompt, length):
        position = len(cache) + late  # how many tokens came before
        cache.append(rotate(keys[t], position, layout="half"))
        scores[t, : t + 1] = rotate(queries[t], position, layout="half") @ np.array(cache).T
    return scores


def _cache_counted_late(queries, keys):
    # The length of the cache is asked after the place of the new key has been made.
    return _step_by_step(queries, keys, late=1)


def _layouts_mixed(queries, keys):
    t = np.arange(len(queries))
    # The weights were trained with the columns in halves.
    return _scores(queries, keys, t, t, layouts=("interleaved", "interleaved"))


def _keys_in_another_layout(queries, keys):
    t = np.arange(len(queries))
    return _scores(queries, keys, t, t, layouts=("half", "interleaved"))


def _keys_turned_back(queries, keys):
    t = np.arange(len(queries))
    return _scores(queries, keys, t, -t)


def _turned_backwards(queries, keys):
    t = np.arange(len(queries))
    return _scores(queries, keys, -t, -t)


def _positions_of_tokens(is_token):
    return np.maximum(np.cumsum(is_token, axis=-1) - 1, 0)


def _positions_with_padding(is_token):
    return np.broadcast_to(np.arange(is_token.shape[-1]), is_token.shape)


def _added_along_the_text(x):
    return x + sinusoidal_table(x.shape[1], x.shape[2])  # (batch, length, d_model)


def _added_along_the_batch(x):
    return x + sinusoidal_table(x.shape[0], x.shape[2])[:, None, :]


def _answer(function, shape, *arguments):
    """What a function returns, as an array of the expected shape."""
    if not callable(function):
        raise TypeError(f"function: expected a function, got {_check.shown(function)}")
    answer = _check.reals("function", function(*arguments), finite=False)
    if answer.shape != shape:
        raise ValueError(
            f"function: expected a function that returns the shape {shape}, got {answer.shape}"
        )
    return answer


def steps_agree_with_all_at_once(function):
    """What a cache gives token by token is what one pass gives, where a query may look.

    Parameters
    ----------
    function : callable (queries, keys) -> scores
        Queries and keys (length, d_head), scores (length, length), pairs in halves, base 10000.

    Returns
    -------
    bool

    Raises
    ------
    TypeError, ValueError
        function is no function, or returns another shape.

    Examples
    --------
    >>> misuse = MISUSES["cache off by one"]
    >>> steps_agree_with_all_at_once(misuse.right), steps_agree_with_all_at_once(misuse.wrong)
    (True, False)
    """
    queries, keys = np.random.default_rng(0).normal(size=(2, 6, 8))
    seen = np.tri(6, dtype=bool)
    scores = _answer(function, (6, 6), queries, keys)
    return bool(np.allclose(scores[seen], _all_at_once(queries, keys)[seen], atol=1e-5))


def scores_see_the_offset_only(function):
    """Equal queries and equal keys: every diagonal of the scores is constant.

    Takes, returns and raises what `steps_agree_with_all_at_once` does.

    Examples
    --------
    >>> scores_see_the_offset_only(MISUSES["keys turned back"].wrong)
    False
    """
    queries, keys = np.repeat(np.random.default_rng(0).normal(size=(2, 1, 8)), 6, axis=1)
    scores = _answer(function, (6, 6), queries, keys)
    return bool(np.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-5))


def first_half_turns_into_the_second(function):
    """At the offset 1 the query e_0 meets the key e_{d/2} with the sine of one radian.

    Takes, returns and raises what `steps_agree_with_all_at_once` does.

    Examples
    --------
    >>> first_half_turns_into_the_second(MISUSES["turned backwards"].wrong)
    False
    """
    queries, keys = np.zeros((2, 2, 8))
    queries[:, 0] = keys[:, 4] = 1
    # the query at 1 is (cos 1, …, sin 1, …), the key at 0 is e_4 itself
    score = _answer(function, (2, 2), queries, keys)[1, 0]
    return math.isclose(score, math.sin(1), rel_tol=1e-4)


def padding_moves_no_token(function):
    """Two paddings on the left leave the positions of the tokens as they were.

    Parameters
    ----------
    function : callable (is_token) -> positions
        A bool array and ints, both (batch, length).

    Returns
    -------
    bool

    Raises
    ------
    TypeError, ValueError
        function is no function, or returns another shape.

    Examples
    --------
    >>> padding_moves_no_token(MISUSES["padding counted"].wrong)
    False
    """
    is_token = np.array([[True, True, True, True], [False, False, True, True]])
    return _answer(function, (2, 4), is_token)[1, 2:].tolist() == [0, 1]


def texts_of_a_batch_are_alike(function):
    """Equal texts stay equal wherever they stand in the batch; their tokens become different.

    Parameters
    ----------
    function : callable (x) -> x with positions
        Both (batch, length, d_model).

    Returns
    -------
    bool

    Raises
    ------
    TypeError, ValueError
        function is no function, or returns another shape.

    Examples
    --------
    >>> texts_of_a_batch_are_alike(MISUSES["added along the batch"].wrong)
    False
    """
    added = _answer(function, (3, 5, 8), np.zeros((3, 5, 8)))
    return bool(np.allclose(added[0], added[2]) and not np.allclose(added[:, 0], added[:, 1]))


MISUSES = _gallery(
    Misuse(
        "cache off by one",
        "The position of a new token is the length of the cache after its own key has entered it.",
        "Token by token the answers after a prompt differ from those of one pass.",
        "New tokens agree with each other; against the prompt every offset is one too far.",
        ("fla-org/flash-linear-attention#766", "microsoft/onnxruntime-genai#2354"),
        _step_by_step,
        _cache_counted_late,
        steps_agree_with_all_at_once,
    ),
    Misuse(
        "layouts mixed",
        "Weights trained with rotary pairs in halves meet code that turns adjacent columns.",
        "Fluent for a token or two, then garbage.",
        "Scores still depend on the offset only, and are right at the offset 0.",
        ("huggingface/transformers#25199", "huggingface/transformers#40462"),
        _all_at_once,
        _layouts_mixed,
        first_half_turns_into_the_second,
    ),
    Misuse(
        "keys in another layout",
        "Queries are turned in halves, keys in adjacent columns.",
        "It trains badly, and worse on longer texts.",
        "Scores at one offset differ from position to position.",
        ("huggingface/transformers#40462",),
        _all_at_once,
        _keys_in_another_layout,
        scores_see_the_offset_only,
    ),
    Misuse(
        "keys turned back",
        "Keys are turned against the queries: a sign is lost in one of the two.",
        "It trains badly; a text that is moved changes its meaning.",
        "Scores depend on the sum of the positions: constant along the other diagonals.",
        (),
        _all_at_once,
        _keys_turned_back,
        scores_see_the_offset_only,
    ),
    Misuse(
        "turned backwards",
        "Queries and keys are both turned clockwise.",
        "Harmless in training; weights trained with the other sign see the order reversed.",
        "Scores depend on the offset only, with its sign changed.",
        ("karpathy/nanochat#489",),
        _all_at_once,
        _turned_backwards,
        first_half_turns_into_the_second,
    ),
    Misuse(
        "padding counted",
        "Positions run from the first column of the batch, where shorter texts have padding.",
        "A text is answered differently alone and in a batch.",
        "The first token of a padded text has a position above 0.",
        ("huggingface/transformers#29583", "huggingface/transformers#22161"),
        _positions_of_tokens,
        _positions_with_padding,
        padding_moves_no_token,
    ),
    Misuse(
        "added along the batch",
        "The table meets the first axis, which is the batch and not the text.",
        "The model is blind to order, and a text changes with its place in the batch.",
        "All tokens of one text get the same vector.",
        VARIANTS["along the batch"].reports,
        _added_along_the_text,
        _added_along_the_batch,
        texts_of_a_batch_are_alike,
    ),
)
