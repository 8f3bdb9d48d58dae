"""Concurrent acts in clubs and campaigns: exactly one succeeds, the others get a reason, and nobody gets an error."""

from __future__ import annotations

import pytest

from battles.models import Battle
from campaigns.army_lists.services import list_submit, lists_reveal
from campaigns.campaign.services import campaign_move
from campaigns.clubs.services import member_leave
from campaigns.enrolments.services import enrolment_accept, enrolment_ask, enrolment_withdraw
from campaigns.handicaps.services import handicap_answer, handicap_ask, handicap_calculate
from campaigns.models import (
    ActivityLogEntry,
    Campaign,
    Enrolment,
    Handicap,
    Match,
    Membership,
    Round,
    RoundClose,
    SubmittedList,
)
from campaigns.planning.services import round_open, round_plan
from campaigns.results.services import match_confirm, report_make
from campaigns.rounds.closing import round_close, round_close_work
from rosters.ledger.records import company_balance, differences
from rosters.models import Company, LedgerEntry
from rosters.services import pilot_assign, unit_buy
from rosters.services.companies import company_change
from tests.campaigns.builders import (
    a_campaign,
    a_club,
    a_match,
    a_member,
    a_mustered_company,
    a_round,
    an_enrolment,
)
from tests.campaigns.test_results import document, owner
from tests.campaigns.test_results_races import run_concurrently
from tests.rosters.test_races import THREADS, at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch):
    """Leave jobs in their rows."""
    monkeypatch.setattr("celery.app.task.Task.delay", lambda *args, **kwargs: None)


def check_consistency():
    for company in Company.objects.all():
        assert list(differences(company)) == []


def refusals(answers):
    return {answer for answer in answers if isinstance(answer, str)}


def report_draw(match):
    """Report a draw for one side, and return the other side's confirmation as an act."""
    match = lists_reveal(match=match)
    report_make(match=match, side=0, content=document("draw"), by=owner(match, 0))
    pk, player = match.reports.get().pk, owner(match, 1)
    return lambda: match_confirm(match=match, side=1, report=pk, by=player)


# --- campaigns and enrolments -----------------------------------------------------------------------------------------


def test_concurrent_campaign_moves_succeed_once():
    campaign = a_campaign(state="draft")
    organiser = campaign.club.memberships.get().player
    answers = at_once(lambda: campaign_move(campaign=campaign, to="mustering", by=organiser))
    assert answers.count(True) == 1
    assert refusals(answers) == {"Spring War is already open for sign-up, and you can't go back."}
    assert campaign.activity.count() == 1


def test_concurrent_acceptances_fill_the_last_seat_once():
    campaign = a_campaign(state="mustering", seats=1)
    asked = [an_enrolment(campaign, state="asked") for _ in range(THREADS)]
    by = campaign.club.memberships.first().player
    answers = run_concurrently([lambda each=each: enrolment_accept(enrolment=each, by=by) for each in asked])
    assert refusals(answers) == {"Spring War is full. New companies join the waiting list."}
    assert Enrolment.objects.filter(state="accepted").count() == 1
    assert len(answers) == THREADS


def test_concurrent_enrolments_of_a_company_succeed_once():
    campaign, company = a_campaign(state="mustering"), a_mustered_company()
    a_member(campaign.club, player=company.owner)
    answers = at_once(lambda: enrolment_ask(campaign=campaign, company=company, by=company.owner))
    assert answers.count(True) == 1
    assert Enrolment.objects.count() == 1


