"""Deciding a match: its effects on the companies, and that it happens once."""

import pytest

from campaigns.army_lists.services import list_hash, list_submit, lists_reveal
from campaigns.models import DecidedBy, MatchState, Outcome
from campaigns.results import aftermath
from campaigns.results.decisions import match_settle_report, match_settle_unfought
from campaigns.results.reports import parse_report
from rosters.ledger.records import company_record, differences
from rosters.services import RefusedError
from systems.engine.dice import ScriptedDice, commitment
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment

pytestmark = pytest.mark.django_db


def report(match, winner="attacker", **units):
    return parse_report({"muster": "report/1", "winner": winner, "units": units})


def settle(match, document, state=MatchState.CONFIRMED):
    return match_settle_report(match=match, report=document, state=state, decided_by=DecidedBy.AGREEMENT, by=None)


def keys(match, side):
    return list(match.forces[side])


def test_report_is_logged_to_both_companies():
    match = lists_reveal(match=a_match())
    (first, _), (loser, _) = keys(match, 0), keys(match, 1)
    match = settle(match, report(match, **{first: {"kills": 1}, loser: {"destroyed": True, "hits_lost": 2}}))
    assert (match.state, match.outcome) == ("confirmed", "attacker")
    won, lost = (company_record(side.company) for side in (match.attacker, match.defender))
    assert (won.won, won.lost, lost.won, lost.lost) == (1, 0, 0, 1)
    assert sorted(pilot.kills for pilot in won.pilots.values()) == [0, 1]
    assert sorted(unit.status for unit in lost.units.values()) == ["destroyed", "ready"]
    for side in (match.attacker, match.defender):
        assert list(differences(side.company)) == []


def test_aftermath_dice_are_revealed():
    match = lists_reveal(match=a_match())
    assert match.dice.revealed_at is None
    match = settle(match, report(match))
    match.dice.refresh_from_db()
    assert match.dice.revealed_at
    assert commitment(match.dice.secret) == match.dice.commitment


def test_match_is_decided_once():
    match = lists_reveal(match=a_match())
    settle(match, report(match))
    with pytest.raises(RefusedError, match="Ask an arbiter to correct it"):
        settle(match, report(match, winner="defender"))
    assert company_record(match.attacker.company).won == 1


def test_forfeit_changes_no_ledger():
    match = a_match()
    before = match.attacker.company.ledger.count()
    match = match_settle_unfought(
        match=match, state=MatchState.FORFEITED, outcome=Outcome.ATTACKER, decided_by=DecidedBy.DEADLINE, by=None
    )
    assert match.battle is None
    assert match.attacker.company.ledger.count() == before


def test_lists_are_hidden_until_both_are_submitted():
    match = a_match()
    company = match.attacker.company
    units = list(company.units.values_list("pk", flat=True))
    match = list_submit(match=match, side=0, units=units[:1], doctrine="cautious", by=company.owner)
    sealed = match.sealed.get()
    assert match.setup is None
    assert sealed.hash == list_hash(sealed.salt, sealed.document)
    other = match.defender.company
    list_submit(
        match=match,
        side=1,
        units=list(other.units.values_list("pk", flat=True)),
        doctrine="aggressive",
        by=other.owner,
    )
    match.refresh_from_db()
    assert [len(side["units"]) for side in match.setup["sides"]] == [1, 2]
    assert [side["doctrine"] for side in match.setup["sides"]] == ["cautious", "aggressive"]
    with pytest.raises(RefusedError, match="already revealed"):
        list_submit(match=match, side=0, units=units, doctrine="cautious", by=company.owner)


@pytest.mark.rule("MM-S13")
def test_attackers_dice_roll_first(monkeypatch):
    older, younger = a_mustered_company(name="Older"), a_mustered_company(name="Younger")
    campaign = a_campaign()
    match = a_match(a_round(campaign), an_enrolment(campaign, younger), an_enrolment(campaign, older))
    monkeypatch.setattr(aftermath, "SeededDice", lambda seed: ScriptedDice([5, 1, 1, 1]))
    match = lists_reveal(match=match)
    settle(match, report(match))
    pending = [[pilot.pending for pilot in company_record(each).pilots.values()] for each in (younger, older)]
    assert pending == [[("accuracy",), ()], [(), ()]]


@pytest.mark.rule("MM-S03")
def test_reported_fate_is_logged_as_reported():
    match = lists_reveal(match=a_match())
    loser = keys(match, 1)[0]
    match = settle(match, report(match, **{loser: {"destroyed": True, "hits_lost": 2, "fate": "killed"}}))
    statuses = sorted(pilot.status for pilot in company_record(match.defender.company).pilots.values())
    assert statuses == ["active", "dead"]
