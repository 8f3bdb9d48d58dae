"""Real servers for tests: PostgreSQL, Redis and Celery workers, with their own ports and folders."""

from __future__ import annotations

import contextlib
import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 30.0  # seconds a server may take to start or stop


class ServiceError(RuntimeError):
    """Raised if a test server is missing or doesn't start; the message says which, and what to do."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def wait_until(
    condition: Callable[[], bool], what: str, patience: float = PATIENCE, alive: Callable[[], bool] = lambda: True
) -> None:
    """Wait for the condition; raise TimeoutError naming `what` after `patience` seconds, or if `alive` is false."""
    deadline = time.monotonic() + patience
    while not condition():
        if time.monotonic() > deadline or not alive():
            raise TimeoutError(f"{what}: not reached within {patience:g} s, or the process ended")
        time.sleep(0.02)


def _die_with_parent() -> None:
    """Let the kernel kill the server when the test run ends in any way (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def _executable(name: str, folders: Sequence[Path] = ()) -> str:
    found = shutil.which(name) or next((str(f / name) for f in folders if (f / name).exists()), None)
    if not found:
        raise ServiceError(f"{name} is not installed; `make test` installs what the tests need")
    return found


@contextlib.contextmanager
def _server(command: Sequence[str], port: int, folder: Path, stop: signal.Signals, user: str | None) -> Iterator[None]:
    """Run the server inside the block, and wait until it answers on its port."""
    log = folder / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=folder, preexec_fn=_die_with_parent,
            **_as(user),
        )  # fmt: skip
    try:
        wait_until(lambda: answers(port), command[0], alive=lambda: process.poll() is None)
        yield
    except TimeoutError as error:
        raise ServiceError(f"{command[0]} does not start:\n{log.read_text()[-2000:]}") from error
    finally:
        process.send_signal(stop)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _as(user: str | None) -> dict[str, Any]:
    return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []} if user else {}


def _server_user() -> str | None:
    """Return the user to run PostgreSQL as, because it refuses root; None for the current user."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def postgres_program(name: str) -> str:
    """Return the path of a PostgreSQL program, in the newest installed version."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -float(path.parent.name))
    return _executable(name, versions)


@contextlib.contextmanager
def postgres(data_of: Path | None = None, on_stop: Callable[[Path], None] | None = None) -> Iterator[str]:
    """Start a new PostgreSQL server that syncs nothing to disk; yield its URL without a database name.

    data_of: a data folder to copy and start from; on_stop: called with the server's data folder after it has stopped.
    """
    initdb, server = postgres_program("initdb"), postgres_program("postgres")
    user, port = _server_user(), free_port()
    with tempfile.TemporaryDirectory(prefix="muster-postgres-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if user:
            shutil.chown(folder, user)
        data = folder / "data"
        make = [initdb, "-D", str(data), "-U", "muster", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]
        result = subprocess.run(
            ["cp", "-a", str(data_of), str(data)] if data_of else make,
            cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, **({} if data_of else _as(user)),
        )  # fmt: skip
        if result.returncode:
            raise ServiceError(f"PostgreSQL gets no data folder: {result.stderr[-2000:]}")
        settings = {
            **dict.fromkeys(("fsync", "synchronous_commit", "full_page_writes", "jit", "autovacuum"), "off"),
            "max_connections": "100",
            "max_wal_senders": "0",
            "wal_level": "minimal",
        }
        options = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        command = [server, "-D", str(data), "-h", "127.0.0.1", "-p", str(port), "-k", str(folder), *options]
        with _server(command, port, folder, signal.SIGINT, user):
            _wait_for_sessions(port)
            yield f"postgres://muster@127.0.0.1:{port}"
        if on_stop:
            on_stop(data)


def _wait_for_sessions(port: int) -> None:
    """Wait until the server accepts sessions, a moment after its port opens."""
    import psycopg

    def ready() -> bool:
        with contextlib.suppress(psycopg.OperationalError):
            psycopg.connect(host="127.0.0.1", port=port, user="muster", dbname="postgres").close()
            return True
        return False

    wait_until(ready, "PostgreSQL")


@contextlib.contextmanager
def redis() -> Iterator[str]:
    """Start a new Redis server that saves nothing; yield its URL."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="muster-redis-", ignore_cleanup_errors=True) as name:
        command = [
            _executable("redis-server"),
            "--port",
            str(port),
            "--bind",
            "127.0.0.1",
            "--dir",
            name,
            "--save",
            "",
            "--appendonly",
            "no",
        ]
        with _server(command, port, Path(name), signal.SIGTERM, None):
            yield f"redis://127.0.0.1:{port}/0"


class Worker:
    """A real Celery worker in its own process group, so that a test can kill it as in a power cut."""

    def __init__(self, environment: Mapping[str, str], *, concurrency: int, beat: bool, log: Path) -> None:
        self.log = log
        command = [
            sys.executable, "-m", "celery", "-A", "config", "worker", "-P", "prefork", "-c", str(concurrency),
            "-Q", "battles,forecasts,print", "-l", "info", "-n", f"test-{log.stem}@localhost",
            "--without-gossip", "--without-mingle", "--without-heartbeat", *(["-B"] if beat else []),
        ]  # fmt: skip
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=dict(environment), stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                start_new_session=True, preexec_fn=_die_with_parent,
            )  # fmt: skip

    def wait_ready(self, patience: float = 60.0) -> None:
        """Return once the worker takes jobs."""
        try:
            wait_until(lambda: " ready." in self.output(), "worker", patience, lambda: self.process.poll() is None)
        except TimeoutError as error:
            raise ServiceError(f"the worker does not start:\n{self.output()[-3000:]}") from error

    def output(self) -> str:
        return self.log.read_text(errors="replace")

    def kill(self) -> None:
        """Kill the worker and all its children with SIGKILL: it returns no job and logs nothing."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Stop after the running job. Raise ServiceError and kill the worker if that takes too long."""
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired as error:
            raise ServiceError(f"the worker does not end:\n{self.output()[-3000:]}") from error
        finally:
            self.kill()


def find_chromium() -> str | None:
    """Return the path of an installed Chromium or Chrome; None to use Playwright's."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next(filter(None, map(shutil.which, names)), None)
