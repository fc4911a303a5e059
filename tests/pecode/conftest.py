"""Drawn cases: the same ones on every run, so that a red test can be run again."""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("repeatable")
