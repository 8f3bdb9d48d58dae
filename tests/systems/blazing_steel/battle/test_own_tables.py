"""A player's own table in battle: its size, hill, terrain and forces."""

from __future__ import annotations

from typing import Any

import pytest

from systems.blazing_steel.battle import SYSTEM
from systems.blazing_steel.battle.rules.rounds import score_objectives
from systems.blazing_steel.build import SYSTEM as ROSTERS
from systems.blazing_steel.season import SYSTEM as LEAGUE
from systems.documents import DocumentError
from systems.roster import CompanyMember
from systems.simulation.odds import tally_with_prints
from systems.simulation.records import resolve, verify

from .tables import Table, setup, unit

BLOCK = {"kind": "block", "x": 20, "y": 24, "radius": 3}
WOODS = {"kind": "woods", "x": 10.5, "y": 30, "radius": 2.25}
MOVEMENTS = ("unit-advanced", "unit-moved", "unit-sprinted", "unit-jumped")
RIDGE = {"hill": [30, 26], "pieces": [BLOCK, WOODS], "zone_in": 8, "rounds": 3}


def own(**spec: Any) -> dict[str, Any]:
    return {"name": "Ridge", "spec": spec}


def ridge(*forces: Any, **more: Any) -> Any:
    forces = forces or (["skimmer", "hawker"], ["darter", "hawker"])
    return setup(*forces, scenario=own(**RIDGE), terrain="own-table", **more)


def test_state_has_table_of_scenario():
    state = SYSTEM.prepare(ridge())
    battle = state.battle
    assert (battle.table, battle.hill_x, battle.hill_y, battle.zone, battle.round_limit) == (48, 30, 26, 8, 3)
    assert [(disc.kind, disc.x, disc.y, disc.radius) for disc in state.discs] == [(1, 20, 24, 3), (2, 10.5, 30, 2.25)]


def test_scenario_without_table_is_unchanged():
    scenario = own(table_in=48, zone_in=12, pieces=[], forces={"a": {}, "b": {"units_most": 0}})
    plain, printed = setup(scenario=scenario), setup()
    assert ROSTERS.scenario_json(ROSTERS.parse_scenario(scenario["spec"])) == {"brief": ""}
    assert resolve(plain, 5).events == resolve(printed, 5).events


def test_drawn_copy_of_printed_map_plays_the_same():
    spec = ROSTERS.form_spec({"lay": "city"})
    drawn = setup(["skimmer", "hawker"], ["darter"], scenario=own(**spec), terrain="own-table")
    printed = setup(["skimmer", "hawker"], ["darter"], terrain="city")
    assert resolve(drawn, 3).events == resolve(printed, 3).events


@pytest.mark.rule("BS-185")
@pytest.mark.parametrize(("size", "most"), [(36, 8), (40, 9), (44, 10), (47, 10), (72, 10)])
def test_largest_forces_fit_on_smallest_tables(size, most):
    limits = {side: {"units_most": most} for side in "ab"}
    given = setup(
        ["colossus"] * most,
        ["colossus"] * most,
        scenario=own(table_in=size, zone_in=10, forces=limits, rounds=1),
        terrain="own-table",
    )
    placed = [each for each in resolve(given, 2).events if each.kind == "unit-deployed"]
    stands = [(each.number("x"), each.number("y")) for each in placed]
    assert len(stands) == 2 * most
    for at, (x, y) in enumerate(stands):
        assert 200 <= x <= 100 * size - 200
        assert y in (200, 100 * size - 200)
        assert all((x - ox) ** 2 + (y - oy) ** 2 >= 399**2 for ox, oy in stands[:at])
    spec = ROSTERS.parse_scenario({"table_in": size, "zone_in": 10, "forces": {"a": {"units_most": most + 1}}})
    assert "forces.a.units_most" in {each.place for each in ROSTERS.check_scenario(spec).problems}


