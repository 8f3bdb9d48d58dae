"""The questions to a player after moving: weapons, drones, attacks, grapples, stances; and their wording."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import partial

from systems.engine.choices import ENOUGH, Answer, Asks, Chooser, Value
from systems.engine.dice import Dice, Log
from systems.engine.runner import copy_state
from systems.hex_core.battle import ai_combat
from systems.hex_core.battle import state as c
from systems.hex_core.battle.ai_values import drone_pair, target_in
from systems.hex_core.battle.effects import AREA_NAMES
from systems.hex_core.battle.events import spot
from systems.hex_core.battle.rules import (
    acc_now,
    asl_now,
    distance,
    end_of_units,
    first_unit,
    is_vehicle,
    neighbour,
    penalty_of,
    sight,
    slot_at,
    weapon_of,
)
from systems.hex_core.battle.rules.attacks import (
    area_refusal,
    attack,
    attack_building,
    attack_refusal,
    attack_with_drone,
    building_refusal,
    drone_refusal,
    height_bonus,
    hit_faces,
    position_bonus,
    watch,
    watch_refusal,
)
from systems.hex_core.battle.rules.commands import (
    command_refusal,
    cover_refusal,
    go_prone,
    kneel,
    kneel_refusal,
    move_drone,
    pay_reposition,
    prone_refusal,
    reposition_refusal,
    retrieve,
    retrieve_refusal,
    take_cover,
)
from systems.hex_core.battle.rules.grapples import grapple_refusal
from systems.hex_core.battle.state import State

NO, YES = (0,), (1,)
UNARMED = "bare fists"


def enemies_of(s: State, side: int) -> list[int]:
    found = range(first_unit(s.battle, 1 - side), end_of_units(s.battle, 1 - side))
    return [t for t in found if s.units[t].status == c.STANDS]


def weapon_name(chooser: Chooser, i: int, slot: int) -> str:
    return UNARMED if slot == c.UNARMED else chooser.weapon(i, slot)


def nearest_enemy(chooser: Chooser, s: State, side: int, at: int) -> str:
    """Describe how far a hex is from the nearest enemy."""
    away, t = min(((distance(s, at, s.units[t].at), t) for t in enemies_of(s, side)), default=(0, c.NOBODY))
    return f", {away} from {chooser.unit(t)}" if t != c.NOBODY else ""


def yes_no(yes: str, no: str) -> tuple[Answer, Answer]:
    return Answer(YES, yes), Answer(NO, no)


WEAPON, DRONE, BUILDING = 0, 1, 2  # how it attacks: with a weapon, with a drone, or a building with a weapon


# --- after moving -----------------------------------------------------------------------------------------------------


def ask_drones(chooser: Chooser, send: Asks) -> Asks:
    """Ask whether to pick up a weapon; after the AI's Deploy and Recall, whether to Reposition. HX-027, HX-103."""

    def send_drones(s: State, i: int, log: Log) -> None:
        is_asked = chooser.is_asked(s.units[i].side)
        if is_asked:
            _retrieve(chooser, s, i, log)
        send(s, i, log)
        if is_asked:
            _reposition(chooser, s, i, log)

    return send_drones


def _retrieve(chooser: Chooser, s: State, i: int, log: Log) -> None:
    """Ask whether to pick up a dropped weapon. HX-103."""
    u = s.units[i]
    lying = [
        (owner, slot)
        for owner in range(first_unit(s.battle, u.side), end_of_units(s.battle, u.side))
        for slot in range(s.units[owner].weapons)
        if retrieve_refusal(s, i, owner, slot) == 0
    ]
    answers = [
        Answer((owner, slot), f"{weapon_name(chooser, owner, slot)} of {chooser.unit(owner)}") for owner, slot in lying
    ]
    words = f"Which weapon does {chooser.unit(i)} pick up, for {c.COMMAND} of {u.pool} AP?"
    value = chooser.choose(u.side, words, [*answers, Answer(ENOUGH, "None")], ENOUGH, i)
    if value != ENOUGH:
        retrieve(s, i, value[0], value[1], log)


