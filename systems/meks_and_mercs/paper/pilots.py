"""Pilots' cards, and blank cards for Meks and pilots (ledger 2.9, 2.10)."""

from __future__ import annotations

from systems.meks_and_mercs.build import SYSTEM
from systems.meks_and_mercs.build.datasheet_lines import INCLUDED, Datasheet
from systems.meks_and_mercs.build.spec import known_skills
from systems.meks_and_mercs.catalogue import CATALOGUE, Level
from systems.meks_and_mercs.paper.cards import HOT_BOXES, LEG_BOXES, NOTES, WEAPON_CELL_MM, WEAPON_HEADS, unit_back
from systems.paper.blocks import (
    NO_BOXES,
    Block,
    Box,
    CardContent,
    CardFace,
    Cell,
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
    pluralize,
)
from systems.paper.metrics import isolated
from systems.roster import PilotCard
from systems.text import MINUS, format_signed

INJURY_BOXES = 3
LEVEL_HEADS = ("move", "to hit", "skill")


def pilot_card(pilot: PilotCard, sheet: Datasheet | None, company: str, detail: Detail) -> CardContent:
    return CardContent(front=_front(pilot, sheet, company), back=pilot_back(pilot, detail))


def _front(pilot: PilotCard, sheet: Datasheet | None, company: str) -> CardFace:
    level = CATALOGUE.levels[pilot.experience]
    skills = known_skills(pilot.skills)
    blocks = identity_blocks(pilot)
    blocks.append(Strip(cells=level_cells(level)))
    blocks += tracks(pilot.kills, pilot.games)
    blocks.append(Ticks(items=wounds(sheet.track.wounded if sheet else False)))
    if sheet:
        flown = dict.fromkeys((isolated(sheet.name), isolated(sheet.design_name)))
        blocks.append(Entries(title="Flies", note=" · ".join([*filter(None, flown), f"{sheet.size_name} Mek"])))
        if level.movement or level.to_hit:
            blocks.append(Entries(title="Level", note=f"{INCLUDED} on the Mek's card"))
    else:
        blocks.append(Entries(title="Flies"))
    if skills:
        entries = tuple(Entry(name=skill.name, text=skill.effect) for skill in skills)
        blocks.append(Entries(title="Skills", entries=entries))
    else:
        none = "none: a Green pilot has no skills" if level.skill_roll is None else "none yet"
        blocks.append(Entries(title="Skills", note=none))
    kicker = " · ".join(filter(None, ("Pilot", level.name, isolated(company))))
    return CardFace(title=pilot.name, kicker=kicker, blocks=tuple(blocks), notes=NOTES)


def level_cells(level: Level) -> tuple[Cell, ...]:
    skill = NO_BOXES if level.skill_roll is None else format_signed(level.skill_roll)
    return (
        Cell(label="LEVEL", value=level.name),
        Cell(label="MOVE", value=format_signed(level.movement)),
        Cell(label="TO HIT", value=format_signed(level.to_hit)),
        Cell(label="SKILL ROLL", value=skill),
    )


def tracks(kills: int, games: int) -> tuple[Block, ...]:
    return (
        Track(label="KILLS", boxes=count_boxes(kills)),
        Track(label="GAMES", boxes=count_boxes(games)),
        *(
            (Entries(title="Record", note=f"{pluralize(kills, 'kill')}, {pluralize(games, 'game')}"),)
            if beyond_boxes(kills) or beyond_boxes(games)
            else ()
        ),
    )


def wounds(is_wounded: bool) -> tuple[tuple[str, tuple[bool, ...]], ...]:
    """Return the boxes for a pilot's wounds and fates, during and after a game. MM-056, MM-S03."""
    return (
        ("wounded: 5+ to act", (is_wounded,)),
        ("injured, misses a game", (False,) * INJURY_BOXES),
        ("killed", (False,)),
    )


