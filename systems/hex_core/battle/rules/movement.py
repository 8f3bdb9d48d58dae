"""The Movement Phase and dangerous terrain: Tan, White, Dark Blue.

Movement: HX-025, HX-061 to HX-071, HX-100, HX-104, HX-131, HX-139, HX-153, HX-D09 to HX-D11, HX-D37, HX-D38, HX-D64.
Terrain: HX-014, HX-133, HX-134, HX-139, HX-143, HX-145, HX-147, HX-D52.
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules import (
    can_fly,
    can_swim,
    count_units,
    entry_cost,
    entry_refusal,
    ground_refusal,
    is_adjacent,
    is_aloft,
    is_blue,
    is_vehicle,
    legs_lost,
    neighbour,
    sm_now,
)
from systems.hex_core.battle.rules.attacks import answer_movement
from systems.hex_core.battle.rules.damage import hurt_area
from systems.hex_core.battle.state import State


def roll_pool(s: State, i: int, face: int, log: Log) -> None:
    """Set the turn's AP pool. HX-061, HX-133."""
    u = s.units[i]
    u.pool = u.base_ap + face
    if u.frozen:
        u.pool = min(u.pool, c.FROZEN_POOL)
    note(log, "pool-rolled", unit=i, face=face, base=u.base_ap, frozen=u.frozen, pool=u.pool)
    u.frozen = 0


def begin_turn(s: State, i: int, log: Log) -> None:
    """Start a Unit's turn: end and reset what lasts until then. HX-032, HX-105, HX-107, HX-108, HX-A35."""
    u = s.units[i]
    s.battle.turns += 1
    u.acted = 1
    u.kneeling = 0
    u.watch = c.NOBODY
    u.cover = c.NO_COVER
    u.held_since_turn = 1 if u.holds >= 0 else 0
    u.pool = 0
    u.sm_left = 0
    u.phase = c.MOVEMENT
    u.free_turn = 1
    u.thrust = 0
    u.entered = 0
    u.fell = 0
    u.tan = 0
    u.white = 0
    u.shots = 0
    u.strikes = 0
    u.attacks = 0
    u.broke_contact = 0
    u.knelt = 0
    u.went_prone = 0
    u.swapped = 0
    u.done = 0
    for d in range(u.first_drone, u.first_drone + u.drones):
        s.drones[d].used = 0
    note(log, "turn-began", unit=i, turn=s.battle.turns)


def begin_movement(s: State, i: int) -> None:
    """Set the Movement Phase's SM points. HX-064, HX-A17."""
    s.units[i].sm_left = sm_now(s, i)


def standing_refusal(s: State, i: int) -> int:
    """Return why the Unit can neither move nor rotate; 0 if it can. HX-062, HX-105, HX-106, HX-128, HX-131, HX-132."""
    u = s.units[i]
    if u.phase > c.MOVEMENT:
        return c.PHASE_PASSED
    stays = u.kneeling or u.prone or u.down or u.held_by >= 0 or u.holds >= 0 or u.immobile or u.stunned
    return c.CANNOT_ACT if stays or u.fell or u.done else 0


def occupied(s: State, i: int, at: int, level: int) -> bool:
    """Return True if an enemy of the Unit is in a hex at that level. HX-068, HX-069."""
    for t in range(count_units(s.battle)):
        u = s.units[t]
        if u.status == c.STANDS and u.side != s.units[i].side and u.at == at and u.level == level:
            return True
    return False


def way_refusal(s: State, i: int, to: int) -> int:
    """Return why the Unit can't enter the neighbouring hex; 0 if it can. HX-068, HX-071."""
    u = s.units[i]
    aloft = is_aloft(s, u)
    refusal = entry_refusal(s, u, aloft, u.at, to)
    known = refusal == 0 or refusal == c.NO_ELEVATION
    if known and to >= 0 and occupied(s, i, to, u.level if aloft else s.hexes[to].level):
        return c.HEX_OCCUPIED
    return refusal


def step_refusal(s: State, i: int, to: int) -> int:
    """Return why the Unit can't step to a hex; 0 if it can. HX-063 to HX-068."""
    u = s.units[i]
    refusal = standing_refusal(s, i)
    if refusal:
        return refusal
    if u.thrust:
        return c.NOT_ALLOWED
    if to < 0:
        return c.OFF_BOARD
    if not is_adjacent(s, u.at, to):
        return c.NOT_ADJACENT
    front = False
    for turn in range(-1, 2):
        if neighbour(s, u.at, (u.facing + turn + 6) % 6) == to:
            front = True
    if not front and s.battle.any_arc == 0:
        return c.NOT_FRONT_HEX
    refusal = way_refusal(s, i, to)
    if refusal:
        return refusal
    return c.NOT_ENOUGH_SM if u.sm_left < entry_cost(s, u, is_aloft(s, u), u.at, to) else 0


