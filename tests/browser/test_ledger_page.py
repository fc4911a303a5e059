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
    page, _ = visit(PAGE)
    return page, page.locator("table.ledger").first, page.locator("form.ledger-filter").first


def ids(rows):
    return [f"ledger-{row['id'].lower()}" for row in rows]


def test_each_choice_leaves_its_rows_and_all_are_taken_back(table):
    page, found, form = table
    assert found.evaluate(SHOWN) == ids(ROWS)
    assert page.locator("table.ledger").nth(1).evaluate(SHOWN) == ids(ledger.popular())
    choices = {
        "source": lambda row: row["id"].split("-")[0],
        "kind": lambda row: row["kind"],
        "verdict": lambda row: row["verdict"].replace(" ", "-"),
    }
    for name, of in choices.items():
        select = form.locator(f"select[name={name}]")
        for value in sorted({of(row) for row in ROWS}):
            select.select_option(value)
            fitting = [row for row in ROWS if of(row) == value]
            assert found.evaluate(SHOWN) == ids(fitting), (name, value)
            assert form.locator("output").inner_text().startswith(f"{len(fitting)} of")
        select.select_option("")
    form.locator("select[name=verdict]").select_option("wrong")
    form.locator("input[type=search]").fill("wavelength")
    shown = found.evaluate(SHOWN)
    assert 0 < len(shown) < len([row for row in ROWS if row["verdict"] == "wrong"])
    form.locator("input[type=search]").press("Enter")  # sends nothing
    assert found.evaluate(SHOWN) == shown
    page.emulate_media(media="print")
    assert not form.is_visible()
    page.emulate_media(media="screen")
    form.get_by_role("button", name="Show all").click()
    expect(form.locator("output")).to_have_text(f"{len(ROWS)} of {len(ROWS)} statements")


def test_links_lead_to_their_row_hidden_or_not(table):
    page, _, form = table
    verdicts = {row["id"]: row["verdict"] for row in [*ROWS, *ledger.popular()]}
    marks = page.locator("article p a[href*='#ledger-']")
    assert marks.count() > 30
    for mark, name in (each.split() for each in marks.all_inner_texts()):
        assert mark == ledger.MARKS[verdicts[name]], name
    wrong = next(row for row in ROWS if row["verdict"] == "wrong")
    form.locator("select[name=verdict]").select_option("holds")
    page.evaluate("anchor => location.hash = anchor", ids([wrong])[0])
    expect(page.locator("tr:target")).to_be_in_viewport()
    assert page.locator("tr:target").inner_text().startswith(wrong["id"])


def test_without_scripts_the_whole_table_is_there(chromium):
    with chromium.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto((HTML / PAGE).as_uri())
        assert page.locator("table.ledger").first.locator("tbody tr").count() == len(ROWS)
        assert page.locator("form.ledger-filter").count() == 0
