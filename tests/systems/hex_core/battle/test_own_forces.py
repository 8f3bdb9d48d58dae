"""Rounds and squad limits of a player's own scenario."""

from __future__ import annotations

from typing import Any

import pytest

from systems.documents import DocumentError
from systems.hex_core.battle import SYSTEM
from systems.hex_core.build import SYSTEM as ROSTERS
from systems.hex_core.season import SYSTEM as LEAGUE
from systems.roster import CompanyMember
from systems.simulation.odds import tally_with_prints
from systems.simulation.records import resolve, verify

from .tables import setup

UNEVEN = {"a": {"units_least": 2, "points_most": 100}, "b": {"units_most": 1, "points_least": 60}}


def own(**spec: Any) -> dict[str, Any]:
    return {"name": "Ridge", "spec": spec}


@pytest.mark.rule("HX-A13")
def test_battle_lasts_the_rounds_of_its_scenario():
    squads = ["warden", "longbow"], ["warden", "longbow"]
    assert SYSTEM.prepare(setup(*squads, mission=own(), rounds=9)).battle.most_rounds == 9
    given = setup(*squads, mission=own(rounds=1), rounds=9)
    assert SYSTEM.prepare(given).battle.most_rounds == 1
    record = resolve(given, 3)
    assert (record.outcome["rounds"], record.outcome["reason"]) == (1, "rounds")
    assert verify(record.text()) is None
    terms = SYSTEM.terms(given.scenario)
    assert terms is not None
    assert terms.turns == 1
    assert ROSTERS.scenario_sheet(ROSTERS.parse_scenario({"rounds": 1})).turn_limit == 1


def test_scenario_without_limits_is_unchanged():
    spec = ROSTERS.parse_scenario({"rounds": 0, "forces": {"a": {}, "b": {"units_most": 0}}})
    assert ROSTERS.scenario_json(spec) == {"brief": "", "mission": "elimination", "map": None}
    squads = ["warden"], ["longbow"]
    assert resolve(setup(*squads, mission=own(rounds=0)), 5).events == resolve(setup(*squads), 5).events


@pytest.mark.django_db
def test_both_runs_end_at_last_round():
    given = setup(["warden"], ["longbow"], mission=own(rounds=2))
    assert tally_with_prints(given, 5, 0, 20) == tally_with_prints(given, 5, 0, 20, compiled=False)


@pytest.mark.rule("HX-054")
@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (["trooper"], ["bastion"], "sides[0].units: illegal (HX-054): The scenario needs at least 2 units, not 1."),
        (
            ["trooper"] * 2,
            ["bastion"] * 2,
            "sides[1].units: illegal (HX-054): The scenario allows at most 1 unit, not 2.",
        ),
        (["bastion"] * 2, ["bastion"], "The squad costs 196 points; the scenario allows 100."),
        (["trooper"] * 2, ["trooper"], "The force is worth 37 points; the scenario needs at least 60."),
    ],
)
def test_side_breaking_scenario_limits_is_refused(a, b, expected):
    assert setup(["trooper"] * 2, ["bastion"], mission=own(forces=UNEVEN))
    with pytest.raises(DocumentError) as refused:
        setup(a, b, mission=own(forces=UNEVEN))
    assert str(refused.value).endswith(expected)


@pytest.mark.rule("HX-054")
def test_scenario_limits_override_squad_size():
    eight, mission = ["trooper"] * 8, own(forces={"a": {"units_most": 8, "points_most": 300}})
    assert setup(eight, ["trooper"], mission=mission, squad_size="patrol")
    with pytest.raises(DocumentError, match=r"sides\[1\].*A Patrol squad has 4 units at most, not 8"):
        setup(["trooper"], eight, mission=mission, squad_size="patrol")
    with pytest.raises(DocumentError, match=r"sides\[0\].*The squad costs 296 points; a Patrol squad has 200"):
        setup(eight, ["trooper"], mission=own(forces={"a": {"units_most": 8}}), squad_size="patrol")
    terms = SYSTEM.terms(own(forces={"b": {"units_least": 2, "units_most": 3, "points_most": 150}}))
    assert terms is not None
    limits = [(side.points, side.fields) for side in terms.sides]
    assert limits == [(320, "1 to 6 units"), (150, "2 to 3 units")]


@pytest.mark.rule("HX-054", "HX-A13")
@pytest.mark.parametrize(
    ("spec", "place", "rule"),
    [
        ({"rounds": 31}, "rounds", "HX-A13"),
        ({"forces": {"a": {"units_most": 9}}}, "forces.a.units_most", "HX-054"),
        ({"forces": {"b": {"points_least": 481}}}, "forces.b.points_least", "HX-054"),
        ({"forces": {"b": {"units_least": 3, "units_most": 2}}}, "forces.b.units_least", "HX-054"),
    ],
)
def test_limits_out_of_bounds_are_reported_and_refused(spec, place, rule):
    (problem,) = ROSTERS.check_scenario(ROSTERS.parse_scenario(spec)).problems
    assert (problem.place, problem.rule) == (place, rule)
    with pytest.raises(DocumentError) as refused:
        setup(["warden"], ["warden"], mission=own(**spec))
    assert refused.value.path == f"scenario.spec.{place}"


@pytest.mark.rule("HX-174")
def test_autoplay_force_keeps_scenario_limits():
    members = [CompanyMember(each, ROSTERS.published[each].spec, None) for each in ("bastion", "trooper", "trooper")]

    def fielded(side: str, **forces: Any) -> tuple[int, ...]:
        scenario = own(forces=forces)

        def allows(places: tuple[int, ...]) -> bool:
            return ROSTERS.check_company(scenario, [members[place] for place in places], side=side).legal

        return LEAGUE.standing_force(scenario, members, {}, side=side, most=12, allows=allows)

    assert fielded("attacker") == (0, 1, 2)
    assert fielded("attacker", a={"units_most": 1}) == (0,)
    assert fielded("attacker", a={"points_most": 98}) == (0,)
    assert fielded("attacker", a={"units_least": 2, "points_most": 98}) == (1, 2)
    assert fielded("defender", a={"units_least": 2, "points_most": 98}) == (0, 1, 2)
    assert fielded("attacker", a={"units_least": 4}) == ()
