"""The grid of a correction in a browser, by keyboard from the match to the preview."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.campaigns.builders import a_campaign, a_member, a_mustered_company, an_enrolment
from tests.campaigns.corrections import play_match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_result_is_corrected_by_keyboard(page: Page, client):
    campaign = a_campaign()
    ants, bees = (an_enrolment(campaign, a_mustered_company(name=name)) for name in ("Ants", "Bees"))
    match = play_match(campaign, ants, bees)
    client.force_login(a_member(campaign.club, "arbiter"))
    page.goto("/")
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": page.url}])
    page.goto(reverse("campaigns:match", args=[match.key]))
    page.get_by_role("link", name="Correct match").click()
    expect(page.locator("tr[data-fill]").first).to_be_visible()  # the script shows the row once it has loaded

    first = page.locator("tr[data-hits]").first
    first.locator('[data-column="wounded"] input').focus()
    page.keyboard.press("ArrowRight")
    fate = first.locator("select")
    expect(fate).to_be_focused()
    page.keyboard.press("ArrowDown")  # selects an entry in a list
    expect(fate).to_have_value("unhurt")
    page.keyboard.press("Enter")
    expect(page.locator("tr[data-hits]").nth(1).locator("select")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    expect(first.locator('[data-column="wounded"] input')).to_be_focused()

    destroyed, exploded = (first.locator(f'[data-column="{name}"] input') for name in ("destroyed", "exploded"))
    exploded.check()  # the game's own word for the unit's end
    expect(destroyed).to_be_checked()
    exploded.uncheck()
    destroyed.uncheck()
    lost = first.locator('[data-column="hits_lost"] input')
    lost.fill("2")  # the last Hit, so the unit is destroyed
    expect(destroyed).to_be_checked()
    page.get_by_role("radio", name="Bees", exact=True).check()
    lost.press("Control+Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("What correcting Ants against Bees would change")
    expect(page.locator(".page-head__lead")).to_contain_text("defender won (ruled)")


def test_grid_keeps_sums_and_marks_disagreements(page: Page, client):
    campaign = a_campaign()
    ants, bees = (an_enrolment(campaign, a_mustered_company(name=name)) for name in ("Ants", "Bees"))
    match = play_match(campaign, ants, bees)
    client.force_login(a_member(campaign.club, "arbiter"))
    page.goto("/")
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": page.url}])
    page.goto(reverse("campaigns:match_correct", args=[match.key]))
    sides = page.locator("[data-side]")
    own, other = sides.nth(0), sides.nth(1)
    kills = own.locator('tr[data-hits] [data-column="kills"] input').first
    fallen = other.locator("tr[data-hits]").first
    destroyed, hits = (fallen.locator(f'[data-column="{name}"] input') for name in ("destroyed", "hits_lost"))

    for field in page.locator('[data-column="destroyed"] input').all():
        field.uncheck()
    for field in page.locator('tr[data-hits] [data-column="kills"] input').all():
        field.fill("0")
    kills.fill("1")
    expect(own.locator("[data-sums]")).to_contain_text("1 kills, out of 0")
    expect(own.locator("[data-sums]")).to_contain_text("more kills than units lost")
    expect(kills).to_have_attribute("aria-invalid", "true")

    hits.fill("99")
    expect(destroyed).to_be_checked()
    expect(other.locator("[data-sums]")).to_contain_text("1 destroyed")
    expect(kills).not_to_have_attribute("aria-invalid", "true")

    destroyed.uncheck()
    expect(hits).to_have_value("0")
    expect(kills).to_have_value("0")
    expect(own.locator("[data-sums]")).not_to_have_class("is-wrong")
