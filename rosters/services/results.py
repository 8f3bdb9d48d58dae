"""Write the effects of battles on companies, units and pilots, once per battle, and undo a company's last act.

An undo writes entries that reverse the act, and updates the rows to match the ledger; the effects of a battle are undone
with it. The campaign rules decide levels, skills and fates; this module gets them as plain facts.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import transaction

from rosters import hooks
from rosters.entries.company import ReleaseAdopted, Reversed
from rosters.entries.units_and_pilots import SkillGained
from rosters.ledger.drafts import Aftermath, Draft, UnitResult, aftermath_drafts, result_drafts
from rosters.ledger.projection import describe_entry, plain
from rosters.ledger.records import (
    RULING,
    company_fields,
    company_record,
    differing,
    last_act,
    pilot_fields,
    undo_refusal,
    unit_fields,
)
from rosters.models import Company, LedgerEntry, Pilot, PilotStatus, Player, Unit
from rosters.services.base import Act, company_lock, money_of, own, rules_of
from rosters.site.exceptions import RefusedError, StaleEditError
from systems.ledger import CompanyRecord, Subject
from systems.text import pluralize

MAX_QUOTED_ENTRIES = 3  # max entries of an act that an error quotes


@transaction.atomic
def undo_last_act(*, company: Company, by: Player, act: uuid.UUID | None = None) -> list[LedgerEntry]:
    """Undo the last act and return the reversed entries. StaleEditError if `act` is given and is not the last.

    Requests from pages and the API name the act that the user saw, so of several simultaneous requests only one
    succeeds.
    """
    locked = company_lock(company, even_disbanded=True)
    entries = last_act(locked)
    reason = undo_refusal(entries)
    if act is not None and (not entries or entries[0].act != act):
        raise StaleEditError(
            "act", f"That's no longer the last change. {reason or _describe_last_act(locked, entries)}"
        )
    if reason:
        raise RefusedError("act", reason)
    if any(entry.kind == ReleaseAdopted.slug for entry in entries) and (kept := hooks.release_kept(locked)):
        raise RefusedError("act", kept)
    before = sum(reserve.points for reserve in hooks.reserves_on(locked))
    reverse_act(locked, entries[0].act, by)
    reserves = hooks.reserves_on(locked)
    if sum(reserve.points for reserve in reserves) > before:
        raise RefusedError("points", f"This can't be undone any more. {reserves[0].reason}")
    return entries


def _describe_last_act(company: Company, entries: list[LedgerEntry]) -> str:
    """Return a sentence about the current last act, with its key."""
    words = rules_of(company).words
    sentences = [
        plain(describe_entry(row.kind, row.facts, _subject(row.unit), _subject(row.pilot), words)) for row in entries
    ]
    more = f" and {len(sentences) - MAX_QUOTED_ENTRIES} more" if len(sentences) > MAX_QUOTED_ENTRIES else ""
    return f"The last change is now {entries[0].act}: {'; '.join(sentences[:MAX_QUOTED_ENTRIES])}{more}."


def _subject(row: Unit | Pilot | None) -> Subject | None:
    return Subject(row.pk, row.name) if row else None


def reverse_act(company: Company, act: uuid.UUID, by: Player) -> None:
    """Reverse the last act of a locked company. RefusedError if `act` is not the last, or its points are spent."""
    entries = last_act(company)
    if not entries or entries[0].act != act:
        raise RefusedError("act", "Something else happened since. Undo that first.")
    writer = Act(company, by, cause="undo")
    for entry in reversed(entries):
        writer.write(
            Reversed,
            unit=entry.unit,
            pilot=entry.pilot,
            points=-entry.points,
            facts={"kind": entry.kind},
            reverses=entry,
        )
    record = company_record(company)
    if record.balance < 0:
        raise RefusedError("points", "You've already spent the points it gave you.")
    restore(company, record)


def restore(company: Company, record: CompanyRecord) -> None:
    """Update the rows of the company, its units and its pilots to match the ledger."""
    for field, value in company_fields(company, record).items():
        setattr(company, field, value)
    company.save()
    units = list(Unit.objects.filter(company=company))
    changed = [unit for unit in units if differing(unit, unit_fields(record, unit.pk))]
    Unit.objects.filter(pk__in=[unit.pk for unit in changed]).update(pilot=None)
    for unit in changed:
        for field, value in unit_fields(record, unit.pk).items():
            setattr(unit, field, value)
        unit.save()
    for pilot in Pilot.objects.filter(company=company):
        wanted = pilot_fields(record, pilot.pk)
        if differing(pilot, wanted):
            for field, value in wanted.items():
                setattr(pilot, field, value)
            pilot.save()


@transaction.atomic
def company_apply_result(
    *,
    company: Company,
    act: uuid.UUID,
    cause_ref: str,
    by: Player | None,
    units: Sequence[UnitResult],
    title: str = "",
    cause: str = "battle",
    keeps_units: bool = True,
) -> list[LedgerEntry]:
    """Write the effects of a battle; return the new entries, or [] if the effects were already written."""
    locked = company_lock(company, even_disbanded=True)
    if LedgerEntry.objects.filter(
        company=locked, cause_ref=cause_ref, cause__in=(cause, RULING), reverses=None, reversed_by=None
    ).exists():
        return []
    _own(locked, units)
    drafts = result_drafts(company_record(locked), units, rules=rules_of(locked), title=title, keeps_units=keeps_units)
    return drafts_write(Act(locked, by, cause=cause, cause_ref=cause_ref, key=act), drafts)


@transaction.atomic
def company_reverse_result(*, company: Company, cause_ref: str, by: Player, cause: str = "battle") -> None:
    """Reverse a battle's effects. RefusedError if anything was written after them."""
    locked = company_lock(company, even_disbanded=True)
    standing = locked.ledger.filter(cause_ref=cause_ref, cause__in=(cause, RULING), reverses=None, reversed_by=None)
    entry = standing.first()
    if entry is None:
        raise RefusedError("battle", f"This battle has no effects in the ledger of {locked.name}.")
    reverse_act(locked, entry.act, by)


