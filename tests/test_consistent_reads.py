"""A page or API response shows one snapshot, whatever is committed while it is read."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from rosters.documents.import_export import company_document
from rosters.ledger.records import company_balance
from rosters.models import Company
from rosters.services import undo_last_act, unit_buy, unit_sell
from tests.builders import a_company, a_crewed_unit, a_unit
from tests.concurrent_commits import commit_between

pytestmark = pytest.mark.django_db(transaction=True)
LEDGER = 'FROM "rosters_ledgerentry"'


def signed_in(player):
    client = Client()
    client.force_login(player)
    return client


def buys(company):
    return lambda: unit_buy(company=Company.objects.get(pk=company.pk), by=company.owner, published="wasp")


# --- readers ---


@pytest.mark.parametrize(
    "route",
    [
        "rosters:company",
        "rosters:company?show=ledger",
        "rosters:company?show=cards",
        "rosters:company_settings",
        "rosters:company_export",
        "rosters:print-company",
    ],
)
def test_page_read_during_a_purchase_shows_the_company_before(route):
    company = a_company()
    a_crewed_unit(company)
    route, _, query = route.partition("?")
    client, path = signed_in(company.owner), f"{reverse(route, args=[company.pk])}?{query}"
    before = comparable_text(client.get(path))
    with commit_between(buys(company), after=LEDGER) as interruption:
        answer = client.get(path)
    assert interruption.is_done
    assert answer.status_code == 200
    assert comparable_text(answer) == before


@pytest.mark.parametrize("nth", [1, 2])
def test_api_answer_during_a_purchase_shows_the_company_before(nth):
    company = a_company()
    a_crewed_unit(company)
    client, path = signed_in(company.owner), f"/api/v1/companies/{company.pk}/"
    before = client.get(path).json()
    with commit_between(buys(company), nth=nth) as interruption:
        assert client.get(path).json() == before
    assert interruption.is_done
    after = client.get(path).json()
    assert (len(after["units"]), after["balance"]) == (2, before["balance"] - 9)


def test_export_during_a_sale_holds_the_company_before():
    company = a_company()
    unit = a_unit(company)
    before = company_document(company)
    with commit_between(lambda: unit_sell(company=company, by=company.owner, unit=unit), after=LEDGER) as interruption:
        assert company_document(company) == before
    assert interruption.is_done
    assert company_document(company) != before


def test_reconcile_during_a_sale_finds_no_difference(capsys):
    company = a_company()
    unit = a_unit(company)
    sells = lambda: unit_sell(company=company, by=company.owner, unit=unit)  # noqa: E731
    with commit_between(sells, after='FROM "rosters_unit"') as interruption:
        call_command("reconcile")
    assert interruption.is_done
    assert capsys.readouterr().out == "1 company checked, rows and ledger agree\n"


# --- changes ---


def test_purchase_during_another_purchase_answers_with_its_unit():
    company = a_company()
    client = signed_in(company.owner)
    with commit_between(buys(company), after=LEDGER) as interruption:
        answer = client.post(
            f"/api/v1/companies/{company.pk}/units/", {"published": "wasp"}, content_type="application/json"
        )
    assert interruption.is_done
    assert answer.status_code == 201
    assert company.units.filter(pk=answer.json()["id"]).exists()
    assert (company.units.count(), company_balance(company)) == (2, 60 - 2 * 9)


@pytest.mark.parametrize(("what", "body"), [("units", {"published": "wasp"}), ("pilots", {"name": "Bea"})])
def test_purchase_or_hire_undone_meanwhile_is_still_answered(what, body):
    company = a_company()
    client = signed_in(company.owner)
    with commit_between(lambda: undo_last_act(company=company, by=company.owner), before=LEDGER) as interruption:
        answer = client.post(f"/api/v1/companies/{company.pk}/{what}/", body, content_type="application/json")
    assert interruption.is_done
    assert answer.status_code == 201
    assert answer.json()["status"] == "undone"
    assert (company.units.filter(status="ready").count(), company_balance(company)) == (0, 60)


def comparable_text(answer):
    """Return the text of the response, without the parts that always differ."""
    text = answer.content.decode()
    return re.sub(r'name="(csrfmiddlewaretoken|once)" value="\w+"|"X-CSRFToken": "\w+"|\?roll=\w+', "", text)
