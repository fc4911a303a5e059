"""Rotary embedding beyond its formula: what it keeps, types, shapes and strides, layouts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pecode import rotary, rotate, rotate_part, to_half, to_interleaved
from tests.pecode.draws import bases, even_widths, normal, positions, seeds

LAYOUTS = ("interleaved", "half")

layouts = st.sampled_from(LAYOUTS)
each_layout = pytest.mark.parametrize("layout", LAYOUTS)


def assert_same(one, other):
    """Equal but for the last digits: some machines round a product and a sum in one step."""
    assert one.dtype == other.dtype
    scale = max(np.abs(one).max(initial=0), 1)
    np.testing.assert_allclose(one, other, rtol=0, atol=4 * np.finfo(one.dtype).eps * scale)


# Layouts


@given(seeds, positions, even_widths, bases)
def test_reordering_and_turning_may_change_places(seed, position, width, base):
    x = normal(seed, 2, 3, width)
    turned, half = rotate(x, position, base), rotate(x, position, base, layout="half")
    assert_same(rotate(to_half(x), position, base, layout="half"), to_half(turned))
    assert_same(rotate(to_interleaved(x), position, base), to_interleaved(half))
    np.testing.assert_array_equal(to_interleaved(to_half(x)), x)


# A part of the columns


@given(seeds, st.integers(1, 16), st.integers(0, 40), layouts)
def test_a_part_turns_at_frequencies_of_its_own_and_the_rest_is_left(seed, n, more, layout):
    x, t, width = normal(seed, 5, 2 * n + more), np.arange(5) * 7, 2 * n
    # A fraction that is a little too large, as decimals in configs are: it is rounded down.
    fraction = min((width + 0.5) / (width + more), 1)
    turned = rotate_part(x, t, fraction, layout=layout)
    np.testing.assert_array_equal(turned[:, width:], x[:, width:])
    np.testing.assert_array_equal(turned[:, :width], rotate(x[:, :width], t, layout=layout))


@pytest.mark.parametrize(
    ("d_head", "fraction", "turns"),
    [(64, 0.25, 16), (80, 0.4, 32), (96, 0.35, None), (20, 0.7, 14)],
)
def test_the_part_that_turns_is_rounded_down_to_columns_and_must_be_even(d_head, fraction, turns):
    x = np.ones(d_head)
    if turns is None:  # 33 columns
        with pytest.raises(ValueError, match=r"^fraction: .*even number.*33 of them"):
            rotate_part(x, 1, fraction)
    else:
        assert np.count_nonzero(rotate_part(x, 1, fraction) != 1) == turns


@each_layout
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(9, 2, 300, 128), (1, 5000, 64), (3, 70000, 2), (1, 2**19)])
@pytest.mark.parametrize("first", [10**12, 0.5])
def test_many_rows_are_turned_like_a_few(shape, first, dtype, layout):
    x, t = normal(0, *shape).astype(dtype), np.arange(shape[-2]) + first
    turned = rotate(x, t, layout=layout)
    for some in (slice(3), slice(-2, None), slice(None, None, max(len(t) // 7, 1))):
        assert_same(turned[..., some, :], rotate(x[..., some, :], t[some], layout=layout))
    np.testing.assert_array_equal(rotate(x, t, layout=layout), turned)  # with what was kept
    x[..., -1, -1] = np.inf
    with pytest.raises(ValueError, match=r"^x: expected finite numbers"):
        rotate(x, t, layout=layout)


def test_positions_are_broadcast_to_the_rows():
    x, t = normal(0, 2, 3, 5, 8), np.arange(10).reshape(2, 1, 5) ** 2
    assert_same(rotate(x, t), rotate(x, np.broadcast_to(t, (2, 3, 5))))
    for one in (7, [7]):
        assert_same(rotate(x, one), rotate(x, np.full((2, 3, 5), 7)))


@each_layout
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(6, 5, 4, 16), (9, 5, 60, 128)])
@pytest.mark.parametrize("fresh", [rotary._FRESH, 0])  # 0: as where new memory is needed
def test_vectors_of_any_strides_are_turned_as_their_copy_and_left_alone(
    shape, dtype, layout, fresh, monkeypatch
):
    whole, t = normal(0, *shape).astype(dtype), np.arange(5)[:, None]
    whole.flags.writeable = False
    for x in (
        whole[::-1, :, ::2, 3:13],
        whole[..., ::-1],
        whole.transpose(2, 1, 0, 3),
        np.asfortranarray(whole),
        np.broadcast_to(whole[:1], whole.shape),
    ):
        expected = rotate(x.copy(), t, 1e4, layout)
        with monkeypatch.context() as patch:
            patch.setattr(rotary, "_FRESH", fresh)
            turned = rotate(x, t, layout=layout)
            with pytest.raises(ValueError, match=r"^x: expected finite numbers"):
                rotate(np.where(x == x.max(), np.nan, x), t, layout=layout)
        assert_same(turned, expected)
        assert not np.shares_memory(turned, whole)


@each_layout
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_large_numbers_are_turned_unless_the_turned_ones_overflow(dtype, layout):
    x, large = normal(0, 9, 8).astype(dtype), dtype({np.float32: 1e30, np.float64: 1e300}[dtype])
    scaled = rotate(x * large, np.arange(9), layout=layout) / large
    assert_same(scaled / 5, rotate(x, np.arange(9), layout=layout) / 5)
    with pytest.raises(ValueError, match=r"^x: expected .*got an overflow"):
        rotate(np.full((1, 2), np.finfo(dtype).max), 1, layout=layout)


# Keys that are made from a latent


@given(seeds)
def test_an_absorbed_query_scores_latents_whose_keys_do_not_turn(seed):
    rng, t = np.random.default_rng(seed), np.arange(12)
    latents, to_key, queries = (rng.normal(size=n) for n in ((12, 6), (6, 8), (12, 8)))
    keys, absorbed = latents @ to_key, queries @ to_key.T  # absorbed: as wide as a latent
    np.testing.assert_allclose(absorbed @ latents.T, queries @ keys.T, atol=1e-12)

    turned = rotate(queries, t) @ rotate(keys, t).T
    assert not np.allclose(rotate(absorbed, t) @ rotate(latents, t).T, turned)
    assert not np.allclose(absorbed @ latents.T, turned)
