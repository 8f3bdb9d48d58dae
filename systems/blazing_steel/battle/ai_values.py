"""The AI's values of attacks, losses and places (ledger 6.2, 6.4), without decisions. BS-AR05 to BS-AR18, BS-AR22.

All values are in points. Only `looks` is changed here.
"""

from __future__ import annotations

from math import floor, sqrt

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.rules import (
    COVERS_A,
    COVERS_B,
    FRONT,
    HALF_ROOT,
    SEEN,
    TINY,
    allowance,
    arc_of,
    count_flak_guns,
    dodge_value,
    end_of_units,
    first_unit,
    gap,
    has_peripheral,
    is_loaded,
    line,
    move_value,
    spots,
    turn_left,
    turn_right,
    turned,
    weapon_of,
)
from systems.blazing_steel.battle.rules.actions import (
    BASE_TN,
    facing_armor,
    fires_into,
    is_hidden,
    strike_ap,
    strike_damage,
    strike_dice,
    strike_tn,
    targeting_of,
)
from systems.blazing_steel.battle.rules.engagements import FLAK_TN, shot_damage
from systems.blazing_steel.battle.rules.movement import charge_end, is_clear
from systems.blazing_steel.battle.state import State, Unit, Weapon
from systems.spaces.inches import squared, way

NOTHING, DODGES, DODGES_JUMPING, IN_SMOKE, FLAKS = 0, 1, 2, 3, 4  # responses to an attack
DIRECTIONS = 8
ORDER_WEIGHT = 0.5  # weight of autoplay orders, per inch
NEAR_PART = 6.0  # distance to the hill, in inches, that counts as 1


def to_millionths(value: float) -> int:
    """Return a value in millionths, rounded to the nearest, for comparisons."""
    return floor(value * 1000000.0 + 0.5)


def expected_hits(s: State, dice: int, tn: int, defence: int, defence_tn: int) -> float:
    """Return the expected hits of an attack against `defence` dice, without ties. BS-AR05, BS-AR06."""
    own = min(6, max(0, tn))
    theirs = min(6, max(0, defence_tn))
    at = ((dice - 1) * c.TNS + own) * (c.MAX_DEFENCE + 1) + defence
    return s.chances[c.HITS_AT + at * c.TNS + theirs].value


def tie_chance(s: State, dice: int, tn: int, other_dice: int, other_tn: int) -> float:
    """Return the chance that two shots tie and both hit. BS-AR07."""
    own = (dice - 1) * c.TNS + min(6, max(0, tn))
    theirs = (other_dice - 1) * c.TNS + min(6, max(0, other_tn))
    return s.chances[c.TIES_AT + own * c.MAX_SHOTS * c.TNS + theirs].value


def over(s: State, u: Unit, dice: int) -> float:
    """Return the chance that u overheats after `dice` new heat dice. BS-AR11."""
    at = (u.sinks * c.OVERHEAT + min(u.heat, c.OVERHEAT - 1)) * (c.MAX_HEAT + 1)
    return s.chances[c.OVER_AT + at + min(dice, c.MAX_HEAT)].value


def unsaved(ap: int, armor: int) -> float:
    """Return the chance that a damage die does damage. BS-AR08."""
    return 5.0 / 6.0 if ap >= armor else (6 - armor) / 6.0


def damage_value(t: Unit, damage: float) -> float:
    """Return the value of `damage` to t. BS-AR10."""
    return t.cost * min(1.0, damage / t.structure)


# --- attacks in the current situation
# ----------------------------------------------------------------------------------


def shot_tn(u: Unit, w: Weapon, t: Unit, apart: float, covered: int, fortified: int, scoped: int) -> int:
    """Return the TN of a shot over this distance, before Impact. BS-AR12."""
    less = 1 if apart > w.range + TINY else 0
    if covered and w.indirect == 0 and w.guided == 0:
        less += 2 if fortified else 1
    if is_hidden(t):
        less += 2
    if scoped and less:
        less -= 1
    return BASE_TN - less - targeting_of(u)


