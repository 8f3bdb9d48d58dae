"""The link of a guest: made once, stored only as a digest. Also the reasons why a link doesn't work any more."""

from __future__ import annotations

import hashlib
import re
import secrets

from campaigns.models import GuestLink
from rosters.site.compiled import PreparedQuery

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
