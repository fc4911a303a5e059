"""Each row of the ledger is decided by its check or by a cell, and leads to what decides it."""

import json
import re
from functools import cache

import pytest

import ledger
from book import CHAPTERS
from publishing.home import ROOT
from tests.book import numbers

ROWS = [row for group in ledger.mistakes().values() for row in group]
EVIDENCE = {"check", "prints", "asserts"}
KEYS = {"says", "verdict", "so", "see", "gives", "if_true", "tolerance"} | EVIDENCE
SAID = ("says", "check", "gives", "if_true", "asserts")
PAGE = (ROOT / "appendices/sources.md").read_text("utf8")

each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row["says"][:40])


@cache
def cells(place):
    """The cells of a chapter, or of exercises: "rotary", "exercises/debugging"."""
    folder, _, word = place.rpartition("/")
    path = ROOT / (folder or "chapters") / f"{CHAPTERS[word].slug}.ipynb"
    return json.loads(path.read_text("utf8"))["cells"]


def of_kind(place, kind):
    return [cell for cell in cells(place) if cell["cell_type"] == kind]


def written(row):
    """What each code cell of the chapter of a row says and prints."""
    for cell in of_kind(row["see"].partition("#")[0], "code"):
        outputs = cell["outputs"]
        texts = ["".join(output.get("text", "")) for output in outputs]
        texts += ["".join(output.get("data", {}).get("text/markdown", "")) for output in outputs]
        yield "\n".join(["".join(cell["source"]), *texts])


@each_row
def test_a_row_says_what_is_so_and_has_one_piece_of_evidence(row):
    assert {"says", "verdict", "so", "see"} <= set(row) <= KEYS
    assert row["verdict"] in ("wrong", "half true")
    assert len(EVIDENCE & set(row)) == 1
    assert ("gives" in row) == ("if_true" in row) == ("check" in row)


@pytest.mark.parametrize("row", [row for row in ROWS if "check" in row], ids=lambda r: r["check"])
def test_a_check_gives_what_is_said_and_not_what_would_be_if_it_held(row):
    value, tolerance = ledger.decide(row["check"]), row.get("tolerance", 1e-9)
    assert ledger.agrees(value, row["gives"], tolerance), value
    assert not ledger.agrees(value, row["if_true"], tolerance), value


@each_row
def test_what_a_chapter_prints_or_asserts_stands_in_it(row):
    text = "\n".join(written(row))
    assert [line for line in row.get("prints", ()) if line not in text] == []
    assert "asserts" not in row or f"assert {row['asserts']}" in text


@each_row
def test_a_row_leads_to_a_section_that_exists(row):
    place, _, section = row["see"].partition("#")
    text = "\n".join("".join(cell["source"]) for cell in of_kind(place, "markdown"))
    assert section in re.findall(r"(?m)^## (.*)$", text)


@each_row
def test_every_number_of_a_verdict_is_in_its_evidence(row):
    cells = [text for text in written(row) if any(line in text for line in row.get("prints", ()))]
    evidence = " ".join(map(str, [*cells, *(row.get(key, "") for key in SAID)]))
    digits = re.sub(r"(?<=\d)[,_](?=\d{3})", "", evidence)
    computed = [float(text) for text in re.findall(r"\d+(?:\.\d+)?", digits)]
    computed += [100 * value for value in computed if "%" in row["so"]]
    prose = numbers.NOT_PROSE.sub(" ", row["so"]).replace("−", "-")
    said = [text for text in numbers.NUMBER.findall(prose) if not numbers.is_word(text)]
    assert [t for t in said if not any(numbers.rounds_to(value, t) for value in computed)] == []


def test_each_group_and_the_places_are_on_the_page():
    shown = re.findall(r"```\{ledger\} (\w+)", PAGE)
    assert sorted(shown) == sorted([*ledger.mistakes(), "places"])


def test_each_section_of_a_source_lives_in_a_chapter():
    assert set(ledger.places()) <= set(ledger.mistakes())
    for sections in ledger.places().values():
        assert all(words and all(map(cells, words)) for words in sections.values())
