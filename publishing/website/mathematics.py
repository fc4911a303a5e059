"""Sphinx extension: formulas are set when the book is built, as MathML.

A browser draws MathML by itself: no script of 165 KB, no second in which the page moves. What a
screen reader says, what is found by a search and what is printed is the formula itself.
"""

from html import escape

from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

LOG = logging.getLogger(__name__)
CONVERTER = LatexToMathML(fancy_error=False)


def setup(app):
    """Add the renderer; `html_math_renderer` in _config.yml chooses it."""
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math_block, None))


def visit_math(self, node):
    """Write a formula within a line."""
    self.body.append(self.starttag(node, "span", "", CLASS="math notranslate nohighlight"))
    self.body.append(f"{mathml(node, display=False)}</span>")
    raise nodes.SkipNode


def visit_math_block(self, node):
    """Write a formula of its own, with its number if it has one."""
    self.body.append(self.starttag(node, "div", "", CLASS="math notranslate nohighlight"))
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append(f"<div>{mathml(node, display=True)}</div></div>\n")  # the inner one scrolls
    raise nodes.SkipNode


def mathml(node, display):
    """Return a formula as MathML. An unknown macro is a warning, which the checks refuse."""
    try:
        return CONVERTER.convert_with_local_state(node.astext(), displaystyle=display)
    except LatexError as error:
        LOG.warning("formula %r: %s", node.astext(), error, location=node)
        return f"<code>{escape(node.astext())}</code>"
