"""The process that runs one submission: cells and calls come on a pipe, data goes back.

Started by `grading.session`, never by hand. Whatever the submission breaks here, it breaks for
itself: nothing that comes from this process is trusted.
"""

import os
import re
import sys
import types
import warnings
from pathlib import Path

# Python is started without the folder of this file (python -I); it is needed for these two.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from grading import data, protection

del sys.path[0]
_LINE = re.compile(r"(?m)^([ \t]*)([%!?].*|\w+\s*=\s*[%!].*|[\w.]+\?+[ \t]*)$")
_RUNS_THE_REST = ("%%time", "%%timeit", "%%capture", "%%prun")


def without_magics(source):
    r"""Return a cell as Python: the commands of the notebook are dropped.

    >>> without_magics("%matplotlib inline\nx = 1\n!ls")
    'pass\nx = 1\npass'
    """
    if source.lstrip().startswith("%%"):
        first, _, rest = source.lstrip().partition("\n")
        return rest if first.startswith(_RUNS_THE_REST) else ""
    return _LINE.sub(r"\1pass", source)


def compiled(source):
    """Compile a cell; as it stands if that works, for `%` may stand in the middle of a sum."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return compile(source, "<cell>", "exec", dont_inherit=True)
        except SyntaxError:
            return compile(without_magics(source), "<cell>", "exec", dont_inherit=True)


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
    """The names that the cells have made, and what they answered."""

    def __init__(self):
        module = types.ModuleType("__main__")
        sys.modules["__main__"] = module  # dataclasses and the like look themselves up there
        self.names = module.__dict__
        self.names["display"] = lambda *args, **settings: None
        self.answers = {}
        sys.modules["exercises"] = self._exercises()

    def _exercises(self):
        module = types.ModuleType("exercises")

        def ask(name, answer=None):
            if answer is not None:
                self.answers[name] = answer

        module.ask = ask
        module.check = module.solution = module.progress = lambda *args, **settings: None
        return module

    def cell(self, source):
        """Run a cell; an error is told, and the next cell may come."""
        try:
            exec(compiled(source), self.names)
        except BaseException as error:
            return {"error": said(error)}, b""
        return {"error": None}, b""

    def functions(self, among):
        """Which of these names are functions."""
        return {"functions": [name for name in among if callable(self.names.get(name))]}, b""

    def answer(self, name):
        """The answer to a question."""
        return self._sent(self.answers.get(name))

    def call(self, name, args, arrays):
        """Call a function with data; tell what it returns or raises."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                got = self.names[name](*data.unpack(args, arrays))
        except BaseException as error:
            kinds = [kind.__name__[:60] for kind in type(error).__mro__]
            return {"raised": kinds, "text": said(error)}, b""
        return self._sent(got)

    def _sent(self, value):
        try:
            packed, arrays = data.pack(value)
        except data.NotData as problem:
            return {"not data": str(problem)}, b""
        except BaseException as error:  # an object whose parts cannot be read
            return {"not data": f"an object that cannot be read: {said(error)}"}, b""
        return {"value": packed}, arrays

    def do(self, message, arrays):
        """Carry out a request."""
        match message:
            case {"do": "cell", "source": source}:
                return self.cell(source)
            case {"do": "functions", "among": among}:
                return self.functions(among)
            case {"do": "answer", "name": name}:
                return self.answer(name)
            case {"do": "call", "name": name, "args": args}:
                return self.call(name, args, arrays)
        raise ValueError(f"message: expected a request, got {message!r}")


def protect(home, book, seconds):
    """Import the module of the book, shut the doors, and say which are shut."""
    sys.path.insert(0, book)
    import pecode

    del sys.path[0]  # the book's exercises are no longer found
    folders = [*protection.readable(), str(Path(pecode.__file__).parent)]
    limits = protection.limit(seconds)
    kernel = protection.landlock(home, folders)
    protection.no_programs()
    protection.hook(home, folders)
    return [*["limits"] * limits, "hook", *["Landlock"] * kernel]


def main():
    """Answer requests until there are no more."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):  # prints of the submission go nowhere, input() finds the end
        os.dup2(null, standard)
    hello, _ = data.read(requests)
    data.write(replies, {"id": 0, "on": protect(hello["home"], hello["book"], hello["seconds"])})
    notebook = Notebook()
    while True:
        message, arrays = data.read(requests)
        reply, held = notebook.do(message, arrays)
        try:
            data.write(replies, {**reply, "id": message["id"]}, held)
        except data.NotData as problem:
            data.write(replies, {"not data": str(problem), "id": message["id"]})


if __name__ == "__main__":
    main()
