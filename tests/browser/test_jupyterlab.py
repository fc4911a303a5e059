"""A figure in JupyterLab: the class and the picture are two views of one state.

It starts a server, a kernel and a page of many megabytes: about half a minute.
"""

import contextlib
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest
from playwright.sync_api import expect

from .conftest import ROOT

pytest.importorskip("jupyterlab", reason="JupyterLab is not installed (the extra `lab`)")

PATIENCE = 120  # seconds: a busy machine takes long to start a kernel
CELLS = [
    "from pecode.explorers import Clock\n\nclock = Clock()\nclock",
    'print("offset", clock.offset)',
    'clock.position = 7\nprint("position", clock.position)',
]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def jupyterlab(folder):
    """JupyterLab on a folder, with nothing of the user's own settings; yields its address."""
    port, home = free_port(), folder / "home"
    notebooks = folder / "notebooks"
    home.mkdir()
    notebooks.mkdir()
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(
        nbformat.v4.new_notebook(cells=cells, metadata=kernel), notebooks / "figure.ipynb"
    )
    settings = home / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    # Offline: no news is fetched, and nobody is asked whether it may be.
    (settings / "notification.jupyterlab-settings").write_text('{"fetchNews": "false"}')
    environment = {
        **os.environ,
        "HOME": str(home),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1"),
        f"--port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={notebooks}",
        "--IdentityProvider.token=",  # this machine alone, for half a minute, with an empty folder
        "--PasswordIdentityProvider.hashed_password=",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
    ]
    output = folder / "jupyterlab.txt"
    with output.open("wb") as stream:
        server = subprocess.Popen(command, env=environment, stdout=stream, stderr=stream)
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(server, f"{address}/api", output)
            yield address
        finally:
            server.terminate()
            try:
                server.wait(timeout=20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def wait_for(server, url, output):
    """Wait until the server answers; if it ends instead, say what it printed."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if server.poll() is not None:
            break
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=5):
            return
        time.sleep(0.3)
    pytest.fail(f"JupyterLab did not start:\n{output.read_text(encoding='utf8')[-3000:]}")


def test_a_figure_and_its_class_share_their_state_in_jupyterlab(chromium, tmp_path):
    with jupyterlab(tmp_path) as address:
        context = chromium.new_context(viewport={"width": 1280, "height": 1600})
        context.set_default_timeout(PATIENCE * 1000)
        errors = []

        def note(message):
            # JupyterLab complains of its own affairs; a defect of a figure names its module.
            if message.type == "error" and re.search("blob:|anywidget|widget", message.text):
                errors.append(message.text)

        def stay_here(route):
            if route.request.url.startswith((address, "data:", "blob:")):
                route.continue_()
            else:
                route.abort()

        context.route("**/*", stay_here)
        page = context.new_page()
        page.on("console", note)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{address}/lab/tree/figure.ipynb")

        cells = page.locator(".jp-Notebook .jp-CodeCell")
        patience = {"timeout": PATIENCE * 1000}

        def run(number):
            cells.nth(number).locator(".cm-content").click()
            page.keyboard.press("Control+Enter")

        def printed(number):
            return cells.nth(number).locator(".jp-OutputArea-output")

        expect(cells).to_have_count(len(CELLS), **patience)
        expect(page.get_by_text("| Idle")).to_be_visible(**patience)  # the kernel is there

        run(0)
        figure = page.locator(".explorer")
        expect(figure.locator(".ex-said")).to_contain_text("To move by 3,", **patience)

        offset = figure.get_by_role("slider", name="offset Δ")
        offset.focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        expect(figure.locator(".ex-said")).to_contain_text("To move by 5,", **patience)
        expect(offset).to_be_focused()  # the keys have not moved the notebook

        run(1)
        expect(printed(1)).to_contain_text("offset 5", **patience)

        run(2)
        expect(printed(2)).to_contain_text("position 7", **patience)
        heads = figure.locator("svg").last.locator("text")
        expect(heads.filter(has_text="position 7 + 5 = 12")).to_have_count(1, **patience)
        position = figure.get_by_role("slider", name="position t")
        expect(position).to_have_value("7", **patience)
        assert errors == []
        context.close()
