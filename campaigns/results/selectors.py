"""Rulings as precedents: searched by words, kind and arbiter."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Q, QuerySet

from campaigns.models import Campaign, Ruling
from rosters.models import Player
from rosters.site.compiled import Compiled
from rosters.site.keyset import Keyset, Slice
from rosters.site.listed import Listed, count_query

LISTED_BESIDE = ("by", "match__attacker__company", "match__defender__company")  # with the emblems of both companies
NOT_LISTED = ("match__setup", "match__forces", "match__past")
BESIDE = ("by", "match__attacker__company", "match__defender__company", "match__round", "campaign")


def rulings_listed(campaign: Campaign, *, text: str = "", kind: str = "", by: str = "") -> QuerySet[Ruling]:
    """Return the campaign's rulings, newest first; every word of the text is in title, reason or match."""
    rows = campaign.rulings.select_related("by", "match")
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


def rulings_page(campaign: Campaign, search: Mapping[str, str], asked: Mapping[str, str]) -> Slice[Ruling]:
    """Return the requested page of that list, with arbiters and the total number."""
    if any(search.values()):
        rows = rulings_listed(campaign, **search).select_related(*LISTED_BESIDE).defer(*NOT_LISTED)
        return NEWEST_FIRST.asked(rows, PAGE, asked, count=rows.count())
    ((count,),) = NUMBER.rows(campaign=campaign.pk)
    return RULINGS.asked(asked, count=count, campaign=campaign.pk)


def ruling_of(campaign: Campaign, pk: int) -> Ruling | None:
    """Return one of the campaign's rulings, with its match."""
    return RULING.row(campaign=campaign.pk, pk=pk)


def undone_by(row: Ruling) -> int | None:
    """Return the ruling that undid this adjustment of a company; no query for other kinds."""
    if row.kind != Ruling.Kind.ADJUSTMENT:
        return None
    later = Ruling.objects.filter(campaign=row.campaign_id, kind=row.kind, decision__undoes=row.pk)
    return later.values_list("pk", flat=True).first()


def rulers_of(campaign: Campaign) -> list[Player]:
    """Return everybody who has ruled in the campaign."""
    return RULERS.rows(campaign=campaign.pk)


def _rulers(campaign: int) -> QuerySet[Player]:
    given = Ruling.objects.filter(campaign=campaign).order_by().values("by")
    return Player.objects.filter(pk__in=given).order_by("username")


def _rulings(campaign: int) -> QuerySet[Ruling]:
    return Ruling.objects.filter(campaign=campaign).select_related(*LISTED_BESIDE).defer(*NOT_LISTED)


PAGE = 20
RULING = Compiled(
    lambda campaign, pk: Ruling.objects.filter(campaign=campaign, pk=pk).select_related(*BESIDE), campaign=int, pk=int
)
NEWEST_FIRST = Keyset("-pk")
RULINGS = Listed(_rulings, NEWEST_FIRST, PAGE, campaign=int)
NUMBER = Compiled(lambda campaign: count_query(_rulings(campaign)), campaign=int)
RULERS = Compiled(_rulers, campaign=int)
