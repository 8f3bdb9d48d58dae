"""Rounds, turns and missions: who may act, Objectives and objects, scoring, marks, deciding the battle.

Rounds: HX-032 to HX-035, HX-058, HX-115 to HX-117, HX-A11, HX-A12, HX-A51. Missions: HX-163 to HX-169, HX-D67 to
HX-D71, HX-A13, HX-A14.
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules import (
    core_dp,
    count_hexes,
    count_units,
    distance,
    end_of_units,
    first_unit,
    is_contestable,
)
from systems.hex_core.battle.rules.damage import end_battle, leave
from systems.hex_core.battle.rules.movement import suffer_abyss
from systems.hex_core.battle.state import State

ZONE_FIRST, ZONE_LAST = 6, 9  # columns of the Domination zone; on a deep board rows


def roll_off(s: State, dice: Dice, log: Log, what: int) -> int:
    """Return the side with the higher die; ties are re-rolled. HX-D04, HX-A10."""
    while True:
        a = roll(dice, c.D8)
        b = roll(dice, c.D8)
        first = c.NOBODY if a == b else (c.SIDE_A if a > b else c.SIDE_B)
        note(log, "off-rolled", face1=a, face2=b, first=first, what=what)
        if first >= 0:
            return first


def in_zone(s: State, at: int) -> bool:
    """Return True if an Objective, or an object to retrieve, may be placed in a hex. HX-165, HX-166, HX-D67, HX-D68."""
    b = s.battle
    h = s.hexes[at]
    if b.mission == c.RETRIEVAL:
        middle = b.rows // 2
        return middle - 1 <= h.row <= middle + 1
    along = h.column if b.columns >= b.rows else h.row
    return ZONE_FIRST <= along <= ZONE_LAST


def is_room(s: State, at: int) -> bool:
    """Return True if a hex is free and far enough from everything already placed."""
    if s.hexes[at].colour == c.RED or s.hexes[at].dp > 0 or not in_zone(s, at):
        return False
    for k in range(s.battle.objects):
        placed = s.objects[k]
        if distance(s, placed.at, at) < c.OBJECT_GAP:
            return False
    return True


def leaves_room(s: State, at: int) -> bool:
    """Return True if placing one in a hex leaves room for the others. HX-D68."""
    left = c.OBJECTS - 1 - s.battle.objects
    if left == 0:
        return True
    for other in range(count_hexes(s)):
        if distance(s, at, other) < c.OBJECT_GAP or not is_room(s, other):
            continue
        if left == 1:
            return True
        for third in range(other + 1, count_hexes(s)):
            if (
                distance(s, at, third) >= c.OBJECT_GAP
                and distance(s, other, third) >= c.OBJECT_GAP
                and is_room(s, third)
            ):
                return True
    return False


def objective_refusal(s: State, at: int) -> int:
    """Return why the next Objective or object can't be placed in a hex; 0 if it can. HX-165, HX-166."""
    if s.hexes[at].colour == c.RED:
        return c.RED_HEX
    if s.hexes[at].dp > 0:
        return c.IS_BUILDING
    if not in_zone(s, at):
        return c.OBJECTIVE_ZONE
    if not is_room(s, at):
        return c.OBJECTIVE_TOO_CLOSE
    return 0 if leaves_room(s, at) else c.OBJECTIVE_BLOCKS


def place_objective(s: State, at: int, side: int, log: Log) -> None:
    """Place another Objective or object on the map. HX-165, HX-166."""
    k = s.battle.objects
    s.objects[k].at = at
    s.objects[k].status = c.FREE
    s.battle.objects = k + 1
    note(log, "objective-placed", side=side, object=k, at=at)


def mark_refusal(s: State, t: int) -> int:
    """Return why a Unit can't be the mark; 0 if it can. HX-169."""
    return c.ASSASSIN_CLASS_5 if s.units[t].klass == 5 else 0


def mark_unit(s: State, t: int, log: Log) -> None:
    """Mark a Unit that the enemy must destroy. HX-169."""
    s.units[t].marked = 1
    note(log, "mark-chosen", unit=t, side=1 - s.units[t].side)


def count_around(s: State, side: int, at: int, apart: int) -> int:
    """Return how many of a side's Units, without `apart`, are within 1 of a hex. HX-167, HX-A55."""
    found = 0
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        if i != apart and s.units[i].status == c.STANDS and distance(s, s.units[i].at, at) <= 1:
            found += 1
    return found


def score_objectives(s: State, log: Log) -> None:
    """Score a point for each Objective that a side holds; 7 points win. HX-167, HX-168."""
    for k in range(s.battle.objects):
        a = count_around(s, c.SIDE_A, s.objects[k].at, c.NOBODY)
        b = count_around(s, c.SIDE_B, s.objects[k].at, c.NOBODY)
        if a == b:
            continue
        side = c.SIDE_A if a > b else c.SIDE_B
        s.sides[side].points += 1
        note(log, "objective-held", side=side, object=k, at=s.objects[k].at, points=s.sides[side].points)
    one = s.sides[c.SIDE_A].points
    other = s.sides[c.SIDE_B].points
    if max(one, other) >= c.DOMINATION_POINTS and one != other:
        end_battle(s, c.SIDE_A if one > other else c.SIDE_B, c.POINTS)


