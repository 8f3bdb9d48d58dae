"""Reads of ledgers: pages of entries as sentences, the history of a unit or pilot, and the effect of an undo."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery, Sum, Window

from rosters.database.queries import PreparedQuery, columns
from rosters.entries import kind_of
from rosters.entries.company import Fought, TerritoryIncome
from rosters.hooks import HoldReasons
from rosters.ledger.projection import bill_of, describe_entry, plain, rebooking_parts, reversal
from rosters.ledger.records import ADJUSTMENT, TERRITORIES, adjustment_of, undo_refusal
from rosters.models import Company, CompanyOrigin, LedgerEntry, player_display_name
from rosters.site.pagination import Keyset, KeysetList, Slice
from systems import roster_rules
from systems.ledger import PilotRecord, SentencePart, Subject
from systems.legality import BillLine
from systems.text import SystemWords

LATEST = 12  # number of newest entries on the company's page
PAGE_LENGTH = 50
NO_BATTLE = (ADJUSTMENT, TERRITORIES)  # causes without a battle
Values = tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRow:
    """An entry on a page, with the balance after it."""

    id: int
    act: uuid.UUID
    kind: str
    at: datetime
    by: str
    parts: tuple[SentencePart, ...]
    points: int
    balance: int | None  # None in lists of an act, a unit or a pilot
    cause: str
    cause_ref: str
    bill: tuple[BillLine, ...]
    is_reversed: bool
    is_reversal: bool
    unit: int | None
    pilot: int | None
    deed: str = ""  # a sentence about the pilot without the battle, for lists that already name it
    battle: str = ""
    seed: str = ""  # of the dice that decided it
    is_loss: bool = False  # whether the pilot's unit was destroyed
    place: int = 0  # the entry at whose place it is applied; usually itself
    match: str = ""  # key of the match whose ruling wrote it
    ruling: str = ""  # that match's name
    is_claimed: bool = False  # whether it came with an imported document and is unverified
    ruled: tuple[int, int] | None = None  # campaign and number of the ruling on the company itself

    @property
    def text(self) -> str:
        return plain(self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoOffer:
    """The act that an undo would reverse; `refusal` says why it can't, and is empty if it can."""

    act: uuid.UUID | None
    rows: tuple[LedgerRow, ...]
    points: int  # its effect on the balance
    refusal: str

    @property
    def entries(self) -> tuple[str, ...]:
        """The sentences of the entries."""
        return tuple(row.text for row in self.rows)


def ledger_head(
    company: Company, balance: int, reasons: HoldReasons | None
) -> tuple[tuple[LedgerRow, ...], UndoOffer | None]:
    """Return the newest entries, and the effect of an undo unless `reasons` is None; at most two queries.

    `balance` is the balance after the newest entry.
    """
    entries = NEWEST.rows(company=company.pk)
    undo = None if reasons is None else _undo_of(company, entries, len(entries) <= LATEST, reasons)
    return _ledger_rows(company, entries[:LATEST], balance), undo


def ledger_page(
    company: Company, asked: Mapping[str, str], balance: int, reasons: HoldReasons | None
) -> tuple[Slice[LedgerRow], UndoOffer | None]:
    """Return the requested page of the whole ledger, and the effect of an undo unless `reasons` is None.

    `balance` is the current balance; for an older page the balance is queried.
    """
    found = ENTRY_LIST.asked(asked, company=company.pk)
    is_newest = not found.before
    if not is_newest:
        newest = found.rows[0].pk if found.rows else 0
        balance = sum(points for (points,) in BALANCE.rows(company=company.pk, newest=newest))
    undo = (
        None if reasons is None else _undo_of(company, found.rows if is_newest else [], not found.has_others, reasons)
    )
    return Slice(list(_ledger_rows(company, found.rows, balance)), found.before, found.after), undo


def ledger_of(company: Company, **whose: int) -> tuple[LedgerRow, ...]:
    """Return all entries, newest first; those of a `unit` or a `pilot` have no balances."""
    entries, balances = _whose(*whose)
    after = {} if whose else dict(balances.rows(company=company.pk))
    words = roster_rules(company.system, company.catalogue_release).words
    claimed = claimed_up_to(company)
    found = entries.rows(company=company.pk, **whose)
    return tuple(_row(entry, words, after.get(entry.pk), claimed) for entry in found)


def undo_offer(company: Company, reasons: HoldReasons) -> UndoOffer:
    """Return the effect of undoing the last act, and why it can't be undone if it can't."""
    return _undo(company, LAST_ACT.rows(company=company.pk), reasons)


