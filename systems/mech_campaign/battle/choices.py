"""The questions to a player: which unit acts, each of its actions, and its facing after a move.

The rules decide what is legal. A ground move covers all or half its length along one of sixteen bearings, or leads to
an objective; a drone flies to a place 10 in from an enemy. Deployment stays with the AI.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import partial
from math import atan2, degrees

from systems.engine.choices import ENOUGH, Answer, Asks, Chooser, InHand, Value
from systems.engine.dice import Dice, Log
from systems.engine.runner import copy_state
from systems.legality import join_words
from systems.mech_campaign.battle import ai, ai_values
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.rules import actions as rules
from systems.mech_campaign.battle.rules import end_of_units, first_unit
from systems.mech_campaign.battle.rules.movement import (
    MOUTHS,
    can_emerge,
    end_x,
    end_y,
    go,
    mouth_x,
    mouth_y,
    only_bearing,
    steps_open,
    turn_to,
)
from systems.mech_campaign.battle.rules.shooting import needed_now
from systems.mech_campaign.battle.state import State
from systems.spaces.plane import is_ahead, root, square

PACKAGE = "systems.mech_campaign.battle"
WALK, FLY, EMERGE, ACT = 0, 1, 2, 3  # kinds of steps; a step's first number
STEP_NOTES = {
    "shot-rolled": c.SHOOT,
    "suppression-rolled": c.SUPPRESS,
    "suppression-placed": c.SUPPRESS,
    "lock-placed": c.LOCK,
    "repair-rolled": c.REPAIR,
    "suppression-removed": c.RECOVER,
    "beacon-claimed": c.SPECIAL,
    "charge-rolled": c.SPECIAL,
}
KEEP = (c.NOBODY,)  # keep the present facing
NTH = ("first", "second", "third")
AIR_REACH = 50  # steps along a bearing, each a twentieth of a move: 10 in
WORDS = {c.SHOOT: "Shoot at", c.SUPPRESS: "Suppress", c.LOCK: "Lock on to"}


def _enemies(s: State, side: int) -> list[int]:
    return [
        e
        for e in range(first_unit(s.battle, 1 - side), end_of_units(s.battle, 1 - side))
        if s.units[e].status == c.TABLE
    ]


def _inches(length: int) -> str:
    return f"{length / 100:.1f}″"


def _describe_distance(chooser: Chooser, s: State, side: int, x: int, y: int) -> str:
    """Describe the distance of a place from the nearest enemy."""
    apart, e = min(((square(x, y, s.units[e].x, s.units[e].y), e) for e in _enemies(s, side)), default=(0, c.NOBODY))
    return f", {_inches(root(apart))} from {chooser.unit(e)}" if e != c.NOBODY else ""


def _describe_bearing(s: State, k: int) -> str:
    """Describe a bearing as seen by its side, looking at the enemy's edge. Ledger 6.2."""
    x, y = s.bearings[k].x, s.bearings[k].y
    turned = round(degrees(atan2(abs(x), y)))
    named = {0: "ahead", 180: "back", 90: "to the right" if x > 0 else "to the left"}
    return named.get(turned, f"{turned}° {'right' if x > 0 else 'left'} of ahead")


# --- steps ------------------------------------------------------------------------------------------------------------


