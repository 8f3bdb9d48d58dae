"""Two screens and a club display show the same step of a watch party, and late spectators join there."""

import pytest

from campaigns.clubs.services import display_link_create
from campaigns.models import WatchParty
from tests.campaigns.watch_parties import announce, begin, finish, move_to_step

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.any_database]
STEP = "[data-watch-party-step]"


def step_of(page):
    return int(page.locator(STEP).get_attribute("data-watch-party-step"))


@pytest.mark.slow
def test_all_screens_show_the_same_step(page, phone, live_server):
    watch_party = announce()
    url = f"/matches/{watch_party.match.key}/premiere/"
    page.goto(url)
    assert page.locator("[data-watch-party-clock]").is_visible()
    assert not page.locator(STEP).count()
    watch_party = move_to_step(begin(watch_party), 2)
    WatchParty.objects.filter(pk=watch_party.pk).update(pace=2)
    club = watch_party.match.round.campaign.club
    page.goto(url)
    phone.goto(url)  # late
    first = step_of(page)
    page.locator(f"{STEP}:not([data-watch-party-step='{first}'])").wait_for(timeout=15_000)
    assert abs(step_of(page) - step_of(phone)) <= 1
    assert page.locator("[data-watch-party-status]").inner_text()
    key = display_link_create(club=club, by=club.memberships.first().player).key
    phone.set_viewport_size({"width": 1280, "height": 720})
    phone.goto(f"/wall/{key}/")
    on_display = step_of(phone)
    phone.locator(f"{STEP}:not([data-watch-party-step='{on_display}'])").wait_for(timeout=15_000)
    watch_party.refresh_from_db()
    finish(watch_party)
    page.locator("text=The watch party is over").wait_for(timeout=15_000)
