"""What the tests draw, the same on every run: arguments that many functions have, and arrays."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from pecode._check import LAYOUTS, SPACINGS

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("repeatable")

positions = st.integers(-(2**61), 2**61)  # two of them add up within 64 bits
offsets = positions
seeds = st.integers(0, 10**6)
pairs = st.integers(1, 16)
even_widths = pairs.map(lambda n: 2 * n)
bases = st.floats(1.01, 1e6)
layouts = st.sampled_from(LAYOUTS)
spacings = st.sampled_from(SPACINGS)
factors = st.floats(1, 100)


def normal(seed, *shape):
    """Random numbers; the seed is drawn, so that a failing case is a short one."""
    return np.random.default_rng(seed).normal(size=shape)
