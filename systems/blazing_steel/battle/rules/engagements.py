"""Attacks and replies: dice, totals, hits; damage dice, armour, crippling results, removal.

Attacks: BS-090 to BS-096, BS-112 to BS-145, BS-175, ledger 6.5 BS-AR30. Damage: BS-131, BS-150 to BS-165, ledger
BS-AR31, BS-AR32.
"""

from __future__ import annotations

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.log_notes import dice_note
from systems.blazing_steel.battle.rules import (
    armor_value,
    count_flak_guns,
    dodge_value,
    has_no_legs,
    has_peripheral,
    is_crippled,
    weapon_of,
)
from systems.blazing_steel.battle.rules.actions import (
    BASE_TN,
    can_flak,
    cover_of,
    facing_armor,
    impact_on,
    is_beyond_range,
    is_hidden,
    is_in_cover,
    is_offensive,
    is_scoped,
    strike_ap,
    strike_damage,
    strike_dice,
    strike_tn,
    targeting_of,
)
from systems.blazing_steel.battle.rules.movement import is_movement
from systems.blazing_steel.battle.state import Order, State, Unit, Weapon
from systems.engine.dice import Dice, Log, note, roll

FLAK_TN = 5


def attacks(order: Order) -> bool:
    """Return True if the order is an attack."""
    return order.unit != c.NOBODY and is_offensive(order.action)


def is_engaged(s: State) -> bool:
    """Return True if the two active Warmechs attack each other. BS-090, BS-096."""
    lead = s.orders[c.LEAD]
    follow = s.orders[c.FOLLOW]
    return attacks(lead) and attacks(follow) and lead.target == follow.unit and follow.target == lead.unit


def throw(s: State, count: int, dice: Dice) -> None:
    """Roll `count` dice at once."""
    for at in range(count):
        s.faces[at].face = roll(dice, 6)


def revealed_faces(s: State, count: int) -> int:
    """Return the faces shown by the latest throw, one bit each."""
    found = 0
    for at in range(count):
        found |= 1 << s.faces[at].face
    return found


def count_effective(s: State, count: int, tn: int) -> int:
    """Return how many dice of the latest throw are equal to or below a TN. BS-091, BS-095."""
    found = 0
    for at in range(count):
        if s.faces[at].face <= tn:
            found += 1
    return found


def roll_total(s: State, count: int, tn: int) -> int:
    """Return the total of the latest throw: the highest effective die, plus 1 for each other effective one. BS-092."""
    highest = 0
    for at in range(count):
        face = s.faces[at].face
        if face <= tn and face > highest:
            highest = face
    return highest + count_effective(s, count, tn) - 1 if highest else 0


def settle_total(s: State, k: int) -> None:
    """Set the total of order k's attack from its dice. BS-091, BS-092."""
    order = s.orders[k]
    order.effective = count_effective(s, order.dice, order.tn)
    order.total = roll_total(s, order.dice, order.tn)
    order.rolled_faces = revealed_faces(s, order.dice)


def roll_attack(s: State, k: int, dice: Dice, log: Log) -> None:
    """Roll the dice of order k's attack, with smoke. BS-091, BS-120, BS-135, BS-175."""
    order = s.orders[k]
    order.answer = c.UNANSWERED
    order.against = 0
    order.hits = 0
    order.thrown = 0
    order.through = 0
    order.doubles = 0
    if order.action == c.SHOOT:
        shoot(s, k, dice, log)
        if s.units[order.target].smoke:
            reroll_through_smoke(s, k, dice, log)
    else:
        strike(s, k, dice, log)


def shoot(s: State, k: int, dice: Dice, log: Log) -> None:
    """Roll the dice of a Shoot and use up a charge.

    BS-050, BS-112, BS-113, BS-120 to BS-124, BS-154, BS-171, BS-176.
    """
    order = s.orders[k]
    i = order.unit
    e = order.target
    u = s.units[i]
    t = s.units[e]
    w = weapon_of(s, i, order.slot)
    beyond = 1 if is_beyond_range(s, i, w, e) else 0
    cover = 0
    if w.indirect == 0 and w.guided == 0 and is_in_cover(s, i, e):
        cover = cover_of(t)
    camo = 2 if is_hidden(t) else 0
    scope = 1 if beyond + cover + camo > 0 and is_scoped(s, i, e) else 0
    impact = impact_on(s, k)
    targeting = targeting_of(u)
    order.tn = BASE_TN - beyond - cover - camo + scope - impact - targeting
    order.dice = w.rof
    if w.limited:
        w.ammo -= 1
    throw(s, order.dice, dice)
    settle_total(s, k)
    note(
        log,
        "shot-rolled",
        dice_note(s, order.dice),
        unit=i,
        target=e,
        slot=order.slot,
        number=BASE_TN,
        cover=-cover,
        beyond=-beyond,
        camo=-camo,
        scope=scope,
        impact=-impact,
        targeting=-targeting,
        tn=order.tn,
        effective=order.effective,
        total=order.total,
        ammo=w.ammo,
    )


def reroll_through_smoke(s: State, k: int, dice: Dice, log: Log) -> None:
    """Reroll each effective die of a Shoot at a Warmech in smoke once. BS-175."""
    order = s.orders[k]
    for at in range(order.dice):
        if s.faces[at].face <= order.tn:
            s.faces[at].face = roll(dice, 6)
    settle_total(s, k)
    note(
        log,
        "smoke-rerolled",
        dice_note(s, order.dice),
        unit=order.unit,
        target=order.target,
        tn=order.tn,
        effective=order.effective,
        total=order.total,
    )


