"""What nbgrader does to each notebook: what ran is kept as text and pictures, and shown as such."""

import copy
import time
from pathlib import Path

import bleach
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbconvert.filters.markdown_mistune import markdown2html_mistune
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import Execute
from traitlets import Unicode

TEMPLATES = Path(__file__).with_name("templates")
SHOWN = ("text/plain", "image/png", "image/jpeg")
# What Markdown and the hints of the handout become; the rest of HTML is shown as text.
TAGS = bleach.ALLOWED_TAGS | {"h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "br", "hr", "del"}
TAGS |= {"details", "summary", "table", "thead", "tbody", "tr", "th", "td", "div", "span"}
MINUTES, SAID = 5, 5_000_000  # what a notebook may take, and a cell say
REASONS = {
    CellTimeoutError: ("TimedOut", "the cell took too long, and was stopped"),
    DeadKernelError: ("EndedPython", "the code of this cell ended Python"),
    TimeoutError: ("NoResult", "not run: the cells before took too long, or did not run again"),
}


def markdown_to_html(text):
    """Return Markdown as HTML that runs nothing and asks no host."""
    return bleach.clean(markdown2html_mistune(text), tags=TAGS, attributes={"a": ["href"]})


class Run(Execute):
    """Runs each cell: one that ends Python or does not end is stopped, and the others still run."""

    sockets = Unicode(help="the folder that a notebook shares with this program").tag(config=True)

    def preprocess(self, nb, resources, **options):
        """Run a notebook; keep of what it shows text and pictures, and of its metadata nothing."""
        self.ran, self.end = [], time.monotonic() + 60 * MINUTES
        nb, resources = super().preprocess(nb, resources, **options)
        nb.metadata = NotebookNode(language_info=NotebookNode(name="python"))
        for cell in nb.cells:
            if cell.cell_type == "code":
                cell.execution_count, cell.outputs = None, list(map(plain, cell.outputs))
        return nb, resources

    def preprocess_cell(self, cell, resources, index):
        """Run a cell, unless those before took too long."""
        if cell.cell_type != "code":
            return cell, resources
        self.said = 0
        try:
            if time.monotonic() > self.end:
                raise TimeoutError
            cell, resources = super().preprocess_cell(cell, resources, index)
            if not cell.metadata.get("nbgrader", {}).get("grade"):
                self.ran.append(index)
        except Exception as error:  # whatever its code did to Python, or sent as an output
            name, words = REASONS.get(type(error), ("NoResult", f"no result: {error!r:.200}"))
            line = f"{name}: {words}"
            cell.outputs = [new_output("error", ename=name, evalue=words, traceback=[line])]
            self.start_again()
        return cell, resources

    def on_cell_executed(self, **executed):
        """Raise where a cell asked Python to end, as `exit()` does: it ends after the reply."""
        super().on_cell_executed(**executed)
        if "ask_exit" in str(executed["execute_reply"]["content"].get("payload")):
            raise DeadKernelError

    def start_new_kernel(self, **options):
        """Start Python, even if the notebook before has locked the folder that they share."""
        if self.sockets:
            Path(self.sockets).chmod(0o700)
        super().start_new_kernel(**options)

    def process_message(self, msg, cell, index):
        """Note what a cell says, up to a length."""
        self.said += len(str(msg["content"]))
        if self.said < SAID or msg["msg_type"] == "status":
            return super().process_message(msg, cell, index)
        return None

    def start_again(self):
        """Start another Python, and run there what ran before."""
        if time.monotonic() > self.end:
            return
        self._cleanup_kernel()
        self.km = self.create_kernel_manager()
        self.start_new_kernel()
        self.start_new_kernel_client()
        try:
            for k in self.ran:
                self.execute_cell(copy.deepcopy(self.nb.cells[k]), k)
        except Exception:  # it does not run now: the rest of the notebook has no result
            self.end = 0


def plain(output):
    """Return an output without what its code could bring into a page: text and pictures remain."""
    if "data" not in output:
        return output
    data = {key: str(output.data[key]) for key in SHOWN if key in output.data}
    return new_output("display_data", data or {"text/plain": ""})
