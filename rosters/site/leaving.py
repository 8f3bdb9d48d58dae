"""What leaving Muster does to the things of a player; each app answers for its own (`hooks.leaving_parts`).

What a club's history needs stays whole under a name; what nobody else ever needed goes. Apps above come first: what
they keep, those below keep too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Model, Q, QuerySet

from rosters.models import Player

NAME = "Player who left"  # unless he chooses another


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why he can't leave yet: a sentence that says what to do first, and where."""

    sentence: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of some things of his."""

    number: int
    what: str  # in the plural, or in the singular for one
    becomes: str  # a sentence
    goes: bool


@dataclass(kw_only=True)
class Farewell:
    """One player's leaving: the names that he had, and the one under which his part of the history stays."""

    player: Player
    name: str
    names: frozenset[str]  # that he was known by, and nobody else is
    shared: frozenset[str]  # that another player has too
    addresses: frozenset[str]  # of mail
    kept: frozenset[int] = frozenset()  # companies that stay
    is_removal: bool = False  # by an operator: the only obstacle is that somebody has to run the site
    longer: frozenset[str] = frozenset()  # names of other things that hold one of his

    def text(self, text: str, *, own: bool = False) -> str:
        """The text with the new name in place of his; `own`: of what he did himself, so it may begin with his name."""
        if own:
            begun = next((name for name in self.shared | self.names if text.startswith(f"{name} ")), None)
            text = text if begun is None else f"{self.name}{text[len(begun) :]}"
        return self._pattern.sub(lambda found: found.group() if found.group("other") else self.name, text)

    def data(self, data: Any) -> Any:
        """The JSON with the new name in place of his wherever a player is named."""
        if isinstance(data, dict):
            return {
                key: self.name if key == "player" and value in self.names else self.data(value)
                for key, value in data.items()
            }
        return [self.data(each) for each in data] if isinstance(data, list) else data

    def rewrite(self, rows: QuerySet[Model], *fields: str) -> int:
        """Puts the new name into these texts of these rows; how many rows were changed."""
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
        """His addresses and names as whole words; as `other` what they are only a part of."""
        others = {text for text in self.longer if any(name in text and name != text for name in self.names)}
        words = f"(?P<other>{_any(others)})|(?i:{_any(self.addresses)})|{_any(self.names)}"
        return re.compile(rf"(?<!\w)(?:{words})(?!\w)")


@dataclass(frozen=True, kw_only=True)
class Part:
    """What one app answers. `go` and `forget` run in the transaction in which he leaves: first all `go`, then his account
    is a name, then all `forget`."""

    obstacles: Callable[[Player], Iterable[Obstacle]] = lambda player: ()
    kept: Callable[[Player, frozenset[int]], frozenset[int]] = lambda player, kept: kept  # companies that stay
    fates: Callable[[Player, frozenset[int]], Iterable[Fate]] = lambda player, kept: ()
    hand_on: Callable[[Player], Iterable[str]] = (
        lambda player: ()
    )  # before a removal: who runs what now, each a sentence
    go: Callable[[Farewell], object]  # raises RefusedError for an obstacle that has come up meanwhile
    forget: Callable[[Farewell], object] = lambda farewell: None


def _any(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"


def _longest(row: Model, name: str) -> int | None:
    return row._meta.get_field(name).max_length  # type: ignore[union-attr]
