"""Saves database, files and keys to one archive, and puts such an archive back.

    python -m deploy.backup save                      writes backups/muster-<time>.tar.gz
    python -m deploy.backup restore <archive>         replaces what is there

SQLite is copied through its own backup call, so Muster may run meanwhile; PostgreSQL through pg_dump and pg_restore.
The archive holds the keys of sealed dice beside the database that they keep secrets from: whoever has it can read both.
Stop Muster to restore. Jobs that wait in the queue are not saved: their rows are, and the sweep wakes them up again.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.conf import settings  # noqa: E402

from deploy.private import close_to_others  # noqa: E402

DICE_KEYS = "dice-key"
KEPT = (
    "files",
    "outbox",
    "secret-key",
    "demo-password",
)  # of MUSTER_VAR; the rest is the database, or can be made again


def save(folder: Path) -> Path:
    """The archive written; complete, or not there at all."""
    folder.mkdir(parents=True, exist_ok=True)
    close_to_others(folder)
    archive = folder / f"muster-{datetime.now(UTC):%Y%m%d-%H%M%S}.tar.gz"
    with tempfile.TemporaryDirectory(dir=folder) as name:
        work = Path(name)
        dump(settings.DATABASES["default"], work)
        with tarfile.open(work / "archive", "w:gz") as tar:
            for path in work.glob("database.*"):
                tar.add(path, path.name)
            for kept in KEPT:
                if (settings.VAR_DIR / kept).exists():
                    tar.add(settings.VAR_DIR / kept, kept)
            write_keys(work / DICE_KEYS, settings.DICE_KEYS)  # those of the environment too
            tar.add(work / DICE_KEYS, DICE_KEYS)
        (work / "archive").chmod(0o600)  # it holds the keys
        (work / "archive").rename(archive)
    return archive


def restore(archive: Path) -> None:
    """Replaces database, files and key by those of the archive; SystemExit if it is none, or of the other database.

    Keys of sealed dice are added to those that are there: a key too many does no harm, a lost one is lost for good.
    """
    with tempfile.TemporaryDirectory(dir=settings.VAR_DIR) as name:
        work = Path(name)
        try:
            with tarfile.open(archive) as tar:
                tar.extraction_filter = lambda member, _path: member  # expected() says what may come out
                tar.extractall(work, expected(tar))
        except (OSError, tarfile.TarError) as error:
            sys.exit(f"muster: can't read the archive {archive}: {error}")
        load(settings.DATABASES["default"], work)
        for kept in KEPT:
            target = settings.VAR_DIR / kept
            shutil.rmtree(target) if target.is_dir() else target.unlink(missing_ok=True)
            if (work / kept).exists():
                (work / kept).rename(target)
        if (work / DICE_KEYS).exists():
            saved = (work / DICE_KEYS).read_text(encoding="utf-8").split()
            write_keys(settings.VAR_DIR / DICE_KEYS, tuple(dict.fromkeys([*saved, *settings.DICE_KEYS])))
        close_to_others(settings.VAR_DIR)  # an archive from before brings its files as they were


def write_keys(path: Path, keys: tuple[str, ...]) -> None:
    """The file of these keys, for its owner alone."""
    draft = path.with_name(f".{path.name}-draft")
    with os.fdopen(os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
        file.write("\n".join(keys) + "\n")
    draft.replace(path)


def expected(tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The members of a backup; TarError at the first that is none. (Python 3.11 as Debian 12 has it knows no filters.)"""
    for member in tar:
        top, *rest = PurePosixPath(member.name).parts or ("",)
        known = top in (*KEPT, DICE_KEYS) or top.startswith("database.")
        if not known or ".." in rest or not (member.isfile() or member.isdir()):
            raise tarfile.TarError(f"{member.name!r} does not belong in a backup")
        yield member


def dump(database: dict[str, Any], work: Path) -> None:
    if is_sqlite(database):
        source = sqlite3.connect(f"file:{database['NAME']}?mode=ro", uri=True)
        target = sqlite3.connect(work / "database.sqlite3")
        with contextlib.closing(source), contextlib.closing(target):
            source.backup(target)
    else:
        postgres("pg_dump", database, "--format=custom", "--no-owner", f"--file={work / 'database.pgdump'}")


def load(database: dict[str, Any], work: Path) -> None:
    file = work / ("database.sqlite3" if is_sqlite(database) else "database.pgdump")
    if not file.exists():
        sys.exit("muster: this archive is of another kind of database (SQLite or PostgreSQL) than MUSTER_DATABASE_URL")
    if is_sqlite(database):
        for leftover in ("-wal", "-shm"):
            Path(f"{database['NAME']}{leftover}").unlink(missing_ok=True)
        file.replace(database["NAME"])
    else:
        name = str(database["NAME"])
        options = ("--clean", "--if-exists", "--no-owner", "--single-transaction", "--exit-on-error")
        postgres("pg_restore", database, *options, f"--dbname={name}", str(file))


def is_sqlite(database: dict[str, Any]) -> bool:
    return str(database["ENGINE"]).endswith("sqlite3")


def postgres(program: str, database: dict[str, Any], *options: str) -> None:
    """Runs a PostgreSQL program on the database; its password goes through the environment, not the command line."""
    keys = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    environment = os.environ | {key: str(database[name]) for key, name in keys.items() if database.get(name)}
    if not shutil.which(program):
        sys.exit(f"muster: {program} is missing; it is in the package postgresql-client")
    if subprocess.run([program, *options], env=environment).returncode:
        sys.exit(f"muster: {program} failed, see above")


def main(arguments: list[str]) -> None:
    match arguments:
        case ["save"]:
            print(f"muster: saved to {save(settings.BASE_DIR / 'backups')}")
        case ["restore", archive] if archive:
            restore(Path(archive))
            print("muster: restored")
        case _:
            sys.exit("muster: make backup, or: make restore FILE=backups/muster-....tar.gz")


if __name__ == "__main__":
    main(sys.argv[1:])
