"""Delete battles, odds and dice that have expired or that a killed worker left behind.

Rows that a match or a ledger refers to stay, and so do the battles of players.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from battles.models import (
    ASKED_BY_SITE,
    SIMULATION_MODELS,
    Battle,
    BattleSide,
    BestAnswer,
    BestBuild,
    BestChange,
    Calculation,
    Chunk,
    Curve,
    Fork,
    LiveEvent,
    LiveSeat,
    LiveTable,
    Record,
    RecordCheck,
    SealedDice,
    SoloBattle,
    WhatIf,
)
from rosters.jobs import JobStatus
from rosters.models import LedgerEntry
from rosters.site.retention import Clearing, clear_rows, expires_at, expiry_cutoff, unreferenced

OVER = (JobStatus.DONE, JobStatus.FAILED, JobStatus.CALLED_OFF)
NO_VISITOR = ("", ASKED_BY_SITE)  # the askers of battles and dice for matches and gazettes


def battle_kept_until(battle: Battle) -> datetime | None:
    """Return the expiry of a visitor's battle; None if it never expires or hasn't ended."""
    is_visitors = battle.asked_by_id is None and battle.asked_from not in NO_VISITOR
    return expires_at(battle.ended_at, settings.KEEP_VISITORS_DAYS) if is_visitors and battle.is_over else None


def count_kept_until(count: Calculation) -> datetime | None:
    """Return the expiry of odds if nobody asks for them again.

    None if they never expire, a match refers to them, or they haven't ended.
    """
    if not count.is_over:
        return None
    kind = type(count)
    if not unreferenced(kind._default_manager.filter(pk=count.pk), WhatIf, BestAnswer, BestChange, BestBuild).exists():
        return None
    return expires_at(count.asked_at, settings.KEEP_ODDS_DAYS)


def clear_battles(run: Clearing) -> int:
    """Delete old battles of visitors, with their records."""
    old = expiry_cutoff(run.now, settings.KEEP_VISITORS_DAYS)
    if old is None:
        return 0
    rows = Battle.objects.filter(status__in=OVER, ended_at__lt=old, asked_by=None).exclude(asked_from__in=NO_VISITOR)
    return clear_rows(
        unreferenced(rows, BattleSide, Record, Curve, Fork, RecordCheck).only("pk", "key"), run, kept=_in_a_ledger
    )


def clear_counts(kind: type[Calculation], run: Clearing) -> int:
    """Delete old odds, comparisons or matrices that no match or comparison refers to."""
    old = expiry_cutoff(run.now, settings.KEEP_ODDS_DAYS)
    if old is None:
        return 0
    over = Q(status__in=OVER, asked_at__lt=old) & (Q(ended_at=None) | Q(ended_at__lt=old))
    return clear_rows(unreferenced(kind._default_manager.filter(over)).only("pk"), run)


def clear_checks(run: Clearing) -> int:
    """Delete old checks of records; a record can be checked again at any time."""
    old = expiry_cutoff(run.now, settings.KEEP_VISITORS_DAYS)
    return clear_rows(RecordCheck.objects.filter(status__in=OVER, ended_at__lt=old).only("pk"), run) if old else 0


def clear_dice(run: Clearing) -> int:
    """Delete visitors' old dice that were never rolled, or whose battle is gone."""
    old = expiry_cutoff(run.now, settings.KEEP_VISITORS_DAYS)
    if old is None:
        return 0
    rows = SealedDice.objects.filter(asked_by=None, sealed_at__lt=old).exclude(asked_from__in=NO_VISITOR)
    return clear_rows(unreferenced(rows).only("pk"), run)


def clear_chunks(run: Clearing) -> int:
    """Delete chunks of odds that have ended or no longer exist."""
    gone = 0
    for key in list(Chunk.objects.order_by().values_list("count_key", flat=True).distinct()):
        with transaction.atomic():
            if any(_is_running(kind, key) for kind in SIMULATION_MODELS):
                continue
            left = Chunk.objects.filter(count_key=key)
            gone += left.count() if run.is_dry else left.delete()[0]
    return gone


def _is_running(kind: type[Calculation], key: UUID) -> bool:
    """Return whether a simulation with that key is waiting or running.

    Its row is locked, so that it doesn't start meanwhile.
    """
    row = kind._default_manager.filter(key=key).select_for_update().only("status").first()
    return row is not None and not row.is_over


def _in_a_ledger(found: Iterable[Battle]) -> set[int]:
    ids = {str(battle.key): battle.pk for battle in found}
    causes = LedgerEntry.objects.filter(cause_ref__in=list(ids)).values_list("cause_ref", flat=True)
    return {ids[cause] for cause in causes}


def clear_tables(run: Clearing) -> int:
    """Delete old tables without a player, with their dice."""
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
    """Delete visitors' online battles that have waited too long."""
    old = expiry_cutoff(run.now, settings.KEEP_VISITORS_DAYS)
    rows = SoloBattle.objects.filter(asked_by=None, touched_at__lt=old) if old else None
    return clear_rows(rows.only("pk"), run) if rows is not None else 0
