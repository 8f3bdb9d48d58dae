"""The places of a campaign, and who waits for one: where it is full, companies that ask stand in the order of asking."""

from __future__ import annotations

from django.db.models import Count, F, Q, QuerySet

from campaigns.models import Campaign, Enrolment, EnrolmentState
from rosters.site.compiled import Compiled


def places_free(campaign: Campaign) -> int:
    """The places that nobody has. One query."""
    return max(0, campaign.seats - campaign.enrolments.filter(state=EnrolmentState.ACCEPTED).count())


def waiting_list(campaign: Campaign) -> list[Enrolment]:
    """Who asks, the first to ask first; where there is no place free that is the waiting list. One query."""
    return list(_asking(campaign.pk).select_related("campaign__club", "company__owner"))


def places_in_line(campaign: Campaign) -> dict[int, int]:
    """The place of each enrolment on the waiting list, from 1; empty while a place is free. Two queries."""
    found = ACCEPTED.row(campaign=campaign.pk)
    if (found[0] if found else 0) < campaign.seats:
        return {}
    return {pk: at for at, (pk,) in enumerate(ASKING.rows(campaign=campaign.pk), start=1)}


def full_campaigns() -> QuerySet[Campaign]:
    """Campaigns without a free place."""
    accepted = Count("enrolments", filter=Q(enrolments__state=EnrolmentState.ACCEPTED))
    return Campaign.objects.annotate(accepted=accepted).filter(accepted__gte=F("seats")).order_by()


def _asking(campaign: int) -> QuerySet[Enrolment]:
    return Enrolment.objects.filter(campaign=campaign, state=EnrolmentState.ASKED).order_by("asked_at", "pk")


ASKING = Compiled(lambda campaign: _asking(campaign).values_list("pk"), campaign=int)
ACCEPTED = Compiled(
    lambda campaign: (
        Enrolment.objects.filter(campaign=campaign, state=EnrolmentState.ACCEPTED)
        .order_by()
        .values("campaign")
        .annotate(number=Count("*"))
        .values_list("number")
    ),
    campaign=int,
)
