"""The quick reference of Blazing Steel: rules for every battle, and for these Warmechs' equipment only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from systems.blazing_steel.build import SYSTEM
from systems.blazing_steel.build.datasheet import UNCOUNTED, Datasheet, MountedLine
from systems.blazing_steel.catalogue import CATALOGUE, SHOOTING_TN
from systems.blazing_steel.options import (
    BY_THE_BOOK,
    Options,
    actions_of,
    cripples_of,
    items_of,
    modifiers_of,
    points_of,
    rule_under,
)
from systems.paper.blocks import NO_BOXES, Reference, ReferenceLine, ReferenceSection, pluralize
from systems.text import format_signed

from .cards import SYSTEM_NAME

ROUND = (
    "BS-023", "BS-024", "BS-025", "BS-026", "BS-027", "BS-029", "BS-031", "BS-032", "BS-033", "BS-034", "BS-035", "BS-036",
    "BS-037", "BS-053", "BS-030", "BS-038",
)  # fmt: skip
MOVEMENT = ("BS-121", "BS-044", "BS-045", "BS-046", "BS-043", "BS-048")
MEASURING = ("BS-070", "BS-071", "BS-072", "BS-073")
DICE = ("BS-090", "BS-091", "BS-092", "BS-093", "BS-094", "BS-095", "BS-096", "BS-126")
SHOTS = ("BS-110", "BS-112", "BS-113", "BS-125", "BS-132")
STRIKES = ("BS-135", "BS-139", "BS-138", "BS-137")
HEAT = ("BS-100", "BS-102", "BS-103", "BS-105", "BS-104")
SINKS = "BS-101"
DODGE = ("BS-140", "BS-141", "BS-142", "BS-145", "BS-146")
JETS = "BS-144"
DAMAGE = ("BS-150", "BS-151", "BS-152", "BS-153", "BS-157", "BS-158", "BS-159")
LOST = "BS-165"
FLANKS = ("BS-163", "BS-164")
COVER = ("BS-075", "BS-076", "BS-077", "BS-085", "BS-086", "BS-087")
OBJECTIVES = ("BS-195",)
BIPED = "BS-160"


def reference(sheets: Sequence[Datasheet], options: Options = BY_THE_BOOK) -> Reference:
    return Reference(
        title="Quick reference",
        kicker=f"{SYSTEM_NAME}: the rules of {pluralize(len(sheets), 'Warmech')}",
        sections=tuple(section for section in _sections(sheets, options) if section.lines),
    )


def _sections(sheets: Sequence[Datasheet], options: Options) -> Iterator[ReferenceSection]:
    guns = [line for sheet in sheets for line in sheet.guns]
    yield ReferenceSection(
        title="A turn",
        rule="BS-022",
        lines=tuple(ReferenceLine(lead=str(step.order), name=step.name) for step in CATALOGUE.turn_steps.values()),
    )
    yield ReferenceSection(title="Rounds", lines=_rules(ROUND, options))
    yield _actions(sheets, guns, options)
    yield ReferenceSection(title="Movement", lines=_rules(MOVEMENT, options))
    yield ReferenceSection(title="Measuring and arcs", lines=_rules(MEASURING, options))
    yield ReferenceSection(title="Sight and cover", lines=_rules(COVER, options))
    yield ReferenceSection(title="Dice", lines=_rules(DICE, options))
    yield _to_hit(sheets, options)
    yield ReferenceSection(title="Shots", lines=_rules(SHOTS, options))
    yield ReferenceSection(
        title="Striking: number",
        heads=("number",),
        rule="BS-136",
        lines=tuple(ReferenceLine(name=each.name, cells=(str(each.tn),)) for each in CATALOGUE.strike_numbers.values()),
    )
    yield ReferenceSection(title="Strikes", lines=_rules(STRIKES, options))
    carried = {sheet.peripheral.slug for sheet in sheets if sheet.peripheral}
    jets = (JETS,) if "booster-jets" in carried else ()
    yield ReferenceSection(title="Dodging", lines=_rules((*DODGE, *jets), options))
    lost = (LOST,) if carried else ()
    yield ReferenceSection(title="Damage", lines=_rules((*DAMAGE, *lost), options))
    yield ReferenceSection(
        title="Flanks",
        heads=("armor",),
        lines=(
            *(
                ReferenceLine(name=each.name, text=each.when, cells=(format_signed(each.armor),), rule=each.rule)
                for each in CATALOGUE.flanks.values()
            ),
            *(replace(line, cells=(NO_BOXES,)) for line in _rules(FLANKS, options)),
        ),
    )
    yield _cripples(sheets, options)
    sinks = (SINKS,) if any(sheet.has_improved_sinks for sheet in sheets) else ()
    yield ReferenceSection(title="Heat", lines=_rules((*HEAT, *sinks), options))
    yield from _carried(sheets, guns)
    yield ReferenceSection(
        title="Victory points",
        lines=(
            *(
                ReferenceLine(name=each.name, text=each.text, lead=points_of(each), rule=each.rule)
                for each in items_of(options)
                if each.slug != "deploy-edge"
            ),
            *_rules(OBJECTIVES, options),
        ),
    )


def _rules(ids: Sequence[str], options: Options) -> tuple[ReferenceLine, ...]:
    rules = (rule_under(SYSTEM.rulebook[rule], options) for rule in ids)
    return tuple(ReferenceLine(name=rule.title, text=rule.text, rule=rule.id) for rule in rules)


def _actions(sheets: Sequence[Datasheet], guns: Sequence[MountedLine], options: Options) -> ReferenceSection:
    """Return every action, and the special actions that any of these Warmechs can take."""
    carried = {sheet.peripheral.slug for sheet in sheets if sheet.peripheral}
    able = {
        "fortify": any(sheet.can_fortify for sheet in sheets),
        "flak": any("flak" in line.traits for line in guns),
        "smoke": "smoke-canisters" in carried,
    }
    return ReferenceSection(
        title="Actions",
        note="two in an activation",
        heads=("heat",),
        lines=tuple(
            ReferenceLine(
                name=each.name, text=each.effect, cells=(str(each.heat) if each.heat else NO_BOXES,), rule=each.rule
            )
            for each in actions_of(options)
            if able.get(each.slug, True)
        ),
    )


def _to_hit(sheets: Sequence[Datasheet], options: Options) -> ReferenceSection:
    """Return the modifiers to a shot's number. The enemy may have camo, but only your own scopes count."""
    has_scope = any(sheet.peripheral and sheet.peripheral.slug == "targeting-scope" for sheet in sheets)
    return ReferenceSection(
        title="Shooting: number",
        note=f"{SHOOTING_TN}, minus everything that applies",
        heads=("number",),
        lines=tuple(
            ReferenceLine(
                name=each.name,
                text=each.when,
                cells=(NO_BOXES if each.reduction is None else format_signed(-each.reduction),),
                rule=each.rule,
            )
            for each in modifiers_of(options)
            if has_scope or each.slug != "tn-scope"
        ),
    )


