"""The questions to a player: which unit is activated, its attacks and moves, bonuses, resources, skills.

The rules decide what is legal. Attacks are offered from the spots that the AI would try, and only if they can have an
effect. The AI keeps deployment, the Commander's orders, Challenges, remote weapons, boarding and the course of
Warships.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from math import sqrt

from systems.engine.choices import ENOUGH, Answer, Asks, Chooser, InHand, Value
from systems.engine.dice import Log
from systems.engine.runner import copy_state
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.ai_advanced import plan_more
from systems.mechastellar.battle.ai_plan import clear, has_plan, plan_blow, plan_locked, plan_shots
from systems.mechastellar.battle.ai_turn import cover_spot, is_ready_here, may_be_picked, value_here
from systems.mechastellar.battle.choices_combat import (
    EVADE,
    FLASH,
    FOCUS,
    HAVOC,
    HITS,
    IMPROVISE,
    POWER,
    VALOR,
    WALL,
    ask_bonus,
    ask_power,
    ask_reply,
    confirmed_step,
    count_label,
    run_parry,
    run_press,
)
from systems.mechastellar.battle.effects import MANNERS
from systems.mechastellar.battle.rules import distance, end_of_units, first_unit
from systems.mechastellar.battle.rules.movement import transform
from systems.mechastellar.battle.rules.resources import (
    boost_accelerate,
    can_pay,
)
from systems.mechastellar.battle.rules.skills import (
    MAX_ZEAL,
    may_zeal,
    zeal,
)
from systems.mechastellar.battle.rules.targets import attack_price, is_ready
from systems.mechastellar.battle.state import Plan, State

PACKAGE = "systems.mechastellar.battle"


NO, YES = (0,), (1,)


STAY: Value = (0, 0)


TO_ENEMY, TO_POINT, TO_SIDE, TO_PLACE = 1, 2, 3, 4  # kinds of movement goals, the first number of an answer


DIAGONAL = sqrt(0.5)


WAYS = (  # as side A sees the table
    ("ahead", 0.0, 1.0),
    ("ahead and right", DIAGONAL, DIAGONAL),
    ("right", 1.0, 0.0),
    ("back and right", DIAGONAL, -DIAGONAL),
    ("back", 0.0, -1.0),
    ("back and left", -DIAGONAL, -DIAGONAL),
    ("left", -1.0, 0.0),
    ("ahead and left", -DIAGONAL, DIAGONAL),
)


def _enemies(s: State, side: int) -> list[int]:
    found = range(first_unit(s.battle, 1 - side), end_of_units(s.battle, 1 - side))
    return [e for e in found if s.units[e].status == c.STANDS]


def _yes_no(yes: str, no: str) -> tuple[Answer, Answer]:
    return Answer(YES, yes), Answer(NO, no)


def _inches(length: float) -> str:
    return f"{length:.1f}″"


# --- a turn -----------------------------------------------------------------------------------------------------------


def ask_unit(chooser: Chooser, pick: Asks) -> Asks:
    """Ask which unit is activated. ST-041, ST-045."""

    def pick_unit(s: State, side: int, obliged: bool) -> int:
        theirs = int(pick(s, side, obliged))
        ready = [
            i for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)) if may_be_picked(s, i, obliged)
        ]
        answers = [Answer((i,), f"{chooser.unit(i)}, {s.units[i].hp} of {s.units[i].full_hp} HP") for i in ready]
        words = "Which unit is activated? One that was attacked must answer." if obliged else "Which unit is activated?"
        return chooser.choose(side, words, answers, (theirs,))[0]

    return pick_unit


def ask_mode(chooser: Chooser, choose: Asks) -> Asks:
    """Ask for a transforming unit's mode. ST-087."""

    def choose_mode(s: State, i: int, must: int, log: Log) -> None:
        u = s.units[i]
        if not chooser.is_asked(u.side):
            choose(s, i, must, log)
            return
        tried = copy_state(s)
        choose(tried, i, must, [])
        answers = [
            Answer((mode,), f"{'First' if mode == 0 else 'Second'} mode, move {_inches(_move(s, i, mode))}")
            for mode in (0, 1)
        ]
        words = f"In which mode does {chooser.unit(i)} act?"
        (mode,) = chooser.choose(u.side, words, answers, (tried.units[i].mode,), i)
        transform(s, i, mode, log)

    return choose_mode


