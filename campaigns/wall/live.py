"""How far the tables are that are played just now: the round, and what each side has lost, by their phones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from battles.live.fold import Act, fold
from battles.live.sheet import DESTROYED, ROUND, table_sheet
from battles.models import LiveEvent
from campaigns.models import Match, MatchTable
from systems.documents import DocumentError
from systems.reading import stored_setup

MOST = 12  # tables that are looked at
QUIET = timedelta(hours=6)  # after that nobody plays there any more


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveScore:
    """Of a table that is played."""

    round: int
    lost: tuple[int, int]  # units of attacker and defender


def live_scores(matches: Iterable[Match], now: datetime | None = None) -> dict[int, LiveScore]:
    """The scores of those of the matches that are being played, by match."""
    rows = MatchTable.objects.filter(
        match__in=[match.pk for match in matches],
        table__ended_at=None,
        table__length__gt=0,
        table__touched_at__gt=(now or timezone.now()) - QUIET,
    )
    shown = list(rows.select_related("table").order_by("-table__touched_at")[:MOST])
    acts = _acts([row.table_id for row in shown])
    found = {}
    for row in shown:
        try:
            sheet = table_sheet(stored_setup(row.table.setup))
        except DocumentError:  # of a release that knew another game
            continue
        values = fold(sheet, acts.get(row.table_id, [])).values
        lost = [plate.side for plate in sheet.plates if DESTROYED in plate.fate_of(values)]
        found[row.match_id] = LiveScore(round=int(values[ROUND]), lost=(lost.count(0), lost.count(1)))
    return found


def _acts(tables: Iterable[int]) -> dict[int, list[Act]]:
    """The logs of these tables, each in its order. One query."""
    found: dict[int, list[Act]] = {}
    rows = LiveEvent.objects.filter(table__in=tables).order_by("table", "place")
    for table, place, side, kind, facts, seen in rows.values_list("table", "place", "side", "kind", "facts", "seen"):
        found.setdefault(table, []).append(Act(place=place, side=side, kind=kind, facts=facts, seen=seen))
    return found
