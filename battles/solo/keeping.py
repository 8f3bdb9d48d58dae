"""Unfinished online battles against the AI: a player's export of them, and when a visitor's are deleted."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings

from battles.models import SoloBattle
from rosters.models import Player
from rosters.site.clearing import Clearing, clear_rows
from rosters.site.keeping import expiry_cutoff
from rosters.site.takeout import ExportFile, ExportPart, isoformat, to_json_text


def clear_solo(run: Clearing) -> int:
    """Delete online battles against the AI that have waited too long for a visitor."""
    old = expiry_cutoff(run.now, settings.KEEP_VISITORS_DAYS)
    rows = SoloBattle.objects.filter(asked_by=None, touched_at__lt=old) if old else None
    return clear_rows(rows.only("pk"), run) if rows is not None else 0


def _solo_files(player: Player) -> Iterator[ExportFile]:
    told = [
        {
            "title": row.title,
            "begun_at": isoformat(row.at),
            "setup": row.setup,
            "sides": row.sides,
            "colours": row.liveries,
            "after": row.after,
            "events": row.events,
            "answers": row.answers,
        }
        for row in SoloBattle.objects.filter(asked_by=player).order_by("pk")
    ]
    yield "battles-by-hand.json", to_json_text(told)


SOLO_PART = ExportPart(
    path="battles-by-hand.json",
    about="Battles that you play by hand and have not ended, with your answers.",
    files=_solo_files,
)
