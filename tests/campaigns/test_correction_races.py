"""Concurrent corrections: only one is made, and every ledger adds up."""

import threading
import time
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from campaigns.corrections import services as corrections
from campaigns.corrections.services import correction_apply, correction_preview
from campaigns.models import CorrectionMode, Enrolment, Match
from rosters.accounts.deletion import leave
from rosters.ledger.records import company_record
from rosters.services import unit_buy
from rosters.services.base import company_lock
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_mustered_company, an_enrolment
from tests.campaigns.corrections import CASCADE, COMPENSATE, check_consistency, play_match
from tests.campaigns.test_results_races import run_concurrently
from tests.rosters.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def story():
    campaign = a_campaign()
    sides = [an_enrolment(campaign, a_mustered_company(name=name)) for name in ("Cats", "Bees", "Ants")]
    matches = [play_match(campaign, sides[a], sides[b]) for a, b in ((0, 1), (1, 2), (2, 0))]
    return campaign.club.memberships.get(role="organiser").player, sides, matches


def fresh(match):
    return Match.objects.select_related("round__campaign").get(pk=match.pk)


def test_concurrent_corrections_of_one_match_make_one(story):
    arbiter, sides, (match, *_) = story
    token = correction_preview(match=fresh(match), after=None, mode=COMPENSATE, by=None).token
    answers = at_once(
        lambda: correction_apply(
            match=fresh(match), after=None, mode=COMPENSATE, reason="Twice.", by=arbiter, token=token
        )
    )
    assert answers.count(True) == 1
    assert match.corrections.count() == 1
    assert company_record(sides[0].company).won == 0
    check_consistency()


def test_concurrent_corrections_and_purchases_do_not_deadlock(story):
    arbiter, sides, matches = story
    turns = iter(range(1000))

    def act():
        turn = next(turns)
        company = sides[turn % 3].company
        if turn % 2:
            unit_buy(company=company, by=company.owner, published="wasp")
            return
        match = fresh(matches[turn % 3])
        mode = (CASCADE, COMPENSATE, CorrectionMode.FLAG)[turn // 2 % 3]
        preview = correction_preview(match=match, after=None, mode=mode, by=None)
        correction_apply(match=match, after=None, mode=mode, reason="Ring.", by=arbiter, token=preview.token)

    answers = at_once(act)
    assert True in answers
    check_consistency()


def somebody_waits():
    """Return once another transaction waits for a lock, or after a while if none does."""
    for _ in range(500):
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return
        time.sleep(0.01)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_leaving_locks_companies_in_correction_order(story, order, monkeypatch):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer")
    arbiter, sides, (match, *_) = story
    player = a_player()
    waiting = []
    for each in (sides[at] for at in order):
        full = {"seats": 1, "fills_seats": True, "points": 1000}
        campaign = a_campaign(match.round.campaign.club, name=f"Without {each.company}", **full)
        an_enrolment(campaign, a_mustered_company(player, name=f"Leaver {each.company}"))
        waiting.append(an_enrolment(campaign, each.company, state="asked"))
    type(player).objects.filter(pk=player.pk).update(leaves_at=timezone.now(), leaves_as="Somebody")
    token = correction_preview(match=fresh(match), after=None, mode=COMPENSATE, by=None).token
    has_one = threading.Event()

    def lock(company, **more):
        locked = company_lock(company, **more)
        if not has_one.is_set():
            has_one.set()
            somebody_waits()
        return locked

    def correct():
        more = {"reason": "The photo shows it.", "by": arbiter, "token": token}
        return correction_apply(match=fresh(match), after=None, mode=COMPENSATE, **more).pk

    def go():
        assert has_one.wait(10)
        return leave(player_pk=player.pk, now=timezone.now() + timedelta(days=1))

    monkeypatch.setattr(corrections, "company_lock", lock)
    assert run_concurrently([correct, go]) == [match.corrections.get().pk, True]
    assert [Enrolment.objects.get(pk=each.pk).state for each in waiting] == ["accepted", "accepted"]
    check_consistency()
