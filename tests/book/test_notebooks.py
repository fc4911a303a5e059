"""Every notebook of the book is fit to be read: executed, small, described, clean."""

from pathlib import Path

import pytest

from tests.book import notebooks

ROOT = Path(__file__).parents[2]
FOLDERS = ("chapters", "exercises", "appendices")
PATHS = sorted(path for folder in FOLDERS for path in ROOT.glob(f"{folder}/*.ipynb"))


def test_the_book_has_chapters():
    assert any(path.parent.name == "chapters" for path in PATHS)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_notebook(path):
    of_chapter = notebooks.OF_CHAPTERS if path.parent.name == "chapters" else []
    found = notebooks.problems(notebooks.read(path), [*notebooks.CHECKS, *of_chapter])
    assert not found, "\n".join([f"{path.relative_to(ROOT)}:", *found])
