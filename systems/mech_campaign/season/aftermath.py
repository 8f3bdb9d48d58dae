"""The aftermath of a battle of Mech Campaign: lost units and their pilots, experience, ore and league points.

Order of the dice: MC-206. Damage is repaired before any other step (MC-203), so only losses roll.
"""

from collections.abc import Sequence
from typing import Literal

from systems.engine.dice import Dice, roll
from systems.mech_campaign.build.spec import UnitSpec
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

from .advancement import career_after

Recovery = Literal["written-off", "workshop", "ready"]

LEAGUE_POINTS: dict[Result, int] = {"won": 3, "drawn": 1, "lost": 0}  # MC-212
ORE: dict[Result, int] = {"won": 8, "drawn": 6, "lost": 4}  # MC-211
WINNERS_BONUS = 1  # MC-204
WRITTEN_OFF_UP_TO, WORKSHOP_UP_TO = 2, 4
KILLED_UP_TO, HURT_UP_TO = 1, 3  # MC-205
WORKSHOP = {"workshop": True}  # a unit's condition
RECOVERY_TEXTS: dict[Recovery, str] = {
    "written-off": "was written off",
    "workshop": "went to the workshop",
    "ready": "was saved",
}


def aftermath(sides: Sequence[GameSide[UnitSpec]], dice: Dice) -> tuple[SideAfter, ...]:
    """Return the aftermath of each side, side A first. MC-206."""
    return tuple(_side_after(side, dice) for side in sides)


def recovery_of(face: int, *, won: bool) -> Recovery:
    """Return what happens to an eliminated unit. MC-204."""
    total = face + (WINNERS_BONUS if won else 0)
    if total <= WRITTEN_OFF_UP_TO:
        return "written-off"
    return "workshop" if total <= WORKSHOP_UP_TO else "ready"


def fate_of(face: int) -> Fate:
    """Return what happens to the pilot of a unit that was written off. MC-205."""
    if face <= KILLED_UP_TO:
        return "killed"
    return "injured" if face <= HURT_UP_TO else "unhurt"


def side_takings(side: GameSide[UnitSpec]) -> Takings:
    """Return league points and ore. Points left over from founding the company give no ore. MC-201, MC-211, MC-212.

    A ruling on a past match may have left a debt; income repays it first.
    """
    income = ORE[side.result]
    return Takings(
        season_points=LEAGUE_POINTS[side.result],
        income=income,
        repaid=min(income, side.debt),
        lapsed=max(0, side.spare),
    )


def _side_after(side: GameSide[UnitSpec], dice: Dice) -> SideAfter:
    units: list[UnitAfter] = []
    fates: dict[str, FateRoll] = {}
    for unit in side.units:
        if unit.lent:
            continue  # MC-208: a lent unit leaves in any case
        if not unit.lost:
            units += _repaired(unit)
            continue
        face = roll(dice, 6)
        recovery = recovery_of(face, won=side.result == "won")
        units.append(_recovered(unit, face, recovery, side.result))
        if recovery == "written-off" and unit.pilot:
            fates[unit.pilot] = _fate(dice)
    flights = tuple(_flight_after(flight, fates.get(flight.key)) for flight in side.flights)
    return SideAfter(flights=flights, takings=side_takings(side), units=tuple(units))


def _fate(dice: Dice) -> FateRoll:
    face = roll(dice, 6)
    return FateRoll(face=face, exploded=False, fate=fate_of(face))


def _recovered(unit: UnitBefore[UnitSpec], face: int, recovery: Recovery, result: Result) -> UnitAfter:
    bonus = f" + {WINNERS_BONUS} for the win" if result == "won" else ""
    told = f"{RECOVERY_TEXTS[recovery]} ({face}{bonus} on the recovery die)"
    condition = {"written-off": None, "workshop": WORKSHOP, "ready": {}}[recovery]
    return UnitAfter(key=unit.key, condition=condition, told=told, face=face)


def _repaired(unit: UnitBefore[UnitSpec]) -> list[UnitAfter]:
    """Repair a unit that survived or wasn't in the battle: its damage and its time in the workshop end. MC-203, MC-204."""
    if not unit.condition:
        return []
    told = "is out of the workshop" if unit.condition.get("workshop") else "was repaired"
    return [UnitAfter(key=unit.key, condition={}, told=told)]


def _flight_after(flight: Flight[UnitSpec], fate: FateRoll | None) -> FlightAfter:
    after = career_after(flight, is_dead=fate is not None and fate.fate == "killed")
    return FlightAfter(key=flight.key, after=after, fate=fate, promoted=after.level != flight.before.level)
