"""The pocket card of a unit: figures, HP boxes and weapons on the front; skills, bonuses and a turn on the back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from systems.mechastellar.build.datasheet import Datasheet, WeaponLine, describe_skill
from systems.mechastellar.catalogue import CATALOGUE
from systems.mechastellar.catalogue.types import HP_BOX, Skill
from systems.paper.blocks import Block, Box, CardFace, Cell, Detail, Entries, Entry, Row, Strip, Table, Ticks, Track
from systems.paper.metrics import isolated
from systems.paper.words import NO_BOXES

SYSTEM_NAME = "MechaStellar"
NOTES = "Notes"
WEAPON_HEADS = ("pool", "range", "DMG", "PEN")
CELL_MM = 8.6
IMPROVISE_USED = "Improvise used"
STATES = ("activated", IMPROVISE_USED, "penalties")
PENALTIES = 3


def unit_front(sheet: Datasheet, detail: Detail = "brief") -> CardFace:
    blocks: list[Block] = [
        Strip(cells=frame_cells(sheet)),
        hp_track(sheet),
        Strip(cells=defence_cells(sheet)),
        weapon_table(sheet, detail),
    ]
    if sheet.held:
        blocks.append(Ticks(items=tuple((name, (False,) * count) for name, count in sheet.held)))
    if sheet.mode_b:
        told = ", ".join(f"{label} {value}" for label, value in sheet.mode_b)
        blocks.append(Entries(title="Mode B", note=told))
    blocks.append(Ticks(items=state_ticks(sheet)))
    return CardFace(
        title=sheet.name,
        kicker=kicker(sheet),
        corner=str(sheet.points),
        corner_label="points",
        blocks=tuple(blocks),
        foot=footnote(sheet),
        notes=NOTES,
    )


def kicker(sheet: Datasheet) -> str:
    named = [isolated(sheet.design_name)] if is_named(sheet) else []
    company = [isolated(sheet.company)] if sheet.company else []
    return " · ".join([sheet.kind, describe_crew(sheet), *named, *company])


def describe_crew(sheet: Datasheet) -> str:
    return f"{isolated(sheet.pilot.full_name)}, {sheet.crew_name}" if sheet.pilot else sheet.crew_name


def is_named(sheet: Datasheet) -> bool:
    """Return whether the name of its design adds anything to the unit's name."""
    return sheet.design_name.casefold() != sheet.name.casefold()


def frame_cells(sheet: Datasheet) -> tuple[Cell, ...]:
    near, far = sheet.reach
    return (
        Cell(label="MOVE", value=f'{sheet.move}"', note=f"{near} / {far}"),
        Cell(label="SIZE", value=str(sheet.size_number), note=f'engages {sheet.engages_in}"'),
        Cell(label="SENSORS", value=f'{sheet.sensors_in}"'),
        Cell(label="MORALE", value=f"{sheet.morale}+"),
        Cell(label="VP", value=str(sheet.vp), note=f"crippled {sheet.vp_crippled}"),
    )


def defence_cells(sheet: Datasheet) -> tuple[Cell, ...]:
    cells = [
        Cell(label="EVADE", value=sheet.evade.pool, note=f"mean {sheet.evade.mean_told}"),
        Cell(label="MELEE", value=sheet.melee.pool, note=f"mean {sheet.melee.mean_told}"),
    ]
    guards = (("SHIELD", sheet.shield), ("BARRIER", sheet.barrier))
    return (*cells, *(Cell(label=label, value=f"+{value}") for label, value in guards if value))


def hp_track(sheet: Datasheet) -> Track:
    """Return a box for each 500 HP, with the lost ones crossed out."""
    lost = sheet.boxes - sheet.boxes_left
    boxes = tuple(Box(is_marked=at < lost) for at in range(sheet.boxes))
    return Track(label=f"HP {sheet.hits}", boxes=boxes, says="hits_lost", worth=HP_BOX)