def in_deployment(s: State, side: int, at: int) -> bool:
    """Return True for a side's deployment hexes: the three rows nearest its edge, or as on the map. HX-059, HX-D07."""
    return s.hexes[at].start & (1 << side) != 0


def secure_object(s: State, i: int, log: Log) -> None:
    """Secure an object whose carrier ends its turn in its own deployment area; two win. HX-165, HX-D67."""
    u = s.units[i]
    if u.carries < 0 or u.status != c.STANDS or not in_deployment(s, u.side, u.at):
        return
    s.objects[u.carries].status = c.SECURED
    s.objects[u.carries].carrier = c.NOBODY
    s.objects[u.carries].at = u.at
    s.sides[u.side].secured += 1
    u.objects_secured += 1
    note(log, "object-secured", unit=i, object=u.carries, secured=s.sides[u.side].secured)
    u.carries = c.NOBODY
    if s.sides[u.side].secured == 2:
        end_battle(s, u.side, c.RETRIEVED)


def surrender(s: State, side: int, log: Log) -> None:
    """Let a side surrender, which loses it the battle at once. HX-035."""
    note(log, "surrendered", side=side)
    end_battle(s, 1 - side, c.SURRENDERED)


def side_with_more(a: int, b: int) -> int:
    """Return the side with the higher value, or NOBODY."""
    if a == b:
        return c.NOBODY
    return c.SIDE_A if a > b else c.SIDE_B


def decide_at_cap(s: State) -> None:
    """Decide the winner after the last Round. HX-A14."""
    b = s.battle
    one = s.sides[c.SIDE_A]
    other = s.sides[c.SIDE_B]
    if b.mission == c.DOMINATION:
        end_battle(s, side_with_more(one.points, other.points), c.LAST_ROUND)
    elif b.mission == c.RETRIEVAL:
        end_battle(s, side_with_more(one.secured, other.secured), c.LAST_ROUND)
    else:
        winner = side_with_more(cost_left(s, c.SIDE_A) * other.cost, cost_left(s, c.SIDE_B) * one.cost)
        if winner < 0:
            winner = side_with_more(dp_left(s, c.SIDE_A) * other.dp, dp_left(s, c.SIDE_B) * one.dp)
        end_battle(s, winner, c.LAST_ROUND)


def cost_left(s: State, side: int) -> int:
    """Return the total cost of a side's surviving Units."""
    found = 0
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        if s.units[i].status == c.STANDS:
            found += s.units[i].cost
    return found


def dp_left(s: State, side: int) -> int:
    """Return the total core DP left on a side's surviving Units."""
    found = 0
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        if s.units[i].status == c.STANDS:
            found += core_dp(s, i)
    return found


def may_act(s: State, i: int) -> bool:
    """Return True if the Unit may act. HX-032, HX-D08."""
    return s.units[i].status == c.STANDS and s.units[i].acted == 0


def has_to_act(s: State, side: int) -> bool:
    """Return True if a side has a Unit that hasn't acted this Round. HX-033."""
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        u = s.units[i]
        if u.status == c.STANDS and u.acted == 0:
            return True
    return False


def begin_round(s: State, log: Log) -> None:
    """Start a Round. HX-034."""
    s.battle.round += 1
    for i in range(count_units(s.battle)):
        s.units[i].acted = 0
    note(log, "round-began", number=s.battle.round)


def dispute(s: State, i: int, dice: Dice, log: Log) -> None:
    """Roll off between owner and accuser over a Unit that can't do anything. HX-115 to HX-117."""
    if not is_contestable(s, i):
        return
    while True:
        face = roll(dice, c.D8)
        against = roll(dice, c.D8)
        acts = face > against
        note(log, "dispute-rolled", unit=i, face1=face, face2=against, acts=acts)
        if face != against:
            break
    if acts:
        return
    u = s.units[i]
    u.status = c.INOPERATIVE
    u.cause = c.BY_DISPUTE
    u.done = 1
    note(log, "unit-inoperative", unit=i)
    leave(s, i, log)


def end_turn(s: State, i: int, log: Log) -> None:
    """End a Unit's turn with all effects; the rest of its pool is lost. HX-061, HX-147, HX-165, HX-A51."""
    u = s.units[i]
    if u.status == c.STANDS and s.battle.over == 0:
        suffer_abyss(s, i, log)
    if u.status == c.STANDS and s.battle.over == 0 and s.battle.mission == c.RETRIEVAL:
        secure_object(s, i, log)
    u.pool = 0
    if s.battle.mission == c.DOMINATION and s.battle.score_turns and s.battle.over == 0:
        score_objectives(s, log)


def end_round(s: State, log: Log) -> None:
    """End a Round. HX-034, HX-167."""
    if s.battle.mission == c.DOMINATION and s.battle.score_turns == 0:
        score_objectives(s, log)
