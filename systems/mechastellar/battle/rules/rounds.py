"""Commanders, the start of a Round and of a turn, the next turn. ST-028, ST-040 to ST-049, ledger 6.2 and 6.3."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.rules.facts import (
    count_surviving,
    count_units,
    end_of_units,
    first_unit,
    is_to_activate,
    mark_engaged,
)
from systems.mechastellar.battle.rules.geometry import is_ahead
from systems.mechastellar.battle.rules.mission import end_battle
from systems.mechastellar.battle.rules.momentum import start_momentum
from systems.mechastellar.battle.rules.resources import new_prices, refresh
from systems.mechastellar.battle.state import State


def highest_hp(s: State, side: int) -> int:
    """Return the unit of a side with the most HP, the first on a tie. Ledger 6.2."""
    found = first_unit(s.battle, side)
    for i in range(found, end_of_units(s.battle, side)):
        if s.units[i].hp > s.units[found].hp:
            found = i
    return found


def name_commander(s: State, side: int, i: int, log: Log) -> None:
    """Name a side's Mission Commander. ST-028."""
    s.sides[side].commander = i
    note(log, "commander-named", unit=i, side=side)


def fill_momentum(s: State, side: int, log: Log) -> None:
    """Set the starting Momentum of a side. ST-240."""
    elite = 0
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        elite += s.units[i].elite
    s.sides[side].momentum = start_momentum(elite)
    s.sides[side].start = s.sides[side].momentum
    note(log, "momentum-filled", side=side, elite=elite, pool=s.sides[side].momentum)


def begin_round(s: State, dice: Dice, log: Log) -> None:
    """Refresh everything, and let both sides roll for the first turn. ST-040, ST-222, ST-228, ST-249, ST-266."""
    b = s.battle
    b.round += 1
    b.begun = 0
    b.aggressor = c.NOBODY
    b.challenger = c.NOBODY
    b.challenged = c.NOBODY
    note(log, "round-began", number=b.round)
    for i in range(count_units(s)):
        u = s.units[i]
        u.activated = 0
        u.improvised = 0
        u.crashed = 0
        u.fired = 0
        u.orders = 0
        refresh(u)
    for side in range(2):
        s.sides[side].ordered = 0
    b.first = c.NOBODY
    while b.first == c.NOBODY:
        own = roll(dice, 10)
        theirs = roll(dice, 10)
        if own != theirs:
            b.first = c.SIDE_A if own > theirs else c.SIDE_B
        note(log, "first-rolled", face1=own, face2=theirs, first=b.first)
    b.to_act = b.first


def is_ready_to_act(s: State, i: int) -> bool:
    """Return True if unit i may be activated now; a Warship waits until nobody else is left. ST-041, ST-044, ST-D31."""
    u = s.units[i]
    if not is_to_activate(u):
        return False
    if u.kind != c.WARSHIP:
        return True
    for k in range(count_units(s)):
        other = s.units[k]
        if other.kind != c.WARSHIP and is_to_activate(other):
            return False
    return True


def has_ready(s: State, side: int) -> bool:
    """Return True if a side has a unit that may be activated now. ST-041, ST-044."""
    b = s.battle
    for i in range(first_unit(b, side), end_of_units(b, side)):
        u = s.units[i]
        if u.activated == 0 and is_ready_to_act(s, i):
            return True
    return False


def has_to_activate(s: State, side: int) -> bool:
    """Return True if a side has a unit that has not been active in this Round. ST-041, ST-042."""
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        u = s.units[i]
        if is_to_activate(u):
            return True
    return False


def is_obliged(s: State, i: int) -> bool:
    """Return True if unit i was attacked by the aggressor and may answer it now. ST-045."""
    b = s.battle
    return b.aggressor >= 0 and is_ready_to_act(s, i) and s.units[b.aggressor].attacked >> i & 1 == 1


def has_obliged(s: State, side: int) -> bool:
    """Return True if the next unit of a side must be one of those attacked. ST-045."""
    b = s.battle
    for i in range(first_unit(b, side), end_of_units(b, side)):
        u = s.units[i]
        if is_to_activate(u) and is_obliged(s, i):
            return True
    return False


def mark_behind(s: State, i: int) -> None:
    """Record the units in whose rear unit i starts its turn. ST-065, ST-D33."""
    u = s.units[i]
    u.behind = 0
    for k in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        v = s.units[k]
        if v.status == c.STANDS and not is_ahead(v.x, v.y, v.face_x, v.face_y, u.x, u.y):
            u.behind |= 1 << k


def begin_turn(s: State, i: int, log: Log) -> None:
    """Activate unit i, and end everything that lasts for a turn, for all units. ST-041, ST-D51, ST-D76."""
    b = s.battle
    b.turns += 1
    b.begun += 1
    b.active = i
    new_prices(s)
    for k in range(count_units(s)):
        s.units[k].skill = c.NO_SKILL
        s.units[k].supported = 0
        s.units[k].more = 0
    u = s.units[i]
    u.open = 0
    u.crumbled = 0
    u.climbed = 0
    u.accelerated = 0
    u.attacked = 0
    u.struck = 0
    for k in range(u.weapon, u.weapon + u.weapons):
        s.weapons[k].used = 0
        s.weapons[k].remoted = 0
    mark_engaged(s)
    mark_behind(s, i)
    note(log, "unit-activated", unit=i, answers=b.aggressor >= 0, side=u.side)


def check_wiped_out(s: State, log: Log) -> None:
    """End the battle if a side has no units left. ST-371."""
    if s.battle.over == 0 and (count_surviving(s, c.SIDE_A) == 0 or count_surviving(s, c.SIDE_B) == 0):
        end_battle(s, c.WIPED_OUT, log)
