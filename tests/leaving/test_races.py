"""A player leaves while others act: the acts are done one after the other, completely and without an error."""

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
from tests.leaving.builders import DISPLAY_NAME, a_leaver, ask_to_leave

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Any) -> None:
    """Leave jobs in their rows."""
    monkeypatch.setattr("celery.app.task.Task.delay", lambda *args, **kwargs: None)
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def player():
    return a_leaver()


@pytest.fixture
def match(player):
    """Return the player's match in a round whose deadline has passed."""
    campaign = a_campaign()
    row = a_round(campaign, deadline=timezone.now())
    return a_match(row, an_enrolment(campaign, a_mustered_company(player, name="Axes")))


def run_concurrently(*acts: Any) -> list[Any]:
    """Run the acts at the same time, and return their results; a refusal's result is its reason."""
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


def finish_leaving(player: Player) -> bool:
    return leave(player_pk=player.pk, now=timezone.now() + timedelta(days=8))


def close_round(round_: Round) -> bool:
    job = RoundClose.claim(round_close(round_=round_, by=None).pk)
    return job is not None and round_close_work(job=job)


def test_concurrent_ends_of_an_account_succeed_once(player, match):
    ask_to_leave(player)
    assert sorted(run_concurrently(*[lambda: finish_leaving(player)] * 6)) == [False] * 5 + [True]
    assert match.round.campaign.club.activity.filter(text="Player who left left Muster").count() == 1


def test_concurrent_requests_to_leave_share_one_day(player):
    answers = run_concurrently(*[lambda: ask_to_leave(player).leaves_at] * 6)
    assert len(set(answers)) == 1


def test_gazette_of_a_round_closed_meanwhile_does_not_name_the_player(player, match):
    ask_to_leave(player)
    assert run_concurrently(lambda: close_round(match.round), lambda: finish_leaving(player)) == [True, True]
    match.refresh_from_db()
    match.round.refresh_from_db()
    assert (match.state, match.round.state) == (MatchState.FORFEITED, RoundState.CLOSED)
    assert DISPLAY_NAME not in str(Gazette.objects.get().content)
    call_command("reconcile")


def test_lists_are_revealed_while_a_side_leaves(player, match):
    Round.objects.update(deadline=timezone.now() + timedelta(days=1))
    units = list(match.attacker.company.units.values_list("pk", flat=True))
    list_submit(match=match, side=0, units=units, doctrine="cautious", by=player)
    ask_to_leave(player)
    theirs = list(match.defender.company.units.values_list("pk", flat=True))
    rival = match.defender.company.owner
    answers = run_concurrently(
        lambda: bool(list_submit(match=match, side=1, units=theirs, doctrine="cautious", by=rival).setup),
        lambda: finish_leaving(player),
    )
    assert answers == [True, True]
    match.refresh_from_db()
    assert match.setup is not None
    match.attacker.refresh_from_db()
    assert match.attacker.state == "withdrawn"
    call_command("reconcile")


def test_report_made_while_leaving_is_kept(player, match):
    Round.objects.update(deadline=timezone.now() + timedelta(days=1))
    opened = lists_reveal(match=match)
    ask_to_leave(player)
    content = {"muster": "report/1", "winner": "draw", "units": {}}
    answers = run_concurrently(
        lambda: bool(report_make(match=opened, side=0, content=content, by=player)), lambda: finish_leaving(player)
    )
    assert answers == [True, True]
    assert Match.objects.get().state == MatchState.REPORTED
    assert DISPLAY_NAME not in str(list(match.round.campaign.club.activity.values_list("text", flat=True)))


def test_club_keeps_an_organiser_when_one_leaves_and_another_steps_down(player):
    club = a_club(player)
    other = a_member(club, "organiser")
    a_member(club)
    ask_to_leave(player)
    run_concurrently(
        lambda: finish_leaving(player), lambda: member_set_role(club=club, by=other, player=other, role="player")
    )
    assert club.memberships.filter(role="organiser", player__is_active=True).count() >= 1


def test_data_export_requested_while_leaving_is_deleted(player):
    ask_to_leave(player)
    run_concurrently(lambda: finish_leaving(player), lambda: data_export_request(player=player).pk)
    assert not Player.objects.get(pk=player.pk).is_active
    assert not DataExport.objects.exists()
