"""The quick reference of Mech Campaign: rules for every battle, and for these units only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from systems.mech_campaign.build import SYSTEM
from systems.mech_campaign.build.datasheet import (
    Datasheet,
    action_points,
    hit_chance,
    move_text,
    needed_number,
    retreat_chance,
)
from systems.mech_campaign.catalogue import CATALOGUE, SHOOTING_RANGE_H, UnitKind
from systems.mech_campaign.options import BY_THE_BOOK, Options, actions_by_house_rules
from systems.paper.blocks import NO_BOXES, Reference, ReferenceLine, ReferenceSection, or_more, percent, pluralize
from systems.text import format_decimal, format_signed

from .cards import SYSTEM_NAME, can_take, describe_action, describe_marker, retreats

MAX_LOSSES = 5  # a sixth loss is the largest force's last unit
TURN = ("MC-030", "MC-031", "MC-033", "MC-035", "MC-036", "MC-038", "MC-040", "MC-039", "MC-034", "MC-085")
GROUND = ("MC-047", "MC-048", "MC-049", "MC-050", "MC-052")
AIR = ("MC-054", "MC-055", "MC-056", "MC-057", "MC-058", "MC-059")
TUNNELS = ("MC-060", "MC-061", "MC-062", "MC-063", "MC-064")
SENTRIES = ("MC-051",)
SHOOTING = ("MC-012", "MC-053", "MC-070", "MC-071", "MC-076", "MC-077", "MC-078", "MC-079")
LOCKING = ("MC-087", "MC-088", "MC-089")
ENDING = ("MC-100", "MC-101", "MC-102", "MC-103", "MC-065", "MC-120", "MC-121", "MC-122")


def reference(sheets: Sequence[Datasheet], options: Options = BY_THE_BOOK) -> Reference:
    present = {sheet.size for sheet in sheets}
    kinds = [kind for slug, kind in CATALOGUE.unit_kinds.items() if slug in present]
    return Reference(
        title="Quick reference",
        kicker=f"{SYSTEM_NAME}: the rules of {pluralize(len(sheets), 'unit')}",
        sections=tuple(section for section in _sections(kinds, len(sheets), options) if section.lines),
    )


def _sections(kinds: Sequence[UnitKind], size: int, options: Options) -> Iterator[ReferenceSection]:
    yield _units(kinds)
    yield ReferenceSection(title="A turn", rule="MC-032", lines=_rules(TURN, are_steps=True))
    yield _costs(size)
    yield _actions(kinds, options)
    yield _to_hit(kinds)
    yield ReferenceSection(title="Shooting", lines=_rules(SHOOTING))
    yield ReferenceSection(
        title="Markers",
        note="tick the card, or lay any small token",
        lines=tuple(
            ReferenceLine(name=line.name, text=f"{describe_marker(line)} {line.most} at most.", rule=line.rule)
            for line in CATALOGUE.markers.values()
        ),
    )
    if any(kind.can_lock for kind in kinds):
        yield ReferenceSection(title="Locks", lines=_rules(LOCKING))
    yield from _movement(kinds)
    yield _terrain(kinds)
    bonus = options.resolve_bonus
    yield ReferenceSection(
        title="Resolve",
        note=f"{resolve_roll(bonus)} − own units eliminated; below 1 the force retreats",
        heads=("retreat", "chance"),
        rule="MC-101",
        lines=tuple(
            ReferenceLine(name=name, cells=(faces, chance or NO_BOXES))
            for name, faces, chance in resolve_lines(MAX_LOSSES, bonus)
        ),
    )
    yield ReferenceSection(title="Losses and the end", lines=_ending(bonus))


def _ending(bonus: int) -> tuple[ReferenceLine, ...]:
    """Return the rules for losses and the end of the game, with this bonus to the resolve roll."""
    return tuple(
        replace(line, text=line.text.replace("D6 + 2", resolve_roll(bonus))) if line.rule == "MC-101" else line
        for line in _rules(ENDING)
    )


def resolve_roll(bonus: int) -> str:
    """Describe the resolve roll, before losses are subtracted."""
    return f"D6 + {bonus}" if bonus else "D6"


def resolve_lines(losses: int, bonus: int) -> tuple[tuple[str, str, str], ...]:
    """Return each loss, the D6 faces at which the force then retreats, and their chance."""
    return tuple(
        (f"Loss {lost}", faces or "never", percent(retreat_chance(lost, bonus)) if faces else "")
        for lost, faces in retreats(losses, bonus)
    )


def _rules(ids: Sequence[str], *, are_steps: bool = False) -> tuple[ReferenceLine, ...]:
    rules = (SYSTEM.rulebook[rule] for rule in ids)
    return tuple(
        ReferenceLine(lead=str(at) if are_steps else "", name=rule.title, text=rule.text, rule=rule.id)
        for at, rule in enumerate(rules, start=1)
    )


def _units(kinds: Sequence[UnitKind]) -> ReferenceSection:
    return ReferenceSection(
        title="Units",
        heads=("move", "fire", "to hit"),
        lines=tuple(
            ReferenceLine(
                name=kind.name,
                text=kind.line,
                cells=(
                    move_text(kind),
                    f'{SHOOTING_RANGE_H // 100}" ×{kind.shooting_actions}',
                    or_more(needed_number(kind)),
                ),
            )
            for kind in kinds
        ),
    )


def _costs(size: int) -> ReferenceSection:
    """Return the costs of actions, and the points available if there are units."""
    lines = [
        ReferenceLine(name=cost.name, cells=(str(cost.cost), str(cost.total)), rule="MC-037")
        for cost in CATALOGUE.action_costs.values()
    ]
    if not size:
        return ReferenceSection(title="Action points", heads=("costs", "in all"), lines=tuple(lines))
    least, mean, most = action_points(size)
    note = f"{pluralize(size, 'unit')}: {least} to {most} a turn, mean {format_decimal(mean)}"
    return ReferenceSection(title="Action points", note=note, heads=("costs", "in all"), lines=tuple(lines))


def _actions(kinds: Sequence[UnitKind], options: Options) -> ReferenceSection:
    """Return the actions that any of these units can take."""
    lines = tuple(
        ReferenceLine(name=action.name, text=describe_action(action, kinds), rule=action.rule)
        for action in actions_by_house_rules(options)
        if any(can_take(action.slug, kind) for kind in kinds)
    )
    return ReferenceSection(title="Actions", note="three in an activation at most", lines=lines)


def _to_hit(kinds: Sequence[UnitKind]) -> ReferenceSection:
    """Return every modifier that can apply to these units, as added to the die."""
    skips = set()
    if not any(kind.to_hit for kind in kinds):
        skips.add("drone-or-sentry")
    if not any(kind.can_lock for kind in kinds):
        skips.add("lock")
    number = CATALOGUE.rolls["shoot"].number
    assert number is not None
    return ReferenceSection(
        title="To hit",
        note=f"D6, {number} or more ({percent(hit_chance(number))})",
        heads=("on the die",),
        lines=tuple(
            ReferenceLine(name=line.name, cells=(format_signed(line.to_hit),), rule=line.rule)
            for slug, line in CATALOGUE.modifiers.items()
            if slug not in skips
        ),
    )


def _movement(kinds: Sequence[UnitKind]) -> Iterator[ReferenceSection]:
    if any(kind.can_move and not kind.is_air for kind in kinds):
        yield ReferenceSection(title="Ground units move", lines=_rules(GROUND))
    if any(kind.is_air for kind in kinds):
        yield ReferenceSection(title="Air units move", lines=_rules(AIR))
    if any(kind.is_tunneller for kind in kinds):
        yield ReferenceSection(title="Tunnels", lines=_rules(TUNNELS))
    if any(kind.is_stationary for kind in kinds):
        yield ReferenceSection(title="Gun sentries", lines=_rules(SENTRIES))


def _terrain(kinds: Sequence[UnitKind]) -> ReferenceSection:
    has_tunnels = any(kind.is_tunneller for kind in kinds)
    return ReferenceSection(
        title="Terrain",
        heads=("radius",),
        lines=tuple(
            ReferenceLine(
                name=line.name,
                text=line.effect,
                cells=(f'{line.radius_h / 100:g}"' if line.radius_h else NO_BOXES,),
            )
            for line in CATALOGUE.terrain.values()
            if has_tunnels or not line.at_h
        ),
    )
