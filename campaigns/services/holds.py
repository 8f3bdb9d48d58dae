"""What is being played stays as it is: units that are sealed or fielded in a match until it is decided, and those of a
friendly game until it is fought."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Q, QuerySet, TextField, Value

from campaigns.models import Friendly, Match, MatchForce, RoundState
from campaigns.policy import UNDECIDED
from rosters.hooks import Hold
from rosters.ledger.kinds.pilots import SkillGained
from rosters.models import Company, Unit
from rosters.site.compiled import Compiled
from rosters.site.jobs import JobStatus


def holds_of(company: Company) -> Sequence[Hold]:
    """One for each undecided match of the company in a round that has been opened, and for a friendly game of it that is
    being fought; one query for a company that nothing holds."""
    found = {what for what, _ in HOLDERS.rows(company=company.pk)}
    matches = _match_holds(company) if "match" in found else []
    return [*matches, *(friendly_holds_of(company) if "friendly" in found else ())]


def _holders(company: int) -> QuerySet[Any, Any]:
    named = [
        rows.order_by().annotate(what=Value(what, output_field=TextField())).values_list("what", "pk")
        for what, rows in (("match", _matches(company)), ("friendly", _friendlies(company)))
    ]
    return named[0].union(named[1], all=True)


def _matches(company: int) -> QuerySet[Match]:
    """Undecided matches of the company against somebody, in rounds that have been opened."""
    rows = Match.objects.filter(Q(attacker__company=company) | Q(defender__company=company), state__in=UNDECIDED)
    return rows.exclude(round__state=RoundState.PLANNED).exclude(defender=None)


HOLDERS = Compiled(_holders, company=int)


HELD = Compiled(
    lambda company: _matches(company).select_related("round", "attacker__company", "defender__company").order_by("pk"),
    company=int,
)
SEALS = Compiled(
    lambda company: MatchForce.objects.filter(
        Q(match__attacker__company=company) | Q(match__defender__company=company), match__state__in=UNDECIDED
    ),
    company=int,
)


def _match_holds(company: Company) -> list[Hold]:
    matches = HELD.rows(company=company.pk)
    forces = SEALS.rows(company=company.pk)
    sealed = {match.pk: _sealed(match, company, forces) for match in matches}
    wanted = {unit for units in sealed.values() for unit in units}
    seats: dict[int, int | None] = dict(Unit.objects.filter(pk__in=wanted).values_list("pk", "pilot")) if wanted else {}
    return [_hold(match, company, sealed[match.pk], seats) for match in matches]


def friendly_holds_of(company: Company) -> Sequence[Hold]:
    """One for the friendly game of the company that is being fought; two queries at most."""
    rows = _friendlies(company.pk).select_related("enrolment__company", "battle").order_by("pk")
    return [_friendly_hold(friendly) for friendly in rows]


def _friendlies(company: int) -> QuerySet[Friendly]:
    """Friendly games of the company that are being fought."""
    return Friendly.objects.filter(enrolment__company=company, battle__status__in=(JobStatus.QUEUED, JobStatus.RUNNING))


def where_of(match: Match, company: Company) -> str:
    """The match as one of its sides calls it."""
    assert match.defender is not None
    other = match.defender if match.attacker.company_id == company.pk else match.attacker
    return f"round {match.round.number}, match {match.number} against {other.company.name}"


def _friendly_hold(friendly: Friendly) -> Hold:
    assert friendly.battle is not None
    force = friendly.battle.sides.get(position=0).force.values()
    return Hold(
        company=f"{friendly.enrolment.company.name} fights a friendly game. It can be disbanded once that game is over.",
        units=frozenset(ref["unit"] for ref in force),
        pilots=frozenset(ref["pilot"] for ref in force if ref["pilot"] is not None),
        reason=f"in the friendly game of {friendly}, which is being fought; wait for its end.",
    )


def _sides(match: Match, company: Company) -> list[int]:
    return [at for at, side in enumerate((match.attacker, match.defender)) if side and side.company_id == company.pk]


def _sealed(match: Match, company: Company, seals: Sequence[MatchForce]) -> set[int]:
    """Units under a seal that stands and is not open yet."""
    if match.setup is not None:
        return set()
    sides = _sides(match, company)
    forces = (force for force in seals if force.match_id == match.pk and force.side in sides and not force.fell)
    return {unit for force in forces for unit in force.document["units"]}


def _hold(match: Match, company: Company, sealed: set[int], seats: dict[int, int | None]) -> Hold:
    where = where_of(match, company)
    units, pilots = set(sealed), {pilot for unit in sealed if (pilot := seats.get(unit)) is not None}
    reason = (
        f"sealed for {where}, until that match is decided. Take the seal back first; you can as long as the forces are "
        "not open."
    )
    if match.setup is not None:
        reason = f"fielded in {where}, until that match is decided. Report it, or let an arbiter decide it."
        for side in _sides(match, company):
            units |= {ref["unit"] for ref in match.forces[side].values()}
            pilots |= {ref["pilot"] for ref in match.forces[side].values() if ref["pilot"] is not None}
    return Hold(
        company=f"{company.name} has {where} to play. It can be disbanded once that match is decided.",
        units=frozenset(units),
        pilots=frozenset(pilots),
        reason=reason,
        spares=frozenset({SkillGained.slug}) if match.setup is not None else frozenset(),  # set-ups stand
    )
