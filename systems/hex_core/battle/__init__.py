"""Hex Core's battles: SYSTEM for the engine, and the design lab's charts of movement.

The charts are calculated by the rules that battles use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from systems.battle import BattleSystem, Chapter, Trial
from systems.battle_display import ScenarioTerms
from systems.catalogue import FIRST_RELEASE, load_versions
from systems.design_editor import Chart, chart_series
from systems.engine.choices import Chooser, Hand
from systems.engine.dice import NullLog, ScriptedDice, SeededDice
from systems.engine.events import Event
from systems.hex_core.battle import choices, events, play, replay, setup
from systems.hex_core.battle import state as c
from systems.hex_core.battle.initial_state import state_unit, state_weapons
from systems.hex_core.battle.rules import can_fly, entry_cost, ground_refusal, is_aloft
from systems.hex_core.battle.rules.movement import (
    begin_movement,
    form_refusal,
    press_on,
    press_refusal,
    roll_hazards,
    roll_pool,
    thrust_refusal,
    transform,
)
from systems.hex_core.battle.state import Area, Battle, Hex, Side, State
from systems.hex_core.build import HAND
from systems.hex_core.build.scenario import OWN_MAP
from systems.hex_core.build.spec import MachineSpec
from systems.hex_core.options import BY_THE_BOOK
from systems.legality import Check
from systems.orders import is_ordered, put_orders
from systems.setups import Setup, SetupUnit, distinct_names
from systems.shots import Shot, ShotQuestion

FACES = range(1, c.D8 + 1)
CROSSED = range(1, 5)
WATER = -1  # the level of shallow water
SKY = 1  # the level at which flyers cruise
Way = Callable[[MachineSpec, int], int | Fraction | None]


def list_charts(spec: MachineSpec) -> Iterator[Chart]:
    """Yield the charts of movement per turn and of the effects of Tan and White hexes."""
    yield _speed(spec)
    yield _hazards(spec)


def _speed(spec: MachineSpec) -> Chart:
    """Return the chart of hexes per turn, undamaged and damaged.

    HX-064, HX-067, HX-070, HX-100, HX-104, HX-113, HX-114, HX-144, HX-146.
    """
    leg = "wing" if spec.is_vehicle else "leg"
    ways: dict[str, Way] = {"open": _open, "Press On": _pressing, "rubble": _rubble, "water": _water}
    notes = ""
    if "flight" in spec.systems:
        ways["flying"] = _flying
    if spec.thrust:
        ways["thrust"] = _thrust
        notes += " Thrusters go straight ahead, and nothing else is done that turn."
    if spec.transform:
        ways["2nd form"] = _transformed
        notes += f" In its second form it is a vehicle: {spec.transform.form}."
    return Chart(
        slug="speed",
        title="Hexes of a turn",
        across="Ground or way",
        at=tuple(ways),
        series=tuple(
            chart_series(name, [way(spec, lost) for way in ways.values()])
            for lost, name in enumerate(("whole", f"one {leg} lost", "both lost"))
        ),
        note=f"On the level; with Press On the average of what its whole AP pool pays for.{notes}",
    )


def _hazards(spec: MachineSpec) -> Chart:
    """Return the chart of the chance that Tan and White hexes end the turn. HX-014, HX-133, HX-134, HX-143, HX-145."""
    return Chart(
        slug="heat",
        title="Chance to overheat or freeze, in percent",
        across="Hexes crossed",
        at=tuple(f"{count} {'hex' if count == 1 else 'hexes'}" for count in CROSSED),
        series=(
            chart_series("Tan: overheats", [_stopped(spec, c.TAN, count) for count in CROSSED]),
            chart_series("White: freezes", [_stopped(spec, c.WHITE, count) for count in CROSSED]),
        ),
        note="After moving over this many of them; it ends the turn. Weapons make no heat in this game.",
        empty="Neither heat nor cold stops this machine.",
    )


def _height(spec: MachineSpec, lost: int) -> int:
    """Return the level at which it crosses level ground; a flying vehicle with one wing stays up. HX-114."""
    return SKY if spec.frame.flies and lost < 2 else 0


def _open(spec: MachineSpec, lost: int) -> int | None:
    return _hexes(_state(spec, lost, level=_height(spec, lost)))


def _rubble(spec: MachineSpec, lost: int) -> int | None:
    return _hexes(_state(spec, lost, c.BLACK, level=_height(spec, lost)))


def _water(spec: MachineSpec, lost: int) -> int | None:
    return _hexes(_state(spec, lost, c.LIGHT_BLUE, level=_height(spec, lost) or WATER, ground=WATER))


def _flying(spec: MachineSpec, lost: int) -> int | None:
    state = _state(spec, lost, level=SKY)
    return _hexes(state) if can_fly(state.units[0]) else None


def _pressing(spec: MachineSpec, lost: int) -> Fraction | None:
    """Return the average number of hexes with Press On, over the faces of its AP die. HX-061, HX-100."""
    found = []
    for face in FACES:
        state = _state(spec, lost, level=_height(spec, lost))
        begin_movement(state, 0)
        roll_pool(state, 0, face, NullLog())
        while not press_refusal(state, 0):
            press_on(state, 0, NullLog())
        if (hexes := _hexes(state, state.units[0].sm_left)) is None:
            return None
        found.append(hexes)
    return Fraction(sum(found), len(found))


def _thrust(spec: MachineSpec, lost: int) -> int:
    """Return the hexes of Thruster Movement. HX-070."""
    state, hexes = _state(spec, lost), 0
    while not thrust_refusal(state, 0, hexes + 1):
        hexes += 1
    return hexes


def _transformed(spec: MachineSpec, lost: int) -> int | None:
    """Return the hexes in its other form; None if it has none. HX-104, HX-114."""
    is_wet = spec.transform is not None and spec.transform.form == "aquatic"
    level = WATER if is_wet else 0
    state = _state(spec, lost, c.LIGHT_BLUE if is_wet else c.GREY, level=level, ground=level)
    state.units[0].pool = c.COMMAND
    if form_refusal(state, 0):
        return None
    transform(state, 0, NullLog())
    return _hexes(state)


def _hexes(state: State, points: int | None = None) -> int | None:
    """Return how many hexes of that terrain its SM points allow; None if it can't enter."""
    unit = state.units[0]
    aloft = is_aloft(state, unit)
    if not aloft and ground_refusal(state, unit, 1):
        return None
    if points is None:
        begin_movement(state, 0)
        points = unit.sm_left
    return points // entry_cost(state, unit, aloft, 0, 1)


