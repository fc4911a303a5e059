"""Rotary embedding: pairs of columns are turned, and a score sees nothing but the offset."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pecode import frequencies, sinusoidal, translate, translation_matrix
from pecode.rotary import rotate, to_half, to_interleaved

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


def assert_same(one, other):
    """Equal but for the last digits: some machines round a product and a sum in one step."""
    assert one.dtype == other.dtype
    scale = max(np.abs(one).max(initial=0), 1)
    np.testing.assert_allclose(one, other, rtol=0, atol=4 * np.finfo(one.dtype).eps * scale)


def columns_of_half(d_head):
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
    x, order = normal(seed, 3, width), columns_of_half(width)
    assert_same(
        rotate(x, position, base)[:, order], rotate(x[:, order], position, base, layout="half")
    )


def test_the_layouts_differ():
    x = normal(0, 8)
    assert np.abs(rotate(x, 3) - rotate(x, 3, layout="half")).max() > 0.1


@given(seeds, positions, even_widths, bases)
def test_to_half_and_turning_may_change_places(seed, position, width, base):
    x = normal(seed, 2, 3, width)
    assert_same(
        rotate(to_half(x), position, base, layout="half"), to_half(rotate(x, position, base))
    )
    assert_same(
        rotate(to_interleaved(x), position, base),
        to_interleaved(rotate(x, position, base, layout="half")),
    )


@given(seeds, even_widths)
def test_each_reordering_undoes_the_other(seed, width):
    x = normal(seed, 3, width)
    np.testing.assert_array_equal(to_half(x), x[:, columns_of_half(width)])
    np.testing.assert_array_equal(to_interleaved(to_half(x)), x)
    np.testing.assert_array_equal(to_half(to_interleaved(x)), x)


@given(seeds, even_widths)
def test_a_score_does_not_see_the_order_of_columns_that_query_and_key_share(seed, width):
    query, key = normal(seed, 2, width)
    assert to_half(query) @ to_half(key) == pytest.approx(query @ key, abs=1e-13)


@given(seeds, st.integers(1, 6))
def test_reordered_weights_turn_a_checkpoint_of_one_layout_into_one_of_the_other(seed, pairs):
    x, t = normal(seed, 5, 3), np.arange(5)
    w_query, w_key = normal(seed + 1, 2, 3, 2 * pairs)
    interleaved = rotate(x @ w_query, t) @ rotate(x @ w_key, t).T
    half = [rotate(x @ to_half(w), t, layout="half") for w in (w_query, w_key)]
    np.testing.assert_allclose(half[0] @ half[1].T, interleaved, rtol=0, atol=1e-12)


@pytest.mark.parametrize("reorder", [to_half, to_interleaved])
def test_reordering_returns_a_new_array_of_the_same_kind(reorder):
    x = normal(0, 3, 2).astype(np.float32)  # one pair: nothing moves
    assert reorder(x).dtype == np.float32
    assert not np.shares_memory(reorder(x), x)
    assert reorder(x.astype(np.float16)).dtype == np.float64


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


# Frequencies of one's own


@given(seeds, st.integers(-(10**6), 10**6), even_widths, bases, layouts)
def test_the_frequencies_of_the_base_change_little(seed, position, width, base, layout):
    x = normal(seed, width)
    np.testing.assert_allclose(
        rotate(x, position, layout=layout, frequencies=frequencies(width, base)),
        rotate(x, position, base, layout),
        rtol=0,
        atol=1e-14 * (1 + abs(position)),  # the angle is rounded here, and exact there
    )


@given(seeds, st.lists(st.floats(-10, 10), min_size=1, max_size=5), st.integers(-1000, 1000))
def test_each_pair_turns_by_position_times_its_frequency(seed, omega, position):
    x = normal(seed, 2 * len(omega))
    turned = rotate(x, position, frequencies=omega)
    for i, frequency in enumerate(omega):
        z = complex(*x[2 * i : 2 * i + 2]) * np.exp(1j * (position * frequency))
        np.testing.assert_allclose(turned[2 * i : 2 * i + 2], [z.real, z.imag], rtol=0, atol=1e-12)


@each_layout
def test_frequency_0_turns_nothing(layout):
    x = normal(0, 5, 6)
    turned = rotate(x, np.arange(5) + 7, layout=layout, frequencies=[0.0, 0.0, 0.0])
    np.testing.assert_array_equal(turned, x)


def test_frequencies_in_float32_are_read_as_their_exact_values():
    x, omega = normal(0, 5, 4), np.array([0.1, 0.7], np.float32)
    np.testing.assert_array_equal(
        rotate(x, 9, frequencies=omega), rotate(x, 9, frequencies=omega.astype(float))
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
        assert_same(turned[index], expected)


def test_each_sequence_of_a_batch_may_have_positions_of_its_own():
    x, t = normal(0, 2, 3, 5, 8), np.arange(10).reshape(2, 1, 5) ** 2
    turned = rotate(x, t)
    for i, j in np.ndindex(2, 3):
        assert_same(turned[i, j], rotate(x[i, j], t[i, 0]))


def test_one_position_serves_all_rows():
    x = normal(0, 4, 8)
    assert_same(rotate(x, 7), rotate(x, [7] * 4))
    assert_same(rotate(x, [7]), rotate(x, [7] * 4))


@each_layout
def test_a_cache_goes_on_where_it_stopped(layout):
    x = normal(0, 10, 8)
    whole = rotate(x, range(10), layout=layout)
    parts = [rotate(x[:6], range(6), layout=layout), rotate(x[6:], range(6, 10), layout=layout)]
    assert_same(whole, np.concatenate(parts))


def test_rotate_leaves_its_input_as_it_was():
    x = normal(0, 5, 8)
    x.flags.writeable = False
    turned = rotate(x, 0)
    assert not np.shares_memory(turned, x)
    rotate(x, range(5))
    np.testing.assert_array_equal(x, normal(0, 5, 8))


def test_a_strided_input_is_read_as_its_copy():
    x = normal(0, 6, 16)
    assert_same(rotate(x[::-2, ::2], [1, 2, 3]), rotate(x[::-2, ::2].copy(), [1, 2, 3]))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_vectors_near_the_end_of_the_floats_are_refused_as_translate_does(dtype):
    x = np.full((1, 2), np.finfo(dtype).max)
    for turn in (lambda: translate(x, -1), lambda: rotate(x, 1)):
        with pytest.raises(ValueError, match=r"^(x|encoding): expected .*got an overflow"):
            turn()


# Blocks: large arrays are cut, and the same numbers come out


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of at most 16 numbers in float64, so that small arrays are cut along every axis."""
    monkeypatch.setattr("pecode.rotary._BLOCK", 128)


