"""Scenarios, support and house rules on the pages: chosen in the form, kept in the set-up, shown with the battle."""

from typing import Any

import pytest
from django.http import QueryDict
from django.urls import reverse

from battles.choices import forces_for
from battles.forms.initial import first_initial, posted_initial
from battles.forms.setups import BattleForms
from battles.forms.sides import LETTERS
from battles.models import Battle, Forecast
from battles.odds.changes import Change, apply_change, change_places
from battles.odds.services import forecast_ask
from battles.services.battles import battle_queue
from battles.services.setups import ready_setup
from battles.tasks import battle_resolve, forecast_run
from rosters.scenarios.selectors import playable_scenarios
from systems.documents import DocumentError
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.reading import read_setup
from systems.simulation.analysis import report_text, support_of
from systems.simulation.records import resolve
from tests.battles.builders import company, duel, player, result_of

pytestmark = pytest.mark.django_db
SYSTEM = "meks-and-mercs"
SCENARIOS = list(CATALOGUE.scenarios)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch) -> None:
    """Keep jobs in their rows until a test runs them."""
    monkeypatch.setattr(battle_resolve, "delay", lambda pk: None)
    monkeypatch.setattr(forecast_run, "delay", lambda pk: None)


def scenario_data(scenario: str = "opening-shots", **changes: str) -> dict[str, Any]:
    """Return the data that an untouched form of a scenario sends."""
    data: dict[str, Any] = {"f-seed": "7", "f-visibility": "public", "battles": "1000", "do": "fight"}
    for prefix, values in first_initial(SYSTEM, scenario, None).items():
        data |= {f"{prefix}-{name}": value for name, value in values.items() if value}
    if "terrain" in CATALOGUE.scenarios[scenario].ours:
        data["f-terrain"] = "printed"
    return data | changes


def ready(scenario: str = "opening-shots", **changes: Any) -> dict[str, Any]:
    return ready_setup(system=SYSTEM, scenario=scenario) | changes


def finished_battle(setup: dict[str, Any], seed: int = 5, **kwargs: Any) -> Battle:
    battle = battle_queue(setup=setup, seed=seed, visitor="v", **kwargs)
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    return battle


def page_of(client, battle: Battle) -> str:
    return client.get(reverse("battles:battle", args=[battle.key])).content.decode()


# --- ready-made forces ---


@pytest.mark.rule("MM-010")
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_side_has_two_ready_made_forces(scenario: str, side: int):
    assert len(forces_for(SYSTEM, scenario, side)) >= 2


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_one_press_plays_a_whole_game(client, scenario: str):
    assert f'value="{scenario}"' in client.get("/battles/new/").content.decode()
    answer = client.post(reverse("battles:ready-battle"), {"scenario": scenario})
    battle = Battle.objects.get()
    assert answer.headers["Location"] == reverse("battles:battle", args=[battle.key])
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    assert battle.status == "done"
    assert CATALOGUE.scenarios[scenario].name in page_of(client, battle)


def test_unknown_scenario_is_refused(client):
    answer = client.post(reverse("battles:ready-battle"), {"scenario": "picnic"})
    assert answer.status_code == 422
    assert "scenario doesn’t exist" in answer.content.decode()


# --- the form ---


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_scenario_form_is_ready_to_fight(client, scenario: str):
    html = client.get("/battles/new/", {"scenario": scenario}).content.decode()
    assert html.count("tag--good") >= 2  # both sides are legal as they stand
    assert ('name="f-terrain"' in html) == ("terrain" in CATALOGUE.scenarios[scenario].ours)
    answer = client.post("/battles/new/", scenario_data(scenario))
    assert answer.status_code == 302, answer.content.decode()
    setup = Battle.objects.get().setup
    assert (setup["scenario"], setup["terrain"]) == (scenario, "printed")
    rolls = [
        side.support_rolls for side in (CATALOGUE.scenarios[scenario].attacker, CATALOGUE.scenarios[scenario].defender)
    ]
    assert [side["support"] for side in setup["sides"]] == [["roll"] * count for count in rolls]


