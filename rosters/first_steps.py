"""The first steps of a new company: buy, hire, assign pilots. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from rosters.selectors import CompanySheet
from systems import roster_rules
from systems.words import pluralize


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstStep:
    """One step: its name, its progress, and the part of the page where it is done."""

    name: str
    told: str
    at: str
    is_done: bool
    is_next: bool


def first_steps_of(company: CompanySheet) -> tuple[FirstStep, ...]:
    """Return the steps of a company that has not played yet, until all are done; empty after that."""
    rules = roster_rules(company.system, company.catalogue_release)
    if company.games or company.is_disbanded:
        return ()
    unmanned = sum(unit.is_unmanned for unit in company.units)
    free = sum(pilot.seat is None for pilot in company.pilots)
    found = [("Buy", f"{pluralize(company.balance, company.money)} left", "hangar", bool(company.units))]
    if rules.hire_points:
        lacking = max(0, unmanned - free)
        told = f"{pluralize(lacking, 'pilots')} to hire" if lacking else pluralize(len(company.pilots), "pilots")
        told = told if company.units or company.pilots else "a pilot for each unit"
        found.append(("Hire", told, "hire", bool(company.units) and not lacking))
        at = "seat-1" if unmanned and free else "units"
        told = f"{pluralize(unmanned, 'seats')} empty" if unmanned else "every seat taken"
        found.append(
            ("Seat", told if company.units else "nothing to sit in yet", at, bool(company.units) and not unmanned)
        )
    if all(is_done for *_, is_done in found):
        return ()
    first = next(at for at, (*_, is_done) in enumerate(found) if not is_done)
    return tuple(
        FirstStep(name=name, told=told, at=at, is_done=is_done, is_next=place == first)
        for place, (name, told, at, is_done) in enumerate(found)
    )
