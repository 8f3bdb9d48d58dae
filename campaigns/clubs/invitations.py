"""Ways into a club: invitations by link or by name, and requests to join. Every function locks the club first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone

from campaigns.activity_log import log_activity
from campaigns.locks import club_lock
from campaigns.models import Club, Invitation, JoinRequest, Membership, RequestState, Role
from campaigns.notifications import notify
from rosters.models import Player
from rosters.services import RefusedError
from rosters.services.base import clean_text
from rosters.site.mails import address_of, send_mail_to_player
from systems.text import pluralize

from .services import member_add, organiser_club_lock, refuse_lookalike

MIN_DAYS, MAX_DAYS, DEFAULT_DAYS = 1, 90, 14
MAX_USES = 300
MAX_OPEN = 50  # open invitations of one club
MAX_ADDRESSES = 10  # mailed at once
INVITATION_ROLES = (Role.PLAYER, Role.ARBITER)
ASK_AGAIN_DAYS = 7  # days until a declined player can ask again


def find_player(name: str) -> Player:
    """Return the player with this username, or with this display name if only one has it. Refuse otherwise."""
    text = clean_text("player", name, longest=150)
    active = Player.objects.filter(is_active=True, is_guest=False, placeholder=None)
    for rows in (active.filter(username=text), active.filter(username__iexact=text), active.filter(name_shown=text)):
        found = list(rows[:2])
        if len(found) == 1:
            return found[0]
        if found:
            raise RefusedError("player", f"Several players are called {text}. Enter the username instead.")
    raise RefusedError("player", f"There is no player called {text}. If they have no account yet, send them a link.")


@transaction.atomic
def invitation_make(
    *,
    club: Club,
    by: Player,
    role: str = Role.PLAYER,
    days: int = DEFAULT_DAYS,
    player: str = "",
    uses: int | None = None,
) -> Invitation:
    """Create a link for `uses` players (None: any number), or an invitation for the named player; valid for `days`."""
    locked = organiser_club_lock(club, by)
    if role not in INVITATION_ROLES:
        raise RefusedError("role", "You can invite players and arbiters. To add an organiser, change a member's role.")
    if not MIN_DAYS <= days <= MAX_DAYS:
        raise RefusedError("days", f"Choose {MIN_DAYS} to {MAX_DAYS} days.")
    if player.strip() and uses is not None:
        raise RefusedError("uses", "An invitation by name works once. Leave this blank.")
    if uses is not None and not 1 <= uses <= MAX_USES:
        raise RefusedError("uses", f"Enter 1 to {MAX_USES}, or leave it blank for unlimited uses.")
    running = locked.invitations.filter(withdrawn_at=None, expires_at__gt=timezone.now())
    if running.exclude(uses_left=0).count() >= MAX_OPEN:
        raise RefusedError("club", f"{locked.name} has {MAX_OPEN} open invitations. Withdraw one first.")
    invited = _find_invited(locked, player) if player.strip() else None
    row = Invitation.objects.create(
        club=locked,
        player=invited,
        role=role,
        created_by=by,
        expires_at=timezone.now() + timedelta(days=days),
        uses_left=1 if invited else uses,
    )
    link = "an invitation link" if uses is None else f"an invitation link for {pluralize(uses, 'players')}"
    whom = f"invited {invited}" if invited else f"created {link}"
    log_activity(
        club=locked, text=f"{by} {whom} as {Role(role).label.lower()}, valid for {pluralize(days, 'days')}", by=by
    )
    if invited is not None:
        notify.seat_offered(row, by)
    return row


def invitation_refusal(invitation: Invitation) -> str:
    """Return why the invitation is no longer valid, or an empty string."""
    name = invitation.club.name
    if invitation.withdrawn_at is not None:
        return f"This invitation to {name} was withdrawn. Ask an organiser for a new one."
    if invitation.expires_at <= timezone.now():
        return f"This invitation to {name} has expired. Ask an organiser for a new one."
    if invitation.uses_left == 0:
        return f"This invitation to {name} is used up. Ask an organiser for a new one."
    return ""


@transaction.atomic
def invitation_accept(*, invitation: Invitation, by: Player) -> Membership:
    """Make `by` a member in the role of the invitation, and use the invitation once."""
    club = club_lock(invitation.club)
    row = Invitation.objects.select_related("club").get(pk=invitation.pk)
    if row.player_id not in (None, by.pk):
        raise RefusedError("player", "This invitation is for another player. Ask an organiser for your own.")
    if by.is_guest:
        raise RefusedError("member", "You need an account to join another club. Sign up first.")
    if Membership.objects.filter(club=club, player=by).exists():
        raise RefusedError("member", f"You're already a member of {club.name}.")
    reason = invitation_refusal(row)
    if reason:
        raise RefusedError("invitation", reason)
    member = member_add(club=club, player=by, role=row.role)
    if row.uses_left is not None:
        row.uses_left -= 1
        row.save(update_fields=["uses_left"])
    invited = f", invited by {row.created_by}" if row.created_by else ""
    log_activity(club=club, text=f"{by} joined as {Role(row.role).label.lower()}{invited}", by=by)
    notify.member_joined(club, by, row.created_by)
    return member


@transaction.atomic
def invitation_withdraw(*, invitation: Invitation, by: Player) -> Invitation:
    """Withdraw the invitation. Refuse if it isn't valid any more anyway."""
    club = organiser_club_lock(invitation.club, by)
    row = _withdraw(invitation)
    whom = f"the invitation for {row.player}" if row.player else "an invitation link"
    log_activity(club=club, text=f"{by} withdrew {whom}", by=by)
    return row


