"""Cards of units and their crews, blank cards, extra tables, and counters. ST-403, ST-404."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from systems.artwork import silhouette
from systems.mechastellar.build import LEVEL_NAMES
from systems.mechastellar.build.datasheet import ATTRIBUTION, CREDIT, MARK, Datasheet, describe_skill
from systems.mechastellar.build.datasheet_lines import Defence, Pool, WeaponLine, mean
from systems.mechastellar.catalogue import CATALOGUE, HP_BOX, LEVEL_AT, Skill
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
    count_boxes,
    identity_blocks,
)
from systems.paper.metrics import isolated
from systems.roster import PilotCard
from systems.text import format_decimal

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
        note = ", ".join(f"{label} {value}" for label, value in sheet.mode_b)
        blocks.append(Entries(title="Mode B", note=note))
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
    """Return whether the design's name adds anything to the unit's name."""
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
        Cell(label="EVADE", value=sheet.evade.pool, note=f"mean {sheet.evade.mean_label}"),
        Cell(label="MELEE", value=sheet.melee.pool, note=f"mean {sheet.melee.mean_label}"),
    ]
    guards = (("SHIELD", sheet.shield), ("BARRIER", sheet.barrier))
    return (*cells, *(Cell(label=label, value=f"+{value}") for label, value in guards if value))


def hp_track(sheet: Datasheet) -> Track:
    """Return one box per 500 HP, with the lost ones crossed out."""
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
        parts.append(f"mean Hits {line.mean_label}")
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
    """Return the back, with this kind's skills and bonuses at this level."""
    return CardFace(
        title="Skills",
        kicker=f"{SYSTEM_NAME} · a die of 5+ is one, a 10 two; [M] is Momentum",
        blocks=tuple(_back_blocks(sheet, detail)),
        notes=NOTES,
    )


def skill_limit(skills: Sequence[Skill]) -> str:
    """Return how many skills a unit may use per turn, and which don't count. ST-260, ST-263, ST-266."""
    free = " and ".join(each.name for each in skills if each.is_free)
    return f"one a turn, plus {free}" if free else "one a turn"


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
    """Return the actions in a unit's turn, by cost."""
    played = ("core",) if sheet.tier == "core" else ("core", "advanced")
    found = (each for each in CATALOGUE.actions.values() if each.tier in played and _may(sheet, each.who))
    return Entries(
        title="A turn", entries=tuple(Entry(name=f"{each.name}: {each.cost}", text=each.effect) for each in found)
    )


def _may(sheet: Datasheet, who: str) -> bool:
    return who == "all" or who == sheet.kind_name


CREW_NOTES = "Notes"
FATES = "1–2 dead, 3–5 wounded and misses a battle, otherwise safe; a Kaiju: 1–5 dead, otherwise misses a battle"


def pilot_card(pilot: PilotCard, sheet: Datasheet | None, company: str, detail: Detail) -> CardContent:
    return CardContent(front=_crew_front(pilot, sheet, company), back=_crew_back(detail))


def _crew_front(pilot: PilotCard, sheet: Datasheet | None, company: str) -> CardFace:
    level = LEVEL_NAMES[pilot.experience]
    blocks = identity_blocks(pilot)
    points = () if pilot.points is None else (Cell(label="EXPERIENCE", value=str(pilot.points)),)
    blocks.append(Strip(cells=(Cell(label="LEVEL", value=level), *points)))
    blocks += _crew_tracks(pilot.points or 0, pilot.games, pilot.kills)
    flown = dict.fromkeys((isolated(sheet.name), isolated(sheet.design_name), sheet.kind_name)) if sheet else {}
    blocks.append(Entries(title="Flies", note=" · ".join(flown)))
    kicker = " · ".join(filter(None, ("Crew", level, isolated(company))))
    return CardFace(title=pilot.name, kicker=kicker, blocks=tuple(blocks), notes=CREW_NOTES)


def blank_pilot_card() -> CardContent:
    blocks: tuple[Block, ...] = (
        Entries(title="Callsign"),
        Strip(cells=(Cell(label="LEVEL", value=""), Cell(label="EXPERIENCE", value=""))),
        *_crew_tracks(0, 0, 0),
        Entries(title="Flies"),
        Entries(title="Company"),
    )
    front = CardFace(title="", kicker="Name of the pilot, Captain or Kaiju", blocks=blocks, notes=CREW_NOTES)
    return CardContent(front=front, back=_crew_back("brief"))


def _crew_tracks(points: int, games: int, kills: int) -> Iterator[Block]:
    """Yield experience up to level 2, with levels under their boxes; then battles, kills and wounds."""
    levels = {at: LEVEL_NAMES[level] for level, at in LEVEL_AT.items() if at}
    boxes = [Box(below=levels.get(at, ""), is_marked=at <= points) for at in range(1, max(LEVEL_AT.values()) + 1)]
    half = len(boxes) // 2
    yield Track(label="EXP", boxes=tuple(boxes[:half]))
    yield Track(label=f"EXP {half + 1}+", boxes=tuple(boxes[half:]))
    yield Track(label="BATTLES", boxes=count_boxes(games))
    yield Track(label="KILLS", boxes=count_boxes(kills))
    yield Ticks(items=(("wounded: misses a battle", (False,)),))


