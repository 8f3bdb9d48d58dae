"""The AI's choices in a turn: which unit acts, its mode, its target, and attacks without moving. Ledger 6.6, 6.7."""

from __future__ import annotations

from systems.engine.dice import Log
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.doctrine_advanced import plan_more, strip_value
from systems.mechastellar.battle.doctrine_plan import clear, goes_before, has_plan, plan, plan_on, target_preference
from systems.mechastellar.battle.doctrine_values import best
from systems.mechastellar.battle.rules.area import is_area
from systems.mechastellar.battle.rules.facts import are_engaged, end_of_units, first_unit, is_shut_down, partner_of
from systems.mechastellar.battle.rules.heights import change_mode, transform
from systems.mechastellar.battle.rules.rounds import is_obliged, is_ready_to_act, mark_behind
from systems.mechastellar.battle.rules.targets import attack_price, has_to_answer, is_barred, is_ready, may_shoot
from systems.mechastellar.battle.state import Plan, State


def plan_all(s: State, i: int, must: int, most: int, slot: int) -> None:
    """Plan the best attack of unit i under the rules in use."""
    plan(s, i, must, most, slot)
    if s.battle.advanced:
        plan_more(s, i, must, must, most, s.plans[slot])
    if s.units[i].told_target and must < 0 and has_plan(s.plans[slot]):
        plan_ordered(s, i, most, s.plans[slot])


def plan_ordered(s: State, i: int, most: int, p: Plan) -> None:
    """Plan the best attack of unit i on the enemy that fits its orders best, among possible targets. ST-412."""
    first = first_unit(s.battle, 1 - s.units[i].side)
    end = end_of_units(s.battle, 1 - s.units[i].side)
    tried = 0  # bit n: enemy n of the side was considered
    for _ in range(first, end):
        found = c.NOBODY
        for e in range(first, end):
            if s.units[e].status != c.STANDS or tried >> (e - first) & 1:
                continue
            if found == c.NOBODY or target_preference(s, i, e) > target_preference(s, i, found):
                found = e
        if found == c.NOBODY:
            return
        tried |= 1 << (found - first)
        clear(p, i)
        plan_on(s, i, found, c.NOBODY, most, p)
        if s.battle.advanced:
            plan_more(s, i, found, c.NOBODY, most, p)
        if has_plan(p):
            return


def choose_mode(s: State, i: int, must: int, log: Log) -> None:
    """Choose the mode of a unit that transforms, at the start of its turn. ST-087, ledger 6.9."""
    was = s.units[i].mode
    change_mode(s, i, 0)
    plan_all(s, i, must, c.MOVE_ACTIONS, 1)
    value = s.plans[1].value
    change_mode(s, i, 1)
    plan_all(s, i, must, c.MOVE_ACTIONS, 1)
    mode = 1 if s.plans[1].value > value + c.SAME else 0
    change_mode(s, i, was)
    transform(s, i, mode, log)


def must_answer(s: State, i: int) -> int:
    """Return the enemy that unit i must attack first; NOBODY if it may choose. ST-046, ST-047, ledger 6.6."""
    b = s.battle
    partner = partner_of(s, i) if b.advanced else c.NOBODY
    if partner >= 0 and has_to_answer(s, i, partner):
        return partner
    if b.aggressor >= 0 and s.units[i].exempt == 0 and has_to_answer(s, i, b.aggressor):
        return b.aggressor
    return c.NOBODY


def may_be_picked(s: State, i: int, obliged: bool) -> bool:
    """Return True if the side may activate unit i now. ST-041, ST-045."""
    return is_obliged(s, i) if obliged else is_ready_to_act(s, i)


