"""Start, join and close live tables, with the forces on offer, and log the end.

The forces that can be fielded at a table at once: the player's own companies as they are, and published forces.
"""

from __future__ import annotations

import copy
import math
import re
import secrets
from collections import Counter
from collections.abc import Mapping
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from django.db import transaction
from django.utils import timezone
from battles.live.sheet import Cell
from battles.live.sheet import TableSheet
from battles.live.sheet import Value
from battles.live.sheet import table_sheet
from battles.models import Battle
from battles.models import LiveEvent
from battles.models import LiveSeat
from battles.models import LiveTable
from battles.services.battles import battle_title
from battles.services.dice import dice_open
from battles.services.dice import dice_seal
from battles.services.dice import dice_secret
from battles.services.dice import dice_use
from battles.services.setups import SideForce
from battles.services.setups import check_forces
from rosters.models import Company
from rosters.models import Player
from rosters.services import RefusedError
from rosters.services import TooOftenError
from systems.engine.dice import SeededDice
from systems.engine.dice import roll
from systems.reading import read_setup
from systems.reading import stored_setup
from systems.setups import Setup
from systems.setups import setup_json
from systems.setups import without_orders
from battles.choices import GroupedChoices
from battles.choices import first_doctrines
from battles.forms.setups import own_companies
from battles.services.setups import SideChoice
from battles.services.setups import company_choices
from battles.services.setups import force_side
from battles.services.setups import setup_document
from systems import battle_rules
from battles.live.state import MAX_CHAINS
from battles.live.state import MAX_PHONES
from battles.live.state import SentRoll
from battles.live.state import Chain
from battles.live.state import chains_of
from battles.live.state import check_sent_roll
from battles.live.state import acts_of
from battles.live.state import read_report
from battles.live.state import hidden_problem
from battles.live.state import report_problem
from battles.live.state import seat_battle_key
from battles.live.state import AGREE
from battles.live.state import AHEAD
from battles.live.state import OPEN
from battles.live.state import PREPARE
from battles.live.state import ROLL
from battles.live.state import SEAL
from battles.live.state import SET
from battles.live.state import TAKEN_BACK
from battles.live.state import TYPED
from battles.live.state import UNDO
from battles.live.state import Act
from battles.live.state import TableState
from battles.live.state import both_agree
from battles.live.state import count_acts
from battles.live.state import table_state
from battles.live.state import note_hash
from battles.live.state import purpose_of
from battles.live.state import report_digest
from battles.selectors.records import support_order_notes
from battles.services.results import battle_log_result
from rosters.services.base import clean_text
from systems.engine.fair_dice import PREPARED_CHAIN_LENGTH
from systems.engine.fair_dice import ahead_last
from systems.engine.fair_dice import ahead_links
from systems.report_fields import FATE_IS_ROLLED
from battles.forms.sides import FieldedUnit
from battles.forms.sides import fielded_stock
from battles.choices import published_forces
from battles.choices import ready_made_forces


ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # without letters that can be misread
CODE_LENGTH = 6
MAX_TABLES_PER_HOUR = 20
MAX_SIDE_ACTS = 2500  # per side in the log of a table: neither side can use up the other's room
MAX_ACTS_PER_MINUTE = 120  # per side
ALWAYS = (OPEN, UNDO, AGREE)  # however full the log is: a note is revealed once, and an act is undone once
MAX_AGREES = 200  # per side: agreeing and undoing it in turn would never end
MAX_CHANGES = 8  # per act
MAX_DICE = 40
SIDES_OF_DICE = range(2, 101)
MAX_TEXT_LENGTH = 300
MAX_PURPOSE_LENGTH = 80
MAX_NAME_LENGTH = 60
ACT_KEY = re.compile(r"[\w-]{8,64}")
PHONE_KEY = re.compile(r"[\w-]{8,32}")
SECOND_SIDE = 1


# --- tables -----------------------------------------------------------------------------------------------------------


