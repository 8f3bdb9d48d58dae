"""Pages on paper: datasheet, scenario, and the lines of rosters and result slips, one per unit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from systems.documents import unknown_slug
from systems.mechastellar.build import HAND, LEVEL_NAMES, MAX_HP, SYSTEM
from systems.mechastellar.build.datasheet import Datasheet, describe_skill
from systems.mechastellar.build.datasheet_lines import WeaponLine
from systems.mechastellar.build.drawing import MapPalette, Palette, Table, describe_map, draw_map, machine_svg
from systems.mechastellar.build.scenario import OWN_TABLE, VERSUS, parse_scenario, scenario_sheet, scenario_table
from systems.mechastellar.catalogue import CATALOGUE
from systems.mechastellar.options import BY_THE_BOOK, Options, rule_under, scores_of
from systems.mechastellar.paper.cards import (
    BOXES,
    CREWS,
    HELD,
    KINDS,
    SYSTEM_NAME,
    describe_crew,
    is_named,
    state_ticks,
)
from systems.paper.blocks import Cell, RosterLine, RosterPilot, pluralize, slip_words
from systems.roster import PilotCard
from systems.text import format_signed

LONG_NAME = 24
FIVES = 5  # boxes of 500 HP per group
RECORD = ("Battles", "Kills", "Times lost")
SHEET_PALETTE = Palette(font="'Muster Condensed'")
LABELS = (
    *("FRAME", "PERF", "SIZE", "MOVE", "SENSORS", "MORALE", "HP"),
    *("EVADE", "MELEE", "SHIELD", "BARRIER"),
)
FIRST_ROW = 7  # labels in the first row
BLANK_WEAPONS = 5


def sheet_context(sheet: Datasheet) -> Mapping[str, object]:
    design = [sheet.design_name] if is_named(sheet) else []
    values = (
        *(str(sheet.frame_level), str(sheet.performance), str(sheet.size_number), f'{sheet.move}"'),
        *(f'{sheet.sensors_in}"', f"{sheet.morale}+", str(sheet.hits)),
        *(sheet.evade.pool, sheet.melee.pool, f"+{sheet.shield}", f"+{sheet.barrier}"),
    )
    cells = tuple(Cell(label=label, value=value) for label, value in zip(LABELS, values, strict=True))
    lost = sheet.boxes - sheet.boxes_left
    return {
        "name": sheet.name,
        "points": sheet.points,
        "kicker": " · ".join(
            [f"{SYSTEM_NAME} datasheet, {sheet.tier} rules", *([sheet.company] if sheet.company else [])]
        ),
        "identity": " · ".join([sheet.kind, describe_crew(sheet), *design]),
        "is_long": len(sheet.name) > LONG_NAME,
        "frame": cells[:FIRST_ROW],
        "defence": cells[FIRST_ROW:],
        "boxes": _in_fives([at < lost for at in range(sheet.boxes)]),
        "crippled_below": sheet.crippled_below,
        "held": tuple((name, range(count)) for name, count in sheet.held),
        "states": state_ticks(sheet),
        "lines": tuple(_line(line) for line in sheet.weapons),
        "skills": tuple((describe_skill(each, sheet.level), each.effect, each.ace) for each in sheet.skills),
        "has_ace": sheet.level >= 2 and sheet.crew != "captain",
        "bonuses": tuple((each.name, each.effect) for each in sheet.bonuses),
        "resources": tuple((f"{each.stat.capitalize()}: {each.name}", each.effect) for each in sheet.resources),
        "orders": sheet.orders,
        "mode_b": sheet.mode_b,
        "drawing": machine_svg(
            sheet.kind_slug, sheet.size_number, sheet.sensors_in, [w.range_in for w in sheet.weapons], SHEET_PALETTE
        ),
        "facts": tuple(_sheet_facts(sheet)),
        "record": _record(sheet),
    }


def blank_sheet_context() -> Mapping[str, object]:
    """Return a blank datasheet for writing on."""
    cells = tuple(Cell(label=label, value="") for label in LABELS)
    return {
        "name": "",
        "points": None,
        "kicker": f"{SYSTEM_NAME} datasheet",
        "identity": "Name, kind and crew",
        "frame": cells[:FIRST_ROW],
        "defence": cells[FIRST_ROW:],
        "boxes": _in_fives([False] * BOXES),
        "held": tuple((name, range(HELD)) for name in ("Boost", "Power", "Havoc")),
        "states": state_ticks(),
        "lines": ({},) * BLANK_WEAPONS,
        "choices": (*KINDS, *CREWS),
        "record": tuple((name, "") for name in RECORD),
        "is_blank": True,
    }


def _in_fives(boxes: list[bool]) -> tuple[tuple[bool, ...], ...]:
    return tuple(tuple(boxes[start : start + FIVES]) for start in range(0, len(boxes), FIVES))


def _line(line: WeaponLine) -> dict[str, Any]:
    return {
        "name": line.name,
        "pool": line.pool,
        "reach": "melee" if line.is_melee else f'{line.range_in}"',
        "rapid": f'{line.rf_in}": {line.rf_change}' if line.rf_in else "",
        "dmg": line.dmg,
        "pen": line.pen_label,
        "notes": line.notes,
        "means": (line.mean_label, line.focus_label, line.fails_label, line.per_hit_label),
    }


def _sheet_facts(sheet: Datasheet) -> list[tuple[str, str]]:
    near, far = sheet.reach
    facts = [
        ("Engages", f'within {sheet.engages_in}"'),
        ("Reach in a turn", f'{near}", {far}" with Accelerate'),
        ("Mean DEF", f"{sheet.evade.mean_label} against Shooting, {sheet.melee.mean_label} against Melee"),
        ("Worth", f"{sheet.vp} VP, {sheet.vp_crippled} crippled; as Commander the Round besides"),
    ]
    if sheet.momentum:
        facts.append(("Momentum", f"{format_signed(-sheet.momentum)} at the start"))
    if sheet.trait_names:
        facts.append(("Traits", sheet.trait_names))
    if sheet.catapult or sheet.repair_hp:
        facts.append(("Ship", f"Catapult {sheet.catapult}, repairs {sheet.repair_hp} HP"))
    if sheet.aboard:
        facts.append(("Begins", "on board"))
    facts.append(("Figures", sheet.origin))
    facts += sheet.state
    return facts


def _record(sheet: Datasheet) -> tuple[tuple[str, str], ...]:
    """Return the service record; if it is unknown, empty fields to fill in by pen."""
    service = sheet.service
    numbers = (service.games, service.kills, service.times_lost) if service else (None, None, None)
    return tuple((name, "" if number is None else str(number)) for name, number in zip(RECORD, numbers, strict=True))


ROSTER_NOTES = "Carries"
SLIP_WORDS = slip_words(HAND, hits=MAX_HP, sides=("Side A", "Side B"))


def roster_line(sheet: Datasheet) -> RosterLine:
    return RosterLine(
        name=sheet.name,
        design=", ".join(filter(None, (sheet.design_name if is_named(sheet) else "", sheet.kind_name))),
        points=sheet.points,
        pilot=roster_pilot(sheet.pilot) if sheet.pilot else None,
        notes=", ".join(line.name for line in sheet.weapons),
        damage=_damage(sheet),
    )


def _damage(sheet: Datasheet) -> str:
    parts = [f"{sheet.hits_left} of {sheet.hits} HP"] if sheet.hits_left < sheet.hits else []
    return ", ".join([*parts, *(["too few to fight"] if sheet.is_unfit else [])])


def roster_pilot(pilot: PilotCard) -> RosterPilot:
    points = f"{pilot.points} experience, " if pilot.points is not None else ""
    record = f"{points}{pluralize(pilot.kills, 'kill')}, {pluralize(pilot.games, 'battle')}"
    return RosterPilot(name=pilot.full_name, level=LEVEL_NAMES[pilot.experience], record=record)


SETTING_UP = ("ST-022",)
BY_TURNS = ("ST-024", "ST-025", "ST-026")
STANDING = ("ST-027", "ST-028", "ST-240", "ST-363", "ST-366", "ST-367")  # rules that every battle needs at the table
UNIT_LINES = CATALOGUE.limits["force"].most
VP_BOXES = 20
MOMENTUM = range(11)
FONT = "'Muster Condensed'"
MAP_PALETTES = {
    "colour": MapPalette("#20231a", "#55574a", "#a8370b", "#e3e8d3", "#d6e0e8", "#7f7a66", "#ffffff", "#efe3c4", "#c9dbe6"),
    "grey": MapPalette("#1c1c1c", "#505050", "#1c1c1c", "#e4e4e4", "#efefef", "#6a6a6a", "#ffffff", "#f2f2f2", "#dcdcdc"),
    "ink-saver": MapPalette("#000000", "#000000", "#000000", "none", "none", "none", "#000000", "none", "none"),
}  # fmt: skip


def scenario_context(
    name: str, data: Mapping[str, object], terrain: str, theme: str, options: Options = BY_THE_BOOK
) -> Mapping[str, object]:
    if terrain and terrain not in CATALOGUE.maps and terrain != OWN_TABLE:
        raise unknown_slug("terrain", "terrain", terrain, CATALOGUE.maps)
    spec = parse_scenario(data)
    sheet = scenario_sheet(spec)
    table = scenario_table(spec, terrain or VERSUS.terrain)
    kinds = {piece.kind for piece in table.pieces}
    standing = ("ST-029", *(BY_TURNS if options.deploys_by_turns else SETTING_UP), *STANDING)
    return {
        "name": name,
        "sheet": sheet,
        "map": draw_map(table, MAP_PALETTES[theme], FONT),
        "map_name": table.name,
        "map_description": describe_map(table),
        "rounds": range(1, sheet.turn_limit + 1),
        "scores": tuple(
            (each, "" if each.points is None else format_signed(each.points)) for each in scores_of(options)
        ),
        "terrain": tuple((each.name, each.effect) for each in sheet.terrain if each.slug in kinds),
        "points": range(1, len(table.points) + 1),
        "sides": tuple(
            {"name": side, "facts": tuple(_scenario_facts(side, table, sheet.points or options.points_limit))}
            for side in ("A", "B")
        ),
        "lines": range(UNIT_LINES),
        "momentum": MOMENTUM,
        "vp": range(1, VP_BOXES + 1),
        "rules": tuple(rule_under(SYSTEM.rulebook[each], options) for each in standing),
    }


def _scenario_facts(side: str, table: Table, points: int) -> list[tuple[str, str]]:
    south, north = f"0 to {table.depth:g}", f"{table.size - table.depth:g} to {table.size}"
    edge, zone = ("south", south) if side == "A" else ("north", north)
    force = scenario_forces()
    if points:
        force += f", at most {pluralize(points, 'point')}"
    return [("Force", force), ("Edge", f"{edge}; deploys within {zone} in")]


def scenario_forces() -> str:
    limit = CATALOGUE.limits["force"]
    return f"{limit.least} to {limit.most} units"
