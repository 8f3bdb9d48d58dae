"""The spec of a Warmech, parsed from JSON values with every slug checked, and the numbers calculated from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from systems.blazing_steel.catalogue import (
    CATALOGUE,
    MELEE_WEAPON,
    Base,
    Chassis,
    Locomotion,
    MeleeWeapon,
    Mount,
    Peripheral,
    Slot,
    Strike,
    Weapon,
)
from systems.blazing_steel.options import BY_THE_BOOK, Options
from systems.documents import Document, DocumentError, object_of, parse_document, refuse_unknown

WEAPON_SLOTS = ("l1", "l2", "r1", "c1")  # slot order, BS-AR
SLOTS = (*WEAPON_SLOTS, "p1")
OPTIONS: Mapping[str, Weapon | MeleeWeapon | Peripheral] = {
    **CATALOGUE.weapons,
    **CATALOGUE.melee,
    **CATALOGUE.peripherals,
}
MAGAZINE = "extended-magazine"


@dataclass(frozen=True, slots=True)
class WarmechSpec:
    """A build: chassis, locomotion, and the slug of each slot's option; empty for none. BS-001, BS-002."""

    chassis: str
    locomotion: str = ""
    l1: str = ""
    l2: str = ""
    r1: str = ""
    c1: str = ""
    p1: str = ""
    magazine_on: str = ""  # slot of the weapon that uses the Extended Magazine

    @property
    def frame(self) -> Chassis:
        return CATALOGUE.chassis[self.chassis]

    @property
    def drive(self) -> Locomotion | None:
        """The locomotion; None if none is chosen, which isn't legal."""
        return CATALOGUE.locomotion.get(self.locomotion)

    @property
    def base(self) -> Base:
        return CATALOGUE.bases[self.frame.base]

    def option(self, slot: str) -> str:
        """Return the slug of the option in that slot; empty if there is none."""
        return str(getattr(self, slot))

    def fitted(self) -> Iterator[tuple[Slot, Weapon | MeleeWeapon | Peripheral]]:
        """Yield its options in slot order, legal or not."""
        for slot in SLOTS:
            if slug := self.option(slot):
                yield CATALOGUE.slots[slot], OPTIONS[slug]

    def weapon(self, slot: str) -> Weapon | None:
        """Return the ranged weapon in that slot; None if there is none."""
        return CATALOGUE.weapons.get(self.option(slot))

    @property
    def guns(self) -> tuple[tuple[str, Weapon], ...]:
        """Its ranged weapons by slot, in slot order. BS-007."""
        found = ((slot, self.weapon(slot)) for slot in WEAPON_SLOTS)
        return tuple((slot, weapon) for slot, weapon in found if weapon is not None)

    @property
    def melee_weapons(self) -> int:
        return sum(self.option(slot) == MELEE_WEAPON for slot in WEAPON_SLOTS)

    @property
    def peripheral(self) -> Peripheral | None:
        return CATALOGUE.peripherals.get(self.p1)

    def ammo(self, slot: str) -> int | None:
        """Return that slot's shots, including a magazine; None: not counted, or no weapon. BS-012, BS-113."""
        weapon = self.weapon(slot)
        if weapon is None or weapon.ammo is None:
            return None
        is_served = self.p1 == MAGAZINE and self.magazine_on == slot
        return weapon.ammo + (CATALOGUE.peripherals[MAGAZINE].ammo if is_served else 0)

    @property
    def sprint_total_in(self) -> int:
        """Move plus Sprint. BS-009, BS-041."""
        return self.frame.move_in + self.sprint_in

    @property
    def sprint_in(self) -> int:
        return self.frame.sprint_in + (self.drive.sprint_in if self.drive else 0)

    @property
    def jump_in(self) -> int:
        return self.frame.jump_in + (self.peripheral.jump_in if self.peripheral else 0)

    @property
    def dodge(self) -> int:
        """The target number of its dodge dice when undamaged. BS-146."""
        return self.frame.dodge + (self.peripheral.dodge if self.peripheral else 0)

    @property
    def melee(self) -> int:
        """The Melee value when undamaged. BS-016."""
        per_weapon = CATALOGUE.melee[MELEE_WEAPON].melee
        drive = self.drive.melee if self.drive else 0
        return (
            self.frame.melee
            + drive
            + per_weapon * self.melee_weapons
            + (self.peripheral.melee if self.peripheral else 0)
        )

    @property
    def strike(self) -> Strike:
        """The strike for its weight, before melee weapons. BS-139."""
        (strike,) = (each for each in CATALOGUE.strikes.values() if each.weight == self.frame.weight)
        return strike

    @property
    def strike_dice(self) -> int:
        """The dice of a strike. BS-135."""
        return 1 + CATALOGUE.melee[MELEE_WEAPON].dice * self.melee_weapons

    @property
    def strike_ap(self) -> int:
        return self.strike.ap + (CATALOGUE.melee[MELEE_WEAPON].ap if self.melee_weapons else 0)

    @property
    def strike_damage(self) -> int:
        return self.strike.damage + (CATALOGUE.melee[MELEE_WEAPON].damage if self.melee_weapons else 0)

    @property
    def points(self) -> int:
        """The points of the build. BS-006."""
        return self.frame.points + sum(option.points for _, option in self.fitted())


