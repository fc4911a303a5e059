"""The last touches to the pages, and the one style sheet that is made of many."""

import json
import re

import pytest
from PIL import Image

import figures
from publishing.website import pages, sheets

MATH = '<span class="math"><math><mi>x</mi></math></span>'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"so {MATH}, and", f'so <span class="together">{MATH},</span> and'),
        (f"(if {MATH})\n", f'(if <span class="together">{MATH})</span>\n'),
        (f"({MATH} or", f'<span class="together">({MATH}</span> or'),
        (f"{MATH}-{MATH} ", f'<span class="together">{MATH}-</span>{MATH} '),
        (f"one:\n{MATH}\u2014two", f"one:\n{MATH}\u2014two"),  # a line may end at a dash
        (f"<em>a</em>{MATH}<em>b</em>", f"<em>a</em>{MATH}<em>b</em>"),
        ("<th><p> </p></th><th>a</th>", "<td></td><th>a</th>"),
        ('<th class="a" scope="col"></th>', "<td></td>"),
        (
            '<summary aria-label="Toggle hidden content"><b>Show</b></summary>',
            "<summary><b>Show</b></summary>",
        ),
        (
            '<a>Two</a><details><summary><span class="toctree-toggle"></span></summary></details>',
            '<a>Two</a><details><summary aria-label="Pages of Two">'
            '<span class="toctree-toggle"></span></summary></details>',
        ),
        ('<div role="doc-biblioentry"></div>', '<div role="listitem"></div>'),
        (
            '<span class="caption-text">At d = 8, or ω = −1.</span> d = 8',
            '<span class="caption-text">At d\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}8, or '
            "ω\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}−1.</span> d = 8",
        ),
        ('<html data-theme="auto"></html>', '<html data-theme="light"></html>'),
        ('<section id="proof-content"></section>', "<section></section>"),
        ('<section id="contents"></section>', '<section id="contents"></section>'),
        ('<div id="proof"></div>', "<div></div>"),
        ('<span class="n">a</span><span class="mi">1</span>', 'a<span class="mi">1</span>'),
        (f"<pre><b>&quot;</b></pre> {MATH}", f"<pre><b>&quot;</b></pre> {MATH}"),  # as it was
        (
            '<script>"<pre>"</script><pre><b>1</b></pre>',
            '<script>"<pre>"</script><pre><b>1</b></pre>',
        ),
        (
            '<button aria-label="Search" class="search-button-field"></button>',
            '<button aria-label="Search Ctrl+K" class="search-button-field"></button>',
        ),
    ],
)
def test_a_page_is_mended(before, after, tmp_path):
    assert pages.mended(before, tmp_path, "")[0] == after


def test_in_the_tree_code_and_formulas_are_words(tmp_path):
    _, tree, complete = pages.mended(f"<pre><b>a</b> &lt; b</pre><p>so {MATH}</p>", tmp_path, "")
    assert tree.text == "a < bso x"
    assert complete(str(tree)) == f"<pre><b>a</b> &lt; b</pre><p>so {MATH}</p>"
    assert tree.find("mi") is tree.find("b") is None


def picture(folder, width=1400, **attributes):
    Image.new("1", (width, 200)).save(folder / "a.png", dpi=(200, 200))
    said = "".join(f' {name}="{value}"' for name, value in attributes.items())
    link = f'<a class="image-reference"><img src="a.png"{said}/></a>'
    return pages.mended(f"<article>{link}</article>", folder, "")[0]


def test_a_picture_has_its_size_and_a_wide_one_its_box(tmp_path):
    html = picture(tmp_path)
    assert 'width="700"' in html
    assert 'height="100"' in html
    assert 'loading="lazy"' in html
    assert '<div class="wide-picture"><a class="image-reference">' in html
    assert "wide-picture" not in picture(tmp_path, width=1120)  # 560 of the page
    assert "wide-picture" in picture(tmp_path, width=1122)


DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" class="drawn" width="{}" height="9">{}</svg>'


def drawing(folder, text):
    (folder / "a.svg").write_text(text, encoding="utf8")
    link = '<a class="image-reference" href="a.svg"><img alt="A &lt; B" src="a.svg"/></a>'
    return pages.mended(f"<article>{link}</article>", folder, "")[0]


