"""The aftermath of a Hex Core battle: salvage, pilots, experience, treasury and league points (HX-174 to HX-184)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from systems.engine.dice import Dice, roll
from systems.hex_core.build.spec import MachineSpec
from systems.hex_core.catalogue import CATALOGUE
from systems.season import (
    Fate,
    FateRoll,
    Flight,
    FlightAfter,
    GameSide,
    Result,
    SideAfter,
    Takings,
    UnitAfter,
    UnitBefore,
)

from .advancement import career_after, trait_earned

FACES = 8
LEAGUE_POINTS: dict[Result, int] = {"won": 3, "drawn": 1, "lost": 0}  # HX-183
INCOME: dict[Result, int] = {  # HX-181
    "won": CATALOGUE.limits["win-income"].value,
    "drawn": CATALOGUE.limits["draw-income"].value,
    "lost": CATALOGUE.limits["loss-income"].value,
}
SCRAPPED_UP_TO = 2  # HX-179
LOST_UP_TO, INJURED_UP_TO = 1, 3  # HX-180
IN_REPAIR: Mapping[str, Any] = {"repair": True}  # a machine's condition


def settle_battle(sides: Sequence[GameSide[MachineSpec]], dice: Dice) -> tuple[SideAfter, ...]:
    """Return the aftermath of each side, side A first."""
    return tuple(_side_after(side, dice) for side in sides)


def fate_of(face: int) -> Fate:
    """Return the fate of the pilot of a destroyed unit. HX-180."""
    if face <= LOST_UP_TO:
        return "killed"
    return "injured" if face <= INJURED_UP_TO else "unhurt"


def side_takings(side: GameSide[MachineSpec]) -> Takings:
    """Return league points and income; earlier money stays in the treasury. HX-174, HX-181, HX-183."""
    income = INCOME[side.result]
    return Takings(season_points=LEAGUE_POINTS[side.result], income=income, repaid=min(income, side.debt))


def _side_after(side: GameSide[MachineSpec], dice: Dice) -> SideAfter:
    units: list[UnitAfter] = []
    fates: dict[str, FateRoll] = {}
    for unit in side.units:
        if unit.lost:
            if not unit.lent:  # a lent unit returns to the house in any condition; its pilot still rolls for their fate
                units.append(_salvaged(unit, roll(dice, FACES)))
            if unit.pilot:
                face = roll(dice, FACES)
                fates[unit.pilot] = FateRoll(face=face, exploded=False, fate=fate_of(face))
        elif unit.condition:
            units.append(UnitAfter(key=unit.key, condition={}, told="is out of repair"))
    flights = tuple(_flight_after(flight, side.result, fates.get(flight.key)) for flight in side.flights)
    return SideAfter(flights=flights, takings=side_takings(side), units=tuple(units))


def _salvaged(unit: UnitBefore[MachineSpec], face: int) -> UnitAfter:
    """Return a destroyed unit after its salvage roll. HX-179."""
    if face <= SCRAPPED_UP_TO:
        return UnitAfter(key=unit.key, condition=None, told=f"was scrapped ({face} on the salvage die)", face=face)
    told = f"was salvaged and misses the next battle ({face} on the salvage die)"
    return UnitAfter(key=unit.key, condition=IN_REPAIR, told=told, face=face)


def _flight_after(flight: Flight[MachineSpec], result: Result, fate: FateRoll | None) -> FlightAfter:
    is_lost = fate is not None and fate.fate == "killed"
    after = career_after(flight, result, is_lost=is_lost)
    return FlightAfter(
        key=flight.key,
        after=after,
        fate=fate,
        promoted=after.level != flight.before.level,
        skill=None if is_lost else trait_earned(after, flight.spec),
    )
