"""A company is exported as a document and imported again, by page and API alike, or is refused with nothing written."""

from __future__ import annotations

import io
import json
from html import unescape

import pytest
from django.urls import reverse

from rosters.documents.company import read_company
from rosters.documents.import_export import company_document
from rosters.models import Company, LedgerEntry
from systems.documents import DocumentError
from tests.builders import a_company, a_crewed_unit, a_player, a_token

pytestmark = pytest.mark.django_db
PAGE = "rosters:company_import"


@pytest.fixture
def exported():
    company = a_company(name="Iron Hounds", motto="Bite.")
    a_crewed_unit(company)
    return company_document(company)


def post_document(client, player, document):
    return client.post(
        reverse("api-company-import"),
        json.dumps(document),
        content_type="application/json",
        headers={"authorization": f"Token {a_token(player)}"},
    )


def test_page_imports_an_exported_company(client, exported):
    client.force_login(a_player("kim"))
    sent = io.BytesIO(json.dumps(exported).encode())
    answer = client.post(reverse(PAGE), {"file": sent})
    copy = Company.objects.get(owner__username="kim")
    assert answer.url == reverse("rosters:company", args=[copy.pk])
    assert company_document(copy) == exported
    assert "with its full ledger" in client.get(answer.url).content.decode()


def test_page_imports_pasted_text(client, exported):
    client.force_login(a_player("kim"))
    assert client.post(reverse(PAGE), {"text": json.dumps(exported)}).status_code == 302
    assert company_document(Company.objects.get(owner__username="kim")) == exported


def test_api_imports_an_exported_company(client, exported):
    kim = a_player("kim")
    answer = post_document(client, kim, exported)
    assert answer.status_code == 201, answer.content
    copy = Company.objects.get(pk=answer.json()["id"])
    assert (copy.owner, company_document(copy)) == (kim, exported)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"points": 99}, "points: doesn't match the ledger, which adds up to"),
        ({"ledger": []}, "name: doesn't match the ledger"),
        ({"gift": 1}, "gift"),
        ({"muster": "company/2"}, "muster"),
        ({"system": "chess"}, "system"),
    ],
)
def test_forged_document_is_refused_by_page_and_api(client, exported, change, why):
    kim = a_player("kim")
    before = LedgerEntry.objects.count()
    answer = post_document(client, kim, exported | change)
    assert answer.status_code == 400, answer.content
    client.force_login(kim)
    page = client.post(reverse(PAGE), {"text": json.dumps(exported | change)})
    assert page.status_code == 422
    assert why in unescape(page.content.decode())
    assert why.partition(":")[0] in answer.content.decode()
    assert (Company.objects.filter(owner=kim).count(), LedgerEntry.objects.count()) == (0, before)


@pytest.mark.parametrize("place", [1, 2, -1, True, "0"])
def test_entry_names_earlier_entries_only(exported, place):
    exported["ledger"][1]["facts"]["place"] = place
    with pytest.raises(DocumentError, match="place must be the place of an earlier entry"):
        read_company(json.dumps(exported))


@pytest.mark.parametrize("sent", ["", "{", "[]", "null", "\x00", "[" * 3000])
def test_bad_document_is_refused_with_a_message(client, sent):
    client.force_login(a_player("kim"))
    page = client.post(reverse(PAGE), {"text": sent})
    assert page.status_code == 422
    assert "Not uploaded" in page.content.decode()


def test_large_company_file_is_refused(client):
    client.force_login(a_player("kim"))
    page = client.post(reverse(PAGE), {"file": io.BytesIO(b" " * (8 * 1024 * 1024 + 2))})
    assert page.status_code == 422
    assert "Not uploaded" in page.content.decode()


def test_repeated_request_imports_once(client, exported):
    kim = a_player("kim")
    headers = {"authorization": f"Token {a_token(kim)}", "idempotency-key": "one"}
    for _ in range(2):
        client.post(
            reverse("api-company-import"), json.dumps(exported), content_type="application/json", headers=headers
        )
    assert Company.objects.filter(owner=kim).count() == 1
