"""The AI's choices in an attack, and the attack values behind them. Ledger 6.5 a and f.

Values are victory points. The only things changed here are `chances` and `memos`, which cache earlier results, and the
clashes that stand for planned attacks.
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.rules import end_of_units, first_unit, is_shut_down
from systems.mechastellar.battle.rules.attacks import (
    SUCCESS,
    bonus_crit,
    bonus_hits,
    face_off,
    is_blind,
    is_bonus_allowed,
)
from systems.mechastellar.battle.rules.resources import (
    BOOST_STEP,
    DMG_STEP,
    HITS_STEP,
    boost_evade,
    buy_dmg,
    buy_havoc_barrier,
    buy_hits,
    buy_pen,
    buy_power_barrier,
    daunt,
    has_daunted,
    may_order,
    price,
    price_of,
    trust,
)
from systems.mechastellar.battle.rules.skills import (
    FOCUS_PRICE,
    FOCUSED,
    IRON_WALL_ARMOUR,
    IRON_WALL_DEF,
    PERSEVERE,
    SOUL_HITS,
    VALOR_HITS,
    count_against,
    count_total,
    failed_guard,
    failed_hits,
    flash,
    focus_attack,
    focus_defence,
    improvise_attack,
    improvise_defence,
    iron_wall,
    is_ace,
    is_skill_allowed,
    may_improvise,
    sum_guard,
    sum_hits,
    valor,
)
from systems.mechastellar.battle.rules.targets import can_counter
from systems.mechastellar.battle.state import Clash, State

PLAIN_WORTH = 3
STUN_WORTH = 0.125
SCRATCH = 6  # the first of the two kinds of pool that are calculated when needed


def destruction_value(s: State, e: int) -> int:
    """Return the value of destroying unit e. Ledger 6.5 a."""
    v = s.units[e]
    return v.worth + PLAIN_WORTH + (s.battle.round if s.sides[v.side].commander == e else 0)


def save_fail_tenths(pen: int, bonus: int) -> int:
    """Return the chance, in tenths, that a save fails. Ledger 6.5 a."""
    return min(10, max(0, pen - bonus - 1))


def harm(s: State, unblocked: int, dmg: int, tenths: int, finisher: int, stuns: int, hp: int) -> float:
    """Return the expected damage of unblocked Hits as a share of `hp`; if `tenths` is -1, no saves cost HP."""
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
    """Calculate the chances of a pool that isn't in the tables, and return their index. `again`: it rerolls 1s."""
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
    """Return the index of a pool's chances in the tables; if they are missing, calculate them into that row."""
    if success != 5 or crit < 8 or crit > 11 or (again and crit != 10 and crit != 9):
        return lay_out(s, row, dice, success, crit, again)
    kind = (14 - crit) if again else 3 if crit == 11 else 10 - crit
    return c.POOLS_AT + (kind * c.DICE + dice) * c.SUMS


def meet(
    s: State, p: Clash, dmg: int, tenths: int, stuns: int, hits: int, crit: int, guard: int, guard_crit: int, hp: int
) -> float:
    """Return the average of `harm` over all dice results of both pools. Ledger 6.5 a."""
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
    """Return the value of an attack before the roll, with these bonuses and steps of Power. Ledger 6.5 a."""
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
    """Return the value of an attack when both totals are known. Ledger 6.5 b."""
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
    """Return the highest value of an attack over the attacker's possible bonuses. Ledger 6.5 f."""
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
    """Return the best value of an ordinary attack by unit i, at (x, y), on e. Ledger 6.5 f."""
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


MAX_STEPS = 3
BOOST_WORTH = 1.0  # a Boost point is worth +2 DEF if that prevents at least this loss


def choose_attack_bonus(s: State, p: Clash) -> int:
    """Return the attack bonus for a unit of Level 1+. Ledger 6.5 c."""
    u = s.units[p.unit]
    if u.elite == 0:
        return c.NO_BONUS
    if is_blind(p):
        return c.BARRAGE
    fear = s.sides[u.side].counter_fear
    feared = 0.0
    if fear > 0.0 and p.manner != c.CRASH:
        _weapon, feared = best_counter(s, p.target, p.unit, 1 - p.melee)
        feared *= fear
    found = c.BALANCED if p.melee else c.BULLSEYE
    top = value_of(s, p, found, c.NO_REPLY, 0, 0) - feared
    other = c.SWIFT if p.melee else c.BARRAGE
    if is_bonus_allowed(u, other, p.melee):
        value = value_of(s, p, other, c.NO_REPLY, 0, 0) - (0.0 if p.melee else feared)
        if value > top + c.SAME:
            found = other
            top = value
    if is_bonus_allowed(u, c.POWER_BONUS, p.melee):
        value = value_of(s, p, c.POWER_BONUS, c.NO_REPLY, 0, 0) - feared
        if value > top + c.SAME:
            found = c.POWER_BONUS
    return found


