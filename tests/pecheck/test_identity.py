"""A table gets the name of the convention or the mistake that it follows, or none."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pecheck import identify
from pecheck.variants import VARIANTS
from pecode import alibi_slopes, binary, frequencies, sinusoidal, sinusoidal_table
from pecode._check import LAYOUTS, SPACINGS
from pecode.precision import bfloat16
from pecode.scaling import interpolated, yarn


def arranged(table, layout):
    """An interleaved table in another layout."""
    sines, cosines = table[:, 0::2], table[:, 1::2]
    first, second = (cosines, sines) if "cosine first" in layout else (sines, cosines)
    if "concatenated" in layout:
        return np.concatenate([first, second], axis=1)
    return np.stack([first, second], axis=2).reshape(len(table), -1)


ALL_LAYOUTS = ["interleaved", "cosine first", "concatenated", "concatenated, cosine first"]


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("d_model", [8, 64, 512])
def test_every_mistake_and_convention_is_named(variant, d_model):
    length = 600 if variant.name == "low precision" else 300
    table = variant.make(length, d_model)
    for dtype in (np.float16, np.float32, np.float64):
        found = identify(table.astype(dtype))
        assert found.name == variant.name
        assert (found.bug is None) == (variant.kind == "convention")


# Right tables, exact or made in float32 as the code of libraries makes them


def with_exponentials(t, d, base):
    """As in PyTorch's tutorial: float32, exp of a multiple of the logarithm."""
    step = np.float32(-math.log(base) / d)
    return interleaved(t.astype("f4")[:, None] * np.exp(np.arange(0, d, 2, dtype="f4") * step), d)


