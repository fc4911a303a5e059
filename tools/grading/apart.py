"""Several submissions at a time, each judged in a process that may end without harm to the run."""

import contextlib
import signal
import time
from multiprocessing import get_context
from multiprocessing.connection import wait

FAILED = "the grader failed: its process came to no result"


def apart(work, names, jobs, seconds):
    """Yield (name, work(name)) in the order in which they are done, `jobs` at a time.

    What takes longer than `seconds` is ended. One job needs no other process, and has no limit.
    """
    if jobs == 1:
        yield from ((name, work(name)) for name in names)
        return
    waiting, free, busy = list(names), [], {}
    try:
        while waiting or busy:
            while waiting and len(busy) < jobs:
                process, pipe = free.pop() if free else _judge(work)
                with contextlib.suppress(OSError):  # it has ended, which is found below
                    pipe.send(waiting[0])
                busy[pipe] = process, waiting.pop(0), time.monotonic() + seconds
            ready = wait(busy, timeout=1)
            for pipe, (process, name, end) in list(busy.items()):
                found = None
                if pipe in ready:
                    with contextlib.suppress(EOFError, OSError):
                        found = pipe.recv()
                elif time.monotonic() < end:
                    continue
                del busy[pipe]
                if found is None:
                    _end([process])
                else:
                    free.append((process, pipe))
                yield name, found or {"": ("unreadable", FAILED)}
    finally:
        _end([process for process, *_ in (*free, *busy.values())])


def _judge(work):
    context = get_context("spawn")  # a fork could hold locks that nobody opens
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there, work), daemon=True)
    process.start()
    there.close()
    return process, here


def _serve(pipe, work):
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # after Ctrl-C the run ends it
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that it cleans up
    with contextlib.suppress(KeyboardInterrupt, EOFError, OSError):
        while True:
            pipe.send(work(pipe.recv()))


def _end(processes):
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(5)
        process.kill()
