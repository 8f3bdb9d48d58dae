"""The archive of a player's data: request it, follow its progress, and download it; only for the player."""

from __future__ import annotations

import uuid

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from rosters.doors.proof import SENSITIVE
from rosters.jobs import JobStatus
from rosters.models import DataExport
from rosters.services.takeouts import data_export_request, data_export_expires_at
from rosters.view_helpers import player, say


@login_required
@require_safe
def my_data(request: HttpRequest) -> HttpResponse:
    """Show what the archive contains, and its progress. htmx requests only the part that changes."""
    job = DataExport.objects.filter(player=player(request)).first()
    context = {
        "job": job,
        "is_over": job is None or job.is_over,
        "kept_until": data_export_expires_at(job) if job else None,
        "days": settings.KEEP_DATA_DAYS,
    }
    is_part = request.htmx and request.htmx.target == "job"  # type: ignore[attr-defined]
    return render(request, "rosters/_my_data_job.html" if is_part else "rosters/my_data.html", context)


@login_required
@require_POST
@reauthentication_required(app=SENSITIVE)
def my_data_ask(request: HttpRequest) -> HttpResponse:
    """Request the archive, after the player has confirmed their password."""
    say(request, lambda: data_export_request(player=player(request)), "Your data are being packed.")
    return redirect("rosters:my_data")


@login_required
@require_safe
def my_data_file(request: HttpRequest, key: uuid.UUID) -> HttpResponseBase:
    """Download the ZIP, after its player has confirmed their password."""
    return _data_export_response(request, get_object_or_404(DataExport, key=key, player=player(request), status=JobStatus.DONE))


@reauthentication_required(app=SENSITIVE)
def _data_export_response(request: HttpRequest, job: DataExport) -> HttpResponseBase:
    if not job.file or not job.file.storage.exists(str(job.file.name)):
        raise Http404
    name = f"muster-{player(request).username}-{job.ended_at:%Y-%m-%d}.zip"
    return FileResponse(job.file.open("rb"), content_type="application/zip", as_attachment=True, filename=name)
