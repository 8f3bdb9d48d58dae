"""Rulings as precedents: searched by words, kind and arbiter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from campaigns.models import Campaign, Match, Report, Ruling
from campaigns.results.compare import ComparisonRow, compare_reports
from campaigns.results.report import parse_stored_report
from campaigns.results.words import match_words
from rosters.models import Pilot, Player
from rosters.site.compiled import PreparedQuery
from rosters.site.keyset import Keyset, Slice
from rosters.site.listed import KeysetList, count_query

LIST_RELATED = ("by", "match__attacker__company", "match__defender__company")  # with the emblems of both companies
LIST_DEFERRED = ("match__setup", "match__forces", "match__past")
RELATED = ("by", "match__attacker__company", "match__defender__company", "match__round", "campaign")


def filter_rulings(campaign: Campaign, *, text: str = "", kind: str = "", by: str = "") -> QuerySet[Ruling]:
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
        rows = filter_rulings(campaign, **search).select_related(*LIST_RELATED).defer(*LIST_DEFERRED)
        return NEWEST_FIRST.asked(rows, PAGE_SIZE, asked, count=rows.count())
    ((count,),) = COUNT.rows(campaign=campaign.pk)
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
    return Ruling.objects.filter(campaign=campaign).select_related(*LIST_RELATED).defer(*LIST_DEFERRED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Both reports side by side. Fields that neither fills in are only counted."""

    rows: tuple[ComparisonRow, ...]
    left_out: int
    attacker: Report | None
    defender: Report | None

    @property
    def differ(self) -> int:
        return sum(row.differs for row in self.rows)


def match_comparison(match: Match) -> Comparison | None:
    """Return the current reports of a match field by field; None if its lists aren't revealed yet."""
    if match.setup is None:
        return None
    current = {row.side: row for row in match.reports.filter(is_current=True).select_related("by")}
    attacker, defender = (parse_stored_report(current[side].content) if side in current else None for side in (0, 1))
    rows = compare_reports(attacker, defender, match_words(match))
    told_rows = tuple(row for row in rows if not row.is_empty)
    return Comparison(
        rows=told_rows,
        left_out=len(rows) - len(told_rows),
        attacker=current.get(0),
        defender=current.get(1),
    )


def reported_sides(match: Match) -> set[int]:
    """Return the sides that have a report of their own."""
    return set(match.reports.filter(is_current=True).values_list("side", flat=True))


def pilot_names(match: Match) -> dict[str, str]:
    """Return the pilot's name in each unit of the revealed lists, by the unit's key."""
    seats = {key: ref["pilot"] for force in match.forces for key, ref in force.items()}
    names = dict(Pilot.objects.filter(pk__in=seats.values()).values_list("pk", "name"))
    return {key: names.get(pilot, "") for key, pilot in seats.items()}


PAGE_SIZE = 20
RULING = PreparedQuery(
    lambda campaign, pk: Ruling.objects.filter(campaign=campaign, pk=pk).select_related(*RELATED), campaign=int, pk=int
)
NEWEST_FIRST = Keyset("-pk")
RULINGS = KeysetList(_rulings, NEWEST_FIRST, PAGE_SIZE, campaign=int)
COUNT = PreparedQuery(lambda campaign: count_query(_rulings(campaign)), campaign=int)
RULERS = PreparedQuery(_rulers, campaign=int)
