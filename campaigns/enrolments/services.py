"""How companies enter and leave a campaign, and which battles count for its ledgers.

The campaign's own battles count for its companies' ledgers; any other battle is practice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from battles.hooks import PracticeReason
from battles.models import Battle
from campaigns.activity_log import log_campaign_activity
from campaigns.arbiters import enrolment_own_case, organiser_own_case, players_in
from campaigns.army_lists.legality import company_value
from campaigns.autoplay_orders import Standing, parse_orders
from campaigns.enrolments.selectors import enrolment_check
from campaigns.locks import campaign_lock
from campaigns.models import (
    Campaign,
    CampaignState,
    Correction,
    Enrolment,
    EnrolmentState,
    Friendly,
    Match,
    Membership,
    RoundState,
    Ruling,
)
from campaigns.notifications import notify
from campaigns.policy import TAKES_COMPANIES, acts_for, binding_enrolments, can_run_campaign
from campaigns.waiting_list import places_free, waiting_list
from rosters.ledger.records import ADJUSTMENT, adjustments_of, company_record
from rosters.models import Company, LedgerEntry, Player
from rosters.services import RefusedError
from rosters.services.base import clean_text, company_lock
from systems import battle_rules

ENROLMENT_TEXTS = {EnrolmentState.ASKED: "has asked to join", EnrolmentState.ACCEPTED: "is enrolled in"}


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
        after=", so only that campaign's games count in its ledger. This battle is practice.",
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
        company=enrolment.company, created_at__gte=enrolment.decided_at, reverses=None, reversed_by=None
    )
    rulings = standing.filter(cause=ADJUSTMENT).exclude(cause_ref__startswith=adjustments_of(enrolment.campaign_id))
    if rulings.exists():
        raise RefusedError(
            "company",
            f"{enrolment.company.name} was adjusted by a ruling in another campaign after it withdrew from "
            f"{enrolment.campaign.name}. Enrol another company, or ask that campaign's organiser to undo the "
            "ruling before the company leaves there.",
        )
    refs = set(standing.filter(cause__in=("battle", "result")).values_list("cause_ref", flat=True))
    others = len(refs - _own_battles(enrolment, refs))
    if others:
        battles = "a battle" if others == 1 else f"{others} battles"
        raise RefusedError(
            "company",
            f"{enrolment.company.name} has logged {battles} elsewhere since it withdrew from "
            f"{enrolment.campaign.name}. Undo that first, or enrol another company.",
        )


def _own_battles(enrolment: Enrolment, keys: set[str]) -> set[str]:
    """Return the battles fought in the enrolment's campaign, even those that a correction has since replaced."""
    own = {key for key, match in matches_of(keys).items() if match.round.campaign_id == enrolment.campaign_id}
    friendlies = enrolment.friendlies.filter(battle__key__in=keys).values_list("battle__key", flat=True)
    return own | {str(key) for key in friendlies}


@transaction.atomic
def enrolment_ask(*, campaign: Campaign, company: Company, by: Player, doctrine: str = "") -> Enrolment:
    """Ask for the company to be enrolled. It may still have problems, which keep it from being accepted unless excused.

    If the campaign is full the company goes on the waiting list, in the order of asking.
    """
    locked, company = campaign_lock(campaign), company_lock(company)
    _require_taking_companies(locked)
    if not acts_for(by, company, locked):
        raise RefusedError("company", "You can only enrol your own companies.")
    if not Membership.objects.filter(club=locked.club, player=company.owner).exists():
        whose = "Join" if company.owner_id == by.pk else f"{company.owner} must join"
        raise RefusedError("company", f"{whose} {locked.club.name} first.")
    if company.system != locked.system:
        raise RefusedError("company", f"{company.name} is a company for another game.")
    elsewhere = company.enrolments.filter(binding_enrolments()).exclude(campaign__state=CampaignState.FINISHED)
    other = elsewhere.exclude(campaign=locked).select_related("campaign").first()
    if other is not None:
        place = "is already" if other.state in EnrolmentState.in_play() else "still has a match to play"
        raise RefusedError(
            "company", f"{company.name} {place} in {other.campaign.name}. A company can only be in one campaign."
        )
    orders = {"doctrine": _known_ai_style(locked, doctrine)} if doctrine else {}
    enrolment, is_new = Enrolment.objects.get_or_create(campaign=locked, company=company, defaults={"orders": orders})
    if not is_new:
        if enrolment.state in EnrolmentState.in_play():
            raise RefusedError("company", f"{company.name} has already asked to join.")
        refuse_changed_return(enrolment)
        enrolment.state, enrolment.decision, enrolment.asked_at = EnrolmentState.ASKED, "", timezone.now()
        enrolment.orders = orders or enrolment.orders
        enrolment.save(update_fields=["state", "decision", "asked_at", "orders"])
    if places_free(locked):
        log_campaign_activity(locked, f"{company.name} asked to join", by)
        notify.company_asks(enrolment, by)
    else:
        log_campaign_activity(locked, f"{company.name} asked to join and is on the waiting list", by)
    return enrolment


