"""Every notebook of the book is fit to be read: executed, small, described, clean."""

from pathlib import Path

import pytest

from tests.book import notebooks

ROOT = Path(__file__).parents[2]
FOLDERS = ("chapters", "exercises", "appendices")
PATHS = sorted(path for folder in FOLDERS for path in ROOT.glob(f"{folder}/*.ipynb"))


def test_the_book_has_chapters():
    assert any(path.parent.name == "chapters" for path in PATHS)


@pytest.mark.parametrize("rule", notebooks.CHECKS, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_notebook(path, rule):
    found = list(rule(notebooks.read(path)))
    assert not found, "\n".join([f"{path.relative_to(ROOT)}:", *found])
