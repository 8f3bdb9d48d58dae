"""The AI's choices with the advanced rules. Ledger 6.9."""

from __future__ import annotations

from systems.engine.dice import Dice, Log
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.ai import best_value, destruction_value, value_of, with_total
from systems.mechastellar.battle.ai_plan import (
    base_spot,
    comes_no_nearer,
    goes_before,
    is_better,
    keep_if_best,
    moves_for,
)
from systems.mechastellar.battle.rules import (
    can_see,
    count_units,
    distance,
    end_of_units,
    first_unit,
    is_roofed,
    is_way_clear,
    turned,
    would_engage,
)
from systems.mechastellar.battle.rules.attacks import face_off_as
from systems.mechastellar.battle.rules.damage import breaks, damage_of
from systems.mechastellar.battle.rules.movement import breach
from systems.mechastellar.battle.rules.resources import price
from systems.mechastellar.battle.rules.skills import FOCUSED, count_total, sum_hits
from systems.mechastellar.battle.rules.special import (
    CRASH_SIZE,
    crash_end,
    is_area,
    is_struck,
    may_crash,
    ready_special,
    second_on_line,
)
from systems.mechastellar.battle.rules.targets import (
    challenge,
    in_arc,
    in_range,
    is_barred,
    is_closest,
    is_valid,
    may_avenge,
    may_challenge,
    swear,
)
from systems.mechastellar.battle.rules.warships import (
    board,
    captain_of,
    cheapest_weapon,
    is_fired_at,
    launch,
    launch_spot,
    may_board,
    order,
    sacrifice,
)
from systems.mechastellar.battle.state import Clash, Plan, State
from systems.spaces.inches import way

TACTICAL_WORTH = 1.0
OVERWATCH_WORTH = 0.5
REMOTE_POOL = 4
LONG_WAY = 20.0  # a ship farther than this from the nearest enemy keeps sailing


def special_value(s: State, i: int, weapon: int, e: int, x: float, y: float, manner: int) -> float:
    """Return the best value of an attack in that manner."""
    face_off_as(s, c.PLANNED, i, weapon, e, x, y, 0, manner)
    return best_value(s, s.clashes[c.PLANNED])


# --- further candidates of a plan -------------------------------------------------------------------------------------


def plan_unseen(s: State, i: int, weapon: int, e: int, must: int, most: int, manner: int, p: Plan) -> None:
    """Plan a shot at an unseen enemy, indirect or through walls, from the base spot. ST-097, ST-103, ST-350."""
    u = s.units[i]
    v = s.units[e]
    w = s.weapons[weapon]
    far = distance(s, i, e)
    length = base_spot(w, far)
    moves = moves_for(u, length)
    if moves == 0 and not in_arc(u, w, v.x, v.y):
        moves = 1
    if moves > most or v.locked or (length > c.NEAR and comes_no_nearer(u)):
        return
    to_x, to_y = way(u.x, u.y, v.x, v.y)
    x = u.x + to_x * length
    y = u.y + to_y * length
    if length > c.NEAR and (would_engage(u, x, y, v) or not is_way_clear(s, i, x, y, c.NOBODY)):
        return
    if can_see(s, i, x, y, e) or u.sunk != v.sunk:
        return
    if manner == c.INDIRECT and is_roofed(s, e):
        return
    if manner == c.THROUGH_WALLS:
        face_x, face_y = turned(u.face_x, u.face_y, to_x, to_y, moves)
        if far - length > u.sensors + c.NEAR:
            return
        if must < 0 and u.exempt == 0 and not is_closest(s, i, e, w.all_round, x, y, face_x, face_y):
            return
    value = special_value(s, i, weapon, e, x, y, manner)
    if is_better(p, value, moves):
        keep_if_best(p, weapon, e, moves, length, value, manner)


def strip_value(s: State, i: int, weapon: int, e: int, must: int) -> float:
    """Return the value of an area attack aimed at e; 0 if it isn't made. ST-102, ST-323, ST-324."""
    u = s.units[i]
    w = s.weapons[weapon]
    if u.locked or not in_range(w, distance(s, i, e)):
        return 0.0
    if not is_valid(s, i, e, w.all_round, u.x, u.y, u.face_x, u.face_y):
        return 0.0
    if must < 0 and u.exempt == 0 and not is_closest(s, i, e, w.all_round, u.x, u.y, u.face_x, u.face_y):
        return 0.0
    found = 0
    for k in range(count_units(s)):
        v = s.units[k]
        if is_struck(s, i, w, e, k):
            if v.side == u.side or v.locked:
                return 0.0
            found += 1
    if found < 2:
        return 0.0
    total = special_value(s, i, weapon, e, u.x, u.y, c.STRIP)
    for k in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        if k != e and is_struck(s, i, w, e, k):
            face_off_as(s, c.PLANNED, i, weapon, k, u.x, u.y, 0, c.STRIP)
            total += value_of(s, s.clashes[c.PLANNED], c.NO_BONUS, c.NO_REPLY, 0, 0)
    return total


