"""Reads of an owner's texts (public story, private notes) and of uploaded pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import FilteredRelation, Q, QuerySet

from rosters import hooks
from rosters.database.queries import PreparedQuery, columns
from rosters.models import Company, Description, Portrait


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibleTexts:
    """The texts that a reader may see."""

    story: str = ""
    notes: str = ""  # empty for everybody except the owner


OF_COMPANY = PreparedQuery(
    lambda company: Description.objects.filter(company=company, unit=None, pilot=None), company=int
)
OF_UNIT = PreparedQuery(
    lambda company, unit: Description.objects.filter(company=company, unit=unit), company=int, unit=int
)
OF_PILOT = PreparedQuery(
    lambda company, pilot: Description.objects.filter(company=company, pilot=pilot), company=int, pilot=int
)


def visible_texts(company: Company, *, is_own: bool, unit: int | None = None, pilot: int | None = None) -> VisibleTexts:
    """Return the texts about the company, or about one of its units or pilots; one query."""
    if unit is not None:
        row = OF_UNIT.row(company=company.pk, unit=unit)
    elif pilot is not None:
        row = OF_PILOT.row(company=company.pk, pilot=pilot)
    else:
        row = OF_COMPANY.row(company=company.pk)
    if row is None:
        return VisibleTexts()
    return VisibleTexts(story=row.story, notes=row.notes if is_own else "")


class PortraitImage(NamedTuple):
    """An uploaded picture: the parts of its URL, and its size in pixels."""

    company: int
    digest: str
    width: int
    height: int


def _portraits(company: int) -> QuerySet[Portrait, object]:
    rows = Portrait.objects.filter(company=company, unit=None, pilot=None)
    return rows.values_list(*columns(PortraitImage))


COMPANY_PORTRAIT = PreparedQuery(_portraits, PortraitImage, company=int)


class _Both(NamedTuple):
    """A company's texts and picture, read together."""

    company: int
    story: str | None
    notes: str | None
    digest: str | None
    width: int | None
    height: int | None


def _both(company: int) -> QuerySet[Company, object]:
    rows = Company.objects.filter(pk=company).annotate(
        own_words=FilteredRelation("words", condition=Q(words__unit=None, words__pilot=None)),
        own_portrait=FilteredRelation("portraits", condition=Q(portraits__unit=None, portraits__pilot=None)),
    )
    return rows.values_list(
        *columns(
            _Both,
            company="pk",
            story="own_words__story",
            notes="own_words__notes",
            digest="own_portrait__digest",
            width="own_portrait__width",
            height="own_portrait__height",
        )
    )


BOTH = PreparedQuery(_both, _Both, company=int)


def company_texts_and_portrait(company: Company, *, is_own: bool) -> tuple[VisibleTexts, PortraitImage | None]:
    """Return the company's texts, and its picture if it may be shown; one query, or two if there is a picture."""
    (row,) = BOTH.rows(company=company.pk)
    words = VisibleTexts(story=row.story or "", notes=(row.notes or "") if is_own else "")
    if row.digest is None or hooks.portraits_barred([row.company]):
        return words, None
    return words, PortraitImage(row.company, row.digest, row.width or 0, row.height or 0)


def portrait_of(company: Company, *, unit: int | None = None, pilot: int | None = None) -> PortraitImage | None:
    """Return the picture of the company, or of one of its units or pilots; None if there is none to show."""
    if unit is None and pilot is None:
        found = COMPANY_PORTRAIT.row(company=company.pk)
    else:
        rows = Portrait.objects.filter(company=company, unit=unit, pilot=pilot)
        row = rows.values_list(*columns(PortraitImage)).first()
        found = PortraitImage(*row) if row else None
    return found if found and not hooks.portraits_barred([company.pk]) else None


def portraits_of(companies: Sequence[int]) -> dict[int, PortraitImage]:
    """Return the pictures of these companies that may be shown, by company ID; two queries at most."""
    rows = Portrait.objects.filter(company__in=companies, unit=None, pilot=None)
    images = map(PortraitImage._make, rows.values_list(*columns(PortraitImage)))
    found = {image.company: image for image in images}
    barred = hooks.portraits_barred(found) if found else {}
    return {pk: each for pk, each in found.items() if pk not in barred}
