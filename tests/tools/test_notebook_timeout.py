"""What `make test-notebooks` says of a cell that runs too long."""

import subprocess
import sys

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from publishing.home import ROOT


def test_a_timeout_is_named_and_the_cells_behind_it_are_skipped():
    sources = ["import time", "time.sleep(60)", "a = 1", "b = 2"]
    cells = [new_code_cell(source, execution_count=k) for k, source in enumerate(sources, start=1)]
    path = ROOT / "_build" / "too_long.ipynb"
    path.parent.mkdir(exist_ok=True)
    nbformat.write(new_notebook(cells=cells), path)
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", "-q", "-rs"]
    run = subprocess.run(
        [*command, "--nbval-cell-timeout=1", path], cwd=ROOT, capture_output=True, text=True
    )
    path.unlink()
    assert "1 failed, 1 passed, 2 skipped" in run.stdout, run.stdout
    assert "Timeout of 1 seconds exceeded" in run.stdout
    assert "an earlier cell of this notebook ran too long" in run.stdout