def in_halves_to_the_endpoint(t, d, base):
    """As in tensor2tensor: float32, sines before cosines."""
    step = np.float32(math.log(base) / max(d // 2 - 1, 1))
    angles = t.astype("f4")[:, None] * np.exp(np.arange(d // 2, dtype="f4") * -step)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def interleaved(angles, d):
    table = np.empty((len(angles), d), angles.dtype)
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)[:, : d // 2]
    return table


STORED = {
    "as it is": lambda table, rng: table,
    "float16": lambda table, rng: table.astype(np.float16),
    "bfloat16": lambda table, rng: bfloat16(table),
    "printed": lambda table, rng: np.round(table, int(rng.integers(2, 5))),
    "noisy": lambda table, rng: table + rng.normal(0, 1e-3, table.shape),
    "scaled": lambda table, rng: table * rng.choice([0.5, 0.02, 11.3]),
}


@pytest.mark.parametrize("stored", STORED)
@pytest.mark.parametrize(
    "make",
    [with_exponentials, in_halves_to_the_endpoint, sinusoidal,
     partial(sinusoidal, layout="concatenated")],
)  # fmt: skip
def test_no_right_table_is_accused(make, stored):
    rng = np.random.default_rng(0)
    for d in (4, 5, 6, 7, 9, 10, 16, 32, 63, 64, 128, 512):
        rows, first = int(rng.choice([3, 4, 8, 50])), int(rng.choice([0, 0, 1, 2, 100, 5000]))
        base = float(rng.choice([1e4, 5e5, 100]))
        table = STORED[stored](make(first + np.arange(rows), d, base), rng)
        found = identify(table, base)
        assert found is not None, (d, rows, first, base)
        assert found.bug is None, (d, rows, first, base)


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
    # A few noisy rows of a few pairs may not tell 2i/d from i/(d/2 - 1): then it says so.
    if (found.spacing, found.base) != (spacing, base):
        assert any(other.startswith(spacing) for other in found.also) or found.spacing == spacing


def strangers(rows, d_model, rng):
    """Tables that follow none of the laws."""
    right = sinusoidal_table(rows, d_model)
    swapped, one_entry, mixed = right.copy(), right.copy(), right.copy()
    some = rng.choice(rows, max(2, rows // 20), replace=False)
    swapped[some] = swapped[np.roll(some, 1)]
    one_entry[3, 3] += 0.1
    mixed[:, d_model // 2 :] = rng.normal(size=(rows, d_model - d_model // 2))
    return {
        "normal": rng.normal(size=(rows, d_model)),
        "a random walk": np.cumsum(rng.normal(size=(rows, d_model)), axis=0),
        "rows in another order": right[rng.permutation(rows)],
        "columns in another order": right[:, rng.permutation(d_model)],
        "one row in twenty swapped": swapped,
        "noise of 0.3": right + 0.3 * rng.normal(size=right.shape),
        "half of the columns random": mixed,
        "one wrong entry": one_entry,
        "zeros": np.zeros((rows, d_model)),
        "ones": np.ones((rows, d_model)),
        "one random row": np.tile(rng.normal(size=d_model), (rows, 1)),
        "one-hot": np.eye(max(rows, d_model))[:rows, :d_model],
        "binary": binary(np.arange(rows), 60)[:, -d_model:],
        "counts": np.tile(np.arange(rows)[:, None] / rows, d_model),
        "random points on circles": np.exp(7j * rng.random((rows, d_model // 2))).view(float),
        "rows twice": np.repeat(right, 2, axis=0),
        "absolute values": np.abs(right),
        "rows reversed": right[::-1],
        "an odd width, from far": np.roll(sinusoidal(range(9, 9 + rows), 15), 1, axis=0),
    }


@pytest.mark.parametrize("rows", [12, 60])
@pytest.mark.parametrize("d_model", [8, 10, 64])
def test_what_follows_no_law_gets_no_name(rows, d_model):
    rng = np.random.default_rng(rows + d_model)
    found = {what: identify(table) for what, table in strangers(rows, d_model, rng).items()}
    assert found == dict.fromkeys(found)  # None each


def test_a_law_with_the_expected_base_is_preferred_and_the_others_are_told():
    table = sinusoidal_table(50, 32, base=1e8)
    doubled = identify(table)
    assert (doubled.name, doubled.base) == ("factor 2 doubled", 10000)
    assert "paper, base 1e+08" in doubled.also
    assert identify(table, base=1e8).name == "paper"
    other = identify(sinusoidal_table(50, 32, base=500_000.0))
    assert str(other).startswith("wrong base")
    assert "not the expected one" in str(other)  # a lost zero is only one of the reasons
    assert identify(sinusoidal_table(50, 32, base=500_000.0), base=500_000.0).bug is None


@pytest.mark.parametrize("rows", [3, 64, 512])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_odd_width_cut_from_the_even_one_above_is_told(rows, layout):
    for d_model in (3, 5, 7, 63, 511):
        cut = sinusoidal_table(rows, d_model + 1, layout=layout)[:, :-1]
        found = identify(cut)
        assert (found.spacing, found.base, found.bug) == ("even width", 10000, None)
        assert found.conventions[-1] == "even width"
        assert found.error < 1e-13
        assert identify(sinusoidal_table(rows, d_model, layout=layout)).spacing == "paper"


IDS = {
    "IDs 0 to 19, 0 to 32, 0 to 6": [*range(20), *range(33), *range(7)],
    "IDs 0 (7 times), 0 to 39": [*[0] * 7, *range(40)],
    "IDs 1 (3 times), 0 to 39": [*[1] * 3, *range(40)],
    "IDs 0 to 29, 1 (5 times)": [*range(30), *[1] * 5],
    "IDs 2 to 19, 2 to 32": [*range(2, 20), *range(2, 33)],
}
HALF = np.arange(2100).astype(np.float16).astype(float)
FREQUENCIES = {
    "paper": frequencies(64),
    "wrong base": frequencies(64, 5e5),
    "another width": frequencies(128)[:16],  # partial rotary, with the head's width
    "divided twice": 1 / frequencies(64),
    "never filled": np.full(32, 1e-30),
}
NAMED = [  # a table or frequencies, and some of what is found
    (sinusoidal(bfloat16(300 + np.arange(300)), 64),
     {"bug": "low precision", "first_position": 300}),
    # The first columns of 64 have the exponents 2i/64. Where a table has 512 rows, dividing by the
    # length gives the same for the base 1e32, whose single digit is plain, and nobody's base.
    *((sinusoidal_table(512, 64)[:, :d],
       {"bug": "another width", "spacing": "exponent over 64", "base": 10000}) for d in (30, 62)),
    # 1e6 ** (2/96) is 10000 ** (2/64), too: a power of ten goes before another width.
    *((sinusoidal_table(60, d, base), {"bug": "wrong base", "spacing": "paper", "base": base})
      for d, base in ((48, 1e6), (96, 1e6), (96, 1e3))),
    (np.exp(1j * np.outer(range(9), frequencies(32))).astype("c8"), {"name": "paper"}),
    (np.cos(np.outer(HALF, frequencies(32))), {"name": "positions in float16"}),
    (interpolated(64, 4), {"name": "all divided by 4 (interpolation)"}),
    *((yarn(64, n, 2048), {"name": f"from pair 21 on divided by {n} (as YaRN or Llama 3)"})
      for n in (4, 2)),
    (np.degrees(frequencies(64)), {"name": "all multiplied by 57.3"}),
    (frequencies(64) / (2 * np.pi), {"name": "all divided by 6.283 (2π: turns, not radians)"}),
    (bfloat16(frequencies(64)), {"name": "frequencies in bfloat16"}),
    *((given, {"name": name, "layout": "frequencies alone", "first_position": 0})
      for name, given in FREQUENCIES.items()),
    *((table, {"bug": "along the batch", "first_position": first, "conventions": ()})
      for table, first in ((np.tile(sinusoidal(0, 7), (5, 1)), 0),
                           (VARIANTS["along the batch"].make(20, 32), 1))),
    *((factor * sinusoidal_table(20, 16), {"scale": pytest.approx(factor)})
      for factor in (1e-300, 1e300)),
    *((np.where(np.isin(range(200), zeros)[:, None], 0, sinusoidal(range(-s, 200 - s), 64)),
       {"name": f"zeros (padding, class token), then position {text}"}) for zeros, s, text in (
          ([0], 1, "0 in row 1"), ([0], 0, "1 in row 1"), ([1], 0, "2 in row 2, row 0 not read"))),
    *((alibi_slopes(n), {"name": "slopes of ALiBi"}) for n in (4, 8, 12, 32)),
    *((2.0 ** (-8 * np.arange(n) / n), {"bug": "slopes from 1"}) for n in (4, 8, 12, 32)),
    (2.0 ** (-8 * np.arange(1, 13) / 12), {"bug": "slopes of one power"}),
    *((cast(interleaved(np.outer(ids, frequencies(32)), 32)), {"conventions": (name,),
       "first_position": ids[0]}) for name, ids in IDS.items() for cast in (np.array, bfloat16)),
    *((cast(np.cos(np.tile(np.outer(ids, frequencies(32)), 2))), {"conventions": ("cosines alone",
       name)}) for name, ids in IDS.items() for cast in (np.array, bfloat16)),
    (np.cos(np.outer(range(1, 50), frequencies(64))),
     {"first_position": 1, "conventions": ("cosines alone", "IDs 1 to 49")}),
    (interleaved(np.outer(range(0, -40, -1), frequencies(32)), 32), {"name": "steps of -1"}),
    *((wave(np.arange(40)[:, None] / n * frequencies(64)),
       {"conventions": (name, f"steps of {1 / n:.4g}")})  # of interpolated positions
      for wave, name in ((np.cos, "cosines alone"), (np.sin, "sines alone")) for n in (2, 2.5, 16)),
]  # fmt: skip


@pytest.mark.parametrize(("table", "expected"), NAMED)
def test_a_table_or_frequencies_have_the_name_of_what_they_follow(table, expected):
    found = identify(table)
    assert {name: getattr(found, name) for name in expected} == expected
    assert str(found).startswith(found.name)
    if found.layout == "frequencies alone":  # they have no length
        assert not any("length for width" in other for other in found.also)


def test_the_tolerance_decides_how_much_noise_is_believed():
    table = sinusoidal_table(200, 64)
    noisy = table + 0.02 * np.random.default_rng(0).normal(size=table.shape)
    assert identify(noisy) is None
    assert identify(2 * np.pi / frequencies(64)) is None  # wavelengths are no mistake
    found = identify(noisy, tolerance=0.15)
    assert found.name == "paper"
    assert found.error == pytest.approx(np.abs(noisy - table).max(), rel=0.01)


def test_an_identity_reads_as_text():
    text = str(identify(8 * VARIANTS["positions from 1"].make(30, 64)))
    assert text.startswith("positions from 1: interleaved, paper spacing, base 10000, first")
    assert "scale 8" in text
    narrower = sinusoidal_table(60, 64)[:, :30]
    assert "another width" in str(identify(narrower)).splitlines()[2]


def flattened(rows, columns, width=32, step=1.0, order=1):
    """Half of the vector of a place is that of its row, half that of its column, as DETR has it."""
    places = np.mgrid[:rows, :columns].reshape(2, -1)[::order]
    return np.hstack([sinusoidal(step * (each + 1.0), width) for each in places])


@pytest.mark.parametrize("options", [{}, {"step": 0.2}, {"order": -1}])
def test_a_picture_row_by_row_is_named_as_a_grid(options):
    name = identify(flattened(6, 9, **options)).name
    assert name.startswith("grid of 6 rows and 9 columns")
    assert ("steps of 0.2" in name) == ("step" in options)
    noise = np.random.default_rng(0).normal(size=(54, 32))
    assert identify(np.hstack([flattened(6, 9)[:, :32], noise])) is None


ROUNDINGS = {  # of positions, of frequencies, of angles, and the name of it
    "cosines alone": (np.asarray, np.asarray, np.asarray),
    "low precision": (bfloat16, np.asarray, np.asarray),
    "frequencies in bfloat16": (np.asarray, bfloat16, np.asarray),
    "angles in bfloat16": (np.asarray, np.asarray, bfloat16),
    "angles in bfloat16, as all": (bfloat16, bfloat16, bfloat16),
    "angles in float16": (np.asarray, np.asarray, lambda a: a.astype(np.float16).astype(float)),
}


@pytest.mark.parametrize("name", ROUNDINGS)
@pytest.mark.parametrize("base", [10000.0, 500_000.0])
def test_a_rotary_cache_is_named_with_what_was_rounded(name, base):
    of_positions, of_frequencies, of_angles = ROUNDINGS[name]
    omega = of_frequencies(frequencies(64, base))
    angles = of_angles(of_positions(np.arange(600.0))[:, None] * omega)
    name = name.removesuffix(", as all")
    for cache in (angles, np.hstack([angles, angles]), np.repeat(angles, 2, axis=1)):
        found = identify(np.cos(cache).astype(np.float32), base)
        assert (found.name, found.layout, found.base) == (name, "cosines alone", base)
    if "angles" in name:
        assert identify(interleaved(angles, 64), base).name == name
    assert identify(np.sin(angles), base).layout == "sines alone"


@pytest.mark.parametrize(("first", "name"), [(0.5, "centers of cells"), (1, "positions from 1")])
def test_positions_in_other_steps_are_told(first, name):
    """As DETR's: a whole turn across the picture."""
    for base in (10_000, 20):  # DAB-DETR has base 20
        angles = ((np.arange(20) + first) / 20 * 2 * np.pi)[:, None] * frequencies(128, base)
        found = identify(interleaved(angles, 128))
        assert found.conventions == ("steps of 0.3142", name)
        assert found.first_position == int(first)
        assert (found.base, found.bug) == (base, "wrong base" if base == 20 else None)
    assert "and steps of 0.3142" in str(found)
