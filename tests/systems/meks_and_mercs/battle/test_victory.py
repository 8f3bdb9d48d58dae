"""The winner at a turn's end. Section 2.14 and MM-091 to MM-097."""

import pytest

from systems.meks_and_mercs.battle.rules.turn import judge
from systems.meks_and_mercs.battle.state import ATTACKER, BY_HITS, DEFENDER, LEFT, NOBODY, OCCUPY, WAITING

from .games import Map, crew


def lose(table: Map, *keys: str) -> Map:
    for key in keys:
        table[key].present, table[key].lost_by = 0, BY_HITS
    return table


def leave(table: Map, *keys: str) -> Map:
    for key in keys:
        table[key].present, table[key].off = 0, LEFT
        table.state.sides[ATTACKER].exited += 1
    return table


def verdict(table: Map, turn: int = 1) -> int | None:
    """Return the winner, NOBODY for a draw, None if the game goes on."""
    table.state.battle.turn = turn
    return table.state.battle.winner if judge(table.state) else None


@pytest.mark.rule("MM-091")
def test_only_meks_occupy_zone_despite_commandos_and_decoys():
    table = Map("hot-gates", support=(("panzer",), ("commandos", "decoy", "panzer")))
    table.state.battle.objective, table.state.battle.key_zone = OCCUPY, 8
    assert verdict(table.put(a1=8)) == ATTACKER
    table.put(**{"a1": 8, "d+1": 8, "d+5": 8})
    assert table["d+5"].decoy
    assert verdict(table) == ATTACKER
    for key in ("d+2", "d+3", "d1"):
        assert verdict(table.put(**{"a1": 8, key: 8})) is None
    table["d1"].hidden = 1
    assert verdict(table) is None
    assert verdict(table.put(**{"a+1": 8})) is None  # a vehicle alone does not occupy a zone


@pytest.mark.rule("MM-092")
def test_opening_shots_goes_to_zone_3_or_last_mek():
    shots = "opening-shots"
    assert verdict(Map(shots).put(a1=7, d1=5)) is None
    assert verdict(Map(shots).put(a1=3, d1=5)) == ATTACKER
    assert verdict(Map(shots).put(a1=3, d1=3)) is None
    assert verdict(lose(Map(shots).put(a1=7), "d1", "d2", "d3")) == ATTACKER
    assert verdict(lose(Map(shots).put(d1=7), "a1", "a2", "a3")) == DEFENDER
    assert verdict(lose(Map(shots), "a1", "a2", "a3", "d1", "d2", "d3")) == NOBODY
    assert verdict(Map(shots).put(a1=7, d1=5), 12) == DEFENDER


@pytest.mark.rule("MM-093")
def test_half_of_starting_meks_passes_hot_gates():
    gates = "hot-gates"
    assert verdict(Map(gates)) is None
    assert verdict(leave(Map(gates), "a1")) == ATTACKER
    assert verdict(lose(Map(gates), "a1")) is None
    assert verdict(lose(Map(gates), "a1", "a2")) == DEFENDER
    assert verdict(Map(gates), 12) == DEFENDER


@pytest.mark.rule("MM-093")
def test_half_of_three_meks_is_two():
    table = leave(Map("hot-gates", attackers=[crew("wasp", "green")] * 3), "a1")
    assert verdict(table) is None
    assert verdict(leave(table, "a2")) == ATTACKER
    assert verdict(lose(Map("hot-gates", attackers=[crew("wasp", "green")] * 3), "a1", "a2")) == DEFENDER


@pytest.mark.rule("MM-093")
def test_escaped_mek_no_longer_counts_as_able_to_escape():
    table = leave(Map("hot-gates", attackers=[crew("wasp", "green")] * 3), "a1")
    assert verdict(lose(table, "a2")) is None
    assert verdict(lose(table, "a3")) == DEFENDER


@pytest.mark.rule("MM-094")
def test_quarter_of_five_meks_is_two():
    table = lose(Map("buying-time", attackers=[crew("wasp", "green")] * 5), "d1", "d2")
    assert verdict(leave(table, "a1")) is None
    assert verdict(leave(table, "a2")) == ATTACKER


@pytest.mark.rule("MM-094")
def test_buying_time_needs_both_conditions_of_a_side():
    time = "buying-time"
    assert verdict(leave(lose(Map(time), "d1", "d2"), "a1")) == ATTACKER
    assert verdict(leave(Map(time), "a1")) is None
    assert verdict(leave(Map(time), "a1"), 6) == NOBODY
    assert verdict(lose(Map(time), "d1", "d2"), 6) == NOBODY
    assert verdict(Map(time), 6) == DEFENDER
    assert verdict(lose(Map(time), "a1", "a2", "a3")) == DEFENDER
    assert verdict(lose(Map(time), "a1", "a2", "a3", "d1", "d2")) == NOBODY


@pytest.mark.rule("MM-095")
def test_breach_is_held_for_three_turn_ends():
    table = Map("breach").put(a1=5, d1=8)
    assert [verdict(table) for _ in range(3)] == [None, None, ATTACKER]
    table = Map("breach").put(a1=5, d1=8)
    assert verdict(table) is None
    assert verdict(table.put(a1=5, d1=5)) is None
    assert table.state.battle.held == 0
    assert verdict(table, 12) == DEFENDER
    assert verdict(lose(Map("breach"), "a1", "a2", "a3")) == DEFENDER


@pytest.mark.rule("MM-096")
def test_head_to_head_goes_to_the_last_side_with_a_mek():
    duel = "head-to-head"
    assert verdict(Map(duel)) is None
    assert verdict(lose(Map(duel), "a1", "a2", "a3")) == DEFENDER
    assert verdict(lose(Map(duel), "d1", "d2", "d3")) == ATTACKER
    assert verdict(lose(Map(duel), "a1", "a2", "a3", "d1", "d2", "d3")) == NOBODY
    assert verdict(Map(duel), 20) == NOBODY


@pytest.mark.rule("MM-097")
def test_citadel_falls_without_defending_mek_in_zone_5():
    citadel = "citadel"
    assert verdict(Map(citadel)) is None
    assert Map(citadel)["a1"].off == WAITING
    assert verdict(Map(citadel).put(a1=5, d1=5)) is None  # contested, but still held
    assert verdict(Map(citadel).put(a1=4, d1=6)) == ATTACKER
    assert verdict(Map(citadel), 6) == DEFENDER
    assert verdict(lose(Map(citadel), "a1", "a2", "a3", "a4")) == DEFENDER
    gone = lose(Map(citadel).put(d1=6), "a1", "a2", "a3", "a4")
    assert verdict(gone) == NOBODY
