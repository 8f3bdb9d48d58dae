"""The design lab's editor: the chassis, and the choices for each of its hardpoints."""

from __future__ import annotations

from collections.abc import Iterator

from systems.blazing_steel.catalogue import CATALOGUE
from systems.blazing_steel.catalogue.types import Chassis, MeleeWeapon, Peripheral, Weapon
from systems.legality import pluralize
from systems.roster import Bench, BenchChoice, BenchPick

from .spec import OPTIONS, SLOTS, WEAPON_SLOTS, WarmechSpec, slot_mount, slot_name


def bench(spec: WarmechSpec) -> Bench:
    """Return every chassis, locomotion and option, with those of this build chosen."""
    return Bench(
        frames=tuple(_frame(chassis) for chassis in CATALOGUE.chassis.values()),
        frame=spec.chassis,
        groups=(),
        picks=tuple(_picks(spec)),
    )


def _picks(spec: WarmechSpec) -> Iterator[BenchPick]:
    yield BenchPick(
        slug="locomotion",
        label="Locomotion",
        value=spec.locomotion,
        choices=tuple(
            BenchChoice(slug=each.slug, name=each.name, detail=each.effect, points=0)
            for each in CATALOGUE.locomotion.values()
        ),
    )
    for slot in SLOTS:
        is_there = slot in spec.frame.slots
        mount = slot_mount(slot)
        goes_in = CATALOGUE.peripherals if mount is None else (*CATALOGUE.weapons, *CATALOGUE.melee)
        stranger = [slug for slug in (spec.option(slot),) if slug and slug not in goes_in]  # shown until it is moved
        yield BenchPick(
            slug=slot,
            label=slot_name(spec.frame, slot),
            value=spec.option(slot),
            empty="nothing",
            note=f"fires {mount.short}" if mount else "",
            refusal="" if is_there else f"a {spec.frame.name} has no {slot}",
            choices=tuple(_option(OPTIONS[slug]) for slug in (*stranger, *goes_in)),
        )
    served = dict.fromkeys([*WEAPON_SLOTS, *([spec.magazine_on] if spec.magazine_on else [])])
    yield BenchPick(
        slug="magazine_on",
        label="Extended Magazine serves",
        value=spec.magazine_on,
        empty="nothing",
        choices=tuple(BenchChoice(slug=slot, name=CATALOGUE.slots[slot].name, detail="", points=0) for slot in served),
    )


def _frame(chassis: Chassis) -> BenchChoice:
    cap = f", {pluralize(chassis.option_cap, 'option')} at most" if chassis.option_cap else ""
    detail = (
        f"Move {chassis.move_in}, Sprint {chassis.sprint_in}, Jump {chassis.jump_in}, Dodge {chassis.dodge}, "
        f"Armor {chassis.armor}, Structure {chassis.structure}; {' '.join(chassis.slots)}{cap}. {chassis.line}"
    )
    return BenchChoice(slug=chassis.slug, name=chassis.name, detail=detail, points=chassis.points)


def _option(option: Weapon | MeleeWeapon | Peripheral) -> BenchChoice:
    return BenchChoice(slug=option.slug, name=option.name, detail=describe_option(option), points=option.points)


def describe_option(option: Weapon | MeleeWeapon | Peripheral) -> str:
    """Describe an option's effect in a line."""
    if not isinstance(option, Weapon):
        return option.effect
    ammo = "X" if option.ammo is None else option.ammo
    numbers = f'{option.range_in}", ROF {option.rof}, Impact {option.impact}, Damage {option.damage}, AP {option.ap}, ammo {ammo}'
    traits = ", ".join(CATALOGUE.traits[slug].name for slug in option.traits)
    return f"{numbers}; {traits}" if traits else numbers
