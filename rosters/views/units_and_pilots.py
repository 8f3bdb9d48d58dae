"""Pages of units and pilots, with their facts, history and actions."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from rosters import hooks, policy, selectors, services
from rosters.appearance.forms import DescriptionForm
from rosters.appearance.selectors import portrait_of, visible_texts
from rosters.appearance.views import save_photo, save_texts
from rosters.designs.selectors import published_as, refits_of
from rosters.forms import AssignForm, NameForm, PilotForm
from rosters.ledger import selectors as ledgers
from rosters.models import Company, Design, Pilot, PilotStatus, UnitStatus
from rosters.printing.screen_cards import card_of_unit
from rosters.printing.selectors import house_rules_of, link_of
from rosters.random_names import pilot_name, unit_name, wants_random_name, with_names
from rosters.shortcuts import own_company, own_pilot, own_unit, visible_company
from rosters.unit_cache import reading_of
from rosters.view_helpers import (
    company_context,
    for_price,
    locked_for_edit,
    player,
    row_id,
    run_and_flash,
    run_form_and_flash,
)
from systems import roster_rules
from systems.pilots import texts_of_pilot
from systems.text import pluralize


@require_GET
def unit(request: HttpRequest, pk: int, unit_pk: int) -> HttpResponse:
    """Show a unit with its data sheet, condition, pilot and ledger."""
    return _unit_page(request, visible_company(request, pk), unit_pk)


def _unit_page(
    request: HttpRequest,
    row: Company,
    pk: int,
    *,
    rename: NameForm | None = None,
    assign: AssignForm | None = None,
    texts: DescriptionForm | None = None,
    photo_refusal: str = "",
) -> HttpResponse:
    """Show the unit's page, with the forms that were refused or on which a name was rolled, if any."""
    sheet = selectors.company_sheet(row)
    found = selectors.unit_of(row, sheet, pk)
    if found is None:
        raise Http404
    words = visible_texts(row, is_own=policy.can_change(request.user, row), unit=pk)
    context = {
        **company_context(request, row, sheet),
        "unit": found,
        "sheet": selectors.unit_sheet(sheet, found),
        "card": card_of_unit(sheet, found, link=link_of(request, row), options=house_rules_of(row, request.user)),
        "rows": ledgers.ledger_of(row, unit=pk),
        "rulebook": roster_rules(row.system, row.catalogue_release).rulebook,
        "rules": roster_rules(row.system, row.catalogue_release),
        "words": words,
        "portrait": portrait_of(row, unit=pk),
        "photo_refusal": photo_refusal,
        "built_as": _published(row, found),
    }
    if context["is_own"] and found.is_ready:
        context["rename"] = rename or NameForm(initial={"name": found.name})
        context["assign"] = assign or AssignForm(sheet=sheet, unit=found)
        context["refits"] = refits_of(player(request), row.system, row.catalogue_release, found)
    if context["is_own"]:
        context["texts_form"] = texts or DescriptionForm(texts=words)
        context["photo_barred"] = hooks.portraits_barred([row.pk]).get(row.pk, "")
    is_refused = any(form is not None and form.errors for form in (rename, assign, texts)) or photo_refusal
    return render(request, "rosters/unit.html", context, status=422 if is_refused else 200)


def _published(company: Company, unit: selectors.UnitRow) -> dict[str, object] | None:
    """Return page and record of the published design with the unit's spec; None if there is no such design."""
    built = reading_of(company.system, unit.spec, {}, company.catalogue_release).spec
    found = published_as(company.system, built)
    if found is None:
        return None
    slug, name = found
    return {
        "name": name,
        "url": reverse("rosters:design_published", args=[company.system, slug]),
        "record": hooks.records_of_designs([company.system]).get((company.system, slug)),
    }


@login_required
@require_http_methods(["GET", "POST"])
def unit_notes(request: HttpRequest, pk: int, unit_pk: int) -> HttpResponse:
    """Save the owner's story and notes about the unit."""
    with locked_for_edit(request, own_company(request, pk)) as row:
        _, found = own_unit(request, pk, unit_pk)
        if request.method == "GET":
            return redirect(reverse("rosters:unit", args=[pk, unit_pk], fragment="texts"))
        refused = save_texts(request, row, unit=found)
    if refused:
        return _unit_page(request, row, unit_pk, texts=refused)
    return redirect("rosters:unit", pk=pk, unit_pk=unit_pk)


