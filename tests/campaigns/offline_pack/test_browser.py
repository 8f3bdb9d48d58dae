"""A phone in a cellar: the offline pack opens without a network, and nobody else on the phone sees it."""

import time

import pytest
from django.contrib.sessions.models import Session
from django.utils.module_loading import import_string
from playwright.sync_api import expect

from battles.live.state import AHEAD, SET, acts_of, chains_of
from battles.models import LiveEvent, LiveSeat, LiveTable
from campaigns.army_lists.services import lists_reveal
from campaigns.live_tables import match_table_seat
from systems.engine.dice import is_next_link
from tests.battles.live.builders import a_table
from tests.battles.live.test_browser import box, expect_marked_boxes, open_unit, wait_until_sent
from tests.campaigns.builders import a_match
from tests.campaigns.test_results import key, owner
from tests.campaigns.test_results_browser import open_as
from tests.conftest import is_script_error

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def match():
    return lists_reveal(match=a_match())


@pytest.fixture
def cellar(chromium, live_server):
    """A phone whose browser may run the site's service worker."""
    context = chromium.new_context(
        base_url=live_server.url, viewport={"width": 360, "height": 800}, service_workers="allow"
    )
    page = context.new_page()
    errors = []
    context.on("weberror", lambda raised: errors.append(str(raised.error)))  # from every page, also ones opened later
    context.on("console", lambda message: errors.append(message.text) if is_script_error(message) else None)
    yield page
    context.close()
    assert errors == []


def stored(phone, live_server, match):
    """Store the attacker's offline pack on the phone, and return the address of the sheet."""
    player = owner(match, 0)
    seat = match_table_seat(match=match, side=0, by=player)
    open_as(phone, live_server, player, "/tonight/")
    phone.evaluate("navigator.serviceWorker.ready")
    phone.get_by_role("button", name="Save to this phone").click()
    expect(phone.locator("[data-packet-status]")).to_contain_text("just now")
    return f"/table/{seat.key}/"


def test_pack_opens_offline_and_shows_its_age(cellar, live_server, match):
    sheet = stored(cellar, live_server, match)
    expect(cellar.locator("[data-packet-state]").first).to_have_text("saved just now")
    cellar.context.set_offline(True)
    for path, words in (
        ("/tonight/", "Offline pack"),
        (f"/matches/{match.key}/", str(match)),
        (f"/matches/{match.key}/report/", "Result"),
        ("/rules/meks-and-mercs/", "Meks & Mercs"),
    ):
        cellar.goto(path)
        expect(cellar.locator("h1")).to_contain_text(words)
        expect(cellar.locator("[data-network-bar]").first).to_contain_text("saved")
    cellar.goto(sheet)
    expect(cellar.locator(".live-bar")).to_be_visible()
    looks = "getComputedStyle(document.querySelector('.live-nav')).position"
    assert cellar.evaluate(looks) == "fixed", "its styles are stored too"
    cellar.goto("/clubs/")
    expect(cellar.locator("h1")).to_have_text("No network")
    cellar.get_by_role("link", name=str(match), exact=True).click()
    cellar.wait_for_url(f"**/matches/{match.key}/")


@pytest.mark.slow
def test_stored_page_replaces_a_slow_one(cellar, live_server, match, monkeypatch):
    monkeypatch.setattr("config.site_files.PATIENCE", 300)
    stored(cellar, live_server, match)

    def slow(view):
        return lambda *args, **more: time.sleep(2) or view(*args, **more)

    for name in ("campaigns.clubs.selectors.public_clubs", "campaigns.matches.views.match_page"):
        monkeypatch.setattr(name, slow(import_string(name)))
    cellar.goto(f"/matches/{match.key}/")
    expect(cellar.locator("[data-network-bar]").first).to_contain_text("saved")
    cellar.goto("/clubs/")
    expect(cellar.locator("h1")).not_to_have_text("No network")


def test_pack_is_hidden_after_its_sign_in_expires(cellar, live_server, match):
    stored(cellar, live_server, match)
    until = cellar.evaluate("keeping.account().then(keeping.packet).then(({ until }) => new Date(until) - Date.now())")
    assert 13 < until / 86_400_000 <= 14  # days
    cellar.evaluate(
        "keeping.account().then(keeping.packet).then((row) => keeping.packetSave({ ...row, until: '2020-01-01' }))"
    )
    cellar.context.set_offline(True)
    cellar.goto(f"/matches/{match.key}/")
    expect(cellar.locator("h1")).to_have_text("No network")
    expect(cellar.locator("[data-no-network-none]")).to_be_visible()


