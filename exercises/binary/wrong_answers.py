"""Popular wrong answers: the check must refuse each of them and say these words."""

import numpy as np

from pecode import binary


def _refuse(positions, n_bits):
    if min(positions) < 0 or max(positions) >= 2**n_bits:
        raise ValueError("too many")


def ones_first(positions, n_bits):
    _refuse(positions, n_bits)
    return np.asarray(positions)[:, None] // 2 ** np.arange(n_bits) % 2


def _raising(error):
    def raising(positions, n_bits):
        if min(positions) < 0 or max(positions) >= 2**n_bits:
            raise error("too many")
        return silent(positions, n_bits)

    return raising


def rows_turned_over(positions, n_bits):
    return ones_first(positions, n_bits)[::-1]


def all_turned_over(positions, n_bits):
    return ones_first(positions, n_bits)[::-1, ::-1]


def returned(positions, n_bits):
    if min(positions) < 0 or max(positions) >= 2**n_bits:
        return ValueError("too many")
    return silent(positions, n_bits)


def returned_as_a_class(positions, n_bits):
    return ValueError if max(positions) >= 2**n_bits else silent(positions, n_bits)


def bound_too_small(positions, n_bits):
    if min(positions) < 0 or max(positions) >= 2**n_bits - 1:
        raise ValueError("too many")
    return silent(positions, n_bits)


def an_array_as_a_condition(positions, n_bits):
    if positions < 0 or positions >= 2**n_bits:
        raise ValueError("too many")
    return silent(positions, n_bits)


def zero_is_refused(positions, n_bits):
    if min(positions) <= 0 or max(positions) >= 2**n_bits:
        raise ValueError("too many")
    return silent(positions, n_bits)


def rounded(positions, n_bits):
    _refuse(positions, n_bits)
    return np.round(np.asarray(positions)[:, None] / 2 ** np.arange(n_bits)[::-1]) % 2


def not_rounded(positions, n_bits):
    _refuse(positions, n_bits)
    return np.asarray(positions)[:, None] / 2 ** np.arange(n_bits)[::-1] % 2


def silent(positions, n_bits):
    return np.asarray(positions)[:, None] // 2 ** np.arange(n_bits)[::-1] % 2


def negative_ones_pass(positions, n_bits):
    if max(positions) >= 2**n_bits:
        raise ValueError("too many")
    return silent(positions, n_bits)


def one_too_many(positions, n_bits):
    if min(positions) < 0 or max(positions) > 2**n_bits:
        raise ValueError("too many")
    return silent(positions, n_bits)


def a_byte(positions, n_bits):
    _refuse(positions, n_bits)
    bits = np.unpackbits(np.asarray(positions).astype(np.uint8)[:, None], axis=1)
    return np.pad(bits, [(0, 0), (8, 0)])[:, -n_bits:]


def _read(bits):
    return bits @ 2 ** np.arange(bits.shape[1])[::-1]


def read_as_binary(codes):
    return _read(np.asarray(codes))


def gray_once_more(codes):
    positions = _read(codes)
    return positions ^ (positions >> 1)


def from_the_ones(codes):
    return _read(np.cumsum(codes[:, ::-1], axis=1)[:, ::-1] % 2)


def ones_come_first(codes):
    return _read((np.cumsum(codes, axis=1) % 2)[:, ::-1])


def not_modulo_two(codes):
    return _read(np.cumsum(codes, axis=1))


def previous_digit_of_the_code(codes):
    bits = codes.copy()
    bits[:, 1:] = codes[:, 1:] ^ codes[:, :-1]
    return _read(bits)


def in_their_order(codes):
    return np.arange(len(codes))


def as_codes_of_three_digits(codes):
    positions = _read(codes)
    return positions ^ (positions >> 1) ^ (positions >> 2)


def binary_codes(n_bits):
    return binary(np.arange(2 * n_bits), n_bits) if n_bits > 2 else binary(range(2 * n_bits), 4)


def gray_codes(n_bits):
    t = np.arange(2 * n_bits)
    return binary(t ^ (t >> 1), max(n_bits, 4))[:, -n_bits:]


def thermometer(n_bits):
    return (np.arange(2 * n_bits)[:, None] > np.arange(n_bits)).astype(float)


def up_and_down(n_bits):
    t = np.arange(2 * n_bits)
    return (np.minimum(t, 2 * n_bits - t)[:, None] > np.arange(n_bits)).astype(float)


def one_of_many(n_bits):
    return np.eye(2 * n_bits)[:, :n_bits]


def twice_as_wide(n_bits):
    t = np.arange(2 * n_bits)
    return (t[:, None] >= np.arange(2 * n_bits)).astype(float)


WRONG = {
    "bits_of": [
        ("ones first", ones_first, "last column"),
        ("rows turned over", rows_turned_over, "not the rows"),
        ("rows and columns turned over", all_turned_over, "not the rows"),
        ("another error", _raising(TypeError), "it is not a ValueError"),
        ("an assertion", _raising(AssertionError), "is not a ValueError"),
        ("an index", _raising(IndexError), "is not a ValueError"),
        ("an error that is returned", returned, "returned, not raised"),
        ("an error class that is returned", returned_as_a_class, "returned, not raised"),
        ("a bound too small", bound_too_small, "all these positions fit"),
        ("an array as a condition", an_array_as_a_condition, "by the line `if positions < 0"),
        ("zero is refused", zero_is_refused, "all these positions fit"),
        ("rounded", rounded, "happens at 3"),
        ("not rounded", not_rounded, "a digit is 0 or 1"),
        ("too large no error says so", silent, "no error says so"),
        ("negative no error says so", negative_ones_pass, "no error says so"),
        ("one too many", one_too_many, "no error says so"),
        ("kept in a byte", a_byte, "last column"),
    ],
    "position_of_gray": [
        ("read as binary", read_as_binary, "as if they were binary"),
        ("Gray once more", gray_once_more, "once more, instead of back"),
        ("from the ones upward", from_the_ones, "from the ones upward"),
        ("ones first", ones_come_first, "from the wrong end"),
        ("not modulo two", not_modulo_two, "odd or even"),
        ("the digit before in the code", previous_digit_of_the_code, "once more, instead of back"),
        ("in their order", in_their_order, "why:"),
        ("right for three digits", as_codes_of_three_digits, "in each code: 4"),
    ],
    "ring_code": [
        ("binary", binary_codes, "one in every step"),
        ("Gray", gray_codes, "does not close"),
        ("a thermometer", thermometer, "one in every step"),
        ("up and down", up_and_down, "flip back"),
        ("one of many", one_of_many, "one in every step"),
        ("twice as wide", twice_as_wide, "3 digits each"),
    ],
}
