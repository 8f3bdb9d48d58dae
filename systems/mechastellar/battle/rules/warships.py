"""Warships: moving, launching, repairs, reloading, orders, wrecks.

ST-044, ST-062, ST-146, ST-203 to ST-206, ST-280 to ST-282, ST-353.
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.log_notes import other_dice, path_note, place_note
from systems.mechastellar.battle.rules import (
    count_units,
    distance,
    end_of_units,
    first_unit,
    half_turned,
    is_within,
    mark_engaged,
)
from systems.mechastellar.battle.rules.damage import hurt
from systems.mechastellar.battle.rules.movement import (
    dry_length,
    dry_way,
    is_in_water,
    path_length_on_table,
    place,
    shift,
)
from systems.mechastellar.battle.rules.skills import roll_others
from systems.mechastellar.battle.state import Clash, State, Unit, Weapon

LANES = 4.0  # inches between launched units
PASSENGER_PEN, PASSENGER_SAVES = 5, 5
RELOADING = 2  # ends of Rounds before an empty weapon is ready again


def aboard(s: State, ship: int) -> int:
    """Return how many units are aboard a ship."""
    found = 0
    for i in range(count_units(s)):
        if s.units[i].status == c.ABOARD and s.units[i].ship == ship:
            found += 1
    return found


def sail(s: State, i: int, to_x: float, to_y: float, near: int, length: float, log: Log) -> None:
    """Make one of Warship i's Move Actions: turn up to 45 degrees, then sail straight ahead. ST-062, ST-D32."""
    u = s.units[i]
    u.moved_from_x = u.x
    u.moved_from_y = u.y
    u.face_x, u.face_y = half_turned(u.face_x, u.face_y, to_x, to_y)
    far = path_length_on_table(s.battle.table, u.x, u.y, u.face_x, u.face_y, length)
    far = dry_way(s, u.x, u.y, u.face_x, u.face_y, far)
    before = distance(s, i, near) if near >= 0 else 0.0
    if far > 0.0:
        place(s, i, u.x + u.face_x * far, u.y + u.face_y * far)
    note(log, "ship-moved", path_note(s, i), unit=i)
    if far > 0.0:
        shift(s, i, near, before, far, log)


def launch_spot(s: State, ship: Unit, at: int) -> tuple[float, float]:
    """Return the place where the `at`-th unit launches. ST-203, ST-351, ledger 6.9.

    It is ahead of the ship, with lanes alternately to the right and left for further units; without land it is at the
    ship.
    """
    lane = (at + 1) // 2 * LANES
    if at % 2 == 0:
        lane = -lane
    # the right lane comes first: right of a facing (x, y) is (y, -x)
    from_x = min(s.battle.table, max(0.0, ship.x + ship.face_y * lane))
    from_y = min(s.battle.table, max(0.0, ship.y - ship.face_x * lane))
    far = path_length_on_table(s.battle.table, from_x, from_y, ship.face_x, ship.face_y, c.LAUNCH_REACH)
    far = dry_length(s, from_x, from_y, ship.face_x, ship.face_y, far)
    x = from_x + ship.face_x * far
    y = from_y + ship.face_y * far
    if is_in_water(s, x, y):
        return ship.x, ship.y
    return x, y


def launch(s: State, i: int, ship: int, x: float, y: float, log: Log) -> bool:
    """Launch unit i from its ship to a place within 24" plus its lane; return False if it can't. ST-203."""
    u = s.units[i]
    v = s.units[ship]
    if u.status != c.ABOARD or u.ship != ship or not is_within(v.x, v.y, x, y, c.LAUNCH_REACH + LANES * c.MAX_ABOARD):
        return False
    u.status = c.STANDS
    u.ship = c.NOBODY
    u.face_x = v.face_x
    u.face_y = v.face_y
    place(s, i, x, y)
    note(log, "unit-launched", place_note(s, i), unit=i, by=ship)
    return True


def may_board(s: State, i: int, ship: int) -> bool:
    """Return True if unit i may board a friendly ship. ST-206."""
    u = s.units[i]
    v = s.units[ship]
    if u.kind == c.WARSHIP or v.kind != c.WARSHIP or v.status != c.STANDS or v.side != u.side or u.locked:
        return False
    return is_within(u.x, u.y, v.x, v.y, c.BOARD_REACH) and aboard(s, ship) < c.MAX_ABOARD


def board(s: State, i: int, ship: int, log: Log) -> None:
    """Let unit i board a ship. ST-206."""
    u = s.units[i]
    u.status = c.ABOARD
    u.ship = ship
    u.high = 0
    u.locked = 0
    mark_engaged(s)
    note(log, "unit-boarded", unit=i, by=ship)


def repair(s: State, log: Log) -> None:
    """Restore the HP of units aboard at the end of a Round. ST-206."""
    for ship in range(count_units(s)):
        v = s.units[ship]
        if v.kind != c.WARSHIP or v.status != c.STANDS or v.repair == 0:
            continue
        done = 0
        for i in range(first_unit(s.battle, v.side), end_of_units(s.battle, v.side)):
            u = s.units[i]
            if u.status == c.ABOARD and u.ship == ship and u.hp < u.full_hp and done < c.MAX_ABOARD:
                gained = min(v.repair, u.full_hp - u.hp)
                u.hp += gained
                done += 1
                note(log, "unit-repaired", unit=i, by=ship, gained=gained, left=u.hp)


