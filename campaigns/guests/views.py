"""The page of a guest, also behind their link, and what organisers do for guests."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaigns import policy
from campaigns.guests.member_views import GUEST_FIELD_IDS, guest_part, keep_private, members_page
from campaigns.guests.services import CLAIM_SESSION_KEY
from campaigns.models import Club, EnrolmentState, Guest, GuestLink
from campaigns.shortcuts import club_or_404, require_permission
from rosters.accounts.limits import TooManyAttemptsError, count_guest_attempt, too_many
from rosters.models import Player
from rosters.services import RefusedError
from rosters.site.kept_forms import kept_page
from rosters.view_helpers import player, run_and_flash, run_for_form, run_form_and_flash

from . import selectors as reads
from . import services
from .forms import CompanyForm, GuestForm, LinkForm, RenameForm
from .services import find_link, link_refusal

BACKEND = "rosters.accounts.backends.SignInBackend"
UNKNOWN_LINK = (
    "This link doesn’t work. Check that you copied all of it, or ask an organiser of your club for a new one."
)
NO_LINK = "Your link doesn’t work any more. Ask an organiser of your club for a new one."
ACCOUNT_VIEWS = {"sign-up": "account_signup", "sign-in": "account_login"}


# --- by the link ------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
def guest_link(request: HttpRequest, key: str) -> HttpResponse:
    """Show whom the link lets in, and where; a POST lets them in. A wrong or ended link says so."""
    try:
        tried = count_guest_attempt(request)
    except TooManyAttemptsError as error:
        return too_many(request, error.wait)
    link = find_link(key)
    if link is None:
        return _link_page(request, refusal=UNKNOWN_LINK, status=404)
    tried.give_back()
    if refusal := link_refusal(link):
        return _link_page(request, refusal=refusal, link=link, status=410)
    if request.method == "GET":
        return _link_page(request, link=link)
    what = request.POST.get("do", "")
    if what == "claim" and _is_account(request):
        request.session[CLAIM_SESSION_KEY] = link.pk
        return keep_private(redirect("campaigns:guest_claim"))
    if what in ACCOUNT_VIEWS:
        return keep_private(_to_account(request, link, what))
    return _enter(request, link)


@require_http_methods(["GET", "POST"])
def guest(request: HttpRequest) -> HttpResponse:
    """Show a guest's own page: their club, until when, and how to get an account.

    To somebody who came with a guest's link and has an account now, show what it takes over.
    """
    if not isinstance(request.user, Player):
        return redirect("account_login")
    if not request.user.is_guest:
        link = _link_to_claim(request)
        if link is None or link_refusal(link):
            return redirect("home")
        context = {"link": link, "takeover": reads.takeover(link, request.user), "is_heir": True}
        return render(request, "campaigns/guest.html", context)
    link = reads.own_link(request.user)
    if link is None:
        return render(request, "campaigns/guest.html", {"refusal": NO_LINK})
    if request.method == "POST" and request.POST.get("do") in ACCOUNT_VIEWS:
        return _to_account(request, link, request.POST["do"])
    return render(request, "campaigns/guest.html", {"link": link, "takeover": reads.takeover(link, None)})


@login_required
@require_http_methods(["GET", "POST"])
def guest_claim(request: HttpRequest) -> HttpResponse:
    """Let the account take over from the guest. GET redirects to the guest's page, which shows what that is."""
    if not _is_account(request):
        return redirect("campaigns:guest")
    link = _link_to_claim(request)
    if link is None:
        return _link_page(request, refusal="There is nothing to take over. Open the guest’s link again.", status=404)
    if refusal := link_refusal(link):
        request.session.pop(CLAIM_SESSION_KEY, None)
        return _link_page(request, refusal=refusal, link=link, status=410)
    if request.method == "POST":
        done = f"Everything of {link.guest.name}’s is yours now."
        if run_and_flash(request, lambda: services.guest_claim(link=link, by=player(request)), done):
            request.session.pop(CLAIM_SESSION_KEY, None)
            return redirect("home")
    return redirect("campaigns:guest")


def _link_to_claim(request: HttpRequest) -> GuestLink | None:
    """Return the link with which the account came, before it signed in."""
    rows = GuestLink.objects.select_related("guest__club", "guest__player")
    return rows.filter(pk=request.session.get(CLAIM_SESSION_KEY) or 0).first()


def _enter(request: HttpRequest, link: GuestLink) -> HttpResponse:
    """Start a session for the guest, which ends with their link at the latest."""
    try:
        visitor = services.link_enter(link=link)
    except RefusedError as refused:
        return _link_page(request, refusal=refused.reason, link=link, status=410)
    login(request, visitor, backend=BACKEND)
    request.session.set_expiry(link.expires_at)
    messages.success(request, f"Welcome, {visitor}. You’re a guest of {link.guest.club.name}.")
    return keep_private(redirect(kept_page(visitor.pk) or "home"))


def _to_account(request: HttpRequest, link: GuestLink, way: str) -> HttpResponse:
    """Redirect to sign-up or sign-in, and from there to the takeover. The visit as a guest ends here."""
    logout(request)
    request.session[CLAIM_SESSION_KEY] = link.pk
    return redirect(f"{reverse(ACCOUNT_VIEWS[way])}?next={reverse('campaigns:guest_claim')}")


