"""The AI's choices: activations, actions, movement, losses (ledger 6.4). BS-AR19 to BS-AR29.

The AI only chooses: its actions are declared, or refused, by `rules.actions`.
"""

from __future__ import annotations

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.ai_values import (
    DODGES,
    DODGES_JUMPING,
    FLAKS,
    IN_SMOKE,
    NOTHING,
    answered,
    best,
    best_shot_now,
    heat_cost,
    keeps_away,
    look_around,
    loss,
    over,
    score,
    score_now,
    target_preference,
    to_millionths,
)
from systems.blazing_steel.battle.rules import (
    can_walk,
    count_flak_guns,
    count_units,
    end_of_units,
    first_unit,
    has_peripheral,
    in_contact,
    is_eligible,
    weapon_of,
)
from systems.blazing_steel.battle.rules.actions import (
    activate,
    can_flak,
    declare,
    heat_of,
    heat_of_order,
    is_offensive,
    target_refusal,
)
from systems.blazing_steel.battle.rules.engagements import arm_of, can_lose
from systems.blazing_steel.battle.rules.movement import go, is_movement
from systems.blazing_steel.battle.rules.rounds import can_use_rods, use_rods
from systems.blazing_steel.battle.state import State, Unit
from systems.engine.dice import Log

PLAYED_ACTIVATIONS = 4  # used if the house rule sets no limit
OTHERS = (c.MOVE, c.SPRINT, c.JUMP, c.RELOAD, c.SMOKE, c.FLAK, c.FORTIFY)  # no attacks, in the order of BS-AR23
BLADE_WORTH = 3  # value of a melee weapon, compared to ROF times Damage


def most_activations(s: State) -> int:
    """Return the maximum activations of a Warmech per round."""
    return s.battle.most_activations if s.battle.most_activations else PLAYED_ACTIVATIONS


def attacks_it(s: State, k: int, i: int) -> bool:
    """Return True if the Leading Player has declared an attack on i; only the Following Player knows this. BS-024."""
    lead = s.orders[c.LEAD]
    return k == c.FOLLOW and is_offensive(lead.action) and lead.target == i


def is_thought_to_dodge(s: State, k: int, e: int) -> bool:
    """Return True if the target of an attack is expected to dodge it. BS-AR22."""
    if k == c.FOLLOW:
        return is_movement(s.orders[c.LEAD].action)
    if s.battle.slot == 1:
        return is_eligible(s.units[e])
    return e == s.orders[c.FOLLOW].unit and s.units[e].final == 0 and s.units[e].cooling == 0


def attack_value(s: State, k: int, i: int, action: int, slot: int, e: int) -> float:
    """Return the value of an attack by Warmech i in order k. BS-AR22."""
    if not attacks_it(s, k, i):
        response = DODGES if is_thought_to_dodge(s, k, e) else NOTHING
        return loss(s, i, action, slot, e, response, c.NOBODY)
    lead = s.orders[c.LEAD]
    gain, suffers = answered(s, i, action, slot, e, lead.action, lead.slot)
    return gain + loss(s, e, lead.action, lead.slot, i, NOTHING, c.NOBODY) - suffers


def close_attack(s: State, i: int, e: int) -> int:
    """Return Warmech i's attack on e: in contact, or to get into contact. BS-AR23."""
    return c.STRIKE if in_contact(s, i, e) else c.CHARGE


def first_target(s: State, k: int, i: int) -> int:
    """Return the first target that Warmech i may attack in order k. BS-026."""
    return s.orders[c.LEAD].unit if k == c.FOLLOW else first_unit(s.battle, 1 - s.units[i].side)


def end_of_targets(s: State, k: int, i: int) -> int:
    """Return the index after the last target that Warmech i may attack in order k."""
    return s.orders[c.LEAD].unit + 1 if k == c.FOLLOW else end_of_units(s.battle, 1 - s.units[i].side)


def is_ordered_to_stay(u: Unit) -> bool:
    """Return True if a Warmech's orders keep it out of contact. BS-AR37."""
    return u.ordered_move == c.ORDERED_HOLD or keeps_away(u)


def best_attack(s: State, k: int, i: int, costs: int) -> tuple[int, float, int, int, int]:
    """Return 1 if Warmech i has an attack in order k, otherwise 0, and its best attack. BS-AR19, BS-AR23.

    The attack is given as value, action, slot and target. With `costs` 1 the value is reduced by the cost of its heat.
    """
    has = 0
    top = 0.0
    action = c.NO_ACTION
    slot = c.NOBODY
    target = c.NOBODY
    for e in range(first_target(s, k, i), end_of_targets(s, k, i)):
        if s.units[e].status != c.STANDS:
            continue
        for at in range(c.SLOTS + 1):
            kind = c.SHOOT if at < c.SLOTS else close_attack(s, i, e)
            if target_refusal(s, k, i, kind, at, e) or (kind == c.CHARGE and is_ordered_to_stay(s.units[i])):
                continue
            value = attack_value(s, k, i, kind, at, e)
            if costs:
                value -= heat_cost(s, i, heat_of_order(s, i, kind, at))
            better = has == 0 or to_millionths(value) > to_millionths(top)
            if has and s.units[i].ordered_target and e != target:
                better = to_millionths(value) > 0 and to_millionths(target_preference(s, i, e)) > to_millionths(
                    target_preference(s, i, target)
                )
            if better:
                has = 1
                top = value
                action = kind
                slot = at if kind == c.SHOOT else c.NOBODY
                target = e
    return has, top, action, slot, target


