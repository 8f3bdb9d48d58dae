"""Check that every payment for territories is in the ledgers once, with the right amount. For `manage.py reconcile`."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Sum

from campaigns.income.selectors import describe_places, income_changes
from campaigns.models import Campaign, Club, TerritoryIncome
from rosters.entries.company import TerritoryIncome as Kind
from rosters.models import LedgerEntry


def income_differences(club: Club | None = None) -> Iterator[str]:
    """Yield a sentence for each difference, in one club's campaigns if given."""
    campaigns = Campaign.objects.all() if club is None else Campaign.objects.filter(club=club)
    standing = LedgerEntry.objects.filter(kind=Kind.slug, reverses=None, reversed_by=None).order_by()
    rows = TerritoryIncome.objects.filter(round__campaign__in=campaigns)
    for row in rows.select_related("round__campaign", "enrolment__company").order_by("pk"):
        company = row.enrolment.company_id
        found = standing.filter(company=company, cause_ref=str(row.key)).aggregate(total=Sum("points"))["total"] or 0
        if found != row.points:
            where = f"territories of {row.round} of {row.round.campaign}"
            yield f"{where}: the ledger of {row.enrolment.company} has {found} points of them, not {row.points}"
    for campaign in campaigns.filter(rounds__settled_at__isnull=False).distinct().order_by("pk"):
        for each in income_changes(campaign):
            owed, stands = describe_places(each.after) or "nothing", describe_places(each.before) or "nothing"
            where = f"territories of {each.row.round} of {campaign}"
            yield f"{where}: {each.company} has {stands} of them and is owed {owed}"
