"""Starting a campaign from a template or an older one, deciding on its companies, and moving it to running."""

import re

import pydantic
import pytest
from django.urls import reverse

from campaigns.campaign.services import campaign_create, territories_set
from campaigns.demo import DemoCampaign
from campaigns.models import Campaign, EnrolmentState
from campaigns.starting.services import Template, campaign_create_from_template, campaign_templates, templates_for
from rosters.services import RefusedError
from systems import ROSTERS, battle_rules
from tests.builders import SYSTEM, a_company, a_player
from tests.campaigns.builders import a_campaign, a_club, a_member, a_mustered_company, an_enrolment

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser():
    return a_player("olga")


@pytest.fixture
def club(organiser):
    return a_club(organiser)


@pytest.fixture
def olga(client, organiser):
    client.force_login(organiser)
    return client


def page_text(answer):
    return re.sub(r"<[^>]+>", " ", answer.content.decode())


def ask_to_join(campaign, company):
    return an_enrolment(campaign, company, state="asked")


@pytest.mark.parametrize(("companies", "is_primary"), [(0, False), (1, False), (2, True)])
def test_start_button_is_primary_from_two_companies_on(olga, club, companies, is_primary):
    campaign = a_campaign(club, "mustering")
    for number in range(companies):
        an_enrolment(campaign, a_mustered_company(a_member(club), "wasp", name=f"C{number}"))
    page = olga.get(reverse("campaigns:campaign", args=[campaign.pk])).content.decode()
    button = re.search(r'class="([^"]*)"\s+href="[^"]*\?open=next#next"', page)
    assert ("button--primary" in button[1]) is is_primary
    assert ("need at least two companies" in re.sub(r"\s+", " ", page)) is not is_primary


# --- templates and copies ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", list(ROSTERS))
def test_every_game_has_league_and_cup_templates(system):
    names = [each.name for each in templates_for(system) if not each.is_storyline]
    assert names[:3] == ["League of four", "Cup of eight", "Two groups of four and play-offs"]
    others = len(battle_rules(system).scenarios)
    assert (len(names) == 4) == (others >= 3)


@pytest.mark.parametrize("kind", [Template, DemoCampaign])
def test_misspelt_key_in_a_template_or_demo_file_is_refused(kind):
    """It would be ignored otherwise, and the template would do something else."""
    with pytest.raises(pydantic.ValidationError, match="is_arc\\n +Unexpected keyword argument"):
        pydantic.TypeAdapter(kind).validate_python({"is_arc": True})


def test_war_template_plays_the_six_printed_scenarios():
    wars = templates_for("meks-and-mercs")[-2:]
    assert [war.name for war in wars] == ["Territory league", "Six-scenario war"]
    for war in wars:
        assert [slug for slug, _ in war.scenarios] == [
            "opening-shots", "hot-gates", "buying-time", "breach", "head-to-head", "citadel",
        ]  # fmt: skip


@pytest.mark.parametrize("system", list(ROSTERS))
def test_every_template_makes_a_mustering_campaign(club, organiser, system):
    for template in templates_for(system):
        made = campaign_create_from_template(club=club, by=organiser, system=system, after=template.slug)
        assert (made.state, made.seats, made.pairing) == ("mustering", template.seats, template.pairing)
        assert [place.name for place in made.territories.all()] == list(template.territories)


def test_campaign_gets_its_templates_name_with_a_number(club, organiser):
    names = [
        campaign_create_from_template(club=club, by=organiser, system=SYSTEM, after="cup-of-eight").name
        for _ in range(3)
    ]
    assert names == ["Cup of eight", "Cup of eight 2", "Cup of eight 3"]
    made = campaign_create_from_template(
        club=club, by=organiser, system=SYSTEM, after="cup-of-eight", name=" Winter Cup "
    )
    assert made.name == "Winter Cup"


def test_copy_keeps_settings_and_territories_only(club, organiser):
    old = campaign_create(
        club=club, by=organiser, system=SYSTEM, name="Old War", points=45, seats=6, pace_days=9, map_kind="ring",
        options={"season-mode": "standing-company"}, scenarios=[{"value": "citadel", "name": "Citadel"}],
        tie_breakers=["wins"], absent_rule="draw",
    )  # fmt: skip
    territories_set(campaign=old, by=organiser, names=["Ford", "Hill", "Mill"])
    an_enrolment(old, a_mustered_company())
    made = campaign_create_from_template(
        club=club, by=organiser, system="hex-core", after=f"copy-{old.pk}", begins_mustering=False
    )
    kept = ("system", "points", "seats", "pace_days", "map_kind", "options", "scenarios", "tie_breakers", "absent_rule")
    assert [getattr(made, field) for field in kept] == [getattr(old, field) for field in kept]
    assert [place.name for place in made.territories.all()] == ["Ford", "Hill", "Mill"]
    assert (made.name, made.state, made.enrolments.count()) == ("Old War 2", "draft", 0)


