"""The table of the sources' statements: its filters, and what is there without scripts."""

import pytest
from playwright.sync_api import expect

import ledger

from ..browser_fixtures import HTML

PAGE = "appendices/sources.html"
ROWS = ledger.statements()
SHOWN = "t => [...t.tBodies[0].rows].filter(row => row.checkVisibility()).map(row => row.id)"


@pytest.fixture
def table(visit):
    page, log = visit(PAGE)
    return page, page.locator("table.ledger").first, page.locator("form.ledger-filter").first, log


def ids(rows):
    return [f"ledger-{row['id'].lower()}" for row in rows]


def test_the_table_has_every_row(table):
    page, found, form, _ = table
    assert found.evaluate(SHOWN) == ids(ROWS)
    assert form.locator("output").inner_text() == f"{len(ROWS)} of {len(ROWS)} statements"
    assert page.locator("table.ledger").nth(1).evaluate(SHOWN) == ids(ledger.popular())


def test_each_choice_leaves_its_rows(table):
    _, found, form, log = table
    choices = {
        "source": (lambda row: row["id"].split("-")[0], {*ledger.SOURCES} - {"P"}),
        "kind": (lambda row: row["kind"], set(ledger.KINDS)),
        "verdict": (lambda row: row["verdict"].replace(" ", "-"), None),
    }
    for name, (of, values) in choices.items():
        select = form.locator(f"select[name={name}]")
        for value in values or {of(row) for row in ROWS}:
            select.select_option(value)
            fitting = [row for row in ROWS if of(row) == value]
            assert found.evaluate(SHOWN) == ids(fitting), (name, value)
            assert form.locator("output").inner_text().startswith(f"{len(fitting)} of")
        select.select_option("")
    assert (log.foreign, log.failed, log.console) == ([], [], [])


def test_choices_and_words_go_together_and_are_taken_back(table):
    _, found, form, _ = table
    form.locator("select[name=verdict]").select_option("wrong")
    form.locator("input[type=search]").fill("wavelength")
    shown = found.evaluate(SHOWN)
    assert 0 < len(shown) < len([row for row in ROWS if row["verdict"] == "wrong"])
    form.locator("input[type=search]").press("Enter")  # sends nothing
    assert found.evaluate(SHOWN) == shown
    form.get_by_role("button", name="Show all").click()
    found.page.wait_for_function(
        "count => document.querySelector('table.ledger tbody').querySelectorAll('tr:not([hidden])')"
        ".length === count",
        arg=len(ROWS),
    )


def test_a_link_to_a_hidden_row_shows_it(table):
    page, _, form, _ = table
    wrong = next(row for row in ROWS if row["verdict"] == "wrong")
    form.locator("select[name=verdict]").select_option("holds")
    (anchor,) = ids([wrong])
    page.evaluate("anchor => location.hash = anchor", anchor)
    page.wait_for_function("id => !document.getElementById(id).hidden", arg=anchor)
    page.wait_for_function(
        "id => { const {top, bottom} = document.getElementById(id).getBoundingClientRect();"
        " return bottom > 0 && top < innerHeight }",
        arg=anchor,
    )


def test_a_sign_in_the_text_leads_to_its_row(table):
    page, _, _, _ = table
    verdicts = {row["id"]: row["verdict"] for row in [*ROWS, *ledger.popular()]}
    marks = page.locator("article p a[href*='#ledger-']")
    assert marks.count() > 30
    for sign, name in (mark.split() for mark in marks.all_inner_texts()):
        assert sign == ledger.MARKS[verdicts[name]], name
    name = marks.first.inner_text().split()[1]
    marks.first.click()
    assert page.url.endswith(f"{PAGE}#ledger-{name.lower()}")
    assert page.locator("tr:target").inner_text().startswith(name)
    expect(page.locator("tr:target")).to_be_in_viewport()


def test_without_scripts_the_whole_table_is_there(chromium):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((HTML / PAGE).as_uri())
    assert page.locator("table.ledger").first.locator("tbody tr").count() == len(ROWS)
    assert page.locator("form.ledger-filter").count() == 0
    context.close()


def test_on_paper_the_filter_is_gone_and_its_rows_stay(table):
    page, found, form, _ = table
    form.locator("select[name=verdict]").select_option("wrong")
    page.emulate_media(media="print")
    assert not form.is_visible()
    assert len(found.evaluate(SHOWN)) == len([row for row in ROWS if row["verdict"] == "wrong"])
    page.emulate_media(media="screen")
