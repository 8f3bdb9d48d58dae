"""Pages on which an owner chooses an emblem, writes texts and uploads pictures; and the uploaded pictures."""

from __future__ import annotations

import secrets

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from rosters import hooks, selectors, services
from rosters.appearance.emblems import chosen, emblem_of, emblem_option_groups
from rosters.appearance.selectors import portrait_of, visible_texts
from rosters.appearance.services import (
    MAX_BYTES,
    MAX_NOTES_LENGTH,
    MAX_STORY_LENGTH,
    description_save,
    portrait_remove,
    portrait_set,
)
from rosters.models import Pilot, Portrait, Unit
from rosters.shortcuts import own_company, own_pilot, own_unit, visible_company
from rosters.site.exceptions import RefusedError
from rosters.site.forms import EditConflictMixin
from rosters.view_helpers import company_context, locked_for_edit, player, run_and_flash, run_for_form


class DescriptionForm(EditConflictMixin, forms.Form):
    """An owner's texts about a company, a unit or a pilot."""

    story = forms.CharField(
        required=False,
        max_length=MAX_STORY_LENGTH,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text="Anyone who can see the company can read it.",
    )
    notes = forms.CharField(
        required=False,
        max_length=MAX_NOTES_LENGTH,
        widget=forms.Textarea(attrs={"rows": 8}),
        label="Your notes",
        help_text="Only you can see them. They're never exported, printed or sent by the API.",
    )


class EmblemForm(EditConflictMixin, forms.Form):
    """The form that saves the shown emblem."""

    emblem = forms.CharField(max_length=5, required=False, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None, *, emblem: str, description: str) -> None:
        super().__init__(data, initial={"emblem": emblem})
        self.fields["emblem"].choices = [(emblem, description)]  # type: ignore[attr-defined]  # describes an overtaken emblem


@login_required
@require_http_methods(["GET", "POST"])
def company_emblem(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the requested emblem beside the current one; save it on a POST."""
    with locked_for_edit(request, own_company(request, pk)) as row:
        form = EmblemForm(
            request.POST or None, emblem=row.emblem, description=emblem_of(row.emblem, row.name).description
        )
        if request.method == "POST" and form.is_valid():
            code, by = form.cleaned_data["emblem"], player(request)
            if run_and_flash(
                request,
                lambda: services.company_change(company=row, by=by, emblem=code),
                "Emblem saved.",
                of=row,
                form=form,
            ):
                return redirect("rosters:company", pk=pk)
    sheet = selectors.company_sheet(row)
    now = emblem_of(row.emblem, row.name)
    preview = (
        emblem_of(request.POST["emblem"], row.name)
        if request.POST.get("emblem")
        else chosen(request.GET, now, row.name)
    )
    context = {
        **company_context(request, row, sheet),
        "form": form,
        "now": now,
        "preview": preview,
        "groups": emblem_option_groups(preview),
        "dice": secrets.token_hex(4),
    }
    return render(request, "rosters/company_emblem.html", context, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "POST"])
def company_notes(request: HttpRequest, pk: int) -> HttpResponse:
    """Edit the owner's texts about the company."""
    return _notes_page(request, pk)


@login_required
@require_http_methods(["GET", "POST"])
def unit_notes(request: HttpRequest, pk: int, unit_pk: int) -> HttpResponse:
    """Edit the owner's texts about a unit."""
    return _notes_page(request, pk, unit=own_unit(request, pk, unit_pk)[1])


@login_required
@require_http_methods(["GET", "POST"])
def pilot_notes(request: HttpRequest, pk: int, pilot_pk: int) -> HttpResponse:
    """Edit the owner's texts about a pilot."""
    return _notes_page(request, pk, pilot=own_pilot(request, pk, pilot_pk)[1])


def _notes_page(request: HttpRequest, pk: int, unit: Unit | None = None, pilot: Pilot | None = None) -> HttpResponse:
    with locked_for_edit(request, own_company(request, pk)) as row:
        now = visible_texts(row, is_own=True, unit=unit.pk if unit else None, pilot=pilot.pk if pilot else None)
        form = DescriptionForm(request.POST or None, initial={"story": now.story, "notes": now.notes})
        back = page_of(pk, unit, pilot)
        if request.method == "POST" and form.is_valid():
            given = {**form.cleaned_data, "unit": unit, "pilot": pilot}
            if run_for_form(form, lambda: _kept(description_save(company=row, by=player(request), **given))):
                messages.success(request, "Saved.")
                return redirect(back)
    context = {
        **company_context(request, row, selectors.company_sheet(row)),
        "form": form,
        "subject": str(unit or pilot or row),
        "is_of_company": unit is None and pilot is None,
        "portrait": portrait_of(row, unit=unit.pk if unit else None, pilot=pilot.pk if pilot else None),
        "drawn": drawn_for(unit, pilot),
        "back": back,
    }
    return render(request, "rosters/company_notes.html", context, status=422 if form.errors else 200)


def page_of(pk: int, unit: Unit | None, pilot: Pilot | None) -> str:
    """Return the URL of the page of the unit, pilot or company."""
    if unit:
        return reverse("rosters:unit", args=[pk, unit.pk])
    return reverse("rosters:pilot", args=[pk, pilot.pk]) if pilot else reverse("rosters:company", args=[pk])


def drawn_for(unit: Unit | None, pilot: Pilot | None) -> Unit | None:
    """Return the unit to draw if there is no picture: the unit itself or the pilot's unit; None if there is neither."""
    return unit or (Unit.objects.filter(pilot=pilot).first() if pilot else None)


def _kept(_: None) -> bool:
    return True


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
        run_and_flash(
            request,
            lambda: portrait_remove(company=row, by=player(request), unit=unit, pilot=pilot),
            lambda was_there: "Photo removed." if was_there else f"{subject} has no photo.",
        )
        return redirect(back)
    if request.method == "POST":
        file = request.FILES.get("picture")
        try:
            if file is None:
                raise RefusedError("picture", "Choose a photo first.")
            sent = file.read(MAX_BYTES + 1)
            portrait_set(company=row, by=player(request), sent=sent, unit=unit, pilot=pilot)
        except RefusedError as error:
            refusal = error.reason
        else:
            messages.success(request, "Photo saved.")
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
