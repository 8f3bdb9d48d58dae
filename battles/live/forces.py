"""The forces that can be fielded at a table at once: the player's own companies as they are, and published forces."""

from __future__ import annotations

from collections.abc import Mapping

from battles.choices import GroupedChoices, first_doctrines
from battles.forms.figures import FieldedUnit, fielded_stock
from battles.forms.setups import own_companies
from battles.published_forces import published_forces, ready_made_forces
from battles.services.setups import SideChoice, SideForce, company_choices, force_side, setup_document
from rosters.models import Company, Player
from rosters.services import RefusedError
from systems import battle_rules

SIDE_NAMES = ("Attacker", "Defender")


def force_choices(system: str, actor: Player | None) -> GroupedChoices:
    """Return what a side can be: value and label, in groups."""
    own = [(f"company:{company.pk}", company.name) for company in own_companies(actor, system) if company.units]
    published = [
        (f"force:{force.slug}", f"{force.name} · {force.points} pt") for force in published_forces(system).values()
    ]
    groups: GroupedChoices = [("Your companies", own)] if own else []
    return [*groups, ("Ready-made forces", published)]


def first_forces(system: str, actor: Player | None = None) -> tuple[str, str]:
    """Return the initial choices: the player's own company if it can field anything, and a ready-made force."""
    made = ready_made_forces(system, battle_rules(system).plain_scenario)
    first, second = (f"force:{made[0].slug}", f"force:{made[1].slug}") if made is not None else ("", "")
    own = (f"company:{company.pk}" for company in own_companies(actor, system) if company.units)
    return next((value for value in own if force_looks(system, value, actor)), first), second


def chosen_side(system: str, value: str, actor: Player | None, side: int) -> SideChoice:
    """Return the side that a form has named; raises RefusedError if there is no such force."""
    kind, _, ref = value.partition(":")
    doctrine = first_doctrines(system)[side]
    if kind == "force" and ref in published_forces(system):
        return force_side(published_forces(system)[ref], doctrine)
    if kind == "company" and actor is not None and ref.isdecimal() and len(ref) < 19:
        company = Company.objects.filter(pk=int(ref), owner=actor, system=system, disbanded_at=None).first()
        if company is not None and (units := company_choices(company)):
            return SideChoice(name=company.name, doctrine=doctrine, units=units, company=company)
    raise RefusedError("force", "Choose a force of the list.")


def force_looks(system: str, value: str, actor: Player | None) -> tuple[FieldedUnit, ...]:
    """Return how the units of the force that a form names look; empty if there is no such force."""
    try:
        side = chosen_side(system, value, actor, 0)
    except RefusedError:
        return ()
    published = fielded_stock(system)
    colour = side.company.colour if side.company else ""
    return tuple(
        published[f"design:{unit.design}"]
        if isinstance(unit.design, str)
        else FieldedUnit(spec=unit.design, condition=unit.condition, colour=colour)
        for unit in side.units
    )


def chosen_table(
    system: str, values: tuple[str, str], terrain: str, actor: Player | None
) -> tuple[dict[str, object], tuple[SideForce | None, ...]]:
    """Return the set-up of two chosen sides in the plain scenario, and the company forces in it."""
    sides = [chosen_side(system, value, actor, at) for at, value in enumerate(values)]
    if sides[0].name == sides[1].name:
        sides = [_with_name(side, f"{side.name}, {SIDE_NAMES[at].lower()}") for at, side in enumerate(sides)]
    rules = battle_rules(system)
    offered = rules.terrain_choices(rules.plain_scenario)
    chosen = terrain if terrain in offered else next(iter(offered), rules.printed)
    return setup_document(system=system, terrain=chosen, sides=sides)


def joining_units(
    system: str, value: str, actor: Player | None, setup: Mapping[str, object]
) -> tuple[list[object], SideForce | None]:
    """Return the units that a joining player brings instead of those on the table, and the force they belong to."""
    sides = setup["sides"]
    assert isinstance(sides, list)
    side = chosen_side(system, value, actor, 1)
    document, forces = setup_document(
        system=system,
        terrain=str(setup["terrain"]),
        sides=[SideChoice(name=sides[0]["name"], doctrine=side.doctrine, units=[]), side],
    )
    made = document["sides"]
    assert isinstance(made, list)
    return made[1]["units"], forces[1]


def _with_name(side: SideChoice, name: str) -> SideChoice:
    return SideChoice(name=name, doctrine=side.doctrine, units=side.units, company=side.company, support=side.support)
