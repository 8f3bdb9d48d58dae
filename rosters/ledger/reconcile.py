"""Whether rows say what the ledger says: every difference between stored companies and the fold of their ledgers.

Apps that build on this one have checks of their own (`hooks.differences`); `manage.py reconcile` runs them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rosters.ledger.records import (
    company_fields,
    company_record,
    pilot_fields,
    record_pilot_fields,
    record_unit_fields,
    unit_fields,
)
from rosters.models import Company
from systems.ledger import LedgerError


def differences(company: Company) -> Iterator[str]:
    """Sentences, none if all is well."""
    try:
        record = company_record(company)
    except LedgerError as error:
        yield f"its ledger can't be added up: {error}"
        return
    for field, value in company_fields(company, record).items():
        if getattr(company, field) != value:
            yield f"{field} is {getattr(company, field)!r}, the ledger says {value!r}"
    if record.balance < 0:
        yield f"its balance is {record.balance}"
    for unit in company.units.all():
        who = f"unit {unit.pk} ({unit.name})"
        if unit.pk in record.units:
            yield from _differing(who, unit_fields(unit), record_unit_fields(record, unit.pk))
        else:
            yield f"{who} was never bought"
    for pilot in company.pilots.all():
        who = f"pilot {pilot.pk} ({pilot.name})"
        if pilot.pk in record.pilots:
            yield from _differing(who, pilot_fields(pilot), record_pilot_fields(record, pilot.pk))
        else:
            yield f"{who} was never hired"


def _differing(who: str, fields: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[str]:
    for field, value in fields.items():
        if value != wanted[field]:
            yield f"{who}: {field} is {value!r}, the ledger says {wanted[field]!r}"
