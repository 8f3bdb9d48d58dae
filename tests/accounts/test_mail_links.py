"""Links in mails begin with the site's configured address, whatever host a request names."""

import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from rosters.site.mails import site_origin
from tests.builders import a_player
from tests.campaigns.builders import a_club

from .builders import with_address

FORGED = "127.0.0.1:6666"  # an allowed host with a port chosen by the client
PASSWORD = "battle-ready-9"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def site(settings):
    cache.clear()  # reset the limit on sign-ups
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "127.0.0.1"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://*.muster.example", "https://muster.example"]


def post(page, data, player=None):
    client = Client(HTTP_HOST=FORGED)
    if player:
        client.force_login(player)
    answer = client.post(page, data)
    assert answer.status_code == 302, answer.content.decode()


def links(mailoutbox):
    assert mailoutbox
    text = "\n".join(mail.body for mail in mailoutbox)
    assert "127.0.0.1" not in text
    assert "6666" not in text
    return re.findall(r"https?://[^/\s]+", text)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("address", ["kim@example.org", "nobody@example.org"])
@pytest.mark.usefixtures("eager_jobs")
def test_password_reset_mail_links_to_the_configured_address(mailoutbox, address):
    with_address(a_player("kim"))
    post(reverse("account_reset_password"), {"email": address})
    assert set(links(mailoutbox)) == {"https://muster.example"}


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["new@example.org", "kim@example.org"], ids=["new", "taken"])
@pytest.mark.parametrize("verification", ["mandatory", "optional"])
def test_sign_up_mail_links_to_the_configured_address(mailoutbox, settings, address, verification):
    settings.ACCOUNT_EMAIL_VERIFICATION = verification
    with_address(a_player("kim"))
    post(reverse("account_signup"), {"username": "new", "email": address, "password1": PASSWORD, "password2": PASSWORD})
    assert set(links(mailoutbox)) == {"https://muster.example"}


def test_confirmation_mail_links_to_the_configured_address(mailoutbox):
    kim = with_address(a_player("kim"), verified=False)
    post(reverse("account_email"), {"action_send": "", "email": "kim@example.org"}, kim)
    assert set(links(mailoutbox)) == {"https://muster.example"}


@pytest.mark.django_db
@pytest.mark.parametrize("by_api", [False, True])
def test_invitation_mail_links_to_the_configured_address(mailoutbox, by_api):
    ann = a_player("ann")
    club = a_club(ann)
    with_address(a_player("kim"))
    if by_api:
        client = Client(HTTP_HOST=FORGED)
        client.force_login(ann)
        path = reverse("api-invitations", args=[club.slug])
        assert client.post(path, {"player": "kim"}, content_type="application/json").status_code == 201
    else:
        post(reverse("campaigns:invitations", args=[club.slug]), {"player": "kim", "role": "player", "days": 7}, ann)
    key = club.invitations.get().key
    assert set(links(mailoutbox)) == {"https://muster.example"}
    assert f"https://muster.example{reverse('campaigns:join', args=[key])}" in mailoutbox[0].body


@pytest.mark.parametrize(
    ("origins", "hosts", "https", "expected"),
    [
        ([], ["localhost", "127.0.0.1"], False, "http://localhost:8000"),
        ([], ["localhost", "192.168.1.5"], False, "http://192.168.1.5:8000"),
        ([], [".club.example", "muster.club.example"], True, "https://muster.club.example"),
        (["https://*.club.example"], ["*"], True, "https://localhost"),
    ],
)
def test_site_without_a_configured_address_derives_one(settings, origins, hosts, https, expected):
    settings.CSRF_TRUSTED_ORIGINS, settings.ALLOWED_HOSTS, settings.HTTPS = origins, hosts, https
    assert site_origin() == expected
