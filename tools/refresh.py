"""Run notebooks again in place and store them in one normal form.

    python -m tools.refresh chapters/01-attention.ipynb …

The normal form holds nothing that changes from run to run or from machine to machine, so that
a difference in git is a difference in the book: no timings, no interpreter version, and widget ids
that count. Figures are SVG without a date or a random name (figures/svg.py).
"""

import argparse
import hashlib
import json
import os
import re
import sys
import time
from pathlib import Path

import nbformat
import numpy as np
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from exercises.notebooks import updated_source
from publishing.home import ROOT

# In seconds, for a machine three times as slow as ours; the Makefile has the same for the tests.
CELL_TIMEOUT = 360
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
KERNELSPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE = {"name": "python", "file_extension": ".py", "mimetype": "text/x-python",
            "codemirror_mode": {"name": "ipython", "version": 3},
            "nbconvert_exporter": "python", "pygments_lexer": "ipython3"}  # fmt: skip

# Processors round in different ways, and some hundred steps of training carry that into the second
# decimal. Those with AVX2, nearly all of Intel and AMD, agree when they use nothing newer.
SIMD = np.show_config(mode="dicts")["SIMD Extensions"]["found"]
ROUNDING = {
    "OPENBLAS_CORETYPE": "Haswell",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
}
ROUNDING = ROUNDING if "X86_V3" in SIMD else {}


def execute(notebook, folder):
    """Run every cell in a fresh kernel; a cell that fails or hangs raises."""
    notebook.metadata.kernelspec = KERNELSPEC
    notebook.metadata.pop("widgets", None)  # states of earlier runs would be kept beside the new
    NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
        coalesce_streams=True,
        # The kernel warns that its ports on this machine are not encrypted; errors are still said.
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
    ).execute(env=os.environ | ROUNDING | {"PECODE_PROGRESS": ""})  # what is done here is not kept


def normalize(notebook, stem):
    """Return the notebook in its normal form; `stem` makes its widget ids its own."""
    notebook.metadata["kernelspec"] = nbformat.from_dict(KERNELSPEC)
    notebook.metadata["language_info"] = nbformat.from_dict(LANGUAGE)
    for cell in notebook.cells:
        for noise in ("execution", "collapsed", "scrolled"):
            cell.metadata.pop(noise, None)
    states = notebook.metadata.get("widgets", {}).get(WIDGET_STATE, {}).get("state", {})
    if not states:
        return notebook
    text = json.dumps(notebook)
    # The order of the text, cells first: the order of the dictionary of states is not defined.
    found = re.findall("|".join(states), json.dumps(notebook.cells) + json.dumps(states))
    for count, model_id in enumerate(dict.fromkeys(found)):
        stable = hashlib.md5(f"{stem}/{count}".encode()).hexdigest()  # 32 hex digits, as theirs
        text = text.replace(model_id, stable)
    return nbformat.reads(text, as_version=4)


def refresh(path):
    """Run one notebook and store it; nothing is written when a cell fails."""
    notebook = nbformat.read(path, as_version=4)
    if path.resolve().parent == ROOT / "exercises":
        for cell in notebook.cells:
            cell.source = updated_source(cell)
    execute(notebook, path.parent)
    notebook = normalize(notebook, path.stem)
    nbformat.validate(notebook)
    nbformat.write(notebook, path)


def main():
    """Refresh the notebooks named on the command line; exit 1 when one of them fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="+", type=Path)
    failed = 0
    for path in parser.parse_args().notebooks:
        start = time.perf_counter()
        try:
            refresh(path)
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            failed += 1
            print(f"✗ {path}: left as it was\n{error}", file=sys.stderr)
        else:
            print(f"✓ {path} ({time.perf_counter() - start:.1f} s)")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
