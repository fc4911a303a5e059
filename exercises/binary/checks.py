"""Binary digits and the Gray code."""

import numpy as np

from exercises.registry import ChapterExercises
from pecode import binary

chapter = ChapterExercises("binary")


def _signs(position, n_bits=8):
    return 2 * binary(position, n_bits) - 1


def _score(a, b, n_bits=8):
    return float(_signs(a, n_bits) @ _signs(b, n_bits))


_LEFT, _RIGHT = 35, 150
_DIFFER = int((binary(_LEFT, 8) != binary(_RIGHT, 8)).sum())

chapter.number(
    "a_score_of_two_positions",
    "A score of two positions",
    {
        _score(_LEFT, _RIGHT): (
            f"{8 - _DIFFER} digits agree and {_DIFFER} differ: {8 - _DIFFER} − {_DIFFER}. The "
            f"neighbors 31 and 32 have the score −{-_score(31, 32):g}: they fit worse than two "
            f"positions that are {_RIGHT - _LEFT} apart. Such a score does not tell who is near."
        ),
        float(binary(_LEFT, 8) @ binary(_RIGHT, 8)): (
            "That is the dot product of the digits 0 and 1: it counts the places where both are 1. "
            "Write −1 for each 0; then two zeros agree, too."
        ),
        8.0 - _DIFFER: (
            "That is how many digits agree. Each of them adds 1. What do the others add?"
        ),
        float(_DIFFER): (
            "That is how many digits differ. Each of them adds −1, and the others add 1."
        ),
        -_score(_LEFT, _RIGHT): (
            "The sign is flipped: two equal digits have the product 1, two different ones −1."
        ),
        _score(_LEFT, _RIGHT, 10): (
            "That is the score in ten digits: two more leading zeros agree. Here there are eight."
        ),
    },
    kind="hand",
    level=1,
    teaches="what two codes have in common",
    tolerance=0.01,
    otherwise="Write the two rows of eight digits one below the other. Where they agree, the "
    "product of the two entries is 1; elsewhere it is −1.",
)


@chapter.function("Repair the digits", kind="debug", level=1, teaches="digits and their order")
def bits_of(attempt):
    for n_bits in (3, 10):
        row = "a row for each position, a digit in each column"
        powers = 2 ** np.arange(n_bits)
        some = [0, *range(n_bits - 1, 0, -1)]  # 1, 4, 2: reversed rows are not reversed columns
        got = _digits(attempt, powers[some], n_bits, row)
        single = np.eye(n_bits)[some]  # with the ones first
        attempt.close(
            got,
            single[:, ::-1],
            "each power of two has a single 1. With the ones last, the 1 of position 1 is in the "
            "last column",
        )
        for positions in (np.arange(2**n_bits), np.array([2**n_bits - 1, 0, 5])):
            got = _digits(attempt, positions, n_bits, row)
            attempt.close(
                got @ powers[::-1],
                positions,
                "read with the ones last, each row should give its position back. For the powers "
                "of two it does. What happens at 3?",
            )
    for positions, n_bits in [([8], 3), ([0, 1500, 1], 10), ([3, -1], 4)]:
        why = "some of these positions do not fit into so many digits, and no error says so"
        attempt.refuses(np.array(positions), n_bits, errors=(ValueError,), why=why)


def _digits(attempt, positions, n_bits, why):
    """Return the answer for positions that fit: so many zeros and ones for each."""
    note = f"All these positions fit: {n_bits} digits reach from 0 to {2**n_bits - 1}"
    shape = (len(positions), n_bits)
    got = attempt.array(positions, n_bits, shape=shape, why=why, note=note)
    attempt.true(np.isin(got, [0, 1]).all(), "digits 0 and 1", "others", "a digit is 0 or 1")
    return got


@bits_of.mistake(
    "each row belongs to a position, and here rows have changed places. Reverse the powers, "
    "not the rows"
)
def rows_turned_over(positions, n_bits):
    return binary(positions, n_bits)[::-1]


