"""Python's side of a page that runs: its cells, what they show, and the figures that move.

It runs in the reader's browser, in a worker (worker.js). What notebooks import from IPython and
anywidget is here in small: the real ones take longer to import than all the rest of a page.
"""

import ast
import builtins
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
import weakref
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
HEAD = 1000, 50_000  # lines and characters of a long text that are shown,
TAIL = 100, 10_000  # and as many of its end
OUTPUTS = 100  # that a cell shows: a page with a thousand figures is no use
DEPTH = 300  # calls that a trace lists: to read a million of them takes minutes
AT_HOME = "or download the notebook (the arrow at the top of the page) and run it on your computer."
INPUT = (
    "Python in a page cannot wait for the keyboard: write the value into the cell, without input()."
)
NETWORK = f"Python in a page cannot open network connections: put the data into the cell, {AT_HOME}"
ALONE = f"Python in a page is one process with one thread: call the function itself, {AT_HOME}"
SMALL = f"A page has less memory than your computer: take a smaller size, {AT_HOME}"
SYSTEM = f"A page has no operating system, which this module needs: do without it, {AT_HOME}"
PACKAGES = f"This page has numpy, matplotlib and the book's own modules: use these, {AT_HOME}"
JUPYTER = (
    "Jupyter's commands (! and %) do not work here: delete the line, what the book needs is there."
)
ENDED = "Only this cell has ended: Python goes on, with all its variables."
WAITS = f"Python in a page cannot wait for asyncio: call ordinary functions, {AT_HOME}"
# What a browser has not ends here, before it fails in its own words or waits for nothing.
REFUSED = {
    "builtins.input": (EOFError, "nobody is asked in a page", INPUT),
    **dict.fromkeys(
        ("http.client.connect", "socket.connect", "socket.getaddrinfo", "socket.gethostbyname",
         "socket.sendto"),
        (ConnectionError, "no network in a page", NETWORK)),
    **dict.fromkeys(
        ("subprocess.Popen", "os.system", "os.fork"), (OSError, "no processes in a page", ALONE)),
}  # fmt: skip
ASK_THE_NETWORK = {"requests", "httpx", "aiohttp", "urllib3", "huggingface_hub", "datasets"}
OURS = {"numpy", "matplotlib", "mpl_toolkits", "autograd", "traitlets", "pecode", "exercises"}
counter = itertools.count()
widgets = {}
waiting = []  # statements of earlier cells, with the name of each cell's file
remembered = {}  # what a cell can break, each with the names that it had
held = {}  # handles that the cell has shown, each with what is still to be sent
refused = weakref.WeakSet()  # and those that it has no room for


class Printed(io.TextIOBase):
    """What a cell prints, sent on line by line; after many lines in larger pieces.

    Of very much the head is sent once, then the tail again and again, with a count of the rest.
    """

    def __init__(self, name, send):
        self.name, self.send = name, send
        self.begin()

    def begin(self):
        """Begin a cell."""
        self.held, self.size, self.sent, self.count = [], 0, 0.0, 0
        self.lines, self.characters = HEAD  # that may still be sent
        self.left_out = None  # lines and characters between head and tail

    def write(self, text):
        """Hold a text back until its line ends."""
        due = self.count < LINES or time.monotonic() - self.sent > SECONDS
        if due and not self.held:
            send_held()  # what came before it: a line of progress that ends divides no print
        self.held.append(text)
        self.size += len(text)
        if self.size > HEAD[1]:
            self.trim()
        if due and text.endswith("\n"):
            self.flush()
        return len(text)

    def trim(self):
        """Send the head, where there is room for it, and keep no more than the tail."""
        text = "".join(self.held)
        if self.left_out is None:
            at = end_of_head(text, self.lines, self.characters)
            head, text = text[:at], text[at:]
            if head:
                self.send({"output_type": "stream", "name": self.name, "text": head})
            self.lines, self.characters = self.lines - head.count("\n"), self.characters - at
            self.left_out = [0, 0] if text else None
        at = start_of_tail(text)
        if at:
            self.left_out[0] += text.count("\n", 0, at)
            self.left_out[1] += at
        self.held, self.size = [text[at:]] * bool(text), len(text) - at

    def flush(self):
        """Send what is held back."""
        if not self.held:
            return
        self.trim()
        self.sent, self.count = time.monotonic(), self.count + 1
        if self.held:
            tail = "".join(self.held)
            note = f"{gap(*self.left_out)}\n" if any(self.left_out) else ""
            self.send({"output_type": "stream", "name": self.name, "tail": note + tail})