@pytest.mark.parametrize("after", ["", "league", "copy-", "copy-x", "copy-99999999999999999999", "copy-0"])
def test_unknown_template_is_refused(club, organiser, after):
    with pytest.raises(RefusedError):
        campaign_create_from_template(club=club, by=organiser, system=SYSTEM, after=after)
    assert not Campaign.objects.exists()


def test_campaign_of_another_club_is_not_copied(club, organiser):
    other = a_campaign(a_club(name="Elsewhere"))
    with pytest.raises(RefusedError, match="no such campaign to copy"):
        campaign_create_from_template(club=club, by=organiser, system=SYSTEM, after=f"copy-{other.pk}")
    assert other.pk not in [each.value for each in campaign_templates(club, SYSTEM)]


# --- the page ---------------------------------------------------------------------------------------------------------


def test_form_lists_templates_and_makes_a_campaign(olga, club):
    page = reverse("campaigns:campaign_new", args=[club.slug])
    html = olga.get(page).content.decode()
    assert [
        html.count(f"<b>{name}</b>") for name in ("League of four", "Cup of eight", "Two groups of four and play-offs")
    ] == [1] * 3
    answer = olga.post(page, {"way": "model", "start-after": "league-of-four", "start-name": "", "do": "muster"})
    made = Campaign.objects.get()
    assert answer.url == reverse("campaigns:campaign", args=[made.pk])
    assert (made.name, made.state) == ("League of four", "mustering")
    olga.post(page, {"way": "model", "start-after": "league-of-four", "start-name": "Quiet", "do": "draft"})
    assert Campaign.objects.get(name="Quiet").state == "draft"


def test_taken_name_is_refused_at_its_field(olga, club):
    a_campaign(club, name="Taken")
    page = reverse("campaigns:campaign_new", args=[club.slug])
    answer = olga.post(page, {"way": "model", "start-after": "league-of-four", "start-name": "Taken"})
    assert answer.status_code == 422
    assert "already has a campaign of that name. Choose another name" in page_text(answer)
    answer = olga.post(page, {"way": "model", "start-after": "nothing", "start-name": ""})
    assert answer.status_code == 422


# --- the API ----------------------------------------------------------------------------------------------------------


def test_api_lists_templates_and_makes_a_campaign(olga, club):
    url = reverse("api-club-campaigns", args=[club.slug])
    templates = {each["system"]: [start["after"] for start in each["starts"]] for each in olga.get(url).json()}
    assert templates["meks-and-mercs"] == [
        "league-of-four",
        "cup-of-eight",
        "two-groups-of-four",
        "scenario-war",
        "six-scenario-war",
    ]
    sent = {"after": "scenario-war", "system": "hex-core"}
    made = olga.post(url, sent, content_type="application/json")
    assert (made.status_code, made.json()["name"], made.json()["state"]) == (201, "Territory league", "mustering")
    refused = olga.post(url, {**sent, "after": "war"}, content_type="application/json")
    assert (refused.status_code, "no such template" in refused.content.decode()) == (422, True)


def accept_all_ready(client, campaign, meanwhile=lambda: None):
    """Press the accept button as the page shows it, after what others do meanwhile."""
    html = client.get(reverse("campaigns:campaign_companies", args=[campaign.pk])).content.decode()
    meanwhile()
    sent = {"act": "accept-fit", "fit": ready_enrolments(html)}
    return client.post(reverse("campaigns:enrolments_decide", args=[campaign.pk]), sent, follow=True)


def ready_enrolments(page):
    return re.findall(r'name="fit" value="(\d+)"', page)


# --- companies --------------------------------------------------------------------------------------------------------


def test_all_fit_companies_are_accepted_and_others_named(olga, club):
    campaign = a_campaign(club, "mustering")
    fit = [ask_to_join(campaign, a_mustered_company(a_member(club))) for _ in range(3)]
    unfit = ask_to_join(campaign, a_company(a_member(club), name="Empty Hangar"))
    page = reverse("campaigns:campaign_companies", args=[campaign.pk])
    assert "Accept all 3 battle-ready" in page_text(olga.get(page))
    answer = accept_all_ready(olga, campaign)
    assert "3 companies accepted. Not battle-ready, or no place free: Empty Hangar." in page_text(answer)
    states = dict(campaign.enrolments.values_list("pk", "state"))
    assert states == {**{each.pk: EnrolmentState.ACCEPTED for each in fit}, unfit.pk: EnrolmentState.ASKED}


def test_acceptance_stops_at_the_number_of_seats(olga, club):
    campaign = a_campaign(club, "mustering", seats=2)
    for name in ("A", "B", "C"):
        ask_to_join(campaign, a_mustered_company(a_member(club), name=name))
    assert "2 companies accepted. Not battle-ready, or no place free: C." in page_text(accept_all_ready(olga, campaign))


