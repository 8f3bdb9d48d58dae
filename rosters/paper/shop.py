"""Orders for a company as the site makes them: with codes that link to its pages, and the current day."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from rest_framework.request import Request

from rosters import policy
from rosters.models import Company, Visibility
from rosters.paper.orders import CompanyChoice
from rosters.paper.prints import CompanyPrint, company_print
from rosters.paper.selectors import house_rules_of
from rosters.paper.sources import Link
from rosters.selectors import CompanySheet


def made_print(
    request: HttpRequest | Request, row: Company, sheet: CompanySheet, choice: CompanyChoice, support: Sequence[str]
) -> CompanyPrint:
    """Return the order of a choice, with codes that link to pages of this site.

    Without house rules in the choice, those of the company's campaign apply.
    """
    if choice.options is None:
        choice = choice.model_copy(update={"options": house_rules_of(row, request.user)})
    as_of = date_format(timezone.localdate(), "j F Y")
    return company_print(sheet, choice, link=link_of(request, row), support=support, as_of=as_of)


def link_of(request: HttpRequest | Request, row: Company) -> Link:
    """Return the URLs of a company's pages, with its key if it is shared by link and the reader has the key."""
    key = ""
    if row.visibility == Visibility.LINK:
        has_key = policy.can_change(request.user, row) or request.GET.get("key") == str(row.link_key)
        key = f"?key={row.link_key}" if has_key else ""

    def link(*, unit: int | None = None, pilot: int | None = None) -> str:
        path = reverse("rosters:company", args=[row.pk])
        if unit is not None:
            path = reverse("rosters:unit", args=[row.pk, unit])
        elif pilot is not None:
            path = reverse("rosters:pilot", args=[row.pk, pilot])
        return request.build_absolute_uri(path) + key

    return link
