"""Writing of a company, its units and its pilots."""

from __future__ import annotations

from django.db import transaction

from rosters.models import Company, Pilot, Player, Unit, Words
from rosters.services._base import clean_lines, company_lock, own

STORY_LONGEST, NOTES_LONGEST = 4000, 4000


@transaction.atomic
def words_keep(
    *, company: Company, by: Player, story: str, notes: str, unit: Unit | None = None, pilot: Pilot | None = None
) -> None:
    """Keeps what is written of the company, or of a unit or pilot of it; with nothing written no row stays."""
    locked = company_lock(company)
    assert locked.owner_id == by.pk, "only the owner writes of his company"
    for row, field in ((unit, "unit"), (pilot, "pilot")):
        if row is not None:
            own(locked, row, field)
    now = Words.objects.filter(company=locked, unit=unit, pilot=pilot).first()
    made = {
        "story": clean_lines("story", story, longest=STORY_LONGEST, now=now.story if now else None),
        "notes": clean_lines("notes", notes, longest=NOTES_LONGEST, now=now.notes if now else None),
    }
    if any(made.values()):
        Words.objects.update_or_create(company=locked, unit=unit, pilot=pilot, defaults=made)
    elif now:
        now.delete()
