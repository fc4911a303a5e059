"""Python's side of a page that runs: it runs cells, and says what they show.

It runs in the reader's browser, in a worker (worker.js). What notebooks import from IPython and
anywidget is here in small: the real ones take longer to import than all the rest of a page.
"""

import ast
import importlib
import inspect
import io
import itertools
import json
import linecache
import os
import re
import sys
import traceback
from types import ModuleType

WIDGET = "application/vnd.jupyter.widget-view+json"
REPRESENTATIONS = {"text/html": "_repr_html_", "text/markdown": "_repr_markdown_",
                   "image/svg+xml": "_repr_svg_"}  # fmt: skip
STAND_INS = ("IPython", "IPython.display", "anywidget")
CHARACTERS = 30_000  # of a printed text, a value or a trace
OUTPUTS = 100  # that a cell shows: a page with a thousand figures is no use
DEPTH = 300  # calls that a trace lists
# Added to an error that comes from what no page can do.
LIMITS = (
    "Python in a page has numpy, matplotlib and the book's own modules. It has no other packages, "
    "no network, no keyboard input, no threads or processes, no Jupyter commands (! and %), and "
    "less memory than your computer: to use these, download the notebook (the arrow at the top of "
    "the page) and run it there."
)
# To import matplotlib takes as long as all else before the first output. So these statements of a
# cell wait for the first cell that names what they import.
WAITS = re.compile(r"(import|from) (matplotlib|mpl_toolkits)\b[^*]*$|use_book_style\(\)$")

counter = itertools.count()
widgets = {}  # by the name that the page knows
waiting = []  # statements of earlier cells, each with its compiled code


class Printed(io.TextIOBase):
    """A stream of what a cell prints: sent on line by line, up to a limit."""

    def __init__(self, name):
        self.name = name
        self.begin()

    def begin(self):
        """Begin a cell."""
        self.held, self.size = [], 0

    def write(self, text):
        """Hold a text back until its line ends."""
        self.held += [text[: max(CHARACTERS - self.size, 0)]]
        self.size += len(text)
        if text.endswith("\n"):
            self.flush()
        return len(text)

    def flush(self):
        """Send what is held back."""
        text = "".join(self.held)
        self.held.clear()
        if text:
            show({"output_type": "stream", "name": self.name, "text": text})

    def end(self):
        """End a cell: say how much was left out."""
        if self.size > CHARACTERS:
            self.held += [f"\n{left_out(self.size)}\n"]
        self.flush()


def left_out(size):
    """Return the line that stands for the end of a long text.

    >>> left_out(31_234)
    '… 1,234 characters left out …'
    """
    return f"… {size - CHARACTERS:,} characters left out …"


def shortened(text):
    """Return a text, or the beginning of a very long one."""
    if len(text) <= CHARACTERS:
        return text
    return f"{text[:CHARACTERS]}\n{left_out(len(text))}"


def start(post, main="__main__"):
    """Begin: `post` takes each message to the page, as a text of JSON."""
    global _post, space, streams
    _post = post
    sys.modules[main] = ModuleType(main)
    space = vars(sys.modules[main])  # the variables of all cells
    streams = [Printed(name) for name in ("stdout", "stderr")]
    os.environ["MPLBACKEND"] = "module://backend"
    stand_in()


def send(kind, **content):
    """Send a message to the page."""
    _post(json.dumps({"say": kind, **content}))


def show(output):
    """Send an output of the cell that runs; outputs have the form that notebooks store."""
    if output["output_type"] != "stream":
        for stream in streams:
            stream.flush()
    send("output", output=output)


# Cells


def run(name, source):
    """Run a cell and show the value of its last line; return whether it came to its end."""
    global shown
    file, shown = f"<cell {name}>", 0
    sys.stdout, sys.stderr = streams  # whatever the cell before made of them
    for stream in streams:
        stream.begin()
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    try:
        now, later = split_cell(source, file)
        if waiting and uses_matplotlib(now, waiting):
            while waiting:
                exec(waiting[0][1], space)
                del waiting[0]  # only now: where it fails it fails again in the next cell
        waiting.extend(
            (statement, compile(ast.Module([statement], []), file, "exec")) for statement in later
        )
        last = now.pop() if now and isinstance(now[-1], ast.Expr) else None
        exec(compile(ast.Module(now, []), file, "exec"), space)
        value = eval(compile(ast.Expression(last.value), file, "eval"), space) if last else None
        if value is not None:
            show({"output_type": "execute_result", **bundle(value)})
        show_figures()
        if shown > OUTPUTS:
            print(f"… {shown - OUTPUTS:,} more outputs left out …", file=streams[0])
    except BaseException as error:  # whatever it is, the reader is told
        show({"output_type": "error", **error_output(error)})
        return False
    finally:
        for stream in streams:
            stream.end()
    return True


def error_output(error):
    """Return the name and the trace of an error, from the reader's cell on."""
    trace = error.__traceback__
    while trace and not trace.tb_frame.f_code.co_filename.startswith("<cell "):
        trace = trace.tb_next
    if is_limit(error):
        error.add_note(LIMITS)
    text = traceback.TracebackException(type(error), error, trace, limit=DEPTH)
    return {"ename": type(error).__name__, "traceback": [shortened("".join(text.format()))]}


def is_limit(error):
    """Say whether an error may come from what no page can do."""
    match error:
        case ModuleNotFoundError(name=str(name)):
            return name.partition(".")[0] not in sys.modules
        case SyntaxError(text=str(text)):
            return text.lstrip().startswith(("!", "%"))
        case RuntimeError():
            return "thread" in str(error)
        case FileNotFoundError():
            return False
    return isinstance(error, EOFError | MemoryError | OSError)


