"""Pages of club archives: pack a club, restore one, and take the places reserved for its players."""

from __future__ import annotations

from uuid import UUID

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaigns import policy
from campaigns.clubs.views import club_context
from campaigns.models import Club, ClubArchive, ClubRestore
from campaigns.shortcuts import club_or_404, require_permission
from rosters.accounts.tokens import SENSITIVE
from rosters.jobs import JobStatus
from rosters.view_helpers import player, run_and_flash, run_for_form

from . import selectors, services
from .forms import PlaceForm, RestoreForm

GONE = (
    "This link doesn’t work any more: it has been used, or replaced by a newer one. Ask an organiser of your club for a "
    "new one."
)


def _club_for_organiser(request: HttpRequest, slug: str) -> Club:
    """Return the club, for its organisers."""
    row = club_or_404(request, slug)
    require_permission(policy.can_run_club(request.user, row))
    return row


# --- packing ----------------------------------------------------------------------------------------------------------


@never_cache
@login_required
@require_safe
def club_archive(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what a backup contains, the progress of making one, and the restored players with their links.

    For htmx, render only the progress.
    """
    row = _club_for_organiser(request, slug)
    job = selectors.newest_archive(row)
    context = {
        **club_context(request, row),
        "job": job,
        "is_over": job is None or job.is_over,
        "kept_until": services.archive_kept_until(job) if job else None,
    }
    if _is_for_job(request):
        return render(request, "campaigns/_club_archive.html", context)
    context["places"] = [
        (place, request.build_absolute_uri(reverse("campaigns:reserved_place", args=[place.key])))
        for place in selectors.places_of(row)
    ]
    return render(request, "campaigns/club_archive.html", context)


def _is_for_job(request: HttpRequest) -> bool:
    """Return whether htmx asks for the part with the job's progress."""
    return bool(request.htmx) and request.htmx.target == "job"  # type: ignore[attr-defined]


@login_required
@require_POST
def club_archive_create(request: HttpRequest, slug: str) -> HttpResponse:
    """Have the club packed."""
    row = _club_for_organiser(request, slug)
    run_and_flash(request, lambda: services.archive_request(club=row, by=player(request)), "Creating the backup.")
    return redirect("campaigns:club_archive", slug=slug)


@login_required
@require_safe
def club_archive_file(request: HttpRequest, slug: str, key: UUID) -> HttpResponseBase:
    """Send the ZIP to an organiser who has just confirmed their identity."""
    row = _club_for_organiser(request, slug)
    job = get_object_or_404(ClubArchive, key=key, club=row, status=JobStatus.DONE)
    response: HttpResponseBase = _file(request, job)
    return response


@reauthentication_required(app=SENSITIVE)  # type: ignore[untyped-decorator]  # of a library without types
def _file(request: HttpRequest, job: ClubArchive) -> HttpResponseBase:
    if not job.file or not job.file.storage.exists(str(job.file.name)):
        raise Http404
    name = f"{job.club.slug}-{job.ended_at:%Y-%m-%d}.zip"
    return FileResponse(job.file.open("rb"), content_type="application/zip", as_attachment=True, filename=name)


# --- restoring --------------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def club_restore(request: HttpRequest) -> HttpResponse:
    """Show the form for uploading an archive, and the reader's latest restore; start restoring one."""
    by, is_post = player(request), request.method == "POST"
    form = RestoreForm(request.POST, request.FILES) if is_post else RestoreForm()
    if is_post and form.is_valid():
        made = run_for_form(form, lambda: services.restore_request(by=by, **form.cleaned_data))
        if made is not None:
            return _redirect_to_restore()
    job = selectors.newest_restore(by)
    context = {"form": form, "job": job, "is_over": job is None or job.is_over}
    return render(request, "campaigns/club_restore.html", context, status=422 if form.errors else 200)


@login_required
@require_safe
def club_restore_job(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the progress of a restore for htmx; else redirect to the page that shows it."""
    job = get_object_or_404(ClubRestore.objects.select_related("club"), key=key, asked_by=player(request))
    if _is_for_job(request):
        return render(request, "campaigns/_club_restore_job.html", {"job": job, "is_over": job.is_over})
    return _redirect_to_restore()


def _redirect_to_restore() -> HttpResponse:
    return redirect(reverse("campaigns:club_restore", fragment="job"))


# --- places -----------------------------------------------------------------------------------------------------------


@login_required
@require_safe
def club_places(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the restored players on the page of backups."""
    _club_for_organiser(request, slug)
    return _redirect_to_places(slug)


@login_required
@require_POST
def club_place_renew(request: HttpRequest, slug: str, place_pk: int) -> HttpResponse:
    """Replace the link to a place."""
    row = _club_for_organiser(request, slug)
    run_and_flash(
        request,
        lambda: services.place_renew(club=row, by=player(request), place=place_pk),
        "New link created. The old one has stopped working.",
    )
    return _redirect_to_places(slug)


def _redirect_to_places(slug: str) -> HttpResponse:
    return redirect(reverse("campaigns:club_archive", args=[slug], fragment="places"))


@never_cache
@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "HEAD", "POST"])
def place(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show a reserved place: the player's name and club, and the form for taking it."""
    found = selectors.place_by_key(key)
    if found is None:
        return render(request, "campaigns/join.html", {"refusal": GONE}, status=410)
    if request.user.is_authenticated or settings.SIGN_UP == "closed":
        return render(request, "campaigns/join.html", {"place": found})
    form = PlaceForm(request.POST if request.method == "POST" else None, place=found)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        taken = run_for_form(
            form,
            lambda: services.place_take(place=found, username=given["username"], password=given["password1"]),
        )
        if taken is not None:
            messages.success(request, f"Welcome back, {taken}. Sign in with your new password.")
            after = reverse("campaigns:club", args=[found.club.slug])
            return redirect(f"{reverse('account_login')}?next={after}")
    return render(request, "campaigns/join.html", {"place": found, "form": form}, status=422 if form.errors else 200)
