"""The pocket card of a machine: numbers, areas, weapons in front; phases, actions, hexes on the back (ledger 7.3)."""

from __future__ import annotations

from collections.abc import Iterator

from systems.figures import format_decimal, format_signed
from systems.hex_core.build.datasheet import TICKS, Datasheet, WeaponLine
from systems.hex_core.catalogue import CATALOGUE
from systems.hex_core.catalogue.types import Elevation
from systems.hex_core.options import BY_THE_BOOK, Options
from systems.paper.blocks import Block, Box, CardFace, Cell, Detail, Entries, Entry, Row, Strip, Table, Ticks, Track
from systems.paper.metrics import isolated
from systems.paper.words import NO_BOXES

from .house_rules import terrain_of

SYSTEM_NAME = "Hex Core"
NOTES = "Notes"
WEAPON_HEADS = ("kind", "dmg", "range", "AP", "DP")
CELL_MM = 6.3
STATES = ("acted", *TICKS)
LEVEL_HEADS = ("hit", "evade", "range", "SM")


def unit_front(sheet: Datasheet, detail: Detail = "brief") -> CardFace:
    blocks: list[Block] = [Strip(cells=cells(sheet)), Strip(cells=area_cells(sheet))]
    if detail == "full":
        blocks += area_tracks(sheet)
    blocks.append(weapon_table(sheet))
    if sheet.drones:
        blocks.append(drones(sheet))
    blocks.append(Ticks(items=tuple((name, (False,)) for name in STATES)))
    if sheet.options:
        entries = tuple(Entry(name=each.name, text=each.effect) for each in sheet.options)
        blocks.append(Entries(title="Systems, mods, traits", entries=entries))
    if detail == "full":
        blocks.append(means_table(sheet))
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
    parts = [f"Class {sheet.unit_class}", sheet.kind]
    if is_named(sheet):
        parts.append(isolated(sheet.design_name))
    if sheet.company:
        parts.append(isolated(sheet.company))
    return " · ".join(parts)


def is_named(sheet: Datasheet) -> bool:
    """Return whether the name of its design adds anything to the unit's name and its core type."""
    return sheet.design_name.casefold() not in (sheet.name.casefold(), sheet.size_name.casefold())


def cells(sheet: Datasheet) -> tuple[Cell, ...]:
    return (
        *(Cell(label=name, value=f"{value}+") for name, value, _, _ in sheet.stats),
        Cell(label="AP", value=sheet.ap_label),
        Cell(label="SM", value=str(sheet.movement)),
        Cell(label="TM", value=str(sheet.thrust)),
    )


def area_cells(sheet: Datasheet) -> tuple[Cell, ...]:
    return tuple(Cell(label=area.short.upper(), value=str(area.dp)) for area in sheet.areas)


def area_tracks(sheet: Datasheet) -> list[Track]:
    return [Track(label=area.short.upper(), boxes=(Box(),) * area.dp, says="hits_lost") for area in sheet.areas]


def weapon_table(sheet: Datasheet) -> Table:
    """Return each weapon with its place and a box to strike it out, then the shields."""
    shields = (
        Row(name=name, lead=hand[0].upper(), ticks=(False,), cells=(NO_BOXES, NO_BOXES, NO_BOXES, NO_BOXES, str(dp)))
        for name, hand, dp in sheet.shields
    )
    rows = (*(_weapon_row(line) for line in sheet.lines), *shields)
    return Table(title="Weapons", heads=WEAPON_HEADS, rows=rows, cell_mm=CELL_MM)


def _weapon_row(line: WeaponLine) -> Row:
    dp = NO_BOXES if line.dp is None else str(line.dp)
    return Row(
        name=f"{line.name} *" if line.is_primary else line.name,
        lead=line.short,
        ticks=() if line.dp is None else (False,),
        cells=(line.code, line.damage_label, str(line.range), str(line.ap), dp),
    )


