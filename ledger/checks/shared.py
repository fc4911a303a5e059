"""What several sources make the checks ask: a shuffled text, the nearest of many positions."""

import numpy as np

from pecode import fit_translation, self_attention, similarity, sinusoidal

ORDER = np.array([3, 0, 6, 1, 5, 2, 4])  # a shuffle of seven words


def words_and_matrices(length=7, d_model=16):
    """Random words, shape (length, d_model), and random query, key and value matrices."""
    rng = np.random.default_rng(0)
    matrices = rng.normal(scale=d_model**-0.5, size=(3, d_model, d_model))
    return rng.normal(size=(length, d_model)), matrices


def before_and_after(order, mask=None, table=0.0):
    """The outputs of a text and of the same words in another order, with a table added to both."""
    x, matrices = words_and_matrices(len(order))
    return [self_attention(rows + table, *matrices, mask=mask) for rows in (x, x[order])]


def outputs_follow_in_a_shuffle(mask=None, table=0.0):
    """Whether the outputs of shuffled words are the old ones, shuffled."""
    before, after = before_and_after(ORDER, mask, table)
    return np.allclose(after, before[ORDER])


def outputs_keep_in_a_shuffle(mask=None):
    """Whether every place keeps its output when the words are shuffled."""
    return np.allclose(*before_and_after(ORDER, mask))


def average_keeps_in_a_shuffle(mask=None):
    """Whether the average of the outputs stays when the words are shuffled."""
    return np.allclose(*(rows.mean(axis=0) for rows in before_and_after(ORDER, mask)))


def same_mean_in_both_orders(mask=None, table=0.0):
    """Whether three words and their reversal have one mean output, also with a table added."""
    pair = before_and_after(np.array([2, 1, 0]), mask, table)
    return np.allclose(*(rows.mean(axis=0) for rows in pair))


def one_word_at_two_places(first, second, length, mask=None, table=0.0):
    """Whether a word that stands at two places has one output there."""
    x, matrices = words_and_matrices(length)
    x[second] = x[first]
    outputs = self_attention(x + table, *matrices, mask=mask)
    return np.allclose(outputs[first], outputs[second])


def recurrent_state_knows_the_order():
    """Whether a network that reads word by word ends in another state after a shuffle."""
    x, (w_state, w_input, _) = words_and_matrices()
    ends = []
    for words in (x, x[ORDER]):
        state = np.zeros(16)
        for word in words:
            state = np.tanh(state @ w_state + word @ w_input)
        ends.append(state)
    return not np.allclose(*ends, atol=1e-2)


def closest_of_offsets(d, base=10000.0, largest=100_000):
    """Smallest distance between two positions up to `largest` apart, and their offset."""
    offsets = np.arange(1, largest + 1)
    distance = np.sqrt(np.maximum(d - 2 * similarity(offsets, d, base=base), 0))
    return [distance.min(), offsets[distance.argmin()]]


def shift_carries_over(d_model, offset=4):
    """Whether a matrix fitted on 96 positions moves those from 128 to 1023 to within 1%."""
    table = sinusoidal(range(1024), d_model)
    matrix, _ = fit_translation(table[:96], offset)
    error = table[128 + offset :] - table[128:-offset] @ matrix.T
    return bool(np.linalg.norm(error) < 0.01 * np.linalg.norm(table[128 + offset :]))
