"""Tokens: what they open, until when, and that a guard knows every operation."""

import importlib
from datetime import timedelta

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone

from rosters import hooks
from rosters.models import AccessToken
from rosters.services import RefusedError, token_create
from tests.builders import a_company, a_player, a_token
from tests.campaigns.builders import a_campaign, a_club, a_member, an_enrolment

from .builders import PASSWORD, prove

UNSAFE = ("post", "put", "patch", "delete")


@pytest.fixture
def kim(db):
    return a_player("kim")


def api(player, *scopes):
    return Client(headers={"Authorization": f"Token {a_token(player, *scopes)}"})


def operations(patterns=None):
    """(route, method) of all that changes something through the API."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if not isinstance(pattern, URLPattern):
            yield from operations(pattern.url_patterns)
        elif view := getattr(pattern.callback, "cls", None):
            yield from ((pattern.name, method.upper()) for method in UNSAFE if hasattr(view, method))


def demands():
    """What the operations demand, by route."""
    return {route: demand for each in hooks.demands for route, demand in each.items()}


def of_clubs():
    """(route, method) of what demands the scope `club`, of some perhaps."""
    return {(route, method) for route, method in operations() if demands()[route] != "companies"}


def test_every_operation_that_changes_something_demands_companies_or_club():
    found = set(operations())
    assert ("api-units", "POST") in found
    silent = sorted({route for route, _ in found} - set(demands()))
    assert not silent, f"say in an api/scopes.py what scope these demand: {', '.join(silent)}"
    gone = sorted(set(demands()) - {route for route, _ in found})
    assert not gone, f"an api/scopes.py speaks of routes that are gone: {', '.join(gone)}"
    assert {demand for demand in demands().values() if not callable(demand)} == {"companies", "club"}


def test_a_token_reads_what_its_player_may_see(kim):
    company = a_company(kim)
    assert api(kim, "read").get(reverse("api-company", args=[company.pk])).status_code == 200


def test_a_token_without_its_scope_is_told_which_one_it_lacks(kim):
    answer = api(kim, "club").post(reverse("api-companies"), {}, content_type="application/json")
    assert answer.status_code == 403
    assert "needs a token with the scope 'companies'" in answer.json()["errors"][0]["reason"]


def test_a_token_for_companies_founds_one_and_no_club(kim):
    client = api(kim, "companies")
    given = {"system": "meks-and-mercs", "name": "Iron Hounds"}
    assert client.post(reverse("api-companies"), given, content_type="application/json").status_code == 201
    answer = client.post(reverse("api-clubs"), {"name": "Table"}, content_type="application/json")
    assert answer.status_code == 403


def test_a_token_for_companies_withdraws_its_own_enrolment_and_decides_on_none(kim):
    club = a_club(kim)
    campaign = a_campaign(club)
    own, other = (an_enrolment(campaign, a_company(player)) for player in (kim, a_member(club)))
    client = api(kim, "companies")

    def decide(enrolment, decision):
        path = reverse("api-enrolment", args=[enrolment.campaign_id, enrolment.pk])
        return client.patch(path, {"decision": decision}, content_type="application/json").status_code

    assert decide(other, "withdraw") == decide(own, "excuse") == decide(other, "excuse") == 403
    assert decide(own, "withdraw") == 200


def test_a_session_needs_no_scope(kim, client):
    client.force_login(kim)
    given = {"system": "meks-and-mercs", "name": "Iron Hounds"}
    assert client.post(reverse("api-companies"), given, content_type="application/json").status_code == 201


def test_a_token_ends_with_its_days(kim):
    client = api(kim, "read")
    AccessToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    assert client.get(reverse("api-companies")).status_code == 401


@pytest.mark.parametrize("days", [0, 366])
def test_a_token_is_good_for_a_year_at_most(kim, days):
    with pytest.raises(RefusedError, match="1 to 365 days"):
        token_create(player=kim, days=days)


def test_a_token_says_when_it_was_used(kim):
    client = api(kim, "read")
    assert AccessToken.objects.get().used_at is None
    client.get(reverse("api-companies"))
    first = AccessToken.objects.get().used_at
    assert first is not None
    client.get(reverse("api-companies"))
    assert AccessToken.objects.get().used_at == first  # to some minutes, so that reading writes nothing


# --- a changed password -----------------------------------------------------------------------------------------------


def test_changing_the_password_on_the_page_ends_all_tokens(kim, client):
    machine = api(kim, "read")
    client.force_login(kim)
    client.post(
        reverse("account_change_password"),
        {"oldpassword": PASSWORD, "password1": "another-sesame", "password2": "another-sesame"},
    )
    assert machine.get(reverse("api-companies")).status_code == 401


def test_changing_the_password_in_any_other_way_ends_all_tokens(kim):
    machine = api(kim, "read")
    kim.set_password("another-sesame")
    kim.save()
    assert machine.get(reverse("api-companies")).status_code == 401


def test_hashing_the_same_password_anew_ends_no_token(kim, settings):
    machine = api(kim, "read")
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher", *settings.PASSWORD_HASHERS]
    before = kim.password
    assert kim.check_password(PASSWORD)
    kim.refresh_from_db()
    assert kim.password != before
    assert machine.get(reverse("api-companies")).status_code == 200


# --- the player's page ------------------------------------------------------------------------------------------------


def make(client, **given):
    return client.post(reverse("rosters:token_create"), {"name": "Club bot", "days": 90, **given})


@pytest.mark.parametrize("once", [{}, {"once": "0123456789abcdef"}], ids=["bare", "as the page sends it"])
def test_making_a_token_asks_for_the_password_again_and_goes_on_from_there(kim, client, once):
    client.force_login(kim)
    answer = make(client, scopes=["club"], **once)
    assert answer.url.startswith(reverse("account_reauthenticate"))
    assert not AccessToken.objects.exists()
    answer = client.post(answer.url, {"password": PASSWORD, "next": reverse("rosters:token_create")})
    assert answer.context["token"]
    made = AccessToken.objects.get()
    assert (made.name, made.scopes) == ("Club bot", "read club")
    assert timedelta(days=89) < made.expiry - timezone.now() <= timedelta(days=90)


def test_the_page_lists_tokens_with_what_they_may_and_until_when(kim, client):
    client.force_login(kim)
    prove(client)
    token = make(client, scopes=["companies"]).context["token"]
    page = client.get(reverse("rosters:profile")).content.decode()
    assert token not in page
    assert "Club bot" in page
    assert "read companies" in page
    assert "never" in page


def test_a_token_for_more_than_there_is_is_refused(kim, client):
    client.force_login(kim)
    prove(client)
    assert make(client, scopes=["everything"]).status_code == 422
    assert make(client, days=9999).status_code == 422
    assert not AccessToken.objects.exists()


# --- tokens from before -----------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_token_from_before_keeps_its_rights_for_ninety_days():
    bring_over = importlib.import_module("rosters.migrations.0011_access_tokens").bring_over
    before = MigrationLoader(None).project_state().apps
    model = before.get_model("knox", "AuthToken")
    with connection.schema_editor() as editor:
        editor.create_model(model)
    try:
        model.objects.create(digest="d1gest", token_key="k3y", user_id=a_player("old").pk, expiry=None)
    finally:
        with connection.schema_editor() as editor:
            bring_over(before, editor)
    assert model._meta.db_table not in connection.introspection.table_names()
    brought = AccessToken.objects.get()
    assert (brought.digest, brought.scopes) == ("d1gest", "read companies club")
    assert timedelta(days=89) < brought.expiry - timezone.now() <= timedelta(days=90)
