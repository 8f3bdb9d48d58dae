"""The card of a pilot, Captain or Kaiju: level and experience in front, advancement on the back. ST-403, ST-404."""

from __future__ import annotations

from collections.abc import Iterator

from systems.mechastellar.build.datasheet import Datasheet
from systems.mechastellar.build.system import LEVEL_NAMES
from systems.mechastellar.catalogue import CATALOGUE
from systems.mechastellar.catalogue.types import LEVEL_AT
from systems.paper.blocks import Block, Box, CardContent, CardFace, Cell, Detail, Entries, Entry, Strip, Ticks, Track
from systems.paper.metrics import isolated
from systems.paper.words import count_boxes
from systems.roster import PilotCard

CREW_NOTES = "Notes"
FATES = "dead up to 2, wounded up to 5, which misses a battle, else safe; a Kaiju dead up to 5, else it misses a battle"


def pilot_card(pilot: PilotCard, sheet: Datasheet | None, company: str, detail: Detail) -> CardContent:
    return CardContent(front=_crew_front(pilot, sheet, company), back=_crew_back(detail))


def _crew_front(pilot: PilotCard, sheet: Datasheet | None, company: str) -> CardFace:
    level = LEVEL_NAMES[pilot.experience]
    blocks: list[Block] = [Entries(title="Callsign", note=pilot.callsign)] if pilot.callsign else []
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
    """Yield experience up to level 2, with the levels under their boxes; then battles, kills and wounds."""
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
        title="Between battles", kicker="MechaStellar · level 1 at 8, level 2 at 20", blocks=tuple(blocks), notes=CREW_NOTES
    )
