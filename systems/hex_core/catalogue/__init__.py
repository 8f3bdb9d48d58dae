"""CATALOGUE: the numbers of Hex Core, one TOML file per table in chapter 2 of the ledger; and their types.

Hexes are (column, row) from the top left, as side A sees the map.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

from systems.catalogue import load_releases, load_table
from systems.rulebook import HouseRuleEntry

UnitType = Literal["mech", "vehicle"]
VehicleKind = Literal["terrestrial", "aerial", "aquatic", "extraterrestrial"]
Range = Literal["ranged", "melee"]
Damage = Literal["kinetic", "energy"]
Hex = tuple[int, int]

COLUMNS, ROWS = 16, 13  # HX-055
DEPLOYMENT_ROWS = 3  # HX-059
AREAS = 6
HEAD, VITAL, ARM_L, ARM_R, LEG_L, LEG_R = range(AREAS)  # for vehicles: tail, cockpit, inner wings, outer wings
RIGHT, LEFT, BOTH, CARRIED = "right", "left", "both", "carried"
HANDS = (RIGHT, LEFT, BOTH)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFact:
    """A measure of the board or of the die."""

    slug: str
    name: str
    value: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeOfUnit:
    slug: str
    name: str
    what: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KindOfVehicle:
    slug: str
    name: str
    may_be: str
    flies: bool
    core: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DroneVariety:
    slug: str
    name: str
    effect: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stat:
    """A number of the datasheet."""

    slug: str
    name: str
    short: str
    lower_is_better: bool = False
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """One of the six areas of a mech or a vehicle."""

    slug: str
    name: str
    short: str
    code: str  # prefix for weapons mounted on it
    of: UnitType
    index: int
    penalty: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    slug: str
    name: str
    order: int
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A Command Action."""

    slug: str
    name: str
    ap: int
    effect: str
    limit: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GrappleResult:
    slug: str
    name: str
    attacker_passes: bool
    defender_passes: bool
    result: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GrappleEffect:
    slug: str
    name: str
    attacker: str
    defender: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    slug: str
    name: str
    effect: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Terrain:
    """A colour of hex."""

    slug: str
    name: str
    represents: str
    status: str
    level: int = 0
    effect: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildingFact:
    slug: str
    name: str
    value: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Elevation:
    slug: str
    name: str
    level: int
    who: str
    accuracy: int = 0  # added to Accuracy Rolls
    evasion: int = 0  # added to Evasion Rolls
    reach: int = 0  # added to the range of ranged weapons
    movement: int = 0  # SM points
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mission:
    slug: str
    name: str
    brief: str
    objective: str
    setup: str
    victory: str
    victory_rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    slug: str
    name: str
    meaning: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """A core type: a unit without any additions. HX-037."""

    slug: str
    name: str
    of: UnitType
    accuracy: int
    assault: int
    evasion: int
    counter: int
    base_ap: int
    movement: int
    dp: tuple[int, int, int, int, int, int]  # by area index
    cost: int
    line: str

    @property
    def is_vehicle(self) -> bool:
        return self.of == "vehicle"

    @property
    def flies(self) -> bool:
        return self.slug in ("aerial", "extraterrestrial")

    @property
    def swims(self) -> bool:
        return self.slug == "aquatic"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitClass:
    slug: str
    name: str
    number: int
    least: int  # minimum total DP of the areas
    most: int | None  # None: no limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Reduction:
    """Steps that lower a value, and the price of one or two of them."""

    slug: str
    name: str
    stat: Literal["accuracy", "assault", "evasion"]
    one: int
    two: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Armour:
    slug: str
    name: str
    cost: int
    limit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon:
    slug: str
    name: str  # without the tag
    kind: Range
    type: Damage
    hands: int  # 0: can only be mounted
    damage: int
    critical: int  # total damage of a critical hit
    range: int
    ap: int
    dp: int
    mountable: bool = True
    cost: int

    @property
    def is_two_handed(self) -> bool:
        return self.hands == 2

    @property
    def tagged(self) -> str:
        """Its name on a sheet. HX-047."""
        return f"{self.name} [2H]" if self.is_two_handed else self.name

    @property
    def is_ranged(self) -> bool:
        return self.kind == "ranged"

    @property
    def is_kinetic(self) -> bool:
        return self.type == "kinetic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shield:
    slug: str
    name: str
    dp: int
    cost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Drone:
    slug: str
    name: str
    accuracy: int | None
    assault: int | None
    evasion: int
    dp: int
    move: int
    kind: Range
    type: Damage
    damage: int
    critical: int
    range: int
    ap: int
    cost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DroneItem:
    slug: str
    name: str
    effect: str
    cost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    slug: str
    name: str
    effect: str
    cost: int
    cores: tuple[str, ...] = ()  # cores that can take it; empty: all mechs, and vehicles if `vehicles`
    vehicles: bool = False
    thrust: int = 0  # TM
    form: VehicleKind | None = None  # a transformer's form


