"""Concurrent acts on guests: one account takes over, and the guest's acts come before that or not at all."""

from __future__ import annotations

from functools import partial

import pytest
from django.db import IntegrityError

from campaigns.army_lists.services import lists_reveal
from campaigns.clubs.invitations import invitation_accept, invitation_make
from campaigns.guests.services import find_link, guest_add, guest_claim, link_make
from campaigns.models import Guest, Membership, Report
from campaigns.results.services import report_make
from rosters.ledger.records import differences
from rosters.models import Company, LedgerEntry, Player
from rosters.services import player_change, unit_buy
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_mustered_company, a_round, an_enrolment
from tests.campaigns.test_results import document
from tests.campaigns.test_results_races import run_concurrently

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch):
    """Leave jobs in their rows."""
    monkeypatch.setattr("celery.app.task.Task.delay", lambda *args, **kwargs: None)


@pytest.fixture
def match():
    """A guest's match with revealed forces."""
    club = a_club(a_player("ann"))
    cy = guest_add(club=club, by=club.memberships.get().player, name="Cy").player
    campaign = a_campaign(club)
    own = an_enrolment(campaign, a_mustered_company(cy, name="Cy's Own"))
    return lists_reveal(match=a_match(a_round(campaign), own, an_enrolment(campaign)))


def the_link():
    guest = Guest.objects.get()
    return find_link(link_make(guest=guest, by=guest.created_by))


def test_concurrent_takeovers_of_a_guest_succeed_once(match):
    link, players = the_link(), [a_player("ben"), a_player("eve")]
    answers = run_concurrently([lambda each=each: guest_claim(link=link, by=each) for each in players])
    (won,) = (at for at, answer in enumerate(answers) if isinstance(answer, Guest))
    assert "has an account now" in answers[1 - won]
    company = Company.objects.get(name="Cy's Own")
    assert company.owner == players[won]
    assert not Membership.objects.filter(player=players[1 - won]).exists()
    assert list(differences(company)) == []


def test_concurrent_adding_of_one_name_succeeds_once():
    club = a_club(a_player("ann"))
    by = club.memberships.get().player
    answers = run_concurrently([lambda: guest_add(club=club, by=by, name="Cy")] * 2)
    assert sum(isinstance(answer, Guest) for answer in answers) == 1
    assert Player.objects.filter(is_guest=True).count() == 1


@pytest.mark.parametrize("what", ["report", "buy"])
def test_act_during_a_takeover_is_done_before_or_refused(match, what):
    link, ben = the_link(), a_player("ben")
    company, cy = match.attacker.company, match.attacker.company.owner

    def act():
        try:
            if what == "buy":
                return unit_buy(company=company, by=cy, published="wasp")
            return report_make(match=match, side=0, content=document("draw"), by=cy)
        except (IntegrityError, Player.DoesNotExist):
            return None

    _, taken = run_concurrently([act, lambda: guest_claim(link=link, by=ben)])
    assert isinstance(taken, Guest)
    assert not Player.objects.filter(pk=cy.pk).exists()
    assert set(Report.objects.values_list("submitted_by", flat=True)) <= {ben.pk}
    assert set(LedgerEntry.objects.filter(company=company).values_list("created_by", flat=True)) <= {ben.pk, None}
    assert list(differences(Company.objects.get(pk=company.pk))) == []


def test_concurrent_renames_to_one_name_succeed_once():
    club = a_club(a_player("ann"))
    players = [a_member(club, player=a_player(name)) for name in ("ben", "eve")]
    answers = run_concurrently([partial(renamed, *each) for each in zip(players, ("Moss", "Mоss"), strict=True)])
    assert sum(isinstance(answer, Player) for answer in answers) == 1
    assert sorted(bool(name) for name in Player.objects.values_list("name_shown", flat=True)) == [False, False, True]


def test_joining_and_renaming_give_a_name_once():
    club = a_club(a_player("ann"))
    ben, eve = a_member(club, player=a_player("ben")), Player.objects.create_user("eve", name_shown="Moss")
    invitation = invitation_make(club=club, by=Player.objects.get(username="ann"))
    run_concurrently([partial(renamed, ben, "Moss"), partial(invitation_accept, invitation=invitation, by=eve)])
    names = Membership.objects.filter(club=club).values_list("player__name_shown", flat=True)
    assert list(names).count("Moss") == 1


def renamed(player, name):
    return player_change(player=player, name_shown=name, time_zone="", paper="a4")
