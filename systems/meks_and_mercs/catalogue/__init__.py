"""CATALOGUE: the numbers of Meks & Mercs, one TOML file per rulebook table; and their types.

CATALOGUES: the same for every release. Entries are frozen, with numbers that follow from one entry alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args, get_type_hints

from systems.catalogue import FIRST_RELEASE, load_releases, raw_table, read_table, retired_by
from systems.rulebook import HouseRuleEntry
from systems.text import format_signed

Family = Literal["cannon", "laser", "missile", "small"]
Band = Literal["Short", "Medium", "Long"]
MountSize = Literal["massive", "huge", "small"]
BANDS: tuple[Band, ...] = ("Short", "Medium", "Long")
SIZES: tuple[str, ...] = ("light", "medium", "heavy", "assault", "titan")


def half_rounded_up(number: int) -> int:
    return (number + 1) // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Chassis:
    slug: str
    name: str
    hits: int
    armor: int  # lowest face of a d6 that saves
    heat_rating: int
    movement_dice: int
    movement_bonus: int
    massive_mounts: int
    huge_mounts: int

    @property
    def small_mounts(self) -> int:
        """The same as the number of massive mounts, used or not. MM-008."""
        return self.massive_mounts

    @property
    def system_slots(self) -> int:
        """Half the Hits, rounded up. MM-003."""
        return half_rounded_up(self.hits)

    @property
    def points(self) -> int:
        """Two per Hit. MM-002."""
        return 2 * self.hits

    @property
    def movement(self) -> str:
        """The movement roll as written at the table, such as `1d6+2`."""
        return movement_text(self.movement_dice, self.movement_bonus)


def movement_text(dice: int, bonus: int) -> str:
    """Return a movement roll as written at the table, with a true minus sign."""
    return f"{dice}d6{format_signed(bonus)}" if bonus else f"{dice}d6"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon:
    slug: str
    name: str
    family: Family
    numbers: tuple[int | None, int | None, int | None]  # lowest face that hits at Short, Medium, Long; None: no attack
    size: MountSize
    heat: int
    points: int  # price of one purchase, which is `pack` weapons
    pack: int = 1  # weapons per purchase; a purchase fills one mount
    dice: int = 1  # to-hit dice of one firing; 0: can't attack Meks or vehicles
    rerolls_miss: bool = False
    ignores_terrain: bool = False
    save_penalty: int = 0  # subtracted from the target's save die
    point_defense_penalty: int = 0  # what Point Defense subtracts from the to-hit die at Medium and Long
    rerolls_failed_critical_at_long: bool = False
    kills: int = 0  # infantry kill dice of a small weapon; 0: see the infantry kill table
    special: str = ""

    @property
    def reach(self) -> Band:
        """The farthest band at which it can fire; small weapons work at Short only."""
        bands = [band for band, number in zip(BANDS, self.numbers, strict=True) if number is not None]
        return bands[-1] if bands else "Short"


Basis = Literal["flat", "hits", "half-hits", "heat", "less-armor"]


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    slug: str
    name: str
    effect: str
    brief: str
    basis: Basis = "flat"  # what the price depends on; always the bare chassis (MM-007)
    points: int = 0  # price if flat; if `less-armor`, the number that armor is subtracted from
    slots: int = 1
    sizes: tuple[str, ...] = SIZES
    is_repeatable: bool = False
    is_armor: bool = False  # never lost to a System Lost critical
    heat_rating: int = 0
    movement_bonus: int = 0
    jump_dice: int = 0  # extra movement dice in a round when it is used
    jump_heat: int = 0
    rerolls_save_against: Family | None = None
    save_bonus_against: Family | None = None
    sensor: str | None = None  # the sensor class it provides

    def points_on(self, chassis: Chassis) -> int:
        """Return the price on a chassis, from the bare chassis numbers. MM-002, MM-007."""
        match self.basis:
            case "hits":
                return chassis.hits
            case "half-hits":
                return half_rounded_up(chassis.hits)
            case "heat":
                return chassis.heat_rating
            case "less-armor":
                return self.points - chassis.armor
            case "flat":
                return self.points


@dataclass(frozen=True, slots=True, kw_only=True)
class Terrain:
    slug: str
    name: str
    movement: int
    to_hit: int
    heat_rating: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskedReach:
    """Reach against Masking & Insulation: farthest band, and lowest face of a d6 that succeeds."""

    reach: Band
    die: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensor:
    slug: str
    name: str
    targeting_reach: Band
    id_reach: Band
    id_adjacent_zones: bool = False
    infantry: int  # lowest face that detects infantry at Short; -1 on the die at Medium, -2 at Long
    masked_targeting: MaskedReach
    masked_id: MaskedReach


@dataclass(frozen=True, slots=True, kw_only=True)
class Critical:
    slug: str
    name: str
    face: int
    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InfantryKills:
    """Kills of one die of a weapon family against infantry.

    After modifiers, `one_from` or more is 1 kill, `two_from` or more is 2.
    """

    slug: str
    name: str
    one_from: int | None = None
    two_from: int | None = None
    is_total: bool = False  # the kills are the total of the dice, at least 0

    def kills(self, result: int) -> int:
        """Return the kills of a modified die, or of a small weapon's modified total."""
        if self.is_total:
            return max(0, result)
        if self.two_from is not None and result >= self.two_from:
            return 2
        return int(self.one_from is not None and result >= self.one_from)


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    slug: str
    name: str
    movement: int
    to_hit: int
    skill_roll: int | None  # None: has no skills and doesn't roll for them
    kills: int  # required number of Meks destroyed
    games: int  # required number of games survived
    hire_points: int | None  # price of a new pilot at this level; None: can't be hired
    requirement: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    slug: str
    name: str
    skill: str  # the printed skill; not the slug if the skill is taken once per chassis size
    effect: str
    brief: str
    chassis: str | None = None  # only works when piloting this size
    movement_bonus: int = 0
    heat_rating: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    slug: str
    name: str
    table: Literal["A", "B", "C"]
    face: int
    when: str  # when it is used or takes effect
    effect: str
    rule: str
    unit: str | None = None  # the support unit that it brings


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportUnit:
    slug: str
    name: str
    hits: int | None
    armor: int | None
    movement_dice: int
    movement_bonus: int = 0
    weapons: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    special: str = ""
    worth: int  # points for the AI only; free for its owner


