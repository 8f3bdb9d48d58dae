"""The home page of a signed-in player: waiting items, next match, companies, gazette and the acts of others."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from battles.models import Forecast
from campaigns.guests.services import guest_add
from campaigns.home import format_time_left
from campaigns.models import ActivityLogEntry, Enrolment, Gazette, Match, Round
from rosters.models import Company, Player
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_mustered_company, a_round, an_enrolment

pytestmark = pytest.mark.django_db
HOME = "/"


def main_text(answer):
    main = answer.content.decode().split('<main id="main"', 1)[1].split("</main>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", main).split())


@pytest.fixture
def league():
    """A running campaign with one open match of two members, which ends in three days and some hours."""
    campaign = a_campaign(a_club(a_player("runs-it")))
    row = a_round(campaign, "open")
    sides = []
    for name in ("ann", "ben"):
        owner = a_member(campaign.club, player=a_player(name))
        sides.append(an_enrolment(campaign, a_mustered_company(owner, "wasp", name=f"{name.title()}’s Own")))
    match = a_match(row, *sides)
    Round.objects.filter(pk=row.pk).update(deadline=timezone.now() + timedelta(days=3, hours=4, minutes=30))
    return match


def sign_in(client, name):
    client.force_login(Player.objects.get(username=name))
    return client


def test_visitor_sees_the_try_a_battle_page(client):
    assert "Try a battle" in main_text(client.get(HOME))


def test_try_a_battle_has_a_page_for_players(client):
    client.force_login(a_player())
    assert "Try a battle" not in main_text(client.get(HOME))
    assert reverse("battles:try") in client.get(HOME).content.decode()
    assert "Try a battle" in main_text(client.get(reverse("battles:try")))


def test_home_and_company_list_link_to_printing(client, league):
    company = league.attacker.company
    client = sign_in(client, "ann")
    to_print = reverse("rosters:print-company", args=[company.pk])
    for page in (HOME, reverse("rosters:companies")):
        answer = client.get(page)
        assert answer.content.decode().count(f'href="{to_print}"') == 1
        assert f"Print {company.name}" in main_text(answer)
    Company.objects.filter(pk=company.pk).update(visibility="public")
    client = sign_in(client, "ben")
    assert to_print not in client.get(reverse("rosters:companies")).content.decode()


def test_next_match_shows_opponent_campaign_and_time_left(client, league):
    page = main_text(sign_in(client, "ben").get(HOME))
    assert "Ben’s Own defends against Ann’s Own" in page
    assert "Spring War , round 1" in page
    assert "3 days and 4 hours left" in page
    assert "No odds published" in page
    assert "Then " not in page


def test_later_matches_follow_the_next_one(client, league):
    campaign = league.round.campaign
    a_match(a_round(campaign, "open"), league.attacker, league.defender)
    page = main_text(sign_in(client, "ben").get(HOME))
    assert page.count("Then Ben’s Own against Ann’s Own") == 1


def test_odds_are_shown_from_the_readers_side(client, league):
    forecast = Forecast.objects.create(
        system="meks-and-mercs", setup={}, setup_hash="-", seed="1", rules_version=1, runs_asked=20_000,
        runs_done=20_000, counts={"battle": {"attacker_wins": 12_000, "defender_wins": 7_000}},
        queued_at=timezone.now(),
    )  # fmt: skip
    Match.objects.filter(pk=league.pk).update(forecast=forecast)
    assert "You win 60.0% Draw 5.0% Ben’s Own 35.0%" in main_text(sign_in(client, "ann").get(HOME))
    assert "You win 35.0% Draw 5.0% Ann’s Own 60.0%" in main_text(sign_in(client, "ben").get(HOME))


def test_deadline_is_shown_in_the_readers_time_zone(client, league):
    at = timezone.now().replace(year=2031, month=7, day=4, hour=22, minute=15)
    Round.objects.update(deadline=at)
    Player.objects.filter(username="ann").update(time_zone="Asia/Tokyo")
    assert "Sat 5 Jul, 07:15" in main_text(sign_in(client, "ann").get(HOME))


def test_home_lists_companies_with_points_and_units(client, league):
    page = main_text(sign_in(client, "ann").get(HOME))
    assert "1 unit, 9 pt" in page
    assert "Ann’s Own" in page


def test_home_shows_the_latest_gazette_edition(client, league):
    row = league.round
    Gazette.objects.create(round=row, content={}, headline="Old news", lead="-")
    Gazette.objects.create(round=row, edition=2, content={}, headline="Ann takes the ford", lead="One match decided.")
    page = main_text(sign_in(client, "ben").get(HOME))
    assert ("Ann takes the ford" in page, "Old news" in page) == (True, False)
    client.force_login(a_player())
    assert "Ann takes the ford" not in main_text(client.get(HOME))


@pytest.mark.parametrize(
    ("state", "is_in"), [("accepted", True), ("asked", False), ("declined", False), ("withdrawn", False)]
)
def test_only_accepted_players_are_marked_as_taking_part(client, league, state, is_in):
    Enrolment.objects.filter(company__owner__username="ann").update(state=state)
    page = main_text(sign_in(client, "ann").get(HOME))
    assert ("Spring War" in page, "you’re playing" in page) == (True, is_in)


def test_home_lists_acts_of_others_since_the_last_visit(client, league):
    campaign, ann = league.round.campaign, Player.objects.get(username="ann")
    Player.objects.update(date_joined=timezone.now() - timedelta(days=30))
    club = campaign.club
    entry = ActivityLogEntry.objects.create(
        club=club, campaign=campaign, text="Ben reported", created_by=Player.objects.get(username="ben")
    )
    ActivityLogEntry.objects.create(club=club, text="Ann sealed", created_by=ann)
    ActivityLogEntry.objects.create(club=a_club(name="Elsewhere"), text="Somebody rang", created_by=None)
    page = main_text(sign_in(client, "ann").get(HOME))
    assert [text in page for text in ("Ben reported", "Ann sealed", "Somebody rang")] == [True, False, False]
    assert "Ben reported" in main_text(client.get(HOME))  # the same visit
    now = int(timezone.now().timestamp())
    ActivityLogEntry.objects.filter(pk=entry.pk).update(created_at=timezone.now() - timedelta(hours=9))
    client.cookies["seen"] = (
        f"{ann.pk}.{now - 7 * 3600}.{now - 90 * 3600}"  # the reader's last visit was seven hours ago
    )
    assert "Ben reported" not in main_text(client.get(HOME))
    client.cookies["seen"] = f"{ann.pk + 1}.{now - 7 * 3600}.{now - 90 * 3600}"  # somebody else's cookie
    assert "Ben reported" in main_text(client.get(HOME))


def test_nothing_is_shown_from_before_the_account_existed(client, league):
    campaign, ann = league.round.campaign, Player.objects.get(username="ann")
    entry = ActivityLogEntry.objects.create(club=campaign.club, campaign=campaign, text="Ben reported", created_by=None)
    ActivityLogEntry.objects.filter(pk=entry.pk).update(created_at=timezone.now() - timedelta(days=2))
    Player.objects.update(date_joined=timezone.now() - timedelta(days=1))
    page = main_text(sign_in(client, "ann").get(HOME))
    assert "Ben reported" not in page
    assert "Recent activity" not in page
    assert "Recent activity" in main_text(client.get(HOME))  # the second visit
    now = int(timezone.now().timestamp())
    client.cookies["seen"] = f"{ann.pk}.{now - 90 * 3600}.{now - 100 * 3600}"
    assert "Ben reported" not in main_text(client.get(HOME))


def test_organisers_chores_are_shown_to_organisers_only(client, league):
    club = league.round.campaign.club
    ActivityLogEntry.objects.create(club=club, text="Added a webhook", created_by=None)
    assert "Added a webhook" not in main_text(sign_in(client, "ann").get(HOME))
    assert "Added a webhook" in main_text(sign_in(client, "runs-it").get(HOME))


def test_match_is_listed_once_with_its_tasks(client, league):
    page = sign_in(client, "ann").get(HOME)
    assert main_text(page).count("Submit your list") == 1
    assert "To do" not in page.content.decode()
    main = page.content.decode().split('<section class="section" aria-labelledby="next">')[1].split("</section>")[0]
    assert reverse("campaigns:match_forces", args=[league.key]) in main
    other = a_match(a_round(league.round.campaign), league.attacker, league.defender)
    page = main_text(client.get(HOME))
    assert page.count("Submit your list") == 2
    assert page.count("Ben’s Own") == 2
    assert reverse("campaigns:match_forces", args=[other.key]) in client.get(HOME).content.decode()


def test_guest_sees_their_match_and_campaign_first(client, league):
    campaign = league.round.campaign
    guest = guest_add(club=campaign.club, by=Player.objects.get(username="runs-it"), name="Alex")
    client.force_login(guest.player)
    page = main_text(client.get(HOME))
    assert "Active campaigns" in page
    assert "Spring War" in page
    for empty in ("No company yet", "No gazette yet", "Recent activity", "as a guest"):
        assert empty not in page
    company = a_mustered_company(guest.player, "wasp", name="Strays")
    a_match(a_round(campaign, "open"), an_enrolment(campaign, company), league.defender)
    page = main_text(client.get(HOME))
    assert page.index("Next match") < page.index("Active campaigns") < page.index("Your companies")


@pytest.mark.parametrize("cookie", ["", "x", "1.2", "1.2.3.4", "9" * 30, "1.-4.7", "é.1.1"])
def test_invalid_cookie_is_ignored(client, cookie):
    client.force_login(a_player())
    client.cookies["seen"] = cookie
    assert client.get(HOME).status_code == 200


def test_acts_on_a_draft_are_shown_to_organisers_only(client, league):
    club = league.round.campaign.club
    draft = a_campaign(club, "draft", name="Secret War")
    ActivityLogEntry.objects.create(club=club, campaign=draft, text="Drew up Secret War", created_by=None)
    assert "Secret War" not in main_text(sign_in(client, "ann").get(HOME))
    assert "Drew up Secret War" in main_text(sign_in(client, "runs-it").get(HOME))


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        (timedelta(days=3, hours=4, minutes=9), "3 days and 4 hours"),
        (timedelta(days=1), "1 day"),
        (timedelta(hours=1, minutes=1), "1 hour and 1 minute"),
        (timedelta(minutes=5, seconds=59), "5 minutes"),
        (timedelta(seconds=20), "less than a minute"),
        (timedelta(seconds=-1), ""),
    ],
)
def test_time_left_is_shown_in_two_parts(left, expected):
    assert format_time_left(left) == expected
