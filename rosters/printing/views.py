"""Pages of the print shop: the print form of a company, a print and its file, cards on the screen."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import cast

from django.conf import settings
from django.contrib import messages
from django.forms.boundfield import BoundWidget
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from rosters import selectors
from rosters.jobs import JobStatus
from rosters.models import Company, Player, PrintJob, PrintPreset
from rosters.paper.documents import subject_of
from rosters.policy import asked_by
from rosters.printing import selectors as reads
from rosters.printing.forms import CompanyPrintForm, choice_initial
from rosters.printing.orders import CompanyChoice, CompanyPrint, free_pilots
from rosters.printing.selectors import Change, made_print
from rosters.printing.services import order_of, preset_save, print_accessible, print_again, print_ask, print_cancel
from rosters.printing.view_helpers import (
    asked,
    asker_of,
    earlier_job,
    form_path,
    refuse,
    sheet_counts,
    usual_settings,
    with_key,
)
from rosters.selectors import UnitRow
from rosters.services import RefusedError
from rosters.shortcuts import visible_company, visible_print
from rosters.site.forms import mark_of
from rosters.site.retention import ExplainedNotFoundError, print_gone, print_kept_until
from rosters.view_helpers import company_context, row_id
from systems import roster_rules
from systems.documents import DocumentError

MOVES = {"up": -1, "down": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitLine:
    """A unit in the printing order."""

    unit: UnitRow
    is_chosen: bool
    breaks: bool  # whether a new sheet starts after it
    change: Change | None  # None if no product that shows it is chosen

    @property
    def description(self) -> str:
        """The unit's design and pilot, shown beside its name."""
        design = self.unit.design_name if self.unit.design_name != self.unit.name else ""
        return ", ".join(filter(None, (design, self.unit.pilot.name if self.unit.pilot else "")))


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotLine:
    """A pilot without a unit, on the print page."""

    box: BoundWidget
    change: Change | None  # None if no pilot cards are chosen


class Desk:
    """The data of a company's print page."""

    def __init__(self, request: HttpRequest, row: Company) -> None:
        self.request, self.row = request, row
        self.sheet = selectors.company_sheet(row)
        self.printers = reads.printers_of(request.user)
        self.support = reads.rolled_support(row, request.user)
        self.pilots = free_pilots(self.sheet)

    def form(self, data: QueryDict | None = None, choice: CompanyChoice | None = None) -> CompanyPrintForm:
        initial = choice_initial(choice, self.ids, [each.id for each in self.pilots], self.printers) if choice else {}
        return CompanyPrintForm(
            data,
            company=self.sheet,
            support=self.support,
            pilots=[(each.id, each.full_name) for each in self.pilots],
            printers=self.printers,
            initial=initial,
        )

    @property
    def ids(self) -> list[int]:
        return [unit.id for unit in self.sheet.units]

    def order(self, first: Sequence[int]) -> list[int]:
        """Return the IDs of all units: these first, then the others in the roster's order."""
        return list(dict.fromkeys([*(pk for pk in first if pk in set(self.ids)), *self.ids]))

    def print_of(self, choice: CompanyChoice) -> CompanyPrint:
        return made_print(self.request, self.row, self.sheet, choice, list(self.support))

    def options(self, choice: CompanyChoice) -> dict[str, object]:
        """Return the choice's house rules, without those that this company's game doesn't have."""
        if choice.options is None:
            return reads.house_rules_of(self.row, self.request.user)
        known = roster_rules(self.row.system).house_rules
        return {slug: value for slug, value in choice.options.items() if slug in known}

    def lines(self, form: CompanyPrintForm, order: Sequence[int], changes: dict[str, Change]) -> list[UnitLine]:
        chosen, breaks = set(form["units"].value() or ()), set(form["breaks"].value() or ())
        units = {unit.id: unit for unit in self.sheet.units}
        return [
            UnitLine(
                unit=units[pk],
                is_chosen=str(pk) in chosen,
                breaks=str(pk) in breaks,
                change=changes.get(subject_of(pk)),
            )
            for pk in order
        ]

    def pilot_lines(self, form: CompanyPrintForm, changes: dict[str, Change]) -> list[PilotLine]:
        boxes = zip(self.pilots, form["pilots"], strict=True)
        return [PilotLine(box=box, change=changes.get(subject_of(pilot=pilot.id))) for pilot, box in boxes]


