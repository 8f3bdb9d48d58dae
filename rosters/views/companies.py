"""Pages of companies: lists, founding, roster, first steps, cards, ledger, undo, preview image."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from rosters import selectors, services
from rosters.appearance.selectors import company_texts_and_portrait
from rosters.designs.selectors import designs_for_hangar, designs_published
from rosters.documents.company import MAX_BYTES, read_company
from rosters.documents.import_export import company_import as document_import
from rosters.documents.import_export import company_json
from rosters.forms import BuyForm, CloneForm, FoundForm, HireForm, SeatsForm
from rosters.galleries import list_companies
from rosters.ledger import selectors as ledgers
from rosters.models import Company, Design, Unit, Visibility
from rosters.open_graph import PreviewImage, PreviewRow, PreviewUnit, badge_response, preview_response
from rosters.printing.screen_cards import card_of_unit, cards_page
from rosters.printing.selectors import changed_cards, house_rules_of, link_of
from rosters.products import CARD
from rosters.random_names import company_name, pilot_name, wants_random_name, with_names
from rosters.selectors import CompanySheet
from rosters.shortcuts import own_company, visible_company
from rosters.site.exceptions import RefusedError
from rosters.view_helpers import (
    company_context,
    for_price,
    player,
    row_id,
    run_and_flash,
    run_for_form,
    run_form_and_flash,
    searched,
)
from systems import roster_rules, system_choices
from systems.artwork import silhouette
from systems.documents import DocumentError
from systems.legality import join_words
from systems.text import pluralize


@require_GET
def company_picture(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Return the company's preview image with its name, units and results."""
    row = visible_company(request, pk)
    sheet = selectors.company_sheet(row)
    done = f"{sheet.won}-{sheet.drawn}-{sheet.lost_games}" if sheet.won + sheet.drawn + sheet.lost_games else ""
    preview = PreviewImage(
        kicker=f"Company · {sheet.system_name}",
        title=sheet.name,
        units=tuple(PreviewUnit(silhouette(unit.size), unit.name) for unit in sheet.units),
        rows=(PreviewRow(f"{pluralize(len(sheet.units), 'units')}, {pluralize(sheet.value, 'points')}", done),),
        foot=sheet.motto or f"by {sheet.owner}",
        colour=sheet.colour,
    )
    return preview_response(request, preview, is_public=is_everybodys(row))


