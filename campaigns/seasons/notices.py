"""Notifications of proposed games, limited so that a player who changes their mind often doesn't flood the opponent.

A side's opponent is notified of its first proposal at once, and of no other for a while. If its proposal then differs
from the last notification, they are notified again. Pages always show the current proposal.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TypedDict

from django.db import transaction
from django.utils import timezone

from campaigns.models import PairingState, SeasonPairing, SeasonRoundState, SeasonState
from campaigns.notifications import notify
from campaigns.seasons.services import season_lock
from rosters.site.heartbeats import skip_unreadable

MIN_INTERVAL = timedelta(minutes=30)


class _LastNotice(TypedDict):
    """The last notification to a side's opponent."""

    game: int | None  # None: the opponent has proposed another since, so it is out of date
    at: str


def notify_proposal(row: SeasonPairing) -> bool:
    """Notify the other side of a locked pairing's proposal, unless that is done or too soon. Return whether it was
    done.

    The caller saves the row.
    """
    side, now = str(row.proposing_side), timezone.now()
    other: _LastNotice | None = row.last_notices.get(str(1 - (row.proposing_side or 0)))
    if other is not None:
        other["game"] = None
    last: _LastNotice | None = row.last_notices.get(side)
    if last is not None and (
        last["game"] == row.proposed_id or now < datetime.fromisoformat(last["at"]) + MIN_INTERVAL
    ):
        return False
    row.last_notices[side] = _LastNotice(game=row.proposed_id, at=now.isoformat())
    notify.season_game_proposed(row)
    return True


def notify_due_proposals() -> int:
    """Send the notifications of proposals that are due. Return how many.

    Run by the timer; running it twice does no harm.
    """
    rows = SeasonPairing.objects.filter(
        state=PairingState.AGREEING,
        proposed__isnull=False,
        round__state=SeasonRoundState.OPEN,
        round__season__state=SeasonState.RUNNING,
    )
    found = rows.select_related("round__season").order_by("pk")
    number = 0
    for row in found:
        with skip_unreadable(f"proposal of pairing {row.key}"):
            number += _needs_notice(row) and _notify_due(row)
    return number


@transaction.atomic
def _notify_due(pairing: SeasonPairing) -> bool:
    season_lock(pairing.round.season)
    sides = ("one__player", "two__player")
    rows = SeasonPairing.objects.select_related("round__season__club", "proposed__campaign", *sides)
    is_open = {"round__state": SeasonRoundState.OPEN, "round__season__state": SeasonState.RUNNING}
    row = rows.filter(pk=pairing.pk, **is_open).first()
    if (
        row is None
        or row.state != PairingState.AGREEING
        or row.proposed is None
        or not _needs_notice(row)
        or not notify_proposal(row)
    ):
        return False
    row.save(update_fields=["last_notices"])
    return True


def _needs_notice(row: SeasonPairing) -> bool:
    last: _LastNotice | None = row.last_notices.get(str(row.proposing_side))
    return last is None or last["game"] != row.proposed_id