def state_ticks(sheet: Datasheet | None = None) -> tuple[tuple[str, tuple[bool, ...]], ...]:
    """Return the states that can apply to it during a battle; without a unit, all states."""
    improvises = sheet is None or any(skill.slug == "improvise" for skill in sheet.skills)
    names = (name for name in STATES if improvises or name != IMPROVISE_USED)
    return tuple((name, (False,) * (PENALTIES if name == "penalties" else 1)) for name in names)


def weapon_table(sheet: Datasheet, detail: Detail = "brief") -> Table:
    """Return each weapon with a box to strike it out."""
    return Table(
        title="Weapons",
        heads=WEAPON_HEADS,
        rows=tuple(_weapon_row(line, detail) for line in sheet.weapons),
        cell_mm=CELL_MM,
    )


def _weapon_row(line: WeaponLine, detail: Detail) -> Row:
    rapid = f'within {line.rf_in}": {line.rf_change}' if line.rf_in else ""
    parts = [rapid, line.notes]
    if detail == "full":
        parts.append(f"mean Hits {line.mean_told}")
    return Row(
        name=line.name,
        ticks=(False,),
        cells=(line.pool, "melee" if line.is_melee else f'{line.range_in}"', str(line.dmg), line.pen or NO_BOXES),
        detail=" · ".join(part for part in parts if part),
    )


def footnote(sheet: Datasheet) -> str:
    parts = [f"A box is {HP_BOX} HP; crippled below {sheet.crippled_below}"]
    parts += [f"Frame {sheet.frame_level}, Performance {sheet.performance}", sheet.trait_names]
    parts.append(
        f"Catapult {sheet.catapult}, repairs {sheet.repair_hp} HP" if sheet.catapult or sheet.repair_hp else ""
    )
    parts.append("begins on board" if sheet.aboard else "")
    return " · ".join(part for part in parts if part)


def unit_back(sheet: Datasheet, detail: Detail = "brief") -> CardFace:
    """Return the back: the skills and bonuses of this kind at this level."""
    return CardFace(
        title="Skills",
        kicker=f"{SYSTEM_NAME} · a die of 5+ is one, a 10 two; [M] is Momentum",
        blocks=tuple(_back_blocks(sheet, detail)),
        notes=NOTES,
    )


def skill_limit(skills: Sequence[Skill]) -> str:
    """Return how many skills a unit may use in a turn, and those that don't count. ST-260, ST-263, ST-266."""
    free = " and ".join(each.name for each in skills if each.is_free)
    return f"one a turn; {free} besides" if free else "one a turn"


def _back_blocks(sheet: Datasheet, detail: Detail) -> Iterator[Block]:
    skills = (Entry(name=describe_skill(each, sheet.level), text=each.effect) for each in sheet.skills)
    yield Entries(title="Skills", note=skill_limit(sheet.skills), entries=tuple(skills))
    if sheet.bonuses:
        bonuses = (Entry(name=each.name, text=each.effect) for each in sheet.bonuses)
        yield Entries(title="Bonuses", note="one before each roll", entries=tuple(bonuses))
    if sheet.resources:
        bought = (Entry(name=f"{each.stat.capitalize()}: {each.name}", text=each.effect) for each in sheet.resources)
        yield Entries(title="Boost, Power, Havoc", entries=tuple(bought))
    if sheet.orders:
        yield Entries(title="Orders", note=", ".join(sheet.orders))
    if detail == "full":
        yield actions(sheet)


def actions(sheet: Datasheet) -> Entries:
    """Return the actions of a unit in its turn, by cost."""
    played = ("core",) if sheet.tier == "core" else ("core", "advanced")
    found = (each for each in CATALOGUE.actions.values() if each.tier in played and _may(sheet, each.who))
    return Entries(
        title="A turn", entries=tuple(Entry(name=f"{each.name}: {each.cost}", text=each.effect) for each in found)
    )


def _may(sheet: Datasheet, who: str) -> bool:
    return who == "all" or who == sheet.kind_name
