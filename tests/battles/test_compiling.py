"""Rules are compiled beside a worker, in a separate process, and only once."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import Any

import pytest
from django.core.management import call_command

from battles import tasks
from battles.management.commands import warm_rules
from systems.engine.runner import compiling


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the commands that a worker starts. Each only sleeps."""
    commands: list[list[str]] = []
    popen = subprocess.Popen

    def start(command: list[str], **options: Any) -> Any:
        commands.append(command)
        return popen([sys.executable, "-c", "import time; time.sleep(600)"], **options)

    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(tasks, "COMPILERS", [])
    return commands


def test_worker_compiles_cold_rules_beside_its_jobs(monkeypatch, started, settings):
    monkeypatch.setattr(tasks, "is_warm", lambda slug: slug != "hex-core")
    tasks.compile_beside()
    program = [sys.executable, str(settings.BASE_DIR / "manage.py"), "warm_rules"]
    assert started == [["nice", *program, "--with-parent", str(os.getpid())]]
    (process,) = tasks.COMPILERS
    assert process.poll() is None
    tasks.end_compilers()
    assert process.poll() is not None


def test_worker_starts_no_needless_compiler(monkeypatch, started, settings):
    monkeypatch.setattr(tasks, "is_warm", lambda slug: True)
    tasks.compile_beside()
    monkeypatch.setattr(tasks, "is_warm", lambda slug: False)
    settings.WORKER_QUEUES = "print"
    tasks.compile_beside()
    assert started == []


def test_two_workers_do_not_compile_the_same_game_twice(monkeypatch):
    compiled: list[str] = []
    monkeypatch.setattr(warm_rules, "is_warm", lambda slug: False)
    monkeypatch.setattr(warm_rules, "warm", compiled.append)
    output = io.StringIO()
    with compiling("hex-core"):
        call_command("warm_rules", stdout=output)
    assert "hex-core: another process is compiling the rules" in output.getvalue()
    assert "hex-core" not in compiled
    assert "meks-and-mercs" in compiled


def test_compiler_ends_if_its_worker_died_before_it_started():
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    code = f"import time; from battles.management.commands.warm_rules import end_with; end_with({ended.pid}); time.sleep(60)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 1
