"""Players don't judge their own matches, unless nobody else can and the other side consents."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.arbiters import consent_give, consent_withdraw
from campaigns.army_lists.services import lists_reveal
from campaigns.corrections.services import correction_apply, correction_preview
from campaigns.enrolments.services import enrolment_accept, enrolment_excuse
from campaigns.models import ActivityLogEntry, Membership
from campaigns.planning.services import match_add, match_change, match_remove, round_set_deadline
from campaigns.results.imports import import_results
from campaigns.results.rulings import match_rule
from campaigns.results.services import match_reveal_lists, report_make
from campaigns.rounds.closing import round_close
from rosters.services import RefusedError
from tests.builders import a_player, a_token
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
from tests.campaigns.corrections import CASCADE, COMPENSATE, play_match
from tests.campaigns.test_results import document, owner

OWN = "their own match; no other organiser was free"
pytestmark = pytest.mark.django_db


@pytest.fixture
def judge():
    """A club's only organiser, who plays."""
    return a_player("judge")


@pytest.fixture
def campaign(judge):
    return a_campaign(a_club(judge))


@pytest.fixture
def match(campaign, judge):
    """The judge's company attacks, with revealed forces."""
    return lists_reveal(match=a_match(a_round(campaign), an_enrolment(campaign, a_mustered_company(judge))))


def disputed(match):
    report_make(match=match, side=0, content=document("attacker"), by=owner(match, 0))
    report_make(match=match, side=1, content=document("defender"), by=owner(match, 1))
    match.refresh_from_db()
    return match


def rule(match, by, verdict="attacker", reason="I won."):
    return match_rule(match=match, verdict=verdict, reason=reason, by=by)


def activity_log_texts(match):
    return [entry.text for entry in match.activity.all()]


def role(match, side, role):
    Membership.objects.filter(club=match.round.campaign.club, player=owner(match, side)).update(role=role)


# --- rulings ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verdict", ["attacker", "own", "defender-forfeits", "draw", "refused", "void"])
def test_judge_does_not_rule_on_own_match(match, judge, verdict):
    arbiter = a_member(match.round.campaign.club, "arbiter")
    match = disputed(match)
    with pytest.raises(RefusedError, match=f"You play in this match, so you can't rule on it. {arbiter} can"):
        rule(match, judge, verdict)
    assert rule(match, arbiter, "defender").decided_by == arbiter


def test_only_judge_needs_the_other_sides_consent(match, judge):
    match = disputed(match)
    with pytest.raises(RefusedError, match=f"once {owner(match, 1)} consents"):
        rule(match, judge)
    consent_give(match=match, side=1, by=owner(match, 1))
    ruling = rule(match, judge)
    assert ruling.decided_by == judge
    assert match.consents.get().ruling == ruling
    assert f"{owner(match, 1)} allowed judge to rule on their own match {match.round}, {match}" in activity_log_texts(
        match
    )
    assert any(
        f"(by a player in the match, with the consent of {owner(match, 1)}): I won." in text
        for text in activity_log_texts(match)
    )


def test_consent_can_be_withdrawn_until_the_ruling(match, judge):
    match = disputed(match)
    consent_give(match=match, side=1, by=owner(match, 1))
    consent_withdraw(match=match, side=1, by=owner(match, 1))
    with pytest.raises(RefusedError, match="consents"):
        rule(match, judge)
    consent_give(match=match, side=1, by=owner(match, 1))
    rule(match, judge)
    with pytest.raises(RefusedError, match="You have given no consent to withdraw"):
        consent_withdraw(match=match, side=1, by=owner(match, 1))


def test_consent_ends_when_another_judge_appears(match, judge):
    match = disputed(match)
    consent_give(match=match, side=1, by=owner(match, 1))
    arbiter = a_member(match.round.campaign.club, "arbiter")
    with pytest.raises(RefusedError, match=f"you can't rule on it. {arbiter} can"):
        rule(match, judge)


def test_consent_is_given_only_to_an_only_judge(match, judge):
    with pytest.raises(RefusedError, match="neither arbiter nor organiser"):
        consent_give(match=match, side=0, by=judge)
    arbiter = a_member(match.round.campaign.club, "arbiter")
    with pytest.raises(RefusedError, match=f"needs no consent of yours: {arbiter} can judge it"):
        consent_give(match=match, side=1, by=owner(match, 1))


def test_two_playing_judges_need_consent(match, judge):
    role(match, 1, "arbiter")
    match = disputed(match)
    for side in (0, 1):
        with pytest.raises(RefusedError, match="nobody else in the club can rule on it"):
            rule(match, owner(match, side))
    consent_give(match=match, side=0, by=judge)
    assert rule(match, owner(match, 1), "defender").decided_by == owner(match, 1)