def test_interrupted_store_leaves_nothing_behind(cellar, live_server, match):
    stored(cellar, live_server, match)
    cellar.evaluate("keeping.account().then((whose) => caches.open(`packet-${whose}-1`))")
    cellar.get_by_role("button", name="Update").click()
    expect(cellar.locator("[data-packet-status]")).to_contain_text("Saving")
    expect(cellar.locator("[data-packet-status]")).to_contain_text("just now")
    names = cellar.evaluate("caches.keys().then((names) => names.filter((name) => name.startsWith('packet-')))")
    assert len(names) == 1
    assert not names[0].endswith("-1")


def no_packet(page):
    """Wait until no pack is kept, from outside, as the page's policy limits what it may evaluate."""
    for _ in range(100):
        if not page.evaluate("caches.keys().then((names) => names.some((name) => name.startsWith('packet-')))"):
            return
        page.wait_for_timeout(100)
    raise AssertionError("a pack is still kept")


def test_signing_out_removes_the_pack(cellar, live_server, match):
    stored(cellar, live_server, match)
    cellar.goto("/companies/")
    cellar.locator(".nav__toggle").click()
    cellar.get_by_role("button", name="Sign out").click()
    expect(cellar.locator("body[data-account=visitor]")).to_be_attached()
    no_packet(cellar)
    cellar.context.set_offline(True)
    cellar.goto(f"/matches/{match.key}/")
    expect(cellar.locator("h1")).to_have_text("No network")
    expect(cellar.locator("[data-no-network-none]")).to_be_visible()


def test_signing_out_removes_the_pack_without_the_next_page(cellar, live_server, match):
    stored(cellar, live_server, match)
    cellar.goto("/companies/")
    cellar.context.route(f"{live_server.url}/", lambda route: route.abort())  # the page after signing out
    cellar.locator(".nav__toggle").click()
    cellar.get_by_role("button", name="Sign out").click()
    no_packet(cellar)


ANSWERS = """([part, status]) => {
  self.real ??= self.fetch;
  self.fetch = (url, more) => String(url).includes(part) ? Promise.resolve(new Response("", { status })) : real(url, more);
}"""


@pytest.mark.slow
def test_busy_site_does_not_remove_a_good_pack(cellar, live_server, match):
    stored(cellar, live_server, match)
    message = cellar.locator("[data-packet-status]")
    for part, status in (("/report/", 503), ("/rules/", 429), (".css", 502)):
        cellar.evaluate(ANSWERS, [part, status])
        cellar.get_by_role("button", name="Update").click()
        expect(message).to_contain_text("the site is busy. The pack saved")
        cellar.evaluate(ANSWERS, ["/nothing/", 200])
        cellar.get_by_role("button", name="Update").click()
        expect(message).to_contain_text("just now: ")
    cellar.evaluate(ANSWERS, ["/report/", 404])  # a definite answer: the page is gone
    cellar.get_by_role("button", name="Update").click()
    expect(message).to_contain_text("Not available:")
    cellar.context.set_offline(True)
    cellar.goto(f"/matches/{match.key}/")
    expect(cellar.locator("h1")).to_contain_text(str(match))


@pytest.mark.slow
def test_pack_without_an_end_date_lasts_two_weeks(cellar, live_server, match):
    stored(cellar, live_server, match)
    older = "keeping.account().then(keeping.packet).then(({ until, ...row }) => keeping.packetSave({ ...row, at: %s }))"
    kept = "keeping.account().then(keeping.packet).then(Boolean)"
    cellar.evaluate(older % "new Date(Date.now() - 13 * 864e5).toISOString()")
    assert cellar.evaluate(kept)
    cellar.evaluate(older % "new Date(Date.now() - 15 * 864e5).toISOString()")
    assert not cellar.evaluate(kept)
    no_packet(cellar)


