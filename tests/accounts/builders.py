"""Helpers for tests of accounts: sign in by the form, set up a second factor, calculate its codes."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.test import Client
from django.urls import reverse

from rosters.models import Player

PASSWORD = "secret-sesame"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def sign_in(
    name: str, password: str = PASSWORD, *, address: str = "192.0.2.1", client: Client | None = None, **more: Any
):
    """Send the sign-in form, and return the response."""
    return (client or Client()).post(
        reverse("account_login"), {"login": name, "password": password}, REMOTE_ADDR=address, **more
    )


def is_signed_in(answer: Any) -> bool:
    """Return whether the response signed the player in."""
    return answer.status_code == 302 and "_auth_user_id" in answer.wsgi_request.session


def with_address(player: Player, email: str = "kim@example.org", *, verified: bool = True) -> Player:
    """Give the player this primary address, and return the player."""
    player.email = email
    player.save()
    EmailAddress.objects.create(user=player, email=email, verified=verified, primary=True)
    return player


def reauthenticate(client: Client, password: str = PASSWORD) -> None:
    """Enter the password again, as sensitive pages ask."""
    answer = client.post(reverse("account_reauthenticate"), {"password": password})
    assert answer.status_code == 302, answer.content


def add_second_factor(player: Player) -> list[str]:
    """Set up a second factor with SECRET, and return its recovery codes."""
    TOTP.activate(player, SECRET)
    return RecoveryCodes.activate(player).get_unused_codes()


def totp_code(secret: str = SECRET) -> str:
    """Return the code that an authenticator app shows now."""
    _, now, _ = yield_hotp_counters_from_time()
    return format_hotp_value(hotp_value(secret, now))
