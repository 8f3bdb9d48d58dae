"""Autoplay orders: where units go and stay, when they fall back, what they attack."""

from __future__ import annotations

import pytest

from systems.mechastellar.battle import SYSTEM
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.ai_advanced import remote_target, ship_length
from systems.mechastellar.battle.ai_turn import best_here, plan_all, wants_out
from systems.reading import read_setup
from systems.simulation.odds import tally_with_prints
from systems.simulation.records import resolve

from .tables import FORCES, Table, document, foe, unit

pytestmark = pytest.mark.rule("ST-412")


def place_after_turn(**orders):
    """Return where an unarmed unit at (4, 10) goes in its turn, with the only enemy at (4, 46)."""
    table = Table([unit("gamma-apollo", 4, 10, weapons=0, **orders)], [foe("gamma-apollo", 4, 46)]).activate("a1")
    return table["a1"].x, table["a1"].y


def test_unit_moves_as_ordered():
    x, y = place_after_turn()
    assert x > 4  # to a control point
    assert y > 10
    assert place_after_turn(ordered_move=c.ORDERED_HOLD) == (4, 10)
    x, y = place_after_turn(ordered_move=c.ORDERED_CLOSE)
    assert x == 4
    assert y > 10
    assert place_after_turn(ordered_move=c.ORDERED_AWAY) == (4, 0)


@pytest.mark.parametrize(("hp", "falls_back"), [(2000, True), (2500, False)])
def test_unit_falls_back_at_ordered_hp(hp, falls_back):
    assert (place_after_turn(ordered_retreat=2, hp=hp) == (4, 0)) is falls_back
    assert (place_after_turn(ordered_retreat=2, ordered_move=c.ORDERED_CLOSE, hp=hp) == (4, 0)) is falls_back


@pytest.mark.parametrize(
    "orders", [{"ordered_move": c.ORDERED_HOLD}, {"ordered_move": c.ORDERED_AWAY}, {"ordered_retreat": 20}]
)
def test_unit_not_allowed_nearer_attacks_from_its_place(orders):
    for y, is_near in ((30, False), (11, True)):
        blade = Table([unit("white-asura", y=10, **orders)], [foe("argonaut", y=y)])
        plan_all(blade.state, 0, c.NOBODY, c.MOVE_ACTIONS, 0)
        plan = blade.state.plans[0]
        assert plan.way == 0
        assert (plan.target == 1) or not is_near


def test_only_keep_away_order_leaves_melee():
    def is_out(momentum=9, **order):
        table = Table([unit("volt-lion", y=10, assault=1, **order)], [foe("argonaut", y=11)], momentum=(momentum, 0))
        assert table["a1"].locked
        return wants_out(table.state, 0, c.NOBODY)

    assert not is_out()
    assert is_out(ordered_move=c.ORDERED_AWAY)
    assert is_out(momentum=1, ordered_move=c.ORDERED_AWAY)
    assert not is_out(momentum=0, ordered_move=c.ORDERED_AWAY)
    careful = Table([unit(y=10)], [foe("argonaut", y=11)], doctrines=("cautious", "cautious"), momentum=(9, 9))
    assert wants_out(careful.state, 0, c.NOBODY)
    careful["a1"].ordered_move = c.ORDERED_HOLD
    assert not wants_out(careful.state, 0, c.NOBODY)


def test_ship_ordered_to_hold_does_not_move():
    table = Table([unit("escort-carrier", y=2)], [foe("argonaut", y=46)], tier="advanced")
    assert ship_length(table.state, 0, 1) == table["a1"].move
    table["a1"].ordered_move = c.ORDERED_HOLD
    assert ship_length(table.state, 0, 1) == 0


TARGETS = [
    (c.ORDERED_DEAREST, 2),
    (c.ORDERED_CHEAPEST, 1),
    (c.ORDERED_WEAKEST, 1),
    (c.ORDERED_TOUGHEST, 2),
    (c.ORDERED_NEAREST, 1),
]


@pytest.mark.parametrize(("order", "target"), TARGETS)
@pytest.mark.parametrize("tier", ["core", "advanced"])
def test_unit_attacks_ordered_target_in_reach(order, target, tier):
    enemies = [foe("argonaut", 24, 24, hp=100), foe("white-asura", 26, 26)]
    table = Table([unit("white-asura", y=10, ordered_target=order)], enemies, tier=tier)
    plan_all(table.state, 0, c.NOBODY, c.MOVE_ACTIONS, 0)
    assert table.state.plans[0].target == target
    assert best_here(table.state, 0, 1)[1] == target
    plan_all(table.state, 0, 3 - target, c.MOVE_ACTIONS, 0)  # an attacker that must be answered comes before orders
    assert table.state.plans[0].target == 3 - target
    table.state.units[target].x, table.state.units[target].y = 1.0, 47.0
    table.state.units[target].status = c.DESTROYED
    plan_all(table.state, 0, c.NOBODY, c.MOVE_ACTIONS, 0)
    assert table.state.plans[0].target == 3 - target


