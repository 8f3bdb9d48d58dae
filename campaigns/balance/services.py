"""Calculate the balance of each game. The timer runs this; a game is recalculated if its open matches have changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db.models import Count as Counted
from django.db.models import Max, Min, Q, QuerySet, Sum
from django.utils import timezone

from campaigns import policy
from campaigns.balance.counting import MAX_MATCHES, BalanceCounter, MatchResult
from campaigns.insights.selectors import SCORES, design_name, stored_chance
from campaigns.models import BalanceReport, Match, MatchState
from rosters.database.columns import columns
from rosters.site.timers import skip_unreadable
from systems import ROSTERS, battle_rules, roster_rules
from systems.reading import spec_of, stored_setup

CHUNK_SIZE = 200  # rows held in memory at a time
CALCULATION_VERSION = 1  # version of the calculation: raise it when the calculation changes
OTHER_TERMS, OWN_SCENARIO = ", with other terms", "a scenario of one’s own"


class _Row(NamedTuple):
    match: int
    club: int
    campaign: int
    scenario: str | dict[str, Any]
    outcome: str
    setup: dict[str, Any]
    odds: dict[str, Any]


def recalculate_balances() -> int:
    """Recalculate each game whose matches have changed, and return how many. Idempotent.

    A game without matches gets an empty row once, so that its page doesn't tell people to wait.
    """
    known = {row.system: row.seen for row in BalanceReport.objects.only("system", "seen")}
    seen = _fingerprints()
    for system in ROSTERS:
        if system not in known and system not in seen:
            with skip_unreadable(f"balance of {system}"):
                _recalculate(system, [])
    changed = [system for system in ROSTERS if known.get(system, []) != seen.get(system, [])]
    for system in changed:
        with skip_unreadable(f"balance of {system}"):
            _recalculate(system, seen.get(system, []))
    return len(changed)


def _recalculate(system: str, seen: list[object]) -> None:
    """Calculate the balance of that game from its newest matches, row by row."""
    count, clubs, campaigns = BalanceCounter(), set(), set()
    rows = _open_matches().filter(round__campaign__system=system).order_by("-decided_at", "-pk")
    wanted = rows.values_list(
        *columns(_Row, match="pk", club="round__campaign__club", campaign="round__campaign")
    )[:MAX_MATCHES]  # fmt: skip
    for values in wanted.iterator(chunk_size=CHUNK_SIZE):
        row = _Row._make(values)
        with skip_unreadable(f"match {row.match} in the balance"):
            if not row.odds.get("runs"):
                continue
            count.add(_match_result(system, row))
            clubs.add(row.club)
            campaigns.add(row.campaign)
    sheet = count.sheet(clubs=len(clubs), campaigns=len(campaigns), is_cut=rows.count() > MAX_MATCHES)
    told = {"seen": seen, "matches": count.matches, "sheet": sheet, "counted_at": timezone.now()}
    BalanceReport.objects.update_or_create(system=system, defaults=told)


def _fingerprints() -> dict[str, list[object]]:
    """Return values that show whether a game's matches have changed, by game. One query."""
    rows = _open_matches().values("round__campaign__system").order_by("round__campaign__system")
    counted = rows.annotate(
        number=Counted("pk"), first=Min("pk"), last=Max("pk"), sum=Sum("pk"), decided=Max("decided_at"),
        drawn=Counted("pk", filter=Q(outcome="draw")), attackers=Counted("pk", filter=Q(outcome="attacker")),
    )  # fmt: skip
    return {
        each["round__campaign__system"]: [
            CALCULATION_VERSION, each["number"], each["first"], each["last"], int(each["sum"]), each["drawn"], each["attackers"],
            each["decided"].isoformat() if each["decided"] else "",
        ]
        for each in counted
    }  # fmt: skip


def _open_matches() -> QuerySet[Match]:
    """Return played matches with odds, of campaigns that everybody may read."""
    campaigns = policy.campaigns_open_to_all()
    fought = Match.objects.filter(
        campaigns, state__in=MatchState.fought(), outcome__in=list(SCORES), defender__isnull=False
    )
    return fought.filter(setup__isnull=False, odds__isnull=False)


def _match_result(system: str, row: _Row) -> MatchResult:
    setup, rules = stored_setup(row.setup), roster_rules(system)
    designs: list[frozenset[str]] = []
    weapons: list[frozenset[str]] = []
    for side in setup.sides:
        specs = [spec for unit in side.units if (spec := spec_of(setup, unit.design))]
        designs.append(frozenset(design_name(system, spec) for spec in specs))
        weapons.append(frozenset(arm for spec in specs for arm in rules.arms(rules.parse_spec(spec))))
    return MatchResult(
        scenario=_scenario_name(system, row.scenario),
        chance=stored_chance(row.odds),
        score=SCORES[row.outcome],
        designs=(designs[0], designs[1]),
        weapons=(weapons[0], weapons[1]),
    )


def _scenario_name(system: str, scenario: str | Mapping[str, Any]) -> str:
    """Return the name of a published scenario. Players' own scenarios share one line, as nobody else knows them."""
    published = battle_rules(system).scenarios
    if isinstance(scenario, str):
        return published.get(scenario, scenario)
    name = str(scenario.get("name", ""))
    return f"{name}{OTHER_TERMS}" if name in published.values() else OWN_SCENARIO
