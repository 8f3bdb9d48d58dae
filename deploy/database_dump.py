"""Writes all rows of a database in a format that both SQLite and PostgreSQL can be filled from.

The folder has a file of JSON lines for each table, and a manifest: the migrations of the tables, and for each table the
number of its rows, the sum of their digests, and the highest ID ever assigned. Rows are read and written through the
models of those migrations, so a newer Muster can read an older archive; it migrates when it starts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from django.apps.registry import Apps
from django.db import connections, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState

FORMAT = "muster-rows/1"
MANIFEST = "manifest.json"
AT_A_TIME = 500
WIDTH = 2**256  # digests of rows are added modulo this, so that the order of rows doesn't matter

Key = tuple[str, str]  # app and name of a migration
Row = dict[str, object]


class UnreadableError(ValueError):
    """Raised if rows or a database can't be restored into this Muster; the message says why."""


def write_rows(folder: Path, alias: str = "default") -> None:
    """Write every table of the database. For a single snapshot, call it in a REPEATABLE READ transaction."""
    folder.mkdir()
    applied = set(MigrationRecorder(connections[alias]).applied_migrations())
    tables: dict[str, dict[str, object]] = {}
    for model in _models(_apps_of(_plan(applied)), alias):
        table = model._meta.db_table
        with (folder / f"{table}.jsonl").open("w", encoding="utf-8") as file:
            count = total = 0
            for row in _rows(model, alias):
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
                count, total = count + 1, (total + _digest(row)) % WIDTH
        tables[table] = {"count": count, "digest": f"{total:064x}", "last": _last_number(model, alias)}
    manifest = {"format": FORMAT, "migrations": sorted(applied), "tables": tables}
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def check_manifest(folder: Path) -> list[Migration]:
    """Return the migrations that create the tables of the rows; UnreadableError if they are from a newer Muster."""
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    if manifest["format"] != FORMAT:
        raise UnreadableError(f"its rows are written as {manifest['format']}, which this Muster can't read")
    return _plan(_applied(manifest))


def check_version(alias: str) -> None:
    """Raise UnreadableError if the database is from a newer Muster than this one."""
    _plan(set(MigrationRecorder(connections[alias]).applied_migrations()))


def fill(folder: Path, alias: str = "default") -> None:
    """Create the tables in an empty database, insert the rows and check them; UnreadableError if any row differs."""
    plan = check_manifest(folder)
    connection = connections[alias]
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    executor = MigrationExecutor(connection)
    executor.loader = _loader(_applied(manifest))
    executor.migrate(None, plan=[(migration, False) for migration in plan])
    forget_squashes(executor.loader, MigrationRecorder(connection), _applied(manifest))
    expected_tables = manifest["tables"]
    found = _models(_apps_of(plan), alias)
    if missing := sorted(set(expected_tables) - {model._meta.db_table for model in found}):
        raise UnreadableError(f"this Muster has no table for the rows of {', '.join(missing)}")
    with transaction.atomic(using=alias):
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":  # migrations may have set them immediate
                cursor.execute("SET CONSTRAINTS ALL DEFERRED")
            for model in found:  # rows inserted by the migrations
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")
        for model in found:
            if model._meta.db_table in expected_tables:
                _insert(model, _read(folder / f"{model._meta.db_table}.jsonl"), alias)
        for model in found:
            if model._meta.db_table in expected_tables:
                _compare(model, expected_tables[model._meta.db_table], alias)
                _set_last_number(model, expected_tables[model._meta.db_table]["last"], alias)
        connection.check_constraints()


def empty(alias: str = "default") -> None:
    """Drop all of the user's tables and functions in a PostgreSQL database; a transaction can roll it back."""
    with connections[alias].cursor() as cursor:
        cursor.execute(EMPTY_POSTGRESQL)


EMPTY_POSTGRESQL = """
DO $$ DECLARE each record; BEGIN
FOR each IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
  EXECUTE format('DROP TABLE IF EXISTS %I CASCADE', each.tablename);
END LOOP;
FOR each IN SELECT p.oid::regprocedure AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname = current_schema() AND pg_get_userbyid(p.proowner) = current_user LOOP
  EXECUTE 'DROP FUNCTION IF EXISTS ' || each.name || ' CASCADE';
END LOOP; END $$;
"""


# --- migrations and models --------------------------------------------------------------------------------------------


def _loader(applied: set[Key]) -> MigrationLoader:
    """Return a loader whose graph contains a squashed migration only if all migrations it replaces were applied."""
    loader = MigrationLoader(None, replace_migrations=False)
    for key, squash in loader.replacements.items():
        if applied.issuperset(squash.replaces):
            loader.graph.remove_replaced_nodes(key, squash.replaces)
        else:
            loader.graph.remove_replacement_node(key, squash.replaces)
    return loader


