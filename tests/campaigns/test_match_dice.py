"""A match's dice: words fixed by the first submitted list, records that must use them, replacements for a lost key."""

from __future__ import annotations

import contextlib
import io
import zlib

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from battles.models import Battle, Record, SealedDice
from battles.services.battles import battle_row, battle_simulate
from battles.services.dice import dice_seal, dice_secret, dice_take
from campaigns.army_lists.documents import side_forces
from campaigns.army_lists.services import lists_reveal
from campaigns.dice import match_dice_replace
from campaigns.models import ActivityLogEntry, DecidedBy, Match, MatchState, Outcome, RoundClose
from campaigns.results.decisions import match_settle_battle, match_settle_unfought
from campaigns.rounds.closing import round_close, round_close_work
from rosters.services import RefusedError
from systems.engine.dice import sealed_seed
from systems.reading import read_setup
from systems.simulation.records import read_header, read_record, resolve
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_match, a_member, a_round, submit_list

pytestmark = pytest.mark.django_db


def close_round(match: Match) -> RoundClose:
    job = RoundClose.claim(round_close(round_=match.round, by=None).pk)
    assert job is not None
    assert round_close_work(job=job)
    match.refresh_from_db()
    return RoundClose.objects.get(pk=job.pk)


def under_orders() -> Match:
    return a_match(a_round(a_campaign(absent_rule="orders")))


def simulate_on(match: Match, dice: SealedDice | None, seed: str = "") -> Battle:
    """Return a finished battle of the match's forces on these dice."""
    row = battle_row(
        setup=read_setup(match.setup), forces=side_forces(match), actor=None, visibility="public", dice=dice, seed=seed
    )
    claimed = Battle.claim(row.pk)
    assert claimed is not None
    assert battle_simulate(battle=claimed)
    claimed.refresh_from_db()
    return claimed


def reconcile_output() -> str:
    out = io.StringIO()
    with contextlib.suppress(CommandError):
        call_command("reconcile", stdout=out)
    return out.getvalue()


class TestWords:
    def test_words_are_fixed_by_the_first_submitted_list(self):
        match = a_match()
        submit_list(match, 0, words="for the Hounds")
        with pytest.raises(
            RefusedError, match="You can't change your contribution to the dice seed after your first list"
        ):
            submit_list(match, 0, words="for the Dogs")
        match.dice.refresh_from_db()
        assert match.dice.words == [["attacker", "for the Hounds"]]

    def test_words_stay_after_another_submitted_list(self):
        match = a_match()
        submit_list(match, 0, words="for the Hounds")
        submit_list(match, 0)
        submit_list(match, 0, words="for the Hounds")
        match.dice.refresh_from_db()
        assert match.dice.words == [["attacker", "for the Hounds"]]
        assert match.sealed.get(side=0).words == "for the Hounds"

    def test_words_cannot_be_added_after_the_first_submitted_list(self):
        match = a_match()
        submit_list(match, 0)
        with pytest.raises(
            RefusedError, match="You can't change your contribution to the dice seed after your first list"
        ):
            submit_list(match, 0, words="for the Hounds")

    def test_page_shows_that_words_are_fixed(self, client):
        match = a_match()
        submit_list(match, 0, words="for the Hounds")
        client.force_login(match.attacker.company.owner)
        page = client.get(reverse("campaigns:match_forces", args=[match.key])).content.decode()
        assert "It was fixed when you first submitted" in page
        assert 'name="words"' not in page


class TestRecord:
    def test_record_names_its_dice_and_their_purpose(self):
        match = under_orders()
        submit_list(match, 0, words="for the Hounds")
        close_round(match)
        dice = match.dice
        dice.refresh_from_db()
        named = read_header(match.battle.record.text).dice
        assert named.model_dump() == {
            "commitment": dice.commitment,
            "purpose": "battle",
            "words": ("for the Hounds",),
            "secret": dice.secret,
        }
        assert "agree" in reconcile_output()

    def test_record_on_other_dice_decides_no_match(self):
        match = lists_reveal(match=a_match())
        with pytest.raises(RefusedError, match="its record was not fought on its dice"):
            match_settle_battle(match=match, battle=simulate_on(match, dice_take(actor=None, visitor="v")), by=None)
        match.refresh_from_db()
        assert match.state == MatchState.SCHEDULED

    def test_record_on_a_chosen_seed_decides_no_match(self):
        match = lists_reveal(match=a_match())
        with pytest.raises(RefusedError, match="its record was not fought on its dice"):
            match_settle_battle(match=match, battle=simulate_on(match, None, "7"), by=None)

    def test_record_with_other_words_decides_no_match(self):
        match = lists_reveal(match=a_match())
        battle = simulate_on(match, match.dice)
        SealedDice.objects.filter(pk=match.dice_id).update(words=[["attacker", "for the Hounds"]])
        match = Match.objects.get(pk=match.pk)
        with pytest.raises(RefusedError, match="its record was not fought on its dice"):
            match_settle_battle(match=match, battle=battle, by=None)

    def test_record_of_another_set_up_decides_no_match(self):
        match = lists_reveal(match=a_match())
        battle = simulate_on(match, match.dice)
        match.setup["sides"][0]["doctrine"] = "cautious"
        match.save()
        with pytest.raises(RefusedError, match="its record is not of its forces"):
            match_settle_battle(match=match, battle=battle, by=None)

    def test_reconcile_reports_a_replaced_record(self):
        match = under_orders()
        close_round(match)
        record = match.battle.record
        kept = read_record(record.text)
        shopped = resolve(kept.setup, 7)
        Record.objects.filter(pk=record.pk).update(lines=zlib.compress(shopped.text().encode()))
        assert f"match {match.key}" in reconcile_output()
        assert "its record was not fought on its dice" in reconcile_output()

    def test_record_without_dice_is_checked_by_its_seed(self):
        match = under_orders()
        close_round(match)
        record = match.battle.record
        kept = read_record(record.text)
        without = resolve(kept.setup, kept.seed)
        Record.objects.filter(pk=record.pk).update(lines=zlib.compress(without.text().encode()))
        assert "agree" in reconcile_output()

    def test_reconcile_reports_a_changed_secret(self):
        match = under_orders()
        close_round(match)
        SealedDice.objects.filter(pk=match.dice_id).update(secret="0" * 64)
        assert "its dice show a secret that was not sealed" in reconcile_output()


