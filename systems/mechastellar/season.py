"""MechaStellar between battles: fates, experience, repairs, income, leagues, loans. ST-401 to ST-408."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import cast

from systems.engine.dice import Dice, roll
from systems.mechastellar.build import LEADERS, SCORED
from systems.mechastellar.build.legality import (
    FORCE,
    LEVELS,
    at_crew_level,
    condition_with_hp,
    is_own_pilot,
    points_limit,
)
from systems.mechastellar.build.spec import UnitSpec, profile_points
from systems.mechastellar.catalogue import CATALOGUE, LEVEL_AT
from systems.mechastellar.options import BY_THE_BOOK, Options
from systems.report_fields import UnitFate
from systems.roster import CompanyMember, PilotSpec
from systems.season import (
    CampaignSystem,
    Career,
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
    richest_force,
)

TIE_BREAKERS = ("score-difference", "score")  # ST-402; between league points and the name
LOAN_DESIGN = "green-viking"
LOAN_PILOT = PilotSpec("basic")


def house_loan(members: Sequence[CompanyMember[UnitSpec]]) -> int:
    """Return how many units the house lends: one if a company has none ready."""
    return 0 if members else 1


def standing_force(
    scenario: str | Mapping[str, object],
    members: Sequence[CompanyMember[UnitSpec]],
    options: Mapping[str, object],
    most: int,
) -> tuple[int, ...]:
    """Return the indexes of the force with the most points within the limit. ST-013.

    Ties go to the fewest units, then to the first.
    """
    rules = Options.read(options)
    places = [at for at, member in enumerate(members) if rules.is_advanced or not member.spec.is_warship]
    points = [profile_points(at_crew_level(members[at].spec, members[at].pilot)) for at in places]
    chosen = richest_force(points, points_limit(scenario, rules) or sum(points), min(most, FORCE.most))
    return tuple(places[at] for at in chosen)


def level_of(experience: int) -> str:
    """Return the highest level for this experience."""
    return [level for level, at in LEVEL_AT.items() if experience >= at][-1]


def experience_before(flight: Flight[UnitSpec]) -> int:
    """Return the experience before the battle: the crew's, for a Kaiju at least its printed level's."""
    asked = LEVEL_AT[LEVELS[flight.spec.level]] if is_own_pilot(flight.spec) else 0
    return max(flight.before.points, asked)


def experience_of(flight: Flight[UnitSpec], result: Result) -> int:
    """Return the experience that a surviving crew gains in a battle."""
    return 1 + flight.fate.kills + flight.fate.number(LEADERS.name) + (result == "won")


def career_after(flight: Flight[UnitSpec], result: Result, *, is_dead: bool) -> Career:
    """Return the record after the battle; the dead gain no experience or level."""
    before, kills = flight.before, flight.before.kills + flight.fate.kills
    if is_dead:
        return Career(level=before.level, kills=kills, games=before.games + 1, points=before.points)
    points = experience_before(flight) + experience_of(flight, result)
    return Career(level=level_of(points), kills=kills, games=before.games + 1, points=points)


LEAGUE_POINTS: dict[Result, int] = {"won": 3, "drawn": 1, "lost": 0}  # ST-402
INCOME, PER_VP, WINNERS_BONUS = 100, 10, 50  # ST-408
FACES = 10
DEAD_UP_TO, WOUNDED_UP_TO = 2, 5  # ST-405
KAIJU_DEAD_UP_TO = 5
BIG_LOSS = 300  # points, ST-380
HUNDREDTHS = 100
PENALTIES = {slug: CATALOGUE.scores[slug].points or 0 for slug in ("vp-critical", "vp-casualties")}


def settle_battle(sides: Sequence[GameSide[UnitSpec]], dice: Dice) -> tuple[SideAfter, ...]:
    """Return the aftermath for each side, side A first."""
    return tuple(_side_after(side, dice) for side in sides)


def fate_of(face: int, *, is_kaiju: bool) -> Fate:
    """Return the fate of a destroyed unit's crew; a ship's crew rolls as one. ST-405."""
    if face <= (KAIJU_DEAD_UP_TO if is_kaiju else DEAD_UP_TO):
        return "killed"
    return "injured" if is_kaiju or face <= WOUNDED_UP_TO else "unhurt"


def victory_points(side: Sequence[Fought], *, is_finale: bool = False) -> int:
    """Return a side's score over all its units, including those on loan. ST-373 to ST-382."""
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
    """Return league points, and points for the battle, its score and a win. ST-402, ST-408.

    If a ruling on a past match left a debt, income repays it first.
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


def _fate(spec: UnitSpec, reported: UnitFate, dice: Dice) -> FateRoll:
    """Return the fate rolled at the table (face 0), otherwise roll it; a surviving Kaiju misses a battle. ST-405."""
    is_kaiju = is_own_pilot(spec)
    if "fate" in reported:
        fate = cast(Fate, reported["fate"])
        return FateRoll(face=0, exploded=False, fate="injured" if is_kaiju and fate == "unhurt" else fate)
    face = roll(dice, FACES)
    return FateRoll(face=face, exploded=False, fate=fate_of(face, is_kaiju=is_kaiju))


def _flight_after(flight: Flight[UnitSpec], fate: FateRoll | None, result: Result) -> FlightAfter:
    after = career_after(flight, result, is_dead=fate is not None and fate.fate == "killed")
    return FlightAfter(key=flight.key, after=after, fate=fate, promoted=after.level != flight.before.level)


def _kaiju_after(unit: UnitBefore[UnitSpec], fate: FateRoll) -> UnitAfter:
    """Return a destroyed Kaiju's death or return. ST-405.

    It is its own pilot, so it misses the next battle.
    """
    if fate.fate == "killed":
        return UnitAfter(key=unit.key, condition=None, phrase="is dead", face=fate.face or None)
    left = -(-unit.spec.hp // 2)
    phrase = f"crept away with {left} HP and comes back"
    return UnitAfter(key=unit.key, condition=condition_with_hp(unit.spec, left), phrase=phrase, face=fate.face or None)


class MechaStellarLeague(CampaignSystem[UnitSpec]):
    slug = "mechastellar"
    loan_design = LOAN_DESIGN
    loan_pilot = LOAN_PILOT
    lends_for_a_game = True
    season_points = MappingProxyType(LEAGUE_POINTS)
    tie_breakers = TIE_BREAKERS
    finale_options = MappingProxyType({"finale": True})  # ST-382, ST-410

    def aftermath(self, sides: Sequence[GameSide[UnitSpec]], dice: Dice, *, standing: bool) -> tuple[SideAfter, ...]:
        return settle_battle(sides, dice)

    def scores(self, sides: Sequence[Sequence[Fought]], options: Mapping[str, object]) -> tuple[int, ...]:
        return side_scores(sides, Options.read(options))

    def house_loan(self, scenario: str, members: Sequence[CompanyMember[UnitSpec]], *, side: str | None = None) -> int:
        return house_loan(members)

    def standing_force(
        self,
        scenario: str | Mapping[str, object],
        members: Sequence[CompanyMember[UnitSpec]],
        options: Mapping[str, object],
        *,
        side: str,
        most: int,
        allows: Callable[[tuple[int, ...]], bool],
    ) -> tuple[int, ...]:
        return standing_force(scenario, members, options, most)


SYSTEM = MechaStellarLeague()
