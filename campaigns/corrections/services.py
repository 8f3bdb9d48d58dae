"""Correct decided matches, and adjust companies by a ruling. Both only add ledger entries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction
from django.utils import timezone

from campaigns.activity_log import log_campaign_activity, log_match_activity
from campaigns.arbiters import adjusting_own_case, check_judge, mark_consents_used
from campaigns.corrections.adjustment_plan import (
    Adjustment,
    AdjustmentPlan,
    AdjustmentPreview,
    NewUnit,
    adjustment_plan,
    locked_by_matches_reason,
    validate_adjustments,
)
from campaigns.corrections.effects import CorrectionPreview, Verdict
from campaigns.corrections.plan import (
    CorrectedResult,
    CorrectionPlan,
    VerdictWithoutBattle,
    correction_plan,
    describe_verdict,
)
from campaigns.locks import campaign_lock, match_lock
from campaigns.models import (
    Campaign,
    Correction,
    CorrectionMode,
    DecidedBy,
    Enrolment,
    EnrolmentState,
    Match,
    MatchState,
    Ruling,
)
from campaigns.notifications import notify
from campaigns.policy import TAKES_COMPANIES, judge_refusal
from campaigns.results.decisions import battle_figures, battle_from_report
from campaigns.results.reports import MatchReport
from campaigns.territories.services import incomes_write
from rosters.entries.company import Renamed, Reversed
from rosters.entries.units_and_pilots import Assigned
from rosters.ledger.drafts import Draft
from rosters.ledger.projection import describe_entry, plain, project_entries
from rosters.ledger.records import ADJUSTMENT, adjustment_ref, company_entries
from rosters.models import Company, LedgerEntry, Pilot, Player, Unit, UnitStatus
from rosters.services import RefusedError, company_correct
from rosters.services.base import Act, clean_lines, clean_text, company_lock
from rosters.services.companies import MAX_PILOTS
from rosters.services.results import drafts_write
from rosters.services.units import MAX_UNITS
from systems import roster_rules
from systems.ledger import ACTIVE, READY, WOUNDED, CompanyRecord, Subject

MAX_REASON_LENGTH = 2000
MAX_TRIES = 5


class _MoreLocksNeededError(Exception):
    """The plan affects more rows than were locked for it."""

    def __init__(self, plan: CorrectionPlan) -> None:
        self.plan = plan


def correction_preview(
    *, match: Match, after: CorrectedResult, mode: CorrectionMode, by: Player | None
) -> CorrectionPreview:
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
        return CorrectionPreview(
            match=str(match.key), mode=mode, outcome_before="", outcome_after="", refusal=error.reason
        )


def correction_apply(
    *, match: Match, after: CorrectedResult, mode: CorrectionMode, reason: str, by: Player, token: str
) -> Correction:
    """Make the correction that the preview with this token showed.

    Raise RefusedError if anything has changed since, or if `by` may not judge the match because they play it.

    Locks: the campaign, then matches, then companies, each in order of their ids. The plan shows what has to be locked,
    so it is made once before and once under the locks.
    """
    cleaned_reason = clean_text("reason", " ".join(reason.split()), longest=MAX_REASON_LENGTH)
    plan = correction_plan(_refetch_match(match), after, mode)
    for _ in range(MAX_TRIES):
        try:
            return _apply(match, after, mode, cleaned_reason, by, token, plan)
        except _MoreLocksNeededError as wider:
            plan = wider.plan
    raise RefusedError("match", "Somebody else is changing these companies. Try again in a moment.")


@transaction.atomic
def _apply(
    match: Match,
    after: CorrectedResult,
    mode: CorrectionMode,
    reason: str,
    by: Player,
    token: str,
    foreseen: CorrectionPlan,
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
        raise RefusedError("token", "Something has changed since this preview. Check the new one first.")
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

    Return a note for the activity log if the judge plays in one of them.
    """
    own_case = check_judge(match, by)
    if own_case and plan.verdict.state == MatchState.BYE:
        name = match.attacker.company.name
        raise RefusedError("judge", f"{name} is yours, so another organiser or arbiter has to give it this bye.")
    for later in plan.rebooked:
        if why := judge_refusal(by, later):
            raise RefusedError("mode", f"This recalculates {later.round}, {later}. {why}")
        own_case = own_case or check_judge(later, by)
    return own_case


