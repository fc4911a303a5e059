"""More than one axis in PyTorch: a frequency vector for each pair, and one rotation for all."""

import torch


def axial(widths, base=10000.0):
    """A ladder for each axis, axis after axis: (sum(widths) / 2, n_axes), float64."""
    omegas = [base ** (-torch.arange(0, w, 2, dtype=torch.float64) / w) for w in widths]
    return torch.block_diag(*[omega[:, None] for omega in omegas])


def in_sections(sections, base=10000.0, interleaved=False):
    """M-RoPE: one ladder, shared out in blocks or in turns: (sum(sections), n_axes), float64."""
    n_axes, n = len(sections), sum(sections)
    axis = torch.repeat_interleave(torch.arange(n_axes), torch.tensor(sections))
    if interleaved:
        axis = torch.zeros(n, dtype=torch.long)  # what the others leave is the first axis's
        for k, section in list(enumerate(sections))[1:]:
            if n_axes * (section - 1) + k >= n:  # a slice would stop without a word
                raise ValueError(f"sections: expected turns that end in {n} pairs, got {sections}")
            axis[k : n_axes * section : n_axes] = k
    omega = base ** (-torch.arange(n, dtype=torch.float64) / n)
    return omega[:, None] * torch.nn.functional.one_hot(axis, n_axes)


def rotate_points(x, points, omega, layout):
    """Turn x, (..., d_head), to points, (..., n_axes): real numbers, one row for each of x."""
    theta = points.double() @ omega.T.to(points.device)  # (..., d_head / 2)
    cos, sin = theta.cos().to(x), theta.sin().to(x)
    a, b = x.chunk(2, -1) if layout == "half" else (x[..., 0::2], x[..., 1::2])
    pairs = (a * cos - b * sin, a * sin + b * cos)
    return torch.cat(pairs, -1) if layout == "half" else torch.stack(pairs, -1).flatten(-2)
