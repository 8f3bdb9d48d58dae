"""Saving of texts and photos from the pages of a company, a unit or a pilot; and the uploaded photos."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseNotModified
from django.http.response import HttpResponse, HttpResponseBase
from django.views.decorators.http import require_GET

from rosters import hooks
from rosters.appearance.forms import DescriptionForm
from rosters.appearance.selectors import visible_texts
from rosters.appearance.services import MAX_BYTES, description_save, portrait_remove, portrait_set
from rosters.models import Company, Pilot, Portrait, Unit
from rosters.shortcuts import visible_company
from rosters.site.exceptions import RefusedError
from rosters.view_helpers import player, run_and_flash, run_for_form


def save_texts(
    request: HttpRequest, company: Company, *, unit: Unit | None = None, pilot: Pilot | None = None
) -> DescriptionForm | None:
    """Save the submitted story and notes; return the form if they are refused, else None."""
    now = visible_texts(company, is_own=True, unit=unit.pk if unit else None, pilot=pilot.pk if pilot else None)
    form = DescriptionForm(request.POST, texts=now)
    if not form.is_valid():
        return form
    by, texts = player(request), form.cleaned_data
    run_for_form(form, lambda: description_save(company=company, by=by, unit=unit, pilot=pilot, **texts))
    if form.errors:
        return form
    messages.success(request, "Saved.")
    return None


def save_photo(request: HttpRequest, company: Company, *, unit: Unit | None = None, pilot: Pilot | None = None) -> str:
    """Save or remove the photo, as submitted; return why it is refused, or an empty text."""
    by = player(request)
    if request.POST.get("do") == "take-down":
        run_and_flash(
            request,
            lambda: portrait_remove(company=company, by=by, unit=unit, pilot=pilot),
            lambda was_there: "Photo removed." if was_there else f"{unit or pilot or company} has no photo.",
        )
        return ""
    file = request.FILES.get("picture")
    if file is None:
        return "Choose a photo first."
    try:
        portrait_set(company=company, by=by, sent=file.read(MAX_BYTES + 1), unit=unit, pilot=pilot)
    except RefusedError as error:
        return error.reason
    messages.success(request, "Photo saved.")
    return ""


HEADERS = {
    "Cache-Control": "private, max-age=31536000, immutable",  # its URL depends on its contents
    "Content-Disposition": "inline",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


@require_GET
def portrait(request: HttpRequest, pk: int, digest: str) -> HttpResponseBase:
    """Return an uploaded picture of a company, unit or pilot to anybody who may see the company."""
    company = visible_company(request, pk)
    tag = f'"{digest}"'
    row = Portrait.objects.filter(company=company, digest=digest).first()
    if row is None or hooks.portraits_barred([company.pk]):
        raise Http404
    if request.headers.get("If-None-Match") == tag:
        return HttpResponseNotModified(headers={"ETag": tag, "Cache-Control": HEADERS["Cache-Control"]})
    return HttpResponse(bytes(row.picture), content_type="image/webp", headers={**HEADERS, "ETag": tag})
