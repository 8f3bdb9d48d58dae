"""A game's rules for what changes between battles, and its campaign stories. Pure; dice are passed in.

A campaign story is a game's scenarios in order: sides keep their roles, and a win brings a bonus. Sides of a scenario
are 0 attacker, 1 defender.
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
    """What a side of a scenario has beyond the printed terms; less, if below 0."""

    points: int = 0
    rolls: int = 0  # of support

    def __add__(self, other: StorylineBonus) -> StorylineBonus:
        return StorylineBonus(self.points + other.points, self.rolls + other.rolls)

    def __bool__(self) -> bool:
        return self != StorylineBonus()

    def __str__(self) -> str:
        """Describe the gain: “5 points and 1 support roll more”; only for one that isn't empty."""
        points = f"{self.points} point{'s' if self.points != 1 else ''}" if self.points else ""
        rolls = f"{self.rolls} support roll{'s' if self.rolls != 1 else ''}" if self.rolls else ""
        return f"{' and '.join(filter(None, (points, rolls)))} more"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvenTerms:
    """The points that make an uneven scenario as even as possible, by its published odds."""

    side: int  # the stronger one
    points: int  # that it fields instead of the printed ones
    chance: float  # of the attacker with the printed points, a draw counted as half
    chance_with: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StorylineStep:
    """A scenario of an arc."""

    scenario: str  # a published one's slug
    leaves: StorylineBonus = field(default_factory=StorylineBonus)  # to its winner, in the next step
    why: str = ""  # half a sentence
    even: EvenTerms | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Arc:
    """The scenarios of a campaign story, in order."""

    name: str
    about: str
    steps: tuple[StorylineStep, ...]
    options: Mapping[str, object] = field(default_factory=dict)  # house rules that its campaigns begin with

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
    games: int = 0  # includes the game a pilot died in, unless the rules count games survived
    skills: tuple[str, ...] = ()
    points: int = 0  # of experience, where a system has it


@dataclass(frozen=True, slots=True, kw_only=True)
class Flight(Generic[SpecT]):
    """A pilot in one game: their career before it, their unit's spec and its fate."""

    key: str
    before: Career
    spec: SpecT
    fate: UnitFate = UnitFate()  # of the unit; its field "fate" is the pilot's own, as rolled at the table


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitBefore(Generic[SpecT]):
    """A unit that its company still has after a game, as it was before the game."""

    key: str
    spec: SpecT
    condition: Mapping[str, object] = field(default_factory=dict)
    lost: bool = False  # in the game
    pilot: str = ""  # key of the pilot's flight; empty: no pilot who is still in the company
    lent: bool = False  # for this game only
    fate: UnitFate = UnitFate()  # in the game; empty for a unit that stayed at home


@dataclass(frozen=True, slots=True, kw_only=True)
class Fought:
    """A unit of a side in a result."""

    points: int
    fate: UnitFate


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSide(Generic[SpecT]):
    """One company in a game, pilots in roster order; units too, those that stayed at home last."""

    result: Result
    flights: tuple[Flight[SpecT], ...]
    units: tuple[UnitBefore[SpecT], ...] = ()
    debt: int = 0  # points that the house lent
    spare: int = 0  # points left from the founding; 0 after the company's first game
    gifts: int = 0  # dice of points that its support brings the bank
    options: Mapping[str, object] = field(default_factory=dict)  # the house rules of the game
    fought: tuple[Fought, ...] = ()  # all of its units in the game, including units on loan from the house


@dataclass(frozen=True, slots=True, kw_only=True)
class FateRoll:
    face: int
    exploded: bool
    fate: Fate


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillRoll:
    face: int  # 0: no die, it comes with the rank
    bonus: int
    needed: int
    default: str  # the skill the pilot learns if nobody chooses another; empty if they gained none

    @property
    def gained(self) -> bool:
        return self.face + self.bonus >= self.needed


@dataclass(frozen=True, slots=True, kw_only=True)
class FlightAfter:
    """A game's effects on a pilot. `after` of a killed one is their last record."""

    key: str
    after: Career
    fate: FateRoll | None = None  # None: the unit came home, no die
    promoted: bool = False
    skill: SkillRoll | None = None  # None: the pilot may not roll, or can't succeed

    @property
    def is_dead(self) -> bool:
        return self.fate is not None and self.fate.fate == "killed"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitAfter:
    """The fate of a unit after a game, where the campaign rules add to the game itself."""

    key: str
    condition: Mapping[str, object] | None  # None: it is gone for good
    told: str  # follows the unit's name in a sentence
    face: int | None = None  # of the die that decided it; None: there was none