def _decide(match: Match, verdict: Verdict, mode: CorrectionMode, reason: str, by: Player) -> None:
    planned = verdict.battle
    match.battle = battle_from_report(match, planned.result or {}, planned.key) if planned is not None else None
    match.state, match.outcome, match.decided_by = verdict.state, verdict.outcome, DecidedBy.RULING
    match.decided_at, match.decider = timezone.now(), by
    match.figures = battle_figures(match.battle) if match.battle is not None else {}
    flag = f"Corrected by a ruling, without changing the ledgers: {reason}"
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
        decided_by=by,
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
    mark_consents_used([match, *plan.rebooked], ruling)
    text = f"{match.round}, {match}: corrected, {done} ({correction.mode}){own_case}: {reason}"
    log_match_activity(match, text, by)
    notify.match_corrected(correction, done, plan.acts, by)
    return correction


def _refetch_match(match: Match) -> Match:
    rows = Match.objects.select_related(
        "round__campaign__club", "attacker__company__owner", "defender__company__owner", "dice", "battle", "territory"
    )
    return rows.get(pk=match.pk)


def _outcome_to_dict(match: Match) -> dict[str, object]:
    """Return the part of a match's decision that a correction stores."""
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


MIN_REASON, MAX_REASON = 3, 300
MAX_SENTENCES = 3  # how many fit into the activity log
IGNORED_KINDS = (Assigned.slug, Renamed.slug)  # acts of a player after which a ruling can still be undone


def adjustment_preview(
    *, enrolment: Enrolment, asked: Sequence[Adjustment], by: Player | None = None
) -> AdjustmentPreview:
    """Return everything that the ruling would do; changes nothing.

    Raise DocumentError or RefusedError if it isn't possible, or not for this judge.
    """
    _check_adjustable(enrolment)
    if by is not None:
        adjusting_own_case(enrolment, by)
    return adjustment_plan(enrolment, validate_adjustments(asked)).preview


@transaction.atomic
def adjustment_create(
    *, enrolment: Enrolment, asked: Sequence[Adjustment], reason: str, by: Player, token: str
) -> Ruling:
    """Make the adjustments that the preview with this token showed. Refuse if the company has changed since.

    Judges leave a ruling on their own company to another arbiter or organiser if there is one; if there is none, the
    activity log says that they ruled on their own case.
    """
    campaign = campaign_lock(enrolment.campaign)
    company = company_lock(enrolment.company)
    row = Enrolment.objects.select_related("campaign__club", "company__owner").get(pk=enrolment.pk)
    row.company = company
    _check_adjustable(row)
    own_case = adjusting_own_case(row, by)
    cleaned_reason = _clean_reason(reason)
    plan = adjustment_plan(row, validate_adjustments(asked))
    if plan.preview.token != token:
        raise RefusedError("token", "Something has changed since this preview. Check the new one first.")
    ruling = _write_ruling(
        campaign,
        f"{company.name} adjusted",
        cleaned_reason,
        by,
        enrolment=row.pk,
        company=company.pk,
        adjustments=[each.model_dump(mode="json", exclude_none=True) for each in asked],
        told=list(plan.preview.sentences),
    )
    _write_adjustment(company, plan, ruling, by)
    log_campaign_activity(
        campaign, f"Adjusted {company.name}{own_case}: {_join_sentences(plan.preview.sentences)}. {cleaned_reason}", by
    )
    notify.company_adjusted(row, ruling, _join_sentences(plan.preview.sentences), by)
    return ruling


