"""What is checked and fast is the formula: every function of pecode against pecode/formulas.py."""

import ast
import inspect
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import pecode
from book import CHAPTERS
from pecode import fit_translation, formulas
from tests import data
from tests.pecode.draws import bases, even_widths, factors, layouts, normal, pairs, seeds, spacings

PAGE = Path(__file__).parents[2] / "appendices" / "formulas.md"

# Not compared by the table, but below, and in test_encodings.py, test_relative.py, test_scaling.py
NAMES = data("pecode/arguments.yml")["names"]
BY_HAND = {"fit_translation", "sinusoidal_table", "t5_buckets", "yarn"}

FAR = 10**6
shapes = arrays.array_shapes(min_dims=0, max_dims=3, min_side=1, max_side=4)
positions = arrays.arrays(np.int64, shapes, elements=st.integers(-FAR, FAR))
offsets = st.integers(-FAR, FAR)
lengths = st.integers(1, 12)
widths = st.integers(1, 20)
trained_lengths = st.integers(512, 2**17)


def numbers(*shape):
    return seeds.map(lambda seed: normal(seed, *shape))


@st.composite
def attention_inputs(draw, n_matrices):
    length, d, d_head = draw(lengths), draw(widths), draw(widths)
    x = draw(st.sampled_from([(), (2,), (2, 3)]).flatmap(lambda batch: numbers(*batch, length, d)))
    matrices = [draw(numbers(d, d_head)) for _ in range(n_matrices)]
    mask = (draw(numbers(length, length)) < 0.5) | draw(st.booleans())
    np.fill_diagonal(mask, True)
    return x, *matrices, mask, draw(st.sampled_from([0, 1])) * draw(numbers(length, length))


@st.composite
def rotary_inputs(draw):
    length, n = draw(lengths), draw(pairs)
    x, t = draw(numbers(3, length, 2 * n)), draw(offsets) + np.arange(length)
    omega = draw(st.sampled_from([None, np.geomspace(1, 1e-3, n)]))
    return x, t, draw(bases), draw(st.sampled_from(["interleaved", "half"])), omega


grids = st.lists(st.integers(1, 5), min_size=1, max_size=3).map(tuple)


def points(*further):
    """Points, frequency vectors, and more."""
    return st.tuples(st.integers(1, 4), pairs, seeds, *further).map(
        lambda n: (10 * normal(n[2], 7, n[0]), normal(n[2] + 1, n[1], n[0]), *n[3:])
    )


def parts(n_axes):
    """Words, and pictures with so many sides."""
    pictures = st.tuples(*[st.integers(1, 4)] * n_axes)
    return st.lists(st.integers(0, 9) | pictures, min_size=1, max_size=5)


def sections(drawn):
    rest, each, further_axes, base, interleaved = drawn
    counts = [each + rest, *[each] * further_axes]
    return 2 * sum(counts), counts, base, interleaved


def graph(drawn):
    n, seed = drawn
    weights = np.random.default_rng(seed).uniform(0.1, 1, (n, n))
    return np.triu(weights, 1) + np.triu(weights, 1).T, 1  # the wave that stands apart most


