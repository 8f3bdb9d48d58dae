"""The units a side can bring to a match, and the public part of the other side's list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from campaigns.models import Enrolment, Match
from rosters.ledger.records import company_record
from systems import roster_rules
from systems.ledger import ACTIVE, READY


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitChoiceRow:
    """A unit of the company, and the reason if it can't play."""

    id: int
    name: str
    points: int
    pilot: str
    refusal: str
    note: str  # why it should be rested; empty: no reason


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmittedListRow:
    """The public part of one side's list: whether it is submitted, and its hash."""

    side: int
    name: str
    company: str
    hash: str
    at: datetime | None
    fell: str  # why its submitted list doesn't count any more; empty: it still counts, or there is none


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealState:
    """The sides that still have to submit a list before the lists of a match can be revealed."""

    missing: tuple[str, ...]  # companies without a valid submitted list
    own_is_missing: bool
    is_late: bool  # the deadline has passed
    may_open: bool


def unit_choices(enrolment: Enrolment) -> tuple[UnitChoiceRow, ...]:
    """Return the company's units in roster order; one query."""
    rules = roster_rules(enrolment.campaign.system, enrolment.campaign.catalogue_release)
    record = company_record(enrolment.company)
    rows = []
    for unit in record.units.values():
        if unit.status != READY:
            continue
        pilot = record.pilots.get(unit.pilot) if unit.pilot else None
        refusal = "" if pilot is None or pilot.status == ACTIVE else "its pilot is wounded"
        if pilot is None and rules.needs_pilot(unit.spec):
            refusal = "nobody sits in it"
        is_barred = rules.is_barred(unit.condition)
        if is_barred:
            refusal = rules.describe_condition(unit.condition)
        rows.append(
            UnitChoiceRow(
                id=unit.id,
                name=unit.name,
                points=rules.check_design(rules.parse_spec(unit.spec), enrolment.campaign.options).points,
                pilot=f"{pilot.name}, {rules.level_names[pilot.experience]}" if pilot else "",
                refusal=refusal,
                note=rules.describe_condition(unit.condition)
                if rules.is_resting(unit.condition) and not is_barred
                else "",
            )
        )
    return tuple(rows)


def submitted_list_rows(match: Match) -> tuple[SubmittedListRow, ...]:
    """Return both sides of a match, with what may be shown of their submitted lists; one query."""
    sealed = {force.side: force for force in match.sealed.all()}
    lines = []
    for side, name in enumerate(("Attacker", "Defender")):
        enrolment = (match.attacker, match.defender)[side]
        if enrolment is not None:
            force = sealed.get(side)
            lines.append(
                SubmittedListRow(
                    side=side,
                    name=name,
                    company=enrolment.company.name,
                    hash=force.hash if force and not force.fell else "",
                    at=force.at if force and not force.fell else None,
                    fell=force.fell if force else "",
                )
            )
    return tuple(lines)


def sealed_sides(match: Match) -> set[int]:
    """Return the sides that have a submitted list; one that is void or was taken back doesn't count."""
    return set(match.sealed.filter(fell="").values_list("side", flat=True))


def opening(match: Match, side: int | None) -> RevealState:
    """Return why the lists of a match aren't revealed yet, for one of its sides or an arbiter (None); one query."""
    lines = submitted_list_rows(match)
    missing = [line for line in lines if not line.hash]
    is_late = match.round.deadline is not None and match.round.deadline <= timezone.now()
    own = any(line.side == side for line in missing)
    return RevealState(
        missing=tuple(line.company for line in missing),
        own_is_missing=own,
        is_late=is_late,
        may_open=not missing or (is_late and not own),
    )
