"""The questions to a player: each of the AI's choices, with its legal answers in words.

The rules decide what is legal. A movement ends at one of the distances and directions that the AI considers. The AI
still does deployment.
"""

from __future__ import annotations

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.ai import is_too_hot, most_activations
from systems.blazing_steel.battle.ai_values import DIRECTIONS, best, direction_x, direction_y, facing_at, look_around
from systems.blazing_steel.battle.events import ACTIONS
from systems.blazing_steel.battle.rules import allowance, distance, end_of_units, first_unit, is_eligible
from systems.blazing_steel.battle.rules.actions import activate, declare, heat_of_order, is_offensive, refusal
from systems.blazing_steel.battle.rules.engagements import arm_of, can_lose
from systems.blazing_steel.battle.rules.movement import go, is_movement, is_turn_allowed, movement_refusal
from systems.blazing_steel.battle.rules.rounds import can_use_rods, use_rods
from systems.blazing_steel.battle.state import State
from systems.blazing_steel.catalogue import CATALOGUE
from systems.engine.choices import Answer, Asks, Chooser, InHand, Value
from systems.engine.dice import Log
from systems.engine.runner import copy_state
from systems.text import pluralize

PACKAGE = "systems.blazing_steel.battle"
WAYS = ("ahead", "ahead and left", "left", "back and left", "back", "back and right", "right", "ahead and right")
KINDS = (c.SHOOT, c.CHARGE, c.STRIKE, c.MOVE, c.SPRINT, c.JUMP, c.RELOAD, c.SMOKE, c.FLAK, c.FORTIFY, c.COOL)
NO, YES = (0,), (1,)


