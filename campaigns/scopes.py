"""The token scopes that operations on clubs and campaigns require if they change something."""

from __future__ import annotations

from rest_framework.request import Request

from campaigns.models import Enrolment, Match, SeasonEntrant
from campaigns.policy import sides_of
from rosters.api.base import body
from rosters.models import Player
from rosters.scopes import Demand, Scope

PAIRING_ACTS = ("propose", "accept")
OWN_DECISIONS = ("withdraw", None)  # players' decisions about their own enrolment; None: autoplay orders


def enrolment_scope(request: Request, player: Player) -> Scope:
    """Require `companies` for a player's decisions about their own enrolment, `club` for the rest."""
    pk = request.parser_context["kwargs"]["enrolment_pk"]
    is_own = Enrolment.objects.filter(pk=pk, company__owner=player).exists()
    return Scope.COMPANIES if is_own and body(request).get("decision") in OWN_DECISIONS else Scope.CLUB


def list_reveal_scope(request: Request, player: Player) -> Scope:
    """Require `companies` if a side of the match reveals the lists, `club` if an arbiter does."""
    match = Match.objects.select_related("attacker__company", "defender__company")
    row = match.filter(key=request.parser_context["kwargs"]["key"]).first()
    return Scope.COMPANIES if row is None or sides_of(player, row) else Scope.CLUB


def season_entry_scope(request: Request, player: Player) -> Scope:
    """Require `companies` if players enter themselves, `club` if an organiser enters somebody else."""
    return Scope.COMPANIES if body(request).get("player", player.username) == player.username else Scope.CLUB


def season_leave_scope(request: Request, player: Player) -> Scope:
    """Require `companies` if players leave themselves, `club` if an organiser removes somebody else."""
    pk = request.parser_context["kwargs"]["player_pk"]
    return Scope.COMPANIES if SeasonEntrant.objects.filter(pk=pk, player=player).exists() else Scope.CLUB


def season_pairing_scope(request: Request, player: Player) -> Scope:
    """Require `companies` for a side's decision on its own game, `club` for the rest."""
    return Scope.COMPANIES if body(request).get("act") in PAIRING_ACTS else Scope.CLUB


REQUIRED_SCOPES: dict[str, Demand] = {
    **dict.fromkeys(
        (
            "api-loan",
            "api-pilot-skill",
            "api-match-report",
            "api-match-confirm",
            "api-match-consent",
            "api-match-refusal",
            "api-match-forces",
            "api-match-handicap",
            "api-match-date",
            "api-availability",
            "api-match-preparation",
            "api-saved-forces",
            "api-saved-force",
            "api-club-night",
            "api-enrolments",
            "api-friendlies",
            "api-notification",
            "api-inbox-mark-read",
            "api-notification-preferences",
        ),
        Scope.COMPANIES,
    ),
    **dict.fromkeys(
        (
            "api-clubs",
            "api-club",
            "api-club-archive",
            "api-club-restore",
            "api-club-place",
            "api-club-campaigns",
            "api-club-leave",
            "api-member",
            "api-club-hand-over",
            "api-invitations",
            "api-invitation",
            "api-guests",
            "api-guest",
            "api-guest-companies",
            "api-guest-link",
            "api-join-requests",
            "api-join-request",
            "api-match-dice",
            "api-match-ruling",
            "api-match-result-entry",
            "api-watch-party",
            "api-corrections",
            "api-campaigns",
            "api-campaign",
            "api-campaign-state",
            "api-enrolments-accept-ready",
            "api-rounds",
            "api-round",
            "api-round-draw",
            "api-round-open",
            "api-round-close",
            "api-pairings",
            "api-pairing",
            "api-past-results",
            "api-storyline",
            "api-cup-settings",
            "api-cup-draw",
            "api-cup-seats",
            "api-phases",
            "api-campaign-release",
            "api-campaign-release-cancel",
            "api-campaign-release-undo",
            "api-phase",
            "api-adjustments",
            "api-adjustment-preview",
            "api-adjustment-undo",
            "api-gazette",
            "api-correction-preview",
            "api-club-display",
            "api-webhooks",
            "api-webhook",
            "api-webhook-secret",
            "api-webhook-test",
            "api-delivery-retry",
            "api-seasons",
            "api-season",
            "api-season-state",
            "api-season-games",
            "api-season-games-order",
            "api-season-game",
            "api-season-teams",
            "api-season-line-up",
            "api-season-team",
            "api-season-rounds",
            "api-season-round",
            "api-season-round-open",
            "api-season-pairings",
        ),
        Scope.CLUB,
    ),
    "api-enrolment": enrolment_scope,
    "api-season-players": season_entry_scope,
    "api-season-player": season_leave_scope,
    "api-season-pairing": season_pairing_scope,
    "api-match-forces-reveal": list_reveal_scope,
}