@transaction.atomic
def invitation_decline(*, invitation: Invitation, by: Player) -> Invitation:
    """Decline the invitation as the invited player."""
    club = club_lock(invitation.club)
    if invitation.player_id != by.pk:
        raise RefusedError("player", "This invitation is for another player. Ask an organiser for your own.")
    row = _withdraw(invitation)
    log_activity(club=club, text=f"{by} declined the invitation", by=by)
    return row


def invitation_mail(*, invitation: Invitation) -> bool:
    """Mail the invited player, and return whether it was sent. A failing mail server doesn't undo the invitation."""
    player = invitation.player
    if player is None:
        return False
    text = (
        f"{invitation.created_by} invites you to join {invitation.club.name} as {invitation.get_role_display().lower()}.\n\n"
        f"Accept or decline by {invitation.expires_at:%d %B %Y, %H:%M} UTC:\n{address_of('campaigns:join', invitation.key)}\n"
    )
    return send_mail_to_player(address=player.email, subject=f"{invitation.club.name} invites you", text=text)


@transaction.atomic
def invitations_make(*, club: Club, by: Player, addresses: Sequence[str], role: str, days: int) -> list[Invitation]:
    """Create a link for each address that one player can use; the organiser's own address must be confirmed."""
    if not EmailAddress.objects.filter(user=by, verified=True).exists():
        raise RefusedError("emails", "Confirm your own email address first: see Email in your account.")
    return [invitation_make(club=club, by=by, role=role, days=days, uses=1) for _ in addresses]


def invitation_mail_to(*, invitation: Invitation, address: str) -> bool:
    """Mail the link to this address, whether it has an account or not, and return whether the mail was sent."""
    text = (
        f"{invitation.created_by} invites you to join {invitation.club.name} on Muster"
        f" as {invitation.get_role_display().lower()}.\n\n"
        f"Join by {invitation.expires_at:%d %B %Y, %H:%M} UTC:\n{address_of('campaigns:join', invitation.key)}\n\n"
        f"The link works once. If you don't know {invitation.created_by}, ignore this mail.\n"
    )
    return send_mail_to_player(address=address, subject=f"{invitation.club.name} invites you", text=text)


# --- requests to join -------------------------------------------------------------------------------------------------


