"""The trusted side of a submission's process: start it, ask it, end it in time."""

import atexit
import contextlib
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from functools import lru_cache
from pathlib import Path

from grading import data

WORKER = Path(__file__).parent / "worker.py"
BOOK = Path(__file__).parents[2]
STARTING = 60  # seconds for Python and numpy to be read from a cold disk
ENDING = 2  # seconds between the end of the line and that of the process
TOTAL = 12  # times the limit of one step: the limit of a submission
STARTS = 20  # of the process, for one submission
LONG_CELL = 300_000  # characters


class Ended(Exception):
    """The process is gone or had to be ended; the text says why."""


class OutOfTime(Exception):
    """The limit of the whole submission is reached; the text says so."""


class Process:
    """One process with a folder of its own; `close` ends both."""

    def __init__(self, seconds, fonts=None):
        self.seconds, self.count = seconds, 0
        self.folder = tempfile.TemporaryDirectory(prefix="grade-", ignore_cleanup_errors=True)
        home = Path(self.folder.name).resolve()
        try:
            if fonts:
                shutil.copytree(fonts, home / ".matplotlib")
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-B", "-X", "utf8", str(WORKER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=home,
                env=_environment(home),
                **_group(),
            )
        except BaseException:
            self.folder.cleanup()
            raise
        try:
            hello = {"home": str(home), "book": str(BOOK), "seconds": seconds * TOTAL + STARTING}
            self.on = self._exchange(hello, b"", STARTING)[0]["on"]
        except BaseException:
            self.close()
            raise

    def ask(self, message, arrays=b""):
        """Send a request and return the reply; Ended when none comes in time."""
        self.count += 1
        return self._exchange({**message, "id": self.count}, arrays, self.seconds)

    def _exchange(self, message, arrays, seconds):
        # Both ways in a thread: a process that reads nothing stops whoever writes to it.
        box = queue.SimpleQueue()

        def talk():
            try:
                data.write(self.process.stdin, message, arrays)
                box.put(data.read(self.process.stdout))
            except Exception as error:
                box.put(error)

        self.thread = threading.Thread(target=talk, daemon=True)
        self.thread.start()
        try:
            reply = box.get(timeout=seconds)
        except queue.Empty:
            raise Ended(f"took longer than {seconds:g} s") from None
        if isinstance(reply, OSError | EOFError | ValueError):
            raise Ended(self._how_it_ended())
        if isinstance(reply, Exception) or reply[0].get("id") != self.count:
            raise Ended("disturbed the line to the grader")
        return reply

    def _how_it_ended(self):
        late = time.monotonic() + ENDING
        while not self._is_gone() and time.monotonic() < late:
            time.sleep(0.01)
        code = self._end()
        if code is not None and code >= 0:
            return f"ended the program with exit code {code}"
        if code in (None, -9):
            return "was ended by the system, or cut the line to the grader"
        with contextlib.suppress(ValueError):
            code = signal.Signals(-code).name
        return f"crashed the program ({code})"

    def _is_gone(self):
        if not hasattr(os, "waitid"):
            return self.process.poll() is not None
        # Without reaping it: its number, which is that of its group, stays its own.
        return bool(os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT))

    def _end(self):
        if self.process.returncode is None:
            # What it has started is in its group.
            with contextlib.suppress(OSError):
                if hasattr(os, "killpg"):
                    os.killpg(self.process.pid, signal.SIGKILL)
            with contextlib.suppress(OSError):
                self.process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=10)
        return self.process.returncode

    def close(self):
        """End the process, all that it has started, and its folder."""
        self._end()
        self.thread.join(timeout=1)
        if (
            not self.thread.is_alive()
        ):  # else somebody holds the pipes, and to close them would wait
            for pipe in (self.process.stdin, self.process.stdout):
                with contextlib.suppress(OSError):
                    pipe.close()
        self.folder.cleanup()


def _group():
    if os.name == "posix":
        return {"start_new_session": True}
    return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}


def _environment(home):
    """Return what the process knows of its surroundings: nothing of the teacher's."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "PATH") if name in os.environ}
    homes = dict.fromkeys(("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"), str(home))
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    plots = {"MPLBACKEND": "Agg", "MPLCONFIGDIR": str(home / ".matplotlib")}
    return {**kept, **homes, **threads, **plots, "PECODE_PROGRESS": "", "LANG": "C.UTF-8"}


@lru_cache
def find_fonts():
    """Let matplotlib list the fonts once, for all processes; this takes seconds."""
    folder = tempfile.mkdtemp(prefix="grade-fonts-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    subprocess.run(
        [sys.executable, "-I", "-c", "import matplotlib.font_manager"],
        env={**_environment(Path(folder)), "MPLCONFIGDIR": folder},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=STARTING,
        check=False,  # without matplotlib there is nothing to list
    )
    return folder


@lru_cache
def protections():
    """Start a process and return what protects from it: a grader that cannot start says so."""
    process = Process(1)
    process.close()
    return process.on


class Submission:
    """Runs the cells of a notebook, and its functions; what ends the process is left out then."""

    def __init__(self, cells, seconds):
        self.cells, self.seconds = cells, seconds
        draws = any("matplotlib" in cell or "plots" in cell for cell in cells)
        self.fonts = find_fonts() if draws else None
        self.errors = {}  # by cell: what it raised
        self.skipped = {}  # by cell: how it ended the process
        self.left = seconds * TOTAL
        self.starts, self.process = 0, None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """End the process."""
        if self.process is not None:
            self.process.close()
            self.process = None

    def ask(self, message, arrays=b""):
        """Ask the process, with all cells run. Ended: this request ended it."""
        self._run_cells()
        return self._timed(message, arrays)

    def _timed(self, message, arrays=b""):
        if self.left <= 0:
            self.close()
            raise OutOfTime(f"the notebook took longer than {self.seconds * TOTAL:g} s in all")
        start = time.perf_counter()
        try:
            return self.process.ask(message, arrays)
        except Ended:
            self.close()
            raise
        finally:
            self.left -= time.perf_counter() - start

    def _run_cells(self):
        while self.process is None:
            self.starts += 1
            if self.starts > STARTS:
                raise OutOfTime(f"the notebook ended the program {STARTS} times")
            self.process = Process(self.seconds, self.fonts)
            with contextlib.suppress(Ended):
                self._run_each()

    def _run_each(self):
        for number, source in enumerate(self.cells):
            if number in self.skipped:
                continue
            if len(source) > LONG_CELL:
                self.skipped[number] = f"is longer than {LONG_CELL} characters"
                continue
            try:
                reply, _ = self._timed({"do": "cell", "source": source})
            except Ended as end:
                self.skipped[number] = str(end)
                raise
            error = reply.get("error")
            self.errors[number] = clean(error) if error is not None else None


def clean(text, most=data.LONG):
    """Return a text of a submission without what a terminal would obey."""
    text = str(text)[:most].encode("utf8", "replace").decode("utf8")
    return "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in text)
