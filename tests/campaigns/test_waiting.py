"""What waits for whom."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaigns.models import JoinRequest, Round
from campaigns.musters.forces import forces_open
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
    waiting_for,
)
from tests.campaigns.test_closing import seal
from tests.campaigns.test_results import document, owner
from tests.campaigns.test_services import played

pytestmark = pytest.mark.django_db


def kinds(player):
    return [item.kind for item in waiting_for(player)]


def side(match, at):
    return owner(match, at)


def test_a_force_is_to_be_sealed_then_the_match_to_be_reported_then_confirmed():
    match = a_match()
    assert kinds(side(match, 0)) == kinds(side(match, 1)) == ["seal"]
    match = forces_open(match=match)
    assert kinds(side(match, 0)) == kinds(side(match, 1)) == ["report"]
    report_make(match=match, side=0, content=document("draw"), by=side(match, 0))
    assert (kinds(side(match, 0)), kinds(side(match, 1))) == ([], ["confirm"])
    (item,) = waiting_for(side(match, 1))
    assert (item.about, item.where, item.due) == (str(match), "Spring War", match.round.deadline)


def test_whose_force_is_sealed_waits_for_the_other_side_until_the_deadline():
    match = a_match()
    seal(match, 0)
    assert (kinds(side(match, 0)), kinds(side(match, 1))) == ([], ["seal"])
    Round.objects.update(deadline=timezone.now() - timedelta(minutes=1))
    assert kinds(side(match, 0)) == ["report"]


def test_also_where_forces_are_not_hidden_each_side_is_asked_what_it_brings():
    match = a_match(a_round(a_campaign(seals_forces=False)))
    assert kinds(side(match, 0)) == ["seal"]


def test_a_dispute_waits_for_arbiters_and_organisers_alone():
    match = forces_open(match=a_match())
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


def test_a_refusal_waits_for_an_arbiter_and_no_more_for_the_sides():
    match = a_match()
    match = match_refuse(match=match, side=0, reason="Ill", by=side(match, 0))
    assert kinds(match.round.campaign.club.memberships.first().player) == ["refused"]
    assert kinds(side(match, 0)) == kinds(side(match, 1)) == []


def test_requests_wait_for_the_organiser():
    club = a_club()
    JoinRequest.objects.create(club=club, player=a_player())
    an_enrolment(a_campaign(club, "mustering"), state="asked")
    assert kinds(club.memberships.first().player) == ["enrolment", "request"]
    assert kinds(a_member(club, "arbiter")) == []


@pytest.mark.rule("MM-101")
def test_a_skill_to_choose_waits_until_it_is_chosen(monkeypatch):
    from campaigns.results import aftermath
    from rosters.services import pilot_learn
    from systems.engine.dice import ScriptedDice

    monkeypatch.setattr(aftermath, "SeededDice", lambda seed: ScriptedDice([6] * 40))
    own = a_mustered_company()
    played(own)
    pilots = own.pilots.count()
    assert kinds(own.owner) == ["skill"] * pilots
    pilot_learn(company=own, by=own.owner, pilot=own.pilots.first(), skill="accuracy")
    assert kinds(own.owner) == ["skill"] * (pilots - 1)


def test_rounds_not_open_and_campaigns_not_running_wait_for_nobody():
    planned = a_match(a_round(a_campaign(), state="planned"))
    finished = a_match(a_round(a_campaign(a_club(name="Other"), "finished")))
    assert [kinds(side(each, 0)) for each in (planned, finished)] == [[], []]


def test_it_is_one_query_however_much_waits(django_assert_num_queries):
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
        ("/", {}, 1),  # the banner and the number of the head together
        ("/designs/lab/preview/", {"HX-Request": "true"}, 0),
        ("/api/v1/battles/", {}, 0),
        ("/healthz", {}, 0),
        ("/readyz", {}, 0),
    ],
)
def test_only_a_whole_page_asks_what_waits_and_once(client, path, headers, asked):
    client.force_login(side(a_match(), 0))
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path, headers=headers).status_code == (503 if path == "/readyz" else 200)  # no worker lives
    assert sum("campaigns_joinrequest" in query["sql"] for query in queries) == asked
