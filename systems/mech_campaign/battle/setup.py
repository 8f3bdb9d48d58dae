"""Set-up documents: reading, states and descriptions; ordered start places; outcomes of battles.

Units with orders are placed before the first die; the AI places all others. MC-024 to MC-027.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from systems.battle_display import BattleWords, ScenarioTerms, SideTerms
from systems.catalogue import load_forces
from systems.documents import DocumentError, refuse_unknown, unknown_slug
from systems.engine.events import Outcome, OwnOutcome, UnitOutcome
from systems.legality import Check
from systems.mech_campaign.battle import state as codes
from systems.mech_campaign.battle.events import REASONS, STATUS_SLUGS
from systems.mech_campaign.battle.initial_state import PRESETS, BattleUnit, build_state, ground_discs
from systems.mech_campaign.battle.rules.scenarios import deployment_depth, place_in_line, starts_underground
from systems.mech_campaign.battle.state import State, Unit
from systems.mech_campaign.battle.tally import is_withdrawn
from systems.mech_campaign.build import SYSTEM as ROSTERS
from systems.mech_campaign.build.datasheet import whole_condition
from systems.mech_campaign.build.scenario import (
    BY_THE_BOOK,
    MAX_TURNS,
    OWN_TABLE,
    SENTRIES,
    Ground,
    build_ground,
    check_scenario,
    parse_given,
    playable_scenario,
)
from systems.mech_campaign.build.spec import UnitSpec
from systems.mech_campaign.catalogue import CATALOGUE, DAMAGE_TO_ELIMINATE, Scenario
from systems.mech_campaign.options import Options
from systems.orders import AutoplayOrder, Starter, field_orders, orders_of, places_in_thirds, start_places
from systems.roster import CompanyMember, PilotSpec
from systems.setups import Setup, SetupSide, SetupUnit, once_a_setup

ROLLED, OPEN = "rolled", "open"
TERRAINS = {ROLLED: "Rolled before the battle", OPEN: "Open ground", OWN_TABLE: "As the scenario has it"}
DOCTRINES = {slug: preset.title for slug, preset in PRESETS.items()}
FORCES = load_forces(Path(__file__).parents[1])
EXAMPLE_FORCES = ("line-lance", "picket")
SCENARIOS = {scenario.slug: scenario.name for scenario in CATALOGUE.scenarios.values()}

ORDERS = field_orders(
    "MC-215",
    start_rule="MC-024",
    clock="turn",
    lasts=MAX_TURNS,
    holds="Stays where it is",
    closes="Closes with the nearest enemy",
    away="Keeps as far away as it can and still fire",
    life="hits of damage",
    retreat=AutoplayOrder(
        name="retreat", label="Falls back at damage", phase="Movement", phrase="falls back with {} damage",
        rule="MC-215", most=4, zero="never falls back", about="0: never.",
    ),
    preserve=AutoplayOrder(
        name="preserve", label="Pilot", phase="Movement", phrase="{}", rule="MC-215",
        choices=(("pilot", "Pilot safety: falls back as soon as it takes any damage, and repairs as soon as it can"),),
        about="Has no effect on drones and gun sentries, which have no pilot.",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FieldedUnit:
    """A unit of a set-up after reading."""

    unit: SetupUnit
    side: int
    name: str
    spec: UnitSpec
    pilot: PilotSpec
    damage: int

    @property
    def points(self) -> int:
        return self.spec.unit_kind.points


def read_scenario(given: str | Mapping[str, object]) -> Scenario:
    """Return a set-up's scenario, from a slug or from name and spec. Raises DocumentError if it can't be played."""
    if isinstance(given, str):
        if given not in CATALOGUE.scenarios:
            raise unknown_slug("scenario", "scenario", given, CATALOGUE.scenarios)
        return CATALOGUE.scenarios[given]
    name, spec = parse_given(given)
    problems = check_scenario(spec).problems
    if problems:
        first = problems[0]
        raise DocumentError(f"scenario.spec.{first.place}", f"can't be played ({first.rule}): {first.message}")
    return playable_scenario(name, spec)


def read_ground(given: str | Mapping[str, object]) -> Ground:
    """Return the table of a set-up's scenario; raises DocumentError if it is unreadable."""
    return BY_THE_BOOK if isinstance(given, str) else build_ground(parse_given(given)[1])


def scenario_points_limit(given: str | Mapping[str, object]) -> int:
    """Return a side's points limit in that scenario; 0: from the house rules. MC-005."""
    return 0 if isinstance(given, str) else parse_given(given)[1].force_points


