"""The questions to a player in an attack: bonuses, replies, Power, and what to do after the roll."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from functools import partial

from systems.engine.choices import ENOUGH, Answer, Asks, Chooser, Value
from systems.engine.dice import Dice, Log
from systems.engine.runner import copy_state
from systems.mechastellar.battle import ai
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.effects import BONUSES, REPLIES
from systems.mechastellar.battle.rules import is_shut_down
from systems.mechastellar.battle.rules.attacks import is_blind, is_bonus_allowed
from systems.mechastellar.battle.rules.resources import (
    BOOST_STEP,
    HITS_STEP,
    boost_evade,
    buy_dmg,
    buy_havoc_barrier,
    buy_hits,
    buy_pen,
    buy_power_barrier,
    can_pay,
    price,
    price_of,
)
from systems.mechastellar.battle.rules.skills import (
    FOCUS_PRICE,
    FOCUSED,
    IRON_WALL_DEF,
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
    is_skill_allowed,
    may_improvise,
    valor,
)
from systems.mechastellar.battle.rules.targets import can_counter
from systems.mechastellar.battle.state import Clash, State

# steps that depend on an attack's current dice
IMPROVISE, FOCUS, VALOR, SOUL, HITS = 0, 1, 2, 3, 4


FLASH, WALL, POWER, HAVOC, EVADE = 2, 3, 4, 5, 6


def count_label(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def ask_bonus(chooser: Chooser, choose: Asks) -> Asks:
    """Ask for the attack bonus. ST-160 to ST-165."""

    def choose_attack_bonus(s: State, p: Clash) -> int:
        u, theirs = s.units[p.unit], int(choose(s, p))
        if u.elite == 0 or is_blind(p):
            return theirs
        answers = [
            Answer((bonus,), BONUSES[bonus])
            for bonus in (c.BULLSEYE, c.BARRAGE, c.BALANCED, c.SWIFT, c.POWER_BONUS)
            if is_bonus_allowed(u, bonus, p.melee)
        ]
        words = f"With which bonus does {chooser.unit(p.unit)} attack {chooser.unit(p.target)}?"
        return chooser.choose(u.side, words, answers, (theirs,), p.unit)[0]

    return choose_attack_bonus


def ask_reply(chooser: Chooser, choose: Asks) -> Asks:
    """Ask for Dodge, Guard, or Counter and its weapon. ST-166 to ST-169."""

    def choose_defence_bonus(s: State, p: Clash) -> tuple[int, int]:
        v = s.units[p.target]
        reply, weapon = choose(s, p)
        if v.elite == 0 or is_shut_down(v) or not chooser.is_asked(v.side):
            return reply, weapon
        answers = [Answer((c.DODGE, 0), REPLIES[c.DODGE]), Answer((c.GUARD, 0), REPLIES[c.GUARD])]
        for at in range(v.weapons) if p.bonus != c.SWIFT and p.manner != c.CRASH else ():
            if can_counter(s, p.target, v.weapon + at, p.unit, 1 - p.melee):
                answers.append(Answer((c.COUNTER, at), f"{REPLIES[c.COUNTER]} with {chooser.weapon(p.target, at)}"))
        theirs = (reply, weapon - v.weapon if reply == c.COUNTER else 0)
        how = f" with {BONUSES[p.bonus]}" if p.bonus else ""
        words = f"{chooser.unit(p.unit)} attacks{how}. How does {chooser.unit(p.target)} meet it?"
        value = chooser.choose(v.side, words, answers, theirs, p.target)
        return (reply, weapon) if value == theirs else (value[0], v.weapon + value[1])

    return choose_defence_bonus


def ask_power(chooser: Chooser, spend: Asks) -> Asks:
    """Ask for Power on DMG and PEN. ST-223, ST-224."""

    def spend_power(s: State, p: Clash, log: Log) -> None:
        u = s.units[p.unit]
        if u.power == 0 or not chooser.is_asked(u.side):
            spend(s, p, log)
            return
        most_pen = ai.MAX_STEPS if p.pen else 0
        answers = []
        for i in range(ai.MAX_STEPS + 1):
            for j in range(most_pen + 1):
                paid = price_of(u.steps_dmg, i) + price_of(u.steps_pen, j)
                if paid <= u.power:
                    bought = [count_label(i, "step") + " of DMG"] * bool(i) + [
                        count_label(j, "step") + " of PEN"
                    ] * bool(j)
                    answers.append(Answer((i, j), f"{' and '.join(bought)}, {paid} Power" if bought else "None"))
        tried_log: Log = []
        tried, clash = copy_state(s), copy(p)
        spend(tried, clash, tried_log)
        theirs = (tried.units[p.unit].steps_dmg - u.steps_dmg, tried.units[p.unit].steps_pen - u.steps_pen)
        words = f"What does {chooser.unit(p.unit)} spend of its {u.power} Power on this attack?"
        value = chooser.choose(u.side, words, answers, theirs, p.unit)
        buy_dmg(s, p, value[0], log)
        buy_pen(s, p, value[1], log)

    return spend_power


# --- after the roll
# ----------------------------------------------------------------------------------------------------


def _ask_press(chooser: Chooser, s: State, p: Clash, theirs: Value | Callable[[], Value]) -> Value:
    """Ask what the attacker does after the roll. ST-232, ST-260 to ST-267."""
    u = s.units[p.unit]
    own = s.sides[u.side]
    found = []
    if may_improvise(u) and p.dice:
        found.append(Answer((IMPROVISE,), "Improvise: reroll its failures"))
    if can_pay(own, FOCUS_PRICE) and p.success > FOCUSED and p.dice:
        found.append(Answer((FOCUS,), f"Focus: successes on {FOCUSED}+, 1 Momentum"))
    if is_skill_allowed(s, p.unit, c.VALOR):
        found.append(Answer((VALOR,), f"Valor: +{VALOR_HITS} Hits, 3 Momentum"))
    if is_skill_allowed(s, p.unit, c.SOUL):
        found.append(Answer((SOUL,), f"Soul: +{SOUL_HITS} Hits, 5 Momentum"))
    if u.havoc >= price(u.steps_hits):
        found.append(Answer((HITS,), f"Havoc: +{HITS_STEP} Hits, for {price(u.steps_hits)} of {u.havoc}"))
    words = f"{chooser.unit(p.unit)} has {p.total} Hits against DEF {p.against}. What does it add?"
    return chooser.step(u.side, words, found, theirs, p.unit, "Nothing")


def _ask_parry(chooser: Chooser, s: State, p: Clash, theirs: Value | Callable[[], Value]) -> Value:
    """Ask what the defender does after the roll. ST-220, ST-225, ST-229, ST-260 to ST-266."""
    v = s.units[p.target]
    found = []
    if p.total > p.against and not is_shut_down(v):
        if may_improvise(v) and p.guard_dice:
            found.append(Answer((IMPROVISE,), "Improvise: reroll its failures"))
        if can_pay(s.sides[v.side], FOCUS_PRICE) and p.guard_success > FOCUSED and p.guard_dice:
            found.append(Answer((FOCUS,), f"Focus: successes on {FOCUSED}+, 1 Momentum"))
        if is_skill_allowed(s, p.target, c.FLASH) and p.guard_dice:
            found.append(Answer((FLASH,), "Flash: a success counts 2, 3 Momentum"))
        if is_skill_allowed(s, p.target, c.IRON_WALL):
            found.append(Answer((WALL,), f"Iron Wall: +{IRON_WALL_DEF} DEF, 3 Momentum"))
        if p.item == c.BARRIER and v.power >= price(v.steps_power_barrier):
            found.append(Answer((POWER,), f"Power on its Barrier, {price(v.steps_power_barrier)} of {v.power}"))
        if p.item == c.BARRIER and v.havoc >= price(v.steps_havoc_barrier):
            found.append(Answer((HAVOC,), f"Havoc on its Barrier, {price(v.steps_havoc_barrier)} of {v.havoc}"))
        if v.boost > 0 and p.melee == 0:
            found.append(Answer((EVADE,), f"Boost: +{BOOST_STEP} DEF, 1 of {v.boost}"))
    words = f"{p.total} Hits against DEF {p.against} of {chooser.unit(p.target)}. What does it add?"
    return chooser.step(v.side, words, found, theirs, p.target, "Nothing")


def _press(s: State, p: Clash, dice: Dice, log: Log, value: Value) -> None:
    if value == (IMPROVISE,):
        improvise_attack(s, p, dice, log)
    elif value == (FOCUS,):
        focus_attack(s, p, log)
    elif value in ((VALOR,), (SOUL,)):
        valor(s, p, 1 if value == (SOUL,) else 0, log)
    else:
        buy_hits(s, p, log)
        count_total(s, p)


def _parry(s: State, p: Clash, dice: Dice, log: Log, value: Value) -> None:
    if value == (IMPROVISE,):
        improvise_defence(s, p, dice, log)
    elif value == (FOCUS,):
        focus_defence(s, p, log)
    elif value == (FLASH,):
        flash(s, p, log)
    elif value == (WALL,):
        iron_wall(s, p, log)
    elif value == (POWER,):
        buy_power_barrier(s, p, log)
        count_against(s, p)
    elif value == (HAVOC,):
        buy_havoc_barrier(s, p, log)
        count_against(s, p)
    else:
        boost_evade(s, p, log)
        count_against(s, p)


PRESSES: Mapping[str, int] = {
    "attack-improvised": IMPROVISE,
    "focus-used": FOCUS,
    "valor-used": VALOR,
    "havoc-spent": HITS,
}


PARRIES: Mapping[str, int] = {
    "defence-improvised": IMPROVISE,
    "focus-used": FOCUS,
    "flash-used": FLASH,
    "iron-wall-used": WALL,
    "power-spent": POWER,
    "havoc-spent": HAVOC,
    "boost-spent": EVADE,
}


def _next_ai_step(s: State, p: Clash, dice: Dice, does: Callable[..., None], steps: Mapping[str, int]) -> Value:
    """Return the AI's next step after the roll."""
    tried = copy_state(s)
    log: Log = []
    at = next(k for k in range(len(s.clashes)) if s.clashes[k] is p)
    does(tried, tried.clashes[at], copy(dice), log)
    if not log:
        return ENOUGH
    kind, facts = log[0]
    return (SOUL,) if kind == "valor-used" and facts["soul"] else (steps[kind],)


