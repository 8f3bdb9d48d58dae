"""Ways to gain an unearned advantage, each of which was possible once."""

import json
import uuid
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from battles.models import Battle
from battles.services.battles import battle_simulate, battle_write_effects
from campaigns.army_lists.legality import points_earned_in
from campaigns.army_lists.services import list_submit, list_withdraw, lists_reveal
from campaigns.enrolments.selectors import enrolment_check
from campaigns.enrolments.services import enrolment_ask, enrolment_decline, enrolment_withdraw
from campaigns.models import CampaignState, Match, MatchState
from campaigns.planning.services import match_add, round_open, round_set_deadline
from campaigns.results.imports import import_results
from campaigns.results.rulings import match_rule
from campaigns.results.services import match_confirm, match_refuse, report_make, report_withdraw
from campaigns.rounds.closing import round_close
from campaigns.standings.selectors import standings
from rosters import services as rosters
from rosters.documents.company import read_company
from rosters.documents.import_export import company_document, company_import
from rosters.services import RefusedError
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
from tests.campaigns.corrections import play_match
from tests.campaigns.test_books import log_free_battle
from tests.campaigns.test_closing import close_round, fate
from tests.campaigns.test_friendlies import announce_friendly
from tests.campaigns.test_locks import ACTS, company, first_unit, seal, signed_in
from tests.campaigns.test_results import document, owner
from tests.campaigns.test_waiting import kinds

pytestmark = pytest.mark.django_db


# --- a friendly that waits for a worker -------------------------------------------------------------------------------


@pytest.fixture
def friendly():
    """Announce a friendly of a company with a spare unit and a spare pilot; no worker has simulated it yet."""
    campaign = a_campaign(friendlies=2, points=100)
    a_round(campaign)
    enrolment = an_enrolment(campaign, a_mustered_company(None, "wasp", "wasp", "wasp", name="Ants"))
    own = enrolment.company
    rosters.pilot_edit(company=own, by=own.owner, pilot=own.pilots.get(name="Pilot 3"), name="Spare")
    rosters.pilot_hire(company=own, by=own.owner, name="Bench")
    units = list(own.units.order_by("pk").values_list("pk", flat=True))
    hurt = rosters.UnitResult(unit=units[0], pilot=own.units.get(pk=units[0]).pilot_id, after={"hits": 1})
    rosters.company_apply_result(company=own, act=uuid.uuid4(), cause_ref="before", by=None, units=[hurt])
    return announce_friendly(enrolment, units=units[:2])


@pytest.mark.parametrize("act", ACTS)
def test_friendly_locks_its_units_and_pilots_until_fought(friendly, act):
    own = friendly.enrolment.company
    unit = own.units.order_by("pk").first()
    reason = f"is in the friendly game of Ants against {friendly.opponent}, which is being fought"
    with pytest.raises(RefusedError, match=reason):
        ACTS[act](own, unit, own.owner)
    with pytest.raises(RefusedError, match="It can be disbanded once that game is over"):
        rosters.company_disband(company=own, by=own.owner)
    Battle.objects.filter(pk=friendly.battle_id).update(status="failed")
    ACTS[act](own, unit, own.owner)


def test_units_outside_the_friendly_stay_free(friendly):
    own = friendly.enrolment.company
    rosters.unit_sell(company=own, by=own.owner, unit=own.units.get(pilot__name="Spare"))


def test_unit_in_a_friendly_cannot_be_sealed(friendly):
    match = a_match(friendly.round, friendly.enrolment)
    with pytest.raises(RefusedError, match=r"WASP is in the friendly game of Ants .*, which is being fought"):
        seal(match)
    assert battle_simulate(battle=Battle.claim(friendly.battle_id))
    assert seal(match).sealed.get().fell == ""


# --- leaving and returning --------------------------------------------------------------------------------------------


def test_withdrawn_company_logs_nothing_before_its_last_match():
    match = a_match()
    own = company(match)
    battle = log_free_battle(own)
    enrolment_withdraw(enrolment=match.attacker, by=own.owner)
    with pytest.raises(RefusedError, match="has a match to play in Spring War, which decides what is written"):
        battle_write_effects(battle=battle, actor=own.owner)
    Match.objects.filter(pk=match.pk).update(state=MatchState.VOID)
    assert battle_write_effects(battle=battle, actor=own.owner) == 1


def test_withdrawn_company_joins_nothing_before_its_last_match():
    match = a_match()
    own = company(match)
    other = a_campaign(match.round.campaign.club, "mustering", name="Autumn War")
    enrolment_withdraw(enrolment=match.attacker, by=own.owner)
    with pytest.raises(RefusedError, match="has a match to play in Spring War; a company is in one campaign"):
        enrolment_ask(campaign=other, company=own, by=own.owner)
    Match.objects.filter(pk=match.pk).update(state=MatchState.VOID)
    assert enrolment_ask(campaign=other, company=own, by=own.owner).state == "asked"