def test_another_player_on_the_phone_removes_the_pack(cellar, live_server, match):
    stored(cellar, live_server, match)
    open_as(cellar, live_server, owner(match, 1), "/companies/")
    no_packet(cellar)
    cellar.context.set_offline(True)
    cellar.goto(f"/matches/{match.key}/report/")
    expect(cellar.locator("h1")).to_have_text("No network")


@pytest.mark.slow
def test_full_phone_keeps_the_older_pack(cellar, live_server, match):
    stored(cellar, live_server, match)
    cellar.evaluate("void (Cache.prototype.put = () => Promise.reject(new DOMException('', 'QuotaExceededError')))")
    cellar.get_by_role("button", name="Update").click()
    expect(cellar.locator("[data-packet-status]")).to_contain_text("out of space. The pack saved")
    cellar.context.set_offline(True)
    cellar.goto(f"/matches/{match.key}/")
    expect(cellar.locator("h1")).to_contain_text(str(match))


@pytest.mark.slow
def test_pack_deleted_by_the_browser_is_reported(cellar, live_server, match):
    stored(cellar, live_server, match)
    cellar.evaluate("caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name))))")
    cellar.reload()
    expect(cellar.locator("[data-packet-status]")).to_contain_text("has deleted some saved pages")
    expect(cellar.locator("[data-packet-state]").first).to_have_text("deleted by the browser")


def test_pack_is_not_stored_after_the_sign_in_ended(cellar, live_server, match):
    open_as(cellar, live_server, owner(match, 0), "/tonight/")
    cellar.context.clear_cookies()
    cellar.get_by_role("button", name="Save to this phone").click()
    expect(cellar.locator("[data-packet-status]")).to_contain_text("You’re no longer signed in. Nothing is saved.")


def test_marks_survive_a_killed_phone_and_are_sent_once(cellar, live_server, match):
    sheet = stored(cellar, live_server, match)
    unit, context = key(match, 0), cellar.context
    context.set_offline(True)
    cellar.goto(sheet)
    open_unit(cellar, unit)
    box(cellar, f"{unit}.hits", 1).click()
    expect(cellar.get_by_text("1 mark waits on this phone")).to_be_visible()
    cellar.close()
    again = context.new_page()
    again.goto("/tonight/")
    expect(again.locator("[data-packet-waiting]")).to_contain_text("1 mark at")
    again.locator("[data-packet-list] a").click()
    expect_marked_boxes(again, f"{unit}.hits", 1)
    marks = LiveEvent.objects.filter(kind=SET)  # without the pack's prepared rolls
    assert not marks.exists()
    context.set_offline(False)
    wait_until_sent(again)
    again.reload()
    wait_until_sent(again)
    assert [event.facts["changes"] for event in marks.all()] == [[[f"{unit}.hits", 0, 1]]]


def test_marks_of_a_deleted_sheet_can_be_discarded(cellar, live_server, match):
    ann, _ = a_table()
    cellar.goto(f"/table/{ann.key}/")
    open_unit(cellar, "a1")
    cellar.evaluate("navigator.serviceWorker.ready")  # the worker starts once the page is there
    cellar.context.set_offline(True)
    box(cellar, "a1.hits", 1).click()
    expect(cellar.get_by_text("1 mark waits on this phone")).to_be_visible()
    LiveTable.objects.all().delete()
    cellar.context.set_offline(False)
    open_as(cellar, live_server, owner(match, 0), "/companies/")
    expect(cellar.locator("[data-network-bar]")).to_contain_text("1 mark")
    cellar.goto("/tonight/")
    waits = cellar.locator("[data-packet-waiting]")
    waits.get_by_role("button", name="Discard …").click()
    waits.get_by_role("button", name="Discard 1 mark?").click()
    expect(waits).to_be_hidden()
    assert cellar.evaluate("keeping.account().then(keeping.waiting).then(({ marks }) => marks.length)") == 0


