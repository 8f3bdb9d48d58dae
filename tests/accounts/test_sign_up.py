"""Who can sign up: everybody, players invited by a club, or nobody."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.clubs.invitations import invitation_make, invitation_withdraw
from campaigns.guests.services import guest_invite, link_end
from rosters.models import Player
from tests.builders import a_player
from tests.campaigns.builders import a_club

pytestmark = pytest.mark.django_db
PAGE, PASSWORD = "account_signup", "battle-ready-9"
NEEDS_INVITATION, CLOSED = "You need an invitation", "Sign-up is closed on this site"


@pytest.fixture(autouse=True)
def fresh():
    cache.clear()  # reset the limit on sign-ups


@pytest.fixture
def club():
    return a_club(a_player("ann"))


@pytest.fixture
def ann(club):
    return Player.objects.get(username="ann")


def sign_up(client, goes_to=""):
    form = {
        "username": "kim",
        "email": "kim@example.org",
        "password1": PASSWORD,
        "password2": PASSWORD,
        "next": goes_to,
    }
    return client.post(reverse(PAGE), form)


def test_open_site_allows_everybody_to_sign_up(client):
    assert "Sign up</a>" in client.get(reverse("home")).content.decode()
    assert sign_up(client).status_code == 302
    assert Player.objects.filter(username="kim").exists()


@pytest.mark.parametrize(("mode", "sentence"), [("invited", NEEDS_INVITATION), ("closed", CLOSED)])
def test_restricted_site_refuses_strangers_and_offers_no_sign_up(client, settings, mode, sentence, club):
    settings.SIGN_UP = mode
    assert sentence in client.get(reverse(PAGE)).content.decode()
    assert sentence in sign_up(client).content.decode()
    assert sentence in sign_up(client, reverse("home")).content.decode()
    assert not Player.objects.filter(username="kim").exists()
    for page in (reverse("home"), reverse("account_login"), reverse("campaigns:club", args=[club.slug])):
        assert reverse(PAGE) not in client.get(page).content.decode()


def test_empty_closed_site_offers_no_sign_up(client, settings, monkeypatch):
    monkeypatch.setattr("campaigns.archive.selectors._players_exist", [])  # clear what earlier tests cached
    settings.SIGN_UP = "closed"
    page = client.get(reverse("home")).content.decode()
    assert "This site has no players yet" in page
    assert reverse(PAGE) not in page


def join_path(invitation):
    return reverse("campaigns:join", args=[invitation.key])


def test_club_invitation_allows_signing_up_and_joining(client, settings, club, ann):
    settings.SIGN_UP = "invited"
    goes_to = join_path(invitation_make(club=club, by=ann))
    page = client.get(goes_to).content.decode()
    assert f"{reverse(PAGE)}?next={goes_to}" in page
    assert 'name="username"' in client.get(f"{reverse(PAGE)}?next={goes_to}").content.decode()
    answer = sign_up(client, goes_to)
    assert (answer.status_code, answer["Location"]) == (302, goes_to)
    client.post(goes_to, {"do": "accept"})
    assert club.memberships.filter(player__username="kim").exists()


def test_invalid_invitation_allows_no_sign_up(client, settings, club, ann):
    settings.SIGN_UP = "invited"
    expired, used, withdrawn = (invitation_make(club=club, by=ann, uses=1) for _ in range(3))
    club.invitations.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(days=1))
    club.invitations.filter(pk=used.pk).update(uses_left=0)
    invitation_withdraw(invitation=withdrawn, by=ann)
    a_player("bob")
    named = invitation_make(club=club, by=ann, player="bob")
    unknown = reverse("campaigns:join", args=["00000000-0000-4000-8000-000000000000"])
    for goes_to in (
        *map(join_path, (expired, used, withdrawn, named)),
        unknown,
        "/nowhere/",
        "//evil.example/x",
        "http://[",
    ):
        assert NEEDS_INVITATION in sign_up(client, goes_to).content.decode(), goes_to
    assert not Player.objects.filter(username="kim").exists()


def test_guest_link_allows_the_guest_to_sign_up(settings, club, ann):
    settings.SIGN_UP = "invited"
    guest, key = guest_invite(club=club, by=ann, name="Dora")
    client = Client()
    sign_up_page = client.post(reverse("campaigns:guest_link", args=[key]), {"do": "sign-up"})["Location"]
    assert 'name="username"' in client.get(sign_up_page).content.decode()
    assert sign_up(client, reverse("campaigns:guest_claim")).status_code == 302
    client.post(reverse("campaigns:guest_claim"))
    assert club.memberships.get(player__username="kim").role == "player"


def test_ended_guest_link_allows_no_sign_up(settings, club, ann):
    settings.SIGN_UP = "invited"
    guest, key = guest_invite(club=club, by=ann, name="Dora")
    client = Client()
    client.post(reverse("campaigns:guest_link", args=[key]), {"do": "sign-up"})
    link_end(guest=guest, by=ann)
    assert NEEDS_INVITATION in sign_up(client, reverse("campaigns:guest_claim")).content.decode()


def test_closed_site_refuses_sign_up_by_any_link(client, settings, club, ann):
    settings.SIGN_UP = "closed"
    goes_to = join_path(invitation_make(club=club, by=ann))
    assert reverse(PAGE) not in client.get(goes_to).content.decode()
    assert CLOSED in sign_up(client, goes_to).content.decode()
    _, key = guest_invite(club=club, by=ann, name="Dora")
    guest_page = reverse("campaigns:guest_link", args=[key])
    assert "Continue as Dora" in client.get(guest_page).content.decode()
    assert 'value="sign-up"' not in client.get(guest_page).content.decode()
