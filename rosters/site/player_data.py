"""Interface for what each app does with a player's data: its part of a deletion, and its files in the data export.

After a deletion, the data that a club's history needs stays, under another name; everything else is deleted. Apps of
higher layers decide first which companies stay, and the lower ones keep these too. An exported file consists of its
path in the ZIP and its contents. Data with a document format is exported in that format, so that another Muster can
import it. Secrets are never exported.
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

NAME_OF_DELETED = "Player who left"  # unless the player chooses another name


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A reason why a player can't delete their account yet: a sentence that says what to do first, and where."""

    sentence: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class Fate:
    """What happens to one kind of the player's data when the account is deleted."""

    number: int
    what: str  # e.g. a noun in the plural, or in the singular for one
    becomes: str  # a sentence
    goes: bool


@dataclass(kw_only=True)
class DepartedPlayer:
    """The deletion of an account: the names that the player had, and the name under which their history stays."""

    player: Player
    name: str
    names: frozenset[str]  # names that no other player has
    shared: frozenset[str]  # names that another player has too
    addresses: frozenset[str]  # email addresses
    kept: frozenset[int] = frozenset()  # companies that stay
    is_removal: bool = False  # whether an operator removes the player; then only the last operator can't go
    longer: frozenset[str] = frozenset()  # names of other things that contain one of the player's names

    def text(self, text: str, *, own: bool = False) -> str:
        """Return the text with the player's names replaced; with `own`, also a shared name at its start."""
        if own:
            begun = next((name for name in self.shared | self.names if text.startswith(f"{name} ")), None)
            text = text if begun is None else f"{self.name}{text[len(begun) :]}"
        return self._pattern.sub(lambda found: found.group() if found.group("other") else self.name, text)

    def data(self, data: Any) -> Any:
        """Return the JSON data with the player's names replaced in every field `player`."""
        if isinstance(data, dict):
            return {
                key: self.name if key == "player" and value in self.names else self.data(value)
                for key, value in data.items()
            }
        return [self.data(each) for each in data] if isinstance(data, list) else data

    def rewrite(self, rows: QuerySet[Model], *fields: str) -> int:
        """Replace the player's names in these text fields of these rows; return how many rows were changed."""
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
        """A pattern for the player's addresses and names as whole words; its group `other` matches longer names."""
        others = {text for text in self.longer if any(name in text and name != text for name in self.names)}
        words = f"(?P<other>{_any(others)})|(?i:{_any(self.addresses)})|{_any(self.names)}"
        return re.compile(rf"(?<!\w)(?:{words})(?!\w)")


@dataclass(frozen=True, kw_only=True)
class DeletionPart:
    """One app's part of a deletion.

    `go` and `forget` run in the transaction of the deletion: first `go` of all apps, then the account is reduced to a
    name, then `forget` of all apps.
    """

    obstacles: Callable[[Player], Iterable[Obstacle]] = lambda player: ()
    kept: Callable[[Player, frozenset[int]], frozenset[int]] = lambda player, kept: kept  # companies that stay
    fates: Callable[[Player, frozenset[int]], Iterable[Fate]] = lambda player, kept: ()
    hand_on: Callable[[Player], Iterable[str]] = (
        lambda player: ()
    )  # before a removal by an operator; returns a sentence for everything that another player takes over
    go: Callable[[DepartedPlayer], object]  # RefusedError if there is a new obstacle
    forget: Callable[[DepartedPlayer], object] = lambda gone: None


def _any(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"


def _longest(row: Model, name: str) -> int | None:
    return row._meta.get_field(name).max_length  # type: ignore[union-attr]


ExportFile = tuple[str, str | bytes]  # path and contents


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPart:
    """Files of one kind; `path` and `about` make up their line in the README."""

    path: str
    about: str
    files: Callable[[Player], Iterable[ExportFile]]


def to_json_text(data: object) -> str:
    """Return the data as indented JSON."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def isoformat(moment: datetime | None) -> str | None:
    """Return the time in the format of documents, in UTC."""
    return moment.astimezone(UTC).isoformat() if moment else None


def file_path(folder: str, number: int, name: str, ending: str = "json") -> str:
    """Return the path of one of many files, e.g. `companies/12-iron-hounds.json`."""
    return f"{folder}/{'-'.join(filter(None, [str(number), slugify(name)[:40]]))}.{ending}"
