"""Signals in a campaign's tables and sentences: winners, links, and next steps."""

import re

import pytest
from django.urls import reverse

from campaigns.models import MatchState, Outcome
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_mustered_company, a_round, an_enrolment

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser(client):
    organiser = a_player()
    client.force_login(organiser)
    return organiser


@pytest.fixture
def campaign(organiser):
    return a_campaign(a_club(organiser))


def page(client, name, *args):
    response = client.get(reverse(f"campaigns:{name}", args=args))
    assert response.status_code == 200
    return response.content.decode()


def rows_of(html):
    return re.findall(r"<tr[ >].*?</tr>", html.split("<tbody>")[1], re.S)


def row_headers(html):
    return [
        " ".join(re.sub(r"<[^>]+>", " ", head).split()) for head in re.findall(r'<th scope="row".*?</th>', html, re.S)
    ]


class TestFixtures:
    def test_undecided_match_has_no_bold_side(self, client, campaign):
        a_match(a_round(campaign))
        html = page(client, "round", campaign.pk, 1)
        assert "<b>" not in rows_of(html)[0]
        assert row_headers(html) == ["Table 1"]

    def test_winner_of_a_match_is_bold(self, client, campaign):
        match = a_match(a_round(campaign), state=MatchState.CONFIRMED, outcome=Outcome.DEFENDER)
        (row,) = rows_of(page(client, "round", campaign.pk, 1))
        assert re.findall(r"<b>(?:<a [^>]*>)?([^<]*)", row) == [match.defender.company.name]

    def test_match_row_links_to_the_match(self, client, campaign):
        match = a_match(a_round(campaign))
        (row,) = rows_of(page(client, "round", campaign.pk, 1))
        assert re.findall(r'<a class="leads__to" href="([^"]*)"', row) == [reverse("campaigns:match", args=[match.key])]

    def test_company_names_link_only_to_visible_companies(self, client, campaign, organiser):
        visible = an_enrolment(campaign, a_mustered_company(name="Seen By All"))
        visible.company.visibility = "public"
        visible.company.save()
        hidden = an_enrolment(campaign, a_mustered_company(name="Seen By None"))
        a_match(a_round(campaign), attacker=visible, defender=hidden)
        (row,) = rows_of(page(client, "round", campaign.pk, 1))
        assert re.findall(r'href="(/companies/[^"]*)"', row) == [reverse("rosters:company", args=[visible.company_id])]
        table = page(client, "standings", campaign.pk)
        assert re.findall(r'href="(/companies/\d+/)"', table) == [reverse("rosters:company", args=[visible.company_id])]


class TestWithoutCompanies:
    @pytest.mark.parametrize(
        ("state", "expected"),
        [
            ("draft", "Members can enrol a company once sign-ups are open."),
            ("mustering", "Sign-ups are open. Members can enrol a company now."),
            ("running", "Members can still enrol a company."),
            ("finished", "Nobody took part."),
        ],
    )
    def test_campaign_without_companies_says_when_they_come(self, client, organiser, state, expected):
        campaign = a_campaign(a_club(organiser), state)
        for name in ("campaign", "campaign_companies"):
            assert expected in " ".join(page(client, name, campaign.pk).split())

    def test_visitor_sees_that_a_campaign_is_mustering(self, client):
        club = a_club(is_public=True)
        a_member(club)
        campaign = a_campaign(club, "mustering", is_public=True)
        assert "Sign-ups are open. Members can enrol a company now" in page(client, "campaign", campaign.pk)


class TestObstacles:
    """Obstacles are shown before the question is asked."""

    def ask(self, client, campaign):
        return " ".join(page(client, "campaign_settings", campaign.pk).split())

    def test_campaign_without_companies_cannot_be_asked_to_run(self, client, organiser):
        campaign = a_campaign(a_club(organiser), "mustering")
        html = self.ask(client, campaign)
        assert "You can’t do this yet. Spring War needs at least two accepted companies." in html
        assert 'name="to"' not in html

    def test_draft_without_scenarios_cannot_be_asked_to_muster(self, client, organiser):
        html = self.ask(client, a_campaign(a_club(organiser), "draft", scenarios=[]))
        assert "You can’t do this yet. Choose at least one scenario before you open sign-ups." in html

    def test_undecided_match_blocks_the_question_to_finish(self, client, campaign):
        a_match(a_round(campaign))
        html = self.ask(client, campaign)
        assert "You can’t do this yet. Round 1 has one undecided match. Decide or void it first." in html

    def test_possible_move_is_asked_about(self, client, campaign):
        html = self.ask(client, campaign)
        assert "You can’t do this yet" not in html
        assert 'name="to"' in html
