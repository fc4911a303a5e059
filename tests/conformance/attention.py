"""Attention of PyTorch, whose masks mean what ours mean: True where a query may look."""

import math

import numpy as np

from pecode import alibi_bias, alibi_slopes, causal_mask, rotate, self_attention
from tests.conformance.case import Case, load, sample

WIDTH = 4
FEW, MANY = {"length": 6}, {"length": 200}


def inputs(length):
    """Words and three matrices, float64: PyTorch computes in it too."""
    numbers = sample(length + 3 * WIDTH, WIDTH).astype(np.float64)
    return numbers[:length], *numbers[length:].reshape(3, WIDTH, WIDTH)


def bias(length):
    return alibi_bias(length, alibi_slopes(1))[0]


def torch_attention(extra):
    def theirs(length):
        torch = load("torch")
        x, *matrices = inputs(length)
        query, key, value = (torch.tensor(x @ matrix)[None] for matrix in matrices)
        return torch.nn.functional.scaled_dot_product_attention(
            query, key, value, **extra(torch, length)
        )[0].numpy()

    return theirs


def tolerance(length):
    return 1e-13


def torch_rotary(length):
    """Queries and keys as PyTorch users turn them: halves that change places."""
    torch = load("torch")
    x, *matrices = inputs(length)
    query, key, value = (torch.tensor(x @ matrix)[None] for matrix in matrices)
    frequencies = 10000.0 ** (-torch.arange(0, WIDTH, 2, dtype=torch.float64) / WIDTH)
    angles = torch.outer(torch.arange(length, dtype=torch.float64), frequencies).repeat(1, 2)

    def turned(rows):
        front, back = rows.chunk(2, dim=-1)
        return rows * angles.cos() + torch.cat((-back, front), dim=-1) * angles.sin()

    return torch.nn.functional.scaled_dot_product_attention(
        turned(query), turned(key), value, is_causal=True
    )[0].numpy()


def our_rotary(length):
    """The scores of turned queries and keys, handed over as a bias on scores of zero."""
    x, w_query, w_key, w_value = inputs(length)
    query, key = (rotate(x @ w, range(length), layout="half") for w in (w_query, w_key))
    none = np.zeros((WIDTH, WIDTH))
    scores = query @ key.T / math.sqrt(WIDTH)
    return self_attention(x, none, none, w_value, mask=causal_mask(length), bias=scores)


_FUNCTION = "torch.nn.functional.scaled_dot_product_attention"

CASES = [
    Case("attention: every query sees every key", _FUNCTION,
         torch_attention(lambda torch, length: {}),
         lambda length: self_attention(*inputs(length)), FEW, MANY, tolerance),
    Case("attention: is_causal=True", _FUNCTION,
         torch_attention(lambda torch, length: {"is_causal": True}),
         lambda length: self_attention(*inputs(length), mask=causal_mask(length)), FEW, MANY,
         tolerance),
    Case("attention: a bool attn_mask", _FUNCTION,
         torch_attention(lambda torch, length: {"attn_mask": torch.tensor(causal_mask(length))}),
         lambda length: self_attention(*inputs(length), mask=causal_mask(length)), FEW, MANY,
         tolerance),
    Case("attention: the bias of ALiBi as attn_mask", _FUNCTION,
         torch_attention(lambda torch, length: {"attn_mask": torch.tensor(bias(length).copy())}),
         lambda length: self_attention(*inputs(length), bias=bias(length)), FEW, MANY, tolerance),
    Case("attention: turned queries and keys", _FUNCTION, torch_rotary, our_rotary, FEW, MANY,
         tolerance),
]  # fmt: skip
