"""Repair Trucks: the company keeps the repairs, and reports can contain them."""

import uuid

import pytest

from campaigns.army_lists.services import lists_reveal
from campaigns.corrections.forms import report_to_dict
from campaigns.results.decisions import match_settle_battle
from campaigns.results.reports import parse_report
from rosters.ledger.drafts import UnitResult
from rosters.ledger.records import company_record
from rosters.services import RefusedError, unit_repair
from rosters.services.results import company_apply_result
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.corrections import CASCADE, check_consistency, confirm_match, correct_match
from tests.campaigns.supported_matches import simulate_until

pytestmark = pytest.mark.django_db
BATTERED = {"hits": 1, "weapons_lost": [0], "legs": 1}  # the attacker's first Mek, which has 3 Hits when undamaged


def a_match_with_a_truck(support=("repair-truck",)):
    """Opening Shots: the attacker has a Repair Truck and a damaged VIPER."""
    campaign = a_campaign(options={"season-mode": "standing-company"})
    attacker, defender = (an_enrolment(campaign, a_mustered_company(None, "viper", "wasp", "wasp")) for _ in range(2))
    own = attacker.company
    viper = own.units.order_by("pk").first()
    result = UnitResult(unit=viper.pk, pilot=viper.pilot_id, after=BATTERED)
    company_apply_result(company=own, act=uuid.uuid4(), cause_ref=str(uuid.uuid4()), by=None, units=[result])
    match = lists_reveal(
        match=a_match(a_round(campaign), attacker, defender, scenario="opening-shots", terrain="printed")
    )
    for side, rolled in zip(match.setup["sides"], (support, ()), strict=True):
        side["support"] = list(rolled)
    match.save()
    return match, viper


def report_result(match, viper, winner="attacker", **fields):
    return parse_report({"muster": "report/1", "winner": winner, "units": {f"u{viper.pk}": fields}})


def condition_of(match, viper):
    return dict(company_record(match.attacker.company).units[viper.pk].condition)


@pytest.mark.rule("MM-085", "MM-S09")
def test_repairs_in_a_recorded_battle_are_kept():
    match, viper = a_match_with_a_truck()

    def is_repaired(result):
        (fate,) = [unit for unit in result["units"] if unit["key"] == f"u{viper.pk}"]
        return not fate["lost"] and fate["hits"] == 3 and not fate["weapons_lost"]

    battle = simulate_until(match, is_repaired)
    match_settle_battle(match=match, battle=battle, by=None)
    assert condition_of(match, viper) == {}
    with pytest.raises(RefusedError, match="isn't damaged"):
        unit_repair(company=match.attacker.company, by=match.attacker.company.owner, unit=viper)
    check_consistency()


@pytest.mark.rule("MM-085", "MM-S09")
def test_report_contains_repair_and_later_damage():
    match, viper = a_match_with_a_truck()
    match = confirm_match(match, report_result(match, viper, mended=True, hits_lost=1))
    assert condition_of(match, viper) == {"hits": 2}
    fate = report_to_dict(match)["units"][f"u{viper.pk}"]
    assert (fate["mended"], fate["hits_lost"]) == (True, 1)
    check_consistency()


@pytest.mark.rule("MM-085")
def test_correction_grid_keeps_a_reported_repair():
    match, viper = a_match_with_a_truck()
    match = confirm_match(match, report_result(match, viper, mended=True, hits_lost=1))
    before = condition_of(match, viper)
    arbiter = match.round.campaign.club.memberships.first().player
    correct_match(match, parse_report({"muster": "report/1", **report_to_dict(match)}), CASCADE, arbiter)
    assert condition_of(match, viper) == before
    check_consistency()


@pytest.mark.rule("MM-085")
def test_repair_without_a_truck_is_refused():
    match, viper = a_match_with_a_truck(support=("ambush",))
    with pytest.raises(RefusedError, match=r"had no Repair Truck, which fully repairs one unit \(MM-085\)"):
        confirm_match(match, report_result(match, viper, mended=True))


@pytest.mark.rule("MM-085")
def test_truck_repairs_only_one_unit():
    match, viper = a_match_with_a_truck()
    second = f"u{match.attacker.company.units.order_by('pk')[1].pk}"
    report = {f"u{viper.pk}": {"mended": True}, second: {"mended": True}}
    with pytest.raises(RefusedError, match="had one Repair Truck"):
        confirm_match(match, parse_report({"muster": "report/1", "winner": "draw", "units": report}))


@pytest.mark.rule("MM-085")
def test_report_form_asks_about_repairs_only_with_a_truck(client):
    match, viper = a_match_with_a_truck()
    client.force_login(match.attacker.company.owner)
    page = client.get(f"/matches/{match.key}/report/").content.decode()
    assert page.count("mended by truck") > 1
    assert f'name="u{viper.pk}-mended"' in page
    other = match.defender.company.units.first()
    assert f'name="u{other.pk}-mended"' not in page
