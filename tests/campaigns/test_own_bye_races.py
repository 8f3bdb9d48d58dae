"""Concurrent acts on byes and own pairings: nothing slips between check and act."""

from __future__ import annotations

import pytest

from campaigns.corrections.forms import BYE
from campaigns.corrections.services import correction_apply, correction_preview
from campaigns.enrolments.services import enrolment_accept
from campaigns.models import Correction, Enrolment, Match, SeasonPairing
from campaigns.planning.services import match_add, match_change, match_remove, round_open, round_plan
from campaigns.seasons.game_choice import pairing_award
from campaigns.seasons.rounds import season_pairing_add, season_round_draw, season_round_open
from campaigns.standings.selectors import standings
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_member, a_mustered_company, an_enrolment
from tests.campaigns.corrections import COMPENSATE
from tests.campaigns.season_builders import GAMES, a_season
from tests.campaigns.test_races import no_broker, refusals
from tests.campaigns.test_results_races import run_concurrently
from tests.rosters.test_races import THREADS

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["no_broker"]


def a_league(*names):
    """A campaign in which Olga organises and plays the Ants."""
    olga = a_player("olga")
    campaign = a_campaign(a_club(olga))
    an_enrolment(campaign, a_mustered_company(olga, name="Ants"))
    for name in names:
        an_enrolment(campaign, a_mustered_company(name=name))
    return campaign, olga


def of(campaign, name):
    return Enrolment.objects.get(campaign=campaign, company__name=name)


def test_own_bye_and_late_entry_give_no_needless_bye():
    campaign, olga = a_league("Bees", "Cats")
    row = round_plan(campaign=campaign, by=olga, way="by-hand")
    match_add(round_=row, attacker=of(campaign, "Bees"), defender=of(campaign, "Cats"), by=olga)
    fourth = an_enrolment(campaign, a_mustered_company(name="Dogs"), state="asked")
    ants = of(campaign, "Ants")
    acts = [
        lambda: match_add(round_=row, attacker=ants, defender=None, by=olga),
        lambda: enrolment_accept(enrolment=fourth, by=olga),
    ]
    run_concurrently(acts)
    made = Match.objects.filter(round=row, defender=None).exists()
    answers = run_concurrently([lambda: round_open(round_=row, by=olga)])
    assert bool(refusals(answers)) is made  # with the bye, one company has no opponent
    assert not Match.objects.filter(state="bye").exists()


def test_concurrent_opening_with_own_bye_is_left_to_others():
    campaign, olga = a_league("Bees", "Cats")
    other = a_member(campaign.club, "organiser")
    row = round_plan(campaign=campaign, by=other, way="by-hand")
    match_add(round_=row, attacker=of(campaign, "Ants"), defender=None, by=other)
    match_add(round_=row, attacker=of(campaign, "Bees"), defender=of(campaign, "Cats"), by=other)
    acts = [lambda by=by: round_open(round_=row, by=by) for by in [olga, other] * (THREADS // 2)]
    answers = run_concurrently(acts)
    assert sum(not isinstance(answer, str) for answer in answers) == 1
    assert campaign.activity.get(text__startswith="Published").created_by == other


def test_concurrent_attempts_at_an_own_bye_all_fail():
    campaign, olga = a_league("Bees", "Cats", "Dogs")
    a_member(campaign.club, "organiser")
    row = round_plan(campaign=campaign, by=olga)
    ants = of(campaign, "Ants")
    match = next(each for each in row.matches.all() if ants.pk in (each.attacker_id, each.defender_id))
    ways = [
        lambda: match_add(round_=row, attacker=ants, defender=None, by=olga),
        lambda: match_remove(match=match, by=olga),
        lambda: match_change(match=match, by=olga, attacker=ants, defender=None, scenario=0, terrain=""),
    ]
    assert all(isinstance(answer, str) for answer in run_concurrently(ways * 6))
    round_open(round_=row, by=olga)
    assert {row.row.points for row in standings(campaign)} == {0}


def test_concurrent_bye_corrections_succeed_once():
    campaign, olga = a_league("Bees", "Cats")
    other = a_member(campaign.club, "organiser")
    row = round_plan(campaign=campaign, by=other, way="by-hand")
    bye = match_add(round_=row, attacker=of(campaign, "Bees"), defender=None, by=olga)
    match_add(round_=row, attacker=of(campaign, "Ants"), defender=of(campaign, "Cats"), by=other)
    round_open(round_=row, by=other)
    for after, state in ((None, "void"), (BYE["bye"], "bye")):
        bye.refresh_from_db()
        token = correction_preview(match=bye, after=after, mode=COMPENSATE, by=None).token
        act = {"match": bye, "after": after, "mode": COMPENSATE, "reason": "So it is.", "by": other, "token": token}
        answers = run_concurrently([lambda act=act: correction_apply(**act)] * THREADS)
        assert sum(not isinstance(answer, str) for answer in answers) == 1
        bye.refresh_from_db()
        assert bye.state == state
    assert Correction.objects.count() == 2


def test_concurrent_season_bye_acts_succeed_once_by_others():
    ledger = a_season(played=dict.fromkeys(("ann", "ben", "cy"), GAMES[:2]))
    ann = ledger.players["ann"]
    ledger.season.club.memberships.filter(player=ann).update(role="organiser")
    row = season_round_draw(season=ledger.season, by=ledger.organiser, way="by-hand")
    add = {"round_": row, "one": ledger.entrant("ann"), "two": None}
    answers = run_concurrently([lambda by=by: season_pairing_add(by=by, **add) for by in [ann, ledger.organiser] * 5])
    assert sum(not isinstance(answer, str) for answer in answers) == 1
    ids = ledger.entrant("ben"), ledger.entrant("cy")
    season_pairing_add(round_=row, one=ids[0], two=ids[1], by=ledger.organiser)
    answers = run_concurrently(
        [lambda by=by: season_round_open(round_=row, by=by) for by in [ann, ledger.organiser] * 5]
    )
    assert sum(not isinstance(answer, str) for answer in answers) == 1
    bye = SeasonPairing.objects.select_related("round__season__club").get(two=None)
    ends = [
        lambda by=by: pairing_award(pairing=bye, side=None, reason="Wrong.", by=by)
        for by in [ann, ledger.organiser] * 5
    ]
    answers = run_concurrently(ends)
    assert sum(not isinstance(answer, str) for answer in answers) == 1
    bye.refresh_from_db()
    assert bye.state == "called-off"
