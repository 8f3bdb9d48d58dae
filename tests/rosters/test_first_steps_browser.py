"""A newcomer's way from the first page to printed cards, counted in clicks, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.builders import a_company, a_pilot, a_player, a_unit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_company_is_founded_crewed_and_printed_in_few_clicks(page, client, live_server):
    client.force_login(a_player("founder"))
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    page.goto("/")
    clicks = 0

    def click(name, role="button"):
        nonlocal clicks
        clicks += 1
        page.get_by_role("main").get_by_role(role, name=name).first.click()

    def expect_message(text):
        expect(page.locator(".messages")).to_contain_text(text)

    click("New company", "link")
    page.get_by_label("Name").fill("Walkers")
    click("Create company")
    for design in ("VIPER", "WASP", "SABER"):
        click(f"Buy {design}")
        expect_message(f"Bought {design}")
    for name in ("Ann", "Bo", "Cy"):
        page.get_by_label("Name", exact=True).fill(name)
        click("Hire")
        expect_message(f"Hired {name} for")
    expect(page.get_by_role("navigation", name="First steps")).to_have_count(0)
    expect(page.locator("table", has_text="SABER").get_by_role("link", name="Cy").first).to_be_visible()
    click("Print", "link")
    click("Create PDF")
    expect(page).to_have_url(re.compile("/print/jobs?/"))
    assert clicks == 10


def test_empty_seats_are_filled_by_enter_in_their_rows(phone, client, live_server):
    owner = a_player("founder")
    company = a_company(owner, name="Walkers")
    for name in ("Owl", "Rook"):
        a_unit(company, name=name)
    pilots = [a_pilot(company, name) for name in ("Ann", "Bo")]
    client.force_login(owner)
    phone.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    phone.goto(f"/companies/{company.pk}/")
    phone.get_by_label("Pilot of Owl").click(trial=True)  # reachable by touch, above the link that its row is
    phone.get_by_label("Pilot of Owl").select_option("Bo")
    phone.get_by_label("Pilot of Owl").press("Enter")
    expect(phone.locator(".messages")).to_contain_text("Bo now pilots Owl.")
    expect(phone.get_by_label("Pilot of Rook")).to_be_focused()
    phone.get_by_role("button", name="Assign to Rook").press("Enter")
    expect(phone.locator(".messages")).to_contain_text("Ann now pilots Rook.")
    assert [unit.pilot for unit in company.units.order_by("pk")] == pilots[::-1]
    assert phone.locator(".seat").count() == 0
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
