"""Ordinary tables are not accused, and unusual ones are named."""

import math

import numpy as np
import pytest

from pecode import frequencies, scaling, sinusoidal, sinusoidal_table
from pecode.__main__ import main
from pecode.diagnose import identify
from pecode.diagnose.identity.unusual import SUMMARIES
from pecode.diagnose.variants import VARIANTS
from pecode.precision import bfloat16

# Five ways in which people make a right table, in the precision they make it in


def with_exponentials(t, d, base):
    """As in PyTorch's tutorial: float32, exp of a multiple of the logarithm."""
    step = np.float32(-math.log(base) / d)
    angles = t.astype("f4")[:, None] * np.exp(np.arange(0, d, 2, dtype="f4") * step)
    return columns(angles, d)


def with_powers(t, d, base):
    return columns(t[:, None] * base ** (-2 * np.arange((d + 1) // 2) / d), d)


def with_inverse_frequencies(t, d, base):
    """As in rotary code: float32, one over a power."""
    inverse = np.float32(1) / np.float32(base) ** (np.arange(0, d, 2, dtype="f4") / np.float32(d))
    return columns(t.astype("f4")[:, None] * inverse, d)


def in_halves_to_the_endpoint(t, d, base):
    """As in tensor2tensor: float32, sines before cosines, a column of zeros at an odd width."""
    step = np.float32(math.log(base) / max(d // 2 - 1, 1))
    angles = t.astype("f4")[:, None] * np.exp(np.arange(d // 2, dtype="f4") * -step)
    return np.pad(np.concatenate([np.sin(angles), np.cos(angles)], axis=1), [(0, 0), (0, d % 2)])


def in_halves(t, d, base):
    angles = t[:, None] / base ** (2 * (np.arange(d) // 2) / d)
    return np.concatenate([np.sin(angles[:, 0::2]), np.cos(angles[:, 1::2])], axis=1).astype("f4")


def columns(angles, d):
    table = np.empty((len(angles), d), angles.dtype)
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)[:, : d // 2]
    return table


IMPLEMENTATIONS = (
    with_exponentials,
    with_powers,
    with_inverse_frequencies,
    in_halves_to_the_endpoint,
    in_halves,
)


def as_people_have_it(table, rng):
    """Stored with less precision, rounded for print, noisy, or scaled."""
    return (
        lambda: table,
        lambda: table.astype(np.float16),
        lambda: bfloat16(table),
        lambda: np.round(table, int(rng.integers(2, 5))),
        lambda: table + rng.normal(0, rng.choice([1e-5, 1e-4, 1e-3]), table.shape),
        lambda: table * rng.choice([0.5, 0.02, 11.3]),
    )[rng.integers(6)]()


@pytest.mark.parametrize("seed", range(3))
def test_no_right_table_is_accused(seed):
    rng = np.random.default_rng(seed)
    accused = []
    for _ in range(100):
        d = int(rng.choice([4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 32, 63, 64, 128, 512, 1024]))
        rows = int(rng.choice([3, 4, 5, 8, 16, 50, 200])) if d < 500 else 8
        t = np.arange(rows) + int(rng.choice([0, 0, 0, 1, 2, 7, 100, 5000]))
        make, base = IMPLEMENTATIONS[rng.integers(5)], float(rng.choice([1e4, 1e4, 5e5, 100]))
        found = identify(as_people_have_it(make(t, d, base), rng), base)
        if found is None or found.bug:
            accused.append((make.__name__, d, rows, t[0], base, found and found.name))
    assert accused == []


@pytest.mark.parametrize("noise", [0, 3e-3])
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.name)
def test_a_larger_tolerance_accepts_what_a_smaller_one_accepts(variant, noise):
    rng = np.random.default_rng(0)
    table = variant.make(12, 16)
    table = table + noise * rng.normal(size=table.shape)
    accepted = [identify(table, tolerance=t) is not None for t in (1e-9, 0.003, 0.01, 0.3)]
    assert accepted == sorted(accepted)


@pytest.mark.parametrize("tolerance", [1e-6, 0.01, 0.3, 1.0])
@pytest.mark.parametrize("value", [1.0, -0.7, 1e-300])
def test_one_number_everywhere_is_nothing(value, tolerance):
    for shape in ((3, 2), (10, 7), (50, 64)):
        assert identify(np.full(shape, value), tolerance=tolerance) is None


def side_by_side(angles):
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)


def half_precision(numbers):
    return np.asarray(numbers).astype(np.float16).astype(float)


def unusual_tables(rows, d):
    """Each name with a table that has it."""
    rng, t, omega = np.random.default_rng(0), np.arange(rows)[:, None], frequencies(d)
    right, ladder = sinusoidal_table(rows, d), np.arange(0, d, 2)
    cosines, sines, few = np.cos(t * omega), np.sin(t * omega), d // 4
    half = sinusoidal_table(9, d // 2)
    slow, fast = np.repeat(half[:5], 7, axis=0), np.tile(half[:7], (5, 1))
    padded = sinusoidal_table(rows, d, spacing="endpoint", layout="concatenated")
    padded[1] = 0
    late = np.arange(3000)
    return {
        "degrees": side_by_side(np.degrees(t * omega)),
        "degrees for radians": side_by_side(np.radians(t * omega)),
        "exponent over d - 1": side_by_side(t * 10000.0 ** (-ladder / (d - 1))),
        "log10 for ln": side_by_side(t * np.exp(-ladder / d * math.log10(10000))),
        "log2 for ln": side_by_side(t * np.exp(-ladder / d * math.log2(10000))),
        "exponents from 2": side_by_side(t * 10000.0 ** (-(ladder + 2) / d)),
        "another width": side_by_side(t * frequencies(512)[: d // 2]),
        "turns for radians": side_by_side(2 * np.pi * t * omega),
        "half turns for radians": side_by_side(np.pi * t * omega),
        "stride": sinusoidal_table(2 * rows, d)[::2],
        "positions from 0 to 1": side_by_side(t / (rows - 1) * omega),
        "jump": np.delete(right, rows // 2, axis=0),
        "bfloat16 frequencies": side_by_side(t * bfloat16(omega).astype(float)),
        "float16 frequencies": side_by_side(late[:400, None] * half_precision(omega)),
        "bfloat16 angles": side_by_side(bfloat16(t * omega).astype(float)),
        "float16 angles": side_by_side(half_precision(late[:400, None] * omega)),
        "float16 positions": side_by_side(half_precision(late)[:, None] * omega),
        "bfloat16 throughout": side_by_side(
            bfloat16(bfloat16(late[:250, None]) * bfloat16(omega)).astype(float)
        ),
        "float16 throughout": side_by_side(
            half_precision(half_precision(late[:400, None]) * half_precision(omega))
        ),
        "transposed": right.T,
        "reshaped for transposed": right.T.reshape(right.shape),
        "negated": -right,
        "sines negated": np.where(np.arange(d) % 2, right, -right),
        "rows reversed": right[::-1],
        "columns reversed": right[:, ::-1],
        "constant added": right + 0.2,
        "sines scaled": np.where(np.arange(d) % 2, right, 1.5 * right),
        "dropout left on": np.where(rng.random(right.shape) < 0.1, 0, right / 0.9),
        "negative entries cut off": np.maximum(right, 0),
        "columns of zeros": np.where(np.arange(d) % 2, 0, right),
        "interpolation by 4": side_by_side(t * omega / 4),
        "interpolation by 3.333": side_by_side(0.3 * t * omega),
        "NTK-aware by 8": side_by_side(t * scaling.ntk_aware(d, 8)),
        "YaRN by 4 from 4096": side_by_side(t * scaling.yarn(d, 4, 4096)),
        "Llama 3 by 8 from 8192": side_by_side(t * scaling.llama3(d, 8, 8192, 10000.0)),
        f"partial, {few} of {d} columns": side_by_side(
            t * np.pad(frequencies(few), (0, (d - few) // 2))
        ),
        f"partial, {d // 2} of {d} columns": side_by_side(
            t[:30] * np.pad(frequencies(d // 2), (0, d // 4))
        ),
        f"proportional, {few} of {d} columns": side_by_side(t * np.where(ladder < few, omega, 0)),
        "cosines alone": cosines,
        "cosines alone, halves alike": np.concatenate([cosines, cosines], axis=1),
        "cosines alone, neighbors alike": np.repeat(cosines, 2, axis=1),
        "sines alone": sines,
        "sines alone, halves alike": np.concatenate([sines, sines], axis=1),
        "grid of 5 × 7, rows first": np.concatenate([slow, fast], axis=1),
        "grid of 5 × 7, columns first": np.concatenate([fast, slow], axis=1),
        "row of zeros + concatenated + endpoint spacing": padded,
        "row of zeros + grid of 5 × 7, rows first": np.pad(
            np.concatenate([slow, fast], axis=1), [(1, 0), (0, 0)]
        ),
        "rows of zeros at the end": np.pad(right, [(0, 9), (0, 0)]),
        "half a position on": side_by_side((t + 0.5) * omega),
        "several texts in a row": np.concatenate([right[: rows // 2], right[: rows // 3]]),
        "padded on the left": np.concatenate([np.tile(right[0], (4, 1)), right]),
    }


UNUSUAL = {size: unusual_tables(*size) for size in ((60, 64), (200, 128))}


@pytest.mark.parametrize(
    ("name", "table"), [case for tables in UNUSUAL.values() for case in tables.items()]
)
def test_an_unusual_table_is_named(name, table):
    found = identify(table)
    assert found.name == name or name in found.also
    assert found.error <= 0.01
    assert (found.bug in SUMMARIES) == (found.name in SUMMARIES)
    assert str(found).startswith(found.name)


def test_every_mistake_has_a_case():
    assert SUMMARIES.keys() - {"never filled"} <= UNUSUAL[60, 64].keys()


@pytest.mark.parametrize(
    "made",
    [
        np.abs,
        np.square,
        np.round,
        lambda table: (table - table.mean(1, keepdims=True)) / table.std(1, keepdims=True),
        lambda table: (table - table.mean(0)) / (table.std(0) + 1e-9),
        lambda table: table * 0.98 ** np.arange(len(table))[:, None],
        lambda table: np.where(np.arange(len(table))[:, None] < 30, table, table[:, ::-1]),
        lambda table: np.where(np.add.outer(np.arange(60), np.arange(64)) < 60, table, 0),
        lambda table: np.repeat(table[::2], 2, axis=0),
        lambda table: table[:, np.r_[0:32, 48:64, 32:48]],
    ],
)
def test_what_was_made_of_a_right_table_in_a_way_not_known_here_is_not_accused(made):
    assert identify(made(sinusoidal_table(60, 64))) is None


@pytest.mark.parametrize(("row", "said"), [(20, "row 20 is at 21, after 19"), (None, "row 20")])
def test_a_jump_says_where(row, said):
    right = sinusoidal_table(60, 64)
    table = np.delete(right, row, axis=0) if row else np.insert(right, 20, right[19], axis=0)
    assert said in str(identify(table))


def test_texts_in_a_row_are_told_where_only_the_last_rows_count_by_one():
    positions = np.concatenate([[0], np.arange(30), np.arange(29)])  # of 1, 30 and 29 rows
    assert identify(sinusoidal(positions, 32)).conventions == ("several texts in a row",)


# Frequencies alone


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (frequencies(64), "paper"),
        (frequencies(64, 5e5), "wrong base"),
        (frequencies(64) / 4, "interpolation by 4"),
        (frequencies(128)[:16], "another width"),  # partial rotary, with the head's width
        (1 / frequencies(64), "divided twice"),
        (np.full(32, 1e-30), "never filled"),
        (scaling.proportional(64, 0.25), "proportional, 16 of 64 columns"),
    ],
)
def test_frequencies_are_named_without_a_layout(given, name):
    found = identify(given)
    assert (found.name, found.layout, found.first_position) == (name, "frequencies alone", 0)
    assert not any("length for width" in other for other in found.also)


@pytest.mark.parametrize("given", [[1.0], [0.5, 1.0, 0.2], [1.0, -0.1], []])
def test_numbers_that_are_no_frequencies_are_refused(given):
    with pytest.raises(ValueError, match=r"^table: expected"):
        identify(given)


def test_several_tables_are_refused_and_axes_of_one_dropped():
    right = sinusoidal_table(40, 16)
    with pytest.raises(ValueError, match=r"one table, such as table\[0\]"):
        identify(np.stack([right, right]))
    assert identify(right[None, None]).name == "paper"


def test_a_table_with_noise_is_told_to_be_near_a_name(tmp_path, capsys):
    noise = 0.02 * np.random.default_rng(0).normal(size=(60, 64))
    np.save(tmp_path / "table.npy", sinusoidal_table(60, 64) + noise)
    assert main(["identify", str(tmp_path / "table.npy")]) == 1
    said = capsys.readouterr().out
    assert said.startswith("Nothing that is known here fits within 0.01.")
    assert "With --tolerance 0.1 it may be: paper" in said


# What people have in their hands


class Tensor:
    """What the tensors of PyTorch do that numpy cannot see through."""

    def __init__(self, values, dtype="torch.float32", grad=True):
        self.values, self.dtype, self.grad = values, dtype, grad

    def detach(self):
        return Tensor(self.values, self.dtype, grad=False)

    def cpu(self):
        return self

    def float(self):
        return Tensor(self.values, grad=self.grad)

    def __array__(self, dtype=None, copy=None):
        if self.grad or "bfloat16" in self.dtype:
            raise TypeError("numpy cannot have this")
        return np.asarray(self.values, dtype)


class Frame:
    """What a data frame does."""

    def __init__(self, values):
        self.values = values

    def to_numpy(self):
        return self.values


TABLE = sinusoidal_table(40, 16)


@pytest.mark.parametrize(
    "given",
    [
        Tensor(TABLE),
        Tensor(TABLE, "torch.bfloat16"),
        Frame(TABLE),
        TABLE.tolist(),
        TABLE[None],
        TABLE[:, None],
        frequencies(16),
    ],
    ids=lambda given: type(given).__name__,
)
def test_what_people_have_is_taken(given):
    assert identify(given).name == "paper"


def test_an_array_of_another_package_s_type_is_taken():
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="numpy's bfloat16 is not installed")
    assert identify(TABLE.astype(ml_dtypes.bfloat16)).name == "paper"


def test_a_file_is_read(tmp_path, capsys):
    for name, table, status in (("paper", TABLE, 0), ("negated", -TABLE, 1)):
        np.save(tmp_path / "table.npy", table)
        assert identify(str(tmp_path / "table.npy")).name == name
        assert main(["identify", str(tmp_path / "table.npy")]) == status
        assert capsys.readouterr().out.startswith(name)
    np.save(tmp_path / "noise.npy", np.random.default_rng(0).normal(size=(20, 8)))
    assert main(["identify", str(tmp_path / "noise.npy")]) == 1


@pytest.mark.parametrize("content", [b"", b"{}", b"PK\x03\x04"])
def test_a_file_that_is_no_table_is_told(content, tmp_path, capsys):
    path = tmp_path / "table.npy"
    assert main(["identify", str(path)]) == 2
    assert "a file that exists" in capsys.readouterr().err
    path.write_bytes(content)
    assert main(["identify", str(path)]) == 2
    assert capsys.readouterr().err.startswith("table: expected a file that numpy.save wrote")
