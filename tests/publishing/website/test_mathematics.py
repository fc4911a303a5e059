"""The formulas of the pages are set when the book is built."""

import io
import logging
import re

import pytest
from sphinx.application import Sphinx
from sphinx.errors import SphinxWarning
from sphinx.util.docutils import docutils_namespace


@pytest.fixture
def build(tmp_path, monkeypatch):
    """Return a function that builds a page of Markdown and returns its HTML."""
    # Sphinx leaves its handlers, which would make errors of the warnings of later tests.
    monkeypatch.setattr(logging.getLogger("sphinx"), "handlers", [])

    def page(text):
        (tmp_path / "index.md").write_text(f"# Title\n\n{text}\n", encoding="utf8")
        settings = {
            "extensions": ["myst_parser", "publishing.website.mathematics"],
            "html_math_renderer": "mathml",
            "myst_enable_extensions": ["dollarmath"],
            "html_theme": "basic",
        }
        folders = (tmp_path, None, tmp_path / "html", tmp_path / "trees", "html")
        with docutils_namespace():
            Sphinx(
                *folders, settings, status=None, warning=io.StringIO(), warningiserror=True
            ).build()
        return (tmp_path / "html" / "index.html").read_text(encoding="utf8")

    return page


def test_a_formula_in_a_line_is_mathml(build):
    html = build(r"One $\omega_i < 1$ here.")
    assert "<math><msub><mi>ω</mi><mi>i</mi></msub><mo>&lt;</mo><mn>1</mn></math>" in html


def test_a_formula_of_its_own_has_its_number_and_a_link(build):
    html = build("```{math}\n:label: eq-one\n\\frac{a}{b}\n```\n\nSee {eq}`eq-one`.")
    assert '<div><math display="block"><mfrac><mi>a</mi><mi>b</mi></mfrac></math></div>' in html
    assert re.search(r'<div class="math[^>]*id="equation-eq-one">\s*<span class="eqno">\(1\)', html)
    assert html.count('href="#equation-eq-one"') == 2


@pytest.mark.parametrize("formula", [r"\nosuchmacro", r"\frac{1}", "x^", r"\left( x"])
def test_what_cannot_be_set_stops_the_build(build, formula):
    with pytest.raises(SphinxWarning, match="formula"):
        build(f"Here ${formula}$.")
