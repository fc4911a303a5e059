"""How long and how much memory: what the tests of speed measure with."""

import time
import tracemalloc

import numpy as np


def seconds(function):
    """How long this thread computed; the time that other programs were given is not in it."""
    start = time.thread_time()
    function()
    return time.thread_time() - start


def best_ratio(first, second, bound, rounds=30, in_a_row=5):
    """Computing time of the first over that of the second, measured side by side.

    A busy machine slows both, through the memory and the caches that programs share, and rarely
    either of them: so we compare the shortest time of each, and go on measuring until the bound is
    met or the rounds are used up.
    """
    first(), second()  # warm up: caches of ours, and pages of the system's
    shortest = [np.inf, np.inf]
    for count in range(1, rounds + 1):
        for k, function in enumerate((first, second)):
            shortest[k] = min(shortest[k], seconds(function))
        if count >= in_a_row and shortest[0] < bound * shortest[1]:
            break
    return shortest[0] / shortest[1]


def peak_bytes(function):
    """Most memory that Python and numpy held at once, beyond what they held before."""
    tracemalloc.start()
    try:
        result = function()  # kept until we have looked
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    del result
    return peak
