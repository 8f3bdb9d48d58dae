"""Pairings of a planned round in a browser: companies swap places by drag, click and keys."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from campaigns.planning.services import round_plan
from tests.campaigns.builders import a_campaign, a_mustered_company, an_enrolment

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def campaign():
    made = a_campaign()
    for name in ("Ants", "Bees", "Cats", "Dogs", "Elks"):
        an_enrolment(made, a_mustered_company(name=name))
    return made


def open_round_page(page: Page, client, row):
    client.force_login(organiser_of(row.campaign))
    page.goto("/")
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": page.url}])
    page.goto(reverse("campaigns:round", args=[row.campaign_id, row.number]))


def organiser_of(campaign):
    return campaign.club.memberships.get(role="organiser").player


def pairs(row):
    return [
        (match.attacker.company.name, match.defender.company.name if match.defender else None)
        for match in row.matches.order_by("number").select_related("attacker__company", "defender__company")
    ]


def test_two_companies_swap_places_by_drag_click_and_keys(page: Page, client, campaign):
    row = round_plan(campaign=campaign, by=organiser_of(campaign))
    (one, two), (three, four), (rests, nobody) = pairs(row)
    assert nobody is None
    open_round_page(page, client, row)
    board = page.locator("[data-swap]")

    def chip(name):
        return board.get_by_role("button", name=name, exact=True)

    # by drag
    chip(two).drag_to(chip(three))
    expect(page.get_by_text("Pairings saved.")).to_be_visible()
    expect(chip(two)).to_be_focused()  # in its new place
    assert pairs(row) == [(one, three), (two, four), (rests, None)]

    # by click, and cancelled
    chip(one).click()
    expect(chip(one)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(chip(one)).to_have_attribute("aria-pressed", "false")
    page.evaluate("window.isSamePage = true")
    chip(one).click()
    chip(one).click()  # puts it back, and saves nothing
    expect(chip(one)).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("window.isSamePage")
    assert board.get_attribute("aria-busy") is None
    chip(one).click()
    chip(rests).click()
    expect(chip(one)).to_be_focused()
    assert pairs(row) == [(rests, three), (two, four), (one, None)]

    # by keys: from the first of table 3 up to the first of table 2
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(chip(one)).to_be_focused()
    expect(board.get_by_role("listitem").nth(1)).to_contain_text(f"{one}against{four}")
    assert pairs(row) == [(rests, three), (one, four), (two, None)]

    # nobody can play for a bye
    chip("bye").click()
    chip(rests).click()
    expect(board.get_by_role("status")).to_have_text(
        "Every table needs at least one company. Remove the table instead."
    )


def test_unpaired_company_waits_and_takes_a_place(page: Page, client, campaign):
    row = round_plan(campaign=campaign, by=organiser_of(campaign))
    rests = row.matches.get(defender=None)
    name = rests.attacker.company.name
    rests.delete()
    (one, two), *_ = pairs(row)
    open_round_page(page, client, row)
    board = page.locator("[data-swap]")
    board.get_by_role("button", name=name, exact=True).click()
    board.get_by_role("button", name=two, exact=True).click()
    expect(page.get_by_text("Pairings saved.")).to_be_visible()
    assert pairs(row)[0] == (one, name)
    expect(board.locator(".swap__unpaired")).to_contain_text(two)


def test_pairings_changed_meanwhile_are_not_overwritten(page: Page, client, campaign):
    row = round_plan(campaign=campaign, by=organiser_of(campaign))
    open_round_page(page, client, row)
    match = row.matches.order_by("number").first()
    match.attacker, match.defender = match.defender, match.attacker
    match.save()
    meanwhile = pairs(row)
    (one, two), (three, _), _ = meanwhile
    board = page.locator("[data-swap]")
    board.get_by_role("button", name=one, exact=True).click()
    board.get_by_role("button", name=three, exact=True).click()
    expect(page.locator(".errors").first).to_be_visible()
    assert pairs(row) == meanwhile


def test_saving_pairings_leaves_the_page_where_it_was(page: Page, client, campaign):
    row = round_plan(campaign=campaign, by=organiser_of(campaign))
    page.set_viewport_size({"width": 360, "height": 700})
    open_round_page(page, client, row)
    save = page.get_by_role("button", name="Save pairings")
    save.evaluate("each => scrollTo(0, each.getBoundingClientRect().bottom + scrollY - innerHeight + 20)")
    before = save.evaluate("each => each.getBoundingClientRect().top")
    save.click()
    expect(page.get_by_text("Pairings saved.")).to_be_in_viewport()
    expect(save).to_be_focused()
    assert save.evaluate("each => each.getBoundingClientRect().top") == pytest.approx(before, abs=2)
