"""The quick reference of MechaStellar: rules for every battle, and these units' orders, skills and tags."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from systems.mechastellar.build import SYSTEM
from systems.mechastellar.build.datasheet import Datasheet, describe_skill
from systems.mechastellar.catalogue import CATALOGUE, Action, Advantage
from systems.mechastellar.options import (
    BY_THE_BOOK,
    UNUSABLE,
    Options,
    bonuses_of,
    describe_users,
    resources_of,
    rule_under,
    scores_of,
    skills_of,
    tag_under,
)
from systems.paper.blocks import NO_BOXES, Reference, ReferenceLine, ReferenceSection, pluralize
from systems.text import format_signed

from .cards import SYSTEM_NAME, skill_limit

# Rules by section: from the core rules, and from the advanced rules.
ROUND = (
    ("ST-040", "ST-041", "ST-042", "ST-043", "ST-045", "ST-046", "ST-244"),
    ("ST-044", "ST-047", "ST-048"),
)
MOVEMENT = (
    ("ST-060", "ST-061", "ST-064", "ST-066", "ST-067", "ST-077", "ST-070", "ST-072", "ST-073", "ST-076"),
    ("ST-069", "ST-080", "ST-082", "ST-083"),
)
TARGETS = (
    ("ST-090", "ST-091", "ST-092", "ST-093", "ST-095", "ST-101", "ST-102", "ST-103", "ST-071"),
    ("ST-096", "ST-098", "ST-100", "ST-105"),
)
ATTACK = (
    (
        "ST-112",
        "ST-113",
        "ST-114",
        "ST-117",
        "ST-116",
        "ST-118",
        "ST-115",
        "ST-140",
        "ST-141",
        "ST-142",
        "ST-143",
        "ST-144",
    )
    + ("ST-145", "ST-147", "ST-150", "ST-151", "ST-180", "ST-181", "ST-182", "ST-185"),
    (),
)
COUNTERS = (("ST-167", "ST-168", "ST-170"), ("ST-169",))
SEVERAL = ((), ("ST-320", "ST-321", "ST-322", "ST-324", "ST-325", "ST-348", "ST-331"))
PUSHES = ((), ("ST-310", "ST-311", "ST-312", "ST-314"))
WARSHIPS = ((), ("ST-200", "ST-062", "ST-146", "ST-352", "ST-353"))
COVER = (("ST-340", "ST-341", "ST-343", "ST-344", "ST-346"), ("ST-345", "ST-347"))
STUN = (("ST-305", "ST-306", "ST-307", "ST-308", "ST-049"), ())
MORALE = (("ST-247", "ST-245", "ST-246", "ST-248"), ())
POINTS = (("ST-363", "ST-364", "ST-365", "ST-366", "ST-367"), ())
THROWS = "ST-192"
COMMANDER, CAPTAIN = "ST-249", "ST-280"
ACES = "ST-261"
PAYING = "ST-241"
HELD = {"power": ("ST-222", "ST-226"), "havoc": ("ST-228", "ST-233")}
BOUGHT = "ST-234"
ADVANCED_MOMENTUM = ("m-fly", "m-drop", "m-knock", "m-remote")


def reference(sheets: Sequence[Datasheet], options: Options = BY_THE_BOOK) -> Reference:
    return Reference(
        title="Quick reference",
        kicker=f"{SYSTEM_NAME}, {'advanced' if options.is_advanced else 'core'} rules: {pluralize(len(sheets), 'unit')}",
        sections=tuple(section for section in _sections(sheets, options) if section.lines),
    )


def _sections(sheets: Sequence[Datasheet], options: Options) -> Iterator[ReferenceSection]:
    guns = any(not line.is_melee for sheet in sheets for line in sheet.weapons)
    yield ReferenceSection(title="Rounds and turns", lines=_rules(ROUND, options))
    yield ReferenceSection(
        title="Actions",
        lines=tuple(
            ReferenceLine(name=each.name, text=f"{each.effect} ({each.cost})", rule=each.rule)
            for each in CATALOGUE.actions.values()
            if _is_played(each, options)
        ),
    )
    yield ReferenceSection(title="Moving", lines=_rules(MOVEMENT, options))
    yield ReferenceSection(title="Targets", lines=_rules(TARGETS, options) if guns else ())
    yield ReferenceSection(title="Attack and damage", lines=_rules(ATTACK, options))
    yield ReferenceSection(title="Push and pull: PEN with a P", lines=_rules(PUSHES, options))
    yield ReferenceSection(title="Several targets, areas, remote weapons", lines=_rules(SEVERAL, options))
    yield _throws(options)
    yield _skills(sheets, options)
    yield _bonuses(sheets, options)
    yield ReferenceSection(title="Counters", lines=_rules(COUNTERS, options))
    yield _orders(sheets, options)
    yield _resources(sheets, options)
    yield ReferenceSection(
        title="Tactical Advantage: +1 CRIT Hit",
        rule="ST-300",
        lines=tuple(
            ReferenceLine(name=each.name, text=" ".join(filter(None, (each.condition, each.also))), rule=each.rule)
            for each in CATALOGUE.advantages.values()
            if _is_played(each, options)
        ),
    )
    yield _momentum(options)
    yield ReferenceSection(title="Morale", lines=_rules(MORALE, options))
    yield ReferenceSection(title="Stun: PEN with an S", lines=_rules(STUN, options))
    yield ReferenceSection(title="Cover", lines=_rules(COVER, options))
    yield ReferenceSection(title="Warships", lines=_rules(WARSHIPS, options))
    yield _tags(sheets, options)
    yield ReferenceSection(title="Control points", lines=_rules(POINTS, options))
    yield _scores(options)


def _is_played(each: Action | Advantage, options: Options) -> bool:
    return each.tier == "core" or options.is_advanced


def _momentum(options: Options) -> ReferenceSection:
    changes = (
        ReferenceLine(
            name=each.name,
            text=each.when,
            cells=(NO_BOXES if each.change is None else format_signed(each.change),),
            rule=each.rule,
        )
        for each in CATALOGUE.momentum.values()
        if options.is_advanced or each.slug not in ADVANCED_MOMENTUM
    )
    return ReferenceSection(
        title="Momentum",
        heads=("change",),
        rule="ST-240",
        lines=(*changes, replace(_rule(PAYING, options), cells=(NO_BOXES,))),
    )


def _scores(options: Options) -> ReferenceSection:
    return ReferenceSection(
        title="Victory points",
        heads=("VP",),
        lines=tuple(
            ReferenceLine(
                name=each.name,
                text=each.condition,
                cells=(NO_BOXES if each.points is None else format_signed(each.points),),
                rule=each.rule,
            )
            for each in scores_of(options)
        ),
    )


def _rules(ids: tuple[Sequence[str], Sequence[str]], options: Options) -> tuple[ReferenceLine, ...]:
    core, advanced = ids
    return tuple(_rule(rule, options) for rule in ((*core, *advanced) if options.is_advanced else core))


def _rule(rule_id: str, options: Options) -> ReferenceLine:
    rule = rule_under(SYSTEM.rulebook[rule_id], options)
    return ReferenceLine(name=rule.title, text=rule.text, rule=rule.id)


def _throws(options: Options) -> ReferenceSection:
    """Return the profiles of Throw and Crash. ST-190 to ST-193."""
    if not options.is_advanced:
        return ReferenceSection(title="", lines=())
    lines = tuple(
        ReferenceLine(
            name=each.name,
            text=each.effect,
            cells=(
                str(each.dice),
                "melee" if each.range_in is None else f'{each.range_in}"',
                f"{each.damage_per_size} × (2 + Size)" if each.damage_per_size else NO_BOXES,
            ),
            rule=each.rule,
        )
        for each in CATALOGUE.special_attacks.values()
    )
    more = replace(_rule(THROWS, options), cells=(NO_BOXES,) * 3)
    return ReferenceSection(title="Throw and Crash", heads=("dice", "range", "DMG"), lines=(*lines, more))


def _skills(sheets: Sequence[Datasheet], options: Options) -> ReferenceSection:
    """Return the skills that any of these units may use, which units may, and their additions at level 2."""
    has_ace = any(sheet.level >= 2 and sheet.crew != "captain" for sheet in sheets)
    usable = {skill.slug for sheet in sheets for skill in sheet.skills}
    skills = [each for each in skills_of(options) if each.slug in usable]
    lines = [
        ReferenceLine(
            name=describe_skill(each, 0),
            text=" ".join(
                filter(
                    None,
                    (
                        each.effect,
                        f"Level {each.level}+ only." if each.level else "",
                        describe_users(each.slug, options),
                        f"ACE: {each.ace}" if has_ace and each.ace else "",
                    ),
                )
            ),
            rule=each.rule,
        )
        for each in skills
    ]
    if has_ace:
        lines.append(_rule(ACES, options))
    return ReferenceSection(title="Skills", note=skill_limit(skills), rule="ST-260", lines=tuple(lines))


def _bonuses(sheets: Sequence[Datasheet], options: Options) -> ReferenceSection:
    usable = {bonus.slug for sheet in sheets for bonus in sheet.bonuses}
    return ReferenceSection(
        title="Level 1+ bonuses",
        note="one before each roll; not for Warships" if options.is_advanced else "one before each roll",
        rule="ST-160",
        lines=tuple(
            ReferenceLine(
                name=each.name,
                text=" ".join(filter(None, (each.effect, describe_users(each.slug, options)))),
                rule=each.rule,
            )
            for each in bonuses_of(options)
            if each.slug in usable
        ),
    )


def _orders(sheets: Sequence[Datasheet], options: Options) -> ReferenceSection:
    """Return the Commander's orders, and a Captain's if any of the units has a Captain who gives them."""
    ordered = {name for sheet in sheets for name in sheet.orders}
    lines = [
        ReferenceLine(name=each.name, text=f"{each.effect} ({each.limit})", rule=each.rule)
        for each in CATALOGUE.orders.values()
        if each.giver == "commander" or each.name in ordered
    ]
    givers = (COMMANDER, CAPTAIN) if ordered else (COMMANDER,)
    return ReferenceSection(title="Orders", lines=(*(_rule(each, options) for each in givers), *lines))


def _resources(sheets: Sequence[Datasheet], options: Options) -> ReferenceSection:
    """Return what Boost, Power and Havoc buy, with the first price and the next."""
    bought = {each.slug for sheet in sheets for each in sheet.resources}
    resources = [each for each in resources_of(options) if each.slug in bought]
    lines = [
        ReferenceLine(
            name=f"{each.stat.capitalize()}: {each.name}",
            text=each.effect,
            cells=(str(each.first), str(each.repeat)),
            rule=each.rule,
        )
        for each in resources
    ]
    held = {each.stat for each in resources}
    rules = [rule for stat, ids in HELD.items() if stat in held for rule in ids]
    if lines:
        rules.append(BOUGHT)
    lines += [replace(_rule(rule, options), cells=(NO_BOXES, NO_BOXES)) for rule in rules]
    return ReferenceSection(title="Boost, Power, Havoc", heads=("first", "again"), lines=tuple(lines))


def _tags(sheets: Sequence[Datasheet], options: Options) -> ReferenceSection:
    """Return the tags and traits of these weapons and units."""
    weapons = [line for sheet in sheets for line in sheet.weapons]
    slugs = {slug for sheet in sheets for slug in sheet.traits}
    tags = [
        tag_under(each, options) for each in CATALOGUE.tags.values() if any(each.name in line.tags for line in weapons)
    ]
    traits = [tag_under(each, options) for each in CATALOGUE.traits.values() if each.slug in slugs]
    lines = [ReferenceLine(name=each.name, text=each.effect, rule=each.rule) for each in (*tags, *traits)]
    if not options.is_advanced and any(line.pen.endswith("P") for line in weapons):
        lines.append(ReferenceLine(name="PEN with a P", text=UNUSABLE, rule="ST-310"))
    return ReferenceSection(title="Tags and traits", lines=tuple(lines))