def _stopped(spec: MachineSpec, colour: int, count: int) -> Fraction:
    """Return the chance, in percent, that the die after the Movement Phase ends the turn."""
    stops = 0
    for face in FACES:
        state = _state(spec, 0, colour)
        unit = state.units[0]
        unit.entered = count
        unit.tan, unit.white = (count, 0) if colour == c.TAN else (0, count)
        roll_hazards(state, 0, ScriptedDice([face]), NullLog())
        stops += unit.done
    return Fraction(100 * stops, len(FACES))


def _state(spec: MachineSpec, lost: int, colour: int = c.GREY, *, level: int = 0, ground: int = 0) -> State:
    """Return a state containing only this machine, without `lost` legs, on one of two hexes of that colour."""
    unit = state_unit(spec, c.SIDE_A)
    unit.at, unit.level = 0, level
    unit.flight_lost = int(spec.is_vehicle and lost == 2)  # HX-114
    areas = [Area(dp, dp) for dp in spec.dp]
    for area in (c.LEG_L, c.LEG_R)[:lost]:
        areas[area].dp = 0
    return State(
        battle=Battle(count_a=1, columns=2, rows=1, freeze_over=int(BY_THE_BOOK.freezes_over)),
        sides=[Side(), Side()],
        units=[unit],
        areas=areas,
        weapons=state_weapons(spec),
        drones=[],
        hexes=[Hex(column=at, colour=colour, level=ground) for at in range(2)],
        links=[],
        ways=[],
        queues=[],
        steps=[],
        pairs=[],
        objects=[],
        shots=[],
    )


