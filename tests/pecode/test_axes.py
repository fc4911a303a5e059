"""More than one axis: types, heads, lengths and directions, beside the formulas."""

import numpy as np

from pecode.axes import (
    axial_frequencies,
    grid_positions,
    laplacian_vectors,
    rotate_points,
)
from tests.pecode.draws import normal


def test_float32_stays_float32_and_points_broadcast_over_heads():
    x = normal(0, 2, 3, 6, 8).astype(np.float32)  # (batch, heads, patches, d_head)
    omega, points = axial_frequencies((4, 4)), grid_positions((2, 3))
    turned = rotate_points(x, points, omega)
    assert turned.dtype == np.float32
    np.testing.assert_allclose(turned[1, 2, 4], rotate_points(x[1, 2, 4], (1, 1), omega), atol=1e-6)
    np.testing.assert_allclose(
        np.linalg.norm(turned, axis=-1), np.linalg.norm(x, axis=-1), rtol=1e-6
    )


def test_a_graph_of_two_parts_and_a_node_alone_has_waves_too():
    adjacency = np.zeros((5, 5))
    adjacency[0, 1] = adjacency[1, 0] = adjacency[2, 3] = adjacency[3, 2] = 1
    vectors = laplacian_vectors(adjacency, 4)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(4), atol=1e-12)
