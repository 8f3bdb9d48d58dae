"""Hooks: what rosters ask of, tell, and take from the apps above them, which they don't know.

A hook is a typed list. An app connects what it has to add in `ready()` of its apps.py; who stands below walks the list.
Every hook is declared here, or in `battles.hooks` for what battles ask; docs/hooks.md draws who asks and who answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from rest_framework.request import Request

from rosters.doors.scopes import Demand
from rosters.models import Company, Player
from rosters.site import leaving, takeout
from rosters.site.clearing import Clearing
from rosters.site.jobs import Job
from systems.engine.odds import Share

T = TypeVar("T")
Reader = Player | AnonymousUser
HOOKS: dict[str, Hook[Any]] = {}  # all there are, by name


class Hook(Generic[T]):
    """What apps have connected here, in the order in which they start: from the lowest floor up."""

    def __init__(self, name: str, about: str) -> None:
        """`about`: when it is asked, and for what."""
        assert name not in HOOKS, f"there are two hooks {name}"
        self.name, self.about = name, about
        self._connected: list[T] = []
        HOOKS[name] = self

    def connect(self, *things: T) -> None:
        """From now on these are asked, told or taken too; connecting twice is connecting once."""
        self._connected += [thing for thing in things if thing not in self._connected]

    def __iter__(self) -> Iterator[T]:
        return iter(tuple(self._connected))

    def __len__(self) -> int:
        return len(self._connected)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """What keeps units and pilots as they are, and the company together, until something else is over."""

    company: str  # the sentence for who would disband it
    units: frozenset[int] = field(default_factory=frozenset)
    pilots: frozenset[int] = field(default_factory=frozenset)
    reason: str = ""  # of units and pilots: what follows their name and "is" in a sentence
    spares: frozenset[str] = field(default_factory=frozenset)  # kinds of entries that may be written all the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A small battle that shows how a game is played."""

    title: str
    url: str  # of its stage
    picture: str  # of a step
    step: int  # that the picture shows
    says: str  # what happens in it
    steps: Mapping[str, int]  # the first that shows a rule, by the rule's ID


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserve:
    """Points in the bank that can't be spent."""

    points: int
    reason: str  # a sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Matchup:
    """How a published design does against another one."""

    name: str  # the other's
    slug: str
    won: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignRecord:
    """How a published design does against all the others of its game, one against one, attacking and defending alike."""

    won: Share  # of all these battles
    drawn: float
    place: int  # among the designs, by that share; 1 is the best
    matchups: tuple[Matchup, ...]  # the best of its chances first
    battles: int  # of each match-up
    told: str  # on what ground, by which doctrines
    url: str  # where all stand beside each other

    @property
    def best(self) -> tuple[Matchup, ...]:
        """The three that it beats most often."""
        return self.matchups[:3]

    @property
    def worst(self) -> tuple[Matchup, ...]:
        """The three that it beats least often and that are not among the best, the worst first."""
        return self.matchups[3:][-3:][::-1]


@dataclass(frozen=True, slots=True)
class DemoPart:
    """Something more to open in the demo: what it is called, and its path."""

    name: str
    path: str
    is_new: bool


# Asked while the company's row is locked, so that an answer holds until the change is written.

holds: Hook[Callable[[Company], Sequence[Hold]]] = Hook(
    "holds", "before an act of a player touches units or pilots, or disbands the company: what keeps them as they are"
)
reserves: Hook[Callable[[Company], Sequence[Reserve]]] = Hook(
    "reserves", "before a player spends points: those in the bank that he can't spend"
)

release_keepers: Hook[Callable[[Company], str]] = Hook(
    "release_keepers",
    "before a player has his company go to another release of the catalogue, or takes that back: why it stays where it is,"
    " in a sentence; empty if nothing keeps it",
)

# Asked for a page or an answer.

sharings: Hook[Callable[[Reader, Company], bool]] = Hook(
    "sharings", "before a company is hidden from somebody: whether he may see it all the same"
)
guards: Hook[Callable[[Request, Player], str]] = Hook(
    "guards",
    "before a player changes something through the API: why he may not, however he has signed in; empty if he may",
)
demands: Hook[Mapping[str, Demand]] = Hook(
    "demands", "the scope that each operation of the API demands of a token, by the name of its route"
)
rolled_support: Hook[Callable[[Company], Sequence[str]]] = Hook(
    "rolled_support", "for the owner's print shop: the support that the company has rolled and not used"
)
house_rules: Hook[Callable[[Company, Reader], Mapping[str, object] | None]] = Hook(
    "house_rules", "for the form of a print: the house rules that the company plays by, if the reader may know them"
)

