"""The wall around a submission (bubblewrap), the process behind it, and what it may use up."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from functools import lru_cache
from pathlib import Path

from grading import data, syscalls

WORKER = Path(__file__).with_name("worker.py")
BOOK = Path(__file__).parents[2]
PYTHON = os.path.realpath(sys.executable)
HOME = "/sandbox"  # of the submission, in memory
ROOM, PROCESSES = 64_000_000, 64  # bytes of its files; processes and threads
DISTURBED = "disturbed the line to the grader"
STARTING, ENDING = 60, 2  # seconds for Python to be read from a cold disk, and to end by itself
TOTAL, STARTS = 12, 20  # times the limit of a step, in all; starts of the process
SYSTEM = ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/share/fonts",
          "/etc/ld.so.cache")  # fmt: skip
RESTRICTED = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
APPARMOR = (
    " (AppArmor forbids it, as on Ubuntu since 23.10: appendices/teaching.md has the four lines "
    "that allow it)"
)


class Ended(Exception):
    """The submission did not come to its end; the text says why."""


def most_seconds(seconds):
    """Return how long a submission may take in all, with every start of its process."""
    return seconds * (TOTAL + STARTS) + STARTING


def packages():
    """Return the folders of installed packages, which Python inside is given by name."""
    return [path for path in sys.path if path.endswith("-packages") and Path(path).is_dir()]


@lru_cache
def wall():
    """Return what bubblewrap is told: a program inside reads Python, packages, `pecode`, no more.

    A book that is installed has its solutions among the packages: there they are covered.
    """
    import matplotlib.font_manager  # makes its list of fonts, which takes seconds, once

    drop = []
    if os.geteuid() == 0:  # root has no limit of processes: inside it is somebody else
        other = 200_000 + os.getpid()
        drop = [shutil.which("setpriv"), f"--reuid={other}", f"--regid={other}", "--clear-groups"]
    python = [PYTHON, sysconfig.get_path("stdlib"), sysconfig.get_config_var("LIBDIR")]
    system = [path for path in (*SYSTEM, *python, *drop[:1]) if Path(path).exists()]
    shown = [*packages(), BOOK / "pecode", WORKER, WORKER.with_name("data.py")]
    covered = {found for folder in map(Path, [*system, *packages()])
               for pattern in ("exercises", "python3*/*-packages/exercises")
               for found in folder.glob(pattern)}  # fmt: skip
    fonts = Path(matplotlib.get_cachedir()).glob("fontlist-*.json")

    cache = f"{HOME}/.matplotlib"

    def words(option, *paths):
        return [word for path in paths for word in (option, str(path))]

    def bound(paths):  # folders that are made on the way would be closed to all but root
        made = sorted({parent for path in paths for parent in Path(path).parents})
        return words("--dir", *made) + [f"{w}" for path in paths for w in ("--ro-bind", path, path)]

    return [
        "--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts",
        "--die-with-parent", "--new-session", "--cap-drop", "ALL",
        *(words("--cap-add", "CAP_SETUID", "CAP_SETGID") if drop else ["--unshare-user"]),
        *bound(system), "--tmpfs", str(BOOK), *bound(shown), *words("--tmpfs", *covered),
        "--proc", "/proc", "--dev", "/dev", *words("--remount-ro", "/dev", BOOK),
        "--perms", "0777", "--size", str(ROOM), "--tmpfs", HOME, "--perms", "0777", "--dir", cache,
        *(word for path in fonts for word in ("--ro-bind", str(path), f"{cache}/{path.name}")),
        "--remount-ro", "/", "--chdir", HOME, *drop,
    ]  # fmt: skip


def start(command, **settings):
    """Start a program behind the wall."""
    with tempfile.TemporaryFile() as rules:
        rules.write(syscalls.program())
        rules.seek(0)
        wanted = ["--seccomp", str(rules.fileno())] if syscalls.program() else []
        command = ["bwrap", *wanted, *wall(), *command]
        return subprocess.Popen(command, pass_fds=[rules.fileno()], **settings)


@lru_cache
def missing_wall():
    """Say why there is no wall here; an empty text when there is one."""
    try:
        with start([PYTHON, "-IS", "-c", ""], stderr=subprocess.PIPE, text=True) as process:
            late = threading.Timer(STARTING, process.kill)
            late.start()
            said = process.communicate()[1]
            late.cancel()
    except FileNotFoundError:
        return "bubblewrap is not installed"
    except TypeError as error:  # there is no setpriv
        return f"bubblewrap does not work here: {error}"
    if not process.returncode:
        return ""
    more = APPARMOR if RESTRICTED.is_file() and RESTRICTED.read_text().strip() == "1" else ""
    return f"bubblewrap does not work here: {said.strip():.300}{more}"


def surroundings(home):
    """Return what the process knows of its surroundings: nothing of the teacher's."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "PATH") if name in os.environ}
    homes = dict.fromkeys(("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"), home)
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    plots = {"MPLBACKEND": "Agg", "MPLCONFIGDIR": f"{home}/.matplotlib"}
    return {**kept, **homes, **threads, **plots, "PECODE_PROGRESS": "", "LANG": "C.UTF-8"}


