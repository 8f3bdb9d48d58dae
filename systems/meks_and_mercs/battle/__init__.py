"""Meks & Mercs' battles: SYSTEM for the engine, and the lab's chart of a Mek's movement rolls.

The chart is calculated by the rules that battles use.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from pathlib import Path

from systems.battle import BattleSystem, Chapter, Trial
from systems.battle_display import ScenarioTerms, SupportLine, SupportRoll, UnitView, describe_ground
from systems.catalogue import FIRST_RELEASE, load_forces, load_versions
from systems.design_editor import Chart, chart_series
from systems.engine.choices import Chooser, Hand
from systems.engine.dice import Dice, Log, NullLog, ScriptedDice, SeededDice
from systems.engine.events import Event
from systems.legality import Check
from systems.meks_and_mercs.battle import choices, effects, events, play, replay, scenario_setup, setup, terms
from systems.meks_and_mercs.battle import orders as support_orders
from systems.meks_and_mercs.battle import units as battle_units
from systems.meks_and_mercs.battle.effects import MekView
from systems.meks_and_mercs.battle.rules.zone_combat import roll_total
from systems.meks_and_mercs.battle.state import Battle, State, Unit, Zone
from systems.meks_and_mercs.battle.terms import WORDS
from systems.meks_and_mercs.battle.units import SYSTEM_BITS
from systems.meks_and_mercs.build import HAND
from systems.meks_and_mercs.build.legality import too_many_units_problem
from systems.meks_and_mercs.build.spec import MekSpec
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.meks_and_mercs.options import Options
from systems.orders import AutoplayOrder, SupportOrders
from systems.setups import MAX_UNITS, Setup, SetupSide, SetupUnit, distinct_names
from systems.shots import Shot, ShotQuestion

LEGS = ("undamaged", "1 leg hit", "2 legs hit")
JETS = "jump-jets"


def movement_charts(spec: MekSpec) -> Iterator[Chart]:
    """Yield the movement chart for a Regular pilot. MM-028, MM-029."""
    grounds: dict[int, list[str]] = {}
    for terrain in spec.catalogue.terrain.values():
        grounds.setdefault(terrain.movement, []).append(terrain.name)
    ways = [(names[0], modifier, 0) for modifier, names in sorted(grounds.items(), reverse=True)]
    if JETS in spec.systems:
        ways.append(("jumping", 0, 1))
    least, most = min(_totals(spec, *ways[0][1:], 0)), max(_totals(spec, *ways[0][1:], 0))
    alike = [f"{' and '.join(names[1:])} as {names[0]}" for names in grounds.values() if len(names) > 1]
    yield Chart(
        slug="speed",
        title="Average movement roll",
        across="Terrain",
        at=tuple(name for name, _, _ in ways),
        series=tuple(
            chart_series(name, [_mean(_totals(spec, modifier, jets, legs)) for _, modifier, jets in ways])
            for legs, name in enumerate(LEGS)
        ),
        note=f"Regular pilot, undamaged, on {ways[0][0]}: {least} to {most}. Treat {', '.join(alike)}.",
    )


def _totals(spec: MekSpec, modifier: int, jets: int, legs: int) -> tuple[int, ...]:
    systems = sum(SYSTEM_BITS[slug] for slug in set(spec.systems))
    frame = spec.frame
    return _movement_totals(frame.movement_dice, frame.movement_bonus, systems, modifier, jets, legs)


@lru_cache(maxsize=1024)
def _movement_totals(dice: int, bonus: int, systems: int, modifier: int, jets: int, legs: int) -> tuple[int, ...]:
    """Return the total for each combination of dice."""
    unit = Unit(movement_dice=dice, movement_bonus=bonus, systems=systems, legs=legs)
    state = State(
        battle=Battle(),
        sides=[],
        rolls=[],
        zones=[Zone(movement=modifier)],
        units=[unit],
        weapons=[],
        fittings=[],
        pairs=[],
        sights=[],
        salvos=[],
        firings=[],
        shots=[],
    )
    totals = []
    for faces in product(range(1, 7), repeat=dice + jets):
        roll_total(state, 0, jets, ScriptedDice(faces), NullLog())
        totals.append(unit.total)
    return tuple(totals)


def _mean(totals: tuple[int, ...]) -> Fraction:
    return Fraction(sum(totals), len(totals))


PACKAGE = "systems.meks_and_mercs.battle"
CALLED = frozenset({
    "best", "best_at", "break_contact", "count", "count_infantry_losses", "destroy", "go_on", "fingerprint", "identify",
    "lose_system", "lose_weapon", "overheat", "plan_fire", "plan_gunnery",
    "search_infantry", "search_masked", "shoot_infantry", "strength_in_zone",
    "suffer_critical", "touch_side", "uses_jets", "roll_movement",
    "fire_order", "reckon",
    "ordered_zone", "ordered_band", "ordered_to_break", "suits_more", "liked_target", "end_ordered_moves", "ambush_choice", "arrive", "call_for_help", "call_off_board", "choose_zone", "check_critical", "damage_before",
    "end_phase_support", "fight_round", "fight_zones", "fire_off_board", "has_visible", "is_contested",
    "issue", "judge", "land_infantry", "make_contact", "move_unit", "movement_phase", "next_zone", "off_board_target",
    "passes_entry_test", "place_support", "repair", "reveal_side", "roll_initiative", "roll_support",
    "roll_terrain", "second_move", "send_drones", "set_down", "set_up", "shoot_at", "spring_ambush", "step_on_mines",
    "sweep", "take_turn", "target_zone", "tidy_pairs", "act_commandos", "can_be_called_on", "commandos_choice", "gains_by_link", "unmask_decoy", "way_back", "work_critical", "hide_and_mine", "friend_fights",
})  # fmt: skip


FIGHT_STEPS = ("contact", "wounds", "movement", "detection", "fire", "damage", "heat", "infantry")  # steps of a round


class MeksAndMercs(BattleSystem):
    slug = "meks-and-mercs"
    versions = load_versions(Path(__file__).with_name("versions.toml"))
    rules_version = versions[-1].number
    records = f"{PACKAGE}.state"
    called = CALLED
    max_units = MAX_UNITS
    rules = (
        f"{PACKAGE}.rules",
        f"{PACKAGE}.rules.firepower",
        f"{PACKAGE}.rules.zone_combat",
        f"{PACKAGE}.rules.fire",
        f"{PACKAGE}.rules.damage",
        f"{PACKAGE}.rules.support",
        f"{PACKAGE}.rules.turn",
        f"{PACKAGE}.ai",
        f"{PACKAGE}.ai_fire",
        f"{PACKAGE}.ai_map",
        f"{PACKAGE}.play",
        "systems.engine.ends",
        f"{PACKAGE}.tally",
    )
    facts = events.FACTS
    steps = events.STEPS
    own_outcome = setup.MekOutcome
    scenarios = setup.SCENARIOS
    plain_scenario = setup.ZONE_BATTLE
    simplest_scenario = "opening-shots"
    terrains: Mapping[str, str] = {terrain.slug: terrain.name for terrain in CATALOGUE.terrain.values()} | {
        setup.PRINTED: "As printed"
    }
    printed = setup.PRINTED
    doctrines = setup.DOCTRINES
    levels: Mapping[str, str] = {level.slug: level.name for level in CATALOGUE.levels.values()}
    plain_level = "regular"
    skills: Mapping[str, str] = {skill.slug: skill.name for skill in CATALOGUE.skills.values()}
    support_results = terms.RESULTS
    support_orders = support_orders.ORDERS
    autoplay_orders = battle_units.ORDERS
    settled = frozenset({
        "Unit.zone", "Unit.start_zone", "Unit.chosen", "Unit.chosen_heat", "Unit.chosen_order",
        "Sight.short", "Sight.medium", "Sight.long", "Salvo.worth", "Salvo.heat", "Salvo.order",
    })  # fmt: skip
    planned = frozenset({"Salvo"})
    forces = load_forces(Path(__file__).parents[1])
    even_forces = ("picket-line", "long-reach")
    first_units = ((("viper", "regular"), ("wasp", "regular")), (("saber", "regular"),))
    first_game = "opening-shots"
    duel = setup.ZONE_BATTLE
    words = WORDS
    hand = HAND
    space = replay.ZoneMap()
    in_hand = choices.IN_HAND
    bands = events.BANDS

    def check_setup(self, given: Setup) -> None:
        if setup.scenario_of(given) is not None:
            scenario_setup.check_game(given)
        else:
            setup.check_setup(given)

    def charts(self, spec: MekSpec) -> tuple[Chart, ...]:
        return tuple(movement_charts(spec))

    def prepare(self, given: Setup) -> State:
        if setup.scenario_of(given) is not None:
            return scenario_setup.prepare_game(given)
        return setup.prepare(given)

    begin = staticmethod(play.begin)
    go_on = staticmethod(play.go_on)
    crowd = staticmethod(too_many_units_problem)

    def chooser(self, given: Setup, hand: Hand, dice: SeededDice) -> Chooser:
        names = self.unit_names(given)
        fielded = setup.field_units(given)
        units = [names[each.unit.key] for each in fielded]
        weapons = [tuple(weapon.name for weapon in each.weapons) for each in fielded]

        def weapon(unit: int, slot: int) -> str:
            named = weapons[unit] if unit < len(weapons) else ()  # units from support rolls have none in the set-up
            return named[slot] if slot < len(named) else f"weapon {slot + 1}"

        return Chooser(hand, dice, lambda unit: units[unit], weapon)

    def events(self, given: Setup, log: Log) -> tuple[Event, ...]:
        keys = [*(key for key, _side in self.fielded(given)), setup.OFF_BOARD, setup.MINES]
        return self.facts.events(log, keys, "round-began" if setup.scenario_of(given) is None else "turn-began")

    outcome = staticmethod(setup.outcome)

    def condition_after(self, unit: Mapping[str, object]) -> dict[str, object]:
        return {name: unit[name] for name in ("hits", "weapons_lost", "systems_lost", "legs")}

    opening = staticmethod(replay.opening)

    def model_of(self, given: Setup, unit: UnitView) -> SetupUnit | None:
        """Return the set-up's unit that a unit looks like; for a decoy the first of its side. MM-A01."""
        if isinstance(unit, MekView) and unit.decoy:
            return given.sides[unit.side].units[0]
        return super().model_of(given, unit)

    def parts(self, given: Setup, names: dict[str, str]) -> Callable[[Event], Mapping[str, str]]:
        units = {fielded.unit.key: fielded for fielded in setup.field_units(given)}
        weapons = {key: tuple(weapon.name for weapon in fielded.weapons) for key, fielded in units.items()}
        systems = {
            key: tuple(CATALOGUE.systems[slug].name for slug in fielded.systems) for key, fielded in units.items()
        }
        weapons[setup.OFF_BOARD] = events.OFF_BOARD_WEAPONS
        names.update(effects.NON_UNIT_DESTROYERS)
        of = events.parts(weapons, systems)

        def parts(event: Event) -> Mapping[str, str]:
            if event.kind == "support-rolled" and event.unit and units[event.unit].role == "support":
                brought = scenario_setup.support_unit_of(event.number("support"))
                names[event.unit] = _name_of_support_unit(event)
                weapons[event.unit] = tuple(CATALOGUE.weapons[slug].name for slug in brought.weapons)
            is_plural = names.get(event.unit or "", "").startswith(CATALOGUE.support_units["commandos"].name)
            return {**of(event), "s": "" if is_plural else "s"}  # "a Mek moves", but "Commandos move"

        return parts

    def unit_names(self, given: Setup) -> Mapping[str, str]:
        return distinct_names(setup.field_units(given))

    def fielded(self, given: Setup) -> tuple[tuple[str, int], ...]:
        return tuple((fielded.unit.key, fielded.side) for fielded in setup.field_units(given))

    def terrain_choices(self, scenario: str | Mapping[str, object]) -> Mapping[str, str]:
        """Return all terrains for a zone battle; none for a scenario with printed terrain. MM-013.

        A scenario whose source leaves the terrain open has all of them too.
        """
        found, everywhere = self.terms(scenario), super().terrain_choices(scenario)
        if found is None:
            return everywhere
        if not found.is_terrain_free:
            return {}
        return {self.printed: f"as the scenario has it: {describe_ground(found.ground)}", **everywhere}

    def match_terrains(self, scenario: str | Mapping[str, object]) -> tuple[str, ...]:
        return super().match_terrains(scenario) if scenario == setup.ZONE_BATTLE else (self.printed,)

    def counts_hiring(self, scenario: str | Mapping[str, object]) -> bool:
        """Return True for scenarios: pilots already on the roster cost none of its points. MM-011."""
        return bool(scenario != setup.ZONE_BATTLE)

    def table_steps(self, given: Setup) -> tuple[str, ...]:
        """Return the steps of a round in one zone, or of a turn in a game on the map. MM-015, MM-027.

        In a turn, each contested zone has rounds with these same steps.
        """
        if given.scenario == setup.ZONE_BATTLE:
            return FIGHT_STEPS
        return ("turn", "initiative", "zones", "zone", *FIGHT_STEPS, "victory")

    shot_terms = staticmethod(replay.shot_terms)

    def shot(self, asked: ShotQuestion) -> Shot | None:
        return replay.calculate_shot(asked, self.prepare(replay.setup_with_marks(asked)))

    def round_word(self, scenario: str | Mapping[str, object]) -> str:
        return "round" if scenario == setup.ZONE_BATTLE else "turn"

    def support_units(self, given: Setup) -> tuple[tuple[int, str], ...]:
        """Return side and slug of each support unit from results, the scenario or an APC. MM-088.

        Units from support rolls yet to be made are left out, because they are uncertain.
        """
        return tuple(
            (fielded.side, fielded.support.slug)
            for fielded in setup.field_units(given)
            if fielded.role and fielded.support is not None and fielded.roll < 0
        )

    def round_title(self, given: Setup, number: int) -> str:
        return f"{'Turn' if setup.scenario_of(given) is not None else 'Round'} {number}"

    def chapters(self, given: Setup) -> Callable[[Event], Chapter]:
        return replay.chapters(given) if setup.scenario_of(given) is not None else super().chapters(given)

    def wounders(self, given: Setup, record: Iterable[Event]) -> Mapping[str, str]:
        names = dict(self.unit_names(given)) | effects.NON_UNIT_DESTROYERS
        by: dict[str, str] = {}  # the attacker of a unit's latest critical hit
        found: dict[str, str] = {}
        for event in record:
            if event.kind == "critical-rolled":
                by[event.unit or ""] = names.get(str(event.result["by"]), "")
            elif event.kind == "pilot-wounded":
                found[event.unit or ""] = by.get(event.unit or "", "")
        return found

    def brought(self, given: Setup, record: Iterable[Event]) -> Mapping[str, str]:
        waiting = {fielded.unit.key for fielded in setup.field_units(given) if fielded.role == "support"}
        return {
            event.unit: _name_of_support_unit(event)
            for event in record
            if event.kind == "support-rolled" and event.unit in waiting and event.unit
        }

    def cause_of_loss(self, given: Setup, fate: Mapping[str, object], names: Mapping[str, str] = {}) -> str:
        known = dict(self.unit_names(given)) | dict(names) | effects.NON_UNIT_DESTROYERS
        return effects.describe_loss(fate["lost_by"], known.get(str(fate["killed_by"] or ""), ""))

    def worths(self, given: Setup) -> Mapping[str, int]:
        return {fielded.unit.key: battle_units.margin_points(fielded, given) for fielded in setup.field_units(given)}

    def trial(self, given: Setup, event: Event) -> Trial | None:
        return replay.trial_of(event, given)

    def terms(self, scenario: str | Mapping[str, object]) -> ScenarioTerms | None:
        found = setup.read_scenario(scenario)
        return terms.terms_of(found) if found else None

    def place_title(self, given: Setup) -> str:
        return terms.place_title(given)

    def describe_ground(self, given: Setup) -> str:
        return terms.describe_terrain(given)

    def support_allowed(
        self, scenario: str | Mapping[str, object], side: int, pilots: Iterable[Mapping[str, object] | None]
    ) -> int:
        found = setup.read_scenario(scenario)
        return terms.allowed_rolls(found, side, pilots) if found else 0

    def roll_support(self, dice: Dice) -> SupportRoll:
        return terms.roll_for_support(dice)

    def check_orders(
        self,
        scenario: str | Mapping[str, object],
        side: int,
        orders: SupportOrders,
        *,
        has: Collection[str] | None,
        units: Collection[str],
        path: str,
    ) -> None:
        if orders:
            support_orders.check_side_orders(
                setup.read_scenario(scenario), side, orders, has=has, units=units, path=path
            )

    def standing_open(self, scenario: str | Mapping[str, object], side: int) -> Sequence[AutoplayOrder]:
        return battle_units.available_orders(setup.read_scenario(scenario), side)

    def check_standing(self, given: Setup) -> None:
        super().check_standing(given)
        support_orders.check_standing(given)

    def roll_before(
        self, support: Sequence[str], options: Mapping[str, object], dice: Dice
    ) -> Mapping[str, tuple[int, ...]]:
        return scenario_setup.roll_for_uncles(support, Options.read(options), dice)

    def points_before(self, rolled: Mapping[str, Sequence[int]]) -> int:
        return sum(rolled.get(scenario_setup.RICH_UNCLE, ()))

    def check_side(
        self,
        scenario: str | Mapping[str, object],
        side: int,
        units: Sequence[SetupUnit],
        support: Sequence[str],
        options: Mapping[str, object],
        release: str = FIRST_RELEASE,
    ) -> Check:
        return terms.check_side(scenario, side, units, support, options, release)

    def describe_support(self, given: Setup, events: Iterable[tuple[Event, str]]) -> tuple[SupportLine, ...]:
        return terms.describe_support(given, events)

    def example(self) -> Setup:
        return Setup(
            muster="setup/1",
            system=self.slug,
            scenario=setup.ZONE_BATTLE,
            terrain="plain",
            sides=(
                SetupSide(name="Attacker", doctrine="aggressive", units=(SetupUnit(key="a1", design="wasp"),)),
                SetupSide(name="Defender", doctrine="cautious", units=(SetupUnit(key="d1", design="draken"),)),
            ),
        )


def _name_of_support_unit(event: Event) -> str:
    """Return the name of the unit that a support roll brought."""
    brought = scenario_setup.support_unit_of(event.number("support"))
    return f"{brought.name} {(event.unit or '').upper()}"


SYSTEM = MeksAndMercs()
