"""BattleSystem: what a rule system answers about battles. The engine asks, the system answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from battles.documents import Setup, SetupUnit
from battles.engine.dice import Dice, Log
from battles.engine.events import Event, Outcome
from battles.systems.terms import ScenarioTerms, SupportLine, SupportResult, SupportRoll
from rosters.legality import Check


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a unit stands on a measured table and which way it faces; the facing is a direction of any length."""

    x: int  # hundredths of an inch, from the left
    y: int  # ... and from side A's edge
    face_x: int
    face_y: int


@dataclass(frozen=True, slots=True)
class UnitView:
    """A unit as a replay shows it."""

    key: str
    name: str
    side: int
    chassis: str  # slug of the size, or the kind of support unit
    hits: int
    max_hits: int
    destroyed: bool
    withdrew: bool
    wounded: bool = False
    legs: int = 0
    weapons: tuple[tuple[str, bool], ...] = ()  # name, still intact
    systems: tuple[tuple[str, bool], ...] = ()
    kills: int = 0  # Meks or units destroyed, as the system counts them
    infantry_kills: int = 0  # taken by a strongpoint
    zone: int = 0  # on the map; 0: off it, or in a battle without one
    hidden: bool = False  # from the enemy
    dug_in: bool = False
    decoy: bool = False
    stand: Stand | None = None  # on a measured table; None: off it, or in a battle without one
    place: str = ""  # where it is in words, if it is off the table and not destroyed
    suppression: int = 0  # markers
    locked_by: str | None = None  # key of the unit whose target lock it carries
    specials: int = 0  # special actions that succeeded

    @property
    def is_reserve(self) -> bool:
        """True for what the battle may bring (its key holds a plus sign) while it has not, or has no more."""
        return "+" in self.key and self.zone == 0 and not self.destroyed


@dataclass(frozen=True, slots=True)
class BandView:
    """Where two opposing units stand to each other."""

    a_key: str
    d_key: str
    band: int  # 0 Short, 1 Medium, 2 Long
    broken: bool


@dataclass(frozen=True, slots=True)
class Situation:
    """What a spectator sees at one moment: a fold of the events so far."""

    units: tuple[UnitView, ...]
    bands: tuple[BandView, ...]


@dataclass(frozen=True, slots=True)
class ZoneGround:
    """A zone of the map as it lies there before anybody moves."""

    number: int
    row: int  # from 1, at the top
    column: int
    terrain: str  # slug
    terrain_name: str
    marks: tuple[str, ...] = ()  # what the scenario makes of it: "key zone", "exit", "attacker sets up"


@dataclass(frozen=True, slots=True)
class Chapter:
    """Where in a game on the map an event belongs; events in a row with equal chapters are one step of its replay."""

    phase: str  # "Fight in zone 5", "The attacker moves"
    step: str = ""  # within the phase: "Round 2: movement"
    zone: int = 0  # of the fight; 0: none


@dataclass(frozen=True, slots=True)
class Sight:
    """Whether a unit has found what it aims at, this round."""

    unit: str
    target: str
    found: bool


@dataclass(frozen=True, slots=True)
class Trial:
    """Dice that a needed number decided, all with the same chance."""

    what: str  # "hit", "save"
    unit: str  # key of the unit that rolled
    dice: int
    successes: int
    chance: Fraction


