"""What a side gives up once both have agreed to a handicap. Asked wherever lists are chosen or revealed."""

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
    """What a side gives up; nothing by default."""

    points: int | None = None  # max points it may field
    fewer_rolls: int = 0  # support rolls it loses


def borne(match: Match, side: int) -> Borne:
    """Return what the side gives up in this match. One query, if the handicap wasn't loaded with the match."""
    handicap: Handicap | None = getattr(match, "handicap", None)
    if handicap is None or not handicap.is_agreed or handicap.side != side:
        return Borne()
    return bearing(handicap.kind, handicap.value)


def calculated_units(match: Match, side: int) -> list[Mapping[str, Any]] | None:
    """Return the side's units in the basis of its handicap, in the format of setups; None if the side bears none."""
    handicap: Handicap | None = getattr(match, "handicap", None)
    if handicap is None or not handicap.is_agreed or handicap.side != side or handicap.basis is None:
        return None
    units: list[Mapping[str, Any]] = handicap.basis["setup"]["sides"][side]["units"]
    return units


def bearing(kind: str, value: int) -> Borne:
    """Return what a handicap of that kind and value costs its bearer."""
    return Borne(points=value if kind == POINTS else None, fewer_rolls=value if kind == SUPPORT else 0)


def describe_handicap(match: Match, row: Handicap) -> str:
    """Return the handicap in words; empty if nothing is proposed."""
    bearer = (match.attacker, match.defender)[row.side or 0]
    if row.side is None or bearer is None or not row.kind:
        return ""
    return f"{bearer.company.name} {gives_up(row.kind, row.value, offered(row).get('told', ''))}"


def offered(row: Handicap) -> Mapping[str, Any]:
    """Return the proposed offer as it was tried; empty if nothing is proposed."""
    found = (each for each in row.tried if (each["kind"], each["value"]) == (row.kind, row.value))
    return next(found, {})


def gives_up(kind: str, value: int, told: str = "") -> str:
    """Return what the bearer does, in words that follow their name. `told` are the game's own words, if it has any."""
    if told:
        return told
    if kind == POINTS:
        return f"fields {value} points at most"
    return f"makes {value} fewer support roll{'s' if value != 1 else ''}"


def can_be_given_up(system: str) -> str:
    """Return what a handicap can be in that game, in words: “points, support rolls or part of its objective”."""
    words = [GIVEN_UP[kind] for kind in season_rules(system).gives_up]
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def unit_points(campaign: Campaign, specs: Sequence[Mapping[str, object]], options: Mapping[str, object]) -> list[int]:
    """Return the points of these units as handicaps count them: without their pilots."""
    rules = roster_rules(campaign.system, campaign.catalogue_release)
    return [rules.check_design(rules.parse_spec(spec), options).points for spec in specs]


def lightened(points: Sequence[int], limit: int, allows: Callable[[tuple[int, ...]], bool]) -> tuple[int, ...]:
    """Return the indexes of the most valuable allowed group of these units that is worth no more than the limit.

    Among equals the first. Empty if there is none.
    """
    places = range(len(points))
    found = [
        (sum(points[place] for place in force), force) for count in places for force in combinations(places, count + 1)
    ]
    fitting = sorted((each for each in found if each[0] <= limit), key=lambda each: (-each[0], each[1]))
    return next((force for _, force in fitting if allows(force)), ())
