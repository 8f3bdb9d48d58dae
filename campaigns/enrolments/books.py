"""A campaign decides which battles count for its companies' ledgers: its own do, any other is practice."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse

from battles.hooks import PracticeReason
from battles.models import Battle
from campaigns.models import Correction, Enrolment, EnrolmentState, Friendly, Match, RoundState
from campaigns.policy import TAKES_COMPANIES, binding_enrolments
from rosters.ledger.records import ADJUSTMENT, adjustments_of
from rosters.models import Company, LedgerEntry
from rosters.services import RefusedError

ENROLMENT_TEXTS = {EnrolmentState.ASKED: "has asked to take part in", EnrolmentState.ACCEPTED: "is enrolled in"}


def matches_of(keys: Iterable[str]) -> dict[str, Match]:
    """Return the matches that these battles decide, or decided before a correction, by the battle's key."""
    about = ("round__campaign__club", "attacker__company__owner", "defender__company__owner")
    wanted = list(keys)
    found: dict[str, Match] = {}
    for match in Match.objects.filter(battle__key__in=wanted).select_related("battle", *about):
        assert match.battle is not None
        found[str(match.battle.key)] = match
    former = Correction.objects.filter(before__battle__in=wanted)
    for correction in former.select_related(*(f"match__{name}" for name in about)):
        found.setdefault(correction.before["battle"], correction.match)
    return found


def closed_ledger_reason(company: Company, battle: Battle | None) -> PracticeReason | None:
    """Return why the battle is practice for an enrolled company; None for a campaign's own, or outside any campaign.

    This holds from asking on, so that the organiser decides on the company they looked at. It holds until the last
    match of a withdrawn company is decided, so that nobody trains for it elsewhere.
    """
    kept = Enrolment.objects.filter(binding_enrolments(), company=company, campaign__state__in=TAKES_COMPANIES)
    enrolment = kept.select_related("campaign").order_by("pk").first()
    if enrolment is None or (battle is not None and is_campaigns_own(battle)):
        return None
    campaign = enrolment.campaign
    asked = ENROLMENT_TEXTS.get(EnrolmentState(enrolment.state), "has a match to play in")
    return PracticeReason(
        company=company.name,
        before=f"{company.name} {asked} ",
        keeper=campaign.name,
        after=", which decides what is written to its books: this battle is practice for it.",
        url=reverse("campaigns:campaign", args=[campaign.pk]),
    )


def is_campaigns_own(battle: Battle) -> bool:
    """Return whether the battle decides something in a campaign."""
    return Match.objects.filter(battle=battle).exists() or Friendly.objects.filter(battle=battle).exists()


def refuse_changed_return(enrolment: Enrolment) -> None:
    """Raise RefusedError if a company played here, withdrew, fought or was adjusted elsewhere, and wants to return."""
    played = Match.objects.exclude(round__state=RoundState.PLANNED)
    if enrolment.decided_at is None or not (
        played.filter(attacker=enrolment).exists() or played.filter(defender=enrolment).exists()
    ):
        return
    standing = LedgerEntry.objects.filter(
        company=enrolment.company, at__gte=enrolment.decided_at, reverses=None, reversed_by=None
    )
    rulings = standing.filter(cause=ADJUSTMENT).exclude(cause_ref__startswith=adjustments_of(enrolment.campaign_id))
    if rulings.exists():
        raise RefusedError(
            "company",
            f"{enrolment.company.name} was adjusted by a ruling elsewhere since it withdrew from "
            f"{enrolment.campaign.name}. Enrol another company, or ask an organiser of the other campaign to take it back "
            "before it leaves there.",
        )
    refs = set(standing.filter(cause__in=("battle", "result")).values_list("cause_ref", flat=True))
    others = len(refs - _own_battles(enrolment, refs))
    if others:
        battles = "a battle" if others == 1 else f"{others} battles"
        raise RefusedError(
            "company",
            f"{enrolment.company.name} has logged {battles} elsewhere since it withdrew from {enrolment.campaign.name}; "
            "take that back first, or enrol another company.",
        )


def _own_battles(enrolment: Enrolment, keys: set[str]) -> set[str]:
    """Return the battles fought in the enrolment's campaign, even those that a correction has since replaced."""
    own = {key for key, match in matches_of(keys).items() if match.round.campaign_id == enrolment.campaign_id}
    friendlies = enrolment.friendlies.filter(battle__key__in=keys).values_list("battle__key", flat=True)
    return own | {str(key) for key in friendlies}