def _move(s: State, i: int, mode: int) -> float:
    return s.sheets[s.units[i].sheet + mode].move


def ask_disengage(chooser: Chooser, wants: Asks) -> Asks:
    """Ask whether a unit pays to leave a melee. ST-074."""

    def wants_out(s: State, i: int, must: int) -> bool:
        u, theirs = s.units[i], bool(wants(s, i, must))
        if u.kind == c.WARSHIP or u.locked == 0 or must >= 0 or not can_pay(s.sides[u.side], u.locked):
            return theirs
        answers = _yes_no(f"Leave it, for {u.locked} Momentum", "Stay")
        words = f"Does {chooser.unit(i)} leave its melee?"
        return chooser.choose(u.side, words, answers, (int(theirs),), i) == YES

    return wants_out


def _list_plans(s: State, i: int, must: int, moves: int) -> dict[Value, Plan]:
    """Return unit i's possible attacks in its turn with `moves` Move Actions. ST-060 to ST-067, ST-090 to ST-098."""
    u = s.units[i]
    found: dict[Value, Plan] = {}

    def keep(e: int, plan: Callable[[Plan], None]) -> None:
        p = Plan()
        clear(p, i)
        plan(p)
        if has_plan(p):
            found.setdefault(_key(s, p), p)

    for e in _enemies(s, u.side):
        if must >= 0 and e != must:
            continue
        for weapon in range(u.weapon, u.weapon + u.weapons):
            if not is_ready(s.weapons[weapon]):
                continue
            if u.locked:
                keep(e, lambda p, weapon=weapon, e=e: plan_locked(s, i, weapon, e, moves, p))  # type: ignore[misc]
            elif s.weapons[weapon].melee:
                keep(e, lambda p, weapon=weapon, e=e: plan_blow(s, i, weapon, e, moves, p))  # type: ignore[misc]
            else:
                keep(e, lambda p, weapon=weapon, e=e: plan_shots(s, i, weapon, e, must, moves, p))  # type: ignore[misc]
        if s.battle.advanced:
            keep(e, lambda p, e=e: plan_more(s, i, e, must, moves, p))  # type: ignore[misc]
    return found


def _key(s: State, p: Plan) -> Value:
    """Return a plan's key: list position of the weapon, target, manner."""
    return (0 if p.manner == c.CRASH else p.weapon - s.units[p.unit].weapon), p.target, p.manner


def _planned(chooser: Chooser, s: State, i: int, p: Plan, boosted: bool) -> str:
    weapon = "A crash" if p.manner == c.CRASH else chooser.weapon(i, p.weapon - s.units[i].weapon)
    words = f"{weapon} at {chooser.unit(p.target)}, {_inches(distance(s, i, p.target))} away"
    if p.manner in (c.INDIRECT, c.THROUGH_WALLS):
        words += f", {MANNERS[p.manner]}".rstrip()
    if p.moves:
        words += f", after {count_label(p.moves, 'Move Action')}"
    return f"{words}, one of them a Boost" if boosted else words


