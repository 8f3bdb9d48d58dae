"""To-hit modifiers and expected Hits: the worth of a shot. MM-043 to MM-047, MM-051, MM-A24 to MM-A26.

Each modifier has its own function, so that fire can name each one and the AI can add them up. Expected Hits are whole
numbers in units of 1/WHOLE.
"""

from __future__ import annotations

from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.rules import count_units, end_of, first_of, number_of, rating_of
from systems.meks_and_mercs.battle.state import State, Unit, Weapon


def terrain_modifier(s: State, e: int, weapon: Weapon, doubled: int) -> int:
    """Return the terrain's to-hit modifier for a shot at e: possibly doubled (MM-044), 0 for some weapons (MM-045)."""
    if weapon.ignores_terrain:
        return 0
    modifier = s.zones[s.units[e].zone].to_hit
    return 2 * modifier if doubled or s.units[e].dug_in else modifier


def jammer_modifier(target: Unit) -> int:
    """Return -1 for a working jammer (MM-044)."""
    return -1 if target.systems & c.JAMMER else 0


def array_modifier(shooter: Unit, primary: int) -> int:
    """Return +1 for a working targeting array against the primary target (MM-044, MM-D49)."""
    return 1 if primary and shooter.systems & c.TARGETING_ARRAY else 0


def point_defense_modifier(target: Unit, weapon: Weapon, band: int) -> int:
    """Return Point Defense's modifier against missiles from Medium on, if working; worse for the Hammer (MM-046)."""
    if weapon.family != c.MISSILE or target.systems & c.POINT_DEFENSE == 0 or band == c.SHORT:
        return 0
    return -2 if weapon.hammer else -1


def phalanx_modifier(s: State, e: int, weapon: Weapon, band: int) -> int:
    """Return the modifier against missiles for a working Phalanx on e's side in the zone (MM-047).

    A second Phalanx adds nothing.
    """
    b = s.battle
    if weapon.family != c.MISSILE or b.phalanxes == 0:
        return 0
    target = s.units[e]
    for f in range(first_of(b, target.side), end_of(b, target.side)):
        friend = s.units[f]
        if friend.systems & c.PHALANX and friend.present and friend.zone == target.zone:
            return -2 if band == c.LONG else -1
    return 0


def defense_modifier(s: State, e: int, weapon: Weapon, band: int) -> int:
    """Return the worst single missile defense's modifier (MM-047, MM-D11)."""
    return min(point_defense_modifier(s.units[e], weapon, band), phalanx_modifier(s, e, weapon, band))


def save_modifier(target: Unit, weapon: Weapon) -> int:
    """Return the modifier of the save die against a hit by this weapon (MM-051)."""
    modifier = -1 if weapon.hammer else 0
    if weapon.family == c.CANNON and target.systems & c.SPACE_LAM_ARMOR:
        modifier += 1
    return modifier


def rerolls_save(target: Unit, weapon: Weapon) -> bool:
    """Return True if an armor system lets the target re-roll a failed save (MM-052)."""
    if weapon.family == c.MISSILE:
        return target.systems & c.REACTIVE_ARMOR != 0
    return weapon.family == c.LASER and target.systems & c.BPC_ARMOR != 0


def kills_of_die(family: int, result: int) -> int:
    """Return the kills against infantry of one cannon or missile die with this result (MM-064)."""
    if family == c.CANNON:
        return 2 if result >= 5 else (1 if result >= 3 else 0)
    return 1 if result >= 4 else 0


def expected_kills(weapon: Weapon, modifier: int) -> int:
    """Return the expected kills of one firing at infantry, in 1/WHOLE (MM-064, MM-A24)."""
    total = 0
    if weapon.family == c.SMALL:
        if weapon.dice == 1:
            for face in range(1, 7):
                total += max(0, face + modifier)
            return total * 216
        for face in range(1, 7):
            for second in range(1, 7):
                total += max(0, face + second + modifier)
        return total * 36
    if weapon.family == c.LASER:
        return 0
    for face in range(1, 7):
        total += kills_of_die(weapon.family, face + modifier)
    if weapon.rerolls_miss:  # the six-pack re-rolls a 0 once; a missile die kills at most 1
        return weapon.dice * (36 - (6 - total) * (6 - total)) * 36
    return weapon.dice * total * 216


def expected_hits(s: State, i: int, e: int, weapon: Weapon, band: int, modifier: int) -> int:
    """Return the expected unsaved Hits of one firing at a Mek or vehicle, in 1/WHOLE (MM-A24).

    `modifier` is the sum of the to-hit modifiers.
    """
    if weapon.family == c.SMALL:  # MM-050
        return 0
    target = s.units[e]
    faces = min(6, max(0, 7 - number_of(weapon, band) + modifier))
    if s.battle.natural_rolls:
        faces = min(5, max(1, faces))
    hit = 36 - (6 - faces) * (6 - faces) if weapon.rerolls_miss else 6 * faces
    fail = min(6, max(0, target.armor - 1 - save_modifier(target, weapon)))
    fail = fail * fail if rerolls_save(target, weapon) else 6 * fail
    return weapon.dice * hit * fail


