"""What each app does with a player's data: its files in the data export, and its part of a deletion.

What a club's history needs stays complete under a name; everything else is deleted. Apps above answer first: what they
keep, those below keep too. An exported file is its path in the ZIP and its text. Anything with a document format is in
that format, so that another Muster can import it; secrets are never included.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from django.db.models import Model, Q, QuerySet
from django.utils.text import slugify

from rosters.models import Player

NAME_OF_DELETED = "Player who left"  # unless they choose another name


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A reason why a player can't leave yet: a sentence that says what to do first, and where."""

    sentence: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class Fate:
    """What happens to some of the player's things."""

    number: int
    what: str  # in the plural, or in the singular for one
    becomes: str  # a sentence
    goes: bool


@dataclass(kw_only=True)
class Farewell:
    """One player's leaving: the names they had, and the name under which their part of the history stays."""

    player: Player
    name: str
    names: frozenset[str]  # only of this player
    shared: frozenset[str]  # also of another player
    addresses: frozenset[str]  # email addresses
    kept: frozenset[int] = frozenset()  # companies that stay
    is_removal: bool = False  # by an operator: the only obstacle is that somebody has to run the site
    longer: frozenset[str] = frozenset()  # names of other things that contain one of the player's

    def text(self, text: str, *, own: bool = False) -> str:
        """Return the text with the new name instead of the player's; `own`: it may start with the player's name."""
        if own:
            begun = next((name for name in self.shared | self.names if text.startswith(f"{name} ")), None)
            text = text if begun is None else f"{self.name}{text[len(begun) :]}"
        return self._pattern.sub(lambda found: found.group() if found.group("other") else self.name, text)

    def data(self, data: Any) -> Any:
        """Return the JSON with the new name instead of the player's wherever a player is named."""
        if isinstance(data, dict):
            return {
                key: self.name if key == "player" and value in self.names else self.data(value)
                for key, value in data.items()
            }
        return [self.data(each) for each in data] if isinstance(data, list) else data

    def rewrite(self, rows: QuerySet[Model], *fields: str) -> int:
        """Replace the name in these text fields of these rows; return how many rows were changed."""
        if not self.names and not self.addresses:
            return 0
        changed = 0
        wanted = Q()
        for name in fields:
            for word in self.names | self.addresses:
                wanted |= Q(**{f"{name}__icontains": word})
        for row in rows.filter(wanted).only("pk", *fields):
            new = {name: self.text(getattr(row, name))[: _longest(row, name)] for name in fields}
            if any(getattr(row, name) != text for name, text in new.items()):
                type(row)._default_manager.filter(pk=row.pk).update(**new)
                changed += 1
        return changed

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """A pattern of the player's addresses and names as whole words; its group `other` is for longer names."""
        others = {text for text in self.longer if any(name in text and name != text for name in self.names)}
        words = f"(?P<other>{_any(others)})|(?i:{_any(self.addresses)})|{_any(self.names)}"
        return re.compile(rf"(?<!\w)(?:{words})(?!\w)")


@dataclass(frozen=True, kw_only=True)
class DeletionPart:
    """The part of one app. `go` and `forget` run in the transaction of the leaving: first all `go`, then the account is
    reduced to a name, then all `forget`."""

    obstacles: Callable[[Player], Iterable[Obstacle]] = lambda player: ()
    kept: Callable[[Player, frozenset[int]], frozenset[int]] = lambda player, kept: kept  # companies that stay
    fates: Callable[[Player, frozenset[int]], Iterable[Fate]] = lambda player, kept: ()
    hand_on: Callable[[Player], Iterable[str]] = (
        lambda player: ()
    )  # before a removal: who takes over what, one sentence each
    go: Callable[[Farewell], object]  # raises RefusedError for an obstacle that has come up in the meantime
    forget: Callable[[Farewell], object] = lambda farewell: None


def _any(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"


def _longest(row: Model, name: str) -> int | None:
    return row._meta.get_field(name).max_length  # type: ignore[union-attr]


ExportFile = tuple[str, str | bytes]  # path and contents


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPart:
    """Files of one kind; `path` and `about` are their line in the README."""

    path: str
    about: str
    files: Callable[[Player], Iterable[ExportFile]]


def to_json_text(data: object) -> str:
    """Return readable JSON."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def isoformat(moment: datetime | None) -> str | None:
    """Return a time in the format of documents."""
    return moment.astimezone(UTC).isoformat() if moment else None


def file_path(folder: str, number: int, name: str, ending: str = "json") -> str:
    """Return the path of one file of many: `companies/12-iron-hounds.json`."""
    return f"{folder}/{'-'.join(filter(None, [str(number), slugify(name)[:40]]))}.{ending}"
