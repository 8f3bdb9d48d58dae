"""Set-up, turns, moving, engagement, targets and control points of MechaStellar."""

from __future__ import annotations

import pytest

from systems.documents import DocumentError
from systems.engine.dice import ScriptedDice
from systems.mechastellar.battle import SYSTEM, play
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.ai_plan import plan
from systems.mechastellar.battle.ai_turn import must_answer, pick
from systems.mechastellar.battle.play_attack import reckon
from systems.mechastellar.battle.rules import distance, mark_engaged, sees
from systems.mechastellar.battle.rules.movement import disengage, is_move_allowed, move
from systems.mechastellar.battle.rules.resources import capture, score_points
from systems.mechastellar.battle.rules.rounds import has_obliged
from systems.mechastellar.battle.rules.targets import in_arc, may_shoot
from systems.mechastellar.build import SYSTEM as ROSTERS

from .tables import EAST, NORTH, SOUTH, Table, disc, document, foe, setup, unit


@pytest.mark.rule("ST-021", "ST-029", "ST-360", "ST-361", "ST-362")
def test_versus_table_has_paired_points_without_cover():
    state = SYSTEM.prepare(setup())
    points = [(point.x, point.y) for point in state.points]
    assert points == [(24, 24), (12, 16), (36, 16), (12, 32), (36, 32)]
    assert len({round((x - 24) ** 2 + (y - 24) ** 2, 6) for x, y in points[1:]}) == 1
    assert [(each.kind, each.destructible) for each in state.discs] == [(c.TALL, 0)] * 2 + [(c.LOW, 1)] * 6
    for x, y in points:
        assert all((each.x - x) ** 2 + (each.y - y) ** 2 > each.radius**2 for each in state.discs)


@pytest.mark.rule("ST-021", "ST-029")
def test_own_table_is_played_on():
    pieces = [{"x": 24, "y": 20, "radius": 2, "kind": "tall", "is_destructible": True}]
    state = SYSTEM.prepare(setup(scenario={"name": "Ours", "spec": {"pieces": pieces}}))
    assert [(each.kind, each.x, each.y, each.radius, each.destructible) for each in state.discs] == [
        (c.TALL, 24, 20, 2, 1)
    ]


@pytest.mark.rule("ST-028")
def test_unit_with_most_hp_is_commander():
    table = Table([unit("green-viking"), unit("gamma-apollo")], [foe("blue-djinn"), foe("argonaut")])
    play.set_up(table.state, ScriptedDice([]), [])
    assert [side.commander for side in table.state.sides] == [1, 2]


@pytest.mark.rule("ST-041", "ST-045", "ST-046")
def test_attacked_unit_acts_next_and_answers():
    table = Table([unit(y=10)], [foe("argonaut", 10, 20), foe("argonaut", 24, 24), foe("argonaut", 40, 20)])
    table["a1"].attacked = 1 << 2
    table.battle.aggressor = 0
    assert has_obliged(table.state, c.SIDE_B)
    assert pick(table.state, c.SIDE_B, True) == 2
    assert must_answer(table.state, 2) == 0
    table["b2"].exempt = 1
    assert must_answer(table.state, 2) == c.NOBODY
    table["b2"].exempt, table["b2"].y = 0, 47
    assert must_answer(table.state, 2) == c.NOBODY  # out of range
    table["b2"].activated = 1
    assert not has_obliged(table.state, c.SIDE_B)


@pytest.mark.rule("ST-049", "ST-308")
def test_shut_down_unit_skips_turn_and_recovers():
    table = Table([unit(penalties=2)], [foe()]).activate("a1", [4, 5, 9])
    assert "turn-skipped" in table.kinds()
    assert "unit-moved" not in table.kinds()
    assert table["a1"].penalties == 0


@pytest.mark.rule("ST-065", "ST-301")
def test_unit_starting_turn_behind_enemy_blindsides():
    table = Table([unit(y=30)], [foe(y=20)])
    assert table["a1"].behind == 1 << 1
    table["a1"].y = 10  # its later position changes nothing
    reckon(table.state, 0, table.weapon("a1", "beam-rifle"), 1, 0, c.PLAIN)
    p = table.state.clashes[c.MAIN]
    assert (p.blindside, p.advantage, p.item) == (1, 1, c.NO_ITEM)
    assert Table([unit(y=10)], [foe(y=20)])["a1"].behind == 0


