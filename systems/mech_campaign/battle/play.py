"""The order of play: turns, action points, and whole battles played by the AI. MC-030 to MC-034, MC-065, MC-122.

Only this module calls the AI, so this is where a player's choices replace the AI's.
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.ai import choose_runners, end_ordered_moves, spend_points
from systems.mech_campaign.battle.rules import count_active_units, count_units_on_table, end_of_units, first_unit
from systems.mech_campaign.battle.rules.movement import leave_table
from systems.mech_campaign.battle.rules.scenarios import call_time, end_battle, score_beacons, set_up
from systems.mech_campaign.battle.rules.shooting import clear_markers
from systems.mech_campaign.battle.state import State


def begin_player_turn(s: State, side: int, dice: Dice, log: Log) -> None:
    """Reset the previous turn's counts and roll action points: active units plus a die. MC-032 to MC-034."""
    b = s.battle
    b.side = side
    b.active = c.NOBODY
    for i in range(first_unit(b, side), end_of_units(b, side)):
        u = s.units[i]
        u.done = 0
        u.runner = c.NOBODY
        u.actions = 0
        u.moves = 0
        u.moves_over = 0
        u.shots = 0
        u.repairs = 0
        u.special_actions = 0
    active = count_active_units(s, side)
    face = roll(dice, 6)
    b.points = active + face
    note(log, "points-rolled", side=side, face1=face, active=active, points=b.points)


def end_player_turn(s: State, side: int, log: Log) -> None:
    """Remove idle drones and markers; a side without units on the table has lost. MC-032, MC-057, MC-065, MC-085."""
    leave_table(s, side, log)
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        clear_markers(s, i)
    note(log, "player-turn-ended", side=side, left_over=s.battle.points)
    s.battle.points = 0
    if count_units_on_table(s, side) == 0:
        end_battle(s, 1 - side, c.LEFT_FIELD)


def player_turn(s: State, side: int, dice: Dice, log: Log) -> None:
    """Play one side's player turn. MC-032, ledger 6.6."""
    begin_player_turn(s, side, dice, log)
    choose_runners(s, side)
    spend_points(s, side, dice, log)
    if s.battle.over == 0:
        end_player_turn(s, side, log)


def begin(s: State, dice: Dice, log: Log) -> None:
    """Do everything before the first turn, starting with the terrain dice. MC-030, ledger 6.9."""
    set_up(s, dice, log)


def go_on(s: State, dice: Dice, log: Log) -> bool:
    """Play the next game turn; return False once the battle has ended. MC-030, MC-122, ledger 6.9."""
    b = s.battle
    b.turn += 1
    note(log, "turn-began", number=b.turn)
    end_ordered_moves(s)
    player_turn(s, b.first, dice, log)
    if b.over == 0:
        player_turn(s, 1 - b.first, dice, log)
    if b.over == 0 and b.scenario == c.SURVEY_BEACONS:
        score_beacons(s, log)
    if b.over == 0:
        if b.turn < b.turn_limit:
            return True
        call_time(s)
    note(log, "battle-ended", winner=b.winner, reason=b.reason, turns=b.turn, decided_by=b.decided_by)
    return False
