"""Every read of rosters that spans rows: frozen dataclasses out, a fixed number of queries however long the roster is."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet, Sum

from rosters import hooks, policy
from rosters.hooks import Held
from rosters.ledger import CompanyRecord, Fact, PilotRecord, UnitRecord, fold
from rosters.ledger_text import Part, Subject, bill_of, booked_anew, plain, reversal, sentence
from rosters.legality import BillLine, Check, Problem
from rosters.models import AccessToken, Company, Design, LedgerEntry, Player, UnitStatus, Visibility
from rosters.policy import Reader
from rosters.services import sale_price, undo_refusal
from rosters.snapshots import pilot_card
from rosters.systems import get_system
from rosters.systems.base import CompanyMember, PilotSpec, RosterSystem, ServiceCard
from rosters.systems.words import PLAIN, SystemWords

LEDGER_SHOWN = 12  # newest entries on the company's page
PAGE_LENGTH = 30
CAREER = frozenset(  # kinds of entries that make a pilot's service record
    (
        "hired",
        "fought",
        "kill",
        "wounded",
        "unhurt",
        "died",
        "recovered",
        "experience",
        "promoted",
        "skill-rolled",
        "skill-gained",
        "retired",
    )
)


# --- companies --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitRow:
    """A unit as a roster lists it."""

    id: int
    name: str
    design_name: str
    spec: Mapping[str, Any]
    status: str
    size: str
    size_name: str
    armor: int | None
    hits: int
    hits_left: int
    points: int
    paid: int
    sale: int
    condition: Mapping[str, Any]
    damage: tuple[BillLine, ...]  # what a repair would cost, part by part
    repair: int
    pilot: PilotRecord | None
    needs_pilot: bool
    games: int
    kills: int
    times_lost: int
    problems: tuple[Problem, ...]
    state: tuple[tuple[str, str], ...]  # label and value of what is wrong with it beside its hits
    resting: str  # why it stays at home unless somebody chooses it, in a few words; empty: it doesn't
    held: str = ""  # why it can't be changed now: what follows "It is"; empty: it can

    @property
    def is_unmanned(self) -> bool:
        """Whether nobody sits in it and somebody should."""
        return self.needs_pilot and self.pilot is None

    @property
    def is_ready(self) -> bool:
        return self.status == UnitStatus.READY


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotRow:
    """A pilot as a roster lists him."""

    id: int
    name: str
    callsign: str
    status: str
    level: str
    level_name: str
    skills: tuple[str, ...]
    skill_names: tuple[str, ...]
    kills: int
    games: int
    wounds: int
    points: int | None  # of experience; None: the system counts none
    pending: tuple[str, ...]  # skills earned and not chosen yet: what each will be if nobody chooses
    seat: Subject | None  # the unit he sits in
    held: str = ""  # as of a unit

    @property
    def full_name(self) -> str:
        return f"{self.name} “{self.callsign}”" if self.callsign else self.name

    @property
    def is_on_roll(self) -> bool:
        return self.status in ("active", "wounded")


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRow:
    """An entry as a page lists it, with the balance after it."""

    id: int
    act: uuid.UUID
    kind: str
    at: datetime
    by: str
    parts: tuple[Part, ...]
    points: int
    balance: int
    cause: str
    cause_ref: str
    bill: tuple[BillLine, ...]
    is_reversed: bool
    is_reversal: bool
    unit: int | None
    pilot: int | None
    deed: str = ""  # of a pilot, in a record that names the battle already
    battle: str = ""
    seed: str = ""  # of the dice that decided it
    is_loss: bool = False  # the pilot's unit was destroyed
    place: int = 0  # the entry in whose place it counts; mostly itself
    match: str = ""  # key of the match whose ruling wrote it
    ruling: str = ""  # that match's name

    @property
    def text(self) -> str:
        return plain(self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoOffer:
    """What undoing would take back; `refusal` says why it can't be undone."""

    act: uuid.UUID | None
    rows: tuple[LedgerRow, ...]
    points: int  # what it would do to the balance
    refusal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanySheet:
    """A company as it stands, for page, print and API alike."""

    id: int
    name: str
    motto: str
    colour: str
    visibility: str
    link_key: uuid.UUID
    owner: str
    owner_id: int
    system: str
    system_name: str
    founded_at: datetime
    is_disbanded: bool
    balance: int
    money: str  # what its balance is counted in
    granted: int
    won: int
    drawn: int
    lost_games: int
    season_points: int
    debt: int  # owed to the house
    value: int  # points of the ready units
    is_stuck: bool  # it needs what the house lends
    units: tuple[UnitRow, ...]
    lost: tuple[UnitRow, ...]  # destroyed and sold
    pilots: tuple[PilotRow, ...]
    former: tuple[PilotRow, ...]  # dead and retired
    check: Check
    ledger: tuple[LedgerRow, ...]  # newest first
    undo: UndoOffer
    kept: str  # why it can't be disbanded now; empty: it can

    def unit(self, pk: int) -> UnitRow | None:
        """The unit of that id, ready or lost."""
        return next((unit for unit in (*self.units, *self.lost) if unit.id == pk), None)

    def pilot(self, pk: int) -> PilotRow | None:
        """The pilot of that id, on the roll or not."""
        return next((pilot for pilot in (*self.pilots, *self.former) if pilot.id == pk), None)

    @property
    def learners(self) -> tuple[PilotRow, ...]:
        """Pilots on the roll who have a skill to choose."""
        return tuple(pilot for pilot in self.pilots if pilot.pending)

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost_games

    def ledger_of_unit(self, pk: int) -> tuple[LedgerRow, ...]:
        return tuple(row for row in self.ledger if row.unit == pk)

    def ledger_of_pilot(self, pk: int) -> tuple[LedgerRow, ...]:
        return tuple(row for row in self.ledger if row.pilot == pk)


