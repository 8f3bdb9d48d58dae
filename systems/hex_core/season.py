"""Hex Core between battles: aftermath, advancement of pilots, league points, tie-breakers, default squads, loans.

HX-174 to HX-184.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from systems.engine.dice import Dice, roll
from systems.hex_core.build import INOPERATIVE, MARK, OBJECTS, PARTS, PREY
from systems.hex_core.build.legality import FIRST_RANK, check_squad, learned_cost, rank_of, squad_limits
from systems.hex_core.build.scenario import read_limits
from systems.hex_core.build.spec import MachineSpec
from systems.hex_core.catalogue import CATALOGUE
from systems.hex_core.options import Options
from systems.roster import CompanyMember, PilotSpec
from systems.season import (
    CampaignSystem,
    Career,
    Fate,
    FateRoll,
    Flight,
    FlightAfter,
    GameSide,
    Result,
    SideAfter,
    SkillRoll,
    Takings,
    UnitAfter,
    UnitBefore,
)

TIE_BREAKERS = ("destroyed-points", "fewest-points-lost")  # HX-183; after league points
LOAN_DESIGN = "trooper"
LOAN_PILOT = PilotSpec(FIRST_RANK)


def house_loan(members: Sequence[CompanyMember[MachineSpec]]) -> int:
    """Return how many units the house lends: one if a company has none ready."""
    return 0 if members else 1


def is_legal(member: CompanyMember[MachineSpec], options: Mapping[str, object]) -> bool:
    """Return whether a company's unit can be fielded as it is built and crewed. HX-174."""
    return check_squad("", [member], Options.read(options)).legal


def standing_force(
    scenario: str | Mapping[str, object],
    members: Sequence[CompanyMember[MachineSpec]],
    options: Mapping[str, object],
    side: str,
    most: int,
) -> tuple[int, ...]:
    """Return the indexes of the most expensive squad within the limits. HX-054, HX-174.

    Ties go to the fewest units, then to the first. Because limits are small, the first squad of each cost and number is
    kept.
    """
    limits = read_limits(scenario, side)
    units, limit = squad_limits(Options.read(options).size, limits)
    most = min(most, units)
    best: dict[tuple[int, int], tuple[int, ...]] = {(0, 0): ()}  # by cost and number of units
    for place, member in enumerate(members):
        cost = member.spec.cost + learned_cost(member.pilot)
        for (points, number), places in list(best.items()):
            now = (points + cost, number + 1)
            if now[0] <= limit and now[1] <= most and now not in best:
                best[now] = (*places, place)
    enough = [found for found in best if found[1] >= limits.units_least]
    return best[max(enough, key=lambda found: (found[0], -found[1]))] if enough else ()


TAKING_PART, SURVIVING_A_WIN, THE_MARK = 1, 1, 2  # HX-176
RANGED_FIRST = ("marksman", "quick-draw", "wary", "ironside", "duellist")
MELEE_FIRST = ("duellist", "wary", "ironside", "quick-draw", "marksman")


def experience_of(flight: Flight[MachineSpec], result: Result) -> int:
    """Return the experience that a surviving pilot gains in a battle. HX-175, HX-176."""
    fate = flight.fate
    has_survived = not fate.is_lost and INOPERATIVE.name not in fate
    return (
        TAKING_PART
        + fate.number(PREY.name)
        + fate.number(PARTS.name)
        + fate.number(OBJECTS.name)
        + (SURVIVING_A_WIN if result == "won" and has_survived else 0)
        + (THE_MARK if MARK.name in fate else 0)
    )


def career_after(flight: Flight[MachineSpec], result: Result, *, is_lost: bool) -> Career:
    """Return the pilot's record including the battle; a lost pilot gains nothing more."""
    before, kills = flight.before, flight.before.kills + flight.fate.kills
    if is_lost:
        return Career(
            level=before.level, kills=kills, games=before.games + 1, skills=before.skills, points=before.points
        )
    points = before.points + experience_of(flight, result)
    return Career(level=rank_of(points).slug, kills=kills, games=before.games + 1, skills=before.skills, points=points)


