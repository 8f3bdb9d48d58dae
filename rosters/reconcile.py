"""Whether rows say what the ledger says: every difference between stored companies and the fold of their ledgers.

Apps that build on this one register checks of their own; `manage.py reconcile` runs them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rosters.ledger import LedgerError
from rosters.models import Company
from rosters.services import company_record
from rosters.services.undo import company_fields, pilot_fields, record_pilot_fields, record_unit_fields, unit_fields

Check = Callable[[], Iterator[str]]  # sentences, none if all is well
_checks: list[Check] = []


def register_check(check: Check) -> None:
    """The check from now on is part of every reconciliation."""
    if check not in _checks:
        _checks.append(check)


def further_differences() -> Iterator[str]:
    """What the registered checks find."""
    for check in _checks:
        yield from check()


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
        if unit.pk not in record.units:
            yield f"unit {unit.pk} ({unit.name}) was never bought"
            continue
        said = record_unit_fields(record, unit.pk)
        for field, value in unit_fields(unit).items():
            if value != said[field]:
                yield f"unit {unit.pk} ({unit.name}): {field} is {value!r}, the ledger says {said[field]!r}"
    for pilot in company.pilots.all():
        if pilot.pk not in record.pilots:
            yield f"pilot {pilot.pk} ({pilot.name}) was never hired"
            continue
        wanted = record_pilot_fields(record, pilot.pk)
        for field, value in pilot_fields(pilot).items():
            if value != wanted[field]:
                yield f"pilot {pilot.pk} ({pilot.name}): {field} is {value!r}, the ledger says {wanted[field]!r}"
