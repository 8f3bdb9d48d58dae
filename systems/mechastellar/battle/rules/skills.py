"""Pools of ten-sided dice, and the skills that modify them.

Rolling, counting successes, rerolling: ST-112 to ST-116, ST-262, ST-266.
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.log_notes import guard_dice, hit_dice
from systems.mechastellar.battle.rules import is_shut_down
from systems.mechastellar.battle.rules.resources import can_pay, lose
from systems.mechastellar.battle.state import Clash, State, Unit

FOCUSED = 3  # number needed for a success with Focus


def pool_size(dice: int) -> int:
    """Return how many dice are rolled for a pool of that size. ST-112."""
    return min(c.POOL, max(0, dice))


def successes_of(face: int, success: int, crit: int) -> int:
    """Return how much a die counts: 1 for a success, 2 for a critical one. ST-113, ST-114, ST-D02, ST-D03."""
    if face < success:
        return 0
    return 2 if face >= crit else 1


def roll_hits(s: State, count: int, dice: Dice) -> None:
    """Roll an attack pool."""
    for at in range(count):
        s.faces[at].hit = roll(dice, 10)


def roll_guard(s: State, count: int, dice: Dice) -> None:
    """Roll a defence pool."""
    for at in range(count):
        s.faces[at].guard = roll(dice, 10)


def roll_others(s: State, count: int, dice: Dice) -> None:
    """Roll saves, morale and everything else other than pools."""
    for at in range(count):
        s.faces[at].other = roll(dice, 10)


def reroll_ones(s: State, count: int, dice: Dice) -> int:
    """Reroll every 1 of a defence pool once; return how many there were. ST-015, ST-D09."""
    found = 0
    for at in range(count):
        if s.faces[at].guard == 1:
            s.faces[at].guard = roll(dice, 10)
            found += 1
    return found


def count_hits(s: State, count: int, success: int, crit: int) -> int:
    """Return the total of an attack pool. ST-113."""
    found = 0
    for at in range(count):
        found += successes_of(s.faces[at].hit, success, crit)
    return found


def count_guard(s: State, count: int, success: int, crit: int, flash: int) -> int:
    """Return a defence pool's total; with Flash each non-critical success counts 1 more. ST-114, ST-262, ST-D10."""
    found = 0
    for at in range(count):
        one = successes_of(s.faces[at].guard, success, crit)
        found += 2 if one == 1 and flash else one
    return found


def failed_hits(s: State, count: int, success: int) -> int:
    """Return how many dice of an attack pool failed."""
    found = 0
    for at in range(count):
        if s.faces[at].hit < success:
            found += 1
    return found


def failed_guard(s: State, count: int, success: int) -> int:
    """Return how many dice of a defence pool failed."""
    found = 0
    for at in range(count):
        if s.faces[at].guard < success:
            found += 1
    return found


def improvise_hits(s: State, count: int, success: int, dice: Dice) -> None:
    """Reroll the failed dice of an attack pool once. ST-266."""
    for at in range(count):
        if s.faces[at].hit < success:
            s.faces[at].hit = roll(dice, 10)


def improvise_guard(s: State, count: int, success: int, dice: Dice) -> None:
    """Reroll the failed dice of a defence pool once. ST-266."""
    for at in range(count):
        if s.faces[at].guard < success:
            s.faces[at].guard = roll(dice, 10)


FOCUS_PRICE, FLASH_PRICE, IRON_WALL_PRICE, VALOR_PRICE, SOUL_PRICE, MAX_ZEAL = 1, 3, 3, 3, 5, 3
IRON_WALL_DEF, PERSEVERE, IRON_WALL_ARMOUR = 5, 3, 100
VALOR_HITS, SOUL_HITS = 5, 7
ACE = 2


def is_ace(u: Unit) -> bool:
    """Return True for a unit whose skills have ACE benefits; captains have none. ST-261, ST-D55."""
    return u.elite == 1 and u.level == ACE


def may_flash(u: Unit) -> bool:
    """Return True if the unit may use Flash this turn. ST-262, ST-D49."""
    return u.kind != c.KAIJU and u.kind != c.SUPER_HEAVY and u.skill == c.NO_SKILL and not is_shut_down(u)


def may_wall(u: Unit) -> bool:
    """Return True if the unit may use Iron Wall this turn, which it may repeat. ST-264, ST-D49."""
    return u.kind != c.MS and (u.skill == c.NO_SKILL or u.skill == c.IRON_WALL) and not is_shut_down(u)


def may_zeal(u: Unit) -> bool:
    """Return True if the unit may use Zeal this turn. ST-265, ST-D49."""
    return u.skill == c.NO_SKILL and not is_shut_down(u)


def may_valor(u: Unit) -> bool:
    """Return True if the unit may use Valor this turn. ST-267, ST-D49."""
    return u.elite == 1 and u.skill == c.NO_SKILL and not is_shut_down(u)


def may_improvise(u: Unit) -> bool:
    """Return True if the unit may still improvise this Round. ST-266."""
    return u.elite == 1 and u.improvised == 0 and not is_shut_down(u)


def skill_price(skill: int) -> int:
    """Return the Momentum cost of a skill. Ledger 2.6."""
    return SOUL_PRICE if skill == c.SOUL else 1 if skill == c.ZEAL else VALOR_PRICE


