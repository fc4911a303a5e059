"""More than one axis: lengths and directions, beside the formulas."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import pecode
from tests.pecode.draws import pairs, seeds


@given(seeds, pairs, st.integers(1, 4), st.floats(1.5, 1000))
def test_a_mixed_pair_has_its_own_direction_and_the_length_of_its_rung(seed, n, axes, base):
    omega, seeded_with_0 = (pecode.mixed_frequencies(n, axes, base, each) for each in (seed, 0))
    np.testing.assert_array_equal(pecode.mixed_frequencies(n, axes, base), seeded_with_0)
    lengths = np.linalg.norm(omega, axis=1)
    np.testing.assert_allclose(lengths, base ** (-np.arange(n) / n))
    given = pecode.mixed_frequencies(n, axes, base, directions=5e20 * omega)
    np.testing.assert_allclose(given, omega, rtol=1e-12)
    other = pecode.mixed_frequencies(n, axes, base, seed + 1)
    assert n == 1 or axes == 1 or not np.allclose(omega, other)


def test_a_graph_of_two_parts_and_a_node_alone_has_waves_too():
    adjacency = np.zeros((5, 5))
    adjacency[0, 1] = adjacency[1, 0] = adjacency[2, 3] = adjacency[3, 2] = 1
    vectors = pecode.laplacian_vectors(adjacency, 4)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(4), atol=1e-12)
