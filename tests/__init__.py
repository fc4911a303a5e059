"""The tests, in rooms that mirror the code: they import what they share by its full name."""

from pathlib import Path

import yaml


def data(name, loader=yaml.SafeLoader):
    """Return the cases of a YAML file among the tests."""
    return yaml.load((Path(__file__).parent / name).read_text("utf8"), loader)
