"""The link of a club display: created, replaced and removed by its organisers."""

from __future__ import annotations

import uuid

from django.db import transaction

from campaigns.clubs.services import organiser_club_lock
from campaigns.diary import diary_write
from campaigns.models import Club, ClubDisplay
from rosters.models import Player


@transaction.atomic
def display_link_create(*, club: Club, by: Player, anew: bool = False) -> ClubDisplay:
    """Return the club's link, created if there is none; `anew` replaces it, and the old one shows nothing any more."""
    locked = organiser_club_lock(club, by)
    row, is_new = ClubDisplay.objects.get_or_create(club=locked, defaults={"by": by})
    if anew and not is_new:
        row.key, row.by = uuid.uuid4(), by
        row.save(update_fields=["key", "by"])
    if is_new or anew:
        diary_write(club=locked, text=f"{by} made {'a' if is_new else 'another'} link for the wall", by=by)
    return row


@transaction.atomic
def display_link_delete(*, club: Club, by: Player) -> bool:
    """Remove the link; False if there was none."""
    locked = organiser_club_lock(club, by)
    gone, _ = ClubDisplay.objects.filter(club=locked).delete()
    if gone:
        diary_write(club=locked, text=f"{by} took down the wall", by=by)
    return bool(gone)