def can_attack_first(s: State, u: Unit) -> bool:
    """Return True if the first action of the next activation can be an attack. BS-037, BS-174."""
    b = s.battle
    return u.ban != c.BAN_NEXT and (
        b.cool_second == 1 or b.most_activations == 0 or u.activations + 1 < b.most_activations
    )


def eagerness(s: State, k: int, i: int) -> int:
    """Return the value of activating Warmech i now, in order k. BS-AR19, BS-AR21."""
    u = s.units[i]
    top = 0.0
    if can_attack_first(s, u):
        _has, value, _action, _slot, _target = best_attack(s, k, i, 0)
        top = max(top, value)
    if attacks_it(s, k, i):
        lead = s.orders[c.LEAD]
        plain = loss(s, lead.unit, lead.action, lead.slot, i, NOTHING, c.NOBODY)
        top = max(top, plain - loss(s, lead.unit, lead.action, lead.slot, i, DODGES, c.NOBODY))
    return to_millionths(top)


def is_too_hot(s: State, u: Unit, dice: int) -> bool:
    """Return True if `dice` new heat dice are too risky; a preserved Warmech risks nothing. BS-AR20, BS-AR37."""
    risk = over(s, u, dice)
    return risk > 0.0 if u.ordered_preserve else risk >= s.sides[u.side].heat_limit


def choose_warmech(s: State, k: int, side: int, log: Log) -> None:
    """Choose a Warmech for order k and activate it. BS-AR19 to BS-AR21."""
    found = c.NOBODY
    top = 0
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        u = s.units[i]
        if not is_eligible(u):
            continue
        value = eagerness(s, k, i)
        if found == c.NOBODY or value > top or (value == top and u.activations < s.units[found].activations):
            found = i
            top = value
    activate(s, k, found, log)
    u = s.units[found]
    u.final = 1 if u.activations >= most_activations(s) or is_too_hot(s, u, 1) else 0


def wants_to_cool(s: State, i: int) -> bool:
    """Return True if Warmech i cools with its next action. BS-AR20, BS-AR24."""
    u = s.units[i]
    if s.battle.cool_second == 0:
        return s.battle.slot == 1 and u.final == 1
    return s.battle.slot == 2 and (u.final == 1 or is_too_hot(s, u, u.heat_made))


def movement_value(s: State, k: int, i: int, action: int, now: float) -> tuple[int, float]:
    """Return 1 if a Move, Sprint or Jump has somewhere to go, otherwise 0, and its value. BS-AR23."""
    found, top, _x, _y, _face_x, _face_y = best(s, i, action)
    value = top - now - heat_cost(s, i, heat_of(action))
    if found and attacks_it(s, k, i):
        lead = s.orders[c.LEAD]
        response = DODGES_JUMPING if action == c.JUMP else DODGES
        plain = loss(s, lead.unit, lead.action, lead.slot, i, NOTHING, c.NOBODY)
        value += plain - loss(s, lead.unit, lead.action, lead.slot, i, response, c.NOBODY)
    return found, value


def special_value(s: State, k: int, i: int, action: int, now: float) -> tuple[int, float]:
    """Return 1 if a Reload or a special action helps Warmech i, otherwise 0, and its value. BS-AR23."""
    u = s.units[i]
    lead = s.orders[c.LEAD]
    if action == c.RELOAD:
        empty = best_shot_now(s, i, 1)
        if empty > 0.0:
            loaded = best_shot_now(s, i, 0)
            if empty > loaded:
                return 1, s.sides[u.side].offence * (empty - loaded)
    elif action == c.SMOKE:
        if attacks_it(s, k, i) and lead.action == c.SHOOT and has_peripheral(u, c.CANISTERS) and u.used == 0:
            plain = loss(s, lead.unit, lead.action, lead.slot, i, NOTHING, c.NOBODY)
            return 1, plain - loss(s, lead.unit, lead.action, lead.slot, i, IN_SMOKE, c.NOBODY)
    elif action == c.FLAK:
        if k == c.FOLLOW and lead.action == c.SHOOT and weapon_of(s, lead.unit, lead.slot).munition:
            e = lead.target
            if count_flak_guns(s, i) > 0 and can_flak(s, i, e):
                plain = loss(s, lead.unit, lead.action, lead.slot, e, NOTHING, c.NOBODY)
                return 1, plain - loss(s, lead.unit, lead.action, lead.slot, e, FLAKS, i)
    elif action == c.FORTIFY and u.locomotion == c.QUADRUPED and u.fortified == 0:
        value = score(s, i, u.x, u.y, u.face_x, u.face_y, 1) - now
        if to_millionths(value) > 0:
            return 1, value
    return 0, 0.0


