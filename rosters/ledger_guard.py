"""Database triggers that refuse to change or delete ledger entries, whoever asks.

SQLite drops a table's triggers when a migration remakes the table: such a migration ends with `install`.
PostgreSQL's TRUNCATE stays possible for the owner of the table; nothing in Muster uses it.
"""

from __future__ import annotations

from typing import Any

TABLE = "rosters_ledgerentry"
REASON = "ledger entries are never changed or deleted"

SQLITE_INSTALL = tuple(
    f"CREATE TRIGGER IF NOT EXISTS {TABLE}_no_{act} BEFORE {act.upper()} ON {TABLE} "
    f"BEGIN SELECT RAISE(ABORT, '{REASON}'); END"
    for act in ("update", "delete")
)
SQLITE_REMOVE = tuple(f"DROP TRIGGER IF EXISTS {TABLE}_no_{act}" for act in ("update", "delete"))

POSTGRESQL_INSTALL = (
    f"CREATE OR REPLACE FUNCTION {TABLE}_refuse() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN RAISE EXCEPTION '{REASON}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
    f"CREATE TRIGGER {TABLE}_append_only BEFORE UPDATE OR DELETE ON {TABLE} "
    f"FOR EACH ROW EXECUTE FUNCTION {TABLE}_refuse()",
)
POSTGRESQL_REMOVE = (
    f"DROP TRIGGER IF EXISTS {TABLE}_append_only ON {TABLE}",
    f"DROP FUNCTION IF EXISTS {TABLE}_refuse()",
)

STATEMENTS = {
    "sqlite": (SQLITE_INSTALL, SQLITE_REMOVE),
    "postgresql": (POSTGRESQL_INSTALL, POSTGRESQL_REMOVE),
}


def install(apps: Any, schema_editor: Any) -> None:
    """For RunPython: the triggers of this database."""
    _run(schema_editor, 0)


def remove(apps: Any, schema_editor: Any) -> None:
    """For RunPython, backwards."""
    _run(schema_editor, 1)


def _run(schema_editor: Any, which: int) -> None:
    for statement in STATEMENTS[schema_editor.connection.vendor][which]:
        schema_editor.execute(statement, params=None)
