"""Operations for migrations, and the names of Muster's migrations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class CreateModels(Operation):
    """Create several models, in this order.

    After each `CreateModel`, Django builds the classes of all related models again, which are nearly all models. Here
    they are built once, when the first table is created.
    """

    def __init__(self, operations: Sequence[CreateModel]) -> None:
        self.operations = tuple(operations)

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return type(self).__name__, [list(self.operations)], {}

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        state.__dict__.pop("apps", None)  # the model classes; Django builds them when they are needed
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for operation in self.operations:
            operation.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for operation in reversed(self.operations):
            operation.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        return f"Create {len(self.operations)} models"


def known_migrations() -> frozenset[tuple[str, str]]:
    """Return the app and name of every migration in the code.

    Instead of a squashed migration, it contains those that it replaces, because databases and archives have those names
    both before and after the squash.
    """
    return frozenset(
        name for key, migration in MigrationLoader(None).disk_migrations.items() for name in migration.replaces or [key]
    )
