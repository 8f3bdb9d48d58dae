"""The campaigns a company is in, for pages of companies, which know nothing of campaigns."""

from __future__ import annotations

from django import template
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.template import Context

from campaigns import policy
from campaigns.models import Campaign, Enrolment, EnrolmentState
from rosters.models import Player
from rosters.site.compiled import PreparedQuery

register = template.Library()


@register.simple_tag(takes_context=True)
def campaigns_of(context: Context, company: int) -> list[Enrolment]:
    """Return the company's asked or accepted enrolments in campaigns that the reader may see, newest first."""
    reader = getattr(context.get("request"), "user", AnonymousUser())
    if isinstance(reader, Player):
        return OF_A_PLAYER.rows(company=company, reader=reader.pk)
    return OF_A_VISITOR.rows(company=company)


def _seen(company: int, reader: int | None) -> QuerySet[Enrolment]:
    seen = Campaign.objects.filter(policy.campaigns_visible_to(reader)).values("pk")
    rows = Enrolment.objects.filter(
        company=company, state__in=EnrolmentState.in_play(), campaign__in=seen
    ).select_related("campaign")
    return rows.order_by("-campaign")


OF_A_PLAYER = PreparedQuery(_seen, company=int, reader=int)
OF_A_VISITOR = PreparedQuery(lambda company: _seen(company, None), company=int)
