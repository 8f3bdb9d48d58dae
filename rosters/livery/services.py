"""Save texts about a company, its units and its pilots, and upload pictures of them."""

from __future__ import annotations

from django.db import transaction

from rosters import hooks
from rosters.livery.pictures import FIELD, reencode_picture
from rosters.models import Company, Pilot, Player, Portrait, Unit, Description
from rosters.services._base import clean_lines, company_lock, own
from rosters.site.refusals import RefusedError

MAX_STORY_LENGTH, MAX_NOTES_LENGTH = 4000, 4000


@transaction.atomic
def words_keep(
    *, company: Company, by: Player, story: str, notes: str, unit: Unit | None = None, pilot: Pilot | None = None
) -> None:
    """Save the texts about the company, or about one of its units or pilots; the row is deleted if both are empty."""
    locked = _locked(company, by, unit, pilot)
    now = Description.objects.filter(company=locked, unit=unit, pilot=pilot).first()
    made = {
        "story": clean_lines("story", story, longest=MAX_STORY_LENGTH, now=now.story if now else None),
        "notes": clean_lines("notes", notes, longest=MAX_NOTES_LENGTH, now=now.notes if now else None),
    }
    if any(made.values()):
        Description.objects.update_or_create(company=locked, unit=unit, pilot=pilot, defaults=made)
    elif now:
        now.delete()


def portrait_put_up(
    *, company: Company, by: Player, sent: bytes, unit: Unit | None = None, pilot: Pilot | None = None
) -> Portrait:
    """Replace the drawn picture, or the previous upload; refused if the company may show none."""
    drawn = reencode_picture(sent)
    with transaction.atomic():
        locked = _locked(company, by, unit, pilot)
        if reason := hooks.portraits_barred([locked.pk]).get(locked.pk):
            raise RefusedError(FIELD, reason)
        made = {"digest": drawn.digest, "picture": drawn.picture, "width": drawn.width, "height": drawn.height}
        row, _ = Portrait.objects.update_or_create(company=locked, unit=unit, pilot=pilot, defaults=made)
        return row


@transaction.atomic
def portrait_take_down(*, company: Company, by: Player, unit: Unit | None = None, pilot: Pilot | None = None) -> bool:
    """Remove the picture, so that the drawn one is shown again; return whether there was one."""
    locked = _locked(company, by, unit, pilot)
    gone, _ = Portrait.objects.filter(company=locked, unit=unit, pilot=pilot).delete()
    return bool(gone)


def _locked(company: Company, by: Player, unit: Unit | None, pilot: Pilot | None) -> Company:
    """Return the company, locked; unit and pilot must belong to it."""
    locked = company_lock(company)
    assert locked.owner_id == by.pk, "only the owner decides what his company shows"
    for row, field in ((unit, "unit"), (pilot, "pilot")):
        if row is not None:
            own(locked, row, field)
    return locked
