"""What `identify` takes: arrays of other packages, and frequencies alone."""

import numpy as np
import pytest

from pecheck import identify
from pecode import frequencies, sinusoidal_table


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
