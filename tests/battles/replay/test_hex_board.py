"""The replay of a handmade battle on hexes: its frames and its page."""

from __future__ import annotations

import re

from django.template.loader import render_to_string

from battles.replay.boards import BOARDS
from battles.replay.hex_drawing import draw_hexes
from systems.spaces.hex_map import HexStand, centre
from systems.spaces.hexes import is_in_front
from tests.battles.replay import hexes
from tests.battles.replay.hexes import BUILDING, COLUMNS, ROWS

KIND = BOARDS["hexes"]


def frame_of(replay, step: str, nth: int = 0):
    return [frame for frame in replay.frames if frame.chapter.step == step][nth]


def page_of(board, step: str, place: int = 0):
    number = next(frame.number for frame in board.frames if frame.chapter.step == step)
    return board.page(number, place)


def render_page(page) -> str:
    words = {"map": page, "rulebook": {}, "page": {"said": {"destroyed": "destroyed"}, "board_kind": KIND}}
    return "".join(render_to_string(part, words) for part in (KIND.drawing, KIND.legend, "battles/_map_panel.html"))


def test_frames_hold_every_line_once_and_moves_by_hex(monkeypatch):
    replay = hexes.replay(monkeypatch)
    assert [line.number for frame in replay.frames for line in frame.lines] == list(range(1, len(hexes.EVENTS) + 1))
    moved = frame_of(replay, "moved").tracks
    assert [(track.unit, track.before.row, track.after.row) for track in moved] == [("a1", 6, 5), ("a1", 5, 4)]


def test_fallen_building_stays_a_different_hex(monkeypatch):
    replay = hexes.replay(monkeypatch)
    at = BUILDING[1] * COLUMNS + BUILDING[0]
    assert replay.changing == (at,)
    assert frame_of(replay, "shelled").ground.cells[at].floors == 10
    assert frame_of(replay, "fell").ground.cells[at].terrain.look == "smoke"
    assert replay.frames[-1].ground.cells[at].floors == 0


def test_fire_starts_and_ends_where_units_stood(monkeypatch):
    replay = hexes.replay(monkeypatch)
    [shelled] = frame_of(replay, "shelled").fire
    assert (shelled.start, shelled.end) == (HexStand(3, 4, 0), HexStand(*BUILDING, 0))
    [hit] = frame_of(replay, "shot").fire
    assert (hit.aim.target, hit.aim.success, hit.end) == ("b1", True, HexStand(3, 0, 3))


def test_action_points_fall_and_end_with_the_turn(monkeypatch):
    board = hexes.board(monkeypatch)
    assert page_of(board, "set-up").points == "Action points: it is nobody’s turn"
    assert page_of(board, "shelled").points == "Action points of Warden A1: 6 of 9 left"
    shots = [board.points(frame) for frame in board.frames if frame.chapter.step == "shot"]
    assert shots == ["Action points of Warden A1: 3 of 9 left", "Action points of Warden A1: 0 of 9 left"]


def test_building_blocks_a_units_view(monkeypatch):
    replay = hexes.replay(monkeypatch)
    before, after = frame_of(replay, "shelled").ground, frame_of(replay, "fell").ground
    stand = HexStand(3, 4, 0)
    front = {
        row * COLUMNS + column for row in range(ROWS) for column in range(COLUMNS) if is_in_front(3, 4, 0, column, row)
    }
    hidden = {2 * COLUMNS + 3, COLUMNS + 3, 3}  # straight behind it
    assert replay.seen(after, stand) == front
    assert hidden <= front - replay.seen(before, stand)
    assert BUILDING[1] * COLUMNS + BUILDING[0] in replay.seen(before, stand)
    above = HexStand(3, 4, 0, level=3)
    assert 3 * COLUMNS + 3 in replay.seen(before, above)
    assert COLUMNS + 3 not in replay.seen(before, above)  # the line of sight passes through the roof
    assert 2 * COLUMNS + 3 not in replay.seen(before, above)


