"""Calculate a handicap from setups only. They are stored with it, so everybody can get exactly the same result again.

The `basis` is what it was calculated from: the match as both sides would bring it, and the support rolls of each. Each
offer that was tried says which of those units were left, what was bought instead, how many rolls there were, or which
scenario was used. Each side plays with the AI style that gives it its best chance, not the one its player chose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict, cast

from campaigns.models import Handicap
from systems import battle_rules
from systems.hand import FATE_IS_ROLLED
from systems.reading import read_setup
from systems.setups import canonical
from systems.simulation import odds

HANDICAP_BATTLES = 2_000  # per offer: enough to distinguish 45 % from 50 %
HANDICAP_SEED = 0
EVEN, EVEN_TOLERANCE = 0.5, 0.03  # odds within NEAR of EVEN need no handicap


class HandicapBasis(TypedDict):
    """What a handicap was calculated from."""

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
    scenario: NotRequired[dict[str, Any]]  # the scenario then, if its terms change
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
        setup=dict(setup), rolls=list(rolls), battles=HANDICAP_BATTLES, seed=str(HANDICAP_SEED), rules_version=version, best_styles=True
    )


def chance_of(basis: HandicapBasis) -> tuple[float, list[str]]:
    """Return the attacker's chance without a handicap, a draw counted as half, and both AI styles."""
    return _chance(basis, basis["setup"], basis["rolls"])


def chance_with(basis: HandicapBasis, side: int, offer: HandicapOffer) -> tuple[float, list[str]]:
    """Return the same if that side gives this up."""
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


def bearer_of(chance: float) -> int | None:
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
    best, side = best_offer(chance, tried), bearer_of(chance)
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
    side = bearer_of(chance)
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
