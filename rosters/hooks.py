"""Hooks: how rosters asks and notifies the apps above it, which it doesn't import.

A hook is a typed list. An app connects its functions or objects in `ready()` of its apps.py; the lower app iterates
over the list. Hooks are declared here, in `battles.hooks` and in `campaigns.hooks`; docs/hooks.md lists who calls and
who answers each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from rest_framework.request import Request

from rosters.jobs import Job
from rosters.models import Company, Player
from rosters.scopes import Demand
from rosters.site import player_data
from rosters.site.retention import Clearing
from systems.simulation.summary import Share

T = TypeVar("T")
Reader = Player | AnonymousUser
HOOKS: dict[str, Hook[Any]] = {}  # all hooks, by name


class Hook(Generic[T]):
    """A list of the functions or objects that apps have connected, those of the lowest app first."""

    def __init__(self, name: str, about: str) -> None:
        """Create a hook. `about` says when it is called and what it returns."""
        assert name not in HOOKS, f"there are two hooks {name}"
        self.name, self.about = name, about
        self._connected: list[T] = []
        HOOKS[name] = self

    def connect(self, *things: T) -> None:
        """Add these to the hook; connecting the same one twice has no effect."""
        self._connected += [thing for thing in things if thing not in self._connected]

    def __iter__(self) -> Iterator[T]:
        return iter(tuple(self._connected))

    def __len__(self) -> int:
        return len(self._connected)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """A reason why a company can't be disbanded for now, nor some of its units and pilots changed."""

    company: str  # a sentence for the player who wants to disband the company
    units: frozenset[int] = field(default_factory=frozenset)
    pilots: frozenset[int] = field(default_factory=frozenset)
    reason: str = ""  # for units and pilots: follows their name and "is" in a sentence
    spares: frozenset[str] = field(default_factory=frozenset)  # kinds of ledger entries that may still be written


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A small battle that shows how a game is played."""

    title: str
    url: str  # of its page
    picture: str  # URL of a picture of one step
    step: int  # the step in the picture
    says: str  # what happens in that step
    steps: Mapping[str, int]  # the first step that shows a rule, by rule ID


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserve:
    """Points of a company's balance that can't be spent."""

    points: int
    reason: str  # a sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Matchup:
    """The results of one published design against another."""

    name: str  # of the other design
    slug: str
    won: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignRecord:
    """The results of a published design against all others of its game, one on one, as attacker and as defender."""

    won: Share  # of all these battles
    drawn: float
    place: int  # rank among all designs by `won`; 1 is the best
    matchups: tuple[Matchup, ...]  # best win chance first
    battles: int  # per matchup
    terrain_and_styles: str  # the terrain and the AI styles
    url: str  # of the page that compares all designs

    @property
    def best(self) -> tuple[Matchup, ...]:
        """The three matchups that it wins most often."""
        return self.matchups[:3]

    @property
    def worst(self) -> tuple[Matchup, ...]:
        """The three matchups that it wins least often, worst first, without those in `best`."""
        return self.matchups[3:][-3:][::-1]


@dataclass(frozen=True, slots=True)
class DemoPart:
    """A part of the demo that another app has loaded: its name and its path."""

    name: str
    path: str
    is_new: bool


# Called while the company's row is locked, so that the answer stays valid until the change is written.

holds: Hook[Callable[[Company], Sequence[Hold]]] = Hook(
    "holds",
    "before a player changes units or pilots, or disbands a company: returns anything that locks them",
)
reserves: Hook[Callable[[Company], Sequence[Reserve]]] = Hook(
    "reserves",
    "before a player spends points: returns the points in the bank that are reserved",
)

release_keepers: Hook[Callable[[Company], str]] = Hook(
    "release_keepers",
    "before a player changes a company's catalogue version, or undoes that: returns a sentence explaining why "
    "it can't change, or an empty string if it can",
)

# Called for a page or an API response.

sharings: Hook[Callable[[Reader, Company], bool]] = Hook(
    "sharings",
    "before a company is hidden from a reader: returns whether they may see it anyway",
)
guards: Hook[Callable[[Request, Player], str]] = Hook(
    "guards",
    "before a player changes something through the API, however they signed in: returns why they may not, or "
    "an empty string if they may",
)
demands: Hook[Mapping[str, Demand]] = Hook(
    "demands",
    "the token scope that each API operation needs, by the name of its route",
)
rolled_support: Hook[Callable[[Company], Sequence[str]]] = Hook(
    "rolled_support",
    "for the owner's print shop: returns the support that the company has rolled and not used",
)
house_rules: Hook[Callable[[Company, Reader], Mapping[str, object] | None]] = Hook(
    "house_rules",
    "for the print form: returns the house rules that the company plays by, if the reader may know them",
)

barred_portraits: Hook[Callable[[Iterable[int]], Mapping[int, str]]] = Hook(
    "barred_portraits",
    "before players' own pictures are shown or added: returns which of these companies may not show any, and why",
)

sign_up_links: Hook[Callable[[HttpRequest, str], bool]] = Hook(
    "sign_up_links",
    "before somebody signs up on an invitation-only site: returns whether the page that they go to next is an "
    "invitation",
)
clubmates: Hook[Callable[[Player], Iterable[Player]]] = Hook(
    "clubmates",
    "before a player changes their display name: returns everyone in the same clubs. The clubs are locked "
    "until the change is made",
)

# Called by commands of the operator and by the timer.

differences: Hook[Callable[[], Iterable[str]]] = Hook(
    "differences",
    "for `manage.py reconcile`: returns a sentence for each difference between rows and ledgers",
)
demos: Hook[Callable[[Player], Sequence[DemoPart]]] = Hook(
    "demos",
    "for `manage.py demo`: loads more data for the demo player and returns what it loaded",
)
demo_remains: Hook[Callable[[Player], Iterable[QuerySet[Any]]]] = Hook(
    "demo_remains",
    "for `manage.py demo --remove`: returns what to delete besides the rows that refer to the demo player. "
    "Refuses if other players need it",
)
clearings: Hook[tuple[str, Callable[[Clearing], int]]] = Hook(
    "clearings",
    "for the timer and `manage.py clear_old`: a plural noun for what is deleted, and a function that deletes "
    "it and returns how many",
)
files: Hook[Callable[[Iterable[str]], set[str]]] = Hook(
    "files",
    "before left-over files are deleted: returns which of these names belong to a row",
)
examples: Hook[Callable[[str], Example | None]] = Hook(
    "examples",
    "for a game's rules pages: returns its worked example, if this site has one",
)
design_records: Hook[Callable[[Sequence[str]], Mapping[tuple[str, str], DesignRecord]]] = Hook(
    "design_records",
    "for pages of published designs: returns the results of these games' designs against each other, by game and slug",
)
jobs: Hook[tuple[type[Job], str]] = Hook(
    "jobs",
    "a kind of job, and the task that runs it",
)

# A player's own data.

takeout_parts: Hook[player_data.ExportPart] = Hook(
    "takeout_parts",
    "files in a player's export",
)
leaving_parts: Hook[player_data.DeletionPart] = Hook(
    "leaving_parts",
    "what happens to a player's data when they leave. Parts of higher apps come first",
)
successions: Hook[Callable[[Player, Player], None]] = Hook(
    "successions",
    "when a guest gets an account, before their rows move to it: resolves anything a player can only have one of",
)
names: Hook[tuple[type[Model], str]] = Hook(
    "names",
    "fields that hold names: a leaving player's name isn't replaced if it is part of one of these",
)

HoldReasons = dict[str, dict[int, str]]


def holds_on(company: Company) -> list[Hold]:
    """Return all holds on the company's units and pilots."""
    return [found for answer in holds for found in answer(company)]