def ask_warmech(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask which Warmech is activated. BS-022."""

    def choose_warmech(s: State, k: int, side: int, log: Log) -> None:
        ready = [i for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)) if is_eligible(s.units[i])]
        if len(ready) < 2 or not chooser.is_asked(side):
            doctrine(s, k, side, log)
            return

        def theirs() -> Value:
            tried = copy_state(s)
            doctrine(tried, k, side, [])
            return (tried.orders[k].unit,)

        words = f"Which Warmech is activated, to {'follow' if k == c.FOLLOW else 'lead'}?"
        answers = [
            Answer((i,), f"{chooser.unit(i)}, activated {pluralize(s.units[i].activations, 'times')}") for i in ready
        ]
        (i,) = chooser.choose(side, words, answers, theirs)
        activate(s, k, i, log)
        u = s.units[i]
        is_final = u.activations >= most_activations(s) or is_too_hot(s, u, 1)
        u.final = int(is_final)  # for the AI's next choice

    return choose_warmech


def ask_order(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask what the active Warmech declares: action, weapon and target. BS-024 to BS-037."""

    def give_order(s: State, k: int, log: Log) -> None:
        i = s.orders[k].unit
        if (
            i == c.NOBODY
            or s.units[i].status != c.STANDS
            or s.units[i].cooling
            or not chooser.is_asked(s.units[i].side)
        ):
            doctrine(s, k, log)
            return
        answers = [Answer(value, _describe(chooser, s, i, value)) for value in _list_orders(s, k, i)]

        def theirs() -> Value:
            tried = copy_state(s)
            doctrine(tried, k, [])
            order = tried.orders[k]
            return order.action, order.slot, order.target

        words = f"What does {chooser.unit(i)} do with its {'first' if s.battle.slot == 1 else 'second'} action?"
        if k == c.FOLLOW and s.orders[c.LEAD].action:
            lead = s.orders[c.LEAD]
            declared = _describe(chooser, s, lead.unit, (lead.action, lead.slot, lead.target))
            words += f" {chooser.unit(lead.unit)} has declared: {declared}."
        if len(answers) < 2:
            doctrine(s, k, log)
            return
        value = chooser.choose(s.units[i].side, words, answers, theirs, i)
        declare(s, k, value[0], value[1], value[2], log)

    return give_order


def _list_orders(s: State, k: int, i: int) -> list[tuple[int, int, int]]:
    """List everything that Warmech i may declare in order k."""
    found = []
    for action in KINDS:
        enemies = range(first_unit(s.battle, 1 - s.units[i].side), end_of_units(s.battle, 1 - s.units[i].side))
        for e in enemies if is_offensive(action) else (c.NOBODY,):
            for slot in range(c.SLOTS) if action == c.SHOOT else (c.NOBODY,):
                if refusal(s, k, action, slot, e) == 0:
                    found.append((action, slot, e))
    return found


def _describe(chooser: Chooser, s: State, i: int, value: tuple[int, int, int]) -> str:
    action, slot, e = value
    text = CATALOGUE.actions[ACTIONS[action]].name
    if action == c.SHOOT:
        text = f"{text}: {chooser.weapon(i, slot)}"
    if e != c.NOBODY:
        text = f"{text} at {chooser.unit(e)}, {distance(s, i, e):.1f}″ away"
    heat = heat_of_order(s, i, action, slot)
    return f"{text}, heat {heat}" if heat else text


def ask_movement_end(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask where a movement ends: half or all of it in one of eight directions, or in place. BS-040 to BS-046."""

    def make_way(s: State, k: int, log: Log) -> None:
        order = s.orders[k]
        i = order.unit
        if i == c.NOBODY or not is_movement(order.action) or not chooser.is_asked(s.units[i].side):
            doctrine(s, k, log)
            return
        u, action = s.units[i], order.action
        look_around(s, i)
        sign = 1.0 if u.side == c.SIDE_A else -1.0
        answers = [Answer((-1, 0), "Stay, and turn" if action == c.MOVE else "Stay")]
        ends: dict[tuple[float, float], Value] = {}
        for at in range(DIRECTIONS):
            for half in range(2 if action == c.MOVE else 1):
                x, y = _end(s, i, action, at, half, sign)
                if movement_refusal(s, i, action, x, y) == 0 and is_turn_allowed(
                    s, i, action, *facing_at(s, i, action, x, y)
                ):
                    length = allowance(u, action) * (0.5 if half else 1.0)
                    answers.append(Answer((at, half), f"{length:g}″ {WAYS[at]}"))
                    ends[x, y] = (at, half)

        def theirs() -> Value:
            _found, _top, x, y, _face_x, _face_y = best(s, i, action)
            return ends.get((x, y), (-1, 0))

        words = f"Where does {chooser.unit(i)} go? It turns to the nearest enemy."
        at, half = chooser.choose(u.side, words, answers, theirs, i)
        x, y = (u.x, u.y) if at < 0 else _end(s, i, action, at, half, sign)
        turns = at >= 0 or action == c.MOVE
        face_x, face_y = facing_at(s, i, action, x, y) if turns else (u.face_x, u.face_y)
        go(s, i, action, x, y, face_x, face_y, log)

    return make_way


def _end(s: State, i: int, action: int, at: int, half: int, sign: float) -> tuple[float, float]:
    """Return where a movement in a direction ends, calculated as by the AI."""
    u = s.units[i]
    length = allowance(u, action) * (0.5 if half else 1.0) * sign
    return u.x + length * direction_x(at), u.y + length * direction_y(at)


def ask_lost_weapon(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask the owner which weapon is lost with a crippled arm. BS-156."""

    def weapon_to_lose(s: State, i: int, result: int) -> int:
        arm, theirs = arm_of(result), int(doctrine(s, i, result))
        slots = [slot for slot in range(c.SLOTS) if arm and can_lose(s, i, slot, arm)]
        answers = [Answer((slot,), chooser.weapon(i, slot)) for slot in slots]
        words = f"Which weapon does the crippled arm of {chooser.unit(i)} lose?"
        return chooser.choose(s.units[i].side, words, answers, (theirs,), i)[0]

    return weapon_to_lose


def ask_coolant_rods(chooser: Chooser, doctrine: Asks) -> Asks:
    """Ask whether to use Coolant Rods before heat is rolled. BS-AR28."""

    def cool_with_rods(s: State, i: int, log: Log) -> None:
        if not can_use_rods(s, i) or not chooser.is_asked(s.units[i].side):
            doctrine(s, i, log)
            return
        tried: Log = []
        doctrine(copy_state(s), i, tried)
        answers = (Answer(YES, "Use them"), Answer(NO, "Keep them"))
        words = f"Does {chooser.unit(i)} use its Coolant Rods?"
        if chooser.choose(s.units[i].side, words, answers, YES if tried else NO, i) == YES:
            use_rods(s, i, log)

    return cool_with_rods


IN_HAND = InHand(
    modules=(f"{PACKAGE}.play",),
    takes={
        "choose_warmech": ask_warmech,
        "give_order": ask_order,
        "make_way": ask_movement_end,
        "weapon_to_lose": ask_lost_weapon,
        "cool_with_rods": ask_coolant_rods,
    },
)
