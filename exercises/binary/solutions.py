"""Binary digits and the Gray code."""

import numpy as np


def bits_of(positions, n_bits):
    """Binary digits, the ones last: shape (len(positions), n_bits)."""
    positions = np.asarray(positions)
    if positions.min() < 0 or positions.max() >= 2**n_bits:
        raise ValueError(f"positions: expected 0 to {2**n_bits - 1}, got {positions}")
    powers = 2 ** np.arange(n_bits)[::-1]
    return positions[:, None] // powers % 2


def position_of_gray(codes):
    """Positions, (length,), of Gray codes, (length, n_bits), the ones last."""
    bits = np.cumsum(codes, axis=1) % 2  # exclusive or of all digits up to here
    return bits @ 2 ** np.arange(bits.shape[1])[::-1]


def ring_code(n_bits):
    """Codes, (2 · n_bits, n_bits): flips between two = steps on the ring."""
    codes = np.zeros((2 * n_bits, n_bits))
    for k in range(n_bits):
        codes[k + 1 : k + 1 + n_bits, k] = 1  # digit k is 1 for n_bits positions
    return codes
