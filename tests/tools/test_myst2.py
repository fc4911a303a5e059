"""`python -m tools.myst2`: the sources as a project of MyST, the program behind Jupyter Book 2."""

import json
import re
import shutil
import subprocess

import pytest

from tools import myst2
from tools.home import ROOT

MYST = shutil.which("myst")
UNKNOWN = re.compile(r"\{(?:doc|py:\w+|eval-rst|ledger-table|moving-figure|literalinclude)\}")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(myst2, "TARGET", tmp_path_factory.mktemp("myst") / "book")
        myst2.main()
        yield myst2.TARGET


def test_nothing_is_left_that_only_version_1_understands(project):
    pages = [path for path in project.rglob("*") if path.suffix in (".md", ".ipynb")]
    assert len(pages) == (ROOT / "_toc.yml").read_text("utf8").count("file: ") + 1
    texts = {path.name: path.read_text("utf8") for path in pages}
    assert {
        name: UNKNOWN.findall(text) for name, text in texts.items() if UNKNOWN.search(text)
    } == {}
    assert '"label": "fig-next-value"' in texts["05-translation.ipynb"]
    clock = texts["05-translation.ipynb"].partition("/widgets/Clock.js")[2]
    state = re.search(r"\{.*?\}", clock)[0].replace("\\", "")
    assert json.loads(state) == {"base": 10000, "offset": 12, "position": 120}
    for module in (project / "widgets").iterdir():
        assert module.read_text("utf8").count("export default") == 1


def test_a_module_that_ends_otherwise_is_refused():
    with pytest.raises(ValueError, match="code: expected a module with"):
        myst2.module("export default () => {};")


@pytest.mark.skipif(not MYST, reason="no `myst` here: `npm install -g mystmd` brings it")
def test_myst_reads_the_whole_book_without_an_error(project):
    run = subprocess.run([MYST, "build", "--site"], cwd=project, capture_output=True, text=True,
                         stdin=subprocess.DEVNULL, timeout=600)  # fmt: skip
    said = run.stdout + run.stderr
    # It asks the addresses of other hosts for their titles: another workflow looks after those.
    errors = [line for line in said.splitlines() if "⛔" in line and 'Link for "http' not in line]
    assert errors == []
    assert re.search(r"Built \d+ pages for project", said)