@pytest.mark.slow
def test_prepared_rolls_work_offline_and_are_provable(cellar, live_server, match):
    sheet = stored(cellar, live_server, match)
    expect(cellar.locator("[data-packet-rolls]")).to_have_text("60 rolls prepared")
    seat = LiveSeat.objects.get(side=0)
    (chain,) = chains_of(acts_of(seat.table))
    cellar.context.set_offline(True)
    cellar.goto(sheet)
    cellar.locator("[data-live-tab=dice]").click()
    for what in ("Armor", "To hit"):
        cellar.get_by_label("Reason").fill(what)
        cellar.locator("#roll-dice").fill("3")
        cellar.get_by_role("button", name="Roll", exact=True).click()
        expect(cellar.locator("[data-live-ahead]")).to_contain_text(what)
    expect(cellar.locator("[data-live-ahead-left]")).to_contain_text("58 prepared rolls")
    rolled = [text.split(" · ") for text in cellar.locator(".live-roll__ahead").all_inner_texts()]
    context = cellar.context
    cellar.close()  # the battery runs out
    again = context.new_page()
    again.goto(sheet)
    again.locator("[data-live-tab=dice]").click()
    expect(again.locator("[data-live-ahead] li")).to_have_count(2)
    again.evaluate(f"preparedRolls('{seat.key}').roll(1, 6)")  # an unwanted roll
    again.get_by_label("Reason").fill("Initiative")
    again.get_by_role("button", name="Roll", exact=True).click()
    expect(again.locator("[data-live-ahead] li")).to_have_count(3)
    context.set_offline(False)
    expect(again.locator("#live-rolls .tag--good")).to_have_count(3)
    expect(again.locator("[data-live-ahead] li")).to_have_count(0)
    expect(again.locator("#live-rolls li").first).to_contain_text("Roll 3 was skipped.")
    wait_until_sent(again)
    rolls = [act.facts for act in acts_of(seat.table) if act.kind == AHEAD]
    assert [(each["what"], each["roll"], each["why"]) for each in rolls] == [
        ("Armor", 1, []),
        ("To hit", 2, []),
        ("Initiative", 4, []),
    ]
    assert [[str(face) for face in each["faces"]] for each in rolls[:2]] == rolled[::-1]
    assert all(is_next_link(each["link"], each["roll"], chain.sealed) for each in rolls)


def signed_out_by_closing(phone):
    """Close and reopen the browser: only the session's cookies are lost."""
    phone.context.clear_cookies()
    phone.goto("/clubs/")
    expect(phone.locator("body[data-account=visitor]")).to_be_attached()
    phone.evaluate("keeping.readByNobody('/tonight/')")  # as the page did, but waiting for it


def test_pack_outlives_a_closed_browser_and_its_session(cellar, live_server, match):
    sheet = stored(cellar, live_server, match)
    expect(cellar.locator("[data-packet-status]")).to_contain_text("even if you close the browser")
    signed_out_by_closing(cellar)
    cellar.goto("/tonight/")
    expect(cellar.locator("[data-packet-status]")).to_contain_text("An offline pack is saved on this phone. Sign in")
    cellar.context.set_offline(True)
    cellar.goto(f"/matches/{match.key}/")
    expect(cellar.locator("h1")).to_contain_text(str(match))
    cellar.goto(sheet)
    expect(cellar.locator(".live-bar")).to_be_visible()


@pytest.mark.slow
def test_closed_browsers_pack_is_deleted_without_signing_in(cellar, live_server, match):
    stored(cellar, live_server, match)
    signed_out_by_closing(cellar)
    cellar.goto("/tonight/")
    cellar.get_by_role("button", name="Delete").click()
    no_packet(cellar)


@pytest.mark.slow
def test_pack_is_removed_when_its_sign_in_ends_elsewhere(cellar, live_server, match):
    stored(cellar, live_server, match)
    Session.objects.all().delete()
    signed_out_by_closing(cellar)
    no_packet(cellar)


@pytest.mark.slow
def test_another_sign_in_removes_a_closed_browsers_pack(cellar, live_server, match):
    stored(cellar, live_server, match)
    signed_out_by_closing(cellar)
    open_as(cellar, live_server, owner(match, 1), "/companies/")
    no_packet(cellar)


@pytest.mark.slow
def test_page_warns_if_the_browser_may_delete_the_pack(cellar, live_server, match):
    player = owner(match, 0)
    match_table_seat(match=match, side=0, by=player)
    open_as(cellar, live_server, player, "/tonight/")
    cellar.evaluate("void (StorageManager.prototype.persisted = () => Promise.resolve(false))")
    cellar.get_by_role("button", name="Save to this phone").click()
    expect(cellar.locator("[data-packet-status]")).to_contain_text("This browser may delete it")
