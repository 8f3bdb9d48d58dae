"""The aftermath of a MechaStellar battle: fates of crews, experience, income and league points. ST-401 to ST-408."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from systems.engine.dice import Dice, roll
from systems.fates import UnitFate
from systems.mechastellar.build.hand import SCORED
from systems.mechastellar.build.legality import is_own_pilot
from systems.mechastellar.build.spec import UnitSpec
from systems.mechastellar.build.upkeep import condition_with_hp
from systems.mechastellar.catalogue import CATALOGUE
from systems.mechastellar.options import BY_THE_BOOK, Options
from systems.season import (
    Fate,
    FateRoll,
    Flight,
    FlightAfter,
    Fought,
    GameSide,
    Result,
    SideAfter,
    Takings,
    UnitAfter,
    UnitBefore,
)

from .advancement import career_after

LEAGUE_POINTS: dict[Result, int] = {"won": 3, "drawn": 1, "lost": 0}  # ST-402
INCOME, PER_VP, WINNERS_BONUS = 100, 10, 50  # ST-408
FACES = 10
DEAD_UP_TO, WOUNDED_UP_TO = 2, 5  # ST-405
KAIJU_DEAD_UP_TO = 5
BIG_LOSS = 300  # points, ST-380
HUNDREDTHS = 100
PENALTIES = {slug: CATALOGUE.scores[slug].points or 0 for slug in ("vp-critical", "vp-casualties")}


def settle_battle(sides: Sequence[GameSide[UnitSpec]], dice: Dice) -> tuple[SideAfter, ...]:
    """Return the aftermath of each side, side A first."""
    return tuple(_side_after(side, dice) for side in sides)


def fate_of(face: int, *, is_kaiju: bool) -> Fate:
    """Return the fate of a destroyed unit's crew; a ship's crew rolls as one. ST-405."""
    if face <= (KAIJU_DEAD_UP_TO if is_kaiju else DEAD_UP_TO):
        return "killed"
    return "injured" if is_kaiju or face <= WOUNDED_UP_TO else "unhurt"


def victory_points(side: Sequence[Fought], *, is_finale: bool = False) -> int:
    """Return a side's score with all of its units, lent ones included. ST-373 to ST-382."""
    scored = sum(unit.fate.number(SCORED.name) for unit in side)
    lost = [unit.points for unit in side if unit.fate.is_lost]
    if is_finale or not lost:
        return scored
    if max(lost) >= BIG_LOSS:
        scored += PENALTIES["vp-critical"]
    if 2 * len(lost) >= len(side):
        scored += PENALTIES["vp-casualties"]
    return scored


def side_scores(sides: Sequence[Sequence[Fought]], options: Options = BY_THE_BOOK) -> tuple[int, ...]:
    """Return both sides' victory points in hundredths. ST-402."""
    return tuple(HUNDREDTHS * victory_points(side, is_finale=options.is_finale) for side in sides)


def side_takings(side: GameSide[UnitSpec]) -> Takings:
    """Return league points, and points for the battle, for its score, and for the win. ST-402, ST-408.

    A ruling on a past match may have left a debt; income repays it first.
    """
    scored = victory_points(side.fought, is_finale=Options.read(side.options).is_finale)
    income = INCOME + PER_VP * max(0, scored) + (WINNERS_BONUS if side.result == "won" else 0)
    return Takings(season_points=LEAGUE_POINTS[side.result], income=income, repaid=min(income, side.debt))


def _side_after(side: GameSide[UnitSpec], dice: Dice) -> SideAfter:
    fates = {flight.key: _fate(flight.spec, flight.fate, dice) for flight in side.flights if flight.fate.is_lost}
    flights = tuple(_flight_after(flight, fates.get(flight.key), side.result) for flight in side.flights)
    kaiju = [unit for unit in side.units if unit.lost and not unit.lent and is_own_pilot(unit.spec)]
    units = tuple(_kaiju_after(unit, fates.get(unit.pilot) or _fate(unit.spec, unit.fate, dice)) for unit in kaiju)
    return SideAfter(flights=flights, takings=side_takings(side), units=units)


def _fate(spec: UnitSpec, told: UnitFate, dice: Dice) -> FateRoll:
    """Return the fate rolled at a real table (face 0), else roll it; a Kaiju that lives misses a battle. ST-405."""
    is_kaiju = is_own_pilot(spec)
    if "fate" in told:
        fate = cast(Fate, told["fate"])
        return FateRoll(face=0, exploded=False, fate="injured" if is_kaiju and fate == "unhurt" else fate)
    face = roll(dice, FACES)
    return FateRoll(face=face, exploded=False, fate=fate_of(face, is_kaiju=is_kaiju))


def _flight_after(flight: Flight[UnitSpec], fate: FateRoll | None, result: Result) -> FlightAfter:
    after = career_after(flight, result, is_dead=fate is not None and fate.fate == "killed")
    return FlightAfter(key=flight.key, after=after, fate=fate, promoted=after.level != flight.before.level)


def _kaiju_after(unit: UnitBefore[UnitSpec], fate: FateRoll) -> UnitAfter:
    """Return the death or return of a destroyed Kaiju. ST-405.

    It is its own pilot, who misses the next battle.
    """
    if fate.fate == "killed":
        return UnitAfter(key=unit.key, condition=None, told="is dead", face=fate.face or None)
    left = -(-unit.spec.hp // 2)
    told = f"crept away with {left} HP and comes back"
    return UnitAfter(key=unit.key, condition=condition_with_hp(unit.spec, left), told=told, face=fate.face or None)