def _is_account(request: HttpRequest) -> bool:
    return isinstance(request.user, Player) and not request.user.is_guest


def _link_page(
    request: HttpRequest, *, refusal: str = "", link: GuestLink | None = None, status: int = 200
) -> HttpResponse:
    context = {
        "refusal": refusal,
        "link": link,
        "is_entry": not refusal,
        "is_account": _is_account(request),
        "address_is_secret": True,
    }
    return keep_private(render(request, "campaigns/guest.html", context, status=status))


# --- organisers -------------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def guests(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a guest, whose link is shown only now. GET redirects to the guests among the members."""
    club = _run(request, slug)
    if request.method == "GET":
        return _redirect_to_guests(slug)
    form = GuestForm(request.POST, auto_id=GUEST_FIELD_IDS)
    if form.is_valid():
        made = run_for_form(form, lambda: services.guest_invite(club=club, by=player(request), **form.cleaned_data))
        if made is not None:
            return members_page(request, club, guest=guest_part(request, made[0], key=made[1]))
    return members_page(request, club, guest_form=form)


def _redirect_to_guest(
    slug: str, pk: int, fragment: str = "guest", query: Mapping[str, str] = MappingProxyType({})
) -> HttpResponse:
    query = {**query, "guest": str(pk)}
    return redirect(reverse("campaigns:club_members", args=[slug], query=query, fragment=fragment))


def _redirect_to_guests(slug: str) -> HttpResponse:
    return redirect(reverse("campaigns:club_members", args=[slug], fragment="guests"))


@login_required
@require_safe
def guest_page(request: HttpRequest, slug: str, guest_pk: int) -> HttpResponse:
    """Redirect to the guest on the members page."""
    _guest(request, slug, guest_pk)
    return _redirect_to_guest(slug, guest_pk, query=request.GET.dict())


@login_required
@require_POST
def guest_change(request: HttpRequest, slug: str, guest_pk: int) -> HttpResponse:
    """Make a new link (shown only now), end the current one, rename the guest, or found a company."""
    club, row = _guest(request, slug, guest_pk)
    by, what = player(request), request.POST.get("do", "")
    if what == "link":
        return _new_link(request, club, row)
    if what == "company":
        return _company(request, club, row)
    if what == "end":
        done = f"{row.name}’s link is disabled, and they’re signed out."
        run_and_flash(request, lambda: services.link_end(guest=row, by=by), done)
    elif what == "rename":
        form = RenameForm(request.POST)
        run_form_and_flash(
            request,
            form,
            lambda: services.guest_rename(guest=row, by=by, **form.cleaned_data),
            lambda renamed: f"Renamed to {renamed.name}.",
        )
    else:
        messages.error(request, "Unknown action. Reload the page and try again.")
    return _redirect_to_guest(slug, guest_pk)


@login_required
@require_http_methods(["GET", "POST"])
def guest_remove(request: HttpRequest, slug: str, guest_pk: int) -> HttpResponse:
    """Remove the guest; a guest with a past stays. GET redirects to them on the members page, which asks first."""
    club, row = _guest(request, slug, guest_pk)
    if request.method == "POST":
        done = f"{row.name} removed."
        if run_and_flash(request, lambda: services.guest_remove(guest=row, by=player(request)), done):
            return _redirect_to_guests(slug)
    return _redirect_to_guest(slug, guest_pk, "guest-more")


def _new_link(request: HttpRequest, club: Club, row: Guest) -> HttpResponse:
    form = LinkForm(request.POST, auto_id="link_%s")
    key = None
    if form.is_valid():
        key = run_for_form(form, lambda: services.link_make(guest=row, by=player(request), **form.cleaned_data))
    part = guest_part(request, row, key=key) if key else guest_part(request, row, link_form=form)
    return members_page(request, club, guest=part)


def _company(request: HttpRequest, club: Club, row: Guest) -> HttpResponse:
    campaigns = reads.open_campaigns(club)
    if not campaigns:
        messages.error(request, f"No campaign of {club.name} is open for sign-ups.")
        return _redirect_to_guest(club.slug, row.pk)
    form = CompanyForm(request.POST, campaigns=campaigns)
    if form.is_valid():
        made = run_for_form(form, lambda: services.guest_company(guest=row, by=player(request), **form.cleaned_data))
        if made is not None:
            is_in = made.state == EnrolmentState.ACCEPTED
            how = "has joined" if is_in else "has asked to join"
            why = "" if is_in else ". It isn’t battle-ready yet, or the campaign is full"
            messages.success(
                request, f"{made.company.name} created for {row.name}. It {how} {made.campaign.name}{why}."
            )
            return _redirect_to_guest(club.slug, row.pk)
    return members_page(request, club, guest=guest_part(request, row, company_form=form))


def _run(request: HttpRequest, slug: str) -> Club:
    club = club_or_404(request, slug)
    require_permission(policy.can_run_club(request.user, club))
    return club


def _guest(request: HttpRequest, slug: str, pk: int) -> tuple[Club, Guest]:
    club = _run(request, slug)
    row = reads.guest_of(club, pk)
    if row is None:
        raise Http404("No such guest")
    return club, row
