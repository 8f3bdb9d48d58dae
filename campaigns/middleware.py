"""Leads organisers to set up a second factor before they act, where the site asks for one."""

from __future__ import annotations

from collections.abc import Callable

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect

from campaigns.models import Membership
from campaigns.policy import MAY_RULE
from rosters.models import Player
from systems.documents import WHOLE

NEEDED = "Organisers and arbiters of this site sign in with a second factor."
# Of the acts on the pages of campaigns, those of a player for his own company or himself. The rest is organising.
OWN_ACTS = frozenset(
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
ORGANISING = frozenset(  # through the API
    {
        "api-club",
        "api-club-campaigns",
        "api-arc",
        "api-adjustments",
        "api-adjustment-undo",
        "api-adjustment-preview",
        "api-match-entry",
        "api-campaigns",
        "api-campaign",
        "api-campaign-state",
        "api-campaign-release",
        "api-campaign-release-call-off",
        "api-campaign-release-undo",
        "api-enrolments-fit",
        "api-gazette",
        "api-gazettes",
        "api-rounds",
        "api-round",
        "api-round-draw",
        "api-round-open",
        "api-round-close",
        "api-pairings",
        "api-pairing",
        "api-past-results",
        "api-phases",
        "api-phase",
        "api-member",
        "api-guests",
        "api-guest",
        "api-guest-link",
        "api-club-hand-over",
        "api-invitations",
        "api-request",
        "api-match-dice",
        "api-match-premiere",
        "api-match-rule",
        "api-corrections",
        "api-correction-preview",
        "api-enrolment",
        "api-season",
        "api-season-game",
        "api-season-games",
        "api-season-games-order",
        "api-season-line-up",
        "api-season-pairing",
        "api-season-pairings",
        "api-season-player",
        "api-season-players",
        "api-season-round",
        "api-season-round-open",
        "api-season-rounds",
        "api-season-state",
        "api-season-team",
        "api-season-teams",
        "api-seasons",
        "api-wall",
        "api-webhooks",
        "api-webhook",
        "api-webhook-secret",
        "api-webhook-test",
        "api-delivery-again",
    }
)
ORGANISING_BY_METHOD = frozenset({("DELETE", "api-invitation")})  # whose POST is a player's: he accepts it
SAFE = ("GET", "HEAD", "OPTIONS")


class OrganiserFactorMiddleware:
    """Asked of who organises or judges in any club, and has no second factor yet."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        match = request.resolver_match
        if match is None or request.method in SAFE:
            return None
        if reason := why_not_without_factor(request.user, match.url_name or "", request.method or ""):
            return JsonResponse({"errors": [{"field": WHOLE, "reason": reason}]}, status=403)
        if match.namespace == "campaigns" and match.url_name not in OWN_ACTS and lacks_factor(request.user):
            messages.warning(request, f"{NEEDED} Set one up here, then do it again; nothing was changed.")
            return redirect("mfa_index")
        return None


def why_not_without_factor(player: object, route: str, method: str) -> str:
    """Why an organiser without a second factor may not call this route of the API so; empty if he may."""
    is_organising = route in ORGANISING or (method, route) in ORGANISING_BY_METHOD
    return f"{NEEDED} Set one up on your page." if is_organising and lacks_factor(player) else ""


def lacks_factor(player: object) -> bool:
    """Whether the site asks for a second factor, he organises or judges in a club, and has none."""
    if not settings.ORGANISERS_NEED_FACTOR or not isinstance(player, Player):
        return False
    judges = Membership.objects.filter(player=player, role__in=MAY_RULE)
    return judges.exists() and not is_mfa_enabled(player)
