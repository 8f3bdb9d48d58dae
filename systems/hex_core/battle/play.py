"""Turns, Rounds and whole battles. Ledger HX-A10 to HX-A13, HX-A35 to HX-A52."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.hex_core.battle import state as c
from systems.hex_core.battle.ai import (
    change_form,
    choose_unit,
    climb,
    deployment_hex,
    draw_weapon,
    end_ordered_moves,
    fetch_object,
    land,
    leave_prone,
    mark_of,
    objective_hex,
    send_drones,
    starts_aloft,
)
from systems.hex_core.battle.ai_combat import (
    can_go_on,
    grapple,
    has_drones,
    shoot_drones,
    take_aim,
    take_stance,
    use_clever_drones,
    use_weapons,
)
from systems.hex_core.battle.ai_moves import move
from systems.hex_core.battle.rules import end_of_units, first_unit
from systems.hex_core.battle.rules.commands import get_up
from systems.hex_core.battle.rules.grapples import break_grapple, break_refusal
from systems.hex_core.battle.rules.movement import begin_movement, begin_turn, roll_hazards, roll_pool, standing_refusal
from systems.hex_core.battle.rules.rounds import (
    begin_round,
    decide_at_cap,
    dispute,
    end_round,
    end_turn,
    has_to_act,
    mark_unit,
    place_objective,
    roll_off,
)
from systems.hex_core.battle.state import State

FOR_OBJECTIVE, FOR_FIRST = 0, 1


def deploy(s: State, i: int, log: Log) -> None:
    """Set up a Unit. HX-059, HX-A33."""
    u = s.units[i]
    at = deployment_hex(s, i)
    u.level = s.hexes[at].level
    if starts_aloft(s, i):
        u.level = max(1, u.level + 1)
    u.at = at
    u.facing = 0 if u.side == c.SIDE_A else 3
    note(log, "unit-deployed", unit=i, at=at, facing=u.facing, level=u.level)


def set_up(s: State, dice: Dice, log: Log) -> None:
    """Place Objectives and marks, decide which side goes first, deploy in turns.

    HX-058 to HX-060, HX-165, HX-166, HX-169, HX-A10.
    """
    b = s.battle
    if b.mission == c.RETRIEVAL or b.mission == c.DOMINATION:
        for _ in range(c.OBJECTS - b.objects):  # a custom map may already have them placed
            side = roll_off(s, dice, log, FOR_OBJECTIVE)
            place_objective(s, objective_hex(s, side), side, log)
    if b.mission == c.ASSASSINATION:
        for side in range(2):
            mark_unit(s, mark_of(s, side), log)
    b.first = roll_off(s, dice, log, FOR_FIRST)
    for at in range(max(b.count_a, b.count_b)):
        for turn in range(2):
            side = b.first if turn == 0 else 1 - b.first
            i = first_unit(b, side) + at
            if i < end_of_units(b, side):
                deploy(s, i, log)


def break_free(s: State, i: int, dice: Dice, log: Log) -> None:
    """Let a held Unit try to break free as often as it can; failure ends its turn. HX-101, HX-A36."""
    u = s.units[i]
    while break_refusal(s, i) == 0:
        break_grapple(s, i, dice, log)
    if u.held_by >= 0:
        u.done = 1


def movement_phase(s: State, i: int, dice: Dice, log: Log) -> None:
    """Play a Unit's Movement Phase. HX-062, HX-A37 to HX-A42."""
    u = s.units[i]
    if u.down and u.pool >= c.COMMAND:
        get_up(s, i, log)
    leave_prone(s, i, log)
    draw_weapon(s, i, log)
    change_form(s, i, log)
    begin_movement(s, i)
    if standing_refusal(s, i) == 0:
        climb(s, i, dice, log)
        if can_go_on(s, i) and u.fell == 0:
            move(s, i, dice, log)
            land(s, i, dice, log)
    if can_go_on(s, i):
        roll_hazards(s, i, dice, log)


def combat_phases(s: State, i: int, dice: Dice, log: Log) -> None:
    """Play the Ranged Combat Phase, then the Close Combat Phase. HX-062, HX-A43 to HX-A49."""
    u = s.units[i]
    enemy = 1 - u.side
    if s.battle.mission == c.RETRIEVAL:
        fetch_object(s, i, log)
    send_drones(s, i, log)
    if u.thrust:
        return
    take_aim(s, i, log)
    use_clever_drones(s, i, 0, dice, log)
    use_weapons(s, i, 0, dice, log)
    if has_drones(s, enemy):
        shoot_drones(s, i, 0, dice, log)
    if not can_go_on(s, i):
        return
    if u.holds < 0:
        grapple(s, i, dice, log)
    use_clever_drones(s, i, 1, dice, log)
    use_weapons(s, i, 1, dice, log)
    if has_drones(s, enemy):
        shoot_drones(s, i, 1, dice, log)


def play_turn(s: State, i: int, dice: Dice, log: Log) -> None:
    """Play one of a Unit's turns. HX-032, HX-061, HX-062, HX-A35 to HX-A51."""
    begin_turn(s, i, log)
    dispute(s, i, dice, log)
    if can_go_on(s, i):
        roll_pool(s, i, roll(dice, c.D8), log)
        break_free(s, i, dice, log)
    if can_go_on(s, i):
        movement_phase(s, i, dice, log)
    if can_go_on(s, i):
        combat_phases(s, i, dice, log)
    if can_go_on(s, i):
        take_stance(s, i, log)
    end_turn(s, i, log)


def play_round(s: State, dice: Dice, log: Log) -> None:
    """Play a Round, in which sides take turns until all Units have acted. HX-032 to HX-034, HX-A11."""
    b = s.battle
    begin_round(s, log)
    end_ordered_moves(s)
    side = b.first
    while b.over == 0 and (has_to_act(s, c.SIDE_A) or has_to_act(s, c.SIDE_B)):
        if has_to_act(s, side):
            i = choose_unit(s, side)
            if b.over == 0:  # nobody has surrendered
                play_turn(s, i, dice, log)
        side = 1 - side
    if b.over == 0:
        end_round(s, log)


def begin(s: State, dice: Dice, log: Log) -> None:
    """Play everything before the first Round. HX-060."""
    set_up(s, dice, log)


def go_on(s: State, dice: Dice, log: Log) -> bool:
    """Play the next Round; return False once the battle has ended. HX-035, HX-060, HX-A13, HX-A14."""
    b = s.battle
    play_round(s, dice, log)
    if b.over == 0 and b.round < b.most_rounds:
        return True
    decide_at_cap(s)
    note(
        log,
        "battle-ended",
        winner=b.winner,
        reason=b.reason,
        rounds=b.round,
        points_a=s.sides[c.SIDE_A].points,
        points_b=s.sides[c.SIDE_B].points,
        secured_a=s.sides[c.SIDE_A].secured,
        secured_b=s.sides[c.SIDE_B].secured,
    )
    return False
