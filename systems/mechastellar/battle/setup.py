"""Set-up documents: reading, checks, states and descriptions; start places; outcomes of battles.

A unit can be ordered to start in one third of its side's line. ST-023, ST-412.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from systems.battle_display import BattleWords, ScenarioTerms, SideTerms
from systems.catalogue import load_forces
from systems.documents import DocumentError, refuse_unknown, unknown_slug
from systems.engine.events import Outcome, OwnOutcome, UnitOutcome
from systems.legality import Check
from systems.mechastellar.battle import state as codes
from systems.mechastellar.battle.ai_turn import MARGIN
from systems.mechastellar.battle.effects import REASONS
from systems.mechastellar.battle.initial_state import AI_STYLES, BattleUnit, build_state
from systems.mechastellar.battle.rules.resources import loss_penalty
from systems.mechastellar.battle.state import State, Unit
from systems.mechastellar.build import SYSTEM as ROSTERS
from systems.mechastellar.build.datasheet import parse_condition
from systems.mechastellar.build.drawing import Table
from systems.mechastellar.build.legality import at_crew_level
from systems.mechastellar.build.scenario import (
    MAX_ROUNDS,
    OWN_TABLE,
    ScenarioSpec,
    check_scenario,
    parse_given,
    scenario_table,
)
from systems.mechastellar.build.spec import UnitSpec, profile_points
from systems.mechastellar.catalogue import CATALOGUE
from systems.mechastellar.options import Options
from systems.orders import AutoplayOrder, field_orders, ordered_thirds, places_in_thirds
from systems.roster import CompanyMember, PilotSpec
from systems.setups import Setup, SetupSide, SetupUnit, once_a_setup

MAPS = {entry.slug: entry.name for entry in CATALOGUE.maps.values()}
DOCTRINES = {slug: preset.title for slug, preset in AI_STYLES.items()}
FORCES = load_forces(Path(__file__).parents[1])
EXAMPLE = ("white-asura", "gamma-apollo", "cyclodom")  # the units of each side
SCENARIOS = {scenario.slug: scenario.name for scenario in CATALOGUE.scenarios.values()}

ORDERS = field_orders(
    "ST-412",
    start_rule="ST-023",
    clock="Round",
    lasts=MAX_ROUNDS,
    holds="Stays where it is",
    closes="Closes with the nearest enemy",
    away="Keeps its distance, near its own table edge",
    life="HP",
    retreat=AutoplayOrder(
        name="retreat", label="Falls back at (thousand HP left)", phase="Movement", phrase="falls back at {},000 HP", rule="ST-412",
        most=20, zero="never falls back", about="0: never.",
    ),
    preserve=AutoplayOrder(
        name="preserve", label="Pilot", phase="Movement", phrase="{}", rule="ST-412",
        choices=(("pilot", "Pilot safety: falls back as soon as it loses any HP"),),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FieldedUnit:
    """A unit of a set-up, at the level at which it plays, with its remaining HP."""

    unit: SetupUnit
    side: int
    name: str
    spec: UnitSpec
    pilot: PilotSpec
    hp: int


def read_scenario(given: str | Mapping[str, object]) -> tuple[str, ScenarioSpec]:
    """Return name and spec of a set-up's scenario. Raises DocumentError if it can't be played."""
    if isinstance(given, str):
        if given not in CATALOGUE.scenarios:
            raise unknown_slug("scenario", "scenario", given, CATALOGUE.scenarios)
        entry = CATALOGUE.scenarios[given]
        return entry.name, ScenarioSpec(brief=entry.brief)
    name, spec = parse_given(given)
    for problem in check_scenario(spec).problems:
        reason = f"illegal ({problem.rule}): {problem.message}"
        raise DocumentError(f"scenario.spec.{problem.place}", reason, problem.rule)
    return name, spec


def setup_table(setup: Setup) -> Table:
    """Return a set-up's table."""
    return scenario_table(read_scenario(setup.scenario)[1], setup.terrain)


