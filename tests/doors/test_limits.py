"""Wrong passwords: slowed where they come from, and nobody locked out from elsewhere."""

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

from .builders import is_in, sign_in, with_mail


@pytest.fixture
def kim(db):
    return a_player("kim")


def wrong(times, name="kim", **more):
    return [sign_in(name, f"wrong-{at}", **more).status_code for at in range(times)]


def test_five_wrong_passwords_from_an_address_are_followed_by_429_and_when_to_come_back(kim):
    assert wrong(5) == [200] * 5
    answer = sign_in("kim", "wrong")
    assert answer.status_code == 429
    assert 290 <= int(answer["Retry-After"]) <= 300
    assert "come back in 5 minutes" in answer.content.decode()


def test_the_right_password_waits_too_where_wrong_ones_came_from(kim):
    wrong(5)
    assert sign_in("kim").status_code == 429


def test_wrong_passwords_from_elsewhere_lock_nobody_out(kim):
    for host in range(1, 9):
        wrong(5, address=f"198.51.100.{host}")
    assert is_in(sign_in("kim", address="203.0.113.7"))


def test_the_name_and_the_mail_address_of_an_account_share_their_tries(kim):
    kim.email = "kim@example.org"
    kim.save()
    kim.emailaddress_set.create(email=kim.email, verified=True, primary=True)
    assert wrong(3) + wrong(2, name="KIM@example.org") == [200] * 5
    assert wrong(1) == [429]


def test_nobody_guesses_at_an_account_under_a_name_that_is_its_address(kim):
    with_mail(kim)
    a_player("kim@example.org")
    assert wrong(5, name="kim@example.org") == [200] * 5
    assert wrong(1) == [429]
    assert SignIn.objects.filter(player=kim, outcome="password").count() == 5
    assert is_in(sign_in("kim@example.org", address="192.0.2.2"))


def test_accounts_that_name_one_address_share_their_tries(kim):
    with_mail(a_player("ann"), verified=False)
    with_mail(kim, verified=False)
    assert wrong(5, name="kim@example.org") == [200] * 5
    assert wrong(1) == wrong(1, name="ann") == [429]


def test_what_one_proves_of_his_own_account_forgives_no_tries_at_another_of_the_same_login(kim, rf):
    with_mail(kim)
    other = a_player("kim@example.org")
    wrong(5, name="kim@example.org")
    forgive(rf.get("/", REMOTE_ADDR="192.0.2.1"), account_key(other))
    assert wrong(1, name="kim@example.org") == [429]


@pytest.mark.parametrize("login", ["KIM", " kim ", "kim\t", "Kim@Example.ORG", " KIM@EXAMPLE.ORG "])
def test_a_login_is_one_however_it_is_written(kim, login):
    with_mail(kim)
    assert wrong(5, name=login) == [200] * 5
    assert wrong(1) == [429]


def test_letters_outside_ascii_are_one_login_too(kim):
    with_mail(kim, "émile@example.org")
    assert wrong(3, name="ÉMILE@example.org") + wrong(2, name="émile@example.org") == [200] * 5
    assert wrong(1) == [429]


def test_an_address_that_is_wrong_about_many_accounts_waits(kim):
    for at in range(10):
        assert sign_in(f"nobody{at}", "wrong").status_code == 200
    assert sign_in("kim").status_code == 429
    assert is_in(sign_in("kim", address="192.0.2.2"))


def test_an_account_that_is_guessed_at_from_many_addresses_allows_each_one_try_in_five_minutes(kim):
    for host in range(1, 11):
        wrong(3, address=f"198.51.100.{host}")
    assert wrong(2, address="203.0.113.7") == [200, 429]
    assert is_in(sign_in("kim", address="203.0.113.8"))


def test_a_right_password_is_not_counted(kim):
    for _ in range(8):
        assert is_in(sign_in("kim"))


def test_a_house_under_ipv6_is_one_address(kim):
    for host in range(5):
        wrong(1, address=f"2001:db8::{host:x}")
    assert wrong(1, address="2001:db8::ffff") == [429]
    assert wrong(1, address="2001:db8:0:1::1") == [200]


def test_giving_the_password_again_is_limited_as_signing_in_is(kim, client):
    client.force_login(kim)
    page = reverse("account_reauthenticate")
    told = [client.post(page, {"password": f"wrong-{at}"}).status_code for at in range(6)]
    assert told == [200] * 5 + [429]
    assert sign_in("kim", address="127.0.0.1").status_code == 429


def test_the_old_password_is_guessed_no_faster_where_it_is_changed(kim, client):
    client.force_login(kim)
    page, new = reverse("account_change_password"), {"password1": "another-sesame", "password2": "another-sesame"}
    wrong(2, address="127.0.0.1")
    told = [client.post(page, {"oldpassword": f"wrong-{at}", **new}).status_code for at in range(4)]
    assert told == [200] * 3 + [429]
    assert SignIn.objects.filter(player=kim, outcome="password").count() == 5
    assert sign_in("kim", address="127.0.0.1").status_code == 429
    assert sign_in("kim", address="192.0.2.2").status_code == 302


