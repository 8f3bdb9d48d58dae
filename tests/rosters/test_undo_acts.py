"""An undo names its act: the act that was shown is undone, or nothing."""

from __future__ import annotations

import json
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from rosters.ledger.records import company_balance
from tests.builders import a_company, a_player, a_unit

pytestmark = pytest.mark.django_db


@pytest.fixture
def company(client):
    company = a_company()
    client.force_login(company.owner)
    return company


def undo(client, company, **body):
    return client.post(reverse("api-company-undo", args=[company.pk]), json.dumps(body), "application/json")


def undo_of(client, company):
    return client.get(reverse("api-company", args=[company.pk])).json()["undo"]


def test_api_undoes_the_shown_act(client, company):
    a_unit(company)
    last = undo_of(client, company)
    assert (last["entries"], last["points"], last["refusal"]) == (["Bought WASP"], 9, "")
    answer = undo(client, company, act=last["act"])
    assert answer.status_code == 200
    assert answer.json()["balance"] == 60


def test_only_the_owner_sees_the_last_act(client):
    company = a_company(visibility="public")
    a_unit(company)
    assert undo_of(client, company) is None
    client.force_login(a_player())
    assert undo_of(client, company) is None


def test_undo_without_an_act_is_refused_with_advice(client, company):
    a_unit(company)
    answer = undo(client, company)
    assert answer.status_code == 400
    (error,) = answer.json()["errors"]
    assert error["field"] == "act"
    assert "`undo.act`" in error["reason"]
    assert company_balance(company) == 51


def test_undo_of_an_older_act_is_a_conflict(client, company):
    a_unit(company)
    first = undo_of(client, company)
    a_unit(company, "viper")
    answer = undo(client, company, act=first["act"])
    assert answer.status_code == 409
    (error,) = answer.json()["errors"]
    assert error["field"] == "act"
    assert error["reason"].endswith(f"The last change is now {undo_of(client, company)['act']}: Bought VIPER.")
    assert company.units.filter(status="ready").count() == 2


def test_repeated_undo_is_a_conflict(client, company):
    a_unit(company)
    a_unit(company)
    last = undo_of(client, company)["act"]
    assert [undo(client, company, act=last).status_code for _ in range(3)] == [200, 409, 409]
    assert company_balance(company) == 51


def test_founding_can_be_named_but_not_undone(client, company):
    founding = undo_of(client, company)
    assert "Nothing to undo." in founding["refusal"]
    assert undo(client, company, act=founding["act"] or str(company.ledger.get().act)).status_code == 422
    assert undo(client, company, act=str(uuid.uuid4())).status_code == 409


def test_pages_button_undoes_the_shown_act_only(client, company):
    a_unit(company)
    url = reverse("rosters:company_undo", args=[company.pk])
    act = client.get(url, follow=True).context["undo"].act
    a_unit(company, "viper")
    page = client.post(url, {"act": act}, follow=True)
    assert "no longer the last change. The last change is now" in page.content.decode()
    page = client.post(url, follow=True)
    assert "Check what would be undone first" in page.content.decode()
    assert company.units.filter(status="ready").count() == 2


@pytest.mark.django_db(transaction=True)
def test_parallel_undos_undo_once(client, company):
    for _ in range(4):
        a_unit(company)
    act, gate = undo_of(client, company)["act"], threading.Barrier(10)

    def run(_):
        own = Client()
        own.force_login(company.owner)
        gate.wait()
        try:
            return undo(own, company, act=act).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(10) as pool:
        assert sorted(pool.map(run, range(10))) == [200, *[409] * 9]
    assert company_balance(company) == 60 - 3 * 9