class BattleSystem(ABC):
    """One rule system's battles."""

    slug: str
    rules_version: int  # goes up with every change that changes results
    rules: Sequence[str]  # modules that are loaded twice, in the order of their imports
    called: frozenset[str] = frozenset()  # functions of the rules to be called; others are written out where used
    records: str  # module of the state's record classes
    doctrines: Mapping[str, str]  # slug -> title
    scenarios: Mapping[str, str]
    terrains: Mapping[str, str]
    support_results: Mapping[str, SupportResult] = {}  # in the order of the tables; none in a system without support
    bands: tuple[str, ...] = ()  # names of the range bands, nearest first; none where range is measured

    @abstractmethod
    def check_setup(self, setup: Setup) -> None:
        """Raises DocumentError, naming field and rule, if the set-up can't be fought."""

    @abstractmethod
    def prepare(self, setup: Setup) -> Any:
        """The state before the first round, as the plain run takes it."""

    @abstractmethod
    def fight(self, state: Any, dice: Dice, log: Log) -> None:
        """Fights the battle to its end, in the plain run."""

    @abstractmethod
    def events(self, setup: Setup, log: Log) -> tuple[Event, ...]:
        """The notes of a battle as events."""

    @abstractmethod
    def outcome(self, setup: Setup, state: Any) -> Outcome:
        """How a battle ended, from the state at its end."""

    @abstractmethod
    def opening(self, setup: Setup) -> Situation:
        """What a spectator sees before the first event."""

    @abstractmethod
    def follow(self, situation: Situation, event: Event) -> Situation:
        """What a spectator sees after one more event."""

    @abstractmethod
    def narrator(self, setup: Setup) -> Callable[[Event], str]:
        """Puts the events of a battle of this set-up into words, one sentence each."""

    @abstractmethod
    def step_title(self, step: str) -> str:
        """The heading of a step of a round."""

    @abstractmethod
    def unit_names(self, setup: Setup) -> Mapping[str, str]:
        """What the units of the set-up are called on screen, by key; no two alike."""

    @abstractmethod
    def fielded(self, setup: Setup) -> tuple[tuple[str, int], ...]:
        """Key and side of every unit the battle may bring, in the order of the state's list."""

    def support_units(self, setup: Setup) -> tuple[tuple[int, str], ...]:
        """Side and slug of each support unit that is sure to be there though the set-up doesn't name it among its units."""
        return ()

    def round_title(self, setup: Setup, number: int) -> str:
        """The heading of what a record is cut into."""
        return f"Round {number}"

    def ground(self, setup: Setup, events: Iterable[Event]) -> tuple[ZoneGround, ...]:
        """The zones of the map by number; none in a battle without one."""
        return ()

    def chapters(self, setup: Setup) -> Callable[[Event], Chapter]:
        """Tells of each event of a battle, given in order, which chapter of its replay it belongs to."""
        return lambda event: Chapter(self.round_title(setup, event.round), self.step_title(event.step))

    def sight(self, event: Event) -> Sight | None:
        """What the event says of one unit's sight of another; None if nothing."""
        return None

    def opens_round(self, event: Event) -> bool:
        """True if a round of a fight begins with the event, and sights are forgotten."""
        return False

    def wounders(self, setup: Setup, record: Iterable[Event]) -> Mapping[str, str]:
        """The name of what wounded the pilot of a unit, by the unit's key, as far as the record's events tell."""
        return {}

    @abstractmethod
    def worths(self, setup: Setup) -> Mapping[str, int]:
        """What each unit of the set-up counts for in a margin, in points, by key."""

    @abstractmethod
    def trial(self, setup: Setup, event: Event) -> Trial | None:
        """The dice of an event that a needed number decided; None if there were none."""

    @abstractmethod
    def terms(self, scenario: Any) -> ScenarioTerms | None:
        """What stands for a scenario in a set-up document, in words; None for a zone battle."""

    @abstractmethod
    def place_title(self, setup: Setup) -> str:
        """What is played, and where, in a few words."""

    @abstractmethod
    def ground_told(self, setup: Setup) -> str:
        """The terrain of every zone, in words."""

    def support_allowed(self, scenario: Any, side: int, pilots: Iterable[Mapping[str, object] | None]) -> int:
        """How many support results a side with these pilots may have; raises DocumentError for what is no pilot."""
        return 0

    def roll_support(self, dice: Dice) -> SupportRoll:
        """One support roll, made before a game at the table; asked only of a system with support results."""
        raise ValueError(f"{self.slug} has no support results to roll for")

    @abstractmethod
    def check_side(
        self,
        scenario: Any,
        side: int,
        units: Sequence[SetupUnit],
        support: Sequence[str],
        options: Mapping[str, object],
    ) -> Check:
        """Points and every problem of one side's units; `scenario` as a set-up document has it.

        Raises DocumentError for what can't be read.
        """

    def support_told(self, setup: Setup, events: Iterable[tuple[Event, str]]) -> tuple[SupportLine, ...]:
        """The support of both sides and what came of it; the events come with their sentences."""
        return ()

    @abstractmethod
    def example(self) -> Setup:
        """A small legal set-up, to warm the compiled rules with and to show as an example."""
