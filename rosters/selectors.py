"""Reads of companies: lists, and the current state of one company, with a fixed number of queries."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery, Sum

from rosters import hooks, policy
from rosters.database.queries import PreparedQuery
from rosters.documents.snapshots import pilot_card
from rosters.entries import kinds_that
from rosters.entries.units_and_pilots import sale_price
from rosters.hooks import HoldReasons, Reader
from rosters.ledger.projection import project_entries
from rosters.ledger.records import company_record, current_record
from rosters.models import (
    Company,
    LedgerEntry,
    Pilot,
    PilotStatus,
    Unit,
    UnitStatus,
)
from rosters.site.pagination import Keyset, KeysetList, Slice
from rosters.unit_cache import Reading, reading_of, seat_price
from systems import roster_rules
from systems.ledger import CompanyRecord, PilotRecord, PostedEntry, Subject, UnitRecord
from systems.legality import BillLine, Check, Problem
from systems.pilots import PilotIdentity, texts_of_pilot
from systems.roster import CompanyMember, PilotSpec, RosterSystem, ServiceCard

PAGE_LENGTH = 30
BY_NAME = Keyset("name", "pk")
GONE_PAGE_LENGTH = 20
ON_ROLL = (PilotStatus.ACTIVE, PilotStatus.WOUNDED)
PILOT_GONE = (PilotStatus.DEAD, PilotStatus.RETIRED)
UNIT_GONE = (UnitStatus.DESTROYED, UnitStatus.SOLD)
READY_UNITS = PreparedQuery(
    lambda company: Unit.objects.filter(company=company, status=UnitStatus.READY).values_list("pk"), company=int
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitRow:
    """A unit in a roster."""

    id: int
    name: str
    design_name: str
    spec: Mapping[str, object]
    status: str
    size: str
    size_name: str
    armor: int | None
    hits: int
    hits_left: int
    points: int
    paid: int
    sale: int
    condition: Mapping[str, object]
    damage: tuple[BillLine, ...]  # the cost of a repair, part by part
    repair: int
    pilot: PilotRecord | None
    needs_pilot: bool
    games: int
    kills: int
    times_lost: int
    recorded: Mapping[str, int]  # other numbers that its game records, by label
    problems: tuple[Problem, ...]
    state: tuple[tuple[str, str], ...]  # label and value of everything wrong with it besides lost hits
    resting: str  # why it isn't fielded by default, in a few words; empty if it is
    is_new: bool  # bought after the company's first game, and hasn't played
    hold_reason: str = ""  # why it can't be changed now, as a text that follows "It is"; empty if it can
    number: int = 0  # permanent number among all units that the company has ever bought
    loadout: str = ""  # what it carries, weapons first

    @property
    def is_unmanned(self) -> bool:
        """Whether it needs a pilot and has none."""
        return self.needs_pilot and self.pilot is None

    @property
    def is_ready(self) -> bool:
        return self.status == UnitStatus.READY


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotRow(PilotIdentity):
    """A pilot in a roster."""

    id: int
    status: str
    level: str
    level_name: str
    skills: tuple[str, ...]
    skill_names: tuple[str, ...]
    kills: int
    games: int
    wounds: int
    points: int | None  # experience; None if the game doesn't count it
    pending: tuple[str, ...]  # for each skill that was earned but not chosen yet: its default
    seat: Subject | None  # the pilot's unit
    recorded: Mapping[str, int]  # other numbers that the game records of pilots, by label
    hold_reason: str = ""  # as for a unit

    @property
    def is_on_roll(self) -> bool:
        return self.status in ON_ROLL


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanySheet:
    """The current state of a company, for page, print and API."""

    id: int
    name: str
    motto: str
    colour: str
    emblem: str  # its code; if empty, the emblem is derived from the name
    visibility: str
    link_key: uuid.UUID
    owner: str
    owner_id: int
    system: str
    system_name: str
    catalogue_release: str
    founded_at: datetime
    is_disbanded: bool
    balance: int
    money: str  # the currency of the balance
    granted: int
    won: int
    drawn: int
    lost_games: int
    season_points: int
    debt: int  # to the house
    value: int  # points of the ready units
    is_stuck: bool  # it needs a loan from the house
    units: tuple[UnitRow, ...]  # ready units
    pilots: tuple[PilotRow, ...]  # active and wounded pilots
    check: Check
    entries: int  # number of its ledger entries
    has_gone: bool  # whether it has lost or sold units, or has dead or retired pilots
    hold_reasons: HoldReasons
    kept: str  # why it can't be disbanded now; empty if it can

    def unit(self, pk: int) -> UnitRow | None:
        """Return the ready unit with that ID; None if there is none."""
        return next((unit for unit in self.units if unit.id == pk), None)

    def pilot(self, pk: int) -> PilotRow | None:
        """Return the active or wounded pilot with that ID; None if there is none."""
        return next((pilot for pilot in self.pilots if pilot.id == pk), None)

    def change_price(self, unit: UnitRow, pilot: PilotRow) -> int:
        """Return the cost of assigning the pilot to the unit; its former pilot moves to the pilot's old unit."""
        rules = roster_rules(self.system, self.catalogue_release)
        if unit.pilot is not None and unit.pilot.id == pilot.id:
            return 0
        left = self.unit(pilot.seat.id) if pilot.seat else None
        return seat_price(rules, unit, pilot.level) + (
            seat_price(rules, left, unit.pilot.experience) if left and unit.pilot else 0
        )

    @property
    def is_battle_ready(self) -> bool:
        """Return whether it has units, each has its pilot, and nothing breaks a rule."""
        return bool(self.units) and self.check.legal and not any(unit.is_unmanned for unit in self.units)

    @property
    def learners(self) -> tuple[PilotRow, ...]:
        """The active and wounded pilots who have a skill to choose."""
        return tuple(pilot for pilot in self.pilots if pilot.pending)

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost_games