def release_kept(company: Company) -> str:
    """Return why the player can't change the company's catalogue version; empty if they can."""
    return next((reason for answer in release_keepers if (reason := answer(company))), "")


def example_of(system: str) -> Example | None:
    """Return the example battle of a game; None if there is none."""
    return next((found for answer in examples if (found := answer(system)) is not None), None)


def records_of_designs(systems: Sequence[str]) -> dict[tuple[str, str], DesignRecord]:
    """Return the records of these games' published designs, by game and slug; designs without results are missing."""
    return {key: record for answer in design_records for key, record in answer(systems).items()}


def portraits_barred(companies: Iterable[int]) -> dict[int, str]:
    """Return the reasons why companies may not show their own pictures, by the company's ID."""
    asked = list(companies)
    return {pk: reason for answer in barred_portraits for pk, reason in answer(asked).items()} if asked else {}


def clubmates_of(player: Player) -> list[Player]:
    """Return all players in the player's clubs."""
    return [found for answer in clubmates for found in answer(player)]


def reserves_on(company: Company) -> list[Reserve]:
    """Return all points that the company can't spend, with the reasons."""
    return [found for answer in reserves for found in answer(company)]


def hold_reasons(answers: Sequence[Hold]) -> HoldReasons:
    """Return the reasons why units and pilots can't be changed now, by "unit" or "pilot" and then by ID."""
    found: HoldReasons = {"unit": {}, "pilot": {}}
    for hold in answers:
        found["unit"] |= dict.fromkeys(hold.units, hold.reason)
        found["pilot"] |= dict.fromkeys(hold.pilots, hold.reason)
    return found