def plan_crash(s: State, i: int, e: int, p: Plan) -> None:
    """Plan a crash through e. ST-193, ledger 6.9."""
    u = s.units[i]
    if distance(s, i, e) > u.move + c.NEAR:
        return
    weapon = ready_special(s, i, c.CRASH)
    x, y = crash_end(s, i, e)
    value = special_value(s, i, weapon, e, u.x, u.y, c.CRASH)
    second = second_on_line(s, i, e, x, y)
    if second >= 0:
        value += special_value(s, i, weapon, second, u.x, u.y, c.CRASH)
    value *= s.sides[u.side].melee_weight
    if is_better(p, value, 0):
        keep_if_best(p, weapon, e, 0, 0.0, value, c.CRASH)


def plan_more(s: State, i: int, only: int, must: int, most: int, p: Plan) -> None:
    """Plan the attacks of the advanced rules, after those of the core rules.

    `only`: the one enemy to plan against, or NOBODY for any; `must`: the only enemy that the unit may attack.
    """
    u = s.units[i]
    side = 1 - u.side
    for e in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        if s.units[e].status != c.STANDS or (only >= 0 and e != only):
            continue
        for weapon in range(u.weapon, u.weapon + u.weapons if u.locked == 0 else u.weapon):
            w = s.weapons[weapon]
            if w.melee or w.gone or w.reloading or w.remote:
                continue
            if is_area(w):
                value = strip_value(s, i, weapon, e, must)
                if is_better(p, value, 0):
                    keep_if_best(p, weapon, e, 0, 0.0, value, c.STRIP)
                continue
            if w.indirect:
                plan_unseen(s, i, weapon, e, must, most, c.INDIRECT, p)
            if w.energy:
                plan_unseen(s, i, weapon, e, must, most, c.THROUGH_WALLS, p)
    if u.size < CRASH_SIZE or not may_crash(u) or comes_no_nearer(u):
        return
    for e in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        if s.units[e].status == c.STANDS and (only < 0 or e == only):
            plan_crash(s, i, e, p)


# --- reactions --------------------------------------------------------------------------------------------------------


def consider_challenge(s: State, i: int, e: int, log: Log) -> None:
    """Let the first unit of the Round challenge its plan's target. ST-047, ledger 6.9."""
    u = s.units[i]
    if s.sides[u.side].bold and may_challenge(s, i) and u.elite and s.units[e].elite:
        challenge(s, i, e, log)


def consider_revenge(s: State, gone: int, by: int, log: Log) -> None:
    """Swear Revenge for a pilot at the first opportunity. ST-048, ledger 6.9."""
    side = s.units[gone].side
    if by < 0 or s.units[by].side == side or s.units[by].status != c.STANDS:
        return
    if s.sides[side].bold == 0 or not may_avenge(s, side, gone):
        return
    found = c.NOBODY
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        if s.units[i].status == c.STANDS and (
            found == c.NOBODY or destruction_value(s, i) > destruction_value(s, found)
        ):
            found = i
    if found >= 0:
        swear(s, side, found, by, log)


def consider_tactical(s: State, p: Clash, log: Log) -> None:
    """Use Tactical Support after a friend's attack roll. ST-281, ledger 6.9."""
    u = s.units[p.unit]
    ship = captain_of(s, u.side, p.unit, c.TACTICAL_SUPPORT)
    if ship == c.NOBODY or p.success <= FOCUSED or u.side != s.units[s.battle.active].side:
        return
    if with_total(s, p, sum_hits(s, p, FOCUSED)) >= TACTICAL_WORTH - c.SAME:
        order(s, ship, c.TACTICAL_SUPPORT, p.unit, log)
        p.success = FOCUSED
        count_total(s, p)


def consider_sacrifice(s: State, p: Clash, log: Log) -> None:
    """Let a ship sacrifice a weapon if nothing else saves it. ST-146, ledger 6.9."""
    v = s.units[p.target]
    if v.kind != c.WARSHIP or p.fails == 0 or p.tag != c.NO_TAG:
        return
    weapon = cheapest_weapon(s, p.target)
    dies = damage_of(p.unblocked, p.dmg, p.fails, p.finisher) >= v.hp
    if weapon >= 0 and dies and damage_of(p.unblocked, p.dmg, p.fails - 1, p.finisher) < v.hp:
        sacrifice(s, p, weapon, log)