def enter(s: State, i: int, to: int) -> None:
    """Move the Unit into the next hex, and count the hex if crossed on the ground. HX-139, HX-D53."""
    u = s.units[i]
    aloft = is_aloft(s, u)
    u.at = to
    u.entered += 1
    if aloft:
        return
    u.level = s.hexes[to].level
    if s.hexes[to].colour == c.TAN:
        u.tan += 1
    elif s.hexes[to].colour == c.WHITE:
        u.white += 1


def step(s: State, i: int, to: int, dice: Dice, log: Log) -> None:
    """Make one hex of Standard Movement. HX-065, HX-067, HX-107."""
    u = s.units[i]
    cost = entry_cost(s, u, is_aloft(s, u), u.at, to)
    u.sm_left -= cost
    enter(s, i, to)
    note(log, "unit-stepped", unit=i, at=to, facing=u.facing, level=u.level, cost=cost)
    answer_movement(s, i, dice, log)


def turn_refusal(s: State, i: int) -> int:
    """Return why the Unit can't rotate; 0 if it can. HX-066."""
    u = s.units[i]
    refusal = standing_refusal(s, i)
    if refusal == 0 and u.free_turn == 0 and (u.thrust or u.sm_left < 1):
        return c.NOT_ENOUGH_SM
    return refusal


def turn_to(s: State, i: int, facing: int, log: Log) -> None:
    """Rotate the Unit: once free, then for 1 SM point. HX-066, HX-D11."""
    u = s.units[i]
    cost = 0 if u.free_turn else 1
    u.free_turn = 0
    u.sm_left -= cost
    u.facing = facing
    note(log, "unit-turned", unit=i, at=u.at, facing=facing, level=u.level, cost=cost)


def level_refusal(s: State, i: int, level: int) -> int:
    """Return why a flying Unit can't go up or down to the next level; 0 if it can. HX-067, HX-155, HX-D64."""
    u = s.units[i]
    refusal = standing_refusal(s, i)
    if refusal:
        return refusal
    ground = s.hexes[u.at].level
    if not can_fly(u) or abs(level - u.level) != 1 or level < ground or level > 3:
        return c.NO_ELEVATION
    if (level < 1 and is_vehicle(u)) or (level == ground and not is_vehicle(u) and ground_refusal(s, u, u.at)):
        return c.NO_ELEVATION
    if occupied(s, i, u.at, level):
        return c.HEX_OCCUPIED
    return c.NOT_ENOUGH_SM if u.sm_left < 2 else 0


def change_level(s: State, i: int, level: int, dice: Dice, log: Log) -> None:
    """Move a flying Unit up or down one level in its hex. HX-067, HX-107, HX-153."""
    u = s.units[i]
    u.sm_left -= 2
    u.level = level
    note(log, "level-changed", unit=i, at=u.at, facing=u.facing, level=level)
    answer_movement(s, i, dice, log)


def thrust_refusal(s: State, i: int, hexes: int) -> int:
    """Return why the Unit can't use Thruster Movement that far; 0 if it can. HX-063, HX-070."""
    u = s.units[i]
    refusal = standing_refusal(s, i)
    if refusal:
        return refusal
    if u.tm == 0 or u.thrust or u.entered:
        return c.NOT_ALLOWED
    return c.OUT_OF_RANGE if hexes > u.tm else 0


def thrust(s: State, i: int, direction: int, hexes: int, dice: Dice, log: Log) -> None:
    """Move straight ahead until blocked, and give up both Combat Phases. HX-070, HX-071, HX-D38."""
    u = s.units[i]
    u.thrust = 1
    u.sm_left = 0
    note(log, "thrusters-used", unit=i, direction=direction, hexes=hexes)
    for _ in range(hexes):
        to = neighbour(s, u.at, direction)
        if u.status != c.STANDS or u.fell or s.battle.over or way_refusal(s, i, to):
            return
        enter(s, i, to)
        note(log, "unit-stepped", unit=i, at=to, facing=u.facing, level=u.level, cost=0)
        answer_movement(s, i, dice, log)


def press_refusal(s: State, i: int) -> int:
    """Return why the Unit can't Press On; 0 if it can. HX-100."""
    u = s.units[i]
    refusal = standing_refusal(s, i)
    if refusal:
        return refusal
    if u.thrust:
        return c.NOT_ALLOWED
    return c.NOT_ENOUGH_AP if u.pool < c.COMMAND else 0


