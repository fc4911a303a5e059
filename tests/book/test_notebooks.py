"""Every notebook of the book is fit to be read: executed, small, described, clean."""

import copy
import re
from pathlib import Path

import pytest
import yaml

from book import CHAPTERS
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


# The list of chapters in book.py is that of the contents, of the folders and of the titles

CONTENTS = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf8"))["parts"]
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS.values(), ids=lambda each: each.word)


def test_the_contents_have_each_chapter_in_its_part_and_its_exercises():
    chapters, exercises = [], []
    for part in CONTENTS:
        for page in part["chapters"]:
            if part.get("numbered"):
                chapters.append((part["caption"], Path(page["file"]).stem))
            if page["file"] == "exercises/overview":
                exercises = [Path(each["file"]).stem for each in page["sections"]]
    in_order = [(each.part, each.slug) for each in CHAPTERS.values()]
    assert chapters == [each for each in in_order if each in chapters]  # a copy may have fewer
    slugs = [slug for _, slug in chapters]
    assert exercises == [slug for slug in slugs if (ROOT / f"exercises/{slug}.ipynb").exists()]


def test_every_notebook_is_of_a_chapter_of_the_list():
    slugs = [chapter.slug for chapter in CHAPTERS.values()]
    assert sorted(path.stem for path in ROOT.glob("chapters/[0-9]*.ipynb")) == slugs
    assert {path.stem for path in ROOT.glob("exercises/[0-9]*.ipynb")} <= {*slugs}


@each_chapter
def test_a_chapter_has_the_title_of_its_notebook(chapter):
    first = notebooks.read(ROOT / "chapters" / f"{chapter.slug}.ipynb").cells[0].source
    assert re.search(r"^# (.+)$", first, re.M)[1] == chapter.title


@each_chapter
def test_exercises_are_a_notebook_checks_and_answers_or_none_of_them(chapter):
    found = {path.name for path in (ROOT / "exercises" / chapter.word).glob("*.py")}
    has_notebook = (ROOT / "exercises" / f"{chapter.slug}.ipynb").exists()
    assert found == ({"checks.py", "answers.py"} if has_notebook else set())
