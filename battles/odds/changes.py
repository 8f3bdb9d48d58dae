"""One change of a set-up: the possible ones, applying one, and its description. Uses no database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from battles.choices import CacheKey, Choices, standing_choices
from systems import battle_rules, roster_rules
from systems.documents import Document, DocumentError, SystemSpec
from systems.orders import GivenOrders
from systems.reading import read_setup
from systems.setups import Setup, SetupUnit, canonical, crew_fields, setup_hash, setup_json

MAX_DIGITS = 6
MAX_CHANGES = 300  # most changes that a search tries


class Change(Document):
    """One change: `of` is the key of the unit or the name of the side; the terrain needs none.

    `to` is a slug, or for a design also a spec. "skill" adds a skill, "no-skill" removes one. A unit with another
    design comes undamaged. For "order", `to` is an autoplay order of the unit or side with its value ("range:long");
    the name alone ("range") removes the order.
    """

    what: Literal["terrain", "doctrine", "level", "skill", "no-skill", "design", "order"]
    of: str = ""
    to: str | SystemSpec


def apply_change(setup: Setup, change: Change) -> Setup:
    """Return the set-up with this change. Raises DocumentError if it is impossible, illegal or changes nothing."""
    body = setup_json(setup)
    if change.what != "design" and not isinstance(change.to, str):
        raise DocumentError("change.to", "must be a slug")
    if change.what == "terrain":
        body["terrain"] = change.to
    elif change.what == "doctrine":
        _side(body, change)["doctrine"] = change.to
    elif change.what == "order":
        _order(body, change)
    else:
        unit = next((unit for side in body["sides"] for unit in side["units"] if unit["key"] == change.of), None)
        if unit is None:
            raise DocumentError("change.of", f"no unit has the key {change.of!r}")
        changed_unit(setup, unit, change)
    try:
        result = read_setup(body)
    except DocumentError as error:
        raise DocumentError("change.to", error.reason) from None
    if result == setup:
        raise DocumentError("change.to", "makes no difference. Choose another change")
    return result


def _side(body: dict[str, Any], change: Change) -> dict[str, Any]:
    for side in body["sides"]:
        if side["name"] == change.of:
            found: dict[str, Any] = side
            return found
    raise DocumentError("change.of", f"no side is called {change.of!r}")


def _order(body: dict[str, Any], change: Change) -> None:
    """Add or remove an autoplay order in the document."""
    units = [unit for side in body["sides"] for unit in side["units"] if unit["key"] == change.of]
    place = units[0] if units else _side(body, change)
    name, colon, value = str(change.to).partition(":")
    standing = {each: given for each, given in place.get("standing", {}).items() if each != name}
    place["standing"] = {**standing, **({name: _chosen(value)} if colon else {})}


def _chosen(value: str) -> str | int:
    """Return the value chosen for an order: an integer if it looks like one and isn't too long."""
    return int(value) if value.isdecimal() and len(value) < MAX_DIGITS else value


def changed_unit(setup: Setup, unit: dict[str, Any], change: Change) -> None:
    """Apply the change to a unit of the document; raises DocumentError if it changes nothing."""
    if change.what == "design":
        if unit["design"] != change.to:
            unit["design"] = change.to
            unit["condition"] = {}
        return
    pilot = roster_rules(setup.system, setup.catalogue_release).parse_pilot(crew_fields(unit["pilot"]))
    level, skills = pilot.experience, list(pilot.skills)
    if change.what == "level":
        if change.to == level:
            raise DocumentError("change.to", "makes no difference. Choose another change")
        level = str(change.to)
    elif change.what == "skill":
        if change.to in skills:
            raise DocumentError("change.to", "the pilot has this skill")
        skills.append(str(change.to))
    else:
        if change.to not in skills:
            raise DocumentError("change.to", "the pilot doesn't have this skill")
        skills.remove(str(change.to))
    kept = {"is_new": unit["pilot"]["is_new"]} if unit["pilot"] and "is_new" in unit["pilot"] else {}
    unit["pilot"] = {"experience": level, "skills": skills, **kept}