@transaction.atomic
def table_open(
    *,
    setup: bytes | str | Mapping[str, object],
    name: str = "",
    forces: Sequence[SideForce | None] = (),
    actor: Player | None = None,
    visitor: str = "",
) -> LiveSeat:
    """Start a table with sealed dice, and give its first side to the player or visitor who started it.

    The table has a code by which an opponent can join.
    """
    document = read_setup(setup)
    check_forces(setup=document, forces=forces, actor=actor)
    table_sheet(document)
    _check_limit(actor, visitor)
    table = _table(document, forces, actor=actor, visitor=visitor, code=_free_code())
    return _sit(table, 0, name=name, player=actor)


@transaction.atomic
def table_open_for(*, setup: Mapping[str, object], players: Sequence[Player]) -> LiveTable:
    """Start a table whose sides belong to these players. Nothing is logged from it to their companies' ledgers."""
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
    """Give the second side of the table with this code to the first who joins, and use the code up.

    `own` are units of a set-up that replace those of the second side; `force` is the company's force they come from.

    Raises RefusedError if no open table has this code.
    """
    code = "".join(code.upper().split())
    table = LiveTable.objects.select_for_update(no_key=True).filter(code=code).first() if code else None
    if table is None or table.ended_at is not None:
        raise RefusedError("code", "No table waits under this code. It holds until somebody has joined by it.")
    if own:
        _bring(table, own, force, actor)
    table.code = None
    table.save(update_fields=["code", "setup", "forces", "title"])
    return _sit(table, SECOND_SIDE, name=name, player=actor)


def _bring(table: LiveTable, own: Sequence[object], force: SideForce | None, actor: Player | None) -> None:
    """Replace the second side's units by the joiner's own. Raises RefusedError once anything has been marked."""
    if table.events.filter(kind=SET).exists():
        raise RefusedError("force", "The game has begun: this side plays the units that lie on the table.")
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
    """Create the table. Orders for support become sealed notes of their sides and are stored nowhere else.

    While the second side is free (there is a code), it gets no such notes: its player writes their own.
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
        facts = _sealed(note.told) | ({"hides": note.hides} if note.hides else {})
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

    A player who set up both sides may have used a company of their own for both.
    """
    return player is not None and Company.objects.filter(pk=force["company"], owner=player).exists()


def _check_limit(actor: Player | None, visitor: str) -> None:
    """Raise RefusedError if this player or visitor has started too many tables within the last hour."""
    asked = LiveTable.objects.filter(at__gte=timezone.now() - timedelta(hours=1))
    mine = asked.filter(made_by=actor) if actor else asked.filter(made_by=None, made_from=visitor)
    if mine.count() >= MAX_TABLES_PER_HOUR:
        raise RefusedError("table", f"That is {MAX_TABLES_PER_HOUR} tables within the hour; play at one of them.")


@transaction.atomic
def table_close(*, table: LiveTable) -> None:
    """Close the table to further acts and reveal its dice."""
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


# --- acts -------------------------------------------------------------------------------------------------------------


@transaction.atomic
def act_do(
    *, seat: LiveSeat, once: str, kind: str, facts: Mapping[str, object], seen: int = 0, phone: str = ""
) -> LiveEvent:
    """Add an act of the seat's side to the log; if `once` is known already, return the act it was written for.

    Raises RefusedError for an act that isn't possible in the table's present state.
    """
    if not ACT_KEY.fullmatch(once):
        raise RefusedError("once", "Load the sheet anew: this act has no key of its own.")
    table = LiveTable.objects.select_for_update(no_key=True).get(pk=seat.table_id)
    known = LiveEvent.objects.filter(table=table, side=seat.side, once=once).first()
    if known is not None:
        return known
    if table.ended_at is not None:
        raise RefusedError("table", "Both sides have agreed how it ended; the table is closed.")
    if kind not in ALWAYS:
        _has_room(table, seat.side)
    sheet, acts = table_sheet(stored_setup(table.setup)), acts_of(table)
    state = table_state(sheet, acts)
    written = _ACT_CHECKS[kind](_Asked(table, seat, sheet, state, acts, phone[:32]), facts) if kind in _ACT_CHECKS else None
    if written is None:
        raise RefusedError("kind", "There is no such act at a table.")
    event = LiveEvent.objects.create(
        table=table,
        place=table.length + 1,
        side=seat.side,
        phone=phone[:32],
        once=once,
        seen=min(max(seen, 0), table.length),
        kind=kind,
        facts=written,
    )
    table.length, table.touched_at = event.place, event.at
    if kind == AGREE and both_agree(sheet, table_state(sheet, [*acts, _as_act(event)])):
        table.ended_at = event.at
        dice_open(dice=table.dice)
    table.save(update_fields=["length", "touched_at", "ended_at"])
    return event


