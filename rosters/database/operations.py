"""Operations for migrations, and the names of Muster's migrations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations import AlterModelTable, CreateModel, RenameModel, SeparateDatabaseAndState
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


class ChangeState(SeparateDatabaseAndState):
    """Change models in ways that change nothing in the database, such as a field's name if its column keeps its own.

    Django builds the classes of all related models again after each operation. Here they are built once, after the last.
    """

    def __init__(self, state_operations: Sequence[Operation]) -> None:
        super().__init__(state_operations=state_operations)

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        state.__dict__.pop("apps", None)  # the model classes; Django builds them when they are needed
        super().state_forwards(app_label, state)


class RenameModels(ChangeState):
    """Rename models (old name, new name) whose tables keep their names, and their content types.

    Django renames content types by an operation for each model, and builds all model classes for each of them.
    """

    def __init__(self, names: Sequence[tuple[str, str]], app_label: str) -> None:
        self.names = tuple(names)
        super().__init__(
            [
                operation
                for old, new in self.names
                for operation in (AlterModelTable(old, f"{app_label}_{old.lower()}"), RenameModel(old, new))
            ]
        )

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        self._rename_content_types(app_label, schema_editor, from_state, self.names)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        self._rename_content_types(app_label, schema_editor, from_state, [(new, old) for old, new in self.names])

    @staticmethod
    def _rename_content_types(
        app_label: str, schema_editor: BaseDatabaseSchemaEditor, state: ProjectState, names: Sequence[tuple[str, str]]
    ) -> None:
        if ("contenttypes", "contenttype") not in state.models:
            return
        types = state.apps.get_model("contenttypes", "ContentType")._default_manager.using(
            schema_editor.connection.alias
        )
        known = set(types.filter(app_label=app_label).values_list("model", flat=True))
        for old, new in names:
            if old.lower() in known and new.lower() not in known:
                types.filter(app_label=app_label, model=old.lower()).update(model=new.lower())


def known_migrations() -> frozenset[tuple[str, str]]:
    """Return the app and name of every migration in the code.

    Instead of a squashed migration, it contains those that it replaces, because databases and archives have those names
    both before and after the squash.
    """
    return frozenset(
        name for key, migration in MigrationLoader(None).disk_migrations.items() for name in migration.replaces or [key]
    )
