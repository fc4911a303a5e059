"""The solutions of the exercises, and wrong answers that the checks must refuse."""

import numpy as np

from pecode import binary


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


# Wrong answers


def ones_first(positions, n_bits):
    return binary(positions, n_bits)[:, ::-1]


def another_error(positions, n_bits):
    if max(positions) >= 2**n_bits:
        raise TypeError("too many")
    return binary(positions, n_bits)


def error_returned(positions, n_bits):
    return ValueError("too many") if max(positions) >= 2**n_bits else binary(positions, n_bits)


def bound_too_small(positions, n_bits):
    if max(positions) >= 2**n_bits - 1:
        raise ValueError("too many")
    return binary(positions, n_bits)


def rounded(positions, n_bits):
    return np.round(np.asarray(positions)[:, None] / 2 ** np.arange(n_bits)[::-1]) % 2


def not_rounded(positions, n_bits):
    return np.asarray(positions)[:, None] / 2 ** np.arange(n_bits)[::-1] % 2


def silent(positions, n_bits):
    return np.asarray(positions)[:, None] // 2 ** np.arange(n_bits)[::-1] % 2


def in_their_order(codes):
    return np.arange(len(codes))


def binary_codes(n_bits):
    return binary(np.arange(2 * n_bits), n_bits) if n_bits > 2 else binary(range(2 * n_bits), 4)


def gray_codes(n_bits):
    t = np.arange(2 * n_bits)
    return binary(t ^ (t >> 1), max(n_bits, 4))[:, -n_bits:]


def up_and_down(n_bits):
    t = np.arange(2 * n_bits)
    return np.minimum(t, 2 * n_bits - t)[:, None] > np.arange(n_bits)


def twice_as_wide(n_bits):
    t = np.arange(2 * n_bits)
    return t[:, None] >= t


WRONG_ANSWERS = {  # of each exercise: the answer, and words that the check must say to it
    "bits_of": {
        ones_first: "last column",
        another_error: "it raises, but TypeError",
        error_returned: "returned, not raised",
        bound_too_small: "All these positions fit",
        rounded: "happens at 3",
        not_rounded: "a digit is 0 or 1",
        silent: "no error says so",
    },
    "position_of_gray": {
        in_their_order: "Try it on 0 to 7",
    },
    "ring_code": {
        binary_codes: "one in every step",
        gray_codes: "does not close",
        up_and_down: "flip back",
        twice_as_wide: "3 digits each",
    },
}
