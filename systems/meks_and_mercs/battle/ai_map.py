"""The AI's choices on the map: moves, entries, reveals, free attacks, support (ledger sections 6.8 and 6.9)."""

from __future__ import annotations

from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.ai import ai_style_of, is_damaged_enough_to_retreat, must_attack
from systems.meks_and_mercs.battle.ai_fire import side_target_score
from systems.meks_and_mercs.battle.rules import (
    count_units,
    distance,
    end_of,
    first_of,
    has_contact,
    has_visible,
    hits_to_go,
    in_contact,
    is_exit,
    is_mek,
    is_unbroken,
    is_unknown,
    is_visible,
    reaches,
    strength_in_zone,
    strength_of,
    weapon_of,
)
from systems.meks_and_mercs.battle.rules.firepower import fire_worth, standing_modifier, weigh_weapon
from systems.meks_and_mercs.battle.state import State

FAR = 99


def end_ordered_moves(s: State, side: int) -> None:
    """Let units whose movement order was for earlier turns only move as the AI chooses again. MM-A43."""
    b = s.battle
    for i in range(first_of(b, side), end_of(b, side)):
        u = s.units[i]
        if u.ordered_until and b.turn > u.ordered_until:
            u.ordered_until = 0
            u.ordered_move = 0
            u.order = u.later_order
            u.goal = u.later_goal


def update_orders(s: State, side: int) -> None:
    """End movement orders that have run out; attackers that have cleared the map now head for its edge.

    Ledger 6.7, Buying us some time.
    """
    b = s.battle
    if b.ordered_until:
        end_ordered_moves(s, side)
    if b.objective != c.CLEAR_AND_LEAVE or side != c.ATTACKER:
        return
    for e in range(first_of(b, 1 - side), end_of(b, 1 - side)):
        if s.units[e].present and s.units[e].kind != c.COMMANDOS:
            return
    for i in range(first_of(b, side), end_of(b, side)):
        s.units[i].order = c.RUN


def goes_first(s: State, side: int) -> bool:
    """Return True if a side with that choice moves first. MM-A38."""
    return ai_style_of(s.battle, side) == c.AGGRESSIVE


def passes_entry_test(s: State, i: int, zone: int) -> bool:
    """Return True if the AI lets unit i enter a zone. MM-A39."""
    b = s.battle
    u = s.units[i]
    if u.ordered_move or ai_style_of(b, u.side) == c.AGGRESSIVE or not has_visible(s, 1 - u.side, zone):
        return True
    if must_attack(b, u.side) and 2 * b.turn > b.turn_limit:
        return True
    if u.kind == c.MEK and u.hits <= u.full_hits // 2:
        return False
    own = strength_in_zone(s, u.side, zone)
    for f in range(first_of(b, u.side), end_of(b, u.side)):
        friend = s.units[f]
        if friend.present == 0 or friend.hidden or friend.decoy or friend.moved:
            continue
        if friend.kind != c.MEK and friend.kind != c.VEHICLE:
            continue
        if distance(b, friend.zone, zone) == 1 and not has_contact(s, f):
            own += strength_of(friend)
    return own >= strength_in_zone(s, 1 - u.side, zone)


def friend_fights(s: State, i: int, zone: int) -> bool:
    """Return True if another unit of i's side is in contact in a zone."""
    b = s.battle
    side = s.units[i].side
    for f in range(first_of(b, side), end_of(b, side)):
        if f != i and s.units[f].zone == zone and has_contact(s, f):
            return True
    return False


def has_friendly_mek(s: State, i: int) -> bool:
    """Return True if another visible Mek of i's side is in its zone."""
    b = s.battle
    u = s.units[i]
    for f in range(first_of(b, u.side), end_of(b, u.side)):
        friend = s.units[f]
        if f != i and friend.zone == u.zone and is_mek(friend) and is_visible(friend):
            return True
    return False


def way_back(s: State, i: int) -> int:
    """Return where a unit that broke contact goes: the adjacent quiet zone nearest to its start. MM-A41 (b).

    If there is none, it stays.
    """
    b = s.battle
    u = s.units[i]
    chosen = u.zone
    nearest = FAR
    for zone in range(1, c.LAST_ZONE + 1):
        if distance(b, u.zone, zone) != 1 or has_visible(s, 1 - u.side, zone):
            continue
        if distance(b, zone, u.start_zone) < nearest:
            nearest = distance(b, zone, u.start_zone)
            chosen = zone
    return chosen


