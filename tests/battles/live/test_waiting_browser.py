"""Marks that can't be sent: they wait in the browser's database, in order, and are applied once."""

import pytest
from playwright.sync_api import expect

from battles.live.state import acts_of
from tests.battles.live.builders import a_table
from tests.battles.live.test_browser import box, expect_marked_boxes, open_unit, wait_until_sent

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WAITING = """async () => (await keeping.waiting("visitor")).marks.length"""


def made_acts(seat):
    return [act.changes[0][::2] for act in acts_of(seat.table)]


@pytest.mark.slow
def test_fifty_offline_marks_are_sent_once_and_in_order(phone, live_server):
    ann, _ = a_table()
    phone.goto(f"/table/{ann.key}/")
    open_unit(phone, "a1")
    phone.context.set_offline(True)
    expected = [("a1.heat", at) for at in ((1, 2, 3, 2, 1, 0) * 9)[:50]]
    for press in ((1, 2, 3, 3, 2, 1) * 9)[:50]:  # a press on the last crossed-out box undoes it
        phone.evaluate(f'document.querySelector(\'[data-cell="a1.heat"] [data-at="{press}"]\').click()')
    expect(phone.get_by_text("50 marks wait on this phone")).to_be_visible()
    assert phone.evaluate(WAITING) == 50
    tries = []

    def fails(route):
        tries.append(route.request.post_data)
        if len(tries) == 1:
            route.abort()  # the request is lost
        elif len(tries) == 2:
            route.fetch()  # done, but the response is lost
            route.abort()
        elif len(tries) == 3:
            route.fulfill(status=503)
        else:
            route.continue_()

    phone.route("**/act/", fails)
    phone.context.set_offline(False)
    expect(phone.locator("[data-live-state]")).to_have_text("", timeout=120_000)  # fifty responses, maybe slow
    assert made_acts(ann) == expected
    assert tries[0] == tries[1] == tries[2] == tries[3], "the same act with the same key"
    assert phone.evaluate(WAITING) == 0


def test_queue_of_an_older_version_is_sent_too(phone, live_server):
    ann, _ = a_table()
    fields = '{act: "phone-0123456789", phone: "phone", seen: "0", set: "a1.hits:1"}'
    phone.goto("/table/")
    phone.evaluate(f"localStorage.setItem('live-{ann.key}-queue', JSON.stringify([{{fields: {fields}}}]))")
    phone.goto(f"/table/{ann.key}/")
    expect_marked_boxes(phone, "a1.hits", 1)
    wait_until_sent(phone)
    phone.reload()
    wait_until_sent(phone)
    assert made_acts(ann) == [("a1.hits", 1)]


def test_browser_without_a_database_keeps_marks(phone, live_server):
    ann, _ = a_table()
    phone.add_init_script("indexedDB.open = () => { throw new DOMException('closed', 'SecurityError'); };")
    phone.goto(f"/table/{ann.key}/")
    open_unit(phone, "a1")
    phone.context.set_offline(True)
    box(phone, "a1.hits", 1).click()
    expect(phone.get_by_text("1 mark waits on this phone")).to_be_visible()
    context, address = phone.context, phone.url
    phone.close()
    again = context.new_page()
    again.add_init_script("indexedDB.open = () => { throw new DOMException('closed', 'SecurityError'); };")
    context.set_offline(False)
    again.goto(address)
    wait_until_sent(again)
    assert made_acts(ann) == [("a1.hits", 1)]


def test_full_storage_shows_a_warning(phone, live_server):
    ann, _ = a_table()
    phone.add_init_script("""
      const full = () => { throw new DOMException('full', 'QuotaExceededError'); };
      IDBObjectStore.prototype.add = full;
      Storage.prototype.setItem = full;
    """)
    phone.goto(f"/table/{ann.key}/")
    open_unit(phone, "a1")
    phone.context.set_offline(True)
    box(phone, "a1.hits", 1).click()
    expect(phone.locator("[data-live-state]")).to_contain_text("lost when you close the page")
    phone.context.set_offline(False)
    wait_until_sent(phone)
    assert made_acts(ann) == [("a1.hits", 1)]


SLOW = """
  const held = new Promise((go) => { self.letGo = go; });
  let made;
  Object.defineProperty(self, "keeping", {
    get: () => made,
    set: (given) => { made = { ...given, marks: async (seat) => { await held; return given.marks(seat); } }; },
  });
"""


def wait_for_marks(page, count):
    found = page.get_by_text(f"{count} mark{'s' if count > 1 else ''} wait{'s' if count == 1 else ''} on this phone")
    expect(found).to_be_visible()


def test_early_mark_queues_behind_waiting_ones(phone, live_server):
    ann, _ = a_table()
    address = f"/table/{ann.key}/"
    phone.goto(address)
    open_unit(phone, "a1")
    phone.context.set_offline(True)
    for at in (1, 2):
        box(phone, "a1.hits", at).click()
        wait_for_marks(phone, at)
    phone.context.set_offline(False)
    phone.route("**/act/", lambda route: route.fulfill(status=503))  # reached, but it accepts nothing
    context = phone.context
    phone.close()
    again = context.new_page()
    again.route("**/act/", lambda route: route.fulfill(status=503))
    again.add_init_script(SLOW)
    again.goto(address)
    open_unit(again, "a1")
    box(again, "a1.heat", 1).click()  # while the database doesn't answer
    again.evaluate("letGo()")
    expect(again.locator("[data-live-ready]")).to_be_attached()
    expect(again.get_by_text("3 marks wait on this phone")).to_be_visible()
    again.close()
    last = context.new_page()
    last.goto(address)
    wait_until_sent(last)
    assert made_acts(ann) == [("a1.hits", 1), ("a1.hits", 2), ("a1.heat", 1)]


def test_silent_database_blocks_no_mark(phone, live_server):
    ann, _ = a_table()
    phone.add_init_script(SLOW)
    phone.goto(f"/table/{ann.key}/")
    open_unit(phone, "a1")
    box(phone, "a1.hits", 1).click()
    wait_until_sent(phone)
    assert made_acts(ann) == [("a1.hits", 1)]
    phone.context.set_offline(True)
    box(phone, "a1.hits", 2).click()
    wait_for_marks(phone, 1)
    address, context = phone.url, phone.context
    phone.close()
    again = context.new_page()
    context.set_offline(False)
    again.goto(address)
    expect(again.locator("[data-live-ready]")).to_be_attached()
    wait_until_sent(again)
    assert made_acts(ann) == [("a1.hits", 1), ("a1.hits", 2)]


def test_late_database_write_is_done_once(phone, live_server):
    ann, _ = a_table()
    phone.add_init_script(SLOW)
    phone.goto(f"/table/{ann.key}/")
    open_unit(phone, "a1")
    phone.context.set_offline(True)
    box(phone, "a1.hits", 1).click()
    wait_for_marks(phone, 1)  # beside the silent database
    phone.evaluate("letGo()")
    kept = "async () => (await keeping.waiting('visitor')).marks.length"
    while phone.evaluate(kept) != 1:
        phone.wait_for_timeout(50)
    address, context = phone.url, phone.context
    phone.close()
    again = context.new_page()
    context.set_offline(False)
    again.goto(address)
    expect(again.locator("[data-live-ready]")).to_be_attached()
    wait_until_sent(again)
    assert made_acts(ann) == [("a1.hits", 1)]
