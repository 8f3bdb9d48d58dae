"""CATALOGUE: the numbers of MechaStellar, one TOML file per table in chapter 2 of the ledger; and their types.

Lengths are whole inches; half inches if the name ends in `_half`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

from systems.catalogue import load_releases, load_table
from systems.rulebook import HouseRuleEntry

CrewKind = Literal["pilot", "kaiju", "captain"]
PenTag = Literal["", "S", "P"]  # stun, push or pull
Tier = Literal["core", "advanced", "table-only"]

TABLE_IN = 48  # length of each side
CAPTURE_IN = 3  # ST-363
HP_BOX = 500
MAX_DICE = 10  # in any pool, ST-112
SUCCESS = 5  # ST-113
CRIT = 10  # ST-D02
MAX_SAVES = 5  # per attack, ST-141
SAVE_DAMAGE = 1000  # ST-142
FINISHING_HITS = 7  # ST-147
FINISHING_DAMAGE = 1000
LEVEL_AT: Mapping[str, int] = {"basic": 0, "skilled": 8, "ace": 20}  # experience, ST-404


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitKind:
    """One of the kinds in table 2.1, with its possible equipment and its bans."""

    slug: str
    name: str
    crew: CrewKind
    has_boost: bool = False
    has_power: bool = False
    has_havoc: bool = False
    is_ship: bool = False  # has Catapult, Repair and a Captain
    barred: tuple[str, ...] = ()  # slugs of skills and bonuses
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    slug: str
    name: str
    kind: CrewKind
    level: int
    is_elite: bool = False  # Level 1+: bonuses and skills, ST-008
    momentum: int = 0  # subtracted from the pool at the start
    vp: int = 0
    tests_rout: bool = False
    orders: int = 0  # per Round


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A tag of a weapon; some have a number after a colon."""

    slug: str
    name: str
    takes_number: bool = False
    effect: str
    tier: Tier
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    slug: str
    name: str
    points: int = 0
    effect: str
    tier: Tier
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bonus:
    """A bonus that a Level 1+ unit chooses before a roll."""

    slug: str
    name: str
    when: Literal["shooting", "melee", "attack", "defence"]
    hits: int = 0
    defence: int = 0
    crit: int = 0  # subtracted from the crit number
    kinds: tuple[str, ...] = ()  # empty: all kinds
    effect: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    slug: str
    name: str
    momentum: int
    most: int  # maximum Momentum for one use; Zeal takes the amount paid
    level: int = 0  # minimum level
    is_free: bool = False  # doesn't count towards the limit of one per turn
    effect: str
    ace: str = ""  # the addition at level 2
    ace_momentum: int | None = None
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    slug: str
    name: str
    giver: Literal["commander", "captain"]
    limit: str
    effect: str
    tier: Tier
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """One purchase of Boost, Power or Havoc."""

    slug: str
    name: str
    stat: Literal["boost", "power", "havoc"]
    first: int
    repeat: int
    window: Literal["never", "turn", "round"]  # the period in which repeats cost more
    effect: str
    tier: Tier
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    slug: str
    name: str
    cost: str
    who: str
    effect: str
    tier: Tier
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentumShift:
    slug: str
    name: str
    change: int | None  # None: from its rule
    when: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Advantage:
    slug: str
    name: str
    condition: str
    also: str
    tier: Tier
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialAttack:
    slug: str
    name: str
    type: Literal["shooting", "melee"]
    dice: int
    range_in: int | None
    damage_per_size: int  # multiplied by 2 + Size
    pen_base: int | None  # plus the Size; for pushes
    effect: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TerrainKind:
    slug: str
    name: str
    blocks_sight: bool = False
    gives_cover: bool = False
    effect: str
    tier: Tier
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlPoint:
    slug: str
    name: str
    x: int
    y: int
    capture_in: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A disc of the standard table."""

    slug: str
    name: str
    x: int
    y: int
    radius: int
    kind: str
    is_destructible: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMap:
    slug: str
    name: str
    points: tuple[str, ...]  # slugs of control points; the order breaks ties
    pieces: tuple[str, ...] = ()
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    slug: str
    name: str
    brief: str
    objective: str
    rounds: int
    terrain: str
    victory: str
    victory_rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    slug: str
    name: str
    points: int | None  # None: from its condition
    condition: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFigure:
    """A value of a unit or weapon as printed in the source."""

    slug: str
    name: str
    figures: str
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon:
    """A weapon of a profile. ST-004."""

    slug: str
    name: str
    type: Literal["shooting", "melee"]
    dice: int  # at maximum range
    hits: int = 0
    range_in: int = 0
    rf_in: int = 0  # 0: no Rapid Fire
    rf_dice: int = 0
    rf_hits: int = 0
    dmg: int = 0
    pen: int | None = None  # a save needs this or more; None: no saves
    pen_tag: PenTag = ""
    finisher: int = 1
    tags: tuple[str, ...] = ()

    def has(self, tag: str) -> bool:
        return tag in self.tags

    def number(self, tag: str) -> int:
        """Return the number after that tag's colon; 0 if there is none."""
        return next((int(each.partition(":")[2]) for each in self.tags if each.startswith(f"{tag}:")), 0)

    @property
    def is_melee(self) -> bool:
        return self.type == "melee"

    @property
    def is_energy(self) -> bool:
        return self.has("energy")

    @property
    def is_explosive(self) -> bool:
        return self.has("explosive")

    @property
    def is_all_round(self) -> bool:
        return self.has("360")

    @property
    def is_anti_air(self) -> bool:
        return self.has("aa")

    @property
    def is_indirect(self) -> bool:
        return self.has("idf")

    @property
    def is_remote(self) -> bool:
        return self.has("remote")

    @property
    def support_attack_in(self) -> int:
        return self.number("support-atk")

    @property
    def support_defence_in(self) -> int:
        return self.number("support-def")

    @property
    def strip_in(self) -> int:
        """The width of its strip; 0: none. ST-323."""
        return self.number("aoe")

    @property
    def circle_in(self) -> int:
        return self.number("aoe-circle")

    @property
    def targets(self) -> int:
        return self.number("multi") or 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedMode:
    """The differences in a transforming unit's other mode. ST-087."""

    move_half: int | None = None
    sensors_in: int | None = None
    evade_dice: int | None = None
    evade_def: int | None = None
    melee_dice: int | None = None
    melee_def: int | None = None
    evade_success: int | None = None
    melee_success: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A sample profile that all players can use; `printed` names the figures taken from the source."""

    slug: str
    name: str
    kind: str
    frame_level: int
    performance: int
    size: int
    move_half: int
    sensors_in: int
    hp: int
    evade_dice: int
    evade_def: int
    melee_dice: int
    melee_def: int
    shield: int = 0
    barrier: int = 0
    morale: int
    level: int
    boost: int = 0
    power: int = 0
    havoc: int = 0
    catapult: int = 0
    repair_hp: int = 0
    traits: tuple[str, ...] = ()
    alt_mode: PrintedMode | None = None
    role: Literal["assault", "line"]
    weapons: tuple[str, ...]  # slugs, in order
    vp: int
    points: int
    printed: tuple[str, ...] = ()
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """The minimum and maximum of a figure of profiles, weapons or forces."""

    slug: str
    name: str
    least: int
    most: int
    step: int = 1
    of: Literal["profile", "weapon", "mode", "force", "company", "table"]
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a profile, a force or an action is refused; the slug is the code."""

    slug: str
    of: Literal["design", "force", "scenario", "action"]
    when: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    kinds: Mapping[str, UnitKind]
    crews: Mapping[str, Crew]
    tags: Mapping[str, Tag]
    traits: Mapping[str, Trait]
    bonuses: Mapping[str, Bonus]
    skills: Mapping[str, Skill]
    orders: Mapping[str, Order]
    resources: Mapping[str, Resource]
    actions: Mapping[str, Action]
    momentum: Mapping[str, MomentumShift]
    advantages: Mapping[str, Advantage]
    special_attacks: Mapping[str, SpecialAttack]
    terrain: Mapping[str, TerrainKind]
    control_points: Mapping[str, ControlPoint]
    pieces: Mapping[str, Piece]
    maps: Mapping[str, TableMap]
    scenarios: Mapping[str, Scenario]
    scores: Mapping[str, Score]
    source_figures: Mapping[str, SourceFigure]
    weapons: Mapping[str, Weapon]
    profiles: Mapping[str, Profile]
    limits: Mapping[str, Limit]
    options: Mapping[str, HouseRuleEntry]
    refusals: Mapping[str, Refusal]


FOLDER = Path(__file__).parent
RELEASES = load_releases(FOLDER)  # rows keep the catalogue version under which they were bought


def load_catalogue(folder: Path = FOLDER) -> Catalogue:
    """Return a folder's catalogue: `kinds.toml` for the field `kinds`, and so on."""
    hints = get_type_hints(Catalogue)
    tables: dict[str, Any] = {}
    for table in fields(Catalogue):
        _, kind = get_args(hints[table.name])
        tables[table.name] = load_table(folder / f"{table.name}.toml", kind)
    return Catalogue(**tables)


CATALOGUE = load_catalogue()
