"""The AI's values of attacks, before and after the dice are rolled. Ledger 6.5 a and f. Nothing is decided here.

Values are victory points. Only `chances` and `memos`, which cache earlier results, and the clashes that stand for
planned attacks are changed here.
"""

from __future__ import annotations

from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.rules.attacks import (
    SUCCESS,
    bonus_crit,
    bonus_hits,
    face_off,
    is_blind,
    is_bonus_allowed,
)
from systems.mechastellar.battle.rules.facts import is_shut_down
from systems.mechastellar.battle.rules.resources import DMG_STEP
from systems.mechastellar.battle.rules.targets import can_counter
from systems.mechastellar.battle.state import Clash, State

PLAIN_WORTH = 3
STUN_WORTH = 0.125
SCRATCH = 6  # the first of the two kinds of pool that are calculated as needed


def destruction_value(s: State, e: int) -> int:
    """Return the value of destroying unit e. Ledger 6.5 a."""
    v = s.units[e]
    return v.worth + PLAIN_WORTH + (s.battle.round if s.sides[v.side].commander == e else 0)


def save_fail_tenths(pen: int, bonus: int) -> int:
    """Return the chance that a save fails, in tenths. Ledger 6.5 a."""
    return min(10, max(0, pen - bonus - 1))


def harm(s: State, unblocked: int, dmg: int, tenths: int, finisher: int, stuns: int, hp: int) -> float:
    """Return the expected damage of unblocked Hits as a share of `hp`; `tenths` -1: no saves that cost HP."""
    if unblocked <= 0:
        return 0.0
    plain = unblocked * dmg + (1000 * finisher if unblocked >= c.FINISHING else 0)
    saves = min(c.MAX_SAVES, unblocked)
    if plain >= hp:
        found = 1.0
    elif tenths < 0 or stuns:
        found = plain / hp
    else:
        at = c.FAILS_AT + (tenths * (c.MAX_SAVES + 1) + saves) * (c.MAX_SAVES + 1)
        done = 0.0
        for fails in range(saves + 1):
            done += s.chances[at + fails].value * min(hp, plain + 1000 * fails)
        found = done / hp
    if stuns:
        found += STUN_WORTH * min(2.0, tenths * 0.1 * saves)
    return found


def lay_out(s: State, row: int, dice: int, success: int, crit: int, again: int) -> int:
    """Calculate the chances of a pool outside the tables, and return where they are. `again`: it rerolls 1s."""
    two = (11 - max(success, crit)) * 0.1
    one = (11 - success) * 0.1 - two
    none = (success - 1) * 0.1
    if again:
        none += 0.1 * none - 0.1
        one *= 1.1
        two *= 1.1
    at = c.POOLS_AT + row * c.DICE * c.SUMS
    for k in range(c.SUMS):
        s.chances[at + k].value = 0.0
    s.chances[at].value = 1.0
    for roll_ in range(dice):
        for back in range(2 * roll_ + 3):
            k = 2 * roll_ + 2 - back
            chance = s.chances[at + k].value * none
            if k > 0:
                chance += s.chances[at + k - 1].value * one
            if k > 1:
                chance += s.chances[at + k - 2].value * two
            s.chances[at + k].value = chance
    return at


def pool_at(s: State, row: int, dice: int, success: int, crit: int, again: int) -> int:
    """Return the place of a pool's chances in the tables; calculate a missing one into that row."""
    if success != 5 or crit < 8 or crit > 11 or (again and crit != 10 and crit != 9):
        return lay_out(s, row, dice, success, crit, again)
    kind = (14 - crit) if again else 3 if crit == 11 else 10 - crit
    return c.POOLS_AT + (kind * c.DICE + dice) * c.SUMS


def meet(
    s: State, p: Clash, dmg: int, tenths: int, stuns: int, hits: int, crit: int, guard: int, guard_crit: int, hp: int
) -> float:
    """Return the average of `harm` over all dice of both pools. Ledger 6.5 a."""
    own = pool_at(s, SCRATCH, p.dice, p.success, crit, 0)
    theirs = pool_at(s, SCRATCH + 1, p.guard_dice, p.guard_success, guard_crit, p.reroll)
    most = 2 * p.dice + hits - max(0, guard)
    if most <= 0:
        return 0.0
    for k in range(1, min(c.MAX_HITS, most + 1)):
        s.chances[c.CURVE_AT + k].value = harm(s, k, dmg, tenths, p.finisher, stuns, hp)
    found = 0.0
    for a in range(2 * p.dice + 1):
        total = max(0, a + hits)
        part = 0.0
        for d in range(2 * p.guard_dice + 1):
            unblocked = total - max(0, d + guard)
            if unblocked <= 0:
                break
            part += s.chances[theirs + d].value * s.chances[c.CURVE_AT + min(c.MAX_HITS - 1, unblocked)].value
        found += s.chances[own + a].value * part
    return found


