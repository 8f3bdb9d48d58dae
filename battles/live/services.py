"""Start, join and close live tables, offer forces for them, and log their end."""

from __future__ import annotations

import copy
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from battles.choices import GroupedChoices, even_forces, first_doctrines, nearest_force, published_forces
from battles.forms.sides import FieldedUnit, fielded_stock, own_companies
from battles.live.acts import _sealed
from battles.live.sheet import table_sheet
from battles.live.state import (
    SEAL,
    SET,
    acts_of,
    read_report,
    seat_battle_key,
    table_state,
)
from battles.models import Battle, LiveEvent, LiveSeat, LiveTable
from battles.selectors.records import support_order_notes
from battles.services.battles import battle_title
from battles.services.dice import dice_open, dice_seal
from battles.services.results import battle_log_result
from battles.services.setups import SideChoice, SideForce, check_forces, company_choices, force_side, setup_document
from rosters.models import Company, Player
from rosters.services import RefusedError
from rosters.services.base import clean_text
from systems import battle_rules
from systems.reading import read_setup, stored_setup
from systems.report_fields import FATE_IS_ROLLED
from systems.setups import Setup, setup_json, without_orders

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # without letters that can be misread
CODE_LENGTH = 6
MAX_TABLES_PER_HOUR = 20
MAX_NAME_LENGTH = 60
SECOND_SIDE = 1


@transaction.atomic
def table_open(
    *,
    setup: bytes | str | Mapping[str, object],
    name: str = "",
    forces: Sequence[SideForce | None] = (),
    actor: Player | None = None,
    visitor: str = "",
) -> LiveSeat:
    """Start a table with provably fair dice, and give its first side to the player or visitor who started it.

    The table gets a code that an opponent joins with.
    """
    document = read_setup(setup)
    check_forces(setup=document, forces=forces, actor=actor)
    table_sheet(document)
    _check_limit(actor, visitor)
    table = _table(document, forces, actor=actor, visitor=visitor, code=_free_code())
    return _sit(table, 0, name=name, player=actor)


@transaction.atomic
def table_open_for(*, setup: Mapping[str, object], players: Sequence[Player]) -> LiveTable:
    """Start a table for these players, side by side. Nothing from it is logged to their companies' ledgers."""
    table = _table(read_setup(setup), (), actor=None, visitor="", code=None)
    for side, player in enumerate(players):
        _sit(table, side, name="", player=player)
    return table


@transaction.atomic
def table_join(
    *,
    code: str,
    name: str = "",
    actor: Player | None = None,
    own: Sequence[object] = (),
    force: SideForce | None = None,
) -> LiveSeat:
    """Give the second side of the table with this code to the first person who joins, and remove the code.

    `own` are set-up units that replace those of the second side; `force` is the company force they come from. Raises
    RefusedError if no open table has this code.
    """
    code = "".join(code.upper().split())
    table = LiveTable.objects.select_for_update(no_key=True).filter(code=code).first() if code else None
    if table is None or table.ended_at is not None:
        raise RefusedError("code", "No game is waiting under this code. A code works until somebody joins with it.")
    if own:
        _bring(table, own, force, actor)
    table.code = None
    table.save(update_fields=["code", "setup", "forces", "title"])
    return _sit(table, SECOND_SIDE, name=name, player=actor)


def _bring(table: LiveTable, own: Sequence[object], force: SideForce | None, actor: Player | None) -> None:
    """Replace the second side's units with those of the person who joins. Raises RefusedError once anything is marked."""
    if table.events.filter(kind=SET).exists():
        raise RefusedError("force", "The game has begun, so you play the units already on the table.")
    document = dict(table.setup)
    sides = [dict(side) for side in document["sides"]]
    sides[SECOND_SIDE]["units"] = list(own)
    if force is not None:
        sides[SECOND_SIDE]["name"] = force.company.name
    setup = read_setup({**document, "sides": sides})
    check_forces(setup=setup, forces=[None, force], actor=actor)
    table_sheet(setup)
    table.setup, table.title = setup_json(setup), battle_title(setup)
    table.forces = [*(table.forces or [None])[:1], _kept(force)]


def _table(
    setup: Setup, forces: Sequence[SideForce | None], *, actor: Player | None, visitor: str, code: str | None
) -> LiveTable:
    """Create the table. Orders for support become sealed notes of their side and are stored nowhere else.

    While the second side is free (there is a code), it gets no notes: its player writes their own.
    """
    table = LiveTable.objects.create(
        system=setup.system,
        title=battle_title(setup),
        setup=without_orders(setup_json(setup)),
        forces=[_kept(force) for force in forces],
        code=code,
        dice=dice_seal(),
        made_by=actor,
        made_from="" if actor else visitor,
    )
    sides = (0, 1) if code is None else (0,)
    notes = [(side, note) for side in sides for note in support_order_notes(setup, side)]
    for place, (side, note) in enumerate(notes, start=1):
        facts = _sealed(note.text) | ({"hides": note.hides} if note.hides else {})
        LiveEvent.objects.create(
            table=table, place=place, side=side, once=f"ordered-{place}", kind=SEAL, facts=facts, seen=0
        )
    table.length = len(notes)
    table.save(update_fields=["length"])
    return table


def _kept(force: SideForce | None) -> dict[str, object] | None:
    if force is None:
        return None
    return {"company": force.company.pk, "units": {key: dict(ref) for key, ref in force.units.items()}}


