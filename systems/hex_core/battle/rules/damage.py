"""Damage and its effects: lost areas, weapons, shields, drones, Units; falls; explosions; the end of the battle.

HX-018, HX-031, HX-093, HX-109 to HX-114, HX-118, HX-120, HX-130, HX-162, HX-164, HX-169, HX-D22, HX-D43, HX-D65,
HX-D67.
"""

from __future__ import annotations

from systems.engine.dice import Log, note
from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules import (
    area_dp,
    count_hexes,
    count_units,
    distance,
    end_of_units,
    entry_refusal,
    first_unit,
    ground_refusal,
    is_aloft,
    kind_of,
    legs_lost,
    neighbour,
    own_hex,
    shield_ready,
    weapon_of,
)
from systems.hex_core.battle.state import State

BEHIND = (3, 4, 2, 5, 1, 0)  # rear, left rear, right rear, left front, right front, front


def count_standing(s: State, side: int) -> int:
    """Return how many of a side's Units are in the battle."""
    found = 0
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        if s.units[i].status == c.STANDS:
            found += 1
    return found


def end_battle(s: State, winner: int, reason: int) -> None:
    """End the battle, unless it has already ended. HX-A13."""
    b = s.battle
    if b.over == 0:
        b.over = 1
        b.winner = winner
        b.reason = reason


def check_end(s: State, gone: int) -> None:
    """End the battle if losing a Unit decides it. HX-164, HX-169."""
    side = s.units[gone].side
    if count_standing(s, side) == 0:
        end_battle(s, 1 - side, c.ELIMINATED)
    elif s.battle.mission == c.ASSASSINATION and s.units[gone].marked:
        end_battle(s, 1 - side, c.MARK_GONE)


def count_friends(s: State, i: int, at: int, level: int) -> int:
    """Return how many other Units are in a hex at a level."""
    found = 0
    for t in range(count_units(s.battle)):
        u = s.units[t]
        if t != i and u.status == c.STANDS and u.at == at and u.level == level:
            found += 1
    return found


def let_go(s: State, i: int, log: Log) -> None:
    """End Unit i's hold; the held Unit moves to the hex behind it. HX-130, HX-D50."""
    holder = s.units[i]
    t = holder.holds
    if t < 0:
        return
    u = s.units[t]
    holder.holds = c.NOBODY
    holder.held_since_turn = 0
    u.held_by = c.NOBODY
    if u.status != c.STANDS:
        note(log, "hold-ended", unit=i)
        return
    aloft = is_aloft(s, u)
    for k in range(6):
        to = neighbour(s, u.at, (u.facing + BEHIND[k]) % 6)
        if to >= 0 and entry_refusal(s, u, aloft, u.at, to) == 0:
            level = u.level if aloft else s.hexes[to].level
            if count_friends(s, t, to, level) == 0:
                u.at = to
                u.level = level
                break
    note(log, "unit-freed", unit=t, target=i, at=u.at, facing=u.facing, level=u.level)


def drop_object(s: State, i: int, log: Log) -> None:
    """Drop the Unit's object in the Unit's hex. HX-D67."""
    u = s.units[i]
    if u.carries < 0:
        return
    thing = s.objects[u.carries]
    thing.status = c.FREE
    thing.carrier = c.NOBODY
    thing.at = u.at
    note(log, "object-dropped", unit=i, object=u.carries, at=u.at)
    u.carries = c.NOBODY


def leave(s: State, i: int, log: Log) -> None:
    """Take the Unit out of the battle: end holds, switch off drones, drop its object. HX-031, HX-130, HX-D67."""
    u = s.units[i]
    drop_object(s, i, log)
    let_go(s, i, log)
    if u.held_by >= 0:
        let_go(s, u.held_by, log)
    for d in range(u.first_drone, u.first_drone + u.drones):
        if s.drones[d].status != c.NO_DRONE:
            s.drones[d].status = c.BROKEN
    check_end(s, i)


def destroy(s: State, i: int, by: int, cause: int, log: Log) -> None:
    """Destroy a Unit whose vital area is gone. HX-111."""
    u = s.units[i]
    u.status = c.DESTROYED
    u.cause = cause
    u.killer = by
    if by >= 0 and s.units[by].side != u.side:
        other = s.units[by]
        other.kills += 1
        other.kill_classes += u.klass
        other.mark_kills += u.marked
    note(log, "unit-destroyed", unit=i, by=by, cause=cause)
    leave(s, i, log)


