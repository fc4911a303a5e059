"""The sections, terms and names that the search page looks through."""

import json

from bs4 import BeautifulSoup

from publishing.website import passages

PAGE = """<article><section id="top"><h1>5. Top<a class="headerlink">#</a></h1><p>One
<math><mi>x</mi></math>.</p><button>Copy</button><pre>code = 1</pre>
<section id="below"><h2>Below</h2><p>Two.</p></section><script>no()</script></section></article>"""
TERMS = """<article><section id="all"><h1>Glossary</h1><dl class="glossary"><dt id="term-a">a</dt>
<dd>The first. <a href="../chapters/x.html">Chapter 1</a></dd></dl>
<dl class="py"><dt class="sig" id="pecode.f">f(x)</dt><dd>Return x.</dd></dl></section></article>"""


def take(html):
    return passages.take(BeautifulSoup(html, "html.parser"))


def test_a_section_has_its_own_text_and_its_code_apart():
    assert take(PAGE) == [
        ["top", "5. Top", "One x.", "code = 1", ""],
        ["below", "Below", "Two.", "", ""],
    ]


def test_a_term_knows_its_chapter_and_a_name_its_signature():
    assert take(TERMS) == [
        ["all", "Glossary", "", "", ""],
        ["term-a", "a", "The first. Chapter 1", "", "chapters/x.html"],
        ["pecode.f", "pecode.f", "f(x) Return x.", "", ""],
    ]


def test_a_page_without_an_article_has_none():
    assert take("<p>Forward</p>") == []


def test_pages_that_were_not_made_again_are_kept_and_those_that_are_gone_are_not(tmp_path):
    (tmp_path / "_static").mkdir()
    for name in ("a.html", "b.html"):
        (tmp_path / name).touch()
    passages.write(tmp_path, {"a.html": [["a", "A", "old", "", ""]], "gone.html": [["g"]]})
    passages.write(tmp_path, {"b.html": [["b", "B", "new", "", ""]]})
    held = (tmp_path / passages.FILE).read_text("utf8").removeprefix(passages.PREFIX)
    assert list(json.loads(held)) == ["a.html", "b.html"]
