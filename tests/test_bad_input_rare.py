"""Rare forms of bad input, found by trying: a named error, never a wrong table."""

import decimal
from collections import deque

import numpy as np
import pytest

import pecode
from pecode.figures import Bits, EncodingTable, SameValue
from pecode.lab.scorecard import compare, scorecard

traitlets = pytest.importorskip("traitlets")
X, W = np.eye(3), np.eye(3)


@pytest.mark.parametrize(
    ("name", "call"),
    {
        "masked positions": lambda: pecode.sinusoidal(np.ma.array([1, 2], mask=[0, 1]), 2),
        "masked encoding": lambda: pecode.translate(np.ma.array([1.0, 2.0], mask=[0, 1]), 1),
        "masked scores": lambda: pecode.softmax(np.ma.array([1.0, 2.0], mask=[0, 1])),
        "bytes": lambda: pecode.count(bytearray(b"ab")),
        "a bool in a deque": lambda: pecode.count(deque([True, 2])),
        "an int of 5,000 digits": lambda: pecode.sinusoidal(0, 10**5000),
        "a position of 5,000 digits": lambda: pecode.count(10**5000),
        "no objects": lambda: pecode.count(np.array([], dtype=object)),
        "64 axes": lambda: pecode.count(np.zeros((1,) * 64, dtype=int)),
        "angles beyond the floats": lambda: pecode.sine_only(100, 1, frequencies=[1e307]),
        "scores beyond the floats": lambda: pecode.self_attention(X * 1e200, W, W, W),
        "queries beyond the floats": lambda: pecode.self_attention(X * 1e200, W * 1e200, W, W),
        "sums beyond the floats": lambda: pecode.translate([1.7e308] * 2, 1, base=2.0),
        "an empty table": lambda: pecode.fit_translation([[]], 1),
        "a card without a name": lambda: compare({1: scorecard(pecode.count, length=200)}),
        "no marks": lambda: compare({}, mark=3),
        "too many positions to compare": lambda: scorecard(pecode.count, length=10**6),
    }.items(),
)
def test_it_is_refused_with_the_name_of_the_argument(name, call):
    with pytest.raises((TypeError, ValueError), match=r"^[\w, ]+: expected .+"):
        call()


def test_a_base_as_int_or_a_changed_decimal_context_makes_no_difference():
    expected = pecode.sinusoidal(7, 6, base=321.0)
    pecode._phases.steps.cache_clear()
    with decimal.localcontext() as context:
        context.traps[decimal.Inexact] = context.traps[decimal.FloatOperation] = True
        context.prec, context.Emax, context.rounding = 5, 20, decimal.ROUND_UP
        assert np.array_equal(pecode.sinusoidal(7, 6, base=321), expected)


@pytest.mark.parametrize("scale", [1e200, 1e-200])
def test_the_scale_of_the_vectors_changes_only_what_has_a_scale(scale):
    def scaled(positions):
        return scale * pecode.sinusoidal(positions, 8)

    plain, other = scorecard(lambda t: pecode.sinusoidal(t, 8), length=200), scorecard(scaled, 200)
    assert other.smallest_distance == pytest.approx(scale * plain.smallest_distance)
    assert other.neighbors_nearest == plain.neighbors_nearest
    assert other.step_ratio == pytest.approx(1)
    _, residuals = pecode.fit_translation(scaled(np.arange(50)), 2)
    assert residuals.max() < 1e-9 * scale


@pytest.mark.parametrize(
    "make",
    [
        lambda: Bits(position=True),
        lambda: SameValue(value=True),
        lambda: EncodingTable(column=True),
        lambda: EncodingTable(d_model=8.5),
        lambda: EncodingTable(d_model=12),
        lambda: EncodingTable(base=10**400),
    ],
)
def test_a_figure_refuses_a_value_of_another_kind(make):
    with pytest.raises(traitlets.TraitError):
        make()


def test_a_mistyped_trait_is_named():
    with pytest.raises(TypeError, match="expected some of gray, position, got postion"):
        Bits(postion=3)


def test_a_shift_is_found_in_vectors_near_the_end_of_the_floats():
    table = pecode.sinusoidal(range(50), 8)
    matrix, _ = pecode.fit_translation(table * 2.0**1023, 2)  # the largest power of two there is
    assert np.allclose(matrix, pecode.fit_translation(table, 2)[0])