def press_on(s: State, i: int, log: Log) -> None:
    """Press On for another SM point. HX-100."""
    u = s.units[i]
    u.pool -= c.COMMAND
    u.sm_left += 1
    note(log, "pressed-on", unit=i, points=u.sm_left)


def transform_refusal(s: State, i: int) -> int:
    """Return why the Unit can't change its form now; 0 if it can. HX-104, HX-D37."""
    u = s.units[i]
    refusal = standing_refusal(s, i)
    if refusal:
        return refusal
    if u.transform == c.MECH or u.entered or u.thrust:
        return c.NOT_ALLOWED
    if u.pool < c.COMMAND:
        return c.NOT_ENOUGH_AP
    h = s.hexes[u.at]
    if u.form != c.MECH:
        if h.colour == c.RED:
            return c.RED_HEX
        if h.dp > 0:
            return c.IS_BUILDING
        return c.HEX_OCCUPIED if occupied(s, i, u.at, h.level) else 0
    return form_refusal(s, i)


def flies_as(form: int) -> bool:
    """Return True for forms that rise to +1. HX-104."""
    return form == c.AERIAL or form == c.EXTRATERRESTRIAL


def form_refusal(s: State, i: int) -> int:
    """Return why a mech can't be in its vehicle form in its hex; 0 if it can.

    HX-016, HX-017, HX-069, HX-104, HX-114.
    """
    u = s.units[i]
    h = s.hexes[u.at]
    if flies_as(u.transform):
        if u.flight_lost or legs_lost(s, i) == 2:
            return c.NO_ELEVATION
        return c.HEX_OCCUPIED if occupied(s, i, u.at, max(1, h.level + 1)) else 0
    if u.transform == c.AQUATIC:
        return 0 if is_blue(h.colour) else c.NO_ELEVATION
    if h.colour == c.GREEN:
        return c.GREEN_VEHICLE
    return c.NO_ELEVATION if is_blue(h.colour) and not can_swim(u) else 0


def transform(s: State, i: int, log: Log) -> None:
    """Change the Unit's form: flying forms rise to +1, changing back lands the Unit. HX-104."""
    u = s.units[i]
    u.pool -= c.COMMAND
    ground = s.hexes[u.at].level
    if u.form != c.MECH:
        u.form = c.MECH
        u.level = ground
    else:
        u.form = u.transform
        if flies_as(u.form):
            u.level = max(1, ground + 1)
    note(log, "unit-transformed", unit=i, at=u.at, facing=u.facing, level=u.level, form=u.form)


def end_refusal(s: State, i: int, at: int) -> bool:
    """Return True if two other friends are in a hex, so that nobody else may end there. HX-069."""
    found = 0
    for t in range(count_units(s.battle)):
        u = s.units[t]
        if t != i and u.status == c.STANDS and u.side == s.units[i].side and u.at == at:
            found += 1
    return found >= 2


def count_crossed(s: State, i: int, colour: int) -> int:
    """Return how many Tan or White hexes the Unit has crossed this turn. HX-139."""
    u = s.units[i]
    if is_vehicle(u):
        return 0
    if u.entered == 0:
        return 1 if s.hexes[u.at].colour == colour and not is_aloft(s, u) else 0
    return u.tan if colour == c.TAN else u.white


def is_frozen_by(s: State, face: int, number: int) -> bool:
    """Return whether White hexes freeze the Unit with that die. HX-145, HX-D52."""
    return face >= number if s.battle.freeze_over else face <= number


def roll_hazards(s: State, i: int, dice: Dice, log: Log) -> None:
    """Roll for Tan and White hexes after the Movement Phase. HX-133, HX-134, HX-143, HX-145."""
    u = s.units[i]
    number = 2 * count_crossed(s, i, c.TAN)
    if number and u.coolant == 0:
        face = roll(dice, c.D8)
        note(log, "overheat-rolled", unit=i, face=face, number=number, overheats=face <= number)
        if face <= number:
            u.kneeling = 1
            u.done = 1
    number = 2 * count_crossed(s, i, c.WHITE)
    if number and u.winter == 0:
        face = roll(dice, c.D8)
        freezes = is_frozen_by(s, face, number)
        note(log, "freeze-rolled", unit=i, face=face, number=number, freezes=freezes)
        if freezes:
            u.frozen = 1
            u.done = 1


def suffer_abyss(s: State, i: int, log: Log) -> None:
    """Deal 10 damage to the Torso at the end of a turn in Dark Blue. HX-147, HX-D61."""
    u = s.units[i]
    if s.hexes[u.at].colour == c.DARK_BLUE and not is_aloft(s, u) and not is_vehicle(u) and not can_swim(u):
        hurt_area(s, i, c.TORSO, 10, c.NOBODY, c.BY_ABYSS, log)
