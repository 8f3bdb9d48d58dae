"""Turns, rounds and whole battles. BS-020 to BS-035, BS-185 to BS-187, ledger 6.5."""

from __future__ import annotations

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.ai import (
    advance,
    choose_warmech,
    cool_with_rods,
    end_ordered_moves,
    give_order,
    make_way,
    place_in_line,
    weapon_to_lose,
)
from systems.blazing_steel.battle.rules import count_units, end_of_units, first_unit, has_eligible
from systems.blazing_steel.battle.rules.actions import clear_orders
from systems.blazing_steel.battle.rules.engagements import (
    attacks,
    bury,
    cripple,
    engage,
    hurt,
    next_cripple,
    roll_damage,
)
from systems.blazing_steel.battle.rules.rounds import (
    begin_action,
    begin_step,
    check_annihilation,
    end_battle,
    end_round,
    end_step,
    log_place,
    make_charges,
    points_share,
    put_at_edge,
    roll_first,
    roll_heat,
    rolls_heat,
)
from systems.blazing_steel.battle.state import State
from systems.engine.dice import Dice, Log, note

DEPLOYMENT_MOVES = 2


def begin(s: State, dice: Dice, log: Log) -> None:
    """Decide who leads, and deploy both sides, which take turns to place and then to move. BS-028, BS-185, BS-186."""
    b = s.battle
    roll_first(s, dice, log)
    for at in range(max(b.count_a, b.count_b)):
        for turn in range(2):
            side = b.lead if turn == 0 else 1 - b.lead
            i = first_unit(b, side) + at
            if i < end_of_units(b, side):
                if s.units[i].placed:
                    log_place(s, i, log)
                else:
                    put_at_edge(s, i, place_in_line(s, i), log)
    for at in range(max(b.count_a, b.count_b)):
        for turn in range(2):
            side = b.lead if turn == 0 else 1 - b.lead
            i = first_unit(b, side) + at
            if i < end_of_units(b, side) and s.units[i].placed == 0:
                for _ in range(min(DEPLOYMENT_MOVES, s.sides[side].deploy_moves)):
                    begin_step(s)
                    advance(s, i, log)


def suffer(s: State, k: int, log: Log) -> None:
    """Apply order k's damage and crippling results, with their owner's choices. BS-152 to BS-160."""
    hurt(s, k, log)
    result = next_cripple(s, k)
    while result:
        cripple(s, k, result, 1, weapon_to_lose(s, s.orders[k].target, result), log)
        result = next_cripple(s, k)
    bury(s, k, log)


def open_step(s: State, log: Log) -> None:
    """Apply those effects of both declared actions that come before any movement but charges. BS-AR31."""
    begin_step(s)
    for k in range(2):
        begin_action(s, k, log)
    make_charges(s, log)


def close_step(s: State, dice: Dice, log: Log) -> None:
    """Apply those effects of both declared actions that come after all movement. BS-033, BS-AR30, BS-AR31."""
    engage(s, dice, log)
    for k in range(2):
        if attacks(s.orders[k]):
            roll_damage(s, k, dice, log)
    for k in range(2):
        if attacks(s.orders[k]):
            suffer(s, k, log)
    end_step(s, log)


def resolve_step(s: State, dice: Dice, log: Log) -> None:
    """Resolve both declared actions at once; the AI chooses where movements end. BS-033, BS-034."""
    open_step(s, log)
    first = c.FOLLOW if s.battle.follow_moves_first else c.LEAD
    make_way(s, first, log)
    make_way(s, 1 - first, log)
    close_step(s, dice, log)


def add_heat(s: State, k: int, dice: Dice, log: Log) -> None:
    """Roll heat for order k's active Warmech. BS-100, BS-174, BS-AR33."""
    if rolls_heat(s, k):
        i = s.orders[k].unit
        cool_with_rods(s, i, log)
        if s.units[i].heat_made:
            roll_heat(s, i, dice, log)


def begin_turn(s: State, log: Log) -> None:
    """Decide who leads; if the enemy has nobody to activate, a side acts alone. BS-027, BS-029."""
    b = s.battle
    b.turns += 1
    b.alone = 0
    if not has_eligible(s, b.lead):
        b.lead = 1 - b.lead
        b.alone = 1
    elif not has_eligible(s, 1 - b.lead):
        b.alone = 1
    for k in range(2):
        s.orders[k].unit = c.NOBODY
    note(log, "turn-began", turn=b.turns, side=b.lead, alone=b.alone)


def play_turn(s: State, dice: Dice, log: Log) -> None:
    """Play one turn, in the eight steps of ledger 2.1. BS-022 to BS-029, BS-035."""
    b = s.battle
    begin_turn(s, log)
    for slot in range(1, 3):
        b.slot = slot
        clear_orders(s)
        if slot == 1:
            choose_warmech(s, c.LEAD, b.lead, log)
        give_order(s, c.LEAD, log)
        if b.alone == 0:
            if slot == 1:
                choose_warmech(s, c.FOLLOW, 1 - b.lead, log)
            give_order(s, c.FOLLOW, log)
        resolve_step(s, dice, log)
    for k in range(2):
        add_heat(s, k, dice, log)
    for i in range(count_units(s)):
        s.units[i].smoke = 0
    b.lead = 1 - b.lead
    check_annihilation(s)


def go_on(s: State, dice: Dice, log: Log) -> bool:
    """Play the next round; return False once the battle has ended. BS-020, BS-030, BS-038, BS-187, BS-196, BS-197."""
    b = s.battle
    b.round += 1
    note(log, "round-began", number=b.round)
    end_ordered_moves(s)
    while b.over == 0 and (has_eligible(s, c.SIDE_A) or has_eligible(s, c.SIDE_B)):
        play_turn(s, dice, log)
    if b.over == 0:
        end_round(s, log)
    if b.over == 0:
        if b.round < b.round_limit:
            return True
        end_battle(s, c.LAST_ROUND)
    note(
        log,
        "battle-ended",
        winner=b.winner,
        reason=b.reason,
        rounds=b.round,
        turns=b.turns,
        points_a=points_share(s, c.SIDE_A),
        of_a=s.sides[c.SIDE_B].points,
        points_b=points_share(s, c.SIDE_B),
        of_b=s.sides[c.SIDE_A].points,
    )
    return False
