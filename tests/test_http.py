"""What HTTP asks of every address: HEAD wherever there is GET, and a host name that is ours."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.campaigns.builders import a_match
from tests.permissions.walk import address, ask, client_of, table
from tests.permissions.world import the_world

STEADY = ("Content-Type", "Content-Disposition", "Content-Language", "Location", "Cache-Control", "Vary", "Allow")
HOSTS = ("evil.example", "a b", "", "localhost:99999x")


@pytest.mark.any_database
@pytest.mark.django_db
def test_head_answers_as_get_does_without_a_body():
    world = the_world()
    client, walked, wrong = client_of(world, "organiser"), 0, []
    first = {row.route: row for row in reversed(table()) if any(told.startswith("GET") for told in row.expected)}
    for row in first.values():
        path = address(row.route, world.cases[row.case])
        (got, _), (head, body) = (ask(client, method, path) for method in ("GET", "HEAD"))
        same = got.status_code == head.status_code and _told(got) == _told(head)
        if not same or body:
            wrong.append(
                f"{row.route} of {row.case}: {got.status_code} and {head.status_code}, {_told(got) ^ _told(head)}"
            )
        walked += 1
    print(f"{walked} pages")
    assert walked > 100
    assert not wrong, "\n".join(wrong)


def _told(answer):
    """The headers, with their values where no moment and no token in the page makes them differ."""
    return {
        (name, value if name in STEADY else "") for name, value in answer.headers.items() if name != "Content-Length"
    }


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("path", ["/", "/companies/", "/nowhere", "/api/v1/companies/"])
def test_a_host_name_that_is_not_ours_is_refused_and_breaks_nothing(db, client, host, path):
    answer = client.get(path, headers={"host": host})
    assert answer.status_code == 400
    if path.startswith("/api/"):
        assert answer.json()["errors"][0]["field"] == "host"
    else:
        assert "does not answer to that host name" in answer.content.decode()


@pytest.mark.parametrize("search", ["/companies/?q=", "/clubs/?q=", "/battles/?text=", "/rules/?q="])
def test_a_search_for_what_no_database_takes_is_answered(db, client, search):
    assert client.get(f"{search}iron%00hounds%ff").status_code == 200


def test_a_search_of_rulings_too(db, client):
    match = a_match()
    client.force_login(match.attacker.company.owner)
    url = reverse("campaigns:rulings", args=[match.round.campaign_id])
    assert client.get(f"{url}?text=iron%00hounds%ff&kind=%00&by=%00").status_code == 200
