"""A player prints, a unit is damaged, and only its card is printed again: in a real browser, with a real worker."""

from __future__ import annotations

import io
import uuid

import pikepdf
import pytest
from playwright.sync_api import Page, expect

from rosters.models import LedgerEntry, PrintJob
from rosters.services import unit_rename
from tests.builders import a_company, a_crewed_unit, a_player
from tests.rosters.paper import pdf

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.slow
def test_only_the_damaged_units_card_is_printed_again(page: Page, live_server, start_worker, client, tmp_path):
    owner = a_player("kim")
    company = a_company(owner, points=90)
    for pilot, name in (("Ada", "Ghost"), ("Bea", "Needle")):
        unit, _ = a_crewed_unit(company, pilot=pilot)
        unit_rename(company=company, by=owner, unit=unit, name=name)
    client.force_login(owner)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    start_worker()

    page.goto(f"{live_server.url}/print/printers/")
    page.get_by_label("Name").fill("Kitchen laser")
    page.get_by_label("Flips the paper").select_option("short-edge")
    page.get_by_label("Front, right").fill("1.5")
    page.get_by_label("Default printer").check()
    page.get_by_role("button", name="Save printer").click()
    expect(page.get_by_text("Saved Kitchen laser.")).to_be_visible()

    page.goto(f"{live_server.url}/companies/{company.pk}/")
    page.get_by_role("link", name="Print cards and sheets").click()
    expect(page.locator("#print-count")).to_have_text("2 cards on 1 sheet, front and back")
    page.get_by_label("Datasheets", exact=True).first.check()
    expect(page.locator("#print-count")).to_have_text("2 cards on 1 sheet, front and back, and 2 more pages")
    page.get_by_label("Datasheets", exact=True).first.uncheck()
    page.get_by_role("button", name="Move Needle up").click()
    expect(page.locator(".print-unit b").first).to_have_text("Needle")
    page.locator(".print-bar").get_by_role("button", name="Create PDF").click()
    expect(page.get_by_role("link", name="Open the PDF")).to_be_visible(timeout=60_000)
    expect(page.locator(".print-pages img")).to_have_count(2, timeout=30_000)

    LedgerEntry.objects.create(
        company=company, act=uuid.uuid4(), kind="damaged", unit=company.units.get(name="Ghost"), cause="act",
        facts={"from": {}, "to": {"hits": 1}},
    )  # fmt: skip
    page.goto(f"{live_server.url}/companies/{company.pk}/")
    page.get_by_role("link", name="1 card changed since your last print").click()
    expect(page.get_by_role("checkbox", name="Ghost WASP")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Needle WASP")).not_to_be_checked()
    expect(page.locator(".print-unit__change")).to_contain_text("damage: ")
    page.locator(".print-bar").get_by_role("button", name="Create PDF").click()
    link = page.get_by_role("link", name="Open the PDF")
    expect(link).to_be_visible(timeout=60_000)
    file = page.request.get(f"{live_server.url}{link.get_attribute('href')}").body()

    job = PrintJob.objects.order_by("-pk")[0]
    settings = job.content["settings"]
    assert (settings["backs"], settings["front"]["x"]) == ("short-edge", 1.5)
    path = tmp_path / "cards.pdf"
    path.write_bytes(file)
    text = pdf.text(path)
    assert "GHOST" in text
    assert "NEEDLE" not in text
    with pikepdf.open(io.BytesIO(file)) as opened:
        assert len(opened.pages) == 2  # the front and its back