def describe_change(setup: Setup, change: Change, names: dict[str, str]) -> str:
    """Describe the change; `names` are those of levels and skills, by slug."""
    system, rules = battle_rules(setup.system), roster_rules(setup.system, setup.catalogue_release)
    to = str(change.to)
    if change.what == "terrain":
        return f"{system.terrains.get(to, to)} instead of {system.terrains[setup.terrain]}"
    if change.what == "doctrine":
        return f"{change.of} fights {system.doctrines.get(to, to).lower()}"
    unit = system.unit_names(setup).get(change.of, change.of)
    if change.what == "order":
        name, colon, value = to.partition(":")
        order = next(each for each in system.autoplay_orders if each.name == name)
        words = order.words(_chosen(value)) if colon else f"no order for {order.label.lower()}"
        return f"{unit}: {words}"
    if change.what == "level":
        return f"{unit}'s pilot: {names.get(to, to)}"
    if change.what == "skill":
        return f"{unit}'s pilot has {names.get(to, to)}"
    if change.what == "no-skill":
        return f"{unit}'s pilot without {names.get(to, to)}"
    if not isinstance(change.to, str):
        return f"{unit} with another loadout"
    return f"{rules.published[to].name if to in rules.published else to} instead of {unit}"


@dataclass(frozen=True, slots=True)
class OwnDesign:
    """A design by the reader."""

    ref: str
    name: str
    spec: Mapping[str, object]


@dataclass(slots=True)
class ChangePlace:
    """A thing in a set-up that can be changed, with its possible values in groups."""

    label: str
    side: str  # "a" or "b"; "" for the field
    groups: list[tuple[str, Choices]] = field(default_factory=list)  # value is "what|of|to"
    refused: list[tuple[str, list[str]]] = field(default_factory=list)  # the reason, and the values that it rules out

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
    """Return all single changes that a form offers, with the reader's designs in `own`."""
    designs = canonical([[each.ref, each.name, each.spec] for each in own])
    return _places(CacheKey(f"{setup_hash(setup)} {designs}", (setup, own)))


@lru_cache(maxsize=128)
def _places(known: CacheKey[tuple[Setup, tuple[OwnDesign, ...]]]) -> tuple[ChangePlace, ...]:
    """Return the changes: terrain, each side's AI style, each unit's pilot and loadout. Cached: there are about 200.

    Changes that the scenario's rules forbid are listed separately, with the first reason.
    """
    setup, own = known.value
    system = battle_rules(setup.system)
    places = [_field(setup)]
    names, views = system.unit_names(setup), {view.key: view for view in system.opening(setup).units}
    rules = roster_rules(setup.system, setup.catalogue_release)
    for at, (letter, side) in enumerate(zip("ab", setup.sides, strict=True)):
        place = ChangePlace(side.name, letter)
        others = {slug: name for slug, name in system.doctrines.items() if slug != side.doctrine}
        place.offer("AI style", [(f"doctrine|{side.name}|{slug}", name) for slug, name in others.items()])
        _offer_orders(place, setup, at, side.name, side.standing, of_a_unit=False)
        places.append(place)
        for number, unit in enumerate(side.units):
            is_design = not isinstance(unit.design, str) or unit.design in rules.published
            if is_design and views[unit.key].max_hits:  # a support unit has no pilot and no design of its own
                places.append(_unit(setup, at, number, ChangePlace(names[unit.key], letter), own))
                _offer_orders(places[-1], setup, at, unit.key, unit.standing, of_a_unit=True)
    return tuple(places)


def _offer_orders(place: ChangePlace, setup: Setup, at: int, of: str, given: GivenOrders, *, of_a_unit: bool) -> None:
    """Add the autoplay orders that can be given there, and those that can be removed."""
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
    names = {order.name: order.label for order in system.autoplay_orders}
    place.offer("Remove orders", [(f"order|{of}|{name}", names[name]) for name in given])


def _field(setup: Setup) -> ChangePlace:
    system = battle_rules(setup.system)
    place, terms = ChangePlace("Field", ""), system.terms(setup.scenario)
    choices = system.terrain_choices(setup.scenario)
    if not choices:
        place.refuse("Terrain", f"{terms.name if terms else 'The scenario'} sets its terrain")
        return place
    offered = {
        slug: "From the scenario" if slug == system.printed else name
        for slug, name in system.terrains.items()
        if slug != setup.terrain and slug in choices
    }
    place.offer("Terrain", [(f"terrain||{slug}", name) for slug, name in offered.items()])
    return place


def _unit(setup: Setup, at: int, number: int, place: ChangePlace, own: tuple[OwnDesign, ...]) -> ChangePlace:
    """Return pilot and loadout changes of one unit, each checked against the limits of its side."""
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
    ] = {  # what to change, form value, new value, name
        "Pilot’s level": [("level", slug, slug, name) for slug, name in levels if slug != level],
        "Add a skill": [("skill", slug, slug, name) for slug, name in skills if slug not in had],
        "Remove a skill": [("no-skill", slug, slug, name) for slug, name in skills if slug in had],
        "Other loadouts": [
            ("design", slug, slug, design.name) for slug, design in rules.published.items() if slug != unit.design
        ],
        "Your designs": [("design", f"own:{each.ref}", dict(each.spec), each.name) for each in own],
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
