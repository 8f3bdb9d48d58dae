"""Set-ups for battles: built from a player's choices, with company units checked against the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from battles.choices import PublishedForce, first_doctrines, ready_made_forces
from rosters.documents.snapshots import FieldedUnit, fielded, ready_units
from rosters.models import Company, Player, Visibility
from rosters.services import RefusedError
from systems import battle_rules, roster_rules
from systems.orders import GivenOrders, SupportOrders
from systems.reading import spec_of
from systems.setups import SIDE_LETTERS, Setup, SetupUnit, crew_fields

SEALED_ROLL = "roll"  # a support roll with the battle's own dice


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitChoice:
    """One chosen unit: a published design's slug or a spec, and its pilot."""

    design: str | Mapping[str, object]
    key: str = ""  # in the set-up; empty: side and number
    name: str = ""
    pilot: Mapping[str, object] | None = None
    condition: Mapping[str, object] = field(default_factory=dict)  # earlier damage
    unit: int | None = None  # ID of the company's unit
    pilot_id: int | None = None
    standing: GivenOrders = field(default_factory=dict)  # its autoplay orders


@dataclass(frozen=True, slots=True, kw_only=True)
class SideChoice:
    """One side, as chosen."""

    name: str
    doctrine: str
    units: Sequence[UnitChoice]
    company: Company | None = None
    support: Sequence[str] = ()  # results, or "roll"
    orders: SupportOrders = field(default_factory=dict)  # for its support
    standing: GivenOrders = field(default_factory=dict)  # orders of all its units


@dataclass(frozen=True, slots=True, kw_only=True)
class SideForce:
    """The units of a company that a side fields: unit key -> {"unit": id, "pilot": id or None}."""

    company: Company
    units: Mapping[str, Mapping[str, int | None]] = field(default_factory=dict)


def setup_document(
    *,
    system: str,
    terrain: str,
    sides: Sequence[SideChoice],
    options: Mapping[str, object] | None = None,
    scenario: str | Mapping[str, object] | None = None,
) -> tuple[dict[str, object], tuple[SideForce | None, ...]]:
    """Return the setup/1 document of these choices, unchecked, and its company forces, one per side.

    The scenario defaults to the system's plain one.
    """
    rules = battle_rules(system)
    scenario = rules.plain_scenario if scenario is None else scenario
    counts_hiring = rules.counts_hiring(scenario)
    documents, forces = [], []
    for letter, side in zip(SIDE_LETTERS, sides, strict=False):
        units, owned = [], {}
        for number, choice in enumerate(side.units, start=1):
            key = choice.key or f"{letter}{number}"
            unit: dict[str, object] = {"key": key, "design": choice.design, "pilot": choice.pilot}
            if choice.unit is not None and choice.pilot and counts_hiring:
                unit["pilot"] = {**choice.pilot, "is_new": False}  # on the roster already
            if choice.name:
                unit["name"] = choice.name
            if choice.condition:
                unit["condition"] = dict(choice.condition)
            if choice.standing:
                unit["standing"] = dict(choice.standing)
            units.append(unit)
            if choice.unit is not None:
                owned[key] = {"unit": choice.unit, "pilot": choice.pilot_id}
        document: dict[str, object] = {"name": side.name, "doctrine": side.doctrine, "support": list(side.support)}
        standing = {"standing": dict(side.standing)} if side.standing else {}
        orders = {"orders": {slug: dict(given) for slug, given in side.orders.items()}} if side.orders else {}
        documents.append({**document, **orders, **standing, "units": units})
        forces.append(SideForce(company=side.company, units=owned) if side.company and owned else None)
    companies = [force.company.catalogue_release for force in forces if force is not None]
    document = {
        "muster": "setup/1",
        **({"release": max(companies, key=int)} if companies else {}),
        "system": system,
        "scenario": scenario,
        "terrain": terrain,
        "options": dict(options or {}),
        "sides": documents,
    }
    return document, tuple(forces)


