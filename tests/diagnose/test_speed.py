"""Reading a position without the table: time as a ratio, memory as a count of bytes."""

import numpy as np
import pytest

from pecode import sinusoidal, sinusoidal_table
from pecode.diagnose import decode, identify, positions_of_entry
from tests.measuring import best_ratio, peak_bytes, seconds


@pytest.mark.parametrize("sigma", [0.0, 0.5])
def test_a_row_is_found_faster_than_by_the_largest_of_all_dot_products(sigma):
    rng = np.random.default_rng(0)
    table = sinusoidal_table(131_072, 512, dtype=np.float32)
    row = (table[77_777] + sigma * rng.normal(size=512)).astype(np.float32)
    assert decode(row, 131_072) == (table @ row).argmax()
    # The table is built beforehand, and not counted. It takes a tenth of the time, mostly.
    bound = 0.5
    assert best_ratio(lambda: decode(row, 131_072), lambda: (table @ row).argmax(), bound) < bound


@pytest.mark.parametrize("rows", [1, 100])
def test_decoding_needs_no_table(rows):
    rng = np.random.default_rng(0)
    vectors = sinusoidal(np.arange(rows), 512) + 0.5 * rng.normal(size=(rows, 512))
    decode(vectors, 131_072)  # the steps of the hands stay in a cache
    peak = peak_bytes(lambda: decode(vectors, 131_072))
    assert peak < 131_072 * 512 * 4 / 10  # a tenth of the table in float32


def test_an_entry_of_a_slow_column_costs_nothing_like_a_search():
    positions_of_entry(0.5, 511, 512, 10)
    assert seconds(lambda: positions_of_entry(0.5, 511, 512, 10**8, tolerance=1e-9)) < 0.5


def test_a_table_is_named_in_less_time_than_a_hundred_tables_take():
    table = sinusoidal_table(4096, 512)
    bound = 100
    assert best_ratio(lambda: identify(table), lambda: sinusoidal_table(4096, 512), bound) < bound


def test_noise_is_told_from_a_table_at_a_glance():
    noise = np.random.default_rng(0).normal(size=(4096, 512))
    # 25 times what drawing it takes; five times that when each layout was compared to the last row.
    draw = lambda: np.random.default_rng(0).normal(size=(4096, 512))  # noqa: E731
    bound = 60
    assert best_ratio(lambda: identify(noise), draw, bound) < bound
