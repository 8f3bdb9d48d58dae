"""A session that ends while a page is open, in a real browser with and without scripts."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.core.cache import cache
from django.urls import reverse
from playwright.sync_api import expect

from rosters.models import Description
from tests.accounts.builders import PASSWORD
from tests.builders import a_company, a_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def owner(client):
    cache.clear()
    player = a_player("kim")
    client.force_login(player)
    return player


def open_and_sign_out(page, live_server, client, where):
    """Open the page for a player, then end the session."""
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
    page.goto(f"{live_server.url}{where}")
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)


def sign_in(page):
    expect(page.get_by_text("Sign in again to get back what you typed")).to_be_visible()
    expect(page.locator("body[data-account=visitor]")).to_be_attached()
    page.locator("#id_login").fill("kim")
    page.locator("#id_password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()


def test_story_is_restored_after_signing_in_and_saved(page, live_server, client, owner):
    write_and_save(page, live_server, client, owner)


def test_story_is_restored_without_scripts(chromium, live_server, client, owner):
    context = chromium.new_context(java_script_enabled=False)
    write_and_save(context.new_page(), live_server, client, owner)
    context.close()


def write_and_save(page, live_server, client, owner):
    open_and_sign_out(page, live_server, client, reverse("rosters:company_notes", args=[a_company(owner).pk]))
    page.locator("#id_story").fill("The long way home.\n\nAll of it.")
    page.get_by_role("region", name="Story and notes").get_by_role("button", name="Save").click()
    sign_in(page)
    expect(page.get_by_text("What you typed is still here: check it and save.")).to_be_visible()
    expect(page.locator("#id_story")).to_have_value("The long way home.\n\nAll of it.")
    page.get_by_role("region", name="Story and notes").get_by_role("button", name="Save").click()
    expect(page.get_by_text("What you typed is still here")).to_be_hidden()
    assert Description.objects.get().story.replace("\r\n", "\n") == "The long way home.\n\nAll of it."


def test_unit_is_bought_with_one_press_after_signing_in(page, live_server, client, owner):
    company = a_company(owner)
    open_and_sign_out(page, live_server, client, reverse("rosters:company", args=[company.pk]))
    page.locator("#buy-publishedwasp").click()
    sign_in(page)
    expect(page.get_by_text("Nothing was changed. Please try again.")).to_be_visible()
    page.get_by_role("link", name="Go to the form").click()
    expect(page.locator("#buy-publishedwasp")).to_be_in_viewport()
    page.locator("#buy-publishedwasp").click()
    expect(page.get_by_text("Bought WASP.")).to_be_visible()
    assert company.units.count() == 1
