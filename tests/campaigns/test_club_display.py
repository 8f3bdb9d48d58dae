"""The club display: current matches for everybody with the link.

It keeps its pages when the server is down, and says so.
"""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from battles.live.sheet import ROUND, table_sheet
from battles.live.state import OPEN, SEAL
from battles.models import Battle, Forecast, LiveEvent, LiveTable
from campaigns.army_lists.services import list_submit
from campaigns.club_display.selectors import TABLES_PER_SHEET, club_display
from campaigns.clubs.services import display_link_create, display_link_delete
from campaigns.models import ClubDisplay, MatchTable, Round
from rosters.models import Player
from rosters.services import RefusedError
from systems.reading import stored_setup
from tests.battles.builders import duel
from tests.battles.live.builders import a_table, do, mark
from tests.builders import SYSTEM, a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_round, an_enrolment

pytestmark = pytest.mark.django_db


def runs(club) -> Player:
    return club.memberships.get(role="organiser").player


def kinds(club):
    return [sheet.kind for sheet in club_display(club).sheets]


def a_battle() -> Battle:
    return Battle.objects.create(
        system=SYSTEM, title="Fought", setup=duel(), setup_hash="-", seed="1", rules_version=1, status="done"
    )


def odds(attacker: int) -> Forecast:
    """Finished odds: this many of 100,000 battles won by the attacker in thousands, the rest by the defender."""
    return shares(attacker, 100 - attacker)


def shares(attacker: int, defender: int) -> Forecast:
    """Finished odds of 100,000 battles, in thousands; the rest are draws."""
    draws = 100 - attacker - defender
    counts = {"battle": {"attacker_wins": attacker * 1000, "defender_wins": defender * 1000, "draws": draws * 1000}}
    return Forecast.objects.create(
        system=SYSTEM, setup=duel(), setup_hash="-", question=f"{attacker}:{defender}", title="Odds", seed="1", rules_version=1,
        status="done", runs_asked=100_000, runs_done=100_000, counts=counts,
    )  # fmt: skip


def test_display_shows_an_open_round_with_odds():
    match = a_match(forecast=odds(30))
    (sheet,) = club_display(match.round.campaign.club).sheets
    (row,) = sheet.matches
    assert (sheet.kind, sheet.title, sheet.deadline) == ("tables", "Round 1", match.round.deadline)
    assert (row.attacker.name, row.odds) == (match.attacker.company.name, pytest.approx((0.3, 0, 0.7)))
    assert (row.look, row.is_over, row.scenario) == ("unknown", False, "Zone battle")


def sheet_text(client, club):
    link = display_link_create(club=club, by=runs(club))
    page = client.get(reverse("campaigns:club_display_part", args=[link.key])).content.decode()
    return page, " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_win_chances_are_labelled_with_the_draw(client):
    match = a_match(forecast=shares(21, 66))
    page, text = sheet_text(client, match.round.campaign.club)
    assert "Win chances Attacker 21.0% Draw 13.0% Defender 66.0%" in text
    assert "split__bar" in page


def test_result_takes_the_place_of_win_chances(client):
    match = a_match(forecast=shares(21, 66), state="confirmed", outcome="defender")
    page, text = sheet_text(client, match.round.campaign.club)
    assert f"★ {match.defender.company.name} won" in text
    assert "21.0%" not in text
    assert "split__bar" not in page


def test_emblems_stand_beside_the_names(client):
    match = a_match()
    page, _text = sheet_text(client, match.round.campaign.club)
    assert page.count("emblem--sign") == 2
    assert "swatch" not in page


def test_active_table_shows_round_and_losses():
    match = a_match()
    first, _second = a_table()
    MatchTable.objects.create(match=match, table=first.table)
    mark(first, ROUND, 3)
    fallen = next(
        table_unit for table_unit in table_sheet(stored_setup(first.table.setup)).table_units if table_unit.side == 1
    )
    for cell in fallen.of_hits:
        mark(first, cell.id, cell.most)
    (row,) = club_display(match.round.campaign.club).sheets[0].matches
    assert (row.live.round, row.live.lost) == (3, (0, 1))
    LiveTable.objects.update(touched_at=timezone.now() - timedelta(hours=7))
    (row,) = club_display(match.round.campaign.club).sheets[0].matches
    assert row.live is None


