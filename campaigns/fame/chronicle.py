"""The decided matches of a club, with what every unit and pilot did in them: the source of medals and records. Pure.

Practice and friendly games aren't included. A match is as it stands now, in the place where it counts: a corrected one
stays where it was, an undone one is gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

Kind = Literal["pilot", "unit", "company"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatLine:
    """A unit's and its pilot's deeds in a match, and what happened to them."""

    unit: int | None  # None: it was bought for this match only
    unit_name: str
    pilot: int | None = None  # None: it has none, or is its own pilot
    pilot_name: str = ""
    kills: int = 0
    victims: tuple[str, ...] = ()  # their names, if the match has a record
    is_lost: bool = False
    how: str = ""  # what destroyed it, after "lost": " to Draken", " (no Hits left)"; empty: unknown
    is_hurt: bool = False  # the pilot was wounded and survived
    is_dead: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SideResult:
    """A company in a match."""

    company: int
    name: str
    colour: str
    is_public: bool
    deeds: tuple[StatLine, ...] = ()

    @property
    def kills(self) -> int:
        return sum(each.kills for each in self.deeds)

    @property
    def lost(self) -> int:
        """The company's own losses in units."""
        return sum(each.is_lost for each in self.deeds)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMatch:
    """A decided match. Pairs are always in the order attacker, defender."""

    match: UUID
    campaign: int
    campaign_name: str
    is_open: bool  # visible to everybody who sees the club, not only to members
    round: int
    is_over: bool  # the round is closed
    table: int
    at: datetime
    scenario: str
    place: str  # the territory; empty: none
    parts: tuple[SideResult, SideResult]
    winner: int | None  # 0 or 1; None: a draw
    chances: tuple[float, float] | None = None  # of winning, by the odds published before
    points_lost: tuple[int, int] = (0, 0)  # points of the units each side lost

    @property
    def title(self) -> str:
        """The names of the two companies."""
        return f"{self.parts[0].name} against {self.parts[1].name}"

    @property
    def sides(self) -> Iterator[tuple[int, SideResult, SideResult]]:
        """Each side's number, its company and the opponent."""
        one, other = self.parts
        yield 0, one, other
        yield 1, other, one


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """A pilot, a unit or a company, by its current name."""

    kind: Kind
    id: int
    name: str
    company: int
    company_name: str
    colour: str
    is_public: bool  # everybody sees the company

    @property
    def key(self) -> tuple[str, int]:
        return self.kind, self.id

    @property
    def route(self) -> str:
        """Name of the URL pattern of its page."""
        return f"rosters:{self.kind}"


def company_holder(part: SideResult) -> Holder:
    """Return the company of a side."""
    return _who("company", part.company, part.name, part)


def unit_holder(deeds: StatLine, part: SideResult) -> Holder:
    """Return the unit. It must have a row of its own."""
    assert deeds.unit is not None
    return _who("unit", deeds.unit, deeds.unit_name, part)


def crew_holder(deeds: StatLine, part: SideResult) -> Holder:
    """Return the pilot, or the unit if it has none."""
    return unit_holder(deeds, part) if deeds.pilot is None else _who("pilot", deeds.pilot, deeds.pilot_name, part)


def _who(kind: Kind, pk: int, name: str, part: SideResult) -> Holder:
    return Holder(
        kind=kind,
        id=pk,
        name=name,
        company=part.company,
        company_name=part.name,
        colour=part.colour,
        is_public=part.is_public,
    )
