"""A prediction is given or skipped, and what follows in its section is covered until then."""

import pytest

from .. import data
from ..axe import violations
from ..browser_fixtures import READY

PAGE = "chapters/09-skipping.html"
BOX = ".admonition.predict"
ANSWER = f"{BOX} [role=status]"
FOLLOWS = f"{BOX} + p"
AGAIN = ".finding + div"
SEEN = "e => e.getBoundingClientRect().height > 9"


@pytest.fixture
def page(read):
    """A page that nobody has seen before."""
    return read(PAGE, reduced_motion="reduce")


def is_seen(page, css):
    return page.locator(css).first.evaluate(SEEN)


def reload(page):
    page.reload()
    page.wait_for_function(READY)


@pytest.mark.parametrize(("choice", "said", "again"), data("browser/cases.yml")["predictions"])
def test_an_answer_is_compared_kept_and_asked_again_if_it_was_wrong(page, choice, said, again):
    assert not is_seen(page, FOLLOWS)
    assert violations(page) == []
    button = page.locator(f"{BOX} button", has_text=choice).first
    button.focus()
    page.keyboard.press("Enter")
    for visit in (page.wait_for_function, lambda _: reload(page)):
        visit("true")
        assert page.locator(ANSWER).first.inner_text().startswith(said)
        assert is_seen(page, FOLLOWS)
        assert page.locator(f"{AGAIN} {BOX}").count() == again
    assert violations(page) == []
    if again:  # until it is right
        page.locator(f"{AGAIN} button", has_text="in three").click()
        assert page.locator(f"{AGAIN} [role=status]").inner_text().startswith("✓")
        reload(page)
        assert page.locator(f"{AGAIN} {BOX}").count() == 0


# 91, within 20
@pytest.mark.parametrize(("typed", "verdict"), [("72", "✓"), ("70", "✗"), ("0,091", "✗")])
def test_a_number_is_right_as_near_as_the_question_allows(read, typed, verdict):
    page = read("chapters/02-counting.html")
    field = page.locator(f"{BOX} input").first
    field.fill(typed)
    field.press("Enter")
    assert page.locator(ANSWER).first.inner_text().startswith(verdict)


def test_who_skips_all_is_asked_again_on_request(page):
    page.locator(f"{BOX} button", has_text="Skip: show the rest of this section").first.click()
    for name, seen in (("Skip all predictions", True), ("Ask me again", False)):
        with page.expect_navigation():
            page.locator(f"{BOX} button", has_text=name).first.click()
        page.wait_for_function(READY)
        assert is_seen(page, FOLLOWS) == seen


def test_paper_and_a_search_find_what_is_covered(page):
    assert not is_seen(page, FOLLOWS)
    search = "e => e.dispatchEvent(new Event('beforematch', { bubbles: true }))"
    page.locator(FOLLOWS).first.evaluate(search)
    assert is_seen(page, FOLLOWS)
    reload(page)
    page.emulate_media(media="print")
    assert is_seen(page, FOLLOWS)
    assert is_seen(page, f"{BOX} > details p")
