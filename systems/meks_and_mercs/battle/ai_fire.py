"""The AI's choice of targets and weapons (ledger section 6)."""

from __future__ import annotations

from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.ai import ai_style_of, can_aim_at, infantry_target
from systems.meks_and_mercs.battle.rules import (
    count_units,
    end_of,
    first_of,
    hits_to_go,
    in_contact,
    pair_of,
    rating_of,
    weapon_of,
)
from systems.meks_and_mercs.battle.rules.firepower import (
    best,
    fire_worth,
    standing_modifier,
    weigh_weapon,
    weigh_weapons,
)
from systems.meks_and_mercs.battle.state import State


def is_planned_target(s: State, i: int, e: int) -> bool:
    """Return True if e is among the targets of unit i's fire plan."""
    base = i * (c.WEAPON_SLOTS + 1)
    for k in range(s.units[i].firings):  # noqa: SIM110 - the compiled run knows no generators
        if s.firings[base + k].target == e:
            return True
    return False


def best_at(s: State, i: int, e: int, limit: int, primary: int, missiles_only: int) -> int:
    """Return the sum of unit i's best fire at e in a fire plan, in 1/WHOLE; leave the weapons in `chosen`. MM-A25."""
    u = s.units[i]
    weigh_weapons(s, i, e, pair_of(s, i, e).band, primary, 1, missiles_only)
    total = best(s, i, limit)
    if primary == 0 or u.kind != c.MEK or u.chosen_all or u.ordered_heat == c.COOL:
        return total
    mask = u.chosen
    heat = u.chosen_heat
    hotter = best(s, i, limit + 1)
    if (u.skills & c.ICE_MAN or u.ordered_heat == c.HOT) and hotter > total:
        return hotter
    aggressive = ai_style_of(s.battle, u.side) == c.AGGRESSIVE
    if aggressive and s.units[e].kind != c.INFANTRY and 3 * (hotter - total) >= c.WHOLE:
        return hotter
    u.chosen = mask
    u.chosen_heat = heat
    return total


def fire_order(s: State, i: int, mask: int) -> int:
    """Return the weapons of a mask in firing order: missiles first, then worth, heat, slot. MM-A33.

    They are packed into one number, first weapon lowest: slot + 1 in four bits each, ended by 0.
    """
    order = 0
    shift = 0
    while mask:
        first = c.NOBODY
        for slot in range(s.units[i].arms):
            if mask & (1 << (c.WEAPON_SLOTS - 1 - slot)) == 0:
                continue
            if first == c.NOBODY:
                first = slot
                continue
            new = weapon_of(s, i, slot)
            old = weapon_of(s, i, first)
            new_missile = 1 if new.family == c.MISSILE else 0
            old_missile = 1 if old.family == c.MISSILE else 0
            if new_missile != old_missile:
                if new_missile:
                    first = slot
            elif new.expected > old.expected or (new.expected == old.expected and new.heat > old.heat):
                first = slot
        mask &= ~(1 << (c.WEAPON_SLOTS - 1 - first))
        order |= (first + 1) << shift
        shift += 4
    return order


def weigh_target(s: State, i: int, e: int, limit: int, primary: int, aim: int) -> int:
    """Return the sum of unit i's best fire at e, in 1/WHOLE; leave heat and firing order in the unit. MM-A31, MM-A32.

    The plan for a first target is kept until a version changes, if it doesn't depend on anything in this round alone.
    """
    u = s.units[i]
    n = count_units(s)
    special = primary == 0 or aim == 2 or u.jets or s.units[e].marked or s.sights[i * n + e].doubled
    salvo = s.salvos[(i * n + e) * 3 + pair_of(s, i, e).band]
    stamp = u.version + s.units[e].version
    if special or salvo.stamp != stamp:
        worth = best_at(s, i, e, limit, primary, 1 if aim == 2 else 0)
        u.chosen_order = fire_order(s, i, u.chosen) if worth else 0
        if not special:
            salvo.stamp = stamp
            salvo.worth = worth
            salvo.heat = u.chosen_heat
            salvo.order = u.chosen_order
        return worth
    u.chosen_heat = salvo.heat
    u.chosen_order = salvo.order
    return salvo.worth


