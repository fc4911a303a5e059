"""Moving the position is a linear map, at any offset; and its shadow in the data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pecode import fit_translation, similarity, sinusoidal, translation_matrix
from pecode._check import LAYOUTS
from tests.pecode.draws import bases, even_widths, layouts, normal, offsets, spacings

conventions = st.fixed_dictionaries({"base": bases, "layout": layouts, "spacing": spacings})


# similarity


@given(offsets, offsets, even_widths, conventions)
def test_similarity_is_the_dot_product_at_any_position(t, offset, d_model, convention):
    here, there = (sinusoidal(p, d_model, **convention) for p in (t, t + offset))
    found = similarity([offset, -offset], d_model, convention["base"], convention["spacing"])
    np.testing.assert_allclose(found, here @ there, rtol=0, atol=1e-13)
    np.testing.assert_allclose((there - here) @ (there - here), d_model - 2 * found, atol=1e-13)


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


@pytest.mark.parametrize("offset", [3, -3, 29, -29])
def test_residuals_belong_to_the_rows_that_have_a_partner(offset):
    table = normal(0, 30, 4)
    T, residuals = fit_translation(table, offset)
    rows = range(max(0, -offset), min(30, 30 - offset))
    expected = [np.linalg.norm(table[t + offset] - T @ table[t]) for t in rows]
    np.testing.assert_allclose(residuals, expected, rtol=1e-12, atol=1e-14)
