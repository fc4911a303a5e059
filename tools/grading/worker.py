"""The process that runs one submission: cells and calls come on a pipe, data goes back.

Started by `grading.sandbox`. Nothing that comes from this process is trusted, so whatever the
submission breaks here, it breaks for itself.

    python -I worker.py BOOK SECONDS PROCESSES PACKAGES…
"""

import ast
import contextlib
import inspect
import os
import sys
import types
import warnings
from pathlib import Path

BOOK, SECONDS, PROCESSES = sys.argv[1], *map(int, sys.argv[2:4])
sys.path[:] = [path for path in sys.path if not path.endswith("-packages")] + sys.argv[4:]
sys.path[:0] = [BOOK, str(Path(__file__).parents[1])]
import numpy as np  # noqa: E402

import pecode  # noqa: E402, F401  the submission can import it, and nothing else of the book
from grading import data  # noqa: E402

del sys.path[:2]
LIMITS = {"CPU": SECONDS, "AS": 2 << 30, "FSIZE": 16_000_000, "NOFILE": 128, "CORE": 0}
if PROCESSES:  # behind the wall; elsewhere all that this user runs would count
    LIMITS["NPROC"] = PROCESSES
IDLE = {"conda", "config", "load_ext", "matplotlib", "pip", "reload_ext"}


def limit():
    """Limit what this process and its children use up."""
    with contextlib.suppress(ImportError):  # Windows has no limits
        import resource

        for name, most in LIMITS.items():
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))
    with contextlib.suppress(OSError):  # Linux: short of memory, the system ends this first
        Path("/proc/self/oom_score_adj").write_text("1000")


def compiled(source):
    """Compile a cell, which may have an `await` outside of any function."""
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    return compile(source, "<cell>", "exec", flags=flags, dont_inherit=True)


def said(error):
    """Return an error as text."""
    if isinstance(error, SystemExit):
        return f"ended the program with exit({error.code!r})"[:300]
    try:
        text = str(error)
    except BaseException:
        text = "(no text)"
    return f"{type(error).__name__}: {text}"[:300]


def raised(error):
    """Return the reply that tells of an error: its kinds, the nearest first, and its text."""
    kinds = [kind.__name__[:60] for kind in type(error).__mro__]
    return {"raised": kinds, "text": said(error)}


class Notebook:
    """The names that the cells define, and what they answered; a method for each request."""

    def __init__(self):
        self.module = sys.modules["__main__"] = types.ModuleType("__main__")  # pickle asks for it
        self.names, self.answers, self.loop = self.module.__dict__, {}, None
        nothing = self.names["display"] = lambda *args, **settings: None
        self.names["get_ipython"] = self.shell
        sys.modules["exercises"] = exercises = types.ModuleType("exercises")
        exercises.check = exercises.solution = exercises.progress = nothing
        exercises.ask = lambda name, answer=None: (
            self.answers.update({name: answer}) if answer is not None else None
        )

    def cell(self, source):
        """Run a cell as it stands, or else with the commands of IPython (`%time`, `!ls`)."""
        if "get_ipython" in source:
            self.shell()  # so that IPython finds it, too
        try:
            code = compiled(source)
        except SyntaxError:
            code = compiled(self.shell().transform_cell(source))
        awaited = eval(code, self.names)
        if code.co_flags & inspect.CO_COROUTINE:
            import asyncio

            self.loop = self.loop or asyncio.new_event_loop()  # one for all cells, as in Jupyter
            self.loop.run_until_complete(awaited)

    def shell(self):
        """Return the shell of IPython. Commands that draw, install or load do nothing in it."""
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config

        if not InteractiveShell.initialized():
            quiet = Config({"HistoryManager": {"enabled": False}})
            shell = InteractiveShell.instance(
                user_module=self.module, user_ns=self.names, config=quiet
            )
            run = shell.run_line_magic
            shell.run_line_magic = lambda name, line, _stack_depth=1: (
                run(name, line, _stack_depth + 1)
                if name not in IDLE and shell.find_line_magic(name)
                else None  # what an extension would bring that the grader may not have
            )
            shell.system = shell.getoutput = lambda *args, **settings: []
            shell.enable_gui = lambda *args: None
        return InteractiveShell.instance()

    def defined(self, name):
        """Say whether a name is that of a function."""
        return callable(self.names.get(name))

    def answer(self, name):
        """Return the answer to a question."""
        return self.answers.get(name)

    def call(self, name, args):
        """Call a function, which must leave its arguments as they are."""
        before = data.pack(args)
        with np.errstate(all="ignore"):  # as `check` calls it
            value = self.names[name](*args)
        if data.pack(args) != before:
            raise RuntimeError(f"{name} changed its arguments: work on a copy")
        return value


def main():
    """Answer requests until there are no more."""
    process = os.getpid()
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):  # prints of the submission go nowhere, input() finds the end
        os.dup2(null, standard)
    warnings.simplefilter("ignore")
    limit()
    notebook = Notebook()
    while True:
        request = data.read(requests)
        try:
            reply = {"value": getattr(notebook, request.pop("do"))(**request)}
        except BaseException as error:
            reply = raised(error)
        if os.getpid() != process:  # a copy that the submission has made: one answer is enough
            os._exit(0)
        try:
            data.write(replies, reply)
        except BaseException as error:  # also that of an object whose parts cannot be read
            what = error if isinstance(error, data.NotData) else f"an object with a {said(error)}"
            problem = data.NotData(f"returned {what}; expected numbers, texts or arrays")
            data.write(replies, raised(problem))


if __name__ == "__main__":
    main()
