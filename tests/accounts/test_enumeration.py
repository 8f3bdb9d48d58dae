"""Signing in, signing up and resetting a password don't reveal whether an address has an account."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth import hashers
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from rosters.accounts.forms import ENDS, NEW_PASSWORD, reset_send
from rosters.models import Player
from tests.builders import a_player

from .builders import is_signed_in, sign_in, with_address

KNOWN, UNKNOWN = "kim@example.org", "nobody@example.org"


@pytest.fixture(autouse=True)
def site(settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://muster.example"]


@pytest.fixture
def kim(db):
    return with_address(a_player("kim"), KNOWN)


@pytest.fixture
def queued_tasks(monkeypatch):
    """Record the names and arguments of queued tasks."""
    tasks = []
    monkeypatch.setattr("celery.app.task.Task.delay", lambda task, *message: tasks.append((task.name, message)))
    return tasks


def request_reset(email):
    with CaptureQueriesContext(
        connection,
    ) as queries:
        answer = Client().post(reverse("account_reset_password"), {"email": email})
    tables = [re.sub(r"'[^']*'|\d+", "?", query["sql"]) for query in queries if "rosters_cache" not in query["sql"]]
    return answer.status_code, answer["Location"], tables


def test_password_reset_treats_known_and_unknown_addresses_alike(kim, queued_tasks, mailoutbox):
    assert request_reset(KNOWN) == request_reset(UNKNOWN)
    assert queued_tasks == [("rosters.tasks.reset_mail", (email,)) for email in (KNOWN, UNKNOWN)]
    assert not mailoutbox


def test_password_reset_request_reads_no_account_table(kim, queued_tasks):
    assert not [query for query in request_reset(KNOWN)[2] if "rosters_player" in query or "emailaddress" in query]


def test_worker_mails_a_link_that_sets_a_new_password(kim, mailoutbox, client):
    assert reset_send(email=KNOWN) == 1
    (mail,) = mailoutbox
    assert mail.to == [KNOWN]
    link = re.search(r"https://muster\.example(\S+/password/reset/key/\S+)", mail.body)[1]
    page = client.get(link, follow=True)
    assert f"{NEW_PASSWORD} {ENDS}" in page.content.decode()
    assert "too similar" not in page.content.decode()
    given = {"password1": "another-sesame", "password2": "another-sesame"}
    client.post(page.request["PATH_INFO"], given)
    assert is_signed_in(sign_in("kim", "another-sesame"))


def test_reset_mails_link_to_the_sites_address(kim, mailoutbox):
    reset_send(email=KNOWN)
    reset_send(email=UNKNOWN)
    assert all("https://muster.example/" in mail.body for mail in mailoutbox)
    assert len(mailoutbox) == 2


def test_unknown_address_gets_a_mail_without_a_reset_link(kim, mailoutbox):
    assert reset_send(email=UNKNOWN) == 0
    (mail,) = mailoutbox
    assert mail.to == [UNKNOWN]
    assert "/password/reset/key/" not in mail.body


def test_address_of_many_accounts_gets_at_most_five_reset_mails(db, mailoutbox):
    for at in range(7):
        with_address(a_player(f"eve{at}"), "shared@example.org", verified=False)
    Player.objects.filter(username="eve0").update(last_login=timezone.now() + timedelta(seconds=1))
    assert reset_send(email="shared@example.org") == 5
    assert len(mailoutbox) == 5
    assert "eve0" in mailoutbox[0].body


def test_reset_mail_is_retried_while_the_mail_server_is_down(kim, monkeypatch):
    from celery.exceptions import Retry

    from rosters.tasks import reset_mail

    def refuse(*_args, **_more):
        raise ConnectionRefusedError

    monkeypatch.setattr("django.core.mail.message.EmailMessage.send", refuse)
    monkeypatch.setattr("celery.app.task.Task.apply_async", lambda *_args, **_more: None)
    with pytest.raises((Retry, ConnectionRefusedError)):
        reset_mail(KNOWN)


def test_password_reset_by_mail_clears_failed_attempts(kim, client, mailoutbox):
    for at in range(5):
        sign_in("kim", f"wrong-{at}", address="127.0.0.1")
    assert sign_in("kim", address="127.0.0.1").status_code == 429
    reset_send(email=KNOWN)
    link = re.search(r"https://muster\.example(\S+/password/reset/key/\S+)", mailoutbox[0].body)[1]
    page = client.get(link, follow=True)
    client.post(page.request["PATH_INFO"], {"password1": "another-sesame", "password2": "another-sesame"})
    assert is_signed_in(sign_in("kim", "another-sesame", address="127.0.0.1"))


# --- signing in -------------------------------------------------------------------------------------------------------


@pytest.fixture
def hashes(monkeypatch):
    """Record an entry for each password that is hashed."""
    hashed, encode = [], hashers.MD5PasswordHasher.encode
    monkeypatch.setattr(
        hashers.MD5PasswordHasher, "encode", lambda *given, **more: hashed.append(1) or encode(*given, **more)
    )
    return hashed


@pytest.mark.parametrize("login", ["kim", "KIM", "nobody", KNOWN, "Kim@Example.org", UNKNOWN, "shared@example.org"])
def test_wrong_password_costs_the_same_for_known_and_unknown_logins(kim, hashes, login):
    for at in range(4):
        with_address(a_player(f"eve{at}"), "shared@example.org", verified=False)
    hashes.clear()
    assert sign_in(login, "wrong").status_code == 200
    assert len(hashes) == 2


def test_user_name_with_an_at_sign_is_refused(db, client):
    given = {"username": KNOWN, "email": UNKNOWN, "password1": "secret-sesame", "password2": "secret-sesame"}
    answer = client.post(reverse("account_signup"), given)
    assert "contain an @" in answer.content.decode()
    assert not Player.objects.exists()


# --- signing up -------------------------------------------------------------------------------------------------------


def sign_up(email, name="newcomer"):
    given = {"username": name, "email": email, "password1": "secret-sesame", "password2": "secret-sesame"}
    return Client().post(reverse("account_signup"), given)


@pytest.mark.parametrize("verification", ["mandatory", "optional", "none"])
def test_sign_up_answers_known_and_unknown_addresses_alike(kim, settings, verification):
    settings.ACCOUNT_EMAIL_VERIFICATION = verification
    known, unknown = sign_up(KNOWN, "newcomer1"), sign_up(UNKNOWN, "newcomer2")
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])


def test_sign_up_with_a_known_address_makes_no_account(kim, settings, mailoutbox):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    sign_up(KNOWN)
    assert [player.username for player in Player.objects.all()] == ["kim"]
    (mail,) = mailoutbox
    assert mail.to == [KNOWN]


def test_sign_up_hashes_one_password_for_known_and_unknown_addresses(kim, settings, hashes):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    counts = []
    for email in (KNOWN, UNKNOWN):
        hashes.clear()
        sign_up(email)
        counts.append(len(hashes))
    assert counts[0] == counts[1] == 1
