"""Further terms of the score: what defines each of them, beside its formula."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pecode
from pecode import alibi_bias, frequencies, relative_key_scores, relative_positions, rotate
from tests.pecode.draws import normal, pairs, positions, seeds

lengths = st.integers(2, 12)


# KERPLE and FIRE


@given(lengths, st.lists(st.floats(0.1, 2), min_size=1, max_size=4))
def test_the_power_kernel_of_one_is_alibi(length, slopes):
    ones = np.ones(len(slopes))
    kerple = pecode.kerple_bias(length, slopes, ones, kernel="power")
    np.testing.assert_allclose(kerple, alibi_bias(length, slopes), atol=1e-13)


def test_the_logarithmic_kernel_charges_far_steps_less_and_never_stops():
    costs = -pecode.kerple_bias(4096, [1.0], [1.0])[0, -1, ::-1]  # by distance
    steps = np.diff(costs)
    assert (np.diff(steps) < 0).all()
    assert (steps > 0).all()
    assert costs[-1] == pytest.approx(math.log(4096))
    faster = pecode.kerple_bias(4096, [2.0], [3.0])[0, -1, 0]
    assert faster == pytest.approx(-2 * math.log(1 + 3 * 4095))


FIRE = {"w_in": [1.0, -2.0], "b_in": [0.1, 0.9], "w_out": [[1.0, 0.3], [-1.0, 0.5]]}


def fire(length, **options):
    return pecode.fire_bias(length, **FIRE, b_out=[0.0, 1.0], **options)


def test_the_first_key_of_fire_is_equally_far_from_every_query_beyond_the_threshold():
    bias = fire(200, threshold=50.0)
    np.testing.assert_allclose(bias[:, 50:, 0], bias[:, 50:51, 0] + np.zeros(150))
    assert np.abs(bias[:, 10:50, 0] - bias[:, 50:51, 0]).min() > 1e-3


def test_below_the_threshold_fire_sees_the_offset_alone_and_beyond_it_not():
    bias = fire(80, threshold=50.0)
    for query in range(1, 50):
        np.testing.assert_allclose(bias[:, query, 1:query], bias[:, query - 1, : query - 1])
    assert np.abs(bias[:, 79, 1:79] - bias[:, 78, :78]).max() > 1e-4


# Transformer-XL and DeBERTa


@given(seeds, lengths, pairs)
def test_transformer_xl_is_the_product_of_sums_with_two_vectors_for_the_query(seed, length, d):
    words, keys = normal(seed, length, d), normal(seed + 1, length, d)
    r, (u, v) = normal(seed + 2, 2 * length - 1, d), normal(seed + 3, 2, d)
    got = words @ keys.T + pecode.transformer_xl_scores(words, keys, r, u, v)
    for t in range(length):
        for s in range(length):
            offset = r[length - 1 + s - t]
            expected = words[t] @ keys[s] + words[t] @ offset + u @ keys[s] + v @ offset
            assert got[t, s] == pytest.approx(expected)


@given(seeds, lengths, pairs)
def test_transformer_xl_without_its_two_vectors_is_shaw(seed, length, d):
    queries, keys = normal(seed, 2, length, d)
    r, none = normal(seed + 1, 7, d), np.zeros(d)
    got = pecode.transformer_xl_scores(queries, keys, r, none, none)
    np.testing.assert_allclose(got, relative_key_scores(queries, r))


@given(seeds, lengths, st.integers(1, 8), pairs)
def test_deberta_reads_both_tables_at_the_clipped_distance(seed, length, k, d):
    queries, keys = normal(seed, 2, length, d)
    asked, asking = normal(seed + 1, 2, 2 * k, d)
    got = pecode.disentangled_scores(queries, keys, asking, asked)
    for t in range(length):
        for s in range(length):
            row = min(max(t - s + k, 0), 2 * k - 1)
            expected = queries[t] @ asked[row] + keys[s] @ asking[row]
            assert got[t, s] == pytest.approx(expected)


def test_deberta_takes_offsets_in_buckets():
    length, k = 40, 8
    queries, keys, asking, asked = (normal(seed, n, 4) for seed, n in enumerate((40, 40, 16, 16)))
    buckets = pecode.deberta_buckets(relative_positions(length), 8, 16)
    got = pecode.disentangled_scores(queries, keys, asking, asked, buckets)
    np.testing.assert_array_equal(
        pecode.disentangled_scores(queries, keys, asking, asked, relative_positions(length))[
            :5, :5
        ],
        got[:5, :5],
    )
    assert got[30, 2] == pytest.approx(queries[30] @ asked[k + 8 - 1] + keys[2] @ asking[k + 8 - 1])


@given(st.integers(2, 200).map(lambda n: 2 * n), st.integers(2, 1000), positions)
def test_deberta_buckets_are_odd_exact_when_near_and_rise(n_buckets, more, far):
    max_distance = n_buckets // 2 + more
    near = np.arange(-(n_buckets // 2), n_buckets // 2 + 1)
    np.testing.assert_array_equal(pecode.deberta_buckets(near, n_buckets, max_distance), near)
    line = pecode.deberta_buckets(np.arange(2 * max_distance), n_buckets, max_distance)
    assert line[n_buckets // 2 + 1] > n_buckets // 2  # the first far distance opens a bucket
    assert (np.diff(line) >= 0).all()
    assert line[max_distance - 1] == n_buckets - 1
    there = pecode.deberta_buckets([far, -far], n_buckets, max_distance)
    assert there[0] == -there[1]


# xPos


@given(seeds, st.integers(0, 1000), st.integers(0, 3000), pairs)
def test_the_score_of_xpos_sees_the_offset_alone_and_fades(seed, t, distance, n):
    query, key = normal(seed, 2, 2 * n)

    def score(t, s):
        grown = rotate(query, t) * np.repeat(pecode.xpos_decay(t, 2 * n), 2)
        return grown @ (rotate(key, s) / np.repeat(pecode.xpos_decay(s, 2 * n), 2))

    np.testing.assert_allclose(score(t + distance, t), score(distance, 0), atol=1e-8)
    fades = pecode.xpos_decay([0, 1, distance + 1], 2 * n)
    assert (np.diff(fades, axis=0) <= 0).all()
    assert (np.diff(fades[1]) > 0).all()  # fast pairs first


def test_over_its_scale_the_fastest_pair_of_xpos_keeps_two_sevenths_and_the_slowest_nearly_all():
    decay = pecode.xpos_decay(512, 128)
    assert decay[0] == pytest.approx(0.4 / 1.4)
    assert decay[-1] == pytest.approx((126 / 128 + 0.4) / 1.4)


# CoPE


@given(seeds, lengths)
def test_gates_that_are_all_open_count_tokens_and_closed_ones_nothing(seed, length):
    opened = pecode.contextual_positions(np.full((length, length), 800.0))
    np.testing.assert_array_equal(opened, np.maximum(1 - relative_positions(length), 0))
    closed = pecode.contextual_positions(np.full((length, length), -800.0))
    np.testing.assert_array_equal(closed, 0)


def test_gates_at_commas_count_commas():
    text = "ab,cd,,e"
    scores = np.where([letter == "," for letter in text], 99.0, -99.0) * np.ones((8, 1))
    last = pecode.contextual_positions(scores)[-1].round(9).tolist()
    assert last == [3, 3, 3, 2, 2, 2, 1, 0]


def test_scores_after_the_query_change_nothing():
    scores = normal(0, 6, 6)
    changed = np.where(relative_positions(6) > 0, 7.0, scores)
    np.testing.assert_array_equal(
        pecode.contextual_positions(scores), pecode.contextual_positions(changed)
    )


@given(seeds, lengths, st.integers(1, 9))
def test_at_whole_positions_the_bias_is_that_of_the_row_and_half_way_it_is_the_mean(seed, n, rows):
    queries, table = normal(seed, n, 3), normal(seed + 1, rows, 3)
    whole = np.random.default_rng(seed).integers(0, 2 * rows, (n, n)).astype(float)
    expected = np.einsum("td,tsd->ts", queries, table[np.minimum(whole, rows - 1).astype(int)])
    got = pecode.contextual_bias(queries, whole, table)
    np.testing.assert_allclose(got, expected, atol=1e-12)
    halfway = pecode.contextual_bias(queries, whole + 0.5, table)
    next_one = pecode.contextual_bias(queries, whole + 1, table)
    np.testing.assert_allclose(halfway, (got + next_one) / 2, atol=1e-12)


# Partial rotary and YaRN


@given(seeds, pairs, st.sampled_from(["interleaved", "half"]))
def test_a_part_turns_on_its_own_ladder_and_the_rest_is_left(seed, n, layout):
    x, t = normal(seed, 5, 8 * n), np.arange(5) * 7
    turned = pecode.rotate_part(x, t, 0.25, layout=layout)
    np.testing.assert_array_equal(turned[:, 2 * n :], x[:, 2 * n :])
    np.testing.assert_array_equal(turned[:, : 2 * n], rotate(x[:, : 2 * n], t, layout=layout))
    np.testing.assert_array_equal(
        pecode.rotate_part(x, t, 1.0, layout=layout), rotate(x, t, layout=layout)
    )


def test_the_slowest_pair_of_gemma_4_is_fast_where_that_of_a_part_is_slow():
    whole = pecode.proportional(512, 0.25, 1e6)
    part = frequencies(128, 1e6)
    assert np.count_nonzero(whole) == len(part)
    assert math.tau / whole[whole > 0].min() == pytest.approx(188.3, abs=0.1)
    assert math.tau / part.min() == pytest.approx(5.06e6, rel=1e-3)


def test_the_two_scales_of_yarn_make_one_temperature_where_columns_turn():
    for mscale, mscale_all_dim in [(1, 0), (1, 1), (0.7, 0.3)]:
        of_columns, of_scores = pecode.yarn_scales(40, mscale, mscale_all_dim)
        of_turned = of_columns**2 * of_scores  # a query and a key, and the score
        assert of_turned == pytest.approx(pecode.yarn_temperature(40, mscale) ** 2)
        assert of_scores == pytest.approx(pecode.yarn_temperature(40, mscale_all_dim) ** 2)
