"""The inputs of an attack before the roll: dice, flat Hits, flat DEF, bonuses. ST-110 to ST-118, ST-160 to ST-185."""

from __future__ import annotations

from math import sqrt

from systems.engine.dice import Dice, Log, note, roll
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.log_notes import guard_dice, guards_of, hit_dice, hits_of
from systems.mechastellar.battle.rules import (
    are_engaged,
    can_see,
    cover_from,
    distance,
    end_of_units,
    first_unit,
    hides_from_above,
    is_shut_down,
    is_up,
    is_within,
    partner_of,
    sees,
    would_engage,
)
from systems.mechastellar.battle.rules.skills import (
    FOCUSED,
    count_against,
    count_total,
    pool_size,
    reroll_ones,
    roll_guard,
    roll_hits,
)
from systems.mechastellar.battle.rules.targets import in_range, is_rapid
from systems.mechastellar.battle.state import Clash, State, Unit
from systems.spaces.inches import squared, way

TACTICAL = 2  # Hits from Tactical Advantage, which is a critical one
CRIT, SUCCESS, NEVER = 10, 5, 11
THROUGH_WALLS_PEN, UNDER_WATER_PEN, RUN_UP_PEN, CHALLENGE_DEF = 3, 5, 2, 2
SUPPORTS_ATTACK, SUPPORTS_DEFENCE = 1, 2


def is_supported(s: State, i: int, e: int, x: float, y: float) -> bool:
    """Return True if an ally supports unit i, at (x, y), in attacking e. ST-183, ST-185, ST-D38, ST-D85."""
    for k in range(first_unit(s.battle, s.units[i].side), end_of_units(s.battle, s.units[i].side)):
        ally = s.units[k]
        if k == i or ally.status != c.STANDS or ally.supports & SUPPORTS_ATTACK == 0 or is_shut_down(ally):
            continue
        for at in range(ally.weapon, ally.weapon + ally.weapons):
            w = s.weapons[at]
            reach = w.support_attack
            is_near = reach > 0.0 and w.gone == 0 and is_within(ally.x, ally.y, x, y, reach)
            if is_near and in_range(w, distance(s, k, e)) and can_see(s, k, ally.x, ally.y, e):
                return True
    return False


def is_defended(s: State, e: int, x: float, y: float) -> bool:
    """Return True if an ally supports e's defence against an attacker at (x, y). ST-184, ST-185."""
    v = s.units[e]
    for k in range(first_unit(s.battle, v.side), end_of_units(s.battle, v.side)):
        ally = s.units[k]
        if k == e or ally.status != c.STANDS or ally.supports & SUPPORTS_DEFENCE == 0 or is_shut_down(ally):
            continue
        for at in range(ally.weapon, ally.weapon + ally.weapons):
            w = s.weapons[at]
            reach = w.support_defence
            is_near = reach > 0.0 and w.gone == 0 and is_within(ally.x, ally.y, v.x, v.y, reach)
            if is_near and in_range(w, sqrt(squared(ally.x, ally.y, x, y))) and sees(s, ally.x, ally.y, x, y):
                return True
    return False


def overwhelms(s: State, i: int, e: int, x: float, y: float) -> bool:
    """Return True if the friends engaged with e, with unit i at (x, y), are three to one. ST-303, ST-D35."""
    u = s.units[i]
    v = s.units[e]
    b = s.battle
    friends = 1 if would_engage(u, x, y, v) else 0
    for k in range(first_unit(b, u.side), end_of_units(b, u.side)):
        friend = s.units[k]
        if k != i and friend.status == c.STANDS and are_engaged(friend, v):
            friends += 1
    if friends < 3:
        return False
    enemies = 0
    for k in range(first_unit(b, v.side), end_of_units(b, v.side)):
        enemy = s.units[k]
        if enemy.status == c.STANDS and would_engage(u, x, y, enemy):
            enemies += 1
    return friends >= 3 * enemies


