"""Rotary embedding: pairs of columns are turned, and a score sees nothing but the offset."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pecode import frequencies, sinusoidal, translate, translation_matrix
from pecode.rotary import rotate

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("repeatable")

LAYOUTS = ("interleaved", "half")
OF_SINUSOIDS = {"interleaved": "interleaved", "half": "concatenated"}  # the same columns

seeds = st.integers(0, 10**6)
positions = st.integers(-(2**61), 2**61)  # two of them add up within 64 bits
even_widths = st.integers(1, 16).map(lambda pairs: 2 * pairs)
bases = st.floats(1.01, 1e6)
layouts = st.sampled_from(LAYOUTS)
each_layout = pytest.mark.parametrize("layout", LAYOUTS)


def normal(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape)


def to_half(d_head):
    """Columns of the interleaved layout in the order of the other."""
    return [*range(0, d_head, 2), *range(1, d_head, 2)]


# What it is


@given(seeds, st.lists(st.integers(-100, 100), max_size=5), even_widths, bases)
def test_interleaved_pairs_are_multiplied_by_a_complex_number_of_length_1(seed, rows, width, base):
    x = normal(seed, len(rows), width)
    angles = np.array(rows, int)[:, None] * frequencies(width, base)
    expected = (x[:, 0::2] + 1j * x[:, 1::2]) * np.exp(1j * angles)
    turned = rotate(x, np.array(rows, int), base)
    np.testing.assert_allclose(turned[:, 0::2], expected.real, rtol=0, atol=1e-12)
    np.testing.assert_allclose(turned[:, 1::2], expected.imag, rtol=0, atol=1e-12)


@given(seeds, st.lists(st.integers(-100, 100), max_size=5), even_widths, bases)
def test_halves_are_the_parts_of_complex_numbers(seed, rows, width, base):
    x, n = normal(seed, len(rows), width), width // 2
    angles = np.array(rows, int)[:, None] * frequencies(width, base)
    expected = (x[:, :n] + 1j * x[:, n:]) * np.exp(1j * angles)
    turned = rotate(x, np.array(rows, int), base, layout="half")
    np.testing.assert_allclose(turned[:, :n], expected.real, rtol=0, atol=1e-12)
    np.testing.assert_allclose(turned[:, n:], expected.imag, rtol=0, atol=1e-12)


def exact_rotation(position, d_head, base, layout):
    """R(t) of Su et al., equation 15, from 60 digits; it acts on a column."""
    matrix = np.zeros((d_head, d_head))
    with mpmath.workdps(60):
        for i in range(d_head // 2):
            angle = position * mpmath.mpf(base) ** (-mpmath.mpf(2 * i) / d_head)
            cos, sin = float(mpmath.cos(angle)), float(mpmath.sin(angle))
            a, b = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + d_head // 2)
            matrix[a, a], matrix[a, b], matrix[b, a], matrix[b, b] = cos, -sin, sin, cos
    return matrix


@each_layout
@pytest.mark.parametrize("position", [0, 1, -1, 511, 131_071, 999_983, 10**6, -(10**6), 2**40 + 1])
@pytest.mark.parametrize(("d_head", "base"), [(2, 10000.0), (8, 10000.0), (64, 500_000.0)])
def test_rotate_is_the_exact_block_rotation_matrix(position, d_head, base, layout):
    R = exact_rotation(position, d_head, base, layout)
    x = np.random.default_rng(0).uniform(-1, 1, d_head)
    np.testing.assert_allclose(rotate(x, position, base, layout), R @ x, rtol=0, atol=4e-15)


@given(even_widths, positions, bases)
def test_a_vector_of_ones_first_becomes_cosines_and_sines(width, position, base):
    ones = np.tile([1.0, 0.0], width // 2)
    turned, hands = rotate(ones, position, base), sinusoidal(position, width, base)
    np.testing.assert_array_equal(turned[0::2], hands[1::2])
    np.testing.assert_array_equal(turned[1::2], hands[0::2])


def test_a_turn_is_counter_clockwise():
    (a, b) = rotate([1.0, 0.0], 1)
    assert a > 0
    assert b > 0


# What it leaves as it is, and how turns combine


@given(seeds, even_widths, bases, layouts)
def test_position_0_turns_nothing(seed, width, base, layout):
    x = normal(seed, 3, width)
    np.testing.assert_array_equal(rotate(x, 0, base, layout), x)


@given(seeds, positions, even_widths, bases, layouts)
def test_rotation_keeps_the_norm_of_every_pair(seed, position, width, base, layout):
    def norms(v):
        pairs = v.reshape(2, -1) if layout == "half" else v.reshape(-1, 2).T
        return np.linalg.norm(pairs, axis=0)

    x = normal(seed, width)
    np.testing.assert_allclose(norms(rotate(x, position, base, layout)), norms(x), rtol=1e-13)


@given(seeds, positions, positions, even_widths, bases, layouts)
def test_two_turns_are_one_turn_by_the_sum(seed, one, other, width, base, layout):
    x = normal(seed, width)
    twice = rotate(rotate(x, one, base, layout), other, base, layout)
    np.testing.assert_allclose(twice, rotate(x, one + other, base, layout), rtol=0, atol=4e-14)


@given(seeds, positions, even_widths, bases, layouts)
def test_a_turn_back_undoes_a_turn(seed, position, width, base, layout):
    x = normal(seed, width)
    back = rotate(rotate(x, position, base, layout), -position, base, layout)
    np.testing.assert_allclose(back, x, rtol=0, atol=1e-14)


@given(seeds, positions, even_widths, layouts, st.floats(-10, 10))
def test_rotation_is_linear(seed, position, width, layout, factor):
    x, y = normal(seed, 2, width)
    np.testing.assert_allclose(
        rotate(x + factor * y, position, layout=layout),
        rotate(x, position, layout=layout) + factor * rotate(y, position, layout=layout),
        rtol=0,
        atol=1e-13,
    )


# What a score sees


@given(seeds, positions, positions, st.integers(-(10**6), 10**6), even_widths, bases, layouts)
def test_a_score_does_not_change_when_both_positions_move(seed, t, s, shift, width, base, layout):
    query, key = normal(seed, 2, width)
    here = rotate(query, t, base, layout) @ rotate(key, s, base, layout)
    there = rotate(query, t + shift, base, layout) @ rotate(key, s + shift, base, layout)
    bound = 1e-14 * np.linalg.norm(query) * np.linalg.norm(key)
    assert abs(here - there) < bound


@each_layout
@pytest.mark.parametrize("start", [0, 1, 10**6, 2**31, -(2**40)])
def test_a_score_is_that_of_the_key_turned_by_the_offset(layout, start):
    query, key = normal(3, 2, 32)
    for offset in range(-100, 101):
        score = rotate(query, start, layout=layout) @ rotate(key, start + offset, layout=layout)
        assert score == pytest.approx(query @ rotate(key, offset, layout=layout), abs=3e-13)


@each_layout
def test_the_scores_of_a_sequence_are_constant_along_the_diagonals_for_equal_tokens(layout):
    query, key = normal(4, 2, 16)
    t = np.arange(20)
    queries, keys = (rotate(np.tile(v, (20, 1)), t, layout=layout) for v in (query, key))
    scores = queries @ keys.T
    for offset in range(-19, 20):
        diagonal = np.diagonal(scores, offset)
        np.testing.assert_allclose(diagonal, diagonal[0], rtol=0, atol=1e-13)


def test_a_score_differs_between_offset_and_minus_offset():
    query, key = normal(5, 2, 16)
    assert abs(query @ rotate(key, 3) - query @ rotate(key, -3)) > 0.1


@given(seeds, positions, positions, even_widths, layouts)
def test_a_vector_scores_itself_highest_at_no_offset(seed, t, s, width, layout):
    x = normal(seed, width)
    score = rotate(x, t, layout=layout) @ rotate(x, s, layout=layout)
    assert score <= (x @ x) * (1 + 1e-13)


# Layouts


@given(seeds, positions, even_widths, bases)
def test_the_layouts_are_related_by_a_permutation_of_columns(seed, position, width, base):
    x, order = normal(seed, 3, width), to_half(width)
    np.testing.assert_array_equal(
        rotate(x, position, base)[:, order], rotate(x[:, order], position, base, layout="half")
    )


def test_the_layouts_differ():
    x = normal(0, 8)
    assert np.abs(rotate(x, 3) - rotate(x, 3, layout="half")).max() > 0.1


def rotate_half(x, cos, sin):
    """As transformers writes it: x * cos + (-x2, x1) * sin, the cosines repeated behind."""
    first, second = np.split(x, 2, axis=-1)
    return x * np.tile(cos, 2) + np.concatenate([-second, first], axis=-1) * np.tile(sin, 2)


def test_half_is_the_layout_of_the_llama_checkpoints():
    x, t = normal(0, 2, 7, 8), np.arange(7)
    angles = t[:, None] / 10000.0 ** (np.arange(0, 8, 2) / 8)
    np.testing.assert_allclose(
        rotate(x, t, layout="half"), rotate_half(x, np.cos(angles), np.sin(angles)), atol=1e-14
    )


# The matrices of chapter 5


@given(seeds, positions, even_widths, bases, layouts)
def test_rotating_a_column_is_the_transposed_translation_matrix(seed, t, width, base, layout):
    x = normal(seed, width)
    T = translation_matrix(t, width, base, OF_SINUSOIDS[layout])
    np.testing.assert_allclose(rotate(x, t, base, layout), T.T @ x, rtol=0, atol=1e-14)


@given(seeds, positions, even_widths, bases, layouts)
def test_rotating_is_translating_the_other_way(seed, t, width, base, layout):
    # A pair of the sinusoids is (sin, cos), so its angle runs clockwise; RoPE turns against that.
    x = normal(seed, 3, width)
    np.testing.assert_allclose(
        rotate(x, t, base, layout),
        translate(x, -t, base, OF_SINUSOIDS[layout]),
        rtol=0,
        atol=1e-14,
    )


def test_rotating_is_not_translating():
    x = normal(0, 8)
    assert np.abs(rotate(x, 3) - translate(x, 3)).max() > 0.1


@given(positions, st.integers(-1000, 1000), even_widths)
def test_a_sinusoid_turned_by_its_own_position_stands_at_position_0(t, offset, width):
    np.testing.assert_allclose(
        rotate(sinusoidal(t + offset, width), t), sinusoidal(offset, width), rtol=0, atol=4e-15
    )


# Kinds and shapes


@each_layout
def test_float32_stays_float32_and_is_as_good_as_it_can_be(layout):
    x, t = normal(0, 50, 16).astype(np.float32), np.arange(50) + 10**6
    turned = rotate(x, t, layout=layout)
    assert turned.dtype == np.float32
    exact = rotate(x.astype(float), t, layout=layout)
    np.testing.assert_allclose(turned, exact, rtol=0, atol=4e-7)


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float16, np.float64])
def test_everything_else_is_float64(dtype):
    x = np.array([[1, 2], [3, 4]], dtype)
    turned = rotate(x, [5, 6])
    assert turned.dtype == np.float64
    np.testing.assert_array_equal(turned, rotate(x.astype(float), [5, 6]))


@each_layout
@pytest.mark.parametrize("batch", [(), (1,), (3,), (2, 3), (0,), (2, 0, 3)])
def test_a_batch_is_its_vectors_one_by_one(batch, layout):
    x, t = normal(0, *batch, 5, 8), np.array([0, 7, -3, 10**6, 2**40])
    turned = rotate(x, t, layout=layout)
    assert turned.shape == x.shape
    for index in np.ndindex(*batch, 5):
        expected = rotate(x[index], int(t[index[-1]]), layout=layout)
        np.testing.assert_array_equal(turned[index], expected)


def test_each_sequence_of_a_batch_may_have_positions_of_its_own():
    x, t = normal(0, 2, 3, 5, 8), np.arange(10).reshape(2, 1, 5) ** 2
    turned = rotate(x, t)
    for i, j in np.ndindex(2, 3):
        np.testing.assert_array_equal(turned[i, j], rotate(x[i, j], t[i, 0]))


def test_one_position_serves_all_rows():
    x = normal(0, 4, 8)
    np.testing.assert_array_equal(rotate(x, 7), rotate(x, [7] * 4))
    np.testing.assert_array_equal(rotate(x, [7]), rotate(x, [7] * 4))


@each_layout
def test_a_cache_goes_on_where_it_stopped(layout):
    x = normal(0, 10, 8)
    whole = rotate(x, range(10), layout=layout)
    parts = [rotate(x[:6], range(6), layout=layout), rotate(x[6:], range(6, 10), layout=layout)]
    np.testing.assert_array_equal(whole, np.concatenate(parts))


def test_rotate_leaves_its_input_as_it_was():
    x = normal(0, 5, 8)
    x.flags.writeable = False
    turned = rotate(x, 0)
    assert not np.shares_memory(turned, x)
    rotate(x, range(5))
    np.testing.assert_array_equal(x, normal(0, 5, 8))


def test_a_strided_input_is_read_as_its_copy():
    x = normal(0, 6, 16)
    np.testing.assert_array_equal(
        rotate(x[::-2, ::2], [1, 2, 3]), rotate(x[::-2, ::2].copy(), [1, 2, 3])
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_vectors_near_the_end_of_the_floats_are_refused_as_translate_does(dtype):
    x = np.full((1, 2), np.finfo(dtype).max)
    for turn in (lambda: translate(x, -1), lambda: rotate(x, 1)):
        with pytest.raises(ValueError, match=r"^(x|encoding): expected .*got an overflow"):
            turn()
