"""The names of Muster's migrations."""

from __future__ import annotations

from django.db.migrations.loader import MigrationLoader


def known_migrations() -> frozenset[tuple[str, str]]:
    """Return the app and name of every migration in the code.

    A squashed migration is left out and the ones it replaces are listed: those names are in databases and archives from
    before and after the squash.
    """
    return frozenset(
        name for key, migration in MigrationLoader(None).disk_migrations.items() for name in migration.replaces or [key]
    )
