"""The exercises on the pages of the book: every answer to every question, and what is kept."""

import re

import pytest
from playwright.sync_api import expect

from book import CHAPTERS
from exercises.registry import Exercise, Option, exercises
from exercises.widgets import Progress, Question, read_number
from publishing.website.noscript import marked

from .. import data
from ..axe import violations
from ..browser_fixtures import ALL_LAID_OUT, HTML, REFUSED, go, pages_to_visit, resize
from ..figures.page import MOUNTED, exporting, opened

ALL = exercises()
LIST = "exercises/overview.html"


def questions(name):
    """Return the questions of a page, in their order."""
    page = name.removeprefix("exercises/").removesuffix(".html")
    return [each for each in ALL.values() if each.is_question and each.page == page]


# Every page of exercises with PECODE_PAGES=all; otherwise one that has a choice and a number.
VISITED = [name for name in pages_to_visit() if name.startswith("exercises/") and questions(name)]
CHOICE = next(each for each in ALL.values() if each.is_question and not each.asks_for_a_number)
NUMBER = next(each for each in ALL.values() if each.asks_for_a_number)
STORED = "JSON.parse(localStorage['pecode-exercises'] ?? '{}')"


def unmarked(text):
    """A text without the marks of `code` and *emphasis*, as it is shown."""
    return marked(text).striptags()


# What a question shows: its verdict, the explanations below its options, its options, the field.
SHOWN = """box => {
  const text = element => element.innerText.replace(/\\s+/g, " ").trim();
  const all = (selector, value) => [...box.querySelectorAll(selector)].map(value);
  const [, again] = box.querySelectorAll("button");
  return {
    verdict: text(box.querySelector("[aria-live] > p") ?? box.querySelector("[aria-live]")),
    below: all(".ask-why, .ask-others li", e => e.checkVisibility() && text(e)).filter(Boolean),
    options: all(".ask-option", text), checked: all("input[type=radio]", e => e.checked),
    again: again.checkVisibility(),
    invalid: all("[aria-invalid=true]", e => e.value),
    focus: all("input", e => e).indexOf(document.activeElement),
  };
}"""


class Asked:
    """A question of a page."""

    def __init__(self, page, number):
        self.page = page
        self.box = page.locator(".ask:has(form)").nth(number)
        self.field = self.box.locator("input[type=text]")
        self.radios = self.box.locator("input[type=radio]")
        self.check = self.box.get_by_role("button", name="Check")
        self.again = self.box.get_by_role("button", name="Try again")

    @property
    def shown(self):
        return self.box.evaluate(SHOWN)

    @property
    def verdict(self):
        return self.shown["verdict"]


def said(question):
    """What the page must say of the answer of a question in Python."""
    sign = "✓ Right." if question.result == "passed" else "✗ Not this one."
    return f"{sign} {unmarked(question.explanation)}"


@pytest.fixture
def reader(new_tab, address):
    """Opens pages as one reader who comes for the first time."""
    page = new_tab(address + "/", ALL_LAID_OUT)
    page.set_default_timeout(10_000)

    def open_page(name):
        go(page, f"{address}/{name}")
        page.wait_for_function(MOUNTED, arg=len(questions(name)) or 1)  # of the list
        return page

    return open_page


# Every answer


def test_each_kind_is_looked_at():
    assert {each.asks_for_a_number for name in VISITED for each in questions(name)} == {False, True}


@pytest.mark.parametrize("name", VISITED)
def test_every_answer_is_told_by_mouse_and_by_key_and_kept(name, reader):
    page, here = reader(name), questions(name)
    for number, exercise in enumerate(here):
        asked = Asked(page, number)
        assert page.get_by_role("group", name=f"{exercise.number} {exercise.title}").count() == 1
        shown = asked.shown
        assert (shown["verdict"], shown["again"]) == ("", False)
        (type_answers if exercise.asks_for_a_number else choose_answers)(asked, exercise)
        answer(asked, exercise)
    assert page.evaluate(STORED) == {exercise.name: "passed" for exercise in here}
    before = [Asked(page, number).verdict for number in range(len(here))]
    assert all(before)
    page.reload()
    page.wait_for_function(MOUNTED, arg=len(here))
    assert [Asked(page, number).verdict for number in range(len(here))] == before


