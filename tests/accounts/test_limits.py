"""Rate limits for wrong passwords and tokens: they block the guessing address and lock nobody else out."""

import subprocess
import sys

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse

from rosters.accounts.limits import account_key, forgive
from rosters.models import SignIn
from rosters.site.visitors import client_address, client_network, shortened, visitor_mark
from tests.builders import a_player, a_token
from tests.conftest import DATABASE

from .builders import is_signed_in, sign_in, with_address


@pytest.fixture
def kim(db):
    return a_player("kim")


def wrong_passwords(times, name="kim", **more):
    return [sign_in(name, f"wrong-{at}", **more).status_code for at in range(times)]


def test_sixth_wrong_password_gets_429_with_retry_after(kim):
    assert wrong_passwords(5) == [200] * 5
    answer = sign_in("kim", "wrong")
    assert answer.status_code == 429
    assert 290 <= int(answer["Retry-After"]) <= 300
    assert "Try again in 5 minutes" in answer.content.decode()


def test_blocked_address_waits_with_the_right_password_too(kim):
    wrong_passwords(5)
    assert sign_in("kim").status_code == 429


def test_wrong_passwords_from_other_addresses_lock_nobody_out(kim):
    for host in range(1, 9):
        wrong_passwords(5, address=f"198.51.100.{host}")
    assert is_signed_in(sign_in("kim", address="203.0.113.7"))


def test_user_name_and_mail_address_share_a_limit(kim):
    kim.email = "kim@example.org"
    kim.save()
    kim.emailaddress_set.create(email=kim.email, verified=True, primary=True)
    assert wrong_passwords(3) + wrong_passwords(2, name="KIM@example.org") == [200] * 5
    assert wrong_passwords(1) == [429]


def test_account_named_like_an_address_shares_the_limit_of_its_owner(kim):
    with_address(kim)
    a_player("kim@example.org")
    assert wrong_passwords(5, name="kim@example.org") == [200] * 5
    assert wrong_passwords(1) == [429]
    assert SignIn.objects.filter(player=kim, outcome="password").count() == 5
    assert is_signed_in(sign_in("kim@example.org", address="192.0.2.2"))


def test_accounts_with_one_address_share_a_limit(kim):
    with_address(a_player("ann"), verified=False)
    with_address(kim, verified=False)
    assert wrong_passwords(5, name="kim@example.org") == [200] * 5
    assert wrong_passwords(1) == wrong_passwords(1, name="ann") == [429]


def test_unconfirmed_claim_to_a_confirmed_address_signs_nobody_in(kim):
    with_address(kim)
    eve = with_address(a_player("eve"), verified=False)
    eve.set_password("another-sesame")
    eve.save()
    assert not is_signed_in(sign_in("kim@example.org", "another-sesame"))
    assert is_signed_in(sign_in("kim@example.org"))
    assert is_signed_in(sign_in("eve", "another-sesame"))


def test_proving_an_own_account_resets_no_limit_of_another_with_its_login(kim, rf):
    with_address(kim)
    other = a_player("kim@example.org")
    wrong_passwords(5, name="kim@example.org")
    forgive(rf.get("/", REMOTE_ADDR="192.0.2.1"), account_key(other))
    assert wrong_passwords(1, name="kim@example.org") == [429]


@pytest.mark.parametrize("login", ["KIM", " kim ", "kim\t", "Kim@Example.ORG", " KIM@EXAMPLE.ORG "])
def test_spelling_of_a_login_does_not_change_its_limit(kim, login):
    with_address(kim)
    assert wrong_passwords(5, name=login) == [200] * 5
    assert wrong_passwords(1) == [429]


def test_case_of_non_ascii_letters_does_not_change_the_limit(kim):
    with_address(kim, "émile@example.org")
    assert wrong_passwords(3, name="ÉMILE@example.org") + wrong_passwords(2, name="émile@example.org") == [200] * 5
    assert wrong_passwords(1) == [429]


def test_address_guessing_at_many_accounts_is_blocked(kim):
    for at in range(10):
        assert sign_in(f"nobody{at}", "wrong").status_code == 200
    assert sign_in("kim").status_code == 429
    assert is_signed_in(sign_in("kim", address="192.0.2.2"))


