"""Turns, Rounds and whole battles: Actions and Move Actions, and the reactions of ships. Ledger 6.7, 6.9."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.ai_advanced import (
    consider_boarding,
    consider_challenge,
    launch_all,
    overwatch_weapon,
    remote_target,
    ship_length,
    turn_of_enemy,
)
from systems.mechastellar.battle.ai_plan import POINT_BLANK_PRICE, has_plan
from systems.mechastellar.battle.ai_turn import (
    best_here,
    choose_mode,
    column_of,
    end_ordered_moves,
    first_engaged,
    first_place,
    goal,
    must_answer,
    pick,
    place_by_turns,
    plan_all,
    step_towards,
    value_here,
    wants_out,
    way_out,
    zeal_here,
)
from systems.mechastellar.battle.play_attack import attack, attack_area, attack_several, bury, crash
from systems.mechastellar.battle.rules import (
    are_engaged,
    count_units,
    end_of_units,
    first_unit,
    is_shut_down,
    nearest_enemy,
)
from systems.mechastellar.battle.rules.damage import recover
from systems.mechastellar.battle.rules.movement import accelerate, disengage, drop, move, scrape
from systems.mechastellar.battle.rules.resources import boost_accelerate, capture, end_battle, lose, score_points
from systems.mechastellar.battle.rules.rounds import (
    begin_round,
    begin_turn,
    check_wiped_out,
    come_in,
    deploy,
    fill_momentum,
    has_obliged,
    has_ready,
    has_to_activate,
    highest_hp,
    hold_back,
    larger_side,
    name_commander,
    roll_who_deploys,
)
from systems.mechastellar.battle.rules.skills import may_zeal, zeal
from systems.mechastellar.battle.rules.special import is_area
from systems.mechastellar.battle.rules.targets import attack_price, remote_price
from systems.mechastellar.battle.rules.warships import order, orders_left, reload, reload_all, repair, sail
from systems.mechastellar.battle.state import State
from systems.spaces.inches import way

OPERATIONS_WORTH = 0.5


def can_go_on(s: State, i: int) -> bool:
    """Return True as long as unit i is on the table and not shut down."""
    return s.units[i].status == c.STANDS and not is_shut_down(s.units[i])


def watch(s: State, i: int, dice: Dice, log: Log) -> None:
    """Let ships react to the Move Action that unit i just made. ST-204, ledger 6.9."""
    side = 1 - s.units[i].side
    for ship in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        u = s.units[ship]
        if u.kind == c.WARSHIP and u.status == c.STANDS and s.units[i].status == c.STANDS:
            weapon = overwatch_weapon(s, ship, i)
            if weapon >= 0:
                u.fired = 1
                attacked = u.attacked
                attack(s, ship, weapon, i, 0, c.OVERWATCH, dice, log)
                u.attacked = attacked


def go(s: State, i: int, x: float, y: float, face_x: float, face_y: float, dice: Dice, log: Log) -> None:
    """Make one of unit i's Move Actions, with reactions to it. ST-060, ST-084, ST-204."""
    u = s.units[i]
    if s.battle.advanced and u.high and (u.x != x or u.y != y):
        drop(s, i, log)
    move(s, i, x, y, face_x, face_y, log)
    if s.battle.advanced:
        watch(s, i, dice, log)


def spend(
    s: State, i: int, weapon: int, e: int, actions: int, point_blank: int, manner: int, dice: Dice, log: Log
) -> int:
    """Make one of unit i's attacks and pay for it; return its remaining Actions. ST-111, ST-306, ST-D62."""
    w = s.weapons[weapon]
    penalties = s.units[i].penalties
    left = actions - (1 if manner == c.CRASH else attack_price(w))
    w.used = 1
    if manner == c.CRASH:
        crash(s, i, e, dice, log)
    elif is_area(w):
        attack_area(s, i, weapon, e, dice, log)
    elif s.battle.advanced and w.targets > 1 and point_blank == 0 and manner == c.PLAIN:
        attack_several(s, i, weapon, e, dice, log)
    else:
        attack(s, i, weapon, e, point_blank, manner, dice, log)
    return left - (s.units[i].penalties - penalties)