def test_a_right_old_password_is_not_counted(kim, client):
    client.force_login(kim)
    given = {"oldpassword": "secret-sesame", "password1": "x", "password2": "y"}
    for _ in range(3):
        assert client.post(reverse("account_change_password"), given).status_code == 200
    assert wrong(5, address="127.0.0.1") == [200] * 5


def test_while_tries_cannot_be_counted_who_would_come_in_is_told_so(kim, client, settings):
    away = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1/0"}
    settings.CACHES = {**settings.CACHES, "default": away}
    stranger = Client(raise_request_exception=False)
    answer = sign_in("kim", client=stranger)
    assert (answer.status_code, answer["Retry-After"]) == (503, "60")
    assert "Nobody can sign in just now" in answer.content.decode()
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


def test_an_unknown_account_is_refused_as_a_known_one_is(kim):
    assert wrong(6, name="nobody") == wrong(6, address="192.0.2.2")


WRONG = """
import os, sys
import django; django.setup()
from django.conf import settings
from tests.doors.builders import sign_in
plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # nobody has collected any
settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
for process in range(2):  # each has its own connections and its own memory, and is spared the start
    if os.fork():
        sys.exit(1) if os.wait()[1] else None
        continue
    told = [sign_in("kim", "wrong", address="192.0.2.1", HTTP_HOST="localhost").status_code for _ in range(3)]
    os.write(1, f"{told}\\n".encode())
    os._exit(0)
"""


def sign_in_elsewhere(env):
    done = subprocess.run([sys.executable, "-c", WRONG], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


# a site on SQLite counts in its database, one on PostgreSQL most often in Redis; the other pair is a proof
@(pytest.mark.django_db(transaction=True) if DATABASE == "sqlite" else pytest.mark.proof)
def test_all_processes_count_together(site_env):
    a_player("kim")
    assert sign_in_elsewhere(site_env) == ["[200, 200, 200]", "[200, 200, 429]"]


@pytest.mark.any_database
def test_all_processes_count_together_in_redis(site_env, redis_url):
    a_player("kim")
    assert sign_in_elsewhere({**site_env, "MUSTER_REDIS_URL": redis_url}) == ["[200, 200, 200]", "[200, 200, 429]"]


def test_wrong_tokens_are_answered_429_after_some_and_right_ones_still_let_in(kim):
    path = reverse("api-companies")
    told = [Client(headers={"Authorization": "Token 0123"}).get(path).status_code for _ in range(31)]
    assert told == [401] * 30 + [429]
    assert Client(headers={"Authorization": "Token 0123"}).get(path)["Retry-After"]
    assert Client(headers={"Authorization": f"Token {a_token(kim)}"}).get(path).status_code == 200


def test_a_token_of_no_known_letters_is_a_wrong_one(kim):
    answer = Client(headers={"Authorization": b"Token \xff\xfe".decode("latin-1")}).get(reverse("api-companies"))
    assert answer.status_code == 401


# --- addresses --------------------------------------------------------------------------------------------------------


def asked(forwarded="", peer="127.0.0.1"):
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
def test_the_address_is_what_the_outermost_proxy_of_ours_saw(settings, proxies, forwarded, address):
    settings.PROXIES = proxies
    assert client_address(asked(forwarded)) == address


def test_a_server_on_a_unix_socket_has_an_address_all_the_same():
    assert client_address(asked(peer="")) == "0.0.0.0"


def test_limits_and_quotas_ask_the_same_address(settings):
    settings.PROXIES = 1
    one, same, other = asked("2001:db8::1"), asked("9.9.9.9, 2001:db8::2"), asked("2001:db8:0:1::1")
    assert client_network(one) == client_network(same) != client_network(other)
    assert visitor_mark(one) == visitor_mark(same) != visitor_mark(other)


def test_a_shortened_address_names_no_machine():
    assert (shortened("203.0.113.9"), shortened("2001:db8:1:2::3")) == ("203.0.113.0/24", "2001:db8:1::/48")


def test_behind_a_proxy_visitors_do_not_share_their_tries(kim, settings):
    settings.PROXIES = 1
    wrong(6, address="127.0.0.1", HTTP_X_FORWARDED_FOR="198.51.100.1")
    assert is_in(sign_in("kim", address="127.0.0.1", HTTP_X_FORWARDED_FOR="203.0.113.7"))


# --- the admin --------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_admin_has_no_login_of_its_own(client):
    answer = client.get(reverse("admin:index"), follow=True)
    assert answer.request["PATH_INFO"] == reverse("account_login")
    assert "next=" in answer.request["QUERY_STRING"]
    a_player("kim")
    answer = client.post(reverse("admin:login"), {"username": "kim", "password": "secret-sesame"})
    assert answer.url.startswith(reverse("account_login"))


def test_the_admin_is_closed_to_players(kim, client):
    client.force_login(kim)
    assert client.get(reverse("admin:index"), follow=True).status_code == 403


def test_the_admin_asks_the_staff_for_a_second_factor(kim, client):
    from .builders import give_factor

    kim.is_staff = kim.is_superuser = True
    kim.save()
    client.force_login(kim)
    answer = client.get(reverse("admin:index"), follow=True)
    assert answer.request["PATH_INFO"] == reverse("mfa_index")
    assert "The admin asks for a second factor." in answer.content.decode()
    give_factor(kim)
    assert client.get(reverse("admin:index")).status_code == 200
