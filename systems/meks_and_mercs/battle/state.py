"""The state of a Meks & Mercs battle: flat records of whole numbers, and their codes.

The compiled run turns each record class into a numpy record with the same fields, so every field is an int. Fields
marked (round) are scratch space for one T.Z.C. round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

# bands
SHORT, MEDIUM, LONG = 0, 1, 2
# kinds of unit
MEK, VEHICLE, INFANTRY, COMMANDOS = 0, 1, 2, 3
# weapon families
CANNON, LASER, MISSILE, SMALL = 0, 1, 2, 3
# sensor classes
BASIC, IMPROVED, ADVANCED = 0, 1, 2
# AI styles
AGGRESSIVE, CAUTIOUS = 0, 1
# orders
HOLD, ASSAULT, HUNT, RUN = 0, 1, 2, 3
# sides; broken_by holds side + 1
ATTACKER, DEFENDER = 0, 1
NOBODY = -1
OUT_OF_RANGE = 99

# systems: bits of Unit.systems
TARGETING_ARRAY = 1 << 0
DATA_LINK = 1 << 1
JAMMER = 1 << 2
DIRECTOR = 1 << 3
POINT_DEFENSE = 1 << 4
PHALANX = 1 << 5
SERVO_BOOSTERS = 1 << 6
SPAUL_LINER = 1 << 7
JUMP_JETS = 1 << 8
REACTIVE_ARMOR = 1 << 9
BPC_ARMOR = 1 << 10
SPACE_LAM_ARMOR = 1 << 11
SENSOR_IMPROVED = 1 << 12
SENSOR_ADVANCED = 1 << 13
MASKING = 1 << 14
HEAT_SINK = 1 << 15
ARMOR_SYSTEMS = REACTIVE_ARMOR | BPC_ARMOR | SPACE_LAM_ARMOR

# skills: bits of Unit.skills
ACCURACY = 1 << 0
GUIDANCE = 1 << 1
STEADY_HAND = 1 << 2
AGILITY = 1 << 3
MANEUVER = 1 << 4
TACTICS = 1 << 5
FAMILIARITY = 1 << 6  # for the unit's own chassis size
PINPOINT_ATTACK = 1 << 7
GUNNERY = 1 << 8
DAMAGE_CONTROL = 1 << 9
ICE_MAN = 1 << 10
SPOOF = 1 << 11
QUICK_DRAW = 1 << 12
SHARPSHOOTER = 1 << 13
HAWKEYE = 1 << 14
LOG_HERO = 1 << 15

# how a unit was lost
BY_HITS, BY_EXPLOSION, BY_OVERHEATING, BY_MORALE = 1, 2, 3, 4
BY_TRANSPORT, BY_IDENTIFICATION = 5, 6  # infantry aboard a lost APC; a decoy that was seen through

# why a battle ended
SIDE_GONE, BOTH_GONE, ROUND_LIMIT, OUT_OF_CONTACT = 1, 2, 3, 4
OBJECTIVE_REACHED, OBJECTIVE_LOST, NO_MEKS, TURN_LIMIT = 5, 6, 7, 8  # in games on the map

# objectives of scenarios (MM-092 to MM-097); 0: a zone battle
OCCUPY, BREAK_OUT, CLEAR_AND_LEAVE, BREACH, LAST_STANDING, STRONGHOLD = 1, 2, 3, 4, 5, 6
# zones of the map; a zone battle uses zone 0
OFF_MAP = 0
LAST_ZONE = 9
TERRAIN_STOCK = 10  # zones[10] and up hold one of each terrain, for random-terrain
# where a unit is that is neither on the map nor destroyed
WAITING, LEFT, ABOARD, RESERVE, GAINED = 1, 2, 3, 4, 5  # RESERVE: a support roll may bring it; GAINED: it has
# support results: 6 x table + entry - 1
AMBUSH, BATTLE_DAMAGE, SURPRISE, SUPPORT_FIRE, AIR_STRIKE, MINEFIELD = 0, 1, 2, 3, 4, 5
HIDDEN_MEK, DECOY, RECON_DRONE, REPAIR_TRUCK, DIGGING_IN, RICH_UNCLE = 6, 7, 8, 9, 10, 11
GUN_SLED, PANZER, MECH_INFANTRY, GUNSHIP, HOWITZER_BATTERY, COMMANDO_SQUAD = 12, 13, 14, 15, 16, 17
# rows after the units in a game on the map: off-board fire, mines, then the six units of support table C
OFF_BOARD, MINES, STOCK, EXTRA_ROWS = 0, 1, 2, 8
HOWITZER_SLOT, MISSILE_SLOT = 0, 1  # slots of the off-board row

WEAPON_SLOTS = 10  # a Titan with two massive, four huge and two pairs of CIWS
FITTING_SLOTS = 3
SHOTS_PER_UNIT = 2 * (WEAPON_SLOTS + 1)
ROUND_CAP = 30  # MM-A37

WHOLE = 1296  # expected Hits are in units of 1/1296: two dice to hit (1/36) times two dice to save (1/36)
COMMON = 60  # a multiple of every Hits value from 1 to 6, to divide by Hits without fractions


@dataclass(slots=True)
class Battle:
    """The battle as a whole."""

    attackers: int = 0  # number of side A's units, which come first in the list of units
    defenders: int = 0
    phalanxes: int = 0  # Phalanx systems at the start, working or not
    natural_rolls: int = 0  # house rule: an unmodified 6 hits, an unmodified 1 misses
    attacker_doctrine: int = 0
    defender_doctrine: int = 0
    attacker_must_attack: int = 1
    defender_must_attack: int = 1
    phasing: int = 0  # the side whose phase it is
    round: int = 0  # rounds fought so far
    shots: int = 0  # (round) number of shots that hit
    attacks: int = 0  # (round) number of attacks made
    winner: int = NOBODY
    reason: int = 0
    objective: int = 0  # the scenario's; 0: a zone battle
    turn: int = 0  # in games on the map, from 1
    turn_limit: int = 0
    key_zone: int = 0
    exits: int = 0  # bit z: units may leave the map from zone z
    phase_rounds: int = 0  # maximum rounds per zone in one T.Z.C. phase
    diagonal: int = 0  # house rule diagonal-moves
    random_terrain: int = 0  # house rule: terrain is rolled before set-up
    arrival_low: int = 0  # where attackers arrive on 1-3; 0: they start on the map
    arrival_high: int = 0  # ... and on 4-6
    starting_meks: int = 0  # of the attacker
    held: int = 0  # turns in a row at whose end the attacker occupied the key zone
    rolls: int = 0  # support rolls during set-up
    ambush_open: int = 0  # (round) the first round of a new fight
    revealing: int = 0  # (round) a unit is revealing itself
    ordered_until: int = 0  # 1 if any movement order by autoplay ends after a given turn


DEAREST, CHEAPEST, WEAKEST, TOUGHEST = 1, 2, 3, 4  # targets that a side may order; 0: the AI chooses
NEAREST = 5  # ... only for a unit's autoplay orders
COOL, HOT = 1, 2  # autoplay orders for heat


@dataclass(slots=True)
class Side:
    """A side's state apart from its units; only for games on the map."""

    ambushes: int = 0
    battle_damages: int = 0
    surprises: int = 0
    support_fires: int = 0
    air_strikes: int = 0
    minefields: int = 0
    hidden_meks: int = 0
    drones: int = 0
    trucks: int = 0
    diggings: int = 0
    mine_zone: int = 0  # where its mines are
    mines: int = 0  # mines left there
    support_zone: int = 0  # where its support units start; 0: they wait off the map
    support_order: int = HUNT
    support_goal: int = 0
    exited: int = 0  # Meks that have left the map
    order_ambush: int = 0  # orders: the unit that springs the ambush, + 1; 0: the AI chooses
    order_hide: int = 0  # ... the unit that hides
    order_truck: int = 0  # ... the unit that is repaired
    order_dig: int = 0  # ... the unit that digs in
    order_drone_zone: int = 0  # where the drone looks; 0: the AI chooses
    order_drone_from: int = 0  # first turn for the drone
    order_damage: int = 0  # enemy Mek for Battle Damage, see DEAREST
    order_fire: int = 0  # ... for Support Fire
    order_fire_from: int = 0
    order_strike: int = 0  # ... for the Air Strike
    order_strike_from: int = 0