def empty_weapon(s: State, i: int, weapon: int) -> None:
    """Empty unit i's fired weapon if it is explosive and on a Warship; it must then be reloaded. ST-D43."""
    w = s.weapons[weapon]
    if s.units[i].kind == c.WARSHIP and w.explosive:
        w.reloading = RELOADING


def reload(s: State, i: int, weapon: int, log: Log) -> None:
    """Use an Action to make a weapon ready again. ST-205."""
    s.weapons[weapon].reloading = 0
    note(log, "weapon-reloaded", unit=i, arm=weapon - s.units[i].weapon)


def reload_all(s: State) -> None:
    """Count down to the reloading of empty weapons at the end of a Round. ST-D43."""
    for i in range(count_units(s)):
        u = s.units[i]
        for k in range(u.weapon, u.weapon + u.weapons):
            if s.weapons[k].reloading:
                s.weapons[k].reloading -= 1


def cheapest_weapon(s: State, i: int) -> int:
    """Return the weapon a ship would sacrifice, never its last; NOBODY if it can spare none. ST-146, ledger 6.9."""
    u = s.units[i]
    found = c.NOBODY
    left = 0
    for k in range(u.weapon, u.weapon + u.weapons):
        w = s.weapons[k]
        if w.gone:
            continue
        left += 1
        if found == c.NOBODY or w.value < s.weapons[found].value:
            found = k
    return found if left > 1 else c.NOBODY


def sacrifice(s: State, p: Clash, weapon: int, log: Log) -> None:
    """Give up one of a Warship's weapons to pass one of its failed saves. ST-146."""
    s.weapons[weapon].gone = 1
    p.fails -= 1
    note(log, "weapon-sacrificed", unit=p.target, arm=weapon - s.units[p.target].weapon, fails=p.fails)


def orders_left(u: Unit, what: int) -> int:
    """Return how many orders of that kind a unit's Captain can still give this Round. ST-280."""
    return u.level - u.orders if u.gives & what and u.status == c.STANDS else 0


def captain_of(s: State, side: int, but: int, what: int) -> int:
    """Return a side's first Warship other than `but` whose Captain can give this order; NOBODY if none. ST-280."""
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        if i != but and orders_left(s.units[i], what) > 0:
            return i
    return c.NOBODY


def order(s: State, ship: int, what: int, i: int, log: Log) -> None:
    """Give a ship's Captain's order to unit i. ST-280 to ST-282."""
    s.units[ship].orders += 1
    if what == c.TACTICAL_SUPPORT:
        s.units[i].supported = 1
    else:
        s.units[i].more += 1
    note(log, "captain-ordered", unit=ship, target=i, order=what)


def abandon(s: State, ship: int, dice: Dice, log: Log) -> None:
    """Leave a destroyed ship's wreck; passengers roll saves and get off. ST-353, ST-D88."""
    v = s.units[ship]
    for k in range(s.battle.discs):
        disc = s.discs[k]
        if disc.kind == c.WRECK and disc.gone == 1 and disc.x == -1.0 - ship:
            disc.x = v.x
            disc.y = v.y
            disc.gone = 0
            note(log, "wreck-left", place_note(s, ship), unit=ship, radius=50 * v.size)
    at = 0
    for i in range(first_unit(s.battle, v.side), end_of_units(s.battle, v.side)):
        u = s.units[i]
        if u.status != c.ABOARD or u.ship != ship:
            continue
        roll_others(s, PASSENGER_SAVES, dice)
        fails = 0
        for die in range(PASSENGER_SAVES):
            if s.faces[die].other < PASSENGER_PEN:
                fails += 1
        hurt(s, i, 1000 * fails, c.NOBODY)
        u.status = c.STANDS
        u.ship = c.NOBODY
        x, y = escape_spot(s, v, at)
        at += 1
        place(s, i, x, y)
        note(
            log,
            "passenger-saved",
            other_dice(s, PASSENGER_SAVES),
            place_note(s, i),
            unit=i,
            fails=fails,
            left=max(0, u.hp),
        )


def escape_spot(s: State, ship: Unit, at: int) -> tuple[float, float]:
    """Return the place where a passenger gets off a destroyed ship. ST-351, ST-353.

    The places are on its four sides in turn, skipping any under water.
    """
    far = c.BOARD_REACH / 2
    for more in range(4):
        turns = (at + more) % 4
        x = min(s.battle.table, max(0.0, ship.x + (far if turns == 0 else -far if turns == 1 else 0.0)))
        y = min(s.battle.table, max(0.0, ship.y + (far if turns == 2 else -far if turns == 3 else 0.0)))
        if not is_in_water(s, x, y):
            return x, y
    return ship.x, ship.y


def is_fired_at(w: Weapon, u: Unit, x: float, y: float, from_x: float, from_y: float) -> bool:
    """Return True if one of Warship u's [AA] weapons may react to a move between two points. ST-204."""
    near = is_within(u.x, u.y, x, y, c.LAUNCH_REACH) or is_within(u.x, u.y, from_x, from_y, c.LAUNCH_REACH)
    return w.anti_air == 1 and w.gone == 0 and w.reloading == 0 and near
