"""The questions to a player before and while moving: which Unit acts, weapons, form, level, path, facing, thrusters.

Questions about combat are in `choices_combat`. The rules decide what is legal. The AI keeps deployment, picking up
objects, Deploy and Recall, drones with Artificial Intelligence, attacks on drones, getting up, breaking free, and the
fate of an enemy that lost a grapple.
"""

from __future__ import annotations

from functools import partial

from systems.engine.choices import Answer, Asks, Chooser, DepartedError, InHand, Value
from systems.engine.dice import Dice, Log
from systems.engine.runner import copy_state
from systems.hex_core.battle import ai, ai_combat
from systems.hex_core.battle import state as c
from systems.hex_core.battle.ai_moves import count_seen, face_enemies, may_end, reaches
from systems.hex_core.battle.ai_moves import follow as follow_way
from systems.hex_core.battle.ai_paths import best_state, can_carry, is_at_its_object, search, window_hex, window_hexes
from systems.hex_core.battle.choices_combat import (
    NO,
    YES,
    ask_aim,
    ask_attack,
    ask_drone_attack,
    ask_drones,
    ask_grapple,
    ask_stance,
    nearest_enemy,
    run_weapons,
    weapon_name,
    yes_no,
)
from systems.hex_core.battle.events import FACINGS, spot
from systems.hex_core.battle.rules import (
    can_fly,
    end_of_units,
    first_unit,
    is_aloft,
    is_in_hand,
    neighbour,
    own_facing,
    weapon_of,
)
from systems.hex_core.battle.rules.commands import kneel, kneel_refusal, stow, stow_refusal, swap, swap_refusal
from systems.hex_core.battle.rules.grapples import release
from systems.hex_core.battle.rules.movement import (
    change_level,
    end_refusal,
    level_refusal,
    press_refusal,
    standing_refusal,
    thrust,
    thrust_refusal,
    transform,
    transform_refusal,
    turn_to,
    way_refusal,
)
from systems.hex_core.battle.rules.rounds import may_act, surrender
from systems.hex_core.battle.state import State

GO, THRUST = 0, 1  # kinds of movement, the first number of an answer
MAX_PRESSES = 2


# --- movement ---------------------------------------------------------------------------------------------------------


