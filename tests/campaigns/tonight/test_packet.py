"""What the packet offers to whom, and what makes the site one that a phone can install."""

import re

import pytest
from django.contrib.staticfiles import finders

from campaigns.live.services import match_table
from campaigns.musters.forces import forces_open
from config import network
from tests.battles.live.builders import a_table
from tests.builders import a_player
from tests.campaigns.builders import a_match
from tests.campaigns.test_results import owner


@pytest.fixture
def match(db):
    return forces_open(match=a_match())


def test_the_site_can_be_installed(client, db):
    manifest = client.get("/manifest.webmanifest")
    assert manifest.headers["Content-Type"] == "application/manifest+json"
    told = manifest.json()
    assert (told["display"], told["start_url"], told["scope"]) == ("standalone", "/", "/")
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in told["icons"]}
    assert "maskable" in {icon["purpose"] for icon in told["icons"]}
    assert 'rel="manifest"' in client.get("/").content.decode()


def test_what_the_manifest_and_the_worker_name_is_there(client, db):
    icons = [icon["src"] for icon in client.get("/manifest.webmanifest").json()["icons"]]
    worker = client.get("/worker.js")
    assert worker.headers["Cache-Control"] == "no-cache"
    scripts = re.findall(r'"(/static/[^"]+\.js)"', worker.content.decode())
    assert len(scripts) == len(network.SCRIPTS)
    for path in (*network.SCRIPTS, *network.SHELL):
        assert finders.find(path), path
    for path in (*icons, *scripts):
        assert path.startswith("/static/")


def test_nobody_is_offered_the_sheet_of_another_player(client, match):
    seat = match_table(match=match, side=0, by=owner(match, 0))
    client.force_login(owner(match, 1))
    assert str(seat.key) not in client.get(f"/tonight/?seat={seat.key}").content.decode()
    client.force_login(owner(match, 0))
    assert str(seat.key) in client.get("/tonight/").content.decode()
    assert client.get("/tonight/?seat=nonsense").status_code == 200


def test_units_stand_below_their_company_which_shows_its_emblem(client, match):
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


def test_a_visitor_stores_the_sheet_that_he_sits_at_and_its_rules(client, db):
    ann, _ = a_table()
    page = client.get(f"/tonight/?seat={ann.key}").content.decode()
    assert f'data-packet-url="/table/{ann.key}/"' in page
    assert 'data-packet-url="/rules/meks-and-mercs/"' in page
    assert "data-packet-url" not in client.get("/tonight/").content.decode()


@pytest.mark.django_db
def test_what_is_said_once_is_left_for_who_reads_and_not_put_away_with_a_page(client):
    player = a_player("kim")
    client.force_login(player)
    client.post("/clubs/new/", {"name": "Iron Table"})
    for _ in range(2):
        assert b"is founded" not in client.get("/clubs/iron-table/", headers={"X-Quiet": "1"}).content
    assert b"is founded" in client.get("/clubs/iron-table/").content
    assert b"is founded" not in client.get("/clubs/iron-table/").content
