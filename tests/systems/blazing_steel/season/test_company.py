"""A company of Warmechs: founded, bought, refitted, kept at home while in repair."""

import html
import json

import pytest
from django.urls import reverse

from rosters.documents.snapshots import fielded, ready_units
from rosters.ledger.records import company_record
from rosters.ledger.selectors import ledger_of
from rosters.models import Company
from rosters.selectors import company_sheet
from rosters.services import RefusedError, company_create, design_save, unit_buy, unit_refit, unit_sell
from rosters.services.results import undo_last_act
from tests.builders import a_player

pytestmark = pytest.mark.django_db
SLUG = "blazing-steel"
HAWKER = {"chassis": "medium", "locomotion": "bipedal", "l1": "auto-cannon", "r1": "laser", "c1": "missile-launcher",
          "p1": "extended-magazine", "magazine_on": "l1"}  # fmt: skip


@pytest.fixture(autouse=True)
def game(steel: str):
    """Install the game."""


@pytest.fixture
def company() -> Company:
    return company_create(owner=a_player("kim"), system=SLUG, name="Long Eyes", points=60, visibility="public")


def buy_unit(company: Company, design: str = "hawker"):
    return unit_buy(company=company, by=company.owner, published=design)


def refit(company: Company, unit, name: str = "Hawker B", **changes):
    spec = {slot: slug for slot, slug in (HAWKER | changes).items() if slug}
    design = design_save(author=company.owner, system=SLUG, name=name, spec=spec)
    return unit_refit(company=company, by=company.owner, unit=unit, design=design)


@pytest.mark.rule("BS-C01")
def test_company_starts_with_sixty_points(company):
    for design in ("colossus", "bulwark", "hawker", "skimmer"):
        buy_unit(company, design)
    sheet = company_sheet(company)
    assert (sheet.value, sheet.balance, sheet.check.legal) == (55, 5, True)
    with pytest.raises(RefusedError, match="costs 6 points; Long Eyes has 5"):
        buy_unit(company, "darter")


@pytest.mark.rule("BS-C06")
def test_refit_costs_points_and_can_be_undone(company):
    unit = buy_unit(company)
    assert refit(company, unit, r1="howitzer", c1="") == 1
    unit.refresh_from_db()
    assert (unit.design_name, unit.spec["r1"], "c1" in unit.spec) == ("Hawker B", "howitzer", False)
    record = company_record(company)
    assert (record.balance, record.units[unit.pk].paid) == (49, 11)
    assert "Refitted" in str(ledger_of(company, unit=unit.pk)[0])
    undo_last_act(company=company, by=company.owner)
    unit.refresh_from_db()
    assert (unit.design_name, unit.spec, company_record(company).balance) == ("Hawker", HAWKER, 50)


@pytest.mark.rule("BS-C06")
def test_unfought_warmech_refunds_its_refit(company):
    unit = buy_unit(company)
    refit(company, unit, r1="howitzer")
    assert unit_sell(company=company, by=company.owner, unit=unit) == 11
    assert company_record(company).balance == 60


@pytest.mark.rule("BS-C06")
@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"locomotion": "tracked"}, "BS-C06"),
        ({"chassis": "heavy"}, "BS-C06"),
        ({"l1": "laser"}, "BS-012"),
        ({}, "already"),
    ],
)
def test_illegal_refit_is_refused_and_costs_nothing(company, changes, reason):
    unit = buy_unit(company)
    with pytest.raises(RefusedError, match=reason):
        refit(company, unit, **changes)
    assert company_record(company).balance == 50


@pytest.mark.rule("BS-C06")
def test_unaffordable_refit_is_refused():
    company = company_create(owner=a_player("lee"), system=SLUG, name="Poor", points=10, visibility="public")
    with pytest.raises(RefusedError, match="The refit of Hawker costs 1 point; Poor has 0"):
        refit(company, buy_unit(company), r1="howitzer")


def test_game_without_refits_refuses_them():
    company = company_create(
        owner=a_player("ann"), system="meks-and-mercs", name="Ants", points=60, visibility="public"
    )
    unit = unit_buy(company=company, by=company.owner, published="wasp")
    with pytest.raises(RefusedError, match="Meks can't be refitted in Meks & Mercs"):
        unit_refit(company=company, by=company.owner, unit=unit, published="viper")


def test_unit_page_offers_refits_with_prices(company, client):
    unit = buy_unit(company)
    client.force_login(company.owner)
    design_save(author=company.owner, system=SLUG, name="Hawker B", spec=HAWKER | {"r1": "howitzer"})
    design_save(author=company.owner, system=SLUG, name="Ox", spec={"chassis": "heavy", "locomotion": "bipedal"})
    page = html.unescape(client.get(reverse("rosters:unit", args=[company.pk, unit.pk])).content.decode())
    assert "Hawker B, 1 point" in page
    assert "Mantis, 4 points" in page
    assert "Ox," not in page
    client.post(reverse("rosters:unit_refit", args=[company.pk, unit.pk]), {"design": "mantis"})
    unit.refresh_from_db()
    assert unit.design_name == "Mantis"
    assert company_record(company).balance == 46


def test_api_refits_or_explains_refusal(company, client):
    unit = buy_unit(company)
    client.force_login(company.owner)
    url = reverse("api-unit-refit", args=[company.pk, unit.pk])
    refused = client.post(url, json.dumps({"published": "colossus"}), content_type="application/json")
    assert refused.status_code == 422
    assert "BS-C06" in refused.content.decode()
    done = client.post(url, json.dumps({"published": "mantis"}), content_type="application/json")
    assert (done.status_code, done.json()["design"]["c1"], done.json()["paid"]) == (200, "shotcannon", 14)


@pytest.mark.rule("BS-C04")
def test_warmech_in_repair_cannot_be_fielded(company):
    unit, other = buy_unit(company), buy_unit(company, "darter")
    unit.condition = {"repair": True}
    unit.save()
    assert ready_units(company) == [other.pk]
    with pytest.raises(RefusedError, match=r"Hawker is in repair and misses the next game \(BS-C04\)\."):
        fielded(company, [unit.pk])


@pytest.mark.rule("BS-C08", "BS-C09")
def test_company_pages_show_records_without_pilots(company, client):
    unit = buy_unit(company)
    for url in (reverse("rosters:company", args=[company.pk]), reverse("rosters:unit", args=[company.pk, unit.pk])):
        page = html.unescape(client.get(url).content.decode())
        main = page.partition("<main")[2].partition("</main>")[0]
        assert "Pilot" not in main.replace("rosters:pilot", "")
        assert "Kills" in main
    assert "Times lost" in main
