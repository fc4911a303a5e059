"""The figures draw the book's mathematics: their modules and pecode, fed the same cases."""

import base64
from pathlib import Path

import numpy as np
import pytest

import pecode
from figures import guess
from lab.scorecard import pairwise_distances
from pecheck.variants import VARIANTS

from ..browser_fixtures import ROOT

WIDTHS = (1, 2, 3, 8, 10, 63, 64, 128, 512)
BASES = (1.5, 10.0, 100.0, 10_000.0, 500_000.0)
POSITIONS = (0, 1, 2, 5, 63, 64, 1000, 65_537, 999_999, 1_000_000)
OFFSETS = (-1_000_000, -20, -1, 0, 1, 3, 64, 12_345, 1_000_000)
TOLERANCE = 1e-9


@pytest.fixture(scope="module")
def javascript(chromium):
    """Call a function of the modules with every case of a list; a case is its arguments."""
    page = chromium.new_page()
    for module in ("encodings.js", "gallery.js"):
        source = (ROOT / "figures" / module).read_bytes()
        url = "data:text/javascript;base64," + base64.b64encode(source).decode()
        page.evaluate(
            "async (url) => { window.book = { ...window.book, ...(await import(url)) }; }", url
        )

    def call(name, cases):
        run = "([name, cases]) => cases.map((one) => book[name](...one))"
        return page.evaluate(run, [name, cases])

    call.names = set(page.evaluate("Object.keys(book)"))
    yield call
    page.close()


def agree(found, expected):
    """Compare to 1e-9, relative to the size of what is expected or to 1."""
    expected = np.asarray(expected, dtype=float)
    found = np.asarray(found, dtype=float)
    assert found.shape == expected.shape
    size = np.maximum(np.abs(expected), 1)
    assert np.max(np.abs(found - expected) / size, initial=0) < TOLERANCE


def test_every_function_of_the_modules_is_compared_here(javascript):
    tests = Path(__file__).read_text(encoding="utf8")
    assert [name for name in javascript.names - {"shuffled"} if f'"{name}"' not in tests] == []


@pytest.mark.parametrize("base", BASES)
def test_frequencies(javascript, base):
    for width, found in zip(
        WIDTHS, javascript("frequencies", [[width, base] for width in WIDTHS]), strict=True
    ):
        agree(found, pecode.frequencies(width, base))


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("width", WIDTHS)
def test_sinusoidal(javascript, width, base):
    found = javascript("sinusoidal", [[t, width, base] for t in POSITIONS])
    agree(found, pecode.sinusoidal(POSITIONS, width, base))


@pytest.mark.parametrize(
    "omegas",
    [[1.0], [np.pi, np.pi / 2, np.pi / 4], [1.0, 0.1, 0.01], list(np.linspace(0.001, 3, 512))],
    ids=len,
)
def test_sine_only(javascript, omegas):
    found = javascript("sineOnly", [[t, omegas] for t in POSITIONS])
    agree(found, pecode.sine_only(POSITIONS, len(omegas), frequencies=omegas))


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("width", [width for width in WIDTHS if width % 2 == 0])
def test_turn_is_the_block_of_the_translation_matrix(javascript, width, base):
    omegas = pecode.frequencies(width, base)
    for offset in OFFSETS:
        matrix = np.zeros((width, width))
        for i, block in enumerate(javascript("turn", [[offset, omega] for omega in omegas])):
            matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block
        agree(matrix, pecode.translation_matrix(offset, width, base))


@pytest.mark.parametrize("halves", [False, True])
@pytest.mark.parametrize("width", [width for width in WIDTHS if width % 2 == 0])
def test_rotate(javascript, width, halves):
    x = np.random.default_rng(width).standard_normal(width)
    omegas = pecode.frequencies(width)
    cases = [[x.tolist(), t, omegas.tolist(), halves] for t in OFFSETS]
    layout = "half" if halves else "interleaved"
    agree(javascript("rotate", cases), [pecode.rotate(x, t, layout=layout) for t in OFFSETS])


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("width", [width for width in WIDTHS if width % 2 == 0])
def test_similarity(javascript, width, base):
    found = javascript("similarity", [[offset, width, base] for offset in OFFSETS])
    agree(found, pecode.similarity(OFFSETS, width, base))


@pytest.mark.parametrize("length", [1, 2, 6, 512, 1_000_001])
def test_normalized_count(javascript, length):
    positions = [0, length // 2, length - 1]
    found = javascript("normalizedCount", [[t, length] for t in positions])
    agree(found, pecode.normalized_count(positions, length)[:, 0])


@pytest.mark.parametrize("n_bits", [1, 3, 6, 20, 31, 32, 40, 53])
def test_binary_and_gray(javascript, n_bits):
    positions = [t for t in (*POSITIONS, 2**31, 2**32 + 5, 2**n_bits - 1) if t < 2**n_bits]
    cases = [[t, n_bits] for t in positions]
    agree(javascript("binary", cases), pecode.binary(positions, n_bits))
    gray = [t ^ (t >> 1) for t in positions]
    agree(javascript("gray", cases), pecode.binary(gray, n_bits))


def test_distance(javascript):
    table = pecode.sinusoidal(POSITIONS, 64)
    rows = table.tolist()
    found = javascript("distance", [[a, b] for a in rows for b in rows])
    agree(np.reshape(found, (len(rows), -1)), pairwise_distances(table))


def test_softmax(javascript):
    numbers = np.random.default_rng(0)
    cases = [
        [0.0],
        [1000.0, 0.0, -1000.0],
        [5.0] * 7,
        *(numbers.normal(scale=scale, size=40).tolist() for scale in (0.01, 1, 100)),
    ]
    for case, found in zip(cases, javascript("softmax", [[c] for c in cases]), strict=True):
        agree(found, pecode.softmax(case))


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
                one, other = (
                    np.concatenate([word, pecode.sinusoidal(position, 512)])
                    for word, position in [(e, 0), (f, t)]
                )
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


def gallery_table(name):
    return (VARIANTS[name].make if name in VARIANTS else pecode.sinusoidal_table)(1024, 32)


def drawn_tables(javascript, waves):
    rows = range(len(guess.ROWS))
    return {name: javascript("rowAt", [[wave, k] for k in rows]) for name, wave in waves.items()}


def test_the_tables_of_the_gallery(javascript, waves):
    for name, drawn in drawn_tables(javascript, waves).items():
        agree(drawn, gallery_table(name)[list(guess.ROWS)])


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
