"""Differences between a card as it would be printed today and the printed one. Pure."""

from __future__ import annotations

from typing import Protocol

from rosters.paper.documents import PilotDocument, UnitDocument
from systems import PAPER, roster_rules
from systems.words import pluralize


class OfACompany(Protocol):
    @property
    def company(self) -> str: ...
    @property
    def colour(self) -> str: ...


class OfAPilot(OfACompany, Protocol):
    @property
    def pilot(self) -> PilotDocument: ...


def unit_changes(before: UnitDocument, now: UnitDocument) -> tuple[str, ...]:
    """Describe the differences, in words for the reader."""
    found = []
    if before.name != now.name:
        found.append(f"was called {before.name}")
    if before.condition != now.condition:
        found += _damage(before, now)
    if before.spec != now.spec or before.design_name != now.design_name:
        found.append("the design is different")
    found += _pilot(now.system, before.pilot, now.pilot)
    if before.service != now.service:
        found.append("its record")
    return (*found, *_company(before, now))


def pilot_changes(system: str, before: OfAPilot, now: OfAPilot) -> tuple[str, ...]:
    return (*_pilot(system, before.pilot, now.pilot), *_company(before, now))


def subject_of(unit: int | None = None, pilot: int | None = None) -> str:
    """Return the key of a unit or a pilot without a unit among a job's subjects."""
    return f"u{unit}" if unit is not None else f"p{pilot}"


def _company(before: OfACompany, now: OfACompany) -> list[str]:
    found = []
    if before.company != now.company:
        found.append(f"the company was called {before.company}" if before.company else "has a company")
    if before.colour != now.colour:
        found.append("the company's colour")
    return found


def _damage(before: UnitDocument, now: UnitDocument) -> list[str]:
    was, is_now = dict(before.condition), dict(now.condition)
    field = _wound_field(now.system)
    found = []
    if was.pop(field, False) != is_now.pop(field, False):
        found.append("the pilot is wounded" if now.condition.get(field) else "the pilot has recovered")
    if was != is_now:
        lines = _bill(now)
        found.append(f"damage: {', '.join(lines)}" if lines else "in full repair" if not is_now else "damage")
    return found


def _wound_field(system: str) -> str:
    """Return the condition field for the pilot's wound; empty if the system has none."""
    return PAPER[system].wound_field if system in PAPER else ""


def _bill(unit: UnitDocument) -> list[str]:
    if unit.support:
        return []
    rules = roster_rules(unit.system)
    condition = {name: value for name, value in unit.condition.items() if name != _wound_field(unit.system)}
    return [line.label for line in rules.repair_bill(rules.parse_spec(unit.spec), condition)]


def _pilot(system: str, before: PilotDocument | None, now: PilotDocument | None) -> list[str]:
    if before is None or now is None:
        if before is now:
            return []
        return [f"{now.full_name} is the pilot" if now else "has no pilot any more"]
    if before == now:
        return []
    rules = roster_rules(system)
    if before.name != now.name and before.skills != now.skills:
        return [f"{now.full_name} is the pilot"]
    found = []
    if before.full_name != now.full_name:
        found.append(f"the pilot was {before.full_name}")
    if before.experience != now.experience:
        found.append(f"now {rules.level_names.get(now.experience, now.experience)}")
    names = [rules.skill_names.get(skill, skill) for skill in now.skills if skill not in before.skills]
    if names:
        found.append(f"learned {', '.join(names)}")
    elif before.skills != now.skills:
        found.append("other skills")
    found += _more("kills", now.kills - before.kills) + _more("games", now.games - before.games)
    return found


def _more(what: str, count: int) -> list[str]:
    if not count:
        return []
    return [f"{pluralize(abs(count), what)} {'more' if count > 0 else 'fewer'}"]
