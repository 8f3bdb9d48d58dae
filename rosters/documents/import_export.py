"""Exports companies as signed company/1 documents, and imports them.

The signature proves to this site only that the document is unchanged, and whose company it was. Its key is Django's
secret key; fallback keys are accepted while they are configured. A document is signed only if this site wrote all of
the company's ledger.
"""

from __future__ import annotations

import hashlib
import unicodedata
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from django.core.signing import BadSignature, Signer
from django.db import transaction
from pydantic_core import to_json

from rosters.database.queries import PreparedQuery, columns
from rosters.database.transactions import read_snapshot
from rosters.documents.company import ENTRIES_NAMED, CompanyDocument, document_entries
from rosters.documents.origins import claims_of, games_here
from rosters.ledger.projection import project_entries
from rosters.ledger.records import current_record, posted_entry
from rosters.models import Company, CompanyOrigin, LedgerEntry, OriginKind, Pilot, Player, Unit
from rosters.services import RefusedError
from rosters.services.companies import MAX_COMPANIES
from systems.ledger import PilotRecord
from systems.pilots import texts_of_pilot
from systems.setups import canonical

SALT = "muster.company"


def can_vouch(company: Company) -> bool:
    """Return whether this site wrote all entries of the company's ledger."""
    origin = getattr(company, "origin", None)
    return origin is None or bool(origin.is_proven)


def signature_of(document: Mapping[str, object], owner: int) -> str:
    """Return the signature for a company/1 document of this player's company; an existing signature is ignored."""
    return Signer(salt=SALT).signature(_text(document, owner))


def is_signed_here(document: Mapping[str, object], owner: int) -> bool:
    """Return whether the document is unchanged and has this site's signature for this player."""
    try:
        Signer(salt=SALT).unsign(f"{_text(document, owner)}:{document.get('signature') or ''}")
    except BadSignature:
        return False
    return True


def _text(document: Mapping[str, object], owner: int) -> str:
    text = canonical({name: value for name, value in document.items() if name != "signature"})
    return hashlib.sha256(unicodedata.normalize("NFC", f"{owner} {text}").encode()).hexdigest()


class _Entry(NamedTuple):
    """The columns of a ledger entry that the document needs."""

    pk: int
    act: uuid.UUID
    kind: str
    unit: int | None
    pilot: int | None
    points: int
    facts: dict[str, object]
    cause: str
    cause_ref: str
    at: datetime
    reverses: int | None


class _Unit(NamedTuple):
    pk: int
    name: str
    design_name: str
    spec: object
    pilot: int | None
    condition: object
    status: str


class _Pilot(NamedTuple):
    pk: int
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Called:
    """The keys of units, pilots, entries and acts in the document, by their IDs."""

    units: Mapping[int | None, str | None]
    pilots: Mapping[int | None, str | None]
    places: Mapping[int, int]
    acts: dict[uuid.UUID, str] = field(default_factory=dict)  # those seen so far, in order


NOBODY: dict[int | None, str | None] = {None: None}
UNITS = PreparedQuery(
    lambda company: Unit.objects.filter(company=company).order_by("pk").values_list(*columns(_Unit)), _Unit, company=int
)
PILOTS = PreparedQuery(
    lambda company: Pilot.objects.filter(company=company).order_by("pk").values_list(*columns(_Pilot)),
    _Pilot,
    company=int,
)
ENTRIES = PreparedQuery(
    lambda company: (
        LedgerEntry.objects.filter(company=company).order_by("pk").values_list(*columns(_Entry, at="created_at"))
    ),
    _Entry,
    company=int,
)


def company_json(company: Company) -> bytes:
    """Return the signed document as file contents: UTF-8, indented by two spaces."""
    return to_json(company_signed(company), indent=2)


def company_signed(company: Company) -> dict[str, object]:
    """Return the document, signed if this site wrote all of the ledger."""
    document = company_document(company)
    return {**document, "signature": signature_of(document, company.owner_id)} if can_vouch(company) else document


@read_snapshot()
def company_document(company: Company) -> dict[str, object]:
    """Return the unsigned document. Importing it gives a company whose export is the same."""
    entries = ENTRIES.rows(company=company.pk)
    units, pilots = UNITS.rows(company=company.pk), PILOTS.rows(company=company.pk)
    record = current_record(company).record
    if any(pilot.pk not in record.pilots for pilot in pilots):  # the current record lacks pilots who are gone
        record = project_entries(
            posted_entry(entry.pk, entry.kind, entry.unit, entry.pilot, entry.points, entry.facts, entry.reverses)
            for entry in entries
        )
    called = _Called(
        units=NOBODY | {unit.pk: f"u{at}" for at, unit in enumerate(units, 1)},
        pilots=NOBODY | {pilot.pk: f"p{at}" for at, pilot in enumerate(pilots, 1)},
        places={entry.pk: at for at, entry in enumerate(entries)},
    )
    return {
        "muster": "company/1",
        "system": company.system,
        "release": company.catalogue_release,
        "name": company.name,
        "motto": company.motto,
        "colour": company.colour,
        "emblem": company.emblem,
        "visibility": company.visibility,
        "points": record.balance,
        "pilots": [_pilot(pilot, record.pilots[pilot.pk], called) for pilot in pilots],
        "units": [_unit(unit, called) for unit in units],
        "ledger": [_entry(entry, called) for entry in entries],
    }


