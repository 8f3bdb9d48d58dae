"""The company/1 document: a company with its ledger, for export and import. This module uses no database.

Units and pilots are included twice: in their current state, and in the ledger. A document in which the two differ is
refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

import pydantic

from rosters.ledger.projection import bill_of, describe_entry, plain, project_entries
from systems import roster_rules
from systems.documents import Document, DocumentError, NewName, SystemCondition, SystemSpec, parse_document
from systems.ledger import LedgerError, PilotRecord, PostedEntry, Subject, UnitRecord
from systems.reading import read_system

Key = Annotated[str, pydantic.Field(pattern=r"^[a-z]\d{1,6}$")]
Line = Annotated[str, pydantic.Field(max_length=120, pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$")]
Whole = Annotated[int, pydantic.Field(ge=-1_000_000, le=1_000_000)]

MAX_BYTES, MAX_VALUES = 8 * 1024 * 1024, 500_000  # limits of a document, enough for the longest ledger
ENTRIES_NAMED = ("place", "prices", "again")  # facts that contain the number of another entry
CALLED = {"design": "spec"}  # fields of units that have another name in the ledger


def _moment(text: str) -> str:
    if not text.endswith("+00:00"):
        raise ValueError("must be a time in UTC")
    try:
        if datetime.fromisoformat(text).isoformat() == text:
            return text
    except ValueError:
        pass
    raise ValueError("must be a time such as 2026-05-03T19:02:00+00:00")


Moment = Annotated[str, pydantic.Field(max_length=40), pydantic.AfterValidator(_moment)]


class PilotEntry(Document):
    key: Key
    name: NewName
    callsign: Annotated[str, pydantic.Field(max_length=30)] = ""
    status: Literal["active", "wounded", "dead", "retired", "undone"] = "active"
    experience: str
    skills: tuple[str, ...] = ()
    kills: Whole = 0
    games: Whole = 0


class UnitEntry(Document):
    key: Key
    name: NewName
    design_name: NewName
    design: SystemSpec
    pilot: Key | None = None
    condition: SystemCondition = {}
    status: Literal["ready", "destroyed", "sold", "undone"] = "ready"


class Entry(Document):
    act: Key
    kind: Annotated[str, pydantic.Field(max_length=20)]
    unit: Key | None = None
    pilot: Key | None = None
    points: Whole = 0
    facts: dict[str, object] = {}
    cause: Annotated[str, pydantic.Field(max_length=20)] = "act"
    cause_ref: Annotated[str, pydantic.Field(max_length=60)] = ""
    at: Moment
    reverses: Annotated[int, pydantic.Field(ge=0)] | None = None  # index of the reversed entry in this list


class CompanyDocument(Document):
    muster: Literal["company/1"]
    system: str
    release: Annotated[str, pydantic.Field(max_length=20)]
    name: NewName
    motto: Line = ""
    colour: Annotated[str, pydantic.Field(pattern=r"^#[0-9a-f]{6}$")] = "#8a2b1d"
    emblem: Annotated[str, pydantic.Field(pattern=r"^([0-9a-z]{5})?$")] = ""  # if empty, it is derived from the name
    visibility: Literal["private", "link", "public"] = "private"
    points: Whole
    pilots: Annotated[tuple[PilotEntry, ...], pydantic.Field(max_length=1000)] = ()
    units: Annotated[tuple[UnitEntry, ...], pydantic.Field(max_length=1000)] = ()
    ledger: Annotated[tuple[Entry, ...], pydantic.Field(max_length=10_000)]
    signature: Annotated[str, pydantic.Field(pattern=r"^[0-9A-Za-z_-]{20,100}$")] | None = None  # by the exporting site


def read_company(data: bytes | str | dict[str, object]) -> CompanyDocument:
    """Return the parsed document; DocumentError if a spec can't be read or if the ledger isn't consistent."""
    document = parse_document(CompanyDocument, data, most=MAX_BYTES, most_values=MAX_VALUES, is_new=True)
    rules = read_system(document.system, release=document.release)
    units = _keys("units", [unit.key for unit in document.units])
    pilots = _keys("pilots", [pilot.key for pilot in document.pilots])
    seats: dict[str, str] = {}
    for at, unit in enumerate(document.units):
        spec = rules.parse_spec(unit.design, f"units[{at}].design")
        rules.datasheet(spec, name=unit.name, design_name=unit.design_name, condition=unit.condition)
        _known(f"units[{at}].pilot", unit.pilot, pilots)
        if unit.pilot in seats:
            raise DocumentError(
                f"units[{at}].pilot",
                f"the pilot {unit.pilot!r} already pilots {seats[unit.pilot]!r}; a pilot can have only one unit",
            )
        if unit.pilot is not None:
            seats[unit.pilot] = unit.key
    for at, pilot in enumerate(document.pilots):
        rules.parse_pilot({"experience": pilot.experience, "skills": list(pilot.skills)}, f"pilots[{at}]")
    seen: set[int] = set()
    for at, entry in enumerate(document.ledger):
        _known(f"ledger[{at}].unit", entry.unit, units)
        _known(f"ledger[{at}].pilot", entry.pilot, pilots)
        if entry.reverses is not None:
            if entry.reverses >= at or entry.reverses in seen:
                raise DocumentError(f"ledger[{at}].reverses", "must be an earlier entry that isn't reversed yet")
            seen.add(entry.reverses)
        for name in filter(entry.facts.__contains__, ENTRIES_NAMED):
            named = entry.facts[name]
            if isinstance(named, bool) or not isinstance(named, int) or not 0 <= named < at:
                raise DocumentError(f"ledger[{at}].facts", f"{name} must be the place of an earlier entry")
    _prove(document, units, pilots)
    return document


def document_entries(document: CompanyDocument) -> list[PostedEntry]:
    """Return the document's ledger entries, for `project_entries`; IDs are indexes in the document's lists."""
    units = {unit.key: at for at, unit in enumerate(document.units)}
    pilots = {pilot.key: at for at, pilot in enumerate(document.pilots)}
    return [
        PostedEntry(
            id=at,
            kind=entry.kind,
            unit=units[entry.unit] if entry.unit else None,
            pilot=pilots[entry.pilot] if entry.pilot else None,
            points=entry.points,
            facts=entry.facts,
            reverses=entry.reverses,
        )
        for at, entry in enumerate(document.ledger)
    ]


def _prove(document: CompanyDocument, units: dict[str, int], pilots: dict[str, int]) -> None:
    try:
        record = project_entries(document_entries(document))
    except LedgerError as error:
        raise DocumentError("ledger", str(error)) from None
    for at, entry in enumerate(document.ledger):
        try:
            plain(describe_entry(entry.kind, entry.facts, Subject(0, ""), Subject(0, "")))
            bill_of(entry.facts)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise DocumentError(f"ledger[{at}].facts", "these facts don't fit this kind of entry") from None
    if record.is_disbanded:
        raise DocumentError("ledger", "this company is disbanded")
    for field in ("name", "motto", "colour", "emblem", "visibility"):
        if getattr(record, field) != getattr(document, field):
            raise DocumentError(field, "doesn't match the ledger")
    if record.release != document.release:
        raise DocumentError("release", f"doesn't match the ledger, which says {record.release}")
    if record.balance != document.points or record.balance < 0:
        raise DocumentError("points", f"doesn't match the ledger, which adds up to {record.balance}")
    skills = roster_rules(document.system).skill_names
    for career in record.pilots.values():
        if unknown := [skill for skill in career.pending if skill not in skills]:
            raise DocumentError("ledger", f"there is no skill {ascii(unknown[0][:60])} to earn")
    for at, unit in enumerate(document.units):
        expected = unit.model_dump(exclude={"key"}) | {"pilot": pilots[unit.pilot] if unit.pilot else None}
        _same(f"units[{at}]", record.units.get(at), expected)
    for at, pilot in enumerate(document.pilots):
        _same(f"pilots[{at}]", record.pilots.get(at), pilot.model_dump(exclude={"key"}))


def _same(path: str, ledger: UnitRecord | PilotRecord | None, expected: Mapping[str, object]) -> None:
    for field, value in expected.items():
        if ledger is None or getattr(ledger, CALLED.get(field, field)) != value:
            raise DocumentError(f"{path}.{field}", "doesn't match the ledger")


def _keys(path: str, keys: list[str]) -> dict[str, int]:
    places: dict[str, int] = {}
    for at, key in enumerate(keys):
        if key in places:
            raise DocumentError(f"{path}[{at}].key", f"{key} is used twice")
        places[key] = at
    return places


def _known(path: str, key: str | None, known: dict[str, int]) -> None:
    if key is not None and key not in known:
        raise DocumentError(path, f"there is no {key} in this document")
