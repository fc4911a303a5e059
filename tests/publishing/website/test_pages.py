"""What is corrected in the pages, what the search finds in them, and how formulas are set."""

import json
import re
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from docutils import nodes
from sphinx.errors import ExtensionError

from publishing.home import contents
from publishing.website import (
    directives,
    mathematics,
    noscript,
    omitted_pages,
    pages,
    search_index,
    slides,
)
from tests import data

from .building import SITES, built

pytestmark = pytest.mark.filterwarnings("ignore:nodes.Node.traverse")  # sphinx_multitoc_numbering
CASES = data("publishing/website/pages.yml")
MATH = '<span class="math"><math><mi>x</mi></math></span>'


def improved(html, sources=None):
    soup, complete = pages.improved(html, sources or {})
    return complete(str(soup))


@pytest.mark.parametrize(("before", "after"), CASES["corrected"])
def test_what_extensions_write_is_corrected(before, after):
    assert improved(before.replace("MATH", MATH)) == after.replace("MATH", MATH)


def test_the_tree_of_a_page_has_words_for_code_and_formulas():
    tree, complete = pages.improved(f"<pre><b>a</b> &lt; b</pre><p>so {MATH}</p>", {})
    assert tree.text == "a < bso x"
    assert complete(str(tree)) == f"<pre><b>a</b> &lt; b</pre><p>so {MATH}</p>"


def test_figures_outside_of_the_chapters_count_from_one_on_each_page():
    chapter, other = {"figure": {"a": (5, 1), "b": (5, 2)}}, {"figure": {"c": (17,), "d": (18,)}}
    numbers = {"chapter": chapter, "other": other, "none": {}}
    env = SimpleNamespace(toc_fignumbers=numbers, toc_secnumbers={})
    omitted_pages.number_chapters(None, env)
    assert chapter["figure"] == {"a": (5, 1), "b": (5, 2)}
    assert other["figure"] == {"c": (1,), "d": (2,)}


def test_a_widget_without_a_picture_is_a_warning_and_says_what_it_is(caplog):
    state = {"state": {"7": {"state": {"_anywidget_id": "figures.none.None"}}}}
    html = (
        f'<script type="{noscript.STATE}">{json.dumps(state)}</script>'
        f'<script type="{noscript.VIEW}">{{"model_id": "7"}}</script>'
    )
    soup = BeautifulSoup(html, "html.parser")
    noscript.add_fallbacks(soup, set(), "../")
    assert "allow JavaScript" in soup.noscript.text
    assert "no picture of the interactive figure 'None'" in caplog.text


def test_a_change_of_a_template_or_a_picture_is_a_change_of_the_look(tmp_path):
    for name in ("book.css", "templates/a.html", "stills/a.png"):
        before = pages.fingerprint(tmp_path)
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("a")
        assert pages.fingerprint(tmp_path) != before


def test_the_search_knows_sections_and_what_is_said_in_them():
    soup = BeautifulSoup(CASES["searched"]["page"], "html.parser")
    assert search_index.take_passages(soup) == CASES["searched"]["passages"]


CHOSEN = '<div class="cell tag_in-slides"><div class="cell_output"><pre>12\n3</pre></div></div>'


@pytest.mark.parametrize("case", CASES["slides"])
def test_a_slide_asks_what_its_cell_answers_first_or_says_what_it_shows(case):
    parts = '<h2>A <a class="headerlink">#</a></h2>', *case["before"], CHOSEN, *case["after"]
    html = f"<section>{''.join(parts)}</section>"
    soup = BeautifulSoup(html, "html.parser")
    (part,) = soup.select(slides.CHOSEN)
    made = slides.slide(part)
    found = made["heading"], made["question"].strip(), made["said"]
    assert found == ("A ", case["question"], case["said"])
    assert (made["kind"], made["columns"], made["lines"]) == ("cell_output", 2, 2)


def of_notebook(kind, source="", tags=(), **output):
    cell = {"cell_type": kind, "source": [source], "metadata": {"tags": tags}}
    return cell | {"outputs": [output] if output else []}