def consider_breach(s: State, p: Clash, dice: Dice, log: Log) -> bool:
    """Spend Havoc on the target's Cover once a Round; return True if the attack changes by it. ST-230, ledger 6.9."""
    u = s.units[p.unit]
    if p.item != c.COVER or u.steps_cover or u.havoc < price(u.steps_cover) or p.melee or p.counter:
        return False
    if s.discs[p.disc].destructible == 0 or not breaks(1, p.dmg):
        return False
    return breach(s, p.unit, p.disc, p.dmg, dice, log)


def overwatch_weapon(s: State, ship: int, e: int) -> int:
    """Return the weapon with which a ship reacts to e's move; NOBODY if it doesn't. ST-204, ledger 6.9."""
    u = s.units[ship]
    v = s.units[e]
    if u.fired or u.penalties > 1 or u.locked:
        return c.NOBODY
    for weapon in range(u.weapon, u.weapon + u.weapons):
        w = s.weapons[weapon]
        is_answer = w.melee == 0 and is_fired_at(w, u, v.x, v.y, v.moved_from_x, v.moved_from_y)
        if not is_answer or not in_range(w, distance(s, ship, e)):
            continue
        if is_valid(s, ship, e, w.all_round, u.x, u.y, u.face_x, u.face_y):
            value = special_value(s, ship, weapon, e, u.x, u.y, c.OVERWATCH)
            if value >= OVERWATCH_WORTH - c.SAME:
                return weapon
    return c.NOBODY


def remote_target(s: State, i: int, weapon: int) -> int:
    """Return the target of unit i's remote weapon; NOBODY if it isn't sent. ST-330, ledger 6.9."""
    u = s.units[i]
    w = s.weapons[weapon]
    own = s.sides[u.side]
    found = c.NOBODY
    least = own.attack_price - 2 * c.SAME
    top = least
    if u.locked or w.remote == 0 or w.gone or w.remoted or w.dice == 0 or own.momentum < REMOTE_POOL:
        return found
    for e in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        v = s.units[e]
        is_open = v.status == c.STANDS and v.locked == 0 and not is_roofed(s, e) and not is_barred(s, i, e)
        if is_open and in_range(w, distance(s, i, e)):
            value = special_value(s, i, weapon, e, u.x, u.y, c.REMOTE)
            if value > least + c.SAME and goes_before(s, i, e, value, found, top):
                found = e
                top = value
    return found


def further_target(s: State, i: int, weapon: int, struck: int) -> int:
    """Return the nearest other valid target of a multi-target weapon; NOBODY if there is none. ST-320, ledger 6.9."""
    u = s.units[i]
    w = s.weapons[weapon]
    found = c.NOBODY
    least = 0.0
    for e in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        far = distance(s, i, e)
        if struck >> e & 1 or is_barred(s, i, e) or not in_range(w, far):
            continue
        if not is_valid(s, i, e, w.all_round, u.x, u.y, u.face_x, u.face_y):
            continue
        if found == c.NOBODY or far < least - c.NEAR:
            found = e
            least = far
    return found


# --- ships ------------------------------------------------------------------------------------------------------------


def ship_length(s: State, i: int, near: int) -> float:
    """Return the distance that a ship sails in a Move Action. Ledger 6.9."""
    is_free = not comes_no_nearer(s.units[i])
    return s.units[i].move if near >= 0 and is_free and distance(s, i, near) > LONG_WAY else 0.0


def launch_all(s: State, log: Log) -> None:
    """Launch units from ships at the start of a Round, repaired units first. ST-203, ledger 6.9."""
    for ship in range(count_units(s)):
        v = s.units[ship]
        if v.kind != c.WARSHIP or v.status != c.STANDS:
            continue
        done = 0
        for turn in range(2):
            for i in range(first_unit(s.battle, v.side), end_of_units(s.battle, v.side)):
                u = s.units[i]
                is_next = u.boarded == 1 - turn and (u.boarded == 0 or 4 * u.hp >= 3 * u.full_hp)
                if done < v.catapult and u.status == c.ABOARD and u.ship == ship and is_next:
                    x, y = launch_spot(s, v, done)
                    if launch(s, i, ship, x, y, log):
                        u.boarded = 0
                        done += 1


def consider_boarding(s: State, i: int, log: Log) -> None:
    """Let a unit with less than half its HP board a nearby ship. ST-206, ledger 6.9."""
    u = s.units[i]
    if 2 * u.hp >= u.full_hp:
        return
    for ship in range(first_unit(s.battle, u.side), end_of_units(s.battle, u.side)):
        if may_board(s, i, ship):
            u.boarded = 1
            board(s, i, ship, log)
            return


def turn_of_enemy(s: State, i: int, near: int) -> tuple[float, float]:
    """Return the direction to the nearest enemy; unit i's facing if there is none."""
    u = s.units[i]
    if near == c.NOBODY:
        return u.face_x, u.face_y
    return way(u.x, u.y, s.units[near].x, s.units[near].y)
