"""The state of a Blazing Steel battle: flat records of numbers, and their codes.

The compiled run turns each record class into a numpy record with the same fields, so every field is an int or a float.
Lengths and coordinates are in inches, directions are unit vectors. Fields marked (step) last for one step of a turn,
(turn) for one turn, (round) for one round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

SIDE_A, SIDE_B = 0, 1
NOBODY = -1
# the two orders of a turn
LEAD, FOLLOW = 0, 1
# actions, in the order of the catalogue
NO_ACTION, MOVE, SPRINT, JUMP, SHOOT, RELOAD, CHARGE, STRIKE, COOL = 0, 1, 2, 3, 4, 5, 6, 7, 8
FORTIFY, FLAK, SMOKE = 9, 10, 11  # the special actions
# the status of a Warmech
STANDS, DESTROYED, DISABLED = 0, 1, 2
# locomotion
BIPEDAL, QUADRUPED, TRACKED = 1, 2, 3
# peripherals
NO_PERIPHERAL, SCOPE, GYROS, BOOSTERS, AGILITY, RODS, CANISTERS, CAMO, MAGAZINE = 0, 1, 2, 3, 4, 5, 6, 7, 8
# the contents of a weapon slot
EMPTY, GUN, BLADE = 0, 1, 2
# the mounts of weapons
ARM_LEFT, ARM_RIGHT, CORE, SHOULDER = 1, 2, 3, 4
# kinds of disc
BLOCK, WOODS = 1, 2
# crippling results; bit n of `Unit.cripples` is result n
CRIPPLED_ARMOR, CRIPPLED_TARGETING, CRIPPLED_RIGHT_LEG, CRIPPLED_LEFT_LEG = 1, 2, 3, 4
CRIPPLED_RIGHT_ARM, CRIPPLED_LEFT_ARM = 5, 6
# responses to an attack
UNANSWERED, ENGAGED, DODGED, FLAKKED = 0, 1, 2, 3
# the ban on heat after Coolant Rods
NO_BAN, BAN_NEXT, BANNED = 0, 1, 2
# why a battle ended
ANNIHILATION, LAST_ROUND = 1, 2

# why an action is refused, in the order of the checks; 0: it is allowed
NOT_ACTIVE, NO_ACTION_LEFT, MUST_COOL, COOL_FIRST, BANNED_FROM_HEAT, FOLLOWER_TARGET = 1, 2, 3, 4, 5, 6
NOT_ON_TABLE, NO_CONTACT_IN_ACTION_ONE, NO_WEAPON, NO_AMMO, OUT_OF_ARC, NO_LINE_OF_SIGHT = 7, 8, 9, 10, 11, 12
SHORT_OUT_OF_RANGE, NOT_SPOTTED, NOT_IN_CONTACT, TOO_FAR, WAY_BLOCKED, NO_SUCH_SPECIAL = 13, 14, 15, 16, 17, 18
CANNOT_MOVE, TURNED_TOO_FAR = 19, 20

SLOTS = 4  # l1, l2, r1, c1
FACES = 20  # maximum dice in one throw
TABLE_SIZE = 48.0
CENTRE = 24.0
CONTACT = 0.05
SPOTTING = 12.0
FLAK_REACH = 4.0
HILL_REACH = 2.0
COVER_EDGE = 1.0  # BS-086
COVER_NEAR = 2.0
DODGE_DICE = 2
OVERHEAT = 64  # weight of two sixes
SIX = 32  # weight of a heat die showing 6

# the AI's lookup tables, see `initial_state`: the sizes of their dimensions, their starts, and the total length
MAX_DICE, MAX_SHOTS, MAX_DEFENCE, TNS, MAX_HEAT = 5, 3, 5, 7, 5
HITS_AT = 0
TIES_AT = MAX_DICE * TNS * (MAX_DEFENCE + 1) * TNS
SMOKE_AT = TIES_AT + MAX_SHOTS * TNS * MAX_SHOTS * TNS
OVER_AT = SMOKE_AT + MAX_SHOTS * TNS
CHANCES = OVER_AT + 2 * OVERHEAT * (MAX_HEAT + 1)


# autoplay orders: where a unit goes, which targets it prefers
ORDERED_HOLD, ORDERED_CLOSE, ORDERED_AWAY = 1, 2, 3
ORDERED_DEAREST, ORDERED_CHEAPEST, ORDERED_WEAKEST, ORDERED_TOUGHEST, ORDERED_NEAREST = 1, 2, 3, 4, 5
NOT_ORDERED = -1.0  # in place of a coordinate: the AI decides


@dataclass(slots=True)
class Battle:
    """The battle as a whole."""

    count_a: int = 0  # number of side A's Warmechs, which come first in the list of units
    count_b: int = 0
    discs: int = 0
    round_limit: int = 5
    zone: float = 12.0  # depth of the deployment zones
    table: float = TABLE_SIZE  # length of each side
    hill_x: float = CENTRE  # place of the hill's marker
    hill_y: float = CENTRE
    most_activations: int = 4  # per round; 0: no limit
    cool_second: int = 1  # house rule: Cool may be action two
    contact_first: int = 0  # house rule: contact in action one
    effective_dice: int = 0  # house rule: an unanswered attack hits with each effective die
    impact_on_all: int = 0  # house rule: Impact also lowers dodge and strike TNs
    immobile: int = 0  # house rule: a disabled biped stays on the table
    kills_each: int = 0  # house rule: 1 VP per kill
    round: int = 0
    turns: int = 0
    lead: int = NOBODY  # the side that leads this turn, or the next
    slot: int = 0  # (turn) 1 for the first action, 2 for the second
    alone: int = 0  # (turn) the other side has nobody to activate
    follow_moves_first: int = 0  # (step) the Leading Player's choice
    over: int = 0
    winner: int = NOBODY
    reason: int = 0


@dataclass(slots=True)
class Side:
    """A side's state apart from its Warmechs: AI style (ledger 6.3) and score."""

    offence: float = 0.0  # w_off
    defence: float = 0.0  # w_def
    objective: float = 0.0  # w_obj
    heat_limit: float = 0.0  # tau
    heat_aversion: float = 0.0  # lambda
    deploy_moves: int = 0
    points: int = 0  # total points of its force
    lost_points: int = 0
    lost: int = 0  # Warmechs lost
    zone_points: int = 0
    hill_points: int = 0


