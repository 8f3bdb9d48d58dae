"""A company's ledger: classes for its kinds of entries, and the record that the entries add up to. Pure.

A kind defines in one place which facts its entries keep, how they change the company's record and how they are
described. Kinds common to all games are in `rosters.entries`; games add their own in `Game.ledger`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, TypeAlias

from systems.catalogue import FIRST_RELEASE
from systems.pilots import PilotIdentity
from systems.text import PLAIN_WORDS, SystemWords

READY, DESTROYED, SOLD, UNDONE = "ready", "destroyed", "sold", "undone"
ACTIVE, WOUNDED, DEAD, RETIRED = "active", "wounded", "dead", "retired"
# Facts that any entry can have: its game, the seed of the dice that decided it, the ruling behind it, the entry that it
# replaces or repeats, and the campaign whose ruling adjusted the company through it.
ABOUT = ("battle", "seed", "match", "ruling", "place", "again", "adjusted")
Facts: TypeAlias = Mapping[str, Any]  # JSON values that only the entry's own kind reads


class LedgerError(ValueError):
    """Raised when entries contradict each other: a unit sold but never bought, a missing fact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedEntry:
    """A ledger entry, with what is needed to add it to the record."""

    id: int
    kind: str
    unit: int | None = None
    pilot: int | None = None
    points: int = 0
    facts: Facts = field(default_factory=dict)
    reverses: int | None = None

    @property
    def position(self) -> tuple[int, int]:
        """Return the entry's place in the history; raises LedgerError for a place after the entry itself."""
        place = self.facts.get("place", self.id)
        if isinstance(place, bool) or not isinstance(place, int) or place > self.id:
            raise LedgerError(f"entry {self.id} ({self.kind}): can't stand in place {place!r}")
        return place, self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitRecord:
    id: int
    name: str
    design_name: str
    spec: Mapping[str, object]
    paid: int
    pilot: int | None = None
    condition: Mapping[str, object] = field(default_factory=dict)
    status: str = READY
    games: int = 0
    kills: int = 0
    times_lost: int = 0
    recorded: Mapping[str, int] = field(default_factory=dict)  # what its game adds up besides, by label
    lent: bool = False  # belongs to the company for the next game only
    founding: bool = True  # bought before the company's first game
    number: int = 0  # its permanent number among all units that the company has ever bought

    @property
    def is_new(self) -> bool:
        """Return whether the company bought it after its first game and it hasn't fought yet."""
        return not (self.founding or self.games or self.lent)


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotRecord(PilotIdentity):
    """A pilot's record; `explained` lists, for each number of the record, the entries that made it."""

    id: int
    status: str = ACTIVE
    experience: str
    skills: tuple[str, ...] = ()
    kills: int = 0
    games: int = 0
    wounds: int = 0
    points: int = 0  # experience points, in games that have them
    paid: int = 0  # for hiring the pilot
    lent: bool = False  # came with a unit on loan
    pending: tuple[str, ...] = ()  # skills earned but not chosen yet: each one's default if nobody chooses
    recorded: Mapping[str, int] = field(default_factory=dict)  # as in a unit's record
    explained: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyRecord:
    name: str = ""
    motto: str = ""
    colour: str = ""
    emblem: str = ""
    visibility: str = ""
    is_disbanded: bool = False
    balance: int = 0
    granted: int = 0  # points given at the founding
    won: int = 0
    drawn: int = 0
    lost: int = 0
    season_points: int = 0
    debt: int = 0  # points that the house lent and keeps back from later income
    bought: int = 0  # number of units so far, including those that are gone
    release: str = FIRST_RELEASE  # of the catalogue in use
    units: Mapping[int, UnitRecord] = field(default_factory=dict)
    pilots: Mapping[int, PilotRecord] = field(default_factory=dict)

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost


class Books:
    """A company's record while entries are added to it, from the start or from an earlier record."""

    def __init__(self, record: CompanyRecord | None = None) -> None:
        self.company = record or CompanyRecord()
        self.balance = self.company.balance
        self.units: dict[int, UnitRecord] = dict(self.company.units)
        self.pilots: dict[int, PilotRecord] = dict(self.company.pilots)

    def record(self) -> CompanyRecord:
        """Return the company's record so far."""
        return replace(self.company, balance=self.balance, units=dict(self.units), pilots=dict(self.pilots))

    def change_company(self, **changes: Any) -> None:
        """Change fields of the company."""
        self.company = replace(self.company, **changes)

    def unit_of(self, entry: PostedEntry) -> UnitRecord:
        """Return the unit named by the entry."""
        if entry.unit is None:
            raise ValueError("names no unit")
        return self.units[entry.unit]

    def change_unit(self, entry: PostedEntry, **changes: Any) -> None:
        """Change fields of the entry's unit."""
        unit = self.unit_of(entry)
        self.units[unit.id] = replace(unit, **changes)

    def pilot_of(self, entry: PostedEntry) -> PilotRecord:
        """Return the pilot named by the entry."""
        if entry.pilot is None:
            raise ValueError("names no pilot")
        return self.pilots[entry.pilot]

    def change_pilot(self, entry: PostedEntry, number: str, **changes: Any) -> None:
        """Change fields of the entry's pilot, and record the entry as an explanation of this number."""
        pilot = self.pilot_of(entry)
        explained = {**pilot.explained, number: (*pilot.explained.get(number, ()), entry.id)}
        self.pilots[pilot.id] = replace(pilot, explained=explained, **changes)

    def empty_seats(self, pilot: int) -> None:
        """Take the pilot out of all units."""
        for unit in [unit for unit in self.units.values() if unit.pilot == pilot]:
            self.units[unit.id] = replace(unit, pilot=None)

    def leave(self, entry: PostedEntry, status: str) -> None:
        """Take the entry's pilot out of their unit and set the pilot's final status."""
        self.empty_seats(self.pilot_of(entry).id)
        self.change_pilot(entry, "status", status=status)


@dataclass(frozen=True, slots=True)
class SentencePart:
    """A piece of a sentence; links to its unit or its pilot, if it has one."""

    text: str
    unit: int | None = None
    pilot: int | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """A unit or pilot that an entry names."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry with what its sentence needs; `words` are the words of the company's rule system."""

    facts: Facts
    unit: Subject | None = None
    pilot: Subject | None = None
    words: SystemWords = PLAIN_WORDS

    @property
    def u(self) -> SentencePart:
        """The unit's name."""
        return SentencePart(self.unit.name, unit=self.unit.id) if self.unit else SentencePart("a unit")

    @property
    def p(self) -> SentencePart:
        """The pilot's name."""
        return SentencePart(self.pilot.name, pilot=self.pilot.id) if self.pilot else SentencePart("a pilot")

    @property
    def battle(self) -> str:
        """The game, as " in ..."; empty if unknown."""
        return f" in “{self.facts['battle']}”" if self.facts.get("battle") else ""


class Kind:
    """A kind of entry. Its KeyError, TypeError and similar errors are reported as a LedgerError."""

    slug: ClassVar[str]
    facts: ClassVar[tuple[str, ...]] = ()  # names of the facts that its entries keep, besides ABOUT
    # Whose history shows it; an entry of a unit or a pilot may name the other too.
    concerns: ClassVar[Literal["company", "unit", "pilot", "both"]] = "company"
    in_career: ClassVar[bool] = False  # a pilot's service record shows it
    led_to: ClassVar[bool] = False  # a battle's page lists it among the game's effects
    is_booked: ClassVar[bool] = True  # made by an act or a game; otherwise it corrects other entries

    @property
    def label(self) -> str:
        """Its name in a list of kinds."""
        return self.slug.replace("-", " ").title()

    def take(self, books: Books, entry: PostedEntry) -> None:
        """Add the entry to the record; its points have already been added."""
        raise ValueError("an unknown kind of entry")

    def take_void(self, books: Books, entry: PostedEntry) -> None:
        """Add a reversed entry to the record: most kinds do nothing."""

    def describe(self, entry: Entry) -> tuple[SentencePart, ...]:
        """Describe what happened, in the past tense and without a full stop."""
        return (SentencePart(self.slug),)
