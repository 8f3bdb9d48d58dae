"""Command Actions other than movement and Offensive Stance; each costs 2 AP.

HX-023 to HX-028, HX-098, HX-099, HX-102, HX-103, HX-105, HX-106, HX-108, HX-D28 to HX-D34, HX-D67.
"""

from __future__ import annotations

from systems.engine.dice import Log, note, overwrite
from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules import (
    ahead_of,
    area_dp,
    count_units,
    distance,
    hand_is_free,
    has_hand,
    is_aloft,
    is_in_hand,
    is_vehicle,
    shield_ready,
    weapon_of,
)
from systems.hex_core.battle.state import State, Weapon


def command_refusal(s: State, i: int) -> int:
    """Return why the Unit can't take any Command Action; 0 if it can. HX-096, HX-098."""
    u = s.units[i]
    if u.done or u.held_by >= 0 or u.stunned:
        return c.CANNOT_ACT
    return c.NOT_ENOUGH_AP if u.pool < c.COMMAND else 0


def get_up(s: State, i: int, log: Log) -> None:
    """Get up. HX-099."""
    u = s.units[i]
    u.pool -= c.COMMAND
    u.down = 0
    note(log, "got-up", unit=i)


def kneel_refusal(s: State, i: int) -> int:
    """Return why the Unit can't kneel; 0 if it can. HX-105, HX-D30."""
    u = s.units[i]
    refusal = command_refusal(s, i)
    if refusal == 0 and u.knelt:
        return c.ONCE_PER_TURN
    if refusal == 0 and (is_vehicle(u) or is_aloft(s, u) or u.down or u.holds >= 0):
        return c.CANNOT_ACT
    return refusal


def kneel(s: State, i: int, log: Log) -> None:
    """Take the Kneeling Position, also from the prone one. HX-105, HX-106."""
    u = s.units[i]
    u.pool -= c.COMMAND
    u.kneeling = 1
    u.prone = 0
    u.knelt = 1
    note(log, "knelt", unit=i)


def prone_refusal(s: State, i: int) -> int:
    """Return why the Unit can't go prone; 0 if it can. HX-106."""
    u = s.units[i]
    refusal = command_refusal(s, i)
    if refusal:
        return refusal
    if u.went_prone:
        return c.ONCE_PER_TURN
    if u.kneeling == 0:
        return c.MUST_KNEEL
    front = ahead_of(s, u.at, u.facing, 1)
    if front < 0:
        return 0
    if s.hexes[front].dp > 0:
        return c.IS_BUILDING
    for t in range(count_units(s.battle)):
        if s.units[t].status == c.STANDS and s.units[t].at == front:
            return c.HEX_OCCUPIED
    return 0


def go_prone(s: State, i: int, log: Log) -> None:
    """Go prone. HX-106."""
    u = s.units[i]
    u.pool -= c.COMMAND
    u.kneeling = 0
    u.prone = 1
    u.went_prone = 1
    note(log, "went-prone", unit=i)


def cover_refusal(s: State, i: int, cover: int) -> int:
    """Return why the Unit can't take a Defensive Stance behind its shield or a weapon; 0 if it can. HX-108."""
    u = s.units[i]
    refusal = command_refusal(s, i)
    if refusal == 0 and (u.holds >= 0 or u.down):
        refusal = c.CANNOT_ACT
    if refusal:
        return refusal
    if cover == c.SHIELD_COVER:
        return 0 if shield_ready(s, i) else c.WEAPON_NOT_READY
    w = weapon_of(s, i, cover - c.WEAPON_COVER)
    both = w.place == c.BOTH and has_hand(s, i, c.LEFT) and has_hand(s, i, c.RIGHT)
    return 0 if both and w.dp > 0 and not is_vehicle(u) else c.WEAPON_NOT_READY


def take_cover(s: State, i: int, cover: int, log: Log) -> None:
    """Take a Defensive Stance. HX-108, HX-D34."""
    u = s.units[i]
    u.pool -= c.COMMAND
    u.cover = cover
    u.watch = c.NOBODY
    note(log, "defensive-stance", unit=i, slot=cover - c.WEAPON_COVER)


# --- weapons in hand --------------------------------------------------------------------------------------------------


def hand_for(s: State, i: int, hands: int) -> int:
    """Return the empty hands for a weapon: both if two-handed, otherwise the right before the left. HX-102, HX-A38."""
    right = hand_is_free(s, i, c.RIGHT)
    left = hand_is_free(s, i, c.LEFT)
    if hands == 2:
        return c.BOTH if right and left else c.NOWHERE
    if right:
        return c.RIGHT
    return c.LEFT if left else c.NOWHERE


def any_hand_for(s: State, i: int, hands: int) -> int:
    """Return the same as `hand_for`, but one hand for a two-handed weapon if only one is empty. HX-047, HX-102."""
    place = hand_for(s, i, hands)
    return place if place != c.NOWHERE else hand_for(s, i, 1)


