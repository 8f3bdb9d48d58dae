"""Pages of a club's membership: members and their roles, invitations, requests, joining and leaving."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from battles.live.selectors import qr_code_path
from campaigns import policy
from campaigns.clubs import invitations as club_invitations
from campaigns.clubs import selectors as reads
from campaigns.clubs import services
from campaigns.clubs.forms import AskForm, InviteForm, RoleForm
from campaigns.clubs.views import club_context
from campaigns.guests.forms import CompanyForm, GuestForm, LinkForm, RenameForm
from campaigns.guests.selectors import guest_of, guests_of, open_campaigns, removal_refusal
from campaigns.models import Club, Guest, Invitation, JoinRequest, Membership
from campaigns.shortcuts import club_or_404, require_permission
from rosters.accounts.limits import MAX_MAILS, TooManyAttemptsError, count_invitation_mails
from rosters.fragment_cache import render_fragment
from rosters.view_helpers import (
    first_errors,
    locked_for_edit,
    player,
    row_id,
    run_and_flash,
    run_for_form,
    run_form_and_flash,
)
from systems.text import pluralize

GUEST_FIELD_IDS = "guest_%s"  # the form for a guest stands on one page with that for an invitation


@login_required
@require_http_methods(["GET"])
def club_members(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the organisers' page of members, roles, requests, invitations and guests.

    With a guest in the query string (`guest`), show what an organiser can do for them.
    """
    row = _run(request, slug)
    asked = request.GET.get("guest", "")
    if not asked:
        return members_page(request, row)
    guest = guest_of(row, row_id(asked))
    if guest is None:
        raise Http404("No such guest")
    return members_page(request, row, guest=guest_part(request, guest))


@login_required
@require_POST
def member_role(request: HttpRequest, slug: str, member_pk: int) -> HttpResponse:
    """Change a member's role."""
    with locked_for_edit(request, _run(request, slug)):
        row, member = _member(request, slug, member_pk)
        form = _role_form(member.pk, str(member.player), member.role, request.POST)
        if not form.is_valid() and form.is_overtaken:
            return members_page(request, row, overtaken={member.pk: form})
        run_form_and_flash(
            request,
            form,
            lambda: services.member_set_role(
                club=row, by=player(request), player=member.player, role=form.cleaned_data["role"]
            ),
            lambda changed: f"{changed.player}’s role is now {changed.get_role_display().lower()}.",
        )
        return _redirect_to_members(request, row)


@login_required
@require_http_methods(["GET", "POST"])
def member_remove(request: HttpRequest, slug: str, member_pk: int) -> HttpResponse:
    """Remove the member. GET redirects to their row on the members page, which asks first."""
    row, member = _member(request, slug, member_pk)
    if request.method == "GET":
        return _redirect_to_member(slug, member_pk)
    run_and_flash(
        request,
        lambda: services.member_remove(club=row, by=player(request), player=member.player),
        f"{member.player} removed.",
    )
    return _redirect_to_members(request, row)


@login_required
@require_http_methods(["GET", "POST"])
def club_hand_over(request: HttpRequest, slug: str, member_pk: int) -> HttpResponse:
    """Hand the club over to the member. GET redirects to their row on the members page, which asks first."""
    row, member = _member(request, slug, member_pk)
    if request.method == "GET":
        return _redirect_to_member(slug, member_pk)
    run_and_flash(
        request,
        lambda: services.club_hand_over(club=row, by=player(request), player=member.player),
        f"{member.player} now runs {row.name}. You’re a player.",
    )
    return _redirect_to_members(request, row)


@login_required
@require_POST
def join_request_answer(request: HttpRequest, slug: str, request_pk: int) -> HttpResponse:
    """Accept or decline a request to join."""
    row = _run(request, slug)
    asked = JoinRequest.objects.select_related("club", "player").filter(club=row, pk=request_pk).first()
    if asked is None:
        raise Http404("No such request")
    if request.POST.get("do") == "accept":
        run_and_flash(
            request,
            lambda: club_invitations.join_request_accept(request=asked, by=player(request)),
            f"{asked.player} is now a member of {row.name}.",
        )
    else:
        run_and_flash(
            request,
            lambda: club_invitations.join_request_decline(request=asked, by=player(request)),
            f"Declined. {asked.player} can ask again in {club_invitations.ASK_AGAIN_DAYS} days.",
        )
    return _redirect_to_members(request, row)


@login_required
@require_http_methods(["GET", "POST"])
def invitations(request: HttpRequest, slug: str) -> HttpResponse:
    """Create an invitation."""
    row = _run(request, slug)
    if request.method == "GET":
        return redirect("campaigns:club_members", slug=slug)
    form = InviteForm(request.POST)
    if form.is_valid():
        fields = form.cleaned_data
        if addresses := fields.pop("emails"):
            return _invite_by_mail(request, row, form, addresses)
        made = run_for_form(form, lambda: club_invitations.invitation_make(club=row, by=player(request), **fields))
        if made:
            if club_invitations.invitation_mail(invitation=made):
                messages.success(request, f"Invited {made.player} by email.")
            elif made.player:
                messages.success(request, f"Invited {made.player}. They’ll see it on the Clubs page.")
            else:
                messages.success(request, "Link created. Copy it below.")
            return _redirect_to_invitations(row)
    return members_page(request, row, form)


