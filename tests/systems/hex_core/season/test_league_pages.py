"""A league of Hex Core through the site: reports, dice, experience, standings and pages."""

from __future__ import annotations

import html

import pytest
from django.urls import reverse

from campaigns.army_lists.checks import default_list
from campaigns.army_lists.selectors import unit_choices
from campaigns.army_lists.services import lists_reveal
from campaigns.models import Campaign, Enrolment, Match
from campaigns.results.aftermath import take_loan
from campaigns.standings.selectors import standings
from rosters.ledger.records import company_record
from rosters.ledger.selectors import ledger_of
from rosters.models import Pilot
from rosters.services import RefusedError, pilot_assign, pilot_hire
from rosters.services.results import pilot_learn
from systems import roster_rules, season_rules
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.corrections import Faces, check_consistency, confirm_match, report

pytestmark = pytest.mark.django_db
SLUG = "hex-core"
LINE = ("warden", "longbow", "mauler", "wisp")  # 301 points
FELL = {"destroyed": True}


@pytest.fixture
def faces(monkeypatch) -> Faces:
    return Faces(monkeypatch)


@pytest.fixture
def league() -> Campaign:
    return a_campaign(
        system=SLUG,
        scenarios=[{"value": "elimination", "name": "Elimination"}],
        options={},
        tie_breakers=list(season_rules(SLUG).tie_breakers),
        catalogue_release=roster_rules(SLUG).catalogue_release,
    )


def enrol_company(league: Campaign, name: str, *designs: str) -> Enrolment:
    return an_enrolment(league, a_mustered_company(None, *(designs or LINE), name=name, system=SLUG))


def play_match(
    league: Campaign, one: Enrolment, other: Enrolment, winner: str, faces: Faces, *dice: int, **units
) -> Match:
    match = a_match(
        a_round(league), one, other, scenario="elimination", scenario_name="Elimination", terrain="open-plain"
    )
    match = lists_reveal(match=match)
    faces.fix(match, *dice)
    return confirm_match(match, report(match, winner, **units))


def record(enrolment: Enrolment):
    return company_record(enrolment.company)


def ledger_text(enrolment: Enrolment) -> str:
    return " ".join(str(line) for line in ledger_of(enrolment.company))


@pytest.mark.rule("HX-174", "HX-175", "HX-176", "HX-178", "HX-179", "HX-180", "HX-181", "HX-183", "HX-184")
def test_battle_books_income_salvage_and_experience(league, faces):
    ants, bees = enrol_company(league, "Ants"), enrol_company(league, "Bees")
    won = {0: {"kills": 2, "prey": 5, "parts": 1}, 2: {"hits_lost": 30}, 3: {"withdrew": True}}
    lost = {0: FELL, 3: FELL}
    play_match(league, ants, bees, "attacker", faces, 2, 8, 5, 1, attacker=won, defender=lost)
    winner, loser = record(ants), record(bees)
    assert (winner.balance, winner.season_points) == (480 - 301 + 40, 3)
    assert (loser.balance, loser.season_points) == (480 - 301 + 25, 0)
    assert [(unit.condition, unit.status) for unit in winner.units.values()] == [({}, "ready")] * 4
    assert list(winner.units.values())[0].recorded == {"equipment destroyed": 1}
    assert [(pilot.points, pilot.kills, pilot.experience) for pilot in winner.pilots.values()] == [
        (8, 2, "regular"), (2, 0, "rookie"), (2, 0, "rookie"), (1, 0, "rookie"),
    ]  # fmt: skip
    assert [(unit.condition, unit.status) for unit in loser.units.values()] == [
        ({}, "destroyed"), ({}, "ready"), ({}, "ready"), ({"repair": True}, "ready"),
    ]  # fmt: skip
    assert [(pilot.status, pilot.points) for pilot in loser.pilots.values()] == [
        ("active", 1), ("active", 1), ("active", 1), ("dead", 0),
    ]  # fmt: skip
    assert "was scrapped (2 on the salvage die)" in ledger_text(bees)
    assert "was salvaged and misses the next battle (5 on the salvage die)" in ledger_text(bees)
    assert "was promoted to Regular" in ledger_text(ants)
    check_consistency()


@pytest.mark.rule("HX-177")
def test_regular_learns_chosen_trait_at_units_cost(league, faces, client):
    ants, bees = enrol_company(league, "Ants"), enrol_company(league, "Bees")
    fell = {0: FELL, 1: FELL}
    play_match(league, ants, bees, "attacker", faces, 8, 8, 8, 8, attacker={0: {"kills": 2, "prey": 6}}, defender=fell)
    company = ants.company
    first = next(iter(record(ants).pilots.values()))
    assert (first.experience, first.pending) == ("regular", ("marksman",))
    assert "earned a skill" in ledger_text(ants)
    assert "on a die" not in ledger_text(ants)
    client.force_login(company.owner)
    page = html.unescape(client.get(reverse("rosters:pilot", args=[company.pk, first.id])).content.decode())
    assert "Wary" in page
    pilot_learn(company=company, by=company.owner, pilot=Pilot.objects.get(pk=first.id), skill="wary")
    first = next(iter(record(ants).pilots.values()))
    assert (first.skills, first.pending) == (("wary",), ())
    unit = next(iter(record(ants).units.values()))
    page = html.unescape(client.get(reverse("rosters:unit", args=[company.pk, unit.id])).content.decode())
    assert "80" in page
    assert "Wary" in page


