"""What a side gives up once both have agreed to a handicap. Asked wherever lists are chosen or revealed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from campaigns.models import Campaign, Handicap, Match
from systems import roster_rules, season_rules
from systems.season import OBJECTIVE, POINTS, SUPPORT

KIND_NAMES = {POINTS: "points", SUPPORT: "support rolls", OBJECTIVE: "part of its objective"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Concession:
    """What a side gives up; nothing by default."""

    points: int | None = None  # max points it may field
    fewer_rolls: int = 0  # support rolls it loses


def concession_of(match: Match, side: int) -> Concession:
    """Return what the side gives up in this match. One query, if the handicap wasn't loaded with the match."""
    handicap: Handicap | None = getattr(match, "handicap", None)
    if handicap is None or not handicap.is_agreed or handicap.side != side:
        return Concession()
    return make_concession(handicap.kind, handicap.value)


def calculated_units(match: Match, side: int) -> list[Mapping[str, Any]] | None:
    """Return the side's units in the basis of its handicap, in the format of setups; None if the side bears none."""
    handicap: Handicap | None = getattr(match, "handicap", None)
    if handicap is None or not handicap.is_agreed or handicap.side != side or handicap.basis is None:
        return None
    units: list[Mapping[str, Any]] = handicap.basis["setup"]["sides"][side]["units"]
    return units


def make_concession(kind: str, value: int) -> Concession:
    """Return what a handicap of that kind and value costs its bearer."""
    return Concession(points=value if kind == POINTS else None, fewer_rolls=value if kind == SUPPORT else 0)


def describe_handicap(match: Match, row: Handicap) -> str:
    """Return the handicap in words; empty if nothing is proposed."""
    bearer = (match.attacker, match.defender)[row.side or 0]
    if row.side is None or bearer is None or not row.kind:
        return ""
    return f"{bearer.company.name} {describe_concession(row.kind, row.value, proposed_offer(row).get('told', ''))}"


def proposed_offer(row: Handicap) -> Mapping[str, Any]:
    """Return the proposed offer as it was tried; empty if nothing is proposed."""
    found = (each for each in row.tried if (each["kind"], each["value"]) == (row.kind, row.value))
    return next(found, {})


def describe_concession(kind: str, value: int, told: str = "") -> str:
    """Return what the bearer does, in words that follow their name. `told` are the game's own words, if it has any."""
    if told:
        return told
    if kind == POINTS:
        return f"fields {value} points at most"
    return f"makes {value} fewer support roll{'s' if value != 1 else ''}"


def describe_kinds(system: str) -> str:
    """Return what a handicap can be in that game, in words: “points, support rolls or part of its objective”."""
    words = [KIND_NAMES[kind] for kind in season_rules(system).gives_up]
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def unit_points(campaign: Campaign, specs: Sequence[Mapping[str, object]], options: Mapping[str, object]) -> list[int]:
    """Return the points of these units as handicaps count them: without their pilots."""
    rules = roster_rules(campaign.system, campaign.catalogue_release)
    return [rules.check_design(rules.parse_spec(spec), options).points for spec in specs]


def best_units_within(points: Sequence[int], limit: int, allows: Callable[[tuple[int, ...]], bool]) -> tuple[int, ...]:
    """Return the indexes of the most valuable allowed group of these units that is worth no more than the limit.

    Among equals the first. Empty if there is none.
    """
    places = range(len(points))
    found = [
        (sum(points[place] for place in force), force) for count in places for force in combinations(places, count + 1)
    ]
    fitting = sorted((each for each in found if each[0] <= limit), key=lambda each: (-each[0], each[1]))
    return next((force for _, force in fitting if allows(force)), ())
