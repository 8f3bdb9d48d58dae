"""Mech Campaign between battles: aftermath, advancement, leagues, loans, handicaps.

Order of the dice: MC-206. Damage is repaired before every other step (MC-203), so only losses are rolled for.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from types import MappingProxyType
from typing import Literal

from systems.engine.dice import Dice, roll
from systems.legality import pluralize
from systems.mech_campaign.build.legality import SIZE_MAX, SIZE_MIN, ForceUnit, can_field, check_force, scenario_cap
from systems.mech_campaign.build.scenario import (
    ScenarioSpec,
    check_scenario,
    objective_places,
    parse_scenario,
    published_spec,
    scenario_json,
)
from systems.mech_campaign.build.spec import FIRST_RANK, UnitSpec
from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.options import Options
from systems.roster import CompanyMember, PilotSpec
from systems.season import (
    OBJECTIVE,
    POINTS,
    CampaignSystem,
    Career,
    Concession,
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
    ZoneBattle,
)

LOAN_KIND = "light-mech"  # MC-208
LOAN_RANK = FIRST_RANK
TIE_BREAKERS = ("destroyed", "destroyed-count")  # MC-212; between league points and the name
# MC-214, by the face of the die
ZONE_SCENARIOS = ("claim-dispute", "claim-dispute", "survey-beacons", "survey-beacons", "sabotage", "sabotage")


def zone_battle(holds: tuple[bool, bool], dice: Dice) -> ZoneBattle:
    """Return the scenario of a battle for a zone, and which company is side A. MC-214.

    Side A is the one that doesn't hold the zone; if neither does, both roll and the higher roll is side A.
    """
    scenario = ZONE_SCENARIOS[roll(dice, 6) - 1]
    if holds[0] or holds[1]:
        return ZoneBattle(scenario, 1 if holds[0] else 0)
    while True:
        one, other = roll(dice, 6), roll(dice, 6)
        if one != other:
            return ZoneBattle(scenario, 0 if one > other else 1)


def house_loan(members: Sequence[CompanyMember[UnitSpec]]) -> int:
    """Return how many light mechs the house must lend to complete a legal force. MC-208."""
    kinds = [member.spec.kind for member in members]
    return next(count for count in range(SIZE_MAX + 1) if can_field([*kinds, *[LOAN_KIND] * count]))


def standing_force(
    members: Sequence[CompanyMember[UnitSpec]], options: Mapping[str, object], scenario: str | Mapping[str, object] = ""
) -> tuple[int, ...]:
    """Return the indexes of the legal force with the most units, then points; the first of each kind. MC-202.

    Empty if no legal force can be made from these units.
    """
    rules = Options.read(options)
    cap = scenario_cap(scenario) or rules.points_cap
    places: dict[str, list[int]] = {slug: [] for slug in CATALOGUE.unit_kinds}
    for place, member in enumerate(members):
        places[member.spec.kind].append(place)
    best: tuple[tuple[int, int], tuple[int, ...]] = ((0, 0), ())
    for counts in product(*(range(min(len(found), SIZE_MAX) + 1) for found in places.values())):
        if not SIZE_MIN <= sum(counts) <= SIZE_MAX:
            continue
        kinds = [slug for slug, count in zip(places, counts, strict=True) for _ in range(count)]
        check = check_force([ForceUnit(kind, kind) for kind in kinds], cap, heavy_limit=rules.heavy_limit)
        if check.legal and (len(kinds), check.points) > best[0]:
            chosen = [place for found, count in zip(places.values(), counts, strict=True) for place in found[:count]]
            best = ((len(kinds), check.points), tuple(sorted(chosen)))
    return best[1]


FARTHER_IN = (2, 4, 6)


def concessions(given: str | Mapping[str, object], side: int) -> Sequence[Concession]:
    """Return variants of the scenario with a harder task for side A (0) or B (1). MC-122, MC-124, MC-125.

    They change the turns at the drill or the distance of the beacons. A claim has none, because its task is the same
    for both sides (MC-123).
    """
    if isinstance(given, str):
        name, spec = CATALOGUE.scenarios[given].name, published_spec(CATALOGUE.scenarios[given])
    else:
        name, spec = str(given["name"]), parse_scenario(given["spec"])
    made = {"drill": _turn_concessions, "beacons": _distance_concessions}.get(spec.goal)
    if made is None:
        return ()
    return tuple(
        Concession(value=value, task=task, scenario={"name": name, "spec": scenario_json(changed)})
        for value, task, changed in made(spec, side)
        if not check_scenario(changed).problems
    )


def _turn_concessions(spec: ScenarioSpec, side: int) -> Iterator[tuple[int, str, ScenarioSpec]]:
    """Yield fewer game turns as the attacker's concession, more as that of the drill's defender."""
    for turns in range(1, spec.turn_limit // 2 + 1):
        limit = spec.turn_limit + (turns if side else -turns)
        more = f"has to last {pluralize(turns, 'turn')} more" if side else f"has {pluralize(turns, 'turn')} fewer"
        yield turns, f"{more}, {limit} in all", spec.model_copy(update={"turn_limit": limit})


def _distance_concessions(spec: ScenarioSpec, side: int) -> Iterator[tuple[int, str, ScenarioSpec]]:
    """Yield all beacons moved towards the other side's edge, as long as none is in a zone."""
    for inches in FARTHER_IN:
        places = [(x, y - inches if side else y + inches) for x, y in objective_places(spec)]
        if all(spec.depth < y < spec.size - spec.depth for _, y in places):
            task = f"has the beacons {inches} in farther away"
            yield inches, task, spec.model_copy(update={"places": places})


