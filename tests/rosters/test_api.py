"""The roster API: the same services as the pages, and one shape for every refusal."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from rosters.models import Company, Design, Unit
from rosters.services import design_save
from systems import ROSTERS
from tests.builders import SYSTEM, WASP, a_company, a_crewed_unit, a_pilot, a_player, a_unit

pytestmark = pytest.mark.django_db

DESIGN = {"muster": "design/1", "system": SYSTEM, "name": "Wasp", "spec": WASP}


@pytest.fixture
def owner(client):
    player = a_player("owner")
    client.force_login(player)
    return player


def send(client, method, name, *args, body=None):
    url = reverse(name, args=args)
    data = body if isinstance(body, bytes | str) else json.dumps(body)
    return client.generic(method, url, b"" if body is None else data, content_type="application/json")


def refusal(answer, status):
    assert answer.status_code == status, answer.content[:300]
    (error, *_) = answer.json()["errors"]
    assert set(error) == {"field", "reason"}
    assert error["reason"]
    return error["field"]


def test_anybody_checks_a_design_and_gets_points_and_problems(client):
    answer = send(client, "POST", "api-designs-check", body=DESIGN).json()
    assert (answer["legal"], answer["points"], answer["problems"]) == (True, 9, [])
    assert sum(line["points"] for line in answer["bill"]) == 9
    bad = {**DESIGN, "spec": {**WASP, "weapons": ["howitzer-cannon"]}}
    assert send(client, "POST", "api-designs-check", body=bad).json()["problems"][0]["rule"] == "MM-005"


NESTED = b'{"muster": ' + b"[" * 500_000 + b"]" * 500_000 + b"}"
BAD_DESIGNS = [
    ({**DESIGN, "spec": {**WASP, "weapons": ["death-ray"]}}, "spec.weapons[0]"),
    ({**DESIGN, "spec": {**WASP, "chassis": "ligt"}}, "spec.chassis"),
    ({**DESIGN, "spec": {**WASP, "weapons": ["cannon"] * 40}}, "spec.weapons"),
    ({**DESIGN, "spec": {**WASP, "weapons": "cannon"}}, "spec.weapons"),
    ({**DESIGN, "spec": {**WASP, "weapons": [-1]}}, "spec.weapons[0]"),
    ({**DESIGN, "spec": {**WASP, "points": -3}}, "spec.points"),
    ({**DESIGN, "system": "chess"}, "system"),
    ({**DESIGN, "name": ""}, "name"),
    ({**DESIGN, "name": "nul\x00"}, "name"),
    ({**DESIGN, "muster": "setup/1"}, "muster"),
    ({key: value for key, value in DESIGN.items() if key != "spec"}, "spec"),
    ([DESIGN], "document"),
    ("5", "document"),
    ("null", "document"),
    ('"text"', "document"),
    ('{"name": NaN}', "document"),
    ('{"name": 1e999}', "name"),
    ("{", "document"),
    (b"\xff\xfe", "document"),
    ('{"a": 1, "a": 2}', "document"),
    (NESTED, "document"),
    (b'{"name": "' + b"x" * 1_000_000 + b'"}', "document"),
    (b'{"name": ' + b"9" * 5000 + b"}", "document"),
]


@pytest.mark.parametrize(("body", "field"), BAD_DESIGNS, ids=range(len(BAD_DESIGNS)))
@pytest.mark.parametrize("name", ["api-designs-check", "api-designs"])
def test_unreadable_design_is_refused_with_field(client, owner, name, body, field):
    assert refusal(send(client, "POST", name, body=body), 400) == field
    assert not Design.objects.exists()


BAD_COMPANIES = [
    ({}, "system", 400),
    ({"system": SYSTEM}, "name", 400),
    ({"system": SYSTEM, "name": 5}, "name", 400),
    ({"system": SYSTEM, "name": ["x"]}, "name", 400),
    ({"system": SYSTEM, "name": "x" * 61}, "name", 400),
    ({"system": SYSTEM, "name": "x", "points": -1}, "points", 400),
    ({"system": SYSTEM, "name": "x", "points": "60"}, "points", 400),
    ({"system": SYSTEM, "name": "x", "points": 60.0}, "points", 400),
    ({"system": SYSTEM, "name": "x", "points": True}, "points", 400),
    ({"system": SYSTEM, "name": "x", "points": 2**80}, "points", 400),
    ({"system": SYSTEM, "name": "x", "owner": 1}, "owner", 400),
    ({"system": SYSTEM, "name": "line\nbreak"}, "name", 422),
    ({"system": SYSTEM, "name": "x", "colour": "red"}, "colour", 422),
    ([], "document", 400),
    (NESTED, "document", 400),
]


@pytest.mark.parametrize(("body", "field", "status"), BAD_COMPANIES, ids=range(len(BAD_COMPANIES)))
def test_bad_company_is_refused_and_not_founded(client, owner, body, field, status):
    assert refusal(send(client, "POST", "api-companies", body=body), status) == field
    assert not Company.objects.exists()


def test_company_is_founded_changed_and_read(client, owner):
    answer = send(client, "POST", "api-companies", body={"system": SYSTEM, "name": "Hounds"})
    assert answer.status_code == 201
    pk = answer.json()["id"]
    changed = send(client, "PATCH", "api-company", pk, body={"motto": "Grr", "visibility": "public"})
    assert changed.json()["motto"] == "Grr"
    read = send(client, "GET", "api-company", pk).json()
    assert (read["balance"], read["units"], read["owner"]) == (60, [], "owner")


def test_units_are_bought_named_crewed_and_sold(client, owner):
    company = a_company(owner)
    bought = send(client, "POST", "api-units", company.pk, body={"published": "wasp"}).json()
    assert (bought["points"], bought["sale"], bought["pilot"]) == (9, 9, None)
    pilot = send(client, "POST", "api-pilots", company.pk, body={"name": "Ada", "experience": "regular"}).json()
    unit = bought["id"]
    assert send(client, "POST", "api-unit-assign", company.pk, unit, body={"pilot": pilot["id"]}).json()["pilot"]
    assert send(client, "PATCH", "api-unit", company.pk, unit, body={"name": "Ghost"}).json()["name"] == "Ghost"
    assert send(client, "POST", "api-unit-assign", company.pk, unit, body={"pilot": None}).json()["pilot"] is None
    assert send(client, "POST", "api-unit-sell", company.pk, unit).json()["status"] == "sold"
    last = send(client, "GET", "api-company", company.pk).json()["undo"]
    assert (last["entries"], last["points"], last["refusal"]) == (["Sold Ghost"], -9, "")
    undone = send(client, "POST", "api-company-undo", company.pk, body={"act": last["act"]}).json()
    assert undone["units"][0]["name"] == "Ghost"
    assert send(client, "POST", "api-pilot-retire", company.pk, pilot["id"]).json()["status"] == "retired"


@pytest.mark.parametrize(
    ("body", "field", "status"),
    [
        ({"published": "death-star"}, "published", 422),
        ({"published": "odin"}, "points", 422),
        ({}, "design", 422),
        ({"design": 999}, "design", 422),
        ({"design": 2**63}, "design", 422),
        ({"design": 2**80}, "design", 400),
        ({"design": "1"}, "design", 400),
        ({"published": ["wasp"]}, "published", 400),
        ({"published": "wasp", "design": 1, "price": 0}, "price", 400),
    ],
)
def test_impossible_purchase_is_refused_with_field(client, owner, body, field, status):
    company = a_company(owner, points=20)
    assert refusal(send(client, "POST", "api-units", company.pk, body=body), status) == field
    assert not Unit.objects.exists()


def test_stranger_gets_404_and_visitor_401(client, owner):
    company = a_company()
    unit, pilot = a_crewed_unit(company)
    design = design_save(author=company.owner, system=SYSTEM, name="Hers", spec=WASP)
    changes = [
        ("PATCH", "api-company", [company.pk], {"name": "Mine"}),
        ("POST", "api-units", [company.pk], {"published": "wasp"}),
        ("PATCH", "api-unit", [company.pk, unit.pk], {"name": "Mine"}),
        ("POST", "api-unit-sell", [company.pk, unit.pk], None),
        ("POST", "api-unit-repair", [company.pk, unit.pk], None),
        ("POST", "api-unit-assign", [company.pk, unit.pk], {"pilot": None}),
        ("POST", "api-pilots", [company.pk], {"name": "Mole"}),
        ("PATCH", "api-pilot", [company.pk, pilot.pk], {"name": "Mole"}),
        ("POST", "api-pilot-retire", [company.pk, pilot.pk], None),
        ("POST", "api-company-undo", [company.pk], None),
        ("PUT", "api-design", [design.pk], DESIGN),
        ("DELETE", "api-design", [design.pk], None),
    ]
    before = company.ledger.count()
    for method, name, args, body in changes:
        refusal(send(client, method, name, *args, body=body), 404)
    client.logout()
    for method, name, args, body in changes:
        refusal(send(client, method, name, *args, body=body), 401)
    assert company.ledger.count() == before


def test_another_companys_unit_is_not_found(client, owner):
    mine, other = a_company(owner), a_company()
    unit, pilot = a_crewed_unit(other)
    refusal(send(client, "POST", "api-unit-sell", mine.pk, unit.pk), 404)
    refusal(send(client, "POST", "api-pilot-retire", mine.pk, pilot.pk), 404)
    answer = send(client, "POST", "api-unit-assign", mine.pk, a_unit(mine).pk, body={"pilot": pilot.pk})
    assert refusal(answer, 422) == "pilot"


def test_designs_are_saved_listed_rebuilt_and_deleted(client, owner):
    design_save(author=a_player(), system=SYSTEM, name="Another's", spec=WASP, visibility="public")
    made = send(client, "POST", "api-designs", body=DESIGN).json()
    assert refusal(send(client, "POST", "api-designs", body=DESIGN), 422) == "name"
    rebuilt = {**DESIGN, "spec": {**WASP, "systems": []}}
    assert send(client, "PUT", "api-design", made["id"], body=rebuilt).json()["check"]["points"] == 6
    assert [row["name"] for row in send(client, "GET", "api-designs").json()["results"]] == ["Wasp"]
    assert send(client, "DELETE", "api-design", made["id"]).status_code == 204
    assert not Design.objects.filter(author=owner).exists()


def test_published_designs_have_their_points(client):
    rows = send(client, "GET", "api-designs-published").json()
    found = {(row["system"], row["slug"]): row["check"]["points"] for row in rows}
    assert found["meks-and-mercs", "wasp"] == 9
    assert found["mech-campaign", "heavy-mech"] == 10
    assert len(found) == sum(len(system.published) for system in ROSTERS.values())


def test_lists_hold_own_and_public_companies(client, owner):
    a_company(owner, name="Own")
    a_company(name="Seen", visibility="public")
    a_company(name="Hidden")
    a_company(name="By link", visibility="link")
    url = reverse("api-companies")
    assert [row["name"] for row in client.get(url).json()["results"]] == ["Own", "Seen"]
    assert [row["name"] for row in client.get(url, {"own": "1"}).json()["results"]] == ["Own"]
    for query in ({"offset": "9" * 40}, {"limit": "-1"}, {"offset": "x"}, {"after": ""}, {"before": "x"}):
        assert refusal(client.get(url, query), 400) == next(iter(query))


def test_schema_names_every_roster_operation(client):
    schema = client.get(reverse("schema"), {"format": "json"}).json()
    assert "/api/v1/designs/check/" in schema["paths"]
    operations = {entry["operationId"] for path in schema["paths"].values() for entry in path.values()}
    assert {"units_create", "pilots_create", "companies_export", "designs_check"} <= operations


def test_pilot_of_unknown_level_is_refused(client, owner):
    company = a_company(owner)
    a_pilot(company)
    answer = send(client, "POST", "api-pilots", company.pk, body={"name": "Ace", "experience": "elite"})
    assert refusal(answer, 422) == "experience"
