"""Reading a set-up document into the state before the first round, and the outcome from the final state."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache

from systems.catalogue import FIRST_RELEASE
from systems.documents import DocumentError, unknown_slug
from systems.engine.events import Outcome, OwnOutcome, UnitOutcome
from systems.meks_and_mercs.battle import state as codes
from systems.meks_and_mercs.battle.ai_fire import reckon
from systems.meks_and_mercs.battle.state import (
    Battle,
    Firing,
    Pair,
    Roll,
    Salvo,
    Shot,
    Side,
    Sight,
    State,
    Zone,
)
from systems.meks_and_mercs.battle.units import FieldedUnit, state_fittings, state_unit, state_weapons
from systems.meks_and_mercs.build import SYSTEM as ROSTERS
from systems.meks_and_mercs.build.datasheet_lines import Condition, parse_condition
from systems.meks_and_mercs.build.scenario import build_scenario, parse_named_scenario
from systems.meks_and_mercs.build.scenario_check import check_scenario
from systems.meks_and_mercs.build.spec import MekSpec
from systems.meks_and_mercs.catalogue import CATALOGUE, Scenario, SupportUnit
from systems.meks_and_mercs.options import Options
from systems.roster import PilotSpec
from systems.setups import Setup, SetupUnit, canonical, once_a_setup

ZONE_BATTLE = "zone-battle"
PRINTED = "printed"  # terrain as printed in the scenario
ROLL = "roll"  # in a side's support: one support roll, made with the battle's dice
SCENARIOS = {ZONE_BATTLE: "Zone battle"} | {scenario.slug: scenario.name for scenario in CATALOGUE.scenarios.values()}
DOCTRINES = {"aggressive": "Aggressive", "cautious": "Cautious"}
LOST_BY = {
    codes.BY_HITS: "hits",
    codes.BY_EXPLOSION: "explosion",
    codes.BY_OVERHEATING: "overheating",
    codes.BY_MORALE: "morale",
    codes.BY_TRANSPORT: "transport",
    codes.BY_IDENTIFICATION: "identification",
}
REASONS = {
    codes.SIDE_GONE: "one side left",
    codes.BOTH_GONE: "nobody left",
    codes.ROUND_LIMIT: "round limit",
    codes.OUT_OF_CONTACT: "nobody left in contact",
    codes.OBJECTIVE_REACHED: "objective reached",
    codes.OBJECTIVE_LOST: "objective out of reach",
    codes.NO_MEKS: "no Mek left",
    codes.TURN_LIMIT: "turn limit",
}
OFF_BOARD, MINES = "+off-board", "+mines"  # destroyers that aren't units; their rows follow the units'
# stands in for the unit from a support roll until the dice are rolled
UNROLLED_UNIT = SupportUnit(slug="support", name="Support unit", hits=1, armor=0, movement_dice=0, worth=0)


class MekOutcome(OwnOutcome):
    """The state of a unit at the end, besides its Hits."""

    legs: int = 0  # damaged legs
    weapons_lost: tuple[int, ...] = ()  # slot numbers
    systems_lost: tuple[int, ...] = ()
    damage_control_used: bool = False
    infantry_kills_taken: int = 0
    zone: int | None = None  # its zone, if the battle was on the map and it is still there


def scenario_of(setup: Setup) -> Scenario | None:
    """Return the scenario, published or player-made; None for a one-zone fight.

    Raises DocumentError if the scenario can't be played.
    """
    return read_scenario(setup.scenario)


def read_scenario(given: str | Mapping[str, object]) -> Scenario | None:
    """Return a set-up document's scenario, from a slug or from name and spec."""
    return CATALOGUE.scenarios.get(given) if isinstance(given, str) else _own_scenario(canonical(given))


def require_scenario(setup: Setup) -> Scenario:
    """Return the scenario of a set-up that must have one."""
    scenario = scenario_of(setup)
    assert scenario is not None
    return scenario


@lru_cache(maxsize=64)
def _own_scenario(text: str) -> Scenario:
    name, spec = parse_named_scenario(json.loads(text))
    problems = check_scenario(spec).problems
    if problems:
        first = problems[0]
        raise DocumentError(f"scenario.spec.{first.place}", f"can't be played ({first.rule}): {first.message}")
    return build_scenario(name, spec)


