"""Deployment: all at once, in turns, from reserve, on dry land."""

from __future__ import annotations

import pytest

from systems.mechastellar.battle import play
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.rules.movement import is_in_water
from systems.mechastellar.battle.rules.rounds import come_in, may_be_placed
from systems.mechastellar.battle.rules.warships import abandon, launch_spot
from systems.simulation.records import resolve, verify

from .tables import Table, disc, foe, setup, unit

BY_TURNS = {"tier": "advanced", "deployment": "alternate", "points-limit": 0}


def placements(record):
    """Return the units placed, in order, with their places in inches."""
    return [
        (event.unit, event.number("x") / 100, event.number("y") / 100)
        for event in record.events
        if event.kind == "unit-deployed"
    ]


def simulate(*forces, options=BY_TURNS, **more):
    return resolve(setup(*forces, options=options, **more), 1)


@pytest.mark.rule("ST-022", "ST-023")
def test_side_with_more_models_is_set_up_first():
    record = simulate(["argonaut"], ["argonaut"] * 2, options={})
    assert placements(record) == [("b1", 33, 40), ("b2", 15, 40), ("a1", 24, 8)]


@pytest.mark.rule("ST-024", "ST-025")
def test_sides_alternate_placing_starting_with_larger():
    record = simulate(["argonaut"] * 2, ["dervish"] * 3, doctrines=("cautious", "aggressive"), terrain="open")
    found = placements(record)
    assert [key for key, _x, _y in found] == ["b1", "a1", "b2", "a2", "b3"]
    assert found[0] == ("b1", 36, 16)
    for _key, x, y in found:
        assert 0 <= x <= 48
        assert 0 <= y <= 48
    apart = [(ax - bx) ** 2 + (ay - by) ** 2 for key, ax, ay in found for other, bx, by in found if key[0] != other[0]]
    assert min(apart) > 16**2
    assert not verify(record.text())


@pytest.mark.rule("ST-024")
def test_roll_off_loser_places_first_on_equal_models():
    table = Table([unit()], [foe()], tier="advanced", deployment="alternate")
    table.run(play.set_up, [4, 4, 8, 3])
    assert [(each.kind, each.unit) for each in table.events[:4]] == [
        ("deployment-rolled", None),
        ("deployment-rolled", None),
        ("unit-deployed", "b1"),
        ("unit-deployed", "a1"),
    ]


@pytest.mark.rule("ST-025")
def test_unit_near_enemy_must_be_placed_out_of_sight():
    table = Table([unit(y=0)], [foe(y=30)], tier="advanced")
    assert may_be_placed(table.state, 0, 24, 13.9)
    assert not may_be_placed(table.state, 0, 24, 14)
    table.state.discs[:] = [disc(24, 22, 2, c.TALL)]
    table.battle.discs = 1
    assert may_be_placed(table.state, 0, 24, 18)


@pytest.mark.rule("ST-024", "ST-351")
@pytest.mark.parametrize("more", [{"kind": c.LOW, "high": 1}, {"kind": c.WATER}])
def test_unit_is_not_placed_on_high_ground_or_in_water(more):
    table = Table([unit(y=0)], [foe(y=44)], tier="advanced", terrain=[disc(24, 10, 2, **more)])
    assert not may_be_placed(table.state, 0, 24, 10)
    assert may_be_placed(table.state, 0, 24, 13)


@pytest.mark.rule("ST-026")
def test_unit_without_place_arrives_at_end_of_round():
    hills = [{"x": x, "y": y, "radius": 12, "kind": "high"} for x in (8, 24, 40) for y in (24, 40)]
    record = simulate(["argonaut"], ["argonaut"], scenario={"name": "Hills", "spec": {"pieces": hills}})
    waiting = [event.unit for event in record.events if event.kind == "unit-reserved"]
    assert waiting == ["b1"]
    (arrival,) = [event for event in record.events if event.kind == "unit-arrived"]
    assert (arrival.unit, arrival.number("x"), arrival.number("y"), arrival.step) == ("b1", 2400, 4800, "end-round")
    kinds = [(event.kind, event.unit) for event in record.events]
    assert kinds.index(("unit-arrived", "b1")) < kinds.index(("unit-activated", "b1"))
    assert not verify(record.text())