# The arguments of each function; those of the formula are the same.
ARGUMENTS = {
    "alibi_bias": st.tuples(lengths, numbers(5)),
    "alibi_slopes": st.tuples(st.integers(1, 200)),
    "attention_weights": attention_inputs(2),
    "axial_frequencies": st.lists(even_widths, min_size=1, max_size=3).flatmap(
        lambda widths: st.tuples(
            st.just(widths), bases | st.lists(bases, min_size=len(widths), max_size=len(widths))
        )
    ),
    "bfloat16": st.tuples(st.floats(2.0**-126, 3.38e38)),
    "binary": st.tuples(positions.map(abs), st.integers(20, 63)),
    "by_offset": st.tuples(lengths.flatmap(lambda n: numbers(2, 2 * n - 1))),
    "causal_mask": st.tuples(lengths),
    "clipped_relative_positions": st.tuples(lengths, st.integers(0, 15)),
    "count": st.tuples(positions),
    "dynamic_ntk": st.tuples(
        pairs.map(lambda n: 2 * n + 2), st.integers(0, 2**20), trained_lengths, factors, bases
    ),
    "frequencies": st.tuples(widths, bases, spacings),
    "grid_positions": st.tuples(grids),
    "grid_table": st.tuples(grids, pairs, bases, st.sampled_from(["timm", "mae", "blocks", "detr"]))
    .map(lambda n: (n[0], 2 * len(n[0]) * n[1], *n[2:])),
    "interpolated": st.tuples(even_widths, factors, bases),
    "joined_positions": st.integers(1, 4).flatmap(lambda n: st.tuples(parts(n), st.just(n))),
    "laplacian_vectors": st.tuples(st.integers(3, 9), seeds).map(graph),
    "llama3": st.tuples(
        even_widths, factors, trained_lengths, bases, st.floats(0.1, 4), st.floats(5, 50)
    ),
    "longrope": pairs.flatmap(lambda n: st.tuples(st.just(2 * n), numbers(n).map(np.exp), bases)),
    "longrope_temperature": st.tuples(factors, trained_lengths),
    "mixed_frequencies": st.tuples(pairs, st.integers(1, 3), bases, seeds, st.booleans()).map(
        lambda n: (*n[:4], normal(n[3] + 1, *n[:2]) if n[4] else None)
    ),
    "normalized_coordinates": st.tuples(grids),
    "normalized_count": st.integers(1, 500).flatmap(
        lambda n: st.tuples(st.lists(st.integers(0, n - 1)), st.just(n))
    ),
    "ntk_aware": st.tuples(pairs.map(lambda n: 2 * n + 2), factors, bases),
    "periodic_frequencies": st.tuples(pairs, st.floats(0.01, 1000)),
    "proportional": even_widths.flatmap(  # a share that makes at least one pair
        lambda d: st.tuples(st.just(d), st.floats(min(1, 2.001 / d), 1), bases)
    ),
    "relative_key_scores": st.tuples(lengths, st.integers(0, 15), widths).flatmap(
        lambda n: st.tuples(numbers(3, n[0], n[2]), numbers(2 * n[1] + 1, n[2]))
    ),
    "relative_positions": st.tuples(lengths),
    "rotate": rotary_inputs(),
    "resize_table": st.tuples(grids, seeds, st.booleans()).flatmap(
        lambda n: st.tuples(
            st.just(normal(n[1], int(np.prod(n[0])), 3)), st.just(n[0]),
            st.tuples(*[st.integers(1, 9)] * len(n[0])), st.just(n[2]),
        )
    ),
    "rotate_part": st.tuples(lengths, pairs, bases).flatmap(
        lambda n: st.tuples(
            numbers(n[0], 4 * n[1]), st.just(np.arange(n[0])), st.just(0.5), st.just(n[2]),
            st.sampled_from(["interleaved", "half"]),
        )
    ),
    "rotate_points": st.tuples(points(), st.sampled_from(["interleaved", "half"]), seeds).map(
        lambda n: (normal(n[2], len(n[0][0]), 2 * len(n[0][1])), *n[0], n[1])
    ),
    "section_frequencies": st.tuples(
        st.integers(0, 4), st.integers(1, 6), st.integers(0, 3), bases, st.booleans()
    ).map(sections),
    "self_attention": attention_inputs(3),
    "similarity": st.tuples(positions, even_widths, bases, spacings),
    "sine_only": st.tuples(positions, widths, bases),
    "sinusoidal": st.tuples(positions, widths, bases, layouts, spacings),
    "softmax": st.tuples(lengths.flatmap(lambda n: numbers(3, n))),
    "t5_bias": st.tuples(lengths, numbers(32, 4), st.sampled_from([20, 128, 500]), st.booleans()),
    "timestep_embedding": st.tuples(
        numbers(2, 5).map(lambda x: abs(100 * x)), even_widths, bases, st.booleans(),
        st.sampled_from([0.0, 1.0]),
    ),
    "to_half": st.tuples(even_widths.flatmap(lambda d: numbers(2, 3, d))),
    "to_interleaved": st.tuples(even_widths.flatmap(lambda d: numbers(2, 3, d))),
    "translate": st.tuples(
        even_widths.flatmap(lambda d: numbers(3, d)), offsets, bases, layouts, spacings
    ),
    "translation_matrix": st.tuples(offsets, even_widths, bases, layouts, spacings),
    "wavelengths": st.tuples(widths, bases, spacings),
    "yarn_scales": st.tuples(factors, st.floats(0, 2), st.floats(0, 2)),
    "yarn_temperature": st.tuples(factors, st.floats(0, 2)),
}  # fmt: skip