def companies_visible_to(player: Reader) -> QuerySet[Company]:
    """Companies that the player finds in lists: his own and the public ones."""
    return Company.objects.filter(policy.visible(player, "owner"), disbanded_at=None).select_related("owner")


def companies_of(player: Player, *, page: int | str = 1) -> Page[Company]:
    """The player's own companies, disbanded ones last."""
    rows = _with_counts(Company.objects.filter(owner=player)).order_by("-disbanded_at", "name", "pk")
    return _page(rows, page, len_of=Company.objects.filter(owner=player))


def companies_public(*, reader: Reader, search: str = "", page: int | str = 1) -> Page[Company]:
    """Public companies of others, by name."""
    rows = Company.objects.filter(visibility=Visibility.PUBLIC, disbanded_at=None)
    if reader.is_authenticated:
        rows = rows.exclude(owner=reader.pk)
    if search:
        rows = rows.filter(name__icontains=search)
    return _page(_with_counts(rows.select_related("owner")).order_by("name", "pk"), page, len_of=rows)


def company_get(*, reader: Reader, pk: int, link_key: str = "") -> Company:
    """The company, if the reader may see it; else raises Company.DoesNotExist."""
    company = Company.objects.select_related("owner").get(pk=pk)
    if not policy.can_see(reader, company, link_key) or (
        company.disbanded_at and not policy.can_change(reader, company)
    ):
        raise Company.DoesNotExist
    return company


def company_own(*, player: Reader, pk: int) -> Company:
    """The player's own company; else raises Company.DoesNotExist."""
    company = Company.objects.select_related("owner").get(pk=pk)
    if not policy.can_change(player, company):
        raise Company.DoesNotExist
    return company


def company_sheet(company: Company) -> CompanySheet:
    """The company as it stands, with its whole ledger."""
    rules = get_system(company.system)
    entries = list(company.ledger.select_related("by").order_by("pk"))
    record = fold(_fact(entry) for entry in entries)
    rows = ledger_rows(entries, record, rules.words)
    holds = hooks.holds.ask(company)
    held = hooks.held(holds)
    units = {unit.pk: _unit_row(rules, record, unit.pk, held) for unit in company.units.all()}
    pilots = {pilot.pk: _pilot_row(rules, record, pilot.pk, held) for pilot in company.pilots.all()}
    ready = tuple(unit for unit in units.values() if unit.is_ready)
    return CompanySheet(
        id=company.pk,
        name=company.name,
        motto=company.motto,
        colour=company.colour,
        visibility=company.visibility,
        link_key=company.link_key,
        owner=str(company.owner),
        owner_id=company.owner_id,
        system=rules.slug,
        system_name=rules.name,
        founded_at=company.founded_at,
        is_disbanded=company.disbanded_at is not None,
        balance=record.balance,
        money=rules.words.money_after(record.games),
        granted=record.granted,
        won=record.won,
        drawn=record.drawn,
        lost_games=record.lost,
        season_points=record.season_points,
        debt=record.debt,
        value=sum(unit.points for unit in ready),
        is_stuck=rules.is_stuck(
            [rules.parse_spec(unit.spec) for unit in ready if not rules.is_resting(unit.condition)],
            balance=record.balance,
            games=record.games,
        ),
        units=ready,
        lost=tuple(unit for unit in units.values() if unit.status in ("destroyed", "sold")),
        pilots=tuple(pilot for pilot in pilots.values() if pilot.is_on_roll),
        former=tuple(pilot for pilot in pilots.values() if pilot.status in ("dead", "retired")),
        check=_company_check(rules, ready, record),
        ledger=tuple(reversed(rows)),
        undo=_undo_offer(entries, rows, held),
        kept=holds[0].company if holds else "",
    )


