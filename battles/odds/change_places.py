"""The possible changes of a set-up, one thing at a time, and the impossible ones with the reason. Uses no database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from battles.choices import CacheKey, Choices, standing_choices
from battles.odds.what_if import Change, changed_unit
from systems import battle_rules, roster_rules
from systems.documents import DocumentError
from systems.setups import Setup, SetupUnit, canonical, setup_hash
from systems.standing import GivenOrders


@dataclass(frozen=True, slots=True)
class OwnDesign:
    """A design of the reader's own."""

    ref: str
    name: str
    spec: Mapping[str, object]


@dataclass(slots=True)
class ChangePlace:
    """A place in a set-up where one thing can be changed, with the possible values, group by group."""

    label: str
    side: str  # "a", "b", "" for the field
    groups: list[tuple[str, Choices]] = field(default_factory=list)  # value is "what|of|to"
    refused: list[tuple[str, list[str]]] = field(default_factory=list)  # the reason, and what it refuses

    def offer(self, group: str, choices: Choices) -> None:
        if choices:
            self.groups.append((group, choices))

    def refuse(self, what: str, reason: str) -> None:
        known = next((names for why, names in self.refused if why == reason), None)
        if known is None:
            self.refused.append((reason, [what]))
        else:
            known.append(what)


def change_places(setup: Setup, own: tuple[OwnDesign, ...] = ()) -> tuple[ChangePlace, ...]:
    """Return all single changes that a form offers; own designs are the reader's, the rest is the same for everybody."""
    designs = canonical([[each.ref, each.name, each.spec] for each in own])
    return _places(CacheKey(f"{setup_hash(setup)} {designs}", (setup, own)))


@lru_cache(maxsize=128)
def _places(known: CacheKey[tuple[Setup, tuple[OwnDesign, ...]]]) -> tuple[ChangePlace, ...]:
    """Return terrain, each side's AI style, each unit's pilot and loadout; cached: there are some two hundred changes.

    A change that the scenario's rules forbid is listed separately, with the first reason.
    """
    setup, own = known.meant
    system = battle_rules(setup.system)
    places = [_field(setup)]
    names, views = system.unit_names(setup), {view.key: view for view in system.opening(setup).units}
    rules = roster_rules(setup.system, setup.catalogue_release)
    for at, (letter, side) in enumerate(zip("ab", setup.sides, strict=True)):
        place = ChangePlace(side.name, letter)
        others = {slug: name for slug, name in system.doctrines.items() if slug != side.doctrine}
        place.offer("Doctrine", [(f"doctrine|{side.name}|{slug}", name) for slug, name in others.items()])
        _offer_orders(place, setup, at, side.name, side.standing, of_a_unit=False)
        places.append(place)
        for number, unit in enumerate(side.units):
            is_design = not isinstance(unit.design, str) or unit.design in rules.published
            if is_design and views[unit.key].max_hits:  # a support unit has no pilot and no design of its own
                places.append(_unit(setup, at, number, ChangePlace(names[unit.key], letter), own))
                _offer_orders(places[-1], setup, at, unit.key, unit.standing, of_a_unit=True)
    return tuple(places)


def _offer_orders(place: ChangePlace, setup: Setup, at: int, of: str, given: GivenOrders, *, of_a_unit: bool) -> None:
    """Add the autoplay orders that can be given there, and those that can be taken away."""
    system = battle_rules(setup.system)
    opened = [order for order in system.standing_open(setup.scenario, at) if of_a_unit or not order.of_a_unit]
    fits = [
        order for order in opened if not order.needs or order.needs in given or order.needs in setup.sides[at].standing
    ]
    now = {f"{name}:{value}" for name, value in given.items()}
    for phase, lines in standing_choices(fits)[1:]:
        assert isinstance(lines, list)
        offered = [(f"order|{of}|{value}", label) for value, label in lines if value not in now]
        place.offer(f"Orders: {phase.lower()}", offered)
    names = {order.name: order.label for order in system.standing_orders}
    place.offer("Orders taken away", [(f"order|{of}|{name}", names[name]) for name in given])


def _field(setup: Setup) -> ChangePlace:
    system = battle_rules(setup.system)
    place, terms = ChangePlace("The field", ""), system.terms(setup.scenario)
    choices = system.terrain_choices(setup.scenario)
    if not choices:
        place.refuse("Terrain", f"{terms.name if terms else 'The scenario'} prints its terrain")
        return place
    offered = {
        slug: "As the scenario has it" if slug == system.printed else name
        for slug, name in system.terrains.items()
        if slug != setup.terrain and slug in choices
    }
    place.offer("Terrain", [(f"terrain||{slug}", name) for slug, name in offered.items()])
    return place


def _unit(setup: Setup, at: int, number: int, place: ChangePlace, own: tuple[OwnDesign, ...]) -> ChangePlace:
    """Return pilot and loadout changes of one unit, each checked against what its side may field."""
    rules, system, unit = (
        roster_rules(setup.system, setup.catalogue_release),
        battle_rules(setup.system),
        setup.sides[at].units[number],
    )
    given = dict(unit.pilot or {})
    level, had = given.get("experience", system.plain_level), given.get("skills", ())
    assert isinstance(had, list | tuple)
    levels, skills = system.levels.items(), system.skills.items()
    found: dict[
        str, list[tuple[str, str, str | dict[str, object], str]]
    ] = {  # what, its value, what it becomes, its name
        "Pilot’s level": [("level", slug, slug, name) for slug, name in levels if slug != level],
        "One skill more": [("skill", slug, slug, name) for slug, name in skills if slug not in had],
        "One skill less": [("no-skill", slug, slug, name) for slug, name in skills if slug in had],
        "Another loadout": [
            ("design", slug, slug, design.name) for slug, design in rules.published.items() if slug != unit.design
        ],
        "A design of yours": [("design", f"own:{each.ref}", dict(each.spec), each.name) for each in own],
    }
    for group, changes in found.items():
        offered: Choices = []
        for what, value, to, name in changes:
            reason = _refusal(setup, at, number, Change(what=what, of=unit.key, to=to))  # type: ignore[arg-type]
            if reason:
                place.refuse(name, reason)
            else:
                offered.append((f"{what}|{unit.key}|{value}", name))
        place.offer(group, offered)
    return place


def _refusal(setup: Setup, at: int, number: int, change: Change) -> str:
    """Return why the side may not field the unit with that change; empty if it may."""
    system, side = battle_rules(setup.system), setup.sides[at]
    unit = side.units[number].model_dump(mode="json")
    try:
        changed_unit(setup, unit, change)
        units = [*side.units[:number], SetupUnit(**unit), *side.units[number + 1 :]]
        check = system.check_side(setup.scenario, at, units, side.support, setup.options, setup.catalogue_release)
    except DocumentError as error:
        return error.reason
    return f"{check.problems[0].message} ({check.problems[0].rule})" if check.problems else ""
