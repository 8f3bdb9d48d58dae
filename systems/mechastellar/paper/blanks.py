"""A blank card: every box that any unit can need, and lines to write on."""

from __future__ import annotations

from systems.mechastellar.catalogue import CATALOGUE
from systems.paper.blocks import Block, Box, CardContent, CardFace, Cell, Lines, Strip, Ticks, Track

from .cards import CELL_MM, WEAPON_HEADS, state_ticks

FRAME = ("MOVE", "SIZE", "SENSORS", "MORALE", "VP")
DEFENCE = ("EVADE", "MELEE", "SHIELD", "BARRIER")
KINDS = tuple(kind.name for kind in CATALOGUE.kinds.values())
CREWS = ("level 0", "level 1", "level 2")
HELD = 3
BOXES = 40  # of 500 HP


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
