"""What a company's ledger adds up to: its balance, its units, its pilots and their records.

Pure: entries in, frozen records out. An entry that was reversed counts for nothing but its points, which its reversal
takes back; so the fold of a ledger after an undo is the fold of the ledger before the act.

Entries count in the order written, but one whose facts name a `place` counts where the entry of that number stands:
what a ruling books anew stands where the old result stood, and what came later comes later. What the corrected past
makes impossible is passed over: a dead pilot takes no seat, retires no more and doesn't recover.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

READY, DESTROYED, SOLD, UNDONE = "ready", "destroyed", "sold", "undone"
ACTIVE, WOUNDED, DEAD, RETIRED = "active", "wounded", "dead", "retired"


class LedgerError(ValueError):
    """Raised when entries contradict each other: a unit sold that was never bought, a fact that is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """An entry as the fold needs it."""

    id: int
    kind: str
    unit: int | None = None
    pilot: int | None = None
    points: int = 0
    facts: Mapping[str, Any] = field(default_factory=dict)
    reverses: int | None = None

    @property
    def position(self) -> tuple[int, int]:
        """Where in the history it counts; raises LedgerError for a place that comes after it."""
        place = self.facts.get("place", self.id)
        if isinstance(place, bool) or not isinstance(place, int) or place > self.id:
            raise LedgerError(f"entry {self.id} ({self.kind}): can't stand in place {place!r}")
        return place, self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitRecord:
    id: int
    name: str
    design_name: str
    spec: Mapping[str, Any]
    paid: int
    pilot: int | None = None
    condition: Mapping[str, Any] = field(default_factory=dict)
    status: str = READY
    games: int = 0
    kills: int = 0
    times_lost: int = 0
    lent: bool = False  # for the next game alone


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotRecord:
    """`explained` names, for each number of the record, the entries that made it."""

    id: int
    name: str
    callsign: str
    status: str = ACTIVE
    experience: str
    skills: tuple[str, ...] = ()
    kills: int = 0
    games: int = 0
    wounds: int = 0
    points: int = 0  # of experience, where the rules count it
    paid: int = 0  # for hiring him
    lent: bool = False  # he came with a unit that is
    pending: tuple[str, ...] = ()  # skills earned and not chosen yet: what each will be if nobody chooses
    explained: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyRecord:
    name: str = ""
    motto: str = ""
    colour: str = ""
    visibility: str = ""
    is_disbanded: bool = False
    balance: int = 0
    granted: int = 0  # points given at the founding
    won: int = 0
    drawn: int = 0
    lost: int = 0
    season_points: int = 0
    debt: int = 0  # points that the house lent and takes from later income
    units: Mapping[int, UnitRecord] = field(default_factory=dict)
    pilots: Mapping[int, PilotRecord] = field(default_factory=dict)

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost


def fold(entries: Iterable[Fact], since: CompanyRecord | None = None) -> CompanyRecord:
    """The company as its ledger has it, or as these entries leave what it was before them; raises LedgerError."""
    facts = sorted(entries, key=lambda fact: fact.position)
    void = {fact.reverses for fact in facts if fact.reverses is not None}
    folding = Folding(since)
    for fact in facts:
        folding.balance += fact.points
        if fact.reverses is None:
            folding.take(fact, is_void=fact.id in void)
    return folding.record()


def goes_on(entries: Iterable[Fact], last: int) -> bool:
    """Whether these entries change nothing of what stood up to the last one: none reverses it or counts before it."""
    return all(
        fact.id > last and fact.position[0] > last and (fact.reverses is None or fact.reverses > last)
        for fact in entries
    )


