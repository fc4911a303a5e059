"""What is corrected in the pages, what the search finds in them, and how formulas are set."""

import inspect
import json
from importlib.metadata import version
from types import SimpleNamespace

import pybtex.plugin
import pytest
from bs4 import BeautifulSoup
from docutils import nodes

from publishing.website import directives, mathematics, noscript, pages, search_index, slides

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


PAGE = """<section id="top"><h1>5. Top<a class="headerlink">#</a></h1><p>One
<math><mi>x</mi></math>.</p><button>Copy</button><pre>code = 1</pre>
<section id="below"><h2>Below</h2><p>Two.</p></section><script>no()</script></section>"""


def test_the_search_knows_sections_and_what_is_said_in_them():
    assert search_index.take_passages(BeautifulSoup(PAGE, "html.parser")) == [
        ["top", "5. Top", "One x.", "code = 1", ""],
        ["below", "Below", "Two.", "", ""],
    ]


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
    text = "# A\n\n:::{dropdown} **Hurry?** Show `x < y`\n:class: hint\n\nIt is *so*.\n:::\n"
    settings = {"extensions": ["myst_parser", "publishing.website.directives"]}
    settings["myst_enable_extensions"] = ["colon_fence"]
    out, _ = built(tmp_path, {"index.md": text}, settings)
    page = BeautifulSoup((out / "index.html").read_text("utf8"), "html.parser")
    fold = page.select_one("details.hint")
    assert str(fold.strong) == "<strong>Hurry?</strong>"
    assert (fold.summary.text, fold.summary.code.text) == ("Hurry? Show x < y", "x < y")
    assert fold.p.text == "It is so."


def test_pybtex_looks_for_plugins_in_the_function_that_is_cached():
    assert "_load_entry_point(plugin_group" in inspect.getsource(pybtex.plugin.find_plugin), (
        f"pybtex {version('pybtex')} looks for plugins elsewhere: the cache in pages.setup has no "
        "effect, and each citation looks through all packages. Cache what has taken its place"
    )