@require_http_methods(["GET", "POST"])
def company_prints(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the print page. A POST prints, counts sheets, moves or ticks units, or saves a preset, depending on `do`."""
    desk = Desk(request, visible_company(request, pk))
    if request.method == "POST":
        return _posted(request, desk)
    taken = _start(request, desk)
    for note in taken.notes:
        messages.info(request, note)
    order = desk.order(taken.choice.units or ())
    return _company_page(request, desk, desk.form(choice=taken.choice), order, taken.choice)


def _posted(request: HttpRequest, desk: Desk) -> HttpResponse:
    data = request.POST.copy()
    do, _, of = data.get("do", "print").partition(":")
    order = desk.order([row_id(text) for text in data.getlist("order")[:2000]])
    if do in MOVES:
        _move(order, row_id(of), MOVES[do])
    elif do in ("all", "none"):
        data.setlist("units", [str(each) for each in order] if do == "all" else [])
        data.setlist("pilots", [str(each.id) for each in desk.pilots] if do == "all" else [])
    elif do == "size":
        data["card"] = of
    form = desk.form(data)
    choice = form.choice(order) if form.is_valid() else None
    if do == "changed" and choice:
        whole = choice.model_copy(update={"units": tuple(order), "pilots": None})
        choice = reads.only_changed(whole, reads.changes_of(desk.sheet, whole, request.user))
        data.setlist("units", [str(each) for each in choice.units or ()])
        data.setlist("pilots", [str(each) for each in choice.pilots or ()])
        form = desk.form(data)
        form.is_valid()
    if do == "count":
        counts = sheet_counts(lambda: desk.print_of(choice).order) if choice else None
        return render(request, "rosters/_print_count.html", {"form": form, "counts": counts})
    if choice and do in ("save", "update") and (answer := _keep(request, desk, form, choice, do)):
        return answer
    if choice and do == "print" and (job := _ask(request, desk, form, choice)):
        return redirect(with_key(request, reverse("rosters:print-job", args=[job.key])))
    is_refused = form.errors and do in ("print", "save", "update", "size")
    return _company_page(request, desk, form, order, choice, status=422 if is_refused else 200)


def _move(order: list[int], pk: int, by: int) -> None:
    """Move a unit one place up or down, if possible."""
    at = order.index(pk) if pk in order else -1
    if at >= 0 and 0 <= at + by < len(order):
        order[at], order[at + by] = order[at + by], order[at]


def _ask(request: HttpRequest, desk: Desk, form: CompanyPrintForm, choice: CompanyChoice) -> PrintJob | None:
    def make() -> PrintJob:
        made = desk.print_of(choice)
        return print_ask(
            order=made.order,
            company=desk.row,
            choice=choice.model_dump(mode="json"),
            form_path=form_path(request),
            subjects=made.subjects,
            **asker_of(request),
        )

    return asked(form, make)


def _keep(
    request: HttpRequest, desk: Desk, form: CompanyPrintForm, choice: CompanyChoice, do: str
) -> HttpResponse | None:
    """Save the choice as a new preset, or in the preset that the page was opened with; return None if it is refused."""
    if not isinstance(request.user, Player):
        form.add_error(None, "Sign in to save presets.")
        return None
    preset = None
    name = form.cleaned_data["preset_name"]
    if do == "update":
        preset = reads.preset_of(request.user, row_id(request.GET.get("preset", "")))
        if preset is None:
            form.add_error(None, "That preset no longer exists. Save this as a new one.")
            return None
        name = preset.name
        if reason := _overtaken(form, preset, choice):
            form.add_error(None, reason)
            return None
    of = desk.row if form.cleaned_data["with_units"] else None
    if choice.options == reads.house_rules_of(desk.row, request.user):
        choice = choice.model_copy(update={"options": None})  # the preset will use the company's current rules
    try:
        row = preset_save(player=request.user, name=name, choice=choice, company=of, preset=preset)
    except RefusedError as error:
        refuse(form, error)
        return None
    messages.success(request, f"Saved {row.name}.")
    return redirect(f"{request.path}?preset={row.pk}")


def _start(request: HttpRequest, desk: Desk) -> reads.Taken:
    """Return the initial choice of the page: from a preset, from an earlier print, or the defaults."""
    usual = CompanyChoice(settings=usual_settings(request, desk.printers))
    taken = reads.Taken(choice=usual)
    if wanted := request.GET.get("preset", ""):
        preset = reads.preset_of(request.user, row_id(wanted))
        missing = "That preset isn't one of yours, so these are the defaults."
        taken = reads.preset_taken(preset, desk.sheet) if preset else reads.Taken(choice=usual, notes=(missing,))
    elif "from" in request.GET:
        before = earlier_job(request)
        if before is not None and before.company_id == desk.row.pk:
            taken = reads.choice_taken(before.choice, desk.sheet)
    choice = taken.choice
    choice = choice.model_copy(update={"options": desk.options(choice)})
    if request.GET.get("medium") == "screen":
        choice = choice.model_copy(update={"settings": choice.settings.model_copy(update={"medium": "screen"})})
    if request.GET.get("only") == "changed" or choice.only == "changed":
        choice = reads.only_changed(choice, reads.changes_of(desk.sheet, choice, request.user))
    return reads.Taken(choice=choice, notes=taken.notes)


def _overtaken(form: CompanyPrintForm, preset: PrintPreset, choice: CompanyChoice) -> str:
    """Return a warning if the preset was changed since the page was opened, else an empty string.

    The warning is given once; saving again overwrites the preset.
    """
    now, data = mark_of(preset.choice), cast("QueryDict", form.data)
    if data.get("read", now) == now:
        return ""
    data["read"] = now
    others = ", ".join(
        name for name, value in choice.model_dump(mode="json").items() if preset.choice.get(name) != value
    )
    what = f" ({others})" if others else ""
    return f"“{preset.name}” has changed since you opened this page{what}. Press Overwrite again to replace it."


def _company_page(
    request: HttpRequest,
    desk: Desk,
    form: CompanyPrintForm,
    order: Sequence[int],
    choice: CompanyChoice | None,
    status: int = 200,
) -> HttpResponse:
    changes = reads.changes_of(desk.sheet, choice, request.user) if choice and choice.of_units else {}
    presets = reads.presets_of(request.user)
    begun = next((each for each in presets if str(each.pk) == request.GET.get("preset")), None)
    shared = company_context(request, desk.row, desk.sheet)
    context: dict[str, object] = {
        **shared,
        "name": desk.row.name,
        "back_url": f"{reverse('rosters:company', args=[desk.row.pk])}{shared['key_query']}",
        "back_to": "the company",
        "list_url": reverse("rosters:companies"),
        "list_name": "Companies",
        "kicker": desk.sheet.system_name,
        "lead": "Choose what to print. The defaults suit most people.",
        "with_copies": True,
        "form": form,
        "lines": desk.lines(form, order, changes),
        "pilot_lines": desk.pilot_lines(form, changes),
        "has_printed": any(not change.is_new for change in changes.values()),
        "changed": sum(change.differs for change in changes.values()),
        "counts": sheet_counts(lambda: desk.print_of(choice).order) if choice else None,
        "support": desk.support,
        "printers": desk.printers,
        "presets": presets,
        "preset": begun,
        "read": form.data.get("read") or (mark_of(begun.choice) if begun else ""),
    }
    return render(request, "rosters/print.html", context, status=status)


PICTURES_WITHIN = timedelta(seconds=90)  # how long after a print's end the page waits for previews


@require_GET
def print_job(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Show a print and its progress, at a permanent address. htmx requests only the part that changes."""
    row = visible_print(request, key)
    suffix = with_key(request, "")
    order = order_of(row)
    again = f"{row.form_path}{'&' if '?' in row.form_path else '?'}from={row.key}" if row.form_path else ""
    pictures = [reverse("rosters:print-preview", args=[key, at + 1]) + suffix for at in range(row.previews or 0)]
    context = {
        "job": row,
        "order": order,
        "counts": sheet_counts(lambda: order),
        "is_over": row.is_over and not _awaits_pictures(row),
        "kept_until": print_kept_until(row),
        "is_gone": row.status == JobStatus.DONE and not row.file,
        "keep_days": settings.KEEP_PRINTS_DAYS,
        "may_call_off": not row.is_over and asked_by(row, **asker_of(request)),
        "link": request.build_absolute_uri(request.path) + suffix,
        "file_url": reverse("rosters:print-file", args=[key]) + suffix,
        "pictures": pictures,
        "again_url": with_key(request, again) if again else "",
        "progress_url": request.path + suffix,
        "suffix": suffix,
    }
    is_part = request.htmx and request.htmx.target == "job"  # type: ignore[attr-defined]
    return render(request, "rosters/_print_job.html" if is_part else "rosters/print_job.html", context)


@require_GET
def print_job_file(request: HttpRequest, key: uuid.UUID) -> HttpResponse | FileResponse:
    """Return the PDF of a finished print; 410 if it is no longer kept."""
    row = _done(request, key)
    if not row.file:
        page = with_key(request, reverse("rosters:print-job", args=[key]))
        raise ExplainedNotFoundError(print_gone(), status=410, page=page)
    if not row.file.storage.exists(str(row.file.name)):
        raise Http404
    chosen = order_of(row).settings
    kind = "screen" if chosen.medium == "screen" else chosen.paper
    name = f"{slugify(row.title) or 'muster'}-{kind}.pdf"
    response = FileResponse(row.file.open("rb"), content_type="application/pdf", filename=name)
    response["Cache-Control"] = "private, max-age=3600"
    return response


@require_GET
def print_job_preview(request: HttpRequest, key: uuid.UUID, number: int) -> HttpResponse | FileResponse:
    """Return a page of the PDF as an image."""
    row = _done(request, key)
    name = row.preview_name(number)
    if not 1 <= number <= (row.previews or 0) or not row.file.storage.exists(name):
        raise Http404
    response = FileResponse(row.file.storage.open(name, "rb"), content_type="image/webp")
    response["Cache-Control"] = "private, max-age=86400"
    return response


@require_POST
def print_job_cancel(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    row = visible_print(request, key)
    try:
        if not print_cancel(job=row, **asker_of(request)):
            messages.info(request, "The print was already finished.")
    except RefusedError as error:
        messages.error(request, error.reason)
    return redirect(with_key(request, reverse("rosters:print-job", args=[key])))


@require_POST
def print_job_repeat(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Print an order again that failed or was cancelled, or whose file is no longer kept."""
    return _another(request, key, print_again)


@require_POST
def print_job_accessible(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Print an order again for screens and screen readers."""
    return _another(request, key, print_accessible)


def _another(request: HttpRequest, key: uuid.UUID, ask: Callable[..., PrintJob]) -> HttpResponse:
    """Request another print and redirect to it; if it is refused, redirect back to this one with the error."""
    row = visible_print(request, key)
    try:
        row = ask(job=row, **asker_of(request))
    except (RefusedError, DocumentError) as error:
        messages.error(request, error.reason)
    return redirect(with_key(request, reverse("rosters:print-job", args=[row.key])))


def _done(request: HttpRequest, key: uuid.UUID) -> PrintJob:
    row = visible_print(request, key)
    if row.status != JobStatus.DONE:
        raise Http404
    return row


def _awaits_pictures(row: PrintJob) -> bool:
    """Return whether a finished print's previews may still be being drawn."""
    if row.status != JobStatus.DONE or row.previews is not None or row.ended_at is None:
        return False
    return timezone.now() - row.ended_at < PICTURES_WITHIN