def strike(s: State, k: int, dice: Dice, log: Log) -> None:
    """Roll the dice of a Strike, or of a Charge's strike. BS-135 to BS-137."""
    order = s.orders[k]
    i = order.unit
    e = order.target
    impact = impact_on(s, k) if s.battle.impact_on_all and s.orders[1 - k].unit == e else 0
    melee = strike_tn(s, i, e)
    order.tn = melee - impact
    order.dice = strike_dice(s, i)
    throw(s, order.dice, dice)
    settle_total(s, k)
    targeting = targeting_of(s.units[i])
    note(
        log,
        "strike-rolled",
        dice_note(s, order.dice),
        unit=i,
        target=e,
        number=melee + targeting,
        impact=-impact,
        targeting=-targeting,
        tn=order.tn,
        effective=order.effective,
        total=order.total,
    )


def is_guided(s: State, k: int) -> bool:
    """Return True if order k fires a Guided weapon, which can't be dodged. BS-130."""
    order = s.orders[k]
    return order.action == c.SHOOT and weapon_of(s, order.unit, order.slot).guided != 0


def is_munition(s: State, k: int) -> bool:
    """Return True if order k fires a Munition weapon, which flak can stop. BS-128, BS-129."""
    order = s.orders[k]
    return order.action == c.SHOOT and weapon_of(s, order.unit, order.slot).munition != 0


def answer(s: State, k: int, dice: Dice, log: Log) -> None:
    """Roll the defence dice against order k's attack, if there are any. BS-090, BS-128, BS-140, BS-145."""
    order = s.orders[k]
    other = s.orders[1 - k]
    if other.unit == c.NOBODY:
        return
    if order.target == other.unit and is_movement(other.action):
        if other.declines == 0 and not is_guided(s, k):
            dodge(s, k, dice, log)
    elif other.action == c.FLAK and is_munition(s, k) and can_flak(s, other.unit, order.target):
        throw_flak(s, k, dice, log)


def dodge(s: State, k: int, dice: Dice, log: Log) -> None:
    """Roll dodge dice; those matching an attack die are lost. BS-140 to BS-146, BS-173."""
    order = s.orders[k]
    other = s.orders[1 - k]
    u = s.units[other.unit]
    bonus = 1 if other.action == c.JUMP and has_peripheral(u, c.BOOSTERS) else 0
    count = u.dodge_dice + bonus
    if count == 0:
        return
    tn = dodge_value(u)
    if s.battle.impact_on_all:
        tn -= impact_on(s, 1 - k)
    throw(s, count, dice)
    lost = 0
    for at in range(u.dodge_dice):
        if order.rolled_faces & (1 << s.faces[at].face):
            lost += 1
    u.dodge_dice -= lost
    order.answer = c.DODGED
    order.against = roll_total(s, count, tn)
    note(
        log,
        "dodge-rolled",
        dice_note(s, count),
        unit=other.unit,
        target=order.unit,
        tn=tn,
        effective=count_effective(s, count, tn),
        total=order.against,
        lost=lost,
        left=u.dodge_dice,
    )


def throw_flak(s: State, k: int, dice: Dice, log: Log) -> None:
    """Roll flak against a Munition shot. BS-128, BS-129."""
    order = s.orders[k]
    i = s.orders[1 - k].unit
    count = count_flak_guns(s, i)
    throw(s, count, dice)
    order.answer = c.FLAKKED
    order.against = roll_total(s, count, FLAK_TN)
    note(
        log,
        "flak-rolled",
        dice_note(s, count),
        unit=i,
        target=order.unit,
        tn=FLAK_TN,
        effective=count_effective(s, count, FLAK_TN),
        total=order.against,
    )


def settle_hits(s: State, k: int, log: Log) -> None:
    """Decide the hits of order k's attack. BS-093, BS-094, BS-112, BS-125, BS-126, BS-138."""
    order = s.orders[k]
    if order.answer == c.UNANSWERED and s.battle.effective_dice:
        order.hits = order.effective
    else:
        order.hits = min(max(0, order.total - order.against), order.dice)
    is_tie = order.answer == c.ENGAGED and order.total == order.against and order.total > 0
    if is_tie and order.action == c.SHOOT and s.orders[1 - k].action == c.SHOOT:
        order.hits = 1
    note(
        log,
        "attack-settled",
        unit=order.unit,
        target=order.target,
        answer=order.answer,
        total=order.total,
        against=order.against,
        hits=order.hits,
        lands=order.hits > 0,
    )


def engage(s: State, dice: Dice, log: Log) -> None:
    """Roll all attack dice of a step in order, without damage dice. BS-033, BS-090, BS-AR30."""
    for k in range(2):
        if attacks(s.orders[k]):
            roll_attack(s, k, dice, log)
    if is_engaged(s):
        for k in range(2):
            s.orders[k].answer = c.ENGAGED
            s.orders[k].against = s.orders[1 - k].total
    else:
        for k in range(2):
            if attacks(s.orders[k]):
                answer(s, k, dice, log)
    for k in range(2):
        if attacks(s.orders[k]):
            settle_hits(s, k, log)


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