@pytest.mark.rule("ST-065", "ST-184")
@pytest.mark.parametrize(("face", "behind", "support"), [(SOUTH, 0, 1), (NORTH, 1, 0)])
def test_no_ally_supports_defence_against_blindside_attack(face, behind, support):
    table = Table([unit("argonaut", y=10)], [foe("argonaut", 24, 20, face=face), foe(y=22)])
    reckon(table.state, 0, table.weapon("a1", "heavy-machine-gun"), 1, 0, c.PLAIN)
    p = table.state.clashes[c.MAIN]
    assert (p.blindside, p.guard_support) == (behind, support)


@pytest.mark.rule("ST-366", "ST-367")
def test_point_within_reach_of_both_sides_belongs_to_nobody():
    table = Table([unit()], [foe()])
    point = table.state.points[0]
    point.owner = c.SIDE_A
    for key in ("a1", "b1"):
        table[key].x, table[key].y = point.x, point.y
    table.run(lambda s, dice, log: score_points(s, log))
    assert point.owner == c.NOBODY
    assert table.state.sides[c.SIDE_A].points_held == 0


@pytest.mark.rule("ST-067")
def test_terrain_does_not_stop_movement():
    table = Table([unit(y=10)], [foe(y=40)], terrain=[disc(24, 13, 2, c.TALL)])
    assert is_move_allowed(table.state, 0, 24, 17)


@pytest.mark.rule("ST-068")
def test_accelerating_gives_one_more_move():
    table = Table([unit("argonaut", 24, 4)], [foe("argonaut", 24, 47)]).activate("a1")
    assert table.kinds().count("unit-accelerated") == 1
    assert table.kinds().count("unit-moved") == 3


@pytest.mark.rule("ST-071", "ST-073")
def test_only_opponents_shoot_at_locked_unit():
    table = Table([unit("argonaut", 24, 10), unit("argonaut", 24, 19)], [foe("argonaut", 24, 24)])
    assert table["b1"].locked == 1
    weapon = table.state.weapons[table.weapon("a1", "heavy-machine-gun")]
    assert not may_shoot(table.state, 0, weapon, 2)
    assert not is_move_allowed(table.state, 1, 24, 15)
    assert is_move_allowed(table.state, 1, 24, 20)
    table["a2"].y = 18.9
    mark_engaged(table.state)
    assert may_shoot(table.state, 0, weapon, 2)


@pytest.mark.rule("ST-072")
def test_melee_attack_turns_attacker_to_enemy():
    table = Table([unit("argonaut", face=EAST)], [foe("argonaut", 24, 15)])
    table.attack("combat-knife", [1] * 5 + [5] * 4)
    assert (table["a1"].face_x, table["a1"].face_y) == NORTH


@pytest.mark.rule("ST-074", "ST-076")
def test_disengaging_costs_momentum_per_enemy():
    force = [unit()], [foe(y=14), foe(x=26, y=14)]
    table = Table(*force, momentum=(2, 0))
    assert disengage(table.state, 0, [])
    assert table.state.sides[0].momentum == 0
    assert not disengage(table.state, 0, [])
    free = Table(*force, free_disengage=True)
    assert not disengage(free.state, 0, [])
    free["a1"].struck = 1
    assert disengage(free.state, 0, [])


@pytest.mark.rule("ST-091")
def test_distance_is_measured_between_centres():
    assert distance(Table([unit(x=3, y=4)], [foe(x=0, y=0, size=5)]).state, 0, 1) == 5


@pytest.mark.rule("ST-101")
def test_shooting_needs_front_arc_unless_all_round():
    table = Table([unit(face=(0.0, -1.0))], [foe()])
    u = table["a1"]
    assert not in_arc(u, table.state.weapons[table.weapon("a1", "beam-rifle")], 24, 20)
    assert in_arc(u, table.state.weapons[table.weapon("a1", "beam-phalanx")], 24, 20)