def trait_earned(after: Career, spec: MachineSpec) -> SkillRoll | None:
    """Return a trait to choose, if the pilot's rank allows another; no die is rolled. HX-051, HX-177."""
    known = len(after.skills)
    if known >= CATALOGUE.ranks[after.level].traits or known + len(spec.traits) >= CATALOGUE.limits["traits"].value:
        return None
    return SkillRoll(face=0, bonus=0, needed=0, default=default_trait(after.skills, spec))


def trait_choices(known: Sequence[str]) -> tuple[str, ...]:
    """Return every trait that the pilot hasn't learned."""
    return tuple(slug for slug in CATALOGUE.traits if slug not in known)


def fits(trait: str, spec: MachineSpec) -> bool:
    """Return whether the machine lacks the trait and can use it."""
    if trait in spec.traits:
        return False
    kinds = {armed.kind.kind for armed in spec.weapons}
    return {
        "marksman": "ranged" in kinds,
        "duellist": not spec.is_vehicle,
        "quick-draw": spec.primary_at is not None,
    }.get(trait, True)


def default_trait(known: Sequence[str], spec: MachineSpec) -> str:
    """Return the trait that a pilot learns if nobody chooses, preferring those for the primary weapon."""
    at = spec.primary_at
    order = RANGED_FIRST if at is not None and spec.weapons[at].kind.is_ranged else MELEE_FIRST
    left = [slug for slug in order if slug not in known]
    return next((slug for slug in left if fits(slug, spec)), left[0])


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
    """Return the aftermath for each side, side A first."""
    return tuple(_side_after(side, dice) for side in sides)


def fate_of(face: int) -> Fate:
    """Return the fate of a destroyed unit's pilot. HX-180."""
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
            if not unit.lent:  # lent units return to the house anyway, but their pilots still roll for their fate
                units.append(_salvaged(unit, roll(dice, FACES)))
            if unit.pilot:
                face = roll(dice, FACES)
                fates[unit.pilot] = FateRoll(face=face, exploded=False, fate=fate_of(face))
        elif unit.condition:
            units.append(UnitAfter(key=unit.key, condition={}, phrase="is out of repair"))
    flights = tuple(_flight_after(flight, side.result, fates.get(flight.key)) for flight in side.flights)
    return SideAfter(flights=flights, takings=side_takings(side), units=tuple(units))


def _salvaged(unit: UnitBefore[MachineSpec], face: int) -> UnitAfter:
    """Return a destroyed unit after its salvage roll. HX-179."""
    if face <= SCRAPPED_UP_TO:
        return UnitAfter(key=unit.key, condition=None, phrase=f"was scrapped ({face} on the salvage die)", face=face)
    phrase = f"was salvaged and misses the next battle ({face} on the salvage die)"
    return UnitAfter(key=unit.key, condition=IN_REPAIR, phrase=phrase, face=face)


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


class HexCoreLeague(CampaignSystem[MachineSpec]):
    slug = "hex-core"
    skill_effects = MappingProxyType({trait.slug: trait.effect for trait in CATALOGUE.traits.values()})
    loan_design = LOAN_DESIGN
    loan_pilot = LOAN_PILOT
    lends_for_a_game = True
    season_points = MappingProxyType(LEAGUE_POINTS)
    tie_breakers = TIE_BREAKERS
    shares_places = True

    def aftermath(self, sides: Sequence[GameSide[MachineSpec]], dice: Dice, *, standing: bool) -> tuple[SideAfter, ...]:
        return settle_battle(sides, dice)

    skill_choices = staticmethod(trait_choices)
    fits = staticmethod(fits)

    def house_loan(
        self, scenario: str, members: Sequence[CompanyMember[MachineSpec]], *, side: str | None = None
    ) -> int:
        return house_loan(members)

    def standing_force(
        self,
        scenario: str | Mapping[str, object],
        members: Sequence[CompanyMember[MachineSpec]],
        options: Mapping[str, object],
        *,
        side: str,
        most: int,
        allows: Callable[[tuple[int, ...]], bool],
    ) -> tuple[int, ...]:
        ready = [at for at, member in enumerate(members) if is_legal(member, options)]
        picked = standing_force(scenario, [members[at] for at in ready], options, side, most)
        found = tuple(ready[at] for at in picked)
        return found if found and allows(found) else ()


SYSTEM = HexCoreLeague()
