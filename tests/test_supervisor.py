"""The supervisor of `make run` restarts processes that end by themselves, and leaves none at the end."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy.processes import MARK, processes_with_mark
from tests.services import ROOT, wait_until

# Runs until it is asked to end. If "stubborn", it runs until it is killed, and so does a child in a separate session.
TOY = """
import signal, subprocess, sys, time
if "stubborn" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"], start_new_session=True)
print("toy is up", flush=True)
time.sleep(600)
"""
KEEP_UP = """
import sys
from pathlib import Path
from deploy import supervisor
supervisor.PAUSES, supervisor.PATIENCE = (0.05,), 0.5
supervisor.end_orphaned_processes(Path(sys.argv[2]) / "run")
sys.exit(supervisor.run_processes(Path(sys.argv[1]), Path(sys.argv[2])))
"""


class Run:
    """A supervisor and its output."""

    def __init__(self, command: list[str], log: Path, environment: dict[str, str] | None = None) -> None:
        self.log = log
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                command, cwd=ROOT, stdout=output, stderr=output, env=environment, start_new_session=True
            )

    def output(self) -> str:
        return self.log.read_text(errors="replace")

    def wait_for(self, pattern: str, times: int = 1, patience: float = 60.0) -> None:
        try:
            wait_until(lambda: len(re.findall(pattern, self.output())) >= times, pattern, patience)
        except TimeoutError as error:
            raise AssertionError(f"the output never matched {pattern!r}:\n{self.output()[-3000:]}") from error


@pytest.fixture
def run_processes(tmp_path: Path) -> Iterator[Callable[..., Run]]:
    """Return a function that starts a supervisor of toy processes, given by name."""
    (tmp_path / "toy.py").write_text(TOY)
    runs: list[Run] = []

    def start(**commands: str) -> Run:
        lines = [
            f"{name}: {command.replace('TOY', f'python {tmp_path}/toy.py')}\n" for name, command in commands.items()
        ]
        (tmp_path / "Procfile").write_text("".join(lines))
        command = [sys.executable, "-c", KEEP_UP, str(tmp_path / "Procfile"), str(tmp_path)]
        runs.append(Run(command, tmp_path / f"log-{len(runs)}"))
        return runs[-1]

    yield start
    for run in runs:
        with contextlib.suppress(ProcessLookupError):
            run.process.kill()
        run.process.wait()
    for pid in leftover_processes(tmp_path):
        os.kill(pid, signal.SIGKILL)


def leftover_processes(folder: Path) -> list[int]:
    """Return processes of earlier runs that are still alive."""
    return [pid for path in (folder / "run").iterdir() for pid in processes_with_mark(path.name)]


def pids(folder: Path, name: str) -> list[int]:
    (run,) = (path.name for path in (folder / "run").iterdir())
    return processes_with_mark(f"{run}/{name}/")


def test_killed_worker_restarts_and_the_web_server_stays(run_processes: Callable[..., Run], tmp_path: Path):
    run = run_processes(web="TOY", worker="TOY")
    run.wait_for("toy is up", times=2)
    web, worker = pids(tmp_path, "web"), pids(tmp_path, "worker")
    os.kill(worker[0], signal.SIGKILL)
    run.wait_for("toy is up", times=3)
    assert pids(tmp_path, "web") == web
    assert len(pids(tmp_path, "worker")) == 1
    assert pids(tmp_path, "worker") != worker
    assert re.search(
        r"^\d\d:\d\d:\d\d system \| worker was ended by SIGKILL; restarting in .*run\.log", run.output(), re.M
    )
    assert re.search(r"^\d\d:\d\d:\d\d worker \| toy is up$", run.output(), re.M)
    assert (tmp_path / "run.log").read_text() == run.output()


def test_killed_web_server_restarts(run_processes: Callable[..., Run], tmp_path: Path):
    run = run_processes(web="TOY", worker="TOY")
    run.wait_for("toy is up", times=2)
    os.kill(pids(tmp_path, "web")[0], signal.SIGKILL)
    run.wait_for("web +. toy is up", times=2)
    assert len(pids(tmp_path, "web")) == len(pids(tmp_path, "worker")) == 1


def test_web_server_stays_up_with_failing_workers(run_processes: Callable[..., Run], tmp_path: Path):
    run = run_processes(web="TOY", worker="false", other="no-such-program-here")
    run.wait_for("toy is up")
    run.wait_for("worker ended by itself with exit code 1", times=8)
    run.wait_for("other can't be started", times=8)
    assert run.process.poll() is None
    assert len(pids(tmp_path, "web")) == 1
    assert run.output().count("toy is up") == 1


def test_failing_web_server_ends_everything_with_reason(run_processes: Callable[..., Run], tmp_path: Path):
    run = run_processes(web="python -c 'raise SystemExit(\"no port\")'", worker="TOY")
    assert run.process.wait(60) == 1
    assert "web    | no port" in run.output()
    assert "web ended by itself with exit code 1, 5 times in a row: giving up" in run.output()
    assert leftover_processes(tmp_path) == []


def test_children_of_a_killed_process_end_before_its_restart(run_processes: Callable[..., Run], tmp_path: Path):
    run = run_processes(web="TOY stubborn")
    run.wait_for("toy is up")
    old = pids(tmp_path, "web")
    assert len(old) == 2
    os.kill(min(old), signal.SIGKILL)
    run.wait_for("toy is up", times=2)
    assert not set(pids(tmp_path, "web")) & set(old)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_stopped_supervisor_leaves_no_process(
    run_processes: Callable[..., Run], tmp_path: Path, number: signal.Signals, code: int
):
    run = run_processes(web="TOY stubborn", worker="TOY", gone="false")
    run.wait_for("toy is up", times=2)
    (name,) = (path.name for path in (tmp_path / "run").iterdir())
    if number == signal.SIGINT:
        os.killpg(run.process.pid, number)  # like Ctrl-C
    else:
        os.kill(run.process.pid, number)
    assert run.process.wait(30) == code
    assert processes_with_mark(name) == []
    assert list((tmp_path / "run").iterdir()) == []


def test_processes_of_a_killed_supervisor_end(run_processes: Callable[..., Run], tmp_path: Path):
    run = run_processes(web="TOY", worker="TOY")
    run.wait_for("toy is up", times=2)
    run.process.kill()
    wait_until(lambda: leftover_processes(tmp_path) == [], "no process left")


def test_next_start_ends_leftovers_of_a_killed_supervisor(run_processes: Callable[..., Run], tmp_path: Path):
    first = run_processes(web="TOY stubborn")
    first.wait_for("toy is up")
    old = pids(tmp_path, "web")
    first.process.kill()
    first.process.wait()
    second = run_processes(web="TOY")
    second.wait_for("toy is up")
    assert not set(leftover_processes(tmp_path)) & set(old)
    assert len(pids(tmp_path, "web")) == 1


def test_start_leaves_another_supervisors_processes_alone(run_processes: Callable[..., Run], tmp_path: Path):
    first = run_processes(web="TOY")
    first.wait_for("toy is up")
    old = leftover_processes(tmp_path)
    second = run_processes(web="TOY")
    second.wait_for("toy is up")
    assert set(old) < set(leftover_processes(tmp_path))


def test_only_marked_processes_are_ours(tmp_path: Path):
    bystander = subprocess.Popen(["sleep", "60"], env=os.environ | {MARK: "another-run/web/1."})
    wait_until(lambda: processes_with_mark("another-run") == [bystander.pid], "the mark")
    assert processes_with_mark("another") == [bystander.pid]
    assert processes_with_mark("some-other-run") == []
    bystander.kill()
    bystander.wait()
