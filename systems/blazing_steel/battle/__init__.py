"""Blazing Steel's battles: SYSTEM for the engine, and the design lab's charts of movement and heat.

The charts are calculated by the rules that battles use.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

from systems.battle import BattleSystem, Trial
from systems.battle_display import ScenarioTerms
from systems.blazing_steel.battle import choices, events, play, replay, setup
from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.initial_state import heat_weights, overheat_chance, state_unit, state_weapon
from systems.blazing_steel.battle.rules import allowance, has_no_legs
from systems.blazing_steel.battle.rules.actions import heat_of, heat_of_order
from systems.blazing_steel.battle.state import Battle, State
from systems.blazing_steel.build import HAND
from systems.blazing_steel.build.legality import force_size_problem
from systems.blazing_steel.build.scenario import OWN_TABLE, read_spec
from systems.blazing_steel.build.spec import WEAPON_SLOTS, WarmechSpec
from systems.blazing_steel.options import BY_THE_BOOK
from systems.catalogue import FIRST_RELEASE, load_versions
from systems.design_editor import Chart, chart_series
from systems.engine.choices import Chooser, Hand
from systems.engine.dice import SeededDice
from systems.engine.events import Event
from systems.legality import Check
from systems.orders import is_ordered, put_orders
from systems.setups import Setup, SetupUnit, distinct_names
from systems.shots import Shot, ShotQuestion

MOVEMENTS = {"Move": c.MOVE, "Sprint": c.SPRINT, "Jump": c.JUMP}
RIGHT, LEFT = 1 << c.CRIPPLED_RIGHT_LEG, 1 << c.CRIPPLED_LEFT_LEG
LEGS = {"whole": 0, "one side lost": RIGHT, "both lost": RIGHT | LEFT}
RODS = "coolant-rods"


def list_charts(spec: WarmechSpec) -> Iterator[Chart]:
    """Yield the charts of a build; none without locomotion, because it can't be fielded."""
    if spec.drive is not None:
        yield _speed(spec)
        yield _heat(spec)


def _speed(spec: WarmechSpec) -> Chart:
    """Return the chart of its movement, undamaged and crippled. BS-040 to BS-042, BS-155, BS-160."""
    unit = state_unit(spec, c.SIDE_A)
    lines = []
    for name, cripples in LEGS.items():
        unit.cripples = cripples
        if unit.locomotion != c.BIPEDAL or not has_no_legs(unit):
            lines.append(chart_series(name, [allowance(unit, action) for action in MOVEMENTS.values()]))
    out = " A biped that has lost both is out of action." if len(lines) < len(LEGS) else ""
    return Chart(
        slug="speed",
        title="Inches of a movement",
        across="Action",
        at=tuple(MOVEMENTS),
        series=tuple(lines),
        note=f"With its Locomotion whole or crippled; a Charge goes as far as a Move.{out}",
    )


def _heat(spec: WarmechSpec) -> Chart:
    """Return the chart of the chance to overheat by each turn of a round.

    BS-037, BS-056, BS-100 to BS-106, BS-127, BS-174.
    """
    attack = heat_of(c.SHOOT)  # the same for a strike
    what = {attack: "a Move and an attack"}
    for heat, name in ((_two_attacks(spec), "two attacks"), (heat_of(c.JUMP) + attack, "a Jump and an attack")):
        what[heat] = f"{what[heat]}, or {name}" if heat in what else name
    turns = BY_THE_BOOK.max_activations - 1  # the last one must include a Cool, so its heat isn't rolled
    summary = "; ".join(f"{heat} heat: {name}" for heat, name in sorted(what.items()))
    rods = " Coolant Rods take the heat of one turn away, once a round." if spec.p1 == RODS else ""
    sinks = spec.frame.has_improved_sinks
    shed = "Improved heat sinks shed each 1 that is rolled." if sinks else "No heat is shed before the round ends."
    return Chart(
        slug="heat",
        title="Chance to overheat, in percent",
        across="Turns of a round like this",
        at=tuple(f"{turn} turn{'s' if turn > 1 else ''}" for turn in range(1, turns + 1)),
        series=tuple(chart_series(f"{heat} heat a turn", _overheats(heat, turns, sinks)) for heat in sorted(what)),
        note=f"{summary}. {shed}{rods}",
    )


def _two_attacks(spec: WarmechSpec) -> int:
    """Return the most heat that two attacks in a turn can make. BS-127."""
    state = _state(spec)
    unit = state.units[0]
    most = 2 * heat_of(c.STRIKE)
    guns = [at for at, slot in enumerate(WEAPON_SLOTS) if spec.weapon(slot)]
    for first, second in product(guns, repeat=2):
        unit.energy_slot = first if state.weapons[first].energy else c.NOBODY
        most = max(most, heat_of(c.SHOOT) + heat_of_order(state, 0, c.SHOOT, second))
    return most


