"""Autoplay orders: where Units go and stay, when they fall back, what they attack."""

from __future__ import annotations

import pytest

from systems.documents import DocumentError
from systems.engine.dice import SeededDice
from systems.hex_core.battle import SYSTEM
from systems.hex_core.battle import ai as hexes
from systems.hex_core.battle import state as c
from systems.hex_core.battle.ai_combat import pairs_of
from systems.hex_core.battle.ai_moves import move
from systems.hex_core.battle.ai_values import mark_on, target_in
from systems.hex_core.battle.rules import distance, vital_dp
from systems.hex_core.battle.rules.rounds import place_objective
from systems.reading import read_setup
from systems.simulation.records import resolve

from .tables import Table, document, foe, number, unit

pytestmark = pytest.mark.rule("HX-A60")
ENTERED = ("unit-stepped",)


def table_after_move(mission="elimination", enemy=(7, 2), doctrine="aggressive", **orders):
    """Return the table after the move of a Unit from (7, 8); in Domination an Objective lies behind it."""
    t = Table([unit(at=(7, 8), **orders)], [foe(at=enemy)], mission=mission, doctrines=(doctrine, doctrine), pool=2)
    if mission == "domination":
        t.do(place_objective, number((7, 12)), c.SIDE_A)
    t.run(move, 0)
    return t


def gap(t):
    return distance(t.state, t["a1"].at, t["b1"].at)


@pytest.mark.parametrize("doctrine", ["aggressive", "cautious"])
@pytest.mark.parametrize("mission", ["elimination", "domination", "assassination"])
def test_unit_ordered_to_hold_stays_in_hex(mission, doctrine):
    for enemy in ((7, 1), (7, 5), (7, 7)):
        assert table_after_move(mission, enemy, doctrine, ordered_move=c.ORDERED_HOLD).hex_of("a1") == (7, 8)


def test_unit_ordered_to_close_ignores_mission():
    assert gap(table_after_move("domination")) > 6
    assert gap(table_after_move("domination", ordered_move=c.ORDERED_CLOSE)) < 6
    assert gap(table_after_move(enemy=(7, 5), ordered_move=c.ORDERED_CLOSE)) <= 1


@pytest.mark.parametrize("mission", ["elimination", "domination"])
def test_unit_ordered_away_ignores_mission(mission):
    t = Table([unit(at=(7, 8), ordered_move=c.ORDERED_AWAY)], [foe(at=(7, 5))], mission=mission)
    if mission == "domination":
        t.do(place_objective, number((7, 5)), c.SIDE_A)
    t.run(move, 0)
    assert gap(t) > 3


@pytest.mark.parametrize("orders", [{}, {"ordered_move": c.ORDERED_HOLD}, {"ordered_move": c.ORDERED_CLOSE}])
def test_unit_falls_back_at_ordered_dp(orders):
    left = vital_dp(Table([unit()]).state, 0)
    assert gap(table_after_move(enemy=(7, 5), ordered_retreat=left, **orders)) > 3
    assert gap(table_after_move(enemy=(7, 5), ordered_retreat=left - 1, **orders)) <= 3


ENEMIES = (("bastion", (7, 6)), ("wisp", (8, 5)), ("warden", (6, 5)))


def three(order, **more):
    return Table([unit(ordered_target=order, **more)], [foe(design, at) for design, at in ENEMIES], pool=8)


@pytest.mark.parametrize(
    ("ordered_target", "order"),
    [(c.ORDERED_DEAREST, "132"), (c.ORDERED_CHEAPEST, "231"), (c.ORDERED_WEAKEST, "231"), (c.ORDERED_TOUGHEST, "132")],
)
def test_unit_attacks_ordered_target_in_reach(ordered_target, order):
    t = three(ordered_target)
    t["b1"].marked = 1 if order[0] == "2" else 0  # the order goes before the enemy's mark
    for key in order:
        assert target_in(pairs_of(t.state, 0, 0, 8)) == t.at(f"b{key}")
        t[f"b{key}"].status = c.DESTROYED


def test_mark_goes_first_without_orders():
    t = three(0)
    assert [mark_on(t.state, 0, t.at(f"b{at}")) for at in (1, 2, 3)] == [0, 0, 0]
    t["b2"].marked = 1
    assert [mark_on(t.state, 0, t.at(f"b{at}")) for at in (1, 2, 3)] == [0, 1, 0]


