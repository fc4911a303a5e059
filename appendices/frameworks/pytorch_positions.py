"""Positions in PyTorch: modules that hold their table as a buffer."""

import torch
from torch import nn


class SinusoidalEncoding(nn.Module):
    """Add the sinusoidal encoding."""

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

    def forward(self, x, positions):
        """x: (..., d_model); positions: integers that broadcast to x.shape[:-1]."""
        # `embedding` refuses a position below 0; an index would count from the end.
        rows = nn.functional.embedding(positions, self.table)  # (..., d_model)
        return x + rows.to(x.dtype).expand(x.shape)


class Rotary(nn.Module):
    """Turn queries or keys."""

    def __init__(self, d_head, layout, max_length=4096, base=10000.0):
        super().__init__()
        self.d_head, self.layout = d_head, layout
        self.axis = {"half": -2, "interleaved": -1}[layout]  # where a and b meet
        t = torch.arange(max_length, dtype=torch.float64)[:, None]  # (max_length, 1)
        omega = base ** (-torch.arange(0, d_head, 2, dtype=torch.float64) / d_head)
        # Not the frequencies: `model.to(torch.bfloat16)` rounds what is kept here.
        self.register_buffer("cos", (t * omega).cos().float(), persistent=False)
        self.register_buffer("sin", (t * omega).sin().float(), persistent=False)

    def forward(self, x, positions):
        """x: (..., d_head); positions: integers that broadcast to x.shape[:-1]."""
        if x.shape[-1] != self.d_head:  # a table of one pair would fit any width
            raise ValueError(f"x: expected width {self.d_head}, got {x.shape[-1]}")
        # `embedding` refuses a position below 0; an index would count from the end.
        cos = nn.functional.embedding(positions, self.cos).to(x.dtype)
        sin = nn.functional.embedding(positions, self.sin).to(x.dtype)
        a, b = x.chunk(2, -1) if self.layout == "half" else (x[..., 0::2], x[..., 1::2])
        pairs = torch.stack((a * cos - b * sin, a * sin + b * cos), self.axis)
        return pairs.reshape(x.shape)


def alibi_bias(n_heads, queries, keys):
    """Added to the scores: (n_heads, n_queries, n_keys), from two rows of positions."""
    lower = 2 ** (n_heads.bit_length() - 1)  # the largest power of two up to n_heads
    slopes = 2.0 ** (-8 / lower * torch.arange(1, lower + 1))
    between = 2.0 ** (-4 / lower * (2 * torch.arange(n_heads - lower) + 1))
    slopes = torch.cat((slopes, between)).to(keys.device)  # (n_heads,)
    return -slopes[:, None, None] * (keys - queries[:, None]).abs()
