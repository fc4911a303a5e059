"""The ledger: every statement of the sources is decided by its check, and the verdict follows."""

import json
import re
from collections import Counter
from functools import cache

import pytest

import ledger
from book import CHAPTERS

ROWS = [*ledger.statements(), *ledger.popular()]
KEYS = {
    *("id", "where", "says", "kind", "stated", "verdict", "right", "why", "cause"),
    *("chapter", "check", "value", "if_true", "tolerance", "no_check", "derived"),
}
DOES_NOT_HOLD = ("holds after rounding", "imprecise", "wrong", "garbled")
BY_ID = {row["id"]: row for row in ROWS}


CHECKED = [row for row in ROWS if "check" in row]
each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])


@cache
def decided(name):
    """What the check of a row gives; several tests look at it."""
    return ledger.decide(BY_ID[name])


def unnoticed(row, **changed):
    """Whether a changed row would agree with its check."""
    return not list(ledger.disagreements({**row, **changed}, decided(row["id"])))


@each_row
def test_what_is_stated_is_decided(row):
    if "check" in row:
        assert list(ledger.disagreements(row, decided(row["id"]))) == []
    else:
        assert len(row["no_check"]) >= 15, "why can it not be checked?"
        assert "value" not in row


def is_complete(row):
    fails = row["verdict"] in DOES_NOT_HOLD
    return (
        {"id", "where", "says", "kind", "verdict", "chapter"} <= set(row) <= KEYS
        and all(isinstance(row.get(key, ""), str) for key in ("where", "says", "right", "why"))
        and ("check" in row) != ("no_check" in row)
        and row["kind"] in ledger.KINDS
        and row["verdict"] in ledger.VERDICTS
        and row["chapter"] in CHAPTERS
        and (not fails or {"right", "why"} <= set(row))
        and ("cause" in row) == fails
        and row.get("cause", "other") in ledger.CAUSES
        and (row["verdict"] != "garbled" or row["cause"] == "transmission")
    )


def test_every_row_is_complete():
    assert [row["id"] for row in ROWS if not is_complete(row)] == []


def test_a_check_would_have_come_out_otherwise():
    """A wrong statement is one whose check gives something else than it would if that held."""
    assert all({"stated", "if_true"} & set(row) for row in ROWS if row["verdict"] == "wrong")
    asked = [row for row in ROWS if "if_true" in row]
    assert {row["verdict"] for row in asked} <= {"wrong", "imprecise"}
    for row in asked:  # what holds for the value must fail for what would be if it held
        plain = {key: value for key, value in row.items() if key != "stated"}
        assert list(ledger.disagreements(plain, row["if_true"])), row["id"]


def test_texts_name_chapters_by_their_word_and_readers_see_the_number():
    files = [ledger.FOLDER / name for name in ("statements.yml", "popular.yml")]
    text = "\n".join(file.read_text("utf8") for file in files)
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    assert not re.findall(r"\bchapters? \d+", text)
    written = re.findall(r"\{chapter (\w+)\}", text)
    assert written
    seen = Counter(re.findall(r"\bchapter \d+", json.dumps(ROWS, ensure_ascii=False)))
    assert seen == Counter(f"chapter {CHAPTERS[word].number}" for word in written)


def test_no_id_is_used_twice():
    twice = [name for name, count in Counter(row["id"] for row in ROWS).items() if count > 1]
    assert twice == []


def test_the_ledger_is_as_large_as_the_sources():
    rows = ledger.statements()
    assert len(rows) >= 290
    assert {row["id"].split("-")[0] for row in rows} == {*ledger.SOURCES} - {"P"}
    checked = sum("check" in row for row in rows)
    assert all("check" in row for row in rows if "stated" in row)
    assert checked >= 0.85 * len(rows)


# The checks above can fail


def test_a_stated_number_that_is_changed_is_noticed():
    for row in ROWS:
        if "stated" in row and row["verdict"].startswith("holds"):
            text = row["stated"][0]
            place = max(k for k, sign in enumerate(text.lower().split("e")[0]) if sign.isdigit())
            other = str((int(text[place]) + 5) % 10)
            stated = [text[:place] + other + text[place + 1 :], *row["stated"][1:]]
            assert not unnoticed(row, stated=stated), row["id"]


def test_a_value_that_is_changed_is_noticed():
    for row in CHECKED:
        place = value = json.loads(json.dumps([row["value"]]))  # a copy
        while isinstance(place[0], list):
            place = place[0]
        first = place[0]
        if isinstance(first, bool):
            place[0] = not first
        elif isinstance(first, str):
            place[0] = first + "x"
        else:
            place[0] = first + 3 * row.get("tolerance", 1e-9) + 1e-6 * abs(first)
        assert not unnoticed(row, value=value[0]), row["id"]