@transaction.atomic
def enrolment_ask_or_accept(*, campaign: Campaign, company: Company, by: Player, doctrine: str = "") -> Enrolment:
    """Ask for the company to be enrolled; an organiser's own company is in at once if it is fit and there is "
    "a place."""
    asked = enrolment_ask(campaign=campaign, company=company, by=by, doctrine=doctrine)
    if not can_run_campaign(by, asked.campaign):
        return asked
    try:
        return enrolment_accept(enrolment=asked, by=by)
    except RefusedError:
        return asked


@transaction.atomic
def enrolment_accept(*, enrolment: Enrolment, by: Player) -> Enrolment:
    """Accept a company that is legal, or that is excused in exactly its present state."""
    locked = _locked(enrolment, EnrolmentState.ASKED)
    _require_taking_companies(locked.campaign)
    _require_free_place(locked.campaign)
    company_lock(locked.company)
    found = enrolment_check(locked.company, locked.campaign)
    if found.problems and locked.exception_hash != found.hash:
        raise RefusedError(
            "company",
            f"{locked.company.name} has problems: {found.problems[0].message} Fix them or grant an exception first.",
        )
    _decide(locked, EnrolmentState.ACCEPTED, by, "accepted")
    if not places_free(locked.campaign):
        notify.companies_wait(locked.campaign, waiting_list(locked.campaign))
    return locked


@transaction.atomic
def enrolment_decline(*, enrolment: Enrolment, by: Player, reason: str = "") -> Enrolment:
    """Decline a company, with a reason for its player."""
    locked = _locked(enrolment, EnrolmentState.ASKED)
    locked.decision = clean_text("reason", reason, longest=300, may_be_empty=True)
    return _decide(locked, EnrolmentState.DECLINED, by, "declined")


@transaction.atomic
def enrolment_excuse(*, enrolment: Enrolment, by: Player, reason: str) -> Enrolment:
    """Excuse the company's problems in exactly its present state; its next change ends that.

    If an organiser plays, another organiser has to excuse their company, if there is one.
    """
    locked = _locked(enrolment, EnrolmentState.ASKED, EnrolmentState.ACCEPTED)
    own_case = enrolment_own_case(locked, by)
    reason = clean_text("reason", reason, longest=300)
    company_lock(locked.company)
    found = enrolment_check(locked.company, locked.campaign)
    if not found.problems:
        raise RefusedError("company", f"{locked.company.name} has no problems, so it needs no exception.")
    locked.exception_hash, locked.exception_reason = found.hash, reason
    locked.exception_by, locked.exception_at = by, timezone.now()
    worth = company_value(locked.company, company_record(locked.company), locked.campaign)
    locked.excused_points = max(0, worth.fielded)
    locked.save(update_fields=["exception_hash", "exception_reason", "exception_by", "exception_at", "excused_points"])
    Ruling.objects.create(
        campaign=locked.campaign,
        kind=Ruling.Kind.EXCEPTION,
        title=f"Exception for {locked.company.name}",
        reason=reason,
        decision={"hash": found.hash, "problems": [[each.rule, each.message] for each in found.problems]},
        decided_by=by,
    )
    text = f"Granted an exception to {locked.company.name}{own_case}: {reason}"
    log_campaign_activity(locked.campaign, text, by)
    notify.company_excused(locked, by)
    return locked


@transaction.atomic
def enrolment_withdraw(*, enrolment: Enrolment, by: Player) -> Enrolment:
    """Take a company out; its open matches stay to be decided, and it gets no new ones.

    Its next opponent would get a bye, so an organiser who plays leaves this to another: see `withdrawing_own_case`.
    """
    locked = _locked(enrolment, *EnrolmentState.in_play())
    if locked.campaign.state == CampaignState.FINISHED:
        raise RefusedError("campaign", f"{locked.campaign.name} is finished.")
    frees = locked.state == EnrolmentState.ACCEPTED and not places_free(locked.campaign)
    own_case = withdrawing_own_case(locked, by)
    _decide(locked, EnrolmentState.WITHDRAWN, by, f"withdrawn{own_case}")
    if frees:
        seats_fill(campaign=locked.campaign, by=by)
    return locked


