"""Set-up documents: reading, checks, states and descriptions; start places; outcomes of battles.

The rules of deployment apply to start places: BS-046, BS-185, BS-186.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

from systems.battle_display import BattleWords, ScenarioTerms, SideTerms
from systems.blazing_steel.battle import state as codes
from systems.blazing_steel.battle.ai import default_place
from systems.blazing_steel.battle.events import REASONS
from systems.blazing_steel.battle.initial_state import AI_STYLES, build_state
from systems.blazing_steel.battle.rules import TINY
from systems.blazing_steel.battle.rules.rounds import points_share
from systems.blazing_steel.battle.state import State, Unit
from systems.blazing_steel.build import SYSTEM as ROSTERS
from systems.blazing_steel.build.datasheet import parse_condition
from systems.blazing_steel.build.drawing import Table
from systems.blazing_steel.build.scenario import (
    BOUNDS,
    MAX_ROUNDS,
    OWN_TABLE,
    ScenarioSpec,
    check_scenario,
    parse_given,
    read_spec,
    scenario_table,
)
from systems.blazing_steel.build.spec import SPEC_FIELDS, WEAPON_SLOTS, WarmechSpec
from systems.blazing_steel.catalogue import CATALOGUE
from systems.blazing_steel.options import Options
from systems.catalogue import load_forces
from systems.documents import DocumentError, refuse_unknown, unknown_slug
from systems.engine.events import Outcome, OwnOutcome, UnitOutcome
from systems.legality import Check
from systems.orders import AutoplayOrder, Starter, field_orders, ordered_thirds, start_places
from systems.roster import CompanyMember
from systems.scenarios import SIDES, SideLimits, describe_units
from systems.setups import Setup, SetupPosition, SetupSide, SetupUnit, once_a_setup
from systems.spaces.inches import squared

BATTLE_WORDS = BattleWords(
    lead="A skirmish of Warmechs on a table of 48 by 48 inches: two actions at once, dice against dice, heat that merges.",
    plain="One to ten Warmechs a side. Wipe out the other side, or have more victory points after five rounds.",
    whole_game="A table in inches, a hill, five rounds",
    choices="three maps, one to ten Warmechs a side, house rules",
    duel="one Warmech against another on the standard map",
    trials={"hit": "to hit", "dodge": "dodging and flak", "save": "saves"},
)
START_TEXT = "at the own table edge, then two moves each"  # BS-185, BS-186


def describe_scenario(name: str, spec: ScenarioSpec) -> ScenarioTerms:
    """Describe a scenario. BS-014, BS-185 to BS-197."""
    entry = CATALOGUE.scenarios["skirmish"]

    def side(limits: SideLimits) -> SideTerms:
        most = limits.points_most or spec.points or None
        return SideTerms(points=most, fields=describe_units(limits, BOUNDS), starts=START_TEXT)

    return ScenarioTerms(
        slug=entry.slug,
        name=name,
        brief=spec.brief,
        victory_rule=entry.victory_rule,
        turns=spec.rounds or entry.rounds,
        round_word="round",
        is_terrain_free=not spec.has_table,
        sides=(side(spec.forces.a), side(spec.forces.b)),
    )


PlacedWarmech = tuple[str, WarmechSpec, SetupPosition | None]  # name, build and place of a Warmech

DEPLOYMENT_MOVES = 2  # moves per deployment
INCH = 100  # hundredths of an inch
AHEAD = (90, -90)  # in degrees, for side A and side B
PI = Decimal("3.14159265358979323846264338327950288419716939937511")


def direction(degrees: int) -> tuple[float, float]:
    """Return the unit vector for whole degrees from east, counter-clockwise.

    The result is the same to the last bit on every machine.
    """
    quarters, rest = divmod(degrees, 90)
    x, y = (exact_sine(90 - rest), exact_sine(rest))
    for _ in range(quarters % 4):
        x, y = -y, x
    return x + 0.0, y + 0.0  # turns -0.0 into 0.0


def exact_sine(degrees: int) -> float:
    """Return the double nearest to the sine of 0 to 90 degrees."""
    if degrees == 90:
        return 1.0
    with localcontext() as context:
        context.prec = 50
        angle = PI * degrees / 180
        term = total = angle
        for n in range(2, 60, 2):
            term *= -angle * angle / (n * (n + 1))
            total += term
        return float(total)


def take_place(unit: codes.Unit, position: SetupPosition) -> None:
    """Place the Warmech before the battle; by default it faces the enemy's edge. BS-185."""
    unit.placed = 1
    unit.x = position.x
    unit.y = position.y
    unit.face_x, unit.face_y = direction(AHEAD[unit.side] if position.facing is None else position.facing)


