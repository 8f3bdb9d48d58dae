"""The battles that builds are tried in, each with a place that any build can take. Uses no database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from battles.choices import first_doctrines
from battles.published_forces import PublishedForce, design_points, forces_for, published_forces
from battles.services.matrices import cell_setup
from battles.services.setups import force_side, setup_document
from systems import battle_rules, roster_rules
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.setups import Setup, setup_json

ALL_PUBLISHED = "field"  # all that are published, as one enemy


class Opponent(TypedDict):
    """An enemy that a build is tried against.

    A published design's slug, a spec, or a published force's slug in games whose units don't fight one against one.
    """

    name: str
    design: str | dict[str, object]


@dataclass(frozen=True, slots=True)
class Fight:
    """A set-up, and the side and key of the unit that a build replaces."""

    setup: Setup
    side: int
    key: str

    def with_build(self, spec: Mapping[str, object] | None) -> Setup:
        """Return the set-up with that undamaged build in place; None: unchanged. Raises DocumentError if it is illegal."""
        if spec is None:
            return self.setup
        body: dict[str, Any] = setup_json(self.setup)
        unit = next(each for each in body["sides"][self.side]["units"] if each["key"] == self.key)
        unit["design"] = dict(spec)
        unit.pop("condition", None)
        return read_setup(body)

    def takes(self, spec: Mapping[str, object]) -> bool:
        """Return whether that build is legal there."""
        try:
            self.with_build(spec)
        except DocumentError:
            return False
        return True


def published_opponents(system: str) -> dict[str, Opponent]:
    """Return the published enemies by slug: designs, or forces in a game whose units don't fight one against one."""
    rules = battle_rules(system)
    if rules.duel:
        return {slug: {"name": each.name, "design": slug} for slug, each in roster_rules(system).published.items()}
    fitting = {force.slug for side in (0, 1) for force in forces_for(system, rules.plain_scenario, side)}
    found = {slug: force for slug, force in published_forces(system).items() if slug in fitting}
    return {slug: {"name": force.name, "design": slug} for slug, force in found.items()}


def fights_against(system: str, spec: Mapping[str, object], foes: Sequence[Opponent]) -> tuple[Fight, ...]:
    """Return fights of the build against each enemy, attacking and defending, on the plain field."""
    rules = battle_rules(system)
    if not rules.duel:
        return tuple(fight for foe in foes for side in (0, 1) for fight in _fights_in_a_force(system, spec, foe, side))
    terrain, doctrine = next(iter(rules.terrains)), next(iter(rules.doctrines))
    found = []
    for foe in foes:
        for side in (0, 1):
            pair = (dict(spec), foe["design"]) if side == 0 else (foe["design"], dict(spec))
            setup = read_setup(cell_setup(system, terrain, (doctrine, doctrine), *pair))
            found.append(Fight(setup, side, setup.sides[side].units[0].key))
    return tuple(found)


def _fights_in_a_force(system: str, spec: Mapping[str, object], foe: Opponent, side: int) -> list[Fight]:
    """Return a fight with the build in place of a published force's unit nearest to it in points; none if none fits."""
    rules, published = battle_rules(system), published_forces(system)
    scenario = rules.plain_scenario
    enemy = next((force for force in forces_for(system, scenario, 1 - side) if force.slug == foe["design"]), None)
    own = sorted(forces_for(system, scenario, side), key=lambda force: force.slug == foe["design"])
    if enemy is None or foe["design"] not in published:
        return []
    points = design_points(system, dict(spec))
    for force in own:
        setup = _setup_of_forces(system, force, enemy, side)
        units = [*zip(force.units, setup.sides[side].units, strict=True)]
        units.sort(key=lambda pair: abs(design_points(system, pair[0].design) - points))
        for _choice, unit in units:
            fight = Fight(setup, side, unit.key)
            if fight.takes(spec):
                return [Fight(fight.with_build(spec), side, unit.key)]
    return []


def _setup_of_forces(system: str, own: PublishedForce, enemy: PublishedForce, side: int) -> Setup:
    rules = battle_rules(system)
    scenario = rules.plain_scenario
    forces = (own, enemy) if side == 0 else (enemy, own)
    sides = [force_side(force, doctrine) for force, doctrine in zip(forces, first_doctrines(system), strict=True)]
    terrain = rules.match_terrains(scenario)[0]
    return read_setup(setup_document(system=system, scenario=scenario, terrain=terrain, sides=sides)[0])


def replaceable_units(setup: Setup) -> dict[str, tuple[int, Mapping[str, object]]]:
    """Return the units that a build can replace, by key: the side and the unit's spec."""
    rules = roster_rules(setup.system, setup.catalogue_release)
    found: dict[str, tuple[int, Mapping[str, object]]] = {}
    views = {view.key: view for view in battle_rules(setup.system).opening(setup).units}
    for side, each in enumerate(setup.sides):
        for unit in each.units:
            is_design = not isinstance(unit.design, str) or unit.design in rules.published
            if is_design and rules.has("lab") and views[unit.key].max_hits:
                design = rules.published[unit.design].spec if isinstance(unit.design, str) else None
                spec = rules.parse_spec(unit.design) if design is None else design
                found[unit.key] = (side, rules.spec_json(spec))
    return found
