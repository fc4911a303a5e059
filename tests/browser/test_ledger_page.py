"""The tables of the sources' statements, and the signs in the text that lead to their rows."""

import ledger

ROWS = "t => [...t.tBodies[0].rows].map(row => row.id)"


def test_each_statement_has_its_row_and_a_sign_in_the_text_leads_there(visit):
    page, _ = visit("appendices/sources.html")
    verdicts = {}
    for number, rows in enumerate((ledger.statements(), ledger.popular())):
        verdicts |= {row["id"]: row["verdict"] for row in rows}
        shown = page.locator("table.ledger").nth(number).evaluate(ROWS)
        assert shown == [f"ledger-{row['id'].lower()}" for row in rows]
    marks = page.locator("article p a[href*='#ledger-']").all_inner_texts()
    assert len(marks) > 30
    for mark, name in map(str.split, marks):
        assert mark == ledger.MARKS[verdicts[name]], name
