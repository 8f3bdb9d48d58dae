"""The spec of a unit, a profile of free figures read from JSON values, and its value in points and victory points.

Values: ST-012, ST-373 to ST-376.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

import pydantic

from systems.documents import Document, DocumentError, Name, object_of, parse_document, refuse_unknown
from systems.mechastellar.catalogue import (
    CATALOGUE,
    MAX_DICE,
    SUCCESS,
    Crew,
    CrewKind,
    PenTag,
    Profile,
    UnitKind,
    Weapon,
)
from systems.roster import PilotSpec

Role = Literal["assault", "line"]
MAX_WEAPONS_READ = 12  # in a document; profiles above their own limit are kept, with a problem


@dataclass(frozen=True, slots=True, kw_only=True)
class AltMode:
    """The changes in a transforming unit's other mode; None: unchanged. ST-087."""

    move_half: int | None = None
    sensors_in: int | None = None
    evade_dice: int | None = None
    evade_def: int | None = None
    melee_dice: int | None = None
    melee_def: int | None = None
    evade_success: int | None = None
    melee_success: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitSpec:
    """A profile. Lengths are in inches; `move_half` is one Move Action in half inches. ST-002 to ST-010."""

    kind: str
    frame_level: int = 1
    performance: int = 0
    size: int = 0
    move_half: int = 12
    sensors_in: int = 10
    hp: int = 4000
    evade_dice: int = 5
    evade_def: int = 2
    melee_dice: int = 4
    melee_def: int = 2
    evade_success: int = SUCCESS
    melee_success: int = SUCCESS
    shield: int = 0
    barrier: int = 0
    morale: int = 7
    crew: CrewKind
    level: int = 0
    boost: int = 0
    power: int = 0
    havoc: int = 0
    catapult: int = 0
    repair_hp: int = 0
    traits: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()  # the orders printed for its Captain; empty: all that they can give
    alt_mode: AltMode | None = None
    role: Role = "line"
    aboard: bool = False  # it starts aboard its Warship. ST-203
    weapons: tuple[Weapon, ...] = field(default=())

    @property
    def unit_kind(self) -> UnitKind:
        return CATALOGUE.kinds[self.kind]

    @property
    def move_in(self) -> float:
        return self.move_half / 2

    @property
    def is_warship(self) -> bool:
        return self.unit_kind.is_ship

    @property
    def is_elite(self) -> bool:
        """Whether it is Level 1+; Captains never are. ST-008, ST-009."""
        return self.crew != "captain" and self.level >= 1

    @property
    def crewed_by(self) -> Crew | None:
        """The row of the crew table; None if this level has none."""
        return next(
            (each for each in CATALOGUE.crews.values() if (each.kind, each.level) == (self.crew, self.level)), None
        )

    @property
    def engages_in(self) -> int:
        """The engagement range in inches. ST-070."""
        return 5 + self.size

    def has(self, trait: str) -> bool:
        return trait in self.traits

    @property
    def orders_given(self) -> tuple[str, ...]:
        """Return the orders that its Captain may give. ST-280."""
        if self.crew != "captain" or self.level < 1:
            return ()
        return self.orders or CAPTAINS_ORDERS

    def at_level(self, level: int) -> UnitSpec:
        """Return the same unit with a crew of that level, or of its kind's lowest if higher. ST-008."""
        return replace(self, level=max(level, 1 if self.crew == "kaiju" else 0))

    @property
    def in_mode_b(self) -> UnitSpec:
        """Return the unit in its other mode; itself if it has none. ST-087."""
        return replace(self, **mode_figures(self.alt_mode)) if self.alt_mode else self


def mode_figures(mode: AltMode) -> dict[str, Any]:
    """Return the figures that the mode sets, by profile field."""
    return {name: value for name, value in dataclasses.asdict(mode).items() if value is not None}