def _sit(table: LiveTable, side: int, *, name: str, player: Player | None) -> LiveSeat:
    name = clean_text("name", name, longest=MAX_NAME_LENGTH, may_be_empty=True)
    force = table.forces[side] if side < len(table.forces) else None
    return LiveSeat.objects.create(
        table=table,
        side=side,
        name=name or (str(player)[:MAX_NAME_LENGTH] if player else stored_setup(table.setup).sides[side].name),
        player=player,
        company_id=force["company"] if force and _is_own(force, player) else None,
    )


def _is_own(force: Mapping[str, Any], player: Player | None) -> bool:
    """Return whether the side's company belongs to its player.

    A player who sets up both sides can put companies of their own on both.
    """
    return player is not None and Company.objects.filter(pk=force["company"], owner=player).exists()


def _check_limit(actor: Player | None, visitor: str) -> None:
    """Raise RefusedError if this player or visitor has started too many tables within the last hour."""
    asked = LiveTable.objects.filter(created_at__gte=timezone.now() - timedelta(hours=1))
    mine = asked.filter(made_by=actor) if actor else asked.filter(made_by=None, made_from=visitor)
    if mine.count() >= MAX_TABLES_PER_HOUR:
        raise RefusedError(
            "table", f"You've started {MAX_TABLES_PER_HOUR} games this hour. Play one of them, or try again later."
        )


@transaction.atomic
def table_close(*, table: LiveTable) -> None:
    """Close the table to acts and reveal its dice."""
    locked = LiveTable.objects.select_for_update(no_key=True).get(pk=table.pk)
    if locked.ended_at is None:
        locked.ended_at, locked.code = timezone.now(), None
        locked.save(update_fields=["ended_at", "code"])
    dice_open(dice=table.dice)


def _free_code() -> str:
    while True:
        code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
        if not LiveTable.objects.filter(code=code).exists():
            return code


@transaction.atomic
def table_log(*, seat: LiveSeat, actor: Player) -> Battle:
    """Log the table's end as a battle from a table to the company of this seat's player."""
    table = LiveTable.objects.select_for_update(no_key=True).get(pk=seat.table_id)
    force = table.forces[seat.side] if seat.side < len(table.forces) else None
    if table.ended_at is None:
        raise RefusedError("table", "Both sides must confirm the result first.")
    if seat.player_id != actor.pk or force is None:
        raise RefusedError("company", "You have no company in this game.")
    company = Company.objects.filter(pk=force["company"], owner=actor).first()
    if company is None:
        raise RefusedError("company", "That company isn't yours any more.")
    sheet = table_sheet(stored_setup(table.setup))
    report = sheet.report(table_state(sheet, acts_of(table)).values)
    ended = read_report(sheet, report)
    own = SideForce(company=company, units=force["units"])
    return battle_log_result(
        setup=_with_support(table.setup, ended.support_used),
        units=ended.units,
        winner=ended.winner,
        actor=actor,
        forces=[own if side == seat.side else None for side in (0, 1)],
        rounds=ended.rounds,
        visibility=company.visibility,
        key=seat_battle_key(seat),
        support_used=ended.support_used,
    )


def _with_support(setup: Mapping[str, object], used: Sequence[Sequence[str]]) -> dict[str, object]:
    """Return the set-up with each support roll at the table replaced by its result."""
    document = copy.deepcopy(dict(setup))
    sides = document["sides"]
    assert isinstance(sides, list)
    for side, slugs in zip(sides, used, strict=True):
        named = [slug for slug in side["support"] if slug != FATE_IS_ROLLED]
        more = list((Counter(slugs) - Counter(named)).elements())
        side["support"] = named + more
    return document


SIDE_NAMES = ("Attacker", "Defender")


def force_choices(system: str, actor: Player | None) -> GroupedChoices:
    """Return the forces to choose from: value and label, in groups."""
    own = [
        (f"company:{company.pk}", f"{company.name} · {company.points(system)} pt")
        for company in own_companies(actor, system)
        if company.units
    ]
    published = [
        (f"force:{force.slug}", f"{force.name} · {force.points} pt") for force in published_forces(system).values()
    ]
    groups: GroupedChoices = [("Your companies", own)] if own else []
    return [*groups, ("Ready-made forces", published)]


def first_forces(system: str, actor: Player | None = None, company: int = 0) -> tuple[str, str]:
    """Return the initial choices: the player's company and a ready-made force like it, else two even ones.

    `company` is the one asked for; without it, or if it can't field anything, the newest that can is chosen.
    """
    for own in sorted(own_companies(actor, system), key=lambda row: (row.pk != company, -row.pk)):
        if force_looks(system, value := f"company:{own.pk}", actor):
            return value, f"force:{nearest_force(system, own.points(system)).slug}"
    first, second = even_forces(system)
    return f"force:{first.slug}", f"force:{second.slug}"


def chosen_side(system: str, value: str, actor: Player | None, side: int) -> SideChoice:
    """Return the side for a form's value; raises RefusedError if there is no such force."""
    kind, _, ref = value.partition(":")
    doctrine = first_doctrines(system)[side]
    if kind == "force" and ref in published_forces(system):
        return force_side(published_forces(system)[ref], doctrine)
    if kind == "company" and actor is not None and ref.isdecimal() and len(ref) < 19:
        company = Company.objects.filter(pk=int(ref), owner=actor, system=system, disbanded_at=None).first()
        if company is not None and (units := company_choices(company)):
            return SideChoice(name=company.name, doctrine=doctrine, units=units, company=company)
    raise RefusedError("force", "Choose a force from the list.")


def force_looks(system: str, value: str, actor: Player | None) -> tuple[FieldedUnit, ...]:
    """Return the looks of the units of a form's force; empty if there is no such force."""
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
    """Return the set-up units that a joining player brings, and their company force."""
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
