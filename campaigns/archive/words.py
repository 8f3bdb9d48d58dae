"""What an archive says of a table: its rows are kept, they can be worked out again, or they are left, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Model, QuerySet

from .references import Codec
from .scope import Scope

Rows = Callable[[Scope], QuerySet[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """Stays behind."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """Is worked out again from what is kept."""

    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Comes along. `rows`: the path from a row to its club, or which rows they are."""

    rows: str | Rows
    codecs: Mapping[str, Codec] = field(default_factory=dict)  # fields that hold ids of rows
    anew: tuple[str, ...] = ()  # keys that let somebody in: made anew where it is restored
    without: Mapping[str, str] = field(default_factory=dict)  # field -> why it stays behind; its default is restored


Word = Kept | Derived | Left

A_JOB = "a worker's hold on the row; it is over"
OF_A_JOB = dict.fromkeys(("lease", "lease_until", "tries", "blips", "not_before"), A_JOB)
DRAWN_AGAIN = {"file": "it is drawn again from its order", "previews": "drawn again with the file"}
OF_THE_SITE = {"asked_from": "the mark of a visitor of one site"}


def rows_of(model: type[Model], word: Kept, scope: Scope) -> QuerySet[Any]:
    """The rows of a table that are the club's, in the order in which they were made."""
    if callable(word.rows):
        found = word.rows(scope)
    else:
        found = model._default_manager.filter(**{word.rows or "pk": scope.club})
    return found.order_by("pk")