chapter.choice(
    "a_shift_that_works",
    "A shift that works",
    {
        "For none: after a carry, a digit is an exclusive or.": (
            "After a carry it is. But does every Δ carry into another digit? A carry out of the "
            "highest digit is lost here, since after 1023 comes 0."
        ),
        "For 1, 2, 4, … up to 512: these flip a single digit.": (
            "They flip a single digit only where that digit was 0. From 7 to 8 four digits flip."
        ),
        "For all even ones: they leave the ones digit as it is.": (
            "They do, but the digits above it carry among themselves: 2 + 2 carries from the twos "
            "into the fours, just as 1 + 1 carries from the ones into the twos."
        ),
        "For 512 alone: it flips the highest digit and nothing else.": (
            "With entries −1 and +1, that is a factor of −1 for the highest digit and 1 for the "
            "others. Every other Δ has a 1 in a lower digit. From its lowest 1 a carry can go "
            "into the next digit, which becomes an exclusive or of two digits (or the opposite, "
            "where Δ has a 1 there, too), and no weighted sum can be that."
        ),
    },
    right="d",
    kind="predict",
    level=2,
    teaches="which shifts a matrix can do",
)


@chapter.function("Read the Gray code", kind="program", level=2, teaches="exclusive or, undone")
def position_of_gray(attempt):
    rng = np.random.default_rng(3)
    for n_bits in (1, 2, 3, 4, 7, 12):
        positions = rng.permutation(2**n_bits)[:40]
        codes = binary(positions ^ (positions >> 1), n_bits).astype(int)
        got = attempt.array(codes, shape=positions.shape, why="a position for each code")
        wrong = np.abs(got - positions) > 1e-5 * np.maximum(1, positions)
        first = int(wrong.argmax())
        code = " ".join(map(str, codes[first]))
        attempt.true(
            not wrong.any(),
            f"{positions[first]} for the code {code} (row {first})",
            f"{got[first]:g}",
            f"digits in each code: {n_bits}. Do you get back the position that the chapter's "
            "`gray` was given? Try it on 0 to 7",
        )


def _read(bits):
    return bits @ 2 ** np.arange(bits.shape[1])[::-1]


@position_of_gray.mistake("the codes were read as if they were binary digits")
def read_as_binary(codes):
    return _read(np.asarray(codes))


@position_of_gray.mistake("that goes from binary to Gray once more, instead of back")
def gray_once_more(codes):
    positions = _read(codes)
    return positions ^ (positions >> 1)


@position_of_gray.mistake(
    "the digits were found from the ones upward. Which digit of a Gray code is the same as in "
    "binary?"
)
def from_the_ones(codes):
    return _read(np.cumsum(codes[:, ::-1], axis=1)[:, ::-1] % 2)


@position_of_gray.mistake(
    "the binary digits are right, but they were read from the wrong end: which power of two "
    "belongs to the last column?"
)
def ones_come_first(codes):
    return _read((np.cumsum(codes, axis=1) % 2)[:, ::-1])


@position_of_gray.mistake(
    "the counts along the row were read as digits. A digit says whether the count is odd or even"
)
def not_modulo_two(codes):
    return _read(np.cumsum(codes, axis=1))


@chapter.function("A code with near neighbors", kind="extend", level=3, teaches="corners left free")
def ring_code(attempt):
    for n_bits in (3, 1, 2, 5, 8):
        length = 2 * n_bits
        digits = "1 digit" if n_bits == 1 else f"{n_bits} digits"
        why = f"{length} positions of {digits} each"
        got = attempt.array(n_bits, shape=(length, n_bits), why=why)
        attempt.true(np.isin(got, [0, 1]).all(), "digits 0 and 1", "others", "a digit is 0 or 1")
        flips = np.abs(got[:, None] - got).sum(axis=-1)
        attempt.close(
            np.diagonal(flips, 1),
            np.ones(length - 1),
            "these are the flips from each position to the next. There should be one in every step",
        )
        attempt.close(
            flips[-1, 0], 1, "the step from the last position back to 0: the ring does not close"
        )
        steps = np.abs(np.arange(length)[:, None] - np.arange(length))
        ring = np.minimum(steps, length - steps)
        far, near = np.argwhere(flips != ring)[0] if (flips != ring).any() else (0, 0)
        attempt.true(
            far == near,
            f"{ring[far, near]} flips between positions {far} and {near}",
            f"{flips[far, near]:g}",
            "that is how many steps apart they are on the ring. On the shorter way no digit may "
            "flip back",
        )
