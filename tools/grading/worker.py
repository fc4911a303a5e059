"""The process that runs one submission: cells and calls come on a pipe, data goes back.

Started by `grading.sandbox`, never by hand. Whatever the submission breaks here, it breaks for
itself: nothing that comes from this process is trusted.

    python -I worker.py BOOK SECONDS PROCESSES PACKAGES…
"""

import os
import sys
import types
import warnings
from pathlib import Path

BOOK, SECONDS, PROCESSES = sys.argv[1], *map(int, sys.argv[2:4])
sys.path[:] = [path for path in sys.path if not path.endswith("-packages")] + sys.argv[4:]
sys.path[:0] = [BOOK, str(Path(__file__).parents[1])]
import numpy as np  # noqa: E402

import pecode  # noqa: E402, F401  what the submission may import has to be found before
from grading import data  # noqa: E402

del sys.path[:2]  # the book's exercises are no longer found
LIMITS = {"CPU": SECONDS, "AS": 4 << 30, "FSIZE": 16_000_000, "NOFILE": 128, "CORE": 0}
RUN_THE_REST = ("time", "timeit", "capture", "prun")  # magics of a cell


def limit():
    """Limit what this process and its children use up, where the system has such limits."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for name, most in {**LIMITS, **({"NPROC": PROCESSES} if PROCESSES else {})}.items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))


def compiled(source):
    """Compile a cell; as it stands if that works, for `%` may stand in the middle of a sum."""
    try:
        return compile(source, "<cell>", "exec", dont_inherit=True)
    except SyntaxError:
        from IPython.core.inputtransformer2 import TransformerManager

        source = TransformerManager().transform_cell(source)
        return compile(source, "<cell>", "exec", dont_inherit=True)


def said(error):
    """Return an error as text that can be sent."""
    if isinstance(error, SystemExit):
        return f"ended the program with exit({error.code!r})"[: data.LONG]
    try:
        text = str(error)
    except BaseException:
        text = "(no text)"
    return f"{type(error).__name__}: {text}"[: data.LONG]


class Notebook:
    """The names that the cells define, and what they answered; a method for each request."""

    def __init__(self):
        module = types.ModuleType("__main__")
        sys.modules["__main__"] = module  # dataclasses and the like look themselves up there
        self.names, self.answers = module.__dict__, {}
        nothing = self.names["display"] = lambda *args, **settings: None
        self.names["get_ipython"] = lambda: types.SimpleNamespace(
            run_line_magic=nothing, system=nothing, getoutput=nothing, run_cell_magic=self.magic
        )
        sys.modules["exercises"] = exercises = types.ModuleType("exercises")
        exercises.check = exercises.solution = exercises.progress = nothing
        exercises.ask = lambda name, answer=None: (
            self.answers.update({name: answer}) if answer is not None else None
        )

    def cell(self, source):
        """Run a cell; its error is told, and the next cell may come."""
        try:
            exec(compiled(source), self.names)
        except BaseException as error:
            return {"error": said(error)}
        return {"error": None}

    def magic(self, name, line, source):
        """Run the cell below a command of the notebook that would run it."""
        if name in RUN_THE_REST:
            exec(compiled(source), self.names)

    def defined(self, name):
        """Say whether a name is that of a function."""
        return {"defined": callable(self.names.get(name))}

    def answer(self, name):
        """Return the answer to a question."""
        return self._sent(self.answers.get(name))

    def call(self, name, args):
        """Call a function; tell what it returns or raises, and whether it changed its arguments."""
        given = data.unpack(args)
        try:
            with np.errstate(all="ignore"):  # as `check` calls it
                reply = self._sent(self.names[name](*given))
        except BaseException as error:
            kinds = [kind.__name__[:60] for kind in type(error).__mro__]
            reply = {"raised": kinds, "text": said(error)}
        return {**reply, "changed": self._sent(given) != {"value": args}}

    def _sent(self, value):
        try:
            return {"value": data.pack(value)}
        except data.NotData as problem:
            return {"not data": str(problem)}
        except BaseException as error:  # an object whose parts cannot be read
            return {"not data": f"an object that cannot be read: {said(error)}"}


def main():
    """Answer requests until there are no more."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):  # prints of the submission go nowhere, input() finds the end
        os.dup2(null, standard)
    warnings.simplefilter("ignore")
    limit()
    data.write(replies, {"id": 0})
    notebook = Notebook()
    while True:
        message = data.read(requests)
        number = message.pop("id")
        reply = getattr(notebook, message.pop("do"))(**message)
        try:
            data.write(replies, {**reply, "id": number})
        except data.NotData as problem:
            data.write(replies, {"not data": str(problem), "id": number})


if __name__ == "__main__":
    main()
