"""The card of a pilot: name and record on the front; the gains of experience on the back (ledger 8.2)."""

from __future__ import annotations

from systems.mech_campaign.build import SYSTEM
from systems.mech_campaign.build.datasheet import Datasheet
from systems.mech_campaign.catalogue import CATALOGUE
from systems.paper.blocks import (
    Block,
    Box,
    CardContent,
    CardFace,
    Cell,
    Detail,
    Entries,
    Entry,
    Row,
    Strip,
    Table,
    Ticks,
    Track,
)
from systems.paper.metrics import isolated
from systems.paper.words import beyond_boxes, count_boxes, pluralize
from systems.roster import PilotCard

from .cards import NOTES, SYSTEM_NAME

MAX_EXPERIENCE = max(rank.experience for rank in CATALOGUE.ranks.values())
EXPERIENCE_ROW = 6  # boxes in a row; they don't all fit in one
HURT_BOXES = 3
BEHIND = ("MC-209", "MC-205", "MC-202")


def pilot_card(pilot: PilotCard, sheet: Datasheet | None, company: str, detail: Detail) -> CardContent:
    return CardContent(front=_front(pilot, sheet, company), back=pilot_back(pilot, detail))


def _front(pilot: PilotCard, sheet: Datasheet | None, company: str) -> CardFace:
    rank = CATALOGUE.ranks[pilot.experience]
    blocks: list[Block] = []
    if pilot.callsign:
        blocks.append(Entries(title="Callsign", note=pilot.callsign))
    blocks.append(Strip(cells=rank_cells(rank.name, pilot.points)))
    blocks += tracks(pilot.points or 0, pilot.games, pilot.kills)
    blocks.append(Ticks(items=wound_ticks()))
    if sheet:
        flown = dict.fromkeys((isolated(sheet.name), isolated(sheet.design_name)))
        blocks.append(Entries(title="Flies", note=" · ".join([*filter(None, flown), sheet.size_name])))
    else:
        blocks.append(Entries(title="Flies"))
    kicker = " · ".join(filter(None, ("Pilot", rank.name, isolated(company))))
    return CardFace(title=pilot.name, kicker=kicker, blocks=tuple(blocks), notes=NOTES)


def rank_cells(rank: str, points: int | None) -> tuple[Cell, ...]:
    experience = (Cell(label="EXPERIENCE", value=str(points)),) if points is not None else ()
    return (Cell(label="RANK", value=rank), *experience)


def tracks(points: int, games: int, kills: int) -> tuple[Block, ...]:
    record = f"{pluralize(games, 'battle')}, {pluralize(kills, 'elimination')}"
    experience = experience_boxes(points)
    return (
        Track(label="EXP", boxes=experience[:EXPERIENCE_ROW]),
        Track(label=f"EXP {EXPERIENCE_ROW + 1}+", boxes=experience[EXPERIENCE_ROW:]),
        Track(label="BATTLES", boxes=count_boxes(games)),
        Track(label="KILLS", boxes=count_boxes(kills)),
        *((Entries(title="Record", note=record),) if beyond_boxes(games) or beyond_boxes(kills) else ()),
    )


def experience_boxes(points: int) -> tuple[Box, ...]:
    """Return the boxes up to the last rank, with the rank below the box that brings it."""
    ranks = {rank.experience: rank.name.lower() for rank in CATALOGUE.ranks.values()}
    return tuple(
        Box(inside=str(number), below=ranks.get(number, "")[:3], is_marked=number <= points)
        for number in range(1, MAX_EXPERIENCE + 1)
    )


def wound_ticks() -> tuple[tuple[str, tuple[bool, ...]], ...]:
    """Return the wounds that a pilot can suffer after a game. MC-205."""
    return (("hurt, misses a battle", (False,) * HURT_BOXES), ("killed", (False,)))


def pilot_back(pilot: PilotCard | None, detail: Detail = "brief") -> CardFace:
    now = pilot.experience if pilot else ""
    rows = tuple(
        Row(name=f"{rank.name} (now)" if rank.slug == now else rank.name, cells=(str(rank.experience),))
        for rank in CATALOGUE.ranks.values()
    )
    rules = [SYSTEM.rulebook[rule] for rule in (BEHIND if detail == "full" else BEHIND[:2])]
    return CardFace(
        title="Experience",
        kicker=SYSTEM_NAME,
        blocks=(
            Table(title="Ranks", heads=("from",), rows=rows, cell_mm=8.5),
            Entries(title="In a campaign", entries=tuple(Entry(name=rule.title, text=rule.text) for rule in rules)),
        ),
        notes=NOTES,
    )