def spend_power(s: State, p: Clash, log: Log) -> None:
    """Spend Power on DMG and PEN of an attack whose bonus has been chosen. Ledger 6.5 d."""
    u = s.units[p.unit]
    if u.power == 0:
        return
    top = value_of(s, p, c.NO_BONUS, c.NO_REPLY, 0, 0)
    dmg_steps = 0
    pen_steps = 0
    most_pen = MAX_STEPS if p.pen else 0
    for i in range(MAX_STEPS + 1):
        for j in range(most_pen + 1):
            if (i or j) and price_of(u.steps_dmg, i) + price_of(u.steps_pen, j) <= u.power:
                value = value_of(s, p, c.NO_BONUS, c.NO_REPLY, i, j)
                if value > top + c.SAME:
                    top = value
                    dmg_steps = i
                    pen_steps = j
    buy_dmg(s, p, dmg_steps, log)
    buy_pen(s, p, pen_steps, log)


def choose_defence_bonus(s: State, p: Clash) -> tuple[int, int]:
    """Return Dodge, Guard or Counter for a unit of Level 1+, and a counter's weapon. Ledger 6.5 e."""
    v = s.units[p.target]
    weapon = c.NOBODY
    if v.elite == 0 or is_shut_down(v):
        return c.NO_REPLY, weapon
    found = c.DODGE
    top = -value_of(s, p, c.NO_BONUS, c.DODGE, 0, 0)
    value = -value_of(s, p, c.NO_BONUS, c.GUARD, 0, 0)
    if value > top + c.SAME:
        found = c.GUARD
        top = value
    if p.bonus != c.SWIFT and p.manner != c.CRASH:
        weapon, counter = best_counter(s, p.target, p.unit, 1 - p.melee)
        if weapon >= 0:
            value = s.sides[v.side].counter_taste * counter - value_of(s, p, c.NO_BONUS, c.NO_REPLY, 0, 0)
            if value > top + c.SAME:
                found = c.COUNTER
    return found, weapon


def current_value(s: State, p: Clash) -> float:
    """Return the value of an attack with its current dice."""
    return value_now(s, p, p.total, p.against, p.dmg, p.save_bonus)


def with_total(s: State, p: Clash, total: int) -> float:
    """Return the gain in value if the total were that many Hits."""
    return value_now(s, p, max(0, total), p.against, p.dmg, p.save_bonus) - current_value(s, p)


def with_hits(s: State, p: Clash, hits: int) -> float:
    """Return the gain in value from `hits` more Hits, which first make up for a total below 0. ST-115."""
    return with_total(s, p, sum_hits(s, p, p.success) + hits)


def with_guard(s: State, p: Clash, against: int) -> float:
    """Return the loss in value if the DEF were this."""
    return current_value(s, p) - value_now(s, p, p.total, max(0, against), p.dmg, p.save_bonus)


def press(s: State, p: Clash, dice: Dice, log: Log) -> None:
    """Use the attacker's skills after the roll. Ledger 6.5 b."""
    u = s.units[p.unit]
    own = s.sides[u.side]
    if may_improvise(u) and p.dice and 2 * failed_hits(s, p.dice, p.success) >= p.dice:
        improvise_attack(s, p, dice, log)
    price_ = own.attack_price
    if own.momentum >= FOCUS_PRICE and p.success > FOCUSED:
        more = with_total(s, p, sum_hits(s, p, FOCUSED))
        if more > c.SAME and more >= price_ - c.SAME:
            focus_attack(s, p, log)
    plain = with_hits(s, p, VALOR_HITS) - 3 * price_ if is_skill_allowed(s, p.unit, c.VALOR) else -1.0
    soul = with_hits(s, p, SOUL_HITS) - 5 * price_ if is_skill_allowed(s, p.unit, c.SOUL) else -1.0
    if soul > plain + c.SAME and soul >= -c.SAME:
        valor(s, p, 1, log)
    elif plain >= -c.SAME:
        valor(s, p, 0, log)
    while u.havoc >= price(u.steps_hits) and with_hits(s, p, HITS_STEP) > c.SAME:
        buy_hits(s, p, log)
        count_total(s, p)


