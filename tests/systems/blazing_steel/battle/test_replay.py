"""The drawn table of Blazing Steel: bases to scale, heat dice, the leader, attacks."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from battles.replay.boards import board_of
from battles.replay.table_drawing import PER_UNIT, RADIUS, dice_paths, draw_table
from systems.blazing_steel.battle.events import heat_dice
from systems.simulation.analysis import rounds_of
from systems.simulation.records import read_record
from tests.tools.replays import golden_replays

RECORDS = {path.stem: read_record(path.read_text(encoding="utf-8")) for path in golden_replays("blazing-steel")}


@pytest.fixture(params=RECORDS)
def board(request):
    record = RECORDS[request.param]
    found = board_of(record, rounds_of(record))
    assert found is not None
    return found


def test_bases_are_drawn_to_scale_at_their_place(board):
    frame = board.replay.frames[-1]
    for unit, chit in zip(frame.situation.units, draw_table(board.replay, frame).chits, strict=True):
        assert chit.scale == (round(unit.base / PER_UNIT / RADIUS, 3) if unit.stand else 1)
        if unit.stand:
            assert chit.at == (round(unit.stand.x / PER_UNIT, 1), round((4800 - unit.stand.y) / PER_UNIT, 1))


def test_counters_off_table_are_equal_and_do_not_overlap(board):
    drawing = draw_table(board.replay, board.replay.frames[0])
    places = [chit.at[0] for chit in drawing.chits if chit.at]
    assert len(places) == len(drawing.chits) > 1
    assert all(after - before > 2 * RADIUS for before, after in pairwise(sorted(places)))
    assert {chit.scale for chit in drawing.chits} == {1}


def test_map_is_drawn_from_the_start(board):
    first = draw_table(board.replay, board.replay.frames[0])
    assert all(disc.is_there for disc in first.discs)
    assert first.discs[0].piece.name == "Hill"
    assert board.summary(board.replay.frames[0]) == "The table before the forces set up."


def test_leader_is_shown_from_first_turn(board):
    points = [board.points(frame) for frame in board.replay.frames]
    assert points[0] == ""
    assert {"Red leads", "Blue leads"} >= set(points) - {""} != set()
    leading = [unit for frame in board.replay.frames for unit in frame.situation.units if "leads" in unit.marks]
    assert leading


def test_heat_dice_lie_beside_their_unit(board):
    for frame in board.replay.frames:
        for unit, chit in zip(frame.situation.units, draw_table(board.replay, frame).chits, strict=True):
            assert chit.dice.count("M") == len(unit.dice)
            assert chit.eyes.count("M") == sum(unit.dice)


@pytest.mark.rule("BS-102", "BS-105")
@pytest.mark.parametrize(
    ("weight", "dice"), [(0, ()), (1, (1,)), (20, (3, 5)), (63, (1, 2, 3, 4, 5, 6)), (64, (6, 6)), (73, (1, 4, 6, 6))]
)
def test_heat_weight_converts_to_dice(weight, dice):
    assert heat_dice(weight) == dice


def test_dice_are_drawn_with_their_pips():
    dice, eyes = dice_paths((1, 6))
    assert (dice.count("z"), eyes.count("h0")) == (2, 7)


def test_json_has_a_column_for_every_chit_value(board):
    data = json.loads(json.dumps(board.to_json()))
    assert all(len(row) == len(data["columns"]["chits"]) for row in data["chits"])


def test_list_beside_table_names_heat_and_states(board):
    for number, frame in enumerate(board.replay.frames, start=1):
        for view, row in zip(frame.situation.units, board.page(number, 0).units, strict=True):
            heat = " ".join(map(str, view.dice))
            states = row.states.split(", ")
            assert (f"heat {heat}" in states) is bool(heat)
            assert ("overheated" in states) is (view.is_overheated and not view.destroyed)
        assert frame.number == number


def test_crippled_and_lost_parts_are_named():
    record = RECORDS["every-house-rule"]
    last = rounds_of(record)[-1].units
    units = {unit.key: unit for unit in last}
    for unit in record.outcome["units"]:
        view = units[unit["key"]]
        assert len(view.lost_parts) == len(unit["weapons_lost"]) + unit["peripheral_lost"]
        assert all(view.lost_parts)
        cripples = [state for state in view.states if state.startswith("crippled: ")]
        assert len(cripples) == (0 if unit["lost"] else len(unit["cripples"]))
