"""Entries against their true values, to 40 digits and more."""

import math
import random
from functools import lru_cache

import mpmath
import numpy as np
import pytest

from pecode import (
    frequencies,
    mixed_frequencies,
    rotate,
    similarity,
    sine_only,
    sinusoidal,
    sinusoidal_points,
    sinusoidal_table,
    translate,
    translation_matrix,
)

LONG = 131_072
HALF_ULP_OF_FLOAT32 = 2.0**-25  # of numbers from 1/2 to 1: no float32 table can do better

# mpmath keeps its precision in a global: 60 digits, of which 2**63 radians cost 19.
mpmath.mp.dps = 60


def true_frequency(i, d_model, base=10000.0, spacing="paper"):
    exponent = mpmath.mpf(2 * i) / d_model
    if spacing == "endpoint":
        exponent = mpmath.mpf(i) / max((d_model + 1) // 2 - 1, 1)
    return mpmath.mpf(base) ** -exponent


def true_pair(position, i, *convention):
    angle = position * true_frequency(i, *convention)
    return mpmath.sin(angle), mpmath.cos(angle)


@lru_cache
def true_table(length, d_model):
    """All rows of a small width, correctly rounded: one rotation a row, in whole numbers.

    Fixed point with 200 bits; a rotation rounds by about 2**-200, and we do 131,072 of them.
    """
    one = 1 << 200
    columns = []
    for i in range((d_model + 1) // 2):
        with mpmath.workdps(70):
            turn_sin, turn_cos = (
                int(mpmath.floor(part * one)) for part in true_pair(1, i, d_model)
            )
        sin, cos = 0, one
        sines, cosines = [], []
        for _ in range(length):
            sines.append(sin / one)
            cosines.append(cos / one)
            sin, cos = (
                (sin * turn_cos + cos * turn_sin) >> 200,
                (cos * turn_cos - sin * turn_sin) >> 200,
            )
        columns += [sines, cosines]
    return np.array(columns[:d_model]).T


def test_the_rotated_reference_agrees_with_mpmath():
    table = true_table(LONG, 5)
    for position in (0, 1, 12_345, 99_999, LONG - 1):
        for column in range(5):
            exact = true_pair(position, column // 2, 5)[column % 2]
            assert abs(table[position, column] - exact) <= 2.0**-54


def test_float64_table_is_within_3e_15_at_every_position_to_131072():
    assert np.abs(sinusoidal_table(LONG, 5) - true_table(LONG, 5)).max() < 2.9e-15


def test_float64_rows_are_within_1e_15_at_every_position_to_131072():
    assert np.abs(sinusoidal(range(LONG), 5) - true_table(LONG, 5)).max() < 0.9e-15


def test_float32_table_is_rounded_to_the_last_bit_or_one_beside_it():
    table, exact = sinusoidal_table(LONG, 5, dtype=np.float32), true_table(LONG, 5)
    assert np.abs(table - exact).max() < HALF_ULP_OF_FLOAT32 + 4e-15
    correct = exact.astype(np.float32)
    assert (np.abs(table.astype(float) - correct) <= np.spacing(np.abs(correct))).all()
    # Near zero the absolute error of 3e-15 is more than a bit; elsewhere hardly any bit differs.
    assert (table != correct).mean() < 1e-5


def largest_error(encoding, positions, pairs, *convention):
    """Over some pairs of interleaved rows."""
    worst = 0
    for row, position in zip(encoding, positions, strict=True):
        for i in pairs:
            sine, cosine = true_pair(position, i, *convention)
            worst = max(worst, abs(row[2 * i] - sine), abs(row[2 * i + 1] - cosine))
    return float(worst)


CONVENTIONS = pytest.mark.parametrize(
    ("base", "spacing"),
    [(10000.0, "paper"), (10000.0, "endpoint"), (1.5, "paper"), (500_000.0, "paper")],
)


@CONVENTIONS
@pytest.mark.parametrize("d_model", [64, 512, 4096])
def test_float64_table_is_within_3e_15_at_random_positions(d_model, base, spacing):
    rng = random.Random(d_model)
    length = LONG if d_model < 4096 else 2**14
    positions = [length - 1, *rng.sample(range(length), 100)]
    pairs = [0, d_model // 2 - 1, *rng.sample(range(d_model // 2), 6)]
    table = sinusoidal_table(length, d_model, base, spacing=spacing)[positions]
    assert largest_error(table, positions, pairs, d_model, base, spacing) < 3e-15


@CONVENTIONS
@pytest.mark.parametrize("d_model", [64, 512, 4096])
@pytest.mark.parametrize(("bits", "bound"), [(17, 1e-15), (32, 1e-15), (63, 2e-15)])
def test_float64_rows_are_as_exact_as_the_docstring_says(d_model, base, spacing, bits, bound):
    rng = random.Random(d_model + bits)
    limit = 2**bits
    positions = [limit - 1, 1 - limit, *(rng.randrange(-limit, limit) for _ in range(100))]
    pairs = [0, d_model // 2 - 1, *rng.sample(range(d_model // 2), 6)]
    rows = sinusoidal(positions, d_model, base, spacing=spacing)
    assert largest_error(rows, positions, pairs, d_model, base, spacing) < bound


@pytest.mark.parametrize("d_model", [64, 512])
def test_float32_table_is_within_half_a_bit_at_random_positions(d_model):
    rng = random.Random(d_model)
    positions = rng.sample(range(LONG), 200)
    pairs = rng.sample(range(d_model // 2), 8)
    table = sinusoidal_table(LONG, d_model, dtype=np.float32)[positions].astype(float)
    error = largest_error(table, positions, pairs, d_model)
    assert 2.9e-8 < error < 3.1e-8  # a smaller one would mean that nothing was compared


def test_the_textbook_product_is_less_exact_and_ours_is_not_that():
    """What the exact phases are for: position × frequency in float64 loses 3 digits and more."""
    positions = range(LONG - 2000, LONG)
    angles = np.arange(LONG - 2000, LONG)[:, None] * frequencies(512)
    exact = sinusoidal(positions, 512)[:, ::2]
    assert 1e-12 < np.abs(np.sin(angles) - exact).max() < 1e-10


@pytest.mark.parametrize("spacing", ["paper", "endpoint"])
@pytest.mark.parametrize("d_model", [7, 64, 512])
def test_frequencies_are_exact_to_the_last_digits(d_model, spacing):
    for i, omega in enumerate(frequencies(d_model, 10000.0, spacing)):
        exact = true_frequency(i, d_model, 10000.0, spacing)
        assert abs(omega / exact - 1) < 2e-15


@pytest.mark.parametrize("offset", [1, -100, 10**6, 2**62 + 12345])
@pytest.mark.parametrize("d_model", [8, 512])
def test_translation_matrices_are_exact_at_any_offset(offset, d_model):
    T = translation_matrix(offset, d_model)
    for i in range(0, d_model // 2, max(1, d_model // 32)):
        sine, cosine = true_pair(offset, i, d_model)
        exact = [[cosine, sine], [-sine, cosine]]
        block = T[2 * i : 2 * i + 2, 2 * i : 2 * i + 2]
        assert max(abs(block[r, c] - exact[r][c]) for r in (0, 1) for c in (0, 1)) < 2e-15


@pytest.mark.parametrize("offset", [1, -100, 10**6, 2**62 + 12345])
def test_translate_is_exact_at_any_offset(offset):
    moved = translate(sinusoidal([77], 64), offset)
    assert largest_error(moved, [77 + offset], range(32), 64) < 3e-15


@pytest.mark.parametrize("offset", [0, 1, -100, 10**6, 2**62 + 12345])
@pytest.mark.parametrize("d_model", [8, 512])
def test_similarity_is_exact_at_any_offset(offset, d_model):
    exact = mpmath.fsum(true_pair(offset, i, d_model)[1] for i in range(d_model // 2))
    assert abs(similarity(offset, d_model) - exact) < 4e-14


def test_sine_only_is_exact_at_any_position():
    for position in (LONG - 1, -(2**62) - 1):
        for j, value in enumerate(sine_only(position, 8)):
            exact = mpmath.sin(position * mpmath.mpf(10000) ** (-mpmath.mpf(j) / 8))
            assert abs(value - exact) < 2e-15


# Positions between the integers


@CONVENTIONS
@pytest.mark.parametrize("d_model", [7, 512])
@pytest.mark.parametrize(("bits", "bound"), [(0, 1e-15), (17, 1e-15), (40, 1e-15), (63, 2e-15)])
def test_rows_between_the_integers_are_as_exact(d_model, base, spacing, bits, bound):
    rng = random.Random(d_model + bits)
    limit = 2.0**bits
    positions = [0.5, -1e-30, math.nextafter(limit, 0)] + [
        rng.uniform(-limit, limit) for _ in range(50)
    ]
    pairs = {0, d_model // 2 - 1, *rng.sample(range(d_model // 2), 3)}
    rows = sinusoidal(positions, d_model, base, spacing=spacing)
    exact = [mpmath.mpf(position) for position in positions]
    assert largest_error(rows, exact, pairs, d_model, base, spacing) < bound


def test_moving_by_half_a_position_is_exact_at_any_distance():
    for offset in (0.5, -100.25, 2.0**40 + 0.125):
        moved = translate(sinusoidal([77], 64), offset)
        assert largest_error(moved, [77 + mpmath.mpf(offset)], range(32), 64) < 3e-15
        exact = mpmath.fsum(true_pair(mpmath.mpf(offset), i, 8)[1] for i in range(4))
        assert abs(similarity(offset, 8) - exact) < 4e-15
    row = sine_only(2.0**40 + 0.125, 8)
    for j, value in enumerate(row):
        exact = mpmath.sin(
            (mpmath.mpf(2) ** 40 + 0.125) * mpmath.mpf(10000) ** (-mpmath.mpf(j) / 8)
        )
        assert abs(value - exact) < 2e-15


def test_a_position_near_0_on_either_side_has_all_its_digits():
    for position in (1e-30, -1e-30):
        assert sinusoidal(position, 2)[0] == pytest.approx(position, rel=1e-15, abs=0)


def test_a_float_that_is_an_integer_is_that_integer_to_the_last_bit():
    integers = np.array([0, 1, -7, 2**40 + 1, -(2**53)])
    floats = integers.astype(float)
    np.testing.assert_array_equal(sinusoidal(floats, 12), sinusoidal(integers, 12))
    x = np.ones((5, 8))
    np.testing.assert_array_equal(rotate(x, floats), rotate(x, integers))
    np.testing.assert_array_equal(rotate(x, 0.25 + integers), rotate(x, floats + 0.25))
    np.testing.assert_array_equal(similarity(floats, 12), similarity(integers, 12))


@pytest.mark.parametrize("size", [1.0, 1e3, 1e6, 1e12])
def test_the_angle_of_a_point_is_rounded_as_the_docstring_says(size):
    rng = np.random.default_rng(0)
    omega = mixed_frequencies(8, n_axes=3)
    for point in rng.uniform(-size, size, (20, 3)):
        row = sinusoidal_points(point, omega)
        for i, vector in enumerate(omega):
            angle = mpmath.fsum(
                mpmath.mpf(a) * mpmath.mpf(b) for a, b in zip(point, vector, strict=True)
            )
            allowed = 4e-16 * (1 + np.abs(point) @ np.abs(vector))
            assert abs(row[2 * i] - mpmath.sin(angle)) < allowed
            assert abs(row[2 * i + 1] - mpmath.cos(angle)) < allowed