def swap_refusal(s: State, i: int, slot: int, stowed: int) -> int:
    """Return why a carried weapon can't be drawn for `stowed` (-1: none), which is put away; 0 if it can.

    HX-102, HX-D32.
    """
    u = s.units[i]
    refusal = command_refusal(s, i)
    if refusal:
        return refusal
    if is_vehicle(u):
        return c.CANNOT_ACT
    w = weapon_of(s, i, slot)
    if w.place != c.CARRIED or w.dp <= 0:
        return c.WEAPON_NOT_READY
    if stowed < 0:
        return 0 if any_hand_for(s, i, w.hands) != c.NOWHERE else c.NO_FREE_HAND
    other = weapon_of(s, i, stowed)
    if not is_in_hand(other):
        return c.WEAPON_NOT_READY
    if other.place == c.LEFT and not has_hand(s, i, c.LEFT):
        return c.NO_FREE_HAND
    if other.place == c.RIGHT and not has_hand(s, i, c.RIGHT):
        return c.NO_FREE_HAND
    return 0


def swap(s: State, i: int, slot: int, stowed: int, log: Log) -> None:
    """Draw a carried weapon, in exchange for another or into an empty hand. HX-102."""
    u = s.units[i]
    w = weapon_of(s, i, slot)
    u.pool -= c.COMMAND
    u.swapped = 1
    if stowed < 0:
        w.place = any_hand_for(s, i, w.hands)
    else:
        other = weapon_of(s, i, stowed)
        freed = other.place
        other.place = c.CARRIED
        rest = c.LEFT if freed == c.RIGHT else c.RIGHT
        if w.hands == 2 and (freed == c.BOTH or hand_is_free(s, i, rest)):
            w.place = c.BOTH
        else:
            w.place = c.RIGHT if freed == c.BOTH else freed
    note(log, "weapon-swapped", unit=i, slot=slot, stowed=stowed, place=w.place)


def count_carried_weapons(s: State, i: int) -> int:
    """Return how many weapons the Unit carries. HX-046."""
    found = 0
    for slot in range(s.units[i].weapons):
        if weapon_of(s, i, slot).place == c.CARRIED:
            found += 1
    return found


def stow_refusal(s: State, i: int, slot: int) -> int:
    """Return why a weapon can't be put away to empty a hand; 0 if it can. HX-046, HX-102, HX-D32."""
    refusal = command_refusal(s, i)
    if refusal:
        return refusal
    if is_vehicle(s.units[i]):
        return c.CANNOT_ACT
    if not is_in_hand(weapon_of(s, i, slot)):
        return c.WEAPON_NOT_READY
    return c.NO_FREE_HAND if count_carried_weapons(s, i) >= c.MAX_CARRIED else 0


def stow(s: State, i: int, slot: int, log: Log) -> None:
    """Put an equipped weapon away, so that it is carried. HX-102."""
    u = s.units[i]
    u.pool -= c.COMMAND
    u.swapped = 1
    if u.cover == slot + c.WEAPON_COVER:
        u.cover = c.NO_COVER
    weapon_of(s, i, slot).place = c.CARRIED
    note(log, "weapon-stowed", unit=i, slot=slot)


def retrieve_refusal(s: State, i: int, owner: int, slot: int) -> int:
    """Return why the Unit can't pick up a weapon dropped by a friend; 0 if it can. HX-103, HX-D31."""
    u = s.units[i]
    w = weapon_of(s, owner, slot)
    refusal = command_refusal(s, i)
    if refusal:
        return refusal
    if is_vehicle(u) or s.units[owner].side != u.side:
        return c.CANNOT_ACT
    if w.place != c.LYING or w.at != u.at or is_aloft(s, u):
        return c.NOT_SAME_HEX
    if w.dp <= 0:
        return c.WEAPON_NOT_READY
    return 0 if hand_is_free(s, i, c.RIGHT) or hand_is_free(s, i, c.LEFT) else c.NO_FREE_HAND


def spare_slot(s: State, i: int) -> int:
    """Return a slot for another weapon: an unused one, otherwise the first with nothing usable."""
    u = s.units[i]
    if u.weapons < c.UNARMED:
        return u.weapons
    for slot in range(u.weapons):
        w = weapon_of(s, i, slot)
        if w.place == c.LYING or w.place == c.NOWHERE or w.dp <= 0:
            return slot
    return u.weapons - 1


def exchange(one: Weapon, other: Weapon, spare: Weapon) -> None:
    """Swap the contents of two slots."""
    overwrite(spare, one)
    overwrite(one, other)
    overwrite(other, spare)


def retrieve(s: State, i: int, owner: int, slot: int, log: Log) -> None:
    """Pick up the dropped weapon in the Unit's hex. HX-103."""
    u = s.units[i]
    u.pool -= c.COMMAND
    own = slot if owner == i else spare_slot(s, i)
    if owner != i:
        exchange(weapon_of(s, i, own), weapon_of(s, owner, slot), s.weapons[count_units(s.battle) * c.SLOTS])
    w = weapon_of(s, i, own)
    w.place = any_hand_for(s, i, w.hands)
    u.weapons = max(u.weapons, own + 1)
    note(log, "weapon-retrieved", unit=i, target=owner, slot=own, place=w.place)


