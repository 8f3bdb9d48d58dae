"""Two phones, 360 px wide, at one table: a whole game from the code to the end that both have confirmed."""

from importlib.resources import files

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from battles.live.sheet import table_sheet
from battles.live.state import SET, acts_of, table_state
from battles.models import LiveEvent, LiveSeat, LiveTable
from systems.reading import stored_setup
from tests.battles.builders import duel
from tests.battles.live.builders import a_table, mark
from tests.builders import a_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


@pytest.fixture
def other_phone(chromium, live_server):
    """Return the opponent's phone. Errors on its console fail the test too."""
    from tests.conftest import _page

    yield from _page(chromium, live_server.url, 360, 800)


def tab(page, name):
    page.locator(f"[data-live-tab={name}]").click()
    page.locator(f"#{name}").wait_for(state="visible")


def open_unit(page, key):
    unit = page.locator(f"#unit-{key}")
    if unit.get_attribute("open") is None:
        unit.locator("summary").click()
    return unit


def box(page, cell, at):
    return page.locator(f'[data-cell="{cell}"] [data-at="{at}"]')


def expect_marked_boxes(page, cell, number):
    from playwright.sync_api import expect

    expect(page.locator(f'[data-cell="{cell}"] .live-box.is-marked')).to_have_count(number)


def wait_until_sent(page):
    """Wait until the server has received every mark of this phone."""
    from playwright.sync_api import expect

    expect(page.locator("[data-live-ready]")).to_be_attached()  # older marks are in the queue
    expect(page.locator("[data-live-state]")).to_have_text("")


def signed_in(page, player, live_server):
    client = Client()
    client.force_login(player)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )


@pytest.mark.slow
def test_whole_game_is_played_on_two_phones(phone, other_phone, live_server):
    phone.goto("/table/?system=meks-and-mercs")
    phone.get_by_label("Your side").select_option("force:siege-train")  # its first unit survives three Hits
    phone.get_by_label("Your name at the table").fill("Ann")
    phone.get_by_role("button", name="Start game").click()
    code = phone.locator(".live-join__code").text_content()
    other_phone.goto("/table/")
    other_phone.get_by_role("textbox", name="Code on the other phone").fill(code.lower())
    other_phone.get_by_role("button", name="Join", exact=True).click()
    other_phone.get_by_label("Your name at the table").fill("Ben")
    other_phone.get_by_role("button", name="Join game").click()
    phone.locator("[data-live-waiting]").wait_for(state="detached")
    setup = LiveTable.objects.get().setup
    mine, theirs = (setup["sides"][side]["units"][0]["key"] for side in (0, 1))

    # a turn: the next step, a Hit that the other phone sees, heat
    phone.locator("[data-live-next]").click()
    other_phone.get_by_text("Next: Wounded pilots").wait_for()
    open_unit(phone, mine)
    box(phone, f"{mine}.hits", 1).click()
    tab(other_phone, "theirs")
    open_unit(other_phone, mine)
    expect_marked_boxes(other_phone, f"{mine}.hits", 1)

    # both mark the same unit at once, while one is offline
    wait_until_sent(phone)
    other_phone.context.set_offline(True)
    box(other_phone, f"{mine}.hits", 2).click()
    expect_marked_boxes(other_phone, f"{mine}.hits", 2)
    other_phone.get_by_text("1 mark waits on this phone").wait_for()
    box(phone, f"{mine}.hits", 3).click()
    wait_until_sent(phone)
    other_phone.context.set_offline(False)
    phone.get_by_text("You both changed this at the same time").wait_for()
    other_phone.get_by_text("You both changed this at the same time").wait_for()
    phone.locator(".live-crossed").get_by_role("button", name="3", exact=True).click()
    other_phone.get_by_text("You both changed this at the same time").wait_for(state="detached")
    expect_marked_boxes(other_phone, f"{mine}.hits", 3)

    # a phone is killed with marks in its queue, and opened again by the same link
    wait_until_sent(phone)
    address = phone.url
    phone.context.set_offline(True)
    phone.locator("[data-live-tab=theirs]").click()
    open_unit(phone, theirs)
    whole = phone.locator(f'[data-cell="{theirs}.hits"] .live-box').count()
    box(phone, f"{theirs}.hits", whole).click()
    phone.get_by_text("1 mark waits on this phone").wait_for()  # only now is it stored
    context = phone.context
    phone.close()
    context.set_offline(False)
    again = context.new_page()
    again.goto(address)
    tab(other_phone, "mine")
    open_unit(other_phone, theirs)
    expect_marked_boxes(other_phone, f"{theirs}.hits", whole)
    wait_until_sent(again)
    assert LiveEvent.objects.filter(kind=SET, side=0, facts__changes__0__0=f"{theirs}.hits").count() == 1

    # the end
    tab(again, "mine")
    open_unit(again, mine)
    again.locator(f'[data-cell="{mine}.fate-kills"] [data-step="1"]').click()
    tab(again, "end")
    again.locator('[data-cell="table.winner"]').get_by_role("button").nth(1).click()
    again.get_by_role("button", name="Confirm result").click()
    wait_until_sent(again)
    tab(other_phone, "end")
    other_phone.get_by_text("Ann: agrees", exact=True).wait_for()
    other_phone.get_by_role("button", name="Confirm result").click()
    for page in (again, other_phone):
        page.get_by_text("Both sides have agreed").first.wait_for()
    table = LiveTable.objects.get()
    sheet = table_sheet(stored_setup(table.setup))
    report = sheet.report(table_state(sheet, acts_of(table)).values)
    assert report["winner"] == "attacker"
    assert report["units"][theirs]["destroyed"] is True
    assert report["units"][mine] == {"hits_lost": 3, "kills": 1}


