"""Cards of machines and their pilots, blank cards, extra tables, and counters. Ledger 8."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from systems.artwork import silhouette
from systems.hex_core.build import SYSTEM
from systems.hex_core.build.datasheet import FACES, TICKS, Datasheet, WeaponLine, faces_that_evade
from systems.hex_core.catalogue import CATALOGUE, Elevation
from systems.hex_core.options import BY_THE_BOOK, Options, terrain_of
from systems.paper.blocks import (
    NO_BOXES,
    Addition,
    Block,
    Box,
    CardContent,
    CardFace,
    Cell,
    CounterContent,
    Detail,
    Entries,
    Entry,
    Lines,
    Row,
    Strip,
    Table,
    Ticks,
    Track,
    beyond_boxes,
    count_boxes,
    identity_blocks,
    percent,
    pluralize,
)
from systems.paper.metrics import isolated
from systems.roster import PilotCard
from systems.text import format_decimal, format_signed

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
    """Return whether the design's name adds anything to the unit's name and core type."""
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
    entries = tuple(Entry(name=drone.name, text=drone.summary, ticks=(False,) * drone.dp) for drone in sheet.drones)
    return Entries(title="Drones", note="three active", entries=entries)


def means_table(sheet: Datasheet) -> Table:
    """Return the attacks in a turn, with their expected damage against EVA 6+."""
    rows = tuple(
        Row(
            name=line.name,
            lead=line.short,
            cells=(
                NO_BOXES if line.is_carried else format_decimal(line.attacks[1]),
                format_decimal(line.front),
                format_decimal(line.flank),
            ),
        )
        for line in sheet.lines
    )
    return Table(
        title="Attacks a turn, average damage at EVA 6+", heads=("attacks", "front", "flank"), rows=rows, cell_mm=9.0
    )


def footnote(sheet: Datasheet) -> str:
    parts = [f"{name}: {text}" for name, text in sheet.losses]
    if sheet.throw_reach:
        parts.append(f"Throws {sheet.throw_reach[0]} to {sheet.throw_reach[1]}")
    return " · ".join((*parts, *weapon_key(sheet), "* primary"))


def weapon_key(sheet: Datasheet) -> tuple[str, ...]:
    """Explain the letters beside its weapons: "AL left arm, C carried"; the back explains the other letters."""
    places = {line.short: line.where for line in sheet.lines if line.place}
    return (", ".join(f"{letters} {words}" for letters, words in places.items()),) if places else ()


def unit_back(detail: Detail = "brief", options: Options = BY_THE_BOOK) -> CardFace:
    """Return the back, which is the same for all machines with these house rules."""
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
        ("To hit", "ACC, or ASL in melee; an 8 can't be evaded"),
        ("Evasion", "EVA; if it passes, CTR to fire back" if options.counters else "EVA; no firing back"),
        ("Critical", "on an 8, half as much damage again"),
        ("Flank", "2 extra damage"),
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
    """Return a level's bonuses to hit and evasion rolls, range, and SM. HX-156 to HX-161."""
    numbers = (level.accuracy, level.evasion, level.reach, level.movement)
    return tuple(format_signed(number) if number else NO_BOXES for number in numbers)


BEHIND = ("HX-176", "HX-175", "HX-180")
FATES = (("injured, misses a battle", (False,) * 3), ("lost", (False,)))
MAX_TRAITS = CATALOGUE.limits["traits"].value


def pilot_card(pilot: PilotCard, *, sheet: Datasheet | None, company: str) -> CardContent:
    rank = CATALOGUE.ranks[pilot.experience]
    blocks = identity_blocks(pilot)
    blocks.append(Strip(cells=_pilot_cells(rank.name, NO_BOXES if pilot.points is None else str(pilot.points))))
    blocks += _pilot_tracks(pilot)
    blocks.append(Ticks(items=FATES))
    flown = dict.fromkeys((isolated(sheet.name), isolated(sheet.design_name))) if sheet else {}
    blocks.append(Entries(title="Flies", note=" · ".join(filter(None, flown))))
    traits = tuple(Entry(name=CATALOGUE.traits[slug].name, text=CATALOGUE.traits[slug].effect) for slug in pilot.skills)
    blocks.append(Entries(title="Traits", note="" if traits else "none yet", entries=traits))
    kicker = " · ".join(filter(None, ("Pilot", rank.name, isolated(company))))
    front = CardFace(title=pilot.name, kicker=kicker, blocks=tuple(blocks), notes=NOTES)
    return CardContent(front=front, back=_pilot_back(pilot))


