"""Which of a company's units make a legal list, by its rule system; for autoplay orders and for mustering."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from campaigns.musters.handicap_terms import best_units_within
from systems import battle_rules, roster_rules, season_rules
from systems.force_limits import SIDES
from systems.ledger import ACTIVE, WOUNDED, CompanyRecord, UnitRecord
from systems.roster import CompanyMember, PilotSpec, RosterSystem


def member_of(rosters: RosterSystem[object, object], record: CompanyRecord, unit: UnitRecord) -> CompanyMember[object]:
    """Return the unit with its pilot, if any, in the form its rule system checks."""
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
    """Return the places of the units a company fields if nobody chose, by its rule system; empty if no list is legal.

    If a handicap limits the list's points, return its most expensive legal part within that limit.
    """
    rosters, name = roster_rules(system), SIDES[side]

    def allows(places: tuple[int, ...]) -> bool:
        check = rosters.check_company(scenario, [members[place] for place in places], options, side=name)
        return all(problem.place == "scenario" for problem in check.problems)  # an unknown scenario sets no limits

    most = battle_rules(system).max_units
    chosen = season_rules(system).standing_force(scenario, members, options, side=name, most=most, allows=allows)
    if limit is None:
        return chosen
    points = [rosters.check_design(members[place].spec, options).points for place in chosen]
    lighter = best_units_within(points, limit, lambda parts: allows(tuple(chosen[part] for part in parts)))
    return tuple(chosen[part] for part in lighter)