class TestLostKey:
    @pytest.fixture
    def lose(self, settings):
        def lose() -> None:
            settings.DICE_KEYS = ("another key than the one that dice were sealed under",)

        return lose

    def test_lost_key_does_not_stop_closing_a_round(self, lose):
        match = under_orders()
        other = a_match(match.round)
        lose()
        Match.objects.filter(pk=other.pk).update(dice=dice_seal())
        job = close_round(match)
        other.refresh_from_db()
        assert job.status == "done"
        assert (match.state, other.state) == (MatchState.SCHEDULED, MatchState.AUTO_RESOLVED)
        assert match.flag.startswith("Still open after the deadline: The server's key for these dice is missing")

    def test_lost_key_does_not_stop_an_unfought_decision(self, lose):
        match = a_match()
        lose()
        match_settle_unfought(
            match=match, state=MatchState.FORFEITED, outcome=Outcome.ATTACKER, decided_by=DecidedBy.DEADLINE, by=None
        )
        match.refresh_from_db()
        assert match.state == MatchState.FORFEITED
        assert match.dice.revealed_at is None

    def test_organiser_replaces_dice_with_a_lost_key(self, lose):
        match, organiser = under_orders(), a_player("the-organiser")
        submit_list(match, 0, words="for the Hounds")
        before = match.dice
        lose()
        replaced = match_dice_replace(match=match, by=organiser)
        assert replaced.dice.pk != before.pk
        assert replaced.dice.words == [["attacker", "for the Hounds"]]
        text = ActivityLogEntry.objects.get(match=match, created_by=organiser).text
        assert before.commitment in text
        assert replaced.dice.commitment in text
        close_round(match)
        assert match.state == MatchState.AUTO_RESOLVED
        assert match.battle.seed == str(sealed_seed(dice_secret(match.dice), "battle", ["for the Hounds"]))

    def test_working_dice_are_not_replaced(self):
        with pytest.raises(RefusedError, match="These dice still work, so they can't be replaced."):
            match_dice_replace(match=a_match(), by=a_player())

    def test_decided_match_keeps_its_dice(self, lose):
        match = a_match()
        lose()
        match_settle_unfought(
            match=match, state=MatchState.VOID, outcome=Outcome.NONE, decided_by=DecidedBy.ORGANISER, by=None
        )
        with pytest.raises(RefusedError, match="This match is already decided: void"):
            match_dice_replace(match=match, by=a_player())

    def test_api_replaces_dice_for_organisers_only(self, lose, client):
        match = a_match()
        organiser = a_member(match.round.campaign.club, role="organiser")
        url, before = reverse("api-match-dice", args=[match.key]), match.dice.commitment
        client.force_login(organiser)
        refused = client.post(url)
        assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "dice")
        lose()
        client.force_login(match.attacker.company.owner)
        assert client.post(url).status_code == 403
        client.force_login(organiser)
        commitment = client.post(url).json()["commitment"]
        match.refresh_from_db()
        assert commitment == match.dice.commitment != before

    def test_page_offers_replacement_to_organisers_only(self, lose, client):
        match = a_match()
        organiser = a_member(match.round.campaign.club, role="organiser")
        page, url = (reverse(f"campaigns:{name}", args=[match.key]) for name in ("match", "match_dice_replace"))
        client.force_login(organiser)
        assert url not in client.get(page).content.decode()
        lose()
        assert url in client.get(page).content.decode()
        client.force_login(match.attacker.company.owner)
        text = client.get(page).content.decode()
        assert (
            "The server has lost the key to this match’s dice, so they can’t be rolled. Ask the site’s operator to restore the key, or an organiser to replace the dice. The activity log then shows both hashes"
            in text
        )
        assert url not in text
        assert client.post(url).status_code == 403
        client.force_login(organiser)
        assert client.post(url).headers["Location"] == page
        match.refresh_from_db()
        assert match.dice.commitment in client.get(page).content.decode()
