"""The drawing of a battle on a measured table, and its description in words."""

from __future__ import annotations

import json
from dataclasses import replace
from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.replay.boards import board_of
from battles.replay.table_board import TableBoard, facing
from battles.replay.table_drawing import ROOM, draw_table, spread
from systems.simulation.analysis import rounds_of
from systems.simulation.records import resolve
from systems.spaces import Stand, on_table
from systems.text import round_half_up
from tests.systems.mech_campaign.battle.tables import setup

SCENARIOS = ("claim-dispute", "survey-beacons", "sabotage")


@pytest.fixture(params=SCENARIOS)
def board(request) -> TableBoard:
    return board_for(request.param)


def board_for(scenario: str, seed: int = 3) -> TableBoard:
    record = resolve(setup("picket", "rock-rats", scenario=scenario), seed)
    found = board_of(record, rounds_of(record))
    assert isinstance(found, TableBoard)
    return found


def test_every_unit_is_on_table_or_in_tray(board):
    for frame in board.replay.frames:
        drawing = draw_table(board.replay, frame)
        ground = drawing.ground
        for unit, chit, wreck in zip(frame.situation.units, drawing.chits, drawing.wrecks, strict=True):
            assert (chit.at is None) == unit.destroyed == (wreck.at is not None)
            place = chit.at or wreck.at
            assert place
            assert 0 <= place[0] <= ground.width
            if unit.stand or unit.destroyed:
                assert 0 <= place[1] <= ground.height
            else:
                assert place[1] > ground.tray
            assert chit.slots.count("M") == unit.max_hits
            assert chit.pips.count("M") == unit.hits
            assert ("is-suppressed" in chit.classes) == bool(unit.suppression)
            assert ("is-locked" in chit.classes) == (unit.locked_by is not None)


def test_counters_lie_where_units_stand(board):
    frame = board.replay.frames[1]  # after set-up, far apart
    drawing = draw_table(board.replay, frame)
    for unit, chit in zip(frame.situation.units, drawing.chits, strict=True):
        if unit.stand:
            assert chit.at == pytest.approx((unit.stand.x / 5, 720 - unit.stand.y / 5), abs=0.1)
            assert chit.turn == (0 if unit.side == 0 else 180)
            assert not chit.foot


def test_moves_and_shots_are_drawn_in_their_step(board):
    for frame in board.replay.frames:
        drawing = draw_table(board.replay, frame)
        went = [track for track in frame.tracks if track.before and track.after]
        assert "".join(drawing.tracks).count("L") == len(went)
        shots = [shot for shot in drawing.action.shots if shot.lane]
        assert [shot.success for shot in shots] == [line.aim.success for line in frame.fire]
        assert all(shot.path.count("M") == 2 for shot in shots if shot.lane.is_long)
    assert any(frame.fire for frame in board.replay.frames)


def test_terrain_is_shown_after_its_roll(board):
    disc_counts = [
        sum(disc.is_there for disc in draw_table(board.replay, frame).discs) for frame in board.replay.frames[:3]
    ]
    assert disc_counts[0] == 0 < disc_counts[1] == disc_counts[2]


def test_beacons_show_their_holder():
    board = board_for("survey-beacons")
    for frame in board.replay.frames:
        signs = [mark.holder for mark in draw_table(board.replay, frame).marks]
        assert signs == ["" if holder is None else "ab"[holder] for holder in frame.holders]
    last = board.replay.frames[-1]
    words = dict(board.objective_holders(last))
    assert set(words) == {"Beacon 1", "Beacon 2", "Beacon 3"}
    assert set(words.values()) - {"nobody"}
    assert board.notes(last) == " · ".join(f"{name}: held by {holder}" for name, holder in words.items())
    assert board_for("sabotage").page(1, 0).notes == ""  # a drill head isn't held


