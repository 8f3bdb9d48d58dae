"""The pages of one's account: they speak as the others do, and have no button that does nothing."""

import re
from html import unescape

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.urls import reverse

from rosters.accounts.passwords import NEW_PASSWORD
from tests.builders import a_player
from tests.doors.builders import PASSWORD, prove, sign_in, with_mail

pytestmark = pytest.mark.django_db


def words(client, name: str, *args: object) -> str:
    return unescape(client.get(reverse(name, args=args)).content.decode())


def buttons(page: str) -> list[str]:
    return re.findall(r'<button[^>]* name="action_(\w+)"', page)


@pytest.mark.parametrize(("verified", "offered"), [(True, ["remove", "add"]), (False, ["send", "remove", "add"])])
def test_a_mail_to_confirm_an_address_is_offered_where_one_is_to_be_confirmed(client, verified, offered):
    client.force_login(with_mail(a_player(), verified=verified))
    assert buttons(words(client, "account_email")) == offered


def test_one_of_several_addresses_can_be_made_the_primary_one(client):
    player = with_mail(a_player())
    EmailAddress.objects.create(user=player, email="kim@example.com", verified=True)
    client.force_login(player)
    assert buttons(words(client, "account_email")) == ["primary", "send", "remove", "add"]


def test_the_profile_leads_to_all_pages_of_the_account_as_they_lead_to_it(client):
    client.force_login(a_player())
    here, there = (words(client, name) for name in ("rosters:profile", "rosters:my_data"))
    tabs = [
        re.search(r'<nav class="tabs" aria-label="Account">.*?</nav>', page, re.DOTALL)[0] for page in (here, there)
    ]
    led = [re.findall(r'href="([^"]*)"', tab) for tab in tabs]
    assert len(led[0]) == 9
    assert led[0] == led[1]
    current = [re.findall(r'href="([^"]*)" aria-current="page"', tab) for tab in tabs]
    assert current == [[reverse("rosters:profile")], [reverse("rosters:my_data")]]


def test_who_signs_up_is_not_told_what_a_changed_password_ends(client):
    assert "ends all other sessions" not in words(client, "account_signup")
    client.force_login(a_player())
    assert "ends all other sessions" in words(client, "account_change_password")


@pytest.mark.parametrize("name", ["account_signup", "account_change_password"])
def test_what_a_password_has_to_be_is_said_in_one_sentence_of_ours(client, name):
    if name != "account_signup":
        client.force_login(a_player())
    page = words(client, name)
    assert page.count(NEW_PASSWORD) == 1
    assert "too similar" not in page
    assert "commonly used" not in page


def test_a_link_to_a_new_password_that_is_no_good_leads_to_a_new_one(client):
    page = words(client, "account_reset_password_from_key", "1", "used-up")
    assert "That link is used up" in page
    assert f'href="{reverse("account_reset_password")}">Send me a new link' in page


def test_a_second_factor_waits_for_the_address_in_our_words(client):
    player = with_mail(a_player("kim"), verified=False)
    assert sign_in("kim", PASSWORD, client=client).status_code == 302
    prove(client)
    page = client.get(reverse("mfa_activate_totp"), follow=True).content.decode()
    assert "Confirm your e-mail addresses first" in page
    assert not Authenticator.objects.filter(user=player).exists()