def _overheats(heat: int, turns: int, sinks: bool) -> list[Fraction]:
    """Return the chance, in percent, to have overheated by the end of each turn with `heat` dice. BS-101 to BS-105.

    Heat dice accumulate from turn to turn.
    """
    cool: Mapping[int, Fraction] = {0: Fraction(1)}  # weight of the heat dice -> chance of it without overheating
    so_far, found = Fraction(0), []
    for _ in range(turns):
        so_far += sum((chance * overheat_chance(weight, heat, sinks) for weight, chance in cool.items()), Fraction(0))
        found.append(100 * so_far)
        after: dict[int, Fraction] = defaultdict(Fraction)
        for (weight, chance), (more, ways) in product(cool.items(), heat_weights(heat, sinks).items()):
            if weight + more < c.OVERHEAT:
                after[weight + more] += chance * Fraction(ways, 6**heat)
        cool = after
    return found


def _state(spec: WarmechSpec) -> State:
    """Return a state containing only this Warmech."""
    return State(
        battle=Battle(count_a=1),
        sides=[],
        units=[state_unit(spec, c.SIDE_A)],
        weapons=[state_weapon(spec, slot, BY_THE_BOOK) for slot in WEAPON_SLOTS],
        orders=[],
        discs=[],
        faces=[],
        looks=[],
        chances=[],
    )


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
        f"{PACKAGE}.rules",
        f"{PACKAGE}.rules.movement",
        f"{PACKAGE}.rules.actions",
        f"{PACKAGE}.rules.engagements",
        f"{PACKAGE}.rules.rounds",
        f"{PACKAGE}.ai_values",
        f"{PACKAGE}.ai",
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
    autoplay_orders = setup.ORDERS
    forces = setup.FORCES
    even_forces = ("long-eyes", "fast-money")
    first_units = tuple(tuple((design, "") for design in setup.EXAMPLE) for _side in range(2))
    first_game = "skirmish"
    duel = "skirmish"
    tallied: Mapping[str, str] = {
        "cripples": "Crippling results",
        "overheats": "Overheats",
        "objectives": "Objective points",
        "disabled": "Legs lost",
    }
    words = setup.BATTLE_WORDS
    hand = HAND
    rolls_under = True
    space = replay.SteelTable()
    takes_positions = True

    check_setup = staticmethod(setup.check_setup)
    crowd = staticmethod(force_size_problem)

    def charts(self, spec: WarmechSpec) -> tuple[Chart, ...]:
        return tuple(list_charts(spec))

    def prepare(self, given: Setup) -> State:
        state = setup.prepare(given)
        if is_ordered(given):
            put_orders(given, state.units, [key for key, _side in self.fielded(given)])
            setup.follow_orders(given, state)
        return state

    def check_standing(self, given: Setup) -> None:
        super().check_standing(given)
        setup.check_starts(given)

    begin = staticmethod(play.begin)
    go_on = staticmethod(play.go_on)
    outcome = staticmethod(setup.outcome)
    opening = staticmethod(replay.opening)

    def chooser(self, given: Setup, hand: Hand, dice: SeededDice) -> Chooser:
        fielded = setup.field_units(given)
        names, weapons = distinct_names(fielded), setup.weapon_names(fielded)
        units = [each.unit.key for each in fielded]
        return Chooser(hand, dice, lambda unit: names[units[unit]], lambda unit, slot: weapons[units[unit]][slot])

    def parts(self, given: Setup, names: dict[str, str]) -> Callable[[Event], Mapping[str, str]]:
        return events.event_parts(setup.weapon_names(setup.field_units(given)))

    def terrain_choices(self, scenario: str | Mapping[str, object]) -> Mapping[str, str]:
        spec = read_spec(scenario)
        return {} if spec.has_table else {table.slug: table.name for table in spec.tables}

    def unit_names(self, given: Setup) -> Mapping[str, str]:
        return distinct_names(setup.field_units(given))

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
        """Return both sides' exact victory points. BS-190 to BS-197."""
        forces = [sum(each.spec.points for each in setup.field_units(given) if each.side == at) for at in range(2)]
        return Fraction(tally["attacker_points"], forces[1]), Fraction(tally["defender_points"], forces[0])

    def trial(self, given: Setup, event: Event) -> Trial | None:
        return replay.trial_of(event)

    shot_terms = staticmethod(replay.shot_terms)

    def shot(self, asked: ShotQuestion) -> Shot | None:
        return replay.calculate_shot(asked, self.prepare(asked.setup))

    def terms(self, scenario: Any) -> ScenarioTerms | None:
        return setup.describe_scenario(*setup.read_scenario(scenario))

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
