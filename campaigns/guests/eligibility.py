"""Checks of a guest's past and of a takeover by an account; the spec of a ready-made force's unit."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Q

from battles.choices import ForceUnit
from battles.models import BattleSide
from campaigns.clubs.services import lookalike_reason
from campaigns.models import (
    Club,
    Enrolment,
    EnrolmentState,
    Friendly,
    Guest,
    Match,
    MatchState,
    SeasonEntrant,
    SeasonPairing,
)
from rosters.models import Company, Player
from rosters.services.companies import MAX_COMPANIES
from systems import roster_rules


def describe_guest_past(player: Player) -> str:
    """Return why the guest must stay, as the end of a sentence about them; empty if they have played nothing."""
    own = Q(attacker__company__owner=player) | Q(defender__company__owner=player)
    match = Match.objects.filter(own).select_related("round__campaign").order_by("pk").first()
    if match is not None:
        has = "has a match to play in" if match.state in MatchState.undecided() else "has played in"
        return f"{has} {match.round.campaign.name}"
    paired = SeasonPairing.objects.filter(Q(one__player=player) | Q(two__player=player))
    pairing = paired.select_related("round__season").order_by("pk").first()
    if pairing is not None:
        return f"is paired in {pairing.round.season}"
    friendly = Friendly.objects.filter(enrolment__company__owner=player).exists()
    if friendly or BattleSide.objects.filter(company__owner=player).exists():
        return "has played games"
    if Guest.objects.filter(player=player).count() > 1:
        return "is also a guest of another club"
    return ""


def claim_refusal(guest: Guest, heir: Player) -> str:
    """Return why this account can't take the guest over; empty if it can."""
    if heir.is_guest:
        return "You're signed in as a guest. Sign in with your account, or sign up, then open the link again."
    if heir.leaves_at is not None or not heir.is_active:
        return "Your account is due to be deleted. Cancel the deletion first."
    player = guest.player
    own = Enrolment.objects.filter(company__owner=heir).exclude(state=EnrolmentState.DECLINED)
    theirs = Enrolment.objects.filter(company__owner=player).exclude(state=EnrolmentState.DECLINED)
    met = own.filter(campaign__in=theirs.values("campaign")).select_related("campaign", "company").first()
    if met is not None:
        return (
            f"You already play in {met.campaign.name} with {met.company.name}, and can't play two companies there. "
            f"Use an account that isn't in it, or leave {guest.name} as a guest."
        )
    seasons = SeasonEntrant.objects.filter(player=player).values("season")
    entrant = SeasonEntrant.objects.filter(player=heir, season__in=seasons).select_related("season").first()
    if entrant is not None:
        return (
            f"You already take part in {entrant.season}, and can't take part twice. "
            f"Use an account that isn't in it, or leave {guest.name} as a guest."
        )
    for club in Club.objects.filter(guests__player=player).exclude(memberships__player=heir).order_by("pk"):
        if reason := lookalike_reason(club, heir, but=player):
            return reason
    number = Company.objects.filter(owner__in=(heir, player), disbanded_at=None).count()
    if number > MAX_COMPANIES:
        return f"Together you would have {number} companies, and the limit is {MAX_COMPANIES}. Disband some first."
    return ""


def unit_spec(system: str, unit: ForceUnit) -> Mapping[str, object]:
    """Return the spec of a unit of a ready-made force."""
    rules = roster_rules(system)
    return rules.spec_json(rules.published[unit.design].spec) if isinstance(unit.design, str) else dict(unit.design)
