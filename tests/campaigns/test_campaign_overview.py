"""The top of a running campaign's overview, and an organiser's notes beside planned matches."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from campaigns.campaign.selectors import enrolment_rows, leading
from campaigns.models import FairDraw, Gazette, Territory
from campaigns.planning.pairing_odds import ground_key, pairing_notes
from campaigns.standings.selectors import standings
from tests.builders import a_company, a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_mustered_company, a_round, an_enrolment

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    return a_campaign(a_club(a_player("olga")), map_kind="ring")


@pytest.fixture
def sides(campaign):
    return [an_enrolment(campaign, a_mustered_company(name=name)) for name in ("Ants", "Bees", "Cats", "Dogs")]


def campaign_overview(campaign):
    visitor = AnonymousUser()
    return leading(campaign, visitor, enrolment_rows(campaign, visitor))


def win(row, attacker, defender, **fields):
    figures = {"destroyed": [1, 0], "lost": [0, 1]}
    return a_match(row, attacker, defender, state="confirmed", outcome="attacker", figures=figures, **fields)


@pytest.fixture
def two_rounds(campaign, sides):
    ants, bees, cats, dogs = sides
    first, second = (a_round(campaign, "closed") for _ in range(2))
    win(first, ants, bees)
    win(first, dogs, cats)
    win(second, cats, ants)
    win(second, dogs, bees)


def tabs_of(client, url):
    """Return the addresses of a campaign page's tabs, and of those that are marked as the page itself."""
    tabs = (
        client.get(url).content.decode().partition('<nav class="tabs" aria-label="Campaign">')[2].partition("</nav>")[0]
    )
    return re.findall(r'<a\s+href="([^"]+)"', tabs), re.findall(r'<a\s+href="([^"]+)"\s+aria-current="page"', tabs)


def test_each_tab_is_marked_on_its_own_page(client, campaign, two_rounds):
    client.force_login(campaign.club.memberships.get(role="organiser").player)
    for at, name in enumerate(("Ford", "Mill", "Hill"), start=1):
        Territory.objects.create(campaign=campaign, position=at, name=name)
    tabs, _ = tabs_of(client, reverse("campaigns:campaign", args=[campaign.pk]))
    assert len(tabs) == 5
    assert {url: tabs_of(client, url)[1] for url in tabs} == {url: [url] for url in tabs}


def test_table_shows_form_and_movement(campaign, two_rounds):
    rows = {each.name: each for each in campaign_overview(campaign).table}
    assert [rows[name].place for name in ("Dogs", "Cats", "Ants", "Bees")] == [1, 2, 3, 4]
    assert {name: "".join(each.letter for each in row.form) for name, row in rows.items()} == {
        "Ants": "WL", "Bees": "LL", "Cats": "LW", "Dogs": "WW",
    }  # fmt: skip
    assert {name: row.moved for name, row in rows.items()} == {"Dogs": 1, "Cats": 2, "Ants": -2, "Bees": -1}


def test_equal_companies_share_a_place_by_the_rules():
    campaign = a_campaign(a_club(a_player("hexa")), system="hex-core", options={}, tie_breakers=[])
    sides = [
        an_enrolment(campaign, a_company(system="hex-core", name=name)) for name in ("Ants", "Bees", "Cats", "Dogs")
    ]
    win(a_round(campaign, "closed"), sides[2], sides[3])
    places = {each.row.name: each.row.place for each in standings(campaign)}
    assert {each.name: each.place for each in campaign_overview(campaign).table} == places
    assert (places["Ants"], places["Bees"]) == (2, 2)


def test_nobody_has_moved_after_one_round(campaign, sides):
    win(a_round(campaign, "closed"), sides[0], sides[1])
    assert {each.moved for each in campaign_overview(campaign).table} == {0}


def test_map_marks_territories_of_open_matches(client, campaign, sides):
    places = [
        Territory.objects.create(campaign=campaign, position=at, name=name)
        for at, name in enumerate(("Ford", "Hill", "Mill"), 1)
    ]
    win(a_round(campaign, "closed"), sides[0], sides[1], territory=places[0])
    match = a_match(a_round(campaign, "open"), sides[2], sides[3], territory=places[1])
    found = campaign_overview(campaign)
    assert {name: each.key for name, each in found.contested.items()} == {"Hill": match.key}
    assert [spot.place.holder_name for spot in found.drawing.spots] == ["Ants", "", ""]
    page = client.get(reverse("campaigns:campaign", args=[campaign.pk])).content.decode()
    assert page.count("⚔") == 2  # on the map and in the list below it
    assert "Cats against Dogs" in re.sub(r"<[^>]+>", "", page)
    whole = client.get(reverse("campaigns:standings", args=[campaign.pk])).content.decode()
    assert whole.count("⚔") == 2
    assert "Cats against Dogs" in re.sub(r"<[^>]+>", "", whole)
    before = client.get(reverse("campaigns:standings", args=[campaign.pk]), {"after": 1}).content.decode()
    assert "⚔" not in before  # the map as it was then, without current matches


def test_newest_headline_follows_the_standings(client, campaign, two_rounds):
    row = campaign.rounds.get(number=2)
    Gazette.objects.create(round=row, content={}, headline="Cats bring the Ants down", lead="Two matches decided.")
    page = client.get(reverse("campaigns:campaign", args=[campaign.pk])).content.decode()
    assert page.index('id="standing"') < page.index("Cats bring the Ants down") < page.index('id="companies"')


def test_planned_match_shows_rematch_odds_and_points(client, campaign, sides, two_rounds):
    row = a_round(campaign, "planned")
    again, fresh = a_match(row, sides[1], sides[0]), a_match(row, sides[3], sides[0])
    ground = ground_key(fresh.scenario, fresh.terrain)
    draw = FairDraw(round=row, chances={f"{sides[3].pk}-{sides[0].pk}": 0.625}, ground=ground)
    notes = pairing_notes(campaign, [again, fresh], row.number, draw)
    assert (notes[again.pk].rounds, notes[again.pk].odds.chance) == ((1,), None)
    assert (notes[fresh.pk].rounds, notes[fresh.pk].odds.chance) == ((), 0.625)
    assert notes[fresh.pk].points == (6, 3)
    client.force_login(campaign.club.memberships.get(role="organiser").player)
    page = " ".join(
        re.sub(r"<[^>]+>", " ", client.get(reverse("campaigns:round", args=[campaign.pk, 3])).content.decode()).split()
    )
    assert "rematch of round 1" in page
    assert "first meeting" in page