class Folding:
    """The fold under way, from the start or from a record; who drives it adds the points himself."""

    def __init__(self, record: CompanyRecord | None = None) -> None:
        self.company = record or CompanyRecord()
        self.balance = self.company.balance
        self.units: dict[int, UnitRecord] = dict(self.company.units)
        self.pilots: dict[int, PilotRecord] = dict(self.company.pilots)

    def record(self) -> CompanyRecord:
        """The company so far."""
        return replace(self.company, balance=self.balance, units=dict(self.units), pilots=dict(self.pilots))

    def take(self, fact: Fact, *, is_void: bool = False) -> None:
        """Adds an entry that is no reversal; raises LedgerError."""
        try:
            self._take(fact, is_void=is_void)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise LedgerError(f"entry {fact.id} ({fact.kind}): {error}") from None

    def _take(self, fact: Fact, *, is_void: bool) -> None:
        """The meaning of each kind of entry."""
        if is_void:
            self._take_void(fact)
            return
        match fact.kind:
            case "founded":
                self.company = replace(self.company, granted=fact.points)
                self._company_fields(fact.facts["to"])
            case "changed":
                self._company_fields(fact.facts["to"])
            case "disbanded":
                self.company = replace(self.company, is_disbanded=True)
            case "bought":
                self._buy(fact)
                self.company = replace(self.company, debt=self.company.debt + int(fact.facts.get("loan", 0)))
            case "sold":
                self._unit(fact, status=SOLD, pilot=None)
            case "hired":
                self._hire(fact)
            case "retired":
                if self.pilots[_pilot_id(fact)].status != DEAD:
                    self._leave(fact, RETIRED)
            case "assigned":
                self._seat(fact)
            case "renamed" if fact.unit is not None:
                self._unit(fact, name=fact.facts["to"])
            case "renamed":
                self._pilot(fact, "name", **{key: fact.facts["to"][key] for key in ("name", "callsign")})
            case "fought":
                self._add_games(fact)
            case "kill":
                self._add_kills(fact, int(fact.facts["count"]))
            case "damaged" | "repaired":
                self._unit(fact, condition=fact.facts["to"])
            case "destroyed":
                self._unit(fact, status=DESTROYED, condition=fact.facts["to"], pilot=None)
            case "wounded":
                pilot = self.pilots[_pilot_id(fact)]
                self._pilot(fact, "wounds", wounds=pilot.wounds + 1)
                if fact.facts.get("misses") and pilot.status in (ACTIVE, WOUNDED):
                    self._pilot(fact, "status", status=WOUNDED)
            case "unhurt":
                self._pilot(fact, "fates")
            case "recovered":
                if self.pilots[_pilot_id(fact)].status == WOUNDED:
                    self._pilot(fact, "status", status=ACTIVE)
            case "died":
                self._leave(fact, DEAD)
                if fact.facts.get("game_lost"):
                    self._pilot(fact, "games", games=self.pilots[_pilot_id(fact)].games - 1)
            case "skill-rolled":
                pilot = self.pilots[_pilot_id(fact)]
                earned = (str(fact.facts["default"]),) if fact.facts["gained"] else ()
                self._pilot(fact, "skills", pending=(*pilot.pending, *earned))
            case "skill-gained":
                self._learn(fact)
            case "game":
                self._play(fact)
            case "experience":
                pilot = self.pilots[_pilot_id(fact)]
                self._pilot(fact, "points", points=pilot.points + int(fact.facts["count"]))
            case "returned" if fact.unit is not None:
                self._unit(fact, status=UNDONE, pilot=None)
            case "returned":
                self._leave(fact, UNDONE)
            case "promoted":
                self._pilot(fact, "experience", experience=fact.facts["to"])
            case "adjusted":  # its points say all, but for what is owed from now on
                self.company = replace(self.company, debt=self.company.debt + int(fact.facts.get("loan", 0)))
            case _:
                raise ValueError("an unknown kind of entry")

    def _take_void(self, fact: Fact) -> None:
        """A purchase or a hiring that was undone leaves its row behind, out of play."""
        if fact.kind == "bought":
            self._buy(fact)
            self._unit(fact, status=UNDONE, pilot=None)
        elif fact.kind == "hired":
            self._hire(fact)
            self._pilot(fact, "status", status=UNDONE)

    def _company_fields(self, changes: Mapping[str, str]) -> None:
        texts: dict[str, Any] = {key: str(value) for key, value in changes.items()}
        if not set(texts) <= {"name", "motto", "colour", "visibility"}:
            raise ValueError("an unknown setting of a company")
        self.company = replace(self.company, **texts)

    def _buy(self, fact: Fact) -> None:
        if fact.unit is None or fact.unit in self.units:
            raise ValueError("a unit is bought once")
        self.units[fact.unit] = UnitRecord(
            id=fact.unit,
            name=fact.facts["name"],
            design_name=fact.facts["design"],
            spec=fact.facts["spec"],
            paid=-fact.points,
            lent=bool(fact.facts.get("lent")),
        )

    def _hire(self, fact: Fact) -> None:
        if fact.pilot is None or fact.pilot in self.pilots:
            raise ValueError("a pilot is hired once")
        self.pilots[fact.pilot] = PilotRecord(
            id=fact.pilot,
            name=fact.facts["name"],
            callsign=fact.facts["callsign"],
            experience=fact.facts["experience"],
            paid=-fact.points,
            lent=bool(fact.facts.get("lent")),
            explained={"experience": (fact.id,), "status": (fact.id,)},
        )

    def _add_games(self, fact: Fact) -> None:
        if fact.unit is not None:
            unit = self.units[fact.unit]
            times_lost = unit.times_lost + bool(fact.facts.get("lost"))
            self._unit(fact, games=unit.games + 1, times_lost=times_lost)
        if fact.pilot is not None:
            self._pilot(fact, "games", games=self.pilots[fact.pilot].games + 1)

    def _learn(self, fact: Fact) -> None:
        pilot = self.pilots[_pilot_id(fact)]
        pending = pilot.pending
        if fact.facts.get("earned"):
            if not pending:
                raise ValueError("a skill that was not earned")
            pending = pending[1:]
        self._pilot(fact, "skills", skills=(*pilot.skills, fact.facts["skill"]), pending=pending)

    def _play(self, fact: Fact) -> None:
        result = fact.facts["result"]
        if result not in ("won", "drawn", "lost"):
            raise ValueError("a game that was neither won, drawn nor lost")
        company = self.company
        self.company = replace(
            company,
            won=company.won + (result == "won"),
            drawn=company.drawn + (result == "drawn"),
            lost=company.lost + (result == "lost"),
            season_points=company.season_points + int(fact.facts["season_points"]),
            debt=company.debt - int(fact.facts.get("repaid", 0)),
        )

    def _add_kills(self, fact: Fact, count: int) -> None:
        if fact.unit is not None:
            self._unit(fact, kills=self.units[fact.unit].kills + count)
        if fact.pilot is not None:
            self._pilot(fact, "kills", kills=self.pilots[fact.pilot].kills + count)

    def _seat(self, fact: Fact) -> None:
        """A pilot sits in one unit: taking a seat, he leaves the other one."""
        pilot = fact.pilot
        if pilot is not None:
            self._stand_up(pilot)
            if self.pilots[pilot].status not in (ACTIVE, WOUNDED):
                pilot = None
        if fact.unit is not None and self.units[fact.unit].status != READY:
            pilot = None
        self._unit(fact, pilot=pilot)

    def _leave(self, fact: Fact, status: str) -> None:
        self._stand_up(_pilot_id(fact))
        self._pilot(fact, "status", status=status)

    def _stand_up(self, pilot: int) -> None:
        for unit in [unit for unit in self.units.values() if unit.pilot == pilot]:
            self.units[unit.id] = replace(unit, pilot=None)

    def _unit(self, fact: Fact, **changes: Any) -> None:
        if fact.unit is None:
            raise ValueError("names no unit")
        self.units[fact.unit] = replace(self.units[fact.unit], **changes)

    def _pilot(self, fact: Fact, number: str, **changes: Any) -> None:
        pilot = self.pilots[_pilot_id(fact)]
        explained = {**pilot.explained, number: (*pilot.explained.get(number, ()), fact.id)}
        self.pilots[pilot.id] = replace(pilot, explained=explained, **changes)


def _pilot_id(fact: Fact) -> int:
    if fact.pilot is None:
        raise ValueError("names no pilot")
    return fact.pilot
