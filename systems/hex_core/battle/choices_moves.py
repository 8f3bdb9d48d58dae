"""The questions to a player about movement: the final hex and facing, with Press On, or Thruster Movement."""

from __future__ import annotations

from functools import partial

from systems.engine.choosing import Answer, Asks, Chooser, DepartedError, Value
from systems.engine.dice import Dice, Log
from systems.engine.twin import copy_state
from systems.hex_core.battle import doctrine
from systems.hex_core.battle import state as c
from systems.hex_core.battle.choices_words import nearest_enemy
from systems.hex_core.battle.doctrine_moves import (
    count_seen,
    face_enemies,
    may_end,
    reaches,
)
from systems.hex_core.battle.doctrine_moves import follow as follow_way
from systems.hex_core.battle.doctrine_search import best_state, search, window_hex, window_hexes
from systems.hex_core.battle.events import FACINGS, spot
from systems.hex_core.battle.rules.ground import (
    neighbour,
    own_facing,
)
from systems.hex_core.battle.rules.moving import (
    end_refusal,
    press_refusal,
    standing_refusal,
    thrust,
    thrust_refusal,
    turn_to,
    way_refusal,
)
from systems.hex_core.battle.state import State

GO, THRUST = 0, 1  # kinds of movement, the first number of an answer
MAX_PRESSES = 2


# --- movement ---------------------------------------------------------------------------------------------------------


