"""MechaStellar's battles: SYSTEM for the engine, and the design lab's charts of movement.

The charts are calculated by the rules that battles use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from systems.battle import BattleSystem, Trial
from systems.battle_display import ScenarioTerms
from systems.catalogue import FIRST_RELEASE, load_versions
from systems.design_editor import Chart, chart_series
from systems.engine.choices import Chooser, Hand
from systems.engine.dice import NullLog, SeededDice
from systems.engine.events import Event
from systems.legality import Check
from systems.mechastellar.battle import choices, effects, events, play, replay, setup
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.initial_state import state_sheet
from systems.mechastellar.battle.rules.movement import change_mode, surface
from systems.mechastellar.battle.state import Battle, State, Unit
from systems.mechastellar.build import HAND
from systems.mechastellar.build.legality import too_many_units_problem
from systems.mechastellar.build.scenario import OWN_TABLE
from systems.mechastellar.build.spec import UnitSpec
from systems.orders import is_ordered, put_orders
from systems.setups import Setup, SetupUnit, distinct_names
from systems.shots import Shot, ShotQuestion


def list_charts(spec: UnitSpec) -> Iterator[Chart]:
    """Yield the chart of distance by Move Actions, in each of its modes. ST-043, ST-060, ST-068, ST-087, ST-351."""
    modes = ("Mode A", "Mode B") if spec.alt_mode else ("inches",)
    places = ["1 Move", f"{c.MOVE_ACTIONS} Moves", "Accelerate"]
    if _surfacing(spec, 0) is not None:
        places.append("surfacing")
    notes = " Straight ahead alone." if spec.is_warship else ""
    if spec.boost:
        notes += " A Boost pays for the Accelerate."
    yield Chart(
        slug="speed",
        title="Inches of a turn’s Move Actions",
        across="Moves",
        at=tuple(places),
        series=tuple(chart_series(name, _reaches(spec, mode)[: len(places)]) for mode, name in enumerate(modes)),
        note=f"A turn has {c.MOVE_ACTIONS} Move Actions, one more with an Accelerate; surfacing shortens one.{notes}",
    )


def _reaches(spec: UnitSpec, mode: int) -> list[Fraction | None]:
    move = max(0.0, _state(spec, mode).units[0].move)
    inches = [move, move * c.MOVE_ACTIONS, move * (c.MOVE_ACTIONS + 1), _surfacing(spec, mode)]
    return [None if each is None else Fraction(each) for each in inches]


def _surfacing(spec: UnitSpec, mode: int) -> float | None:
    """Return the length of the Move Action with which it surfaces; None if it never is in deep water."""
    found = surface(_state(spec, mode), 0, NullLog())
    return None if found < 0 else found


def _state(spec: UnitSpec, mode: int) -> State:
    """Return a state containing only this unit, sunk, in that mode."""
    unit = Unit(
        move=spec.move_in,
        fly=int(spec.has("fly")),
        amphibious=int(spec.has("amphibious")),
        transforms=int(spec.alt_mode is not None),
        sunk=1,
    )
    state = State(
        battle=Battle(count_a=1),
        sides=[],
        units=[unit],
        sheets=[state_sheet(spec), state_sheet(spec.in_mode_b)],
        weapons=[],
        clashes=[],
        plans=[],
        discs=[],
        points=[],
        faces=[],
        chances=[],
        memos=[],
    )
    change_mode(state, 0, mode)
    return state


PACKAGE = "systems.mechastellar.battle"
COMPILED_FUNCTIONS = frozenset({
    "abandon", "accelerate", "act", "act_ship", "activate", "adapt", "add_crash_steps", "answer", "approach", "attack", "attack_again",
    "attack_area", "attack_cover", "attack_one", "attack_several", "begin_round", "begin_turn", "best", "best_counter", "best_here", "best_target_here",
    "best_value", "best_with_one", "blast", "break_off", "bury", "bury_all", "buy_actions", "can_see", "capture", "carry_out",
    "check_cover", "choose_attack_bonus", "choose_defence_bonus", "choose_mode", "come_in", "consider_boarding", "consider_breach",
    "consider_challenge", "consider_daunt", "consider_revenge", "consider_sacrifice", "consider_tactical", "consider_trust", "count",
    "cover_from", "cover_spot", "crash", "crash_into", "crumble", "deal", "deploy", "deploy_by_turns", "deploy_sides", "destroy", "dry_place", "dry_way", "end_battle", "bring", "face_off", "face_off_as", "go_on",
    "fingerprint", "further_target", "go", "goal", "harm", "has_ground", "has_to_answer", "hides_from_above", "is_barred", "is_closest",
    "is_defended", "is_spared", "is_struck", "is_supported", "is_valid", "is_way_clear", "jam", "launch_all", "lay_out", "let_fall", "make_plan",
    "mark_behind", "mark_engaged", "may_be_placed", "may_shoot", "meet", "move", "must_answer", "nearest_enemy", "next_piece", "next_struck",
    "overwatch_weapon", "overwhelms", "piece_on_line", "parry", "partner_of", "pick", "plan", "plan_all", "plan_blow", "plan_crash", "plan_locked",
    "piece_in_way", "place_by_turns", "plan_more", "plan_on", "plan_shot", "plan_shots", "plan_ordered", "plan_unseen", "press", "press_on", "push", "rally",
    "ready_special", "reckon", "reload_all", "remote_target", "repair", "reply_to", "resolve", "roll_pools", "roll_saves", "rout", "sail", "score_big_hit", "score_points", "scrape",
    "second_on_line", "sees", "sees_from_above", "sees_past_wrecks", "send_remotes", "set_up", "shift", "special_value", "spend",
    "spend_power", "strike", "strike_on_way", "strip_value", "take_turn", "trust", "unit_in_way", "value_here", "value_now", "value_of", "wall", "wander", "watch",
    "way_out", "zeal_here",
})  # fmt: skip


class StellarBattles(BattleSystem):
    slug = "mechastellar"
    versions = load_versions(Path(__file__).with_name("versions.toml"))
    rules_version = versions[-1].number
    records = f"{PACKAGE}.state"
    called = COMPILED_FUNCTIONS
    rules = (
        "systems.spaces.inches",
        f"{PACKAGE}.rules",
        f"{PACKAGE}.rules.resources",
        f"{PACKAGE}.rules.skills",
        f"{PACKAGE}.rules.targets",
        f"{PACKAGE}.rules.attacks",
        f"{PACKAGE}.rules.damage",
        f"{PACKAGE}.rules.movement",
        f"{PACKAGE}.rules.rounds",
        f"{PACKAGE}.rules.warships",
        f"{PACKAGE}.rules.special",
        f"{PACKAGE}.ai",
        f"{PACKAGE}.ai_plan",
        f"{PACKAGE}.ai_advanced",
        f"{PACKAGE}.ai_turn",
        f"{PACKAGE}.play_attack",
        f"{PACKAGE}.play",
        "systems.engine.ends",
        f"{PACKAGE}.tally",
    )
    facts = events.FACTS
    in_hand = choices.IN_HAND
    steps = effects.STEPS
    die = 10
    own_outcome = setup.StellarOutcome
    scenarios = setup.SCENARIOS
    plain_scenario = "versus"
    terrains = {**setup.MAPS, OWN_TABLE: "Its own table"}
    printed = OWN_TABLE
    doctrines = setup.DOCTRINES
    autoplay_orders = setup.ORDERS
    forces = setup.FORCES
    even_forces = ("federal-line", "castle-and-duke")
    levels: Mapping[str, str] = {"basic": "Basic", "skilled": "Skilled", "ace": "Ace"}
    plain_level = "basic"
    first_units = tuple(tuple((design, "") for design in setup.EXAMPLE) for _side in range(2))
    first_game = "versus"
    duel = "versus"
    tallied: Mapping[str, str] = {"dealt": "Damage dealt", "scored": "Victory points", "captured": "Points taken"}
    words = setup.BATTLE_WORDS
    armed = "arm"
    hand = HAND
    space = replay.StellarTable()

    check_setup = staticmethod(setup.check_setup)
    crowd = staticmethod(too_many_units_problem)

    def charts(self, spec: UnitSpec) -> tuple[Chart, ...]:
        return tuple(list_charts(spec))

    def prepare(self, given: Setup) -> State:
        state = setup.prepare(given)
        if is_ordered(given):
            put_orders(given, state.units, [key for key, _side in self.fielded(given)])
            setup.follow_orders(given, state)
        return state

    begin = staticmethod(play.begin)
    go_on = staticmethod(play.go_on)
    outcome = staticmethod(setup.outcome)
    deeds = staticmethod(setup.count_deeds)

    def condition_after(self, unit: Mapping[str, object]) -> dict[str, object]:
        """Return the HP left after the battle. ST-401."""
        return {} if unit["lost"] else {"hits": unit["hits"]}

    opening = staticmethod(replay.opening)

    def chooser(self, given: Setup, hand: Hand, dice: SeededDice) -> Chooser:
        fielded = setup.field_units(given)
        names, weapons = distinct_names(fielded), setup.weapon_names(fielded)
        units = [each.unit.key for each in fielded]
        return Chooser(hand, dice, lambda unit: names[units[unit]], lambda unit, slot: weapons[units[unit]][slot])

    def parts(self, given: Setup, names: dict[str, str]) -> Callable[[Event], Mapping[str, str]]:
        lies = self.space.table(given)
        return effects.event_parts(
            setup.weapon_names(setup.field_units(given)),
            [spot.name for spot in lies.objectives],
            [piece.name.lower() for piece in lies.pieces],
        )

    def unit_names(self, given: Setup) -> Mapping[str, str]:
        return distinct_names(setup.field_units(given))

    def fielded(self, given: Setup) -> tuple[tuple[str, int], ...]:
        return tuple((fielded.unit.key, fielded.side) for fielded in setup.field_units(given))

    def describe_reason(self, reason: str) -> str:
        return effects.END_TEXTS.get(reason, reason)

    chapters = staticmethod(replay.chapters)

    def worths(self, given: Setup) -> Mapping[str, int]:
        return {fielded.unit.key: setup.unit_points(fielded) for fielded in setup.field_units(given)}

    def scores(self, given: Setup, tally: Mapping[str, int]) -> tuple[Fraction, Fraction] | None:
        """Return both sides' victory points. ST-373 to ST-381."""
        return Fraction(tally["attacker_points"]), Fraction(tally["defender_points"])

    def trial(self, given: Setup, event: Event) -> Trial | None:
        return replay.trial_of(event)

    shot_terms = staticmethod(replay.shot_terms)

    def shot(self, asked: ShotQuestion) -> Shot | None:
        return replay.calculate_shot(asked, self.prepare(asked.setup))

    def terms(self, scenario: Any) -> ScenarioTerms | None:
        name, spec = setup.read_scenario(scenario)
        return setup.describe_scenario(name, spec)

    def terrain_choices(self, scenario: str | Mapping[str, object]) -> Mapping[str, str]:
        return {} if setup.read_scenario(scenario)[1].has_table else setup.MAPS

    def place_title(self, given: Setup) -> str:
        name, spec = setup.read_scenario(given.scenario)
        return name if spec.has_table else f"{name} on the {self.terrains[given.terrain].lower()} table"

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
        return setup.check_force(scenario, read, options)

    def example(self) -> Setup:
        return setup.example(self.slug)


SYSTEM = StellarBattles()