@dataclass(frozen=True, slots=True, kw_only=True)
class Takings:
    """A company's income from a game, and related points."""

    season_points: int
    income: int = 0
    repaid: int = 0  # of the income, kept by the house
    gifts: tuple[int, ...] = ()  # faces of the dice that its support brought
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
    """A scenario with a harder task for one side: a handicap by objective."""

    value: int  # how much harder, more for more
    told: str  # what that side has to do, to follow its name
    scenario: Mapping[str, object]  # as matches take one


def richest_force(points: Sequence[int], limit: int, most: int, least: int = 0) -> tuple[int, ...]:
    """Return the places of the force with the most points within the limit; empty if none has at least `least` units.

    Ties go to the fewest units, then to the first. Points are few, so the best force of each sum is kept.
    """
    best: dict[tuple[int, int], tuple[int, ...]] = {(0, 0): ()}  # by points and number
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
    skill_effects: Mapping[str, str] = {}  # every skill, in the rulebook's order
    loan_design: str = ""  # the published design that the house lends; empty: it lends nothing
    loan_pilot: PilotSpec | None = None  # the pilot who comes with it; None: it has no pilot
    lends_for_a_game: bool = False  # free, and gone after it; else for good, paid out of later income
    season_points: Mapping[Result, int]  # season points by result
    # House rules of the last round of a campaign, besides its own; empty: the game has no finale.
    finale_options: Mapping[str, object] = {}
    # House rules that a campaign always sets, even at their default, with the value for campaigns that don't set them.
    said_options: Mapping[str, object] = {}
    new_options: Mapping[str, object] = {}  # their values in a new campaign
    said_about: Mapping[str, str] = {}  # what their choices mean, a sentence for the person who chooses
    tie_breakers: Sequence[str] = ("destroyed",)  # of a campaign whose organiser names no others; then comes the name
    # What a handicap can be in this game: points that are not fielded, support rolls that are not made, a harder task
    # by `concessions`.
    gives_up: Sequence[str] = (POINTS,)
    has_bonuses: bool = False  # its scenarios can be played with other terms, see `changed`
    arc: Arc | None = None  # its scenarios as a campaign story; None: it has none
    shares_places: bool = False  # companies level in all tie-breakers share a place; else the name decides

    @abstractmethod
    def aftermath(self, sides: Sequence[GameSide[SpecT]], dice: Dice, *, standing: bool) -> tuple[SideAfter, ...]:
        """Return what a game changed for each side, first side first; `standing` companies keep units and money."""

    def scores(self, sides: Sequence[Sequence[Fought]], options: Mapping[str, object]) -> tuple[int, ...]:
        """Return each side's score in a game, in hundredths of a victory point, for tie-breakers; empty without any."""
        return ()

    def builds_fresh(self, options: Mapping[str, object]) -> bool:
        """Return whether companies buy new units for each match under these house rules, from its scenario's points.

        Only pilots stay from game to game.
        """
        return False

    def gifts(self, support: Sequence[str]) -> int:
        """Return how many dice of points these support results bring a standing company's bank."""
        return 0

    def changed(
        self, scenario: str | Mapping[str, object], gains: Sequence[StorylineBonus]
    ) -> str | Mapping[str, object]:
        """Return a scenario with other terms for attacker and defender, as matches take one; unchanged by default."""
        return scenario

    def concessions(self, scenario: str | Mapping[str, object], side: int, /) -> Sequence[Concession]:
        """Return versions of the scenario with a harder task for that side, easiest first; empty if there are none."""
        return ()

    def skill_choices(self, known: Sequence[str]) -> tuple[str, ...]:
        """Return every skill that a pilot with these skills could learn."""
        return ()

    def fits(self, skill: str, spec: SpecT, /) -> bool:
        """Return whether the skill is of use in a unit of that spec."""
        return True

    def house_loan(self, scenario: str, members: Sequence[CompanyMember[SpecT]], *, side: str | None = None) -> int:
        """Return how many units the house lends a standing company, so that it can field a legal force."""
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
        """Return the places of the best legal force of at most `most` units, if nobody chose one; empty without one.

        `allows` is the system's own check of a force. This default takes as many units as it allows, the first ones in
        roster order, and gives up after FORCES_TRIED forces; a system whose limits need a better search overrides it.
        """
        places = range(len(members))
        forces = (force for count in range(min(most, len(members)), 0, -1) for force in combinations(places, count))
        return next(filter(allows, islice(forces, FORCES_TRIED)), ())

    def zone_battle(self, holds: tuple[bool, bool], dice: Dice) -> ZoneBattle | None:
        """Return the battle of two companies for a territory that one of them holds, or none of them.

        None: they play the campaign's next scenario.
        """
        return None


AnySeason: TypeAlias = CampaignSystem[Any]  # of any game