def forget_squashes(loader: MigrationLoader, recorder: MigrationRecorder, applied: set[Key]) -> None:
    """Unrecord squashed migrations unknown to the Muster that wrote the rows; the next `migrate` records them again."""
    for app, name in recorder.applied_migrations().keys() & loader.replacements.keys() - applied:
        recorder.record_unapplied(app, name)


def _applied(manifest: dict[str, Any]) -> set[Key]:
    """Return the migrations of the database from which the rows were saved."""
    return {(app, name) for app, name in manifest["migrations"]}


def _plan(applied: set[Key]) -> list[Migration]:
    """Return these migrations, or the squashed ones that replace them, in the order in which they run.

    UnreadableError if this Muster doesn't know one of them.
    """
    loader = _loader(applied)
    mine = {app for app, _ in loader.disk_migrations}
    if unknown := sorted(f"{app}.{name}" for app, name in applied - set(loader.disk_migrations) if app in mine):
        raise UnreadableError(f"it is of a newer Muster, with {', '.join(unknown)}; bring this one up to it first")
    keys: dict[Key, None] = {}
    for leaf in loader.graph.leaf_nodes():
        keys.update(dict.fromkeys(loader.graph.forwards_plan(leaf)))
    return [loader.graph.nodes[key] for key in keys if key in applied or key in loader.replacements]


def _apps_of(plan: Iterable[Migration]) -> Apps:
    state = ProjectState(real_apps=MigrationLoader(None).unmigrated_apps)
    for migration in plan:
        state = migration.mutate_state(state, preserve=False)
    return state.apps


def _models(apps: Apps, alias: str) -> list[type[models.Model]]:
    """Return the models that have a table in the database, including many-to-many tables."""
    tables = set(connections[alias].introspection.table_names())
    return [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.db_table in tables and not model._meta.proxy
    ]


# --- rows -------------------------------------------------------------------------------------------------------------


def _fields(model: type[models.Model]) -> list[models.Field]:
    return [field for field in model._meta.local_concrete_fields if not getattr(field, "generated", False)]


def _rows(model: type[models.Model], alias: str) -> Iterator[Row]:
    fields = _fields(model)
    for each in model._base_manager.using(alias).order_by("pk").iterator(chunk_size=AT_A_TIME):
        yield {field.attname: _to_json(field, each) for field in fields}


def _to_json(field: models.Field, row: models.Model) -> object:
    value = field.value_from_object(row)
    if value is None or isinstance(field, models.JSONField) or isinstance(value, bool | int | float | str):
        return value
    return field.value_to_string(row)


def _digest(row: Row) -> int:
    text = json.dumps(_plain(row), sort_keys=True, ensure_ascii=False)
    return int.from_bytes(hashlib.sha256(text.encode()).digest())


def _plain(value: object) -> object:
    """Return the value with 2.0 as 2, because databases may store either inside a JSON document."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _read(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def _insert(model: type[models.Model], rows: Iterator[Row], alias: str) -> None:
    """Insert rows unchanged; times and defaults of new rows are not applied."""
    fields = _fields(model)
    made = (model(**{field.attname: _value(field, row[field.attname]) for field in fields}) for row in rows)
    at_a_time = min(AT_A_TIME, max(connections[alias].ops.bulk_batch_size(fields, [None] * AT_A_TIME), 1))
    while batch := list(islice(made, at_a_time)):
        model._base_manager._insert(batch, fields=fields, using=alias, raw=True)  # type: ignore[attr-defined]


def _value(field: models.Field, value: object) -> object:
    return value if value is None or isinstance(field, models.JSONField) else field.to_python(value)


def _compare(model: type[models.Model], expected: dict[str, object], alias: str) -> None:
    count = total = 0
    for row in _rows(model, alias):
        count, total = count + 1, (total + _digest(row)) % WIDTH
    if (count, f"{total:064x}") != (expected["count"], expected["digest"]):
        raise UnreadableError(f"the rows of {model._meta.db_table} did not come out as they are in the archive")


# --- IDs assigned -----------------------------------------------------------------------------------------------------


def _last_number(model: type[models.Model], alias: str) -> int | None:
    """Return the highest ID that the table ever assigned, even to a deleted row; None if it assigns none."""
    if not isinstance(model._meta.pk, models.AutoField | models.BigAutoField):
        return None
    connection, table = connections[alias], model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
            found = cursor.fetchone()
            return int(found[0]) if found else 0
        cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [f'"{table}"', model._meta.pk.column])
        cursor.execute(f"SELECT last_value, is_called FROM {cursor.fetchone()[0]}")
        last, is_called = cursor.fetchone()
        return int(last) if is_called else 0


def _set_last_number(model: type[models.Model], last: int | None, alias: str) -> None:
    if last is None:
        return
    connection, table = connections[alias], model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last])
            return
        pk = model._meta.pk
        assert pk is not None
        cursor.execute(
            "SELECT setval(pg_get_serial_sequence(%s, %s), %s, %s)", [f'"{table}"', pk.column, max(last, 1), last > 0]
        )
