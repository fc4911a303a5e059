"""What `identify` takes: arrays of other packages."""

import numpy as np
import pytest

from pecheck import identify
from pecode import sinusoidal_table


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