def choose_answers(asked, exercise):
    others = [f"✗ {unmarked(each.why)}" for each in exercise.options if not each.right]
    letters = "abcdefgh"[: len(exercise.options)]
    lettered = zip(letters, exercise.options, strict=True)
    assert asked.shown["options"] == [f"{a}) {unmarked(each.text)}" for a, each in lettered]
    asked.check.click()
    assert asked.verdict == "Choose one of the answers first."
    for k, option in enumerate(exercise.options):
        asked.box.locator(".ask-option").nth(k).click()
        assert asked.verdict == ""  # what stood there was about another answer
        asked.check.click()
        shown = asked.shown
        assert shown["checked"] == [k == other for other in range(len(letters))]
        assert shown["verdict"] == said(Question(exercise, letters[k]))
        assert shown["below"] == (others if option.right else [])
    asked.again.press("Enter")
    shown = asked.shown
    assert (shown["verdict"], shown["below"], shown["focus"]) == ("", [], 0)
    assert not any(shown["checked"])
    for key in ("Space", "ArrowDown", "Enter"):  # the focus is on the first
        asked.page.keyboard.press(key)
    assert asked.verdict == said(Question(exercise, "b"))


def type_answers(asked, exercise):
    asked.check.click()
    assert asked.verdict == "Type a number first."
    right = next(option.value for option in exercise.options if option.right)
    far = 7 + 3 * max(abs(option.value) + exercise.tolerance for option in exercise.options)
    texts = [repr(option.value) for option in exercise.options]
    texts += [repr(right + 0.99 * exercise.tolerance), repr(far), f"{2 * right!r}/2"]
    texts += [repr(right).replace(".", ","), repr(right).replace("-", "−")]
    others = [f"✗ {o.text} {exercise.unit}".strip() for o in exercise.options if not o.right]
    for text in texts:
        asked.field.fill(text)
        assert asked.verdict == ""
        asked.field.press("Enter")
        question = Question(exercise, text)
        shown = asked.shown
        assert shown["verdict"] == said(question), text
        passed = question.result == "passed"
        assert [line.split(":")[0] for line in shown["below"]] == (others if passed else [])
    for text in ("two", "1/0", "1,000"):
        asked.field.fill(text)
        asked.check.click()
        shown = asked.shown
        assert f"“{text}” cannot be read as a number" in shown["verdict"]
        assert shown["invalid"] == [text]
    asked.again.click()
    shown = asked.shown
    assert (shown["verdict"], shown["invalid"], shown["focus"]) == ("", [], 0)
    assert asked.field.input_value() == ""


def answer(asked, exercise, wrong=False):
    """Give the right answer to a question, or one that is wrong."""
    k = next(k for k, option in enumerate(exercise.options) if option.right != wrong)
    if exercise.asks_for_a_number:
        asked.field.fill(repr(exercise.options[k].value))
    else:
        asked.radios.nth(k).check()
    asked.check.click()


def test_a_question_that_is_passed_offers_the_next_exercise(reader):
    page = reader(VISITED[0])
    for wrong, passed in [(True, 0), (False, 1)]:
        answer(Asked(page, 0), questions(VISITED[0])[0], wrong)
        assert page.locator(".ask-passed").count() == passed
        assert page.get_by_role("link", name="Next: 5.2").count() == passed
    page.get_by_role("link", name="Next: 5.2").click()
    assert "#" in page.url


# How it looks


@pytest.mark.parametrize("name", [VISITED[0], LIST])
def test_what_is_answered_is_accessible_and_fits(name, reader):
    page = reader(name)
    for number, exercise in enumerate(questions(name)):
        answer(Asked(page, number), exercise, wrong=number % 2)
    if name == LIST:
        page.get_by_role("button", name="Forget all of it").click()
    found = []
    for scheme, width in [("light", 1280), ("dark", 360)]:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        resize(page, width, 800)
        page.evaluate("scrollTo(0, 0)")  # the header lies over nothing
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        found += violations(page)
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert found == []


def test_paper_shows_the_options_and_no_verdict(reader):
    page = reader(VISITED[0])
    all_here = questions(VISITED[0])
    exercise = next(each for each in all_here if not each.asks_for_a_number)
    answer(asked := Asked(page, all_here.index(exercise)), exercise)
    page.emulate_media(media="print")
    shown = " ".join(asked.box.inner_text().split())
    assert not re.search("Right|Check", shown)
    assert asked.shown["below"] == []
    assert all(unmarked(option.text) in shown for option in exercise.options)