barred_portraits: Hook[Callable[[Iterable[int]], Mapping[int, str]]] = Hook(
    "barred_portraits",
    "before pictures of players' own are shown or put up: which of these companies may show none, and why",
)

sign_up_links: Hook[Callable[[HttpRequest, str], bool]] = Hook(
    "sign_up_links",
    "before somebody signs up on a site that takes the invited alone: whether the page they go to afterwards lets them in"
    " somewhere",
)
clubmates: Hook[Callable[[Player], Iterable[Player]]] = Hook(
    "clubmates",
    "before a player's shown name changes: everybody in the same clubs, whose members stay the same until then",
)

# What the operator and the timer have done.

differences: Hook[Callable[[], Iterable[str]]] = Hook(
    "differences", "by `manage.py reconcile`: a sentence for each of what doesn't add up"
)
demos: Hook[Callable[[Player], Sequence[DemoPart]]] = Hook(
    "demos", "by `manage.py demo`: loads more for the demo player, and says what"
)
demo_remains: Hook[Callable[[Player], Iterable[QuerySet[Any]]]] = Hook(
    "demo_remains",
    "by `manage.py demo --remove`: what goes with the demo player beside that which refers to them; refuses where others"
    " need it",
)
clearings: Hook[tuple[str, Callable[[Clearing], int]]] = Hook(
    "clearings", "by the timer and `manage.py clear_old`: what is cleared, in the plural, and who clears it and counts"
)
files: Hook[Callable[[Iterable[str]], set[str]]] = Hook(
    "files", "before left-over files are cleared: which of these names belong to a row"
)
examples: Hook[Callable[[str], Example | None]] = Hook(
    "examples", "for the pages of a game's rules: a small battle that shows them, if this site has one"
)
design_records: Hook[Callable[[Sequence[str]], Mapping[tuple[str, str], DesignRecord]]] = Hook(
    "design_records",
    "for pages of published designs: how each of these games' designs does against the others, by game and slug, where that"
    " stands counted",
)
jobs: Hook[tuple[type[Job], str]] = Hook("jobs", "a kind of job, and the task that a worker does it by")

# A player's own data.

takeout_parts: Hook[takeout.Part] = Hook("takeout_parts", "files that a player takes along when he takes his data")
leaving_parts: Hook[leaving.Part] = Hook(
    "leaving_parts", "what a player's leaving does to his things; apps above answer before those below"
)
successions: Hook[Callable[[Player, Player], None]] = Hook(
    "successions",
    "when a guest becomes an account, before rows that refer to the one refer to the other: settles what can be there"
    " only once of a player",
)
names: Hook[tuple[type[Model], str]] = Hook(
    "names", "fields with names: a leaving player's name is left alone where it is a part of one of these"
)

Held = dict[str, dict[int, str]]


def holds_on(company: Company) -> list[Hold]:
    """All that holds the company's units and pilots."""
    return [found for answer in holds for found in answer(company)]


def release_kept(company: Company) -> str:
    """Why the company's player can't change the release of the catalogue that it stands by; empty if he can."""
    return next((reason for answer in release_keepers if (reason := answer(company))), "")


def example_of(system: str) -> Example | None:
    """The worked example of a game."""
    return next((found for answer in examples if (found := answer(system)) is not None), None)


def records_of_designs(systems: Sequence[str]) -> dict[tuple[str, str], DesignRecord]:
    """How the published designs of these games do, by game and slug; not all have a record."""
    return {key: record for answer in design_records for key, record in answer(systems).items()}


def portraits_barred(companies: Iterable[int]) -> dict[int, str]:
    """Which of the companies may show no picture of their own, and why."""
    asked = list(companies)
    return {pk: reason for answer in barred_portraits for pk, reason in answer(asked).items()} if asked else {}


def clubmates_of(player: Player) -> list[Player]:
    """Return all players in the player's clubs."""
    return [found for answer in clubmates for found in answer(player)]


def reserves_on(company: Company) -> list[Reserve]:
    """All that keeps the company from spending what it has."""
    return [found for answer in reserves for found in answer(company)]


def held(answers: Sequence[Hold]) -> Held:
    """Why units and pilots can't be changed now, by "unit" or "pilot" and their id."""
    found: Held = {"unit": {}, "pilot": {}}
    for hold in answers:
        found["unit"] |= dict.fromkeys(hold.units, hold.reason)
        found["pilot"] |= dict.fromkeys(hold.pilots, hold.reason)
    return found
