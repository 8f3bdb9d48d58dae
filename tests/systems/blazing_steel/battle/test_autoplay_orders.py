"""Autoplay orders: where Warmechs start, how long an order for movement lasts, how they are preserved."""

from __future__ import annotations

import itertools

import pytest

from systems import battle_rules
from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.ai import choose_warmech, is_too_hot, place_in_line, wants_to_cool
from systems.blazing_steel.battle.ai_values import keeps_away
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.simulation.records import resolve

from .tables import Table, document, foe, unit

pytestmark = pytest.mark.rule("BS-AR37")
MOVE_EVENTS = ("unit-moved", "unit-sprinted", "unit-jumped", "unit-charged")


def setup_with_orders(a, b=("hawker",), of_a_side=None, units=None, **given):
    """Return a set-up in which side A has orders, and Warmechs of either side by their keys."""
    changed = document(a, b, **given)
    changed["sides"][0]["standing"] = of_a_side or {}
    for side in changed["sides"]:
        for each in side["units"]:
            each["standing"] = (units or {}).get(each["key"], {})
    return read_setup(changed)


def starting_places(setup):
    """Return by key where each Warmech is placed, in inches from the left as seen by its side."""
    found = {}
    for event in resolve(setup, 1).events:
        if event.kind == "unit-deployed":
            x = event.number("x") / 100
            found[event.unit] = 48 - x if event.unit.startswith("b") else x
    return found


@pytest.mark.rule("BS-185", "BS-186")
@pytest.mark.parametrize("terrain", ["standard", "city"])
def test_warmechs_start_in_ordered_third(terrain):
    three = ("skimmer", "hawker", "skimmer")
    assert starting_places(setup_with_orders(three, three, terrain=terrain)) == {
        f"{at}{n}": 12 * n for at in "ab" for n in (1, 2, 3)
    }
    units = {"a1": {"start": "right"}, "b3": {"start": "left"}, "b2": {"start": "left"}}
    setup = setup_with_orders(three, three, units=units, terrain=terrain)
    beside = 10  # b1 would stand at 12, but b3 stands there
    assert starting_places(setup) == {"a1": 40, "a2": 24, "a3": 36, "b1": beside, "b2": 4, "b3": 12}
    advanced = {event.unit for event in resolve(setup, 1).events if event.kind == "unit-advanced"}
    assert advanced == set(starting_places(setup)), "they advance from their edge as usual"


@pytest.mark.rule("BS-046", "BS-185")
@pytest.mark.parametrize("third", ["left", "centre", "right"])
def test_side_too_large_for_third_stands_nearby(third):
    found = starting_places(setup_with_orders(("colossus",) * 6, of_a_side={"start": third}))
    own = sorted(x for key, x in found.items() if key.startswith("a"))
    assert own[0] >= 2
    assert own[-1] <= 46
    assert all(other - one >= 4 for one, other in itertools.pairwise(own))
    assert sum(own) / 6 == pytest.approx({"left": 12, "centre": 24, "right": 36}[third], abs=4)


@pytest.mark.rule("BS-046", "BS-185")
def test_warmech_beside_ordered_ones_does_not_overlap():
    orders = {f"a{at}": {"start": "right"} for at in (1, 2, 3, 5)}
    setup = setup_with_orders(("colossus", "skimmer", "colossus", "colossus", "hawker", "colossus"), units=orders)
    state = battle_rules("blazing-steel").prepare(setup)
    line = sorted((place_in_line(state, i), state.units[i].radius) for i in range(6))
    for (x, radius), (other_x, other_radius) in itertools.pairwise(line):
        assert other_x - x >= radius + other_radius - 1e-9


@pytest.mark.rule("BS-185")
def test_start_order_and_position_exclude_each_other():
    setup_document = document(({"design": "skimmer", "position": {"x": 10, "y": 5}},))
    side = setup_document["sides"][0]
    for place, path in ((side, "sides[0].standing.start"), (side["units"][0], "sides[0].units[0].standing.start")):
        place["standing"] = {"start": "left"}
        with pytest.raises(DocumentError, match="leave one of the two out") as refused:
            read_setup(setup_document)
        assert (refused.value.path, refused.value.rule) == (path, "BS-185")
        place["standing"] = {}


def side_moves(record, number):
    """Return whether a Warmech of side A moves in a round."""
    for event in record.events:
        is_own = event.kind in MOVE_EVENTS and event.round == number and event.unit.startswith("a")
        if is_own and (event.number("x"), event.number("y")) != (event.number("from_x"), event.number("from_y")):
            return True
    return False


def test_order_ends_after_its_round():
    def simulate(**given):
        where = {"terrain": "city", "doctrines": ("cautious", "cautious")}
        units = {"b1": {"move": "keep-away"}}
        return resolve(setup_with_orders(("skimmer",), ("skimmer",), {"move": "hold", **given}, units, **where), 3)

    held = simulate()
    assert held.outcome["rounds"] == 5
    assert not any(side_moves(held, number) for number in range(1, 6))
    for then in ({}, {"then": "close"}):
        assert [side_moves(simulate(until=1, **then), number) for number in (1, 2)] == [False, True]
    assert simulate(until=1, then="hold").events == held.events
    assert simulate(until=0, then="close").events == held.events


def test_warmech_is_preserved_from_first_damage():
    table = Table([unit(ordered_preserve=1)], [foe()])
    assert not keeps_away(table["a1"])
    table["a1"].damage = 1
    assert keeps_away(table["a1"])


@pytest.mark.rule("BS-AR20")
def test_preserved_warmech_cools_before_possible_overheating():
    for order in (0, 1):
        table = Table([unit(ordered_preserve=order)], [foe()], slot=2)
        warmech = table["a1"]
        assert not is_too_hot(table.state, warmech, 1), "one die can't show two sixes"
        warmech.heat, warmech.heat_made = c.SIX, 1
        assert is_too_hot(table.state, warmech, 1) is bool(order), "one in six, a risk that its AI style takes"
        assert wants_to_cool(table.state, 0) is bool(order)
        choose_warmech(table.state, c.LEAD, 0, [])
        assert warmech.final == order
