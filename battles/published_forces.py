"""Ready-made forces that a visitor can try without a company, and which scenarios each of them fits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from battles.choices import CacheKey, ScenarioReference
from systems import battle_rules, roster_rules
from systems.setups import SetupUnit


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
    """Return the forces of a system by slug, fewest points first; their designs are known to exist."""
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
        if rules.check_side(played.meant, side, units, (), {}).legal:
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
