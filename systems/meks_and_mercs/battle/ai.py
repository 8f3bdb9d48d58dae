"""The AI's choices in a fight: section 6 of the ledger. Changes only plans, never the battle."""

from __future__ import annotations

from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.rules.facts import count_units
from systems.meks_and_mercs.battle.rules.facts import end_of
from systems.meks_and_mercs.battle.rules.facts import first_of
from systems.meks_and_mercs.battle.rules.facts import has_contact
from systems.meks_and_mercs.battle.rules.facts import hits_to_go
from systems.meks_and_mercs.battle.rules.facts import in_contact
from systems.meks_and_mercs.battle.rules.facts import is_linked
from systems.meks_and_mercs.battle.rules.facts import is_visible
from systems.meks_and_mercs.battle.rules.facts import pair_of
from systems.meks_and_mercs.battle.rules.facts import rating_of
from systems.meks_and_mercs.battle.rules.facts import strength_in_zone
from systems.meks_and_mercs.battle.rules.facts import weapon_of
from systems.meks_and_mercs.battle.rules.firepower import best
from systems.meks_and_mercs.battle.rules.firepower import fire_worth
from systems.meks_and_mercs.battle.rules.firepower import standing_modifier
from systems.meks_and_mercs.battle.rules.firepower import weigh_weapon
from systems.meks_and_mercs.battle.rules.firepower import weigh_weapons
from systems.meks_and_mercs.battle.state import Battle
from systems.meks_and_mercs.battle.state import State
from systems.meks_and_mercs.battle.state import Unit


IMPATIENCE = 3  # quiet rounds until a side loses patience (MM-A28)


def ai_style_of(b: Battle, side: int) -> int:
    """Return the AI style of a side."""
    return b.attacker_doctrine if side == c.ATTACKER else b.defender_doctrine


def must_attack(b: Battle, side: int) -> int:
    """Return 1 if a side loses patience in a quiet fight (MM-A28)."""
    return b.attacker_must_attack if side == c.ATTACKER else b.defender_must_attack


def faces_enemy(s: State, i: int) -> bool:
    """Return True if unit i is in contact with an enemy that is not just revealing itself (MM-A05)."""
    foe = 1 - s.units[i].side
    for e in range(first_of(s.battle, foe), end_of(s.battle, foe)):  # noqa: SIM110 - the compiled run knows no generators
        if in_contact(s, i, e):
            return True
    return False


def is_harmless(s: State, i: int) -> bool:
    """Return True if nothing unit i has can hurt any enemy in contact at any band (MM-A14)."""
    b = s.battle
    foe = 1 - s.units[i].side
    for e in range(first_of(b, foe), end_of(b, foe)):
        if in_contact(s, i, e):
            for band in range(3):
                if fire_worth(s, i, e, band) > 0:
                    return False
    return True


def wants_to_break(s: State, i: int) -> bool:
    """Return True if unit i, in contact, wants to break it (MM-A14)."""
    u = s.units[i]
    if u.kind == c.INFANTRY or (s.battle.revealing and not faces_enemy(s, i)):
        return False
    if u.order == c.RUN:
        return True
    if ai_style_of(s.battle, u.side) == c.CAUTIOUS:
        if u.kind == c.MEK and u.hits <= u.full_hits // 2:
            return True
        if 2 * strength_in_zone(s, u.side, u.zone) < strength_in_zone(s, 1 - u.side, u.zone):
            return True
    return is_harmless(s, i)


def is_damaged_enough_to_retreat(u: Unit) -> bool:
    """Return True if a unit has taken as much damage as its autoplay orders allow. MM-A43."""
    if u.told_preserve and (u.hits < u.full_hits or u.wounded):
        return True
    return u.told_retreat > 1 and u.hits < u.told_retreat


def ordered_to_break(s: State, i: int) -> bool:
    """Return True if unit i, with autoplay orders, wants to break contact: orders come before the AI style. MM-A43."""
    u = s.units[i]
    theirs = wants_to_break(s, i)
    if u.kind == c.INFANTRY or (s.battle.revealing and not faces_enemy(s, i)):
        return theirs
    wanted = theirs
    if is_damaged_enough_to_retreat(u):
        wanted = True
    elif u.told_retreat == 1:
        wanted = u.order == c.RUN
    if wanted != theirs:
        u.obeys = 2 if wanted else 1
    return wanted


def uses_jets(s: State, i: int) -> bool:
    """Return True if unit i, which has working jump jets, uses them this round (MM-A13)."""
    b = s.battle
    u = s.units[i]
    if u.wants_break:
        return True
    heat = 0
    for slot in range(u.arms):
        weapon = weapon_of(s, i, slot)
        if weapon.intact:
            heat += weapon.heat
    if rating_of(s, i) - u.carried_heat >= 2 + heat:
        return True
    for e in range(first_of(b, 1 - u.side), end_of(b, 1 - u.side)):
        if in_contact(s, i, e) and fire_worth(s, i, e, pair_of(s, i, e).band) > 0:
            return False
    return True


