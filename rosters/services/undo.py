"""Undo the last act of a company: write entries that reverse it, and update the rows to match the ledger."""

from __future__ import annotations

import uuid

from django.db import transaction

from rosters import hooks
from rosters.entries.company import ReleaseAdopted, Reversed
from rosters.ledger.projection import describe_entry, plain
from rosters.ledger.records import (
    company_fields,
    company_record,
    differing,
    last_act,
    pilot_fields,
    undo_refusal,
    unit_fields,
)
from rosters.models import Company, LedgerEntry, Pilot, Player, Unit
from rosters.services.base import Act, company_lock, rules_of
from rosters.site.exceptions import RefusedError, StaleEditError
from systems.ledger import CompanyRecord, Subject

MAX_QUOTED_ENTRIES = 3  # maximal number of entries of an act that an error quotes


@transaction.atomic
def undo_last_act(*, company: Company, by: Player, act: uuid.UUID | None = None) -> list[LedgerEntry]:
    """Undo the last act and return the reversed entries. StaleEditError if `act` is given and is not the last.

    Requests from pages and the API name the act that the user saw, so of several simultaneous requests only one
    succeeds.
    """
    locked = company_lock(company, even_disbanded=True)
    entries = last_act(locked)
    reason = undo_refusal(entries)
    if act is not None and (not entries or entries[0].act != act):
        raise StaleEditError(
            "act", f"That is not the last act any more. {reason or _describe_last_act(locked, entries)}"
        )
    if reason:
        raise RefusedError("act", reason)
    if any(entry.kind == ReleaseAdopted.slug for entry in entries) and (kept := hooks.release_kept(locked)):
        raise RefusedError("act", kept)
    before = sum(reserve.points for reserve in hooks.reserves_on(locked))
    reverse_act(locked, entries[0].act, by)
    reserves = hooks.reserves_on(locked)
    if sum(reserve.points for reserve in reserves) > before:
        raise RefusedError("points", f"This can't be taken back any more. {reserves[0].reason}")
    return entries


def _describe_last_act(company: Company, entries: list[LedgerEntry]) -> str:
    """Return a sentence about the current last act, with its key."""
    words = rules_of(company).words
    sentences = [
        plain(describe_entry(row.kind, row.facts, _subject(row.unit), _subject(row.pilot), words)) for row in entries
    ]
    more = f" and {len(sentences) - MAX_QUOTED_ENTRIES} more" if len(sentences) > MAX_QUOTED_ENTRIES else ""
    return f"The last one now is {entries[0].act}: {'; '.join(sentences[:MAX_QUOTED_ENTRIES])}{more}."


def _subject(row: Unit | Pilot | None) -> Subject | None:
    return Subject(row.pk, row.name) if row else None


def reverse_act(company: Company, act: uuid.UUID, by: Player) -> None:
    """Reverse the last act of a locked company. RefusedError if `act` is not the last, or its points are spent."""
    entries = last_act(company)
    if not entries or entries[0].act != act:
        raise RefusedError("act", "Something else was written since; that would have to be undone first.")
    writer = Act(company, by, cause="undo")
    for entry in reversed(entries):
        writer.write(
            Reversed,
            unit=entry.unit,
            pilot=entry.pilot,
            points=-entry.points,
            facts={"kind": entry.kind},
            reverses=entry,
        )
    record = company_record(company)
    if record.balance < 0:
        raise RefusedError("points", "The points that this act brought are spent.")
    restore(company, record)


def restore(company: Company, record: CompanyRecord) -> None:
    """Update the rows of the company, its units and its pilots to match the ledger."""
    for field, value in company_fields(company, record).items():
        setattr(company, field, value)
    company.save()
    units = list(Unit.objects.filter(company=company))
    changed = [unit for unit in units if differing(unit, unit_fields(record, unit.pk))]
    Unit.objects.filter(pk__in=[unit.pk for unit in changed]).update(pilot=None)
    for unit in changed:
        for field, value in unit_fields(record, unit.pk).items():
            setattr(unit, field, value)
        unit.save()
    for pilot in Pilot.objects.filter(company=company):
        wanted = pilot_fields(record, pilot.pk)
        if differing(pilot, wanted):
            for field, value in wanted.items():
                setattr(pilot, field, value)
            pilot.save()
