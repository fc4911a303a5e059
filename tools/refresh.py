"""Run notebooks again in place and store them in one normal form.

    python tools/refresh.py chapters/01-attention.ipynb …

The normal form holds nothing that changes from run to run or from machine to machine, so that
a difference in git is a difference in the book: no timings, no interpreter version, widget ids
that count, and a picture is replaced only when one of its pixels changed.
"""

import argparse
import base64
import copy
import hashlib
import io
import json
import os
import re
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from PIL import Image

CELL_TIMEOUT = 120  # seconds; the same limit as the check that runs the notebooks
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
KERNELSPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE = {"name": "python", "file_extension": ".py", "mimetype": "text/x-python",
            "codemirror_mode": {"name": "ipython", "version": 3},
            "nbconvert_exporter": "python", "pygments_lexer": "ipython3"}  # fmt: skip


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
    ).execute(env={**os.environ, "PECODE_PROGRESS": ""})  # what is done here is not stored there


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


def keep_equal_pictures(notebook, before):
    """Put the stored PNG back where the new one shows the same pixels."""
    stored = {cell.id: _pictures(cell) for cell in before.cells}
    for cell in notebook.cells:
        for old, new in zip(stored.get(cell.id, []), _pictures(cell), strict=False):
            if _pixels(old["image/png"]) == _pixels(new["image/png"]):
                new["image/png"] = old["image/png"]


def _pictures(cell):
    return [out.data for out in cell.get("outputs", []) if "image/png" in out.get("data", {})]


def _pixels(text):
    image = Image.open(io.BytesIO(base64.b64decode(text)))
    return image.size, image.convert("RGBA").tobytes()


def refresh(path):
    """Run one notebook and store it; nothing is written when a cell fails."""
    before = nbformat.read(path, as_version=4)
    notebook = copy.deepcopy(before)
    execute(notebook, path.parent)
    notebook = normalize(notebook, path.stem)
    keep_equal_pictures(notebook, before)
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
