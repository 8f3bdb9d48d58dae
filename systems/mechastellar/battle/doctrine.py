"""The AI's choices in an attack: bonuses, Power, skills, orders. Ledger 6.5 b to g."""

from __future__ import annotations

from systems.engine.dice import Dice, Log
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.doctrine_values import best_counter, value_now, value_of
from systems.mechastellar.battle.rules.attacks import is_blind, is_bonus_allowed
from systems.mechastellar.battle.rules.facts import end_of_units, first_unit, is_shut_down
from systems.mechastellar.battle.rules.momentum import daunt, has_daunted, may_order, trust
from systems.mechastellar.battle.rules.pools import FOCUSED, failed_guard, failed_hits
from systems.mechastellar.battle.rules.resources import (
    BOOST_STEP,
    HITS_STEP,
    boost_evade,
    buy_dmg,
    buy_havoc_barrier,
    buy_hits,
    buy_pen,
    buy_power_barrier,
    price,
    price_of,
)
from systems.mechastellar.battle.rules.skills import (
    FOCUS_PRICE,
    IRON_WALL_ARMOUR,
    IRON_WALL_DEF,
    PERSEVERE,
    SOUL_HITS,
    VALOR_HITS,
    count_against,
    count_total,
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
from systems.mechastellar.battle.state import Clash, State

MAX_STEPS = 3
BOOST_WORTH = 1.0  # the loss that +2 DEF must prevent to be worth a Boost point


def choose_attack_bonus(s: State, p: Clash) -> int:
    """Return the attack bonus of a unit of Level 1+. Ledger 6.5 c."""
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
    """Spend Power on DMG and PEN of an attack whose bonus is chosen. Ledger 6.5 d."""
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
    """Return Dodge, Guard or Counter of a unit of Level 1+, and the weapon of a counter. Ledger 6.5 e."""
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
    """Return the value of an attack with the dice as rolled."""
    return value_now(s, p, p.total, p.against, p.dmg, p.save_bonus)


def with_total(s: State, p: Clash, total: int) -> float:
    """Return the gain in value with that many Hits."""
    return value_now(s, p, max(0, total), p.against, p.dmg, p.save_bonus) - current_value(s, p)


def with_hits(s: State, p: Clash, hits: int) -> float:
    """Return the gain in value with `hits` more Hits; a total below 0 uses them up first. ST-115."""
    return with_total(s, p, sum_hits(s, p, p.success) + hits)


def with_guard(s: State, p: Clash, against: int) -> float:
    """Return the loss in value against that DEF."""
    return current_value(s, p) - value_now(s, p, p.total, max(0, against), p.dmg, p.save_bonus)


def press(s: State, p: Clash, dice: Dice, log: Log) -> None:
    """Use the attacker's skills after the dice are rolled. Ledger 6.5 b."""
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
    """Use the defender's skills after the dice are rolled. Ledger 6.5 b."""
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
    """Use Iron Wall as long as it pays off. Ledger 6.5 b."""
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
    """Spend Power and Havoc on the Barrier if it is the guard that counts. Ledger 6.5 b."""
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
    """Return the Commander's ally with the lowest Morale, the first on a tie; NOBODY if there is none. Ledger 6.5 g."""
    found = c.NOBODY
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        u = s.units[i]
        is_ally = u.status == c.STANDS and i != s.sides[side].commander
        if is_ally and (found == c.NOBODY or u.morale < s.units[found].morale):
            found = i
    return found


def consider_trust(s: State, side: int, dice: Dice, log: Log) -> None:
    """Decide on Trust after a defence roll of the side. Ledger 6.5 g."""
    if may_order(s, side) and s.sides[side].momentum <= s.sides[side].trust_at:
        ally = least_morale(s, side)
        if ally >= 0:
            trust(s, side, ally, dice, log)


def consider_daunt(s: State, side: int, gone: int, dice: Dice, log: Log) -> None:
    """Decide on Daunt after the side destroyed an enemy. Ledger 6.5 g."""
    if may_order(s, side) and has_daunted(s, gone):
        daunt(s, side, gone, dice, log)
