"""Bring your own model: what the form asks and shows, with a worker that has the answers ready."""

import json

import pytest
from playwright.sync_api import expect

from pecode.diagnose import config
from pecode.diagnose.configuration import answer, models
from tests.axe import violations
from tests.browser_fixtures import resize

PAGE = "appendices/config.html"
CHOSEN = ["gpt-oss-20b", "gemma-4-e2b", "t5-small", "smollm3-3b", "opt-350m"]
LENGTH = 8192
STUB = """const answers = %s;
let dead = false;
onmessage = ({ data: { do: what, id, argument: { text, length } = {} } }) => {
  if (what !== "call" || dead) return;
  if (text === "fatal") {
    dead = true;
    return postMessage({ say: "broken", id, error: "unreachable\\nat once" });
  }
  const asked = text.startsWith("{") ? JSON.parse(text).model_type : text;
  postMessage({ say: "answer", id, value: answers[`${asked} ${length}`] });
};"""


def answers():
    """What Python says of the chosen models at the length that the form starts with."""
    for name in CHOSEN:
        settings = models()[name]["settings"]
        asked = {"text": json.dumps(settings), "length": LENGTH}
        yield f"{settings['model_type']} {LENGTH}", answer(asked)
    yield "[1] null", answer({"text": "[1]", "length": None})


@pytest.fixture
def form(visit):
    page, log = visit(PAGE)
    script = STUB % json.dumps(dict(answers()))
    page.route(
        "**/python/worker.js",
        lambda route: route.fulfill(body=script, content_type="text/javascript"),
    )
    yield page, page.locator("#own-model"), log
    page.unroute("**/python/worker.js")


def cells(own):
    """The table of kinds: a row's name, and what it says of each."""
    rows = own.locator("table").first.locator("tbody tr").all()  # the second: a part for images
    return {row.locator("th").inner_text(): row.locator("td").all_inner_texts() for row in rows}


@pytest.mark.parametrize("name", CHOSEN)
def test_a_chosen_model_is_read_as_pecode_reads_it(form, name):
    _, own, log = form
    own.get_by_label("model").select_option(name)
    report = config(models()[name]["settings"], LENGTH)
    n = len(report.warnings)
    expect(own.get_by_role("status")).to_contain_text(f"{n} warning{'' if n == 1 else 's'}.")
    said = cells(own)
    assert said["positions"] == [layer.scheme for layer in report.layers]
    if "base" in said:
        bases = ["–" if x.base is None else f"{x.base:,.0f}" for x in report.layers]
        assert said["base"] == bases
    if "a row for the last token" in said:
        has = [x.at_length.has_row for x in report.layers]
        assert said["a row for the last token"] == [
            {True: "yes", False: "no"}.get(x, "–") for x in has
        ]
    shown = own.locator("li", has=own.page.locator("code"))
    for k, warning in enumerate(report.warnings):
        assert warning.message in shown.nth(k).inner_text()
        assert shown.nth(k).locator("a").nth(1).get_attribute("href") == warning.report
    assert shown.count() == n
    assert (log.foreign, log.console) == ([], [])


def test_by_keyboard_and_with_a_sentence_for_what_is_no_config(form):
    page, own, _ = form
    text = own.get_by_label("config.json")
    own.get_by_label("length").fill("")
    text.fill("[1]")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(own.get_by_role("status")).to_contain_text("a JSON object with keys, got a list of 1")
    assert own.get_by_label("model").input_value() == ""  # it is the reader's own now
    assert own.locator("table").count() == 0


def test_after_a_fatal_error_the_next_question_has_an_answer(form):
    _, own, _ = form
    own.get_by_label("length").fill("")
    for text, said in (
        ("fatal", "Python could not answer (unreachable)"),
        ("[1]", "a JSON object"),
    ):
        own.get_by_label("config.json").fill(text)
        own.get_by_role("button", name="Read it").click()
        expect(own.get_by_role("status")).to_contain_text(said)
        assert own.get_by_label("config.json").input_value() == text


def test_a_file_is_read_when_it_is_picked(form):
    _, own, _ = form
    content = json.dumps(models()["gpt-oss-20b"]["settings"]).encode()
    picked = {"name": "config.json", "mimeType": "application/json", "buffer": content}
    own.get_by_label("file").set_input_files(picked)
    expect(own.get_by_role("status")).to_contain_text("gpt_oss: 24 layers of 2 kinds")


def test_a_copy_without_python_says_so(visit):
    page, _ = visit(PAGE)
    page.route("**/python/worker.js", lambda route: route.fulfill(status=404))
    page.get_by_role("button", name="Read it").click()
    expect(page.locator("#own-model [role=status]")).to_contain_text("brings no Python")
    page.unroute("**/python/worker.js")


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (390, "dark")])
def test_the_answer_can_be_read_by_everybody(form, width, theme):
    page, own, _ = form
    resize(page, width, 800)
    page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    own.get_by_label("model").select_option("gemma-4-e2b")
    expect(own.locator("table").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
