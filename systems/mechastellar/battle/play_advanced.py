"""A unit's use of its Actions and Move Actions, and the reactions of ships. Ledger 6.7, 6.9."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.doctrine_advanced import (
    overwatch_weapon,
    remote_target,
    ship_length,
    turn_of_enemy,
)
from systems.mechastellar.battle.doctrine_turn import best_here, value_here, zeal_here
from systems.mechastellar.battle.play_attack import attack, attack_area, attack_several, bury, crash
from systems.mechastellar.battle.rules.area import is_area
from systems.mechastellar.battle.rules.facts import end_of_units, first_unit, is_shut_down, nearest_enemy
from systems.mechastellar.battle.rules.heights import drop
from systems.mechastellar.battle.rules.momentum import lose
from systems.mechastellar.battle.rules.movement import move
from systems.mechastellar.battle.rules.skills import may_zeal, zeal
from systems.mechastellar.battle.rules.targets import attack_price, remote_price
from systems.mechastellar.battle.rules.terrain import scrape
from systems.mechastellar.battle.rules.warships import order, orders_left, reload, sail
from systems.mechastellar.battle.state import State

OPERATIONS_WORTH = 0.5


def can_go_on(s: State, i: int) -> bool:
    """Return True while unit i is on the table and not shut down."""
    return s.units[i].status == c.STANDS and not is_shut_down(s.units[i])


def watch(s: State, i: int, dice: Dice, log: Log) -> None:
    """Let ships react to the Move Action that unit i has just made. ST-204, ledger 6.9."""
    side = 1 - s.units[i].side
    for ship in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        u = s.units[ship]
        if u.kind == c.WARSHIP and u.status == c.STANDS and s.units[i].status == c.STANDS:
            weapon = overwatch_weapon(s, ship, i)
            if weapon >= 0:
                u.fired = 1
                attacked = u.attacked
                attack(s, ship, weapon, i, 0, c.OVERWATCH, dice, log)
                u.attacked = attacked


def go(s: State, i: int, x: float, y: float, face_x: float, face_y: float, dice: Dice, log: Log) -> None:
    """Make one Move Action of unit i, with the reactions to it. ST-060, ST-084, ST-204."""
    u = s.units[i]
    if s.battle.advanced and u.high and (u.x != x or u.y != y):
        drop(s, i, log)
    move(s, i, x, y, face_x, face_y, log)
    if s.battle.advanced:
        watch(s, i, dice, log)


def spend(
    s: State, i: int, weapon: int, e: int, actions: int, point_blank: int, manner: int, dice: Dice, log: Log
) -> int:
    """Make one attack of unit i and pay for it; return its Actions left. ST-111, ST-306, ST-D62."""
    w = s.weapons[weapon]
    penalties = s.units[i].penalties
    left = actions - (1 if manner == c.CRASH else attack_price(w))
    w.used = 1
    if manner == c.CRASH:
        crash(s, i, e, dice, log)
    elif is_area(w):
        attack_area(s, i, weapon, e, dice, log)
    elif s.battle.advanced and w.targets > 1 and point_blank == 0 and manner == c.PLAIN:
        attack_several(s, i, weapon, e, dice, log)
    else:
        attack(s, i, weapon, e, point_blank, manner, dice, log)
    return left - (s.units[i].penalties - penalties)


def press_on(s: State, i: int, actions: int, dice: Dice, log: Log) -> int:
    """Make more attacks without moving while unit i has or buys Actions; return its Actions left. Ledger 6.7 step 7."""
    while can_go_on(s, i):
        if actions < 1 and may_zeal(s.units[i]):
            bought = zeal_here(s, i, actions)
            if bought:
                zeal(s, i, bought, log)
                actions += bought
        if actions < 1:
            break
        weapon, e = best_here(s, i, actions)
        if weapon == c.NOBODY:
            break
        actions = spend(s, i, weapon, e, actions, 0, c.PLAIN, dice, log)
    return actions


def send_remotes(s: State, i: int, dice: Dice, log: Log) -> int:
    """Send remote weapons once all Actions are spent; return 1 if any was sent. ST-330, ledger 6.9."""
    u = s.units[i]
    sent = 0
    for weapon in range(u.weapon, u.weapon + u.weapons):
        if s.weapons[weapon].remote and can_go_on(s, i):
            e = remote_target(s, i, weapon)
            if e >= 0:
                lose(s, u.side, remote_price(s.weapons[weapon]))
                s.weapons[weapon].remoted = 1
                sent = 1
                note(log, "remote-paid", unit=i, arm=weapon - u.weapon, side=u.side, pool=s.sides[u.side].momentum)
                attack(s, i, weapon, e, 0, c.REMOTE, dice, log)
    return sent


def act_ship(s: State, i: int, dice: Dice, log: Log) -> None:
    """Play the turn of a Warship. ST-044, ST-062, ST-205, ST-282, ST-352, ledger 6.9."""
    u = s.units[i]
    for _ in range(c.MOVE_ACTIONS):
        if u.status == c.STANDS:
            near = nearest_enemy(s, i, u.x, u.y)
            to_x, to_y = turn_of_enemy(s, i, near)
            sail(s, i, to_x, to_y, near, ship_length(s, i, near), log)
            scrape(s, i, dice, log)
            bury(s, i, c.NOBODY, dice, log)
            if u.status == c.STANDS:
                watch(s, i, dice, log)
    actions = press_on(s, i, 1 - u.penalties, dice, log)
    while can_go_on(s, i) and actions < 1 and orders_left(u, c.OPERATIONS_SUPPORT) > 0:
        weapon, e, value = best_with_one(s, i)
        if weapon == c.NOBODY or value < OPERATIONS_WORTH:
            break
        order(s, i, c.OPERATIONS_SUPPORT, i, log)
        actions = spend(s, i, weapon, e, actions + 1, 0, c.PLAIN, dice, log)
    if can_go_on(s, i) and actions >= 1:
        for weapon in range(u.weapon, u.weapon + u.weapons):
            if actions >= 1 and s.weapons[weapon].reloading and s.weapons[weapon].gone == 0:
                reload(s, i, weapon, log)
                actions -= 1
        press_on(s, i, actions, dice, log)


def best_with_one(s: State, i: int) -> tuple[int, int, float]:
    """Return the attack unit i would make with one more Action: weapon, target and value."""
    weapon, e = best_here(s, i, 1)
    if weapon == c.NOBODY:
        return weapon, e, 0.0
    return weapon, e, value_here(s, i, weapon, e)
