"""The card of a pilot: rank, experience and traits on the front; the gains of experience on the back (ledger 8)."""

from __future__ import annotations

from systems.hex_core.build import SYSTEM
from systems.hex_core.build.datasheet import Datasheet
from systems.hex_core.catalogue import CATALOGUE
from systems.paper.blocks import (
    Block,
    CardContent,
    CardFace,
    Cell,
    Entries,
    Entry,
    Lines,
    Row,
    Strip,
    Table,
    Ticks,
    Track,
)
from systems.paper.metrics import isolated
from systems.paper.words import NO_BOXES, beyond_boxes, count_boxes, pluralize
from systems.roster import PilotCard

from .cards import NOTES, SYSTEM_NAME

BEHIND = ("HX-176", "HX-175", "HX-180")
FATES = (("injured, misses a battle", (False,) * 3), ("lost", (False,)))
MAX_TRAITS = CATALOGUE.limits["traits"].value


def pilot_card(pilot: PilotCard, *, sheet: Datasheet | None, company: str) -> CardContent:
    rank = CATALOGUE.ranks[pilot.experience]
    blocks: list[Block] = [Entries(title="Callsign", note=pilot.callsign)] if pilot.callsign else []
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
    """Return the same card to write on."""
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