PACKAGE = "systems.hex_core.battle"
COMPILED_FUNCTIONS = frozenset({
    "aim_at_drone", "aim_at_unit", "aim_drone", "aim_with", "answer_movement", "area_refusal", "attack",
    "attack_building", "attack_drone", "attack_refusal", "attack_with_drone", "begin_turn", "begin_walk",
    "best_drone", "best_now", "best_pair_value", "break_grapple", "change_form", "choose_bold", "choose_careful",
    "choose_marked", "choose_nearer", "choose_unit", "choose_way", "climb", "combat_phases", "contest", "count",
    "count_areas", "count_attack", "count_rear", "counter", "cover_refusal", "decide_at_cap", "deploy",
    "deploy_refusal", "deployment_hex", "destroy", "direction_towards", "dispute", "draw_weapon", "drone_goal",
    "drone_pair", "drone_refusal", "drone_spot", "drone_worth", "drop_object", "end_turn", "enter", "entry_refusal",
    "exposure", "face_enemies", "fall", "fingerprint", "flat_now", "follow", "front_mask", "grapple",
    "grapple_refusal", "grapple_target", "ground_refusal", "hand_for", "hand_is_free", "hex_distance",
    "hex_on_line", "hurt", "hurt_shield", "hurt_weapon", "in_zone", "is_astray", "is_contestable", "is_hazard",
    "is_perfect_or_plain", "is_usable", "kneel_refusal", "landing", "landing_hex", "landing_refusal", "leave",
    "leave_hex", "leaves_room", "let_go", "level_refusal", "line_of", "list_pairs", "longest_reach", "look_around",
    "lose_area", "lose_arm", "mark_of", "measure_from_goals", "move", "movement_phase", "near", "nearest_goal",
    "object_for", "objective_hex", "objective_refusal", "open_window", "phase_refusal", "play_round", "play_turn",
    "press_refusal", "prone_refusal", "reach_refusal", "ready_weapons", "recall", "resolve_shot", "retrieve",
    "retrieve_refusal", "roll_hazards", "roll_off", "rolled_area", "score_objectives", "search", "secure_object",
    "send_drones", "set_goals", "set_objective_goals", "set_retrieval_goals", "set_up", "shoot_drones", "sight",
    "sm_now", "spare_slot", "step", "step_on", "step_refusal", "swap", "swap_refusal", "take_aim", "take_damage",
    "take_refusal", "take_stance", "throw", "thrust", "thrust_refusal", "thrust_to", "transform", "transform_refusal",
    "use_clever_drones", "use_thrusters", "use_weapons", "walk", "walk_from_goals", "walk_plain", "watch_slot",
    "way_refusal", "weigh_pairs", "go_on",
})  # fmt: skip