@dataclass(slots=True)
class Roll:
    """One support roll during set-up, and the units held ready for it."""

    side: int = 0
    vehicle: int = 0
    decoy: int = 0
    landing: int = 0  # the infantry that an APC would carry


@dataclass(slots=True)
class Zone:
    """One zone of the map. A zone battle has one; a game on the map has 1 to 9, and 0 for off the map."""

    movement: int = 0  # the terrain's modifier to movement rolls
    to_hit: int = 0  # the terrain's modifier to to-hit rolls
    heat: int = 0  # the terrain's change to heat ratings
    quiet: int = 0  # rounds in a row without attacks


@dataclass(slots=True)
class Unit:
    """A Mek, vehicle, infantry strongpoint or commandos."""

    side: int = 0
    kind: int = 0
    zone: int = 0
    order: int = HUNT
    goal: int = 0  # target zone of an assault
    start_zone: int = 0
    off: int = 0  # where it is if not on the map
    hidden: int = 0  # a Mek that no enemy has seen yet
    decoy: int = 0  # only looks like a Mek
    cargo: int = 0  # the infantry aboard, + 1
    exposed: int = 0  # targeted by all enemies until the end of the turn
    moved: int = 0  # (phase) 1: it had its move, 2: it changed its zone
    revealing: int = 0  # (round)
    cost: int = 0  # points in a margin; on the map only the company's Meks have any
    price: int = 0  # worth to the AI when undamaged (MM-A06)
    full_hits: int = 0
    hits: int = 0
    armor: int = 0  # number that a save must reach
    heat_rating: int = 0  # chassis and Chassis Familiarity; sinks and moors are added
    movement_dice: int = 0
    movement_bonus: int = 0
    level_movement: int = 0
    level_to_hit: int = 0
    skills: int = 0
    arms: int = 0  # weapon slots used, from the first
    systems: int = 0  # working systems
    sinks: int = 0  # working heat sinks
    present: int = 1  # on the map and not destroyed
    lost_by: int = 0  # how it was destroyed
    destroyer: int = NOBODY  # the unit whose hit or critical destroyed it
    scored: int = 0  # Meks destroyed (MM-099)
    withdrew: int = 0
    legs: int = 0
    wounded: int = 0
    computers: int = 0  # -1 to hit this round
    computers_next: int = 0  # ... in the next one
    carried_heat: int = 0
    dug_in: int = 0
    detected: int = 0  # infantry
    kills: int = 0  # infantry: losses so far
    damage_control_used: int = 0
    version: int = 0  # increases whenever something changes that expected Hits depend on
    in_fight: int = 0  # (round) has an unbroken pair
    stunned: int = 0  # (round)
    wants_break: int = 0  # (round)
    breaks: int = 0  # (round)
    jets: int = 0  # (round) jump jets used
    total: int = 0  # (round) movement total
    hawkeye_spent: int = 0  # (round)
    marked: int = 0  # (round) by enemy commandos
    heat: int = 0  # (round) heat used so far
    targets: int = 0  # (round) number of targets in the fire plan
    firings: int = 0  # (round) number of firings in the fire plan
    planned_heat: int = 0  # (round)
    dodges: int = 0  # (round) Agility: 1 declared, 2 used
    dodged_attack: int = 0  # (round) the dodged attack
    aim_spent: int = 0  # (round) bits ACCURACY, GUIDANCE, STEADY_HAND
    spoof_spent: int = 0  # (round)
    ice_man_spent: int = 0  # (round)
    pinpoint_spent: int = 0  # (round)
    sharpshooter_spent: int = 0  # (round)
    round_kills: int = 0  # (round) infantry
    attacked: int = 0  # (round) infantry that attacked
    has_orders: int = 0  # autoplay orders: 1 if there are any
    ordered_range: int = 0  # the band to seek, + 1; 0: the AI chooses
    ordered_retreat: int = 0  # the Hits at which it breaks contact, + 1; 1: never; 0: the AI chooses
    ordered_preserve: int = 0  # breaks contact on its first damage
    ordered_target: int = 0  # see DEAREST
    ordered_heat: int = 0  # COOL or HOT
    ordered_move: int = 0  # its movement order is an autoplay order, which it follows through
    ordered_until: int = 0  # ... until the end of this turn; 0: until the end of the game
    later_order: int = 0  # the AI's movement order for when the autoplay order has run out
    later_goal: int = 0
    obeys: int = 0  # scratch: what it was ordered to do, + 1, if the AI would have done something else
    chosen: int = 0  # scratch: weapons from the last best(), bit 9 is slot 0
    chosen_heat: int = 0  # scratch: their heat
    chosen_order: int = 0  # scratch: the same weapons in firing order, see `fire_order`
    chosen_all: int = 0  # scratch: 1 if nothing worth firing was left out


