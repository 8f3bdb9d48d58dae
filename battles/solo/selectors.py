"""The page of an online battle."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from battles.models import Battle, SoloBattle
from battles.replay.base import StepPage
from battles.replay.boards import BOARDS, BoardKind, board_of
from battles.selectors.battle import SideState, UnitState
from battles.selectors.records import replayed
from rosters.models import Player
from rosters.policy import asked_by
from rosters.services import RefusedError
from systems import battle_rules, roster_rules
from systems.engine.choices import Question
from systems.reading import stored_setup
from systems.rulebook import RuleRef
from systems.setups import SIDE_LETTERS as LETTERS
from systems.simulation.analysis import EventLine, rounds_of
from systems.simulation.records import HandBattle, Record

KEYS = 9  # number of answers that have a digit key


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """One answer as a button."""

    value: str
    words: str
    key: str  # on the keyboard; empty: none
    is_doctrine: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SoloPage:
    """Everything that the page shows."""

    solo: SoloBattle
    system_name: str
    place: str
    sides: tuple[tuple[str, bool], ...]  # names, and whether people play them
    question: Question
    asked_side: str
    answers: tuple[AnswerLine, ...]
    may_take_back: bool
    title: str  # of the round
    lines: tuple[EventLine, ...]  # since the last answer
    earlier: int  # number of lines before those
    state: tuple[SideState, ...]
    bands: tuple[str, ...]  # the range bands of units in contact, in words
    rulebook: Mapping[str, RuleRef]
    boxes: str
    map: StepPage | None  # the current drawing; None for a battle that can't be drawn
    board_kind: BoardKind | None
    liveries: Mapping[str, str]  # colours of companies, by the letter of their side


def events_up_to(battle: Battle, step: int) -> int:
    """Return the number of events up to that step of the drawing. Raises RefusedError if nobody can take over there."""
    replay = replayed(battle)
    if replay is None or replay.board is None:
        raise RefusedError("step", "This battle has no replay map to choose a step from.")
    page = replay.board.page(max(1, step), 0)
    before = [frame for frame in page.frames if frame.number <= page.step]
    events = max((line.number for frame in before for line in frame.lines), default=0)
    if not events:
        raise RefusedError("step", "Nothing has happened yet at this step. Choose a later one.")
    if events >= len(replay.record.events):
        raise RefusedError("step", "The battle is over at this step. Choose an earlier one.")
    return events


def solo_found(key: UUID, player: Player | None, visitor: str) -> SoloBattle | None:
    """Return the online battle with that key; only its player may see it."""
    solo = SoloBattle.objects.filter(key=key).select_related("dice").first()
    return solo if solo is not None and asked_by(solo, player, visitor) else None


def open_solo(player: Player | None, visitor: str) -> tuple[SoloBattle, ...]:
    """Return the online battles that wait for the player, latest first."""
    if player is None and not visitor:
        return ()
    asker = {"asked_by": player} if player else {"asked_by": None, "asked_from": visitor}
    return tuple(SoloBattle.objects.filter(**asker).defer("setup").order_by("-touched_at")[:20])


def solo_page(solo: SoloBattle, standing: HandBattle) -> SoloPage | None:
    """Return the page of the battle in that state; None if there is no question."""
    question = standing.question
    if question is None:
        return None
    setup, rules = stored_setup(solo.setup), battle_rules(solo.system)
    record = Record(setup, 0, rules.rules_version, rules.events(setup, standing.log), {"units": ()})  # no fates yet
    rounds = rounds_of(record)
    names = dict(rules.unit_names(setup)) | dict(rules.brought(setup, record.events))
    lines = [line for view in rounds for step in view.steps for line in step.lines]
    board = board_of(record, rounds) if rounds else None
    units = rounds[-1].units if rounds else rules.opening(setup).units
    bands = rounds[-1].bands if rounds else ()
    return SoloPage(
        solo=solo,
        system_name=roster_rules(solo.system).name,
        place=rules.place_title(setup),
        sides=tuple((side.name, at in solo.sides) for at, side in enumerate(setup.sides)),
        question=question,
        asked_side=setup.sides[question.side].name,
        answers=_buttons(question),
        may_take_back=standing.may_take_back,
        title=rounds[-1].title if rounds else "Before the first round",
        lines=tuple(line for line in lines if line.number > standing.seen),
        earlier=min(standing.seen, len(lines)),
        state=tuple(
            SideState(letter, tuple(UnitState(names[view.key], view) for view in units if view.side == at))
            for at, letter in enumerate(LETTERS)
        ),
        bands=tuple(f"{names[each.a_key]} and {names[each.d_key]}: {rules.bands[each.band]}" for each in bands),
        rulebook=roster_rules(solo.system).rulebook,
        boxes=roster_rules(solo.system).words.boxes,
        map=board.page(sys.maxsize, 0) if board else None,
        board_kind=BOARDS[board.kind] if board else None,
        liveries=solo.liveries,
    )


def _buttons(question: Question) -> tuple[AnswerLine, ...]:
    return tuple(
        AnswerLine(
            _written(each.value),
            each.words,
            str(at) if at <= KEYS else "",
            each.value == question.doctrine,
        )
        for at, each in enumerate(question.answers, start=1)
    )


def _written(value: tuple[int, ...]) -> str:
    """Return an answer in the form's format."""
    return " ".join(map(str, value))
