"""Players' own scenarios: map, length, points and zones; their form, and how they are played."""

from __future__ import annotations

import pytest

from rosters.models import Scenario
from systems import battle_rules
from systems.blazing_steel.battle.rules.rounds import score_objectives
from systems.blazing_steel.build import SYSTEM
from systems.documents import DocumentError
from systems.engine.odds import tally_with_prints
from systems.engine.resolve import resolve
from systems.reading import read_setup
from tests.battles.builders import player
from tests.systems.blazing_steel.battle.tables import Table, document, setup, unit

FORD = {"brief": "Nobody crosses.", "map": "city", "rounds": 3, "points": 20, "zone_in": 18}


def own(**spec):
    return {"name": "Over the Ford", "spec": spec}


@pytest.mark.parametrize("spec", [{}, {"brief": "At dawn."}, FORD])
def test_a_scenario_survives_json_and_its_form(spec):
    parsed = SYSTEM.parse_scenario(spec)
    assert SYSTEM.scenario_json(parsed) == {"brief": ""} | spec
    form = SYSTEM.scenario_form(parsed)
    chosen = next(each.value for each in form.maps if each.is_chosen)
    fields = {"brief": form.brief, "map": chosen, "rounds": form.rounds, "points": form.points}
    assert SYSTEM.parse_scenario(SYSTEM.form_spec(fields | {"zone_in": str(form.zone_in)})) == parsed


@pytest.mark.rule("BS-187", "BS-193", "BS-C02")
@pytest.mark.parametrize(
    ("spec", "place"),
    [
        ({"rounds": 13}, "rounds"),
        ({"points": 231}, "points"),
        ({"zone_in": 3}, "zone_in"),
        ({"zone_in": 21}, "zone_in"),
    ],
)
def test_a_scenario_that_can_not_be_played_says_what_is_wrong(spec, place):
    assert [problem.place for problem in SYSTEM.check_scenario(SYSTEM.parse_scenario(spec)).problems] == [place]
    with pytest.raises(DocumentError) as refused:
        read_setup(document(scenario=own(**spec)))
    assert refused.value.path == f"scenario.spec.{place}"


@pytest.mark.parametrize("number", ["-1", "many", "9" * 20])
def test_a_form_with_nonsense_makes_a_spec_with_problems(number):
    fields = {"map": "<b>", "rounds": number, "points": number, "zone_in": number}
    spec = SYSTEM.parse_scenario(SYSTEM.form_spec(fields))
    assert spec.map == ""
    assert [each.place for each in SYSTEM.check_scenario(spec).problems] == ["rounds", "points", "zone_in"]


def test_an_unknown_map_is_refused():
    with pytest.raises(DocumentError, match=r"spec\.map: unknown map 'citty'; did you mean 'city'"):
        SYSTEM.parse_scenario({"map": "citty"})


def test_a_scenario_with_a_map_is_played_there_and_nowhere_else():
    rules = battle_rules("blazing-steel")
    assert dict(rules.terrain_choices(own(**FORD))) == {"city": "City"}
    assert rules.match_terrains(own(map="open")) == ("open",)
    with pytest.raises(DocumentError) as refused:
        setup(scenario=own(map="city"), terrain="open")
    assert (refused.value.path, refused.value.reason) == ("terrain", "Over the Ford is played on the city map")


@pytest.mark.rule("BS-187", "BS-C02")
def test_its_rounds_and_points_go_before_the_house_rules():
    given = setup(["darter"], ["darter"], scenario=own(rounds=2), options={"rounds": 9})
    assert battle_rules("blazing-steel").prepare(given).battle.round_limit == 2
    assert battle_rules("blazing-steel").prepare(setup(scenario=own(), options={"rounds": 9})).battle.round_limit == 9
    with pytest.raises(DocumentError, match="The force is worth 20 points; the limit is 19"):
        setup(["hawker", "hawker"], scenario=own(points=19), options={"points-limit": 40})
    assert battle_rules("blazing-steel").terms(own(**FORD)).sides[0].points == 20


@pytest.mark.rule("BS-193")
@pytest.mark.parametrize(("deep", "scores"), [(12, 0), (16, 1)])
def test_a_zone_is_as_deep_as_the_scenario_has_it(deep, scores):
    table = Table([unit("hawker", 24, 34)], [unit("hawker", 4, 47)])
    table.battle.zone = float(deep)
    score_objectives(table.state, [])
    assert table.state.sides[0].zone_points == scores


@pytest.mark.django_db
def test_both_runs_fight_it_alike_and_its_table_is_drawn():
    given = setup(["skimmer", "darter"], ["hawker"], scenario=own(map="city", zone_in=20, rounds=4), terrain="city")
    assert tally_with_prints(given, 5, 0, 40) == tally_with_prints(given, 5, 0, 40, compiled=False)
    space = battle_rules("blazing-steel").space
    assert space is not None
    assert space.table(given).depth == 2000
    assert resolve(given, 1).outcome["rounds"] <= 4


# --- the page ---------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_player_draws_one_up_on_its_form(client):
    client.force_login(player())
    page = client.get("/scenarios/new/?system=blazing-steel").content.decode()
    assert page.count('class="map steel-map"') == 3
    sent = {"system": "blazing-steel", "name": "Over the Ford"} | {key: str(value) for key, value in FORD.items()}
    preview = client.post("/scenarios/preview/", sent).content.decode()
    assert preview.count('class="map steel-map"') == 1
    assert 'height="180" fill="var(--zone-b)"' in preview
    answer = client.post("/scenarios/new/", sent | {"do": "save"})
    row = Scenario.objects.get()
    assert answer.headers["Location"] == f"/scenarios/{row.pk}/"
    assert (row.name, row.spec) == ("Over the Ford", FORD)
    shown = " ".join(client.get(f"/scenarios/{row.pk}/").content.decode().split())
    assert "1 to 10 Warmechs a side, 20 points at most" in shown
    assert "deployment zone, 18 in deep" in shown
    form = " ".join(client.get(f"/battles/new/?system=blazing-steel&scenario=custom-{row.pk}").content.decode().split())
    assert "Nobody crosses. 3 rounds at most." in form


@pytest.mark.django_db
def test_its_form_says_what_is_wrong_and_keeps_it(client):
    client.force_login(player())
    sent = {"system": "blazing-steel", "name": "Too Long", "rounds": "40", "zone_in": "12"}
    assert "A battle lasts 1 to 12 rounds, not 40." in client.post("/scenarios/preview/", sent).content.decode()
    client.post("/scenarios/new/", sent | {"do": "save"})
    assert Scenario.objects.get().spec == {"brief": "", "rounds": 40}
