"""The state of a MechaStellar battle: flat records of numbers, and their codes.

The compiled run turns each record class into a numpy record with the same fields, so every field is an int or a float.
Lengths and coordinates are in inches, directions are unit vectors. Fields marked (attack) last for one attack, (turn)
for one activation of any unit, (round) for one round.
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
# which of shield, barrier and cover applies
NO_ITEM, SHIELD, BARRIER, COVER = 0, 1, 2, 3
# skills, of which a unit can only use one per turn
NO_SKILL, FLASH, IRON_WALL, ZEAL, VALOR, SOUL = 0, 1, 2, 3, 4, 5
# orders of a commander
TRUST, DAUNT = 1, 2
# orders of a captain
TACTICAL_SUPPORT, OPERATIONS_SUPPORT = 1, 2
# the manner of an attack
PLAIN, INDIRECT, THROUGH_WALLS, STRIP, CRASH, REMOTE, OVERWATCH, THROW_ENEMY, THROW_TERRAIN = 0, 1, 2, 3, 4, 5, 6, 7, 8
# steps that Power or Havoc buys
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
# clashes, one record each
MAIN, ANSWER, PLANNED, FEARED = 0, 1, 2, 3
# why a battle ended
WIPED_OUT, LAST_ROUND = 1, 2

NEAR = 0.000001  # tolerance of "within", in inches
SAME = 0.000000001  # values that differ by no more than this are equal
POOL = 10  # maximum dice in a pool
MAX_SAVES = 5
FULL_MOMENTUM = 10
FINISHING = 7  # unblocked Hits needed for a Finishing Blow
CAPTURE = 3.0
DAUNT_REACH = 12.0
ENGAGEMENT = 5.0
COVER_DEF = 2
COVER_REACH = 5.0
MOVE_ACTIONS = 2
BOARD_REACH = 8.0
LAUNCH_REACH = 24.0
MAX_ABOARD = 4

# the AI's lookup tables, see `initial_state`: their starts, and the total length
SUMS = 2 * POOL + 1
DICE = POOL + 1
KINDS = 8  # kinds of pools in the tables; the last two are filled when needed
TENTHS = 11
POOLS_AT = 0
FAILS_AT = KINDS * DICE * SUMS
CURVE_AT = FAILS_AT + TENTHS * (MAX_SAVES + 1) * (MAX_SAVES + 1)
MAX_HITS = 64  # maximum unblocked Hits in a curve
CHANCES = CURVE_AT + MAX_HITS
MEMOS = 509  # number of cached values; a prime


# autoplay orders: where a unit goes, which targets it prefers
ORDERED_HOLD, ORDERED_CLOSE, ORDERED_AWAY = 1, 2, 3
ORDERED_DEAREST, ORDERED_CHEAPEST, ORDERED_WEAKEST, ORDERED_TOUGHEST, ORDERED_NEAREST = 1, 2, 3, 4, 5
NOT_ORDERED = -1.0  # in place of a coordinate: the AI decides


@dataclass(slots=True)
class Battle:
    """The battle as a whole."""

    count_a: int = 0  # number of side A's units, which come first in the list of units
    count_b: int = 0
    discs: int = 0
    points: int = 0  # number of control points
    advanced: int = 0  # whether the advanced rules apply
    special: int = NOBODY  # index of the weapon for throws and crashes
    rounds: int = 5
    table: float = 48.0  # length of each side
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
    to_act: int = 0  # the side to act
    first: int = NOBODY  # the side with the round's first turn
    active: int = NOBODY  # the active unit
    aggressor: int = NOBODY  # the unit that the next one responds to
    begun: int = 0  # (round) units activated
    attacks: int = 0  # including counters
    challenger: int = NOBODY  # (round)
    challenged: int = NOBODY
    over: int = 0
    winner: int = NOBODY
    reason: int = 0


@dataclass(slots=True)
class Side:
    """A side's state apart from its units: AI style, Momentum and score."""

    melee_weight: float = 1.0
    attack_price: float = 0.0
    defence_price: float = 0.0
    counter_fear: float = 0.0
    counter_taste: float = 0.0
    trust_at: int = 0
    disengages: int = 0
    bold: int = 0  # closes in after attacks, challenges, takes revenge
    momentum: int = 0
    start: int = 0  # starting Momentum
    commander: int = NOBODY
    ordered: int = 0  # (round)
    score: int = 0  # victory points
    lost: int = 0  # units lost
    lost_big: int = 0  # lost units of 300 points or more
    big_hits: int = 0  # attacks with 10,000 damage
    points_held: int = 0  # control points, added up over all rounds
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
    tests: int = 0  # friends test morale when it is destroyed
    exempt: int = 0  # need not shoot at the closest enemy
    assault: int = 0
    worth: int = 0  # VP for destroying it, before a Commander's
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
    gives: int = 0  # sum of the codes of the orders that its captain gives
    sheet: int = 0  # index of its modes among the sheets
    weapon: int = 0  # index of its first weapon
    weapons: int = 0
    supports: int = 0  # has a weapon that supports attacks (1), defence (2), or both
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
    locked: int = 0  # number of enemies engaged with it
    activated: int = 0  # (round)
    improvised: int = 0  # (round)
    crashed: int = 0  # (round)
    fired: int = 0  # (round) shots fired in overwatch
    orders: int = 0  # (round) orders that its captain has given
    skill: int = NO_SKILL  # (turn)
    open: int = 0  # its Power bonus costs 1 DEF until its next activation
    more: int = 0  # (turn) Actions added by Zeal, Havoc or an order
    accelerated: int = 0  # (turn)
    behind: int = 0  # (turn) bit n: it started to the rear of unit n
    attacked: int = 0  # (turn) bit n: it attacked unit n
    struck: int = 0  # (turn) it just attacked
    supported: int = 0  # (turn) hits on 3+
    crumbled: int = 0  # it fell with a piece
    high: int = 0  # it is on high ground
    climbed: int = 0  # (turn)
    sunk: int = 0
    ship: int = NOBODY  # the ship that it is on
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
    column: float = NOT_ORDERED  # autoplay orders: its distance from the left edge at deployment, as seen by its side
    ordered_move: int = 0  # ORDERED_HOLD, ORDERED_CLOSE or ORDERED_AWAY; 0: the AI decides
    ordered_until: int = 0  # ... until the end of this Round; 0: for good
    ordered_then: int = 0  # ... and the order after that
    ordered_retreat: int = 0  # it falls back at this many thousands of remaining HP; 0: the AI decides
    ordered_preserve: int = 0  # it falls back when it first loses HP
    ordered_target: int = 0  # preferred targets, see ORDERED_DEAREST
    kills: int = 0
    damage: int = 0  # damage taken
    dealt: int = 0
    scored: int = 0  # VP scored
    captured: int = 0  # control points taken
    duels: int = 0  # Challenges and Revenges won
    moved_from_x: float = 0.0  # start of its latest Move Action
    moved_from_y: float = 0.0


