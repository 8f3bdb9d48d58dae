"""The state of a Mech Campaign battle: flat records of whole numbers, and their codes.

The compiled run turns each record class into a numpy record with the same fields, so every field is an int. Lengths and
coordinates are in hundredths of an inch. Fields marked (turn) last for one player turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

# kinds of unit, in the order of the catalogue
HEAVY, LIGHT, TRACK, DRONE, SENTRY = 0, 1, 2, 3, 4
# the status of a unit
TABLE, AWAY, UNDER, DEAD = 0, 1, 2, 3
# kinds of disc
RUBBLE, HILL, WORKS = 1, 2, 3
# scenarios
CLAIM_DISPUTE, SURVEY_BEACONS, SABOTAGE = 0, 1, 2
# actions
MOVE, SHOOT, SUPPRESS, LOCK, REPAIR, RECOVER, SPECIAL = 1, 2, 3, 4, 5, 6, 7
# sides
SIDE_A, SIDE_B = 0, 1
NOBODY = -1
# why a battle ended
RETREAT, WIPED_OUT, LEFT_FIELD, SABOTAGED, TIME = 1, 2, 3, 4, 5
# the criterion that decides at the turn limit (MC-123 to MC-125)
BY_LOSSES, BY_DAMAGE, BY_BEACONS, BY_HOLDING = 1, 2, 3, 4

# why an action is refused, in the order of the checks (ledger 2.16); 0: it is allowed
UNIT_ELIMINATED, ALREADY_ACTIVATED, ACTION_LIMIT, NO_ACTION_POINTS = 1, 2, 3, 4
SUPPRESSED, OFF_TABLE, MOVE_FIRST, AFTER_SHOOTING = 5, 6, 7, 8
CANNOT_MOVE, MOVE_LIMIT, MOVE_NOT_CONSECUTIVE, TOO_CLOSE_NOT_AWAY, BLOCKED, CANNOT_EMERGE = 9, 10, 11, 12, 13, 14
SHOOT_LIMIT, CANNOT_LOCK, TARGET_OFF_TABLE, OUT_OF_RANGE, OUT_OF_ARC, NO_LINE_OF_SIGHT = 15, 16, 17, 18, 19, 20
MAX_SUPPRESSION, ALREADY_LOCKED, CANNOT_REPAIR, REPAIR_FLOOR, REPAIR_LIMIT = 21, 22, 23, 24, 25
NOTHING_TO_RECOVER, NO_SUCH_SPECIAL, SPECIAL_LIMIT = 26, 27, 28

SECTORS = 9
TABLE_SIZE = 3600  # by the book, MC-020
ZONE_DEPTH = 600  # by the book, MC-024
STEPS = 20  # steps in a ground move
BEARINGS = 16
STAND_OFF = 400  # MC-049, MC-061: 4 in
SPACING = 100  # MC-052: 1 in
REACH = 1200  # MC-070: 12 in
SPECIAL_REACH = 200  # ledger 2.12: 2 in
DAMAGE_TO_ELIMINATE = 4
SUPPRESSION_LIMIT = 2
MAX_ACTIONS = 3
TO_HIT = 4
CHARGES = 2  # charges needed to blow up the drill


# autoplay orders: where a unit goes, which targets it prefers
ORDERED_HOLD, ORDERED_CLOSE, ORDERED_AWAY = 1, 2, 3
ORDERED_DEAREST, ORDERED_CHEAPEST, ORDERED_WEAKEST, ORDERED_TOUGHEST, ORDERED_NEAREST = 1, 2, 3, 4, 5


@dataclass(slots=True)
class Battle:
    """The battle as a whole."""

    count_a: int = 0  # number of side A's units, which come first in the list of units
    count_b: int = 0
    scenario: int = CLAIM_DISPUTE
    turn_limit: int = 12
    is_rolled: int = 1  # whether terrain is rolled before the game
    to_hit: int = 0  # house rule: suppressive fire has to hit
    short_locks: int = 0  # house rule: locks have a range of 12 in
    resolve_bonus: int = 2
    objectives: int = 0
    discs: int = 0
    table: int = TABLE_SIZE  # length of each side
    zone: int = ZONE_DEPTH  # depth of the ground units' set-up zone; gun sentries' is twice as deep
    first: int = NOBODY  # the side with the first player turn; NOBODY: rolled
    turn: int = 0
    side: int = 0  # the side whose player turn it is
    points: int = 0  # action points left
    active: int = NOBODY  # the unit being activated
    charges: int = 0
    over: int = 0
    winner: int = NOBODY
    reason: int = 0
    decided_by: int = 0  # criterion at the turn limit


@dataclass(slots=True)
class Side:
    """A side's state apart from its units: AI style (ledger 6.5) and score."""

    suppression: int = 0  # S: value of suppressing enemies
    exposure: int = 0  # X: dislike of being shot at, per sixth
    pull: int = 0  # G: pull towards the enemy, per inch, when there is no shot
    repair_at: int = 0
    threshold: int = 0  # theta: the gain that makes it move before shooting
    drone_first: int = 0
    ambush: int = 0
    spot: int = 0
    lost: int = 0  # units lost
    beacon_points: int = 0


