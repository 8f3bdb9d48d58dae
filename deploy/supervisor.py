"""Runs the processes of a Procfile in one terminal, and restarts any that ends by itself.

    python -m deploy.supervisor [PROCFILE]

A worker is restarted without limit, after a pause that grows from one second to half a minute; a stable run resets the
pause. The web server is restarted in the same way, but if it fails several times in a row, everything ends. Ctrl-C, or
SIGTERM to this process, ends everything within ten seconds. If this process is killed, the kernel ends its children; if
any are left, the next start finds them through a lock in MUSTER_VAR/run.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import logging.handlers
import os
import selectors
import shlex
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from deploy.processes import MARK, end_processes, ends_with_parent, kill_processes

ROOT = Path(__file__).resolve().parent.parent
PAUSES = (1, 2, 4, 8, 16, 30)  # seconds before a process is restarted, by failures in a row
STABLE_SECONDS = 10.0  # a process that ran this long counts as stable, and its failures are counted from one again
WEB = "web"  # the process without which everything ends
MAX_WEB_FAILURES = 5  # in a row, before everything ends
PATIENCE = 7.0  # seconds that processes get to end when everything ends
LOG_BYTES, MAX_LOGS = 2_000_000, 2


@dataclass(eq=False)
class Child:
    """A process to keep running."""

    name: str
    command: list[str]
    process: subprocess.Popen[bytes] | None = None
    starts: int = 0
    started_at: float = 0.0
    due_at: float = 0.0
    failures: int = 0  # in a row


@dataclass(eq=False)
class Output:
    """The output of a pipe; `rest` is a line that isn't complete yet."""

    name: str
    rest: bytes = field(default=b"")


class Supervisor:
    """Keeps its children running, in one loop that relays their output and restarts them."""

    def __init__(self, children: list[Child], folder: Path) -> None:
        self.children = children
        self.run_id = uuid.uuid4().hex
        self.log_file = folder / "run.log"
        self.width = max(len("system"), *(len(child.name) for child in children))
        self.pipes = selectors.DefaultSelector()
        self.exit_code: int | None = None  # once it is set, everything ends
        self.stopped_at = self.end_by = 0.0
        self._printer = _printer(self.log_file)

    def run(self) -> int:
        """Keep the children running until a signal, or until the web server fails for good; return the exit code."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        self._print(f"this output is also in {self.log_file}")
        while self.exit_code is None or any(child.process for child in self.children):
            for child in self.children:
                self._look_after(child)
            if self.exit_code is not None and time.monotonic() > self.end_by:
                self._kill_the_rest()
            self._relay(0.2)
        self._relay(0.0)
        kill_processes(self.run_id)
        return self.exit_code

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if self.exit_code is None:
            self._end(128 + number)
        elif time.monotonic() > self.stopped_at + 1.0:  # a second Ctrl-C (not the first one delivered twice): kill
            self.end_by = 0.0

    def _end(self, exit_code: int) -> None:
        self.exit_code = exit_code
        self.stopped_at = time.monotonic()
        self.end_by = time.monotonic() + PATIENCE
        for child in self.children:
            if child.process:
                child.process.terminate()

    def _kill_the_rest(self) -> None:
        self.end_by = float("inf")
        for child in self.children:
            if child.process:
                self._print(f"{child.name} takes too long to stop, so it is killed")
                child.process.kill()

    def _look_after(self, child: Child) -> None:
        now = time.monotonic()
        if child.process is None:
            if self.exit_code is None and now >= child.due_at:
                self._start(child)
        elif (code := child.process.poll()) is not None:
            self._handle_end(child, code)

    def _start(self, child: Child) -> None:
        child.starts += 1
        child.started_at = time.monotonic()
        path = f"{Path(sys.executable).parent}:{os.environ.get('PATH', os.defpath)}"
        quiet = {"MUSTER_LOG_LEVEL": "WARNING"}  # in a terminal, one line per page would be too much
        environment = quiet | os.environ | {"PATH": path, "PYTHONUNBUFFERED": "1", MARK: self._mark(child)}
        try:
            child.process = subprocess.Popen(
                child.command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=ends_with_parent(),
            )  # fmt: skip
        except OSError as error:
            self._handle_failure(child, f"can't be started ({error})")
            return
        assert child.process.stdout is not None
        os.set_blocking(child.process.stdout.fileno(), False)
        self.pipes.register(child.process.stdout, selectors.EVENT_READ, Output(child.name))

    def _handle_end(self, child: Child, code: int) -> None:
        child.process = None
        kill_processes(self._mark(child))  # any of its own child processes that are left
        if self.exit_code is None:
            self._handle_failure(child, _ending(code))

    def _handle_failure(self, child: Child, how: str) -> None:
        """Schedule the restart of a process that ended, or end everything if the web server keeps failing."""
        now = time.monotonic()
        child.failures = 1 if now - child.started_at >= STABLE_SECONDS else child.failures + 1
        if child.name == WEB and child.failures >= MAX_WEB_FAILURES:
            self._print(
                f"{child.name} {how}, {child.failures} times in a row: giving up; see above, or {self.log_file}"
            )
            self._end(1)
            return
        pause = PAUSES[min(child.failures, len(PAUSES)) - 1]
        child.due_at = now + pause
        self._print(f"{child.name} {how}; restarting in {pause} s (log: {self.log_file})")

    def _mark(self, child: Child) -> str:
        return f"{self.run_id}/{child.name}/{child.starts}."

    def _relay(self, wait: float) -> None:
        """Print the children's output line by line."""
        for key, _ in self.pipes.select(wait):
            pipe, output = key.fileobj, key.data
            try:
                received = os.read(key.fd, 65536)
            except BlockingIOError:
                continue
            *lines, output.rest = (output.rest + received).split(b"\n")
            if not received:
                lines = [output.rest] if output.rest else []
                self.pipes.unregister(pipe)
                pipe.close()  # type: ignore[union-attr]
            for line in lines:
                self._print(line.decode(errors="replace").rstrip(), output.name)

    def _print(self, text: str, name: str = "system") -> None:
        self._printer.info(f"{time.strftime('%H:%M:%S')} {name:<{self.width}} | {text}")