def profile_spec(profile: Profile) -> UnitSpec:
    """Return a sample profile as a unit's spec."""
    same = {each.name for each in dataclasses.fields(UnitSpec)} & {each.name for each in dataclasses.fields(Profile)}
    figures = {name: getattr(profile, name) for name in same - {"weapons", "alt_mode"}}
    mode = profile.alt_mode
    return UnitSpec(
        **figures,
        crew=CATALOGUE.kinds[profile.kind].crew,
        weapons=tuple(CATALOGUE.weapons[slug] for slug in profile.weapons),
        alt_mode=AltMode(**dataclasses.asdict(mode)) if mode else None,
    )


# Figures are read within wide bounds, so that profiles with problems can be saved and fixed.
Figure = Annotated[int, pydantic.Field(ge=-100_000, le=100_000)]
Slug = Annotated[str, pydantic.Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]


def _in_halves(value: object) -> object:
    if isinstance(value, int | float) and not isinstance(value, bool) and value * 2 != int(value * 2):
        raise ValueError("a Move is a whole number of inches, or a half more (ST-006)")
    return value


Inches = Annotated[
    float, pydantic.BeforeValidator(_in_halves), pydantic.Field(ge=-1000, le=1000, strict=False, allow_inf_nan=False)
]


class WeaponFields(Document):
    slug: Slug | None = None  # None: made from its name
    name: Name
    type: Literal["shooting", "melee"]
    dice: Figure
    hits: Figure = 0
    range_in: Figure = 0
    rf_in: Figure = 0
    rf_dice: Figure = 0
    rf_hits: Figure = 0
    dmg: Figure = 0
    pen: Figure | None = None
    pen_tag: PenTag = ""
    finisher: Figure = 1
    tags: list[Annotated[str, pydantic.Field(max_length=40)]] = []


class ModeFields(Document):
    move_in: Inches | None = None
    sensors_in: Figure | None = None
    evade_dice: Figure | None = None
    evade_def: Figure | None = None
    melee_dice: Figure | None = None
    melee_def: Figure | None = None
    evade_success: Figure | None = None
    melee_success: Figure | None = None


class SpecFields(Document):
    kind: str
    frame_level: Figure = 1
    performance: Figure = 0
    size: Figure = 0
    move_in: Inches = 6
    sensors_in: Figure = 10
    hp: Figure = 4000
    evade_dice: Figure = 5
    evade_def: Figure = 2
    melee_dice: Figure = 4
    melee_def: Figure = 2
    evade_success: Figure = SUCCESS
    melee_success: Figure = SUCCESS
    shield: Figure = 0
    barrier: Figure = 0
    morale: Figure = 7
    crew: CrewKind | None = None  # None: the kind's
    level: Figure = 0
    boost: Figure = 0
    power: Figure = 0
    havoc: Figure = 0
    catapult: Figure = 0
    repair_hp: Figure = 0
    traits: list[str] = []
    orders: list[str] = []
    alt_mode: ModeFields | None = None
    role: Role = "line"
    aboard: bool = False
    weapons: Annotated[list[WeaponFields | str], pydantic.Field(max_length=MAX_WEAPONS_READ)] = []


def parse_spec(data: object, path: str = "spec") -> UnitSpec:
    """Return the profile; raises DocumentError with the path of the first fault."""
    fields = parse_document(SpecFields, _weapons_written_out(object_of(data, path), path), path)
    _refuse_unknown(f"{path}.kind", "kind", fields.kind, CATALOGUE.kinds, "ST-002")
    for at, trait in enumerate(fields.traits):
        _refuse_unknown(f"{path}.traits[{at}]", "trait", trait, CATALOGUE.traits, "ST-015")
    for at, order in enumerate(fields.orders):
        _refuse_unknown(f"{path}.orders[{at}]", "order", order, CAPTAINS_ORDERS, "ST-280")
    weapons = tuple(_weapon(each, f"{path}.weapons[{at}]") for at, each in enumerate(fields.weapons))
    figures = fields.model_dump(exclude={"move_in", "crew", "traits", "orders", "alt_mode", "weapons"})
    return UnitSpec(
        **figures,
        move_half=round(fields.move_in * 2),
        crew=fields.crew or CATALOGUE.kinds[fields.kind].crew,
        traits=tuple(dict.fromkeys(fields.traits)),
        orders=tuple(dict.fromkeys(fields.orders)),
        alt_mode=_mode(fields.alt_mode) if fields.alt_mode is not None else None,
        weapons=weapons,
    )


