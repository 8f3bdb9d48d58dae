"""The datasheet of a unit on paper: one page with all its figures, HP boxes, weapons, skills and its other mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from systems.figures import format_signed
from systems.mechastellar.build.datasheet import Datasheet, WeaponLine, describe_skill
from systems.mechastellar.build.drawing import Palette, machine_svg
from systems.paper.blocks import Cell

from .blanks import BOXES, CREWS, HELD, KINDS
from .cards import SYSTEM_NAME, describe_crew, is_named, state_ticks

LONG_NAME = 24
FIVES = 5  # boxes of 500 HP in one group
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
    """Return a blank datasheet to write on."""
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
        "means": (line.mean_told, line.focus_label, line.fails_label, line.per_hit_label),
    }


def _sheet_facts(sheet: Datasheet) -> list[tuple[str, str]]:
    near, far = sheet.reach
    facts = [
        ("Engages", f'within {sheet.engages_in}"'),
        ("Reach in a turn", f'{near}", {far}" with Accelerate'),
        ("Mean DEF", f"{sheet.evade.mean_told} against Shooting, {sheet.melee.mean_told} against Melee"),
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
    """Return the service record; empty fields to fill in by pen if it is unknown."""
    service = sheet.service
    told = (service.games, service.kills, service.times_lost) if service else (None, None, None)
    return tuple((name, "" if number is None else str(number)) for name, number in zip(RECORD, told, strict=True))
