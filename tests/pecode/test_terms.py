"""What stands in formulas.py alone: the property that defines each of these terms."""

import inspect
import re
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pecode
from pecode import alibi_bias, formulas, relative_positions, rotate, sine_only, sinusoidal
from tests.pecode.draws import normal, pairs, positions, seeds

lengths = st.integers(2, 12)
HELPERS = {"join", "split", "attention"}  # compared through what uses them
MODEL = {"transformer", "layer"}  # compared with the trained one in tests/lab


def test_every_formula_without_a_checked_function_has_its_property_here():
    functions = {name for name, f in vars(formulas).items() if inspect.isfunction(f)}
    tested = set(re.findall(r"formulas\.(\w+)\(", inspect.getsource(sys.modules[__name__])))
    assert functions - set(pecode.__all__) - HELPERS - MODEL == tested


@given(st.integers(0, 10), st.integers(-(10**6), 10**6))
def test_a_continuous_bit_is_a_sine_of_twice_its_neighbors_wavelength(k, t):
    expected = sine_only(t, 1, frequencies=[np.pi / 2**k])[0]
    assert formulas.sine(t, 2.0 ** (k + 1)) == pytest.approx(expected, abs=1e-8)


def test_a_table_is_added_row_by_row_and_may_be_longer():
    words, table = np.ones((2, 3, 4)), sinusoidal(range(9), 4)
    np.testing.assert_array_equal(formulas.add(words, table), words + sinusoidal(range(3), 4))


@given(lengths, st.lists(st.floats(0.1, 2), min_size=1, max_size=4))
def test_kerple_with_the_power_1_is_alibi_and_with_logarithms_costs_less(length, slopes):
    slopes, ones = np.array(slopes), np.ones(len(slopes))
    line = formulas.kerple_bias(length, slopes, ones, kernel="power")
    np.testing.assert_allclose(line, alibi_bias(length, slopes), atol=1e-13)
    far = formulas.kerple_bias(length, slopes, 3 * ones)[:, -1, 0]
    np.testing.assert_allclose(far, -slopes * np.log(1 + 3 * (length - 1)))


def test_fire_sees_the_offset_below_its_threshold_and_shares_beyond():
    weights = [1.0, -2.0], [0.1, 0.9], np.array([[1.0, 0.3], [-1.0, 0.5]]), [0.0, 1.0]
    bias = formulas.fire_bias(80, *weights, threshold=50.0)
    for query in range(1, 50):
        np.testing.assert_allclose(bias[:, query, 1:query], bias[:, query - 1, : query - 1])
    assert np.abs(bias[:, 79, 1:79] - bias[:, 78, :78]).max() > 1e-4
    np.testing.assert_allclose(np.diff(bias[:, 50:, 0]), 0, atol=1e-12)  # the first key
    assert np.abs(bias[:, 10:50, 0] - bias[:, 50:51, 0]).min() > 1e-3


@given(seeds, lengths, pairs)
def test_transformer_xl_has_two_vectors_for_the_position_of_the_query(seed, length, d):
    query, key = normal(seed, 2, length, d)
    r, (u, v) = normal(seed + 1, 2 * length - 1, d), normal(seed + 2, 2, d)
    got = formulas.transformer_xl_scores(query, key, r, u, v)
    for t, s in np.ndindex(length, length):
        offset = r[length - 1 + s - t]
        expected = query[t] @ offset + u @ key[s] + v @ offset
        assert got[t, s] == pytest.approx(expected)


@given(st.integers(2, 200).map(lambda n: 2 * n), st.integers(2, 1000), positions)
def test_deberta_buckets_are_odd_exact_when_near_and_rise_to_the_last(n_buckets, more, far):
    options = n_buckets, n_buckets // 2 + more
    near = np.arange(-(n_buckets // 2), n_buckets // 2 + 1)
    np.testing.assert_array_equal(formulas.deberta_buckets(near, *options), near)
    line = formulas.deberta_buckets(np.arange(options[1]), *options)
    assert (np.diff(line) >= 0).all()
    assert line[-1] == n_buckets - 1
    there, back = formulas.deberta_buckets(np.array([far, -far]), *options)
    assert there == -back


@given(seeds, lengths, st.integers(1, 8), pairs)
def test_deberta_reads_both_tables_at_the_clipped_distance(seed, length, k, d):
    query, key = normal(seed, 2, length, d)
    asking, asked = normal(seed + 1, 2, 2 * k, d)
    got = formulas.disentangled_scores(query, key, asking, asked)
    for t, s in np.ndindex(length, length):
        row = min(max(t - s + k, 0), 2 * k - 1)
        assert got[t, s] == pytest.approx(query[t] @ asked[row] + key[s] @ asking[row])


@given(seeds, st.integers(0, 1000), st.integers(0, 3000), pairs)
def test_a_score_of_xpos_sees_the_offset_alone_and_fades_fast_pairs_first(seed, t, distance, n):
    query, key = normal(seed, 2, 2 * n)

    def score(t, s):
        grown = rotate(query, t) * np.repeat(formulas.xpos_decay(t, 2 * n), 2)
        return grown @ (rotate(key, s) / np.repeat(formulas.xpos_decay(s, 2 * n), 2))

    np.testing.assert_allclose(score(t + distance, t), score(distance, 0), atol=1e-8)
    fades = formulas.xpos_decay([0, 1, distance + 1], 2 * n)
    assert (np.diff(fades, axis=0) <= 0).all()
    assert (np.diff(fades[1]) > 0).all()
    assert formulas.xpos_decay(512, 128)[0] == pytest.approx(0.4 / 1.4)


def test_positions_of_cope_count_the_open_gates_from_the_key_to_the_query():
    text = "ab,cd,,e"
    scores = np.where([letter == "," for letter in text], 99.0, -99.0) * np.ones((8, 1))
    commas = formulas.contextual_positions(scores)
    assert commas[-1].round(9).tolist() == [3, 3, 3, 2, 2, 2, 1, 0]
    tokens = formulas.contextual_positions(np.full((8, 8), 99.0))
    np.testing.assert_array_equal(tokens, np.maximum(1 - relative_positions(8), 0))


@given(seeds, lengths, st.integers(1, 9))
def test_the_bias_of_cope_between_two_positions_is_the_mean_of_theirs(seed, n, rows):
    query, table = normal(seed, n, 3), normal(seed + 1, rows, 3)
    whole = np.random.default_rng(seed).integers(0, 2 * rows, (n, n))
    here, halfway, there = (formulas.contextual_bias(query, whole + x, table) for x in (0, 0.5, 1))
    expected = np.einsum("td,tsd->ts", query, table[np.minimum(whole, rows - 1)])
    np.testing.assert_allclose(here, expected, atol=1e-12)
    np.testing.assert_allclose(halfway, (here + there) / 2, atol=1e-12)


@given(seeds, st.integers(1, 4), pairs)
def test_the_product_of_two_points_is_a_sum_of_cosines_of_their_difference(seed, axes, n):
    omega, (p, q) = normal(seed, n, axes), 10 * normal(seed + 1, 2, axes)
    here, there = (formulas.sinusoidal_points(point, omega) for point in (p, q))
    np.testing.assert_allclose(here @ there, np.cos(omega @ (p - q)).sum(), atol=1e-11)
    features = formulas.fourier_features(p, omega)  # in turns, the cosines first
    expected = formulas.sinusoidal_points(p, 2 * np.pi * omega, "concatenated")
    np.testing.assert_allclose(features, np.roll(expected, n), atol=1e-11)