@login_required
@require_http_methods(["GET", "POST"])
def unit_portrait(request: HttpRequest, pk: int, unit_pk: int) -> HttpResponse:
    """Upload or remove the unit's photo."""
    row, found = own_unit(request, pk, unit_pk)
    if request.method == "GET":
        return redirect(reverse("rosters:unit", args=[pk, unit_pk], fragment="photo"))
    refusal = save_photo(request, row, unit=found)
    if refusal:
        return _unit_page(request, row, unit_pk, photo_refusal=refusal)
    return redirect("rosters:unit", pk=pk, unit_pk=unit_pk)


@login_required
@require_POST
def unit_rename(request: HttpRequest, pk: int, unit_pk: int) -> HttpResponse:
    """Rename the unit, or roll a random name on the form."""
    with locked_for_edit(request, own_company(request, pk)) as row:
        _, found = own_unit(request, pk, unit_pk)
        if wants_random_name(request):
            rolled = with_names(request.POST, name=unit_name(row))
            return _unit_page(request, row, unit_pk, rename=NameForm(rolled, initial={"name": found.name}))
        form = NameForm(request.POST, initial={"name": found.name})
        if not form.is_valid() and form.is_overtaken and found.status == UnitStatus.READY:
            return _unit_page(request, row, unit_pk, rename=form)
        run_form_and_flash(
            request,
            form,
            lambda: services.unit_rename(company=row, by=player(request), unit=found, **form.cleaned_data),
            lambda unit: f"Renamed to {unit.name}.",
        )
    return redirect("rosters:unit", pk=pk, unit_pk=unit_pk)


@login_required
@require_POST
def unit_assign(request: HttpRequest, pk: int, unit_pk: int) -> HttpResponse:
    """Assign a pilot to the unit, or remove its pilot."""
    with locked_for_edit(request, own_company(request, pk)) as row:
        _, found = own_unit(request, pk, unit_pk)
        sheet = selectors.company_sheet(row)
        unit = sheet.unit(unit_pk)
        if unit is not None:
            form = AssignForm(request.POST, sheet=sheet, unit=unit)
            if not form.is_valid() and form.is_overtaken:
                return _unit_page(request, row, unit_pk, assign=form)
        wanted = request.POST.get("pilot", "")
        pilot = Pilot.objects.filter(company=row, pk=row_id(wanted)).first()
        if wanted and pilot is None:
            messages.error(request, "That pilot isn’t in this company any more. Choose another.")
            return redirect("rosters:unit", pk=pk, unit_pk=unit_pk)
        run_and_flash(
            request,
            lambda: services.pilot_assign(company=row, by=player(request), unit=found, pilot=pilot),
            lambda price: (
                f"{pilot} now pilots {found.name}{for_price(price, row)}." if pilot else f"{found.name} has no pilot."
            ),
            of=row,
        )
    return redirect("rosters:unit", pk=pk, unit_pk=unit_pk)


@login_required
@require_POST
def unit_sell(request: HttpRequest, pk: int, unit_pk: int) -> HttpResponse:
    """Sell the unit."""
    row, found = own_unit(request, pk, unit_pk)
    run_and_flash(
        request,
        lambda: services.unit_sell(company=row, by=player(request), unit=found),
        lambda price: f"Sold {found.name} for {pluralize(price, services.money_of(row))}.",
        of=row,
    )
    return redirect("rosters:company", pk=pk)


@login_required
@require_POST
def unit_repair(request: HttpRequest, pk: int, unit_pk: int) -> HttpResponse:
    """Repair the unit."""
    row, found = own_unit(request, pk, unit_pk)
    run_and_flash(
        request,
        lambda: services.unit_repair(company=row, by=player(request), unit=found),
        lambda price: f"Repaired {found.name} for {pluralize(price, services.money_of(row))}.",
        of=row,
    )
    return redirect("rosters:unit", pk=pk, unit_pk=unit_pk)


@login_required
@require_POST
def unit_refit(request: HttpRequest, pk: int, unit_pk: int) -> HttpResponse:
    """Refit the unit to another design."""
    row, found = own_unit(request, pk, unit_pk)
    chosen = request.POST.get("design", "")
    own = Design.objects.filter(author=player(request), pk=row_id(chosen)).first() if chosen.isdecimal() else None
    run_and_flash(
        request,
        lambda: services.unit_refit(
            company=row, by=player(request), unit=found, published="" if own else chosen, design=own
        ),
        lambda price: f"Refitted {found.name} for {pluralize(price, services.money_of(row))}.",
        of=row,
    )
    return redirect("rosters:unit", pk=pk, unit_pk=unit_pk)


@require_GET
def pilot(request: HttpRequest, pk: int, pilot_pk: int) -> HttpResponse:
    """Show a pilot with their record, and with the ledger entries behind each of its numbers."""
    return _pilot_page(request, visible_company(request, pk), pilot_pk)


