"""All changes to clubs, their members and their display link. The club is locked first."""

from __future__ import annotations

import uuid

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from campaigns import policy
from campaigns.activity_log import log_activity
from campaigns.locks import club_lock
from campaigns.models import Club, ClubDisplay, Invitation, JoinRequest, Membership, RequestState, Role
from campaigns.notifications import notify
from rosters.models import Player
from rosters.services import RefusedError
from rosters.services.base import clean_lines, clean_text
from rosters.services.players import find_lookalike

MAX_CLUBS = 20  # clubs that one player organises
MAX_MEMBERS = 300
MAX_ABOUT_LENGTH = 2000
RESERVED_SLUGS = frozenset(("new", "restore"))  # URLs of other pages


def organiser_club_lock(club: Club, by: Player) -> Club:
    """Lock the club for an organiser and return it. Refuse if they aren't one any more when they get the lock."""
    locked = club_lock(club)
    if not policy.can_run_club(by, locked):
        raise RefusedError("club", f"Only organisers of {locked.name} can do that.")
    return locked


def membership_or_refuse(club: Club, player: Player) -> Membership:
    """Return the player's membership. Raise RefusedError if there is none."""
    found = Membership.objects.select_related("player").filter(club=club, player=player).first()
    if found is None:
        raise RefusedError("player", f"{player} isn't a member of {club.name}.")
    return found


def member_add(*, club: Club, player: Player, role: Role | str) -> Membership:
    """Add the player to the locked club. This also accepts their open request to join."""
    if Membership.objects.filter(club=club, player=player).exists():
        raise RefusedError("player", f"{player} is already a member of {club.name}.")
    refuse_lookalike("player", club, player)
    if Membership.objects.filter(club=club).count() >= MAX_MEMBERS:
        raise RefusedError("club", f"{club.name} is full (max {MAX_MEMBERS} members).")
    JoinRequest.objects.filter(club=club, player=player, state=RequestState.ASKED).update(
        state=RequestState.ACCEPTED, decided_at=timezone.now()
    )
    return Membership.objects.create(club=club, player=player, role=role)


def refuse_lookalike(field: str, club: Club, player: Player, but: Player | None = None) -> None:
    """Refuse a new member whose name looks like a member's. `but`: a member whose place the player takes."""
    if reason := lookalike_reason(club, player, but):
        raise RefusedError(field, reason)


def lookalike_reason(club: Club, player: Player, but: Player | None = None) -> str:
    """Return why the player can't join under this name; empty if nobody in the club has a similar one."""
    members = Player.objects.filter(memberships__club=club)
    found = find_lookalike(str(player), members.exclude(pk=but.pk) if but else members)
    if found is None:
        return ""
    return (
        f"{found} is already in {club.name}, and “{player}” looks too similar. Change your display name in your "
        "profile, then join."
    )


def clubmates(player: Player) -> list[Player]:
    """Return everybody else in the player's clubs, and lock those clubs. For the hook."""
    for club in Club.objects.filter(memberships__player=player).order_by("pk"):
        club_lock(club)
    return list(Player.objects.filter(memberships__club__memberships__player=player).exclude(pk=player.pk).distinct())


@transaction.atomic
def club_create(
    *,
    by: Player,
    name: str,
    about: str = "",
    place: str = "",
    is_public: bool = True,
    takes_requests: bool = True,
) -> Club:
    """Create a club with `by` as its organiser."""
    if Player.objects.select_for_update(no_key=True).get(pk=by.pk).is_guest:
        raise RefusedError("name", "You need an account to create a club. Sign up first.")
    if Membership.objects.filter(player=by, role=Role.ORGANISER).count() >= MAX_CLUBS:
        raise RefusedError("name", f"You can organise up to {MAX_CLUBS} clubs. Hand one over first.")
    club = club_row_create(name=name, about=about, place=place, is_public=is_public, takes_requests=takes_requests)
    Membership.objects.create(club=club, player=by, role=Role.ORGANISER)
    log_activity(club=club, text=f"{by} created {club.name}", by=by)
    return club


