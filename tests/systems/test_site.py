"""Every game on the site as players use it: built in the lab, fought, drawn, forecast, played for a round."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from battles.choices import ready_made_forces
from battles.services.battles import battle_queue
from battles.services.setups import first_doctrines, force_side, setup_document
from battles.tasks import battle_resolve, forecast_run
from systems import BATTLES, ROSTERS, SEASONS, battle_rules, roster_rules
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.gazettes import close_round, confirm_result
from tests.systems.any_battle import any_battle

pytestmark = pytest.mark.django_db


def page_of(client: Client, name: str, *args: object, **query: str) -> str:
    response = client.get(reverse(name, args=args), query)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("part", ["ends", pytest.param("all", marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", ROSTERS)
def test_published_design_is_in_gallery_and_lab(client: Client, game: str, part: str):
    rules = roster_rules(game)
    gallery = page_of(client, "rosters:designs", system=game)
    designs = sorted(rules.published.values(), key=lambda design: rules.check_design(design.spec).points)
    assert all(design.name in gallery for design in designs)
    for design in designs if part == "all" else (designs[0], designs[-1]):
        assert design.name in page_of(client, "rosters:design_published", game, design.slug)
        if rules.has("lab"):
            address = rules.lab_address(rules.spec_json(design.spec))
            points = rules.check_design(design.spec).points
            assert f", {points} point" in page_of(client, "rosters:lab", system=game, **address)


@pytest.mark.parametrize("game", BATTLES)
def test_ready_forces_fight_a_shown_and_forecast_battle(client: Client, game: str, monkeypatch: Any):
    for task in (battle_resolve, forecast_run):
        monkeypatch.setattr(task, "delay", lambda *message: None)
    rules = battle_rules(game)
    forces = ready_made_forces(game, rules.plain_scenario)
    assert forces
    sides = [force_side(force, doctrine) for force, doctrine in zip(forces, first_doctrines(game), strict=True)]
    terrain = rules.match_terrains(rules.plain_scenario)[0]
    setup = setup_document(system=game, terrain=terrain, sides=sides)[0]
    battle = battle_queue(setup=setup, seed=3, visitor="v", visibility="public")
    battle_resolve(battle.pk)
    page = page_of(client, "battles:battle", battle.key)
    assert all(force.name in page for force in forces)
    assert "Fight it again and compare" in page
    for name in ("frames", "step-picture", "embed", "battle_picture") if rules.space else ():
        assert client.get(reverse(f"battles:{name}", args=[battle.key])).status_code == 200
    assert client.post(reverse("battles:battle-odds", args=[battle.key])).status_code == 302


@pytest.mark.parametrize("game", SEASONS)
def test_closed_round_is_in_standings_and_gazette(client: Client, game: str):
    rules, rosters = battle_rules(game), roster_rules(game)
    campaign = a_campaign(
        system=game,
        options={"season-mode": "standing-company"} if "season-mode" in rosters.house_rules else {},
        catalogue_release=rosters.catalogue_release,
    )
    sides = [
        an_enrolment(campaign, a_mustered_company(None, *any_battle(game).force, name=name, system=game))
        for name in ("Ants", "Bees")
    ]
    scenario = rules.plain_scenario
    match = a_match(a_round(campaign), *sides, scenario=scenario, terrain=rules.match_terrains(scenario)[0])
    confirm_result(match, "attacker")
    gazette = page_of(client, "campaigns:gazette", campaign.pk, close_round(match.round).number)
    assert "Ants leads after round 1" in gazette
    table = page_of(client, "campaigns:standings", campaign.pk)
    assert table.index("Ants") < table.index("Bees")
