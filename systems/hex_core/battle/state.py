"""The state of a Hex Core battle: flat records of whole numbers, and their codes.

The compiled run turns each record class into a numpy record with the same fields, so every field is an int. Hexes are
numbered row by row from the top left, as side A sees the map; facings are 0 to 5, clockwise from straight up. Fields
marked (turn) last for one turn of their unit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

SIDE_A, SIDE_B = 0, 1
NOBODY = -1
# missions
ELIMINATION, RETRIEVAL, DOMINATION, ASSASSINATION = 1, 2, 3, 4
# status of a Unit
STANDS, DESTROYED, INOPERATIVE = 0, 1, 2
# kinds of Unit, also as transformed
MECH, TERRESTRIAL, AERIAL, AQUATIC, EXTRATERRESTRIAL = 0, 1, 2, 3, 4
# areas; a vehicle's tail, cockpit, inner and outer wings have the numbers of these areas
HEAD, TORSO, ARM_L, ARM_R, LEG_L, LEG_R = 0, 1, 2, 3, 4, 5
AREAS = 6
# other targets that can be called: the shield, or the weapon in a slot
SHIELD = 6
WEAPONS = 8
# places of a weapon
NOWHERE, LEFT, RIGHT, BOTH, CARRIED, LYING = 0, 1, 2, 3, 4, 5
MOUNTED = 8  # mounted on area 0; add the area's number
# cover in a Defensive Stance: none, the shield, or a slot + 2
NO_COVER, SHIELD_COVER, WEAPON_COVER = 0, 1, 2
# terrain
GREY, RED, GREEN, TAN, BLACK, WHITE, LIGHT_BLUE, DARK_BLUE = 0, 1, 2, 3, 4, 5, 6, 7
# drones
NO_DRONE, DOCKED, ACTIVE, BROKEN = 0, 1, 2, 3
# objects
FREE, CARRIED_OBJECT, SECURED = 0, 1, 2
# phases of a turn
MOVEMENT, RANGED, CLOSE = 1, 2, 3
# results of a grapple
TIE, WIN, BROKEN_CONTACT, NO_HOLD = 0, 1, 2, 3
# AI styles
AGGRESSIVE, CAUTIOUS = 0, 1
# why a battle ended
ELIMINATED, RETRIEVED, POINTS, MARK_GONE, LAST_ROUND, SURRENDERED = 1, 2, 3, 4, 5, 6
# why a Unit is destroyed or damaged
BY_ATTACK, BY_COUNTER, BY_THROW, BY_FALL, BY_BLAST, BY_ABYSS, BY_DISPUTE = 1, 2, 3, 4, 5, 6, 7

# why an action is refused; 0: it is allowed
NOT_FRONT_HEX, NOT_ADJACENT, OFF_BOARD, RED_HEX, IS_BUILDING, GREEN_VEHICLE, HEX_OCCUPIED, NO_ELEVATION = range(1, 9)
NOT_ENOUGH_SM, NOT_IN_FOV, OUT_OF_RANGE, NO_LOS, AREA_DESTROYED, NOT_ENOUGH_AP, PHASE_PASSED = range(9, 16)
PHASE_FORFEITED, ALREADY_ACTED, MUST_KNEEL, ONCE_PER_TURN, DRONE_LIMIT, CANNOT_ACT, NO_FREE_HAND = range(16, 23)
NOT_SAME_HEX, GRAPPLE_NO_HANDS, GRAPPLE_WRONG_PHASE, GRAPPLE_ENDED, OBJECTIVE_TOO_CLOSE = range(23, 28)
OBJECTIVE_ZONE, OBJECTIVE_BLOCKS, ASSASSIN_CLASS_5, WEAPON_NOT_READY, NOT_ALLOWED = range(28, 33)

D8 = 8
ROUND_CAP = 12
COMMAND = 2  # AP for a Command Action
GRAPPLE_AP = 4
MAX_DRONES = 3
MAX_CARRIED = 3
DRONE_REACH = 2
FROZEN_POOL = 5
DOMINATION_POINTS = 7
OBJECTS = 3
OBJECT_GAP = 6
UNARMED_FLAT, UNARMED_AP = 2, 3
SLOTS = 14  # a Unit's weapons: two in hands, seven mounted, three carried, one more; the last is the unarmed strike
UNARMED = SLOTS - 1
STATES = 12  # states of the search per hex: facing, and whether the free rotation is used
COSTS = 20  # maximum SM points in a search, plus one
FAR = 99  # farther than any distance on a map


# autoplay orders: where a unit goes, which targets it prefers
ORDERED_HOLD, ORDERED_CLOSE, ORDERED_AWAY = 1, 2, 3
ORDERED_DEAREST, ORDERED_CHEAPEST, ORDERED_WEAKEST, ORDERED_TOUGHEST, ORDERED_NEAREST = 1, 2, 3, 4, 5


@dataclass(slots=True)
class Battle:
    """The battle as a whole."""

    count_a: int = 0  # number of side A's Units, which come first in the list of units
    count_b: int = 0
    columns: int = 16
    rows: int = 13
    mission: int = ELIMINATION
    has_cover: int = 0  # there are buildings, woods or smoke, so lines must be followed hex by hex
    is_plain: int = 0  # all hexes are Grey, at level 0 and free
    any_arc: int = 0  # house rules
    no_counters: int = 0
    rolled_areas: int = 0
    freeze_over: int = 0
    score_turns: int = 0
    most_rounds: int = ROUND_CAP
    round: int = 0
    turns: int = 0
    first: int = NOBODY  # the side that goes first in each round
    objects: int = 0
    over: int = 0
    winner: int = NOBODY
    reason: int = 0
    has_hazards: int = 0  # there is Tan, White or water
    top: int = 0  # bounds of the part of the map that the latest search covers
    bottom: int = 0
    left: int = 0
    right: int = 0


@dataclass(slots=True)
class Side:
    """A side's state apart from its Units."""

    doctrine: int = AGGRESSIVE
    points: int = 0  # score in Domination
    secured: int = 0  # objects secured in Retrieval
    cost: int = 0  # total cost of its Units
    dp: int = 0  # total core DP of its Units


