"""Changes to guests: add, let in by link, equip, remove and take over. The club is always locked first.

Personal links of guests are stored only as digests. Club links are for signing up on a closed site.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import timedelta
from urllib.parse import urlsplit
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import ProtectedError, Q
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils import timezone

from battles.choices import ForceUnit, published_forces
from campaigns.activity_log import log_activity
from campaigns.arbiters import guest_own_case
from campaigns.army_lists.purchases import buys_units_per_match
from campaigns.clubs.invitations import invitation_refusal
from campaigns.clubs.services import member_add, organiser_club_lock
from campaigns.enrolments.services import enrolment_ask_or_accept
from campaigns.guests.eligibility import claim_refusal, describe_guest_past, unit_spec
from campaigns.locks import campaign_lock, club_lock
from campaigns.models import (
    Availability,
    Campaign,
    Club,
    Enrolment,
    Guest,
    GuestLink,
    Invitation,
    JoinRequest,
    Mail,
    Match,
    MatchmakingOffer,
    Membership,
    Notification,
    NotificationPreferences,
    PlayerCalendar,
    Role,
    SavedList,
    Season,
    SeasonEntrant,
)
from campaigns.notifications import notify
from campaigns.policy import can_run_club
from campaigns.seasons.services import season_lock
from rosters.accounts.ownership import companies_erase, player_merge, rename_duplicates
from rosters.database.queries import PreparedQuery
from rosters.models import Company, Player, Unit
from rosters.random_names import pilot_name
from rosters.services import RefusedError
from rosters.services.base import clean_text, company_lock, rules_of
from rosters.services.companies import company_create, pilot_hire
from rosters.services.players import find_lookalike, name_remember, refuse_unfit_player_name
from rosters.services.units import unit_buy, unit_buy_spec
from rosters.site.retention import Clearing, clear_rows, expiry_cutoff
from systems.text import pluralize

KEY_PATTERN = re.compile(r"[\w-]{43}", re.ASCII)
KEY_BYTES = 32  # of a key: impossible to guess


def make_key() -> str:
    """Return a new random key."""
    return secrets.token_urlsafe(KEY_BYTES)


def hash_key(key: str) -> str:
    """Return the digest that is stored for a key."""
    return hashlib.sha256(key.encode()).hexdigest()


def find_link(key: str) -> GuestLink | None:
    """Return the link with this key, open or not."""
    return LINK.row(digest=hash_key(key)) if KEY_PATTERN.fullmatch(key) else None


def link_refusal(link: GuestLink) -> str:
    """Return why the link doesn't work any more; empty if it does."""
    name, club = link.guest.name, link.guest.club.name
    if link.end == GuestLink.End.CLAIMED or link.guest.claimed_at is not None:
        return f"{name} has an account now, so this link has stopped working. Sign in with the account."
    if link.end == GuestLink.End.REMOVED or link.guest.is_over:
        return f"{name} isn’t a guest of {club} any more. Ask an organiser if you want to come back."
    if link.end == GuestLink.End.RENEWED:
        return f"This link was replaced by a newer one. Ask an organiser of {club} for it."
    if link.ended_at is not None:
        return f"An organiser of {club} disabled this link. Ask them for a new one."
    if not link.is_open:
        return f"This link has expired. Ask an organiser of {club} for a new one. Nothing of {name}’s is lost."
    return ""


LINK = PreparedQuery(
    lambda digest: GuestLink.objects.filter(digest=digest).select_related("guest__club", "guest__player"), digest=str
)


CLAIM_SESSION_KEY = "guest_claim"  # session key of the guest link that the visitor wants to turn into an account


def is_invited(request: HttpRequest, goes_to: str) -> bool:
    """Return whether the page after sign-up is one that lets this visitor into a club. For the hook."""
    try:
        found = resolve(urlsplit(goes_to).path)
    except (Resolver404, ValueError):
        return False
    if found.view_name == "campaigns:join":
        invitation = Invitation.objects.filter(key=found.kwargs["key"], player=None).select_related("club").first()
        return invitation is not None and not invitation_refusal(invitation)
    if found.view_name == "campaigns:guest_claim":
        link = GuestLink.objects.filter(pk=request.session.get(CLAIM_SESSION_KEY) or 0).select_related("guest").first()
        return link is not None and not link_refusal(link)
    return False


def guest_player(name: str) -> Player:
    """Create a guest: a player without a usable password or a mail address."""
    return Player.objects.create(
        username=_free_username(), name_shown=name, is_guest=True, password=make_password(None)
    )