def has_scope_on(s: State, i: int, e: int) -> int:
    """Return 1 if another Warmech on i's side spots e through a Targeting Scope where e is now. BS-171."""
    t = s.units[e]
    side = s.units[i].side
    for q in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        if q != i and has_peripheral(s.units[q], c.SCOPE) and spots(s, q, t.x, t.y, t.radius):
            return 1
    return 0


def attack_tn(s: State, i: int, action: int, slot: int, e: int) -> int:
    """Return the TN of an attack from the current positions, before Impact. BS-AR12, BS-AR13."""
    if action != c.SHOOT:
        return strike_tn(s, i, e)
    u = s.units[i]
    t = s.units[e]
    apart = gap(u.x, u.y, u.radius, t.x, t.y, t.radius)
    covered = line(s, u.x, u.y, u.radius, t.x, t.y, t.radius) & COVERS_B
    return shot_tn(u, weapon_of(s, i, slot), t, apart, covered, t.fortified, has_scope_on(s, i, e))


def attack_dice(s: State, i: int, action: int, slot: int) -> int:
    """Return how many dice an attack rolls."""
    return weapon_of(s, i, slot).rof if action == c.SHOOT else strike_dice(s, i)


def attack_harm(s: State, i: int, action: int, slot: int, e: int) -> float:
    """Return the expected damage per hit of an attack. BS-AR08, BS-AR09."""
    u = s.units[i]
    t = s.units[e]
    x = u.x
    y = u.y
    if action == c.CHARGE:
        x, y = charge_end(s, i, t.x, t.y, t.radius)
    armor = facing_armor(t, t.x, t.y, t.face_x, t.face_y, x, y, u.radius)
    if action == c.SHOOT:
        w = weapon_of(s, i, slot)
        return shot_damage(u, w) * unsaved(w.ap, armor)
    return strike_damage(s, i) * unsaved(strike_ap(s, i), armor)


def impact_of(s: State, i: int, action: int, slot: int) -> int:
    """Return the Impact of an attack's weapon."""
    return weapon_of(s, i, slot).impact if action == c.SHOOT else 0


def loss(s: State, i: int, action: int, slot: int, e: int, response: int, by: int) -> float:
    """Return the value of i's attack on e, with that response by e; `by` throws flak. BS-AR12, BS-AR13, BS-AR15."""
    t = s.units[e]
    dice = attack_dice(s, i, action, slot)
    tn = attack_tn(s, i, action, slot, e)
    defence = 0
    defence_tn = 0
    if response in (DODGES, DODGES_JUMPING):
        if action != c.SHOOT or weapon_of(s, i, slot).guided == 0:
            defence = t.dodge_dice
            if response == DODGES_JUMPING and has_peripheral(t, c.BOOSTERS):
                defence += 1
            defence_tn = dodge_value(t)
            if s.battle.impact_on_all:
                defence_tn -= impact_of(s, i, action, slot)
    elif response == FLAKS:
        defence = count_flak_guns(s, by)
        defence_tn = FLAK_TN
    if response == IN_SMOKE and action == c.SHOOT:
        hits = s.chances[c.SMOKE_AT + (dice - 1) * c.TNS + min(6, max(0, tn))].value
    else:
        hits = expected_hits(s, dice, tn, defence, defence_tn)
    return damage_value(t, hits * attack_harm(s, i, action, slot, e))


