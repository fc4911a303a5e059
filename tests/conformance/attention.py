"""Attention of PyTorch, whose masks mean what ours mean: True where a query may look."""

import numpy as np

from pecode import alibi_bias, alibi_slopes, causal_mask, self_attention
from tests.conformance.case import load, sample

WIDTH = 4


def inputs(length):
    """Words and three matrices, float64: PyTorch computes in it too."""
    numbers = sample(length + 3 * WIDTH, WIDTH).astype(np.float64)
    return numbers[:length], *numbers[length:].reshape(3, WIDTH, WIDTH)


def bias(length):
    return alibi_bias(length, alibi_slopes(1))[0]


def torch_attention(length, biased=False, **options):
    torch = load("torch")
    options |= {"attn_mask": torch.tensor(bias(length).copy())} if biased else {}
    x, *matrices = inputs(length)
    inside = (torch.tensor(x @ matrix)[None] for matrix in matrices)
    return torch.nn.functional.scaled_dot_product_attention(*inside, **options)[0].numpy()


def attention(length, causal=False, biased=False):
    mask = causal_mask(length) if causal else None
    return self_attention(*inputs(length), mask=mask, bias=bias(length) if biased else None)
