"""The log of sign-ins: written at each attempt, shown to the account's owner, deleted when old."""

from __future__ import annotations

from functools import partial

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.template.loader import render_to_string

from rosters.models import Player, SignIn, SignInOutcome
from rosters.site.address import client_address, shortened
from rosters.site.clearing import Clearing, clear_rows
from rosters.site.job_runs import wake
from rosters.site.keeping import expiry_cutoff
from rosters.site.user_agents import describe_user_agent

from .mails import address_of


@transaction.atomic
def sign_in_note(
    *, request: HttpRequest, player: Player | None, outcome: SignInOutcome, second_factor: bool = False
) -> SignIn:
    """Record a sign-in or attempt, and mail the owner if the program is new.

    Attempts at unknown accounts are recorded too, so that they take as long as at known ones.
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
        # a broker that is down locks nobody out, and the log of sign-ins has the entry anyway
        transaction.on_commit(partial(wake, "rosters.tasks.sign_in_mail", noted.pk))
    return noted


def _is_new(player: Player, agent: str) -> bool:
    """Return whether the player has signed in before, but never with this program."""
    known = set(
        SignIn.objects.filter(player=player, outcome=SignInOutcome.OK).values_list("agent", flat=True).distinct()
    )
    return bool(known) and agent not in known


def sign_in_tell(*, pk: int) -> bool:
    """Mail the owner about this sign-in; return whether it was sent."""
    noted = SignIn.objects.select_related("player").filter(pk=pk).first()
    if noted is None or noted.player is None or not noted.player.email:
        return False
    context = {"sign_in": noted, "where": address_of("rosters:sign_ins")}
    text = render_to_string("account/email/new_sign_in.txt", context)
    return bool(send_mail("[Muster] A new sign-in", text, None, [noted.player.email]))


def clear_sign_ins(run: Clearing) -> int:
    """Delete sign-ins that are too old to be shown."""
    old = expiry_cutoff(run.now, settings.KEEP_SIGN_INS_DAYS)
    return 0 if old is None else clear_rows(SignIn.objects.filter(at__lt=old).only("pk"), run)


def clear_ended_sessions(run: Clearing) -> int:
    """Delete entries in lists of sessions whose session no longer exists."""
    there = Session.objects.filter(session_key=OuterRef("session_key"))
    return clear_rows(UserSession.objects.filter(~Exists(there)).only("pk"), run)