def choose_action(s: State, k: int) -> tuple[int, int, int]:
    """Return the most valuable action, slot and target for the active Warmech of order k. BS-AR23."""
    i = s.orders[k].unit
    u = s.units[i]
    is_banned = u.ban == c.BANNED
    has = 0
    top = 0.0
    action = c.COOL if s.battle.slot == 1 or s.battle.cool_second else c.RELOAD
    slot = c.NOBODY
    target = c.NOBODY
    if not is_banned and (k == c.LEAD or s.units[s.orders[c.LEAD].unit].status == c.STANDS):
        has, top, kind, slot, target = best_attack(s, k, i, 1)
        if has:
            action = kind
    look_around(s, i)
    now = score_now(s, i)
    for kind in OTHERS:
        helps = 0
        value = 0.0
        if is_movement(kind):
            if can_walk(s, u) and (not is_banned or heat_of(kind) == 0):
                helps, value = movement_value(s, k, i, kind, now)
        else:
            helps, value = special_value(s, k, i, kind, now)
        if helps and (has == 0 or to_millionths(value) > to_millionths(top)):
            has = 1
            top = value
            action = kind
            slot = c.NOBODY
            target = c.NOBODY
    return action, slot, target


def give_order(s: State, k: int, log: Log) -> None:
    """Declare the next action of the active Warmech of order k, if it can still act. BS-AR23, BS-AR24."""
    i = s.orders[k].unit
    if i == c.NOBODY or s.units[i].status != c.STANDS or s.units[i].cooling:
        return
    if wants_to_cool(s, i):
        declare(s, k, c.COOL, c.NOBODY, c.NOBODY, log)
        return
    action, slot, target = choose_action(s, k)
    declare(s, k, action, slot, target, log)


def make_way(s: State, k: int, log: Log) -> None:
    """Move order k's active Warmech to the best place. BS-AR25."""
    order = s.orders[k]
    i = order.unit
    if i == c.NOBODY or not is_movement(order.action):
        return
    look_around(s, i)
    _found, _top, x, y, face_x, face_y = best(s, i, order.action)
    go(s, i, order.action, x, y, face_x, face_y, log)


def weapon_to_lose(s: State, i: int, result: int) -> int:
    """Return the slot of the weapon that Warmech i loses with a crippled arm; NOBODY if it has none. BS-AR27."""
    arm = arm_of(result)
    found = c.NOBODY
    least = 0
    for slot in range(c.SLOTS):
        w = weapon_of(s, i, slot)
        if arm and can_lose(s, i, slot, arm):
            value = BLADE_WORTH if w.kind == c.BLADE else w.rof * w.damage
            if found == c.NOBODY or value < least:
                found = slot
                least = value
    return found


def cool_with_rods(s: State, i: int, log: Log) -> None:
    """Use Coolant Rods if this turn's heat is a risk and another activation follows. BS-AR28."""
    u = s.units[i]
    if (
        can_use_rods(s, i)
        and u.activations < most_activations(s)
        and over(s, u, u.heat_made) >= s.sides[u.side].heat_limit / 2.0
    ):
        use_rods(s, i, log)


def default_place(s: State, i: int) -> float:
    """Return Warmech i's default distance from the left end of its edge, as seen by its side. BS-AR29."""
    first = first_unit(s.battle, s.units[i].side)
    return s.battle.table * (i - first + 1) / (end_of_units(s.battle, s.units[i].side) - first + 1)


def place_in_line(s: State, i: int) -> float:
    """Return where Warmech i is placed along its edge. BS-AR29, BS-AR37."""
    u = s.units[i]
    x = u.line_x if u.line_x >= 0.0 else default_place(s, i)
    return x if u.side == c.SIDE_A else s.battle.table - x


def end_ordered_moves(s: State) -> None:
    """Switch Warmechs whose movement order has run out to its follow-up order, or to the AI's choice. BS-AR37."""
    for i in range(count_units(s)):
        u = s.units[i]
        if u.ordered_until and s.battle.round > u.ordered_until:
            u.ordered_until = 0
            u.ordered_move = u.ordered_then


def advance(s: State, i: int, log: Log) -> None:
    """Make one of the moves of deployment, straight ahead. BS-AR29."""
    u = s.units[i]
    go(s, i, c.MOVE, u.x, u.y + u.move * u.face_y, u.face_x, u.face_y, log)
