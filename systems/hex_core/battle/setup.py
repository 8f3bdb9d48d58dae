"""Set-up documents: reading, checks, states and descriptions; start places; outcomes of battles.

A Unit can be ordered to start in one third of its side's hexes. HX-059, HX-A60.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from systems.battle_display import BattleWords, ScenarioTerms, SideTerms
from systems.catalogue import load_forces
from systems.documents import DocumentError, refuse_unknown, unknown_slug
from systems.engine.events import Outcome, OwnOutcome, UnitOutcome
from systems.hex_core.battle import state as codes
from systems.hex_core.battle.ai import deployment_hex
from systems.hex_core.battle.events import REASONS
from systems.hex_core.battle.initial_state import DOCTRINES as DOCTRINE_CODES
from systems.hex_core.battle.initial_state import build_state
from systems.hex_core.battle.state import ROUND_CAP, State, Unit
from systems.hex_core.build import SYSTEM as ROSTERS
from systems.hex_core.build.datasheet import parse_condition
from systems.hex_core.build.drawing import Board, published_board
from systems.hex_core.build.legality import parse_pilot, squad_limits
from systems.hex_core.build.scenario import BOUNDS, OWN_MAP, check_scenario, parse_given
from systems.hex_core.build.spec import MachineSpec
from systems.hex_core.catalogue import CATALOGUE
from systems.hex_core.options import Options
from systems.legality import Check
from systems.orders import AutoplayOrder, field_orders, ordered_thirds, places_in_thirds
from systems.roster import CompanyMember, PilotSpec
from systems.scenarios import SIDES, ForceLimits, SideLimits, describe_units
from systems.setups import Setup, SetupSide, SetupUnit, once_a_setup

MAPS = {entry.slug: entry.name for entry in CATALOGUE.maps.values()}
DOCTRINES = {slug: slug.capitalize() for slug in DOCTRINE_CODES}
FORCES = load_forces(Path(__file__).parents[1])
EXAMPLE = ("warden", "longbow")  # the units of each side
SCENARIOS = {mission.slug: mission.name for mission in CATALOGUE.missions.values()}
MAX_ROUNDS = ROSTERS.house_rules["rounds"].maximum or codes.ROUND_CAP

ORDERS = field_orders(
    "HX-A60",
    start_rule="HX-059",
    clock="Round",
    lasts=MAX_ROUNDS,
    holds="Stays in its hex",
    closes="Closes with the nearest enemy, or the marked one, before doing anything else",
    away="Keeps its distance and stays out of sight",
    life="DP in its Torso or Cockpit",
    retreat=AutoplayOrder(
        name="retreat", label="Falls back at DP left", phase="Movement", phrase="falls back when its torso or cockpit is down to {} DP", rule="HX-A60",
        most=20, zero="never falls back", about="0: never.",
    ),
    preserve=AutoplayOrder(
        name="preserve", label="Pilot", phase="Movement", phrase="{}", rule="HX-A60",
        choices=(("pilot", "Pilot safety: falls back as soon as it loses any DP, in any area"),),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mission:
    """A mission, with its author's own map, length and forces if there are any."""

    slug: str
    name: str
    brief: str
    board: Board | None = None
    rounds: int = 0  # maximum; 0: from the house rules
    forces: ForceLimits = ForceLimits()


@dataclass(frozen=True, slots=True)
class FieldedUnit:
    """A Unit of a set-up."""

    unit: SetupUnit
    side: int
    name: str
    spec: MachineSpec  # with traits learned by its pilot
    bought: MachineSpec  # without them
    pilot: PilotSpec


def read_mission(given: str | Mapping[str, object]) -> Mission:
    """Return the mission in a set-up's scenario. Raises DocumentError if it can't be played."""
    if isinstance(given, str):
        if given not in CATALOGUE.missions:
            raise unknown_slug("scenario", "mission", given, CATALOGUE.missions)
        entry = CATALOGUE.missions[given]
        return Mission(entry.slug, entry.name, entry.brief)
    name, spec = parse_given(given)
    for problem in check_scenario(spec).problems:
        place = f"scenario.spec.{problem.place}" if problem.place else "scenario.spec"
        raise DocumentError(place, f"illegal ({problem.rule}): {problem.message}", problem.rule)
    board = spec.map.board if spec.map else None
    return Mission(spec.mission, name, spec.brief, board, spec.rounds, spec.forces)


@once_a_setup
def setup_board(setup: Setup) -> Board:
    """Return the battle's map."""
    return read_mission(setup.scenario).board or published_board(setup.terrain)


