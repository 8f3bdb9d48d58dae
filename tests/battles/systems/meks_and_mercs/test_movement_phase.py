"""Zone movement on the map: what is allowed, and what the doctrines do."""

import pytest

from battles.systems.meks_and_mercs.doctrine_map import choose_zone, passes_entry_test
from battles.systems.meks_and_mercs.rules.contact import make_contact
from battles.systems.meks_and_mercs.rules.facts import distance, pair_of
from battles.systems.meks_and_mercs.rules.movement_phase import (
    ENEMY_THERE,
    IN_CONTACT,
    LEGAL,
    NO_EXIT,
    NOT_ADJACENT,
    STAYS_PUT,
    arrive,
    move_problem,
    movement_phase,
    second_move,
    sweep,
)
from battles.systems.meks_and_mercs.rules.support import set_up
from battles.systems.meks_and_mercs.state import ASSAULT, ATTACKER, DEFENDER, HOLD, HUNT, LEFT, LONG, OFF_MAP, RUN

from .games import COMPANIES, Map, crew, kinds
from .states import mek

ODDS = ("cautious", "cautious")


@pytest.mark.rule("MM-020")
def test_a_unit_in_unbroken_contact_may_not_leave_its_zone():  # MM-X33
    table = Map().put(a2=5, d1=5)
    make_contact(table.state, 5, [])
    assert move_problem(table.state, table.at("a2"), 6, 0) == IN_CONTACT
    pair_of(table.state, table.at("a2"), table.at("d1")).broken_by = 1
    assert move_problem(table.state, table.at("a2"), 6, 0) == LEGAL


@pytest.mark.rule("MM-019")
def test_a_move_goes_to_an_adjacent_zone_and_never_across_a_corner():  # MM-X34
    table = Map().put(a2=7)
    assert move_problem(table.state, table.at("a2"), 5, 0) == NOT_ADJACENT
    assert [zone for zone in range(1, 10) if move_problem(table.state, table.at("a2"), zone, 0) == LEGAL] == [4, 8]


@pytest.mark.rule("MM-019")
def test_diagonal_moves_are_a_house_rule():
    table = Map(options={"diagonal-moves": True}).put(a2=7)
    assert move_problem(table.state, table.at("a2"), 5, 0) == LEGAL
    assert distance(table.state.battle, 1, 9) == 2
    assert distance(Map().state.battle, 1, 9) == 4


@pytest.mark.rule("MM-018")
def test_a_second_move_never_enters_a_zone_with_a_visible_enemy():  # MM-X35
    table = Map().put(a2=2, d1=5)
    assert move_problem(table.state, table.at("a2"), 5, 1) == ENEMY_THERE
    assert move_problem(table.state, table.at("a2"), 5, 0) == LEGAL
    table["d1"].hidden = 1
    assert move_problem(table.state, table.at("a2"), 5, 1) == LEGAL


@pytest.mark.rule("MM-022", "MM-019")
def test_a_strongpoint_stays_and_commandos_and_vehicles_move_one_zone():
    table = Map("hot-gates", support=((), ("commandos", "panzer"))).put(**{"d+1": 5, "d+2": 5, "d+3": 8})
    table.state.sides[DEFENDER].support_order = ASSAULT
    for key in ("d+1", "d+2"):
        table[key].order, table[key].goal = ASSAULT, 8
        assert move_problem(table.state, table.at(key), 8, 0) == LEGAL
    assert move_problem(table.state, table.at("d+3"), 9, 0) == STAYS_PUT
    table.play(movement_phase, [], DEFENDER)
    assert [table[key].zone for key in ("d+1", "d+2", "d+3")] == [8, 8, 8]


@pytest.mark.rule("MM-021")
def test_a_free_unit_in_an_exit_zone_leaves_the_map_for_good():
    table = Map("hot-gates").put(a1=8, d1=1)
    events = table.play(movement_phase, [], ATTACKER)
    assert kinds(events) == ["phase-began", "unit-left"]
    assert (table["a1"].off, table["a1"].present, table["a1"].zone) == (LEFT, 0, OFF_MAP)
    assert table.state.sides[ATTACKER].exited == 1
    assert move_problem(Map("hot-gates").put(a1=5).state, 0, OFF_MAP, 0) == NO_EXIT


@pytest.mark.rule("MM-023")
@pytest.mark.parametrize(("face", "zone"), [(4, 4), (5, 5)])
def test_a_wounded_pilot_moves_on_5_or_more(face, zone):
    table = Map().put(a1=4, d1=6)
    table["a1"].wounded = 1
    events = table.play(movement_phase, [face], ATTACKER)
    assert events[1].rule == "MM-023"
    assert table["a1"].zone == zone


@pytest.mark.rule("MM-033")
def test_a_broken_pair_lasts_until_its_breaker_has_moved():
    table = Map().put(a1=5, d1=5)
    table["a1"].order = table["d1"].order = HOLD
    make_contact(table.state, 5, [])
    pair = pair_of(table.state, table.at("a1"), table.at("d1"))
    pair.broken_by, pair.band = ATTACKER + 1, 0
    table.play(movement_phase, [], DEFENDER)
    assert (pair.made, pair.broken_by) == (1, 1)
    assert not make_contact(table.state, 5, [])
    assert "contact-reopened" in kinds(table.play(movement_phase, [], ATTACKER))
    assert make_contact(table.state, 5, [])
    assert (pair.band, pair.broken_by) == (LONG, 0)


