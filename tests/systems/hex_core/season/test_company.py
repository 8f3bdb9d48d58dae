"""A company of machines and pilots: founded, bought, refitted, sold, kept at home while in repair."""

import html
import re

import pytest
from django.urls import reverse

from rosters.documents.snapshots import fielded, ready_units
from rosters.ledger.records import company_record
from rosters.models import Company
from rosters.selectors import company_sheet
from rosters.services import (
    RefusedError,
    company_create,
    design_save,
    pilot_assign,
    pilot_hire,
    unit_buy,
    unit_refit,
    unit_sell,
)
from systems import ROSTERS
from tests.builders import a_player

pytestmark = pytest.mark.django_db
SLUG = "hex-core"


@pytest.fixture
def company() -> Company:
    return company_create(owner=a_player("kim"), system=SLUG, name="Six Sides", points=480, visibility="public")


def buy_unit(company: Company, design: str = "warden"):
    return unit_buy(company=company, by=company.owner, published=design)


def refit(company: Company, unit, name: str = "Warden B", **changes):
    spec = ROSTERS[SLUG].spec_json(ROSTERS[SLUG].published["warden"].spec) | changes
    design = design_save(author=company.owner, system=SLUG, name=name, spec=spec)
    return unit_refit(company=company, by=company.owner, unit=unit, design=design)


@pytest.mark.rule("HX-174")
def test_company_starts_with_480_points(company):
    for design in ("bastion", "bastion", "shepherd", "kestrel", "warden", "trooper"):
        buy_unit(company, design)
    sheet = company_sheet(company)
    assert (sheet.value, sheet.balance, sheet.check.legal) == (473, 7, True)
    with pytest.raises(RefusedError, match="costs 37 points; Six Sides has 7"):
        buy_unit(company, "trooper")


@pytest.mark.rule("HX-174", "HX-177")
def test_pilots_are_hired_as_free_rookies(company):
    unit = buy_unit(company)
    with pytest.raises(RefusedError, match="Choose one of these levels: rookie"):
        pilot_hire(company=company, by=company.owner, name="Ana", experience="veteran")
    pilot = pilot_hire(company=company, by=company.owner, name="Ana")
    pilot_assign(company=company, by=company.owner, unit=unit, pilot=pilot)
    record = company_record(company)
    assert (record.balance, record.pilots[pilot.pk].experience, record.units[unit.pk].pilot) == (
        404,
        "rookie",
        pilot.pk,
    )


@pytest.mark.rule("HX-182")
def test_refit_costs_list_price_and_refunds_half(company):
    unit = buy_unit(company)
    assert refit(company, unit, mods=["capacitor"]) == 8
    assert company_record(company).balance == 480 - 76 - 8
    other = buy_unit(company)
    assert refit(company, other, "Bare", shields=[]) == -4
    record = company_record(company)
    assert (record.balance, record.units[other.pk].paid) == (480 - 76 - 8 - 76 + 4, 72)


@pytest.mark.rule("HX-182")
def test_unit_that_has_fought_sells_for_half(company):
    from rosters.entries.units_and_pilots import sale_price

    unit = buy_unit(company, "longbow")
    assert (
        unit_sell(company=company, by=company.owner, unit=unit) == 74
    )  # never fought: the purchase is refunded in full
    assert sale_price(77, 1) == 38


@pytest.mark.rule("HX-177", "HX-182")
def test_illegal_refit_is_refused_and_costs_nothing(company):
    unit = buy_unit(company)
    with pytest.raises(RefusedError, match="HX-182"):
        refit(company, unit, traits=["wary"])
    assert company_record(company).balance == 404


@pytest.mark.rule("HX-179")
def test_unit_in_repair_cannot_be_fielded(company):
    unit, other = buy_unit(company), buy_unit(company, "trooper")
    for each, name in ((unit, "Ana"), (other, "Bo")):
        pilot = pilot_hire(company=company, by=company.owner, name=name)
        pilot_assign(company=company, by=company.owner, unit=each, pilot=pilot)
    unit.refresh_from_db()
    unit.condition = {"repair": True}
    unit.save()
    assert ready_units(company) == [other.pk]
    with pytest.raises(RefusedError, match=r"Warden is in repair and misses the next game \(HX-179\)\."):
        fielded(company, [unit.pk])


def test_company_pages_show_machines_and_pilots(company, client):
    unit = buy_unit(company, "shepherd")
    pilot = pilot_hire(company=company, by=company.owner, name="Ana")
    pilot_assign(company=company, by=company.owner, unit=unit, pilot=pilot)
    client.force_login(company.owner)
    for url in (
        reverse("rosters:company", args=[company.pk]),
        reverse("rosters:unit", args=[company.pk, unit.pk]),
        reverse("rosters:pilot", args=[company.pk, pilot.pk]),
    ):
        page = html.unescape(client.get(url).content.decode())
        assert "Shepherd" in page, url
        assert "Rookie" in page, url


@pytest.mark.rule("HX-174")
def test_company_starts_with_480_points_by_default(client):
    assert company_record(company_create(owner=a_player("lee"), system=SLUG, name="Plain")).balance == 480
    assert company_record(company_create(owner=a_player("mo"), system="meks-and-mercs", name="Plain")).balance == 60
    client.force_login(a_player("ann"))
    page = html.unescape(client.get(reverse("rosters:company_create"), {"system": SLUG}).content.decode())
    assert re.search(r"Leave blank for 60 \([^.]* 480 in Hex Core\)\.", page)
    fields = {"system": SLUG, "name": "By form", "points": "", "colour": "#112233", "visibility": "private"}
    assert client.post(reverse("rosters:company_create"), fields, follow=True).context["company"].balance == 480
    answer = client.post(reverse("api-companies"), {"system": SLUG, "name": "By hand"}, content_type="application/json")
    assert answer.status_code == 201
    assert answer.json()["balance"] == 480
