"""The tests, in rooms that mirror the code: they import what they share by its full name."""

from pathlib import Path

import yaml


def data(name):
    """Return the cases of a YAML file among the tests."""
    return yaml.safe_load((Path(__file__).parent / name).read_text("utf8"))