def _free_username() -> str:
    """Return an unused `guest-` name with random letters, which nobody can sign up with."""
    while True:
        name = f"guest-{secrets.token_hex(5)}"
        if not Player.objects.filter(username=name).exists():
            return name


MIN_DAYS, MAX_DAYS, DEFAULT_DAYS = 1, 365, 90
MAX_GUESTS = 100  # of a club at once


# --- guests and their links -------------------------------------------------------------------------------------------


@transaction.atomic
def guest_add(*, club: Club, by: Player, name: str) -> Guest:
    """Add a guest to the club, who plays in it like any member. They can come in once they have a link."""
    locked = organiser_club_lock(club, by)
    cleaned_name = _clean_name(locked, name)
    if locked.guests.filter(claimed_at=None, removed_at=None).count() >= MAX_GUESTS:
        raise RefusedError("name", f"{locked.name} already has {MAX_GUESTS} guests. Remove one first.")
    player = guest_player(cleaned_name)
    member_add(club=locked, player=player, role=Role.PLAYER)
    guest = Guest.objects.create(club=locked, player=player, name=cleaned_name, created_by=by)
    log_activity(club=locked, text=f"{by} added {cleaned_name} as a guest", by=by)
    return guest


@transaction.atomic
def guest_invite(*, club: Club, by: Player, name: str, days: int = DEFAULT_DAYS) -> tuple[Guest, str]:
    """Add a guest and make their first link. Return the guest and its key, which can't be shown again."""
    guest = guest_add(club=club, by=by, name=name)
    return guest, link_make(guest=guest, by=by, days=days)


@transaction.atomic
def guest_rename(*, guest: Guest, by: Player, name: str) -> Guest:
    """Rename the guest. Existing entries keep the old name."""
    club, row = _lock_guest(guest, by)
    player = _player(row)
    cleaned_name = _clean_name(club, name, but=player)
    if cleaned_name == row.name:
        return row
    text = f"{by} renamed the guest {row.name} to {cleaned_name}"
    before_it, player.name_shown = player.name_shown, cleaned_name
    name_remember(player, before_it)
    player.save(update_fields=["name_shown", "names_before"])
    row.name = cleaned_name
    row.save(update_fields=["name"])
    log_activity(club=club, text=text, by=by)
    return row


@transaction.atomic
def link_make(*, guest: Guest, by: Player, days: int = DEFAULT_DAYS) -> str:
    """Make a new link and return its key, which can't be shown again. The old link and every visit by it end."""
    club, row = _lock_guest(guest, by)
    player = _player(row)
    if isinstance(days, bool) or not MIN_DAYS <= days <= MAX_DAYS:
        raise RefusedError("days", f"Choose {MIN_DAYS} to {MAX_DAYS} days.")
    first = Guest.objects.filter(player=player).select_related("club").order_by("pk")[0].club
    if first != club and not can_run_club(by, first):  # the link opens that club too
        raise RefusedError(
            "link",
            f"{row.name} was first a guest of another club, so that club creates their link. Ask its organisers.",
        )
    own_case = guest_own_case(club, player, by, opens=True)
    renewed = _links_end(row, GuestLink.End.RENEWED)
    key, now = make_key(), timezone.now()
    GuestLink.objects.create(
        guest=row, digest=hash_key(key), created_by=by, created_at=now, expires_at=now + timedelta(days=days)
    )
    what = "renewed the link of" if renewed else "created a link for"
    valid = pluralize(days, "days")
    log_activity(club=club, text=f"{by} {what} the guest {row.name}, valid for {valid}{own_case}", by=by)
    return key


@transaction.atomic
def link_end(*, guest: Guest, by: Player) -> None:
    """End the guest's link and every visit by it. The guest stays, with everything of theirs."""
    club, row = _lock_guest(guest, by)
    own_case = guest_own_case(club, _player(row), by, opens=False)
    if not _links_end(row, GuestLink.End.ENDED):
        raise RefusedError("link", f"{row.name} has no open link.")
    log_activity(club=club, text=f"{by} disabled the link of the guest {row.name}{own_case}", by=by)


@transaction.atomic
def link_enter(*, link: GuestLink) -> Player:
    """Return the guest who comes in by the link. Raise RefusedError if it has ended."""
    club_lock(link.guest.club)
    row = _open_link(link)
    GuestLink.objects.filter(pk=row.pk).update(used_at=timezone.now())
    return _player(row.guest)


