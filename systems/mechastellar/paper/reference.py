"""The quick reference of MechaStellar: what every table needs, and the orders, skills and tags of these units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from systems.figures import signed
from systems.mechastellar.build.datasheet import Datasheet, skill_told
from systems.mechastellar.build.system import SYSTEM
from systems.mechastellar.catalogue import CATALOGUE
from systems.mechastellar.options import BY_THE_BOOK, Options
from systems.paper.blocks import Reference, ReferenceLine, ReferenceSection
from systems.paper.words import NONE, counted

from .cards import SYSTEM_NAME

ROUND = ("ST-040", "ST-041", "ST-043", "ST-045", "ST-046", "ST-244")
MOVEMENT = ("ST-060", "ST-061", "ST-066", "ST-073", "ST-070")
ATTACK = ("ST-112", "ST-113", "ST-114", "ST-115", "ST-141", "ST-142", "ST-147", "ST-182")
TARGETS = ("ST-101", "ST-102", "ST-103", "ST-071")
COVER = ("ST-340", "ST-343", "ST-346")
COUNTERS = ("ST-167", "ST-168")
STUN = ("ST-305", "ST-306", "ST-308")
MORALE = ("ST-245", "ST-246", "ST-248")
POINTS = ("ST-363", "ST-364", "ST-366", "ST-367")


def reference(sheets: Sequence[Datasheet], options: Options = BY_THE_BOOK) -> Reference:
    return Reference(
        title="Quick reference",
        kicker=f"{SYSTEM_NAME}, {'advanced' if options.is_advanced else 'core'} rules: {counted(len(sheets), 'unit')}",
        sections=tuple(section for section in _sections(sheets, options) if section.lines),
    )


def _sections(sheets: Sequence[Datasheet], options: Options) -> Iterator[ReferenceSection]:
    tiers = ("core", "advanced") if options.is_advanced else ("core",)
    yield ReferenceSection(title="Rounds and turns", lines=_rules(ROUND))
    yield ReferenceSection(
        title="Actions",
        lines=tuple(
            ReferenceLine(name=each.name, text=f"{each.effect} ({each.cost})", rule=each.rule)
            for each in CATALOGUE.actions.values()
            if each.tier in tiers
        ),
    )
    yield ReferenceSection(title="Moving", lines=_rules(MOVEMENT))
    yield ReferenceSection(title="Targets", lines=_rules(TARGETS))
    yield ReferenceSection(title="Attack and damage", lines=_rules(ATTACK))
    yield _skills(sheets)
    yield _bonuses(sheets)
    yield ReferenceSection(title="Counters", lines=_rules(COUNTERS))
    yield _orders(sheets, tiers)
    yield _resources(sheets)
    yield ReferenceSection(
        title="Tactical Advantage: +1 CRIT Hit",
        rule="ST-300",
        lines=tuple(
            ReferenceLine(name=each.name, text=" ".join(filter(None, (each.condition, each.also))), rule=each.rule)
            for each in CATALOGUE.advantages.values()
            if each.tier in tiers
        ),
    )
    yield _momentum(options)
    yield ReferenceSection(title="Morale", lines=_rules(MORALE))
    yield ReferenceSection(title="Stun", lines=_rules(STUN))
    yield ReferenceSection(title="Cover", lines=_rules(COVER))
    yield _tags(sheets)
    yield ReferenceSection(title="Control points", lines=_rules(POINTS))
    yield _scores()


def _momentum(options: Options) -> ReferenceSection:
    return ReferenceSection(
        title="Momentum",
        heads=("change",),
        rule="ST-240",
        lines=tuple(
            ReferenceLine(
                name=each.name,
                text=each.when,
                cells=(NONE if each.change is None else signed(each.change),),
                rule=each.rule,
            )
            for each in CATALOGUE.momentum.values()
            if options.is_advanced or each.slug not in ("m-fly", "m-drop", "m-knock", "m-remote")
        ),
    )


def _scores() -> ReferenceSection:
    return ReferenceSection(
        title="Victory points",
        heads=("VP",),
        lines=tuple(
            ReferenceLine(
                name=each.name,
                text=each.condition,
                cells=(NONE if each.points is None else signed(each.points),),
                rule=each.rule,
            )
            for each in CATALOGUE.scores.values()
        ),
    )


def _rules(ids: Sequence[str]) -> tuple[ReferenceLine, ...]:
    rules = (SYSTEM.rulebook[rule] for rule in ids)
    return tuple(ReferenceLine(name=rule.title, text=rule.text, rule=rule.id) for rule in rules)


def _skills(sheets: Sequence[Datasheet]) -> ReferenceSection:
    """Those that some of these units may use, with what the ones of level 2 add."""
    has_ace = any(sheet.level >= 2 and sheet.crew != "captain" for sheet in sheets)
    usable = {skill.slug for sheet in sheets for skill in sheet.skills}
    return ReferenceSection(
        title="Skills",
        note="one a turn for each unit",
        rule="ST-260",
        lines=tuple(
            ReferenceLine(
                name=skill_told(each, 0),
                text=f"{each.effect} ACE: {each.ace}" if has_ace and each.ace else each.effect,
                rule=each.rule,
            )
            for each in CATALOGUE.skills.values()
            if each.slug in usable
        ),
    )


def _bonuses(sheets: Sequence[Datasheet]) -> ReferenceSection:
    usable = {bonus.slug for sheet in sheets for bonus in sheet.bonuses}
    return ReferenceSection(
        title="Level 1+ bonuses",
        note="one before each roll",
        rule="ST-160",
        lines=tuple(
            ReferenceLine(name=each.name, text=each.effect, rule=each.rule)
            for each in CATALOGUE.bonuses.values()
            if each.slug in usable
        ),
    )


def _orders(sheets: Sequence[Datasheet], tiers: Sequence[str]) -> ReferenceSection:
    """The Commander's, and a Captain's where there is one who gives them."""
    ordered = {name for sheet in sheets for name in sheet.orders}
    return ReferenceSection(
        title="Orders",
        lines=tuple(
            ReferenceLine(name=each.name, text=f"{each.effect} ({each.limit})", rule=each.rule)
            for each in CATALOGUE.orders.values()
            if each.tier in tiers and (each.giver == "commander" or each.name in ordered)
        ),
    )


def _resources(sheets: Sequence[Datasheet]) -> ReferenceSection:
    bought = {each.slug for sheet in sheets for each in sheet.resources}
    return ReferenceSection(
        title="Boost, Power, Havoc",
        heads=("first", "again"),
        lines=tuple(
            ReferenceLine(
                name=f"{each.stat.capitalize()}: {each.name}",
                text=each.effect,
                cells=(str(each.first), str(each.repeat)),
                rule=each.rule,
            )
            for each in CATALOGUE.resources.values()
            if each.slug in bought
        ),
    )


def _tags(sheets: Sequence[Datasheet]) -> ReferenceSection:
    """What these weapons and units are marked with."""
    told = " ".join(line.tags for sheet in sheets for line in sheet.weapons)
    traits = {slug for sheet in sheets for slug in sheet.traits}
    tags = (each for each in CATALOGUE.tags.values() if each.name in told)
    lines = [ReferenceLine(name=each.name, text=each.effect, rule=each.rule) for each in tags]
    lines += [
        ReferenceLine(name=each.name, text=each.effect, rule=each.rule)
        for each in CATALOGUE.traits.values()
        if each.slug in traits
    ]
    return ReferenceSection(title="Tags and traits", lines=tuple(lines))