def counting_guard(v: Unit, blindside: int, covered: int) -> tuple[int, int]:
    """Return which of shield, barrier and Cover applies, and its bonus. ST-180 to ST-182, ST-340, ST-D36, ST-D37."""
    item = c.NO_ITEM
    most = 0
    if v.shield > 0 and blindside == 0:
        item = c.SHIELD
        most = v.shield
    if v.barrier > most and not is_shut_down(v):
        item = c.BARRIER
        most = v.barrier
    if covered and most < c.COVER_DEF:
        item = c.COVER
        most = c.COVER_DEF
    return item, most


def is_blind(p: Clash) -> bool:
    """Return True for indirect fire, which scores no criticals. ST-100, ST-330."""
    return p.manner == c.INDIRECT or p.manner == c.REMOTE


def has_ground(s: State, p: Clash, x: float, y: float) -> bool:
    """Return True for Tactical Advantage, from High Ground or from a building that crumbled. ST-081, ST-302, ST-349."""
    v = s.units[p.target]
    if v.crumbled == 1 and v.elite == 0:
        return True
    return v.high == 0 and is_up(s.units[p.unit], x, y)


def lower_pen(p: Clash, by: int) -> None:
    """Lower the PEN; it remains a PEN even if no save can fail against it. ST-350, ST-351, ST-D87."""
    if p.pen:
        p.pen = max(1, p.pen - by)


def arm(s: State, p: Clash, weapon: int) -> None:
    """Set the weapon's numbers for an attack. ST-004."""
    w = s.weapons[weapon]
    p.weapon = weapon
    p.melee = w.melee
    p.dice = w.dice
    p.hits = w.hits
    p.dmg = w.dmg
    p.pen = w.pen
    p.tag = w.tag
    p.finisher = w.finisher
    p.energy = w.energy
    p.crit = NEVER if is_blind(p) else CRIT
    p.success = FOCUSED if s.units[p.unit].supported else SUCCESS
    p.bonus = c.NO_BONUS
    p.bonus_hits = 0
    p.reply = c.NO_REPLY
    p.flash = 0
    p.save_bonus = 0
    p.high_hits = 0
    p.penalty = 0
    p.total = 0
    p.against = 0
    p.unblocked = 0
    p.fails = 0
    p.damage = 0
    p.pushed = 0


def take_aim(s: State, p: Clash, x: float, y: float) -> None:
    """Set the flat Hits of an attack from (x, y), before its bonus.

    ST-092, ST-112, ST-183, ST-300 to ST-304, ST-D40.
    """
    u = s.units[p.unit]
    v = s.units[p.target]
    w = s.weapons[p.weapon]
    p.apart = sqrt(squared(x, y, v.x, v.y))
    p.rapid = 0
    if is_rapid(w, p.apart):
        p.rapid = 1
        if w.rapid_dice > 0 or p.point_blank == 0:
            p.dice += w.rapid_dice
        if w.rapid_hits > 0 or p.point_blank == 0:
            p.hits += w.rapid_hits
    p.dice = pool_size(p.dice)
    own_turn = p.counter == 0 and p.manner != c.OVERWATCH
    p.blindside = 1 if (own_turn and u.behind >> p.target & 1) or p.manner == c.REMOTE else 0
    p.lock = 1 if p.melee == 0 and own_turn and p.apart <= u.sensors + c.NEAR else 0
    p.advantage = 0
    helped = p.blindside or is_shut_down(v) or (p.melee and overwhelms(s, p.unit, p.target, x, y))
    if not helped and s.battle.advanced:
        helped = has_ground(s, p, x, y)
    if helped and not is_blind(p) or p.manner == c.THROW_TERRAIN:
        p.advantage = 1
        p.hits += TACTICAL
    if v.high:
        p.high_hits = 1 + v.size
        p.hits += p.high_hits
    p.support = 1 if is_supported(s, p.unit, p.target, x, y) else 0
    p.hits += p.support
    if p.counter:
        p.penalty = s.battle.counter_penalty
        p.hits -= p.penalty


