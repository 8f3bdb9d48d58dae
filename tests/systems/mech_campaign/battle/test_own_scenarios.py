"""A player's own scenario in battle: its table, zones, places and force limits."""

from __future__ import annotations

from typing import Any

import pytest

from systems.documents import DocumentError
from systems.mech_campaign.battle import SYSTEM
from systems.mech_campaign.build import SYSTEM as ROSTERS
from systems.mech_campaign.season import SYSTEM as LEAGUE
from systems.roster import CompanyMember, PilotSpec
from systems.simulation import odds
from systems.simulation.records import resolve, verify

from .tables import setup

WORKS = {"kind": "works", "x": 24, "y": 24}
WIDE = {
    "goal": "drill",
    "turn_limit": 4,
    "table_in": 48,
    "zone_in": 9,
    "places": [[30.5, 27.25]],
    "pieces": [WORKS, {"kind": "rubble", "x": 10.25, "y": 6}],
}


def own(**spec: Any) -> dict[str, Any]:
    return {"name": "Ridge", "spec": spec}


def wide() -> Any:
    return setup("picket", "line-lance", scenario=own(**WIDE), terrain="own-table")


@pytest.mark.rule("MC-020", "MC-023", "MC-024")
def test_state_has_table_of_scenario():
    state = SYSTEM.prepare(wide())
    battle = state.battle
    assert (battle.table, battle.zone, battle.turn_limit, battle.is_rolled) == (4800, 900, 4, 0)
    assert [(disc.kind, disc.x, disc.y, disc.radius) for disc in state.discs[: battle.discs]] == [
        (3, 2400, 2400, 200),
        (1, 1025, 600, 300),
    ]
    assert [(place.x, place.y) for place in state.objectives] == [(3050, 2725)]
    assert [(mouth.x, mouth.y) for mouth in state.mouths] == [(1600, 3200), (3200, 3200), (1600, 1600), (3200, 1600)]


def test_scenario_without_table_is_unchanged():
    plain, printed = setup(scenario=own(goal="beacons", turn_limit=8)), setup(scenario="survey-beacons")
    scenario = own(goal="beacons", turn_limit=8, table_in=36, zone_in=6, places=[[6, 18], [18, 18], [30, 18]])
    assert resolve(plain, 5).events == resolve(printed, 5).events == resolve(setup(scenario=scenario), 5).events


@pytest.mark.rule("MC-020", "MC-021", "MC-022", "MC-024", "MC-052")
@pytest.mark.parametrize("size", [36, 40, 72])
def test_units_start_in_zone_and_stay_on_any_table(size):
    given = setup("picket", "hammer", scenario=own(table_in=size, zone_in=5, turn_limit=6))
    events = resolve(given, 7).events
    starts = [each for each in events if each.kind == "unit-deployed" and each.number("status") == 0]
    assert starts
    for each in starts:
        own_edge = each.number("y") if (each.unit or "").startswith("a") else 100 * size - each.number("y")
        assert own_edge in (333, 1000)  # ground units or gun sentries
    rolled = [each for each in events if each.kind == "terrain-rolled" and each.result["disc"]]
    for each in rolled:
        assert all(350 <= each.number(axis) <= 100 * size - 350 for axis in ("x", "y"))
    ends = [(each.number("x"), each.number("y")) for each in events if each.kind == "unit-moved"]
    assert ends
    assert all(0 <= place <= 100 * size for end in ends for place in end)


@pytest.mark.rule("MC-020", "MC-022")
def test_replay_shows_table_and_terrain():
    table = SYSTEM.space.table(wide())
    assert (table.width, table.height, table.depth) == (4800, 4800, 900)
    assert [(each.kind, each.x, each.y, each.radius) for each in table.pieces] == [
        ("works", 2400, 2400, 200),
        ("rubble", 1025, 600, 300),
    ]
    assert [(each.x, each.y) for each in table.objectives] == [(3050, 2725)]
    assert not [each for each in resolve(wide(), 3).events if each.kind == "terrain-rolled"]


def test_scenario_with_own_terrain_needs_no_choice():
    assert dict(SYSTEM.terrain_choices(own())) == {"rolled": "Rolled before the battle", "open": "Open ground"}
    assert SYSTEM.terrain_choices(own(**WIDE)) == {}
    assert (SYSTEM.match_terrains(own()), SYSTEM.match_terrains(own(**WIDE))) == (("rolled",), ("own-table",))
    assert SYSTEM.place_title(wide()) == "Ridge"


@pytest.mark.parametrize(
    ("spec", "terrain", "expected"),
    [
        (WIDE, "rolled", "terrain: the scenario places its own; it is played on own-table"),
        ({}, "own-table", "terrain: the scenario places none; choose one of rolled, open"),
        ({"pieces": [{**WORKS, "x": 18, "y": 12.5}]}, "own-table", "MC-024"),
        ({"table_in": 99}, "rolled", "MC-020"),
    ],
)
def test_unplayable_table_is_refused(spec, terrain, expected):
    with pytest.raises(DocumentError) as refused:
        setup(scenario=own(**spec), terrain=terrain)
    assert expected in str(refused.value)


@pytest.mark.rule("MC-005")
def test_scenario_points_override_house_rule():
    with pytest.raises(DocumentError, match=r"is worth \d+ points; the cap is 28"):
        setup(scenario=own(force_points=28))
    assert setup(scenario=own(force_points=900), options={"points-cap": 20})
    terms = SYSTEM.terms(own(force_points=28, zone_in=4))
    assert terms is not None
    assert (terms.sides[0].points, terms.sides[0].starts[:12]) == (28, "within 4 in ")


@pytest.mark.rule("MC-005", "MC-202")
def test_autoplay_force_keeps_scenario_points():
    kinds = ["heavy-mech", "heavy-mech", "light-mech", "light-mech", "light-mech", "track"]
    members = [CompanyMember(kind, ROSTERS.published[kind].spec, PilotSpec("rookie")) for kind in kinds]

    def points(scenario: Any) -> int:
        chosen = LEAGUE.standing_force(scenario, members, {}, side="a", most=9, allows=lambda places: True)
        return sum(members[at].spec.unit_kind.points for at in chosen)

    whole = points("claim-dispute")
    assert 0 < points(own(force_points=whole - 1)) < whole


def test_record_of_own_scenario_verifies():
    assert verify("".join(f"{line}\n" for line in resolve(wide(), 11).lines())) is None


@pytest.mark.proof  # compiled just for this test
def test_plain_and_compiled_rules_agree_on_own_scenario():
    compiled = odds.tally_with_prints(wide(), 3, 0, 30)
    assert compiled == odds.tally_with_prints(wide(), 3, 0, 30, compiled=False)