def press_on(s: State, i: int, actions: int, dice: Dice, log: Log) -> int:
    """Attack without moving while unit i has or buys Actions; return its remaining Actions. Ledger 6.7 step 7."""
    while can_go_on(s, i):
        if actions < 1 and may_zeal(s.units[i]):
            bought = zeal_here(s, i, actions)
            if bought:
                zeal(s, i, bought, log)
                actions += bought
        if actions < 1:
            break
        weapon, e = best_here(s, i, actions)
        if weapon == c.NOBODY:
            break
        actions = spend(s, i, weapon, e, actions, 0, c.PLAIN, dice, log)
    return actions


def send_remotes(s: State, i: int, dice: Dice, log: Log) -> int:
    """Send remote weapons once all Actions are spent; return 1 if any were sent. ST-330, ledger 6.9."""
    u = s.units[i]
    sent = 0
    for weapon in range(u.weapon, u.weapon + u.weapons):
        if s.weapons[weapon].remote and can_go_on(s, i):
            e = remote_target(s, i, weapon)
            if e >= 0:
                lose(s, u.side, remote_price(s.weapons[weapon]))
                s.weapons[weapon].remoted = 1
                sent = 1
                note(log, "remote-paid", unit=i, arm=weapon - u.weapon, side=u.side, pool=s.sides[u.side].momentum)
                attack(s, i, weapon, e, 0, c.REMOTE, dice, log)
    return sent


def act_ship(s: State, i: int, dice: Dice, log: Log) -> None:
    """Play a Warship's turn. ST-044, ST-062, ST-205, ST-282, ST-352, ledger 6.9."""
    u = s.units[i]
    for _ in range(c.MOVE_ACTIONS):
        if u.status == c.STANDS:
            near = nearest_enemy(s, i, u.x, u.y)
            to_x, to_y = turn_of_enemy(s, i, near)
            sail(s, i, to_x, to_y, near, ship_length(s, i, near), log)
            scrape(s, i, dice, log)
            bury(s, i, c.NOBODY, dice, log)
            if u.status == c.STANDS:
                watch(s, i, dice, log)
    actions = press_on(s, i, 1 - u.penalties, dice, log)
    while can_go_on(s, i) and actions < 1 and orders_left(u, c.OPERATIONS_SUPPORT) > 0:
        weapon, e, value = best_with_one(s, i)
        if weapon == c.NOBODY or value < OPERATIONS_WORTH:
            break
        order(s, i, c.OPERATIONS_SUPPORT, i, log)
        actions = spend(s, i, weapon, e, actions + 1, 0, c.PLAIN, dice, log)
    if can_go_on(s, i) and actions >= 1:
        for weapon in range(u.weapon, u.weapon + u.weapons):
            if actions >= 1 and s.weapons[weapon].reloading and s.weapons[weapon].gone == 0:
                reload(s, i, weapon, log)
                actions -= 1
        press_on(s, i, actions, dice, log)


def best_with_one(s: State, i: int) -> tuple[int, int, float]:
    """Return the attack that unit i would make with one more Action: weapon, target and value."""
    weapon, e = best_here(s, i, 1)
    if weapon == c.NOBODY:
        return weapon, e, 0.0
    return weapon, e, value_here(s, i, weapon, e)


def deploy_sides(s: State, log: Log) -> None:
    """Place both sides' units, the side with more models first. ST-022, ST-023, ledger 6.2."""
    first = c.SIDE_B if larger_side(s) == c.SIDE_B else c.SIDE_A
    for turn in range(2):
        side = first if turn == 0 else 1 - first
        for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
            if s.units[i].status == c.STANDS:
                x, y = first_place(s, i)
                deploy(s, i, x, y, log)


