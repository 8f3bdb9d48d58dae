"""The grid of a correction in a real browser: by keyboard from the match to the preview."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.campaigns.builders import a_campaign, a_member, a_mustered_company, an_enrolment
from tests.campaigns.corrections import played

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_result_is_corrected_by_keyboard(page: Page, client):
    campaign = a_campaign()
    ants, bees = (an_enrolment(campaign, a_mustered_company(name=name)) for name in ("Ants", "Bees"))
    match = played(campaign, ants, bees)
    client.force_login(a_member(campaign.club, "arbiter"))
    page.goto("/")
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": page.url}])
    page.goto(reverse("campaigns:match", args=[match.key]))
    page.get_by_role("link", name="Correct this match").click()
    expect(page.locator("tr[data-fill]").first).to_be_visible()  # the script shows it when it is there

    first = page.locator("tr[data-hits]").first
    first.locator('[data-column="wounded"] input').focus()
    page.keyboard.press("ArrowRight")
    fate = first.locator("select")
    expect(fate).to_be_focused()
    page.keyboard.press("ArrowDown")  # in a list it chooses
    expect(fate).to_have_value("unhurt")
    page.keyboard.press("Enter")
    expect(page.locator("tr[data-hits]").nth(1).locator("select")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    expect(first.locator('[data-column="wounded"] input')).to_be_focused()

    destroyed, exploded = (first.locator(f'[data-column="{name}"] input') for name in ("destroyed", "exploded"))
    exploded.check()  # what the game calls its end
    expect(destroyed).to_be_checked()
    exploded.uncheck()
    destroyed.uncheck()
    lost = first.locator('[data-column="hits_lost"] input')
    lost.fill("2")  # the last Hit: destroyed
    expect(destroyed).to_be_checked()
    page.get_by_role("radio", name="Bees", exact=True).check()
    lost.press("Control+Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("What correcting Ants against Bees would change")
    expect(page.locator(".page-head__lead")).to_contain_text("defender won (ruled)")
