"""A pilot's name and callsign are two fields on the way to paper; documents of older versions have one text for both."""

from __future__ import annotations

from typing import Any

import pytest

from rosters.models import Company
from rosters.paper.documents import PilotDocument, UnitDocument, pilot_changes, read_pilot, sheet_of
from rosters.paper.sources import pilot_document
from rosters.products import PRODUCTS, UnitItem
from rosters.products.base import fingerprint_of
from rosters.products.cards import PilotItem
from rosters.selectors import company_sheet, unit_sheet
from rosters.services import pilot_edit
from systems import PAPER, roster_rules
from systems.documents import parse_document
from systems.paper.blocks import CardFace, Entries
from tests.builders import a_company, a_pilot, a_unit
from tests.rosters.paper.units import published_of

GAMES = [slug for slug in PAPER if roster_rules(slug).hire_points]
NAMES = [("Ana Torv", "Ace"), ("Ana Torv", ""), ("The “Kid”", ""), ("The “Kid”", "Ace"), ("Ana", "Boom “X” Boom")]


def front_of(system: str, pilot: PilotDocument) -> CardFace:
    return PAPER[system].pilot_card(read_pilot(system, pilot)).front


def callsigns(front: CardFace) -> list[str]:
    return [block.note for block in front.blocks if isinstance(block, Entries) and block.title == "Callsign"]


def as_stored(pilot: PilotDocument) -> PilotDocument:
    """Return the document as a worker reads it from a print job."""
    return parse_document(PilotDocument, pilot.model_dump(mode="json"))


def older(name: str, callsign: str) -> dict[str, Any]:
    """Return the pilot as versions before callsigns were a field wrote it."""
    return {"name": f"{name} “{callsign}”" if callsign else name, "kills": 2}


def test_four_games_have_pilots_on_paper():
    assert set(GAMES) == {"meks-and-mercs", "mech-campaign", "mechastellar", "hex-core"}


@pytest.mark.django_db
@pytest.mark.parametrize("system", GAMES)
@pytest.mark.parametrize(("name", "callsign"), NAMES)
@pytest.mark.each_value
def test_card_shows_the_name_and_callsign_that_were_given(system: str, name: str, callsign: str):
    company: Company = a_company(system=system)
    pilot = a_pilot(company)
    pilot_edit(company=company, by=company.owner, pilot=pilot, name=name, callsign=callsign)
    (row,) = company_sheet(company).pilots
    front = front_of(system, as_stored(pilot_document(row)))
    assert front.title == name
    assert callsigns(front) == ([callsign] if callsign else [])


@pytest.mark.parametrize("system", GAMES)
def test_older_document_prints_callsign_separately(system: str):
    front = front_of(system, parse_document(PilotDocument, older("Ana Torv", "Ace")))
    assert (front.title, callsigns(front)) == ("Ana Torv", ["Ace"])


@pytest.mark.parametrize(("name", "callsign"), [("Ana Torv", "Ace"), ("Ana Torv", ""), ("Ana", "Boom “X” Boom")])
def test_older_document_is_read_as_a_new_one(name: str, callsign: str):
    found = parse_document(PilotDocument, older(name, callsign))
    assert found == PilotDocument(name=name, callsign=callsign, kills=2)
    assert as_stored(found) == found
    item = parse_document(PilotItem, {"what": "free-pilot-card", "system": GAMES[0], "pilot": older(name, callsign)})
    assert item.pilot == found


def test_longest_older_name_is_read_and_stored():
    found = parse_document(PilotDocument, {"name": f"A “{'W' * 96}”"})
    assert as_stored(found) == found == PilotDocument(name="A", callsign="W" * 96)


@pytest.mark.parametrize("system", GAMES)
def test_sheet_shows_name_with_callsign(system: str):
    (document, *_) = published_of(system)
    unit = {**document, "pilot": {"name": "Ana Torv", "callsign": "Ace"}}
    line = PAPER[system].roster_line(sheet_of(parse_document(UnitDocument, unit)))
    assert line.pilot is not None
    assert line.pilot.name == "Ana Torv “Ace”"
    free = PAPER[system].roster_pilot(read_pilot(system, PilotDocument(name="Ana Torv", callsign="Ace")))
    assert free.name == "Ana Torv “Ace”"


@pytest.mark.django_db
def test_surname_on_the_pocket_card_is_of_the_name_alone():
    company = a_company(system="mech-campaign")
    unit = a_unit(company, "track")
    pilot = a_pilot(company, "Kim “Kid” Ito", callsign="Boom Boom", unit=unit)
    sheet = company_sheet(company)
    assert pilot.pk == sheet.units[0].pilot.id  # type: ignore[union-attr]
    assert unit_sheet(sheet, sheet.units[0]).card.pilot.startswith("Ito (")


# --- prints of older versions -------------------------------------------------------------------------------------------


def items_of(name: str, callsign: str) -> tuple[UnitItem, PilotItem]:
    pilot = PilotDocument(name=name, callsign=callsign, kills=2)
    (document, *_) = published_of("hex-core")
    unit = parse_document(UnitDocument, document).model_copy(update={"pilot": pilot})
    return UnitItem(what="unit-card", unit=unit), PilotItem(what="free-pilot-card", system="hex-core", pilot=pilot)


def older_fingerprint(item: UnitItem | PilotItem, pilot: dict[str, Any]) -> str:
    facts = PRODUCTS[item.what].facts(item)
    fields = {"name": "", "experience": "", "skills": [], "kills": 0, "games": 0, "points": None, **pilot}
    unit = facts.get("unit")
    return fingerprint_of(
        {**facts, "unit": {**unit, "pilot": fields}} if isinstance(unit, dict) else facts | {"pilot": fields}
    )


@pytest.mark.parametrize(("name", "callsign"), [("Ana Torv", "Ace"), ("Ana Torv", "")])
def test_older_print_of_the_same_names_is_up_to_date(name: str, callsign: str):
    for item in items_of(name, callsign):
        assert PRODUCTS[item.what].is_as_printed(item, older_fingerprint(item, older(name, callsign)))


def test_older_print_that_split_a_name_is_out_of_date():
    for item in items_of("The “Kid”", ""):
        assert not PRODUCTS[item.what].is_as_printed(item, older_fingerprint(item, older("The “Kid”", "")))


def test_names_that_read_alike_are_different_prints():
    for whole, parts in zip(items_of("The “Kid”", ""), items_of("The", "Kid"), strict=True):
        assert not PRODUCTS[whole.what].is_as_printed(whole, PRODUCTS[parts.what].fingerprint(parts))


def test_new_callsign_is_a_change():
    (_, before), (_, now) = items_of("Ana", ""), items_of("Ana", "Ace")
    assert pilot_changes("hex-core", before, now) == ("the pilot was Ana",)
    assert pilot_changes("hex-core", now, before) == ("the pilot was Ana “Ace”",)
