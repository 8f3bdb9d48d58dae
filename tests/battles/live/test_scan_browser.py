"""The QR code on another phone, read by the page's camera.

Tested in a browser that can scan, one that can't, and one without permission.
"""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from battles.live.services import table_open
from rosters.site.middleware import CAMERA, HEADER, NOTHING
from tests.battles.builders import duel

BROWSER = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DETECTOR = """(seen) => {
    self.seen = seen;
    self.BarcodeDetector = class {
        static getSupportedFormats = async () => ["qr_code"];
        detect = async () => self.seen.map((rawValue) => ({ rawValue }));
    };
}"""
PICTURE = """navigator.mediaDevices.getUserMedia = async (asked) => {
    self.asked = asked;
    self.stream = document.createElement("canvas").captureStream();
    return self.stream;
};"""
REFUSES = """navigator.mediaDevices.getUserMedia = async () => { throw new DOMException("", "%s"); };"""
LET = "document.featurePolicy.allowsFeature('camera')"


def with_detector(page: Page, *seen: str, camera: str = PICTURE) -> None:
    page.add_init_script(f"({DETECTOR})({list(seen)!r}); {camera}")


def scan(page: Page):
    page.get_by_role("button", name="Scan QR code").click()
    return page.locator("[data-scan-status]")


@pytest.mark.django_db
def test_only_scanning_pages_allow_the_camera(client):
    for name in ("battles:tables", "battles:paired-dice"):
        assert client.get(reverse(name))[HEADER] == CAMERA
    assert client.get(reverse("battles:tables"), {"code": "NOSUCH"})[HEADER] == CAMERA
    for url in (reverse("home"), "/nowhere/"):
        assert client.get(url)[HEADER] == NOTHING


class TestInTheBrowser:
    pytestmark = BROWSER

    def test_scanned_code_opens_the_table(self, phone: Page, live_server):
        code = table_open(setup=duel(), name="Ann").table.code
        with_detector(phone, f"http://muster.local:8000{reverse('battles:tables')}?code={code}")
        phone.goto(reverse("battles:tables"))
        assert phone.evaluate(LET), "the page's header allows the camera"
        scan(phone)
        phone.wait_for_url(f"**/table/?code={code}")
        expect(phone.get_by_role("button", name="Join game")).to_be_visible()
        phone.goto(reverse("home"))
        assert not phone.evaluate(LET)

    def test_other_code_is_refused_and_the_camera_stops(self, phone: Page, live_server):
        with_detector(phone, "https://elsewhere.example/table/", "no address", "javascript:alert(1)")
        phone.goto(reverse("battles:tables"))
        expect(scan(phone)).to_contain_text("Wrong code")
        assert phone.evaluate("self.asked.video.facingMode") == "environment"
        phone.get_by_role("button", name="Stop camera").click()
        expect(phone.locator("[data-scan-dialog]")).not_to_be_visible()
        assert phone.evaluate("self.stream.getTracks().every((track) => track.readyState === 'ended')")
        assert phone.url.endswith(reverse("battles:tables"))

    @pytest.mark.parametrize(
        ("error", "expected"),
        [
            ("NotAllowedError", "Allow it for this site"),
            ("NotFoundError", "no camera"),
            ("NotReadableError", "Another app"),
            ("AbortError", "doesn’t start"),
        ],
    )
    def test_refused_camera_shows_a_message(self, phone: Page, live_server, error, expected):
        with_detector(phone, camera=REFUSES % error)
        phone.goto(reverse("battles:tables"))
        expect(scan(phone)).to_contain_text(expected)

    def test_browser_without_detector_has_no_scan_button(self, phone: Page, live_server):
        phone.add_init_script("delete self.BarcodeDetector")
        phone.goto(reverse("battles:tables"))
        expect(phone.get_by_role("button", name="Join", exact=True)).to_be_visible()
        expect(phone.locator("[data-scan]")).to_be_hidden()

    def test_seals_of_two_phones_are_scanned_in_place(self, phone: Page, live_server):
        seal = "0" * 25 + "1"
        with_detector(phone, f"http://muster.local{reverse('battles:paired-dice')}#s={seal}&n=Ben")
        phone.goto(reverse("battles:paired-dice"))
        phone.get_by_label("Your name at the table").fill("Ann")
        phone.get_by_role("button", name="Seal dice").click()
        scan(phone)
        expect(phone.get_by_text("Ann and Ben")).to_be_visible()
        expect(phone.locator("[data-scan-dialog]")).not_to_be_visible()