@transaction.atomic
def join_request_create(*, club: Club, by: Player, message: str = "") -> JoinRequest:
    """Ask to join; the club's organisers answer."""
    locked = club_lock(club)
    text = clean_text("message", message, longest=300, may_be_empty=True)
    if Membership.objects.filter(club=locked, player=by).exists():
        raise RefusedError("member", f"You're already a member of {locked.name}.")
    if by.is_guest:
        raise RefusedError("member", "You need an account to join another club. Sign up first.")
    if not locked.takes_requests:
        raise RefusedError("club", f"{locked.name} is invitation only. Ask an organiser to invite you.")
    refuse_lookalike("member", locked, by)
    own = locked.requests.filter(player=by)
    if own.filter(state=RequestState.ASKED).exists():
        raise RefusedError("request", f"You've already asked. Wait for the organisers of {locked.name} to answer.")
    again = timezone.now() - timedelta(days=ASK_AGAIN_DAYS)
    if own.filter(state=RequestState.DECLINED, decided_at__gt=again).exists():
        raise RefusedError(
            "request", f"{locked.name} declined your request. You can ask again {ASK_AGAIN_DAYS} days after that."
        )
    row = JoinRequest.objects.create(club=locked, player=by, message=text)
    log_activity(club=locked, text=f"{by} asked to join", by=by)
    notify.member_asks(row, by)
    return row


@transaction.atomic
def join_request_accept(*, request: JoinRequest, by: Player) -> Membership:
    """Accept the request, which makes the player a member."""
    club = organiser_club_lock(request.club, by)
    row = _open_request(request)
    _decide_request(row, RequestState.ACCEPTED, by)
    member = member_add(club=club, player=row.player, role=Role.PLAYER)
    log_activity(club=club, text=f"{by} accepted {row.player}", by=by)
    notify.member_accepted(club, row.player, by)
    return member


@transaction.atomic
def join_request_decline(*, request: JoinRequest, by: Player) -> JoinRequest:
    """Decline the request."""
    club = organiser_club_lock(request.club, by)
    row = _open_request(request)
    _decide_request(row, RequestState.DECLINED, by)
    log_activity(club=club, text=f"{by} declined {row.player}", by=by)
    notify.member_declined(club, row.player, by, ASK_AGAIN_DAYS)
    return row


@transaction.atomic
def join_request_withdraw(*, request: JoinRequest, by: Player) -> JoinRequest:
    """Withdraw one's own request."""
    club = club_lock(request.club)
    if request.player_id != by.pk:
        raise RefusedError("request", "This is another player's request. You can only withdraw your own.")
    row = _open_request(request)
    _decide_request(row, RequestState.WITHDRAWN, by)
    log_activity(club=club, text=f"{by} withdrew their request to join", by=by)
    return row


# --- parts ------------------------------------------------------------------------------------------------------------


def _find_invited(club: Club, name: str) -> Player:
    player = find_player(name)
    if Membership.objects.filter(club=club, player=player).exists():
        raise RefusedError("player", f"{player} is already a member of {club.name}.")
    if club.requests.filter(player=player, state=RequestState.ASKED).exists():
        raise RefusedError("player", f"{player} has asked to join. Accept their request instead.")
    if any(row.is_open for row in club.invitations.filter(player=player)):
        raise RefusedError("player", f"{player} already has an invitation.")
    refuse_lookalike("player", club, player)
    return player


def _withdraw(invitation: Invitation) -> Invitation:
    """Withdraw the invitation and return it. The club must be locked."""
    row = Invitation.objects.select_related("club", "player").get(pk=invitation.pk)
    reason = invitation_refusal(row)
    if reason:
        raise RefusedError("invitation", reason)
    row.withdrawn_at = timezone.now()
    row.save(update_fields=["withdrawn_at"])
    return row


def _open_request(request: JoinRequest) -> JoinRequest:
    """Return the request. Refuse if it isn't open any more. The club must be locked."""
    row = JoinRequest.objects.select_related("player").get(pk=request.pk)
    if row.state != RequestState.ASKED:
        raise RefusedError("request", f"{row.player}'s request is already {row.get_state_display().lower()}.")
    return row


def _decide_request(row: JoinRequest, state: RequestState, by: Player) -> None:
    row.state, row.decided_by, row.decided_at = state, by, timezone.now()
    row.save(update_fields=["state", "decided_by", "decided_at"])
