"""The solutions of the exercises, and wrong answers that the checks must refuse."""

import numpy as np

from exercises.adding.checks import blocks, cosines
from pecode import sinusoidal


def with_positions(words, places):
    """Words (texts, length, d_model) times √d_model, plus their positions.

    places is the table (n, d_model): its first rows are added.
    """
    length, d_model = words.shape[1:]
    return words * np.sqrt(d_model) + places[:length]  # (texts, length, d_model)


def three_cosines(e, f, s, t):
    """Cosines of two words, of their positions s and t, and of the two sums."""
    d_model = len(e)
    two_i = np.arange(0, d_model, 2)  # the even columns: the factor 2 is in them

    def encoding(position):
        angles = position / 10000 ** (two_i / d_model)
        return np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()  # (d_model,)

    def cosine(u, v):
        return u @ v / np.linalg.norm(u) / np.linalg.norm(v)

    p, q = encoding(s), encoding(t)
    return cosine(e, f), cosine(p, q), cosine(e + p, f + q)


def untied_in_one(words, places, w_query, w_key, u_query, u_key):
    """Vectors x (length, n), matrices query and key (n, m), for untied scores."""

    def blocks(w, u):
        above = np.hstack([w, np.zeros((len(w), u.shape[1]))])
        below = np.hstack([np.zeros((len(u), w.shape[1])), u])
        return np.vstack([above, below])

    x = np.hstack([words, places])  # (length, n)
    return x, blocks(w_query, u_query), blocks(w_key, u_key)


# Wrong answers


def only_the_scale(words, places):
    return words * np.sqrt(words.shape[-1]) + places[: len(words), None]


def root_of_the_length(words, places):
    return words * np.sqrt(words.shape[1]) + places[: words.shape[1]]


def whole_table(words, places):
    return words * np.sqrt(words.shape[-1]) + places


def another_base(e, f, s, t):
    return cosines(e, f, *sinusoidal([s, t], len(e), base=1000.0))


def by_the_rule(e, f, s, t):
    words, positions, _ = cosines(e, f, *sinusoidal([s, t], len(e)))
    return words, positions, (2 * words + positions) / 3


def the_sum_only(e, f, s, t):
    return cosines(e, f, *sinusoidal([s, t], len(e)))[2]


def matrices_added(words, places, w_query, w_key, u_query, u_key):
    return words + places, w_query + u_query, w_key + u_key


def projected_before(words, places, w_query, w_key, u_query, u_key):
    x = np.hstack([words @ w_query, places @ u_query, words @ w_key, places @ u_key])
    n = w_query.shape[1] + u_query.shape[1]
    eye, zero = np.eye(n), np.zeros((n, n))
    return x, np.vstack([eye, zero]), np.vstack([zero, eye])


def projected_after(words, places, w_query, w_key, u_query, u_key):
    query = np.hstack([words @ w_query, places @ u_query])
    key = np.hstack([words @ w_key, places @ u_key])
    return np.eye(len(words)), query, key


def square_zeros(words, places, w_query, w_key, u_query, u_key):
    above, below = words.shape[1], places.shape[1]

    def blocks(w, u):
        return np.block([[w, np.zeros((above, above))], [np.zeros((below, below)), u]])

    return np.hstack([words, places]), blocks(w_query, u_query), blocks(w_key, u_key)


def transposed(words, places, w_query, w_key, u_query, u_key):
    return np.hstack([words, places]), blocks(w_query, u_query).T, blocks(w_key, u_key).T


def divided_by_the_root(words, places, w_query, w_key, u_query, u_key):
    query = blocks(w_query, u_query)
    return np.hstack([words, places]), query / np.sqrt(query.shape[1]), blocks(w_key, u_key)


def scores_and_nothing_else(words, places, w_query, w_key, u_query, u_key):
    return words @ w_query @ (words @ w_key).T + places @ u_query @ (places @ u_key).T


WRONG_ANSWERS = {  # of each exercise: the answer, and words that the check must say to it
    "with_positions": {
        only_the_scale: "(shown: text 1 minus text 0)",
        root_of_the_length: "√d_model times as long",
        whole_table: "take its first rows",
    },
    "three_cosines": {
        another_base: "base 10000",
        by_the_rule: "the third number",
        the_sum_only: "3 things",
    },
    "untied_in_one": {
        matrices_added: "no mixed terms",
        projected_before: "the weights come after it",
        projected_after: "before any text is seen",
        transposed: "one width",
        divided_by_the_root: "Nothing is divided here",
        square_zeros: "W and U share columns of your matrix (4)",
        scores_and_nothing_else: "3 things",
    },
}
