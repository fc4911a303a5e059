"""Words and positions in one vector."""

import numpy as np


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
