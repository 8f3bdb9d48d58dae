"""Candidate forces for one side, and the published forces that it can meet. Uses no database."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, TypedDict

from battles.choices import design_points, forces_for, setup_unit
from systems import battle_rules, roster_rules
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.setups import Setup, SetupUnit, setup_json

MAX_RIVALS = 60  # forces played; if there are more, the seed draws this number
MAX_CHECKED = 600  # forces checked by the rules
MAX_FOUND = 30_000  # within the points; if there are more, forces are drawn by the seed instead of listed

Force = tuple[str, ...]  # published designs, in the order of their slugs


class PublishedOpponent(TypedDict):
    """A published force as an enemy, with its units in set-up form."""

    name: str
    units: list[dict[str, Any]]


def points_of_side(setup: Setup, side: int) -> int:
    """Return the cost of the side, as its game counts it."""
    given = setup.sides[side]
    return battle_rules(setup.system).check_side(
        setup.scenario, side, given.units, given.support, setup.options, setup.catalogue_release
    ).points  # fmt: skip


def candidate_forces(setup: Setup, side: int, points: int, seed: int) -> tuple[Force, ...]:
    """Return all legal forces of published units within the points that have no room for another unit.

    If there are too many to play, the seed draws some of them, always the same.
    """
    draw, most = random.Random(seed), battle_rules(setup.system).max_units
    cost = {
        slug: design_points(setup.system, slug)
        for slug in roster_rules(setup.system, setup.catalogue_release).published
    }
    cost = {slug: price for slug, price in cost.items() if 0 < price <= points}
    if not cost:
        return ()
    found = _affordable(sorted(cost), cost, points, most)
    if len(found) == MAX_FOUND:
        found = _filled(draw, cost, points, most)
    full = [force for force in found if len(force) == most or _left(force, cost, points) < min(cost.values())]
    for some in (full, found):  # a limit on units can leave points over
        legal = {force for force in _drawn(draw, some, MAX_CHECKED) if _is_legal(setup, side, force, points)}
        whole = [force for force in sorted(legal) if not _grows(force, legal, cost)]
        draw.shuffle(whole)
        fit = tuple(islice((force for force in whole if _fits(setup, side, force)), MAX_RIVALS))
        if fit:
            return tuple(sorted(fit))
    return ()


def with_force(setup: Setup, side: int, force: Force | None) -> Setup:
    """Return the set-up with that undamaged force on that side; None: unchanged.

    It keeps the side's pilots as far as they go. Raises DocumentError if it is illegal.
    """
    if force is None:
        return setup
    body: dict[str, Any] = setup_json(setup)
    units = _units(setup, side, force)
    body["sides"][side]["units"] = [unit.model_dump(mode="json") for unit in units]
    return read_setup(body)


def published_opponents(setup: Setup, side: int) -> list[PublishedOpponent]:
    """Return the published forces that can meet that side, fewest points first."""
    found = []
    for force in reversed(forces_for(setup.system, setup.scenario, 1 - side)):
        units = []
        for at, unit in enumerate(force.units):
            made = setup_unit(at, unit.design, unit.name, unit.pilot)
            units.append(made.model_dump(mode="json") | {"key": f"{'ba'[side]}-{at + 1}-met"})
        foe = PublishedOpponent(name=force.name, units=units)
        if _meets(setup, side, foe):
            found.append(foe)
    return found


def with_opponent(setup: Setup, side: int, foe: PublishedOpponent) -> Setup:
    """Return the set-up with that enemy, in the AI style of the side it replaces, without support or orders.

    Raises DocumentError if it is illegal.
    """
    body: dict[str, Any] = setup_json(setup)
    stands = body["sides"][1 - side]
    body["sides"][1 - side] = {name: stands[name] for name in ("name", "doctrine")} | {"units": foe["units"]}
    return read_setup(body)


def describe_force(system: str, force: Iterable[str]) -> str:
    """Describe a force: `2 Wasp, Demon`."""
    published = roster_rules(system).published
    counts = Counter(published[slug].name if slug in published else slug for slug in force)
    return ", ".join(f"{number} {name}" if number > 1 else name for name, number in counts.items())


def _affordable(slugs: Sequence[str], cost: dict[str, int], points: int, most: int) -> list[Force]:
    found: list[Force] = []

    def grow(force: Force, first: int, left: int) -> None:
        for at in range(first, len(slugs)):
            if cost[slugs[at]] <= left and len(found) < MAX_FOUND:
                bigger = (*force, slugs[at])
                found.append(bigger)
                if len(bigger) < most:
                    grow(bigger, at, left - cost[slugs[at]])

    grow((), 0, points)
    return found


def _filled(draw: random.Random, cost: dict[str, int], points: int, most: int) -> list[Force]:
    """Return forces of units that are drawn one by one until no other is affordable."""
    found = set()
    for _ in range(MAX_CHECKED):
        force: list[str] = []
        left = points
        while len(force) < most and (within := [slug for slug in cost if cost[slug] <= left]):
            force.append(draw.choice(within))
            left -= cost[force[-1]]
        found.add(tuple(sorted(force)))
    return sorted(found)


def _left(force: Force, cost: dict[str, int], points: int) -> int:
    return points - sum(cost[slug] for slug in force)


def _drawn(draw: random.Random, forces: list[Force], most: int) -> list[Force]:
    return forces if len(forces) <= most else sorted(draw.sample(forces, most))


def _grows(force: Force, legal: set[Force], cost: dict[str, int]) -> bool:
    """Return whether the force has room for another unit."""
    return any(tuple(sorted((*force, slug))) in legal for slug in cost)


def _is_legal(setup: Setup, side: int, force: Force, points: int) -> bool:
    units, support = _units(setup, side, force), setup.sides[side].support
    try:
        check = battle_rules(setup.system).check_side(
            setup.scenario, side, units, support, setup.options, setup.catalogue_release
        )
    except DocumentError:
        return False
    return check.legal and check.points <= points


def _meets(setup: Setup, side: int, foe: PublishedOpponent) -> bool:
    try:
        with_opponent(setup, side, foe)
    except DocumentError:
        return False
    return True


def _fits(setup: Setup, side: int, force: Force) -> bool:
    """Return whether the whole set-up is playable with it; for example, all units must find a place."""
    try:
        with_force(setup, side, force)
    except DocumentError:
        return False
    return True


def _units(setup: Setup, side: int, force: Force) -> list[SetupUnit]:
    plain = battle_rules(setup.system).plain_level
    nobody: dict[str, object] | None = {"experience": plain, "skills": []} if plain else None
    pilots = [unit.pilot for unit in setup.sides[side].units]
    return [
        SetupUnit(
            key=f"{'ab'[side]}-{at + 1}-best",
            design=slug,
            pilot=pilots[at] if at < len(pilots) and pilots[at] is not None else nobody,
        )
        for at, slug in enumerate(force)
    ]