def answered(
    s: State, i: int, action: int, slot: int, e: int, other_action: int, other_slot: int
) -> tuple[float, float]:
    """Return the values of i's attack on e and of e's simultaneous attack on i. BS-AR07, BS-AR14, BS-AR15."""
    dice = attack_dice(s, i, action, slot)
    other_dice = attack_dice(s, e, other_action, other_slot)
    tn = attack_tn(s, i, action, slot, e)
    other_tn = attack_tn(s, e, other_action, other_slot, i)
    if action == c.SHOOT or s.battle.impact_on_all:
        tn -= impact_of(s, e, other_action, other_slot)
    if other_action == c.SHOOT or s.battle.impact_on_all:
        other_tn -= impact_of(s, i, action, slot)
    hits = expected_hits(s, dice, tn, other_dice, other_tn)
    other_hits = expected_hits(s, other_dice, other_tn, dice, tn)
    if action == c.SHOOT and other_action == c.SHOOT:
        both = tie_chance(s, dice, tn, other_dice, other_tn)
        hits += both
        other_hits += both
    return (
        damage_value(s.units[e], hits * attack_harm(s, i, action, slot, e)),
        damage_value(s.units[i], other_hits * attack_harm(s, e, other_action, other_slot, i)),
    )


# --- places -----------------------------------------------------------------------------------------------------------


def look_around(s: State, i: int) -> None:
    """Record how i's other friends see each enemy; valid until something moves. BS-AR16."""
    side = s.units[i].side
    for e in range(first_unit(s.battle, 1 - side), end_of_units(s.battle, 1 - side)):
        t = s.units[e]
        look = s.looks[e]
        look.spotted = 0
        look.scoped = 0
        if t.status != c.STANDS:
            continue
        for q in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
            if q != i and spots(s, q, t.x, t.y, t.radius):
                look.spotted = 1
                if has_peripheral(s.units[q], c.SCOPE):
                    look.scoped = 1


def best_shot_at(
    s: State, i: int, x: float, y: float, face_x: float, face_y: float, e: int, apart: float, found: int, empty: int
) -> float:
    """Return the value of i's best unanswered shot at e from a place. BS-AR12, BS-AR16.

    `found` is the result of `line`. `empty`: only consider weapons that a Reload would load. BS-AR23.
    """
    u = s.units[i]
    t = s.units[e]
    look = s.looks[e]
    best = 0.0
    arc = arc_of(x, y, face_x, face_y, t.x, t.y)
    armor = facing_armor(t, t.x, t.y, t.face_x, t.face_y, x, y, u.radius)
    is_seen = found & SEEN != 0
    spotted = look.spotted == 1 or (is_seen and apart <= c.SPOTTING + TINY)
    for slot in range(c.SLOTS):
        w = weapon_of(s, i, slot)
        if empty:
            if is_loaded(w) or w.kind != c.GUN or w.lost or w.munition:
                continue
        elif not is_loaded(w):
            continue
        if not fires_into(w, arc):
            continue
        if not is_seen and (w.indirect == 0 or look.spotted == 0):
            continue
        if (w.short and apart > w.range + TINY) or (w.guided and not spotted):
            continue
        tn = shot_tn(u, w, t, apart, found & COVERS_B, t.fortified, look.scoped)
        harm = shot_damage(u, w) * unsaved(w.ap, armor)
        best = max(best, damage_value(t, expected_hits(s, w.rof, tn, 0, 0) * harm))
    return best


def worst_shot_of(
    s: State,
    e: int,
    i: int,
    x: float,
    y: float,
    face_x: float,
    face_y: float,
    fortified: int,
    apart: float,
    found: int,
    scoped: int,
) -> float:
    """Return the value of enemy e's best unanswered shot at i in a place. BS-AR12, BS-AR16.

    `found` is the result of `line` from that place.
    """
    u = s.units[i]
    t = s.units[e]
    worst = 0.0
    armor = facing_armor(u, x, y, face_x, face_y, t.x, t.y, t.radius)
    for slot in range(c.SLOTS):
        w = weapon_of(s, e, slot)
        if not is_loaded(w) or (found & SEEN == 0 and w.indirect == 0):
            continue
        if w.short and apart > w.range + TINY:
            continue
        tn = shot_tn(t, w, u, apart, found & COVERS_A, fortified, scoped)
        harm = shot_damage(t, w) * unsaved(w.ap, armor)
        worst = max(worst, damage_value(u, expected_hits(s, w.rof, tn, 0, 0) * harm))
    return worst


