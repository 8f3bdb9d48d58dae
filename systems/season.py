"""CampaignSystem: what a rule system answers about what changes between battles. Pure; dice come in from outside."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from systems.arcs import Arc, Gain
from systems.engine.dice import Dice
from systems.fates import UnitFate
from systems.roster import CompanyMember, PilotSpec

SpecT = TypeVar("SpecT")
Result = Literal["won", "drawn", "lost"]
Fate = Literal["unhurt", "injured", "killed"]
FORCES_TRIED = 10_000
# What the stronger side of an uneven match can do without.
POINTS, SUPPORT, OBJECTIVE = "points", "support", "objective"


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """A pilot's experience: what goes from game to game."""

    level: str
    kills: int = 0
    games: int = 0  # the last one of the dead too, unless the rules count games survived
    skills: tuple[str, ...] = ()
    points: int = 0  # of experience, where a system counts it


@dataclass(frozen=True, slots=True, kw_only=True)
class Flight(Generic[SpecT]):
    """A pilot in one game: who he was before it, what he flew and what became of it."""

    key: str
    before: Career
    spec: SpecT
    fate: UnitFate = UnitFate()  # of what he flew; "fate" is his own, as rolled at the table


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitBefore(Generic[SpecT]):
    """A unit that its company still has when a game is over, as it was before the game."""

    key: str
    spec: SpecT
    condition: Mapping[str, object] = field(default_factory=dict)
    lost: bool = False  # in the game
    pilot: str = ""  # key of his flight; empty: nobody who is still on the roll
    lent: bool = False  # for this game alone
    fate: UnitFate = UnitFate()  # what the game says of it; of one that stayed at home nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Fought:
    """A unit of a side as a result knows it."""

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
    fought: tuple[Fought, ...] = ()  # all of its units in the game, those that the house lent too


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
    default: str  # the skill he learns if nobody chooses another; empty if he gained none

    @property
    def gained(self) -> bool:
        return self.face + self.bonus >= self.needed


@dataclass(frozen=True, slots=True, kw_only=True)
class FlightAfter:
    """What a game made of a pilot. `after` of a killed one is his last record."""

    key: str
    after: Career
    fate: FateRoll | None = None  # None: his unit came home, no die
    promoted: bool = False
    skill: SkillRoll | None = None  # None: he may not roll, or can't succeed

    @property
    def is_dead(self) -> bool:
        return self.fate is not None and self.fate.fate == "killed"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitAfter:
    """What became of a unit after a game, where the rules of campaigns say more than the game itself."""

    key: str
    condition: Mapping[str, object] | None  # None: it is gone for good
    told: str  # what follows its name in a sentence
    face: int | None = None  # of the die that said so; None: there was none


@dataclass(frozen=True, slots=True, kw_only=True)
class Takings:
    """What a game brings a company."""

    season_points: int
    income: int = 0
    repaid: int = 0  # of the income, kept by the house
    gifts: tuple[int, ...] = ()  # faces of the dice that its support brought
    lapsed: int = 0  # points left from the founding that are money no more


@dataclass(frozen=True, slots=True, kw_only=True)
class SideAfter:
    flights: tuple[FlightAfter, ...]
    takings: Takings
    units: tuple[UnitAfter, ...] = ()


@dataclass(frozen=True, slots=True)
class ZoneBattle:
    """How a match for a territory is played."""

    scenario: str  # a published one's slug
    attacker: int  # which of the two companies attacks, 0 or 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Concession:
    """A scenario in which one side has a harder task: what a handicap by objective is."""

    value: int  # how much harder, more for more
    told: str  # what that side does then, after its name
    scenario: Mapping[str, object]  # as matches take one