def test_concurrent_enrolments_in_two_campaigns_succeed_once():
    company, club = a_mustered_company(), a_club()
    a_member(club, player=company.owner)
    both = [a_campaign(club, "mustering", name=name) for name in ("Spring War", "Autumn War")]
    acts = [lambda each=each: enrolment_ask(campaign=each, company=company, by=company.owner) for each in both]
    run_concurrently(acts * (THREADS // 2))
    assert Enrolment.objects.count() == 1


def test_concurrent_leaving_keeps_one_organiser():
    club = a_club()
    organisers = [club.memberships.get().player, *(a_member(club, "organiser") for _ in range(THREADS - 1))]
    answers = run_concurrently([lambda each=each: member_leave(club=club, by=each) for each in organisers])
    assert len(refusals(answers)) == 1
    assert Membership.objects.filter(role="organiser").count() == 1


# --- rounds -----------------------------------------------------------------------------------------------------------


def test_concurrent_planning_and_opening_succeed_once():
    campaign = a_campaign()
    by = campaign.club.memberships.get().player
    for _ in range(4):
        an_enrolment(campaign)
    answers = at_once(lambda: round_plan(campaign=campaign, by=by))
    assert answers.count(True) == 1
    row = Round.objects.get()
    answers = at_once(lambda: round_open(round_=row, by=by))
    assert answers.count(True) == 1
    assert Match.objects.filter(round=row).count() == 2


def test_concurrent_closings_share_one_job():
    match = a_match(a_round(a_campaign(absent_rule="draw")))
    by = match.round.campaign.club.memberships.filter(role="organiser").get().player
    jobs = run_concurrently([lambda: round_close(round_=match.round, by=by).pk] * THREADS)
    assert set(jobs) == {RoundClose.objects.get().pk}
    assert match.round.campaign.activity.count() == 1


def test_one_closing_job_works_while_players_confirm():
    campaign = a_campaign(absent_rule="draw")
    row = a_round(campaign)
    matches = [a_match(row) for _ in range(4)]
    confirms = [report_draw(match) for match in matches]
    job = round_close(round_=row, by=None)

    def work():
        claimed = RoundClose.claim(job.pk)
        return claimed is not None and round_close_work(job=claimed)

    answers = run_concurrently([*[work] * 4, *confirms * 4])
    assert answers[:4].count(True) == 1
    assert set(Match.objects.values_list("state", flat=True)) == {"confirmed"}
    assert Round.objects.get().state == "closed"
    assert LedgerEntry.objects.filter(kind="game").count() == 8
    check_consistency()


# --- matches ----------------------------------------------------------------------------------------------------------


def test_concurrent_submissions_reveal_lists_once():
    match = a_match()
    acts = [
        lambda side=side: list_submit(
            match=match,
            side=side,
            units=list(company(match, side).units.values_list("pk", flat=True)),
            doctrine="cautious",
            by=company(match, side).owner,
            words=f"word {side}",
        )
        for side in (0, 1)
    ]
    answers = run_concurrently(acts * (THREADS // 2))
    assert refusals(answers) <= {"The lists of this match are already revealed, so you can't change yours."}
    match.refresh_from_db()
    assert match.setup is not None
    assert SubmittedList.objects.filter(match=match, opened_at__isnull=False).count() == 2


def test_concurrent_submission_and_reveal_end_revealed():
    match = a_match()
    units = list(company(match, 0).units.values_list("pk", flat=True))[:1]

    def submit():
        return list_submit(match=match, side=0, units=units, doctrine="cautious", by=company(match, 0).owner)

    run_concurrently([submit, lambda: lists_reveal(match=match)] * (THREADS // 2))
    match.refresh_from_db()
    sealed = SubmittedList.objects.filter(match=match).first()
    assert match.setup is not None
    assert len(match.forces[0]) == (1 if sealed else 2)


def test_matches_of_the_same_companies_do_not_deadlock():
    campaign = a_campaign()
    sides = [an_enrolment(campaign), an_enrolment(campaign)]
    row = a_round(campaign)
    pairs = [sides, sides[::-1]] * 5
    confirms = [report_draw(a_match(row, *pair)) for pair in pairs]
    assert refusals(run_concurrently(confirms)) == set()
    assert set(Match.objects.values_list("state", flat=True)) == {"confirmed"}
    assert LedgerEntry.objects.filter(kind="game").count() == 2 * len(pairs)
    check_consistency()


def test_company_returns_while_its_match_is_confirmed():
    row = a_round(a_campaign())
    matches = [a_match(row) for _ in range(4)]
    acts = []
    for match in matches:
        confirm, one = report_draw(match), match.attacker
        enrolment_withdraw(enrolment=one, by=one.company.owner)
        back = {"campaign": match.round.campaign, "company": one.company, "by": one.company.owner}
        acts += [confirm, *[lambda back=back: enrolment_ask(**back)] * 4]
    run_concurrently(acts)
    assert set(Match.objects.values_list("state", flat=True)) == {"confirmed"}
    assert Enrolment.objects.filter(state="asked").count() == len(matches)
    check_consistency()


def test_purchases_during_confirmation_never_overspend():
    match = a_match()
    confirm = report_draw(match)
    mine, theirs = company(match, 0), company(match, 1)
    acts = [
        confirm,
        *(lambda each=each: unit_buy(company=each, by=each.owner, published="wasp") for each in (mine, theirs)),
        *(lambda each=each: company_change(company=each, by=each.owner, name=each.name) for each in (mine, theirs)),
    ]
    answers = run_concurrently(acts * 4)
    assert Match.objects.get().state == "confirmed"
    assert Battle.objects.count() == 1
    assert all(company_balance(each) >= 0 for each in (mine, theirs))
    assert len(answers) == THREADS
    check_consistency()


def test_finishing_during_reports_leaves_no_open_match():
    match = lists_reveal(match=a_match())
    campaign = match.round.campaign
    by = campaign.club.memberships.first().player
    content = document("draw")
    acts = [
        lambda: report_make(match=match, side=0, content=content, by=owner(match, 0)),
        lambda: report_make(match=match, side=1, content=content, by=owner(match, 1)),
        lambda: campaign_move(campaign=campaign, to="finished", by=by),
        lambda: enrolment_withdraw(enrolment=match.attacker, by=by),
    ]
    run_concurrently(acts * (THREADS // 4))
    assert Match.objects.get().state == "confirmed"
    assert Campaign.objects.get().state in ("running", "finished")
    check_consistency()


def company(match, side):
    return (match.attacker, match.defender)[side].company


# --- handicaps ----------------------------------------------------------------------------------------------------------


def a_calculated_handicap(monkeypatch):
    """A match of three units against four, with a calculated handicap; Ants left a seat empty and can field four."""
    monkeypatch.setattr("campaigns.army_lists.handicaps.HANDICAP_BATTLES", 200)
    monkeypatch.setattr("campaigns.handicaps.services.POINT_PERCENTAGES", (75, 50))
    campaign = a_campaign(handicaps=True, seals_forces=True)
    sides = [an_enrolment(campaign, a_mustered_company(None, *["wasp"] * 4, name=name)) for name in ("Ants", "Bees")]
    match = a_match(a_round(campaign), *sides)
    unit = sides[0].company.units.order_by("pk")[0]
    pilot = unit.pilot
    pilot_assign(company=sides[0].company, by=owner(match, 0), unit=unit, pilot=None)
    assert handicap_calculate(job=Handicap.claim(handicap_ask(match=match, by=owner(match, 0)).pk))
    row = Handicap.objects.get()

    def agree(side):
        match_ = Match.objects.get(pk=match.pk)
        return lambda: handicap_answer(
            match=match_, side=side, agrees=True, kind=row.kind, value=row.value, by=owner(match, side)
        )

    def back():
        pilot_assign(company=sides[0].company, by=owner(match, 0), unit=unit, pilot=pilot)
        return "back"

    return match, agree, back


def test_concurrent_agreements_both_count(monkeypatch):
    match, agree, _back = a_calculated_handicap(monkeypatch)
    answers = run_concurrently([agree(0), agree(1)])
    assert not refusals(answers)
    assert Handicap.objects.get().is_agreed
    assert ActivityLogEntry.objects.filter(match=match, text__contains="agreed to").count() == 2


def test_change_during_agreement_drops_the_handicap(monkeypatch):
    match, agree, back = a_calculated_handicap(monkeypatch)
    answers = run_concurrently([agree(0), agree(1), back])
    assert "back" in answers
    row = Handicap.objects.get()
    if row.kind:  # the change came after the second agreement, or before the first one was read; the lists will show it
        units = list(match.attacker.company.units.values_list("pk", flat=True))
        list_submit(match=match, side=0, units=units, doctrine="aggressive", by=owner(match, 0))
        row.refresh_from_db()
    else:
        assert any("no longer counts" in answer for answer in refusals(answers))
    assert not row.is_agreed


def test_change_during_submission_reveals_no_outdated_handicap(monkeypatch):
    match, agree, back = a_calculated_handicap(monkeypatch)
    agree(0)()
    agree(1)()
    one = list(match.defender.company.units.values_list("pk", flat=True))[:1]
    submit = lambda: list_submit(match=match, side=1, units=one, doctrine="aggressive", by=owner(match, 1))  # noqa: E731
    assert "back" in run_concurrently([submit, back])
    units = list(match.attacker.company.units.values_list("pk", flat=True))
    after = list_submit(match=match, side=0, units=units, doctrine="aggressive", by=owner(match, 0))
    row = Handicap.objects.get()
    if after.setup is None:
        assert not row.is_agreed
    else:  # the change came first, so the Bees' list was submitted without a handicap
        assert match.sealed.get(side=1).submitted_at > row.ended_at
        assert not row.is_agreed
