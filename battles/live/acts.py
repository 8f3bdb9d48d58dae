"""Acts at a live table: check them, write each once and in order, and prepare rolls for a phone."""

from __future__ import annotations

import math
import re
import secrets
from collections.abc import Mapping, Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from battles.live.sheet import Cell, TableSheet, Value, table_sheet
from battles.live.state import (
    AGREE,
    AHEAD,
    MAX_CHAINS,
    MAX_PHONES,
    OPEN,
    PREPARE,
    ROLL,
    SEAL,
    SET,
    TAKEN_BACK,
    TYPED,
    UNDO,
    Act,
    Chain,
    SentRoll,
    TableState,
    acts_of,
    both_agree,
    chains_of,
    check_sent_roll,
    count_acts,
    hidden_problem,
    note_hash,
    purpose_of,
    report_digest,
    report_problem,
    table_state,
)
from battles.models import LiveEvent, LiveSeat, LiveTable
from battles.services.dice import dice_open, dice_secret, dice_use
from rosters.services import RateLimitedError, RefusedError
from rosters.services.base import clean_text
from systems.engine.dice import PREPARED_CHAIN_LENGTH, SeededDice, ahead_last, ahead_links, roll
from systems.reading import stored_setup

MAX_SIDE_ACTS = 2500  # per side, so that neither side can fill up the log alone
MAX_ACTS_PER_MINUTE = 120  # per side
ALWAYS = (OPEN, UNDO, AGREE)  # allowed in a full log: a note is revealed once, and an act is undone once
MAX_AGREES = 200  # per side, or agreeing and undoing in turn would never end
MAX_CHANGES = 8  # per act
MAX_DICE = 40
SIDES_OF_DICE = range(2, 101)
MAX_TEXT_LENGTH = 300
MAX_PURPOSE_LENGTH = 80
ACT_KEY = re.compile(r"[\w-]{8,64}")
PHONE_KEY = re.compile(r"[\w-]{8,32}")


@transaction.atomic
def act_do(
    *, seat: LiveSeat, once: str, kind: str, facts: Mapping[str, object], seen: int = 0, phone: str = ""
) -> LiveEvent:
    """Add an act of the seat's side to the log. If `once` is known already, return the act it was written for.

    Raises RefusedError for an act that isn't possible in the table's present state.
    """
    if not ACT_KEY.fullmatch(once):
        raise RefusedError("once", "Reload the sheet: this mark has no key.")
    table = LiveTable.objects.select_for_update(no_key=True).get(pk=seat.table_id)
    known = LiveEvent.objects.filter(table=table, side=seat.side, once=once).first()
    if known is not None:
        return known
    if table.ended_at is not None:
        raise RefusedError("table", "The table is closed: both sides have confirmed the result.")
    if kind not in ALWAYS:
        _has_room(table, seat.side)
    sheet, acts = table_sheet(stored_setup(table.setup)), acts_of(table)
    state = table_state(sheet, acts)
    written = (
        _ACT_CHECKS[kind](_Asked(table, seat, sheet, state, acts, phone[:32]), facts) if kind in _ACT_CHECKS else None
    )
    if written is None:
        raise RefusedError("kind", "This action doesn't exist.")
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
    table.length, table.touched_at = event.place, event.occurred_at
    if kind == AGREE and both_agree(sheet, table_state(sheet, [*acts, _as_act(event)])):
        table.ended_at = event.occurred_at
        dice_open(dice=table.dice)
    table.save(update_fields=["length", "touched_at", "ended_at"])
    return event


def _has_room(table: LiveTable, side: int) -> None:
    """Refuse an act if its side has reached the limit of the locked table, or of the last minute."""
    events = LiveEvent.objects.filter(table=table, side=side).exclude(kind__in=ALWAYS)
    if events.count() >= MAX_SIDE_ACTS:
        raise RefusedError(
            "table",
            f"Your side has reached the limit of {MAX_SIDE_ACTS:,} marks. "
            "You can still reveal notes, undo, and confirm the result.",
        )
    newest = events.order_by("-place").values_list("occurred_at", flat=True)
    first = newest[MAX_ACTS_PER_MINUTE - 1 : MAX_ACTS_PER_MINUTE].first()
    wait = math.ceil((first + timedelta(minutes=1) - timezone.now()).total_seconds()) if first else 0
    if wait > 0:
        seconds = "1 second" if wait == 1 else f"{wait} seconds"
        raise RateLimitedError(
            "table", f"Your side has marked {MAX_ACTS_PER_MINUTE} things within a minute. Continue in {seconds}.", wait
        )


