"""Mech Campaign's battles: SYSTEM for the engine, and the design lab's chart of a unit's moves per turn.

The chart is calculated by the rules that battles use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from systems.battle import BattleSystem, Trial
from systems.battle_display import ScenarioTerms
from systems.catalogue import FIRST_RELEASE, load_versions
from systems.design_editor import Chart, chart_series
from systems.engine.choices import Chooser, Hand
from systems.engine.dice import NullLog, SeededDice
from systems.engine.events import Event
from systems.legality import Check
from systems.mech_campaign.battle import choices, events, play, replay, setup
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.initial_state import BattleUnit, state_unit
from systems.mech_campaign.battle.rules.actions import pay, refusal
from systems.mech_campaign.battle.rules.shooting import recover
from systems.mech_campaign.battle.state import Battle, State
from systems.mech_campaign.build import HAND
from systems.mech_campaign.build.legality import too_many_units_problem
from systems.mech_campaign.build.scenario import OWN_TABLE
from systems.mech_campaign.build.spec import UnitSpec
from systems.mech_campaign.catalogue import CATALOGUE, DAMAGE_TO_ELIMINATE
from systems.orders import is_ordered, put_orders
from systems.setups import Setup, SetupUnit, distinct_names
from systems.shots import Shot, ShotQuestion

MARKERS = ("not suppressed", "1 marker", "2 markers")


def movement_charts(spec: UnitSpec) -> Iterator[Chart]:
    """Yield the chart of moves by action points, suppressed or not.

    MC-037, MC-045 to MC-047, MC-051, MC-054, MC-083, MC-084.
    """
    kind = spec.unit_kind
    length = CATALOGUE.moves[kind.movement].length_h
    totals = [cost.total for cost in CATALOGUE.action_costs.values()]
    yield Chart(
        slug="speed",
        title="Inches of a turn’s moves",
        across="Action points",
        at=tuple(f"{points} AP" for points in totals),
        series=tuple(
            chart_series(
                name,
                [None if length is None else Fraction(_moves(spec, points, at) * length, 100) for points in totals],
            )
            for at, name in enumerate(MARKERS)
        ),
        note="All of its actions moves, once it has recovered; a ground unit stops where an enemy comes within 4 in.",
        empty="It never moves."
        if kind.is_stationary
        else "Any distance in one move: all of the table is in its reach.",
    )


def _moves(spec: UnitSpec, points: int, markers: int) -> int:
    """Return how many moves the points allow after the unit has recovered from its markers."""
    unit = state_unit(BattleUnit(kind=spec.kind), c.SIDE_A)
    unit.suppression = markers
    state = State(
        battle=Battle(count_a=1, points=points),
        sides=[],
        units=[unit],
        discs=[],
        objectives=[],
        bearings=[],
        mouths=[],
    )
    while unit.suppression and not refusal(state, 0, c.RECOVER, c.NOBODY):
        recover(state, 0, pay(state, 0, c.RECOVER), NullLog())
    while not refusal(state, 0, c.MOVE, c.NOBODY):
        pay(state, 0, c.MOVE)
    return unit.moves


PACKAGE = "systems.mech_campaign.battle"
COMPILED_FUNCTIONS = frozenset({
    "act", "act_emerge", "act_fly", "act_walk", "activate", "activate_ambusher", "activate_drone", "activate_ground",
    "activate_runner", "ambush_mouth", "begin_player_turn", "best_approach", "best_fire", "best_lock", "best_place",
    "best_shot", "call_time", "can_fire", "choose_runner", "choose_runners", "count", "deploy", "eliminate",
    "end_player_turn", "exposure", "face_best", "go_on", "fingerprint", "fire_facing", "is_barred", "line", "manoeuvre",
    "next_unit", "place_value", "player_turn", "reaches_a_shot", "refusal", "reserve", "roll_terrain", "set_up",
    "shake_off", "spend_points", "steps_open", "useful_locks", "wants",
})  # fmt: skip


class MechCampaignBattles(BattleSystem):
    slug = "mech-campaign"
    versions = load_versions(Path(__file__).with_name("versions.toml"))
    rules_version = versions[-1].number
    records = f"{PACKAGE}.state"
    called = COMPILED_FUNCTIONS
    rules = (
        "systems.spaces.plane",
        f"{PACKAGE}.rules",
        f"{PACKAGE}.rules.shooting",
        f"{PACKAGE}.rules.movement",
        f"{PACKAGE}.rules.scenarios",
        f"{PACKAGE}.rules.actions",
        f"{PACKAGE}.ai_values",
        f"{PACKAGE}.ai",
        f"{PACKAGE}.play",
        "systems.engine.ends",
        f"{PACKAGE}.tally",
    )
    facts = events.FACTS
    in_hand = choices.IN_HAND
    steps = events.STEPS
    own_outcome = setup.MechOutcome
    rounds = "turn-began"
    scenarios = setup.SCENARIOS
    plain_scenario = "claim-dispute"
    terrains = setup.TERRAINS
    printed = OWN_TABLE
    doctrines = setup.DOCTRINES
    autoplay_orders = setup.ORDERS
    settled = frozenset({"Unit.placed", "Unit.status", "Unit.x", "Unit.y"})  # by start orders: a track starts above
    forces = setup.FORCES
    even_forces = ("rock-rats", "hammer")
    first_units = tuple(tuple((kind, "") for kind in setup.FORCES[slug]["units"]) for slug in setup.EXAMPLE_FORCES)
    first_game = "survey-beacons"
    words = setup.WORDS
    hand = HAND
    space = replay.Table()

    check_setup = staticmethod(setup.check_setup)
    crowd = staticmethod(too_many_units_problem)

    def charts(self, spec: UnitSpec) -> tuple[Chart, ...]:
        return tuple(movement_charts(spec))

    def prepare(self, given: Setup) -> State:
        state = setup.prepare(given)
        if is_ordered(given):
            put_orders(given, state.units, [key for key, _side in self.fielded(given)])
            setup.follow_orders(given, state)
        return state

    begin = staticmethod(play.begin)
    go_on = staticmethod(play.go_on)
    outcome = staticmethod(setup.outcome)
    opening = staticmethod(replay.opening)

    def chooser(self, given: Setup, hand: Hand, dice: SeededDice) -> Chooser:
        fielded = setup.field_units(given)
        names = distinct_names(fielded)
        units = [each.unit.key for each in fielded]
        return Chooser(hand, dice, lambda unit: names[units[unit]], lambda unit, slot: "")

    def parts(self, given: Setup, names: dict[str, str]) -> Callable[[Event], Mapping[str, str]]:
        return events.event_parts(setup.describe_objectives(setup.read_scenario(given.scenario)))

    def unit_names(self, given: Setup) -> Mapping[str, str]:
        return distinct_names(setup.field_units(given))

    def fielded(self, given: Setup) -> tuple[tuple[str, int], ...]:
        return tuple((fielded.unit.key, fielded.side) for fielded in setup.field_units(given))

    def match_terrains(self, scenario: str | Mapping[str, object]) -> tuple[str, ...]:
        return (OWN_TABLE if setup.read_ground(scenario).pieces else setup.ROLLED,)

    def terrain_choices(self, scenario: str | Mapping[str, object]) -> Mapping[str, str]:
        return {} if setup.read_ground(scenario).pieces else super().terrain_choices(scenario)

    def ground_name(self, terrain: str) -> str:
        """Return the name of the ground; rolled terrain has none before the battle."""
        return "" if terrain == setup.ROLLED else super().ground_name(terrain)

    def describe_reason(self, reason: str) -> str:
        return events.END_TEXTS.get(reason, reason)

    shot_terms = staticmethod(replay.shot_terms)

    def shot(self, asked: ShotQuestion) -> Shot | None:
        return replay.calculate_shot(asked, self.prepare(asked.setup))

    def round_word(self, scenario: str | Mapping[str, object]) -> str:
        return "turn"

    def round_title(self, given: Setup, number: int) -> str:
        return f"Turn {number}"

    chapters = staticmethod(replay.chapters)

    def cause_of_loss(self, given: Setup, fate: Mapping[str, object], names: Mapping[str, str] = {}) -> str:
        by = super().cause_of_loss(given, fate, names)
        return f"{DAMAGE_TO_ELIMINATE} damage, the last {by}" if by else ""

    def worths(self, given: Setup) -> Mapping[str, int]:
        return {fielded.unit.key: fielded.points for fielded in setup.field_units(given)}

    def trial(self, given: Setup, event: Event) -> Trial | None:
        return replay.trial_of(event)

    def terms(self, scenario: str | Mapping[str, object]) -> ScenarioTerms | None:
        return setup.describe_scenario(scenario)

    def place_title(self, given: Setup) -> str:
        return setup.place_title(given)

    def describe_ground(self, given: Setup) -> str:
        return setup.TERRAINS[given.terrain]

    def check_side(
        self,
        scenario: str | Mapping[str, object],
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


SYSTEM = MechCampaignBattles()