def richest_force(points: Sequence[int], limit: int, most: int, least: int = 0) -> tuple[int, ...]:
    """Places of the force with the most points within the limit, then of the fewest units, then the first; none if there
    are not so many units as it needs at least.

    Points are few, so the best force of each sum is kept.
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
    """Pure rules of what happens between battles. What has a default here is a part that a system may do without."""

    slug: str
    skill_effects: Mapping[str, str] = {}  # every skill, in the rulebook's order
    loan_design: str = ""  # the published design that the house lends; without one it lends nothing
    loan_pilot: PilotSpec | None = None  # who comes with it; None: nobody flies it
    lends_for_a_game: bool = False  # free, and gone after it; else for good, paid out of later income
    season_points: Mapping[Result, int]  # what a game is worth in the season
    # House rules of the last round of a campaign, besides those that it has; none: a game knows no finale.
    finale_options: Mapping[str, object] = {}
    # House rules that a campaign says outright, whatever their default is, with how one is played that does not say it.
    said_options: Mapping[str, object] = {}
    new_options: Mapping[str, object] = {}  # of these, what a new campaign begins with
    said_about: Mapping[str, str] = {}  # what their choices come to, a sentence for who chooses
    tie_breakers: Sequence[str] = ("destroyed",)  # of a campaign whose organiser names no others; then comes the name
    # What a handicap can be in this game: points that are not fielded, rolls of support that are not made, a task that
    # `concessions` make harder.
    gives_up: Sequence[str] = (POINTS,)
    has_bonuses: bool = False  # its scenarios can be played with other terms, see `changed`
    arc: Arc | None = None  # its scenarios as one war; None: it knows none
    shares_places: bool = False  # level in all of them, companies share a place; else the name decides it

    @abstractmethod
    def aftermath(self, sides: Sequence[GameSide[SpecT]], dice: Dice, *, standing: bool) -> tuple[SideAfter, ...]:
        """What a game made of each side, first side first; `standing` companies keep units and money."""

    def scores(self, sides: Sequence[Sequence[Fought]], options: Mapping[str, object]) -> tuple[int, ...]:
        """What each side scored in a game, in hundredths of a victory point, for the tie-breakers that ask for it; none
        where games are not won by such points."""
        return ()

    def builds_fresh(self, options: Mapping[str, object]) -> bool:
        """Whether companies buy their units anew for each match under these house rules, out of its scenario's points:
        what stays from game to game are pilots."""
        return False

    def gifts(self, support: Sequence[str]) -> int:
        """How many dice of points these support results bring a standing company's bank."""
        return 0

    def changed(self, scenario: str | Mapping[str, object], gains: Sequence[Gain]) -> str | Mapping[str, object]:
        """A scenario with other terms for attacker and defender, as matches take one; as it is where no terms change."""
        return scenario

    def concessions(self, scenario: str | Mapping[str, object], side: int) -> Sequence[Concession]:
        """The same scenario with a harder task for that side, the least first; none where both have the same task."""
        return ()

    def skill_choices(self, known: Sequence[str]) -> tuple[str, ...]:
        """Every skill that a pilot with these skills could learn."""
        return ()

    def fits(self, skill: str, spec: SpecT) -> bool:
        """Whether the skill is of use in a unit of that spec."""
        return True

    def house_loan(self, scenario: str, members: Sequence[CompanyMember[SpecT]], *, side: str | None = None) -> int:
        """How many units the house lends a standing company, so that it can field a legal force."""
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
        """Places of those that a company fields where nobody chose: the best legal force of `most` units at most; empty if
        there is none.

        `allows` is the system's own check of a force. This default takes as many as it allows, the first ones in roster
        order, and gives up after FORCES_TRIED forces; a system whose limits need a better search overrides it.
        """
        places = range(len(members))
        forces = (force for count in range(min(most, len(members)), 0, -1) for force in combinations(places, count))
        return next(filter(allows, islice(forces, FORCES_TRIED)), ())

    def zone_battle(self, holds: tuple[bool, bool], dice: Dice) -> ZoneBattle | None:
        """What two companies play for a territory that one of them holds, or none; None: what the campaign plays next."""
        return None


AnySeason: TypeAlias = CampaignSystem[Any]  # of whichever game
