"""Documents of other kinds as unit documents to print. Pure."""

from __future__ import annotations

from rosters.documents.company import CompanyDocument, UnitEntry
from rosters.paper.documents import PilotDocument, UnitDocument
from systems.documents import DesignDocument, DocumentError


def units_of_design(document: DesignDocument) -> tuple[UnitDocument, ...]:
    """The design as a unit fresh from the works, without a pilot."""
    return (UnitDocument(system=document.system, name=document.name, design_name=document.name, spec=document.spec),)


def units_of_company(document: CompanyDocument) -> tuple[UnitDocument, ...]:
    """The company's ready units with pilots and damage; raises DocumentError if there are none."""
    pilots = {
        pilot.key: PilotDocument(
            name=pilot_name(pilot.name, pilot.callsign),
            experience=pilot.experience,
            skills=pilot.skills,
            kills=max(pilot.kills, 0),
            games=max(pilot.games, 0),
        )
        for pilot in document.pilots
    }
    ready = [unit for unit in document.units if unit.status == "ready"]
    if not ready:
        raise DocumentError("units", "the company has no ready unit to print")
    return tuple(_unit(document, unit, pilots) for unit in ready)


def pilot_name(name: str, callsign: str) -> str:
    return f"{name} “{callsign}”" if callsign else name


def _unit(document: CompanyDocument, unit: UnitEntry, pilots: dict[str, PilotDocument]) -> UnitDocument:
    return UnitDocument(
        system=document.system,
        name=unit.name,
        design_name=unit.design_name,
        spec=unit.design,
        company=document.name,
        pilot=pilots[unit.pilot] if unit.pilot else None,
        condition=unit.condition,
    )
