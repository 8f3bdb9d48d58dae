"""A newcomer's way from the first page to printed cards, counted in clicks, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.builders import a_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_company_is_founded_built_hired_seated_and_printed_in_twelve_clicks(page, client, live_server):
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

    def said(text):
        expect(page.locator(".messages")).to_contain_text(text)

    click("Found a company", "link")
    page.get_by_label("Name").fill("Walkers")
    click("Found the company")
    for design in ("VIPER", "WASP", "SABER"):
        click(f"Buy {design}")
        said(f"Bought {design}")
    for name in ("Ann", "Bo", "Cy"):
        page.get_by_label("Name").fill(name)
        click("Hire")
        said(f"Hired {name} for")
    expect(page.get_by_role("navigation", name="First steps")).to_have_count(0)
    expect(page.locator("table", has_text="SABER").get_by_role("link", name="Cy").first).to_be_visible()
    click("Print", "link")
    click("Make the PDF")
    expect(page).to_have_url(re.compile("/print/jobs?/"))
    assert clicks == 10
