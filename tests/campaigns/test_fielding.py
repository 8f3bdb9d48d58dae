"""What a company fields where nobody chose, and what mustering says of the scenarios it could not play."""

import pytest
from django.urls import reverse

from campaigns.enrolments.mustering import muster_problems
from campaigns.musters.forces import default_force
from rosters.services import RefusedError
from systems import season as base
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment

pytestmark = pytest.mark.django_db
HEAD_TO_HEAD = {"value": "head-to-head", "name": "Head to Head"}
OPENING_SHOTS = {"value": "opening-shots", "name": "Opening Shots"}
ZONE_BATTLE = {"value": "zone-battle", "name": "Zone battle"}


def a_company_of(*designs):
    company = a_mustered_company(None, *designs)
    return company, [unit.pk for unit in company.units.order_by("pk")]


@pytest.mark.rule("MM-010")
def test_standing_orders_leave_at_home_who_is_too_big():
    company, (warthog, draken, wasp) = a_company_of("warthog", "draken", "wasp")
    campaign = a_campaign(scenarios=[HEAD_TO_HEAD])
    match = a_match(a_round(campaign), an_enrolment(campaign, company), scenario="head-to-head", terrain="printed")
    assert default_force(match, 0)["units"] == [draken, wasp]


@pytest.mark.rule("MM-010")
def test_standing_orders_that_find_no_legal_force_say_what_is_wrong():
    company, _ = a_company_of("warthog")
    campaign = a_campaign(scenarios=[HEAD_TO_HEAD])
    match = a_match(a_round(campaign), an_enrolment(campaign, company), scenario="head-to-head", terrain="printed")
    with pytest.raises(RefusedError, match="WARTHOG is Assault; Head to Head allows Heavy at most"):
        default_force(match, 0)


def test_mustering_warns_of_a_scenario_that_a_company_could_not_play():
    company, _ = a_company_of("draken", "wasp")
    check = muster_problems(company, a_campaign(scenarios=[ZONE_BATTLE, HEAD_TO_HEAD, OPENING_SHOTS]))
    assert check.problems == ()
    assert [each.message for each in check.warnings] == ["No force of this company would be legal in Opening Shots."]


def test_the_companies_page_says_in_how_many_scenarios_one_could_not_play(client):
    company, _ = a_company_of("draken", "wasp")
    campaign = a_campaign(state="mustering", scenarios=[ZONE_BATTLE, OPENING_SHOTS])
    an_enrolment(campaign, company)
    client.force_login(company.owner)
    shown = client.get(reverse("campaigns:campaign_companies", args=[campaign.pk])).content.decode()
    assert 'yes <span class="tag tag--warn">not in 1 scenario</span>' in shown


def test_a_company_that_is_warned_of_a_scenario_is_not_told_that_it_has_no_problems(client):
    company, _ = a_company_of("draken", "wasp")
    campaign = a_campaign(state="mustering", scenarios=[ZONE_BATTLE, OPENING_SHOTS])
    enrolment = an_enrolment(campaign, company)
    client.force_login(company.owner)
    shown = client.get(reverse("campaigns:enrolment", args=[campaign.pk, enrolment.pk])).content.decode()
    assert "No force of this company would be legal in Opening Shots." in shown
    assert "No problems." not in shown


def test_a_scenario_that_is_sure_to_be_played_must_be_playable():
    company, _ = a_company_of("draken", "wasp")
    check = muster_problems(company, a_campaign(scenarios=[OPENING_SHOTS]))
    assert [each.message for each in check.problems] == ["No force of this company would be legal in Opening Shots."]
    assert check.warnings == ()


def test_the_page_of_an_enrolment_shows_the_warning(client):
    company, _ = a_company_of("draken", "wasp")
    campaign = a_campaign(scenarios=[ZONE_BATTLE, OPENING_SHOTS], state="mustering")
    enrolment = an_enrolment(campaign, company)
    client.force_login(company.owner)
    page = client.get(f"/campaigns/{campaign.pk}/companies/{enrolment.pk}/").content.decode()
    assert "No force of this company would be legal in Opening Shots." in page
    assert "Fit to march" in page


def test_a_system_without_a_search_of_its_own_takes_as_many_as_are_allowed():
    class Plain(base.CampaignSystem):
        slug = "plain"
        season_points = {}

        def aftermath(self, sides, dice, *, standing):
            raise NotImplementedError

    asked = []

    def allows(places):
        asked.append(places)
        return 0 not in places and len(places) < 3

    ask = {"side": "attacker", "most": 4, "allows": allows}
    assert Plain().standing_force("x", [None] * 5, {}, **ask) == (1, 2)
    assert asked[0] == (0, 1, 2, 3)
    assert Plain().standing_force("x", [None] * 5, {}, **ask | {"allows": lambda places: False}) == ()
