"""Export, leaving and deletion of tables: a player's files, the end of their seats, and old tables of visitors."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings

from battles.models import LiveEvent, LiveSeat, LiveTable, SealedDice
from rosters.models import Player
from rosters.site.clearing import Clearing, clear_rows, unreferenced
from rosters.site.keeping import expiry_cutoff
from rosters.site.leaving import Farewell, Fate
from rosters.site.takeout import ExportFile, ExportPart, isoformat, to_json_text


def _table_files(player: Player) -> Iterator[ExportFile]:
    seats = LiveSeat.objects.filter(player=player).select_related("table").order_by("pk")
    yield "tables.json", to_json_text([_table_to_dict(seat) for seat in seats.iterator(chunk_size=50)])


def _table_to_dict(seat: LiveSeat) -> dict[str, object]:
    """Return the table with what this player did there."""
    table = seat.table
    return {
        "title": table.title,
        "side": seat.side,
        "set_at": isoformat(table.at),
        "ended_at": isoformat(table.ended_at),
        "setup": table.setup,
        "acts": [
            {"place": act.place, "at": isoformat(act.at), "kind": act.kind, "facts": act.facts}
            for act in table.events.filter(side=seat.side)
        ],
    }


TABLES_PART = ExportPart(
    path="tables.json",
    about="Tables that you played at with your phone, and all that you marked, rolled and sealed there.",
    files=_table_files,
)


def seats_fate(number: int) -> Fate:
    """Return what happens to the player's seats when they leave; `number` is how many there are."""
    what = "tables that you played at" if number != 1 else "table that you played at"
    return Fate(number, what, "kept for who sat opposite, without your name", goes=False)


def seats_leave(gone: Farewell) -> None:
    LiveTable.objects.filter(made_by=gone.player).update(made_by=None)
    LiveSeat.objects.filter(player=gone.player).update(player=None, is_closed=True, name=gone.name[:60])


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
