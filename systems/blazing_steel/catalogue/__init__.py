"""CATALOGUE: the numbers of Blazing Steel, one TOML file per table in chapter 2 of the ledger; and their types.

Lengths are whole inches, or hundredths if their names end in `_h`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

from systems.catalogue import load_releases, load_table
from systems.rulebook import HouseRuleEntry

Weight = Literal["L", "M", "H", "SH"]
Letter = Literal["l", "r", "c", "p"]
Location = Literal["left-arm", "right-arm", "core", "peripheral"]
Arc = Literal["front", "left-side", "right-side", "rear"]
Disc = tuple[int, int, int]  # x east, y north, radius, in inches from the south-west corner

TABLE_IN = 48  # length of each side, BS-D36
CENTRE_IN = 24
ZONE_IN = 12  # depth of a deployment zone, BS-193
HILL_WITHIN_IN = 2  # distance to hold the hill, BS-194
SHOOTING_TN = 6  # before any reductions, BS-120
DODGE_DICE = 2  # BS-141
HEAT_FACES = 6
MUNITION, ENERGY, SHORT = "munition", "energy", "short"
GUIDED, INDIRECT, FLAK, OVERCHARGE = "guided", "indirect", "flak", "overcharge"
MELEE_WEAPON = "melee-weapon"


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    slug: str
    name: str
    order: int
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStep:
    slug: str
    name: str
    order: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """An action, or a kind of special action (`is_special`)."""

    slug: str
    name: str
    heat: int
    is_offensive: bool = False
    is_dodging: bool = False  # dodge dice may be used during it
    is_special: bool = False
    allowance: str  # distance, in words
    rotation: int | None = None  # degrees to either side; None: no rotation of its own
    effect: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chassis:
    slug: str
    name: str
    weight: Weight
    move_in: int
    sprint_in: int
    jump_in: int
    dodge: int  # target number
    melee: int
    armor: int
    structure: int
    points: int
    slots: tuple[str, ...]  # in slot order
    option_cap: int | None = None
    has_improved_sinks: bool = False
    base: str
    line: str  # what kind of machine it is, in one line


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One hardpoint, by its name in files; the chassis decides which exist."""

    slug: str
    name: str
    letter: Letter
    location: Location
    mount: str | None  # its mount for firing; None: no weapon fits


