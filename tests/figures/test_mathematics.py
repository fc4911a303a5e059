"""The figures draw the book's mathematics: their modules and pecode, fed the same cases."""

from itertools import product, starmap

import numpy as np
import pytest

import pecode
from figures import guess
from lab.scorecard import pairwise_distances

from ..browser_fixtures import ROOT
from .page import exporting

MODULES = ("encodings", "gallery")
WIDTHS = (1, 2, 3, 8, 10, 63, 64, 128, 512)
BASES = (1.5, 10.0, 100.0, 10_000.0, 500_000.0)
POSITIONS = (0, 1, 2, 5, 63, 64, 1000, 65_537, 999_999, 1_000_000)
OFFSETS = (-1_000_000, -20, -1, 0, 1, 3, 64, 12_345, 1_000_000)
BITS = (1, 3, 6, 20, 31, 32, 40, 53)
DIGITS = [(t, n) for n in BITS for t in (*POSITIONS, 2**31, 2**32 + 5, 2**n - 1) if t < 2**n]


@pytest.fixture(scope="module")
def javascript(chromium):
    """Call a function of the modules with every case of a list; a case is its arguments."""
    modules = [(ROOT / "figures" / f"{name}.js").read_text("utf8") for name in MODULES]
    with exporting(chromium, *modules) as page:

        def call(name, cases):
            run = "([name, cases]) => cases.map((one) => book[name](...one))"
            return page.evaluate(run, [name, cases])

        call.names = set(page.evaluate("Object.keys(book)"))
        yield call


EVEN = [width for width in WIDTHS if width % 2 == 0]
RANDOM = np.random.default_rng(0)
OMEGAS = [1.0], [np.pi, np.pi / 2, np.pi / 4], [1.0, 0.1, 0.01], list(np.linspace(0.001, 3, 512))
TABLE = pecode.sinusoidal(POSITIONS, 64).tolist()
LENGTHS = (1, 2, 7, 40)


def attention(length, masked):
    """Return vectors, the three matrices and a mask."""
    shapes = (length, 6), (6, 4), (6, 4), (6, 5)
    matrices = [RANDOM.normal(size=shape).tolist() for shape in shapes]
    return *matrices, pecode.causal_mask(length).tolist() if masked else None


# Each function of the modules: the cases, and what pecode says to one of them
FUNCTIONS = {
    "frequencies": (product(WIDTHS, BASES), pecode.frequencies),
    "sinusoidal": (product(POSITIONS, WIDTHS, BASES), pecode.sinusoidal),
    "sineOnly": (
        product(POSITIONS, OMEGAS),
        lambda t, omegas: pecode.sine_only(t, len(omegas), frequencies=omegas),
    ),
    "turn": (  # a block of the translation matrix: tests/pecode/test_exactness.py
        product(OFFSETS, np.concatenate([pecode.frequencies(64, base) for base in BASES]).tolist()),
        lambda offset, omega: pecode.rotate(np.eye(2), offset, frequencies=[omega]),
    ),
    "rotate": (
        [
            (RANDOM.normal(size=width).tolist(), t, pecode.frequencies(width).tolist(), halves)
            for width, t, halves in product(EVEN, OFFSETS, (False, True))
        ],
        lambda x, t, _, halves: pecode.rotate(x, t, layout="half" if halves else "interleaved"),
    ),
    "similarity": (product(OFFSETS, EVEN, BASES), pecode.similarity),
    "normalizedCount": (
        [(t, n) for n in (1, 2, 6, 512, 1_000_001) for t in (0, n // 2, n - 1)],
        lambda t, length: pecode.normalized_count(t, length)[0],
    ),
    "binary": (DIGITS, pecode.binary),
    "gray": (DIGITS, lambda t, n_bits: pecode.binary(t ^ (t >> 1), n_bits)),
    "distance": (product(TABLE, TABLE), lambda a, b: pairwise_distances(np.array([a, b]))[0, 1]),
    "mixture": (  # chapter 8 compares it with sums of vectors
        product((1, 512**0.5, 512), (-0.2, 0, 0.7, 1), (16,), (-0.3, 0, 1)),
        lambda e, words, p, positions: (e**2 * words + p**2 * positions) / (e**2 + p**2),
    ),
    "wavelengthsOf": (
        [({"speeds": np.repeat(pecode.frequencies(32), 2).tolist(), "positions": [0, 1]},)],
        lambda _: np.repeat(pecode.wavelengths(32), 2),
    ),
    "causalMask": (product(LENGTHS), pecode.causal_mask),
    "selfAttention": (starmap(attention, product(LENGTHS, (False, True))), pecode.self_attention),
    "softmax": (
        [([0.0],), ([1000.0, 0.0, -1000.0],), ([5.0] * 7,)]
        + [(RANDOM.normal(scale=scale, size=40).tolist(),) for scale in (0.01, 1, 100)],
        pecode.softmax,
    ),
}


def test_every_function_of_the_modules_is_compared(javascript):
    others = {"shuffled", "parsed", "rowAt"}  # below, and in test_use.py
    assert javascript.names == {*FUNCTIONS} | others


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_of_the_page_is_that_of_pecode(javascript, name):
    cases, expected = FUNCTIONS[name]
    cases = [list(case) for case in cases]
    assert cases  # a product can be taken once
    for case, found in zip(cases, javascript(name, cases), strict=True):
        wanted = expected(*case)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)
        assert np.shape(found) == np.shape(wanted)


def test_a_seed_deals_every_table_once(javascript):
    names = list(guess.NAMES)
    dealt = javascript("shuffled", [[names, seed] for seed in range(40)])
    assert dealt == javascript("shuffled", [[names, seed] for seed in range(40)])
    assert all(sorted(order) == sorted(names) for order in dealt)
    assert len({tuple(order) for order in dealt}) == 40
    assert {order[0] for order in dealt} == set(names)
