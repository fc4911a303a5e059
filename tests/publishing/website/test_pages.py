"""What is corrected in the pages, what the search finds in them, and how formulas are set."""

import json
import re
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from sphinx.errors import SphinxWarning

import figures
from publishing.website import directives, noscript, pages, search_index, slides

from .building import built

MATH = '<span class="math"><math><mi>x</mi></math></span>'


def improved(html, sources=None):
    soup, complete = pages.improved(html, sources or {})
    return complete(str(soup))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"so {MATH}, and", f'so <span class="together">{MATH},</span> and'),
        (f"(if {MATH})\n", f'(if <span class="together">{MATH})</span>\n'),
        (f"{MATH}-{MATH} ", f'<span class="together">{MATH}-</span>{MATH} '),
        (f"one:\n{MATH}\u2014two", f"one:\n{MATH}\u2014two"),  # a line may end at a dash
        (f"<em>a</em>{MATH}<em>b</em>", f"<em>a</em>{MATH}<em>b</em>"),
        ("<th><p> </p></th><th>a</th>", "<td></td><th>a</th>"),
        ('<summary aria-label="Toggle"><b>Show</b></summary>', "<summary><b>Show</b></summary>"),
        (
            '<summary aria-label="x"><p>Hide the content</p></summary>',
            "<summary><p>Hide the code and what it prints</p></summary>",
        ),
        ('<div role="doc-biblioentry"></div>', '<div role="listitem"></div>'),
        ('<section id="proof-content"></section>', "<section></section>"),
        ('<section id="contents"></section>', '<section id="contents"></section>'),
        ('<span class="n">a</span><span class="mi">1</span>', 'a<span class="mi">1</span>'),
        (
            '<code><span class="pre">--x</span> <span class="pre">N</span></code>',
            '<code><span class="pre">--x</span> N</code>',
        ),  # which book.css keeps in one line
        (
            "<td>-1 (-.5 to 0-2) <code>-1</code> a-1</td>",
            "<td>−1 (−.5\xa0to\xa00-2) <code>-1</code> a-1</td>",
        ),
        (f"<pre><b>&quot;</b></pre> {MATH}", f"<pre><b>&quot;</b></pre> {MATH}"),  # as it was
        ('<script>"<pre>"</script><pre>1</pre>', '<script>"<pre>"</script><pre>1</pre>'),
        ('<img src="https://a/b.png"/>', '<img src="https://a/b.png"/>'),
    ],
)
def test_what_extensions_write_is_corrected(before, after):
    assert improved(before) == after


def test_the_tree_of_a_page_has_words_for_code_and_formulas():
    tree, complete = pages.improved(f"<pre><b>a</b> &lt; b</pre><p>so {MATH}</p>", {})
    assert tree.text == "a < bso x"
    assert complete(str(tree)) == f"<pre><b>a</b> &lt; b</pre><p>so {MATH}</p>"


def test_figures_outside_of_the_chapters_count_from_one_on_each_page():
    chapter, other, none = (
        {"figure": {"a": (5, 1), "b": (5, 2)}},
        {"figure": {"c": (17,), "d": (18,)}},
        {},
    )
    env = SimpleNamespace(toc_fignumbers={"chapter": chapter, "other": other, "none": none})
    pages.count_from_one(None, env)
    assert chapter["figure"] == {"a": (5, 1), "b": (5, 2)}
    assert other["figure"] == {"c": (1,), "d": (2,)}


def test_a_drawing_is_part_of_the_page_letter_by_letter(tmp_path):
    shapes = '<svg viewBox="0 0 9 9"><path d="M0 0h9"/></svg><text>a &lt; b</text>'
    head = '<svg xmlns="http://www.w3.org/2000/svg" class="drawn" width="9" height="9">'
    (tmp_path / "a.svg").write_text(f"{head}{shapes}</svg>", encoding="utf8")
    link = '<a class="image-reference" href="a.svg"><img alt="A &lt; B" src="a.svg"/></a>'
    html = improved(link, {"a.svg": tmp_path / "a.svg"})
    assert html.startswith("<svg")
    assert 'role="img"' in html
    assert 'aria-label="A &lt; B"' in html
    assert f">{shapes}</svg>" in html


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


def test_a_page_has_the_present_code_of_a_widget_whatever_was_stored():
    stored = {"_anywidget_id": "figures.circle.TwoWaves", "_esm": "export default {}", "omega": 0.3}
    held = json.dumps({"state": {"7": {"state": stored}}})
    soup = BeautifulSoup(f'<script type="{noscript.STATE}">{held}</script>', "html.parser")
    noscript.add_fallbacks(soup, set(), "../")
    present = json.loads(soup.script.string)["state"]["7"]["state"]
    assert re.fullmatch(r"TwoWaves\.js\?v=[0-9a-f]{8}", present.pop("_esm"))
    assert present == {key: stored[key] for key in ("_anywidget_id", "omega")}
    assert noscript.WIDGETS["TwoWaves"] == figures.TwoWaves._esm


def test_a_change_of_a_template_or_a_picture_is_a_change_of_the_look(tmp_path):
    for name in ("book.css", "templates/a.html", "stills/a.png"):
        before = pages.fingerprint(tmp_path)
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("a")
        assert pages.fingerprint(tmp_path) != before


