"""Somebody leaves while others act: one after the other, nothing half done, and nobody meets an error."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from campaigns.army_lists.services import list_submit, lists_reveal
from campaigns.clubs.services import member_set_role
from campaigns.models import Gazette, Match, MatchState, Round, RoundClose, RoundState
from campaigns.results.services import report_make
from campaigns.rounds.closing import round_close, round_close_work
from rosters.accounts.data_export import data_export_request
from rosters.accounts.deletion import leave
from rosters.models import DataExport, Player
from rosters.services import RefusedError
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_mustered_company, a_round, an_enrolment
from tests.leaving.builders import SHOWN, him, leaving

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Any) -> None:
    """Jobs stay in their rows."""
    monkeypatch.setattr("celery.app.task.Task.delay", lambda *args, **kwargs: None)
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def player():
    return him()


@pytest.fixture
def match(player):
    """The player's match in a round whose deadline has passed."""
    campaign = a_campaign()
    row = a_round(campaign, deadline=timezone.now())
    return a_match(row, an_enrolment(campaign, a_mustered_company(player, name="Axes")))


def together(*acts: Any) -> list[Any]:
    """What each of the acts gave, all begun at once; a refusal is its reason."""
    gate = Barrier(len(acts))

    def run(act: Any) -> Any:
        try:
            gate.wait()
            return act()
        except RefusedError as error:
            return error.reason
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def go(player: Player) -> bool:
    return leave(player_pk=player.pk, now=timezone.now() + timedelta(days=8))


def close(round_: Round) -> bool:
    job = RoundClose.claim(round_close(round_=round_, by=None).pk)
    return job is not None and round_close_work(job=job)


def test_leaving_twice_at_once_is_leaving_once(player, match):
    leaving(player)
    assert sorted(together(*[lambda: go(player)] * 6)) == [False] * 5 + [True]
    assert match.round.campaign.club.diary.filter(text="Player who left left Muster").count() == 1


def test_asking_twice_at_once_is_asking_once(player):
    answers = together(*[lambda: leaving(player).leaves_at] * 6)
    assert len(set(answers)) == 1


def test_a_round_is_closed_and_its_gazette_names_nobody_who_left_meanwhile(player, match):
    leaving(player)
    assert together(lambda: close(match.round), lambda: go(player)) == [True, True]
    match.refresh_from_db()
    match.round.refresh_from_db()
    assert (match.state, match.round.state) == (MatchState.FORFEITED, RoundState.CLOSED)
    assert SHOWN not in str(Gazette.objects.get().content)
    call_command("reconcile")


def test_a_match_is_opened_while_a_side_leaves(player, match):
    Round.objects.update(deadline=timezone.now() + timedelta(days=1))
    units = list(match.attacker.company.units.values_list("pk", flat=True))
    list_submit(match=match, side=0, units=units, doctrine="cautious", by=player)
    leaving(player)
    theirs = list(match.defender.company.units.values_list("pk", flat=True))
    rival = match.defender.company.owner
    answers = together(
        lambda: bool(list_submit(match=match, side=1, units=theirs, doctrine="cautious", by=rival).setup),
        lambda: go(player),
    )
    assert answers == [True, True]
    match.refresh_from_db()
    assert match.setup is not None
    match.attacker.refresh_from_db()
    assert match.attacker.state == "withdrawn"
    call_command("reconcile")


def test_his_own_last_report_is_there_or_was_refused(player, match):
    Round.objects.update(deadline=timezone.now() + timedelta(days=1))
    opened = lists_reveal(match=match)
    leaving(player)
    content = {"muster": "report/1", "winner": "draw", "units": {}}
    answers = together(lambda: bool(report_make(match=opened, side=0, content=content, by=player)), lambda: go(player))
    assert answers == [True, True]
    assert Match.objects.get().state == MatchState.REPORTED
    assert SHOWN not in str(list(match.round.campaign.club.diary.values_list("text", flat=True)))


def test_a_club_keeps_an_organiser_when_one_leaves_and_the_other_steps_down(player):
    club = a_club(player)
    other = a_member(club, "organiser")
    a_member(club)
    leaving(player)
    together(lambda: go(player), lambda: member_set_role(club=club, by=other, player=other, role="player"))
    assert club.memberships.filter(role="organiser", player__is_active=True).count() >= 1


def test_who_leaves_while_his_data_are_asked_for_leaves_none_behind(player):
    leaving(player)
    together(lambda: go(player), lambda: data_export_request(player=player).pk)
    assert not Player.objects.get(pk=player.pk).is_active
    assert not DataExport.objects.exists()
