"""Form choices for battles: games, terrain, support, AI styles, crews, published forces."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise
from typing import Generic, TypeVar

from django import forms
from django.utils.choices import BaseChoiceIterator

from rosters.site.forms import SystemChoice, system_choices
from systems import BATTLES, battle_rules, roster_rules
from systems.battle import BattleSystem
from systems.orders import AutoplayOrder
from systems.setups import SetupUnit

Choices = list[tuple[str, str]]
GroupedChoices = list[tuple[str, list[tuple[str, str]] | str]]
ScenarioReference = str | Mapping[str, object]  # the scenario in a set-up document: a slug, or name and spec
ValueT = TypeVar("ValueT")
MAX_OFFERED = 20  # largest number offered in a list


class SharedChoices(BaseChoiceIterator):
    """Choices that many fields share. They are pairs already, so no field checks them again."""

    def __init__(self, choices: Sequence[tuple[str, list[tuple[str, str]] | str]]) -> None:
        self._choices = choices
        self.hashable = tuple((value, group if isinstance(group, str) else tuple(group)) for value, group in choices)

    def __iter__(self) -> Iterator[tuple[str, list[tuple[str, str]] | str]]:
        return iter(self._choices)

    def __len__(self) -> int:
        return len(self._choices)


@dataclass(frozen=True, slots=True)
class CacheKey(Generic[ValueT]):
    """A value hashed by its text, so that results for it can be cached."""

    text: str
    value: ValueT = field(compare=False)


def set_choices(form: forms.Form, name: str, choices: GroupedChoices | Choices | SharedChoices) -> None:
    """Set the field's choices; remove the field from the form if there are none."""
    if not choices:
        del form.fields[name]
        return
    asked = form.fields[name]
    assert isinstance(asked, forms.ChoiceField)
    asked.choices = choices


def default_system() -> str:
    """Return the slug of the system that a page shows if its URL names none."""
    return next(iter(BATTLES))


def system_or_default(slug: str | None) -> str:
    """Return the system with that slug; the default one for an unknown slug."""
    return slug if slug is not None and slug in BATTLES else default_system()


def systems_offered(here: str, fits: Callable[[BattleSystem], object] = lambda _: True) -> tuple[SystemChoice, ...]:
    """Return the systems to choose from, of those that fit; none if there is no choice."""
    return system_choices([slug for slug, system in BATTLES.items() if fits(system)], here)


def terrain_choices(system: str, scenario: ScenarioReference | None = None) -> Choices:
    """Return the terrains for a scenario, the default first; none if it has its own printed ground."""
    rules = battle_rules(system)
    return list(rules.terrain_choices(rules.plain_scenario if scenario is None else scenario).items())


def support_choices(system: str) -> list[tuple[str, Choices]]:
    """Return the results of the support tables, table by table."""
    tables: dict[str, Choices] = {}
    for result in battle_rules(system).support_results.values():
        tables.setdefault(f"Table {result.table}", []).append((result.slug, result.name))
    return list(tables.items())


def standing_choices(orders: Sequence[AutoplayOrder]) -> GroupedChoices:
    """Return every order with each of its values, phase by phase."""
    phases: dict[str, Choices] = {}
    for order in orders:
        values = order.choices or [
            (str(value), order.zero if value == 0 and order.zero else str(value))
            for value in range(min(order.most, MAX_OFFERED) + 1)
        ]
        lines = [(f"{order.name}:{value}", f"{order.label}: {label[:1].lower()}{label[1:]}") for value, label in values]
        phases.setdefault(order.phase, []).extend(lines)
    return [("", "no order"), *phases.items()]


@cache
def doctrine_choices(system: str) -> SharedChoices:
    return SharedChoices([*battle_rules(system).doctrines.items()])


def first_doctrines(system: str) -> tuple[str, str]:
    """Return the AI styles of a quick battle, the attacker's first."""
    doctrines = list(battle_rules(system).doctrines)
    return doctrines[0], doctrines[min(1, len(doctrines) - 1)]


@cache
def crew_offered(system: str) -> tuple[SharedChoices, SharedChoices]:
    """Return levels and skills, for the fields of many rows."""
    rules = battle_rules(system)
    return SharedChoices([*rules.levels.items()]), SharedChoices([*rules.skills.items()])


