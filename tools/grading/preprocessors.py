"""What nbgrader does to each notebook: what ran is kept as text and pictures, and shown as such."""

import copy
import time
from pathlib import Path

import bleach
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbconvert.filters.markdown_mistune import markdown2html_mistune
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import Execute, NbGraderPreprocessor

TEMPLATES = Path(__file__).with_name("templates")
SHOWN = ("text/plain", "image/png", "image/jpeg")
# What Markdown and the hints of the handout become; the rest of HTML is shown as text.
TAGS = bleach.ALLOWED_TAGS | {"h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "br", "hr", "del"}
TAGS |= {"details", "summary", "table", "thead", "tbody", "tr", "th", "td", "div", "span"}
RESTARTS, MINUTES, SAID = 10, 5, 5_000_000  # what a notebook may take, and a cell say


def markdown_to_html(text):
    """Return Markdown as HTML that runs nothing and asks no host."""
    return bleach.clean(markdown2html_mistune(text), tags=TAGS, attributes={"a": ["href"]})


class Run(Execute):
    """Runs each cell: one that ends Python or does not end is stopped, and the others still run."""

    def preprocess(self, nb, resources, **options):
        """Run a notebook."""
        self.lost, self.end = [], time.monotonic() + 60 * MINUTES
        return super().preprocess(nb, resources, **options)

    def preprocess_cell(self, cell, resources, index):
        """Run a cell, unless too much was lost before."""
        if cell.cell_type != "code":
            return cell, resources
        if len(self.lost) > RESTARTS or time.monotonic() > self.end:
            self.say(cell, "NoResult", "not run: the cells before took too long")
            return cell, resources
        self.said = 0
        try:
            return super().preprocess_cell(cell, resources, index)
        except Exception as error:  # whatever its code did to Python, or sent as an output
            self.say(cell, *self.reason(error))
            self.lost.append(index)
            self.start_again(index)
        return cell, resources

    def reason(self, error):
        """Return the name and the words of what ended a cell."""
        if isinstance(error, CellTimeoutError):
            return "TimedOut", f"the cell took more than {self.timeout} seconds, and was stopped"
        if isinstance(error, DeadKernelError):
            return "EndedPython", "the code of this cell ended Python"
        return "NoResult", f"what this cell sent cannot be shown: {type(error).__name__}"

    def process_message(self, msg, cell, index):
        """Note what a cell says, up to a length."""
        self.said += len(str(msg["content"]))
        if self.said < SAID or msg["msg_type"] == "status":
            return super().process_message(msg, cell, index)
        return None

    def say(self, cell, name, words):
        """Write into a cell why it has no result."""
        lines = [f"{name}: {words}"]
        cell.outputs = [new_output("error", ename=name, evalue=words, traceback=lines)]

    def start_again(self, index):
        """Start another Python and run there what came before a cell, but for what grades."""
        self._cleanup_kernel()
        self.km = self.create_kernel_manager()
        self.start_new_kernel()
        self.start_new_kernel_client()
        for k, cell in enumerate(self.nb.cells[:index]):
            if time.monotonic() > self.end:
                return
            grades = cell.metadata.get("nbgrader", {}).get("grade")
            if cell.cell_type == "code" and not grades and k not in self.lost:
                try:
                    self.execute_cell(copy.deepcopy(cell), k)
                except Exception:  # what ran before, but does not now
                    self.lost.append(k)
                    if len(self.lost) <= RESTARTS:
                        self.start_again(index)
                    return


class PlainOutputs(NbGraderPreprocessor):
    """Keeps of the outputs what is text or a picture: they are what the code of a student sent.

    nbconvert's SanitizeHTML would leave the metadata of an output and the count of a cell, which
    the pages of nbgrader show as they are.
    """

    def preprocess(self, nb, resources):
        """Keep of the metadata of a notebook its language."""
        nb, resources = super().preprocess(nb, resources)
        nb.metadata = NotebookNode(language_info=NotebookNode(name="python"))
        return nb, resources

    def preprocess_cell(self, cell, resources, index):
        """Keep of a cell's outputs what is shown."""
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
