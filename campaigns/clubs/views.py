"""Pages of clubs: lists, founding, the club's own page, its settings and its activity log."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from campaigns import policy
from campaigns.clubs import selectors as reads
from campaigns.clubs import services
from campaigns.clubs.forms import AskForm, ClubForm, ClubSettingsForm, club_initial
from campaigns.models import Club, ClubDisplay
from campaigns.shortcuts import club_or_404, require_permission
from rosters.view_helpers import locked_for_edit, player, run_for_form, searched


def club_context(request: HttpRequest, club: Club) -> dict[str, object]:
    """Return the context for the head of every page of a club."""
    return {"club": club, "role": policy.role_in(request.user, club)}


@require_GET
def clubs(request: HttpRequest) -> HttpResponse:
    """Show the reader's clubs, invitations and requests, the public clubs, and the form for a new club."""
    return _clubs_page(request)


def _clubs_page(request: HttpRequest, new_club: ClubForm | None = None) -> HttpResponse:
    """Show the page. `new_club` is the form of a new club, if it has errors."""
    search = searched(request)
    context: dict[str, object] = {
        "search": search,
        "public": reads.public_clubs(search=search, asked=request.GET),
    }
    if request.user.is_authenticated:
        reader = player(request)
        context |= {
            "own": reads.clubs_of(reader),
            "invitations": reads.open_invitations(reader),
            "requests": reads.player_requests(reader),
            "new_club": None if reader.is_guest else new_club or ClubForm(),
        }
    return render(request, "campaigns/clubs.html", context, status=422 if new_club else 200)


@login_required
@require_http_methods(["GET", "POST"])
def club_new(request: HttpRequest) -> HttpResponse:
    """Create a club; GET redirects to its form on the page of all clubs."""
    if request.method != "POST":
        return redirect(reverse("campaigns:clubs", query={"open": "new"}, fragment="new"))
    form = ClubForm(request.POST)
    if form.is_valid():
        club = run_for_form(form, lambda: services.club_create(by=player(request), **form.cleaned_data))
        if club:
            messages.success(request, f"{club.name} created. Now invite your players.")
            return redirect("campaigns:club_members", slug=club.slug)
    return _clubs_page(request, form)


@require_GET
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the club: its description, members, campaigns and waiting tasks."""
    row = club_or_404(request, slug)
    page = reads.club_page(row, request.user)
    context: dict[str, object] = {"club": row, "role": page.role, "page": page, "ask_form": AskForm()}
    if page.role:
        reader = player(request)
        context["left_behind"] = reads.enrolments_by_owner(row, reader).get(reader.username)
    return render(request, "campaigns/club.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def club_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show and change the club's settings: name, description, place, visibility, requests and pictures.

    The form for the link of the club display posts to an address of its own.
    """
    found = club_or_404(request, slug)
    require_permission(policy.can_run_club(request.user, found))
    with locked_for_edit(request, found) as row:
        form = ClubSettingsForm(request.POST or None, initial=club_initial(row))
        if request.method == "POST" and form.is_valid():
            changed = run_for_form(
                form, lambda: services.club_change(club=row, by=player(request), **form.cleaned_data)
            )
            if changed:
                messages.success(request, "Settings saved.")
                return redirect("campaigns:club_settings", slug=slug)
    context = {
        **club_context(request, row),
        "form": form,
        "display": ClubDisplay.objects.filter(club=row).first(),
        "site": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "campaigns/club_settings.html", context, status=422 if form.errors else 200)


@login_required
@require_GET
def club_activity_log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the club's activity log, newest first."""
    row = club_or_404(request, slug)
    role = policy.role_in(request.user, row)
    require_permission(policy.can_read_activity_log(request.user, row))
    context = {"club": row, "role": role, "slice": reads.activity_page(row, role, request.GET)}
    return render(request, "campaigns/club_activity_log.html", context)
