"""The spec of a machine, parsed from JSON values with every slug checked, and the numbers calculated from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import pydantic

from systems.documents import Document, DocumentError, object_of, parse_document, refuse_unknown
from systems.hex_core.catalogue import (
    AREAS,
    BOTH,
    CARRIED,
    CATALOGUE,
    HANDS,
    Area,
    Core,
    Drone,
    Shield,
    System,
    UnitClass,
    Weapon,
)

AREAS_OF: Mapping[str, tuple[Area, ...]] = {
    of: tuple(area for area in CATALOGUE.areas.values() if area.of == of) for of in ("mech", "vehicle")
}
ROYROY = CATALOGUE.drone_items["royroy-head"]


@dataclass(frozen=True, slots=True)
class MountedWeapon:
    """A weapon and its place: in a hand, carried, or mounted on an area."""

    weapon: str
    place: str
    written: str = ""  # its name on a sheet typed in by a player

    @property
    def kind(self) -> Weapon:
        return CATALOGUE.weapons[self.weapon]

    @property
    def is_carried(self) -> bool:
        return self.place == CARRIED

    @property
    def is_in_hand(self) -> bool:
        return self.place in HANDS

    @property
    def is_mounted(self) -> bool:
        return self.place in CATALOGUE.areas

    @property
    def area(self) -> int:
        """The index of the area where it is mounted."""
        return CATALOGUE.areas[self.place].index

    @property
    def is_halved(self) -> bool:
        """Whether it is a two-handed weapon held in one hand. HX-047."""
        return self.kind.is_two_handed and self.is_in_hand and self.place != BOTH


@dataclass(frozen=True, slots=True)
class HeldShield:
    """A shield and the hand that holds it."""

    shield: str
    place: str = "left"

    @property
    def kind(self) -> Shield:
        return CATALOGUE.shields[self.shield]


@dataclass(frozen=True, slots=True)
class MachineSpec:
    """A build, legal or not. HX-037 to HX-051."""

    core: str
    srm: tuple[int, int, int] = (0, 0, 0)  # steps of ACC, ASL, EVA
    armour: tuple[int, ...] = (0,) * AREAS  # by area index
    weapons: tuple[MountedWeapon, ...] = ()
    shields: tuple[HeldShield, ...] = ()
    drones: tuple[str, ...] = ()  # the first `royroy` of them have a head
    royroy: int = 0
    systems: tuple[str, ...] = ()
    mods: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    primary: int | None = None  # index in the list of weapons; None: the first that isn't carried
    stated_class: int | None = None  # the Class on a sheet typed in by a player
    stated_cost: int | None = None

    @property
    def frame(self) -> Core:
        return CATALOGUE.cores[self.core]

    @property
    def is_vehicle(self) -> bool:
        return self.frame.is_vehicle

    @property
    def areas(self) -> tuple[Area, ...]:
        return AREAS_OF[self.frame.of]

    @property
    def accuracy(self) -> int:
        return self.frame.accuracy - self.srm[0]

    @property
    def assault(self) -> int:
        return self.frame.assault - self.srm[1]

    @property
    def evasion(self) -> int:
        return self.frame.evasion - self.srm[2]

    @property
    def counter(self) -> int:
        return self.frame.counter - self.traits.count("quick-draw")

    @property
    def base_ap(self) -> int:
        return self.frame.base_ap + self.mods.count("capacitor")

    @property
    def movement(self) -> int:
        return self.frame.movement

    @property
    def thrust(self) -> int:
        """The TM; 0: none. HX-070."""
        return max((CATALOGUE.systems[slug].thrust for slug in self.systems), default=0)

    @property
    def dp(self) -> tuple[int, ...]:
        """The DP by area index, including armour. HX-038, HX-039."""
        return tuple(base + more for base, more in zip(self.frame.dp, self.armour, strict=True))

    @property
    def total_dp(self) -> int:
        return sum(self.dp)

    @property
    def unit_class(self) -> UnitClass:
        """The Class for its total DP. HX-041."""
        return next(band for band in CATALOGUE.classes.values() if band.most is None or self.total_dp <= band.most)

    @property
    def flies(self) -> bool:
        return self.frame.flies or "flight" in self.systems

    @property
    def swims(self) -> bool:
        return self.frame.swims or "marine-kit" in self.systems

    @property
    def transform(self) -> System | None:
        """Its first transformer; None if it has none."""
        forms = (CATALOGUE.systems[slug] for slug in self.systems)
        return next((system for system in forms if system.form), None)

    @property
    def shield(self) -> HeldShield | None:
        return self.shields[0] if self.shields else None

    @property
    def drone_kinds(self) -> Iterator[tuple[Drone, bool]]:
        """Each drone, and whether it has a RoyRoy head."""
        return ((CATALOGUE.drones[slug], at < self.royroy) for at, slug in enumerate(self.drones))

    @property
    def primary_at(self) -> int | None:
        """The weapon for its Counter Rolls, as list index; None if it has none. HX-048."""
        if self.primary is not None:
            return self.primary
        return next((at for at, armed in enumerate(self.weapons) if not armed.is_carried), None)

    @property
    def cost_parts(self) -> dict[str, int]:
        """The eight parts of the Deployment Cost. HX-042."""
        return {
            "core": self.frame.cost,
            "armour": sum(max(0, more) for more in self.armour) * CATALOGUE.armour["armour"].cost,
            "srm": sum(
                _steps_cost(each.one, each.two, steps)
                for each, steps in zip(CATALOGUE.reductions.values(), self.srm, strict=True)
            ),
            "weapons": sum(armed.kind.cost for armed in self.weapons),
            "equipment": sum(held.kind.cost for held in self.shields)
            + sum(CATALOGUE.drones[slug].cost for slug in self.drones)
            + self.royroy * ROYROY.cost,
            "systems": sum(CATALOGUE.systems[slug].cost for slug in self.systems),
            "mods": sum(CATALOGUE.mods[slug].cost for slug in self.mods),
            "traits": sum(CATALOGUE.traits[slug].cost for slug in self.traits),
        }

    @property
    def cost(self) -> int:
        return sum(self.cost_parts.values())


def _steps_cost(one: int, two: int, steps: int) -> int:
    """Return the cost of steps; an illegal number of steps costs as much as the nearest legal one. HX-040."""
    return (0, one, two)[min(max(steps, 0), 2)]


Few = Annotated[int, pydantic.Field(ge=-99, le=99)]
Number = Annotated[int, pydantic.Field(ge=0, le=9999)]


class ArmedFields(Document):
    weapon: str
    place: str
    written: str = ""


class HeldFields(Document):
    shield: str
    place: str = "left"


class SpecFields(Document):
    core: str
    srm: tuple[Few, Few, Few] = (0, 0, 0)
    armour: dict[str, Few] = {}
    weapons: Annotated[list[ArmedFields], pydantic.Field(max_length=24)] = []
    shields: Annotated[list[HeldFields], pydantic.Field(max_length=6)] = []
    drones: Annotated[list[str], pydantic.Field(max_length=24)] = []
    royroy: Annotated[int, pydantic.Field(ge=0, le=24)] = 0
    systems: Annotated[list[str], pydantic.Field(max_length=24)] = []
    mods: Annotated[list[str], pydantic.Field(max_length=24)] = []
    traits: Annotated[list[str], pydantic.Field(max_length=24)] = []
    primary: Annotated[int, pydantic.Field(ge=0, le=23)] | None = None
    stated_class: Number | None = None
    stated_cost: Number | None = None


LISTS = {
    "drones": ("drone", CATALOGUE.drones, "HX-020"),
    "systems": ("system", CATALOGUE.systems, "HX-049"),
    "mods": ("mod", CATALOGUE.mods, "HX-050"),
    "traits": ("trait", CATALOGUE.traits, "HX-051"),
}


def parse_spec(data: object, path: str = "spec") -> MachineSpec:
    """Return the build; raises DocumentError with the path of the first fault."""
    fields = parse_document(SpecFields, object_of(data, path), path)
    _refuse_unknown(f"{path}.core", "core type", fields.core, CATALOGUE.cores, "HX-037")
    areas = {area.slug: area.index for area in AREAS_OF[CATALOGUE.cores[fields.core].of]}
    armour = [0] * AREAS
    for slug, more in fields.armour.items():
        _refuse_unknown(f"{path}.armour", "area", slug, areas, "HX-038")
        armour[areas[slug]] = more
    for at, armed in enumerate(fields.weapons):
        _refuse_unknown(f"{path}.weapons[{at}].weapon", "weapon", armed.weapon, CATALOGUE.weapons, "HX-043")
        _refuse_unknown(f"{path}.weapons[{at}].place", "place", armed.place, (*HANDS, CARRIED, *areas), "HX-044")
    for at, held in enumerate(fields.shields):
        _refuse_unknown(f"{path}.shields[{at}].shield", "shield", held.shield, CATALOGUE.shields, "HX-043")
        _refuse_unknown(f"{path}.shields[{at}].place", "hand", held.place, ("left", "right"), "HX-044")
    for name, (what, known, rule) in LISTS.items():
        for at, slug in enumerate(getattr(fields, name)):
            _refuse_unknown(f"{path}.{name}[{at}]", what, slug, known, rule)
    if fields.primary is not None and fields.primary >= len(fields.weapons):
        raise DocumentError(f"{path}.primary", "names a place on the list of weapons, from 0 on (HX-048)", "HX-048")
    return MachineSpec(
        core=fields.core,
        srm=fields.srm,
        armour=tuple(armour),
        weapons=tuple(MountedWeapon(**armed.model_dump()) for armed in fields.weapons),
        shields=tuple(HeldShield(**held.model_dump()) for held in fields.shields),
        royroy=fields.royroy,
        primary=fields.primary,
        stated_class=fields.stated_class,
        stated_cost=fields.stated_cost,
        **{name: tuple(getattr(fields, name)) for name in LISTS},
    )


def _refuse_unknown(path: str, what: str, slug: str, known: Iterable[str], rule: str) -> None:
    try:
        refuse_unknown(path, what, slug, known)
    except DocumentError as error:
        raise DocumentError(error.path, f"{error.reason} ({rule})", rule) from None


def spec_json(spec: MachineSpec) -> dict[str, Any]:
    """Return the spec as JSON values, without missing parts."""
    data: dict[str, Any] = {"core": spec.core}
    if any(spec.srm):
        data["srm"] = list(spec.srm)
    if any(spec.armour):
        data["armour"] = {area.slug: spec.armour[area.index] for area in spec.areas if spec.armour[area.index]}
    if spec.weapons:
        data["weapons"] = [
            {"weapon": armed.weapon, "place": armed.place} | ({"written": armed.written} if armed.written else {})
            for armed in spec.weapons
        ]
    if spec.shields:
        data["shields"] = [{"shield": held.shield, "place": held.place} for held in spec.shields]
    if spec.royroy:
        data["royroy"] = spec.royroy
    data |= {name: list(getattr(spec, name)) for name in LISTS if getattr(spec, name)}
    numbers = ("primary", "stated_class", "stated_cost")
    return data | {name: getattr(spec, name) for name in numbers if getattr(spec, name) is not None}