def scopes_on(s: State, i: int, x: float, y: float) -> tuple[int, int]:
    """Return how many of i's enemies would spot it in a place through a Targeting Scope, and one of them."""
    u = s.units[i]
    count = 0
    one = c.NOBODY
    for e in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        if has_peripheral(s.units[e], c.SCOPE) and spots(s, e, x, y, u.radius):
            count += 1
            one = e
    return count, one


def keeps_away(u: Unit) -> bool:
    """Return True if a Warmech's orders make it keep away, fall back or save itself now. BS-AR37.

    It falls back once its structure is down to a given number.
    """
    if u.ordered_preserve and u.damage:
        return True
    return u.ordered_move == c.ORDERED_AWAY or (u.ordered_retreat > 0 and u.structure <= u.ordered_retreat)


def ordered_place_value(s: State, i: int, x: float, y: float) -> float:
    """Return the value that autoplay orders give a place near to or far from the enemy. BS-AR37."""
    u = s.units[i]
    least = s.battle.table
    for e in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        t = s.units[e]
        if t.status == c.STANDS:
            least = min(least, gap(x, y, u.radius, t.x, t.y, t.radius))
    if keeps_away(u):
        return least * ORDER_WEIGHT
    return -least * ORDER_WEIGHT if u.ordered_move == c.ORDERED_CLOSE else 0.0


def target_preference(s: State, i: int, e: int) -> float:
    """Return how well enemy e fits unit i's target orders; higher is better. BS-AR37."""
    t = s.units[e]
    wanted = s.units[i].ordered_target
    if wanted == c.ORDERED_DEAREST:
        return t.cost * 1.0
    if wanted == c.ORDERED_CHEAPEST:
        return -1.0 * t.cost
    if wanted == c.ORDERED_WEAKEST:
        return -1.0 * t.structure
    if wanted == c.ORDERED_TOUGHEST:
        return t.structure * 1.0
    return -gap(s.units[i].x, s.units[i].y, s.units[i].radius, t.x, t.y, t.radius)


def score(s: State, i: int, x: float, y: float, face_x: float, face_y: float, fortified: int) -> float:
    """Return the value of a place and facing for Warmech i; call `look_around` first. BS-AR16."""
    u = s.units[i]
    side = s.sides[u.side]
    offence = 0.0
    defence = 0.0
    scopes, scope = scopes_on(s, i, x, y)
    reach = move_value(u) + TINY
    for e in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        t = s.units[e]
        if t.status != c.STANDS:
            continue
        apart = gap(x, y, u.radius, t.x, t.y, t.radius)
        found = line(s, x, y, u.radius, t.x, t.y, t.radius)
        offence = max(offence, best_shot_at(s, i, x, y, face_x, face_y, e, apart, found, 0))
        if apart <= reach and arc_of(x, y, face_x, face_y, t.x, t.y) == FRONT:
            armor = facing_armor(t, t.x, t.y, t.face_x, t.face_y, x, y, u.radius)
            hits = expected_hits(s, strike_dice(s, i), strike_tn(s, i, e), 0, 0)
            harm = strike_damage(s, i) * unsaved(strike_ap(s, i), armor)
            offence = max(offence, damage_value(t, hits * harm))
        scoped = 1 if scopes > 1 or (scopes == 1 and scope != e) else 0
        defence += worst_shot_of(s, e, i, x, y, face_x, face_y, fortified, apart, found, scoped)
    away = max(0.0, sqrt(squared(x, y, s.battle.hill_x, s.battle.hill_y)) - u.radius - c.HILL_REACH)
    value = side.offence * offence - side.defence * defence - side.objective * away / NEAR_PART
    if u.ordered_move or u.ordered_retreat or u.ordered_preserve:
        value += ordered_place_value(s, i, x, y)
    return value