def rank_of(experience: int) -> str:
    """Return the highest rank for this experience. MC-210."""
    return [rank.slug for rank in CATALOGUE.ranks.values() if experience >= rank.experience][-1]


def experience_of(flight: Flight[UnitSpec]) -> int:
    """Return the experience that a pilot gains from a battle they survived. MC-209."""
    return 1 + flight.fate.kills + flight.fate.number("specials")


def career_after(flight: Flight[UnitSpec], *, is_dead: bool) -> Career:
    """Return the pilot's record after the battle; a killed pilot gains no experience or rank. MC-209, MC-210."""
    before, kills = flight.before, flight.before.kills + flight.fate.kills
    if is_dead:
        return Career(level=before.level, kills=kills, games=before.games + 1, points=before.points)
    points = before.points + experience_of(flight)
    return Career(level=rank_of(points), kills=kills, games=before.games + 1, points=points)


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
    """Return the aftermath for each side, side A first. MC-206."""
    return tuple(_side_after(side, dice) for side in sides)


def recovery_of(face: int, *, won: bool) -> Recovery:
    """Return the fate of an eliminated unit. MC-204."""
    total = face + (WINNERS_BONUS if won else 0)
    if total <= WRITTEN_OFF_UP_TO:
        return "written-off"
    return "workshop" if total <= WORKSHOP_UP_TO else "ready"


def fate_of(face: int) -> Fate:
    """Return the fate of the pilot of a unit that was written off. MC-205."""
    if face <= KILLED_UP_TO:
        return "killed"
    return "injured" if face <= HURT_UP_TO else "unhurt"


def side_takings(side: GameSide[UnitSpec]) -> Takings:
    """Return league points and ore. Points left from the company's founding give no ore. MC-201, MC-211, MC-212.

    If a ruling on a past match left a debt, income repays it first.
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
            continue  # MC-208: a lent unit leaves anyway
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
    phrase = f"{RECOVERY_TEXTS[recovery]} ({face}{bonus} on the recovery die)"
    condition = {"written-off": None, "workshop": WORKSHOP, "ready": {}}[recovery]
    return UnitAfter(key=unit.key, condition=condition, phrase=phrase, face=face)


def _repaired(unit: UnitBefore[UnitSpec]) -> list[UnitAfter]:
    """Repair a unit that survived or stayed at home; its damage and its time in the workshop end. MC-203, MC-204."""
    if not unit.condition:
        return []
    phrase = "is out of the workshop" if unit.condition.get("workshop") else "was repaired"
    return [UnitAfter(key=unit.key, condition={}, phrase=phrase)]


def _flight_after(flight: Flight[UnitSpec], fate: FateRoll | None) -> FlightAfter:
    after = career_after(flight, is_dead=fate is not None and fate.fate == "killed")
    return FlightAfter(key=flight.key, after=after, fate=fate, promoted=after.level != flight.before.level)


class MechCampaignLeague(CampaignSystem[UnitSpec]):
    slug = "mech-campaign"
    loan_design = LOAN_KIND
    loan_pilot = PilotSpec(LOAN_RANK)
    lends_for_a_game = True
    season_points = MappingProxyType(LEAGUE_POINTS)
    tie_breakers = TIE_BREAKERS
    gives_up = (POINTS, OBJECTIVE)

    def aftermath(self, sides: Sequence[GameSide[UnitSpec]], dice: Dice, *, standing: bool) -> tuple[SideAfter, ...]:
        return aftermath(sides, dice)

    concessions = staticmethod(concessions)

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
        return standing_force(members, options, scenario)

    zone_battle = staticmethod(zone_battle)


SYSTEM = MechCampaignLeague()


__all__ = ["SYSTEM"]
