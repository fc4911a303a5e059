"""Compares the figures of the notebooks as a reader sees them, not letter by letter as nbval."""

import os

import pytest

from tests.book.figures import compare_outputs
from tools.refresh import ROUNDING

pytest_plugins = ["tests.browser_fixtures"]


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    os.environ["PECODE_PROGRESS"] = ""  # a test that passes an exercise is not the reader's success
    if config.getoption("nbval", default=False):
        os.environ.update(ROUNDING)
        _compare_figures_too()


def _compare_figures_too():
    from nbval.plugin import IPyNbCell

    compare_text = IPyNbCell.compare_outputs

    def compare(self, test, ref, skip_compare=None):
        skipped = (*(skip_compare or self.parent.skip_compare), "image/svg+xml")
        same_text = compare_text(self, test, ref, skipped)
        problems = compare_outputs(stored=ref, fresh=test)
        self.comparison_traceback += [f"\n{problem}" for problem in problems]
        return same_text and not problems

    IPyNbCell.compare_outputs = compare
