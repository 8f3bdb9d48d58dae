"""Reports, confirmation, disputes and rulings in the services."""

from dataclasses import replace

import pytest

from campaigns.army_lists.services import list_submit, lists_reveal
from campaigns.models import MatchState
from campaigns.results.reports import ReportLabels, compare_reports, differences, merge_reports, parse_report
from campaigns.results.rulings import match_rule
from campaigns.results.selectors import support_names, support_problem
from campaigns.results.services import (
    confirm_single_reports,
    match_confirm,
    match_confirm_by_deadline,
    match_refuse,
    match_reveal_lists,
    match_withdraw_refusal,
    report_make,
    report_withdraw,
)
from rosters.ledger.records import company_record
from rosters.ledger.records import differences as ledger_differences
from rosters.services import RefusedError
from systems.documents import DocumentError
from systems.meks_and_mercs.build import HAND
from tests.campaigns.builders import a_campaign, a_match, a_member, a_mustered_company, a_round
from tests.campaigns.supported_matches import a_supported_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    return lists_reveal(match=a_match())


def document(winner="attacker", units=None, **fields):
    return {"muster": "report/1", "winner": winner, "units": units or {}, **fields}


def key(match, side, place=0):
    return list(match.forces[side])[place]


def a_kill(match, winner="attacker"):
    """Build a report in which the first attacker destroyed the first defender."""
    return document(winner, {key(match, 0): {"kills": 1}, key(match, 1): {"destroyed": True, "hits_lost": 2}})


def owner(match, side):
    return (match.attacker, match.defender)[side].company.owner


def report_result(match, side, content):
    return report_make(match=match, side=side, content=content, by=owner(match, side))


# --- two reports ------------------------------------------------------------------------------------------------------


def test_first_report_waits_for_the_other_side(match):
    match = report_result(match, 0, a_kill(match))
    assert (match.state, match.outcome, match.battle) == (MatchState.REPORTED, "", None)
    assert match.activity.first().text.startswith(f"{match.attacker.company.name} reported its round 1 match")


def test_agreeing_reports_confirm_the_match(match):
    report_result(match, 0, a_kill(match))
    match = report_result(match, 1, a_kill(match) | {"rounds": 6})
    assert (match.state, match.outcome, match.decided_by) == ("confirmed", "attacker", "agreement")
    assert match.battle.result["rounds"] == 6
    assert company_record(match.attacker.company).won == 1
    for side in (match.attacker, match.defender):
        assert list(ledger_differences(side.company)) == []


def test_differing_reports_dispute_only_this_match(match):
    other = lists_reveal(match=a_match(match.round))
    report_result(match, 0, a_kill(match))
    match = report_result(match, 1, a_kill(match, winner="defender"))
    dispute = match.disputes.get()
    assert match.state == MatchState.DISPUTED
    (row,) = dispute.differences
    assert row == {
        "path": "winner",
        "label": "Winner",
        "attacker": match.attacker.company.name,
        "defender": match.defender.company.name,
    }
    assert report_result(other, 0, document("draw")).state == MatchState.REPORTED


def test_report_can_be_replaced_until_the_decision(match):
    report_result(match, 0, document("draw"))
    report_result(match, 0, a_kill(match))
    assert [row.is_current for row in match.reports.all()] == [False, True]
    report_result(match, 1, document("draw"))
    match = report_result(match, 1, a_kill(match))
    assert (match.state, match.decided_by) == ("confirmed", "agreement")
    assert match.disputes.get().closed_at
    with pytest.raises(RefusedError, match="Ask an arbiter to correct it"):
        report_result(match, 0, document("draw"))


def test_new_report_in_a_dispute_updates_its_differences(match):
    report_result(match, 0, a_kill(match))
    report_result(match, 1, document("draw"))
    report_result(match, 1, a_kill(match, winner="draw"))
    new, old = match.disputes.all()
    assert (old.closed_at is not None, new.closed_at) == (True, None)
    assert (len(old.differences), len(new.differences)) == (4, 1)


def test_repeated_report_changes_nothing(match):
    report_result(match, 0, a_kill(match))
    report_result(match, 0, a_kill(match))
    assert match.reports.count() == 1
    assert match.activity.count() == 1


def test_withdrawn_report_leaves_the_other_waiting(match):
    report_result(match, 0, a_kill(match))
    report_result(match, 1, document("draw"))
    match = report_withdraw(match=match, side=1, by=owner(match, 1))
    assert match.state == MatchState.REPORTED
    assert match.disputes.get().closed_at
    match = report_withdraw(match=match, side=0, by=owner(match, 0))
    assert match.state == MatchState.SCHEDULED
    with pytest.raises(RefusedError, match="You have no report to withdraw"):
        report_withdraw(match=match, side=0, by=owner(match, 0))