def read_unit(unit: SetupUnit, side: int, path: str, options: Mapping[str, object]) -> FieldedUnit:
    """Return the unit, with its profile checked; raises DocumentError. ST-002 to ST-011, ST-401, ST-405, ST-406."""
    if isinstance(unit.design, str):
        refuse_unknown(f"{path}.design", "design", unit.design, ROSTERS.published)
        spec = ROSTERS.published[unit.design].spec
        name = ROSTERS.published[unit.design].name
    else:
        spec = ROSTERS.parse_spec(unit.design, f"{path}.design")
        name = spec.unit_kind.name
    pilot = ROSTERS.parse_pilot(unit.pilot, f"{path}.pilot")
    spec = at_crew_level(spec, pilot)
    for problem in ROSTERS.check_design(spec, options).problems:
        place = f".{problem.place}" if problem.place else ""
        raise DocumentError(f"{path}.design{place}", f"illegal ({problem.rule}): {problem.message}", problem.rule)
    condition = parse_condition(unit.condition, f"{path}.condition")
    hp = spec.hp if condition.hits is None else condition.hits
    if not spec.hp <= 2 * hp <= 2 * spec.hp:
        reason = f"{hp} of {spec.hp} HP is not half of them at least (ST-406)"
        raise DocumentError(f"{path}.condition.hits", reason, "ST-406")
    return FieldedUnit(unit, side, unit.name or name, spec, pilot, hp)


@once_a_setup
def field_units(setup: Setup) -> tuple[FieldedUnit, ...]:
    """Return all units in the order of the state: side A's, then side B's. Raises DocumentError."""
    options = ROSTERS.parse_options(setup.options, "options")
    return tuple(
        read_unit(unit, at, f"sides[{at}].units[{place}]", options)
        for at, side in enumerate(setup.sides)
        for place, unit in enumerate(side.units)
    )


def weapon_names(units: Iterable[FieldedUnit]) -> Mapping[str, Sequence[str]]:
    """Return each unit's weapon names, by unit key."""
    return {fielded.unit.key: [weapon.name for weapon in fielded.spec.weapons] for fielded in units}


def check_force(
    scenario: str | Mapping[str, object], units: Iterable[FieldedUnit], options: Mapping[str, object]
) -> Check:
    """Return points and all problems of one side's units. ST-013."""
    members = [CompanyMember(fielded.name, fielded.spec, fielded.pilot) for fielded in units]
    return ROSTERS.check_company(scenario, members, options)


def check_setup(setup: Setup) -> None:
    """Raise DocumentError if this set-up can't be simulated. ST-002 to ST-013."""
    name, scenario = read_scenario(setup.scenario)
    if setup.terrain == OWN_TABLE and not scenario.has_table:
        raise DocumentError("terrain", f"{name} has no table of its own; choose one of {', '.join(MAPS)}")
    if setup.terrain != OWN_TABLE:
        refuse_unknown("terrain", "map", setup.terrain, MAPS)
    units = field_units(setup)
    for at, side in enumerate(setup.sides):
        refuse_unknown(f"sides[{at}].doctrine", "doctrine", side.doctrine, DOCTRINES)
        if side.support or side.rolled:
            raise DocumentError(f"sides[{at}].support", "there are no support results in this system")
        own = [fielded for fielded in units if fielded.side == at]
        has_ship = any(fielded.spec.is_warship for fielded in own)
        for place, fielded in enumerate(own):
            if fielded.spec.aboard and not has_ship:
                reason = "begins on board, and its side has no Warship (ST-203)"
                raise DocumentError(f"sides[{at}].units[{place}].design.aboard", reason, "ST-203")
        for problem in check_force(setup.scenario, own, ROSTERS.parse_options(setup.options)).problems:
            raise DocumentError(f"sides[{at}].units", f"illegal ({problem.rule}): {problem.message}", problem.rule)


class StellarOutcome(OwnOutcome):
    """The results of a unit: damage and achievements. ST-403, ST-409."""

    damage: int = 0  # damage taken
    dealt: int = 0
    scored: int = 0  # victory points
    captured: int = 0  # control points taken
    leaders: int = 0  # Level 1+ units and Commanders that it destroyed. ST-403
    challenges: int = 0  # number won. ST-047, ST-048
    commander: bool = False
    boost: int = 0  # points left
    killed: tuple[str, ...] = ()  # keys of the units that it destroyed


def prepare(setup: Setup) -> State:
    """Return the state before the first die.

    A scenario's own Rounds and table override the mission's. ST-020, ST-370.
    """
    units = field_units(setup)
    state = build_state(
        [[BattleUnit(fielded.spec, fielded.hp) for fielded in units if fielded.side == at] for at in range(2)],
        [side.doctrine for side in setup.sides],
        setup_table(setup),
        Options.read(setup.options),
    )
    scenario = read_scenario(setup.scenario)[1]
    state.battle.rounds = scenario.rounds or state.battle.rounds
    state.battle.table = float(scenario.size)
    return state