@transaction.atomic
def adjustment_undo(*, ruling: Ruling, reason: str, by: Player) -> Ruling:
    """Undo a ruling on a company, by another ruling. Refuse if a unit or pilot it changed has been used since."""
    campaign = campaign_lock(ruling.campaign)
    enrolment = _enrolment(ruling)
    company = company_lock(enrolment.company, even_disbanded=True)
    enrolment.company = company
    _check_adjustable(enrolment)
    own_case = adjusting_own_case(enrolment, by)
    cleaned_reason = _clean_reason(reason)
    entries = unreversed_entries(ruling, company)
    if why := _undo_refusal(company, entries):
        raise RefusedError("ruling", why)
    sentences = describe_entries(company, entries)
    made = _write_ruling(
        campaign, f"{company.name}: adjustment undone", cleaned_reason, by, enrolment=enrolment.pk, company=company.pk,
        undoes=ruling.pk, told=list(sentences),
    )  # fmt: skip
    act = Act(company, by, cause=ADJUSTMENT, cause_ref=adjustment_ref(campaign.pk, made.pk))
    drafts_write(act, _reversals(company, entries))
    log_campaign_activity(
        campaign, f"Undid a ruling on {company.name}{own_case}: {_join_sentences(sentences)}. {cleaned_reason}", by
    )
    notify.adjustment_undone(enrolment, made, _join_sentences(sentences), by)
    return made


def adjustment_undo_refusal(ruling: Ruling) -> str:
    """Return why a ruling on a company can't be undone now, or an empty string if it can."""
    try:
        enrolment = _enrolment(ruling)
        _check_adjustable(enrolment)
    except RefusedError as error:
        return error.reason
    company = enrolment.company
    return _undo_refusal(company, unreversed_entries(ruling, company))


def unreversed_entries(ruling: Ruling, company: Company) -> list[LedgerEntry]:
    """Return the ledger entries of the ruling that are not reversed, oldest first."""
    ref = adjustment_ref(ruling.campaign_id, ruling.pk)
    rows = company.ledger.filter(cause=ADJUSTMENT, cause_ref=ref, reverses=None, reversed_by=None)
    return list(rows.select_related("unit", "pilot").order_by("pk"))


def describe_entries(company: Company, entries: Sequence[LedgerEntry]) -> tuple[str, ...]:
    """Describe each entry in a sentence, without the reason."""
    words = roster_rules(company.system, company.catalogue_release).words
    found = []
    for entry in entries:
        facts = {name: value for name, value in entry.facts.items() if name != "adjusted"}
        unit, pilot = (Subject(row.pk, row.name) if row else None for row in (entry.unit, entry.pilot))
        text = plain(describe_entry(entry.kind, facts, unit, pilot, words))
        found.append(f"{text} ({entry.points:+d})" if entry.points else text)
    return tuple(found)


def _undo_refusal(company: Company, entries: Sequence[LedgerEntry]) -> str:
    if not entries:
        return "This ruling has already been undone."
    units = [entry.unit_id for entry in entries if entry.unit_id]
    pilots = [entry.pilot_id for entry in entries if entry.pilot_id]
    later = company.ledger.filter(pk__gt=entries[-1].pk, reverses=None, reversed_by=None).exclude(
        kind__in=IGNORED_KINDS
    )
    since = (later.filter(unit__in=units) | later.filter(pilot__in=pilots)).select_related("unit", "pilot").first()
    if since is not None:
        (text,) = describe_entries(company, [since])
        return f"This can't be undone because of a later entry: {text}. Make a new adjustment instead."
    if (units or pilots) and (held := locked_by_matches_reason(company)):
        return held
    facts = company_entries(company)
    newest = facts[-1].id
    taken = [draft.posted(newest + at) for at, draft in enumerate(_reversals(company, entries), start=1)]
    before, after = project_entries(facts), project_entries([*facts, *taken])
    if after.balance < 0:
        return f"{company.name} has already spent what the ruling gave it."
    if crowded := _describe_overflow(before, after):
        return f"{company.name} has no room for what the ruling took: {crowded}"
    return ""


