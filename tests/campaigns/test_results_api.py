"""The API of matches and rulings, with a token."""

import pytest
from django.urls import reverse

from campaigns.army_lists.services import lists_reveal
from campaigns.results.services import report_make
from tests.builders import a_player, a_token
from tests.campaigns.builders import a_campaign, a_match, a_member, a_round
from tests.campaigns.test_results import a_kill, document, key, owner

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    return lists_reveal(match=a_match())


def path(match, name="api-match"):
    return reverse(name, args=[match.key])


def as_(player):
    return {"headers": {"Authorization": f"Token {a_token(player)}"}} if player else {}


def post(client, url, body, player):
    return client.post(url, body, content_type="application/json", **as_(player))


def test_api_reports_and_confirms_a_match(client, match):
    attacker, defender = owner(match, 0), owner(match, 1)
    made = post(client, path(match, "api-match-report"), a_kill(match), attacker)
    assert made.status_code == 200, made.content
    assert (made.json()["state"], made.json()["reported"]) == ("reported", ["attacker"])
    seen = client.get(path(match), **as_(defender)).json()
    assert seen["reports"] == [], "not shown before an own report"
    theirs = client.get(path(match, "api-match-confirm"), **as_(defender)).json()
    assert theirs["report"]["units"][key(match, 0)]["kills"] == 1
    done = post(client, path(match, "api-match-confirm"), {"report": theirs["id"]}, defender).json()
    assert (done["state"], done["outcome"], done["decided_by"]) == ("confirmed", "attacker", "other-side")
    assert done["battle"]
    assert len(client.get(path(match)).json()["reports"]) == 1


def test_api_refusals_name_field_and_reason(client, match):
    url, player = path(match, "api-match-report"), owner(match, 0)
    cannot_be = post(client, url, document(units={key(match, 0): {"kills": 4}}), player)
    assert (cannot_be.status_code, cannot_be.json()["errors"][0]["field"]) == (422, "kills")
    cannot_be_read = post(client, url, document(winner="me"), player)
    assert (cannot_be_read.status_code, cannot_be_read.json()["errors"][0]["field"]) == (400, "winner")
    assert client.delete(url, **as_(player)).status_code == 422


def test_api_withdraws_a_report(client, match):
    report_make(match=match, side=0, content=a_kill(match), by=owner(match, 0))
    answer = client.delete(path(match, "api-match-report"), **as_(owner(match, 0)))
    assert (answer.status_code, answer.json()["state"]) == (200, "scheduled")


def test_api_rules_on_a_match_and_lists_the_ruling(client, match):
    for side, content in enumerate((a_kill(match), document("draw"))):
        report_make(match=match, side=side, content=content, by=owner(match, side))
    arbiter = a_member(match.round.campaign.club, "arbiter")
    assert len(client.get(path(match), **as_(arbiter)).json()["differences"]) == 4
    made = post(client, path(match, "api-match-ruling"), {"verdict": "defender", "reason": "Seen it."}, arbiter)
    assert made.status_code == 201, made.content
    rulings = client.get(reverse("api-rulings", args=[match.round.campaign_id]), {"text": "seen"}).json()
    assert [row["id"] for row in rulings["results"]] == [made.json()["id"]]
    assert client.get(path(match)).json()["state"] == "ruled"


def test_api_refuses_to_play_and_returns(client, match):
    url, player = path(match, "api-match-refusal"), owner(match, 0)
    refused = post(client, url, {"reason": "Ill."}, player).json()
    assert (refused["refusing"], refused["refusal"]) == ("attacker", "Ill.")
    assert (client.get(path(match)).json()["refusing"], client.get(path(match)).json()["refusal"]) == ("", "")
    twice = post(client, url, {"reason": "We too."}, owner(match, 1))
    assert (twice.status_code, twice.json()["errors"][0]["field"]) == (422, "match")
    assert client.delete(url, **as_(player)).json()["refusing"] == ""
    assert client.delete(url, **as_(player)).status_code == 422


# status by role: nobody, stranger, member, side, arbiter
RIGHTS = {
    "api-match-report": (401, 403, 403, 400, 403),
    "api-match-confirm": (401, 403, 403, 400, 403),
    "api-match-refusal": (401, 403, 403, 400, 403),
    "api-match-ruling": (401, 403, 403, 403, 400),
}


@pytest.mark.parametrize("name", RIGHTS)
def test_api_rights_match_the_pages(client, match, name):
    club = match.round.campaign.club
    readers = (None, a_player(), a_member(club), owner(match, 0), a_member(club, "arbiter"))
    assert tuple(post(client, path(match, name), {}, reader).status_code for reader in readers) == RIGHTS[name]


def test_private_match_is_hidden_from_strangers(client):
    match = a_match(a_round(a_campaign(is_public=False)))
    for name in ("api-match", "api-match-confirm"):
        assert client.get(path(match, name), **as_(a_player())).status_code == 404
    assert client.get(reverse("api-rulings", args=[match.round.campaign_id])).status_code == 404
    assert client.get(path(match), **as_(owner(match, 0))).status_code == 200


def test_api_schema_contains_the_endpoints(client):
    schema = client.get(reverse("schema"), headers={"Accept": "application/json"}).content.decode()
    assert "matches_report_delete" in schema
    assert "rulings_list" in schema
