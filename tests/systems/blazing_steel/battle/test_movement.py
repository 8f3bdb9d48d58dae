"""Distances, arcs, sight, cover, movement and charges of Blazing Steel. BS-040 to BS-048, BS-070 to BS-087, BS-161 to BS-163."""

from __future__ import annotations

from math import cos, radians, sin, sqrt

import pytest

from systems.blazing_steel.battle import play
from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.rules import (
    COVERS_A,
    COVERS_B,
    FRONT,
    HALF_ROOT,
    LEFT,
    NO_FLANK,
    REAR,
    REAR_FLANK,
    RIGHT,
    SEEN,
    SIDE_FLANK,
    arc_of,
    distance,
    flank_of,
    in_contact,
    is_spotted,
    line,
    sees,
    spots,
    turned,
)
from systems.blazing_steel.battle.rules.movement import is_clear
from systems.spaces.inches import squared_to_way

from .tables import EAST, NORTH, SOUTH, WEST, Table, block, foe, unit, woods

NORTH_EAST = (HALF_ROOT, HALF_ROOT)
NORTH_WEST = (-HALF_ROOT, HALF_ROOT)


def going(action: str, *more, slot: int = 1, **own) -> Table:
    table = Table([unit("hawker", **own)], more or [foe("hawker", x=40, y=40)], slot=slot)
    assert table.order("a", action) is None
    return table


@pytest.mark.rule("BS-040", "BS-041", "BS-042", "BS-173")
@pytest.mark.parametrize(("action", "reach"), [("move", 4), ("sprint", 8), ("jump", 4)])
def test_hawker_moves_up_to_its_reach(action, reach):
    assert going(action).moves("a1", 24 - reach, 10) is None
    assert going(action).moves("a1", 24 - reach - 0.01, 10) == "too-far"


@pytest.mark.rule("BS-009", "BS-011", "BS-041", "BS-173")
def test_tracks_extend_sprint_and_boosters_extend_jump():
    jets = {"chassis": "medium", "locomotion": "tracked", "p1": "booster-jets"}
    for action, reach in (("sprint", 10), ("jump", 6)):
        for lost, least in ((0, reach), (1, reach if action == "sprint" else 4)):
            table = Table([unit(jets, peripheral_lost=lost)], [foe(x=40, y=40)])
            assert table.order("a", action) is None
            assert table.moves("a1", 24, 10 + least + 0.01) == "too-far"
            assert table.moves("a1", 24, 10 + least) is None


@pytest.mark.rule("BS-043", "BS-044")
def test_staying_is_movement_that_can_turn():
    table = going("sprint")
    table.resolve(a1=(24, 10, *NORTH_EAST))
    assert table.event("unit-sprinted").result["x"] == 2400
    assert (table["a1"].face_x, table["a1"].heat_made) == (HALF_ROOT, 1)


@pytest.mark.rule("BS-044")
@pytest.mark.parametrize(
    ("action", "cripple", "face", "refused"),
    [
        ("move", 0, EAST, None),
        ("move", 0, WEST, None),
        ("move", 0, SOUTH, "turned-too-far"),
        ("jump", 0, EAST, None),
        ("sprint", 0, NORTH_EAST, None),
        ("sprint", 0, EAST, "turned-too-far"),
        ("move", c.CRIPPLED_RIGHT_LEG, EAST, "turned-too-far"),
        ("move", c.CRIPPLED_RIGHT_LEG, NORTH_EAST, None),
        ("move", c.CRIPPLED_RIGHT_LEG, WEST, None),
        ("move", c.CRIPPLED_LEFT_LEG, WEST, "turned-too-far"),
        ("sprint", c.CRIPPLED_LEFT_LEG, NORTH_WEST, "turned-too-far"),
        ("sprint", c.CRIPPLED_LEFT_LEG, NORTH_EAST, None),
    ],
)
def test_movement_limits_turning(action, cripple, face, refused):
    assert going(action, cripples=1 << cripple).moves("a1", 24, 10, face) == refused


@pytest.mark.rule("BS-044", "BS-AR03")
def test_a_turn_stops_at_its_limit():
    assert turned(*NORTH, *EAST, 90, 45) == NORTH_EAST
    assert turned(*NORTH, *SOUTH, 90, 90) == WEST
    assert turned(*NORTH, *WEST, 45, 90) == NORTH_WEST
    assert turned(*NORTH, *WEST, 0, 90) == NORTH
    assert turned(*NORTH, 0.0, 0.0, 90, 90) == NORTH


