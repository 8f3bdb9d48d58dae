"""Companies out of the database as company/1 documents, and back in."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Any

from django.db import transaction

from rosters.database.moments import one_moment
from rosters.documents.company import ENTRIES_NAMED, CompanyDocument
from rosters.ledger.records import company_record
from rosters.models import Company, LedgerEntry, Pilot, Player, Unit
from rosters.services import RefusedError
from rosters.services.companies import COMPANIES_MOST


@one_moment()
def company_document(company: Company) -> dict[str, Any]:
    """The company with its ledger; importing it gives a company that exports the same."""
    record = company_record(company)
    units = list(company.units.order_by("pk"))
    pilots = list(company.pilots.order_by("pk"))
    entries = list(company.ledger.order_by("pk"))
    unit_keys = {unit.pk: f"u{at}" for at, unit in enumerate(units, 1)}
    pilot_keys = {pilot.pk: f"p{at}" for at, pilot in enumerate(pilots, 1)}
    acts: dict[uuid.UUID, str] = {}
    places = {entry.pk: at for at, entry in enumerate(entries)}
    for entry in entries:
        acts.setdefault(entry.act, f"a{len(acts) + 1}")
    return {
        "muster": "company/1",
        "system": company.system,
        "release": company.catalogue_release,
        "name": company.name,
        "motto": company.motto,
        "colour": company.colour,
        "visibility": company.visibility,
        "points": record.balance,
        "pilots": [
            {
                "key": pilot_keys[pilot.pk],
                "name": pilot.name,
                "callsign": pilot.callsign,
                "status": pilot.status,
                "experience": record.pilots[pilot.pk].experience,
                "skills": list(record.pilots[pilot.pk].skills),
                "kills": record.pilots[pilot.pk].kills,
                "games": record.pilots[pilot.pk].games,
            }
            for pilot in pilots
        ],
        "units": [
            {
                "key": unit_keys[unit.pk],
                "name": unit.name,
                "design_name": unit.design_name,
                "design": unit.spec,
                "pilot": pilot_keys[unit.pilot_id] if unit.pilot_id else None,
                "condition": unit.condition,
                "status": unit.status,
            }
            for unit in units
        ],
        "ledger": [
            {
                "act": acts[entry.act],
                "kind": entry.kind,
                "unit": unit_keys[entry.unit_id] if entry.unit_id else None,
                "pilot": pilot_keys[entry.pilot_id] if entry.pilot_id else None,
                "points": entry.points,
                "facts": _facts_out(entry.facts, places),
                "cause": entry.cause,
                "cause_ref": entry.cause_ref,
                "at": entry.at.astimezone(UTC).isoformat(),
                "reverses": places[entry.reverses_id] if entry.reverses_id else None,
            }
            for entry in entries
        ],
    }


@transaction.atomic
def company_import(*, owner: Player, document: CompanyDocument) -> Company:
    """A company of that player, ledger and all."""
    if Company.objects.filter(owner=owner, disbanded_at=None).count() >= COMPANIES_MOST:
        raise RefusedError("owner", f"A player keeps {COMPANIES_MOST} companies at most.")
    company = Company.objects.create(
        owner=owner,
        system=document.system,
        name=document.name,
        motto=document.motto,
        colour=document.colour,
        visibility=document.visibility,
        catalogue_release=document.release,
    )
    pilots = {
        pilot.key: Pilot.objects.create(company=company, name=pilot.name, callsign=pilot.callsign, status=pilot.status)
        for pilot in document.pilots
    }
    units = {
        unit.key: Unit.objects.create(
            company=company,
            name=unit.name,
            design_name=unit.design_name,
            spec=unit.design,
            pilot=pilots[unit.pilot] if unit.pilot else None,
            condition=unit.condition,
            status=unit.status,
            position=at,
        )
        for at, unit in enumerate(document.units)
    }
    acts = {entry.act: uuid.uuid4() for entry in document.ledger}
    written: list[LedgerEntry] = []
    for entry in document.ledger:
        written.append(
            LedgerEntry.objects.create(
                company=company,
                act=acts[entry.act],
                kind=entry.kind,
                unit=units[entry.unit] if entry.unit else None,
                pilot=pilots[entry.pilot] if entry.pilot else None,
                points=entry.points,
                facts=_facts_in(entry.facts, written),
                cause=entry.cause,
                cause_ref=entry.cause_ref,
                by=owner,
                at=datetime.fromisoformat(entry.at),
                reverses=written[entry.reverses] if entry.reverses is not None else None,
            )
        )
    return company


def _facts_out(facts: dict[str, Any], places: dict[int, int]) -> dict[str, Any]:
    """Facts that name another entry name its place in the document."""
    return {**facts, **{name: places[facts[name]] for name in ENTRIES_NAMED if name in facts}}


def _facts_in(facts: dict[str, Any], written: list[LedgerEntry]) -> dict[str, Any]:
    return {**facts, **{name: written[facts[name]].pk for name in ENTRIES_NAMED if name in facts}}
