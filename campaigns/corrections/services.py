"""Correct a decided match: undo or change it, by new ledger entries only. Decision 10."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from campaigns.corrections.lines import CorrectionPreview
from campaigns.diary import match_diary
from campaigns.income.services import incomes_write
from campaigns.judges import check_judge, mark_consents_used
from campaigns.locks import campaign_lock, match_lock
from campaigns.models import Correction, CorrectionMode, DecidedBy, Match, MatchState, Ruling
from campaigns.occasions import raised
from campaigns.policy import judge_refusal
from campaigns.results.report import MatchReport
from campaigns.results.settling import battle_figures, battle_from_report
from rosters.models import Company, Player
from rosters.services import RefusedError, company_correct
from rosters.services._base import clean_text, company_lock

from .plan import CorrectedResult, CorrectionPlan, VerdictWithoutBattle, correction_plan, describe_verdict
from .table import Verdict

MAX_REASON_LENGTH = 2000
MAX_TRIES = 5


class _MoreLocksNeededError(Exception):
    """The plan affects more rows than were locked for it."""

    def __init__(self, plan: CorrectionPlan) -> None:
        self.plan = plan


def correction_preview(*, match: Match, after: CorrectedResult, mode: CorrectionMode, by: Player | None) -> CorrectionPreview:
    """Return everything that the correction would do. Changes nothing.

    If it isn't possible in this mode or for this judge, the preview has a refusal. `by` None: any judge.
    """
    try:
        plan = correction_plan(match, after, mode)
        if by is not None:
            _check_judge(plan, match, by)
        return plan.preview
    except RefusedError as error:
        if error.field not in ("mode", "judge"):
            raise
        return CorrectionPreview(match=str(match.key), mode=mode, outcome_before="", outcome_after="", refusal=error.reason)


def correction_apply(
    *, match: Match, after: CorrectedResult, mode: CorrectionMode, reason: str, by: Player, token: str
) -> Correction:
    """Make the correction that the preview with this token showed.

    Raise RefusedError if anything has changed since, or if `by` may not judge the match because they play it.

    Locks: the campaign, then matches, then companies, each in order of their ids. The plan shows what has to be locked,
    so it is made once before and once under the locks.
    """
    said = clean_text("reason", " ".join(reason.split()), longest=MAX_REASON_LENGTH)
    plan = correction_plan(_refetch_match(match), after, mode)
    for _ in range(MAX_TRIES):
        try:
            return _apply(match, after, mode, said, by, token, plan)
        except _MoreLocksNeededError as wider:
            plan = wider.plan
    raise RefusedError("match", "Others are changing these companies just now; try again in a moment.")


@transaction.atomic
def _apply(
    match: Match, after: CorrectedResult, mode: CorrectionMode, reason: str, by: Player, token: str, foreseen: CorrectionPlan
) -> Correction:
    campaign_lock(match.round.campaign)
    pks = sorted({match.pk, *foreseen.flags})
    list(Match.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=pks).order_by("pk"))
    locked = match_lock(match)
    for company in Company.objects.filter(pk__in=foreseen.records).order_by("pk"):
        company_lock(company, even_disbanded=True)
    plan = correction_plan(locked, after, mode)
    if not (set(plan.records) <= set(foreseen.records) and set(plan.flags) <= set(pks)):
        raise _MoreLocksNeededError(plan)
    if plan.preview.token != token:
        raise RefusedError("token", "Something has changed since this preview was made; look at the new one first.")
    own_case = _check_judge(plan, locked, by)
    before = _outcome_to_dict(locked)
    for pk, acts in sorted(plan.acts.items()):
        company_correct(company=Company.objects.get(pk=pk), match=str(locked.key), by=by, acts=acts)
    incomes_write(plan.incomes)
    _decide(locked, plan.verdict, mode, reason, by)
    for flagged in Match.objects.filter(pk__in=plan.flags).exclude(pk=locked.pk):
        flagged.flag = plan.flags[flagged.pk]
        flagged.save(update_fields=["flag"])
    return _write_correction(locked, after, mode, reason, by, before, plan, own_case)


def _check_judge(plan: CorrectionPlan, match: Match, by: Player) -> str:
    """Refuse a judge who may not judge the match, or a match that is booked again with it.

    Return what the activity log adds if the judge plays in one of them.
    """
    own_case = check_judge(match, by)
    if own_case and plan.verdict.state == MatchState.BYE:
        name = match.attacker.company.name
        raise RefusedError("judge", f"{name} is yours, so another organiser or arbiter has to give it this bye.")
    for later in plan.anew:
        if why := judge_refusal(by, later):
            raise RefusedError("mode", f"This books {later.round}, {later} anew. {why}")
        own_case = own_case or check_judge(later, by)
    return own_case


def _decide(match: Match, verdict: Verdict, mode: CorrectionMode, reason: str, by: Player) -> None:
    planned = verdict.battle
    match.battle = battle_from_report(match, planned.result or {}, planned.key) if planned is not None else None
    match.state, match.outcome, match.decided_by = verdict.state, verdict.outcome, DecidedBy.RULING
    match.decided_at, match.decider = timezone.now(), by
    match.figures = battle_figures(match.battle) if match.battle is not None else {}
    flag = f"Corrected by a ruling; the ledgers were left as they were: {reason}"
    match.flag = flag[:300] if mode == CorrectionMode.FLAG else ""
    match.save(update_fields=["state", "outcome", "decided_by", "decided_at", "decider", "battle", "figures", "flag"])


def _write_correction(
    match: Match,
    after: CorrectedResult,
    mode: CorrectionMode,
    reason: str,
    by: Player,
    before: dict[str, object],
    plan: CorrectionPlan,
    own_case: str,
) -> Correction:
    """Write the ruling, the correction and the line in the activity log."""
    ruling = Ruling.objects.create(
        campaign=match.round.campaign,
        match=match,
        kind=Ruling.Kind.CORRECTION,
        title=f"{match.round}, {match}"[:120],
        reason=reason,
        decision=_after_to_dict(after) or {},
        by=by,
    )
    correction = Correction.objects.create(
        match=match,
        ruling=ruling,
        mode=mode,
        before=before,
        after=None if after is None else {**_outcome_to_dict(match), "report": _after_to_dict(after)},
        effects=plan.preview.to_json(),
    )
    done = "undone" if after is None else f"now {describe_verdict(match.state, match.outcome)}"
    mark_consents_used([match, *plan.anew], ruling)
    text = f"{match.round}, {match}: corrected, {done} ({correction.mode}){own_case}: {reason}"
    match_diary(match, text, by)
    raised.match_corrected(correction, done, plan.acts, by)
    return correction


def _refetch_match(match: Match) -> Match:
    rows = Match.objects.select_related(
        "round__campaign__club", "attacker__company__owner", "defender__company__owner", "dice", "battle", "territory"
    )
    return rows.get(pk=match.pk)


def _outcome_to_dict(match: Match) -> dict[str, object]:
    """Return what a correction stores about how a match was decided."""
    return {
        "state": match.state,
        "outcome": match.outcome,
        "decided_by": match.decided_by,
        "battle": str(match.battle.key) if match.battle else "",
    }


def _after_to_dict(after: CorrectedResult) -> dict[str, object] | None:
    if isinstance(after, MatchReport):
        return after.model_dump(mode="json")
    if isinstance(after, VerdictWithoutBattle):
        return {"state": after.state, "outcome": after.outcome}
    return None
