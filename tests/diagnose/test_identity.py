"""A table gets the name of the convention or the mistake that it follows, or none."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pecode import binary, sinusoidal, sinusoidal_table
from pecode._check import LAYOUTS, SPACINGS
from pecode.diagnose import identify
from pecode.diagnose.variants import VARIANTS


def arranged(table, layout):
    """An interleaved table in another layout."""
    sines, cosines = table[:, 0::2], table[:, 1::2]
    first, second = (cosines, sines) if "cosine first" in layout else (sines, cosines)
    if "concatenated" in layout:
        return np.concatenate([first, second], axis=1)
    return np.stack([first, second], axis=2).reshape(len(table), -1)


ALL_LAYOUTS = ["interleaved", "cosine first", "concatenated", "concatenated, cosine first"]


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("d_model", [8, 64, 512, 4096])
def test_every_mistake_and_convention_of_the_gallery_is_named(variant, d_model):
    length = 600 if variant.name == "low precision" and d_model < 4096 else 300
    table = variant.make(length, d_model)
    dtypes = (np.float32, np.float64) if d_model < 4096 else (np.float32,)  # which takes seconds
    for dtype in dtypes:
        assert identify(table.astype(dtype)).name == variant.name


@given(
    st.integers(4, 130),
    st.integers(3, 100),
    st.sampled_from(ALL_LAYOUTS),
    st.sampled_from(SPACINGS),
    st.floats(1, 7),
    st.integers(-5, 10**5) | st.integers(-5, 20),
    st.sampled_from([np.float16, np.float32, np.float64, "noise"]),
    st.sampled_from([1.0, 22.6, 0.05]),
)
@settings(max_examples=150)
def test_a_convention_is_read_off_any_slice(
    n_pairs, rows, layout, spacing, log_base, first, rounding, scale
):
    base = float(f"{10**log_base:.2e}")
    positions = first + np.arange(rows)
    table = arranged(sinusoidal(positions, 2 * n_pairs, base, spacing=spacing), layout)
    if rounding == "noise":
        table = table + 1e-3 * np.random.default_rng(rows).normal(size=table.shape)
    else:
        table = table.astype(rounding).astype(float)
    found = identify(scale * table, base)
    assert (found.layout, found.first_position) == (layout, first)
    assert found.scale == pytest.approx(scale, rel=0.01)
    # a few noisy rows of a few hands may not tell 2i/d from i/(d/2 - 1): then it says so
    if (found.spacing, found.base) != (spacing, base):
        assert any(other.startswith(spacing) for other in found.also) or found.spacing == spacing
        assert found.confidence < 0.9 or found.base == pytest.approx(base, rel=1e-2)


@given(st.integers(4, 100), st.integers(12, 60), st.integers(0, 1), st.integers(-5, 10**5))
@settings(max_examples=25)
def test_exponents_by_column_are_read_off_any_slice(n_pairs, rows, doubled, first):
    j = np.arange(2 * n_pairs)
    angles = (first + np.arange(rows))[:, None] * 10000.0 ** (-(1 + doubled) * j / len(j))
    found = identify(np.where(j % 2, np.cos(angles), np.sin(angles)))
    assert found.bug == ("factor 2 by column" if doubled else "exponent by column")
    assert (found.first_position, found.base) == (first, 10000)


def strangers(rows, d_model, rng):
    """Tables that follow none of the laws."""
    right = sinusoidal_table(rows, d_model)
    swapped = right.copy()
    some = rng.choice(rows, max(2, rows // 20), replace=False)
    swapped[some] = swapped[np.roll(some, 1)]
    mixed_columns, mixed_rows = right.copy(), right.copy()
    mixed_columns[:, d_model // 2 :] = rng.normal(size=(rows, d_model - d_model // 2))
    mixed_rows[rows // 2 :] = rng.normal(size=(rows - rows // 2, d_model))
    one_entry = right.copy()
    one_entry[3, 3] += 0.1
    omega = rng.uniform(0, 1, d_model // 2)
    angles = np.arange(rows)[:, None] * omega
    return {
        "normal": rng.normal(size=(rows, d_model)),
        "a learned table before training": 0.02 * rng.normal(size=(rows, d_model)),
        "uniform": rng.uniform(-1, 1, (rows, d_model)),
        "a random walk": np.cumsum(rng.normal(size=(rows, d_model)), axis=0),
        "rows in another order": right[rng.permutation(rows)],
        "columns in another order": right[:, rng.permutation(d_model)],
        "one row in twenty swapped": swapped,
        "noise of 0.3": right + 0.3 * rng.normal(size=right.shape),
        "half of the columns random": mixed_columns,
        "half of the rows random": mixed_rows,
        "one wrong entry": one_entry,
        "zeros": np.zeros((rows, d_model)),
        "ones": np.ones((rows, d_model)),
        "one random row": np.tile(rng.normal(size=d_model), (rows, 1)),
        "one-hot": np.eye(max(rows, d_model))[:rows, :d_model],
        "binary": binary(np.arange(rows), 60)[:, -d_model:],
        "binary as ±1": 2 * binary(np.arange(rows), 60)[:, -d_model:] - 1,
        "counts": np.tile(np.arange(rows)[:, None] / rows, d_model),
        "random frequencies": np.concatenate([np.sin(angles), np.cos(angles)], axis=1),
        "random points on circles": arranged(
            np.exp(1j * rng.uniform(0, 7, (rows, d_model // 2))).view(float), "interleaved"
        ),
        "rows twice": np.repeat(right, 2, axis=0),
    }


@pytest.mark.parametrize("rows", [12, 60])
@pytest.mark.parametrize("d_model", [8, 10, 16, 32, 64])
def test_what_follows_no_law_gets_no_name(rows, d_model):
    rng = np.random.default_rng(rows + d_model)
    named = {
        kind: str(found)
        for kind, table in strangers(rows, d_model, rng).items()
        if (found := identify(table)) is not None
    }
    assert named == {}


@pytest.mark.parametrize("d_model", [4, 5, 11])
def test_rows_of_zeros_between_others_get_no_name(d_model):
    table = np.zeros((3, d_model))
    table[0, 0] = table[2, 0] = 1
    assert identify(table) is None


@pytest.mark.parametrize(("n_pairs", "tolerance"), [(3, 0.2), (4, 0.3), (6, 0.3)])
def test_hands_that_no_law_fits_are_refused_at_a_loose_tolerance_too(n_pairs, tolerance):
    # All hands but the first turn back and forth: the fit of a slowing law runs away from them.
    omega = np.array([1.0] + [np.pi] * (n_pairs - 1))
    hands = np.exp(1j * np.arange(10)[:, None] * omega)  # (10, n_pairs)
    table = np.stack([hands.imag, hands.real], axis=2).reshape(10, -1)
    assert identify(table, tolerance=tolerance) is None


def test_a_law_that_needs_the_expected_base_is_preferred_and_the_others_are_told():
    table = sinusoidal_table(50, 32, base=1e8)
    doubled = identify(table)
    assert (doubled.name, doubled.base) == ("factor 2 doubled", 10000)
    assert "paper, base 1e+08" in doubled.also
    assert identify(table, base=1e8).name == "paper"
    assert identify(sinusoidal_table(50, 32, base=500_000.0)).name == "wrong base"
    assert identify(sinusoidal_table(50, 32, base=500_000.0), base=500_000.0).bug is None


@pytest.mark.parametrize("d_model", [3, 5, 7, 63, 511])
@pytest.mark.parametrize("rows", [3, 64, 512])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_odd_width_that_was_cut_from_the_even_one_above_is_told(d_model, rows, layout):
    cut = sinusoidal_table(rows, d_model + 1, layout=layout)[:, :-1]
    found = identify(cut)
    assert (found.spacing, found.base, found.bug) == ("even width", 10000, None)
    assert found.conventions[-1] == "even width"
    assert found.error < 1e-13
    assert np.abs(cut - sinusoidal_table(rows, d_model, layout=layout)).max() > 1e-3
    assert identify(sinusoidal_table(rows, d_model, layout=layout)).spacing == "paper"


@pytest.mark.parametrize("d_model", [5, 9, 63])
@pytest.mark.parametrize("rows", [3, 64, 512])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("spacing", SPACINGS)
def test_an_odd_width_that_was_filled_up_with_zeros_is_told(d_model, rows, layout, spacing):
    table = sinusoidal_table(rows, d_model - 1, layout=layout, spacing=spacing)
    found = identify(np.pad(table, [(0, 0), (0, 1)]))
    assert found == replace(
        identify(table), conventions=(*identify(table).conventions, "zero column")
    )
    assert (found.spacing, found.base) == (spacing, 10000)


def test_a_last_column_of_zeros_may_be_the_sine_of_position_0_in_every_row():
    found = identify(np.tile(sinusoidal(0, 7), (5, 1)))
    assert (found.name, found.conventions) == ("along the batch", ())


def test_the_row_of_position_1_again_and_again_is_no_way_of_counting():
    found = identify(VARIANTS["along the batch"].make(20, 32))
    assert (found.bug, found.first_position, found.conventions) == ("along the batch", 1, ())


@pytest.mark.parametrize("rounding", [np.float16, "noise"])
def test_a_base_that_nobody_uses_does_not_become_a_plain_base_of_a_rare_law(rounding):
    rng = np.random.default_rng(0)
    right = 0
    for _ in range(30):
        base = float(np.exp(rng.uniform(np.log(3), np.log(1e9))))
        rows, d_model = int(rng.integers(30, 600)), int(rng.integers(8, 130))
        table = sinusoidal_table(rows, d_model, base)
        noise = 1e-3 * rng.normal(size=table.shape)
        found = identify(table + noise if rounding == "noise" else table.astype(rounding))
        right += found.spacing == "paper" and math.isclose(found.base, base, rel_tol=0.02)
    # Of a hundred bases one is near enough to a base of two digits less in one of the other laws.
    assert right >= 27


@pytest.mark.parametrize("d_model", [30, 54, 60, 62])
def test_the_exponent_of_another_width_is_named_before_a_base_that_nobody_uses(d_model):
    # The first columns of 64 have the exponents 2i/64. Where a table has 512 rows, dividing by
    # the length gives the same for the base 1e32, whose single digit is plain, and nobody's base.
    found = identify(sinusoidal_table(512, 64)[:, :d_model])
    assert (found.bug, found.spacing, found.base) == ("another width", "exponent over 64", 10000)


@pytest.mark.parametrize(("d_model", "base"), [(48, 1e6), (96, 1e6), (192, 1e6), (96, 1e3)])
def test_a_power_of_ten_is_likelier_than_the_exponent_of_another_width(d_model, base):
    # 1e6 ** (2/96) is 10000 ** (2/64), too.
    found = identify(sinusoidal_table(60, d_model, base))
    assert (found.bug, found.spacing, found.base) == ("wrong base", "paper", base)


def test_another_base_than_the_expected_one_is_not_called_a_lost_zero():
    text = str(identify(sinusoidal_table(50, 32, 500_000.0)))
    assert text.startswith("wrong base")
    assert "zero" not in text
    assert "not the one that is expected" in text


def test_few_rows_that_cannot_tell_give_a_low_confidence():
    rng = np.random.default_rng(0)
    vague = sinusoidal_table(3, 512) + 1e-3 * rng.normal(size=(3, 512))
    clear = sinusoidal_table(300, 64) + 1e-3 * rng.normal(size=(300, 64))
    assert identify(vague).confidence < 0.9 < identify(clear).confidence
    assert identify(sinusoidal_table(300, 64)).confidence > 0.999


def test_the_tolerance_decides_how_much_noise_is_believed():
    table = sinusoidal_table(200, 64)
    noisy = table + 0.02 * np.random.default_rng(0).normal(size=table.shape)
    assert identify(noisy) is None
    assert identify(noisy, tolerance=0.15).name == "paper"
    assert identify(noisy, tolerance=0.15).error == pytest.approx(
        np.abs(noisy - table).max(), rel=0.01
    )


def test_an_identity_reads_as_text():
    text = str(identify(8 * VARIANTS["positions from 1"].make(30, 64)))
    assert text.startswith("positions from 1: interleaved, paper spacing, base 10000, first")
    assert "scale 8" in text


@pytest.mark.parametrize("factor", [1e-300, 1e300])
def test_the_scale_may_be_anything(factor):
    assert identify(factor * sinusoidal_table(20, 16)).scale == pytest.approx(factor)
