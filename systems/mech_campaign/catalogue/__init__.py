"""CATALOGUE: the numbers of Mech Campaign, one TOML file per table in chapter 2 of the ledger; and their types.

Lengths whose names end in `_h` are in hundredths of an inch.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

from systems.catalogue import load_releases, load_table
from systems.rulebook import HouseRuleEntry

Movement = Literal["ground", "air"]
Place = tuple[int, int]  # x from the left, y from side A's edge, in hundredths of an inch
TerrainSlug = Literal["rubble", "hill", "works", "tunnel-mouth"]
Goal = Literal["claim", "beacons", "drill"]

DAMAGE_TO_ELIMINATE = 4  # MC-100
DAMAGE_THAT_STAYS = 1  # MC-091
SHOOTING_RANGE_H = 1200  # MC-070


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitKind:
    slug: str
    name: str
    movement: Movement
    is_piloted: bool = False
    is_mech: bool = False  # counts towards the majority, MC-003
    is_tunneller: bool = False
    has_base_vehicle: bool = False
    move_actions: int | None  # maximum per turn; None: limited only by the three actions
    shooting_actions: int  # maximum per turn, including suppressive fire
    to_hit: int = 0  # modifier to its shots
    can_lock: bool = False
    can_repair: bool = False
    can_special: bool = False
    points: int
    line: str  # its special rules, in one line

    @property
    def can_move(self) -> bool:
        return self.move_actions != 0

    @property
    def is_stationary(self) -> bool:
        return self.move_actions == 0

    @property
    def is_air(self) -> bool:
        return self.movement == "air"


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One move action by a class of units."""

    slug: str
    name: str
    length_h: int | None  # None: any length
    stops_near: str
    near_h: int
    is_held_by_enemies: bool  # with an enemy near, it may only move away
    needs_move_first: bool  # it has to move each turn before any action except recovering
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    slug: str
    name: str
    who: str
    most: int | None  # maximum per unit and turn, if the unit kind sets no limit
    die: str = ""  # slug of the roll
    effect: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionCost:
    slug: str
    name: str
    cost: int
    total: int  # including the actions before it


@dataclass(frozen=True, slots=True, kw_only=True)
class Modifier:
    slug: str
    name: str
    to_hit: int
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    slug: str
    name: str
    number: int | None  # the number to reach or beat
    formula: str
    success: str
    failure: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    slug: str
    name: str
    placed_by: str
    most: int  # maximum per unit
    effect: str
    removed: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Terrain:
    slug: str
    name: str
    radius_h: int
    blocks_sight: bool = False
    gives_cover: bool = False
    is_high: bool = False
    is_impassable: bool = False
    at_h: tuple[Place, ...] = ()  # fixed places
    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TerrainRoll:
    """The terrain that each face of a D6 puts in each of these sectors; None is open ground."""

    slug: str
    name: str
    sectors: tuple[int, ...]
    faces: tuple[
        TerrainSlug | None,
        TerrainSlug | None,
        TerrainSlug | None,
        TerrainSlug | None,
        TerrainSlug | None,
        TerrainSlug | None,
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    slug: str
    name: str
    brief: str
    turn_limit: int  # game turns
    goal: Goal
    objective: str  # the goal, as a title
    places_h: tuple[Place, ...] = ()  # places of the objectives
    special: str = ""
    first: Literal["A", "B"] | None = None  # None: rolled
    victory: str
    victory_rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialAction:
    slug: str
    name: str
    scenario: str
    who: tuple[str, ...]
    side: Literal["A", "B"] | None  # None: both sides
    within_h: int
    number: int | None  # None: no die
    needed: int  # number of successes
    effect: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceLimit:
    slug: str
    name: str
    value: int
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    slug: str
    name: str
    experience: int  # minimum experience for the rank


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a force is illegal or an action is refused; the slug is the code."""

    slug: str
    of: Literal["force", "action"]
    when: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    unit_kinds: Mapping[str, UnitKind]
    moves: Mapping[str, Move]
    actions: Mapping[str, Action]
    action_costs: Mapping[str, ActionCost]
    modifiers: Mapping[str, Modifier]
    rolls: Mapping[str, Roll]
    markers: Mapping[str, Marker]
    terrain: Mapping[str, Terrain]
    terrain_rolls: Mapping[str, TerrainRoll]
    scenarios: Mapping[str, Scenario]
    special_actions: Mapping[str, SpecialAction]
    force_limits: Mapping[str, ForceLimit]
    options: Mapping[str, HouseRuleEntry]
    ranks: Mapping[str, Rank]
    refusals: Mapping[str, Refusal]


FOLDER = Path(__file__).parent
RELEASES = load_releases(FOLDER)  # rows keep the catalogue version under which they were bought


def load_catalogue(folder: Path = FOLDER) -> Catalogue:
    """Return a folder's catalogue: `unit_kinds.toml` for the field `unit_kinds`, and so on."""
    hints = get_type_hints(Catalogue)
    tables: dict[str, Any] = {}
    for table in fields(Catalogue):
        _, kind = get_args(hints[table.name])
        tables[table.name] = load_table(folder / f"{table.name}.toml", kind)
    return Catalogue(**tables)


CATALOGUE = load_catalogue()
