"""The lines of datasheets and pocket cards: plain frozen facts."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import pydantic

from systems.documents import Document, DocumentError, parse_document
from systems.meks_and_mercs.catalogue import Band, Critical, Family, Sensor, Terrain
from systems.text import format_signed

from .spec import MekSpec

INCLUDED = "counted in"  # label for things that movement, heat limit or to-hit numbers already include
REFERENCE_ARMOR = 4  # the armor number that printed expected Hits are against

PerBand = tuple[Fraction | None, Fraction | None, Fraction | None]
Count = Annotated[int, pydantic.Field(ge=0, le=99)]


class Condition(Document):
    """The damage that a Mek carries from one game to the next; missing fields are undamaged."""

    hits: Count | None = None  # Hits left; None: all
    weapons_lost: tuple[Count, ...] = ()  # slot numbers, from 0
    systems_lost: tuple[Count, ...] = ()
    legs: Count = 0
    wounded: bool = False
    computers: bool = False
    carried_heat: Count = 0
    dug_in: bool = False
    damage_control_used: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """How much of something is used and available."""

    used: int
    available: int

    def __str__(self) -> str:
        return f"{self.used}/{self.available}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponLine:
    slot: int
    slug: str
    name: str
    family: Family
    numbers: tuple[int | None, int | None, int | None]  # with the pilot
    reach: Band
    dice: int
    heat: int
    kills: str  # infantry kills of a small weapon, such as 1d6; otherwise empty
    special: str
    hit_chances: PerBand
    expected: tuple[Fraction, Fraction, Fraction]  # Hits of one firing at the primary target, against armor 4
    aimed: tuple[Fraction, Fraction, Fraction]  # the same with the pilot's skill for one attack with this family
    is_lost: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemLine:
    slot: int
    slug: str
    name: str
    slots: int
    effect: str
    brief: str
    can_be_lost: bool
    is_lost: bool

    def __str__(self) -> str:
        return f"{self.name}: {self.brief}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillLine:
    slug: str
    name: str
    effect: str
    brief: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotLine:
    name: str  # with the callsign
    level: str
    level_name: str
    movement: int  # from the level alone
    to_hit: int
    kills: int
    games: int
    skills: tuple[SkillLine, ...]

    @property
    def level_text(self) -> str:
        """The level with its modifiers, labelled as included in the numbers."""
        worth = [f"{format_signed(self.movement)} move"] if self.movement else []
        worth += [f"{format_signed(self.to_hit)} to hit"] if self.to_hit else []
        return f"{self.level_name} ({', '.join(worth)}: {INCLUDED})" if worth else self.level_name


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveLine:
    """The save against hits by a family's ordinary weapons, or by weapons that weaken saves."""

    family: Family
    penalty: int  # what the weapon takes off the die
    number: int  # the number the die must show
    rerolls: bool  # a failed save is re-rolled
    chance: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Volley:
    """The weapons to fire at one target at a band, within the heat limit and for the most Hits."""

    slots: tuple[int, ...]
    heat: int
    hits: Fraction  # expected, against armor 4, with everything in `Datasheet.aids`


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticalLine:
    """The lowest face that makes a Hit critical if it leaves `hits_left`."""

    hits_left: int
    face: int
    chance: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    legs: int
    wounded: bool
    computers: bool
    carried_heat: int
    dug_in: bool
    damage_control_used: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PocketCard:
    """Front, then back (`criticals`, `terrain`, `pilot_track`), of the card for the table."""

    name: str
    size: str
    points: int
    hits: int
    hits_left: int
    armor: int
    heat_boxes: int
    movement: str  # with all permanent modifiers, including the pilot's
    weapons: tuple[str, ...]
    systems: tuple[str, ...]
    pilot: str
    skills: tuple[str, ...]
    criticals: tuple[Critical, ...]
    terrain: tuple[Terrain, ...]
    pilot_track: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportCard:
    """The card of a support unit; an infantry strongpoint has boxes for kills and no Hits."""

    slug: str
    name: str
    company: str
    hits: int
    armor: int | None
    kill_boxes: int
    movement: str
    weapons: tuple[str, ...]
    systems: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Datasheet:
    # identity
    name: str
    design_name: str
    design: str  # slug of the published design with the same parts; empty: none
    size: str
    size_name: str
    company: str
    points: int
    printed_points: int | None  # only if the rulebook prints a different number
    notes: tuple[str, ...]
    house_rules: tuple[str, ...]  # those that changed the points
    # frame
    hits: int
    hits_left: int
    armor: int
    heat_rating: int  # chassis and sinks
    heat_limit: int  # with the pilot's familiarity
    movement: str
    massive_mounts: Usage
    huge_mounts: Usage
    small_mounts: Usage
    slots: Usage
    # parts
    weapons: tuple[WeaponLine, ...]
    systems: tuple[SystemLine, ...]
    sensor: Sensor
    pilot: PilotLine | None
    track: Track
    # derived
    heat_all: int
    heat_all_with_jets: int | None  # None: no jump jets
    is_overheating: bool  # if everything is fired without jump jets
    save_chance: Fraction
    saves: tuple[SaveLine, ...]  # cannon, laser, missile, then weapons that weaken saves
    criticals: tuple[CriticalLine, ...]
    movement_dice: int
    movement_bonus: int  # of the chassis, with all permanent modifiers
    movement_modifier: int  # all permanent modifiers other than the chassis
    jump_dice: int  # extra dice with jump jets; 0: none
    jump_heat: int
    movement_min: int
    movement_mean: Fraction
    movement_max: int
    volleys: tuple[Volley, Volley, Volley]  # the best per band
    aids: tuple[str, ...]  # systems and skills included in the volleys but not in the to-hit numbers
    infantry_kills: Fraction
    card: PocketCard

    @property
    def expected_hits(self) -> tuple[Fraction, Fraction, Fraction]:
        """Expected Hits of the best fire within the heat limit, per band, against armor 4."""
        short, medium, long = (volley.hits for volley in self.volleys)
        return short, medium, long

    @property
    def better_saves(self) -> tuple[SaveLine, ...]:
        """The saves that an armor system improves."""
        return tuple(save for save in self.saves if not save.penalty and save.chance != self.save_chance)

    @property
    def state(self) -> tuple[tuple[str, str], ...]:
        """The Mek's damage apart from lost Hits."""
        return (("Leg damage", f"{self.track.legs}, {INCLUDED}"),) if self.track.legs else ()

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """The columns of a table of designs."""
        return (("Hits", str(self.hits)), ("AR", str(self.armor)), ("Move", self.movement))


def parse_condition(data: object, spec: MekSpec, path: str = "condition") -> Condition:
    """Read the condition of a Mek of that build. Raises DocumentError."""
    if not isinstance(data, Mapping):
        raise DocumentError(path, "must be an object")
    condition = parse_document(Condition, data, path)
    if condition.hits is not None and condition.hits > spec.frame.hits:
        raise DocumentError(f"{path}.hits", f"must be {spec.frame.hits} or less")
    for field, lost, slots in (
        ("weapons_lost", condition.weapons_lost, spec.weapons),
        ("systems_lost", condition.systems_lost, spec.systems),
    ):
        for at, slot in enumerate(lost):
            if slot >= len(slots):
                raise DocumentError(f"{path}.{field}[{at}]", f"there is no slot {slot}")
    return condition
