"""A backup holds everything that can't be recreated, and is restored on either database, or changes nothing."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from deploy import backup, database_dump, staging
from rosters.models import WorkerHeartbeat
from tests.example_shares import in_every_run

ROOT = Path(__file__).resolve().parent.parent


def run(env: dict[str, str], code: str) -> str:
    """Return the output of code in a separate process, because restoring replaces the database under its connections."""
    done = run_deploy_code(env, code)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def run_deploy_code(env: dict[str, str], code: str) -> subprocess.CompletedProcess[str]:
    code = f"import django; django.setup()\nfrom pathlib import Path\nfrom deploy import backup, database_dump\n{code}"
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True)


def save(env: dict[str, str], folder: Path) -> Path:
    return Path(run(env, f"print(backup.save(Path({str(folder)!r})))").splitlines()[-1])


def restore(env: dict[str, str], archive: Path, *, replace: bool = False) -> subprocess.CompletedProcess[str]:
    return run_deploy_code(env, f"backup.restore(Path({str(archive)!r}), replace={replace})")


def tables(env: dict[str, str], folder: Path) -> dict[str, Any]:
    """Return for every table: the number of rows, the digest of all rows, and the highest ID ever given."""
    folder = folder / uuid.uuid4().hex
    run(env, f"database_dump.write_rows(Path({str(folder)!r}))")
    return dict(json.loads((folder / database_dump.MANIFEST).read_text())["tables"])


@pytest.fixture
def elsewhere(site_env: dict[str, str], postgres_url: str, tmp_path: Path) -> dict[str, dict[str, str]]:
    """Return environments of other, empty machines: one with the other database, one with this test's."""
    import psycopg

    def machine(vendor: str) -> dict[str, str]:
        name = f"machine_{uuid.uuid4().hex[:12]}"
        url = f"sqlite:///{tmp_path / name}.sqlite3"
        if vendor == "postgresql":
            with psycopg.connect(f"{postgres_url}/postgres", autocommit=True) as server:
                server.execute(f"CREATE DATABASE {name}")
            url = f"{postgres_url}/{name}"
        return site_env | {"MUSTER_VAR": str(tmp_path / name), "MUSTER_DATABASE_URL": url}

    other = {"sqlite": "postgresql", "postgresql": "sqlite"}[connection.vendor]
    return {"other": machine(other), "same": machine(connection.vendor)}


