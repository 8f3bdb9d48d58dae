"""Write the effects of battles on companies, units and pilots, once per battle; they are undone with the battle.

The campaign rules decide levels, skills and fates; this module gets them as plain facts.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import transaction

from rosters.entries.units_and_pilots import SkillGained
from rosters.ledger.drafts import Aftermath, Draft, UnitResult, aftermath_drafts, result_drafts
from rosters.ledger.records import RULING, company_record
from rosters.models import Company, LedgerEntry, Pilot, PilotStatus, Player, Unit
from rosters.services.base import Act, company_lock, money_of, own, rules_of
from rosters.services.undo import restore, reverse_act
from rosters.site.exceptions import RefusedError


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
        raise RefusedError("points", f"{locked.name} would be left with {record.balance} {money_of(locked)}.")
    restore(locked, record)


def _own(company: Company, units: Sequence[UnitResult]) -> None:
    """RefusedError if a unit or pilot belongs to another company."""
    own_units = set(
        Unit.objects.filter(company=company, pk__in=[result.unit for result in units if result.unit]).values_list(
            "pk", flat=True
        )
    )
    pilot_ids = [result.pilot for result in units if result.pilot is not None]
    own_pilots = set(Pilot.objects.filter(company=company, pk__in=pilot_ids).values_list("pk", flat=True))
    for result in units:
        if result.unit is not None and result.unit not in own_units:
            raise RefusedError("units", f"Unit {result.unit} does not belong to {company.name}.")
        if result.pilot is not None and result.pilot not in own_pilots:
            raise RefusedError("units", f"Pilot {result.pilot} does not belong to {company.name}.")


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
        raise RefusedError("skill", f"There is no skill {ascii(skill[:60])}.")
    if skill in record.skills:
        raise RefusedError("skill", f"{record.name} knows {rules.skill_names[skill]} already.")
    facts = {"skill": skill, "name": rules.skill_names[skill], "earned": True}
    Act(locked, by).write(SkillGained, pilot=pilot, facts=facts)
    return pilot
