"""Saves the database, files and keys to one archive, and restores it into SQLite or PostgreSQL.

    python -m deploy.backup save [--keep N]                writes backups/muster-<time>.tar.gz; keeps only the newest N
    python -m deploy.backup restore <archive> [--replace]  restores to an empty site; --replace overwrites a site

Muster may run while it is saved: SQLite is copied through its backup call; PostgreSQL through pg_dump, and also as rows
that SQLite can read, both from one snapshot. Stop Muster before you restore. A restore either succeeds completely or
changes nothing.

The archive contains the secret key, and the dice keys together with the secrets that they encrypt: anyone with the
archive can read both. Keys are included whether they come from a file in MUSTER_VAR or from the environment.

Messages in the queue are not saved. The rows of the jobs are, and the sweep starts them again.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django  # noqa: E402
from django.conf import settings  # noqa: E402
from django.core.exceptions import ValidationError  # noqa: E402
from django.db import DatabaseError, connection, connections, transaction  # noqa: E402

from deploy import database_dump  # noqa: E402
from deploy.processes import ends_with_parent  # noqa: E402
from deploy.staging import (
    KEPT,
    close_to_others,  # noqa: E402
    files_put_back,
    staging_folder,  # noqa: E402
    undo_interrupted_restore,
)

# Errors that may be raised while rows of another site are read.
UNREADABLE = (
    database_dump.UnreadableError,
    DatabaseError,
    OSError,
    ValueError,
    LookupError,
    TypeError,
    ValidationError,
)
DICE_KEYS = "dice-key"
SECRET_KEY = "secret-key"
WORKERS = "rosters_workerseen"  # the table
ROWS = "rows"
SQLITE_FILE, POSTGRESQL_FILE = "database.sqlite3", "database.pgdump"


def save(folder: Path) -> Path:
    """Write an archive and return its path; if anything fails, no archive is left."""
    django.setup()
    folder.mkdir(parents=True, exist_ok=True)
    close_to_others(folder)
    archive = folder / f"muster-{datetime.now(UTC):%Y%m%d-%H%M%S}.tar.gz"
    with staging_folder(folder, ".backup-") as work:
        dump(work)
        with tarfile.open(work / "archive", "w:gz") as tar:
            for path in (work / SQLITE_FILE, work / POSTGRESQL_FILE, work / ROWS):
                if path.exists():
                    tar.add(path, path.name)
            for kept in KEPT:
                if kept != SECRET_KEY:
                    pack(tar, settings.VAR_DIR / kept, kept)
            write_private(work / SECRET_KEY, settings.SECRET_KEY)  # including one from the environment
            tar.add(work / SECRET_KEY, SECRET_KEY)
            write_keys(work / DICE_KEYS, settings.DICE_KEYS)  # including those from the environment
            tar.add(work / DICE_KEYS, DICE_KEYS)
        (work / "archive").chmod(0o600)  # it holds the keys
        with (work / "archive").open("rb") as file:
            os.fsync(file.fileno())
        (work / "archive").rename(archive)
    if settings.SECRET_KEY_FALLBACKS:
        print("muster: keep MUSTER_SECRET_KEY_BEFORE as well; it is not in the archive", file=sys.stderr)
    return archive


def prune(folder: Path, keep: int) -> list[Path]:
    """Delete all archives except the newest `keep`; return the deleted ones."""
    archives = sorted(folder.glob("muster-*.tar.gz"), reverse=True)  # their names begin with the time
    for archive in archives[keep:]:
        archive.unlink()
        archive.with_name(f"{archive.name}.version").unlink(missing_ok=True)
    return archives[keep:]


def pack(tar: tarfile.TarFile, path: Path, name: str) -> None:
    """Add the file or folder to the archive; skip files that Muster deletes meanwhile."""
    with contextlib.suppress(FileNotFoundError):
        tar.add(path, name, recursive=False)
        for each in sorted(path.iterdir()) if path.is_dir() else ():
            pack(tar, each, f"{name}/{each.name}")


def restore(archive: Path, *, replace: bool = False) -> None:
    """Replace the database, files and keys with those of the archive.

    Raise SystemExit and change nothing if the archive can't be read or restored, if a worker is running, or if there is
    already a site and `replace` isn't set. Dice keys are added to the existing ones: an extra key does no harm, but a
    lost key can't be replaced.
    """
    django.setup()
    undo_interrupted_restore(settings.VAR_DIR)
    with staging_folder(settings.VAR_DIR, ".restore-") as work:
        try:
            with tarfile.open(archive) as tar:
                tar.extraction_filter = lambda member, _path: member  # expected() checks the members
                tar.extractall(work, expected(tar))
        except (OSError, tarfile.TarError, EOFError, zlib.error) as error:
            sys.exit(f"muster: can't read the archive {archive}: {error}. Nothing was changed.")
        try:
            there, alive = describe_existing_data(), living_workers()
        except DatabaseError as error:
            sys.exit(f"muster: can't look what is in the database: {error}. Nothing was changed.")
        if alive is not None:
            sys.exit(f"muster: a worker gave a sign of life {alive:.0f} s ago; stop Muster first. Nothing was changed.")
        if there and not replace:
            sys.exit(
                f"muster: there is a Muster here already: {there}. `make backup` keeps it; then "
                f"`make restore FILE={archive} REPLACE=yes` puts the archive in its place."
            )
        if (work / DICE_KEYS).exists():
            saved = (work / DICE_KEYS).read_text(encoding="utf-8").split()
            write_keys(settings.VAR_DIR / DICE_KEYS, tuple(dict.fromkeys([*saved, *settings.DICE_KEYS])))
        saved_key = (work / SECRET_KEY).read_text(encoding="utf-8") if (work / SECRET_KEY).exists() else ""
        with files_put_back(work, settings.VAR_DIR):
            try:
                load(work)
            except UNREADABLE as error:
                sys.exit(f"muster: can't restore {archive}: {error or type(error).__name__}. Nothing was changed.")
        close_to_others(settings.VAR_DIR)  # an older archive restores the old file modes
        forget_workers()
    if os.environ.get("MUSTER_SECRET_KEY") and saved_key not in (
        "",
        settings.SECRET_KEY,
        *settings.SECRET_KEY_FALLBACKS,
    ):
        print(
            "muster: MUSTER_SECRET_KEY is not the key that the archive was made under, so sessions and links in mails end, and "
            f"exported companies count as unproven. That key is in {settings.VAR_DIR / SECRET_KEY}: put it into "
            "MUSTER_SECRET_KEY, or into MUSTER_SECRET_KEY_BEFORE, unless it has leaked."
        )


def living_workers() -> float | None:
    """Return the seconds since the last heartbeat of a worker of this database; None if no worker is alive."""
    if WORKERS not in connection.introspection.table_names():
        return None
    from rosters.models import WorkerHeartbeat
    from rosters.site.heartbeats import SILENT_SECONDS

    seen = WorkerHeartbeat.objects.order_by("-seen_at").values_list("seen_at", flat=True).first()
    connection.close()
    silent = (datetime.now(UTC) - seen).total_seconds() if seen else SILENT_SECONDS + 1
    return max(silent, 0.0) if silent <= SILENT_SECONDS else None


def forget_workers() -> None:
    """Delete the heartbeats that came with an archive: its workers don't run on this database."""
    if WORKERS in connection.introspection.table_names():
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {WORKERS}")
    connection.close()


