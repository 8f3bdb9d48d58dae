"""Things waiting for the reader: a banner for pages, and numbers for the header of every page. One query a request."""

from __future__ import annotations

from django import template
from django.http import HttpRequest
from django.template import Context

from campaigns.models import Campaign, Club
from campaigns.occasions.waiting import WaitingRow, list_waiting, waiting_and_unread
from rosters.models import Player

register = template.Library()
MAX_SHOWN = 8  # the rest is folded
REQUEST_ATTRIBUTE = "waiting"  # attribute of the request that caches the result


@register.simple_tag(takes_context=True)
def waiting_count(context: Context) -> int:
    """Return how many things are waiting for the reader; 0 for a visitor."""
    return len(_rows(context.get("request")))


@register.simple_tag(takes_context=True)
def unread_count(context: Context) -> int:
    """Return how many notifications the reader has not read; 0 for a visitor."""
    return _waiting_and_unread(context.get("request"))[1]


@register.inclusion_tag("campaigns/_waiting.html", takes_context=True)
def waiting_banner(context: Context, campaign: Campaign | None = None, club: Club | None = None) -> dict[str, object]:
    """Return what is waiting for the reader: everywhere, or in one campaign or club."""
    items = [
        item
        for item in list_waiting(_rows(context.get("request")))
        if (campaign is None or item.campaign == campaign.pk) and (club is None or item.club == club.pk)
    ]
    return {"items": items[:MAX_SHOWN], "more": items[MAX_SHOWN:]}


def _rows(request: HttpRequest | None) -> tuple[tuple[WaitingRow, str], ...]:
    return _waiting_and_unread(request)[0]


def _waiting_and_unread(request: HttpRequest | None) -> tuple[tuple[tuple[WaitingRow, str], ...], int]:
    """Return the waiting rows and unread count, queried once a request by the header of the page."""
    reader = getattr(request, "user", None)
    if not isinstance(reader, Player):
        return (), 0
    if not hasattr(request, REQUEST_ATTRIBUTE):
        setattr(request, REQUEST_ATTRIBUTE, waiting_and_unread(reader))
    kept: tuple[tuple[tuple[WaitingRow, str], ...], int] = getattr(request, REQUEST_ATTRIBUTE)
    return kept
