"""The state of a MechaStellar battle: flat records of numbers, and the codes used in them.

The compiled run turns each record class into a numpy record of the same fields, so every field is an int or a float.
Lengths and coordinates are inches, directions are vectors of length 1. Fields marked (attack) last for one attack,
(turn) for one activation of any unit, (round) for one round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

SIDE_A, SIDE_B = 0, 1
NOBODY = -1
# kinds of unit
MS, SUPER_ROBOT, KAIJU, SUPER_HEAVY, WARSHIP = 1, 2, 3, 4, 5
# the status of a unit
STANDS, DESTROYED, ABOARD, RESERVE, UNPLACED = 0, 1, 2, 3, 4
# tags of a PEN
NO_TAG, STUNS, PUSHES = 0, 1, 2
# kinds of terrain
LOW, TALL, FOREST, WATER, WRECK = 1, 2, 3, 4, 5
# attack bonuses
NO_BONUS, BULLSEYE, BARRAGE, BALANCED, SWIFT, POWER_BONUS = 0, 1, 2, 3, 4, 5
# defence bonuses
NO_REPLY, DODGE, GUARD, COUNTER = 0, 1, 2, 3
# which of shield, barrier and cover counts
NO_ITEM, SHIELD, BARRIER, COVER = 0, 1, 2, 3
# skills of which a unit may use only one in a turn
NO_SKILL, FLASH, IRON_WALL, ZEAL, VALOR, SOUL = 0, 1, 2, 3, 4, 5
# orders of a commander
TRUST, DAUNT = 1, 2
# orders of a captain
TACTICAL_SUPPORT, OPERATIONS_SUPPORT = 1, 2
# the manner of an attack
PLAIN, INDIRECT, THROUGH_WALLS, STRIP, CRASH, REMOTE, OVERWATCH, THROW_ENEMY, THROW_TERRAIN = 0, 1, 2, 3, 4, 5, 6, 7, 8
# steps bought with Power or Havoc
STEP_DMG, STEP_PEN, STEP_POWER_BARRIER, STEP_HAVOC_BARRIER, STEP_HITS, STEP_CRASH, STEP_COVER, STEP_ACTIONS = (
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
)
# clashes; each has a record
MAIN, ANSWER, PLANNED, FEARED = 0, 1, 2, 3
# why a battle ended
WIPED_OUT, LAST_ROUND = 1, 2

NEAR = 0.000001  # tolerance of "within", in inches
SAME = 0.000000001  # values with no greater difference are equal
POOL = 10  # most dice in a pool
MAX_SAVES = 5
FULL_MOMENTUM = 10
FINISHING = 7  # least unblocked Hits of a Finishing Blow
CAPTURE = 3.0
DAUNT_REACH = 12.0
ENGAGEMENT = 5.0
COVER_DEF = 2
COVER_REACH = 5.0
MOVE_ACTIONS = 2
BOARD_REACH = 8.0
LAUNCH_REACH = 24.0
MAX_ABOARD = 4

# the tables that the AI looks up, see `initial_state`: start of each, and their length
SUMS = 2 * POOL + 1
DICE = POOL + 1
KINDS = 8  # kinds of pools in the tables; the last two are filled as needed
TENTHS = 11
POOLS_AT = 0
FAILS_AT = KINDS * DICE * SUMS
CURVE_AT = FAILS_AT + TENTHS * (MAX_SAVES + 1) * (MAX_SAVES + 1)
MAX_HITS = 64  # most unblocked Hits of a curve
CHANCES = CURVE_AT + MAX_HITS
MEMOS = 509  # number of cached values; a prime


# autoplay orders: where a unit goes, which targets it prefers
TOLD_HOLD, TOLD_CLOSE, TOLD_AWAY = 1, 2, 3
TOLD_DEAREST, TOLD_CHEAPEST, TOLD_WEAKEST, TOLD_TOUGHEST, TOLD_NEAREST = 1, 2, 3, 4, 5
UNTOLD = -1.0  # instead of a place: the AI decides


@dataclass(slots=True)
class Battle:
    """The record of the battle."""

    count_a: int = 0  # the number of units of side A, which come first in the list of units
    count_b: int = 0
    discs: int = 0
    points: int = 0  # control points
    advanced: int = 0  # the tier
    special: int = NOBODY  # place of the weapon used for throws and crashes
    rounds: int = 5
    table: float = 48.0  # each way
    counter_penalty: int = 2  # house rules
    bullseye_lock: int = 1
    pen_step: int = 1
    armour: int = 0
    tagged_damage: int = 0
    point_score: int = 0
    havoc_actions: int = 0
    free_disengage: int = 0
    finale: int = 0
    alternate: int = 0  # units are placed in turns
    round: int = 0
    turns: int = 0
    to_act: int = 0  # side
    first: int = NOBODY  # side that goes first in the round
    active: int = NOBODY  # unit
    aggressor: int = NOBODY  # the unit that the next one answers
    begun: int = 0  # (round) units activated
    attacks: int = 0  # with counters
    challenger: int = NOBODY  # (round)
    challenged: int = NOBODY
    over: int = 0
    winner: int = NOBODY
    reason: int = 0


@dataclass(slots=True)
class Side:
    """The record of a side, besides its units: its AI style, its Momentum and its score."""

    melee_weight: float = 1.0
    attack_price: float = 0.0
    defence_price: float = 0.0
    counter_fear: float = 0.0
    counter_taste: float = 0.0
    trust_at: int = 0
    disengages: int = 0
    bold: int = 0  # closes in after an attack, challenges, takes revenge
    momentum: int = 0
    start: int = 0  # Momentum
    commander: int = NOBODY
    ordered: int = 0  # (round)
    score: int = 0  # victory points
    lost: int = 0  # units
    lost_big: int = 0  # units of 300 points and more
    big_hits: int = 0  # attacks of 10,000 damage
    points_held: int = 0  # over all rounds
    avenger: int = NOBODY
    avenged_on: int = NOBODY


@dataclass(slots=True)
class Unit:
    """A unit: its profile and its condition."""

    side: int = 0
    cost: int = 0
    kind: int = MS
    level: int = 0  # of its pilot or captain
    elite: int = 0  # "Level 1+"
    tests: int = 0  # its friends test morale when it is destroyed
    exempt: int = 0  # need not shoot the closest
    assault: int = 0
    worth: int = 0  # VP for destroying it, without a Commander's
    size: int = 0
    move: float = 0.0
    sensors: float = 0.0
    full_hp: int = 0
    evade_dice: int = 0
    evade_def: int = 0
    evade_success: int = 5
    melee_dice: int = 0
    melee_def: int = 0
    melee_success: int = 5
    reroll: int = 0
    shield: int = 0
    barrier: int = 0
    morale: int = 0
    full_power: int = 0
    full_havoc: int = 0
    fly: int = 0
    amphibious: int = 0
    transforms: int = 0
    catapult: int = 0
    repair: int = 0
    gives: int = 0  # orders of its captain, the sum of their codes
    sheet: int = 0  # place of its modes among the sheets
    weapon: int = 0  # place of its first weapon
    weapons: int = 0
    supports: int = 0  # has a weapon that supports attacks (1), defence (2)
    mode: int = 0
    status: int = STANDS
    x: float = 0.0
    y: float = 0.0
    face_x: float = 0.0
    face_y: float = 1.0
    hp: int = 0
    boost: int = 0
    power: int = 0  # (round)
    havoc: int = 0  # (round)
    penalties: int = 0
    locked: int = 0  # enemies engaged with it
    activated: int = 0  # (round)
    improvised: int = 0  # (round)
    crashed: int = 0  # (round)
    fired: int = 0  # (round) overwatch
    orders: int = 0  # (round) that its captain has given
    skill: int = NO_SKILL  # (turn)
    open: int = 0  # its Power bonus takes 1 DEF until it is active again
    more: int = 0  # (turn) Actions that Zeal, Havoc or an order has added
    accelerated: int = 0  # (turn)
    behind: int = 0  # (turn) bit n: it began in the rear of unit n
    attacked: int = 0  # (turn) bit n: it has attacked unit n
    struck: int = 0  # (turn) it has just attacked
    supported: int = 0  # (turn) hits on 3+
    crumbled: int = 0  # fell with a piece
    high: int = 0  # stands on high ground
    climbed: int = 0  # (turn)
    sunk: int = 0
    ship: int = NOBODY  # the ship it is on
    boarded: int = 0  # it boarded for repairs
    steps_dmg: int = 0  # (turn) bought with Power
    steps_pen: int = 0
    steps_power_barrier: int = 0
    steps_havoc_barrier: int = 0  # (round)
    steps_hits: int = 0
    steps_crash: int = 0
    steps_cover: int = 0
    steps_actions: int = 0
    killer: int = NOBODY
    column: float = UNTOLD  # autoplay orders: how far from the left edge it is deployed, from its side's view
    told_move: int = 0  # TOLD_HOLD, TOLD_CLOSE or TOLD_AWAY; 0: the AI decides
    told_until: int = 0  # ... to the end of this Round; 0: for good
    told_then: int = 0  # ... and its order from then on
    told_retreat: int = 0  # it falls back at this many thousands of HP left; 0: the AI decides
    told_preserve: int = 0  # it falls back at the first loss of HP
    told_target: int = 0  # preferred targets, see TOLD_DEAREST
    kills: int = 0
    damage: int = 0  # suffered
    dealt: int = 0
    scored: int = 0  # VP it has scored
    captured: int = 0  # points
    duels: int = 0  # Challenges and Revenges it has won
    moved_from_x: float = 0.0  # where its latest Move Action started
    moved_from_y: float = 0.0


@dataclass(slots=True)
class Sheet:
    """The values that a mode of a transforming unit changes; two for each such unit."""

    move: float = 0.0
    sensors: float = 0.0
    evade_dice: int = 0
    evade_def: int = 0
    evade_success: int = 5
    melee_dice: int = 0
    melee_def: int = 0
    melee_success: int = 5


@dataclass(slots=True)
class Weapon:
    """A weapon of a unit."""

    melee: int = 0
    dice: int = 0
    hits: int = 0
    range: float = 0.0
    rapid: float = 0.0  # Rapid Fire range; 0: none
    rapid_dice: int = 0
    rapid_hits: int = 0
    dmg: int = 0
    pen: int = 0  # 0: none
    tag: int = NO_TAG
    finisher: int = 1
    energy: int = 0
    explosive: int = 0
    all_round: int = 0
    anti_air: int = 0
    support_attack: float = 0.0
    support_defence: float = 0.0
    indirect: int = 0
    strip: float = 0.0  # width
    circle: float = 0.0  # diameter
    targets: int = 1
    remote: int = 0
    value: int = 0  # points
    usable: int = 1  # in an ordinary attack
    used: int = 0  # (turn)
    remoted: int = 0  # (turn)
    reloading: int = 0  # rounds until it is ready again
    gone: int = 0


@dataclass(slots=True)
class Clash:
    """One attack: attacker, weapon, target, pools and results."""

    unit: int = NOBODY
    weapon: int = NOBODY  # place among the weapons; NOBODY: a special attack
    target: int = NOBODY
    manner: int = PLAIN
    counter: int = 0
    melee: int = 0
    apart: float = 0.0
    point_blank: int = 0
    dice: int = 0
    hits: int = 0  # flat
    crit: int = 10
    success: int = 5
    guard_dice: int = 0
    guard: int = 0  # flat DEF
    guard_crit: int = 10
    guard_success: int = 5
    reroll: int = 0
    dmg: int = 0
    pen: int = 0
    tag: int = NO_TAG
    finisher: int = 1
    save_bonus: int = 0
    rapid: int = 0
    lock: int = 0
    blindside: int = 0
    advantage: int = 0  # 1: Tactical Advantage
    bonus_hits: int = 0  # of the attack bonus
    support: int = 0
    high_hits: int = 0  # against a unit on high ground
    penalty: int = 0  # of a counter
    guard_support: int = 0
    opened: int = 0  # by the defender's own Power bonus
    challenge: int = 0
    pool: int = 0  # attack dice rolled so far, all targets shared
    dealt: int = 0  # damage of the attack action so far, all targets together
    item: int = NO_ITEM
    item_def: int = 0
    disc: int = NOBODY  # the Cover piece
    bonus: int = NO_BONUS
    reply: int = NO_REPLY
    flash: int = 0
    total: int = 0  # Hits
    against: int = 0  # DEF
    unblocked: int = 0
    fails: int = 0
    damage: int = 0
    pushed: int = 0  # inches
    energy: int = 0


@dataclass(slots=True)
class Plan:
    """A unit's plan for its turn."""

    unit: int = NOBODY
    weapon: int = NOBODY  # NOBODY: no attack
    target: int = NOBODY
    moves: int = 0
    way: float = 0.0  # inches to go
    value: float = 0.0
    manner: int = PLAIN
    mode: int = 0


