"""Where other implementations leave ours: how far, and by which rule. From stored results."""

from fractions import Fraction

import numpy as np

from pecode import alibi_slopes, rotate
from pecode.relative import t5_buckets
from tests.conformance import case as cases


def result(group, start):
    """Stored numbers and arguments of the one case whose name is this, or starts so."""
    records = cases.stored(group)
    (name,) = [start] if start in records else filter(lambda n: n.startswith(start), records)
    record = records[name]
    return cases.values(record), record["arguments"]


def test_the_biases_of_bloom_and_mpt_differ_by_a_constant():
    bloom, arguments = result("biases", "BLOOM: the bias")
    mpt, _ = result("biases", "MPT: the bias")
    lifted = alibi_slopes(arguments["n_heads"]) * (arguments["length"] - 1)
    np.testing.assert_allclose(bloom - mpt, np.tile(lifted[:, None], arguments["length"]))


def test_falcon_gives_neighbors_beyond_256_keys_the_same_bias():
    (row,), _ = result("biases", "Falcon")
    assert (np.diff(row[:257]) > 0).all()
    assert row[256] == row[257]
    assert len(set(row[256:300].tolist())) < 25  # of 44 keys
    exact = 2.0**-8 * np.arange(300)
    assert np.abs(row - exact).max() == 2.0**-8  # one position


def test_a_distance_may_lie_on_the_border_of_two_buckets():
    # Border 16 of 24 is 24 · (81 / 24)**(16 / 24), and that is 54.
    assert Fraction(54, 24) ** 24 == Fraction(81, 24) ** 16
    assert t5_buckets([-53, -54], 48, 81, bidirectional=False).tolist() == [39, 40]


def test_the_turns_of_deepseek_leave_the_layout_of_the_checkpoint():
    theirs, arguments = result("rotations", "DeepSeek-V3")
    x = cases.sample(len(arguments["positions"]), arguments["d_head"])
    turned = rotate(x, arguments["positions"])
    # Scores are the same either way, for queries and keys move alike.
    np.testing.assert_allclose(theirs @ theirs.T, turned @ turned.T, atol=1e-4)
    assert np.abs(theirs - turned).max() > 0.1