@dataclass(slots=True)
class Unit:
    """A mech or a vehicle."""

    side: int = 0
    cost: int = 0
    kind: int = MECH
    klass: int = 1
    acc: int = 0
    asl: int = 0
    eva: int = 0
    ctr: int = 0
    base_ap: int = 0
    sm: int = 0
    tm: int = 0
    weapons: int = 0  # number of slots in use
    first_drone: int = 0
    drones: int = 0
    primary: int = NOBODY  # slot of the primary weapon
    transform: int = MECH  # its other form
    jump: int = 0
    flight: int = 0
    swim: int = 0
    coolant: int = 0
    winter: int = 0
    grip: int = 0
    filters: int = 0
    finder: int = 0
    marksman: int = 0
    duellist: int = 0
    ironside: int = 0
    wary: int = 0
    shield_full: int = 0
    shield: int = 0  # remaining DP
    shield_hand: int = NOWHERE
    status: int = STANDS
    at: int = NOBODY  # hex
    facing: int = 0
    level: int = 0
    form: int = MECH  # present form
    flight_lost: int = 0
    acted: int = 0  # (round)
    kneeling: int = 0
    prone: int = 0
    down: int = 0
    held_by: int = NOBODY
    holds: int = NOBODY
    held_since_turn: int = 0  # it has been holding since an earlier turn
    immobile: int = 0
    stunned: int = 0
    slowed: int = 0
    frozen: int = 0
    watch: int = NOBODY  # Offensive Stance: the slot of its weapon
    cover: int = NO_COVER  # Defensive Stance
    carries: int = NOBODY  # the object it carries
    marked: int = 0  # it is the mark, which the enemy must destroy
    pool: int = 0  # (turn)
    sm_left: int = 0  # (turn)
    phase: int = 0  # (turn)
    free_turn: int = 0  # (turn) it still has its free rotation
    thrust: int = 0  # (turn) it used Thruster Movement
    entered: int = 0  # (turn) hexes entered
    fell: int = 0  # (turn) it fell, so it moves no more
    tan: int = 0  # (turn) Tan hexes crossed
    white: int = 0  # (turn)
    shots: int = 0  # (turn) ranged attacks
    strikes: int = 0  # (turn) melee attacks
    attacks: int = 0  # (turn) attacks and grapples, including drones'
    broke_contact: int = 0  # (turn) it may not grapple again
    knelt: int = 0  # (turn)
    went_prone: int = 0  # (turn)
    swapped: int = 0  # (turn)
    done: int = 0  # (turn) its turn has ended early
    threat: int = 0  # (turn) as an enemy: its reach, ignoring fists
    evades: int = 0  # (turn) as an enemy: on how many faces it evades
    killer: int = NOBODY
    ordered_column: int = NOBODY  # autoplay orders: its deployment column, as seen by its side
    ordered_move: int = 0  # ORDERED_HOLD, ORDERED_CLOSE or ORDERED_AWAY; 0: the AI decides
    ordered_until: int = 0  # ... until the end of this Round; 0: for good
    ordered_then: int = 0  # ... and the order after that
    ordered_retreat: int = 0  # it falls back at this many remaining vital DP; 0: the AI decides
    ordered_preserve: int = 0  # it falls back when it first loses DP
    ordered_target: int = 0  # preferred targets, see ORDERED_DEAREST
    cause: int = 0
    kills: int = 0
    kill_classes: int = 0  # sum of the Classes of Units that it destroyed
    mark_kills: int = 0
    items_destroyed: int = 0  # enemy weapons, shields and drones
    objects_secured: int = 0
    damage: int = 0  # DP of lost areas