def pick(s: State, side: int, obliged: bool) -> int:
    """Return the unit that the side activates. Ledger 6.6."""
    b = s.battle
    found = c.NOBODY
    count = 0
    for i in range(first_unit(b, side), end_of_units(b, side)):
        if may_be_picked(s, i, obliged):
            found = i
            count += 1
    if count < 2:
        return found
    found = c.NOBODY
    top = 0.0
    for i in range(first_unit(b, side), end_of_units(b, side)):
        if not may_be_picked(s, i, obliged):
            continue
        value = -1.0
        if not is_shut_down(s.units[i]):
            mark_behind(s, i)
            plan_all(s, i, must_answer(s, i), c.MOVE_ACTIONS, 0)
            value = s.plans[0].value
        if found == c.NOBODY or value > top + c.SAME:
            found = i
            top = value
    return found


# --- attacks from where a unit stands ---------------------------------------------------------------------------------


def value_here(s: State, i: int, weapon: int, e: int) -> float:
    """Return the value of an attack on e without moving; 0 if there is none. Ledger 6.7."""
    u = s.units[i]
    v = s.units[e]
    w = s.weapons[weapon]
    if v.status != c.STANDS or (s.battle.advanced and is_barred(s, i, e)):
        return 0.0
    if is_area(w):
        return strip_value(s, i, weapon, e, c.NOBODY)
    if w.melee:
        if u.locked == 0 or not are_engaged(u, v):
            return 0.0
        return best(s, i, weapon, e, u.x, u.y, 0) * s.sides[u.side].melee_weight
    if u.locked or not may_shoot(s, i, w, e):
        return 0.0
    return best(s, i, weapon, e, u.x, u.y, 0)


def is_ready_here(s: State, weapon: int) -> bool:
    """Return True for a weapon that is usable without moving; under the advanced rules, area weapons too."""
    w = s.weapons[weapon]
    return is_ready(w) or (s.battle.advanced == 1 and is_area(w) and w.remote == 0 and w.gone == 0 and w.reloading == 0)


def best_target_here(s: State, i: int, weapon: int) -> tuple[int, float]:
    """Return the best target of a weapon of unit i without moving, and its value; NOBODY if none. Ledger 6.7."""
    found = c.NOBODY
    top = 0.0
    if is_ready_here(s, weapon):
        side = 1 - s.units[i].side
        for e in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
            value = value_here(s, i, weapon, e)
            if value > c.SAME and goes_before(s, i, e, value, found, top):
                found = e
                top = value
    return found, top


def best_here(s: State, i: int, actions: int) -> tuple[int, int]:
    """Return the weapon and target with the most value per Action, within `actions`; NOBODY if none. Ledger 6.7."""
    u = s.units[i]
    found = c.NOBODY
    target = c.NOBODY
    top = 0.0
    for weapon in range(u.weapon, u.weapon + u.weapons):
        price = attack_price(s.weapons[weapon])
        if price <= actions:
            e, value = best_target_here(s, i, weapon)
            if e >= 0 and goes_before(s, i, e, value / price, target, top):
                found = weapon
                target = e
                top = value / price
    return found, target


def zeal_here(s: State, i: int, actions: int) -> int:
    """Return how many Actions unit i, with none left, would buy to attack without moving.

    A unit below 0 Actions must first buy those it lacks.
    """
    u = s.units[i]
    own = s.sides[u.side]
    lacks = max(0, -actions)
    left = min(3, own.momentum) - lacks
    bought = 0
    seen = 0  # bit n: weapon n of the unit was considered
    for _ in range(u.weapons):
        found = c.NOBODY
        top = 0.0
        value_of_it = 0.0
        for at in range(u.weapons):
            if seen >> at & 1:
                continue
            e, value = best_target_here(s, i, u.weapon + at)
            ratio = value / attack_price(s.weapons[u.weapon + at])
            if e >= 0 and ratio > top + c.SAME:
                found = at
                top = ratio
                value_of_it = value
        if found == c.NOBODY:
            break
        seen |= 1 << found
        price = attack_price(s.weapons[u.weapon + found])
        if value_of_it >= own.attack_price * price - c.SAME and price <= left:
            left -= price
            bought += price
    return bought + lacks if bought else 0
