"""A Mech Campaign match and a Meks & Mercs match on two phones, from the table to the confirmed report."""

import pytest
from playwright.sync_api import expect

from campaigns.army_lists.services import lists_reveal
from campaigns.models import MatchState
from rosters.models import LedgerEntry
from systems import roster_rules
from tests.battles.live.builders import state_of
from tests.battles.live.test_browser import box, expect_marked_boxes, open_unit, other_phone, tab, wait_until_sent
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.test_results import key, owner
from tests.campaigns.test_results_browser import open_as

__all__ = ["other_phone"]
pytestmark = [pytest.mark.browser, pytest.mark.proof, pytest.mark.django_db(transaction=True)]
SLUG = "mech-campaign"
LANCE = ("heavy-mech", "heavy-mech", "light-mech", "light-mech", "track")


def a_mech_campaign_match():
    campaign = a_campaign(
        system=SLUG,
        scenarios=[{"value": "claim-dispute", "name": "Claim Dispute"}],
        options={},
        tie_breakers=["destroyed", "destroyed-count"],
        catalogue_release=roster_rules(SLUG).catalogue_release,
    )
    sides = [
        an_enrolment(campaign, a_mustered_company(None, *LANCE, name=name, system=SLUG)) for name in ("Ants", "Bees")
    ]
    played = a_match(a_round(campaign), *sides, scenario="claim-dispute", terrain="rolled")
    return lists_reveal(match=played)


def a_meks_and_mercs_match():
    campaign = a_campaign()
    sides = [an_enrolment(campaign, a_mustered_company(None, "draken", "wasp", name=name)) for name in ("Ants", "Bees")]
    return lists_reveal(match=a_match(a_round(campaign), *sides))


@pytest.mark.parametrize(
    ("make", "strain", "damage"),
    [(a_mech_campaign_match, "suppressed", "damage"), (a_meks_and_mercs_match, "heat", "hits")],
    ids=["mech-campaign", "meks-and-mercs"],
)
def test_match_on_two_phones_ends_in_a_confirmed_report(phone, other_phone, live_server, make, strain, damage):
    match = make()
    phones, sheets = (phone, other_phone), []
    for side, page in enumerate(phones):
        open_as(page, live_server, owner(match, side), f"/matches/{match.key}/")
        page.get_by_role("button", name="Start game").click()
        page.locator("#live-table").wait_for()
        sheets.append(page.url)
    mine, theirs = key(match, 0), key(match, 1)

    # the network fails in the middle, and both mark the same unit
    open_unit(phone, mine)
    box(phone, f"{mine}.{strain}", 2).click()
    wait_until_sent(phone)
    tab(other_phone, "theirs")
    open_unit(other_phone, mine)
    expect_marked_boxes(other_phone, f"{mine}.{strain}", 2)
    other_phone.context.set_offline(True)
    box(other_phone, f"{mine}.{damage}", 1).click()
    other_phone.locator("[data-live-tab=mine]").click()
    open_unit(other_phone, theirs)
    box(other_phone, f"{theirs}.{damage}", 4).click()
    box(phone, f"{mine}.{damage}", 2).click()
    wait_until_sent(phone)
    other_phone.context.set_offline(False)
    phone.get_by_text("Both of you marked this at once").wait_for()
    phone.locator(".live-crossed").get_by_role("button", name="2", exact=True).click()
    wait_until_sent(other_phone)
    expect_marked_boxes(other_phone, f"{theirs}.{damage}", 4)

    # one phone is killed and returns by its link
    other_phone.goto("about:blank")
    other_phone.goto(sheets[1])
    tab(other_phone, "mine")
    expect_marked_boxes(other_phone, f"{theirs}.{damage}", 4)

    # the end
    open_unit(phone, mine)
    phone.locator(f'[data-cell="{mine}.fate-kills"] [data-step="1"]').click()
    tab(phone, "end")
    phone.locator('[data-cell="table.winner"]').get_by_role("button").nth(1).click()
    wait_until_sent(phone)
    for page in phones:
        tab(page, "end")
        page.get_by_role("link", name="Report result").click()
        expect(page.get_by_text("Filled in from your game. Check it before you send it")).to_be_visible()
        page.get_by_role("button", name="Report result", exact=True).click()
        page.wait_for_url(f"**/matches/{match.key}/")
    match.refresh_from_db()
    assert (match.state, match.outcome) == (MatchState.CONFIRMED, "attacker")
    assert LedgerEntry.objects.filter(company=match.attacker.company, kind="kill").exists()
    assert match.live.table.ended_at is not None
    assert state_of(match.live.table.seats.get(side=0)).crossings == ()
