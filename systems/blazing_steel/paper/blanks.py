"""A blank card: every box that any Warmech can need, and lines to write on."""

from __future__ import annotations

from systems.blazing_steel.build.spec import SLOTS, WEAPON_SLOTS
from systems.blazing_steel.catalogue import CATALOGUE
from systems.blazing_steel.catalogue.types import DODGE_DICE
from systems.blazing_steel.options import BY_THE_BOOK, Options
from systems.paper.blocks import Block, CardContent, CardFace, Cell, Lines, Strip, Ticks, Track

from .cards import STATES, STRUCTURE, WEAPON_HEADS, cripple_ticks, empty_boxes, heat_track, unit_back
from .rosters import MAX_STRUCTURE

LABELS = ("MOVE", "SPRINT", "JUMP", "DODGE", "MELEE", "ARMOR")
KINDS = tuple(chassis.name for chassis in CATALOGUE.chassis.values())
DRIVES = tuple(drive.name for drive in CATALOGUE.locomotion.values())
MAX_SHOTS = 3


def blank_unit_card(options: Options = BY_THE_BOOK) -> CardContent:
    blocks: tuple[Block, ...] = (
        Ticks(items=tuple((name, (False,)) for name in (*KINDS, *DRIVES))),
        Strip(cells=tuple(Cell(label=label, value="") for label in LABELS)),
        Track(label=STRUCTURE, boxes=empty_boxes(MAX_STRUCTURE), is_large=True),
        Lines(title="Weapons", heads=WEAPON_HEADS, cell_mm=6.2, count=len(WEAPON_SLOTS), leads=WEAPON_SLOTS, ticks=1),
        Ticks(items=tuple((f"{slot} shots", (False,) * MAX_SHOTS) for slot in WEAPON_SLOTS)),
        Lines(title="Peripheral", count=1, leads=SLOTS[-1:], ticks=1),
        heat_track(),
        Ticks(items=(("dodge dice", (False,) * DODGE_DICE), *((name, (False,)) for name in STATES))),
        cripple_ticks(),
    )
    front = CardFace(title="", kicker="Name of the Warmech", corner_label="points", blocks=blocks, notes="Notes")
    return CardContent(front=front, back=unit_back(options=options))
