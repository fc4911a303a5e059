"""What `identify` takes: arrays of other packages, frequencies alone, files; and its command."""

import numpy as np
import pytest

from pecode import frequencies, sinusoidal_table
from pecode.__main__ import main
from pecode.diagnose import identify
from pecode.diagnose.variants import VARIANTS


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
    [Tensor(TABLE), Tensor(TABLE, "torch.bfloat16"), Frame(TABLE), TABLE.tolist(), TABLE[:, None]],
    ids=["tensor", "bfloat16", "frame", "list", "batch"],
)
def test_tensors_frames_lists_and_a_batch_of_one_are_taken(given):
    assert identify(given).name == "paper"


def test_several_tables_are_refused():
    with pytest.raises(ValueError, match=r"one table, such as table\[0\]"):
        identify(np.stack([TABLE, TABLE]))


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (frequencies(64), "paper"),
        (frequencies(64, 5e5), "wrong base"),
        (frequencies(128)[:16], "another width"),  # partial rotary, with the head's width
        (1 / frequencies(64), "divided twice"),
        (np.full(32, 1e-30), "never filled"),
    ],
)
def test_frequencies_are_named_without_a_layout(given, name):
    found = identify(given)
    assert (found.name, found.layout, found.first_position) == (name, "frequencies alone", 0)
    assert not any("length for width" in other for other in found.also)
    assert str(found).startswith(name)


@pytest.mark.parametrize("given", [[1.0], [0.5, 1.0, 0.2], [1.0, -0.1], []])
def test_numbers_that_are_not_frequencies_are_refused(given):
    with pytest.raises(ValueError, match=r"^table: expected"):
        identify(given)


# The command


def command(path, table, capsys):
    np.save(path, table)
    return main(["identify", str(path)]), capsys.readouterr().out


def test_the_command_names_a_table_and_its_status_says_whether_it_is_right(tmp_path, capsys):
    path = tmp_path / "table.npy"
    for name, table, expected in (
        ("paper", TABLE, 0),
        ("cosine first", VARIANTS["cosine first"].make(40, 16), 0),
        ("factor 2 lost", VARIANTS["factor 2 lost"].make(40, 16), 1),
    ):
        status, said = command(path, table, capsys)
        assert (status, said.split(":")[0]) == (expected, name)
        assert identify(str(path)).name == name


def test_the_command_says_what_a_noisy_table_may_be(tmp_path, capsys):
    noise = 0.02 * np.random.default_rng(0).normal(size=(60, 64))
    status, said = command(tmp_path / "table.npy", sinusoidal_table(60, 64) + noise, capsys)
    assert status == 1
    assert said.startswith("Nothing that is known here fits within 0.01.")
    assert "With --tolerance 0.1 it may be: paper" in said


@pytest.mark.parametrize("content", [b"", b"{}", b"PK\x03\x04"])
def test_a_file_that_is_not_a_table_is_refused(content, tmp_path, capsys):
    path = tmp_path / "table.npy"
    assert main(["identify", str(path)]) == 2
    assert "a file that exists" in capsys.readouterr().err
    path.write_bytes(content)
    assert main(["identify", str(path)]) == 2
    assert capsys.readouterr().err.startswith("table: expected a file that numpy.save wrote")