def test_widely_guessed_account_allows_one_attempt_per_address(kim):
    for host in range(1, 11):
        wrong_passwords(3, address=f"198.51.100.{host}")
    assert wrong_passwords(2, address="203.0.113.7") == [200, 429]
    assert is_signed_in(sign_in("kim", address="203.0.113.8"))


def test_right_password_is_not_counted(kim):
    for _ in range(8):
        assert is_signed_in(sign_in("kim"))


def test_ipv6_network_counts_as_one_address(kim):
    for host in range(5):
        wrong_passwords(1, address=f"2001:db8::{host:x}")
    assert wrong_passwords(1, address="2001:db8::ffff") == [429]
    assert wrong_passwords(1, address="2001:db8:0:1::1") == [200]


def test_reauthentication_by_password_is_rate_limited(kim, client):
    client.force_login(kim)
    page = reverse("account_reauthenticate")
    statuses = [client.post(page, {"password": f"wrong-{at}"}).status_code for at in range(6)]
    assert statuses == [200] * 5 + [429]
    assert sign_in("kim", address="127.0.0.1").status_code == 429


def test_password_change_limits_guesses_at_the_old_password(kim, client):
    client.force_login(kim)
    page, new = reverse("account_change_password"), {"password1": "another-sesame", "password2": "another-sesame"}
    wrong_passwords(2, address="127.0.0.1")
    statuses = [client.post(page, {"oldpassword": f"wrong-{at}", **new}).status_code for at in range(4)]
    assert statuses == [200] * 3 + [429]
    assert SignIn.objects.filter(player=kim, outcome="password").count() == 5
    assert sign_in("kim", address="127.0.0.1").status_code == 429
    assert sign_in("kim", address="192.0.2.2").status_code == 302


def test_right_old_password_is_not_counted(kim, client):
    client.force_login(kim)
    given = {"oldpassword": "secret-sesame", "password1": "x", "password2": "y"}
    for _ in range(3):
        assert client.post(reverse("account_change_password"), given).status_code == 200
    assert wrong_passwords(5, address="127.0.0.1") == [200] * 5


def test_sign_in_is_closed_with_a_message_while_the_cache_is_down(kim, client, settings):
    unreachable = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1/0"}
    settings.CACHES = {**settings.CACHES, "default": unreachable}
    stranger = Client(raise_request_exception=False)
    answer = sign_in("kim", client=stranger)
    assert (answer.status_code, answer["Retry-After"]) == (503, "60")
    assert "working right now because" in answer.content.decode()
    for page, given in (
        ("account_reset_password", {"email": "kim@example.org"}),
        ("account_signup", {"username": "a"}),
    ):
        assert stranger.post(reverse(page), given).status_code == 503
    client.force_login(kim)
    assert client.get(reverse("rosters:profile")).status_code == 200
    path = reverse("api-companies")
    assert Client(headers={"Authorization": "Token 0123"}).get(path).status_code == 401
    assert Client(headers={"Authorization": f"Token {a_token(kim)}"}).get(path).status_code == 200


def test_unknown_account_is_limited_like_a_known_one(kim):
    assert wrong_passwords(6, name="nobody") == wrong_passwords(6, address="192.0.2.2")


WRONG = """
import os, sys
import django; django.setup()
from django.conf import settings
from tests.accounts.builders import sign_in
plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # static files aren't collected
settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
for process in range(2):  # forked, so that Django starts only once
    if os.fork():
        sys.exit(1) if os.wait()[1] else None
        continue
    statuses = [sign_in("kim", "wrong", address="192.0.2.1", HTTP_HOST="localhost").status_code for _ in range(3)]
    os.write(1, f"{statuses}\\n".encode())
    os._exit(0)
"""


