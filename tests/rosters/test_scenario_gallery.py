"""The gallery of scenarios: each published one with its map."""

from __future__ import annotations

import re

import pytest

from rosters.models import Scenario
from systems import ROSTERS
from tests.builders import a_player

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("system", ROSTERS)
def test_each_published_scenario_has_a_labelled_map(client, system):
    html = client.get("/scenarios/", {"system": system}).content.decode()
    labels = re.findall(r'aria-label="Map of ([^"]*)"', html)
    assert labels == [entry.name for entry in ROSTERS[system].scenarios.values()]
    assert html.count('class="small-map hexes"') == len(labels)


@pytest.mark.parametrize("system", ROSTERS)
def test_own_and_public_scenarios_have_up_to_date_maps(client, system):
    rules, author = ROSTERS[system], a_player()
    specs = [rules.scenario_json(entry.spec) for entry in rules.scenarios.values()]
    row = Scenario.objects.create(author=author, system=system, name="Ridge", spec=specs[0], visibility="public")

    def maps():
        html = client.get("/scenarios/", {"system": system}).content.decode()
        return re.findall(r'aria-label="Map of Ridge".*?</svg>', html, flags=re.DOTALL)

    (before,) = maps()
    client.force_login(author)
    assert maps() == [before]
    row.name, row.spec = "Ridge", specs[-1]
    row.save()
    (after,) = maps()
    sheets = [rules.scenario_sheet(rules.parse_scenario(spec)) for spec in (specs[0], specs[-1])]
    assert (after != before) == (rules.scenario_map(sheets[0]) != rules.scenario_map(sheets[1]))


def test_published_scenarios_are_sorted_by_name_and_turns(client):
    def keys_for(key, **parameters):
        return [key(card) for card in client.get("/scenarios/", parameters).context["published"]]

    names = keys_for(lambda card: card.name.casefold(), sort="name")
    assert names == sorted(names)
    turns = keys_for(lambda card: card.sheet.turn_limit, sort="turns")
    assert turns == sorted(turns)
    assert turns[0] < turns[-1]
    assert keys_for(lambda card: card.key, sort="x") == keys_for(lambda card: card.key)


def test_zone_map_shows_nine_zones_and_starting_zones():
    rules = ROSTERS["meks-and-mercs"]
    drawn = rules.scenario_map(rules.scenario_sheet(rules.scenarios["hot-gates"].spec))
    looks = [patch.look for patch in drawn.patches]
    assert sum(look.startswith("small-map__ground") for look in looks) == 9
    assert {"small-map__start side-a", "small-map__start side-b"} <= set(looks)


def test_table_map_shows_pieces_and_points():
    rules = ROSTERS["mechastellar"]
    sheet = rules.scenario_sheet(rules.scenarios["versus"].spec)
    looks = [patch.look for patch in rules.scenario_map(sheet).patches]
    table = sheet.tables[0]
    assert looks.count("small-map__key") == len(table.points)
    assert len(looks) == 2 + len(table.pieces) + len(table.points)


def test_hex_map_shows_each_of_its_colours():
    rules = ROSTERS["hex-core"]
    sheet = rules.scenario_sheet(next(iter(rules.scenarios.values())).spec)
    looks = {patch.look for patch in rules.scenario_map(sheet).patches}
    coloured = next(each for each in sheet.maps if len(each.sheet.patches) > 1)
    assert {look for look in looks if look.startswith("hex--")} == {
        f"hex--{patch.terrain.look}" for patch in coloured.sheet.patches
    }