@pytest.mark.rule("HX-179", "HX-180")
def test_salvaged_unit_misses_next_battle(league, faces):
    ants, bees = enrol_company(league, "Ants"), enrol_company(league, "Bees")
    play_match(league, ants, bees, "attacker", faces, 3, 1, defender={0: FELL})
    hurt = next(iter(record(bees).units))
    rookie = pilot_hire(company=bees.company, by=bees.company.owner, name="New Blood")
    assert record(bees).pilots[rookie.pk].experience == "rookie"
    row = next(each for each in unit_choices(bees) if each.id == hurt)
    assert row.refusal == "in repair"
    match = a_match(a_round(league), ants, bees, scenario="elimination", scenario_name="Elimination", terrain="coast")
    assert hurt not in default_list(match, 1)["units"]
    opened = lists_reveal(match=match)
    confirm_match(opened, report(opened, "draw"))
    assert record(bees).units[hurt].condition == {}
    assert record(bees).balance == 480 - 301 + 25 + 30
    assert "is out of repair" in ledger_text(bees)


@pytest.mark.rule("HX-183")
def test_ties_are_broken_by_points_destroyed_then_lost(league, faces, client):
    names = ("Ants", "Bees", "Cats", "Dogs")
    ants, bees, cats, dogs = (enrol_company(league, name, "warden", "trooper") for name in names)
    play_match(league, dogs, ants, "attacker", faces, 8, 8, defender={0: FELL})
    play_match(league, cats, bees, "attacker", faces, 8, 8, 8, 8, attacker={1: FELL}, defender={0: FELL})
    rows = standings(league)
    assert [(row.row.name, row.row.points, row.row.destroyed_points, row.row.lost_points) for row in rows] == [
        ("Dogs", 3, 76, 0), ("Cats", 3, 76, 37), ("Bees", 0, 37, 76), ("Ants", 0, 0, 76),
    ]  # fmt: skip
    page = client.get(reverse("campaigns:standings", args=[league.pk])).content.decode()
    assert "Victory points" not in page  # the game has none


def test_house_lends_trooper_and_rookie_for_one_battle(league, faces):
    ants = enrol_company(league, "Ants")
    poor = an_enrolment(league, a_mustered_company(None, "warden", name="Poor", system=SLUG, spends_all=True))
    play_match(league, ants, poor, "attacker", faces, 1, 8, defender={0: FELL})
    assert record(poor).balance == 25
    (lent,) = take_loan(company=poor.company, by=poor.company.owner)
    assert (lent.design_name, lent.pilot is not None) == ("Trooper", True)
    play_match(league, ants, poor, "attacker", faces, defender={0: FELL})
    assert [unit for unit in record(poor).units.values() if unit.status == "ready"] == []
    assert record(poor).balance == 50
    check_consistency()


@pytest.mark.rule("HX-176", "HX-180")
@pytest.mark.parametrize(("face", "status", "points"), [(1, "dead", 1), (2, "wounded", 4), (4, "active", 4)])
def test_own_pilot_in_lent_unit_gains_experience(league, faces, face, status, points):
    ants = enrol_company(league, "Ants")
    poor = an_enrolment(league, a_mustered_company(None, "warden", name="Poor", system=SLUG, spends_all=True))
    play_match(league, ants, poor, "attacker", faces, 1, 8, defender={0: FELL})
    (own,) = record(poor).pilots.values()
    assert own.points == 1
    (lent,) = take_loan(company=poor.company, by=poor.company.owner)
    pilot_assign(company=poor.company, by=poor.company.owner, unit=lent, pilot=Pilot.objects.get(pk=own.id))
    play_match(league, ants, poor, "attacker", faces, face, defender={0: {"destroyed": True, "prey": 2}})
    pilot = record(poor).pilots[own.id]
    assert (pilot.status, pilot.points) == (status, points)
    assert record(poor).units[lent.pk].status == "undone"  # no salvage die: the unit goes back
    check_consistency()


@pytest.mark.rule("HX-177")
def test_due_trait_cannot_be_declined(league, faces):
    ants, bees = enrol_company(league, "Ants"), enrol_company(league, "Bees")
    play_match(league, ants, bees, "attacker", faces, 8, 8, attacker={0: {"prey": 6}}, defender={0: FELL})
    first = next(iter(record(ants).pilots.values()))
    with pytest.raises(RefusedError, match="There's no skill"):
        pilot_learn(company=ants.company, by=ants.company.owner, pilot=Pilot.objects.get(pk=first.id), skill="")
    play_match(league, ants, bees, "draw", faces)
    assert record(ants).pilots[first.id].skills == ("marksman",)
