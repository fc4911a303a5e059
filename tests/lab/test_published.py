"""The published model answers as where it was published, and takes other tables as they are."""

import math
from pathlib import Path

import numpy as np

from lab.published import REACTIONS, gelu, minilm_table, reaction_model

MODEL = reaction_model()
ASPIRIN = REACTIONS[0]


def test_the_answers_are_those_of_another_implementation():
    """AlbertForMaskedLM of transformers 4.57.6 with the weights as published, in float32."""
    with np.load(Path(__file__).with_name("reactions_answer.npz")) as stored:
        tokens, expected = stored["tokens"].astype(int), stored["logits"]
    got = MODEL.logits(tokens)[0, 5::6]
    np.testing.assert_allclose(got, expected, atol=0.05)  # of up to 23: the weights are rounded
    np.testing.assert_array_equal(got.argmax(axis=1), expected.argmax(axis=1))


def test_gelu_is_x_times_the_normal_distribution():
    x = np.linspace(-6, 6, 241)
    expected = [value * (1 + math.erf(value / math.sqrt(2))) / 2 for value in x]
    np.testing.assert_allclose(gelu(x.astype(np.float32)), expected, atol=2e-6)


def test_a_reaction_becomes_its_tokens_between_a_start_and_an_end():
    names = list(MODEL.vocabulary)
    spelled = [names[number] for number in MODEL.tokens("CC(=O)Cl.[Na+]>>Brc1ccccc1")]
    assert spelled == ["[CLS]", *"CC(=O)", "Cl", ".", "[Na+]", ">>", "Br", *"c1ccccc1", "[SEP]"]
    assert all("[UNK]" not in np.array(names)[MODEL.tokens(each)] for each in REACTIONS)


def test_every_token_is_asked_once_and_most_are_filled_in():
    right = MODEL.filled_in()
    assert right.shape == (sum(len(MODEL.tokens(each)) - 2 for each in REACTIONS),)
    assert right.mean() > 0.95
    assert MODEL.filled_in(reactions=(ASPIRIN,), every=1).mean() < 0.5  # all hidden at once


def test_a_table_of_equal_rows_sees_no_order():
    """Without a mask attention takes every order alike: the answers move with their tokens."""
    tokens = MODEL.tokens(ASPIRIN)
    order = np.random.default_rng(0).permutation(len(tokens))
    equal = np.tile(MODEL.table[7], (512, 1))
    plain, moved = MODEL.logits([tokens, tokens[order]], equal)
    np.testing.assert_allclose(plain[order], moved, atol=1e-3)
    assert np.abs(MODEL.logits([tokens])[0] - plain).max() > 1


def test_the_table_of_minilm_is_that_of_the_package():
    """Entries of four rows as published; each row is stored in 127ths of its largest entry."""
    rows, columns = [0, 0, 127, 127, 300, 300, 511, 511], [99, 81, 267, 359, 364, 265, 187, 285]
    expected = [1.8741, 0.2728, 0.1135, 0.0909, 0.0788, -0.0651, 0.1707, -0.1342]
    table = minilm_table()
    assert table.shape == (512, 384)
    off = np.abs(table[rows, columns] - expected)
    assert (off < 0.5 / 127 * np.abs(table[rows]).max(axis=1) + 1e-4).all()
