"""Positions in PyTorch: modules that hold their table as a buffer."""

import torch
from torch import nn


class SinusoidalEncoding(nn.Module):
    """Add the sinusoidal encoding to x, shape (..., length, d_model)."""

    def __init__(self, d_model, max_length=4096, base=10000.0):
        super().__init__()
        t = torch.arange(max_length, dtype=torch.float64)[:, None]  # (max_length, 1)
        omega = base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
        table = torch.empty(max_length, d_model, dtype=torch.float64)
        table[:, 0::2] = torch.sin(t * omega)
        # An odd width ends with a sine.
        table[:, 1::2] = torch.cos(t * omega[: d_model // 2])
        # Not persistent: a checkpoint need not hold what a formula gives.
        self.register_buffer("table", table.float(), persistent=False)

    def forward(self, x, start=0):
        """`start` is how many words came before, as in a cache."""
        return x + rows(self.table, start, x.shape[-2]).to(x.dtype)


class Rotary(nn.Module):
    """Turn queries or keys, shape (..., length, d_head)."""

    def __init__(self, d_head, max_length=4096, base=10000.0, layout="half"):
        super().__init__()
        if layout not in ("half", "interleaved"):
            raise ValueError(f"layout: expected half or interleaved, got {layout!r}")
        self.layout = layout
        t = torch.arange(max_length, dtype=torch.float64)[:, None]  # (max_length, 1)
        omega = base ** (-torch.arange(0, d_head, 2, dtype=torch.float64) / d_head)
        # Not the frequencies: `model.to(torch.bfloat16)` rounds what is kept here.
        self.register_buffer("cos", (t * omega).cos().float(), persistent=False)
        self.register_buffer("sin", (t * omega).sin().float(), persistent=False)

    def forward(self, x, start=0):
        """`start` is how many words came before, as in a cache."""
        cos = rows(self.cos, start, x.shape[-2]).to(x.dtype)  # (length, d_head / 2)
        sin = rows(self.sin, start, x.shape[-2]).to(x.dtype)
        if self.layout == "half":
            a, b = x.chunk(2, dim=-1)
            return torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1)
        a, b = x[..., 0::2], x[..., 1::2]  # "interleaved"
        return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


def rows(table, start, length):
    """Rows of a table. A slice beyond its end would be short and might broadcast."""
    if not 0 <= start <= start + length <= len(table):
        raise IndexError(f"rows {start} to {start + length - 1} of {len(table)}")
    return table[start : start + length]


def alibi_bias(n_heads, length, start=0):
    """Added to the scores of queries from start on: (n_heads, length, n_keys)."""
    lower = 2 ** (n_heads.bit_length() - 1)  # the largest power of two up to n_heads
    slopes = 2.0 ** (-8 / lower * torch.arange(1, lower + 1))
    between = 2.0 ** (-4 / lower * (2 * torch.arange(n_heads - lower) + 1))
    slopes = torch.cat((slopes, between))  # (n_heads,)
    query = torch.arange(start, start + length)[:, None]  # (length, 1)
    key = torch.arange(start + length)  # (n_keys,)
    return -slopes[:, None, None] * (key - query).abs()