def sign_in_elsewhere(env):
    done = subprocess.run([sys.executable, "-c", WRONG], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


# A site on SQLite counts in its database, one on PostgreSQL usually in Redis; the other pair runs with the proofs.
@(pytest.mark.django_db(transaction=True) if DATABASE == "sqlite" else pytest.mark.proof)
def test_all_processes_share_the_limit(site_env):
    a_player("kim")
    assert sign_in_elsewhere(site_env) == ["[200, 200, 200]", "[200, 200, 429]"]


@pytest.mark.slow
@pytest.mark.any_database
def test_all_processes_share_the_limit_in_redis(site_env, redis_url):
    a_player("kim")
    assert sign_in_elsewhere({**site_env, "MUSTER_REDIS_URL": redis_url}) == ["[200, 200, 200]", "[200, 200, 429]"]


def test_too_many_wrong_tokens_get_429_but_valid_tokens_still_work(kim):
    path = reverse("api-companies")
    statuses = [Client(headers={"Authorization": "Token 0123"}).get(path).status_code for _ in range(31)]
    assert statuses == [401] * 30 + [429]
    assert Client(headers={"Authorization": "Token 0123"}).get(path)["Retry-After"]
    assert Client(headers={"Authorization": f"Token {a_token(kim)}"}).get(path).status_code == 200


def test_undecodable_token_is_refused(kim):
    answer = Client(headers={"Authorization": b"Token \xff\xfe".decode("latin-1")}).get(reverse("api-companies"))
    assert answer.status_code == 401


# --- addresses --------------------------------------------------------------------------------------------------------


def request_from(forwarded="", peer="127.0.0.1"):
    more = {"HTTP_X_FORWARDED_FOR": forwarded} if forwarded else {}
    return RequestFactory().get("/", REMOTE_ADDR=peer, **more)


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "203.0.113.9", "127.0.0.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "6.6.6.6, 203.0.113.9", "203.0.113.9"),
        (2, "6.6.6.6, 203.0.113.9, 10.0.0.1", "203.0.113.9"),
        (2, "203.0.113.9", "127.0.0.1"),
        (1, "", "127.0.0.1"),
        (1, "nonsense", "127.0.0.1"),
        (1, "203.0.113.9:4711", "203.0.113.9"),
        (1, "[2001:db8::9]:4711", "2001:db8::9"),
        (1, "::ffff:203.0.113.9", "203.0.113.9"),
    ],
)
def test_client_address_is_the_one_the_outermost_own_proxy_saw(settings, proxies, forwarded, address):
    settings.PROXIES = proxies
    assert client_address(request_from(forwarded)) == address


def test_unix_socket_gets_a_placeholder_address():
    assert client_address(request_from(peer="")) == "0.0.0.0"


def test_limits_and_quotas_use_the_same_address(settings):
    settings.PROXIES = 1
    one, same, other = (
        request_from("2001:db8::1"),
        request_from("9.9.9.9, 2001:db8::2"),
        request_from("2001:db8:0:1::1"),
    )
    assert client_network(one) == client_network(same) != client_network(other)
    assert visitor_mark(one) == visitor_mark(same) != visitor_mark(other)


def test_shortened_address_is_a_network():
    assert (shortened("203.0.113.9"), shortened("2001:db8:1:2::3")) == ("203.0.113.0/24", "2001:db8:1::/48")


def test_visitors_behind_a_proxy_have_separate_limits(kim, settings):
    settings.PROXIES = 1
    wrong_passwords(6, address="127.0.0.1", HTTP_X_FORWARDED_FOR="198.51.100.1")
    assert is_signed_in(sign_in("kim", address="127.0.0.1", HTTP_X_FORWARDED_FOR="203.0.113.7"))


# --- the admin --------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_admin_uses_the_sites_login(client):
    answer = client.get(reverse("admin:index"), follow=True)
    assert answer.request["PATH_INFO"] == reverse("account_login")
    assert "next=" in answer.request["QUERY_STRING"]
    a_player("kim")
    answer = client.post(reverse("admin:login"), {"username": "kim", "password": "secret-sesame"})
    assert answer.url.startswith(reverse("account_login"))


def test_admin_refuses_players(kim, client):
    client.force_login(kim)
    assert client.get(reverse("admin:index"), follow=True).status_code == 403


def test_admin_needs_a_second_factor(kim, client):
    from .builders import add_second_factor

    kim.is_staff = kim.is_superuser = True
    kim.save()
    client.force_login(kim)
    answer = client.get(reverse("admin:index"), follow=True)
    assert answer.request["PATH_INFO"] == reverse("mfa_index")
    assert "The admin needs two-factor sign-in." in answer.content.decode()
    add_second_factor(kim)
    assert client.get(reverse("admin:index")).status_code == 200
