"""The matches that a club has fought, with what everybody did in them: what medals and records are folded from. Pure.

Practice and friendly games are not in it. A match is told as it stands now, in the place where it counts: corrected, it
stays where it was; undone, it is gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

Kind = Literal["pilot", "unit", "company"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deeds:
    """What a unit, and the pilot in it, did in a match and what became of them."""

    unit: int | None  # None: it was bought for this match alone
    unit_name: str
    pilot: int | None = None  # None: it has none, or is its own
    pilot_name: str = ""
    kills: int = 0
    victims: tuple[str, ...] = ()  # their names, where the match has a record
    is_lost: bool = False
    how: str = ""  # what destroyed it, after "lost": " to Draken", " (no Hits left)"; empty: nobody knows
    is_hurt: bool = False  # the pilot, who lives
    is_dead: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A company in a match."""

    company: int
    name: str
    colour: str
    is_public: bool
    deeds: tuple[Deeds, ...] = ()

    @property
    def kills(self) -> int:
        return sum(each.kills for each in self.deeds)

    @property
    def lost(self) -> int:
        """Units of its own."""
        return sum(each.is_lost for each in self.deeds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A match that was fought: attacker and defender, in this order wherever there are two of something."""

    match: UUID
    campaign: int
    campaign_name: str
    is_open: bool  # who is no member of the club sees it, if he sees the club
    round: int
    is_over: bool  # the round is closed
    table: int
    at: datetime
    scenario: str
    place: str  # the territory; empty: none
    parts: tuple[Part, Part]
    winner: int | None  # 0 or 1; None: a draw
    chances: tuple[float, float] | None = None  # to win, by the odds published before
    points_lost: tuple[int, int] = (0, 0)  # worth of the units that each side lost

    @property
    def title(self) -> str:
        """Who against whom."""
        return f"{self.parts[0].name} against {self.parts[1].name}"

    @property
    def sides(self) -> Iterator[tuple[int, Part, Part]]:
        """Each side's number, its company and the other one's."""
        one, other = self.parts
        yield 0, one, other
        yield 1, other, one


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """A pilot, a unit or a company, as it is called now."""

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
        """Of its page."""
        return f"rosters:{self.kind}"


def company_of(part: Part) -> Who:
    """The company."""
    return _who("company", part.company, part.name, part)


def unit_of(deeds: Deeds, part: Part) -> Who:
    """The unit."""
    assert deeds.unit is not None
    return _who("unit", deeds.unit, deeds.unit_name, part)


def crew_of(deeds: Deeds, part: Part) -> Who:
    """The pilot, or the unit that has none."""
    return unit_of(deeds, part) if deeds.pilot is None else _who("pilot", deeds.pilot, deeds.pilot_name, part)


def _who(kind: Kind, pk: int, name: str, part: Part) -> Who:
    return Who(
        kind=kind,
        id=pk,
        name=name,
        company=part.company,
        company_name=part.name,
        colour=part.colour,
        is_public=part.is_public,
    )