def _list_walks(chooser: Chooser, s: State, i: int) -> list[Answer]:
    """List the ground moves offered to unit i. MC-047 to MC-052."""
    side = s.units[i].side
    found = {(WALK, 0, 0): "Turn on the spot"}
    only = only_bearing(s, i)
    for k in range(c.BEARINGS):
        most = go(s, i, k, c.NOBODY)
        stops = {most, most // 2}
        if only in (c.NOBODY, k):
            stops |= {steps_open(s, i, k, o) for o in range(s.battle.objectives)}
        for steps in sorted(stops - {0}, reverse=True):
            x, y = end_x(s, i, k, steps), end_y(s, i, k, steps)
            length = _inches(root(square(s.units[i].x, s.units[i].y, x, y)))
            found[WALK, k, steps] = (
                f"Move {length} {_describe_bearing(s, k)}{_describe_distance(chooser, s, side, x, y)}"
            )
    return [Answer(value, words) for value, words in found.items()]


def _list_flights(chooser: Chooser, s: State, i: int) -> list[Answer]:
    """List the flights offered to air unit i. MC-054, MC-058."""
    u = s.units[i]
    found = {}
    if u.status == c.TABLE:
        found[FLY, u.x, u.y] = "Circle where it is"
    sign = 1 if u.side == c.SIDE_A else -1
    for e in _enemies(s, u.side):
        t = s.units[e]
        for k in range(c.BEARINGS):
            x, y = t.x + sign * AIR_REACH * s.bearings[k].x, t.y + sign * AIR_REACH * s.bearings[k].y
            if rules.can_fly_to(s, i, x, y):
                found[FLY, x, y] = (
                    f"Fly to a place 10.0″ from {chooser.unit(e)}, seen from it {_describe_bearing(s, k)}"
                )
    return [Answer(value, words) for value, words in found.items()]


def _list_mouths(chooser: Chooser, s: State, i: int) -> list[Answer]:
    """List the tunnel mouths where track i can come up. MC-060, MC-061."""
    side = s.units[i].side
    return [
        Answer(
            (EMERGE, m),
            f"Come up at {_inches(mouth_x(s, side, m))}, {_inches(mouth_y(s, side, m))}"
            f"{_describe_distance(chooser, s, side, mouth_x(s, side, m), mouth_y(s, side, m))}",
        )
        for m in range(MOUTHS)
        if can_emerge(s, i, m)
    ]


def _list_actions(chooser: Chooser, s: State, i: int) -> list[Answer]:
    """List the actions other than moves that unit i can take."""
    found = []
    for action in (c.SHOOT, c.SUPPRESS, c.LOCK):
        for e in _enemies(s, s.units[i].side):
            if rules.refusal(s, i, action, e) == 0:
                t = s.units[e]
                apart = _inches(root(square(s.units[i].x, s.units[i].y, t.x, t.y)))
                chance = ""
                if action == c.SHOOT or (action == c.SUPPRESS and s.battle.to_hit):
                    need = 7 - ai_values.hit_sixths(s, i, e, needed_now(s, s.units[i], e))
                    chance = f", on {need}+"
                found.append(Answer((ACT, action, e), f"{WORDS[action]} {chooser.unit(e)}, {apart} away{chance}"))
    if rules.refusal(s, i, c.REPAIR, c.NOBODY) == 0:
        found.append(Answer((ACT, c.REPAIR, c.NOBODY), "Repair, on 4+"))
    if rules.refusal(s, i, c.RECOVER, c.NOBODY) == 0:
        found.append(Answer((ACT, c.RECOVER, c.NOBODY), "Shake off a suppression marker"))
    for o in range(s.battle.objectives):
        if rules.refusal(s, i, c.SPECIAL, o) == 0:
            words = "Claim the beacon" if s.battle.scenario == c.SURVEY_BEACONS else "Set a charge at the drill, on 4+"
            found.append(Answer((ACT, c.SPECIAL, o), words))
    return found


def _list_steps(chooser: Chooser, s: State, i: int) -> list[Answer]:
    """List every step offered to unit i now."""
    u = s.units[i]
    found = _list_actions(chooser, s, i)
    if rules.refusal(s, i, c.MOVE, c.NOBODY) == 0:
        if u.kind == c.DRONE:
            found += _list_flights(chooser, s, i)
        elif u.status == c.UNDER:
            found += _list_mouths(chooser, s, i)
        else:
            found += _list_walks(chooser, s, i)
    return found


def _ask_step(chooser: Chooser, s: State, i: int, theirs: Value | Callable[[], Value]) -> Value:
    """Ask for unit i's next step; nobody is asked if there is none."""
    u = s.units[i]
    found = _list_steps(chooser, s, i) if s.battle.over == 0 and s.battle.active == i else []
    cost = rules.next_action_cost(u.actions)
    words = f"What is the {NTH[min(u.actions, 2)]} action of {chooser.unit(i)}? It costs {cost} of {s.battle.points} points."
    return chooser.step(u.side, words, found, theirs, i)


def _take_step(chooser: Chooser, s: State, i: int, dice: Dice, log: Log, value: Value) -> None:
    """Carry out a step chosen by a player, and ask for the facing after a move."""
    if value[0] == ACT:
        rules.act(s, i, value[1], value[2], dice, log)
        return
    if value[0] == WALK:
        rules.act_walk(s, i, value[1], value[2], log)
    elif value[0] == FLY:
        rules.act_fly(s, i, value[1], value[2], log)
    else:
        rules.act_emerge(s, i, value[1], log)
    u = s.units[i]
    _value, _action, e = ai_values.best_fire(s, i, u.x, u.y, 0)
    e = e if e != c.NOBODY else ai_values.nearest_enemy(s, i, u.x, u.y)
    e = _facing(chooser, s, i, e)
    if e != c.NOBODY:
        turn_to(s, i, e, log)


def _facing(chooser: Chooser, s: State, i: int, theirs: int) -> int:
    """Ask which enemy unit i faces; NOBODY: it keeps its facing. MC-047, MC-054."""
    u = s.units[i]
    answers = [Answer((e,), f"{chooser.unit(e)}{_describe_front(chooser, s, i, e)}") for e in _enemies(s, u.side)]
    words = f"Which enemy does {chooser.unit(i)} turn to? It sees what is in its front half."
    return chooser.choose(u.side, words, [*answers, Answer(KEEP, "None: it keeps its facing")], (theirs,), i)[0]


def _describe_front(chooser: Chooser, s: State, i: int, e: int) -> str:
    """Describe which other enemies are in front of unit i if it turns to enemy e."""
    u, t = s.units[i], s.units[e]
    others = [q for q in _enemies(s, u.side) if q != e]
    seen = [q for q in others if is_ahead(t.x - u.x, t.y - u.y, u.x, u.y, s.units[q].x, s.units[q].y)]
    if not seen:
        return ", alone in front" if others else ""
    if seen == others:
        return ", all others in front too"
    return f", with {join_words([chooser.unit(q) for q in seen])} in front"


def _next_ai_step(s: State, i: int, dice: Dice) -> Value:
    """Return the AI's next step with unit i."""
    tried = copy_state(s)
    log: Log = []
    taken = s.units[i].actions
    left = sum(1 for more in range(taken, c.MAX_ACTIONS) if (1 << more + 1) - (1 << taken) <= s.battle.points)
    ai.activate(tried, i, (1 << left) - 1, False, copy(dice), log)
    for kind, facts in log:
        if kind in STEP_NOTES:
            target = facts.get("target", facts.get("objective", c.NOBODY))
            if kind == "charge-rolled":
                target = next(o for o in range(s.battle.objectives) if rules.refusal(s, i, c.SPECIAL, o) == 0)
            return ACT, STEP_NOTES[kind], target
        if kind in ("unit-flew", "unit-returned"):
            return FLY, facts["x"], facts["y"]
        if kind == "unit-emerged":
            side = s.units[i].side
            places = [(mouth_x(s, side, m), mouth_y(s, side, m)) for m in range(MOUTHS)]
            return EMERGE, places.index((facts["x"], facts["y"]))
        if kind == "unit-moved":
            for k in range(c.BEARINGS):
                for steps in range(c.STEPS + 1):
                    if (end_x(s, i, k, steps), end_y(s, i, k, steps)) == (facts["x"], facts["y"]):
                        return WALK, k if steps else 0, steps
    return ENOUGH


# --- a player's choices in place of the AI's --------------------------------------------------------------------------


def ask_unit(chooser: Chooser, choose: Asks) -> Asks:
    """Ask which unit acts next, or whether to end the turn. MC-034, MC-035."""

    def next_unit(s: State, side: int) -> tuple[int, int]:
        theirs, phase = choose(s, side)
        if not chooser.is_asked(side):
            return theirs, phase
        answers = []
        for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
            u = s.units[i]
            if u.done or u.status == c.DEAD or (i != theirs and not _list_steps(chooser, s, i)):
                continue
            notes = [f"{u.damage} damage"] if u.damage else []
            notes += ["suppressed"] if u.suppression else []
            notes += {c.AWAY: ["away"], c.UNDER: ["underground"]}.get(u.status, [])
            answers.append(Answer((i,), f"{chooser.unit(i)}{', ' if notes else ''}{', '.join(notes)}"))
        if not answers:
            return theirs, phase
        words = f"Who acts next? {s.battle.points} action points are left."
        (i,) = chooser.choose(side, words, [*answers, Answer(ENOUGH, "Nobody: end the turn")], (theirs,))
        if i == theirs:
            return theirs, phase
        return i, ai.phase_of(s, i) if i != c.NOBODY else ai.NO_PHASE

    return next_unit


def run_activation(chooser: Chooser, again: Asks) -> Asks:
    """Ask for each of the active unit's steps. MC-036 to MC-040."""

    def activate(s: State, i: int, budget: int, is_spotting: bool, dice: Dice, log: Log) -> None:
        chooser.steps(
            partial(again, s, i, budget, is_spotting, dice, log),
            partial(_ask_step, chooser, s, i),
            partial(_take_step, chooser, s, i, dice, log),
            partial(_next_ai_step, s, i, dice),
        )

    return activate


def _confirm_step(chooser: Chooser, s: State, i: int, value: Value) -> None:
    if chooser.is_asked(s.units[i].side):
        chooser.agree(value, partial(_ask_step, chooser, s, i))


def ask_action(chooser: Chooser, act: Asks) -> Asks:
    """Let the player confirm or change any of the AI's actions except moves."""

    def act_if_agreed(s: State, i: int, action: int, e: int, dice: Dice, log: Log) -> int:
        if rules.refusal(s, i, action, e) == 0:
            _confirm_step(chooser, s, i, (ACT, action, e))
        return int(act(s, i, action, e, dice, log))

    return act_if_agreed


def ask_walk(chooser: Chooser, act_walk: Asks) -> Asks:
    """Let the player confirm or change a ground move."""

    def walk_if_agreed(s: State, i: int, k: int, steps: int, log: Log) -> int:
        if act_walk(copy_state(s), i, k, steps, []) == 0:
            _confirm_step(chooser, s, i, (WALK, k if steps else 0, steps))
        return int(act_walk(s, i, k, steps, log))

    return walk_if_agreed


def ask_flight(chooser: Chooser, act_fly: Asks) -> Asks:
    """Let the player confirm or change an air move."""

    def fly_if_agreed(s: State, i: int, x: int, y: int, log: Log) -> int:
        if act_fly(copy_state(s), i, x, y, []) == 0:
            _confirm_step(chooser, s, i, (FLY, x, y))
        return int(act_fly(s, i, x, y, log))

    return fly_if_agreed


def ask_mouth(chooser: Chooser, act_emerge: Asks) -> Asks:
    """Let the player confirm or change where a track comes up."""

    def emerge_if_agreed(s: State, i: int, m: int, log: Log) -> int:
        if act_emerge(copy_state(s), i, m, []) == 0:
            _confirm_step(chooser, s, i, (EMERGE, m))
        return int(act_emerge(s, i, m, log))

    return emerge_if_agreed


def ask_facing(chooser: Chooser, turn: Asks) -> Asks:
    """Ask for the facing after one of the AI's moves that the player has confirmed."""

    def turn_if_agreed(s: State, i: int, e: int, log: Log) -> None:
        e = _facing(chooser, s, i, e) if chooser.is_asked(s.units[i].side) else e
        if e != c.NOBODY:
            turn(s, i, e, log)

    return turn_if_agreed


IN_HAND = InHand(
    modules=(f"{PACKAGE}.ai_values", f"{PACKAGE}.ai", f"{PACKAGE}.play"),
    takes={
        "next_unit": ask_unit,
        "act": ask_action,
        "act_walk": ask_walk,
        "act_fly": ask_flight,
        "act_emerge": ask_mouth,
        "turn_to": ask_facing,
    },
    follows={"activate": run_activation},
)