def _reposition(chooser: Chooser, s: State, i: int, log: Log) -> None:
    """Ask for one Reposition, one drone at a time. HX-027."""
    u = s.units[i]
    if command_refusal(s, i) or u.holds >= 0:
        return
    left = list(range(u.first_drone, u.first_drone + u.drones))
    paid = False
    while True:
        answers = []
        for d in left:
            for to in (neighbour(s, s.drones[d].at, way) for way in range(6) if s.drones[d].status == c.ACTIVE):
                if to >= 0 and reposition_refusal(s, i, d, to) == 0:
                    away = nearest_enemy(chooser, s, u.side, to)
                    answers.append(Answer((d, to), f"Drone {d - u.first_drone + 1} to {spot(to)}{away}"))
        cost = "in the same Reposition" if paid else f"for {c.COMMAND} of {u.pool} AP"
        words = f"Which drone does {chooser.unit(i)} move, {cost}?"
        value = chooser.choose(u.side, words, [*answers, Answer(ENOUGH, "None")], ENOUGH, i)
        if value == ENOUGH:
            return
        if not paid:
            pay_reposition(s, i, log)
        paid = True
        move_drone(s, value[0], value[1], 1, log)
        left.remove(value[0])


# --- combat -----------------------------------------------------------------------------------------------------------


def ask_aim(chooser: Chooser, aim: Asks) -> Asks:
    """Ask whether to kneel or go prone before attacking. HX-105, HX-106."""

    def take_aim(s: State, i: int, log: Log) -> None:
        u = s.units[i]
        if u.thrust or not chooser.is_asked(u.side):
            aim(s, i, log)
            return
        if kneel_refusal(s, i) == 0 and u.kneeling == 0 and u.prone == 0:
            ask_to_kneel(s, i, log)
        if u.kneeling and prone_refusal(s, i) == 0:
            words = f"Does {chooser.unit(i)} go prone, for {c.COMMAND} of {u.pool} AP? It lies there until it kneels."
            if chooser.choose(u.side, words, yes_no("Go prone", "Stay kneeling"), NO, i) == YES:
                go_prone(s, i, log)

    def ask_to_kneel(s: State, i: int, log: Log) -> None:
        u = s.units[i]

        def theirs() -> Value:
            tried = copy_state(s)
            aim(tried, i, [])
            return YES if tried.units[i].kneeling else NO

        words = f"Does {chooser.unit(i)} kneel, for {c.COMMAND} of {u.pool} AP?"
        if chooser.choose(u.side, words, yes_no("Kneel", "Stand"), theirs, i) == YES:
            kneel(s, i, log)

    return take_aim


def _list_attacks(chooser: Chooser, s: State, i: int, melee: int) -> list[Answer]:
    """List the attacks of one kind open to Unit i and its drones. HX-080 to HX-083, HX-029."""
    u = s.units[i]
    found = []
    for k in range(u.weapons + 1):
        slot = slot_at(u, k)
        w = weapon_of(s, i, slot)
        for t in enemies_of(s, u.side) if w.melee == melee else ():
            if any(attack_refusal(s, i, slot, t, area) == 0 for area in range(c.AREAS)):
                chance = f"{_hit_faces(s, i, slot, t)} of {c.D8} faces hit"
                words = f"{weapon_name(chooser, i, slot)} at {chooser.unit(t)}, {w.ap} AP, {chance}"
                found.append(Answer((WEAPON, slot, t), words))
    for k in range(u.weapons + 1):
        slot = slot_at(u, k)
        w = weapon_of(s, i, slot)
        for at in range(len(s.hexes)) if w.melee == melee else ():
            if s.hexes[at].dp > 0 and building_refusal(s, i, slot, at) == 0:
                words = f"{weapon_name(chooser, i, slot)} at the building at {spot(at)}, {w.ap} AP, {s.hexes[at].dp} DP left"
                found.append(Answer((BUILDING, slot, at), words))
    for d in range(u.first_drone, u.first_drone + u.drones) if u.holds < 0 else ():
        drone = s.drones[d]
        for t in enemies_of(s, u.side):
            if ai_combat.is_ready(s, d, melee, 0) and drone.ap <= u.pool and drone_refusal(s, d, t) == 0:
                words = f"Drone {d - u.first_drone + 1} at {chooser.unit(t)}, {drone.ap} AP"
                found.append(Answer((DRONE, d, t), words))
    return found


