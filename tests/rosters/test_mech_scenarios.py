"""Mech Campaign scenarios as pages: written without scripts, refused at the field, kept, exported, played."""

from __future__ import annotations

import html
import json

import pytest
from django.urls import reverse

from rosters.models import Scenario
from rosters.services import scenario_save
from tests.builders import a_player
from tests.rosters.test_stellar_scenarios import Sent

pytestmark = pytest.mark.django_db
WIDE = {
    "brief": "Nobody digs.",
    "goal": "drill",
    "turn_limit": 4,
    "table_in": 48,
    "zone_in": 9,
    "force_points": 45,
    "places": [[30.5, 27.25]],
    "pieces": [{"x": 24, "y": 24, "kind": "works"}, {"x": 10.25, "y": 6, "kind": "rubble"}],
}


class Chosen(Sent):
    """What a browser sends, its radio buttons by their values."""

    def handle_starttag(self, tag, attrs):
        super().handle_starttag(tag, attrs)
        found = dict(attrs)
        if self.is_form and found.get("type") == "radio" and "checked" in found:
            self.fields[found["name"] or ""] = found.get("value") or ""


@pytest.fixture
def owner(client):
    player = a_player("owner")
    client.force_login(player)
    return player


def save_scenario(owner, **spec):
    return scenario_save(author=owner, system="mech-campaign", name="Wide", spec={**WIDE, **spec})


def edit(row: Scenario) -> str:
    return reverse("rosters:scenario_edit", args=[row.pk])


@pytest.mark.parametrize("spec", [{}, {"places": []}, {"turn_limit": 99}], ids=["wide", "printed", "draft"])
def test_unchanged_form_keeps_the_scenario(client, owner, spec):
    row = save_scenario(owner, **spec)
    before = row.spec
    fields = Chosen(client.get(edit(row)).content.decode()).fields
    assert client.post(edit(row), {**fields, "do": "save"}).status_code == 302
    row.refresh_from_db()
    assert row.spec == before


def test_published_scenario_is_cloned_and_edited_without_scripts(client, owner):
    client.post("/scenarios/mech-campaign/survey-beacons/clone/")
    row = Scenario.objects.get()
    fields = Chosen(client.get(edit(row)).content.decode()).fields
    assert (fields["goal"], fields["point-1-x"], fields["zone_in"], fields["piece-1-kind"]) == ("beacons", "", "6", "")
    fields |= {"piece-1-kind": "hill", "piece-1-x": "10.5", "piece-1-y": "6", "point-2-x": "20", "point-2-y": "19"}
    laid = client.post(edit(row), {**fields, "lay": "turned-a"}).content.decode()
    fields = Chosen(laid).fields
    assert (fields["piece-2-kind"], fields["piece-2-x"], fields["piece-2-y"]) == ("hill", "25.5", "30")
    drawn = client.post("/scenarios/preview/", {**fields, "system": "mech-campaign"}).content.decode()
    assert "translate(10.5 30.0)" in drawn
    assert "Can be played" in drawn
    assert client.post(edit(row), {**fields, "do": "save"}).status_code == 302
    row.refresh_from_db()
    assert [(each["kind"], each["x"]) for each in row.spec["pieces"]] == [("hill", 10.5), ("hill", 25.5)]
    assert row.spec["places"] == [[6, 18], [20, 19], [30, 18]]


def test_errors_show_at_their_field_and_nothing_is_saved(client, owner):
    row = save_scenario(owner)
    before = row.spec
    fields = Chosen(client.get(edit(row)).content.decode()).fields
    fields |= {"piece-2-x": "61", "zone_in": "deep", "point-1-y": ""}
    answer = client.post(edit(row), {**fields, "do": "save"})
    page = html.unescape(" ".join(answer.content.decode().split()))
    assert answer.status_code == 422
    for problem in (
        "<li>Piece 2 must be on the table, 0 to 48 in each way, not at x 61 (MC-020).</li>",
        "<li>Place 1 has no y.</li>",
        "<li>Zone must be a whole number.</li>",
    ):
        assert problem in page
    kept_fields = Chosen(answer.content.decode()).fields
    assert (kept_fields["piece-2-x"], kept_fields["zone_in"], kept_fields["piece-1-x"], kept_fields["goal"]) == (
        "61",
        "deep",
        "24",
        "drill",
    )
    row.refresh_from_db()
    assert row.spec == before
    preview = client.post("/scenarios/preview/", {**fields, "system": "mech-campaign"})
    assert "3 problems" in " ".join(preview.content.decode().split())


def test_scenario_document_survives_export_and_import(client, owner):
    row = save_scenario(owner)
    page = " ".join(client.get(reverse("rosters:scenario", args=[row.pk])).content.decode().split())
    for spec in (
        "45 points at most",
        "The table is 48 by 48 in",
        "within 9 in of its edge",
        "Mine works (W), 2 in, at (24, 24)",
    ):
        assert spec in page
    text = client.get(reverse("rosters:scenario_json", args=[row.pk])).content.decode()
    assert json.loads(text)["spec"] == row.spec
    client.post(reverse("rosters:scenario_delete", args=[row.pk]))
    assert client.post("/scenarios/upload/", {"text": text}).status_code == 302
    assert Scenario.objects.get().spec == row.spec


def test_battle_form_of_a_scenario_has_no_terrain(client, owner):
    row = save_scenario(owner)
    page = " ".join(client.get(f"/battles/new/?system=mech-campaign&scenario=custom-{row.pk}").content.decode().split())
    assert "Nobody digs." in page
    assert 'name="terrain"' not in page
