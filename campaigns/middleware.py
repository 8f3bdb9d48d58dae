"""Middleware that limits requests: organisers without a second factor, and what guests may call.

Guests have an allowlist, so new pages stay closed to them until somebody opens them. It leaves out only what needs an
account: founding clubs, account settings, tokens and programs, mails, publishing.
"""

from __future__ import annotations

from collections.abc import Callable

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import ResolverMatch
from rest_framework.request import Request

from campaigns.models import Enrolment, Membership
from campaigns.policy import MAY_RULE
from rosters.accounts.tokens import route_of, scope_demanded
from rosters.models import Player
from rosters.scopes import Scope
from rosters.site.kept_forms import keep_form_of_user
from systems.documents import WHOLE

FACTOR_REQUIRED = "Organisers and arbiters of this site sign in with a second factor."
# Acts on the pages of campaigns that players do for themselves or their own company. All others are organising.
OWN_VIEWS = frozenset(
    {
        "availability",
        "calendar_key_new",
        "campaign_companies",
        "club_join_request",
        "club_leave",
        "club_new",
        "report_confirm",
        "device_add",
        "device_remove",
        "device_key",
        "club_night",
        "feed_key_new",
        "friendlies",
        "gazette_pdf",
        "guest",
        "guest_claim",
        "guest_link",
        "inbox_mark",
        "inbox_read",
        "mail_unsubscribe",
        "join",
        "company_loan",
        "match_consent",
        "match_date",
        "match_forces",
        "match_forces_orders",
        "match_forces_withdraw",
        "match_refuse",
        "match_table",
        "print_packet",
        "match_report",
        "report_withdraw",
        "season_part",
        "pilot_skill",
        "notification_settings",
    }
)
OWN_ACTS_BY_VIEW = {
    "enrolment": ("orders",),
    "season_pairing": ("accept", "propose"),
}  # the same for pages with several acts
# Acts needing a token's club scope that players do for themselves. All others are organising.
OWN_OPERATIONS = frozenset(
    {
        ("POST", "api-clubs"),
        ("POST", "api-club-leave"),
        ("POST", "api-join-requests"),
        ("DELETE", "api-join-request"),  # their own request; answering one is organising
        ("POST", "api-invitation"),  # accepts it
    }
)
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class OrganiserFactorMiddleware:
    """Refuse acts of organising to organisers and arbiters of any club who have no second factor yet."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        match = request.resolver_match
        if match is None or request.method in SAFE_METHODS:
            return None
        if match.namespace == "campaigns" and lacks_second_factor(request.user) and not _is_own(request, match):
            keep_form_of_user(request)
            messages.warning(request, f"{FACTOR_REQUIRED} Set one up here, then do it again; nothing was changed.")
            return redirect("mfa_index")
        return None


def second_factor_refusal(request: Request, player: Player) -> str:
    """Return why an organiser without a second factor may not do this through the API; empty if they may.

    For the hook `guards`.
    """
    if not lacks_second_factor(player) or (request.method, route_of(request)) in OWN_OPERATIONS:
        return ""
    is_organising = scope_demanded(request, player) == Scope.CLUB
    return f"{FACTOR_REQUIRED} Set one up on your page." if is_organising else ""


def lacks_second_factor(player: object) -> bool:
    """Return whether the site requires a second factor and the player organises or judges in a club without one."""
    if not settings.ORGANISERS_NEED_FACTOR or not isinstance(player, Player):
        return False
    judges = Membership.objects.filter(player=player, role__in=MAY_RULE)
    return judges.exists() and not is_mfa_enabled(player)


def _is_own(request: HttpRequest, match: ResolverMatch) -> bool:
    """Return whether a post to a page is something players do for themselves."""
    name, act = match.url_name or "", request.POST.get("act", "")
    if name == "enrolment" and act == "withdraw":  # organisers withdraw other players' companies too
        return Enrolment.objects.filter(pk=match.kwargs["enrolment_pk"], company__owner=request.user.pk).exists()
    return name in OWN_VIEWS or act in OWN_ACTS_BY_VIEW.get(name, ())


ACCOUNT_PREFIXES = (  # closed for reading too; prefixes of view names
    "account_", "mfa_", "usersessions_", "admin:", "rosters:profile", "rosters:sign_ins", "rosters:token_",
    "rosters:session_", "rosters:my_data", "rosters:account_deletion", "rosters:company_import",
    "campaigns:notification_settings", "campaigns:club_new", "campaigns:club_restore",
)  # fmt: skip
LOGOUT = "account_logout"
SIGN_IN_VIEWS = ("account_login", "account_signup")
GUEST_VIEWS = frozenset(
    {
        # their side of a match, and the steps that lead to one
        "campaigns:availability",
        "campaigns:calendar_key_new",
        "campaigns:campaign_companies",
        "campaigns:report_confirm",
        "campaigns:enrolment",
        "campaigns:club_night",
        "campaigns:feed_key_new",
        "campaigns:friendlies",
        "campaigns:inbox_mark",
        "campaigns:inbox_read",
        "campaigns:company_loan",
        "campaigns:match_consent",
        "campaigns:match_date",
        "campaigns:match_forces",
        "campaigns:match_forces_orders",
        "campaigns:match_forces_withdraw",
        "campaigns:match_handicap",
        "campaigns:match_refuse",
        "campaigns:match_table",
        "campaigns:match_report",
        "campaigns:report_withdraw",
        "campaigns:season_pairing",
        "campaigns:season_part",
        "campaigns:pilot_skill",
        "battles:seat-act",
        "battles:seat-prepare-rolls",
        "battles:seat-log",
        # their company
        "rosters:company_disband",
        "rosters:company_emblem",
        "rosters:company_create",
        "rosters:company_release",
        "rosters:company_settings",
        "rosters:company_undo",
        "rosters:company_notes",
        "rosters:pilot_hire",
        "rosters:pilot_edit",
        "rosters:pilot_retire",
        "rosters:pilot_notes",
        "rosters:pilots_assign",
        "rosters:unit_assign",
        "rosters:unit_buy",
        "rosters:unit_refit",
        "rosters:unit_rename",
        "rosters:unit_repair",
        "rosters:unit_sell",
        "rosters:unit_notes",
        # their visit, and getting an account
        "campaigns:guest",
        "campaigns:guest_link",
        # allowed for any visitor
        "battles:battle-repeat",
        "battles:battle-cancel",
        "battles:battle-odds",
        "battles:best-answer-create",
        "battles:best-answer-repeat",
        "battles:best-build-repeat",
        "battles:best-change-repeat",
        "battles:best-change-create",
        "battles:unit-best-build-create",
        "battles:best-builds",
        "battles:record-check",
        "battles:battle-check",
        "battles:curve",
        "battles:forecast-repeat",
        "battles:forecast-cancel",
        "battles:forecast-simulate",
        "battles:fork-repeat",
        "battles:join",
        "battles:matrices",
        "battles:matrix-repeat",
        "battles:fork-create",
        "battles:paired-dice",
        "battles:print-packet",
        "battles:quick-battle",
        "battles:quick-battle-part",
        "battles:ready-battle",
        "battles:solo-answer",
        "battles:solo-take-over",
        "battles:tables",
        "battles:trial-repeat",
        "battles:trials",
        "battles:try",
        "battles:what-if-create",
        "battles:what-if-repeat",
        "campaigns:gazette_pdf",
        "campaigns:print_packet",
        "rosters:lab",
        "rosters:lab_preview",
        "rosters:print-repeat",
        "rosters:print-cancel",
        "rosters:print-company",
        "rosters:print-design",
        "rosters:print-lab",
        "rosters:print-design-published",
        "rosters:print-scenario",
        "rosters:print-scenario-published",
    }
)
NEEDS_ACCOUNT = "Guests can’t do this. Create an account first. Nothing was changed."
NO_PROGRAMS = "Guests can't use the API. Create an account first."
GONE = "Your visit as a guest ended while you did this, and nothing was changed."


class GuestMiddleware:
    """Refuse what is closed to guests."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        name = request.resolver_match.view_name if request.resolver_match else ""
        if not isinstance(request.user, Player) or not request.user.is_guest or name == LOGOUT:
            return None
        if request.path_info.startswith("/api/v"):
            return JsonResponse({"errors": [{"field": WHOLE, "reason": NO_PROGRAMS}]}, status=403)
        if name in SIGN_IN_VIEWS:
            return redirect("campaigns:guest")
        if name.startswith(ACCOUNT_PREFIXES) or (request.method not in SAFE_METHODS and name not in GUEST_VIEWS):
            return render(request, "403.html", {"account_reason": NEEDS_ACCOUNT}, status=403)
        return None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Tell a guest whose player row was claimed or removed during the request that the visit has ended."""
        if not isinstance(exception, (IntegrityError, ObjectDoesNotExist)) or not isinstance(request.user, Player):
            return None
        if not request.user.is_guest or Player.objects.filter(pk=request.user.pk).exists():
            return None
        request.session.flush()
        return render(request, "campaigns/guest.html", {"refusal": GONE}, status=410)
