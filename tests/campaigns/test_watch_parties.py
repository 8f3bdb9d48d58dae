"""Watch parties follow the clock: nobody sees later events, and the result counts as usual afterwards."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from battles.models import Battle, Forecast, SealedDice
from battles.services.dice import dice_secret
from campaigns.army_lists.services import lists_reveal
from campaigns.clubs.services import display_link_create
from campaigns.models import MatchState, Notification, NotificationEvent, RoundClose, WatchParty
from campaigns.notifications.selectors import describe_event
from campaigns.planning.services import round_set_deadline
from campaigns.results.decisions import proof_differences
from campaigns.results.rulings import match_rule
from campaigns.results.services import report_make
from campaigns.rounds.closing import round_close, round_close_work
from campaigns.tasks import premiere_run, premieres
from campaigns.watch_parties.selectors import battle_so_far, count_visible_steps, decrypt_record
from campaigns.watch_parties.services import (
    watch_parties_due,
    watch_party_announce,
    watch_party_cancel,
    watch_party_process,
)
from rosters.ledger.records import company_record
from rosters.models import Company
from rosters.services import RefusedError, unit_sell
from systems.simulation.analysis import rounds_of
from systems.simulation.records import verify
from tests.builders import a_crewed_unit, a_player
from tests.campaigns.builders import a_campaign, a_match, a_member, a_round
from tests.campaigns.gazettes import close_round
from tests.campaigns.watch_parties import announce, begin, finish, move_to_step, run_job

pytestmark = pytest.mark.django_db


def organiser(match):
    return match.round.campaign.club.memberships.first().player


def fate(match):
    match.refresh_from_db()
    return match.state, match.outcome, match.decided_by


class TestAnnouncement:
    def test_announcement_tells_members_the_time(self):
        match = a_match(a_round(a_campaign(absent_rule="orders")))
        member = a_player("mia")
        a_member(match.round.campaign.club, "player", member)
        watch_party = announce(match)
        letter = Notification.objects.get(player=member, news__occasion="premiere-announced")
        assert str(match) in describe_event(letter.news.occasion, letter.news.facts).text
        assert letter.news.facts["begins_at"] == watch_party.starts_at.isoformat()
        assert describe_event(letter.news.occasion, letter.news.facts).url == reverse(
            "campaigns:watch_party", args=[match.key]
        )

    def test_page_becomes_a_stage_while_running(self, client):
        def classes(match):
            html = client.get(reverse("campaigns:watch_party", args=[match.key])).content.decode()
            return re.search(r'<main id="main" class="([^"]*)"', html)[1].split()

        watch_party = announce()
        assert classes(watch_party.match) == ["main"]
        begin(watch_party)
        assert classes(watch_party.match) == ["main", "main--stage"]

    @pytest.mark.parametrize(
        ("at", "why"),
        [
            (timedelta(hours=-1), "can still play"),
            (timedelta(days=60), "next 30 days"),
            (-timedelta(days=400), "must be in the future"),
        ],
    )
    def test_start_is_limited_to_days_after_the_deadline(self, at, why):
        match = a_match(a_round(a_campaign(absent_rule="orders")))
        with pytest.raises(RefusedError, match=why):
            watch_party_announce(match=match, at=match.round.deadline + at, pace=4, by=organiser(match))
        assert not WatchParty.objects.exists()

    def test_only_matches_under_orders_have_watch_parties(self):
        with pytest.raises(RefusedError, match="doesn't simulate unreported matches"):
            announce(a_match(a_round(a_campaign(absent_rule="draw"))))

    def test_new_announcement_moves_the_start(self):
        watch_party = announce()
        at = watch_party.starts_at + timedelta(hours=2)
        moved = watch_party_announce(match=watch_party.match, at=at, pace=8, by=organiser(watch_party.match))
        assert (moved.starts_at, moved.pace) == (at, 8)
        assert WatchParty.objects.count() == 1
        again = watch_party_announce(match=watch_party.match, at=at, pace=8, by=organiser(watch_party.match))
        assert again.pk == moved.pk
        assert NotificationEvent.objects.filter(occasion="premiere-announced").count() == 2

    def test_announced_match_can_still_be_reported(self):
        watch_party = announce()
        match = lists_reveal(match=watch_party.match)
        for side, enrolment in enumerate((match.attacker, match.defender)):
            content = {"muster": "report/1", "winner": "attacker"}
            report_make(match=match, side=side, content=content, by=enrolment.company.owner)
        assert fate(match)[0] == MatchState.CONFIRMED
        watch_party.refresh_from_db()
        assert (watch_party.status, watch_party.ended) == ("called-off", "It was decided earlier.")
        close_round(match.round)
        assert WatchParty.claim(watch_party.pk) is None

    def test_decided_match_is_no_longer_announced(self, client):
        watch_party = announce()
        match = watch_party.match
        WatchParty.objects.update(starts_at=timezone.now() + timedelta(minutes=30))
        url = reverse(
            "campaigns:club_display_part",
            args=[display_link_create(club=match.round.campaign.club, by=organiser(match)).key],
        )
        pages = (url, reverse("campaigns:match", args=[match.key]))
        assert all("Watch party" in client.get(page).content.decode() for page in pages)
        match_rule(match=match, verdict="draw", reason="Both have said so.", by=organiser(match))
        assert not [page for page in pages if "Watch party" in client.get(page).content.decode()]
        text = " ".join(client.get(reverse("campaigns:watch_party", args=[match.key])).content.decode().split())
        assert "The watch party ended early. It was decided earlier." in text
        assert "The watch party is over" not in text

    def test_round_closes_without_its_announced_match(self):
        watch_party = announce()
        job = RoundClose.claim(round_close(round_=watch_party.match.round, by=None).pk)
        round_close_work(job=job)
        job.refresh_from_db()
        assert job.steps[1]["text"] == "0 matches: simulated with autoplay orders; 1 waiting for a watch party"
        watch_party.match.round.refresh_from_db()
        assert watch_party.match.round.state == "closed"
        assert fate(watch_party.match) == (MatchState.SCHEDULED, "", "")

    def test_lists_are_fixed_when_the_round_closes(self):
        watch_party = announce()
        late, unit = watch_party.match.attacker.company, watch_party.match.attacker.company.units.first()
        close_round(watch_party.match.round)
        a_crewed_unit(late, pilot="Too late")
        with pytest.raises(RefusedError, match="WASP is fielded in round 1, match 1"):
            unit_sell(company=late, by=late.owner, unit=unit)
        brought = decrypt_record(run_job(watch_party)).setup.sides[0].units
        assert len(brought) == 2, "not the three units that the company has now"

    def test_side_without_a_list_at_closing_forfeits(self):
        watch_party = announce()
        late = watch_party.match.attacker.company
        late.units.update(pilot=None)
        close_round(watch_party.match.round)
        a_crewed_unit(late, pilot="Too late")
        assert WatchParty.claim(watch_party.pk) is None
        assert fate(watch_party.match) == (MatchState.FORFEITED, "defender", "deadline")

    def test_closed_announced_match_refuses_reports_and_rulings(self):
        watch_party = announce()
        close_round(watch_party.match.round)
        match = lists_reveal(match=watch_party.match)
        with pytest.raises(RefusedError, match="simulated at its watch party"):
            report_make(
                match=match,
                side=0,
                content={"muster": "report/1", "winner": "attacker"},
                by=match.attacker.company.owner,
            )
        with pytest.raises(RefusedError, match="simulated at its watch party"):
            match_rule(match=match, verdict="draw", reason="I say so, as I am bored.", by=organiser(match))

    def test_moved_deadline_moves_the_start(self):
        watch_party = announce()
        deadline = watch_party.starts_at + timedelta(days=1)
        round_set_deadline(round_=watch_party.match.round, by=organiser(watch_party.match), deadline=deadline)
        watch_party = run_job(watch_party)
        assert (watch_party.starts_at, watch_party.began_at, watch_party.status) == (deadline, None, "queued")
        assert NotificationEvent.objects.filter(occasion="premiere-announced").count() == 2

    def test_watch_party_waits_for_the_round_to_close(self):
        watch_party = run_job(announce())
        assert (watch_party.began_at, watch_party.status, watch_party.tries) == (None, "queued", 0)


class TestCancelled:
    def test_cancelling_before_closing_leaves_a_normal_match(self):
        watch_party = announce()
        watch_party_cancel(match=watch_party.match, by=organiser(watch_party.match))
        assert WatchParty.claim(watch_party.pk) is None
        close_round(watch_party.match.round)
        assert fate(watch_party.match)[0] == MatchState.AUTO_RESOLVED

    def test_cancelling_after_closing_simulates_the_match_at_once(self):
        watch_party = announce()
        close_round(watch_party.match.round)
        watch_party_cancel(match=watch_party.match, by=organiser(watch_party.match))
        run_job(watch_party)
        assert fate(watch_party.match)[0] == MatchState.AUTO_RESOLVED
        assert NotificationEvent.objects.filter(occasion="premiere-off").count() == 1

    def test_cancelling_while_running_keeps_the_result(self):
        watch_party = move_to_step(begin(), 3)
        record = decrypt_record(watch_party)
        watch_party_cancel(match=watch_party.match, by=organiser(watch_party.match))
        watch_party.refresh_from_db()
        assert count_visible_steps(watch_party, timezone.now()) == 0
        run_job(watch_party)
        watch_party.match.refresh_from_db()
        assert watch_party.match.battle.record.digest == record.digest

    def test_cancelling_during_closing_simulates_afterwards(self):
        """Closing may have skipped the match because it waited for its watch party."""
        watch_party = announce()
        closing = RoundClose.claim(round_close(round_=watch_party.match.round, by=None).pk)
        watch_party_cancel(match=watch_party.match, by=organiser(watch_party.match))
        assert run_job(watch_party).is_live
        assert fate(watch_party.match)[0] == MatchState.SCHEDULED
        round_close_work(job=closing)
        run_job(watch_party)
        assert fate(watch_party.match)[0] == MatchState.AUTO_RESOLVED

    def test_cancelling_twice_is_refused(self):
        watch_party = announce()
        watch_party_cancel(match=watch_party.match, by=organiser(watch_party.match))
        with pytest.raises(RefusedError, match="has no watch party"):
            watch_party_cancel(match=watch_party.match, by=organiser(watch_party.match))


class TestSteps:
    def test_nothing_is_simulated_before_the_start(self):
        watch_party = announce()
        close_round(watch_party.match.round)
        watch_party.refresh_from_db()
        assert (watch_party.record, watch_party.cuts) == ("", [])
        assert not Battle.objects.exists()
        assert WatchParty.claim(watch_party.pk) is None  # not yet

    def test_steps_appear_in_order_without_later_events(self):
        watch_party = begin()
        whole = decrypt_record(watch_party)
        lines = [line.sentence for view in rounds_of(whole) for step in view.steps for line in step.lines]
        for step in range(1, len(watch_party.cuts) + 1):
            watch_party = move_to_step(watch_party, step)
            so_far = battle_so_far(watch_party, timezone.now())
            assert so_far.step == step
            assert so_far.record.events == whole.events[: watch_party.cuts[step - 1]]
            assert (so_far.record.seed, so_far.record.dice) == (0, None)
            fallen = {unit.key for unit in so_far.rounds[-1].units if unit.destroyed}
            assert {each["key"] for each in so_far.record.outcome["units"]} == fallen
            assert so_far.map.steps == step + 1
        assert len(lines) == watch_party.cuts[-1]

    def test_late_spectator_joins_at_the_current_step(self, client):
        watch_party = begin()
        url = reverse("campaigns:watch_party_part", args=[watch_party.match.key])
        client.get(url, {"step": "1", "state": "on"})  # the first drawing takes longer than a step
        watch_party = move_to_step(watch_party, 4)
        answer = client.get(url, {"step": "1", "state": "on"})
        assert 'data-watch-party-step="4"' in answer.content.decode()
        assert 0 < int(answer["Premiere-Next"]) <= 4000
        assert client.get(url, {"step": "4", "state": "on"}).status_code == 204

    def test_stage_shows_units_with_names_and_colours(self, client):
        watch_party = move_to_step(begin(), 2)
        match = watch_party.match
        companies = [side.company for side in (match.attacker, match.defender)]
        url = reverse("campaigns:watch_party_part", args=[match.key])
        for colours in (("#2f6f8f", "#8f2f2f"), ("#111111", "#222222")):  # the current colours
            for company, colour in zip(companies, colours, strict=True):
                Company.objects.filter(pk=company.pk).update(colour=colour)
            html = client.get(url).content.decode()
            filled = [re.search(r'fill="(#\w+)"', each)[1] for each in re.findall("<symbol[^>]*>", html)]
            assert (set(filled), filled[0], filled[-1]) == (set(colours), *colours)
        so_far = battle_so_far(watch_party, timezone.now())
        names = set(so_far.board.names.values())
        assert names
        assert all(name in html for name in names)
        assert html.count('class="chit__art"') == len(names)

    def test_saved_record_is_encrypted(self):
        watch_party = begin()
        whole = decrypt_record(watch_party)
        assert whole.text()[:40] not in watch_party.record
        assert watch_party.record.startswith("gAAAA")  # as Fernet writes
        secrets = [dice_secret(each) for each in SealedDice.objects.all()]
        assert not [secret for secret in secrets if secret in watch_party.record]

    def test_late_start_is_shown_on_the_page(self, client):
        watch_party = announce()
        close_round(watch_party.match.round)
        WatchParty.objects.filter(pk=watch_party.pk).update(starts_at=timezone.now() - timedelta(minutes=7))
        url = reverse("campaigns:watch_party", args=[watch_party.match.key])
        assert "starting late" in client.get(url).content.decode()
        run_job(watch_party)
        assert "7 minutes late" in " ".join(client.get(url).content.decode().split())

    def test_next_worker_takes_over_from_a_dead_one(self):
        watch_party = announce()
        close_round(watch_party.match.round)
        WatchParty.objects.filter(pk=watch_party.pk).update(not_before=timezone.now())
        assert WatchParty.claim(watch_party.pk)  # and then the worker is killed
        WatchParty.objects.filter(pk=watch_party.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        watch_party = run_job(watch_party)
        assert watch_party.began_at

    def test_worker_without_its_claim_saves_nothing(self):
        watch_party = announce()
        close_round(watch_party.match.round)
        WatchParty.objects.filter(pk=watch_party.pk).update(not_before=timezone.now())
        lost = WatchParty.claim(watch_party.pk)
        WatchParty.objects.filter(pk=watch_party.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        held = WatchParty.claim(watch_party.pk)
        assert watch_party_process(job=lost) is False
        watch_party_process(job=held)
        assert not Battle.objects.exists()
        assert WatchParty.objects.get(pk=watch_party.pk).began_at

    def test_timer_starts_due_watch_parties(self, eager_jobs):
        watch_party = announce()
        close_round(watch_party.match.round)
        premieres.delay()
        assert not watch_parties_due()
        assert WatchParty.objects.get(pk=watch_party.pk).began_at is None
        WatchParty.objects.filter(pk=watch_party.pk).update(not_before=timezone.now())
        premieres.delay()
        assert WatchParty.objects.get(pk=watch_party.pk).began_at

    def test_later_losses_do_not_change_the_fixed_list(self):
        watch_party = announce()
        close_round(watch_party.match.round)
        watch_party.match.attacker.company.units.update(pilot=None)
        started = run_job(watch_party)
        assert (started.ended, bool(started.record)) == ("", True)

    def test_page_explains_a_missing_watch_party(self, client):
        watch_party = announce()
        watch_party.match.attacker.company.units.update(pilot=None)
        close_round(watch_party.match.round)
        answer = client.get(reverse("campaigns:watch_party", args=[watch_party.match.key]))
        assert answer.status_code == 200
        assert "One player had no list to field. Result:" in " ".join(answer.content.decode().split())

    def test_lost_keys_leave_the_match_open_and_flagged(self, settings):
        watch_party = announce()
        close_round(watch_party.match.round)
        settings.DICE_KEYS = ("another-key-than-before",)
        run_job(watch_party)
        watch_party.match.refresh_from_db()
        assert watch_party.match.state == MatchState.SCHEDULED
        assert "The server's key for these dice is missing" in watch_party.match.flag

    def test_internal_error_leaves_the_match_open_and_flagged(self, monkeypatch):
        watch_party = announce()
        close_round(watch_party.match.round)
        WatchParty.objects.filter(pk=watch_party.pk).update(not_before=timezone.now())
        monkeypatch.setattr("campaigns.watch_parties.services.resolve_on_dice", lambda *_: 1 // 0)
        premiere_run(watch_party.pk)
        watch_party.match.refresh_from_db()
        assert "error on our side" in watch_party.match.flag
        announce(watch_party.match)  # it can be announced again


class TestFinished:
    def test_shown_battle_decides_the_match(self):
        watch_party = begin()
        record = decrypt_record(watch_party)
        watch_party = finish(watch_party)
        state, outcome, decided_by = fate(watch_party.match)
        assert (state, decided_by) == (MatchState.AUTO_RESOLVED, "orders")
        winner = record.outcome["winner"]
        names = {
            "attacker": str(watch_party.match.attacker.company),
            "defender": str(watch_party.match.defender.company),
        }
        assert names.get(outcome) == winner
        battle = watch_party.match.battle
        assert battle.record.digest == record.digest
        assert verify(battle.record.text) is None
        assert battle.dice.revealed_at
        assert (watch_party.record, watch_party.cuts, watch_party.status) == ("", [], "done")
        assert list(proof_differences()) == []
        records = [company_record(side.company) for side in (watch_party.match.attacker, watch_party.match.defender)]
        assert sum(record.won + record.drawn + record.lost for record in records) == 2

    def test_ratings_use_the_odds_known_at_the_end(self):
        watch_party = begin()
        assert watch_party.match.odds is None
        counts = {"battle": {"battles": 1000, "attacker_wins": 180, "defender_wins": 780}, "units": {}}
        of_named_styles = Forecast.objects.filter(picks_styles=False)  # the AI plays with the named styles
        assert of_named_styles.update(runs_done=1000, counts=counts, status="done") == 1
        match = finish(watch_party).match
        assert match.odds == {"runs": 1000, "attacker_wins": 180, "defender_wins": 780, "margins": {}}

    def test_ratings_use_the_odds_of_the_ai_styles(self):
        watch_party = announce()
        lists_reveal(match=watch_party.match)
        counts = {"battle": {"battles": 1000, "attacker_wins": 500, "defender_wins": 480}, "units": {}}
        assert Forecast.objects.update(runs_done=1000, counts=counts, status="done") == 2
        counts["battle"] |= {"attacker_wins": 180}
        Forecast.objects.filter(picks_styles=False).update(counts=counts)
        watch_party = begin(watch_party)
        assert watch_party.match.odds is None
        assert finish(watch_party).match.odds["attacker_wins"] == 180

    def test_gazette_gets_a_new_edition(self):
        watch_party = begin()
        round_ = watch_party.match.round
        assert [edition.edition for edition in round_.gazettes.all()] == [1]
        finish(watch_party)
        assert [edition.edition for edition in round_.gazettes.all()] == [2, 1]

    def test_finished_page_links_to_the_replay(self, client):
        watch_party = finish(begin())
        url = reverse("campaigns:watch_party", args=[watch_party.match.key])
        assert reverse("battles:battle", args=[watch_party.match.battle.key]) in client.get(url).content.decode()
        assert client.get(reverse("campaigns:watch_party_part", args=[watch_party.match.key])).status_code == 205

    def test_early_worker_waits_for_the_end(self):
        watch_party = run_job(move_to_step(begin(), 2))
        assert watch_party.is_live
        assert fate(watch_party.match)[0] == MatchState.SCHEDULED


class TestApi:
    def test_api_announces_cancels_and_shows_the_current_step(self, client):
        match = a_match(a_round(a_campaign(absent_rule="orders")))
        url = reverse("api-watch-party", args=[match.key])
        assert client.get(url).status_code == 404
        client.force_login(organiser(match))
        asked = {"at": (match.round.deadline + timedelta(hours=1)).isoformat(), "pace": 8}
        answer = client.post(url, asked, content_type="application/json")
        assert (answer.status_code, answer.json()["state"], answer.json()["step"]) == (200, "soon", 0)
        bad = client.post(url, {**asked, "pace": 9}, content_type="application/json")
        assert bad.status_code in (400, 422)
        watch_party = move_to_step(begin(WatchParty.objects.get(match=match)), 2)
        client.logout()
        current = client.get(url).json()
        so_far = battle_so_far(watch_party, timezone.now())
        assert (current["state"], current["step"]) == ("on", 2)
        assert current["told"] == list(so_far.sentences)
        assert 0 < current["next_ms"] <= 8000
        assert not {"record", "seed", "cuts", "ends_at"} & set(current)
        client.force_login(organiser(match))
        assert client.delete(url).status_code == 204
        assert WatchParty.objects.get(match=match).is_cancelled


class TestClubDisplay:
    def test_club_display_counts_down_and_shows_steps(self, client):
        watch_party = announce()
        club = watch_party.match.round.campaign.club
        url = reverse(
            "campaigns:club_display_part", args=[display_link_create(club=club, by=organiser(watch_party.match)).key]
        )
        assert "sheet--watch-party" not in client.get(url).content.decode()  # it's days away
        WatchParty.objects.update(starts_at=timezone.now() + timedelta(minutes=30))
        assert "Watch party at" in client.get(url).content.decode()
        move_to_step(begin(watch_party), 3)
        text = client.get(url).content.decode()
        assert 'data-watch-party-step="3"' in text
        assert text.count("data-sheet ") == 1
        assert "data-again=" in text
