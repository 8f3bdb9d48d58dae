"""A hurt pilot or a unit in the workshop misses one played game; byes, forfeits and refusals don't count."""

import pytest

from campaigns.army_lists.services import lists_reveal
from campaigns.models import DecidedBy, MatchState, Outcome
from campaigns.results.decisions import match_settle_unfought
from rosters.ledger.records import company_record
from systems import roster_rules
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.corrections import Faces, confirm_match, play_match, report

pytestmark = pytest.mark.django_db


@pytest.fixture
def faces(monkeypatch):
    return Faces(monkeypatch)


def nobody_fights(campaign, one, other, **terms):
    """Give the first company a bye, a forfeit and a refused match."""
    bye = a_match(a_round(campaign), one, other, state="bye", outcome="attacker", **terms)
    bye.defender = None
    bye.save()
    for state, outcome in ((MatchState.FORFEITED, Outcome.ATTACKER), (MatchState.REFUSED, Outcome.NONE)):
        match = a_match(a_round(campaign), one, other, **terms)
        match_settle_unfought(match=match, state=state, outcome=outcome, decided_by=DecidedBy.DEADLINE, by=None)


@pytest.mark.rule("MM-S03")
def test_injured_pilot_does_not_recover_in_a_bye(faces):
    campaign = a_campaign()
    ants, bees = (an_enrolment(campaign, a_mustered_company(name=name)) for name in ("Ants", "Bees"))
    fallen = {"destroyed": True, "hits_lost": 2}
    play_match(campaign, ants, bees, "defender", faces=faces, dice=(2, 1, 1, 1, 1), attacker={0: fallen})
    (hurt, _) = company_record(ants.company).pilots.values()
    assert hurt.status == "wounded"
    nobody_fights(campaign, ants, bees)
    assert company_record(ants.company).pilots[hurt.id].status == "wounded"
    play_match(campaign, ants, bees)
    assert company_record(ants.company).pilots[hurt.id].status == "active"


@pytest.mark.rule("MC-204")
def test_unit_does_not_leave_the_workshop_in_a_bye(faces):
    slug = "mech-campaign"
    campaign = a_campaign(
        system=slug,
        scenarios=[{"value": "claim-dispute", "name": "Claim Dispute"}],
        options={},
        catalogue_release=roster_rules(slug).catalogue_release,
    )
    lance = ("heavy-mech", "heavy-mech", "light-mech", "light-mech", "track", "light-mech")
    ants, bees = (an_enrolment(campaign, a_mustered_company(None, *lance, name=name, system=slug)) for name in "AB")
    terms = {"scenario": "claim-dispute", "terrain": "rolled"}
    match = lists_reveal(match=a_match(a_round(campaign), ants, bees, **terms))
    faces.fix(match, 3)
    confirm_match(match, report(match, "defender", attacker={0: {"destroyed": True}}))
    first = min(company_record(ants.company).units)
    assert company_record(ants.company).units[first].condition == {"workshop": True}
    nobody_fights(campaign, ants, bees, **terms)
    assert company_record(ants.company).units[first].condition == {"workshop": True}
    match = lists_reveal(match=a_match(a_round(campaign), ants, bees, **terms))
    assert f"u{first}" not in match.forces[0]
    confirm_match(match, report(match))
    assert company_record(ants.company).units[first].condition == {}
