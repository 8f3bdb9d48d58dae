"""How units enter the table: all at once, in turns, from reserve. ST-020 to ST-027."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.rules.facts import (
    count_standing,
    end_of_units,
    first_unit,
    is_within,
    sees,
    would_engage,
)
from systems.mechastellar.battle.rules.heights import high_disc, settle
from systems.mechastellar.battle.rules.movement import place
from systems.mechastellar.battle.rules.terrain import ALONG, is_in_water
from systems.mechastellar.battle.state import State
from systems.mechastellar.battle.told import place_note

APART = 16.0  # minimum distance from an enemy that isn't hidden


def deploy(s: State, i: int, x: float, y: float, log: Log) -> None:
    """Place unit i, facing the other side. ST-022, ST-023, ST-027."""
    place_facing_enemy(s, i, x, y)
    note(log, "unit-deployed", place_note(s, i), unit=i)
    if s.battle.advanced:
        settle(s, i, log)


def place_facing_enemy(s: State, i: int, x: float, y: float) -> None:
    """Put unit i at (x, y), facing the other side."""
    u = s.units[i]
    u.status = c.STANDS
    u.face_x = 0.0
    u.face_y = 1.0 if u.side == c.SIDE_A else -1.0
    place(s, i, x, y)


def larger_side(s: State) -> int:
    """Return the side with more models to set up, not counting those aboard ships; NOBODY on a tie. ST-022, ST-024."""
    a = count_standing(s, c.SIDE_A)
    b = count_standing(s, c.SIDE_B)
    if a == b:
        return c.NOBODY
    return c.SIDE_A if a > b else c.SIDE_B


def roll_who_deploys(s: State, dice: Dice, log: Log) -> int:
    """Roll for sides with equal numbers of models: the loser places the first unit. ST-024, ST-D75."""
    first = c.NOBODY
    while first == c.NOBODY:
        own = roll(dice, 10)
        theirs = roll(dice, 10)
        if own != theirs:
            first = c.SIDE_A if own < theirs else c.SIDE_B
        note(log, "deployment-rolled", face1=own, face2=theirs, first=first)
    return first


def may_be_placed(s: State, i: int, x: float, y: float) -> bool:
    """Return True if unit i may be placed there in turns: dry, not high, far from enemies or hidden. ST-024, ST-025."""
    if high_disc(s, x, y) >= 0 or is_in_water(s, x, y):
        return False
    side = 1 - s.units[i].side
    for k in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        v = s.units[k]
        if v.status == c.STANDS and is_within(x, y, v.x, v.y, APART) and sees(s, x, y, v.x, v.y):
            return False
    return True


def hold_back(s: State, i: int, log: Log) -> None:
    """Keep unit i, which has no place, in reserve. ST-026."""
    s.units[i].status = c.RESERVE
    note(log, "unit-reserved", unit=i)


def is_free_at_edge(s: State, i: int, x: float, y: float) -> bool:
    """Return True if unit i may come in there: on dry land, and no enemy would be engaged with it."""
    if is_in_water(s, x, y):
        return False
    u = s.units[i]
    for k in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        if s.units[k].status == c.STANDS and would_engage(u, x, y, s.units[k]):
            return False
    return True


def come_in(s: State, i: int, x: float, log: Log) -> bool:
    """Bring unit i in from reserve on its own edge near x; return False if there is no room. ST-026, ST-080.

    It comes in on top of High Ground if there is any.
    """
    y = 0.0 if s.units[i].side == c.SIDE_A else s.battle.table
    far = 0.0
    while far <= s.battle.table:
        for sign in range(2):
            at = x + far if sign == 0 else x - far
            if 0.0 <= at <= s.battle.table and is_free_at_edge(s, i, at, y):
                place_facing_enemy(s, i, at, y)
                note(log, "unit-arrived", place_note(s, i), unit=i)
                if high_disc(s, at, y) >= 0:
                    s.units[i].high = 1
                    note(log, "unit-arrived-high", unit=i)
                return True
        far += ALONG
    return False