def test_printed_terrain_overrides_the_chosen_one(client):
    client.post("/battles/new/", scenario_data("breach", **{"f-terrain": "moors"}))
    client.post("/battles/new/", scenario_data("opening-shots", **{"f-terrain": "moors"}))
    assert [battle.setup["terrain"] for battle in Battle.objects.order_by("pk")] == ["moors", "printed"]


@pytest.mark.rule("MM-010")
def test_illegal_force_is_refused_with_reason(client):
    data = scenario_data(**{"a2-unit": "design:thor"})
    tally = client.post(reverse("battles:quick-battle-part") + "?part=tally", data).content.decode()
    assert "Opening Shots allows 30" in tally
    assert "3 problems" in tally
    assert 'id="tally-b" hx-swap-oob="true"' in tally
    answer = client.post("/battles/new/", data)
    assert answer.status_code == 422
    assert "MM-010" in answer.content.decode()
    assert not Battle.objects.exists()


@pytest.mark.rule("MM-011")
def test_companys_regulars_cost_nothing_in_a_scenario(client):
    owner = player()
    own = company(owner, "viper", "wasp", "wasp")
    client.force_login(owner)
    rows = {f"a{number}-unit": f"unit:{unit.pk}" for number, unit in enumerate(own.units.order_by("pk"), start=1)}
    answer = client.post("/battles/new/", scenario_data(**rows))
    assert answer.status_code == 302, answer.content.decode()
    battle = Battle.objects.get()
    assert [unit["pilot"]["is_new"] for unit in battle.setup["sides"][0]["units"]] == [False] * 3
    assert battle.sides.get(position=0).company == own


@pytest.mark.rule("MM-075")
def test_log_hero_brings_a_second_support_roll(client):
    data = scenario_data(**{"a1-level": "veteran", "a1-skills": "log-hero"})
    tally = client.post(reverse("battles:quick-battle-part") + "?part=tally", data).content.decode()
    assert 'name="a-support-2"' in tally
    assert 'name="b-support-2"' not in tally
    client.post("/battles/new/", data | {"a-support-1": "ambush", "a-support-2": "decoy", "b-support-1": "none"})
    assert [side["support"] for side in Battle.objects.get().setup["sides"]] == [["ambush", "decoy"], []]


def query_dict(data: dict[str, Any]) -> QueryDict:
    query = QueryDict(mutable=True)
    query.update(data)
    return query


def test_scenario_replaces_untouched_units_only():
    data = scenario_data("opening-shots", **{"stock": "opening-shots", "f-scenario": "citadel"})
    names = [
        pick.design
        for side in BattleForms(
            None, system=SYSTEM, player=None, initial=posted_initial(SYSTEM, query_dict(data), None)
        ).sides
        for pick in side.picks
    ]
    assert "thor" in names
    own = posted_initial(SYSTEM, query_dict(data | {"a1-unit": "design:odin"}), None)
    assert own["a1"]["unit"] == "design:odin"
    assert own["b1"]["unit"] == data["b1-unit"]


@pytest.mark.parametrize("letter", LETTERS)
def test_whole_force_fills_the_rows(client, letter: str):
    data = scenario_data(**{f"{letter}-force": "force:rear-guard", "stock": "opening-shots"})
    html = client.post(reverse("battles:quick-battle-part"), data).content.decode()
    assert html.startswith('<div id="battle-fields"')
    assert 'value="Rear Guard"' in html
    without_scripts = client.post("/battles/new/", data | {"do": "fill"}).content.decode()
    assert 'value="Rear Guard"' in without_scripts


@pytest.mark.parametrize("junk", ["force:nothing", "company:1", "company:x", "zz"])
def test_unknown_force_fills_nothing(client, junk: str):
    assert client.post(reverse("battles:quick-battle-part"), scenario_data(**{"a-force": junk})).status_code == 200


def test_junk_in_the_form_is_no_server_error(client):
    junk = {"a1-unit": "unit:999", "a2-unit": "force:x:9", "a1-level": "boss", "f-scenario": "x", "o-tzc-rounds": "-3"}
    for path in ("", "?part=tally"):
        assert client.post(reverse("battles:quick-battle-part") + path, scenario_data(**junk)).status_code == 200
    assert client.post("/battles/new/", scenario_data(**junk)).status_code == 422