@pytest.mark.rule("BS-045", "BS-071")
def test_movement_stays_clear_of_enemies():
    table = going("move", foe("hawker", y=16))
    assert table.moves("a1", 24, 13.95) == "blocked"
    assert table.moves("a1", 24, 13.94) is None
    past = going("sprint", foe("hawker", x=26, y=13))
    assert past.moves("a1", 24, 17) == "blocked"


@pytest.mark.rule("BS-045")
def test_unit_in_contact_can_leave_but_not_approach():
    table = going("move", foe("hawker", y=12.02))
    assert table.moves("a1", 26, 10.5) == "blocked"
    assert table.moves("a1", 24, 10) is None
    assert table.moves("a1", 24, 8) is None


@pytest.mark.rule("BS-046")
def test_blocks_friends_and_edge_stop_movement():
    table = Table([unit("hawker"), unit("hawker", y=13)], [foe("hawker", x=40, y=40)], terrain=[block(28.5, 10)])
    assert table.order("a", "sprint") is None
    assert table.moves("a1", 24, 14) == "blocked"
    assert table.moves("a1", 24, 15) is None
    table["a1"].y = 10.0
    assert table.moves("a1", 32, 10) == "blocked"
    assert table.moves("a1", 25.5, 10) is None
    edge = going("move", x=3, y=3)
    assert edge.moves("a1", 0.99, 3) == "blocked"
    assert edge.moves("a1", 1, 3) is None


@pytest.mark.rule("BS-042", "BS-046")
def test_a_jump_passes_over_everything():
    table = Table([unit("skimmer")], [foe("hawker", y=13)], terrain=[block(24, 16, 0.5)])
    assert table.order("a", "jump") is None
    assert table.moves("a1", 24, 15.5) == "blocked"
    table.state.discs[0].y = 12.0
    assert table.moves("a1", 24, 15.5) is None


@pytest.mark.rule("BS-042")
def test_a_jump_in_action_two_may_end_in_contact():
    table = going("jump", foe("hawker", y=15), slot=2)
    assert table.moves("a1", 24, 13.5) == "blocked"
    assert table.moves("a1", 24, 13) is None


def charging(*more, **own) -> Table:
    return Table([unit("mantis", **own)], more or [foe("hawker", y=15)], slot=2)


@pytest.mark.rule("BS-047", "BS-AR04")
def test_a_charge_ends_in_contact_and_strikes():
    table = charging(foe("hawker", x=27, y=14))
    assert table.order("a", "charge", "b1") is None
    table.resolve([6, 6, 6, 6, 6, 6, 6, 6, 6, 5, 5, 5])
    mantis = table["a1"]
    assert in_contact(table.state, 0, 1)
    assert (mantis.x, mantis.y) == pytest.approx((27 - 1.2, 14 - 1.6))
    assert (mantis.face_x, mantis.face_y) == pytest.approx((0.6, 0.8))
    assert mantis.heat_made == 1
    assert table.event("strike-rolled").faces == (6, 6, 6)


@pytest.mark.rule("BS-046", "BS-047")
@pytest.mark.parametrize(
    ("enemy", "terrain", "refused"),
    [
        (foe("hawker", y=16), (), None),
        (foe("hawker", y=16.01), (), "too-far"),
        (foe("hawker", x=29, y=10), (), "arc"),
        (foe("hawker", x=28, y=14), (), None),
        (foe("hawker", y=15), (block(26.5, 12.5),), "blocked"),
    ],
)
def test_charge_needs_reach_arc_and_clear_path(enemy, terrain, refused):
    table = Table([unit("mantis")], [enemy], slot=2, terrain=terrain)
    assert table.order("a", "charge", "b1") == refused


@pytest.mark.rule("BS-046", "BS-047")
def test_other_enemy_blocks_charge():
    table = Table([unit("mantis")], [foe("hawker", y=16), foe("skimmer", x=25.5, y=13)], slot=2)
    assert table.order("a", "charge", "b1") == "blocked"


@pytest.mark.rule("BS-048", "BS-137")
def test_charge_meets_target_where_step_began():
    table = charging(foe("hawker", y=15))
    assert table.order("a", "charge", "b1") is None
    assert table.order("b", "move") is None
    table.resolve([1, 1, 1, 2, 4], b1=(24, 19))
    assert (table["a1"].x, table["a1"].y) == (24, 13)
    assert table.event("dodge-rolled").unit == "b1"
    assert table.event("attack-settled").number("against") == 5


