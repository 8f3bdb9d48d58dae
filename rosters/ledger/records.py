"""Records of companies, calculated from their ledgers, cached, and compared with stored rows.

A ledger only grows, so the record after a given entry never changes. A cached record names its last entry and act. It
is used only if the ledger still has both, and if no newer entry changes anything before it; otherwise the whole ledger
is read. Units and pilots that are gone are left out, so the cached record stays small even after a lot of trading. Apps
above add their own checks (`hooks.differences`); `manage.py reconcile` runs all of them.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from django.core.cache import caches
from django.db.models import Model, Sum
from django.utils import timezone

from rosters.database.queries import PreparedQuery, columns
from rosters.entries.company import Founded
from rosters.ledger.projection import extends_projection, project_entries
from rosters.models import Company, LedgerEntry
from systems.ledger import ACTIVE, READY, WOUNDED, CompanyRecord, LedgerError, PostedEntry
from systems.pilots import texts_of_pilot

# Causes of entries: a player's act, a ruling on an earlier match, a ruling on the company itself, and income from the
# territories of a campaign.
ACT, RULING, ADJUSTMENT, TERRITORIES = "act", "ruling", "adjustment", "territories"
RELEASE = "release"  # the campaign changed to another catalogue version


def adjustment_ref(campaign: int, ruling: int) -> str:
    """Return the cause reference of entries from a ruling on a company."""
    return f"{adjustments_of(campaign)}{ruling}"


def adjustments_of(campaign: int) -> str:
    """Return the prefix that all cause references of a campaign's rulings have."""
    return f"{campaign}/"


def adjustment_of(ref: str) -> tuple[int, int] | None:
    """Return the campaign and the number of the ruling with this cause reference; None for other references."""
    campaign, _, ruling = ref.partition("/")
    if not all(part.isascii() and part.isdigit() and len(part) < 19 for part in (campaign, ruling)):
        return None
    return int(campaign), int(ruling)


def company_balance(company: Company) -> int:
    """Return the company's balance in points: the sum of its ledger."""
    total: int | None = company.ledger.aggregate(total=Sum("points"))["total"]
    return total or 0


def company_entries(company: Company) -> list[PostedEntry]:
    """Return the company's ledger, for `project_entries`."""
    return [posted_entry(*row) for row in company.ledger.order_by("pk").values_list(*columns(posted_entry))]


def posted_entry(
    pk: int, kind: str, unit: int | None, pilot: int | None, points: int, facts: dict[str, object], reverses: int | None
) -> PostedEntry:
    """Return a row of the ledger as an entry for `project_entries`."""
    return PostedEntry(id=pk, kind=kind, unit=unit, pilot=pilot, points=points, facts=facts, reverses=reverses)


def company_record(company: Company) -> CompanyRecord:
    """Return the company's record, calculated from its ledger."""
    return project_entries(company_entries(company))


def company_records(companies: Iterable[Company]) -> dict[int, CompanyRecord]:
    """Return the records of these companies by ID; one query."""
    ledgers: dict[int, list[PostedEntry]] = {company.pk: [] for company in companies}
    rows = LedgerEntry.objects.filter(company__in=list(ledgers)).order_by("pk")
    for owner, *row in rows.values_list("company", *columns(posted_entry)):
        ledgers[owner].append(posted_entry(*row))
    return {pk: project_entries(entries) for pk, entries in ledgers.items()}


def last_act(company: Company) -> list[LedgerEntry]:
    """Return the entries of the newest act that isn't reversed, oldest first; empty if there is none."""
    standing = company.ledger.filter(reverses=None, reversed_by=None)
    newest = standing.order_by("-pk").first()
    if newest is None:
        return []
    return list(standing.filter(act=newest.act).select_related("unit", "pilot", "created_by").order_by("pk"))


class Caused(Protocol):
    """The fields of an entry that are checked before an undo."""

    @property
    def kind(self) -> str: ...
    @property
    def cause(self) -> str: ...


def undo_refusal(entries: Sequence[Caused]) -> str:
    """Return why the player can't undo the last act; empty if they can."""
    if not entries or entries[0].kind == Founded.slug:
        return "Nothing to undo."
    if entries[0].cause == RULING:
        return "An arbiter has ruled on an earlier match since, so earlier changes can't be undone."
    if entries[0].cause == ADJUSTMENT:
        return "A ruling has adjusted this company since, so earlier changes can't be undone."
    if entries[0].cause == TERRITORIES:
        return "A round has closed and territories have paid since, so earlier changes can't be undone."
    if entries[0].cause == RELEASE:
        return "The campaign has switched catalogue version since, so earlier changes can't be undone."
    if entries[0].cause != ACT:
        return "The company has played a game since, so earlier changes can't be undone."
    return ""


def company_fields(company: Company, record: CompanyRecord) -> dict[str, object]:
    """Return the values that the company's row should have."""
    disbanded: datetime | None = (company.disbanded_at or timezone.now()) if record.is_disbanded else None
    return {
        "name": record.name,
        "motto": record.motto,
        "colour": record.colour,
        "emblem": record.emblem,
        "visibility": record.visibility,
        "catalogue_release": record.release,
        "disbanded_at": disbanded,
    }