def is_skill_allowed(s: State, i: int, skill: int) -> bool:
    """Return True if unit i may use that skill now and its side can pay for it. ST-241, ST-260."""
    u = s.units[i]
    if not can_pay(s.sides[u.side], skill_price(skill)):
        return False
    if skill == c.FLASH:
        return may_flash(u)
    if skill == c.IRON_WALL:
        return may_wall(u)
    if skill == c.ZEAL:
        return may_zeal(u)
    if skill == c.SOUL:
        return may_valor(u) and is_ace(u)
    return may_valor(u)


def sum_hits(s: State, p: Clash, success: int) -> int:
    """Return an attack's Hits with the current dice and this success number; may be below 0. ST-113."""
    return count_hits(s, p.dice, success, p.crit) + p.hits


def sum_guard(s: State, p: Clash, success: int, flash: int) -> int:
    """Return the DEF with the current dice and this success number; may be below 0. ST-114.

    `flash` 1: with Flash.
    """
    return count_guard(s, p.guard_dice, success, p.guard_crit, flash) + p.guard


def count_total(s: State, p: Clash) -> None:
    """Set an attack's Hits from its dice. ST-113, ST-115."""
    p.total = max(0, sum_hits(s, p, p.success))


def count_against(s: State, p: Clash) -> None:
    """Set the DEF against an attack from the dice. ST-114, ST-115."""
    p.against = max(0, sum_guard(s, p, p.guard_success, p.flash))


def improvise_attack(s: State, p: Clash, dice: Dice, log: Log) -> None:
    """Reroll the attacker's failures once. ST-266."""
    s.units[p.unit].improvised = 1
    improvise_hits(s, p.dice, p.success, dice)
    count_total(s, p)
    note(log, "attack-improvised", hit_dice(s, p.dice), unit=p.unit, total=p.total)


def improvise_defence(s: State, p: Clash, dice: Dice, log: Log) -> None:
    """Reroll the defender's failures once. ST-266."""
    s.units[p.target].improvised = 1
    improvise_guard(s, p.guard_dice, p.guard_success, dice)
    count_against(s, p)
    note(log, "defence-improvised", guard_dice(s, p.guard_dice), unit=p.target, total=p.against)


def focus_attack(s: State, p: Clash, log: Log) -> None:
    """Make the attack pool succeed on 3+. ST-263."""
    u = s.units[p.unit]
    lose(s, u.side, FOCUS_PRICE)
    p.success = FOCUSED
    count_total(s, p)
    note(log, "focus-used", unit=p.unit, total=p.total, defends=0, side=u.side, pool=s.sides[u.side].momentum)


def focus_defence(s: State, p: Clash, log: Log) -> None:
    """Make the defence pool succeed on 3+. ST-263."""
    v = s.units[p.target]
    lose(s, v.side, FOCUS_PRICE)
    p.guard_success = FOCUSED
    count_against(s, p)
    note(log, "focus-used", unit=p.target, total=p.against, defends=1, side=v.side, pool=s.sides[v.side].momentum)


def valor(s: State, p: Clash, soul: int, log: Log) -> None:
    """Use Valor, or Soul, for more Hits. ST-267, ST-D12."""
    u = s.units[p.unit]
    lose(s, u.side, SOUL_PRICE if soul else VALOR_PRICE)
    u.skill = c.VALOR
    p.hits += SOUL_HITS if soul else VALOR_HITS
    count_total(s, p)
    note(log, "valor-used", unit=p.unit, soul=soul, total=p.total, side=u.side, pool=s.sides[u.side].momentum)


def flash(s: State, p: Clash, log: Log) -> None:
    """Use Flash, with which each success of the defence counts as 2. ST-262, ST-D10."""
    v = s.units[p.target]
    lose(s, v.side, FLASH_PRICE)
    v.skill = c.FLASH
    p.flash = 1
    count_against(s, p)
    note(log, "flash-used", unit=p.target, total=p.against, side=v.side, pool=s.sides[v.side].momentum)


def harden(s: State, p: Clash) -> None:
    """Apply Iron Wall to an attack. ST-264, ST-D11."""
    p.guard += IRON_WALL_DEF
    if is_ace(s.units[p.target]) and p.tag != c.PUSHES:
        p.save_bonus = PERSEVERE
    if s.battle.armour:
        p.dmg = max(0, p.dmg - IRON_WALL_ARMOUR)


def iron_wall(s: State, p: Clash, log: Log) -> None:
    """Use Iron Wall. ST-264."""
    v = s.units[p.target]
    lose(s, v.side, IRON_WALL_PRICE)
    v.skill = c.IRON_WALL
    harden(s, p)
    count_against(s, p)
    note(log, "iron-wall-used", unit=p.target, total=p.against, side=v.side, pool=s.sides[v.side].momentum)


def zeal(s: State, i: int, points: int, log: Log) -> None:
    """Use Zeal for `points` more Actions this turn. ST-265."""
    u = s.units[i]
    lose(s, u.side, points)
    u.skill = c.ZEAL
    u.more += points
    note(log, "zeal-used", unit=i, actions=points, side=u.side, pool=s.sides[u.side].momentum)