def take_cover(s: State, p: Clash, x: float, y: float) -> None:
    """Set pool and flat DEF against an attack from (x, y), before its bonus. ST-114, ST-180 to ST-184, ST-305."""
    v = s.units[p.target]
    shut = is_shut_down(v)
    p.guard_dice = 0 if shut else v.melee_dice if p.melee else v.evade_dice
    p.guard = v.melee_def if p.melee else v.evade_def
    p.guard_success = v.melee_success if p.melee else v.evade_success
    p.guard_crit = CRIT
    p.reroll = 0 if p.melee else v.reroll
    p.disc = c.NOBODY
    is_open = p.melee or p.lock or p.blindside or v.high
    if not is_open and v.shield < c.COVER_DEF and (v.barrier < c.COVER_DEF or shut):
        if p.manner == c.INDIRECT:
            p.disc = hides_from_above(s, p.target)
        else:
            p.disc = cover_from(s, x, y, v.x, v.y, v.size)
    item, value = counting_guard(v, p.blindside, 1 if p.disc >= 0 else 0)
    p.item = item
    p.item_def = value
    p.guard_support = 1 if p.blindside == 0 and is_defended(s, p.target, x, y) else 0
    p.opened = v.open
    partner = partner_of(s, p.target) if s.battle.advanced else c.NOBODY
    p.challenge = CHALLENGE_DEF if partner >= 0 and partner != p.unit else 0
    p.guard += value + p.guard_support - p.opened + p.challenge


def adapt(s: State, p: Clash) -> None:
    """Apply walls, water, run-up and the target's Size to PEN and saves. ST-311, ST-312, ST-350, ST-351."""
    u = s.units[p.unit]
    if p.manner == c.THROUGH_WALLS:
        lower_pen(p, THROUGH_WALLS_PEN)
    if p.energy and (u.sunk or s.units[p.target].sunk):
        lower_pen(p, UNDER_WATER_PEN)
    if p.tag == c.PUSHES:
        p.save_bonus = s.units[p.target].size
        if u.accelerated:
            p.pen += RUN_UP_PEN


def face_off_as(s: State, k: int, i: int, weapon: int, e: int, x: float, y: float, counter: int, manner: int) -> None:
    """Set up clash k with all numbers: an attack by unit i, at (x, y), on e, in some manner. Ledger 6.4."""
    s.clashes[k].point_blank = 0
    bring(s, k, i, weapon, e, x, y, counter, manner)


def face_off(s: State, k: int, i: int, weapon: int, e: int, x: float, y: float, counter: int, point_blank: int) -> None:
    """Set up clash k as in `face_off_as`, for an ordinary attack."""
    s.clashes[k].point_blank = point_blank
    bring(s, k, i, weapon, e, x, y, counter, c.PLAIN)


def bring(s: State, k: int, i: int, weapon: int, e: int, x: float, y: float, counter: int, manner: int) -> None:
    """Set both sides' numbers for clash k; only its point-blank fire is set beforehand."""
    p = s.clashes[k]
    p.unit = i
    p.target = e
    p.manner = manner
    p.counter = counter
    arm(s, p, weapon)
    take_aim(s, p, x, y)
    take_cover(s, p, x, y)
    if s.battle.advanced:
        adapt(s, p)


def bonus_hits(s: State, p: Clash, bonus: int) -> int:
    """Return the flat Hits from an attack bonus. ST-161, ST-163, ST-164, ST-D06."""
    if bonus == c.BARRAGE:
        w = s.weapons[p.weapon]
        return 2 if p.melee == 0 and (w.explosive == 1 or w.support_attack > 0.0) else 1
    if bonus == c.BALANCED:
        return 1
    return 2 if bonus == c.POWER_BONUS and not is_blind(p) else 0