def _has_room(table: LiveTable, side: int) -> None:
    """Refuse an act of a side that has done too much at a locked table, or too much within the last minute."""
    events = LiveEvent.objects.filter(table=table, side=side).exclude(kind__in=ALWAYS)
    if events.count() >= MAX_SIDE_ACTS:
        raise RefusedError(
            "table",
            f"Your side has reached the limit of {MAX_SIDE_ACTS:,} acts. "
            "You can still reveal notes, undo, and agree on how the game ended.",
        )
    newest = events.order_by("-place").values_list("at", flat=True)
    first = newest[MAX_ACTS_PER_MINUTE - 1 : MAX_ACTS_PER_MINUTE].first()
    wait = math.ceil((first + timedelta(minutes=1) - timezone.now()).total_seconds()) if first else 0
    if wait > 0:
        seconds = "1 second" if wait == 1 else f"{wait} seconds"
        raise TooOftenError(
            "table", f"Your side has done {MAX_ACTS_PER_MINUTE} things within a minute. Go on in {seconds}.", wait
        )


@transaction.atomic
def rolls_prepare(*, seat: LiveSeat, phone: str) -> tuple[Chain, str]:
    """Return prepared rolls for this phone of the side, and the last link of their chain, which nobody else may see.

    As long as some are left, it returns the same ones. New ones are entered in the log with their seal.
    """
    if not PHONE_KEY.fullmatch(phone):
        raise RefusedError("phone", "Load the sheet anew: this phone has no name of its own.")
    table = LiveTable.objects.select_for_update(no_key=True).select_related("dice").get(pk=seat.table_id)
    if table.ended_at is not None:
        raise RefusedError("table", "Both sides have agreed how it ended; the table is closed.")
    chains = [chain for chain in chains_of(acts_of(table)) if chain.side == seat.side]
    found = next((chain for chain in chains if chain.phone == phone and chain.left), None)
    if found is None:
        if (obstacle := _no_more_rolls(table, chains, phone)) is not None:
            raise RefusedError("phone", obstacle)
        _has_room(table, seat.side)
        found = _prepared(table, seat, phone, len(chains) + 1)
    return found, ahead_last(dice_secret(table.dice), seat.side, found.number)


def _no_more_rolls(table: LiveTable, chains: Sequence[Chain], phone: str) -> str | None:
    """Return why no more rolls of this side can be prepared for the phone; None if they can."""
    if len({chain.phone for chain in chains} | {phone}) > MAX_PHONES:
        return f"Rolls of this side lie on {MAX_PHONES} phones already, and no more get any; take one of those."
    if len(chains) >= MAX_CHAINS:
        return f"{MAX_CHAINS * PREPARED_CHAIN_LENGTH} rolls were prepared for this side, which are the most; roll with a network."
    return None


def _prepared(table: LiveTable, seat: LiveSeat, phone: str, number: int) -> Chain:
    sealed = ahead_links(ahead_last(dice_secret(table.dice), seat.side, number))[0]
    event = LiveEvent.objects.create(
        table=table,
        place=table.length + 1,
        side=seat.side,
        phone=phone,
        once=secrets.token_hex(16),  # not one that a phone could have chosen
        seen=table.length,
        kind=PREPARE,
        facts={"chain": number, "sealed": sealed, "length": PREPARED_CHAIN_LENGTH},
    )
    table.length, table.touched_at = event.place, event.at
    table.save(update_fields=["length", "touched_at"])
    return Chain(number=number, side=seat.side, phone=phone, sealed=sealed, used={}, skipped=())


def _as_act(event: LiveEvent) -> Act:
    return Act(
        place=event.place, side=event.side, kind=event.kind, facts=event.facts, phone=event.phone, seen=event.seen
    )