@dataclass(frozen=True, slots=True, kw_only=True)
class Mod:
    slug: str
    name: str
    effect: str
    cost: int
    limit: int
    mech_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    slug: str
    name: str
    effect: str
    cost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """A rank of pilots. HX-177."""

    slug: str
    name: str
    experience: int  # minimum experience for the rank
    traits: int  # maximum number of traits that a pilot can have learned


@dataclass(frozen=True, slots=True, kw_only=True)
class SquadSize:
    slug: str
    name: str
    points: int
    units: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Armament:
    """A weapon of an example, and its place."""

    weapon: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleUnit:
    """A design that all players can use."""

    slug: str
    name: str
    core: str
    srm: tuple[int, int, int] = (0, 0, 0)
    armour: tuple[int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0)
    weapons: tuple[Armament, ...]
    shield: str = ""  # in the left hand
    drones: tuple[str, ...] = ()
    royroy: int = 0
    systems: tuple[str, ...] = ()
    mods: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    cost: int
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleSquad:
    slug: str
    name: str
    units: tuple[str, ...]
    cost: int
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HexMap:
    """A map that is the same after half a turn. Unlisted hexes are grey, at level 0."""

    slug: str
    name: str
    hexes: Mapping[str, tuple[Hex, ...]]  # by colour
    buildings: tuple[tuple[int, int, int], ...] = ()  # column, row, floors
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    slug: str
    name: str
    value: int
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a design or squad is illegal, or why an action is refused; the slug is the code."""

    slug: str
    of: Literal["design", "squad", "map", "mission", "action"]
    when: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    board: Mapping[str, BoardFact]
    unit_types: Mapping[str, TypeOfUnit]
    vehicle_kinds: Mapping[str, KindOfVehicle]
    drone_varieties: Mapping[str, DroneVariety]
    stats: Mapping[str, Stat]
    areas: Mapping[str, Area]
    phases: Mapping[str, Phase]
    commands: Mapping[str, Command]
    grapple_results: Mapping[str, GrappleResult]
    grapple_effects: Mapping[str, GrappleEffect]
    statuses: Mapping[str, Status]
    terrain: Mapping[str, Terrain]
    buildings: Mapping[str, BuildingFact]
    elevations: Mapping[str, Elevation]
    missions: Mapping[str, Mission]
    terms: Mapping[str, Term]
    cores: Mapping[str, Core]
    classes: Mapping[str, UnitClass]
    reductions: Mapping[str, Reduction]
    armour: Mapping[str, Armour]
    weapons: Mapping[str, Weapon]
    shields: Mapping[str, Shield]
    drones: Mapping[str, Drone]
    drone_items: Mapping[str, DroneItem]
    systems: Mapping[str, System]
    mods: Mapping[str, Mod]
    traits: Mapping[str, Trait]
    ranks: Mapping[str, Rank]
    squad_sizes: Mapping[str, SquadSize]
    examples: Mapping[str, ExampleUnit]
    squads: Mapping[str, ExampleSquad]
    maps: Mapping[str, HexMap]
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