def companies_visible_to(player: Reader) -> QuerySet[Company]:
    """Return the companies that the player sees in lists: their own and public ones."""
    return Company.objects.filter(policy.visible(player, "owner"), disbanded_at=None).select_related("owner")


def with_balance(rows: QuerySet[Company]) -> QuerySet[Company]:
    """Annotate the rows with their balance in points."""
    ledger = LedgerEntry.objects.filter(company=OuterRef("pk")).order_by().values("company")
    return rows.annotate(balance=Subquery(ledger.annotate(sum=Sum("points")).values("sum")))


def companies_to_buy_for(reader: Reader, system: str) -> QuerySet[Company]:
    """Return the reader's companies that could buy a design of that game, with their balances."""
    if not reader.is_authenticated:
        return Company.objects.none()
    rows = Company.objects.filter(owner=reader.pk, system=system, disbanded_at=None)
    return with_balance(rows).order_by("name", "pk")


def company_sheet(company: Company) -> CompanySheet:
    """Return the current state of the company: its units and pilots, and the totals of its ledger."""
    rules = roster_rules(company.system, company.catalogue_release)
    standing = current_record(company)
    record = standing.record
    holds = hooks.holds_on(company)
    reasons = hooks.hold_reasons(holds)
    ready = tuple(_unit_row(rules, record, pk, reasons) for (pk,) in READY_UNITS.rows(company=company.pk))
    crew = tuple(_pilot_row(rules, record, pk, reasons) for pk in sorted(record.pilots))
    return CompanySheet(
        id=company.pk,
        name=company.name,
        motto=company.motto,
        colour=company.colour,
        emblem=company.emblem,
        visibility=company.visibility,
        link_key=company.link_key,
        owner=str(company.owner),
        owner_id=company.owner_id,
        system=rules.slug,
        system_name=rules.name,
        catalogue_release=company.catalogue_release,
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
            [
                read.spec
                for read, unit in ((_reading(rules, unit), unit) for unit in ready)
                if not read.stays_home(unit.pilot)
            ],
            balance=record.balance,
            games=record.games,
        ),
        units=ready,
        pilots=crew,
        check=_company_check(rules, ready, record),
        entries=standing.entries,
        has_gone=standing.gone > 0,
        hold_reasons=reasons,
        kept=holds[0].company if holds else "",
    )


def unit_row(company: Company, pk: int) -> UnitRow:
    """Return a unit of the company, even if it has been sold or destroyed."""
    record = company_record(company)
    return _unit_row(
        roster_rules(company.system, company.catalogue_release), record, pk, hooks.hold_reasons(hooks.holds_on(company))
    )


def pilot_row(company: Company, pk: int) -> PilotRow:
    """Return a pilot of the company, even if dead or retired."""
    record = company_record(company)
    return _pilot_row(
        roster_rules(company.system, company.catalogue_release), record, pk, hooks.hold_reasons(hooks.holds_on(company))
    )


def unit_of(company: Company, sheet: CompanySheet, pk: int) -> UnitRow | None:
    """Return the unit with that ID, or None. Destroyed and sold units are calculated from their own ledger entries."""
    if found := sheet.unit(pk):
        return found
    if not company.units.filter(pk=pk, status__in=UNIT_GONE).exists():
        return None
    record = project_entries(_entries_about(company, unit=pk))
    return _unit_row(roster_rules(company.system, company.catalogue_release), record, pk, hooks.hold_reasons([]))


def pilot_of(company: Company, sheet: CompanySheet, pk: int) -> tuple[PilotRow, PilotRecord] | None:
    """Return the pilot with that ID and their record, or None. Gone pilots are calculated from their own entries."""
    if found := sheet.pilot(pk):
        return found, current_record(company).record.pilots[pk]
    if not company.pilots.filter(pk=pk, status__in=PILOT_GONE).exists():
        return None
    record = project_entries(_entries_about(company, pilot=pk))
    return _pilot_row(
        roster_rules(company.system, company.catalogue_release), record, pk, hooks.hold_reasons([])
    ), record.pilots[pk]


