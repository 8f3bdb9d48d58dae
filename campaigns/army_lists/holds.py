"""Holds on units: submitted or fielded ones can't change until the match is decided.

A friendly game holds its units until it is played.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, NotRequired, TypedDict

from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet, TextField, Value

from campaigns.models import Friendly, Match, MatchState, RoundState, SubmittedList
from rosters.database.queries import PreparedQuery, columns
from rosters.entries.units_and_pilots import SkillGained
from rosters.hooks import Hold
from rosters.jobs import JobStatus
from rosters.models import Company, Unit


class Bought(TypedDict):
    """The fields read of a unit that is bought for the match."""

    pilot: int | None


class SealedUnits(TypedDict):
    """The fields read of a submitted list's document."""

    units: list[int]
    buys: NotRequired[list[Bought]]


class SeatRef(TypedDict):
    """A unit of a revealed list, and its pilot."""

    unit: int | None  # None: bought for this match alone
    pilot: int | None


def holds_of(company: Company) -> Sequence[Hold]:
    """Return a hold for each undecided match of the company in an opened round, and for its friendly game being played.

    One query for a company without holds.
    """
    found = {what for what, _ in HOLDERS.rows(company=company.pk)}
    matches = _match_holds(company) if "match" in found else []
    return [*matches, *(friendly_holds_of(company) if "friendly" in found else ())]


def _holders(company: int) -> QuerySet[Match | Friendly, tuple[str, int]]:
    named = [
        rows.order_by().annotate(what=Value(what, output_field=TextField())).values_list("what", "pk")
        for what, rows in (("match", _matches(company)), ("friendly", _friendlies(company)))
    ]
    return named[0].union(named[1], all=True).order_by()  # since Django 6.1 a union takes the model's order


def _matches(company: int) -> QuerySet[Match]:
    """Return undecided matches of the company with an opponent, in rounds that have been opened."""
    rows = Match.objects.filter(
        Q(attacker__company=company) | Q(defender__company=company), state__in=MatchState.undecided()
    )
    return rows.exclude(round__state=RoundState.PLANNED).exclude(defender=None)


HOLDERS = PreparedQuery(_holders, company=int)


class HeldMatch(NamedTuple):
    """The fields of an undecided match that holds on its sides depend on."""

    pk: int
    round: int
    number: int
    attacker: int  # a company
    attacker_name: str
    defender: int
    defender_name: str
    is_set: bool  # it has its set-up: both lists are revealed
    forces: list[dict[str, SeatRef]]

    def sides_of(self, company: Company) -> list[int]:
        return [at for at, side in enumerate((self.attacker, self.defender)) if side == company.pk]


def _held(company: int) -> QuerySet[Match, object]:
    rows = _matches(company).annotate(is_set=ExpressionWrapper(Q(setup__isnull=False), BooleanField()))
    return rows.order_by("pk").values_list(
        *columns(
            HeldMatch,
            round="round__number",
            attacker="attacker__company",
            attacker_name="attacker__company__name",
            defender="defender__company",
            defender_name="defender__company__name",
        )
    )


def _seals(company: int) -> QuerySet[SubmittedList, tuple[int, int, SealedUnits]]:
    of_it = Q(match__attacker__company=company) | Q(match__defender__company=company)
    rows = SubmittedList.objects.filter(of_it, match__state__in=MatchState.undecided(), fell="")
    return rows.values_list("match", "side", "document")


HELD = PreparedQuery(_held, HeldMatch, company=int)
SEALS = PreparedQuery(_seals, company=int)
SEATS = PreparedQuery(
    lambda company: Unit.objects.filter(company=company).exclude(pilot=None).values_list("pk", "pilot"), company=int
)


def _match_holds(company: Company) -> list[Hold]:
    matches = HELD.rows(company=company.pk)
    seals = SEALS.rows(company=company.pk) if not all(match.is_set for match in matches) else []
    sealed = {match.pk: _sealed(match, company, seals) for match in matches}
    bought = {match.pk: _seated(match, company, seals) for match in matches}
    seats: dict[int, int] = dict(SEATS.rows(company=company.pk)) if any(sealed.values()) else {}
    return [_hold(match, company, sealed[match.pk], bought[match.pk], seats) for match in matches]


def friendly_holds_of(company: Company) -> Sequence[Hold]:
    """Return a hold for the company's friendly game that is being played; two queries at most."""
    rows = _friendlies(company.pk).select_related("enrolment__company", "battle").order_by("pk")
    return [_friendly_hold(friendly) for friendly in rows]


def _friendlies(company: int) -> QuerySet[Friendly]:
    """Return friendly games of the company that are being played."""
    return Friendly.objects.filter(enrolment__company=company, battle__status__in=(JobStatus.QUEUED, JobStatus.RUNNING))


def _where(match: HeldMatch, company: Company) -> str:
    """Describe the match as one of its sides would."""
    other = match.defender_name if match.attacker == company.pk else match.attacker_name
    return f"round {match.round}, match {match.number} against {other}"


def _friendly_hold(friendly: Friendly) -> Hold:
    assert friendly.battle is not None
    force = friendly.battle.sides.get(position=0).force.values()
    return Hold(
        company=f"{friendly.enrolment.company.name} is in a friendly game. You can disband it once that game is over.",
        units=frozenset(ref["unit"] for ref in force),
        pilots=frozenset(ref["pilot"] for ref in force if ref["pilot"] is not None),
        reason=f"in the friendly game of {friendly}. Wait until it has finished.",
    )


def _sealed(match: HeldMatch, company: Company, seals: Sequence[tuple[int, int, SealedUnits]]) -> set[int]:
    """Return the units in a valid submitted list that isn't revealed yet."""
    if match.is_set:
        return set()
    sides = match.sides_of(company)
    return {unit for of, side, document in seals if of == match.pk and side in sides for unit in document["units"]}


def _seated(match: HeldMatch, company: Company, seals: Sequence[tuple[int, int, SealedUnits]]) -> set[int]:
    """Return the pilots of units bought in a valid submitted list that isn't revealed yet."""
    if match.is_set:
        return set()
    sides = match.sides_of(company)
    documents = [document for of, side, document in seals if of == match.pk and side in sides]
    return {buy["pilot"] for each in documents for buy in each.get("buys", ()) if buy["pilot"] is not None}


def _hold(match: HeldMatch, company: Company, sealed: set[int], bought: set[int], seats: dict[int, int]) -> Hold:
    where = _where(match, company)
    units, pilots = set(sealed), {seats[unit] for unit in sealed if unit in seats} | bought
    reason = (
        f"in your list for {where}, and stays locked until that match is decided. To make changes, withdraw the list. "
        "You can do that until lists are revealed."
    )
    if match.is_set:
        reason = f"fielded in {where}, and stays locked until that match is decided. Report it, or ask an arbiter to decide it."
        for side in match.sides_of(company):
            units |= {ref["unit"] for ref in match.forces[side].values() if ref["unit"] is not None}
            pilots |= {ref["pilot"] for ref in match.forces[side].values() if ref["pilot"] is not None}
    return Hold(
        company=f"{company.name} still has to play {where}. You can disband it once that match is decided.",
        units=frozenset(units),
        pilots=frozenset(pilots),
        reason=reason,
        spares=frozenset({SkillGained.slug}) if match.is_set else frozenset(),  # the set-up is fixed
    )
