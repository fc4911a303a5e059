"""Entries against their true values, to 40 digits and more."""

import decimal
import math
import random
from functools import lru_cache

import mpmath
import numpy as np
import pytest

import pecode

LONG = 131_072
OFFSETS = [0, 1, -100, 10**6, 2**62 + 12345, 0.5, -100.25, 2.0**40 + 0.125]

# mpmath keeps its precision in a global: 60 digits, of which 2**63 radians cost 19.
mpmath.mp.dps = 60


def true_frequency(i, d_model, base=10000.0, spacing="paper"):
    exponent = mpmath.mpf(2 * i) / d_model
    if spacing == "endpoint":
        exponent = mpmath.mpf(i) / max((d_model + 1) // 2 - 1, 1)
    return mpmath.mpf(base) ** -exponent


def true_pair(position, i, *convention):
    angle = mpmath.mpf(position) * true_frequency(i, *convention)
    return mpmath.sin(angle), mpmath.cos(angle)


def largest_error(encoding, positions, pairs, *convention):
    """Over some pairs of interleaved rows."""
    worst = 0
    for row, position in zip(encoding, positions, strict=True):
        for i in pairs:
            sine, cosine = true_pair(position, i, *convention)
            worst = max(worst, abs(row[2 * i] - sine), abs(row[2 * i + 1] - cosine))
    return float(worst)


# All rows of a small width


@lru_cache
def true_table(length, d_model):
    """Every entry, correctly rounded: one rotation a row, in whole numbers.

    Fixed point with 200 bits; a rotation rounds by about 2**-200, and we do 131,072 of them.
    """
    one = 1 << 200
    pairs = []
    for i in range((d_model + 1) // 2):
        with mpmath.workdps(70):
            turn_sin, turn_cos = (int(part * one) for part in true_pair(1, i, d_model))
        sin, cos, rows = 0, one, []
        for _ in range(length):
            rows.append((sin / one, cos / one))
            grown = sin * turn_cos + cos * turn_sin
            sin, cos = grown >> 200, (cos * turn_cos - sin * turn_sin) >> 200
        pairs.append(rows)
    return np.concatenate(pairs, axis=1)[:, :d_model]


def test_float64_rows_are_within_1e_15_and_a_table_within_3e_15():
    assert np.abs(pecode.sinusoidal(range(LONG), 5) - true_table(LONG, 5)).max() < 0.9e-15
    assert np.abs(pecode.sinusoidal_table(LONG, 5) - true_table(LONG, 5)).max() < 2.9e-15


def test_a_float32_table_is_rounded_to_the_last_bit_or_one_beside_it():
    table, exact = pecode.sinusoidal_table(LONG, 5, dtype=np.float32), true_table(LONG, 5)
    assert np.abs(table - exact).max() < 2.0**-25 + 4e-15  # half a unit of numbers from 1/2 to 1
    correct = exact.astype(np.float32)
    assert (np.abs(table.astype(float) - correct) <= np.spacing(np.abs(correct))).all()
    # Near zero the absolute error of 3e-15 is more than a bit; elsewhere hardly any bit differs.
    assert (table != correct).mean() < 1e-5


# Some entries of other widths, bases and positions

CONVENTIONS = pytest.mark.parametrize(
    ("base", "spacing"), [(10000.0, "paper"), (10000.0, "endpoint"), (1.5, "paper")]
)


@CONVENTIONS
@pytest.mark.parametrize("d_model", [64, 4096])
def test_a_float64_table_is_within_3e_15_at_random_positions(d_model, base, spacing):
    rng = random.Random(d_model)
    length = LONG if d_model < 4096 else 2**14
    positions = [length - 1, *rng.sample(range(length), 100)]
    pairs = [0, d_model // 2 - 1, *rng.sample(range(d_model // 2), 6)]
    table = pecode.sinusoidal_table(length, d_model, base, spacing=spacing)[positions]
    assert largest_error(table, positions, pairs, d_model, base, spacing) < 3e-15


@CONVENTIONS
@pytest.mark.parametrize("d_model", [7, 512])
@pytest.mark.parametrize(("bits", "bound"), [(17, 1e-15), (32, 1e-15), (63, 2e-15)])
def test_float64_rows_are_as_exact_as_the_docstring_says(d_model, base, spacing, bits, bound):
    rng = random.Random(d_model + bits)
    whole = [2**bits - 1, 1 - 2**bits, *(rng.randrange(-(2**bits), 2**bits) for _ in range(50))]
    between = [0.5, -1e-30, math.nextafter(2.0**bits, 0)]
    between += [rng.uniform(-(2.0**bits), 2.0**bits) for _ in range(50)]
    pairs = {0, d_model // 2 - 1, *rng.sample(range(d_model // 2), 3)}
    for positions in (whole, between):
        rows = pecode.sinusoidal(positions, d_model, base, spacing=spacing)
        assert largest_error(rows, positions, pairs, d_model, base, spacing) < bound


@pytest.mark.parametrize("spacing", ["paper", "endpoint"])
@pytest.mark.parametrize("d_model", [7, 512])
def test_frequencies_are_exact_to_the_last_digits(d_model, spacing):
    for i, omega in enumerate(pecode.frequencies(d_model, 10000.0, spacing)):
        assert abs(omega / true_frequency(i, d_model, 10000.0, spacing) - 1) < 2e-15


@pytest.mark.parametrize("offset", OFFSETS)
def test_what_moves_by_an_offset_is_exact_however_far(offset):
    there = 77 + mpmath.mpf(offset)
    moved = pecode.translate(pecode.sinusoidal(77, 64), offset)
    assert largest_error([moved], [there], range(32), 64) < 3e-15
    T = pecode.translation_matrix(offset, 64)
    for i in range(0, 32, 5):
        sine, cosine = true_pair(offset, i, 64)
        block = T[2 * i : 2 * i + 2, 2 * i : 2 * i + 2]
        errors = block - np.array([[cosine, sine], [-sine, cosine]])
        assert np.abs(errors).max() < 2e-15


@pytest.mark.parametrize("offset", OFFSETS)
def test_similarity_and_single_sines_are_exact_however_far(offset):
    exact = mpmath.fsum(true_pair(offset, i, 512)[1] for i in range(256))
    assert abs(pecode.similarity(offset, 512) - exact) < 4e-14
    for j, value in enumerate(pecode.sine_only(offset, 8)):
        assert abs(value - true_pair(offset, j, 16)[0]) < 2e-15


@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize("position", [0, 1, -1, 131_071, 10**6, -(10**6), 2**40 + 1, 0.5])
@pytest.mark.parametrize(("d_head", "base"), [(2, 10000.0), (64, 500_000.0)])
def test_rotate_is_the_exact_rotation_of_every_pair(position, d_head, base, layout):
    x = np.random.default_rng(0).uniform(-1, 1, d_head)
    turned = pecode.rotate(x, position, base, layout)
    for i in range(d_head // 2):
        place = [2 * i, 2 * i + 1] if layout == "interleaved" else [i, i + d_head // 2]
        a, b = x[place]
        sine, cosine = true_pair(position, i, d_head, base)
        errors = turned[place] - np.array([a * cosine - b * sine, a * sine + b * cosine])
        assert np.abs(errors).max() < 4e-15


@pytest.mark.parametrize("size", [1.0, 1e6, 1e12])
def test_the_angle_of_a_point_is_rounded_as_the_docstring_says(size):
    omega = pecode.mixed_frequencies(8, n_axes=3)
    for point in np.random.default_rng(0).uniform(-size, size, (20, 3)):
        row = pecode.rotate_points(np.tile([1.0, 0.0], 8), point, omega)
        for i, vector in enumerate(omega):
            terms = [mpmath.mpf(a) * mpmath.mpf(b) for a, b in zip(point, vector, strict=True)]
            angle, allowed = mpmath.fsum(terms), 4e-16 * (1 + np.abs(point) @ np.abs(vector))
            assert abs(row[2 * i] - mpmath.cos(angle)) < allowed
            assert abs(row[2 * i + 1] - mpmath.sin(angle)) < allowed


# What must not change a digit


def test_a_float_that_is_an_integer_is_that_integer_to_the_last_bit():
    integers = np.array([0, 1, -7, 2**40 + 1, -(2**53)])
    floats = integers.astype(float)
    np.testing.assert_array_equal(pecode.sinusoidal(floats, 12), pecode.sinusoidal(integers, 12))
    np.testing.assert_array_equal(
        pecode.rotate(np.ones((5, 8)), floats), pecode.rotate(np.ones((5, 8)), integers)
    )
    np.testing.assert_array_equal(pecode.similarity(floats, 12), pecode.similarity(integers, 12))


def test_a_base_as_int_or_a_changed_decimal_context_makes_no_difference():
    expected = pecode.sinusoidal(7, 6, base=321.0)
    pecode._phases.steps.cache_clear()
    with decimal.localcontext() as context:
        context.traps[decimal.Inexact] = context.traps[decimal.FloatOperation] = True
        context.prec, context.Emax, context.rounding = 5, 20, decimal.ROUND_UP
        assert np.array_equal(pecode.sinusoidal(7, 6, base=321), expected)
