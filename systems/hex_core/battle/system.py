"""Hex Core's battles, as the engine calls them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from systems.battle import BattleSystem, Chapter, Trial
from systems.charts import Chart
from systems.engine.choosing import Chooser, Hand
from systems.engine.dice import SeededDice
from systems.engine.events import Event
from systems.hex_core.battle import aiming, board, charts, choices, events, luck, placing, play, replay, setup, terms
from systems.hex_core.battle.state import State
from systems.hex_core.build.hand import HAND
from systems.hex_core.build.scenario import OWN_MAP
from systems.hex_core.build.spec import MachineSpec
from systems.legality import Check
from systems.releases import FIRST_RELEASE, load_versions
from systems.setups import Setup, SetupUnit
from systems.shots import ShotQuestion, Shot
from systems.standing import is_ordered, put_orders
from systems.terms import ScenarioTerms

PACKAGE = "systems.hex_core.battle"
COMPILED_FUNCTIONS = frozenset({
    "aim_at_drone", "aim_at_unit", "aim_drone", "aim_with", "answer_movement", "area_refusal", "attack",
    "attack_building", "attack_drone", "attack_refusal", "attack_with_drone", "begin_turn", "begin_walk",
    "best_drone", "best_listed", "best_now", "break_grapple", "change_form", "choose_bold", "choose_careful",
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
        f"{PACKAGE}.rules.ground",
        f"{PACKAGE}.rules.units",
        f"{PACKAGE}.rules.loss",
        f"{PACKAGE}.rules.attacks",
        f"{PACKAGE}.rules.moving",
        f"{PACKAGE}.rules.hazards",
        f"{PACKAGE}.rules.commands",
        f"{PACKAGE}.rules.grapples",
        f"{PACKAGE}.rules.missions",
        f"{PACKAGE}.rules.rounds",
        f"{PACKAGE}.doctrine_pairs",
        f"{PACKAGE}.doctrine_search",
        f"{PACKAGE}.doctrine_setup",
        f"{PACKAGE}.doctrine_moves",
        f"{PACKAGE}.doctrine",
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
    standing_orders = setup.ORDERS
    forces = setup.FORCES
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
    words = terms.BATTLE_WORDS
    hand = HAND
    space = board.HexCoreMap()

    check_setup = staticmethod(setup.check_setup)

    def charts(self, spec: MachineSpec) -> tuple[Chart, ...]:
        return tuple(charts.list_charts(spec))

    def prepare(self, given: Setup) -> State:
        state = setup.prepare(given)
        if is_ordered(given):
            put_orders(given, state.units, [key for key, _side in self.fielded(given)])
            placing.follow_orders(given, state)
        return state

    def check_standing(self, given: Setup) -> None:
        super().check_standing(given)
        if placing.has_start_orders(given):
            setup.check_places(self.prepare(given), setup.field_units(given))

    begin = staticmethod(play.begin)
    go_on = staticmethod(play.go_on)
    outcome = staticmethod(setup.outcome)
    opening = staticmethod(replay.opening)

    def chooser(self, given: Setup, hand: Hand, dice: SeededDice) -> Chooser:
        fielded = setup.field_units(given)
        names, weapons = setup.unit_names(fielded), setup.weapon_names(fielded)
        units = [each.unit.key for each in fielded]
        return Chooser(
            hand, dice, lambda unit: names[units[unit]], lambda unit, slot: weapons[units[unit]].get(slot, events.FOUND)
        )

    def parts(self, given: Setup, names: dict[str, str]) -> Callable[[Event], Mapping[str, str]]:
        units = setup.field_units(given)
        vehicles = frozenset(fielded.unit.key for fielded in units if fielded.spec.is_vehicle)
        return events.event_parts(setup.weapon_names(units), setup.drone_names(units), vehicles)

    def unit_names(self, given: Setup) -> Mapping[str, str]:
        return setup.unit_names(setup.field_units(given))

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
        """Return the points of Domination or the objects of Retrieval; other missions have none. HX-165, HX-167."""
        names = {"domination": "points", "retrieval": "secured"}
        mission = setup.read_mission(given.scenario).slug
        if mission not in names:
            return None
        return Fraction(tally[f"attacker_{names[mission]}"]), Fraction(tally[f"defender_{names[mission]}"])

    def trial(self, given: Setup, event: Event) -> Trial | None:
        return luck.trial_of(event)

    shot_terms = staticmethod(aiming.shot_terms)

    def shot(self, asked: ShotQuestion) -> Shot | None:
        return aiming.calculate_shot(asked, self.prepare(asked.setup))

    def terms(self, scenario: Any) -> ScenarioTerms | None:
        return terms.describe_scenario(setup.read_mission(scenario))

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