def describe_existing_data() -> str:
    """Describe what a restore would overwrite; empty if the database has neither players nor companies."""
    counts = {}
    for table, what in {"rosters_player": "players", "rosters_company": "companies"}.items():
        if table in connection.introspection.table_names():
            with connection.cursor() as cursor:
                cursor.execute(f"SELECT count(*) FROM {table}")
                counts[what] = int(cursor.fetchone()[0])
    connection.close()
    return ", ".join(f"{count} {what}" for what, count in counts.items()) if any(counts.values()) else ""


def write_keys(path: Path, keys: tuple[str, ...]) -> None:
    """Write these keys to a file that only its owner can read."""
    write_private(path, "\n".join(keys) + "\n")


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read."""
    draft = path.with_name(f".{path.name}-draft")
    with os.fdopen(os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    draft.replace(path)


def expected(tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """Yield the archive's members; TarError for one that isn't part of a backup.

    (Debian 12's Python 3.11 has no tar filters.)
    """
    for member in tar:
        top, *rest = PurePosixPath(member.name).parts or ("",)
        known = top in (*KEPT, DICE_KEYS, ROWS) or top.startswith("database.")
        if not known or ".." in rest or not (member.isfile() or member.isdir()):
            raise tarfile.TarError(f"{member.name!r} does not belong in a backup")
        yield member


# --- databases --------------------------------------------------------------------------------------------------------


def dump(work: Path) -> None:
    """Dump the database in its own format; PostgreSQL also as rows."""
    if connection.vendor == "sqlite":
        source = sqlite3.connect(f"file:{connection.settings_dict['NAME']}?mode=ro", uri=True)
        target = sqlite3.connect(work / SQLITE_FILE)
        with contextlib.closing(source), contextlib.closing(target):
            source.backup(target)
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            cursor.execute("SELECT pg_export_snapshot()")
            snapshot = cursor.fetchone()[0]
        if shutil.which("pg_dump"):
            postgres(
                "pg_dump", "--format=custom", "--no-owner", f"--snapshot={snapshot}", f"--file={work / POSTGRESQL_FILE}"
            )
        else:
            print("muster: no pg_dump here (package postgresql-client): saved as rows alone, which restore more slowly")
        database_dump.write_rows(work / ROWS)


def load(work: Path) -> None:
    """Replace our database with the archive's, completely or not at all; as rows if the two are of different kinds."""
    has_rows = (work / ROWS).is_dir()
    if has_rows:
        database_dump.check_manifest(work / ROWS)
    elif (work / SQLITE_FILE).exists():
        with opened_sqlite(work / SQLITE_FILE) as alias:
            database_dump.check_version(alias)
    if connection.vendor == "sqlite":
        if not (work / SQLITE_FILE).exists():
            if not has_rows:
                raise database_dump.UnreadableError(
                    "it is of an older Muster's PostgreSQL and has no rows that SQLite can take; restore it into PostgreSQL, "
                    "upgrade that and save it again"
                )
            fill_sqlite(work)
        replace_sqlite(work / SQLITE_FILE)
    elif (work / POSTGRESQL_FILE).exists() and shutil.which("pg_restore") and shutil.which("psql"):
        quietly = "SET LOCAL client_min_messages TO warning;"  # otherwise psql reports every constraint that is dropped
        (work / "empty.sql").write_text(quietly + database_dump.EMPTY_POSTGRESQL)
        postgres(
            "pg_restore", "--no-owner", "--no-privileges", f"--file={work / 'all.sql'}", str(work / POSTGRESQL_FILE)
        )
        quiet = ("--quiet", "--no-psqlrc", "--output=/dev/null", "--set=ON_ERROR_STOP=1", "--single-transaction")
        postgres("psql", *quiet, f"--file={work / 'empty.sql'}", f"--file={work / 'all.sql'}")
    else:
        if not has_rows:
            rows_of_sqlite(work)
        with transaction.atomic():
            database_dump.empty()
            database_dump.fill(work / ROWS)


def fill_sqlite(work: Path) -> None:
    """Create a new SQLite database in the working folder and fill it with the archive's rows."""
    connections["default"].close()
    ours, connection.settings_dict["NAME"] = connection.settings_dict["NAME"], str(work / SQLITE_FILE)
    try:
        database_dump.fill(work / ROWS)
    finally:
        connection.close()
        connection.settings_dict["NAME"] = ours


def rows_of_sqlite(work: Path) -> None:
    """Write the archive's SQLite database as rows."""
    if not (work / SQLITE_FILE).exists():
        raise database_dump.UnreadableError(
            "there is no database in it that can be read here; the package postgresql-client may help"
        )
    with opened_sqlite(work / SQLITE_FILE) as alias:
        database_dump.write_rows(work / ROWS, alias)


@contextlib.contextmanager
def opened_sqlite(path: Path) -> Iterator[str]:
    """Open this database in Django and yield its alias."""
    given = {"default": {}, "archive": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(path)}}
    connections.databases["archive"] = connections.configure_settings(given)["archive"]
    try:
        yield "archive"
    finally:
        connections["archive"].close()
        del connections["archive"], connections.databases["archive"]