@pytest.mark.parametrize(("order", "target"), [(0, 1), *TARGETS])
def test_remote_weapon_attacks_ordered_target(order, target):
    enemies = [foe("argonaut", 24, 24, hp=100), foe("white-asura", 26, 26)]
    table = Table([unit("laughing-joker", y=10, ordered_target=order)], enemies, tier="advanced", momentum=(9, 9))
    bits = next(at for at, each in enumerate(table.state.weapons) if each.remote)
    assert remote_target(table.state, 0, bits) == target


@pytest.mark.parametrize("force", ["F1", "F2", "F5", "F8"])
def test_both_runs_agree_on_orders_in_advanced_rules(force):
    orders = [{"move": "hold", "target": "dearest"}, {"move": "keep-away"}, {"retreat": 4, "target": "weakest"}]
    setup_document = document(
        [*FORCES[force], "escort-carrier"],
        [*FORCES["F3"], "laughing-joker"],
        options={"tier": "advanced", "points-limit": 0},
    )
    setup_document["sides"][0]["standing"] = {"target": "toughest"}
    setup_document["sides"][1]["standing"] = {"move": "close"}
    for side in setup_document["sides"]:
        for at, each in enumerate(side["units"][:-1]):
            each["standing"] = orders[at % 3]
    given = read_setup(setup_document)
    assert SYSTEM.prepare(given).units[0].ordered_target == c.ORDERED_DEAREST
    assert tally_with_prints(given, 11, 0, 12) == tally_with_prints(given, 11, 0, 12, compiled=False)


def setup_with_orders(a, b=("gamma-apollo",), of_a_side=None, units=None, **given):
    """Return a set-up in which side A has orders, and units of either side by their keys."""
    changed = document(a, b, **given)
    changed["sides"][0]["standing"] = of_a_side or {}
    for side in changed["sides"]:
        for each in side["units"]:
            each["standing"] = (units or {}).get(each["key"], {})
    return read_setup(changed)


def starting_places(setup):
    """Return by key where units are deployed, in inches from the left as seen by their sides."""
    found = {}
    for event in resolve(setup, 1).events:
        if event.kind == "unit-deployed":
            x = event.number("x") / 100
            found[event.unit] = 48 - x if event.unit.startswith("b") else x
    return found


@pytest.mark.rule("ST-023", "ST-024")
@pytest.mark.parametrize("options", [{}, {"tier": "advanced", "deployment": "alternate"}])
def test_units_deploy_in_ordered_third(options):
    three, aside = FORCES["F2"], 2 if options else 0  # in turns no unit is placed too near an enemy
    starts = {f"{at}{n}": 12 * n for at in "ab" for n in (1, 2, 3)}
    assert starting_places(setup_with_orders(three, three, options=options)) == pytest.approx(starts, abs=aside)
    units = {"a1": {"start": "right"}, "b2": {"start": "left"}, "b3": {"start": "left"}}
    starts = {"a1": 36, "a2": 24, "a3": 36, "b1": 12, "b2": 9, "b3": 15}
    assert starting_places(setup_with_orders(three, three, units=units, options=options)) == pytest.approx(
        starts, abs=aside
    )


def side_moves(record, number):
    """Return whether a unit of side A moves in a Round."""
    moves = [event for event in record.events if event.kind == "unit-moved" and event.round == number]
    return any(
        (event.number("x"), event.number("y")) != (event.number("from_x"), event.number("from_y"))
        for event in moves
        if event.unit.startswith("a")
    )


def test_order_ends_after_its_round():
    held = resolve(setup_with_orders(FORCES["F2"], of_a_side={"move": "hold"}), 3)
    assert held.outcome["rounds"] > 2
    assert not any(side_moves(held, number) for number in range(1, 13))
    for then in ({}, {"then": "close"}):
        record = resolve(setup_with_orders(FORCES["F2"], of_a_side={"move": "hold", "until": 1, **then}), 3)
        assert [side_moves(record, number) for number in (1, 2)] == [False, True]
    for given in ({"move": "hold", "until": 1, "then": "hold"}, {"move": "hold", "until": 0, "then": "close"}):
        assert resolve(setup_with_orders(FORCES["F2"], of_a_side=given), 3).events == held.events


def test_pilot_is_preserved_from_first_hp_lost():
    assert place_after_turn(ordered_preserve=1) == place_after_turn()
    assert place_after_turn(ordered_preserve=1, damage=100) == (4, 0)
    assert place_after_turn(ordered_preserve=1, damage=100, ordered_move=c.ORDERED_CLOSE) == (4, 0)
