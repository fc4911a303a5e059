"""The list of topics: what the sources treat has its place in the book, and stands there."""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import yaml

import ledger
from exercises.registry import exercises

ROOT = Path(__file__).parents[1]
TOPICS = yaml.safe_load((ROOT / "ledger" / "topics.yml").read_text(encoding="utf8"))
SOURCES = TOPICS["sources"]
ENTRIES = [entry for entries in SOURCES.values() for entry in entries]
PLACES = {"chapter", "appendix", "exercise"}
KEYS = {"id", "what", "where", "section", "shows", "lost", "left_out", *PLACES}
each_entry = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["id"])


# Reading a page: {heading: what stands under it, down to the next heading of any level}


def read(path):
    """Read a notebook or a page of Markdown as a list of cells."""
    text = (ROOT / path).read_text(encoding="utf8")
    if path.endswith(".ipynb"):
        return json.loads(text)["cells"]
    return [{"cell_type": "markdown", "source": text}]


def sections(cells):
    found, heading = {}, ""
    for cell in cells:
        lines = prose(cell) if cell["cell_type"] == "markdown" else computed(cell)
        for line, title in lines:
            heading = title or heading
            found[heading] = found.get(heading, "") + line + "\n"
    return found


def prose(cell):
    """Yield (line, heading or None); what begins with # inside a fence is no heading."""
    fence = None
    for line in "".join(cell["source"]).splitlines():
        mark = re.match(r"`{3,}|:{3,}", line)
        if mark and fence in (None, mark[0]):
            fence = None if fence else mark[0]
        start = None if fence else re.match(r"#+ (.+?)\s*$", line)
        yield line, start and start[1]


def computed(cell):
    """Yield (line, None) of code and of what it printed, the name of a figure as a label."""
    texts = ["".join(cell["source"])]
    for output in cell["outputs"]:
        texts.append("".join(output.get("text") or output.get("data", {}).get("text/plain", "")))
    if figure := cell["metadata"].get("mystnb", {}).get("figure"):
        texts.append(f":label: {figure['name']}")
    for line in "\n".join(texts).splitlines():
        yield line, None


def holds(text, shown):
    """Is a label, or are words or numbers or code, in the text of a section?"""
    if re.match(r"(fig|eq|thm)-", shown):
        return f":label: {shown}\n" in text
    return " ".join(shown.split()) in " ".join(text.split())


@cache
def of_the_book(path):
    return sections(read(path)) if (ROOT / path).is_file() else None


def problems(entry, pages=of_the_book, tasks=None):
    """Yield a sentence for each way in which the book is not as an entry says."""
    tasks = exercises() if tasks is None else tasks
    if entry.get("exercise", None) not in [None, *tasks]:
        yield f"{entry['id']}: there is no exercise {entry['exercise']!r}"
    path = page(entry)
    if path is None:
        return
    found = pages(path)
    if found is None:
        yield f"{entry['id']}: there is no file {path}"
    elif entry["section"] not in found:
        yield f"{entry['id']}: {path} has no section {entry['section']!r}"
    elif not holds(found[entry["section"]], entry["shows"]):
        yield f"{entry['id']}: {path}, {entry['section']!r} does not show {entry['shows']!r}"


def page(entry):
    if "chapter" in entry:
        return f"chapters/{entry['chapter']}.ipynb"
    return f"appendices/{entry['appendix']}.md" if "appendix" in entry else None


# The list and the book


@each_entry
def test_what_a_source_treats_has_its_place_in_the_book(entry):
    assert list(problems(entry)) == []


@each_entry
def test_what_an_entry_shows_stands_in_few_sections_of_its_page(entry):
    if page(entry):
        found = of_the_book(page(entry)).values()
        assert sum(holds(text, entry["shows"]) for text in found) <= 3, "it would say nothing"


@each_entry
def test_an_entry_is_complete(entry):
    assert set(entry) <= KEYS
    assert all(isinstance(value, str) and value for value in entry.values())
    assert {"id", "what", "where"} <= set(entry)
    on_a_page = "chapter" in entry or "appendix" in entry
    assert not {"chapter", "appendix"} <= set(entry)
    assert ("section" in entry) == ("shows" in entry) == on_a_page
    assert ("left_out" in entry) != bool(PLACES & set(entry))
    assert all(len(entry.get(key, "a good reason")) >= 10 for key in ("left_out", "lost"))


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


def test_a_section_ends_at_the_next_heading_and_a_fence_holds_none():
    text = "# One\na\n```python\n# no heading\n```\n## Two\n```{math}\n:label: eq-two\n```\n"
    code = {
        "cell_type": "code",
        "source": ["x = 1\n", "# no heading"],
        "outputs": [{"text": ["7  8\n"]}],
        "metadata": {"mystnb": {"figure": {"name": "fig-x"}}},
    }
    found = sections([{"cell_type": "markdown", "source": text}, code])
    assert list(found) == ["One", "Two"]
    assert holds(found["One"], "no heading")
    for shown in ["eq-two", "x = 1", "7 8", "fig-x"]:
        assert holds(found["Two"], shown)
        assert not holds(found["One"], shown)
    assert not holds(found["Two"], "eq-tw")


# The checks above can fail


def on_pages():
    """Return the entries with a place on a page; those already found wrong would prove nothing."""
    return [entry for entry in ENTRIES if page(entry) and not list(problems(entry))]


def found_to_be_wrong(change):
    """Return the ids of the entries that no longer fit when the text of every page is changed."""

    def pages(path):
        found = of_the_book(path)
        return dict(change(path, heading, text) for heading, text in found.items())

    return [entry["id"] for entry in on_pages() if list(problems(entry, pages))]


def test_a_heading_that_is_renamed_is_noticed_and_the_entries_are_named():
    def rename(path, heading, text):
        return f"{heading}!" if (path, heading) == where else heading, text

    for where in {(page(entry), entry["section"]) for entry in on_pages()}:
        there = [e["id"] for e in on_pages() if (page(e), e["section"]) == where]
        assert found_to_be_wrong(rename) == there


def test_the_sentence_names_entry_file_and_heading():
    path = "chapters/05-translation.ipynb"
    cells = json.dumps(read(path)).replace("## The circle", "## A round trip")
    entry = next(e for e in SOURCES["002"] if e.get("section") == "The circle")
    (problem,) = problems(entry, pages={path: sections(json.loads(cells))}.get)
    assert problem == f"{entry['id']}: {path} has no section 'The circle'"


def test_a_section_that_is_emptied_is_noticed():
    everywhere = [entry["id"] for entry in on_pages()]
    assert found_to_be_wrong(lambda path, heading, text: (heading, "")) == everywhere


@each_entry
def test_a_place_that_is_not_there_is_noticed(entry):
    if "exercise" in entry:
        tasks = {name for name in exercises() if name != entry["exercise"]}
        (problem,) = problems(entry, tasks=tasks)
        assert problem.startswith(f"{entry['id']}: there is no exercise")
    if page(entry):
        (problem,) = problems(entry, pages=lambda path: None)
        assert problem.startswith(f"{entry['id']}: there is no file")


def test_an_entry_that_is_dropped_is_noticed():
    for name, entries in SOURCES.items():
        (problem,) = miscounted(TOPICS["counts"], {name: entries[1:]})
        assert problem.startswith(f"{name}: ")