def run_press(chooser: Chooser, again: Asks) -> Asks:
    """Ask for the attacker's skills, one after another."""

    def press(s: State, p: Clash, dice: Dice, log: Log) -> None:
        chooser.steps(
            partial(again, s, p, dice, log),
            partial(_ask_press, chooser, s, p),
            partial(_press, s, p, dice, log),
            partial(_next_ai_step, s, p, dice, ai.press, PRESSES),
        )

    return press


def run_parry(chooser: Chooser, again: Asks) -> Asks:
    """Ask for the defender's skills, one after another."""

    def parry(s: State, p: Clash, dice: Dice, log: Log) -> None:
        chooser.steps(
            partial(again, s, p, dice, log),
            partial(_ask_parry, chooser, s, p),
            partial(_parry, s, p, dice, log),
            partial(_next_ai_step, s, p, dice, ai.parry, PARRIES),
        )

    return parry


def confirmed_step(step: int, *, attacks: bool) -> Callable[[Chooser, Asks], Asks]:
    """Replace one of the AI's steps after the roll; its arguments begin with state and clash."""

    def takes(chooser: Chooser, does: Asks) -> Asks:
        def if_agreed(s: State, p: Clash, *rest: object) -> None:
            side = s.units[p.unit if attacks else p.target].side
            if chooser.is_asked(side):
                value = (SOUL,) if step == VALOR and attacks and rest[0] else (step,)
                chooser.agree(value, partial(_ask_press if attacks else _ask_parry, chooser, s, p))
            does(s, p, *rest)

        return if_agreed

    return takes
