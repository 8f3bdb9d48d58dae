"""A record dropped on the page is checked."""

import pytest
from playwright.sync_api import expect

from battles.models import RecordCheck
from systems.reading import read_setup
from systems.simulation.records import resolve
from tests.battles.builders import duel

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.any_database]


def test_file_dropped_on_the_page_is_checked(page):
    text = resolve(read_setup(duel()), 1).text()
    page.goto("/battles/check/")
    page.evaluate(
        """(text) => {
            const dataTransfer = new DataTransfer();
            for (const name of ["battle.jsonl", "another.jsonl"]) dataTransfer.items.add(new File([text], name));
            const dropped = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
            document.querySelector("h1").dispatchEvent(dropped);
            if (!dropped.defaultPrevented) throw new Error("the browser would open the file");
        }""",
        text,
    )
    field = page.locator("#record")
    expect(field).to_be_focused()
    assert field.evaluate("(field) => [...field.files].map((each) => each.name)") == ["battle.jsonl"]
    page.get_by_role("button", name="Rerun and compare").click()
    expect(page.get_by_role("heading", name="Record check")).to_be_visible()
    assert RecordCheck.objects.get().text == text
