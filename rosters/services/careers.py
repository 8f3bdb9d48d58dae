"""What a game made of a company's pilots and its bank: written beside the game's result, undone with it.

Who decides (which level, which skill, which fate) is not here: the rules of campaigns do, and hand over plain facts.
"""

from __future__ import annotations

import uuid

from django.db import transaction

from rosters.ledger.bookings import Aftermath, aftermath_drafts
from rosters.ledger.kinds.pilots import SkillGained
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
    """Writes the aftermath of a game whose result was just written by the same act."""
    locked = company_lock(company, even_disbanded=True)
    drafts = aftermath_drafts(company_record(locked), aftermath, rules=rules_of(locked), title=title)
    drafts_write(Act(locked, by, cause=cause, cause_ref=cause_ref, key=act), drafts)


@transaction.atomic
def pilot_learn(*, company: Company, by: Player, pilot: Pilot, skill: str) -> Pilot:
    """The pilot with the skill that he has earned; refused unless one is due and he lacks this one."""
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
