"""A figure in JupyterLab: the class and the picture are two views of one state.

One server, one kernel and one notebook: a figure for every kind of control, and all of them, in a
minute more, with PECODE_PAGES=all.
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

import figures

from ..browser_fixtures import ALL_PAGES, ROOT
from .page import settled

pytest.importorskip("jupyterlab", reason="JupyterLab is not installed (the extra `lab`)")

PATIENCE = 120_000  # milliseconds: a busy machine takes long to start a kernel
STEP = 30_000  # and not so long for a step, once the kernel is there
START = """
import numpy as np

import figures

rng = np.random.default_rng(0)
tables = rng.normal(size=(3, 8, 4))
recordings = [{"task": "a", "steps": [0, 9, 20], "tables": tables, "accuracy": [0.1, 0.5, 0.9]}]
results = {"recent": {name: rng.random((3, 64)) for name in ["learned", "ALiBi"]}}
""".strip()
# What is given to a figure; a control, a key, and what it makes of a trait; a trait set in Python.
FIGURES = {
    "WordClock": ("", "slider", "position t", "ArrowRight", "position", 5, "position = 9"),
    "Shuffle": ("", "checkbox", "causal mask", "Space", "causal", True, "order = [4, 1, 2, 3, 0]"),
    "SameValue": ("", "slider", "words in the text", "ArrowRight", "length", 52, "plain = 1"),
    "Bits": ("", "slider", "position", "ArrowRight", "position", 32, "gray = True"),
    "SquareToSine": ("", "slider", "sines that are left", "ArrowRight", "waves", 24, "waves = 3"),
    "TwoWaves": ("", "slider", "position t", "ArrowRight", "position", 13, "omega = 0.5"),
    "OneHand": ("", "slider", "offset Δ", "ArrowRight", "offset", 5, "position = 7"),
    "Curve": ("", "slider", "position t", "ArrowRight", "position", 2, "turn = 20"),
    "EncodingTable": ("", "slider", "column", "ArrowLeft", "column", 5, "d_model = 16"),
    "Clock": ("", "slider", "offset Δ", "ArrowRight", "offset", 13, "position = 7"),
    "Playback": ("recordings", "slider", "training step", "ArrowRight", "frame", 1, "position = 3"),
    "WordSum": (
        *("", "slider", "position of the second word, t", "ArrowRight", "second", 7),
        "words = 0.5",
    ),
    "Reach": ("results", "checkbox", "learned", "Space", "shown", ["ALiBi"], "position = 40"),
    "BiasHeads": ("", "slider", "head", "ArrowRight", "head", 4, "scheme = 't5'"),
    "TwoTurns": ("", "slider", "key at s", "ArrowRight", "n", 101, "m = 200"),
    "Stretch": (
        *("", "combobox", "scaling", "ArrowDown", "scaling", "ntk"),
        "distance = 90",
    ),
    "GridKernel": ("", "slider", "row", "ArrowRight", "row", 7, "scheme = 'mixed'"),
    "VideoClock": ("", "slider", "latent frame", "ArrowRight", "frame", 51, "slowed = True"),
    "BaseBound": ("", "slider", "tokens in a text", "Home", "length", 256, "base = 50_000"),
    "Cache": ("", "slider", "how many tokens", "ArrowRight", "by", 4, "turn = 2"),
    "GuessTheBug": (
        "",
        "radio",
        "no bug",
        "ArrowDown",
        "chosen",
        "factor 2 doubled",
        "late = True",
    ),
}
# The first with a slider, and those with another control or with what a training has given.
DRIVEN = FIGURES if ALL_PAGES else ["WordClock", "Stretch", "Reach", "GuessTheBug"]
# What a figure has drawn.
PICTURE = """figure => JSON.stringify([
  ...[...figure.querySelectorAll("svg")].map(drawing => drawing.outerHTML),
  ...[...figure.querySelectorAll("canvas")].map(drawing => drawing.toDataURL()),
])"""


def cells():
    """The cells of the notebook: a start, and three for each figure."""
    sources = [START]
    for name in DRIVEN:
        given, _, _, _, trait, _, assignment = FIGURES[name]
        show = f"figure = figures.{name}({given})\nfigure"
        tell = f'print("{trait}:", repr(figure.{trait}))'
        sources += [show, tell, f'figure.{assignment}\nprint("set")']
    return [nbformat.v4.new_code_cell(source) for source in sources]


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
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(
        nbformat.v4.new_notebook(cells=cells(), metadata=kernel), notebooks / "figures.ipynb"
    )
    settings = {
        # Offline: no news is fetched, and nobody is asked whether it may be.
        "apputils-extension/notification": '{"fetchNews": "false"}',
        # Every cell is on the page, also those far below the screen.
        "notebook-extension/tracker": '{"windowingMode": "none"}',
    }
    for name, text in settings.items():
        path = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(text)
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
    end = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < end:
        if server.poll() is not None:
            break
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=5):
            return
        time.sleep(0.3)
    pytest.fail(f"JupyterLab did not start:\n{output.read_text(encoding='utf8')[-3000:]}")


def test_every_figure_can_be_driven_and_every_kind_of_control_is():
    assert set(FIGURES) == set(figures.FIGURES)
    roles = {FIGURES[name][1] for name in DRIVEN}
    assert roles == {role for _, role, *_ in FIGURES.values()}


def test_a_figure_and_its_class_share_their_state_in_jupyterlab(chromium, tmp_path, subtests):
    with jupyterlab(tmp_path) as address, notebook(chromium, address) as (page, errors):
        expect(page.locator(".jp-Notebook .jp-CodeCell")).to_have_count(len(cells()))
        expect(page.get_by_text("| Idle")).to_be_visible()  # the kernel is there
        run(page, 0)
        expect.set_options(timeout=STEP)
        page.set_default_timeout(STEP)
        for number, name in enumerate(DRIVEN):
            with subtests.test(name):
                drive(page, name, 3 * number + 1)
                assert errors == []
            errors.clear()


@contextlib.contextmanager
def notebook(chromium, address):
    """The notebook in a tab, and the list of what a figure in it complains of."""
    context = chromium.new_context(viewport={"width": 1280, "height": 1600})
    context.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
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
    try:
        page.goto(f"{address}/lab/tree/figures.ipynb")
        yield page, errors
    finally:
        expect.set_options(timeout=5_000)  # the library's own
        context.close()


def run(page, number):
    """Run a cell of the notebook; return what it shows."""
    cell = page.locator(".jp-Notebook .jp-CodeCell").nth(number)
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    return cell.locator(".jp-OutputArea-output")


def drive(page, name, number):
    """Move a control of a figure and ask its class; set a trait in Python and see it drawn."""
    _, role, control, key, trait, value, _ = FIGURES[name]
    figure = run(page, number).locator(".moving-figure")
    expect(figure).to_be_visible()
    moved = figure.get_by_role(role, name=control, exact=True)
    settled(page)
    before = figure.evaluate(PICTURE)

    moved.focus()
    page.keyboard.press(key)
    if role != "radio":  # there the key moves to the next one
        expect(moved).to_be_focused()  # the keys have not moved the notebook
    expect(run(page, number + 1)).to_have_text(f"{trait}: {value!r}")
    settled(page)
    after = figure.evaluate(PICTURE)
    assert (after != before) == (name != "GuessTheBug")  # a guess is drawn when it is checked

    expect(run(page, number + 2)).to_have_text("set")
    page.wait_for_function(
        f"([figure, after]) => ({PICTURE})(figure) !== after", arg=[figure.element_handle(), after]
    )