def _describe_overflow(before: CompanyRecord, after: CompanyRecord) -> str:
    """Return which limit the company would exceed, by more than it does now; empty if none."""
    counts = [
        (
            sum(pilot.status in (ACTIVE, WOUNDED) for pilot in record.pilots.values()),
            sum(unit.status == READY for unit in record.units.values()),
        )
        for record in (before, after)
    ]
    for (had, has), most, what in zip(
        zip(*counts, strict=True), (MAX_PILOTS, MAX_UNITS), ("pilots", "units"), strict=True
    ):
        if has > max(had, most):
            return f"it can have at most {most} {what}."
    return ""


def _reversals(company: Company, entries: Sequence[LedgerEntry]) -> list[Draft]:
    return [
        Draft(
            kind=Reversed.slug,
            unit=entry.unit_id,
            pilot=entry.pilot_id,
            points=-entry.points,
            facts={"kind": entry.kind, "ruling": company.name},
            reverses=entry.pk,
        )
        for entry in reversed(entries)
    ]


def _write_adjustment(company: Company, plan: AdjustmentPlan, ruling: Ruling, by: Player) -> None:
    """Write the new units and pilots, then the entries as one act, and update the company's rows."""
    place = company.units.filter(status=UnitStatus.READY).count()
    units = {key: _write_unit(company, new, place + at) for at, (key, new) in enumerate(plan.units.items())}
    pilots = {
        key: Pilot.objects.create(company=company, name=new.name, callsign=new.callsign).pk
        for key, new in plan.pilots.items()
    }
    drafts = [
        replace(
            draft,
            unit=draft.unit if draft.unit is None else units.get(draft.unit, draft.unit),
            pilot=draft.pilot if draft.pilot is None else pilots.get(draft.pilot, draft.pilot),
        )
        for draft in plan.drafts
    ]
    drafts_write(Act(company, by, cause=ADJUSTMENT, cause_ref=adjustment_ref(ruling.campaign_id, ruling.pk)), drafts)


def _write_unit(company: Company, new: NewUnit, position: int) -> int:
    row = Unit.objects.create(
        company=company, name=new.name, design_name=new.design_name, spec=dict(new.spec), position=position
    )
    return row.pk


def _write_ruling(campaign: Campaign, title: str, reason: str, by: Player, **decision: object) -> Ruling:
    return Ruling.objects.create(
        campaign=campaign,
        kind=Ruling.Kind.ADJUSTMENT,
        title=title[:120],
        reason=reason,
        decision=decision,
        decided_by=by,
    )


def _enrolment(ruling: Ruling) -> Enrolment:
    """Return the enrolment that a ruling on a company is about. Raise RefusedError if there is none."""
    pk = ruling.decision.get("enrolment") if ruling.kind == Ruling.Kind.ADJUSTMENT else None
    rows = Enrolment.objects.select_related("campaign__club", "company__owner")
    row = rows.filter(pk=pk, campaign=ruling.campaign_id).first() if pk else None
    if row is None:
        raise RefusedError("ruling", "This ruling isn't about a company.")
    return row


def _check_adjustable(enrolment: Enrolment) -> None:
    campaign = enrolment.campaign
    if enrolment.state != EnrolmentState.ACCEPTED:
        raise RefusedError("company", f"{enrolment.company.name} isn't in {campaign.name}.")
    if campaign.state not in TAKES_COMPANIES:
        raise RefusedError(
            "campaign", f"{campaign.name} is {campaign.get_state_display()}, so its companies can't be adjusted."
        )


def _clean_reason(reason: str) -> str:
    text = clean_lines("reason", reason, longest=MAX_REASON)
    if len(text) < MIN_REASON:
        raise RefusedError("reason", "Give a reason. Everybody who can see the campaign can read it.")
    return " ".join(text.split())


def _join_sentences(sentences: Sequence[str]) -> str:
    more = len(sentences) - MAX_SENTENCES
    return f"{'; '.join(sentences[:MAX_SENTENCES])}{f' and {more} more' if more > 0 else ''}"
