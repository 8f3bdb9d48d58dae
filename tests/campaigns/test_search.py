"""The search of the whole site: what is found, and that nobody finds what they may not see."""

import pytest
from django.urls import reverse

from rosters.models import Design, Visibility
from tests.builders import SYSTEM, WASP, a_company, a_player
from tests.campaigns.builders import a_campaign, a_club

pytestmark = pytest.mark.django_db


def found(client, text):
    """Return the names found by this search, by group."""
    groups = client.get(reverse("search"), {"q": text}).context["groups"]
    return {group.title: [hit.name for hit in group.hits] for group in groups}


def test_search_finds_each_kind_by_name(client):
    club = a_club(name="Iron Table")
    a_campaign(club, name="Iron War", is_public=True)
    a_company(a_player(), name="Iron Wolves", visibility=Visibility.PUBLIC)
    Design.objects.create(author=a_player(), system=SYSTEM, name="Iron Wasp", spec=WASP, visibility=Visibility.PUBLIC)
    names = found(client, "iron")
    assert names["Companies"] == ["Iron Wolves"]
    assert names["Clubs"] == ["Iron Table"]
    assert names["Campaigns"] == ["Iron War"]
    assert "Iron Wasp" in names["Designs"]


def test_search_finds_published_designs_scenarios_and_rules(client):
    assert "WASP" in found(client, "wasp")["Designs"]
    assert "At the Hot Gates" in found(client, "hot gates")["Scenarios"]
    assert found(client, "MM-042")["Rules"]


def test_own_designs_come_before_published_ones(client):
    owner = a_player()
    Design.objects.create(author=owner, system=SYSTEM, name="My Wasp", spec=WASP)
    client.force_login(owner)
    assert found(client, "wasp")["Designs"][0] == "My Wasp"


def test_private_things_are_found_by_their_owner_only(client):
    owner = a_player()
    club = a_club(owner, name="Zebra Table", is_public=False)
    a_campaign(club, name="Zebra War")
    a_company(owner, name="Zebra Wolves", visibility=Visibility.PRIVATE)
    a_company(owner, name="Zebra Link", visibility=Visibility.LINK)
    assert found(client, "zebra") == {}
    client.force_login(a_player())
    assert found(client, "zebra") == {}
    client.force_login(owner)
    names = found(client, "zebra")
    assert names["Companies"] == ["Zebra Link", "Zebra Wolves"]
    assert (names["Clubs"], names["Campaigns"]) == (["Zebra Table"], ["Zebra War"])


def test_companies_lead_to_the_list_of_all_with_the_name(client):
    for number in range(10):
        a_company(a_player(), name=f"Wolf {number}", visibility=Visibility.PUBLIC)
    (group,) = [each for each in client.get(reverse("search"), {"q": "wolf"}).context["groups"] if each.more]
    assert len(group.hits) == 8
    assert "Wolf 9" in client.get(group.more).content.decode()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Find companies"),
        ("x", "Type at least two letters"),
        ("qqqq<b>", "No results for “qqqq&lt;b&gt;”"),
    ],
)
def test_search_without_a_hit_says_what_to_do(client, text, message):
    assert message in " ".join(client.get(reverse("search"), {"q": text}).content.decode().split())
