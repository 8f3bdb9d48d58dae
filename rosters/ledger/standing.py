"""Cache of company records: the record calculated from the ledger, updated with the entries written since.

A ledger only grows, so the record after an entry stays valid for ever. A cached record names that entry and its act; it
is used only while the ledger still has both, and only if no newer entry changes anything before it. Otherwise the whole
ledger is read. Units and pilots that are gone are left out, so the cached record stays small however much was bought
and sold.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.core.cache import caches

from rosters.database.columns import columns
from rosters.ledger.fold import project_entries, extends_projection
from rosters.ledger.records import fact_of
from rosters.models import Company, LedgerEntry
from rosters.site.compiled import PreparedQuery
from systems.ledger import ACTIVE, READY, WOUNDED, CompanyRecord, Fact, LedgerError

MIN_CACHED_ENTRIES = 50  # entries; a shorter ledger is calculated as fast
CACHE_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedRecord:
    """The company after its last entry; `record` has its current units and pilots, none that are gone."""

    entries: int
    last: int
    act: uuid.UUID
    record: CompanyRecord
    gone: int  # number of units and pilots left out


def current_record(company: Company) -> CachedRecord:
    """Return the company's current record; one query, for the entries since the last call."""
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
        return _build_record(further, kept) if extends_projection([fact for fact, _ in further], kept.last) else None
    except LedgerError:  # a newer entry concerns a unit or pilot that is gone
        return None


def _build_record(entries: Sequence[tuple[Fact, uuid.UUID]], since: CachedRecord | None = None) -> CachedRecord:
    record = project_entries([fact for fact, _ in entries], since.record if since else None)
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


# The entries from a given one on, oldest first, each with its act.
ENTRIES: PreparedQuery[tuple[Fact, uuid.UUID]] = PreparedQuery(
    lambda company, since: (
        LedgerEntry.objects.filter(company=company, pk__gte=since).order_by("pk").values_list("act", *columns(fact_of))
    ),
    lambda act, *fact: (fact_of(*fact), act),
    company=int,
    since=int,
)