@dataclass(slots=True)
class Unit:
    """A Warmech."""

    side: int = 0
    cost: int = 0
    radius: float = 1.0
    locomotion: int = BIPEDAL
    move: int = 0
    sprint: int = 0
    jump: int = 0
    dodge: int = 0
    melee: int = 1
    armor: int = 0
    full_structure: int = 0
    strike_ap: int = 0
    strike_damage: int = 0
    sinks: int = 0  # improved heat sinks
    peripheral: int = NO_PERIPHERAL
    status: int = STANDS
    placed: int = 0  # 1 if the set-up gives its place
    x: float = 0.0
    y: float = 0.0
    face_x: float = 0.0
    face_y: float = 1.0
    structure: int = 0
    cripples: int = 0
    peripheral_lost: int = 0
    fortified: int = 0
    killer: int = NOBODY
    line_x: float = NOT_ORDERED  # autoplay orders: its distance from the left end of its edge, as seen by its side
    ordered_move: int = 0  # ORDERED_HOLD, ORDERED_CLOSE or ORDERED_AWAY; 0: the AI decides
    ordered_until: int = 0  # ... until the end of this round; 0: for good
    ordered_then: int = 0  # ... and the order after that
    ordered_retreat: int = 0  # it falls back at this much remaining structure; 0: the AI decides
    ordered_preserve: int = 0  # it falls back at its first damage, and cools whenever it might overheat
    ordered_target: int = 0  # preferred targets, see ORDERED_DEAREST
    kills: int = 0
    damage: int = 0  # total damage taken
    overheats: int = 0
    held: int = 0  # victory points scored: in the enemy's zone, or as its side's first on the hill
    heat: int = 0  # (round) total weight of its heat dice, 1 for a 1 to 32 for a 6
    dodge_dice: int = DODGE_DICE  # (round)
    activations: int = 0  # (round)
    cooling: int = 0  # (round)
    overheated: int = 0  # (round)
    sits_out: int = 0  # (round) it overheated in the previous round
    used: int = 0  # (round) it has used its once-per-round peripheral
    ban: int = NO_BAN  # (round) ban on heat after Coolant Rods
    final: int = 0  # (turn) the AI wants it to cool
    heat_made: int = 0  # (turn)
    energy_slot: int = NOBODY  # (turn) the Energy weapon fired first
    smoke: int = 0  # (turn)
    from_x: float = 0.0  # (step) its place at the start of the step
    from_y: float = 0.0
    from_face_x: float = 0.0
    from_face_y: float = 0.0


@dataclass(slots=True)
class Weapon:
    """The contents of a slot; each Warmech has four, in the order of SLOTS."""

    kind: int = EMPTY
    mount: int = ARM_LEFT
    range: int = 0
    rof: int = 0
    impact: int = 0
    damage: int = 0
    ap: int = 0
    limited: int = 0  # 1 if its ammunition is counted
    printed: int = 0  # ammunition as printed
    magazine: int = 0  # extra rounds from the Extended Magazine
    ammo: int = 0
    indirect: int = 0
    short: int = 0
    flak: int = 0
    energy: int = 0
    overcharge: int = 0
    munition: int = 0
    guided: int = 0
    lost: int = 0


@dataclass(slots=True)
class Order:
    """One player's active Warmech in a step, Leading or Following: its action and the results."""

    unit: int = NOBODY  # (turn)
    action: int = NO_ACTION
    slot: int = NOBODY  # slot of the weapon that shoots
    target: int = NOBODY
    declines: int = 0  # it chooses not to dodge
    tn: int = 0
    dice: int = 0
    effective: int = 0
    total: int = 0
    rolled_faces: int = 0  # bit n: a die shows n
    answer: int = UNANSWERED
    against: int = 0  # total of the response
    hits: int = 0
    thrown: int = 0  # damage dice rolled
    through: int = 0  # damage dice not prevented
    doubles: int = 0  # bit n: at least two damage dice show n


@dataclass(slots=True)
class Disc:
    """A block or a wood."""

    kind: int = 0
    x: float = 0.0
    y: float = 0.0
    radius: float = 0.0


@dataclass(slots=True)
class Face:
    """One die of the latest throw."""

    face: int = 0


@dataclass(slots=True)
class Look:
    """How friends see an enemy, for the AI's current choice."""

    spotted: int = 0  # 1 if another friend of the choosing Warmech spots it
    scoped: int = 0  # 1 if another friend with a Targeting Scope spots it


@dataclass(slots=True)
class Chance:
    """One number of the AI's lookup tables, see `initial_state`."""

    value: float = 0.0


class State(NamedTuple):
    """The state of one battle. In the compiled run the lists are record arrays, and `battle` is one record."""

    battle: Battle
    sides: list[Side]
    units: list[Unit]
    weapons: list[Weapon]
    orders: list[Order]
    discs: list[Disc]
    faces: list[Face]
    looks: list[Look]
    chances: list[Chance]