def test_ruling_between_own_companies_is_logged(campaign, judge):
    sides = [an_enrolment(campaign, a_mustered_company(judge, name=name)) for name in ("Ants", "Bees")]
    match = a_match(a_round(campaign), *sides)
    match_rule(match=match, verdict="void", reason="It never was.", by=judge)
    assert any(
        "(their own match; no other organiser was free): It never was." in text for text in activity_log_texts(match)
    )


def test_arbiter_does_not_reveal_lists_of_own_match(campaign, judge):
    match = a_match(a_round(campaign), an_enrolment(campaign, a_mustered_company(judge)))
    a_member(campaign.club, "arbiter")
    with pytest.raises(RefusedError, match="You play in this match"):
        match_reveal_lists(match=match, side=None, by=judge)


# --- corrections ------------------------------------------------------------------------------------------------------


def test_judge_does_not_correct_own_match(campaign, judge):
    own = an_enrolment(campaign, a_mustered_company(judge))
    match = play_match(campaign, own, an_enrolment(campaign))
    arbiter = a_member(campaign.club, "arbiter")
    preview = correction_preview(match=match, after=None, mode=COMPENSATE, by=None)
    assert correction_preview(match=match, after=None, mode=COMPENSATE, by=judge).refusal.startswith("You play in")
    done = {"match": match, "after": None, "mode": COMPENSATE, "reason": "No.", "token": preview.token}
    with pytest.raises(RefusedError, match=f"you can't rule on it. {arbiter} can"):
        correction_apply(by=judge, **done)
    assert correction_apply(by=arbiter, **done).ruling.decided_by == arbiter


def test_cascade_over_own_match_needs_another_judge(campaign, judge):
    ants, bees = an_enrolment(campaign), an_enrolment(campaign)
    own = an_enrolment(campaign, a_mustered_company(judge))
    first = play_match(campaign, ants, bees, attacker={0: {"destroyed": True, "hits_lost": 2}})
    later = play_match(campaign, ants, own)
    arbiter = a_member(campaign.club, "arbiter")
    assert correction_preview(match=first, after=None, mode=COMPENSATE, by=judge).refusal == ""
    preview = correction_preview(match=first, after=None, mode=CASCADE, by=None)
    if not any(each.key == str(later.key) and "recalculated" in each.text for each in preview.later):
        pytest.fail("the correction does not reach the later match")
    refused = correction_preview(match=first, after=None, mode=CASCADE, by=judge).refusal
    assert refused.startswith(f"This recalculates {later.round}, {later}. You play in this match")
    done = {"match": first, "after": None, "mode": CASCADE, "reason": "No.", "token": preview.token}
    with pytest.raises(RefusedError, match="This recalculates"):
        correction_apply(by=judge, **done)
    assert correction_apply(by=arbiter, **done).mode == CASCADE


# --- an organiser's own company ---------------------------------------------------------------------------------------


def excusable(campaign, player):
    return an_enrolment(campaign, a_mustered_company(player), state="asked")


def test_organiser_does_not_excuse_own_company(judge):
    campaign = a_campaign(a_club(judge), state="mustering", points=10)
    own, other = excusable(campaign, judge), a_member(campaign.club, "organiser")
    with pytest.raises(RefusedError, match=f"This company is yours, so {other} has to do this"):
        enrolment_excuse(enrolment=own, by=judge, reason="So what.")
    enrolment_excuse(enrolment=own, by=other, reason="So be it.")
    assert enrolment_accept(enrolment=own, by=judge).state == "accepted"


def test_only_organiser_excuses_own_company_with_a_mark(judge):
    campaign = a_campaign(a_club(judge), state="mustering", points=10)
    enrolment_excuse(enrolment=excusable(campaign, judge), by=judge, reason="So what.")
    assert "(their own match; no other organiser was free): So what." in ActivityLogEntry.objects.get().text


def test_playing_organiser_changes_deadline_only_if_alone(match, judge):
    round_, later = match.round, timezone.now() + timedelta(days=30)
    round_set_deadline(round_=round_, deadline=later, by=judge)
    assert ActivityLogEntry.objects.first().text.endswith("(their own match; no other organiser was free)")
    other = a_member(round_.campaign.club, "organiser")
    refusal = f"You have a match to decide in {round_}, so {other} has to do this"
    with pytest.raises(RefusedError, match=refusal):
        round_set_deadline(round_=round_, deadline=later, by=judge)
    with pytest.raises(RefusedError, match=refusal):
        round_close(round_=round_, by=judge)
    match_rule(match=match, verdict="void", reason="It never was.", by=other)
    round_set_deadline(round_=round_, deadline=later, by=judge)
    assert ActivityLogEntry.objects.first().text == f"Moved the deadline of {round_}"


def test_any_organiser_closes_after_the_deadline(match, judge):
    a_member(match.round.campaign.club, "organiser")
    type(match.round).objects.filter(pk=match.round_id).update(deadline=timezone.now() - timedelta(minutes=1))
    assert round_close(round_=match.round, by=judge).round_id == match.round_id