def _search_paths(s: State, i: int) -> None:
    """Search every path open to Unit i, through hazards too, with up to two Press On."""
    u = s.units[i]
    presses = min(MAX_PRESSES, u.pool // c.COMMAND) if press_refusal(s, i) == 0 else 0
    search(s, i, u.sm_left + presses, 1)


def _facings(s: State, i: int, at: int) -> dict[int, int]:
    """Return the facings in which Unit i can end in a hex, as its side sees them, and their SM points."""
    costs = {facing: s.ways[best_state(s, at, facing)].cost for facing in range(6)}
    return {facing: cost for facing, cost in costs.items() if cost < c.COSTS}


def _presses(s: State, i: int, cost: int) -> str:
    more = cost - s.units[i].sm_left
    return f", {c.COMMAND * more} AP to Press On" if more > 0 else ""


def _ask_where(chooser: Chooser, s: State, i: int, theirs: Value) -> Value:
    """Ask where Unit i ends its movement: in a hex, or some hexes away by Thruster Movement. HX-065 to HX-071."""
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
        answers.append(Answer(theirs, "Let the AI choose"))
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
    """Ask for Unit i's final facing, as its side sees it. HX-066."""
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
    """Return the facing from which Unit i sees most enemies; on ties the cheapest."""
    u = s.units[i]
    found = _facings(ways, i, at)
    return max(found, key=lambda facing: (count_seen(s, i, at, own_facing(u.side, facing)), -found[facing], -facing))


def _carry_out(chooser: Chooser, s: State, i: int, dice: Dice, log: Log, value: Value) -> None:
    """Carry out the movement chosen by a player."""
    if value[0] == THRUST:
        thrust(s, i, value[1], value[2], dice, log)
        if ai_combat.can_go_on(s, i) and s.units[i].fell == 0:
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
    """Ask about Standard Movement chosen by the AI."""

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
    """Ask about Thruster Movement chosen by the AI."""

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


PACKAGE = "systems.hex_core.battle"
DRAW, STOW = 1, 2  # actions with weapons, the first number of an answer
SURRENDER: Value = (1000,)  # an answer in place of a Unit


# --- before moving ----------------------------------------------------------------------------------------------------


def ask_unit(chooser: Chooser, choose: Asks) -> Asks:
    """Ask which Unit acts; before a Round's first Unit also whether the side surrenders. HX-032, HX-035."""

    def choose_unit(s: State, side: int) -> int:
        theirs: int = choose(s, side)
        own = range(first_unit(s.battle, side), end_of_units(s.battle, side))
        ready = [i for i in own if may_act(s, i)]
        answers = [Answer((i,), f"{chooser.unit(i)}{nearest_enemy(chooser, s, side, s.units[i].at)}") for i in ready]
        if all(s.units[i].acted == 0 for i in own):
            answers.append(Answer(SURRENDER, "None: surrender, and lose the battle"))
        value = chooser.choose(side, "Whose turn is it?", answers, (theirs,))
        if value == SURRENDER:
            surrender(s, side, chooser.log)
            return theirs
        return value[0]

    return choose_unit


def ask_release(chooser: Chooser, break_on: Asks) -> Asks:
    """Ask whether to let go of an enemy at the start of the holder's turn. HX-130."""

    def break_free(s: State, i: int, dice: Dice, log: Log) -> None:
        break_on(s, i, dice, log)
        u = s.units[i]
        if u.holds < 0 or u.done or not chooser.is_asked(u.side):
            return
        words = f"Does {chooser.unit(i)} let go of {chooser.unit(u.holds)}?"
        if chooser.choose(u.side, words, yes_no("Let go", "Hold on"), NO, i) == YES:
            release(s, i, log)

    return break_free


def ask_leave_prone(chooser: Chooser, leave: Asks) -> Asks:
    """Ask whether to leave the prone position. HX-106."""

    def leave_prone(s: State, i: int, log: Log) -> None:
        u = s.units[i]
        if u.prone == 0 or kneel_refusal(s, i) or not chooser.is_asked(u.side):
            leave(s, i, log)
            return
        words = f"Does {chooser.unit(i)} leave the prone position, for {c.COMMAND} of {u.pool} AP? It can move in its next turn."
        if chooser.choose(u.side, words, yes_no("Kneel", "Stay prone"), YES, i) == YES:
            kneel(s, i, log)

    return leave_prone


def ask_draw(chooser: Chooser, draw: Asks) -> Asks:
    """Ask whether to draw a carried weapon, into an empty hand or for another, or to put one away. HX-102."""

    def draw_weapon(s: State, i: int, log: Log) -> None:
        u = s.units[i]
        found = []
        for slot in range(u.weapons) if u.swapped == 0 else ():
            stowed = [c.NOBODY, *(other for other in range(u.weapons) if is_in_hand(weapon_of(s, i, other)))]
            found += [(slot, other) for other in stowed if swap_refusal(s, i, slot, other) == 0]
        stows = [slot for slot in range(u.weapons) if u.swapped == 0 and stow_refusal(s, i, slot) == 0]
        if not (found or stows) or not chooser.is_asked(u.side):
            draw(s, i, log)
            return

        def theirs() -> Value:
            tried = copy_state(s)
            draw(tried, i, [])
            slots = [slot for slot in range(u.weapons) if weapon_of(s, i, slot).place == c.CARRIED]
            drawn = [slot for slot in slots if weapon_of(tried, i, slot).place != c.CARRIED]
            return (DRAW, drawn[0], c.NOBODY) if drawn else NO

        answers = [Answer(NO, "None")]
        for slot, other in found:
            put_away = "" if other == c.NOBODY else f", and stow {weapon_name(chooser, i, other)}"
            answers.append(Answer((DRAW, slot, other), f"Draw {weapon_name(chooser, i, slot)}{put_away}"))
        answers += [Answer((STOW, slot), f"Stow {weapon_name(chooser, i, slot)}") for slot in stows]
        words = f"Which weapon does {chooser.unit(i)} draw or stow, for {c.COMMAND} of {u.pool} AP?"
        value = chooser.choose(u.side, words, answers, theirs, i)
        if value[0] == DRAW:
            swap(s, i, value[1], value[2], log)
        elif value[0] == STOW:
            stow(s, i, value[1], log)

    return draw_weapon


def ask_form(chooser: Chooser, change: Asks) -> Asks:
    """Ask whether to transform. HX-104."""

    def change_form(s: State, i: int, log: Log) -> None:
        u = s.units[i]
        if u.down or u.holds >= 0 or transform_refusal(s, i) or not chooser.is_asked(u.side):
            change(s, i, log)
            return

        def theirs() -> Value:
            tried = copy_state(s)
            change(tried, i, [])
            return YES if tried.units[i].form != u.form else NO

        words = f"Does {chooser.unit(i)} transform, for {c.COMMAND} of {u.pool} AP?"
        answers = yes_no("Become a vehicle" if u.form == c.MECH else "Become a mech", "Stay as it is")
        if chooser.choose(u.side, words, answers, theirs, i) == YES:
            transform(s, i, log)

    return change_form


def ask_level(chooser: Chooser, climb: Asks) -> Asks:
    """Ask for a flyer's level before it moves. HX-067, HX-155."""

    def choose_level(s: State, i: int, dice: Dice, log: Log) -> None:
        u = s.units[i]
        if not can_fly(u) or not chooser.is_asked(u.side):
            climb(s, i, dice, log)
            return
        while ai_combat.can_go_on(s, i):
            levels = [level for level in (u.level + 1, u.level - 1) if level_refusal(s, i, level) == 0]
            if not levels:
                return
            rises = u.level < ai.cruising_level(s, i) and u.level + 1 in levels
            answers = [Answer((level + 1,), f"{'Climb' if level > u.level else 'Sink'} to {level}") for level in levels]
            words = f"Does {chooser.unit(i)} leave level {u.level}, for 2 of {u.sm_left} SM?"
            theirs = (u.level + 2,) if rises else NO_LEVEL
            value = chooser.choose(u.side, words, [*answers, Answer(NO_LEVEL, "No")], theirs, i)
            if value == NO_LEVEL:
                return
            change_level(s, i, value[0] - 1, dice, log)

    return choose_level


NO_LEVEL: Value = (-1,)


def ask_landing(chooser: Chooser, land: Asks) -> Asks:
    """Ask whether a flyer above an object that it could pick up lands after moving. HX-067, HX-165."""

    def land_on(s: State, i: int, dice: Dice, log: Log) -> None:
        u = s.units[i]
        below = [k for k in range(s.battle.objects) if s.objects[k].at == u.at and s.objects[k].status == c.FREE]
        can = is_aloft(s, u) and can_carry(s, i) and level_refusal(s, i, u.level - 1) == 0
        if s.battle.mission != c.RETRIEVAL or not below or not can or not chooser.is_asked(u.side):
            land(s, i, dice, log)
            return

        def theirs() -> Value:
            return YES if is_at_its_object(copy_state(s), i) else NO

        words = f"Does {chooser.unit(i)} come down to object {below[0] + 1}, for 2 of {u.sm_left} SM a level?"
        if chooser.choose(u.side, words, yes_no("Come down", "Stay aloft"), theirs, i) == YES:
            while ai_combat.can_go_on(s, i) and is_aloft(s, u) and level_refusal(s, i, u.level - 1) == 0:
                change_level(s, i, u.level - 1, dice, log)

    return land_on


IN_HAND = InHand(
    modules=(f"{PACKAGE}.ai_paths", f"{PACKAGE}.ai_moves", f"{PACKAGE}.ai_combat", f"{PACKAGE}.ai", f"{PACKAGE}.play"),
    takes={
        "choose_unit": ask_unit,
        "break_free": ask_release,
        "leave_prone": ask_leave_prone,
        "draw_weapon": ask_draw,
        "change_form": ask_form,
        "climb": ask_level,
        "land": ask_landing,
        "follow": ask_way,
        "thrust": ask_thrust,
        "face_enemies": ask_turn,
        "send_drones": ask_drones,
        "take_aim": ask_aim,
        "attack": ask_attack,
        "attack_with_drone": ask_drone_attack,
        "grapple_target": ask_grapple,
        "take_stance": ask_stance,
    },
    follows={"move": run_move, "use_weapons": run_weapons},
)
