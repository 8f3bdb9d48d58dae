"""Closing a round: reports stand, absent players' matches follow the organiser's rule, and nothing happens twice."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns.army_lists.services import lists_reveal
from campaigns.models import ActivityLogEntry, RoundClose
from campaigns.planning.services import round_open, round_plan, round_set_deadline
from campaigns.results.services import report_make
from campaigns.rounds.closing import round_close, round_close_due, round_close_work, rounds_due
from campaigns.tasks import deadlines
from rosters.ledger.records import company_record
from rosters.services import RefusedError
from systems import battle_rules
from systems.engine.dice import sealed_seed
from systems.scenarios import SIDES
from systems.simulation.records import verify
from tests.builders import a_company, a_crewed_unit, a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_round, an_enrolment, submit_list

pytestmark = pytest.mark.django_db


def close_round(row):
    job = RoundClose.claim(round_close(round_=row, by=None).pk)
    assert round_close_work(job=job)
    row.refresh_from_db()
    return RoundClose.objects.get(pk=job.pk)


def a_match_under(rule, **settings):
    return a_match(a_round(a_campaign(absent_rule=rule, **settings)))


def fate(match):
    match.refresh_from_db()
    return match.state, match.outcome, match.decided_by


class TestAbsent:
    def test_absent_side_forfeits(self):
        match = a_match_under("forfeit")
        submit_list(match, 1)
        close_round(match.round)
        assert fate(match) == ("forfeited", "defender", "deadline")
        assert company_record(match.attacker.company).lost == 0  # no battle took place

    def test_match_without_both_sides_has_no_winner(self):
        match = a_match_under("forfeit")
        close_round(match.round)
        assert fate(match) == ("forfeited", "none", "deadline")

    def test_unreported_match_of_two_submitted_lists_is_drawn(self):
        match = a_match_under("forfeit")
        submit_list(submit_list(match, 0), 1)
        close_round(match.round)
        assert fate(match) == ("forfeited", "draw", "deadline")

    def test_draw_rule_decides_an_unplayed_match(self):
        match = a_match_under("draw")
        close_round(match.round)
        assert fate(match) == ("forfeited", "draw", "deadline")

    def test_orders_rule_simulates_with_the_match_dice(self):
        match = a_match_under("orders")
        submit_list(match, 0)
        close_round(match.round)
        state, outcome, decided_by = fate(match)
        assert (state, decided_by) == ("auto-resolved", "orders")
        assert outcome in ("attacker", "defender", "draw")
        dice = match.dice
        dice.refresh_from_db()
        assert match.battle.seed == str(sealed_seed(dice.secret, "battle", [text for _, text in dice.words]))
        assert dice.uses == ["battle", "aftermath"]
        assert dice.revealed_at
        assert verify(match.battle.record.text) is None
        doctrines = [side["doctrine"] for side in match.battle.setup["sides"]]
        assert doctrines[0] == "cautious"
        records = [company_record(side.company) for side in (match.attacker, match.defender)]
        assert sum(record.won + record.drawn + record.lost for record in records) == 2

    @pytest.mark.parametrize(
        ("without", "outcome"), [(("attacker",), "defender"), (("defender",), "attacker"), (SIDES, "none")]
    )
    def test_company_without_a_list_forfeits(self, without, outcome):
        match = a_match_under("orders")
        for side in without:
            getattr(match, side).company.units.update(pilot=None)
        job = close_round(match.round)
        assert fate(match) == ("forfeited", outcome, "deadline")
        assert not match.flag
        assert job.steps[1]["text"] == "1 match: simulated with autoplay orders"
        entries = ActivityLogEntry.objects.filter(match=match, text__contains="had no unit to field")
        assert [entry.text.split(": ")[1] for entry in entries.order_by("pk")] == [
            f"{getattr(match, side).company.name} had no unit to field" for side in without
        ]
        match.dice.refresh_from_db()
        assert match.dice.uses == []  # nothing was rolled

    def test_company_without_fit_pilots_after_submitting_forfeits(self):
        match = a_match_under("orders")
        submit_list(submit_list(match, 0), 1)
        match.attacker.company.pilots.update(status="wounded")
        close_round(match.round)
        assert fate(match) == ("forfeited", "defender", "deadline")

    def test_autoplay_fields_the_first_units_up_to_the_limit(self):
        most = battle_rules("meks-and-mercs").max_units
        campaign = a_campaign(absent_rule="orders", points=700)
        large = a_company(points=700)
        for number in range(most + 1):
            a_crewed_unit(large, pilot=f"Pilot {number}")
        match = a_match(a_round(campaign), an_enrolment(campaign, large))
        first = [unit.pk for unit in large.units.order_by("position", "pk")][:most]
        close_round(match.round)
        assert fate(match)[0] == "auto-resolved"
        assert [row["unit"] for row in match.forces[0].values()] == first


class TestReports:
    def reported(self, **settings):
        match = lists_reveal(match=a_match_under("draw", **settings))
        own = match.attacker.company.owner
        return report_make(match=match, side=0, content={"muster": "report/1", "winner": "attacker"}, by=own)

    def test_single_report_counts(self):
        match = self.reported()
        close_round(match.round)
        assert fate(match) == ("confirmed", "attacker", "deadline")

    def test_single_report_does_not_count_if_both_are_required(self):
        match = self.reported(confirms_by_deadline=False)
        close_round(match.round)
        assert fate(match) == ("forfeited", "draw", "deadline")

    def test_dispute_stays_open(self):
        match = self.reported()
        other = match.defender.company.owner
        report_make(match=match, side=1, content={"muster": "report/1", "winner": "defender"}, by=other)
        job = close_round(match.round)
        assert fate(match) == ("disputed", "", "")
        assert match.round.state == "closed"
        assert job.steps[2]["text"] == "closed; 1 dispute needs a ruling"


class TestTheJob:
    def test_repeated_close_makes_one_job(self):
        match = a_match_under("draw")
        first = round_close(round_=match.round, by=None)
        assert round_close(round_=match.round, by=a_player()) == first
        close_round(match.round)
        assert RoundClose.objects.count() == 1
        assert RoundClose.claim(first.pk) is None

    def test_running_job_blocks_a_deadline_change(self):
        row, later = a_match_under("draw").round, timezone.now() + timedelta(days=30)
        job = round_close(round_=row, by=None)
        with pytest.raises(RefusedError, match="Round 1 is closing"):
            round_set_deadline(round_=row, deadline=later, by=a_player())
        claimed = RoundClose.claim(job.pk)
        with pytest.raises(RefusedError, match="Round 1 is closing"):
            round_set_deadline(round_=row, deadline=later, by=a_player())
        assert claimed.fail("The fault is ours.")
        assert round_set_deadline(round_=row, deadline=later, by=a_player()).deadline == later

    def test_interrupted_job_resumes_without_repeating_steps(self):
        match = a_match_under("orders")
        job = RoundClose.claim(round_close(round_=match.round, by=None).pk)
        from campaigns.rounds import closing

        closing._absent(job)  # the worker dies after this step
        entries = match.attacker.company.ledger.count()
        assert round_close_work(job=job)
        assert match.attacker.company.ledger.count() == entries
        assert match.battle is None
        match.refresh_from_db()
        assert match.battle is not None
        assert [step["state"] for step in RoundClose.objects.get(pk=job.pk).steps] == ["done"] * 5

    def test_only_open_rounds_can_be_closed(self):
        with pytest.raises(RefusedError, match="Round 1 is planned"):
            round_close(round_=a_round(a_campaign(), state="planned"), by=None)


class TestTheTimer:
    def test_timer_closes_due_rounds_once(self, monkeypatch, django_capture_on_commit_callbacks):
        from campaigns import tasks

        sent = []
        monkeypatch.setattr(tasks.round_close_run, "delay", sent.append)
        early = a_match(a_round(a_campaign(a_club(name="Early Birds"))))
        late = a_match_under("draw")
        type(late.round).objects.filter(pk=late.round.pk).update(deadline=timezone.now() - timedelta(minutes=1))
        assert rounds_due() == [late.round]
        for _ in range(2):
            with django_capture_on_commit_callbacks(execute=True):
                deadlines()
        assert len(sent) == 1
        assert not RoundClose.objects.filter(round=early.round).exists()

    def test_timer_skips_a_round_with_a_moved_deadline(self):
        match = a_match_under("draw")
        type(match.round).objects.update(deadline=timezone.now() - timedelta(minutes=1))
        (due,) = rounds_due()
        round_set_deadline(round_=match.round, deadline=timezone.now() + timedelta(days=1), by=a_player())
        assert round_close_due(round_=due) is None
        assert not RoundClose.objects.exists()


class TestOddsBeforehand:
    def test_odds_are_published_at_opening_and_at_reveal(self):
        campaign = a_campaign(a_club(), absent_rule="orders")
        for _ in range(2):
            an_enrolment(campaign)
        row = round_open(round_=round_plan(campaign=campaign, by=None), by=None)
        match = row.matches.get()
        before = match.forecast
        assert [side["name"] for side in before.setup["sides"]] == ["Attacker", "Defender"]
        submit_list(submit_list(match, 0), 1)
        match.refresh_from_db()
        assert match.forecast != before
        sides = [[{**side, "doctrine": ""} for side in setup["sides"]] for setup in (match.forecast.setup, match.setup)]
        assert sides[0] == sides[1]

    def test_rounds_without_autoplay_publish_no_odds(self):
        match = a_match_under("draw")
        assert lists_reveal(match=match).forecast is None
