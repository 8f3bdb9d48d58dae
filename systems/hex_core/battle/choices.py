"""What a person is asked who plays a side: who acts, form and level, where it goes, what it attacks, whom it grapples, its stance.

What is legal is the rules' word. Deployment, objects that are picked up, drones, getting up and breaking free stay with the
doctrine, and so does what becomes of an enemy who has lost a grapple.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import partial

from systems.engine.choosing import ENOUGH, Answer, Asks, Chooser, DepartedError, InHand, Value
from systems.engine.dice import Dice, Log
from systems.engine.twin import copy_state
from systems.hex_core.battle import doctrine
from systems.hex_core.battle import state as c
from systems.hex_core.battle.doctrine_moves import count_seen, face_enemies, may_end, reaches
from systems.hex_core.battle.doctrine_moves import follow as follow_way
from systems.hex_core.battle.doctrine_pairs import drone_pair, target_in
from systems.hex_core.battle.doctrine_search import best_state, search, window_hex, window_hexes
from systems.hex_core.battle.events import FACINGS, spot
from systems.hex_core.battle.rules.attacks import (
    area_refusal,
    attack,
    attack_refusal,
    attack_with_drone,
    drone_refusal,
    height_bonus,
    hit_faces,
    position_bonus,
    watch,
    watch_refusal,
)
from systems.hex_core.battle.rules.commands import cover_refusal, kneel, kneel_refusal, swap, swap_refusal, take_cover
from systems.hex_core.battle.rules.grapples import grapple_refusal
from systems.hex_core.battle.rules.ground import can_fly, distance, is_vehicle, neighbour, own_facing, penalty_of, sight
from systems.hex_core.battle.rules.moving import (
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
from systems.hex_core.battle.rules.rounds import may_act
from systems.hex_core.battle.rules.units import acc_now, asl_now, end_of, first_of, is_in_hand, slot_at, weapon_of
from systems.hex_core.battle.state import State
from systems.hex_core.battle.view import AREA_NAMES

PACKAGE = "systems.hex_core.battle"
NO, YES = (0,), (1,)
GO, THRUST = 0, 1  # what a movement is, first of its numbers
WEAPON, DRONE = 0, 1  # what an attack is made with
MOST_PRESSES = 2
UNARMED = "bare fists"


def _enemies(s: State, side: int) -> list[int]:
    found = range(first_of(s.battle, 1 - side), end_of(s.battle, 1 - side))
    return [t for t in found if s.units[t].status == c.STANDS]


def _weapon(chooser: Chooser, i: int, slot: int) -> str:
    return UNARMED if slot == c.UNARMED else chooser.weapon(i, slot)


def _nearest(chooser: Chooser, s: State, side: int, at: int) -> str:
    """How far a hex is from the nearest enemy."""
    away, t = min(((distance(s, at, s.units[t].at), t) for t in _enemies(s, side)), default=(0, c.NOBODY))
    return f", {away} from {chooser.unit(t)}" if t != c.NOBODY else ""


def _yes_no(yes: str, no: str) -> tuple[Answer, Answer]:
    return Answer(YES, yes), Answer(NO, no)


# --- before moving ----------------------------------------------------------------------------------------------------


def takes_unit(chooser: Chooser, choose: Asks) -> Asks:
    """Who acts. HX-032."""

    def choose_unit(s: State, side: int) -> int:
        theirs = choose(s, side)
        ready = [i for i in range(first_of(s.battle, side), end_of(s.battle, side)) if may_act(s, i)]
        answers = [Answer((i,), f"{chooser.unit(i)}{_nearest(chooser, s, side, s.units[i].at)}") for i in ready]
        return chooser.choose(side, "Whose turn is it?", answers, (theirs,))[0]

    return choose_unit


def takes_draw(chooser: Chooser, draw: Asks) -> Asks:
    """A carried weapon, drawn into an empty hand or for another. HX-102."""

    def draw_weapon(s: State, i: int, log: Log) -> None:
        u = s.units[i]
        found = []
        for slot in range(u.weapons) if u.swapped == 0 else ():
            stowed = [c.NOBODY, *(other for other in range(u.weapons) if is_in_hand(weapon_of(s, i, other)))]
            found += [(slot, other) for other in stowed if swap_refusal(s, i, slot, other) == 0]
        if not found or not chooser.is_asked(u.side):
            draw(s, i, log)
            return

        def theirs() -> Value:
            tried = copy_state(s)
            draw(tried, i, [])
            slots = [slot for slot in range(u.weapons) if weapon_of(s, i, slot).place == c.CARRIED]
            drawn = [slot for slot in slots if weapon_of(tried, i, slot).place != c.CARRIED]
            return (drawn[0] + 1, 0) if drawn else NO

        answers = [Answer(NO, "None")]
        for slot, other in found:
            stows = "" if other == c.NOBODY else f", and stow {_weapon(chooser, i, other)}"
            answers.append(Answer((slot + 1, other + 1), f"{_weapon(chooser, i, slot)}{stows}"))
        words = f"Which weapon does {chooser.unit(i)} draw, for {c.COMMAND} of {u.pool} AP?"
        value = chooser.choose(u.side, words, answers, theirs, i)
        if value != NO:
            swap(s, i, value[0] - 1, value[1] - 1, log)

    return draw_weapon


def takes_form(chooser: Chooser, change: Asks) -> Asks:
    """Transforming. HX-104."""

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
        answers = _yes_no("Become a vehicle" if u.form == c.MECH else "Become a mech", "Stay as it is")
        if chooser.choose(u.side, words, answers, theirs, i) == YES:
            transform(s, i, log)

    return change_form


def takes_level(chooser: Chooser, climb: Asks) -> Asks:
    """The level of a flyer, before it moves. HX-067, HX-155."""

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


# --- movement ---------------------------------------------------------------------------------------------------------


def _look_for_ways(s: State, i: int) -> None:
    """Every way that Unit i can go, with up to two Press On, through hazards too."""
    u = s.units[i]
    presses = min(MOST_PRESSES, u.pool // c.COMMAND) if press_refusal(s, i) == 0 else 0
    search(s, i, u.sm_left + presses, 1)


def _facings(s: State, i: int, at: int) -> dict[int, int]:
    """The facings in which Unit i can end in a hex, as its side sees them, and the SM points of each."""
    costs = {facing: s.ways[best_state(s, at, facing)].cost for facing in range(6)}
    return {facing: cost for facing, cost in costs.items() if cost < c.COSTS}


def _presses(s: State, i: int, cost: int) -> str:
    more = cost - s.units[i].sm_left
    return f", {c.COMMAND * more} AP to Press On" if more > 0 else ""


def _ask_where(chooser: Chooser, s: State, i: int, theirs: Value) -> Value:
    """Where Unit i ends its movement: a hex, or so many hexes by Thruster Movement. HX-065 to HX-071."""
    u = s.units[i]
    seen = copy_state(s)
    _look_for_ways(seen, i)
    found = []
    for k in range(window_hexes(seen.battle)):
        at = window_hex(seen.battle, u.side, k)
        if reaches(seen, at) and may_end(seen, i, at):
            cost = min(_facings(seen, i, at).values())
            place = f"Stay in {spot(at)}" if at == u.at else f"{spot(at)}, {cost} SM"
            words = f"{place}{_presses(s, i, cost)}{_nearest(chooser, s, u.side, at)}"
            found.append((cost, Answer((GO, at), words)))
    answers = [answer for _cost, answer in sorted(found, key=lambda each: each[0])]
    answers += _thrusts(chooser, s, i)
    if all(answer.value != theirs for answer in answers):
        answers.append(Answer(theirs, "As the doctrine would"))
    words = f"Where does {chooser.unit(i)} go, with {u.sm_left} SM? Hexes are column and row, from the upper left."
    return chooser.choose(u.side, words, answers, theirs, i)


def _thrusts(chooser: Chooser, s: State, i: int) -> list[Answer]:
    """Thruster Movement in each direction. HX-070, HX-071."""
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
                words = (
                    f"Thrusters {FACINGS[direction]} to {spot(to)}{_nearest(chooser, s, u.side, to)}: no attacks then"
                )
                found.append(Answer((THRUST, direction, hexes), words))
        u.at, u.level = start, level
    return found


def _ask_facing(chooser: Chooser, s: State, i: int, at: int, ways: State, theirs: int) -> int:
    """The facing in which Unit i ends, as its side sees it. HX-066."""
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


def _most_seen(s: State, i: int, at: int, ways: State) -> int:
    """The facing of those with which Unit i sees most enemies, the cheapest first."""
    u = s.units[i]
    found = _facings(ways, i, at)
    return max(found, key=lambda facing: (count_seen(s, i, at, own_facing(u.side, facing)), -found[facing], -facing))


def _go(chooser: Chooser, s: State, i: int, dice: Dice, log: Log, value: Value) -> None:
    """The movement that a person has chosen."""
    if value[0] == THRUST:
        thrust(s, i, value[1], value[2], dice, log)
        if doctrine.can_go_on(s, i) and s.units[i].fell == 0:
            face_enemies(s, i, log)
        return
    at = value[1]
    _look_for_ways(s, i)
    facing = value[2] if len(value) > 2 else _ask_facing(chooser, s, i, at, s, _most_seen(s, i, at, s))
    follow_way(s, i, best_state(s, at, facing), dice, log)


def follows_move(chooser: Chooser, again: Asks) -> Asks:
    """The Movement Phase: what the doctrine does unless a person wants something else."""

    def move(s: State, i: int, dice: Dice, log: Log) -> None:
        try:
            again(s, i, dice, log)
        except DepartedError as departed:
            _go(chooser, s, i, dice, log, departed.value)

    return move


def takes_way(chooser: Chooser, follow: Asks) -> Asks:
    """Standard Movement that the doctrine has chosen."""

    def follow_if_agreed(s: State, i: int, chosen: int, dice: Dice, log: Log) -> None:
        at, facing = chosen // c.STATES, chosen % c.STATES >> 1
        if chooser.is_asked(s.units[i].side) and standing_refusal(s, i) == 0:
            chooser.agree((GO, at), partial(_ask_where, chooser, s, i))
            ways = copy_state(s)
            _look_for_ways(ways, i)
            answer = _ask_facing(chooser, s, i, at, ways, facing) if facing in _facings(ways, i, at) else facing
            if answer != facing:
                raise DepartedError((GO, at, answer))
        follow(s, i, chosen, dice, log)

    return follow_if_agreed


def takes_thrust(chooser: Chooser, thrust_on: Asks) -> Asks:
    """Thruster Movement that the doctrine has chosen."""

    def thrust_if_agreed(s: State, i: int, direction: int, hexes: int, dice: Dice, log: Log) -> None:
        if chooser.is_asked(s.units[i].side):
            chooser.agree((THRUST, direction, hexes), partial(_ask_where, chooser, s, i))
        thrust_on(s, i, direction, hexes, dice, log)

    return thrust_if_agreed


def takes_turn(chooser: Chooser, turn: Asks) -> Asks:
    """The facing after Thruster Movement."""

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


# --- combat -----------------------------------------------------------------------------------------------------------


def takes_aim(chooser: Chooser, aim: Asks) -> Asks:
    """Kneeling before the attacks. HX-105."""

    def take_aim(s: State, i: int, log: Log) -> None:
        u = s.units[i]
        if kneel_refusal(s, i) or u.kneeling or u.thrust or not chooser.is_asked(u.side):
            aim(s, i, log)
            return

        def theirs() -> Value:
            tried = copy_state(s)
            aim(tried, i, [])
            return YES if tried.units[i].kneeling else NO

        words = f"Does {chooser.unit(i)} kneel, for {c.COMMAND} of {u.pool} AP?"
        if chooser.choose(u.side, words, _yes_no("Kneel", "Stand"), theirs, i) == YES:
            kneel(s, i, log)

    return take_aim


def _attacks(chooser: Chooser, s: State, i: int, melee: int) -> list[Answer]:
    """The attacks of a kind that Unit i and its drones can make. HX-080 to HX-083, HX-029."""
    u = s.units[i]
    found = []
    for k in range(u.weapons + 1):
        slot = slot_at(u, k)
        w = weapon_of(s, i, slot)
        for t in _enemies(s, u.side) if w.melee == melee else ():
            if any(attack_refusal(s, i, slot, t, area) == 0 for area in range(c.AREAS)):
                chance = f"{_faces(s, i, slot, t)} of {c.D8} faces hit"
                words = f"{_weapon(chooser, i, slot)} at {chooser.unit(t)}, {w.ap} AP, {chance}"
                found.append(Answer((WEAPON, slot, t), words))
    for d in range(u.first_drone, u.first_drone + u.drones) if u.holds < 0 else ():
        drone = s.drones[d]
        for t in _enemies(s, u.side):
            if doctrine.is_ready(s, d, melee, 0) and drone.ap <= u.pool and drone_refusal(s, d, t) == 0:
                words = f"Drone {d - u.first_drone + 1} at {chooser.unit(t)}, {drone.ap} AP"
                found.append(Answer((DRONE, d, t), words))
    return found


def _faces(s: State, i: int, slot: int, t: int) -> int:
    """On how many faces an attack hits. HX-A22."""
    u, other = s.units[i], s.units[t]
    if weapon_of(s, i, slot).melee:
        return hit_faces(asl_now(s, i), 1 if u.duellist and u.strikes == 0 else 0)
    seen = penalty_of(u, sight(s, u.at, u.level, other.at, other.level, u.filters))
    bonus = height_bonus(u.level) + position_bonus(s, i) + (1 if u.marksman and u.shots == 0 else 0)
    return hit_faces(acc_now(s, i), bonus - seen)


def _ask_attack(chooser: Chooser, s: State, i: int, melee: int, theirs: Value | Callable[[], Value]) -> Value:
    """What Unit i attacks next; nobody is asked if it can attack nobody."""
    u = s.units[i]
    found = _attacks(chooser, s, i, melee) if doctrine.can_go_on(s, i) else []
    words = f"What does {chooser.unit(i)} {'strike' if melee else 'shoot'} at? It has {u.pool} AP."
    enough = "Nothing" if melee else "Nothing: on to close combat"
    return chooser.step(u.side, words, found, theirs, i, enough)


def _ask_area(chooser: Chooser, s: State, i: int, t: int) -> int:
    """Which area of Unit t an attack is called on; the doctrine goes for the vital one. HX-081."""
    names = AREA_NAMES[is_vehicle(s.units[t])]
    areas = [area for area in range(c.AREAS) if area_refusal(s, t, area) == 0]
    answers = [Answer((area,), f"{names[area]}, {s.areas[t * c.AREAS + area].dp} DP left") for area in areas]
    if area_refusal(s, t, c.SHIELD) == 0:
        answers.append(Answer((c.SHIELD,), f"Its shield, {s.units[t].shield} DP left"))
    for slot in range(s.units[t].weapons):
        if area_refusal(s, t, slot + c.WEAPONS) == 0:
            words = f"{_weapon(chooser, t, slot)}, {weapon_of(s, t, slot).dp} DP left"
            answers.append(Answer((slot + c.WEAPONS,), words))
    words = f"Which part of {chooser.unit(t)} does {chooser.unit(i)} aim at?"
    return chooser.choose(s.units[i].side, words, answers, (c.TORSO,), i)[0]


def _take_attack(chooser: Chooser, s: State, i: int, dice: Dice, log: Log, value: Value) -> None:
    if value[0] == DRONE:
        attack_with_drone(s, value[1], value[2], dice, log)
    else:
        attack(s, i, value[1], value[2], _ask_area(chooser, s, i, value[2]), dice, log)


def _attack_of_doctrine(s: State, i: int, melee: int, dice: Dice) -> Value:
    """The attack that the doctrine would make from here on."""
    made: list[Value] = []
    tried = copy_state(s)
    told: Log = []
    doctrine.use_weapons(tried, i, melee, copy(dice), told)
    for kind, facts in told:
        if kind == "attack-rolled":
            drone = facts["drone"]
            if drone >= 0:
                made.append((DRONE, s.units[i].first_drone + drone, facts["target"]))
            else:
                made.append((WEAPON, facts["slot"], facts["target"]))
            break
    return made[0] if made else ENOUGH


def follows_weapons(chooser: Chooser, again: Asks) -> Asks:
    """The attacks of a phase, one after the other. HX-082, HX-083."""

    def use_weapons(s: State, i: int, melee: int, dice: Dice, log: Log) -> None:
        if doctrine.may_strike(s, i):
            chooser.steps(
                partial(again, s, i, melee, dice, log),
                partial(_ask_attack, chooser, s, i, melee),
                partial(_take_attack, chooser, s, i, dice, log),
                partial(_attack_of_doctrine, s, i, melee, dice),
            )
        else:
            again(s, i, melee, dice, log)

    return use_weapons


def takes_attack(chooser: Chooser, attack_on: Asks) -> Asks:
    """An attack that the doctrine is about to make."""

    def attack_if_agreed(s: State, i: int, slot: int, t: int, area: int, dice: Dice, log: Log) -> None:
        if chooser.is_asked(s.units[i].side):
            melee = weapon_of(s, i, slot).melee
            chooser.agree((WEAPON, slot, t), partial(_ask_attack, chooser, s, i, melee))
            area = _ask_area(chooser, s, i, t)
        attack_on(s, i, slot, t, area, dice, log)

    return attack_if_agreed


def takes_drone(chooser: Chooser, fly: Asks) -> Asks:
    """An attack of a drone that its Unit steers; those with Artificial Intelligence choose for themselves."""

    def fly_if_agreed(s: State, d: int, t: int, dice: Dice, log: Log) -> None:
        drone = s.drones[d]
        i = drone.unit
        if drone.ai == 0 and chooser.is_asked(s.units[i].side) and target_in(drone_pair(s, d)) == t:
            chooser.agree((DRONE, d, t), partial(_ask_attack, chooser, s, i, drone.melee))
        fly(s, d, t, dice, log)

    return fly_if_agreed


def takes_grapple(chooser: Chooser, target: Asks) -> Asks:
    """Whom a Unit grapples. HX-121 to HX-124."""

    def grapple_target(s: State, i: int) -> int:
        side = s.units[i].side
        theirs = target(s, i)
        open_ = [t for t in _enemies(s, side) if grapple_refusal(s, i, t) == 0]
        answers = [Answer((t,), chooser.unit(t)) for t in open_]
        words = f"Whom does {chooser.unit(i)} grapple, for {c.GRAPPLE_AP} of {s.units[i].pool} AP?"
        return chooser.choose(side, words, [*answers, Answer((c.NOBODY,), "Nobody")], (theirs,), i)[0]

    return grapple_target


# --- stances ----------------------------------------------------------------------------------------------------------


def takes_stance(chooser: Chooser, stance: Asks) -> Asks:
    """The stance at the end of a turn. HX-105 to HX-108."""

    def take_stance(s: State, i: int, log: Log) -> None:
        u = s.units[i]
        if u.holds >= 0 or u.down or not chooser.is_asked(u.side):
            stance(s, i, log)
            return
        answers = [Answer(NO, "None")]
        for slot in range(u.weapons):
            w = weapon_of(s, i, slot)
            if w.melee == 0 and watch_refusal(s, i, slot) == 0:
                words = f"Offensive Stance with {_weapon(chooser, i, slot)}, {c.COMMAND + w.ap} AP"
                answers.append(Answer((1, slot), words))
        for cover in (c.SHIELD_COVER, *(slot + c.WEAPON_COVER for slot in range(u.weapons))):
            if cover_refusal(s, i, cover) == 0:
                behind = "its shield" if cover == c.SHIELD_COVER else _weapon(chooser, i, cover - c.WEAPON_COVER)
                answers.append(Answer((2, cover), f"Defensive Stance behind {behind}, {c.COMMAND} AP"))

        def theirs() -> Value:
            tried = copy_state(s)
            stance(tried, i, [])
            after = tried.units[i]
            if after.watch != u.watch:
                return 1, after.watch
            return (2, after.cover) if after.cover != u.cover else NO

        words = f"In which stance does {chooser.unit(i)} end its turn? It has {u.pool} AP."
        value = chooser.choose(u.side, words, answers, theirs, i)
        if value[0] == 1:
            watch(s, i, value[1], log)
        elif value[0] == 2:
            take_cover(s, i, value[1], log)

    return take_stance


IN_HAND = InHand(
    modules=(f"{PACKAGE}.doctrine_moves", f"{PACKAGE}.doctrine", f"{PACKAGE}.play"),
    takes={
        "choose_unit": takes_unit,
        "draw_weapon": takes_draw,
        "change_form": takes_form,
        "climb": takes_level,
        "follow": takes_way,
        "thrust": takes_thrust,
        "face_enemies": takes_turn,
        "take_aim": takes_aim,
        "attack": takes_attack,
        "attack_with_drone": takes_drone,
        "grapple_target": takes_grapple,
        "take_stance": takes_stance,
    },
    follows={"move": follows_move, "use_weapons": follows_weapons},
)