def replace_sqlite(new: Path) -> None:
    """Replace our database with this file; UnreadableError if the file is damaged or ours is in use."""
    try:
        with contextlib.closing(sqlite3.connect(new)) as opened:
            (result,) = opened.execute("PRAGMA quick_check").fetchone()
    except sqlite3.DatabaseError as error:
        result = str(error)
    if result != "ok":
        raise database_dump.UnreadableError(f"its database is damaged: {result}")
    connection.close()
    ours = Path(connection.settings_dict["NAME"])
    if ours.exists():
        with contextlib.suppress(sqlite3.DatabaseError), contextlib.closing(sqlite3.connect(ours)) as opened:
            if opened.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                raise database_dump.UnreadableError("the database is in use; stop Muster first")
    for leftover in ("-wal", "-shm"):
        Path(f"{ours}{leftover}").unlink(missing_ok=True)
    new.replace(ours)


def postgres(program: str, *options: str) -> None:
    """Run a PostgreSQL program on the database; pass the password in the environment, not on the command line."""
    keys = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    database = connection.settings_dict
    environment = os.environ | {key: str(database[name]) for key, name in keys.items() if database.get(name)}
    safely = {f"PG{key.upper()}": str(value) for key, value in database["OPTIONS"].items() if key.startswith("ssl")}
    # It ends with this process; uncommitted changes are rolled back.
    if subprocess.run([program, *options], env=environment | safely, preexec_fn=ends_with_parent()).returncode:
        raise database_dump.UnreadableError(f"{program} failed, see above")


def kept_number(options: list[str]) -> int | None:
    """Return the number of `--keep`; 0 (keep all) without the option, None if it can't be read."""
    match options:
        case []:
            return 0
        case ["--keep", number] if number.isdecimal() and int(number):
            return int(number)
    return None


def main(arguments: list[str]) -> None:
    match arguments:
        case ["save", *rest] if (keep := kept_number(rest)) is not None:
            folder = settings.BASE_DIR / "backups"
            try:
                print(f"muster: saved to {save(folder)}")
                for archive in prune(folder, keep) if keep else ():
                    print(f"muster: dropped {archive}")
            except (database_dump.UnreadableError, DatabaseError, OSError) as error:
                sys.exit(f"muster: nothing was saved: {error}")
        case ["restore", archive, *rest] if archive and rest in ([], ["--replace"]):
            restore(Path(archive), replace=bool(rest))
            print("muster: restored")
        case _:
            sys.exit("muster: make backup [KEEP=14], or: make restore FILE=backups/muster-....tar.gz")


if __name__ == "__main__":
    main(sys.argv[1:])