class HexCoreBattles(BattleSystem):
    slug = "hex-core"
    versions = load_versions(Path(__file__).with_name("versions.toml"))
    rules_version = versions[-1].number
    records = f"{PACKAGE}.state"
    called = COMPILED_FUNCTIONS
    rules = (
        "systems.spaces.hexes",
        f"{PACKAGE}.rules",
        f"{PACKAGE}.rules.damage",
        f"{PACKAGE}.rules.attacks",
        f"{PACKAGE}.rules.movement",
        f"{PACKAGE}.rules.commands",
        f"{PACKAGE}.rules.grapples",
        f"{PACKAGE}.rules.rounds",
        f"{PACKAGE}.ai_values",
        f"{PACKAGE}.ai_paths",
        f"{PACKAGE}.ai_moves",
        f"{PACKAGE}.ai_combat",
        f"{PACKAGE}.ai",
        f"{PACKAGE}.play",
        "systems.engine.ends",
        f"{PACKAGE}.tally",
    )
    facts = events.FACTS
    in_hand = choices.IN_HAND
    steps = events.STEPS
    die = 8
    own_outcome = setup.MachineOutcome
    scenarios = setup.SCENARIOS
    plain_scenario = "elimination"
    terrains = {**setup.MAPS, OWN_MAP: "Its own map"}
    printed = OWN_MAP
    doctrines = setup.DOCTRINES
    autoplay_orders = setup.ORDERS
    forces = setup.FORCES
    even_forces = ("line", "outriders")
    first_units = tuple(tuple((design, "") for design in setup.EXAMPLE) for _side in range(2))
    first_game = "elimination"
    duel = "elimination"
    tallied: Mapping[str, str] = {
        "torso": "Torso or cockpit DP lost",
        "head": "Head or tail DP lost",
        "arm_l": "Left arm DP lost",
        "arm_r": "Right arm DP lost",
        "leg_l": "Left leg DP lost",
        "leg_r": "Right leg DP lost",
        "items": "Weapons, shields, drones destroyed",
        "secured": "Objects brought home",
    }
    words = setup.BATTLE_WORDS
    hand = HAND
    space = replay.HexCoreMap()

    check_setup = staticmethod(setup.check_setup)

    def charts(self, spec: MachineSpec) -> tuple[Chart, ...]:
        return tuple(list_charts(spec))

    def prepare(self, given: Setup) -> State:
        state = setup.prepare(given)
        if is_ordered(given):
            put_orders(given, state.units, [key for key, _side in self.fielded(given)])
            setup.follow_orders(given, state)
        return state

    def check_standing(self, given: Setup) -> None:
        super().check_standing(given)
        if setup.has_start_orders(given):
            setup.check_places(self.prepare(given), setup.field_units(given))

    begin = staticmethod(play.begin)
    go_on = staticmethod(play.go_on)
    outcome = staticmethod(setup.outcome)
    opening = staticmethod(replay.opening)

    def chooser(self, given: Setup, hand: Hand, dice: SeededDice) -> Chooser:
        fielded = setup.field_units(given)
        names, weapons = distinct_names(fielded), setup.weapon_names(fielded)
        units = [each.unit.key for each in fielded]
        return Chooser(
            hand, dice, lambda unit: names[units[unit]], lambda unit, slot: weapons[units[unit]].get(slot, events.FOUND)
        )

    def parts(self, given: Setup, names: dict[str, str]) -> Callable[[Event], Mapping[str, str]]:
        units = setup.field_units(given)
        vehicles = frozenset(fielded.unit.key for fielded in units if fielded.spec.is_vehicle)
        return events.event_parts(setup.weapon_names(units), setup.drone_names(units), vehicles)

    def unit_names(self, given: Setup) -> Mapping[str, str]:
        return distinct_names(setup.field_units(given))

    def fielded(self, given: Setup) -> tuple[tuple[str, int], ...]:
        return tuple((fielded.unit.key, fielded.side) for fielded in setup.field_units(given))

    def terrain_choices(self, scenario: str | Mapping[str, object]) -> Mapping[str, str]:
        return {} if setup.read_mission(scenario).board else setup.MAPS

    def describe_reason(self, reason: str) -> str:
        return events.END_TEXTS.get(reason, reason)

    def chapters(self, given: Setup) -> Callable[[Event], Chapter]:
        return replay.chapters(self.unit_names(given))

    def cause_of_loss(self, given: Setup, fate: Mapping[str, Any], names: Mapping[str, str] = {}) -> str:
        by = super().cause_of_loss(given, fate, names)
        how = {"fall": "in a fall", "explosion": "in an explosion", "abyss": "in the deep", "throw": "in a throw"}
        words = how.get(str(fate["lost_by"]), "")
        return ", ".join(each for each in (words, by) if each)

    def worths(self, given: Setup) -> Mapping[str, int]:
        return {fielded.unit.key: fielded.spec.cost for fielded in setup.field_units(given)}

    def scores(self, given: Setup, tally: Mapping[str, int]) -> tuple[Fraction, Fraction] | None:
        """Return the points of Domination or the objects of Retrieval; None in other missions. HX-165, HX-167."""
        names = {"domination": "points", "retrieval": "secured"}
        mission = setup.read_mission(given.scenario).slug
        if mission not in names:
            return None
        return Fraction(tally[f"attacker_{names[mission]}"]), Fraction(tally[f"defender_{names[mission]}"])

    def trial(self, given: Setup, event: Event) -> Trial | None:
        return replay.trial_of(event)

    shot_terms = staticmethod(replay.shot_terms)

    def shot(self, asked: ShotQuestion) -> Shot | None:
        return replay.calculate_shot(asked, self.prepare(asked.setup))

    def terms(self, scenario: Any) -> ScenarioTerms | None:
        return setup.describe_scenario(setup.read_mission(scenario))

    def place_title(self, given: Setup) -> str:
        mission = setup.read_mission(given.scenario)
        return mission.name if mission.board else f"{mission.name} on {self.terrains[given.terrain]}"

    def check_side(
        self,
        scenario: Any,
        side: int,
        units: Sequence[SetupUnit],
        support: Sequence[str],
        options: Mapping[str, object],
        release: str = FIRST_RELEASE,
    ) -> Check:
        read = [setup.read_unit(unit, side, f"units[{place}]", options) for place, unit in enumerate(units)]
        return setup.check_squad(scenario, side, read, options)

    def example(self) -> Setup:
        return setup.example(self.slug)


SYSTEM = HexCoreBattles()
