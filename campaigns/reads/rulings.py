"""Rulings as precedents: found by words, kind and who gave them."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from campaigns.models import Campaign, Ruling
from rosters.models import Player


def rulings_listed(campaign: Campaign, *, text: str = "", kind: str = "", by: str = "") -> QuerySet[Ruling]:
    """The campaign's rulings, newest first; every word of the text is in title, reason or match."""
    rows = campaign.rulings.select_related(
        "by", "match__attacker__company", "match__defender__company", "match__round", "campaign"
    )
    for word in text.split():
        rows = rows.filter(
            Q(title__icontains=word)
            | Q(reason__icontains=word)
            | Q(match__attacker__company__name__icontains=word)
            | Q(match__defender__company__name__icontains=word)
        )
    if kind in Ruling.Kind.values:
        rows = rows.filter(kind=kind)
    if by.isascii() and by.isdigit() and len(by) < 10:
        rows = rows.filter(by_id=int(by))
    return rows


def rulers_of(campaign: Campaign) -> list[Player]:
    """Everybody who has ruled in the campaign."""
    return list(Player.objects.filter(pk__in=campaign.rulings.values("by")).order_by("username"))
