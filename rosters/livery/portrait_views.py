"""The page on which an owner uploads a picture, and the pictures themselves."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from rosters import hooks, selectors
from rosters.livery.pictures import MAX_BYTES
from rosters.livery.selectors import portrait_of
from rosters.livery.services import portrait_put_up, portrait_take_down
from rosters.livery.views import drawn_for, page_of
from rosters.models import Pilot, Portrait, Unit
from rosters.rows import own_company, own_pilot, own_unit, seen_company
from rosters.site.refusals import RefusedError
from rosters.view_helpers import company_context, player, say

HEADERS = {
    "Cache-Control": "private, max-age=31536000, immutable",  # its URL depends on its contents
    "Content-Disposition": "inline",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


@require_GET
def portrait(request: HttpRequest, pk: int, digest: str) -> HttpResponseBase:
    """Return an uploaded picture of a company, unit or pilot, for everybody who may see the company."""
    company = seen_company(request, pk)
    tag = f'"{digest}"'
    row = Portrait.objects.filter(company=company, digest=digest).first()
    if row is None or hooks.portraits_barred([company.pk]):
        raise Http404
    if request.headers.get("If-None-Match") == tag:
        return HttpResponseNotModified(headers={"ETag": tag, "Cache-Control": HEADERS["Cache-Control"]})
    return HttpResponse(bytes(row.picture), content_type="image/webp", headers={**HEADERS, "ETag": tag})


@login_required
@require_http_methods(["GET", "POST"])
def company_portrait(request: HttpRequest, pk: int) -> HttpResponse:
    """Upload or remove the company's picture."""
    return _page(request, pk)


@login_required
@require_http_methods(["GET", "POST"])
def unit_portrait(request: HttpRequest, pk: int, unit_pk: int) -> HttpResponse:
    """Upload or remove a unit's picture."""
    return _page(request, pk, unit=own_unit(request, pk, unit_pk)[1])


@login_required
@require_http_methods(["GET", "POST"])
def pilot_portrait(request: HttpRequest, pk: int, pilot_pk: int) -> HttpResponse:
    """Upload or remove a pilot's picture."""
    return _page(request, pk, pilot=own_pilot(request, pk, pilot_pk)[1])


def _page(request: HttpRequest, pk: int, unit: Unit | None = None, pilot: Pilot | None = None) -> HttpResponse:
    row = own_company(request, pk)
    subject, back, refusal = str(unit or pilot or row), page_of(pk, unit, pilot), ""
    if request.method == "POST" and request.POST.get("do") == "take-down":
        say(
            request,
            lambda: portrait_take_down(company=row, by=player(request), unit=unit, pilot=pilot),
            lambda was_there: (
                f"{subject} shows {'the drawn picture again' if was_there else 'no picture of your own'}."
            ),
        )
        return redirect(back)
    if request.method == "POST":
        file = request.FILES.get("picture")
        try:
            if file is None:
                raise RefusedError("picture", "Choose a picture first.")
            sent = file.read(MAX_BYTES + 1)
            portrait_put_up(company=row, by=player(request), sent=sent, unit=unit, pilot=pilot)
        except RefusedError as error:
            refusal = error.reason
        else:
            messages.success(request, f"{subject} shows your picture.")
            return redirect(back)
    context = {
        **company_context(request, row, selectors.company_sheet(row)),
        "subject": subject,
        "is_of_company": unit is None and pilot is None,
        "portrait": portrait_of(row, unit=unit.pk if unit else None, pilot=pilot.pk if pilot else None),
        "drawn": drawn_for(unit, pilot),
        "barred": hooks.portraits_barred([row.pk]).get(row.pk, ""),
        "refusal": refusal,
        "back": back,
    }
    return render(request, "rosters/portrait.html", context, status=422 if refusal else 200)
