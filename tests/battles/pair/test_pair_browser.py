"""Two phones without a network roll by showing each other codes. Later the site comes to the same result."""

import re

import pytest
from playwright.sync_api import expect

from systems.engine.dice import links_of, pair_faces
from tests.conftest import is_script_error

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.any_database]
PATH = "/dice/pair/"


@pytest.fixture
def phones(chromium, live_server):
    """Return two phones whose browsers run the site's service worker."""
    pages, errors = [], []
    for _ in range(2):
        context = chromium.new_context(
            base_url=live_server.url, viewport={"width": 360, "height": 800}, service_workers="allow"
        )
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if is_script_error(message) else None)
        page.goto(PATH)
        page.evaluate("navigator.serviceWorker.ready")
        page.wait_for_function("async () => (await caches.keys()).some((name) => name.startsWith('shell-'))")
        page.wait_for_function(f"async () => Boolean(await caches.match('{PATH}', {{ ignoreVary: true }}))")
        pages.append(page)
    yield pages
    for page in pages:
        page.context.close()
    assert errors == []


def seal_dice(phone, name):
    phone.get_by_label("Your name at the table").fill(name)
    phone.get_by_role("button", name="Seal dice").click()
    return read_code(phone, "[data-pair-seal]")


def read_code(phone, where):
    """Return the code under a QR picture."""
    code = phone.locator(f"{where} code")
    code.wait_for()
    return code.inner_text().replace(" ", "")


def stored_pair(phone):
    return phone.evaluate("JSON.parse(localStorage.getItem('muster-pair'))")


def scan_code(phone, other):
    """Open the link that a phone's camera reads from the other phone's screen."""
    link = other.evaluate("""() => {
      const kept = JSON.parse(localStorage.getItem("muster-pair"));
      if (!kept.other || !kept.rolls.length) return { s: kept.sealed, n: kept.name };
      const row = kept.rolls.at(-1);
      const l = document.querySelector("[data-pair-link] code").textContent.replaceAll(" ", "");
      const common = { p: kept.sealed.slice(0, 6), l };
      const own = kept.sealed < kept.other ? 0 : 1;
      return row.by === own ? { r: row.roll, ...common, c: row.count, d: row.sides, f: row.about }
        : { a: row.roll, ...common };
    }""")
    phone.evaluate("(link) => { location.hash = new URLSearchParams(link); }", link)


def roll(phone, about, count, sides):
    phone.get_by_label("Reason").fill(about)
    phone.get_by_label("Dice", exact=True).fill(str(count))
    phone.get_by_label("Sides").select_option(str(sides))
    phone.get_by_role("button", name="Roll and reveal mine").click()


def faces(phone):
    found = phone.locator("[data-pair-faces]")
    expect(found).not_to_have_text("")
    return [int(each) for each in re.findall(r"\d+", found.inner_text())]


def test_two_phones_agree_offline_and_the_site_agrees(phones):
    ann, ben = phones
    for phone in phones:
        phone.context.set_offline(True)
        phone.goto(PATH)  # from the service worker's cache
    seal_dice(ann, "Ann")
    seal = seal_dice(ben, "Ben")
    scan_code(ben, ann)  # by camera
    ann.get_by_label("Or enter the code on the other phone").first.fill(" ".join(re.findall(".{1,5}", seal.lower())))
    ann.get_by_role("button", name="Confirm seal").click()
    roll(ann, "Cannon at Wasp", 4, 6)
    assert ann.locator("[data-pair-faces]").inner_text() == ""
    scan_code(ben, ann)
    first = faces(ben)
    scan_code(ann, ben)
    assert faces(ann) == first
    chains = sorted((links_of(stored_pair(phone)["last"]) for phone in phones), key=lambda links: links[0])
    assert first == pair_faces([chain[1] for chain in chains], 1, 4, 6)
    roll(ben, "Armour", 2, 10)
    scan_code(ann, ben)
    second = faces(ann)
    ben.get_by_label("Or enter the code on the other phone").last.fill(read_code(ann, "[data-pair-link]"))
    ben.get_by_role("button", name="Confirm code").click()
    assert faces(ben) == second
    ann.reload()  # the battery died
    assert faces(ann) == second
    ann.get_by_role("button", name="Send list").click()
    expect(ann.locator("[data-pair-status]")).to_contain_text("offline")
    for phone in phones:
        phone.context.set_offline(False)
        phone.get_by_role("button", name="Send list").click()
        expect(phone.get_by_role("link", name="Show check")).to_be_visible()
    ben.get_by_role("link", name="Show check").click()
    expect(ben.locator(".tag--good")).to_have_count(2)
    assert " · ".join(map(str, first)) in ben.content()


def test_wrong_or_missing_reveal_is_shown(phones):
    ann, ben = phones
    seal_dice(ann, "Ann")
    seal_dice(ben, "Ben")
    scan_code(ben, ann)
    scan_code(ann, ben)
    roll(ann, "Cannon", 1, 6)
    other = links_of("7ZZZZZZZZZZZZZZZZZZZZZZZZZ")[1]
    assert ann.evaluate("fairDice.read('o0 iIlL1 7zzzz-zzzzz zzzzz zzzz')") == "00111117ZZZZZZZZZZZZZZZZZZ"
    ann.get_by_label("Or enter the code on the other phone").last.fill(other)
    ann.get_by_role("button", name="Confirm code").click()
    expect(ann.locator("[data-pair-status]")).to_contain_text("doesn’t match Ben’s seal")
    ann.get_by_role("button", name="Record mismatch").click()
    expect(ann.locator("[data-pair-list]")).to_contain_text("something else was revealed")
    roll(ann, "Laser", 1, 6)
    ann.get_by_role("button", name="They won’t reveal").click()
    expect(ann.locator("[data-pair-list]")).to_contain_text("not revealed")
    p = stored_pair(ben)["sealed"][:6]
    ann.evaluate("(link) => { location.hash = new URLSearchParams(link); }", {"a": "2", "p": "ZZZZZZ", "l": other})
    expect(ann.locator("[data-pair-status]")).to_contain_text("different dice")
    ann.evaluate("(link) => { location.hash = new URLSearchParams(link); }", {"a": "2", "p": p, "l": other})
    expect(ann.locator("[data-pair-status]")).to_contain_text("doesn’t match their seal")


def test_roll_named_by_both_phones_is_void(phones):
    """The second to name it may have worked out the faces, whichever seal comes first."""
    ann, ben = phones
    seal_dice(ann, "Ann")
    seal_dice(ben, "Ben")
    scan_code(ben, ann)
    scan_code(ann, ben)
    roll(ann, "Cannon", 1, 6)
    roll(ben, "Laser", 2, 6)
    scan_code(ann, ben)
    scan_code(ben, ann)
    for phone, about in ((ann, "Cannon"), (ben, "Laser")):
        expect(phone.locator("[data-pair-status]")).to_contain_text("It doesn’t count; roll again")
        assert phone.locator("[data-pair-faces]").inner_text() == ""
        assert [row["about"] for row in stored_pair(phone)["rolls"]] == [about]
    roll(ann, "Cannon", 1, 6)
    scan_code(ben, ann)
    scan_code(ann, ben)
    assert faces(ann) == faces(ben)