PAGE = """<section id="top"><h1>5. Top<a class="headerlink">#</a></h1><p>One
<math><mi>x</mi></math>.</p><button>Copy</button><pre>code = 1</pre>
<section id="below"><h2>Below</h2><p>Two.</p></section><script>no()</script></section>"""
TERMS = """<section id="all"><h1>Glossary</h1><dl class="glossary"><dt id="term-a">a</dt>
<dd>The first. <a href="../chapters/x.html">Chapter 1</a></dd></dl>
<dl class="py"><dt class="sig" id="pecode.f">f(x)</dt><dd>Return x.</dd></dl></section>"""


@pytest.mark.parametrize(
    ("html", "found"),
    [
        (PAGE, [["top", "5. Top", "One x.", "code = 1", ""], ["below", "Below", "Two.", "", ""]]),
        (TERMS, [["all", "Glossary", "", "", ""],
                 ["term-a", "a", "The first. Chapter 1", "", "chapters/x.html"],
                 ["pecode.f", "pecode.f", "f(x) Return x.", "", ""]]),
        ("<p>Forward</p>", []),
    ],
)  # fmt: skip
def test_the_search_knows_sections_terms_and_names(html, found):
    assert search_index.take_passages(BeautifulSoup(html, "html.parser")) == found


CELL = '<div class="cell"><div class="cell_output"><pre>1</pre></div></div>'
ASKED = """<div class="admonition predict"><p class="admonition-title">Predict</p><p>How many?</p>
<details><summary>Show</summary><p><strong>12.</strong> All. And 3.</p></details></div>"""
CHOSEN = '<div class="cell tag_in-slides"><div class="cell_output"><pre>12\n3</pre></div></div>'


SEEN = "<p>They are <em>2.5</em> and 3. The rest…</p>"
FIRST = "They are <em>2.5</em> and 3."


@pytest.mark.parametrize(
    ("before", "question", "after", "said"),
    [
        ("", "", SEEN, FIRST),
        ("", "", "<p>As a formula:</p>", ""),
        (ASKED, "<p>How many?</p>", SEEN, "<strong>12.</strong> All."),
        (ASKED + CELL, "", f"{CELL}{SEEN}", FIRST),
    ],
)
def test_a_slide_asks_what_its_cell_answers_first_or_says_what_it_shows(
    before, question, after, said
):
    html = f'<section><h2>A <a class="headerlink">#</a></h2>{before}{CHOSEN}{after}</section>'
    soup = BeautifulSoup(html, "html.parser")
    (part,) = soup.select(slides.CHOSEN)
    made = slides.slide(part)
    assert (made["heading"], made["question"].strip(), made["said"]) == ("A ", question, said)
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


# Formulas


@pytest.fixture
def build(tmp_path):
    """Return a function that builds a page of Markdown and returns its HTML."""
    settings = {
        "extensions": ["myst_parser", "publishing.website.mathematics"],
        "html_math_renderer": "mathml",
        "myst_enable_extensions": ["dollarmath"],
    }

    def page(text):
        out, _ = built(tmp_path, {"index.md": f"# Title\n\n{text}\n"}, settings)
        return (out / "index.html").read_text(encoding="utf8")

    return page


def test_a_formula_is_mathml_with_its_number_and_a_link(build):
    html = build(
        "One $\\omega_i < 1$.\n\n```{math}\n:label: eq-one\n\\frac{a}{b}\n```\n\nSee {eq}`eq-one`."
    )
    assert "<math><msub><mi>ω</mi><mi>i</mi></msub><mo>&lt;</mo><mn>1</mn></math>" in html
    assert '<div><math display="block"><mfrac><mi>a</mi><mi>b</mi></mfrac></math></div>' in html
    assert re.search(r'<div class="math[^>]*id="equation-eq-one">\s*<span class="eqno">\(1\)', html)
    assert html.count('href="#equation-eq-one"') == 2


@pytest.mark.parametrize("formula", [r"\nosuchmacro", r"\frac{1}", "x^", r"\left( x"])
def test_what_cannot_be_set_stops_the_build(build, formula):
    with pytest.raises(SphinxWarning, match="formula"):
        build(f"Here ${formula}$.")


def test_a_chapter_of_a_copy_may_ask_nothing():
    asking, silent = ([{"source": ["# T\n", "\n", line]}] for line in ("*Why?*", "Because."))
    assert [directives.question(cells) for cells in (asking, silent)] == ["Why?", ""]


def test_a_fold_opens_by_a_title_with_markup(tmp_path):
    text = "# A\n\n:::{dropdown} **Hurry?** Show `x < y`\n:class: hint\n\nIt is *so*.\n:::\n"
    settings = {"extensions": ["myst_parser", "publishing.website.directives"]}
    settings["myst_enable_extensions"] = ["colon_fence"]
    out, _ = built(tmp_path, {"index.md": text}, settings)
    page = BeautifulSoup((out / "index.html").read_text("utf8"), "html.parser")
    fold = page.select_one("details.hint")
    assert str(fold.strong) == "<strong>Hurry?</strong>"
    assert (fold.summary.text, fold.summary.code.text) == ("Hurry? Show x < y", "x < y")
    assert fold.p.text == "It is so."
