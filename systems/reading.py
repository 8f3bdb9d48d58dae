"""Readers for documents that need a rule system: designs, scenarios, set-ups, house rules. Uses the registry."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache

from systems import BATTLES, UnknownSystemError, battle_rules, roster_rules
from systems.catalogue import FIRST_RELEASE, UnknownReleaseError
from systems.documents import DesignDocument, DocumentError, ScenarioDocument, parse_document, plain_json
from systems.orders import is_ordered
from systems.report_fields import FateField, documented
from systems.roster import AnyRoster, AnyScenario
from systems.rulebook import HouseRuleLine, describe_rules
from systems.setups import KEPT, Setup


def read_design(data: bytes | str | Mapping[str, object], release: str = "") -> tuple[DesignDocument, object]:
    """Return the design document and its spec, read by the given release of the system's catalogue, or the newest.

    Raises DocumentError.
    """
    document = parse_document(DesignDocument, data)
    named = release or read_system(document.system).newest
    return document, read_system(document.system, release=named).parse_spec(document.spec, "spec")


def read_scenario(data: bytes | str | Mapping[str, object]) -> tuple[ScenarioDocument, AnyScenario]:
    """Return the scenario document and its spec as the rule system reads it; raises DocumentError."""
    document = parse_document(ScenarioDocument, data)
    return document, read_system(document.system).parse_scenario(document.spec, "spec")


def read_setup(data: bytes | str | Mapping[str, object]) -> Setup:
    """Return the set-up, checked against its rule system; raises DocumentError."""
    try:
        setup = parse_document(Setup, data)
    except DocumentError:
        _refuse_crowd(plain_json(data))
        raise
    keys: set[str] = set()
    for at, side in enumerate(setup.sides):
        for place, unit in enumerate(side.units):
            if unit.key in keys:
                raise DocumentError(f"sides[{at}].units[{place}].key", f"the key {unit.key!r} is used twice")
            keys.add(unit.key)
    if setup.sides[0].name == setup.sides[1].name:
        raise DocumentError("sides[1].name", "both sides have the same name")
    try:
        system = battle_rules(setup.system)
    except UnknownSystemError as error:
        raise DocumentError("system", str(error)) from None
    _refuse_release(setup)
    for at, side in enumerate(setup.sides):
        for place, unit in enumerate(side.units):
            if unit.position is not None and not system.takes_positions:
                raise DocumentError(
                    f"sides[{at}].units[{place}].position", "this game sets its units up by its own rules; leave it out"
                )
    system.check_setup(setup)
    for at, side in enumerate(setup.sides):
        units = [unit.key for unit in side.units]
        system.check_orders(setup.scenario, at, side.orders, has=side.support, units=units, path=f"sides[{at}].orders")
    if is_ordered(setup):
        system.check_standing(setup)
    return setup


def _refuse_release(setup: Setup) -> None:
    """Raise DocumentError if the game doesn't have the release or if it has retired one of the chosen house rules."""
    rules = read_system(setup.system, release=setup.catalogue_release)
    for slug in rules.retired_rules & set(setup.options):
        if setup.options[slug] != rules.house_rules[slug].default:
            raise DocumentError(f"options.{slug}", rules.describe_retired(slug))


def _refuse_crowd(body: object) -> None:
    """Raise DocumentError, with the game's rule if it has one, for a side with too many units."""
    sides = body.get("sides") if isinstance(body, dict) else None
    slug = body.get("system") if isinstance(body, dict) else None
    if not isinstance(sides, list) or not isinstance(slug, str) or slug not in BATTLES:
        return
    for at, side in enumerate(sides):
        units = side.get("units") if isinstance(side, dict) else None
        most = BATTLES[slug].max_units
        if not isinstance(units, list) or len(units) <= most:
            continue
        if problem := BATTLES[slug].crowd(len(units)):
            raise DocumentError(f"sides[{at}].units", f"illegal ({problem.rule}): {problem.message}", problem.rule)
        raise DocumentError(f"sides[{at}].units", f"holds more than {most} entries")


def stored_setup(document: Mapping[str, object]) -> Setup:
    """Return a database row's set-up, as `read_setup` reads it; equal documents are read once per process."""
    return _stored(json.dumps(document))


@lru_cache(maxsize=KEPT)
def _stored(text: str) -> Setup:
    return read_setup(text)


def describe_house_rules(system: str, options: Mapping[str, object]) -> tuple[HouseRuleLine, ...]:
    """Return the house rules in force, in the order of the catalogue; without those at their defaults."""
    return describe_rules(roster_rules(system).house_rules, options)


def fate_fields(system: str = "") -> tuple[FateField, ...]:
    """Return all fields about a unit's fate that any game asks for, in the order of documents.

    Their bounds are those of `system`; without a game, the widest of all games.
    """
    own = BATTLES[system].hand.asks if system else ()
    return documented((each for game in BATTLES.values() for each in game.hand.asks), own)


def spec_of(setup: Setup, design: object) -> dict[str, object]:
    """Return the canonical spec of a unit in a set-up, from a published design's slug or a full spec."""
    rules = roster_rules(setup.system, setup.catalogue_release)
    if isinstance(design, str):
        return rules.spec_json(rules.published[design].spec) if design in rules.published else {}
    return rules.spec_json(rules.parse_spec(design))


def read_system(slug: str, path: str = "system", release: str = FIRST_RELEASE) -> AnyRoster:
    """Return the rule system that a document names at that path, in that release; raises DocumentError."""
    try:
        return roster_rules(slug, release)
    except UnknownSystemError as error:
        raise DocumentError(path, str(error)) from None
    except UnknownReleaseError as error:
        raise DocumentError("release", str(error)) from None