def end_of_head(text, lines, characters):
    """Return where the first lines of a text end, or so many characters."""
    at = 0
    for _ in range(lines):
        at = text.find("\n", at, characters) + 1
        if not at:
            return min(len(text), characters)
    return at


def start_of_tail(text):
    """Return where the last lines of a text begin, or its last characters."""
    lines, characters = TAIL
    at = len(text.removesuffix("\n"))
    for _ in range(lines):
        at = text.rfind("\n", 0, max(at, 0))
    return max(at + 1, len(text) - characters)


def gap(lines, characters):
    """Return the line that stands for what was left out.

    >>> gap(1200, 34567)
    '… 1,200 lines left out …'
    >>> gap(0, 34567)
    '… 34,567 characters left out …'
    """
    left = f"{lines:,} lines" if lines > 1 else f"{characters:,} characters"
    return f"… {left} left out …"


def shortened(text):
    """Return a text, or the head and the tail of a very long one."""
    end = end_of_head(text, *HEAD)
    start = max(end, end + start_of_tail(text[end:]))
    if start == end:
        return text
    note = gap(text.count("\n", end, start), start - end)
    return f"{text[:end].rstrip()}\n{note}\n{text[start:]}"


def start(post, main="__main__"):
    """Begin: `post` takes each message, as a text of JSON."""
    global _post, space, streams
    _post = post
    sys.modules[main] = ModuleType(main)
    space = vars(sys.modules[main])
    streams = [Printed(name, show) for name in ("stdout", "stderr")]
    sys.stdout, sys.stderr = streams
    os.environ["MPLBACKEND"] = "module://backend"
    stand_in()
    sys.addaudithook(refuse)


def refuse(event, _):
    """Raise an error where Python begins what no page can do."""
    if event in REFUSED:
        kind, text, sentence = REFUSED[event]
        error = kind(text)
        error.advice = sentence
        raise error


def send(kind, **content):
    """Send a message to the page."""
    _post(json.dumps({"say": kind, **content}))


def show(output):
    """Send an output of the cell that runs; outputs have the form that notebooks store."""
    if output["output_type"] != "stream" and "display_id" not in output:
        send_held()  # what came before it
    for stream in streams:
        if output["output_type"] != "stream":
            stream.flush()
    send("output", output=output)


# Cells


def run(name, source):
    """Run a cell and show what its last line gives; return whether it came to its end."""
    global room, left_out
    file, room, left_out = f"<cell {name}>", OUTPUTS, 0
    sys.stdout, sys.stderr = streams  # whatever the cell before made of them
    for stream in streams:
        stream.begin()
    held.clear()
    refused.clear()
    DisplayHandle.sent, DisplayHandle.count = 0.0, 0
    remember()
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
        if left_out:
            more = f"{left_out:,} more outputs" if left_out > 1 else "1 more output"
            print(f"… {more} left out …", file=streams[0])
    except BaseException as error:  # whatever it is, the reader is told
        show({"output_type": "error", **told(error)})
        return False
    finally:
        send_held()
        for stream in streams:
            stream.flush()
    return True


def told(error):
    """Return the name, the text, the line and the trace of an error, from the reader's cell on."""
    trace = next(iter(ours(error.__traceback__)), None)
    line = trace.tb_lineno if trace else getattr(error, "lineno", None)
    sentence = advice(error)
    if trace and sentence:  # says all: what the libraries tried is no help
        ours(trace)[-1].tb_next = None
    for note in filter(None, (sentence, damage())):
        error.add_note(note)
    whole_text = traceback.TracebackException(type(error), error, trace, limit=DEPTH)
    return {
        "ename": type(error).__name__,
        "evalue": str(whole_text),
        "line": line,
        "traceback": [shortened("".join(whole_text.format(chain=not sentence)))],
    }


def ours(trace):
    """Return the steps of a trace that are in cells."""
    steps = []
    while trace:
        steps += [trace] if trace.tb_frame.f_code.co_filename.startswith("<cell ") else []
        trace = trace.tb_next
    return steps