@require_GET
def company_badge(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the company's badge with its name and its wins, draws and losses."""
    row = visible_company(request, pk)
    sheet = selectors.company_sheet(row)
    results = f"{sheet.won} won, {sheet.drawn} drawn, {sheet.lost_games} lost"
    return badge_response(sheet.name, results, sheet.colour, is_public=is_everybodys(row))


def is_everybodys(company: Company) -> bool:
    """Return whether everybody can see the company; a disbanded one is visible only to its owner."""
    return company.visibility == Visibility.PUBLIC and company.disbanded_at is None


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstStep:
    """A first step for a new company: its name, its progress, and the part of the page where it is done."""

    name: str
    progress: str
    at: str
    is_done: bool
    is_next: bool


def first_steps_of(company: CompanySheet) -> tuple[FirstStep, ...]:
    """Return the first steps of a company; empty if all are done or the company has played."""
    rules = roster_rules(company.system, company.catalogue_release)
    if company.games or company.is_disbanded:
        return ()
    unmanned = sum(unit.is_unmanned for unit in company.units)
    free = sum(pilot.seat is None for pilot in company.pilots)
    found = [("Buy", f"{pluralize(company.balance, company.money)} left", "hangar", bool(company.units))]
    if rules.hire_points:
        lacking = max(0, unmanned - free)
        progress = f"{pluralize(lacking, 'pilots')} to hire" if lacking else pluralize(len(company.pilots), "pilots")
        progress = progress if company.units or company.pilots else "a pilot for each unit"
        found.append(("Hire", progress, "hire", bool(company.units) and not lacking))
        at = "seat-1" if unmanned and free else "units"
        progress = f"{pluralize(unmanned, 'units')} without a pilot" if unmanned else "all assigned"
        found.append(
            ("Assign", progress if company.units else "no units yet", at, bool(company.units) and not unmanned)
        )
    if all(is_done for *_, is_done in found):
        return ()
    first = next(at for at, (*_, is_done) in enumerate(found) if not is_done)
    return tuple(
        FirstStep(name=name, progress=progress, at=at, is_done=is_done, is_next=place == first)
        for place, (name, progress, at, is_done) in enumerate(found)
    )


MAX_LIST_LENGTH = 2000  # characters


@require_GET
def companies(request: HttpRequest) -> HttpResponse:
    """List the player's own companies and public companies of other players."""
    return _companies_page(request)


def _companies_page(request: HttpRequest, refusal: str = "", text: str = "") -> HttpResponse:
    """Show the list; `refusal` is why the document `text` was not imported."""
    search = searched(request)
    page = list_companies(request.user, request.GET, search=search)
    context = {
        "search": search,
        "own": page.own,
        "public": page.public,
        "games": system_choices(),
        "system": request.GET.get("system", ""),
        "sort": request.GET.get("sort", ""),
        "refusal": refusal,
        "text": text,
    }
    return render(request, "rosters/companies.html", context, status=422 if refusal else 200)


@login_required
@require_http_methods(["GET", "POST"])
def company_create(request: HttpRequest) -> HttpResponse:
    """Found a company; a button rolls a random name."""
    if wants_random_name(request):
        rolled = with_names(request.POST, name=company_name(player(request)))
        return render(request, "rosters/company_create.html", {"form": FoundForm(rolled)})
    form = FoundForm(request.POST or None, system=request.GET.get("system", ""))
    if request.method == "POST" and form.is_valid():
        company = run_for_form(form, lambda: services.company_create(owner=player(request), **form.cleaned_data))
        if company:
            return redirect("rosters:company", pk=company.pk)
    return render(request, "rosters/company_create.html", {"form": form}, status=422 if form.errors else 200)


@require_GET
def company(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the company's roster: units, pilots, hangar, balance, problems, newest entries; or another tab (`?show=`)."""
    row = visible_company(request, pk)
    tab = {"cards": _cards_tab, "ledger": _ledger_tab}.get(request.GET.get("show", ""))
    return tab(request, row) if tab else _company_page(request, row)


def _company_page(
    request: HttpRequest,
    row: Company,
    *,
    hire: HireForm | None = None,
    clone: CloneForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the company's page, with the forms that were refused or on which a name was rolled, if any."""
    sheet = selectors.company_sheet(row)
    context = company_context(request, row, sheet) | {"tab": "roster"}
    reasons = sheet.hold_reasons if context["is_own"] else None
    context["latest"], context["undo"] = ledgers.ledger_head(row, sheet.balance, reasons)
    context["gone"] = selectors.gone_of(row, request.GET) if sheet.has_gone else None
    rules = roster_rules(row.system, row.catalogue_release)
    context["words"], context["portrait"] = company_texts_and_portrait(row, is_own=bool(context["is_own"]))
    context["rulebook"], context["rules"] = rules.rulebook, rules
    context["changed_cards"] = changed_cards(sheet, request.user)
    free = next((rules.level_names[slug] for slug, points in rules.hire_points.items() if not points), "")
    context["free_pilots"] = f"{free} pilots are free." if free else ""
    if context["is_own"]:
        context["published"] = designs_published(row.system, row.catalogue_release)
        own = designs_for_hangar(player(request), row.system, row.catalogue_release)
        context["own_designs"] = own
        context["hire"] = hire or HireForm(sheet=sheet, prefix="hire")
        context["seats"] = None if sheet.is_disbanded else SeatsForm(sheet=sheet)
        context["steps"] = first_steps_of(sheet)
    if request.user.is_authenticated:
        context["clone"] = clone or CloneForm(initial={"name": services.copy_name(row.name)}, auto_id="clone-%s")
    is_refused = any(form is not None and form.errors for form in (hire, clone))
    return render(request, "rosters/company.html", context, status=422 if is_refused else status)


def _ledger_tab(request: HttpRequest, row: Company) -> HttpResponse:
    """Show the whole ledger, newest entries first, in pages."""
    sheet = selectors.company_sheet(row)
    context = company_context(request, row, sheet) | {"tab": "ledger"}
    reasons = sheet.hold_reasons if context["is_own"] else None
    context["slice"], context["undo"] = ledgers.ledger_page(row, request.GET, sheet.balance, reasons)
    return render(request, "rosters/company.html", context)


def _cards_tab(request: HttpRequest, row: Company) -> HttpResponse:
    """Show the fronts of the cards of all ready units, page by page."""
    if not CARD.is_made(row.system):
        raise Http404
    sheet = selectors.company_sheet(row)
    units = cards_page(sheet.units, request.GET)
    link, options = link_of(request, row), house_rules_of(row, request.user)
    context = company_context(request, row, sheet) | {"tab": "cards"}
    cards = [
        card_of_unit(
            sheet,
            unit,
            link=link,
            options=options,
            look="front",
            href=f"{reverse('rosters:unit', args=[row.pk, unit.id])}{context['key_query']}",
        )
        for unit in units
    ]
    return render(request, "rosters/company.html", {**context, "slice": units, "cards": cards})


@require_GET
def company_ledger(request: HttpRequest, pk: int) -> HttpResponse:
    """Redirect to the ledger, a tab of the company's page."""
    return _redirect_to_tab(request, pk, "ledger")


@require_GET
def company_cards(request: HttpRequest, pk: int) -> HttpResponse:
    """Redirect to the cards, a tab of the company's page."""
    return _redirect_to_tab(request, pk, "cards")


def _redirect_to_tab(request: HttpRequest, pk: int, tab: str) -> HttpResponse:
    query = request.GET.copy()
    query["show"] = tab
    return redirect(reverse("rosters:company", args=[visible_company(request, pk).pk], query=query))


@login_required
@require_http_methods(["GET", "POST"])
def company_undo(request: HttpRequest, pk: int) -> HttpResponse:
    """Undo the last act, which the company's page shows."""
    row = own_company(request, pk)
    act = _uuid(request.POST.get("act", ""))
    if act is None:
        if request.method == "POST":
            messages.error(request, "Check what would be undone first, then confirm.")
        return redirect(reverse("rosters:company", args=[pk], query=request.GET, fragment="undo"))
    run_and_flash(
        request,
        lambda: services.undo_last_act(company=row, by=player(request), act=act),
        lambda entries: f"Undone: {len(entries)} ledger {'entry' if len(entries) == 1 else 'entries'} reversed.",
    )
    return redirect("rosters:company", pk=pk)


@login_required
@require_http_methods(["GET", "POST"])
def company_clone(request: HttpRequest, pk: int) -> HttpResponse:
    """Copy a visible company as a new company of the player's own."""
    row = visible_company(request, pk)
    if request.method == "GET":
        return redirect(reverse("rosters:company", args=[pk], query=request.GET, fragment="clone"))
    form = CloneForm(request.POST, auto_id="clone-%s")
    if form.is_valid():
        clone = run_for_form(
            form, lambda: services.company_clone(company=row, owner=player(request), **form.cleaned_data)
        )
        if clone:
            messages.success(request, f"Created {clone.name}.")
            return redirect("rosters:company", pk=clone.pk)
    return _company_page(request, row, clone=form)


@login_required
@require_POST
def company_disband(request: HttpRequest, pk: int) -> HttpResponse:
    """Disband the company; it then disappears from all lists."""
    row = own_company(request, pk)
    run_and_flash(
        request,
        lambda: services.company_disband(company=row, by=player(request)),
        f"{row.name} is disbanded. You can undo this.",
    )
    return redirect("rosters:company", pk=pk)


@require_GET
def company_export(request: HttpRequest, pk: int) -> HttpResponse:
    """Download the company as a document."""
    row = visible_company(request, pk)
    response = HttpResponse(company_json(row), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="company-{row.pk}.json"'
    return response


@login_required
@require_http_methods(["GET", "POST"])
def company_import(request: HttpRequest) -> HttpResponse:
    """Import a company/1 document, from a file or as text, as a company of the player's own."""
    if request.method == "GET":
        return redirect(reverse("rosters:companies", query=request.GET, fragment="import"))
    file, text = request.FILES.get("file"), request.POST.get("text", "")
    try:
        document = read_company(file.read(MAX_BYTES + 1) if file else text)
        row = document_import(owner=player(request), document=document, by=player(request))
    except (DocumentError, RefusedError) as error:
        return _companies_page(request, str(error), text)
    messages.success(request, f"Imported {row.name} with its full ledger.")
    return redirect("rosters:company", pk=row.pk)


@login_required
@require_POST
def unit_buy(request: HttpRequest, pk: int) -> HttpResponse:
    """Buy a unit of one design from the hangar, or all units of a list (`list`)."""
    row = own_company(request, pk)
    if "list" in request.POST:
        return _list_buy(request, row)
    form = BuyForm(request.POST)

    def buy() -> Unit:
        by, (kind, _, key) = player(request), form.cleaned_data["what"].partition(":")
        design = Design.objects.filter(author=by, pk=row_id(key)).first() if kind == "own" else None
        published = key if kind == "published" else ""
        name = form.cleaned_data["name"]
        return services.unit_buy(company=row, by=by, published=published, design=design, name=name)

    run_form_and_flash(request, form, buy, lambda unit: f"Bought {unit.name}.", of=row)
    return redirect("rosters:company", pk=pk)


def _list_buy(request: HttpRequest, row: Company) -> HttpResponse:
    text = request.POST["list"][:MAX_LIST_LENGTH]
    bought = run_and_flash(
        request,
        lambda: services.units_buy_list(company=row, by=player(request), text=text),
        lambda units: f"Bought {join_words([unit.name for unit in units])}.",
    )
    return redirect("rosters:company", pk=row.pk) if bought else _company_page(request, row, status=422)


@login_required
@require_POST
def pilot_hire(request: HttpRequest, pk: int) -> HttpResponse:
    """Hire a pilot, or roll a random name on the form."""
    row = own_company(request, pk)
    sheet = selectors.company_sheet(row)
    if wants_random_name(request):
        given = pilot_name(row)
        rolled = with_names(request.POST, "hire", name=given.name, callsign=given.callsign)
        return _company_page(request, row, hire=HireForm(rolled, sheet=sheet, prefix="hire"))
    form = HireForm(request.POST, sheet=sheet, prefix="hire")
    if not form.is_valid():
        return _company_page(request, row, hire=form)
    wanted = form.cleaned_data
    unit = row.units.filter(pk=int(wanted["unit"])).first() if wanted.get("unit") else None
    for_unit = f" for {unit.name}" if unit else ""
    hired = run_and_flash(
        request,
        lambda: services.pilot_hire(company=row, by=player(request), **{**wanted, "unit": unit}),
        lambda pilot: f"Hired {pilot}{for_unit}.",
        of=row,
        form=form,
    )
    return redirect("rosters:company", pk=pk) if hired else _company_page(request, row, hire=form)


@login_required
@require_POST
def pilots_seat(request: HttpRequest, pk: int) -> HttpResponse:
    """Assign free pilots to units without a pilot."""
    row = own_company(request, pk)
    form = SeatsForm(request.POST, sheet=selectors.company_sheet(row))

    def seat() -> int:
        chosen = form.seats()
        units, pilots = (
            row.units.in_bulk([unit for unit, _ in chosen]),
            row.pilots.in_bulk([each for _, each in chosen]),
        )
        seats = [(units[unit], pilots[pilot]) for unit, pilot in chosen]
        return services.pilots_assign(company=row, by=player(request), seats=seats)

    def describe(price: int) -> str:
        chosen = [(form.units[str(unit)], form.pilots[str(pilot)]) for unit, pilot in form.seats()]
        if len(chosen) == 1:
            ((unit, pilot),) = chosen
            return f"{pilot.full_name} now pilots {unit.name}{for_price(price, row)}."
        return f"{len(chosen)} pilots assigned{for_price(price, row)}."

    run_form_and_flash(request, form, seat, describe, of=row)
    return redirect("rosters:company", pk=pk)


def _uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None