def standing_modifier(s: State, i: int, e: int, weapon: Weapon, band: int, primary: int, doubled: int) -> int:
    """Return the sum of all modifiers that the AI considers; against infantry only terrain (MM-A24, MM-064)."""
    terrain = terrain_modifier(s, e, weapon, doubled)
    target = s.units[e]
    if target.kind == c.INFANTRY:
        return terrain
    shooter = s.units[i]
    modifier = shooter.level_to_hit + terrain + jammer_modifier(target) + array_modifier(shooter, primary)
    modifier += defense_modifier(s, e, weapon, band) - shooter.computers
    return modifier


def weigh_weapon(s: State, i: int, e: int, weapon: Weapon, band: int, modifier: int) -> int:
    """Return the worth of one firing at e with this modifier, in 1/WHOLE: x in the ledger (MM-A24)."""
    if weapon.intact == 0 or number_of(weapon, band) == c.OUT_OF_RANGE:
        return 0
    if s.units[e].kind == c.INFANTRY:
        return expected_kills(weapon, modifier)
    return expected_hits(s, i, e, weapon, band, modifier)


def weigh_weapons(s: State, i: int, e: int, band: int, primary: int, planning: int, missiles_only: int) -> None:
    """Write x for each weapon of unit i against e at a band into its `expected`; 0 if it is already planned.

    A fire plan (`planning`) also considers doubled terrain and commandos; a standing figure doesn't (MM-A24).
    """
    n = count_units(s)
    doubled = s.sights[i * n + e].doubled if planning else 0
    marked = s.units[e].marked if planning and s.units[e].kind != c.INFANTRY else 0
    for slot in range(s.units[i].arms):
        weapon = s.weapons[i * c.WEAPON_SLOTS + slot]
        weapon.expected = 0
        if weapon.intact == 0 or (planning and weapon.planned) or (missiles_only and weapon.family != c.MISSILE):
            continue
        modifier = standing_modifier(s, i, e, weapon, band, primary, doubled) + marked
        weapon.expected = weigh_weapon(s, i, e, weapon, band, modifier)


def best(s: State, i: int, limit: int) -> int:
    """Return the largest sum of `expected` over sets of unit i's weapons within the heat limit (MM-A25).

    Ties go to less heat, then to the set with lexicographically smaller slots. The set is left in `chosen`, with slot 0
    as the highest bit, and its heat in `chosen_heat`. Units without a heat rating have no limit (MM-062).
    """
    u = s.units[i]
    total = 0
    heat = 0
    mask = 0
    hot_slots = 0
    for slot in range(u.arms):
        weapon = s.weapons[i * c.WEAPON_SLOTS + slot]
        if weapon.expected > 0:
            total += weapon.expected
            heat += weapon.heat
            mask |= 1 << (c.WEAPON_SLOTS - 1 - slot)
            if weapon.heat > 0:
                hot_slots |= 1 << (c.WEAPON_SLOTS - 1 - slot)
    if u.kind != c.MEK or heat <= max(0, limit):
        u.chosen = mask
        u.chosen_heat = heat
        u.chosen_all = 1
        return total
    u.chosen_all = 0
    cold = mask & ~hot_slots  # heat 0 is always allowed
    best_total = 0
    best_heat = 0
    best_mask = 0
    subset = hot_slots
    while subset > 0:  # starts at the lexicographically smallest set, so that a later equal one never wins
        set_total = 0
        set_heat = 0
        for slot in range(u.arms):
            if subset & (1 << (c.WEAPON_SLOTS - 1 - slot)):
                set_total += s.weapons[i * c.WEAPON_SLOTS + slot].expected
                set_heat += s.weapons[i * c.WEAPON_SLOTS + slot].heat
        if set_heat <= limit and (set_total > best_total or (set_total == best_total and set_heat < best_heat)):
            best_total = set_total
            best_heat = set_heat
            best_mask = subset
        subset = (subset - 1) & hot_slots
    for slot in range(u.arms):
        if cold & (1 << (c.WEAPON_SLOTS - 1 - slot)):
            best_total += s.weapons[i * c.WEAPON_SLOTS + slot].expected
    u.chosen = best_mask | cold
    u.chosen_heat = best_heat
    return best_total


def fire_worth(s: State, i: int, e: int, band: int) -> int:
    """Return the expected Hits of i's best heat-legal fire on e at a band, in 1/WHOLE: E in the ledger (MM-A26)."""
    u = s.units[i]
    target = s.units[e]
    if u.kind == c.INFANTRY:
        return (target.armor - 1) * 216 if band == c.SHORT and target.kind != c.INFANTRY else 0
    n = count_units(s)
    sight = s.sights[i * n + e]
    stamp = u.version + target.version
    if sight.stamp != stamp:
        limit = rating_of(s, i) - u.carried_heat
        sight.stamp = stamp
        weigh_weapons(s, i, e, c.SHORT, 1, 0, 0)
        sight.short = best(s, i, limit)
        weigh_weapons(s, i, e, c.MEDIUM, 1, 0, 0)
        sight.medium = best(s, i, limit)
        weigh_weapons(s, i, e, c.LONG, 1, 0, 0)
        sight.long = best(s, i, limit)
    if band == c.SHORT:
        return sight.short
    if band == c.MEDIUM:
        return sight.medium
    return sight.long


def mark_changed(s: State, i: int) -> None:
    """Mark unit i as changed, so that expected Hits are recalculated."""
    s.units[i].version += 1


def touch_side(s: State, side: int) -> None:
    """Mark all units of a side as changed, because one of its missile defenses has."""
    b = s.battle
    for f in range(first_of(b, side), end_of(b, side)):
        s.units[f].version += 1