@each_layout
@pytest.mark.parametrize("shape", [(64, 8), (1, 5, 1, 7, 4), (3, 2, 5, 2), (2, 40), (30, 1, 6)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.usefixtures("small_blocks")
def test_blocks_are_the_rows_one_by_one(shape, layout, dtype):
    x = normal(0, *shape).astype(dtype)
    t = np.random.default_rng(1).integers(-(10**6), 10**6, shape[:-1])
    turned = rotate(x, t, layout=layout)
    for index in np.ndindex(*shape[:-1]):
        assert_same(turned[index], rotate(x[index], t[index], layout=layout))


@each_layout
@pytest.mark.usefixtures("small_blocks")
def test_blocks_of_any_strides_and_of_shared_positions_are_those_of_the_copy(layout):
    whole, t = normal(0, 6, 5, 4, 16), np.arange(5)[:, None]
    for x in (
        whole[::-1, :, ::2, 3:13],
        whole[..., ::-1],
        whole[..., ::2],
        whole.transpose(2, 1, 0, 3),
        np.asfortranarray(whole),
        np.broadcast_to(whole[:1], whole.shape),
    ):
        assert_same(rotate(x, t, layout=layout), rotate(x.copy(), t, 1e4, layout))


@each_layout
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [0, 7, 100, 255])
@pytest.mark.usefixtures("small_blocks")
def test_what_is_not_finite_is_found_in_every_block(value, place, layout):
    x = normal(0, 8, 4, 8)
    x.flat[place] = value
    with pytest.raises(ValueError, match=r"^x: expected finite numbers, got NaN or infinity"):
        rotate(x, np.arange(4), layout=layout)
    with pytest.raises(ValueError, match=r"^x: expected finite numbers, got NaN or infinity"):
        rotate(x.astype(np.float32), np.arange(4), layout=layout)


@each_layout
@pytest.mark.parametrize(("dtype", "large"), [(np.float32, 1e30), (np.float64, 1e300)])
def test_large_numbers_are_turned_though_their_squares_overflow(dtype, large, layout):
    x = normal(0, 9, 8).astype(dtype)
    scaled = rotate(x * dtype(large), np.arange(9), layout=layout) / dtype(large)
    np.testing.assert_allclose(
        scaled, rotate(x, np.arange(9), layout=layout), rtol=0, atol=20 * np.finfo(dtype).eps
    )


def test_what_is_kept_of_one_call_does_not_leak_into_another():
    x = normal(0, 4, 8)
    ways = [
        ((range(4),), {}),
        (([3, 2, 1, 0],), {}),
        ((range(4), 500.0), {}),
        ((range(4),), {"frequencies": [1.0, 2.0, 3.0, 4.0]}),
        ((range(4),), {"frequencies": [4.0, 3.0, 2.0, 1.0]}),
    ]
    first = [rotate(x, *place, **other) for place, other in ways]
    again = [rotate(x, *place, **other) for place, other in ways[::-1]][::-1]
    for one, other in zip(first, again, strict=True):
        np.testing.assert_array_equal(one, other)
    assert len({one.tobytes() for one in first}) == len(ways)
    np.testing.assert_array_equal(
        rotate(x.astype(np.float32), range(4)).dtype, np.dtype(np.float32)
    )


def test_more_hands_than_are_kept_are_turned_all_the_same():
    x, t = np.ones((600_000, 4), np.float32), np.arange(600_000) + 10**9
    turned = rotate(x, t)
    for row in (0, 1, 299_999, 599_999):
        assert_same(turned[row], rotate(x[row], t[row]))
