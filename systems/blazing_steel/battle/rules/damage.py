"""Damage dice, armour, crippling results, removal. BS-131, BS-150 to BS-165, ledger BS-AR31, BS-AR32."""

from __future__ import annotations

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.log_notes import dice_note
from systems.blazing_steel.battle.rules.engagements import throw
from systems.blazing_steel.battle.rules.facts import armor_value, has_no_legs, is_crippled, weapon_of
from systems.blazing_steel.battle.rules.targeting import facing_armor, strike_ap, strike_damage
from systems.blazing_steel.battle.state import State, Unit, Weapon
from systems.engine.dice import Dice, Log, note


def is_overcharged(u: Unit, w: Weapon) -> bool:
    """Return True if a weapon with Overcharge fires while its Warmech has a heat die showing 6. BS-131."""
    return w.overcharge != 0 and u.heat >= c.SIX


def shot_damage(u: Unit, w: Weapon) -> int:
    """Return the Damage per hit of a weapon. BS-131."""
    return w.damage + (1 if is_overcharged(u, w) else 0)


def damage_of(s: State, k: int) -> int:
    """Return the Damage per hit of order k. BS-131, BS-139, BS-150."""
    order = s.orders[k]
    if order.action == c.SHOOT:
        return shot_damage(s.units[order.unit], weapon_of(s, order.unit, order.slot))
    return strike_damage(s, order.unit)


def ap_of(s: State, k: int) -> int:
    """Return the AP of order k. BS-139."""
    order = s.orders[k]
    if order.action == c.SHOOT:
        return weapon_of(s, order.unit, order.slot).ap
    return strike_ap(s, order.unit)


def is_saved(face: int, ap: int, armor: int) -> bool:
    """Return True if a damage die does no damage. BS-151, BS-164."""
    return face <= armor if ap < armor else face == 1


def roll_damage(s: State, k: int, dice: Dice, log: Log) -> None:
    """Roll order k's damage dice against the target as it was at the start of the step. BS-150 to BS-153, BS-163."""
    order = s.orders[k]
    if order.hits == 0:
        return
    u = s.units[order.unit]
    t = s.units[order.target]
    armor = facing_armor(t, t.from_x, t.from_y, t.from_face_x, t.from_face_y, u.x, u.y, u.radius)
    ap = ap_of(s, k)
    if order.action == c.SHOOT and is_overcharged(u, weapon_of(s, order.unit, order.slot)):
        note(log, "overcharge-used", unit=order.unit, target=order.target, slot=order.slot)
    order.thrown = order.hits * damage_of(s, k)
    throw(s, order.thrown, dice)
    once = 0
    for at in range(order.thrown):
        face = s.faces[at].face
        if not is_saved(face, ap, armor):
            order.through += 1
        if once & (1 << face):
            order.doubles |= 1 << face
        once |= 1 << face
    note(
        log,
        "damage-rolled",
        dice_note(s, order.thrown),
        unit=order.target,
        target=order.unit,
        armor=armor_value(t),
        flank=armor - armor_value(t),
        ap=ap,
        through=order.through,
    )


def hurt(s: State, k: int, log: Log) -> None:
    """Subtract the unprevented damage from the target's structure. BS-152."""
    order = s.orders[k]
    if order.hits:
        t = s.units[order.target]
        t.structure -= order.through
        t.damage += order.through
        note(log, "damage-taken", unit=order.target, target=order.unit, through=order.through, left=max(0, t.structure))


def next_cripple(s: State, k: int) -> int:
    """Return order k's next crippling result for its target, lowest first; 0 if no result or target is left. BS-153."""
    order = s.orders[k]
    if order.hits and s.units[order.target].structure > 0:
        for result in range(1, 7):
            if order.doubles & (1 << result):
                return result
    return 0


def arm_of(result: int) -> int:
    """Return the arm of a crippling result; 0 for none. BS-156."""
    if result == c.CRIPPLED_RIGHT_ARM:
        return c.ARM_RIGHT
    return c.ARM_LEFT if result == c.CRIPPLED_LEFT_ARM else 0


def can_lose(s: State, i: int, slot: int, arm: int) -> bool:
    """Return True if the slot holds a working weapon in that arm. BS-156."""
    w = weapon_of(s, i, slot)
    return w.kind != c.EMPTY and w.lost == 0 and w.mount == arm


def lose_peripheral(s: State, i: int, result: int, log: Log) -> None:
    """Destroy the peripheral in place of a result. BS-157, BS-165."""
    u = s.units[i]
    u.peripheral_lost = 1
    if u.peripheral == c.MAGAZINE:
        for slot in range(c.SLOTS):
            w = weapon_of(s, i, slot)
            w.magazine = 0
            w.ammo = min(w.ammo, w.printed)
    note(log, "peripheral-lost", unit=i, cripple=result)


def cripple(s: State, k: int, result: int, gives: int, slot: int, log: Log) -> None:
    """Apply a crippling result to order k's target. BS-153 to BS-158.

    The owner may give up the peripheral instead (`gives`), where allowed, or chooses the slot of the arm weapon that is
    lost.
    """
    order = s.orders[k]
    i = order.target
    t = s.units[i]
    order.doubles &= ~(1 << result)
    if gives and t.peripheral != c.NO_PERIPHERAL and t.peripheral_lost == 0:
        lose_peripheral(s, i, result, log)
        return
    arm = arm_of(result)
    loses = c.NOBODY
    if arm:
        for at in range(c.SLOTS - 1, -1, -1):
            if can_lose(s, i, at, arm):
                loses = at
        if slot != c.NOBODY and can_lose(s, i, slot, arm):
            loses = slot
    if is_crippled(t, result) or (arm and loses == c.NOBODY):
        t.structure -= 1
        t.damage += 1
        note(log, "cripple-repeated", unit=i, target=order.unit, cripple=result, left=max(0, t.structure))
        return
    t.cripples |= 1 << result
    if loses != c.NOBODY:
        weapon_of(s, i, loses).lost = 1
    note(log, "unit-crippled", unit=i, target=order.unit, cripple=result, slot=loses)


def bury(s: State, k: int, log: Log) -> None:
    """Remove order k's target if it is destroyed or disabled. BS-152, BS-160, BS-190."""
    order = s.orders[k]
    if order.hits == 0:
        return
    t = s.units[order.target]
    if t.structure <= 0:
        t.status = c.DESTROYED
    elif t.locomotion == c.BIPEDAL and has_no_legs(t) and s.battle.immobile == 0:
        t.status = c.DISABLED
    else:
        return
    t.killer = order.unit
    s.units[order.unit].kills += 1
    side = s.sides[t.side]
    side.lost += 1
    side.lost_points += t.cost
    if t.status == c.DESTROYED:
        note(log, "unit-destroyed", unit=order.target, by=order.unit)
    else:
        note(log, "unit-disabled", unit=order.target, by=order.unit)
