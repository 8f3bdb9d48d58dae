"""Services that hire, rename and retire pilots."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from rosters.entries.company import Renamed
from rosters.entries.units_and_pilots import Hired
from rosters.models import Company, Pilot, PilotStatus, Player, Unit
from rosters.services.base import Act, clean_text, company_lock, own, rules_of, spend
from rosters.site.exceptions import RefusedError
from systems.pilots import PILOT_TEXTS, texts_of_pilot

from .units import empty_seat, off_the_roll, refuse_leaving, seat_in

MAX_PILOTS = 120  # active and wounded pilots of a company


@transaction.atomic
def pilot_hire(
    *,
    company: Company,
    by: Player,
    name: str,
    experience: str = "",
    lent: bool = False,
    unit: Unit | None = None,
    for_match: str = "",
    **texts: str,
) -> Pilot:
    """Hire a new pilot at a level that can be hired, by default the game's first, for the price of that level.

    A lent pilot is free and leaves after a game. If `unit` is given, the pilot is assigned to it in the same act. A
    pilot who is hired for a match is paid from the scenario's points, and stays. `texts`: the optional ones of a pilot.
    """
    locked = company_lock(company)
    rules = rules_of(locked)
    if not rules.hire_points:
        raise RefusedError("experience", f"{rules.name} has no pilots to hire.")
    experience = experience or next(iter(rules.hire_points))
    if experience not in rules.hire_points:
        raise RefusedError("experience", f"Pilots are hired as one of {', '.join(rules.hire_points)}.")
    price = 0 if lent or for_match else rules.hire_points[experience]
    texts = _clean_texts({"name": name, **texts})
    if locked.pilots.filter(status__in=(PilotStatus.ACTIVE, PilotStatus.WOUNDED)).count() >= MAX_PILOTS:
        raise RefusedError("name", f"A company keeps {MAX_PILOTS} pilots at most.")
    spend(locked, price, texts["name"])
    pilot = Pilot.objects.create(company=locked, **texts)
    facts: dict[str, object] = {
        **texts,
        "experience": experience,
        **({"lent": True} if lent else {}),
    }
    if for_match:
        facts["for"] = for_match
    act = Act(locked, by)
    act.write(Hired, pilot=pilot, points=-price, facts=facts)
    if unit is not None:
        seat_in(act, unit, pilot)
    return pilot


@transaction.atomic
def pilot_edit(*, company: Company, by: Player, pilot: Pilot, **texts: str) -> Pilot:
    """Change texts of the pilot; omitted ones stay as they are."""
    locked = company_lock(company)
    pilot = _on_roll(locked, pilot)
    old = texts_of_pilot(pilot)
    new = _clean_texts({**old, **texts}, old)
    if new != old:
        Act(locked, by).write(Renamed, pilot=pilot, facts={"from": old, "to": new})
        for name, text in new.items():
            setattr(pilot, name, text)
        pilot.save(update_fields=[*new])
    return pilot


@transaction.atomic
def pilot_retire(*, company: Company, by: Player, pilot: Pilot) -> Pilot:
    """Retire the pilot, and remove them from their unit."""
    locked = company_lock(company)
    pilot = _on_roll(locked, pilot)
    refuse_leaving(locked, pilot)
    act = Act(locked, by)
    for unit in Unit.objects.filter(pilot=pilot):
        empty_seat(act, unit)
    off_the_roll(act, pilot)
    return pilot


def _clean_texts(given: Mapping[str, str], now: Mapping[str, str] = {}) -> dict[str, str]:
    """Return all texts of a pilot, the omitted ones empty; refuse those that don't fit, except as they are now."""
    if unknown := set(given) - set(PILOT_TEXTS):
        raise TypeError(f"a pilot has no {min(unknown)}")
    return {
        name: clean_text(
            name,
            given.get(name, ""),
            longest=text.max_length,
            may_be_empty=not text.is_required,
            now=now.get(name),
        )
        for name, text in PILOT_TEXTS.items()
    }


def _on_roll(company: Company, pilot: Pilot) -> Pilot:
    own(company, pilot, "pilot")
    pilot = Pilot.objects.get(pk=pilot.pk)
    if pilot.status not in (PilotStatus.ACTIVE, PilotStatus.WOUNDED):
        raise RefusedError("pilot", f"{pilot.name} is {pilot.get_status_display().lower()}.")
    return pilot
