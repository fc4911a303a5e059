"""What the tests of this room draw; each property test draws the same every time."""

from hypothesis import settings
from hypothesis import strategies as st

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("repeatable")

bases = st.floats(2, 1e6)