def credit(s: State, by: int, i: int) -> None:
    """Credit a Unit that destroyed an enemy weapon, shield or drone. HX-119, HX-175."""
    if by >= 0 and s.units[by].side != s.units[i].side:
        s.units[by].items_destroyed += 1


def take_damage(s: State, i: int, area: int, amount: int, by: int, cause: int, log: Log) -> int:
    """Subtract up to `amount` DP from the area; return whether the area is lost now. HX-093."""
    part = s.areas[i * c.AREAS + area]
    lost = min(part.dp, amount)
    part.dp -= lost
    part.damage += lost
    s.units[i].damage += lost
    note(log, "area-hurt", unit=i, by=by, area=area, amount=amount, left=part.dp, cause=cause)
    return 1 if lost and part.dp == 0 else 0


def holds_one_more(s: State, i: int, at: int) -> bool:
    """Return True if a Unit can land in a hex: no enemy on the ground but its holder, at most one friend. HX-069."""
    u = s.units[i]
    if ground_refusal(s, u, at):
        return False
    friends = 0
    for t in range(count_units(s.battle)):
        other = s.units[t]
        if t == i or other.status != c.STANDS or other.at != at:
            continue
        if other.side == u.side:
            friends += 1
        elif other.level == s.hexes[at].level and t != u.held_by and t != u.holds:
            return False
    return friends < 2


def landing_hex(s: State, i: int) -> int:
    """Return the hex where a falling Unit lands: its own, or the nearest with room. HX-D65."""
    u = s.units[i]
    if holds_one_more(s, i, u.at):
        return u.at
    best = u.at
    nearest = c.FAR
    for k in range(count_hexes(s)):
        at = own_hex(s, u.side, k)
        away = distance(s, u.at, at)
        if away < nearest and holds_one_more(s, i, at):
            best = at
            nearest = away
    return best


def fall(s: State, i: int, by: int, log: Log) -> None:
    """Let the Unit fall to the ground; it moves no more this turn. HX-162, HX-D65."""
    u = s.units[i]
    at = landing_hex(s, i)
    height = max(0, u.level - s.hexes[at].level)
    u.at = at
    u.level = s.hexes[at].level
    u.fell = 1
    hit_ground(s, i, height, by, log)


def hit_ground(s: State, i: int, height: int, by: int, log: Log) -> None:
    """Deal 3 damage per level to both legs, or to the cockpit. HX-162."""
    u = s.units[i]
    note(log, "unit-fell", unit=i, at=u.at, level=u.level, facing=u.facing, height=height)
    if height == 0:
        return
    if u.kind == c.MECH:
        for leg in range(c.LEG_L, c.LEG_R + 1):
            if take_damage(s, i, leg, 3 * height, by, c.BY_FALL, log):
                note(log, "area-lost", unit=i, by=by, area=leg)
    elif take_damage(s, i, c.TORSO, 3 * height, by, c.BY_FALL, log):
        destroy(s, i, by, c.BY_FALL, log)


def lose_arm(s: State, i: int, hand: int, log: Log) -> None:
    """Drop a lost hand's weapon; a weapon held in both hands stays in the other. HX-112."""
    u = s.units[i]
    for slot in range(u.weapons):
        w = weapon_of(s, i, slot)
        if w.place == hand:
            w.place = c.LYING
            w.at = u.at
            if w.dp > 0:
                note(log, "weapon-dropped", unit=i, slot=slot, at=u.at)
        elif w.place == c.BOTH:
            w.place = c.RIGHT if hand == c.LEFT else c.LEFT
    if u.shield_hand == hand:
        u.shield_hand = c.NOWHERE
    if hand == c.LEFT:
        drop_object(s, i, log)
    if u.cover == c.SHIELD_COVER and not shield_ready(s, i):
        u.cover = c.NO_COVER
    if u.cover >= c.WEAPON_COVER and weapon_of(s, i, u.cover - c.WEAPON_COVER).place != c.BOTH:
        u.cover = c.NO_COVER
    if area_dp(s, i, c.ARM_L) == 0 and area_dp(s, i, c.ARM_R) == 0 and u.holds >= 0:
        let_go(s, i, log)