@transaction.atomic
def club_change(
    *,
    club: Club,
    by: Player,
    name: str,
    about: str,
    place: str,
    is_public: bool,
    takes_requests: bool,
    shows_portraits: bool | None = None,
) -> Club:
    """Change the settings of a club. Its slug stays, so that links continue to work."""
    locked = organiser_club_lock(club, by)
    fields = _clean(name=name, about=about, place=place, but=locked)
    wanted = {**fields, "is_public": is_public, "takes_requests": takes_requests}
    wanted |= {} if shows_portraits is None else {"shows_portraits": shows_portraits}
    changed = [field for field, value in wanted.items() if getattr(locked, field) != value]
    if not changed:
        return locked
    before = locked.name
    for field in changed:
        setattr(locked, field, wanted[field])
    try:
        with transaction.atomic():
            locked.save(update_fields=changed)
    except IntegrityError:
        raise _name_taken_error(fields["name"]) from None
    changes = [
        f"the name from {before} to {locked.name}" if field == "name" else _FIELD_WORDS[field] for field in changed
    ]
    if "is_public" in changed:
        changes[changed.index("is_public")] += " to public" if is_public else " to members only"
    log_activity(club=locked, text=f"{by} changed {', '.join(changes)}", by=by)
    return locked


@transaction.atomic
def member_set_role(*, club: Club, by: Player, player: Player, role: str) -> Membership:
    """Change a member's role. The last organiser keeps theirs."""
    locked = organiser_club_lock(club, by)
    if role not in Role.values:
        raise RefusedError("role", f"Choose one of {', '.join(Role.values)}.")
    row = membership_or_refuse(locked, player)
    if row.role == role:
        return row
    if row.player.is_guest:
        raise RefusedError("role", f"{row.player} is a guest and can only be a player. Other roles need an account.")
    if row.role == Role.ORGANISER:
        _check_not_last_organiser(locked, row, "Make somebody else an organiser first.")
    before, row.role = row.role, role
    row.save(update_fields=["role"])
    log_activity(club=locked, text=f"{by} changed {player}'s role from {before} to {Role(role).label.lower()}", by=by)
    notify.role_given(locked, player, role, by)
    return row


@transaction.atomic
def member_remove(*, club: Club, by: Player, player: Player) -> None:
    """Remove a member and withdraw the invitations they made; their companies and matches stay."""
    locked = organiser_club_lock(club, by)
    row = membership_or_refuse(locked, player)
    if row.player.is_guest:
        raise RefusedError("player", f"{row.player} is a guest. Remove them on the guests page.")
    if row.role == Role.ORGANISER:
        _check_not_last_organiser(locked, row, "Make somebody else an organiser first.")
    row.delete()
    Invitation.objects.filter(club=locked, created_by=player, withdrawn_at=None).update(withdrawn_at=timezone.now())
    log_activity(club=locked, text=f"{by} removed {player}", by=by)


@transaction.atomic
def member_leave(*, club: Club, by: Player) -> None:
    """Leave the club."""
    locked = club_lock(club)
    row = membership_or_refuse(locked, by)
    if row.player.is_guest:
        raise RefusedError(
            "player", f"Guests can't leave by themselves. Ask an organiser of {locked.name} to remove you."
        )
    if row.role == Role.ORGANISER:
        _check_not_last_organiser(locked, row, "Hand the club over first.")
    row.delete()
    log_activity(club=locked, text=f"{by} left", by=by)


@transaction.atomic
def club_hand_over(*, club: Club, by: Player, player: Player) -> Membership:
    """Make another member organiser in one's own place, and stay as a player."""
    locked = organiser_club_lock(club, by)
    if player.pk == by.pk:
        raise RefusedError("player", "You already run this club. Choose another member.")
    heir, own = membership_or_refuse(locked, player), membership_or_refuse(locked, by)
    if heir.player.is_guest:
        raise RefusedError("player", f"{player} is a guest. Only a member with an account can run a club.")
    heir.role, own.role = Role.ORGANISER, Role.PLAYER
    heir.save(update_fields=["role"])
    own.save(update_fields=["role"])
    log_activity(club=locked, text=f"{by} handed the club over to {player}", by=by)
    notify.role_given(locked, player, Role.ORGANISER, by)
    return heir


