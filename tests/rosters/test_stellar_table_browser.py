"""Drawing a table in inches in a real browser, by mouse, keyboard and phone; then a battle on it and its replay."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from battles.models import Battle
from battles.tasks import battle_resolve
from rosters.models import Scenario
from tests.builders import a_player

pytestmark = pytest.mark.browser
NEW = "/scenarios/new/?system=mechastellar"
FIVE = [[24, 24], [12, 16], [36, 16], [12, 32], [36, 32]]


def begin(page: Page) -> None:
    a_player("owner")
    page.goto(f"/accounts/login/?next={NEW}")
    page.locator("[name=login]").fill("owner")
    page.locator("[name=password]").fill("secret-sesame")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{NEW}")
    expect(page.locator("[data-inch-tools]")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Ridge")


def hand(page: Page, name: str) -> None:
    page.locator(".brushes").get_by_role("radio", name=name, exact=True).check(force=True)


def at(page: Page, x: float, y: float) -> tuple[float, float]:
    """Return where that place of the table is on the screen."""
    stage = page.locator("[data-inch-stage]")  # stays while the drawing inside is replaced
    stage.scroll_into_view_if_needed()
    box = stage.bounding_box()
    assert box
    inch, edge = box["width"] * 480 / 520 / 48, box["width"] * 20 / 520
    return box["x"] + edge + x * inch, box["y"] + edge + (48 - y) * inch


def wait_for_piece(page: Page, x: float, y: float, radius: float) -> None:
    """Wait until the server has drawn a piece there."""
    shape = f'[data-inch-stage] circle[cx="{x * 10:g}"][cy="{(48 - y) * 10:g}"][r="{radius * 10:g}"]'
    expect(page.locator(shape)).to_have_count(1)


def places(row: Scenario) -> list[tuple[str, float, float]]:
    return [(each["kind"], each["x"], each["y"]) for each in row.spec.get("pieces", [])]


@pytest.mark.slow
def test_table_is_drawn_saved_played_and_replayed(page: Page, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(battle_resolve, "delay", lambda pk: None)
    begin(page)
    hand(page, "Tall")
    page.locator("[data-inch-radius]").fill("3")
    page.mouse.click(*at(page, 17, 20))
    wait_for_piece(page, 17, 20, 3)
    wait_for_piece(page, 31, 28, 3)  # the opposite one
    hand(page, "Move")
    page.mouse.move(*at(page, 17, 20))
    page.mouse.down()
    page.mouse.move(*at(page, 15, 24), steps=4)
    page.mouse.up()
    wait_for_piece(page, 15, 24, 3)
    wait_for_piece(page, 33, 24, 3)
    page.locator("[data-inch-undo]").click()
    wait_for_piece(page, 17, 20, 3)
    page.get_by_label("Rounds").fill("2")
    expect(page.locator("#preview")).to_contain_text("Can be played")
    page.get_by_role("button", name="Save scenario").click()
    expect(page.get_by_role("heading", name="Ridge")).to_be_visible()
    row = Scenario.objects.get()
    assert (row.spec["points"], row.spec["rounds"]) == (FIVE, 2)
    assert places(row) == [("tall", 17, 20), ("tall", 31, 28)]

    page.get_by_role("link", name="Play this").click()
    page.get_by_role("button", name="Simulate").last.click()
    page.wait_for_url("**/battles/*/**")
    battle = Battle.objects.get()
    battle_resolve(battle.pk)
    page.goto(reverse("battles:battle", args=[battle.key]))
    expect(page.locator("h1")).to_contain_text("Ridge")
    on_map = page.locator("#map .piece__face")
    expect(on_map).to_have_count(2)
    assert page.locator("#map .spot__face").count() == 5


@pytest.mark.rule("ST-099")
def test_table_in_space_is_saved_and_marked(page: Page):
    begin(page)
    page.get_by_label("In space: cannons don’t fire indirectly").check()
    expect(page.locator("#preview")).to_contain_text("Can be played")
    page.get_by_role("button", name="Save scenario").click()
    expect(page.get_by_role("heading", name="Ridge")).to_be_visible()
    assert Scenario.objects.get().spec["stellar"] is True
    expect(page.locator("main")).to_contain_text("A battlefield in space: cannons don't fire indirectly.")


@pytest.mark.slow
def test_table_is_drawn_by_keyboard_alone(page: Page):
    begin(page)
    stage = page.locator("[data-inch-stage]")
    hand(page, "Low")
    page.locator("[data-inch-mirror]").uncheck()
    stage.focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowRight", "Shift+ArrowRight"):
        page.keyboard.press(key)
    page.keyboard.press("Space")
    wait_for_piece(page, 25.5, 26, 2)
    expect(page.locator("[data-inch-here]")).to_contain_text("Piece 1, Low, (25.5, 26), radius 2.")
    hand(page, "Move")
    stage.focus()
    page.keyboard.press("Enter")
    for _step in range(6):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    wait_for_piece(page, 25.5, 20, 2)
    hand(page, "Remove")
    stage.focus()
    page.keyboard.press("Space")
    expect(page.locator("[data-inch-stage] circle")).to_have_count(5)
    page.keyboard.press("Control+z")
    wait_for_piece(page, 25.5, 20, 2)
    page.get_by_role("button", name="Save scenario").click()
    expect(page.get_by_role("heading", name="Ridge")).to_be_visible()
    assert places(Scenario.objects.get()) == [("low", 25.5, 20)]


@pytest.mark.slow
def test_table_is_drawn_on_a_phone_like_its_rows(phone: Page):
    begin(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    hand(phone, "Forest")
    for x in range(4, 16, 4):
        phone.mouse.click(*at(phone, x, 40))
        wait_for_piece(phone, x, 40, 2)
        wait_for_piece(phone, 48 - x, 8, 2)
    rows = phone.locator("[data-inch-pieces] > li")
    expect(rows).to_have_count(6)  # three from before, and three added here
    expect(phone.get_by_label("x of piece 6", exact=True)).to_have_value("36")
    phone.get_by_label("x of piece 6", exact=True).fill("30")
    wait_for_piece(phone, 30, 8, 2)
    phone.get_by_label("Table, inches each way").fill("40")
    expect(phone.locator("#preview")).to_contain_text("must be on the table, 0 to 40 in each way, not at x 44")
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    for face in phone.locator(".brush").all():
        box = face.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
