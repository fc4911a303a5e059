"""What a submission may do in its process: read Python's libraries, write in its own folder.

Three layers, each as far as the system has it: limits of time and memory, an audit hook of Python,
and Landlock of Linux. They stop accidents and pranks. A determined attacker gets around the hook.
"""

import contextlib
import ctypes
import os
import subprocess
import sys
from pathlib import Path

REFUSED = {
    *("os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty", "os.killpg"),
    *("subprocess.Popen", "pty.spawn", "os.startfile", "os.startfile/2", "webbrowser.open"),
    *("resource.setrlimit", "resource.prlimit", "signal.pthread_kill", "sqlite3.connect"),
    *("gc.get_objects", "gc.get_referrers"),  # they find what the hook holds
}
FAMILIES = ("ctypes.", "socket.", "syslog.", "winreg.", "_winapi.Create")
# Of each event that changes a file: where its paths stand, and where the folder of each, if open.
CHANGES = {
    "os.remove": [(0, 1)],
    "os.rmdir": [(0, 1)],
    "os.mkdir": [(0, 2)],
    "os.rename": [(0, 2), (1, 3)],
    "os.link": [(0, 2), (1, 3)],
    "os.symlink": [(1, 2)],
    "os.truncate": [(0, None)],
    "os.chmod": [(0, 2)],
    "os.chown": [(0, 3)],
    "os.utime": [(0, 3)],
    "os.setxattr": [(0, None)],
    "os.removexattr": [(0, None)],
    "os.chflags": [(0, None)],
}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
FILES = 200  # changes that one process may make in its folder; a file holds 16 MB at most
FILE_SIZE, MEMORY, OPEN_FILES = 16_000_000, 4 << 30, 128


SYSTEM = "/usr", "/lib", "/lib64", "/etc", "/dev", "/sys", "/System", "/Library"
FACTS = "/proc/cpuinfo", "/proc/meminfo"  # of all of /proc, where other processes can be read


def readable():
    """Folders that Python and its libraries read from; the book's exercises are not among them."""
    own = sys.prefix, sys.base_prefix, sys.exec_prefix, os.environ.get("SYSTEMROOT", "/usr")
    paths = [Path(each).resolve() for each in (*own, *SYSTEM, *FACTS)]
    return [str(path) for path in paths if path.exists()]


def limit(seconds):
    """Set the limits of this process; return whether the system has them."""
    try:
        import resource
    except ImportError:  # Windows
        return False
    for name, most in [
        ("RLIMIT_CPU", int(seconds) + 1),
        ("RLIMIT_AS", MEMORY),
        ("RLIMIT_FSIZE", FILE_SIZE),
        ("RLIMIT_NOFILE", OPEN_FILES),
        ("RLIMIT_CORE", 0),
    ]:
        try:
            resource.setrlimit(getattr(resource, name), (most, most))
        except (AttributeError, ValueError, OSError):
            return False
    return True


def hook(home, folders):
    """Refuse from now on, for good, what does not belong into an exercise."""
    # Bound here: what the submission does to the modules later changes nothing.
    realpath, fsdecode, sep, null = os.path.realpath, os.fsdecode, os.sep, os.devnull
    join, exists, own = os.path.join, os.path.exists, os.getpid()
    home, folders, budget = realpath(home), [realpath(each) for each in folders], [FILES]
    refused, families, changes, writing = frozenset(REFUSED), FAMILIES, dict(CHANGES), WRITING

    def within(path, roots):
        return any(path == root or path.startswith(root + sep) for root in roots)

    def place(path, folder=-1):
        """Where a path leads; an open file or folder is asked for its name, where that works."""
        if isinstance(path, int):
            path = f"/proc/self/fd/{path}"
        elif folder is not None and folder != -1:
            path = join(f"/proc/self/fd/{folder}", fsdecode(path))
        path = fsdecode(path)
        if path.startswith("/proc/self/fd/") and not exists("/proc/self/fd"):
            refuse("to use an open folder")
        return realpath(path)

    def refuse(what):
        raise PermissionError(f"a submission is not allowed {what}")

    def change(real, verb):
        if not within(real, [home]):
            refuse(f"to {verb} {real}")
        budget[0] -= 1
        if budget[0] < 0:
            refuse(f"to {verb} so many files")

    def opened(path, mode, flags):
        if isinstance(path, int):
            return  # it is open already
        real = place(path)
        if real == null:
            return
        if not flags & writing:
            if not within(real, [home, *folders]):
                refuse(f"to read {real}")
            return
        change(real, "write")

    def watch(event, args):
        if event == "open":
            opened(*args)
        elif event in changes:
            for path, folder in changes[event]:
                change(place(args[path], -1 if folder is None else args[folder]), "change")
        elif event in refused or event.startswith(families):
            refuse(f"to use {event}")
        elif event == "os.kill" and args[0] != own:
            refuse("to end other programs")

    sys.addaudithook(watch)


def no_programs():
    """Take away the call below `subprocess`, which the hook does not see."""

    def fork_exec(*_):
        raise PermissionError("a submission is not allowed to start programs")

    with contextlib.suppress(ImportError):  # Windows has another, which the hook sees
        import _posixsubprocess

        _posixsubprocess.fork_exec = subprocess._fork_exec = fork_exec


# Landlock: the bits of linux/landlock.h
EXECUTE, WRITE_FILE, READ_FILE = 1, 2, 4
CHANGE = sum(1 << bit for bit in range(4, 13))  # remove and make files, folders, links, …
REFER, TRUNCATE = 1 << 13, 1 << 14
CREATE_RULESET, ADD_RULE, RESTRICT_SELF, NO_NEW_PRIVILEGES = 444, 445, 446, 38


def landlock(home, folders):
    """Let the kernel refuse writing outside `home` and reading outside `folders` and `home`.

    Returns whether it does. Programs are refused too; TCP and signals to others where it can.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        version = libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(1))
        if version < 1:
            return False
        everything = WRITE_FILE | READ_FILE | CHANGE
        everything |= (REFER if version >= 2 else 0) | (TRUNCATE if version >= 3 else 0)
        wanted = [everything | EXECUTE, *[3] * (version >= 4), *[3] * (version >= 6)]
        attributes = (ctypes.c_uint64 * len(wanted))(*wanted)
        rules = libc.syscall(
            CREATE_RULESET, attributes, ctypes.c_size_t(8 * len(wanted)), ctypes.c_uint(0)
        )
        if rules < 0:
            return False
        for path, access in [
            (home, everything),
            (os.devnull, WRITE_FILE | READ_FILE),
            *[(folder, READ_FILE) for folder in folders],
        ]:
            _allow(libc, rules, path, access)
        if libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0):
            return False
        return libc.syscall(RESTRICT_SELF, rules, ctypes.c_uint(0)) == 0
    except (AttributeError, OSError):
        return False


class _Beneath(ctypes.Structure):
    _fields_ = [("access", ctypes.c_uint64), ("folder", ctypes.c_int32)]


def _allow(libc, rules, path, access):
    opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = _Beneath(access, opened)
        if libc.syscall(ADD_RULE, rules, ctypes.c_int(1), ctypes.byref(rule), ctypes.c_uint(0)):
            raise OSError(ctypes.get_errno(), path)
    finally:
        os.close(opened)
