"""A battle in which people decide: its state after the answers so far, and the next question."""

from __future__ import annotations

from dataclasses import dataclass

from systems import battle_rules
from systems.documents import DocumentError
from systems.engine import twin
from systems.engine.choosing import Hand, Question, StoppedError
from systems.engine.dice import Log, ReplacedDice, SeededDice
from systems.setups import Setup
from systems.simulation.fielding import check_fielded


@dataclass(frozen=True, slots=True)
class HandBattle:
    """A battle after the answers so far. `question` is None when the battle has ended."""

    state: twin.State
    log: Log
    question: Question | None
    may_take_back: bool
    seen: int  # number of notes when the last answer was given, or the player took over


def play_by_hand(setup: Setup, seed: int, hand: Hand) -> HandBattle:
    """Simulate the battle of this seed from its set-up, with a person's answers.

    Raises DocumentError for an answer that is not legal or that nobody asked for, and for a game without such battles.
    """
    system = battle_rules(setup.system)
    if system.in_hand is None:
        raise DocumentError("hand", "battles of this game can't be played by hand")
    if hand.after and hand.events:
        raise DocumentError("hand.events", "a battle is taken up after a round or after an event, not both")
    if (hand.after + hand.events > 0) != (hand.seed is not None):
        raise DocumentError("hand.seed", "is there where a battle was taken up, and only there")
    state = system.prepare(setup)
    check_fielded(setup, state)
    log: Log = []
    dice = SeededDice(seed)
    if hand.after:
        system.begin(state, dice, log)
        for number in range(1, hand.after + 1):
            if not system.go_on(state, dice, log):
                raise DocumentError("hand.after", f"the battle was over after {number}")
        assert hand.seed is not None
        dice = SeededDice(hand.seed)
    elif hand.seed is not None:
        dice = ReplacedDice(seed, log, hand.events, hand.seed)
    before = len(log) or hand.events
    chooser = system.chooser(setup, hand, dice)
    chooser.log = log
    begin, go_on = system.in_hand.order_of_play(chooser)
    try:
        if not hand.after:
            begin(state, dice, log)
        while go_on(state, dice, log):
            pass
    except StoppedError as stopped:
        seen = chooser.stood[-2][1] if len(chooser.stood) > 1 else before
        return HandBattle(state, log, stopped.question, chooser.may_take_back, seen)
    if hand.events >= len(log):
        raise DocumentError("hand.events", f"the battle was over after {len(log)}")
    if len(chooser.stood) < len(hand.answers):
        raise DocumentError(f"hand.answers.{len(chooser.stood)}", "answers what nobody asked: the battle was over")
    return HandBattle(state, log, None, False, len(log))
