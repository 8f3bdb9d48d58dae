"""Concurrent decisions on a match: one succeeds, the others get a reason, and nobody gets an error."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from battles.models import Battle
from campaigns.army_lists.services import lists_reveal
from campaigns.models import Dispute, Match, Report, Ruling
from campaigns.results.rulings import match_rule
from campaigns.results.services import match_confirm, match_confirm_by_deadline, report_make
from rosters.ledger.records import differences
from rosters.models import Company, LedgerEntry
from rosters.services import RefusedError
from tests.campaigns.builders import a_match, a_member
from tests.campaigns.test_results import a_kill, document, owner
from tests.rosters.test_races import THREADS, at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def match():
    return lists_reveal(match=a_match())


def report_draw(match):
    return report_make(match=match, side=0, content=a_kill(match), by=owner(match, 0))


def run_concurrently(acts):
    """Return the result of each act, all started together: its answer, or the reason of the refusal."""
    gate = threading.Barrier(len(acts))

    def run(act):
        try:
            gate.wait()
            return act()
        except RefusedError as error:
            return error.reason
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def check_settled_once(match):
    """Check that both ledgers have the game once and agree with their rows."""
    assert Battle.objects.filter(match=match).count() == Battle.objects.count() == 1
    assert LedgerEntry.objects.filter(kind="game").count() == 2
    for company in Company.objects.all():
        assert list(differences(company)) == []


def test_concurrent_confirmations_settle_once(match):
    report_draw(match)
    pk, player = match.reports.get().pk, owner(match, 1)
    answers = at_once(lambda: match_confirm(match=match, side=1, report=pk, by=player))
    assert answers.count(True) == 1
    assert {answer for answer in answers if answer is not True} == {
        "This match is confirmed. Ask an arbiter to correct it."
    }
    check_settled_once(match)


def test_concurrent_button_presses_cause_no_error(match):
    report_draw(match)
    data, page, player = (
        {"report": match.reports.get().pk},
        reverse("campaigns:report_confirm", args=[match.key]),
        owner(match, 1),
    )

    def press():
        client = Client(raise_request_exception=False)
        client.force_login(player)
        return client.post(page, data).status_code

    assert set(run_concurrently([press] * THREADS)) == {302}
    check_settled_once(match)


def test_concurrent_decisions_of_all_kinds_settle_once(match):
    report_draw(match)
    pk, content = match.reports.get().pk, a_kill(match)
    arbiter, sides = a_member(match.round.campaign.club, "arbiter"), [owner(match, side) for side in (0, 1)]
    acts = [
        lambda: match_confirm(match=match, side=1, report=pk, by=sides[1]),
        lambda: report_make(match=match, side=1, content=content, by=sides[1]),
        lambda: match_rule(match=match, verdict="attacker", reason="Seen it.", by=arbiter),
        lambda: match_confirm_by_deadline(match=match),
    ]
    answers = run_concurrently(acts * 5)
    assert len(answers) == 20
    match = Match.objects.get(pk=match.pk)
    assert match.state in ("confirmed", "ruled")
    assert Ruling.objects.count() == (match.state == "ruled")
    check_settled_once(match)


def test_concurrent_differing_reports_open_one_dispute(match):
    sides = [owner(match, side) for side in (0, 1)]
    contents = [a_kill(match), document("draw")]
    acts = [
        lambda side=side: report_make(match=match, side=side, content=contents[side], by=sides[side]) for side in (0, 1)
    ]
    run_concurrently(acts * 10)
    assert Match.objects.get(pk=match.pk).state == "disputed"
    assert Report.objects.filter(is_current=True).count() == 2
    assert Dispute.objects.filter(closed_at=None).count() == 1
    assert Battle.objects.count() == 0
