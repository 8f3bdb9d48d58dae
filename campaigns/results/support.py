"""The support a side of a match had, and what it reports to have used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from django.db.models import Q, QuerySet

from campaigns.models import MatchState, SupportRoll
from rosters.models import Company
from rosters.site.compiled import PreparedQuery
from systems import battle_rules

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
            return f"had {names[slug]} {_times(mine[slug])}, and can't have used it {_times(times)}."
        if rolls < 0:
            return f"did not have {names[slug]}."
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
