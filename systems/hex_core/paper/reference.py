"""The quick reference of Hex Core by phase: what every table needs, and what these machines carry; no more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from systems.figures import signed
from systems.hex_core.build.datasheet import Datasheet
from systems.hex_core.build.system import SYSTEM
from systems.hex_core.catalogue import CATALOGUE
from systems.hex_core.catalogue.types import Command
from systems.hex_core.options import BY_THE_BOOK, Options
from systems.paper.blocks import Reference, ReferenceLine, ReferenceSection
from systems.paper.words import NONE, counted

from .cards import SYSTEM_NAME
from .house_rules import rule_text, terrain_of

BEFORE = ("HX-058", "HX-059", "HX-034", "HX-032")
MOVEMENT = ("HX-061", "HX-065", "HX-066", "HX-067", "HX-068", "HX-069")
THRUST = ("HX-070", "HX-071")
ATTACKS = ("HX-075", "HX-076", "HX-077", "HX-079", "HX-081", "HX-082", "HX-084", "HX-087", "HX-089", "HX-091", "HX-092")
UNABLE = "HX-086"
CLOSE = ("HX-095", "HX-053", "HX-121", "HX-122", "HX-123", "HX-124", "HX-125")
HELD = ("HX-129", "HX-130")
LOSSES = ("HX-109", "HX-115", "HX-120", "HX-162")
DRONES = ("HX-023", "HX-028", "HX-029", "HX-030")
BUILDINGS = ("HX-148", "HX-149", "HX-150", "HX-151", "HX-152")


def reference(sheets: Sequence[Datasheet], options: Options = BY_THE_BOOK) -> Reference:
    return Reference(
        title="Quick reference",
        kicker=f"{SYSTEM_NAME}: the rules of {counted(len(sheets), 'unit')}",
        sections=tuple(section for section in _sections(sheets, options) if section.lines),
    )


def _sections(sheets: Sequence[Datasheet], options: Options) -> Iterator[ReferenceSection]:
    yield ReferenceSection(title="Before and between turns", lines=_rules(BEFORE, options))
    thrust = THRUST if any(sheet.thrust for sheet in sheets) else ()
    yield _phase("movement", (*MOVEMENT, *thrust), options)
    yield _phase("ranged", (*ATTACKS, UNABLE), options)
    yield _phase("close", (*CLOSE, *HELD), options)
    yield ReferenceSection(
        title="Grapples",
        lines=tuple(
            ReferenceLine(name=each.name, text=f"{each.attacker} {each.defender}", rule=each.rule)
            for each in CATALOGUE.grapple_effects.values()
        ),
    )
    yield _commands(sheets)
    yield _losses(sheets, options)
    yield from _carried(sheets)
    if any(sheet.drones for sheet in sheets):
        yield ReferenceSection(title="Drones", lines=_rules(DRONES, options))
    yield ReferenceSection(
        title="Hexes",
        lines=tuple(ReferenceLine(name=each.name, text=each.effect, rule=each.rule) for each in terrain_of(options)),
    )
    yield _levels()
    yield ReferenceSection(title="Buildings", lines=_rules(BUILDINGS, options))
    yield ReferenceSection(
        title="Missions",
        lines=tuple(
            ReferenceLine(name=each.name, text=f"{each.setup} {each.victory}", rule=each.victory_rule)
            for each in CATALOGUE.missions.values()
        ),
    )


def _phase(slug: str, rules: Sequence[str], options: Options) -> ReferenceSection:
    phase = CATALOGUE.phases[slug]
    return ReferenceSection(title=f"{phase.order} {phase.name}", note=phase.content, lines=_rules(rules, options))


def _rules(ids: Sequence[str], options: Options) -> tuple[ReferenceLine, ...]:
    rules = (SYSTEM.rulebook[rule] for rule in ids)
    return tuple(ReferenceLine(name=rule.title, text=rule_text(rule, options), rule=rule.id) for rule in rules)


def commands_of(sheets: Sequence[Datasheet]) -> tuple[Command, ...]:
    """Every Command Action that some of these machines can take."""
    has_drones = any(sheet.drones for sheet in sheets)
    changes = any(system.name.startswith("Transformer") for sheet in sheets for system in sheet.systems)
    able = {"deploy": has_drones, "recall": has_drones, "reposition": has_drones, "transform": changes}
    return tuple(each for each in CATALOGUE.commands.values() if able.get(each.slug, True))


def _commands(sheets: Sequence[Datasheet]) -> ReferenceSection:
    return ReferenceSection(
        title="Command Actions",
        note="2 AP each",
        lines=tuple(
            ReferenceLine(
                name=each.name, text=f"{each.effect} ({each.limit})" if each.limit else each.effect, rule=each.rule
            )
            for each in commands_of(sheets)
        ),
    )


def _losses(sheets: Sequence[Datasheet], options: Options) -> ReferenceSection:
    kinds = {sheet.is_vehicle for sheet in sheets} or {False}
    areas = [area for area in CATALOGUE.areas.values() if (area.of == "vehicle") in kinds]
    lines = tuple(ReferenceLine(name=area.name, text=area.penalty, rule=area.rule) for area in areas)
    return ReferenceSection(title="When areas are lost", lines=(*lines, *_rules(LOSSES, options)))


def _carried(sheets: Sequence[Datasheet]) -> Iterator[ReferenceSection]:
    """Weapons, systems, mods and traits of these machines, each once, in the order of the catalogue."""
    names = {line.name for sheet in sheets for line in sheet.weapons}
    options = {option.name for sheet in sheets for option in sheet.options}
    yield ReferenceSection(
        title="Weapons",
        heads=("kind", "damage", "range", "AP", "DP"),
        lines=tuple(
            ReferenceLine(
                name=each.tagged,
                cells=(
                    f"{each.kind[0].upper()}/{each.type[0].upper()}",
                    f"{each.damage} ({each.critical})",
                    *(str(number) for number in (each.range, each.ap, each.dp)),
                ),
            )
            for each in CATALOGUE.weapons.values()
            if each.tagged in names
        ),
    )
    known = {each.name: each.effect for each in CATALOGUE.systems.values()}
    known |= {each.name: each.effect for each in CATALOGUE.mods.values()}
    known |= {each.name: each.effect for each in CATALOGUE.traits.values()}
    yield ReferenceSection(
        title="Systems, mods, traits",
        lines=tuple(ReferenceLine(name=name, text=text) for name, text in known.items() if name in options),
    )


def _levels() -> ReferenceSection:
    return ReferenceSection(
        title="Levels",
        note="added to rolls",
        heads=("hit", "evade", "range"),
        lines=tuple(
            ReferenceLine(
                name=each.name,
                text=each.who,
                cells=tuple(signed(number) if number else NONE for number in (each.accuracy, each.evasion, each.reach)),
                rule=each.rule,
            )
            for each in CATALOGUE.elevations.values()
        ),
    )
