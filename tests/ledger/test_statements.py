"""The ledger: every statement of the sources is decided by its check, and the verdict follows."""

import json
import re
import time
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


@cache
def decided(name):
    """What the check of a row gives; several tests look at it."""
    return ledger.decide(BY_ID[name])


each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])


@each_row
def test_what_is_stated_is_decided(row):
    if "check" not in row:
        assert len(row["no_check"]) >= 15, "why can it not be checked?"
        assert "value" not in row
        return
    assert list(ledger.disagreements(row, decided(row["id"]))) == []


@each_row
def test_a_row_is_complete(row):
    assert set(row) <= KEYS
    assert {"id", "where", "says", "kind", "verdict", "chapter"} <= set(row)
    assert ("check" in row) != ("no_check" in row)
    assert row["kind"] in ledger.KINDS
    assert row["verdict"] in ledger.VERDICTS
    for key in ("where", "says", "right", "why"):
        assert isinstance(row.get(key, ""), str), key
    if row["verdict"] in DOES_NOT_HOLD:
        assert {"right", "why"} <= set(row)
    assert ("cause" in row) == (row["verdict"] in DOES_NOT_HOLD)
    assert row.get("cause", "other") in ledger.CAUSES
    if row["verdict"] == "garbled":
        assert row["cause"] == "transmission"


@each_row
def test_a_check_would_have_come_out_otherwise(row):
    """A wrong statement is one whose check gives something else than it would if that held."""
    if row["verdict"] == "wrong":
        assert "stated" in row or "if_true" in row
    if "if_true" in row:
        assert row["verdict"] in ("wrong", "imprecise")
        # the same comparison that holds for the value must fail for what would be if it held
        plain = {key: value for key, value in row.items() if key != "stated"}
        assert list(ledger.disagreements(plain, row["if_true"]))


@each_row
def test_a_row_names_a_chapter_of_the_book(row):
    assert row["chapter"] in CHAPTERS


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
    """At least 290 statements; of those that are computed, all are; coverage is reported."""
    rows = ledger.statements()
    assert len(rows) >= 290
    assert {row["id"].split("-")[0] for row in rows} == {*ledger.SOURCES} - {"P"}
    checked = [row for row in rows if "check" in row]
    assert all("check" in row for row in rows if "stated" in row)
    assert len(checked) >= 0.85 * len(rows)
    for name in ledger.SOURCES:
        counts = Counter(r["verdict"] for r in ROWS if r["id"].startswith(f"{name}-"))
        print(ledger.SOURCES[name][1], dict(counts))
    print(f"{len(rows)} statements, {len(checked)} with a check")


def test_all_checks_together_take_less_than_two_minutes():
    start = time.perf_counter()
    for row in ROWS:
        if "check" in row:
            ledger.decide(row)
    assert time.perf_counter() - start < 120


# The checks above can fail


@pytest.mark.parametrize(
    "row",
    [row for row in ROWS if "stated" in row and row["verdict"].startswith("holds")],
    ids=lambda row: row["id"],
)
def test_a_stated_number_that_is_changed_is_noticed(row):
    text = row["stated"][0]
    place = max(k for k, sign in enumerate(text.lower().partition("e")[0]) if sign.isdigit())
    other = str((int(text[place]) + 5) % 10)
    stated = [text[:place] + other + text[place + 1 :], *row["stated"][1:]]
    assert list(ledger.disagreements({**row, "stated": stated}, decided(row["id"])))


@pytest.mark.parametrize("row", [row for row in ROWS if "check" in row], ids=lambda row: row["id"])
def test_a_value_that_is_changed_is_noticed(row):
    value = json.loads(json.dumps(row["value"]))  # a copy
    place = value = value if isinstance(value, list) else [value]
    while isinstance(place[0], list):
        place = place[0]
    first = place[0]
    if isinstance(first, bool):
        place[0] = not first
    elif isinstance(first, str):
        place[0] = first + "x"
    else:
        place[0] = first + 3 * row.get("tolerance", 1e-9) + 1e-6 * abs(first)
    value = value if isinstance(row["value"], list) else value[0]
    assert list(ledger.disagreements({**row, "value": value}, decided(row["id"])))
