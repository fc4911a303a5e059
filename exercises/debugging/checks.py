"""Positions read back, positions in a batch, and a table that has to be named."""

import math

import numpy as np

from exercises.registry import ChapterExercises
from pecheck.variants import VARIANTS
from pecode import frequencies, sinusoidal, sinusoidal_table

chapter = ChapterExercises("debugging")

_DIGITS = 11  # of a float16, the leading one among them
chapter.number(
    "first_row_that_repeats",
    "The first row that repeats",
    {
        2**_DIGITS + 1: (
            "Eleven binary digits hold every whole number up to 2,048 = 2¹¹. 2,049 would need "
            "twelve, and ends in a 1 for which there is no room. It lies halfway between 2,048 and "
            "2,050, and a tie goes to the even last digit, which is 2,048. So two rows are one."
        ),
        2**_DIGITS: (
            "2,048 is a 1 and eleven zeros. The zero that does not fit costs nothing, so it is "
            "stored exactly, and its row is new. Which is the first number that loses a 1?"
        ),
        2**_DIGITS + 2: (
            "2,050 is even and is stored exactly. For its row to repeat, 2,049 would have to be "
            "rounded up to it. It is a tie, and ties go to the even last digit: down, this time."
        ),
        2 ** (_DIGITS - 1) + 1: (
            "In binary, 1,025 is 10000000001: these are eleven digits, and they all fit. "
            "The leading one is counted among the eleven."
        ),
        257: "That is the row for bfloat16, with its eight digits. Here there are eleven.",
        65504: (
            "65,504 is the largest number of all in float16. Digits run out long before the range "
            "does: large numbers are stored, but not every whole number among them."
        ),
    },
    kind="predict",
    level=1,
    teaches="what a number format does to positions",
    tolerance=0.4,
    otherwise="Up to which number is every whole number written with eleven binary digits or "
    "fewer? The next one needs twelve. Is its last digit a 1?",
)

