"""One change of a set-up: read from a document, applied, put into words. Uses no database."""

from __future__ import annotations

from typing import Any, Literal

from systems import battle_rules, roster_rules
from systems.documents import Document, DocumentError, SystemSpec
from systems.reading import read_setup
from systems.setups import Setup, crew_fields, setup_json

MAX_DIGITS = 6


class Change(Document):
    """One change: `of` names the unit by its key or the side by its name; the terrain needs none.

    `to` is a slug; for a design a published one's slug or a spec. "skill" adds a skill, "no-skill" takes one away. A
    unit with another design comes undamaged. For "order", the unit's or the whole side's, `to` is an autoplay order
    with its value ("range:long"); the name alone ("range") takes the order away.
    """

    what: Literal["terrain", "doctrine", "level", "skill", "no-skill", "design", "order"]
    of: str = ""
    to: str | SystemSpec


def apply_change(setup: Setup, change: Change) -> Setup:
    """Return the set-up with this one change; raises DocumentError if it can't be made, changes nothing or isn't legal."""
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
        raise DocumentError("change.to", "that changes nothing")
    return result


def _side(body: dict[str, Any], change: Change) -> dict[str, Any]:
    for side in body["sides"]:
        if side["name"] == change.of:
            found: dict[str, Any] = side
            return found
    raise DocumentError("change.of", f"no side is called {change.of!r}")


def _order(body: dict[str, Any], change: Change) -> None:
    """Give or take away an autoplay order in the document."""
    units = [unit for side in body["sides"] for unit in side["units"] if unit["key"] == change.of]
    place = units[0] if units else _side(body, change)
    name, colon, value = str(change.to).partition(":")
    standing = {each: given for each, given in place.get("standing", {}).items() if each != name}
    place["standing"] = {**standing, **({name: _chosen(value)} if colon else {})}


def _chosen(value: str) -> str | int:
    """Return the value chosen for an order: an integer if it looks like one and isn't too long."""
    return int(value) if value.isdecimal() and len(value) < MAX_DIGITS else value


def changed_unit(setup: Setup, unit: dict[str, Any], change: Change) -> None:
    """Make the change in a unit of the document; raises DocumentError if it changes nothing."""
    if change.what == "design":
        if unit["design"] != change.to:
            unit["design"] = change.to
            unit["condition"] = {}
        return
    pilot = roster_rules(setup.system, setup.catalogue_release).parse_pilot(crew_fields(unit["pilot"]))
    level, skills = pilot.experience, list(pilot.skills)
    if change.what == "level":
        if change.to == level:
            raise DocumentError("change.to", "that changes nothing")
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
    """Describe the change; `names` are those of levels and skills by slug."""
    system, rules = battle_rules(setup.system), roster_rules(setup.system, setup.catalogue_release)
    to = str(change.to)
    if change.what == "terrain":
        return f"{system.terrains.get(to, to)} instead of {system.terrains[setup.terrain]}"
    if change.what == "doctrine":
        return f"{change.of} fights {system.doctrines.get(to, to).lower()}"
    unit = system.unit_names(setup).get(change.of, change.of)
    if change.what == "order":
        name, colon, value = to.partition(":")
        order = next(each for each in system.standing_orders if each.name == name)
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
