"""The command that renames chapters, on a copy of the repository."""

import re
import shutil
import subprocess
import sys

import pytest

from book import CHAPTERS
from publishing.home import ROOT

LINE = '        "binary": "Binary",\n'


@pytest.fixture
def copy(tmp_path):
    """What git has of the repository, in a repository of its own."""
    names = subprocess.check_output(["git", "ls-files"], cwd=ROOT, encoding="utf8").splitlines()
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tmp_path / name)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "--all"], cwd=tmp_path, check=True)
    return tmp_path


def renumber(copy, text):
    """Write book.py and run the command; returns what it prints."""
    (copy / "book.py").write_text(text, "utf8")
    command = [sys.executable, "-m", "tools.renumber"]
    return subprocess.run(
        command, cwd=copy, check=True, capture_output=True, encoding="utf8"
    ).stdout


def texts(copy):
    listed = subprocess.check_output(["git", "ls-files"], cwd=copy, encoding="utf8").splitlines()
    texts = [name for name in listed if name.endswith((".ipynb", ".md", ".py", ".yml"))]
    return {name: (copy / name).read_text("utf8") for name in texts}


def test_a_chapter_is_taken_out_and_put_back(copy):
    before = texts(copy)
    said = renumber(copy, before["book.py"].replace(LINE, ""))
    without = texts(copy)
    listed = re.findall(r"file: ((?:chapters|exercises)/\d\S+)", without["_toc.yml"])
    assert f"chapters/{CHAPTERS['sinusoid'].number - 1:02}-sinusoid" in listed
    assert {f"{name}.ipynb" for name in listed} < without.keys()
    old = "|".join(rf"\b{each.slug}" for each in CHAPTERS.values() if each.number > 3)
    assert {name for name, text in without.items() if re.search(old, text)} <= {"CHANGELOG.md"}
    gone, number = CHAPTERS["binary"].slug, CHAPTERS["rotary"].number
    assert re.search(rf"^appendices/glossary.md:\d+: {gone}$", said, re.M)  # what names it still
    assert re.search(rf"^appendices/choosing.ipynb:\d+: chapter {number}$", said, re.M)
    renumber(copy, before["book.py"])
    changed = {name for name, text in texts(copy).items() if text != before[name]}
    assert changed == {"_toc.yml"}  # two lines, for the author of a chapter
