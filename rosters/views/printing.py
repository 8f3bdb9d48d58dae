"""Pages of the print shop: what to print of a company or a design, the job's progress, its file."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods

from rosters import selectors
from rosters.documents import DocumentError
from rosters.forms_printing import CompanyPrintForm, PrintForm
from rosters.jobs import JobStatus
from rosters.lab import lab_of
from rosters.models import Company, Player, PrintJob
from rosters.policy import can_see
from rosters.printing import read_units
from rosters.printing.on_screen import screen_pages
from rosters.printing.prints import company_units, design_unit
from rosters.rows import seen_company, seen_design
from rosters.services import RefusedError
from rosters.services.printing import print_ask
from rosters.systems import SYSTEMS
from rosters.visitors import visitor_mark

from ._parts import company_context


@require_http_methods(["GET", "POST"])
def company(request: HttpRequest, pk: int) -> HttpResponse:
    """Which units of a company to print, and how."""
    row = seen_company(request, pk)
    sheet = selectors.company_sheet(row)
    form = CompanyPrintForm(request.POST or None, units=sheet.units, initial={"paper": _paper(request)})
    job = None
    if request.method == "POST" and form.is_valid():
        chosen = {int(pk) for pk in form.cleaned_data["units"]}
        units = company_units(sheet, chosen, with_damage=form.cleaned_data["damage"])
        job = _ask(request, form, units, title=row.name, company=row)
    if job:
        return redirect(_with_key(request, reverse("rosters:print-job", args=[job.key])))
    context = {**company_context(request, row, sheet), "form": form}
    return render(request, "rosters/print_company.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
def design_published(request: HttpRequest, system: str, slug: str) -> HttpResponse:
    """A published design on paper."""
    if system not in SYSTEMS or slug not in SYSTEMS[system].published:
        raise Http404
    card = selectors.design_published(system, slug)
    back = reverse("rosters:design_published", args=[system, slug])
    return _design(request, card.system, card.name, card.spec, back)


@require_http_methods(["GET", "POST"])
def design(request: HttpRequest, pk: int) -> HttpResponse:
    """A player's design on paper."""
    row = seen_design(request, pk)
    return _design(request, row.system, row.name, row.spec, _with_key(request, reverse("rosters:design", args=[pk])))


@require_http_methods(["GET", "POST"])
def lab(request: HttpRequest) -> HttpResponse:
    """The build in the lab's URL on paper."""
    bench = lab_of(request.GET)
    return _design(request, bench.system, bench.name, bench.spec, f"{reverse('rosters:lab')}?{bench.query}")


@require_GET
def job(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """How far a print is; its link stays. htmx asks for the changing part alone."""
    row = _seen_job(request, key)
    suffix = _with_key(request, "")
    context = {
        "job": row,
        "is_over": row.status not in (JobStatus.QUEUED, JobStatus.RUNNING),
        "link": request.build_absolute_uri(request.path) + suffix,
        "file_url": reverse("rosters:print-file", args=[key]) + suffix,
        "page_url": reverse("rosters:print-page", args=[key]) + suffix,
        "again_url": reverse("rosters:print-company", args=[row.company_id]) + suffix if row.company_id else "",
        "progress_url": request.path + suffix,
    }
    is_part = request.htmx and request.htmx.target == "job"  # type: ignore[attr-defined]
    return render(request, "rosters/_print_job.html" if is_part else "rosters/print_job.html", context)


@require_GET
def file(request: HttpRequest, key: uuid.UUID) -> HttpResponse | FileResponse:
    """The PDF, once it is drawn."""
    row = _seen_job(request, key)
    if row.status != JobStatus.DONE or not row.file.name or not row.file.storage.exists(row.file.name):
        raise Http404
    name = f"{slugify(row.title) or 'muster'}-{row.kind}-{row.paper}.pdf"
    response = FileResponse(row.file.open("rb"), content_type="application/pdf", filename=name)
    response["Cache-Control"] = "private, max-age=3600"
    return response


# Laid out as on paper, place by place. The decorator's types know views without arguments only.
@csp_update({"style-src": [SELF, UNSAFE_INLINE], "img-src": [SELF, "data:"]})  # type: ignore[arg-type]
@require_GET
def page(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """The same cards or sheets as a page for the browser's own print, where the machine can't draw PDF."""
    row = _seen_job(request, key)
    shown = screen_pages(read_units(row.content), row.kind, row.paper)
    return render(request, "print/on_screen.html", {"job": row, "shown": shown})


def _design(request: HttpRequest, system: str, name: str, spec: Mapping[str, Any], back: str) -> HttpResponse:
    form = PrintForm(request.POST or None, initial={"paper": _paper(request)})
    row = None
    if request.method == "POST" and form.is_valid():
        row = _ask(request, form, [design_unit(system, name, spec)] * form.cleaned_data["copies"], title=name)
    if row:
        return redirect("rosters:print-job", key=row.key)
    context = {"form": form, "name": name, "back_url": back, "system": SYSTEMS[system]}
    return render(request, "rosters/print_design.html", context, status=422 if form.errors else 200)


def _ask(
    request: HttpRequest,
    form: PrintForm | CompanyPrintForm,
    units: Sequence[Mapping[str, Any]],
    *,
    title: str,
    company: Company | None = None,
) -> PrintJob | None:
    """The queued job; None if it was refused, with the reason on the form."""
    fields = form.cleaned_data
    try:
        return print_ask(
            units=units,
            kind=fields["kind"],
            paper=fields["paper"],
            duplex=fields["duplex"],
            title=title,
            company=company,
            actor=request.user if isinstance(request.user, Player) else None,
            visitor=visitor_mark(request),
        )
    except (RefusedError, DocumentError) as error:
        field = error.field if isinstance(error, RefusedError) and error.field in form.fields else None
        form.add_error(field, error.reason)
        return None


def _seen_job(request: HttpRequest, key: uuid.UUID) -> PrintJob:
    """The print if it is the visitor's own, of a company he may see, or of nobody's: its key is the secret then."""
    row = PrintJob.objects.select_related("company").filter(key=key).first()
    if row is None:
        raise Http404
    is_own = request.user.is_authenticated and row.asked_by_id == request.user.pk
    if row.company is not None:
        is_seen = can_see(request.user, row.company, request.GET.get("key", ""))
    else:
        is_seen = row.asked_by_id is None
    if not is_own and not is_seen:
        raise Http404
    return row


def _paper(request: HttpRequest) -> str:
    return request.user.paper if isinstance(request.user, Player) else "a4"


def _with_key(request: HttpRequest, url: str) -> str:
    """The URL, with the key of a shared link if the visitor came with one."""
    try:
        return f"{url}?key={uuid.UUID(request.GET['key'])}"
    except (KeyError, ValueError):
        return url