def club_row_create(*, name: str, about: str, place: str, is_public: bool, takes_requests: bool) -> Club:
    """Create a club without members, under a free slug. Try another slug if it is taken at the same moment."""
    fields = _clean(name=name, about=about, place=place)
    for _ in range(5):
        try:
            with transaction.atomic():
                return Club.objects.create(
                    **fields, is_public=is_public, takes_requests=takes_requests, slug=_free_slug(fields["name"])
                )
        except IntegrityError:
            if Club.objects.filter(name=fields["name"]).exists():
                raise _name_taken_error(fields["name"]) from None
    raise RefusedError("name", "Too many clubs of this name are being created right now. Try again.")


def club_names(name: str, slug: str) -> tuple[str, str]:
    """Return the name and a free slug for a club from elsewhere, based on its old slug. Refuse if the name is taken."""
    fields = _clean(name=name, about="", place="")
    return fields["name"], _free_slug(slug)


# --- parts ------------------------------------------------------------------------------------------------------------

_FIELD_WORDS = {
    "about": "the description",
    "place": "the place",
    "is_public": "the club's visibility",
    "takes_requests": "whether players can ask to join",
    "shows_portraits": "whether companies can show their own photos",
}


def _check_not_last_organiser(club: Club, row: Membership, what: str) -> None:
    """Refuse to lose the club's last organiser. The club must be locked."""
    others = Membership.objects.filter(club=club, role=Role.ORGANISER).exclude(pk=row.pk)
    if not others.exists():
        raise RefusedError("role", f"{row.player} is the last organiser of {club.name}. {what}")


def _clean(*, name: str, about: str, place: str, but: Club | None = None) -> dict[str, str]:
    """Return the texts of a club as they are stored. `but` is a club that may have this name already."""
    fields = {
        "name": " ".join(clean_text("name", name, longest=60, now=but.name if but else None).split()),
        "about": clean_lines("about", about, longest=MAX_ABOUT_LENGTH, now=but.about if but else None),
        "place": clean_text("place", place, longest=80, may_be_empty=True, now=but.place if but else None),
    }
    others = Club.objects.filter(name__iexact=fields["name"])
    if (others.exclude(pk=but.pk) if but else others).exists():
        raise _name_taken_error(fields["name"])
    return fields


def _name_taken_error(name: str) -> RefusedError:
    return RefusedError("name", f"There is already a club called {name}. Choose another name.")


def _free_slug(name: str) -> str:
    """Return `iron-table`, or `iron-table-2` if that is taken; `club` for a name without Latin letters."""
    stem = slugify(name)[:50].strip("-_") or "club"
    taken = set(Club.objects.filter(slug__startswith=stem).values_list("slug", flat=True)) | RESERVED_SLUGS
    slug, number = stem, 1
    while slug in taken:
        number += 1
        slug = f"{stem}-{number}"
    return slug


@transaction.atomic
def display_link_create(*, club: Club, by: Player, replace: bool = False) -> ClubDisplay:
    """Return the club's link, created if there is none. `replace` makes another, and the old link stops working."""
    locked = organiser_club_lock(club, by)
    row, is_new = ClubDisplay.objects.get_or_create(club=locked, defaults={"created_by": by})
    if replace and not is_new:
        row.key, row.created_by = uuid.uuid4(), by
        row.save(update_fields=["key", "created_by"])
    if is_new or replace:
        log_activity(club=locked, text=f"{by} created {'a' if is_new else 'a new'} club display link", by=by)
    return row


@transaction.atomic
def display_link_delete(*, club: Club, by: Player) -> bool:
    """Remove the link; False if there was none."""
    locked = organiser_club_lock(club, by)
    gone, _ = ClubDisplay.objects.filter(club=locked).delete()
    if gone:
        log_activity(club=locked, text=f"{by} removed the club display link", by=by)
    return bool(gone)
