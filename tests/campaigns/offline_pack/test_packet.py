"""The contents of the offline pack by reader, and what makes the site installable on a phone."""

import re

import pytest
from django.contrib.staticfiles import finders

from campaigns.army_lists.services import lists_reveal
from campaigns.live_tables import match_table_seat
from config import site_files
from tests.battles.live.builders import a_table
from tests.builders import a_player
from tests.campaigns.builders import a_match
from tests.campaigns.test_results import owner


@pytest.fixture
def match(db):
    return lists_reveal(match=a_match())


def test_site_can_be_installed(client, db):
    response = client.get("/manifest.webmanifest")
    assert response.headers["Content-Type"] == "application/manifest+json"
    manifest = response.json()
    assert (manifest["display"], manifest["start_url"], manifest["scope"]) == ("standalone", "/", "/")
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    assert "maskable" in {icon["purpose"] for icon in manifest["icons"]}
    assert 'rel="manifest"' in client.get("/").content.decode()


def test_files_of_manifest_and_worker_exist(client, db):
    icons = [icon["src"] for icon in client.get("/manifest.webmanifest").json()["icons"]]
    worker = client.get("/worker.js")
    assert worker.headers["Cache-Control"] == "no-cache"
    scripts = re.findall(r'"(/static/[^"]+\.js)"', worker.content.decode())
    assert len(scripts) == len(site_files.SCRIPTS)
    for path in (*site_files.SCRIPTS, *site_files.SHELL):
        assert finders.find(path), path
    for path in (*icons, *scripts):
        assert path.startswith("/static/")


def test_sheet_is_offered_to_its_own_player_only(client, match):
    seat = match_table_seat(match=match, side=0, by=owner(match, 0))
    client.force_login(owner(match, 1))
    assert str(seat.key) not in client.get(f"/tonight/?seat={seat.key}").content.decode()
    client.force_login(owner(match, 0))
    assert str(seat.key) in client.get("/tonight/").content.decode()
    assert client.get("/tonight/?seat=nonsense").status_code == 200


def test_units_are_listed_below_their_company_with_emblem(client, match):
    player = owner(match, 0)
    company = match.attacker.company
    client.force_login(player)
    page = client.get("/tonight/").content.decode()
    names = re.findall(r'data-packet-label="([^"]+)"', page)
    at = names.index(company.name)
    units = [unit.name for unit in company.units.order_by("pk")]
    assert units
    assert names[at + 1 : at + 1 + len(units)] == units
    assert page.count("is-under") >= len(units)
    assert page.count('class="emblem') == 3  # both sides of the match, and the company


def test_visitor_stores_their_sheet_and_its_rules(client, db):
    ann, _ = a_table()
    page = client.get(f"/tonight/?seat={ann.key}").content.decode()
    assert f'data-packet-url="/table/{ann.key}/"' in page
    assert 'data-packet-url="/rules/meks-and-mercs/"' in page
    assert "data-packet-url" not in client.get("/tonight/").content.decode()


@pytest.mark.django_db
def test_one_time_message_is_not_stored_in_the_pack(client):
    player = a_player("kim")
    client.force_login(player)
    client.post("/clubs/new/", {"name": "Iron Table"})
    for _ in range(2):
        assert b"Iron Table created" not in client.get("/clubs/iron-table/", headers={"X-Quiet": "1"}).content
    assert b"Iron Table created" in client.get("/clubs/iron-table/").content
    assert b"Iron Table created" not in client.get("/clubs/iron-table/").content