_D, _COLUMN, _POSITION = 5120, 1088, 60
_OMEGA = frequencies(_D)[_COLUMN // 2]
_ENTRY = round(float(sinusoidal(_POSITION, _D)[_COLUMN]), 6)
_ANGLE = math.asin(_ENTRY)
_TURN = math.tau / _OMEGA  # positions in a whole turn
_NOT_WHOLE = [_ANGLE / _OMEGA, (math.pi - _ANGLE) / _OMEGA]  # have this sine
_NOT_WHOLE += [_NOT_WHOLE[0] + _TURN, _NOT_WHOLE[1] + 2 * _TURN]


def _rounded(near, whole):
    """Return what is said to a position that is not whole enough."""
    return (
        f"Rounded from {near:.2f}? A whole position must come out almost exactly, for the entry "
        f"has six decimals. Position {whole} has {math.sin(whole * _OMEGA):.6f} here."
    )


chapter.number(
    "position_of_one_entry",
    "Which position has this entry?",
    {
        _POSITION: (
            f"The sine has its value {_ENTRY} at two angles of every turn. The angle {_ANGLE:.4f} "
            f"gives {_NOT_WHOLE[0]:.2f} positions, and {_TURN:.2f} more with every turn. The "
            f"other, π − {_ANGLE:.4f}, gives {_NOT_WHOLE[1]:.2f}, and one turn later "
            f"{_POSITION}.00: the first that is whole, and the only one to six decimals."
        ),
        _NOT_WHOLE[0]: (
            "This is what the arc sine says. It knows angles up to a quarter of a turn only, and "
            "a position is a whole number. At which other angles is the sine the same?"
        ),
        7: (_rounded(_NOT_WHOLE[0], 7)),
        15: (_rounded(_NOT_WHOLE[1], 15)),
        16: (_rounded(_NOT_WHOLE[1], 16)),
        51: (_rounded(_NOT_WHOLE[2], 51)),
        104: (_rounded(_NOT_WHOLE[3], 104)),
        math.degrees(_ANGLE) / _OMEGA: (
            "That is the angle in degrees, divided by a frequency in radians. Take the arc sine in "
            "radians."
        ),
        _NOT_WHOLE[1]: (
            "The second angle of the first turn: a good step, but not yet a whole position. The "
            "hand may have gone around before."
        ),
        _NOT_WHOLE[2]: (
            "You went around once, from the first angle. Each turn has two angles with this sine."
        ),
    },
    kind="hand",
    level=1,
    teaches="all angles that have one sine",
    tolerance=0.05,
    otherwise="The frequency of column 1088 is 10000 to the power −1088/5120. Did you lose or "
    "double a factor 2? Then: the sine has its value at two angles in every turn.",
)

_LENGTH, _HALF_TURN = 30_000, math.floor(math.pi / frequencies(512)[-1])
_STEP = abs(np.diff(np.cos(frequencies(512)[-1] * np.array([_LENGTH, _LENGTH + 1])))[0])  # the last
chapter.choice(
    "the_slowest_cosine",
    "The slowest cosine",
    {
        "All of them: in half a turn no two angles have the same cosine.": (
            "No two have the same *exact* cosine. Six decimals are not exact: near the start the "
            "cosines of neighbors differ in the eighth decimal, and ten rows read 1.000000."
        ),
        "None: a ten-thousandth of a radian is too little for six decimals.": (
            "In the middle a step of a ten-thousandth of a radian changes the cosine by nearly a "
            "ten-thousandth, which is a hundred units of the sixth decimal. There it is plenty."
        ),
        "Up to a quarter of a turn: then the values come back.": (
            "That is a sine, which rises to a quarter of a turn and comes back. A cosine falls "
            "all the way from 1 to −1, for half a turn."
        ),
        "All but those near the start, where a cosine is flat.": (
            "cos x is nearly 1 − x²/2: at the start a step changes it by less than the sixth "
            "decimal shows. (It is flat near half a turn as well, but that comes at "
            f"{_HALF_TURN:,}: at {_LENGTH:,} a step still changes it by {_STEP * 1e6:.0f} units of "
            "the sixth decimal.) A fast hand is ambiguous because it goes around, a slow one "
            "because it hardly moves; a whole row has both kinds."
        ),
    },
    right="d",
    kind="predict",
    level=2,
    teaches="what the digits of one entry can tell",
)


@chapter.function(
    "A row with blots", kind="program", level=2, teaches="the nearest row and what it assumes"
)
def position_of(attempt):
    for t in (0, 2, 9):
        why = (
            f"this is row {t} itself, with all its digits. One entry does not settle it: its hand "
            "may have gone around, or come back"
        )
        _same(attempt, sinusoidal(t, 12, base=100.0), 10, 100.0, why)
    for t, d_model, base in [(733, 4, 10000.0), (999, 12, 10000.0), (411, 32, 1000.0)]:
        why = (
            f"row {t} of a table with base {base:g}, with two decimals: which row of that table "
            "is nearest to it as a whole"
        )
        _same(attempt, sinusoidal(t, d_model, base).round(2), 1000, base, why)
    why = (
        "row 5 with one decimal: its nearest row among the positions below 300 is asked for, and "
        "a longer table would have a nearer one"
    )
    _same(attempt, sinusoidal(5, 2).round(1), 300, 10000.0, why)
    rng = np.random.default_rng(0)
    for t in (3, 500, 1999):
        row = sinusoidal(t, 64) + rng.normal(scale=0.4, size=64)
        why = f"row {t} with noise in every entry: all entries have to vote, not one or two"
        _same(attempt, row, 2000, 10000.0, why)
    cosines = np.arange(1, 12, 2)
    for t, base, unread in [(37, 100.0, [4, 7]), (40, 100.0, [*cosines, 0]), (7, 1e4, cosines)]:
        row = sinusoidal(t, 12, base).round(2)
        row[unread] = np.nan
        why = (
            f"row {t}, and many entries cannot be read (NaN): only the others can be compared, in "
            "the row and in the table"
        )
        _same(attempt, row, 700, base, why)
    why = "a narrow row with noise, blots and a wrong entry: its nearest row is asked for"
    for row, length, base in _noisy_rows(100):
        _same(attempt, row, length, base, why)


def misfits(row, length, base):
    """Return the sums of squared differences to the rows of the table, over what can be read."""
    return np.nansum((sinusoidal_table(length, len(row), base) - row) ** 2, axis=1)


def _noisy_rows(count):
    """Yield narrow rows with noise, blots and a wrong entry; one row of the table is nearest."""
    rng = np.random.default_rng(3)
    while count:
        length, d_model = int(rng.integers(20, 200)), int(2 * rng.integers(2, 6))
        base = float(rng.choice([50.0, 1000.0, 10000.0]))
        row = sinusoidal(int(rng.integers(length)), d_model, base)
        row = (row + rng.normal(scale=rng.uniform(0.15, 0.3), size=d_model)).round(2)
        row[rng.integers(d_model)] += rng.choice([-1, 1])
        row[rng.random(d_model) < 0.2] = np.nan
        if np.isnan(row).all():
            continue
        best, second = np.sort(misfits(row, length, base))[:2]
        if second - best > 1e-4:  # no tie, in single precision either
            count -= 1
            yield row, length, base


def _same(attempt, row, length, base, why):
    """Require the nearest row of the table."""
    got = attempt.number(row, length, base, why="a position is one whole number")
    sums = misfits(row, length, base)
    expected = int(sums.argmin())
    if got in range(length):
        why += (
            f". Position {got:.0f} has the sum of *squared* differences {sums[int(got)]:.4f}, "
            f"position {expected} has {sums[expected]:.4f}"
        )
    else:
        why += f". A position is a whole number from 0 to {length - 1} here"
    attempt.equal(got, expected, why)


@position_of.mistake(
    "a blot is not a zero: an entry that cannot be read says nothing. (And the rows of the "
    "table, without these columns, are no longer equally long)"
)
def largest_product(row, length, base):
    return (sinusoidal_table(length, len(row), base) @ np.nan_to_num(row)).argmax()


@position_of.mistake("a sum with a NaN is NaN, and then no row is the nearest one")
def blots_make_everything_nan(row, length, base):
    return ((sinusoidal_table(length, len(row), base) - row) ** 2).sum(axis=1).argmin()


@position_of.mistake("one too far: the first row is position 0")
def counted_from_one(row, length, base):
    return misfits(row, length, base).argmin() + 1


@chapter.function(
    "Padding and a cache", kind="debug", level=2, teaches="positions count tokens, not columns"
)
def positions_in_a_padded_batch(attempt):
    def padded(*paddings, length):
        return np.array([[0] * some + [1] * (length - some) for some in paddings])

    alone, company = padded(0, length=5), padded(1, 0, length=6)
    mixed, many = padded(1, 0, 3, length=4), padded(17, 4, 0, 11, 18, length=20)
    for is_token, cached, why in [
        (alone, 0, "a text without padding, read at once: its tokens are 0, 1, 2, …"),
        (company, 0, "tokens have the positions that they would have alone, without padding"),
        (alone, 3, "three tokens were read before and are kept: the others follow them"),
        (mixed, 0, "each text has its own padding, and starts at 0 behind it"),
        (mixed, 2, "of what was read before, tokens count and padding does not"),
        (mixed, 3, "one column is new, as in every step of writing: count what stands before it"),
        (many, 0, "each text has its own padding, and starts at 0 behind it"),
        (many, 12, "of what was read before, tokens count and padding does not"),
    ]:
        shape = (len(is_token), is_token.shape[1] - cached)
        got = attempt.array(
            is_token,
            cached,
            shape=shape,
            why="whole numbers: one row for each text, one column for each new token",
        )
        for row, texts in zip(is_token, got, strict=True):
            new = row[cached:] == 1
            expected = np.array([row[:column].sum() for column in range(cached, len(row))])[new]
            said = f"the tokens of {row.tolist()}, from column {cached} on: {why}"
            attempt.true(
                np.array_equal(texts[new], expected), _listed(expected), _listed(texts[new]), said
            )
        length = is_token.shape[1]
        attempt.true(
            (got >= 0).all(),
            "no position below 0",
            f"{got.min():g} at a padding",
            "padding may have any position that exists, and there is no row before the first",
        )
        attempt.true(
            (got < length).all(),
            f"no position above {length - 1}",
            f"{got.max():.0f} at a padding",
            "padding may have any position that exists, and a batch of so many columns has no "
            "more positions than columns",
        )


def _listed(values):
    """Whole numbers as such: the reader is not asked for anything else."""
    whole = (values == np.round(values)).all()
    return str([int(value) if whole else round(float(value), 4) for value in values])


NAMES = {  # of the task: the name in the gallery, and where to look
    "right": (None, "nothing is wrong with this one, its entries are only rounded"),
    "factor 2 doubled": (
        "factor 2 doubled",
        "how far does the second hand turn from row 0 to row 1? A doubled factor is a larger base",
    ),
    "base 1000": (
        "wrong base",
        "how far does the second hand turn from row 0 to row 1? It depends on the width, too",
    ),
    "integer division": ("integer division", "do the pairs differ from each other?"),
    "sines first": ("concatenated", "where do the zeros and ones of row 0 stand?"),
    "cosine first": ("cosine first", "where do the zeros and ones of row 0 stand?"),
    "positions from 1": ("positions from 1", "is row 0 the row of position 0?"),
}


@chapter.function(
    "Name the mistake", kind="extend", level=3, teaches="measure, propose, compare with all entries"
)
def name_the_mistake(attempt):
    for length, d_model in [(16, 8), (50, 64), (300, 24)]:
        for name, (_, look) in NAMES.items():
            why = f'a table of the kind "{name}": {look}'
            attempt.equal(attempt(table_named(name, length, d_model).round(4)), name, why)
    rng = np.random.default_rng(0)
    table = sinusoidal_table(40, 16)
    moved = np.concatenate([[0, 1], 2 + rng.permutation(38)])
    turned = np.concatenate([np.arange(20), np.arange(39, 19, -1)])
    others = {
        "random numbers": rng.normal(size=(40, 16)),
        "the right table with its rows shuffled, the first two excepted": table[moved],
        "the right table, with the order reversed from row 20 on": table[turned],
        "the right table with one column negated": table * np.where(np.arange(16) == 13, -1, 1),
        "a table with base 9900": sinusoidal_table(40, 16, base=9900.0),
        "two mistakes in one table": VARIANTS["cosine first"].make(40, 16, 1000.0),
        "the right table times 8": 8 * table,
        "the right table with 0.5 added everywhere": table + 0.5,
        "the right table with 0.5 subtracted everywhere": table - 0.5,
    }
    for name in NAMES:
        table = table_named(name, 300, 64)
        for row in (151, 222):  # one odd, one even
            other = table.copy()
            other[row] = other[row, ::-1]
            others[f'the table of the name "{name}", except that row {row} stands backward'] = other
        for change in (0.0005, -0.0005):
            other = table.copy()
            place = tuple(map(int, rng.integers([20, 8], [280, 56])))
            other[place] += change
            what = f'the table of the name "{name}", except that its entry {list(place)} is off'
            others[f"{what} by {change:g}"] = other
    for what, other in others.items():
        why = f"{what}: a name is given only if all entries agree to 0.0001 with that table"
        attempt.equal(attempt(other.round(4)), "none of these", why)


def table_named(name, length, d_model):
    """Return the table that a name of the task stands for."""
    variant, _ = NAMES[name]
    return (VARIANTS[variant].make if variant else sinusoidal_table)(length, d_model)


@positions_in_a_padded_batch.mistake("one too far: a token does not stand before itself")
def one_too_far(is_token, cached):
    return np.cumsum(is_token, axis=1)[:, cached:]


chapter.choice(
    "layout_of_a_file",
    "Which layout has the file?",
    {
        "Neighbors. And 5.03 alone would have told nothing.": (
            "The same weights, on the same text, lose 1.4 nats a token in halves. That is almost "
            "as much as with no rotation at all: a wrong layout is as good as none. Alone, 5.03 "
            "could be the loss of a weaker model, or of a harder text."
        ),
        "Halves. Most engines turn halves, so 3.66 must come from another mistake.": (
            "What engines do says nothing about the file: GGUF files of this family hold "
            "neighbors, those of Gemma halves. And no mistake in the positions makes a trained "
            "model better by 1.4 nats."
        ),
        "It cannot be told. A loss says how good a model is, not how it is laid out.": (
            "One loss does not. But these are three losses of the same weights on the same text, "
            "and only one of them is far from having no positions."
        ),
        "Neither. The right layout would beat no rotation by far more than 1.4 nats.": (
            "1.4 nats a token is a factor of four in each token's probability, and in this model "
            "all that its positions are worth on a short text."
        ),
    },
    right="a",
    kind="predict",
    level=1,
    teaches="what a loss says that a file does not",
)
