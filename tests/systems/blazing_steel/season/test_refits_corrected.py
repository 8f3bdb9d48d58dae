"""Refits when a ruling corrects an earlier match."""

from __future__ import annotations

import pytest

from rosters.ledger.records import company_record
from rosters.ledger.selectors import ledger_of
from rosters.services import design_save, unit_refit
from systems import roster_rules
from tests.campaigns.corrections import CASCADE, COMPENSATE, check_consistency, correct_match, report

from .test_league_pages import FELL, SLUG, enrol_company, play_match

pytestmark = pytest.mark.django_db
HAWKER = {**roster_rules(SLUG).spec_json(roster_rules(SLUG).published["hawker"].spec)}
SECOND = {**HAWKER, "r1": "howitzer"}
THIRD = {**SECOND, "c1": "railgun"}


@pytest.fixture
def arbiter(league):
    return league.club.memberships.first().player


def refit(enrolment, spec, name):
    """Refit the company's Hawker; return the new entry."""
    company = enrolment.company
    design = design_save(author=company.owner, system=SLUG, name=name, spec=spec)
    return unit_refit(company=company, by=company.owner, unit=company.units.order_by("pk")[2], design=design)


def hawker(enrolment):
    return list(company_record(enrolment.company).units.values())[2]


def won(match):
    return report(match, "attacker")


def fell(match):
    return report(match, "attacker", attacker={2: FELL})


@pytest.mark.rule("BS-C06")
def test_cascade_repeats_refit_that_is_possible_again(league, faces, arbiter):
    ants, bees = enrol_company(league, "Ants"), enrol_company(league, "Bees")
    match = play_match(league, ants, bees, "attacker", faces, 1)
    refit(ants, SECOND, "Hawker B")
    refit(ants, THIRD, "Hawker C")
    before = company_record(ants.company)
    correct_match(match, fell(match), CASCADE, arbiter)
    assert (hawker(ants).status, hawker(ants).spec) == ("destroyed", HAWKER)
    assert company_record(ants.company).balance == before.balance + 2
    preview, _ = correct_match(match, won(match), CASCADE, arbiter)
    assert preview.companies[0].notes == (
        "Refitted Hawker as a Hawker B: restored, because it is possible again.",
        "Refitted Hawker as a Hawker C: restored, because it is possible again.",
    )
    assert company_record(ants.company) == before
    entries = ["".join(part.text for part in row.parts) for row in ledger_of(ants.company)]
    assert any(line.startswith("Refitted Hawker as a Hawker C (changed by a ruling on ") for line in entries)
    check_consistency()
    correct_match(match, fell(match), CASCADE, arbiter)
    correct_match(match, won(match), CASCADE, arbiter)
    assert company_record(ants.company).balance == before.balance
    assert (hawker(ants).design_name, hawker(ants).spec) == ("Hawker C", THIRD)
    check_consistency()


@pytest.mark.rule("BS-C06")
def test_compensating_leaves_refit_to_cascade(league, faces, arbiter):
    ants, bees = enrol_company(league, "Ants"), enrol_company(league, "Bees")
    match = play_match(league, ants, bees, "attacker", faces, 1)
    refit(ants, SECOND, "Hawker B")
    correct_match(match, fell(match), CASCADE, arbiter)
    preview, _ = correct_match(match, won(match), COMPENSATE, arbiter)
    assert preview.companies[0].notes == (
        "Refitted Hawker as a Hawker B: not restored, because only a cascade restores it.",
    )
    assert hawker(ants).spec == HAWKER
    check_consistency()


@pytest.mark.rule("BS-C06")
def test_later_refit_by_player_is_kept(league, faces, arbiter):
    ants, bees = enrol_company(league, "Ants"), enrol_company(league, "Bees")
    match = play_match(league, ants, bees, "attacker", faces, 1)
    refit(ants, SECOND, "Hawker B")
    correct_match(match, fell(match), CASCADE, arbiter)
    correct_match(match, won(match), COMPENSATE, arbiter)
    other = {**HAWKER, "c1": "railgun"}
    refit(ants, other, "Hawker D")
    preview, _ = correct_match(match, report(match, "draw"), CASCADE, arbiter)
    assert "Refitted Hawker as a Hawker B: not restored, because Hawker has been used since its return." in (
        preview.companies[0].notes
    )
    assert (hawker(ants).design_name, hawker(ants).spec) == ("Hawker D", other)
    check_consistency()