def _undo_of(company: Company, newest: Sequence[Entry], is_all: bool, reasons: HoldReasons) -> UndoOffer:
    """Return the effect of an undo, from the newest entries if they contain the whole last act, else from a query.

    `is_all` says that there are no other entries.
    """
    standing = [entry for entry in newest if entry.reverses_id is None and entry.undone_by is None]
    if not is_all and (not standing or standing[0].act == standing[-1].act):
        return undo_offer(company, reasons)
    return _undo(company, [entry for entry in standing if entry.act == standing[0].act][::-1], reasons)


def _undo(company: Company, last: list[Entry], reasons: HoldReasons) -> UndoOffer:
    refusal = undo_refusal(last)
    for entry in last if not refusal else ():
        reason = reasons["unit"].get(entry.unit_id or 0) or reasons["pilot"].get(entry.pilot_id or 0)
        if reason:
            refusal = f"The last change is to something that is {reason}"
    words = roster_rules(company.system, company.catalogue_release).words
    return UndoOffer(
        act=last[0].act if last else None,
        rows=tuple(_row(entry, words, None, claimed_up_to(company)) for entry in last),
        points=-sum(entry.points for entry in last),
        refusal=refusal,
    )


class Entry(NamedTuple):
    """An entry with everything that its sentence needs. A reversal has the unit and pilot of the reversed entry."""

    pk: int
    act: uuid.UUID
    kind: str
    at: datetime
    points: int
    facts: dict[str, object]
    cause: str
    cause_ref: str
    reverses_id: int | None
    reversed_kind: str | None
    reversed_facts: dict[str, object] | None
    by: str | None
    unit_id: int | None
    unit_name: str | None
    pilot_id: int | None
    pilot_name: str | None
    undone_by: int | None


def _beside(chosen: QuerySet[LedgerEntry]) -> QuerySet[LedgerEntry, Values]:
    """Select the columns of `Entry` for these entries, without joining them to each other."""
    undone = LedgerEntry.objects.filter(reverses=OuterRef("pk")).order_by().values("pk")
    rows = LedgerEntry.objects.filter(pk__in=chosen.values("pk")).annotate(
        by_name=player_display_name("created_by"), undone_by=Subquery(undone[:1])
    )
    return rows.values_list(
        *columns(
            Entry,
            reversed_kind="reverses__kind",
            at="created_at",
            reversed_facts="reverses__facts",
            by="by_name",
            unit_name="unit__name",
            pilot_name="pilot__name",
        )
    )


def _of_company(company: int) -> QuerySet[LedgerEntry]:
    return LedgerEntry.objects.filter(company=company)


def _newest(company: int) -> QuerySet[LedgerEntry, Values]:
    return _beside(_of_company(company).order_by("-pk")[: LATEST + 1]).order_by("-pk")


def _last_act(company: int) -> QuerySet[LedgerEntry, Values]:
    """Return the query for the entries of the newest act that isn't reversed."""
    standing = _of_company(company).filter(reverses=None, reversed_by=None)
    newest = standing.order_by("-pk").values("act")[:1]
    return _beside(standing.filter(act=Subquery(newest)).order_by()).order_by("pk")


def _balance(company: int, newest: int) -> QuerySet[LedgerEntry, tuple[int]]:
    """Return the query for the sum of all entries up to `newest`."""
    entries = _of_company(company).filter(pk__lte=newest).order_by().values("company")
    return entries.annotate(sum=Sum("points")).values_list("sum")


@cache
def _whose(*names: str) -> tuple[PreparedQuery[Entry], PreparedQuery[tuple[int, int]]]:
    """Return the queries for the entries about a unit or pilot, newest first, and for the balance after each."""

    def entries(company: int, **whose: int) -> QuerySet[LedgerEntry, Values]:
        return _beside(_of_company(company).filter(**whose).order_by()).order_by("-pk")

    def balances(company: int, **whose: int) -> QuerySet[LedgerEntry, tuple[int, int]]:
        rows = _of_company(company).order_by().annotate(sum=Window(Sum("points"), order_by="pk"))
        return rows.filter(**whose).values_list("pk", "sum")

    kinds: dict[str, type] = {"company": int, **dict.fromkeys(names, int)}
    return PreparedQuery(entries, Entry, **kinds), PreparedQuery(balances, **kinds)


NEWEST = PreparedQuery(_newest, Entry, company=int)
LAST_ACT = PreparedQuery(_last_act, Entry, company=int)
ENTRY_LIST = KeysetList(_of_company, Keyset("-pk"), PAGE_LENGTH, beside=_beside, read=Entry, company=int)
BALANCE = PreparedQuery(_balance, company=int, newest=int)


def _ledger_rows(company: Company, newest_first: Iterable[Entry], balance: int) -> tuple[LedgerRow, ...]:
    """Return consecutive entries as rows; `balance` is the balance after the newest."""
    words, rows = roster_rules(company.system, company.catalogue_release).words, []
    claimed = claimed_up_to(company)
    for entry in newest_first:
        rows.append(_row(entry, words, balance, claimed))
        balance -= entry.points
    return tuple(rows)


