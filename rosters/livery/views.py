"""Pages on which an owner chooses the company's emblem and writes texts about it."""

from __future__ import annotations

import secrets

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from rosters import selectors, services
from rosters.livery.choosing import chosen, emblem_option_groups
from rosters.livery.emblems import emblem_of
from rosters.livery.forms import EmblemForm, WordsForm
from rosters.livery.selectors import portrait_of, words_of
from rosters.livery.services import words_keep
from rosters.models import Pilot, Unit
from rosters.rows import own_company, own_pilot, own_unit
from rosters.view_helpers import attempt, company_context, edited, player, say


@login_required
@require_http_methods(["GET", "POST"])
def company_emblem(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the requested emblem beside the current one, and save it on a POST."""
    with edited(request, own_company(request, pk)) as row:
        form = EmblemForm(request.POST or None, emblem=row.emblem, said=emblem_of(row.emblem, row.name).said)
        if request.method == "POST" and form.is_valid():
            code, by = form.cleaned_data["emblem"], player(request)
            if say(
                request,
                lambda: services.company_change(company=row, by=by, emblem=code),
                f"{row.name} carries its new emblem.",
                of=row,
                form=form,
            ):
                return redirect("rosters:company", pk=pk)
    sheet = selectors.company_sheet(row)
    now = emblem_of(row.emblem, row.name)
    shown = (
        emblem_of(request.POST["emblem"], row.name)
        if request.POST.get("emblem")
        else chosen(request.GET, now, row.name)
    )
    context = {
        **company_context(request, row, sheet),
        "form": form,
        "now": now,
        "shown": shown,
        "groups": emblem_option_groups(shown),
        "dice": secrets.token_hex(4),
    }
    return render(request, "rosters/company_emblem.html", context, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "POST"])
def company_words(request: HttpRequest, pk: int) -> HttpResponse:
    """Edit the owner's texts about the company."""
    return _words_page(request, pk)


@login_required
@require_http_methods(["GET", "POST"])
def unit_words(request: HttpRequest, pk: int, unit_pk: int) -> HttpResponse:
    """Edit the owner's texts about a unit."""
    return _words_page(request, pk, unit=own_unit(request, pk, unit_pk)[1])


@login_required
@require_http_methods(["GET", "POST"])
def pilot_words(request: HttpRequest, pk: int, pilot_pk: int) -> HttpResponse:
    """Edit the owner's texts about a pilot."""
    return _words_page(request, pk, pilot=own_pilot(request, pk, pilot_pk)[1])


def _words_page(request: HttpRequest, pk: int, unit: Unit | None = None, pilot: Pilot | None = None) -> HttpResponse:
    with edited(request, own_company(request, pk)) as row:
        now = words_of(row, is_own=True, unit=unit.pk if unit else None, pilot=pilot.pk if pilot else None)
        form = WordsForm(request.POST or None, initial={"story": now.story, "notes": now.notes})
        back = page_of(pk, unit, pilot)
        if request.method == "POST" and form.is_valid():
            given = {**form.cleaned_data, "unit": unit, "pilot": pilot}
            if attempt(form, lambda: _kept(words_keep(company=row, by=player(request), **given))):
                messages.success(request, f"Kept what you wrote of {unit or pilot or row}.")
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
    return render(request, "rosters/company_words.html", context, status=422 if form.errors else 200)


def page_of(pk: int, unit: Unit | None, pilot: Pilot | None) -> str:
    """Return the page of the unit, pilot or company."""
    if unit:
        return reverse("rosters:unit", args=[pk, unit.pk])
    return reverse("rosters:pilot", args=[pk, pilot.pk]) if pilot else reverse("rosters:company", args=[pk])


def drawn_for(unit: Unit | None, pilot: Pilot | None) -> Unit | None:
    """Return the unit that is drawn if there is no picture; None for a company, and for a pilot without a unit."""
    return unit or (Unit.objects.filter(pilot=pilot).first() if pilot else None)


def _kept(_: None) -> bool:
    return True
