"""Runs a Celery worker with a process per core (at least two; one on a small machine), and stops it quickly.

It serves all queues, or those of MUSTER_WORKER_QUEUES: a site that prints a lot gives `print` a worker of its own.
Options are passed to Celery: `python -m deploy.worker -B` also runs the timer in the worker.

When only its main process gets a signal to stop, Celery finishes the running job; when its children get it too, as with
Ctrl-C, which reaches the whole process group, Celery aborts the job. So Celery runs in its own process group here, only
its main process gets the signal, and the job has GRACE seconds to end.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from types import FrameType

from deploy.processes import ends_with_parent, is_small_machine

# Seconds that a running job gets to end; the default is less than the supervisor waits. The sweep starts an aborted job
# again.
GRACE = float(os.environ.get("MUSTER_WORKER_GRACE", "4.5"))


QUEUES = "battles,forecasts,print"
# KiB of memory above which a process is replaced after its job. Compiled rules and printing together need much less.
MAX_MEMORY, MAX_MEMORY_PRINTING = 500_000, 250_000
# For a worker's only process, on a machine with little memory. It is less than the compiled rules need, so the process
# is replaced, and its memory freed, after each battle.
MAX_MEMORY_ALONE = 285_000
MAX_PRINTS = 200  # jobs after which a printing process is replaced; other processes have no such limit


def command(options: list[str]) -> list[str]:
    processes = os.environ.get("MUSTER_WORKER_PROCESSES") or str(
        1 if is_small_machine() else max(2, os.cpu_count() or 2)
    )
    level = os.environ.get("MUSTER_LOG_LEVEL", "WARNING")
    queues = os.environ.get("MUSTER_WORKER_QUEUES") or QUEUES
    return [
        sys.executable, "-m", "celery", "--quiet", "-A", "config", "worker", "-P", "prefork", "-c", processes,
        "-Q", queues, *bounds(queues, processes), "-l", level, "--without-gossip", "--without-mingle", "--without-heartbeat",
        *options,
    ]  # fmt: skip


def bounds(queues: str, processes: str) -> list[str]:
    """Return Celery's options that limit the memory of a worker for these queues."""
    if queues == "print":
        return [f"--max-memory-per-child={MAX_MEMORY_PRINTING}", f"--max-tasks-per-child={MAX_PRINTS}"]
    return [f"--max-memory-per-child={MAX_MEMORY_ALONE if processes == '1' else MAX_MEMORY}"]


CHECK = """
import os, sys
from django.core.exceptions import ImproperlyConfigured
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
try:
    from django.conf import settings
    settings.DEBUG
except ImproperlyConfigured as error:
    sys.exit(f"muster: {error}")
"""


def main(options: list[str]) -> int:
    """Run the worker until it ends or is stopped; return its exit code.

    Settings are read by another process first: one that can't be read is named in a line, where Celery prints hundreds,
    and this process, which only waits, stays small.
    """
    if code := subprocess.run([sys.executable, "-c", CHECK]).returncode:
        return code
    # Celery warns root about pickled jobs, but Muster's are JSON, and in a container every process runs as root.
    quiet = "ignore:You're running the worker with superuser privileges"
    warnings = ",".join(filter(None, [os.environ.get("PYTHONWARNINGS"), quiet]))
    worker = subprocess.Popen(
        command(options), env=os.environ | {"PYTHONWARNINGS": warnings}, start_new_session=True,
        preexec_fn=ends_with_parent(signal.SIGKILL),
    )  # fmt: skip
    signals: list[int] = []

    def tell(number: int, _frame: FrameType | None) -> None:
        if not signals:
            worker.terminate()
            signal.setitimer(signal.ITIMER_REAL, GRACE)
        signals.append(number)

    def give_up(_number: int, _frame: FrameType | None) -> None:
        os.killpg(worker.pid, signal.SIGKILL)

    signal.signal(signal.SIGTERM, tell)
    signal.signal(signal.SIGINT, tell)
    signal.signal(signal.SIGALRM, give_up)
    code = worker.wait()
    if signals:
        return 0
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
