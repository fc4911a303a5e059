"""What nbgrader does to each notebook: what ran is kept as text and pictures, and shown as such."""

from pathlib import Path

import bleach
from nbconvert.filters.markdown_mistune import markdown2html_mistune
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor

TEMPLATES = Path(__file__).with_name("templates")
SHOWN = ("text/plain", "image/png", "image/jpeg")
# What Markdown and the hints of the handout become; the rest of HTML is shown as text.
TAGS = {*bleach.ALLOWED_TAGS, "br", "dd", "del", "details", "div", "dl", "dt", "h1", "h2", "h3", "h4",
        "h5", "h6", "hr", "p", "pre", "span", "summary", "table", "tbody", "td", "th", "thead", "tr"}  # fmt: skip


def markdown_to_html(text):
    """Return Markdown as HTML that runs nothing and asks no host.

    >>> markdown_to_html("*a* <script>b</script>")
    '<p><em>a</em> &lt;script&gt;b&lt;/script&gt;</p>\\n'
    """
    return bleach.clean(markdown2html_mistune(text), tags=TAGS, attributes={"a": ["href"]})


class PlainOutputs(NbGraderPreprocessor):
    """Keeps of the outputs what is text or a picture: they are what the code of a student sent.

    nbconvert's SanitizeHTML would leave the metadata of an output and the count of a cell, which
    the pages of nbgrader show as they are.
    """

    def preprocess(self, nb, resources):
        nb, resources = super().preprocess(nb, resources)
        nb.metadata = NotebookNode(language_info=NotebookNode(name="python"))
        return nb, resources

    def preprocess_cell(self, cell, resources, index):
        if cell.cell_type == "code":
            cell.outputs = list(filter(None, map(plain, cell.outputs)))
            if not isinstance(cell.execution_count, int):
                cell.execution_count = None
        return cell, resources


def plain(output):
    """Return an output with its text and pictures alone; None if it has none."""
    kind = output.output_type
    if kind == "stream":
        name = "stderr" if output.name == "stderr" else "stdout"
        return new_output("stream", name=name, text=str(output.text))
    if kind == "error":
        lines = list(map(str, output.traceback))
        return new_output(
            "error", ename=str(output.ename), evalue=str(output.evalue), traceback=lines
        )
    data = {key: str(output.data[key]) for key in SHOWN if key in output.data}
    return new_output("display_data", data) if data else None
