"""Python's side of a page that runs: its cells, what they show, and the figures that move.

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
import sys
import time
import traceback
from types import ModuleType, SimpleNamespace

WIDGET = "application/vnd.jupyter.widget-view+json"
REPRESENTATIONS = {"text/html": "_repr_html_", "text/markdown": "_repr_markdown_",
                   "image/svg+xml": "_repr_svg_"}  # fmt: skip
STAND_IN = ("IPython", "IPython.display", "matplotlib_inline", "matplotlib_inline.backend_inline",
            "anywidget")  # fmt: skip
# Half of the time until the first figure goes into matplotlib: what only imports it, or sets its
# look, waits for a cell that draws.
DRAWS = ("matplotlib", "mpl_toolkits")
SEES_ALL = {"globals", "locals", "vars", "dir", "eval", "exec"}
LINES = 100  # that a cell prints until they are put together
SECONDS = 0.1  # between two messages from then on
DEPTH = 1000  # calls that a trace lists: to read a million of them takes minutes
counter = itertools.count()
widgets = {}
waiting = []  # statements of earlier cells, with the name of each cell's file


class Printed(io.TextIOBase):
    """What a cell prints, sent on line by line; after many lines in larger pieces."""

    def __init__(self, name, send):
        self.name, self.send, self.held, self.sent, self.count = name, send, [], 0.0, 0

    def write(self, text):
        """Hold a text back until its line ends."""
        self.held.append(text)
        if text.endswith("\n") and (self.count < LINES or time.monotonic() - self.sent > SECONDS):
            self.flush()
        return len(text)

    def flush(self):
        """Send what is held back."""
        if self.held:
            self.send({"output_type": "stream", "name": self.name, "text": "".join(self.held)})
            self.held, self.sent, self.count = [], time.monotonic(), self.count + 1


def start(post, main="__main__"):
    """Begin: `post` takes each message, as a text of JSON."""
    global _post, space
    _post = post
    sys.modules[main] = ModuleType(main)
    space = vars(sys.modules[main])
    sys.stdout, sys.stderr = (Printed(name, show) for name in ("stdout", "stderr"))
    os.environ["MPLBACKEND"] = "module://backend"
    stand_in()


def send(kind, **content):
    """Send a message to the page."""
    _post(json.dumps({"say": kind, **content}))


def show(output):
    """Send an output of the cell that runs; outputs have the form that notebooks store."""
    for stream in (sys.stdout, sys.stderr):
        if output["output_type"] != "stream":
            stream.flush()
    send("output", output=output)


# Cells


def run(name, source):
    """Run a cell and show what its last line gives; return whether it came to its end."""
    file = f"<cell {name}>"
    sys.stdout.count = sys.stderr.count = 0
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    try:
        tree = ast.parse(source, file)
        tree.body, later = parted(tree.body)
        needed_now = needs(tree.body, [statement for statement, _ in waiting])
        while waiting and needed_now:  # all of them: the look of the book has no name to ask for
            statement, its_file = waiting[0]
            exec(compile(ast.Module([statement], []), its_file, "exec"), space)
            del waiting[0]  # only now: where it fails it fails again in the next cell
        waiting.extend((statement, file) for statement in later)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, file, "exec"), space)
        value = eval(compile(ast.Expression(last.value), file, "eval"), space) if last else None
        if value is not None:
            show({"output_type": "execute_result", **bundle(value)})
        show_figures()
    except BaseException as error:  # whatever it is, the reader is told
        show({"output_type": "error", **told(error)})
        return False
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return True


def told(error):
    """Return the name, the text, the line and the trace of an error, from the reader's cell on."""
    trace = error.__traceback__
    while trace and not trace.tb_frame.f_code.co_filename.startswith("<cell "):
        trace = trace.tb_next
    line = trace.tb_lineno if trace else getattr(error, "lineno", None)
    text = "".join(traceback.format_exception(error.with_traceback(trace), limit=DEPTH))
    return {"ename": type(error).__name__, "evalue": str(error), "line": line, "traceback": [text]}


def imports(source):
    """Return the modules that a cell names in its imports.

    >>> imports("import numpy as np; from pecode.lab import tasks")
    ['numpy', 'pecode.lab', 'pecode.lab.tasks']
    """
    try:
        return named(ast.parse(source))
    except SyntaxError:  # which `run` shows
        return []


