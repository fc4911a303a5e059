"""Run notebooks again in place and store them in one normal form.

    python -m tools.refresh chapters/01-attention.ipynb …

The normal form holds nothing that changes from run to run or from machine to machine, so that
a difference in git is a difference in the book: no timings, no interpreter version, and widget ids
that count. Figures are SVG without a date or a random name (figures/svg.py).

Nor does it hold the code of moving figures. A stored widget names its class: the site mounts the
file of that class, and in JupyterLab the kernel brings it. Before a cell is run JupyterLab shows
the figure's still picture there.
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
from publishing.website.noscript import STATE, VIEW, class_of

# In seconds, for a machine three times as slow as ours; the Makefile has the same for the tests.
CELL_TIMEOUT = 360
STILL = '<img src="../publishing/website/stills/{0}.png" width="700" alt="A still of {0}">\n'
TO_RUN = {"Question": "answer", "Progress": "see what you have passed"}  # figures: move it
# Of a notebook that it does not trust JupyterLab shows HTML; of one that it trusts, a widget, which
# has to find the file of the picture itself. Without any code it would be an error.
STAND_IN = """export default { render({ el }) {
  el.innerHTML = %s;
  const here = location.href.replace(/\\/(lab|doc)\\b.*?\\/tree\\//, "/files/");
  for (const img of el.querySelectorAll("img")) img.src = new URL(img.getAttribute("src"), here);
} };"""
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
    states = notebook.metadata.get("widgets", {}).get(STATE, {}).get("state", {})
    if not states:
        return notebook
    _leave_out_code(notebook, states)
    text = json.dumps(notebook)
    # The order of the text, cells first: the order of the dictionary of states is not defined.
    found = re.findall("|".join(states), json.dumps(notebook.cells) + json.dumps(states))
    for count, model_id in enumerate(dict.fromkeys(found)):
        stable = hashlib.md5(f"{stem}/{count}".encode()).hexdigest()  # 32 hex digits, as theirs
        text = text.replace(model_id, stable)
    return nbformat.reads(text, as_version=4)


def _leave_out_code(notebook, states):
    """Store in place of a widget's code what JupyterLab shows before the cell is run."""
    shown = {}
    for model_id, model in list(states.items()):
        state = model["state"]
        if not (name := class_of(state)):
            del states[model_id]  # a layout: all are alike, and nobody reads them
            continue
        still = "" if name in TO_RUN else STILL.format(name)
        shown[model_id] = f"{still}<p>Run this cell to {TO_RUN.get(name, 'move it')}.</p>"
        state["_esm"] = STAND_IN % json.dumps(shown[model_id])
        state.pop("_css", None)
        if name == "Heads":  # a page of the site has its vectors from a file
            state.pop("vectors", None)
        state.pop("layout", None)
    for cell in notebook.cells:
        for data in (output.get("data", {}) for output in cell.get("outputs", [])):
            if VIEW in data:
                data["text/html"] = shown[data[VIEW]["model_id"]]


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