def read_unit(
    unit: SetupUnit, side: int, path: str, options: dict[str, object], release: str = FIRST_RELEASE
) -> FieldedUnit:
    """Read a unit with design, pilot and condition. Raises DocumentError, also for an illegal design. MM-001."""
    rosters = ROSTERS.of(release)
    spec: MekSpec | None = None
    support: SupportUnit | None = None
    if isinstance(unit.design, str):
        slug = unit.design
        if slug in rosters.published:
            spec = rosters.published[slug].spec
            name = rosters.published[slug].name
        elif slug in CATALOGUE.support_units:
            support = CATALOGUE.support_units[slug]
            name = support.name
        else:
            raise unknown_slug(f"{path}.design", "design", slug, [*rosters.published, *CATALOGUE.support_units])
    else:
        spec = rosters.parse_spec(unit.design, f"{path}.design")
        name = f"{spec.frame.name} Mek"
    if spec is not None:
        check = ROSTERS.check_design(spec, options)
        if check.problems:
            first = check.problems[0]
            raise DocumentError(f"{path}.design", f"illegal ({first.rule}): {first.message}")
        condition = parse_condition(unit.condition, spec, f"{path}.condition")
        if condition.hits == 0:
            raise DocumentError(f"{path}.condition.hits", "a destroyed unit can't be fielded")
    else:
        if unit.condition:
            raise DocumentError(f"{path}.condition", "only Meks carry damage into a battle")
        if unit.pilot is not None:
            raise DocumentError(f"{path}.pilot", "support units have their own crew and take no pilot (MM-088)")
        condition = Condition()
    pilot, hired = read_pilot(unit.pilot, f"{path}.pilot")
    problems = ROSTERS.check_pilot(pilot, spec)
    if problems:
        raise DocumentError(f"{path}.pilot", f"illegal ({problems[0].rule}): {problems[0].message}")
    return FieldedUnit(unit, side, unit.name or name, spec, support, pilot, condition, is_new_pilot=hired)


def read_pilot(given: Mapping[str, object] | None, path: str) -> tuple[PilotSpec, bool]:
    """Return a unit's pilot, and whether they were hired for this game. Raises DocumentError. MM-011."""
    fields = dict(given) if given is not None else None
    hired = fields.pop("is_new", None) if fields else None
    if hired is not None and not isinstance(hired, bool):
        raise DocumentError(f"{path}.is_new", "must be true or false")
    pilot = ROSTERS.parse_pilot(fields, path)
    if hired is None:  # a pilot at a level for hire and without skills is assumed to be new
        hired = CATALOGUE.levels[pilot.experience].hire_points is not None and not pilot.skills
    return pilot, hired


@once_a_setup
def field_units(setup: Setup) -> tuple[FieldedUnit, ...]:
    """Return all units in the order of the state's list: side A's, then side D's. MM-A01. Raises DocumentError."""
    options = dict(ROSTERS.parse_options(setup.options, "options"))
    units: list[FieldedUnit] = []
    for at, side in enumerate(setup.sides):
        for place, unit in enumerate(side.units):
            units.append(read_unit(unit, at, f"sides[{at}].units[{place}]", options, setup.catalogue_release))
        if scenario_of(setup) is not None:
            units += extra_units(setup, at, units[-len(side.units)])
    return tuple(units)


def extra_units(setup: Setup, at: int, first: FieldedUnit) -> list[FieldedUnit]:
    """Return a side's units in a scenario other than its Meks, in this order. MM-A01.

    First support units, then the scenario's own units, decoys, and infantry aboard. Their keys are the side's letter, a
    plus sign and a number, which set-ups can't use. A support roll yet to be made holds one unit of each kind ready.
    """
    scenario = require_scenario(setup)
    vehicles: list[tuple[SupportUnit, str, int]] = []
    decoys: list[int] = []
    landings: list[tuple[SupportUnit, str, int]] = []
    infantry = CATALOGUE.support_units["infantry"]
    roll = -1
    for slug in setup.sides[at].support:
        if slug == ROLL:
            roll += 1
            vehicles.append((UNROLLED_UNIT, "support", roll))
            decoys.append(roll)
            landings.append((infantry, "landing", roll))
            continue
        if slug == "decoy":
            decoys.append(-1)
        result = CATALOGUE.support.get(slug)
        if result is not None and result.unit:
            vehicles.append((CATALOGUE.support_units[result.unit], "support", -1))
            if slug == "mech-infantry":
                landings.append((infantry, "landing", -1))
    terms = (scenario.attacker, scenario.defender)[at]
    fixed = [(CATALOGUE.support_units[extra.unit], "scenario", -1) for extra in terms.extra for _ in range(extra.count)]
    extras: list[FieldedUnit] = []

    def add(name: str, spec: MekSpec | None, support: SupportUnit | None, role: str, of_roll: int) -> None:
        key = f"{'ad'[at]}+{len(extras) + 1}"
        unit = SetupUnit.model_construct(key=key, design=support.slug if support else "decoy")
        pilot = first.pilot if spec else ROSTERS.parse_pilot(None)
        extras.append(FieldedUnit(unit, at, name, spec, support, pilot, Condition(), role, of_roll))

    for support, role, of_roll in vehicles + fixed:
        add(support.name, None, support, role, of_roll)
    for of_roll in decoys:
        add(f"Decoy of {first.name}", first.spec, None, "decoy", of_roll)
    for support, role, of_roll in landings:
        add(support.name, None, support, role, of_roll)
    return extras


