"""Account deletion. Players request it, can change their minds for some days, and then only a name remains.

Each app contributes its part: obstacles, what happens to the player's data, and where their names are replaced.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.models import Session
from django.core.mail import get_connection
from django.core.mail.backends.filebased import EmailBackend as FileBackend
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from rosters import hooks
from rosters.models import AccessToken, Player, SignIn
from rosters.services.base import clean_text
from rosters.services.players import find_lookalike, refuse_unfit_player_name
from rosters.site.exceptions import RefusedError
from rosters.site.mails import address_of, send_mail_to_player
from rosters.site.player_data import NAME_OF_DELETED, DeletionPart, DepartedPlayer, Fate, Obstacle
from rosters.site.retention import Clearing

OF_A_REMOVAL = (  # wording for the player, and wording for an operator who removes the account
    ("kept for others to play with, unless deleted first", "deleted"),
    ("the name you choose", f"the name “{NAME_OF_DELETED}”"),
    ("you are no member any more", "no member any more"),
    ("that you asked for", "that they asked for"),
    ("your own", "their own"),
    ("of yours", "of theirs"),
)


def leaving_parts() -> Sequence[DeletionPart]:
    """Return the part of each app, highest app first."""
    return tuple(hooks.leaving_parts)[::-1]


def obstacles(player: Player) -> list[Obstacle]:
    """Return all reasons why the player can't leave yet."""
    return [found for part in leaving_parts() for found in part.obstacles(player)]


def kept_companies(player: Player) -> frozenset[int]:
    """Return the player's companies that other players' history needs."""
    kept: frozenset[int] = frozenset()
    for part in leaving_parts():
        kept = part.kept(player, kept)
    return kept


def fates(player: Player) -> list[Fate]:
    """Return what would happen to each kind of the player's data, without kinds that they have none of."""
    kept = kept_companies(player)
    return [fate for part in leaving_parts() for fate in part.fates(player, kept) if fate.number]


def removal_fates(player: Player) -> list[str]:
    """Return the fates as lines for an operator who removes the account."""
    lines = []
    for fate in fates(player):
        line = f"{fate.number} {fate.what}: {fate.becomes}"
        for to_player, about_player in OF_A_REMOVAL:
            line = line.replace(to_player, about_player)
        lines.append(line)
    return lines


def departed_player(player: Player, name: str, *, is_removal: bool = False) -> DepartedPlayer:
    """Return the facts about a leaving player that the apps need."""
    known = {
        player.username,
        player.name_shown,
        f"{player.first_name} {player.last_name}".strip(),
        *player.names_before,
    }
    known -= {"", name}
    others = Player.objects.exclude(pk=player.pk)
    shared = {each for each in known if others.filter(Q(username=each) | Q(name_shown=each)).exists()}
    addresses = {player.email, *EmailAddress.objects.filter(user=player).values_list("email", flat=True)} - {""}
    return DepartedPlayer(
        player=player,
        name=name,
        names=frozenset(known - shared),
        shared=frozenset(shared),
        addresses=frozenset(addresses),
        kept=kept_companies(player),
        is_removal=is_removal,
        longer=frozenset(_longer_names(player, known - shared)),
    )


