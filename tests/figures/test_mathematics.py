"""The figures draw the book's mathematics: their modules and pecode, fed the same cases."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

import pecode
from figures import guess
from lab.scorecard import pairwise_distances
from pecheck.variants import VARIANTS

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


def agree(found, expected):
    """Compare to 1e-9, relative to the size of what is expected or to 1."""
    found, expected = (np.asarray(each, dtype=float) for each in (found, expected))
    size = np.maximum(np.abs(expected), 1)
    np.testing.assert_allclose(found / size, expected / size, rtol=0, atol=1e-9, strict=True)


def test_every_function_of_the_modules_is_compared_here(javascript):
    tests = Path(__file__).read_text(encoding="utf8")
    assert [name for name in javascript.names - {"shuffled"} if f'"{name}"' not in tests] == []


EVEN = [width for width in WIDTHS if width % 2 == 0]
RANDOM = np.random.default_rng(0)
OMEGAS = [1.0], [np.pi, np.pi / 2, np.pi / 4], [1.0, 0.1, 0.01], list(np.linspace(0.001, 3, 512))
TABLE = pecode.sinusoidal(POSITIONS, 64).tolist()
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
    "softmax": (
        [([0.0],), ([1000.0, 0.0, -1000.0],), ([5.0] * 7,)]
        + [(RANDOM.normal(scale=scale, size=40).tolist(),) for scale in (0.01, 1, 100)],
        pecode.softmax,
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_of_the_page_is_that_of_pecode(javascript, name):
    cases, expected = FUNCTIONS[name]
    cases = [list(case) for case in cases]
    assert cases  # a product can be taken once
    for case, found in zip(cases, javascript(name, cases), strict=True):
        agree(found, expected(*case))


@pytest.mark.parametrize("length", [1, 2, 7, 40])
@pytest.mark.parametrize("masked", [False, True])
def test_self_attention(javascript, length, masked):
    numbers = np.random.default_rng(length)
    x = numbers.normal(size=(length, 6))
    w_query, w_key = numbers.normal(size=(2, 6, 4))
    w_value = numbers.normal(size=(6, 5))
    mask = pecode.causal_mask(length) if masked else None
    arguments = [matrix.tolist() for matrix in (x, w_query, w_key, w_value)]
    [found] = javascript("selfAttention", [[*arguments, mask.tolist() if masked else None]])
    agree(found, pecode.self_attention(x, w_query, w_key, w_value, mask))
    [mask_there] = javascript("causalMask", [[length]])
    assert mask_there == pecode.causal_mask(length).tolist()


def test_mixture_is_the_similarity_of_two_sums_without_cross_terms(javascript):
    """Words in directions that no position uses: then the law is exact."""
    cases, expected = [], []
    for length in (1, 512**0.5, 512):
        for words in (-0.2, 0, 0.7, 1):
            for t in (0, 5, 511):
                e = length * np.array([1, 0])
                f = length * np.array([words, np.sqrt(1 - words**2)])
                one = np.concatenate([e, pecode.sinusoidal(0, 512)])
                other = np.concatenate([f, pecode.sinusoidal(t, 512)])
                cosine = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
                cases.append([length, words, 16, pecode.similarity(t, 512) / 256])
                expected.append(cosine)
    agree(javascript("mixture", cases), expected)


# Part III


@pytest.fixture(scope="module")
def waves(javascript):
    """What the front end reads of each table of the gallery."""
    waves = javascript("parsed", [[guess.wave(name)] for name in guess.NAMES])
    return dict(zip(guess.NAMES, waves, strict=True))


def drawn_tables(javascript, waves):
    rows = range(len(guess.ROWS))
    return {name: javascript("rowAt", [[wave, k] for k in rows]) for name, wave in waves.items()}


def test_the_tables_of_the_gallery(javascript, waves):
    for name, drawn in drawn_tables(javascript, waves).items():
        make = VARIANTS[name].make if name in VARIANTS else pecode.sinusoidal_table
        agree(drawn, make(1024, 32)[list(guess.ROWS)])


def test_the_wavelengths_of_the_right_table(javascript, waves):
    [found] = javascript("wavelengthsOf", [[waves["no bug"]]])
    agree(found, np.repeat(pecode.wavelengths(32), 2))


def test_no_two_tables_of_the_gallery_are_alike(javascript, waves):
    tables = np.array(list(drawn_tables(javascript, waves).values()))
    for k, table in enumerate(tables):
        farthest = np.abs(tables - table).max(axis=(1, 2))
        assert farthest[np.arange(len(tables)) != k].min() > 0.5


def test_a_seed_deals_every_table_once(javascript):
    names = list(guess.NAMES)
    dealt = javascript("shuffled", [[names, seed] for seed in range(40)])
    assert dealt == javascript("shuffled", [[names, seed] for seed in range(40)])
    assert all(sorted(order) == sorted(names) for order in dealt)
    assert len({tuple(order) for order in dealt}) == 40
    assert {order[0] for order in dealt} == set(names)
