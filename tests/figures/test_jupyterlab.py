"""A figure in JupyterLab: the class and the picture are two views of one state."""

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest
from playwright.sync_api import expect

from ..browser_fixtures import ROOT

pytest.importorskip("jupyterlab", reason="JupyterLab is not installed (the extra `lab`)")
CELLS = [
    "from figures import Clock",
    "clock = Clock()\nclock",
    "clock.offset",
    "clock.position = 7",
]


@pytest.fixture
def notebook(tmp_path):
    """JupyterLab with a notebook of CELLS, and nothing of the user's settings; its address."""
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS])
    made.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(made, tmp_path / "figure.ipynb")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}"]
    command += [f"--ServerApp.root_dir={tmp_path}", "--IdentityProvider.token="]
    command += ["--LabApp.extension_manager=readonly"]
    places = ("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTERLAB_SETTINGS_DIR")
    home = dict.fromkeys(places, str(tmp_path / "home")) | {"PYTHONPATH": str(ROOT)}
    server = subprocess.Popen(command, env=os.environ | home, stderr=subprocess.DEVNULL)
    try:
        address, end = f"http://127.0.0.1:{port}", time.monotonic() + 90
        while time.monotonic() < end and server.poll() is None:
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/api"):
                break
            time.sleep(0.3)
        yield f"{address}/lab/tree/figure.ipynb"
    finally:
        server.terminate()
        server.wait(timeout=30)


def test_a_figure_and_its_class_share_their_state_in_jupyterlab(chromium, notebook):
    page = chromium.new_page(viewport={"width": 1280, "height": 1600})
    expect.set_options(timeout=120_000)
    page.goto(notebook)
    expect(page.get_by_text("| Idle")).to_be_visible()

    def run(k):
        cell = page.locator(".jp-Notebook .jp-CodeCell").nth(k)
        cell.locator(".cm-content").click()
        page.keyboard.press("Control+Enter")
        return cell

    run(0)
    figure = run(1).locator(".moving-figure")
    offset = figure.get_by_role("slider", name="offset Δ", exact=True)
    offset.press("ArrowRight")
    expect(offset).to_be_focused()  # the keys have not moved the notebook
    expect(run(2).locator(".jp-OutputArea-output")).to_have_text("13")
    run(3)
    expect(figure.locator(".ex-said")).to_contain_text("position 7 becomes position 20")
    expect.set_options(timeout=5_000)  # the library's own
    page.close()
