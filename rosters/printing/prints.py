"""Unit documents of what the site knows: units of a company as they stand, designs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from rosters.printing.sources import pilot_name

if TYPE_CHECKING:
    from rosters.selectors import CompanySheet, UnitRow


def company_units(company: CompanySheet, chosen: Collection[int], *, with_damage: bool) -> list[dict[str, Any]]:
    """The chosen units with their pilots, in the roster's order; undamaged unless asked for as they stand."""
    return [_unit(company, unit, with_damage=with_damage) for unit in company.units if unit.id in chosen]


def design_unit(system: str, name: str, spec: Mapping[str, Any]) -> dict[str, Any]:
    """A design as a unit without a pilot."""
    return {"muster": "print-unit/1", "system": system, "name": name, "design_name": name, "spec": dict(spec)}


def _unit(company: CompanySheet, unit: UnitRow, *, with_damage: bool) -> dict[str, Any]:
    pilot = unit.pilot
    condition = dict(unit.condition) if with_damage else {}
    if with_damage and pilot and pilot.status == "wounded":
        condition["wounded"] = True
    return {
        "muster": "print-unit/1",
        "system": company.system,
        "name": unit.name,
        "design_name": unit.design_name,
        "spec": dict(unit.spec),
        "company": company.name,
        "pilot": {
            "name": pilot_name(pilot.name, pilot.callsign),
            "experience": pilot.experience,
            "skills": list(pilot.skills),
            "kills": max(pilot.kills, 0),
            "games": max(pilot.games, 0),
        }
        if pilot
        else None,
        "condition": condition,
    }