def read_unit(unit: SetupUnit, side: int, path: str, options: Mapping[str, object]) -> FieldedUnit:
    """Return the unit, with kind, pilot and damage checked; raises DocumentError. MC-014, MC-028, MC-202, MC-207."""
    if isinstance(unit.design, str):
        refuse_unknown(f"{path}.design", "unit kind", unit.design, ROSTERS.published)
        spec = ROSTERS.published[unit.design].spec
    else:
        spec = ROSTERS.parse_spec(unit.design, f"{path}.design")
    for problem in ROSTERS.check_design(spec, options).problems:
        raise DocumentError(f"{path}.design", f"illegal ({problem.rule}): {problem.message}")
    pilot = ROSTERS.parse_pilot(pilot_fields(unit.pilot, f"{path}.pilot"), f"{path}.pilot")
    if unit.pilot is not None:
        for problem in ROSTERS.check_pilot(pilot, spec):
            raise DocumentError(f"{path}.pilot", f"illegal ({problem.rule}): {problem.message}")
    condition = whole_condition(unit.condition, f"{path}.condition")
    return FieldedUnit(unit, side, unit.name or spec.unit_kind.name, spec, pilot, condition.starting_damage)


def pilot_fields(given: Mapping[str, object] | None, path: str) -> dict[str, object] | None:
    """Return a set-up's pilot without `is_new`, which has no effect here; raises DocumentError."""
    if given is None:
        return None
    fields = dict(given)
    if not isinstance(fields.pop("is_new", False), bool):
        raise DocumentError(f"{path}.is_new", "must be true or false")
    return fields


@once_a_setup
def field_units(setup: Setup) -> tuple[FieldedUnit, ...]:
    """Return all units in the order of the state's list: side A's, then side B's. Raises DocumentError."""
    options = ROSTERS.parse_options(setup.options, "options")
    return tuple(
        read_unit(unit, at, f"sides[{at}].units[{place}]", options)
        for at, side in enumerate(setup.sides)
        for place, unit in enumerate(side.units)
    )


def check_force(
    scenario: str | Mapping[str, object], units: Iterable[FieldedUnit], options: Mapping[str, object]
) -> Check:
    """Return points and all problems of one side's units. MC-002 to MC-005, MC-013."""
    members = [CompanyMember(fielded.name, fielded.spec, fielded.pilot) for fielded in units]
    return ROSTERS.check_company(scenario, members, options)


def check_setup(setup: Setup) -> None:
    """Raise DocumentError if this set-up can't be simulated. MC-002 to MC-005, MC-028."""
    read_scenario(setup.scenario)
    refuse_unknown("terrain", "terrain", setup.terrain, TERRAINS)
    if bool(read_ground(setup.scenario).pieces) != (setup.terrain == OWN_TABLE):
        if setup.terrain == OWN_TABLE:
            raise DocumentError("terrain", f"the scenario places none; choose one of {ROLLED}, {OPEN}")
        raise DocumentError("terrain", f"the scenario places its own; it is played on {OWN_TABLE}")
    units = field_units(setup)
    for at, side in enumerate(setup.sides):
        refuse_unknown(f"sides[{at}].doctrine", "doctrine", side.doctrine, DOCTRINES)
        if side.support or side.rolled:
            raise DocumentError(f"sides[{at}].support", "there are no support results in this system")
        own = [fielded for fielded in units if fielded.side == at]
        for problem in check_force(setup.scenario, own, ROSTERS.parse_options(setup.options)).problems:
            raise DocumentError(f"sides[{at}].units", f"illegal ({problem.rule}): {problem.message}")


class MechOutcome(OwnOutcome):
    """The results of a unit. The damage fields never apply in this game, but its records have always had them."""

    legs: int = 0
    weapons_lost: tuple[int, ...] = ()
    systems_lost: tuple[int, ...] = ()
    damage_control_used: bool = False
    infantry_kills_taken: int = 0
    stand: str | None = None  # its final status, if it isn't lost
    specials: int | None = None  # number of successful special actions


def prepare(setup: Setup) -> State:
    """Return the state before the first die. Ledger 6.3."""
    units = field_units(setup)
    ground = read_ground(setup.scenario)
    return build_state(
        [[BattleUnit(fielded.spec.kind, fielded.damage) for fielded in units if fielded.side == at] for at in range(2)],
        [side.doctrine for side in setup.sides],
        read_scenario(setup.scenario),
        Options.read(setup.options),
        None if setup.terrain == ROLLED else ground_discs(ground),
        ground,
    )


def outcome(setup: Setup, state: State) -> Outcome:
    """Return the outcome of a battle from its final state. MC-104, MC-120 to MC-125."""
    battle = state.battle
    names = [side.name for side in setup.sides]
    keys = [fielded.unit.key for fielded in field_units(setup)]
    units = []
    for i, unit in enumerate(state.units):
        lost = unit.status == codes.DEAD
        units.append(
            UnitOutcome(
                key=keys[i],
                side=names[unit.side],
                lost=lost,
                lost_by="hits" if lost else None,
                killed_by=keys[unit.killer] if lost else None,
                withdrew=is_withdrawn(state, i),
                hits=DAMAGE_TO_ELIMINATE - unit.damage,
                kills=unit.kills,
                own=MechOutcome(stand=None if lost else STATUS_SLUGS[unit.status], specials=unit.specials),
            )
        )
    winner = names[battle.winner] if battle.winner != codes.NOBODY else None
    return Outcome(winner, winner is None, REASONS[battle.reason], battle.turn, tuple(units))


