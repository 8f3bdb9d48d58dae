"""The preview image and the badge of a company, for links and other sites."""

from __future__ import annotations

import re

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.html import escape
from django.views.decorators.http import require_GET

from rosters import selectors
from rosters.models import Company, Visibility
from rosters.paper.badges import badge_response
from rosters.paper.plates import PreviewUnit, PreviewImage, PreviewRow, preview_response
from rosters.rows import seen_company
from systems.paper.silhouettes import silhouette
from systems.words import pluralize


def company_codes(request: HttpRequest, company: Company) -> list[tuple[str, str]]:
    """Return the codes that show the company on another page; empty unless the company is public."""
    if not _is_everybodys(company):
        return []
    page, badge = (
        request.build_absolute_uri(reverse(f"rosters:{name}", args=[company.pk]))
        for name in ("company", "company_badge")
    )
    return [
        ("a badge, in HTML", f'<a href="{page}"><img src="{badge}" alt="{escape(company.name)}" height="24"></a>'),
        ("a badge, in Markdown", f"[![{_in_markdown(company.name)}]({badge})]({page})"),
    ]


def _in_markdown(name: str) -> str:
    """Escape the name as text for a Markdown link."""
    return re.sub(r"([\\\[\]()`*_<>!])", r"\\\1", name)


@require_GET
def company_picture(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Return the company's preview image: name, units and results."""
    row = seen_company(request, pk)
    sheet = selectors.company_sheet(row)
    done = f"{sheet.won}-{sheet.drawn}-{sheet.lost_games}" if sheet.won + sheet.drawn + sheet.lost_games else ""
    plate = PreviewImage(
        kicker=f"Company · {sheet.system_name}",
        title=sheet.name,
        units=tuple(PreviewUnit(silhouette(unit.size), unit.name) for unit in sheet.units),
        rows=(PreviewRow(f"{pluralize(len(sheet.units), 'units')}, {pluralize(sheet.value, 'points')}", done),),
        foot=sheet.motto or f"of {sheet.owner}",
        colour=sheet.colour,
    )
    return preview_response(request, plate, is_public=_is_everybodys(row))


@require_GET
def company_badge(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the company's badge: its name and its wins, draws and losses."""
    row = seen_company(request, pk)
    sheet = selectors.company_sheet(row)
    told = f"{sheet.won} won, {sheet.drawn} drawn, {sheet.lost_games} lost"
    return badge_response(sheet.name, told, sheet.colour, is_public=_is_everybodys(row))


def _is_everybodys(company: Company) -> bool:
    """Return whether everybody can see the company; only its owner can see a disbanded one."""
    return company.visibility == Visibility.PUBLIC and company.disbanded_at is None
