"""The house rules that a company plays by: those of its campaign."""

from __future__ import annotations

from collections.abc import Mapping

from campaigns import policy
from campaigns.models import Campaign, CampaignState, Enrolment, EnrolmentState
from rosters.models import Company


def company_house_rules(company: Company, reader: policy.Reader) -> Mapping[str, object] | None:
    """The options of the newest campaign that it is in and the reader may see; None if there is none; one query."""
    seen = Campaign.objects.filter(policy.campaigns_visible(reader)).values("pk")
    rows = Enrolment.objects.filter(company=company, state=EnrolmentState.ACCEPTED, campaign__in=seen)
    rows = rows.exclude(campaign__state=CampaignState.FINISHED)
    found = rows.order_by("-campaign").values_list("campaign__options", flat=True).first()
    return dict(found) if found is not None else None
