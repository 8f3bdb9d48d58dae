"""Zone movement on the map: legal moves, and the moves that each AI style chooses."""

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from systems.meks_and_mercs.battle import SYSTEM
from systems.meks_and_mercs.battle.ai_map import choose_zone, passes_entry_test
from systems.meks_and_mercs.battle.play import movement_phase, second_move, set_up
from systems.meks_and_mercs.battle.rules import pair_of
from systems.meks_and_mercs.battle.rules.turn import arrive, sweep
from systems.meks_and_mercs.battle.rules.zone_combat import make_contact
from systems.meks_and_mercs.battle.state import ASSAULT, ATTACKER, DEFENDER, HOLD, HUNT, LEFT, LONG, OFF_MAP, RUN
from systems.simulation.records import resolve

from .games import COMPANIES, Map, crew, games, kinds
from .states import mek

ODDS = ("cautious", "cautious")


def set_goal(table: Map, key: str, goal: int, order: int = ASSAULT) -> Map:
    """Give the unit a zone to reach or, if it runs, an edge of the map."""
    table[key].order, table[key].goal = order, goal
    return table


def zone_after_phase(table: Map, key: str, phase: Callable[..., object] = movement_phase) -> int:
    """Return the unit's zone after a movement phase, or second move, of its side."""
    table.play(phase, [], table[key].side)
    return table[key].zone


def apart(one: int, other: int) -> int:
    """Return the number of moves between two zones of the map, three to a row."""
    return sum(abs(a - b) for a, b in zip(divmod(one - 1, 3), divmod(other - 1, 3), strict=True))


@pytest.mark.rule("MM-020")
def test_unit_in_unbroken_contact_may_not_leave_zone():  # MM-X33
    table = set_goal(Map().put(a2=5, d1=5), "a2", 6)
    make_contact(table.state, 5, [])
    assert zone_after_phase(table, "a2") == zone_after_phase(table, "a2", second_move) == 5
    pair_of(table.state, table.at("a2"), table.at("d1")).broken_by = 1
    assert zone_after_phase(table, "a2") == 6


@pytest.mark.rule("MM-019")
@pytest.mark.parametrize("second", [False, True])
def test_move_goes_to_adjacent_zone_and_never_diagonally(second):  # MM-X34
    phase = second_move if second else movement_phase
    assert zone_after_phase(set_goal(Map().put(a2=7), "a2", 5), "a2", phase) == 4
    for start, goal in product(range(1, 10), repeat=2):
        table = set_goal(Map().put(a2=start), "a2", goal)
        zone = zone_after_phase(table, "a2", phase)
        assert apart(start, zone) == (start != goal)
        assert apart(start, goal) == apart(zone, goal) + (start != goal)


@pytest.mark.rule("MM-019")
def test_house_rule_allows_diagonal_moves():
    table = set_goal(Map(options={"diagonal-moves": True}).put(a2=7), "a2", 3)
    assert [zone_after_phase(table, "a2"), zone_after_phase(table, "a2")] == [5, 3]
    plain = set_goal(Map().put(a2=7), "a2", 3)
    assert [zone_after_phase(plain, "a2") for _turn in range(4)] == [4, 1, 2, 3]


@pytest.mark.rule("MM-018")
def test_second_move_never_enters_zone_with_visible_enemy():  # MM-X35
    def second(hidden: int) -> int:
        table = set_goal(Map().put(a2=2, d1=5), "a2", 8)
        table["d1"].hidden = hidden
        return zone_after_phase(table, "a2", second_move)

    assert (second(hidden=0), second(hidden=1)) == (2, 5)
    assert zone_after_phase(set_goal(Map().put(a2=2, d1=5), "a2", 8), "a2") == 5


@pytest.mark.rule("MM-022", "MM-019")
def test_strongpoint_stays_and_vehicles_move_one_zone():
    table = Map("hot-gates", support=((), ("commandos", "panzer"))).put(**{"d+1": 5, "d+2": 5, "d+3": 8})
    for key in ("d+1", "d+2"):
        set_goal(table, key, 8)
    set_goal(table, "d+3", 9)
    table.play(movement_phase, [], DEFENDER)
    assert [table[key].zone for key in ("d+1", "d+2", "d+3")] == [8, 8, 8]
    table.play(second_move, [], DEFENDER)
    assert table["d+3"].zone == 8


@pytest.mark.rule("MM-021")
def test_free_unit_in_exit_zone_leaves_map():
    table = Map("hot-gates").put(a1=8, d1=1)
    events = table.play(movement_phase, [], ATTACKER)
    assert kinds(events) == ["phase-began", "unit-left"]
    assert (table["a1"].off, table["a1"].present, table["a1"].zone) == (LEFT, 0, OFF_MAP)
    assert table.state.sides[ATTACKER].exited == 1
    assert zone_after_phase(table, "a1") == OFF_MAP
    assert table["a1"].off == LEFT


@pytest.mark.rule("MM-021", "MM-093")
def test_vehicle_that_leaves_is_no_escaped_mek():
    table = set_goal(Map("hot-gates", support=(("panzer",), ())).put(**{"a+1": 8, "d1": 1}), "a+1", 0, RUN)
    table.play(movement_phase, [], ATTACKER)
    assert (table["a+1"].off, table.state.sides[ATTACKER].exited) == (LEFT, 0)