def _longer_names(player: Player, names: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for model, name_field in hooks.names:
        for name in names:
            rows = model._default_manager.filter(**{f"{name_field}__contains": name})
            rows = rows.exclude(pk=player.pk) if model is Player else rows
            found |= set(rows.values_list(name_field, flat=True))
    return found


PUT_OFF = timedelta(days=1)  # delay for players who can't leave when they should
MAX_PLAYERS = 50  # players per run

log = logging.getLogger(__name__)


@transaction.atomic
def account_deletion_request(*, player: Player, name: str, typed: str) -> Player:
    """Schedule the account's deletion; `name` stays in the history, and `typed` must be the username."""
    locked = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if locked.leaves_at is not None:
        return locked
    name = clean_remaining_name(player=locked, name=name)
    if typed.strip() != locked.username:
        raise RefusedError("typed", f"Type your username, {locked.username}, to confirm.")
    if found := obstacles(locked):
        raise RefusedError("leave", found[0].sentence)
    locked.leaves_as, locked.leaves_at = name, timezone.now() + timedelta(days=settings.LEAVE_DAYS)
    locked.save(update_fields=["leaves_as", "leaves_at"])
    transaction.on_commit(lambda: _mail_deletion_date(locked))
    return locked


@transaction.atomic
def account_deletion_withdraw(*, player: Player) -> Player:
    """Cancel the account's deletion; RefusedError if it wasn't scheduled."""
    locked = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if locked.leaves_at is None:
        raise RefusedError("leave", "Your account isn't scheduled for deletion.")
    locked.leaves_as, locked.leaves_at = "", None
    locked.save(update_fields=["leaves_as", "leaves_at"])
    return locked


def clean_remaining_name(*, player: Player, name: str) -> str:
    """Return the cleaned name that stays in the history; RefusedError if it looks like another player's name."""
    name = clean_text("name", name, longest=60)
    if name == NAME_OF_DELETED:
        return name
    if "@" in name:
        raise RefusedError("name", "Choose a name without an @. Email addresses aren't kept.")
    refuse_unfit_player_name("name", name)
    if find_lookalike(name, Player.objects.exclude(pk=player.pk).only("username", "name_shown").iterator()):
        raise RefusedError("name", "Another player has this name or a very similar one. Choose another.")
    return name


def leave(*, player_pk: int, now: datetime) -> bool:
    """Delete the account if it is due, so that only a name remains; return whether it was due.

    RefusedError, with nothing changed, if there is an obstacle by now.
    """
    with transaction.atomic():
        player = Player.objects.select_for_update(no_key=True).filter(pk=player_pk, leaves_at__lte=now).first()
        if player is None:
            return False
        _go(departed_player(player, player.leaves_as or NAME_OF_DELETED), now)
        address, name = player.email, str(player)
    log.info("player %s has left", player_pk)  # to be repeated after restoring a backup
    if not isinstance(get_connection(), FileBackend):  # which would store the address
        send_mail_to_player(
            address=address,
            subject="Your account is deleted",
            text=f"Hello {name},\n\nyour account has been deleted. You won't get any more mail from us.\n",
        )
    return True


@transaction.atomic
def account_remove(*, player: Player) -> list[str]:
    """Remove the account immediately, for an operator; return sentences about who now runs what the player ran.

    As when a player leaves, what other players' history needs stays, under `NAME_OF_DELETED`; but only those others can
    see it.
    """
    locked = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if locked.left_at is not None:
        raise RefusedError("player", f"{locked.username} has already left.")
    if locked.is_guest:
        raise RefusedError("player", f"{locked} is a guest. Ask an organiser of the club to remove them.")
    handed_on = [sentence for part in leaving_parts() for sentence in part.hand_on(locked)]
    _go(departed_player(locked, NAME_OF_DELETED, is_removal=True), timezone.now())
    log.info("player %s was removed", locked.pk)
    return handed_on


def _go(gone: DepartedPlayer, now: datetime) -> None:
    for part in leaving_parts():
        part.go(gone)
    _account_end(gone, now)
    for part in leaving_parts():
        part.forget(gone)


def clear_leavers(run: Clearing) -> int:
    """Delete the accounts that are due; return their number. Players with an obstacle get a mail and another day."""
    due = Player.objects.filter(leaves_at__lte=run.now).order_by("leaves_at", "pk")
    if run.is_dry:
        return due.count()
    gone = 0
    for pk in list(due.values_list("pk", flat=True)[:MAX_PLAYERS]):
        try:
            gone += leave(player_pk=pk, now=run.now)
        except RefusedError as refused:
            _put_off(pk, run.now, refused.reason)
        except Exception:  # one failure must not stop the clearing of others
            log.exception("player %s could not leave", pk)
    return gone


def _account_end(gone: DepartedPlayer, now: datetime) -> None:
    """Reduce the account to a name that can't sign in, reset its password or get mail."""
    player = Player.objects.get(pk=gone.player.pk)
    sessions = UserSession.objects.filter(user=player)
    Session.objects.filter(session_key__in=list(sessions.values_list("session_key", flat=True))).delete()
    sessions.delete()
    AccessToken.objects.filter(user=player).delete()
    SignIn.objects.filter(player=player).delete()
    EmailAddress.objects.filter(user=player).delete()
    Authenticator.objects.filter(user=player).delete()
    player.groups.clear()
    player.user_permissions.clear()
    player.username, player.name_shown, player.names_before = _free_username(player), gone.name, []
    player.first_name = player.last_name = player.email = player.time_zone = player.leaves_as = ""
    player.password = make_password(None)
    player.is_active = player.is_staff = player.is_superuser = False
    player.paper, player.last_login, player.leaves_at = "a4", None, None
    player.date_joined = player.left_at = now
    player.save()


def _free_username(player: Player) -> str:
    """Return a username like `left-12`; the number only identifies the row."""
    stem, number = f"left-{player.pk}", 1
    name = stem
    while Player.objects.filter(username__iexact=name).exclude(pk=player.pk).exists():
        number += 1
        name = f"{stem}-{number}"
    return name


@transaction.atomic
def _put_off(pk: int, now: datetime, reason: str) -> None:
    player = Player.objects.select_for_update(no_key=True).filter(pk=pk, leaves_at__lte=now).first()
    if player is None:
        return
    player.leaves_at = now + PUT_OFF
    player.save(update_fields=["leaves_at"])
    text = (
        f"Hello {player},\n\nyour Muster account couldn't be deleted today:\n\n  {reason}\n\n"
        f"{address_of('rosters:account_deletion')}\n"
    )
    transaction.on_commit(
        lambda: send_mail_to_player(address=player.email, subject="Your account couldn't be deleted yet", text=text)
    )


def _mail_deletion_date(player: Player) -> None:
    assert player.leaves_at is not None
    send_mail_to_player(
        address=player.email,
        subject="Your account will be deleted",
        text=f"Hello {player},\n\nyour account will be deleted on {player.leaves_at:%d %B %Y, %H:%M} UTC. Until "
        "then nothing changes, and you can export your data.\n\nIf you want to stay, or didn't ask for this, "
        f"sign in and cancel it:\n{address_of('rosters:account_deletion')}\n",
    )