CAPTAINS_ORDERS = tuple(slug for slug, order in CATALOGUE.orders.items() if order.giver == "captain")


def _weapons_written_out(data: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Return the data with weapons in full, where slugs may have stood for catalogue weapons."""
    given = data.get("weapons")
    if not isinstance(given, list):
        return dict(data)
    weapons = []
    for at, each in enumerate(given):
        if isinstance(each, str):
            _refuse_unknown(f"{path}.weapons[{at}]", "weapon", each, CATALOGUE.weapons, "ST-004")
            each = weapon_json(CATALOGUE.weapons[each])
        weapons.append(each)
    return {**data, "weapons": weapons}


def _weapon(fields: WeaponFields | str, path: str) -> Weapon:
    assert isinstance(fields, WeaponFields)  # `_weapons_written_out` has replaced the slugs
    for at, tag in enumerate(fields.tags):
        name, colon, number = tag.partition(":")
        _refuse_unknown(f"{path}.tags[{at}]", "tag", name, CATALOGUE.tags, "ST-004")
        wants = CATALOGUE.tags[name].takes_number
        if wants != bool(re.fullmatch(r"[1-9]\d?", number)) or wants != bool(colon):
            reason = f'"{name}" is written with a number, as in "{name}:8"' if wants else f'"{name}" has no number'
            raise DocumentError(f"{path}.tags[{at}]", f"{reason} (ST-004)", "ST-004")
    figures = fields.model_dump(exclude={"slug", "tags"})
    return Weapon(slug=fields.slug or weapon_slug(fields.name), tags=_sort_tags(fields.tags), **figures)


def _sort_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Return each tag once, in the order of the catalogue."""
    known = list(CATALOGUE.tags)
    return tuple(sorted(dict.fromkeys(tags), key=lambda tag: known.index(tag.partition(":")[0])))


def weapon_slug(name: str) -> str:
    """Return a slug for a weapon without one: its name in lower case."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "weapon"


def _mode(fields: ModeFields) -> AltMode:
    move = fields.move_in
    return AltMode(move_half=None if move is None else round(move * 2), **fields.model_dump(exclude={"move_in"}))


def _refuse_unknown(path: str, what: str, slug: str, known: Iterable[str], rule: str) -> None:
    try:
        refuse_unknown(path, what, slug, known)
    except DocumentError as error:
        raise DocumentError(error.path, f"{error.reason} ({rule})", rule) from None


def half_inches_to_inches(half: int) -> int | float:
    """Return half inches as inches, as a whole number if possible."""
    return half // 2 if half % 2 == 0 else half / 2


def spec_json(spec: UnitSpec) -> dict[str, Any]:
    """Return the spec as JSON values, without default values."""
    written: dict[str, Any] = {"kind": spec.kind}
    for each in dataclasses.fields(UnitSpec):
        value = getattr(spec, each.name)
        if each.name == "move_half":
            written["move_in"] = half_inches_to_inches(value)
        elif each.name == "crew":
            if value != spec.unit_kind.crew:
                written["crew"] = value
        elif each.name == "alt_mode":
            if value is not None:
                written["alt_mode"] = mode_json(value)
        elif each.name == "weapons":
            written["weapons"] = [weapon_json(weapon) for weapon in value]
        elif each.name in ("traits", "orders"):
            if value:
                written[each.name] = list(value)
        elif each.name != "kind" and (each.name in ALWAYS_WRITTEN or value != each.default):
            written[each.name] = value
    return written


ALWAYS_WRITTEN = (
    *("frame_level", "performance", "size", "sensors_in", "hp", "evade_dice", "evade_def", "melee_dice", "melee_def"),
    *("morale", "level", "role"),
)


def weapon_json(weapon: Weapon) -> dict[str, Any]:
    """Return a weapon as JSON values, without default values."""
    written: dict[str, Any] = {"slug": weapon.slug, "name": weapon.name, "type": weapon.type, "dice": weapon.dice}
    for each in dataclasses.fields(Weapon):
        value = getattr(weapon, each.name)
        if each.name not in written and value != each.default:
            written[each.name] = list(value) if isinstance(value, tuple) else value
    return written


def mode_json(mode: AltMode) -> dict[str, Any]:
    """Return the other mode as JSON values."""
    figures = mode_figures(mode)
    if "move_half" in figures:
        return {"move_in": half_inches_to_inches(figures.pop("move_half")), **figures}
    return figures


class PilotFields(Document):
    experience: Literal["basic", "skilled", "ace"] = "basic"
    skills: tuple[str, ...] = ()


def parse_pilot(data: object, path: str = "pilot") -> PilotSpec:
    """Return a Pilot, Captain or Kaiju with their own level; None if there is none. Raises DocumentError."""
    if data is None:
        return PilotSpec("basic")
    fields = parse_document(PilotFields, object_of(data, path), path)
    if fields.skills:
        raise DocumentError(f"{path}.skills", "skills come with the level in this system (ST-260)", "ST-260")
    return PilotSpec(fields.experience)


PERFORMANCE_STEPS = ((10, 3), (8, 2), (5, 1))  # ST-375


def weapon_cost(weapon: Weapon) -> int:
    """Return a weapon's cost, regardless of the unit's other weapons."""
    dice = min(MAX_DICE, weapon.dice + max(0, weapon.rf_dice))
    hits = weapon.hits + max(0, weapon.rf_hits)
    weight = max(5, 7 * dice + 10 * hits - 60)
    strength = weapon.dmg + (100 * (weapon.pen - 1) if weapon.pen is not None else 0)
    return weight * strength // 1000 + 10 * (weapon.finisher - 1)


def _attack(weapons: tuple[Weapon, ...]) -> int:
    """Return the cost of all weapons: the best of each type in full, the others at half price."""
    best: dict[str, int] = {}
    costs = [(at, weapon.type, weapon_cost(weapon)) for at, weapon in enumerate(weapons)]
    for at, type_, cost in costs:
        if type_ not in best or cost > costs[best[type_]][2]:
            best[type_] = at
    return sum(cost if best[type_] == at else cost // 2 for at, type_, cost in costs)


def _defence(spec: UnitSpec) -> int:
    guard = 10 * max(spec.shield, spec.barrier)
    evade = 7 * spec.evade_dice + 10 * spec.evade_def + guard
    melee = 7 * spec.melee_dice + 10 * spec.melee_def + guard
    return spec.hp * (evade + melee) // (100 * 200)


def profile_points(spec: UnitSpec) -> int:
    """Return the points at its crew's level, rounded to the nearest 5."""
    base = (13 * _attack(spec.weapons) + 19 * _defence(spec)) // 10
    points = (
        base * (4 + spec.level) // 4
        + 5 * spec.boost
        + 15 * spec.power
        + 40 * spec.havoc
        + spec.move_half
        + spec.sensors_in
        + sum(CATALOGUE.traits[slug].points for slug in spec.traits)
        + 20 * spec.catapult
        + spec.repair_hp // 10
    )
    return (2 * points + 5) // 10 * 5


def victory_points(spec: UnitSpec) -> int:
    """Return the victory points for destroying it, before a Commander's."""
    level = 5 * spec.level if spec.crew != "captain" else 0
    step = next((vp for least, vp in PERFORMANCE_STEPS if spec.performance >= least), 0)
    return spec.frame_level + level + step


def crippled_points(spec: UnitSpec) -> int:
    """Return the victory points for a survivor with less than half its HP. ST-376."""
    return (victory_points(spec) + 1) // 2
