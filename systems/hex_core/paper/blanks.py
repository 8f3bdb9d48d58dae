"""A blank card: every box that any machine can need, and lines to write on."""

from __future__ import annotations

from systems.hex_core.catalogue import CATALOGUE
from systems.hex_core.options import BY_THE_BOOK, Options
from systems.paper.blocks import Block, CardContent, CardFace, Cell, Lines, Strip, Ticks

from .cards import CELL_MM, NOTES, STATES, WEAPON_HEADS, unit_back

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