def _pilot(pilot: _Pilot, record: PilotRecord, called: _Called) -> dict[str, object]:
    return {
        "key": called.pilots[pilot.pk],
        **texts_of_pilot(record),
        "status": pilot.status,
        "experience": record.experience,
        "skills": list(record.skills),
        "kills": record.kills,
        "games": record.games,
    }


def _unit(unit: _Unit, called: _Called) -> dict[str, object]:
    return {
        "key": called.units[unit.pk],
        "name": unit.name,
        "design_name": unit.design_name,
        "design": unit.spec,
        "pilot": called.pilots[unit.pilot],
        "condition": unit.condition,
        "status": unit.status,
    }


def _entry(entry: _Entry, called: _Called) -> dict[str, object]:
    return {
        "act": called.acts.setdefault(entry.act, f"a{len(called.acts) + 1}"),
        "kind": entry.kind,
        "unit": called.units[entry.unit],
        "pilot": called.pilots[entry.pilot],
        "points": entry.points,
        "facts": _renumbered(entry.facts, called.places),
        "cause": entry.cause,
        "cause_ref": entry.cause_ref,
        "at": entry.at.astimezone(UTC).isoformat(),
        "reverses": called.places[entry.reverses] if entry.reverses else None,
    }


@transaction.atomic
def company_import(*, owner: Player, document: CompanyDocument, by: Player | None = None) -> Company:
    """Import a company with its ledger for a player, and note its origin; `by` is None for the operator."""
    if Company.objects.filter(owner=owner, disbanded_at=None).count() >= MAX_COMPANIES:
        raise RefusedError("owner", f"A player can have {MAX_COMPANIES} companies at most. Disband one first.")
    company = Company.objects.create(
        owner=owner,
        system=document.system,
        name=document.name,
        motto=document.motto,
        colour=document.colour,
        emblem=document.emblem,
        visibility=document.visibility,
        catalogue_release=document.release,
    )
    pilots = {
        pilot.key: Pilot.objects.create(company=company, **texts_of_pilot(pilot), status=pilot.status)
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
    numbers: dict[int, int] = {}  # by index
    for at, entry in enumerate(document.ledger):
        written.append(
            LedgerEntry.objects.create(
                company=company,
                act=acts[entry.act],
                kind=entry.kind,
                unit=units[entry.unit] if entry.unit else None,
                pilot=pilots[entry.pilot] if entry.pilot else None,
                points=entry.points,
                facts=_renumbered(entry.facts, numbers),
                cause=entry.cause,
                cause_ref=entry.cause_ref,
                created_by=owner,
                created_at=datetime.fromisoformat(entry.at),
                reverses=written[entry.reverses] if entry.reverses is not None else None,
            )
        )
        numbers[at] = written[at].pk
    origin_note(
        company=company,
        by=by,
        document=document,
        last_entry=written[-1].pk,
        units=[units[unit.key].pk for unit in document.units],
    )
    return company


def origin_note(
    *, company: Company, by: Player | None, document: CompanyDocument, last_entry: int, units: Sequence[int]
) -> CompanyOrigin:
    """Store the claims of an imported company, and whether this site had signed them.

    `units` are the unit IDs in the order of the document. The caller opens the transaction.
    """
    is_signed = is_signed_here(document.model_dump(mode="json", exclude_unset=True), company.owner_id)
    claims = claims_of(project_entries(document_entries(document)), units=dict(enumerate(units)))
    if not is_signed:
        claims["games_known"], claims["games_otherwise"] = games_here(document, company.pk)
    return CompanyOrigin.objects.create(
        company=company,
        kind=OriginKind.SIGNED if is_signed else OriginKind.UNSIGNED,
        imported_by=by,
        stood_at=datetime.fromisoformat(document.ledger[-1].at) if is_signed else None,
        last_entry=last_entry,
        claims=claims,
    )


def _renumbered(facts: Mapping[str, object], numbers: Mapping[int, int]) -> Mapping[str, object]:
    """Return the facts with the numbers of other entries replaced."""
    if facts.keys().isdisjoint(ENTRIES_NAMED):
        return facts
    named = {name: numbers[at] for name in ENTRIES_NAMED if isinstance(at := facts.get(name), int)}
    return {**facts, **named}
