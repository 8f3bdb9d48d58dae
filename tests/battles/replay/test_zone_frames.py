"""The replay on the map: every frame is a fold of the events, and the drawing matches its frame."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from django.template.loader import render_to_string
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from battles.replay.band_drawing import draw_bands, field_of, strip_of
from battles.replay.zone_board import ZoneBoard
from battles.replay.zone_drawing import (
    CHIT_HEIGHT,
    CHIT_WIDTH,
    PITCH,
    TERRAIN_SIGNS,
    TRAY_HEIGHT,
    ZONE,
    draw,
    lay,
    tray_top,
    width_of,
)
from battles.replay.zone_frames import MAX_PAIRS, _pairs, map_replay
from systems import battle_rules
from systems.battle import Chapter
from systems.battle_display import BandView
from systems.simulation.analysis import rounds_of
from systems.simulation.records import read_record, resolve
from systems.spaces import LOOKS, TRAYS, ZoneGround
from tests.systems.meks_and_mercs.battle.games import COMPANIES, crew, game, games
from tests.tools.replays import golden_replays

SYSTEM = battle_rules("meks-and-mercs")
SPACE: Any = SYSTEM.space
RECORDS = {path.stem: read_record(path.read_text(encoding="utf-8")) for path in golden_replays("meks-and-mercs")}
ON_MAP = {name: record for name, record in RECORDS.items() if record.setup.scenario in COMPANIES}


def lines_of(record):
    return [line for view in rounds_of(record) for step in view.steps for line in step.lines]


def replay_frames(record):
    replay = map_replay(record, lines_of(record))
    assert replay is not None
    return replay


def board_of(record):
    return ZoneBoard(replay_frames(record), SYSTEM.bands, ("Attacker", "Defender"))


def check_frames(record):
    """Check that each event is in one frame, in order, and that each frame is the fold of all events so far."""
    replay = replay_frames(record)
    situation = SYSTEM.opening(record.setup)
    assert replay.frames[0].situation == situation
    assert [line for frame in replay.frames for line in frame.lines] == lines_of(record)
    for before, frame in zip(replay.frames, replay.frames[1:], strict=False):
        assert frame.lines
        for line in frame.lines:
            situation = SYSTEM.follow(situation, line.event)
        assert frame.situation == situation
        assert frame.number == before.number + 1
        assert frame.turn in (before.turn, before.turn + 1)
        assert frame.phase in (before.phase, before.phase + 1)
        went = {key: (move.before, move.zone) for move in frame.moves for key in move.units}
        for old, new in zip(before.situation.units, frame.situation.units, strict=True):
            if not new.destroyed:
                assert went.get(new.key, (old.zone, old.zone)) == (old.zone, new.zone)


@pytest.fixture(params=ON_MAP)
def record(request):
    return ON_MAP[request.param]


def test_golden_map_replays_exist():
    assert len(ON_MAP) >= 5


def test_golden_frames_follow_from_their_events(record):
    check_frames(record)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(setup=games(), seed=st.integers(0, 2**32))
def test_frames_of_any_game_follow_from_its_events(setup, seed):
    check_frames(resolve(setup, seed))


def test_battle_without_map_is_drawn_across_range_bands():
    record = RECORDS["wasp-against-draken"]
    replay = map_replay(record, lines_of(record))
    assert replay.ground == ()
    field = field_of(replay, SYSTEM.bands)
    for frame in replay.frames:
        drawing = draw_bands(replay, frame, field)
        for unit, chit in zip(frame.units, drawing.chits, strict=True):
            together = [pair for pair in frame.situation.bands if unit.key in (pair.a_key, pair.d_key)]
            out = 3 - min(pair.band for pair in together) if together and not together[0].broken else 0
            strip = int(chit.middle[0] // field.strip)
            if not any(each.destroyed or each.withdrew for each in frame.units):
                assert strip == (out if unit.side == 0 else 7 - out)
    assert {strip_of(frame, frame.units[0].key) for frame in replay.frames} >= {0, 1}


def test_drawing_matches_its_frame(record):
    board = board_of(record)
    for frame in board.replay.frames:
        drawing = draw(board.replay, frame, 0)
        lie = {}
        for unit, chit in zip(frame.situation.units, drawing.chits, strict=True):
            if unit.is_reserve:
                assert chit.scale == 0
                continue
            assert 0 <= chit.x <= width_of(board.replay) - CHIT_WIDTH * chit.scale
            assert 0 <= chit.y <= tray_top(board.replay) + TRAY_HEIGHT - CHIT_HEIGHT * chit.scale
            assert chit.hits == str(unit.hits)
            assert ("is-dug-in" in chit.classes) is unit.dug_in
            assert ("is-hidden" in chit.classes) is unit.hidden
            assert ("is-decoy" in chit.classes) is unit.decoy
            assert ("is-destroyed" in chit.classes) is unit.destroyed
            assert (chit.x, chit.y) not in lie, "two counters overlap"
            lie[chit.x, chit.y] = unit.key
            if unit.zone:
                square = drawing.squares[unit.zone - 1]
                assert square.x <= chit.x <= square.x + ZONE - CHIT_WIDTH * chit.scale
                assert square.y <= chit.y <= square.y + ZONE - CHIT_HEIGHT * chit.scale
            else:
                assert chit.y > 3 * PITCH
        for square in drawing.squares:
            sides = {unit.side for unit in frame.units if unit.zone == square.ground.number}
            assert ("is-contested" in square.classes) is (len(sides) == 2)


def test_browser_gets_the_servers_drawing(record):
    board = board_of(record)
    data = json.loads(json.dumps(board.to_json()))
    assert len(data["frames"]) == len(board.replay.frames)
    for frame, sent in zip(board.replay.frames, data["frames"], strict=True):
        drawing = draw(board.replay, frame, 0)
        found = [data["chits"][place] for place in sent["chits"]]
        chits = [[c.transform, c.classes, c.hits, c.art, c.parts] for c in drawing.chits]
        assert [look for look in found if look[0]] == [look for look in chits if "is-away" not in look[1]]
        assert [look[1] for look in found] == [look[1] for look in chits]
        assert [data["zones"][place][1] for place in sent["zones"]] == [square.label for square in drawing.squares]
        assert [data["arrows"][place] for place in sent["arrows"][::2]] == [[path] for path in drawing.arrows]
        assert (sent["turn"], sent["phase"]) == (frame.turn, frame.phase)
        assert sent["says"]
        assert "None" not in sent["says"]


def test_every_step_names_every_unit(record):
    board = board_of(record)
    for frame in board.replay.frames:
        rows = board.unit_rows(frame)
        assert [row.name for row in rows] == [board.names[unit.key] for unit in frame.situation.units]
        assert [row.name for row in rows if not row.is_away] == [board.names[unit.key] for unit in frame.units]


def test_arrows_show_moves(record):
    board = board_of(record)
    for frame in board.replay.frames:
        for side, path in enumerate(draw(board.replay, frame, 0).arrows):
            between = [move for move in frame.moves if move.side == side and move.before and move.zone]
            assert path.count("M") >= 2 * len(between)
            if not any(move.side == side for move in frame.moves):
                assert path == ""


def test_crowded_counters_stay_apart_and_count_the_rest():
    crowd = [crew("wasp", "green")] * 12
    record = resolve(game("head-to-head", attackers=crowd[:6], defenders=crowd[:6]), 1)
    board = board_of(record)
    frame = board.replay.frames[0]
    one = frame.situation.units[0]
    sides = [[one] * 9, []]
    assert lay(board.replay, {}, 5, sides) == ["", ""]
    assert lay(board.replay, {}, 5, [[one] * 15, [one] * 2]) == ["+4", ""]  # 11 are drawn
    assert lay(board.replay, {}, "destroyed", [[one] * 2, [one] * 11]) == ["", "+2"]


@pytest.mark.rule("MM-012")
def test_ground_matches_the_rolled_terrain():
    record = RECORDS["random-ground"]
    rolled = {e.result["zone"]: e.result["terrain"] for e in record.events if e.kind == "terrain-rolled"}
    ground = replay_frames(record).ground
    assert [zone.number for zone in ground] == list(range(1, 10))
    assert [(zone.row, zone.column) for zone in ground] == [(row, column) for row in (1, 2, 3) for column in (1, 2, 3)]
    slugs = ("plain", "wood", "urban", "highlands", "moors")
    assert {zone.number: zone.look for zone in ground if zone.number in rolled} == {
        zone: slugs[terrain] for zone, terrain in rolled.items()
    }


@pytest.mark.parametrize(
    ("scenario", "zone", "mark"),
    [
        ("opening-shots", 3, "key zone"),
        ("opening-shots", 7, "attacker sets up"),
        ("hot-gates", 8, "exit by the bottom edge"),
        ("buying-time", 2, "exit by the top edge"),
        ("citadel", 7, "attacker arrives"),
        ("citadel", 5, "defender sets up"),
    ],
)
def test_zone_is_marked_by_the_scenario(scenario, zone, mark):
    assert mark in SPACE.ground(game(scenario), ())[zone - 1].marks


@pytest.mark.rule("MM-015")
def test_turn_is_split_into_its_phases(record):
    for frame in replay_frames(record).frames[1:]:
        steps = {line.event.step for line in frame.lines}
        kinds = [line.event.kind for line in frame.lines]
        assert kinds.count("phase-began") <= 1
        assert kinds.count("round-began") <= 1
        assert "zone-contested" not in kinds[1:]
        if frame.chapter.zone:
            assert not steps & {"turn", "initiative", "zones", "victory"}


@pytest.mark.rule("MM-036")
def test_sights_belong_to_their_round(record):
    for frame in replay_frames(record).frames:
        for line in frame.lines:
            sight = SPACE.sight(line.event)
            if sight and frame.chapter.zone:
                assert (sight.unit, sight.target) in {(each.unit, each.target) for each in frame.sights}
        if not frame.chapter.zone:
            assert len(frame.sights) <= sum(SPACE.sight(line.event) is not None for line in frame.lines)


def test_bands_of_a_zone_are_those_of_its_units(record):
    board = board_of(record)
    for frame in board.replay.frames:
        contact_count = 0
        for ground in board.replay.ground:
            table = board.panel(frame, ground.number).bands
            if table:
                contact_count += sum(cell.band != "none" for _name, cells in table.rows for cell in cells)
        zones = {unit.key: unit.zone for unit in frame.units}
        together = [p for p in frame.situation.bands if zones[p.a_key] == zones[p.d_key] != 0]
        assert contact_count == len(together)


# A map of any game: as many zones as it has, drawn in one of the looks, with its own signs.


def on_grid(columns: int, trays: tuple[str, ...] = ("destroyed",)) -> ZoneBoard:
    """Return the map of a game with two rows of this many zones."""
    board = board_of(resolve(game("head-to-head"), 1))
    zones = range(2 * columns)
    ground = tuple(ZoneGround(at + 1, 1 + at // columns, 1 + at % columns, "Salt", look="desert") for at in zones)
    board.replay = replace(board.replay, ground=ground, trays=trays, signs=("★ key zone",))
    board.bands = ()
    return board


def drawn_page(board: ZoneBoard, zone: int) -> str:
    page = board.page(1, zone)
    names = ("zones", "zones_legend", "zone")
    return "".join(render_to_string(f"battles/_map_{name}.html", {"map": page, "boxes": "Hits"}) for name in names)


@pytest.mark.parametrize(("columns", "width"), [(2, 484), (4, 932)])
def test_map_is_as_wide_as_its_zones(columns: int, width: int):
    page = drawn_page(on_grid(columns), 1)
    assert f'viewBox="0 0 {width} 612"' in page
    assert len(set(re.findall(r'class="signs signs--desert" d="(M[^"]+)"', page))) == 2 * columns  # no two alike
    assert f"Map of {({2: 'four', 4: 'eight'})[columns]} zones" in page


def test_narrow_map_has_room_for_its_trays():
    assert width_of(on_grid(2, TRAYS).replay) == width_of(on_grid(3, TRAYS).replay) == 708
    assert [tray.slug for tray in draw(on_grid(2).replay, on_grid(2).replay.frames[0], 0).trays] == ["destroyed"]


def test_game_without_range_bands_shows_no_contact():
    assert "contact" not in drawn_page(on_grid(4), 2)
    assert "to see the distances in it" not in drawn_page(on_grid(4), 0)
    assert "Zone 2: Salt" in drawn_page(on_grid(4), 2)


def test_legend_explains_the_signs_of_its_game_only():
    page = drawn_page(on_grid(4), 0)
    assert (
        "<span>figure: Hits left</span><span>crossed box: a part lost or crippled</span><span>★ key zone</span>" in page
    )
    assert "?: decoy" not in page


def test_every_ground_look_has_signs():
    assert set(TERRAIN_SIGNS) == set(LOOKS)


def test_phase_with_the_rounds_name_is_shown_once():
    board = on_grid(4)
    frame = replace(board.replay.frames[1], turn=2, chapter=Chapter("Turn 2", "Skiffs act"))
    assert board.title(frame) == "Turn 2 · Skiffs act"


@pytest.mark.parametrize(("more", "rest"), [(0, ""), (1, "; one more pair"), (2, "; 2 more pairs")])
def test_pairs_beyond_those_named_are_counted(more, rest):
    pairs = [BandView(f"a{at}", "d1", 0, False) for at in range(MAX_PAIRS + more)]
    named = "; ".join(["Wasp and Draken"] * MAX_PAIRS)
    names = {"d1": "Draken"} | {pair.a_key: "Wasp" for pair in pairs}
    assert _pairs(pairs, names, "at Long") == f"Now at Long: {named}{rest}."