def _hit_faces(s: State, i: int, slot: int, t: int) -> int:
    """Return on how many faces an attack hits. HX-A22."""
    u, other = s.units[i], s.units[t]
    if weapon_of(s, i, slot).melee:
        return hit_faces(asl_now(s, i), 1 if u.duellist and u.strikes == 0 else 0)
    seen = penalty_of(u, sight(s, u.at, u.level, other.at, other.level, u.filters))
    bonus = height_bonus(u.level) + position_bonus(s, i) + (1 if u.marksman and u.shots == 0 else 0)
    return hit_faces(acc_now(s, i), bonus - seen)


def _ask_attack(chooser: Chooser, s: State, i: int, melee: int, theirs: Value | Callable[[], Value]) -> Value:
    """Ask what Unit i attacks next; nobody is asked if it has no target."""
    u = s.units[i]
    found = _list_attacks(chooser, s, i, melee) if ai_combat.can_go_on(s, i) else []
    words = f"What does {chooser.unit(i)} {'strike' if melee else 'shoot'} at? It has {u.pool} AP."
    enough = "Nothing" if melee else "Nothing: on to close combat"
    return chooser.step(u.side, words, found, theirs, i, enough)


def _ask_area(chooser: Chooser, s: State, i: int, t: int) -> int:
    """Ask which area of Unit t an attack is called on; the AI calls the vital one. HX-081."""
    names = AREA_NAMES[is_vehicle(s.units[t])]
    areas = [area for area in range(c.AREAS) if area_refusal(s, t, area) == 0]
    answers = [Answer((area,), f"{names[area]}, {s.areas[t * c.AREAS + area].dp} DP left") for area in areas]
    if area_refusal(s, t, c.SHIELD) == 0:
        answers.append(Answer((c.SHIELD,), f"Its shield, {s.units[t].shield} DP left"))
    for slot in range(s.units[t].weapons):
        if area_refusal(s, t, slot + c.WEAPONS) == 0:
            words = f"{weapon_name(chooser, t, slot)}, {weapon_of(s, t, slot).dp} DP left"
            answers.append(Answer((slot + c.WEAPONS,), words))
    words = f"Which part of {chooser.unit(t)} does {chooser.unit(i)} aim at?"
    return chooser.choose(s.units[i].side, words, answers, (c.TORSO,), i)[0]


def _take_attack(chooser: Chooser, s: State, i: int, dice: Dice, log: Log, value: Value) -> None:
    if value[0] == DRONE:
        attack_with_drone(s, value[1], value[2], dice, log)
    elif value[0] == BUILDING:
        attack_building(s, i, value[1], value[2], dice, log)
    else:
        attack(s, i, value[1], value[2], _ask_area(chooser, s, i, value[2]), dice, log)


def _next_ai_attack(s: State, i: int, melee: int, dice: Dice) -> Value:
    """Return the AI's next attack."""
    made: list[Value] = []
    tried = copy_state(s)
    log: Log = []
    ai_combat.use_weapons(tried, i, melee, copy(dice), log)
    for kind, facts in log:
        if kind == "attack-rolled":
            drone = facts["drone"]
            if drone >= 0:
                made.append((DRONE, s.units[i].first_drone + drone, facts["target"]))
            else:
                made.append((WEAPON, facts["slot"], facts["target"]))
            break
    return made[0] if made else ENOUGH


