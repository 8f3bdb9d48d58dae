"""Frozen copies of a company's units and pilots, for battles, cards and exports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rosters.ledger.records import company_record
from rosters.models import Company, PilotStatus, Unit, UnitStatus
from rosters.services import RefusedError
from systems import battle_rules, roster_rules
from systems.ledger import PilotRecord
from systems.pilots import texts_of_pilot
from systems.roster import PilotCard


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldedUnit:
    """A company's unit in a battle."""

    key: str
    unit: int
    pilot: int | None  # None if the unit has no pilot
    name: str
    design_name: str
    spec: Mapping[str, object]
    experience: str
    skills: tuple[str, ...]
    condition: Mapping[str, object]

    @property
    def crew(self) -> dict[str, object] | None:
        """The pilot as part of a set-up document."""
        return None if self.pilot is None else {"experience": self.experience, "skills": list(self.skills)}

    def document(self) -> dict[str, object]:
        """Return the unit as part of a set-up document."""
        return {
            "key": self.key,
            "name": self.name,
            "design": dict(self.spec),
            "pilot": self.crew,
            "condition": dict(self.condition),
        }


def unit_key(pk: int) -> str:
    """Return the key of a company's unit in set-up documents."""
    return f"u{pk}"


def is_fieldable(unit: Unit) -> bool:
    """Return whether the unit can be fielded now: it is ready and fit, and has a fit pilot if it needs one."""
    rules = roster_rules(unit.company.system, unit.company.catalogue_release)
    if unit.status != UnitStatus.READY or rules.is_barred(unit.condition):
        return False
    if unit.pilot is not None:
        return unit.pilot.status == PilotStatus.ACTIVE
    return not rules.needs_pilot(unit.spec)


def ready_units(company: Company) -> list[int]:
    """Return the IDs of all units that can be fielded now, in roster order."""
    ready = company.units.filter(status=UnitStatus.READY).select_related("pilot")
    rows = ready.order_by("position", "pk")
    for unit in rows:
        unit.company = company
    return [unit.pk for unit in rows if is_fieldable(unit)]


def fielded(company: Company, unit_ids: Sequence[int]) -> list[FieldedUnit]:
    """Return these units with their pilots, in this order; RefusedError if one of them can't be fielded."""
    if not unit_ids:
        raise RefusedError("units", f"Choose at least one unit of {company.name}.")
    most = battle_rules(company.system).max_units
    if len(unit_ids) > most:
        raise RefusedError("units", f"A side can field {most} units at most. Remove some.")
    if len(set(unit_ids)) != len(unit_ids):
        raise RefusedError("units", "You can field a unit only once.")
    rows = {unit.pk: unit for unit in Unit.objects.filter(company=company, pk__in=unit_ids).select_related("pilot")}
    record = company_record(company)
    return [_fielded(company, rows.get(pk), pk, record.pilots) for pk in unit_ids]


def force_rows(company: Company, unit_ids: Sequence[int]) -> dict[str, dict[str, int | None]]:
    """Return the IDs of unit and pilot by key in the set-up; they are needed to write the result to the ledger."""
    return {unit.key: {"unit": unit.unit, "pilot": unit.pilot} for unit in fielded(company, unit_ids)}


def pilot_card(pilot: PilotRecord, *, counts_experience: bool = False) -> PilotCard:
    """Return the pilot as shown on a card."""
    return PilotCard(
        **texts_of_pilot(pilot),
        experience=pilot.experience,
        skills=pilot.skills,
        kills=pilot.kills,
        games=pilot.games,
        points=pilot.points if counts_experience else None,
    )


def _fielded(company: Company, unit: Unit | None, pk: int, pilots: Mapping[int, PilotRecord]) -> FieldedUnit:
    if unit is None:
        raise RefusedError("units", f"{company.name} has no unit {pk}.")
    if unit.status != UnitStatus.READY:
        raise RefusedError("units", f"{unit.name} is {unit.get_status_display().lower()}.")
    rules = roster_rules(company.system, company.catalogue_release)
    if rules.is_barred(unit.condition):
        why = rules.describe_condition(unit.condition)
        raise RefusedError("units", f"{unit.name} is {why} and misses the next game{rules.cite('barred')}.")
    if unit.pilot is None and rules.needs_pilot(unit.spec):
        raise RefusedError("units", f"{unit.name} has no pilot{rules.cite('no-pilot')}.")
    if unit.pilot is not None and unit.pilot.status == PilotStatus.WOUNDED:
        raise RefusedError("units", f"{unit.pilot.name} is wounded and misses the next game{rules.cite('wounded')}.")
    record = pilots[unit.pilot.pk] if unit.pilot else None
    return FieldedUnit(
        key=unit_key(unit.pk),
        unit=unit.pk,
        pilot=unit.pilot.pk if unit.pilot else None,
        name=unit.name,
        design_name=unit.design_name,
        spec=unit.spec,
        experience=record.experience if record else rules.parse_pilot(None).experience,
        skills=record.skills if record else (),
        condition=dict(unit.condition),
    )
