"""Account pages: their tabs, buttons and sentences."""

import re
from html import unescape

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.urls import reverse

from rosters.accounts.forms import NEW_PASSWORD
from tests.accounts.builders import PASSWORD, reauthenticate, sign_in, with_address
from tests.builders import a_player

pytestmark = pytest.mark.django_db


def words(client, name: str, *args: object) -> str:
    return unescape(client.get(reverse(name, args=args)).content.decode())


def buttons(page: str) -> list[str]:
    return re.findall(r'<button[^>]* name="action_(\w+)"', page)


@pytest.mark.parametrize(("verified", "expected"), [(True, ["remove", "add"]), (False, ["send", "remove", "add"])])
def test_only_unconfirmed_address_offers_a_confirmation_mail(client, verified, expected):
    client.force_login(with_address(a_player(), verified=verified))
    assert buttons(words(client, "account_email")) == expected


def test_one_of_several_addresses_can_be_made_primary(client):
    player = with_address(a_player())
    EmailAddress.objects.create(user=player, email="kim@example.com", verified=True)
    client.force_login(player)
    assert buttons(words(client, "account_email")) == ["primary", "send", "remove", "add"]


def test_all_account_pages_show_the_same_tabs(client):
    client.force_login(a_player())
    profile, my_data = (words(client, name) for name in ("rosters:profile", "rosters:my_data"))
    tabs = [
        re.search(r'<nav class="tabs" aria-label="Account">.*?</nav>', page, re.DOTALL)[0]
        for page in (profile, my_data)
    ]
    links = [re.findall(r'href="([^"]*)"', tab) for tab in tabs]
    assert len(links[0]) == 7
    assert links[0] == links[1]
    current = [re.findall(r'href="([^"]*)" aria-current="page"', tab) for tab in tabs]
    assert current == [[reverse("rosters:profile")], [reverse("rosters:my_data")]]


def test_only_password_change_mentions_ended_sessions(client):
    assert "signs you out everywhere else" not in words(client, "account_signup")
    client.force_login(a_player())
    assert "signs you out everywhere else" in words(client, "account_change_password")


@pytest.mark.parametrize("name", ["account_signup", "account_change_password"])
def test_password_rules_are_one_sentence(client, name):
    if name != "account_signup":
        client.force_login(a_player())
    page = words(client, name)
    assert page.count(NEW_PASSWORD) == 1
    assert "too similar" not in page
    assert "commonly used" not in page


def test_invalid_password_link_offers_a_new_link(client):
    page = words(client, "account_reset_password_from_key", "1", "used-up")
    assert "This link doesn’t work any more" in page
    assert f'href="{reverse("account_reset_password")}">Get a new link' in page


def test_second_factor_needs_a_confirmed_address(client):
    player = with_address(a_player("kim"), verified=False)
    assert sign_in("kim", PASSWORD, client=client).status_code == 302
    reauthenticate(client)
    page = client.get(reverse("mfa_activate_totp"), follow=True).content.decode()
    assert "Confirm your email addresses first" in page
    assert not Authenticator.objects.filter(user=player).exists()