@pytest.mark.rule("BS-048")
def test_leader_moves_in_mutual_charge():
    table = charging(foe("hawker", x=26, y=15))
    assert table.order("a", "charge", "b1") is None
    assert table.order("b", "charge", "a1") is None
    table.resolve([6, 5, 5, 4, 1, 1, 1, 2, 2, 2, 3, 3, 3])
    moved = {event.unit: event for event in table.events if event.kind == "unit-charged"}
    assert (table["b1"].x, table["b1"].y) == (26, 15)
    assert moved["b1"].result["from_x"] == moved["b1"].result["x"]
    assert in_contact(table.state, 0, 1)


@pytest.mark.rule("BS-048")
def test_charge_meets_a_charging_leader_where_it_stood():
    table = charging(foe("mantis", x=21, y=14), foe("hawker", x=27, y=14))
    assert table.order("a", "charge", "b2") is None
    assert table.order("b", "charge", "a1") is None
    play.open_step(table.state, [])
    assert (table["a1"].x, table["a1"].y) == pytest.approx((27 - 1.2, 14 - 1.6))
    assert (table["b1"].x, table["b1"].y) == pytest.approx((24 - 1.2, 10 + 1.6))


@pytest.mark.rule("BS-070", "BS-071")
def test_distance_is_from_edge_to_edge():
    table = Table([unit("hawker")], [foe("bulwark", y=20)])
    assert distance(table.state, 0, 1) == 7.5
    table["b1"].y = 11.0
    assert distance(table.state, 0, 1) == 0.0
    table["b1"].y = 12.55
    assert in_contact(table.state, 0, 1)
    table["b1"].y = 12.551
    assert not in_contact(table.state, 0, 1)


@pytest.mark.rule("BS-072")
@pytest.mark.parametrize(
    ("point", "arc"),
    [
        ((0, 5), FRONT),
        ((5, 5), FRONT),
        ((-5, 5), FRONT),
        ((-5, 4.9), LEFT),
        ((5, 4.9), RIGHT),
        ((-5, -5), LEFT),
        ((5, -5), RIGHT),
        ((5, -5.1), REAR),
        ((0, -5), REAR),
    ],
)
def test_arcs_are_quarters_with_lines_in_front(point, arc):
    assert arc_of(0.0, 0.0, *NORTH, *point) == arc
    turned_point = (point[0] * HALF_ROOT + point[1] * HALF_ROOT, point[1] * HALF_ROOT - point[0] * HALF_ROOT)
    assert arc_of(0.0, 0.0, *NORTH_EAST, *turned_point) == arc


@pytest.mark.rule("BS-161", "BS-162", "BS-163")
@pytest.mark.parametrize(
    ("attacker", "flank"),
    [
        ((0, 8), NO_FLANK),
        ((8, 0), SIDE_FLANK),
        ((-8, 0), SIDE_FLANK),
        ((8, -8), NO_FLANK),
        ((1.4, 0), NO_FLANK),
        ((1.5, 0), SIDE_FLANK),
        ((8, -8.1), REAR_FLANK),
        ((0, -2), REAR_FLANK),
    ],
)
def test_flank_depends_on_base_position(attacker, flank):
    assert flank_of(0.0, 0.0, *NORTH, *attacker, 1.0) == flank


@pytest.mark.rule("BS-075")
def test_only_blocks_stop_sight():
    table = Table([unit("hawker")], [foe("hawker", y=30), foe("hawker", y=20)], terrain=[woods(24, 25), block(26, 15)])
    assert line(table.state, 24, 10, 1, 24, 30, 1) & SEEN
    table.state.discs[1].x = 25.9
    assert not line(table.state, 24, 10, 1, 24, 30, 1) & SEEN


@pytest.mark.rule("BS-076", "BS-077", "BS-053")
def test_spotting_needs_sight_within_twelve_inches():
    table = Table([unit("hawker"), unit("hawker", x=30, cooling=1)], [foe("hawker", y=24)])
    assert spots(table.state, 0, 24.0, 24.0, 1.0)
    assert not spots(table.state, 0, 24.0, 24.1, 1.0)
    assert is_spotted(table.state, 0, 2) is False
    table["a2"].y = 14.0
    assert is_spotted(table.state, 0, 2)
    table["a2"].status = c.DESTROYED
    assert not is_spotted(table.state, 0, 2)


@pytest.mark.rule("BS-085")
@pytest.mark.parametrize(
    ("wood", "found"),
    [
        (woods(24, 20), SEEN | COVERS_A | COVERS_B),
        (woods(28, 20), SEEN),
        (woods(24, 11), SEEN | COVERS_A),
        (woods(24, 29), SEEN | COVERS_B),
        (woods(24, 20, 12), SEEN | COVERS_A | COVERS_B),
    ],
)
def test_woods_cover_units_beyond_their_edge(wood, found):
    table = Table([unit("hawker")], [foe("hawker", y=30)], terrain=[wood])
    assert line(table.state, 24, 10, 1, 24, 30, 1) == found


