"""The table of a match is set once, for the players of both sides."""

from __future__ import annotations

from django.db import transaction

from battles.live.services import table_close, table_open_for
from battles.models import LiveSeat, LiveTable
from campaigns.models import Match, MatchTable
from campaigns.policy import UNDECIDED, sides_of
from campaigns.services._base import match_diary, match_lock
from rosters.models import Player
from rosters.services import RefusedError


@transaction.atomic
def match_table(*, match: Match, side: int, by: Player) -> LiveSeat:
    """The seat of that side at the match's table, which is set if nobody has yet."""
    locked = match_lock(match)
    if side not in sides_of(by, locked):
        raise RefusedError("side", "You play no side of this match.")
    found = MatchTable.objects.filter(match=locked).first()
    if found is None:
        found = _set(locked, by)
    return LiveSeat.objects.get(table=found.table_id, side=side)


def _set(match: Match, by: Player) -> MatchTable:
    if match.state not in UNDECIDED or match.defender is None:
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
    """Nothing more is marked at the table of a match that is decided, and its dice are open."""
    table = LiveTable.objects.filter(match_table__match=match).select_related("dice").first()
    if table is not None:
        table_close(table=table)