def test_losses_of_a_hidden_unit_stay_hidden():
    match = a_match()
    first, _second = a_table()
    MatchTable.objects.create(match=match, table=first.table)
    sealed = do(first, SEAL, text="a1 hides in the wood")
    note = LiveEvent.objects.get(table=first.table, place=sealed)
    LiveEvent.objects.filter(pk=note.pk).update(facts=note.facts | {"hides": "a1"})
    mark(first, "a1.hits", 2)

    def lost():
        (row,) = club_display(match.round.campaign.club).sheets[0].matches
        return row.live.lost

    assert lost() == (0, 0)
    do(first, OPEN, place=sealed)
    assert lost() == (1, 0)


def test_marks_at_a_table_appear_at_once(client):
    match = a_match()
    first, _second = a_table()
    MatchTable.objects.create(match=match, table=first.table)
    club = match.round.campaign.club

    def live_score():
        return club_display(club).sheets[0].matches[0].live

    assert live_score() is None  # nothing is marked yet
    for number in (2, 3):
        mark(first, ROUND, number)
        assert live_score().round == number
        assert live_score().round == number
    LiveTable.objects.update(ended_at=timezone.now())
    assert live_score() is None
    LiveTable.objects.update(ended_at=None)
    assert live_score().round == 3
    type(match).objects.update(state="void")
    assert live_score() is None


def test_quiet_table_is_read_from_the_cache(django_assert_num_queries):
    match = a_match()
    first, _second = a_table()
    MatchTable.objects.create(match=match, table=first.table)
    mark(first, ROUND, 2)
    club = match.round.campaign.club
    club_display(club)
    with django_assert_num_queries(9):
        club_display(club)


def test_many_tables_are_split_into_sheets():
    row = a_round(a_campaign())
    sides = (an_enrolment(row.campaign), an_enrolment(row.campaign))
    for _ in range(TABLES_PER_SHEET + 1):
        a_match(row, *sides)
    sheets = club_display(row.campaign.club).sheets
    assert [(sheet.page, sheet.pages, len(sheet.matches)) for sheet in sheets] == [(1, 2, TABLES_PER_SHEET), (2, 2, 1)]


def test_display_shows_standings_map_results_and_latest_upset(client):
    campaign = a_campaign(map_kind="zones")
    campaign.territories.create(position=1, name="Ford")
    row, now = a_round(campaign, "closed"), timezone.now()
    figures = {"destroyed": [1, 0], "lost": [0, 1]}
    sides = (an_enrolment(campaign), an_enrolment(campaign))
    for hours, chance, outcome in ((3, 20, "attacker"), (2, 40, "attacker"), (1, 90, "attacker")):
        a_match(
            row, *sides, state="confirmed", outcome=outcome, figures=figures, forecast=odds(chance), battle=a_battle(),
            decided_at=now - timedelta(hours=hours),
        )  # fmt: skip
    assert kinds(campaign.club) == ["tables", "standings", "map", "results"]
    sheet = club_display(campaign.club).sheets[-1]
    assert ([match.number for match in sheet.matches], sheet.upset.number, sheet.upset_chance) == ([3, 2, 1], 2, 40)
    key = display_link_create(club=campaign.club, by=runs(campaign.club)).key
    page = " ".join(client.get(f"/wall/{key}/").content.decode().split())
    assert f"{sides[0].company.name} beats {sides[1].company.name} with a 40% chance to win" in page


def test_drafts_planned_rounds_and_finished_campaigns_are_hidden():
    club = a_club()
    a_match(a_round(a_campaign(club, "draft", name="Draft")))
    a_match(a_round(a_campaign(club, "finished", name="Over")))
    a_match(a_round(a_campaign(club, name="Runs"), "planned"))
    assert kinds(club) == []


def test_link_shows_a_private_club_but_no_submitted_list(client):
    match = a_match(a_round(a_campaign(a_club(is_public=False))))
    unit = match.attacker.company.units.first()
    type(unit).objects.filter(pk=unit.pk).update(name="Hushed Heron")
    list_submit(match=match, side=0, units=[unit.pk], doctrine="cautious", by=match.attacker.company.owner, words="owl")
    club = match.round.campaign.club
    row = display_link_create(club=club, by=runs(club))
    for path in (f"/wall/{row.key}/", f"/wall/{row.key}/now/"):
        answer = client.get(path)
        text = answer.content.decode()
        assert match.attacker.company.name in text
        assert "Hushed" not in text
        assert (answer["Cache-Control"], answer["X-Robots-Tag"]) == ("no-store", "noindex")