def ledger_rows(entries: Sequence[LedgerEntry], record: CompanyRecord, words: SystemWords = PLAIN) -> list[LedgerRow]:
    """Entries of one company, all of them and oldest first, as a page lists them."""
    reversed_ids = {entry.reverses_id for entry in entries if entry.reverses_id}
    rows: list[LedgerRow] = []
    said: dict[int, tuple[Part, ...]] = {}
    balance = 0
    for entry in entries:
        balance += entry.points
        unit = record.units.get(entry.unit_id) if entry.unit_id else None
        pilot = record.pilots.get(entry.pilot_id) if entry.pilot_id else None
        if entry.reverses_id:
            parts = reversal(entry.facts, said[entry.reverses_id])
        else:
            parts = sentence(
                entry.kind,
                entry.facts,
                Subject(unit.id, unit.name) if unit else None,
                Subject(pilot.id, pilot.name) if pilot else None,
                words,
            )
            if entry.kind != LedgerEntry.Kind.ADJUSTED:
                parts = booked_anew(entry.facts, parts)
        said[entry.pk] = parts
        rows.append(
            LedgerRow(
                id=entry.pk,
                act=entry.act,
                kind=entry.kind,
                at=entry.at,
                by=str(entry.by) if entry.by else "",
                parts=parts,
                points=entry.points,
                balance=balance,
                cause=entry.cause,
                cause_ref=entry.cause_ref,
                bill=bill_of(entry.facts),
                is_reversed=entry.pk in reversed_ids,
                is_reversal=entry.reverses_id is not None,
                unit=entry.unit_id,
                pilot=entry.pilot_id,
                deed=_deed(entry, unit, pilot) if pilot and entry.kind in CAREER else "",
                battle=str(entry.facts.get("battle", "")),
                seed=str(entry.facts.get("seed", "")),
                is_loss=bool(entry.facts.get("lost")) and entry.kind == LedgerEntry.Kind.FOUGHT,
                place=entry.facts.get("place", entry.pk),
                match=str(entry.facts.get("match", "")),
                ruling=str(entry.facts.get("ruling", "")),
            )
        )
    return rows


def _deed(entry: LedgerEntry, unit: UnitRecord | None, pilot: PilotRecord) -> str:
    facts = {name: value for name, value in entry.facts.items() if name != "battle"}
    seat = Subject(unit.id, unit.name) if unit else None
    said = plain(sentence(entry.kind, facts, seat, Subject(pilot.id, pilot.name))).removeprefix(pilot.name).strip()
    return said[:1].upper() + said[1:]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceLine:
    """What one game, or one decision of the player, made of a pilot."""

    number: int  # of the game, from 1; 0: no game
    at: datetime
    battle: str
    battle_ref: str
    is_lost: bool  # his unit was
    seed: str
    deeds: tuple[LedgerRow, ...]
    ruling: str = ""  # the match whose ruling booked it anew


