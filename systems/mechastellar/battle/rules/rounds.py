"""Deployment, Commanders, the start of a Round and of a turn.

Units enter the table all at once, in turns, or from reserve: ST-020 to ST-027.
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.log_notes import place_note
from systems.mechastellar.battle.rules import (
    count_standing,
    count_surviving,
    count_units,
    end_of_units,
    first_unit,
    is_ahead,
    is_to_activate,
    is_within,
    mark_engaged,
    sees,
    would_engage,
)
from systems.mechastellar.battle.rules.movement import ALONG, high_disc, is_in_water, place, settle
from systems.mechastellar.battle.rules.resources import end_battle, new_prices, refresh, start_momentum
from systems.mechastellar.battle.state import State


def highest_hp(s: State, side: int) -> int:
    """Return the unit of a side with the most HP, on ties the first. Ledger 6.2."""
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
    """Set a side's starting Momentum. ST-240."""
    elite = 0
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        elite += s.units[i].elite
    s.sides[side].momentum = start_momentum(elite)
    s.sides[side].start = s.sides[side].momentum
    note(log, "momentum-filled", side=side, elite=elite, pool=s.sides[side].momentum)


def begin_round(s: State, dice: Dice, log: Log) -> None:
    """Refresh everything and roll for the first turn. ST-040, ST-222, ST-228, ST-249, ST-266."""
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
    """Return True if unit i may be activated now; a Warship waits until all others are done. ST-041, ST-044, ST-D31."""
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
    """Return True if a side has a unit that hasn't been active this Round. ST-041, ST-042."""
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        u = s.units[i]
        if is_to_activate(u):
            return True
    return False


def is_obliged(s: State, i: int) -> bool:
    """Return True if unit i was attacked by the aggressor and may respond now. ST-045."""
    b = s.battle
    return b.aggressor >= 0 and is_ready_to_act(s, i) and s.units[b.aggressor].attacked >> i & 1 == 1


def has_obliged(s: State, side: int) -> bool:
    """Return True if a side's next unit must be one that was attacked. ST-045."""
    b = s.battle
    for i in range(first_unit(b, side), end_of_units(b, side)):
        u = s.units[i]
        if is_to_activate(u) and is_obliged(s, i):
            return True
    return False


def mark_behind(s: State, i: int) -> None:
    """Record the units to whose rear unit i starts its turn. ST-065, ST-D33."""
    u = s.units[i]
    u.behind = 0
    for k in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        v = s.units[k]
        if v.status == c.STANDS and not is_ahead(v.x, v.y, v.face_x, v.face_y, u.x, u.y):
            u.behind |= 1 << k


def begin_turn(s: State, i: int, log: Log) -> None:
    """Activate unit i, and end everything that lasted for a turn, for all units. ST-041, ST-D51, ST-D76."""
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


APART = 16.0  # minimum distance from an enemy, unless hidden from it


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
    """Return the side with more models to deploy, without those aboard ships; NOBODY on a tie. ST-022, ST-024."""
    a = count_standing(s, c.SIDE_A)
    b = count_standing(s, c.SIDE_B)
    if a == b:
        return c.NOBODY
    return c.SIDE_A if a > b else c.SIDE_B


def roll_who_deploys(s: State, dice: Dice, log: Log) -> int:
    """Roll off between sides with equal numbers of models; the loser places first. ST-024, ST-D75."""
    first = c.NOBODY
    while first == c.NOBODY:
        own = roll(dice, 10)
        theirs = roll(dice, 10)
        if own != theirs:
            first = c.SIDE_A if own < theirs else c.SIDE_B
        note(log, "deployment-rolled", face1=own, face2=theirs, first=first)
    return first


def may_be_placed(s: State, i: int, x: float, y: float) -> bool:
    """Return True if unit i may be placed there in turns: dry, not high, far or hidden from enemies. ST-024, ST-025."""
    if high_disc(s, x, y) >= 0 or is_in_water(s, x, y):
        return False
    side = 1 - s.units[i].side
    for k in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        v = s.units[k]
        if v.status == c.STANDS and is_within(x, y, v.x, v.y, APART) and sees(s, x, y, v.x, v.y):
            return False
    return True


def hold_back(s: State, i: int, log: Log) -> None:
    """Keep unit i, for which there is no place, in reserve. ST-026."""
    s.units[i].status = c.RESERVE
    note(log, "unit-reserved", unit=i)


def is_free_at_edge(s: State, i: int, x: float, y: float) -> bool:
    """Return True if unit i can enter there: dry land, and no enemy would be engaged with it."""
    if is_in_water(s, x, y):
        return False
    u = s.units[i]
    for k in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        if s.units[k].status == c.STANDS and would_engage(u, x, y, s.units[k]):
            return False
    return True


def come_in(s: State, i: int, x: float, log: Log) -> bool:
    """Bring unit i in from reserve at its own edge near x; return False if there is no room. ST-026, ST-080.

    It enters on top of High Ground if there is any.
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
