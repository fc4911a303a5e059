"""More than one axis: what defines each encoding, beside its formula."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pecode import rotate, sinusoidal
from pecode.axes import (
    axial_frequencies,
    grid_positions,
    joined_positions,
    laplacian_vectors,
    mixed_frequencies,
    periodic_frequencies,
    resize_table,
    rotate_points,
    section_frequencies,
    timestep_embedding,
)
from pecode.formulas import sinusoidal_points
from tests.pecode.draws import normal, pairs, seeds

rotary_layouts = st.sampled_from(["interleaved", "half"])
shapes = st.lists(st.integers(1, 5), min_size=1, max_size=3).map(tuple)
n_axes = st.integers(1, 4)


# What all encodings of points have in common


@given(seeds, n_axes, pairs, rotary_layouts)
def test_a_score_sees_the_difference_of_two_points_alone(seed, axes, n, layout):
    omega, (query, key), (p, q, shift) = (
        normal(seed, n, axes), normal(seed + 1, 2, 2 * n), 10 * normal(seed + 2, 3, axes),
    )  # fmt: skip

    def score(p, q):
        return rotate_points(query, p, omega, layout) @ rotate_points(key, q, omega, layout)

    np.testing.assert_allclose(score(p + shift, q + shift), score(p, q), atol=1e-11)
    np.testing.assert_allclose(
        score(p, q), query @ rotate_points(key, q - p, omega, layout), atol=1e-11
    )


def test_float32_stays_float32_and_points_broadcast_over_heads():
    x = normal(0, 2, 3, 6, 8).astype(np.float32)  # (batch, heads, patches, d_head)
    omega, points = axial_frequencies((4, 4)), grid_positions((2, 3))
    turned = rotate_points(x, points, omega)
    assert turned.dtype == np.float32
    np.testing.assert_allclose(turned[1, 2, 4], rotate_points(x[1, 2, 4], (1, 1), omega), atol=1e-6)
    np.testing.assert_allclose(
        np.linalg.norm(turned, axis=-1), np.linalg.norm(x, axis=-1), rtol=1e-6
    )


# Frequency vectors


@given(seeds, pairs, n_axes, st.floats(1.5, 1000))
def test_a_mixed_pair_has_its_own_direction_and_the_length_of_its_rung(seed, n, axes, base):
    omega = mixed_frequencies(n, axes, base, seed)
    lengths = np.linalg.norm(omega, axis=1)
    np.testing.assert_allclose(lengths, base ** (-np.arange(n) / n))
    given = mixed_frequencies(n, axes, base, directions=5e20 * omega)
    np.testing.assert_allclose(given, omega, rtol=1e-12)
    assert n == 1 or axes == 1 or not np.allclose(omega, mixed_frequencies(n, axes, base, seed + 1))


@pytest.mark.parametrize("interleaved", [False, True])
@given(seeds, st.integers(0, 4), st.integers(1, 6), st.integers(0, 3))
def test_text_in_sections_is_turned_like_text(interleaved, seed, rest, each, further_axes):
    sections = [each + rest, *[each] * further_axes]
    d, t = 2 * sum(sections), 1000
    omega = section_frequencies(d, sections, interleaved=interleaved)
    assert np.count_nonzero(omega, axis=0).tolist() == list(sections)
    x = normal(seed, d)
    text = rotate_points(x, np.full(len(sections), t), omega)
    np.testing.assert_allclose(text, rotate(x, t), atol=1e-12)


# A circle


@given(st.floats(0.01, 1000), st.integers(1, 8), st.floats(0, 1), st.integers(-5, 5))
def test_a_periodic_encoding_has_no_seam(period, n, share, turns):
    omega = periodic_frequencies(n, period)
    heading = share * period
    here, there = sinusoidal_points([[heading], [heading + turns * period]], omega[:, None])
    np.testing.assert_allclose(here, there, atol=1e-11)


# Words and pictures

parts = st.lists(st.integers(1, 9) | st.tuples(*[st.integers(1, 4)] * 3), min_size=1, max_size=5)


@given(parts)
def test_a_part_begins_after_all_before_it_and_no_place_is_taken_twice(sequence):
    places = joined_positions(sequence)
    sizes = [part if isinstance(part, int) else math.prod(part) for part in sequence]
    blocks = np.split(places, np.cumsum(sizes)[:-1])
    for before, after in itertools.pairwise(blocks):
        assert after.min() == before.max() + 1
    assert len({tuple(place) for place in places}) == sum(sizes)


# Tables, moments, graphs


def test_a_resized_table_is_linear_and_aligned_corners_move():
    table = grid_positions((4, 4)).astype(float)  # the row of a patch says where it is
    centers = resize_table(table, (4, 4), (8, 8)).reshape(8, 8, 2)
    np.testing.assert_allclose(centers[3, 2:6, 1], [0.75, 1.25, 1.75, 2.25])
    corners = resize_table(table, (4, 4), (8, 8), align_corners=True).reshape(8, 8, 2)
    np.testing.assert_allclose(corners[0, :, 1], np.linspace(0, 3, 8))
    off = corners[0, :, 1] - ((np.arange(8) + 0.5) / 2 - 0.5)  # from where the patch is
    np.testing.assert_allclose(off, np.linspace(0.25, -0.25, 8))


def test_a_timestep_embedding_is_the_sinusoid_of_its_spacing():
    t = np.array([0, 1, 500, 999])
    for shift, spacing in [(0, "paper"), (1, "endpoint")]:
        expected = sinusoidal(t, 32, layout="concatenated", spacing=spacing)
        got = timestep_embedding(t, 32, downscale_freq_shift=shift)
        np.testing.assert_allclose(got, expected, atol=1e-12)
        flipped = timestep_embedding(t, 32, flip_sin_to_cos=True, downscale_freq_shift=shift)
        np.testing.assert_array_equal(flipped, np.roll(got, 16, axis=-1))


def ring(n):
    return np.roll(np.eye(n), 1, axis=0) + np.roll(np.eye(n), -1, axis=0)


def test_the_waves_of_a_ring_are_sines_and_cosines_of_whole_turns():
    n = 12
    vectors = laplacian_vectors(ring(n), n - 1)
    for k in range(1, n // 2):
        waves = vectors[:, 2 * k - 2 : 2 * k]  # one frequency, any basis of its plane
        expected = sinusoidal(np.arange(n) * math.tau * k / n, 2) / math.sqrt(n / 2)
        np.testing.assert_allclose(waves @ waves.T, expected @ expected.T, atol=1e-12)


def test_a_graph_of_two_parts_and_a_node_alone_has_waves_too():
    adjacency = np.zeros((5, 5))
    adjacency[0, 1] = adjacency[1, 0] = adjacency[2, 3] = adjacency[3, 2] = 1
    vectors = laplacian_vectors(adjacency, 4)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(4), atol=1e-12)
