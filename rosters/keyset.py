"""Lists in pages by key: a page begins where a row of the last one stood, however far down that is.

A place in a list is the id of a row and, before it, what else the list is ordered by: `1204`, or `1204.Iron Dogs`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet

RowT = TypeVar("RowT")
ModelT = TypeVar("ModelT", bound=Model)
IDS = range(1, 2**63)


class PlaceError(ValueError):
    """Raised for a text that is no place in this list."""


@dataclass(frozen=True, slots=True)
class Slice(Generic[RowT]):
    """A page of a list; `before` and `after` are the places that its neighbours are asked for by, empty at an end."""

    rows: list[RowT]
    before: str = ""
    after: str = ""
    prefix: str = ""  # of the parameters in the address, where a page shows more than one list
    count: int | None = None  # of the whole list, where somebody counted

    def __iter__(self) -> Iterator[RowT]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def has_others(self) -> bool:
        return bool(self.before or self.after)


@dataclass(frozen=True, slots=True)
class Keyset:
    """An order that no two rows share a place in: `Keyset("name", "pk")`, `Keyset("-pk")`; the last is the id."""

    order: tuple[str, ...]

    def __init__(self, *order: str) -> None:
        object.__setattr__(self, "order", order)

    @property
    def _fields(self) -> tuple[str, ...]:
        return tuple(name.removeprefix("-") for name in self.order)

    def place(self, row: Any) -> str:
        """Where the row stands."""
        *before, pk = (str(getattr(row, name)) for name in self._fields)
        return ".".join([pk, *before])

    def slice(
        self,
        rows: QuerySet[ModelT],
        length: int,
        *,
        after: str = "",
        before: str = "",
        prefix: str = "",
        count: int | None = None,
        first: Callable[[], list[ModelT]] | None = None,
    ) -> Slice[ModelT]:
        """The rows after that place, or the last ones before it, else the first; raises PlaceError.

        There is no short page above a full one: what is left above is shown with what follows it. `first` is a quicker
        way to the rows of the first page and the one after.
        """
        if before:
            turned = tuple(name[1:] if name.startswith("-") else f"-{name}" for name in self.order)
            above = self._beyond(rows.order_by(*turned), turned, before, length + 1)
            if len(above) >= length:
                shown = above[:length][::-1]
                return Slice(
                    shown, self.place(shown[0]) if len(above) > length else "", self.place(shown[-1]), prefix, count
                )
            after = ""
        if after:
            found = self._beyond(rows.order_by(*self.order), self.order, after, length + 1)
        else:
            found = first() if first else list(rows.order_by(*self.order)[: length + 1])
        shown = found[:length]
        return Slice(
            shown,
            (self.place(shown[0]) if shown else after) if after else "",
            self.place(shown[-1]) if len(found) > length else "",
            prefix,
            count,
        )

    def asked(
        self,
        rows: QuerySet[ModelT],
        length: int,
        given: Mapping[str, str],
        prefix: str = "",
        count: int | None = None,
        first: Callable[[], list[ModelT]] | None = None,
    ) -> Slice[ModelT]:
        """The page that an address asks for by `after` or `before`; the first for what is no place in the list."""
        after, before = (given.get(f"{prefix}{name}", "")[:200] for name in ("after", "before"))
        try:
            return self.slice(rows, length, after=after, before=before, prefix=prefix, count=count, first=first)
        except PlaceError:
            return self.slice(rows, length, prefix=prefix, count=count, first=first)

    def _beyond(self, rows: QuerySet[ModelT], order: tuple[str, ...], place: str, most: int) -> list[ModelT]:
        """The rows that follow the place in that order."""
        values = self._read(place)
        beyond, same = Q(pk__in=()), Q()
        for name, value in zip(order, values, strict=True):
            field, further = name.removeprefix("-"), "lt" if name.startswith("-") else "gt"
            beyond |= same & Q(**{f"{field}__{further}": value})
            same &= Q(**{field: value})
        first = order[0].removeprefix("-")
        within = "lte" if order[0].startswith("-") else "gte"  # says nothing new, but an index begins there
        try:
            return list(rows.filter(Q(**{f"{first}__{within}": values[0]}) & beyond)[:most])
        except (ValueError, ValidationError):
            raise PlaceError(place) from None

    def _read(self, place: str) -> list[Any]:
        pk, *others = place.split(".", len(self.order) - 1)
        if not (pk.isascii() and pk.isdecimal()) or len(pk) > 19 or int(pk) not in IDS:
            raise PlaceError(place)
        if len(others) != len(self.order) - 1 or "\x00" in place:
            raise PlaceError(place)
        return [*others, int(pk)]