def test_browser_gets_the_servers_drawing(board):
    data = json.loads(json.dumps(board.to_json()))
    assert len(data["frames"]) == len(board.replay.frames)
    for frame, sent in zip(board.replay.frames, data["frames"], strict=True):
        drawing = draw_table(board.replay, frame)
        for chit, place in zip(drawing.chits, sent["chits"], strict=True):
            row = data["chits"][place]
            assert row[1] == chit.classes
            assert row[0] is None if chit.at is None else row == [
                chit.transform, chit.classes, chit.front, chit.pips, chit.foot, chit.suppression, chit.front, chit.dice, chit.eyes,
                chit.parts,
            ]  # fmt: skip
        shots = [data["shots"][place] for place in sent["shots"]]
        assert shots == [[shot.classes, shot.path, shot.path] for shot in drawing.action.shots]
        for kind, columns in data["columns"].items():
            assert all(len(data[kind][place]) == len(columns) for place in sent[kind])


def test_every_step_lists_its_modifiers(board):
    for frame in board.replay.frames:
        summary = board.summary(frame)
        assert summary
        assert board.title(frame)
        if len(frame.lines) <= 12:
            for line in frame.lines:
                assert line.sentence.removesuffix(".") in summary
                assert all(part.name in summary for part in line.modifiers)
        else:
            assert "On the table: " in summary


@pytest.mark.parametrize(("number", "is_counted"), [(12, False), (13, True)])
def test_step_of_more_than_twelve_lines_is_counted(number, is_counted):
    board = board_for("claim-dispute")
    frame = next(each for each in board.replay.frames[1:] if each.lines)
    long = replace(frame, lines=[frame.lines[0]] * number)
    assert board.summary(long).startswith("On the table: ") is is_counted


@pytest.mark.rule("MC-033")
def test_action_points_fall_as_they_are_spent(board):
    seen = 0
    for before, after in zip(board.replay.frames, board.replay.frames[1:], strict=False):
        spent = sum(int(line.event.result.get("cost", 0)) for line in after.lines)
        given = next((line.event.result["points"] for line in after.lines if line.event.kind == "points-rolled"), None)
        if after.points is None:
            assert not spent
            assert board.points(after) == "Action points: it is nobody’s turn"
            continue
        assert after.points.left == (given if given is not None else before.points.left) - spent >= 0
        assert f"{after.points.left} of {after.points.given} left" in board.points(after)
        for line in after.lines:
            if line.event.kind == "player-turn-ended":
                assert line.event.result["left_over"] == after.points.left
                seen += 1
    assert seen > 4


def test_list_has_every_unit_with_its_place(board):
    for number, frame in enumerate(board.replay.frames, start=1):
        rows = board.page(number, 0).units
        for unit, row in zip(on_table(frame.situation), rows, strict=True):
            assert row.name == board.names[unit.key]
            assert row.hits == f"{unit.hits}/{unit.max_hits}"
            at = [round_half_up(each / 100) for each in (unit.stand.x, unit.stand.y)] if unit.stand else []
            assert row.place.startswith("{} in across, {} in up, ".format(*at) if at else "")
            assert row.place
            assert ("suppressed" in row.states) == bool(unit.suppression)
            assert row.is_lost == unit.destroyed


@pytest.mark.parametrize(("x", "y", "word"), [(0, 5, "north"), (3, 3, "north-east"), (0, -1, "south"), (-9, 1, "west")])
def test_facing_is_named_by_compass(x, y, word):
    assert facing(Stand(0, 0, x, y)) == word


@given(st.lists(st.tuples(st.integers(0, 720), st.integers(0, 720)), max_size=12))
def test_counters_stay_on_the_table_and_apart(places):
    found = spread(places, 720, 720)
    assert len(found) == len(places)
    assert all(0 <= x <= 720 and 0 <= y <= 720 for x, y in found)
    pairs = [(one, other) for at, one in enumerate(places) for other in places[:at]]
    if all(hypot(a[0] - b[0], a[1] - b[1]) >= ROOM for a, b in pairs):
        assert found == places


def test_two_counters_on_one_spot_are_moved_apart():
    (x1, y1), (x2, y2) = spread([(300, 300), (300, 300)], 720, 720)
    assert hypot(x1 - x2, y1 - y2) == pytest.approx(ROOM, abs=1)
