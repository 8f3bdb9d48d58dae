"""Writing of a company, its units and its pilots, and putting up pictures of them."""

from __future__ import annotations

from django.db import transaction

from rosters import hooks
from rosters.livery.pictures import FIELD, drawn_anew
from rosters.models import Company, Pilot, Player, Portrait, Unit, Words
from rosters.services._base import clean_lines, company_lock, own
from rosters.site.refusals import RefusedError

MAX_STORY_LENGTH, MAX_NOTES_LENGTH = 4000, 4000


@transaction.atomic
def words_keep(
    *, company: Company, by: Player, story: str, notes: str, unit: Unit | None = None, pilot: Pilot | None = None
) -> None:
    """Keeps what is written of the company, or of a unit or pilot of it; with nothing written no row stays."""
    locked = _locked(company, by, unit, pilot)
    now = Words.objects.filter(company=locked, unit=unit, pilot=pilot).first()
    made = {
        "story": clean_lines("story", story, longest=MAX_STORY_LENGTH, now=now.story if now else None),
        "notes": clean_lines("notes", notes, longest=MAX_NOTES_LENGTH, now=now.notes if now else None),
    }
    if any(made.values()):
        Words.objects.update_or_create(company=locked, unit=unit, pilot=pilot, defaults=made)
    elif now:
        now.delete()


def portrait_put_up(
    *, company: Company, by: Player, sent: bytes, unit: Unit | None = None, pilot: Pilot | None = None
) -> Portrait:
    """The picture in place of the drawn one, and of the one before; refused where the company may show none."""
    drawn = drawn_anew(sent)
    with transaction.atomic():
        locked = _locked(company, by, unit, pilot)
        if reason := hooks.portraits_barred([locked.pk]).get(locked.pk):
            raise RefusedError(FIELD, reason)
        made = {"digest": drawn.digest, "picture": drawn.picture, "width": drawn.width, "height": drawn.height}
        row, _ = Portrait.objects.update_or_create(company=locked, unit=unit, pilot=pilot, defaults=made)
        return row


@transaction.atomic
def portrait_take_down(*, company: Company, by: Player, unit: Unit | None = None, pilot: Pilot | None = None) -> bool:
    """The drawn picture again; whether there was another."""
    locked = _locked(company, by, unit, pilot)
    gone, _ = Portrait.objects.filter(company=locked, unit=unit, pilot=pilot).delete()
    return bool(gone)


def _locked(company: Company, by: Player, unit: Unit | None, pilot: Pilot | None) -> Company:
    """The company, held; unit and pilot must be its own."""
    locked = company_lock(company)
    assert locked.owner_id == by.pk, "only the owner decides what his company shows"
    for row, field in ((unit, "unit"), (pilot, "pilot")):
        if row is not None:
            own(locked, row, field)
    return locked