# The list of all


def test_the_list_counts_what_is_answered_and_forgets_it(reader):
    page = reader(VISITED[0])
    first, second, *_ = questions(VISITED[0])
    answer(Asked(page, 0), first)
    answer(Asked(page, 1), second, wrong=True)
    page = reader(LIST)
    box = page.locator(".ask").filter(has=page.locator("progress"))
    chapter = CHAPTERS[first.chapter]
    bars = [
        box.get_by_role("progressbar", name=name, exact=True)
        for name in ("all exercises", f"{chapter.number} {chapter.title}")
    ]
    assert [rows(page)[each.name] for each in (first, second)] == ["✓ done", "✗ tried"]
    assert [bar.evaluate("bar => bar.value") for bar in bars] == [1, 1]
    assert f"1 of {len(ALL)} done" in box.inner_text()

    function = next(each for each in ALL.values() if not each.is_question)
    mine = box.get_by_role("checkbox", name=f"done: {function.title}", exact=True)
    mine.focus()
    page.keyboard.press("Space")
    assert f"2 of {len(ALL)} done" in box.inner_text()
    reader(LIST)
    assert mine.is_checked()
    mine.uncheck()
    assert f"1 of {len(ALL)} done" in box.inner_text()

    forget = box.get_by_role("button", name="Forget all of it")
    forget.press("Enter")
    page.keyboard.press("Enter")  # the focus is on "No, keep it"
    assert f"1 of {len(ALL)} done" in box.inner_text()
    forget.click()
    box.get_by_role("button", name="Yes, forget it").click()
    assert f"0 of {len(ALL)} done" in box.inner_text()
    left = set(page.evaluate("Object.keys(localStorage)"))
    assert left <= {"theme", "mode", "pecode-places"}  # what the pages themselves keep
    expect(forget).to_be_focused()
    page = reader(VISITED[0])
    assert Asked(page, 0).verdict == ""


def test_what_was_passed_before_says_so_instead_of_the_stored_answer(reader):
    page = reader("exercises/05-translation.html")
    assert "✗ moved_rows" in page.locator("article").inner_text()
    page.evaluate("localStorage['pecode-exercises'] = '{\"moved_rows\": \"passed\"}'")
    page.reload()
    assert "✗ moved_rows" not in page.locator("article").inner_text()
    assert page.get_by_text("You passed this one.").count() == 1


def rows(page):
    """What the list says of every exercise, by its name."""
    by_title = {f"{each.number} {each.title}": each.name for each in ALL.values()}
    found = page.locator(".ask li:has(a)").evaluate_all(
        "rows => rows.map(row => [row.querySelector('a').textContent, row.firstChild.innerText])"
    )
    return {by_title[title]: state.strip() for title, state in found}


def test_the_list_leads_to_every_exercise_and_is_filtered(reader):
    page = reader(LIST)
    links = page.locator(".ask li a").evaluate_all("all => all.map(a => [a.text, a.href])")
    assert [text for text, _ in links] == [f"{each.number} {each.title}" for each in ALL.values()]
    for text, href in links:
        target, anchor = href.rpartition("/")[2].split("#")
        assert f'id="{anchor}"' in (HTML / "exercises" / target).read_text("utf8"), text
    box = page.locator(".ask").filter(has=page.locator("progress"))
    for kind in sorted({each.kind for each in ALL.values()}):
        box.get_by_label("Kind").select_option(kind)
        for level in ("", "1", "2", "3"):
            box.get_by_label("Level").select_option(level)
            wanted = [
                f"{each.number} {each.title}"
                for each in ALL.values()
                if each.kind == kind and level in ("", str(each.level))
            ]
            assert box.locator("li a:visible").all_inner_texts() == wanted
            words = f"{len(wanted)} of {len(ALL)} exercises are shown."
            assert box.get_by_role("status").inner_text() in (words, "All exercises are shown.")


# Questions made for the purpose


TEXT = "`a < b` & *so*: 2*3*4 </script><img src=x onerror=alert(1)> ω·Δ, `*x*`"


