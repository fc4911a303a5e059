"""More than one axis: what defines each encoding, beside its formula."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pecode import frequencies, rotate, sinusoidal
from pecode.axes import (
    axial_frequencies,
    grid_positions,
    grid_table,
    joined_positions,
    laplacian_vectors,
    mixed_frequencies,
    normalized_coordinates,
    periodic_frequencies,
    resize_table,
    rotate_points,
    section_frequencies,
    timestep_embedding,
)
from pecode.formulas import sinusoidal_points
from tests.pecode.draws import bases, layouts, normal, pairs, seeds

rotary_layouts = st.sampled_from(["interleaved", "half"])
shapes = st.lists(st.integers(1, 5), min_size=1, max_size=3).map(tuple)
n_axes = st.integers(1, 4)


# Grids


@given(shapes)
def test_a_grid_runs_through_its_places_with_the_last_axis_fastest(shape):
    assert grid_positions(shape).tolist() == [list(place) for place in np.ndindex(shape)]


@given(shapes)
def test_normalized_centers_are_symmetric_and_a_step_is_two_over_the_side(shape):
    coordinates = normalized_coordinates(shape).reshape(*shape, len(shape))
    np.testing.assert_allclose(coordinates, -coordinates[(slice(None, None, -1),) * len(shape)])
    for axis, side in enumerate(shape):
        steps = np.diff(coordinates[..., axis], axis=axis)
        np.testing.assert_allclose(steps, 2 / side)


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


@given(seeds, pairs, rotary_layouts)
def test_on_one_axis_it_is_the_rotation_of_a_line(seed, n, layout):
    x, t = normal(seed, 7, 2 * n), np.arange(7)
    omega = frequencies(2 * n)
    turned = rotate_points(x, t[:, None], omega[:, None], layout)
    np.testing.assert_allclose(turned, rotate(x, t, layout=layout), atol=1e-14)


@given(pairs, layouts)
def test_on_one_axis_it_is_the_sinusoid_of_a_line(n, layout):
    t = np.arange(7)
    encoding = sinusoidal_points(t[:, None], frequencies(2 * n)[:, None], layout)
    np.testing.assert_allclose(encoding, sinusoidal(t, 2 * n, layout=layout), atol=1e-14)


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


def test_an_axial_pair_listens_to_one_axis_and_its_ladder_is_that_of_its_width():
    omega = axial_frequencies((16, 56, 56), base=(256.0, 10000.0, 500.0))
    assert omega.shape == (64, 3)
    assert (np.count_nonzero(omega, axis=1) == 1).all()
    np.testing.assert_array_equal(omega[:8, 0], frequencies(16, 256.0))
    np.testing.assert_array_equal(omega[8:36, 1], frequencies(56))
    np.testing.assert_array_equal(omega[36:, 2], frequencies(56, 500.0))


def test_one_long_index_puts_a_neighbor_above_as_far_as_a_row_is_wide():
    rows, columns = 3, 5
    one_index = grid_positions((rows, columns)) @ np.array([[columns], [1]])
    assert one_index.ravel().tolist() == list(range(rows * columns))


@given(seeds, pairs, n_axes, st.floats(1.5, 1000))
def test_a_mixed_pair_has_its_own_direction_and_the_length_of_its_rung(seed, n, axes, base):
    omega = mixed_frequencies(n, axes, base, seed)
    lengths = np.linalg.norm(omega, axis=1)
    np.testing.assert_allclose(lengths, base ** (-np.arange(n) / n))
    given = mixed_frequencies(n, axes, base, directions=5e20 * omega)
    np.testing.assert_allclose(given, omega, rtol=1e-12)
    assert n == 1 or axes == 1 or not np.allclose(omega, mixed_frequencies(n, axes, base, seed + 1))


def test_axial_scores_are_the_same_for_a_diagonal_and_its_mirror_image_and_mixed_ones_are_not():
    here, mirrored = sinusoidal_points([[2, 3], [2, -3]], axial_frequencies((8, 8)))
    origin = sinusoidal_points([0, 0], axial_frequencies((8, 8)))
    np.testing.assert_allclose(here @ origin, mirrored @ origin)
    here, mirrored, origin = sinusoidal_points([[2, 3], [2, -3], [0, 0]], mixed_frequencies(8))
    assert abs(here @ origin - mirrored @ origin) > 0.1


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


def test_sections_take_turns_from_the_fastest_pair_on_and_the_first_axis_has_the_rest():
    axis_of = np.argmax(section_frequencies(128, (24, 20, 20), interleaved=True), axis=1)
    assert axis_of.tolist() == [0, 1, 2] * 20 + [0] * 4
    assert np.argmax(section_frequencies(128, (16, 24, 24)), axis=1).tolist() == (
        [0] * 16 + [1] * 24 + [2] * 24
    )


# A circle


@given(st.floats(0.01, 1000), st.integers(1, 8), st.floats(0, 1), st.integers(-5, 5))
def test_a_periodic_encoding_has_no_seam(period, n, share, turns):
    omega = periodic_frequencies(n, period)
    heading = share * period
    here, there = sinusoidal_points([[heading], [heading + turns * period]], omega[:, None])
    np.testing.assert_allclose(here, there, atol=1e-11)


def test_a_ladder_of_another_base_has_a_seam_at_a_whole_turn():
    ladder, closed = frequencies(8)[:, None], periodic_frequencies(4)[:, None]
    ends = np.array([[0.0], [math.tau]])
    (a, b), (c, d) = (sinusoidal_points(ends, omega) for omega in (ladder, closed))
    assert np.abs(a - b).max() > 0.3
    np.testing.assert_allclose(c, d, atol=1e-14)


# Words and pictures

parts = st.lists(st.integers(1, 9) | st.tuples(*[st.integers(1, 4)] * 3), min_size=1, max_size=5)


@given(parts)
def test_every_part_begins_after_all_that_came_before_it_and_no_place_is_taken_twice(sequence):
    places = joined_positions(sequence)
    sizes = [part if isinstance(part, int) else math.prod(part) for part in sequence]
    blocks = np.split(places, np.cumsum(sizes)[:-1])
    for before, after in itertools.pairwise(blocks):
        assert after.min() == before.max() + 1
    assert len({tuple(place) for place in places}) == sum(sizes)


def test_text_alone_counts_on_all_axes_and_a_picture_uses_up_its_longest_side():
    assert joined_positions([4], n_axes=2).tolist() == [[0, 0], [1, 1], [2, 2], [3, 3]]
    sequence = joined_positions([10, (1, 24, 32), 5])
    assert len(sequence) == 10 + 768 + 5
    assert sequence[-5].tolist() == [42, 42, 42]


# Tables


@pytest.mark.parametrize("style", ["timm", "mae", "blocks", "detr"])
@given(shapes, st.integers(1, 3), bases)
def test_a_grid_table_has_the_sines_and_cosines_of_each_axis_in_its_order(style, shape, n, base):
    axes, width = len(shape), 2 * n
    table = grid_table(shape, width * axes, base, style)
    lines = [
        sinusoidal(coordinate + (style == "detr"), width, base, layout)
        for coordinate in grid_positions(shape).T
        for layout in ["interleaved" if style == "detr" else "concatenated"]
    ]
    if style == "mae":
        lines = lines[::-1]
    if style == "timm":
        lines = [line[:, :n] for line in lines] + [line[:, n:] for line in lines]
    np.testing.assert_allclose(table, np.hstack(lines), atol=1e-13)


@given(shapes, seeds, st.booleans())
def test_a_table_resized_to_its_own_shape_stays_as_it_is(shape, seed, align_corners):
    table = normal(seed, math.prod(shape), 3)
    np.testing.assert_allclose(resize_table(table, shape, shape, align_corners), table, atol=1e-14)


def test_between_centers_a_resized_table_is_linear_and_corners_move_where_they_are_aligned():
    table = grid_positions((4, 4)).astype(float)  # the row of a patch says where it is
    centers = resize_table(table, (4, 4), (8, 8)).reshape(8, 8, 2)
    np.testing.assert_allclose(centers[3, 2:6, 1], [0.75, 1.25, 1.75, 2.25])
    corners = resize_table(table, (4, 4), (8, 8), align_corners=True).reshape(8, 8, 2)
    np.testing.assert_allclose(corners[0, :, 1], np.linspace(0, 3, 8))
    off = corners[0, :, 1] - ((np.arange(8) + 0.5) / 2 - 0.5)  # from where the patch is
    np.testing.assert_allclose(off, np.linspace(0.25, -0.25, 8))


# Real numbers


def test_a_timestep_embedding_is_the_sinusoid_of_its_spacing():
    t = np.array([0, 1, 500, 999])
    for shift, spacing in [(0, "paper"), (1, "endpoint")]:
        expected = sinusoidal(t, 32, layout="concatenated", spacing=spacing)
        got = timestep_embedding(t, 32, downscale_freq_shift=shift)
        np.testing.assert_allclose(got, expected, atol=1e-12)
        flipped = timestep_embedding(t, 32, flip_sin_to_cos=True, downscale_freq_shift=shift)
        np.testing.assert_array_equal(flipped, np.roll(got, 16, axis=-1))


def test_a_time_between_0_and_1_moves_most_columns_hardly_at_all():
    begin, end = timestep_embedding([0.0, 1.0], 256)
    assert (np.abs(begin - end) < 0.1).mean() > 0.75
    begin, end = timestep_embedding([0.0, 1000.0], 256)
    assert (np.abs(begin - end) < 0.1).mean() < 0.25


def test_one_pair_of_a_time_has_frequency_1():
    np.testing.assert_allclose(timestep_embedding(2.0, 2), [math.sin(2), math.cos(2)])


# Graphs


def ring(n):
    return np.roll(np.eye(n), 1, axis=0) + np.roll(np.eye(n), -1, axis=0)


def test_the_waves_of_a_ring_are_sines_and_cosines_of_whole_turns():
    n = 12
    vectors = laplacian_vectors(ring(n), n - 1)
    for k in range(1, n // 2):
        waves = vectors[:, 2 * k - 2 : 2 * k]  # one frequency, any basis of its plane
        expected = sinusoidal(np.arange(n) * math.tau * k / n, 2) / math.sqrt(n / 2)
        np.testing.assert_allclose(waves @ waves.T, expected @ expected.T, atol=1e-12)


@given(seeds, st.integers(2, 9), st.data())
def test_nodes_that_are_renamed_keep_their_waves_up_to_signs(seed, n, data):
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.uniform(0.1, 1, (n, n)), 1)
    weights += weights.T
    order = rng.permutation(n)
    vectors = laplacian_vectors(weights, n - 1)
    renamed = laplacian_vectors(weights[np.ix_(order, order)], n - 1)
    gaps = np.abs((renamed * vectors[order]).sum(axis=0))
    np.testing.assert_allclose(gaps, 1, atol=1e-6)


def test_a_graph_of_two_parts_and_a_node_alone_has_waves_too():
    adjacency = np.zeros((5, 5))
    adjacency[0, 1] = adjacency[1, 0] = adjacency[2, 3] = adjacency[3, 2] = 1
    vectors = laplacian_vectors(adjacency, 4)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(4), atol=1e-12)
