"""Rotary embedding beyond its formula: any position, types and shapes, blocks and what is kept."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pecode import formulas, rotary, sinusoidal, translate
from pecode.rotary import rotate, to_half, to_interleaved
from tests.pecode.draws import bases, even_widths, normal, positions, seeds

LAYOUTS = ("interleaved", "half")
OF_SINUSOIDS = {"interleaved": "interleaved", "half": "concatenated"}  # the same columns

layouts = st.sampled_from(LAYOUTS)
each_layout = pytest.mark.parametrize("layout", LAYOUTS)


def assert_same(one, other):
    """Equal but for the last digits: some machines round a product and a sum in one step."""
    assert one.dtype == other.dtype
    scale = max(np.abs(one).max(initial=0), 1)
    np.testing.assert_allclose(one, other, rtol=0, atol=4 * np.finfo(one.dtype).eps * scale)


# Exact at any position


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
    x = np.random.default_rng(0).uniform(-1, 1, d_head)
    expected = exact_rotation(position, d_head, base, layout) @ x
    np.testing.assert_allclose(rotate(x, position, base, layout), expected, rtol=0, atol=4e-15)


@given(seeds, positions, even_widths, bases, layouts)
def test_rotating_is_translating_the_other_way(seed, t, width, base, layout):
    # A pair of the sinusoids is (sin, cos), so its angle runs clockwise; RoPE turns against that.
    turned = rotate(normal(seed, 3, width), t, base, layout)
    moved = translate(normal(seed, 3, width), -t, base, OF_SINUSOIDS[layout])
    np.testing.assert_allclose(turned, moved, rtol=0, atol=1e-14)


@given(even_widths, positions, bases)
def test_ones_and_zeros_become_the_cosines_and_sines_of_the_encoding(width, position, base):
    turned = rotate(np.tile([1.0, 0.0], width // 2), position, base)
    encoding = sinusoidal(position, width, base)
    np.testing.assert_array_equal(turned, encoding.reshape(-1, 2)[:, ::-1].ravel())


@given(seeds, positions, positions, even_widths, bases, layouts)
def test_turns_add_up_and_a_score_sees_the_offset_alone(seed, t, s, width, base, layout):
    query, key = normal(seed, 2, width)
    twice = rotate(rotate(query, t, base, layout), s, base, layout)
    np.testing.assert_allclose(twice, rotate(query, t + s, base, layout), rtol=0, atol=4e-14)
    score = rotate(query, t, base, layout) @ rotate(key, s, base, layout)
    bound = 1e-14 * np.linalg.norm(query) * np.linalg.norm(key)
    assert abs(score - query @ rotate(key, s - t, base, layout)) < bound


@each_layout
def test_position_0_and_frequency_0_turn_nothing(layout):
    x = normal(0, 5, 6)
    np.testing.assert_array_equal(rotate(x, 0, layout=layout), x)
    turned = rotate(x, np.arange(5) + 7, layout=layout, frequencies=[0.0, 0.0, 0.0])
    np.testing.assert_array_equal(turned, x)


# Frequencies of one's own


@given(seeds, st.lists(st.floats(-10, 10), min_size=1, max_size=5), layouts)
def test_frequencies_may_be_any_numbers_and_lists(seed, omega, layout):
    x, t = normal(seed, 7, 2 * len(omega)), np.arange(-3, 4) * 300
    expected = formulas.rotate(x, t, layout=layout, omega=np.array(omega))
    turned = rotate(x, t, layout=layout, frequencies=omega)
    np.testing.assert_allclose(turned, expected, rtol=0, atol=1e-12)


def test_frequencies_in_float32_are_read_as_their_exact_values():
    x, omega = normal(0, 5, 4), np.array([0.1, 0.7], np.float32)
    expected = rotate(x, 9, frequencies=omega.astype(float))
    np.testing.assert_array_equal(rotate(x, 9, frequencies=omega), expected)


# Layouts


@given(seeds, positions, even_widths, bases)
def test_reordering_and_turning_may_change_places(seed, position, width, base):
    x = normal(seed, 2, 3, width)
    turned, half = rotate(x, position, base), rotate(x, position, base, layout="half")
    assert_same(rotate(to_half(x), position, base, layout="half"), to_half(turned))
    assert_same(rotate(to_interleaved(x), position, base), to_interleaved(half))
    np.testing.assert_array_equal(to_interleaved(to_half(x)), x)


@pytest.mark.parametrize("reorder", [to_half, to_interleaved])
def test_reordering_returns_a_new_array_of_the_same_kind(reorder):
    x = normal(0, 3, 2).astype(np.float32)  # one pair: nothing moves
    assert reorder(x).dtype == np.float32
    assert not np.shares_memory(reorder(x), x)
    assert reorder(x.astype(np.float16)).dtype == np.float64


# Types and shapes


@each_layout
@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float16, np.float32, np.float64])
def test_float32_stays_float32_and_everything_else_is_float64(dtype, layout):
    x, t = (10 * normal(0, 50, 16)).astype(dtype), np.arange(50) + 10**6
    turned, exact = rotate(x, t, layout=layout), rotate(x.astype(float), t, layout=layout)
    assert turned.dtype == (np.float32 if dtype == np.float32 else np.float64)
    np.testing.assert_allclose(turned, exact, rtol=0, atol=4e-6 if dtype == np.float32 else 0)


@each_layout
@pytest.mark.parametrize("batch", [(), (1,), (3,), (2, 3), (0,), (2, 0, 3)])
def test_a_batch_is_its_vectors_one_by_one(batch, layout):
    x, t = normal(0, *batch, 5, 8), np.array([0, 7, -3, 10**6, 2**40])
    turned = rotate(x, t, layout=layout)
    assert turned.shape == x.shape
    for index in np.ndindex(*batch, 5):
        assert_same(turned[index], rotate(x[index], int(t[index[-1]]), layout=layout))
    if batch == ():  # a cache goes on where it stopped
        parts = (rotate(x[part], t[part], layout=layout) for part in (np.s_[:3], np.s_[3:]))
        assert_same(np.concatenate(list(parts)), turned)


def test_positions_are_broadcast_to_the_rows():
    x, t = normal(0, 2, 3, 5, 8), np.arange(10).reshape(2, 1, 5) ** 2
    assert_same(rotate(x, t), rotate(x, np.broadcast_to(t, (2, 3, 5))))
    for one in (7, [7]):
        assert_same(rotate(x, one), rotate(x, np.full((2, 3, 5), 7)))


def test_rotate_leaves_its_input_as_it_was():
    x = normal(0, 5, 8)
    x.flags.writeable = False
    assert not np.shares_memory(rotate(x, 0), x)
    rotate(x, range(5))
    np.testing.assert_array_equal(x, normal(0, 5, 8))


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
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.usefixtures("small_blocks")
def test_what_is_not_finite_is_found_in_every_block(dtype, value, place, layout):
    x = normal(0, 8, 4, 8).astype(dtype)
    x.flat[place] = value
    with pytest.raises(ValueError, match=r"^x: expected finite numbers, got NaN or infinity"):
        rotate(x, np.arange(4), layout=layout)


@each_layout
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_large_numbers_are_turned_unless_the_turned_ones_overflow(dtype, layout):
    x, large = normal(0, 9, 8).astype(dtype), dtype({np.float32: 1e30, np.float64: 1e300}[dtype])
    scaled = rotate(x * large, np.arange(9), layout=layout) / large
    assert_same(scaled / 5, rotate(x, np.arange(9), layout=layout) / 5)
    largest = np.full((1, 2), np.finfo(dtype).max)
    for turn in (lambda: translate(largest, -1), lambda: rotate(largest, 1, layout=layout)):
        with pytest.raises(ValueError, match=r"^(x|encoding): expected .*got an overflow"):
            turn()


# What is kept from call to call


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
    assert rotate(x.astype(np.float32), range(4)).dtype == np.float32


def test_more_phasors_than_are_kept_turn_all_the_same():
    x, t = np.ones((600_000, 4), np.float32), np.arange(600_000) + 10**9
    before = rotary._kept_phasors.cache_info()
    turned = rotate(x, t)
    assert rotary._kept_phasors.cache_info() == before  # they were neither looked up nor kept
    for row in (0, 1, 299_999, 599_999):
        assert_same(turned[row], rotate(x[row], t[row]))