@transaction.atomic
def rolls_prepare(*, seat: LiveSeat, phone: str) -> tuple[Chain, str]:
    """Return prepared rolls for this phone, and the last link of their chain, which nobody else may see.

    While some are left, it returns the same ones. New ones are entered in the log with their seal.
    """
    if not PHONE_KEY.fullmatch(phone):
        raise RefusedError("phone", "Reload the sheet: this phone isn't identified.")
    table = LiveTable.objects.select_for_update(no_key=True).select_related("dice").get(pk=seat.table_id)
    if table.ended_at is not None:
        raise RefusedError("table", "The table is closed: both sides have confirmed the result.")
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
        return f"Offline rolls of this side are already on {MAX_PHONES} phones, which is the maximum. Use one of those."
    if len(chains) >= MAX_CHAINS:
        return (
            f"This side has had {MAX_CHAINS * PREPARED_CHAIN_LENGTH} offline rolls, which is the maximum. Roll online."
        )
    return None


def _prepared(table: LiveTable, seat: LiveSeat, phone: str, number: int) -> Chain:
    sealed = ahead_links(ahead_last(dice_secret(table.dice), seat.side, number))[0]
    event = LiveEvent.objects.create(
        table=table,
        place=table.length + 1,
        side=seat.side,
        phone=phone,
        once=secrets.token_hex(16),  # no phone can have chosen it
        seen=table.length,
        kind=PREPARE,
        facts={"chain": number, "sealed": sealed, "length": PREPARED_CHAIN_LENGTH},
    )
    table.length, table.touched_at = event.place, event.occurred_at
    table.save(update_fields=["length", "touched_at"])
    return Chain(number=number, side=seat.side, phone=phone, sealed=sealed, used={}, skipped=())


def _as_act(event: LiveEvent) -> Act:
    return Act(
        place=event.place, side=event.side, kind=event.kind, facts=event.facts, phone=event.phone, seen=event.seen
    )


class _Asked:
    """The context of an act: the table, its present state, and the seat that acts."""

    def __init__(
        self, table: LiveTable, seat: LiveSeat, sheet: TableSheet, state: TableState, acts: Sequence[Act], phone: str
    ) -> None:
        self.table, self.seat, self.sheet, self.state, self.acts = table, seat, sheet, state, acts
        self.phone = phone


def _set(asked: _Asked, facts: Mapping[str, object]) -> dict[str, object]:
    """Check {"changes": [[cell, value]]} and add the value that each cell had before."""
    given = facts.get("changes")
    if not isinstance(given, list) or not 0 < len(given) <= MAX_CHANGES:
        raise RefusedError("changes", "Choose what to mark.")
    cells, changes = asked.sheet.cells, list[list[Value]]()
    for name, value in given:
        cell = cells.get(name)
        if cell is None:
            raise RefusedError("changes", "That isn't on this sheet.")
        if not cell.takes(value):
            raise RefusedError("changes", _objection(asked, cell, value))
        changes.append([name, asked.state.values[name], value])
    return {"changes": changes}


def _objection(asked: _Asked, cell: Cell, value: object) -> str:
    """Return why the cell can't have this value, without giving away anything about the other side's hidden units."""
    table_unit = asked.sheet.table_unit_of(cell.id)
    if table_unit and table_unit.key in asked.state.hidden_from(asked.seat.side):
        return f"{cell.label} can't be “{str(value)[:20]}”."
    if (
        table_unit
        and table_unit.line
        and table_unit.of_hits == (cell,)
        and isinstance(value, int)
        and value > cell.most
    ):
        terms = asked.sheet.terms
        return terms.too_many.format(name=table_unit.name, hits=table_unit.line.hits, word=terms.hits)
    return f"{cell.label} {cell.objection(value)}."


def _seal(asked: _Asked, facts: Mapping[str, object]) -> dict[str, object]:
    return _sealed(_text(facts, "text", MAX_TEXT_LENGTH))


def _sealed(text: str) -> dict[str, object]:
    salt = secrets.token_hex(16)
    return {"text": text, "salt": salt, "hash": note_hash(salt, text)}