def lose_area(s: State, i: int, area: int, by: int, cause: int, log: Log) -> None:
    """Remove everything lost with an area. HX-110 to HX-114."""
    u = s.units[i]
    if area == c.TORSO:
        destroy(s, i, by, cause, log)
        return
    note(log, "area-lost", unit=i, by=by, area=area)
    if area == c.ARM_L or area == c.ARM_R:
        if u.kind == c.MECH:
            lose_arm(s, i, c.LEFT if area == c.ARM_L else c.RIGHT, log)
    elif area != c.HEAD and legs_lost(s, i) == 2:
        kind = kind_of(u)
        if kind == c.AERIAL or kind == c.EXTRATERRESTRIAL:
            u.flight_lost = 1
            if is_aloft(s, u):
                fall(s, i, by, log)


def hurt_area(s: State, i: int, area: int, amount: int, by: int, cause: int, log: Log) -> None:
    """Damage an area, with all effects. HX-088, HX-093, HX-109."""
    if take_damage(s, i, area, amount, by, cause, log):
        lose_area(s, i, area, by, cause, log)


def hurt_shield(s: State, i: int, amount: int, by: int, log: Log) -> None:
    """Damage the shield. HX-118."""
    u = s.units[i]
    u.shield = max(0, u.shield - amount)
    note(log, "shield-hurt", unit=i, by=by, amount=amount, left=u.shield)
    if u.shield == 0:
        if u.cover == c.SHIELD_COVER:
            u.cover = c.NO_COVER
        credit(s, by, i)


def hurt_weapon(s: State, i: int, slot: int, amount: int, by: int, log: Log) -> None:
    """Damage a weapon; a mounted weapon explodes. HX-118, HX-120."""
    u = s.units[i]
    w = weapon_of(s, i, slot)
    w.dp = max(0, w.dp - amount)
    note(log, "weapon-hurt", unit=i, by=by, slot=slot, amount=amount, left=w.dp)
    if w.dp:
        return
    credit(s, by, i)
    if u.cover == slot + c.WEAPON_COVER:
        u.cover = c.NO_COVER
    if w.place >= c.MOUNTED and area_dp(s, i, w.place - c.MOUNTED) > 0:
        note(log, "weapon-exploded", unit=i, slot=slot, area=w.place - c.MOUNTED)
        hurt_area(s, i, w.place - c.MOUNTED, (w.flat + 1) // 2, by, c.BY_BLAST, log)


def hurt_drone(s: State, d: int, amount: int, by: int, log: Log) -> None:
    """Damage a drone. HX-031, HX-118."""
    drone = s.drones[d]
    drone.dp = max(0, drone.dp - amount)
    note(
        log,
        "drone-hurt",
        unit=drone.unit,
        by=by,
        drone=d - s.units[drone.unit].first_drone,
        amount=amount,
        left=drone.dp,
    )
    if drone.dp == 0:
        drone.status = c.BROKEN
        credit(s, by, drone.unit)


def hurt(s: State, i: int, area: int, amount: int, by: int, cause: int, log: Log) -> None:
    """Damage the called area, or what covers the Unit, by an attack or counter. HX-081, HX-088, HX-108, HX-D34."""
    u = s.units[i]
    if u.cover == c.SHIELD_COVER:
        hurt_shield(s, i, amount, by, log)
    elif u.cover >= c.WEAPON_COVER:
        hurt_weapon(s, i, u.cover - c.WEAPON_COVER, amount, by, log)
    elif area < c.AREAS:
        hurt_area(s, i, area, amount, by, cause, log)
    elif area == c.SHIELD:
        hurt_shield(s, i, amount, by, log)
    else:
        hurt_weapon(s, i, area - c.WEAPONS, amount, by, log)


def hurt_building(s: State, at: int, amount: int, log: Log) -> None:
    """Damage a building; once it is destroyed, its hex becomes Black. HX-148 to HX-152."""
    h = s.hexes[at]
    h.dp = max(0, h.dp - amount)
    note(log, "building-hurt", at=at, amount=amount, left=h.dp)
    if h.dp == 0:
        h.colour = c.BLACK
        note(log, "building-destroyed", at=at)
