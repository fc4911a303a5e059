"""Where other implementations leave ours: how far, and by which rule. From stored results."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from pecode import (
    alibi_bias,
    alibi_slopes,
    frequencies,
    grid_table,
    joined_positions,
    rotate,
    sinusoidal,
)
from pecode.relative import t5_buckets
from pecode.scaling import dynamic_ntk
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


def test_the_error_of_a_float32_table_grows_with_the_position():
    theirs, arguments = result("tables", "diffusers sequences")
    error = np.abs(theirs - true_table(**arguments)).max(axis=-1)
    near, far = error[0:3].max(), error[-1]
    assert far > 50 * near


def test_an_odd_width_has_three_meanings():
    marian, arguments = result("tables", "Marian at an odd width")
    positions = arguments["positions"]
    keras, _ = result("tables", "Keras at an odd width")
    wider, _ = result("tables", "positional-encodings at an odd width")
    padded, _ = result("tables", "diffusers timesteps at an odd width")
    concatenated = sinusoidal(positions, 7, layout="concatenated")
    interleaved = sinusoidal(positions, 7)
    # The paper's frequencies for seven columns: ours, Marian's, Keras's.
    np.testing.assert_allclose(marian, concatenated, atol=1e-7)
    np.testing.assert_allclose(keras, interleaved, atol=1e-3)
    # The frequencies of eight columns, or of six: at position 31 a column is off by more than 0.1.
    assert np.abs(wider - interleaved)[4].max() > 0.1
    assert np.abs(padded - concatenated)[4].max() > 0.1
    assert not padded[:, -1].any()


def test_fairseq_style_tables_are_ours_moved_by_two_positions():
    theirs, arguments = result("tables", "FSMT")
    endpoint = {"d_model": arguments["d_model"], "spacing": "endpoint"}
    ours = sinusoidal(arguments["positions"], layout="concatenated", **endpoint)
    assert np.abs(theirs - ours)[:4].max() > 0.5
    moved = sinusoidal(np.array(arguments["positions"]) + 2, layout="concatenated", **endpoint)
    np.testing.assert_allclose(theirs, moved, atol=1e-3)


@pytest.mark.parametrize("model", ["BLOOM", "MPT"])
def test_bloom_and_mpt_have_our_slopes_for_every_number_of_heads(model):
    theirs, arguments = result("biases", f"{model}: the slopes")
    assert any(n_heads & (n_heads - 1) for n_heads in arguments["heads"])  # no powers of two
    ours = np.concatenate([alibi_slopes(n_heads) for n_heads in arguments["heads"]])
    np.testing.assert_allclose(theirs, ours, rtol=1e-6)


def test_the_biases_of_bloom_and_mpt_differ_by_a_constant():
    bloom, arguments = result("biases", "BLOOM: the bias")
    mpt, _ = result("biases", "MPT: the bias")
    lifted = alibi_slopes(arguments["n_heads"]) * (arguments["length"] - 1)
    np.testing.assert_allclose(bloom - mpt, np.tile(lifted[:, None], arguments["length"]))


def test_rows_of_the_bias_differ_by_a_constant_until_the_query():
    bloom, arguments = result("biases", "BLOOM: the bias")
    bias = alibi_bias(arguments["length"], alibi_slopes(arguments["n_heads"]))
    for query in range(arguments["length"]):
        seen = slice(0, query + 1)  # what a causal mask shows
        difference = bloom[:, seen] - bias[:, query, seen]
        np.testing.assert_allclose(difference, difference[:, :1].repeat(query + 1, axis=1))


def test_falcon_gives_neighbors_beyond_256_keys_the_same_bias():
    (row,), _ = result("biases", "Falcon")
    assert (np.diff(row[:257]) > 0).all()
    assert row[256] == row[257]
    assert len(set(row[256:300].tolist())) < 25  # of 44 keys
    exact = 2.0**-8 * np.arange(300)
    assert np.abs(row - exact).max() == 2.0**-8  # one position


BORDER = {"n_buckets": 48, "max_distance": 81, "bidirectional": False}


def test_a_distance_may_lie_on_the_border_of_two_buckets():
    # Border 16 of 24 is 24 · (81 / 24)**(16 / 24), and that is 54.
    assert Fraction(54, 24) ** 24 == Fraction(81, 24) ** 16
    assert t5_buckets([-53, -54], **BORDER).tolist() == [39, 40]


def test_only_on_the_border_of_two_buckets_may_float32_decide_otherwise():
    cases.needs("transformers")
    offsets = -np.arange(1000)
    attention = cases.load("transformers.models.t5.modeling_t5").T5Attention
    theirs = attention._relative_position_bucket(
        cases.load("torch").tensor(offsets), BORDER["bidirectional"], 48, 81
    )
    assert set(np.flatnonzero(theirs.numpy() != t5_buckets(offsets, **BORDER))) <= {54}


def test_what_keras_calls_dynamic_slows_down_the_fastest_pair_too():
    keras, arguments = result("scalings", "dynamic: Keras")
    d_head, factor = arguments["d_head"], arguments["factor"]
    slowed = keras / frequencies(d_head, arguments["base"])
    np.testing.assert_allclose(slowed, factor ** -(d_head / (d_head - 2)), rtol=1e-6)
    ours = dynamic_ntk(d_head, length=4 * 4096, original_length=4096)
    llama, _ = result("scalings", "dynamic: Llama 2 at length 10000")
    assert ours[0] == llama[0] == 1


def test_deepseek_with_equal_weights_has_no_temperature_and_qwen_has_one():
    assert result("scalings", "yarn: DeepSeek-V3")[0][-1] == 1
    assert result("scalings", "yarn: Qwen2.5")[0][-1] > 1.1


def test_dynamic_scaling_changes_nothing_up_to_the_trained_length():
    for length in (1000, 4096):
        omega = result("scalings", f"dynamic: Llama 2 at length {length}")[0][:-1]
        np.testing.assert_allclose(omega, frequencies(128), rtol=1e-6)
    omega = result("scalings", "dynamic: Llama 2 at length 4097")[0][:-1]
    assert omega[-1] < frequencies(128)[-1] * (1 - 1e-4)


def test_positions_in_bfloat16_turn_257_like_256():
    theirs, arguments = result("rotations", "rotary-embedding-torch with bfloat16 queries")
    positions = arguments["positions"]
    rows = theirs[[positions.index(t) for t in (255, 256, 257)]]
    x = cases.sample(len(positions), arguments["d_head"])
    x = x[[positions.index(t) for t in (255, 256, 257)]]
    right, wrong = rotate(x, [255, 256, 257]), rotate(x, [255, 256, 256])
    np.testing.assert_allclose(rows, wrong, atol=0.01)
    assert np.abs(rows - right).max() > 0.1


def test_frequencies_in_bfloat16_have_lost_the_far_positions():
    theirs, arguments = result("rotations", "Llama after .to(bfloat16)")
    x = cases.sample(len(arguments["positions"]), arguments["d_head"])
    right = rotate(x, arguments["positions"], arguments["base"], layout="half")
    error = np.abs(theirs - right).max(axis=-1)
    assert error[0] == 0  # position 0 is not turned
    assert error[-1] > 0.1  # position 4999 is turned by another angle


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


def test_transformers_puts_rows_first_where_mae_and_diffusers_put_columns():
    theirs, arguments = result("tables", "ViT-MAE")
    shape = arguments["height"], arguments["width"]
    table = grid_table(shape, arguments["d_model"], style="blocks")
    np.testing.assert_allclose(theirs, table, atol=1e-6)
    assert np.abs(theirs - grid_table(shape, arguments["d_model"], style="mae")).max() > 0.5
    diffusers, arguments = result("axes", "diffusers: the columns first")
    table = grid_table(arguments["shape"], arguments["d_model"], style="mae")
    np.testing.assert_allclose(diffusers, table, atol=1e-6)
