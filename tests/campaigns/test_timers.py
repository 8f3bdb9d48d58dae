"""A timer that meets an unreadable row logs one line and continues with the others."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from campaigns.club_nights.tasks import propose_games
from campaigns.models import CatalogueUpgrade, MatchmakingEntry, OfferState
from campaigns.tasks import deadlines, queue_mails, remind_players, season_games
from rosters import hooks
from rosters.tasks import clear_old, print_missing_pictures
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_mustered_company

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


class Unreadable:
    """Stands in for a timer's act on a row: fails for the first row and records the others."""

    def __init__(self) -> None:
        self.asked, self.done = 0, 0

    def __call__(self, *args, **kwargs) -> int:
        self.asked += 1
        if self.asked == 1:
            raise AttributeError("'str' object has no\nattribute 'get'")
        self.done += 1
        return 1


@pytest.fixture
def act() -> Unreadable:
    return Unreadable()


@pytest.fixture
def check_continued(act, caplog):
    """Check that the timer continued after the row and logged one line."""

    def check(what: str) -> None:
        lines = [line for line in caplog.messages if "was skipped" in line]
        assert act.done == 1, "the second row was not reached"
        assert len(lines) == 1, lines
        assert lines[0].startswith(what)
        assert "AttributeError: 'str' object has no attribute 'get'" in lines[0]
        assert "\n" not in lines[0]

    return check


def two_rows(*args, **kwargs) -> list[SimpleNamespace]:
    return [SimpleNamespace(pk=1, campaign="War"), SimpleNamespace(pk=2, campaign="War")]


def test_deadline_timer_closes_other_rounds(monkeypatch, act, check_continued):
    monkeypatch.setattr("campaigns.tasks.rounds_due", two_rows)
    monkeypatch.setattr("campaigns.tasks.round_close_due", act)
    deadlines()
    check_continued("round 1 was skipped")


def test_deadline_timer_settles_income_of_other_campaigns(monkeypatch, act, check_continued):
    monkeypatch.setattr("campaigns.tasks.campaigns_with_late_results", two_rows)
    monkeypatch.setattr("campaigns.tasks.income_settle", act)
    deadlines()
    check_continued("income of campaign 1")


def test_deadline_timer_changes_versions_of_other_campaigns(monkeypatch, act, check_continued):
    club = a_club()
    for name in ("One", "Two"):
        CatalogueUpgrade.objects.create(
            campaign=a_campaign(club, name=name),
            before="1",
            release="2",
            state="planned",
            from_day=timezone.localdate(),
        )
    monkeypatch.setattr("campaigns.catalogue_upgrades.services.make_due_adoption", act)
    deadlines()
    check_continued("release of campaign ")


def test_club_night_timer_proposes_games_in_other_clubs(monkeypatch, act, check_continued):
    for name in ("One", "Two"):
        club = a_club(name=name)
        company = a_mustered_company(a_player())
        MatchmakingEntry.objects.create(club=club, company=company, expires_at=timezone.now() + timedelta(hours=1))
    act_for_clubs = lambda club: [OfferState.PROPOSED] * act(club=club)  # noqa: E731
    monkeypatch.setattr("campaigns.club_nights.services.club_propose_games", act_for_clubs)
    propose_games()
    check_continued("game night of club ")


def test_digest_timer_writes_other_digests(monkeypatch, act, check_continued):
    monkeypatch.setattr("campaigns.notifications.mails._due", lambda: [1, 2])
    monkeypatch.setattr("campaigns.notifications.mails._queue_digest", act)
    queue_mails()
    check_continued("digest 1")


def test_reminder_timer_reminds_other_players(monkeypatch, act, check_continued):
    players = {a_player().pk, a_player().pk}
    monkeypatch.setattr("campaigns.notifications.reminders._players_with_deadlines", lambda now: (players, {}))
    monkeypatch.setattr("campaigns.notifications.reminders._due", lambda *args: [] if act() else [])
    remind_players()
    check_continued("reminders of player ")


@pytest.mark.parametrize(
    ("service", "fields"),
    [
        ("campaigns.seasons.game_choice.check_pairing", {"state": "agreeing"}),
        ("campaigns.seasons.game_choice.settle_due_pairing", {"state": "settled"}),
    ],
)
def test_season_timer_settles_games_of_other_pairings(monkeypatch, act, check_continued, service, fields):
    club = a_club()
    war = a_campaign(club)
    season = club.seasons.create(name="Four seasons", state="running")
    season.games.create(campaign=war, position=1)
    row = season.rounds.create(number=1, way="by-hand", state="open")
    for number in (1, 2):
        sides = [season.entrants.create(player=a_player()) for _ in range(2)]
        row.pairings.create(number=number, one=sides[0], two=sides[1], blocked_reason="", **fields)
    monkeypatch.setattr(service, act)
    season_games()
    check_continued("pairing ")


def test_picture_timer_draws_other_prints(monkeypatch, act, check_continued):
    monkeypatch.setattr("rosters.tasks.prints_without_pictures", lambda: [1, 2])
    monkeypatch.setattr("rosters.tasks.print_pictures", act)
    print_missing_pictures()
    check_continued("pictures of print 1")


def test_clearing_timer_clears_other_kinds_of_rows(monkeypatch, act, check_continued):
    monkeypatch.setattr(hooks, "clearings", [("prints", act), ("odds", act)])
    clear_old()
    check_continued("clearing of prints")
