"""Where other implementations leave ours: how far, and by which rule. From stored results."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from pecode import (
    alibi_slopes,
    joined_positions,
    rotate,
    sinusoidal,
)
from pecode.relative import t5_buckets
from tests.conformance import case as cases


def result(group, start):
    """Stored numbers and arguments of the one case whose name is this, or starts so."""
    records = cases.stored(group)
    (name,) = [start] if start in records else filter(lambda n: n.startswith(start), records)
    record = records[name]
    return cases.values(record), record["arguments"]


def true_table(positions, d_model):
    """The formula of the paper with 50 digits, then rounded once."""
    with mpmath.workdps(50):
        angles = [
            [t * mpmath.mpf(10000) ** (-mpmath.mpf(2 * i) / d_model) for i in range(d_model // 2)]
            for t in positions
        ]
        pairs = [[f(x) for x in row for f in (mpmath.sin, mpmath.cos)] for row in angles]
    return np.array(pairs, dtype=np.float64)


@pytest.mark.parametrize("name", ["the usual PyTorch lines", "diffusers sequences", "Keras: "])
def test_where_a_float32_table_and_ours_differ_the_true_value_is_ours(name):
    theirs, arguments = result("tables", name)
    true = true_table(**arguments)
    assert np.abs(sinusoidal(**arguments) - true).max() < 1e-15
    far = np.abs(theirs - true)[-1].max()  # position 4999
    assert 1e-6 < far < 1e-3


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


def test_in_transformers_5_words_after_a_film_stand_at_times_of_its_frames():
    theirs, arguments = result("axes", "Qwen2-VL in transformers 5")
    before, (frames, *sides), after = arguments["parts"]
    assert frames > max(sides)
    words, last_frame = theirs[-after:, 0], theirs[-after - 1, 0]
    assert words.tolist() == [before + max(sides) + k for k in range(after)]
    assert words[0] <= last_frame  # a word that comes later, at a time that was earlier or the same
    ours = joined_positions(arguments["parts"])
    assert ours[-after, 0] == ours[:-after, 0].max() + 1
    np.testing.assert_array_equal(theirs[:-after], ours[:-after])
