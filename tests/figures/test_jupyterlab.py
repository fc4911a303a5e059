"""A figure in JupyterLab: the class and the picture are two views of one state."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import expect

from ..browser_fixtures import ROOT, jupyter

pytest.importorskip("jupyterlab", reason="JupyterLab is not installed (the extra `lab`)")
CELLS = [
    "from figures import Clock",
    "clock = Clock()\nclock",
    "clock.offset",
    "clock.position = 7",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The notebooks that JupyterLab opens: one of CELLS, and a chapter as it is stored, twice."""
    folder = tmp_path_factory.mktemp("lab")
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS])
    made.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(made, folder / "figure.ipynb")
    stored = nbformat.read(ROOT / "chapters/05-translation.ipynb", as_version=4)
    cells = [cell for cell in stored.cells if cell.cell_type == "code"]
    stored.cells = [cell for cell in cells if "import" in cell.source or "TwoWaves" in cell.source]
    stored.cells[0].metadata.pop("jupyter")  # unfolded, to be clicked on
    stills = Path("publishing/website/stills")
    shutil.copytree(ROOT / stills, folder / stills)
    (folder / "chapters").mkdir()
    for name in ("unknown", "trusted"):
        stored.metadata["title"] = name  # what is trusted is the content, whatever its file
        nbformat.write(stored, folder / f"chapters/{name}.ipynb")
    return folder


@pytest.fixture(scope="module")
def jupyterlab(folder):
    """JupyterLab with these notebooks, and nothing of the user's settings; its address."""
    places = ("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTERLAB_SETTINGS_DIR")
    home = dict.fromkeys(places, str(folder / "home")) | {"PYTHONPATH": str(ROOT)}
    environment = os.environ | home
    trust = [sys.executable, "-m", "jupyter", "trust", "chapters/trusted.ipynb"]
    subprocess.run(trust, cwd=folder, env=environment, check=True, capture_output=True)
    options = [f"--ServerApp.root_dir={folder}", "--LabApp.extension_manager=readonly"]
    quiet = {"env": environment, "stderr": subprocess.DEVNULL}
    with jupyter("jupyterlab", *options, **quiet) as address:
        yield address


@pytest.fixture
def tab(new_tab, jupyterlab):
    """Open a notebook, and wait for its kernel."""
    expect.set_options(timeout=120_000)

    def opened(name):
        page = new_tab(viewport={"width": 1280, "height": 1600})
        # A workspace of its own: else what was open before is opened again.
        page.goto(f"{jupyterlab}/lab/workspaces/{Path(name).name}/tree/{name}.ipynb")
        expect(page.get_by_text("| Idle")).to_be_visible()
        return page

    yield opened
    expect.set_options(timeout=5_000)  # the library's own


def run(page, k):
    cell = page.locator(".jp-Notebook .jp-CodeCell").nth(k)
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    return cell


def test_a_figure_and_its_class_share_their_state_in_jupyterlab(tab):
    page = tab("figure")
    run(page, 0)
    figure = run(page, 1).locator(".moving-figure")
    offset = figure.get_by_role("slider", name="offset Δ", exact=True)
    offset.press("ArrowRight")
    expect(offset).to_be_focused()  # the keys have not moved the notebook
    expect(run(page, 2).locator(".jp-OutputArea-output")).to_have_text("13")
    run(page, 3)
    expect(figure.locator(".ex-said")).to_contain_text("position 7 becomes position 20")


@pytest.mark.parametrize("trust", ["unknown", "trusted"])
def test_a_stored_figure_is_a_picture_until_its_cell_is_run(tab, trust):
    """JupyterLab shows HTML of a notebook that it does not trust, of another one a widget."""
    page = tab(f"chapters/{trust}")
    outputs = page.locator(".jp-Notebook .jp-OutputArea-output")
    expect(outputs).to_have_text("Run this cell to move it.")
    still = outputs.get_by_role("img", name="A still of TwoWaves")
    expect(still).to_have_js_property("complete", True)
    assert still.evaluate("image => image.naturalWidth") > 1000
    as_html = page.locator(".jp-Notebook [data-mime-type='text/html']")
    expect(as_html).to_have_count(int(trust == "unknown"))
    run(page, 0)
    cell = run(page, 1)
    expect(cell.locator(".moving-figure .ex-said")).to_contain_text("At position 12")
    expect(cell.get_by_text("Run this cell to move it.")).to_have_count(0)