def _pilot_page(
    request: HttpRequest,
    row: Company,
    pk: int,
    *,
    rename: PilotForm | None = None,
    texts: DescriptionForm | None = None,
    photo_refusal: str = "",
) -> HttpResponse:
    """Show the pilot's page, with the forms that were refused or on which a name was rolled, if any."""
    sheet = selectors.company_sheet(row)
    member = selectors.pilot_of(row, sheet, pk)
    if member is None:
        raise Http404
    found, record = member
    rows = ledgers.ledger_of(row, pilot=pk)
    words = visible_texts(row, is_own=policy.can_change(request.user, row), pilot=pk)
    context = {
        **company_context(request, row, sheet),
        "pilot": found,
        "rules": roster_rules(row.system, row.catalogue_release),
        "seat": next((unit for unit in sheet.units if found.seat and unit.id == found.seat.id), None),
        "explained": ledgers.explanations(rows, record),
        "rows": rows,
        "service": ledgers.service_record(rows),
        "words": words,
        "portrait": portrait_of(row, pilot=pk),
        "photo_refusal": photo_refusal,
    }
    if context["is_own"] and found.is_on_roll:
        context["rename"] = rename or PilotForm(initial=texts_of_pilot(found))
    if context["is_own"]:
        context["texts_form"] = texts or DescriptionForm(texts=words)
        context["photo_barred"] = hooks.portraits_barred([row.pk]).get(row.pk, "")
    is_refused = any(form is not None and form.errors for form in (rename, texts)) or photo_refusal
    return render(request, "rosters/pilot.html", context, status=422 if is_refused else 200)


@login_required
@require_http_methods(["GET", "POST"])
def pilot_notes(request: HttpRequest, pk: int, pilot_pk: int) -> HttpResponse:
    """Save the owner's story and notes about the pilot."""
    with locked_for_edit(request, own_company(request, pk)) as row:
        _, found = own_pilot(request, pk, pilot_pk)
        if request.method == "GET":
            return redirect(reverse("rosters:pilot", args=[pk, pilot_pk], fragment="texts"))
        refused = save_texts(request, row, pilot=found)
    if refused:
        return _pilot_page(request, row, pilot_pk, texts=refused)
    return redirect("rosters:pilot", pk=pk, pilot_pk=pilot_pk)


@login_required
@require_http_methods(["GET", "POST"])
def pilot_portrait(request: HttpRequest, pk: int, pilot_pk: int) -> HttpResponse:
    """Upload or remove the pilot's photo."""
    row, found = own_pilot(request, pk, pilot_pk)
    if request.method == "GET":
        return redirect(reverse("rosters:pilot", args=[pk, pilot_pk], fragment="photo"))
    refusal = save_photo(request, row, pilot=found)
    if refusal:
        return _pilot_page(request, row, pilot_pk, photo_refusal=refusal)
    return redirect("rosters:pilot", pk=pk, pilot_pk=pilot_pk)


@login_required
@require_POST
def pilot_edit(request: HttpRequest, pk: int, pilot_pk: int) -> HttpResponse:
    """Change the pilot's texts, or roll random ones on the form."""
    with locked_for_edit(request, own_company(request, pk)) as row:
        _, found = own_pilot(request, pk, pilot_pk)
        named = texts_of_pilot(found)
        if wants_random_name(request):
            given = pilot_name(row)
            rolled = with_names(request.POST, name=given.name, callsign=given.callsign)
            return _pilot_page(request, row, pilot_pk, rename=PilotForm(rolled, initial=named))
        form = PilotForm(request.POST, initial=named)
        is_on_roll = found.status in (PilotStatus.ACTIVE, PilotStatus.WOUNDED)
        if not form.is_valid() and form.is_overtaken and is_on_roll:
            return _pilot_page(request, row, pilot_pk, rename=form)
        run_form_and_flash(
            request,
            form,
            lambda: services.pilot_edit(company=row, by=player(request), pilot=found, **form.cleaned_data),
            lambda pilot: f"Renamed to {pilot}.",
        )
    return redirect("rosters:pilot", pk=pk, pilot_pk=pilot_pk)


@login_required
@require_POST
def pilot_retire(request: HttpRequest, pk: int, pilot_pk: int) -> HttpResponse:
    """Retire the pilot."""
    row, found = own_pilot(request, pk, pilot_pk)
    run_and_flash(
        request,
        lambda: services.pilot_retire(company=row, by=player(request), pilot=found),
        lambda pilot: f"{pilot} has retired.",
        of=row,
    )
    return redirect("rosters:company", pk=pk)
