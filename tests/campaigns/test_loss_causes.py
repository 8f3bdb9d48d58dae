"""Causes of losses on the match page and in the gazette."""

import html
import re

import pytest
from django.urls import reverse

from campaigns.gazette.document import GazetteDocument
from campaigns.gazette.selectors import gazette_sheet
from campaigns.gazette.services import gazette_html
from campaigns.models import Gazette
from campaigns.rounds.closing import _fight
from systems import battle_rules, roster_rules
from systems.reading import read_setup
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.gazettes import close_round, confirm_result

pytestmark = pytest.mark.django_db
MEKS, MECHS = "meks-and-mercs", "mech-campaign"
FORCES = {MEKS: ("thor", "wasp"), MECHS: ("heavy-mech", "heavy-mech", "light-mech", "light-mech", "track")}
SCENARIOS = {MEKS: ("zone-battle", "Zone battle", "plain"), MECHS: ("claim-dispute", "Claim Dispute", "rolled")}
WORDS = {MEKS: ("destroyed", "eliminated"), MECHS: ("eliminated", "destroyed")}


def a_match_of(system):
    """A match in a campaign of this system."""
    scenario, name, terrain = SCENARIOS[system]
    campaign = a_campaign(
        system=system,
        scenarios=[{"value": scenario, "name": name}],
        options={"season-mode": "standing-company"} if system == MEKS else {},
        tie_breakers=["destroyed"],
        catalogue_release=roster_rules(system).catalogue_release,
    )
    sides = [
        an_enrolment(campaign, a_mustered_company(None, *FORCES[system], name=name, system=system))
        for name in ("Axes", "Bears")
    ]
    return a_match(a_round(campaign), *sides, scenario=scenario, scenario_name=name, terrain=terrain)


def page_of(client, match):
    client.force_login(match.attacker.company.owner)
    return page_text(client.get(reverse("campaigns:match", args=[match.key])))


def page_text(answer):
    text = re.sub(r"<[^>]+>", " ", answer.content.decode().partition("<main")[2])
    return html.unescape(re.sub(r"\s+", " ", text))


@pytest.mark.parametrize("system", [MEKS, MECHS])
def test_match_page_gives_the_cause_of_each_loss(client, system):
    match = a_match_of(system)
    assert _fight(match)
    match.refresh_from_db()
    setup, rules = read_setup(match.battle.setup), battle_rules(system)
    names = rules.unit_names(setup)
    lost = {fate["key"]: rules.cause_of_loss(setup, fate) for fate in match.battle.result["units"] if fate["lost"]}
    word, foreign = WORDS[system]
    page = page_of(client, match)
    assert lost
    assert all(lost.values())
    for key, cause in lost.items():
        assert f"{names[key]} {word}: {cause}" in page
    lists = page.partition("Lists")[2].partition("Activity log")[0]
    assert lists
    assert foreign not in lists


@pytest.mark.parametrize("system", [MEKS, MECHS])
def test_gazette_gives_the_ledgers_cause_of_each_loss(client, system):
    match = a_match_of(system)
    assert _fight(match)
    match.refresh_from_db()
    kills = {
        side.company.name: side.company.ledger.filter(kind="fought", facts__lost=True).order_by("pk")
        for side in (match.attacker, match.defender)
    }
    expected = [(row.unit.name, company, f" ({row.facts['cause']})") for company, rows in kills.items() for row in rows]
    row = close_round(match.round)
    gazette = Gazette.objects.get(round=row)
    content = gazette_sheet(gazette).content
    assert expected
    assert [(loss.unit, loss.company, loss.how) for loss in content.results[0].losses] == expected
    client.force_login(match.attacker.company.owner)
    page = page_text(client.get(reverse("campaigns:gazette", args=[row.campaign_id, row.number])))
    paper = html.unescape(re.sub(r"<[^>]+>", " ", gazette_html(gazette, "a4")))
    for unit, company, how in expected:
        assert f"{unit} of {company}{how}" in page
        assert f"{unit} of {company}{how}" in paper
    word, foreign = WORDS[system]
    for text in (page, paper):
        assert f"unit{'s' if len(expected) > 1 else ''} {word}" in text
        assert foreign not in text


def test_loss_without_a_known_cause_is_shown_plain(client):
    match = confirm_result(
        a_match_of(MEKS),
        "attacker",
        lambda opened: {next(iter(opened.forces[1])): {"destroyed": True, "hits_lost": 2}},
    )
    names = battle_rules(MEKS).unit_names(read_setup(match.battle.setup))
    (loss,) = gazette_sheet(Gazette.objects.get(round=close_round(match.round))).content.results[0].losses
    assert (loss.unit, loss.company, loss.how) == ("THOR", "Bears", "")
    page = page_of(client, match)
    name = names[next(iter(match.forces[1]))]
    assert f"{name} destroyed" in page
    assert f"{name} destroyed:" not in page


def test_older_edition_without_losses_is_readable():
    match = confirm_result(a_match_of(MEKS), "attacker")
    gazette = Gazette.objects.get(round=close_round(match.round))
    content = dict(gazette.content)
    del content["lost_word"]
    content["results"] = [
        {name: value for name, value in line.items() if name != "losses"} for line in content["results"]
    ]
    read = GazetteDocument.model_validate(content)
    assert (read.results[0].losses, read.lost_word) == ((), "destroyed")
