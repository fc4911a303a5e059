"""The rotation as libraries spell it, in PyTorch."""

import torch


def cached(length, d_head, base=10000.0):
    """cos_cached and sin_cached, (length, d_head), and freqs_cis, (length, d_head / 2)."""
    omega = base ** -(torch.arange(0, d_head, 2, dtype=torch.float64) / d_head)
    angle = torch.arange(length)[:, None] * omega
    twice = torch.cat((angle, angle), dim=-1)  # an angle for each column of a pair
    freqs_cis = torch.polar(torch.ones_like(angle), angle).to(torch.complex64)
    return twice.cos().float(), twice.sin().float(), freqs_cis


def rotate_half(x):
    """Turn every pair (i, i + d_head / 2) by a right angle."""
    a, b = x.chunk(2, dim=-1)
    return torch.cat((-b, a), dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    """Turn in halves; cos and sin: rows of the cached tables."""
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


def apply_rotary_emb(q, k, freqs_cis):
    """Turn neighbors, each pair as one complex number."""
    both = (torch.view_as_complex(x.float().unflatten(-1, (-1, 2))) for x in (q, k))
    return tuple(torch.view_as_real(x * freqs_cis).flatten(-2).type_as(q) for x in both)