def value_of(s: State, p: Clash, bonus: int, reply: int, dmg_steps: int, pen_steps: int) -> float:
    """Return the value of an attack before it is rolled, with these bonuses and steps of Power. Ledger 6.5 a."""
    v = s.units[p.target]
    dmg = p.dmg + DMG_STEP * dmg_steps
    stuns = 1 if p.tag == c.STUNS and not is_shut_down(v) else 0
    tenths = -1
    if p.pen and (p.tag == c.NO_TAG or stuns):
        tenths = save_fail_tenths(p.pen + s.battle.pen_step * pen_steps, p.save_bonus)
    hits = p.hits
    crit = p.crit
    if bonus:
        hits += bonus_hits(s, p, bonus)
        crit = bonus_crit(s, p, bonus)
    guard = p.guard + (1 if reply == c.GUARD else 0)
    guard_crit = p.guard_crit - (1 if reply == c.DODGE else 0)
    key = (p.dice * 4 + crit - 8) * 11 + p.guard_dice
    key = ((key * 2 + guard_crit - 9) * 9 + p.guard_success - 2) * 2 + p.reroll
    key = key * 2 + (0 if p.success == SUCCESS else 1)
    key = (key * 64 + min(53, hits) + 10) * 64 + min(59, guard) + 4
    key = ((key * 4096 + dmg) * 12 + tenths + 1) * 8 + p.finisher
    key = (key * 2 + stuns) * 32768 + v.hp
    memo = s.memos[key % c.MEMOS]
    if memo.key != key:
        memo.key = key
        memo.value = meet(s, p, dmg, tenths, stuns, hits, crit, guard, guard_crit, v.hp)
    return memo.value * destruction_value(s, p.target)


def value_now(s: State, p: Clash, total: int, against: int, dmg: int, save_bonus: int) -> float:
    """Return the value of an attack with both totals known. Ledger 6.5 b."""
    v = s.units[p.target]
    unblocked = total - against
    if unblocked <= 0:
        return 0.0
    stuns = 1 if p.tag == c.STUNS and not is_shut_down(v) else 0
    tenths = -1
    if p.pen and (p.tag == c.NO_TAG or stuns):
        tenths = save_fail_tenths(p.pen, save_bonus)
    return harm(s, unblocked, dmg, tenths, p.finisher, stuns, v.hp) * destruction_value(s, p.target)


def best_value(s: State, p: Clash) -> float:
    """Return the largest value of an attack over the attacker's bonuses. Ledger 6.5 f."""
    u = s.units[p.unit]
    if u.elite == 0:
        return value_of(s, p, c.NO_BONUS, c.NO_REPLY, 0, 0)
    if p.melee:
        top = value_of(s, p, c.BALANCED, c.NO_REPLY, 0, 0)
    else:
        top = value_of(s, p, c.BARRAGE, c.NO_REPLY, 0, 0)
        if not is_blind(p):
            top = max(top, value_of(s, p, c.BULLSEYE, c.NO_REPLY, 0, 0))
    if is_bonus_allowed(u, c.POWER_BONUS, p.melee):
        top = max(top, value_of(s, p, c.POWER_BONUS, c.NO_REPLY, 0, 0))
    return top


def best(s: State, i: int, weapon: int, e: int, x: float, y: float, point_blank: int) -> float:
    """Return the best value of an ordinary attack of unit i, at (x, y), on e. Ledger 6.5 f."""
    face_off(s, c.PLANNED, i, weapon, e, x, y, 0, point_blank)
    return best_value(s, s.clashes[c.PLANNED])


def best_counter(s: State, i: int, e: int, by_shooting: int) -> tuple[int, float]:
    """Return the weapon with which unit i would counter e, and its value; NOBODY if it can't. Ledger 6.5 c and e."""
    u = s.units[i]
    found = c.NOBODY
    top = 0.0
    if u.elite == 0 or u.status != c.STANDS or is_shut_down(u):
        return found, top
    for weapon in range(u.weapon, u.weapon + u.weapons):
        if can_counter(s, i, weapon, e, by_shooting):
            face_off(s, c.FEARED, i, weapon, e, u.x, u.y, 1, 0)
            value = value_of(s, s.clashes[c.FEARED], c.NO_BONUS, c.NO_REPLY, 0, 0)
            if found == c.NOBODY or value > top + c.SAME:
                found = weapon
                top = value
    return found, top
