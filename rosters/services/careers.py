"""What a game made of a company's pilots and its bank: written beside the game's result, undone with it.

Who decides (which level, which skill, which fate) is not here: the rules of campaigns do, and hand over plain facts.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from django.db import transaction

from rosters.models import Company, Pilot, PilotStatus, Player, Unit

from ._base import Act, Kind, RefusedError, company_lock, company_record, own, system_of
from .units import empty_seat

KIND_OF_FATE = {"unhurt": Kind.UNHURT, "injured": Kind.WOUNDED, "killed": Kind.DIED}


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotAftermath:
    """What a game made of one pilot; faces and numbers are written down with what they led to."""

    pilot: int
    settled: tuple[str, ...] = ()  # skills earned earlier that nobody chose in time
    fate: Literal["", "unhurt", "injured", "killed"] = ""
    fate_facts: Mapping[str, Any] = field(default_factory=dict)
    promoted_from: str = ""
    promoted_to: str = ""
    skill_facts: Mapping[str, Any] = field(default_factory=dict)  # of a skill roll; empty: none was made


@dataclass(frozen=True, slots=True, kw_only=True)
class GameBooking:
    """The game as the company books it."""

    result: Literal["won", "drawn", "lost"]
    season_points: int
    income: int = 0
    repaid: int = 0
    gifts: tuple[int, ...] = ()  # faces of the dice of points that its support brought
    facts: Mapping[str, Any] = field(default_factory=dict)


@transaction.atomic
def company_apply_aftermath(
    *,
    company: Company,
    act: uuid.UUID,
    cause_ref: str,
    by: Player | None,
    game: GameBooking,
    pilots: Sequence[PilotAftermath],
    took_part: Sequence[int],
    title: str = "",
    cause: str = "battle",
) -> None:
    """Writes the aftermath of a game whose result was just written by the same act. MM-S02.

    Wounded pilots who did not take part have missed their game and are fit again.
    """
    locked = company_lock(company, even_disbanded=True)
    rules = system_of(locked.system)
    writer = Act(locked, by, cause=cause, cause_ref=cause_ref, key=act)
    about = {"battle": title} if title else {}
    rows = {pilot.pk: pilot for pilot in Pilot.objects.filter(company=locked)}
    for fact in pilots:
        for skill in fact.settled:
            facts = {"skill": skill, "name": rules.skill_names[skill], "earned": True, "unasked": True}
            writer.write(Kind.SKILL_GAINED, pilot=rows[fact.pilot], facts=facts)
    for pilot in rows.values():
        if pilot.status == PilotStatus.WOUNDED and pilot.pk not in took_part:
            _set_status(pilot, PilotStatus.ACTIVE)
            writer.write(Kind.RECOVERED, pilot=pilot, facts=about)
    for fact in pilots:
        if fact.fate:
            _write_fate(writer, rows[fact.pilot], fact, about)
    for fact in pilots:
        if fact.promoted_to:
            level = {"from": fact.promoted_from, "to": fact.promoted_to, "name": rules.level_names[fact.promoted_to]}
            writer.write(Kind.PROMOTED, pilot=rows[fact.pilot], facts={**about, **level})
    for fact in pilots:
        if fact.skill_facts:
            writer.write(Kind.SKILL_ROLLED, pilot=rows[fact.pilot], facts={**about, **fact.skill_facts})
    booking = {
        "result": game.result,
        "season_points": game.season_points,
        "income": game.income,
        "repaid": game.repaid,
        "gifts": list(game.gifts),
    }
    writer.write(
        Kind.GAME, points=game.income - game.repaid + sum(game.gifts), facts={**about, **booking, **game.facts}
    )


@transaction.atomic
def pilot_learn(*, company: Company, by: Player, pilot: Pilot, skill: str) -> Pilot:
    """The pilot with the skill that he has earned; refused unless one is due and he lacks this one. MM-101."""
    locked = company_lock(company)
    rules = system_of(locked.system)
    own(locked, pilot, "pilot")
    record = company_record(locked).pilots[pilot.pk]
    if not record.pending or record.status not in (PilotStatus.ACTIVE, PilotStatus.WOUNDED):
        raise RefusedError("skill", f"{record.name} has no skill to choose.")
    if skill not in rules.skill_names:
        raise RefusedError("skill", f"There is no skill {ascii(skill[:60])}.")
    if skill in record.skills:
        raise RefusedError("skill", f"{record.name} knows {rules.skill_names[skill]} already.")
    facts = {"skill": skill, "name": rules.skill_names[skill], "earned": True}
    Act(locked, by).write(Kind.SKILL_GAINED, pilot=pilot, facts=facts)
    return pilot


def _write_fate(writer: Act, pilot: Pilot, fact: PilotAftermath, about: Mapping[str, Any]) -> None:
    """MM-S03."""
    facts = {**about, **fact.fate_facts}
    if fact.fate == "injured":
        facts["misses"] = 1
        _set_status(pilot, PilotStatus.WOUNDED)
    elif fact.fate == "killed":
        facts["game_lost"] = True  # a killed pilot keeps no game survived
        for seat in Unit.objects.filter(pilot=pilot):
            empty_seat(writer, seat)
        _set_status(pilot, PilotStatus.DEAD)
    writer.write(KIND_OF_FATE[fact.fate], pilot=pilot, facts=facts)


def _set_status(pilot: Pilot, status: PilotStatus) -> None:
    pilot.status = status
    pilot.save(update_fields=["status"])
