"""The work of `deploy.prepare` before the web server starts."""

from __future__ import annotations

import subprocess
import sys
import uuid
from pathlib import Path

import psycopg
import pytest

from tests.services import free_port

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.proof
def test_several_machines_prepare_one_database_at_once(postgres_url: str, site_env: dict[str, str], tmp_path: Path):
    name = f"machines_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(f"{postgres_url}/postgres", autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
    ready = [sys.executable, "-m", "deploy.prepare", "--no-demo", "--serve"]
    machines = []
    for at in range(3):
        (tmp_path / f"{at}").mkdir()
        own = {"MUSTER_VAR": str(tmp_path / f"{at}"), "MUSTER_PORT": str(free_port())}
        env = site_env | own | {"MUSTER_DATABASE_URL": f"{postgres_url}/{name}"}
        machines.append(
            subprocess.Popen(ready, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        )
    outputs = [machine.communicate()[0] for machine in machines]
    assert [machine.returncode for machine in machines] == [0, 0, 0], "\n".join(outputs)
    with psycopg.connect(f"{postgres_url}/{name}") as database:
        steps = database.execute("SELECT app, name FROM django_migrations").fetchall()
    assert ("rosters", "0001_initial") in steps
    assert len(steps) == len(set(steps))