@pytest.mark.rule("MM-021")
@pytest.mark.parametrize("zone", [1, 2, 3, 4, 5, 6])
def test_unit_leaves_map_only_from_exit_zone(zone):
    table = set_goal(Map("hot-gates").put(a1=zone), "a1", 0, RUN)
    assert zone_after_phase(table, "a1") != OFF_MAP
    assert table["a1"].present


@pytest.mark.rule("MM-018", "MM-019", "MM-020", "MM-021", "MM-022")
@settings(max_examples=60, deadline=None)
@given(setup=games(), seed=st.integers(0, 2**32))
def test_every_move_of_random_game_is_legal(setup, seed):
    situation, second = SYSTEM.opening(setup), False
    exits = SYSTEM.prepare(setup).battle.exits
    for event in resolve(setup, seed).events:
        if event.kind == "phase-began":
            second = bool(event.result["second"])
        if event.kind in ("unit-moved", "unit-left"):
            units = {unit.key: unit for unit in situation.units}
            mover, zone = units[event.unit or ""], int(event.result["zone"] or 0)
            assert mover.chassis != "infantry"
            assert not mover.decoy
            assert not any(mover.key in (pair.a_key, pair.d_key) and not pair.broken for pair in situation.bands)
            enemies = [unit for unit in units.values() if unit.side != mover.side and unit.zone == zone]
            if event.kind == "unit-left":
                assert exits & 1 << zone
            else:
                rows, columns = (
                    abs(a - b) for a, b in zip(divmod(mover.zone - 1, 3), divmod(zone - 1, 3), strict=True)
                )
                assert (max(rows, columns) if setup.options["diagonal-moves"] else rows + columns) == 1
                assert not second or all(enemy.hidden or enemy.chassis == "commandos" for enemy in enemies)
        situation = SYSTEM.follow(situation, event)


@pytest.mark.rule("MM-023")
@pytest.mark.parametrize(("face", "zone"), [(4, 4), (5, 5)])
def test_a_wounded_pilot_moves_on_5_or_more(face, zone):
    table = Map().put(a1=4, d1=6)
    table["a1"].wounded = 1
    events = table.play(movement_phase, [face], ATTACKER)
    assert events[1].rule == "MM-023"
    assert table["a1"].zone == zone


@pytest.mark.rule("MM-033")
def test_broken_pair_lasts_until_its_breaker_moves():
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
def test_second_move_carries_two_heat():
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
def test_citadel_attackers_arrive_by_dice(turn, faces, zone, arrived):
    table = Map("citadel")
    table.state.battle.turn = turn
    events = table.play(arrive, faces, ATTACKER)
    assert events[0].result["zone"] == zone
    assert [table[key].present for key in ("a1", "a2", "a3", "a4")] == arrived
    assert {table[key].zone for key in ("a1", "a2", "a3", "a4") if table[key].present} == {zone}


@pytest.mark.rule("MM-038")
def test_advanced_sensors_find_adjacent_infantry_on_five():
    spotter = mek("heavy", ["ppc"], ["sensor-advanced"])
    for face, found in (4, 0), (5, 1):
        table = Map("hot-gates", attackers=[spotter, spotter]).put(**{"a1": 5, "d+1": 8})
        table.play(sweep, [face], table.at("a1"))
        assert table["d+1"].detected == found


@pytest.mark.rule("MM-074")
def test_hawkeye_reveals_one_adjacent_hidden_mek_on_five():
    eyes = [crew("draken", "veteran", ["hawkeye"]), crew("saber")]
    for face, hidden in (4, 1), (5, 0):
        table = Map(attackers=eyes).put(a1=5, d1=6, d2=6)
        table["d1"].hidden = table["d2"].hidden = 1
        table.play(sweep, [face], table.at("a1"))
        assert (table["d1"].hidden, table["d2"].hidden) == (hidden, 1)


@pytest.mark.rule("MM-A39")
def test_cautious_unit_compares_strength_before_entering():
    table = Map("breach", doctrines=ODDS).put(a1=4, d1=5, d2=5)
    assert not passes_entry_test(table.state, table.at("a1"), 5)
    table.put(a1=4, a2=2, d1=5)
    assert passes_entry_test(table.state, table.at("a1"), 5)
    table["a1"].hits = table["a1"].full_hits // 2
    assert not passes_entry_test(table.state, table.at("a1"), 5)
    table.state.battle.turn = 7  # more than half of 12: it must attack
    assert passes_entry_test(table.state, table.at("a1"), 5)


@pytest.mark.rule("MM-A41")
def test_unit_that_broke_contact_returns_towards_start():
    table = Map().put(a1=5, d1=5, d2=4)
    table["a1"].withdrew, table["a1"].start_zone = 1, 4
    assert choose_zone(table.state, table.at("a1"), 0) == 2  # 4 is held by an enemy; 2 and 8 are equally near


@pytest.mark.rule("MM-A41")
def test_aggressive_holder_with_company_joins_adjacent_fight():
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
def test_attackers_on_cleared_map_run_for_edge():
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
