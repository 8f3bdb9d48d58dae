"""Empty databases with every table, migrated once and kept, so that a test run copies them.

They are in var/test-databases, named by a hash of everything that creates the tables, so a new migration makes a new
database. The oldest are deleted.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import psycopg

from tests import services

ROOT = services.ROOT
FOLDER = ROOT / "var" / "test-databases"
TEMPLATE = "muster_template"  # a database in a kept data folder of PostgreSQL
MAX_DATABASES = 4


def postgres_data() -> Path:
    """Return the data folder of a stopped PostgreSQL server with the database TEMPLATE."""
    version = subprocess.run([services.postgres_program("postgres"), "--version"], capture_output=True, check=True)
    return _kept("postgres", version.stdout, _make_postgres)


def sqlite_file() -> Path:
    return _kept("sqlite", b"", _make_sqlite)


def _kept(kind: str, version: bytes, make: Callable[[Path], None]) -> Path:
    """Return the result of `make` for the current tables. One process makes it while the others wait."""
    path = FOLDER / f"{kind}-{_tables_hash(version)}"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            draft = FOLDER / f".{kind}"
            _remove(draft)
            make(draft)
            draft.rename(path)
        path.touch()
        for old in sorted(FOLDER.glob(f"{kind}-*"), key=lambda each: each.stat().st_mtime)[:-MAX_DATABASES]:
            _remove(old)
    return path


def _tables_hash(version: bytes) -> str:
    """Return the hash of the server, the migrations and what they use, and the libraries that add tables."""
    sources = [
        *sorted(ROOT.glob("*/migrations/*.py")),
        ROOT / "rosters" / "database" / "operations.py",
        ROOT / "rosters" / "ledger" / "triggers.py",
        ROOT / "requirements.txt",
    ]
    made = hashlib.sha256(version)
    for source in sources:
        made.update(f"{source.relative_to(ROOT)}\n".encode() + source.read_bytes())
    return made.hexdigest()[:16]


def _make_postgres(draft: Path) -> None:
    with services.postgres(on_stop=lambda data: copy(data, draft)) as url:
        with psycopg.connect(f"{url}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {TEMPLATE}")
        _migrate(f"{url}/{TEMPLATE}")


def _make_sqlite(draft: Path) -> None:
    _migrate(f"sqlite:///{draft}")


def _migrate(url: str) -> None:
    with tempfile.TemporaryDirectory(prefix="muster-migrate-") as folder:
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("MUSTER_", "DJANGO_"))}
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "-v", "0"],
            cwd=ROOT, env=environment | {"MUSTER_DATABASE_URL": url, "MUSTER_VAR": folder}, check=True,
        )  # fmt: skip


def copy(source: Path, target: Path) -> None:
    """Copy with owners and permissions, because PostgreSQL refuses a folder that others can read."""
    subprocess.run(["cp", "-a", str(source), str(target)], check=True)


def _remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