@dataclass(slots=True)
class Weapon:
    """One weapon slot; unit u's start at WEAPON_SLOTS * u."""

    pack: int = 1  # how many are bought and repaired as one
    family: int = 0
    short: int = OUT_OF_RANGE  # number needed on a d6; for small weapons 0 where they reach
    medium: int = OUT_OF_RANGE
    long: int = OUT_OF_RANGE
    heat: int = 0
    dice: int = 1  # to-hit dice; for small weapons the dice of their kill roll
    rerolls_miss: int = 0
    ignores_terrain: int = 0
    hammer: int = 0  # save die -1; -2 against Point Defense
    ppc: int = 0  # re-rolls a failed critical check at Long
    intact: int = 0
    expected: int = 0  # scratch: expected Hits (in 1/WHOLE) against the enemy being considered
    planned: int = 0  # (round) already in the fire plan


@dataclass(slots=True)
class Fitting:
    """One system of a unit; unit u's start at FITTING_SLOTS * u."""

    system: int = 0  # its bit; 0: empty slot
    intact: int = 0


@dataclass(slots=True)
class Pair:
    """Two opposing units; attacker a and defender d share pairs[a * defenders + d]."""

    made: int = 0
    band: int = LONG
    broken_by: int = 0  # 0: nobody, otherwise side + 1


