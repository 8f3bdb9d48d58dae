"""The link of a guest: made once, known here by its digest alone, and what is said of one that lets nobody in."""

from __future__ import annotations

import hashlib
import re
import secrets

from campaigns.models import GuestLink
from rosters.site.compiled import Compiled

KEY = re.compile(r"[\w-]{43}", re.ASCII)
BYTES = 32  # of a key: nobody guesses it


def key_new() -> str:
    """A key that nobody has had."""
    return secrets.token_urlsafe(BYTES)


def digest_of(key: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(key.encode()).hexdigest()


def link_found(key: str) -> GuestLink | None:
    """The link of this key, whether it still lets in or not."""
    return LINK.row(digest=digest_of(key)) if KEY.fullmatch(key) else None


def link_refusal(link: GuestLink) -> str:
    """Why the link lets nobody in any more; empty while it does."""
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


LINK = Compiled(
    lambda digest: GuestLink.objects.filter(digest=digest).select_related("guest__club", "guest__player"), digest=str
)
