"""Reports and rulings as pages show them; names, support and visible set-up of a match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from campaigns import policy
from campaigns.models import Campaign, Match, MatchState, Report, Ruling, SupportRoll
from campaigns.results.reports import ComparisonRow, ReportLabels, compare_reports, parse_stored_report
from rosters.database.queries import PreparedQuery
from rosters.models import Company, Pilot, Player
from rosters.site.pagination import Keyset, KeysetList, Slice, count_query
from systems import battle_rules
from systems.reading import stored_setup
from systems.setups import without_orders

TABLE_ROLL = "roll"  # in a side's support: a roll at the table, which can have any result


def support_names(system: str) -> Mapping[str, str]:
    """Return the names of a rule system's support results, by slug."""
    return {slug: str(result.name) for slug, result in battle_rules(system).support_results.items()}


def support_problem(had: Sequence[str], used: Sequence[str], names: Mapping[str, str]) -> str:
    """Return why a side can't have used this, as the end of a sentence about it; empty if it can."""
    mine, rolls = Counter(had), had.count(TABLE_ROLL)
    for slug, times in Counter(used).items():
        if slug not in names:
            return f"can't have used {slug[:40]!r}: there is no such support."
        rolls -= max(0, times - mine[slug])
        if rolls < 0 and mine[slug]:
            return f"had {names[slug]} {_times(mine[slug])}, so it can't have used it {_times(times)}."
        if rolls < 0:
            return f"didn't have {names[slug]}."
    return ""


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def support_results_of(company: Company) -> list[str]:
    """Return the results of the support rolls in the company's undecided matches. One query."""
    return [result for (result,) in ROLLED.rows(company=company.pk)]


def _rolled(company: int) -> QuerySet[SupportRoll, tuple[str]]:
    of_side = Q(side=0, match__attacker__company=company) | Q(side=1, match__defender__company=company)
    rolls = SupportRoll.objects.filter(of_side, match__state__in=MatchState.undecided())
    return rolls.order_by("match", "number").values_list("result")


ROLLED = PreparedQuery(_rolled, company=int)


def match_words(match: Match) -> ReportLabels:
    """Return the labels for the reports of a match whose lists are revealed."""
    setup = stored_setup(match.setup or {})
    system = battle_rules(setup.system)
    names = system.unit_names(setup)
    named = [(unit.key, unit.name or names[unit.key], side.name) for side in setup.sides for unit in side.units]
    often = Counter(name for _, name, _ in named)
    return ReportLabels(
        sides=(setup.sides[0].name, setup.sides[1].name),
        units={key: f"{name} of {side}" if often[name] > 1 else name for key, name, side in named},
        support=support_names(setup.system),
        fields=system.hand.asks,
    )


LIST_RELATED = (
    "decided_by",
    "match__attacker__company",
    "match__defender__company",
)  # with the emblems of both companies
LIST_DEFERRED = ("match__setup", "match__forces", "match__past")
RELATED = ("decided_by", "match__attacker__company", "match__defender__company", "match__round", "campaign")


def filter_rulings(campaign: Campaign, *, text: str = "", kind: str = "", by: str = "") -> QuerySet[Ruling]:
    """Return the campaign's rulings, newest first; every word of the text is in title, reason or match."""
    rows = campaign.rulings.select_related("decided_by", "match")
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
        rows = rows.filter(decided_by_id=int(by))
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
    given = Ruling.objects.filter(campaign=campaign).order_by().values("decided_by")
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
    current = {row.side: row for row in match.reports.filter(is_current=True).select_related("submitted_by")}
    attacker, defender = (parse_stored_report(current[side].content) if side in current else None for side in (0, 1))
    rows = compare_reports(attacker, defender, match_words(match))
    filled = tuple(row for row in rows if not row.is_empty)
    return Comparison(
        rows=filled,
        left_out=len(rows) - len(filled),
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


def visible_setup(match: Match, reader: policy.Reader) -> dict[str, Any] | None:
    """Return the setup without orders the reader may not know yet; None before the lists are revealed."""
    if match.setup is None:
        return None
    hidden = [side for side in (0, 1) if not policy.can_see_orders(reader, match, side)]
    return without_orders(match.setup, hidden) if hidden else match.setup