class Submission:
    """Runs the cells of a notebook, and its functions; what ends the process is left out then.

    `is_open` leaves the wall out.
    """

    def __init__(self, cells, seconds, is_open=False):
        self.cells, self.seconds, self.is_open = cells, seconds, is_open
        self.errors = {}  # by cell: what it raised
        self.skipped = {}  # by cell: how it ended the process
        self.left, self.starts, self.process, self.home = seconds * TOTAL, 0, None, None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process is not None:
            self.end()
            with contextlib.suppress(OSError):  # what was not sent
                self.process.__exit__(None, None, None)
            self.process = None
            if self.home is not None:
                remove(self.home)

    def ask(self, **request):
        """Ask the process, with all cells run. Ended: there is no answer."""
        while self.process is None and self.left > 0:
            if self.starts == STARTS:
                raise Ended(f"the notebook ended the program {STARTS} times")
            self._start()
            with contextlib.suppress(Ended):
                self._run_cells()
        if self.left <= 0:
            self.__exit__()
            raise Ended(f"the notebook took longer than {self.seconds * TOTAL:g} s in all")
        return self._exchange(request, self.seconds)

    def _start(self):
        self.starts += 1
        if self.is_open:
            self.home = tempfile.TemporaryDirectory(prefix="grade-", ignore_cleanup_errors=True)
        home = self.home.name if self.is_open else HOME
        limits = str(int(self.seconds * TOTAL + STARTING)), "0" if self.is_open else str(PROCESSES)
        command = [PYTHON, "-I", "-B", "-X", "utf8", str(WORKER), str(BOOK), *limits, *packages()]
        self.process = (subprocess.Popen if self.is_open else start)(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=surroundings(home), cwd=home if self.is_open else "/", start_new_session=True,
        )  # fmt: skip
        left = self.left
        self._exchange({"do": "defined", "name": ""}, STARTING)  # an answer: Python is there
        self.left = left

    def _run_cells(self):
        for number, source in enumerate(self.cells):
            if number in self.skipped or self.left <= 0:
                continue
            try:
                reply = self._exchange({"do": "cell", "source": source}, self.seconds)
            except Ended as end:
                self.skipped[number] = str(end)
                raise
            self.errors[number] = clean(reply["text"]) if "text" in reply else None

    def _exchange(self, request, seconds):
        # The end of the process ends a wait on its pipes, also that of a message nobody reads.
        late, start = threading.Timer(seconds, self.end), time.perf_counter()
        late.start()
        try:
            data.write(self.process.stdin, request)
            return data.read(self.process.stdout)
        except data.Rubbish:
            ended = DISTURBED
        except (OSError, EOFError):
            is_late = time.perf_counter() - start >= seconds
            ended = f"took longer than {seconds:g} s" if is_late else self._how_it_ended()
        finally:
            late.cancel()
            self.left -= time.perf_counter() - start
        self.__exit__()
        raise Ended(ended)

    def _how_it_ended(self):
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(ENDING)
        code = self.process.returncode
        if code in (None, -9, 128 + 9):
            return "was ended by the system, or cut the line to the grader"
        with contextlib.suppress(ValueError):  # bubblewrap tells a signal as a shell does
            return f"crashed the program ({signal.Signals(-code if code < 0 else code - 128).name})"
        return f"ended the program with exit code {code}"

    def end(self):
        """End the process; behind the wall this ends all that it has started."""
        if self.process.returncode is None:
            with contextlib.suppress(OSError, AttributeError):  # Windows has no groups
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()


def remove(home):
    """Remove a temporary folder."""
    try:
        home.cleanup()
    except RecursionError:  # thousands of folders in one another, before Python 3.13
        subprocess.run(["rm", "-rf", home.name], check=True)


def clean(text, most=300):
    """Return a text of a submission without what a terminal would obey."""
    text = str(text)[:most].encode("utf8", "replace").decode("utf8")
    return "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in text)
