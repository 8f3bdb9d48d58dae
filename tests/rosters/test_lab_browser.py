"""Building in the lab in a real browser: a fix in one press, undo and redo, by mouse and by keys."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_fix_is_one_press_and_steps_undo_and_redo(page):
    page.goto("/designs/lab/?chassis=light&weapons=cannon&name=Toppler")
    verdict = page.locator("#preview .verdict")
    undo, redo = (page.get_by_role("button", name=name) for name in ("Undo", "Redo"))
    expect(verdict).to_have_text("Legal, 5 points")
    expect(undo).to_be_disabled()
    page.get_by_role("button", name="One more Cannon").click()
    expect(verdict).to_have_text("Illegal, 6 points")
    page.get_by_role("link", name="one Cannon less").click()
    expect(verdict).to_have_text("Legal, 5 points")
    expect(page.get_by_label("Name")).to_have_value("Toppler")
    undo.click()
    expect(verdict).to_have_text("Illegal, 6 points")
    expect(page.get_by_role("spinbutton", name="Cannon", exact=True)).to_have_value("2")
    page.go_back()
    expect(verdict).to_have_text("Legal, 5 points")
    expect(undo).to_be_disabled()
    redo.click()
    expect(verdict).to_have_text("Illegal, 6 points")
    page.keyboard.press("Control+Shift+Z")
    expect(verdict).to_have_text("Legal, 5 points")
    expect(redo).to_be_disabled()
    page.locator("body").press("Control+z")
    expect(verdict).to_have_text("Illegal, 6 points")


def test_name_is_no_step_and_options_follow_the_build(phone):
    phone.goto("/designs/lab/?system=blazing-steel&chassis=light&locomotion=bipedal")
    peripheral = phone.get_by_label("Peripheral")
    expect(peripheral.locator("option", has_text="Extended Magazine")).to_have_text(re.compile(r"breaks .*\(BS-012\)"))
    phone.get_by_label("Name").fill("Dasher")
    expect(phone).to_have_url(re.compile("name=Dasher"))
    expect(phone.get_by_role("button", name="Undo")).to_be_disabled()
    peripheral.select_option(label=peripheral.locator("option", has_text="Extended Magazine").inner_text())
    expect(phone.locator("#preview .verdict")).to_have_text(re.compile("Illegal"))
    expect(phone.get_by_role("button", name="Undo")).to_be_enabled()
    expect(peripheral.locator("option").first).to_have_text(re.compile("makes it legal"))
    assert phone.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.slow
def test_lab_simulates_odds_of_the_latest_build_only(page, eager_jobs, compiled_rules):
    page.goto("/designs/lab/?chassis=light&weapons=cannon&name=Toppler")
    requests = []
    page.on("request", lambda request: requests.append(request.url) if request.url.endswith("/odds/trial/") else None)
    page.get_by_role("button", name="One more Cannon").click()
    expect(page.locator("#preview .verdict")).to_have_text("Illegal, 6 points")
    page.get_by_role("button", name="One fewer Cannon").click()
    expect(page.locator("#preview .verdict")).to_have_text("Legal, 5 points")
    expect(page.locator("#lab-trial")).to_be_empty()
    page.get_by_label("Show win chance while I build").check()
    expect(page.locator("#lab-trial")).to_contain_text("Toppler against the published designs")
    page.get_by_label("Name").fill("Tippler")
    page.get_by_label("Name").fill("Tumbler")  # within the second: the build between isn't counted
    expect(page.locator("#lab-trial")).to_contain_text("Tumbler against the published designs")
    assert len(requests) == 2
    page.get_by_label("Show win chance while I build").uncheck()
    page.get_by_label("Name").fill("Tapper")
    expect(page).to_have_url(re.compile("name=Tapper"))
    page.wait_for_timeout(1300)
    assert len(requests) == 2


def test_parts_that_the_frame_cannot_take_are_collapsed_under_one_reason(page):
    page.goto("/designs/lab/?chassis=light&weapons=cannon&name=Toppler")
    huge = page.get_by_role("group", name="Huge mounts")
    fold = huge.locator("summary")
    expect(fold).to_have_text(re.compile(r"^\d+ not available: no huge mount$"))
    expect(huge.get_by_role("spinbutton")).to_have_count(0)
    expect(huge.get_by_text("no huge mount")).to_have_count(1)
    fold.click()
    expect(huge.get_by_role("spinbutton").first).to_be_visible()
    names = huge.locator(".lab-group__what b").all_inner_texts()
    page.get_by_role("radio", name=re.compile("^Heavy")).check()
    expect(fold).to_have_count(0)
    expect(huge.get_by_role("spinbutton")).to_have_count(len(names))
    assert huge.locator(".lab-group__what b").all_inner_texts() == names
    page.get_by_role("radio", name=re.compile("^Light")).check()
    expect(fold).to_have_text(re.compile(r"^\d+ not available: no huge mount$"))


def test_slots_that_the_frame_lacks_are_collapsed(page):
    page.goto("/designs/lab/?system=blazing-steel&chassis=light&locomotion=bipedal")
    expect(page.get_by_text("not available: not on a Light")).to_have_count(1)


def test_screen_readers_hear_the_verdict_alone(page):
    page.goto("/designs/lab/?chassis=light&weapons=cannon&name=Toppler")
    announced = page.locator("#lab-says")
    expect(announced).to_have_text("")
    page.get_by_role("button", name="One more Cannon").click()
    expect(announced).to_have_text("Illegal, 6 points")
    page.get_by_role("button", name="Undo").click()
    expect(announced).to_have_text("Legal, 5 points")
    assert page.locator("[aria-live]", has=page.locator(".verdict")).count() == 0
