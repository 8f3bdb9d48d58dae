"""Only the site's own host names are answered, at every address."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.campaigns.builders import a_match

HOSTS = ("evil.example", "a b", "", "localhost:99999x")


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("path", ["/", "/companies/", "/nowhere", "/api/v1/companies/"])
def test_unknown_host_name_is_refused(db, client, host, path):
    answer = client.get(path, headers={"host": host})
    assert answer.status_code == 400
    if path.startswith("/api/"):
        assert answer.json()["errors"][0]["field"] == "host"
    else:
        assert "set up for that host name" in answer.content.decode()


@pytest.mark.parametrize("search", ["/companies/?q=", "/clubs/?q=", "/battles/?text=", "/rules/?q="])
def test_search_with_bytes_no_database_takes_is_answered(db, client, search):
    assert client.get(f"{search}iron%00hounds%ff").status_code == 200


def test_ruling_search_with_bytes_no_database_takes_is_answered(db, client):
    match = a_match()
    client.force_login(match.attacker.company.owner)
    url = reverse("campaigns:gazettes", args=[match.round.campaign_id])
    assert client.get(f"{url}?text=iron%00hounds%ff&kind=%00&by=%00").status_code == 200
