"""A shift of the position is a linear map: T(Δ), its cheap form, and its shadow in the data."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pecode import (
    binary,
    fit_translation,
    similarity,
    sine_only,
    sinusoidal,
    sinusoidal_table,
    translate,
    translation_matrix,
)
from pecode.encodings import LAYOUTS, SPACINGS

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("repeatable")

CLOSE = {"rtol": 0, "atol": 4e-15}  # a few roundings of numbers that are at most 1

offsets = st.integers(-(2**61), 2**61)  # two of them add up within 64 bits
conventions = st.fixed_dictionaries(
    {
        "base": st.floats(1.01, 1e6),
        "layout": st.sampled_from(LAYOUTS),
        "spacing": st.sampled_from(SPACINGS),
    }
)
even_widths = st.integers(1, 16).map(lambda pairs: 2 * pairs)


@given(offsets, offsets, even_widths, conventions)
def test_the_matrix_moves_a_column_vector(t, offset, d_model, convention):
    T = translation_matrix(offset, d_model, **convention)
    here, there = (sinusoidal(p, d_model, **convention) for p in (t, t + offset))
    np.testing.assert_allclose(T @ here, there, **CLOSE)


@given(st.lists(offsets, min_size=1, max_size=5), offsets, even_widths, conventions)
def test_rows_use_the_transposed_matrix(rows, offset, d_model, convention):
    T = translation_matrix(offset, d_model, **convention)
    here, there = (
        sinusoidal([p + shift for p in rows], d_model, **convention) for shift in (0, offset)
    )
    np.testing.assert_allclose(here @ T.T, there, **CLOSE)


def test_the_matrix_does_not_depend_on_the_position():
    T = translation_matrix(7, 8)
    table = sinusoidal(range(1000), 8)
    np.testing.assert_allclose(table[:-7] @ T.T, table[7:], **CLOSE)


@given(offsets, offsets, even_widths, conventions)
def test_translation_matrices_multiply_as_offsets_add(a, b, d_model, convention):
    T_a, T_b, T_ab = (translation_matrix(o, d_model, **convention) for o in (a, b, a + b))
    np.testing.assert_allclose(T_a @ T_b, T_ab, **CLOSE)
    np.testing.assert_allclose(T_b @ T_a, T_ab, **CLOSE)


@given(offsets, even_widths, conventions)
def test_translation_matrices_are_orthogonal(offset, d_model, convention):
    T = translation_matrix(offset, d_model, **convention)
    np.testing.assert_allclose(T @ T.T, np.eye(d_model), **CLOSE)
    assert np.linalg.det(T) == pytest.approx(1)  # a rotation, not a mirror


@given(even_widths, conventions)
def test_no_offset_is_the_identity(d_model, convention):
    np.testing.assert_array_equal(translation_matrix(0, d_model, **convention), np.eye(d_model))


@given(offsets, even_widths, conventions)
def test_going_back_is_the_transposed_matrix(offset, d_model, convention):
    back = translation_matrix(-offset, d_model, **convention)
    np.testing.assert_allclose(
        back, translation_matrix(offset, d_model, **convention).T, rtol=0, atol=1e-15
    )


@given(offsets, even_widths)
def test_the_matrix_in_the_other_layout_is_the_permuted_one(offset, d_model):
    order = [*range(0, d_model, 2), *range(1, d_model, 2)]
    interleaved, concatenated = (translation_matrix(offset, d_model, layout=k) for k in LAYOUTS)
    np.testing.assert_array_equal(interleaved[np.ix_(order, order)], concatenated)


def test_the_matrix_touches_no_two_pairs_at_once():
    T = translation_matrix(3, 12)
    within = np.kron(np.eye(6), np.ones((2, 2))).astype(bool)
    assert (T[~within] == 0).all()
    assert (T[within] != 0).all()


# translate


@given(st.integers(0, 4), offsets, even_widths, conventions, st.integers(0, 10**6))
def test_translate_is_the_matrix_times_any_vector(n, offset, d_model, convention, seed):
    vectors = np.random.default_rng(seed).normal(size=(n, d_model))
    T = translation_matrix(offset, d_model, **convention)
    np.testing.assert_allclose(
        translate(vectors, offset, **convention), vectors @ T.T, rtol=0, atol=1e-14
    )


@given(st.lists(offsets, max_size=5), offsets, even_widths, conventions)
def test_translate_moves_encodings(rows, offset, d_model, convention):
    here, there = (
        sinusoidal(np.array(rows, np.int64) + shift, d_model, **convention) for shift in (0, offset)
    )
    np.testing.assert_allclose(translate(here, offset, **convention), there, **CLOSE)


@given(offsets, even_widths, conventions)
def test_translate_there_and_back_is_nothing(offset, d_model, convention):
    vector = np.arange(1.0, d_model + 1)
    there = translate(vector, offset, **convention)
    np.testing.assert_allclose(translate(there, -offset, **convention), vector, rtol=1e-14)
    assert np.linalg.norm(there) == pytest.approx(np.linalg.norm(vector), rel=1e-14)


@pytest.mark.parametrize("shape", [(8,), (3, 8), (2, 3, 8), (0, 8)])
def test_translate_keeps_the_shape_and_treats_every_vector_alone(shape):
    vectors = np.random.default_rng(0).normal(size=shape)
    moved = translate(vectors, 5)
    assert moved.shape == shape
    for index in np.ndindex(shape[:-1]):
        np.testing.assert_array_equal(moved[index], translate(vectors[index], 5))


def test_translate_keeps_float32_and_reads_integers():
    vectors = sinusoidal(range(5), 8, dtype=np.float32)
    moved = translate(vectors, 10**6)
    assert moved.dtype == np.float32
    np.testing.assert_allclose(moved, sinusoidal(np.arange(5) + 10**6, 8), atol=1.2e-7)
    np.testing.assert_array_equal(translate([1, 2], 3), translate([1.0, 2.0], 3))


def test_translate_leaves_its_input_as_it_was():
    vectors = sinusoidal(range(5), 8)
    translate(vectors, 3)
    np.testing.assert_array_equal(vectors, sinusoidal(range(5), 8))


# similarity


@given(offsets, offsets, even_widths, conventions)
def test_similarity_is_the_dot_product_at_any_position(t, offset, d_model, convention):
    here, there = (sinusoidal(p, d_model, **convention) for p in (t, t + offset))
    no_layout = {key: convention[key] for key in ("base", "spacing")}
    assert similarity(offset, d_model, **no_layout) == pytest.approx(here @ there, abs=1e-13)


def test_the_gram_matrix_holds_nothing_but_similarities():
    table = sinusoidal_table(300, 64)
    gaps = np.arange(300) - np.arange(300)[:, None]
    np.testing.assert_allclose(table @ table.T, similarity(gaps, 64), rtol=0, atol=1e-13)


@given(offsets, even_widths)
def test_similarity_is_symmetric_and_largest_at_no_offset(offset, d_model):
    assert similarity(offset, d_model) == pytest.approx(similarity(-offset, d_model), abs=1e-14)
    assert similarity(offset, d_model) <= similarity(0, d_model) == d_model / 2


@given(offsets, even_widths)
def test_distance_and_similarity_say_the_same(offset, d_model):
    apart = sinusoidal(offset, d_model) - sinusoidal(0, d_model)
    assert apart @ apart == pytest.approx(d_model - 2 * similarity(offset, d_model), abs=1e-13)


@pytest.mark.parametrize("shape", [(), (0,), (7,), (2, 3), (1, 0)])
def test_similarity_has_the_shape_of_the_offsets(shape):
    assert similarity(np.zeros(shape, int), 8).shape == shape


def test_similarity_in_blocks_is_similarity_one_by_one():
    many = np.arange(-3000, 3000)  # several blocks at this width
    singles = [similarity(int(o), 512) for o in many[::97]]
    np.testing.assert_array_equal(similarity(many, 512)[::97], singles)


# fit_translation: found from data


@pytest.mark.parametrize("offset", [1, 3, -2, 0, 20])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_fit_finds_the_matrix_of_sine_and_cosine(offset, layout):
    fitted, residuals = fit_translation(sinusoidal(range(96), 8, layout=layout), offset)
    # The slowest pair moves by a tenth of a radian only, so the fit is ill-conditioned.
    np.testing.assert_allclose(fitted, translation_matrix(offset, 8, layout=layout), atol=1e-9)
    assert residuals.max() < 1e-12


def errors_on_unseen_rows(table, offset=4, fit_below=96, test_from=128):
    T, _ = fit_translation(table[:fit_below], offset)
    here, there = table[test_from:-offset], table[test_from + offset :]
    return np.linalg.norm(there - here @ T.T, axis=1) / np.linalg.norm(there, axis=1).mean()


def test_the_fitted_matrix_serves_unseen_positions_of_sine_and_cosine():
    assert errors_on_unseen_rows(sinusoidal(range(1024), 8)).max() < 1e-8


@pytest.mark.parametrize(
    "table",
    [
        sine_only(range(1024), 8),
        binary(range(1024), 10),
        np.random.default_rng(0).normal(size=(1024, 8)),
    ],
    ids=["sine only", "binary", "random"],
)
def test_the_fitted_matrix_fails_on_unseen_positions_without_cosines(table):
    errors = errors_on_unseen_rows(table)
    assert np.median(errors) > 0.3


def test_residuals_belong_to_the_rows_that_have_a_partner():
    table = np.random.default_rng(0).normal(size=(30, 4))
    for offset in (3, -3):
        T, residuals = fit_translation(table, offset)
        rows = range(27) if offset > 0 else range(3, 30)
        expected = [np.linalg.norm(table[t + offset] - T @ table[t]) for t in rows]
        np.testing.assert_allclose(residuals, expected, rtol=1e-12)


@given(st.integers(0, 10**6))
def test_no_other_matrix_fits_better(seed):
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(30, 4))
    T, residuals = fit_translation(table, 2)
    other = T + 1e-3 * rng.normal(size=T.shape)
    assert np.sum(residuals**2) < np.sum((table[2:] - table[:-2] @ other.T) ** 2)


def test_of_many_matrices_that_fit_the_smallest_is_taken():
    table = sinusoidal(range(6), 8)  # five pairs of rows say nothing about three directions
    T, residuals = fit_translation(table, 1)
    assert residuals.max() < 1e-12
    assert np.linalg.norm(T) < np.linalg.norm(translation_matrix(1, 8))
