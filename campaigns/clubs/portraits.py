"""The companies that may not show their own pictures: those in a campaign of a club that doesn't allow pictures."""

from __future__ import annotations

from collections.abc import Iterable

from campaigns.models import Enrolment, EnrolmentState
from campaigns.policy import TAKES_COMPANIES


def companies_without_pictures(companies: Iterable[int]) -> dict[int, str]:
    """Return the sentence for the owner, by company; one query."""
    rows = Enrolment.objects.filter(
        company__in=companies,
        state__in=EnrolmentState.in_play(),
        campaign__state__in=TAKES_COMPANIES,
        campaign__club__shows_portraits=False,
    )
    return {
        company: f"{club} has its companies show the drawn pictures, as long as they are in a campaign of the club."
        for company, club in rows.values_list("company", "campaign__club__name")
    }
