"""A player's own scenario in battle: its table, Rounds and force limits."""

from __future__ import annotations

from typing import Any

import pytest

from systems.documents import DocumentError
from systems.engine.dice import ScriptedDice
from systems.mechastellar.battle import SYSTEM, play
from systems.mechastellar.build import SYSTEM as ROSTERS
from systems.mechastellar.season import SYSTEM as LEAGUE
from systems.roster import CompanyMember, PilotSpec
from systems.simulation.records import resolve, verify

from .tables import setup

PIECES = [{"x": 20, "y": 24, "radius": 3, "kind": "tall"}]


def own(**spec: Any) -> dict[str, Any]:
    return {"name": "Ridge", "spec": spec}


@pytest.mark.rule("ST-370")
def test_battle_lasts_the_rounds_of_its_scenario():
    assert SYSTEM.prepare(setup(scenario=own())).battle.rounds == 5
    given = setup(["green-viking"] * 3, ["green-viking"] * 3, scenario=own(rounds=1))
    assert SYSTEM.prepare(given).battle.rounds == 1
    outcome = resolve(given, 3).outcome
    assert (outcome["rounds"], outcome["reason"]) == (1, "rounds")
    terms = SYSTEM.terms(given.scenario)
    assert terms is not None
    assert terms.turns == 1


@pytest.mark.rule("ST-013")
def test_scenario_points_override_house_rule():
    with pytest.raises(DocumentError, match=r"is worth \d+ points; the limit is 50"):
        setup(scenario=own(force_points=50))
    assert setup(["gamma-apollo"] * 3, scenario=own(force_points=9000), options={"points-limit": 50})
    assert SYSTEM.terms(own(force_points=50)).sides[0].points == 50  # type: ignore[union-attr]


@pytest.mark.rule("ST-013")
def test_autoplay_force_keeps_scenario_points():
    spec = ROSTERS.published["green-viking"].spec
    members = [CompanyMember("Viking", spec, PilotSpec("basic")) for _ in range(3)]
    one = ROSTERS.check_company("", members[:1]).points

    def fielded(scenario: Any) -> int:
        return len(LEAGUE.standing_force(scenario, members, {}, side="attacker", most=12, allows=lambda places: True))

    assert fielded("versus") == 3
    assert fielded(own(force_points=2 * one)) == 2


def test_scenario_with_own_table_needs_no_map():
    assert dict(SYSTEM.terrain_choices(own(rounds=3))) == {"standard": "Standard", "open": "Open"}
    assert SYSTEM.terrain_choices(own(pieces=PIECES)) == {}
    assert SYSTEM.match_terrains(own(pieces=PIECES)) == ("own-table",)
    given = setup(scenario=own(pieces=PIECES), terrain="own-table")
    assert SYSTEM.place_title(given) == "Ridge"
    assert SYSTEM.place_title(setup(scenario=own())) == "Ridge on the standard table"
    assert [(piece.kind, piece.x, piece.y) for piece in SYSTEM.space.table(given).pieces] == [("tall", 2000, 2400)]
    assert setup(scenario=own(pieces=PIECES), terrain="open")  # allowed for documents that name a map as well


def test_scenario_without_own_table_needs_map():
    for scenario in ("versus", own(rounds=3)):
        with pytest.raises(DocumentError, match="has no table of its own; choose one of standard, open") as refused:
            setup(scenario=scenario, terrain="own-table")
        assert refused.value.path == "terrain"


@pytest.mark.rule("ST-020", "ST-023")
@pytest.mark.parametrize("size", [36, 72])
def test_table_has_size_of_scenario(size):
    forces = [["gamma-apollo", "white-asura", "green-viking"]] * 2
    given = setup(*forces, scenario=own(table_in=size, rounds=3), terrain="own-table")
    state = SYSTEM.prepare(given)
    assert [(point.x, point.y) for point in state.points][:2] == [(size / 2, size / 2), (size / 4, size / 3)]
    space = SYSTEM.space.table(given)
    assert (space.width, space.height, space.depth) == (100 * size, 100 * size, 25 * size)
    play.set_up(state, ScriptedDice([10, 1] * 9), [])
    for unit in state.units:
        assert 0 <= unit.x <= size
        deep = unit.y if unit.side == 0 else size - unit.y
        assert 0 < deep <= size / 4
    events = resolve(given, 5).events
    ends = [(each.result["x"], each.result["y"]) for each in events if each.kind == "unit-moved"]
    assert ends
    assert all(0 <= place <= 100 * size for end in ends for place in end)


def test_record_of_own_scenario_verifies():
    given = setup(scenario=own(pieces=PIECES, rounds=3), terrain="own-table")
    record = resolve(given, 11)
    assert verify("".join(f"{line}\n" for line in record.lines())) is None
