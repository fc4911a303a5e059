"""The gallery of mistakes: every test of it passes on right code and fails on its mistake."""

import inspect

import numpy as np
import pytest
from mpmath import mp

from pecode import frequencies, sinusoidal_table
from pecode.diagnose.misuses import MISUSES
from pecode.diagnose.variants import VARIANTS

TESTS = {variant.test.__name__: variant.test for variant in VARIANTS.values()}
CASES = [(4, 10.0), (4, 1e4), (6, 1e6), (8, 500.0), (16, 1e4), (64, 1e4), (512, 1e4), (512, 1e6)]

# Which of the tests each mistake passes: what one of them does not see, another must.
PASSES = {
    "factor 2 doubled": {"circles", "longer", "apart", "zero"},
    "factor 2 lost": {"circles", "longer", "apart", "zero"},
    "exponent by column": {"slowest", "second", "longer", "zero"},
    "factor 2 by column": {"longer", "zero"},
    "wrong base": {"circles", "longer", "apart", "zero"},
    "length for width": {"circles", "apart", "zero"},
    "precedence": {"circles", "longer", "apart", "zero"},
    "integer division": {"circles", "longer", "apart", "zero"},
    "divided twice": {"circles", "longer", "apart", "zero"},
    "along the batch": {"circles", "slowest", "second", "longer"},
    "low precision": {"circles", "slowest", "second", "longer", "zero"},
    "concatenated": {"longer", "apart"},
    "endpoint spacing": {"circles", "longer", "apart", "zero"},
    "positions from 1": {"circles", "longer", "apart", "one_step"},
    "cosine first": {"circles", "longer", "apart"},
}


def right_tables():
    for dtype in (np.float32, np.float64):
        yield lambda length, d_model, base, dtype=dtype: sinusoidal_table(
            length, d_model, base, dtype=dtype
        )


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
@pytest.mark.parametrize(("d_model", "base"), CASES)
def test_every_test_of_the_gallery_passes_on_the_right_table(test, d_model, base):
    for table in right_tables():
        assert test(table, d_model, base) is True


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize(("d_model", "base"), CASES)
def test_the_test_of_a_mistake_fails_on_it(variant, d_model, base):
    assert variant.test(variant.make, d_model, base) is False


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_which_test_sees_which_mistake(variant):
    assert PASSES.keys() == VARIANTS.keys()
    passed = {name for name, test in TESTS.items() if test(variant.make)}
    assert {word for word in passed for key in PASSES[variant.name] if key in word} == passed
    assert len(passed) == len(PASSES[variant.name])


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_a_mistake_makes_a_table_of_the_asked_shape_that_differs_from_the_right_one(variant):
    for length, d_model in [(600, 8), (300, 64), (257 + 1, 5 * 2)]:
        table = variant.make(length, d_model)
        assert table.shape == (length, d_model)
        assert table.dtype == np.float64
        assert np.abs(table - sinusoidal_table(length, d_model)).max() > 0.02
    assert variant.make(0, 8).shape == (0, 8)


@pytest.mark.parametrize("entry", [*VARIANTS.values(), *MISUSES.values()], ids=lambda e: e.name)
def test_every_entry_is_told_in_whole_sentences_and_its_reports_can_be_found(entry):
    for text in (entry.summary, entry.symptom, entry.fingerprint):
        assert text[0].isupper() or text[0] == "`"
        assert text.endswith((".", "…"))
    for report in entry.reports:
        repository, number = report.split("#")
        assert repository.count("/") == 1
        assert int(number) > 0
    assert (VARIANTS | MISUSES)[entry.name] is entry
    if entry.name in VARIANTS:
        assert entry.kind in ("mistake", "convention")


def test_the_source_of_a_mistake_can_be_shown():
    assert "2 * i" in inspect.getsource(VARIANTS["factor 2 doubled"].make)
    assert "// 2" in inspect.getsource(VARIANTS["precedence"].make)


# What the mistakes come to, derived again


def hands_of(name, d_model=64, base=10000.0, length=3):
    """Frequencies of a table, from its first two rows."""
    table = VARIANTS[name].make(length, d_model, base)
    return np.arctan2(table[1, 0::2], table[1, 1::2])


def test_a_doubled_exponent_is_a_squared_base_and_a_lost_one_its_root():
    np.testing.assert_allclose(hands_of("factor 2 doubled"), frequencies(64, 1e8), rtol=1e-12)
    np.testing.assert_allclose(hands_of("factor 2 lost"), frequencies(64, 1e2), rtol=1e-12)


def test_the_endpoint_is_a_base_that_is_a_little_larger():
    n = 32
    np.testing.assert_allclose(
        hands_of("endpoint spacing"), frequencies(64, 10000.0 ** (n / (n - 1))), rtol=1e-12
    )
    np.testing.assert_array_equal(
        VARIANTS["endpoint spacing"].make(9, 64).round(12),
        sinusoidal_table(9, 64, spacing="endpoint").round(12),
    )


def test_columns_taken_for_pairs_double_the_exponent_and_part_the_pairs():
    table = VARIANTS["factor 2 by column"].make(20, 16)
    np.testing.assert_allclose(
        table[:, 0::2], VARIANTS["factor 2 doubled"].make(20, 16)[:, 0::2], atol=1e-12
    )
    assert np.abs(table - VARIANTS["factor 2 doubled"].make(20, 16)).max() > 0.1
    np.testing.assert_allclose(
        table, VARIANTS["exponent by column"].make(20, 16, 10000.0**2), atol=1e-12
    )


@pytest.mark.parametrize(("d_model", "base"), [(8, 1e4), (64, 1e4), (512, 1e6)])
def test_the_lost_brackets_make_the_frequencies_fall_by_e_squared(d_model, base):
    floor = (-mp.log(base) / d_model) // 2
    assert floor == -1
    expected = [mp.exp(2 * i * floor) for i in range(d_model // 2)]
    np.testing.assert_allclose(
        hands_of("precedence", d_model, base), np.array(expected, float), rtol=1e-9
    )


def test_divided_twice_makes_neighbors_nearly_orthogonal():
    table = VARIANTS["divided twice"].make(65, 512)
    cosines = (table[1:] * table[:-1]).sum(axis=1) / 256
    assert np.abs(cosines).max() < 0.1
    right = sinusoidal_table(65, 512)
    assert (right[1:] * right[:-1]).sum(axis=1).min() / 256 > 0.97


def test_integer_division_leaves_one_hand_whose_positions_710_apart_are_confused():
    table = VARIANTS["integer division"].make(711, 16)
    assert (table[:, 0::2] == table[:, :1]).all()
    gaps = np.linalg.norm(table[1:] - table[0], axis=1) / np.sqrt(8)  # of one pair
    assert gaps.argmin() + 1 == 710
    assert gaps.min() < 1e-4
    assert gaps[:100].argmin() + 1 == 44


def test_positions_in_bfloat16_are_769_different_ones_below_4097():
    table = VARIANTS["low precision"].make(4097, 4)
    assert len(np.unique(table, axis=0)) == 769
    np.testing.assert_allclose(table[:257], sinusoidal_table(257, 4), atol=1e-12)
    assert (table[256] == table[257]).all()
