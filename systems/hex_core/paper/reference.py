"""The quick reference of Hex Core by phase: rules for every battle, and for these machines' equipment only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from systems.hex_core.build import SYSTEM
from systems.hex_core.build.datasheet import Datasheet
from systems.hex_core.catalogue import CATALOGUE, Command
from systems.hex_core.options import BY_THE_BOOK, Options, missions_of, rule_under, terrain_of
from systems.paper.blocks import Reference, ReferenceLine, ReferenceSection, pluralize

from .cards import LEVEL_HEADS, SYSTEM_NAME, level_cells

DICE = ("HX-001", "HX-003", "HX-004", "HX-005", "HX-006", "HX-007", "HX-008")
BEFORE = ("HX-055", "HX-058", "HX-059", "HX-060", "HX-034", "HX-032", "HX-033", "HX-062", "HX-035")
MOVEMENT = (
    "HX-061", "HX-063", "HX-065", "HX-066", "HX-067", "HX-153", "HX-155", "HX-068", "HX-069", "HX-139",
)  # fmt: skip
THRUST = ("HX-070", "HX-071")
ATTACKS = (
    "HX-080", "HX-075", "HX-074", "HX-076", "HX-077", "HX-078", "HX-079", "HX-081", "HX-082", "HX-083", "HX-084", "HX-085",
    "HX-087", "HX-088", "HX-089", "HX-090", "HX-091", "HX-092", "HX-093", "HX-097",
)  # fmt: skip
UNABLE = "HX-086"
TWO_HANDED = "HX-047"
CLOSE = ("HX-094", "HX-095", "HX-053", "HX-121", "HX-122", "HX-123", "HX-124", "HX-125", "HX-127")
HELD = ("HX-129", "HX-130")
LOSSES = ("HX-109", "HX-114", "HX-118", "HX-120", "HX-162", "HX-115", "HX-116")
DRONES = ("HX-023", "HX-024", "HX-028", "HX-029", "HX-030", "HX-031")
VEHICLES = ("HX-013", "HX-014", "HX-015", "HX-016", "HX-017")
TERRAIN = ("HX-138",)
BUILDINGS = ("HX-148", "HX-149", "HX-150", "HX-151", "HX-152")
MISSIONS = ("HX-166", "HX-167", "HX-168")
MISSIONS_BEGIN = "HX-163"


def reference(sheets: Sequence[Datasheet], options: Options = BY_THE_BOOK) -> Reference:
    return Reference(
        title="Quick reference",
        kicker=f"{SYSTEM_NAME}: the rules of {pluralize(len(sheets), 'unit')}",
        sections=tuple(section for section in _sections(sheets, options) if section.lines),
    )


def _sections(sheets: Sequence[Datasheet], options: Options) -> Iterator[ReferenceSection]:
    yield ReferenceSection(title="Before and between turns", lines=_rules(BEFORE, options))
    yield ReferenceSection(title="Dice", lines=_rules(DICE, options))
    thrust = THRUST if any(sheet.thrust for sheet in sheets) else ()
    yield _phase("movement", (*MOVEMENT, *thrust), options)
    two_handed = any(
        weapon.tagged == line.name and weapon.is_two_handed
        for weapon in CATALOGUE.weapons.values()
        for sheet in sheets
        for line in sheet.weapons
    )
    yield _phase("ranged", (*ATTACKS, UNABLE, *((TWO_HANDED,) if two_handed else ())), options)
    yield _phase("close", (*CLOSE, *HELD), options)
    yield ReferenceSection(
        title="Grapples",
        lines=tuple(
            ReferenceLine(name=each.name, text=f"{each.attacker} {each.defender}", rule=each.rule)
            for each in CATALOGUE.grapple_effects.values()
        ),
    )
    yield ReferenceSection(
        title="States",
        lines=tuple(
            ReferenceLine(name=each.name, text=each.effect, rule=each.rule) for each in CATALOGUE.statuses.values()
        ),
    )
    yield _commands(sheets)
    yield _losses(sheets, options)
    yield from _carried(sheets)
    if any(sheet.drones for sheet in sheets):
        yield ReferenceSection(title="Drones", lines=_rules(DRONES, options))
    if any(sheet.is_vehicle for sheet in sheets):
        yield ReferenceSection(title="Vehicles", lines=_rules(VEHICLES, options))
    colours = tuple(ReferenceLine(name=each.name, text=each.effect, rule=each.rule) for each in terrain_of(options))
    yield ReferenceSection(title="Hexes", lines=(*colours, *_rules(TERRAIN, options)))
    yield _levels()
    yield ReferenceSection(title="Buildings", lines=_rules(BUILDINGS, options))
    yield ReferenceSection(
        title="Missions",
        rule=MISSIONS_BEGIN,
        lines=(
            *(
                ReferenceLine(name=each.name, text=f"{each.setup} {each.victory}", rule=each.victory_rule)
                for each in missions_of(options)
            ),
            *_rules(MISSIONS, options),
        ),
    )


def _phase(slug: str, rules: Sequence[str], options: Options) -> ReferenceSection:
    phase = CATALOGUE.phases[slug]
    return ReferenceSection(title=f"{phase.order} {phase.name}", note=phase.content, lines=_rules(rules, options))


def _rules(ids: Sequence[str], options: Options) -> tuple[ReferenceLine, ...]:
    rules = (rule_under(SYSTEM.rulebook[rule], options) for rule in ids)
    return tuple(ReferenceLine(name=rule.title, text=rule.text, rule=rule.id) for rule in rules)


def commands_of(sheets: Sequence[Datasheet]) -> tuple[Command, ...]:
    """Return every Command Action that any of these machines can take."""
    has_drones = any(sheet.drones for sheet in sheets)
    changes = any(system.name.startswith("Transformer") for sheet in sheets for system in sheet.systems)
    able = {"deploy": has_drones, "recall": has_drones, "reposition": has_drones, "transform": changes}
    return tuple(each for each in CATALOGUE.commands.values() if able.get(each.slug, True))


def _commands(sheets: Sequence[Datasheet]) -> ReferenceSection:
    return ReferenceSection(
        title="Command Actions",
        note="2 AP each, as many as you like, at any time in your turn",
        rule="HX-098",
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
    """Yield these machines' weapons, systems, mods and traits, once each, in the order of the catalogue."""
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
        note="hit and evade are added to rolls",
        heads=LEVEL_HEADS,
        lines=tuple(
            ReferenceLine(
                name=each.name,
                text=each.who,
                cells=level_cells(each),
                rule=each.rule,
            )
            for each in CATALOGUE.elevations.values()
        ),
    )