def test_organiser_cannot_import_own_results(campaign, judge):
    an_enrolment(campaign, a_mustered_company(judge, name="Ants"))
    an_enrolment(campaign, a_mustered_company(name="Bees"))
    text = "round,date,attacker,defender,winner\n1,2026-01-03,Ants,Bees,attacker\n"
    other = a_member(campaign.club, "organiser")
    with pytest.raises(RefusedError, match=f"These include results of your own company, so {other} has to"):
        import_results(campaign=campaign, text=text, by=judge)
    assert len(import_results(campaign=campaign, text=text, by=other)) == 1


def test_pairing_own_match_is_logged(campaign, judge):
    own, two, three = an_enrolment(campaign, a_mustered_company(judge)), an_enrolment(campaign), an_enrolment(campaign)
    planned = a_round(campaign, "planned")
    match = match_add(round_=planned, attacker=own, defender=two, by=judge)
    assert activity_log_texts(match) == [f"Added {match} to {planned} ({OWN})"]
    same = {"match": match, "by": judge, "attacker": own, "scenario": 0, "terrain": match.terrain}
    match_change(defender=two, **same)
    assert len(activity_log_texts(match)) == 1
    match_change(defender=three, **same)
    assert activity_log_texts(match)[0].startswith(f"Changed table 1 of {planned} ({OWN}): now")


def test_removing_own_match_is_logged_without_names(campaign, judge):
    own, two, three = an_enrolment(campaign, a_mustered_company(judge)), an_enrolment(campaign), an_enrolment(campaign)
    planned = a_round(campaign, "planned")
    for attacker in (own, three):
        match_remove(match=match_add(round_=planned, attacker=attacker, defender=two, by=judge), by=judge)
    assert [entry.text for entry in campaign.activity.all()] == [f"Removed table 1 from Round 1 ({OWN})"]


# --- waiting items ----------------------------------------------------------------------------------------------------


def kinds(player):
    return [item.kind for item in waiting_for(player)]


def test_dispute_waits_for_a_judge_or_consent(match, judge):
    match = disputed(match)
    assert (kinds(judge), kinds(owner(match, 1))) == ([], ["consent"])
    consent_give(match=match, side=1, by=owner(match, 1))
    assert (kinds(judge), kinds(owner(match, 1))) == (["rule"], [])
    arbiter = a_member(match.round.campaign.club, "arbiter")
    assert (kinds(judge), kinds(owner(match, 1)), kinds(arbiter)) == ([], [], ["rule"])


# --- page and API -----------------------------------------------------------------------------------------------------


def page(client, match, player, name="match", **posted):
    client.force_login(player)
    url = reverse(f"campaigns:{name}", args=[match.key])
    answer = client.post(url, posted, follow=True) if posted else client.get(url, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_page_names_the_judge_and_takes_consent(client, match, judge):
    match = disputed(match)
    html = page(client, match, judge)
    assert f"You can do so once {owner(match, 1)} consents on the match" in html
    assert "Rule on dispute" not in html
    assert "nobody else in the club can rule on it" in page(
        client, match, judge, "match_ruling", verdict="attacker", reason="I."
    )
    assert not match.rulings.exists()
    assert "Allow opponent’s ruling" in page(client, match, owner(match, 1))
    assert "Withdraw consent" in page(client, match, owner(match, 1), "match_consent", do="give")
    assert "Rule on dispute" in page(client, match, judge)
    page(client, match, owner(match, 1), "match_consent", do="withdraw")
    assert "Rule on dispute" not in page(client, match, judge)
    arbiter = a_member(match.round.campaign.club, "arbiter")
    html = page(client, match, judge, "match_ruling")
    assert f"{arbiter} can." in html
    assert "Decision" not in html


def test_correction_page_names_another_judge(client, campaign, judge):
    match = play_match(campaign, an_enrolment(campaign, a_mustered_company(judge)), an_enrolment(campaign))
    arbiter = a_member(campaign.club, "arbiter")
    assert f"{arbiter} can." in page(client, match, judge, "match_correct")


def test_api_refuses_own_ruling_and_takes_consent(client, match, judge):
    match = disputed(match)

    def sent(path, player, body=None, method="post"):
        token = {"headers": {"Authorization": f"Token {a_token(player)}"}}
        return getattr(client, method)(reverse(path, args=[match.key]), body, "application/json", **token)

    ruling = {"verdict": "attacker", "reason": "I won."}
    refused = sent("api-match-ruling", judge, ruling)
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "judge")
    assert sent("api-match-consent", a_player(), {}).status_code == 403
    given = sent("api-match-consent", owner(match, 1), {})
    assert (given.status_code, given.json()["consented"]) == (200, ["defender"])
    assert sent("api-match-consent", owner(match, 1), {}, "delete").json()["consented"] == []
    sent("api-match-consent", owner(match, 1), {})
    assert sent("api-match-ruling", judge, ruling).status_code == 201
