"""Walk through a company's history again, with one of its games removed or booked differently. Reads no rows.

Nothing is written. The necessary entries are collected as drafts, so that the preview and the correction use the same
ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from campaigns.corrections.effects import Rules
from rosters.entries import kind_of
from rosters.entries.company import Adjusted, Game, Renamed, Reversed, TerritoryIncome
from rosters.entries.units_and_pilots import Refitted, Repaired, SkillGained, Sold, sale_price
from rosters.ledger.drafts import NOT_WRITTEN, Aftermath, Draft, UnitResult, aftermath_drafts, result_drafts
from rosters.ledger.projection import Projection, describe_entry, plain, project_entries
from rosters.ledger.records import ACT, RULING
from systems.ledger import ACTIVE, READY, WOUNDED, CompanyRecord, PostedEntry, Subject
from systems.legality import Check
from systems.setups import canonical
from systems.text import pluralize

PRICED_ACTS = (Sold.slug, Repaired.slug)  # a player's acts on a unit whose price depends on history
UNIT_ACTS = (*PRICED_ACTS, Refitted.slug)  # a player's acts that need the unit to be there
REFERENCE_FACTS = ("place", "match", "ruling")  # facts about why an entry was written, not about its content


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerLine:
    """An entry of the ledger, and the battle it belongs to."""

    entry: PostedEntry
    cause: str
    game: str = ""  # key of the battle that it books, if any
    ref: str = ""  # reference to its cause

    @property
    def is_players(self) -> bool:
        """Whether a player did it, or a ruling did it again for them."""
        return self.cause == ACT or "again" in self.entry.facts


def books_game(kind: str, facts: Mapping[str, object]) -> bool:
    """Return whether a ruling's entry books a game. If not, it reverses, adjusts or repeats a player's act."""
    found = kind_of(kind)
    return (found is None or found.is_booked) and "again" not in facts


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionReference:
    """The facts that every entry of a correction has about the correction."""

    match: str  # key of the match
    title: str

    def marks(self) -> dict[str, object]:
        """Return them as facts of an entry."""
        return {"match": self.match, "ruling": self.title}


class HistoryWalk:
    """One company's history, walked through from its founding.

    Until `changed` is set, entries are taken as they are. After that, choices of skills that are no longer earned are
    reversed. With `rechecks`, players' acts are checked again too: sales, repairs and refits that aren't possible any
    more are reversed; sales and repairs that would have had another price are adjusted. Acts that an earlier ruling
    reversed are done again if they are possible again; if not, `notes` says why.
    """

    def __init__(self, name: str, lines: Sequence[LedgerLine], rules: Rules, why: CorrectionReference) -> None:
        self.name, self.rules, self.why = name, rules, why
        self.lines = sorted(lines, key=lambda line: line.entry.position)
        self.void = {line.entry.reverses for line in lines if line.entry.reverses is not None}
        # Entries that an earlier ruling reversed because they weren't possible any more -> their reversals.
        self.lapsed = {
            line.entry.reverses: line.entry.id
            for line in lines
            if line.entry.reverses is not None and line.cause == RULING
        }
        self.before = project_entries(line.entry for line in lines)
        self.changed = self.rechecks = False
        self.reversals: list[Draft] = []
        self.booked: list[list[Draft]] = []
        self.notes: list[str] = []
        # Territory income that differs from the ledger, by the entry's cause; None: no income any more.
        self.pays: dict[str, Draft | None] = {}
        self._projection, self._at, self._number = Projection(), 0, NOT_WRITTEN

    # --- position

    def until(self, place: int | None) -> CompanyRecord:
        """Walk to that position and return the company as it is before it; None: walk to the end."""
        while self._at < len(self.lines) and (place is None or self.lines[self._at].entry.position[0] < place):
            line = self.lines[self._at]
            self._at += 1
            self._pass(line)
        return self._projection.record()

    def standing(self, game: str) -> list[LedgerLine]:
        """Return the entries of a game that aren't reversed."""
        return [line for line in self.lines if line.game == game and self._is_unreversed(line)]

    def place_of(self, game: str) -> int | None:
        """Return the position of the game; None if it isn't in the history."""
        return min((line.entry.position[0] for line in self.standing(game)), default=None)

    def former_place(self, games: Sequence[str]) -> int | None:
        """Return the position that one of these games had before it was reversed."""
        return min((line.entry.position[0] for line in self.lines if line.game in games), default=None)

    def games_after(self, place: int) -> list[tuple[int, str]]:
        """Return the position and battle key of every later game, in order."""
        games = dict.fromkeys(
            line.game
            for line in self.lines
            if line.game and line.entry.position[0] > place and self._is_unreversed(line)
        )
        return sorted((self.place_of(game) or 0, game) for game in games)

    def seed_of(self, game: str) -> int | None:
        """Return the seed of the game's aftermath, even if the game has been reversed since."""
        booked = [line.entry for line in self.lines if line.game == game and line.entry.kind == Game.slug]
        seeds = [entry.facts["seed"] for entry in booked if entry.facts.get("seed")]
        return int(seeds[-1]) if seeds else None

    # --- changes

    def drop(self, game: str) -> None:
        """Reverse the game's entries."""
        self.changed = True
        for line in reversed(self.standing(game)):
            self._reverse(line)

    def book(self, drafts: Sequence[Draft], place: int | None, game: str) -> None:
        """Book these entries at that position; None: at the end."""
        self.changed = True
        marks = self.why.marks() if place is None else {**self.why.marks(), "place": place}
        booked = [replace(draft, facts={**draft.facts, **marks}, ref=game) for draft in drafts]
        for draft in booked:
            self._take(draft)
        self.booked.append(booked)

    def drafts_of_game(self, title: str, units: Sequence[UnitResult], keeps_units: bool) -> list[Draft]:
        """Return the entries for the game's result at the present position."""
        return result_drafts(self._projection.record(), units, rules=self.rules, title=title, keeps_units=keeps_units)

    def record_with(self, drafts: Sequence[Draft]) -> CompanyRecord:
        """Return the company at the present position with these entries added."""
        projection = Projection(self._projection.record())
        for number, draft in enumerate(drafts):
            projection.take(draft.posted(NOT_WRITTEN + number))
        return projection.record()

    def drafts_of_aftermath(self, title: str, record: CompanyRecord, aftermath: Aftermath) -> list[Draft]:
        """Return the entries for the game's aftermath, after its result."""
        return aftermath_drafts(record, aftermath, rules=self.rules, title=title)

    def has_same_entries(self, game: str, drafts: Sequence[Draft]) -> bool:
        """Return whether these entries are the same as those the ledger has for the game."""
        return [_entry_key(line.entry) for line in self.standing(game)] == [_entry_key(draft) for draft in drafts]

    def finish(self) -> CompanyRecord:
        """Walk to the end and return the company as it will be.

        The house lends points that were spent but are no longer earned, and returns later income that it kept without
        being owed it.
        """
        self.until(None)
        for ref, draft in [(ref, draft) for ref, draft in self.pays.items() if draft is not None]:
            self.book([draft], None, ref)  # income without an entry yet
        record = self._projection.record()
        if self.changed and record.debt < 0:
            self._cover(-record.debt, "later income kept back without a debt")
        record = self._projection.record()
        if self.changed and record.balance < 0:
            text = f"{self.name} has already spent {pluralize(-record.balance, self._money(record.games))} it no longer has"
            self.notes.append(f"{text}. They become a debt, repaid from later income.")
            self._cover(-record.balance, f"{self._money(record.games)} spent before the ruling, now a debt")
        return project_entries([*(line.entry for line in self.lines), *self._hypothetical()])

    def acts(self) -> list[list[Draft]]:
        """Return the entries to be written, act by act."""
        return [drafts for drafts in (self.reversals, *self.booked) if drafts]

    def unfit(self, units: Sequence[UnitResult]) -> list[str]:
        """Describe the units and pilots that took part in a game at the present position but couldn't have."""
        record, found = self._projection.record(), []
        for result in units:
            unit = record.units.get(result.unit) if result.unit is not None else None
            if unit is not None and unit.status != READY:
                found.append(f"{unit.name} played although it was already {unit.status}")
            pilot = record.pilots.get(result.pilot) if result.pilot is not None else None
            if pilot is not None and pilot.status != ACTIVE:
                found.append(f"{pilot.name} played although already {pilot.status}")
        return found

    # --- one entry

    def _is_unreversed(self, line: LedgerLine) -> bool:
        return line.entry.reverses is None and line.entry.id not in self.void

    def _pass(self, line: LedgerLine) -> None:
        entry = line.entry
        if entry.reverses is not None or self._replace_income(line):
            return
        if entry.id in self.void:
            self._projection.take(entry, is_void=True)
            if self.changed and line.cause == ACT and entry.id in self.lapsed:
                self._again(line)
            return
        if self.changed and self._must_reverse(line):
            self._reverse(line)
            return
        fair = self._fair_points(line) if self.rechecks else None
        self._projection.take(entry)
        self._projection.balance += entry.points
        if fair is not None:
            self._adjust(line, fair)
        if self.changed and line.is_players and entry.points < 0 and self._projection.balance < 0:
            games = self._projection.record().games
            self.notes.append(
                f"{self._describe(line)}: it would have been {pluralize(-self._projection.balance, self._money(games))} short."
            )

    def _replace_income(self, line: LedgerLine) -> bool:
        """Return whether the entry is territory income that changes, and book the new income in its place.

        The new income takes the position of the entry, or of a reversed one if no entry is left.
        """
        entry, stands = line.entry, self._is_unreversed(line)
        if entry.kind != TerritoryIncome.slug or line.ref not in self.pays:
            return False
        if not stands and any(each.ref == line.ref and self._is_unreversed(each) for each in self.lines):
            return False
        if stands:
            self._reverse(line)
        if (draft := self.pays.pop(line.ref)) is not None:
            self.book([draft], entry.position[0], line.ref)
        self.changed = True
        return True

    def _must_reverse(self, line: LedgerLine) -> bool:
        entry = line.entry
        if line.cause == RULING and entry.facts.get("cover"):
            return True  # calculated again at the end
        if entry.kind == SkillGained.slug and entry.facts.get("earned"):
            pilot = self._projection.pilots[entry.pilot or 0]
            if not pilot.pending or entry.facts["skill"] in pilot.skills:
                reason = "the roll that earned it no longer counts" if not pilot.pending else "the pilot already has it"
                self.notes.append(f"{self._describe(line)}: undone, because {reason}.")
                return True
        if self.rechecks and line.is_players and entry.kind in UNIT_ACTS:
            unit = self._projection.units[entry.unit or 0]
            if unit.status != READY:
                self.notes.append(f"{self._describe(line)}: undone, because it was already {unit.status}.")
                return True
        return False

    def _fair_points(self, line: LedgerLine) -> int | None:
        entry = line.entry
        if not self.changed or not line.is_players or entry.kind not in PRICED_ACTS:
            return None
        return self._price(entry)

    def _price(self, entry: PostedEntry) -> int:
        """Return what that sale, repair or refit brings at the present position."""
        unit = self._projection.units[entry.unit or 0]
        if entry.kind == Sold.slug:
            return sale_price(unit.paid, unit.games)
        if entry.kind == Refitted.slug:
            return -self._refit(entry).points
        bill = self.rules.repair_bill(self.rules.parse_spec(unit.spec), unit.condition)
        return -sum(part.points for part in bill)

    def _refit(self, entry: PostedEntry) -> Check:
        """Return what the rules say about that refit at the present position."""
        spec = self._projection.units[entry.unit or 0].spec
        check = self.rules.check_refit(self.rules.parse_spec(spec), self.rules.parse_spec(entry.facts["to"]))
        assert check is not None  # the unit was refitted by these rules
        return check

    # --- acts that an earlier ruling reversed

    def _again(self, line: LedgerLine) -> None:
        """Repeat a player's act that an earlier ruling reversed, or note why it stays reversed."""
        entry = line.entry
        if any(each.entry.facts.get("again") == entry.id and self._is_unreversed(each) for each in self.lines):
            return  # an earlier ruling has repeated it already
        reason = self._repeat_refusal(entry)
        if reason is None:
            return
        if reason:
            self.notes.append(f"{self._describe(line)}: not restored, because {reason}.")
            return
        draft = Draft(
            kind=entry.kind,
            unit=entry.unit,
            pilot=entry.pilot,
            points=self._price(entry) if entry.kind in UNIT_ACTS else 0,
            facts={**self._repeat_facts(entry), **self.why.marks(), "place": entry.position[0], "again": entry.id},
        )
        self.notes.append(f"{self._describe(line)}: restored, because it is possible again.")
        self._take(draft)
        self.reversals.append(draft)

    def _repeat_refusal(self, entry: PostedEntry) -> str | None:
        """Return why the act can't be repeated; empty if it can, None if repeating it would have no effect."""
        if entry.kind == SkillGained.slug:
            pilot = self._projection.pilots[entry.pilot or 0]
            if pilot.status not in (ACTIVE, WOUNDED):
                return f"{pilot.name} was already {pilot.status}"
            if entry.facts["skill"] in pilot.skills:
                return "the pilot already had it"
            return "" if pilot.pending else "no earlier roll earned it"
        if entry.kind not in UNIT_ACTS:
            return None
        unit = self._projection.units[entry.unit or 0]
        if unit.status != READY:
            return f"{unit.name} was already {unit.status}"
        if entry.kind == Repaired.slug:
            if not self._price(entry):
                return None
        elif self._used_since(unit.id, self.lapsed[entry.id]):
            return f"{unit.name} has been used since its return"
        elif entry.kind == Refitted.slug and (problems := self._refit(entry).problems):
            return " ".join(f"{problem.message} ({problem.rule})" for problem in problems)
        return "" if self.rechecks else "only a cascade restores it"

    def _repeat_facts(self, entry: PostedEntry) -> dict[str, object]:
        """Return the facts of the act at the present position."""
        if entry.kind == SkillGained.slug:
            return dict(entry.facts)
        unit = self._projection.units[entry.unit or 0]
        if entry.kind == Sold.slug:
            return {"paid": unit.paid, "games": unit.games}
        if entry.kind == Refitted.slug:
            bill = self._refit(entry).bill
            return {**entry.facts, "from": unit.spec, "bill": [[part.label, part.points] for part in bill]}
        bill = self.rules.repair_bill(self.rules.parse_spec(unit.spec), unit.condition)
        return {"from": dict(unit.condition), "to": {}, "bill": [[part.label, part.points] for part in bill]}

    def _used_since(self, unit: int, number: int) -> bool:
        """Return whether the unit fought, or its player changed it, after the entry with that number."""
        return any(
            line.entry.unit == unit
            and line.entry.id > number
            and line.entry.kind != Renamed.slug
            and line.cause != RULING
            and self._is_unreversed(line)
            for line in self.lines
        )

    def _adjust(self, line: LedgerLine, fair: int) -> None:
        prices = [each.entry.points for each in self._prices_of(line)]
        missing = fair - line.entry.points - sum(prices)
        if not missing:
            return
        points = pluralize(abs(missing), self._money(self._projection.record().games))
        more = "more" if missing > 0 else "less"
        self.notes.append(f"{self._describe(line)}: adjusted by {points} {more} to fit the corrected history.")
        reason = f"{self._describe(line)}, adjusted to the corrected history"
        facts = {**self.why.marks(), "reason": reason, "prices": line.entry.id, "place": line.entry.position[0]}
        draft = Draft(kind=Adjusted.slug, unit=line.entry.unit, points=missing, facts=facts)
        self._take(draft)
        self.reversals.append(draft)

    def _prices_of(self, line: LedgerLine) -> list[LedgerLine]:
        return [
            each
            for each in self.lines
            if each.entry.kind == Adjusted.slug
            and each.entry.facts.get("prices") == line.entry.id
            and self._is_unreversed(each)
        ]

    def _reverse(self, line: LedgerLine) -> None:
        entry = line.entry
        for price in self._prices_of(line):
            self._reverse(price)
        self.void.add(entry.id)
        self.reversals.append(
            Draft(
                kind=Reversed.slug,
                unit=entry.unit,
                pilot=entry.pilot,
                points=-entry.points,
                facts={"kind": entry.kind, **self.why.marks()},
                reverses=entry.id,
            )
        )

    def _cover(self, points: int, reason: str) -> None:
        facts = {**self.why.marks(), "reason": reason, "loan": points, "cover": True}
        draft = Draft(kind=Adjusted.slug, points=points, facts=facts)
        self._take(draft)
        self.booked.append([draft])

    def _take(self, draft: Draft) -> None:
        self._number += 1
        self._projection.take(draft.posted(self._number))
        self._projection.balance += draft.points

    def _hypothetical(self) -> list[PostedEntry]:
        drafts = [draft for act in self.acts() for draft in act]
        return [draft.posted(NOT_WRITTEN + number) for number, draft in enumerate(drafts)]

    def _money(self, games: int) -> str:
        return self.rules.words.money_after(games)

    def _describe(self, line: LedgerLine) -> str:
        unit = self._projection.units.get(line.entry.unit) if line.entry.unit is not None else None
        pilot = self._projection.pilots.get(line.entry.pilot) if line.entry.pilot is not None else None
        return plain(
            describe_entry(
                line.entry.kind,
                line.entry.facts,
                Subject(unit.id, unit.name) if unit else None,
                Subject(pilot.id, pilot.name) if pilot else None,
                self.rules.words,
            )
        )

    def describe_spending(self, place: int) -> list[str]:
        """Describe what the company bought and sold after that position, with points."""
        return [
            f"{self._describe(line)} ({line.entry.points:+d})"
            for line in self.lines
            if line.entry.position[0] > place and line.is_players and line.entry.points and line.entry.reverses is None
            and line.entry.id not in self.void
        ]  # fmt: skip


def _entry_key(entry: PostedEntry | Draft) -> tuple[str, int | None, int | None, int, str]:
    facts = {name: value for name, value in entry.facts.items() if name not in (*REFERENCE_FACTS, "game_lost")}
    return entry.kind, entry.unit, entry.pilot, entry.points, canonical(facts)