@pytest.mark.parametrize(
    ("cells", "minutes"),
    [
        ([of_notebook("markdown", "word " * 1000)], 5),
        ([of_notebook("markdown", f"<details>{'word ' * 1000}</details>")], 0),
        ([of_notebook("code", "x = 1\n" * 119)], 10),
        ([of_notebook("code", "x = 1\n" * 119, tags=["hide-input"], text=["1\n"] * 60)], 5),
        ([of_notebook("code", data={"image/svg+xml": ""})] * 5, 5),
        ([of_notebook("code", tags=["hide-cell"], data={"image/svg+xml": ""})] * 5, 0),
    ],
)
def test_the_time_to_read_is_that_of_what_stands_open(cells, minutes):
    assert directives.minutes(cells) == minutes


def test_a_formula_is_mathml_and_what_cannot_be_set_is_a_warning(caplog):
    def html(formula):
        caplog.clear()
        return mathematics.mathml(nodes.math("", formula), display=False)

    omega = "<msub><mi>ω</mi><mi>i</mi></msub>"
    assert html(r"\omega_i < 1") == f"<math>{omega}<mo>&lt;</mo><mn>1</mn></math>"
    assert caplog.text == ""
    for formula in (r"\nosuchmacro", r"\frac{1}", "x^", r"\left( x"):
        assert html(formula) == f"<code>{formula}</code>"
        assert "formula" in caplog.text


def test_a_chapter_of_a_copy_may_ask_nothing():
    asking, silent = ([{"source": ["# T\n", "\n", line]}] for line in ("*Why?*", "Because."))
    assert [directives.question(cells) for cells in (asking, silent)] == ["Why?", ""]


def test_a_fold_opens_by_a_title_with_markup(tmp_path):
    out, _ = built(tmp_path, **SITES["fold"])
    page = BeautifulSoup((out / "index.html").read_text("utf8"), "html.parser")
    fold = page.select_one("details.hint")
    assert str(fold.strong) == "<strong>Hurry?</strong>"
    assert (fold.summary.text, fold.summary.code.text) == ("Hurry? Show x < y", "x < y")
    assert fold.p.text == "It is so."


# In a copy of the book that leaves chapters out


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Return a page of a copy, as text, and the warnings of its build."""
    folder = tmp_path_factory.mktemp("copy")
    out, said = built(folder, **SITES["copy"], strict=False)
    html = (out / "chapters" / "10-reach.html").read_text("utf8")
    return re.sub("<[^>]*>", "", html), html, said


def test_chapters_keep_the_numbers_that_the_text_names(copy):
    text, *_ = copy
    for said in ("10. Far", "10.1. Near", "Fig. 10.1", "8. Adding"):
        assert said in text


def test_a_reference_to_what_is_left_out_becomes_words(copy):
    text, html, warnings = copy
    said = ("See Skip it?, the one before, a figure of chapter 9,\nan exercise of chapter 9, "
            "My notes, a link,\na statement of chapter 9 and nowhere.")  # fmt: skip
    assert said in text
    assert "09-skipping" not in html
    told = re.findall(r"10-reach\.md:\d+: WARNING: .+ is left out, and is called '.+'", warnings)
    assert len(told) == 7
    assert "xref_missing" not in warnings  # each place is told once
    assert warnings.count("lost-theorem") == 1
    assert "unknown document: 'nowhere'" in warnings


@pytest.mark.parametrize(("chapters", "name"), SITES["nothing_left"])
def test_a_part_in_which_nothing_is_left_ends_in_a_sentence(chapters, name):
    toc = {"root": "intro", "parts": [{"caption": "Part IV", "chapters": chapters}]}
    with pytest.raises(SystemExit, match=f"nothing is left below '{name}': delete its lines, too"):
        contents(toc)
    toc["parts"][0]["chapters"] = [{"file": "a", "sections": [{"file": "b"}]}, {"file": "c"}]
    assert contents(toc) == {"": ["intro"], "Part IV": ["a", "b", "c"]}


def test_a_chapter_without_a_line_in_the_list_is_not_numbered_like_another():
    env = SimpleNamespace(toc_secnumbers={"chapters/mine": {}}, toc_fignumbers={})
    with pytest.raises(ExtensionError, match=r"chapters/mine: book\.py numbers the chapters"):
        omitted_pages.number_chapters(None, env)