def test_declined_returner_that_logged_elsewhere_cannot_return():
    campaign = a_campaign()
    organiser = campaign.club.memberships.get(role="organiser").player
    enrolment = an_enrolment(campaign)
    own, by = enrolment.company, enrolment.company.owner
    play_match(campaign, enrolment, an_enrolment(campaign))
    enrolment_withdraw(enrolment=enrolment, by=by)
    enrolment_decline(enrolment=enrolment_ask(campaign=campaign, company=own, by=by), by=organiser)
    battle_write_effects(battle=log_free_battle(own), actor=by)
    with pytest.raises(RefusedError, match="has logged a battle elsewhere since"):
        enrolment_ask(campaign=campaign, company=own, by=by)


# --- company documents ------------------------------------------------------------------------------------------------


def forged_document(campaign, match, points):
    """Build a document of a company whose ledger claims points from a match of others."""
    text = json.loads(json.dumps(company_document(a_mustered_company(name="Forgers"))))
    game = {
        "act": "a999", "kind": "game", "points": points, "cause": "result", "at": text["ledger"][-1]["at"],
        "cause_ref": str(match.battle.key), "facts": {
            "result": "won", "season_points": 0, "income": points, "repaid": 0, "gifts": [], "lapsed": 0,
            "battle": "x", "standing": True, "destroyed": 0, "lost": 0, "destroyed_points": 0, "seed": "1",
        },
    }  # fmt: skip
    text["ledger"].append(game)
    text["points"] += points
    return text


def test_forged_document_brings_no_points():
    campaign = a_campaign()
    match = play_match(campaign, an_enrolment(campaign), an_enrolment(campaign))
    cheat = company_import(owner=a_player(), document=read_company(forged_document(campaign, match, 500)))
    assert points_earned_in(campaign, [cheat]) == {cheat.pk: 0}
    problem = enrolment_check(cheat, campaign).problems[0].message
    assert problem.startswith("The company is worth 5")
    assert problem.endswith("Spring War allows 60.")


# --- experience from elsewhere ----------------------------------------------------------------------------------------


def test_outside_experience_is_shown_before_acceptance(sixes):
    campaign = a_campaign(state="mustering")
    fresh = a_mustered_company()
    assert enrolment_check(fresh, campaign).brings == ""
    own = a_mustered_company()
    battle = log_free_battle(own)
    battle_write_effects(battle=battle, actor=own.owner)
    pilots = own.pilots.filter(status__in=["active", "wounded"]).count()
    summary = f"1 game; pilots: {pilots} Regular, {pilots} skills"
    assert enrolment_check(own, campaign).brings == summary
    organiser, asked = campaign.club.memberships.get().player, an_enrolment(campaign, own, state="asked")
    pages = [reverse("campaigns:campaign_companies", args=[campaign.pk])]
    pages.append(reverse("campaigns:enrolment", args=[campaign.pk, asked.pk]))
    for page in pages:
        assert summary in signed_in(organiser).get(page).content.decode()
    assert summary not in signed_in(a_member(campaign.club)).get(pages[0]).content.decode()
    api_url = reverse("api-enrolments", args=[campaign.pk])
    assert [each["brings"] for each in signed_in(organiser).get(api_url).json()] == [summary]
    assert [each["brings"] for each in signed_in(a_member(campaign.club)).get(api_url).json()] == [""]


# --- deadline ---------------------------------------------------------------------------------------------------------


def test_refusing_side_wins_nothing_by_its_seal():
    match = a_match()
    seal(match, 0)
    match_refuse(match=match, side=0, reason="No.", by=owner(match, 0))
    close_round(match.round)
    assert fate(match)[:2] == ("forfeited", "none")


def test_refusing_a_sealed_match_forfeits():
    match = a_match()
    seal(match, 0)
    seal(match, 1)
    match_refuse(match=match, side=0, reason="I don't like what I see.", by=owner(match, 0))
    close_round(match.round)
    assert fate(match)[:2] == ("forfeited", "defender")


def test_report_cannot_be_withdrawn_after_closing():
    match = lists_reveal(match=a_match())
    report_make(match=match, side=1, content=document("defender"), by=owner(match, 1))
    report_make(match=match, side=0, content=document("attacker"), by=owner(match, 0))
    close_round(match.round)
    with pytest.raises(RefusedError, match="Round 1 is closed: confirm the other report, or let an arbiter rule"):
        report_withdraw(match=match, side=0, by=owner(match, 0))
    report = match.reports.get(side=1, is_current=True)
    assert match_confirm(match=match, side=0, report=report.pk, by=owner(match, 0)).state == "confirmed"


