"""The list of chapters in book.py is that of the contents, of the folders and of the titles."""

import re
from pathlib import Path

import pytest
import yaml

from book import CHAPTERS, PARTS
from publishing.home import ROOT
from tests.book import notebooks

CONTENTS = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf8"))["parts"]
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS.values(), ids=lambda each: each.word)


def in_contents(files):
    return [Path(each["file"]).stem for each in files]


def in_order(slugs):
    """Keep what is there: a copy of the book may leave chapters out."""
    return [each.slug for each in CHAPTERS.values() if each.slug in slugs]


@pytest.mark.parametrize("part", PARTS)
def test_the_contents_have_the_chapters_of_a_part_in_order(part):
    listed = [p for p in CONTENTS if p["caption"] == part]
    slugs = [slug for p in listed for slug in in_contents(p["chapters"])]
    assert slugs == in_order(slugs)
    assert all(each.part == part for each in CHAPTERS.values() if each.slug in slugs)


def test_the_contents_have_these_parts_and_each_chapter_its_exercises():
    chapters, exercises = [], []
    for part in CONTENTS:
        if part.get("numbered"):
            assert part["caption"] in PARTS
            chapters += in_contents(part["chapters"])
        for page in part["chapters"]:
            if page["file"] == "exercises/overview":
                exercises = in_contents(page["sections"])
    assert chapters == in_order(chapters)
    assert exercises == [slug for slug in chapters if (ROOT / f"exercises/{slug}.ipynb").exists()]


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
