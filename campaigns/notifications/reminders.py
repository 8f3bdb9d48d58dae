"""Reminders before deadlines: the timer sends them for what a player still has to do, once per deadline."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from campaigns.models import (
    CampaignState,
    Match,
    MatchDate,
    MatchState,
    NotificationEvent,
    NotificationPreferences,
    PairingState,
    RoundState,
    SeasonPairing,
    SeasonRoundState,
    SeasonState,
)
from campaigns.notifications import notify
from campaigns.notifications.open_tasks import WaitingRow, waiting_rows
from campaigns.notifications.services import REMINDER_HOURS
from rosters.models import Player
from rosters.site.heartbeats import skip_unreadable

EVENT_BY_KIND = {  # by kind of waiting row
    "seal": "forces-due",
    "reseal": "forces-due",
    "report": "report-due",
    "confirm": "report-due",
    "agree": "agree-due",
}
MAX_LEAD_TIME = timedelta(hours=max(REMINDER_HOURS))
SEASON_KEY = 0  # in place of a campaign
Opened = dict[tuple[int, datetime], datetime | None]  # when a round opened, by its campaign and deadline


def send_reminders(*, now: datetime | None = None) -> int:
    """Remind all players who have something due soon. Return the number of reminders.

    Each player chooses how long before, but no reminder is sent in the first half of a round.
    """
    now = now or timezone.now()
    players, opened = _players_with_deadlines(now)
    hours = dict(NotificationPreferences.objects.filter(player__in=players).values_list("player", "remind_hours"))
    number = 0
    for player in Player.objects.filter(pk__in=players, is_active=True).order_by("pk"):
        with skip_unreadable(f"reminders of player {player.pk}"):
            wanted = timedelta(hours=hours.get(player.pk, NotificationPreferences.REMINDED))
            due = {_check_unique(player, row, kind): (row, kind) for row, kind in _due(player, wanted, opened, now)}
            sent = set(NotificationEvent.objects.filter(once__in=due).values_list("once", flat=True))
            for once, (row, kind) in due.items():
                with skip_unreadable(f"reminder {once}"):
                    number += once not in sent and _remind(player, row, kind, once)
    return number + _remind_of_dates(now)


def _remind_of_dates(now: datetime) -> int:
    """Remind both sides of each agreed date that is near, if the match is still to be played. Return the number."""
    near = MatchDate.objects.filter(
        agreed_at__gt=now,
        agreed_at__lte=now + MAX_LEAD_TIME,
        match__state=MatchState.SCHEDULED,
        match__round__state=RoundState.OPEN,
        match__round__campaign__state=CampaignState.RUNNING,
    )
    sides = ("match__attacker__company__owner", "match__defender__company__owner")
    rows = list(near.select_related("match__round__campaign__club", *sides).order_by("pk"))
    due: dict[str, tuple[MatchDate, Player]] = {}
    for row in rows:
        for side in (row.match.attacker, row.match.defender):
            if side is not None and row.agreed_at is not None:
                owner = side.company.owner
                due[f"date-near:{row.match.key}:{owner.pk}:{row.agreed_at:%Y%m%d%H%M}"] = (row, owner)
    hours = dict(
        NotificationPreferences.objects.filter(player__in=[owner for _, owner in due.values()]).values_list(
            "player", "remind_hours"
        )
    )
    sent = set(NotificationEvent.objects.filter(once__in=due).values_list("once", flat=True))
    number = 0
    for once, (row, owner) in due.items():
        assert row.agreed_at is not None
        wanted = timedelta(hours=hours.get(owner.pk, NotificationPreferences.REMINDED))
        if once not in sent and owner.is_active and now >= row.agreed_at - wanted:
            with skip_unreadable(f"reminder {once}"):
                number += notify.date_near(row.match, row.agreed_at, owner, once)
    return number


def _players_with_deadlines(now: datetime) -> tuple[set[int], Opened]:
    """Return the players with a match to decide or a game to agree on soon, and when its round opened."""
    rows = Match.objects.filter(
        state__in=MatchState.undecided(),
        defender__isnull=False,
        round__state=RoundState.OPEN,
        round__deadline__gt=now,
        round__deadline__lte=now + MAX_LEAD_TIME,
        round__campaign__state=CampaignState.RUNNING,
    )
    players: set[int] = set()
    opened: Opened = {}
    for match in rows.values_list(
        "attacker__company__owner",
        "defender__company__owner",
        "round__campaign",
        "round__deadline",
        "round__opens_at",
        named=True,
    ):
        players |= {match.attacker__company__owner, match.defender__company__owner}
        if match.round__deadline is not None:
            opened[match.round__campaign, match.round__deadline] = match.round__opens_at
    pairings = SeasonPairing.objects.filter(
        state=PairingState.AGREEING,
        blocked_reason="",
        two__isnull=False,
        round__state=SeasonRoundState.OPEN,
        round__agree_by__gt=now,
        round__agree_by__lte=now + MAX_LEAD_TIME,
        round__season__state=SeasonState.RUNNING,
    )
    for pairing in pairings.values_list("one__player", "two__player", "round__agree_by", "round__opens_at", named=True):
        players |= {pairing.one__player, pairing.two__player}
        if pairing.round__agree_by is not None:
            opened[SEASON_KEY, pairing.round__agree_by] = pairing.round__opens_at
    return players, opened


def _due(player: Player, wanted: timedelta, opened: Opened, now: datetime) -> Iterator[tuple[WaitingRow, str]]:
    for row, kind in waiting_rows(player):
        if kind not in EVENT_BY_KIND or row.due is None or row.due <= now:
            continue
        opens_at = opened.get((row.campaign, row.due))
        before = min(wanted, (row.due - opens_at) / 2) if opens_at else wanted
        if now >= row.due - before:
            yield row, kind


def _check_unique(player: Player, row: WaitingRow, kind: str) -> str:
    assert row.due is not None
    return f"{EVENT_BY_KIND[kind]}:{row.ref}:{player.pk}:{row.due:%Y%m%d%H%M}"


@transaction.atomic
def _remind(player: Player, row: WaitingRow, kind: str, once: str) -> bool:
    if kind == "agree":
        sides = ("one__player", "two__player")
        pairing = SeasonPairing.objects.select_related("round__season__club", *sides).filter(key=row.ref).first()
        return pairing is not None and notify.agree_due(pairing, player, once)
    match = Match.objects.select_related("round__campaign__club").filter(key=row.ref).first()
    if match is None:
        return False
    return notify.remind(EVENT_BY_KIND[kind], match, f"{row.a} against {row.b}", player, once)
