"""An organiser's way from nothing to a first round in a browser; the clicks are counted."""

import pytest
from playwright.sync_api import expect

from campaigns.enrolments.services import enrolment_ask
from campaigns.models import Campaign
from tests.builders import a_player
from tests.campaigns.builders import a_club, a_member, a_mustered_company

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_templated_campaign_opens_its_first_round_in_six_clicks(page, client, live_server):
    olga = a_player("olga")
    club = a_club(olga)
    players = [a_member(club) for _ in range(8)]
    companies = [a_mustered_company(each) for each in players]
    client.force_login(olga)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    page.goto(f"/clubs/{club.slug}/")
    clicks = 0

    def click(what):
        nonlocal clicks
        clicks += 1
        what.click()

    click(page.get_by_role("main").get_by_role("link", name="New campaign").first)
    click(page.get_by_role("radio", name="Cup of eight"))
    click(page.get_by_role("button", name="Create and open sign-ups"))
    expect(page.locator(".messages")).to_contain_text("Cup of eight musters")
    campaign = Campaign.objects.get()
    for player, company in zip(players, companies, strict=True):  # the players' own clicks
        enrolment_ask(campaign=campaign, company=company, by=player)
    click(page.get_by_role("link", name="Start campaign"))
    expect(page.get_by_label("Accept those that still ask and are fit")).to_be_checked()
    click(page.get_by_role("button", name="Start campaign"))
    expect(page.locator(".messages")).to_contain_text("Round 1 is planned")
    click(page.get_by_role("button", name="Publish round 1"))
    expect(page.locator(".messages")).to_contain_text("Round 1 is open")
    assert clicks == 6
    assert campaign.rounds.get().matches.count() == 4
