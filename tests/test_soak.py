"""The embedded set-up under load with killed workers: every job is done once, and all servers run at the end.

MUSTER_TEST_SOAK_JOBS, _SECONDS and _KILLS (per worker) make it shorter; `-s` prints the figures.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.services import ROOT, wait_until
from tests.tools.site import Site, memory_of

JOBS = int(os.environ.get("MUSTER_TEST_SOAK_JOBS", "20000"))
SECONDS = float(os.environ.get("MUSTER_TEST_SOAK_SECONDS", "600"))
KILLS = int(os.environ.get("MUSTER_TEST_SOAK_KILLS", "20"))
ASKERS = 4
WORKERS = ("worker", "second")
PROCFILE = """web: gunicorn -c deploy/gunicorn_conf.py config.wsgi
worker: python -m deploy.worker -B -n worker@%h
second: python -m deploy.worker -n second@%h
"""
# Counts all writes that mark a job as done, in any process.
TALLY = """
CREATE TABLE soak_done (battle INTEGER);
CREATE TRIGGER soak_done AFTER UPDATE OF status ON battles_battle WHEN NEW.status = 'done'
BEGIN INSERT INTO soak_done VALUES (NEW.id); END;
"""


@pytest.mark.proof
def test_every_job_is_done_once_while_workers_are_killed(tmp_path: Path):
    (tmp_path / "Procfile").write_text(PROCFILE)
    site = Site(tmp_path / "var", tmp_path / "Procfile")
    try:
        site.wait_until_open()
        figures = soak(site)
    finally:
        code = site.stop()
    print("\n" + "\n".join(f"{name:32} {value}" for name, value in figures.items()))
    assert figures["done"] == figures["writes that say done"] == figures["records"] == JOBS
    assert figures["kills"] == dict.fromkeys(WORKERS, KILLS)
    assert figures["web server started again"] == 0
    assert figures["set aside"] == 0
    assert figures["longest queue"] < JOBS + 1_000  # waiting jobs, and those sent again by the sweep
    assert code == 130
    assert site.processes() == []


def soak(site: Site) -> dict[str, Any]:
    """Start the jobs, kill workers meanwhile, wait for the last job; return the figures."""
    database = sqlite3.connect(site.folder / "muster.sqlite3", timeout=60)
    database.executescript(TALLY)
    since = database.execute("SELECT max(id) FROM battles_battle").fetchone()[0] or 0  # the demo club has battles

    def ask(sql: str) -> int:
        return int(database.execute(sql).fetchone()[0])

    began = time.monotonic()
    share = JOBS // ASKERS
    askers = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.tools.soak_jobs", str(n * share), str(share), str(SECONDS / 4)],
            cwd=ROOT, env=site.environment | {"DJANGO_SETTINGS_MODULE": "config.settings"},
        )
        for n in range(ASKERS)
    ]  # fmt: skip
    kills = dict.fromkeys(WORKERS, 0)
    up_since: dict[str, tuple[int, float]] = {}  # the main process of a worker, and when it was first seen
    longest_queue, most_memory, first_memory = 0, 0, 0
    while time.monotonic() - began < SECONDS or min(kills.values()) < KILLS:
        assert time.monotonic() - began < 3 * SECONDS + 300, (kills, site.output()[-3000:])
        due = min(KILLS, int((time.monotonic() - began) / SECONDS * (KILLS + 1)))
        for worker in WORKERS:
            main = site.main_of(worker)
            if main and up_since.get(worker, (0, 0.0))[0] != main:
                up_since[worker] = main, time.monotonic()
            if main and kills[worker] < due and time.monotonic() - up_since[worker][1] > SECONDS / KILLS / 2:
                # Alternate between Celery's main process and the one that started it.
                os.kill(main if kills[worker] % 2 else site.processes(worker)[0], signal.SIGKILL)
                kills[worker] += 1
        longest_queue = max(longest_queue, sum(len(os.listdir(path)) for path in (site.folder / "queue").iterdir()))
        memory = sum(map(memory_of, site.processes()))
        most_memory, first_memory = max(most_memory, memory), first_memory or memory
        time.sleep(1.0)
    assert [asker.wait(SECONDS + 300) for asker in askers] == [0] * ASKERS
    open_jobs = "SELECT count(*) FROM battles_battle WHERE status IN ('queued', 'running')"
    wait_until(lambda: ask(open_jobs) == 0, "the last job", 2 * SECONDS + 300)
    seconds = time.monotonic() - began
    wait_until(lambda: all(map(site.main_of, WORKERS)), "both workers", 120.0)
    assert site.answers()
    output = site.output()
    unreadable = site.folder / "queue-unreadable"
    return {
        "jobs": JOBS,
        "done": ask(f"SELECT count(*) FROM battles_battle WHERE status = 'done' AND id > {since}"),
        "writes that say done": ask("SELECT count(*) FROM soak_done"),
        "records": ask(f"SELECT count(*) FROM battles_record WHERE battle_id > {since}"),
        "jobs that took more than one try": ask(
            f"SELECT count(*) FROM battles_battle WHERE tries > 1 AND id > {since}"
        ),
        "kills": kills,
        "workers started again": output.count("worker was ended by") + output.count("second was ended by"),
        "web server started again": output.count("web was ended by") + output.count("web ended by itself"),
        "set aside": len(list(unreadable.iterdir())) if unreadable.exists() else 0,
        "longest queue": longest_queue,
        "queue at the end": sum(len(os.listdir(path)) for path in (site.folder / "queue").iterdir()),
        "seconds": round(seconds),
        "jobs a second": round(JOBS / seconds, 1),
        "memory, first, most, last (MiB)": [
            first_memory // 1024,
            most_memory // 1024,
            sum(map(memory_of, site.processes())) // 1024,
        ],
    }