def check_forces(*, setup: Setup, forces: Sequence[SideForce | None], actor: Player | None) -> None:
    """Raise RefusedError unless the actor may field each force's company and its units match the set-up."""
    if len(forces) > len(setup.sides):
        raise RefusedError("forces", "There are more forces than sides.")
    seen: set[int | None] = set()
    for at, force in enumerate(forces):
        if force is None:
            continue
        place, company = f"forces[{at}]", force.company
        if company.visibility != Visibility.PUBLIC and (actor is None or company.owner_id != actor.pk):
            raise RefusedError(place, "You can't field this company.")
        if company.disbanded_at is not None:
            raise RefusedError(place, f"{company.name} has been disbanded.")
        if company.system != setup.system:
            raise RefusedError(place, f"{company.name} plays another game.")
        ids = [ref["unit"] for ref in force.units.values()]
        if len(set(ids)) != len(ids) or seen & set(ids):
            raise RefusedError(place, "You can field each unit only once.")
        seen |= set(ids)
        pilots = [ref["pilot"] for ref in force.units.values() if ref["pilot"] is not None]
        twice = next((pilot for pilot in pilots if pilots.count(pilot) > 1), None)
        if twice is not None:
            name = company.pilots.filter(pk=twice).values_list("name", flat=True).first() or "A pilot"
            raise RefusedError(place, f"{name} can't pilot two units at once. Remove one of them.")
        described = {unit.key: unit for unit in setup.sides[at].units}
        rows = {row.unit: row for row in fielded(company, [pk for pk in ids if pk is not None])}
        for key, ref in force.units.items():
            row = rows.get(ref["unit"] or 0)
            unit = described.get(key)
            if row is None or unit is None:
                raise RefusedError(place, f"{company.name} doesn't have the unit for {key}.")
            _check_same_unit(setup, row, unit, ref["pilot"], place)


def _check_same_unit(setup: Setup, row: FieldedUnit, unit: SetupUnit, pilot: int | None, place: str) -> None:
    """Refuse a unit of a set-up that differs from the company's unit in its present state."""
    rules = roster_rules(setup.system, setup.catalogue_release)
    if rules.spec_json(rules.parse_spec(row.spec)) != spec_of(setup, unit.design):
        raise RefusedError(place, f"{row.name} doesn't match the unit in the set-up.")
    crew = rules.parse_pilot(crew_fields(unit.pilot))
    if (row.pilot, row.experience, set(row.skills)) != (pilot, crew.experience, set(crew.skills)):
        raise RefusedError(place, f"{row.name}'s pilot doesn't match the set-up.")
    if dict(row.condition) != unit.condition:
        raise RefusedError(place, f"{row.name}'s damage doesn't match the set-up.")


def ready_setup(*, system: str, scenario: str | Mapping[str, object]) -> dict[str, object]:
    """Return a legal game of a scenario with ready-made forces and sealed support. Raises RefusedError if none fit."""
    rules, forces = battle_rules(system), ready_made_forces(system, scenario)
    terms = rules.terms(scenario)
    if forces is None or terms is None:
        raise RefusedError("scenario", "No ready-made forces fit this scenario. Choose units yourself.")
    sides = [
        force_side(force, doctrine, support=[SEALED_ROLL] * side.rolls)
        for force, doctrine, side in zip(forces, first_doctrines(system), terms.sides, strict=True)
    ]
    terrain = rules.match_terrains(scenario)[0]
    return setup_document(system=system, scenario=scenario, terrain=terrain, sides=sides)[0]


def force_side(force: PublishedForce, doctrine: str, support: Sequence[str] = ()) -> SideChoice:
    """Return a side that fields a published force."""
    units = [UnitChoice(design=unit.design, name=unit.name, pilot=unit.pilot) for unit in force.units]
    return SideChoice(name=force.name, doctrine=doctrine, units=units, support=support)


def company_choices(company: Company, unit_ids: Sequence[int] | None = None) -> list[UnitChoice]:
    """Return the company's units as choices, in the given order; without IDs, the first ready units with pilots."""
    if unit_ids is None:
        unit_ids = ready_units(company)[: battle_rules(company.system).max_units]
    return [
        UnitChoice(
            key=unit.key,
            design=unit.spec,
            name=unit.name,
            pilot=unit.crew,
            condition=unit.condition,
            unit=unit.unit,
            pilot_id=unit.pilot,
        )
        for unit in fielded(company, unit_ids)
    ]