# --- impossible reports -----------------------------------------------------------------------------------------------


def refused(match, content, field, reason):
    with pytest.raises(RefusedError, match=reason) as error:
        report_result(match, 0, content)
    assert error.value.field == field
    assert not match.reports.exists()


def test_more_kills_than_losses_are_refused(match):
    refused(
        match, document(units={key(match, 0): {"kills": 1}}), "kills", "has 1 kills, but the other side lost only 0"
    )


def test_more_lost_hits_than_the_unit_has_are_refused(match):
    unit = key(match, 1)
    refused(match, document(units={unit: {"hits_lost": 9}}), f"units.{unit}.hits_lost", "has only 2 Hits to lose")


def test_unknown_unit_is_refused(match):
    refused(match, document(units={"zz": {"kills": 0}}), "units.zz", "no unit “zz” in this match")


def test_pilot_of_another_company_is_refused(match):
    other = a_mustered_company().units.first()
    refused(
        match, document(units={f"u{other.pk}": {"wounded": True}}), f"units.u{other.pk}", "either company of this match"
    )


def test_unit_not_fielded_is_refused():
    match = a_match()
    match.sealed.create(side=0, document=_force(match, 1), salt="s", hash="h")
    match = lists_reveal(match=match)
    home = match.attacker.company.units.exclude(pk__in=[int(unit[1:]) for unit in match.forces[0]]).get()
    refused(match, document(units={f"u{home.pk}": {"kills": 1}}), f"units.u{home.pk}", "wasn't fielded in this match")


def _force(match, count, side=0):
    units = (match.attacker, match.defender)[side].company.units.values_list("pk", flat=True)[:count]
    return {"units": list(units), "doctrine": "cautious"}


def test_invalid_report_document_is_refused_with_its_path(match):
    with pytest.raises(DocumentError, match="winner"):
        report_result(match, 0, {"muster": "report/1", "winner": "nobody"})


@pytest.mark.parametrize(
    ("had", "used", "problem"),
    [
        (["ambush"], ["ambush"], ""),
        (["roll"], ["decoy"], ""),
        (["ambush", "roll"], ["ambush", "ambush"], ""),
        ([], ["ambush"], "didn't have Ambush."),
        (["roll"], ["decoy", "ambush"], "didn't have Ambush."),
        (["ambush"], ["ambush", "ambush"], "had Ambush once, so it can't have used it twice."),
        (["ambush"], ["nonsense"], "can't have used 'nonsense': there is no such support."),
    ],
)
def test_support_can_be_used_only_as_often_as_owned(had, used, problem):
    assert support_problem(had, used, support_names("meks-and-mercs")) == problem


def test_support_in_a_battle_without_any_is_refused(match):
    refused(match, document(support={"attacker": ["ambush"]}), "support.attacker", "didn't have Ambush")


def test_report_before_the_reveal_is_refused():
    match = a_match()
    with pytest.raises(RefusedError, match="revealed yet"):
        report_result(match, 0, document())
    for side in (0, 1):
        match = list_submit(match=match, side=side, by=owner(match, side), **_force(match, 1, side))
    assert report_result(match, 0, document()).state == MatchState.REPORTED
    assert match_reveal_lists(match=match, side=1, by=owner(match, 1)).setup == match.setup  # already revealed


@pytest.mark.parametrize(
    ("round_state", "campaign_state", "reason"),
    [("planned", "running", "been published"), ("open", "finished", "not running")],
)
def test_report_needs_an_open_round_of_a_running_campaign(round_state, campaign_state, reason):
    campaign = a_campaign()
    match = lists_reveal(match=a_match(a_round(campaign, state=round_state)))
    campaign.state = campaign_state
    campaign.save()
    refused(match, document(), "round" if round_state == "planned" else "campaign", reason)


# --- one report -------------------------------------------------------------------------------------------------------


def test_other_side_confirms_a_report(match):
    report_result(match, 0, a_kill(match))
    match = match_confirm(match=match, side=1, report=match.reports.get().pk, by=owner(match, 1))
    assert (match.state, match.outcome, match.decided_by) == ("confirmed", "attacker", "other-side")
    assert match.decider == owner(match, 1)


def test_replaced_report_is_not_confirmed(match):
    report_result(match, 0, a_kill(match))
    read = match.reports.get().pk
    report_result(match, 0, document("draw"))
    with pytest.raises(RefusedError, match="Read it again"):
        match_confirm(match=match, side=1, report=read, by=owner(match, 1))