def _crew_back(detail: Detail) -> CardFace:
    gains = (
        ("1", "for taking part and coming home"),
        ("1", "for each enemy unit destroyed, 1 more if it was Level 1+ or the Commander"),
        ("1", "for a won battle"),
    )
    learned = tuple(Entry(lead=points, name="", text=text) for points, text in gains)
    blocks: list[Block] = [
        Entries(title="Experience", entries=learned),
        Entries(title="Unit destroyed, d10", entries=(Entry(name="", text=FATES),)),
    ]
    if detail == "full":
        skills = (Entry(name=each.name, text=each.effect) for each in CATALOGUE.skills.values())
        blocks.append(Entries(title="Skills", entries=tuple(skills)))
    return CardFace(
        title="Between battles",
        kicker="MechaStellar · level 1 at 8, level 2 at 20",
        blocks=tuple(blocks),
        notes=CREW_NOTES,
    )


FRAME = ("MOVE", "SIZE", "SENSORS", "MORALE", "VP")
DEFENCE = ("EVADE", "MELEE", "SHIELD", "BARRIER")
KINDS = tuple(kind.name for kind in CATALOGUE.kinds.values())
CREWS = ("level 0", "level 1", "level 2")
HELD = 3
BOXES = 40  # of 500 HP each


def strip(labels: tuple[str, ...]) -> Strip:
    return Strip(cells=tuple(Cell(label=label, value="") for label in labels))


def blank_unit_card() -> CardContent:
    blocks: tuple[Block, ...] = (
        Ticks(items=tuple((name, (False,)) for name in (*KINDS, *CREWS))),
        strip(FRAME),
        Track(label="HP", boxes=(Box(),) * BOXES),
        strip(DEFENCE),
        Lines(title="Weapons", heads=WEAPON_HEADS, cell_mm=CELL_MM, count=4, ticks=1),
        Ticks(items=tuple((name, (False,) * HELD) for name in ("Boost", "Power", "Havoc"))),
        Ticks(items=state_ticks()),
    )
    front = CardFace(title="", kicker="Name of the unit", corner_label="points", blocks=blocks, notes="Notes")
    return CardContent(front=front, back=_blank_back())


def _blank_back() -> CardFace:
    blocks = (
        Lines(title="Skills and bonuses", count=6),
        Lines(title="Traits", count=3),
        Lines(title="Mode B", count=2),
    )
    return CardFace(title="Skills", kicker="MechaStellar", blocks=blocks, notes="Notes")


ARCS = (-90, 90)  # front and rear, ST-064
MM_BY_SIZE = (25.0, 32.0, 40.0, 50.0, 60.0, 60.0)  # width; Muster's own, because the source measures from centres


def build_counter(sheet: Datasheet) -> CounterContent:
    return CounterContent(
        name=sheet.name,
        shape=silhouette(sheet.size),
        code=f"S{sheet.size_number}",
        figure=str(sheet.hits),
        figure_label="HP",
        unknown="",
        base_mm=MM_BY_SIZE[min(5, max(0, sheet.size_number))],
        arcs=ARCS,
        credit=CREDIT,
        attribution=ATTRIBUTION,
        mark=MARK,
    )


COVER = 2  # ST-340
ADDITION_CELL_MM = 10.0


def list_additions(sheet: Datasheet) -> tuple[Addition, ...]:
    return (Addition(block=defence_table(sheet), brief=_defence_brief(sheet)),)


def defence_table(sheet: Datasheet) -> Table:
    """Return the expected DEF against Shooting and in Melee, by situation, and attackers' bonuses.

    ST-114, ST-180 to ST-182.
    """
    return Table(
        title="Enemies to hit: mean DEF", heads=("evade", "melee"), rows=tuple(_rows(sheet)), cell_mm=ADDITION_CELL_MM
    )


def _defence_brief(sheet: Datasheet) -> Entry:
    """Return each situation without its rules, when evading and in melee."""
    parts = []
    for row, more in zip(_rows(sheet), ("", "", " and 2 Hits more", " and 2 Hits more"), strict=True):
        name, _, _ = row.name.partition(":")[0].partition(" (")
        parts.append(f"{name} {' / '.join(row.cells)}{more}")
    return Entry(name="Mean DEF, evade / melee", text="; ".join(parts))


def _rows(sheet: Datasheet) -> Iterator[Row]:
    guard = max(sheet.shield, sheet.barrier)
    cover = max(guard, COVER)
    yield Row(name="in the open", cells=_means(sheet, guard, guard))
    note = "" if cover > guard else "its own guard is as good"
    yield Row(name="in Cover (ST-340, ST-182)", cells=_means(sheet, cover, guard), detail=note)
    yield Row(
        name="from behind: Blindside (ST-301)",
        cells=_means(sheet, sheet.barrier, sheet.barrier),
        detail="no Shield, Cover or Support; attacks have 2 Hits more (ST-300)",
    )
    yield Row(
        name="shut down (ST-305)",
        cells=tuple(str(max(0, each.flat + sheet.shield)) for each in (sheet.evade, sheet.melee)),
        detail="no dice, no Barrier; attacks have 2 Hits more (ST-304)",
    )


def _means(sheet: Datasheet, evading: int, fighting: int) -> tuple[str, str]:
    return _mean(sheet.evade, evading), _mean(sheet.melee, fighting)


def _mean(defence: Defence, guard: int) -> str:
    """Return the expected DEF with this guard, to one digit, as elsewhere on the card."""
    pool = Pool(
        dice=defence.drawn,
        flat=defence.flat + guard,
        success=defence.success,
        rerolls_ones=defence.rerolls_ones,
    )
    return format_decimal(mean(pool), 1)
