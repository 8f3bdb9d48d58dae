"""Acts between games through the API: the same services and refusals as on the pages."""

import json

import pytest
from django.urls import reverse

from battles.services.results import UnitFate
from rosters.ledger.records import company_record
from rosters.services import company_create
from systems.ledger import READY
from tests.battles.builders import player
from tests.campaigns.test_aftermath import log_game

pytestmark = pytest.mark.django_db


def send(client, method, name, *args, **body):
    content = json.dumps(body) if body else b""
    return client.generic(method, reverse(name, args=args), content, content_type="application/json")


def pilot_of(company):
    return company.pk, company.pilots.get().pk


@pytest.mark.rule("MM-101")
def test_pilot_learns_an_offered_skill(client, own, sixes):
    assert send(client, "GET", "api-pilot-skill", *pilot_of(own)).json() == []
    log_game(own)
    offered = send(client, "GET", "api-pilot-skill", *pilot_of(own)).json()
    assert offered[0].keys() == {"slug", "name", "effect", "fits", "default"}
    assert [each["slug"] for each in offered if each["default"]] == ["accuracy"]
    answer = send(client, "POST", "api-pilot-skill", *pilot_of(own), skill="hawkeye")
    assert (answer.status_code, answer.json()["skills"]) == (200, ["hawkeye"])
    again = send(client, "POST", "api-pilot-skill", *pilot_of(own), skill="spoof")
    assert (again.status_code, again.json()["errors"][0]["field"]) == (422, "skill")


@pytest.mark.parametrize(("body", "status"), [({"skill": "flying"}, 422), ({"skill": 3}, 400), ({"other": ""}, 400)])
def test_unknown_skill_is_refused_at_its_field(client, own, sixes, body, status):
    log_game(own)
    answer = send(client, "POST", "api-pilot-skill", *pilot_of(own), **body)
    assert answer.status_code == status
    assert answer.json()["errors"][0]["field"] in ("skill", "other")
    assert company_record(own).pilots[own.pilots.get().pk].pending


@pytest.mark.rule("MM-S10")
def test_loan_is_granted_only_to_a_poor_company(client, own):
    assert send(client, "GET", "api-loan", own.pk).json() == {"units": 0, "price": 0}
    refused = send(client, "POST", "api-loan", own.pk)
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "company")
    poor = company_create(owner=own.owner, system=own.system, name="Poor", points=8)
    terms = send(client, "GET", "api-loan", poor.pk).json()
    assert terms == {"units": 1, "price": 9}
    lent = send(client, "POST", "api-loan", poor.pk)
    assert (lent.status_code, [unit["status"] for unit in lent.json()]) == (201, [READY])
    assert lent.json()[0]["pilot"] == poor.pilots.get().pk
    assert company_record(poor).debt == 9


def test_service_record_is_visible_to_company_viewers(client, own, sixes):
    log_game(own, kills=1, units={"b1": UnitFate(hits_lost=2, destroyed=True)})
    hired, line = send(client, "GET", "api-pilot-service-record", *pilot_of(own)).json()
    assert (hired["game"], [deed["kind"] for deed in hired["deeds"]]) == (None, ["hired"])
    assert (line["game"], line["unit_lost"]) == (1, False)
    assert [deed["kind"] for deed in line["deeds"]][:2] == ["fought", "kill"]
    assert all(deed["text"] for deed in line["deeds"])
    client.logout()
    assert send(client, "GET", "api-pilot-service-record", *pilot_of(own)).status_code == 404
    own.visibility = "public"
    own.save()
    assert send(client, "GET", "api-pilot-service-record", *pilot_of(own)).status_code == 200
    assert send(client, "GET", "api-pilot-service-record", own.pk, 999_999).status_code == 404


@pytest.mark.parametrize(("method", "name"), [("GET", "api-loan"), ("POST", "api-loan")])
def test_loans_and_skills_are_owner_only(client, own, method, name):
    client.force_login(player("eve"))
    assert send(client, method, name, own.pk).status_code == 404
    assert send(client, method, "api-pilot-skill", *pilot_of(own)).status_code == 404
    client.logout()
    assert send(client, method, name, own.pk).status_code == 401


@pytest.mark.slow
def test_service_record_queries_do_not_grow_with_games(
    client,
    own,
    sixes,
    django_assert_max_num_queries,
):
    log_game(own)
    log_game(own)
    with django_assert_max_num_queries(12):
        lines = send(client, "GET", "api-pilot-service-record", *pilot_of(own)).json()
    assert [line["game"] for line in lines] == [None, 1, 2]
