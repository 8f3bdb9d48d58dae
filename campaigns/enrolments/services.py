"""How companies enter a campaign: ask, get accepted, declined or excused, withdraw; and their autoplay orders."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.utils import timezone

from campaigns.diary import campaign_diary
from campaigns.enrolments.books import refuse_changed_return
from campaigns.enrolments.mustering import muster_problems
from campaigns.judges import enrolment_own_case, organiser_own_case, players_in
from campaigns.locks import campaign_lock
from campaigns.models import Campaign, CampaignState, Enrolment, EnrolmentState, Membership, Ruling
from campaigns.musters.allowance import company_value
from campaigns.occasions import raised
from campaigns.policy import TAKES_COMPANIES, acts_for, binding_enrolments, can_run_campaign
from campaigns.seats import places_free, waiting_list
from campaigns.standing import Standing, parse_orders
from rosters.ledger.records import company_record
from rosters.models import Company, Player
from rosters.services import RefusedError
from rosters.services._base import clean_text, company_lock
from systems import battle_rules


@transaction.atomic
def enrolment_ask(*, campaign: Campaign, company: Company, by: Player, doctrine: str = "") -> Enrolment:
    """Ask for the company to be enrolled. It may still have problems, which keep it from being accepted unless excused.

    If the campaign is full the company goes on the waiting list, in the order of asking.
    """
    locked, company = campaign_lock(campaign), company_lock(company)
    _require_taking_companies(locked)
    if not acts_for(by, company, locked):
        raise RefusedError("company", "You can enrol companies of your own.")
    if not Membership.objects.filter(club=locked.club, player=company.owner).exists():
        whose = "Join" if company.owner_id == by.pk else f"{company.owner} has to join"
        raise RefusedError("company", f"{whose} {locked.club.name} first.")
    if company.system != locked.system:
        raise RefusedError("company", f"{company.name} plays another rule system.")
    elsewhere = company.enrolments.filter(binding_enrolments()).exclude(campaign__state=CampaignState.FINISHED)
    other = elsewhere.exclude(campaign=locked).select_related("campaign").first()
    if other is not None:
        place = "is" if other.state in EnrolmentState.in_play() else "has a match to play"
        raise RefusedError("company", f"{company.name} {place} in {other.campaign.name}; a company is in one campaign.")
    orders = {"doctrine": _doctrine(locked, doctrine)} if doctrine else {}
    enrolment, is_new = Enrolment.objects.get_or_create(campaign=locked, company=company, defaults={"orders": orders})
    if not is_new:
        if enrolment.state in EnrolmentState.in_play():
            raise RefusedError("company", f"{company.name} has asked already.")
        refuse_changed_return(enrolment)
        enrolment.state, enrolment.decision, enrolment.asked_at = EnrolmentState.ASKED, "", timezone.now()
        enrolment.orders = orders or enrolment.orders
        enrolment.save(update_fields=["state", "decision", "asked_at", "orders"])
    if places_free(locked):
        campaign_diary(locked, f"{company.name} asked to be enrolled", by)
        raised.company_asks(enrolment, by)
    else:
        campaign_diary(locked, f"{company.name} asked to be enrolled, and stands on the waiting list", by)
    return enrolment


@transaction.atomic
def enrolment_ask_or_accept(*, campaign: Campaign, company: Company, by: Player, doctrine: str = "") -> Enrolment:
    """Ask for the company to be enrolled; an organiser's own company is in at once if it is fit and there is a place."""
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
    found = muster_problems(locked.company, locked.campaign)
    if found.problems and locked.exception_hash != found.hash:
        raise RefusedError(
            "company", f"{locked.company.name} has problems: {found.problems[0].message} Mend or excuse them first."
        )
    _decide(locked, EnrolmentState.ACCEPTED, by, "accepted")
    if not places_free(locked.campaign):
        raised.companies_wait(locked.campaign, waiting_list(locked.campaign))
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
    found = muster_problems(locked.company, locked.campaign)
    if not found.problems:
        raise RefusedError("company", f"{locked.company.name} has no problem to excuse.")
    locked.exception_hash, locked.exception_reason = found.hash, reason
    locked.exception_by, locked.exception_at = by, timezone.now()
    worth = company_value(locked.company, company_record(locked.company), locked.campaign)
    locked.excused_points = max(0, worth.fielded)
    locked.save(update_fields=["exception_hash", "exception_reason", "exception_by", "exception_at", "excused_points"])
    Ruling.objects.create(
        campaign=locked.campaign,
        kind=Ruling.Kind.EXCEPTION,
        title=f"{locked.company.name} may muster as it is",
        reason=reason,
        decision={"hash": found.hash, "problems": [[each.rule, each.message] for each in found.problems]},
        by=by,
    )
    text = f"Excused {len(found.problems)} problems of {locked.company.name}{own_case}: {reason}"
    campaign_diary(locked.campaign, text, by)
    raised.company_excused(locked, by)
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
        raised.place_free(campaign, waiting[0], by)
        return []
    moving_up_lock([campaign])
    moved: list[Enrolment] = []
    for row in waiting:
        found = muster_problems(row.company, campaign)
        if (
            len(moved) < free
            and row.company.disbanded_at is None
            and not (found.problems and row.exception_hash != found.hash)
        ):
            row.state, row.decided_by, row.decided_at = EnrolmentState.ACCEPTED, None, timezone.now()
            row.save(update_fields=["state", "decided_by", "decided_at"])
            campaign_diary(campaign, f"{row.company.name} moved up from the waiting list", None)
            raised.company_moved_up(row)
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
        locked.orders = {**locked.orders, "doctrine": _doctrine(locked.campaign, doctrine)}
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
        raise RefusedError("company", f"{locked.company.name} is {locked.get_state_display()} already.")
    return locked


def _decide(enrolment: Enrolment, state: EnrolmentState, by: Player, word: str) -> Enrolment:
    enrolment.state, enrolment.decided_by, enrolment.decided_at = state, by, timezone.now()
    enrolment.save(update_fields=["state", "decided_by", "decided_at", "decision"])
    text = f"{enrolment.company.name} was {word}"
    campaign_diary(enrolment.campaign, text, by)
    raised.company_decided(enrolment, by)
    return enrolment


def _require_taking_companies(campaign: Campaign) -> None:
    if campaign.state not in TAKES_COMPANIES:
        raise RefusedError("campaign", f"{campaign.name} is {campaign.get_state_display()}; it takes no companies.")


def _require_free_place(campaign: Campaign) -> None:
    if not places_free(campaign):
        reason = f"{campaign.name} is full: {campaign.seats} companies. Who asks stands on the waiting list."
        raise RefusedError("campaign", reason)


def _doctrine(campaign: Campaign, slug: str) -> str:
    if slug not in battle_rules(campaign.system).doctrines:
        raise RefusedError("doctrine", "There is no such doctrine.")
    return slug