class _Asked:
    """The context of an act: the table and its present state, and whose act it is."""

    def __init__(
        self, table: LiveTable, seat: LiveSeat, sheet: TableSheet, state: TableState, acts: Sequence[Act], phone: str
    ) -> None:
        self.table, self.seat, self.sheet, self.state, self.acts = table, seat, sheet, state, acts
        self.phone = phone


def _set(asked: _Asked, facts: Mapping[str, object]) -> dict[str, object]:
    """Check {"changes": [[cell, value]]} and add the value that each cell had before."""
    given = facts.get("changes")
    if not isinstance(given, list) or not 0 < len(given) <= MAX_CHANGES:
        raise RefusedError("changes", "Say what to mark.")
    cells, changes = asked.sheet.cells, list[list[Value]]()
    for name, value in given:
        cell = cells.get(name)
        if cell is None:
            raise RefusedError("changes", "There is no such thing on this sheet.")
        if not cell.takes(value):
            raise RefusedError("changes", _objection(asked, cell, value))
        changes.append([name, asked.state.values[name], value])
    return {"changes": changes}


def _objection(asked: _Asked, cell: Cell, value: object) -> str:
    """Return why the cell can't have this value, without giving away anything about the other side's hidden units."""
    plate = asked.sheet.plate_of(cell.id)
    if plate and plate.key in asked.state.hidden_from(asked.seat.side):
        return f"{cell.label} can't be “{str(value)[:20]}”."
    if plate and plate.line and plate.of_hits == (cell,) and isinstance(value, int) and value > cell.most:
        terms = asked.sheet.terms
        return terms.too_many.format(name=plate.name, hits=plate.line.hits, word=terms.hits)
    return f"{cell.label} {cell.objection(value)}."


def _seal(asked: _Asked, facts: Mapping[str, object]) -> dict[str, object]:
    return _sealed(_text(facts, "text", MAX_TEXT_LENGTH))


def _sealed(text: str) -> dict[str, object]:
    salt = secrets.token_hex(16)
    return {"text": text, "salt": salt, "hash": note_hash(salt, text)}


def _open(asked: _Asked, facts: Mapping[str, object]) -> dict[str, object]:
    note = asked.state.note(_number(facts, "place"))
    if note is None or note.side != asked.seat.side:
        raise RefusedError("place", "You can open your own notes only.")
    if note.is_open:
        raise RefusedError("place", "This note is open already.")
    return {"place": note.place}


def _roll(asked: _Asked, facts: Mapping[str, object]) -> dict[str, object]:
    """Roll the table's dice: the nth roll has a seed of its own, which was fixed when the dice were sealed."""
    dice, sides, written = _read_throw(facts)
    number = 1 + sum(act.kind == ROLL for act in asked.acts)
    stream = SeededDice(dice_use(dice=asked.table.dice, purpose=purpose_of(number)))
    return {**written, "number": number, "faces": [roll(stream, sides) for _ in range(dice)]}


def _typed(asked: _Asked, facts: Mapping[str, object]) -> dict[str, object]:
    """Record dice that were rolled on the table, as a player typed them."""
    faces, _sides, written = _read_faces(facts)
    return {**written, "faces": faces}


def _read_faces(facts: Mapping[str, object]) -> tuple[list[int], int, dict[str, object]]:
    """Return the faces that a player typed, the number of sides of their dice, and what is written to the log."""
    faces = facts.get("faces")
    if not isinstance(faces, list) or not faces:
        raise RefusedError("faces", "Type what the dice show, with spaces between.")
    _dice, sides, written = _read_throw({**facts, "dice": len(faces)})
    if not all(isinstance(face, int) and not isinstance(face, bool) and 1 <= face <= sides for face in faces):
        raise RefusedError("faces", f"A die with {sides} sides shows 1 to {sides}.")
    return faces, sides, written