def test_own_report_cannot_be_confirmed(match):
    report_result(match, 0, a_kill(match))
    with pytest.raises(RefusedError, match="The other side hasn't reported yet"):
        match_confirm(match=match, side=0, report=match.reports.get().pk, by=owner(match, 0))


def test_disputing_side_can_confirm_the_other_report(match):
    report_result(match, 0, a_kill(match))
    report_result(match, 1, document("draw"))
    theirs = match.reports.get(side=0).pk
    match = match_confirm(match=match, side=1, report=theirs, by=owner(match, 1))
    assert (match.state, match.outcome) == ("confirmed", "attacker")
    assert match.disputes.get().closed_at


def test_single_report_counts_at_the_deadline(match):
    report_result(match, 1, document("defender"))
    waiting = lists_reveal(match=a_match(match.round))
    (settled,) = confirm_single_reports(match.round)
    assert (settled.pk, settled.outcome, settled.decided_by, settled.decider) == (
        match.pk,
        "defender",
        "deadline",
        None,
    )
    waiting.refresh_from_db()
    assert waiting.state == MatchState.SCHEDULED
    assert confirm_single_reports(match.round) == []


def test_single_report_waits_if_both_are_required():
    match = lists_reveal(match=a_match(a_round(a_campaign(confirms_by_deadline=False))))
    report_result(match, 0, document())
    assert match_confirm_by_deadline(match=match) is None
    assert confirm_single_reports(match.round) == []


def test_dispute_is_not_decided_by_the_deadline(match):
    report_result(match, 0, a_kill(match))
    report_result(match, 1, document("draw"))
    assert confirm_single_reports(match.round) == []


# --- refusing to play -------------------------------------------------------------------------------------------------


def test_side_refuses_to_play_with_a_reason_and_returns(match):
    with pytest.raises(RefusedError, match="Give a reason"):
        match_refuse(match=match, side=0, reason=" ", by=owner(match, 0))
    match = match_refuse(match=match, side=0, reason="Moving house", by=owner(match, 0))
    assert (match.refusing_side, match.refusal, match.state) == (0, "Moving house", "scheduled")
    with pytest.raises(RefusedError, match="The other side has already said that it can't play. An arbiter decides"):
        match_refuse(match=match, side=1, reason="Me too", by=owner(match, 1))
    with pytest.raises(RefusedError, match="hasn't said"):
        match_withdraw_refusal(match=match, side=1, by=owner(match, 1))
    assert match_withdraw_refusal(match=match, side=0, by=owner(match, 0)).refusing_side is None


def test_report_ends_a_refusal(match):
    match_refuse(match=match, side=0, reason="No time", by=owner(match, 0))
    assert report_result(match, 0, document()).refusing_side is None
    with pytest.raises(RefusedError, match="You have reported this match as played. Withdraw your report first"):
        match_refuse(match=match, side=0, reason="No time", by=owner(match, 0))


# --- rulings ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def arbiter(match):
    return a_member(match.round.campaign.club, "arbiter")


def disputed(match):
    report_result(match, 0, a_kill(match))
    return report_result(match, 1, document("draw"))


@pytest.mark.parametrize(("verdict", "outcome"), [("attacker", "attacker"), ("defender", "draw")])
def test_arbiter_upholds_one_report(match, arbiter, verdict, outcome):
    ruling = match_rule(match=disputed(match), verdict=verdict, reason="Photos agree.", by=arbiter)
    match.refresh_from_db()
    assert (match.state, match.outcome, match.decided_by, match.decider) == ("ruled", outcome, "ruling", arbiter)
    assert match.disputes.get().ruling == ruling
    assert (ruling.kind, ruling.decision["verdict"], ruling.decision["report"]["winner"]) == (
        "dispute",
        verdict,
        outcome,
    )
    assert "Photos agree." in match.activity.first().text


def test_arbiter_gives_an_own_version(match, arbiter):
    ruling = match_rule(
        match=disputed(match), verdict="own", reason="In between.", by=arbiter, content=document("defender")
    )
    match.refresh_from_db()
    assert (match.outcome, ruling.decision["report"]["winner"]) == ("defender", "defender")


def test_arbiters_own_version_is_checked_like_a_report(match, arbiter):
    with pytest.raises(RefusedError, match="lost only 0"):
        match_rule(
            match=disputed(match),
            verdict="own",
            reason="In between.",
            by=arbiter,
            content=document(units={key(match, 0): {"kills": 3}}),
        )
    match.refresh_from_db()
    assert match.state == "disputed"