def pilot_back(pilot: PilotCard | None, detail: Detail) -> CardFace:
    """Return levels and the skills that the pilot doesn't have yet; on a blank card all skills."""
    known = pilot.skills if pilot else ()
    left = list({skill.skill: skill for skill in CATALOGUE.skills.values() if skill.slug not in known}.values())
    names = {skill.slug: "Chassis Familiarity (one size)" if skill.chassis else skill.name for skill in left}
    choice: tuple[Block, ...]
    if detail == "full":
        entries = tuple(Entry(name=names[skill.slug], text=skill.effect, ticks=(False,)) for skill in left)
        choice = (Entries(title="Skills to gain", entries=entries),)
    else:
        items = tuple((names[skill.slug], (False,)) for skill in left)
        choice = (Entries(title="Skills to gain", note=f"{len(left)} left"), Ticks(items=items))
    return CardFace(
        title="Advancement",
        kicker="Meks & Mercs",
        blocks=(
            _promotions(pilot),
            Entries(title="After a game", entries=(Entry(name="Skill roll", text=SYSTEM.rulebook["MM-101"].text),)),
            *choice,
        ),
        notes=NOTES,
    )


def _promotions(pilot: PilotCard | None) -> Table:
    order = list(CATALOGUE.levels)
    reached = order.index(pilot.experience) if pilot else -1
    rows = tuple(
        Row(
            name=f"{level.name} (now)" if at == reached else level.name,
            cells=(
                format_signed(level.movement),
                format_signed(level.to_hit),
                NO_BOXES if level.skill_roll is None else format_signed(level.skill_roll),
            ),
            detail=level.requirement,
        )
        for at, level in enumerate(CATALOGUE.levels.values())
    )
    return Table(title="Levels", heads=LEVEL_HEADS, rows=rows, cell_mm=8.5)


HEAT_BOXES = 10  # beyond that, use the plain boxes that follow
WEAPON_LINES = 5
SYSTEM_LINES = 2


def blank_unit_card() -> CardContent:
    most_hits = max(chassis.hits for chassis in CATALOGUE.chassis.values())
    heat = tuple(Box(inside=str(number)) for number in range(1, HEAT_BOXES + 1))
    hot = tuple(Box(is_hot=True) for _ in range(HOT_BOXES))
    blocks: tuple[Block, ...] = (
        _empty_cells("SIZE", "SAVE", "MOVE", "HEAT LIMIT", "TO HIT"),
        Track(label="HITS", boxes=(Box(),) * most_hits, is_large=True),
        Track(label="HEAT", boxes=heat + hot),
        Ticks(
            items=(
                ("wounded 5+", (False,)),
                (f"legs {MINUS}1", (False,) * LEG_BOXES),
                (f"computers {MINUS}1", (False,)),
                ("dug in", (False,)),
            )
        ),
        Lines(title="Weapons", heads=WEAPON_HEADS, cell_mm=WEAPON_CELL_MM, count=WEAPON_LINES, ticks=1),
        Lines(title="Systems", count=SYSTEM_LINES, ticks=1),
        Entries(title="Pilot"),
    )
    return CardContent(
        front=CardFace(
            title="", kicker="Name of the Mek", corner_label="points", blocks=blocks, notes="Skills and notes"
        ),
        back=unit_back(None),
    )


def blank_pilot_card() -> CardContent:
    blocks: tuple[Block, ...] = (
        Entries(title="Callsign"),
        _empty_cells("LEVEL", "MOVE", "TO HIT", "SKILL ROLL"),
        *tracks(0, 0),
        Ticks(items=wounds(False)),
        Entries(title="Flies"),
        Entries(title="Company"),
    )
    return CardContent(
        front=CardFace(title="", kicker="Name of the pilot", blocks=blocks, notes="Skills and notes"),
        back=pilot_back(None, "brief"),
    )


def _empty_cells(*labels: str) -> Strip:
    return Strip(cells=tuple(Cell(label=label, value="") for label in labels))
