"""BattleSystem: what a rule system answers about battles. The engine asks, the system answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from systems.charts import Chart
from systems.documents import DocumentError
from systems.engine.choosing import Chooser, Hand, InHand
from systems.engine.dice import Dice, Log, SeededDice
from systems.engine.events import Event, Outcome, OwnOutcome
from systems.engine.facts import Facts
from systems.engine.twin import State
from systems.forces import ReadyForce
from systems.hand import HandTerms
from systems.legality import Check, Problem
from systems.orders import OrderField, Orders
from systems.releases import FIRST, RulesVersion
from systems.setups import Setup, SetupUnit
from systems.shots import Asked, Shot, ShotTerms
from systems.situation import Situation, UnitView
from systems.spaces import Space
from systems.standing import OrderLine, StandingOrder, check_given, describe_orders
from systems.terms import BattleWords, ScenarioTerms, SupportLine, SupportResult, SupportRoll


@dataclass(frozen=True, slots=True)
class Chapter:
    """Where in a game on the map an event belongs; events in a row with equal chapters are one step of its replay."""

    phase: str  # "Fight in zone 5", "The attacker moves"
    step: str = ""  # within the phase: "Round 2: movement"
    zone: int = 0  # of the fight; 0: none


@dataclass(frozen=True, slots=True)
class Trial:
    """Dice that a needed number decided, all with the same chance."""

    what: str  # "hit", "save"
    unit: str  # key of the unit that rolled
    dice: int
    successes: int
    chance: Fraction


class BattleSystem(ABC):
    """One rule system's battles. What has a default here is a part that a system may do without."""

    slug: str
    rules_version: int  # goes up with every change that changes results
    versions: Sequence[RulesVersion] = ()  # oldest first, the last of them is `rules_version`; none: it tells no dates
    rules: Sequence[str]  # modules that are loaded twice, in the order of their imports
    max_units = 12  # a side
    called: frozenset[str] = frozenset()  # functions of the rules to be called; others are written out where used
    records: str  # module of the state's record classes

    facts: Facts  # what can happen in a battle, one row each
    steps: Mapping[str, str]  # of a round, with their headings
    die: int = 6  # sides of its dice
    rolls_under: bool = False  # a die has to show the number or less
    apart: frozenset[str] = frozenset({"set-up", "end"})  # steps of a record that are no step of a round at the table
    rounds: str = "round-began"  # the kind of fact that a round begins with
    own_outcome: type[OwnOutcome] = OwnOutcome  # what is said of a unit afterwards besides what all games say

    # what a set-up chooses from
    scenarios: Mapping[str, str]
    plain_scenario: str  # what is played where nobody chose
    terrains: Mapping[str, str]
    printed: str = ""  # the terrain that stands for "as the scenario has it"
    doctrines: Mapping[str, str]  # slug -> title; the first two are those of a battle at one press
    levels: Mapping[str, str] = {}  # of pilots, as far as battles know them, lowest first
    plain_level: str = ""  # of a pilot whom nobody described
    skills: Mapping[str, str] = {}
    support_results: Mapping[str, SupportResult] = {}  # in the order of the tables
    support_orders: Mapping[str, Sequence[OrderField]] = {}  # what can be ordered of each result that takes orders
    standing_orders: Sequence[StandingOrder] = ()  # what units can be ordered, phase by phase; its doctrines follow it
    settled: frozenset[str] = (
        frozenset()
    )  # fields of its records that are no order, though they follow from one at first
    planned: frozenset[str] = frozenset()  # records that keep what a doctrine planned as long as their stamp is right
    forces: Mapping[str, ReadyForce]  # ready-made, as `systems.forces` loads them
    first_units: Sequence[Sequence[tuple[str, str]]] = ()  # a first battle: published design and level, side by side
    first_game: str = ""  # the scenario that a visitor can play whole at one press
    tallied: Mapping[str, str] = {}  # what odds count of each unit that no other game does: field of UnitTally, heading
    duel: str = ""  # the scenario in which one published design meets another; without one there is no matchup matrix

    # how a battle is told
    words: BattleWords = BattleWords()
    hand: HandTerms = HandTerms()
    armed: str = "weapon"  # the part of a sentence (`parts`) that is the weapon of an event
    space: Space | None = None  # where battles are fought, which their replay draws; without one it is read
    takes_positions: bool = False  # a set-up may say where its units stand
    in_hand: InHand | None = None  # how persons decide in its battles; none: only its doctrines do
    bands: tuple[str, ...] = ()  # names of the range bands, nearest first; none where range is measured

    @abstractmethod
    def check_setup(self, setup: Setup) -> None:
        """Raises DocumentError, naming field and rule, if the set-up can't be fought."""

    def crowd(self, size: int) -> Problem | None:
        """What a side of that many units breaks, more than `max_units`; None if no rule of the game says how many."""
        return None

    def charts(self, spec: Any) -> tuple[Chart, ...]:
        """What the lab draws of how a build moves and how hot it gets, beside what its roster rules draw: asked of the rules
        of battle themselves; nothing where a game offers none."""
        return ()

    @abstractmethod
    def prepare(self, setup: Setup) -> State:
        """The state before the first round, as the plain run takes it."""

    @abstractmethod
    def begin(self, state: State, dice: Dice, log: Log) -> None:
        """What comes before the first round, in the plain run."""

    @abstractmethod
    def go_on(self, state: State, dice: Dice, log: Log) -> bool:
        """Fights the next round, or turn; False once the battle has ended. All that it needs to know is in the state."""

    def fight(self, state: State, dice: Dice, log: Log) -> None:
        """Fights the battle to its end, in the plain run."""
        self.begin(state, dice, log)
        self.fight_on(state, dice, log)

    def fight_on(self, state: State, dice: Dice, log: Log) -> None:
        """The same from where a round ended on."""
        while self.go_on(state, dice, log):
            pass

    def chooser(self, setup: Setup, hand: Hand, dice: SeededDice) -> Chooser:
        """Who answers for the sides that a person plays, with what questions call units."""
        names = self.unit_names(setup)
        units = [names.get(key, key) for key, _side in self.fielded(setup)]
        return Chooser(hand, dice, lambda at: units[at], lambda at, slot: f"weapon {slot + 1}")

    def events(self, setup: Setup, log: Log) -> tuple[Event, ...]:
        """The notes of a battle as events."""
        return self.facts.events(log, [key for key, _side in self.fielded(setup)], self.rounds)

    @abstractmethod
    def outcome(self, setup: Setup, state: State) -> Outcome:
        """How a battle ended, from the state at its end."""

    def condition_after(self, unit: Mapping[str, object]) -> dict[str, object]:
        """The condition in which a unit of an outcome came out, as JSON values; empty where no damage stays."""
        return {}

    @abstractmethod
    def opening(self, setup: Setup) -> Situation:
        """What a spectator sees before the first event."""

    def follow(self, situation: Situation, event: Event) -> Situation:
        """What a spectator sees after one more event."""
        return self.facts.follow(situation, event)

    def narrator(self, setup: Setup) -> Callable[[Event], str]:
        """Puts the events of a battle of this set-up into words, one sentence each; they are given in order."""
        names = dict(self.unit_names(setup))
        sides = [side.name for side in setup.sides]
        parts = self.parts(setup, names)
        return lambda event: self.facts.sentence(event, parts(event), names, sides)

    def parts(self, setup: Setup, names: dict[str, str]) -> Callable[[Event], Mapping[str, str]]:
        """What sentences name besides units and sides, event by event; `names` of units may change on the way."""
        return lambda event: {}

    def step_title(self, step: str) -> str:
        """The heading of a step of a round."""
        return self.steps[step]

    def model_of(self, setup: Setup, unit: UnitView) -> SetupUnit | None:
        """The unit of the set-up as which it is drawn; None: it is support, known by its kind."""
        return next((each for side in setup.sides for each in side.units if each.key == unit.key), None)

    @abstractmethod
    def unit_names(self, setup: Setup) -> Mapping[str, str]:
        """What the units of the set-up are called on screen, by key; no two alike."""

    @abstractmethod
    def fielded(self, setup: Setup) -> tuple[tuple[str, int], ...]:
        """Key and side of every unit the battle may bring, in the order of the state's list."""

    def terrain_choices(self, scenario: str | Mapping[str, object]) -> Mapping[str, str]:
        """The terrains that a player may choose for a scenario, as a set-up document has it, by slug; none: it prints its own."""
        return {slug: name for slug, name in self.terrains.items() if slug != self.printed}

    def match_terrains(self, scenario: str | Mapping[str, object]) -> tuple[str, ...]:
        """The terrains that take turns in a campaign's matches of that scenario."""
        return tuple(self.terrain_choices(scenario)) or (self.printed,)

    def ground_name(self, terrain: str) -> str:
        """The terrain of a match in lists; empty where the scenario has its own."""
        return "" if terrain == self.printed else self.terrains.get(terrain, terrain)

    def counts_hiring(self, scenario: str | Mapping[str, object]) -> bool:
        """True if a pilot of a set-up says whether he was hired for it (`is_new`)."""
        return False

    def describe_reason(self, reason: str) -> str:
        """Why a battle ended, in words, from what its outcome names as the reason."""
        return reason

    def table_steps(self, given: Setup) -> tuple[str, ...]:
        """The steps of a round, or turn, of that battle as players go through them, in order."""
        return tuple(step for step in self.steps if step not in self.apart)

    def counted(self, scenario: str | Mapping[str, object]) -> str:
        """What a battle of that scenario is counted in."""
        return "round"

    def support_units(self, setup: Setup) -> tuple[tuple[int, str], ...]:
        """Side and slug of each support unit that is sure to be there though the set-up doesn't name it among its units."""
        return ()

    def round_title(self, setup: Setup, number: int) -> str:
        """The heading of what a record is cut into."""
        return f"Round {number}"

    def chapters(self, setup: Setup) -> Callable[[Event], Chapter]:
        """Tells of each event of a battle, given in order, which chapter of its replay it belongs to."""
        return lambda event: Chapter(self.round_title(setup, event.round), self.step_title(event.step))

    def wounders(self, setup: Setup, record: Iterable[Event]) -> Mapping[str, str]:
        """The name of what wounded the pilot of a unit, by the unit's key, as far as the record's events tell."""
        return {}

    def brought(self, setup: Setup, record: Iterable[Event]) -> Mapping[str, str]:
        """The names, by key, of units that the set-up could not name, as far as the record's events tell."""
        return {}

    def deeds(self, setup: Setup, key: str, ends: Mapping[str, Mapping[str, object]]) -> Mapping[str, int]:
        """What the records of a unit and its pilot add up of a game beyond what its reports count, by label; `ends` are
        the units of the result by key."""
        return {}

    def cause_of_loss(self, setup: Setup, fate: Mapping[str, object], names: Mapping[str, str] = {}) -> str:
        """What destroyed a unit that a result calls lost, in words after "destroyed: "; "" if nobody knows.

        `names` are those by key that a battle gave to what the set-up could not name.
        """
        by = (dict(self.unit_names(setup)) | dict(names)).get(str(fate["killed_by"] or ""), "")
        return f"by {by}" if by else ""

    @abstractmethod
    def worths(self, setup: Setup) -> Mapping[str, int]:
        """What each unit of the set-up counts for in a margin, in points, by key."""

    def scores(self, setup: Setup, tally: Mapping[str, int]) -> tuple[Fraction, Fraction] | None:
        """The victory points of both sides in all battles together, from what was counted; None: there are none."""
        return None

    def trial(self, setup: Setup, event: Event) -> Trial | None:
        """The dice of an event that a needed number decided; None if there were none."""
        return None

    def shot_terms(self, given: Setup, shooter: str) -> ShotTerms | None:
        """What is asked of a shot of that unit at the table; None: the game has no such helper, or the unit no shot."""
        return None

    def shot(self, asked: Asked) -> Shot | None:
        """The number that a shot needs, with all that changes it; None if it can't be fired so."""
        return None

    def terms(self, scenario: str | Mapping[str, object]) -> ScenarioTerms | None:
        """What stands for a scenario in a set-up document, in words; None if it asks for nothing."""
        return None

    def place_title(self, setup: Setup) -> str:
        """What is played, and where, in a few words; as it is here, of a game without scenarios of the players."""
        return self.scenarios[str(setup.scenario)]

    def describe_ground(self, setup: Setup) -> str:
        """The terrain, in words."""
        return self.ground_name(setup.terrain)

    def support_allowed(
        self, scenario: str | Mapping[str, object], side: int, pilots: Iterable[Mapping[str, object] | None]
    ) -> int:
        """How many support results a side with these pilots may have; raises DocumentError for what is no pilot."""
        return 0

    def roll_support(self, dice: Dice) -> SupportRoll:
        """One support roll, made before a game at the table; asked only where some are allowed."""
        raise NotImplementedError(f"{self.slug} has no support rolls")

    def check_orders(
        self,
        scenario: str | Mapping[str, object],
        side: int,
        orders: Orders,
        *,
        has: Collection[str] | None,
        units: Collection[str],
        path: str,
    ) -> None:
        """Raises DocumentError, naming field and rule, for orders for support that the side can't give. `has` is the
        support that it rolled, None if that is not known yet; `units` are the keys of its units."""
        if orders:
            raise DocumentError(path, "this game takes no orders for support; leave it out")

    def standing_open(self, scenario: str | Mapping[str, object], side: int) -> Sequence[StandingOrder]:
        """The standing orders that a side can be given in that scenario, with the choices that it has there."""
        return self.standing_orders

    def check_standing(self, setup: Setup) -> None:
        """Raises DocumentError, naming field, reason and rule, for standing orders that can't be given."""
        for at, side in enumerate(setup.sides):
            opened = self.standing_open(setup.scenario, at)
            check_given(self.standing_orders, opened, side.standing, path=f"sides[{at}].standing")
            for place, unit in enumerate(side.units):
                path = f"sides[{at}].units[{place}].standing"
                check_given(self.standing_orders, opened, unit.standing, path=path, beside=side.standing)

    def describe_standing_orders(self, setup: Setup) -> tuple[OrderLine, ...]:
        """All standing orders of a battle in words."""
        return describe_orders(self.standing_orders, setup)

    def roll_before(
        self, support: Sequence[str], options: Mapping[str, object], dice: Dice
    ) -> Mapping[str, tuple[int, ...]]:
        """Faces of the dice that these support results ask for before a side buys its units, by result."""
        return {}

    def points_before(self, rolled: Mapping[str, Sequence[int]]) -> int:
        """The points that those dice add to what a side may spend."""
        return 0

    @abstractmethod
    def check_side(
        self,
        scenario: str | Mapping[str, object],
        side: int,
        units: Sequence[SetupUnit],
        support: Sequence[str],
        options: Mapping[str, object],
        release: str = FIRST,
    ) -> Check:
        """Points and every problem of one side's units; `scenario` as a set-up document has it, figures as that release
        of the catalogue has them.

        Raises DocumentError for what can't be read.
        """

    def describe_support(self, setup: Setup, events: Iterable[tuple[Event, str]]) -> tuple[SupportLine, ...]:
        """The support of both sides and what came of it; the events come with their sentences."""
        return ()

    @abstractmethod
    def example(self) -> Setup:
        """A small legal set-up, to warm the compiled rules with and to show as an example."""
