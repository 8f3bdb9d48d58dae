"""Blazing Steel scenarios as pages: drawn without scripts, refused at the field, kept, printed, exported, copied."""

from __future__ import annotations

import html
import json

import pytest
from django.urls import reverse

from rosters.models import Scenario
from rosters.services import scenario_save
from systems import PAPER
from tests.builders import a_player
from tests.rosters.test_stellar_scenarios import Sent

pytestmark = pytest.mark.django_db
FRESH = {"csrfmiddlewaretoken": "", "once": ""}  # new on each page
RIDGE = {
    "brief": "Nobody crosses.",
    "rounds": 4,
    "zone_in": 10,
    "table_in": 60,
    "hill": [30, 28.5],
    "pieces": [
        {"x": 24, "y": 22.5, "radius": 3.25, "kind": "block"},
        {"x": 36, "y": 37.5, "radius": 3, "kind": "woods"},
    ],
    "forces": {"a": {"units_least": 2, "units_most": 4}, "b": {"points_most": 30}},
}


@pytest.fixture
def owner(client):
    player = a_player("owner")
    client.force_login(player)
    return player


def save_scenario(owner, **spec):
    return scenario_save(author=owner, system="blazing-steel", name="Ridge", spec={**RIDGE, **spec})


def edit(row: Scenario) -> str:
    return reverse("rosters:scenario_edit", args=[row.pk])


def page_text(page: bytes) -> str:
    return html.unescape(" ".join(page.decode().split()))


@pytest.mark.parametrize(
    "spec",
    [{"brief": ""}, RIDGE, {"brief": "", "map": "city"}, {"brief": "", "rounds": 99}],
    ids=["plain", "ridge", "city", "long"],
)
def test_unchanged_form_keeps_the_scenario(client, owner, spec):
    row = scenario_save(author=owner, system="blazing-steel", name="Ridge", spec=spec)
    fields = Sent(client.get(edit(row)).content.decode()).fields
    assert client.post(edit(row), {**fields, "do": "save"}).status_code == 302
    row.refresh_from_db()
    assert row.spec == spec


def test_skirmish_is_cloned_and_edited_without_scripts(client, owner):
    answer = client.post("/scenarios/blazing-steel/skirmish/clone/", follow=True)
    row = Scenario.objects.get()
    assert "It has no terrain of its own" in page_text(answer.content)
    laid = client.post(edit(row), {**Sent(answer.content.decode()).fields, "lay": "standard"}).content.decode()
    fields = Sent(laid).fields
    assert (fields["piece-1-kind"], fields["piece-8-x"], fields["piece-9-kind"]) == ("block", "10", "")
    fields |= {"piece-9-kind": "woods", "piece-9-x": "6", "piece-9-y": "42", "piece-9-radius": "4"}
    fields |= {"piece-1-kind": "gone", "point-1-x": "24", "point-1-y": "26"}
    drawn = page_text(client.post("/scenarios/preview/", {**fields, "system": "blazing-steel"}).content)
    assert 'cx="60" cy="60" r="40"' in drawn
    assert "Can be played" in drawn
    assert "The hill lies nearer to side B’s edge" in drawn
    assert client.post(edit(row), {**fields, "do": "save"}).status_code == 302
    row.refresh_from_db()
    assert [each["kind"] for each in row.spec["pieces"]] == ["block"] * 3 + ["woods"] * 5
    assert row.spec["hill"] == [24, 26]


def test_errors_show_at_their_field_and_nothing_is_saved(client, owner):
    row = save_scenario(owner)
    fields = Sent(client.get(edit(row)).content.decode()).fields
    fields |= {"piece-2-x": "61", "rounds": "many", "point-1-y": "", "force-a-points_most": "x"}
    answer = client.post(edit(row), {**fields, "do": "save"})
    page = page_text(answer.content)
    assert answer.status_code == 422
    for sentence in (
        "<li>Piece 2 must be on the table, 0 to 60 in each way, not at x 61 (BS-046).</li>",
        "<li>Hill has no y.</li>",
        "<li>Rounds must be a whole number.</li>",
        "<li>Side A: Points at most must be a whole number.</li>",
    ):
        assert sentence in page, sentence
    kept_fields = Sent(answer.content.decode()).fields
    assert {name: kept_fields[name] for name in fields} | FRESH == fields | FRESH
    row.refresh_from_db()
    assert row.spec == RIDGE


