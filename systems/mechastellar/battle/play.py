"""Attacks, turns, Rounds and a whole battle. Ledger 6.3, 6.4 and 6.7."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.doctrine import (
    choose_attack_bonus,
    choose_defence_bonus,
    consider_daunt,
    consider_trust,
    parry,
    press,
    spend_power,
)
from systems.mechastellar.battle.doctrine_moves import (
    first_engaged,
    first_place,
    goal,
    step_towards,
    wants_out,
    way_out,
)
from systems.mechastellar.battle.doctrine_plan import (
    POINT_BLANK_PRICE,
    best_here,
    has_plan,
    must_answer,
    pick,
    plan,
    zeal_here,
)
from systems.mechastellar.battle.rules.attacks import choose_bonus, choose_reply, face_enemy, face_off, roll_pools
from systems.mechastellar.battle.rules.damage import check_cover, destroy, recover, strike
from systems.mechastellar.battle.rules.facts import count_units, is_shut_down, nearest_enemy
from systems.mechastellar.battle.rules.mission import capture, end_battle, score_points
from systems.mechastellar.battle.rules.momentum import lose
from systems.mechastellar.battle.rules.movement import accelerate, disengage, move
from systems.mechastellar.battle.rules.resources import boost_accelerate
from systems.mechastellar.battle.rules.rounds import (
    begin_round,
    begin_turn,
    check_wiped_out,
    deploy,
    fill_momentum,
    has_obliged,
    has_to_activate,
    highest_hp,
    name_commander,
)
from systems.mechastellar.battle.rules.skills import may_zeal, zeal
from systems.mechastellar.battle.rules.targets import attack_price, can_counter
from systems.mechastellar.battle.state import State
from systems.spaces.inches import way


def set_up(s: State, log: Log) -> None:
    """Deployment, Commanders, Momentum. ST-020 to ST-029, ST-240, ST-D73."""
    for i in range(count_units(s)):
        x, y = first_place(s, i)
        deploy(s, i, x, y, log)
    for side in range(2):
        name_commander(s, side, highest_hp(s, side), log)
        fill_momentum(s, side, log)


# --- one attack -------------------------------------------------------------------------------------------------------


def bury(s: State, i: int, by: int, dice: Dice, log: Log) -> None:
    """A unit with no HP left is destroyed, with what comes of that. ST-150, ST-248, ST-251, ST-D89."""
    if s.units[i].hp <= 0 and s.units[i].status == c.STANDS:
        destroy(s, i, by, dice, log)
        consider_daunt(s, 1 - s.units[i].side, i, dice, log)


def resolve(s: State, k: int, dice: Dice, log: Log) -> None:
    """Clash k from its dice to its end. Ledger 6.4 steps 6 to 11."""
    p = s.clashes[k]
    roll_pools(s, p, dice, log)
    press(s, p, dice, log)
    consider_trust(s, s.units[p.target].side, dice, log)
    parry(s, p, dice, log)
    strike(s, p, dice, log)
    if p.item == c.COVER:
        check_cover(s, p.disc, p.dmg, dice, log)
    bury(s, p.target, p.unit, dice, log)


def answer(s: State, weapon: int, penalty: int, dice: Dice, log: Log) -> None:
    """The counter to the main attack with a weapon, if it still may be made. ST-167, ST-168, ST-D53, ST-D82."""
    p = s.clashes[c.MAIN]
    u = s.units[p.unit]
    v = s.units[p.target]
    if u.status != c.STANDS or v.status != c.STANDS or is_shut_down(v):
        return
    if not can_counter(s, p.target, weapon, p.unit, 1 - p.melee):
        return
    face_off(s, c.ANSWER, p.target, weapon, p.unit, v.x, v.y, 1, 0)
    back = s.clashes[c.ANSWER]
    back.hits += back.penalty - penalty
    back.penalty = penalty
    note(log, "counter-made", unit=p.target, target=p.unit, arm=weapon - v.weapon, penalty=penalty)
    if back.melee:
        face_enemy(s, back)
    resolve(s, c.ANSWER, dice, log)


def attack(s: State, i: int, weapon: int, e: int, point_blank: int, dice: Dice, log: Log) -> None:
    """Unit i attacks e with a weapon from where it stands. Ledger 6.4."""
    u = s.units[i]
    v = s.units[e]
    p = s.clashes[c.MAIN]
    u.attacked |= 1 << e
    face_off(s, c.MAIN, i, weapon, e, u.x, u.y, 0, point_blank)
    if p.melee:
        face_enemy(s, p)
    choose_bonus(s, p, choose_attack_bonus(s, p))
    note(
        log,
        "attack-declared",
        unit=i,
        target=e,
        arm=weapon - u.weapon,
        bonus=p.bonus,
        blindside=p.blindside,
        lock=p.lock,
    )
    spend_power(s, p, log)
    reply, with_ = choose_defence_bonus(s, p)
    choose_reply(p, reply)
    if reply:
        note(log, "defence-declared", unit=e, target=i, reply=reply)
    if reply == c.COUNTER and p.bonus == c.POWER_BONUS:
        answer(s, with_, s.battle.counter_penalty, dice, log)
        if u.status != c.STANDS or is_shut_down(u):
            note(log, "attack-lost", unit=i, target=e)
            return
    resolve(s, c.MAIN, dice, log)
    if reply == c.COUNTER and p.bonus != c.POWER_BONUS:
        intuition = p.flash == 1 and v.elite == 1 and v.level == 2
        answer(s, with_, 0 if intuition else s.battle.counter_penalty, dice, log)


# --- one turn ---------------------------------------------------------------------------------------------------------


def break_off(s: State, i: int, log: Log) -> int:
    """Unit i leaves its melee if it wants to and can; how many Move Actions that takes. Ledger 6.7 step 4."""
    first = first_engaged(s, i)
    found, x, y = way_out(s, i)
    if found == 0 or not disengage(s, i, log):
        return 0
    move(s, i, x, y, s.units[first].x, s.units[first].y, log)
    return 1


def approach(s: State, i: int, log: Log) -> None:
    """The Move Actions of the plan of unit i. Ledger 6.7 step 7."""
    p = s.plans[0]
    u = s.units[i]
    v = s.units[p.target]
    to_x, to_y = way(u.x, u.y, v.x, v.y)
    left = p.way
    for _ in range(p.moves):
        length = min(left, u.move)
        left -= length
        move(s, i, u.x + to_x * length, u.y + to_y * length, v.x, v.y, log)


def can_go_on(s: State, i: int) -> bool:
    """True while unit i is on the table and not shut down."""
    return s.units[i].status == c.STANDS and not is_shut_down(s.units[i])


def spend(s: State, i: int, weapon: int, e: int, actions: int, point_blank: int, dice: Dice, log: Log) -> int:
    """One attack of unit i for its price; how many Actions it has left. ST-111, ST-306, ST-D62."""
    w = s.weapons[weapon]
    penalties = s.units[i].penalties
    left = actions - attack_price(w)
    w.used = 1
    attack(s, i, weapon, e, point_blank, dice, log)
    return left - (s.units[i].penalties - penalties)


def press_on(s: State, i: int, actions: int, dice: Dice, log: Log) -> int:
    """More attacks from where unit i stands, as long as it has Actions or buys some; how many it has left. Ledger 6.7 step 7."""
    while can_go_on(s, i):
        if actions < 1 and may_zeal(s.units[i]):
            bought = zeal_here(s, i)
            if bought:
                zeal(s, i, bought, log)
                actions += bought
        if actions < 1:
            break
        weapon, e = best_here(s, i, actions)
        if weapon == c.NOBODY:
            break
        actions = spend(s, i, weapon, e, actions, 0, dice, log)
    return actions


def wander(s: State, i: int, moves: int, attacked: int, log: Log) -> None:
    """The Move Actions that are left. Ledger 6.7 step 8."""
    u = s.units[i]
    for at in range(moves):
        near = nearest_enemy(s, i, u.x, u.y)
        x = u.x
        y = u.y
        if u.locked == 0:
            goes, to_x, to_y = goal(s, i, attacked, moves - at)
            if goes:
                x, y = step_towards(s, i, to_x, to_y)
        face_x = x + u.face_x
        face_y = y + u.face_y
        if near >= 0:
            face_x = s.units[near].x
            face_y = s.units[near].y
        move(s, i, x, y, face_x, face_y, log)


def act(s: State, i: int, dice: Dice, log: Log) -> None:
    """What unit i does in its turn. Ledger 6.7 steps 3 to 8."""
    u = s.units[i]
    own = s.sides[u.side]
    p = s.plans[0]
    moves = c.MOVE_ACTIONS
    actions = 1 - u.penalties
    must = must_answer(s, i)
    if wants_out(s, i, must):
        moves -= break_off(s, i, log)
    p.target = c.NOBODY
    if actions >= 1 or own.momentum >= 1 - actions:
        plan(s, i, must, moves, 0)
        if not has_plan(p) and u.locked == 0 and u.boost > 0 and actions >= 1:
            plan(s, i, must, moves + 1, 0)
            if has_plan(p):
                boost_accelerate(s, i, log)
                moves += 1
    if has_plan(p) and actions < 1:
        need = 1 - actions
        if may_zeal(u) and own.momentum >= need and p.value >= own.attack_price * need - c.SAME:
            zeal(s, i, need, log)
            actions += need
        else:
            p.target = c.NOBODY
    attacked = 0
    if has_plan(p):
        approach(s, i, log)
        moves -= p.moves
        point_blank = 1 if u.locked and s.weapons[p.weapon].melee == 0 else 0
        if point_blank:
            lose(s, u.side, POINT_BLANK_PRICE)
            note(log, "point-blank-paid", unit=i, side=u.side, pool=own.momentum)
        attacked = 1
        actions = spend(s, i, p.weapon, p.target, actions, point_blank, dice, log)
        actions = press_on(s, i, actions, dice, log)
    if can_go_on(s, i):
        if attacked == 0 and actions >= 1 and u.locked == 0:
            accelerate(s, i, log)
            moves += 1
        wander(s, i, moves, attacked, log)


def activate(s: State, i: int, dice: Dice, log: Log) -> None:
    """One activation. ST-041, ST-043, ST-049, ST-308, ST-363, ledger 6.7."""
    u = s.units[i]
    begin_turn(s, i, log)
    capture(s, i, log)
    if is_shut_down(u):
        note(log, "turn-skipped", unit=i)
    else:
        act(s, i, dice, log)
    if u.status == c.STANDS:
        recover(s, i, dice, log)
        capture(s, i, log)
    u.activated = 1


def take_turn(s: State, dice: Dice, log: Log) -> None:
    """The side whose turn it is activates a unit, or passes. ST-041, ST-045, ledger 6.3."""
    b = s.battle
    side = b.to_act
    b.to_act = 1 - side
    if not has_to_activate(s, side):
        b.aggressor = c.NOBODY
        return
    obliged = has_obliged(s, side)
    if not obliged:
        b.aggressor = c.NOBODY
    i = pick(s, side, obliged)
    activate(s, i, dice, log)
    b.aggressor = i


def fight(s: State, dice: Dice, log: Log) -> None:
    """A whole battle. Ledger 6.2, 6.3, 6.8."""
    b = s.battle
    set_up(s, log)
    while b.over == 0 and b.round < b.rounds:
        begin_round(s, dice, log)
        while b.over == 0 and (has_to_activate(s, c.SIDE_A) or has_to_activate(s, c.SIDE_B)):
            take_turn(s, dice, log)
            check_wiped_out(s, log)
        if b.over == 0:
            score_points(s, log)
            note(log, "round-ended", number=b.round)
    if b.over == 0:
        end_battle(s, c.LAST_ROUND, log)
