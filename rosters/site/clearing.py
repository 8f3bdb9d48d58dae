"""Clear expired rows and files, and the remains of killed workers, in small transactions.

Each app connects what it clears (`hooks.clearings`); the timer and `manage.py clear_old` run them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import transaction
from django.db.models import Exists, Model, OuterRef, QuerySet

AT_A_TIME = 100  # rows per transaction
UNNAMED_FOR = timedelta(hours=1)  # a newer file may belong to a row that is still being written

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clearing:
    """One run: its time, the most rows or files of a kind, and whether it only counts."""

    now: datetime
    most: int | None = None
    is_dry: bool = False
    unnamed_for: timedelta = UNNAMED_FOR


def clear_rows(
    rows: QuerySet[M],
    run: Clearing,
    *,
    kept: Callable[[list[M]], Iterable[int]] = lambda found: (),
    clear: Callable[[list[M]], object] | None = None,
) -> int:
    """Delete these rows, or call `clear` with batches of them, oldest first; return their number.

    Rows are locked and checked again before they are deleted. `kept` returns the ids of rows in a batch that stay after
    all.
    """
    gone, further = 0, rows
    while run.most is None or gone < run.most:
        with transaction.atomic():
            found = list(further.order_by("pk").select_for_update(of=("self",), skip_locked=True)[:AT_A_TIME])
            if not found:
                break
            further = rows.filter(pk__gt=found[-1].pk)
            staying = set(kept(found))
            going = [row for row in found if row.pk not in staying]
            if clear is not None and not run.is_dry:
                clear(going)
            elif not run.is_dry:
                rows.model._default_manager.filter(pk__in=[row.pk for row in going]).delete()
            gone += len(going)
    return gone


def unreferenced(rows: QuerySet[M], *besides: type[Model]) -> QuerySet[M]:
    """Return the rows that no other row refers to, except rows of models in `besides`, which are deleted with them."""
    for relation in rows.model._meta.get_fields(include_hidden=True):
        if not (relation.auto_created and not relation.concrete and relation.is_relation):
            continue
        model = relation.related_model
        if isinstance(model, type) and issubclass(model, Model) and model not in besides:
            name = relation.field.name  # type: ignore[union-attr]
            rows = rows.filter(~Exists(model._base_manager.filter(**{name: OuterRef("pk")})))
    return rows
