"""What waits for the reader: a banner for pages, a number for the head of every page. One query a request."""

from __future__ import annotations

from django import template
from django.http import HttpRequest
from django.template import Context

from campaigns.models import Campaign, Club
from campaigns.selectors.waiting import Row, waiting_rows, waiting_told
from rosters.models import Player

register = template.Library()
SHOWN = 8  # the rest folds away
KEPT = "waiting"  # by the request


@register.simple_tag(takes_context=True)
def waiting_count(context: Context) -> int:
    """How many things wait for the reader; 0 for a visitor."""
    return len(_rows(context.get("request")))


@register.inclusion_tag("campaigns/_waiting.html", takes_context=True)
def waiting_banner(context: Context, campaign: Campaign | None = None, club: Club | None = None) -> dict[str, object]:
    """What waits for the reader: everywhere, or in one campaign or club."""
    items = [
        item
        for item in waiting_told(_rows(context.get("request")))
        if (campaign is None or item.campaign == campaign.pk) and (club is None or item.club == club.pk)
    ]
    return {"items": items[:SHOWN], "more": items[SHOWN:]}


def _rows(request: HttpRequest | None) -> tuple[tuple[Row, str], ...]:
    """Asked once a request, by the head of the page."""
    reader = getattr(request, "user", None)
    if not isinstance(reader, Player):
        return ()
    if not hasattr(request, KEPT):
        setattr(request, KEPT, waiting_rows(reader))
    kept: tuple[tuple[Row, str], ...] = getattr(request, KEPT)
    return kept