def drones(sheet: Datasheet) -> Entries:
    entries = tuple(Entry(name=drone.name, text=drone.told, ticks=(False,) * drone.dp) for drone in sheet.drones)
    return Entries(title="Drones", note="three active", entries=entries)


def means_table(sheet: Datasheet) -> Table:
    """Return the attacks of a turn, and the mean damage against EVA 6+."""
    rows = tuple(
        Row(
            name=line.name,
            lead=line.short,
            cells=(NO_BOXES if line.is_carried else format_decimal(line.attacks[1]), format_decimal(line.front), format_decimal(line.flank)),
        )
        for line in sheet.lines
    )
    return Table(
        title="Attacks a turn, mean damage at EVA 6+", heads=("attacks", "front", "flank"), rows=rows, cell_mm=9.0
    )


def footnote(sheet: Datasheet) -> str:
    told = [f"{name}: {text}" for name, text in sheet.losses]
    if sheet.throw_reach:
        told.append(f"Throws {sheet.throw_reach[0]} to {sheet.throw_reach[1]}")
    return " · ".join((*told, *weapon_key(sheet), "* primary"))


def weapon_key(sheet: Datasheet) -> tuple[str, ...]:
    """Explain the letters beside its weapons: "AL left arm, C carried"; the back explains the letters of their kinds."""
    places = {line.short: line.where for line in sheet.lines if line.place}
    return (", ".join(f"{letters} {words}" for letters, words in places.items()),) if places else ()


def unit_back(detail: Detail = "brief", options: Options = BY_THE_BOOK) -> CardFace:
    """Return the back, which is the same for every machine under these house rules."""
    return CardFace(
        title="Turn",
        kicker=f"{SYSTEM_NAME} · a D8 that equals or beats the number",
        blocks=tuple(_full_back(options) if detail == "full" else _brief_back(options)),
        notes=NOTES,
    )


def _brief_back(options: Options) -> Iterator[Block]:
    yield phases()
    names = ", ".join(each.name for each in CATALOGUE.commands.values())
    yield Entries(title="Command Actions, 2 AP", entries=(Entry(name="", text=names),))
    yield attack(options)
    yield levels()


def _full_back(options: Options) -> Iterator[Block]:
    yield phases()
    entries = tuple(Entry(name=each.name, text=each.effect) for each in CATALOGUE.commands.values())
    yield Entries(title="Command Actions, 2 AP", entries=entries)
    yield attack(options)
    yield Entries(title="Hexes", entries=tuple(Entry(name=each.name, text=each.effect) for each in terrain_of(options)))
    yield levels()


def phases() -> Entries:
    entries = tuple(
        Entry(lead=str(each.order), name=each.name, text=each.content) for each in CATALOGUE.phases.values()
    )
    return Entries(title="Phases", entries=entries)


def attack(options: Options = BY_THE_BOOK) -> Entries:
    steps = (
        ("To hit", "ACC, or ASL in melee; an 8 cannot be evaded"),
        ("Evasion", "EVA; if it passes, CTR to fire back" if options.counters else "EVA; nobody fires back"),
        ("Critical", "an 8: half the damage more"),
        ("Flank", "2 more damage"),
        ("Weapons", "R ranged, M melee; K kinetic, E energy"),
    )
    return Entries(title="An attack", entries=tuple(Entry(name=name, text=text) for name, text in steps))


def levels() -> Table:
    rows = tuple(
        Row(
            name=f"Level {format_signed(each.level)}",
            cells=level_cells(each),
        )
        for each in CATALOGUE.elevations.values()
        if each.level
    )
    return Table(title="What levels add", heads=LEVEL_HEADS, rows=rows, cell_mm=8.5)


def level_cells(level: Elevation) -> tuple[str, ...]:
    """Return the bonuses of a level to hit and evasion rolls, range, and SM. HX-156 to HX-161."""
    numbers = (level.accuracy, level.evasion, level.reach, level.movement)
    return tuple(format_signed(number) if number else NO_BOXES for number in numbers)