def check_starts(setup: Setup) -> None:
    """Raise DocumentError for a Warmech with both a start order and a place. BS-185."""
    for at, side in enumerate(setup.sides):
        for place, third in enumerate(ordered_thirds(side)):
            if third and side.units[place].position is not None:
                path = f"sides[{at}].standing" if "start" in side.standing else f"sides[{at}].units[{place}].standing"
                reason = (
                    "says nothing where the set-up says where its Warmechs stand; leave one of the two out (BS-185)"
                )
                raise DocumentError(f"{path}.start", reason, "BS-185")


def follow_orders(setup: Setup, state: codes.State) -> None:
    """Place Warmechs along their edges, in the thirds of their orders. BS-185."""
    first = 0
    for side in setup.sides:
        units = list(enumerate(state.units[first : first + len(side.units)], start=first))
        thirds = ordered_thirds(side)
        if any(thirds):
            line = [
                Starter(third, round(INCH * default_place(state, i)), round(INCH * unit.radius))
                for third, (i, unit) in zip(thirds, units, strict=True)
            ]
            places = start_places(line, 0, round(INCH * state.battle.table))
            for (_i, unit), x in zip(units, places, strict=True):
                unit.line_x = x / INCH  # for all, because default places are rounded and others stand close by
        first += len(side.units)


def check_places(side: int, table: Table, placed: Sequence[PlacedWarmech], path: str) -> None:
    """Raise DocumentError if a side's Warmechs aren't allowed at their places in a set-up."""
    found = [each for _name, _spec, each in placed]
    if None not in found:
        for at in range(len(placed)):
            _check_place(side, table, placed, at, f"{path}[{at}].position")
    elif any(found):
        at = found.index(None)
        reason = f"{placed[at][0]} has none, and others of its side have one: place all of a side or none (BS-185)"
        raise DocumentError(f"{path}[{at}].position", reason, "BS-185")


def _check_place(side: int, table: Table, placed: Sequence[PlacedWarmech], at: int, path: str) -> None:
    name, spec, position = placed[at]
    assert position is not None
    radius = spec.base.radius_h / 100
    for axis in ("x", "y"):
        if not radius - TINY <= getattr(position, axis) <= table.size - radius + TINY:
            most = table.size - radius
            reason = f"{name} is outside the table: its base stands on it from {radius:g} to {most:g} in (BS-046)"
            raise DocumentError(f"{path}.{axis}", reason, "BS-046")
    for x, y, block in table.blocks:
        if _overlap(position, float(x), float(y), radius + block):
            raise DocumentError(
                path, f"{name} stands on the block at ({x:g}, {y:g}), which no base may enter (BS-046)", "BS-046"
            )
    reach = radius + DEPLOYMENT_MOVES * spec.frame.move_in
    if (position.y if side == codes.SIDE_A else table.size - position.y) > reach + TINY:
        edge = f"{reach:g} at most" if side == codes.SIDE_A else f"{table.size - reach:g} at least"
        reason = f"{name} is outside its own zone: its edge and {DEPLOYMENT_MOVES} Moves of {spec.frame.move_in} in end at y {edge} (BS-186)"
        raise DocumentError(f"{path}.y", reason, "BS-186")
    for other, its_spec, its in placed[:at]:
        assert its is not None
        if _overlap(position, its.x, its.y, radius + its_spec.base.radius_h / 100):
            raise DocumentError(path, f"{name} overlaps {other}; bases stand beside each other (BS-046)", "BS-046")


def _overlap(position: SetupPosition, x: float, y: float, least: float) -> bool:
    return squared(position.x, position.y, x, y) < (least - TINY) * (least - TINY)


MAPS = {entry.slug: entry.name for entry in CATALOGUE.maps.values()}
DOCTRINES = {slug: preset.title for slug, preset in AI_STYLES.items()}
FORCES = load_forces(Path(__file__).parents[1])
EXAMPLE = ("skimmer", "hawker")  # the units of each side
SCENARIOS = {scenario.slug: scenario.name for scenario in CATALOGUE.scenarios.values()}

