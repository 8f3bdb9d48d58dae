"""The three ways in which an archive treats a table: Kept, Derived (calculated again) and Left (stays behind)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Model, QuerySet

from .references import Codec
from .scope import Scope

Rows = Callable[[Scope], QuerySet[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Omitted:
    """A table that stays behind."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """A table whose rows are calculated again from those kept."""

    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A table that is archived. `rows`: the path from a row to its club, or a function that returns the rows."""

    rows: str | Rows
    codecs: Mapping[str, Codec] = field(default_factory=dict)  # fields that hold ids of rows
    anew: tuple[str, ...] = ()  # keys that give access: made new where it is restored
    without: Mapping[str, str] = field(default_factory=dict)  # field -> why it stays behind; its default is restored


TableRule = Kept | Derived | Omitted

JOB_REASON = "a worker's hold on the row; it is over"
JOB_FIELDS = dict.fromkeys(("lease", "lease_until", "tries", "blips", "not_before"), JOB_REASON)
REDRAWN_FIELDS = {"file": "it is drawn again from its order", "previews": "drawn again with the file"}
SITE_FIELDS = {"asked_from": "the mark of a visitor of one site"}


def rows_of(model: type[Model], word: Kept, scope: Scope) -> QuerySet[Any]:
    """Return the rows of a table that are the club's, oldest first."""
    if callable(word.rows):
        found = word.rows(scope)
    else:
        found = model._default_manager.filter(**{word.rows or "pk": scope.club})
    return found.order_by("pk")