def drafts_write(act: Act, drafts: Sequence[Draft]) -> list[LedgerEntry]:
    """Write the drafts as entries of this act, and update the rows of its locked company to match the ledger."""
    written = act.book(drafts)
    restore(act.company, company_record(act.company))
    return written


@transaction.atomic
def company_correct(*, company: Company, match: str, by: Player, acts: Sequence[Sequence[Draft]]) -> None:
    """Write the changes that a ruling on a past match makes to this company's history; each list of drafts is one act.

    A reversing entry may reverse any entry that is not yet reversed. The caller must make sure that the resulting
    history is consistent and never has a negative balance.
    """
    locked = company_lock(company, even_disbanded=True)
    for drafts in acts:
        Act(locked, by, cause=RULING, cause_ref=match).book(drafts)
    record = company_record(locked)
    if record.balance < 0:
        raise RefusedError("points", f"{locked.name} would be left with {pluralize(record.balance, money_of(locked))}.")
    restore(locked, record)


def _own(company: Company, units: Sequence[UnitResult]) -> None:
    """Refuse a unit or pilot that belongs to another company."""
    own_units = set(
        Unit.objects.filter(company=company, pk__in=[result.unit for result in units if result.unit]).values_list(
            "pk", flat=True
        )
    )
    pilot_ids = [result.pilot for result in units if result.pilot is not None]
    own_pilots = set(Pilot.objects.filter(company=company, pk__in=pilot_ids).values_list("pk", flat=True))
    for result in units:
        if result.unit is not None and result.unit not in own_units:
            raise RefusedError("units", f"Unit {result.unit} doesn't belong to {company.name}.")
        if result.pilot is not None and result.pilot not in own_pilots:
            raise RefusedError("units", f"Pilot {result.pilot} doesn't belong to {company.name}.")


@transaction.atomic
def company_apply_aftermath(
    *,
    company: Company,
    act: uuid.UUID,
    cause_ref: str,
    by: Player | None,
    aftermath: Aftermath,
    title: str = "",
    cause: str = "battle",
) -> None:
    """Write the aftermath of a game, in the same act as its result, which was just written."""
    locked = company_lock(company, even_disbanded=True)
    drafts = aftermath_drafts(company_record(locked), aftermath, rules=rules_of(locked), title=title)
    drafts_write(Act(locked, by, cause=cause, cause_ref=cause_ref, key=act), drafts)


@transaction.atomic
def pilot_learn(*, company: Company, by: Player, pilot: Pilot, skill: str) -> Pilot:
    """Give the pilot an earned skill. RefusedError if no skill is due or the pilot already has this one."""
    locked = company_lock(company)
    rules = rules_of(locked)
    own(locked, pilot, "pilot")
    record = company_record(locked).pilots[pilot.pk]
    if not record.pending or record.status not in (PilotStatus.ACTIVE, PilotStatus.WOUNDED):
        raise RefusedError("skill", f"{record.name} has no skill to choose.")
    if skill not in rules.skill_names:
        raise RefusedError("skill", f"There's no skill {ascii(skill[:60])}.")
    if skill in record.skills:
        raise RefusedError("skill", f"{record.name} already has {rules.skill_names[skill]}. Choose another skill.")
    facts = {"skill": skill, "name": rules.skill_names[skill], "earned": True}
    Act(locked, by).write(SkillGained, pilot=pilot, facts=facts)
    return pilot
