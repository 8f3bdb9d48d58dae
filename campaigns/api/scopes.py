"""What each operation of clubs and campaigns that changes something demands of a token."""

from __future__ import annotations

from rest_framework.request import Request

from campaigns.models import Enrolment, Match
from campaigns.policy import sides_of
from rosters.api.parts import body
from rosters.doors.scopes import Demand, Scope
from rosters.models import Player

OF_THE_SIDE = ("withdraw", None)  # decisions that a player takes about his own enrolment; None: standing orders


def enrolment_change(request: Request, player: Player) -> Scope:
    """What a player decides about his own company is that company's; the rest is organising."""
    pk = request.parser_context["kwargs"]["enrolment_pk"]
    is_own = Enrolment.objects.filter(pk=pk, company__owner=player).exists()
    return Scope.COMPANIES if is_own and body(request).get("decision") in OF_THE_SIDE else Scope.CLUB


def forces_opening(request: Request, player: Player) -> Scope:
    """A side opens the forces for its company, an arbiter as one."""
    match = Match.objects.select_related("attacker__company", "defender__company")
    row = match.filter(key=request.parser_context["kwargs"]["key"]).first()
    return Scope.COMPANIES if row is None or sides_of(player, row) else Scope.CLUB


DEMANDS: dict[str, Demand] = {
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
            "api-match-muster",
            "api-saved-forces",
            "api-saved-force",
            "api-evening",
            "api-enrolments",
            "api-friendlies",
            "api-inbox-letter",
            "api-inbox-read",
            "api-wishes",
        ),
        Scope.COMPANIES,
    ),
    **dict.fromkeys(
        (
            "api-clubs",
            "api-club",
            "api-club-campaigns",
            "api-club-leave",
            "api-member",
            "api-club-hand-over",
            "api-invitations",
            "api-invitation",
            "api-requests",
            "api-request",
            "api-match-dice",
            "api-match-rule",
            "api-match-entry",
            "api-corrections",
            "api-campaigns",
            "api-campaign",
            "api-campaign-state",
            "api-enrolments-fit",
            "api-rounds",
            "api-round",
            "api-round-draw",
            "api-round-open",
            "api-round-close",
            "api-pairings",
            "api-pairing",
            "api-past-results",
            "api-arc",
            "api-phases",
            "api-campaign-release",
            "api-campaign-release-call-off",
            "api-campaign-release-undo",
            "api-phase",
            "api-adjustments",
            "api-adjustment-preview",
            "api-adjustment-undo",
            "api-gazette",
            "api-correction-preview",
            "api-wall",
            "api-webhooks",
            "api-webhook",
            "api-webhook-secret",
            "api-webhook-test",
            "api-delivery-again",
        ),
        Scope.CLUB,
    ),
    "api-enrolment": enrolment_change,
    "api-match-forces-open": forces_opening,
}
