"""The page of a player's print presets and printers."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from rosters.forms import NameForm
from rosters.models import PrinterProfile, PrintPreset
from rosters.printing.forms import PrinterForm, PrinterSettingsForm
from rosters.printing.orders import printer_order
from rosters.printing.selectors import presets_of, printer_settings, printers_of
from rosters.printing.services import (
    MAX_PRESETS,
    OFFSETS,
    preset_delete,
    preset_rename,
    print_ask,
    printer_delete,
    printer_save,
)
from rosters.printing.view_helpers import asker_of
from rosters.services import RefusedError
from rosters.view_helpers import (
    locked_for_edit,
    player,
    row_id,
    run_and_flash,
    run_for_form,
    run_form_and_flash,
)


@login_required
@require_GET
def presets(request: HttpRequest) -> HttpResponse:
    """List the player's presets and printers, with a form for a new printer, or for the one in `?printer=`."""
    chosen = request.GET.get("printer", "")
    own = player(request)
    row = get_object_or_404(PrinterProfile, pk=row_id(chosen), player=own) if chosen else None
    return _presets_page(request, printer=row)


def _presets_page(
    request: HttpRequest,
    overtaken: tuple[PrintPreset, NameForm] | None = None,
    *,
    printer: PrinterProfile | None = None,
    form: PrinterForm | None = None,
) -> HttpResponse:
    """Show presets, each with a form to rename it, and printers; `overtaken` and `form` are refused forms."""
    rows = presets_of(request.user)
    forms = {row.pk: NameForm(initial={"name": row.name}, auto_id=f"preset-{row.pk}-%s") for row in rows}
    if overtaken:
        forms[overtaken[0].pk] = overtaken[1]
    context = {
        "presets": [(row, forms[row.pk]) for row in rows],
        "max_presets": MAX_PRESETS,
        "printers": printers_of(request.user),
        "printer": printer,
        "form": form or _printer_form(printer),
    }
    return render(request, "rosters/print_presets.html", context, status=422 if overtaken or form else 200)


def _printer_form(row: PrinterProfile | None, data: QueryDict | None = None) -> PrinterForm:
    """Return the form for this printer, or for a new one if `row` is None."""
    if row is None:
        return PrinterForm(data)
    initial = {"name": row.name, "paper": row.paper, "flip": row.flip, "is_default": row.is_default}
    initial |= {field: getattr(row, field) / 10 for field in OFFSETS}
    return PrinterSettingsForm(data, initial=initial)


@login_required
@require_POST
def preset(request: HttpRequest, pk: int) -> HttpResponse:
    """Rename a preset, or (`do` = delete) delete it."""
    with locked_for_edit(request, player(request)) as own:
        row = get_object_or_404(PrintPreset, pk=pk, player=own)
        if request.POST.get("do") == "delete":
            run_and_flash(request, lambda: preset_delete(preset=row, player=own), f"Deleted {row.name}.")
            return redirect("rosters:print-presets")
        form = NameForm(request.POST, initial={"name": row.name}, auto_id=f"preset-{row.pk}-%s")
        if not form.is_valid() and form.is_overtaken:
            return _presets_page(request, (row, form))
        run_form_and_flash(
            request,
            form,
            lambda: preset_rename(preset=row, player=own, name=form.cleaned_data["name"]),
            lambda made: f"Renamed to {made.name}.",
        )
    return redirect("rosters:print-presets")


@login_required
@require_http_methods(["GET", "POST"])
def printers(request: HttpRequest) -> HttpResponse:
    """Add a printer."""
    if request.method == "GET":
        return _redirect_to_printers(request)
    form = _printer_form(None, request.POST)
    return _redirect_to_printers(request) if _saved(request, form, None) else _presets_page(request, form=form)


def _redirect_to_printers(request: HttpRequest) -> HttpResponse:
    return redirect(reverse("rosters:print-presets", query=request.GET, fragment="printers"))


@login_required
@require_http_methods(["GET", "POST"])
def printer(request: HttpRequest, pk: int) -> HttpResponse:
    """Change one printer; `do` = delete deletes it."""
    with locked_for_edit(request, player(request)) as own:
        row = get_object_or_404(PrinterProfile, pk=pk, player=own)
        if request.method == "GET":
            query = {**request.GET.dict(), "printer": pk}
            return redirect(reverse("rosters:print-presets", query=query, fragment="printer"))
        if request.POST.get("do") == "delete":
            run_and_flash(request, lambda: printer_delete(printer=row, player=own), f"Deleted {row.name}.")
            return _redirect_to_printers(request)
        form = _printer_form(row, request.POST)
        if _saved(request, form, row):
            return _redirect_to_printers(request)
    return _presets_page(request, printer=row, form=form)


@login_required
@require_POST
def test_sheet(request: HttpRequest, pk: int) -> HttpResponse:
    """Queue a test sheet of the printer with its saved offsets."""
    row = get_object_or_404(PrinterProfile, pk=pk, player=player(request))
    back = reverse("rosters:print-presets", query={"printer": row.pk})
    try:
        order = printer_order(f"Test sheet of {row.name}", printer_settings(row))
        job = print_ask(order=order, form_path=back, **asker_of(request))
    except RefusedError as error:
        messages.error(request, error.reason)
        return redirect(back)
    return redirect("rosters:print-job", job.key)


def _saved(request: HttpRequest, form: PrinterForm, row: PrinterProfile | None) -> bool:
    if not form.is_valid():
        return False
    fields = form.cleaned_data
    saved = run_for_form(
        form,
        lambda: printer_save(
            player=player(request),
            name=fields["name"],
            paper=fields["paper"],
            flip=fields["flip"],
            offsets={field: fields[field] for field in OFFSETS},
            is_default=fields["is_default"],
            printer=row,
        ),
    )
    if saved is None:
        return False
    messages.success(request, f"Saved {saved.name}.")
    return True