def _search_paths(s: State, i: int) -> None:
    """Search every path open to Unit i, with up to two Press On, through hazards too."""
    u = s.units[i]
    presses = min(MAX_PRESSES, u.pool // c.COMMAND) if press_refusal(s, i) == 0 else 0
    search(s, i, u.sm_left + presses, 1)


def _facings(s: State, i: int, at: int) -> dict[int, int]:
    """Return the facings in which Unit i can end in a hex, from its side's view, and the SM points of each."""
    costs = {facing: s.ways[best_state(s, at, facing)].cost for facing in range(6)}
    return {facing: cost for facing, cost in costs.items() if cost < c.COSTS}


def _presses(s: State, i: int, cost: int) -> str:
    more = cost - s.units[i].sm_left
    return f", {c.COMMAND * more} AP to Press On" if more > 0 else ""


def _ask_where(chooser: Chooser, s: State, i: int, theirs: Value) -> Value:
    """Ask where Unit i ends its movement: a hex, or a number of hexes by Thruster Movement. HX-065 to HX-071."""
    u = s.units[i]
    seen = copy_state(s)
    _search_paths(seen, i)
    found = []
    for k in range(window_hexes(seen.battle)):
        at = window_hex(seen.battle, u.side, k)
        if reaches(seen, at) and may_end(seen, i, at):
            cost = min(_facings(seen, i, at).values())
            place = f"Stay in {spot(at)}" if at == u.at else f"{spot(at)}, {cost} SM"
            words = f"{place}{_presses(s, i, cost)}{nearest_enemy(chooser, s, u.side, at)}"
            found.append((cost, Answer((GO, at), words)))
    answers = [answer for _cost, answer in sorted(found, key=lambda each: each[0])]
    answers += _list_thrusts(chooser, s, i)
    if all(answer.value != theirs for answer in answers):
        answers.append(Answer(theirs, "As the doctrine would"))
    words = f"Where does {chooser.unit(i)} go, with {u.sm_left} SM? Hexes are column and row, from the upper left."
    return chooser.choose(u.side, words, answers, theirs, i)


def _list_thrusts(chooser: Chooser, s: State, i: int) -> list[Answer]:
    """List Thruster Movement in each direction. HX-070, HX-071."""
    u = s.units[i]
    found: list[Answer] = []
    if thrust_refusal(s, i, 1):
        return found
    start, level = u.at, u.level
    for direction in range(6):
        for hexes in range(1, u.tm + 1):
            to = neighbour(s, u.at, direction)
            if way_refusal(s, i, to):
                break
            u.at, u.level = to, s.hexes[to].level
            if not end_refusal(s, i, to):
                words = f"Thrusters {FACINGS[direction]} to {spot(to)}{nearest_enemy(chooser, s, u.side, to)}: no attacks then"
                found.append(Answer((THRUST, direction, hexes), words))
        u.at, u.level = start, level
    return found


def _ask_facing(chooser: Chooser, s: State, i: int, at: int, ways: State, theirs: int) -> int:
    """Ask for the facing in which Unit i ends, from its side's view. HX-066."""
    u = s.units[i]
    answers = []
    for facing, cost in _facings(ways, i, at).items():
        seen = count_seen(s, i, at, own_facing(u.side, facing))
        front = f"{seen} {'enemy' if seen == 1 else 'enemies'} in view"
        answers.append(
            Answer((facing,), f"{FACINGS[own_facing(u.side, facing)]}: {front}, {cost} SM{_presses(s, i, cost)}")
        )
    words = f"Which way does {chooser.unit(i)} face in {spot(at)}? Up is the upper edge of the map."
    return chooser.choose(u.side, words, answers, (theirs,), i)[0]


def _best_view(s: State, i: int, at: int, ways: State) -> int:
    """Return the facing from which Unit i sees most enemies; the cheapest on a tie."""
    u = s.units[i]
    found = _facings(ways, i, at)
    return max(found, key=lambda facing: (count_seen(s, i, at, own_facing(u.side, facing)), -found[facing], -facing))


def _carry_out(chooser: Chooser, s: State, i: int, dice: Dice, log: Log, value: Value) -> None:
    """Carry out the movement that a player has chosen."""
    if value[0] == THRUST:
        thrust(s, i, value[1], value[2], dice, log)
        if doctrine.can_go_on(s, i) and s.units[i].fell == 0:
            face_enemies(s, i, log)
        return
    at = value[1]
    _search_paths(s, i)
    facing = value[2] if len(value) > 2 else _ask_facing(chooser, s, i, at, s, _best_view(s, i, at, s))
    follow_way(s, i, best_state(s, at, facing), dice, log)


def run_move(chooser: Chooser, again: Asks) -> Asks:
    """Run the Movement Phase: the AI moves unless a player chooses otherwise."""

    def move(s: State, i: int, dice: Dice, log: Log) -> None:
        try:
            again(s, i, dice, log)
        except DepartedError as departed:
            _carry_out(chooser, s, i, dice, log, departed.value)

    return move


def ask_way(chooser: Chooser, follow: Asks) -> Asks:
    """Ask about Standard Movement that the AI has chosen."""

    def follow_if_agreed(s: State, i: int, chosen: int, dice: Dice, log: Log) -> None:
        at, facing = chosen // c.STATES, chosen % c.STATES >> 1
        if chooser.is_asked(s.units[i].side) and standing_refusal(s, i) == 0:
            chooser.agree((GO, at), partial(_ask_where, chooser, s, i))
            ways = copy_state(s)
            _search_paths(ways, i)
            answer = _ask_facing(chooser, s, i, at, ways, facing) if facing in _facings(ways, i, at) else facing
            if answer != facing:
                raise DepartedError((GO, at, answer))
        follow(s, i, chosen, dice, log)

    return follow_if_agreed


def ask_thrust(chooser: Chooser, thrust_on: Asks) -> Asks:
    """Ask about Thruster Movement that the AI has chosen."""

    def thrust_if_agreed(s: State, i: int, direction: int, hexes: int, dice: Dice, log: Log) -> None:
        if chooser.is_asked(s.units[i].side):
            chooser.agree((THRUST, direction, hexes), partial(_ask_where, chooser, s, i))
        thrust_on(s, i, direction, hexes, dice, log)

    return thrust_if_agreed


def ask_turn(chooser: Chooser, turn: Asks) -> Asks:
    """Ask for the facing after Thruster Movement."""

    def face(s: State, i: int, log: Log) -> None:
        u = s.units[i]
        if not chooser.is_asked(u.side):
            turn(s, i, log)
            return
        tried = copy_state(s)
        turn(tried, i, [])
        answers = [
            Answer((facing,), f"{FACINGS[facing]}: {count_seen(s, i, u.at, facing)} in view") for facing in range(6)
        ]
        words = f"Which way does {chooser.unit(i)} face in {spot(u.at)}? Up is the upper edge of the map."
        (facing,) = chooser.choose(u.side, words, answers, (tried.units[i].facing,), i)
        if facing != u.facing:
            turn_to(s, i, facing, log)

    return face