def test_company_asking_after_page_load_is_not_accepted(olga, club):
    campaign = a_campaign(club, "mustering")
    first = ask_to_join(campaign, a_mustered_company(a_member(club), name="First"))

    def meanwhile():
        ask_to_join(campaign, a_mustered_company(a_member(club), name="Late"))

    answer = accept_all_ready(olga, campaign, meanwhile)
    assert "1 company accepted. Newly ready since you opened the page: Late." in page_text(answer)
    assert [each.state for each in campaign.enrolments.order_by("pk")] == ["accepted", "asked"]
    assert campaign.enrolments.get(state="accepted") == first


def test_single_company_is_decided_in_its_row(olga, club):
    campaign = a_campaign(club, "mustering")
    one, two = (ask_to_join(campaign, a_mustered_company(a_member(club))) for _ in range(2))
    url = reverse("campaigns:enrolments_decide", args=[campaign.pk])
    answer = olga.post(url, {"act": f"accept-{one.pk}", "back": "overview"})
    assert answer.url == reverse("campaigns:campaign", args=[campaign.pk])
    olga.post(url, {"act": f"decline-{two.pk}"})
    assert [campaign.enrolments.get(pk=each.pk).state for each in (one, two)] == ["accepted", "declined"]
    for act in ("accept-0", "accept-x", "", "sell-1"):
        assert olga.post(url, {"act": act}).status_code == 302


def test_organisers_fit_company_is_accepted_at_once(olga, club, organiser):
    campaign = a_campaign(club, "mustering")
    page = reverse("campaigns:campaign_companies", args=[campaign.pk])
    fit, empty = a_mustered_company(organiser, name="Own"), a_company(organiser, name="Empty")
    assert "Own is accepted." in page_text(
        olga.post(page, {"company": str(fit.pk), "doctrine": "cautious"}, follow=True)
    )
    answer = olga.post(page, {"company": str(empty.pk), "doctrine": "cautious"}, follow=True)
    assert "Empty has asked to join." in page_text(answer)
    assert [each.state for each in campaign.enrolments.order_by("pk")] == ["accepted", "asked"]


def test_api_accepts_the_organisers_fit_company_at_once(olga, club, organiser):
    campaign = a_campaign(club, "mustering")
    url = reverse("api-enrolments", args=[campaign.pk])
    fit, empty = a_mustered_company(organiser, name="Own"), a_company(organiser, name="Empty")
    answers = [olga.post(url, {"company": each.pk}, content_type="application/json") for each in (fit, empty)]
    assert [(each.status_code, each.json()["state"]) for each in answers] == [(201, "accepted"), (201, "asked")]


# --- moving to running ------------------------------------------------------------------------------------------------


def test_moving_to_running_accepts_and_plans_on_request(olga, club):
    campaign = a_campaign(club, "mustering")
    for name in ("A", "B"):
        ask_to_join(campaign, a_mustered_company(a_member(club), name=name))
    page = reverse("campaigns:campaign_move", args=[campaign.pk])
    first_page = olga.get(page, follow=True)
    assert "companies still waiting: A, B" in " ".join(page_text(first_page).split())
    fit = ready_enrolments(first_page.content.decode())
    answer = olga.post(page, {"to": "running", "accept": "on", "plan": "on", "fit": fit})
    campaign.refresh_from_db()
    assert (campaign.state, campaign.rounds.get().state) == ("running", "planned")
    assert answer.url == reverse("campaigns:round", args=[campaign.pk, 1])


def test_failed_move_to_running_changes_nothing(olga, club):
    campaign = a_campaign(club, "mustering")
    for _ in range(2):
        ask_to_join(campaign, a_mustered_company(a_member(club)))
    page = reverse("campaigns:campaign_move", args=[campaign.pk])
    answer = olga.post(page, {"to": "running", "plan": "on"}, follow=True)
    assert "needs at least two accepted companies" in page_text(answer)
    campaign.refresh_from_db()
    assert (campaign.state, campaign.rounds.count()) == ("mustering", 0)


def test_organiser_sees_which_companies_were_left_waiting(olga, club):
    campaign = a_campaign(club, "mustering", seats=2)
    for name in ("A", "B", "C"):
        ask_to_join(campaign, a_mustered_company(a_member(club), name=name))
    ask_to_join(campaign, a_company(a_member(club), name="Empty Hangar"))
    page = reverse("campaigns:campaign_move", args=[campaign.pk])
    fit = ready_enrolments(olga.get(page, follow=True).content.decode())
    assert len(fit) == 3
    ask_to_join(campaign, a_mustered_company(a_member(club), name="Late"))
    answer = olga.post(page, {"to": "running", "accept": "on", "fit": fit}, follow=True)
    message = (
        "has started. Not battle-ready, or no place free: C, Empty Hangar. Newly ready since you opened the page: Late."
    )
    assert message in page_text(answer)
    assert campaign.enrolments.filter(state="accepted").count() == 2
