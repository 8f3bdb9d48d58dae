"""All servers of a site, each in its own process group, that can be killed (SIGKILL) in whole or in part."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.services import ROOT, _as, _die_with_parent, _executable, _server_user, answers, free_port, wait_until

PATIENCE = 180.0  # seconds; a machine that also runs other things is slow


@dataclass
class Server:
    """One server of the site; with `parts`, single processes of it may be killed, too."""

    name: str
    command: list[str]
    folder: Path
    env: Mapping[str, str] | None = None
    user: str | None = None
    parts: bool = False
    is_ready: Callable[[], bool] = lambda: True
    process: subprocess.Popen[bytes] | None = None
    ended_by_itself: int = 0

    def start(self) -> None:
        with (self.folder / f"{self.name}.log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command, cwd=ROOT if self.env else self.folder, env=dict(self.env) if self.env else None,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                preexec_fn=_die_with_parent, **_as(self.user),
            )  # fmt: skip

    def look_after(self) -> None:
        """Start the server again if it has ended by itself."""
        if self.process is None or self.process.poll() is not None:
            self.ended_by_itself += self.process is not None
            self.start()

    def kill(self) -> None:
        """Kill all processes of the server, as in a power cut, and start it again."""
        assert self.process is not None
        for pid in [self.process.pid, *descendants(self.process.pid)]:
            _kill(pid)
        self.process.wait()
        self.start()

    def kill_part(self, chance: random.Random) -> bool:
        """Kill one child process of the server; return False if it has none."""
        assert self.process is not None
        children = descendants(self.process.pid)
        if not children:
            return False
        _kill(chance.choice(children))
        return True

    def stop(self) -> None:
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            for pid in [self.process.pid, *descendants(self.process.pid)]:
                _kill(pid)
        self.process.wait()


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def descendants(pid: int) -> list[int]:
    """Return the process's children and their children, by process ID."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            parents.setdefault(parent, []).append(int(path.parent.name))
    found, look = [], [pid]
    while look:
        children = sorted(parents.get(look.pop(), []))
        found += children
        look += children
    return sorted(found)


@dataclass
class Site:
    """The servers of a site with this database and broker, in a folder of their own."""

    database: str  # postgres or sqlite
    broker: str  # redis or files
    folder: Path
    servers: list[Server] = field(default_factory=list)
    kills: Counter[str] = field(default_factory=Counter)
    elsewhere: tempfile.TemporaryDirectory[str] | None = None

    def __post_init__(self) -> None:
        self.var, self.port = self.folder / "var", free_port()
        self.var.mkdir()
        compiled = ROOT / "var" / "compiled"
        compiled.mkdir(parents=True, exist_ok=True)
        (self.var / "compiled").symlink_to(compiled)
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("MUSTER_", "DJANGO_"))}
        self.env = clean | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "MUSTER_VAR": str(self.var),
            "MUSTER_JOB_LEASE_SECONDS": "6",
            "MUSTER_LOG_LEVEL": "WARNING",
            "MUSTER_PORT": str(self.port),
        }
        if self.database == "postgres":
            self._add_postgres()
        if self.broker == "redis":
            self._add_redis()
        python = sys.executable
        worker = [python, "-m", "celery", "--quiet", "-A", "config", "worker", "-P", "prefork", "-l", "warning",
                  "--without-gossip", "--without-mingle", "--without-heartbeat"]  # fmt: skip
        self._add("web", [python, "-m", "gunicorn", "-c", "deploy/gunicorn_conf.py", "config.wsgi"], parts=True)
        self._add("worker", [*worker, "-c", "2", "-Q", "battles,forecasts", "-n", "battles@localhost"], parts=True)
        self._add("print", [*worker, "-c", "1", "-Q", "print", "-n", "print@localhost"], parts=True)
        self._add("beat", [python, "-m", "celery", "--quiet", "-A", "config", "beat", "-l", "warning", "--pidfile="])

    def _add(self, name: str, command: list[str], *, parts: bool = False) -> None:
        env = self.env | ({"MUSTER_WORKER_QUEUES": "print"} if name == "print" else {})
        self.servers.append(Server(name, command, self.folder, env, parts=parts))

    def _add_postgres(self) -> None:
        versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -float(path.parent.name))
        user, port = _server_user(), free_port()
        self.elsewhere = tempfile.TemporaryDirectory(prefix="muster-postgres-", ignore_cleanup_errors=True)
        home = Path(self.elsewhere.name)  # pytest's own folders are closed to other users
        if user:
            shutil.chown(home, user)
        subprocess.run(
            [_executable("initdb", versions), "-D", home / "data", "-U", "muster", "-A", "trust", "-E", "UTF8",
             "--locale=C.UTF-8", "--no-sync"],
            cwd=home, stdin=subprocess.DEVNULL, capture_output=True, check=True, **_as(user),
        )  # fmt: skip
        # Without fsync: the kernel keeps committed data if the server is killed; only a power cut would lose them.
        command = [_executable("postgres", versions), "-D", str(home / "data"), "-h", "127.0.0.1", "-p", str(port),
                   "-k", str(home), "-c", "fsync=off", "-c", "max_connections=100", "-c", "shared_buffers=64MB"]  # fmt: skip
        self.servers.append(Server("postgres", command, home, user=user, parts=True))
        self.servers[-1].is_ready = lambda: answers(port)
        self.env["MUSTER_DATABASE_URL"] = f"postgres://muster@127.0.0.1:{port}/postgres"

    def _add_redis(self) -> None:
        port = free_port()
        home = self.folder / "redis"
        home.mkdir()
        command = [_executable("redis-server"), "--port", str(port), "--bind", "127.0.0.1", "--dir", str(home),
                   "--save", "", "--appendonly", "no"]  # fmt: skip
        self.servers.append(Server("redis", command, home))
        self.servers[-1].is_ready = lambda: answers(port)
        self.env["MUSTER_REDIS_URL"] = f"redis://127.0.0.1:{port}/0"

    # --- running ------------------------------------------------------------------------------------------------------

    def run(self, *arguments: str) -> str:
        """Run Python with these arguments in the site's environment, and return its output."""
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise AssertionError(f"{' '.join(arguments)}: {done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return done.stdout

    def open(self) -> None:
        """Start the servers that hold data, make the database, then start the others."""
        for server in self.servers:
            if server.name in ("postgres", "redis"):
                server.start()
                wait_until(server.is_ready, server.name, PATIENCE)
        wait_until(self._database_answers, "the database", PATIENCE)
        self.run("-m", "deploy.prepare", "--no-demo", "--serve")
        for server in self.servers:
            if server.process is None:
                server.start()
        self.wait_until_open()

    def _database_answers(self) -> bool:
        with contextlib.suppress(AssertionError):
            self.run("manage.py", "showmigrations", "contenttypes")
            return True
        return False

    def wait_until_open(self) -> None:
        wait_until(lambda: self.look_after() or answers(self.port), "the web server", PATIENCE)

    def look_after(self) -> None:
        for server in self.servers:
            server.look_after()

    def kill_one(self, chance: random.Random) -> None:
        """Kill a random server, or one process of it; a whole server is started again at once."""
        server = chance.choice(self.servers)
        name = server.name
        if server.parts and chance.random() < 0.5 and server.kill_part(chance):
            name = f"a process of {name}"
        else:
            server.kill()
        self.kills[name] += 1

    def close(self) -> None:
        for server in reversed(self.servers):
            server.stop()
        if self.elsewhere is not None:
            self.elsewhere.cleanup()
