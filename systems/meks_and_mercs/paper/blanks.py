"""Cards to write on: every box that any Mek or pilot can need, and lines for text."""

from __future__ import annotations

from systems.figures import MINUS
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.paper.blocks import Block, Box, CardContent, CardFace, Cell, Entries, Lines, Strip, Ticks, Track

from .cards import HOT_BOXES, LEG_BOXES, WEAPON_CELL_MM, WEAPON_HEADS, unit_back
from .pilots import pilot_back, tracks, wounds

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