def claimed_up_to(company: Company) -> int:
    """Return the ID of the last unverified entry of an imported company; 0 if there is none."""
    origin: CompanyOrigin | None = getattr(company, "origin", None)
    return 0 if origin is None or origin.is_proven else origin.last_entry


def _row(entry: Entry, words: SystemWords, balance: int | None, claimed: int) -> LedgerRow:
    unit = Subject(entry.unit_id, entry.unit_name or "") if entry.unit_id else None
    pilot = Subject(entry.pilot_id, entry.pilot_name or "") if entry.pilot_id else None
    kind = kind_of(entry.kind)
    is_reversal = entry.reverses_id is not None
    place = entry.facts.get("place")
    if is_reversal:
        parts = reversal(
            entry.facts, _sentence(entry.reversed_kind or "", entry.reversed_facts or {}, unit, pilot, words)
        )
    else:
        parts = _sentence(entry.kind, entry.facts, unit, pilot, words)
    return LedgerRow(
        id=entry.pk,
        act=entry.act,
        kind=entry.kind,
        at=entry.at,
        by=entry.by or "",
        is_claimed=entry.pk <= claimed,
        parts=parts,
        points=entry.points,
        balance=balance,
        cause=entry.cause,
        cause_ref="" if entry.cause in NO_BATTLE or entry.kind == TerritoryIncome.slug else entry.cause_ref,
        bill=bill_of(entry.facts),
        is_reversed=entry.undone_by is not None,
        is_reversal=is_reversal,
        unit=entry.unit_id,
        pilot=entry.pilot_id,
        deed=_deed(entry, unit, pilot) if pilot and kind and kind.in_career else "",
        battle=str(entry.facts.get("battle", "")),
        seed=str(entry.facts.get("seed", "")),
        is_loss=bool(entry.facts.get("lost")) and entry.kind == Fought.slug,
        place=place if isinstance(place, int) else entry.pk,
        match=str(entry.facts.get("match", "")),
        ruling=str(entry.facts.get("ruling", "")),
        ruled=adjustment_of(entry.cause_ref) if entry.cause == ADJUSTMENT else None,
    )


def _sentence(
    kind: str, facts: Mapping[str, object], unit: Subject | None, pilot: Subject | None, words: SystemWords
) -> tuple[SentencePart, ...]:
    """Return the sentence of an entry that isn't a reversal."""
    found, parts = kind_of(kind), describe_entry(kind, facts, unit, pilot, words)
    return rebooking_parts(facts, parts) if found is None or found.is_booked else parts


def _deed(entry: Entry, unit: Subject | None, pilot: Subject) -> str:
    facts = {name: value for name, value in entry.facts.items() if name != "battle"}
    text = plain(describe_entry(entry.kind, facts, unit, pilot)).removeprefix(pilot.name).strip()
    where = entry.facts.get("adjusted")
    return f"{text[:1].upper()}{text[1:]}{f' (by a ruling in {where})' if where else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceLine:
    """The effects of one game, or of one decision of the player, on a pilot."""

    number: int | None  # number of the game, from 1; None if it isn't a game
    at: datetime
    battle: str
    battle_ref: str
    is_lost: bool  # whether the pilot's unit was destroyed
    seed: str
    deeds: tuple[LedgerRow, ...]
    ruling: str = ""  # the match whose ruling wrote it


def service_record(rows: Iterable[LedgerRow]) -> tuple[ServiceLine, ...]:
    """Return a pilot's games, kills, wounds, promotions and skills, oldest first, without reversed ones."""
    acts: dict[uuid.UUID, list[LedgerRow]] = {}
    for row in sorted(rows, key=lambda row: (row.place, row.id)):
        if row.deed and not row.is_reversed and not row.is_reversal:
            acts.setdefault(row.act, []).append(row)
    lines: list[ServiceLine] = []
    games = 0
    for deeds in acts.values():
        fought = any(row.kind == Fought.slug for row in deeds)
        games += fought
        lines.append(
            ServiceLine(
                number=games if fought else None,
                at=deeds[0].at,
                battle=next((row.battle for row in deeds if row.battle), ""),
                battle_ref=deeds[0].cause_ref,
                is_lost=any(row.is_loss for row in deeds),
                seed=next((row.seed for row in deeds if row.seed), ""),
                deeds=tuple(deeds),
                ruling=next((row.ruling for row in deeds if row.ruling), ""),
            )
        )
    return tuple(lines)


def explanations(ledger: Iterable[LedgerRow], record: PilotRecord) -> Mapping[str, tuple[LedgerRow, ...]]:
    """Return the ledger entries that explain each number in a pilot's record, oldest first."""
    rows = {row.id: row for row in ledger}
    return {number: tuple(rows[pk] for pk in ids if pk in rows) for number, ids in record.explained.items()}