def _ahead(asked: _Asked, facts: Mapping[str, object]) -> dict[str, object]:
    """Record a prepared roll that was made without a network, as it was made, with anything that is wrong with it."""
    number, place = _number(facts, "chain"), _number(facts, "roll")
    chains = (each for each in chains_of(asked.acts) if each.side == asked.seat.side and each.number == number)
    chain = next(chains, None)
    if chain is None or not 0 < place <= PREPARED_CHAIN_LENGTH:
        raise RefusedError("roll", "No such roll was prepared for this side.")
    faces, sides, written = _read_faces(facts)
    link = str(facts.get("link") or "")[:26]
    return written | check_sent_roll(chain, SentRoll(roll=place, link=link, showed=tuple(faces), sides=sides, phone=asked.phone))


def _read_throw(facts: Mapping[str, object]) -> tuple[int, int, dict[str, object]]:
    """Return the number of dice, their sides, and what is logged: their purpose, and the number needed if any."""
    dice, sides, need = _number(facts, "dice"), _number(facts, "sides"), _number(facts, "need")
    if not 0 < dice <= MAX_DICE:
        raise RefusedError("dice", f"Throw 1 to {MAX_DICE} dice at a time.")
    if sides not in SIDES_OF_DICE:
        raise RefusedError("sides", "A die has 2 to 100 sides.")
    written: dict[str, object] = {"what": _text(facts, "what", MAX_PURPOSE_LENGTH, may_be_empty=True), "sides": sides}
    return dice, sides, written | ({"need": need} if 0 < need <= sides + 1 else {})


def _undo(asked: _Asked, facts: Mapping[str, object]) -> dict[str, object]:
    act = next((act for act in asked.acts if act.place == _number(facts, "place")), None)
    if act is None or act.side != asked.seat.side:
        raise RefusedError("place", "You can take back what you did yourself.")
    if act.kind not in TAKEN_BACK:
        raise RefusedError("place", "That can’t be taken back: dice have fallen, and what is sealed is sealed.")
    if act.place in asked.state.undone:
        raise RefusedError("place", "That is taken back already.")
    return {"place": act.place}


def _agree(asked: _Asked, facts: Mapping[str, object]) -> dict[str, object]:
    """Agree to the report. Refused if the report has changed since the player saw it, or if it isn't possible.

    Hidden units are checked first: a refusal that depended on the digest would let a player guess them.
    """
    if count_acts(asked.acts, asked.seat.side, AGREE) >= MAX_AGREES:
        raise RefusedError("table", f"Your side has agreed {MAX_AGREES} times, and can't any more.")
    if problem := hidden_problem(asked.state):
        raise RefusedError("report", problem)
    report = asked.sheet.report(asked.state.values)
    digest = report_digest(report)
    if facts.get("digest") != digest:
        raise RefusedError("digest", "Something was marked since you looked; look at the report again.")
    if problem := report_problem(asked.sheet, asked.state):
        raise RefusedError("report", problem)
    return {"digest": digest}


_ACT_CHECKS = {SET: _set, SEAL: _seal, OPEN: _open, ROLL: _roll, TYPED: _typed, UNDO: _undo, AGREE: _agree, AHEAD: _ahead}


def _text(facts: Mapping[str, object], name: str, longest: int, *, may_be_empty: bool = False) -> str:
    return clean_text(name, str(facts.get(name) or ""), longest=longest, may_be_empty=may_be_empty)


def _number(facts: Mapping[str, object], name: str) -> int:
    value = facts.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


# --- the end ----------------------------------------------------------------------------------------------------------


@transaction.atomic
def table_log(*, seat: LiveSeat, actor: Player) -> Battle:
    """Log the table's end as a battle from a table to the company of this seat's player."""
    table = LiveTable.objects.select_for_update(no_key=True).get(pk=seat.table_id)
    force = table.forces[seat.side] if seat.side < len(table.forces) else None
    if table.ended_at is None:
        raise RefusedError("table", "Both sides agree first how it ended.")
    if seat.player_id != actor.pk or force is None:
        raise RefusedError("company", "No company of yours has played at this table.")
    company = Company.objects.filter(pk=force["company"], owner=actor).first()
    if company is None:
        raise RefusedError("company", "The company is not yours any more.")
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
    """Return the set-up with support rolls made at the table replaced by what they brought."""
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
