"""Boost, Power and Havoc: purchases and prices. ST-220 to ST-234, ST-D13 to ST-D16."""

from __future__ import annotations

from systems.engine.dice import Log, note
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.rules.facts import count_units, is_shut_down
from systems.mechastellar.battle.state import Clash, State, Unit

DMG_STEP = 100
CRASH_STEP = 200
HITS_STEP = 2
ACTIONS_STEP = 2
POWER_BARRIER_STEP, HAVOC_BARRIER_STEP, BOOST_STEP = 1, 2, 2


def price(bought: int) -> int:
    """Return the price of the next step after `bought` steps. ST-226, ST-233, ST-D15."""
    return 2 if bought else 1


def price_of(bought: int, more: int) -> int:
    """Return the price of `more` further steps."""
    if more == 0:
        return 0
    return price(bought) + 2 * (more - 1)


def refresh(u: Unit) -> None:
    """Restore Power, Havoc and the prices of Havoc at the start of a Round. ST-222, ST-228, ST-234."""
    u.power = u.full_power
    u.havoc = u.full_havoc
    u.steps_havoc_barrier = 0
    u.steps_hits = 0
    u.steps_crash = 0
    u.steps_cover = 0
    u.steps_actions = 0


def new_prices(s: State) -> None:
    """Reset the prices of Power for all units at the start of a turn. ST-226, ST-D16."""
    for i in range(count_units(s)):
        u = s.units[i]
        u.steps_dmg = 0
        u.steps_pen = 0
        u.steps_power_barrier = 0


def buy_dmg(s: State, p: Clash, steps: int, log: Log) -> None:
    """Spend Power on the DMG of an attack. ST-223, ST-234."""
    u = s.units[p.unit]
    if steps:
        u.power -= price_of(u.steps_dmg, steps)
        u.steps_dmg += steps
        p.dmg += DMG_STEP * steps
        note(log, "power-spent", unit=p.unit, step=c.STEP_DMG, steps=steps, left=u.power)


def buy_pen(s: State, p: Clash, steps: int, log: Log) -> None:
    """Spend Power on the PEN of an attack. ST-224, ST-234, ST-D13."""
    u = s.units[p.unit]
    if steps:
        u.power -= price_of(u.steps_pen, steps)
        u.steps_pen += steps
        p.pen += s.battle.pen_step * steps
        note(log, "power-spent", unit=p.unit, step=c.STEP_PEN, steps=steps, left=u.power)


def buy_power_barrier(s: State, p: Clash, log: Log) -> None:
    """Spend Power on the defender's Barrier. ST-225."""
    v = s.units[p.target]
    v.power -= price(v.steps_power_barrier)
    v.steps_power_barrier += 1
    p.guard += POWER_BARRIER_STEP
    note(log, "power-spent", unit=p.target, step=c.STEP_POWER_BARRIER, steps=1, left=v.power)


def buy_havoc_barrier(s: State, p: Clash, log: Log) -> None:
    """Spend Havoc on the defender's Barrier. ST-229."""
    v = s.units[p.target]
    v.havoc -= price(v.steps_havoc_barrier)
    v.steps_havoc_barrier += 1
    p.guard += HAVOC_BARRIER_STEP
    note(log, "havoc-spent", unit=p.target, step=c.STEP_HAVOC_BARRIER, left=v.havoc)


def buy_hits(s: State, p: Clash, log: Log) -> None:
    """Spend Havoc on the Hits of an attack. ST-232, ST-D14."""
    u = s.units[p.unit]
    u.havoc -= price(u.steps_hits)
    u.steps_hits += 1
    p.hits += HITS_STEP
    note(log, "havoc-spent", unit=p.unit, step=c.STEP_HITS, left=u.havoc)


def may_rage(s: State, i: int) -> bool:
    """Return True if Havoc can buy unit i Actions now, which a house rule allows. ST-232, ST-233, ST-D14, ST-D63."""
    u = s.units[i]
    return s.battle.havoc_actions == 1 and not is_shut_down(u) and u.havoc >= price(u.steps_actions)


def rage(s: State, i: int, log: Log) -> int:
    """Buy Actions of this turn with Havoc; return how many. ST-232, ST-D14."""
    u = s.units[i]
    if not may_rage(s, i):
        return 0
    u.havoc -= price(u.steps_actions)
    u.steps_actions += 1
    u.more += ACTIONS_STEP
    note(log, "havoc-spent", unit=i, step=c.STEP_ACTIONS, left=u.havoc)
    return ACTIONS_STEP


def boost_evade(s: State, p: Clash, log: Log) -> None:
    """Spend a Boost point on an Evade roll. ST-220."""
    v = s.units[p.target]
    v.boost -= 1
    p.guard += BOOST_STEP
    note(log, "boost-spent", unit=p.target, left=v.boost, evades=1)


def boost_accelerate(s: State, i: int, log: Log) -> None:
    """Spend a Boost point on a free Accelerate. ST-220."""
    u = s.units[i]
    u.boost -= 1
    u.accelerated = 1
    note(log, "boost-spent", unit=i, left=u.boost, evades=0)