@pytest.mark.rule("ST-026")
def test_arriving_unit_finds_room_along_edge():
    table = Table([unit(status=c.RESERVE)], [foe(y=3)], tier="advanced")
    assert come_in(table.state, 0, 24, [])
    assert (table["a1"].x, table["a1"].y, table["a1"].status, table["a1"].locked) == (29, 0, c.STANDS, 0)


@pytest.mark.rule("ST-026", "ST-080")
def test_unit_arriving_on_hill_stands_on_top():
    hill = disc(24, 0, 4, high=1)
    table = Table([unit(status=c.RESERVE)], [foe(y=44)], tier="advanced", terrain=[hill])
    table.run(lambda s, dice, log: come_in(s, 0, 24, log))
    assert (table["a1"].x, table["a1"].y, table["a1"].high) == (24, 0, 1)
    assert [(event.kind, event.step) for event in table.events] == [
        ("unit-arrived", "end-round"), ("unit-arrived-high", "end-round"),
    ]  # fmt: skip
    beside = Table([unit(status=c.RESERVE)], [foe(y=44)], tier="advanced", terrain=[hill])
    assert come_in(beside.state, 0, 30, [])
    assert (beside["a1"].x, beside["a1"].high) == (30, 0)


@pytest.mark.rule("ST-371")
def test_side_all_in_reserve_is_not_wiped_out():
    table = Table([unit()], [foe(status=c.RESERVE)], tier="advanced")
    table.run(lambda s, dice, log: play.check_wiped_out(s, log))
    assert table.battle.over == 0


@pytest.mark.rule("ST-351")
def test_unit_is_not_set_up_in_water():
    lake = {"name": "Lake", "spec": {"pieces": [{"x": 24, "y": 8, "radius": 3, "kind": "deep-water"}]}}
    record = simulate(["argonaut"], ["argonaut"], scenario=lake, options={"tier": "advanced"})
    assert placements(record)[0] == ("a1", 24, 5)


def lake(*pieces: tuple[float, float, float]):
    """Return a scenario whose only pieces are these waters, by place and radius."""
    found = [{"x": x, "y": y, "radius": radius, "kind": "deep-water"} for x, y, radius in pieces]
    return {"name": "Lake", "spec": {"pieces": found}}


@pytest.mark.rule("ST-022", "ST-351")
def test_unit_takes_nearest_land_when_water_reaches_edge():
    record = simulate(["argonaut"], ["argonaut"], scenario=lake((24, 3, 7)), options={"tier": "advanced"})
    assert placements(record)[0] == ("a1", 29, 8)
    assert not verify(record.text())


@pytest.mark.rule("ST-203", "ST-351")
def test_unit_is_not_launched_into_water():
    ship = unit("escort-carrier", y=10)
    table = Table([ship, unit()], [foe(y=44)], tier="advanced", terrain=[disc(40, 22, 17, c.WATER)])
    x, y = launch_spot(table.state, table["a1"], 1)  # four inches to the right, 24 ahead
    assert not is_in_water(table.state, x, y)
    assert (x, y) == (24, 10)
    dry = Table([ship, unit()], [foe(y=44)], tier="advanced")
    assert launch_spot(dry.state, dry["a1"], 1) == (28, 34)


@pytest.mark.rule("ST-203", "ST-351")
def test_unit_is_launched_as_far_as_land_goes():
    table = Table(
        [unit("escort-carrier", y=10), unit()], [foe(y=44)], tier="advanced", terrain=[disc(28, 34, 4, c.WATER)]
    )
    x, y = launch_spot(table.state, table["a1"], 1)
    assert not is_in_water(table.state, x, y)
    assert x == 28
    assert 29 < y <= 30  # the water begins at 30


@pytest.mark.rule("ST-351", "ST-353")
def test_unit_leaving_wreck_lands_on_dry_land():
    aboard = unit(status=c.ABOARD, ship=0)
    table = Table([unit("escort-carrier", y=10), aboard], [foe(y=44)], tier="advanced", terrain=[disc(31, 10, 4, c.WATER)])  # fmt: skip
    table["a1"].status = c.DESTROYED
    table.run(lambda s, dice, log: abandon(s, 0, dice, log), [10] * 5)
    assert (table["a2"].x, table["a2"].y) == (20, 10)
