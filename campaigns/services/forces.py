"""What each side brings to a match: sealed, opened when both are in, or made of the standing orders at the deadline."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from battles.documents import canonical, read_setup
from battles.engine.dice import SeededDice
from battles.services.dice import dice_add_words, dice_use
from battles.services.setups import SideForce
from battles.systems import get_system
from campaigns.models import Enrolment, Match, MatchForce, SupportRoll
from rosters.documents import DocumentError
from rosters.models import Player
from rosters.services import RefusedError, company_record
from rosters.snapshots import UNITS_MOST, fielded, ready_units
from rosters.systems import get_system as get_roster_system

from ._base import match_lock, running, undecided
from .fielding import best_force, member_of
from .odds import no_odds, odds_publish

Force = Mapping[str, Any]  # {"units": [unit ids], "doctrine": slug}


def force_hash(salt: str, document: Force) -> str:
    """What is shown of a sealed force: SHA-256 of its salt, a line break and the canonical document, in hex."""
    return hashlib.sha256(f"{salt}\n{canonical(document)}".encode()).hexdigest()


@transaction.atomic
def force_seal(*, match: Match, side: int, units: Sequence[int], doctrine: str, by: Player, words: str = "") -> Match:
    """Seals what one side brings. When both sides have sealed, both are opened, and the match has its set-up."""
    locked = match_lock(match)
    undecided(locked)
    running(locked.round.campaign)
    if locked.setup is not None:
        raise RefusedError("match", "The forces of this match are open already; they can't be changed any more.")
    document = {"units": list(units), "doctrine": doctrine}
    force_checked(locked, side, document)
    words = _words_sealed(locked, side, words)
    salt = secrets.token_hex(16)
    MatchForce.objects.update_or_create(
        match=locked,
        side=side,
        defaults={"document": document, "salt": salt, "hash": force_hash(salt, document), "words": words, "by": by},
    )
    if locked.dice is not None:
        dice_add_words(dice=locked.dice, who=("attacker", "defender")[side], text=words)
    return forces_open(match=locked) if locked.sealed.count() == 2 else locked


def _words_sealed(match: Match, side: int, words: str) -> str:
    """The side's words for the dice: those of its first seal, whatever it seals afterwards."""
    first = match.sealed.filter(side=side).first()
    if first is None:
        return words
    if words.strip() not in ("", first.words):
        raise RefusedError(
            "words", "Your words for the dice were sealed with your first force; they can't be changed any more."
        )
    return first.words


def force_checked(match: Match, side: int, document: Force) -> None:
    """Refuses a force that could not be fielded in this match, with the rule that forbids it."""
    enrolment = side_enrolment(match, side)
    doctrines = get_system(match.round.campaign.system).doctrines
    if document["doctrine"] not in doctrines:
        raise RefusedError("doctrine", "There is no such doctrine.")
    fielded(enrolment.company, document["units"])
    names = ("Attacker", "Defender")
    try:
        read_setup(match_document(match, [(names[at], enrolment, document) for at in (0, 1)], mirrored=True))
    except DocumentError as error:
        if error.path.startswith(f"sides[{1 - side}]"):
            return  # the other side stands in for one not known yet
        raise RefusedError("units", error.reason) from None


@transaction.atomic
def forces_open(*, match: Match) -> Match:
    """Opens both forces and fixes the match's set-up; a side that sealed none comes with all it can field.

    Once open, they stay as they are: called again, it changes nothing.
    """
    locked = match_lock(match)
    if locked.setup is not None:
        return locked
    sealed = {force.side: force for force in locked.sealed.all()}
    sides = []
    for side in (0, 1):
        enrolment = side_enrolment(locked, side)
        document = sealed[side].document if side in sealed else default_force(locked, side)
        sides.append((enrolment.company.name, enrolment, document))
    if sides[0][0] == sides[1][0]:
        sides[1] = (f"{sides[1][0][:57]} II", *sides[1][1:])
    support = support_roll(match=locked, forces=[(enrolment, document) for _, enrolment, document in sides])
    try:
        setup = read_setup(match_document(locked, sides, support=support))
    except DocumentError as error:
        raise RefusedError("forces", f"These forces can't meet: {error.reason}") from None
    locked.setup = setup.model_dump(mode="json")
    locked.forces = [_rows(enrolment, document) for _, enrolment, document in sides]
    locked.save(update_fields=["setup", "forces"])
    locked.sealed.update(opened_at=timezone.now())
    odds_publish(locked, locked.setup)
    return locked


def orders_publish(match: Match) -> None:
    """Publishes the odds of a match as both sides would fight it now, with all they can field, by standing orders."""
    names = ("Attacker", "Defender")
    try:
        sides = [(names[side], side_enrolment(match, side), default_force(match, side)) for side in (0, 1)]
        setup = read_setup(match_document(match, sides))
    except (RefusedError, DocumentError) as error:  # a side can field nothing, or no force that is legal here
        no_odds(match, error.reason)
        return
    odds_publish(match, setup.model_dump(mode="json"))


