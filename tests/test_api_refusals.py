"""The API's index, refusals in one format from every source, and strictly read parameters."""

from __future__ import annotations

from collections import Counter

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from config.api_docs import COLLECTIONS
from rosters.api import companies
from tests.builders import a_company, a_player

pytestmark = pytest.mark.django_db


def refused(answer, status):
    assert answer.status_code == status, answer.content[:300]
    assert answer["Content-Type"] == "application/json"
    ((error, *_),) = answer.json().values()
    assert set(error) == {"field", "reason"}
    return error["field"]


@pytest.mark.parametrize(
    "path",
    ["/api/", "/api/v2/", "/api/v1/nothing/", "/api/v1/companies/abc/", "/api/v1/battles/5/", "/api/v1/clubs/a b/"],
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_unknown_address_is_refused_in_the_api_format(client, method, path):
    assert refused(client.generic(method, path), 404) == "document"


def test_wrong_method_media_type_and_body_are_refused_in_one_format(client):
    client.force_login(a_player())
    address = reverse("api-companies")
    assert refused(client.delete(address), 405) == "document"
    assert refused(client.post(address, "<a/>", content_type="application/xml"), 415) == "document"
    assert refused(client.post(address, "{", content_type="application/json"), 400) == "document"
    assert refused(client.post(address, '"' + "x" * 300_000 + '"', content_type="application/json"), 400) == "document"
    assert refused(client.get(address, headers={"accept": "text/csv"}), 406) == "document"
    assert refused(client.get(address, headers={"authorization": "Token nobody"}), 401) == "token"


def test_too_many_wrong_tokens_are_refused_as_described(client):
    cache.clear()
    address, answers = reverse("api-companies"), Counter()
    for _ in range(40):
        answer = client.get(address, headers={"authorization": "Token nobody"})
        answers[answer.status_code] += 1
    assert set(answers) == {401, 429}
    assert refused(answer, 429) == "document"
    assert int(answer["Retry-After"]) > 0
    described = client.get(f"{reverse('schema')}?format=json").json()["paths"]
    silent = {
        f"{method} {path}"
        for path, methods in described.items()
        for method, each in methods.items()
        if not {"401", "429"} <= set(each["responses"])
    }
    assert silent == set()


def test_forbidden_act_is_refused_in_the_api_format(client):
    from tests.campaigns.builders import a_match

    client.force_login(a_player("stranger"))
    match = a_match()
    match.round.campaign.club.__class__.objects.update(is_public=True)
    assert refused(client.delete(reverse("api-match-report", args=[match.key])), 403) == "document"


def test_server_error_has_the_api_format_and_no_details(monkeypatch):
    def fault(*args, **kwargs):
        raise RuntimeError("a secret")

    monkeypatch.setattr(companies.selectors, "companies_visible_to", fault)
    answer = Client(raise_request_exception=False).get(reverse("api-companies"))
    assert refused(answer, 500) == "document"
    assert b"secret" not in answer.content


def test_post_without_slash_redirects_as_post(client):
    client.force_login(a_player())
    answer = client.post("/api/v1/companies", {"system": "chess"}, content_type="application/json")
    assert (answer.status_code, answer["Location"]) == (308, "/api/v1/companies/")
    assert client.get("/api/v1/companies").status_code == 301


def test_index_links_collections_and_names_the_reader(client):
    found = client.get("/api/v1/").json()
    assert found["you"] is None
    assert all(client.get(found[name]).status_code == 200 for name in ("schema", "docs"))
    player = a_player("ada")
    client.force_login(player)
    found = client.get("/api/v1/").json()
    assert found["you"] == {"id": player.pk, "username": "ada", "name": "ada"}
    assert {client.get(address).status_code for address in found["collections"].values()} == {200}


def test_every_collection_is_in_the_index():
    def patterns(resolver):
        for each in resolver.url_patterns:
            yield from patterns(each) if isinstance(each, URLResolver) else [each]

    collections = {
        each.name
        for each in patterns(get_resolver("config.api_urls"))
        if isinstance(each, URLPattern) and "<" not in str(each.pattern) and hasattr(each.callback.cls, "get")
    }
    assert set(COLLECTIONS.values()) == collections - {"api-index"}


PARAMETERS = [
    ("api-companies", "limit=0", "limit"),
    ("api-companies", "limit=201", "limit"),
    ("api-companies", "limit=ten", "limit"),
    ("api-companies", "limit=", "limit"),
    ("api-companies", "limit=5&limit=6", "limit"),
    ("api-companies", "offset=-1", "offset"),
    ("api-companies", "offset=9999999999", "offset"),
    ("api-companies", "after=1.A&before=2.B", "before"),
    ("api-companies", "offset=2&after=1.A", "offset"),
    ("api-companies", "own=maybe", "own"),
    ("api-companies", "owned=true", "owned"),
    ("api-scenarios", "own=2", "own"),
    ("api-clubs", "own=on", "own"),
    ("api-designs", "limit=-3", "limit"),
    ("api-designs", "own=true", "own"),
    ("api-prints", "offset=x", "offset"),
    ("api-prints", "company=4", "company"),
    ("api-battles", "status=done", "status"),
    ("api-battles", "limit=1.5", "limit"),
    ("api-campaigns", "state=over", "state"),
    ("api-campaigns", "club=no slug", "club"),
]


@pytest.mark.parametrize(("route", "query", "field"), PARAMETERS)
def test_bad_parameter_is_refused_with_its_name(client, route, query, field):
    client.force_login(a_player())
    assert refused(client.get(f"{reverse(route)}?{query}"), 400) == field


def test_bad_campaign_parameter_is_refused_with_its_name(client):
    from tests.campaigns.builders import a_match

    match = a_match()
    campaign = match.round.campaign
    client.force_login(match.attacker.company.owner)
    asked = [
        ("api-standings", campaign.pk, "after=soon", "after"),
        ("api-standings", campaign.pk, "after=-1", "after"),
        ("api-rulings", campaign.pk, "kind=mild", "kind"),
        ("api-rulings", campaign.pk, "by=ada", "by"),
        ("api-match-confirm", match.key, "side=both", "side"),
    ]
    for route, key, query, field in asked:
        assert refused(client.get(f"{reverse(route, args=[key])}?{query}"), 400) == field


def test_list_pages_follow_limit_and_offset(client):
    owner = a_player()
    client.force_login(owner)
    names = ["Adders", "Badgers", "Cobras"]
    for name in names:
        a_company(owner, name=name)
    page = client.get(f"{reverse('api-companies')}?limit=2&offset=1&own=true").json()
    assert ([row["name"] for row in page["results"]], page["count"], page["next"]) == (names[1:], 3, None)


@pytest.mark.parametrize("given", [0, 1, "true", None])
def test_booleans_must_be_json_true_or_false(client, given):
    client.force_login(a_player())
    body = {"name": "Iron Table", "is_public": given}
    assert refused(client.post(reverse("api-clubs"), body, content_type="application/json"), 400) == "is_public"


def test_unused_report_field_is_refused(client):
    from tests.campaigns.builders import a_match, a_member

    match = a_match()
    client.force_login(a_member(match.round.campaign.club, role="arbiter"))
    report = {"muster": "report/1", "winner": "draw"}
    for route, body in (
        ("api-correction-preview", {"to": "undo", "mode": "flag"}),
        ("api-match-ruling", {"verdict": "void", "reason": "Snow"}),
    ):
        address = reverse(route, args=[match.key])
        assert (
            refused(client.post(address, {**body, "report": report}, content_type="application/json"), 400) == "report"
        )