def parry(s: State, p: Clash, dice: Dice, log: Log) -> None:
    """Use the defender's skills after the roll. Ledger 6.5 b."""
    v = s.units[p.target]
    if is_shut_down(v):
        return
    own = s.sides[v.side]
    has_failed = p.guard_dice > 0 and 2 * failed_guard(s, p.guard_dice, p.guard_success) >= p.guard_dice
    if may_improvise(v) and p.total > p.against and has_failed:
        improvise_defence(s, p, dice, log)
    price_ = own.defence_price
    if own.momentum >= FOCUS_PRICE and p.total > p.against and p.guard_success > FOCUSED:
        less = with_guard(s, p, sum_guard(s, p, FOCUSED, p.flash))
        if less > c.SAME and less >= price_ - c.SAME:
            focus_defence(s, p, log)
    if is_skill_allowed(s, p.target, c.FLASH) and p.total > p.against:
        less = with_guard(s, p, sum_guard(s, p, p.guard_success, 1))
        if less >= 3 * price_ - c.SAME:
            flash(s, p, log)
    wall(s, p, log)
    raise_barrier(s, p, log)
    while v.boost > 0 and p.melee == 0 and p.total > p.against:
        if with_guard(s, p, sum_guard(s, p, p.guard_success, p.flash) + BOOST_STEP) < BOOST_WORTH - c.SAME:
            break
        boost_evade(s, p, log)
        count_against(s, p)


def wall(s: State, p: Clash, log: Log) -> None:
    """Use Iron Wall for as long as it pays off. Ledger 6.5 b."""
    v = s.units[p.target]
    price_ = s.sides[v.side].defence_price
    while is_skill_allowed(s, p.target, c.IRON_WALL) and p.total > p.against:
        bonus = PERSEVERE if is_ace(v) and p.tag != c.PUSHES else p.save_bonus
        dmg = max(0, p.dmg - IRON_WALL_ARMOUR) if s.battle.armour else p.dmg
        against = max(0, sum_guard(s, p, p.guard_success, p.flash) + IRON_WALL_DEF)
        if current_value(s, p) - value_now(s, p, p.total, against, dmg, bonus) < 3 * price_ - c.SAME:
            break
        iron_wall(s, p, log)


def raise_barrier(s: State, p: Clash, log: Log) -> None:
    """Spend Power and Havoc on the Barrier if that is the protection that counts. Ledger 6.5 b."""
    v = s.units[p.target]
    if p.item != c.BARRIER:
        return
    while p.total > p.against and v.power >= price(v.steps_power_barrier):
        buy_power_barrier(s, p, log)
        count_against(s, p)
    while p.total > p.against and v.havoc >= price(v.steps_havoc_barrier):
        buy_havoc_barrier(s, p, log)
        count_against(s, p)


def least_morale(s: State, side: int) -> int:
    """Return the Commander's ally with the lowest Morale, on ties the first; NOBODY if there is none. Ledger 6.5 g."""
    found = c.NOBODY
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        u = s.units[i]
        is_ally = u.status == c.STANDS and i != s.sides[side].commander
        if is_ally and (found == c.NOBODY or u.morale < s.units[found].morale):
            found = i
    return found


def consider_trust(s: State, side: int, dice: Dice, log: Log) -> None:
    """Decide on Trust after one of the side's defence rolls. Ledger 6.5 g."""
    if may_order(s, side) and s.sides[side].momentum <= s.sides[side].trust_at:
        ally = least_morale(s, side)
        if ally >= 0:
            trust(s, side, ally, dice, log)


def consider_daunt(s: State, side: int, gone: int, dice: Dice, log: Log) -> None:
    """Decide on Daunt after the side has destroyed an enemy. Ledger 6.5 g."""
    if may_order(s, side) and has_daunted(s, gone):
        daunt(s, side, gone, dice, log)
