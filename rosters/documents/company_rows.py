"""Companies out of the database as company/1 documents, and back in."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db import transaction
from pydantic_core import to_json

from rosters.database.moments import one_moment
from rosters.documents.company import ENTRIES_NAMED, CompanyDocument
from rosters.ledger.fold import fold
from rosters.models import Company, LedgerEntry, Pilot, Player, Unit
from rosters.services import RefusedError
from rosters.services.companies import COMPANIES_MOST
from rosters.site.compiled import Compiled
from systems.ledger import Fact


class _Entry(NamedTuple):
    """An entry of the ledger as it is written into the document."""

    pk: int
    act: uuid.UUID
    kind: str
    unit: int | None
    pilot: int | None
    points: int
    facts: dict[str, Any]
    cause: str
    cause_ref: str
    at: datetime
    reverses: int | None


UNITS = Compiled(
    lambda company: (
        Unit.objects.filter(company=company)
        .order_by("pk")
        .values_list("pk", "name", "design_name", "spec", "pilot", "condition", "status")
    ),
    company=int,
)
PILOTS = Compiled(
    lambda company: (
        Pilot.objects.filter(company=company).order_by("pk").values_list("pk", "name", "callsign", "status")
    ),
    company=int,
)
ENTRIES = Compiled(
    lambda company: LedgerEntry.objects.filter(company=company).order_by("pk").values_list(*_Entry._fields),
    _Entry,
    company=int,
)


def company_json(company: Company) -> bytes:
    """The document as it is kept in a file: UTF-8, two spaces for each level."""
    return to_json(company_document(company), indent=2)


@one_moment()
def company_document(company: Company) -> dict[str, Any]:
    """The company with its ledger; importing it gives a company that exports the same."""
    entries = ENTRIES.rows(company=company.pk)
    record = fold(
        Fact(
            id=entry.pk,
            kind=entry.kind,
            unit=entry.unit,
            pilot=entry.pilot,
            points=entry.points,
            facts=entry.facts,
            reverses=entry.reverses,
        )
        for entry in entries
    )
    units, pilots = UNITS.rows(company=company.pk), PILOTS.rows(company=company.pk)
    unit_keys = {pk: f"u{at}" for at, (pk, *_) in enumerate(units, 1)}
    pilot_keys = {pk: f"p{at}" for at, (pk, *_) in enumerate(pilots, 1)}
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
                "key": pilot_keys[pk],
                "name": name,
                "callsign": callsign,
                "status": status,
                "experience": record.pilots[pk].experience,
                "skills": list(record.pilots[pk].skills),
                "kills": record.pilots[pk].kills,
                "games": record.pilots[pk].games,
            }
            for pk, name, callsign, status in pilots
        ],
        "units": [
            {
                "key": unit_keys[pk],
                "name": name,
                "design_name": design_name,
                "design": spec,
                "pilot": pilot_keys[pilot] if pilot else None,
                "condition": condition,
                "status": status,
            }
            for pk, name, design_name, spec, pilot, condition, status in units
        ],
        "ledger": [
            {
                "act": acts[entry.act],
                "kind": entry.kind,
                "unit": unit_keys[entry.unit] if entry.unit else None,
                "pilot": pilot_keys[entry.pilot] if entry.pilot else None,
                "points": entry.points,
                "facts": _facts_out(entry.facts, places),
                "cause": entry.cause,
                "cause_ref": entry.cause_ref,
                "at": entry.at.astimezone(UTC).isoformat(),
                "reverses": places[entry.reverses] if entry.reverses else None,
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