def test_both_sides_may_take_the_same_force(client):
    data = scenario_data()
    data |= {key.replace("a", "b", 1): value for key, value in data.items() if key[0] == "a" and key != "a-doctrine"}
    assert client.post("/battles/new/", data).status_code == 302
    assert "(attacker)" in Battle.objects.get().title


# --- support as it happened ---


@pytest.mark.rule("MM-014")
def test_page_shows_support_rolls_and_their_use(client):
    setup = ready()
    setup["sides"][1]["support"] = ["minefield"]
    record = resolve(read_setup(setup), 5)
    attacker, defender = support_of(record)
    assert (len(attacker.faces), defender.faces) == (2, ())
    table, face = CATALOGUE.support[attacker.result.slug].table, CATALOGUE.support[attacker.result.slug].face
    assert ("ABC"[(attacker.faces[0] - 1) // 2], attacker.faces[1]) == (table, face)
    laid = record.events[defender.uses[0].number - 1]
    assert (laid.kind, defender.is_used) == ("mines-laid", True)
    battle = finished_battle(setup)
    html = page_of(client, battle)
    assert "rolled with provably fair dice" in html
    assert attacker.result.name in html
    assert "chosen before the battle" in html
    expected = [
        [line.result.slug for line in support_of(record) if line.side == at and line.is_used] for at in range(2)
    ]
    assert result_of(battle)["support"] == expected


@pytest.mark.rule("MM-014")
@pytest.mark.parametrize("slug", list(CATALOGUE.support))
def test_support_is_used_by_its_own_side_only(slug: str):
    """For every support roll and several seeds: only its own side uses it, and each use is an event of the record."""
    setup = ready("head-to-head")
    setup["sides"][0]["support"], setup["sides"][1]["support"] = [slug], []
    for seed in range(3):
        record = resolve(read_setup(setup), seed)
        (line,) = support_of(record)
        assert (line.side, line.result.slug) == (0, slug)
        assert all(0 < use.number <= len(record.events) for use in line.uses)


# --- house rules ---


def test_only_changed_house_rules_are_kept(client):
    html = client.get("/battles/new/").content.decode()
    for option in CATALOGUE.options.values():
        assert f'name="o-{option.slug}"' in html
        assert option.effect in html
    client.post("/battles/new/", scenario_data(**{"o-tzc-rounds": "12", "o-natural-rolls": "none"}))
    client.post("/battles/new/", scenario_data(**{"o-tzc-rounds": "3", "o-diagonal-moves": "on"}))
    options = [battle.setup["options"] for battle in Battle.objects.order_by("pk")]
    assert options == [{}, {"tzc-rounds": 3, "diagonal-moves": True}]


def test_battle_and_odds_pages_show_house_rules(client):
    plain, changed_ = (
        finished_battle(ready()),
        finished_battle(ready(options={"tzc-rounds": 3, "natural-rolls": "six-hits-one-misses"})),
    )
    assert "House rules" not in page_of(client, plain)
    html = page_of(client, changed_)
    assert "Rounds in one T.Z.C. phase: 3" in html
    assert "Natural rolls: 6 hits, 1 misses" in html
    assert client.get("/battles/").content.decode().count("house rules</span>") == 1
    report = client.get(reverse("battles:report", args=[changed_.key])).content.decode()
    assert "House rules: Rounds in one T.Z.C. phase: 3; Natural rolls" in report
    forecast, _ = forecast_ask(setup=changed_.setup, runs=10, visitor="v")
    html = client.get(reverse("battles:forecast", args=[forecast.key])).content.decode()
    assert "Rounds in one T.Z.C. phase: 3" in html
    assert "a roll on the battle’s dice" in html


def test_setup_returns_with_support_and_house_rules(client):
    setup = ready("breach", options={"diagonal-moves": True}, terrain="moors")
    setup["sides"][0]["support"] = ["ambush"]
    html = client.get("/battles/new/", {"from": str(finished_battle(setup).key)}).content.decode()
    for chosen in ("breach", "moors", "ambush"):
        assert f'<option value="{chosen}" selected>' in html
    assert (
        'name="o-diagonal-moves" aria-describedby="id_o-diagonal-moves_helptext" id="id_o-diagonal-moves" checked'
        in html
    )


# --- the report ---


def test_report_names_terrain_by_zone():
    text = report_text(resolve(read_setup(ready()), 1))
    assert "printed" not in text.splitlines()[0]
    assert "Opening Shots" in text.splitlines()[0]
    assert "Terrain: Plain in zones 1, 4, 8 and 9, Wood in zones 2, 5 and 6, Urban in zone 3, Moors in zone 7" in text
    assert "Terrain: Moors in all 9 zones" in report_text(resolve(read_setup(ready("breach", terrain="moors")), 1))
    assert "Terrain:" not in report_text(resolve(read_setup(duel(terrain="wood")), 1))


# --- what if ---


@pytest.mark.parametrize("setup", [duel("demon", "saber"), *map(ready, ("opening-shots", "breach"))], ids=str)
def test_every_offered_change_can_be_made(setup: dict[str, Any]):
    before = read_setup(setup)
    offered = [value for place in change_places(before) for _, group in place.groups for value, _ in group]
    assert offered
    for value in offered:
        what, of, to = value.split("|", 2)
        assert apply_change(before, Change(what=what, of=of, to=to)) != before


def test_change_that_does_not_apply_shows_reason(client):
    places = change_places(read_setup(ready()))
    assert places[0].refused == [("Opening Shots sets its terrain", ["Terrain"])]
    reasons = {reason for place in places for reason, _ in place.refused}
    assert any("(MM-010)" in reason for reason in reasons)
    forecast, _ = forecast_ask(setup=ready(), runs=10, visitor="v")
    html = client.get(reverse("battles:what-if-create", args=[forecast.key])).content.decode()
    assert "Opening Shots sets its terrain" in html
    answer = client.post(
        reverse("battles:what-if-create", args=[forecast.key]), {"change": "terrain||moors", "battles": "10000"}
    )
    assert answer.status_code == 422
    with pytest.raises(DocumentError, match="MM-010"):
        apply_change(read_setup(ready()), Change(what="design", of="a1", to="odin"))


def test_what_if_tries_an_own_design(client):
    from rosters.services import design_save

    owner = player()
    spec = {"chassis": "light", "weapons": ["cannon"], "systems": []}
    own = design_save(author=owner, system=SYSTEM, name="Midge", spec=spec)
    forecast, _ = forecast_ask(setup=ready(), runs=10, actor=owner)
    url = reverse("battles:what-if-create", args=[forecast.key])
    assert "Midge" not in client.get(url).content.decode()
    client.force_login(owner)
    value = f"design|a2|own:{own.pk}"
    assert f'value="{value}"' in client.get(url).content.decode()
    assert client.post(url, {"change": value, "battles": "10000"}).status_code == 302
    assert Forecast.objects.get().what_ifs.get().setup["sides"][0]["units"][1]["design"] == spec
    client.force_login(player("eve"))
    assert client.post(url, {"change": value, "battles": "10000"}).status_code == 422


# --- queries ---


@pytest.mark.slow
def test_scenario_page_query_counts_are_constant(client, django_assert_max_num_queries):
    owner = player()
    company(owner, "viper", "wasp", "wasp")
    battle = finished_battle(ready(), actor=None)
    forecast, _ = forecast_ask(setup=ready(), runs=10, actor=owner)
    client.force_login(owner)
    page_of(client, battle)
    client.get("/battles/new/")  # seals dice for the next battle
    urls = [f"/battles/new/?scenario={each.value}" for each in playable_scenarios(owner, system="meks-and-mercs")]
    urls += ["/battles/log/?scenario=opening-shots", reverse("battles:battle", args=[battle.key])]
    urls += [reverse(f"battles:{name}", args=[forecast.key]) for name in ("forecast", "what-if-create")]
    counts: dict[str, set[int]] = {}
    for more in (0, 3):
        for number in range(more):
            company(owner, "draken", "wasp", name=f"More {number}")
        for url in urls:
            with django_assert_max_num_queries(12) as queries:
                assert client.get(url).status_code == 200
            counts.setdefault(url, set()).add(len(queries.captured_queries))
    assert all(len(found) == 1 for found in counts.values()), counts
