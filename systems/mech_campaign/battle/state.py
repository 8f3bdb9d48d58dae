"""The state of a Mech Campaign battle: flat records of whole numbers, and the codes used in them.

The compiled run turns each record class into a numpy record of the same fields, so every field is an int.
Lengths and coordinates are in hundredths of an inch. Fields marked (turn) last for one player turn.
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
# the deciding criterion at the turn limit (MC-123 to MC-125)
BY_LOSSES, BY_DAMAGE, BY_BEACONS, BY_HOLDING = 1, 2, 3, 4

# why an action is refused, in the order of checking (ledger 2.16); 0: it is allowed
UNIT_ELIMINATED, ALREADY_ACTIVATED, ACTION_LIMIT, NO_ACTION_POINTS = 1, 2, 3, 4
SUPPRESSED, OFF_TABLE, MOVE_FIRST, AFTER_SHOOTING = 5, 6, 7, 8
CANNOT_MOVE, MOVE_LIMIT, MOVE_NOT_CONSECUTIVE, TOO_CLOSE_NOT_AWAY, BLOCKED, CANNOT_EMERGE = 9, 10, 11, 12, 13, 14
SHOOT_LIMIT, CANNOT_LOCK, TARGET_OFF_TABLE, OUT_OF_RANGE, OUT_OF_ARC, NO_LINE_OF_SIGHT = 15, 16, 17, 18, 19, 20
MAX_SUPPRESSION, ALREADY_LOCKED, CANNOT_REPAIR, REPAIR_FLOOR, REPAIR_LIMIT = 21, 22, 23, 24, 25
NOTHING_TO_RECOVER, NO_SUCH_SPECIAL, SPECIAL_LIMIT = 26, 27, 28

SECTORS = 9
TABLE_SIZE = 3600  # by the book, MC-020
ZONE_DEPTH = 600  # by the book, MC-024
STEPS = 20  # of a ground move
BEARINGS = 16
STAND_OFF = 400  # MC-049, MC-061: 4 in
SPACING = 100  # MC-052: 1 in
REACH = 1200  # MC-070: 12 in
SPECIAL_REACH = 200  # ledger 2.12: 2 in
DAMAGE_TO_ELIMINATE = 4
SUPPRESSION_LIMIT = 2
MAX_ACTIONS = 3
TO_HIT = 4
CHARGES = 2  # needed to blow the drill up


# autoplay orders: where a unit goes, which targets it prefers
TOLD_HOLD, TOLD_CLOSE, TOLD_AWAY = 1, 2, 3
TOLD_DEAREST, TOLD_CHEAPEST, TOLD_WEAKEST, TOLD_TOUGHEST, TOLD_NEAREST = 1, 2, 3, 4, 5


@dataclass(slots=True)
class Battle:
    """The record of the battle."""

    count_a: int = 0  # the number of units of side A, which come first in the list of units
    count_b: int = 0
    scenario: int = CLAIM_DISPUTE
    turn_limit: int = 12
    is_rolled: int = 1  # terrain is rolled before the game
    to_hit: int = 0  # house rule: suppressive fire rolls to hit
    short_locks: int = 0  # house rule: locks reach 12 in
    resolve_bonus: int = 2
    objectives: int = 0
    discs: int = 0
    table: int = TABLE_SIZE  # each way
    zone: int = ZONE_DEPTH  # depth of the zone where ground units set up; twice that for gun sentries
    first: int = NOBODY  # the side that takes the first player turn; NOBODY: roll for it
    turn: int = 0
    side: int = 0  # the side whose player turn it is
    points: int = 0  # action points left
    active: int = NOBODY  # the unit whose activation is open
    charges: int = 0
    over: int = 0
    winner: int = NOBODY
    reason: int = 0
    decided_by: int = 0  # at the turn limit


@dataclass(slots=True)
class Side:
    """The record of a side besides its units: its AI style (ledger 6.5) and its score."""

    suppression: int = 0  # S: value of suppressing
    exposure: int = 0  # X: dislike of being shot at, per sixth
    pull: int = 0  # G: towards the enemy, per inch, when there is no shot
    repair_at: int = 0
    threshold: int = 0  # theta: gain needed to move before shooting
    drone_first: int = 0
    ambush: int = 0
    spot: int = 0
    lost: int = 0  # units eliminated
    beacon_points: int = 0


@dataclass(slots=True)
class Unit:
    """A heavy mech, light mech, track, drone or gun sentry."""

    side: int = 0
    kind: int = 0
    moves_allowed: int = 0  # move actions a turn
    shots_allowed: int = 0  # shooting actions a turn
    aim: int = 0  # to-hit modifier
    can_lock: int = 0
    can_repair: int = 0
    can_special: int = 0
    rank: int = 0  # place in the AI's order of activation
    appeal: int = 0  # K: value as a target
    worth: int = 0  # W: value of suppressing it
    cost: int = 0  # points
    placed: int = 0  # the set-up says where it starts
    status: int = TABLE
    x: int = 0
    y: int = 0
    face_x: int = 0
    face_y: int = 1
    start_damage: int = 0
    damage: int = 0
    suppression: int = 0
    lock: int = NOBODY  # the enemy unit that placed it
    kills: int = 0
    specials: int = 0  # special actions that succeeded
    killer: int = NOBODY
    told_move: int = 0  # autoplay orders: TOLD_HOLD, TOLD_CLOSE or TOLD_AWAY; 0: the AI decides
    told_until: int = 0  # ... to the end of this turn; 0: to the end of the game
    told_then: int = 0  # ... and its order from then on
    told_retreat: int = 0  # it falls back at this damage; 0: the AI decides
    told_preserve: int = 0  # it falls back at the first damage it takes, and repairs as soon as it may
    told_target: int = 0  # preferred targets, see TOLD_DEAREST
    done: int = 0  # (turn) activated
    runner: int = NOBODY  # (turn) the objective it goes for
    actions: int = 0  # (turn) actions taken
    moves: int = 0  # (turn)
    moves_over: int = 0  # (turn) another action has followed a move
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
    holder: int = NOBODY  # side


@dataclass(slots=True)
class Bearing:
    """A twentieth of a ground move of side A in one of the sixteen directions. Ledger 6.2."""

    x: int = 0
    y: int = 0


@dataclass(slots=True)
class Mouth:
    """A tunnel mouth; they are in the order in which side A sees them. MC-023."""

    x: int = 0
    y: int = 0


class State(NamedTuple):
    """The state of one battle. In the compiled run the lists are record arrays and `battle` is one record."""

    battle: Battle
    sides: list[Side]
    units: list[Unit]
    discs: list[Disc]
    objectives: list[Objective]
    bearings: list[Bearing]
    mouths: list[Mouth]