def blank_pilot_card() -> CardContent:
    """Return the same card for writing on."""
    blocks: tuple[Block, ...] = (
        Strip(cells=_pilot_cells("", "")),
        Track(label="BATTLES", boxes=count_boxes(0)),
        Track(label="KILLS", boxes=count_boxes(0)),
        Ticks(items=FATES),
        Lines(title="Flies", count=1),
        Lines(title="Traits", count=MAX_TRAITS),
    )
    front = CardFace(title="", kicker="Name of the pilot", blocks=blocks, notes=NOTES)
    return CardContent(front=front, back=_pilot_back(None))


def _pilot_cells(rank: str, points: str) -> tuple[Cell, ...]:
    return Cell(label="RANK", value=rank), Cell(label="XP", value=points)


def _pilot_tracks(pilot: PilotCard) -> tuple[Block, ...]:
    record = f"{pluralize(pilot.games, 'battle')}, {pluralize(pilot.kills, 'kill')}"
    return (
        Track(label="BATTLES", boxes=count_boxes(pilot.games)),
        Track(label="KILLS", boxes=count_boxes(pilot.kills)),
        *((Entries(title="Record", note=record),) if beyond_boxes(pilot.games) or beyond_boxes(pilot.kills) else ()),
    )


def _pilot_back(pilot: PilotCard | None) -> CardFace:
    now = pilot.experience if pilot else ""
    rows = tuple(
        Row(
            name=f"{rank.name} (now)" if rank.slug == now else rank.name, cells=(str(rank.experience), str(rank.traits))
        )
        for rank in CATALOGUE.ranks.values()
    )
    rules = [SYSTEM.rulebook[rule] for rule in BEHIND]
    traits = tuple((each.name, (False,)) for each in CATALOGUE.traits.values())
    return CardFace(
        title="Experience",
        kicker=SYSTEM_NAME,
        blocks=(
            Table(title="Ranks", heads=("XP", "traits"), rows=rows, cell_mm=8.5),
            Entries(title="In a campaign", entries=tuple(Entry(name=rule.title, text=rule.text) for rule in rules)),
            Entries(title="Traits to learn"),
            Ticks(items=traits),
        ),
        notes=NOTES,
    )


LABELS = ("ACC", "ASL", "EVA", "CTR", "AP", "SM", "TM")
WEAPON_LINES = 6
KINDS = tuple(core.name for core in CATALOGUE.cores.values())
AREA_LABELS = tuple(
    f"{mech.short} / {vehicle.short}".upper()
    for mech, vehicle in zip(
        (area for area in CATALOGUE.areas.values() if area.of == "mech"),
        (area for area in CATALOGUE.areas.values() if area.of == "vehicle"),
        strict=True,
    )
)


def blank_unit_card(options: Options = BY_THE_BOOK) -> CardContent:
    blocks: tuple[Block, ...] = (
        Ticks(items=tuple((name, (False,)) for name in KINDS)),
        Strip(cells=tuple(Cell(label=label, value="") for label in LABELS)),
        Strip(cells=tuple(Cell(label=label, value="") for label in AREA_LABELS[:3])),
        Strip(cells=tuple(Cell(label=label, value="") for label in AREA_LABELS[3:])),
        Lines(title="Weapons, shields, drones", heads=WEAPON_HEADS, cell_mm=CELL_MM, count=WEAPON_LINES, ticks=1),
        Lines(title="Systems, mods, traits", count=2),
        Ticks(items=tuple((name, (False,)) for name in STATES)),
    )
    front = CardFace(title="", kicker="Name of the machine", corner_label="points", blocks=blocks, notes=NOTES)
    return CardContent(front=front, back=unit_back(options=options))


ACROSS_MM = 28.0
VIEW_AND_FLANK = (-120, -60, 60, 120)  # HX-076, HX-077


def build_counter(sheet: Datasheet) -> CounterContent:
    return CounterContent(
        name=sheet.name,
        shape=silhouette(sheet.size),
        code=f"C{sheet.unit_class}",
        figure=str(sheet.areas[1].dp),
        figure_label=f"{sheet.areas[1].name} DP",
        unknown="",
        base_mm=ACROSS_MM,
        arcs=VIEW_AND_FLANK,
    )


