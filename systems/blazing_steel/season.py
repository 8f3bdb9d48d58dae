"""Blazing Steel between battles: aftermath, points and league points, tie-breakers, default forces, loans.

BS-C03 to BS-C07. All of it is Muster's own (BS-200).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal

from systems.blazing_steel.build import HELD
from systems.blazing_steel.build.legality import FORCE_MAX, side_limits
from systems.blazing_steel.build.spec import WarmechSpec
from systems.blazing_steel.options import Options
from systems.engine.dice import Dice, roll
from systems.roster import CompanyMember
from systems.season import (
    CampaignSystem,
    Fought,
    GameSide,
    Result,
    SideAfter,
    Takings,
    UnitAfter,
    UnitBefore,
    richest_force,
)
from systems.text import round_half_up

TIE_BREAKERS = ("score-difference", "score", "fewest-lost")  # BS-C07; between league points and the name
LOAN_DESIGN = "darter"


def house_loan(members: Sequence[CompanyMember[WarmechSpec]]) -> int:
    """Return how many Warmechs the house lends: one if a company has none ready."""
    return 0 if members else 1


def standing_force(
    scenario: str | Mapping[str, object],
    members: Sequence[CompanyMember[WarmechSpec]],
    options: Mapping[str, object],
    side: str,
    most: int,
) -> tuple[int, ...]:
    """Return the indexes of the force with the most points within the limits. BS-C02.

    Ties go to the fewest Warmechs, then to the first.
    """
    points = [member.spec.points for member in members]
    limits = side_limits(scenario, side, Options.read(options))
    most = min(most, limits.units_most or FORCE_MAX)
    return richest_force(points, limits.points_most or sum(points), most, limits.units_least)


Recovery = Literal["written-off", "repair", "ready"]

LEAGUE_POINTS: dict[Result, int] = {"won": 3, "drawn": 1, "lost": 0}  # BS-C07
INCOME: dict[Result, int] = {"won": 6, "drawn": 4, "lost": 3}  # BS-C05
WRITTEN_OFF_UP_TO, REPAIR_UP_TO = 1, 3  # BS-C04
IN_REPAIR: Mapping[str, Any] = {"repair": True}  # a Warmech's condition
CONDITIONS: dict[Recovery, Mapping[str, Any] | None] = {"written-off": None, "repair": IN_REPAIR, "ready": {}}
RECOVERY_TEXTS: dict[Recovery, str] = {
    "written-off": "was written off",
    "repair": "is in repair and misses the next battle",
    "ready": "was patched up",
}
HUNDREDTHS = 100


def settle_battle(sides: Sequence[GameSide[WarmechSpec]], dice: Dice) -> tuple[SideAfter, ...]:
    """Return the aftermath for each side, side A first."""
    return tuple(_side_after(side, dice) for side in sides)


def recovery_of(face: int) -> Recovery:
    """Return the fate of a destroyed or disabled Warmech. BS-C04."""
    if face <= WRITTEN_OFF_UP_TO:
        return "written-off"
    return "repair" if face <= REPAIR_UP_TO else "ready"


def side_takings(side: GameSide[WarmechSpec]) -> Takings:
    """Return league points, and points for the result and each objective held; earlier points are kept. BS-C05, BS-C07.

    If a ruling on a past match left a debt, income repays it first.
    """
    income = INCOME[side.result] + sum(unit.fate.number(HELD.name) for unit in side.units)
    return Takings(season_points=LEAGUE_POINTS[side.result], income=income, repaid=min(income, side.debt))


def side_scores(sides: Sequence[Sequence[Fought]], options: Options) -> tuple[int, ...]:
    """Return both sides' victory points in hundredths, halves rounded up. BS-190, BS-193, BS-194, BS-C07.

    They are for kills and for ground held.
    """
    most = max(len(side) for side in sides)
    found = []
    for side, enemy in ((sides[0], sides[1]), (sides[1], sides[0])):
        gone = [unit for unit in enemy if unit.fate.is_lost]
        worth = sum(unit.points for unit in enemy)
        kills = Fraction(most * sum(unit.points for unit in gone), worth) if worth else Fraction(0)
        if options.kills_per_warmech:
            kills = Fraction(len(gone))
        held = sum(unit.fate.number(HELD.name) for unit in side)
        found.append(int(round_half_up((kills + held) * HUNDREDTHS)))
    return tuple(found)


def _side_after(side: GameSide[WarmechSpec], dice: Dice) -> SideAfter:
    units: list[UnitAfter] = []
    for unit in side.units:
        if unit.lent:
            continue  # lent units return to the house anyway
        if unit.lost:
            units.append(_lost(unit, roll(dice, 6)))
        elif unit.condition:
            units.append(UnitAfter(key=unit.key, condition={}, phrase="is out of repair"))
    return SideAfter(flights=(), takings=side_takings(side), units=tuple(units))


def _lost(unit: UnitBefore[WarmechSpec], face: int) -> UnitAfter:
    recovery = recovery_of(face)
    phrase = f"{RECOVERY_TEXTS[recovery]} ({face} on the recovery die)"
    return UnitAfter(key=unit.key, condition=CONDITIONS[recovery], phrase=phrase, face=face)


class BlazingSteelLeague(CampaignSystem[WarmechSpec]):
    slug = "blazing-steel"
    loan_design = LOAN_DESIGN
    lends_for_a_game = True
    season_points = MappingProxyType(LEAGUE_POINTS)
    tie_breakers = TIE_BREAKERS

    def aftermath(self, sides: Sequence[GameSide[WarmechSpec]], dice: Dice, *, standing: bool) -> tuple[SideAfter, ...]:
        return settle_battle(sides, dice)

    def scores(self, sides: Sequence[Sequence[Fought]], options: Mapping[str, object]) -> tuple[int, ...]:
        return side_scores(sides, Options.read(options))

    def house_loan(
        self, scenario: str, members: Sequence[CompanyMember[WarmechSpec]], *, side: str | None = None
    ) -> int:
        return house_loan(members)

    def standing_force(
        self,
        scenario: str | Mapping[str, object],
        members: Sequence[CompanyMember[WarmechSpec]],
        options: Mapping[str, object],
        *,
        side: str,
        most: int,
        allows: Callable[[tuple[int, ...]], bool],
    ) -> tuple[int, ...]:
        found = standing_force(scenario, members, options, side, most)
        return found if found and allows(found) else ()


SYSTEM = BlazingSteelLeague()