def run_weapons(chooser: Chooser, again: Asks) -> Asks:
    """Run a phase's attacks one after another. HX-082, HX-083."""

    def use_weapons(s: State, i: int, melee: int, dice: Dice, log: Log) -> None:
        if ai_combat.may_strike(s, i):
            chooser.steps(
                partial(again, s, i, melee, dice, log),
                partial(_ask_attack, chooser, s, i, melee),
                partial(_take_attack, chooser, s, i, dice, log),
                partial(_next_ai_attack, s, i, melee, dice),
            )
        else:
            again(s, i, melee, dice, log)

    return use_weapons


def ask_attack(chooser: Chooser, attack_on: Asks) -> Asks:
    """Ask about an attack that the AI is about to make."""

    def attack_if_agreed(s: State, i: int, slot: int, t: int, area: int, dice: Dice, log: Log) -> None:
        if chooser.is_asked(s.units[i].side):
            melee = weapon_of(s, i, slot).melee
            chooser.agree((WEAPON, slot, t), partial(_ask_attack, chooser, s, i, melee))
            area = _ask_area(chooser, s, i, t)
        attack_on(s, i, slot, t, area, dice, log)

    return attack_if_agreed


def ask_drone_attack(chooser: Chooser, fly: Asks) -> Asks:
    """Ask about an attack by a drone that its Unit steers; drones with Artificial Intelligence choose themselves."""

    def fly_if_agreed(s: State, d: int, t: int, dice: Dice, log: Log) -> None:
        drone = s.drones[d]
        i = drone.unit
        if drone.ai == 0 and chooser.is_asked(s.units[i].side) and target_in(drone_pair(s, d)) == t:
            chooser.agree((DRONE, d, t), partial(_ask_attack, chooser, s, i, drone.melee))
        fly(s, d, t, dice, log)

    return fly_if_agreed


def ask_grapple(chooser: Chooser, target: Asks) -> Asks:
    """Ask which Unit to grapple. HX-121 to HX-124."""

    def grapple_target(s: State, i: int) -> int:
        side = s.units[i].side
        theirs = target(s, i)
        open_ = [t for t in enemies_of(s, side) if grapple_refusal(s, i, t) == 0]
        answers = [Answer((t,), chooser.unit(t)) for t in open_]
        words = f"Who does {chooser.unit(i)} grapple, for {c.GRAPPLE_AP} of {s.units[i].pool} AP?"
        return chooser.choose(side, words, [*answers, Answer((c.NOBODY,), "Nobody")], (theirs,), i)[0]

    return grapple_target


# --- stances ----------------------------------------------------------------------------------------------------------


def ask_stance(chooser: Chooser, stance: Asks) -> Asks:
    """Ask for the stance at the end of a turn. HX-105 to HX-108."""

    def take_stance(s: State, i: int, log: Log) -> None:
        u = s.units[i]
        if u.holds >= 0 or u.down or not chooser.is_asked(u.side):
            stance(s, i, log)
            return
        answers = [Answer(NO, "None")]
        for k in range(u.weapons + 1):
            slot = slot_at(u, k)
            w = weapon_of(s, i, slot)
            if watch_refusal(s, i, slot) == 0:
                words = f"Offensive Stance with {weapon_name(chooser, i, slot)}, {c.COMMAND + w.ap} AP"
                answers.append(Answer((1, slot), words))
        for cover in (c.SHIELD_COVER, *(slot + c.WEAPON_COVER for slot in range(u.weapons))):
            if cover_refusal(s, i, cover) == 0:
                behind = "its shield" if cover == c.SHIELD_COVER else weapon_name(chooser, i, cover - c.WEAPON_COVER)
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
