"""The design lab: editor of a Warmech, and chart of its best shot's expected damage by distance and armor."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from systems.blazing_steel.build.datasheet import NUMBERS, expected_hits, unsaved_chance
from systems.blazing_steel.build.spec import OPTIONS, SLOTS, WEAPON_SLOTS, WarmechSpec, slot_mount, slot_name
from systems.blazing_steel.catalogue import CATALOGUE, Chassis, MeleeWeapon, Peripheral, Weapon
from systems.design_editor import Chart, DesignEditor, EditorChoice, EditorPick, chart_series
from systems.legality import pluralize


def editor(spec: WarmechSpec) -> DesignEditor:
    """Return every chassis, locomotion and option, with this build's choices."""
    return DesignEditor(
        frames=tuple(_frame(chassis) for chassis in CATALOGUE.chassis.values()),
        frame=spec.chassis,
        groups=(),
        picks=tuple(_picks(spec)),
    )


def _picks(spec: WarmechSpec) -> Iterator[EditorPick]:
    yield EditorPick(
        slug="locomotion",
        label="Locomotion",
        value=spec.locomotion,
        choices=tuple(
            EditorChoice(slug=each.slug, name=each.name, detail=each.effect, points=0)
            for each in CATALOGUE.locomotion.values()
        ),
    )
    for slot in SLOTS:
        is_there = slot in spec.frame.slots
        mount = slot_mount(slot)
        goes_in = CATALOGUE.peripherals if mount is None else (*CATALOGUE.weapons, *CATALOGUE.melee)
        stranger = [slug for slug in (spec.option(slot),) if slug and slug not in goes_in]  # shown until it is moved
        yield EditorPick(
            slug=slot,
            label=slot_name(spec.frame, slot),
            value=spec.option(slot),
            empty="nothing",
            note=f"fires {mount.short}" if mount else "",
            refusal="" if is_there else f"not on a {spec.frame.name}",
            choices=tuple(_option(OPTIONS[slug]) for slug in (*stranger, *goes_in)),
        )
    served = dict.fromkeys([*WEAPON_SLOTS, *([spec.magazine_on] if spec.magazine_on else [])])
    yield EditorPick(
        slug="magazine_on",
        label="Extended Magazine serves",
        value=spec.magazine_on,
        empty="nothing",
        choices=tuple(EditorChoice(slug=slot, name=CATALOGUE.slots[slot].name, detail="", points=0) for slot in served),
    )


def _frame(chassis: Chassis) -> EditorChoice:
    cap = f", {pluralize(chassis.option_cap, 'option')} at most" if chassis.option_cap else ""
    detail = (
        f"Move {chassis.move_in}, Sprint {chassis.sprint_in}, Jump {chassis.jump_in}, Dodge {chassis.dodge}, "
        f"Armor {chassis.armor}, Structure {chassis.structure}; {' '.join(chassis.slots)}{cap}. {chassis.line}"
    )
    return EditorChoice(slug=chassis.slug, name=chassis.name, detail=detail, points=chassis.points)


def _option(option: Weapon | MeleeWeapon | Peripheral) -> EditorChoice:
    return EditorChoice(slug=option.slug, name=option.name, detail=describe_option(option), points=option.points)


def describe_option(option: Weapon | MeleeWeapon | Peripheral) -> str:
    """Describe an option's effect in one line."""
    if not isinstance(option, Weapon):
        return option.effect
    ammo = "X" if option.ammo is None else option.ammo
    numbers = f'{option.range_in}", ROF {option.rof}, Impact {option.impact}, Damage {option.damage}, AP {option.ap}, ammo {ammo}'
    traits = ", ".join(CATALOGUE.traits[slug].name for slug in option.traits)
    return f"{numbers}; {traits}" if traits else numbers


DISTANCES_IN = (6, 12, 18, 24, 30, 36)


def list_charts(spec: WarmechSpec) -> Iterator[Chart]:
    """Yield the chart for one unanswered Shoot. BS-094, BS-111, BS-120, BS-125, BS-150, BS-151."""
    armors = sorted({chassis.armor for chassis in CATALOGUE.chassis.values()})
    yield Chart(
        slug="damage",
        title="Average damage of its best shot",
        across="Distance",
        at=tuple(f"{distance}″" for distance in DISTANCES_IN),
        series=tuple(
            chart_series(f"Armor {armor}", [_best(spec, distance, armor) for distance in DISTANCES_IN])
            for armor in armors
        ),
        note="One Shoot with the best weapon at a target in the open that doesn't shoot back. Cripples not included.",
    )


def _best(spec: WarmechSpec, distance: int, armor: int) -> Fraction:
    return max((_damage(weapon, distance, armor) for _, weapon in spec.guns), default=Fraction(0))


def _damage(weapon: Weapon, distance: int, armor: int) -> Fraction:
    is_beyond = distance > weapon.range_in
    if is_beyond and weapon.is_short:
        return Fraction(0)
    number = NUMBERS[1] if is_beyond else NUMBERS[0]
    return expected_hits(weapon.rof, number) * weapon.damage * unsaved_chance(weapon.ap, armor)
