"""How far the tables being played are: the round, and each side's losses, from the players' phones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.core.cache import caches
from django.db.models import QuerySet
from django.utils import timezone

from battles.live.board import NOBODY
from battles.live.fold import Act, table_state
from battles.live.sheet import DESTROYED, ROUND, table_sheet
from battles.models import LiveEvent, LiveTable
from campaigns.models import MatchState, MatchTable, Round
from rosters.database.columns import columns
from rosters.site.compiled import PreparedQuery
from systems.documents import DocumentError
from systems.reading import stored_setup

MAX_TABLES = 12  # most tables looked at
TABLE_TIMEOUT = timedelta(hours=6)  # after that, nobody plays there any more
CACHE_SECONDS = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveScore:
    """The score of a table that is being played."""

    round: int
    lost: tuple[int, int]  # units of attacker and defender


def live_scores(row: Round, now: datetime | None = None) -> dict[int, LiveScore]:
    """Return the scores of the round's matches that are being played, by match.

    One query, and two more if something has happened since the last call.
    """
    tables = LIVE_TABLES.rows(round=row.pk, since=(now or timezone.now()) - TABLE_TIMEOUT)
    cache = caches["process"]
    keys = {each: f"live-score-3-{each.key}" for each in tables}
    kept: dict[str, tuple[int, LiveScore | None]] = cache.get_many(keys.values()) if keys else {}
    if wanted := [each for each, key in keys.items() if key not in kept or kept[key][0] != each.length]:
        found = dict(_scores(wanted))
        new = {keys[each]: (each.length, found.get(each)) for each in wanted}
        cache.set_many(new, CACHE_SECONDS)
        kept |= new
    return {each.match: score for each, key in keys.items() if (score := kept[key][1]) is not None}


class _Table(NamedTuple):
    """A table that is being played. Its first `length` acts never change."""

    match: int
    pk: int
    key: UUID
    length: int


def _live_tables(round: int, since: datetime) -> QuerySet[MatchTable, object]:
    rows = MatchTable.objects.filter(
        match__round=round,
        match__state__in=MatchState.undecided(),
        table__ended_at=None,
        table__length__gt=0,
        table__touched_at__gt=since,
    )
    return rows.order_by("-table__touched_at").values_list(
        *columns(_Table, pk="table", key="table__key", length="table__length")
    )[:MAX_TABLES]


LIVE_TABLES = PreparedQuery(_live_tables, _Table, round=int, since=datetime)


def _scores(tables: Sequence[_Table]) -> Iterator[tuple[_Table, LiveScore]]:
    """Yield the scores of tables with a set-up this version can read."""
    setups = dict(LiveTable.objects.filter(pk__in=[each.pk for each in tables]).values_list("pk", "setup"))
    acts = _acts(setups)
    for each in tables:
        try:
            sheet = table_sheet(stored_setup(setups[each.pk]))
        except DocumentError:  # from a version with another game
            continue
        state = table_state(sheet, [act for act in acts.get(each.pk, ()) if act.place <= each.length])
        plates = sheet.veiled(state.hidden_from(NOBODY)).plates  # the fate of a hidden unit isn't public yet
        lost = [plate.side for plate in plates if DESTROYED in plate.fate_of(state.values)]
        yield each, LiveScore(round=int(state.values[ROUND]), lost=(lost.count(0), lost.count(1)))


def _acts(tables: Iterable[int]) -> dict[int, list[Act]]:
    """Return the logs of these tables, each in order. One query."""
    found: dict[int, list[Act]] = {}
    rows = LiveEvent.objects.filter(table__in=tables).order_by("table", "place")
    for row in rows.values_list("table", "place", "side", "kind", "facts", "seen", named=True):
        act = Act(place=row.place, side=row.side, kind=row.kind, facts=row.facts, seen=row.seen)
        found.setdefault(row.table, []).append(act)
    return found
