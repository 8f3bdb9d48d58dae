"""The questions to a player before moving: which Unit acts, its weapons, form and level, and whether to surrender.

The questions about movement and combat are in `choices_moves` and `choices_combat`.

The rules decide what is legal. The AI keeps deployment, picking up objects, Deploy and Recall, drones with Artificial
Intelligence, attacks on drones, getting up and breaking free, and what happens to an enemy that lost a grapple.
"""

from __future__ import annotations

from systems.engine.choosing import Answer, Asks, Chooser, InHand, Value
from systems.engine.dice import Dice, Log
from systems.engine.twin import copy_state
from systems.hex_core.battle import doctrine
from systems.hex_core.battle import state as c
from systems.hex_core.battle.choices_combat import (
    ask_aim,
    ask_attack,
    ask_drone_attack,
    ask_drones,
    ask_grapple,
    ask_stance,
    run_weapons,
)
from systems.hex_core.battle.choices_moves import ask_thrust, ask_turn, ask_way, run_move
from systems.hex_core.battle.choices_words import NO, YES, nearest_enemy, weapon_name, yes_no
from systems.hex_core.battle.doctrine_moves import (
    can_carry,
    is_at_its_object,
)
from systems.hex_core.battle.rules.commands import (
    kneel,
    kneel_refusal,
    stow,
    stow_refusal,
    swap,
    swap_refusal,
)
from systems.hex_core.battle.rules.grapples import release
from systems.hex_core.battle.rules.ground import (
    can_fly,
    is_aloft,
)
from systems.hex_core.battle.rules.missions import surrender
from systems.hex_core.battle.rules.moving import (
    change_level,
    level_refusal,
    transform,
    transform_refusal,
)
from systems.hex_core.battle.rules.rounds import may_act
from systems.hex_core.battle.rules.units import end_of_units, first_unit, is_in_hand, weapon_of
from systems.hex_core.battle.state import State

PACKAGE = "systems.hex_core.battle"
DRAW, STOW = 1, 2  # actions with weapons, the first number of an answer
SURRENDER: Value = (1000,)  # an answer instead of a Unit


# --- before moving ----------------------------------------------------------------------------------------------------


def ask_unit(chooser: Chooser, choose: Asks) -> Asks:
    """Ask which Unit acts; before the first Unit of a Round, also whether the side surrenders. HX-032, HX-035."""

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
    """Ask whether to let go of an enemy, at the start of the holder's turn. HX-130."""

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
    """Ask whether to draw a carried weapon (into an empty hand or for another), or to put one away. HX-102."""

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
    """Ask for the level of a flyer before it moves. HX-067, HX-155."""

    def choose_level(s: State, i: int, dice: Dice, log: Log) -> None:
        u = s.units[i]
        if not can_fly(u) or not chooser.is_asked(u.side):
            climb(s, i, dice, log)
            return
        while doctrine.can_go_on(s, i):
            levels = [level for level in (u.level + 1, u.level - 1) if level_refusal(s, i, level) == 0]
            if not levels:
                return
            rises = u.level < doctrine.cruising_level(s, i) and u.level + 1 in levels
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
    """Ask a flyer above an object it could pick up whether to land after moving. HX-067, HX-165."""

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
            while doctrine.can_go_on(s, i) and is_aloft(s, u) and level_refusal(s, i, u.level - 1) == 0:
                change_level(s, i, u.level - 1, dice, log)

    return land_on


IN_HAND = InHand(
    modules=(f"{PACKAGE}.doctrine_moves", f"{PACKAGE}.doctrine", f"{PACKAGE}.play"),
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
