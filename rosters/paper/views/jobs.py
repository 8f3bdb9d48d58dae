"""A print: its progress, previews of its pages, its file, and printing it again."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_POST

from rosters.jobs import JobStatus
from rosters.models import PrintJob
from rosters.paper.services.prints import order_of, print_accessible, print_again, print_call_off
from rosters.policy import asked_by
from rosters.rows import seen_print
from rosters.services import RefusedError
from rosters.site.keeping import NotKeptError, print_gone, print_kept_until
from systems.documents import DocumentError

from ._parts import asker_of, sheet_counts, with_key

PICTURES_WITHIN = timedelta(seconds=90)  # after a print's end; later the page no longer waits for previews


@require_GET
def print_job(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Show the progress of a print, under a permanent link. htmx requests only the part that changes."""
    row = seen_print(request, key)
    suffix = with_key(request, "")
    order = order_of(row)
    again = f"{row.form_path}{'&' if '?' in row.form_path else '?'}from={row.key}" if row.form_path else ""
    pictures = [reverse("rosters:print-picture", args=[key, at + 1]) + suffix for at in range(row.previews or 0)]
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
    """Return the PDF, once it is drawn."""
    row = _done(request, key)
    if not row.file:
        page = with_key(request, reverse("rosters:print-job", args=[key]))
        raise NotKeptError(print_gone(), status=410, page=page)
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
    row = seen_print(request, key)
    try:
        if not print_call_off(job=row, **asker_of(request)):
            messages.info(request, "The print was over already.")
    except RefusedError as error:
        messages.error(request, error.reason)
    return redirect(with_key(request, reverse("rosters:print-job", args=[key])))


@require_POST
def print_job_repeat(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Draw the same order again: one that failed or was cancelled, or whose file is no longer kept."""
    return _another(request, key, print_again)


@require_POST
def print_job_accessible(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Print the same order for screens and screen readers."""
    return _another(request, key, print_accessible)


def _another(request: HttpRequest, key: uuid.UUID, ask: Callable[..., PrintJob]) -> HttpResponse:
    """Redirect to the requested print, or back to this one with the error."""
    row = seen_print(request, key)
    try:
        row = ask(job=row, **asker_of(request))
    except (RefusedError, DocumentError) as error:
        messages.error(request, error.reason)
    return redirect(with_key(request, reverse("rosters:print-job", args=[row.key])))


def _done(request: HttpRequest, key: uuid.UUID) -> PrintJob:
    row = seen_print(request, key)
    if row.status != JobStatus.DONE:
        raise Http404
    return row


def _awaits_pictures(row: PrintJob) -> bool:
    """Return whether a finished print's previews may still be on their way."""
    if row.status != JobStatus.DONE or row.previews is not None or row.ended_at is None:
        return False
    return timezone.now() - row.ended_at < PICTURES_WITHIN