def named(*trees):
    """Return the modules that imports name anywhere in these trees."""
    found = set()
    for node in itertools.chain(*map(ast.walk, trees)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return sorted(found)


def needed(source):
    """Return the modules that a cell needs when it runs, and those that a later one will."""
    try:
        now, later = parted(ast.parse(source).body)
    except SyntaxError:
        return [], []
    before = [statement for statement, _ in waiting]
    if waiting and needs(now, before):
        now = [*before, *now]
    modules = set(named(*now))
    if any(map(draws, now)):
        modules.add("matplotlib")  # which the look of the book needs, too
    return sorted(modules), named(*later)


def parted(statements):
    """Return what a cell does now, and what can wait until a cell draws."""
    later = [statement for statement in statements if draws(statement)]
    now = [statement for statement in statements if not draws(statement)]
    if not later or "matplotlib" in sys.modules or needs(now, later):
        return statements, []
    return now, later


def draws(statement):
    """Say whether a statement does nothing but import from matplotlib, or set its look."""
    match statement:
        case ast.Import(names):
            return all(alias.name.partition(".")[0] in DRAWS for alias in names)
        case ast.ImportFrom(module, names):
            all_named = all(alias.name != "*" for alias in names)
            return all_named and (module or "").partition(".")[0] in DRAWS
        case ast.Expr(ast.Call(ast.Name("use_book_style"), [], [])):
            return True
    return False


def needs(statements, before):
    """Say whether statements draw, or could ask for a name that others give."""
    given = {
        alias.asname or alias.name.partition(".")[0]
        for statement in before
        for alias in getattr(statement, "names", ())
    }
    asked = {
        node.id
        for statement in statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Name)
    }
    return bool(asked & (given | SEES_ALL)) or any(map(draws, statements))


def warm(modules):
    """Import what every page needs, while its reader looks for a cell to run."""
    for module in modules:
        importlib.import_module(module)


def call(module, name, argument):
    """Call a function with what a text of JSON holds, and return its answer as such a text."""
    return json.dumps(getattr(importlib.import_module(module), name)(json.loads(argument)))


# What is shown


def bundle(value):
    """Return what an object is shown as: kinds of data, by their names on the web."""
    if isinstance(value, HasState):
        return {"data": {WIDGET: value.view(), "text/plain": repr(value)}}
    if type(value).__module__ == "matplotlib.figure":
        return {"data": picture(value)}
    data = {"text/plain": repr(value)}
    for kind, method in REPRESENTATIONS.items():
        if not inspect.isclass(value) and (text := getattr(value, method, lambda: None)()):
            data[kind] = text
    return {"data": data}


def display(*values, raw=False):
    """Show objects below the cell."""
    for value in values:
        shown = {"data": value} if raw else bundle(value)
        show({"output_type": "display_data", **shown})


class DisplayHandle:
    """Something shown that can be replaced by something else."""

    def display(self, value, raw=False):
        """Show it, where what this handle showed before goes."""
        shown = {"data": value} if raw else bundle(value)
        show({"output_type": "display_data", "display_id": str(id(self)), **shown})

    update = display


def picture(figure):
    """Return a figure of matplotlib as the drawing that notebooks store."""
    from pecode.figures.svg import as_svg

    return {"image/svg+xml": as_svg(figure), "text/plain": repr(figure), "figure": True}


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

    def get_state(self):
        """Return the state as the page knows it."""
        kind = type(self)
        known = {"_esm": kind._esm, "_anywidget_id": f"{kind.__module__}.{kind.__name__}"}
        return known | {name: self._out(name) for name in self.traits(sync=True)}

    def view(self):
        """Return what the page needs to show it."""
        return {"model_id": self.model_id, "state": self.get_state()}

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


# What stands in


def stand_in():
    """Put small modules where IPython and anywidget would be."""
    for name in STAND_IN:
        sys.modules[name] = ModuleType(name)
    nothing = lambda *_, **__: None  # noqa: E731
    shell = SimpleNamespace(
        events=SimpleNamespace(register=nothing, unregister=nothing),
        display_formatter=SimpleNamespace(  # `picture` is what shows a figure
            formatters={"image/svg+xml": SimpleNamespace(for_type=nothing)}
        ),
    )
    sys.modules["IPython"].get_ipython = lambda: shell
    sys.modules["IPython"].version_info = (9, 0)  # matplotlib asks
    display_module = sys.modules["IPython"].display = sys.modules["IPython.display"]
    display_module.display, display_module.DisplayHandle = display, DisplayHandle
    for kind, method in (("Markdown", "_repr_markdown_"), ("HTML", "_repr_html_")):
        body = {"__init__": lambda self, data: setattr(self, "data", data),
                method: lambda self: self.data}  # fmt: skip
        setattr(display_module, kind, type(kind, (), body))
    sys.modules["matplotlib_inline.backend_inline"].set_matplotlib_formats = nothing

    def any_widget(name):
        import traitlets  # when the first figure asks for it

        widget = type(name, (HasState, traitlets.HasTraits), {})
        sys.modules["anywidget"].AnyWidget = widget
        return widget

    sys.modules["anywidget"].__getattr__ = any_widget
