"""What a side of a match gives up, where both have agreed to a handicap; asked wherever a force is chosen or opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from campaigns.models import Campaign, Handicap, Match
from systems import roster_rules, season_rules
from systems.season import OBJECTIVE, POINTS, SUPPORT

GIVEN_UP = {POINTS: "points", SUPPORT: "support rolls", OBJECTIVE: "part of its objective"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Borne:
    """What one side bears; nothing by default."""

    points: int | None = None  # that it fields at most
    fewer_rolls: int = 0  # of support


def borne(match: Match, side: int) -> Borne:
    """What the side gives up in this match. One query, if the handicap did not come with the match."""
    handicap: Handicap | None = getattr(match, "handicap", None)
    if handicap is None or not handicap.is_agreed or handicap.side != side:
        return Borne()
    return bearing(handicap.kind, handicap.value)


def calculated_units(match: Match, side: int) -> list[Mapping[str, Any]] | None:
    """Return the units of a set-up that the handicap which the side bears was calculated from; None if it bears none."""
    handicap: Handicap | None = getattr(match, "handicap", None)
    if handicap is None or not handicap.is_agreed or handicap.side != side or handicap.basis is None:
        return None
    units: list[Mapping[str, Any]] = handicap.basis["setup"]["sides"][side]["units"]
    return units


def bearing(kind: str, value: int) -> Borne:
    """A handicap of that kind as its bearer feels it."""
    return Borne(points=value if kind == POINTS else None, fewer_rolls=value if kind == SUPPORT else 0)


def describe_handicap(match: Match, row: Handicap) -> str:
    """The handicap in words; empty if nothing is proposed."""
    bearer = (match.attacker, match.defender)[row.side or 0]
    if row.side is None or bearer is None or not row.kind:
        return ""
    return f"{bearer.company.name} {gives_up(row.kind, row.value, offered(row).get('told', ''))}"


def offered(row: Handicap) -> Mapping[str, Any]:
    """What is proposed, as it was tried; empty if nothing is."""
    found = (each for each in row.tried if (each["kind"], each["value"]) == (row.kind, row.value))
    return next(found, {})


def gives_up(kind: str, value: int, told: str = "") -> str:
    """What its bearer does, after his name; `told` is what its game says of it."""
    if told:
        return told
    if kind == POINTS:
        return f"fields {value} points at most"
    return f"makes {value} fewer support roll{'s' if value != 1 else ''}"


def can_be_given_up(system: str) -> str:
    """What a handicap can be in that game, in words: “points, support rolls or part of its objective”."""
    words = [GIVEN_UP[kind] for kind in season_rules(system).gives_up]
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def unit_points(campaign: Campaign, specs: Sequence[Mapping[str, object]], options: Mapping[str, object]) -> list[int]:
    """What these units are worth, as handicaps count them: the units themselves, without their pilots."""
    rules = roster_rules(campaign.system, campaign.catalogue_release)
    return [rules.check_design(rules.parse_spec(spec), options).points for spec in specs]


def lightened(points: Sequence[int], limit: int, allows: Callable[[tuple[int, ...]], bool]) -> tuple[int, ...]:
    """Places of the richest of these units that are worth no more than the limit and are allowed together; of several the
    first. Empty if there are none.
    """
    places = range(len(points))
    found = [
        (sum(points[place] for place in force), force) for count in places for force in combinations(places, count + 1)
    ]
    fitting = sorted((each for each in found if each[0] <= limit), key=lambda each: (-each[0], each[1]))
    return next((force for _, force in fitting if allows(force)), ())