def test_nearest_order_prefers_nearest_enemy():
    t = three(c.ORDERED_NEAREST)
    marks = [mark_on(t.state, 0, t.at(f"b{at}")) for at in (1, 2, 3)]
    gaps = [distance(t.state, t["a1"].at, t[f"b{at}"].at) for at in (1, 2, 3)]
    assert marks.index(max(marks)) == gaps.index(min(gaps))


# --- set-up, and orders for a time ------------------------------------------------------------------------------------


def setup_with_orders(a, b=("warden",), of_a_side=None, units=None, **given):
    """Return a set-up in which side A has orders, and Units of either side by their keys."""
    changed = document(a, b, **given)
    changed["sides"][0]["standing"] = of_a_side or {}
    for side in changed["sides"]:
        for each in side["units"]:
            each["standing"] = (units or {}).get(each["key"], {})
    return read_setup(changed)


def starting_columns(setup):
    """Return by key the column in which each Unit is set up, as seen by its side."""
    state = SYSTEM.prepare(setup)
    log = []
    SYSTEM.begin(state, SeededDice(1), log)
    columns = {}
    for key, each in zip([key for key, _side in SYSTEM.fielded(setup)], state.units, strict=True):
        column = each.at % state.battle.columns
        columns[key] = column if key.startswith("a") else state.battle.columns - 1 - column
    return columns


@pytest.mark.rule("HX-059")
def test_units_set_up_in_ordered_third():
    two = ("warden", "longbow")
    starts = starting_columns(setup_with_orders(two, two))
    assert starts == {"a1": 7, "a2": 9, "b1": 7, "b2": 9}
    starts = starting_columns(setup_with_orders(two, two, units={"a1": {"start": "right"}, "b2": {"start": "left"}}))
    assert starts == {"a1": 13, "a2": 9, "b1": 7, "b2": 2}
    assert starting_columns(setup_with_orders(two, two, {"start": "centre"}))["a1"] == 6
    crowd = ("warden",) * 4
    left = starting_columns(setup_with_orders(crowd, crowd, {"start": "left"}))
    assert all(left[f"a{at}"] <= 5 for at in (1, 2, 3, 4))


def test_start_without_free_hex_is_refused(monkeypatch):
    setup_document = document(("warden",), ("warden",))
    setup_document["sides"][1]["units"][0]["standing"] = {"start": "left"}
    read_setup(setup_document)
    usual = hexes.deployment_hex
    monkeypatch.setattr(
        "systems.hex_core.battle.setup.deployment_hex",
        lambda s, i: -1 if s.units[i].ordered_column >= 0 else usual(s, i),
    )
    with pytest.raises(DocumentError, match="no room for it") as refused:
        read_setup(setup_document)
    assert refused.value.rule == "HX-059"


def hexes_of(record, number, letter="a"):
    """Return the Units of a side that enter a hex in a Round."""
    return [
        event.unit
        for event in record.events
        if event.round == number and event.kind in ENTERED and event.unit.startswith(letter)
    ]


def test_order_ends_after_its_round():
    held = resolve(setup_with_orders(("warden",), of_a_side={"move": "hold"}), 3)
    assert held.outcome["rounds"] > 3
    assert not any(hexes_of(held, number) for number in range(1, 13))
    for then in ({}, {"then": "close"}):
        record = resolve(setup_with_orders(("warden",), of_a_side={"move": "hold", "until": 2, **then}), 3)
        assert [bool(hexes_of(record, number)) for number in (1, 2, 3)] == [False, False, True]
    for given in ({"move": "hold", "until": 2, "then": "hold"}, {"move": "hold", "until": 0, "then": "close"}):
        assert resolve(setup_with_orders(("warden",), of_a_side=given), 3).events == held.events


@pytest.mark.parametrize("orders", [{}, {"ordered_move": c.ORDERED_HOLD}, {"ordered_move": c.ORDERED_CLOSE}])
def test_pilot_is_preserved_from_first_dp_lost(orders):
    assert gap(table_after_move(enemy=(7, 5), ordered_preserve=1, **orders)) <= 3
    assert gap(table_after_move(enemy=(7, 5), ordered_preserve=1, damage=1, **orders)) > 3
