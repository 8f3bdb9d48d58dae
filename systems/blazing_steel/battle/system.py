"""Blazing Steel's battles, as the engine calls them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from systems.battle import BattleSystem, Trial
from systems.blazing_steel.battle import (
    aiming,
    charts,
    choices,
    events,
    luck,
    places,
    play,
    replay,
    setup,
    table,
    terms,
)
from systems.blazing_steel.battle.state import State
from systems.blazing_steel.build.hand import HAND
from systems.blazing_steel.build.legality import force_size_problem
from systems.blazing_steel.build.scenario import OWN_TABLE, read_spec
from systems.blazing_steel.build.spec import WarmechSpec
from systems.charts import Chart
from systems.engine.choosing import Chooser, Hand
from systems.engine.dice import SeededDice
from systems.engine.events import Event
from systems.legality import Check
from systems.releases import FIRST_RELEASE, load_versions
from systems.setups import Setup, SetupUnit
from systems.shots import ShotQuestion, Shot
from systems.standing import is_ordered, put_orders
from systems.terms import ScenarioTerms

PACKAGE = "systems.blazing_steel.battle"
COMPILED_FUNCTIONS = frozenset({
    "activate", "advance", "answered", "attack_harm", "attack_tn", "attack_value", "begin_action", "begin_step", "best",
    "best_attack", "best_shot_at", "best_shot_now", "bury", "can_flak", "charge", "close_step", "check_annihilation", "choose_action",
    "choose_warmech", "count", "cripple", "declare", "dodge", "eagerness", "end_battle", "end_round", "end_step", "engage",
    "facing_armor", "facing_at", "go_on", "fingerprint", "give_order", "go", "is_beyond_range", "is_clear", "is_in_cover",
    "is_scoped", "is_spotted", "line", "look_around", "loss", "make_charges", "make_way", "movement_refusal",
    "open_step",     "movement_value", "next_cripple", "play_turn", "points_share", "refusal", "resolve_step", "roll_attack", "roll_damage",
    "roll_heat", "score", "score_objectives", "sees", "begin", "settle_hits", "settle_total", "shoot", "special_value",
    "spots", "strike", "suffer", "target_refusal", "throw_flak", "weapon_to_lose", "worst_shot_of",
})  # fmt: skip


class BlazingSteelBattles(BattleSystem):
    slug = "blazing-steel"
    versions = load_versions(Path(__file__).with_name("versions.toml"))
    rules_version = versions[-1].number
    records = f"{PACKAGE}.state"
    called = COMPILED_FUNCTIONS
    rules = (
        "systems.spaces.inches",
        f"{PACKAGE}.rules.geometry",
        f"{PACKAGE}.rules.facts",
        f"{PACKAGE}.rules.movement",
        f"{PACKAGE}.rules.shooting",
        f"{PACKAGE}.rules.striking",
        f"{PACKAGE}.rules.actions",
        f"{PACKAGE}.rules.engagements",
        f"{PACKAGE}.rules.damage",
        f"{PACKAGE}.rules.heat",
        f"{PACKAGE}.rules.steps",
        f"{PACKAGE}.rules.rounds",
        f"{PACKAGE}.doctrine_values",
        f"{PACKAGE}.doctrine",
        f"{PACKAGE}.play",
        "systems.engine.ends",
        f"{PACKAGE}.tally",
    )
    facts = events.FACTS
    in_hand = choices.IN_HAND
    steps = events.STEPS
    own_outcome = setup.SteelOutcome
    scenarios = setup.SCENARIOS
    plain_scenario = "skirmish"
    terrains: Mapping[str, str] = {**setup.MAPS, OWN_TABLE: "Its own table"}
    printed = OWN_TABLE
    doctrines = setup.DOCTRINES
    standing_orders = setup.ORDERS
    forces = setup.FORCES
    first_units = tuple(tuple((design, "") for design in setup.EXAMPLE) for _side in range(2))
    first_game = "skirmish"
    duel = "skirmish"
    tallied: Mapping[str, str] = {
        "cripples": "Crippling results",
        "overheats": "Overheats",
        "objectives": "Objective points",
        "disabled": "Legs lost",
    }
    words = terms.BATTLE_WORDS
    hand = HAND
    rolls_under = True
    space = table.SteelTable()
    takes_positions = True

    check_setup = staticmethod(setup.check_setup)
    crowd = staticmethod(force_size_problem)

    def charts(self, spec: WarmechSpec) -> tuple[Chart, ...]:
        return tuple(charts.list_charts(spec))

    def prepare(self, given: Setup) -> State:
        state = setup.prepare(given)
        if is_ordered(given):
            put_orders(given, state.units, [key for key, _side in self.fielded(given)])
            places.follow_orders(given, state)
        return state

    def check_standing(self, given: Setup) -> None:
        super().check_standing(given)
        places.check_starts(given)

    begin = staticmethod(play.begin)
    go_on = staticmethod(play.go_on)
    outcome = staticmethod(setup.outcome)
    opening = staticmethod(replay.opening)

    def chooser(self, given: Setup, hand: Hand, dice: SeededDice) -> Chooser:
        fielded = setup.field_units(given)
        names, weapons = setup.unit_names(fielded), setup.weapon_names(fielded)
        units = [each.unit.key for each in fielded]
        return Chooser(hand, dice, lambda unit: names[units[unit]], lambda unit, slot: weapons[units[unit]][slot])

    def parts(self, given: Setup, names: dict[str, str]) -> Callable[[Event], Mapping[str, str]]:
        return events.event_parts(setup.weapon_names(setup.field_units(given)))

    def terrain_choices(self, scenario: str | Mapping[str, object]) -> Mapping[str, str]:
        spec = read_spec(scenario)
        return {} if spec.has_table else {table.slug: table.name for table in spec.tables}

    def unit_names(self, given: Setup) -> Mapping[str, str]:
        return setup.unit_names(setup.field_units(given))

    def fielded(self, given: Setup) -> tuple[tuple[str, int], ...]:
        return tuple((fielded.unit.key, fielded.side) for fielded in setup.field_units(given))

    def describe_reason(self, reason: str) -> str:
        return events.END_TEXTS.get(reason, reason)

    chapters = staticmethod(replay.chapters)

    def cause_of_loss(self, given: Setup, fate: Mapping[str, Any], names: Mapping[str, str] = {}) -> str:
        by = super().cause_of_loss(given, fate, names)
        return f"both legs lost, {by}" if by and fate["lost_by"] == "legs" else by

    def worths(self, given: Setup) -> Mapping[str, int]:
        return {fielded.unit.key: fielded.spec.points for fielded in setup.field_units(given)}

    def scores(self, given: Setup, tally: Mapping[str, int]) -> tuple[Fraction, Fraction] | None:
        """Return the exact points of both sides. BS-190 to BS-197."""
        forces = [sum(each.spec.points for each in setup.field_units(given) if each.side == at) for at in range(2)]
        return Fraction(tally["attacker_points"], forces[1]), Fraction(tally["defender_points"], forces[0])

    def trial(self, given: Setup, event: Event) -> Trial | None:
        return luck.trial_of(event)

    shot_terms = staticmethod(aiming.shot_terms)

    def shot(self, asked: ShotQuestion) -> Shot | None:
        return aiming.calculate_shot(asked, self.prepare(asked.setup))

    def terms(self, scenario: Any) -> ScenarioTerms | None:
        return terms.describe_scenario(*setup.read_scenario(scenario))

    def place_title(self, given: Setup) -> str:
        name, spec = setup.read_scenario(given.scenario)
        return name if spec.has_table else f"{name} on the {self.terrains[given.terrain].lower()} map"

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
        return setup.check_force(scenario, side, read, options)

    def example(self) -> Setup:
        return setup.example(self.slug)


SYSTEM = BlazingSteelBattles()
