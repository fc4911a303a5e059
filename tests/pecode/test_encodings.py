"""Encodings beyond their formulas: any position, shape and type, and the fast table."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pecode
from pecode import binary, frequencies, sine_only, sinusoidal, sinusoidal_table
from pecode._check import SPACINGS
from tests.pecode.draws import bases, layouts, positions, spacings

widths = st.integers(1, 33)
dtypes = st.sampled_from([np.float16, np.float32, np.float64])


@given(st.integers(1, 63), st.data())
def test_binary_digits_are_those_that_python_prints(n_bits, data):
    position = data.draw(st.integers(0, 2**n_bits - 1))
    digits = [int(digit) for digit in f"{position:0{n_bits}b}"]
    assert binary(position, n_bits).tolist() == digits
    assert binary(position, n_bits, "little").tolist() == digits[::-1]


@pytest.mark.parametrize("d_model", range(3, 200))
def test_the_slowest_frequency_is_above_one_over_base_or_exactly_that(d_model):
    paper, endpoint = (frequencies(d_model, 10000.0, spacing)[-1] for spacing in SPACINGS)
    assert paper > 1e-4
    assert endpoint == 1e-4


# Positions and shapes

ENCODINGS = {
    "count": lambda p: pecode.count(p),
    "normalized_count": lambda p: pecode.normalized_count(p, 100),
    "binary": lambda p: binary(p, 7),
    "sine_only": lambda p: sine_only(p, 5),
    "sinusoidal": lambda p: sinusoidal(p, 6),
}
encodings = pytest.mark.parametrize("encode", ENCODINGS.values(), ids=ENCODINGS.keys())


@encodings
@pytest.mark.parametrize("shape", [(), (1,), (4,), (2, 3), (2, 1, 5), (0,), (3, 0)])
def test_results_have_the_shape_of_the_positions_and_a_vector_each(encode, shape):
    array = np.arange(math.prod(shape)).reshape(shape)
    result = encode(array)
    assert result.shape == (*shape, encode(0).size)
    assert result.dtype == np.float64
    for index in np.ndindex(shape):
        np.testing.assert_array_equal(result[index], encode(int(array[index])))
    np.testing.assert_array_equal(array, np.arange(math.prod(shape)).reshape(shape))  # as it was


@encodings
def test_lists_ranges_and_small_integers_are_taken(encode):
    expected = encode(np.arange(4))
    small = np.arange(4, dtype=np.int8)
    for held in ([0, 1, 2, 3], (0, 1, 2, 3), range(4), small, small.astype(np.uint64), list(small)):
        np.testing.assert_array_equal(encode(held), expected)
    np.testing.assert_array_equal(encode(np.int8(3)), expected[3])
    assert encode([]).shape == (0, encode(0).size)


def test_a_changed_result_does_not_change_the_next_one():
    for encode in (lambda: sinusoidal(3, 8), lambda: frequencies(8), lambda: sine_only(3, 8)):
        first = encode()
        before = first.copy()
        first[:] = 99
        np.testing.assert_array_equal(encode(), before)


# dtype, and the fast table


@given(st.lists(positions, max_size=10), widths, bases, layouts, spacings, dtypes)
def test_smaller_dtypes_are_float64_rounded_once(values, d_model, base, layout, spacing, dtype):
    rounded = sinusoidal(values, d_model, base, layout, spacing, dtype)
    assert rounded.dtype == dtype
    exact = sinusoidal(values, d_model, base, layout, spacing)
    np.testing.assert_array_equal(rounded, exact.astype(dtype))


lengths = st.one_of(st.integers(0, 70), st.sampled_from([129, 1000, 4097, 20000]))


@given(lengths, widths, bases, layouts, spacings)
def test_the_table_is_the_encoding_of_0_to_length(length, d_model, base, layout, spacing):
    table = sinusoidal_table(length, d_model, base, layout, spacing)
    expected = sinusoidal(range(length), d_model, base, layout, spacing)
    assert (table.shape, table.dtype) == (expected.shape, np.float64)
    np.testing.assert_allclose(table, expected, rtol=0, atol=3e-15)


@given(lengths, widths, layouts, spacings, dtypes)
def test_out_is_filled_with_the_rounded_table_and_returned(length, d_model, layout, spacing, dtype):
    options = {"layout": layout, "spacing": spacing}
    exact = sinusoidal_table(length, d_model, **options)
    expected = sinusoidal_table(length, d_model, **options, dtype=dtype)
    np.testing.assert_array_equal(expected, exact.astype(dtype), strict=True)
    narrow, wide = (length, d_model), (length + 1, 3 * d_model)
    for shape, order, place in (
        (narrow, "C", np.s_[:]),
        (narrow, "F", np.s_[:]),
        (wide, "C", np.s_[:0:-1, 1::3]),
        (wide, "C", np.s_[1:, d_model : 2 * d_model]),
    ):
        around = np.full(shape, np.nan, dtype, order)
        out = around[place]
        assert sinusoidal_table(length, d_model, **options, dtype=dtype, out=out) is out
        np.testing.assert_array_equal(out, expected)
        assert np.isnan(around).sum() == around.size - out.size  # what lies beside it is left
