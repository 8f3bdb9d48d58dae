"""Set-ups on their way to a battle: built from what a player chose, their companies' units checked against the rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from battles.documents import Setup
from rosters.models import Company, Player, Unit, UnitStatus, Visibility
from rosters.services import RefusedError, company_record
from rosters.systems import get_system as get_roster_system

SIDE_LETTERS = "ab"
ZONE_BATTLE = "zone-battle"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitChoice:
    """One unit as somebody chose it: a published design's slug or a spec, and who sits in it."""

    design: str | Mapping[str, Any]
    name: str = ""
    pilot: Mapping[str, Any] | None = None
    condition: Mapping[str, Any] = field(default_factory=dict)  # damage it brings along
    unit: int | None = None  # the company's unit that it is
    pilot_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SideChoice:
    """One side as somebody chose it."""

    name: str
    doctrine: str
    units: Sequence[UnitChoice]
    company: Company | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SideForce:
    """Which units of which company a side fields: unit key -> {"unit": id, "pilot": id or None}."""

    company: Company
    units: Mapping[str, Mapping[str, int | None]] = field(default_factory=dict)


def setup_document(
    *, system: str, terrain: str, sides: Sequence[SideChoice], options: Mapping[str, object] | None = None
) -> tuple[dict[str, Any], tuple[SideForce | None, ...]]:
    """The setup/1 document of these choices, unchecked, and the company forces in it, one per side."""
    documents, forces = [], []
    for letter, side in zip(SIDE_LETTERS, sides, strict=False):
        units, owned = [], {}
        for number, choice in enumerate(side.units, start=1):
            key = f"{letter}{number}"
            unit: dict[str, Any] = {"key": key, "design": choice.design, "pilot": choice.pilot}
            if choice.name:
                unit["name"] = choice.name
            if choice.condition:
                unit["condition"] = dict(choice.condition)
            units.append(unit)
            if choice.unit is not None:
                owned[key] = {"unit": choice.unit, "pilot": choice.pilot_id}
        documents.append({"name": side.name, "doctrine": side.doctrine, "support": [], "units": units})
        forces.append(SideForce(company=side.company, units=owned) if side.company and owned else None)
    document = {
        "muster": "setup/1",
        "system": system,
        "scenario": ZONE_BATTLE,
        "terrain": terrain,
        "options": dict(options or {}),
        "sides": documents,
    }
    return document, tuple(forces)


def forces_checked(*, setup: Setup, forces: Sequence[SideForce | None], actor: Player | None) -> None:
    """Raises RefusedError unless each force is of a company the actor may field, unit for unit as the set-up says."""
    for at, force in enumerate(forces):
        if force is None:
            continue
        if at >= len(setup.sides):
            raise RefusedError("forces", "There are more forces than sides.")
        place = f"sides[{at}]"
        company = force.company
        owned = actor is not None and company.owner_id == actor.pk
        if not owned and company.visibility != Visibility.PUBLIC:
            raise RefusedError(place, "You can't field this company.")
        if company.disbanded_at is not None:
            raise RefusedError(place, f"{company.name} has been disbanded.")
        if company.system != setup.system:
            raise RefusedError(place, f"{company.name} plays another rule system.")
        rules = get_roster_system(setup.system)
        fielded = {unit.key: unit for unit in setup.sides[at].units}
        ids = [ref["unit"] for ref in force.units.values()]
        if len(set(ids)) != len(ids):
            raise RefusedError(place, "The same unit is fielded twice.")
        rows = {unit.pk: unit for unit in Unit.objects.filter(company=company, pk__in=ids).select_related("pilot")}
        for key, ref in force.units.items():
            row = rows.get(ref["unit"] or 0)
            if key not in fielded or row is None:
                raise RefusedError(place, f"{company.name} has no such unit for {key}.")
            if row.status != UnitStatus.READY:
                raise RefusedError(place, f"{row.name} is not ready to fight.")
            if rules.spec_json(rules.parse_spec(row.spec)) != spec_of(setup, fielded[key].design):
                raise RefusedError(place, f"{row.name} is not the unit that the set-up describes.")
            if (row.pilot_id, row.condition) != (ref["pilot"], fielded[key].condition):
                raise RefusedError(place, f"{row.name} has changed since: another pilot, or another damage.")


def spec_of(setup: Setup, design: Any) -> dict[str, Any]:
    """The canonical spec of a unit of a set-up, whether it names a published design or spells one out."""
    rules = get_roster_system(setup.system)
    if isinstance(design, str):
        return rules.spec_json(rules.published[design].spec) if design in rules.published else {}
    return rules.spec_json(rules.parse_spec(design))


def company_choices(company: Company, unit_ids: Sequence[int] | None = None) -> list[UnitChoice]:
    """The company's ready units as they would be fielded, in the order asked for; all of them without ids."""
    units = {unit.pk: unit for unit in company.units.filter(status=UnitStatus.READY).order_by("position", "pk")}
    pilots = company_record(company).pilots
    chosen = []
    for pk in units if unit_ids is None else unit_ids:
        unit = units.get(pk)
        if unit is None:
            raise RefusedError("units", f"{company.name} has no such unit that is ready to fight.")
        pilot = pilots.get(unit.pilot_id) if unit.pilot_id else None
        chosen.append(
            UnitChoice(
                design=unit.spec,
                name=unit.name,
                pilot={"experience": pilot.experience, "skills": list(pilot.skills)} if pilot else None,
                condition=unit.condition,
                unit=unit.pk,
                pilot_id=unit.pilot_id,
            )
        )
    return chosen