Group = Literal["all", "rest", "at-least-1-mek", "half-of-points", "half-of-meks"]
Objective = Literal["occupy", "break-out", "clear-and-leave", "breach", "last-standing", "stronghold"]
Edge = Literal["top", "bottom", "left", "right"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupStep:
    who: Group
    zones: tuple[int, ...]
    is_one_zone: bool = False  # all in the same zone, one of these


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraUnits:
    unit: str
    count: int
    zone: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    zones: tuple[int, ...]  # lowest first; each gets an equal share of the zone die's faces
    unit_die: tuple[int, ...]  # lowest face that arrives on turn 1, 2, ...; 1: no die needed


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSide:
    points: int
    support_rolls: int
    setup: tuple[SetupStep, ...] = ()
    arrival: Arrival | None = None
    composition: Mapping[str, int] = field(default_factory=dict)  # exact number of Meks per size; empty: free choice
    free_pilots: Mapping[str, int] = field(default_factory=dict)  # number of free new pilots, by level
    extra: tuple[ExtraUnits, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    slug: str
    name: str
    brief: str
    objective: Objective
    victory_rule: str
    max_size: str
    attacker: ScenarioSide
    defender: ScenarioSide
    terrain: tuple[str, str, str, str, str, str, str, str, str]  # zones 1 to 9
    turn_limit: int
    key_zone: int
    exit_zones: tuple[int, ...] = ()
    exit_edge: Edge | None = None
    ours: tuple[str, ...] = ()  # fields that the source doesn't print


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedMek:
    slug: str
    name: str
    chassis: str
    weapons: tuple[str, ...]
    systems: tuple[str, ...] = ()
    printed_points: int
    printed_points_option: str | None = None  # the house rule to which the printed points belong
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    chassis: Mapping[str, Chassis]
    weapons: Mapping[str, Weapon]
    systems: Mapping[str, System]
    terrain: Mapping[str, Terrain]
    sensors: Mapping[str, Sensor]
    criticals: Mapping[str, Critical]
    infantry_kills: Mapping[str, InfantryKills]
    levels: Mapping[str, Level]
    skills: Mapping[str, Skill]
    support: Mapping[str, Support]
    support_units: Mapping[str, SupportUnit]
    scenarios: Mapping[str, Scenario]
    options: Mapping[str, HouseRuleEntry]
    published: Mapping[str, PublishedMek]


FOLDER = Path(__file__).parent
RELEASES = load_releases(FOLDER)  # stored units keep the release in which they were bought


def load_catalogue(folder: Path = FOLDER, release: str = FIRST_RELEASE) -> Catalogue:
    """Return a folder's catalogue in a release: `chassis.toml` for the field `chassis`, and so on."""
    hints = get_type_hints(Catalogue)
    tables: dict[str, Any] = {}
    for table in fields(Catalogue):
        _, kind = get_args(hints[table.name])
        raw = raw_table(folder, table.name, release)
        tables[table.name] = read_table(folder / f"{table.name}.toml", raw, kind)
    return Catalogue(**tables)


CATALOGUES = MappingProxyType({each.number: load_catalogue(release=each.number) for each in RELEASES})
CATALOGUE = CATALOGUES[FIRST_RELEASE]  # for what no release changes; a build uses its own release's catalogue
RETIRED = MappingProxyType({each.number: retired_by(RELEASES, each.number) for each in RELEASES})