def bonus_crit(s: State, p: Clash, bonus: int) -> int:
    """Return the crit number of an attack with a bonus. ST-100, ST-162, ST-164, ST-D05."""
    if is_blind(p):
        return NEVER
    if bonus == c.BALANCED:
        return CRIT - 1
    if bonus == c.BULLSEYE:
        return CRIT - 1 - (s.battle.bullseye_lock if p.lock or p.blindside else 0)
    return CRIT


def is_bonus_allowed(u: Unit, bonus: int, melee: int) -> bool:
    """Return True if unit u may choose that attack bonus. ST-160 to ST-165, ST-D52."""
    if bonus == c.NO_BONUS:
        return True
    if u.elite == 0:
        return False
    if bonus == c.BULLSEYE:
        return melee == 0
    if bonus == c.BALANCED:
        return melee == 1
    if bonus == c.SWIFT:
        return melee == 1 and u.kind == c.MS
    return bonus == c.BARRAGE or u.kind == c.SUPER_ROBOT or u.kind == c.KAIJU


def choose_bonus(s: State, p: Clash, bonus: int) -> None:
    """Set the attack bonus. ST-160."""
    p.bonus = bonus
    p.bonus_hits = bonus_hits(s, p, bonus)
    p.hits += p.bonus_hits
    p.crit = bonus_crit(s, p, bonus)
    if bonus == c.POWER_BONUS:
        s.units[p.unit].open = 1


def choose_reply(p: Clash, reply: int) -> None:
    """Set the defence bonus. ST-166, ST-167."""
    p.reply = reply
    if reply == c.DODGE:
        p.guard_crit = CRIT - 1
    elif reply == c.GUARD:
        p.guard += 1


def face_enemy(s: State, p: Clash) -> None:
    """Turn a melee attacker to its enemy. ST-072."""
    u = s.units[p.unit]
    v = s.units[p.target]
    face_x, face_y = way(u.x, u.y, v.x, v.y)
    if face_x != 0.0 or face_y != 0.0:
        u.face_x = face_x
        u.face_y = face_y


def roll_attack(s: State, p: Clash, keeps: int, dice: Dice) -> None:
    """Roll the attack pool. ST-112, ST-320.

    With `keeps`, keep the dice from earlier targets and only roll the extra dice.
    """
    if p.counter:
        roll_hits(s, p.dice, dice)
        return
    if keeps == 0:
        p.pool = 0
    for at in range(p.pool, p.dice):
        s.faces[at].first = roll(dice, 10)
    p.pool = max(p.pool, p.dice)
    for at in range(p.dice):
        s.faces[at].hit = s.faces[at].first


def roll_pools(s: State, p: Clash, keeps: int, dice: Dice, log: Log) -> None:
    """Roll both pools; `keeps`: the attack pool from earlier targets is kept. ST-112 to ST-115, ST-320."""
    s.battle.attacks += 1
    roll_attack(s, p, keeps, dice)
    roll_guard(s, p.guard_dice, dice)
    count_total(s, p)
    note(
        log,
        "attack-rolled",
        hit_dice(s, p.dice),
        hits_of(p),
        unit=p.unit,
        target=p.target,
        number=p.dice,
        rapid=p.rapid,
        success=p.success,
        crit=p.crit,
        total=p.total,
    )
    count_against(s, p)
    note(
        log,
        "defence-rolled",
        guard_dice(s, p.guard_dice),
        guards_of(p),
        unit=p.target,
        target=p.unit,
        melee=p.melee,
        number=p.guard_dice,
        success=p.guard_success,
        crit=p.guard_crit,
        total=p.against,
    )
    if p.reroll:
        ones = reroll_ones(s, p.guard_dice, dice)
        if ones:
            count_against(s, p)
            note(log, "ones-rerolled", guard_dice(s, p.guard_dice), unit=p.target, ones=ones, total=p.against)
