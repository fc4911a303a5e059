"""Every notebook of the book is fit to be read: executed, small, described, clean."""

import copy
import re

import pytest

from publishing.home import ROOT
from tests.book import notebooks
from tools.refresh import normalize

FOLDERS = ("chapters", "exercises", "appendices")
PATHS = sorted(path for folder in FOLDERS for path in ROOT.glob(f"{folder}/*.ipynb"))


def test_the_tour_has_at_most_twenty_folds():
    cells = notebooks.read(ROOT / "chapters" / "tour.ipynb").cells
    hidden = [cell for cell in cells if "hide-" in " ".join(cell.metadata.get("tags", []))]
    folds = [fold for cell in cells for fold in re.findall("<details|{dropdown}", cell.source)]
    assert len(hidden) + len(folds) <= 20


def test_no_text_refers_to_a_figure_that_a_print_leaves_out():
    cells = [cell for path in PATHS for cell in notebooks.read(path).cells]
    away = [cell for cell in cells if "hide-cell" in cell.metadata.get("tags", [])]
    names = [each.metadata.get("mystnb", {}).get("figure", {}).get("name") for each in away]
    pages = [*ROOT.glob("*.md"), *ROOT.glob("appendices/*.md")]
    texts = [cell.source for cell in cells] + [path.read_text("utf-8") for path in pages]
    assert not [name for name in filter(None, names) for text in texts if f"`{name}`" in text]


each_notebook = pytest.mark.parametrize(
    "path", PATHS, ids=lambda path: f"{path.parent.name}/{path.stem}"
)


@each_notebook
def test_it_is_stored_in_the_normal_form_of_make_refresh(path):
    """Its kernel has the usual name; no version, no time and no code of a figure is stored."""
    stored = notebooks.read(path)
    is_normal = normalize(copy.deepcopy(stored), path.stem) == stored
    assert is_normal, f"make refresh NB={path.relative_to(ROOT)}"


@each_notebook
def test_notebook(path):
    of_chapters = notebooks.CHAPTER_RULES if path.parent.name == "chapters" else []
    found = notebooks.problems(notebooks.read(path), [*notebooks.RULES, *of_chapters])
    assert not found, "\n".join([f"{path.relative_to(ROOT)}:", *found])