@pytest.mark.rule("ST-104")
def test_shot_within_sensors_ignores_cover():
    for far, lock, item in ((14, 1, c.NO_ITEM), (15, 0, c.COVER)):
        table = Table([unit(y=10)], [foe("argonaut", y=10 + far)], terrain=[disc(24, 10 + far)])
        reckon(table.state, 0, table.weapon("a1", "beam-rifle"), 1, 0, c.PLAIN)
        p = table.state.clashes[c.MAIN]
        assert (p.lock, p.item) == (lock, item)


@pytest.mark.rule("ST-220")
def test_boost_point_buys_a_move():
    table = Table([unit("dervish", 24, 2)], [foe("argonaut", 24, 47)])
    for at in range(table["a1"].weapon, table["a1"].weapon + 2):
        table.state.weapons[at].range = 21.0
    plan(table.state, 0, c.NOBODY, 2, 0)
    assert table.state.plans[0].target == c.NOBODY
    table.run(lambda s, dice, log: play.make_plan(s, 0, c.NOBODY, 2, 1, log))
    assert table.event("boost-spent").result == {"left": 0, "evades": False}
    assert table["a1"].boost == 0


@pytest.mark.rule("ST-242", "ST-243", "ST-244")
def test_moving_towards_enemy_shifts_momentum():
    table = Table([unit(y=10)], [foe(y=40)], momentum=(2, 5))
    move(table.state, 0, 24.0, 14.0, 24.0, 40.0, [])
    assert table.state.sides[0].momentum == 3
    table["a1"].activated = 1  # every enemy has been activated: nothing shifts
    move(table.state, 1, 24.0, 44.0, 24.0, 0.0, [])
    assert table.state.sides[1].momentum == 5
    table["a1"].activated = 0
    move(table.state, 1, 24.0, 46.0, 24.0, 0.0, [])
    assert table.state.sides[1].momentum == 4


@pytest.mark.rule("ST-363", "ST-364", "ST-365")
def test_control_point_is_taken_contested_and_kept():
    table = Table([unit(x=24, y=21)], [foe(x=24, y=40)])
    capture(table.state, 0, [])
    assert table.state.points[0].owner == c.SIDE_A
    table["a1"].y = 10
    capture(table.state, 0, [])
    assert table.state.points[0].owner == c.SIDE_A
    table["a1"].y, table["b1"].y = 21, 27
    capture(table.state, 1, [])
    assert table.state.points[0].owner == c.NOBODY


@pytest.mark.rule("ST-093", "ST-095")
def test_tall_piece_blocks_line_both_ways():
    table = Table([unit()], [foe(y=30)], terrain=[disc(24, 20, 2, c.TALL)])
    assert not sees(table.state, 24, 10, 24, 30)
    assert not sees(table.state, 24, 30, 24, 10)
    assert sees(table.state, 24, 19, 24, 30)


@pytest.mark.parametrize(
    ("change", "place", "rule"),
    [
        ({"a": ["escort-carrier"]}, "sides[0].units", "ST-"),
        ({"a": ["argonaut"] * 12}, "sides[0].units", "ST-013"),
        ({"a": [{"design": "argonaut", "condition": {"hits": 2200}}]}, "sides[0].units[0].condition.hits", "ST-406"),
        ({"terrain": "moon"}, "terrain", ""),
        ({"doctrines": ("aggressive", "mad")}, "sides[1].doctrine", ""),
    ],
)
@pytest.mark.rule("ST-013")
def test_impossible_setup_is_refused_with_its_place(change, place, rule):
    with pytest.raises(DocumentError) as refused:
        SYSTEM.check_setup(setup(**change))
    assert refused.value.path == place
    assert rule in refused.value.reason


@pytest.mark.rule("ST-203")
def test_unit_on_board_needs_a_ship():
    aboard = {**document()["sides"][0]["units"][0]}
    aboard["design"] = {**ROSTERS.spec_json(ROSTERS.published["argonaut"].spec), "aboard": True}
    with pytest.raises(DocumentError, match="ST-203"):
        SYSTEM.check_setup(setup([aboard], options={"tier": "advanced"}))
