"""BattleSystem: the battle rules of one game, as the engine and the pages call them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from systems.battle_display import (
    BattleWords,
    ScenarioTerms,
    Situation,
    SupportLine,
    SupportResult,
    SupportRoll,
    UnitView,
)
from systems.catalogue import FIRST_RELEASE, ReadyForce, RulesVersion
from systems.design_editor import Chart
from systems.documents import DocumentError
from systems.engine.choices import Chooser, Hand, InHand
from systems.engine.dice import Dice, Log, SeededDice
from systems.engine.events import Event, Facts, Outcome, OwnOutcome
from systems.engine.runner import State
from systems.legality import Check, Problem
from systems.orders import (
    AutoplayOrder,
    AutoplayOrderLine,
    SupportOrderField,
    SupportOrders,
    check_given_orders,
    describe_orders,
)
from systems.report_fields import HandTerms
from systems.setups import Setup, SetupUnit
from systems.shots import Shot, ShotQuestion, ShotTerms
from systems.spaces import Space


@dataclass(frozen=True, slots=True)
class Chapter:
    """The chapter of a replay that an event belongs to, in a game on the map.

    Consecutive events with equal chapters form one step of the replay.
    """

    phase: str  # "Fight in zone 5", "The attacker moves"
    step: str = ""  # within the phase: "Round 2: movement"
    zone: int = 0  # the zone of the fight; 0: none


@dataclass(frozen=True, slots=True)
class Trial:
    """Dice rolled against a needed number, all with the same chance."""

    what: str  # "hit", "save"
    unit: str  # key of the unit that rolled
    dice: int
    successes: int
    chance: Fraction


class BattleSystem(ABC):
    """One rule system's battles. Members with a default are optional for a game."""

    slug: str
    rules_version: int  # increase it with every change that affects results
    versions: Sequence[RulesVersion] = ()  # oldest first, the last is `rules_version`; empty: no dates are known
    rules: Sequence[str]  # modules that are loaded twice, in import order
    max_units = 12  # per side
    called: frozenset[str] = frozenset()  # rules functions that are called; all others are inlined
    records: str  # module with the state's record classes

    facts: Facts  # the kinds of events in a battle, one row each
    steps: Mapping[str, str]  # of a round, by slug, with their headings
    die: int = 6  # sides of its dice
    rolls_under: bool = False  # a die succeeds if it shows the number or less
    apart: frozenset[str] = frozenset({"set-up", "end"})  # steps of a record that aren't part of a round at the table
    rounds: str = "round-began"  # the kind of event that starts a round
    own_outcome: type[OwnOutcome] = OwnOutcome  # a unit's results beyond those in every game

    # choices of a set-up
    scenarios: Mapping[str, str]
    plain_scenario: str  # played if nobody chose one
    simplest_scenario: str = ""  # of the worked example; empty: `plain_scenario`
    terrains: Mapping[str, str]
    printed: str = ""  # the terrain that means "as printed in the scenario"
    doctrines: Mapping[str, str]  # AI styles, slug -> title; a quick battle uses the first two
    levels: Mapping[str, str] = {}  # of pilots, if battles use them, lowest first
    plain_level: str = ""  # of a pilot without a description
    skills: Mapping[str, str] = {}
    support_results: Mapping[str, SupportResult] = {}  # in the order of the dice tables
    support_orders: Mapping[str, Sequence[SupportOrderField]] = {}  # the orders for each result that takes orders
    autoplay_orders: Sequence[AutoplayOrder] = ()  # orders for units, phase by phase; the AI follows them
    settled: frozenset[str] = (
        frozenset()
    )  # fields of its records that orders set at the start, but that aren't orders themselves
    planned: frozenset[str] = frozenset()  # record classes that keep the AI's plan while their stamp is valid
    forces: Mapping[str, ReadyForce]  # ready-made, as `systems.catalogue` loads them
    even_forces: tuple[str, ...] = ()  # two of them, of equal points and near even odds: a visitor's first battle
    first_units: Sequence[Sequence[tuple[str, str]]] = ()  # a first battle: published design and level, per side
    first_game: str = ""  # the scenario that visitors can start with one click
    tallied: Mapping[str, str] = {}  # odds per unit that no other game has: field of UnitTally -> heading
    duel: str = ""  # the scenario for duels between published designs; empty: no matchup matrix

    # how a battle is described
    words: BattleWords = BattleWords()
    hand: HandTerms = HandTerms()
    armed: str = "weapon"  # the sentence part (see `parts`) that names an event's weapon
    space: Space | None = None  # where battles take place, for drawing replays; None: replays are text
    takes_positions: bool = False  # whether a set-up may give unit positions
    in_hand: InHand | None = None  # how players make decisions in its battles; None: only the AI plays it
    bands: tuple[str, ...] = ()  # names of the range bands, nearest first; empty where ranges are measured

    @abstractmethod
    def check_setup(self, setup: Setup) -> None:
        """Raise DocumentError, naming field and rule, if the set-up can't be simulated."""

    def crowd(self, size: int) -> Problem | None:
        """Return the problem of a side of `size` units, more than `max_units`; None if no rule limits them."""
        return None

    def charts(self, spec: Any) -> tuple[Chart, ...]:
        """Return the design lab's charts of movement and heat, calculated by the battle rules; empty if there are none.

        They are shown beside the charts of the roster rules.
        """
        return ()

    @abstractmethod
    def prepare(self, setup: Setup) -> State:
        """Return the state before the first round, ready to be simulated without compiled rules."""

    @abstractmethod
    def begin(self, state: State, dice: Dice, log: Log, /) -> None:
        """Do everything that comes before the first round, without compiled rules."""

    @abstractmethod
    def go_on(self, state: State, dice: Dice, log: Log, /) -> bool:
        """Simulate the next round or turn from the state alone; return False once the battle has ended."""

    def fight(self, state: State, dice: Dice, log: Log) -> None:
        """Simulate the battle to its end, without compiled rules."""
        self.begin(state, dice, log)
        self.fight_on(state, dice, log)

    def fight_on(self, state: State, dice: Dice, log: Log) -> None:
        """Simulate the battle to its end from the end of a round."""
        while self.go_on(state, dice, log):
            pass

    def chooser(self, setup: Setup, hand: Hand, dice: SeededDice) -> Chooser:
        """Return the chooser that asks players for their sides' decisions; its questions use the units' names."""
        names = self.unit_names(setup)
        units = [names.get(key, key) for key, _side in self.fielded(setup)]
        return Chooser(hand, dice, lambda at: units[at], lambda at, slot: f"weapon {slot + 1}")

    def events(self, setup: Setup, log: Log) -> tuple[Event, ...]:
        """Return the battle's log as events."""
        return self.facts.events(log, [key for key, _side in self.fielded(setup)], self.rounds)

    @abstractmethod
    def outcome(self, setup: Setup, state: State) -> Outcome:
        """Return the result of a battle from its final state."""

    def condition_after(self, unit: Mapping[str, object]) -> dict[str, object]:
        """Return the condition of one unit of an outcome, as JSON values; empty where damage isn't kept."""
        return {}

    @abstractmethod
    def opening(self, setup: Setup, /) -> Situation:
        """Return the situation before the first event, as a spectator sees it."""

    def follow(self, situation: Situation, event: Event) -> Situation:
        """Return the situation after one more event, as a spectator sees it."""
        return self.facts.follow(situation, event)

    def narrator(self, setup: Setup) -> Callable[[Event], str]:
        """Return a function that describes a battle's events, one sentence each; call it in their order."""
        names = dict(self.unit_names(setup))
        sides = [side.name for side in setup.sides]
        parts = self.parts(setup, names)
        return lambda event: self.facts.sentence(event, parts(event), names, sides)

    def parts(self, setup: Setup, names: dict[str, str]) -> Callable[[Event], Mapping[str, str]]:
        """Return a function for the other names in an event's sentence, besides units and sides.

        The function may change `names`, the names of the units.
        """
        return lambda event: {}

    def step_title(self, step: str) -> str:
        """Return the heading of a step of a round."""
        return self.steps[step]

    def model_of(self, setup: Setup, unit: UnitView) -> SetupUnit | None:
        """Return the unit of the set-up that a unit is drawn as; None: it is a support unit, drawn by its kind."""
        return next((each for side in setup.sides for each in side.units if each.key == unit.key), None)

    @abstractmethod
    def unit_names(self, setup: Setup) -> Mapping[str, str]:
        """Return the names of the set-up's units on screen, by key; all different."""

    @abstractmethod
    def fielded(self, setup: Setup) -> tuple[tuple[str, int], ...]:
        """Return the key and side of every unit that may appear in the battle, in the order of the state's list."""

    def terrain_choices(self, scenario: str | Mapping[str, object]) -> Mapping[str, str]:
        """Return the terrains a player may choose for a scenario, by slug; empty if the scenario prints its own.

        `scenario` is as in a set-up document.
        """
        return {slug: name for slug, name in self.terrains.items() if slug != self.printed}

    def match_terrains(self, scenario: str | Mapping[str, object]) -> tuple[str, ...]:
        """Return the terrains that a campaign's matches of that scenario rotate through."""
        return tuple(self.terrain_choices(scenario)) or (self.printed,)

    def ground_name(self, terrain: str) -> str:
        """Return the terrain's name for lists of matches; empty if the scenario has its own terrain."""
        return "" if terrain == self.printed else self.terrains.get(terrain, terrain)

    def counts_hiring(self, scenario: str | Mapping[str, object]) -> bool:
        """Return whether set-ups of that scenario record which pilots were hired for it (`is_new`)."""
        return False

    def describe_reason(self, reason: str) -> str:
        """Describe why a battle ended, from the reason in its outcome."""
        return reason

    def table_steps(self, given: Setup) -> tuple[str, ...]:
        """Return the steps of a round or turn of that battle at the table, in order."""
        return tuple(step for step in self.steps if step not in self.apart)

    def round_word(self, scenario: str | Mapping[str, object]) -> str:
        """Return what a battle of that scenario is divided into, such as "round"."""
        return "round"

    def support_units(self, setup: Setup) -> tuple[tuple[int, str], ...]:
        """Return side and slug of each support unit that is sure to appear but isn't among the set-up's units."""
        return ()

    def round_title(self, setup: Setup, number: int) -> str:
        """Return the heading of a section of a record."""
        return f"Round {number}"

    def chapters(self, setup: Setup) -> Callable[[Event], Chapter]:
        """Return a function that gives each event's replay chapter; call it in the order of the events."""
        return lambda event: Chapter(self.round_title(setup, event.round), self.step_title(event.step))

    def wounders(self, setup: Setup, record: Iterable[Event]) -> Mapping[str, str]:
        """Return what wounded each unit's pilot, by the unit's key, where the record shows it."""
        return {}

    def brought(self, setup: Setup, record: Iterable[Event]) -> Mapping[str, str]:
        """Return the names, by key, of units that the set-up could not name, where the record shows them."""
        return {}

    def deeds(self, setup: Setup, key: str, ends: Mapping[str, Mapping[str, object]]) -> Mapping[str, int]:
        """Return extra counts for the records of a unit and its pilot, by label, beyond the numbers in reports.

        `ends` are the units of the result by key.
        """
        return {}

    def cause_of_loss(self, setup: Setup, fate: Mapping[str, object], names: Mapping[str, str] = {}) -> str:
        """Describe what destroyed a lost unit of a result, to follow "destroyed: "; empty if unknown.

        `names` are the names, by key, that the battle gave to units the set-up could not name.
        """
        by = (dict(self.unit_names(setup)) | dict(names)).get(str(fate["killed_by"] or ""), "")
        return f"by {by}" if by else ""

    @abstractmethod
    def worths(self, setup: Setup) -> Mapping[str, int]:
        """Return the points that each unit of the set-up counts for in a victory margin, by key."""

    def scores(self, setup: Setup, tally: Mapping[str, int]) -> tuple[Fraction, Fraction] | None:
        """Return both sides' victory points over all battles, from the tallies; None if the game has none."""
        return None

    def trial(self, setup: Setup, event: Event) -> Trial | None:
        """Return the dice of an event that were rolled against a needed number; None if there were none."""
        return None

    def shot_terms(self, given: Setup, shooter: str) -> ShotTerms | None:
        """Return the questions for a shot by that unit at the table.

        None: the game has no such helper, or the unit can't shoot.
        """
        return None

    def shot(self, asked: ShotQuestion) -> Shot | None:
        """Return the number needed for a shot, with all modifiers; None if this shot isn't possible."""
        return None

    def terms(self, scenario: str | Mapping[str, object]) -> ScenarioTerms | None:
        """Describe the terms of a scenario as written in a set-up document; None if it has none."""
        return None

    def place_title(self, setup: Setup) -> str:
        """Return the name of the scenario and its place; this default is for games without player-made scenarios."""
        return self.scenarios[str(setup.scenario)]

    def describe_ground(self, setup: Setup) -> str:
        """Describe the terrain."""
        return self.ground_name(setup.terrain)

    def support_allowed(
        self, scenario: str | Mapping[str, object], side: int, pilots: Iterable[Mapping[str, object] | None]
    ) -> int:
        """Return how many support results a side with these pilots may have; raises DocumentError."""
        return 0

    def roll_support(self, dice: Dice) -> SupportRoll:
        """Make one support roll before a game at the table; called only where support rolls are allowed."""
        raise NotImplementedError(f"{self.slug} has no support rolls")

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
        """Raise DocumentError, naming field and rule, for orders for support that the side can't give.

        `has` is the support that it rolled, None if that is not known yet; `units` are the keys of its units.
        """
        if orders:
            raise DocumentError(path, "this game takes no orders for support; leave it out")

    def standing_open(self, scenario: str | Mapping[str, object], side: int) -> Sequence[AutoplayOrder]:
        """Return the autoplay orders available to a side in that scenario, with their choices there."""
        return self.autoplay_orders

    def check_standing(self, setup: Setup) -> None:
        """Raise DocumentError, naming field, reason and rule, for autoplay orders that can't be given."""
        for at, side in enumerate(setup.sides):
            opened = self.standing_open(setup.scenario, at)
            check_given_orders(self.autoplay_orders, opened, side.standing, path=f"sides[{at}].standing")
            for place, unit in enumerate(side.units):
                path = f"sides[{at}].units[{place}].standing"
                check_given_orders(self.autoplay_orders, opened, unit.standing, path=path, beside=side.standing)

    def describe_autoplay_orders(self, setup: Setup) -> tuple[AutoplayOrderLine, ...]:
        """Describe all autoplay orders of a battle."""
        return describe_orders(self.autoplay_orders, setup)

    def roll_before(
        self, support: Sequence[str], options: Mapping[str, object], dice: Dice
    ) -> Mapping[str, tuple[int, ...]]:
        """Return the dice that these support results roll before a side buys its units, by result."""
        return {}

    def points_before(self, rolled: Mapping[str, Sequence[int]]) -> int:
        """Return the points that these dice add to a side's budget."""
        return 0

    @abstractmethod
    def check_side(
        self,
        scenario: str | Mapping[str, object],
        side: int,
        units: Sequence[SetupUnit],
        support: Sequence[str],
        options: Mapping[str, object],
        release: str = FIRST_RELEASE,
    ) -> Check:
        """Return the points and all problems of one side's units, using that catalogue release.

        `scenario` is as in a set-up document. Raises DocumentError for unreadable input.
        """

    def describe_support(self, setup: Setup, events: Iterable[tuple[Event, str]]) -> tuple[SupportLine, ...]:
        """Describe the support of both sides and its effects; the events come with their sentences."""
        return ()

    @abstractmethod
    def example(self) -> Setup:
        """Return a small legal set-up, used to warm up the compiled rules and as an example."""