def test_offline_marks_are_sent_once_and_in_order(phone, live_server):
    ann, _ = a_table()
    phone.goto(f"/table/{ann.key}/")
    open_unit(phone, "a1")
    lost = []
    phone.route(
        "**/act/", lambda route: (lost.append(route.fetch()), route.abort()) if len(lost) < 2 else route.continue_()
    )
    box(phone, "a1.hits", 1).click()
    box(phone, "a1.heat", 3).click()
    wait_until_sent(phone)
    done = [act.changes[0][::2] for act in acts_of(ann.table)]
    assert done == [("a1.hits", 1), ("a1.heat", 3)]
    assert len(lost) == 2, "the server has the mark, but its response was lost"


def test_refused_mark_is_shown_and_removed(phone, live_server):
    ann, _ = a_table()
    phone.goto(f"/table/{ann.key}/")
    open_unit(phone, "a1")
    LiveTable.objects.update(ended_at="2026-01-01T00:00Z")
    phone.evaluate("window.stop()")
    box(phone, "a1.hits", 1).click()
    phone.get_by_text("the table is closed").first.wait_for()
    wait_until_sent(phone)


def test_mark_waits_until_the_player_signs_in_again(phone, live_server):
    player = a_player("ann")
    ann, _ = a_table(actor=player)
    signed_in(phone, player, live_server)
    phone.goto(f"/table/{ann.key}/")
    open_unit(phone, "a1")
    Session.objects.all().delete()
    box(phone, "a1.hits", 2).click()
    phone.get_by_text("You are signed out. Reload the page and sign in. 1 mark waits on this phone.").wait_for()
    expect_marked_boxes(phone, "a1.hits", 2)
    signed_in(phone, player, live_server)
    phone.reload()
    wait_until_sent(phone)
    assert [act.changes[0][::2] for act in acts_of(ann.table)] == [("a1.hits", 2)]


@pytest.mark.parametrize("status", [403, 404])
def test_mark_is_kept_and_sent_after_a_server_error(phone, live_server, status):
    ann, _ = a_table()
    phone.goto(f"/table/{ann.key}/")
    open_unit(phone, "a1")
    phone.route("**/act/", lambda route: route.fulfill(status=status, body="no"))
    box(phone, "a1.hits", 1).click()
    phone.get_by_text("This phone can’t mark here now. Reload the page. 1 mark waits on this phone.").wait_for()
    expect_marked_boxes(phone, "a1.hits", 1)
    phone.unroute("**/act/")
    phone.reload()
    wait_until_sent(phone)
    assert [act.changes[0][::2] for act in acts_of(ann.table)] == [("a1.hits", 1)]


def test_phone_over_the_rate_limit_resumes_by_itself(phone, live_server):
    ann, _ = a_table()
    phone.goto(f"/table/{ann.key}/")
    open_unit(phone, "a1")
    answered = []

    def too_fast_once(route):
        answered.append(route.request.post_data)
        if len(answered) > 1:
            return route.continue_()
        refusal = '{"reason": "Your side has done 120 things within a minute. Continue in 2 seconds."}'
        return route.fulfill(status=429, headers={"Retry-After": "2"}, content_type="application/json", body=refusal)

    phone.route("**/act/", too_fast_once)
    box(phone, "a1.hits", 1).click()
    phone.get_by_text("Continue in 2 seconds. 1 mark waits on this phone.").wait_for()
    expect_marked_boxes(phone, "a1.hits", 1)
    wait_until_sent(phone)
    assert [act.changes[0][::2] for act in acts_of(ann.table)] == [("a1.hits", 1)]
    assert answered[0] == answered[1], "the same act"


