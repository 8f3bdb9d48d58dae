"""The replay on hexes as a page: readable without scripts, step by step, with each unit's line of sight."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from battles.models import Battle
from battles.services.battles import battle_queue
from battles.tasks import battle_resolve
from tests.battles.hexes import document

pytestmark = pytest.mark.django_db
MISSIONS = {
    "elimination": "broken-town",
    "retrieval": "coast",
    "domination": "frost-pass",
    "assassination": "open-plain",
}
RIDGE = {
    "hexes": {"green": [[3, 4], [12, 8]]},
    "levels": [[6, 6, 1], [9, 6, 1]],
    "objectives": [[7, 12], [7, 6], [7, 0]],
}


@pytest.fixture(autouse=True)
def no_broker(monkeypatch) -> None:
    monkeypatch.setattr(battle_resolve, "delay", lambda pk: None)


def finished_battle(
    mission: str | dict[str, Any] = "elimination", terrain: str = "broken-town", seed: int = 3
) -> Battle:
    setup = document(mission=mission, terrain=terrain)
    battle = battle_queue(setup=setup, seed=seed, visitor="v", visibility="public")
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    return battle


def page_of(battle: Battle, **query) -> str:
    return reverse("battles:battle", args=[battle.key], query=query or None)


def frames_of(client, battle: Battle) -> dict[str, Any]:
    return client.get(reverse("battles:frames", args=[battle.key])).json()


@pytest.mark.slow
@pytest.mark.parametrize(("mission", "terrain"), MISSIONS.items())
def test_every_mission_is_shown_on_its_map(client, mission: str, terrain: str):
    battle = finished_battle(mission, terrain)
    frames = frames_of(client, battle)["frames"]
    html = client.get(page_of(battle)).content.decode()
    assert "The battle on the map" in html
    assert html.count('data-part="chits"') == 8
    last = client.get(page_of(battle, step=len(frames))).content.decode()
    assert f"{len(frames)}</span> / {len(frames)}" in last
    assert 'data-go="next" role="link" aria-disabled="true"' in last


def test_step_without_scripts_matches_the_browsers_drawing(client):
    battle = finished_battle()
    sent = frames_of(client, battle)
    is_fire = [any(sent["shots"][at][0] != "shot is-away" for at in frame["shots"]) for frame in sent["frames"]]
    step = is_fire.index(True) + 1
    shown_frame = sent["frames"][step - 1]
    html = client.get(page_of(battle, step=step)).content.decode()
    drawn = re.findall(r'data-part="tracks" class="[^"]*" d="([^"]*)"', html)
    assert drawn == [sent["tracks"][place][0] for place in shown_frame["tracks"]]
    shots = re.findall(r'<g class="([^"]*)" data-part="shots"', html)
    assert shots == [sent["shots"][place][0] for place in shown_frame["shots"]]
    transforms = re.findall(r'data-part="chits" transform="([^"]*)"', html)
    assert transforms == [sent["chits"][place][0] or "" for place in shown_frame["chits"]]


def test_chosen_unit_shows_its_line_of_sight(client):
    battle = finished_battle()
    step = len(frames_of(client, battle)["frames"]) // 2
    html = client.get(page_of(battle, step=step, zone=1)).content.decode()
    closes = re.findall(r'data-close-of="(\d+)"( hidden)?>([^<]*)<', html)
    assert [number for number, hidden, _text in closes if not hidden] == ["1"]
    assert re.search(r"sees: \d+ hexes\. In view: ", closes[0][2])


def test_own_map_is_played_and_drawn(client):
    given = {"name": "Ridge", "spec": {"mission": "domination", "map": RIDGE}}
    battle = finished_battle(given, "own-map")
    html = client.get(page_of(battle)).content.decode()
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))
    assert "Objective 1: (7, 12)" in text
    assert 'class="hexes__level"' in html
    assert "hex--woods" in html


def test_retrieval_mission_shows_objects(client):
    html = client.get(page_of(finished_battle("retrieval", "coast"), step=5)).content.decode()
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))
    assert "Object 1: (" in text
    assert "places marker 1 at" in text
    assert "places marker 0" not in text
    assert "Objective 1" not in text


def test_drone_is_drawn_and_listed_with_its_unit(client):
    setup = document(squads=("skyhook", "line"))
    battle = battle_queue(setup=setup, seed=3, visitor="v", visibility="public")
    battle_resolve(battle.pk)
    sent = frames_of(client, battle)
    pieces_of_steps = [[sent["pieces"][place] for place in frame["pieces"]] for frame in sent["frames"]]
    assert {len(pieces) for pieces in pieces_of_steps} == {3}
    assert all(each[0] == "piece side-a is-away" for each in pieces_of_steps[0])
    step = next(at for at, pieces in enumerate(pieces_of_steps, start=1) if pieces[0][0] == "piece side-a")
    html = client.get(page_of(battle, step=step)).content.decode()
    drawn = re.findall(r'class="piece side-a" data-part="pieces" transform="([^"]*)"', html)
    assert drawn == [each[1] for each in pieces_of_steps[step - 1] if each[0] == "piece side-a"]
    assert re.search(r"Gun drone 1 out at \(\d+, \d+\)", html)