@pytest.mark.rule("BS-086", "BS-087")
@pytest.mark.parametrize(
    ("at", "found"),
    [
        (block(26.5, 27), SEEN | COVERS_B),
        (block(27, 27), SEEN),
        (block(26.5, 20), SEEN),
        (block(26.5, 12), SEEN | COVERS_A),
        (block(25, 27), COVERS_B),
    ],
)
def test_block_covers_units_near(at, found):
    table = Table([unit("hawker")], [foe("hawker", y=30)], terrain=[at])
    assert line(table.state, 24, 10, 1, 24, 30, 1) == found


EDGES = [  # distance from its centre of a line that just touches the edge, and the results on the edge and just inside
    (woods, 3, SEEN, SEEN | COVERS_A | COVERS_B),
    (block, 3, SEEN, SEEN | COVERS_A | COVERS_B),
    (block, 2, SEEN | COVERS_A | COVERS_B, COVERS_A | COVERS_B),
]


@pytest.mark.rule("BS-075", "BS-085", "BS-086")
@pytest.mark.parametrize(("piece", "apart", "on_it", "inside"), EDGES)
def test_line_along_edge_is_outside_in_every_direction(piece, apart, on_it, inside):
    table = Table([unit("hawker")], [foe("hawker")])
    table.state.battle.discs = 1
    for degrees in range(0, 360, 3):
        along, across = cos(radians(degrees)), sin(radians(degrees))
        for near, found in ((apart, on_it), (apart - 1e-6, inside)):
            x, y = 24 - near * across, 24 + near * along
            ends = [(x - 3 * along, y - 3 * across), (x + 3 * along, y + 3 * across)]
            table.state.discs[0] = piece(24, 24)
            for (ax, ay), (bx, by) in (ends, ends[::-1]):
                assert line(table.state, ax, ay, 1.0, bx, by, 1.0) == found, (degrees, near)
                assert sees(table.state, ax, ay, bx, by) is bool(found & SEEN)


@pytest.mark.rule("BS-086")
def test_line_one_inch_outside_block_gives_no_cover():
    table = Table([unit("hawker")], [foe("hawker")], terrain=[block(28, 26)])
    x, y = 22 + 4 * sqrt(2), 35 - 4 * sqrt(2)
    assert line(table.state, x, y, 1.0, 24.0, 27.0, 1.0) == SEEN


@pytest.mark.rule("BS-044")
def test_turn_to_exact_limit_ignores_rounding():
    for degrees in range(0, 360, 3):
        face = cos(radians(degrees)), sin(radians(degrees))
        behind = -face[0] + 1e-15 * face[1], -face[1] - 1e-15 * face[0]
        assert turned(*face, *behind, 90, 90) == pytest.approx((-face[1], face[0]))
        to = cos(radians(degrees + 45)), sin(radians(degrees + 45))
        assert turned(*face, *to, 45, 45) == to


@pytest.mark.rule("BS-045", "BS-046")
def test_path_along_enemy_in_contact_is_free():
    table = Table([unit("hawker")], [foe("hawker")])
    for degrees in range(0, 360, 3):
        along, across = cos(radians(degrees)), sin(radians(degrees))
        me, enemy = table["a1"], table["b1"]
        me.x, me.y = 24.0, 24.0
        enemy.x, enemy.y = 24 + 2 * along, 24 + 2 * across
        assert is_clear(table.state, 0, 24 - 6 * across, 24 + 6 * along, 0, c.NOBODY), degrees


def test_distance_to_path_stops_at_its_ends():
    assert squared_to_way(0.0, 3.0, -5.0, 0.0, 5.0, 0.0) == 9.0
    assert squared_to_way(8.0, 4.0, -5.0, 0.0, 5.0, 0.0) == 25.0
    assert squared_to_way(-8.0, 4.0, -5.0, 0.0, 5.0, 0.0) == 25.0


@pytest.mark.rule("BS-155")
def test_house_rule_biped_without_legs_cannot_move():
    legs = 1 << c.CRIPPLED_RIGHT_LEG | 1 << c.CRIPPLED_LEFT_LEG
    table = Table([unit("hawker", cripples=legs)], [foe("hawker")], biped_disabled="immobile")
    assert [table.order("a", action) for action in ("move", "sprint", "jump")] == ["cannot-move"] * 3
    assert table.order("a", "shoot", "b1", "r1") is None
