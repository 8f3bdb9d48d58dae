"""Somebody at the doors: signing in by the form, with a second factor, from an address."""

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
    """The answer of the form to this name and password."""
    return (client or Client()).post(
        reverse("account_login"), {"login": name, "password": password}, REMOTE_ADDR=address, **more
    )


def is_in(answer: Any) -> bool:
    """Whether the form let him in."""
    return answer.status_code == 302 and "_auth_user_id" in answer.wsgi_request.session


def with_mail(player: Player, email: str = "kim@example.org", *, verified: bool = True) -> Player:
    """The player, who names this address."""
    player.email = email
    player.save()
    EmailAddress.objects.create(user=player, email=email, verified=verified, primary=True)
    return player


def prove(client: Client, password: str = PASSWORD) -> None:
    """Gives the password once more, as sensitive pages ask."""
    answer = client.post(reverse("account_reauthenticate"), {"password": password})
    assert answer.status_code == 302, answer.content


def give_factor(player: Player) -> list[str]:
    """A second factor with SECRET; his recovery codes."""
    TOTP.activate(player, SECRET)
    return RecoveryCodes.activate(player).get_unused_codes()


def code(secret: str = SECRET) -> str:
    """The code that an app shows now."""
    _, now, _ = yield_hotp_counters_from_time()
    return format_hotp_value(hotp_value(secret, now))
