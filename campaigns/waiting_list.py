"""The places of a campaign and its waiting list: if it is full, companies that ask wait in the order of asking."""

from __future__ import annotations

from django.db.models import Count, F, Q, QuerySet

from campaigns.models import Campaign, Enrolment, EnrolmentState
from rosters.database.queries import PreparedQuery


def places_free(campaign: Campaign) -> int:
    """Return the number of free places. One query."""
    return max(0, campaign.seats - campaign.enrolments.filter(state=EnrolmentState.ACCEPTED).count())


def waiting_list(campaign: Campaign) -> list[Enrolment]:
    """Return the enrolments that ask for a place, the oldest first: the waiting list if no place is free. One query."""
    return list(_asking(campaign.pk).select_related("campaign__club", "company__owner"))


def places_in_line(campaign: Campaign) -> dict[int, int]:
    """Return each enrolment's place on the waiting list, from 1; empty while a place is free. Two queries."""
    found = ACCEPTED.row(campaign=campaign.pk)
    if (found[0] if found else 0) < campaign.seats:
        return {}
    return {pk: at for at, (pk,) in enumerate(ASKING.rows(campaign=campaign.pk), start=1)}


def full_campaigns() -> QuerySet[Campaign]:
    """Return the campaigns without a free place."""
    accepted = Count("enrolments", filter=Q(enrolments__state=EnrolmentState.ACCEPTED))
    return Campaign.objects.annotate(accepted=accepted).filter(accepted__gte=F("seats")).order_by()


def _asking(campaign: int) -> QuerySet[Enrolment]:
    return Enrolment.objects.filter(campaign=campaign, state=EnrolmentState.ASKED).order_by("asked_at", "pk")


ASKING = PreparedQuery(lambda campaign: _asking(campaign).values_list("pk"), campaign=int)
ACCEPTED = PreparedQuery(
    lambda campaign: (
        Enrolment.objects.filter(campaign=campaign, state=EnrolmentState.ACCEPTED)
        .order_by()
        .values("campaign")
        .annotate(number=Count("*"))
        .values_list("number")
    ),
    campaign=int,
)
