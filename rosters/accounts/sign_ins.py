"""The log of sign-ins: written at each attempt, shown to the account's owner, deleted when old.

allauth's signals report the attempts. The only fact stored about a browser is its name, such as "Firefox on Linux".
"""

from __future__ import annotations

from functools import partial

from allauth.account.signals import password_reset, user_logged_in
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed, authenticator_added, authenticator_used
from allauth.usersessions.internal.flows.sessions import end_other_sessions
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.template.loader import render_to_string

from rosters.accounts import limits
from rosters.models import Player, SignIn, SignInOutcome
from rosters.site.job_runs import wake
from rosters.site.mails import address_of
from rosters.site.retention import Clearing, clear_rows, expiry_cutoff
from rosters.site.visitors import client_address, shortened

# The first match counts, because many browsers also name others that they are compatible with.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def describe_user_agent(header: str) -> str:
    """Return the browser and operating system of a User-Agent header, as far as they are known."""
    browser = next((name for word, name in BROWSERS if word in header), "")
    system = next((name for word, name in SYSTEMS if word in header), "")
    if not browser:
        return system or "unknown device"
    return f"{browser} on {system}" if system else browser


@transaction.atomic
def sign_in_note(
    *, request: HttpRequest, player: Player | None, outcome: SignInOutcome, second_factor: bool = False
) -> SignIn:
    """Record a sign-in or an attempt, and mail the owner if the browser is new.

    Attempts at unknown accounts are recorded, too, so that they take as long as attempts at known ones.
    """
    agent = describe_user_agent(request.META.get("HTTP_USER_AGENT", ""))
    is_news = player is not None and outcome == SignInOutcome.OK and _is_new(player, agent)
    noted = SignIn.objects.create(
        player=player,
        address=shortened(client_address(request)),
        agent=agent,
        outcome=outcome,
        second_factor=second_factor,
    )
    if is_news:
        # Signing in works even while the broker is unavailable: the log has the entry anyway.
        transaction.on_commit(partial(wake, "rosters.tasks.sign_in_mail", noted.pk))
    return noted


def _is_new(player: Player, agent: str) -> bool:
    """Return whether the player has signed in before, but never with this browser."""
    known = set(
        SignIn.objects.filter(player=player, outcome=SignInOutcome.OK).values_list("agent", flat=True).distinct()
    )
    return bool(known) and agent not in known


def sign_in_notify(*, pk: int) -> bool:
    """Mail the owner about this sign-in; return whether the mail was sent."""
    noted = SignIn.objects.select_related("player").filter(pk=pk).first()
    if noted is None or noted.player is None or not noted.player.email:
        return False
    context = {"sign_in": noted, "where": address_of("rosters:sign_ins")}
    text = render_to_string("account/email/new_sign_in.txt", context)
    return bool(send_mail("[Muster] New sign-in", text, None, [noted.player.email]))


def clear_sign_ins(run: Clearing) -> int:
    """Delete expired entries of the sign-in log; return their number."""
    old = expiry_cutoff(run.now, settings.KEEP_SIGN_INS_DAYS)
    return 0 if old is None else clear_rows(SignIn.objects.filter(occurred_at__lt=old).only("pk"), run)


def clear_ended_sessions(run: Clearing) -> int:
    """Delete listed sessions that no longer exist; return their number."""
    there = Session.objects.filter(session_key=OuterRef("session_key"))
    return clear_rows(UserSession.objects.filter(~Exists(there)).only("pk"), run)


def connect_signals() -> None:
    """Connect allauth's signals; called once, when the app starts."""
    user_logged_in.connect(signed_in, dispatch_uid="sign_ins")
    authentication_failed.connect(wrong_code, dispatch_uid="sign_ins")
    authenticator_used.connect(factor_used, dispatch_uid="sign_ins")
    authenticator_added.connect(factor_added, dispatch_uid="sign_ins")
    password_reset.connect(proven_by_mail, dispatch_uid="sign_ins")


def signed_in(request: HttpRequest, user: Player, **_more: object) -> None:
    used = getattr(request, "second_factor_used", False)
    sign_in_note(request=request, player=user, outcome=SignInOutcome.OK, second_factor=used)


def factor_used(request: HttpRequest, **_more: object) -> None:
    request.second_factor_used = True  # type: ignore[attr-defined]  # read by `signed_in`, in the same request


def wrong_code(request: HttpRequest, user: Player, **_more: object) -> None:
    sign_in_note(request=request, player=user, outcome=SignInOutcome.WRONG_CODE)


def factor_added(request: HttpRequest, user: Player, authenticator: Authenticator, **_more: object) -> None:
    """End the player's other sessions, which were started without the factor."""
    if authenticator.type == Authenticator.Type.TOTP:
        end_other_sessions(request, user)


def proven_by_mail(request: HttpRequest, user: Player, **_more: object) -> None:
    """Reset the limits for a player who has reset their password, so that earlier wrong attempts don't count."""
    limits.forgive(request, limits.account_key(user))