def test_company_names_are_escaped(client):
    match = a_match()
    type(match.attacker.company).objects.filter(pk=match.attacker.company_id).update(name="<script>alert(1)</script>")
    club = match.round.campaign.club
    assert b"<script>alert" not in client.get(f"/wall/{display_link_create(club=club, by=runs(club)).key}/").content


def test_renewed_link_replaces_the_old_one(client):
    club = a_club()
    first = display_link_create(club=club, by=runs(club)).key
    assert display_link_create(club=club, by=runs(club)).key == first
    second = display_link_create(club=club, by=runs(club), replace=True).key
    assert client.get(f"/wall/{first}/").status_code == 404
    assert "No campaign running" in client.get(f"/wall/{second}/now/").content.decode()
    assert display_link_delete(club=club, by=runs(club))
    assert client.get(f"/wall/{second}/now/").status_code == 404
    assert not display_link_delete(club=club, by=runs(club))


def test_only_organisers_make_and_remove_the_link(client):
    club = a_club()
    for player in (a_member(club, "arbiter"), a_player()):
        with pytest.raises(RefusedError):
            display_link_create(club=club, by=player)
    client.force_login(runs(club))
    assert "Create link" in client.get("/clubs/iron-table/settings/").content.decode()
    client.post("/clubs/iron-table/wall/", {"do": "make"})
    assert f"/wall/{ClubDisplay.objects.get().key}/" in client.get("/clubs/iron-table/settings/").content.decode()
    client.post("/clubs/iron-table/wall/", {"do": "nonsense"})
    assert ClubDisplay.objects.count() == 1
    client.post("/clubs/iron-table/wall/", {"do": "drop"})
    assert not ClubDisplay.objects.exists()


def test_api_makes_renews_and_removes_the_link(client):
    club = a_club()
    client.force_login(runs(club))
    address = "/api/v1/clubs/iron-table/wall/"
    assert client.get(address).status_code == 404
    first = client.post(address, {}, content_type="application/json").json()["link"]
    assert client.get(address).json()["link"] == first
    assert client.post(address, {"anew": True}, content_type="application/json").json()["link"] != first
    assert client.post(address, {"anew": "yes"}, content_type="application/json").status_code == 400
    assert client.delete(address).status_code == 204


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_display_turns_pages_and_survives_a_server_outage(page, live_server):
    campaign = a_campaign()
    row = a_round(campaign)
    sides = (an_enrolment(campaign), an_enrolment(campaign))
    for _ in range(TABLES_PER_SHEET + 1):
        a_match(row, *sides)
    club = campaign.club
    key = display_link_create(club=club, by=runs(club)).key
    page.clock.install()
    page.goto(f"{live_server.url}/wall/{key}/")
    page_number = page.locator("[data-sheet]:not([hidden]) .sheet__page")
    assert page_number.inner_text().casefold() == "1 of 2"
    page.clock.run_for(13_000)
    assert page_number.inner_text().casefold() == "2 of 2"
    page.keyboard.press("Space")
    page.clock.run_for(30_000)
    assert page_number.inner_text().casefold() == "2 of 2"  # paused
    Round.objects.update(number=5)
    page.clock.run_for(21_000)
    page.locator("[data-sheet]:not([hidden]) .sheet__title", has_text="Round 5").wait_for()
    page.route("**/now/", lambda route: route.fulfill(status=200, body="<h1>We are sorry</h1>"))
    page.clock.run_for(60_000)
    page.unroute("**/now/")
    page.route("**/now/", lambda route: route.fulfill(status=502, body="Bad gateway"))
    for _ in range(5):
        page.clock.run_for(21_000)
        page.wait_for_timeout(50)
    assert page.locator("[data-stale]").is_visible()
    assert "Not updated since" in page.locator("[data-stale]").inner_text()
    assert page.locator("[data-sheet]").count() == 2  # the known pages are still shown
    page.unroute("**/now/")
    page.clock.run_for(25_000)
    page.wait_for_timeout(300)
    page.clock.run_for(2_000)
    assert page.locator("[data-stale]").is_hidden()
