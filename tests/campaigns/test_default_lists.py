"""The force a company fields by default, and mustering warnings about scenarios it can't play."""

import pytest
from django.urls import reverse

from campaigns.army_lists.checks import default_list
from campaigns.enrolments.selectors import enrolment_check
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
def test_autoplay_leaves_oversized_units_at_home():
    company, (warthog, draken, wasp) = a_company_of("warthog", "draken", "wasp")
    campaign = a_campaign(scenarios=[HEAD_TO_HEAD])
    match = a_match(a_round(campaign), an_enrolment(campaign, company), scenario="head-to-head", terrain="printed")
    assert default_list(match, 0)["units"] == [draken, wasp]


@pytest.mark.rule("MM-010")
def test_autoplay_without_a_legal_force_gives_the_reason():
    company, _ = a_company_of("warthog")
    campaign = a_campaign(scenarios=[HEAD_TO_HEAD])
    match = a_match(a_round(campaign), an_enrolment(campaign, company), scenario="head-to-head", terrain="printed")
    with pytest.raises(RefusedError, match="WARTHOG is Assault; Head to Head allows Heavy at most"):
        default_list(match, 0)


def test_mustering_warns_of_an_unplayable_scenario():
    company, _ = a_company_of("draken", "wasp")
    check = enrolment_check(company, a_campaign(scenarios=[ZONE_BATTLE, HEAD_TO_HEAD, OPENING_SHOTS]))
    assert check.problems == ()
    assert [each.message for each in check.warnings] == ["This company has no legal list in Opening Shots."]


def test_companies_page_counts_unplayable_scenarios(client):
    company, _ = a_company_of("draken", "wasp")
    campaign = a_campaign(state="mustering", scenarios=[ZONE_BATTLE, OPENING_SHOTS])
    an_enrolment(campaign, company)
    client.force_login(company.owner)
    html = client.get(reverse("campaigns:campaign_companies", args=[campaign.pk])).content.decode()
    assert 'yes <span class="tag tag--warn">not in 1 scenario</span>' in html


def test_warned_company_is_not_shown_as_problem_free(client):
    company, _ = a_company_of("draken", "wasp")
    campaign = a_campaign(state="mustering", scenarios=[ZONE_BATTLE, OPENING_SHOTS])
    enrolment = an_enrolment(campaign, company)
    client.force_login(company.owner)
    html = client.get(reverse("campaigns:enrolment", args=[campaign.pk, enrolment.pk])).content.decode()
    assert "This company has no legal list in Opening Shots." in html
    assert "No problems." not in html


def test_unplayable_only_scenario_is_a_problem():
    company, _ = a_company_of("draken", "wasp")
    check = enrolment_check(company, a_campaign(scenarios=[OPENING_SHOTS]))
    assert [each.message for each in check.problems] == ["This company has no legal list in Opening Shots."]
    assert check.warnings == ()


def test_enrolment_page_shows_the_warning(client):
    company, _ = a_company_of("draken", "wasp")
    campaign = a_campaign(scenarios=[ZONE_BATTLE, OPENING_SHOTS], state="mustering")
    enrolment = an_enrolment(campaign, company)
    client.force_login(company.owner)
    page = client.get(f"/campaigns/{campaign.pk}/companies/{enrolment.pk}/").content.decode()
    assert "This company has no legal list in Opening Shots." in page
    assert "Battle-ready" in page


def test_default_search_fields_the_most_units_allowed():
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
