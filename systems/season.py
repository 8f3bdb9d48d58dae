"""A game's rules for changes between battles, and its campaign stories. Pure; dice are passed in.

A campaign story is a sequence of a game's scenarios in which sides keep their roles and a win brings a bonus. Sides of
a scenario: 0 attacker, 1 defender.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from systems.engine.dice import Dice
from systems.report_fields import UnitFate
from systems.roster import CompanyMember, PilotSpec


@dataclass(frozen=True, slots=True)
class StorylineBonus:
    """What a side of a scenario gets beyond the printed terms; negative: less."""

    points: int = 0
    rolls: int = 0  # support rolls

    def __add__(self, other: StorylineBonus) -> StorylineBonus:
        return StorylineBonus(self.points + other.points, self.rolls + other.rolls)

    def __bool__(self) -> bool:
        return self != StorylineBonus()

    def __str__(self) -> str:
        """Describe the gain, as in “5 points and 1 support roll more”; only for a bonus that isn't empty."""
        points = f"{self.points} point{'s' if self.points != 1 else ''}" if self.points else ""
        rolls = f"{self.rolls} support roll{'s' if self.rolls != 1 else ''}" if self.rolls else ""
        return f"{' and '.join(filter(None, (points, rolls)))} more"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvenTerms:
    """The points that make an uneven scenario as even as possible, according to its published odds."""

    side: int  # the stronger one
    points: int  # what it fields instead of the printed points
    chance: float  # the attacker's win chance with the printed points, a draw counted as half
    chance_with: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StorylineStep:
    """A scenario of a campaign story."""

    scenario: str  # a published one's slug
    leaves: StorylineBonus = field(default_factory=StorylineBonus)  # to the winner, for the next step
    why: str = ""  # half a sentence
    even: EvenTerms | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StorylineRules:
    """The scenarios of a campaign story, in order."""

    name: str
    about: str
    steps: tuple[StorylineStep, ...]
    options: Mapping[str, object] = field(default_factory=dict)  # house rules that its campaigns start with

    @property
    def scenarios(self) -> tuple[str, ...]:
        return tuple(step.scenario for step in self.steps)


SpecT = TypeVar("SpecT")
Result = Literal["won", "drawn", "lost"]
Fate = Literal["unhurt", "injured", "killed"]
FORCES_TRIED = 10_000
# What the stronger side of an uneven match can give up.
POINTS, SUPPORT, OBJECTIVE = "points", "support", "objective"


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """A pilot's experience, kept from game to game."""

    level: str
    kills: int = 0
    games: int = 0  # includes the game in which the pilot died, unless the rules count games survived
    skills: tuple[str, ...] = ()
    points: int = 0  # experience points, in games that have them


@dataclass(frozen=True, slots=True, kw_only=True)
class Flight(Generic[SpecT]):
    """A pilot in one game: their career before it, and the spec and fate of their unit."""

    key: str
    before: Career
    spec: SpecT
    fate: UnitFate = UnitFate()  # the unit's fate; its field "fate" is the pilot's own, as rolled at the table


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitBefore(Generic[SpecT]):
    """A unit that its company still has after a game, in its state before the game."""

    key: str
    spec: SpecT
    condition: Mapping[str, object] = field(default_factory=dict)
    lost: bool = False  # in the game
    pilot: str = ""  # key of the pilot's flight; empty: no pilot, or one who has left the company
    lent: bool = False  # for this game only
    fate: UnitFate = UnitFate()  # in the game; empty for a unit that stayed at home


@dataclass(frozen=True, slots=True, kw_only=True)
class Fought:
    """A unit of a side in a result."""

    points: int
    fate: UnitFate


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSide(Generic[SpecT]):
    """One company in a game; pilots in roster order, then units, those that stayed at home last."""

    result: Result
    flights: tuple[Flight[SpecT], ...]
    units: tuple[UnitBefore[SpecT], ...] = ()
    debt: int = 0  # points borrowed from the house
    spare: int = 0  # points left from the founding; 0 after the company's first game
    gifts: int = 0  # dice of points for the bank from its support
    options: Mapping[str, object] = field(default_factory=dict)  # the house rules of the game
    fought: tuple[Fought, ...] = ()  # its units in the game, including those on loan from the house


@dataclass(frozen=True, slots=True, kw_only=True)
class FateRoll:
    face: int
    exploded: bool
    fate: Fate


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillRoll:
    face: int  # 0: no die, the skill comes with the rank
    bonus: int
    needed: int
    default: str  # the skill learned if nobody chooses another; empty: no new skill

    @property
    def gained(self) -> bool:
        return self.face + self.bonus >= self.needed


@dataclass(frozen=True, slots=True, kw_only=True)
class FlightAfter:
    """A game's effects on a pilot. For a killed pilot, `after` is their final record."""

    key: str
    after: Career
    fate: FateRoll | None = None  # None: the unit came home, so no die was rolled
    promoted: bool = False
    skill: SkillRoll | None = None  # None: the pilot may not roll or can't succeed

    @property
    def is_dead(self) -> bool:
        return self.fate is not None and self.fate.fate == "killed"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitAfter:
    """The fate of a unit after a game, where campaign rules add to the game's own."""

    key: str
    condition: Mapping[str, object] | None  # None: it is gone for good
    phrase: str  # follows the unit's name in a sentence
    face: int | None = None  # die that decided it; None: there was none


@dataclass(frozen=True, slots=True, kw_only=True)
class Takings:
    """A company's income from a game, and related points."""

    season_points: int
    income: int = 0
    repaid: int = 0  # part of the income that the house kept
    gifts: tuple[int, ...] = ()  # dice rolled for its support
    lapsed: int = 0  # points left from the founding that are no longer money