@dataclass(slots=True)
class Area:
    """A part of a Unit; each Unit has AREAS of them."""

    full: int = 0
    dp: int = 0
    damage: int = 0  # damage taken


@dataclass(slots=True)
class Weapon:
    """The contents of a slot; each Unit has SLOTS of them."""

    place: int = NOWHERE
    melee: int = 0
    energy: int = 0
    hands: int = 0
    flat: int = 0
    range: int = 0
    ap: int = 1
    full: int = 0
    dp: int = 0
    name: int = NOBODY  # index in the list of weapons, for its name on screen
    at: int = NOBODY  # hex where it lies
    reach: int = 0  # (turn) range with the bonuses that apply in every hex; 0: not usable
    hit: int = 0  # (turn) flat damage as it would now be used


@dataclass(slots=True)
class Drone:
    """One of a Unit's drones."""

    unit: int = NOBODY
    status: int = NO_DRONE
    acc: int = 0
    asl: int = 0
    eva: int = 0
    full: int = 0
    dp: int = 0
    move: int = 0
    melee: int = 0
    energy: int = 0
    flat: int = 0
    range: int = 0
    ap: int = 1
    ai: int = 0
    at: int = NOBODY
    level: int = 0
    used: int = 0  # (turn) of its Unit


@dataclass(slots=True)
class Hex:
    """A hex of the map."""

    column: int = 0
    row: int = 0
    diagonal: int = 0  # axial coordinate r
    colour: int = GREY
    level: int = 0  # level of the ground
    floors: int = 0  # floors of the building
    dp: int = 0  # DP of the building; 0: none, or destroyed
    start: int = 0  # whose deployment hex it is: 1: side A's, 2: side B's, 3: both
    taken: int = 0  # an enemy of the searching Unit is in it, at the Unit's level
    away: int = 0  # walking distance to the AI's goals
    is_goal: int = 0


@dataclass(slots=True)
class Link:
    """A hex's neighbour in one direction; each hex has six."""

    to: int = NOBODY


@dataclass(slots=True)
class Way:
    """A state of the search; each hex has STATES of them."""

    cost: int = COSTS
    by: int = NOBODY  # the previous state
    best: int = 0  # value of the best pair there


@dataclass(slots=True)
class Queue:
    """A hex's states that wait at one cost, as bits; one queue per hex and cost."""

    waiting: int = 0


@dataclass(slots=True)
class Step:
    """A state of the chosen path, in reverse order; or a hex waiting to be walked from."""

    way: int = 0


@dataclass(slots=True)
class Pair:
    """A weapon and a target, from a given hex."""

    mask: int = 0  # bit f: in view with facing f
    ap: int = 1
    worth: int = 0  # W of one attack
    damage: int = 0  # D0; 0: it can't destroy the target
    vital: int = 0
    rest: int = 0  # the tie-breaker
    near: int = 0
    mark: int = 0


@dataclass(slots=True)
class Shot:
    """The current attack: attacker, weapon, target, and the numbers for its dice."""

    by: int = NOBODY  # the attacking Unit
    slot: int = NOBODY
    drone: int = NOBODY  # the attacking drone
    target: int = NOBODY  # the target Unit, or the target drone's Unit
    prey: int = NOBODY  # the target drone
    hex: int = NOBODY  # the target building's hex
    start: int = NOBODY  # the attacker's hex
    height: int = 0  # the attacker's level
    area: int = 0
    melee: int = 0
    energy: int = 0
    need: int = 0
    level: int = 0  # modifiers
    terrain: int = 0
    position: int = 0
    trait: int = 0
    evades: int = 0  # it can evade
    eva: int = 0
    eva_level: int = 0
    flat: int = 0
    submerged: int = 0
    flank: int = 0
    paid: int = 0  # AP paid for the attack


@dataclass(slots=True)
class Object:
    """An Objective, or an object to retrieve."""

    at: int = NOBODY
    status: int = FREE
    carrier: int = NOBODY


class State(NamedTuple):
    """The state of one battle. In the compiled run the lists are record arrays, and `battle` is one record."""

    battle: Battle
    sides: list[Side]
    units: list[Unit]
    areas: list[Area]
    weapons: list[Weapon]
    drones: list[Drone]
    hexes: list[Hex]
    links: list[Link]
    ways: list[Way]
    queues: list[Queue]
    steps: list[Step]
    pairs: list[Pair]
    objects: list[Object]
    shots: list[Shot]
