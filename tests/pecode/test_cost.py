"""What makes tables and rotations fast, without a clock: little memory, and few sines."""

import tracemalloc

import numpy as np
import pytest

from pecode import _phases, rotate, sinusoidal_table

FLOAT32 = np.float32


def peak(function):
    """Most memory at once, as a multiple of the result."""
    tracemalloc.start()
    try:
        size = function().nbytes
        return tracemalloc.get_traced_memory()[1] / size
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("dtype", [FLOAT32, np.float64])
@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
@pytest.mark.parametrize(
    "shape", [(512, 512), (2048, 512), (131_072, 512), (16_384, 128), (1024, 4096), (20_001, 65)]
)
def test_a_table_is_made_in_its_own_memory_and_a_third(shape, layout, dtype):
    most = 1.3 if shape != (512, 512) else 1.5  # what is remembered counts in a small one
    assert peak(lambda: sinusoidal_table(*shape, layout=layout, dtype=dtype)) < most


@pytest.mark.parametrize("dtype", [FLOAT32, np.float64])
@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize(
    ("shape", "positions"),
    [
        ((32, 1024, 128), range(1024)),  # heads share their positions
        ((16_384, 128), range(16_384)),  # no two rows do
        ((16_384, 128), np.arange(16_384) * 0.5),
        ((64, 256, 64), np.arange(64 * 256).reshape(64, 256)),
    ],
)
def test_a_rotation_needs_half_as_much_memory_as_x_beside_the_result(
    shape, positions, layout, dtype
):
    x = np.ones(shape, dtype)
    assert peak(lambda: rotate(x, positions, layout=layout)) < 1.5


@pytest.fixture
def computed(monkeypatch):
    """The numbers of phases that were asked for, each of which costs a sine and a cosine."""
    sizes, phases = [], _phases.phases

    def counted(*arguments):
        result = phases(*arguments)
        sizes.append(result.size)
        return result

    monkeypatch.setattr(_phases, "phases", counted)
    return sizes


def test_a_table_takes_a_hundredth_of_the_sines_and_its_next_length_none(computed):
    sinusoidal_table(10_000, 256, base=77.0)
    assert 0 < sum(computed) < 10_000 * 128 / 100
    sinusoidal_table(300, 256, base=77.0)
    computed.clear()
    for length in (0, 1, 16, 100, 128, 500):
        sinusoidal_table(length, 256, base=77.0)
    assert not computed


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_positions_in_a_row_take_few_sines_and_the_same_ones_again_none(computed, layout):
    x, t = np.ones((32, 2048, 64), FLOAT32), np.arange(2048) + 10**6
    rotate(x, t, 77.0, layout)
    assert 0 < sum(computed) < 2048 * 32 / 100
    computed.clear()
    rotate(x, t, 77.0, layout)
    rotate(2 * x, list(t), 77.0, layout)
    assert not computed
