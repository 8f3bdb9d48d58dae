"""Handicaps: their calculation, and what a side gives up by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NotRequired, TypedDict, cast

from campaigns.models import Campaign, Handicap, Match
from systems import battle_rules, roster_rules, season_rules
from systems.reading import read_setup
from systems.report_fields import FATE_IS_ROLLED
from systems.season import OBJECTIVE, POINTS, SUPPORT
from systems.setups import canonical
from systems.simulation import odds
from systems.text import pluralize

HANDICAP_BATTLES = 2_000  # per offer: enough to distinguish 45% from 50%
HANDICAP_SEED = 0
EVEN, EVEN_TOLERANCE = 0.5, 0.03  # odds within EVEN_TOLERANCE of EVEN need no handicap


class HandicapBasis(TypedDict):
    """What a handicap was calculated from: the match as both sides would bring it, and the support rolls of each."""

    setup: dict[str, Any]  # with everything both sides would field
    rolls: list[int]  # support rolls of attacker and defender
    battles: int
    seed: str
    rules_version: int
    best_styles: NotRequired[bool]  # if missing, the styles are those in the setup


class HandicapOffer(TypedDict):
    """Something that a side could give up."""

    kind: str
    value: int
    units: NotRequired[list[str]]  # keys of the units left, if it gives up points
    bought: NotRequired[list[dict[str, Any]]]  # its units, if it buys them for fewer points
    rolls: NotRequired[list[int]]  # what both have left, if it gives up rolls
    scenario: NotRequired[dict[str, Any]]  # the scenario with its new terms, if those change
    told: NotRequired[str]  # what the side does, in the game's words; follows its name


class TriedOffer(HandicapOffer):
    """An offer with the attacker's chance if it is taken."""

    chance: float
    styles: NotRequired[list[str]]  # AI styles of attacker and defender in this calculation


class CalculatedHandicap(TypedDict):
    """The result of the calculation, by the fields of `Handicap`."""

    side: int | None
    kind: str
    value: int
    chance: float
    chance_with: float | None


def make_basis(setup: Mapping[str, Any], rolls: Sequence[int]) -> HandicapBasis:
    """Return the basis of a new calculation for this setup."""
    version = battle_rules(setup["system"]).rules_version
    return HandicapBasis(
        setup=dict(setup),
        rolls=list(rolls),
        battles=HANDICAP_BATTLES,
        seed=str(HANDICAP_SEED),
        rules_version=version,
        best_styles=True,
    )


def chance_of(basis: HandicapBasis) -> tuple[float, list[str]]:
    """Return the attacker's chance without a handicap, a draw counted as half, and both AI styles.

    With `best_styles` in the basis each side plays with the AI style that gives it its best chance, not with the one
    its player chose.
    """
    return _chance(basis, basis["setup"], basis["rolls"])


def chance_with(basis: HandicapBasis, side: int, offer: HandicapOffer) -> tuple[float, list[str]]:
    """Return the attacker's chance and both AI styles if that side takes the offer."""
    sides = [dict(each) for each in basis["setup"]["sides"]]
    if "units" in offer:
        by_key = {unit["key"]: unit for unit in sides[side]["units"]}
        sides[side]["units"] = [by_key[key] for key in offer["units"]]
    if "bought" in offer:
        sides[side]["units"] = offer["bought"]
    scenario = offer.get("scenario", basis["setup"]["scenario"])
    return _chance(basis, {**basis["setup"], "scenario": scenario, "sides": sides}, offer.get("rolls", basis["rolls"]))


def with_chosen_styles(basis: HandicapBasis, styles: Sequence[str]) -> HandicapBasis:
    """Return the basis with the AI styles the calculation chose, for display. A new calculation chooses them again."""
    sides = [{**side, "doctrine": style} for side, style in zip(basis["setup"]["sides"], styles, strict=True)]
    return {**basis, "setup": {**basis["setup"], "sides": sides}}


