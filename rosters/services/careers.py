"""The effects of a game on a company's pilots and balance: written together with the game's result, undone with it.

Levels, skills and fates are not decided here but by the campaign rules, which pass plain facts.
"""

from __future__ import annotations

import uuid

from django.db import transaction

from rosters.entries.pilots import SkillGained
from rosters.ledger.bookings import Aftermath, aftermath_drafts
from rosters.ledger.records import company_record
from rosters.models import Company, Pilot, PilotStatus, Player
from rosters.site.refusals import RefusedError

from ._base import Act, company_lock, own, rules_of
from .results import drafts_write


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
    """Write the aftermath of a game whose result was just written by the same act."""
    locked = company_lock(company, even_disbanded=True)
    drafts = aftermath_drafts(company_record(locked), aftermath, rules=rules_of(locked), title=title)
    drafts_write(Act(locked, by, cause=cause, cause_ref=cause_ref, key=act), drafts)


@transaction.atomic
def pilot_learn(*, company: Company, by: Player, pilot: Pilot, skill: str) -> Pilot:
    """Give the pilot an earned skill; refused unless one is due and the pilot doesn't have this one."""
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
