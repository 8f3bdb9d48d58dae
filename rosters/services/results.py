"""What a battle did to a company: games, kills, damage and losses, written once per battle."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from rosters.models import Company, LedgerEntry, Pilot, PilotStatus, Player, Unit, UnitStatus

from ._base import Act, Kind, RefusedError, company_lock, read_spec, system_of
from .undo import reverse_act
from .units import empty_seat


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitResult:
    """How a unit came out of a battle, and the pilot who sat in it."""

    unit: int
    pilot: int | None
    lost: bool = False
    hits: int | None = None  # Hits left; None: all
    weapons_lost: tuple[int, ...] = ()  # slots of the spec
    systems_lost: tuple[int, ...] = ()
    legs: int = 0
    kills: int = 0  # units that count as kills
    wounded: bool = False
    wounded_by: str = ""  # name of what wounded the pilot
    exploded: bool = False  # its reactor did
    fate: str = ""  # of the pilot, as rolled at the table
    died: bool = False
    killed_by: str = ""  # name of the unit that destroyed it
    victims: tuple[str, ...] = ()  # names of what it destroyed


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
    """The entries written; none if this battle's effects stand in the ledger already.

    Pilots get games and kills, also when they or their unit have left the roster since. A unit that has left keeps
    its state. A battle repairs nothing: damage that the unit has taken elsewhere meanwhile stays.
    A wound is booked, but a pilot whose Mek comes home is unhurt after the game (MM-S03); `died` ends a career.
    Where units are bought anew for each game (`keeps_units` False), they bring no damage and no loss home (MM-S06).
    """
    locked = company_lock(company, even_disbanded=True)
    if LedgerEntry.objects.filter(
        company=locked, cause_ref=cause_ref, cause=cause, reverses=None, reversed_by=None
    ).exists():
        return []
    own_units = {unit.pk: unit for unit in Unit.objects.filter(company=locked, pk__in=[fact.unit for fact in units])}
    pilot_ids = [fact.pilot for fact in units if fact.pilot is not None]
    own_pilots = {pilot.pk: pilot for pilot in Pilot.objects.filter(company=locked, pk__in=pilot_ids)}
    for fact in units:
        if fact.unit not in own_units:
            raise RefusedError("units", f"Unit {fact.unit} does not belong to {locked.name}.")
        if fact.pilot is not None and fact.pilot not in own_pilots:
            raise RefusedError("units", f"Pilot {fact.pilot} does not belong to {locked.name}.")
    writer = Act(locked, by, cause=cause, cause_ref=cause_ref, key=act)
    for fact in units:
        pilot = own_pilots[fact.pilot] if fact.pilot is not None else None
        _write_unit(writer, fact, own_units[fact.unit], pilot, title, keeps_units)
    return list(LedgerEntry.objects.filter(company=locked, act=act))


@transaction.atomic
def company_reverse_result(*, company: Company, cause_ref: str, by: Player, cause: str = "battle") -> None:
    """Takes a battle's effects back; refused once something else was written after them."""
    locked = company_lock(company, even_disbanded=True)
    entry = locked.ledger.filter(cause_ref=cause_ref, cause=cause, reverses=None, reversed_by=None).first()
    if entry is None:
        raise RefusedError("battle", f"This battle has no effects in the ledger of {locked.name}.")
    reverse_act(locked, entry.act, by)


def _write_unit(writer: Act, fact: UnitResult, unit: Unit, pilot: Pilot | None, title: str, keeps_units: bool) -> None:
    about = {"battle": title} if title else {}
    lost = {"lost": True, "by": fact.killed_by} if fact.lost else {}
    writer.write(Kind.FOUGHT, unit=unit, pilot=pilot, facts={**about, **lost})
    if fact.kills:
        writer.write(
            Kind.KILL, unit=unit, pilot=pilot, facts={**about, "count": fact.kills, "victims": list(fact.victims)}
        )
    if pilot and fact.wounded:
        writer.write(
            Kind.WOUNDED,
            unit=unit,
            pilot=pilot,
            facts={**about, **({"by": fact.wounded_by} if fact.wounded_by else {})},
        )
    if keeps_units and unit.status == UnitStatus.READY:
        _write_damage(writer, fact, unit, about)
    if pilot and fact.died and pilot.status in (PilotStatus.ACTIVE, PilotStatus.WOUNDED):
        for seat in Unit.objects.filter(pilot=pilot):
            empty_seat(writer, seat)
        pilot.status = PilotStatus.DEAD
        pilot.save(update_fields=["status"])
        writer.write(Kind.DIED, pilot=pilot, facts=about)


def _write_damage(writer: Act, fact: UnitResult, unit: Unit, about: dict[str, str]) -> None:
    rules = system_of(writer.company.system)
    after = {
        "hits": fact.hits,
        "weapons_lost": list(fact.weapons_lost),
        "systems_lost": list(fact.systems_lost),
        "legs": fact.legs,
    }
    before, worse = unit.condition, rules.worse_condition(read_spec(rules, unit.spec), unit.condition, after)
    unit.condition = worse
    facts = {**about, "from": before, "to": worse}
    if fact.lost:
        unit.status = UnitStatus.DESTROYED
        unit.save(update_fields=["condition", "status"])
        writer.write(Kind.DESTROYED, unit=unit, facts={**facts, "by": fact.killed_by})
        empty_seat(writer, unit)
    elif worse != before:
        unit.save(update_fields=["condition"])
        writer.write(Kind.DAMAGED, unit=unit, facts=facts)
