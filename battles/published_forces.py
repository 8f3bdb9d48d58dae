"""Forces of published designs, ready to be tried by a visitor without a company."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rosters.systems import get_system


@dataclass(frozen=True, slots=True)
class PublishedForce:
    """A named list of published designs, by slug."""

    slug: str
    name: str
    units: tuple[str, ...]
    points: int


@cache
def published_forces(system: str) -> Mapping[str, PublishedForce]:
    """The forces of a system by slug, fewest points first; their designs are known to exist."""
    with (Path(__file__).parent / "published_forces.toml").open("rb") as file:
        entries = tomllib.load(file).get(system, {})
    rules = get_system(system)
    forces = []
    for slug, entry in entries.items():
        points = sum(rules.check_design(rules.published[unit].spec).points for unit in entry["units"])
        forces.append(PublishedForce(slug, entry["name"], tuple(entry["units"]), points))
    return {force.slug: force for force in sorted(forces, key=lambda force: (force.points, force.slug))}