def unit_fields(record: CompanyRecord, pk: int) -> dict[str, object]:
    """Return the values that the unit's row should have."""
    unit = record.units[pk]
    return {
        "name": unit.name,
        "design_name": unit.design_name,
        "spec": unit.spec,
        "pilot_id": unit.pilot,
        "condition": unit.condition,
        "status": unit.status,
    }


def pilot_fields(record: CompanyRecord, pk: int) -> dict[str, object]:
    """Return the values that the pilot's row should have."""
    pilot = record.pilots[pk]
    return {**texts_of_pilot(pilot), "status": pilot.status}


def differing(row: Model, wanted: Mapping[str, object]) -> dict[str, object]:
    """Return the row's values of the fields that differ from the wanted values."""
    return {name: found for name, value in wanted.items() if (found := getattr(row, name)) != value}


MIN_CACHED_ENTRIES = 50  # a shorter ledger can be calculated as fast
CACHE_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedRecord:
    """A company's record after its last entry, without units and pilots that are gone."""

    entries: int
    last: int
    act: uuid.UUID
    record: CompanyRecord
    gone: int  # number of units and pilots that are left out


def current_record(company: Company) -> CachedRecord:
    """Return the company's current record; one query for the entries since the last call."""
    cache, key = caches["process"], f"standing-2-{company.pk}"
    kept: CachedRecord | None = cache.get(key)
    now = _since(kept, company) if kept else None
    if now is None:
        now = _build_record(ENTRIES.rows(company=company.pk, since=0))
    if now is not kept and now.entries >= MIN_CACHED_ENTRIES:
        cache.set(key, now, CACHE_SECONDS)
    return now


def _since(kept: CachedRecord, company: Company) -> CachedRecord | None:
    """Return the cached record with newer entries applied; None if that isn't possible."""
    entries = ENTRIES.rows(company=company.pk, since=kept.last)
    if not entries or (entries[0][0].id, entries[0][1]) != (kept.last, kept.act):
        return None
    further = entries[1:]
    if not further:
        return kept
    try:
        return _build_record(further, kept) if extends_projection([entry for entry, _ in further], kept.last) else None
    except LedgerError:  # a newer entry concerns a unit or pilot that is gone
        return None


def _build_record(entries: Sequence[tuple[PostedEntry, uuid.UUID]], since: CachedRecord | None = None) -> CachedRecord:
    record = project_entries([entry for entry, _ in entries], since.record if since else None)
    last, act = (entries[-1][0].id, entries[-1][1]) if entries else (0, uuid.UUID(int=0))
    units = {pk: unit for pk, unit in record.units.items() if unit.status == READY}
    pilots = {pk: pilot for pk, pilot in record.pilots.items() if pilot.status in (ACTIVE, WOUNDED)}
    gone = len(record.units) + len(record.pilots) - len(units) - len(pilots)
    return CachedRecord(
        entries=len(entries) + (since.entries if since else 0),
        last=last,
        act=act,
        record=replace(record, units=units, pilots=pilots),
        gone=gone + (since.gone if since else 0),
    )


# A company's entries from `since` on, oldest first, each with its act.
ENTRIES: PreparedQuery[tuple[PostedEntry, uuid.UUID]] = PreparedQuery(
    lambda company, since: (
        LedgerEntry.objects.filter(company=company, pk__gte=since)
        .order_by("pk")
        .values_list("act", *columns(posted_entry))
    ),
    lambda act, *row: (posted_entry(*row), act),
    company=int,
    since=int,
)


def differences(company: Company) -> Iterator[str]:
    """Yield a sentence for each difference between the company's rows and its ledger."""
    try:
        record = company_record(company)
    except LedgerError as error:
        yield f"its ledger can't be added up: {error}"
        return
    yield from differences_from(company, record)


def differences_from(company: Company, record: CompanyRecord) -> Iterator[str]:
    """Yield a sentence for each difference between the company's rows and its calculated record."""
    yield from _describe_differences("", company, company_fields(company, record))
    if record.balance < 0:
        yield f"its balance is {record.balance}"
    for unit in company.units.all():
        who = f"unit {unit.pk} ({unit.name})"
        if unit.pk in record.units:
            yield from _describe_differences(f"{who}: ", unit, unit_fields(record, unit.pk))
        else:
            yield f"{who} was never bought"
    for pilot in company.pilots.all():
        who = f"pilot {pilot.pk} ({pilot.name})"
        if pilot.pk in record.pilots:
            yield from _describe_differences(f"{who}: ", pilot, pilot_fields(record, pilot.pk))
        else:
            yield f"{who} was never hired"


def _describe_differences(who: str, row: Model, wanted: Mapping[str, object]) -> Iterator[str]:
    for field, value in differing(row, wanted).items():
        yield f"{who}{field} is {value!r}, the ledger says {wanted[field]!r}"