def _redirect_to_invitations(club: Club) -> HttpResponse:
    return redirect(reverse("campaigns:club_members", args=[club.slug]) + "#invitations")


def _invite_by_mail(request: HttpRequest, club: Club, form: InviteForm, addresses: Sequence[str]) -> HttpResponse:
    """Mail each address a link of its own, and say which mails failed."""
    by, fields = player(request), {name: form.cleaned_data[name] for name in ("role", "days")}
    try:
        attempt = count_invitation_mails(request, by, addresses)
    except TooManyAttemptsError as error:
        hours = pluralize(-(-error.wait // 3600), "hours")
        form.add_error(
            "emails",
            f"You can mail {MAX_MAILS} invitations a day, and each address once a day. Try again in {hours}, "
            "or share a link.",
        )
        return members_page(request, club, form)
    rows = run_for_form(
        form, lambda: club_invitations.invitations_make(club=club, by=by, addresses=addresses, **fields)
    )
    if not rows:
        attempt.give_back()
        return members_page(request, club, form)
    pairs = zip(rows, addresses, strict=True)
    failed = [
        address for made, address in pairs if not club_invitations.invitation_mail_to(invitation=made, address=address)
    ]
    sent = len(addresses) - len(failed)
    if sent:
        where = f"{sent} addresses" if len(addresses) > 1 else addresses[0]
        messages.success(request, f"Invitation sent to {where}.")
    if failed:
        messages.warning(request, f"No mail could be sent to {', '.join(failed)}. Share a link from the list below.")
    return _redirect_to_invitations(club)


@login_required
@require_POST
def invitation_withdraw(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """Withdraw an invitation."""
    row = _run(request, slug)
    found = Invitation.objects.select_related("club").filter(club=row, key=key).first()
    if found is None:
        raise Http404("No such invitation")
    run_and_flash(
        request,
        lambda: club_invitations.invitation_withdraw(invitation=found, by=player(request)),
        "Invitation withdrawn.",
    )
    return redirect(reverse("campaigns:club_members", args=[slug]) + "#invitations")


@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show an invitation: the club, the role and who invites. POST accepts or declines it."""
    found = Invitation.objects.select_related("club", "created_by", "player").filter(key=key).first()
    signed_in = request.user.is_authenticated
    if found is None or (signed_in and found.player_id not in (None, request.user.pk)):
        raise Http404("No such invitation")
    if request.method == "POST":
        if not signed_in:
            return redirect(f"{reverse('account_login')}?next={request.path}")
        if request.POST.get("do") == "decline":
            run_and_flash(
                request,
                lambda: club_invitations.invitation_decline(invitation=found, by=player(request)),
                f"You declined the invitation to {found.club.name}.",
            )
            return redirect("campaigns:clubs")
        if run_and_flash(
            request,
            lambda: club_invitations.invitation_accept(invitation=found, by=player(request)),
            f"Welcome to {found.club.name}.",
        ):
            return redirect("campaigns:club", slug=found.club.slug)
        return redirect("campaigns:join", key=key)
    if policy.role_in(request.user, found.club):
        messages.info(request, f"You’re already a member of {found.club.name}.")
        return redirect("campaigns:club", slug=found.club.slug)
    row = reads.invitation_row(found)
    context = {"club": found.club, "invitation": row, "members": found.club.memberships.count()}
    return render(request, "campaigns/join.html", context, status=410 if row.refusal else 200)


@login_required
@require_POST
def club_join_request(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask to join, or withdraw the request."""
    row = club_or_404(request, slug)
    if request.POST.get("do") == "withdraw":
        asked = row.requests.select_related("club").filter(player=player(request), state="asked").first()
        if asked is None:
            messages.error(request, f"You have no open request to {row.name}.")
        else:
            run_and_flash(
                request,
                lambda: club_invitations.join_request_withdraw(request=asked, by=player(request)),
                "Request withdrawn.",
            )
        return redirect("campaigns:club", slug=slug)
    form = AskForm(request.POST)
    if form.is_valid():
        run_and_flash(
            request,
            lambda: club_invitations.join_request_create(club=row, by=player(request), **form.cleaned_data),
            f"Request sent. The organisers of {row.name} will answer.",
        )
    else:
        messages.error(request, first_errors(form))
    return redirect("campaigns:club", slug=slug)


@login_required
@require_http_methods(["GET", "POST"])
def club_leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave the club. GET redirects to its page, which asks first."""
    row = club_or_404(request, slug)
    require_permission(policy.role_in(request.user, row) is not None)
    if request.method == "POST" and run_and_flash(
        request, lambda: services.member_leave(club=row, by=player(request)), f"You left {row.name}."
    ):
        return redirect("campaigns:clubs")
    return redirect(reverse("campaigns:club", args=[slug], fragment="join"))


# --- parts ------------------------------------------------------------------------------------------------------------


def _run(request: HttpRequest, slug: str) -> Club:
    """Return the club, for its organisers."""
    row = club_or_404(request, slug)
    require_permission(policy.can_run_club(request.user, row))
    return row


def _member(request: HttpRequest, slug: str, member_pk: int) -> tuple[Club, Membership]:
    row = _run(request, slug)
    member = Membership.objects.select_related("player").filter(club=row, pk=member_pk).first()
    if member is None:
        raise Http404("No such member")
    return row, member


def _redirect_to_members(request: HttpRequest, club: Club) -> HttpResponse:
    """Redirect to the members page, or to the club's page for readers who may not see the members any more."""
    page = "campaigns:club_members" if policy.can_run_club(request.user, club) else "campaigns:club"
    return redirect(page, slug=club.slug)


def _redirect_to_member(slug: str, member_pk: int) -> HttpResponse:
    return redirect(reverse("campaigns:club_members", args=[slug], fragment=f"member-{member_pk}"))


def _role_form(pk: int, name: str, role: str, data: QueryDict | None = None) -> RoleForm:
    return RoleForm(data, member=name, initial={"role": role}, auto_id=f"member-{pk}-%s")


def _role_fields(form: RoleForm, name: str) -> str:
    return render_to_string("campaigns/_role_fields.html", {"form": form, "name": name})


def _cached_role_fields(member: reads.MemberRow) -> str:
    """Return the form of a member's role. It is cached, as it is the same on every page until the role changes."""

    def context() -> dict[str, object]:
        return {"form": _role_form(member.id, member.name, member.role), "name": member.name}

    return render_fragment("campaigns/_role_fields.html", member.id, member.name, member.role, context=context)


@dataclass(frozen=True, kw_only=True)
class GuestPart:
    """What an organiser can do for a guest."""

    guest: Guest
    kept: str  # why the guest can't be removed
    link_form: LinkForm
    rename_form: RenameForm
    company_form: CompanyForm | None  # None: no campaign is open
    address: str  # of their link, if it was just made
    code: tuple[int, str]  # size and path of its QR code

    @property
    def is_refused(self) -> bool:
        return bool(self.link_form.errors or (self.company_form and self.company_form.errors))


def guest_part(
    request: HttpRequest,
    guest: Guest,
    *,
    key: str = "",
    link_form: LinkForm | None = None,
    company_form: CompanyForm | None = None,
) -> GuestPart:
    """Return the part of the members page about a guest, with the `key` of a new link, or a refused form."""
    campaigns = open_campaigns(guest.club)
    address = request.build_absolute_uri(reverse("campaigns:guest_link", args=[key])) if key else ""
    return GuestPart(
        guest=guest,
        kept=removal_refusal(guest),
        link_form=link_form or LinkForm(auto_id="link_%s"),
        rename_form=RenameForm(initial={"name": guest.name}, auto_id="rename_%s"),
        company_form=company_form or (CompanyForm(campaigns=campaigns) if campaigns else None),
        address=address,
        code=qr_code_path(address) if address else (0, ""),
    )


def members_page(
    request: HttpRequest,
    club: Club,
    form: InviteForm | None = None,
    *,
    guest_form: GuestForm | None = None,
    guest: GuestPart | None = None,
    overtaken: Mapping[int, RoleForm] = MappingProxyType({}),
) -> HttpResponse:
    """Render the page with a refused form, and a guest if one is given.

    `overtaken` has forms for roles that somebody else has changed meanwhile.
    """
    left_behind = reads.enrolments_by_owner(club)
    open_ones, past = reads.invitations_of(club)
    guests = guests_of(club)
    members = [each for each in reads.members_of(club, request.user) if not each.is_guest]
    context = {
        **club_context(request, club),
        "members": [
            (
                one,
                _role_fields(overtaken[one.id], one.name) if one.id in overtaken else _cached_role_fields(one),
                overtaken.get(one.id),
                left_behind.get(one.username, ()),
            )
            for one in members
        ],
        "requests": reads.club_join_requests(club),
        "guests": guests,
        "guest": next((each for each in guests if guest and each.id == guest.guest.pk), None),
        "part": guest,
        "guest_form": guest_form or GuestForm(auto_id=GUEST_FIELD_IDS),
        "invitations": open_ones,
        "past": past,
        "places": club.placeholders.count(),
        "form": form or InviteForm(),
        "site": request.build_absolute_uri("/").rstrip("/"),
    }
    is_refused = form is not None or guest_form is not None or overtaken or (guest and guest.is_refused)
    response = render(request, "campaigns/club_members.html", context, status=422 if is_refused else 200)
    return keep_private(response) if guest else response


def keep_private(response: HttpResponse) -> HttpResponse:
    """Keep the secret address private: no caching, no indexing, no referrer to other sites."""
    response["Cache-Control"] = "no-store"
    response["X-Robots-Tag"] = "noindex"
    response["Referrer-Policy"] = "strict-origin"  # "no-referrer" would send forms without an origin
    return response
