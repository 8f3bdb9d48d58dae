"""Which campaigns a company is in, for pages of companies, which know nothing of campaigns."""

from __future__ import annotations

from typing import Any

from django import template
from django.contrib.auth.models import AnonymousUser

from campaigns import policy
from campaigns.models import Campaign, Enrolment
from campaigns.reads.campaigns import IN_PLAY

register = template.Library()


@register.simple_tag(takes_context=True)
def campaigns_of(context: dict[str, Any], company: int) -> list[Enrolment]:
    """The company's enrolments that are asked for or accepted, in campaigns that the reader may see, newest first."""
    reader = getattr(context.get("request"), "user", AnonymousUser())
    seen = Campaign.objects.filter(policy.campaigns_visible(reader)).values("pk")
    rows = Enrolment.objects.filter(company=company, state__in=IN_PLAY, campaign__in=seen).select_related("campaign")
    return list(rows.order_by("-campaign"))