def test_draft_is_saved_and_described_but_not_playable(client, owner):
    row = save_scenario(owner, pieces=[{"x": 30, "y": 28, "radius": 2, "kind": "block"}])
    page = page_text(client.get(reverse("rosters:scenario", args=[row.pk])).content)
    assert "Piece 1, block, covers the hill’s marker." in page
    assert "Play this" not in page


def test_scenario_document_survives_export_and_import(client, owner):
    row = save_scenario(owner)
    page = page_text(client.get(reverse("rosters:scenario", args=[row.pk])).content)
    for words in (
        "<dt>Side A</dt><dd>2 to 4 Warmechs</dd>",
        "<dt>Side B</dt><dd>1 to 10 Warmechs, 30 points at most</dd>",
        "a table of 60 by 60 in",
        "Blocks (24, 22.5; 3.25); woods (36, 37.5; 3); hill (30, 28.5; 4).",
        "deployment zone, 10 in deep",
    ):
        assert words in page, words
    text = client.get(reverse("rosters:scenario_json", args=[row.pk])).content.decode()
    assert json.loads(text)["spec"] == RIDGE
    client.post(reverse("rosters:scenario_delete", args=[row.pk]))
    assert client.post("/scenarios/upload/", {"text": text}).status_code == 302
    again = Scenario.objects.get()
    assert again.spec == RIDGE
    assert client.post(reverse("rosters:scenario_clone", args=[again.pk])).status_code == 302
    assert [each.spec for each in Scenario.objects.all()] == [RIDGE] * 2


def test_battle_form_of_a_scenario_has_no_map(client, owner):
    row = save_scenario(owner)
    page = page_text(client.get(f"/battles/new/?system=blazing-steel&scenario=custom-{row.pk}").content)
    assert "Nobody crosses. 4 rounds at most." in page
    assert 'name="terrain"' not in page


def test_scenario_sheet_shows_table_and_sides():
    context = PAPER["blazing-steel"].scenario_context("Ridge", RIDGE, "own-table", "ink-saver")
    assert "a table of 60 by 60 in" in str(context["map"])
    assert context["map_name"] == "As drawn"
    sides = [dict(side["facts"]) for side in context["sides"]]  # type: ignore[attr-defined]
    assert sides == [
        {"Force": "2 to 4 Warmechs", "Edge": "south; its zone is 0 to 10 in"},
        {"Force": "1 to 10 Warmechs, 30 points at most", "Edge": "north; its zone is 50 to 60 in"},
    ]
    printed = PAPER["blazing-steel"].scenario_context("Skirmish", {"brief": ""}, "", "grey")
    assert "a table of 48 by 48 in" in str(printed["map"])


def test_api_checks_saves_and_refuses_a_scenario(client, owner):
    document = {"muster": "scenario/1", "system": "blazing-steel", "name": "Ridge", "spec": RIDGE}

    def post_spec(url, **spec):
        body = {**document, "spec": {**RIDGE, **spec}}
        return client.post(url, body, content_type="application/json")

    checked = post_spec("/api/v1/scenarios/check/").json()
    assert (checked["playable"], [each["rule"] for each in checked["warnings"]]) == (True, ["BS-194"])
    wrong = post_spec("/api/v1/scenarios/check/", zone_in=40, forces={"b": {"units_most": 12}}).json()
    assert [(each["place"], each["rule"]) for each in wrong["problems"]] == [
        ("zone_in", "BS-193"),
        ("forces.b.units_most", "BS-014"),
    ]
    refused = post_spec("/api/v1/scenarios/", hill=[61, 3])
    assert refused.status_code == 422
    assert "a hill must be on the table, 0 to 60 in each way, not at (61, 3) (BS-046)" in refused.content.decode()
    assert not Scenario.objects.exists()
    assert post_spec("/api/v1/scenarios/").status_code == 201
    assert Scenario.objects.get().spec == RIDGE