def test_planned_match_cannot_be_ruled_on():
    match = a_match(a_round(a_campaign(), "planned"))
    for verdict in ("attacker-forfeits", "draw", "void"):
        with pytest.raises(RefusedError, match="Round 1 has not been opened yet: its pairings can still be changed"):
            match_rule(
                match=match, verdict=verdict, reason="So be it.", by=a_member(match.round.campaign.club, "arbiter")
            )


def test_returning_company_keeps_its_place():
    campaign = a_campaign()
    one, other = an_enrolment(campaign), an_enrolment(campaign)
    play_match(campaign, one, other)
    before = [(each.row.entrant, each.row.points) for each in standings(campaign)]
    enrolment_withdraw(enrolment=one, by=one.company.owner)
    again = enrolment_ask(campaign=campaign, company=one.company, by=one.company.owner)
    assert (
        [(each.row.entrant, each.row.points) for each in standings(campaign)] == before == [(one.pk, 3), (other.pk, 0)]
    )
    enrolment_decline(enrolment=again, by=campaign.club.memberships.get(role="organiser").player)
    assert [(each.row.entrant, each.row.points) for each in standings(campaign)] == before


@pytest.fixture
def judge():
    """A club's only organiser, who plays."""
    return a_player("judge")


def test_playing_organiser_can_only_extend_the_deadline(judge):
    match = a_match(a_round(campaign := a_campaign(a_club(judge))), an_enrolment(campaign, a_mustered_company(judge)))
    round_ = match.round
    round_set_deadline(round_=round_, deadline=round_.deadline + timedelta(days=1), by=judge)
    for act in (
        lambda: round_set_deadline(round_=round_, deadline=timezone.now() + timedelta(minutes=1), by=judge),
        lambda: round_close(round_=round_, by=judge),
    ):
        with pytest.raises(RefusedError, match="You have a match to decide in Round 1, so its time can't be cut short"):
            act()
    match_rule(match=match, verdict="void", reason="It never was.", by=a_member(campaign.club, "arbiter"))
    assert round_close(round_=round_, by=judge).round == round_


def test_playing_organiser_cannot_open_a_short_round(judge):
    campaign = a_campaign(a_club(judge), pace_days=7)
    other = a_member(campaign.club, "organiser")
    planned = a_round(campaign, "planned")
    match_add(
        round_=planned, attacker=an_enrolment(campaign, a_mustered_company(judge)), defender=an_enrolment(campaign),
        by=other,
    )  # fmt: skip
    with pytest.raises(RefusedError, match="You have a match to decide in Round 1"):
        round_open(round_=planned, by=judge, deadline=timezone.now() + timedelta(minutes=10))
    assert round_open(round_=planned, by=judge, deadline=timezone.now() + timedelta(days=7)).state == "open"


def test_organiser_cannot_import_own_results(judge):
    campaign = a_campaign(a_club(judge), CampaignState.MUSTERING)
    an_enrolment(campaign, a_mustered_company(judge, name="Ants"))
    an_enrolment(campaign, a_mustered_company(name="Bees"))
    text = "round,date,attacker,defender,winner\n1,2026-01-03,Ants,Bees,attacker\n"
    other = a_member(campaign.club, "organiser")
    with pytest.raises(RefusedError, match=f"Results of your own company are among these, so {other} has to"):
        import_results(campaign=campaign, text=text, by=judge)
    assert len(import_results(campaign=campaign, text=text, by=other)) == 1


# --- withdrawn seals --------------------------------------------------------------------------------------------------


def test_withdrawn_seal_frees_units_and_keeps_its_words():
    match = a_match()
    own, by = company(match), owner(match, 0)
    sealing = {"match": match, "side": 0, "doctrine": "cautious", "by": by}
    units = list(own.units.values_list("pk", flat=True))
    list_submit(units=units, words="owl", **sealing)
    match.dice.refresh_from_db()
    words = list(match.dice.words)
    list_withdraw(match=match, side=0, by=by)
    assert kinds(by) == ["seal"]
    (item,) = waiting_for(by)
    assert item.what == "Seal your force"
    rosters.unit_sell(company=own, by=by, unit=first_unit(match))
    with pytest.raises(RefusedError, match="Your words for the dice were sealed with your first force"):
        list_submit(units=units[1:], words="another owl", **sealing)
    for more_words in ("", "owl"):
        list_submit(units=units[1:], words=more_words, **sealing)
        force = match.sealed.get()
        match.dice.refresh_from_db()
        assert (force.words, force.fell, match.dice.words) == ("owl", "", words)
        list_withdraw(match=match, side=0, by=by)