def test_page_lists_units_in_view_and_behind(monkeypatch):
    board = hexes.board(monkeypatch)
    warden, longbow, _drone = page_of(board, "fell").closes
    assert longbow.startswith("What Longbow B1 sees: ")
    assert longbow.endswith(" hexes. In view: Warden A1. Behind it: Drone B2.")
    assert warden.endswith(" hexes. In view: Longbow B1, Drone B2. Behind it: nobody.")
    assert page_of(board, "shelled").closes[0].endswith(" hexes. In view: nobody. Behind it: nobody.")
    assert board.page(1, 0).closes == ("", "", "")  # nobody is on the map yet


def test_flying_unit_is_seen_over_a_building(monkeypatch):
    board = hexes.board(monkeypatch)
    ground = page_of(board, "shelled").frame.ground
    assert not board.sees(ground, HexStand(3, 4, 0, level=1), HexStand(3, 1, 3))
    assert board.sees(ground, HexStand(3, 4, 0, level=3), HexStand(3, 1, 3, level=3))


def test_areas_are_full_partial_or_crossed_out(monkeypatch):
    chits = page_of(hexes.board(monkeypatch), "hurt").drawing.chits
    assert (chits[0].hurt, chits[0].lost) == ("", "")
    assert chits[0].whole.count("z") == 6
    assert chits[1].whole.count("z") == 5  # four full, one partial
    assert chits[1].hurt.count("z") == chits[1].lost.count("z") == 1
    assert chits[1].marks == "P"
    assert (chits[2].whole, chits[2].hurt, chits[2].lost) == ("", "", "")


def test_units_in_one_hex_lie_apart_and_wreck_stays(monkeypatch):
    board = hexes.board(monkeypatch)
    x, y = centre(3, 1)
    together = [board.page(frame.number, 0) for frame in board.frames if frame.chapter.step == "moved"][
        -1
    ].drawing.chits
    assert [chit.at for chit in together[1:]] == [(x - 17, y), (x + 17, y)]
    last = board.page(len(board.frames), 0).drawing
    assert last.chits[2].at is None
    assert last.wrecks[2].at == (x, y)
    assert last.chits[1].at == (x, y)


def test_names_of_units_off_the_map_do_not_overlap(monkeypatch):
    replay = hexes.replay(monkeypatch)
    chits = draw_hexes(replay, replay.frames[0]).chits  # nobody is on the map yet
    assert [chit.name.text for chit in chits] == ["Warden A1", "Longbow B1", "Drone B2"]
    assert [chit.name.x for chit in chits] == [chit.at[0] for chit in chits]
    assert all(chit.name.y > chit.at[1] for chit in chits)


def test_browser_gets_every_drawn_part(monkeypatch):
    board = hexes.board(monkeypatch)
    sent = board.to_json()
    for frame in (sent["frames"][0], sent["frames"][-1]):
        html = render_page(board.page(1, 0))
        for kind in sent["columns"]:
            assert html.count(f'data-part="{kind}"') == len(frame[kind]), kind


def test_page_describes_its_drawing_in_words(monkeypatch):
    page = hexes.board(monkeypatch).page(99, 2)
    text = re.sub(r"<[^>]+>|\s+", " ", render_page(page))
    text = re.sub(r" +", " ", text)
    for words in (
        "Olive 1–0 Steel",
        "Objective 1: (4, 3), held by Olive",
        "Head 0/4",
        "(3, 1), facing down and right",
        "prone",
        "Barred",
        "What Longbow B1 sees",
    ):
        assert words in text, words


def test_field_of_view_is_chosen_by_link(monkeypatch):
    html = render_page(hexes.board(monkeypatch).page(5, 1))
    assert 'class="look is-chosen"' in html
    assert re.search(r'href="\?step=5&amp;zone=2#map"\s+data-to-zone="2"\s+aria-label="What Longbow B1 sees"', html)