def support_roll(*, match: Match, forces: Sequence[tuple[Enrolment, Force]]) -> list[list[str]]:
    """What the support rolls of both sides bring, on the match's sealed dice: the attacker's first."""
    system = get_system(match.round.campaign.system)
    if match.dice is None or system.terms(match.scenario) is None:
        return [[], []]
    dice = SeededDice(dice_use(dice=match.dice, purpose="support"))
    rolled: list[list[str]] = []
    for side, (enrolment, force) in enumerate(forces):
        pilots = [unit.document()["pilot"] for unit in fielded(enrolment.company, force["units"])]
        rolls = [system.roll_support(dice) for _ in range(system.support_allowed(match.scenario, side, pilots))]
        for number, made in enumerate(rolls, start=1):
            SupportRoll.objects.create(match=match, side=side, number=number, faces=list(made.faces), result=made.slug)
        rolled.append([made.slug for made in rolls])
    return rolled


def default_force(match: Match, side: int) -> dict[str, Any]:
    """What the company fields where nobody chose: the force that its rule system picks of all that it has ready and
    manned. Refused if no force is legal, with what is wrong with all of them together.

    It fights by the standing orders; without orders by the system's first doctrine.
    """
    enrolment = side_enrolment(match, side)
    doctrine = enrolment.orders.get("doctrine") or next(iter(get_system(match.round.campaign.system).doctrines))
    units = standing_units(match, side) or ready_units(enrolment.company)[:UNITS_MOST]
    if not units:
        raise RefusedError("units", f"{enrolment.company.name} has no unit that is ready and has a pilot.")
    document = {"units": units, "doctrine": doctrine}
    force_checked(match, side, document)
    return document


def standing_units(match: Match, side: int) -> list[int]:
    """What the rule system picks for a side that chose nothing, in roster order; what rests comes only if no force is
    made without it. None if no force is legal."""
    enrolment, campaign = side_enrolment(match, side), match.round.campaign
    rosters = get_roster_system(campaign.system)
    rows = {unit.pk: unit for unit in enrolment.company.units.all()}
    record = company_record(enrolment.company)
    ready = ready_units(enrolment.company)
    rested = [pk for pk in ready if not rosters.is_resting(rows[pk].condition)]
    for units in (rested, ready) if rested != ready else (ready,):
        members = [member_of(rosters, record, record.units[pk]) for pk in units]
        if places := best_force(campaign.system, match.scenario, members, campaign.options, side):
            return [units[place] for place in places]
    return []


def can_field(match: Match, side: int) -> bool:
    """Whether the side has any unit that is ready and has a pilot."""
    return bool(ready_units(side_enrolment(match, side).company))


def side_enrolment(match: Match, side: int) -> Enrolment:
    """Who attacks (0) or defends (1); refused for the empty side of a bye."""
    enrolment = (match.attacker, match.defender)[side]
    if enrolment is None:
        raise RefusedError("match", "This match is a bye: there is no opponent.")
    return enrolment


def side_forces(match: Match) -> tuple[SideForce, SideForce]:
    """The open forces as battles take them."""
    assert match.defender is not None
    attacker, defender = match.forces
    return (
        SideForce(company=match.attacker.company, units=attacker),
        SideForce(company=match.defender.company, units=defender),
    )


def _rows(enrolment: Enrolment, document: Force) -> dict[str, dict[str, int | None]]:
    return {
        unit.key: {"unit": unit.unit, "pilot": unit.pilot} for unit in fielded(enrolment.company, document["units"])
    }


def match_document(
    match: Match,
    sides: Sequence[tuple[str, Enrolment, Force]],
    *,
    mirrored: bool = False,
    support: Sequence[Sequence[str]] = ((), ()),
) -> dict[str, Any]:
    """The set-up of these sides. `mirrored`: both are the same company, told apart by their keys."""
    documents = []
    counts_hiring = get_system(match.round.campaign.system).counts_hiring(match.scenario)
    for at, (name, enrolment, force) in enumerate(sides):
        units = [unit.document() for unit in fielded(enrolment.company, force["units"])]
        if counts_hiring:  # on the roster already
            units = [{**unit, "pilot": {**unit["pilot"], "is_new": False}} if unit["pilot"] else unit for unit in units]
        if mirrored:
            units = [{**unit, "key": f"{'ab'[at]}-{unit['key']}"} for unit in units]
        documents.append({"name": name, "doctrine": force["doctrine"], "support": list(support[at]), "units": units})
    return {
        "muster": "setup/1",
        "system": match.round.campaign.system,
        "scenario": match.scenario,
        "terrain": match.terrain,
        "options": match.round.campaign.options,
        "sides": documents,
    }