def advice(error):
    """Return a sentence on what cannot work in a page, and on what can; nothing on other errors."""
    for _ in range(10):  # what an error came from, and that from
        if sentence := getattr(error, "advice", ""):
            return sentence
        if not (before := error.__cause__ or error.__context__):
            break
        error = before
    match error:
        case ModuleNotFoundError(name=str(name)) if (top := name.partition(".")[0]) not in OURS:
            known = top in sys.stdlib_module_names
            return NETWORK if top in ASK_THE_NETWORK else SYSTEM if known else PACKAGES
        case SyntaxError(text=str(text)) if text.lstrip()[:1] in ("!", "%"):
            return JUPYTER
        case SystemExit():
            return ENDED
        case MemoryError():
            return SMALL
        case ValueError() if str(error).startswith("array is too big"):
            return SMALL
        case RuntimeError() if "stack switch" in str(error):
            return WAITS
        case RuntimeError() if "start new thread" in str(error):
            return ALONE
    return ""


def parts():
    """Return what a cell can break without knowing it, each with the names in it."""
    found = {"builtins": vars(builtins), "os.environ": os.environ, "sys.path": sys.path}
    found |= {name: vars(sys.modules[name]) for name in ("pecode", "numpy") if name in sys.modules}
    found["sys.modules"] = sys.modules
    if rc := getattr(sys.modules.get("matplotlib"), "rcParams", None):
        found["matplotlib.rcParams"] = rc
    return {name: set(content) for name, content in found.items()}


def remember():
    """Note what is there before a cell runs."""
    for name, content in parts().items():
        remembered.setdefault(name, content)
    remembered["sys.modules"] |= set(sys.modules)


def damage():
    """Return a sentence if something is gone that Python or the book may need."""
    now = parts()
    gone = [f"{each} of {name}" for name, content in remembered.items()
            for each in sorted(content - now.get(name, set()))]  # fmt: skip
    if not gone:
        return ""
    more = f" and {len(gone) - 2} more" if len(gone) > 2 else ""
    return (
        f"A cell has removed what may be needed ({', '.join(gone[:2])}{more}). “Restart” at the "
        "foot of the window brings it back; what you typed stays."
    )


def imports(source):
    """Return the modules that a cell names in its imports.

    >>> imports("import numpy as np; from lab import tasks")
    ['numpy', 'lab', 'lab.tasks']
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
    remember()


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
    data = {"text/plain": shortened(repr(value))}
    for kind, method in REPRESENTATIONS.items():
        if not inspect.isclass(value) and (text := getattr(value, method, lambda: None)()):
            data[kind] = text
    return {"data": data}


def has_room():
    """Take the room of one more output; where there is none, count it as left out."""
    global room, left_out
    if not room:
        left_out += 1
        return False
    room -= 1
    return True


def display(*values, raw=False):
    """Show objects below the cell: the first hundred."""
    for value in values:
        if has_room():
            shown = {"data": value} if raw else bundle(value)
            show({"output_type": "display_data", **shown})


class DisplayHandle:
    """Something shown that can be replaced by something else.

    Of many values only some are sent, as of many lines; the last one is, when the cell ends. One
    that is erased, as a line of progress is at its end, leaves its room to others.
    """

    sent, count = 0.0, 0  # of all handles of the cell

    def __init__(self):
        self.name = f"shown-{next(counter)}"

    def display(self, value, raw=False):
        """Show it, where what this handle showed before goes."""
        if raw and not any(value.values()):
            return self.erase(value)
        if self not in held:
            if self in refused or not has_room():
                return refused.add(self)
            self.on_page = False
        held[self] = {"data": value} if raw else bundle(value)
        due = time.monotonic() - DisplayHandle.sent > SECONDS
        if DisplayHandle.count < LINES or due:
            self.flush()
        return None

    update = display

    def erase(self, nothing):
        """Give back the room in the cell."""
        global room
        if self in held:
            held[self] = {"data": nothing} if self.on_page else None
            self.flush()
            del held[self]
            room += 1

    def flush(self):
        """Send what is held back."""
        if not held[self]:
            return
        shown, held[self], self.on_page = held[self], None, True
        DisplayHandle.sent, DisplayHandle.count = time.monotonic(), DisplayHandle.count + 1
        show({"output_type": "display_data", "display_id": self.name, **shown})


def send_held():
    """Send what the handles of the cell hold back."""
    for handle in list(held):
        handle.flush()


def picture(figure):
    """Return a figure of matplotlib as the drawing that notebooks store."""
    from figures.svg import as_svg

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
