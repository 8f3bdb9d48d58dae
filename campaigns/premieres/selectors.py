"""A watch party as its page, the club display and the API show it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.db.models import QuerySet
from django.utils import timezone

from campaigns import policy
from campaigns.holding import live_premiere
from campaigns.models import AbsentRule, CampaignState, Match, MatchState, WatchParty, RoundState
from rosters.pieces import render_fragment
from rosters.site.compiled import PreparedQuery
from systems import roster_rules
from systems.setups import SIDE_LETTERS

from .clock import BattleSoFar, battle_so_far, count_steps_shown, seconds_until_next

State = Literal["soon", "on", "ending"]
DISPLAY_LEAD_TIME = timedelta(hours=1)  # before it begins


@dataclass(frozen=True, slots=True, kw_only=True)
class PremiereRow:
    """An upcoming or running watch party at one moment."""

    state: State
    match: str
    sides: tuple[tuple[str, str], ...]  # letter and company
    at: datetime
    begun_at: datetime | None
    pace: int
    minutes_late: int
    is_overdue: bool  # its time has passed, and it hasn't begun
    is_off: bool
    told: BattleSoFar | None
    next_ms: int  # until there is more to show

    @property
    def step(self) -> int:
        return self.told.step if self.told else 0


def premiere_row(premiere: WatchParty, now: datetime | None = None) -> PremiereRow:
    """Return the watch party at that moment; now if none is given."""
    now = now or timezone.now()
    match = premiere.match
    is_told = premiere.ends_at is None or now < premiere.ends_at
    state: State = (
        "soon" if count_steps_shown(premiere, now) == 0 and not premiere.is_off else "on" if is_told else "ending"
    )
    if premiere.is_off:
        state = "ending"
    sides = [side.company.name for side in (match.attacker, match.defender) if side is not None]
    return PremiereRow(
        state=state,
        match=str(match),
        sides=tuple(zip(SIDE_LETTERS, sides, strict=False)),
        at=premiere.at,
        begun_at=premiere.began_at,
        pace=premiere.pace,
        minutes_late=premiere.minutes_late,
        is_overdue=premiere.began_at is None and now >= premiere.at + WatchParty.LATE,
        is_off=premiere.is_off,
        told=battle_so_far(premiere, now),
        next_ms=round(seconds_until_next(premiere, now) * 1000),
    )


def render_stage(row: WatchParty, shown: PremiereRow, where: str = "page") -> str:
    """Return the HTML of the stage at this step; empty before the first step and after the last.

    It is cached: it is the same for all readers and changes only with the companies' colours. `where`: page or wall.
    """
    if shown.told is None or shown.told.map is None:
        return ""
    context = {
        "told": shown.told,
        "map": shown.told.map,
        "page": shown.told,
        "state": shown.state,
        "rulebook": roster_rules(shown.told.setup.system).rulebook,
        "hits": shown.told.hits,
        "boxes": shown.told.boxes,
        "where": where,
    }
    liveries = tuple(shown.told.liveries.items())
    shows = (row.pk, row.began_at, shown.step, shown.state, where, liveries)
    return render_fragment("campaigns/_premiere_stage.html", *shows, context=lambda: context)


@dataclass(frozen=True, slots=True, kw_only=True)
class PremiereNote:
    """What the page of a match says about its watch party, and what its reader can do."""

    premiere: WatchParty | None  # upcoming or running
    may_announce: bool
    ended: str  # why the last one wasn't shown to its end; for those who may announce another


def premiere_note(match: Match, rights: policy.Rights) -> PremiereNote | None:
    """Return None if there is nothing to say to a reader with these rights in the match's club."""
    live, last = live_premiere(match), getattr(match, "premiere", None)
    campaign = match.round.campaign
    may = (
        match.state in MatchState.awaiting_reports()
        and match.defender is not None
        and match.round.state != RoundState.PLANNED
        and campaign.state == CampaignState.RUNNING
        and campaign.absent_rule == AbsentRule.ORDERS
        and rights.may_run
    )
    if live is None and not may:
        return None
    ended = (last.ended or last.failure) if may and live is None and last is not None else ""
    return PremiereNote(premiere=live, may_announce=may, ended=ended)


def _on_walls(club: int, until: datetime) -> QuerySet[WatchParty]:
    rows = WatchParty.objects.filter(
        match__round__campaign__club=club,
        match__round__campaign__state=CampaignState.RUNNING,
        status__in=WatchParty.LIVE,
        is_off=False,
        at__lte=until,
    )
    sides = ("match__attacker__company", "match__defender__company")
    return rows.select_related(*sides, "match__round__campaign").order_by("at")[:3]


DISPLAY_PREMIERES = PreparedQuery(_on_walls, club=int, until=datetime)


def premieres_on_display(club: int, now: datetime) -> list[tuple[WatchParty, PremiereRow]]:
    """Return a club's watch parties that are running or begin within the hour; one query."""
    return [(row, premiere_row(row, now)) for row in DISPLAY_PREMIERES.rows(club=club, until=now + DISPLAY_LEAD_TIME)]
