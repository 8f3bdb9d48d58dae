"""A guest on a phone, from the link to an account: submits, reports, is confirmed, signs up and keeps everything."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from campaigns.army_lists.services import list_submit
from campaigns.guests.services import guest_add, link_make
from campaigns.models import Match, Membership, Report, SubmittedList
from rosters.models import Player
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.test_results_browser import open_as

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def match():
    """A guest's match; the opponent has submitted a list."""
    club = a_club(a_player("ann"))
    cy = guest_add(club=club, by=club.memberships.get().player, name="Cy").player
    campaign = a_campaign(club)
    own = an_enrolment(campaign, a_mustered_company(cy, name="Strays"))
    other = an_enrolment(campaign, a_mustered_company(a_player("ben"), name="Bees"))
    made = a_match(a_round(campaign), own, other)
    units = list(other.company.units.values_list("pk", flat=True))
    list_submit(match=made, side=1, units=units, doctrine="cautious", by=other.company.owner)
    return made


def fits(page):
    """Check that nothing runs off the side of the phone."""
    assert page.evaluate("document.documentElement.scrollWidth") <= 360, page.url


def test_guest_plays_on_a_phone_and_becomes_an_account(phone, page, live_server, match):
    club = match.round.campaign.club
    guest = club.guests.get()
    key = link_make(guest=guest, by=guest.created_by)

    phone.goto(f"/guest/{key}/")
    fits(phone)
    phone.get_by_role("button", name="Continue as Cy").click()
    expect(phone.get_by_text("Welcome, Cy")).to_be_visible()
    fits(phone)

    phone.locator("#next").wait_for()
    phone.goto(f"/matches/{match.key}/forces/")
    fits(phone)
    phone.locator("main form:has([name=doctrine]) button.button--primary").first.click()
    phone.wait_for_url(f"**/matches/{match.key}/")
    expect(phone.get_by_text("Both sides have submitted, and the lists are revealed.")).to_be_visible()
    assert SubmittedList.objects.get(match=match, side=0).submitted_by == guest.player

    phone.goto(f"/matches/{match.key}/report/")
    phone.locator("[name=r-winner]").first.check()
    phone.locator("main form:has([name=r-winner]) button.button--primary").first.click()
    phone.wait_for_url(f"**/matches/{match.key}/")
    fits(phone)

    open_as(page, live_server, Player.objects.get(username="ben"), f"/matches/{match.key}/report/#their-report")
    page.locator("main form:has([name=report]) button.button--primary").click()
    page.wait_for_url(f"**/matches/{match.key}/")
    match.refresh_from_db()
    assert match.state == "confirmed"

    phone.goto("/guest/")
    fits(phone)
    phone.get_by_role("button", name="Sign up").click()
    for name, text in (
        ("username", "cyrus"),
        ("email", "cy@example.com"),
        ("password1", "long-sesame-9"),
        ("password2", "long-sesame-9"),
    ):
        phone.locator(f"[name={name}]").fill(text)
    phone.locator("main form button[type=submit]").click()
    phone.get_by_role("button", name="Take over").wait_for()
    fits(phone)
    phone.get_by_role("button", name="Take over").click()
    expect(phone.get_by_text("Everything of Cy’s is yours now.")).to_be_visible()

    cyrus = Player.objects.get(username="cyrus")
    assert not Player.objects.filter(is_guest=True).exists()
    assert Match.objects.get(pk=match.pk).attacker.company.owner == cyrus
    assert Report.objects.get(match=match, side=0).submitted_by == cyrus
    assert Membership.objects.filter(club=club, player=cyrus).count() == 1

    phone.goto(f"/guest/{key}/")
    expect(phone.get_by_text("Cy has an account now")).to_be_visible()
    fits(phone)