def signature(module, name):
    return inspect.signature(getattr(module, name)).parameters


def test_every_public_function_is_compared():
    assert {*ARGUMENTS, *BY_HAND} == set(pecode.__all__)


@pytest.mark.parametrize("name", ARGUMENTS)
@given(st.data())
def test_a_function_is_its_formula(name, data):
    arguments = data.draw(ARGUMENTS[name])
    alone = NAMES["formula_alone"].get(name, [])  # one left at its default could be ignored
    assert len(arguments) == len(signature(formulas, name).keys() - alone)
    got, expected = (getattr(module, name)(*arguments) for module in (pecode, formulas))
    farthest = np.abs(arguments[NAMES["angles"][name]]).max() if name in NAMES["angles"] else 0
    np.testing.assert_allclose(got, expected, rtol=1e-10, atol=1e-12 + 3e-15 * farthest)
    assert np.shape(got) == np.shape(expected)


BOTH = sorted({*pecode.__all__} - {"sinusoidal_table"})


@pytest.mark.parametrize("name", BOTH)
def test_a_function_and_its_formula_have_the_same_arguments_and_defaults(name):
    ours, formula = (
        [p for p in signature(module, name).values() if p.name not in alone.get(name, [])]
        for module, alone in ((pecode, NAMES["checked_alone"]), (formulas, NAMES["formula_alone"]))
    )
    assert len(ours) == len(formula)
    for mine, its in zip(ours, formula, strict=True):
        assert mine.name in (its.name, *NAMES["called"].get(its.name, [])), its
        assert mine.default in (its.default, None), mine  # None: not said


@pytest.mark.parametrize("name", pecode.__all__)
def test_a_docstring_names_each_argument_and_no_other(name):
    doc, arguments = inspect.getdoc(getattr(pecode, name)), signature(pecode, name)
    assert [n for n in arguments if not re.search(rf"\b{n}\b", doc)] == []
    section = re.search(r"Parameters\n-+\n(.*?)(\n\n|$)", doc, re.S)
    lines = re.findall(r"^(\w[\w, ]*?)(?: :.*)?$", section[1], re.M) if section else []
    assert set(re.findall(r"\w+", " ".join(lines))) <= set(arguments)


@given(st.integers(1, 6).flatmap(lambda d: numbers(40, d)), st.integers(1, 20))
def test_the_fit_is_least_squares_forward_and_back(table, offset):
    for got, rows in ((offset, table), (-offset, table[::-1])):
        expected = formulas.fit_translation(rows, offset)
        np.testing.assert_allclose(fit_translation(table, got)[0], expected, atol=1e-9)


# The page itself


def test_it_needs_numpy_alone():
    source = inspect.getsource(formulas)
    assert re.findall(r"^(?:import|from) .*", source, re.M) == ["import numpy as np"]


def test_its_headlines_are_chapters_and_the_appendix_shows_every_part():
    headlines = re.findall("^# --- (.*)$", inspect.getsource(formulas), re.M)
    titles = [chapter.title for chapter in CHAPTERS.values()]
    assert headlines == [title for title in titles if title in headlines] + ["The model"]
    shown = re.findall(':start-after: "# --- (.*)"', PAGE.read_text(encoding="utf8"))
    assert shown == headlines


def test_the_stub_types_the_arguments_of_every_formula():
    stub = ast.parse(Path(formulas.__file__).with_suffix(".pyi").read_text(encoding="utf8"))
    typed = {
        each.name: [a.arg for a in (*each.args.args, *filter(None, [each.args.kwarg]))]
        for each in stub.body
        if isinstance(each, ast.FunctionDef)
    }
    functions = vars(formulas).items()
    own = {name: f for name, f in functions if inspect.isfunction(f)}
    assert typed == {name: list(inspect.signature(f).parameters) for name, f in own.items()}