def test_watching_phone_shows_that_its_player_is_signed_out(phone, live_server):
    player = a_player("ann")
    ann, _ = a_table(actor=player)
    signed_in(phone, player, live_server)
    phone.goto(f"/table/{ann.key}/")
    Session.objects.all().delete()
    phone.get_by_text("You are signed out. Reload the page and sign in.").wait_for()


def test_buttons_are_thumb_sized_and_nothing_overflows(phone, live_server):
    ann, _ = a_table(duel("odin", "thor"))
    phone.goto(f"/table/{ann.key}/")
    open_unit(phone, "a1")
    small = """() => [...document.querySelectorAll('.live :is(button, summary, a, input:not([type=hidden]))')]
      .map((each) => [each, each.getBoundingClientRect(), each.matches('.live-boxes--many *') ? 29 : 44])
      .filter(([, box, width]) => box.width && (box.width < width || box.height < 44))
      .map(([each]) => each.textContent.trim() || each.id)"""  # a long track is one row of narrower boxes
    for name in ("mine", "theirs", "dice", "notes", "log", "end"):
        tab(phone, name)
        assert phone.evaluate(small) == []
        assert phone.evaluate("document.documentElement.scrollWidth") == 360


def test_note_and_dice_are_typed_on_the_sheet(phone, live_server):
    ann, ben = a_table()
    phone.goto(f"/table/{ann.key}/")
    tab(phone, "notes")
    phone.get_by_label("Secret note").fill("A mine")
    phone.get_by_role("button", name="Seal note").click()
    phone.get_by_text("Reveal").wait_for()
    tab(phone, "dice")
    phone.get_by_label("Reason").fill("fire")
    phone.get_by_role("button", name="Roll", exact=True).click()
    phone.get_by_text(", roll 1").wait_for()
    phone.get_by_label("Or enter your own dice").fill("4 2 6")
    phone.get_by_role("button", name="Enter").click()
    phone.locator(".live-roll .tag--warn").wait_for()
    assert phone.url.endswith(f"/table/{ann.key}/")
    assert LiveSeat.objects.get(pk=ben.pk).table.length == 3


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_sheet(chromium, live_server, scheme):
    ann, ben = a_table()
    mark(ann, "a1.hits", 1, seen=0)
    mark(ben, "a1.hits", 2, seen=0)
    size = {"width": 360, "height": 800}
    context = chromium.new_context(base_url=live_server.url, viewport=size, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    found = []

    def look():
        page.evaluate(AXE)
        output = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then((result) => result.violations)")
        found.extend((each["id"], [node["target"] for node in each["nodes"][:3]]) for each in output)

    page.goto(f"/table/{ann.key}/")
    open_unit(page, "a1")
    for name in ("mine", "theirs", "dice", "notes", "log", "end"):
        tab(page, name)
        look()
    for path in ("/table/", f"/table/{ann.key}/aim/"):
        page.goto(path)
        look()
    assert found == []
    context.close()


def test_attack_helper_rolls_on_the_sheet(phone):
    from playwright.sync_api import expect

    ann, _ = a_table(duel("wasp", "thor", terrain="wood"))
    phone.goto(reverse("battles:seat", args=[ann.key]))
    tab(phone, "dice")
    phone.get_by_text("Attack helper").click()
    figure = phone.locator("#aim .live-need__figure")
    before = figure.text_content()
    phone.get_by_label("terrain counts double").check()
    expect(figure).not_to_have_text(before)
    phone.locator("#aim").get_by_role("button", name="Roll").click()
    expect(phone.locator("#live-rolls .live-roll")).to_have_count(1)
    expect(phone.locator("#live-rolls")).to_contain_text("WASP fires its Cannon at THOR")
    expect(phone.locator("#aim")).to_have_attribute("open", "")


@pytest.mark.parametrize(("design", "boxes"), [("draken", 8), ("saber", 7)])
def test_sheet_of_a_unit_fits_a_phone(phone, design, boxes):
    seat, _other = a_table(duel(design, "wasp"))
    phone.goto(reverse("battles:seat", args=[seat.key]))
    unit = open_unit(phone, "a1")
    lines = unit.locator(".live-rows--marks .live-row--tick .live-row__name").evaluate_all(
        "all => all.map((each) => [each.innerText.trim(), each.getClientRects().length, each.offsetHeight])"
    )
    assert len(lines) >= 3
    assert [text for text, _boxes, height in lines if height > 30] == []
    heat = unit.locator('[data-cell="a1.heat"] .live-box')
    assert heat.count() == boxes
    assert len(set(heat.evaluate_all("all => all.map((each) => each.getBoundingClientRect().top)"))) == 1
    assert min(heat.evaluate_all("all => all.map((each) => each.getBoundingClientRect().width)")) >= 29
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