def call_for_help(s: State, i: int) -> int:
    """Return the adjacent zone where a friend is in contact, the strongest enemy first; or OFF_MAP. MM-A41 (d)."""
    b = s.battle
    u = s.units[i]
    chosen = c.OFF_MAP
    most = c.NOBODY
    for zone in range(1, c.LAST_ZONE + 1):
        if distance(b, u.zone, zone) == 1 and friend_fights(s, i, zone):
            strength = strength_in_zone(s, 1 - u.side, zone)
            if strength > most:
                most = strength
                chosen = zone
    return chosen


def target_zone(s: State, i: int) -> int:
    """Return the zone that unit i is heading for; its own if none. MM-A41 (f)."""
    b = s.battle
    u = s.units[i]
    if u.order == c.ASSAULT:
        return u.goal
    chosen = u.zone
    nearest = FAR
    least = 0
    for zone in range(1, c.LAST_ZONE + 1):
        way = distance(b, u.zone, zone)
        if u.order == c.RUN:
            if is_exit(b, zone) and way < nearest:
                nearest = way
                chosen = zone
        elif way <= nearest and has_visible(s, 1 - u.side, zone):
            strength = strength_in_zone(s, 1 - u.side, zone)
            if way < nearest or strength < least:
                nearest = way
                least = strength
                chosen = zone
    return chosen


def next_zone(s: State, i: int, target: int) -> int:
    """Return the adjacent zone that is nearer to the target and has the weakest enemy. MM-A41 (f)."""
    b = s.battle
    u = s.units[i]
    chosen = u.zone
    least = c.NOBODY
    for zone in range(1, c.LAST_ZONE + 1):
        if distance(b, u.zone, zone) != 1 or distance(b, zone, target) >= distance(b, u.zone, target):
            continue
        strength = strength_in_zone(s, 1 - u.side, zone)
        if least == c.NOBODY or strength < least:
            least = strength
            chosen = zone
    return chosen


def is_quiet_around(s: State, side: int, zone: int) -> bool:
    """Return True if no visible enemy of a side is in a zone or next to it."""
    for other in range(1, c.LAST_ZONE + 1):
        if distance(s.battle, zone, other) <= 1 and has_visible(s, 1 - side, other):
            return False
    return True


def choose_zone(s: State, i: int, second: int) -> int:
    """Return where free unit i moves: a zone, its own to stay, OFF_MAP to leave. MM-A41; second moves: MM-A42."""
    b = s.battle
    u = s.units[i]
    if u.order == c.RUN and is_exit(b, u.zone):
        return c.OFF_MAP
    if u.withdrew and u.order != c.RUN:
        return u.zone if second else way_back(s, i)
    own = s.sides[u.side]
    if own.diggings > 0 and own.order_dig == i + 1 and u.dug_in == 0 and s.zones[u.zone].to_hit < 0:
        return u.zone  # it gives up its move in order to dig in, as ordered (MM-086)
    if u.order != c.RUN and u.kind != c.COMMANDOS and u.ordered_move == 0 and friend_fights(s, i, u.zone):
        return u.zone
    doctrine = ai_style_of(b, u.side)
    helps = u.order == c.ASSAULT or u.order == c.HUNT
    if u.order == c.HOLD and doctrine == c.AGGRESSIVE and has_friendly_mek(s, i):
        helps = True
    if helps and second == 0 and u.ordered_move == 0:
        zone = call_for_help(s, i)
        if zone != c.OFF_MAP:
            return zone if passes_entry_test(s, i, zone) else u.zone
    if u.order == c.HOLD or (second and u.order == c.HUNT and doctrine == c.CAUTIOUS):
        return u.zone
    target = target_zone(s, i)
    if target == u.zone:
        return u.zone
    zone = next_zone(s, i, target)
    if zone == u.zone:
        return zone
    if second:
        if has_visible(s, 1 - u.side, zone):
            return u.zone
        if doctrine == c.CAUTIOUS and not is_quiet_around(s, u.side, zone):
            return u.zone
        return zone
    return zone if passes_entry_test(s, i, zone) else u.zone


def zone_by_orders(s: State, i: int, second: int) -> int:
    """Return where free unit i's autoplay orders, which come before the AI style, move it. MM-A43."""
    u = s.units[i]
    if u.ordered_move == 0 and (not is_damaged_enough_to_retreat(u) or u.order == c.RUN):
        return choose_zone(s, i, second)
    order = u.order
    goal = u.goal
    ordered = u.ordered_move
    zone = u.zone
    if not is_damaged_enough_to_retreat(u) or order == c.RUN:
        zone = choose_zone(s, i, second)
    elif second == 0 and has_visible(s, 1 - u.side, u.zone):
        zone = way_back(s, i)
    u.ordered_move = 0
    if ordered:
        u.order = u.later_order
        u.goal = u.later_goal
    if choose_zone(s, i, second) != zone:
        u.obeys = zone + 1
    u.order = order
    u.goal = goal
    u.ordered_move = ordered
    return zone


