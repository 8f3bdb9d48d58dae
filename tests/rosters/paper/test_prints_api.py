"""Prints through the API: an order, or products of a company."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from rosters.jobs import JobStatus
from rosters.models import PrintJob
from rosters.printing.orders import MAX_BYTES
from rosters.services import unit_rename
from rosters.tasks import print_run
from tests.builders import a_company, a_crewed_unit, a_player
from tests.rosters.paper.units import ace, unit

pytestmark = pytest.mark.django_db
ORDER = {"muster": "print/1", "title": "Wasp", "items": [{"what": "unit-card", "unit": unit()}]}


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(print_run, "delay", lambda pk: None)


@pytest.fixture
def company(client):
    owner = a_player("kim")
    client.force_login(owner)
    row = a_company(owner, points=90)
    a_crewed_unit(row, pilot="Ada")
    a_crewed_unit(row, pilot="Bea")
    return row


def post(client, body: object):
    return client.post(reverse("api-prints"), json.dumps(body), content_type="application/json")


@pytest.mark.parametrize("arguments", [{"headers": {"Accept": "application/pdf"}}, {"query_params": {"format": "pdf"}}])
def test_refusal_is_json_even_for_pdf_requests(client, company, arguments):
    key = post(client, ORDER).json()["key"]
    answer = client.get(reverse("api-print-file", args=[key]), **arguments)
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/json")
    assert answer.json()["errors"]


def test_order_is_printed_watched_and_downloaded(client, company):
    made = post(client, ORDER)
    assert (made.status_code, made.json()["status"]) == (201, "queued")
    key = made.json()["key"]
    assert client.get(reverse("api-print-file", args=[key])).status_code == 404
    print_run(PrintJob.objects.get().pk)
    seen = client.get(reverse("api-print", args=[key])).json()
    assert (seen["status"], seen["pages"]) == ("done", 2)
    file = client.get(reverse("api-print-file", args=[key]), HTTP_ACCEPT="application/pdf")
    assert b"".join(file.streaming_content).startswith(b"%PDF")
    assert [each["key"] for each in client.get(reverse("api-prints")).json()["results"]] == [key]


@pytest.mark.any_database
def test_large_order_is_accepted_and_oversized_document_refused(client, company):
    items = [{"what": "unit-card", "unit": unit(name=f"Unit {at}", pilot=ace())} for at in range(900)]
    assert post(client, {**ORDER, "items": items}).status_code == 201
    refused = post(client, {**ORDER, "title": "x" * MAX_BYTES})
    assert refused.status_code == 400
    assert "larger than 4096 KiB" in refused.content.decode()


def test_company_is_printed_like_on_its_page(client, company):
    first, second = company.units.values_list("pk", flat=True)
    body = {"company": company.pk, "products": ["unit-card", "roster"], "units": [second, first],
            "settings": {"theme": "grey"}}  # fmt: skip
    assert post(client, body).status_code == 201
    content = PrintJob.objects.get().content
    assert [item["what"] for item in content["items"]] == ["unit-card", "unit-card", "roster"]
    assert content["settings"]["theme"] == "grey"


def test_only_changed_units_are_printed(client, company):
    body = {"company": company.pk, "only": "changed"}
    assert post(client, body).status_code == 201
    PrintJob.objects.update(status=JobStatus.DONE)
    nothing = post(client, body)
    assert (nothing.status_code, nothing.json()["errors"][0]["field"]) == (400, "only")
    unit_rename(company=company, by=company.owner, unit=company.units.last(), name="Pin")
    assert post(client, body).status_code == 201
    items = PrintJob.objects.order_by("-pk")[0].content["items"]
    assert [item["unit"]["name"] for item in items] == ["Pin"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "muster"),
        ({**ORDER, "items": []}, "items"),
        ({**ORDER, "settings": {"front": {"x": 1000.0}}}, "settings.front.x"),
        ({**ORDER, "colour": "red"}, "colour"),
        ({**ORDER, "items": [{"what": "unit-card", "unit": unit(), "copies": 10_000}]}, "items[0].copies"),
        ({"company": 1, "poster": True}, "poster"),
        ({"company": "one"}, "company"),
        ({"company": 1, "blanks": {"slip": 10_000}}, "blanks.slip"),
    ],
)
def test_bad_input_is_refused_with_field(client, company, body, field):
    answer = post(client, body)
    assert answer.status_code == 400
    if body:
        assert answer.json()["errors"][0]["field"] == field
    assert not PrintJob.objects.exists()


def test_hidden_company_and_unknown_units_are_refused(client, company):
    hidden = a_company(a_player(), visibility="private")
    assert post(client, {"company": hidden.pk}).status_code == 404
    assert post(client, {"company": 2**70}).status_code in (400, 404)
    answer = post(client, {"company": company.pk, "units": [987654]})
    assert answer.json()["errors"][0]["field"] == "units[0]"