def example(slug: str) -> Setup:
    """Return a battle between two of the ledger's sample forces. Ledger 2.14."""
    sides = [
        SetupSide(
            name=FORCES[name]["name"],
            doctrine=doctrine,
            units=tuple(
                SetupUnit(key=f"{letter}{place}", design=kind)
                for place, kind in enumerate(FORCES[name]["units"], start=1)
            ),
        )
        for letter, name, doctrine in zip("ab", EXAMPLE_FORCES, DOCTRINES, strict=True)
    ]
    return Setup(muster="setup/1", system=slug, scenario="claim-dispute", terrain=ROLLED, sides=(sides[0], sides[1]))


OBJECTIVES = {"beacons": "beacon", "drill": "the drill head"}
WORDS = BattleWords(
    lead="A battle on a table of 36 by 36 inches: line of sight, cover, action points, suppression, target locks.",
    plain="Four to six units a side. Break the enemy's resolve or wipe them out within 12 turns.",
    whole_game="A table in inches, three beacons, eight turns",
    choices="three scenarios, four to six units a side, terrain that is rolled, house rules",
    trials={"hit": "to hit", "repair": "repairs", "charge": "charges"},
)


def describe_scenario(given: str | Mapping[str, object]) -> ScenarioTerms:
    """Describe the scenario. MC-002, MC-022, MC-024."""
    limits = CATALOGUE.force_limits
    fields = f"{limits['size-min'].value} to {limits['size-max'].value} units, more than half of them mechs"
    scenario, deep = read_scenario(given), read_ground(given).zone_h // 100
    starts = f"within {deep} in of the own edge, gun sentries within {SENTRIES * deep} in"
    side = SideTerms(points=scenario_points_limit(given) or None, fields=fields, starts=starts)
    return ScenarioTerms(
        slug=scenario.slug,
        name=scenario.name,
        brief=scenario.brief,
        victory_rule=scenario.victory_rule,
        turns=scenario.turn_limit,
        sides=(side, side),
    )


def describe_objectives(scenario: Scenario) -> tuple[str, ...]:
    """Return the objectives' names, by number; beacons are numbered from the left, from 1."""
    name = OBJECTIVES.get(scenario.goal, "")
    if len(scenario.places_h) < 2:
        return (name,)
    return tuple(f"{name} {number}" for number in range(1, len(scenario.places_h) + 1))


def place_title(setup: Setup) -> str:
    """Return the scenario and its ground, in a few words."""
    name = read_scenario(setup.scenario).name
    return f"{name} on open ground" if setup.terrain == OPEN else name


ROOM = codes.SPACING // 2  # MC-024: 1 in apart


def follow_orders(setup: Setup, state: State) -> None:
    """Apply the orders that depend on the kind of unit: starting positions, and saving the pilot if it has one."""
    fielded = field_units(setup)
    for unit, each in zip(state.units, fielded, strict=True):
        unit.ordered_preserve &= int(each.spec.unit_kind.is_piloted)
    for at in range(2):
        own = [place for place, each in enumerate(fielded) if each.side == at]
        thirds = {place: third for place in own if (third := _start_third(setup, state, fielded[place], place))}
        if thirds:
            _place_side(state, own, thirds)


def _start_third(setup: Setup, state: State, fielded: FieldedUnit, place: int) -> str:
    """Return the third of the edge in which a unit is ordered to start.

    Orders to the whole side don't apply to units that start off the table.
    """
    starts_off = state.units[place].kind == codes.DRONE or starts_underground(state, place)
    given = fielded.unit.standing if starts_off else orders_of(setup.sides[fielded.side], fielded.unit)
    return str(given.get("start", ""))


def _place_side(state: State, own: Sequence[int], thirds: dict[int, str]) -> None:
    """Set up a side with start orders: the row, and the gun sentries in front of it. MC-024, MC-026, MC-027."""
    units = state.units
    drones = [place for place in own if place in thirds and units[place].kind == codes.DRONE]
    for nth, x in places_in_thirds([thirds[place] for place in drones], 0, state.battle.table).items():
        _place_unit(state, units[drones[nth]], x)
    on_ground = [place for place in own if units[place].kind != codes.DRONE]
    for is_sentry in (False, True):
        row = [
            place
            for place in on_ground
            if (units[place].kind == codes.SENTRY) == is_sentry
            and (place in thirds or not starts_underground(state, place))
        ]
        line = [
            Starter(thirds.get(place, ""), place_in_line(state.battle, nth, len(row)), ROOM)
            for nth, place in enumerate(row)
        ]
        for place, x in zip(row, start_places(line, 0, state.battle.table), strict=True):
            _place_unit(state, units[place], x)


def _place_unit(state: State, unit: Unit, x: int) -> None:
    """Place the unit at distance x from the left end of its edge, as seen by its side."""
    unit.placed = 1
    unit.status = codes.TABLE
    unit.x = x
    unit.y = deployment_depth(state.battle, int(unit.kind == codes.SENTRY))
    if unit.side == codes.SIDE_B:
        unit.x, unit.y = state.battle.table - unit.x, state.battle.table - unit.y
