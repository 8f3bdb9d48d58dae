"""A whole site as started by `make run`, in a separate folder, for tools and proofs that watch or attack it."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from deploy.processes import processes_with_mark
from tests.services import ROOT, free_port, wait_until


class Site:
    """The supervisor and its processes, by name."""

    def __init__(
        self,
        folder: Path,
        procfile: Path | None = None,
        port: int | None = None,
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.folder, self.port, self.log_file = folder, port or free_port(), folder / "log"
        folder.mkdir(parents=True, exist_ok=True)
        for shared in ("compiled", "staticfiles"):  # equal for all sites of this version, and slow to build
            (ROOT / "var" / shared).mkdir(parents=True, exist_ok=True)
            if not (folder / shared).exists():
                (folder / shared).symlink_to(ROOT / "var" / shared)
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("MUSTER_", "DJANGO_"))}
        self.environment = environment | {"MUSTER_VAR": str(folder), "MUSTER_PORT": str(self.port), **settings}
        self.command = [sys.executable, "-m", "deploy.supervisor", *([str(procfile)] if procfile else [])]
        self.start()

    def start(self) -> None:
        with self.log_file.open("ab") as output:
            self.process = subprocess.Popen(
                self.command, cwd=ROOT, env=self.environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                start_new_session=True,
            )  # fmt: skip

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def answers(self) -> bool:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as answer:
            return bool(answer.status == 200)
        return False

    def wait_until_open(self, patience: float = 240.0) -> None:
        try:
            wait_until(self.answers, "the site", patience, lambda: self.process.poll() is None)
        except TimeoutError as error:
            raise RuntimeError(f"the site does not open:\n{self.output()[-3000:]}") from error

    def output(self) -> str:
        return self.log_file.read_text(errors="replace")

    def processes(self, name: str = "") -> list[int]:
        """Return all processes of the child with that name, its own first; without a name, of all children."""
        runs = [path.name for path in (self.folder / "run").glob("*")]
        found = [pid for run in runs for pid in processes_with_mark(f"{run}/{name}/" if name else run)]
        return sorted(found, key=lambda pid: (parent_of(pid) != self.process.pid, pid))

    def main_of(self, worker: str) -> int | None:
        """Return Celery's main process of a running worker, which has child processes."""
        found = self.processes(worker)
        parents = [parent_of(pid) for pid in found]
        return next((pid for pid in found[1:] if parents.count(pid) >= 2), None)

    def stop(self) -> int:
        """Stop the site as with Ctrl-C; return the exit code."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(30)


def parent_of(pid: int) -> int | None:
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return None


def memory_of(pid: int) -> int:
    """Return the resident memory in KiB; 0 if the process has ended."""
    with contextlib.suppress(OSError):
        match = re.search(r"^VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
        return int(match[1]) if match else 0
    return 0
