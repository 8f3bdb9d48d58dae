"""The rules of Toy Soldiers: walk to the nearest enemy and strike; 4 or more is a hit. Run plain and compiled."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from tests.toy.battle import state as c
from tests.toy.battle.state import State

REACH = 6  # inches
STEP = 4
ROUNDS = 20


def stands(s: State, side: int) -> bool:
    standing = 0
    for i in range(s.battle.count):
        if s.units[i].side == side and s.units[i].hits > 0:
            standing += 1
    return standing > 0


def gap(s: State, i: int, e: int) -> int:
    return abs(s.units[i].place - s.units[e].place)


def nearest(s: State, i: int) -> int:
    """The nearest enemy, of two the first; NOBODY if none stands."""
    found = c.NOBODY
    for e in range(s.battle.count):
        is_enemy = s.units[e].side != s.units[i].side and s.units[e].hits > 0
        if is_enemy and (found == c.NOBODY or gap(s, i, e) < gap(s, i, found)):
            found = e
    return found


def act(s: State, i: int, dice: Dice, log: Log) -> None:
    u = s.units[i]
    e = nearest(s, i)
    if u.hits <= 0 or e == c.NOBODY:
        return
    if gap(s, i, e) > REACH and (u.doctrine == c.CHARGE or s.battle.round > 3):
        u.place += STEP if s.units[e].place > u.place else -STEP
        note(log, "moved", unit=i, place=u.place)
    if gap(s, i, e) <= REACH:
        face = roll(dice, 6)
        if face >= 4:
            s.units[e].hits -= 1
        note(log, "struck", unit=i, target=e, face=face, left=s.units[e].hits)
        if s.units[e].hits == 0:
            u.kills += 1
            note(log, "knocked-out", unit=e, target=i)


def begin(s: State, dice: Dice, log: Log) -> None:
    pass


def go_on(s: State, dice: Dice, log: Log) -> bool:
    b = s.battle
    b.round += 1
    note(log, "round-began", number=b.round)
    for i in range(b.count):
        act(s, i, dice, log)
    if stands(s, c.ATTACKER) and stands(s, c.DEFENDER):
        if b.round < ROUNDS:
            return True
        b.reason = c.ROUND_LIMIT
    else:
        b.winner = c.ATTACKER if stands(s, c.ATTACKER) else c.DEFENDER
        b.reason = c.SIDE_GONE
    note(log, "ended", winner=b.winner, reason=b.reason)
    return False
