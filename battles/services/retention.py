"""Delete battles, odds, dice and tables that are no longer kept."""

from __future__ import annotations

from django.conf import settings

from battles.models import (
    LiveEvent,
    LiveSeat,
    LiveTable,
    SealedDice,
    SoloBattle,
)
from rosters.site.retention import Clearing, clear_rows, expiry_cutoff, unreferenced


def clear_tables(run: Clearing) -> int:
    """Delete tables that belong to no player and haven't been touched for long, with their dice."""
    old = expiry_cutoff(run.now, settings.KEEP_VISITORS_DAYS)
    if old is None:
        return 0
    rows = LiveTable.objects.filter(touched_at__lt=old).exclude(seats__player__isnull=False)
    return clear_rows(unreferenced(rows, LiveSeat, LiveEvent).only("pk", "dice"), run, clear=_drop_tables)


def _drop_tables(found: list[LiveTable]) -> None:
    dice = [table.dice_id for table in found]
    LiveTable.objects.filter(pk__in=[table.pk for table in found]).delete()
    SealedDice.objects.filter(pk__in=dice).delete()


def clear_solo(run: Clearing) -> int:
    """Delete online battles against the AI that have waited too long for a visitor."""
    old = expiry_cutoff(run.now, settings.KEEP_VISITORS_DAYS)
    rows = SoloBattle.objects.filter(asked_by=None, touched_at__lt=old) if old else None
    return clear_rows(rows.only("pk"), run) if rows is not None else 0