def deploy_by_turns(s: State, dice: Dice, log: Log) -> None:
    """Place units in turns, one each; a unit that has no place waits in reserve. ST-024 to ST-026."""
    side = larger_side(s)
    if side == c.NOBODY:
        side = roll_who_deploys(s, dice, log)
    for i in range(count_units(s)):
        if s.units[i].status == c.STANDS:
            s.units[i].status = c.UNPLACED
    for _ in range(2 * count_units(s)):
        for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
            if s.units[i].status == c.UNPLACED:
                found, x, y = place_by_turns(s, i)
                if found:
                    deploy(s, i, x, y, log)
                else:
                    hold_back(s, i, log)
                break
        side = 1 - side


def set_up(s: State, dice: Dice, log: Log) -> None:
    """Deploy, name Commanders and set Momentum. ST-020 to ST-029, ST-240, ST-D73."""
    if s.battle.alternate:
        deploy_by_turns(s, dice, log)
    else:
        deploy_sides(s, log)
    for side in range(2):
        name_commander(s, side, highest_hp(s, side), log)
        fill_momentum(s, side, log)


def break_off(s: State, i: int, dice: Dice, log: Log) -> int:
    """Let unit i leave its melee if it wants to and can; return the used Move Actions. Ledger 6.7 step 4."""
    first = first_engaged(s, i)
    found, x, y = way_out(s, i)
    if found == 0 or not disengage(s, i, log):
        return 0
    go(s, i, x, y, s.units[first].x, s.units[first].y, dice, log)
    return 1


def approach(s: State, i: int, dice: Dice, log: Log) -> None:
    """Make the Move Actions of unit i's plan. Ledger 6.7 step 7."""
    p = s.plans[0]
    u = s.units[i]
    v = s.units[p.target]
    to_x, to_y = way(u.x, u.y, v.x, v.y)
    left = p.way
    for _ in range(p.moves):
        length = min(left, u.move)
        left -= length
        if can_go_on(s, i):
            go(s, i, u.x + to_x * length, u.y + to_y * length, v.x, v.y, dice, log)


def wander(s: State, i: int, moves: int, attacked: int, dice: Dice, log: Log) -> None:
    """Make the remaining Move Actions. Ledger 6.7 step 8."""
    u = s.units[i]
    for at in range(moves):
        if not can_go_on(s, i):
            return
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
        go(s, i, x, y, face_x, face_y, dice, log)


def buy_actions(s: State, i: int, actions: int, log: Log) -> int:
    """Buy Actions for a unit that has a plan but none left, or drop the plan; return its Actions. Ledger 6.7 step 6."""
    p = s.plans[0]
    u = s.units[i]
    own = s.sides[u.side]
    need = 1 - actions
    if may_zeal(u) and own.momentum >= need and p.value >= own.attack_price * need - c.SAME:
        zeal(s, i, need, log)
        return actions + need
    p.target = c.NOBODY
    return actions


def make_plan(s: State, i: int, must: int, moves: int, actions: int, log: Log) -> int:
    """Make unit i's plan, possibly using a Boost; return its Move Actions. Ledger 6.7 step 5."""
    p = s.plans[0]
    u = s.units[i]
    p.target = c.NOBODY
    if actions >= 1 or s.sides[u.side].momentum >= 1 - actions:
        plan_all(s, i, must, moves, 0)
        if not has_plan(p) and u.locked == 0 and u.boost > 0 and actions >= 1:
            plan_all(s, i, must, moves + 1, 0)
            if has_plan(p):
                boost_accelerate(s, i, log)
                return moves + 1
    return moves


def is_reached(s: State, i: int) -> bool:
    """Return True if unit i can make its planned attack from here; reactions to its moves may have stopped it short."""
    p = s.plans[0]
    if not can_go_on(s, i) or s.units[p.target].status != c.STANDS:
        return False
    if s.battle.advanced == 0 or p.manner == c.CRASH or s.weapons[p.weapon].melee == 0:
        return True
    return are_engaged(s.units[i], s.units[p.target])


