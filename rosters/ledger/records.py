"""Records calculated from companies' whole ledgers, the resulting values of rows, and the last act of a ledger."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from django.db.models import Model, Sum
from django.utils import timezone

from rosters.database.columns import columns
from rosters.entries.company import Founded
from rosters.ledger.fold import project_entries
from rosters.models import Company, LedgerEntry
from systems.ledger import CompanyRecord, Fact

# Causes of entries: an act of a player, a ruling on a past match, a ruling on the company itself, and income from
# territories of a campaign.
ACT, RULING, ADJUSTMENT, TERRITORIES = "act", "ruling", "adjustment", "territories"
RELEASE = "release"  # its campaign changed to another version of the catalogue


def adjustment_ref(campaign: int, ruling: int) -> str:
    """Return the cause reference of the entries of a ruling on a company."""
    return f"{adjustments_of(campaign)}{ruling}"


def adjustments_of(campaign: int) -> str:
    """Return the common prefix of the cause references of a campaign's rulings."""
    return f"{campaign}/"


def adjustment_of(ref: str) -> tuple[int, int] | None:
    """Return campaign and number of the ruling with that cause reference; None for any other."""
    campaign, _, ruling = ref.partition("/")
    if not all(part.isascii() and part.isdigit() and len(part) < 19 for part in (campaign, ruling)):
        return None
    return int(campaign), int(ruling)


def company_balance(company: Company) -> int:
    """Return the company's balance in points: the sum of its ledger."""
    total: int | None = company.ledger.aggregate(total=Sum("points"))["total"]
    return total or 0


def company_facts(company: Company) -> list[Fact]:
    """Return the company's ledger as facts, for `project_entries`."""
    return [fact_of(*row) for row in company.ledger.order_by("pk").values_list(*columns(fact_of))]


def fact_of(
    pk: int, kind: str, unit: int | None, pilot: int | None, points: int, facts: dict[str, object], reverses: int | None
) -> Fact:
    """Return an entry as a fact, for `project_entries`."""
    return Fact(id=pk, kind=kind, unit=unit, pilot=pilot, points=points, facts=facts, reverses=reverses)


def company_record(company: Company) -> CompanyRecord:
    """Return the company's record, calculated from its ledger."""
    return project_entries(company_facts(company))


def company_records(companies: Iterable[Company]) -> dict[int, CompanyRecord]:
    """Return the records of many companies, by id; one query."""
    facts: dict[int, list[Fact]] = {company.pk: [] for company in companies}
    rows = LedgerEntry.objects.filter(company__in=list(facts)).order_by("pk")
    for owner, *fact in rows.values_list("company", *columns(fact_of)):
        facts[owner].append(fact_of(*fact))
    return {pk: project_entries(entries) for pk, entries in facts.items()}


def last_act(company: Company) -> list[LedgerEntry]:
    """Return the entries of the newest act that is not reversed, oldest first; empty if there is none."""
    standing = company.ledger.filter(reverses=None, reversed_by=None)
    newest = standing.order_by("-pk").first()
    if newest is None:
        return []
    return list(standing.filter(act=newest.act).select_related("unit", "pilot", "by").order_by("pk"))


class Caused(Protocol):
    """The part of an entry that is checked before an undo."""

    @property
    def kind(self) -> str: ...
    @property
    def cause(self) -> str: ...


def undo_refusal(entries: Sequence[Caused]) -> str:
    """Return why the last act can't be undone by its player; empty if it can."""
    if not entries or entries[0].kind == Founded.slug:
        return "There is nothing to undo: the founding stands. A company can be disbanded instead."
    if entries[0].cause == RULING:
        return "An arbiter has ruled on an earlier match since; what came before can't be undone any more."
    if entries[0].cause == ADJUSTMENT:
        return "A ruling has adjusted this company since; what came before can't be undone any more."
    if entries[0].cause == TERRITORIES:
        return "A round was closed since, and territories have paid; what came before can't be undone any more."
    if entries[0].cause == RELEASE:
        return "Its campaign has gone to another release of the catalogue since; what came before can't be undone any more."
    if entries[0].cause != ACT:
        return "A battle was fought since; what came before it can't be undone any more."
    return ""


def company_fields(company: Company, record: CompanyRecord) -> dict[str, object]:
    """Return the values that the company's row should have."""
    disbanded: datetime | None = (company.disbanded_at or timezone.now()) if record.is_disbanded else None
    return {
        "name": record.name,
        "motto": record.motto,
        "colour": record.colour,
        "emblem": record.emblem,
        "visibility": record.visibility,
        "catalogue_release": record.release,
        "disbanded_at": disbanded,
    }


def unit_fields(record: CompanyRecord, pk: int) -> dict[str, object]:
    """Return the values that the unit's row should have."""
    unit = record.units[pk]
    return {
        "name": unit.name,
        "design_name": unit.design_name,
        "spec": unit.spec,
        "pilot_id": unit.pilot,
        "condition": unit.condition,
        "status": unit.status,
    }


def pilot_fields(record: CompanyRecord, pk: int) -> dict[str, object]:
    """Return the values that the pilot's row should have."""
    pilot = record.pilots[pk]
    return {"name": pilot.name, "callsign": pilot.callsign, "status": pilot.status}


def differing(row: Model, wanted: Mapping[str, object]) -> dict[str, object]:
    """Return the row's values of those fields that differ from the wanted ones."""
    return {name: found for name, value in wanted.items() if (found := getattr(row, name)) != value}