@dataclass(slots=True)
class Unit:
    """A heavy mech, light mech, track, drone or gun sentry."""

    side: int = 0
    kind: int = 0
    moves_allowed: int = 0  # move actions per turn
    shots_allowed: int = 0  # shooting actions per turn
    aim: int = 0  # to-hit modifier
    can_lock: int = 0
    can_repair: int = 0
    can_special: int = 0
    rank: int = 0  # place in the AI's activation order
    appeal: int = 0  # K: value as a target
    worth: int = 0  # W: value of suppressing it
    cost: int = 0  # points
    placed: int = 0  # 1 if the set-up gives its starting place
    status: int = TABLE
    x: int = 0
    y: int = 0
    face_x: int = 0
    face_y: int = 1
    start_damage: int = 0
    damage: int = 0
    suppression: int = 0
    lock: int = NOBODY  # the enemy unit that placed a lock on it
    kills: int = 0
    specials: int = 0  # number of successful special actions
    killer: int = NOBODY
    ordered_move: int = 0  # autoplay orders: ORDERED_HOLD, ORDERED_CLOSE or ORDERED_AWAY; 0: the AI decides
    ordered_until: int = 0  # ... until the end of this turn; 0: until the end of the game
    ordered_then: int = 0  # ... and the order after that
    ordered_retreat: int = 0  # it falls back at this damage; 0: the AI decides
    ordered_preserve: int = 0  # it falls back at its first damage, and repairs as soon as it may
    ordered_target: int = 0  # preferred targets, see ORDERED_DEAREST
    done: int = 0  # (turn) it has been activated
    runner: int = NOBODY  # (turn) the objective it is sent to
    actions: int = 0  # (turn) actions taken
    moves: int = 0  # (turn)
    moves_over: int = 0  # (turn) it can't move again, because another action followed a move
    shots: int = 0  # (turn)
    repairs: int = 0  # (turn)
    special_actions: int = 0  # (turn)


@dataclass(slots=True)
class Disc:
    """A piece of terrain."""

    kind: int = 0
    x: int = 0
    y: int = 0
    radius: int = 0


@dataclass(slots=True)
class Objective:
    """A beacon or the drill head."""

    x: int = 0
    y: int = 0
    holder: int = NOBODY  # the side that holds it


@dataclass(slots=True)
class Bearing:
    """A twentieth of side A's ground move in one of sixteen directions. Ledger 6.2."""

    x: int = 0
    y: int = 0


@dataclass(slots=True)
class Mouth:
    """A tunnel mouth; mouths are in the order in which side A sees them. MC-023."""

    x: int = 0
    y: int = 0


class State(NamedTuple):
    """The state of one battle. In the compiled run the lists are record arrays, and `battle` is one record."""

    battle: Battle
    sides: list[Side]
    units: list[Unit]
    discs: list[Disc]
    objectives: list[Objective]
    bearings: list[Bearing]
    mouths: list[Mouth]
