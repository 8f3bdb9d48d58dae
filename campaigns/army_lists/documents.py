"""The document of a list, the units that autoplay picks, and the set-up made of both lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NotRequired, TypedDict

from battles.services.setups import SideForce
from campaigns.army_lists.handicaps import (
    calculated_units,
    concession_of,
    unchanged_units,
)
from campaigns.army_lists.legality import best_legal_units, member_of
from campaigns.army_lists.purchases import (
    Purchase,
    build_buying_side,
    build_setup_units,
    crew_document,
    remaining_support,
)
from campaigns.autoplay_orders import add_orders_to_document, orders_for_match
from campaigns.house_rules import round_house_rules
from campaigns.locks import side_enrolment
from campaigns.models import (
    Enrolment,
    Match,
    MatchPreparation,
)
from rosters.documents.snapshots import fielded, ready_units, unit_key
from rosters.ledger.records import company_record
from systems import battle_rules, roster_rules
from systems.ledger import PilotRecord
from systems.orders import OrderValue
from systems.setups import canonical


class ListDocument(TypedDict):
    """A side's list: IDs of units, or what it buys for the match, and the AI style."""

    units: list[int]
    doctrine: str
    buys: NotRequired[list[Purchase]]
    orders: NotRequired[dict[str, dict[str, object]]]  # for support, by result
    standing: NotRequired[dict[str, dict[str, OrderValue]]]  # by recipient, see `campaigns.autoplay_orders`


def list_within_limit(match: Match, side: int, force: ListDocument, limit: int) -> ListDocument | None:
    """Return this list's most expensive legal part within the limit; None if there is none."""
    units = autoplay_units(match, side, limit=limit)
    if not units:
        return None
    document: ListDocument = {"units": units, "doctrine": force["doctrine"]}
    if standing := orders_for_match(match, side, force.get("standing", {}), units):
        document["standing"] = standing
    return document


def autoplay_units(match: Match, side: int, *, limit: int | None = None) -> list[int]:
    """Return the units the rule system picks for a side that chose nothing, in roster order; empty if none are legal.

    Resting units are used only if no list is legal without them. With a limit or a handicap, the list costs no more.
    The side that bears the handicap brings only units that haven't changed since it was calculated.
    """
    enrolment, campaign = side_enrolment(match, side), match.round.campaign
    rosters = roster_rules(campaign.system, campaign.catalogue_release)
    rows = {unit.pk: unit for unit in enrolment.company.units.all()}
    record = company_record(enrolment.company)
    ready = _calculated(match, side, ready_units(enrolment.company))
    limit = concession_of(match, side).points if limit is None else limit
    rested = [pk for pk in ready if not rosters.is_resting(rows[pk].condition)]
    for units in (rested, ready) if rested != ready else (ready,):
        members = [member_of(rosters, record, record.units[pk]) for pk in units]
        if places := best_legal_units(
            campaign.system, match.scenario, members, round_house_rules(match.round), side, limit
        ):
            return [units[place] for place in places]
    return []


def _calculated(match: Match, side: int, units: Sequence[int]) -> list[int]:
    """Return the units that haven't changed since the handicap that the side bears was calculated.

    Return all of them if it bears none.
    """
    calculated = calculated_units(match, side)
    if calculated is None:
        return list(units)
    keys = {unit["key"] for unit in calculated}
    kept = [pk for pk in units if unit_key(pk) in keys]
    if kept:
        now = _setup_units(match, side, side_enrolment(match, side), {"units": kept, "doctrine": ""})
        unchanged = unchanged_units(calculated, now)
        kept = [pk for pk in kept if unit_key(pk) in unchanged]
    return kept


def _calculated_pilots(match: Match, side: int, pilots: Iterable[PilotRecord]) -> list[PilotRecord]:
    """Return the pilots who haven't changed since the side's handicap was calculated; all if it bears none."""
    calculated = calculated_units(match, side)
    if calculated is None:
        return list(pilots)
    seats = Counter(canonical({"is_new": False, **unit["pilot"]}) for unit in calculated)
    found = []
    for pilot in pilots:
        crew = canonical(crew_document(pilot))
        if seats[crew]:
            seats[crew] -= 1
            found.append(pilot)
    return found


def side_forces(match: Match) -> tuple[SideForce, SideForce]:
    """Return the revealed lists in the form battles take."""
    assert match.defender is not None
    attacker, defender = match.forces
    return (
        SideForce(company=match.attacker.company, units=attacker),
        SideForce(company=match.defender.company, units=defender),
    )


def match_document(
    match: Match,
    sides: Sequence[tuple[str, Enrolment, ListDocument]],
    *,
    mirrored: bool = False,
    support: Sequence[Sequence[str]] = ((), ()),
    preparations: Sequence[MatchPreparation] = (),
) -> dict[str, object]:
    """Return the set-up of these sides.

    `mirrored`: both are the same company, with different keys. `preparations`: what both rolled before they bought anything,
    instead of `support`.
    """
    documents = []
    for at, (name, enrolment, force) in enumerate(sides):
        units = _setup_units(match, at, enrolment, force)
        side: dict[str, object] = {"name": name, "doctrine": force["doctrine"], "units": units}
        add_orders_to_document(at, side, units, force.get("standing", {}))
        if mirrored:
            side["units"] = units = [{**unit, "key": f"{'ab'[at]}-{unit['key']}"} for unit in units]
        has = list(support[at]) if not preparations else []
        if preparations:
            has, side["rolled"] = remaining_support(match, at, preparations[at], units)
        side["support"] = has
        if kept := {slug: each for slug, each in force.get("orders", {}).items() if slug in has}:
            side["orders"] = kept
        documents.append(side)
    return {
        "muster": "setup/1",
        "release": match.round.campaign.catalogue_release,
        "system": match.round.campaign.system,
        "scenario": match.scenario,
        "terrain": match.terrain,
        "options": round_house_rules(match.round),
        "sides": documents,
    }


def _setup_units(match: Match, side: int, enrolment: Enrolment, force: ListDocument) -> list[dict[str, object]]:
    """Return a side's units for the set-up, with pilots marked as not new unless they are hired for it."""
    if "buys" in force:
        return build_setup_units(build_buying_side(match, side, enrolment), force["buys"])
    counts_hiring = battle_rules(match.round.campaign.system).counts_hiring(match.scenario)
    return [
        unit.document() | ({"pilot": unit.crew | {"is_new": False}} if counts_hiring and unit.crew else {})
        for unit in fielded(enrolment.company, force["units"])
    ]
