"""Database triggers that refuse changes to ledger entries, and their deletion, except with the whole company.

When an account is deleted, so are its companies that nobody else needs: a row in `ERASURES` allows deleting a company's
ledger in the same transaction. When a guest becomes an account, a row in `SUCCESSIONS` allows changing the player of
entries, and nothing else. SQLite drops a table's triggers when a migration rebuilds the table, so such a migration ends
with `install_with_successions`. PostgreSQL's TRUNCATE remains possible for the owner of the table; Muster doesn't use
it.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db.backends.base.schema import BaseDatabaseSchemaEditor

TABLE = "rosters_ledgerentry"
ERASURES = "rosters_companyerasure"
SUCCESSIONS = "rosters_playersuccession"
LASTING = (  # columns of an entry that never change: all except the player
    "id", "company_id", "act", "kind", "unit_id", "pilot_id", "points", "facts", "cause", "cause_ref", "at", "reverses_id",
)  # fmt: skip
REASON = "ledger entries are never changed or deleted"

SQLITE_INSTALL = tuple(
    f"CREATE TRIGGER IF NOT EXISTS {TABLE}_no_{act} BEFORE {act.upper()} ON {TABLE} "
    f"BEGIN SELECT RAISE(ABORT, '{REASON}'); END"
    for act in ("update", "delete")
)
SQLITE_INSTALL_WITH_ERASURES = (
    SQLITE_INSTALL[0],
    f"CREATE TRIGGER IF NOT EXISTS {TABLE}_no_delete BEFORE DELETE ON {TABLE} "
    f"WHEN NOT EXISTS (SELECT 1 FROM {ERASURES} WHERE company_id = OLD.company_id) "
    f"BEGIN SELECT RAISE(ABORT, '{REASON}'); END",
)
_SUCCEEDS = f"EXISTS (SELECT 1 FROM {SUCCESSIONS} WHERE before_id = OLD.by_id AND heir_id = NEW.by_id)"
SQLITE_INSTALL_WITH_SUCCESSIONS = (
    f"CREATE TRIGGER IF NOT EXISTS {TABLE}_no_update BEFORE UPDATE ON {TABLE} WHEN NOT ({_SUCCEEDS}"
    + "".join(f" AND NEW.{column} IS OLD.{column}" for column in LASTING)
    + f") BEGIN SELECT RAISE(ABORT, '{REASON}'); END",
    SQLITE_INSTALL_WITH_ERASURES[1],
)
SQLITE_REMOVE = tuple(f"DROP TRIGGER IF EXISTS {TABLE}_no_{act}" for act in ("update", "delete"))

POSTGRESQL_INSTALL = (
    f"CREATE OR REPLACE FUNCTION {TABLE}_refuse() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN RAISE EXCEPTION '{REASON}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
    f"CREATE TRIGGER {TABLE}_append_only BEFORE UPDATE OR DELETE ON {TABLE} "
    f"FOR EACH ROW EXECUTE FUNCTION {TABLE}_refuse()",
)
POSTGRESQL_INSTALL_WITH_ERASURES = (
    f"CREATE OR REPLACE FUNCTION {TABLE}_refuse() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN IF TG_OP = 'DELETE' AND EXISTS (SELECT 1 FROM {ERASURES} WHERE company_id = OLD.company_id) THEN "
    f"RETURN OLD; END IF; "
    f"RAISE EXCEPTION '{REASON}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
    POSTGRESQL_INSTALL[1],
)
POSTGRESQL_INSTALL_WITH_SUCCESSIONS = (
    f"CREATE OR REPLACE FUNCTION {TABLE}_refuse() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN IF TG_OP = 'DELETE' AND EXISTS (SELECT 1 FROM {ERASURES} WHERE company_id = OLD.company_id) THEN "
    f"RETURN OLD; END IF; "
    f"IF TG_OP = 'UPDATE' THEN IF {_SUCCEEDS} AND to_jsonb(NEW) - 'by_id' = to_jsonb(OLD) - 'by_id' THEN "
    f"RETURN NEW; END IF; END IF; "
    f"RAISE EXCEPTION '{REASON}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
    POSTGRESQL_INSTALL[1],
)
POSTGRESQL_REMOVE = (
    f"DROP TRIGGER IF EXISTS {TABLE}_append_only ON {TABLE}",
    f"DROP FUNCTION IF EXISTS {TABLE}_refuse()",
)

INSTALL = {"sqlite": SQLITE_INSTALL, "postgresql": POSTGRESQL_INSTALL}
INSTALL_WITH_ERASURES = {"sqlite": SQLITE_INSTALL_WITH_ERASURES, "postgresql": POSTGRESQL_INSTALL_WITH_ERASURES}
INSTALL_WITH_SUCCESSIONS = {
    "sqlite": SQLITE_INSTALL_WITH_SUCCESSIONS,
    "postgresql": POSTGRESQL_INSTALL_WITH_SUCCESSIONS,
}
REMOVE = {"sqlite": SQLITE_REMOVE, "postgresql": POSTGRESQL_REMOVE}


def install(apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Install the triggers from before erasures. For RunPython."""
    _run(schema_editor, INSTALL)


def install_with_erasures(apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Replace the triggers with those that allow erasures. For RunPython."""
    _run(schema_editor, REMOVE)
    _run(schema_editor, INSTALL_WITH_ERASURES)


def install_with_successions(apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Replace the triggers with those that also allow successions. For RunPython."""
    _run(schema_editor, REMOVE)
    _run(schema_editor, INSTALL_WITH_SUCCESSIONS)


def install_without_erasures(apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Restore the triggers from before erasures. For RunPython, backwards."""
    _run(schema_editor, REMOVE)
    _run(schema_editor, INSTALL)


def remove(apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Remove the triggers. For RunPython, backwards."""
    _run(schema_editor, REMOVE)


def _run(schema_editor: BaseDatabaseSchemaEditor, statements: Mapping[str, tuple[str, ...]]) -> None:
    for statement in statements[schema_editor.connection.vendor]:
        schema_editor.execute(statement, params=None)