def test_texts_stay_texts(chromium, tmp_path):
    options = (Option(TEXT, TEXT), Option("b", TEXT, right=True))
    question = Question(Exercise(**{**vars(CHOICE), "options": options}))
    with opened(chromium, tmp_path, question) as page:
        option = page.locator(".ask-option").first
        option.click()
        page.get_by_role("button", name="Check").click()
        for place in (option, page.locator("[aria-live]")):
            assert unmarked(TEXT) in place.inner_text()
            assert place.locator("code").all_inner_texts() == ["a < b", "*x*"]
            assert place.locator("em").all_inner_texts() == ["so"]
            assert place.locator("img").count() == 0


WORDS = data("exercises/widgets.yml")["typed"]
TEXTS = ["", " ", "1 / 3", "1 000", "3 rad", "9" * 400, *WORDS.split()]


def test_the_page_reads_a_number_as_python_does(chromium):
    with exporting(chromium, Question._esm + "\nexport { readNumber };") as page:
        read = page.evaluate("texts => texts.map(book.readNumber)", TEXTS)
    expected = [read_number(text) for text in TEXTS]
    assert dict(zip(TEXTS, read, strict=True)) == dict(zip(TEXTS, expected, strict=True))
    assert 10 < expected.count(None) < len(TEXTS) - 10


def test_two_questions_and_a_list_on_a_page_do_not_disturb_one_another(chromium, tmp_path):
    done = NUMBER.name
    asked = Question(CHOICE, "a"), Question(CHOICE, "b"), Progress(list(ALL.values()), [done])
    with opened(chromium, tmp_path, *asked) as page:
        assert Asked(page, 0).radios.first.is_checked()
        assert Asked(page, 1).radios.nth(1).is_checked()
        before = Asked(page, 0).verdict
        Asked(page, 1).again.click()
        assert (Asked(page, 0).verdict, Asked(page, 1).verdict) == (before, "")
        assert page.evaluate(STORED) == {done: "passed"}  # the answers were given in Python
        assert f"1 of {len(ALL)} done" in page.locator(".ask").last.inner_text()
        answer(Asked(page, 1), CHOICE)
        assert rows(page)[CHOICE.name] == "✓ done"


def test_what_cannot_be_restored_is_left_out(chromium, tmp_path):
    question = Question(CHOICE)
    values = ("99", '"x"', "null")
    broken = ["{", "3", "null", "[]", '"text"', *(f'{{"{CHOICE.name}": {v}}}' for v in values)]
    with opened(chromium, tmp_path, question) as page:
        for text in broken:
            page.evaluate(
                """text => ["answers", "exercises"].forEach(
                  key => localStorage.setItem(`pecode-${key}`, text))""",
                text,
            )
            page.reload()
            page.wait_for_function(MOUNTED, arg=1)
            assert Asked(page, 0).verdict == ""
            answer(Asked(page, 0), CHOICE)
            assert page.evaluate(STORED)[CHOICE.name] == "passed"


def test_a_browser_that_keeps_nothing_still_answers(chromium, tmp_path):
    both = Question(CHOICE), Progress(list(ALL.values()), [])
    with opened(chromium, tmp_path, *both) as page:
        page.add_init_script(REFUSED)
        page.reload()
        page.wait_for_function(MOUNTED, arg=2)
        answer(Asked(page, 0), CHOICE)
        assert Asked(page, 0).verdict.startswith("✓ Right.")
        mark = page.get_by_role("checkbox").first
        mark.check()
        assert mark.is_checked()
        assert f"1 of {len(ALL)} done" in page.locator(".ask").last.inner_text()


def test_what_is_typed_reaches_no_shortcut_of_the_page(chromium, tmp_path):
    both = Question(NUMBER), Progress(list(ALL.values()), [])
    with opened(chromium, tmp_path, *both) as page:
        page.evaluate(
            "() => { window.keys = []; addEventListener('keydown', e => keys.push(e.key)); }"
        )
        Asked(page, 0).field.press("1")
        page.get_by_label("Kind").press("d")
        page.locator("h1").evaluate(
            "title => title.dispatchEvent(new KeyboardEvent('keydown', {key: 'x', bubbles: true}))"
        )
        assert page.evaluate("keys") == ["x"]
