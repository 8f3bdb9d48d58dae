"""The API doesn't overwrite later changes if the caller sends the ETag that they read."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaigns.models import Club
from rosters.models import Company
from rosters.services import company_change, design_save
from tests.builders import SYSTEM, WASP, a_company, a_pilot, a_player, a_unit
from tests.campaigns.builders import a_campaign, a_club, an_enrolment

pytestmark = pytest.mark.django_db


def change(client, method, url, body, tag=None):
    headers = {} if tag is None else {"If-Match": tag}
    return client.generic(method, url, json.dumps(body), "application/json", headers=headers)


@pytest.fixture
def company(client):
    company = a_company()
    client.force_login(company.owner)
    return company


@pytest.fixture
def url(company):
    return reverse("api-company", args=[company.pk])


def test_change_with_the_current_tag_returns_a_new_tag(client, company, url):
    read = client.get(url)["ETag"]
    assert client.get(url)["ETag"] == read
    changed = change(client, "PATCH", url, {"motto": "Mine"}, read)
    assert changed.status_code == 200
    assert changed["ETag"] == client.get(url)["ETag"] != read


def test_company_changed_meanwhile_is_refused(client, company, url):
    read = client.get(url)["ETag"]
    company_change(company=company, by=company.owner, motto="Theirs")
    for tag in (read, '"nonsense"', f'{read}, "other"', '""'):
        answer = change(client, "PATCH", url, {"motto": "Mine"}, tag)
        assert answer.status_code == 412
        assert answer.json()["errors"][0]["field"] == "If-Match"
    assert Company.objects.get().motto == "Theirs"


def test_row_is_locked_before_it_is_read(client, company, url):
    if connection.vendor == "sqlite":
        pytest.skip("SQLite locks the whole database")
    with CaptureQueriesContext(connection) as queries:
        assert change(client, "PATCH", url, {"motto": "Mine"}).status_code == 200
    reads = [query["sql"] for query in queries if 'FROM "rosters_company"' in query["sql"]]
    assert "FOR NO KEY UPDATE" in reads[0]


@pytest.mark.parametrize("tag", ["", "x", '"', '"x', '"x" "y"', '*, "x"', ",", '"x y"'])
def test_malformed_tag_is_refused(client, company, url, tag):
    answer = change(client, "PATCH", url, {"motto": "Mine"}, tag)
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "If-Match"
    assert Company.objects.get().motto == company.motto


def test_bad_or_forbidden_change_is_refused_before_the_tag(client, company, url):
    assert change(client, "PATCH", url, {"motto": 5}, '"nonsense"').status_code == 400
    assert change(client, "PATCH", url, {"colour": "rust"}, '"nonsense"').status_code == 412
    Company.objects.update(visibility="public")
    client.force_login(a_player("stranger"))
    assert change(client, "PATCH", url, {"motto": "Mine"}, '"nonsense"').status_code == 404


def test_tag_of_a_compressed_answer_is_accepted(client, company, url):
    a_unit(company)
    read = client.get(url, headers={"Accept-Encoding": "gzip"})
    assert read["Content-Encoding"] == "gzip"
    assert change(client, "PATCH", url, {"motto": "Mine"}, read["ETag"]).status_code == 200
    assert change(client, "PATCH", url, {"motto": "Yours"}, read["ETag"]).status_code == 412


def test_tag_depends_on_the_whole_answer(client, company, url):
    read = client.get(url)["ETag"]
    a_unit(company)
    assert change(client, "PATCH", url, {"motto": "Mine"}, read).status_code == 412


def test_star_or_no_header_accepts_any_state(client, company, url):
    assert change(client, "PATCH", url, {"motto": "One"}, "*").status_code == 200
    assert change(client, "PATCH", url, {"motto": "Two"}, f'"x", {client.get(url)["ETag"]}').status_code == 200
    assert change(client, "PATCH", url, {"motto": "Three"}).status_code == 200


def test_compressed_answer_has_a_weak_tag(client, company, url):
    read = client.get(url, headers={"accept-encoding": "gzip"})
    assert (read["Content-Encoding"], read["ETag"][:2]) == ("gzip", "W/")
    assert change(client, "PATCH", url, {"motto": "Mine"}, read["ETag"]).status_code == 200
    assert change(client, "PATCH", url, {"motto": "Mine too"}, read["ETag"]).status_code == 412


def test_stranger_gets_404_with_any_tag(client, company, url):
    client.force_login(a_player("stranger"))
    assert change(client, "PATCH", url, {"motto": "Mine"}, "*").status_code == 404


def test_designs_and_clubs_check_the_tag(client):
    player = a_player("kim")
    client.force_login(player)
    design = design_save(author=player, system=SYSTEM, name="Wasp", spec=WASP)
    document = {"muster": "design/1", "system": SYSTEM, "name": "Hornet", "spec": WASP}
    url = reverse("api-design", args=[design.pk])
    read = client.get(url)["ETag"]
    assert change(client, "PUT", url, document, read).status_code == 200
    assert change(client, "PUT", url, document, read).status_code == 412
    club = a_club(player)
    url = reverse("api-club", args=[club.slug])
    read = client.get(url)["ETag"]
    Club.objects.update(about="Theirs")
    assert change(client, "PATCH", url, {"place": "Here"}, read).status_code == 412
    assert change(client, "PATCH", url, {"place": "Here"}, client.get(url)["ETag"]).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_parallel_changes_of_different_fields_are_both_kept(client):
    club = a_club()
    organiser = club.memberships.get(role="organiser").player
    url, fields = reverse("api-club", args=[club.slug]), ("about", "place")
    gate = threading.Barrier(2)

    def run(field):
        own = Client()
        own.force_login(organiser)
        gate.wait()
        try:
            return [change(own, "PATCH", url, {field: f"{field} {number}"}).status_code for number in range(8)]
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(run, fields)) == [[200] * 8] * 2
    club.refresh_from_db()
    assert (club.about, club.place) == ("about 7", "place 7")


@pytest.mark.django_db(transaction=True)
def test_one_of_parallel_changes_with_one_tag_succeeds(client, company, url):
    read, gate = client.get(url)["ETag"], threading.Barrier(6)

    def run(number):
        own = Client()
        own.force_login(company.owner)
        gate.wait()
        try:
            return change(own, "PATCH", url, {"motto": f"Motto {number}"}, read).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(run, range(6))) == [200, *[412] * 5]


def test_units_pilots_members_and_enrolments_check_the_tag(client):
    enrolment = an_enrolment(a_campaign())
    company, campaign = enrolment.company, enrolment.campaign
    club = campaign.club
    organiser = club.memberships.get(role="organiser").player
    unit, pilot = company.units.first(), company.pilots.first()
    member = club.memberships.get(player=company.owner)
    cases = [
        (company.owner, "api-unit", [company.pk, unit.pk], {"name": "Mine"}, {"name": "Theirs"}),
        (company.owner, "api-pilot", [company.pk, pilot.pk], {"name": "Mine"}, {"callsign": "Theirs"}),
        (organiser, "api-member", [club.slug, member.pk], {"role": "organiser"}, {"role": "arbiter"}),
        (company.owner, "api-enrolment", [campaign.pk, enrolment.pk], {"doctrine": "aggressive"}, {"doctrine": "cautious"}),
    ]  # fmt: skip
    for who, route, args, mine, theirs in cases:
        client.force_login(who)
        url = reverse(route, args=args)
        read = client.get(url)
        assert read.status_code == 200, route
        changed = change(client, "PATCH", url, theirs, read["ETag"])
        assert changed.status_code == 200, changed.content
        assert changed["ETag"] == client.get(url)["ETag"] != read["ETag"], route
        assert change(client, "PATCH", url, mine, read["ETag"]).status_code == 412, route
        assert client.get(url).json() == changed.json()
        assert change(client, "PATCH", url, mine, changed["ETag"]).status_code == 200, route


def test_renaming_a_pilot_keeps_the_callsign(client, company):
    pilot = a_pilot(company, "Ada", callsign="Owl")
    url = reverse("api-pilot", args=[company.pk, pilot.pk])
    answer = change(client, "PATCH", url, {"name": "Eva"}).json()
    assert (answer["name"], answer["callsign"]) == ("Eva", "Owl")


def test_unit_and_pilot_follow_their_companys_visibility(client):
    company = a_company(visibility="public")
    unit, pilot = a_unit(company), a_pilot(company)
    assert client.get(reverse("api-unit", args=[company.pk, unit.pk])).json()["name"] == "WASP"
    assert client.get(reverse("api-pilot", args=[company.pk, pilot.pk])).json()["name"] == "Ada"
    company_change(company=company, by=company.owner, visibility="private")
    assert client.get(reverse("api-unit", args=[company.pk, unit.pk])).status_code == 404


def test_autoplay_orders_are_visible_to_their_player_only(client):
    enrolment = an_enrolment(a_campaign(), orders={"doctrine": "cautious"})
    url = reverse("api-enrolment", args=[enrolment.campaign_id, enrolment.pk])
    assert client.get(url).json()["doctrine"] == ""
    client.force_login(enrolment.company.owner)
    assert client.get(url).json()["doctrine"] == "cautious"


def test_every_change_takes_the_header_and_returns_tag(client):
    described = client.get(reverse("schema") + "?format=json").json()
    found = 0
    for path, methods in described["paths"].items():
        for method in {"patch", "put"} & set(methods):
            each = methods[method]
            assert any(one["name"] == "If-Match" for one in each["parameters"]), f"{method} {path}: put @if_match on it"
            assert "412" in each["responses"]
            assert "ETag" in methods["get"]["responses"]["200"]["headers"], f"{path}: put @tagged on its GET"
            assert "ETag" in each["responses"]["200"]["headers"]
            found += 1
    assert found > 8
