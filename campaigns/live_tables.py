"""Open and close the live table of a match, and read how its game ended."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction
from django.urls import reverse

from battles.hooks import TableEnd
from battles.live.services import table_close, table_open_for
from battles.live.sheet import WINNER, table_sheet
from battles.live.state import SEAL, acts_of, table_state
from battles.models import LiveSeat, LiveTable
from campaigns.activity_log import log_match_activity
from campaigns.locks import match_lock
from campaigns.models import Match, MatchState, MatchTable
from campaigns.policy import sides_of
from rosters.database.queries import PreparedQuery
from rosters.models import Player
from rosters.services import RefusedError
from systems.reading import stored_setup
from systems.scenarios import SIDES


@transaction.atomic
def match_table_seat(*, match: Match, side: int, by: Player) -> LiveSeat:
    """Return that side's seat at the match's table, which is opened if there is none yet."""
    locked = match_lock(match)
    if side not in sides_of(by, locked):
        raise RefusedError("side", "You don't play in this match.")
    found = MatchTable.objects.filter(match=locked).first()
    if found is None:
        found = _open_table(locked, by)
    return LiveSeat.objects.get(table=found.table_id, side=side)


def _open_table(match: Match, by: Player) -> MatchTable:
    if match.state not in MatchState.undecided() or match.defender is None:
        raise RefusedError("match", "This match is already decided, so you can't start a game for it.")
    if match.setup is None:
        raise RefusedError("forces", "The lists aren't revealed yet. Both sides have to submit theirs first.")
    players = [match.attacker.company.owner, match.defender.company.owner]
    table = table_open_for(setup=match.setup, players=players)
    log_match_activity(match, f"{by} started a game for {match.round}, table {match.number}", by)
    return MatchTable.objects.create(match=match, table=table)


def match_table_close(*, match: Match) -> None:
    """Close the table of a decided match: nothing more can be marked, and its dice are open."""
    table = LiveTable.objects.filter(match_table__match=match).select_related("dice").first()
    if table is not None:
        table_close(table=table)


MATCH = PreparedQuery(lambda table: Match.objects.filter(live__table=table).values_list("key", "state"), table=int)


def table_report(match: Match, side: int) -> dict[str, object] | None:
    """Return the report/1 of the match's table, without units hidden from that side.

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
    seen = replace(
        sheet, table_units=tuple(table_unit for table_unit in sheet.table_units if table_unit.key not in hidden)
    )
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
            label="Go to match",
            url=reverse("campaigns:match", kwargs={"key": key}),
        )
    return TableEnd(
        words="Check the report and send it. If your opponent’s report agrees, the match is confirmed.",
        label="Report result",
        url=reverse("campaigns:match_report", kwargs={"key": key}) + f"?side={SIDES[seat.side]}",
    )
