"""What the encodings are, by pairs of expressions that must agree and by the formula itself."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pecode import (
    binary,
    count,
    frequencies,
    normalized_count,
    sine_only,
    sinusoidal,
    sinusoidal_table,
    wavelengths,
)
from pecode.encodings import LAYOUTS, SPACINGS

# The same examples on every run: a red test can be run again.
settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("repeatable")

INT_TYPES = [
    np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64,
]  # fmt: skip

widths = st.integers(1, 33)
positions = st.integers(-(2**62), 2**62)
bases = st.floats(1.01, 1e6)
layouts = st.sampled_from(LAYOUTS)
spacings = st.sampled_from(SPACINGS)


# The formula, read off the papers, one element at a time.


def vaswani(position, d_model, base=10000.0):
    """PE(pos, 2i) = sin(pos / base^(2i/d)), PE(pos, 2i+1) = cos(pos / base^(2i/d))."""
    row = []
    for column in range(d_model):
        i = column // 2
        angle = position / base ** (2 * i / d_model)
        row.append(math.sin(angle) if column % 2 == 0 else math.cos(angle))
    return row


def tensor2tensor(position, channels, max_timescale=1.0e4):
    """get_timing_signal_1d of tensor2tensor: an even number of channels, sines first."""
    num_timescales = channels // 2
    increment = math.log(max_timescale) / max(num_timescales - 1, 1)
    angles = [position * math.exp(-k * increment) for k in range(num_timescales)]
    return [math.sin(a) for a in angles] + [math.cos(a) for a in angles]


@pytest.mark.parametrize("d_model", [1, 2, 3, 7, 8, 20])
@pytest.mark.parametrize("base", [100.0, 10000.0])
def test_sinusoidal_is_the_formula_of_the_paper(d_model, base):
    expected = [vaswani(t, d_model, base) for t in range(-20, 200)]
    np.testing.assert_allclose(sinusoidal(range(-20, 200), d_model, base), expected, atol=1e-13)


@pytest.mark.parametrize("d_model", [4, 6, 8, 64])
def test_concatenated_endpoint_is_the_formula_of_tensor2tensor(d_model):
    expected = [tensor2tensor(t, d_model) for t in range(200)]
    got = sinusoidal(range(200), d_model, layout="concatenated", spacing="endpoint")
    np.testing.assert_allclose(got, expected, atol=1e-12)


def test_the_two_spacings_are_different_encodings():
    paper, endpoint = (sinusoidal(range(512), 64, spacing=spacing) for spacing in SPACINGS)
    assert np.abs(paper - endpoint).max() > 1.9


@pytest.mark.parametrize("d_model", [1, 2, 7, 8])
def test_sine_only_is_its_formula(d_model):
    expected = [[math.sin(t * 500.0 ** (-j / d_model)) for j in range(d_model)] for t in range(99)]
    np.testing.assert_allclose(sine_only(range(99), d_model, base=500), expected, atol=1e-13)


@given(st.integers(1, 20))
def test_sine_only_has_the_sines_of_twice_the_width(d_model):
    sines = sinusoidal(range(50), 2 * d_model)[:, 0::2]
    np.testing.assert_array_equal(sine_only(range(50), d_model), sines)


def test_sine_only_takes_other_frequencies():
    own = frequencies(16)
    np.testing.assert_allclose(
        sine_only(range(50), 8, frequencies=own), sine_only(range(50), 8), atol=1e-14
    )


def test_the_worked_example_at_position_5_and_width_8():
    fast_to_slow = [f(5 * 10.0**-i) for i in range(4) for f in (math.sin, math.cos)]
    np.testing.assert_allclose(sinusoidal(5, 8), fast_to_slow, atol=1e-15)


# Counting and digits


@given(st.lists(st.integers(-(2**50), 2**50)))
def test_count_is_the_position(values):
    assert count(values).ravel().tolist() == values


@given(st.integers(2, 500))
def test_normalized_count_goes_from_0_to_1_in_equal_steps(length):
    values = normalized_count(range(length), length).ravel()
    assert (values[0], values[-1]) == (0, 1)
    np.testing.assert_allclose(np.diff(values), 1 / (length - 1), rtol=1e-9)


def test_normalized_count_depends_on_the_length():
    assert normalized_count(5, 10) != normalized_count(5, 20)


def test_normalized_count_of_a_single_position_is_0():
    assert normalized_count(0, 1).tolist() == [0.0]


@given(st.integers(1, 63), st.data())
def test_binary_digits_are_those_that_python_prints(n_bits, data):
    position = data.draw(st.integers(0, 2**n_bits - 1))
    digits = "".join(str(int(bit)) for bit in binary(position, n_bits))
    assert digits == f"{position:0{n_bits}b}"


@given(st.lists(st.integers(0, 255)))
def test_bit_orders_mirror_each_other(values):
    np.testing.assert_array_equal(binary(values, 8), binary(values, 8, "little")[..., ::-1])


def test_a_faster_bit_flips_twice_as_often():
    flips = np.abs(np.diff(binary(range(257), 9, "little"), axis=0)).sum(axis=0)
    assert flips.tolist() == [256 // 2**k for k in range(9)]


# Frequencies


@given(widths, bases, spacings)
def test_frequencies_fall_from_1_by_a_constant_factor(d_model, base, spacing):
    omega = frequencies(d_model, base, spacing)
    assert omega[0] == 1
    assert len(omega) == math.ceil(d_model / 2)
    np.testing.assert_allclose(omega[1:-1] ** 2, omega[:-2] * omega[2:], rtol=1e-13)


@given(widths, bases)
def test_the_slowest_paper_frequency_stays_above_one_over_base(d_model, base):
    assert frequencies(d_model, base)[-1] > 1 / base


@pytest.mark.parametrize("d_model", range(3, 400))
def test_the_slowest_endpoint_frequency_is_exactly_one_over_base(d_model):
    assert frequencies(d_model, 10000.0, "endpoint")[-1] == 1e-4


@given(widths, bases, spacings)
def test_a_wavelength_is_a_full_turn(d_model, base, spacing):
    turn = frequencies(d_model, base, spacing) * wavelengths(d_model, base, spacing)
    np.testing.assert_allclose(turn, 2 * math.pi, rtol=1e-15)


@given(widths, bases, spacings)
def test_position_1_turns_every_pair_by_its_frequency(d_model, base, spacing):
    sines = sinusoidal(1, d_model, base, "concatenated", spacing)[: math.ceil(d_model / 2)]
    np.testing.assert_allclose(
        np.arcsin(sines), frequencies(d_model, base, spacing), rtol=1e-14, atol=0
    )


# Properties of the sinusoids


@given(st.lists(positions, min_size=1, max_size=20), widths, bases, layouts, spacings)
def test_entries_are_bounded_by_1(values, d_model, base, layout, spacing):
    assert np.abs(sinusoidal(values, d_model, base, layout, spacing)).max() <= 1


@given(positions, st.integers(1, 20), bases, spacings)
def test_every_pair_lies_on_the_unit_circle(position, pairs, base, spacing):
    sines, cosines = np.split(sinusoidal(position, 2 * pairs, base, "concatenated", spacing), 2)
    np.testing.assert_allclose(sines**2 + cosines**2, 1, rtol=1e-15)


@pytest.mark.parametrize(
    ("d_model", "at_least"),
    # One circle: 710 positions are nearly 113 turns. One pair more tells them apart.
    [(2, 6e-5), (4, 0.04), (8, 0.6), (64, 1.4)],
)
def test_rows_are_distinct(d_model, at_least):
    table = sinusoidal_table(2000, d_model)
    nearest = [np.linalg.norm(table[t + 1 :] - table[t], axis=1).min() for t in range(1999)]
    assert min(nearest) > at_least


@given(positions, widths, bases, spacings)
def test_layouts_are_permutations_of_each_other(position, d_model, base, spacing):
    interleaved, concatenated = (
        sinusoidal(position, d_model, base, layout, spacing) for layout in LAYOUTS
    )
    order = [*range(0, d_model, 2), *range(1, d_model, 2)]
    np.testing.assert_array_equal(interleaved[order], concatenated)


@given(positions, st.integers(1, 16), bases, layouts, spacings)
def test_going_back_mirrors_the_sines_and_keeps_the_cosines(t, pairs, base, layout, spacing):
    ahead, back = (sinusoidal(s, 2 * pairs, base, layout, spacing) for s in (t, -t))
    is_sine = np.arange(2 * pairs) < pairs
    if layout == "interleaved":
        is_sine = np.arange(2 * pairs) % 2 == 0
    # Equal but for rounding: half a turn ahead and half a turn back are the same 64 bits.
    np.testing.assert_allclose(back, np.where(is_sine, -ahead, ahead), rtol=0, atol=1e-15)


def test_position_0_is_sines_of_0_and_cosines_of_1():
    assert sinusoidal(0, 6).tolist() == [0, 1, 0, 1, 0, 1]
    assert sinusoidal(0, 6, layout="concatenated").tolist() == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("d_model", [1, 3, 5, 9, 33])
def test_an_odd_width_ends_its_frequencies_on_a_sine(d_model, layout):
    vectors = sinusoidal(range(50), d_model, layout=layout)
    last_sine = d_model - 1 if layout == "interleaved" else d_model // 2
    slowest = frequencies(d_model)[-1]
    np.testing.assert_allclose(vectors[:, last_sine], np.sin(np.arange(50) * slowest), atol=1e-14)
    assert vectors[0].sum() == d_model // 2  # as many cosines; each is 1 at position 0


# Positions and shapes

ENCODINGS = {
    "count": lambda p: count(p),
    "normalized_count": lambda p: normalized_count(p, 100),
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
    assert result.shape[:-1] == shape
    assert result.dtype == np.float64
    for index in np.ndindex(shape):
        np.testing.assert_array_equal(result[index], encode(int(array[index])))


@encodings
def test_lists_tuples_and_ranges_are_taken_alike(encode):
    expected = encode(np.arange(10))
    for given_as in (list(range(10)), tuple(range(10)), range(10), [np.int8(t) for t in range(10)]):
        np.testing.assert_array_equal(encode(given_as), expected)
    np.testing.assert_array_equal(encode(np.array(range(10), dtype=object)), expected)
    np.testing.assert_array_equal(encode(np.arange(0, 20, 2)[::-1] // 2), expected[::-1])


@encodings
@pytest.mark.parametrize("int_type", INT_TYPES)
def test_every_type_of_integer_gives_the_same_vectors(encode, int_type):
    values = [0, 1, 35, 99]
    np.testing.assert_array_equal(encode(np.array(values, int_type)), encode(values))
    np.testing.assert_array_equal(encode(int_type(99)), encode(99))


@encodings
def test_an_empty_list_gives_no_vectors(encode):
    assert encode([]).shape == (0, encode(0).size)


@encodings
def test_positions_are_left_as_they_were(encode):
    array = np.arange(10)
    encode(array)
    np.testing.assert_array_equal(array, np.arange(10))


@pytest.mark.parametrize("int_type", INT_TYPES)
def test_a_width_of_any_type_of_integer_is_taken(int_type):
    np.testing.assert_array_equal(sinusoidal(5, int_type(9)), sinusoidal(5, 9))
    np.testing.assert_array_equal(
        sinusoidal_table(5, np.array(9, int_type)), sinusoidal_table(5, 9)
    )


def test_a_changed_result_does_not_change_the_next_one():
    for encode in (lambda: sinusoidal(3, 8), lambda: frequencies(8), lambda: sine_only(3, 8)):
        first = encode()
        before = first.copy()
        first[:] = 99
        np.testing.assert_array_equal(encode(), before)


# dtype, and the fast table


@given(st.lists(positions, max_size=10), widths, bases, layouts, spacings)
def test_smaller_dtypes_are_float64_rounded_once(values, d_model, base, layout, spacing):
    exact = sinusoidal(values, d_model, base, layout, spacing)
    for dtype in (np.float32, np.float16):
        rounded = sinusoidal(values, d_model, base, layout, spacing, dtype)
        assert rounded.dtype == dtype
        np.testing.assert_array_equal(rounded, exact.astype(dtype))


lengths = st.one_of(st.integers(0, 70), st.sampled_from([127, 128, 129, 1000, 4097]))


@given(lengths, widths, bases, layouts, spacings)
def test_the_table_is_the_encoding_of_0_to_length(length, d_model, base, layout, spacing):
    table = sinusoidal_table(length, d_model, base, layout, spacing)
    assert table.shape == (length, d_model)
    assert table.dtype == np.float64
    expected = sinusoidal(range(length), d_model, base, layout, spacing)
    np.testing.assert_allclose(table, expected, rtol=0, atol=3e-15)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("length", "d_model"), [(20000, 3), (700, 511), (700, 512), (65, 2**15 + 1), (2, 2**16)]
)
def test_the_table_is_the_encoding_where_blocks_are_many_or_short(length, d_model, layout):
    table = sinusoidal_table(length, d_model, layout=layout)
    expected = sinusoidal(range(length), d_model, layout=layout)
    np.testing.assert_allclose(table, expected, rtol=0, atol=4e-15)


@given(lengths, widths, layouts, st.sampled_from([np.float16, np.float32, np.float64]))
def test_the_table_in_a_dtype_is_the_table_rounded(length, d_model, layout, dtype):
    table = sinusoidal_table(length, d_model, layout=layout, dtype=dtype)
    assert table.dtype == dtype
    exact = sinusoidal_table(length, d_model, layout=layout)
    np.testing.assert_array_equal(table, exact.astype(dtype))


@given(lengths, widths, layouts, spacings, st.sampled_from([np.float16, np.float32, np.float64]))
def test_out_is_filled_and_returned(length, d_model, layout, spacing, dtype):
    options = {"layout": layout, "spacing": spacing, "dtype": dtype}
    expected = sinusoidal_table(length, d_model, **options)
    contiguous = np.full((length, d_model), np.nan, dtype)
    transposed = np.full((d_model, length), np.nan, dtype).T
    strided = np.full((2 * length, 3 * d_model), np.nan, dtype)[::-2, 1::3]
    for out in (contiguous, transposed, strided):
        assert sinusoidal_table(length, d_model, out=out, **options) is out
        np.testing.assert_array_equal(out, expected)


def test_out_leaves_what_lies_between_its_rows_alone():
    around = np.full((40, 16), 7.0)
    sinusoidal_table(10, 8, out=around[10:20, 4:12])
    around[10:20, 4:12] = 7
    assert (around == 7).all()