def ask_plan(chooser: Chooser, make: Asks) -> Asks:
    """Ask what a unit attacks in its turn, and where from. ST-041, ST-046, ST-220."""

    def make_plan(s: State, i: int, must: int, moves: int, actions: int, log: Log) -> int:
        u = s.units[i]
        can_act = actions >= 1 or can_pay(s.sides[u.side], 1 - actions)
        if not can_act or not chooser.is_asked(u.side):
            return int(make(s, i, must, moves, actions, log))
        tried = copy_state(s)
        more = int(make(tried, i, must, moves, actions, []))
        p = tried.plans[0]
        theirs = (*_key(tried, p), more - moves) if has_plan(p) else ENOUGH
        seen = copy_state(s)
        plans = {(*key, 0): each for key, each in _list_plans(seen, i, must, moves).items()}
        if u.locked == 0 and u.boost > 0 and actions >= 1:
            longer = _list_plans(seen, i, must, moves + 1)
            plans |= {(*key, 1): each for key, each in longer.items() if (*key, 0) not in plans}
        if theirs != ENOUGH:
            plans.setdefault(theirs, p)
        answers = [Answer(key, _planned(chooser, s, i, each, key[3] == 1)) for key, each in plans.items()]
        words = f"What does {chooser.unit(i)} attack? It has {count_label(moves, 'Move Action')}."
        if not answers:
            return int(make(s, i, must, moves, actions, log))
        value = chooser.choose(u.side, words, [*answers, Answer(ENOUGH, "Nothing: it moves")], theirs, i)
        if value == theirs:
            return int(make(s, i, must, moves, actions, log))
        clear(s.plans[0], i)
        if value == ENOUGH:
            return moves
        for field in fields(Plan):
            setattr(s.plans[0], field.name, getattr(plans[value], field.name))
        if value[3]:
            boost_accelerate(s, i, log)
        return moves + value[3]

    return make_plan


def ask_zeal_for_plan(chooser: Chooser, buy: Asks) -> Asks:
    """Ask whether a unit without an Action buys one for its attack. ST-265."""

    def buy_actions(s: State, i: int, actions: int, log: Log) -> int:
        u, need = s.units[i], 1 - actions
        if not may_zeal(u) or not can_pay(s.sides[u.side], need) or not chooser.is_asked(u.side):
            return int(buy(s, i, actions, log))
        tried: Log = []
        buy(copy_state(s), i, actions, tried)
        answers = _yes_no(f"Buy {count_label(need, 'Action')}, for {need} Momentum", "Cancel the attack")
        words = f"{chooser.unit(i)} has no Action for its attack. Does it use Zeal?"
        if chooser.choose(u.side, words, answers, YES if tried else NO, i) == YES:
            zeal(s, i, need, log)
            return actions + need
        s.plans[0].target = c.NOBODY
        return actions

    return buy_actions


def ask_goal(chooser: Chooser, choose: Asks) -> Asks:
    """Ask where a Move Action leads to. ST-060 to ST-066."""

    def goal(s: State, i: int, attacked: int, moves: int) -> tuple[int, float, float]:
        goes, x, y = choose(s, i, attacked, moves)
        u = s.units[i]
        if not chooser.is_asked(u.side):
            return goes, x, y
        answers, ends = _goals(chooser, s, i, moves)
        theirs = next((value for value, end in ends.items() if end == (goes, x, y)), (TO_PLACE, 0)) if goes else STAY
        if theirs not in ends:
            answers.append(Answer(theirs, "Let the AI choose"))
            ends[theirs] = (goes, x, y)
        words = f"Where does {chooser.unit(i)} go? {count_label(moves, 'Move Action')} of {_inches(u.move)} left."
        value = chooser.choose(u.side, words, answers, theirs, i)
        return (goes, x, y) if value == theirs else ends[value]

    return goal


def _goals(
    chooser: Chooser, s: State, i: int, moves: int
) -> tuple[list[Answer], dict[Value, tuple[int, float, float]]]:
    """Return unit i's possible goals and their places."""
    u = s.units[i]
    answers, ends = [Answer(STAY, "It stays")], {STAY: (0, 0.0, 0.0)}

    def add(value: Value, words: str, x: float, y: float) -> None:
        answers.append(Answer(value, words))
        ends[value] = (1, x, y)

    for p in range(s.battle.points):
        far = sqrt((s.points[p].x - u.x) ** 2 + (s.points[p].y - u.y) ** 2)
        add((TO_POINT, p), f"Towards control point {p + 1}, {_inches(far)} away", s.points[p].x, s.points[p].y)
    for e in _enemies(s, u.side):
        words = f"Towards {chooser.unit(e)}, {_inches(distance(s, i, e))} away"
        add((TO_ENEMY, e), words, s.units[e].x, s.units[e].y)
    found, x, y = cover_spot(s, i, moves)
    if found:
        add((TO_PLACE, 1), "Into Cover", x, y)
    sign = 1.0 if u.side == c.SIDE_A else -1.0
    for at, (words, x, y) in enumerate(WAYS):
        to_x = min(s.battle.table, max(0.0, u.x + sign * u.move * x))
        to_y = min(s.battle.table, max(0.0, u.y + sign * u.move * y))
        add((TO_SIDE, at), words.capitalize(), to_x, to_y)
    return answers, ends


