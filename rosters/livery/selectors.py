"""What pages show of what an owner wrote: the story to all, his notes to himself."""

from __future__ import annotations

from dataclasses import dataclass

from rosters.models import Company, Words
from rosters.site.compiled import Compiled


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsShown:
    """What a reader sees of it."""

    story: str = ""
    notes: str = ""  # empty for everybody but the owner


OF_COMPANY = Compiled(lambda company: Words.objects.filter(company=company, unit=None, pilot=None), company=int)
OF_UNIT = Compiled(lambda company, unit: Words.objects.filter(company=company, unit=unit), company=int, unit=int)
OF_PILOT = Compiled(lambda company, pilot: Words.objects.filter(company=company, pilot=pilot), company=int, pilot=int)


def words_of(company: Company, *, is_own: bool, unit: int | None = None, pilot: int | None = None) -> WordsShown:
    """What is written of the company, or of a unit or pilot of it; one query."""
    if unit is not None:
        row = OF_UNIT.row(company=company.pk, unit=unit)
    elif pilot is not None:
        row = OF_PILOT.row(company=company.pk, pilot=pilot)
    else:
        row = OF_COMPANY.row(company=company.pk)
    if row is None:
        return WordsShown()
    return WordsShown(story=row.story, notes=row.notes if is_own else "")