@pytest.mark.rule("MM-018")
def test_who_makes_a_second_move_carries_2_heat_and_others_lose_theirs():
    table = Map().put(a1=4, a2=5, d1=6)
    table["a1"].order = table["a2"].order = HUNT
    table["a2"].carried_heat = table["d1"].carried_heat = 2
    table.play(second_move, [], ATTACKER)
    assert (table["a1"].zone, table["a1"].carried_heat) == (5, 2)
    assert (table["a2"].zone, table["a2"].carried_heat) == (5, 0)
    assert table["d1"].carried_heat == 0


@pytest.mark.rule("MM-098")
@pytest.mark.parametrize(
    ("turn", "faces", "zone", "arrived"),
    [
        (1, [3, 3, 4, 3, 3], 3, [0, 1, 0, 0]),
        (2, [4, 2, 3, 3, 2], 7, [0, 1, 1, 0]),
        (3, [6, 1, 2, 2, 2], 7, [0, 1, 1, 1]),
        (4, [1], 3, [1, 1, 1, 1]),
    ],
)
def test_attackers_of_the_citadel_arrive_by_the_dice(turn, faces, zone, arrived):
    table = Map("citadel")
    table.state.battle.turn = turn
    events = table.play(arrive, faces, ATTACKER)
    assert events[0].result["zone"] == zone
    assert [table[key].present for key in ("a1", "a2", "a3", "a4")] == arrived
    assert {table[key].zone for key in ("a1", "a2", "a3", "a4") if table[key].present} == {zone}


@pytest.mark.rule("MM-038")
def test_advanced_sensors_look_for_infantry_next_door_and_need_5():
    spotter = mek("heavy", ["ppc"], ["sensor-advanced"])
    for face, found in (4, 0), (5, 1):
        table = Map("hot-gates", attackers=[spotter, spotter]).put(**{"a1": 5, "d+1": 8})
        table.play(sweep, [face], table.at("a1"))
        assert table["d+1"].detected == found


@pytest.mark.rule("MM-074")
def test_hawkeye_reveals_one_hidden_thing_next_door_on_5():
    eyes = [crew("draken", "veteran", ["hawkeye"]), crew("saber")]
    for face, hidden in (4, 1), (5, 0):
        table = Map(attackers=eyes).put(a1=5, d1=6, d2=6)
        table["d1"].hidden = table["d2"].hidden = 1
        table.play(sweep, [face], table.at("a1"))
        assert (table["d1"].hidden, table["d2"].hidden) == (hidden, 1)


@pytest.mark.rule("MM-A39")
def test_a_cautious_unit_counts_before_it_enters():
    table = Map("breach", doctrines=ODDS).put(a1=4, d1=5, d2=5)
    assert not passes_entry_test(table.state, table.at("a1"), 5)
    table.put(a1=4, a2=2, d1=5)
    assert passes_entry_test(table.state, table.at("a1"), 5)
    table["a1"].hits = table["a1"].full_hits // 2
    assert not passes_entry_test(table.state, table.at("a1"), 5)
    table.state.battle.turn = 7  # more than half of 12: it must attack
    assert passes_entry_test(table.state, table.at("a1"), 5)


@pytest.mark.rule("MM-A41")
def test_who_broke_contact_goes_back_towards_its_start():
    table = Map().put(a1=5, d1=5, d2=4)
    table["a1"].withdrew, table["a1"].start_zone = 1, 4
    assert choose_zone(table.state, table.at("a1"), 0) == 2  # 4 itself is held; 2 and 8 are as near as each other


@pytest.mark.rule("MM-A41")
def test_an_aggressive_holder_with_company_joins_a_fight_next_door():
    table = Map().put(d1=5, d2=5, d3=4, a1=4)
    for key in ("d1", "d2"):
        table[key].order = HOLD
    make_contact(table.state, 4, [])
    assert choose_zone(table.state, table.at("d1"), 0) == 4
    table["d2"].present = 0
    assert choose_zone(table.state, table.at("d1"), 0) == 5


@pytest.mark.rule("MM-A42")
def test_a_cautious_hunter_makes_no_second_move():
    cautious, bold = Map(doctrines=ODDS).put(a1=4, d1=6), Map().put(a1=4, d1=6)
    assert choose_zone(cautious.state, 0, 1) == 4
    assert choose_zone(bold.state, 0, 1) == 5


@pytest.mark.rule("MM-A40")
def test_attackers_who_have_cleared_the_map_run_for_its_edge():
    table = Map("buying-time").put(a1=5)
    table.play(movement_phase, [], ATTACKER)
    assert (table["a1"].order, table["a1"].zone) == (RUN, 2)


@pytest.mark.rule("MM-012", "MM-013")
@pytest.mark.parametrize(
    ("scenario", "doctrine", "attackers", "defenders"),
    [
        ("opening-shots", "aggressive", [7, 7, 7], [3, 5, 5]),
        ("opening-shots", "cautious", [7, 7, 7], [3, 3, 3]),
        ("hot-gates", "aggressive", [2, 2], [8, 5, 8, 8]),
        ("hot-gates", "cautious", [2, 2], [8, 9, 8, 8]),
        ("buying-time", "aggressive", [8, 8, 8], [5, 2]),
        ("breach", "aggressive", [2, 2, 2], [5, 5, 8]),
        ("head-to-head", "cautious", [4, 4, 4], [6, 6, 6]),
        ("citadel", "aggressive", [0, 0, 0, 0], [5, 5, 5]),
    ],
)
def test_companies_start_in_the_zones_of_their_scenario(scenario, doctrine, attackers, defenders):
    table = Map(scenario, doctrines=(doctrine, doctrine))
    table.play(set_up, [])
    zones = [table[key].zone for key in table.keys]
    assert zones == attackers + defenders
    assert len(COMPANIES[scenario][0]) == len(attackers)
