"""A company of MechaStellar: founded, grown, damaged, repaired."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest

from campaigns.campaign.services import max_points_for
from campaigns.results.aftermath import take_loan
from rosters.documents.snapshots import fielded, ready_units
from rosters.entries.company import Game
from rosters.entries.units_and_pilots import Promoted, Wounded
from rosters.ledger.records import company_record
from rosters.models import Company
from rosters.selectors import company_sheet
from rosters.services import (
    RefusedError,
    UnitResult,
    company_apply_result,
    company_create,
    pilot_assign,
    pilot_hire,
    pilot_retire,
    undo_last_act,
    unit_buy,
    unit_repair,
    unit_sell,
)
from rosters.services.base import Act
from rosters.services.results import restore
from systems import BATTLES
from systems.mechastellar.build import SYSTEM as ROSTERS
from systems.report_fields import UnitFate
from tests.builders import a_player

pytestmark = pytest.mark.django_db
SLUG = "mechastellar"


@pytest.fixture(autouse=True)
def game(stellar: str):
    """Install the game."""


@pytest.fixture
def company() -> Company:
    return company_create(owner=a_player("kim"), system=SLUG, name="White Company")


def buy_unit(company: Company, design: str = "gamma-apollo", pilot: str = "") -> Any:
    unit = unit_buy(company=company, by=company.owner, published=design)
    if pilot:
        hired = pilot_hire(company=company, by=company.owner, name=pilot)
        pilot_assign(company=company, by=company.owner, unit=unit, pilot=hired)
        unit.refresh_from_db()
    return unit


@pytest.mark.rule("ST-400")
def test_company_starts_with_1000_points_and_200_in_hand(company):
    buy_unit(company, "trident-drake", "Old Mother")
    buy_unit(company, "iron-castle", "Koji")
    buy_unit(company, "green-viking", "Olaf")
    sheet = company_sheet(company)
    assert (sheet.value, sheet.balance, sheet.check.legal) == (970, 230, True)
    with pytest.raises(
        RefusedError, match=r"Green Viking costs 110 points, and your roster is at 970 of 1000 \(ST-411\)"
    ):
        buy_unit(company, "green-viking")


@pytest.mark.rule("ST-411")
@pytest.mark.parametrize(("games", "limit"), [(0, 1000), (2, 1000), (3, 1100), (8, 1200), (9, 1300)])
def test_roster_limit_rises_after_every_third_battle(games, limit):
    assert ROSTERS.roster_limit(1200, games) == limit


@pytest.mark.rule("ST-400")
def test_company_founded_with_more_may_be_larger():
    assert ROSTERS.roster_limit(2200, 0) == 2000
    with pytest.raises(RefusedError, match="must be a whole number from 1 to 10000"):
        company_create(owner=a_player("lee"), system=SLUG, name="Too Rich", points=10_001)


@pytest.mark.rule("ST-401", "ST-406")
def test_repair_costs_one_point_per_500_hp(company):
    unit = buy_unit(company, pilot="Ada")
    unit.condition = {"hits": 3400}
    unit.save()
    before = company_record(company).balance
    assert unit_repair(company=company, by=company.owner, unit=unit) == 4
    unit.refresh_from_db()
    assert (unit.condition, company_record(company).balance) == ({}, before - 4)
    with pytest.raises(RefusedError, match="isn't damaged"):
        unit_repair(company=company, by=company.owner, unit=unit)


@pytest.mark.rule("ST-406")
def test_unit_below_half_hp_cannot_be_fielded(company):
    unit, other = buy_unit(company, pilot="Ada"), buy_unit(company, "green-viking", pilot="Olaf")
    spec = ROSTERS.published["gamma-apollo"].spec
    unit.condition = ROSTERS.condition_home(spec, {}, {"hits": 2400}, {})
    unit.save()
    assert unit.condition == {"hits": 2400, "unfit": True}
    assert ready_units(company) == [other.pk]
    with pytest.raises(RefusedError, match="ST-406"):
        fielded(company, [unit.pk])
    assert ROSTERS.condition_home(spec, {}, {"hits": 2500}, {}) == {"hits": 2500}


@pytest.mark.rule("ST-401", "ST-406")
def test_unpaid_damage_stays_and_adds_up():
    spec = ROSTERS.published["gamma-apollo"].spec
    assert ROSTERS.condition_home(spec, {"hits": 4000}, {"hits": 3500}, {"hits": 4000}) == {"hits": 3500}
    assert ROSTERS.condition_home(spec, {"hits": 4000}, {"hits": 3500}, {}) == {"hits": 4500}
    assert ROSTERS.condition_home(spec, {}, {"hits": 5000}, {}) == {}


@pytest.mark.rule("ST-407", "ST-409")
def test_destroyed_unit_is_removed_and_pilot_flies_new_one(company):
    unit = buy_unit(company, pilot="Ada")
    fate = UnitFate(destroyed=True, kills=2, leaders=1, scored=9, dealt=7300, commander=True)
    recorded = BATTLES[SLUG].hand.recorded(fate)
    lost = UnitResult(unit=unit.pk, pilot=unit.pilot_id, fate=fate, killed_by="Sickle", recorded=recorded)
    company_apply_result(company=company, act=uuid.uuid4(), cause_ref="battle", by=None, units=[lost])
    unit.refresh_from_db()
    assert (unit.status, unit.pilot_id) == ("destroyed", None)
    record = company_record(company)
    (pilot,) = record.pilots.values()
    assert (pilot.kills, pilot.status) == (2, "active")
    assert record.units[unit.pk].recorded == {
        "leaders among them": 1, "victory points": 9, "damage dealt": 7300,
    }  # fmt: skip
    new_unit = buy_unit(company)
    assert company_record(company).balance == 1200 - 2 * 190
    pilot_assign(company=company, by=company.owner, unit=new_unit, pilot=company.pilots.get())
    assert company_sheet(company).check.legal


@pytest.mark.rule("ST-401", "ST-405")
def test_destroyed_kaiju_stays_until_fate_roll(company):
    unit = buy_unit(company, "trident-drake", pilot="Old Mother")
    lost = UnitResult(unit=unit.pk, pilot=unit.pilot_id, fate=UnitFate(destroyed=True), killed_by="Sickle")
    company_apply_result(company=company, act=uuid.uuid4(), cause_ref="battle", by=None, units=[lost])
    unit.refresh_from_db()
    assert (unit.status, unit.condition) == ("ready", {})


def write_battle(company: Company) -> None:
    Act(company, company.owner, cause="battle").write(Game, facts={"result": "won", "season_points": 3})


def promote(company: Company, name: str) -> Any:
    pilot = pilot_hire(company=company, by=company.owner, name=name)
    facts = {"from": "basic", "to": "skilled", "name": "Skilled"}
    Act(company, company.owner, cause="battle").write(Promoted, pilot=pilot, facts=facts)
    return pilot


@pytest.mark.rule("ST-407")
def test_unit_costs_level_0_points_after_first_battle():
    company = company_create(owner=a_player("kim"), system=SLUG, name="Replacements")
    assert buy_unit(company, "white-asura").spec["level"] == 1
    assert company_record(company).balance == 1200 - 255
    write_battle(company)
    assert buy_unit(company, "white-asura").spec["level"] == 0
    assert company_record(company).balance == 1200 - 255 - 215
    assert buy_unit(company, "trident-drake").spec["level"] == 1  # it is its own pilot


@pytest.mark.rule("ST-407")
def test_pilot_taking_new_unit_costs_level_difference(company):
    write_battle(company)
    skilled, rookie = promote(company, "Ada"), pilot_hire(company=company, by=company.owner, name="Bo")
    unit = buy_unit(company, "white-asura")
    pilot_assign(company=company, by=company.owner, unit=unit, pilot=rookie)
    assert company_record(company).balance == 1200 - 215
    pilot_assign(company=company, by=company.owner, unit=unit, pilot=skilled)
    assert company_record(company).balance == 1200 - 255
    pilot_assign(company=company, by=company.owner, unit=unit, pilot=None)
    pilot_assign(company=company, by=company.owner, unit=unit, pilot=skilled)
    assert company_record(company).balance == 1200 - 255  # paid only once
    assert unit_sell(company=company, by=company.owner, unit=unit) == 255
    assert company_record(company).balance == 1200


@pytest.mark.rule("ST-407")
def test_unused_founding_unit_costs_nothing_more(company):
    waiting = buy_unit(company, "green-viking")
    before = company_record(company).balance
    write_battle(company)
    pilot_assign(company=company, by=company.owner, unit=waiting, pilot=promote(company, "Ada"))
    assert company_record(company).balance == before


@pytest.mark.rule("ST-407")
def test_unaffordable_seat_change_is_refused(company):
    write_battle(company)
    skilled = promote(company, "Ada")
    unit = buy_unit(company, "green-viking")
    fine = 10 - company_record(company).balance
    Act(company, company.owner, cause="battle").write(Game, points=fine, facts={"result": "lost", "season_points": 0})
    with pytest.raises(RefusedError, match=r"Green Viking with Ada costs 25 points; White Company has 10\."):
        pilot_assign(company=company, by=company.owner, unit=unit, pilot=skilled)


@pytest.mark.rule("ST-407")
def test_seat_change_cost_is_shown_before_and_after(company, client):
    write_battle(company)
    skilled, rookie = promote(company, "Ada"), pilot_hire(company=company, by=company.owner, name="Bo")
    unit, other = buy_unit(company, "white-asura"), buy_unit(company, "green-viking")
    client.force_login(company.owner)
    roster, page = f"/companies/{company.pk}/", f"/companies/{company.pk}/units/{unit.pk}/"

    def offered(where: str, field: str) -> list[str]:
        html = client.get(where).content.decode()
        choices = re.search(rf'<select name="{field}".*?</select>', html, re.S)
        assert choices is not None
        return re.findall(r"<option[^>]*>([^<]+)</option>", choices[0])

    def post_text(where: str, **sent: object) -> str:
        return re.sub(r"<[^>]+>", "", client.post(where, sent, follow=True).content.decode())

    assert offered(page, "pilot") == ["nobody", "Ada, for 40 points", "Bo"]
    assert offered(roster, f"seats-{other.pk}") == ["nobody", "Ada, for 25 points", "Bo"]
    seated = post_text(f"{roster}seat/", **{f"seats-{unit.pk}": skilled.pk, f"seats-{other.pk}": rookie.pk})
    assert "2 pilots assigned, for 40 points." in seated
    assert offered(page, "pilot") == [
        "nobody", "Ada (in White Asura)", "Bo (in Green Viking), for 25 points",  # Ada moves to Bo's seat
    ]  # fmt: skip
    assert "Bo now pilots White Asura, for 25 points." in post_text(f"{page}assign/", pilot=rookie.pk)
    assert "Ada now pilots White Asura." in post_text(f"{page}assign/", pilot=skilled.pk)
    assert company_record(company).balance == 1200 - 215 - 110 - 40 - 25


@pytest.mark.rule("ST-407")
def test_company_page_shows_current_unit_cost(company, client):
    client.force_login(company.owner)
    page = f"/companies/{company.pk}/"

    def price() -> str:
        html = client.get(page).content.decode()
        return re.findall(r'White Asura</a>.*?data-label="Points">(\d+)<', html)[0]

    assert price() == "255"
    write_battle(company)
    assert price() == "215"


@pytest.mark.rule("ST-409")
def test_pilot_page_sums_battle_records(company, client):
    unit = buy_unit(company, pilot="Ada")
    for times in (1, 2):
        recorded = {"kills, MS level 1": times, "times Commander": 1, "damage dealt": 5000}
        result = UnitResult(unit=unit.pk, pilot=unit.pilot_id, fate=UnitFate(kills=times), recorded=recorded)
        company_apply_result(company=company, act=uuid.uuid4(), cause_ref=f"b{times}", by=None, units=[result])
    (pilot,) = company_record(company).pilots.values()
    assert pilot.recorded == {"kills, MS level 1": 3, "times Commander": 2, "damage dealt": 10_000}
    client.force_login(company.owner)
    html = client.get(f"/companies/{company.pk}/pilots/{pilot.id}/").content.decode()
    for label in ("Kills, MS level 1", "Times Commander", "Damage dealt"):
        assert label in html


@pytest.mark.rule("ST-400")
def test_campaign_allows_maximum_founding_points(company):
    assert max_points_for(SLUG) == 10_000
    assert max_points_for("meks-and-mercs") == 2_000


def a_drake_after_one_battle(company: Company) -> Any:
    """Return a Kaiju that has fought once."""
    drake = buy_unit(company, "trident-drake", pilot="Old Mother")
    result = UnitResult(unit=drake.pk, pilot=drake.pilot_id, fate=UnitFate())
    company_apply_result(company=company, act=uuid.uuid4(), cause_ref="first", by=None, units=[result])
    return drake


@pytest.mark.rule("ST-008", "ST-404", "ST-405")
def test_kaiju_that_has_fought_keeps_its_seat(company):
    drake, viking = a_drake_after_one_battle(company), buy_unit(company, "green-viking", pilot="Olaf")
    mother, olaf = drake.pilot, viking.pilot
    refusal = r"Trident Drake is its own pilot: nobody else can pilot it, and Old Mother can't pilot another unit \(ST-008\)\."
    for unit, pilot in ((drake, olaf), (drake, None), (viking, mother)):
        with pytest.raises(RefusedError, match=refusal):
            pilot_assign(company=company, by=company.owner, unit=unit, pilot=pilot)
    with pytest.raises(RefusedError, match=refusal):
        pilot_hire(company=company, by=company.owner, name="Bo", unit=drake)
    with pytest.raises(RefusedError, match=r"Old Mother is Trident Drake itself: sell the unit instead \(ST-008\)\."):
        pilot_retire(company=company, by=company.owner, pilot=mother)


@pytest.mark.rule("ST-008")
def test_unfought_kaiju_takes_new_pilot_but_no_veteran(company):
    drake, viking = (
        buy_unit(company, "trident-drake", pilot="Old Mother"),
        buy_unit(company, "green-viking", pilot="Olaf"),
    )
    olaf, bo = viking.pilot, pilot_hire(company=company, by=company.owner, name="Bo")
    pilot_assign(company=company, by=company.owner, unit=drake, pilot=bo)
    drake.refresh_from_db()
    assert drake.pilot == bo
    result = UnitResult(unit=viking.pk, pilot=olaf.pk, fate=UnitFate())
    company_apply_result(company=company, act=uuid.uuid4(), cause_ref="first", by=None, units=[result])
    with pytest.raises(RefusedError, match=r"Olaf has fought in another unit, and Trident Drake is its own pilot"):
        pilot_assign(company=company, by=company.owner, unit=drake, pilot=olaf)


@pytest.mark.rule("ST-008")
def test_sold_kaiju_takes_its_pilot_and_undo_restores_both(company):
    drake = a_drake_after_one_battle(company)
    unit_sell(company=company, by=company.owner, unit=drake)
    (mother,) = company_record(company).pilots.values()
    assert (mother.name, mother.status) == ("Old Mother", "retired")
    undo_last_act(company=company, by=company.owner)
    record = company_record(company)
    assert (record.pilots[mother.id].status, record.units[drake.pk].pilot) == ("active", mother.id)


@pytest.mark.rule("ST-405")
def test_house_lends_to_broke_company_with_wounded_kaiju(company):
    drake = a_drake_after_one_battle(company)
    act = Act(company, company.owner, cause="battle")
    act.write(Wounded, pilot=drake.pilot, facts={"face": 6, "exploded": False, "misses": 1})
    debts = {"result": "lost", "season_points": 0}
    act.write(Game, points=20 - company_record(company).balance, facts=debts)
    restore(company, company_record(company))
    assert ready_units(company) == []
    assert company_sheet(company).is_stuck
    (lent,) = take_loan(company=company, by=company.owner)
    assert ready_units(company) == [lent.pk]