def preferred_band(s: State, i: int, e: int) -> int:
    """Return the band that unit i would like to have to enemy e (MM-A28)."""
    b = s.battle
    u = s.units[i]
    if u.kind == c.INFANTRY:
        return c.SHORT
    doctrine = ai_style_of(b, u.side)
    if u.wants_break and not (u.order == c.RUN and doctrine == c.AGGRESSIVE):
        return c.LONG
    if s.zones[u.zone].quiet >= IMPATIENCE and must_attack(b, u.side):
        doctrine = c.AGGRESSIVE
    own = hits_to_go(u)
    theirs = hits_to_go(s.units[e])
    can_hurt = False
    if doctrine == c.AGGRESSIVE:
        for band in range(3):
            if fire_worth(s, i, e, band) > 0:
                can_hurt = True
    weight = 1 if doctrine == c.AGGRESSIVE else 2  # weight of the enemy's fire, in halves
    wanted = c.NOBODY
    best_score = 0
    for band in range(3):
        worth = fire_worth(s, i, e, band)
        if can_hurt and worth == 0:
            continue
        score = 2 * worth * own - weight * fire_worth(s, e, i, band) * theirs  # times 2 x Hits of both
        if wanted == c.NOBODY or score > best_score or (score == best_score and doctrine == c.CAUTIOUS):
            wanted = band
            best_score = score
    return wanted


def band_by_orders(s: State, i: int, e: int) -> int:
    """Return the band that unit i was ordered to go for, unless it breaks contact. MM-A43."""
    u = s.units[i]
    if u.wants_break or u.kind == c.INFANTRY:
        return preferred_band(s, i, e)
    if u.told_range - 1 != preferred_band(s, i, e):
        u.obeys = u.told_range
    return u.told_range - 1


def can_aim_at(s: State, i: int, e: int) -> int:
    """Return 0 if unit i can't attack e, 1 if with everything, 2 if with missiles only, by a data link (MM-A29)."""
    if not in_contact(s, i, e):
        return 0
    target = s.units[e]
    if target.kind == c.INFANTRY:
        return 1 if target.detected else 0
    if target.systems & c.MASKING == 0 or target.exposed or s.sights[i * count_units(s) + e].targeted:
        return 1
    return 2 if is_linked(s, i, e) else 0


def gains_by_link(s: State, side: int, e: int) -> bool:
    """Return True if a friend can fire missiles at masked e only once commandos identify it for a link. MM-D62."""
    b = s.battle
    for f in range(first_of(b, side), end_of(b, side)):
        carrier = s.units[f]
        if carrier.systems & c.DATA_LINK == 0 or carrier.present == 0 or carrier.stunned:
            continue
        if carrier.zone != s.units[e].zone:
            continue
        for i in range(first_of(b, side), end_of(b, side)):
            if i == f or s.units[i].in_fight == 0 or s.units[i].stunned or s.units[i].kind == c.INFANTRY:
                continue
            if not in_contact(s, i, e) or can_aim_at(s, i, e):
                continue
            band = pair_of(s, i, e).band
            for slot in range(s.units[i].arms):
                weapon = weapon_of(s, i, slot)
                modifier = standing_modifier(s, i, e, weapon, band, 1, s.sights[i * count_units(s) + e].doubled)
                if weapon.family == c.MISSILE and weigh_weapon(s, i, e, weapon, band, modifier) > 0:
                    return True
    return False


def commandos_choice(s: State, i: int) -> tuple[int, int]:
    """Return the enemy that commandos i act on in this round, and 1 to mark it, 0 to identify it; NOBODY for none.

    In this order: undetected infantry, a decoy, a masked unit if that lets a friend fire, else a mark on the Mek or
    vehicle in contact with the fewest Hits. MM-090, MM-D62.
    """
    b = s.battle
    u = s.units[i]
    infantry = c.NOBODY
    decoy = c.NOBODY
    masked = c.NOBODY
    weakest = c.NOBODY
    for e in range(first_of(b, 1 - u.side), end_of(b, 1 - u.side)):
        target = s.units[e]
        if not is_visible(target) or target.zone != u.zone:
            continue
        if target.decoy:
            if decoy == c.NOBODY:
                decoy = e
        elif target.kind == c.INFANTRY:
            if target.detected == 0 and infantry == c.NOBODY:
                infantry = e
        elif has_contact(s, e):
            if masked == c.NOBODY and target.systems & c.MASKING and gains_by_link(s, u.side, e):
                masked = e
            if weakest == c.NOBODY or target.hits < s.units[weakest].hits:
                weakest = e
    if infantry != c.NOBODY:
        return infantry, 0
    if decoy != c.NOBODY:
        return decoy, 0
    if masked != c.NOBODY:
        return masked, 0
    return weakest, 1