@pytest.mark.parametrize(
    ("verdict", "state", "outcome"),
    [
        ("attacker-forfeits", "forfeited", "defender"),
        ("defender-forfeits", "forfeited", "attacker"),
        ("draw", "forfeited", "draw"),
        ("refused", "refused", "none"),
        ("void", "void", "none"),
    ],
)
def test_arbiter_decides_an_unfought_match(match, arbiter, verdict, state, outcome):
    before = match.attacker.company.ledger.count()
    ruling = match_rule(match=match, verdict=verdict, reason="Nobody came.", by=arbiter)
    match.refresh_from_db()
    assert (match.state, match.outcome, ruling.kind) == (state, outcome, "match")
    assert match.attacker.company.ledger.count() == before


@pytest.mark.parametrize(
    ("verdict", "reason", "field"),
    [
        ("attacker", "ok so", "verdict"),
        ("hang them", "ok so", "verdict"),
        ("void", " ", "reason"),
        ("own", "ok so", "report"),
    ],
)
def test_invalid_ruling_is_refused(match, arbiter, verdict, reason, field):
    with pytest.raises(RefusedError) as error:
        match_rule(match=match, verdict=verdict, reason=reason, by=arbiter)
    assert error.value.field == field
    assert not match.rulings.exists()


def test_match_is_ruled_only_once(match, arbiter):
    match_rule(match=match, verdict="void", reason="Never was.", by=arbiter)
    with pytest.raises(RefusedError, match="to correct it"):
        match_rule(match=match, verdict="draw", reason="Or was it.", by=arbiter)


# --- comparing --------------------------------------------------------------------------------------------------------

WORDS = ReportLabels(
    sides=("Red", "Blue"), units={"a1": "Wasp", "b1": "Thor"}, support={"ambush": "Ambush"}, fields=HAND.asks
)


def test_every_field_of_two_reports_is_compared():
    left = parse_report(document("attacker", {"a1": {"kills": 1}, "b1": {"destroyed": True}}, rounds=3))
    right = parse_report(document("draw", {"a1": {"wounded": True}}, rounds=4, support={"defender": ["ambush"]}))
    found = {row.path: (row.label, row.attacker, row.defender) for row in differences(left, right, WORDS)}
    assert found == {
        "winner": ("Winner", "Red", "draw"),
        "rounds": ("Rounds", "3", "4"),
        "units.a1.kills": ("Wasp: kills", "1", "0"),
        "units.a1.wounded": ("Wasp: pilot wounded", "no", "yes"),
        "units.b1.destroyed": ("Thor: destroyed", "yes", "no"),
        "support.defender": ("Blue: support used", "none", "Ambush"),
    }
    assert len(compare_reports(left, right, WORDS)) == 2 + 2 * len(HAND.fields) + 2


def test_omitted_values_do_not_differ():
    left = parse_report(document(units={"b1": {"destroyed": True, "hits_lost": 2}}, rounds=3))
    right = parse_report(document(units={"b1": {"destroyed": True}}))
    assert differences(left, right, WORDS) == ()


def test_missing_report_differs_from_nothing():
    rows = compare_reports(parse_report(document()), None, WORDS)
    assert not any(row.differs for row in rows)
    assert rows[0].defender == ""
    assert replace(rows[0], of="Wasp").label == "Wasp: winner"


# --- support ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def supported():
    return a_supported_match()


def test_used_support_is_kept_with_the_battle(supported):
    used = document("draw", support={"attacker": ["ambush"], "defender": ["decoy"]})
    report_result(supported, 0, used)
    match = report_result(supported, 1, used)
    assert match.state == "confirmed"
    assert match.battle.result["support"] == [["ambush"], ["decoy"]]


def test_different_support_is_disputed(supported):
    report_result(supported, 0, document("draw", support={"attacker": ["ambush"]}))
    match = report_result(supported, 1, document("draw"))
    (row,) = match.disputes.get().differences
    assert (row["path"], row["attacker"], row["defender"]) == ("support.attacker", "Ambush", "none")


def test_fate_reported_by_one_side_counts():
    destroyed = {"destroyed": True, "hits_lost": 2}
    left = parse_report(document(units={"b1": destroyed}, rounds=3))
    right = parse_report(document(units={"b1": {**destroyed, "fate": "injured"}}))
    assert differences(left, right, WORDS) == ()
    together = merge_reports(left, right)
    assert (together.rounds, together.units["b1"].fate) == (3, "injured")
    other = parse_report(document(units={"b1": {**destroyed, "fate": "killed"}}))
    assert [row.path for row in differences(right, other, WORDS)] == ["units.b1.fate"]
