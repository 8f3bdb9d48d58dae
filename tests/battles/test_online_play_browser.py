"""A played battle in a real browser: on a phone, by keyboard only."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from battles.models import SoloBattle
from battles.services.setups import SideChoice, UnitChoice, setup_document
from battles.solo.services import solo_answer, solo_standing, solo_start
from tests.battles.builders import player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_battle_is_played_with_keys_at_360_pixels(chromium, live_server, client):
    kim = player()
    three = [UnitChoice(design="draken")] * 3  # so many that no dice end it within two answers
    sides = [SideChoice(name=name, doctrine="cautious", units=three) for name in ("Red", "Blue")]
    setup, _ = setup_document(system="meks-and-mercs", terrain="plain", sides=sides)
    solo = solo_start(setup=setup, sides=(0, 1), actor=kim)
    client.force_login(kim)
    context = chromium.new_context(base_url=live_server.url, viewport={"width": 360, "height": 740})
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page = context.new_page()
    page.goto(reverse("battles:solo", args=[solo.key]))
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for answer in page.locator(".hand__answer").all():
        assert answer.bounding_box()["height"] >= 44
    version = page.locator('#hand [name="version"]')
    page.keyboard.press("1")
    expect(version).to_have_value("1")
    page.keyboard.press("Enter")
    expect(version).to_have_value("2")
    row = SoloBattle.objects.get()
    while not solo_standing(row).may_take_back:
        solo_answer(solo=row, version=row.version, value=None)
        row = SoloBattle.objects.get()
    page.reload()
    page.keyboard.press("u")
    expect(version).to_have_value(str(row.version + 1))
    assert SoloBattle.objects.get().answers == row.answers[:-1]
    page.get_by_text("Let the AI finish").click()
    page.get_by_role("button", name="Finish battle").click()
    page.wait_for_url("**/battles/**")
    expect(page.get_by_text("Played online")).to_be_visible()
    context.close()
