"""Hex scenarios as pages: written without scripts, refused with their input kept, shown, cloned."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from rosters.models import Scenario
from tests.builders import a_player

pytestmark = pytest.mark.django_db
NEW = "/scenarios/new/?system=hex-core"
RIDGE = {"hexes": {"green": [[3, 4], [12, 8]]}, "buildings": [[7, 4, 9], [8, 8, 9]]}


@pytest.fixture
def owner(client):
    player = a_player("owner")
    client.force_login(player)
    return player


def post_scenario(client, text: str, **fields: str):
    given = {"system": "hex-core", "name": "Ridge", "mission": "domination", "map": text, **fields}
    return client.post(NEW, given)


def test_map_is_saved_from_its_document_and_shown(client, owner):
    answer = post_scenario(client, json.dumps(RIDGE), do="save")
    row = Scenario.objects.get()
    assert answer.headers["Location"] == reverse("rosters:scenario", args=[row.pk])
    assert row.spec == {"brief": "", "mission": "domination", "map": row.spec["map"]}
    assert row.spec["map"]["hexes"] == RIDGE["hexes"]
    html = client.get(answer.headers["Location"]).content.decode()
    assert "Play this" in html
    for words in ('Green</dt><dd class="num">(3, 4) (12, 8)', "Building, 9 floors", "rows 10 to 12"):
        assert words in html, words
    form = client.get(reverse("rosters:scenario_edit", args=[row.pk])).content.decode()
    assert "&quot;green&quot;: [[3, 4], [12, 8]]" in form


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "Map: not JSON"),
        ('{"columns": 40, "rows": 40}', "Map.columns: a map has 16 columns, not 40 (HX-055)"),
        ('{"hexes": {"pink": [[1, 1]]}}', "Map.hexes: unknown colour &#x27;pink&#x27; (HX-136)"),
        ("[]", "Map: must be an object, not a list"),
    ],
)
def test_unreadable_map_document_is_refused_and_kept(client, owner, text, reason):
    answer = post_scenario(client, text, do="save", brief="Once more")
    html = answer.content.decode()
    assert answer.status_code == 422
    assert reason in html
    assert text.replace('"', "&quot;") in html
    assert "Once more" in html
    assert not Scenario.objects.exists()
    looked = client.post("/scenarios/preview/", {"system": "hex-core", "name": "Ridge", "map": text})
    assert looked.status_code == 200
    assert reason in looked.content.decode()


def test_rounds_and_forces_are_saved_and_shown(client, owner):
    fields = {"rounds": "4", "force-a-units_least": "2", "force-a-units_most": "4", "force-b-points_most": "150"}
    answer = post_scenario(client, "", do="save", **fields)
    row = Scenario.objects.get()
    assert row.spec["rounds"] == 4
    assert row.spec["forces"] == {"a": {"units_least": 2, "units_most": 4}, "b": {"points_most": 150}}
    page = " ".join(client.get(answer.headers["Location"]).content.decode().split())
    assert "<dt>Side A</dt><dd>2 to 4 units</dd>" in page
    assert "<dt>Side B</dt><dd>a squad of the size chosen, 150 points at most</dd>" in page
    edit = client.get(reverse("rosters:scenario_edit", args=[row.pk])).content.decode()
    for name, value in fields.items():
        assert f'name="{name}" value="{value}"' in " ".join(edit.split()), name


def test_wrong_figures_and_map_are_listed_and_kept(client, owner):
    answer = post_scenario(client, "{", do="save", rounds="many", **{"force-b-units_most": "1.5"})
    page = " ".join(answer.content.decode().split())
    assert answer.status_code == 422
    for problem in ("Rounds must be a whole number.", "Side B: Units at most must be a whole number.", "Map: not JSON"):
        assert problem in page, problem
    assert 'value="many"' in page
    assert 'value="1.5"' in page
    assert '<details class="fold" open' in page
    assert not Scenario.objects.exists()


def test_map_with_problems_is_saved_but_not_playable(client, owner):
    post_scenario(client, '{"hexes": {"green": [[3, 4]]}}', do="save")
    html = client.get(reverse("rosters:scenario", args=[Scenario.objects.get().pk])).content.decode()
    assert "must look the same turned by 180°" in html
    assert "Play this" not in html


def test_map_is_filled_and_mirrored_without_scripts(client, owner):
    html = post_scenario(client, "", lay="broken-town").content.decode()
    assert "&quot;buildings&quot;: [[3, 4, 10], [7, 4, 4]" in html
    html = post_scenario(client, '{"hexes": {"green": [[3, 12]]}}', lay="mirror-a").content.decode()
    assert "&quot;green&quot;: [[12, 0], [3, 12]]" in html
    assert not Scenario.objects.exists()


def test_cloned_mission_leaves_its_map_to_the_battle(client, owner):
    client.post("/scenarios/hex-core/retrieval/clone/")
    assert Scenario.objects.get().spec == {
        "brief": Scenario.objects.get().spec["brief"],
        "mission": "retrieval",
        "map": None,
    }


def test_published_mission_shows_all_its_maps(client):
    html = client.get("/scenarios/hex-core/domination/").content.decode()
    for name in ("Open Plain", "Broken Town", "Coast", "Frost Pass"):
        assert f'aria-label="{name}, drawn"' in html
    assert html.count('id="hex-woods"') == 1
