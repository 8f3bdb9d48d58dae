"""Activation, and available and declared actions. BS-022 to BS-037, BS-047 to BS-057, BS-128, BS-174, BS-175.

Every action goes through `declare`. If the action is refused, it changes nothing and returns the reason.
"""

from __future__ import annotations

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.rules.facts import (
    FRONT,
    TINY,
    arc_of,
    can_walk,
    count_flak_guns,
    distance,
    has_peripheral,
    is_eligible,
    move_value,
    weapon_of,
)
from systems.blazing_steel.battle.rules.movement import is_movement, is_path_clear_to_charge
from systems.blazing_steel.battle.rules.targeting import shot_refusal, strike_refusal
from systems.blazing_steel.battle.state import State, Unit
from systems.engine.dice import Log, note


def is_offensive(action: int) -> bool:
    """Return True for Shoot, Charge and Strike. BS-057."""
    return action in (c.SHOOT, c.CHARGE, c.STRIKE)


def heat_of(action: int) -> int:
    """Return the heat of an action. BS-056."""
    if action == c.JUMP:
        return 2
    return 1 if action == c.SPRINT or is_offensive(action) else 0


def heat_of_order(s: State, i: int, action: int, slot: int) -> int:
    """Return the heat of an action by Warmech i, including a second Energy weapon's. BS-056, BS-127."""
    heat = heat_of(action)
    if action == c.SHOOT and weapon_of(s, i, slot).energy:
        first = s.units[i].energy_slot
        if first != c.NOBODY and first != slot:
            heat += 1
    return heat


def must_cool(s: State, u: Unit) -> bool:
    """Return True in a round's last activation, which must include a Cool. BS-037."""
    return s.battle.most_activations > 0 and u.activations >= s.battle.most_activations


def activate(s: State, k: int, i: int, log: Log) -> int:
    """Activate Warmech i in order k; return 0, or the reason for refusal. BS-022, BS-023, BS-174."""
    u = s.units[i]
    if not is_eligible(u):
        return c.NOT_ACTIVE
    u.activations += 1
    u.heat_made = 0
    u.energy_slot = c.NOBODY
    u.smoke = 0
    u.ban = c.BANNED if u.ban == c.BAN_NEXT else c.NO_BAN
    s.orders[k].unit = i
    note(log, "unit-activated", unit=i, role=k, activations=u.activations, must_cool=must_cool(s, u))
    return 0


def turn_refusal(s: State, k: int, action: int) -> int:
    """Return why order k's active Warmech can't take this kind of action now; 0 if it can.

    BS-023, BS-035, BS-037, BS-052, BS-174.
    """
    i = s.orders[k].unit
    if i == c.NOBODY:
        return c.NOT_ACTIVE
    u = s.units[i]
    if u.status != c.STANDS or u.cooling:
        return c.NO_ACTION_LEFT
    if action == c.COOL:
        return c.COOL_FIRST if s.battle.slot == 2 and s.battle.cool_second == 0 else 0
    if must_cool(s, u) and (s.battle.slot == 2 or s.battle.cool_second == 0):
        return c.MUST_COOL
    return c.BANNED_FROM_HEAT if u.ban == c.BANNED and heat_of(action) else 0


def target_refusal(s: State, k: int, i: int, action: int, slot: int, e: int) -> int:
    """Return why Warmech i can't attack e like this in order k; 0 if it can. BS-026, BS-036, BS-047, BS-049, BS-110."""
    if k == c.FOLLOW and e != s.orders[c.LEAD].unit:
        return c.FOLLOWER_TARGET
    if action == c.CHARGE and s.battle.slot == 1 and s.battle.contact_first == 0:
        return c.NO_CONTACT_IN_ACTION_ONE
    if e == c.NOBODY or s.units[e].status != c.STANDS or s.units[e].side == s.units[i].side:
        return c.NOT_ON_TABLE
    if action == c.SHOOT:
        return shot_refusal(s, i, slot, e)
    if action == c.STRIKE:
        return strike_refusal(s, i, e)
    return charge_refusal(s, i, e)


def charge_refusal(s: State, i: int, e: int) -> int:
    """Return why Warmech i can't charge enemy e; 0 if it can. BS-047."""
    u = s.units[i]
    t = s.units[e]
    if not can_walk(s, u):
        return c.CANNOT_MOVE
    if arc_of(u.x, u.y, u.face_x, u.face_y, t.x, t.y) != FRONT:
        return c.OUT_OF_ARC
    if distance(s, i, e) > move_value(u) + TINY:
        return c.TOO_FAR
    return 0 if is_path_clear_to_charge(s, i, e) else c.WAY_BLOCKED


def special_refusal(s: State, i: int, action: int) -> int:
    """Return why Warmech i doesn't have this special action; 0 if it does. BS-010, BS-054, BS-058, BS-128, BS-175."""
    u = s.units[i]
    has = False
    if action == c.FORTIFY:
        has = u.locomotion == c.QUADRUPED
    elif action == c.FLAK:
        has = count_flak_guns(s, i) > 0
    elif action == c.SMOKE:
        has = has_peripheral(u, c.CANISTERS) and u.used == 0
    return 0 if has else c.NO_SUCH_SPECIAL


def refusal(s: State, k: int, action: int, slot: int, e: int) -> int:
    """Return the first reason why order k's active Warmech can't take an action; 0 if it can.

    `slot` is the weapon of a Shoot, `e` the target of a Shoot, Charge or Strike. Where a movement ends is checked when
    it is carried out. BS-032.
    """
    found = turn_refusal(s, k, action)
    if found:
        return found
    if is_offensive(action):
        return target_refusal(s, k, s.orders[k].unit, action, slot, e)
    i = s.orders[k].unit
    if is_movement(action):
        return 0 if can_walk(s, s.units[i]) else c.CANNOT_MOVE
    if action in (c.FORTIFY, c.FLAK, c.SMOKE):
        return special_refusal(s, i, action)
    return 0


def declare(s: State, k: int, action: int, slot: int, e: int, log: Log) -> int:
    """Declare an action of order k's active Warmech; return 0, or the reason for refusal.

    BS-024, BS-025, BS-031, BS-032.
    """
    found = refusal(s, k, action, slot, e)
    if found == 0:
        order = s.orders[k]
        order.action = action
        order.slot = slot if action == c.SHOOT else c.NOBODY
        order.target = e if is_offensive(action) else c.NOBODY
        note(log, "action-declared", unit=order.unit, target=order.target, action=action, slot=order.slot)
    return found


def clear_orders(s: State) -> None:
    """Clear both orders for the next step."""
    for k in range(2):
        order = s.orders[k]
        order.action = c.NO_ACTION
        order.slot = c.NOBODY
        order.target = c.NOBODY