@transaction.atomic
def guest_remove(*, guest: Guest, by: Player) -> None:
    """Remove the guest and their companies as if they had never existed.

    Raise RefusedError if they have a past with others.
    """
    club, row = _lock_guest(guest, by)
    player = _player(row)
    _lock_around(player)
    if played := describe_guest_past(player):
        raise RefusedError(
            "guest", f"{row.name} {played}, so they can’t be removed. Disable their link to keep them out."
        )
    guest_erase(row)
    log_activity(club=club, text=f"{by} removed the guest {row.name}, who hadn't played", by=by)


def guest_erase(guest: Guest) -> None:
    """Delete a guest who has played nothing from every table.

    The club, their seasons and their campaigns must be locked.
    """
    player = _player(guest)
    _links_end(guest, GuestLink.End.REMOVED)
    Guest.objects.filter(pk=guest.pk).update(player=None, removed_at=timezone.now())
    SeasonEntrant.objects.filter(player=player).delete()
    try:
        Enrolment.objects.filter(company__owner=player).delete()
        companies_erase(Company.objects.filter(owner=player))
        Player.objects.get(pk=player.pk).delete()
    except ProtectedError:
        raise RefusedError(
            "guest",
            f"{guest.name} is part of other players’ games, so they can’t be removed. Disable their link instead.",
        ) from None


def guest_links_end_all(club: Club) -> None:
    """End all links of a club without an organiser. The club must be locked."""
    for guest in club.guests.filter(player__isnull=False):
        _links_end(guest, GuestLink.End.ENDED)


# --- companies from an organiser --------------------------------------------------------------------------------------


@transaction.atomic
def guest_company(*, guest: Guest, by: Player, campaign: Campaign, name: str, force: str = "") -> Enrolment:
    """Found a company for the guest in this campaign and return its enrolment.

    With `force` its units come from a ready-made force. It asks to take part, or is accepted at once.
    """
    club, row = _lock_guest(guest, by)
    player = _player(row)
    if campaign.club_id != club.pk:
        raise RefusedError("campaign", f"{campaign.name} isn’t a campaign of {club.name}. Choose one that is.")
    company = company_create(
        owner=player,
        system=campaign.system,
        name=name,
        points=campaign.points,
        by=by,
        release=campaign.catalogue_release,
    )
    if force:
        _outfit(company, by, force, has_units=not buys_units_per_match(campaign))
    return enrolment_ask_or_accept(campaign=campaign, company=company, by=by)


def _outfit(company: Company, by: Player, force: str, *, has_units: bool) -> None:
    """Buy the force's units and hire a pilot for each that needs one.

    Only pilots if the campaign buys units for each match.
    """
    chosen = published_forces(company.system).get(force)
    if chosen is None:
        raise RefusedError("force", "There is no such ready-made force. Choose another.")
    rules = rules_of(company)
    for unit in chosen.units:
        bought = _buy_unit(company, by, unit) if has_units else None
        spec = bought.spec if bought else unit_spec(company.system, unit)
        if not rules.hire_points or not rules.needs_pilot(spec):
            continue
        named = pilot_name(company)
        level = unit.level if unit.level in rules.hire_points else ""
        pilot_hire(company=company, by=by, name=named.name, callsign=named.callsign, experience=level, unit=bought)


def _buy_unit(company: Company, by: Player, unit: ForceUnit) -> Unit:
    if isinstance(unit.design, str):
        return unit_buy(company=company, by=by, published=unit.design)
    return unit_buy_spec(company=company, by=by, design_name=unit.name, spec=dict(unit.design))


# --- takeover ---------------------------------------------------------------------------------------------------------


@transaction.atomic
def guest_claim(*, link: GuestLink, by: Player) -> Guest:
    """Put the account in the guest's place everywhere: memberships, companies, matches, reports, ledgers.

    Nothing is lost or duplicated, and the link ends. Raise RefusedError if the account already plays in one of the
    guest's campaigns.
    """
    player_pk = link.guest.player_id
    for club in Club.objects.filter(guests__player=player_pk).order_by("pk") if player_pk else ():
        club_lock(club)
    row = _open_link(link)
    guest, player = row.guest, _player(row.guest)
    _lock_around(player)
    own = Q(attacker__company__owner=player) | Q(defender__company__owner=player)
    list(Match.objects.select_for_update(of=("self",), no_key=True).filter(own).order_by("pk"))
    for company in Company.objects.filter(owner=player).order_by("pk"):
        company_lock(company, even_disbanded=True)
    for pk in sorted((player.pk, by.pk)):  # last, so that a request of the guest is either finished or fails
        Player.objects.select_for_update().get(pk=pk)
    heir = Player.objects.get(pk=by.pk)
    if reason := claim_refusal(guest, heir):
        raise RefusedError("guest", reason)
    clubs = [each.club for each in Guest.objects.filter(player=player).select_related("club")]
    known = set(Membership.objects.filter(player=heir).values_list("club", flat=True))
    now = timezone.now()
    for each in Guest.objects.filter(player=player):
        _links_end(each, GuestLink.End.CLAIMED)
    Guest.objects.filter(player=player).update(player=None, claimed_at=now)
    player_merge(before=player, heir=heir)
    for club in clubs:
        log_activity(club=club, text=f"{heir} took over the guest {guest.name}", by=heir)
        if club.pk not in known:
            notify.member_joined(club, heir, guest.created_by)
    return guest