def infantry_target(s: State, i: int) -> int:
    """Return the unit that a strongpoint attacks, or NOBODY. MM-A30.

    A masked unit can't be attacked: it is not targeted and can't be (MM-035).
    """
    b = s.battle
    chosen = c.NOBODY
    for e in range(first_of(b, 1 - s.units[i].side), end_of(b, 1 - s.units[i].side)):
        if can_aim_at(s, i, e) != 1 or pair_of(s, i, e).band != c.SHORT or s.units[e].kind == c.INFANTRY:
            continue
        if chosen == c.NOBODY:
            chosen = e
            continue
        new = (s.units[e].armor - 1) * s.units[chosen].hits
        old = (s.units[chosen].armor - 1) * s.units[e].hits
        if new > old or (new == old and s.units[e].price > s.units[chosen].price):
            chosen = e
    return chosen


def is_planned_target(s: State, i: int, e: int) -> bool:
    """Return True if e is among the targets of unit i's fire plan."""
    base = i * (c.WEAPON_SLOTS + 1)
    for k in range(s.units[i].firings):  # noqa: SIM110 - the compiled run knows no generators
        if s.firings[base + k].target == e:
            return True
    return False


def best_at(s: State, i: int, e: int, limit: int, primary: int, missiles_only: int) -> int:
    """Return the sum of unit i's best fire at e in a fire plan, in 1/WHOLE; the set is left in `chosen`. MM-A25."""
    u = s.units[i]
    weigh_weapons(s, i, e, pair_of(s, i, e).band, primary, 1, missiles_only)
    total = best(s, i, limit)
    if primary == 0 or u.kind != c.MEK or u.chosen_all or u.told_heat == c.COOL:
        return total
    mask = u.chosen
    heat = u.chosen_heat
    hotter = best(s, i, limit + 1)
    if (u.skills & c.ICE_MAN or u.told_heat == c.HOT) and hotter > total:
        return hotter
    aggressive = ai_style_of(s.battle, u.side) == c.AGGRESSIVE
    if aggressive and s.units[e].kind != c.INFANTRY and 3 * (hotter - total) >= c.WHOLE:
        return hotter
    u.chosen = mask
    u.chosen_heat = heat
    return total


def fire_order(s: State, i: int, mask: int) -> int:
    """Return the weapons of a mask in firing order: missiles first, then worth, heat, slot. MM-A33.

    They are packed into one number, the first weapon lowest: slot + 1 in four bits each, 0 at the end.
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

    The plan on a first target is kept until a version changes, if nothing depends on this round alone.
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
    """Calculate the worth of every unit's fire on every enemy before the battle, so that no battle has to."""
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
    """Return how well enemy e suits the target that a side has ordered: more is better. MM-014, MM-A43."""
    if wanted == c.WEAKEST:
        return -hits_to_go(s.units[e])
    if wanted == c.TOUGHEST:
        return hits_to_go(s.units[e])
    if wanted == c.CHEAPEST:
        return -s.units[e].price
    return s.units[e].price


def unit_target_score(s: State, i: int, e: int) -> int:
    """Return how well enemy e suits the target that unit i was ordered to prefer: more is better. MM-A43."""
    if s.units[i].told_target == c.NEAREST:
        return -pair_of(s, i, e).band
    return side_target_score(s, s.units[i].told_target, e)


def suits_more(s: State, i: int, e: int, chosen: int, better: bool) -> bool:
    """Return True if unit i prefers enemy e to the one chosen so far; `better` if its orders leave it open. MM-A43."""
    wanted = unit_target_score(s, i, e)
    other = unit_target_score(s, i, chosen)
    return better if wanted == other else wanted > other


def liked_target(s: State, i: int, limit: int) -> int:
    """Return the primary target that unit i would pick without orders. MM-A31."""
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
    """Pick the next target of unit i, plan its fire there, and return the target or NOBODY. MM-A31, MM-A32, MM-A43."""
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
        if u.told_target and chosen != c.NOBODY:
            better = suits_more(s, i, e, chosen, better)
        if better:
            chosen = e
            value = worth
            order = u.chosen_order
            heat = u.chosen_heat
    if chosen == c.NOBODY:
        return c.NOBODY
    if u.told_target and primary and liked_target(s, i, limit) != chosen:
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
    """Add the extra shot of a Gunnery pilot at the primary target, last in order. MM-A34."""
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
