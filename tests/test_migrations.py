"""Squashed migrations create the same tables as those they replace, and older databases can be upgraded."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState

from deploy import database_dump
from rosters.database.operations import RenameModels, known_migrations

ROOT = Path(__file__).resolve().parent.parent
OURS = ("rosters", "battles", "campaigns")


def unsquashed() -> MigrationLoader:
    """Return a loader of the migrations without the squashed ones."""
    loader = MigrationLoader(None, replace_migrations=False)
    for key, squash in loader.replacements.items():
        loader.graph.remove_replacement_node(key, squash.replaces)
    return loader


def squashes() -> set[tuple[str, str]]:
    return {key for key, each in MigrationLoader(None).disk_migrations.items() if each.replaces and key[0] in OURS}


def manifest(folder: Path, migrations: set[tuple[str, str]]) -> Path:
    (folder / database_dump.MANIFEST).write_text(
        json.dumps({"format": database_dump.FORMAT, "migrations": sorted(migrations)})
    )
    return folder


def test_squashed_migrations_create_the_same_models():
    loader = MigrationLoader(None)
    assert {app for app, _ in squashes()} == set(OURS)
    before, after = unsquashed().project_state(), loader.project_state()
    for one, other in ((before, after), (after, before)):
        assert MigrationAutodetector(one, other).changes(loader.graph) == {}
    assert {key: list(each.fields) for key, each in before.models.items()} == {
        key: list(each.fields) for key, each in after.models.items()
    }


def test_known_migrations_include_the_replaced_ones():
    assert known_migrations() == set(unsquashed().graph.nodes)


def test_backup_with_all_replaced_migrations_is_restored_by_the_squashed_ones(tmp_path: Path):
    plan = {
        (each.app_label, each.name)
        for each in database_dump.check_manifest(manifest(tmp_path, set(known_migrations())))
    }
    replaced = {name for key in squashes() for name in MigrationLoader(None).disk_migrations[key].replaces}
    assert plan == (known_migrations() - replaced) | squashes()


def test_backup_with_some_replaced_migrations_is_restored_by_those(tmp_path: Path):
    some = set(known_migrations()) - {("campaigns", "0250_calendar_changes")}
    plan = {(each.app_label, each.name) for each in database_dump.check_manifest(manifest(tmp_path, some))}
    assert {key for key in plan if key[0] == "campaigns"} == {key for key in some if key[0] == "campaigns"}
    squashed = ("rosters", "0001_squashed_0040_company_origins")
    replaced = set(MigrationLoader(None).disk_migrations[squashed].replaces)
    assert {key for key in plan if key[0] == "rosters"} == {
        key for key in (known_migrations() - replaced) | {squashed} if key[0] == "rosters"
    }


@pytest.mark.django_db
@pytest.mark.parametrize("knows_them", [False, True])
def test_restored_rows_record_only_squashes_their_version_knows(knows_them: bool):
    recorder, loader = MigrationRecorder(connection), MigrationLoader(None, replace_migrations=False)
    assert squashes() <= recorder.applied_migrations().keys()
    applied = set(known_migrations()) | (squashes() if knows_them else set())
    database_dump.forget_squashes(loader, recorder, applied)
    recorded = recorder.applied_migrations().keys()
    assert recorded & squashes() == (squashes() if knows_them else set())
    assert known_migrations() <= recorded


@pytest.mark.django_db
def test_renamed_models_keep_their_content_types():
    """Otherwise the admin's history and permissions would point to models that have gone."""
    models = [ContentType.objects.create(app_label="rosters", model=name) for name in ("oldname", "takenname", "taken")]
    state = ProjectState.from_apps(apps)
    renames = RenameModels([("OldName", "NewName"), ("TakenName", "Taken")], "rosters")
    editor = connection.schema_editor()  # not entered: on SQLite that can't be done in a test's transaction
    renames.database_forwards("rosters", editor, state, state)
    assert [ContentType.objects.get(pk=each.pk).model for each in models] == ["newname", "takenname", "taken"]
    renames.database_backwards("rosters", editor, state, state)
    assert [ContentType.objects.get(pk=each.pk).model for each in models[:2]] == ["oldname", "takenname"]


@pytest.mark.proof  # runs the replaced migrations
@pytest.mark.parametrize(
    "targets",
    [
        [("knox", "0009_extend_authtoken_field"), ("rosters", "0010_kept_answers")],
        [("battles", "0210_glances"), ("campaigns", "0210_ground_of_fair_draws"), ("rosters", "0040_company_origins")],
        [("battles", "0221_best_styles"), ("campaigns", "0250_calendar_changes")],
    ],
)
def test_older_database_is_upgraded_to_the_same_tables(targets: list[tuple[str, str]], tmp_path: Path):
    older, new = tmp_path / "older.sqlite3", tmp_path / "new.sqlite3"
    run(older, f"from tests.test_migrations import migrate_unsquashed; migrate_unsquashed({targets!r})")
    for path in (older, new):
        run(path, "from django.core.management import call_command; call_command('migrate', verbosity=0)")
    assert tables(older) == tables(new)


def migrate_unsquashed(targets: list[tuple[str, str]]) -> None:
    executor = MigrationExecutor(connection)
    executor.loader = unsquashed()
    executor.migrate(targets)


def run(path: Path, code: str) -> None:
    """Run code on this SQLite database, in a separate process."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("MUSTER_", "DJANGO_"))}
    env |= {"DJANGO_SETTINGS_MODULE": "config.settings", "MUSTER_VAR": str(path.parent)}
    env["MUSTER_DATABASE_URL"] = f"sqlite:///{path}"
    subprocess.run([sys.executable, "-c", f"import django; django.setup()\n{code}"], cwd=ROOT, env=env, check=True)


def tables(path: Path) -> dict[str, object]:
    """Return the SQL of each table, index and trigger, with the columns of a table sorted."""
    with closing(sqlite3.connect(path)) as database:
        found = database.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    return {
        name: sorted(re.split(r", (?=[\"C])", sql[sql.index("(") + 1 : -1])) if kind == "table" else sql
        for kind, name, sql in found
    }