def _cripples(sheets: Sequence[Datasheet], options: Options) -> ReferenceSection:
    lines = tuple(
        ReferenceLine(lead=str(each.face), name=each.name, text=each.effect, rule=each.rule)
        for each in cripples_of(options)
    )
    if any(sheet.locomotion == "bipedal" for sheet in sheets):
        lines += _rules((BIPED,), options)
    return ReferenceSection(title="Crippling results", lines=lines)


def _carried(sheets: Sequence[Datasheet], guns: Sequence[MountedLine]) -> Iterator[ReferenceSection]:
    """Yield these Warmechs' weapons, traits and peripherals, once each, in the order of the catalogue."""
    names = {line.name for line in guns}
    traits = {trait for line in guns for trait in line.traits}
    peripherals = {sheet.peripheral.slug for sheet in sheets if sheet.peripheral}
    yield ReferenceSection(
        title="Weapons",
        heads=("range", "ROF", "impact", "damage", "AP", "ammo"),
        lines=tuple(
            ReferenceLine(
                name=each.name,
                cells=(
                    f'{each.range_in}"',
                    *(str(number) for number in (each.rof, each.impact, each.damage, each.ap)),
                    UNCOUNTED if each.ammo is None else str(each.ammo),
                ),
            )
            for each in CATALOGUE.weapons.values()
            if each.name in names
        ),
    )
    yield ReferenceSection(
        title="Traits",
        lines=tuple(
            ReferenceLine(name=each.name, text=each.effect, rule=each.rule)
            for each in CATALOGUE.traits.values()
            if each.slug in traits
        ),
    )
    yield ReferenceSection(
        title="Peripherals",
        lines=tuple(
            ReferenceLine(name=each.name, text=each.effect, rule=each.rule)
            for each in CATALOGUE.peripherals.values()
            if each.slug in peripherals
        ),
    )
