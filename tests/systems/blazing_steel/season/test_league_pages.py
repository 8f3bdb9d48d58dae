"""A league of Blazing Steel through the site: reports, dice, standings and pages."""

from __future__ import annotations

import html
import re

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
from rosters.services import RefusedError, design_save, unit_refit
from tests.campaigns.builders import a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.corrections import Faces, check_consistency, confirm_match, report
from tests.campaigns.gazettes import close_round

pytestmark = pytest.mark.django_db
SLUG = "blazing-steel"
FOUR = ("skimmer", "darter", "hawker", "bulwark")
FELL = {"destroyed": True, "hits_lost": 6}
OTHER_GAMES = re.compile(r"[Pp]ilot|[Ss]kill|MM-|MC-|[Zz]one battle|[Ss]upport roll")


def enrol_company(league: Campaign, name: str, *designs: str) -> Enrolment:
    return an_enrolment(league, a_mustered_company(None, *(designs or FOUR), name=name, system=SLUG))


def play_match(
    league: Campaign, one: Enrolment, other: Enrolment, winner: str, faces: Faces, *dice: int, **units
) -> Match:
    match = a_match(a_round(league), one, other, scenario="skirmish", scenario_name="Skirmish", terrain="standard")
    match = lists_reveal(match=match)
    faces.fix(match, *dice)
    return confirm_match(match, report(match, winner, **units))


def record(enrolment: Enrolment):
    return company_record(enrolment.company)


@pytest.mark.rule("BS-C02", "BS-C03", "BS-C04", "BS-C05", "BS-C07", "BS-C08")
def test_battle_books_income_losses_repairs_and_records(league, faces):
    ants, bees = enrol_company(league, "Ants"), enrol_company(league, "Bees")
    lost = {0: {"destroyed": True, "hits_lost": 4}, 2: FELL}
    won = {2: {"kills": 2, "objectives": 2}, 3: {"hits_lost": 3}}
    play_match(league, ants, bees, "attacker", faces, 2, 1, attacker=won, defender=lost)
    winner, loser = record(ants), record(bees)
    assert (winner.balance, winner.season_points) == (22 + 6 + 2, 3)
    assert (loser.balance, loser.season_points) == (22 + 3, 0)
    units = list(winner.units.values())
    assert [(unit.condition, unit.status) for unit in units] == [({}, "ready")] * 4
    assert (units[2].kills, units[2].games, units[2].recorded) == (2, 1, {"objective points": 2})
    assert "objective points: 2" in " ".join(str(line) for line in ledger_of(ants.company))
    lost_units = list(loser.units.values())
    assert [(unit.condition, unit.status, unit.times_lost) for unit in lost_units] == [
        ({"repair": True}, "ready", 1), ({}, "ready", 0), ({}, "destroyed", 1), ({}, "ready", 0),
    ]  # fmt: skip
    ledger_text = " ".join(str(line) for line in ledger_of(bees.company))
    assert "is in repair and misses the next battle (2 on the recovery die)" in ledger_text
    assert "was written off (1 on the recovery die)" in ledger_text
    check_consistency()


@pytest.mark.rule("BS-C04")
def test_warmech_in_repair_misses_one_battle(league, faces):
    ants, bees = enrol_company(league, "Ants"), enrol_company(league, "Bees")
    play_match(league, ants, bees, "attacker", faces, 3, defender={2: FELL})
    hurt = list(record(bees).units)[2]
    row = next(each for each in unit_choices(bees) if each.id == hurt)
    assert (row.refusal, row.note) == ("in repair", "")
    match = a_match(a_round(league), ants, bees, scenario="skirmish", scenario_name="Skirmish", terrain="city")
    assert hurt not in default_list(match, 1)["units"]
    opened = lists_reveal(match=match)
    confirm_match(opened, report(opened, "draw"))
    assert record(bees).units[hurt].condition == {}
    assert "is out of repair" in " ".join(str(line) for line in ledger_of(bees.company))


@pytest.mark.rule("BS-C07")
def test_ties_are_broken_by_victory_points(league, faces, client):
    ants, bees, cats, dogs = (
        enrol_company(league, name, "hawker", "hawker") for name in ("Ants", "Bees", "Cats", "Dogs")
    )
    play_match(league, dogs, ants, "attacker", faces, attacker={0: {"objectives": 1}})
    play_match(league, cats, bees, "attacker", faces, 4, attacker={0: {"objectives": 1}}, defender={0: FELL})
    rows = standings(league)
    assert [row.row.name for row in rows] == ["Cats", "Dogs", "Ants", "Bees"]
    assert [(row.row.points, row.row.scored, row.row.conceded) for row in rows] == [
        (3, 200, 0), (3, 100, 0), (0, 0, 100), (0, 0, 200),
    ]  # fmt: skip
    page = client.get(reverse("campaigns:standings", args=[league.pk])).content.decode()
    shown_points = re.findall(r'data-label="Victory points for, against">\s*([^<]*?)\s*</td>', page)
    assert shown_points == ["2, 0", "1, 0", "0, 1", "0, 2"]


@pytest.mark.rule("BS-200", "BS-C09")
def test_house_lends_darter_without_pilot_for_one_battle(league, faces):
    ants = enrol_company(league, "Ants")
    poor = an_enrolment(league, a_mustered_company(None, "hawker", name="Poor", system=SLUG, spends_all=True))
    play_match(league, ants, poor, "attacker", faces, 2, defender={0: FELL})
    assert record(poor).balance == 3
    (lent,) = take_loan(company=poor.company, by=poor.company.owner)
    assert (lent.design_name, lent.pilot) == ("Darter", None)
    stripped = design_save(
        author=poor.company.owner, system=SLUG, name="Bare", spec={"chassis": "light", "locomotion": "tracked"}
    )
    with pytest.raises(RefusedError, match="is on loan, so it can't be refitted"):
        unit_refit(company=poor.company, by=poor.company.owner, unit=lent, design=stripped)
    play_match(league, ants, poor, "attacker", faces, 1, defender={0: {"destroyed": True, "hits_lost": 4}})
    units = {unit.name: unit for unit in record(poor).units.values() if unit.status == "ready"}
    assert list(units) == ["Hawker"]
    assert units["Hawker"].condition == {}
    check_consistency()


@pytest.mark.rule("BS-C09")
def test_league_pages_hide_terms_of_other_games(league, faces, client):
    ants, bees = enrol_company(league, "Ants"), enrol_company(league, "Bees")
    match = play_match(league, ants, bees, "attacker", faces, 1, attacker={2: {"objectives": 1}}, defender={2: FELL})
    round_ = close_round(match.round)
    client.force_login(ants.company.owner)
    pages = [
        reverse("campaigns:standings", args=[league.pk]),
        reverse("campaigns:gazette", args=[league.pk, round_.number]),
        reverse("campaigns:match", args=[match.key]),
        reverse("campaigns:campaign", args=[league.pk]),
        reverse("campaigns:campaign_companies", args=[league.pk]),
        reverse("rosters:company", args=[ants.company.pk]),
    ]
    for url in pages:
        answer = client.get(url)
        assert answer.status_code == 200, url
        page = html.unescape(answer.content.decode()).partition("<main")[2].partition("</main>")[0]
        words = re.sub(r"<[^>]+>", " ", re.sub(r"<nav.*?</nav>", "", page, flags=re.S))
        assert not OTHER_GAMES.search(words), (url, OTHER_GAMES.findall(words))
