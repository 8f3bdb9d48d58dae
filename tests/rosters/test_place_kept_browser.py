"""Forms that are sent in place leave their readers where they are, and their messages are seen there."""

import pytest
from playwright.sync_api import expect

from tests.builders import a_company, a_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def open_company(screen, client, live_server, system="meks-and-mercs"):
    owner = a_player("buyer")
    company = a_company(owner, system=system, name="Walkers")
    client.force_login(owner)
    screen.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    screen.goto(f"/companies/{company.pk}/")
    return company


def height_of(button):
    return button.evaluate("each => each.getBoundingClientRect().top")


@pytest.mark.parametrize("system", ["meks-and-mercs", "blazing-steel", "hex-core"])
def test_bought_unit_leaves_the_button_where_it_was(page, client, live_server, system):
    company = open_company(page, client, live_server, system)
    buy = page.get_by_role("button", name="Buy ").nth(3)
    buy.scroll_into_view_if_needed()
    for bought in (1, 2):  # the first purchase also adds a table of units
        before = height_of(buy)
        buy.click()
        expect(page.locator(".messages")).to_contain_text("Bought")
        expect(page.locator(".section__head:has(#units) .section__note")).to_contain_text(f"{bought} unit")
        expect(page.get_by_role("button", name="Undo")).to_be_in_viewport()
        assert height_of(buy) == pytest.approx(before, abs=2)
    assert company.units.count() == 2


def test_random_name_stays_in_sight_with_its_button_focused(phone, client, live_server):
    open_company(phone, client, live_server)
    button = phone.get_by_role("button", name="Random name")
    button.scroll_into_view_if_needed()
    before = height_of(button)
    button.click()
    expect(phone.get_by_label("Name", exact=True)).not_to_have_value("")
    expect(button).to_be_focused()
    assert height_of(button) == pytest.approx(before, abs=2)


def test_message_leaves_when_the_reader_scrolls_on(phone, client, live_server):
    open_company(phone, client, live_server)
    buy = phone.get_by_role("button", name="Buy ").last
    buy.click()
    expect(phone.locator(".messages")).to_be_in_viewport()
    phone.mouse.wheel(0, -500)
    expect(phone.locator(".messages")).not_to_be_in_viewport()


def test_wrong_entry_is_shown_where_the_form_is(page, client, live_server):
    open_company(page, client, live_server)
    hire = page.get_by_role("button", name="Hire")
    page.get_by_label("Name", exact=True).evaluate("each => { each.required = false; each.value = ''; }")
    hire.click()
    expect(page.locator("#errors")).to_be_focused()
    expect(page.locator("#errors")).to_be_in_viewport()