ORDERS = field_orders(
    "BS-AR37",
    start_rule="BS-185",
    clock="round",
    lasts=MAX_ROUNDS,
    holds="Stays where it is",
    closes="Closes with the nearest enemy",
    away="Keeps away from the nearest enemy",
    life="points of structure",
    retreat=AutoplayOrder(
        name="retreat", label="Falls back at structure left", phase="Movement", phrase="falls back when its structure is down to {}", rule="BS-AR37",
        most=12, zero="never falls back", about="0: never.",
    ),
    preserve=AutoplayOrder(
        name="preserve", label="Warmech", phase="Movement", phrase="{}", rule="BS-AR37",
        choices=(("warmech", "Safety first: falls back as soon as it takes any damage, and cools whenever it might overheat"),),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FieldedUnit:
    """A Warmech of a set-up."""

    unit: SetupUnit
    side: int
    name: str
    spec: WarmechSpec


def read_scenario(given: str | Mapping[str, object]) -> tuple[str, ScenarioSpec]:
    """Return name and spec of a set-up's scenario. Raises DocumentError if it can't be played."""
    if isinstance(given, str):
        if given not in CATALOGUE.scenarios:
            raise unknown_slug("scenario", "scenario", given, CATALOGUE.scenarios)
        return CATALOGUE.scenarios[given].name, read_spec(given)
    name, spec = parse_given(given)
    for problem in check_scenario(spec).problems:
        reason = f"illegal ({problem.rule}): {problem.message}"
        raise DocumentError(f"scenario.spec.{problem.place}", reason, problem.rule)
    return name, spec


def read_unit(unit: SetupUnit, side: int, path: str, options: Mapping[str, object]) -> FieldedUnit:
    """Return the Warmech, with its build checked; raises DocumentError. BS-001 to BS-012, BS-C04, BS-C09."""
    if isinstance(unit.design, str):
        refuse_unknown(f"{path}.design", "design", unit.design, ROSTERS.published)
        spec = ROSTERS.published[unit.design].spec
        name = ROSTERS.published[unit.design].name
    else:
        spec = ROSTERS.parse_spec(unit.design, f"{path}.design")
        name = spec.frame.name
    for problem in ROSTERS.check_design(spec, options).problems:
        place = f".{problem.place}" if problem.place in SPEC_FIELDS else ""
        raise DocumentError(f"{path}.design{place}", f"illegal ({problem.rule}): {problem.message}", problem.rule)
    if unit.pilot is not None:
        raise DocumentError(f"{path}.pilot", "Warmechs have no pilots (BS-C09)", "BS-C09")
    if parse_condition(unit.condition, f"{path}.condition").repair:
        raise DocumentError(f"{path}.condition.repair", "is in repair and misses the battle (BS-C04)", "BS-C04")
    return FieldedUnit(unit, side, unit.name or name, spec)


@once_a_setup
def field_units(setup: Setup) -> tuple[FieldedUnit, ...]:
    """Return all Warmechs in the order of the state's list: side A's, then side B's. Raises DocumentError."""
    options = ROSTERS.parse_options(setup.options, "options")
    return tuple(
        read_unit(unit, at, f"sides[{at}].units[{place}]", options)
        for at, side in enumerate(setup.sides)
        for place, unit in enumerate(side.units)
    )


def weapon_names(units: Iterable[FieldedUnit]) -> Mapping[str, Mapping[int, str]]:
    """Return each Warmech's weapon names, by unit key and slot number."""
    return {
        fielded.unit.key: {
            at: f"{CATALOGUE.weapons[slug].name if slug in CATALOGUE.weapons else CATALOGUE.melee[slug].name} ({slot})"
            for at, slot in enumerate(WEAPON_SLOTS)
            if (slug := fielded.spec.option(slot))
        }
        for fielded in units
    }


def setup_table(setup: Setup) -> Table:
    """Return a set-up's table."""
    return scenario_table(read_spec(setup.scenario), setup.terrain)


def check_force(
    scenario: str | Mapping[str, object], side: int, units: Iterable[FieldedUnit], options: Mapping[str, object]
) -> Check:
    """Return points and all problems of one side's Warmechs. BS-014."""
    members = [CompanyMember(fielded.name, fielded.spec, None) for fielded in units]
    return ROSTERS.check_company(scenario, members, options, side=SIDES[side])


def check_setup(setup: Setup) -> None:
    """Raise DocumentError if this set-up can't be simulated. BS-001 to BS-014."""
    _check_terrain(*read_scenario(setup.scenario), setup.terrain)
    units = field_units(setup)
    for at, side in enumerate(setup.sides):
        refuse_unknown(f"sides[{at}].doctrine", "doctrine", side.doctrine, DOCTRINES)
        if side.support or side.rolled:
            raise DocumentError(f"sides[{at}].support", "there are no support results in this system")
        own = [fielded for fielded in units if fielded.side == at]
        stand = [(fielded.name, fielded.spec, fielded.unit.position) for fielded in own]
        for problem in check_force(setup.scenario, at, own, ROSTERS.parse_options(setup.options)).problems:
            raise DocumentError(f"sides[{at}].units", f"illegal ({problem.rule}): {problem.message}", problem.rule)
        check_places(at, setup_table(setup), stand, f"sides[{at}].units")


def _check_terrain(name: str, scenario: ScenarioSpec, terrain: str) -> None:
    """Raise DocumentError for a terrain that the scenario doesn't allow."""
    if terrain == OWN_TABLE and not scenario.has_table:
        raise DocumentError("terrain", f"{name} has no table of its own; choose one of {', '.join(MAPS)}")
    if terrain != OWN_TABLE:
        refuse_unknown("terrain", "map", terrain, MAPS)
    if scenario.has_table and terrain != OWN_TABLE:
        raise DocumentError("terrain", f"{name} has a table of its own: {OWN_TABLE} is its terrain")
    if scenario.map not in ("", terrain):
        raise DocumentError("terrain", f"{name} is played on the {MAPS[scenario.map].lower()} map")


class SteelOutcome(OwnOutcome):
    """The results of a Warmech: damage and achievements. BS-AR34."""

    damage: int = 0
    cripples: tuple[int, ...] = ()  # results that apply, 1 to 6
    weapons_lost: tuple[int, ...] = ()  # slot numbers, from 0
    peripheral_lost: bool = False
    objectives: int = 0  # victory points for objectives
    overheats: int = 0


def prepare(setup: Setup) -> State:
    """Return the state before the first die."""
    units = field_units(setup)
    state = build_state(
        [[fielded.spec for fielded in units if fielded.side == at] for at in range(2)],
        [side.doctrine for side in setup.sides],
        setup_table(setup),
        Options.read(setup.options),
    )
    scenario = read_spec(setup.scenario)
    state.battle.round_limit = scenario.rounds or state.battle.round_limit
    state.battle.zone = float(scenario.zone_in)
    for unit, fielded in zip(state.units, units, strict=True):
        if fielded.unit.position is not None:
            take_place(unit, fielded.unit.position)
    return state


def outcome(setup: Setup, state: State) -> Outcome:
    """Return the outcome of a battle from its final state. BS-190 to BS-197, BS-AR34."""
    battle = state.battle
    names = [side.name for side in setup.sides]
    keys = [fielded.unit.key for fielded in field_units(setup)]
    units = tuple(
        UnitOutcome(
            key=keys[i],
            side=names[unit.side],
            lost=unit.status != codes.STANDS,
            lost_by={codes.STANDS: None, codes.DESTROYED: "damage", codes.DISABLED: "legs"}[unit.status],
            killed_by=keys[unit.killer] if unit.status != codes.STANDS else None,
            withdrew=False,
            hits=max(0, unit.structure),
            kills=unit.kills,
            own=own_outcome(state, i, unit),
        )
        for i, unit in enumerate(state.units)
    )
    winner = names[battle.winner] if battle.winner != codes.NOBODY else None
    points = {name: Fraction(points_share(state, at), state.sides[1 - at].points) for at, name in enumerate(names)}
    return Outcome(winner, winner is None, REASONS[battle.reason], battle.round, units, points)


def own_outcome(state: State, i: int, unit: Unit) -> SteelOutcome:
    """Return the part of a Warmech's outcome that no other game has."""
    weapons = state.weapons[i * codes.SLOTS : (i + 1) * codes.SLOTS]
    return SteelOutcome(
        damage=unit.damage,
        cripples=tuple(result for result in range(1, 7) if unit.cripples & (1 << result)),
        weapons_lost=tuple(slot for slot, weapon in enumerate(weapons) if weapon.lost),
        peripheral_lost=bool(unit.peripheral_lost),
        objectives=unit.held,
        overheats=unit.overheats,
    )


def example(slug: str) -> Setup:
    """Return a battle with two example units per side. Ledger 2.16."""
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
    return Setup(muster="setup/1", system=slug, scenario="skirmish", terrain="standard", sides=(sides[0], sides[1]))
