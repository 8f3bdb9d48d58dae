"""What each operation of clubs and campaigns that changes something demands of a token."""

from __future__ import annotations

from rest_framework.request import Request

from campaigns.models import Enrolment
from rosters.api.parts import body
from rosters.doors.scopes import Demand, Scope
from rosters.models import Player

OF_THE_SIDE = ("withdraw", None)  # decisions that a player takes about his own enrolment; None: standing orders


def enrolment_change(request: Request, player: Player) -> Scope:
    """What a player decides about his own company is that company's; the rest is organising."""
    pk = request.parser_context["kwargs"]["enrolment_pk"]
    is_own = Enrolment.objects.filter(pk=pk, company__owner=player).exists()
    return Scope.COMPANIES if is_own and body(request).get("decision") in OF_THE_SIDE else Scope.CLUB


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
            "api-match-forces-open",
            "api-match-handicap",
            "api-evening",
            "api-enrolments",
            "api-friendlies",
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
            "api-corrections",
            "api-correction-preview",
        ),
        Scope.CLUB,
    ),
    "api-enrolment": enrolment_change,
}