def _printer(log_file: Path) -> logging.Logger:
    """Return a logger for the terminal and the log file; it ignores a closed terminal."""
    printer = logging.Logger("supervisor")
    logging.raiseExceptions = False
    log_file.parent.mkdir(parents=True, exist_ok=True)
    printer.addHandler(logging.StreamHandler(sys.stdout))
    printer.addHandler(logging.handlers.RotatingFileHandler(log_file, maxBytes=LOG_BYTES, backupCount=MAX_LOGS))
    return printer


def _ending(code: int) -> str:
    """Describe how a process ended, from its exit code."""
    number = -code if code < 0 else code - 128  # a process may report a signal of its own child
    with contextlib.suppress(ValueError):
        return f"was ended by {signal.Signals(number).name}"
    return f"ended by itself with exit code {code}"


def read_procfile(path: Path) -> list[Child]:
    """Return the processes of a Procfile, which has a name and a command on each line."""
    lines = [line.partition(":") for line in path.read_text().splitlines() if line.strip()]
    return [Child(name.strip(), shlex.split(command.strip().removeprefix("exec "))) for name, _, command in lines]


@contextlib.contextmanager
def locked_run(folder: Path, run_id: str) -> Iterator[None]:
    """Lock a file named after the run: while it is locked, the processes of that run have a supervisor."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / run_id
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
        path.unlink(missing_ok=True)


def end_orphaned_processes(folder: Path) -> list[int]:
    """End processes whose supervisor is gone; return their IDs."""
    found: list[int] = []
    for path in folder.iterdir() if folder.is_dir() else ():
        with path.open("r+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            found += end_processes(path.name)
            path.unlink(missing_ok=True)
    return found


def run_processes(procfile: Path, var: Path) -> int:
    """Run the processes of a Procfile until they are stopped; return the exit code."""
    supervisor = Supervisor(read_procfile(procfile), var)
    with locked_run(var / "run", supervisor.run_id):
        return supervisor.run()


def main(arguments: list[str]) -> int:
    """Prepare everything, then keep the web server and the worker running; return the exit code."""
    var = Path(os.environ.get("MUSTER_VAR") or ROOT / "var").resolve()
    if left := end_orphaned_processes(var / "run"):
        print(f"muster: stopped {len(left)} processes left over from a killed run", flush=True)
    prepare = [sys.executable, "-m", "deploy.prepare", "--serve"]
    if code := subprocess.run(prepare, cwd=ROOT, preexec_fn=ends_with_parent()).returncode:
        return code
    return run_processes(Path(arguments[0]) if arguments else ROOT / "deploy" / "Procfile", var)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main(sys.argv[1:]))
    sys.exit(128 + signal.SIGINT)
