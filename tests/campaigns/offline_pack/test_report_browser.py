"""A report made offline: kept, compared with changes meanwhile, and sent when the player presses Send."""

import pytest
from playwright.sync_api import expect

from campaigns.army_lists.services import lists_reveal
from campaigns.models import Report
from tests.campaigns.builders import a_match
from tests.campaigns.offline_pack.test_browser import cellar, stored
from tests.campaigns.test_results import document, key, report_result

__all__ = ["cellar"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def match():
    return lists_reveal(match=a_match())


def reported_in_the_cellar(phone, live_server, match):
    stored(phone, live_server, match)
    phone.context.set_offline(True)
    phone.goto(f"/matches/{match.key}/report/")
    phone.locator(f'[name="{key(match, 1)}-hits_lost"]').fill("1")
    phone.locator('[name="r-winner"]').first.check()
    phone.get_by_role("button", name="Report result", exact=True).click()
    expect(phone.locator("[data-report-status]")).to_contain_text("Saved on this phone")


def test_offline_report_is_compared_and_sent_once(cellar, live_server, match):
    reported_in_the_cellar(cellar, live_server, match)
    context = cellar.context
    cellar.close()
    assert not Report.objects.exists()
    report_result(
        match, 0, document("attacker", {key(match, 1): {"hits_lost": 2, "destroyed": True}})
    )  # on another phone
    context.set_offline(False)
    again = context.new_page()
    again.goto("/tonight/")
    again.locator("[data-packet-list] a").click()
    expect(again.locator("[data-report-status]")).to_contain_text("3 entries have changed here")
    rows = again.locator("[data-report-kept] tbody tr")
    lost = rows.filter(has_text="lost").first.locator("td").all_text_contents()
    assert lost[1:] == ["1", "2"], "the saved value and the current one"
    again.get_by_role("button", name="Use mine").click()
    again.route("**/report/", lambda route: route.fulfill(status=422, body="Refused"))
    again.get_by_role("button", name="Report result", exact=True).click()
    expect(again.locator("[data-report-status]")).to_contain_text("wasn't accepted and stays on this phone")
    again.unroute("**/report/")
    again.reload()
    again.get_by_role("button", name="Use mine").click()
    again.get_by_role("button", name="Report result", exact=True).click()
    again.wait_for_url(f"**/matches/{match.key}/")
    content = match.reports.get(is_current=True).content
    assert {name: value for name, value in content["units"][key(match, 1)].items() if value} == {"hits_lost": 1}
    assert match.reports.count() == 2
    again.goto("/tonight/")
    expect(again.locator("[data-packet-status]")).to_contain_text("Saved")
    expect(again.locator("[data-packet-waiting]")).to_be_hidden()


@pytest.mark.slow
def test_waiting_report_is_shown_offline_and_can_be_discarded(cellar, live_server, match):
    reported_in_the_cellar(cellar, live_server, match)
    cellar.goto("/tonight/")
    cellar.goto(f"/matches/{match.key}/report/")
    expect(cellar.locator(f'[name="{key(match, 1)}-hits_lost"]')).to_have_value("1")
    expect(cellar.locator('[name="r-winner"]').first).to_be_checked()
    cellar.goto("/tonight/")
    cellar.get_by_role("button", name="Discard …").first.click()
    cellar.get_by_role("button", name="Discard this report?").click()
    expect(cellar.locator("[data-packet-waiting]")).to_be_hidden()


def test_next_player_sees_only_that_something_waits(cellar, live_server, match):
    reported_in_the_cellar(cellar, live_server, match)
    cellar.context.set_offline(False)
    cellar.context.clear_cookies()
    cellar.goto("/tonight/")
    expect(cellar.locator("[data-packet-others]")).to_contain_text("1 entry of another player waits")
    assert str(match) not in cellar.locator("main").text_content()
