"""The AI's choices in a fight (ledger section 6). Changes only plans, never the battle."""

from __future__ import annotations

from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.rules import (
    count_units,
    end_of,
    first_of,
    has_contact,
    hits_to_go,
    in_contact,
    is_linked,
    is_visible,
    pair_of,
    rating_of,
    strength_in_zone,
    weapon_of,
)
from systems.meks_and_mercs.battle.rules.firepower import (
    fire_worth,
    standing_modifier,
    weigh_weapon,
)
from systems.meks_and_mercs.battle.state import Battle, State, Unit

IMPATIENCE = 3  # quiet rounds before a side loses patience (MM-A28)


def ai_style_of(b: Battle, side: int) -> int:
    """Return the AI style of a side."""
    return b.attacker_doctrine if side == c.ATTACKER else b.defender_doctrine


def must_attack(b: Battle, side: int) -> int:
    """Return 1 if a side loses patience in a quiet fight (MM-A28)."""
    return b.attacker_must_attack if side == c.ATTACKER else b.defender_must_attack


def faces_enemy(s: State, i: int) -> bool:
    """Return True if unit i is in contact with an enemy other than one that is just revealing itself (MM-A05)."""
    foe = 1 - s.units[i].side
    for e in range(first_of(s.battle, foe), end_of(s.battle, foe)):  # noqa: SIM110 - the compiled run knows no generators
        if in_contact(s, i, e):
            return True
    return False


def is_harmless(s: State, i: int) -> bool:
    """Return True if unit i has nothing that can hurt any enemy in contact at any band (MM-A14)."""
    b = s.battle
    foe = 1 - s.units[i].side
    for e in range(first_of(b, foe), end_of(b, foe)):
        if in_contact(s, i, e):
            for band in range(3):
                if fire_worth(s, i, e, band) > 0:
                    return False
    return True


def wants_to_break(s: State, i: int) -> bool:
    """Return True if unit i wants to break contact, which it must be in (MM-A14)."""
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
    if u.ordered_preserve and (u.hits < u.full_hits or u.wounded):
        return True
    return u.ordered_retreat > 1 and u.hits < u.ordered_retreat


def ordered_to_break(s: State, i: int) -> bool:
    """Return True if unit i's autoplay orders, which come before the AI style, make it break contact. MM-A43."""
    u = s.units[i]
    theirs = wants_to_break(s, i)
    if u.kind == c.INFANTRY or (s.battle.revealing and not faces_enemy(s, i)):
        return theirs
    wanted = theirs
    if is_damaged_enough_to_retreat(u):
        wanted = True
    elif u.ordered_retreat == 1:
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
    """Return the band at which unit i wants to fight enemy e (MM-A28)."""
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
    weight = 1 if doctrine == c.AGGRESSIVE else 2  # how much the enemy's fire counts, in halves
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
    """Return the band that unit i is ordered to seek, unless it breaks contact. MM-A43."""
    u = s.units[i]
    if u.wants_break or u.kind == c.INFANTRY:
        return preferred_band(s, i, e)
    if u.ordered_range - 1 != preferred_band(s, i, e):
        u.obeys = u.ordered_range
    return u.ordered_range - 1


def can_aim_at(s: State, i: int, e: int) -> int:
    """Return 0 if unit i can't attack e, 1 if it can, 2 if only with missiles, over a data link (MM-A29)."""
    if not in_contact(s, i, e):
        return 0
    target = s.units[e]
    if target.kind == c.INFANTRY:
        return 1 if target.detected else 0
    if target.systems & c.MASKING == 0 or target.exposed or s.sights[i * count_units(s) + e].targeted:
        return 1
    return 2 if is_linked(s, i, e) else 0


def gains_by_link(s: State, side: int, e: int) -> bool:
    """Return True if a friend can't fire missiles at masked e until commandos identify it for a link. MM-D62."""
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
    """Return the enemy that commandos i act on this round (NOBODY: none), and 1 to mark it or 0 to identify it.

    Their order of preference: undetected infantry; a decoy; a masked unit if that lets a friend fire; otherwise a mark
    on the Mek or vehicle in contact with the fewest Hits. MM-090, MM-D62.
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

    A masked unit is neither targeted nor can it be, so it can't be attacked (MM-035).
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
