"""Personal links of guests, stored only as digests, and club links for signing up on a closed site."""

from __future__ import annotations

import hashlib
import re
import secrets
from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import Resolver404, resolve

from campaigns.clubs.invitations import invitation_refusal
from campaigns.models import GuestLink, Invitation
from rosters.database.queries import PreparedQuery

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
        return f"{name} has an account now: sign in with it. This link is over."
    if link.end == GuestLink.End.REMOVED or link.guest.is_over:
        return f"{name} is no guest of {club} any more."
    if link.end == GuestLink.End.RENEWED:
        return f"There is a newer link for {name}; this one is over. Ask an organiser of {club} for it."
    if link.ended_at is not None:
        return f"An organiser of {club} has ended this link. Ask there for another one."
    if not link.is_open:
        return (
            f"This link has come to its end. Ask an organiser of {club} for another one; nothing of {name}’s is lost."
        )
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
