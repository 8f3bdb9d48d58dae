"""The replay of a battle on a measured table, frame by frame."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from battles.replay.table_frames import TableReplay, table_replay
from systems.reading import read_setup
from systems.simulation.analysis import rounds_of
from systems.simulation.records import Record, resolve
from tests.battles.builders import duel
from tests.battles.record_ends import final_situation
from tests.systems.any_battle import seeds
from tests.systems.mech_campaign.any_battle import mech_campaign_setups
from tests.systems.mech_campaign.battle.tables import setup


def replay_frames(record: Record) -> TableReplay:
    lines = [line for view in rounds_of(record) for step in view.steps for line in step.lines]
    found = table_replay(record, lines)
    assert found is not None
    return found


@settings(max_examples=25, deadline=None)
@given(setup=mech_campaign_setups(), seed=seeds)
def test_frames_hold_every_line_once_to_the_end(setup, seed):
    record = resolve(setup, seed)
    frames = replay_frames(record).frames
    assert [frame.number for frame in frames] == list(range(1, len(frames) + 1))
    assert [line.number for frame in frames for line in frame.lines] == list(range(1, len(record.events) + 1))
    assert frames[-1].situation == final_situation(record)
    edge = 3600 if isinstance(setup.scenario, str) else 100 * setup.scenario["spec"].get("table_in", 36)
    for frame in frames:
        for unit in frame.units:
            assert 0 <= unit.stand.x <= edge
            assert 0 <= unit.stand.y <= edge
            assert (unit.stand.face_x, unit.stand.face_y) != (0, 0)


@settings(max_examples=25, deadline=None)
@given(setup=mech_campaign_setups(), seed=seeds)
def test_tracks_connect_the_frames(setup, seed):
    frames = replay_frames(resolve(setup, seed)).frames
    for before, after in zip(frames, frames[1:], strict=False):
        at = {unit.key: unit.stand for unit in before.situation.units}
        for track in after.tracks:
            assert at[track.unit] is None or (at[track.unit].x, at[track.unit].y) == (track.before.x, track.before.y)
            at[track.unit] = track.after
        gone = {unit.key for unit in after.situation.units if unit.destroyed}
        assert gone.isdisjoint(track.unit for track in after.tracks)
        for unit in after.situation.units:
            if not unit.destroyed:
                spot = at[unit.key] and (at[unit.key].x, at[unit.key].y)
                assert spot == (unit.stand and (unit.stand.x, unit.stand.y))


@settings(max_examples=25, deadline=None)
@given(setup=mech_campaign_setups(), seed=seeds)
def test_fire_is_within_range_and_at_the_opponent(setup, seed):
    replay = replay_frames(resolve(setup, seed))
    side = {unit.key: unit.side for unit in replay.frames[0].situation.units}
    for frame in replay.frames:
        for line in frame.fire:
            assert side[line.aim.target] == 1 - line.side == 1 - side[line.aim.unit]
            apart = (line.start.x - line.end.x) ** 2 + (line.start.y - line.end.y) ** 2
            assert line.aim.what == "lock" or apart <= 1200**2


def test_terrain_appears_with_its_dice_and_stays():
    record = resolve(setup("picket", "picket"), 3)
    rolled = [event for event in record.events if event.kind == "terrain-rolled" and event.result["disc"]]
    frames = replay_frames(record).frames
    assert frames[0].pieces == ()
    assert len(frames[1].pieces) == len(rolled) > 0
    assert frames[-1].pieces == frames[1].pieces
    assert {piece.radius for piece in frames[-1].pieces} <= {200, 300, 350}


@pytest.mark.rule("MC-124")
def test_beacons_show_their_holder():
    record = resolve(setup("line-lance", "line-lance", scenario="survey-beacons"), 2)
    replay = replay_frames(record)
    assert [spot.name for spot in replay.table.objectives] == ["Beacon 1", "Beacon 2", "Beacon 3"]
    claims = [event for event in record.events if event.kind == "beacon-claimed"]
    last = {event.result["objective"]: event.result["side"] for event in claims}
    assert replay.frames[0].holders == (None, None, None)
    assert replay.frames[-1].holders == tuple(last.get(number) for number in range(3))
    assert claims


def test_each_activation_is_a_step():
    frames = replay_frames(resolve(setup("picket", "line-lance"), 11)).frames
    assert [frame.chapter.phase for frame in frames[:2]] == ["The empty table", "Set-up"]
    acting = [frame for frame in frames if frame.chapter.step.endswith(" acts")]
    assert len(acting) > 20
    assert all(len({line.event.unit for line in frame.lines if "cost" in line.event.result}) == 1 for frame in acting)
    assert any(frame.fire for frame in acting)
    assert any(frame.tracks for frame in acting)


def test_zone_battle_has_no_table():
    record = resolve(read_setup(duel()), 1)
    assert table_replay(record, []) is None