LEG_PENALTY = 2  # on ASL and EVA. HX-113
HEAD_PENALTY = 2  # on ACC. HX-110
EVADE_CELL_MM, STATE_CELL_MM = 11.0, 8.4


def list_additions(sheet: Datasheet) -> tuple[Addition, ...]:
    """Return the additions, the most useful first."""
    return (
        Addition(block=evasion_table(sheet), brief=_evasion_brief(sheet)),
        Addition(block=state_table(sheet)),  # has no brief form, because its contents are at the foot of the card
    )


def evasion_table(sheet: Datasheet) -> Table:
    """Return the numbers that it needs to evade, by level, and what prevents it. HX-086, HX-087, HX-156 to HX-161."""
    leg, flank = _leg_lost(sheet), _flank_damage(sheet)
    rows = _evasions(sheet)
    rows.append(Row(name="no evasion", detail="an 8 to hit, or kneeling, prone, down, held (HX-006, HX-086)"))
    rows.append(
        Row(
            name="damage",
            detail=f"{flank} extra from its Flank (HX-077); in blue hexes kinetic damage is halved first (HX-091, HX-146)",
        )
    )
    return Table(title="Enemies to hit: it evades", heads=("whole", leg), rows=tuple(rows), cell_mm=EVADE_CELL_MM)


def _leg_lost(sheet: Datasheet) -> str:
    return "wing lost" if sheet.is_vehicle else "leg lost"


def _flank_damage(sheet: Datasheet) -> int:
    return 1 if any(each.name == CATALOGUE.traits["wary"].name for each in sheet.traits) else 2


def _evasions(sheet: Datasheet) -> list[Row]:
    levels: dict[int, list[int]] = {}
    for each in CATALOGUE.elevations.values():
        levels.setdefault(each.evasion, []).append(each.level)
    return [_evasion(sheet, bonus, found) for bonus, found in sorted(levels.items())]


def _evasion_brief(sheet: Datasheet) -> Entry:
    parts = (f"{row.name} on {' / '.join(row.cells)}" for row in _evasions(sheet))
    return Entry(
        name=f"Evades (intact / {_leg_lost(sheet)})",
        text=f"{'; '.join(parts)}. Can't evade an 8, or while kneeling, prone, down or held. Takes "
        f"{_flank_damage(sheet)} extra damage from the flank.",
    )


def _evasion(sheet: Datasheet, bonus: int, levels: list[int]) -> Row:
    """Return the number on the D8 at these levels, undamaged and without a leg, with the levels' bonus."""
    numbers = [max(1, sheet.evasion - bonus), max(1, sheet.evasion + LEG_PENALTY - bonus)]
    return Row(
        name=f"level {', '.join(_level(level) for level in levels)}",
        cells=tuple(f"{number}+" if number <= FACES else NO_BOXES for number in numbers),
        under=tuple(percent(Fraction(faces_that_evade(number), FACES)) for number in numbers),
    )


def _level(level: int) -> str:
    return format_signed(level) if level else "0"


def state_table(sheet: Datasheet) -> Table:
    """Return movement and values after losing areas. HX-109 to HX-114."""
    leg, legs = ("outer wing lost", "both outer wings") if sheet.is_vehicle else ("leg lost", "both legs lost")
    head = "tail lost" if sheet.is_vehicle else "head lost"
    accuracy = sheet.accuracy if sheet.ironside else sheet.accuracy + HEAD_PENALTY
    assault, evasion = sheet.assault + LEG_PENALTY, sheet.evasion + LEG_PENALTY
    states = (
        ("whole", sheet.movement, sheet.accuracy, sheet.assault, sheet.evasion),
        (f"{head} (HX-110)", sheet.movement, accuracy, sheet.assault, sheet.evasion),
        (f"{leg} (HX-113)", max(1, sheet.movement - 1), sheet.accuracy, assault, evasion),
        (f"{legs} (HX-114)", 1, sheet.accuracy, assault, evasion),
    )
    rows = tuple(
        Row(name=name, cells=(str(movement), *(f"{number}+" for number in numbers)))
        for name, movement, *numbers in states
    )
    return Table(title="By state", heads=("SM", "ACC", "ASL", "EVA"), rows=rows, cell_mm=STATE_CELL_MM)
