"""One Celery worker with a process per core, at least two (one on a small machine), and a quick warm shutdown.

It serves all queues, or those of MUSTER_WORKER_QUEUES: a site that prints a lot gives `print` a worker of its own.
Options are passed on to Celery: `python -m deploy.worker -B` runs the timer of the sweep in the worker.

Celery finishes a running job when its main process is told to stop, and aborts it when its children are told too, as
Ctrl-C does to a whole process group. So Celery gets a group of its own here, only its main process is told, and the job
has GRACE seconds to end.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from types import FrameType

from deploy.processes import ends_with_parent, is_small_machine

# Seconds a running job gets to end; the default is less than the supervisor waits. An aborted job starts again from its
# row.
GRACE = float(os.environ.get("MUSTER_WORKER_GRACE", "4.5"))


QUEUES = "battles,forecasts,print"
# KiB that a process may use before it is replaced, between jobs. Compiled rules and printing together stay well below.
MAX_MEMORY, MAX_MEMORY_PRINTING = 500_000, 250_000
MAX_MEMORY_ALONE = 285_000  # of a worker's only process, on machines with little memory: less than rules take, so they go when a battle ends
MAX_PRINTS = 200  # jobs of a printing process before it is replaced; others run short slices, without a limit


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
    """Return the options that limit the memory of a worker of these queues."""
    if queues == "print":
        return [f"--max-memory-per-child={MAX_MEMORY_PRINTING}", f"--max-tasks-per-child={MAX_PRINTS}"]
    return [f"--max-memory-per-child={MAX_MEMORY_ALONE if processes == '1' else MAX_MEMORY}"]


def main(options: list[str]) -> int:
    """Run the worker until it ends or is told to; return its exit code."""
    # Celery warns root of pickled jobs; Muster's are JSON, and in a container everybody is root.
    quiet = "ignore:You're running the worker with superuser privileges"
    warnings = ",".join(filter(None, [os.environ.get("PYTHONWARNINGS"), quiet]))
    worker = subprocess.Popen(
        command(options), env=os.environ | {"PYTHONWARNINGS": warnings}, start_new_session=True,
        preexec_fn=ends_with_parent(signal.SIGKILL),
    )  # fmt: skip
    told: list[int] = []

    def tell(number: int, _frame: FrameType | None) -> None:
        if not told:
            worker.terminate()
            signal.setitimer(signal.ITIMER_REAL, GRACE)
        told.append(number)

    def give_up(_number: int, _frame: FrameType | None) -> None:
        os.killpg(worker.pid, signal.SIGKILL)

    signal.signal(signal.SIGTERM, tell)
    signal.signal(signal.SIGINT, tell)
    signal.signal(signal.SIGALRM, give_up)
    code = worker.wait()
    if told:
        return 0
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