# --- attacks ----------------------------------------------------------------------------------------------------------


def ask_attack_here(chooser: Chooser, best: Asks) -> Asks:
    """Ask for another attack without moving, as long as the unit has Actions. ST-110, ST-111."""

    def best_here(s: State, i: int, actions: int) -> tuple[int, int]:
        u = s.units[i]
        weapon, e = best(s, i, actions)
        if not chooser.is_asked(u.side):
            return weapon, e
        answers = []
        seen = copy_state(s)
        for at in range(u.weapons):
            w = s.weapons[u.weapon + at]
            if not is_ready_here(s, u.weapon + at) or attack_price(w) > actions:
                continue
            for k in _enemies(s, u.side):
                if value_here(seen, i, u.weapon + at, k) > c.SAME:
                    price_ = count_label(attack_price(w), "Action")
                    words = f"{chooser.weapon(i, at)} at {chooser.unit(k)}, {_inches(distance(s, i, k))} away, {price_}"
                    answers.append(Answer((at, k), words))
        if not answers:
            return weapon, e
        theirs = (weapon - u.weapon, e) if weapon >= 0 else ENOUGH
        words = f"What else does {chooser.unit(i)} attack? It has {count_label(actions, 'Action')}."
        value = chooser.choose(u.side, words, [*answers, Answer(ENOUGH, "Nothing")], theirs, i)
        return (c.NOBODY, c.NOBODY) if value == ENOUGH else (u.weapon + value[0], value[1])

    return best_here


def ask_zeal_here(chooser: Chooser, buys: Asks) -> Asks:
    """Ask how many Actions to buy for a unit with none left. ST-265."""

    def zeal_here(s: State, i: int, actions: int) -> int:
        u = s.units[i]
        most = min(MAX_ZEAL, s.sides[u.side].momentum)
        answers = [
            Answer((points,), f"{count_label(points, 'Action')}, for {points} Momentum" if points else "None")
            for points in range(most + 1)
        ]
        words = f"How many Actions does {chooser.unit(i)} buy with Zeal?"
        return chooser.choose(u.side, words, answers, (int(buys(s, i, actions)),), i)[0]

    return zeal_here


IN_HAND = InHand(
    modules=(f"{PACKAGE}.ai", f"{PACKAGE}.ai_turn", f"{PACKAGE}.play_attack", f"{PACKAGE}.play"),
    takes={
        "pick": ask_unit,
        "choose_mode": ask_mode,
        "wants_out": ask_disengage,
        "make_plan": ask_plan,
        "buy_actions": ask_zeal_for_plan,
        "goal": ask_goal,
        "best_here": ask_attack_here,
        "zeal_here": ask_zeal_here,
        "choose_attack_bonus": ask_bonus,
        "choose_defence_bonus": ask_reply,
        "spend_power": ask_power,
        "improvise_attack": confirmed_step(IMPROVISE, attacks=True),
        "focus_attack": confirmed_step(FOCUS, attacks=True),
        "valor": confirmed_step(VALOR, attacks=True),
        "buy_hits": confirmed_step(HITS, attacks=True),
        "improvise_defence": confirmed_step(IMPROVISE, attacks=False),
        "focus_defence": confirmed_step(FOCUS, attacks=False),
        "flash": confirmed_step(FLASH, attacks=False),
        "iron_wall": confirmed_step(WALL, attacks=False),
        "buy_power_barrier": confirmed_step(POWER, attacks=False),
        "buy_havoc_barrier": confirmed_step(HAVOC, attacks=False),
        "boost_evade": confirmed_step(EVADE, attacks=False),
    },
    follows={"press": run_press, "parry": run_parry},
)