@pytest.fixture
def archive(site_env: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a backup of an empty site, made once for tests that use it before they add anything."""
    if not EMPTY:
        EMPTY.append(save(site_env, tmp_path_factory.mktemp("empty")))
    return EMPTY[0]


EMPTY: list[Path] = []
SECRETS = """
from battles.models import SealedDice
from battles.services.dice import dice_secret
print([dice_secret(dice) for dice in SealedDice.objects.order_by("pk")])
"""
# One process checks a machine, because it takes seconds to start. Each command ends it with an error if it fails.
INSPECT = """
from django.core.management import call_command
from django.db import Error, connection
call_command("migrate", check=True)
call_command("reconcile")
print(backup.save(Path({folder!r})))
database_dump.write_rows(Path({folder!r}) / "rows")
for statement in ("UPDATE rosters_ledgerentry SET id = id", "DELETE FROM rosters_ledgerentry"):
    try:
        connection.cursor().execute(statement)
        print("let it happen:", statement)
    except Error as error:
        print("ledger entries are never changed or deleted" in str(error))
"""


def inspect_machine(machine: dict[str, str], folder: Path) -> tuple[Path, dict[str, Any], str]:
    """Return a backup of the machine, its tables and its secrets; check that its ledgers can't be changed."""
    *_, archive, updated, deleted, secrets = run(machine, INSPECT.format(folder=str(folder)) + SECRETS).splitlines()
    assert (updated, deleted) == ("True", "True")
    return Path(archive), dict(json.loads((folder / "rows" / database_dump.MANIFEST).read_text())["tables"]), secrets


@pytest.mark.proof  # takes minutes; it moves there and back, so both directions are tested
def test_archive_moves_between_databases_without_loss(
    site_env: dict[str, str], elsewhere: dict[str, dict[str, str]], settings: Any, tmp_path: Path
):
    from tests.builders import a_player
    from tests.permissions.world import the_world

    the_world()
    a_player("gone-again").delete()  # its ID must never be given again
    sheet = settings.VAR_DIR / "files" / "sheet.pdf"
    sheet.write_bytes(b"as printed")
    try:
        archive, before, secrets = inspect_machine(site_env, tmp_path / "here")
    finally:
        sheet.unlink()
    assert before["rosters_ledgerentry"]["count"] > 20
    assert before["rosters_player"]["last"] > before["rosters_player"]["count"]
    assert len(secrets) > 40
    for kind in ("other", "same"):  # the second restores the archive of the first
        machine = elsewhere[kind]
        done = restore(machine, archive)
        assert done.returncode == 0, done.stderr
        assert (Path(machine["MUSTER_VAR"]) / "files" / "sheet.pdf").read_bytes() == b"as printed"
        archive, *found = inspect_machine(machine, tmp_path / kind)
        assert found == [before, secrets]


def test_backup_is_restored_completely(site_env: dict[str, str], settings: Any, tmp_path: Path):
    player = get_user_model().objects.create_user("quartermaster", password="x")
    get_user_model().objects.create_user("who-is-here", password="x")
    WorkerHeartbeat.objects.create(name="there:1", queues="battles", seen_at=timezone.now())
    sheet = settings.VAR_DIR / "files" / "sheet.pdf"
    sheet.write_bytes(b"as printed")
    archive = save(site_env, tmp_path)
    WorkerHeartbeat.objects.all().delete()
    assert archive.stat().st_mode & 0o077 == 0

    player.delete()
    sheet.write_bytes(b"spoilt")
    connection.close()
    done = restore(site_env, archive, replace=True)
    assert (done.returncode, done.stderr) == (0, "")  # no messages of the database
    assert get_user_model().objects.filter(username="quartermaster").exists()
    assert sheet.read_bytes() == b"as printed"
    assert not WorkerHeartbeat.objects.exists()  # or the next restore would be refused
    sheet.unlink()


@pytest.mark.any_database
def test_existing_data_is_overwritten_only_on_request(
    site_env: dict[str, str], archive: Path, settings: Any, tmp_path: Path
):
    get_user_model().objects.create_user("who-came-since", password="x")
    connection.close()
    done = restore(site_env, archive)
    assert done.returncode == 1
    assert "there is a Muster here already: 1 players, 0 companies" in done.stderr
    assert f"`make restore FILE={archive} REPLACE=yes`" in done.stderr
    assert get_user_model().objects.filter(username="who-came-since").exists()


def spoilt(archive: Path, folder: Path, *, member: str, content: bytes) -> Path:
    """Return the archive with other content in one place."""
    work = folder / "spoilt"
    shutil.unpack_archive(archive, work)
    (work / member).write_bytes(content)
    with tarfile.open(folder / "spoilt.tar.gz", "w:gz") as tar:
        for path in work.iterdir():
            tar.add(path, path.name)
    return folder / "spoilt.tar.gz"


def test_failed_restore_leaves_database_and_files(
    site_env: dict[str, str], archive: Path, settings: Any, tmp_path: Path
):
    get_user_model().objects.create_user("who-came-since", password="x")
    sheet = settings.VAR_DIR / "files" / "sheet.pdf"
    sheet.write_bytes(b"as it is now")
    connection.close()
    own = {"sqlite": backup.SQLITE_FILE, "postgresql": backup.POSTGRESQL_FILE}[connection.vendor]
    done = restore(site_env, spoilt(archive, tmp_path, member=own, content=b"PGDMP and then nothing"), replace=True)
    assert done.returncode == 1
    assert "Nothing was changed" in done.stderr
    assert get_user_model().objects.filter(username="who-came-since").exists()
    assert sheet.read_bytes() == b"as it is now"
    assert list(settings.VAR_DIR.glob(".before-restore-*")) == []
    sheet.unlink()


@pytest.mark.proof
@pytest.mark.parametrize("fault", ["a row is missing", "a row was changed"])
def test_restore_with_different_rows_changes_nothing(
    site_env: dict[str, str], elsewhere: dict[str, dict[str, str]], tmp_path: Path, fault: str
):
    get_user_model().objects.create_user("kim", password="x")
    get_user_model().objects.create_user("bea", password="x")
    archive = save(site_env, tmp_path / "here")
    other = elsewhere["other"]
    assert restore(other, archive).returncode == 0
    if connection.vendor == "sqlite":  # its archive is restored from rows only on PostgreSQL
        archive = save(other, tmp_path / "there")
        other = elsewhere["same"]
        assert restore(other, archive).returncode == 0
    before = tables(other, tmp_path)
    with tarfile.open(archive) as tar:
        lines = tar.extractfile("rows/rosters_player.jsonl").read().decode().splitlines()
    lines = (
        lines[1:] if fault == "a row is missing" else [lines[0].replace("kim", "tom").replace("bea", "tom"), *lines[1:]]
    )
    forged = spoilt(
        archive, tmp_path, member="rows/rosters_player.jsonl", content=b"\n".join(line.encode() for line in lines)
    )
    done = restore(other, forged, replace=True)
    assert done.returncode == 1
    assert "rosters_player" in done.stderr
    assert tables(other, tmp_path) == before


@pytest.mark.slow
def test_archive_of_a_newer_version_is_refused(site_env: dict[str, str], tmp_path: Path):
    recorder = MigrationRecorder(connection)
    recorder.record_applied("rosters", "0999_what_is_to_come")
    try:
        done = run_deploy_code(site_env, f"database_dump.write_rows(Path({str(tmp_path / 'rows')!r}))")
    finally:
        recorder.record_unapplied("rosters", "0999_what_is_to_come")
    assert "it is of a newer Muster, with rosters.0999_what_is_to_come; bring this one up to it first" in done.stderr


@pytest.mark.slow
@pytest.mark.any_database
def test_restored_dice_key_decrypts_dice(site_env: dict[str, str], settings: Any, tmp_path: Path):
    from battles.services.dice import dice_seal, dice_secret

    dice = dice_seal()
    secret, key = dice_secret(dice), settings.VAR_DIR / "dice-key"
    kept = key.read_text()
    archive = save(site_env, tmp_path)
    connection.close()
    try:
        key.write_text("the-key-of-another-machine-0123456789")
        assert restore(site_env, archive, replace=True).returncode == 0
        assert key.stat().st_mode & 0o777 == 0o600
        assert key.read_text().split() == [*kept.split(), "the-key-of-another-machine-0123456789"]
        assert run(site_env, SECRETS) == str([secret])
    finally:
        key.write_text(kept)


@pytest.mark.slow
@pytest.mark.any_database
def test_environment_keys_are_archived_outside_the_dump(site_env: dict[str, str], tmp_path: Path):
    archive = save({**site_env, "MUSTER_DICE_KEY": "k" * 40}, tmp_path)
    with tarfile.open(archive) as tar:
        assert tar.extractfile("dice-key").read().decode().split()[0] == "k" * 40
        dumps = [member for member in tar if member.name.startswith(("database.", "rows/"))]
        assert dumps
        assert [member.name for member in dumps if b"k" * 40 in tar.extractfile(member).read()] == []


@pytest.mark.slow
@pytest.mark.any_database
def test_secret_key_of_the_environment_is_restored(
    site_env: dict[str, str], elsewhere: dict[str, dict[str, str]], tmp_path: Path
):
    archive = save({**site_env, "MUSTER_SECRET_KEY": "s" * 50}, tmp_path)
    with tarfile.open(archive) as tar:
        assert tar.extractfile("secret-key").read() == b"s" * 50
        assert tar.getmember("secret-key").mode & 0o077 == 0
    machine = {name: value for name, value in elsewhere["same"].items() if name != "MUSTER_SECRET_KEY"}
    done = restore(machine, archive)
    assert (done.returncode, "MUSTER_SECRET_KEY" in done.stdout) == (0, False), done.stderr
    assert run(machine, "print(backup.settings.SECRET_KEY)") == "s" * 50


@pytest.mark.slow
@pytest.mark.any_database
def test_restore_under_another_secret_key_says_where_the_old_one_is(
    site_env: dict[str, str], elsewhere: dict[str, dict[str, str]], tmp_path: Path
):
    archive = save({**site_env, "MUSTER_SECRET_KEY": "s" * 50, "MUSTER_SECRET_KEY_BEFORE": "r" * 50}, tmp_path)
    machine = {**elsewhere["same"], "MUSTER_SECRET_KEY": "t" * 50}
    done = restore(machine, archive)
    key = Path(machine["MUSTER_VAR"]) / "secret-key"
    assert f"That key is in {key}: put it into MUSTER_SECRET_KEY, or into MUSTER_SECRET_KEY_BEFORE" in done.stdout
    assert key.read_text() == "s" * 50


@pytest.mark.slow
@pytest.mark.any_database
def test_backup_names_older_keys_missing_from_the_archive(site_env: dict[str, str], tmp_path: Path):
    env = {**site_env, "MUSTER_SECRET_KEY": "s" * 50, "MUSTER_SECRET_KEY_BEFORE": "r" * 50}
    done = run_deploy_code(env, f"backup.save(Path({str(tmp_path)!r}))")
    assert "keep MUSTER_SECRET_KEY_BEFORE as well; it is not in the archive" in done.stderr


@pytest.mark.slow
@pytest.mark.any_database
def test_backup_deletes_all_but_the_newest_archives(site_env: dict[str, str], tmp_path: Path):
    folder = tmp_path / "backups"
    folder.mkdir()
    old = [f"muster-2025010{day}-030000.tar.gz" for day in range(1, 5)]
    for name in [*old, f"{old[0]}.version", f"{old[3]}.version", "muster.env"]:
        (folder / name).touch()
    done = run_deploy_code(
        site_env, f"backup.settings.BASE_DIR = Path({str(tmp_path)!r})\nbackup.main(['save', '--keep', '2'])"
    )
    assert done.returncode == 0, done.stderr
    (new,) = {path.name for path in folder.glob("muster-*.tar.gz")} - set(old)
    assert {path.name for path in folder.iterdir()} == {new, old[3], f"{old[3]}.version", "muster.env"}
    assert done.stdout.count("muster: dropped ") == 3


@pytest.mark.parametrize("options", [["--keep"], ["--keep", "0"], ["--keep", "-1"], ["--keep", "all"], ["14"]])
def test_bad_number_to_keep_saves_nothing(options: list[str]):
    with pytest.raises(SystemExit, match="make backup"):
        backup.main(["save", *options])


@pytest.mark.any_database
@pytest.mark.parametrize("share", in_every_run([0.5], [0.1, 0.5, 0.99]))
def test_truncated_archive_is_refused(
    site_env: dict[str, str], archive: Path, settings: Any, tmp_path: Path, share: float
):
    whole = archive.read_bytes()
    (tmp_path / "cut.tar.gz").write_bytes(whole[: int(len(whole) * share)])
    get_user_model().objects.create_user("who-is-here", password="x")
    connection.close()
    done = restore(site_env, tmp_path / "cut.tar.gz", replace=True)
    assert done.returncode == 1
    assert "can't read the archive" in done.stderr
    assert done.stderr.endswith("Nothing was changed.\n")
    assert "Traceback" not in done.stderr
    assert get_user_model().objects.filter(username="who-is-here").exists()
    assert list(settings.VAR_DIR.glob(".restore-*")) == []


@pytest.mark.slow
@pytest.mark.any_database
def test_sqlite_archive_of_a_newer_version_is_refused(site_env: dict[str, str], tmp_path: Path):
    machine = site_env | {
        "MUSTER_VAR": str(tmp_path / "machine"), "MUSTER_DATABASE_URL": f"sqlite:///{tmp_path / 'machine.sqlite3'}",
    }  # fmt: skip
    (tmp_path / "newer").mkdir()
    with contextlib.closing(sqlite3.connect(tmp_path / "newer" / "database.sqlite3")) as newer:
        newer.execute("CREATE TABLE django_migrations (id integer primary key, app, name, applied)")
        newer.execute(
            "INSERT INTO django_migrations VALUES (1, 'rosters', '0999_what_is_to_come', '2030-01-01 00:00:00')"
        )
        newer.commit()
    with tarfile.open(tmp_path / "newer.tar.gz", "w:gz") as tar:
        tar.add(tmp_path / "newer" / "database.sqlite3", "database.sqlite3")
    done = restore(machine, tmp_path / "newer.tar.gz")
    assert done.returncode == 1
    assert "it is of a newer Muster, with rosters.0999_what_is_to_come; bring this one up to it first" in done.stderr


@pytest.mark.slow
@pytest.mark.any_database
def test_unreachable_database_is_named_in_a_message(site_env: dict[str, str], archive: Path, tmp_path: Path):
    away = site_env | {"MUSTER_DATABASE_URL": "postgres://muster@127.0.0.1:1/muster"}
    done = restore(away, archive, replace=True)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert "can't look what is in the database" in done.stderr
    assert done.stderr.endswith("Nothing was changed.\n")


@pytest.mark.slow
@pytest.mark.any_database
def test_restore_under_a_running_worker_is_refused(site_env: dict[str, str], archive: Path, tmp_path: Path):
    later = timezone.now() + timedelta(hours=1)  # alive, however long the restore takes to start
    WorkerHeartbeat.objects.create(name="here:1", queues="battles", seen_at=later)
    connection.close()
    again = f"backup.restore(Path({str(archive)!r}), replace=True)"
    refused = f"try:\n    {again}\nexcept SystemExit as error:\n    print(error.code)\n"
    gone = "from rosters.models import WorkerHeartbeat\nWorkerHeartbeat.objects.all().delete()\n"
    assert run(site_env, f"{refused}{gone}{again}").endswith("stop Muster first. Nothing was changed.")
    assert not WorkerHeartbeat.objects.exists()


@pytest.mark.slow
def test_killed_restore_is_undone_by_the_next_one(
    site_env: dict[str, str], archive: Path, settings: Any, tmp_path: Path
):
    get_user_model().objects.create_user("who-came-since", password="x")
    sheet = settings.VAR_DIR / "files" / "sheet.pdf"
    sheet.write_bytes(b"as it is now")
    connection.close()
    killed = "import os, signal\nbackup.load = lambda work: os.kill(os.getpid(), signal.SIGKILL)\n"
    done = run_deploy_code(site_env, f"{killed}backup.restore(Path({str(archive)!r}), replace=True)")
    assert done.returncode == -9
    assert not sheet.exists()
    assert "can't read the archive" in restore(site_env, tmp_path / "none").stderr
    assert sheet.read_bytes() == b"as it is now"
    assert get_user_model().objects.filter(username="who-came-since").exists()
    assert [path.name for path in settings.VAR_DIR.iterdir() if "restore-" in path.name] == []
    sheet.unlink()


def test_files_of_a_killed_restore_are_put_back(tmp_path: Path):
    killed, living = tmp_path / ".before-restore-1", tmp_path / ".before-restore-2"
    for folder in (killed / "files", tmp_path / "files", living / "outbox", tmp_path / ".after-restore-3"):
        folder.mkdir(parents=True)
    (killed / "files" / "sheet.pdf").write_bytes(b"as it was")
    (tmp_path / "files" / "other.pdf").write_bytes(b"of the archive")
    with staging.locked_folder(living):
        staging.undo_interrupted_restore(tmp_path)
    assert [path.name for path in (tmp_path / "files").iterdir()] == ["sheet.pdf"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [".before-restore-2", "files"]


@pytest.mark.slow
@pytest.mark.any_database
def test_next_save_deletes_leftovers_of_a_killed_one(site_env: dict[str, str], tmp_path: Path):
    killed = "import os, signal\nbackup.dump = lambda work: os.kill(os.getpid(), signal.SIGKILL)\n"
    assert run_deploy_code(site_env, f"{killed}backup.save(Path({str(tmp_path)!r}))").returncode == -9
    assert len(list(tmp_path.iterdir())) == 1
    archive = save(site_env, tmp_path)
    assert list(tmp_path.iterdir()) == [archive]


@pytest.mark.slow
@pytest.mark.any_database
def test_file_deleted_during_a_save_is_left_out(site_env: dict[str, str], settings: Any, tmp_path: Path):
    sheets = [settings.VAR_DIR / "files" / f"sheet-{number}.pdf" for number in (1, 2)]
    for sheet in sheets:
        sheet.write_bytes(b"as printed")
    cleared = (
        "import tarfile\nadd = tarfile.TarFile.add\n"
        "def slow(self, name, *more, **options):\n"
        f"    Path({str(sheets[1])!r}).unlink(missing_ok=True) if str(name).endswith('sheet-1.pdf') else None\n"
        "    add(self, name, *more, **options)\n"
        "tarfile.TarFile.add = slow\n"
    )
    archive = Path(run(site_env, f"{cleared}print(backup.save(Path({str(tmp_path)!r})))").splitlines()[-1])
    with tarfile.open(archive) as tar:
        names = tar.getnames()
    assert ("files/sheet-1.pdf" in names, "files/sheet-2.pdf" in names) == (True, False)
    sheets[0].unlink()


@pytest.mark.slow
@pytest.mark.any_database
def test_full_disk_is_named_and_leaves_no_files(site_env: dict[str, str], tmp_path: Path):
    full = "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    limited = f"{full}resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
    done = run_deploy_code(
        site_env, f"{limited}backup.settings.BASE_DIR = Path({str(tmp_path)!r})\nbackup.main(['save'])"
    )
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert "muster: nothing was saved: " in done.stderr
    assert list((tmp_path / "backups").iterdir()) == []


def test_file_that_isnt_a_backup_is_refused(tmp_path: Path):
    (tmp_path / "letter.txt").write_text("Dear quartermaster")
    with pytest.raises(SystemExit, match=r"can't read the archive .*letter\.txt"):
        backup.restore(tmp_path / "letter.txt")


@pytest.mark.parametrize("name", ["../secret-key", "/etc/passwd", "files/../../x", "rows/../../x", "letter.txt"])
def test_archive_with_outside_paths_is_refused(tmp_path: Path, name: str):
    with tarfile.open(tmp_path / "forged.tar.gz", "w:gz") as tar:
        tar.addfile(tarfile.TarInfo(name))
    with pytest.raises(SystemExit, match="does not belong in a backup"):
        backup.restore(tmp_path / "forged.tar.gz")
