"""Helpers to end child processes with their parent, and marks to find processes that are left (Linux)."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

MARK = "RUN_OF_MUSTER"  # environment variable of every process that a supervisor starts, and of their children
PR_SET_PDEATHSIG = 1
SMALL_MACHINE = 1.5 * 1024**3  # bytes of memory below which one process of each kind is the default
GRACE = 6.0  # seconds that a process gets to end after SIGTERM; a worker takes up to 4.5


def ends_with_parent(number: signal.Signals = signal.SIGTERM) -> Callable[[], None]:
    """Return a preexec_fn for Popen that makes the kernel send this signal to the child when the parent ends."""
    parent = os.getpid()

    def ask() -> None:
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)
            if os.getppid() != parent:  # the parent was gone before the call
                os._exit(1)

    return ask


def processes_with_mark(mark: str) -> list[int]:
    """Return the IDs of our other processes whose mark begins with this one."""
    wanted = f"{MARK}={mark}".encode()
    return [pid for pid, environment in _environments() if any(v.startswith(wanted) for v in environment.split(b"\0"))]


def _environments() -> Iterator[tuple[int, bytes]]:
    if not Path("/proc/self/environ").exists():
        return
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            with contextlib.suppress(OSError):  # gone, or somebody else's
                yield int(name), Path("/proc", name, "environ").read_bytes()


def end_processes(mark: str, grace: float = GRACE) -> list[int]:
    """End all processes with the mark: SIGTERM first, SIGKILL after `grace` seconds. Return their IDs."""
    found = processes_with_mark(mark)
    _send(found, signal.SIGTERM)
    deadline = time.monotonic() + grace
    while (left := processes_with_mark(mark)) and time.monotonic() < deadline:
        time.sleep(0.1)
    while left:
        _send(left, signal.SIGKILL)
        time.sleep(0.05)
        left = processes_with_mark(mark)
    return found


def kill_processes(mark: str) -> None:
    """End all processes with the mark immediately."""
    if processes_with_mark(mark):
        end_processes(mark, grace=0.0)


def _send(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def is_small_machine() -> bool:
    """Return whether this machine, or this process's container (cgroup v2), has less memory than SMALL_MACHINE."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    with contextlib.suppress(OSError, ValueError):  # no cgroup, or "max"
        limits.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return min(limits) < SMALL_MACHINE