def read_unit(unit: SetupUnit, side: int, path: str, options: Mapping[str, object]) -> FieldedUnit:
    """Return the Unit, with its build checked; raises DocumentError. HX-037 to HX-052, HX-177, HX-179, HX-180."""
    if isinstance(unit.design, str):
        refuse_unknown(f"{path}.design", "design", unit.design, ROSTERS.published)
        spec = ROSTERS.published[unit.design].spec
        name = ROSTERS.published[unit.design].name
    else:
        spec = ROSTERS.parse_spec(unit.design, f"{path}.design")
        name = spec.frame.name
    for problem in ROSTERS.check_design(spec, options).problems:
        place = f"{path}.design.{problem.place}" if problem.place else f"{path}.design"
        raise DocumentError(place, f"illegal ({problem.rule}): {problem.message}", problem.rule)
    if parse_condition(unit.condition, f"{path}.condition").repair:
        raise DocumentError(f"{path}.condition.repair", "is in repair and misses the battle (HX-179)", "HX-179")
    pilot = parse_pilot(unit.pilot, f"{path}.pilot")
    learned = replace(spec, traits=(*spec.traits, *pilot.skills))
    return FieldedUnit(unit, side, unit.name or name, learned, spec, pilot)


@once_a_setup
def field_units(setup: Setup) -> tuple[FieldedUnit, ...]:
    """Return all Units in the order of the state: side A's, then side B's. Raises DocumentError."""
    return tuple(
        read_unit(unit, at, f"sides[{at}].units[{place}]", setup.options)
        for at, side in enumerate(setup.sides)
        for place, unit in enumerate(side.units)
    )


def weapon_names(units: Iterable[FieldedUnit]) -> Mapping[str, Mapping[int, str]]:
    """Return each Unit's weapon names, by unit key and slot number."""
    return {
        fielded.unit.key: {at: armed.kind.name for at, armed in enumerate(fielded.spec.weapons)} for fielded in units
    }


def drone_names(units: Iterable[FieldedUnit]) -> Mapping[str, tuple[str, ...]]:
    """Return each Unit's drone names, by unit key."""
    return {
        fielded.unit.key: tuple(
            f"{drone.name} {at}" for at, (drone, _is_clever) in enumerate(fielded.spec.drone_kinds, start=1)
        )
        for fielded in units
    }


def check_squad(
    scenario: str | Mapping[str, object], side: int, units: Iterable[FieldedUnit], options: Mapping[str, object]
) -> Check:
    """Return cost and all problems of one side's Units. HX-054."""
    members = [CompanyMember(fielded.name, fielded.bought, fielded.pilot) for fielded in units]
    return ROSTERS.check_company(scenario, members, options, side=SIDES[side])


def check_setup(setup: Setup) -> None:
    """Raise DocumentError if this set-up can't be simulated."""
    mission = read_mission(setup.scenario)
    if mission.board is None:
        refuse_unknown("terrain", "map", setup.terrain, MAPS)
    elif setup.terrain != OWN_MAP:
        raise DocumentError("terrain", f"the scenario has a map of its own: {OWN_MAP} is its terrain")
    options = ROSTERS.parse_options(setup.options)
    if Options.read(options).is_deep:
        reason = "a deep board is played at the table; battles here are wide (HX-055)"
        raise DocumentError("options.board-orientation", reason, "HX-055")
    units = field_units(setup)
    for at, side in enumerate(setup.sides):
        refuse_unknown(f"sides[{at}].doctrine", "doctrine", side.doctrine, DOCTRINES)
        if side.support or side.rolled:
            raise DocumentError(f"sides[{at}].support", "there are no support results in this system")
        own = [fielded for fielded in units if fielded.side == at]
        for problem in check_squad(setup.scenario, at, own, options).problems:
            raise DocumentError(f"sides[{at}].units", f"illegal ({problem.rule}): {problem.message}", problem.rule)
        if mission.slug == "assassination" and all(fielded.spec.unit_class.number == 5 for fielded in own):
            reason = "illegal (HX-169): the enemy needs a unit that is not of Class 5 to mark"
            raise DocumentError(f"sides[{at}].units", reason, "HX-169")
    check_places(prepare(setup), units)


def check_places(state: State, units: Sequence[FieldedUnit]) -> None:
    """Raise DocumentError if a Unit has no hex to set up in. HX-059, HX-D27."""
    for i, fielded in enumerate(units):
        at = deployment_hex(state, i)
        state.units[i].at = at
        place = f"sides[{fielded.side}].units[{fielded.unit.key}]"
        if at < 0 and fielded.spec.core == "aquatic":
            reason = "illegal (HX-019): no-water: it needs a blue hex where its side sets up"
            raise DocumentError(place, reason, "HX-019")
        if at < 0:
            raise DocumentError(place, "illegal (HX-059): there is no room for it where its side sets up", "HX-059")


class MachineOutcome(OwnOutcome):
    """The results of a Unit: damage and achievements."""

    prey: int = 0  # sum of the Classes of Units that it destroyed
    parts: int = 0  # enemy weapons, shields and drones that it destroyed
    objects: int = 0  # number secured
    mark: bool = False  # it destroyed the marked Unit
    areas: tuple[int, ...] = ()  # remaining DP
    weapons_lost: tuple[int, ...] = ()  # slot numbers, from 0
    shield: int = 0  # remaining DP
    drones_lost: int = 0


def prepare(setup: Setup) -> State:
    """Return the state before the first die."""
    units, mission = field_units(setup), read_mission(setup.scenario)
    state = build_state(
        [[fielded.spec for fielded in units if fielded.side == at] for at in range(2)],
        [side.doctrine for side in setup.sides],
        mission.slug,
        setup_board(setup),
        Options.read(setup.options),
    )
    state.battle.most_rounds = mission.rounds or state.battle.most_rounds
    return state


