"""A handicap is counted from set-ups alone, which stay with it: whoever has them counts the same again, to the last digit.

What it was made of is its `basis`: the match as both sides would have come to it, and the rolls for support that each had.
Of what was tried it is known which of those units were left, what was bought instead of them, how many rolls there were, or
what scenario it was then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from campaigns.models import Handicap
from systems import battle_rules
from systems.engine.odds import tally
from systems.hand import ROLLED
from systems.reading import read_setup

BATTLES = 2_000  # for each that is tried: enough to tell 45 from 50 percent
SEED = 0
EVEN, NEAR = 0.5, 0.03  # a match whose odds are so near to even needs no handicap


class Basis(TypedDict):
    """What a handicap was counted from."""

    setup: dict[str, Any]  # of all that both sides would field
    rolls: list[int]  # for support, of attacker and defender
    battles: int
    seed: str
    rules_version: int


class Offer(TypedDict):
    """Something that a side could give up."""

    kind: str
    value: int
    units: NotRequired[list[str]]  # keys of those that the side has left, where it gives up points
    bought: NotRequired[list[dict[str, Any]]]  # its units, where it has fewer points to buy them for
    rolls: NotRequired[list[int]]  # what both have left, where one gives up rolls
    scenario: NotRequired[dict[str, Any]]  # that is played then, where its terms are others
    told: NotRequired[str]  # what the side does, after its name, in its game's words


class Tried(Offer):
    """The same with the chance of the attacker then."""

    chance: float


class Counted(TypedDict):
    """What comes of the count, by the names of a handicap's fields."""

    side: int | None
    kind: str
    value: int
    chance: float
    chance_with: float | None


def basis_of(setup: Mapping[str, Any], rolls: Sequence[int]) -> Basis:
    """What is counted from now on for a match of this set-up."""
    version = battle_rules(setup["system"]).rules_version
    return Basis(setup=dict(setup), rolls=list(rolls), battles=BATTLES, seed=str(SEED), rules_version=version)


def chance_of(basis: Basis) -> float:
    """The chance that the attacker does better as both would come, a draw counted half."""
    return _chance(basis, basis["setup"], basis["rolls"])


def chance_with(basis: Basis, side: int, offer: Offer) -> float:
    """The same where that side gives this up."""
    sides = [dict(each) for each in basis["setup"]["sides"]]
    if "units" in offer:
        by_key = {unit["key"]: unit for unit in sides[side]["units"]}
        sides[side]["units"] = [by_key[key] for key in offer["units"]]
    if "bought" in offer:
        sides[side]["units"] = offer["bought"]
    scenario = offer.get("scenario", basis["setup"]["scenario"])
    return _chance(basis, {**basis["setup"], "scenario": scenario, "sides": sides}, offer.get("rolls", basis["rolls"]))


def bearer_of(chance: float) -> int | None:
    """The side that would give something up; None: the match is near enough to even."""
    if abs(chance - EVEN) <= NEAR:
        return None
    return 0 if chance > EVEN else 1


def chosen(chance: float, tried: Sequence[Tried]) -> Tried | None:
    """What brings the odds nearest to even, of several the first by kind and value; None: nothing brings them nearer."""
    best = min(tried, key=lambda each: (abs(each["chance"] - EVEN), each["kind"], each["value"]), default=None)
    return best if best is not None and abs(best["chance"] - EVEN) < abs(chance - EVEN) else None


def counted_from(chance: float, tried: Sequence[Tried]) -> Counted:
    """What is proposed of all that was tried."""
    best, side = chosen(chance, tried), bearer_of(chance)
    if best is None or side is None:
        return Counted(side=side, kind="", value=0, chance=chance, chance_with=None)
    return Counted(side=side, kind=best["kind"], value=best["value"], chance=chance, chance_with=best["chance"])


def can_be_recounted(row: Handicap) -> bool:
    """Whether what it was counted from is known, and was fought by the rules as they are now."""
    basis: Basis | None = row.basis
    return basis is not None and basis["rules_version"] == battle_rules(basis["setup"]["system"]).rules_version


def recounted(row: Handicap) -> tuple[Counted, list[Tried]]:
    """The handicap counted once more from what stands with it, and from nothing else: what is proposed, and all that was
    tried. Of one that can be recounted."""
    basis: Basis | None = row.basis
    assert basis is not None
    chance = chance_of(basis)
    side = bearer_of(chance)
    offers: list[Tried] = row.tried if side is not None else []
    tried: list[Tried] = [{**each, "chance": chance_with(basis, side or 0, each)} for each in offers]
    return counted_from(chance, tried), tried


def _chance(basis: Basis, document: Mapping[str, Any], rolls: Sequence[int]) -> float:
    made = [{**side, "support": [ROLLED] * count} for side, count in zip(document["sides"], rolls, strict=True)]
    setup = read_setup({**document, "sides": made})
    battles = basis["battles"]
    battle = tally(setup, int(basis["seed"]), 0, battles).battle
    drawn = battles - battle["attacker_wins"] - battle["defender_wins"]
    return (battle["attacker_wins"] + drawn / 2) / battles