def check_setup(setup: Setup) -> None:
    """Raise DocumentError if a zone battle can't be fought with this set-up."""
    if setup.scenario != ZONE_BATTLE:
        raise unknown_slug("scenario", "scenario", str(setup.scenario), SCENARIOS)
    if setup.terrain not in CATALOGUE.terrain:
        raise unknown_slug("terrain", "terrain", setup.terrain, CATALOGUE.terrain)
    for at, side in enumerate(setup.sides):
        if side.doctrine not in DOCTRINES:
            raise unknown_slug(f"sides[{at}].doctrine", "doctrine", side.doctrine, DOCTRINES)
        if side.support:
            raise DocumentError(f"sides[{at}].support", "a zone battle is fought without support results")
        if side.rolled:
            raise DocumentError(f"sides[{at}].rolled", "no support result, so none with a die")
    units = field_units(setup)
    for at in range(2):
        if all(fielded.chassis == "commandos" for fielded in units if fielded.side == at):
            raise DocumentError(f"sides[{at}].units", "commandos can't fight alone: nobody can attack them (MM-090)")


def prepare(setup: Setup) -> State:
    """Return the state before the first round of a zone battle. MM-A37."""
    units = field_units(setup)
    attackers = sum(fielded.side == codes.ATTACKER for fielded in units)
    defenders = len(units) - attackers
    terrain = CATALOGUE.terrain[setup.terrain]
    doctrine = [codes.CAUTIOUS if side.doctrine == "cautious" else codes.AGGRESSIVE for side in setup.sides]
    natural = Options.read(setup.options).natural_rolls
    battle = Battle(
        attackers=attackers,
        defenders=defenders,
        phalanxes=sum(fielded.systems.count("phalanx") for fielded in units),
        natural_rolls=int(natural),
        attacker_doctrine=doctrine[0],
        defender_doctrine=doctrine[1],
    )
    weapons = [weapon for fielded in units for weapon in state_weapons(fielded)]
    fittings = [fitting for fielded in units for fitting in state_fittings(fielded)]
    state = State(
        battle=battle,
        sides=[Side(), Side()],
        rolls=[Roll()],
        zones=[Zone(movement=terrain.movement, to_hit=terrain.to_hit, heat=terrain.heat_rating)],
        units=[state_unit(fielded, setup) for fielded in units],
        weapons=weapons,
        fittings=fittings,
        pairs=[Pair() for _ in range(attackers * defenders)],
        sights=[Sight() for _ in range(len(units) ** 2)],
        salvos=[Salvo() for _ in range(3 * len(units) ** 2)],
        firings=[Firing() for _ in range(len(units) * (codes.WEAPON_SLOTS + 1))],
        shots=[Shot() for _ in range(len(units) * codes.SHOTS_PER_UNIT)],
    )
    reckon(state)
    return state


def support_rolls(printed: int, pilots: Iterable[PilotSpec]) -> int:
    """Return a side's support rolls: the scenario's, plus one for each Log Hero among these pilots. MM-075."""
    return printed + sum("log-hero" in pilot.skills for pilot in pilots)


def outcome(setup: Setup, state: State) -> Outcome:
    """Return how the battle ended, from the final state."""
    battle = state.battle
    names = [side.name for side in setup.sides]
    fielded = field_units(setup)
    keys = [unit.unit.key for unit in fielded]
    strikers = [*keys, OFF_BOARD, MINES]
    on_map = battle.objective > 0
    units = []
    for i, unit in enumerate(state.units[: len(keys)]):
        weapons = state.weapons[i * codes.WEAPON_SLOTS : (i + 1) * codes.WEAPON_SLOTS]
        fittings = state.fittings[i * codes.FITTING_SLOTS : (i + 1) * codes.FITTING_SLOTS]
        units.append(
            UnitOutcome(
                key=keys[i],
                side=names[unit.side],
                lost=unit.lost_by > 0,
                lost_by=LOST_BY.get(unit.lost_by),
                killed_by=strikers[unit.destroyer] if unit.destroyer >= 0 else None,
                withdrew=unit.off == codes.LEFT if on_map else bool(unit.withdrew and unit.present),
                hits=unit.hits,
                wounded=bool(unit.wounded),
                kills=unit.scored,
                own=MekOutcome(
                    legs=unit.legs,
                    weapons_lost=tuple(k for k in range(unit.arms) if not weapons[k].intact),
                    systems_lost=tuple(
                        k for k in range(codes.FITTING_SLOTS) if fittings[k].system and not fittings[k].intact
                    ),
                    damage_control_used=bool(unit.damage_control_used),
                    infantry_kills_taken=unit.kills,
                    zone=unit.zone if on_map and unit.present else None,
                ),
            )
        )
    winner = names[battle.winner] if battle.winner >= 0 else None
    return Outcome(winner, winner is None, REASONS[battle.reason], battle.turn or battle.round, tuple(units))