def _entries_about(company: Company, **whose: int) -> list[PostedEntry]:
    """Return the valid ledger entries about one unit or pilot only."""
    rows = company.ledger.filter(**whose, reverses=None, reversed_by=None)
    if "pilot" in whose:
        rows = rows.exclude(kind__in=kinds_that(lambda kind: kind.concerns == "unit"))
    else:
        rows = rows.filter(kind__in=kinds_that(lambda kind: kind.concerns in ("unit", "both")))
    return [
        PostedEntry(id=entry.pk, kind=entry.kind, points=entry.points, facts=entry.facts, **whose)
        for entry in rows.order_by("pk")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormerRoster:
    """Units and pilots that a company no longer has, newest first, a page of each."""

    units: Slice[Unit]
    pilots: Slice[Pilot]


def gone_of(company: Company, asked: Mapping[str, str]) -> FormerRoster:
    """Return the requested pages of destroyed and sold units, and of dead and retired pilots."""
    pk = company.pk
    return FormerRoster(
        units=UNITS_GONE.asked(asked, "units-", company=pk),
        pilots=PILOTS_GONE.asked(asked, "pilots-", company=pk),
    )


NEWEST = Keyset("-pk")
UNITS_GONE = KeysetList(
    lambda company: Unit.objects.filter(company=company, status__in=UNIT_GONE).defer("spec", "condition"),
    NEWEST,
    GONE_PAGE_LENGTH,
    company=int,
)
PILOTS_GONE = KeysetList(
    lambda company: Pilot.objects.filter(company=company, status__in=PILOT_GONE), NEWEST, GONE_PAGE_LENGTH, company=int
)


def unit_sheet(company: CompanySheet, unit: UnitRow) -> Any:
    """Return the data sheet of a company's unit with its pilot and damage."""
    rules = roster_rules(company.system, company.catalogue_release)
    return rules.datasheet(
        rules.parse_spec(unit.spec),
        name=unit.name,
        design_name=unit.design_name,
        company=company.name,
        pilot=pilot_card(unit.pilot, counts_experience=rules.counts_experience) if unit.pilot else None,
        condition=unit.condition,
        service=ServiceCard(unit.games, unit.kills, unit.times_lost),
    )


# --- parts ------------------------------------------------------------------------------------------------------------


def _unit_row(rules: RosterSystem[object, object], record: CompanyRecord, pk: int, reasons: HoldReasons) -> UnitRow:
    unit: UnitRecord = record.units[pk]
    read = reading_of(rules.slug, unit.spec, unit.condition, rules.catalogue_release)
    return UnitRow(
        id=pk,
        name=unit.name,
        design_name=unit.design_name,
        spec=unit.spec,
        status=unit.status,
        size=read.size,
        size_name=read.size_name,
        armor=read.armor,
        hits=read.hits,
        hits_left=read.hits_left,
        points=read.check.points,
        paid=unit.paid,
        sale=sale_price(unit.paid, unit.games),
        condition=unit.condition,
        damage=read.damage,
        repair=sum(line.points for line in read.damage),
        pilot=record.pilots.get(unit.pilot) if unit.pilot else None,
        needs_pilot=read.needs_pilot,
        games=unit.games,
        kills=unit.kills,
        times_lost=unit.times_lost,
        recorded=unit.recorded,
        problems=read.check.problems,
        state=read.state,
        resting=read.resting,
        is_new=unit.is_new,
        hold_reason=reasons["unit"].get(pk, ""),
        number=unit.number,
        loadout=read.loadout,
    )


def _reading(rules: RosterSystem[object, object], unit: UnitRow) -> Reading:
    return reading_of(rules.slug, unit.spec, unit.condition, rules.catalogue_release)


def _pilot_row(rules: RosterSystem[object, object], record: CompanyRecord, pk: int, reasons: HoldReasons) -> PilotRow:
    pilot = record.pilots[pk]
    seat = next((unit for unit in record.units.values() if unit.pilot == pk), None)
    return PilotRow(
        id=pk,
        **texts_of_pilot(pilot),
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
        recorded=pilot.recorded if rules.records_pilots else {},
        hold_reason=reasons["pilot"].get(pk, ""),
    )


def _company_check(rules: RosterSystem[object, object], units: Sequence[UnitRow], record: CompanyRecord) -> Check:
    """Return the problems of the whole company that don't depend on a scenario."""
    members = [
        CompanyMember(
            unit.name,
            _reading(rules, unit).spec,
            PilotSpec(unit.pilot.experience, unit.pilot.skills) if unit.pilot else None,
        )
        for unit in units
    ]
    check = rules.check_company("", members)
    return replace(check, problems=tuple(problem for problem in check.problems if problem.place != "scenario"))
