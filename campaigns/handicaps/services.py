"""A side asks for a handicap, a worker calculates it, and it counts once both sides have agreed to the proposal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from django.db import transaction

from campaigns.activity_log import log_match_activity
from campaigns.army_lists.checks import (
    basis_of_match,
    changes_of,
    handicap_cancel,
    public_estimate_buyer,
    public_estimate_list,
)
from campaigns.army_lists.documents import ListDocument, list_within_limit
from campaigns.army_lists.handicaps import (
    HandicapOffer,
    TriedOffer,
    chance_of,
    describe_handicap,
    propose_from,
    proposed_offer,
    stronger_side,
    try_offer,
    unit_points,
    with_chosen_styles,
)
from campaigns.army_lists.purchases import build_setup_units, buys_units_per_match, default_purchases, limit_points
from campaigns.house_rules import round_house_rules
from campaigns.locks import companies_lock, match_lock, require_running, require_undecided, side_enrolment
from campaigns.models import Handicap, Match, RoundState
from campaigns.notifications import notify
from rosters.documents.snapshots import fielded, unit_key
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.services import RefusedError
from rosters.site.job_runs import wake
from systems import season_rules
from systems.documents import DocumentError
from systems.season import OBJECTIVE, POINTS, SUPPORT
from systems.setups import canonical

POINT_PERCENTAGES = range(95, 45, -5)  # percentages of the stronger side's points to try
AT_WORK = (JobStatus.QUEUED, JobStatus.RUNNING)


@transaction.atomic
def handicap_ask(*, match: Match, by: Player) -> Handicap:
    """Start calculating a handicap for a match whose lists aren't revealed. A running calculation continues.

    Raise RefusedError if one is agreed. A proposed one is calculated again, because its companies may have changed.
    """
    locked = _lock(match)
    known = Handicap.objects.filter(match=locked).first()
    if known is not None and known.is_agreed:
        raise RefusedError("handicap", "Both sides have agreed to a handicap, so it can't be changed.")
    if known is not None and known.status in AT_WORK:
        return known
    if known is not None:
        known.delete()
    job = Handicap.objects.create(match=locked, asked_by=by)
    log_match_activity(locked, f"Asked for a handicap in {locked.round}, {locked}", by)
    transaction.on_commit(lambda: wake("campaigns.tasks.handicap_count", job.pk))
    return job


def handicap_answer(*, match: Match, side: int, agrees: bool, kind: str, value: int, by: Player) -> Handicap:
    """Save a side's answer to the proposal, named by kind and value. It can be withdrawn until both have agreed.

    Nobody can agree to a proposal whose basis has changed: it is cancelled, and both sides learn why.
    """
    row = _save_answer(match=match, side=side, agrees=agrees, kind=kind, value=value, by=by)
    if not row.kind:
        raise RefusedError("handicap", row.reason)  # raised only now, after the cancellation is committed
    return row


@transaction.atomic
def _save_answer(*, match: Match, side: int, agrees: bool, kind: str, value: int, by: Player) -> Handicap:
    locked = _lock(match)
    row = Handicap.objects.filter(match=locked).first()
    if row is None or not row.kind or row.status != JobStatus.DONE:
        raise RefusedError("handicap", "No handicap is proposed.")
    if (row.kind, row.value) != (kind, value):
        raise RefusedError("handicap", "There is a newer proposal. Look at that one.")
    if row.is_agreed:
        raise RefusedError("handicap", "Both sides have agreed to it, so it can't be changed.")
    if agrees:
        companies_lock(locked)
        if changes := changes_of(locked, row):
            handicap_cancel(locked, row, changes)
            return row
    has_agreed, others = side in row.agreed, [each for each in row.agreed if each != side]
    row.agreed = sorted([*others, side] if agrees else others)
    row.save(update_fields=["agreed"])
    if row.is_agreed and (scenario := proposed_offer(row).get("scenario")):
        locked.scenario = scenario  # used to buy units, to play, and for the battle's record
        locked.save(update_fields=["scenario"])
    name = side_enrolment(locked, side).company.name
    verb = "agreed to" if agrees else "no longer agrees to"
    description = describe_handicap(locked, row)
    log_match_activity(locked, f"{name} {verb} the handicap in {locked.round}, {locked}: {description}", by)
    if agrees and not has_agreed:
        notify.handicap_agreed(locked, side, description, by, holds=row.is_agreed)
    return row


def handicap_calculate(*, job: Handicap) -> bool:
    """Calculate the handicap of a claimed job. Return False if the claim was lost meanwhile."""
    match = _read(job.match_id)
    try:
        forces = (public_estimate_list(match, 0), public_estimate_list(match, 1))
        basis = basis_of_match(match, forces)
        chance, styles = chance_of(basis)
        basis = with_chosen_styles(basis, styles)
    except (RefusedError, DocumentError) as error:
        return job.finish(reason=f"The odds couldn't be calculated: {error.reason}"[:300])
    side = stronger_side(chance)
    if side is None:
        reason = "The odds are close enough to even, so no handicap is needed."
        return job.finish(basis=basis, chance=chance, reason=reason)
    tried: list[TriedOffer] = []
    for offer in _offers(match, side, forces, basis["rolls"]):
        tried.append(try_offer(basis, side, offer))
        if not job.renew(tried=tried):
            return False
    found = propose_from(chance, tried)
    if found["kind"]:
        return _save_proposal(job, match, basis=basis, tried=tried, **found)
    name = side_enrolment(match, side).company.name
    reason = f"Nothing {name} could give up brings the odds closer to even."
    return job.finish(basis=basis, tried=tried, reason=reason[:300], **found)


@transaction.atomic
def _save_proposal(job: Handicap, match: Match, **found: object) -> bool:
    """Finish the job with its result and notify both sides. Return False if the claim was lost meanwhile."""
    locked = match_lock(match)  # so that its lists aren't revealed in between
    if not job.finish(**found):
        return False
    if locked.setup is not None:
        return True  # too late to agree
    row = Handicap.objects.get(pk=job.pk)
    assert row.chance is not None
    assert row.chance_with is not None
    notify.handicap_proposed(match, describe_handicap(match, row), row.chance, row.chance_with)
    return True


# --- parts ------------------------------------------------------------------------------------------------------------


def _offers(
    match: Match, side: int, forces: tuple[ListDocument, ListDocument], rolls: Sequence[int]
) -> Iterator[HandicapOffer]:
    """Yield what the stronger side can give up in its game, smallest first."""
    campaign = match.round.campaign
    rules = season_rules(campaign.system)
    kinds = rules.gives_up
    if POINTS in kinds:
        yield from (
            _smaller_budgets(match, side, forces[side])
            if buys_units_per_match(campaign)
            else _lighter_lists(match, side, forces[side])
        )
    if SUPPORT in kinds:
        for fewer in range(1, rolls[side] + 1):
            left_rolls = [count - fewer * (at == side) for at, count in enumerate(rolls)]
            yield HandicapOffer(kind=SUPPORT, value=fewer, rolls=left_rolls)
    if OBJECTIVE in kinds:
        for each in rules.concessions(match.scenario, side):
            yield HandicapOffer(kind=OBJECTIVE, value=each.value, told=each.task, scenario=dict(each.scenario))


def _lighter_lists(match: Match, side: int, force: ListDocument) -> Iterator[HandicapOffer]:
    """Yield offers of lighter parts of the list that the side would field."""
    campaign, company = match.round.campaign, side_enrolment(match, side).company
    units = force["units"]
    specs = [unit.spec for unit in fielded(company, units)]
    worth = sum(unit_points(campaign, specs, round_house_rules(match.round)))
    seen, known = {tuple(units)}, {unit_key(pk) for pk in units}
    for part in POINT_PERCENTAGES:
        limit = worth * part // 100
        lighter = list_within_limit(match, side, force, limit)
        if lighter is None or tuple(lighter["units"]) in seen:
            continue
        seen.add(tuple(lighter["units"]))
        left = [unit_key(pk) for pk in lighter["units"]]
        if not known.issuperset(left):
            continue  # not a part of the list the odds were calculated from: a unit joined or rests
        yield HandicapOffer(kind=POINTS, value=limit, units=left)


def _smaller_budgets(match: Match, side: int, force: ListDocument) -> Iterator[HandicapOffer]:
    """Yield offers of fewer points to buy units with, and what the side would buy with them by default."""
    buyer = public_estimate_buyer(match, side)
    seen = {canonical(build_setup_units(buyer, force["buys"]))}
    for part in POINT_PERCENTAGES if buyer.points else ():
        limit = (buyer.points or 0) * part // 100
        poorer = limit_points(buyer, limit)
        try:
            bought = build_setup_units(poorer, default_purchases(poorer))
        except RefusedError:
            continue  # too few points for a legal list
        if canonical(bought) in seen:
            continue
        seen.add(canonical(bought))
        offer = HandicapOffer(kind=POINTS, value=limit, bought=bought)
        if poorer.scenario != match.scenario:
            assert isinstance(poorer.scenario, Mapping)  # only published ones are named by slug
            offer["scenario"] = dict(poorer.scenario)
        yield offer


def _lock(match: Match) -> Match:
    """Lock the match. Raise RefusedError if a handicap can't be agreed to any more."""
    locked = match_lock(match)
    require_undecided(locked)
    require_running(locked.round.campaign)
    if not locked.round.campaign.handicaps:
        raise RefusedError("handicap", f"{locked.round.campaign.name} doesn't use handicaps.")
    if locked.round.state == RoundState.PLANNED or locked.defender is None:
        raise RefusedError("handicap", "This match has no opponent to agree with.")
    if locked.setup is not None:
        raise RefusedError("handicap", "The lists of this match are already revealed.")
    return locked


def _read(pk: int) -> Match:
    rows = Match.objects.select_related("round__campaign__club", "attacker__company__owner", "defender__company__owner")
    return rows.get(pk=pk)