@dataclass(frozen=True, slots=True, kw_only=True)
class SideAfter:
    flights: tuple[FlightAfter, ...]
    takings: Takings
    units: tuple[UnitAfter, ...] = ()


@dataclass(frozen=True, slots=True)
class ZoneBattle:
    """How a match for a territory is played."""

    scenario: str  # a published one's slug
    attacker: int  # index of the attacking company, 0 or 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Concession:
    """A scenario with a harder task for one side, as a handicap."""

    value: int  # how much harder; more is harder
    task: str  # that side's task, to follow its name in a sentence
    scenario: Mapping[str, object]  # in the form that matches take


def richest_force(points: Sequence[int], limit: int, most: int, least: int = 0) -> tuple[int, ...]:
    """Return the indices of the legal force with the most points; empty if none has at least `least` units.

    Ties go to the fewest units, then to the first. Points are small numbers, so the best force for each sum is kept.
    """
    best: dict[tuple[int, int], tuple[int, ...]] = {(0, 0): ()}  # by points and number of units
    for place, worth in enumerate(points):
        for (sum_, number), places in list(best.items()):
            now = (sum_ + worth, number + 1)
            if now[0] <= limit and now[1] <= most and now not in best:
                best[now] = (*places, place)
    enough = [found for found in best if found[1] >= least]
    return best[max(enough, key=lambda found: (found[0], -found[1]))] if enough else ()


class CampaignSystem(ABC, Generic[SpecT]):
    """One game's rules for what happens between battles, pure. Members with a default are optional for a game."""

    slug: str
    skill_effects: Mapping[str, str] = {}  # all skills, in the rulebook's order
    loan_design: str = ""  # slug of the published design that the house lends; empty: it lends nothing
    loan_pilot: PilotSpec | None = None  # its pilot; None: it has no pilot
    lends_for_a_game: bool = False  # free, for one game; otherwise for good, paid from later income
    season_points: Mapping[Result, int]  # season points by result
    # House rules for the last round of a campaign, on top of its own; empty: the game has no finale.
    finale_options: Mapping[str, object] = {}
    # House rules that a campaign always sets, even at their default, with the value for campaigns that don't set them.
    explicit_options: Mapping[str, object] = {}
    new_options: Mapping[str, object] = {}  # their values in a new campaign
    option_help_texts: Mapping[str, str] = {}  # the meaning of their choices, a sentence for the person choosing
    tie_breakers: Sequence[str] = ("destroyed",)  # if the organiser names none; the company's name comes last
    # Possible handicaps in this game: fewer points, fewer support rolls, a harder task from `concessions`.
    gives_up: Sequence[str] = (POINTS,)
    has_bonuses: bool = False  # its scenarios can be played with changed terms, see `changed`
    storyline: StorylineRules | None = None  # its scenarios as a campaign story; None: it has none
    shares_places: bool = False  # companies level on all tie-breakers share a place; otherwise the name decides

    @abstractmethod
    def aftermath(self, sides: Sequence[GameSide[SpecT]], dice: Dice, *, standing: bool) -> tuple[SideAfter, ...]:
        """Return what a game changed for each side, in order; `standing` companies keep units and money."""

    def scores(self, sides: Sequence[Sequence[Fought]], options: Mapping[str, object]) -> tuple[int, ...]:
        """Return each side's score for tie-breakers, in hundredths of a victory point; empty if there are no scores."""
        return ()

    def builds_fresh(self, options: Mapping[str, object]) -> bool:
        """Return whether these house rules make companies buy new units for each match, with its scenario's points.

        Only pilots stay from game to game.
        """
        return False

    def gifts(self, support: Sequence[str]) -> int:
        """Return how many dice of points these support results add to a standing company's bank."""
        return 0

    def changed(
        self, scenario: str | Mapping[str, object], gains: Sequence[StorylineBonus]
    ) -> str | Mapping[str, object]:
        """Return a scenario with changed terms for attacker and defender, by default the same, as matches take one."""
        return scenario

    def concessions(self, scenario: str | Mapping[str, object], side: int, /) -> Sequence[Concession]:
        """Return versions of the scenario with a harder task for that side, easiest first; may be empty."""
        return ()

    def skill_choices(self, known: Sequence[str]) -> tuple[str, ...]:
        """Return every skill that a pilot with these skills could still learn."""
        return ()

    def fits(self, skill: str, spec: SpecT, /) -> bool:
        """Return whether the skill is of any use in a unit of that spec."""
        return True

    def house_loan(self, scenario: str, members: Sequence[CompanyMember[SpecT]], *, side: str | None = None) -> int:
        """Return how many units the house must lend a standing company so that it can field a legal force."""
        return 0

    def standing_force(
        self,
        scenario: str | Mapping[str, object],
        members: Sequence[CompanyMember[SpecT]],
        options: Mapping[str, object],
        *,
        side: str,
        most: int,
        allows: Callable[[tuple[int, ...]], bool],
    ) -> tuple[int, ...]:
        """Return the indices of the best legal force of at most `most` units, if nobody chose one; empty if there is
        none.

        `allows` is the system's own check of a force. This default takes as many units as allowed, the first in roster
        order, and gives up after FORCES_TRIED forces; systems whose limits need a better search override it.
        """
        places = range(len(members))
        forces = (force for count in range(min(most, len(members)), 0, -1) for force in combinations(places, count))
        return next(filter(allows, islice(forces, FORCES_TRIED)), ())

    def zone_battle(self, holds: tuple[bool, bool], dice: Dice) -> ZoneBattle | None:
        """Return the battle of two companies for a territory that one or none of them holds.

        None: they play the campaign's next scenario.
        """
        return None


AnySeason: TypeAlias = CampaignSystem[Any]  # of any game
