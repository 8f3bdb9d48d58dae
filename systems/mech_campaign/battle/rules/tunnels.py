"""Tracks underground and the tunnel mouths. MC-060 to MC-063."""

from __future__ import annotations

from systems.engine.dice import Log, note
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.rules.facts import is_crowded, is_near_enemy
from systems.mech_campaign.battle.state import State

MOUTHS = 4
FIRST_TURN = 2  # MC-060


def mouth_x(s: State, side: int, m: int) -> int:
    """Return the x of the m-th mouth from a side's view; for side B the table is turned round. Ledger 6.7."""
    return s.mouths[m].x if side == c.SIDE_A else s.battle.table - s.mouths[m].x


def mouth_y(s: State, side: int, m: int) -> int:
    """Return the y, as `mouth_x` does the x."""
    return s.mouths[m].y if side == c.SIDE_A else s.battle.table - s.mouths[m].y


def can_emerge(s: State, i: int, m: int) -> bool:
    """Return True if track i may come up at a mouth now. MC-060, MC-061."""
    side = s.units[i].side
    x = mouth_x(s, side, m)
    y = mouth_y(s, side, m)
    return s.battle.turn >= FIRST_TURN and not is_near_enemy(s, side, x, y) and not is_crowded(s, i, x, y)


def emerge(s: State, i: int, m: int, cost: int, log: Log) -> None:
    """Bring track i up at an allowed mouth. MC-060, MC-062."""
    u = s.units[i]
    u.status = c.TABLE
    u.x = mouth_x(s, u.side, m)
    u.y = mouth_y(s, u.side, m)
    note(log, "unit-emerged", unit=i, cost=cost, x=u.x, y=u.y)
