"""Nothing breaks without a mail server: acts are kept, unsent mails are named and can be requested again."""

from __future__ import annotations

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.mail.backends.base import BaseEmailBackend
from django.urls import reverse

from rosters.models import Player
from tests.accounts.builders import reauthenticate
from tests.builders import a_player

pytestmark = pytest.mark.django_db
SIGN_UP = {"username": "ada", "email": "ada@example.com", "password1": "battle-ready", "password2": "battle-ready"}


class Down(BaseEmailBackend):
    """A mail server that refuses connections."""

    def open(self):
        raise ConnectionRefusedError(111, "Connection refused")

    def send_messages(self, messages):
        raise ConnectionRefusedError(111, "Connection refused")


@pytest.fixture
def down(settings):
    settings.EMAIL_BACKEND = f"{__name__}.Down"
    cache.clear()  # it holds the number of sign-ups


@pytest.fixture
def up(settings):
    def again():
        settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        mail.outbox = []

    return again


def messages_of(answer):
    return " ".join(str(message) for message in answer.context["messages"])


def a_member_with_mail():
    player = a_player("ada")
    player.email = "ada@example.com"
    player.save()
    return player


def test_sign_up_succeeds_and_names_the_unsent_mail(client, down, up):
    answer = client.post(reverse("account_signup"), SIGN_UP, follow=True)
    assert answer.status_code == 200
    assert "ada@example.com could not be sent" in messages_of(answer)
    assert "Confirmation email sent" not in messages_of(answer)
    assert Player.objects.get().username == "ada"
    assert answer.context["user"].is_authenticated
    up()
    again = client.post(reverse("account_email"), {"action_send": "", "email": "ada@example.com"}, follow=True)
    assert again.status_code == 200
    assert len(mail.outbox) == 1


def test_sign_in_sends_the_confirmation_mail_again(client, settings, down, up):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    answer = client.post(reverse("account_signup"), SIGN_UP, follow=True)
    assert (answer.status_code, answer.redirect_chain[-1][0]) == (200, reverse("account_login"))
    assert "Your account is ready" in messages_of(answer)
    up()
    client.post(reverse("account_login"), {"login": "ada", "password": "battle-ready"})
    assert [message.to for message in mail.outbox] == [["ada@example.com"]]


def test_forgotten_password_gets_one_answer_for_any_address(client, down, up, eager_jobs):
    a_member_with_mail()
    messages = []
    for address in ("ada@example.com", "nobody@example.com"):
        answer = client.post(reverse("account_reset_password"), {"email": address}, follow=True)
        assert (answer.status_code, answer.redirect_chain[-1][0]) == (200, reverse("account_reset_password"))
        messages.append(messages_of(answer))
    assert messages[0] == messages[1]
    assert "Try again in a few minutes" in messages[0]
    up()
    client.post(reverse("account_reset_password"), {"email": "ada@example.com"})
    assert len(mail.outbox) == 1


def test_added_address_is_kept_and_its_mail_requested_again(client, down, up):
    client.force_login(a_member_with_mail())
    reauthenticate(client)
    answer = client.post(reverse("account_email"), {"action_add": "", "email": "new@example.com"}, follow=True)
    assert answer.status_code == 200
    assert "new@example.com could not be sent" in messages_of(answer)
    up()
    client.post(reverse("account_email"), {"action_send": "", "email": "new@example.com"})
    assert [message.to for message in mail.outbox] == [["new@example.com"]]


def test_invitation_is_kept_without_its_mail(client, down):
    from campaigns.models import Invitation
    from tests.campaigns.builders import a_club

    guest = a_member_with_mail()
    club = a_club()
    client.force_login(club.memberships.get(role="organiser").player)
    answer = client.post(
        reverse("api-invitations", args=[club.slug]), {"player": guest.username}, content_type="application/json"
    )
    assert answer.status_code == 201
    assert Invitation.objects.get().player == guest