def service_record(sheet: CompanySheet, pilot: int) -> tuple[ServiceLine, ...]:
    """Every game, kill, wound, promotion and skill of a pilot that was not taken back, oldest first."""
    acts: dict[uuid.UUID, list[LedgerRow]] = {}
    for row in sorted(sheet.ledger_of_pilot(pilot), key=lambda row: (row.place, row.id)):
        if row.deed and not row.is_reversed and not row.is_reversal:
            acts.setdefault(row.act, []).append(row)
    lines: list[ServiceLine] = []
    games = 0
    for deeds in acts.values():
        fought = any(row.kind == LedgerEntry.Kind.FOUGHT for row in deeds)
        games += fought
        lines.append(
            ServiceLine(
                number=games if fought else 0,
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


def explanations(sheet: CompanySheet, record: PilotRecord) -> Mapping[str, tuple[LedgerRow, ...]]:
    """For each number of a pilot's record, the entries that made it, oldest first."""
    rows = {row.id: row for row in sheet.ledger}
    return {number: tuple(rows[pk] for pk in ids if pk in rows) for number, ids in record.explained.items()}


# --- designs ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignCard:
    """A design with what its rules say about it; `key` is a published slug or an own design's id."""

    key: str
    name: str
    system: str
    system_name: str
    spec: Mapping[str, Any]
    check: Check
    sheet: Any  # the system's datasheet
    note: str = ""
    printed_points: int | None = None
    author: str = ""
    author_id: int | None = None
    visibility: str = ""
    link_key: uuid.UUID | None = None
    changed_at: datetime | None = None


def designs_published(system: str) -> tuple[DesignCard, ...]:
    """The designs that the rulebook prints."""
    return tuple(design_published(system, slug) for slug in get_system(system).published)


@lru_cache(maxsize=256)
def design_published(system: str, slug: str) -> DesignCard:
    """A design that the rulebook prints; raises KeyError."""
    rules = get_system(system)
    model = rules.published[slug]
    return DesignCard(
        key=slug,
        name=model.name,
        system=rules.slug,
        system_name=rules.name,
        spec=rules.spec_json(model.spec),
        check=rules.check_design(model.spec),
        sheet=rules.datasheet(model.spec, name=model.name, design_name=model.name),
        note=model.note,
        printed_points=model.printed_points,
    )


def designs_of(player: Player, *, page: int | str = 1) -> tuple[Page[Design], tuple[DesignCard, ...]]:
    """The player's own designs, a page of them."""
    rows = Design.objects.filter(author=player).select_related("author")
    found = _page(rows, page, len_of=rows)
    return found, tuple(design_card(design) for design in found)


def designs_for_hangar(player: Player, system: str) -> tuple[tuple[Design, Check, str], ...]:
    """The player's own designs of a system that can be bought, with points and the kind of unit."""
    rules = get_system(system)
    parsed = ((design, rules.parse_spec(design.spec)) for design in Design.objects.filter(author=player, system=system))
    checked = ((design, rules.check_design(spec), rules.kind_name(spec)) for design, spec in parsed)
    return tuple((design, check, kind) for design, check, kind in checked if check.legal)


def companies_to_buy_for(reader: Reader, system: str) -> QuerySet[Company]:
    """The reader's companies that could buy a design of that system, with the points they have."""
    if not reader.is_authenticated:
        return Company.objects.none()
    rows = Company.objects.filter(owner=reader.pk, system=system, disbanded_at=None)
    return rows.annotate(balance=Sum("ledger__points")).order_by("name", "pk")


def designs_visible_to(reader: Reader) -> QuerySet[Design]:
    """Designs that the reader finds in lists."""
    return Design.objects.filter(policy.visible(reader, "author")).select_related("author")


def design_get(*, reader: Reader, pk: int, link_key: str = "") -> Design:
    """The design, if the reader may see it; else raises Design.DoesNotExist."""
    design = Design.objects.select_related("author").get(pk=pk)
    if not policy.can_see(reader, design, link_key):
        raise Design.DoesNotExist
    return design


def design_own(*, player: Reader, pk: int) -> Design:
    """The player's own design; else raises Design.DoesNotExist."""
    design = Design.objects.select_related("author").get(pk=pk)
    if not policy.can_change(player, design):
        raise Design.DoesNotExist
    return design


def design_card(design: Design) -> DesignCard:
    """A player's design with what its rules say about it."""
    rules = get_system(design.system)
    spec = rules.parse_spec(design.spec)
    return DesignCard(
        key=str(design.pk),
        name=design.name,
        system=rules.slug,
        system_name=rules.name,
        spec=design.spec,
        check=rules.check_design(spec),
        sheet=rules.datasheet(spec, name=design.name, design_name=design.name),
        author=str(design.author),
        author_id=design.author_id,
        visibility=design.visibility,
        link_key=design.link_key,
        changed_at=design.changed_at,
    )


def unit_sheet(company: CompanySheet, unit: UnitRow) -> Any:
    """The datasheet of a company's unit with its pilot and its damage."""
    rules = get_system(company.system)
    return rules.datasheet(
        rules.parse_spec(unit.spec),
        name=unit.name,
        design_name=unit.design_name,
        company=company.name,
        pilot=pilot_card(unit.pilot, counts_experience=rules.counts_experience) if unit.pilot else None,
        condition=unit.condition,
        service=ServiceCard(unit.games, unit.kills, unit.times_lost),
    )


# --- players ----------------------------------------------------------------------------------------------------------


def tokens_of(player: Player) -> QuerySet[AccessToken]:
    """The player's API tokens, newest first."""
    return AccessToken.objects.filter(user=player).order_by("-created")


# --- parts ------------------------------------------------------------------------------------------------------------


def _with_counts(rows: QuerySet[Company]) -> QuerySet[Company]:
    return rows.annotate(ready_units=Count("units", filter=Q(units__status=UnitStatus.READY)))


def _page(rows: QuerySet[Any], page: int | str, *, len_of: QuerySet[Any]) -> Page[Any]:
    paginator = Paginator(rows, PAGE_LENGTH)
    paginator.count = len_of.count()  # without what the rows are annotated with
    return paginator.get_page(page)


def _fact(entry: LedgerEntry) -> Fact:
    return Fact(
        id=entry.pk,
        kind=entry.kind,
        unit=entry.unit_id,
        pilot=entry.pilot_id,
        points=entry.points,
        facts=entry.facts,
        reverses=entry.reverses_id,
    )


def _unit_row(rules: RosterSystem[Any, Any], record: CompanyRecord, pk: int, held: Held) -> UnitRow:
    unit: UnitRecord = record.units[pk]
    spec = rules.parse_spec(unit.spec)
    check = rules.check_design(spec)
    sheet = rules.datasheet(spec, name=unit.name, design_name=unit.design_name, condition=unit.condition)
    damage = rules.repair_bill(spec, unit.condition)
    return UnitRow(
        id=pk,
        name=unit.name,
        design_name=unit.design_name,
        spec=unit.spec,
        status=unit.status,
        size=sheet.size,
        size_name=sheet.size_name,
        armor=sheet.armor,
        hits=sheet.hits,
        hits_left=sheet.hits_left,
        points=check.points,
        paid=unit.paid,
        sale=sale_price(unit.paid, unit.games),
        condition=unit.condition,
        damage=damage,
        repair=sum(line.points for line in damage),
        pilot=record.pilots.get(unit.pilot) if unit.pilot else None,
        needs_pilot=rules.needs_pilot(unit.spec),
        games=unit.games,
        kills=unit.kills,
        times_lost=unit.times_lost,
        problems=check.problems,
        state=sheet.state,
        resting=rules.condition_told(unit.condition) if rules.is_resting(unit.condition) else "",
        held=held["unit"].get(pk, ""),
    )


def _pilot_row(rules: RosterSystem[Any, Any], record: CompanyRecord, pk: int, held: Held) -> PilotRow:
    pilot = record.pilots[pk]
    seat = next((unit for unit in record.units.values() if unit.pilot == pk), None)
    return PilotRow(
        id=pk,
        name=pilot.name,
        callsign=pilot.callsign,
        status=pilot.status,
        level=pilot.experience,
        level_name=rules.level_names[pilot.experience],
        skills=pilot.skills,
        skill_names=tuple(rules.skill_names[skill] for skill in pilot.skills),
        kills=pilot.kills,
        games=pilot.games,
        wounds=pilot.wounds,
        points=pilot.points if rules.counts_experience else None,
        pending=pilot.pending,
        seat=Subject(seat.id, seat.name) if seat else None,
        held=held["pilot"].get(pk, ""),
    )


def _company_check(rules: RosterSystem[Any, Any], units: Sequence[UnitRow], record: CompanyRecord) -> Check:
    """Problems of the whole, whatever scenario it is played in."""
    members = [
        CompanyMember(
            unit.name,
            rules.parse_spec(unit.spec),
            PilotSpec(unit.pilot.experience, unit.pilot.skills) if unit.pilot else None,
        )
        for unit in units
    ]
    check = rules.check_company("", members)
    return replace(check, problems=tuple(problem for problem in check.problems if problem.place != "scenario"))


def _undo_offer(entries: Sequence[LedgerEntry], rows: Sequence[LedgerRow], held: Held) -> UndoOffer:
    standing = [row for row in rows if not row.is_reversed and not row.is_reversal]
    if not standing:
        return UndoOffer(act=None, rows=(), points=0, refusal=undo_refusal([]))
    act = standing[-1].act
    last = [entry for entry in entries if entry.act == act]
    undone = tuple(row for row in standing if row.act == act)
    refusal = undo_refusal(last)
    for row in undone if not refusal else ():
        reason = held["unit"].get(row.unit or 0) or held["pilot"].get(row.pilot or 0)
        if reason:
            refusal = f"The last act changed what is {reason}"
    return UndoOffer(act=act, rows=undone, points=-sum(row.points for row in undone), refusal=refusal)