def split_cell(source, file):
    """Return the statements of a cell that run now, and those that wait for a cell that draws."""
    body = ast.parse(source, file).body
    later = [each for each in body if WAITS.match(ast.unparse(each))]
    now = [each for each in body if each not in later]
    if "matplotlib" in sys.modules or uses_matplotlib(now, [(each, None) for each in later]):
        return body, []
    return now, later


def uses_matplotlib(statements, imports):
    """Say whether statements import matplotlib, or name what imports that wait would give."""
    names = {"matplotlib", "mpl_toolkits"}
    for statement, _ in imports:
        for alias in getattr(statement, "names", ()):
            names.add(alias.asname or alias.name.partition(".")[0])
    text = "\n".join(map(ast.unparse, statements))
    return not names.isdisjoint(re.findall(r"\w+", text))


def needed(source):
    """Return the packages that a cell imports when it runs, and those that a later one will."""
    try:
        now, later = split_cell(source, "<cell>")
    except SyntaxError:  # which `run` shows
        return [], []
    if waiting and uses_matplotlib(now, waiting):
        now = [*(statement for statement, _ in waiting), *now]
    return imports(now), imports(later)


def imports(statements):
    """Return the top-level names that imports name anywhere in statements."""
    found = set()
    for node in itertools.chain(*map(ast.walk, statements)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module.partition(".")[0])
    return sorted(found)


def call(module, name, argument):
    """Call a function with what a text of JSON holds, and return its answer as such a text."""
    return json.dumps(getattr(importlib.import_module(module), name)(json.loads(argument)))


# What is shown


def bundle(value):
    """Return what an object is shown as: forms of data, by their names on the web."""
    if isinstance(value, HasState):
        return {"data": {WIDGET: value.view(), "text/plain": repr(value)}}
    if type(value).__module__ == "matplotlib.figure":
        from figures.svg import as_svg  # the drawing that notebooks store

        return {"data": {"image/svg+xml": as_svg(value), "text/plain": repr(value), "figure": True}}
    data = {"text/plain": shortened(repr(value))}
    for form, method in REPRESENTATIONS.items():
        if not inspect.isclass(value) and (text := getattr(value, method, lambda: None)()):
            data[form] = text
    return {"data": data}


def display(*values, raw=False):
    """Show objects below the cell: the first hundred."""
    global shown
    for value in values:
        shown += 1
        if shown <= OUTPUTS:
            show({"output_type": "display_data", **({"data": value} if raw else bundle(value))})


class DisplayHandle:
    """Something shown that can be replaced by something else, as a line of progress is."""

    def __init__(self):
        self.name = f"shown-{next(counter)}"

    def display(self, value, raw=False):
        """Show it, where what this handle showed before goes."""
        data = {"data": value} if raw else bundle(value)
        show({"output_type": "display_data", "display_id": self.name, **data})

    update = display


def show_figures():
    """Show and close all open figures, where matplotlib has been imported."""
    if "matplotlib.pyplot" in sys.modules:
        pyplot = sys.modules["matplotlib.pyplot"]
        try:
            display(*map(pyplot.figure, pyplot.get_fignums()))
        finally:
            pyplot.close("all")


# Figures that move: their state here and on the page is one


class HasState:
    """What the figures have from anywidget: a state that the page shows and changes."""

    def __init__(self, **state):
        super().__init__(**state)
        self.model_id = f"live-{next(counter)}"
        widgets[self.model_id] = self
        self.observe(self._tell)

    def view(self):
        """Return what the page needs to show it."""
        own = type(self)
        state = {"_esm": own._esm, "_anywidget_id": f"{own.__module__}.{own.__name__}"}
        state |= {name: self._out(name) for name in self.traits(sync=True)}
        return {"model_id": self.model_id, "state": state}

    def _out(self, name):
        to_json = self.trait_metadata(name, "to_json") or (lambda value, _: value)
        return to_json(getattr(self, name), self)

    def _tell(self, change):
        if change.name in self.traits(sync=True):
            send("state", model=self.model_id, state={change.name: self._out(change.name)})


def receive(model, state):
    """Take what a reader changed on the page; a value that is refused is put back there."""
    widget = widgets[model]
    for name, value in json.loads(state).items():
        from_json = widget.trait_metadata(name, "from_json") or (lambda value, _: value)
        try:
            setattr(widget, name, from_json(value, widget))
        except Exception:  # as in a notebook, where the figure stays as it is
            send("state", model=model, state={name: widget._out(name)})


def stand_in():
    """Put small modules where IPython and anywidget would be."""
    for name in STAND_INS:
        sys.modules[name] = ModuleType(name)
    sys.modules["IPython"].get_ipython = lambda: None  # no shell: `bundle` is what shows a figure
    sys.modules["IPython"].version_info = (9, 0)  # matplotlib asks
    display_module = sys.modules["IPython"].display = sys.modules["IPython.display"]
    display_module.display, display_module.DisplayHandle = display, DisplayHandle
    for name, method in (("Markdown", "_repr_markdown_"), ("HTML", "_repr_html_")):
        body = {"__init__": lambda self, data: setattr(self, "data", data),
                method: lambda self: self.data}  # fmt: skip
        setattr(display_module, name, type(name, (), body))

    def any_widget(name):
        import traitlets  # when the first figure asks for it

        widget = type(name, (HasState, traitlets.HasTraits), {})
        sys.modules["anywidget"].AnyWidget = widget
        return widget

    sys.modules["anywidget"].__getattr__ = any_widget
