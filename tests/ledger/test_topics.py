"""The list of topics: what the sources treat has its place in the book."""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import yaml

import ledger
from book import CHAPTERS
from exercises.registry import exercises

ROOT = Path(__file__).parents[2]
TOPICS = yaml.safe_load((ROOT / "ledger" / "topics.yml").read_text(encoding="utf8"))
SOURCES = TOPICS["sources"]
ENTRIES = [entry for entries in SOURCES.values() for entry in entries]
PLACES = {"chapter", "appendix", "exercise"}
KEYS = {"id", "what", "where", "shows", "lost", "left_out", *PLACES}


@cache
def labels(chapter):
    """The labels of the figures, formulas and theorems of a chapter."""
    path = ROOT / "chapters" / f"{CHAPTERS[chapter].slug}.ipynb"
    cells = json.loads(path.read_text(encoding="utf8"))["cells"]
    found = {cell["metadata"].get("mystnb", {}).get("figure", {}).get("name") for cell in cells} - {
        None
    }
    for cell in cells:
        found |= set(re.findall(r"^:(?:label|name): (\S+)$", "".join(cell["source"]), re.M))
    return found


def problems(entry, labels=labels, tasks=None):
    """Yield a sentence for each way in which the book is not as an entry says."""
    tasks = exercises() if tasks is None else tasks
    name = entry["id"]
    if "exercise" in entry and entry["exercise"] not in tasks:
        yield f"{name}: there is no exercise {entry['exercise']!r}"
    if "appendix" in entry and not (ROOT / "appendices" / f"{entry['appendix']}.md").is_file():
        yield f"{name}: there is no appendix {entry['appendix']!r}"
    if "chapter" in entry:
        if entry["chapter"] not in CHAPTERS:
            yield f"{name}: there is no chapter {entry['chapter']!r}"
        elif "shows" in entry and entry["shows"] not in labels(entry["chapter"]):
            yield f"{name}: chapter {entry['chapter']!r} has no {entry['shows']!r}"


def test_what_a_source_treats_has_its_place_in_the_book():
    assert [problem for entry in ENTRIES for problem in problems(entry)] == []


def is_complete(entry):
    return (
        {"id", "what", "where"} <= set(entry) <= KEYS
        and all(isinstance(value, str) and value for value in entry.values())
        and not {"chapter", "appendix"} <= set(entry)
        and ("shows" not in entry or "chapter" in entry)
        and ("left_out" in entry) != bool(PLACES & set(entry))
        and all(len(entry.get(key, "a good reason")) >= 10 for key in ("left_out", "lost"))
    )


def test_every_entry_is_complete():
    assert [entry["id"] for entry in ENTRIES if not is_complete(entry)] == []


def miscounted(counts, sources):
    """Yield a sentence for each kind of a source with more or fewer entries than were counted."""
    for name, entries in sources.items():
        kinds = Counter(entry["id"].split("-")[1][0] for entry in entries)
        for kind in sorted({*kinds, *counts[name]}):
            if kinds[kind] != counts[name].get(kind, 0):
                yield f"{name}: {counts[name].get(kind, 0)} {kind} counted, {kinds[kind]} listed"


def test_every_source_has_as_many_entries_of_a_kind_as_were_counted_in_it():
    assert set(SOURCES) == set(TOPICS["counts"]) == {*ledger.SOURCES} - {"P"}
    assert list(miscounted(TOPICS["counts"], SOURCES)) == []
    assert {kind for counts in TOPICS["counts"].values() for kind in counts} <= set("TFBQECN")


@pytest.mark.parametrize("name", SOURCES)
def test_the_entries_of_a_kind_are_numbered_from_1_in_their_order(name):
    numbers = {}
    for entry in SOURCES[name]:
        source, kind, number = re.fullmatch(r"(\d{3})-([TFBQECN])(\d+)", entry["id"]).groups()
        assert source == name
        numbers.setdefault(kind, []).append(int(number))
    for found in numbers.values():
        assert found == list(range(1, len(found) + 1))


# The checks above can fail


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        ({"chapter": "nowhere"}, "there is no chapter 'nowhere'"),
        ({"chapter": "translation", "shows": "fig-gone"}, "'translation' has no 'fig-gone'"),
        ({"appendix": "nowhere"}, "there is no appendix 'nowhere'"),
        ({"exercise": "nothing"}, "there is no exercise 'nothing'"),
    ],
)
def test_a_place_that_is_not_there_is_named(place, problem):
    (found,) = problems({"id": "000-T1", **place})
    assert found.startswith("000-T1: ")
    assert found.endswith(problem)


def test_a_label_that_goes_is_noticed_by_the_entries_that_show_it():
    shown = [entry["id"] for entry in ENTRIES if "shows" in entry]
    noticed = [entry["id"] for entry in ENTRIES if list(problems(entry, labels=lambda _: set()))]
    assert shown
    assert noticed == shown


def test_an_entry_that_is_dropped_is_noticed():
    for name, entries in SOURCES.items():
        (problem,) = miscounted(TOPICS["counts"], {name: entries[1:]})
        assert problem.startswith(f"{name}: ")