def reveal_band(s: State, i: int) -> int:
    """Return the band at which a hidden Mek reveals itself. MM-A07."""
    b = s.battle
    u = s.units[i]
    chosen = c.LONG
    most = c.NOBODY
    for step in range(3):
        band = c.LONG - step
        for e in range(first_of(b, 1 - u.side), end_of(b, 1 - u.side)):
            target = s.units[e]
            if target.zone == u.zone and is_visible(target):
                worth = fire_worth(s, i, e, band) * (c.COMMON // hits_to_go(target))
                if worth > most:
                    most = worth
                    chosen = band
    return chosen


def ordered_unit(s: State, order: int) -> int:
    """Return the unit that a side has ordered for a task, if on the map; NOBODY if the AI chooses. MM-014."""
    if order > 0 and s.units[order - 1].present == 1:
        return order - 1
    return c.NOBODY


def ambush_choice(s: State, side: int, zone: int) -> tuple[int, int, int]:
    """Return unit, enemy and slot of an ambush's free shot; NOBODY if no shot is worth it (ledger 6.9)."""
    b = s.battle
    chosen = c.NOBODY
    best_slot = 0
    value = 0
    best_enemy = c.NOBODY
    only = ordered_unit(s, s.sides[side].order_ambush)
    for e in range(first_of(b, 1 - side), end_of(b, 1 - side)):
        target = s.units[e]
        if target.zone != zone or target.kind == c.INFANTRY:
            continue
        if target.systems & c.MASKING and target.exposed == 0:
            continue
        hits = hits_to_go(target)
        for i in range(first_of(b, side), end_of(b, side)):
            u = s.units[i]
            if not is_mek(u) or not in_contact(s, i, e) or (only != c.NOBODY and only != i):
                continue
            for slot in range(u.arms):
                weapon = weapon_of(s, i, slot)
                if not reaches(weapon, c.SHORT):
                    continue
                modifier = standing_modifier(s, i, e, weapon, c.SHORT, 1, 0)
                worth = min(c.WHOLE * c.COMMON, weigh_weapon(s, i, e, weapon, c.SHORT, modifier) * (c.COMMON // hits))
                if worth <= 0:
                    continue
                better = worth > value
                if worth == value and e != best_enemy:
                    other = hits_to_go(s.units[best_enemy])
                    better = hits < other or (hits == other and target.price > s.units[best_enemy].price)
                if better:
                    value = worth
                    best_enemy = e
                    chosen = i
                    best_slot = slot
    return chosen, best_enemy, best_slot


def can_be_called_on(s: State, side: int, e: int) -> bool:
    """Return True if a side may aim an off-board attack at enemy e. MM-079, MM-080.

    A friend in contact with e must have it targeted.
    """
    b = s.battle
    n = count_units(s)
    target = s.units[e]
    if target.present == 0 or target.in_fight == 0 or target.revealing:
        return False
    if target.kind == c.INFANTRY and target.detected == 0:
        return False
    for f in range(first_of(b, side), end_of(b, side)):
        if s.units[f].decoy or not is_unbroken(s, f, e):
            continue
        if target.systems & c.MASKING == 0 or target.exposed or s.sights[f * n + e].targeted:
            return True
    return False


def off_board_target(s: State, side: int, slot: int) -> int:
    """Return the best target for a side's off-board attack among enemies in the fight, or NOBODY (ledger 6.9)."""
    b = s.battle
    gun = count_units(s) + c.OFF_BOARD
    chosen = c.NOBODY
    value = 0
    own = s.sides[side]
    wanted = own.order_fire
    earliest = own.order_fire_from
    if slot == c.MISSILE_SLOT:
        wanted = own.order_strike
        earliest = own.order_strike_from
    if b.turn < earliest:
        return c.NOBODY
    for e in range(first_of(b, 1 - side), end_of(b, 1 - side)):
        target = s.units[e]
        if not can_be_called_on(s, side, e):
            continue
        weapon = weapon_of(s, gun, slot)
        modifier = standing_modifier(s, gun, e, weapon, c.LONG, 0, 0) + target.marked
        hits = hits_to_go(target)
        worth = min(c.WHOLE * c.COMMON, weigh_weapon(s, gun, e, weapon, c.LONG, modifier) * (c.COMMON // hits))
        if worth <= 0:
            continue
        better = worth > value
        if worth == value and chosen != c.NOBODY:
            other = hits_to_go(s.units[chosen])
            better = hits < other or (hits == other and target.price > s.units[chosen].price)
        if (
            wanted > 0
            and chosen != c.NOBODY
            and side_target_score(s, wanted, e) != side_target_score(s, wanted, chosen)
        ):
            better = side_target_score(s, wanted, e) > side_target_score(s, wanted, chosen)
        if better:
            chosen = e
            value = worth
    return chosen


def drone_zone(s: State, side: int) -> int:
    """Return where a side's drone looks: the zone in reach with most hidden things; OFF_MAP: nowhere (ledger 6.9)."""
    b = s.battle
    chosen = c.OFF_MAP
    most = 0
    if b.turn < s.sides[side].order_drone_from:
        return chosen
    if s.sides[side].order_drone_zone > 0:
        return s.sides[side].order_drone_zone
    for zone in range(1, c.LAST_ZONE + 1):
        near = 0
        for i in range(first_of(b, side), end_of(b, side)):
            if s.units[i].present and distance(b, s.units[i].zone, zone) <= 1:
                near = 1
        things = 0
        for e in range(first_of(b, 1 - side), end_of(b, 1 - side)):
            if s.units[e].zone == zone and is_unknown(s, e):
                things += 1
        if near and things > most:
            most = things
            chosen = zone
    return chosen


def dearest(s: State, chosen: int, i: int) -> int:
    """Return the more expensive of two units, on ties the first; `chosen` may be NOBODY."""
    if chosen == c.NOBODY or s.units[i].price > s.units[chosen].price:
        return i
    return chosen


def lands(s: State, i: int) -> bool:
    """Return True if an APC unloads its infantry, which it does where it sees an enemy (ledger 6.7)."""
    return has_visible(s, 1 - s.units[i].side, s.units[i].zone)


def truck_target(s: State, side: int) -> int:
    """Return the Mek that a side's repair truck repairs now, or NOBODY (ledger 6.9)."""
    b = s.battle
    chosen = c.NOBODY
    only = ordered_unit(s, s.sides[side].order_truck)
    for i in range(first_of(b, side), end_of(b, side)):
        u = s.units[i]
        enough = u.full_hits // 2
        if only == i:
            enough = u.full_hits - 1
        if only != c.NOBODY and only != i:
            continue
        if not is_mek(u) or u.present == 0 or u.hits > enough or has_visible(s, 1 - side, u.zone):
            continue
        chosen = dearest(s, chosen, i)
    return chosen


def digger(s: State, side: int) -> int:
    """Return the Mek of a side that digs in now, or NOBODY (ledger 6.9)."""
    b = s.battle
    chosen = c.NOBODY
    only = ordered_unit(s, s.sides[side].order_dig)
    for i in range(first_of(b, side), end_of(b, side)):
        u = s.units[i]
        if only != c.NOBODY and only != i:
            continue
        if not is_mek(u) or not is_visible(u) or (u.order != c.HOLD and only != i) or u.dug_in or u.moved == 2:
            continue
        if s.zones[u.zone].to_hit < 0 and not has_contact(s, i):
            chosen = dearest(s, chosen, i)
    return chosen


def hider(s: State, side: int) -> int:
    """Return a side's Mek that starts hidden, or NOBODY: one on hold, preferably in the key zone (ledger 6.9)."""
    b = s.battle
    chosen = c.NOBODY
    only = ordered_unit(s, s.sides[side].order_hide)
    if only != c.NOBODY and is_visible(s.units[only]):
        return only
    if side == c.ATTACKER:
        return chosen
    for i in range(first_of(b, side), end_of(b, side)):
        u = s.units[i]
        if not is_mek(u) or not is_visible(u) or u.order != c.HOLD:
            continue
        if chosen != c.NOBODY and (u.zone == b.key_zone) != (s.units[chosen].zone == b.key_zone):
            if u.zone == b.key_zone:
                chosen = i
            continue
        chosen = dearest(s, chosen, i)
    return chosen


def damage_target(s: State, side: int) -> int:
    """Return the enemy Mek for a side's Battle Damage: the most expensive (ledger 6.9)."""
    b = s.battle
    chosen = c.NOBODY
    wanted = s.sides[side].order_damage
    for e in range(first_of(b, 1 - side), end_of(b, 1 - side)):
        if is_mek(s.units[e]) and s.units[e].lost_by == 0:
            if wanted == 0 or chosen == c.NOBODY:
                chosen = dearest(s, chosen, e)
            elif side_target_score(s, wanted, e) > side_target_score(s, wanted, chosen):
                chosen = e
    return chosen