@dataclass(slots=True)
class Sight:
    """Unit u's marks on unit e: sights[u * units + e]."""

    targeted: int = 0  # masked e found (MM-036)
    identified: int = 0  # (round) by a data link's carrier (MM-040)
    doubled: int = 0  # (round) terrain counts double for u's attacks on e (MM-031)
    stamp: int = -1  # versions of both units when the figures below were calculated
    short: int = 0  # expected Hits of u's best heat-legal fire on e (MM-A26), in 1/WHOLE
    medium: int = 0
    long: int = 0


@dataclass(slots=True)
class Salvo:
    """Unit u's plain fire plan for e as first target at a band: salvos[(u * units + e) * 3 + band]."""

    stamp: int = -1  # versions of both units when it was calculated
    worth: int = 0  # expected Hits, in 1/WHOLE
    heat: int = 0
    order: int = 0  # slots in firing order, see `fire_order`


@dataclass(slots=True)
class Firing:
    """One planned firing of a weapon; unit u's start at (WEAPON_SLOTS + 1) * u."""

    slot: int = 0
    target: int = 0
    gunnery: int = 0


@dataclass(slots=True)
class Shot:
    """One die that hit and awaits its save, or one overheated weapon (see `overheat`)."""

    shooter: int = 0
    target: int = 0
    slot: int = 0  # NOBODY: an infantry attack
    band: int = 0
    attack: int = 0  # number of the attack in this round, for dodges
    overheat: int = 0  # Hits that the shooter takes from an overheated weapon; 0: a hit on the target


class MoveModifiers(NamedTuple):
    """The modifiers of a movement roll. MM-028, MM-056."""

    bonus: int  # of chassis or vehicle
    level: int
    maneuver: int
    familiar: int
    servo: int
    legs: int
    terrain: int


class ToHitModifiers(NamedTuple):
    """The modifiers of a to-hit die. MM-044 to MM-047, MM-056, MM-066, MM-069, MM-072, MM-090."""

    level: int
    terrain: int
    jammer: int
    array: int
    computers: int
    point_defense: int
    phalanx: int
    skill: int
    spoof: int
    gunnery: int
    marked: int


class State(NamedTuple):
    """The state of one battle. In the compiled run the lists are record arrays, and `battle` is one record."""

    battle: Battle
    sides: list[Side]
    rolls: list[Roll]
    zones: list[Zone]
    units: list[Unit]
    weapons: list[Weapon]
    fittings: list[Fitting]
    pairs: list[Pair]
    sights: list[Sight]
    salvos: list[Salvo]
    firings: list[Firing]
    shots: list[Shot]
