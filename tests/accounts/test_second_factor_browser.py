"""The second factor in a browser: set up and used to sign in, under the site's content security policy."""

import os
from pathlib import Path

import pytest
from django.urls import reverse

from tests.builders import a_player

from .builders import PASSWORD, totp_code

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def save_screenshot(page, name):
    """Save a screenshot to the folder MUSTER_TEST_PICTURES, if it's set."""
    if folder := os.environ.get("MUSTER_TEST_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}-{page.viewport_size['width']}.png", full_page=True)


def sign_in(page):
    page.goto(reverse("account_login"))
    page.get_by_label("Username or email address").fill("kim")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


@pytest.mark.parametrize("screen", ["phone", pytest.param("page", marks=pytest.mark.slow)])
def test_player_sets_up_a_second_factor_and_signs_in_with_it(screen, request):
    page = request.getfixturevalue(screen)
    a_player("kim")
    sign_in(page)
    page.goto(reverse("mfa_index"))
    save_screenshot(page, "factor-off")
    page.get_by_role("link", name="Set up").click()
    save_screenshot(page, "is-it-you")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    key = page.locator(".factor__key").inner_text()
    assert page.locator(".factor__code svg").bounding_box()["width"] > 150
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    save_screenshot(page, "factor-setup")
    page.get_by_label("Code from your app").fill(totp_code(key))
    page.get_by_role("button", name="Turn on").click()
    assert page.locator(".factor__codes li").count() == 10
    save_screenshot(page, "recovery-codes")
    recovery = page.locator(".factor__codes li").first.inner_text()
    for name, path in (
        ("factor-on", reverse("mfa_index")),
        ("sessions", reverse("usersessions_list")),
        ("sign-ins", reverse("rosters:sign_ins")),
        ("profile", reverse("rosters:profile")),
        ("password", reverse("account_change_password")),
    ):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        save_screenshot(page, name)
    page.goto(reverse("rosters:profile"))
    page.get_by_text("Create token", exact=True).first.click()
    save_screenshot(page, "token-form")
    page.context.clear_cookies()
    sign_in(page)
    save_screenshot(page, "factor-asked")
    page.get_by_label("Code").fill(recovery)
    page.get_by_role("button", name="Sign in").click()
    page.goto(reverse("rosters:sign_ins"))
    assert page.get_by_text("with two-factor code").count() == 1
    save_screenshot(page, "sign-ins-2")