def test_a_drawing_is_part_of_the_page_and_says_what_it_shows(tmp_path):
    shapes = '<svg viewBox="0 0 9 9"><path d="M0 0h9"/></svg><text>a &lt; b</text>'
    html = drawing(tmp_path, DRAWING.format(736, shapes))
    assert html.startswith('<article><div class="wide-picture"><svg')
    assert 'role="img"' in html
    assert 'aria-label="A &lt; B"' in html
    assert f">{shapes}</svg></div></article>" in html  # letter by letter
    assert "wide-picture" not in drawing(tmp_path, DRAWING.format(560, shapes))


def test_another_svg_stays_a_picture(tmp_path):
    html = drawing(tmp_path, '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>')
    assert '<img alt="A &lt; B"' in html


def test_a_stated_size_is_no_style(tmp_path):
    html = picture(tmp_path, style="width: 300px; height: 40px;")
    assert 'width="300"' in html
    assert 'height="40"' in html
    assert "style" not in html


def test_only_pictures_of_the_text_that_lie_beside_it_are_touched(tmp_path):
    for html in ('<img src="logo.svg"/>', '<article><img src="https://a/b.png"/></article>'):
        assert pages.mended(html, tmp_path, "")[0] == html


def test_a_widget_without_a_picture_is_a_warning_and_says_what_it_is(tmp_path, caplog):
    state = {"state": {"7": {"state": {"_anywidget_id": "figures.none.None"}}}}
    html = (
        f'<script type="application/vnd.jupyter.widget-state+json">{json.dumps(state)}</script>'
        '<script type="application/vnd.jupyter.widget-view+json">{"model_id": "7"}</script>'
    )
    done, *_ = pages.mended(html, tmp_path, "../")
    assert "allow JavaScript" in done.partition("<noscript>")[2]
    assert "no picture of the interactive figure 'None'" in caplog.text


def test_a_page_has_the_present_code_of_a_widget_whatever_its_notebook_stored(tmp_path):
    stored = {"_anywidget_id": "figures.circle.TwoWaves", "_esm": "export default {}", "omega": 0.3}
    state = {"state": {"7": {"state": stored}}}
    html = f'<script type="application/vnd.jupyter.widget-state+json">{json.dumps(state)}</script>'
    done, *_ = pages.mended(html, tmp_path, "../")
    [state] = re.findall("<script[^>]*>(.*)</script>", done)
    present = stored | {"_esm": figures.TwoWaves._esm}
    assert json.loads(state)["state"]["7"]["state"] == present


def test_a_change_of_a_template_or_a_picture_is_a_change_of_the_look(tmp_path):
    for name in ("book.css", "templates/a.html", "stills/a.png"):
        before = pages.fingerprint(tmp_path)
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("a")
        assert pages.fingerprint(tmp_path) != before


@pytest.mark.parametrize(
    ("sheet", "kept"),
    [
        (".a { x: 1 }", True),
        (".b { x: 1 }", False),
        (".a .b { x: 1 }", False),
        ("p:not(.b), td:is(.b) { x: 1 }", True),  # a bracket asks for nothing
        ("sub { x: 1 }", True),
        (r".b\/2 { x: 1 }", True),  # what is not plain is kept
        ("@media print { .a { x: 1 } }", True),
        ("@media print { .b { x: 1 } }", False),
        ("@keyframes b { from { x: 1 } }", True),
        ('@font-face { font-family: "Font Awesome 6 Free" }', False),
        ('@charset "UTF-8";', False),
    ],
)
def test_a_rule_is_kept_when_a_page_may_need_it(sheet, kept):
    assert bool("".join(sheets.lean(sheet, {"a"}))) is kept


def test_of_several_selectors_the_used_ones_are_kept():
    style = "".join(sheets.lean("@supports (x: 1) { .b, .a > p, .c:is(.a, .b) { x: 1 } }", {"a"}))
    assert style.replace(" ", "") == "@supports(x:1){.a>p{x:1}}"


def test_pages_are_linked_to_the_version_of_their_sheet(tmp_path):
    (tmp_path / "a.css").write_text(".a { x: 1 } .b { x: 2 }")
    page = tmp_path / "a.html"
    page.write_text('<link data-sheets="a.css" href="_static/style.css" rel="stylesheet"/>')
    sheets.link_one(tmp_path, [page])
    first = page.read_text()
    assert sheets.is_linked(first)
    assert ".b" not in (tmp_path / "style.css").read_text()
    page.write_text(first + '<p class="b">')
    sheets.link_one(tmp_path, [page])
    second = page.read_text()
    assert second.count("style.css?v=") == 1
    assert second.partition(">")[0] != first.partition(">")[0]
    assert ".b" in (tmp_path / "style.css").read_text()
