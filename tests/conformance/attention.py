"""Attention of PyTorch, whose masks mean what ours mean: True where a query may look."""

import numpy as np

from pecode import alibi_bias, alibi_slopes, causal_mask, self_attention
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


_FUNCTION = "torch.nn.functional.scaled_dot_product_attention"

CASES = [
    Case("attention: every query sees every key", _FUNCTION,
         torch_attention(lambda torch, length: {}),
         lambda length: self_attention(*inputs(length)), FEW, MANY, tolerance),
    Case("attention: is_causal=True", _FUNCTION,
         torch_attention(lambda torch, length: {"is_causal": True}),
         lambda length: self_attention(*inputs(length), mask=causal_mask(length)), FEW, MANY,
         tolerance),
    Case("attention: the bias of ALiBi as attn_mask", _FUNCTION,
         torch_attention(lambda torch, length: {"attn_mask": torch.tensor(bias(length).copy())}),
         lambda length: self_attention(*inputs(length), bias=bias(length)), FEW, MANY, tolerance),
]  # fmt: skip