@pytest.mark.rule("BS-046")
@pytest.mark.parametrize("size", [36, 72])
def test_units_stay_on_table_of_any_size(size):
    forces = [["skimmer", "darter", "hawker"]] * 2
    limits = {side: {"units_most": 8} for side in "ab"}
    given = setup(*forces, scenario=own(table_in=size, forces=limits, rounds=2), terrain="own-table")
    state = SYSTEM.prepare(given)
    assert (state.battle.hill_x, state.battle.hill_y) == (size / 2, size / 2)
    moved = [each for each in resolve(given, 5).events if each.kind in MOVEMENTS]
    assert moved
    for each in moved:
        assert all(100 <= each.number(axis) <= 100 * size - 100 for axis in ("x", "y"))


@pytest.mark.rule("BS-046")
def test_base_never_ends_on_drawn_block():
    wall = [{"kind": "block", "x": x, "y": 24, "radius": 4} for x in (8, 16, 24, 32, 40)]
    given = setup(
        ["skimmer"] * 3, ["darter"] * 3, scenario=own(pieces=wall, hill=[24, 30], rounds=2), terrain="own-table"
    )
    for each in resolve(given, 9).events:
        if each.kind in MOVEMENTS:
            x, y = each.number("x") / 100, each.number("y") / 100
            assert all((x - disc["x"]) ** 2 + (y - disc["y"]) ** 2 >= 4.98**2 for disc in wall)


@pytest.mark.rule("BS-194")
@pytest.mark.parametrize(("hill", "scores"), [((24.0, 24.0), 0), ((30.0, 26.0), 1)])
def test_hill_is_held_at_its_marker(hill, scores):
    table = Table([unit("hawker", 30, 29)], [unit("hawker", 4, 47)])
    table.battle.hill_x, table.battle.hill_y = hill
    score_objectives(table.state, [])
    assert table.state.sides[0].hill_points == scores


@pytest.mark.rule("BS-193")
@pytest.mark.parametrize(("size", "scores"), [(60.0, 0), (48.0, 1)])
def test_enemy_zone_lies_at_edge_of_own_table(size, scores):
    table = Table([unit("hawker", 24, 40)], [unit("hawker", 4, 30)])
    table.battle.table = size
    score_objectives(table.state, [])
    assert table.state.sides[0].zone_points == scores


@pytest.mark.rule("BS-046", "BS-186")
@pytest.mark.parametrize(
    ("size", "x", "y", "expected"),
    [
        (60, 60, 55, "its base stands on it from 1 to 59 in (BS-046)"),
        (60, 34, 40, "end at y 47 at least (BS-186)"),
        (48, 22, 39, "stands on the block at (22.5, 40), which no base may enter (BS-046)"),
    ],
)
def test_positions_must_fit_own_table(size, x, y, expected):
    pieces = [{"kind": "block", "x": 22.5, "y": 40, "radius": 2}]
    force = [{"design": "skimmer", "position": {"x": x, "y": y}}]
    with pytest.raises(DocumentError, match=r".") as refused:
        setup(["hawker"], force, scenario=own(table_in=size, pieces=pieces), terrain="own-table")
    assert expected in refused.value.reason


@pytest.mark.parametrize(
    ("spec", "terrain", "expected"),
    [
        (RIDGE, "standard", "terrain: Ridge has a table of its own: own-table is its terrain"),
        ({}, "own-table", "terrain: Ridge has no table of its own; choose one of standard, open, city"),
        ({"map": "open"}, "own-table", "terrain: Ridge has no table of its own"),
        ({"map": "city", "hill": [24, 20]}, "own-table", "scenario.spec.map: illegal (BS-046)"),
        ({"pieces": [{**BLOCK, "y": 6.5}]}, "own-table", "scenario.spec.pieces[0]: illegal (BS-185)"),
    ],
)
def test_own_table_needs_matching_terrain(spec, terrain, expected):
    with pytest.raises(DocumentError) as refused:
        setup(scenario=own(**spec), terrain=terrain)
    assert str(refused.value).startswith(expected)


