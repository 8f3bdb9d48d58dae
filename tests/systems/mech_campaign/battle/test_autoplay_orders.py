"""Autoplay orders: where units start, how long an order for movement lasts, how pilots are preserved."""

from __future__ import annotations

import pytest

from systems.mech_campaign.battle import SYSTEM
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.ai import activate, choose_runners
from systems.mech_campaign.battle.ai_values import falls_back
from systems.reading import read_setup
from systems.simulation.analysis import course_of
from systems.simulation.records import resolve

from .tables import Table, document, unit

pytestmark = pytest.mark.rule("MC-215")
INCH = 100


def setup_with_orders(of_a_side=None, units=None, **given):
    """Return the set-up of a battle in which side A has orders, and its units by their keys."""
    changed = document("rock-rats", "picket", **given)
    changed["sides"][0]["standing"] = of_a_side or {}
    for each in changed["sides"][0]["units"]:
        each["standing"] = (units or {}).get(each["key"], {})
    return read_setup(changed)


def starting_places(setup):
    """Return by key where units start, in inches from the left as seen by their sides, without units off the table."""
    found = {}
    for event in resolve(setup, 1).events:
        if event.kind == "unit-deployed" and event.number("status") == c.TABLE:
            x = event.number("x")
            found[event.unit] = (3600 - x if event.unit.startswith("b") else x) / INCH
    return found


@pytest.mark.rule("MC-024", "MC-027")
def test_units_start_in_ordered_third():
    starts = starting_places(setup_with_orders(terrain="open"))
    assert starts["a1"] == 6
    starts = starting_places(
        setup_with_orders(units={"a1": {"start": "right"}, "a2": {"start": "right"}}, terrain="open")
    )
    assert (starts["a1"], starts["a2"]) == (27, 33)
    assert {key: starts[key] for key in starts if key not in ("a1", "a2")} == {
        key: starts[key] for key in starts if key not in ("a1", "a2")
    }


@pytest.mark.rule("MC-024")
def test_whole_side_starts_in_its_own_ordered_third():
    setup_document = document("hammer", "hammer", doctrines=("cautious", "cautious"), terrain="open")
    for side in setup_document["sides"]:
        side["standing"] = {"start": "left"}
    found = starting_places(read_setup(setup_document))
    for letter in "ab":
        own = sorted(x for key, x in found.items() if key.startswith(letter))
        assert len(own) == 5  # the gun sentry is in front of the others
        assert own[0] >= 0
        assert own[-1] < 12
        line = sorted(x for key, x in found.items() if key.startswith(letter) and key != f"{letter}5")
        assert all(right - left >= 1 for left, right in zip(line, line[1:], strict=False))


@pytest.mark.rule("MC-026", "MC-027")
def test_ordered_track_or_drone_starts_on_table():
    assert "a4" not in starting_places(setup_with_orders({"start": "left"}, terrain="open"))
    assert starting_places(setup_with_orders(units={"a4": {"start": "left"}}, terrain="open"))["a4"] == 6
    setup_document = document("rock-rats", "picket", terrain="open")
    setup_document["sides"][1]["standing"] = {"start": "right"}
    assert "b5" not in starting_places(read_setup(setup_document))
    setup_document["sides"][1]["units"][4]["standing"] = {"start": "right"}
    assert starting_places(read_setup(setup_document))["b5"] == 30


@pytest.mark.rule("MC-027")
def test_changed_ai_style_keeps_ordered_starts():
    setup_document = document("rock-rats", "rock-rats", doctrines=("cautious", "cautious"), terrain="open")
    setup_document["sides"][0]["standing"] = {"start": "left"}
    setup = read_setup(setup_document)
    setup_document["sides"][0]["doctrine"] = "aggressive"  # its tracks start underground
    taken = course_of(setup, 3)
    for was, now in zip(
        taken.stands[2].state.units, taken.turned(2, read_setup(setup_document)).state.units, strict=True
    ):
        assert now == was


def side_stays(record, turn):
    """Return whether all moves of side A in a turn stay on the spot."""
    moves = [event for event in record.events if event.kind == "unit-moved" and event.round == turn]
    own = [event for event in moves if event.unit.startswith("a")]
    return all((e.number("x"), e.number("y")) == (e.number("from_x"), e.number("from_y")) for e in own)


def test_order_ends_after_its_turn():
    held = resolve(setup_with_orders({"move": "hold"}, terrain="open", doctrines=("cautious", "cautious")), 3)
    assert all(side_stays(held, turn) for turn in (1, 2, 3, 4))
    for then in ({}, {"then": "close"}):
        given = {"move": "hold", "until": 2, **then}
        record = resolve(setup_with_orders(given, terrain="open", doctrines=("cautious", "cautious")), 3)
        assert [side_stays(record, turn) for turn in (1, 2, 3)] == [True, True, False]
        first = next(event for event in record.events if event.round == 3 and event.kind == "turn-began")
        at = record.events.index(first)
        assert record.events[:at] == held.events[:at]
    again = resolve(
        setup_with_orders({"move": "hold", "until": 2, "then": "hold"}, terrain="open", doctrines=("cautious",) * 2), 3
    )
    assert again.events == held.events


def test_order_until_0_lasts_to_the_end():
    plain = resolve(setup_with_orders({"move": "hold"}, terrain="open"), 5)
    assert (
        resolve(setup_with_orders({"move": "hold", "until": 0, "then": "close"}, terrain="open"), 5).events
        == plain.events
    )


@pytest.mark.parametrize(("start", "damage", "falls"), [(0, 0, False), (0, 1, True), (2, 2, False), (2, 3, True)])
def test_pilot_is_preserved_from_first_damage_in_battle(start, damage, falls):
    table = Table([unit(damage=start)], [unit(y=1200)])
    table["a1"].ordered_preserve = 1
    table["a1"].damage = damage
    assert falls_back(table["a1"]) is falls


def test_preserved_unit_repairs_as_soon_as_possible():
    for order, repairs in ((0, False), (1, True)):
        table = Table([unit(damage=0, y=100)], [unit(y=3500)])
        table["a1"].ordered_preserve = order
        table["a1"].damage = 2
        table.play(activate, 0, 3, False, faces=[4] if repairs else [])
        assert ("repair-rolled" in table.kinds()) is repairs


def test_preserved_damaged_unit_leaves_beacons_to_others():
    table = Table([unit("light-mech", 1800, 1200)], [unit(y=3000)], scenario="survey-beacons")
    choose_runners(table.state, 0)
    assert table["a1"].runner != c.NOBODY
    table["a1"].runner = c.NOBODY
    table["a1"].ordered_preserve, table["a1"].damage = 1, 1
    choose_runners(table.state, 0)
    assert table["a1"].runner == c.NOBODY


@pytest.mark.rule("MC-205")
def test_preserve_pilot_order_skips_units_without_pilot():
    setup_document = document("picket", "picket")
    setup_document["sides"][0]["standing"] = {"preserve": "pilot"}
    units = SYSTEM.prepare(read_setup(setup_document)).units[:6]
    assert [each.ordered_preserve for each in units] == [1, 1, 1, 1, 0, 0]