def best_shot_now(s: State, i: int, empty: int) -> float:
    """Return the value of Warmech i's best unanswered shot from where it is; `empty` as in `best_shot_at`. BS-AR23."""
    u = s.units[i]
    found = 0.0
    for e in range(first_unit(s.battle, 1 - u.side), end_of_units(s.battle, 1 - u.side)):
        t = s.units[e]
        if t.status == c.STANDS:
            apart = gap(u.x, u.y, u.radius, t.x, t.y, t.radius)
            between_them = line(s, u.x, u.y, u.radius, t.x, t.y, t.radius)
            shot = best_shot_at(s, i, u.x, u.y, u.face_x, u.face_y, e, apart, between_them, empty)
            found = max(found, shot)
    return found


def score_now(s: State, i: int) -> float:
    """Return the value of the current place and facing."""
    u = s.units[i]
    return score(s, i, u.x, u.y, u.face_x, u.face_y, u.fortified)


def facing_at(s: State, i: int, action: int, x: float, y: float) -> tuple[float, float]:
    """Return Warmech i's facing after a movement: turned as far as possible to the nearest enemy. BS-AR03."""
    u = s.units[i]
    side = 1 - u.side
    found = c.NOBODY
    least = 0
    for e in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        t = s.units[e]
        if t.status == c.STANDS:
            apart = to_millionths(sqrt(squared(x, y, t.x, t.y)) - t.radius)
            if found == c.NOBODY or apart < least:
                found = e
                least = apart
    if found == c.NOBODY:
        return u.face_x, u.face_y
    to_x, to_y = way(x, y, s.units[found].x, s.units[found].y)
    return turned(u.face_x, u.face_y, to_x, to_y, turn_left(u, action), turn_right(u, action))


def direction_x(at: int) -> float:
    """Return x of one of side A's eight directions, counted counter-clockwise from straight ahead (north)."""
    if at in (0, 4):
        return 0.0
    long = HALF_ROOT if at % 2 else 1.0
    return -long if at < 4 else long


def direction_y(at: int) -> float:
    """Return y of one of side A's eight directions, counted as in `direction_x`."""
    if at in (2, 6):
        return 0.0
    long = HALF_ROOT if at % 2 else 1.0
    return -long if at > 2 and at < 6 else long


def best(s: State, i: int, action: int) -> tuple[int, float, float, float, float, float]:
    """Return 1 or 0 for whether a Move, Sprint or Jump can end anywhere, and the best end's value, place and facing.

    BS-AR17.
    """
    u = s.units[i]
    most = allowance(u, action)
    if u.ordered_move == c.ORDERED_HOLD and not keeps_away(u):
        most = 0
    jump = 1 if action == c.JUMP else 0
    sign = 1.0 if u.side == c.SIDE_A else -1.0
    found = 0
    top = 0.0
    best_x = u.x
    best_y = u.y
    best_face_x = u.face_x
    best_face_y = u.face_y
    if action == c.MOVE:
        found = 1
        best_face_x, best_face_y = facing_at(s, i, action, u.x, u.y)
        top = score(s, i, u.x, u.y, best_face_x, best_face_y, u.fortified)
    if most == 0:
        return found, top, best_x, best_y, best_face_x, best_face_y
    for at in range(DIRECTIONS):
        for half in range(2 if action == c.MOVE else 1):
            length = most * (0.5 if half else 1.0) * sign
            x = u.x + length * direction_x(at)
            y = u.y + length * direction_y(at)
            if not is_clear(s, i, x, y, jump, c.NOBODY):
                continue
            face_x, face_y = facing_at(s, i, action, x, y)
            value = score(s, i, x, y, face_x, face_y, u.fortified)
            if found == 0 or to_millionths(value) > to_millionths(top):
                found = 1
                top = value
                best_x = x
                best_y = y
                best_face_x = face_x
                best_face_y = face_y
    return found, top, best_x, best_y, best_face_x, best_face_y


def heat_cost(s: State, i: int, more: int) -> float:
    """Return the cost of `more` heat in this turn. BS-AR18."""
    u = s.units[i]
    if u.final:
        return 0.0
    risk = over(s, u, u.heat_made + more) - over(s, u, u.heat_made)
    return s.sides[u.side].heat_aversion * u.cost * risk
