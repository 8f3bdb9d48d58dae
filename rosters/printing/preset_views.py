"""Pages of a player's print presets and printers."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
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
    run_and_flash,
    run_for_form,
    run_form_and_flash,
)


@login_required
@require_GET
def presets(request: HttpRequest) -> HttpResponse:
    """List the player's presets and printers, with a form for a new printer."""
    return _presets_page(request)


def _presets_page(
    request: HttpRequest,
    overtaken: tuple[PrintPreset, NameForm] | None = None,
    new_printer: PrinterForm | None = None,
) -> HttpResponse:
    """Show presets, each with a form to rename it, and printers; `overtaken` and `new_printer` are refused forms."""
    rows = presets_of(request.user)
    forms = {row.pk: NameForm(initial={"name": row.name}, auto_id=f"preset-{row.pk}-%s") for row in rows}
    if overtaken:
        forms[overtaken[0].pk] = overtaken[1]
    context = {
        "presets": [(row, forms[row.pk]) for row in rows],
        "max_presets": MAX_PRESETS,
        "printers": printers_of(request.user),
        "form": new_printer or PrinterForm(),
    }
    return render(request, "rosters/print_presets.html", context, status=422 if overtaken or new_printer else 200)


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
    form = PrinterForm(request.POST)
    return _redirect_to_printers(request) if _saved(request, form, None) else _presets_page(request, new_printer=form)


def _redirect_to_printers(request: HttpRequest) -> HttpResponse:
    return redirect(reverse("rosters:print-presets", query=request.GET, fragment="printers"))


@login_required
@require_http_methods(["GET", "POST"])
def printer(request: HttpRequest, pk: int) -> HttpResponse:
    """Show or change one printer; `do` = delete deletes it."""
    with locked_for_edit(request, player(request)) as own:
        row = get_object_or_404(PrinterProfile, pk=pk, player=own)
        if request.POST.get("do") == "delete":
            run_and_flash(request, lambda: printer_delete(printer=row, player=own), f"Deleted {row.name}.")
            return _redirect_to_printers(request)
        initial = {"name": row.name, "paper": row.paper, "flip": row.flip, "is_default": row.is_default}
        initial |= {field: getattr(row, field) / 10 for field in OFFSETS}
        form = PrinterSettingsForm(request.POST if request.method == "POST" else None, initial=initial)
        if request.method == "POST" and _saved(request, form, row):
            return _redirect_to_printers(request)
    context = {"printer": row, "form": form}
    return render(request, "rosters/print_printer.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def test_sheet(request: HttpRequest, pk: int) -> HttpResponse:
    """Queue a test sheet of the printer with its saved offsets."""
    row = get_object_or_404(PrinterProfile, pk=pk, player=player(request))
    back = reverse("rosters:print-printer", args=[row.pk])
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