def _open(asked: _Asked, facts: Mapping[str, object]) -> dict[str, object]:
    note = asked.state.note(_number(facts, "place"))
    if note is None or note.side != asked.seat.side:
        raise RefusedError("place", "You can only reveal your own notes.")
    if note.is_open:
        raise RefusedError("place", "This note is already revealed.")
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
    """Return the faces that a player typed, the sides of those dice, and the facts to log."""
    faces = facts.get("faces")
    if not isinstance(faces, list) or not faces:
        raise RefusedError("faces", "Enter the dice with spaces between them.")
    _dice, sides, written = _read_throw({**facts, "dice": len(faces)})
    if not all(isinstance(face, int) and not isinstance(face, bool) and 1 <= face <= sides for face in faces):
        raise RefusedError("faces", f"A d{sides} can only show 1 to {sides}.")
    return faces, sides, written


def _ahead(asked: _Asked, facts: Mapping[str, object]) -> dict[str, object]:
    """Record a prepared roll made without a network, as the phone sent it, with anything that is wrong with it."""
    number, place = _number(facts, "chain"), _number(facts, "roll")
    chains = (each for each in chains_of(asked.acts) if each.side == asked.seat.side and each.number == number)
    chain = next(chains, None)
    if chain is None or not 0 < place <= PREPARED_CHAIN_LENGTH:
        raise RefusedError("roll", "There's no such offline roll for this side.")
    faces, sides, written = _read_faces(facts)
    link = str(facts.get("link") or "")[:26]
    return written | check_sent_roll(
        chain, SentRoll(roll=place, link=link, showed=tuple(faces), sides=sides, phone=asked.phone)
    )


def _read_throw(facts: Mapping[str, object]) -> tuple[int, int, dict[str, object]]:
    """Return the number of dice, their sides, and the facts to log: the purpose, and the number needed if any."""
    dice, sides, need = _number(facts, "dice"), _number(facts, "sides"), _number(facts, "need")
    if not 0 < dice <= MAX_DICE:
        raise RefusedError("dice", f"Roll 1 to {MAX_DICE} dice at a time.")
    if sides not in SIDES_OF_DICE:
        raise RefusedError("sides", "A die can have 2 to 100 sides.")
    written: dict[str, object] = {"what": _text(facts, "what", MAX_PURPOSE_LENGTH, may_be_empty=True), "sides": sides}
    return dice, sides, written | ({"need": need} if 0 < need <= sides + 1 else {})


def _undo(asked: _Asked, facts: Mapping[str, object]) -> dict[str, object]:
    act = next((act for act in asked.acts if act.place == _number(facts, "place")), None)
    if act is None or act.side != asked.seat.side:
        raise RefusedError("place", "You can only undo your own marks.")
    if act.kind not in TAKEN_BACK:
        raise RefusedError("place", "You can’t undo rolls or sealed notes.")
    if act.place in asked.state.undone:
        raise RefusedError("place", "That is already undone.")
    return {"place": act.place}


def _agree(asked: _Asked, facts: Mapping[str, object]) -> dict[str, object]:
    """Agree to the report. Refused if it has changed since the player saw it, or if it isn't possible.

    Hidden units are checked first: a refusal that depended on the digest would let a player guess them.
    """
    if count_acts(asked.acts, asked.seat.side, AGREE) >= MAX_AGREES:
        raise RefusedError("table", f"Your side has confirmed {MAX_AGREES} times, which is the maximum.")
    if problem := hidden_problem(asked.state):
        raise RefusedError("report", problem)
    report = asked.sheet.report(asked.state.values)
    digest = report_digest(report)
    if facts.get("digest") != digest:
        raise RefusedError("digest", "Something changed since you opened the report. Check it again.")
    if problem := report_problem(asked.sheet, asked.state):
        raise RefusedError("report", problem)
    return {"digest": digest}


_ACT_CHECKS = {
    SET: _set,
    SEAL: _seal,
    OPEN: _open,
    ROLL: _roll,
    TYPED: _typed,
    UNDO: _undo,
    AGREE: _agree,
    AHEAD: _ahead,
}


def _text(facts: Mapping[str, object], name: str, longest: int, *, may_be_empty: bool = False) -> str:
    return clean_text(name, str(facts.get(name) or ""), longest=longest, may_be_empty=may_be_empty)


def _number(facts: Mapping[str, object], name: str) -> int:
    value = facts.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
