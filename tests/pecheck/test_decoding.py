"""A vector gives back its position: the nearest of all rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pecheck import decode
from pecode import sinusoidal, sinusoidal_table
from tests.pecode.draws import layouts, normal, seeds, spacings

bases = st.floats(2, 1e6)


@pytest.mark.parametrize(
    ("d_model", "length"),
    [*((d, n) for d in (2, 3, 4, 8, 65) for n in (1000, 1_200_000)), (512, 99_999), (4096, 1000)],
)
def test_exact_vectors_are_decoded_at_every_width_and_far_out(d_model, length):
    rng = np.random.default_rng(d_model)
    positions = np.concatenate([[0, length - 1], rng.integers(0, length, 5)])
    for layout in ("interleaved", "concatenated"):
        vectors = sinusoidal(positions, d_model, layout=layout)
        np.testing.assert_array_equal(decode(vectors, length, layout=layout), positions)
    vectors = sinusoidal(positions, d_model, dtype=np.float32)
    if d_model > 4:  # a pair or two in float32 cannot tell a million positions apart
        np.testing.assert_array_equal(decode(vectors, length), positions)


@given(st.integers(1, 25), st.integers(1, 300), bases, layouts, spacings, seeds)
def test_it_is_the_nearest_of_all_rows_for_any_vector(d_model, length, base, layout, spacing, seed):
    options = {"base": base, "layout": layout, "spacing": spacing}
    table = sinusoidal_table(length, d_model, **options)
    vectors = np.concatenate([normal(seed, 4, d_model), table[-1:]])
    found = decode(vectors, length, **options)
    assert found.dtype == np.int64
    distance = np.linalg.norm(table - vectors[:, None], axis=-1)  # (5, length)
    picked = np.take_along_axis(distance, found[:, None], axis=1)[:, 0]
    np.testing.assert_allclose(picked, distance.min(axis=1), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("factor", [1e-320, 1e-9, 22.6, 1e100])
def test_a_positive_factor_changes_nothing(factor):
    vectors = sinusoidal(np.arange(0, 5000, 37), 64)
    np.testing.assert_array_equal(decode(factor * vectors, 5000), np.arange(0, 5000, 37))


def test_the_shape_of_the_result_is_that_of_the_rows():
    assert decode(sinusoidal(np.arange(6).reshape(2, 3), 8), 9).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert decode(sinusoidal(4, 8), 9) == 4
    assert decode(sinusoidal(4, 8), 9).shape == ()
    assert decode(np.zeros((0, 8)), 9).shape == (0,)


def test_of_positions_that_are_equally_near_the_smallest_is_named():
    halves = {angle: (np.sin(angle), np.cos(angle)) for angle in (0.5, 1.5, 2.5)}
    exact = [angle for angle, (sine, cosine) in halves.items() if np.arctan2(sine, cosine) == angle]
    assert exact  # half way from one position to the next, to the last bit
    assert [decode(halves[angle], 5) for angle in exact] == [int(angle) for angle in exact]
    assert decode([1.0, 0.0], 1) == 0