# --- objects ----------------------------------------------------------------------------------------------------------


def take_refusal(s: State, i: int, k: int) -> int:
    """Return why the Unit can't pick up object k; 0 if it can. HX-165, HX-D67."""
    u = s.units[i]
    refusal = command_refusal(s, i)
    if refusal:
        return refusal
    if is_vehicle(u) or u.carries >= 0 or area_dp(s, i, c.ARM_L) == 0:
        return c.NO_FREE_HAND
    thing = s.objects[k]
    return 0 if thing.status == c.FREE and thing.at == u.at and not is_aloft(s, u) else c.NOT_SAME_HEX


def take_object(s: State, i: int, k: int, log: Log) -> None:
    """Pick up the object with the left hand. HX-D67."""
    u = s.units[i]
    u.pool -= c.COMMAND
    u.carries = k
    s.objects[k].status = c.CARRIED_OBJECT
    s.objects[k].carrier = i
    note(log, "object-taken", unit=i, object=k, at=u.at)


# --- drones -----------------------------------------------------------------------------------------------------------


def count_active_drones(s: State, i: int) -> int:
    """Return how many of the Unit's drones are active. HX-023."""
    u = s.units[i]
    found = 0
    for d in range(u.first_drone, u.first_drone + u.drones):
        if s.drones[d].status == c.ACTIVE:
            found += 1
    return found


def drone_hex_refusal(s: State, at: int) -> int:
    """Return why no drone can be placed in a hex; 0 if it can. HX-024."""
    if s.hexes[at].colour == c.RED:
        return c.RED_HEX
    return c.IS_BUILDING if s.hexes[at].dp > 0 else 0


def deploy_refusal(s: State, i: int, d: int, at: int) -> int:
    """Return why a drone can't be placed in a hex with a Deploy; 0 if it can. HX-023 to HX-025."""
    if s.drones[d].status != c.DOCKED:
        return c.NOT_ALLOWED
    if count_active_drones(s, i) >= c.MAX_DRONES:
        return c.DRONE_LIMIT
    if distance(s, s.units[i].at, at) > 1:
        return c.OUT_OF_RANGE
    return drone_hex_refusal(s, at)


def pay_deploy(s: State, i: int, log: Log) -> None:
    """Pay for one Deploy of any number of drones. HX-025."""
    s.units[i].pool -= c.COMMAND
    note(log, "drones-launched", unit=i)


def place_drone(s: State, i: int, d: int, at: int, log: Log) -> None:
    """Activate the drone in a hex, at its Unit's level. HX-025."""
    drone = s.drones[d]
    drone.status = c.ACTIVE
    drone.at = at
    drone.level = s.units[i].level
    note(log, "drone-deployed", unit=i, drone=d - s.units[i].first_drone, at=at, level=drone.level)


def recall(s: State, i: int, log: Log) -> None:
    """Dock all active drones, wherever they are. HX-026."""
    u = s.units[i]
    u.pool -= c.COMMAND
    for d in range(u.first_drone, u.first_drone + u.drones):
        if s.drones[d].status == c.ACTIVE:
            s.drones[d].status = c.DOCKED
            s.drones[d].at = c.NOBODY
    note(log, "drones-recalled", unit=i)


def drone_move_refusal(s: State, d: int, at: int, hexes: int) -> int:
    """Return why a drone can't move to a hex within `hexes`; 0 if it can. HX-021, HX-027, HX-028, HX-030."""
    drone = s.drones[d]
    u = s.units[drone.unit]
    if drone.status != c.ACTIVE or drone.move == 0:
        return c.NOT_ALLOWED
    far = distance(s, drone.at, at) > hexes or distance(s, u.at, at) > c.DRONE_REACH
    return c.OUT_OF_RANGE if far else drone_hex_refusal(s, at)


def move_drone(s: State, d: int, at: int, ordered: int, log: Log) -> None:
    """Move a drone to a hex: by itself, or ordered by a Reposition. HX-027, HX-030."""
    drone = s.drones[d]
    drone.at = at
    number = d - s.units[drone.unit].first_drone
    note(log, "drone-moved", unit=drone.unit, drone=number, at=at, level=drone.level, ordered=ordered)


def reposition_refusal(s: State, i: int, d: int, at: int) -> int:
    """Return why a Reposition can't move a drone to a hex; 0 if it can. HX-027, HX-028."""
    if distance(s, s.drones[d].at, s.units[i].at) > c.DRONE_REACH:
        return c.OUT_OF_RANGE
    return drone_move_refusal(s, d, at, 1)


def pay_reposition(s: State, i: int, log: Log) -> None:
    """Pay for one Reposition of any number of drones. HX-027."""
    s.units[i].pool -= c.COMMAND
    note(log, "drones-repositioned", unit=i)
