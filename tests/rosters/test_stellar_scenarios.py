"""Scenarios on a table in inches as pages: written without scripts, refused at the field, kept, exported, copied."""

from __future__ import annotations

import html
import json
from html.parser import HTMLParser

import pytest
from django.urls import reverse

from rosters.models import Scenario
from rosters.services import scenario_save
from systems import ROSTERS
from tests.builders import a_player

pytestmark = pytest.mark.django_db
NEW = "/scenarios/new/?system=mechastellar"
FIVE = [[24, 24], [12, 16], [36, 16], [12, 32], [36, 32]]
RIDGE = {
    "brief": "Nobody crosses.",
    "rounds": 4,
    "force_points": 900,
    "table_in": 60,
    "stellar": True,
    "points": [[30, 30], [15, 20], [45, 20], [15, 40], [45, 40]],
    "pieces": [
        {"x": 30, "y": 22.5, "radius": 3.25, "kind": "tall", "is_destructible": True, "has_roof": True},
        {"x": 30, "y": 37.5, "radius": 3.25, "kind": "high", "is_high": True},
    ],
}


class Sent(HTMLParser):
    """What a browser sends of a scenario's form, without its buttons."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.select = self.area = ""
        self.is_form = self.is_kept = False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        name = found.get("name") or ""
        if tag == "form":
            self.is_form = found.get("id") == "scenario-form"
        if tag == "template":
            self.is_kept = True
        if not self.is_form or self.is_kept:
            return
        if tag == "input" and name and (found.get("type") not in ("checkbox", "radio") or "checked" in found):
            self.fields[name] = found.get("value") or ("on" if found.get("type") == "checkbox" else "")
        if tag == "select":
            self.select = name
        if tag == "option" and (self.select not in self.fields or "selected" in found):
            self.fields[self.select] = found.get("value") or ""
        if tag == "textarea":
            self.area, self.fields[name] = name, ""

    def handle_endtag(self, tag):
        if tag == "form":
            self.is_form = False
        if tag == "template":
            self.is_kept = False
        if tag == "textarea":
            self.area = ""

    def handle_data(self, data):
        if self.area:
            self.fields[self.area] += data


@pytest.fixture
def owner(client):
    player = a_player("owner")
    client.force_login(player)
    return player


def save_scenario(owner, **spec):
    return scenario_save(author=owner, system="mechastellar", name="Ridge", spec={**RIDGE, **spec})


def edit(row: Scenario) -> str:
    return reverse("rosters:scenario_edit", args=[row.pk])


@pytest.mark.parametrize(
    "spec", [{}, RIDGE, {"points": FIVE[:3]}, {"rounds": 99}], ids=["plain", "ridge", "draft", "long"]
)
def test_unchanged_form_keeps_the_scenario(client, owner, spec):
    row = scenario_save(author=owner, system="mechastellar", name="Ridge", spec=spec)
    before = row.spec
    fields = Sent(client.get(edit(row)).content.decode()).fields
    assert client.post(edit(row), {**fields, "do": "save"}).status_code == 302
    row.refresh_from_db()
    assert row.spec == before


def test_published_scenario_is_cloned_and_edited_without_scripts(client, owner):
    answer = client.post("/scenarios/mechastellar/versus/clone/", follow=True)
    row = Scenario.objects.get()
    assert answer.redirect_chain == [(edit(row), 302)]
    page = answer.content.decode()
    assert "It has no table of its own; you choose the map for each battle." in " ".join(page.split())
    laid = client.post(edit(row), {**Sent(page).fields, "lay": "standard"}).content.decode()
    fields = Sent(laid).fields
    assert (fields["piece-1-kind"], fields["piece-8-x"], fields["piece-9-kind"]) == ("tall", "40", "")
    assert fields["piece-3-breaks"] == "on"
    fields |= {
        "piece-9-kind": "forest",
        "piece-9-x": "6",
        "piece-9-y": "40",
        "piece-9-radius": "4",
        "piece-1-kind": "gone",
    }
    drawn = client.post("/scenarios/preview/", {**fields, "system": "mechastellar"}).content.decode()
    assert 'cx="60" cy="80" r="40"' in drawn
    assert "Can be played" in drawn
    assert client.post(edit(row), {**fields, "do": "save"}).status_code == 302
    row.refresh_from_db()
    kinds = [each["kind"] for each in row.spec["pieces"]]
    assert kinds == ["tall", *["low"] * 6, "forest"]
    assert row.spec["points"] == FIVE


def test_errors_show_at_their_field_and_nothing_is_saved(client, owner):
    row = save_scenario(owner)
    before = row.spec
    fields = Sent(client.get(edit(row)).content.decode()).fields
    fields |= {"piece-2-x": "61", "rounds": "many", "point-4-y": ""}
    answer = client.post(edit(row), {**fields, "do": "save"})
    page = html.unescape(" ".join(answer.content.decode().split()))
    assert answer.status_code == 422
    for problem in (
        "<li>Piece 2 must be on the table, 0 to 60 in each way, not at x 61 (ST-021).</li>",
        "<li>Control point 4 has no y.</li>",
        "<li>Rounds must be a whole number.</li>",
    ):
        assert problem in page
    assert page.count('aria-describedby="piece-2-error"') == 4
    kept_fields = Sent(answer.content.decode()).fields
    assert (kept_fields["piece-2-x"], kept_fields["rounds"], kept_fields["piece-1-x"], kept_fields["brief"]) == (
        "61",
        "many",
        "30",
        "Nobody crosses.",
    )
    row.refresh_from_db()
    assert row.spec == before
    preview = client.post("/scenarios/preview/", {**fields, "system": "mechastellar"})
    assert preview.status_code == 200
    assert "3 problems" in " ".join(preview.content.decode().split())


def test_draft_is_saved_and_described_but_not_playable(client, owner):
    row = save_scenario(owner, points=FIVE[:3], rounds=13)
    page = html.unescape(client.get(reverse("rosters:scenario", args=[row.pk])).content.decode())
    assert "Versus has 5 control points, not 3." in page
    assert "A battle lasts 1 to 12 Rounds, not 13." in page
    assert "Play this" not in page


def test_scenario_document_survives_export_and_import(client, owner):
    row = save_scenario(owner)
    url = reverse("rosters:scenario", args=[row.pk])
    page = " ".join(client.get(url).content.decode().split())
    assert "1 to 12 units a side, 900 points at most" in page
    assert "a table of 60 by 60 in" in page
    assert "each side deploys within 15 in of its edge" in page
    assert "after Round 4" in page
    text = client.get(reverse("rosters:scenario_json", args=[row.pk])).content.decode()
    assert json.loads(text)["spec"] == row.spec
    client.post(reverse("rosters:scenario_delete", args=[row.pk]))
    assert client.post("/scenarios/upload/", {"text": text}).status_code == 302
    again = Scenario.objects.get()
    assert again.spec == row.spec
    assert client.post(reverse("rosters:scenario_clone", args=[again.pk])).status_code == 302
    assert [each.spec for each in Scenario.objects.all()] == [row.spec] * 2


def test_battle_form_of_a_scenario_has_no_map(client, owner):
    row = save_scenario(owner)
    page = " ".join(client.get(f"/battles/new/?system=mechastellar&scenario=custom-{row.pk}").content.decode().split())
    assert "Nobody crosses. 4 rounds at most." in page
    assert 'name="terrain"' not in page


def test_every_game_has_a_scenario_form(client, owner):
    for slug, rules in ROSTERS.items():
        assert "scenario-form" in rules.parts
        assert client.get(f"/scenarios/new/?system={slug}").status_code == 200