def guest_merge_unique_rows(before: Player, heir: Player) -> None:
    """Drop or merge rows that a player has only once per club or campaign. For the hook."""
    own = Membership.objects.filter(player=heir).values_list("club", flat=True)
    Membership.objects.filter(player=before, club__in=list(own)).delete()
    Notification.objects.filter(player=before, news__notifications__player=heir).delete()
    own_availability = Availability.objects.filter(player=heir)
    Availability.objects.filter(player=before, club__in=own_availability.values("club")).delete()
    if own_availability.filter(club=None).exists():
        Availability.objects.filter(player=before, club=None).delete()
    for model in (Mail, NotificationPreferences, JoinRequest, PlayerCalendar):
        model._default_manager.filter(player=before).delete()
    rename_duplicates(before, heir, ((SavedList, "player"),))
    pair = (before, heir)
    MatchmakingOffer.objects.filter(attacker__owner__in=pair, defender__owner__in=pair).delete()


def clear_guest_links(run: Clearing) -> int:
    """Delete links that ended long ago. Their pages then look like those of links that never existed."""
    old = expiry_cutoff(run.now, settings.KEEP_SIGN_INS_DAYS)
    if old is None:
        return 0
    over = Q(ended_at__lt=old) | Q(ended_at=None, expires_at__lt=old)
    return clear_rows(GuestLink.objects.filter(over).only("pk"), run)


# --- parts ------------------------------------------------------------------------------------------------------------


def _lock_guest(guest: Guest, by: Player) -> tuple[Club, Guest]:
    """Lock the club for an organiser and return it with the fresh guest.

    Raise RefusedError if they are no guest any more.
    """
    club = organiser_club_lock(guest.club, by)
    row = Guest.objects.select_related("player", "club").get(pk=guest.pk)
    if row.is_over:
        raise RefusedError("guest", f"{row.name} isn’t a guest any more.")
    return club, row


def _lock_around(player: Player) -> None:
    """Lock the seasons and campaigns the guest is in."""
    for season in Season.objects.filter(entrants__player=player).distinct().order_by("pk"):
        season_lock(season)
    for campaign in Campaign.objects.filter(enrolments__company__owner=player).distinct().order_by("pk"):
        campaign_lock(campaign)


def _player(guest: Guest) -> Player:
    assert guest.player is not None, "a guest who is one has a player"
    return guest.player


def _open_link(link: GuestLink) -> GuestLink:
    """Return the fresh link. The caller has locked its club. Raise RefusedError if it has ended."""
    row = GuestLink.objects.select_related("guest__club", "guest__player", "guest__created_by").get(pk=link.pk)
    if reason := link_refusal(row):
        raise RefusedError("link", reason)
    return row


def _links_end(guest: Guest, end: GuestLink.End) -> bool:
    """End the guest's links and return whether there was one.

    Visits by them, feeds and calendars of the guest end too.
    """
    ended = guest.links.filter(ended_at=None).update(ended_at=timezone.now(), end=end)
    if guest.player_id is not None:
        Player.objects.filter(pk=guest.player_id).update(password=make_password(None))  # sessions are tied to it
        PlayerCalendar.objects.filter(player=guest.player_id).delete()
        for member in Membership.objects.filter(player=guest.player_id, club=guest.club_id):
            Membership.objects.filter(pk=member.pk).update(feed_key=uuid4())
    return bool(ended)


def _clean_name(club: Club, name: str, but: Player | None = None) -> str:
    """Return the cleaned name. Raise RefusedError if it is another member's, or looks like it."""
    cleaned_name = " ".join(clean_text("name", name, longest=60, now=but.name_shown if but else None).split())
    if but is None or cleaned_name != but.name_shown:
        refuse_unfit_player_name("name", cleaned_name)
    members = Player.objects.filter(memberships__club=club)
    if found := find_lookalike(cleaned_name, members.exclude(pk=but.pk) if but else members):
        raise RefusedError("name", f"{found} is already in {club.name}. Choose a name that tells them apart.")
    return cleaned_name