@dataclass(slots=True)
class Disc:
    """A round piece of terrain."""

    kind: int = 0
    x: float = 0.0
    y: float = 0.0
    radius: float = 0.0
    destructible: int = 0
    high: int = 0
    roofed: int = 0
    gone: int = 0
    falls: int = 0  # (attack) 1: an area attack has broken it, and goes on; -1: it was thrown


@dataclass(slots=True)
class Point:
    """A control point."""

    x: float = 0.0
    y: float = 0.0
    owner: int = NOBODY


@dataclass(slots=True)
class Face:
    """One die of the latest attack."""

    hit: int = 0  # attack pool
    first: int = 0  # ... as first rolled by the main attack, for all its targets
    guard: int = 0  # defence pool
    other: int = 0  # saves and all else


@dataclass(slots=True)
class Chance:
    """One number of the tables that the AI looks up, see `initial_state`."""

    value: float = 0.0


@dataclass(slots=True)
class Memo:
    """A cached value, under the number of everything it depends on."""

    key: int = NOBODY
    value: float = 0.0


class State(NamedTuple):
    """The state of one battle. In the compiled run the lists are record arrays and `battle` is one record."""

    battle: Battle
    sides: list[Side]
    units: list[Unit]
    sheets: list[Sheet]
    weapons: list[Weapon]
    clashes: list[Clash]
    plans: list[Plan]
    discs: list[Disc]
    points: list[Point]
    faces: list[Face]
    chances: list[Chance]
    memos: list[Memo]
