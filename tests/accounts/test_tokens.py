"""Access tokens: scopes, expiry, and a scope for every changing operation."""

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
from rosters.services import RefusedError, token_create, token_revoke
from tests.builders import a_company, a_player, a_token
from tests.campaigns.builders import a_campaign, a_club, a_member, an_enrolment

from .builders import PASSWORD, reauthenticate

UNSAFE = ("post", "put", "patch", "delete")


@pytest.fixture
def kim(db):
    return a_player("kim")


def api(player, *scopes):
    return Client(headers={"Authorization": f"Token {a_token(player, *scopes)}"})


def operations(patterns=None):
    """Yield route and method of every changing operation of the API."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if not isinstance(pattern, URLPattern):
            yield from operations(pattern.url_patterns)
        elif view := getattr(pattern.callback, "cls", None):
            yield from ((pattern.name, method.upper()) for method in UNSAFE if hasattr(view, method))


def required_scopes():
    """Return the scope that each route needs: a name, or a function of the request."""
    return {route: demand for each in hooks.demands for route, demand in each.items()}


def club_operations():
    """Return route and method of the operations that need, or may need, the scope `club`."""
    return {(route, method) for route, method in operations() if required_scopes()[route] != "companies"}


def test_every_changing_operation_needs_a_scope():
    found = set(operations())
    assert ("api-units", "POST") in found
    without_scope = sorted({route for route, _ in found} - set(required_scopes()))
    assert not without_scope, f"state in an api/scopes.py which scope these require: {', '.join(without_scope)}"
    gone = sorted(set(required_scopes()) - {route for route, _ in found})
    assert not gone, f"an api/scopes.py names routes that don't exist: {', '.join(gone)}"
    assert {demand for demand in required_scopes().values() if not callable(demand)} == {"companies", "club"}


def test_token_reads_what_its_player_may_see(kim):
    company = a_company(kim)
    assert api(kim, "read").get(reverse("api-company", args=[company.pk])).status_code == 200


def test_refusal_names_the_missing_scope(kim):
    answer = api(kim, "club").post(reverse("api-companies"), {}, content_type="application/json")
    assert answer.status_code == 403
    assert "needs a token with the scope 'companies'" in answer.json()["errors"][0]["reason"]


def test_companies_scope_founds_companies_but_no_club(kim):
    client = api(kim, "companies")
    given = {"system": "meks-and-mercs", "name": "Iron Hounds"}
    assert client.post(reverse("api-companies"), given, content_type="application/json").status_code == 201
    answer = client.post(reverse("api-clubs"), {"name": "Table"}, content_type="application/json")
    assert answer.status_code == 403


def test_companies_scope_only_withdraws_an_own_enrolment(kim):
    club = a_club(kim)
    campaign = a_campaign(club)
    own, other = (an_enrolment(campaign, a_company(player)) for player in (kim, a_member(club)))
    client = api(kim, "companies")

    def decide(enrolment, decision):
        path = reverse("api-enrolment", args=[enrolment.campaign_id, enrolment.pk])
        return client.patch(path, {"decision": decision}, content_type="application/json").status_code

    assert decide(other, "withdraw") == decide(own, "excuse") == decide(other, "excuse") == 403
    assert decide(own, "withdraw") == 200


def test_session_needs_no_scope(kim, client):
    client.force_login(kim)
    given = {"system": "meks-and-mercs", "name": "Iron Hounds"}
    assert client.post(reverse("api-companies"), given, content_type="application/json").status_code == 201


def test_expired_token_is_refused(kim):
    client = api(kim, "read")
    AccessToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    assert client.get(reverse("api-companies")).status_code == 401


@pytest.mark.parametrize("days", [0, 366])
def test_token_lasts_between_1_and_365_days(kim, days):
    with pytest.raises(RefusedError, match="1 to 365 days"):
        token_create(player=kim, days=days)


def test_token_stores_when_it_was_used(kim):
    client = api(kim, "read")
    assert AccessToken.objects.get().used_at is None
    client.get(reverse("api-companies"))
    first = AccessToken.objects.get().used_at
    assert first is not None
    client.get(reverse("api-companies"))
    assert AccessToken.objects.get().used_at == first  # rounded to minutes, so that most requests write nothing


# --- a changed password -----------------------------------------------------------------------------------------------


def test_changing_the_password_on_its_page_ends_all_tokens(kim, client):
    machine = api(kim, "read")
    client.force_login(kim)
    client.post(
        reverse("account_change_password"),
        {"oldpassword": PASSWORD, "password1": "another-sesame", "password2": "another-sesame"},
    )
    assert machine.get(reverse("api-companies")).status_code == 401


def test_setting_a_password_in_code_ends_all_tokens(kim):
    machine = api(kim, "read")
    kim.set_password("another-sesame")
    kim.save()
    assert machine.get(reverse("api-companies")).status_code == 401


def test_rehashing_the_password_ends_no_token(kim, settings):
    machine = api(kim, "read")
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher", *settings.PASSWORD_HASHERS]
    before = kim.password
    assert kim.check_password(PASSWORD)
    kim.refresh_from_db()
    assert kim.password != before
    assert machine.get(reverse("api-companies")).status_code == 200


# --- the player's page ------------------------------------------------------------------------------------------------


def make_token(client, **given):
    return client.post(reverse("rosters:token_create"), {"name": "Club bot", "days": 90, **given})


@pytest.mark.parametrize("once", [{}, {"once": "0123456789abcdef"}], ids=["bare", "as the page sends it"])
def test_token_is_made_after_the_password_was_given_again(kim, client, once):
    client.force_login(kim)
    answer = make_token(client, scopes=["club"], **once)
    assert answer.url.startswith(reverse("account_reauthenticate"))
    assert not AccessToken.objects.exists()
    answer = client.post(answer.url, {"password": PASSWORD, "next": reverse("rosters:token_create")})
    assert answer.context["token"]
    token = AccessToken.objects.get()
    assert (token.name, token.scopes) == ("Club bot", "read club")
    assert timedelta(days=89) < token.expiry - timezone.now() <= timedelta(days=90)


def test_profile_lists_tokens_with_scopes_but_without_secrets(kim, client):
    client.force_login(kim)
    reauthenticate(client)
    token = make_token(client, scopes=["companies"]).context["token"]
    page = client.get(reverse("rosters:profile")).content.decode()
    assert token not in page
    assert "Club bot" in page
    assert "read companies" in page
    assert "never" in page


def test_player_cannot_revoke_anothers_token(kim):
    a_token(kim)
    key = AccessToken.objects.get().token_key
    assert not token_revoke(player=a_player(), token_key=key)
    assert AccessToken.objects.filter(user=kim).exists()
    assert token_revoke(player=kim, token_key=key)
    assert not AccessToken.objects.exists()


def test_unknown_scope_or_too_long_token_is_refused(kim, client):
    client.force_login(kim)
    reauthenticate(client)
    assert make_token(client, scopes=["everything"]).status_code == 422
    assert make_token(client, days=9999).status_code == 422
    assert not AccessToken.objects.exists()


# --- tokens from before -----------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_migration_keeps_older_tokens_for_ninety_days():
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
    token = AccessToken.objects.get()
    assert (token.digest, token.scopes) == ("d1gest", "read companies club")
    assert timedelta(days=89) < token.expiry - timezone.now() <= timedelta(days=90)
