"""Bring your own model: what the form asks and shows, with a worker that has the answers ready."""

import json

import pytest
from playwright.sync_api import expect

from pecheck import config, functions
from pecheck.configuration import answer, models

from .. import data
from ..axe import violations
from ..browser_fixtures import ALL_LAID_OUT, Log, go, resize

PAGE = "appendices/config.html"
CHOSEN = ["gpt-oss-20b", "gemma-4-e2b", "t5-small"]
LENGTH = 8192  # with which the form starts
TYPED = data("browser/own_model.yml")
STUB = """const answers = %s, broken = %s;
onmessage = ({ data: { do: what, id, argument: { text, length } = {} } }) => {
  if (what !== "call") return;
  if (text === "lost") return postMessage({ say: "missing", names: ["numpy"], host: "a.example" });
  if (text in broken) return postMessage({ say: "broken", id, error: broken[text] });
  const asked = text.startsWith("{") ? JSON.parse(text).model_type : text;
  postMessage({ say: "answer", id, value: answers[`${asked} ${length}`] });
};"""


def answers():
    """Return what Python says of the chosen models."""
    known = {"[1] null": answer({"text": "[1]", "length": None})}
    codes = (TYPED[name] for name in ("code", "tensors", "apply"))
    known |= {f"{code} null": functions.answer({"text": code}) for code in codes}
    for name in CHOSEN:
        settings = models()[name]["settings"]
        asked = {"text": json.dumps(settings), "length": LENGTH}
        known[f"{settings['model_type']} {LENGTH}"] = answer(asked)
    return known


@pytest.fixture
def form(new_tab, address):
    page = new_tab(before=ALL_LAID_OUT)
    log = Log(page, address)
    go(page, f"{address}/{PAGE}")
    body = STUB % (json.dumps(answers()), json.dumps(TYPED["broken"]))
    stub = {"body": body, "content_type": "text/javascript"}
    page.route("**/python/worker.js", lambda route: route.fulfill(**stub))
    return page, page.locator("#own-model"), log


@pytest.mark.parametrize("name", CHOSEN)
def test_a_chosen_model_is_read_as_pecode_reads_it(form, name):
    page, own, log = form
    own.get_by_label("model").select_option(name)
    report = config(models()[name]["settings"], LENGTH)
    n = len(report.warnings)
    expect(own.get_by_role("status")).to_contain_text(f"{n} warning{'' if n == 1 else 's'}.")
    cards, blocks = own.locator(".own-card"), list(report.blocks())[1:]
    expect(cards).to_have_count(len(blocks))
    for shown, lines in zip(cards.all(), blocks, strict=True):
        expect(shown).to_contain_text(lines[0].lstrip("!· "))
    links = [link.get_attribute("href") for link in cards.locator("a[href^=https]").all()]
    assert links == [warning.report for warning in report.warnings]
    turned = [x for x in (*report.layers, *report.vision) if x.turns is not None]
    assert own.locator(".own-bar").count() == len(turned)
    assert (log.foreign, log.console) == ([], [])
    resize(page, 390, 844)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page) == []


def test_a_printed_report_stands_in_cards_with_its_facts_in_columns(visit):
    page = visit(PAGE)
    cards = page.locator(".cell_output > .output .own-card")
    expect(cards).to_have_count(5)  # the model, two warnings, two kinds of layers
    facts = [card.locator(".own-facts span").all_inner_texts() for card in cards.all()[3:]]
    assert all("base\n150,000" in each and "max length\n131,072" in each for each in facts)
    assert cards.nth(2).get_by_role("link").count() == 2  # the report, and the section


def test_a_text_that_is_no_config_or_breaks_python_stays_with_the_reason(form):
    page, own, _ = form
    own.get_by_label("length").fill("")
    for text, said, shown in TYPED["texts"]:
        own.get_by_label("config.json").fill(text)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(own.get_by_role("status")).to_contain_text(said)
        expect(own.locator("pre")).to_contain_text(shown)
        assert own.get_by_label("config.json").input_value() == text
    assert own.get_by_label("model").input_value() == ""  # it is the reader's own now
    own.get_by_label("config.json").fill(TYPED["code"])
    own.get_by_role("button", name="Read it").click()
    expect(own.locator("pre")).to_contain_text("wrong: pairs turn the other way")


def test_a_copy_without_python_says_so(new_tab, address):
    page = new_tab()
    go(page, f"{address}/{PAGE}")
    page.route("**/python/worker.js", lambda route: route.fulfill(status=404))
    page.get_by_role("button", name="Read it").click()
    expect(page.locator("#own-model [role=status]")).to_contain_text("brings no Python")
    expect(page.locator("#own-model pre")).to_contain_text("python -m pecheck config FILE")