def reckon(s: State) -> None:
    """Calculate the worth of every unit's fire on every enemy before the battle, which saves time in each battle."""
    b = s.battle
    n = count_units(s)
    for i in range(n):
        if s.units[i].kind == c.COMMANDOS:
            continue
        for e in range(first_of(b, 1 - s.units[i].side), end_of(b, 1 - s.units[i].side)):
            if s.units[e].kind == c.COMMANDOS or (s.units[i].kind == c.INFANTRY and s.units[e].kind == c.INFANTRY):
                continue
            fire_worth(s, i, e, c.SHORT)
            if s.units[i].kind == c.INFANTRY:
                continue
            for band in range(3):
                pair_of(s, i, e).band = band
                weigh_target(s, i, e, rating_of(s, i) - s.units[i].carried_heat, 1, 1)
            pair_of(s, i, e).band = c.LONG


def side_target_score(s: State, wanted: int, e: int) -> int:
    """Return how well enemy e suits the target ordered by a side; higher is better. MM-014, MM-A43."""
    if wanted == c.WEAKEST:
        return -hits_to_go(s.units[e])
    if wanted == c.TOUGHEST:
        return hits_to_go(s.units[e])
    if wanted == c.CHEAPEST:
        return -s.units[e].price
    return s.units[e].price


def unit_target_score(s: State, i: int, e: int) -> int:
    """Return how well enemy e suits the target that unit i is ordered to prefer; higher is better. MM-A43."""
    if s.units[i].ordered_target == c.NEAREST:
        return -pair_of(s, i, e).band
    return side_target_score(s, s.units[i].ordered_target, e)


def suits_more(s: State, i: int, e: int, chosen: int, better: bool) -> bool:
    """Return True if unit i prefers enemy e to `chosen`; `better` decides if its orders leave that open. MM-A43."""
    wanted = unit_target_score(s, i, e)
    other = unit_target_score(s, i, chosen)
    return better if wanted == other else wanted > other


