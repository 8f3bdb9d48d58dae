"""Set-ups that are read or refused, and the odds of one."""

from __future__ import annotations

from fractions import Fraction

import pytest

from systems import battle_rules
from systems.documents import DocumentError
from systems.engine import runner
from systems.reading import read_setup
from systems.simulation.odds import tally
from systems.simulation.summary import odds

from .tables import document, setup


@pytest.mark.rule("BS-014")
@pytest.mark.parametrize(
    ("force", "place", "expected"),
    [
        (["gundam"], "sides[0].units[0].design", "unknown design"),
        ([{"design": {"chassis": "jumbo"}}], "sides[0].units[0].design.chassis", "unknown chassis"),
        (
            [{"design": {"chassis": "light", "locomotion": "tracked", "l1": ["laser", "railgun"]}}],
            "sides[0].units[0].design.l1",
            "BS-003",
        ),
        (
            [
                {
                    "design": {
                        "chassis": "light",
                        "locomotion": "tracked",
                        "l1": "laser",
                        "r1": "laser",
                        "c1": "laser",
                        "p1": "combat-gyros",
                    }
                }
            ],
            "sides[0].units[0].design",
            "BS-005",
        ),
        (
            [
                {
                    "design": {
                        "chassis": "light",
                        "locomotion": "tracked",
                        "l1": "laser",
                        "p1": "extended-magazine",
                        "magazine_on": "l1",
                    }
                }
            ],
            "sides[0].units[0].design.magazine_on",
            "BS-012",
        ),
        ([{"design": "hawker", "pilot": {"experience": "ace"}}], "sides[0].units[0].pilot", "BS-C09"),
        ([{"design": "hawker", "condition": {"repair": True}}], "sides[0].units[0].condition.repair", "BS-C04"),
        (["hawker"] * 11, "sides[0].units", "BS-014"),
        (["hawker"] * 200, "sides[0].units", "illegal (BS-014): A force has 10 Warmechs at most, not 200."),
    ],
)
def test_impossible_force_is_refused(force, place, expected):
    with pytest.raises(DocumentError) as refused:
        read_setup(document(force))
    assert refused.value.path == place
    assert expected in refused.value.reason


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"terrain": "swamp"}, "terrain"),
        ({"scenario": "siege"}, "scenario"),
        ({"doctrines": ("aggressive", "timid")}, "sides[1].doctrine"),
        ({"options": {"rounds": 0}}, "options.rounds"),
        ({"options": {"kill-points": "all"}}, "options.kill-points"),
    ],
)
def test_bad_setup_is_refused_with_its_place(given, place):
    with pytest.raises(DocumentError) as refused:
        read_setup(document(**given))
    assert refused.value.path == place


def test_own_scenario_is_played_as_skirmish():
    own = {"name": "Over the Ford", "spec": {"brief": "Nobody crosses."}}
    given = setup(scenario=own, terrain="open")
    assert battle_rules("blazing-steel").place_title(given) == "Over the Ford on the open map"
    assert battle_rules("blazing-steel").terms(own).brief == "Nobody crosses."


@pytest.mark.rule("BS-190", "BS-197", "BS-AR34")
def test_odds_have_points_kills_cripples_and_overheats():
    given = setup(["hawker"], ["bulwark", "skimmer"])
    counts = tally(given, 1, 0, 30, compiled=False)
    found = odds(counts, given)
    exact = Fraction(counts.battle["attacker_points"], 22) / 30
    assert found.sides[0].score == float(exact)
    assert set(found.to_json()["score"]) == {"Red", "Blue"}
    units = {unit.key: unit for unit in found.units}
    lost = sum(counts.units[key]["lost"] for key in units)
    assert sum(unit.kills for unit in units.values()) * 30 == pytest.approx(lost)
    for key, unit in units.items():
        assert unit.own["overheats"] == counts.units[key]["overheats"] / 30
        assert dict(unit.headed)["Crippling results"] == counts.units[key]["cripples"] / 30


def test_state_of_ten_a_side_fits_in_64_kib():
    system = battle_rules("blazing-steel")
    state = system.prepare(setup(["colossus"] * 10, ["colossus"] * 10))
    parts = zip(runner.records_of(system.records).items(), state, strict=True)
    arrays = [runner.as_array([part] if name == "battle" else part, record) for (name, record), part in parts]
    assert sum(array.nbytes for array in arrays) < 64 * 1024


@pytest.mark.django_db
def test_battle_page_uses_terms_of_this_game(client):
    html = client.get("/battles/new/?system=blazing-steel").content.decode()
    assert "5 rounds at most" in html
    assert "hire its pilots" not in client.get("/?system=blazing-steel").content.decode()
    assert "hire its pilots" in client.get("/?system=meks-and-mercs").content.decode()