def carry_out(s: State, i: int, moves: int, actions: int, dice: Dice, log: Log) -> tuple[int, int]:
    """Carry out unit i's plan; return its remaining Move Actions and Actions. Ledger 6.7 step 7."""
    p = s.plans[0]
    u = s.units[i]
    if s.battle.advanced:
        consider_challenge(s, i, p.target, log)
    approach(s, i, dice, log)
    left = moves - p.moves
    if not is_reached(s, i):
        return left, actions
    point_blank = 0
    if u.locked and p.manner == c.PLAIN and s.weapons[p.weapon].melee == 0:
        point_blank = 1
        lose(s, u.side, POINT_BLANK_PRICE)
        note(log, "point-blank-paid", unit=i, side=u.side, pool=s.sides[u.side].momentum)
    actions = spend(s, i, p.weapon, p.target, actions, point_blank, p.manner, dice, log)
    return left, press_on(s, i, actions, dice, log)


def act(s: State, i: int, dice: Dice, log: Log) -> None:
    """Play unit i's turn. Ledger 6.7 steps 3 to 8."""
    u = s.units[i]
    moves = c.MOVE_ACTIONS
    actions = 1 - u.penalties
    must = must_answer(s, i)
    if s.battle.advanced and u.transforms:
        choose_mode(s, i, must, log)
    if wants_out(s, i, must):
        moves -= break_off(s, i, dice, log)
    if not can_go_on(s, i):
        return
    moves = make_plan(s, i, must, moves, actions, log)
    if has_plan(s.plans[0]) and actions < 1:
        actions = buy_actions(s, i, actions, log)
    attacked = 0
    if has_plan(s.plans[0]):
        attacked = 1
        moves, actions = carry_out(s, i, moves, actions, dice, log)
    if s.battle.advanced and can_go_on(s, i):
        attacked = max(attacked, send_remotes(s, i, dice, log))
    if can_go_on(s, i):
        if attacked == 0 and actions >= 1 and u.locked == 0:
            accelerate(s, i, log)
            moves += 1
        wander(s, i, moves, attacked, dice, log)


def activate(s: State, i: int, dice: Dice, log: Log) -> None:
    """Play one activation. ST-041, ST-043, ST-049, ST-308, ST-363, ledger 6.7."""
    u = s.units[i]
    begin_turn(s, i, log)
    capture(s, i, log)
    if is_shut_down(u):
        note(log, "turn-skipped", unit=i)
    elif u.kind == c.WARSHIP:
        act_ship(s, i, dice, log)
    else:
        act(s, i, dice, log)
    if u.status == c.STANDS:
        recover(s, i, dice, log)
        capture(s, i, log)
        if s.battle.advanced:
            consider_boarding(s, i, log)
    u.more = 0
    u.activated = 1


def take_turn(s: State, dice: Dice, log: Log) -> None:
    """Let the active side activate a unit, or pass. ST-041, ST-045, ledger 6.3."""
    b = s.battle
    side = b.to_act
    b.to_act = 1 - side
    if not has_ready(s, side):
        b.aggressor = c.NOBODY
        return
    obliged = has_obliged(s, side)
    if not obliged:
        b.aggressor = c.NOBODY
    i = pick(s, side, obliged)
    activate(s, i, dice, log)
    b.aggressor = i


def call_in(s: State, log: Log) -> None:
    """Bring in reserves at the end of a Round. ST-026."""
    for i in range(count_units(s)):
        if s.units[i].status == c.RESERVE:
            come_in(s, i, column_of(s, i), log)


def begin(s: State, dice: Dice, log: Log) -> None:
    """Play everything before the first Round. Ledger 6.2."""
    set_up(s, dice, log)


def go_on(s: State, dice: Dice, log: Log) -> bool:
    """Play the next Round; return False once the battle has ended. Ledger 6.3, 6.8."""
    b = s.battle
    begin_round(s, dice, log)
    end_ordered_moves(s)
    if b.advanced:
        launch_all(s, log)
    while b.over == 0 and (has_to_activate(s, c.SIDE_A) or has_to_activate(s, c.SIDE_B)):
        take_turn(s, dice, log)
        check_wiped_out(s, log)
    if b.over == 0:
        score_points(s, log)
        if b.advanced:
            repair(s, log)
            reload_all(s)
            call_in(s, log)
        note(log, "round-ended", number=b.round)
    if b.over == 0:
        if b.round < b.rounds:
            return True
        end_battle(s, c.LAST_ROUND, log)
    return False