@dataclass(slots=True)
class Sheet:
    """The values that a transforming unit's mode changes; each such unit has two."""

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
    value: int = 0  # points of the weapon
    usable: int = 1  # in ordinary attacks
    used: int = 0  # (turn)
    remoted: int = 0  # (turn)
    reloading: int = 0  # rounds before it is ready again
    gone: int = 0


@dataclass(slots=True)
class Clash:
    """One attack: attacker, weapon, target, pools and results."""

    unit: int = NOBODY
    weapon: int = NOBODY  # index of the weapon; NOBODY: a special attack
    target: int = NOBODY
    manner: int = PLAIN
    counter: int = 0
    melee: int = 0
    apart: float = 0.0
    point_blank: int = 0
    dice: int = 0
    hits: int = 0  # flat Hits
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
    bonus_hits: int = 0  # from the attack bonus
    support: int = 0
    high_hits: int = 0  # against units on high ground
    penalty: int = 0  # for a counter
    guard_support: int = 0
    opened: int = 0  # by the defender's own Power bonus
    challenge: int = 0
    pool: int = 0  # attack dice rolled so far, which all targets share
    dealt: int = 0  # damage of the attack action so far, over all targets
    item: int = NO_ITEM
    item_def: int = 0
    disc: int = NOBODY  # the piece of Cover
    bonus: int = NO_BONUS
    reply: int = NO_REPLY
    flash: int = 0
    total: int = 0  # Hits
    against: int = 0  # DEF
    unblocked: int = 0
    fails: int = 0
    damage: int = 0
    pushed: int = 0  # inches of push
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
    falls: int = 0  # (attack) 1: destroyed by an area attack that goes on; -1: thrown


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
    first: int = 0  # ... as first rolled in the main attack, for all its targets
    guard: int = 0  # defence pool
    other: int = 0  # saves and everything else


@dataclass(slots=True)
class Chance:
    """One number of the AI's lookup tables, see `initial_state`."""

    value: float = 0.0


@dataclass(slots=True)
class Memo:
    """A cached value and a number for everything that it depends on."""

    key: int = NOBODY
    value: float = 0.0


class State(NamedTuple):
    """The state of one battle. In the compiled run the lists are record arrays, and `battle` is one record."""

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
