"""A league of MechaStellar in a browser: damage by the thousand HP is reported, corrected, repaired and entered."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campaigns.army_lists.services import lists_reveal
from campaigns.models import MatchState
from rosters.ledger.records import company_record
from systems import battle_rules
from tests.campaigns.builders import a_campaign, a_match, a_member, a_mustered_company, a_round, an_enrolment
from tests.campaigns.corrections import check_consistency
from tests.campaigns.test_results import key, owner
from tests.campaigns.test_results_browser import open_as
from tests.example_shares import in_every_run

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = ("Ants", "Bees", "Cats", "Dogs")
APOLLO, VIKING = 0, 1  # 5000 HP and 4000


@pytest.fixture
def league():
    """The two matches of the first round, with revealed forces."""
    campaign = a_campaign(system="mechastellar", options={}, tie_breakers=[])
    entered = [
        an_enrolment(
            campaign, a_mustered_company(None, "gamma-apollo", "green-viking", name=name, system="mechastellar")
        )
        for name in NAMES
    ]
    terrain, round_ = battle_rules("mechastellar").match_terrains("versus")[0], a_round(campaign)
    return [
        lists_reveal(match=a_match(round_, *pair, scenario="versus", scenario_name="Versus", terrain=terrain))
        for pair in (entered[:2], entered[2:])
    ]


def check_page(page, name):
    """Save a picture of the page if asked for, and check that nothing runs off the side."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if folder := os.environ.get("MUSTER_TEST_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}-{page.viewport_size['width']}.png", full_page=True)


def fill(page, match, *, lost, prefix=""):
    """Fill in that the attacker's Apollo destroyed the defender's Viking and lost this many HP."""
    apollo, viking = f"{prefix}{key(match, 0, APOLLO)}", f"{prefix}{key(match, 1, VIKING)}"
    for name, value in {"kills": "1", "scored": "9", "dealt": "4000", "hits_lost": lost}.items():
        page.fill(f'[name="{apollo}-{name}"]', value)
    page.fill(f'[name="{viking}-hits_lost"]', "4000")
    assert page.locator(f'[name="{viking}-destroyed"]').is_checked(), "losing the last HP destroys the unit"
    page.check(f'[name="{prefix}r-winner"][value="attacker"]')


def report_result(page, live_server, match, side, lost):
    open_as(page, live_server, owner(match, side), f"/matches/{match.key}/report/")
    fill(page, match, lost=lost)
    lefts = page.locator("[data-left]").all_text_contents()
    assert lefts == [str(5000 - int(lost)), "4000", "5000", "0"]
    check_page(page, f"report-{side}")
    page.get_by_role("button", name="Report result", exact=True).click()
    page.wait_for_url(f"**/matches/{match.key}/")


def hits_of(unit):
    unit.refresh_from_db()
    return unit.condition.get("hits")


@pytest.mark.slow
@pytest.mark.rule("ST-401", "ST-406")
@pytest.mark.parametrize("screen", in_every_run(["page"], ["page", "phone"]))
def test_league_reports_corrects_repairs_and_enters_damage(request, screen, live_server, league):
    page = request.getfixturevalue(screen)
    match, other = league
    company = match.attacker.company
    unit = company.units.order_by("pk").first()
    # one HP too many is refused at its field, and the input stays
    open_as(page, live_server, owner(match, 0), f"/matches/{match.key}/report/")
    fill(page, match, lost="5001")
    page.get_by_role("button", name="Report result", exact=True).click()
    page.get_by_text("has only 5000 HP to lose").first.wait_for()
    assert page.input_value(f'[name="{key(match, 0)}-hits_lost"]') == "5001"
    check_page(page, "refused")
    # both sides report the same
    report_result(page, live_server, match, 0, "2700")
    open_as(page, live_server, owner(match, 1), f"/matches/{match.key}/report/")
    page.get_by_text("View their report").click()
    page.get_by_text("2700").wait_for()
    check_page(page, "confirm")
    report_result(page, live_server, match, 1, "2700")
    match.refresh_from_db()
    assert (match.state, match.outcome) == (MatchState.CONFIRMED, "attacker")
    assert hits_of(unit) == 2300
    page.goto(f"/matches/{match.key}/report/")
    page.get_by_text("2700").first.wait_for()
    check_page(page, "compare")
    # the arbiter corrects the damage to 1600 HP from 2700
    arbiter = a_member(match.round.campaign.club, "arbiter")
    open_as(page, live_server, arbiter, f"/matches/{match.key}/correct/")
    assert page.input_value(f'[name="{key(match, 0)}-hits_lost"]') == "2700"
    check_page(page, "correct")
    page.fill(f'[name="{key(match, 0)}-hits_lost"]', "1600")
    page.get_by_role("button", name="Preview").first.click()
    page.get_by_role("heading", name="Confirmation", exact=True).wait_for()
    check_page(page, "correct-preview")
    page.check('[name="mode"][value="cascade"]')
    page.fill('[name="reason"]', "The photo shows 3400 HP left.")
    page.get_by_role("button", name="Correct match").click()
    page.wait_for_url(f"**/matches/{match.key}/")
    assert hits_of(unit) == 3400
    check_page(page, "match")
    # the owner repairs, for a point per started 500 HP
    before = company_record(company).balance
    open_as(page, live_server, owner(match, 0), f"/companies/{company.pk}/units/{unit.pk}/")
    check_page(page, "unit")
    page.get_by_role("button", name="Repair for 4").click()
    page.get_by_text("No damage").wait_for()
    assert hits_of(unit) is None
    assert company_record(company).balance == before - 4
    # the organiser enters the evening's other match
    olga = match.round.campaign.club.memberships.get(role="organiser").player
    open_as(page, live_server, olga, f"/campaigns/{match.round.campaign_id}/rounds/{match.round.number}/night/")
    page.locator("section:has(#table-2) summary").click()
    fill(page, other, lost="4200", prefix=f"m{other.pk}-")
    check_page(page, "evening")
    page.get_by_role("button", name="Enter results").last.click()
    page.get_by_text("Entered: table 2").wait_for()
    check_page(page, "evening-entered")
    other.refresh_from_db()
    assert (other.state, other.outcome, other.decided_by) == (MatchState.CONFIRMED, "attacker", "organiser")
    assert hits_of(other.attacker.company.units.order_by("pk").first()) == 800
    page.goto(f"/campaigns/{match.round.campaign_id}/")
    check_page(page, "campaign")
    check_consistency()
