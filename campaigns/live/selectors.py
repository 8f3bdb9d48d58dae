"""How a match's table ends."""

from __future__ import annotations

from dataclasses import replace

from django.urls import reverse

from battles.hooks import TableEnd
from battles.live.ending import acts_of
from battles.live.fold import SEAL, table_state
from battles.live.sheet import WINNER, table_sheet
from battles.models import LiveSeat
from campaigns.models import Match, MatchState, MatchTable
from rosters.site.compiled import PreparedQuery
from systems.force_limits import SIDES
from systems.reading import stored_setup

MATCH = PreparedQuery(lambda table: Match.objects.filter(live__table=table).values_list("key", "state"), table=int)


def table_report(match: Match, side: int) -> dict[str, object] | None:
    """Return the report/1 that the match's table comes to, without units hidden from that side.

    None if nothing has been played at a table. The winner may be missing.
    """
    found = MatchTable.objects.filter(match=match).select_related("table").first()
    if found is None or not found.table.length:
        return None
    sheet, acts = table_sheet(stored_setup(found.table.setup)), acts_of(found.table)
    if all(act.kind == SEAL for act in acts):
        return None
    state = table_state(sheet, acts)
    hidden = frozenset[str]() if found.table.ended_at is not None else state.hidden_from(side)
    seen = replace(sheet, plates=tuple(plate for plate in sheet.plates if plate.key not in hidden))
    report = seen.report(state.values)
    if not report[WINNER.partition(".")[2]]:
        del report["winner"]
    return report


def table_end(seat: LiveSeat) -> TableEnd | None:
    """Return where the table's players report the match: on the usual report form, filled in from the table."""
    found = MATCH.row(table=seat.table_id)
    if found is None:
        return None
    key, state = found
    if state not in MatchState.undecided():
        return TableEnd(
            words=f"The match is {MatchState(state).label}.",
            label="To the match",
            url=reverse("campaigns:match", kwargs={"key": key}),
        )
    return TableEnd(
        words="Look the report over and send it. When the other side sends the same, the match is confirmed.",
        label="Report the match",
        url=reverse("campaigns:report", kwargs={"key": key}) + f"?side={SIDES[seat.side]}",
    )
