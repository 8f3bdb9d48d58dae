"""Redirects organisers to set up a second factor before they act, if the site requires one."""

from __future__ import annotations

from collections.abc import Callable

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import ResolverMatch
from rest_framework.request import Request

from campaigns.models import Enrolment, Membership
from campaigns.policy import MAY_RULE
from rosters.doors.tokens import route_of, scope_demanded
from rosters.models import Player
from rosters.scopes import Scope
from rosters.site.forms.kept import keep_own

FACTOR_REQUIRED = "Organisers and arbiters of this site sign in with a second factor."
# Acts on the pages of campaigns that players do for themselves or their own company. All others are organising.
OWN_VIEWS = frozenset(
    {
        "availability",
        "calendar_key_new",
        "campaign_companies",
        "club_ask",
        "club_leave",
        "club_new",
        "confirm",
        "device_add",
        "device_drop",
        "device_key",
        "evening",
        "feed_key_new",
        "friendlies",
        "gazette_pdf",
        "guest",
        "guest_claim",
        "guest_link",
        "inbox_mark",
        "inbox_read",
        "mail_off",
        "join",
        "loan",
        "match_consent",
        "match_date",
        "match_forces",
        "match_forces_orders",
        "match_forces_withdraw",
        "match_refuse",
        "match_table",
        "print_packet",
        "report",
        "report_withdraw",
        "season_part",
        "skill",
        "wishes",
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
        ("POST", "api-requests"),
        ("DELETE", "api-request"),  # their own request; answering one is organising
        ("POST", "api-invitation"),  # accepts it
    }
)
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class OrganiserFactorMiddleware:
    """Applies to anybody who organises or judges in any club and has no second factor yet."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        match = request.resolver_match
        if match is None or request.method in SAFE_METHODS:
            return None
        if match.namespace == "campaigns" and lacks_factor(request.user) and not _is_own(request, match):
            keep_own(request)
            messages.warning(request, f"{FACTOR_REQUIRED} Set one up here, then do it again; nothing was changed.")
            return redirect("mfa_index")
        return None


def why_not_without_factor(request: Request, player: Player) -> str:
    """Return why an organiser without a second factor may not do this through the API; empty if they may.

    The hook `guards`.
    """
    if not lacks_factor(player) or (request.method, route_of(request)) in OWN_OPERATIONS:
        return ""
    is_organising = scope_demanded(request, player) == Scope.CLUB
    return f"{FACTOR_REQUIRED} Set one up on your page." if is_organising else ""


def lacks_factor(player: object) -> bool:
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