def test_scenario_with_own_table_needs_no_map():
    assert SYSTEM.terrain_choices(own(**RIDGE)) == {}
    assert SYSTEM.match_terrains(own(**RIDGE)) == ("own-table",)
    assert list(SYSTEM.terrain_choices(own())) == ["standard", "open", "city"]
    assert SYSTEM.place_title(ridge()) == "Ridge"
    assert SYSTEM.terms(own(**RIDGE)).is_terrain_free is False  # type: ignore[union-attr]
    table = SYSTEM.space.table(ridge())
    assert (table.width, table.height, table.depth) == (4800, 4800, 800)
    assert [(each.x, each.y) for each in table.objectives] == [(3000, 2600)]
    assert [(each.kind, each.x, each.y, each.radius) for each in table.pieces] == [
        ("hill", 3000, 2600, 400),
        ("woods", 1050, 3000, 225),
        ("block", 2000, 2400, 300),
    ]


@pytest.mark.django_db
def test_both_runs_agree_on_own_table_and_record_verifies():
    given = ridge()
    assert tally_with_prints(given, 5, 0, 40) == tally_with_prints(given, 5, 0, 40, compiled=False)
    assert verify(resolve(given, 11).text()) is None


# --- forces -----------------------------------------------------------------------------------------------------------

UNEVEN = {"a": {"units_least": 2, "points_most": 25}, "b": {"units_most": 1, "points_least": 10}}


@pytest.mark.rule("BS-014", "BS-C02")
@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (["hawker"], ["hawker"], "sides[0].units: illegal (BS-014): The scenario needs at least 2 Warmechs, not 1."),
        (
            ["bulwark", "bulwark"],
            ["hawker"],
            "sides[0].units: illegal (BS-C02): The force is worth 30 points; the limit is 25.",
        ),
        (
            ["hawker"] * 2,
            ["hawker"] * 2,
            "sides[1].units: illegal (BS-014): The scenario allows at most 1 Warmech, not 2.",
        ),
        (
            ["hawker"] * 2,
            ["darter"],
            "sides[1].units: illegal (BS-C02): The force is worth 6 points; the scenario needs at least 10.",
        ),
    ],
)
def test_side_breaking_scenario_limits_is_refused(a, b, expected):
    assert setup(["hawker"] * 2, ["colossus"], scenario=own(forces=UNEVEN))
    with pytest.raises(DocumentError) as refused:
        setup(a, b, scenario=own(forces=UNEVEN))
    assert str(refused.value) == expected


@pytest.mark.rule("BS-C02")
def test_side_limits_override_scenario_points_and_house_rule():
    scenario = own(points=12, forces={"a": {"points_most": 25}})
    assert setup(["hawker"] * 2, ["hawker"], scenario=scenario, options={"points-limit": 5})
    with pytest.raises(DocumentError, match=r"sides\[1\].units: .* 20 points; the limit is 12"):
        setup(["hawker"], ["hawker"] * 2, scenario=scenario, options={"points-limit": 40})
    terms = SYSTEM.terms(own(points=12, forces={"a": {"points_most": 25, "units_least": 3}}))
    assert terms is not None
    limits = [(side.points, side.fields) for side in terms.sides]
    assert limits == [(25, "3 to 10 Warmechs"), (12, "1 to 10 Warmechs")]


@pytest.mark.rule("BS-C02")
def test_autoplay_force_keeps_scenario_limits():
    designs = ["colossus", "darter", "darter", "darter"]
    members = [CompanyMember(each, ROSTERS.published[each].spec, None) for each in designs]

    def fielded(side: str, **spec: Any) -> tuple[int, ...]:
        scenario = own(**spec)

        def allows(places: tuple[int, ...]) -> bool:
            return ROSTERS.check_company(scenario, [members[place] for place in places], side=side).legal

        return LEAGUE.standing_force(scenario, members, {}, side=side, most=12, allows=allows)

    assert fielded("attacker", points=23) == (0,)
    assert fielded("attacker", points=23, forces={"a": {"units_least": 2}}) == (1, 2, 3)
    assert fielded("defender", points=23, forces={"a": {"units_least": 2}}) == (0,)
    assert fielded("attacker", forces={"a": {"units_most": 2}}) == (0, 1)
    assert fielded("attacker", forces={"a": {"units_least": 5}}) == ()