def withdrawing_own_case(enrolment: Enrolment, by: Player) -> str:
    """Check an organiser who plays and takes another player's company out. See `organiser_own_case`."""
    campaign = enrolment.campaign
    if by.pk == enrolment.company.owner_id or campaign.state != CampaignState.RUNNING:
        return ""
    what = f"You play in {campaign.name}"
    return organiser_own_case(campaign.club, by, players_in(campaign), field="company", what=what)


@transaction.atomic
def seats_fill(*, campaign: Campaign, by: Player | None) -> list[Enrolment]:
    """Give free places of a locked campaign to the next fit companies on the waiting list, if the campaign does that.

    If it doesn't, notify its organisers instead. A company that isn't fit keeps its place on the list.
    """
    free, waiting = places_free(campaign), waiting_list(campaign)
    if not free or not waiting or campaign.state not in TAKES_COMPANIES:
        return []
    if not campaign.fills_seats:
        notify.place_free(campaign, waiting[0], by)
        return []
    moving_up_lock([campaign])
    moved: list[Enrolment] = []
    for row in waiting:
        found = enrolment_check(row.company, campaign)
        if (
            len(moved) < free
            and row.company.disbanded_at is None
            and not (found.problems and row.exception_hash != found.hash)
        ):
            row.state, row.decided_by, row.decided_at = EnrolmentState.ACCEPTED, None, timezone.now()
            row.save(update_fields=["state", "decided_by", "decided_at"])
            log_campaign_activity(campaign, f"{row.company.name} moved up from the waiting list", None)
            notify.company_moved_up(row)
            moved.append(row)
    return moved


def moving_up_lock(campaigns: Collection[Campaign]) -> None:
    """Lock the companies that may move up in these locked campaigns, by ID.

    To give places of several campaigns, lock the companies of all first: campaign by campaign breaks the order of
    locks.
    """
    rows = Enrolment.objects.filter(campaign__in=campaigns, campaign__fills_seats=True, state=EnrolmentState.ASKED)
    for pk in rows.order_by("company_id").values_list("company_id", flat=True).distinct():
        company_lock(Company(pk=pk), even_disbanded=True)


@transaction.atomic
def orders_set(
    *, enrolment: Enrolment, by: Player, doctrine: str | None = None, standing: Standing | None = None
) -> Enrolment:
    """Set the company's AI style and autoplay orders for when its player is absent; None leaves either as it is."""
    locked = _locked(enrolment, *EnrolmentState.in_play())
    if doctrine is not None:
        locked.orders = {**locked.orders, "doctrine": _known_ai_style(locked.campaign, doctrine)}
    if standing is not None:
        who = [str(pk) for pk in locked.company.units.values_list("pk", flat=True)]
        kept = parse_orders(locked.campaign.system, standing, who=who)
        others = {name: value for name, value in locked.orders.items() if name != "standing"}
        locked.orders = {**others, "standing": kept} if kept else others
    locked.save(update_fields=["orders"])
    return locked


def _locked(enrolment: Enrolment, *states: EnrolmentState) -> Enrolment:
    campaign_lock(enrolment.campaign)
    rows = Enrolment.objects.select_for_update(of=("self",), no_key=True).select_related(
        "campaign__club", "company__owner"
    )
    locked = rows.get(pk=enrolment.pk)
    if locked.state not in states:
        raise RefusedError("company", f"{locked.company.name} is already {locked.get_state_display()}.")
    return locked


def _decide(enrolment: Enrolment, state: EnrolmentState, by: Player, word: str) -> Enrolment:
    enrolment.state, enrolment.decided_by, enrolment.decided_at = state, by, timezone.now()
    enrolment.save(update_fields=["state", "decided_by", "decided_at", "decision"])
    text = f"{enrolment.company.name} was {word}"
    log_campaign_activity(enrolment.campaign, text, by)
    notify.company_decided(enrolment, by)
    return enrolment


def _require_taking_companies(campaign: Campaign) -> None:
    if campaign.state not in TAKES_COMPANIES:
        raise RefusedError(
            "campaign", f"{campaign.name} is {campaign.get_state_display()} and isn't open for sign-ups."
        )


def _require_free_place(campaign: Campaign) -> None:
    if not places_free(campaign):
        reason = f"{campaign.name} is full. New companies join the waiting list."
        raise RefusedError("campaign", reason)


def _known_ai_style(campaign: Campaign, slug: str) -> str:
    if slug not in battle_rules(campaign.system).doctrines:
        raise RefusedError("doctrine", "There is no such AI style.")
    return slug
