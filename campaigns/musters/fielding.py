"""Which of a company's units make a legal force, asked of its rule system: for standing orders and for mustering."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from campaigns.musters.handicap_terms import lightened
from systems import battle_rules, roster_rules, season_rules
from systems.force_limits import SIDES
from systems.ledger import ACTIVE, WOUNDED, CompanyRecord, UnitRecord
from systems.roster import CompanyMember, PilotSpec, RosterSystem


def member_of(rosters: RosterSystem[object, object], record: CompanyRecord, unit: UnitRecord) -> CompanyMember[object]:
    """The unit with whoever sits in it, as its rule system checks them."""
    pilot = record.pilots.get(unit.pilot) if unit.pilot else None
    crew = PilotSpec(pilot.experience, pilot.skills) if pilot and pilot.status in (ACTIVE, WOUNDED) else None
    return CompanyMember(unit.name, rosters.parse_spec(unit.spec), crew)


def best_force(
    system: str,
    scenario: str | Mapping[str, object],
    members: Sequence[CompanyMember[object]],
    options: Mapping[str, object],
    side: int,
    limit: int | None = None,
) -> tuple[int, ...]:
    """Places of the units that a company fields where nobody chose, by its rule system; empty if no force is legal.

    Where a handicap limits what they may be worth, it is the richest legal part of them that is worth no more.
    """
    rosters, name = roster_rules(system), SIDES[side]

    def allows(places: tuple[int, ...]) -> bool:
        check = rosters.check_company(scenario, [members[place] for place in places], options, side=name)
        return all(problem.place == "scenario" for problem in check.problems)  # a place that is none sets no limits

    most = battle_rules(system).max_units
    chosen = season_rules(system).standing_force(scenario, members, options, side=name, most=most, allows=allows)
    if limit is None:
        return chosen
    points = [rosters.check_design(members[place].spec, options).points for place in chosen]
    lighter = lightened(points, limit, lambda parts: allows(tuple(chosen[part] for part in parts)))
    return tuple(chosen[part] for part in lighter)
