"""Many readers of a company that keeps buying and selling get no errors, and consistent responses."""

from __future__ import annotations

import re
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client

from rosters.ledger.records import differences
from rosters.models import Company
from tests.builders import a_company, a_crewed_unit

READERS, TRADERS, ROUNDS = 6, 2, 40
POINTS, PRICE = 90, 9  # of the company, of a wasp

pytestmark = [pytest.mark.proof, pytest.mark.django_db(transaction=True)]


def page_adds_up(answer):
    """Check that balance and units add up to the founding points."""
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))
    balance, worth = int(re.search(r"Balance (\d+)", text)[1]), int(re.search(r"Unit value (\d+)", text)[1])
    units, points = map(int, re.search(r"Units (\d+), (\d+) points", text).groups())
    newest = int(re.search(r'ledger__balance num">(\d+)', answer.content.decode())[1])
    return balance == newest and worth == points == units * PRICE and balance + worth == POINTS


def company_adds_up(answer):
    data = answer.json()
    paid = sum(unit["paid"] for unit in data["units"])
    return data["balance"] + data["value"] == data["balance"] + paid == POINTS


def document_adds_up(answer):
    data = answer.json()
    ready = sum(unit["status"] == "ready" for unit in data["units"])
    in_the_ledger = {entry["unit"] for entry in data["ledger"]} - {None}
    booked = sum(entry["points"] for entry in data["ledger"])
    return data["points"] == booked == POINTS - ready * PRICE and in_the_ledger == {u["key"] for u in data["units"]}


READ = {
    "/companies/{}/": page_adds_up,
    "/companies/{}/?show=ledger": None,
    "/companies/{}/export/": document_adds_up,
    "/print/company/{}/": None,
    "/api/v1/companies/{}/": company_adds_up,
    "/api/v1/companies/{}/export/": document_adds_up,
}


def signed_in(player):
    client = Client(raise_request_exception=False)
    client.force_login(player)
    return client


def read_pages(company, over, met):
    """Read one page after another until `over` is set."""
    client = signed_in(company.owner)
    while not over.is_set():
        for path, adds_up in READ.items():
            answer = client.get(path.format(company.pk))
            met["answers", answer.status_code] += 1
            if answer.status_code == 200 and adds_up:
                met["sums right" if adds_up(answer) else f"wrong sums of {path}"] += 1
    connection.close()


def trade(company, met):
    """Buy and sell repeatedly, relying on the responses."""
    client = signed_in(company.owner)
    units = f"/api/v1/companies/{company.pk}/units/"
    for _ in range(ROUNDS):
        answer = client.post(units, {"published": "wasp"}, content_type="application/json")
        met["purchases", answer.status_code] += 1
        if answer.status_code == 201:
            answer = client.post(f"{units}{answer.json()['id']}/sell/")
            met["sales", answer.status_code] += 1
    connection.close()


def test_readers_of_a_trading_company_get_consistent_answers():
    company = a_company(points=POINTS)
    a_crewed_unit(company)
    over, met = threading.Event(), Counter()
    with ThreadPoolExecutor(READERS + TRADERS) as pool:
        readers = [pool.submit(read_pages, company, over, met) for _ in range(READERS)]
        traders = [pool.submit(trade, company, met) for _ in range(TRADERS)]
        try:
            [trader.result() for trader in traders]
        finally:
            over.set()
        [reader.result() for reader in readers]
    print(connection.vendor, dict(met))
    trades_made = TRADERS * ROUNDS
    assert {what for what in met if isinstance(what, tuple)} == {("answers", 200), ("purchases", 201), ("sales", 200)}
    assert not [what for what in met if "wrong" in what]
    assert met["sums right"] > READERS * 4
    written = Counter(company.ledger.values_list("kind", flat=True))
    assert written["bought"] - 1 == written["sold"] == met["purchases", 201] == met["sales", 200] == trades_made
    assert list(differences(Company.objects.get(pk=company.pk))) == []