def crew(system: str, level: str = "", skills: Iterable[str] = ()) -> dict[str, object] | None:
    """Return the pilot of a set-up document; None if battles have no pilots."""
    rules = battle_rules(system)
    return {"experience": level or rules.plain_level, "skills": list(skills)} if rules.levels else None


@dataclass(frozen=True, slots=True)
class ForceUnit:
    """One unit of a published force: a published design's slug or a spec, and its pilot's level."""

    design: str | Mapping[str, object]
    name: str = ""
    level: str = ""  # empty: battles of this system have no pilots

    @property
    def pilot(self) -> dict[str, object] | None:
        return {"experience": self.level, "skills": []} if self.level else None


@dataclass(frozen=True, slots=True)
class PublishedForce:
    """A named list of units with their pilots."""

    slug: str
    name: str
    units: tuple[ForceUnit, ...]
    points: int  # of the units alone


@cache
def published_forces(system: str) -> Mapping[str, PublishedForce]:
    """Return the forces of a system by slug, fewest points first. All their designs exist."""
    battles = battle_rules(system)
    forces = []
    for slug, entry in battles.forces.items():
        levels = entry.get("pilots", [battles.plain_level] * len(entry["units"]))
        units = tuple(_unit(unit, level) for unit, level in zip(entry["units"], levels, strict=True))
        points = sum(design_points(system, unit.design) for unit in units)
        forces.append(PublishedForce(slug, entry["name"], units, points))
    return {force.slug: force for force in sorted(forces, key=lambda force: (force.points, force.slug))}


def _unit(entry: str | Mapping[str, object], level: str) -> ForceUnit:
    if isinstance(entry, str):
        return ForceUnit(entry, level=level)
    return ForceUnit({key: value for key, value in entry.items() if key != "name"}, str(entry["name"]), level)


def design_points(system: str, design: str | Mapping[str, object]) -> int:
    """Return the points of a unit of that design without its pilot."""
    rules = roster_rules(system)
    spec = rules.published[design].spec if isinstance(design, str) else rules.parse_spec(design)
    return rules.check_design(spec).points


def force_fits(system: str, scenario: ScenarioReference, side: int, force: PublishedForce) -> bool:
    """Return whether the force is legal for that side of the scenario; `scenario` is in set-up form."""
    return force.slug in _fitting(system, CacheKey(repr(scenario), scenario), side)


@lru_cache(maxsize=128)
def _fitting(system: str, played: CacheKey[ScenarioReference], side: int) -> frozenset[str]:
    """Return the slugs of the forces that side may field."""
    rules = battle_rules(system)
    found = []
    for force in published_forces(system).values():
        units = [setup_unit(at, unit.design, unit.name, unit.pilot) for at, unit in enumerate(force.units)]
        if rules.check_side(played.value, side, units, (), {}).legal:
            found.append(force.slug)
    return frozenset(found)


def setup_unit(at: int, design: str | Mapping[str, object], name: str, pilot: Mapping[str, object] | None) -> SetupUnit:
    """Return a unit in the form in which a side is checked."""
    return SetupUnit(
        key=f"u{at}",
        design=design if isinstance(design, str) else dict(design),
        name=name or None,
        pilot=dict(pilot) if pilot else None,
    )


def forces_for(system: str, scenario: ScenarioReference, side: int) -> Sequence[PublishedForce]:
    """Return the published forces that side may field, most expensive first."""
    forces = [force for force in published_forces(system).values() if force_fits(system, scenario, side, force)]
    return sorted(forces, key=lambda force: -force.points)


def ready_made_forces(system: str, scenario: ScenarioReference) -> tuple[PublishedForce, PublishedForce] | None:
    """Return a force for each side that makes a legal game, two different ones if possible; None if a side has none."""
    attackers, defenders = (forces_for(system, scenario, side) for side in range(2))
    if not attackers or not defenders:
        return None
    return attackers[0], next((force for force in defenders if force is not attackers[0]), defenders[0])


def even_forces(system: str) -> tuple[PublishedForce, PublishedForce]:
    """Return the ready-made forces of a first battle: the game's even ones, else two of the nearest points."""
    forces = published_forces(system)
    if slugs := battle_rules(system).even_forces:
        first, second = (forces[slug] for slug in slugs)
        return first, second
    return min(pairwise(forces.values()), key=lambda pair: pair[1].points - pair[0].points)


def nearest_force(system: str, points: int) -> PublishedForce:
    """Return the ready-made force whose points are nearest to these."""
    return min(published_forces(system).values(), key=lambda force: abs(force.points - points))