def slot_mount(slot: str, options: Options = BY_THE_BOOK) -> Mount | None:
    """Return a weapon's mount in that slot, which decides its arcs; None for the peripheral. BS-073, BS-074."""
    if slot == "l2" and options.second_l_is_shoulder:
        return CATALOGUE.mounts["mount-shoulder"]
    slug = CATALOGUE.slots[slot].mount
    return CATALOGUE.mounts[slug] if slug else None


def slot_name(frame: Chassis, slot: str, options: Options = BY_THE_BOOK) -> str:
    """Return a hardpoint's name on such a chassis; a single left arm has no number."""
    if slot == "l2" and options.second_l_is_shoulder:
        return "Shoulder"
    if slot == "l1" and ("l2" not in frame.slots or options.second_l_is_shoulder):
        return "Left arm"
    return CATALOGUE.slots[slot].name


class SpecFields(Document):
    chassis: str
    locomotion: str = ""
    l1: str = ""
    l2: str = ""
    r1: str = ""
    c1: str = ""
    p1: str = ""
    magazine_on: str = ""


SPEC_FIELDS = tuple(SpecFields.model_fields)


def parse_spec(data: object, path: str = "spec") -> WarmechSpec:
    """Return the build; raises DocumentError with the path of the first fault."""
    given = object_of(data, path)
    if "chassis" not in given:
        raise DocumentError(f"{path}.chassis", "missing; a Warmech has one chassis (BS-001)", "BS-001")
    for slot in SLOTS:
        if isinstance(named := given.get(slot), list):
            reason = f"a hardpoint holds one option, and {len(named)} are named here (BS-003)"
            raise DocumentError(f"{path}.{slot}", reason, "BS-003")
    fields = parse_document(SpecFields, given, path)
    _refuse_unknown(f"{path}.chassis", "chassis", fields.chassis, CATALOGUE.chassis, "BS-001")
    if fields.locomotion:
        _refuse_unknown(f"{path}.locomotion", "locomotion", fields.locomotion, CATALOGUE.locomotion, "BS-001")
    for slot in SLOTS:
        if slug := getattr(fields, slot):
            _refuse_unknown(f"{path}.{slot}", "option", slug, OPTIONS, "BS-002")
    if fields.magazine_on:
        _refuse_unknown(f"{path}.magazine_on", "hardpoint", fields.magazine_on, SLOTS, "BS-012")
    return WarmechSpec(**fields.model_dump())


def _refuse_unknown(path: str, what: str, slug: str, known: Iterable[str], rule: str) -> None:
    try:
        refuse_unknown(path, what, slug, known)
    except DocumentError as error:
        raise DocumentError(error.path, f"{error.reason} ({rule})", rule) from None


def spec_json(spec: WarmechSpec) -> dict[str, Any]:
    """Return the spec as JSON values, without empty slots."""
    named = ("chassis", "locomotion", *SLOTS, "magazine_on")
    return {name: getattr(spec, name) for name in named if getattr(spec, name)}