def outcome(setup: Setup, state: State) -> Outcome:
    """Return the outcome of a battle from its final state. ST-371, ST-372."""
    battle = state.battle
    names = [side.name for side in setup.sides]
    keys = [fielded.unit.key for fielded in field_units(setup)]
    units = tuple(
        UnitOutcome(
            key=keys[i],
            side=names[unit.side],
            lost=unit.status == codes.DESTROYED,
            lost_by="damage" if unit.status == codes.DESTROYED else None,
            killed_by=keys[unit.killer] if unit.killer >= 0 else None,
            withdrew=False,
            hits=max(0, unit.hp),
            kills=unit.kills,
            own=own_outcome(state, i, unit, keys),
        )
        for i, unit in enumerate(state.units)
    )
    winner = names[battle.winner] if battle.winner != codes.NOBODY else None
    return Outcome(winner, winner is None, REASONS[battle.reason], battle.round, units)


def loss_penalty_of(state: State, side: int) -> int:
    """Return the penalty for a side's casualties, 0 or less."""
    own = state.sides[side]
    units = sum(unit.side == side for unit in state.units)
    return -loss_penalty(units, own.lost, own.lost_big, state.battle.finale)


def own_outcome(state: State, i: int, unit: Unit, keys: Sequence[str]) -> StellarOutcome:
    """Return the part of a unit's outcome that no other game has. The Commander gets the score for crippled enemies."""
    killed = [k for k, other in enumerate(state.units) if other.killer == i and other.side != unit.side]
    side = state.sides[unit.side]
    rest = 0
    if side.commander == i:
        own = [other for other in state.units if other.side == unit.side]
        rest = side.score - loss_penalty_of(state, unit.side) - sum(other.scored for other in own)
    return StellarOutcome(
        damage=unit.damage,
        dealt=unit.dealt,
        scored=unit.scored + rest,
        captured=unit.captured,
        leaders=sum(bool(state.units[k].elite) or k == state.sides[1 - unit.side].commander for k in killed),
        challenges=unit.duels,
        commander=side.commander == i,
        boost=unit.boost,
        killed=tuple(keys[k] for k in killed),
    )


def count_deeds(setup: Setup, key: str, ends: Mapping[str, Mapping[str, object]]) -> Mapping[str, int]:
    """Return a unit's kills, by kind and level, and whether it was the Commander. ST-409."""
    found: Counter[str] = Counter()
    killed = {other for other, end in ends.items() if end["killed_by"] == key and end["side"] != ends[key]["side"]}
    for fielded in field_units(setup) if killed else ():
        if fielded.unit.key in killed:
            found[f"kills, {fielded.spec.unit_kind.name} level {fielded.spec.level}"] += 1
    if ends[key].get("commander"):
        found["times Commander"] = 1
    return dict(sorted(found.items()))


def example(slug: str) -> Setup:
    """Return a set-up with three sample profiles per side. Ledger 6.10."""
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
    return Setup(muster="setup/1", system=slug, scenario="versus", terrain="standard", sides=(sides[0], sides[1]))


def unit_points(fielded: FieldedUnit) -> int:
    """Return a unit's points in a margin. ST-012."""
    return profile_points(fielded.spec)


BATTLE_WORDS = BattleWords(
    lead="Giant robots, monsters and warships on a table of 48 by 48 inches: pools of ten-sided dice, and Momentum that pays for skill.",
    plain="One to twelve units a side; five control points, five Rounds, and victory points for what you destroy.",
    whole_game="A table in inches, five control points, five Rounds",
    choices="the core and the advanced rules, one to twelve units a side, house rules",
    duel="one unit against another on the standard table",
    trials={"hit": "to hit", "defence": "to defend", "save": "armour saves", "morale": "Morale Saves"},
)


def describe_scenario(name: str, spec: ScenarioSpec) -> ScenarioTerms:
    """Describe a scenario. ST-013, ST-360 to ST-382."""
    entry = CATALOGUE.scenarios["versus"]
    force = CATALOGUE.limits["force"]
    starts = f"within {spec.size / 4:g} inches of the own table edge"  # ST-023
    side = SideTerms(points=spec.force_points or None, fields=f"{force.least} to {force.most} units", starts=starts)
    return ScenarioTerms(
        slug=entry.slug,
        name=name,
        brief=spec.brief,
        victory_rule=entry.victory_rule,
        turns=spec.rounds or entry.rounds,
        round_word="round",
        sides=(side, side),
    )


INCH = 100  # hundredths of an inch


def follow_orders(setup: Setup, state: State) -> None:
    """Write ordered units' columns into the state, as seen by their sides. Units may overlap. ST-D94."""
    low, high = round(INCH * MARGIN), round(INCH * (state.battle.table - MARGIN))
    first = 0
    for side in setup.sides:
        for place, column in places_in_thirds(ordered_thirds(side), low, high).items():
            state.units[first + place].column = column / INCH
        first += len(side.units)