def liked_target(s: State, i: int, limit: int) -> int:
    """Return the primary target that unit i would choose without orders. MM-A31."""
    b = s.battle
    u = s.units[i]
    chosen = c.NOBODY
    value = 0
    for e in range(first_of(b, 1 - u.side), end_of(b, 1 - u.side)):
        aim = can_aim_at(s, i, e)
        if aim == 0:
            continue
        hits = hits_to_go(s.units[e])
        worth = min(c.WHOLE * c.COMMON, weigh_target(s, i, e, limit, 1, aim) * (c.COMMON // hits))
        better = worth > value
        if worth == value and chosen != c.NOBODY:
            other = hits_to_go(s.units[chosen])
            better = hits < other or (hits == other and s.units[e].price > s.units[chosen].price)
        if better:
            chosen = e
            value = worth
    return chosen


def plan_target(s: State, i: int, limit: int, primary: int) -> int:
    """Choose unit i's next target, plan its fire there, and return the target or NOBODY. MM-A31, MM-A32, MM-A43."""
    b = s.battle
    u = s.units[i]
    chosen = c.NOBODY
    value = 0
    order = 0
    heat = 0
    for e in range(first_of(b, 1 - u.side), end_of(b, 1 - u.side)):
        aim = can_aim_at(s, i, e)
        if aim == 0 or (primary == 0 and is_planned_target(s, i, e)):
            continue
        total = weigh_target(s, i, e, limit, primary, aim)
        hits = hits_to_go(s.units[e])
        worth = min(c.WHOLE * c.COMMON, total * (c.COMMON // hits))
        if worth <= 0:
            continue
        better = worth > value
        if worth == value and chosen != c.NOBODY:
            other = hits_to_go(s.units[chosen])
            better = hits < other or (hits == other and s.units[e].price > s.units[chosen].price)
        if u.ordered_target and chosen != c.NOBODY:
            better = suits_more(s, i, e, chosen, better)
        if better:
            chosen = e
            value = worth
            order = u.chosen_order
            heat = u.chosen_heat
    if chosen == c.NOBODY:
        return c.NOBODY
    if u.ordered_target and primary and liked_target(s, i, limit) != chosen:
        u.obeys = chosen + 1
    base = i * (c.WEAPON_SLOTS + 1)
    while order:
        firing = s.firings[base + u.firings]
        firing.slot = (order & 15) - 1
        firing.target = chosen
        firing.gunnery = 0
        weapon_of(s, i, firing.slot).planned = 1
        u.firings += 1
        order >>= 4
    u.planned_heat += heat
    u.targets += 1
    return chosen


def plan_gunnery(s: State, i: int, e: int, limit: int) -> None:
    """Add the extra shot of a pilot with Gunnery at the primary target, last in order. MM-A34."""
    u = s.units[i]
    base = i * (c.WEAPON_SLOTS + 1)
    n = count_units(s)
    band = pair_of(s, i, e).band
    chosen = c.NOBODY
    value = 0
    marked = s.units[e].marked if s.units[e].kind != c.INFANTRY else 0
    for k in range(u.firings):
        slot = s.firings[base + k].slot
        weapon = weapon_of(s, i, slot)
        if s.firings[base + k].target != e or (weapon.family != c.CANNON and weapon.family != c.SMALL):
            continue
        modifier = standing_modifier(s, i, e, weapon, band, 1, s.sights[i * n + e].doubled) + marked - 2
        worth = weigh_weapon(s, i, e, weapon, band, modifier)
        if worth == 0 or u.planned_heat + weapon.heat > limit and weapon.heat > 0:
            continue
        if worth > value or (worth == value and slot < chosen):
            chosen = slot
            value = worth
    if chosen != c.NOBODY:
        firing = s.firings[base + u.firings]
        firing.slot = chosen
        firing.target = e
        firing.gunnery = 1
        u.firings += 1
        u.planned_heat += weapon_of(s, i, chosen).heat


def plan_fire(s: State, i: int) -> None:
    """Plan the fire of unit i, in contact and not stunned, from the state after detection. MM-A18, section 6.5."""
    b = s.battle
    u = s.units[i]
    u.firings = 0
    u.targets = 0
    u.planned_heat = 0
    u.dodges = 0
    if u.kind == c.INFANTRY:
        target = infantry_target(s, i)
        if target != c.NOBODY:
            s.firings[i * (c.WEAPON_SLOTS + 1)].slot = c.NOBODY
            s.firings[i * (c.WEAPON_SLOTS + 1)].target = target
            s.firings[i * (c.WEAPON_SLOTS + 1)].gunnery = 0
            u.firings = 1
        return
    limit = rating_of(s, i) - u.carried_heat - 2 * u.jets
    primary = plan_target(s, i, limit, 1)
    if primary != c.NOBODY:
        more = (1 if u.systems & c.DIRECTOR else 0) + (1 if u.skills & c.QUICK_DRAW else 0)  # MM-041, MM-073
        while more > 0:
            more -= 1
            if plan_target(s, i, limit - u.planned_heat, 0) == c.NOBODY:
                more = 0
        if u.skills & c.GUNNERY:
            plan_gunnery(s, i, primary, limit)
    if u.skills & c.AGILITY and u.total >= 8 and u.planned_heat + 1 <= limit:  # MM-067, MM-A35
        for e in range(first_of(b, 1 - u.side), end_of(b, 1 - u.side)):
            if in_contact(s, i, e) and (s.units[e].kind != c.INFANTRY or s.units[e].detected):
                u.dodges = 1
