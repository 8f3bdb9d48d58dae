"""An organiser decides on all enrolments in a browser; the clicks are counted."""

import pytest
from playwright.sync_api import expect

from campaigns.models import Enrolment
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_member, a_mustered_company, an_enrolment

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ASKING = 40


@pytest.mark.slow
def test_forty_enrolments_are_accepted_in_two_clicks(page, client, live_server):
    olga = a_player("olga")
    club = a_club(olga)
    campaign = a_campaign(club, state="mustering", name="Forty")
    for _ in range(ASKING):
        an_enrolment(campaign, a_mustered_company(a_member(club)), state="asked")
    client.force_login(olga)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    page.goto(f"/clubs/{club.slug}/")
    page.get_by_role("main").get_by_role("link", name="Forty").first.click()
    page.get_by_role("button", name=f"Accept all {ASKING} battle-ready").click()
    expect(page.locator(".messages")).to_contain_text(str(ASKING))
    assert Enrolment.objects.filter(campaign=campaign, state="accepted").count() == ASKING