def differences(basis: HandicapBasis, now: HandicapBasis) -> list[tuple[int | None, str]]:
    """Return what has changed since the handicap was calculated: the side (None: the match) and a noun.

    Names, the order of units and AI styles make no difference; the calculation chooses the styles itself.
    """
    found: list[tuple[int | None, str]] = []
    before, after = basis["setup"], now["setup"]
    for side in (0, 1):
        was, stands = before["sides"][side]["units"], after["sides"][side]["units"]
        if noun := next(
            (noun for noun, parts in UNIT_PARTS_COMPARED if _parts(was, parts) != _parts(stands, parts)), None
        ):
            found.append((side, noun))
        elif basis["rolls"][side] != now["rolls"][side]:
            found.append((side, "support rolls"))
    if any(canonical(before.get(name)) != canonical(now["setup"].get(name)) for name in TERMS_COMPARED):
        found.append((None, "scenario, terrain or house rules"))
    return found


TERMS_COMPARED = ("scenario", "terrain", "options", "release")
UNIT_PARTS_COMPARED = (
    ("units", ("design",)),
    ("pilots", ("design", "pilot")),
    ("condition of the units", ("design", "pilot", "condition")),
)


def unchanged_units(before: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the keys of the units with the same design, pilot and condition as before."""
    _, parts = UNIT_PARTS_COMPARED[-1]
    was = {unit["key"]: _parts([unit], parts) for unit in before}
    return {unit["key"] for unit in now if _parts([unit], parts) == was.get(unit["key"])}


def _parts(units: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[str]:
    return sorted(canonical([unit.get(name) for name in names]) for unit in units)


def stronger_side(chance: float) -> int | None:
    """Return the side that would give something up; None if the match is near enough to even."""
    if abs(chance - EVEN) <= EVEN_TOLERANCE:
        return None
    return 0 if chance > EVEN else 1


def best_offer(chance: float, tried: Sequence[TriedOffer]) -> TriedOffer | None:
    """Return the offer that brings the odds nearest to even; None if none brings them nearer.

    Among equals the first by kind and value.
    """
    best = min(tried, key=lambda each: (abs(each["chance"] - EVEN), each["kind"], each["value"]), default=None)
    return best if best is not None and abs(best["chance"] - EVEN) < abs(chance - EVEN) else None


def propose_from(chance: float, tried: Sequence[TriedOffer]) -> CalculatedHandicap:
    """Return the proposal that follows from all offers tried."""
    best, side = best_offer(chance, tried), stronger_side(chance)
    if best is None or side is None:
        return CalculatedHandicap(side=side, kind="", value=0, chance=chance, chance_with=None)
    return CalculatedHandicap(
        side=side, kind=best["kind"], value=best["value"], chance=chance, chance_with=best["chance"]
    )


def recalculate(row: Handicap) -> tuple[CalculatedHandicap, list[TriedOffer]]:
    """Recalculate the handicap from its stored basis only. Return the proposal and all offers tried.

    Only for a handicap with a basis, under the rules version that it names.
    """
    basis: HandicapBasis | None = row.basis
    assert basis is not None
    chance, _ = chance_of(basis)
    side = stronger_side(chance)
    offers: list[TriedOffer] = row.tried if side is not None else []
    tried = [try_offer(basis, side or 0, each) for each in offers]
    return propose_from(chance, tried), tried


def try_offer(basis: HandicapBasis, side: int, offer: HandicapOffer) -> TriedOffer:
    """Return the offer with its chance, and with the AI styles if the calculation chose them."""
    chance, styles = chance_with(basis, side, offer)
    tried = {**offer, "chance": chance} | ({"styles": styles} if basis.get("best_styles") else {})
    return cast("TriedOffer", tried)


def _chance(basis: HandicapBasis, document: Mapping[str, Any], rolls: Sequence[int]) -> tuple[float, list[str]]:
    made = [{**side, "support": [FATE_IS_ROLLED] * count} for side, count in zip(document["sides"], rolls, strict=True)]
    setup, seed = read_setup({**document, "sides": made}), int(basis["seed"])
    if basis.get("best_styles"):
        setup = odds.with_best_styles(setup, seed)
    return odds.chance_of(setup, seed, basis["battles"]), [side.doctrine for side in setup.sides]


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


def describe_concession(kind: str, value: int, text: str = "") -> str:
    """Return what the bearer does, in words that follow their name. `text` are the game's own words, if it has any."""
    if text:
        return text
    if kind == POINTS:
        return f"fields at most {pluralize(value, 'points')}"
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