@dataclass(frozen=True, slots=True, kw_only=True)
class Locomotion:
    slug: str
    name: str
    melee: int = 0
    sprint_in: int = 0
    can_fortify: bool = False
    is_disabled_by_both: bool = False  # if both Locomotion cripples apply, BS-160
    effect: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon:
    """A ranged weapon."""

    slug: str
    name: str
    range_in: int  # ideal range
    rof: int
    impact: int
    damage: int
    ap: int
    ammo: int | None  # shots before reloading; None: not tracked
    traits: tuple[str, ...] = ()
    points: int = 1

    def has(self, trait: str) -> bool:
        return trait in self.traits

    @property
    def is_munition(self) -> bool:
        return MUNITION in self.traits

    @property
    def is_energy(self) -> bool:
        return ENERGY in self.traits

    @property
    def is_short(self) -> bool:
        return SHORT in self.traits

    @property
    def is_guided(self) -> bool:
        return GUIDED in self.traits

    @property
    def is_indirect(self) -> bool:
        return INDIRECT in self.traits

    @property
    def is_flak(self) -> bool:
        return FLAK in self.traits

    @property
    def overcharges(self) -> bool:
        return OVERCHARGE in self.traits


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    slug: str
    name: str
    effect: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MeleeWeapon:
    slug: str
    name: str
    melee: int
    dice: int
    ap: int  # counted once, however many there are
    damage: int  # likewise
    points: int = 1
    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike:
    slug: str
    name: str
    weight: Weight
    ap: int
    damage: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StrikeNumber:
    """The target number of a strike, from the two Melee values."""

    slug: str
    name: str
    tn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShotModifier:
    """A reduction of a shot's target number; a negative one increases it."""

    slug: str
    name: str
    reduction: int | None  # None: the weapon's own
    when: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cripple:
    slug: str
    name: str
    face: int
    effect: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArcSpan:
    """Bearings from the facing in degrees, positive to the left; on a line, the arc nearer the front applies."""

    slug: str
    name: str
    least: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    slug: str
    name: str
    short: str  # as on a line of a card
    arcs: tuple[Arc, ...]
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Flank:
    slug: str
    name: str
    armor: int
    when: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Peripheral:
    slug: str
    name: str
    kind: Literal["passive", "once-per-round", "at-build"]
    melee: int = 0
    dodge: int = 0
    jump_in: int = 0
    jump_dice: int = 0  # extra dodge dice during a jump
    ammo: int = 0  # extra shots for the weapon that it serves
    points: int = 1
    effect: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    slug: str
    name: str
    radius_h: int

    @property
    def across_in(self) -> int:
        return self.radius_h // 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioItem:
    slug: str
    name: str
    points: int | None  # victory points; None: none, or as in its rule
    text: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    slug: str
    name: str
    brief: str
    objective: str
    rounds: int  # house rule `rounds`
    terrain: str  # the default map
    victory: str
    victory_rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TerrainKind:
    slug: str
    name: str
    is_blocking: bool = False  # blocks sight and movement
    gives_cover: bool = False
    effect: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMap:
    slug: str
    name: str
    blocks: tuple[Disc, ...] = ()
    woods: tuple[Disc, ...] = ()
    hills: tuple[Disc, ...]
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleUnit:
    """A design that all players can use."""

    slug: str
    name: str
    chassis: str
    locomotion: str
    l1: str = ""
    l2: str = ""
    r1: str = ""
    c1: str = ""
    p1: str = ""
    magazine_on: str = ""
    points: int
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    slug: str
    name: str
    value: int
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a design or force is illegal, or why an action is refused; the slug is the code."""

    slug: str
    of: Literal["design", "force", "action"]
    when: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    phases: Mapping[str, Phase]
    turn_steps: Mapping[str, TurnStep]
    actions: Mapping[str, Action]
    chassis: Mapping[str, Chassis]
    slots: Mapping[str, Slot]
    locomotion: Mapping[str, Locomotion]
    weapons: Mapping[str, Weapon]
    traits: Mapping[str, Trait]
    melee: Mapping[str, MeleeWeapon]
    strikes: Mapping[str, Strike]
    strike_numbers: Mapping[str, StrikeNumber]
    shot_modifiers: Mapping[str, ShotModifier]
    cripples: Mapping[str, Cripple]
    arcs: Mapping[str, ArcSpan]
    mounts: Mapping[str, Mount]
    flanks: Mapping[str, Flank]
    peripherals: Mapping[str, Peripheral]
    bases: Mapping[str, Base]
    scenarios: Mapping[str, Scenario]
    scenario_items: Mapping[str, ScenarioItem]
    terrain: Mapping[str, TerrainKind]
    maps: Mapping[str, TableMap]
    examples: Mapping[str, ExampleUnit]
    limits: Mapping[str, Limit]
    options: Mapping[str, HouseRuleEntry]
    refusals: Mapping[str, Refusal]


FOLDER = Path(__file__).parent
RELEASES = load_releases(FOLDER)  # rows keep the catalogue version under which they were bought


def load_catalogue(folder: Path = FOLDER) -> Catalogue:
    """Return a folder's catalogue: `chassis.toml` for the field `chassis`, and so on."""
    hints = get_type_hints(Catalogue)
    tables: dict[str, Any] = {}
    for table in fields(Catalogue):
        _, kind = get_args(hints[table.name])
        tables[table.name] = load_table(folder / f"{table.name}.toml", kind)
    return Catalogue(**tables)


CATALOGUE = load_catalogue()
