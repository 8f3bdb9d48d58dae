"""Check rows against the ledger: find differences between stored companies and the records from their ledgers.

Apps that build on this one have checks of their own (`hooks.differences`); `manage.py reconcile` runs them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.db.models import Model

from rosters.ledger.records import company_fields, company_record, differing, pilot_fields, unit_fields
from rosters.models import Company
from systems.ledger import CompanyRecord, LedgerError


def differences(company: Company) -> Iterator[str]:
    """Yield a sentence for each difference."""
    try:
        record = company_record(company)
    except LedgerError as error:
        yield f"its ledger can't be added up: {error}"
        return
    yield from differences_from(company, record)


def differences_from(company: Company, record: CompanyRecord) -> Iterator[str]:
    """Yield the same for a record that is already calculated."""
    yield from _describe_differences("", company, company_fields(company, record))
    if record.balance < 0:
        yield f"its balance is {record.balance}"
    for unit in company.units.all():
        who = f"unit {unit.pk} ({unit.name})"
        if unit.pk in record.units:
            yield from _describe_differences(f"{who}: ", unit, unit_fields(record, unit.pk))
        else:
            yield f"{who} was never bought"
    for pilot in company.pilots.all():
        who = f"pilot {pilot.pk} ({pilot.name})"
        if pilot.pk in record.pilots:
            yield from _describe_differences(f"{who}: ", pilot, pilot_fields(record, pilot.pk))
        else:
            yield f"{who} was never hired"


def _describe_differences(who: str, row: Model, wanted: Mapping[str, object]) -> Iterator[str]:
    for field, value in differing(row, wanted).items():
        yield f"{who}{field} is {value!r}, the ledger says {wanted[field]!r}"