def outcome(setup: Setup, state: State) -> Outcome:
    """Return the outcome of a battle from its final state. HX-A13, HX-A14."""
    battle = state.battle
    names = [side.name for side in setup.sides]
    keys = [fielded.unit.key for fielded in field_units(setup)]
    causes = {codes.BY_FALL: "fall", codes.BY_BLAST: "explosion", codes.BY_ABYSS: "abyss", codes.BY_THROW: "throw"}
    units = tuple(
        UnitOutcome(
            key=keys[i],
            side=names[unit.side],
            lost=unit.status == codes.DESTROYED,
            lost_by=causes.get(unit.cause, "damage") if unit.status == codes.DESTROYED else None,
            killed_by=keys[unit.killer] if unit.status == codes.DESTROYED and unit.killer >= 0 else None,
            withdrew=unit.status == codes.INOPERATIVE,
            hits=sum(area.dp for area in unit_areas(state, i)),
            kills=unit.kills,
            own=own_outcome(state, i, unit),
        )
        for i, unit in enumerate(state.units)
    )
    winner = names[battle.winner] if battle.winner != codes.NOBODY else None
    return Outcome(winner, winner is None, REASONS[battle.reason], battle.round, units)


def unit_areas(state: State, i: int) -> list[codes.Area]:
    """Return a Unit's areas."""
    return state.areas[i * codes.AREAS : (i + 1) * codes.AREAS]


def own_outcome(state: State, i: int, unit: Unit) -> MachineOutcome:
    """Return the part of a Unit's outcome that no other game has."""
    weapons = state.weapons[i * codes.SLOTS : i * codes.SLOTS + unit.weapons]
    drones = state.drones[unit.first_drone : unit.first_drone + unit.drones]
    return MachineOutcome(
        prey=unit.kill_classes,
        parts=unit.items_destroyed,
        objects=unit.objects_secured,
        mark=bool(unit.mark_kills),
        areas=tuple(area.dp for area in unit_areas(state, i)),
        weapons_lost=tuple(slot for slot, weapon in enumerate(weapons) if weapon.full and weapon.dp == 0),
        shield=unit.shield,
        drones_lost=sum(drone.dp == 0 for drone in drones),
    )


def example(slug: str) -> Setup:
    """Return a set-up with two example units per side. Ledger 2.22."""
    sides = [
        SetupSide(
            name=name,
            doctrine=doctrine,
            units=tuple(
                SetupUnit(key=f"{letter}{place}", design=design) for place, design in enumerate(EXAMPLE, start=1)
            ),
        )
        for name, letter, doctrine in zip(("Attacker", "Defender"), "ab", DOCTRINES, strict=True)
    ]
    return Setup(
        muster="setup/1", system=slug, scenario="elimination", terrain="open-plain", sides=(sides[0], sides[1])
    )


BATTLE_WORDS = BattleWords(
    lead="A skirmish of mechs, vehicles and drones on hexes. Everything costs action points, and parts get shot off.",
    plain="Up to six units a side, or eight in the largest squad. Wipe out the other side.",
    whole_game="A hex map, two squads and up to twelve rounds",
    choices="four missions, four maps, one to eight units a side, house rules",
    duel="one unit against another on the open plain",
    trials={"hit": "to hit", "evade": "evasions", "counter": "counters", "critical": "critical hits"},
)
START_TEXT = "in the three rows nearest its edge"  # HX-059


def describe_scenario(mission: Mission) -> ScenarioTerms:
    """Describe a mission. HX-054, HX-059, HX-163 to HX-169."""
    entry = CATALOGUE.missions[mission.slug]
    size = CATALOGUE.squad_sizes["standard"]

    def side(limits: SideLimits) -> SideTerms:
        units, points = squad_limits(size, limits)
        return SideTerms(
            points=points,
            fields=describe_units(limits.model_copy(update={"units_most": units}), BOUNDS),
            starts=START_TEXT if mission.board is None else "where its map says",
        )

    return ScenarioTerms(
        slug=entry.slug,
        name=mission.name,
        brief=mission.brief,
        victory_rule=entry.victory_rule,
        turns=mission.rounds or ROUND_CAP,
        round_word="Round",
        is_terrain_free=mission.board is None,
        sides=(side(mission.forces.a), side(mission.forces.b)),
    )


def has_start_orders(setup: Setup) -> bool:
    """Return whether any Unit has a start order."""
    return any(any(ordered_thirds(side)) for side in setup.sides)


def follow_orders(setup: Setup, state: State) -> None:
    """Write ordered Units' columns into the state, as seen by their sides."""
    first = 0
    for at, side in enumerate(setup.sides):
        columns = [
            each.column if at == 0 else state.battle.columns - 1 - each.column
            for each in state.hexes
            if each.start & (1 << at)
        ]
        for place, column in places_in_thirds(ordered_thirds(side), min(columns), max(columns) + 1).items():
            state.units[first + place].ordered_column = column
        first += len(side.units)
