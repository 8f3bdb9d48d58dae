"""Waiting items: what each player has to do next."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaigns.army_lists.services import lists_reveal
from campaigns.models import JoinRequest, Round
from campaigns.results.services import match_refuse, report_make
from tests.builders import a_player
from tests.campaigns.builders import (
    a_campaign,
    a_club,
    a_match,
    a_member,
    a_mustered_company,
    a_round,
    an_enrolment,
    submit_list,
    waiting_for,
)
from tests.campaigns.test_aftermath import log_game
from tests.campaigns.test_results import document, owner

pytestmark = pytest.mark.django_db


def kinds(player):
    return [item.kind for item in waiting_for(player)]


def side(match, at):
    return owner(match, at)


def test_match_waits_for_lists_then_report_then_confirmation():
    match = a_match()
    assert kinds(side(match, 0)) == kinds(side(match, 1)) == ["seal"]
    match = lists_reveal(match=match)
    assert kinds(side(match, 0)) == kinds(side(match, 1)) == ["report"]
    report_make(match=match, side=0, content=document("draw"), by=side(match, 0))
    assert (kinds(side(match, 0)), kinds(side(match, 1))) == ([], ["confirm"])
    (item,) = waiting_for(side(match, 1))
    assert (item.about, item.where, item.due) == (str(match), "Spring War", match.round.deadline)


def test_side_with_a_list_waits_for_the_other_until_the_deadline():
    match = a_match()
    submit_list(match, 0)
    assert (kinds(side(match, 0)), kinds(side(match, 1))) == ([], ["seal"])
    Round.objects.update(deadline=timezone.now() - timedelta(minutes=1))
    assert kinds(side(match, 0)) == ["report"]


def test_open_lists_are_waited_for_too():
    match = a_match(a_round(a_campaign(seals_forces=False)))
    assert kinds(side(match, 0)) == ["seal"]


def test_dispute_waits_for_arbiters_and_organisers_only():
    match = lists_reveal(match=a_match())
    club = match.round.campaign.club
    organiser, arbiter, member = club.memberships.first().player, a_member(club, "arbiter"), a_member(club)
    report_make(match=match, side=0, content=document("draw"), by=side(match, 0))
    report_make(match=match, side=1, content=document("defender"), by=side(match, 1))
    assert [kinds(player) for player in (organiser, arbiter, member, side(match, 0), a_player())] == [
        ["rule"],
        ["rule"],
        [],
        [],
        [],
    ]


def test_refusal_waits_for_an_arbiter_only():
    match = a_match()
    match = match_refuse(match=match, side=0, reason="Ill", by=side(match, 0))
    assert kinds(match.round.campaign.club.memberships.first().player) == ["refused"]
    assert kinds(side(match, 0)) == kinds(side(match, 1)) == []


def test_requests_wait_for_organisers():
    club = a_club()
    JoinRequest.objects.create(club=club, player=a_player())
    an_enrolment(a_campaign(club, "mustering"), state="asked")
    assert kinds(club.memberships.first().player) == ["enrolment", "request"]
    assert kinds(a_member(club, "arbiter")) == []


@pytest.mark.rule("MM-101")
def test_skill_choice_waits_until_chosen(monkeypatch):
    from campaigns.results import aftermath
    from rosters.services import pilot_learn
    from systems.engine.dice import ScriptedDice

    monkeypatch.setattr(aftermath, "SeededDice", lambda seed: ScriptedDice([6] * 40))
    own = a_mustered_company()
    log_game(own)
    pilots = own.pilots.count()
    assert kinds(own.owner) == ["skill"] * pilots
    pilot_learn(company=own, by=own.owner, pilot=own.pilots.first(), skill="accuracy")
    assert kinds(own.owner) == ["skill"] * (pilots - 1)


def test_planned_rounds_and_finished_campaigns_wait_for_nobody():
    planned = a_match(a_round(a_campaign(), state="planned"))
    finished = a_match(a_round(a_campaign(a_club(name="Other"), "finished")))
    assert [kinds(side(each, 0)) for each in (planned, finished)] == [[], []]


def test_any_number_of_waiting_items_takes_one_query(django_assert_num_queries):
    match = a_match()
    player = side(match, 0)
    for _ in range(4):
        a_match(match.round, attacker=match.attacker)
    with django_assert_num_queries(1):
        assert len(waiting_for(player)) == 5


@pytest.mark.parametrize(
    ("path", "headers", "asked"),
    [
        ("/companies/", {}, 1),
        ("/", {}, 1),  # for the banner and the header's number together
        ("/designs/lab/preview/", {"HX-Request": "true"}, 0),
        ("/api/v1/battles/", {}, 0),
        ("/healthz", {}, 0),
        ("/readyz", {}, 0),
    ],
)
def test_only_whole_pages_query_waiting_items_once(client, path, headers, asked):
    client.force_login(side(a_match(), 0))
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path, headers=headers).status_code == (
            503 if path == "/readyz" else 200
        )  # no worker is running
    assert sum("campaigns_joinrequest" in query["sql"] for query in queries) == asked
