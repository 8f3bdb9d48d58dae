"""Open the table of a match, once, for the players of both sides."""

from __future__ import annotations

from django.db import transaction

from battles.live.services import table_close, table_open_for
from battles.models import LiveSeat, LiveTable
from campaigns.diary import match_diary
from campaigns.locks import match_lock
from campaigns.models import Match, MatchState, MatchTable
from campaigns.policy import sides_of
from rosters.models import Player
from rosters.services import RefusedError


@transaction.atomic
def match_table_seat(*, match: Match, side: int, by: Player) -> LiveSeat:
    """Return that side's seat at the match's table, which is opened if there is none yet."""
    locked = match_lock(match)
    if side not in sides_of(by, locked):
        raise RefusedError("side", "You play no side of this match.")
    found = MatchTable.objects.filter(match=locked).first()
    if found is None:
        found = _open_table(locked, by)
    return LiveSeat.objects.get(table=found.table_id, side=side)


def _open_table(match: Match, by: Player) -> MatchTable:
    if match.state not in MatchState.undecided() or match.defender is None:
        raise RefusedError("match", "This match is decided; nothing is played of it any more.")
    if match.setup is None:
        raise RefusedError(
            "forces", "The forces of this match are not open yet: both sides seal what they bring first."
        )
    players = [match.attacker.company.owner, match.defender.company.owner]
    table = table_open_for(setup=match.setup, players=players)
    match_diary(match, f"{by} set a table for {match.round}, table {match.number}", by)
    return MatchTable.objects.create(match=match, table=table)


def match_table_close(*, match: Match) -> None:
    """Close the table of a decided match: nothing more can be marked, and its dice are open."""
    table = LiveTable.objects.filter(match_table__match=match).select_related("dice").first()
    if table is not None:
        table_close(table=table)
